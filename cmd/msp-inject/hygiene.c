#include <string.h>

#include "inject.h"

static int
hygiene_placeholder(const struct shcmd *c, uint32_t off)
{
	uint32_t a = off, b = off;

	while (a > 0 && c->text[a - 1] != '\n')
		a--;
	while (b < c->len && c->text[b] != '\n')
		b++;
	const char *open = memchr(c->text + a, '<', b - a);
	return open != NULL &&
	    memchr(open, '>', (size_t)(c->text + b - open)) != NULL;
}

static void
hygiene_errors(struct inject *in)
{
	const struct shcmd *c = &in->cmd;

	for (size_t i = 0; i < c->nerror && i < 3; i++) {
		const struct sherror *e = &c->error[i];
		size_t line = shcmd_line(c, e->off);
		if (e->what == SHLEX_OPEN_HEREDOC)
			find_error(
			    in, EXIT_REFUSED, line, &T_OPEN_HEREDOC, NULL);
		else if (e->what == SHLEX_DEEP)
			find_error(in, EXIT_REFUSED, line, &T_DEEP, NULL);
		else if (hygiene_placeholder(c, e->off))
			find_error(in, EXIT_REFUSED, line, &T_PLACEHOLDER,
			    &T_PLACEHOLDER_DO);
		else
			find_error(in, EXIT_REFUSED, line, &T_SYNTAX, NULL);
	}
}

static void
hygiene_warnings(struct inject *in)
{
	const struct shcmd *c = &in->cmd;

	for (size_t i = 0; i < c->nwarning; i++) {
		size_t line = shcmd_line(c, c->warning[i].off);
		switch (c->warning[i].what) {
		case SHWARN_BSBLANK:
			find_warn(
			    in, line, &T_BLANK_BEHIND, &T_BLANK_BEHIND_DO);
			break;
		case SHWARN_CR:
			find_warn(in, line, &T_CR, &T_CR_DO, in->script.name);
			break;
		case SHWARN_BOM: find_warn(in, line, &T_BOM, &T_BOM_DO); break;
		case SHWARN_HDEOF:
			find_error(
			    in, EXIT_REFUSED, line, &T_OPEN_HEREDOC, NULL);
			break;
		case SHWARN_COMMENT:
			find_warn(
			    in, line, &T_COMMENT_INSIDE, &T_COMMENT_INSIDE_DO);
			break;
		case SHWARN_LONEBS: break;
		}
	}
}

void
hygiene_check(struct inject *in)
{
	static const char wide[] = "#\xef\xbc\x81";
	const struct buf *b = &in->script.text;

	hygiene_errors(in);
	hygiene_warnings(in);
	if (b->len > 4 && memcmp(b->s, wide, 4) == 0)
		find_warn(in, 1, &T_WIDE_SHEBANG, &T_WIDE_SHEBANG_DO);
}
