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

/// Has the modules that are loaded use ours in place of what they share by name. Once in a process.
///
/// - `exempt`: part of the path of one that goes on as it does; null: none does.
/// - `in_program`: the program itself too.
void modules_exchange(const stand_in *stand_ins, size_t count, const char *exempt, bool in_program);

#endif
