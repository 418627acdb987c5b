// What else client code asks the system for: chance, and the standard output and error.

#define _GNU_SOURCE
#include "callers.h"
#include "files.h"
#include "model.h"
#include "next.h"
#include "own.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef STAMPEDE_STANDS_ASIDE

// MARK: Chance, from the user's own stream

static bool fill(void *bytes, size_t count) {
    // Under the wall clock no run is the same again anyway.
    if (!stampede_top || stampede_top->app->has_wall_clock || !stampede_top->app->process) return false;
    stampede_the_host.fill_random(stampede_top->app->process, bytes, count);
    return true;
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    if (fill(bytes, count)) return (ssize_t)count;
    return syscall(SYS_getrandom, bytes, count, flags);
}

int getentropy(void *bytes, size_t count) {
    if (fill(bytes, count)) return 0;
    return NEXT(getentropy)(bytes, count);
}

void swift_stdlib_random(void *bytes, intptr_t count) {
    if (fill(bytes, (size_t)count)) return;
    // What the library's own does. There is none behind this one where the program holds the library itself.
    for (char *place = bytes; count > 0;) {
        ssize_t filled = getrandom(place, (size_t)count, 0);
        if (filled > 0) (place += filled, count -= filled);
    }
}

uint32_t arc4random(void) {
    uint32_t value;
    return fill(&value, sizeof value) ? value : NEXT(arc4random)();
}

void arc4random_buf(void *bytes, size_t count) {
    if (!fill(bytes, count)) NEXT(arc4random_buf)(bytes, count);
}

uint32_t arc4random_uniform(uint32_t bound) {
    uint64_t value;
    if (!fill(&value, sizeof value)) return NEXT(arc4random_uniform)(bound);
    return bound < 2 ? 0 : (uint32_t)(value % bound);
}

long random(void) {
    uint32_t value;
    return fill(&value, sizeof value) ? value >> 1 : NEXT(random)();
}

int rand(void) {
    uint32_t value;
    return fill(&value, sizeof value) ? (int)(value >> 1) : NEXT(rand)();
}

double drand48(void) {
    uint64_t value;
    return fill(&value, sizeof value) ? (double)(value >> 11) / (double)(UINT64_C(1) << 53) : NEXT(drand48)();
}

// Whoever sets the seed of the process would set it for all its devices.
void srandom(unsigned seed) {
    if (!stampede_top) NEXT(srandom)(seed);
}

void srand(unsigned seed) {
    if (!stampede_top) NEXT(srand)(seed);
}

void srand48(long seed) {
    if (!stampede_top) NEXT(srand48)(seed);
}

// MARK: Output

static bool is_caught(int descriptor) {
    return stampede_top && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) && stampede_top->app->process;
}

/// Whether it is output of a thread of the app's own under the virtual clock, which goes where the harness's goes.
static bool is_beside(int descriptor) {
    return !stampede_top && stampede_thread_app && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO);
}

/// Of all such threads of the process, in bytes; the rest is left out.
enum { beside_max = 1 << 20 };
static size_t beside_count;

static bool is_left_out(int descriptor, size_t count) {
    static const char note[] = "[what threads of apps printed from here on is left out]\n";
    if (!is_beside(descriptor)) return false;
    size_t before = __atomic_fetch_add(&beside_count, count, __ATOMIC_RELAXED);
    if (before + count <= beside_max) return false;
    if (before <= beside_max) syscall(SYS_write, STDERR_FILENO, note, sizeof note - 1);
    return true;
}

static bool catch(int descriptor, const void *bytes, size_t count) {
    if (!is_caught(descriptor)) return is_left_out(descriptor, count);
    stampede_frame *top = stampede_top;
    // What takes it down is no client code.
    stampede_top = NULL;
    stampede_the_host.wrote(top->app->process, descriptor, bytes, count);
    stampede_top = top;
    return true;
}

/// Whether so much may be written to a stream, which may be of a file in a home.
static bool has_room(FILE *stream, size_t count) {
    return !client_app() || descriptor_has_room(fileno(stream), count);
}

static int descriptor_of(FILE *stream) {
    if (!stampede_top && !stampede_thread_app) return -1;
    return stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : -1;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    // Why Swift's runtime ends the process is not the app's to say: the log ends with it.
    bool is_last_word = is_caught(descriptor) && caller_is_runtime(__builtin_return_address(0));
    if (catch(descriptor, bytes, count) && !is_last_word) return (ssize_t)count;
    if (descriptor_is_refused(descriptor) || !descriptor_has_room(descriptor, count)) return -1;
    if (descriptor_write_begins(descriptor) == change_is_dropped) return (ssize_t)count;
    ssize_t written = syscall(SYS_write, descriptor, bytes, count);
    descriptor_written(descriptor);
    return written;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    bool is_output = is_caught(descriptor);
    size_t room = 0;
    for (int part = 0; part < count; part += 1) room += parts[part].iov_len;
    if (!is_output && (descriptor_is_refused(descriptor) || !descriptor_has_room(descriptor, room))) return -1;
    if (!is_output && is_left_out(descriptor, room)) return (ssize_t)room;
    bool is_dropped = !is_output && descriptor_write_begins(descriptor) == change_is_dropped;
    if (!is_output && !is_dropped) {
        ssize_t written = syscall(SYS_writev, descriptor, parts, count);
        descriptor_written(descriptor);
        return written;
    }
    ssize_t total = 0;
    for (int part = 0; part < count; part += 1) {
        if (is_output) catch(descriptor, parts[part].iov_base, parts[part].iov_len);
        total += (ssize_t)parts[part].iov_len;
    }
    return total;
}

size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    if (catch(descriptor_of(stream), bytes, size * count)) return count;
    if (!has_room(stream, size * count)) return 0;
    return NEXT(fwrite)(bytes, size, count, stream);
}

int fputs(const char *restrict text, FILE *restrict stream) {
    if (catch(descriptor_of(stream), text, strlen(text))) return 1;
    if (!has_room(stream, strlen(text))) return EOF;
    return NEXT(fputs)(text, stream);
}

int fputc(int character, FILE *stream) {
    char byte = (char)character;
    if (catch(descriptor_of(stream), &byte, 1)) return (unsigned char)byte;
    return NEXT(fputc)(character, stream);
}

#undef putc
int putc(int character, FILE *stream) { return fputc(character, stream); }

#undef putchar
int putchar(int character) { return fputc(character, stdout); }

int puts(const char *text) {
    if (!stampede_top && !stampede_thread_app) return NEXT(puts)(text);
    fputs(text, stdout);
    return fputc('\n', stdout);
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
    int descriptor = descriptor_of(stream);
    if (!is_caught(descriptor) && !is_beside(descriptor)) return NEXT(vfprintf)(stream, format, arguments);
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    if (length >= 0 && !catch(descriptor, text, (size_t)length)) NEXT(fwrite)(text, 1, (size_t)length, stream);
    free(text);
    return length;
}

int vprintf(const char *restrict format, va_list arguments) { return vfprintf(stdout, format, arguments); }

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int printf(const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

#endif
