#include <string.h>

#include "shwalk.h"

/* read, mapfile and getopts: variables that input or arguments set. */

const struct shval *
shinput_value(struct shval_run *w, const struct shval_call *call)
{
	const struct shcmd *c = call->source->cmd;
	const struct shnode *n = &c->node[call->node];
	const struct shval *v = w->input;

	for (uint32_t i = 0; i < n->nredir; i++) {
		const struct shredir *r = &c->redir[n->redir + i];
		switch (r->op) {
		case OP_TLESS:
		case OP_DLESS:
		case OP_DLESSDASH:
			if (r->fd > 0)
				break;
			v = &call->redir[i];
			if (r->op == OP_TLESS)
				v = shval_concat(w, v,
				    shval_string(w, "\n", 1, shval_nowhere));
			break;
		case OP_LESS:
		case OP_LESSAMP:
		case OP_LESSGREAT: v = NULL; break;
		default: break;
		}
	}
	return v != NULL && shval_unknown(v) == NULL ? v : NULL;
}

static int
takes_argument(const char *name, char c)
{
	const char *set =
	    name[0] == 'r' && name[4] == '\0' ? "adinNptu" : "dnOsuCc";

	return strchr(set, c) != NULL;
}

/* How a command line of read is written. */
struct reader {
	const char *name[16];
	size_t len[16], n;
	const char *array;
	size_t alen;
	int raw, odd;
	int whole; /* -d '': up to the end of what is read */
};

static void
read_options(struct shval_run *w, const struct shval *argv, size_t argc,
    struct reader *r)
{
	size_t i = 1, n;

	*r = (struct reader){ 0 };
	for (; i < argc; i++) {
		const char *s =
		    argv[i].split ? NULL : shval_cstr(w, &argv[i], &n);
		if (s == NULL || s[0] != '-' || n < 2)
			break;
		r->raw |= strchr(s, 'r') != NULL;
		r->odd |= strpbrk(s, "inNtu") != NULL;
		const char *d = strchr(s, 'd');
		if (!takes_argument("read", s[n - 1]) || ++i >= argc) {
			r->odd |= d != NULL;
			continue;
		}
		if (d != NULL) {
			const char *v = shval_cstr(w, &argv[i], &n);
			r->whole = d[1] == '\0' && v != NULL && n == 0;
			r->odd |= !r->whole;
			continue;
		}
		if (s[n - 1] == 'a')
			r->array = shval_cstr(w, &argv[i], &r->alen);
	}
	for (; i < argc; i++) {
		const char *s =
		    argv[i].split ? NULL : shval_cstr(w, &argv[i], &n);
		if (s == NULL || !shname_valid(s, n) || r->n == 16) {
			r->odd = 1;
			return;
		}
		r->name[r->n] = s;
		r->len[r->n++] = n;
	}
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* The line split by IFS into at most max parts, the last one with all that is
 * left: from[i]..to[i]. */
static size_t
split_line(const char *s, size_t n, const char *ifs, size_t max, size_t *from,
    size_t *to)
{
	size_t k = 0, i = 0;
#define SEP(c) ((c) != '\0' && strchr(ifs, (c)) != NULL)
#define WHITE(c) (SEP(c) && is_blank(c))
	while (n > 0 && WHITE(s[n - 1]))
		n--;
	while (i < n && WHITE(s[i]))
		i++;
	while (i < n && k < max) {
		from[k] = i;
		while (i < n && !SEP(s[i]))
			i++;
		to[k++] = i;
		size_t end = i;
		while (i < n && WHITE(s[i]))
			i++;
		if (i < n && SEP(s[i]) && !is_blank(s[i])) {
			i++;
			while (i < n && WHITE(s[i]))
				i++;
		}
		/* the last part takes what is left, but for one delimiter */
		if (k == max && i < n)
			to[k - 1] = n;
		else if (k == max)
			to[k - 1] = end;
	}
#undef SEP
#undef WHITE
	return k;
}

/* A line that is known is read. 0 when that cannot be followed. */
static int
read_known(
    struct shval_run *w, const struct shval_call *call, const struct reader *r)
{
	const struct shval *v = shinput_value(w, call);
	const char *ifs = shwalk_ifs(w), *s, *nl;
	size_t n, k, from[128], to[128];
	struct shelem e[128];

	if (v == NULL || ifs == NULL || r->odd ||
	    (s = shval_cstr(w, v, &n)) == NULL)
		return 0;
	nl = r->whole ? s + n : memchr(s, '\n', n);
	if (nl == NULL || (!r->raw && memchr(s, '\\', n) != NULL))
		return 0;
	n = (size_t)(nl - s);
	if (r->array != NULL) {
		k = split_line(s, n, ifs, 128, from, to);
		for (size_t i = 0; i < k; i++)
			e[i] = (struct shelem){ NULL, 0, 0,
				shval_slice(w, v, from[i], to[i]) };
		if (k < 128)
			shvar_set_list(w, r->array, r->alen, e, k, 0);
		return k < 128;
	}
	if (r->n == 0) {
		shvar_set(w, "REPLY", 5, shval_slice(w, v, 0, n), 0);
		return 1;
	}
	k = split_line(s, n, ifs, r->n, from, to);
	for (size_t i = 0; i < r->n; i++)
		shvar_set(w, r->name[i], r->len[i],
		    i < k ? shval_slice(w, v, from[i], to[i]) : &shval_empty,
		    0);
	return 1;
}

/* read, mapfile, readarray, getopts: set variables from what is not known. */
int
shread_run(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc, const char *name)
{
	int named = 0, get = name[0] == 'g';
	size_t i = 1, n;
	struct reader r;
	int status;

	if (strcmp(name, "read") == 0) {
		read_options(w, argv, argc, &r);
		if (read_known(w, call, &r))
			return r.whole; /* it came to the end */
	}
	if (get && (status = shgetopts_run(w, argv, argc)) != ST_UNKNOWN)
		return status;
	for (; i < argc; i++) {
		const char *s =
		    argv[i].split ? NULL : shval_cstr(w, &argv[i], &n);
		if (s == NULL) {
			shwalk_clobber(w, SHVAL_READ, name, 0, NULL);
			continue;
		}
		if (s[0] == '-' && n > 1 && !get && !named) {
			char last = s[n - 1];
			if (!takes_argument(name, last) || ++i >= argc)
				continue;
			s = shval_cstr(w, &argv[i], &n);
			if (last != 'a' || name[0] != 'r' || s == NULL)
				continue;
			shvar_vague(w, s, n, SHVAL_READ, "read");
			shvar_flag(w, s, n, VAR_ARRAY | VAR_MAYBE, 0);
			named = 1;
			continue;
		}
		if (!shname_valid(s, n) || (get && i != 2))
			continue;
		named = 1;
		shvar_vague(w, s, n, get ? SHVAL_ARGUMENT : SHVAL_READ,
		    shwalk_dup(w, s, n));
		if (name[0] == 'm' || name[4] != '\0')
			shvar_flag(w, s, n, get ? 0 : VAR_ARRAY | VAR_MAYBE, 0);
	}
	if (get) {
		shvar_vague(w, "OPTARG", 6, SHVAL_ARGUMENT, "OPTARG");
		shvar_vague(w, "OPTIND", 6, SHVAL_ARGUMENT, "OPTIND");
	} else if (!named && name[4] == '\0') {
		shvar_vague(w, "REPLY", 5, SHVAL_READ, "REPLY");
	} else if (!named) {
		shvar_vague(w, "MAPFILE", 7, SHVAL_READ, "MAPFILE");
		shvar_flag(w, "MAPFILE", 7, VAR_ARRAY | VAR_MAYBE, 0);
	}
	return ST_UNKNOWN;
}
