// Which file an app means, and what becomes of it when the app ends in the middle.

#define _GNU_SOURCE
#include "files.h"
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char home[] = STAMPEDE_HOME;
enum { home_length = sizeof home - 1 };

/// The app whose code the calling thread runs; null outside client code, and for one whose device is gone.
static stampede_app *current_app(void) {
    stampede_app *app = stampede_top ? stampede_top->app : stampede_thread_app;
    return app && app->process && stampede_the_host.home ? app : NULL;
}

/// Where the home of its device is on this machine.
static const char *home_of(stampede_app *app) {
    // What is made there is no client code's doing.
    stampede_frame *top = stampede_step_out();
    stampede_app *thread_app = stampede_thread_app;
    stampede_thread_app = NULL;
    const char *home = stampede_the_host.home(app->process);
    stampede_thread_app = thread_app;
    stampede_step_in(top);
    return home;
}

/// Where apps have gone from their homes: few ever do.
typedef struct folder {
    struct folder *next;
    const stampede_app *app;
    char path[];
} folder;

static folder *folders;
static pthread_mutex_t folders_lock = PTHREAD_MUTEX_INITIALIZER;

/// As the app knows it.
static const char *folder_of(const stampede_app *app) {
    if (!__atomic_load_n(&folders, __ATOMIC_ACQUIRE)) return home;
    runtime_lock(&folders_lock);
    folder *found = folders;
    while (found && found->app != app) found = found->next;
    pthread_mutex_unlock(&folders_lock);
    return found ? found->path : home;
}

static bool begins_with(const char *path, const char *start, size_t length) {
    return strncmp(path, start, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/// Whether a path may be one of a home that the system has resolved: asked before a home is made for it.
static bool is_in_homes(const char *path) {
    const char *run = strstr(path, "/" STAMPEDE_RUN_FOLDER);
    const char *next = run ? strchr(run + 1, '/') : NULL;
    // Beside them are the receipts, which few need a home for.
    return next && next[1] == STAMPEDE_HOME_PREFIX[0];
}

void file_find(file_place *place, int folder, const char *path) {
    place->path = path;
    place->folder = folder;
    place->is_home = false;
    stampede_app *app = path && *path ? current_app() : NULL;
    if (!app) return;
    int number = errno;
    int length = 0;
    if (begins_with(path, home, home_length)) {
        length = snprintf(place->room, sizeof place->room, "%s%s", home_of(app), path + home_length);
    } else if (path[0] != '/') {
        // Relative to a descriptor: wherever that is.
        if (folder != AT_FDCWD) return;
        const char *own = folder_of(app);
        bool is_in_home = begins_with(own, home, home_length);
        length = snprintf(
            place->room, sizeof place->room, "%s%s/%s", is_in_home ? home_of(app) : "", is_in_home ? own + home_length : own,
            path);
        if (!is_in_home) {
            if (length < (int)sizeof place->room) place->path = place->room;
            return;
        }
    } else {
        // As the system tells a path that it has resolved.
        place->is_home = is_in_homes(path) && begins_with(path, home_of(app), home_length);
        return;
    }
    errno = number;
    if (length >= (int)sizeof place->room) return;
    place->path = place->room;
    place->is_home = true;
}

void file_show(char *path) {
    stampede_app *app = current_app();
    if (app && is_in_homes(path) && begins_with(path, home_of(app), home_length)) memcpy(path, home, home_length);
}

const char *file_home(void) {
    stampede_app *app = current_app();
    return app ? home_of(app) : NULL;
}

bool file_is_in_home(const file_place *place) {
    const char *home = file_home();
    if (!home) return false;
    char named[PATH_MAX], folder[PATH_MAX], link[32];
    const char *path = place->path;
    if (path[0] != '/') {
        folder[0] = 0;
        if (place->folder != AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/self/fd/%d", place->folder);
            ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, folder, sizeof folder - 1);
            if (length < 0) return false;
            folder[length] = 0;
        }
        if (snprintf(named, sizeof named, "%s/%s", folder, path) >= (int)sizeof named) return false;
        path = named;
    }
    // Where it goes up again only the system knows where that leads.
    if (strstr(path, "/..")) {
        if (path != named && snprintf(named, sizeof named, "%s", path) >= (int)sizeof named) return false;
        char *end = strrchr(named, '/');
        if (strcmp(end, "/..") == 0) return false;
        *end = 0;
        if (!NEXT(realpath)(named, folder)) return false;
        path = folder;
    }
    return begins_with(path, home, strlen(home));
}

// MARK: Changes

static file_change change(bool begins) {
    stampede_app *app = current_app();
    if (!app) return change_is_free;
    // Also where its last tasks run, or what it held is freed.
    if (app->has_ended) return change_is_dropped;
    if (stampede_top && stampede_top->is_reading) return change_is_free;
    if (!begins) return change_happens;
    int number = errno;
    bool happens = stampede_the_host.file_changes(app->process);
    errno = number;
    return happens ? change_happens : change_is_dropped;
}

file_change file_change_begins(void) { return change(true); }
file_change file_change_goes_on(void) { return change(false); }

void file_changed(void) {
    stampede_app *app = current_app();
    if (!app || app->has_ended || (stampede_top && stampede_top->is_reading)) return;
    int number = errno;
    stampede_the_host.file_changed(app->process);
    errno = number;
}

// MARK: Places of a process

const char *file_variable(const char *name) {
    static const char *const variables[][2] = {
        {"HOME", STAMPEDE_HOME},
        {"CFFIXED_USER_HOME", STAMPEDE_HOME},
        {"TMPDIR", STAMPEDE_HOME "/tmp"},
        {"PWD", STAMPEDE_HOME},
    };
    if (!current_app()) return NULL;
    for (size_t place = 0; place < sizeof variables / sizeof *variables; place += 1) {
        if (strcmp(name, variables[place][0]) == 0) return variables[place][1];
    }
    return NULL;
}

const char *file_folder(void) {
    stampede_app *app = current_app();
    return app ? folder_of(app) : NULL;
}

bool file_set_folder(const char *path) {
    stampede_app *app = current_app();
    if (!app) return false;
    const char *start = path[0] == '/' ? "" : folder_of(app);
    size_t size = sizeof(folder) + strlen(start) + strlen(path) + 2;
    folder *made = malloc(size);
    snprintf(made->path, size - sizeof *made, "%s%s%s", start, *start ? "/" : "", path);
    made->app = app;
    // The one before stays for those that are reading it.
    runtime_lock(&folders_lock);
    made->next = folders;
    __atomic_store_n(&folders, made, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&folders_lock);
    return true;
}

void file_forget(const stampede_app *app) {
    if (!__atomic_load_n(&folders, __ATOMIC_ACQUIRE)) return;
    runtime_lock(&folders_lock);
    for (folder **place = &folders; *place;) {
        folder *found = *place;
        if (found->app != app) {
            place = &found->next;
            continue;
        }
        *place = found->next;
        free(found);
    }
    pthread_mutex_unlock(&folders_lock);
}

// MARK: Descriptors

enum { whole_max = 8, descriptor_is_harness = 128 };
static unsigned char descriptors[descriptors_max];

/// Files that the calling thread's client code has begun to write from the beginning.
static _Thread_local int whole[whole_max];
static _Thread_local int whole_count;

unsigned descriptor_get(int descriptor) {
    if (descriptor < 0 || descriptor >= descriptors_max) return 0;
    return __atomic_load_n(&descriptors[descriptor], __ATOMIC_RELAXED) & ~descriptor_is_harness;
}

void descriptor_keep(int descriptor) {
    if (descriptor < 0 || descriptor >= descriptors_max) return;
    __atomic_store_n(&descriptors[descriptor], descriptor_is_harness, __ATOMIC_RELAXED);
}

bool descriptor_is_kept(int descriptor) {
    if (descriptor < 0 || descriptor >= descriptors_max) return false;
    return __atomic_load_n(&descriptors[descriptor], __ATOMIC_RELAXED) == descriptor_is_harness;
}

void descriptor_drop(int descriptor) {
    if (descriptor < 0 || descriptor >= descriptors_max) return;
    __atomic_store_n(&descriptors[descriptor], 0, __ATOMIC_RELAXED);
}

void descriptor_set(int descriptor, unsigned flags) {
    if (descriptor < 0 || descriptor >= descriptors_max) return;
    if (flags & descriptor_is_whole && !(descriptor_get(descriptor) & descriptor_is_whole)) {
        if (whole_count < whole_max) whole[whole_count++] = descriptor;
        else flags &= ~descriptor_is_whole;
    }
    __atomic_store_n(&descriptors[descriptor], (unsigned char)flags, __ATOMIC_RELAXED);
}

void stampede_files_settle(void) {
    if (whole_count == 0 || (stampede_top && stampede_top->is_reading)) return;
    unsigned changed = 0;
    for (int place = 0; place < whole_count; place += 1) {
        unsigned flags = descriptor_get(whole[place]);
        if (!(flags & descriptor_is_whole)) continue;
        changed |= flags & descriptor_is_changed;
        descriptor_set(whole[place], descriptor_is_watched);
    }
    whole_count = 0;
    descriptor_closed(changed);
}

file_change descriptor_write_begins(int descriptor) {
    unsigned flags = descriptor_get(descriptor);
    if (!flags) return change_is_free;
    bool is_part = flags & descriptor_is_whole && !(flags & descriptor_waits);
    file_change change = is_part ? file_change_goes_on() : file_change_begins();
    if (change == change_happens) descriptor_set(descriptor, (flags & ~descriptor_waits) | descriptor_is_changed);
    return change;
}

void descriptor_written(int descriptor) {
    unsigned flags = descriptor_get(descriptor);
    if (flags & descriptor_is_changed && !(flags & descriptor_is_whole)) {
        descriptor_set(descriptor, flags & ~descriptor_is_changed);
        file_changed();
    }
}

void descriptor_moved(int folder, const char *path) {
    struct stat moved, open;
    if (whole_count == 0 || NEXT(fstatat)(folder, path, &moved, 0) != 0) return;
    for (int place = 0; place < whole_count; place += 1) {
        if (!(descriptor_get(whole[place]) & descriptor_is_whole)) continue;
        bool is_open = NEXT(fstatat)(whole[place], "", &open, AT_EMPTY_PATH) == 0;
        if (is_open && open.st_dev == moved.st_dev && open.st_ino == moved.st_ino)
            descriptor_set(whole[place], descriptor_is_watched);
    }
}

void descriptor_closed(unsigned flags) {
    if (flags & descriptor_is_changed) file_changed();
}
