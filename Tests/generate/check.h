/* check.h - the check of the C programs of these tests. */
#include <stdio.h>

/* Returns from the function, which returns an int, after printing the line and the condition that does not hold. */
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            return 1; \
        } \
    } while (0)
