#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shwalk.h"

struct print {
	struct shval_run *w;
	const struct shval *v; /* what is printed so far */
	const struct shval *arg;
	size_t nargs;
	int used, bad;
};

static void
put(struct print *p, const struct shval *v)
{
	p->v = shval_concat(p->w, p->v, v);
}

static void
put_text(struct print *p, const char *s, size_t n)
{
	if (n > 0)
		put(p,
		    shval_string(
			p->w, shwalk_dup(p->w, s, n), n, shval_nowhere));
}

static const struct shval *
next(struct print *p)
{
	p->used = 1;
	if (p->nargs == 0)
		return NULL;
	p->nargs--;
	return p->arg++;
}

/* An escape of the format; gives where the text goes on. */
static const char *
escape(struct print *p, const char *s)
{
	static const char from[] = "abefnrtv\\'\"?";
	static const char to[] = "\a\b\033\f\n\r\t\v\\'\"?";
	const char *at = s[1] != '\0' ? strchr(from, s[1]) : NULL;
	char c;

	if (at != NULL) {
		c = to[at - from];
		put_text(p, &c, 1);
		return s + 2;
	}
	if (s[1] >= '0' && s[1] <= '7') {
		unsigned n = 0;
		const char *q = s + 1;
		for (int i = 0; i < 3 && *q >= '0' && *q <= '7'; i++)
			n = n * 8 + (unsigned)(*q++ - '0');
		if (n == 0)
			p->bad = 1;
		c = (char)n;
		put_text(p, &c, 1);
		return q;
	}
	if (s[1] == 'x' || s[1] == 'u' || s[1] == 'U' || s[1] == 'c')
		p->bad = 1;
	put_text(p, s, 1);
	return s + 1;
}

static int
number(struct print *p, const struct shval *v, long long *n)
{
	size_t len;
	const char *s;
	char *end;

	*n = 0;
	if (v == NULL)
		return 1;
	s = v->split ? NULL : shval_cstr(p->w, v, &len);
	if (s == NULL)
		return 0;
	if (len == 0)
		return 1;
	*n = strtoll(s, &end, 0);
	return *end == '\0' && len < 18;
}

/* Text in a field of its width. */
static void
pad(struct print *p, const char *s, size_t n, long width, int left)
{
	size_t w = (size_t)(width < 0 ? -width : width);

	for (size_t i = n; !left && i < w; i++)
		put_text(p, " ", 1);
	put_text(p, s, n);
	for (size_t i = n; left && i < w; i++)
		put_text(p, " ", 1);
}

/* %q: as a word that the shell reads again. */
static void
quote(struct print *p, const struct shval *v)
{
	static const char special[] = " !\"$&'()*,;<>?[\\]^`{|}";
	size_t n = 0, k = 0;
	const char *s = v == NULL ? ""
	    : v->split            ? NULL
				  : shval_cstr(p->w, v, &n);

	for (size_t i = 0; s != NULL && i < n; i++)
		p->bad |= s[i] < ' ' || s[i] > '~' || s[i] == '~';
	if (s == NULL || p->bad) {
		p->bad = 1;
		return;
	}
	if (n == 0)
		put_text(p, "''", 2);
	else if (s[0] != '#' && strcspn(s, special) == n)
		put(p, v);
	else
		for (; k < n; k++) {
			if (strchr(special, s[k]) || (k == 0 && s[k] == '#'))
				put_text(p, "\\", 1);
			put_text(p, s + k, 1);
		}
}

static void
string(struct print *p, const struct shval *v, char kind, int left, long width,
    long precision)
{
	size_t n;
	const char *s;

	if (v == NULL)
		v = &shval_empty;
	if (v->split) {
		p->bad = 1;
		return;
	}
	if (kind == 's' && width == 0 && precision < 0) {
		put(p, v);
		return;
	}
	if ((s = shval_cstr(p->w, v, &n)) == NULL) {
		p->bad = 1;
		return;
	}
	for (size_t i = 0; i < n; i++)
		p->bad |= (unsigned char)s[i] >= 0x80;
	if (kind == 'b' && memchr(s, '\\', n) != NULL)
		p->bad = 1;
	if (kind == 'c')
		n = n > 0;
	if (precision >= 0 && (size_t)precision < n)
		n = (size_t)precision;
	pad(p, s, n, width, left);
}

static void
integer(struct print *p, const char *flags, size_t nflags, char kind,
    long width, long precision)
{
	long long n;
	char format[32], out[256];
	size_t k = 0;

	if (!number(p, next(p), &n) || width > 200 || precision > 200) {
		p->bad = 1;
		return;
	}
	format[k++] = '%';
	memcpy(format + k, flags, nflags);
	k += nflags;
	k += (size_t)snprintf(format + k, sizeof(format) - k,
	    precision >= 0 ? "*.*ll%c" : "*ll%c", kind);
	(void)k;
	int len = precision >= 0
	    ? snprintf(out, sizeof(out), format, (int)width, (int)precision, n)
	    : snprintf(out, sizeof(out), format, (int)width, n);
	put_text(p, out, (size_t)len);
}

static long
digits(struct print *p, const char **s)
{
	long n = 0;
	long long star;

	if (**s == '*') {
		++*s;
		if (!number(p, next(p), &star) || star > 200 || star < 0) {
			p->bad = 1;
			return 0;
		}
		return (long)star;
	}
	while (**s >= '0' && **s <= '9' && n < 10000)
		n = n * 10 + (*(*s)++ - '0');
	if (n > 200)
		p->bad = 1;
	return n;
}

static const char *
conversion(struct print *p, const char *s)
{
	const char *flags = ++s;
	long width, precision = -1;
	size_t n;

	s += strspn(s, "-+ #0");
	n = (size_t)(s - flags);
	width = digits(p, &s);
	if (*s == '.') {
		s++;
		precision = digits(p, &s);
	}
	if (p->bad || n > 8)
		return s;
	switch (*s) {
	case '%': put_text(p, "%", 1); break;
	case 's':
	case 'b':
	case 'c':
		string(p, next(p), *s, memchr(flags, '-', n) != NULL, width,
		    precision);
		break;
	case 'q':
		p->bad |= width != 0 || precision >= 0;
		quote(p, next(p));
		break;
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o': integer(p, flags, n, *s, width, precision); break;
	default: p->bad = 1; return s;
	}
	return s + 1;
}

int
shprintf_value(struct shval_run *w, const struct shval *argv, size_t argc,
    const struct shval **v)
{
	struct print p = { w, &shval_empty, argv + 1, argc - (argc > 0), 0, 0 };
	size_t n;
	const char *format, *s;

	if (argc > 0 && !argv[0].split) {
		format = shval_cstr(w, &argv[0], &n);
		if (format != NULL && strcmp(format, "--") == 0) {
			argv++;
			argc--;
			p.arg++;
			p.nargs -= p.nargs > 0;
		}
	}
	format =
	    argc > 0 && !argv[0].split ? shval_cstr(w, &argv[0], &n) : NULL;
	if (format == NULL || format[0] == '-')
		return 0;
	do {
		p.used = 0;
		for (s = format; *s != '\0' && !p.bad && shwalk_step(w);) {
			size_t k = strcspn(s, "%\\");
			put_text(&p, s, k);
			s += k;
			if (*s == '\\')
				s = escape(&p, s);
			else if (*s == '%')
				s = conversion(&p, s);
		}
	} while (p.nargs > 0 && p.used && !p.bad && !w->limited);
	*v = p.v;
	return !p.bad && !w->limited;
}
