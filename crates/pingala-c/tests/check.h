/* Checks for the tests of the C ABI: a failed one names its line, and the program ends with status 1. */
#ifndef CHECK_H
#define CHECK_H

#include "pingala.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed = 0;
static char why[256];

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, why); \
            failed = 1;                                                                     \
        }                                                                                   \
    } while (0)

/* A call that succeeds. Its arguments end with the message. */
#define OK(call) CHECK((call) == PINGALA_OK)

/* Where a message goes. */
#define WHY why, sizeof why

#endif
