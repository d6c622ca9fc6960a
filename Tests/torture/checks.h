/* checks.h - makes checks of the library fail (checks.c). */
#ifndef TORTURE_CHECKS_H
#define TORTURE_CHECKS_H

#include "torture.h"

int run_checks(const char *list, const scenario *const *groups, size_t group_count, int jobs, int job);

#endif
