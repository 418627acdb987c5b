// How much room a device's home takes: what is written is counted, and the home is measured only when that comes to too
// much.

#define _GNU_SOURCE
#include "files.h"
#include "own.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// What is written past it is refused as on a device that is full.
static const int64_t quota = INT64_C(512) << 20;

/// Stands before the path of a home in memory.
typedef struct {
    /// At the last measurement, and written since then. Any thread.
    int64_t measured, written;
    bool is_full;
    char path[];
} home_room;

static home_room *room_of(const char *path) { return (home_room *)(path - offsetof(home_room, path)); }

const char *stampede_home_make(const char *path) {
    size_t size = strlen(path) + 1;
    home_room *made = calloc(1, sizeof *made + size);
    if (!made) abort();
    memcpy(made->path, path, size);
    return made->path;
}

void stampede_home_free(const char *path) {
    if (path) free(room_of(path));
}

void stampede_home_erased(const char *path) {
    home_room *room = room_of(path);
    __atomic_store_n(&room->measured, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&room->written, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&room->is_full, false, __ATOMIC_RELAXED);
}

static int64_t measure(const char *path) {
    char *roots[] = {(char *)path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk) return 0;
    int64_t total = 0;
    for (FTSENT *entry = fts_read(walk); entry; entry = fts_read(walk)) {
        if (entry->fts_info == FTS_F) total += entry->fts_statp->st_blocks * 512;
    }
    fts_close(walk);
    return total;
}

bool home_has_room(size_t count) {
    const char *path = file_home();
    if (!path) return true;
    home_room *room = room_of(path);
    int64_t wanted = (int64_t)(count > INT64_MAX / 2 ? INT64_MAX / 2 : count);
    int64_t written = __atomic_add_fetch(&room->written, wanted, __ATOMIC_RELAXED);
    if (written + __atomic_load_n(&room->measured, __ATOMIC_RELAXED) <= quota) return true;
    if (__atomic_load_n(&room->is_full, __ATOMIC_RELAXED)) return errno = ENOSPC, false;
    // What is done here is no client code's doing.
    stampede_frame *top = stampede_step_out();
    stampede_app *thread_app = stampede_thread_app;
    stampede_thread_app = NULL;
    int64_t measured = measure(path);
    stampede_thread_app = thread_app;
    stampede_step_in(top);
    bool has_room = measured + wanted <= quota;
    __atomic_store_n(&room->measured, measured, __ATOMIC_RELAXED);
    __atomic_store_n(&room->written, has_room ? wanted : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&room->is_full, !has_room, __ATOMIC_RELAXED);
    if (!has_room) errno = ENOSPC;
    return has_room;
}

void home_has_changed(void) {
    const char *path = file_home();
    if (path) __atomic_store_n(&room_of(path)->is_full, false, __ATOMIC_RELAXED);
}
