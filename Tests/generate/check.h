/* check.h - what the C programs of these tests check with. */
#include <stdio.h>

/* Ends the function, which returns an int, with the line and the condition that does not hold. */
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            return 1; \
        } \
    } while (0)
