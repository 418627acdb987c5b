// Files that are made only when somebody opens them.
#ifndef STAMPEDE_WATCHED_PATHS_H
#define STAMPEDE_WATCHED_PATHS_H

#include <stdbool.h>

/// Has `prepare` called with each path that begins with `prefix`, before the file is opened or looked at. What
/// `prepare` itself opens is not told. Once in a process; `prefix` is kept. Never under a sanitizer.
void stampede_watch_paths(const char *prefix, void (*prepare)(const char *path));

#endif
