/* floor_build.c - the URL builder that plans are compared with, in hand-written C for one kind of URL: strings between
 * literals.
 *
 * It has the optimisations of a careful program for known URLs: literals in one block of memory, a table that escapes a byte in one
 * store, space checked once for the worst case.  It lacks the features that a real builder needs: types, kinds of values, UTF-8,
 * dot segments, empty values, optional parameters, a message. */
#include "floor.h"

#include <string.h>

static uint32_t escapes[256];

__attribute__((constructor)) static void make_escapes(void)
{
    static const char digits[] = "0123456789ABCDEF";
    for (unsigned byte = 0; byte < 256; byte++) {
        const int is_bare = (byte | 32) - 'a' < 26u || byte - '0' < 10u || (byte && strchr("-._~", (int)byte));
        escapes[byte] = is_bare ? byte | 1u << 24
                                : '%' | (uint32_t)digits[byte >> 4] << 8 | (uint32_t)digits[byte & 15] << 16 | 3u << 24;
    }
}

enum { BLOCK = 16 }; /* literals are copied in blocks: each is followed by padding */

void floor_plan_make(floor_plan *plan, const char *const *pieces, size_t count)
{
    memset(plan, 0, sizeof *plan);
    plan->count = count;
    for (size_t index = 0; index < count; index++) {
        const size_t length = strlen(pieces[index]);
        memcpy(plan->text + plan->bytes, pieces[index], length);
        plan->start[index] = (uint32_t)plan->bytes;
        plan->length[index] = (uint32_t)length;
        plan->bytes += length;
    }
}

size_t floor_build(const floor_plan *plan, const char *const *values, const size_t *lengths, char *out, size_t capacity)
{
    size_t room = plan->bytes + BLOCK + 1;
    char *at = out;
    for (size_t index = 0; index < plan->count; index++)
        room += 3 * lengths[index];
    if (room > capacity)
        return 0;
    for (size_t index = 0; index < plan->count; index++) {
        const char *const piece = plan->text + plan->start[index];
        const unsigned char *const text = (const unsigned char *)values[index];
        for (size_t offset = 0; offset < plan->length[index]; offset += BLOCK)
            memcpy(at + offset, piece + offset, BLOCK);
        at += plan->length[index];
        for (size_t offset = 0; offset < lengths[index]; offset++) {
            const uint32_t escape = escapes[text[offset]];
            memcpy(at, &escape, 4);
            at += escape >> 24;
        }
    }
    *at = 0;
    return (size_t)(at - out);
}
