// What the dynamic linker has loaded, and how Swift's names read.

#define _GNU_SOURCE
#include "statics.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

typedef struct {
    void (*body)(void *, const stampede_object *);
    void *context;
} stampede_visit;

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    const stampede_visit *each = context;
    stampede_object object = {.path = info->dlpi_name, .bias = info->dlpi_addr};
    if (info->dlpi_tls_data) object.thread_block = (intptr_t)info->dlpi_tls_data - (intptr_t)pthread_self();
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        if (segment->p_type == PT_TLS) {
            object.thread_initial = (const unsigned char *)(info->dlpi_addr + segment->p_vaddr);
            object.thread_initial_size = segment->p_filesz;
        } else if (segment->p_type == PT_GNU_RELRO) {
            object.fixed_start = segment->p_vaddr;
            object.fixed_end = segment->p_vaddr + segment->p_memsz;
        }
    }
    each->body(each->context, &object);
    return 0;
}

void stampede_each_object(void (*body)(void *context, const stampede_object *object), void *context) {
    stampede_visit each = {body, context};
    dl_iterate_phdr(visit, &each);
}

const char *stampede_runtime_path(void) {
    Dl_info found;
    void *retain = dlsym(RTLD_DEFAULT, "swift_retain");
    return retain && dladdr(retain, &found) ? found.dli_fname : NULL;
}

char *stampede_demangle(const char *name, size_t length) { return swift_demangle(name, length, NULL, NULL, 0); }
