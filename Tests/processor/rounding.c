/* Compares the rounding of Sources/CSystem/rounding.c with libm: numbers of all sizes, numbers next to integers and halves, infinities
 * and NaN. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double csystem_trunc(double number);
double csystem_floor(double number);
double csystem_ceil(double number);
double csystem_round(double number);

static uint64_t bits(double number)
{
    uint64_t result;
    memcpy(&result, &number, sizeof result);
    return result;
}

static double number_of(uint64_t bits)
{
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static int compare(double number)
{
    static const struct { const char *name; double (*ours)(double), (*libm)(double); } functions[] = {
        { "trunc", csystem_trunc, trunc }, { "floor", csystem_floor, floor }, { "ceil", csystem_ceil, ceil },
        { "round", csystem_round, round },
    };
    int faults = 0;
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        const double ours = functions[index].ours(number), libm = functions[index].libm(number);
        if (bits(ours) != bits(libm) && !(isnan(ours) && isnan(libm))) {
            printf("%s(%a): expected %a, got %a\n", functions[index].name, number, libm, ours);
            faults++;
        }
    }
    return faults;
}

int main(void)
{
    const uint64_t edges[] = { 0, 1, bits(0.5), bits(1), bits(1.5), bits(2), bits(2.5), bits(0x1p51), bits(0x1p51 + 0.5), bits(0x1p52),
        bits(0x1p53), bits(0x1p62), bits(0x1p63), bits(0x1p64), bits(1e308), bits(INFINITY), bits(NAN) };
    uint64_t state = 20261124, count = 0;
    int faults = 0;
    for (size_t index = 0; index < sizeof edges / sizeof *edges; index++)
        for (int64_t step = -3; step <= 3; step++)
            for (int sign = 0; sign < 2; sign++, count++)
                faults += compare(number_of((edges[index] + (uint64_t)step) ^ ((uint64_t)sign << 63)));
    for (int turn = 0; turn < 1000000 && faults < 10; turn++, count += 2) {
        state = state * 6364136223846793005 + 1442695040888963407;
        faults += compare(number_of(state ^ state >> 29));
        faults += compare((double)(int64_t)(state >> 20 & 0xFFFFFF) / 4 - 2000000);
    }
    printf("%" PRIu64 " numbers rounded as libm does", count);
    return faults > 0;
}
