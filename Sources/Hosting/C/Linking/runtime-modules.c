// Exchanging what modules refer to of one another, in the tables by which the dynamic linker has bound them: for names that
// this program cannot define itself.

#define _GNU_SOURCE
#include "modules.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__aarch64__)
enum { binds_call = 1026, binds_address = 1025 };
#else
enum { binds_call = 7, binds_address = 6 };
#endif

typedef struct {
    const stand_in *stand_ins;
    size_t count;
    bool (*takes)(const char *path);
} exchange;

static void put(const void **place, const void *ours) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)place & ~(page - 1);
    if (mprotect((void *)start, page, PROT_READ | PROT_WRITE) == 0) *place = ours;
}

/// What a module's dynamic section tells of what it refers to.
typedef struct {
    const ElfW(Sym) *symbols;
    const char *names;
    struct {
        const ElfW(Rela) *first;
        size_t size;
    } tables[2];
} bindings;

static bindings read_bindings(const struct dl_phdr_info *info, const ElfW(Dyn) *entry) {
    bindings found = {0};
    for (; entry->d_tag != DT_NULL; entry += 1) {
        switch (entry->d_tag) {
        case DT_SYMTAB: found.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
        case DT_STRTAB: found.names = (const char *)entry->d_un.d_ptr; break;
        case DT_JMPREL: found.tables[0].first = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: found.tables[0].size = entry->d_un.d_val; break;
        case DT_RELA: found.tables[1].first = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
        case DT_RELASZ: found.tables[1].size = entry->d_un.d_val; break;
        default: break;
        }
    }
    // Of the kernel's own module the places are not those in memory.
    if ((uintptr_t)found.symbols < info->dlpi_addr || (uintptr_t)found.names < info->dlpi_addr) found.symbols = NULL;
    return found;
}

static void exchange_bindings(const struct dl_phdr_info *info, const bindings *module, const exchange *wanted) {
    for (int table = 0; table < 2; table += 1) {
        const ElfW(Rela) *first = module->tables[table].first;
        for (size_t place = 0; first && place < module->tables[table].size / sizeof *first; place += 1) {
            unsigned type = ELF64_R_TYPE(first[place].r_info);
            if (type != binds_call && type != binds_address) continue;
            const char *name = module->names + module->symbols[ELF64_R_SYM(first[place].r_info)].st_name;
            for (size_t each = 0; each < wanted->count; each += 1) {
                if (strcmp(wanted->stand_ins[each].name, name) != 0) continue;
                put((const void **)(info->dlpi_addr + first[place].r_offset), wanted->stand_ins[each].ours);
            }
        }
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    const exchange *wanted = context;
    if (!wanted->takes(info->dlpi_name)) return 0;
    for (int segment = 0; segment < info->dlpi_phnum; segment += 1) {
        if (info->dlpi_phdr[segment].p_type != PT_DYNAMIC) continue;
        bindings module = read_bindings(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[segment].p_vaddr));
        if (module.symbols && module.names) exchange_bindings(info, &module, wanted);
    }
    return 0;
}

void modules_exchange(const stand_in *stand_ins, size_t count, bool (*takes)(const char *path)) {
    exchange wanted = {.stand_ins = stand_ins, .count = count, .takes = takes};
    dl_iterate_phdr(visit, &wanted);
}
