/* CZlib.c - opens zlib, and decodes into a buffer that grows up to a limit. */
#include "CZlib.h"
#include "CSystemLibrary.h"
#include "CSystemMemory.h"

#include <limits.h>
#include <pthread.h>

CSYSTEM_LIBRARY_NOTE(
    "[{\"soname\":[\"libz.so.1\"],\"feature\":\"gzip\",\"description\":\"Reading compressed requests\","
    "\"priority\":\"recommended\"}]");

/* The structure of libz.so.1, which has not changed since its first release. */
struct stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned, unsigned);
    void (*release)(void *, void *);
    void *user_data;
    int data_type;
    unsigned long adler, reserved;
};

enum { END = 1, NO_PROGRESS = -5, NO_MEMORY = -4, WINDOW_BITS = 15, WITH_GZIP = 16, FIRST_CAPACITY = 4096, GZIP_FIRST_BYTE = 0x1f };

static struct {
    int is_open;
    int (*begin)(struct stream *, int, const char *, int);
    int (*run)(struct stream *, int);
    int (*reset)(struct stream *);
    int (*end)(struct stream *);
} zlib;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static int load(void)
{
    const struct csystem_symbol wanted[] = {
        { "inflateInit2_", &zlib.begin }, { "inflate", &zlib.run }, { "inflateReset", &zlib.reset }, { "inflateEnd", &zlib.end },
    };
    char reason[8];
    int is_open;
    pthread_mutex_lock(&loading);
    if (!zlib.is_open) /* zlib is not closed until the process ends */
        zlib.is_open = csystem_library_open("libz.so.1", wanted, sizeof wanted / sizeof *wanted, reason, sizeof reason) != NULL;
    is_open = zlib.is_open;
    pthread_mutex_unlock(&loading);
    return is_open;
}

static void *allocate(void *user_data, unsigned count, unsigned size)
{
    (void)user_data;
    return csystem_allocate((size_t)count * size); /* for the window and the tables: below 64 KiB */
}

static void release(void *user_data, void *memory)
{
    (void)user_data;
    csystem_free(memory);
}

/* Enlarges the buffer; returns 0 if it has the size of the limit, or if there is no memory. */
static int grow(uint8_t **buffer, size_t *capacity, size_t limit, int32_t *result)
{
    const size_t larger = *capacity > limit / 2 ? limit : *capacity * 2;
    uint8_t *moved;
    *result = CZLIB_LIMIT;
    if (*capacity == limit)
        return 0;
    *result = CZLIB_MEMORY;
    moved = csystem_resize(*buffer, larger);
    if (!moved)
        return 0;
    *buffer = moved;
    *capacity = larger;
    return 1;
}

static int32_t run(struct stream *stream, const uint8_t *const end, int is_gzip, size_t limit, uint8_t **buffer, size_t *length)
{
    size_t capacity = limit < FIRST_CAPACITY ? limit : FIRST_CAPACITY;
    int32_t result = CZLIB_MEMORY;
    *buffer = csystem_allocate(capacity ? capacity : 1);
    if (!*buffer)
        return result;
    for (;;) {
        const size_t left = (size_t)(end - stream->next_in), room = capacity - *length;
        uint8_t one; /* receives a byte that exceeds the limit */
        uint8_t *const place = room ? *buffer + *length : &one;
        int code;
        stream->avail_in = left < UINT_MAX ? (unsigned)left : UINT_MAX;
        stream->next_out = place;
        stream->avail_out = !room ? 1 : room < UINT_MAX ? (unsigned)room : UINT_MAX;
        code = zlib.run(stream, 0);
        if (code == NO_MEMORY)
            return CZLIB_MEMORY;
        if (!room && stream->next_out != place) {
            if (!grow(buffer, &capacity, limit, &result))
                return result;
            (*buffer)[*length] = one;
            *length += 1;
        } else if (room)
            *length += (size_t)(stream->next_out - place);
        if (code == END) {
            if (stream->next_in == end)
                return CZLIB_OK;
            /* Another member of a gzip file may follow (RFC 1952 section 2.2). */
            if (!is_gzip || *stream->next_in != GZIP_FIRST_BYTE || zlib.reset(stream) != 0)
                return CZLIB_WRONG;
        } else if (code != 0 && code != NO_PROGRESS)
            return CZLIB_WRONG;
        else if (stream->next_in == end && stream->next_out == place)
            return CZLIB_WRONG; /* the input is truncated */
    }
}

int32_t czlib_decode(const uint8_t *bytes, size_t count, int32_t is_gzip, size_t limit, void **out, size_t *length)
{
    struct stream stream = { .allocate = allocate, .release = release };
    uint8_t *buffer = NULL;
    size_t written = 0;
    int32_t result;
    int bits = WINDOW_BITS + WITH_GZIP;
    if (!load())
        return CZLIB_ABSENT;
    if (count == 0)
        return CZLIB_WRONG;
    /* Some programs send deflate without the header of zlib, whose first byte has the low half 8. */
    if (!is_gzip)
        bits = (*bytes & 15) == 8 ? WINDOW_BITS : -WINDOW_BITS;
    stream.next_in = bytes;
    if (zlib.begin(&stream, bits, "1", (int)sizeof stream) != 0)
        return CZLIB_MEMORY;
    result = run(&stream, bytes + count, is_gzip, limit, &buffer, &written);
    zlib.end(&stream);
    if (result != CZLIB_OK) {
        csystem_free(buffer);
        return result;
    }
    *out = buffer;
    *length = written;
    return CZLIB_OK;
}
