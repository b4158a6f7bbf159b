#include <stdarg.h>

#include "check-env.h"

static void
said_set(struct host *h, struct said *said, const struct text *text, va_list ap)
{
	*said = (struct said){ text, { NULL } };
	for (size_t i = 0; i < SAID_ARGS; i++) {
		const char *arg = va_arg(ap, const char *);

		if (arg == NULL)
			return;
		said->arg[i] = arena_strdup(&h->arena, arg);
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
