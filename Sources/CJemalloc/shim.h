#include <stddef.h>
#include <stdbool.h>
#include <jemalloc/jemalloc.h>
