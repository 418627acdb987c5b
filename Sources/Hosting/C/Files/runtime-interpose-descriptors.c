// Descriptors that client code closes or exchanges: those of the harness stay what they are.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "files.h"
#include "next.h"
#include "own.h"
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int harness_pipe = -1;

bool descriptor_is_refused(int descriptor) {
    if (descriptor != harness_pipe || descriptor < 0 || !client_app()) return false;
    errno = EBADF;
    return true;
}

void stampede_keep_descriptors(int pipe) {
    harness_pipe = pipe;
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor += 1) descriptor_keep(descriptor);
    DIR *open = opendir("/proc/self/fd");
    if (!open) return;
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        int descriptor = atoi(entry->d_name);
        if (descriptor != dirfd(open)) descriptor_keep(descriptor);
    }
    closedir(open);
}

#ifndef STAMPEDE_STANDS_ASIDE

static bool is_standard(int descriptor) { return descriptor >= 0 && descriptor <= STDERR_FILENO; }

/// Whether client code has to leave it: the three that everybody has look as if it had not.
static bool stays(int descriptor) { return descriptor_is_kept(descriptor) && client_app(); }

static int look_closed(int descriptor) { return is_standard(descriptor) ? 0 : (errno = EBADF, -1); }

int close(int descriptor) {
    unsigned flags = descriptor_get(descriptor);
    if (!flags && !descriptor_is_kept(descriptor)) return (int)syscall(SYS_close, descriptor);
    if (stays(descriptor)) return look_closed(descriptor);
    descriptor_drop(descriptor);
    int result = (int)syscall(SYS_close, descriptor);
    descriptor_closed(flags);
    return result;
}

/// Closes those that stand for nothing one by one, and all between them at once.
static int close_others(unsigned first, unsigned last, int flags) {
    unsigned begin = first;
    for (unsigned place = first; place <= last && place < descriptors_max; place += 1) {
        bool is_kept = descriptor_is_kept((int)place);
        if (!is_kept && !descriptor_get((int)place)) continue;
        if (place > begin) syscall(SYS_close_range, begin, place - 1, flags);
        if (!is_kept && !(flags & CLOSE_RANGE_CLOEXEC)) close((int)place);
        begin = place + 1;
    }
    return begin <= last ? (int)syscall(SYS_close_range, begin, last, flags) : 0;
}

int close_range(unsigned first, unsigned last, int flags) {
    if (!client_app() || first > last) return (int)syscall(SYS_close_range, first, last, flags);
    // A table of the calling thread's own would be one without what the others open later.
    return close_others(first, last, flags & ~CLOSE_RANGE_UNSHARE);
}

#ifdef __GLIBC__
void closefrom(int first) {
    unsigned begin = first < 0 ? 0 : (unsigned)first;
    if (client_app()) close_others(begin, ~0U, 0);
    else syscall(SYS_close_range, begin, ~0U, 0);
}
#endif

/// What is to stand where another one was. False: that one stays.
static bool may_stand_for(int descriptor) {
    if (stays(descriptor)) return false;
    descriptor_drop(descriptor);
    return true;
}

int dup2(int from, int to) {
    if (from != to && !may_stand_for(to)) return is_standard(to) ? to : (errno = EBADF, -1);
    return NEXT(dup2)(from, to);
}

int dup3(int from, int to, int flags) {
    if (from != to && !may_stand_for(to)) return is_standard(to) ? to : (errno = EBADF, -1);
    return NEXT(dup3)(from, to, flags);
}

// What Dispatch and others open for the harness is its own, though it came later.

static int opened(int descriptor) {
    if (descriptor >= 0 && !client_app()) descriptor_keep(descriptor);
    return descriptor;
}

int epoll_create1(int flags) { return opened((int)syscall(SYS_epoll_create1, flags)); }
int eventfd(unsigned count, int flags) { return opened((int)syscall(SYS_eventfd2, count, flags)); }
int timerfd_create(int clock, int flags) { return opened((int)syscall(SYS_timerfd_create, clock, flags)); }

// MARK: Streams

static bool is_standard_stream(FILE *stream) { return stream == stdin || stream == stdout || stream == stderr; }

int fclose(FILE *stream) {
    if (is_standard_stream(stream) && client_app()) return fflush(stream);
    unsigned flags = stream_ends(stream);
    descriptor_drop(fileno(stream));
    int result = NEXT(fclose)(stream);
    descriptor_closed(flags);
    return result;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    stampede_app *app = client_app();
    if (!app) return NEXT(freopen)(path, mode, stream);
    // What it writes there is caught all the same.
    if (is_standard_stream(stream)) return stream;
    FIND(path);
    if (path && (mode[0] != 'r' || mode[1] == '+') && path_is_refused(&place)) return NULL;
    return NEXT(freopen)(real, mode, stream);
}

#endif
