#include "json.h"

#include <string.h>

#include "jsontext.h"

/* The path becomes that of depth levels, with name behind. */
static void
path_set(struct json_paths *p, unsigned depth, const char *name, size_t len)
{
	size_t at = p->at[depth], room = sizeof p->path - 5;

	if (at > 0 && name[0] != '[' && at < room)
		p->path[at++] = '.';
	if (len > room - (at < room ? at : room)) {
		at = at < room ? at : room;
		memcpy(p->path + at, "...", 4);
		at += 3;
	} else {
		memcpy(p->path + at, name, len);
		at += len;
	}
	p->path[at] = 0;
	p->at[depth + 1] = at;
}

static void
path_event(void *arg, enum json_kind kind, const char *s, size_t len)
{
	struct json_paths *p = arg;

	if (kind == JSON_OBJECT_END || kind == JSON_ARRAY_END) {
		p->depth--;
		return;
	}
	buf_reset(&p->text);
	if (kind == JSON_KEY) {
		(void)jsontext_add(&p->text, s, len);
		path_set(p, p->depth, p->text.s == NULL ? "" : p->text.s,
		    p->text.len);
		return;
	}
	if (p->depth > 0 && p->array[p->depth])
		path_set(p, p->depth, "[]", 2);
	else if (p->depth == 0)
		p->path[0] = 0;
	if (kind == JSON_STRING)
		(void)jsontext_add(&p->text, s, len);
	else if (kind != JSON_OBJECT && kind != JSON_ARRAY)
		buf_add(&p->text, s, len);
	p->value(p->arg, p->path, kind,
	    p->text.s == NULL || p->text.len == 0 ? "" : p->text.s,
	    p->text.len);
	if (kind == JSON_OBJECT || kind == JSON_ARRAY) {
		p->depth++;
		p->array[p->depth] = kind == JSON_ARRAY;
		p->at[p->depth] = p->depth == 1 ? 0 : p->at[p->depth];
	}
}

enum json_result
json_scan_paths(struct json *j, struct json_paths *p)
{
	enum json_result r;

	p->depth = 0;
	p->at[0] = p->at[1] = 0;
	p->text = (struct buf){ 0 };
	j->event = path_event;
	j->arg = p;
	j->first = NULL;
	r = json_scan(j);
	buf_free(&p->text);
	return r;
}
