/*
 * The parts of msp-scan-paths that need no script, for its unit tests, and a
 * tree of files to look at.
 */
#ifndef SCAN_TEST_H
#define SCAN_TEST_H

#include "../../cmd/msp-scan-paths/checkpoint.c"
#include "../../cmd/msp-scan-paths/data.c"
#include "../../cmd/msp-scan-paths/hf.c"
#include "../../cmd/msp-scan-paths/json.c"
#include "../../cmd/msp-scan-paths/judge.c"
#include "../../cmd/msp-scan-paths/look.c"
#include "../../cmd/msp-scan-paths/placeholder.c"
#include "../../cmd/msp-scan-paths/report.c"
#include "../../cmd/msp-scan-paths/scan.c"
#include "../../cmd/msp-scan-paths/watch.c"

#include <ftw.h>

#include "err.h"
#include "tap.h"

static int
tree_remove(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	(void)st;
	(void)what;
	(void)ftw;
	return remove(path);
}

static inline void
tree_clear(const char *dir)
{
	(void)nftw(dir, tree_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Goes to a new directory; its path goes to dir, of at least 64 bytes. */
static inline void
tree_enter(char *dir)
{
	strcpy(dir, "/tmp/msp-scan.XXXXXX");
	if (mkdtemp(dir) == NULL || chdir(dir) < 0) {
		perror(dir);
		exit(1);
	}
}

/*
 * Makes what the words of spec name: "a/b/" a directory, "a/b" an empty file,
 * "a/b=TEXT" a file with TEXT (no blanks), "a/b>TARGET" a symbolic link.
 */
static inline void
tree_make(const char *spec)
{
	while (*(spec += strspn(spec, " ")) != '\0') {
		char word[512];
		size_t n = strcspn(spec, " ");
		memcpy(word, spec, n);
		word[n] = '\0';
		spec += n;
		char *text = strpbrk(word, "=>"), is = '\0';
		if (text != NULL) {
			is = *text;
			*text++ = '\0';
		}
		struct buf dir = { 0 };
		if (word[strlen(word) - 1] == '/')
			buf_adds(&dir, word);
		else
			path_dir(&dir, word);
		path_mkdirs(dir.s);
		buf_free(&dir);
		if (word[strlen(word) - 1] == '/')
			continue;
		if (is == '>') {
			(void)!symlink(text, word);
			continue;
		}
		FILE *f = fopen(word, "w");
		if (f == NULL) {
			perror(word);
			exit(1);
		}
		fputs(text != NULL ? text : "", f);
		fclose(f);
	}
}

#endif
