/* rounding.c - the functions of libm that compiled Swift code calls on x86-64, because the first processors of this architecture
 * have no instruction for them.
 *
 * The Makefile renames the calls of Swift code, so that the library does not need libm, which takes longer to load than the library
 * itself.  The results are those of libm, bit for bit (Tests/processor/rounding.c). */
#include <stdint.h>

double csystem_trunc(double number);
double csystem_floor(double number);
double csystem_ceil(double number);
double csystem_round(double number);

/* From 2^52 on, every number is an integer; NaN is neither. */
double csystem_trunc(double number)
{
    return number > -0x1p52 && number < 0x1p52 ? __builtin_copysign((double)(int64_t)number, number) : number;
}

double csystem_floor(double number)
{
    const double whole = csystem_trunc(number);
    return whole > number ? whole - 1 : whole;
}

double csystem_ceil(double number) { return -csystem_floor(-number); }

/* Rounds halves away from zero. */
double csystem_round(double number)
{
    const double whole = csystem_trunc(number);
    return __builtin_fabs(number - whole) >= 0.5 ? whole + __builtin_copysign(1, number) : whole;
}
