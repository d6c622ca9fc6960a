/* decode.c - decodes the content codings (gzip, deflate, br, zstd) of responses instead of libcurl.
 *
 * libcurl accepts a truncated compressed body as complete.  The decoders are those of the libraries that libcurl is linked with,
 * and are looked up through it: no library is opened for them.  If one is not found, libcurl decodes. */
#define _GNU_SOURCE
#include "side.h"
#include "CSystemMemory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <strings.h>

enum { PIECE = 16384, BAD_CODING = CURLE_BAD_CONTENT_ENCODING, ZSTD_WINDOW_LOG_MAX = 100, WINDOW_LOG = 23 /* RFC 8878: 8 MiB */ };
enum kind { GZIP, DEFLATE, BROTLI, ZSTANDARD };

/* The interfaces of the three libraries, which have not changed since their first releases. */

struct z_stream {
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

struct zstd_buffer {
    const void *bytes;
    size_t size, place;
};

static struct {
    int (*inflate_init)(struct z_stream *, int, const char *, int);
    int (*inflate)(struct z_stream *, int);
    int (*inflate_reset)(struct z_stream *);
    int (*inflate_end)(struct z_stream *);
    void *(*brotli_new)(void *, void *, void *);
    int (*brotli)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*brotli_free)(void *);
    void *(*zstd_new)(void);
    size_t (*zstd)(void *, struct zstd_buffer *, struct zstd_buffer *);
    size_t (*zstd_set)(void *, int, int);
    size_t (*zstd_free)(void *);
} decoders;

void ccurl_find_decoders(void *library)
{
    static const char *const names[] = { "inflateInit2_", "inflate", "inflateReset", "inflateEnd", "BrotliDecoderCreateInstance",
        "BrotliDecoderDecompressStream", "BrotliDecoderDestroyInstance", "ZSTD_createDStream", "ZSTD_decompressStream",
        "ZSTD_DCtx_setParameter", "ZSTD_freeDStream" };
    void **const places = (void **)(void *)&decoders; /* all pointers have one size, as POSIX requires for dlsym */
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++)
        places[i] = dlsym(library, names[i]);
}

struct ccurl_coding {
    enum kind kind;
    int is_begun, is_ended, is_full; /* is_full: the last call filled the piece, so that there may be more output */
    struct z_stream zlib;
    void *other;
    const uint8_t *in;
    size_t left; /* number of bytes to decode */
    size_t made; /* number of bytes in the piece */
    uint8_t piece[PIECE];
};

void ccurl_side_forget(struct ccurl_side *side)
{
    while (side->coding_count > 0) {
        struct ccurl_coding *const it = side->codings[--side->coding_count];
        if (it->zlib.state)
            decoders.inflate_end(&it->zlib);
        if (it->other && it->kind == BROTLI)
            decoders.brotli_free(it->other);
        else if (it->other)
            decoders.zstd_free(it->other);
        csystem_free(it);
    }
    side->code = 0;
    side->consumed = 0;
}

int32_t ccurl_side_decode(ccurl_side *side, CURL *handle)
{
    const int features = ccurl.version_info(CURLVERSION_NOW)->features;
    const int lacks = ((features & CURL_VERSION_LIBZ) && !(decoders.inflate_init && decoders.inflate && decoders.inflate_reset && decoders.inflate_end)) ||
        ((features & 1 << 23) && !(decoders.brotli_new && decoders.brotli && decoders.brotli_free)) ||
        ((features & 1 << 26) && !(decoders.zstd_new && decoders.zstd && decoders.zstd_set && decoders.zstd_free));
    if (lacks || ccurl.easy_setopt(handle, CURLOPT_HTTP_CONTENT_DECODING, 0L) != CURLE_OK)
        return (int32_t)ccurl.easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    side->decodes = 1;
    return 0;
}

/* --- The header Content-Encoding --- */

static int kind_of(const char *name, size_t count)
{
    static const struct { const char *name; int kind; } known[] = { { "gzip", GZIP }, { "x-gzip", GZIP }, { "deflate", DEFLATE },
        { "br", BROTLI }, { "zstd", ZSTANDARD } };
    const void *const needed[] = { [GZIP] = (void *)decoders.inflate_init, [DEFLATE] = (void *)decoders.inflate_init,
        [BROTLI] = (void *)decoders.brotli_new, [ZSTANDARD] = (void *)decoders.zstd_new };
    size_t i;
    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == count && strncasecmp(known[i].name, name, count) == 0 && needed[known[i].kind])
            return known[i].kind;
    return -1;
}

static void add(struct ccurl_side *side, const char *name, size_t count)
{
    const int kind = kind_of(name, count);
    struct ccurl_coding *it;
    if (count == 0 || (count == 8 && strncasecmp(name, "identity", 8) == 0))
        return;
    if (kind < 0 || side->coding_count == CCURL_CODINGS) {
        side->code = BAD_CODING; /* reported only if there is a body: a response to HEAD has none */
        return;
    }
    it = csystem_allocate_zeros(sizeof *it);
    if (!it) {
        side->code = CURLE_OUT_OF_MEMORY;
        return;
    }
    it->kind = (enum kind)kind;
    /* The coding that was applied last is decoded first. */
    memmove(side->codings + 1, side->codings, (size_t)side->coding_count * sizeof *side->codings);
    side->codings[0] = it;
    side->coding_count++;
}

void ccurl_side_coding(ccurl_side *side, const void *value, size_t count)
{
    const char *text = value, *const end = text + count;
    while (side->decodes && text < end) {
        const char *const comma = memchr(text, ',', (size_t)(end - text));
        const char *last = comma ? comma : end;
        const char *const next = last + 1;
        while (text < last && (*text == ' ' || *text == '\t'))
            text++;
        while (text < last && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        add(side, text, (size_t)(last - text));
        if (!comma)
            break;
        text = next;
    }
}

/* --- The body --- */

/* Returns 0, or a CURLcode. */
static int begin(struct ccurl_coding *it)
{
    it->is_begun = 1;
    switch (it->kind) {
    case GZIP:
    case DEFLATE:
        /* Some services send deflate without the header of zlib, whose first byte has the low half 8. */
        return decoders.inflate_init(&it->zlib, it->kind == GZIP ? 15 + 16 : (*it->in & 15) == 8 ? 15 : -15, "1", (int)sizeof it->zlib) == 0
            ? 0 : CURLE_OUT_OF_MEMORY;
    case BROTLI:
        it->other = decoders.brotli_new(NULL, NULL, NULL);
        break;
    case ZSTANDARD:
        it->other = decoders.zstd_new();
        if (it->other)
            decoders.zstd_set(it->other, ZSTD_WINDOW_LOG_MAX, WINDOW_LOG);
        break;
    }
    return it->other ? 0 : CURLE_OUT_OF_MEMORY;
}

static int run_zlib(struct ccurl_coding *it)
{
    struct z_stream *const z = &it->zlib;
    int result;
    /* Another member of a gzip file may follow (RFC 1952 section 2.2). */
    if (it->is_ended && (it->kind != GZIP || *it->in != 0x1f || decoders.inflate_reset(z) != 0))
        return BAD_CODING;
    z->next_in = it->in;
    z->avail_in = (unsigned)it->left; /* at most a piece, or the size that libcurl passes at once */
    z->next_out = it->piece;
    z->avail_out = PIECE;
    result = decoders.inflate(z, 0);
    it->made = PIECE - z->avail_out;
    it->in = z->next_in;
    it->left = z->avail_in;
    it->is_ended = result == 1;
    return result == 0 || result == 1 || result == -5 /* no progress without more input */ ? 0 : result == -4 ? CURLE_OUT_OF_MEMORY : BAD_CODING;
}

static int run_brotli(struct ccurl_coding *it)
{
    size_t room = PIECE;
    uint8_t *out = it->piece;
    int result;
    if (it->is_ended)
        return BAD_CODING;
    result = decoders.brotli(it->other, &it->left, &it->in, &room, &out, NULL);
    it->made = PIECE - room;
    it->is_ended = result == 1;
    return result > 0 ? 0 : BAD_CODING;
}

static int run_zstd(struct ccurl_coding *it)
{
    struct zstd_buffer in = { it->in, it->left, 0 }, out = { it->piece, PIECE, 0 };
    const size_t result = decoders.zstd(it->other, &out, &in);
    it->made = out.place;
    it->in += in.place;
    it->left -= in.place;
    it->is_ended = result == 0;
    return result > (size_t)-120 ? BAD_CODING : 0;
}

/* Decodes at most one piece. */
static int run(struct ccurl_coding *it)
{
    const size_t before = it->left;
    int code = it->is_begun ? 0 : begin(it);
    if (code == 0)
        code = it->kind <= DEFLATE ? run_zlib(it) : it->kind == BROTLI ? run_brotli(it) : run_zstd(it);
    it->is_full = it->made == PIECE && !it->is_ended;
    return code == 0 && it->made == 0 && before > 0 && it->left == before ? BAD_CODING : code;
}

static size_t decode(struct ccurl_side *side, char *bytes, size_t count)
{
    struct ccurl_coding *first, *last;
    if (count == 0 || (side->coding_count == 0 && side->code == 0))
        return side->take(bytes, 1, count, side->user_data);
    if (side->code != 0 || side->consumed > count)
        return 0;
    first = side->codings[0];
    last = side->codings[side->coding_count - 1];
    first->in = (const uint8_t *)bytes + side->consumed;
    first->left = count - side->consumed;
    for (;;) {
        int i = side->coding_count - 1;
        if (last->made > 0) {
            const size_t taken = side->take((char *)last->piece, 1, last->made, side->user_data);
            if (taken == CURL_WRITEFUNC_PAUSE) {
                side->consumed = count - first->left;
                return taken;
            }
            if (taken != last->made)
                return 0;
            last->made = 0;
        }
        while (i >= 0 && side->codings[i]->left == 0 && !side->codings[i]->is_full)
            i--;
        if (i < 0)
            break;
        side->code = run(side->codings[i]);
        if (side->code != 0)
            return 0;
        if (side->codings[i] != last) {
            side->codings[i + 1]->in = side->codings[i]->piece;
            side->codings[i + 1]->left = side->codings[i]->made;
            side->codings[i]->made = 0;
        }
    }
    side->consumed = 0;
    return count;
}

static size_t take(char *bytes, size_t size, size_t count, void *user_data)
{
    struct ccurl_side *const side = user_data;
    const size_t taken = decode(side, bytes, size * count); /* `size` is always 1 */
    if (taken == CURL_WRITEFUNC_PAUSE)
        ccurl_loop_paused(side);
    return taken;
}

ccurl_take ccurl_side_taker(ccurl_side *side, ccurl_take body, void *user_data)
{
    side->take = body;
    side->user_data = user_data;
    return take;
}

int32_t ccurl_side_end(ccurl_side *side, int32_t code)
{
    int i;
    if (code == CURLE_WRITE_ERROR && side->code != 0)
        code = side->code;
    if (code == CURLE_ABORTED_BY_CALLBACK && side->is_repeated)
        code = CURLE_GOT_NOTHING;
    for (i = 0; code == 0 && i < side->coding_count; i++)
        if (side->codings[i]->is_begun && !side->codings[i]->is_ended)
            code = CURLE_PARTIAL_FILE;
    ccurl_side_forget(side);
    return code;
}
