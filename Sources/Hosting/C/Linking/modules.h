// The program and its libraries, and what they call of one another.
#ifndef STAMPEDE_MODULES_H
#define STAMPEDE_MODULES_H

#include <stdbool.h>
#include <stddef.h>

/// What stands for a function, or for something else, of that name.
typedef struct {
    const char *name;
    const void *ours;
} stand_in;

/// Has modules that are loaded use ours in place of what they share by name. Once in a process.
///
/// - `takes`: whether a module does, by the path of its file, which is empty for the program itself.
void modules_exchange(const stand_in *stand_ins, size_t count, bool (*takes)(const char *path));

#endif
