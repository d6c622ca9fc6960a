/* Bodies that are split into lines or events: the sizes of the pieces do not affect the result, and a second reader finds the same
 * lines. */
#include "../fuzz.h"

#include "routable_bodies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STREAM_LIMIT = 200 };

typedef struct stream_log {
    char *bytes;
    size_t count, capacity, items;
    int is_over; /* an item was too large */
} stream_log;

static void stream_note(stream_log *log, routable_str text)
{
    if (log->capacity - log->count < text.len + sizeof text.len) {
        log->capacity = (log->capacity + text.len + sizeof text.len) * 2;
        log->bytes = (char *)realloc(log->bytes, log->capacity);
    }
    memcpy(log->bytes + log->count, &text.len, sizeof text.len);
    memcpy(log->bytes + log->count + sizeof text.len, text.ptr, text.len);
    log->count += text.len + sizeof text.len;
}

static void stream_drain(routable_splitter *splitter, stream_log *log)
{
    routable_stream_item item;
    while (routable_splitter_next(splitter, &item, NULL) == ROUTABLE_OK) {
        EXPECT(item.data.ptr[item.data.len] == '\0', "stream: expected a NUL behind an item");
        stream_note(log, item.data);
        stream_note(log, item.event);
        stream_note(log, item.id);
        log->items++;
    }
}

/* All items of the text in pieces with the sizes of `sizes`; one piece if that is empty. */
static stream_log stream_cut(routable_stream_kind kind, routable_str text, routable_str sizes)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_splitter *splitter = NULL;
    stream_log log = { NULL, 0, 0, 0, 0 };
    size_t place = 0, turn = 0;
    options.kind = kind;
    options.max_item_bytes = STREAM_LIMIT;
    EXPECT(routable_splitter_new(&options, &splitter, NULL) == ROUTABLE_OK, "stream: expected a splitter");
    while (place < text.len && !log.is_over) {
        size_t count = sizes.len ? (size_t)(unsigned char)sizes.ptr[turn++ % sizes.len] % 32 : text.len;
        routable_error *error = NULL;
        routable_str piece;
        routable_status status;
        if (count > text.len - place)
            count = text.len - place;
        if (count == 0 && turn > sizes.len)
            count = 1; /* if all sizes are zero */
        piece.ptr = text.ptr + place;
        piece.len = count;
        status = routable_splitter_feed(splitter, piece, &error);
        fuzz_check_error("stream", status, allowed, error, NULL);
        log.is_over = status != ROUTABLE_OK;
        place += count;
        stream_drain(splitter, &log);
    }
    if (!log.is_over)
        routable_splitter_end(splitter);
    stream_drain(splitter, &log);
    EXPECT(routable_splitter_retry_ms(splitter) >= -1 && routable_splitter_retry_ms(splitter) <= 86400000, "stream: expected a time");
    routable_splitter_free(splitter);
    return log;
}

/* The lines as a simple reader finds them. */
static stream_log stream_lines(routable_str text)
{
    stream_log log = { NULL, 0, 0, 0, 0 };
    size_t start = text.len >= 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (start < text.len) {
        const char *const end = (const char *)memchr(text.ptr + start, '\n', text.len - start);
        const size_t next = end ? (size_t)(end - text.ptr) : text.len;
        routable_str line;
        line.ptr = text.ptr + start;
        line.len = next - start;
        if (line.len && line.ptr[line.len - 1] == '\r')
            line.len--;
        if (line.len) {
            stream_note(&log, line);
            stream_note(&log, routable_str_from(""));
            stream_note(&log, routable_str_from(""));
            log.items++;
        }
        start = next + 1;
    }
    return log;
}

static int stream_same(const stream_log *one, const stream_log *other)
{
    return one->count == other->count && (one->count == 0 || memcmp(one->bytes, other->bytes, one->count) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = { (const char *)data, size };
    const routable_str sizes = fuzz_field(&input), text = fuzz_rest(&input);
    routable_stream_kind kind;
    for (kind = ROUTABLE_STREAM_LINES; kind <= ROUTABLE_STREAM_EVENTS; kind++) {
        stream_log whole = stream_cut(kind, text, routable_str_from("")), pieces = stream_cut(kind, text, sizes);
        EXPECT(whole.is_over == pieces.is_over, "stream: expected the same limit");
        EXPECT(stream_same(&whole, &pieces), "stream: expected the same %zu items, got %zu", whole.items, pieces.items);
        if (kind == ROUTABLE_STREAM_LINES && !whole.is_over) {
            stream_log lines = stream_lines(text);
            EXPECT(stream_same(&whole, &lines), "stream: expected %zu lines, got %zu", lines.items, whole.items);
            free(lines.bytes);
        }
        free(whole.bytes);
        free(pieces.bytes);
    }
    return 0;
}
