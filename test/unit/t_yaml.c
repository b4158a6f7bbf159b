#include "yaml.h"

#include "mem.h"
#include "tap.h"

#include <stdlib.h>

/* path=value; of every item that has a value, in order. */
static void
dump(const struct yaml *y, uint32_t parent, const char *prefix, struct buf *out)
{
	size_t n = 0;

	for (uint32_t i = YAML_NONE; (i = yaml_next(y, parent, i)) != YAML_NONE;
	     n++) {
		const struct yaml_item *x = &y->item[i];
		struct buf path = { 0 }, v = { 0 };
		buf_adds(&path, prefix);
		if (x->key == x->keyend)
			buf_addf(&path, "[%zu]", n);
		else {
			buf_adds(&path, *prefix ? "." : "");
			buf_add(&path, y->text + x->key, x->keyend - x->key);
		}
		if (x->kind == YAML_MAP || x->kind == YAML_SEQ)
			dump(y, i, path.s, out);
		else if (yaml_value(y, i, &v) == 0)
			buf_addf(out, "%s=%s;", path.s, v.s);
		else
			buf_addf(out, "%s?;", path.s);
		buf_free(&path);
		buf_free(&v);
	}
}

static const struct {
	const char *text, *want;
	enum yaml_error error;
} cases[] = {
	{ "a: 1\nb: two words # c\n", "a=1;b=two words;", YAML_OK },
	{ "# c\n\ntraining:\n  profile: true\n\n  # c\n  x: 'it''s'\nend: 1",
	    "training.profile=true;training.x=it's;end=1;", YAML_OK },
	{ "---\na:\n- 1\n- 2\nb:\n  - x: 1\n    y: 2\n  - z\n",
	    "a[0]=1;a[1]=2;b[0].x=1;b[0].y=2;b[1]=z;", YAML_OK },
	{ "a: [0, 1, \"]\",\n  2] # c\nb: {x: '}'}\n",
	    "a=[0, 1, \"]\",\n  2];b={x: '}'};", YAML_OK },
	{ "a: \"x\\ty\\u4e2d\\\n  z\"\n", "a=x\ty\xe4\xb8\xadz;", YAML_OK },
	{ "a: one\n  two\n\nb: http://x:80/y#z\n",
	    "a=one two;b=http://x:80/y#z;", YAML_OK },
	{ "a: |\n  x\n   y\n\n  z\nb: |-\n  q\n", "a=x\n y\n\nz\n;b=q;",
	    YAML_OK },
	{ "a: >\n  x\n  y\nb: 1\n", "a?;b=1;", YAML_OK },
	{ "a:\n  /path/x\nb: &n 1\nc: *n\n", "a=/path/x;b=1;c?;", YAML_OK },
	{ "\"q k\": 1\r\n'x': 2\r\n", "\"q k\"=1;'x'=2;", YAML_OK },
	{ "\xef\xbb\xbf"
	  "a: 1\n",
	    "a=1;", YAML_OK },
	{ "a:\nb:\n", "a=;b=;", YAML_OK },
	{ "- - 1\n  - 2\n- k: v\n", "[0][0]=1;[0][1]=2;[1].k=v;", YAML_OK },
	{ "a: 1\n---\nb: 2\n", "a=1;", YAML_DOCUMENTS },
	{ "%YAML 1.2\n---\na: 1\n", "", YAML_DOCUMENTS },
	{ "a:\n\tb: 1\n", "a=;", YAML_TAB },
	{ "{a: 1}\n", "", YAML_STYLE },
	{ "? a\n: 1\n", "", YAML_STYLE },
	{ "a: \"x\nb: 1\n", "a=;", YAML_OPEN },
	{ "a: [1, 2\n", "a=;", YAML_OPEN },
	{ "a:\n    b: 1\n  c: 2\n", "a.b=1;", YAML_INDENT },
	{ "a: 1\n  b: 2\n", "a=1;", YAML_INDENT },
	{ "a: 'x' y\n", "a=;", YAML_SYNTAX },
	{ "just words\n", "", YAML_SYNTAX },
	{ "", "", YAML_OK },
};

static void
test_cases(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct yaml y;
		struct buf b = { 0 };
		yaml_parse(&y, cases[i].text, strlen(cases[i].text));
		buf_add(&b, "", 0);
		dump(&y, YAML_NONE, "", &b);
		if (!tap_ok(y.error == cases[i].error, "error %d of case %zu",
			(int)y.error, i))
			printf("# at %u\n", (unsigned)y.at);
		tap_is(b.s, cases[i].want, "its values");
		buf_free(&b);
		yaml_free(&y);
	}
}

static void
test_ranges(void)
{
	const char *t = "a: 1\ntraining:\n  x: 1  # c\n  y:\n    - 2\n\nz: 3\n";
	struct yaml y;
	struct buf b = { 0 };

	yaml_parse(&y, t, strlen(t));
	uint32_t i = yaml_find(&y, "training");
	buf_add(&b, t + y.item[i].line, y.item[i].end - y.item[i].line);
	tap_is(b.s, "training:\n  x: 1  # c\n  y:\n    - 2\n",
	    "an item with all that belongs to it");
	i = yaml_find(&y, "training.x");
	tap_ok(y.item[i].indent == 2 && yaml_line(&y, y.item[i].key) == 3,
	    "its column and line");
	tap_ok(yaml_find(&y, "training.q") == YAML_NONE &&
		yaml_find(&y, "x") == YAML_NONE,
	    "what is not there");
	buf_free(&b);
	yaml_free(&y);
}

static void
test_deep(void)
{
	struct buf b = { 0 };
	struct yaml y;

	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < i; k++)
			buf_addc(&b, ' ');
		buf_adds(&b, "a:\n");
	}
	yaml_parse(&y, b.s, b.len);
	tap_ok(y.error == YAML_DEEP, "too deep");
	yaml_free(&y);
	buf_free(&b);
}

int
main(void)
{
	test_cases();
	test_ranges();
	test_deep();
	return tap_done();
}
