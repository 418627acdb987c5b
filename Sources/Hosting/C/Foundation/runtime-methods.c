// Ours in the place of methods that code outside Foundation calls by the tables of its classes.

#define _GNU_SOURCE
#include "methods.h"

#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void replace_method(const char *class_symbol, const void *method, const void *ours) {
    enum { words_at_most = 512 };
    const void **words = dlsym(RTLD_DEFAULT, class_symbol);
    if (!words || !method) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int place = 0; place < words_at_most; place += 1) {
        if (words[place] != method) continue;
        uintptr_t start = (uintptr_t)&words[place] & ~(page - 1);
        mprotect((void *)start, 2 * page, PROT_READ | PROT_WRITE);
        words[place] = ours;
        return;
    }
}

// MARK: The receipt

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define BUNDLE "$s10Foundation6BundleC"

typedef struct { void *words[2]; } optional_url;
typedef SWIFT optional_url (*receipt_getter)(SELF);
typedef SWIFT void *(*bundle_getter)(SELF);

extern void swift_release(void *object);

static receipt_getter next_receipt;
static bundle_getter main_bundle;
static void *bundle_class;
static void (*find_receipt)(void *words[2]);

static SWIFT optional_url receipt(SELF) {
    void *of_program = main_bundle(bundle_class);
    swift_release(of_program);
    if (self != of_program) return next_receipt(self);
    optional_url found = {{0}};
    find_receipt(found.words);
    return found;
}

void receipt_stand_in_front(void (*find)(void *words[2])) {
    next_receipt = (receipt_getter)dlsym(RTLD_DEFAULT, BUNDLE "18appStoreReceiptURL0A10Essentials0F0VSgvg");
    main_bundle = (bundle_getter)dlsym(RTLD_DEFAULT, BUNDLE "4mainACvgZ");
    bundle_class = dlsym(RTLD_DEFAULT, BUNDLE "N");
    find_receipt = find;
    if (main_bundle && find) replace_method(BUNDLE "N", (const void *)next_receipt, (const void *)receipt);
}
