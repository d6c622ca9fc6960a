/* coverage.c - records which places of the library the inputs reached: one line for each place that the compiler numbered, `1` or `0` and
 * its offset in the program, in the file that READERS_COVERAGE names. scripts/fuzz_coverage prints a table by file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct place { uintptr_t address, is_entry; } place;
static struct { uint8_t *start, *end; const place *places; } parts[256];
static size_t part_count, place_count;
extern const char __executable_start;

static void write_coverage(void)
{
    const char *const path = getenv("READERS_COVERAGE");
    FILE *const file = path ? fopen(path, "w") : NULL;
    size_t i, k;
    if (!file)
        return;
    for (i = 0; i < part_count; i++)
        for (k = 0; parts[i].start + k < parts[i].end; k++)
            fprintf(file, "%d 0x%lx\n", parts[i].start[k] != 0, (unsigned long)(parts[i].places[k].address - (uintptr_t)&__executable_start));
    fclose(file);
}

/* After linking, each module passes the same sections. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end)
{
    size_t i;
    for (i = 0; i < part_count; i++)
        if (parts[i].start == start)
            return;
    if (part_count < 256 && start != end) {
        parts[part_count].start = start;
        parts[part_count++].end = end;
    }
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
    size_t i;
    for (i = 0; i < place_count; i++)
        if (parts[i].places == (const place *)start)
            return;
    if (start != end && place_count < 256)
        parts[place_count++].places = (const place *)start;
    if (place_count == 1)
        atexit(write_coverage);
}
