// The entries of an ELF symbol table, one after the other.

#include "statics.h"

#include <elf.h>
#include <string.h>

static Elf64_Sym entry_at(const unsigned char *entries, size_t place) {
    Elf64_Sym entry;
    memcpy(&entry, entries + place * sizeof entry, sizeof entry);
    return entry;
}

bool stampede_next_symbol(
    const unsigned char *entries, size_t count, size_t *place, uint32_t kinds, const bool *sections,
    size_t section_count, stampede_symbol *symbol) {
    while (*place < count) {
        Elf64_Sym entry = entry_at(entries, (*place)++);
        uint8_t kind = ELF64_ST_TYPE(entry.st_info);
        if (!(kinds >> kind & 1)) continue;
        if (kind != STT_FILE && (entry.st_shndx >= section_count || !sections[entry.st_shndx])) continue;
        *symbol = (stampede_symbol){
            .name = entry.st_name,
            .kind = kind,
            .binding = ELF64_ST_BIND(entry.st_info),
            .section = entry.st_shndx,
            .address = entry.st_value,
            .size = entry.st_size,
        };
        return true;
    }
    return false;
}

bool stampede_symbols_define(
    const unsigned char *entries, size_t count, const char *names, size_t names_size, const char *wanted) {
    size_t size = strlen(wanted) + 1;
    for (size_t place = 0; place < count; place++) {
        Elf64_Sym entry = entry_at(entries, place);
        if (entry.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(entry.st_info) > STT_FUNC) continue;
        if (entry.st_name + size <= names_size && memcmp(names + entry.st_name, wanted, size) == 0) return true;
    }
    return false;
}
