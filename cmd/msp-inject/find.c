#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "inject.h"
#include "mem.h"

#define TEXT TEXT_DEFINE
#include "text.def"
#undef TEXT

static void
find_clear(struct finding *f)
{
	for (int k = 0; k < FINDING_ARGS; k++)
		mem_free(f->arg[k]);
}

static int
find_same(const struct finding *a, const struct finding *b)
{
	int same = a->text == b->text && a->line == b->line;

	for (int k = 0; k < FINDING_ARGS && same; k++)
		same = strcmp(a->arg[k], b->arg[k]) == 0;
	return same;
}

/* Launches on one line have the same to say. */
static void
find_once(struct inject *in)
{
	enum { NEAR = 8 };
	size_t last = in->nfinding - 1;

	for (size_t i = last; i > 0 && last - i < NEAR; i--)
		if (find_same(&in->finding[i - 1], &in->finding[last])) {
			find_clear(&in->finding[last]);
			in->nfinding--;
			return;
		}
}

void
find_add(struct inject *in, enum err_level level, int status, size_t line,
    const struct text *text, const struct text *remedy, ...)
{
	va_list ap;
	const char *s;
	int n = 0;

	in->finding = mem_more(
	    in->finding, in->nfinding, &in->capfinding, sizeof *in->finding);
	struct finding *f = &in->finding[in->nfinding++];
	*f = (struct finding){ .level = level,
		.status = status,
		.line = line,
		.text = text,
		.remedy = remedy };
	va_start(ap, remedy);
	while (n < FINDING_ARGS && (s = va_arg(ap, const char *)) != NULL)
		f->arg[n++] = mem_strdup(s);
	va_end(ap);
	while (n < FINDING_ARGS)
		f->arg[n++] = mem_strdup("");
	find_once(in);
}

int
find_status(const struct inject *in)
{
	int warned = 0;

	for (size_t i = 0; i < in->nfinding; i++) {
		const struct finding *f = &in->finding[i];
		if (f->level == ERR_ERROR)
			return f->status;
		warned |= f->level == ERR_WARNING;
	}
	return warned && in->strict ? EXIT_NO : EXIT_YES;
}

void
find_say(const struct inject *in)
{
	for (size_t i = 0; i < in->nfinding; i++) {
		const struct finding *f = &in->finding[i];
		struct err_at at = { f->line ? in->script.name : NULL, f->line,
			0 };
		if (f->remedy == NULL)
			err_say(f->level, at, f->text, f->arg[0], f->arg[1],
			    f->arg[2], f->arg[3]);
		else
			err_tell(f->level, at, f->text, f->remedy, f->arg[0],
			    f->arg[1], f->arg[2], f->arg[3]);
	}
}

void
find_drop(struct inject *in, size_t n)
{
	size_t kept = n;

	for (size_t i = n; i < in->nfinding; i++) {
		if (in->finding[i].level == ERR_ERROR)
			in->finding[kept++] = in->finding[i];
		else
			find_clear(&in->finding[i]);
	}
	in->nfinding = kept;
}

void
find_cut(struct inject *in, size_t n)
{
	while (in->nfinding > n)
		find_clear(&in->finding[--in->nfinding]);
}

void
find_free(struct inject *in)
{
	find_cut(in, 0);
	mem_free(in->finding);
}
