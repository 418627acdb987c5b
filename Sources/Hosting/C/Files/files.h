// Files of an app: each device has a home of its own, and client code knows all of them by the same paths.
#ifndef STAMPEDE_FILES_H
#define STAMPEDE_FILES_H

#include "model.h"

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

/// Where a path is on this machine.
typedef struct {
    const char *path;
    /// Whether it is in the home of the calling code's device.
    bool is_home;
    /// What a relative one is relative to.
    int folder;
    char room[PATH_MAX];
} file_place;

/// Finds out where the path is that the calling code means: in its device's home if it begins with the home's path or is
/// relative, and else as it stands.
void file_find(file_place *place, int folder, const char *path);

/// The path as client code knows it, in place: both are equally long.
void file_show(char *path);

/// What a change of the calling app's files comes to.
typedef enum {
    /// It is none of an app's, or of one that is only asked what it holds: nobody is told.
    change_is_free,
    change_happens,
    /// The app has ended, perhaps right now: it is to look as if it had happened.
    change_is_dropped,
} file_change;

/// A change that a crash may come before.
file_change file_change_begins(void);
/// One that is part of another.
file_change file_change_goes_on(void);
/// The files are as they are to be: what has been bought may be in them.
void file_changed(void);

/// The home of the calling code's device on this machine; null outside client code.
const char *file_home(void);

/// Whether a path of this machine is in that home once the system has followed it.
bool file_is_in_home(const file_place *place);

/// Whether so many bytes more may be written there; counts them, and says why not in `errno`.
bool home_has_room(size_t count);

/// There may be room again.
void home_has_changed(void);

/// What the calling code asks the environment for, where it is its device's own; null elsewhere.
const char *file_variable(const char *name);

/// The current folder of the calling code, as it knows it; null outside client code.
const char *file_folder(void);
/// Goes to another one. False outside client code.
bool file_set_folder(const char *path);
/// The app is freed.
void file_forget(const stampede_app *app);

// MARK: Descriptors

/// A descriptor of a file in a home that can be written to.
typedef enum {
    descriptor_is_watched = 1,
    /// The file is written from its beginning: all of it is one change.
    descriptor_is_whole = 2,
    /// That change has not begun.
    descriptor_waits = 4,
    descriptor_is_changed = 8,
} descriptor_flags;

enum { descriptors_max = 1 << 14 };

void descriptor_set(int descriptor, unsigned flags);
unsigned descriptor_get(int descriptor);
/// It is the harness's, and client code leaves it open.
void descriptor_keep(int descriptor);
bool descriptor_is_kept(int descriptor);
/// It is the one by which a worker tells what it found, which is not client code's to write to; with `errno`.
bool descriptor_is_refused(int descriptor);
/// It is closed, or about to be: whoever opens it next has another one.
void descriptor_drop(int descriptor);
/// Something is about to be written; `change_is_free` where nobody has to be told.
file_change descriptor_write_begins(int descriptor);
/// It has been.
void descriptor_written(int descriptor);
/// What is written to a stream and not in its file yet is about to be. The flags of its descriptor.
unsigned stream_ends(FILE *stream);
/// Whether so many bytes may be written to a descriptor, which may be one of a home's.
static inline bool descriptor_has_room(int descriptor, size_t count) {
    return !descriptor_get(descriptor) || home_has_room(count);
}
/// The descriptor has been closed: what was written is there.
void descriptor_closed(unsigned flags);
/// A file has its place: what was written to it from its beginning, and is still open, is part of that change.
void descriptor_moved(int folder, const char *path);

#endif
