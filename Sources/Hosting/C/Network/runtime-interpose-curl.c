// libcurl's functions, by which Foundation's `URLSession` reaches the network, and C code too: what client code makes with them
// is answered by the simulation. Their handles are ours; elsewhere they are the library's, if the program has it.

#define _GNU_SOURCE
#include "http.h"
#include "modules.h"
#include "next.h"

#include <stdarg.h>
#include <string.h>

#ifndef STAMPEDE_STANDS_ASIDE

/// Whether the calling code's requests are the simulation's to answer.
static bool is_served(void) { return stampede_top && stampede_top->app->process && stampede_the_host.transfer; }

#define VALUE_AFTER(last) ({ \
        va_list rest; \
        va_start(rest, last); \
        void *value = va_arg(rest, void *); \
        va_end(rest); \
        value; \
    })

// Weak: a program may hold the library itself.
#pragma clang attribute push(__attribute__((weak)), apply_to = function)

void *curl_easy_init(void) { return is_served() ? (void *)easy_make() : NEXT(curl_easy_init)(); }

int curl_easy_setopt(void *handle, int option, ...) {
    void *value = VALUE_AFTER(option);
    easy *ours = easy_of(handle);
    if (!ours) return NEXT(curl_easy_setopt)(handle, option, value);
    easy_set(ours, option, value);
    return 0;
}

int curl_easy_getinfo(void *handle, int info, ...) {
    void *place = VALUE_AFTER(info);
    easy *ours = easy_of(handle);
    if (!ours) return NEXT(curl_easy_getinfo)(handle, info, place);
    easy_get(ours, info, place);
    return 0;
}

int curl_easy_pause(void *handle, int mask) {
    easy *ours = easy_of(handle);
    if (!ours) return NEXT(curl_easy_pause)(handle, mask);
    easy_pause(ours, mask);
    return 0;
}

void curl_easy_cleanup(void *handle) {
    easy *ours = easy_of(handle);
    if (ours) easy_free(ours);
    else NEXT(curl_easy_cleanup)(handle);
}

void *curl_multi_init(void) { return is_served() ? (void *)multi_make() : NEXT(curl_multi_init)(); }

int curl_multi_setopt(void *handle, int option, ...) {
    void *value = VALUE_AFTER(option);
    multi *ours = multi_of(handle);
    if (!ours) return NEXT(curl_multi_setopt)(handle, option, value);
    if (option == multi_option_timer_function) ours->timer = (timer_function)value;
    if (option == multi_option_timer_data) ours->timer_data = value;
    return 0;
}

int curl_multi_add_handle(void *handle, void *transfer) {
    multi *ours = multi_of(handle);
    if (!ours) return NEXT(curl_multi_add_handle)(handle, transfer);
    if (easy_of(transfer)) multi_add(ours, transfer);
    return 0;
}

int curl_multi_remove_handle(void *handle, void *transfer) {
    multi *ours = multi_of(handle);
    if (!ours) return NEXT(curl_multi_remove_handle)(handle, transfer);
    if (easy_of(transfer)) multi_remove(ours, transfer);
    return 0;
}

int curl_multi_assign(void *handle, int socket, void *pointer) {
    return multi_of(handle) ? 0 : NEXT(curl_multi_assign)(handle, socket, pointer);
}

int curl_multi_socket_action(void *handle, int socket, int events, int *running) {
    multi *ours = multi_of(handle);
    if (!ours) return NEXT(curl_multi_socket_action)(handle, socket, events, running);
    *running = multi_work(ours);
    return 0;
}

void *curl_multi_info_read(void *handle, int *left) {
    multi *ours = multi_of(handle);
    if (!ours) return NEXT(curl_multi_info_read)(handle, left);
    *left = 0;
    return multi_next_message(ours);
}

int curl_multi_cleanup(void *handle) {
    multi *ours = multi_of(handle);
    if (!ours) return NEXT(curl_multi_cleanup)(handle);
    multi_free(ours);
    return 0;
}

#pragma clang attribute pop

// MARK: Standing in front
//
// The library's symbols have a version, and a program's without one are not shown to other modules: the places by which
// these call the library are told ours.

static const stand_in functions[] = {
    {"curl_easy_init", curl_easy_init},
    {"curl_easy_setopt", curl_easy_setopt},
    {"curl_easy_getinfo", curl_easy_getinfo},
    {"curl_easy_pause", curl_easy_pause},
    {"curl_easy_cleanup", curl_easy_cleanup},
    {"curl_multi_init", curl_multi_init},
    {"curl_multi_setopt", curl_multi_setopt},
    {"curl_multi_add_handle", curl_multi_add_handle},
    {"curl_multi_remove_handle", curl_multi_remove_handle},
    {"curl_multi_assign", curl_multi_assign},
    {"curl_multi_socket_action", curl_multi_socket_action},
    {"curl_multi_info_read", curl_multi_info_read},
    {"curl_multi_cleanup", curl_multi_cleanup},
};

/// The program's own calls come to it anyway, and the library calls itself.
static bool calls_library(const char *path) { return path[0] && !strstr(path, "/libcurl"); }

void http_stand_in_front(void) {
    modules_exchange(functions, sizeof functions / sizeof *functions, calls_library);
}

#else

void http_stand_in_front(void) {}

#endif
