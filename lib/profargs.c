#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "profile.h"

const struct profile_option profile_options[] = { { "profile", "--profile",
						      "profile", PROFILE_FLAG },
	{ "step-start", "--profile-step-start", "profile_step_start",
	    PROFILE_ONE },
	{ "step-end", "--profile-step-end", "profile_step_end", PROFILE_ONE },
	{ "ranks", "--profile-ranks", "profile_ranks", PROFILE_MANY },
	{ "level", "--profile-level", "profile_level", PROFILE_ONE },
	{ "cpu", "--profile-with-cpu", "profile_with_cpu", PROFILE_FLAG },
	{ "memory", "--profile-with-memory", "profile_with_memory",
	    PROFILE_FLAG },
	{ "stack", "--profile-with-stack", "profile_with_stack", PROFILE_FLAG },
	{ "shapes", "--profile-record-shapes", "profile_record_shapes",
	    PROFILE_FLAG },
	{ "save-path", "--profile-save-path", "profile_save_path",
	    PROFILE_ONE },
	{ "export-type", "--profile-export-type", "profile_export_type",
	    PROFILE_ONE },
	{ "data-simplification", "--profile-data-simplification",
	    "profile_data_simplification", PROFILE_FLAG },
	{ NULL, NULL, NULL, PROFILE_FLAG } };

static const char profile_group[] = "--training.";

static void
profile_word(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s) + 1);
}

static void
profile_name(const struct profile_option *o, int dotted, struct buf *b)
{
	if (dotted)
		buf_adds(b, profile_group);
	profile_word(b, dotted ? o->fsdp2 : o->mcore);
}

static void
profile_ranks_words(const struct profile *p, struct buf *b)
{
	if (p->which == PROFILE_ALL)
		profile_word(b, "-1");
	for (size_t i = 0; i < p->nrank; i++) {
		buf_addf(b, "%ld", p->rank[i]);
		buf_addc(b, '\0');
	}
}

/* A path that begins with a dash would be taken for an option. */
static void
profile_path_word(const struct profile *p, struct buf *b)
{
	if (p->save_path[0] == '-')
		buf_adds(b, "./");
	profile_word(b, p->save_path);
}

static void
profile_flag(const struct profile_option *o, int dotted, int on, struct buf *b)
{
	if (!on && !(dotted && strcmp(o->key, "cpu") == 0))
		return;
	profile_name(o, dotted, b);
	if (dotted)
		profile_word(b, on ? "true" : "false");
}

void
profile_args(const struct profile *p, int dotted, struct buf *b)
{
	struct buf v = { 0 };

	for (const struct profile_option *o = profile_options; o->key; o++) {
		buf_reset(&v);
		if (o == profile_options) {
			profile_flag(o, dotted, 1, b);
			continue;
		}
		if (profile_get(p, o->key, &v))
			continue;
		if (o->takes == PROFILE_FLAG) {
			profile_flag(o, dotted, strcmp(v.s, "on") == 0, b);
			continue;
		}
		profile_name(o, dotted, b);
		if (o->takes == PROFILE_MANY)
			profile_ranks_words(p, b);
		else if (strcmp(o->key, "save-path") == 0)
			profile_path_word(p, b);
		else
			profile_word(b, v.s);
	}
	buf_free(&v);
}

const struct profile_option *
profile_option(const char *word, int *dotted, const char **value)
{
	const size_t group = sizeof profile_group - 1;

	if (word[0] != '-')
		return NULL;
	*dotted = strncmp(word, profile_group, group) == 0;
	const char *name = *dotted ? word + group : word;
	size_t len = strcspn(name, "=");
	for (const struct profile_option *o = profile_options; o->key; o++) {
		const char *s = *dotted ? o->fsdp2 : o->mcore;
		if (len < 3 || s[2] != name[2] || strncmp(s, name, len) != 0 ||
		    s[len] != '\0')
			continue;
		*value = name[len] == '=' ? name + len + 1 : NULL;
		return o;
	}
	return NULL;
}

static void
profile_framework(struct profile *p, int dotted)
{
	p->start = dotted ? 0 : 10;
	p->end = dotted ? -1 : 12;
	p->which = dotted ? PROFILE_ALL : PROFILE_LIST;
	p->nrank = dotted ? 0 : 1;
	p->level = PROFILE_LEVEL0;
	p->cpu = 0;
	profile_set(p, "save-path", dotted ? "./profile" : "./profile_dir");
}

/* The option's value from =value or the words behind it. */
static const char *
profile_value(const struct profile_option *o, const char *value,
    const char *const *words, size_t n, struct buf *b)
{
	buf_reset(b);
	if (value != NULL)
		return value;
	for (size_t i = 0; i < n && words[i] != NULL; i++) {
		int negative = words[i][0] == '-' && words[i][1] >= '0' &&
		    words[i][1] <= '9';
		if (words[i][0] == '-' && !negative)
			break;
		if (b->len != 0)
			buf_addc(b, ' ');
		buf_adds(b, words[i]);
		if (o->takes != PROFILE_MANY)
			break;
	}
	return b->len == 0 ? NULL : b->s;
}

int
profile_read(struct profile *p, const char *const *words, size_t n)
{
	struct buf b = { 0 };
	const char *value;
	int dotted, on = 0, first = 1;

	for (size_t i = 0; i < n; i++) {
		const struct profile_option *o = words[i] == NULL
		    ? NULL
		    : profile_option(words[i], &dotted, &value);
		if (o == NULL)
			continue;
		if (first)
			profile_framework(p, dotted);
		first = 0;
		if (o->takes == PROFILE_FLAG && !dotted)
			value = "true";
		else
			value = profile_value(
			    o, value, words + i + 1, n - i - 1, &b);
		if (value == NULL && o->takes == PROFILE_FLAG)
			value = "true";
		if (o == profile_options)
			on = value == NULL || strchr("tTyY1", *value) != NULL;
		else if (value != NULL)
			profile_set(p, o->key, value);
	}
	buf_free(&b);
	return on;
}
