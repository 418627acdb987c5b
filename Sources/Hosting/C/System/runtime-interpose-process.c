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

/// Whether client code asks for another process: it gets none.
static bool refuses_program(const char *name) {
    if (!client_app()) return false;
    stampede_uses_outside(stampede_outside_program, name ? name : "");
    errno = EPERM;
    return true;
}

int posix_spawn(
    pid_t *restrict process, const char *restrict path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const *restrict arguments, char *const *restrict environment
) {
    if (refuses_program(path)) return EPERM;
    return NEXT(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

int posix_spawnp(
    pid_t *restrict process, const char *restrict name, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const *restrict arguments, char *const *restrict environment
) {
    if (refuses_program(name)) return EPERM;
    return NEXT(posix_spawnp)(process, name, actions, attributes, arguments, environment);
}

pid_t fork(void) { return refuses_program("fork") ? -1 : NEXT(fork)(); }
/// A function around the system's own could not return twice.
pid_t vfork(void) { return refuses_program("vfork") ? -1 : NEXT(fork)(); }
int daemon(int stays, int shows) { return refuses_program("daemon") ? -1 : NEXT(daemon)(stays, shows); }

int system(const char *command) {
    // Whether there is a shell: there is none.
    if (!command && client_app()) return 0;
    return refuses_program(command) ? -1 : NEXT(system)(command);
}

FILE *popen(const char *command, const char *mode) {
    return refuses_program(command) ? NULL : NEXT(popen)(command, mode);
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
    return refuses_program(path) ? -1 : NEXT(execve)(path, arguments, environment);
}

int execv(const char *path, char *const arguments[]) {
    return refuses_program(path) ? -1 : NEXT(execv)(path, arguments);
}

int execvp(const char *name, char *const arguments[]) {
    return refuses_program(name) ? -1 : NEXT(execvp)(name, arguments);
}

int execvpe(const char *name, char *const arguments[], char *const environment[]) {
    return refuses_program(name) ? -1 : NEXT(execvpe)(name, arguments, environment);
}

int fexecve(int descriptor, char *const arguments[], char *const environment[]) {
    return refuses_program("fexecve") ? -1 : NEXT(fexecve)(descriptor, arguments, environment);
}

int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags) {
    return refuses_program(path) ? -1 : (int)syscall(SYS_execveat, folder, path, arguments, environment, flags);
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

pid_t setsid(void) { return client_app() ? (errno = EPERM, -1) : NEXT(setsid)(); }
int setpgid(pid_t process, pid_t group) {
    return client_app() ? (errno = EPERM, -1) : NEXT(setpgid)(process, group);
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

// MARK: What is the machine's

/// `call` is the function's, whose parameters are `parameters`; in client code it is not permitted.
#define NOT_PERMITTED(name, parameters, values) \
    int name parameters { \
        if (client_app()) return errno = EPERM, -1; \
        return NEXT(name) values; \
    }

NOT_PERMITTED(chroot, (const char *path), (path))
NOT_PERMITTED(reboot, (int command), (command))
NOT_PERMITTED(setuid, (uid_t user), (user))
NOT_PERMITTED(seteuid, (uid_t user), (user))
NOT_PERMITTED(setreuid, (uid_t real, uid_t effective), (real, effective))
NOT_PERMITTED(setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved))
NOT_PERMITTED(setgid, (gid_t group), (group))
NOT_PERMITTED(setegid, (gid_t group), (group))
NOT_PERMITTED(setregid, (gid_t real, gid_t effective), (real, effective))
NOT_PERMITTED(setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved))
NOT_PERMITTED(setgroups, (size_t count, const gid_t *groups), (count, groups))
NOT_PERMITTED(sethostname, (const char *name, size_t length), (name, length))
NOT_PERMITTED(umount, (const char *path), (path))
NOT_PERMITTED(umount2, (const char *path, int flags), (path, flags))
NOT_PERMITTED(
    mount, (const char *source, const char *target, const char *type, unsigned long flags, const void *data),
    (source, target, type, flags, data))

// What programs ask for as a favour is done as far as they can see.

int nice(int step) { return client_app() ? 0 : NEXT(nice)(step); }

int setpriority(__priority_which_t which, id_t who, int priority) {
    return client_app() ? 0 : NEXT(setpriority)(which, who, priority);
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
    return client_app() ? 0 : NEXT(setrlimit)(resource, limit);
}

#ifdef __GLIBC__
int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit) {
    return client_app() ? 0 : NEXT(setrlimit64)(resource, limit);
}
#endif

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
