#include <string.h>

#include "scan.h"

/* Where a pattern has to stand in the value. */
enum place { ANYWHERE, WORD, COMPONENT, WHOLE };

/*
 * Patterns are of lower case. A word has no letter or digit before it; a
 * component is all that stands between slashes.
 */
static const struct placeholder_row {
	const char *text;
	enum place place;
	enum placeholder means;
} placeholder_table[] = {
	{ "your ", WORD, PLACEHOLDER_SURE },
	{ "your_", WORD, PLACEHOLDER_LIKELY },
	{ "your-", WORD, PLACEHOLDER_LIKELY },
	{ "/path/to/", ANYWHERE, PLACEHOLDER_SURE },
	{ "path/to/", WORD, PLACEHOLDER_SURE },
	{ "path_to_", WORD, PLACEHOLDER_LIKELY },
	{ "path to ", WORD, PLACEHOLDER_SURE },
	{ "path/to", WHOLE, PLACEHOLDER_SURE },
	{ "/path/to", WHOLE, PLACEHOLDER_SURE },
	{ "xxx", COMPONENT, PLACEHOLDER_LIKELY },
	{ "xxxx", COMPONENT, PLACEHOLDER_LIKELY },
	{ "...", COMPONENT, PLACEHOLDER_LIKELY },
	{ "…", ANYWHERE, PLACEHOLDER_LIKELY },
	{ "none", WHOLE, PLACEHOLDER_LIKELY },
	{ "null", WHOLE, PLACEHOLDER_LIKELY },
	{ "todo", COMPONENT, PLACEHOLDER_LIKELY },
	{ "changeme", COMPONENT, PLACEHOLDER_LIKELY },
	{ "change_me", COMPONENT, PLACEHOLDER_LIKELY },
	{ "replace_me", COMPONENT, PLACEHOLDER_LIKELY },
	{ "fill in ", WORD, PLACEHOLDER_SURE },
	{ "replace with ", WORD, PLACEHOLDER_SURE },
	{ "specify path", WORD, PLACEHOLDER_SURE },
	{ "填写", ANYWHERE, PLACEHOLDER_SURE },
	{ "填入", ANYWHERE, PLACEHOLDER_SURE },
	{ "请填", ANYWHERE, PLACEHOLDER_SURE },
	{ "待填", ANYWHERE, PLACEHOLDER_SURE },
	{ "请输入", ANYWHERE, PLACEHOLDER_SURE },
	{ "请修改", ANYWHERE, PLACEHOLDER_SURE },
	{ "替换为", ANYWHERE, PLACEHOLDER_SURE },
	{ "替换成", ANYWHERE, PLACEHOLDER_SURE },
	{ "修改为", ANYWHERE, PLACEHOLDER_SURE },
	{ "改为", ANYWHERE, PLACEHOLDER_LIKELY },
	{ "你的", ANYWHERE, PLACEHOLDER_SURE },
	{ "您的", ANYWHERE, PLACEHOLDER_SURE },
	{ "自己的", ANYWHERE, PLACEHOLDER_SURE },
	{ "实际路径", ANYWHERE, PLACEHOLDER_SURE },
	{ "路径", ANYWHERE, PLACEHOLDER_LIKELY },
};

static int
placeholder_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* 1 when text stands at s + i in the way that place says. */
static int
placeholder_stands(const char *s, size_t i, const char *text, enum place place)
{
	size_t n = strlen(text);

	if (strncmp(s + i, text, n) != 0)
		return 0;
	switch (place) {
	case ANYWHERE: return 1;
	case WORD: return i == 0 || !placeholder_letter(s[i - 1]);
	case WHOLE: return i == 0 && s[n] == '\0';
	case COMPONENT:
		return (i == 0 || s[i - 1] == '/') &&
		    (s[i + n] == '\0' || s[i + n] == '/');
	}
	return 0;
}

/* <...> with a letter inside and no slash before its end's name. */
static int
placeholder_brackets(const char *s)
{
	const char *open = strchr(s, '<');
	const char *close = open != NULL ? strchr(open, '>') : NULL;

	return close != NULL && close > open + 1;
}

enum placeholder
placeholder_is(const char *value)
{
	struct buf b = { 0 };
	enum placeholder best = PLACEHOLDER_NO;

	value += strspn(value, " \t\"'");
	buf_adds(&b, value);
	while (b.len > 0 && strchr(" \t\"'", b.s[b.len - 1]) != NULL)
		b.s[--b.len] = '\0';
	if (b.len == 0) {
		buf_free(&b);
		return PLACEHOLDER_LIKELY;
	}
	for (size_t i = 0; i < b.len; i++)
		if (b.s[i] >= 'A' && b.s[i] <= 'Z')
			b.s[i] = (char)(b.s[i] + ('a' - 'A'));
	if (placeholder_brackets(b.s))
		best = PLACEHOLDER_SURE;
	for (size_t k = 0;
	     k < sizeof placeholder_table / sizeof *placeholder_table; k++) {
		const struct placeholder_row *r = &placeholder_table[k];
		for (size_t i = 0; i < b.len && r->means > best; i++)
			if (placeholder_stands(b.s, i, r->text, r->place))
				best = r->means;
	}
	buf_free(&b);
	return best;
}
