#include "edit.h"

#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "mem.h"

static void
edit_add(
    struct edit *e, uint32_t off, uint32_t del, const char *text, size_t len)
{
	e->item = mem_more(e->item, e->n, &e->cap, sizeof *e->item);
	struct edit_item *i = &e->item[e->n];
	i->off = off;
	i->del = del;
	i->text = mem_dup(text, len);
	i->len = len;
	i->order = e->n++;
}

void
edit_insert(struct edit *e, uint32_t off, const char *text, size_t len)
{
	edit_add(e, off, 0, text, len);
}

void
edit_delete(struct edit *e, uint32_t off, uint32_t len)
{
	if (len != 0)
		edit_add(e, off, len, "", 0);
}

/* At one offset insertions come before a deletion that begins there. */
static int
edit_compare(const void *a, const void *b)
{
	const struct edit_item *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if ((x->del == 0) != (y->del == 0))
		return x->del == 0 ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void
edit_sort(struct edit *e)
{
	if (e->n != 0)
		qsort(e->item, e->n, sizeof *e->item, edit_compare);
}

int
edit_apply(
    struct edit *e, const char *text, size_t from, size_t len, struct buf *out)
{
	size_t want = len - from, at = from, begin = out->len;

	edit_sort(e);
	for (size_t i = 0; i < e->n; i++) {
		const struct edit_item *x = &e->item[i];
		if (x->off < at || x->off > len || x->del > len - x->off)
			return -1;
		at = x->off + x->del;
		want += x->len;
		want -= x->del;
	}
	at = from;
	buf_room(out, want + 1);
	for (size_t i = 0; i < e->n; i++) {
		const struct edit_item *x = &e->item[i];
		buf_add(out, text + at, x->off - at);
		buf_add(out, x->text, x->len);
		at = x->off + x->del;
	}
	buf_add(out, text + at, len - at);
	if (out->len - begin != want)
		err_bug();
	return 0;
}

void
edit_free(struct edit *e)
{
	for (size_t i = 0; i < e->n; i++)
		mem_free(e->item[i].text);
	mem_free(e->item);
	*e = (struct edit){ 0 };
}
