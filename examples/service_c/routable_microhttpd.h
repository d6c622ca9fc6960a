/* routable_microhttpd.h - serves the requests of a description by libmicrohttpd.  Copy this file into a program.
 *
 *     static routable_answer *respond(const routable_received *received, void *data)
 *     {
 *         return served_json(received, 0, "{\"name\":\"ann\"}", NULL);
 *     }
 *     served it = { 0 };
 *     it.api = api;  it.respond = respond;
 *     struct MHD_Daemon *daemon = serve(&it, 8080);            -> NULL if it cannot listen
 *     MHD_stop_daemon(daemon);
 *
 * A request that the description does not allow is answered by the library; `respond` is called for all others, in one thread. */
#ifndef ROUTABLE_MICROHTTPD_H
#define ROUTABLE_MICROHTTPD_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <routable.h>
#include <routable_service.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVED_HEADERS = 64, SERVED_BODY = 1 << 20 };

typedef struct served {
    const routable_router *api;
    /* Returns the response, or NULL to close the connection. */
    routable_answer *(*respond)(const routable_received *received, void *data);
    /* Verifies a credential (routable_receive_options); NULL: requests with credentials are not verified. */
    routable_verify_fn verify;
    void *data; /* of both functions */
} served;

/* --- Responses --- */

/* A problem document with a reason for the client. */
static inline routable_answer *served_problem(const routable_received *received, int32_t status, const char *reason)
{
    routable_answer *answer = NULL;
    return routable_answer_new_problem(received, status, routable_str_from(reason), NULL, &answer, NULL) == ROUTABLE_OK ? answer : NULL;
}

/* JSON, or no body for NULL.  `status` 0: the usual one.  `options` may be NULL.  A response that the description does not allow
 * becomes 500, and the reason goes to standard error. */
static inline routable_answer *served_json(
    const routable_received *received, int32_t status, const char *json, const routable_answer_options *options)
{
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    if (routable_answer_new(received, status, json ? routable_value_json(json) : routable_value_null(), options, &answer, &error) != ROUTABLE_OK) {
        if (routable_error_http_status(error) == 0) fprintf(stderr, "%s\n", routable_error_message(error).ptr);
        /* 406 and 412 are the fault of the request.  libmicrohttpd sends no body for HEAD. */
        if (routable_answer_new_refused(error, "GET", 0, &answer, NULL) != ROUTABLE_OK) answer = NULL;
        routable_error_free(error);
    }
    return answer;
}

/* --- Requests --- */

typedef struct served_exchange {
    char *target, *body;
    size_t body_length;
    int is_begun, has_too_many_headers;
    routable_header headers[SERVED_HEADERS];
    size_t header_count;
} served_exchange;

/* Called with the target as it came, with its query and its escapes. */
static inline void *served_begin(void *data, const char *target, struct MHD_Connection *connection)
{
    served_exchange *const exchange = calloc(1, sizeof *exchange);
    (void)data, (void)connection;
    if (exchange) exchange->target = strdup(target);
    return exchange;
}

static inline void served_end(void *data, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    served_exchange *const exchange = *state;
    (void)data, (void)connection, (void)code;
    if (!exchange) return;
    free(exchange->target);
    free(exchange->body);
    free(exchange);
}

static inline enum MHD_Result served_header(void *data, enum MHD_ValueKind kind, const char *name, const char *value)
{
    served_exchange *const exchange = data;
    (void)kind;
    exchange->has_too_many_headers = exchange->header_count == SERVED_HEADERS;
    if (exchange->has_too_many_headers) return MHD_NO;
    exchange->headers[exchange->header_count].name = routable_str_from(name);
    exchange->headers[exchange->header_count++].value = routable_str_from(value ? value : "");
    return MHD_YES;
}

/* Returns 0 if memory cannot be allocated.  What is over the limit is not kept; the library refuses it with 413. */
static inline int served_keep(served_exchange *exchange, const char *bytes, size_t count)
{
    char *longer;
    if (exchange->body_length > SERVED_BODY) return 1;
    longer = realloc(exchange->body, exchange->body_length + count);
    if (!longer) return 0;
    memcpy(longer + exchange->body_length, bytes, count);
    exchange->body = longer;
    exchange->body_length += count;
    return 1;
}

/* --- Sending --- */

typedef struct served_sending {
    routable_answer *answer;
    routable_str rest; /* of the piece that libmicrohttpd has not yet taken */
} served_sending;

static inline ssize_t served_piece(void *data, uint64_t position, char *buffer, size_t size)
{
    served_sending *const from = data;
    (void)position;
    if (!from->rest.len) {
        const routable_status status = routable_answer_next(from->answer, &from->rest, NULL);
        if (status == ROUTABLE_IDLE) return MHD_CONTENT_READER_END_OF_STREAM;
        if (status == ROUTABLE_PENDING) return 0;
        if (status != ROUTABLE_OK) return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (size > from->rest.len) size = from->rest.len;
    memcpy(buffer, from->rest.ptr, size);
    from->rest.ptr += size;
    from->rest.len -= size;
    return (ssize_t)size;
}

static inline void served_sent(void *data)
{
    routable_answer_free(((served_sending *)data)->answer);
    free(data);
}

static inline enum MHD_Result served_send(struct MHD_Connection *connection, routable_answer *answer)
{
    const routable_str length = routable_answer_header(answer, "Content-Length");
    served_sending *const from = calloc(1, sizeof *from);
    struct MHD_Response *response;
    enum MHD_Result status;
    size_t index;
    if (!from) {
        routable_answer_free(answer);
        return MHD_NO;
    }
    from->answer = answer;
    /* The Content-Length of a response to HEAD is that of GET; libmicrohttpd does not send a body for HEAD. */
    response = MHD_create_response_from_callback(
        length.len ? strtoull(length.ptr, NULL, 10) : routable_answer_body_length(answer) ? MHD_SIZE_UNKNOWN : 0, 16384, served_piece, from,
        served_sent);
    if (!response) {
        served_sent(from);
        return MHD_NO;
    }
    for (index = 0; index < routable_answer_header_count(answer); index++) {
        const routable_header header = routable_answer_header_at(answer, index);
        if (strcmp(header.name.ptr, "Content-Length")) MHD_add_response_header(response, header.name.ptr, header.value.ptr);
    }
    status = MHD_queue_response(connection, (unsigned)routable_answer_status(answer), response);
    MHD_destroy_response(response);
    return status;
}

/* --- The daemon --- */

static inline enum MHD_Result served_request(
    void *data, struct MHD_Connection *connection, const char *url, const char *method, const char *version, const char *upload,
    size_t *upload_length, void **state)
{
    const served *const it = data;
    served_exchange *const exchange = *state;
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_received *received = NULL;
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    (void)url, (void)version;
    if (!exchange || !exchange->target) return MHD_NO;
    if (!exchange->is_begun) { /* the first call, before the body */
        exchange->is_begun = 1;
        MHD_get_connection_values(connection, MHD_HEADER_KIND, served_header, exchange);
        return MHD_YES;
    }
    if (*upload_length) {
        const int is_kept = served_keep(exchange, upload, *upload_length);
        *upload_length = 0;
        return is_kept ? MHD_YES : MHD_NO;
    }
    incoming.method = method;
    incoming.target = routable_str_from(exchange->target);
    incoming.headers = exchange->headers;
    incoming.header_count = exchange->header_count;
    incoming.body = routable_str_from_bytes(exchange->body, exchange->body_length);
    options.max_body_bytes = SERVED_BODY;
    options.verify = it->verify;
    options.user_data = it->data;
    if (exchange->has_too_many_headers)
        answer = served_problem(NULL, 431, "the request has too many header fields");
    else if (routable_received_new(it->api, &incoming, &options, &received, &error) == ROUTABLE_OK)
        answer = it->respond(received, it->data);
    else if (routable_answer_new_refused(error, method, 0, &answer, NULL) != ROUTABLE_OK)
        answer = NULL;
    routable_error_free(error);
    routable_received_free(received);
    return answer ? served_send(connection, answer) : MHD_NO;
}

/* Listens on the loopback interface.  Port 0: a free one, which served_port returns.  `it` must live as long as the daemon. */
static inline struct MHD_Daemon *serve(served *it, unsigned port)
{
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)port);
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, served_request, it, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_URI_LOG_CALLBACK, served_begin, NULL, MHD_OPTION_NOTIFY_COMPLETED, served_end, NULL, MHD_OPTION_CONNECTION_TIMEOUT, 30u,
        MHD_OPTION_END);
}

static inline unsigned served_port(struct MHD_Daemon *daemon) { return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port; }

#endif
