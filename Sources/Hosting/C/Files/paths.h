// What the functions that take a path have in common.
#ifndef STAMPEDE_PATHS_H
#define STAMPEDE_PATHS_H

#include "files.h"

/// Finds out where a path is, and has the file made if it is one that is made when somebody opens it.
///
/// - Returns: the path on this machine.
const char *path_meet(file_place *place, int folder, const char *path);

/// Something is about to be written there. True, with `errno`, if that is outside the home of the calling code's device:
/// it must not be, and is told.
bool path_is_refused(const file_place *place);

/// `place`, and as `real` the path on this machine.
#define AT(folder, path) \
    file_place place; \
    const char *real = path_meet(&place, folder, path)
#define FIND(path) AT(AT_FDCWD, path)

#endif
