// Has a variable of the same name as one of second.c.

#include "kit.h"

#include <pthread.h>

int kit_global = 7;
int kit_zero;

static int counter = 1;
static const char *name = "fresh";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int setups;
static __thread int thread_count = 4;
static __thread int thread_zero;

static void set_up(void) { setups++; }

int kit_first_count(void) { return counter++; }

int kit_calls(void) {
    static int calls = 5;
    return calls++;
}

int kit_setups(void) {
    pthread_once(&once, set_up);
    return setups;
}

int kit_thread_count(void) { return thread_count++; }
int kit_thread_zero(void) { return thread_zero++; }
const char *kit_name(void) { return name; }
void kit_rename(void) { name = "used"; }
