// The system's functions that take a path: what client code names is in its device's home, and some files are made only when
// somebody opens them, or looks whether they are there.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "WatchedPaths.h"
#include "files.h"
#include "next.h"
#include "own.h"
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef STAMPEDE_STANDS_ASIDE

void stampede_watch_paths(const char *prefix, void (*prepare)(const char *path)) {}

#else

static const char *watched;
static size_t watched_length;
static void (*prepare_path)(const char *path);
static _Thread_local bool is_preparing;

void stampede_watch_paths(const char *prefix, void (*prepare)(const char *path)) {
    prepare_path = prepare;
    watched_length = strlen(prefix);
    __atomic_store_n(&watched, prefix, __ATOMIC_RELEASE);
}

const char *path_meet(file_place *place, int folder, const char *path) {
    place->path = path;
    place->is_home = false;
    place->folder = folder;
    if (!path || is_preparing) return path;
    file_find(place, folder, path);
    const char *prefix = __atomic_load_n(&watched, __ATOMIC_ACQUIRE);
    if (!prefix || strncmp(place->path, prefix, watched_length) != 0) return place->path;
    int number = errno;
    is_preparing = true;
    prepare_path(place->path);
    is_preparing = false;
    errno = number;
    return place->path;
}

static bool is_in(const char *path, const char *folder) { return strncmp(path, folder, strlen(folder)) == 0; }

bool path_is_refused(const file_place *place) {
    if (!place->path || is_preparing || !client_app()) return false;
    const char *path = place->path;
    bool goes_up = strstr(path, "..");
    if (place->is_home && !goes_up) return false;
    // Devices of the system, and what it tells of the process itself.
    if (!goes_up && (is_in(path, "/dev/") || is_in(path, "/proc/self/"))) return false;
    int number = errno;
    bool is_home = (place->is_home || path[0] != '/') && file_is_in_home(place);
    errno = number;
    if (is_home) return false;
    char shown[PATH_MAX];
    snprintf(shown, sizeof shown, "%s", path);
    file_show(shown);
    stampede_uses_outside(stampede_outside_file, shown);
    errno = EPERM;
    return true;
}

// MARK: Opening
//
// Straight to the kernel where that is all that the C library does: looking its function up takes memory, and the
// allocator itself opens files before there is any.

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

static bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || flags & (O_TRUNC | O_CREAT); }

static int open_file(int folder, const char *path, int flags, mode_t mode) {
    return (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
}

/// What an app is given that has ended: whatever it writes there is lost.
static int open_nothing(int flags) { return open_file(AT_FDCWD, "/dev/null", O_RDWR | (flags & O_CLOEXEC), 0); }

/// What a descriptor has to be told by, of a file that is about to be opened for writing.
///
/// - Returns: false if the app has ended, and nothing is to be opened.
static bool opening_begins(const char *path, int flags, unsigned *watch) {
    struct stat found;
    bool is_there = NEXT(fstatat)(AT_FDCWD, path, &found, 0) == 0;
    bool is_emptied = is_there && flags & O_TRUNC && S_ISREG(found.st_mode) && found.st_size > 0;
    if (is_emptied) home_has_changed();
    // One that must not be there yet is a temporary one, to be renamed.
    bool is_temporary = !is_there && flags & O_EXCL;
    bool begins = is_emptied || (!is_there && !is_temporary && flags & O_CREAT);
    file_change change = begins ? file_change_begins() : file_change_goes_on();
    *watch = 0;
    if (change == change_is_dropped) return false;
    if (change == change_is_free || (is_there && !S_ISREG(found.st_mode))) return true;
    *watch = descriptor_is_watched;
    if (begins) *watch |= descriptor_is_whole | descriptor_is_changed;
    else if (is_temporary) *watch |= descriptor_is_whole;
    else if (is_there && found.st_size == 0) *watch |= descriptor_is_whole | descriptor_waits;
    return true;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    AT(folder, path);
    unsigned watch = 0;
    if (path && writes(flags)) {
        if (place.is_home) {
            int number = errno;
            if (!opening_begins(real, flags, &watch)) return open_nothing(flags);
            errno = number;
        }
        if (path_is_refused(&place)) return -1;
    }
    int descriptor = open_file(folder, real, flags, mode);
    if (descriptor >= 0 && !client_app()) descriptor_keep(descriptor);
    if (watch && descriptor >= 0) descriptor_set(descriptor, watch);
    return descriptor;
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

int creat(const char *path, mode_t mode) {
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static int flags_of(const char *mode) {
    bool reads_too = strchr(mode, '+');
    int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
    if (strchr(mode, 'x')) flags |= O_EXCL;
    return flags | (reads_too ? O_RDWR : flags ? O_WRONLY : O_RDONLY);
}

typedef FILE *(*stream_opener)(const char *path, const char *mode);

/// What is written to a stream reaches the file when it likes: at the latest when it is closed.
static FILE *open_stream(stream_opener next, const char *path, const char *mode) {
    FIND(path);
    int flags = flags_of(mode);
    unsigned watch = 0;
    if (path && writes(flags)) {
        if (place.is_home) {
            if (!opening_begins(real, flags, &watch)) return next("/dev/null", mode);
        }
        if (path_is_refused(&place)) return NULL;
    }
    FILE *stream = next(real, mode);
    if (stream && watch) descriptor_set(fileno(stream), watch);
    return stream;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    return open_stream((stream_opener)NEXT(fopen), path, mode);
}

/// As the function of libc, which makes the name out of the last six letters before a suffix.
static int make_temporary(char *pattern, int suffix, int flags, int (*next)(char *, int, int)) {
    FIND(pattern);
    if (path_is_refused(&place)) return -1;
    if (!place.is_home) return next(pattern, suffix, flags);
    if (file_change_goes_on() == change_is_dropped) return open_nothing(flags);
    int descriptor = next(place.room, suffix, flags);
    if (descriptor < 0) return descriptor;
    size_t length = strlen(pattern), real_length = strlen(place.room), made = 6 + (size_t)suffix;
    memcpy(pattern + length - made, place.room + real_length - made, made);
    if (file_change_goes_on() == change_happens) descriptor_set(descriptor, descriptor_is_watched | descriptor_is_whole);
    return descriptor;
}

int mkostemps(char *pattern, int suffix, int flags) { return make_temporary(pattern, suffix, flags, NEXT(mkostemps)); }
int mkostemp(char *pattern, int flags) { return mkostemps(pattern, 0, flags); }
int mkstemps(char *pattern, int suffix) { return mkostemps(pattern, suffix, 0); }
int mkstemp(char *pattern) { return mkostemps(pattern, 0, 0); }

char *mkdtemp(char *pattern) {
    FIND(pattern);
    if (path_is_refused(&place)) return NULL;
    if (!place.is_home) return NEXT(mkdtemp)(pattern);
    if (file_change_goes_on() == change_is_dropped) return pattern;
    if (!NEXT(mkdtemp)(place.room)) return NULL;
    memcpy(pattern + strlen(pattern) - 6, place.room + strlen(place.room) - 6, 6);
    return pattern;
}

// MARK: Looking

typedef int is_listed(const struct dirent *entry);
typedef int comparison(const struct dirent **one, const struct dirent **other);
#ifdef __GLIBC__
typedef int is_listed64(const struct dirent64 *entry);
typedef int comparison64(const struct dirent64 **one, const struct dirent64 **other);
#endif

/// A path that the system has found, as client code knows it.
static char *shown(char *found) {
    if (found) file_show(found);
    return found;
}

#define LOOKS(result, name, parameters, call) \
    result name parameters { \
        FIND(path); \
        return call; \
    }
#define LOOKS_AT(result, name, parameters, call) \
    result name parameters { \
        AT(folder, path); \
        return call; \
    }
#include "interposed.def"

#ifdef __GLIBC__

OPEN(open64)
OPENAT(openat64)

// What the headers make of `open` without a mode where sources are hardened.
#define PLAIN_OPEN(name) \
    int name(const char *path, int flags) { \
        return open_at(AT_FDCWD, path, flags, 0); \
    }
#define PLAIN_OPENAT(name) \
    int name(int folder, const char *path, int flags) { \
        return open_at(folder, path, flags, 0); \
    }

PLAIN_OPEN(__open_2)
PLAIN_OPEN(__open64_2)
PLAIN_OPENAT(__openat_2)
PLAIN_OPENAT(__openat64_2)

FILE *fopen64(const char *restrict path, const char *restrict mode) {
    return open_stream((stream_opener)NEXT(fopen64), path, mode);
}

int creat64(const char *path, mode_t mode) { return creat(path, mode); }
int mkostemps64(char *pattern, int suffix, int flags) { return mkostemps(pattern, suffix, flags); }
int mkostemp64(char *pattern, int flags) { return mkostemp(pattern, flags); }
int mkstemps64(char *pattern, int suffix) { return mkstemps(pattern, suffix); }
int mkstemp64(char *pattern) { return mkstemp(pattern); }

#endif
#endif
