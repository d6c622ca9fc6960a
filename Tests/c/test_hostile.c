/* A hostile host: calls every exported function, from 8 threads, with NULL, with handles of other routers and in any order of
 * freeing, with random sizes, flags and numbers, and with random bytes and damaged documents as content.  It never passes
 * random bytes as a handle, and never breaks the rules for threads: no library can survive that.
 *
 * hostile_calls.py generates the calls from the headers, so that a new function is called, or the test does not
 * compile.  Half of the threads have a stack of 64 KiB.  Every string, name and struct that is passed ends at the end of a
 * page that is followed by an unreadable one, so that a read out of bounds by one byte is a fault. */
#include "routable_bodies.h"
#include "routable_jansson.h"
#include "routable_pages.h"
#include "routable_presentation.h"
#include "routable_trace.h"
#include "routable_transport.h"
#include "support.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { POOL = 5, ARRAY = 4, THREADS = 8, PLACES = 160, ROOM = 64 << 10, PAGE = 4096, DEEPEST = 2 };

/* Frames are several times larger with a sanitizer, and without optimization. */
#ifdef UNOPTIMIZED
#  define SMALL_STACK (1 << 20)
#endif
#ifdef __has_feature
#  if !defined(SMALL_STACK) && (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#    define SMALL_STACK (1 << 20)
#  endif
#endif
#ifndef SMALL_STACK
#  define SMALL_STACK (64 << 10)
#endif

#define UNUSED __attribute__((unused))
#define UNTOUCHED(type) ((type *)(uintptr_t)0x5A5A5A5A)

#include "hostile_calls.h"

/* The state of one thread: its own objects, and memory whose end is the end of a page. */
typedef struct world {
    HOSTILE_POOLS
    uint64_t seed;
    const struct world *shared; /* objects of all threads, which are only used as const */
    char *memory;
    size_t place;
    void *heap[4000];
    size_t heap_count;
    int depth; /* number of nested calls: more than one inside of callbacks */
    const char *calling[DEEPEST + 1];
    routable_match match;
    size_t made, succeeded;
} world;

static __thread world *mine; /* of the current thread; NULL in the thread of a client */
static char base[64];        /* of a service that sends random responses */
static int rounds = 120;
static int nowhere = -1;     /* /dev/null */
static char written[320];    /* the file for downloads, in a new folder */

/* --- Random values --- */

static uint64_t next_number(world *w)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 7;
    w->seed ^= w->seed << 17;
    return w->seed;
}

static size_t below(world *w, size_t limit) { return limit ? (size_t)(next_number(w) >> 11) % limit : 0; }
static int chance(world *w, unsigned percent) { return below(w, 100) < percent; }

static size_t any_size(world *w)
{
    static const size_t edges[] = { 0, 1, 2, 3, 31, 32, 33, 255, 4096, 65536, INT32_MAX, UINT32_MAX, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX };
    return chance(w, 50) ? below(w, 5) : edges[below(w, sizeof edges / sizeof *edges)];
}

static int64_t any_int64(world *w)
{
    static const int64_t edges[] = { 0, 1, -1, 2, 99, 200, 404, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN };
    return chance(w, 80) ? edges[below(w, sizeof edges / sizeof *edges)] : (int64_t)next_number(w);
}

static int32_t any_int32(world *w) { return chance(w, 60) ? (int32_t)below(w, 7) : (int32_t)any_int64(w); }
static uint32_t any_uint32(world *w) { return chance(w, 70) ? (uint32_t)below(w, 64) : (uint32_t)next_number(w); }
/* Sometimes a value like the place of a JSON value: a small number in each half, and possibly the highest bit. */
static uint64_t any_uint64(world *w)
{
    const uint64_t made_up = (uint64_t)below(w, 16) | (uint64_t)below(w, 48) << 32 | (uint64_t)below(w, 2) << 63;
    return chance(w, 20) ? 0 : chance(w, 15) ? UINT64_MAX : chance(w, 80) ? made_up : (uint64_t)next_number(w);
}
static int any_time(world *w) { return (int)below(w, 3); }
/* Never a descriptor of other code. */
static int32_t any_descriptor(world *w) { return chance(w, 70) ? nowhere : chance(w, 50) ? -1 : 1 << 20; }

static double any_real(world *w)
{
    static const double edges[] = { 0, -0.0, 1, 0.1, 1e300, -1e300, 1e-320, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 };
    return edges[below(w, sizeof edges / sizeof *edges)];
}

/* --- Memory that ends at the end of a page --- */

static void failed(const char *what)
{
    fprintf(stderr, "hostile: %s\n", what);
    abort();
}

static void expect(int holds, const char *what)
{
    if (!holds)
        failed(what);
}

/* A buffer that is followed by an unreadable page; valid until the call returns. */
static char *room_for(world *w, size_t length)
{
    if (length <= ROOM && w->place < PLACES)
        return w->memory + w->place++ * (ROOM + PAGE) + ROOM - length;
    expect(w->heap_count < sizeof w->heap / sizeof *w->heap, "too many arguments");
    return (char *)(w->heap[w->heap_count++] = malloc(length ? length : 1));
}

/* A copy of bytes, or zeroes, for structs, which stay aligned: they end up to seven bytes before the page ends. */
static void *place(world *w, const void *bytes, size_t length)
{
    char *const at = room_for(w, bytes ? length : (length + 7) / 8 * 8);
    if (bytes && length)
        memcpy(at, bytes, length);
    else if (length)
        memset(at, 0, length);
    return at;
}

static void touch(const char *bytes, size_t length)
{
    size_t i;
    unsigned sum = 0;
    expect(bytes != NULL || length == 0, "a text without bytes");
    for (i = 0; i < length; i++)
        sum += (unsigned char)bytes[i];
    __asm__ volatile("" : : "r"(sum));
}

/* --- Content: words of every stored input of the fuzz targets, unchanged or damaged --- */

static routable_str *words;
static size_t word_count;

static void read_words(void)
{
    static const char *const more[] = { "user", "status", "user.status", "user.status.comment", "read", "create", "list", "update",
        "delete", "search", "renew", "username", "id", "user_id", "q", "page", "string", "integer", "GET", "POST", "/users/a/statuses/3",
        "/users/a", "users/{id}", "X-A", "application/json", "Status", "x-a", "https://h/v1", "none", "index", "body", "form", "plus",
        "a", "b", "root", "^a/(?<b>\\d+)$", "{\"text\":\"a\"}", "\"a\"", "{\"type\":\"object\"}", "{\"route\":\"status\",\"operation\":\"read\",\"ids\":[\"3\"]}",
        "{\"route\":\"user\",\"operation\":\"create\",\"body\":{}}", "a=1&b=x+y", "{/a}{?q*}" };
    DIR *const targets = opendir(path_below_root("fuzz/corpus"));
    struct dirent *target, *entry;
    size_t i;
    assert_non_null(targets);
    words = (routable_str *)calloc(20000, sizeof *words);
    for (i = 0; i < sizeof more / sizeof *more; i++)
        words[word_count++] = routable_str_from(more[i]);
    while ((target = readdir(targets)) != NULL) {
        char folder[300];
        DIR *files;
        if (target->d_name[0] == '.')
            continue;
        snprintf(folder, sizeof folder, "fuzz/corpus/%s", target->d_name);
        files = opendir(path_below_root(folder));
        while (files && (entry = readdir(files)) != NULL) {
            char path[600];
            size_t length, begin = 0;
            char *bytes;
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            bytes = read_file(path, &length); /* kept as long as the process */
            for (i = 0; i <= length && word_count < 20000; i++)
                if (i == length || (unsigned char)bytes[i] == 0xFF) {
                    words[word_count].ptr = bytes + begin;
                    words[word_count++].len = i - begin;
                    begin = i + 1;
                }
        }
        if (files)
            closedir(files);
    }
    closedir(targets);
    assert_true(word_count > 200);
}

/* Words that are likely to be valid for a parameter with this name. */
static const char *likely(world *w, const char *name)
{
    static const char social[] = "{\"routable\":1,\"name\":\"s\",\"base\":\"https://h/v1\",\"types\":{\"Status\":{\"type\":\"object\"}},"
        "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"list\",\"read\",\"create\",\"update\"],\"has\":[\"status\"],\"x-a\":1},"
        "\"status\":{\"path\":\"statuses\",\"can\":[\"read\",\"create\",\"delete\"],\"type\":\"Status\"}},\"operations\":{\"search\":"
        "{\"get\":\"/search\",\"query\":{\"q\":{\"type\":\"string\"},\"page\":{\"type\":\"integer\"}},\"pagination\":{\"by\":\"page\",\"parameter\":\"page\"},\"retry\":{\"times\":0}}}}";
    static const char openapi[] = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h/v1\"}],"
        "\"paths\":{\"/pets/{id}\":{\"get\":{\"operationId\":\"read\",\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,"
        "\"schema\":{\"type\":\"integer\"}},{\"name\":\"tag\",\"in\":\"query\",\"schema\":{\"type\":\"array\"}}],\"responses\":{\"200\":{\"description\":\"ok\"}}}}}}";
    static const struct { const char *name; const char *words[5]; } known[] = {
        { "document", { social, openapi, "{\"junction\":\"a\",\"children\":[{\"name\":\"b\",\"template\":\"b/{id}\"}]}", "{\"routable\":1}", social } },
        { "route", { "user.status", "user", "status", "user.status", "user.status.comment" } },
        { "operation", { "read", "create", "list", "search", "delete" } },
        { "call", { "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}", "{\"operation\":\"search\",\"query\":{\"q\":\"x\"}}",
            "{\"route\":\"user.status\",\"operation\":\"create\",\"ids\":[\"a\"],\"body\":{\"text\":\"b\"}}", "{\"operation\":\"read\",\"ids\":{\"id\":3}}",
            "{\"route\":\"user\",\"operation\":\"create\",\"parameters\":{\"a\":[1,{\"b\":null}]}}" } },
        { "schema", { "{\"type\":\"integer\"}", "true", "{\"$ref\":\"#\"}", "{\"properties\":{\"a\":{\"pattern\":\"^a+$\"}}}", "{}" } },
        { "json", { "1", "{\"a\":\"b\"}", "[]", "{\"text\":1e400}", "null" } },
        { "values", { "", "{}", "{\"q\":[1,2]}", "{\"a\":\"b\"}", "null" } },
        { "path", { "/users/a", "/users/a/statuses/3", "https://h/v1/users/b%20c", "b/7", "/search?q=1" } },
        { "body", { "{\"text\":\"a\"}", "[1]", "", "x", "{}" } },
        { "name", { "user", "search", "X-A", "a", "b" } },
        { "pagination", { "", "{\"by\":\"link\"}", "{\"by\":\"cursor\",\"at\":\"/a\",\"parameter\":\"q\"}",
            "{\"by\":\"offset\",\"parameter\":\"page\",\"items\":\"/a\"}", "{\"by\":\"link\",\"at\":\"/text\"}" } },
        { "parent", { "root", "a", "b", "user", "status" } },
        { "method", { "GET", "POST", "get", "PATCH", "HEAD" } },
    };
    size_t i;
    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].words[below(w, 5)];
    return NULL;
}

/* Random bytes, one of the words, or a damaged word; sets `length`. */
static const char *any_bytes(world *w, const char *name, size_t *length)
{
    const char *const word = chance(w, 60) ? likely(w, name) : NULL;
    const routable_str kept = word ? routable_str_from(word) : words[below(w, word_count)];
    char *at;
    size_t i, changes;
    if (chance(w, 10)) { /* random bytes */
        *length = chance(w, 90) ? below(w, 40) : below(w, 5000);
        at = room_for(w, *length);
        for (i = 0; i < *length; i++)
            at[i] = (char)next_number(w);
        return at;
    }
    *length = kept.len;
    at = (char *)place(w, kept.ptr, kept.len);
    if (chance(w, 75) || kept.len == 0)
        return at;
    for (changes = 1 + below(w, 3); changes; changes--)
        at[below(w, kept.len)] = (char)next_number(w);
    if (chance(w, 30)) { /* truncated at the start, so that the end stays at the end of the page */
        i = below(w, kept.len);
        at += i;
        *length -= i;
    }
    return at;
}

static routable_str any_text(world *w, const char *name)
{
    routable_str text;
    if (chance(w, 3)) {
        text.ptr = NULL;
        text.len = chance(w, 50) ? 0 : below(w, 9);
        return text;
    }
    text.ptr = any_bytes(w, name, &text.len);
    return text;
}

/* A NUL-terminated name, or NULL; the NUL is the last byte of a page.  `where` is "function.parameter". */
static const char *any_name(world *w, const char *where)
{
    const char *const name = strchr(where, '.') + 1;
    char *at;
    size_t length;
    const char *bytes;
    if (chance(w, 10))
        return NULL;
    if (strcmp(name, "no_proxy") == 0)
        return "127.0.0.1";
    if (strcmp(name, "base") == 0 || strcmp(name, "proxy") == 0) { /* no other hosts are called */
        bytes = chance(w, 80) ? base : "http://127.0.0.1:1";
        length = strlen(bytes);
    } else if (strcmp(where, "routable_request_set_target_file.path") == 0 || strcmp(where, "routable_tape_new.path") == 0) {
        bytes = chance(w, 80) ? written : "/no/such/file";
        length = strlen(bytes);
    } else if (strcmp(where, "routable_request_set_body_file.path") == 0 || strcmp(where, "routable_router_open_file.path") == 0 || strstr(name, "file")) {
        bytes = chance(w, 50) ? "examples/social.json" : chance(w, 50) ? "/" : "no/such/file";
        length = strlen(bytes);
    } else {
        bytes = any_bytes(w, name, &length);
        length = strnlen(bytes, length);
    }
    at = room_for(w, length + 1);
    memcpy(at, bytes, length);
    at[length] = '\0';
    return at;
}

static const char *const *any_names(world *w)
{
    const char **const all = (const char **)place(w, NULL, ARRAY * sizeof *all);
    size_t i;
    for (i = 0; i < ARRAY; i++)
        all[i] = any_name(w, ".value");
    return all;
}

static const routable_str *any_texts(world *w)
{
    routable_str *const all = (routable_str *)place(w, NULL, ARRAY * sizeof *all);
    size_t i;
    for (i = 0; i < ARRAY; i++)
        all[i] = any_text(w, "name");
    return all;
}

static routable_value one_value(world *w)
{
    routable_value value;
    memset(&value, 0, sizeof value);
    value.kind = chance(w, 95) ? (routable_kind)below(w, 6) : (routable_kind)any_int32(w);
    if (value.kind == ROUTABLE_KIND_STRING || value.kind == ROUTABLE_KIND_JSON)
        value.as.string = any_text(w, value.kind == ROUTABLE_KIND_STRING ? "body" : "json");
    else if (value.kind == ROUTABLE_KIND_REAL)
        value.as.real = any_real(w);
    else
        value.as.integer = any_int64(w);
    return value;
}

#define ARRAY_OF(type, statement) \
    static type *any_##type(world *w, size_t count, int depth) \
    { \
        type *const all = (type *)place(w, NULL, count * sizeof *all); \
        size_t i; \
        (void)depth; \
        for (i = 0; i < count; i++) { \
            statement; \
        } \
        return all; \
    }
ARRAY_OF(routable_value, all[i] = one_value(w))
ARRAY_OF(routable_argument, all[i].name = any_name(w, ".name"); all[i].value = one_value(w))
ARRAY_OF(routable_header, all[i].name = any_text(w, "name"); all[i].value = any_text(w, "body"))
/* The last match, also of another router, or random bytes, because a match is content. */
ARRAY_OF(routable_match, if (chance(w, 70)) all[i] = w->match;
         else for (size_t b = 0; b < sizeof all[i]; b++) ((char *)(all + i))[b] = (char)next_number(w))

static json_t *any_json(world *w)
{
    size_t length;
    const char *const bytes = any_bytes(w, chance(w, 50) ? "call" : chance(w, 50) ? "document" : "json", &length);
    return json_loadb(bytes, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

/* --- Objects --- */

/* An index into a pool, of an object if there is one. */
static size_t any_place(world *w, const void *const *pool)
{
    size_t index = below(w, POOL), tries;
    for (tries = 0; !pool[index] && tries < POOL; tries++)
        index = (index + 1) % POOL;
    return index;
}

/* one: for a const parameter, an object of the thread or a shared one.  own: for a parameter that is modified, an object of the thread, and
 * not inside of a callback, where a call can be using it.  take: an object to be freed. */
#define OWNED(type) \
    UNUSED static const type *one_##type(world *w) \
    { \
        const world *const from = w->shared && chance(w, 50) ? w->shared : w; \
        return chance(w, 4) ? NULL : from->type[any_place(w, (const void *const *)from->type)]; \
    } \
    UNUSED static type *own_##type(world *w) \
    { \
        return w->depth > 1 || chance(w, 4) ? NULL : w->type[any_place(w, (const void *const *)w->type)]; \
    } \
    static type *take_##type(world *w) \
    { \
        const size_t index = below(w, POOL); \
        type *const taken = w->depth > 1 || chance(w, 50) ? NULL : w->type[index]; \
        if (taken) \
            w->type[index] = NULL; \
        return taken; \
    } \
    UNUSED static void adopt_##type(world *w, type *made) \
    { \
        const size_t index = below(w, POOL); \
        expect(made != UNTOUCHED(type), "an output of " #type " was not written"); \
        if (w->shared == NULL) /* during the setup: objects from which others are borrowed must not be freed */ \
            for (size_t i = 0; i < POOL; i++) \
                if (!w->type[i]) { \
                    w->type[i] = made; \
                    return; \
                } \
        if (w->shared == NULL || w->depth > 1) { \
            type##_free(made); \
            return; \
        } \
        type##_free(w->type[index]); \
        w->type[index] = made; \
    }

/* Borrowed from shared objects, which exist until the end; a visit of the current callback. */
#define BORROWED(type) \
    UNUSED static const type *one_##type(world *w) \
    { \
        const world *const from = w->shared && !w->type[0] ? w->shared : w; \
        return chance(w, 4) ? NULL : from->type[any_place(w, (const void *const *)from->type)]; \
    } \
    UNUSED static void keep_##type(world *w, const type *found) \
    { \
        if (w->shared == NULL) \
            w->type[below(w, POOL)] = found; \
    }

/* Checks a status and the error that belongs to it. */
static void tell(world *w, const char *name, routable_status status, int told, routable_error *error);
static routable_status again(world *w, const routable_visit *visit);

/* --- Callbacks: they make random calls --- */

static size_t released;
static void on_release(void *data) { (void)data; __atomic_add_fetch(&released, 1, __ATOMIC_RELAXED); }
static void on_refresh(routable_refresh *refresh, void *data)
{
    (void)data;
    routable_refresh_fail(refresh, routable_str_from("no"));
}
static void on_transport(routable_exchange *exchange, void *data)
{
    const routable_str url = routable_exchange_url(exchange), body = routable_exchange_body(exchange);
    routable_reply reply = ROUTABLE_REPLY_INIT;
    (void)data;
    touch(url.ptr, url.len);
    touch(body.ptr, body.len);
    reply.curl_code = url.len % 4 == 0 ? 7 : 0;
    reply.body = routable_str_from("{}");
    (void)!routable_exchange_reply(exchange, &reply, NULL);
}
static void on_middleware(routable_interception *interception, void *data)
{
    const routable_request *const request = routable_interception_request(interception);
    const routable_str url = routable_request_url(request), message = routable_error_message(routable_interception_error(interception));
    const routable_response *const response = routable_interception_response(interception);
    routable_reply reply = ROUTABLE_REPLY_INIT;
    (void)data;
    touch(url.ptr, url.len);
    touch(message.ptr, message.len);
    routable_interception_set_data(interception, routable_interception_data(interception), NULL);
    if (url.len % 2)
        (void)!routable_interception_set_request(interception, request, NULL);
    reply.http_status = routable_response_status(response) == 200 ? 404 : 0;
    if (url.len % 3 == 0)
        (void)!routable_interception_reply(interception, &reply, NULL);
}
static void on_tokens(const routable_tokens *tokens, void *data)
{
    (void)data;
    touch(tokens->token.ptr, tokens->token.len);
}
static routable_status on_sign(routable_signing *signing, void *data)
{
    (void)signing;
    (void)data;
    return 0;
}
static routable_status on_setup(void *handle, routable_setopt_fn setopt, void *data)
{
    (void)handle;
    (void)setopt;
    (void)data;
    return 0;
}
static void on_end(routable_transfer *transfer, void *data)
{
    (void)data;
    (void)routable_transfer_cancel(transfer);
    if (mine)
        again(mine, NULL);
}
static routable_status on_presentable(const routable_visit *visit, void **out, void *data)
{
    *out = data;
    return again(mine, visit);
}
static routable_status on_child(void *child, const routable_visit *visit, void *data) { (void)child; (void)data; return again(mine, visit); }
static routable_status on_children(void *const *children, size_t count, const routable_visit *visit, void *data)
{
    (void)data;
    while (count--)
        (void)children[count];
    return again(mine, visit);
}
static routable_status on_predicate(routable_str path, void *data) { (void)data; touch(path.ptr, path.len); return again(mine, NULL); }
static routable_status on_read(char *buffer, size_t capacity, size_t *count, void *data)
{
    (void)data;
    if (!mine)
        return ROUTABLE_OK; /* the end */
    *count = below(mine, capacity < 100 ? capacity + 1 : 100);
    memset(buffer, 'x', *count);
    return chance(mine, 70) ? ROUTABLE_OK : again(mine, NULL) ? ROUTABLE_PENDING : ROUTABLE_ERR_CALLBACK;
}
static routable_status on_change(routable_str path, routable_str json, void *data)
{
    (void)path, (void)json, (void)data;
    return ROUTABLE_OK;
}

static routable_status on_verify(routable_str scheme, routable_str credential, void *data)
{
    (void)scheme, (void)credential, (void)data;
    return !mine || chance(mine, 50) ? ROUTABLE_OK : again(mine, NULL) ? ROUTABLE_ERR_CREDENTIAL : ROUTABLE_ERR_CALLBACK;
}
static routable_status on_item(routable_stream_item *item, void *data)
{
    (void)data;
    if (!mine || chance(mine, 30))
        return ROUTABLE_IDLE;
    item->data = chance(mine, 50) ? routable_str_from("[1, {}]") : routable_str_from("a\nb");
    item->id = item->event = chance(mine, 50) ? routable_str_from("") : routable_str_from("x\ry");
    return chance(mine, 70) ? ROUTABLE_OK : again(mine, NULL) ? ROUTABLE_PENDING : ROUTABLE_ERR_CALLBACK;
}
static routable_status on_rewind(void *data) { (void)data; return mine ? again(mine, NULL) : ROUTABLE_OK; }
static routable_status on_write(routable_str bytes, void *data)
{
    (void)data;
    touch(bytes.ptr, bytes.len);
    return !mine || chance(mine, 70) ? ROUTABLE_OK : again(mine, NULL) ? ROUTABLE_PENDING : ROUTABLE_ERR_CALLBACK;
}
static routable_status on_progress(const routable_progress *progress, void *data)
{
    (void)data;
    touch((const char *)progress, sizeof *progress);
    return mine && chance(mine, 5) ? again(mine, NULL) : ROUTABLE_OK;
}
/* The string is valid until the next call of this thread. */
static routable_status on_load(routable_str uri, routable_str *out, void *data)
{
    (void)data;
    touch(uri.ptr, uri.len);
    if (!mine)
        return ROUTABLE_OK;
    if (chance(mine, 60))
        *out = routable_str_from("{\"openapi\": \"3.1.0\", \"components\": {\"schemas\": {\"a\": {\"$ref\": \"b.json\"}}}}");
    return chance(mine, 80) ? ROUTABLE_OK : again(mine, NULL) ? ROUTABLE_PENDING : ROUTABLE_ERR_CALLBACK;
}
static void on_deviation(const routable_response *response, routable_str route, routable_str operation, void *data)
{
    (void)route;
    (void)operation;
    (void)data;
    (void)routable_response_deviation_count(response);
}

static void on_event(const routable_event *event, void *data)
{
    (void)data;
    touch((const char *)event, sizeof *event);
    if (mine && chance(mine, 5))
        (void)again(mine, NULL);
}
static routable_status on_unmatched(const routable_visit *visit, void *data) { (void)data; return again(mine, visit); }

#include "hostile_calls.h"

enum { CALLS = sizeof calls / sizeof *calls };
static size_t succeeded_calls[CALLS];

static void tell(world *w, const char *name, routable_status status, int told, routable_error *error)
{
    char what[200];
    size_t i;
    snprintf(what, sizeof what, "%s: %s %s", name, routable_status_name(status), told && error ? "with an error" : "without an error");
    expect(strcmp(routable_status_name(status), "unknown_status") != 0, what);
    expect(status != ROUTABLE_ERR_INTERNAL, what);
    if (status < ROUTABLE_ERR_ARGUMENT && strncmp(name, "routable_received_", 18) == 0)
        expect(!told || status == ROUTABLE_OK || error != NULL, what); /* the test makes a problem document of it */
    else
        expect(!told || (error != NULL) == (status >= ROUTABLE_ERR_ARGUMENT), what);
    if (status == ROUTABLE_OK) {
        w->succeeded++;
        for (i = 0; i < CALLS; i++)
            if (calls[i].name == name || strcmp(calls[i].name, name) == 0)
                __atomic_add_fetch(&succeeded_calls[i], 1, __ATOMIC_RELAXED);
    }
    if (error && told) {
        expect(routable_error_status(error) == status, what);
        expect(routable_error_message(error).len > 0, what);
        adopt_routable_error(w, error);
    }
}

/* --- Calls --- */

static void call(world *w, size_t index)
{
    const size_t place = w->place, heap = w->heap_count;
    w->calling[w->depth++] = calls[index].name;
    w->made++;
    calls[index].call(w);
    w->calling[--w->depth] = NULL;
    w->place = place;
    while (w->heap_count > heap)
        free(w->heap[--w->heap_count]);
}

/* Inside of a callback: makes further calls, some of them with the visit.  Sometimes fails afterwards. */
static routable_status again(world *w, const routable_visit *visit)
{
    const routable_visit *kept[POOL];
    if (w->depth <= DEEPEST) {
        memcpy(kept, w->routable_visit, sizeof kept);
        for (size_t i = 0; i < POOL; i++)
            w->routable_visit[i] = visit;
        for (size_t i = below(w, 3); i; i--)
            call(w, below(w, CALLS));
        memcpy(w->routable_visit, kept, sizeof kept);
    }
    return chance(w, 80) ? ROUTABLE_OK : (routable_status)any_int32(w);
}

static void begin(world *w, uint64_t seed, const world *shared)
{
    size_t i;
    memset(w, 0, sizeof *w);
    w->seed = seed;
    w->shared = shared;
    w->memory = (char *)mmap(NULL, PLACES * (ROOM + PAGE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(w->memory != MAP_FAILED);
    for (i = 0; i < PLACES; i++)
        assert_int_equal(mprotect(w->memory + i * (ROOM + PAGE) + ROOM, PAGE, PROT_NONE), 0);
}

static void end(world *w)
{
    free_world(w);
    munmap(w->memory, PLACES * (ROOM + PAGE));
}

static void died(int number)
{
    static const char text[] = "hostile: the process would have died in: ";
    size_t i;
    (void)!write(2, text, sizeof text - 1);
    for (i = 0; mine && i <= DEEPEST; i++)
        if (mine->calling[i]) {
            (void)!write(2, mine->calling[i], strlen(mine->calling[i]));
            (void)!write(2, " ", 1);
        }
    (void)!write(2, "\n", 1);
    signal(number, SIG_DFL);
    raise(number);
}

/* --- A service that sends random responses --- */

static int listening;

static void *serve(void *unused)
{
    static const char *const answers[] = { "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"text\":\"a\"}",
        "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n[]", "garbage\r\n\r\n", "",
        "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort" };
    char buffer[65536];
    size_t turn = 0;
    int connection;
    (void)unused;
    while ((connection = accept(listening, NULL, NULL)) >= 0) {
        const char *const answer = answers[turn++ % (sizeof answers / sizeof *answers)];
        struct timeval patience = { 0, 20000 };
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (recv(connection, buffer, sizeof buffer, 0) > 0)
            (void)send(connection, answer, strlen(answer), MSG_NOSIGNAL);
        shutdown(connection, SHUT_RDWR);
        close(connection);
    }
    return NULL;
}

static void start_serving(pthread_t *thread)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listening, 256), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&address, &length), 0);
    snprintf(base, sizeof base, "http://127.0.0.1:%d/v1", ntohs(address.sin_port));
    assert_int_equal(pthread_create(thread, NULL, serve, NULL), 0);
}

/* --- The test --- */

static void *host(void *given)
{
    world *const w = (world *)given;
    int round;
    size_t i;
    mine = w;
    for (round = 0; round < rounds; round++)
        for (i = 0; i < CALLS; i++)
            call(w, chance(w, 50) ? i : below(w, CALLS));
    return NULL;
}

static void the_process_lives(void **state)
{
    static world shared, worlds[THREADS];
    pthread_t threads[THREADS], service;
    pthread_attr_t attributes;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client = NULL;
    size_t i, made = 0, succeeded = 0, reached = 0;
    static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE };
    (void)state;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], died);
    read_words();
    start_serving(&service);

    /* Objects for all threads: several routers, so that borrowed objects are used with another router. */
    begin(&shared, 0x9E3779B97F4A7C15u, NULL);
    mine = &shared;
    shared.routable_router[0] = open_social();
    shared.routable_router[1] = open_article("https://h/");
    options.base = base;
    options.deadline_ms = 300;
    options.retry_delay_ms = 1;
    if (routable_client_new(&options, &client, NULL) == ROUTABLE_OK)
        shared.routable_client[0] = client;
    for (int round = 0; round < 40; round++)
        for (i = 0; i < CALLS; i++)
            if (!calls[i].frees)
                call(&shared, i);
    mine = NULL;

    pthread_attr_init(&attributes);
    /* At least the minimum of the system: 128 KiB on arm64. */
    assert_int_equal(pthread_attr_setstacksize(&attributes, sysconf(_SC_THREAD_STACK_MIN) > SMALL_STACK ? (size_t)sysconf(_SC_THREAD_STACK_MIN) : SMALL_STACK), 0);
    for (i = 0; i < THREADS; i++) {
        begin(&worlds[i], 0xD1B54A32D192ED03u * (i + 1), &shared);
        assert_int_equal(pthread_create(&threads[i], i % 2 ? &attributes : NULL, host, &worlds[i]), 0);
    }
    pthread_attr_destroy(&attributes);
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        made += worlds[i].made;
        succeeded += worlds[i].succeeded;
    }
    for (i = 0; i < THREADS; i++)
        end(&worlds[i]);
    made += shared.made;
    end(&shared);
    shutdown(listening, SHUT_RDWR);
    pthread_join(service, NULL);
    close(listening);

    for (i = 0; i < CALLS; i++)
        if (succeeded_calls[i])
            reached++;
    print_message("%d functions, %zu calls from %d threads, %zu of them succeeded, %zu functions at least once\n", (int)CALLS, made, THREADS,
        succeeded, reached);
    assert_true(reached >= 40); /* the calls pass the checks of arguments */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_process_lives) };
    const char *const wanted = getenv("ROUTABLE_HOSTILE_ROUNDS");
    char folder[300], name[600];
    DIR *entries;
    const struct dirent *entry;
    int result;
    if (wanted)
        rounds = atoi(wanted);
    /* Requests stay on this machine: for all other hosts, the proxy does not exist. */
    setenv("all_proxy", "http://127.0.0.1:1", 1);
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("https_proxy", "http://127.0.0.1:1", 1);
    setenv("no_proxy", "127.0.0.1", 1);
    nowhere = open("/dev/null", O_WRONLY);
    if (!make_folder(folder, sizeof folder))
        return 1;
    snprintf(written, sizeof written, "%s/download", folder);
    result = cmocka_run_group_tests(tests, NULL, NULL);
    entries = opendir(folder);
    while (entries && (entry = readdir(entries)) != NULL) {
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        unlink(name);
    }
    if (!entries || closedir(entries) != 0 || rmdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    return result;
}
