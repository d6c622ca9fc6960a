/* server.c - an HTTP server with libmicrohttpd, which calls one function for each request.
 *
 * The function gets the target and the headers as they were sent.  A delay suspends the connection, so that a thread of the server
 * never sleeps.  The clock thread resumes it, and closes connections with a slow client: the timeout of libmicrohttpd restarts with
 * each byte.  The memory is limited: by the number of connections, and by the size of all bodies together. */
#define _GNU_SOURCE
#include "CServe.h"
#include "CSystemLibrary.h"
#include "microhttpd_abi.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

CSYSTEM_LIBRARY_NOTE(
    "[{\"soname\":[\"libmicrohttpd.so.12\"],\"feature\":\"serve\",\"description\":\"Serving mocks\","
    "\"priority\":\"suggested\"}]");

enum {
    HEAD_BYTES = 128 << 10, /* the memory of a connection, for the head of a request and its fields */
    FIELDS = 1000,
    DRAINED_BYTES = 16 << 20, /* the maximum that is read of a body after its limit, so that its sender reads the refusal */
    TICK_MS = 250,
    REQUEST_ENTITY_TOO_LARGE = 413, TOO_MANY_FIELDS = 431, UNAVAILABLE = 503,
};

static struct microhttpd mhd;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

int32_t cserve_open(char *reason, size_t capacity)
{
    const struct csystem_symbol wanted[] = {
        { "MHD_start_daemon", &mhd.start_daemon },
        { "MHD_stop_daemon", &mhd.stop_daemon },
        { "MHD_quiesce_daemon", &mhd.quiesce_daemon },
        { "MHD_get_connection_values_n", &mhd.values },
        { "MHD_get_connection_info", &mhd.connection_info },
        { "MHD_suspend_connection", &mhd.suspend },
        { "MHD_resume_connection", &mhd.resume },
        { "MHD_create_response_from_buffer", &mhd.response_from_buffer },
        { "MHD_create_response_from_callback", &mhd.response_from_callback },
        { "MHD_add_response_header", &mhd.add_header },
        { "MHD_queue_response", &mhd.queue },
        { "MHD_destroy_response", &mhd.destroy_response },
    };
    int is_open;
    pthread_mutex_lock(&loading);
    if (!mhd.is_open) /* the library stays loaded until the process ends */
        mhd.is_open = csystem_library_open("libmicrohttpd.so.12", wanted, sizeof wanted / sizeof *wanted, reason, capacity) != NULL;
    is_open = mhd.is_open;
    pthread_mutex_unlock(&loading);
    return is_open;
}

/* A connection, in the list of its server.  The list is ordered by `since`, the time of the last change of phase. */
struct peer {
    struct peer *next, *previous;
    int fd;
    int is_waiting; /* 1: the connection waits for its client; 0: for the server */
    int64_t since;
};

struct cserve_exchange {
    struct cserve_server *server;
    struct connection *connection;
    struct cserve_exchange *next, *previous; /* in the list of suspended exchanges */
    int64_t due;
    struct peer *peer;
    char *target;
    uint8_t *body;
    size_t count, capacity;
    uint64_t drained;
    struct cserve_field *fields;
    size_t field_count;
    int32_t refusal, status;
    int is_begun, is_answered, is_suspended;
    enum cserve_cut cut;
    struct response *response;
};

struct cserve_server {
    struct cserve_options options;
    struct daemon *daemon;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t clock;
    /* Guarded by the lock. */
    struct peer *first, *last;
    struct cserve_exchange *suspended; /* ordered by the time when they are due */
    size_t connections, active;
    uint64_t body_bytes;
    int is_ending, is_clock_ending;
};

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* --- Connections --- */

static void unlink_peer(struct cserve_server *server, struct peer *peer)
{
    *(peer->previous ? &peer->previous->next : &server->first) = peer->next;
    *(peer->next ? &peer->next->previous : &server->last) = peer->previous;
    peer->next = peer->previous = NULL;
}

static void link_peer(struct cserve_server *server, struct peer *peer, int is_waiting)
{
    peer->is_waiting = is_waiting;
    peer->since = now_ms();
    peer->previous = server->last;
    *(server->last ? &server->last->next : &server->first) = peer;
    server->last = peer;
}

/* Sets the phase: the connection waits for its client (to send a head or a body, or to read the response), or for the server. */
static void set_phase(struct cserve_exchange *exchange, int is_waiting)
{
    struct cserve_server *const server = exchange->server;
    if (!exchange->peer)
        return;
    pthread_mutex_lock(&server->lock);
    unlink_peer(server, exchange->peer);
    link_peer(server, exchange->peer, is_waiting);
    pthread_mutex_unlock(&server->lock);
}

static void notify(void *context, struct connection *connection, void **state, int what)
{
    struct cserve_server *const server = context;
    struct peer *peer = *state, *oldest;
    if (what == NOTIFY_STARTED) {
        const int *const fd = mhd.connection_info(connection, INFO_FD);
        *state = peer = calloc(1, sizeof *peer);
        if (!peer)
            return;
        peer->fd = fd ? *fd : -1;
        pthread_mutex_lock(&server->lock);
        link_peer(server, peer, 1);
        if (++server->connections > server->options.connections) {
            for (oldest = server->first; oldest && !oldest->is_waiting; oldest = oldest->next) {}
            if (oldest && oldest != peer)
                shutdown(oldest->fd, SHUT_RDWR); /* libmicrohttpd then closes the connection */
        }
        pthread_mutex_unlock(&server->lock);
    } else if (what == NOTIFY_CLOSED && peer) {
        pthread_mutex_lock(&server->lock);
        unlink_peer(server, peer);
        server->connections--;
        pthread_mutex_unlock(&server->lock);
        *state = NULL;
        free(peer);
    }
}

/* --- The clock --- */

static void unlink_exchange(struct cserve_server *server, struct cserve_exchange *exchange)
{
    *(exchange->previous ? &exchange->previous->next : &server->suspended) = exchange->next;
    if (exchange->next)
        exchange->next->previous = exchange->previous;
    exchange->next = exchange->previous = NULL;
    exchange->is_suspended = 0;
}

/* Resumes connections without holding the lock, because libmicrohttpd has its own locks and calls functions of this file. */
static void resume_due(struct cserve_server *server, int64_t now)
{
    struct cserve_exchange *exchange;
    pthread_mutex_lock(&server->lock);
    while ((exchange = server->suspended) && (exchange->due <= now || server->is_ending)) {
        struct connection *const connection = exchange->connection;
        unlink_exchange(server, exchange);
        pthread_mutex_unlock(&server->lock);
        mhd.resume(connection);
        pthread_mutex_lock(&server->lock);
    }
    pthread_mutex_unlock(&server->lock);
}

static void *run_clock(void *context)
{
    struct cserve_server *const server = context;
    pthread_mutex_lock(&server->lock);
    while (!server->is_clock_ending) {
        int64_t now, late, wait = TICK_MS;
        struct timespec end;
        struct peer *peer;
        pthread_mutex_unlock(&server->lock);
        resume_due(server, now_ms());
        pthread_mutex_lock(&server->lock);
        now = now_ms();
        late = now - server->options.timeout_ms;
        for (peer = server->first; peer && peer->since <= late; peer = peer->next)
            if (peer->is_waiting)
                shutdown(peer->fd, SHUT_RDWR);
        if (server->suspended && server->suspended->due - now < wait)
            wait = server->suspended->due > now ? server->suspended->due - now : 0;
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_nsec += (long)wait * 1000000;
        end.tv_sec += end.tv_nsec / 1000000000;
        end.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&server->changed, &server->lock, &end);
    }
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

/* Suspends the connection until the response is due. */
static void suspend(struct cserve_exchange *exchange, int64_t delay_ms)
{
    struct cserve_server *const server = exchange->server;
    struct cserve_exchange *after = NULL, *before;
    mhd.suspend(exchange->connection);
    pthread_mutex_lock(&server->lock);
    exchange->due = now_ms() + delay_ms;
    for (before = server->suspended; before && before->due <= exchange->due; before = before->next)
        after = before;
    exchange->previous = after;
    exchange->next = before;
    *(after ? &after->next : &server->suspended) = exchange;
    if (before)
        before->previous = exchange;
    exchange->is_suspended = 1;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

/* --- Requests --- */

/* Called with the target as it was sent. */
static void *begin(void *context, const char *target, struct connection *connection)
{
    struct cserve_server *const server = context;
    struct cserve_exchange *const exchange = calloc(1, sizeof *exchange);
    void *const *const peer = mhd.connection_info(connection, INFO_SOCKET_CONTEXT);
    if (!exchange)
        return NULL;
    exchange->server = server;
    exchange->connection = connection;
    exchange->peer = peer ? *peer : NULL;
    exchange->target = strdup(target);
    pthread_mutex_lock(&server->lock);
    server->active++;
    pthread_mutex_unlock(&server->lock);
    return exchange;
}

static void end(void *context, struct connection *connection, void **state, int code)
{
    struct cserve_exchange *const exchange = *state;
    struct cserve_server *const server = context;
    (void)connection, (void)code;
    if (!exchange)
        return;
    *state = NULL;
    pthread_mutex_lock(&server->lock);
    if (exchange->is_suspended)
        unlink_exchange(server, exchange);
    if (exchange->peer) { /* the connection waits for the next request */
        unlink_peer(server, exchange->peer);
        link_peer(server, exchange->peer, 1);
    }
    server->body_bytes -= exchange->capacity;
    server->active--;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    if (exchange->response)
        mhd.destroy_response(exchange->response);
    free(exchange->fields);
    free(exchange->body);
    free(exchange->target);
    free(exchange);
}

static int take_field(void *context, int kind, const char *name, size_t name_count, const char *value, size_t value_count)
{
    struct cserve_exchange *const exchange = context;
    struct cserve_field *field;
    (void)kind;
    if (exchange->field_count == FIELDS) {
        exchange->refusal = TOO_MANY_FIELDS;
        return NO;
    }
    if (exchange->field_count % 16 == 0) {
        struct cserve_field *const more = realloc(exchange->fields, (exchange->field_count + 16) * sizeof *more);
        if (!more) {
            exchange->refusal = UNAVAILABLE;
            return NO;
        }
        exchange->fields = more;
    }
    field = &exchange->fields[exchange->field_count++];
    field->name = (struct cserve_bytes) { (const uint8_t *)name, name_count };
    field->value = (struct cserve_bytes) { (const uint8_t *)(value ? value : ""), value ? value_count : 0 };
    return YES;
}

static void drop_body(struct cserve_exchange *exchange)
{
    struct cserve_server *const server = exchange->server;
    free(exchange->body);
    pthread_mutex_lock(&server->lock);
    server->body_bytes -= exchange->capacity;
    pthread_mutex_unlock(&server->lock);
    exchange->body = NULL;
    exchange->count = exchange->capacity = 0;
}

static void refuse(struct cserve_exchange *exchange, int32_t refusal)
{
    exchange->refusal = refusal;
    drop_body(exchange);
}

/* Appends a piece of the body.  Returns 0 if the connection must be closed. */
static int keep(struct cserve_exchange *exchange, const char *bytes, size_t count)
{
    struct cserve_server *const server = exchange->server;
    if (!exchange->refusal && count > server->options.body_bytes - exchange->count)
        refuse(exchange, REQUEST_ENTITY_TOO_LARGE);
    if (exchange->refusal) {
        exchange->drained += count;
        return exchange->drained <= DRAINED_BYTES;
    }
    if (count > exchange->capacity - exchange->count) {
        size_t larger = exchange->capacity ? exchange->capacity * 2 : 4096;
        uint8_t *moved;
        int is_allowed;
        if (larger < exchange->count + count)
            larger = exchange->count + count;
        pthread_mutex_lock(&server->lock);
        is_allowed = larger - exchange->capacity <= server->options.total_bytes - server->body_bytes;
        if (is_allowed)
            server->body_bytes += larger - exchange->capacity;
        pthread_mutex_unlock(&server->lock);
        moved = is_allowed ? realloc(exchange->body, larger) : NULL;
        if (is_allowed)
            exchange->capacity = larger;
        if (!moved) {
            refuse(exchange, UNAVAILABLE);
            return 1;
        }
        exchange->body = moved;
    }
    memcpy(exchange->body + exchange->count, bytes, count);
    exchange->count += count;
    return 1;
}

/* Whether Content-Length is larger than the maximum that is read, including the bytes of a refused body. */
static int announces_too_much(const struct cserve_exchange *exchange)
{
    size_t i;
    for (i = 0; i < exchange->field_count; i++) {
        const struct cserve_field *const field = &exchange->fields[i];
        if (field->name.count == 14 && strncasecmp((const char *)field->name.bytes, "Content-Length", 14) == 0) {
            const unsigned long long count = strtoull((const char *)field->value.bytes, NULL, 10);
            return count > exchange->server->options.body_bytes && count - exchange->server->options.body_bytes > DRAINED_BYTES;
        }
    }
    return 0;
}

/* --- Responses --- */

static struct cserve_bytes bytes_of(const char *text)
{
    return (struct cserve_bytes) { (const uint8_t *)text, text ? strlen(text) : 0 };
}

static ssize_t fail(void *context, uint64_t position, char *buffer, size_t size)
{
    (void)context, (void)position, (void)buffer, (void)size;
    return READER_ERROR;
}

struct part { size_t count; char bytes[]; };

/* Provides a part of a body, and then an error. */
static ssize_t read_part(void *context, uint64_t position, char *buffer, size_t size)
{
    const struct part *const part = context;
    if (position >= part->count)
        return READER_ERROR;
    if (size > part->count - position)
        size = part->count - (size_t)position;
    memcpy(buffer, part->bytes + position, size);
    return (ssize_t)size;
}

static struct response *partial(struct cserve_bytes body, uint64_t length)
{
    const size_t count = body.count / 2;
    struct part *const part = malloc(sizeof *part + count);
    struct response *response;
    if (!part)
        return NULL;
    part->count = count;
    if (count)
        memcpy(part->bytes, body.bytes, count);
    response = mhd.response_from_callback(length ? length : 1, 4096, read_part, part, free);
    if (!response)
        free(part);
    return response;
}

int32_t cserve_reply(
    struct cserve_exchange *exchange, int32_t status, struct cserve_bytes body, uint64_t length, enum cserve_cut cut, int64_t delay_ms)
{
    exchange->status = status;
    exchange->cut = cut;
    exchange->due = delay_ms;
    if (exchange->response)
        mhd.destroy_response(exchange->response);
    if (cut == CSERVE_PARTIAL)
        exchange->response = partial(body, length);
    else if (body.count == length)
        exchange->response = mhd.response_from_buffer(body.count, (void *)(uintptr_t)body.bytes, MEMORY_MUST_COPY);
    else /* the response to a HEAD request */
        exchange->response = mhd.response_from_callback(length, 1024, fail, NULL, NULL);
    return exchange->response != NULL;
}

int32_t cserve_reply_field(struct cserve_exchange *exchange, struct cserve_bytes name, struct cserve_bytes value)
{
    char *const text = malloc(name.count + value.count + 2);
    int status = NO;
    if (!text || !exchange->response) {
        free(text);
        return 0;
    }
    memcpy(text, name.bytes, name.count);
    text[name.count] = 0;
    if (value.count)
        memcpy(text + name.count + 1, value.bytes, value.count);
    text[name.count + 1 + value.count] = 0;
    status = mhd.add_header(exchange->response, text, text + name.count + 1);
    free(text);
    return status == YES;
}

static void answer(struct cserve_exchange *exchange, const char *method)
{
    const struct cserve_options *const options = &exchange->server->options;
    struct cserve_request request = { .refusal = exchange->refusal };
    request.method = bytes_of(method);
    request.target = bytes_of(exchange->target);
    request.fields = exchange->fields;
    request.field_count = exchange->field_count;
    request.body = (struct cserve_bytes) { exchange->body, exchange->count };
    exchange->is_answered = 1;
    options->respond(options->context, &request, exchange);
}

static int finish(struct cserve_exchange *exchange)
{
    int status;
    if (!exchange->response)
        return NO;
    if (exchange->cut == CSERVE_RESET && exchange->peer) {
        const struct sockaddr none = { .sa_family = AF_UNSPEC };
        connect(exchange->peer->fd, &none, sizeof none); /* this sends the reset */
    }
    if (exchange->cut == CSERVE_RESET || exchange->cut == CSERVE_CLOSE)
        return NO;
    set_phase(exchange, 1);
    status = mhd.queue(exchange->connection, (unsigned)exchange->status, exchange->response);
    mhd.destroy_response(exchange->response);
    exchange->response = NULL;
    return status;
}

static int handle(
    void *context, struct connection *connection, const char *url, const char *method, const char *version, const char *upload,
    size_t *count, void **state)
{
    struct cserve_exchange *const exchange = *state;
    (void)context, (void)url, (void)version;
    if (!exchange || !exchange->target)
        return NO;
    if (!exchange->is_begun) { /* the head was received */
        exchange->is_begun = 1;
        set_phase(exchange, 1);
        mhd.values(connection, KIND_HEADER, take_field, exchange);
        if (!announces_too_much(exchange))
            return YES;
        exchange->refusal = REQUEST_ENTITY_TOO_LARGE; /* the connection is closed after the response */
    } else if (*count) {
        const int is_kept = keep(exchange, upload, *count);
        *count = 0;
        return is_kept ? YES : NO;
    }
    if (!exchange->is_answered) {
        set_phase(exchange, 0);
        answer(exchange, method);
        if (exchange->due > 0 && exchange->response) {
            suspend(exchange, exchange->due);
            return YES;
        }
    }
    return finish(exchange);
}

/* Does not decode the target. */
static size_t unescaped(void *context, struct connection *connection, char *text)
{
    (void)context, (void)connection;
    return strlen(text);
}

/* --- Starting and stopping --- */

static void free_server(struct cserve_server *server)
{
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

/* Raises the limit of open files, because each connection is one. */
static void raise_limit(rlim_t files)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < files) {
        limit.rlim_cur = limit.rlim_max < files ? limit.rlim_max : files;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

struct cserve_server *cserve_start(const struct cserve_options *options)
{
    struct cserve_server *const server = calloc(1, sizeof *server);
    pthread_condattr_t attributes;
    int code;
    if (!server)
        return NULL;
    raise_limit(options->connections + 64);
    server->options = *options;
    pthread_mutex_init(&server->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&server->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    code = pthread_create(&server->clock, NULL, run_clock, server);
    if (code != 0) {
        free_server(server);
        errno = code;
        return NULL;
    }
    /* poll is used because with epoll, libmicrohttpd misses the end of a connection that arrives together with the beginning of a
     * request.  Its limit of connections is higher than the limit of this server, which accepts a further one and closes another. */
    server->daemon = mhd.start_daemon(
        USE_INTERNAL_POLLING_THREAD | USE_POLL | ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        OPTION_LISTEN_SOCKET, options->listener, OPTION_THREAD_POOL_SIZE, options->threads,
        OPTION_CONNECTION_LIMIT, options->connections * 2, OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES,
        OPTION_CONNECTION_TIMEOUT, options->timeout_ms / 1000 + 1, OPTION_URI_LOG_CALLBACK, begin, server,
        OPTION_UNESCAPE_CALLBACK, unescaped, NULL, OPTION_NOTIFY_COMPLETED, end, server, OPTION_NOTIFY_CONNECTION, notify, server,
        OPTION_END);
    code = errno;
    if (server->daemon)
        return server;
    pthread_mutex_lock(&server->lock);
    server->is_clock_ending = 1;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->clock, NULL);
    free_server(server);
    errno = code;
    return NULL;
}

void cserve_stop(struct cserve_server *server, uint32_t grace_ms)
{
    const int listener = mhd.quiesce_daemon(server->daemon);
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_nsec += (long)grace_ms * 1000000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    if (listener >= 0)
        close(listener);
    pthread_mutex_lock(&server->lock);
    server->is_ending = 1; /* this ends all delays */
    pthread_cond_broadcast(&server->changed);
    while (server->active && pthread_cond_timedwait(&server->changed, &server->lock, &limit) == 0) {}
    server->is_clock_ending = 1;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->clock, NULL);
    resume_due(server, now_ms());
    mhd.stop_daemon(server->daemon);
    free_server(server);
}
