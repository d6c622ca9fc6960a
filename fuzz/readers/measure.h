/* measure.h - what a call takes: the peak of its memory, and steps. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

void measure_start(void);
/* The memory beside what was there at the start, and the steps; 0 where they are not counted. */
void measure_end(size_t *peak, size_t *steps);

#endif
