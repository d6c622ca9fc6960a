/* CCounting.h - the number of allocations of this program: its malloc replaces that of the C library. */
#ifndef CCOUNTING_H
#define CCOUNTING_H

#include <stdint.h>

uint64_t ccounting_allocations(void);

#endif
