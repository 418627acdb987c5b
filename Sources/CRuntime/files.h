// Files of an app: each device has a home of its own, and client code knows all of them by the same paths.
#ifndef STAMPEDE_FILES_H
#define STAMPEDE_FILES_H

#include "model.h"

#include <limits.h>
#include <sys/types.h>

/// Where a path is on this machine.
typedef struct {
    const char *path;
    /// Whether it is in the home of the calling code's device.
    bool is_home;
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

void descriptor_set(int descriptor, unsigned flags);
unsigned descriptor_get(int descriptor);
/// Something is about to be written; `change_is_free` where nobody has to be told.
file_change descriptor_write_begins(int descriptor);
/// It has been.
void descriptor_written(int descriptor);
/// The descriptor has been closed: what was written is there.
void descriptor_closed(unsigned flags);

#endif
