/* floor.c - the router that the library is compared with: the same technique in hand-written C, only for plain
 * parameters, without the features that a real router needs.
 *
 * No escapes, no queries, no methods, no limits, no backtracking, no bounds: it reads up to 16 bytes after
 * the path (the caller pads it), and returns the number of the route and the ranges of its parameters. */
#include "floor.h"

#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot { /* 32 bytes: a key, and the header of its node */
    uint64_t first, last;
    uint16_t length;
    uint8_t shift, has_parameter;
    uint32_t mask, children; /* of the hash table: in slots */
    uint32_t route;          /* plus one */
} slot;

struct floor_router { slot *slots; size_t count; };

/* --- Building: a plain trie, then one table --- */

typedef struct node node;
struct node {
    char *text;
    size_t length;
    node *child, *parameter, *next;
    uint32_t route;
};

static uint64_t hash(uint64_t first, uint64_t last)
{
    return first * 0x9E3779B97F4A7C15u + last * 0xC2B2AE3D27D4EB4Fu;
}

static void key(const char *text, size_t length, uint64_t *first, uint64_t *last)
{
    *first = *last = 0;
    memcpy(first, text, length < 8 ? length : 8);
    if (length >= 8) memcpy(last, text + length - 8, 8);
}

static node *descend(node *parent, const char *text, size_t length)
{
    node *found;
    if (length && (*text == ':' || *text == '{')) {
        if (!parent->parameter) parent->parameter = calloc(1, sizeof(node));
        return parent->parameter;
    }
    for (found = parent->child; found; found = found->next)
        if (found->length == length && !memcmp(found->text, text, length)) return found;
    found = calloc(1, sizeof(node));
    found->text = malloc(length + 1);
    memcpy(found->text, text, length);
    found->length = length;
    found->next = parent->child;
    parent->child = found;
    return found;
}

static void release(node *root)
{
    node *next;
    for (; root; root = next) {
        next = root->next;
        release(root->child);
        release(root->parameter);
        free(root->text);
        free(root);
    }
}

static uint32_t add_slots(floor_router *router, size_t count)
{
    const size_t start = router->count;
    router->count += count;
    router->slots = realloc(router->slots, router->count * sizeof(slot));
    memset(router->slots + start, 0, count * sizeof(slot));
    for (size_t index = start; index < router->count; index++) router->slots[index].length = UINT16_MAX;
    return (uint32_t)start;
}

static int fits(const node *parent, unsigned shift, size_t size, unsigned char *taken)
{
    memset(taken, 0, size);
    taken[0] = parent->parameter != NULL;
    for (const node *child = parent->child; child; child = child->next) {
        uint64_t first, last;
        key(child->text, child->length, &first, &last);
        const size_t place = hash(first, last) >> shift & (size - 1);
        if (taken[place]) return 0;
        taken[place] = 1;
    }
    return 1;
}

static void flatten(floor_router *router, const node *parent, uint32_t at)
{
    size_t count = parent->parameter != NULL, size = 1;
    unsigned shift = 0;
    for (const node *child = parent->child; child; child = child->next) count++;
    router->slots[at].route = parent->route;
    if (!count) return;
    while (size < count) size *= 2;
    for (;; size *= 2) { /* until no two keys collide; the size of the memory does not matter here */
        unsigned char *taken = malloc(size);
        int found = 0;
        for (shift = 58; shift > 8 && !found; shift--) found = fits(parent, shift, size, taken);
        free(taken);
        if (found) break;
    }
    shift++;
    const uint32_t start = add_slots(router, size);
    router->slots[at].shift = (uint8_t)shift;
    router->slots[at].mask = (uint32_t)(size - 1);
    router->slots[at].children = start;
    if (parent->parameter) {
        router->slots[at].has_parameter = 1;
        flatten(router, parent->parameter, start);
    }
    for (const node *child = parent->child; child; child = child->next) {
        uint64_t first, last;
        key(child->text, child->length, &first, &last);
        const uint32_t place = start + (uint32_t)(hash(first, last) >> shift & (size - 1));
        router->slots[place].first = first;
        router->slots[place].last = last;
        router->slots[place].length = (uint16_t)child->length;
        flatten(router, child, place);
    }
}

floor_router *floor_open(char **routes, size_t count)
{
    floor_router *router = calloc(1, sizeof *router);
    node *root = calloc(1, sizeof *root);
    for (size_t index = 0; index < count; index++) {
        node *at = root;
        const char *text = routes[index];
        while (*text == '/') {
            const char *end = strchr(++text, '/');
            if (!end) end = text + strlen(text);
            at = descend(at, text, (size_t)(end - text));
            text = end;
        }
        at->route = (uint32_t)index + 1;
    }
    add_slots(router, 2); /* the root, and the empty slot that leaves share */
    for (uint32_t index = 0; index < 2; index++) router->slots[index].children = 1;
    flatten(router, root, 0);
    for (size_t index = 0; index < router->count; index++)
        if (!router->slots[index].children) router->slots[index].children = 1;
    release(root);
    return router;
}

void floor_free(floor_router *router)
{
    free(router->slots);
    free(router);
}

size_t floor_bytes(const floor_router *router) { return router->count * sizeof(slot); }

/* --- Matching --- */

static inline uint64_t word(const char *text)
{
    uint64_t result;
    memcpy(&result, text, 8);
    return result;
}

static const uint64_t masks[9] = {
    0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, UINT64_MAX
};

static inline uint64_t slashes64(const char *path)
{
    uint64_t result = 0;
    for (int block = 0; block < 4; block++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(path + 16 * block));
        result |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/'))) << 16 * block;
    }
    return result;
}

int32_t floor_match(const floor_router *router, const char *path, size_t length, floor_capture *captures, uint32_t *count)
{
    const slot *const slots = router->slots;
    const slot *at = slots;
    uint64_t slashes = slashes64(path);
    size_t chunk = 0, position = 1;
    uint32_t found = 0;
    slashes &= ~(uint64_t)1;
    if (length < 64) slashes &= ((uint64_t)1 << length) - 1;
    for (;;) {
        size_t end = length;
        while (!slashes && length - chunk > 64) {
            chunk += 64;
            slashes = slashes64(path + chunk);
            if (length - chunk < 64) slashes &= ((uint64_t)1 << (length - chunk)) - 1;
        }
        if (slashes) {
            end = chunk + (size_t)__builtin_ctzll(slashes);
            slashes &= slashes - 1;
        }
        const size_t size = end - position;
        const uint64_t first = word(path + position) & masks[size < 8 ? size : 8];
        const uint64_t last = size < 8 ? 0 : word(path + end - 8);
        const slot *const children = slots + at->children;
        const slot *const candidate = children + (hash(first, last) >> at->shift & at->mask);
        if (candidate->first == first && candidate->last == last && candidate->length == size) {
            at = candidate;
        } else if (at->has_parameter) {
            captures[found].offset = (uint32_t)position;
            captures[found++].length = (uint32_t)size;
            at = children;
        } else {
            return -1;
        }
        if (end == length) break;
        position = end + 1;
    }
    *count = found;
    return (int32_t)at->route - 1;
}
