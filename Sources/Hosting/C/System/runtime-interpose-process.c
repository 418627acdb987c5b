// What client code asks the system for that would change the process, or the machine, for all: it is refused as on a
// phone, or it holds for the one app.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "next.h"
#include "own.h"

#include <errno.h>
#include <locale.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef STAMPEDE_STANDS_ASIDE

// MARK: Other programs

/// Whether client code asks for another process: it gets none, as on a phone.
static bool refuses_program(const char *name) {
    if (!client_app()) return false;
    stampede_uses_outside(stampede_outside_program, name ? name : "");
    errno = EPERM;
    return true;
}

#define PROGRAM(result, name, parameters, program, refusal, call) \
    result name parameters { return refuses_program(program) ? refusal : call; }
#define NOT_PERMITTED(name, parameters, values) \
    int name parameters { \
        if (client_app()) return errno = EPERM, -1; \
        return NEXT(name) values; \
    }
#define NOT_DONE(name, parameters, values) \
    int name parameters { return client_app() ? 0 : NEXT(name) values; }
#include "interposed.def"

int system(const char *command) {
    // Whether there is a shell: there is none.
    if (!command && client_app()) return 0;
    return refuses_program(command) ? -1 : NEXT(system)(command);
}

/// How many words there are from the first on, with the null behind them.
static size_t count_words(va_list words) {
    size_t count = 2;
    while (va_arg(words, char *)) count += 1;
    return count;
}

/// The words of a call of the `execl` family, and with `has_environment` what follows them.
#define EXECUTE_LIST(name, has_environment, call) \
    if (refuses_program(name)) return -1; \
    va_list rest; \
    va_start(rest, first); \
    size_t count = first ? count_words(rest) : 1; \
    va_end(rest); \
    char *words[count]; \
    words[0] = (char *)first; \
    va_start(rest, first); \
    for (size_t place = 1; place < count; place += 1) words[place] = va_arg(rest, char *); \
    char *const *environment = has_environment ? va_arg(rest, char *const *) : environ; \
    va_end(rest); \
    (void)environment; \
    return call

int execl(const char *path, const char *first, ...) {
    EXECUTE_LIST(path, false, NEXT(execve)(path, words, environment));
}

int execle(const char *path, const char *first, ...) {
    EXECUTE_LIST(path, true, NEXT(execve)(path, words, environment));
}

int execlp(const char *name, const char *first, ...) {
    EXECUTE_LIST(name, false, NEXT(execvp)(name, words));
}

/// Apps ask not to be debugged; the command would be taken for the debugger.
long ptrace(enum __ptrace_request request, ...) {
    if (client_app()) return request == PTRACE_TRACEME ? 0 : (errno = EPERM, -1);
    va_list rest;
    va_start(rest, request);
    pid_t process = va_arg(rest, pid_t);
    void *address = va_arg(rest, void *), *data = va_arg(rest, void *);
    va_end(rest);
    return NEXT(ptrace)(request, process, address, data);
}

// MARK: What is the process's

mode_t umask(mode_t mask) {
    stampede_app *app = client_app();
    if (!app) return (mode_t)syscall(SYS_umask, mask);
    struct app_own *own = own_of(app);
    mode_t former = own->has_mask ? own->mask : S_IWGRP | S_IWOTH;
    own->mask = mask & 0777;
    own->has_mask = true;
    return former;
}

char *setlocale(int category, const char *name) {
    return NEXT(setlocale)(category, client_app() ? NULL : name);
}

/// - Parameter value: null: none.
static void set_variable(stampede_app *app, const char *name, size_t length, const char *value) {
    own_variable *made = malloc(sizeof *made + length + 1);
    memcpy(made->name, name, length);
    made->name[length] = 0;
    made->value = value ? strdup(value) : NULL;
    struct app_own *own = own_of(app);
    own_lock();
    made->next = own->variables;
    own->variables = made;
    own_unlock();
}

static bool is_variable(const char *name) { return name && *name && !strchr(name, '='); }

int setenv(const char *name, const char *value, int replaces) {
    stampede_app *app = client_app();
    if (!app) return NEXT(setenv)(name, value, replaces);
    if (!is_variable(name)) return errno = EINVAL, -1;
    if (replaces || !getenv(name)) set_variable(app, name, strlen(name), value);
    return 0;
}

int unsetenv(const char *name) {
    stampede_app *app = client_app();
    if (!app) return NEXT(unsetenv)(name);
    if (!is_variable(name)) return errno = EINVAL, -1;
    set_variable(app, name, strlen(name), NULL);
    return 0;
}

int putenv(char *text) {
    stampede_app *app = client_app();
    if (!app) return NEXT(putenv)(text);
    const char *end = strchr(text, '=');
    if (end) set_variable(app, text, (size_t)(end - text), end + 1);
    else set_variable(app, text, strlen(text), NULL);
    return 0;
}

int clearenv(void) {
    stampede_app *app = client_app();
    if (!app) return NEXT(clearenv)();
    struct app_own *own = own_of(app);
    own_lock();
    own->is_cleared = true;
    // Code may hold the texts: they are hidden, and freed with the app.
    for (own_variable *one = own->variables; one; one = one->next) one->name[0] = 0;
    own_unlock();
    return 0;
}

#endif
