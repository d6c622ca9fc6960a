/* encode_texts.h - writes a URL of string values with the encoder of the including file: `encode`, compiled with the attributes
 * ENCODER. */

/* Copies 32 bytes at a time: both the literals and the output have space for this after their ends. */
ENCODER static inline __attribute__((always_inline)) uint8_t *copy_literal(const csystem_piece *piece, const uint8_t *pool, uint8_t *out)
{
    size_t offset = 0;
    do {
        memcpy(out + offset, pool + piece->offset + offset, 32);
        offset += 32;
    } while (offset < piece->count);
    return out + piece->count;
}

/* Writes a string value and returns its end; NULL for a value that is not a string or may be refused, or if there is no space. */
ENCODER static inline __attribute__((always_inline)) uint8_t *write_text(
    const csystem_piece *piece, const csystem_view *value, uint8_t *out, uint64_t *room, const uint32_t *table, int32_t *is_doubtful)
{
    const uint8_t *const text = (const uint8_t *)(uintptr_t)value->first;
    const uint64_t count = value->second;
    if (value->kind != CSYSTEM_TEXT || !(piece->flags & CSYSTEM_TAKES_TEXT) || !text || count > *room)
        return NULL;
    *room -= count;
    if (count < 3 && (piece->flags & CSYSTEM_SEGMENT) &&
        (count == 0 || (text[0] == '.' && (count == 1 || text[1] == '.'))))
        return NULL;
    return encode(text, (size_t)count, table, out, is_doubtful);
}

ENCODER int64_t csystem_write_texts(
    const csystem_plan *plan, const csystem_view *ids, const csystem_view *query, size_t query_count, uint8_t *buffer,
    size_t capacity)
{
    const csystem_piece *piece = (const csystem_piece *)(plan + 1);
    const uint8_t *const pool = plan->pool;
    uint8_t *out = buffer;
    int32_t is_doubtful = 0;
    /* The space for the literals, and for the bytes that copies overwrite after the end; a negative capacity is too small. */
    const int64_t fixed = (int64_t)plan->pool_count + CSYSTEM_SLACK;
    if (query_count > plan->query_count || query_count < plan->required_count || (int64_t)capacity < fixed
        || (!ids && plan->id_count > 0) || (!query && query_count > 0))
        return -1;
    /* The number of bytes that all values may have: each is written as at most three bytes. */
    uint64_t room = ((uint64_t)capacity - (uint64_t)fixed) / 3;
    for (const csystem_piece *const end = piece + plan->id_count; piece != end; piece++, ids++)
        if (!(out = write_text(piece, ids, copy_literal(piece, pool, out), &room, plan->table, &is_doubtful)))
            return -1;
    uint8_t *const path_end = out = copy_literal(piece, pool, out);
    for (const csystem_view *const end = query + query_count; query != end; query++) {
        piece++;
        if (query->kind == CSYSTEM_NULL) {
            if (!(piece->flags & CSYSTEM_OPTIONAL))
                return -1;
            continue;
        }
        if (!(out = write_text(piece, query, copy_literal(piece, pool, out), &room, plan->table, &is_doubtful)))
            return -1;
    }
    *path_end = plan->separator; /* the offset of the first query parameter, if there is one */
    *out = 0;
    return is_doubtful ? -1 : out - buffer;
}
