#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"
#include "check-env.h"

static void
said_set(struct host *h, struct said *said, const struct text *text, va_list ap)
{
	*said = (struct said){ text, { NULL } };
	for (size_t i = 0; i < SAID_ARGS; i++) {
		const char *arg = va_arg(ap, const char *);

		if (arg == NULL)
			return;
		said->arg[i] = arena_dup(&h->arena, arg, strlen(arg));
	}
}

void
find_set(struct finding *f, enum status status)
{
	f->status = status;
	f->message = (struct said){ &f->check->what, { NULL } };
}

void
find_say_(struct finding *f, enum status status, const struct text *text, ...)
{
	va_list ap;

	f->status = status;
	va_start(ap, text);
	said_set(f->host, &f->message, text, ap);
	va_end(ap);
}

void
find_detail_(struct finding *f, const struct text *text, ...)
{
	va_list ap;

	f->detail =
	    mem_more(f->detail, f->ndetail, &f->capdetail, sizeof(*f->detail));
	va_start(ap, text);
	said_set(f->host, &f->detail[f->ndetail++], text, ap);
	va_end(ap);
}

void
find_remedy_(struct finding *f, const struct text *text, ...)
{
	va_list ap;

	va_start(ap, text);
	said_set(f->host, &f->remedy, text, ap);
	va_end(ap);
}

void
find_value(struct finding *f, const char *format, ...)
{
	struct buf b = { 0 };
	char s[512];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(s, sizeof(s), format, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n < sizeof(s)) {
		buf_add(&b, s, (size_t)n);
	} else {
		va_start(ap, format);
		vsnprintf(
		    buf_room(&b, (size_t)n + 1), (size_t)n + 1, format, ap);
		va_end(ap);
		b.len = (size_t)n;
	}
	f->value = arena_dup(&f->host->arena, b.len == 0 ? "" : b.s, b.len);
	buf_free(&b);
}
