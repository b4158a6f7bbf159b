#include <stdlib.h>

#include "err.h"
#include "tap.h"
#include "text.h"

static const struct text sample = { "sample", "%2 of %1: 100%% of %3",
	"%1 的 %2（%3）" };

static const char *
made(struct buf *b)
{
	buf_reset(b);
	text_add(b, &sample, "a", "b\x1b[0m", "c");
	return b->s;
}

static const struct {
	const char *all, *messages, *lang;
	enum text_lang want;
} locales[] = {
	{ NULL, NULL, NULL, TEXT_EN },
	{ NULL, NULL, "zh_CN.UTF-8", TEXT_ZH },
	{ NULL, NULL, "zh_CN.utf8", TEXT_ZH },
	{ NULL, NULL, "zh_TW.UTF-8", TEXT_ZH },
	{ NULL, NULL, "zh_CN.GBK", TEXT_EN },
	{ NULL, NULL, "zh_CN", TEXT_EN },
	{ "C", NULL, "zh_CN.UTF-8", TEXT_EN },
	{ "", "", "zh_CN.UTF-8", TEXT_ZH },
	{ NULL, "zh_CN.UTF-8", "en_US.UTF-8", TEXT_ZH },
	{ "en_US.UTF-8", "zh_CN.UTF-8", "zh_CN.UTF-8", TEXT_EN },
};

static void
set(const char *name, const char *value)
{
	if (value == NULL)
		unsetenv(name);
	else
		setenv(name, value, 1);
}

int
main(void)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		set("LC_ALL", locales[i].all);
		set("LC_MESSAGES", locales[i].messages);
		set("LANG", locales[i].lang);
		text_init();
		tap_ok(text_lang() == locales[i].want, "locale %zu", i);
	}
	text_init();
	tap_is(made(&b), "b\\x1B[0m of a: 100% of c",
	    "arguments go where they belong, escaped");
	setenv("LC_ALL", "zh_CN.UTF-8", 1);
	text_init();
	tap_is(made(&b), "a 的 b\\x1B[0m（c）", "in the order of the language");
	buf_reset(&b);
	text_add(&b, &sample, "a");
	tap_is(b.s, "a 的 （）", "what is not given leaves nothing");
	buf_reset(&b);
	text_add_in(&b, TEXT_EN, &sample, "a", "b", "c");
	tap_is(b.s, "b of a: 100% of c", "records are English everywhere");
	buf_free(&b);
	return tap_done();
}
