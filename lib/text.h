/*
 * Texts for people, in English and Chinese.
 *
 * A catalogue is a file text.def with one entry per message:
 *
 *	TEXT(NO_LAUNCH, "no-launch",
 *	    "no training launch in %1",
 *	    "%1 中没有训练启动命令")
 *
 * TEXT_DECLARE and TEXT_DEFINE turn its entries into objects T_NO_LAUNCH:
 *
 *	#define TEXT TEXT_DECLARE	(in the tool's header)
 *	#include "text.def"
 *	#undef TEXT
 *
 * and the same with TEXT_DEFINE in exactly one .c file.
 *
 * %1 to %9 stand for the arguments, which are strings; %% is a percent sign.
 * Arguments are always escaped as in a record (see esc_add in buf.h): bytes
 * from outside can be passed as they are.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>

#include "buf.h"

struct text {
	const char *id; /* stable, in brackets behind diagnostics, or "" */
	const char *en;
	const char *zh;
};

#define TEXT_DECLARE(name, id, en, zh) extern const struct text T_##name;
#define TEXT_DEFINE(name, id, en, zh) \
	const struct text T_##name = { id, en, zh };

enum text_lang { TEXT_EN, TEXT_ZH };

/*
 * Chooses the language from the first of LC_ALL, LC_MESSAGES, LANG that is
 * not empty: Chinese if it begins with zh and names UTF-8, else English.
 */
void text_init(void);
enum text_lang text_lang(void);

/* The text in the chosen language, its %1 still in place. */
const char *text_raw(const struct text *);

/*
 * Appends the text with its arguments: up to nine const char *, ended by
 * NULL. A missing argument leaves nothing; NULL cannot be an argument.
 */
#define text_add(b, ...) text_add_((b), __VA_ARGS__, (const char *)0)
void text_add_(struct buf *, const struct text *, ...);
void text_vadd(struct buf *, const struct text *, va_list);
/* The same in a language of the caller's choice: records (TSV, JSON) are
 * English in every locale. */
#define text_add_in(b, lang, ...) \
	text_add_in_((b), (lang), __VA_ARGS__, (const char *)0)
void text_add_in_(struct buf *, enum text_lang, const struct text *, ...);

#define TEXT TEXT_DECLARE
#include "text.def"
#undef TEXT

#endif
