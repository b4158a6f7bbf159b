#include "shquote.h"

#include <string.h>

/* A byte that is itself wherever it stands in a word. */
static int
shquote_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') ||
	    (c != '\0' && strchr("_@%+=:,./-", c) != NULL);
}

/* What a backslash must stand before in each place. */
static const char *const shquote_escaped[] = {
	[SHQUOTE_WORD] = "",
	[SHQUOTE_DQ] = "\\\"$`",
	[SHQUOTE_SQ] = "",
	[SHQUOTE_DSQ] = "\\'",
	[SHQUOTE_HD] = "\\$`",
	[SHQUOTE_BQ] = "\\$`",
};

static void
shquote_single(struct buf *b, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, s[i]);
	}
}

void
shquote_word(struct buf *b, const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && shquote_bare(s[i]))
		i++;
	if (i == len && len != 0) {
		buf_add(b, s, len);
		return;
	}
	buf_addc(b, '\'');
	shquote_single(b, s, len);
	buf_addc(b, '\'');
}

void
shquote_level(
    struct buf *b, enum shquote_place place, const char *s, size_t len)
{
	if (place == SHQUOTE_WORD) {
		shquote_word(b, s, len);
		return;
	}
	if (place == SHQUOTE_SQ) {
		shquote_single(b, s, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if (s[i] != '\0' && strchr(shquote_escaped[place], s[i]))
			buf_addc(b, '\\');
		buf_addc(b, s[i]);
	}
}
