// The system's functions that change files and folders, walk through them, or tell where they are: client code's are its
// device's own. What is changed there outlives the app, and a crash may come before it.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "files.h"
#include "next.h"
#include "own.h"
#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#ifndef STAMPEDE_STANDS_ASIDE

// MARK: Changes

/// An app changes nothing outside its home; one that has ended changes nothing any more, and takes it for done.
#define CHANGES(begins) \
    if (path_is_refused(&place)) return -1; \
    if (place.is_home && begins() == change_is_dropped) return 0

static int done(int result, bool is_home) {
    if (result == 0 && is_home) {
        home_has_changed();
        file_changed();
    }
    return result;
}

#define ADJUSTS(name, parameters, call) \
    int name parameters { \
        FIND(path); \
        CHANGES(file_change_goes_on); \
        return call; \
    }
#define ADJUSTS_AT(name, parameters, call) \
    int name parameters { \
        AT(folder, path); \
        CHANGES(file_change_goes_on); \
        return call; \
    }
#define EFFECT(name, parameters, call) \
    int name parameters { \
        FIND(path); \
        CHANGES(file_change_begins); \
        return done(call, place.is_home); \
    }
#define EFFECT_AT(name, parameters, call) \
    int name parameters { \
        AT(folder, path); \
        CHANGES(file_change_begins); \
        return done(call, place.is_home); \
    }
#define MOVES(name, parameters, source_folder, folder, call) \
    int name parameters { \
        file_place from_place; \
        const char *real_source = path_meet(&from_place, source_folder, from); \
        AT(folder, to); \
        if (path_is_refused(&from_place)) return -1; \
        CHANGES(file_change_begins); \
        int result = call; \
        if (result == 0 && place.is_home) descriptor_moved(folder, real); \
        return done(result, place.is_home); \
    }
#include "interposed.def"

/// Whoever wants a folder with all those above it asks for those that are there too.
static bool is_there_outside(const file_place *place, int folder) {
    return place->path && !place->is_home && client_app() && syscall(SYS_faccessat, folder, place->path, F_OK) == 0;
}

int mkdirat(int folder, const char *path, mode_t mode) {
    AT(folder, path);
    if (is_there_outside(&place, folder)) return errno = EEXIST, -1;
    CHANGES(file_change_goes_on);
    return (int)syscall(SYS_mkdirat, folder, real, mode);
}

int mkdir(const char *path, mode_t mode) {
    FIND(path);
    if (is_there_outside(&place, AT_FDCWD)) return errno = EEXIST, -1;
    CHANGES(file_change_goes_on);
    return (int)syscall(SYS_mkdirat, AT_FDCWD, real, mode);
}

int symlinkat(const char *target, int folder, const char *path) {
    file_place source;
    // The system follows it, and knows nothing of homes.
    const char *real_target = target[0] == '/' ? path_meet(&source, AT_FDCWD, target) : target;
    AT(folder, path);
    if (target[0] == '/' && path_is_refused(&source)) return -1;
    CHANGES(file_change_begins);
    return done(NEXT(symlinkat)(real_target, folder, real), place.is_home);
}

int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

// MARK: What is written to descriptors

/// Writes, unless the app has ended, which takes it for done.
#define WRITE(descriptor, count, room, call) \
    if (!descriptor_has_room(descriptor, room)) return -1; \
    if (descriptor_write_begins(descriptor) == change_is_dropped) return count; \
    __typeof__(call) written = call; \
    descriptor_written(descriptor); \
    return written

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    WRITE(descriptor, (ssize_t)count, count, syscall(SYS_pwrite64, descriptor, bytes, count, offset));
}

int ftruncate(int descriptor, off_t length) {
    WRITE(descriptor, 0, 0, (int)syscall(SYS_ftruncate, descriptor, length));
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    WRITE(to, (ssize_t)count, count, syscall(SYS_sendfile, to, from, offset, count));
}

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *end, size_t count, unsigned flags) {
    WRITE(to, (ssize_t)count, count, syscall(SYS_copy_file_range, from, start, to, end, count, flags));
}

/// Lets what a stream still holds go where it belongs: into the file, or nowhere.
unsigned stream_ends(FILE *stream) {
    int descriptor = fileno(stream);
    if (descriptor < 0 || !descriptor_get(descriptor)) return 0;
    if (descriptor_write_begins(descriptor) == change_is_dropped) {
        int nowhere = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
        if (nowhere >= 0) {
            syscall(SYS_dup3, nowhere, descriptor, 0);
            syscall(SYS_close, nowhere);
        }
    }
    return descriptor_get(descriptor);
}

int fflush(FILE *stream) {
    unsigned flags = stream ? stream_ends(stream) : 0;
    int result = NEXT(fflush)(stream);
    descriptor_closed(flags);
    return result;
}

#ifdef __GLIBC__

int truncate64(const char *path, off64_t length) { return truncate(path, length); }
int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }
ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) { return sendfile(to, from, offset, count); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return pwrite(descriptor, bytes, count, offset);
}

#endif

// MARK: Where the process is

char *getcwd(char *room, size_t size) {
    const char *folder = file_folder();
    if (!folder) return NEXT(getcwd)(room, size);
    size_t length = strlen(folder) + 1;
    if (!room) return size == 0 || length <= size ? strdup(folder) : (errno = ERANGE, NULL);
    if (length > size) return errno = ERANGE, NULL;
    return memcpy(room, folder, length);
}

int chdir(const char *path) {
    FIND(path);
    if (!file_folder()) return NEXT(chdir)(path);
    // The worker's own stays where it is.
    struct stat found;
    if (fstatat(AT_FDCWD, real, &found, 0) != 0) return -1;
    if (!S_ISDIR(found.st_mode)) return errno = ENOTDIR, -1;
    file_set_folder(path);
    return 0;
}

/// By hand: the allocator asks before there is memory to look the library's function up with.
char *getenv(const char *name) {
    const char *own;
    if (own_variable_find(name, &own)) return (char *)own;
    own = file_variable(name);
    if (own || !environ) return (char *)own;
    size_t length = strlen(name);
    for (char **entry = environ; *entry; entry += 1) {
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
    }
    return NULL;
}

char *secure_getenv(const char *name) {
    return getauxval(AT_SECURE) ? NULL : getenv(name);
}

// MARK: Folders that are walked

/// A walk of the calling thread's, through folders that client code has named in its own way.
typedef struct walk {
    struct walk *next;
    FTS *handle;
    size_t count;
    struct {
        char *real, *shown;
    } *roots;
    /// The entry that was shown last, with what the walk needs of it; null: none.
    FTSENT *entry;
    char *real_path;
    unsigned short real_length;
    char room[PATH_MAX];
} walk;

static _Thread_local walk *walks;

static walk *find_walk(FTS *handle) {
    walk *found = walks;
    while (found && found->handle != handle) found = found->next;
    return found;
}

static void free_walk(walk *walk) {
    for (size_t number = 0; number < walk->count; number += 1) {
        free(walk->roots[number].real);
        free(walk->roots[number].shown);
    }
    free(walk->roots);
    free(walk);
}

FTS *fts_open(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **)) {
    if (!file_folder()) return NEXT(fts_open)(paths, options, compare);
    walk *made = calloc(1, sizeof *made);
    while (paths[made->count]) made->count += 1;
    made->roots = calloc(made->count, sizeof *made->roots);
    char **real_paths = calloc(made->count + 1, sizeof *real_paths);
    for (size_t number = 0; number < made->count; number += 1) {
        FIND(paths[number]);
        made->roots[number].shown = strdup(paths[number]);
        real_paths[number] = made->roots[number].real = strdup(real);
    }
    made->handle = NEXT(fts_open)(real_paths, options, compare);
    free(real_paths);
    FTS *handle = made->handle;
    if (!handle) {
        int number = errno;
        free_walk(made);
        errno = number;
        return NULL;
    }
    made->next = walks;
    walks = made;
    return handle;
}

static void take_back(walk *walk) {
    if (!walk->entry) return;
    walk->entry->fts_path = walk->real_path;
    walk->entry->fts_pathlen = walk->real_length;
    walk->entry = NULL;
}

/// Has the entry's path begin as the folder was named.
static void show(walk *walk, FTSENT *entry) {
    for (size_t number = 0; number < walk->count; number += 1) {
        size_t length = strlen(walk->roots[number].real);
        if (strncmp(entry->fts_path, walk->roots[number].real, length) != 0) continue;
        int shown = snprintf(
            walk->room, sizeof walk->room, "%s%s", walk->roots[number].shown, entry->fts_path + length);
        if (shown >= (int)sizeof walk->room) return;
        walk->entry = entry;
        walk->real_path = entry->fts_path;
        walk->real_length = entry->fts_pathlen;
        entry->fts_path = walk->room;
        entry->fts_pathlen = (unsigned short)shown;
        return;
    }
}

FTSENT *fts_read(FTS *handle) {
    walk *walk = find_walk(handle);
    if (walk) take_back(walk);
    FTSENT *entry = NEXT(fts_read)(handle);
    if (walk && entry && entry->fts_path) show(walk, entry);
    return entry;
}

FTSENT *fts_children(FTS *handle, int options) {
    walk *walk = find_walk(handle);
    if (walk) take_back(walk);
    return NEXT(fts_children)(handle, options);
}

int fts_close(FTS *handle) {
    for (walk **place = &walks; *place; place = &(*place)->next) {
        walk *walk = *place;
        if (walk->handle != handle) continue;
        take_back(walk);
        *place = walk->next;
        free_walk(walk);
        break;
    }
    return NEXT(fts_close)(handle);
}

#endif
