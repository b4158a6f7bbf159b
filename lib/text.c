#include "text.h"

#include <stdlib.h>
#include <string.h>

#define TEXT TEXT_DEFINE
#include "text.def"
#undef TEXT

static enum text_lang lang;

/* 1 when s holds word, letters of either case alike. */
static int
text_names(const char *s, const char *word)
{
	for (; *s != '\0'; s++) {
		size_t i = 0;
		while (word[i] != '\0' && (s[i] | 0x20) == (word[i] | 0x20))
			i++;
		if (word[i] == '\0')
			return 1;
	}
	return 0;
}

void
text_init(void)
{
	static const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };

	lang = TEXT_EN;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *s = getenv(names[i]);
		if (s == NULL || *s == '\0')
			continue;
		if (s[0] == 'z' && s[1] == 'h' &&
		    (text_names(s, "utf-8") || text_names(s, "utf8")))
			lang = TEXT_ZH;
		return;
	}
}

enum text_lang
text_lang(void)
{
	return lang;
}

const char *
text_raw(const struct text *t)
{
	return lang == TEXT_ZH ? t->zh : t->en;
}

static void
text_vadd_in(struct buf *b, enum text_lang in, const struct text *t, va_list ap)
{
	enum { ARGS = 9 };
	const char *arg[ARGS] = { NULL };
	const char *s = in == TEXT_ZH ? t->zh : t->en;

	for (size_t i = 0; i < ARGS; i++)
		if ((arg[i] = va_arg(ap, const char *)) == NULL)
			break;
	for (;;) {
		size_t n = strcspn(s, "%");
		buf_add(b, s, n);
		s += n;
		if (*s == '\0')
			return;
		if (s[1] == '\0') {
			buf_addc(b, '%');
			return;
		}
		if (s[1] == '%')
			buf_addc(b, '%');
		else if (s[1] >= '1' && s[1] <= '9' && arg[s[1] - '1'] != NULL)
			esc_add(b, arg[s[1] - '1'], strlen(arg[s[1] - '1']));
		s += 2;
	}
}

void
text_vadd(struct buf *b, const struct text *t, va_list ap)
{
	text_vadd_in(b, lang, t, ap);
}

void
text_add_(struct buf *b, const struct text *t, ...)
{
	va_list ap;

	va_start(ap, t);
	text_vadd(b, t, ap);
	va_end(ap);
}

void
text_add_in_(struct buf *b, enum text_lang in, const struct text *t, ...)
{
	va_list ap;

	va_start(ap, t);
	text_vadd_in(b, in, t, ap);
	va_end(ap);
}
