/* measure.h - measures a call: the peak of its memory, and steps. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

void measure_start(void);
/* The memory in addition to that at the start, and the steps; 0 if they are not counted. */
void measure_end(size_t *peak, size_t *steps);

#endif
