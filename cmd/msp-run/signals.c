#include <errno.h>
#include <string.h>
#include <sys/select.h>

#include "run.h"

static const int ending[] = { SIGHUP, SIGINT, SIGTERM };
enum { ENDING = sizeof ending / sizeof *ending };

/* Written by the handler, read with the signals blocked. */
static volatile sig_atomic_t came[ENDING];

static void
signals_catch(int signal)
{
	for (size_t i = 0; i < ENDING; i++)
		if (ending[i] == signal)
			came[i]++;
}

static void
signals_handle(int signal, int even_ignored)
{
	struct sigaction now, new;

	if (!even_ignored && sigaction(signal, NULL, &now) == 0 &&
	    now.sa_handler == SIG_IGN)
		return;
	memset(&new, 0, sizeof new);
	new.sa_handler = signals_catch;
	sigemptyset(&new.sa_mask);
	(void)sigaction(signal, &new, NULL);
}

void
signals_watch(void)
{
	sigset_t block;

	sigemptyset(&block);
	for (size_t i = 0; i < ENDING; i++) {
		signals_handle(ending[i], 0);
		sigaddset(&block, ending[i]);
	}
	/* A reader that is gone must not end us; a handler, other than an
	 * ignored signal, does not go on in the training. */
	signals_handle(SIGPIPE, 1);
	signals_handle(SIGCHLD, 1);
	sigaddset(&block, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &block, NULL);
}

void
signals_wait(long milliseconds)
{
	struct timespec t = { milliseconds / 1000,
		milliseconds % 1000 * 1000000 };
	sigset_t none;

	sigemptyset(&none);
	(void)pselect(0, NULL, NULL, NULL, &t, &none);
}

int
signals_take(void)
{
	for (size_t i = 0; i < ENDING; i++)
		if (came[i] > 0) {
			came[i]--;
			return ending[i];
		}
	return 0;
}

void
signals_ignore(void)
{
	for (size_t i = 0; i < ENDING; i++)
		(void)signal(ending[i], SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGQUIT, SIG_IGN);
	(void)signal(SIGTSTP, SIG_IGN);
}
