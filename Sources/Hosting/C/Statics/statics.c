// Exchanges the client's writable data. Bits move; no count of references changes.

#include "statics.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct stampede_image {
    bool is_filled;
    /// How many objects had been used by any process when it was taken out.
    size_t used_objects;
    unsigned char bytes[];
};

stampede_image *stampede_image_current;

static stampede_region *image_regions;
static size_t image_region_count;
static size_t image_size;
static stampede_static_object *image_objects;
static size_t image_object_count;
/// How many of the objects, which change places for it, have been used by any process.
static size_t image_used_objects;
/// A fresh process's, and the program's own while a device's is in place.
static stampede_image *image_fresh, *image_outside;
/// Whose thread-locals are exchanged: the thread that brought in the first device's.
static uintptr_t image_thread;

static stampede_image *make(void) {
    stampede_image *image = malloc(sizeof(stampede_image) + image_size);
    if (!image) abort();
    image->is_filled = false;
    image->used_objects = 0;
    return image;
}

static unsigned char *address_of(const stampede_region *region) {
    return (unsigned char *)(region->is_thread_local ? image_thread + region->place : region->place);
}

static void take_out(unsigned char *bytes) {
    for (size_t index = 0; index < image_region_count; index++) {
        const stampede_region *region = &image_regions[index];
        memcpy(bytes, address_of(region), region->size);
        bytes += region->size;
    }
}

static void put_in(const unsigned char *bytes) {
    bool is_own = image_thread == (uintptr_t)pthread_self();
    for (size_t index = 0; index < image_region_count; index++) {
        const stampede_region *region = &image_regions[index];
        // A thread's copy may be gone with it.
        if (is_own || !region->is_thread_local) memcpy(address_of(region), bytes, region->size);
        bytes += region->size;
    }
}

void stampede_regions_install(
    const stampede_region *regions, size_t count, const stampede_static_object *objects, size_t object_count) {
    image_regions = malloc(count * sizeof(stampede_region));
    image_objects = malloc(object_count * sizeof(stampede_static_object) + 1);
    if (!image_regions || !image_objects) abort();
    memcpy(image_regions, regions, count * sizeof(stampede_region));
    memcpy(image_objects, objects, object_count * sizeof(stampede_static_object));
    image_region_count = count;
    image_object_count = object_count;
    image_size = 0;
    for (size_t index = 0; index < count; index++) image_size += regions[index].size;
    image_thread = (uintptr_t)pthread_self();
    image_fresh = make();
    image_outside = make();
    take_out(image_fresh->bytes);
    unsigned char *bytes = image_fresh->bytes;
    for (size_t index = 0; index < count; index++) {
        if (regions[index].is_thread_local) {
            memset(bytes, 0, regions[index].size);
            memcpy(bytes, regions[index].initial, regions[index].initial_size);
        }
        bytes += regions[index].size;
    }
    image_fresh->is_filled = true;
}

stampede_image *stampede_image_make(void) { return make(); }

void stampede_image_free(stampede_image *image) {
    if (image == stampede_image_current) {
        // Its bytes are not wanted any more, but objects that it was the first to use must be noted all the same.
        stampede_image_bring(NULL);
    }
    free(image);
}

/// Token, type and count of an object: what its first use fills in.
enum { object_head = 3 * sizeof(uintptr_t) };

/// The count of references of an object that is never freed, as the runtime writes it.
static uint64_t lasting_count(void) {
    static uint64_t count;
    extern void *swift_initStaticObject(const void *type, void *object);
    static uint64_t sample[4];
    if (!count) {
        swift_initStaticObject(sample, &sample[1]);
        count = sample[2];
    }
    return count;
}

/// Others may hold an object that a process has used, the harness among them, whichever process's data is in place:
/// from now on its head is there in all of them.
static void note_used_objects(void) {
    for (size_t index = image_used_objects; index < image_object_count; index++) {
        stampede_static_object object = image_objects[index];
        const uintptr_t *live = (const uintptr_t *)object.address;
        if (!live[1]) continue;
        uintptr_t head[3] = {live[0], live[1], (uintptr_t)lasting_count()};
        memcpy(image_fresh->bytes + object.offset, head, object_head);
        image_objects[index] = image_objects[image_used_objects];
        image_objects[image_used_objects++] = object;
    }
}

static void fill_heads(size_t known) {
    for (size_t index = known; index < image_used_objects; index++) {
        uintptr_t *live = (uintptr_t *)image_objects[index].address;
        if (!live[1]) memcpy(live, image_fresh->bytes + image_objects[index].offset, object_head);
    }
}

void stampede_image_bring(stampede_image *image) {
    stampede_image *before = stampede_image_current;
    if (!before) image_thread = (uintptr_t)pthread_self();
    if (image_used_objects < image_object_count) note_used_objects();
    stampede_image *out = before ? before : image_outside;
    take_out(out->bytes);
    out->is_filled = true;
    out->used_objects = image_used_objects;
    stampede_image *in = image ? image : image_outside;
    put_in(in->is_filled ? in->bytes : image_fresh->bytes);
    if (in->is_filled && in->used_objects < image_used_objects) fill_heads(in->used_objects);
    stampede_image_current = image;
}

void stampede_image_leave(void) {
    // A thread that hangs in client code keeps what it works on.
    if (stampede_image_current && image_thread == (uintptr_t)pthread_self()) stampede_image_bring(NULL);
}
