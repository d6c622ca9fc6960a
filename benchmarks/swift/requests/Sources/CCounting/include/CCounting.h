/* CCounting.h - how many allocations this program has made: its malloc stands before the C library's. */
#ifndef CCOUNTING_H
#define CCOUNTING_H

#include <stdint.h>

uint64_t ccounting_allocations(void);

#endif
