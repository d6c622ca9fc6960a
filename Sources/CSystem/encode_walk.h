/* encode_walk.h - a URL of texts from the pieces of a plan, for whichever way a processor encodes one.
 *
 * The functions are inlined into a caller for one kind of processor, together with the encoder that it names. */
#ifndef CSYSTEM_ENCODE_WALK_H
#define CSYSTEM_ENCODE_WALK_H

#include "CSystemEncode.h"

#include <string.h>

#define ENCODE_INLINE static inline __attribute__((always_inline))

/* As csystem_encode. */
typedef uint8_t *encode_function(const uint8_t *text, size_t count, uint8_t *out, int32_t *is_doubtful);

/* 16 bytes at a time: both sides have room for that behind their end. */
ENCODE_INLINE uint8_t *copy_literal(const csystem_piece *piece, const uint8_t *pool, uint8_t *out)
{
    size_t offset = 0;
    do {
        memcpy(out + offset, pool + piece->offset + offset, 16);
        offset += 16;
    } while (offset < piece->count);
    return out + piece->count;
}

/* Where a value that is a text ends; NULL for any other, for one that may be refused, and where there is no room. */
ENCODE_INLINE uint8_t *write_text(
    const csystem_piece *piece, const csystem_view *value, uint8_t *out, int64_t *left, int32_t *is_doubtful,
    encode_function *encode)
{
    const uint8_t *const text = (const uint8_t *)(uintptr_t)value->first;
    const uint64_t count = value->second;
    if (value->kind != CSYSTEM_TEXT || !(piece->flags & CSYSTEM_TAKES_TEXT) || !text || count > UINT32_MAX)
        return NULL;
    *left -= 3 * (int64_t)count;
    if (*left < 0)
        return NULL;
    if (count < 3 && (piece->flags & CSYSTEM_SEGMENT) &&
        (count == 0 || (text[0] == '.' && (count == 1 || text[1] == '.'))))
        return NULL;
    return encode(text, (size_t)count, out, is_doubtful);
}

/* As csystem_write_texts. */
ENCODE_INLINE int64_t write_texts(
    const csystem_plan *plan, const csystem_view *ids, size_t id_count, const csystem_view *query, size_t query_count,
    uint8_t *buffer, size_t capacity, encode_function *encode)
{
    const csystem_piece *piece = plan->pieces;
    const uint8_t *const pool = plan->pool;
    uint8_t *out = buffer, separator = plan->separator;
    int32_t is_doubtful = 0;
    /* What values may take: the literals have their room, and so has what is stored behind the end. */
    int64_t left = (int64_t)capacity - plan->pool_count - CSYSTEM_SLACK;
    if (id_count != plan->id_count || query_count > plan->query_count || query_count < plan->required_count || left < 0
        || (id_count > 0 && !ids) || (query_count > 0 && !query))
        return -1;
    for (size_t index = 0; index < id_count; index++, piece++)
        if (!(out = write_text(piece, ids + index, copy_literal(piece, pool, out), &left, &is_doubtful, encode)))
            return -1;
    out = copy_literal(piece, pool, out);
    for (size_t index = 0; index < query_count; index++) {
        uint8_t *const start = out;
        piece++;
        if (query[index].kind == CSYSTEM_NULL) {
            if (!(piece->flags & CSYSTEM_OPTIONAL))
                return -1;
            continue;
        }
        out = copy_literal(piece, pool, out);
        *start = separator;
        separator = '&';
        if (!(out = write_text(piece, query + index, out, &left, &is_doubtful, encode)))
            return -1;
    }
    *out = 0;
    return is_doubtful ? -1 : out - buffer;
}

/* The encoders, each in a file of its own; only where csystem_encoder says so. */
encode_function csystem_encode_16, csystem_encode_64;
int64_t csystem_write_texts_16(const csystem_plan *plan, const csystem_view *ids, size_t id_count, const csystem_view *query, size_t query_count,
    uint8_t *buffer, size_t capacity);
int64_t csystem_write_texts_64(const csystem_plan *plan, const csystem_view *ids, size_t id_count, const csystem_view *query, size_t query_count,
    uint8_t *buffer, size_t capacity);

#endif
