/* count.c - repeats one operation, for benchmarks/instructions/run: `count OPERATION TIMES [VALUE]`.
 *
 *   scan N     finds the separators among N bytes
 *   encode     percent-encodes VALUE as an id is encoded
 *   json       finds the tokens of the JSON file VALUE
 *   match      matches a path of seven segments
 *   write      writes the URL of three ids, each VALUE */
#include "CSystemEncode.h"
#include "CSystemJSON.h"
#include "CSystemScan.h"

#include <routable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile uint64_t sum;
static uint32_t table[256];

static void make_table(void)
{
    static const char digits[] = "0123456789ABCDEF";
    for (uint32_t byte = 0; byte < 256; byte++) {
        const int is_bare = byte != 0 && strchr("-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", (int)byte) != NULL;
        table[byte] = is_bare ? byte | 1u << 24
                              : '%' | (uint32_t)digits[byte >> 4] << 8 | (uint32_t)digits[byte & 15] << 16 | 3u << 24;
    }
}

/* The same as QuickPlan.swift without a block encoder. */
static __attribute__((noinline)) uint8_t *encode_bytes(const uint8_t *text, size_t count, uint8_t *out, uint32_t *seen)
{
    for (const uint8_t *const end = text + count; text != end; text++) {
        memcpy(out, &table[*text], 4);
        out += table[*text] >> 24;
        *seen |= *text;
    }
    return out;
}

static __attribute__((noinline)) void scan(const char *text, size_t count)
{
    const csystem_separators found = csystem_scan(text, count);
    sum += found.slashes + found.others;
}

static void find_tokens(const char *name, long times)
{
    static uint8_t text[1 << 16];
    static uint32_t offsets[CSYSTEM_JSON_OFFSETS];
    FILE *const file = fopen(name, "rb");
    const size_t count = file ? fread(text, 1, sizeof text, file) : 0;
    for (long at = 0; at < times; at++) {
        csystem_json_scan scan = csystem_json_start(text, count);
        size_t found;
        while ((found = scan.index(&scan, offsets)) > 0)
            sum += found;
    }
    if (!count || fclose(file) != 0)
        exit(1);
}

static void match_or_write(const char *thing, long times, const char *text)
{
    static const char path[] = "/users/initFabian/statuses/3/comments/32352/users/fakeUser";
    routable_router *router = NULL;
    routable_plan *plan = NULL;
    routable_match match;
    routable_value ids[4];
    char out[1024];
    size_t length = 0;
    if (routable_router_open_file("examples/social.json", NULL, &router, NULL) ||
        routable_plan_new(router, "user.status.comment", "read", &plan, NULL))
        exit(1);
    for (int index = 0; index < 4; index++)
        ids[index] = routable_value_str((routable_str) { text, strlen(text) });
    for (long at = 0; at < times; at++) {
        if (*thing == 'm' ? routable_router_match(router, "GET", routable_str_from_bytes(path, sizeof path - 1), 0, &match)
                          : routable_plan_write(plan, ids, 3, NULL, 0, out, sizeof out, &length, NULL))
            exit(1);
        sum += length;
    }
}

int main(int argc, char **argv)
{
    static const char path[65] = "/users/initFabian/statuses/3/comments/32352/users/fakeUser/files";
    const char *const thing = argc > 2 ? argv[1] : "";
    const char *const text = argc > 3 ? argv[3] : "";
    const long times = argc > 2 ? atol(argv[2]) : 0;
    uint8_t out[1024];
    if (!strcmp(thing, "scan")) {
        const size_t count = (size_t)atol(text);
        for (long at = 0; at < times; at++)
            scan(path, count);
    } else if (!strcmp(thing, "encode")) {
        const size_t count = strlen(text);
        make_table();
        for (long at = 0; at < times; at++) {
            int32_t is_doubtful = 0;
            uint32_t seen = 0;
#if CSYSTEM_HAS_NEON || CSYSTEM_HAS_AVX2
            sum += (uint64_t)(csystem_encode((const uint8_t *)text, count, table, out, &is_doubtful) - out);
#else
            sum += (uint64_t)(encode_bytes((const uint8_t *)text, count, out, &seen) - out);
#endif
            (void)seen, (void)is_doubtful, (void)encode_bytes;
        }
    } else if (!strcmp(thing, "json")) {
        find_tokens(text, times);
    } else {
        match_or_write(thing, times, text);
    }
    return 0;
}
