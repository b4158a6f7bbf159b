#include "symptom.h"
#include "mem.h"
struct symptom {
	struct symptom_report r;
};
struct symptom *
symptom_new(void)
{
	return mem_zero(1, sizeof(struct symptom));
}
void
symptom_free(struct symptom *s)
{
	free(s);
}
int
symptom_rules(struct symptom *s, const char *f)
{
	(void)s;
	(void)f;
	return 0;
}
void
symptom_watch(struct symptom *s, symptom_fn *f, void *d)
{
	(void)s;
	(void)f;
	(void)d;
}
void
symptom_log(struct symptom *s, const char *n)
{
	(void)s;
	(void)n;
}
void
symptom_feed(struct symptom *s, const char *b, size_t n)
{
	(void)s;
	(void)b;
	(void)n;
}
const struct symptom_report *
symptom_report(struct symptom *s, enum symptom_run r)
{
	(void)r;
	return &s->r;
}
void
symptom_put(struct buf *b, enum rec_format f, const struct symptom_report *r)
{
	(void)b;
	(void)f;
	(void)r;
}
void
symptom_tell(struct buf *b, const struct symptom_report *r, int w)
{
	(void)b;
	(void)r;
	(void)w;
}
