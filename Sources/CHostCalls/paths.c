// Files that are made only when somebody opens them, or looks whether they are there.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "HostCalls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)

bool stampede_calls_stand_in_front(void) { return false; }
void stampede_watch_paths(const char *prefix, void (*prepare)(const char *path)) {}

#else

static _Atomic(const char *) watched;
static size_t watched_length;
static void (*prepare_path)(const char *path);
static _Thread_local bool is_preparing;

bool stampede_calls_stand_in_front(void) { return true; }

void stampede_watch_paths(const char *prefix, void (*prepare)(const char *path)) {
    prepare_path = prepare;
    watched_length = strlen(prefix);
    atomic_store_explicit(&watched, prefix, memory_order_release);
}

static void meet(const char *path) {
    const char *prefix = atomic_load_explicit(&watched, memory_order_acquire);
    if (!prefix || !path || is_preparing || strncmp(path, prefix, watched_length) != 0) return;
    int number = errno;
    is_preparing = true;
    prepare_path(path);
    is_preparing = false;
    errno = number;
}

// Straight to the kernel where that is all that the C library does: looking its function up takes memory, and the
// allocator itself opens files before there is any.

#define NEXT(name) ({ \
        static _Atomic(__typeof__(&name)) found; \
        __typeof__(&name) next = atomic_load_explicit(&found, memory_order_acquire); \
        if (!next) { \
            next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
            atomic_store_explicit(&found, next, memory_order_release); \
        } \
        next; \
    })

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    meet(path);
    return (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_of(flags, rest); \
        va_end(rest); \
        return open_at(AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_of(flags, rest); \
        va_end(rest); \
        return open_at(folder, path, flags, mode); \
    }

OPEN(open)
OPENAT(openat)

FILE *fopen(const char *restrict path, const char *restrict mode) {
    meet(path);
    return NEXT(fopen)(path, mode);
}

DIR *opendir(const char *path) {
    meet(path);
    return NEXT(opendir)(path);
}

int access(const char *path, int mode) {
    meet(path);
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int faccessat(int folder, const char *path, int mode, int flags) {
    meet(path);
    return NEXT(faccessat)(folder, path, mode, flags);
}

int stat(const char *restrict path, struct stat *restrict found) {
    meet(path);
    return NEXT(fstatat)(AT_FDCWD, path, found, 0);
}

int lstat(const char *restrict path, struct stat *restrict found) {
    meet(path);
    return NEXT(fstatat)(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict found, int flags) {
    meet(path);
    return NEXT(fstatat)(folder, path, found, flags);
}

#ifdef __GLIBC__

OPEN(open64)
OPENAT(openat64)

// What the headers make of `open` without a mode where sources are hardened.
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }

FILE *fopen64(const char *restrict path, const char *restrict mode) {
    meet(path);
    return NEXT(fopen64)(path, mode);
}

int stat64(const char *restrict path, struct stat64 *restrict found) {
    meet(path);
    return NEXT(fstatat64)(AT_FDCWD, path, found, 0);
}

int lstat64(const char *restrict path, struct stat64 *restrict found) {
    meet(path);
    return NEXT(fstatat64)(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}

int fstatat64(int folder, const char *restrict path, struct stat64 *restrict found, int flags) {
    meet(path);
    return NEXT(fstatat64)(folder, path, found, flags);
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
    meet(path);
    return NEXT(statx)(folder, path, flags, mask, found);
}

#endif
#endif
