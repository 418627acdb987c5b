// The writable data of the client's modules, exchanged with the device.
// One thread at a time: the one that runs devices. What is asked of the dynamic linker may be asked anywhere.

#ifndef STAMPEDE_STATICS_H
#define STAMPEDE_STATICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A stretch of memory that belongs to the client.
typedef struct {
    /// Its address; of thread-locals the distance from the thread's descriptor.
    uintptr_t place;
    size_t size;
    bool is_thread_local;
    /// With what a thread's own copy begins, and how much of it is not zero.
    const unsigned char *initial;
    size_t initial_size;
} stampede_region;

/// An object that the compiler has built: a token, its type, its count of references, its fields. The first use of it in
/// a process fills in token, type and count.
typedef struct {
    /// Where it begins among the bytes of an image.
    size_t offset;
    uintptr_t address;
} stampede_static_object;

typedef struct stampede_image stampede_image;

/// For the functions below.
extern stampede_image *stampede_image_current;

/// Takes the bytes as they are now for those of a fresh process. Once, before any client code has run.
void stampede_regions_install(
    const stampede_region *regions, size_t count, const stampede_static_object *objects, size_t object_count);

/// For a process that has not run yet.
stampede_image *stampede_image_make(void);

/// Forgets it without releasing what its bytes refer to. The one in place makes room for the program's own.
void stampede_image_free(stampede_image *image);

/// `stampede_image_switch` where something is to be done.
void stampede_image_bring(stampede_image *image);

/// Puts the data of a process in its place, and what was there into the other's image.
static inline void stampede_image_switch(stampede_image *image) {
    if (image != stampede_image_current) stampede_image_bring(image);
}

/// Puts the program's own data back, if the calling thread is the one that brought in a device's.
void stampede_image_leave(void);

/// Whose data is in place; null: the program's own.
static inline stampede_image *stampede_image_in_place(void) { return stampede_image_current; }

/// One object that the dynamic linker has loaded.
typedef struct {
    /// Empty for the program itself.
    const char *path;
    /// What is added to its addresses.
    uintptr_t bias;
    /// The calling thread's copy of its thread-locals, as a distance from the thread's descriptor; 0: it has none.
    intptr_t thread_block;
    /// With what each copy begins.
    const unsigned char *thread_initial;
    size_t thread_initial_size;
    /// What is read-only once relocated.
    uintptr_t fixed_start, fixed_end;
} stampede_object;

void stampede_each_object(void (*body)(void *context, const stampede_object *object), void *context);

/// The file that holds Swift's runtime; null: it is not known.
const char *stampede_runtime_path(void);

/// An entry of an ELF symbol table.
typedef struct {
    /// Where its name begins among the names.
    uint32_t name;
    /// 1: a variable, 2: a function, 4: a file, 6: a thread-local.
    uint8_t kind;
    /// 0: local.
    uint8_t binding;
    uint16_t section;
    uint64_t address, size;
} stampede_symbol;

/// Reads the next entry of one of these kinds, a bit each, whose section is one of those that are wanted; a file has none.
/// `place` is the entry to begin with, and then the one after what was found. There are very many, and this is their loop
/// in debug builds too.
bool stampede_next_symbol(
    const unsigned char *entries, size_t count, size_t *place, uint32_t kinds, const bool *sections,
    size_t section_count, stampede_symbol *symbol);

/// Whether the table defines a function or variable of that name.
bool stampede_symbols_define(
    const unsigned char *entries, size_t count, const char *names, size_t names_size, const char *wanted);

/// The text of a mangled name, to be freed; null: it is none.
char *stampede_demangle(const char *name, size_t length);

#endif
