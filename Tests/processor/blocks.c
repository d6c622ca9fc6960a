/* blocks.c - scanning for separators and percent-encoding give the same result in blocks of 16 bytes as byte by byte, for
 * every length, and read nothing outside: the bytes end where an unreadable page begins, or begin after one. */
#define _GNU_SOURCE
#include "CSystemEncode.h"
#include "CSystemScan.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint32_t state = 20261122;

static uint32_t any(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

static int is_bare(uint32_t byte)
{
    return byte != 0 && byte < 0x80 && strchr("-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", (int)byte) != NULL;
}

static int check_scan(const uint8_t *text, size_t count)
{
    const csystem_separators found = csystem_scan(text, count);
    uint64_t slashes = 0;
    int others = 0, perhaps = 0;
    for (size_t at = 0; at < count; at++) {
        slashes |= (uint64_t)(text[at] == '/') << at;
        others |= text[at] == '%' || text[at] == '?' || text[at] == '#';
        perhaps |= text[at] == '!' || text[at] == '\'';
    }
    return found.slashes == slashes && (others ? found.others != 0 : perhaps || found.others == 0);
}

static int check_encode(const uint8_t *text, size_t count, const uint32_t *table)
{
    static const char digits[] = "0123456789ABCDEF";
    uint8_t out[3 * 100 + CSYSTEM_SLACK], expected[3 * 100 + 1];
    size_t length = 0;
    int32_t is_doubtful = 0;
    int beyond_ascii = 0;
    if (csystem_best_encoder() != CSYSTEM_ENCODES_BLOCKS)
        return 1;
    for (size_t at = 0; at < count; at++) {
        beyond_ascii |= text[at] >= 0x80;
        expected[length++] = is_bare(text[at]) ? text[at] : '%';
        if (expected[length - 1] == '%') {
            expected[length++] = (uint8_t)digits[text[at] >> 4];
            expected[length++] = (uint8_t)digits[text[at] & 15];
        }
    }
    const uint8_t *const end = csystem_encode(text, count, table, out, &is_doubtful);
    return (size_t)(end - out) == length && memcmp(out, expected, length) == 0 && (beyond_ascii || !is_doubtful);
}

int main(void)
{
    static const char often[] = "abcXYZ019-._~/%?#!' \"";
    static uint32_t table[256];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *const pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long checked = 0;
    if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) != 0 || mprotect(pages + 2 * page, page, PROT_NONE) != 0)
        return 1;
    for (uint32_t byte = 0; byte < 256; byte++)
        table[byte] = is_bare(byte) ? byte | 1u << 24
                                    : '%' | (uint32_t)"0123456789ABCDEF"[byte >> 4] << 8 | (uint32_t)"0123456789ABCDEF"[byte & 15] << 16 | 3u << 24;
    for (int round = 0; round < 400; round++)
        for (size_t count = 0; count <= 100; count++) {
            uint8_t *const text = round % 2 ? pages + page : pages + 2 * page - count;
            const uint32_t bare = any(3) ? 3 : 40; /* one byte in 3 or in 40 may have to be escaped */
            for (size_t at = 0; at < count; at++)
                text[at] = any(bare) ? (uint8_t)('a' + any(26)) : any(2) ? (uint8_t)often[any(sizeof often - 1)] : (uint8_t)any(256);
            if (!check_encode(text, count, table) || (count >= 8 && count <= 64 && !check_scan(text, count))) {
                printf("%zu bytes differ\n", count);
                return 1;
            }
            checked++;
        }
    printf("%ld values of 0 to 100 bytes\n", checked);
    return 0;
}
