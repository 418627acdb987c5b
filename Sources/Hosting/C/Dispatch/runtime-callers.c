// Who calls Dispatch: Foundation's and Swift's own machinery keeps the system's objects, which outlive any app.

#define _GNU_SOURCE
#include "callers.h"

#include <link.h>
#include <string.h>

enum { most = 8 };
typedef struct { uintptr_t begin, end; } library;
static library libraries[most], runtime;
static int count;

static int note(struct dl_phdr_info *info, size_t size, void *unused) {
    static const char *const names[] = {"/libFoundation.so", "/libswift_Concurrency.so"};
    bool is_runtime = strstr(info->dlpi_name, "/libswiftCore.so");
    bool is_library = false;
    for (size_t place = 0; place < sizeof names / sizeof *names; place += 1) {
        if (strstr(info->dlpi_name, names[place])) is_library = true;
    }
    if (is_runtime || (is_library && count < most)) {
        uintptr_t begin = UINTPTR_MAX, end = 0;
        for (int segment = 0; segment < info->dlpi_phnum; segment += 1) {
            const ElfW(Phdr) *header = &info->dlpi_phdr[segment];
            if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
            uintptr_t first = info->dlpi_addr + header->p_vaddr;
            if (first < begin) begin = first;
            if (first + header->p_memsz > end) end = first + header->p_memsz;
        }
        if (is_runtime) runtime = (library){begin, end};
        else libraries[count++] = (library){begin, end};
    }
    return 0;
}

void callers_look_up(void) {
    count = 0;
    dl_iterate_phdr(note, NULL);
}

bool caller_is_runtime(const void *address) {
    return (uintptr_t)address >= runtime.begin && (uintptr_t)address < runtime.end;
}

bool caller_is_system(const void *address) {
    uintptr_t caller = (uintptr_t)address;
    for (int place = 0; place < count; place += 1) {
        if (caller >= libraries[place].begin && caller < libraries[place].end) return true;
    }
    return false;
}
