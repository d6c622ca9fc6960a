/* json_blocks.c - the scan of JSON finds the same tokens in blocks as byte by byte, for every length below 200 bytes and many up to three
 * chunks, and reads nothing outside: the text ends where an unreadable page begins. */
#define _GNU_SOURCE
#include "CSystemEncode.h"
#include "CSystemJSON.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

csystem_json_indexer plain_json_index;
double csystem_parse_double(const char *text);

/* A function of another file that json.c uses. */
double csystem_parse_double(const char *text) { return strtod(text, NULL); }

enum { LONGEST = 3 * CSYSTEM_JSON_CHUNK };

static uint32_t state = 20261122;

static uint32_t any(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

typedef struct tokens {
    size_t count;
    int is_refused;
    uint32_t offsets[LONGEST];
} tokens;

static void scan(csystem_json_indexer *indexer, const uint8_t *text, size_t length, tokens *out)
{
    uint32_t chunk[CSYSTEM_JSON_CHUNK + 64];
    csystem_json_scan scan = csystem_json_start(text, length);
    out->count = 0;
    while (scan.position < length && !scan.is_refused) {
        const size_t found = indexer(&scan, chunk);
        memcpy(out->offsets + out->count, chunk, found * sizeof *chunk);
        out->count += found;
    }
    out->is_refused = scan.is_refused != 0;
}

static int is_same(csystem_json_indexer *indexer, const uint8_t *text, size_t length)
{
    static tokens blocks, plain;
    scan(indexer, text, length, &blocks);
    scan(plain_json_index, text, length, &plain);
    if (blocks.is_refused != plain.is_refused)
        return 0;
    return plain.is_refused ||
           (blocks.count == plain.count && memcmp(blocks.offsets, plain.offsets, plain.count * sizeof(uint32_t)) == 0);
}

/* Texts whose strings mostly end, because the scan refuses others early. */
static void write_text(uint8_t *text, size_t length, uint32_t kind)
{
    static const char *const parts[] = { "{", "}", "[", "]", ",", ":", " ", "\n", "\"abc\"", "\"\\\"\"", "\"\\\\\"", "\"\\\\\\\\\\\"x\"",
        "\"\303\251 \346\227\245 \360\237\230\203\"", "12", "-0.5e+7", "true", "null", "\t\r", "\"0123456789012345678901234567890123456789\"", "x" };
    size_t at = 0;
    while (at < length) {
        const char *const part = parts[any(sizeof parts / sizeof *parts)];
        const size_t count = strlen(part) < length - at ? strlen(part) : length - at;
        memcpy(text + at, part, count);
        at += count;
    }
    /* Control bytes outside of strings may be tokens or not (json.h); the grammar refuses both, so that none are written. */
    if (length > 0 && kind == 1)
        text[any((uint32_t)length)] = (uint8_t)(0x20 + any(256 - 0x20));
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (LONGEST + page) / page * page;
    uint8_t *const memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    csystem_json_indexer *const indexers[] = { csystem_json_index_blocks, csystem_best_json_indexer() };
    size_t checked = 0;
    if (memory == MAP_FAILED || mprotect(memory + room, page, PROT_NONE) != 0)
        return 2;
    for (size_t length = 0; length <= LONGEST; length += length < 200 ? 1 : length % CSYSTEM_JSON_CHUNK > 66 && length % CSYSTEM_JSON_CHUNK < CSYSTEM_JSON_CHUNK - 200 ? 131 : 7) {
        uint8_t *const text = memory + room - length;
        for (uint32_t round = 0; round < 8; round++) {
            write_text(text, length, round & 1);
            for (size_t index = 0; index < 2; index++, checked++) {
                if (!is_same(indexers[index], text, length)) {
                    printf("json: expected the tokens of one byte at a time for %zu bytes, round %u, indexer %zu\n", length, round, index);
                    return 1;
                }
            }
        }
    }
    for (size_t length = 0; length < 100; length++) {
        uint8_t *const text = memory + room - length;
        for (uint32_t round = 0; round < 64; round++, checked++) {
            size_t end = 0;
            for (size_t at = 0; at < length; at++)
                text[at] = (uint8_t)(round % 8 && any(40) ? '0' + any(10) : any(256));
            while (end < length && text[end] >= '0' && text[end] <= '9')
                end++;
            if (csystem_digits_end(text, 0, length) != end) {
                printf("json: expected %zu digits of %zu bytes, got %zu\n", end, length, csystem_digits_end(text, 0, length));
                return 1;
            }
            for (size_t at = 0; at < 32 && length >= 32; at++) {
                const uint32_t expected = text[at] < '0' || text[at] > '9';
                if ((csystem_not_digits(text) >> at & 1) != expected) {
                    printf("json: byte %zu, %u: expected %u\n", at, text[at], expected);
                    return 1;
                }
            }
        }
    }
    printf("%zu scans of JSON and runs of digits end as one byte at a time\n", checked);
    return 0;
}
