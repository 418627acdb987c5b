// Another program that works for this one: Swift has no name for what that takes.

#define _GNU_SOURCE
#include "Workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

/// With neither end in the place of a standard stream, even where one is closed.
static int make_pipe(int ends[2]) {
    int made[2];
    if (pipe2(made, O_CLOEXEC) < 0) return -1;
    for (int end = 0; end < 2; end++) ends[end] = fcntl(made[end], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int code = errno;
    for (int end = 0; end < 2; end++) close(made[end]);
    if (ends[0] >= 0 && ends[1] >= 0) return 0;
    for (int end = 0; end < 2; end++) {
        if (ends[end] >= 0) close(ends[end]);
    }
    errno = code;
    return -1;
}

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};
static const int stop_signal_count = sizeof stop_signals / sizeof *stop_signals;

static sigset_t stop_signal_set(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int place = 0; place < stop_signal_count; place++) sigaddset(&set, stop_signals[place]);
    return set;
}

void stampede_ignore_stop_signals(bool ignores) {
    // Those that have come while they were blocked go with it.
    for (int place = 0; place < stop_signal_count; place++) signal(stop_signals[place], ignores ? SIG_IGN : SIG_DFL);
    sigset_t set = stop_signal_set();
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

pid_t stampede_start_helper(const char *path, char *const arguments[], int *input, int *output) {
    int to[2], from[2];
    if (make_pipe(to) < 0) return -1;
    if (make_pipe(from) < 0) {
        int code = errno;
        close(to[0]);
        close(to[1]);
        errno = code;
        return -1;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t blocked = stop_signal_set();
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    pid_t helper;
    int code = posix_spawn(&helper, path, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    if (code != 0) {
        close(to[1]);
        close(from[0]);
        errno = code;
        return -1;
    }
    // Of this end alone: the helper waits for what comes.
    fcntl(to[1], F_SETFL, O_NONBLOCK);
    *input = to[1];
    *output = from[0];
    return helper;
}
