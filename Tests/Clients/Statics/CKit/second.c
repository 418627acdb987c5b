// Has a variable of the same name as one of first.c.

#include "kit.h"

static int counter = 100;

int kit_second_count(void) { return counter++; }
