/* routable_bodies.h - bodies that are not in memory (docs/bodies.md).
 *
 * The body of a request may come from a file, from the parts of a form, or from a callback.  The body of the response may go
 * to a file, a descriptor or a callback, or be read one piece, line or event at a time.
 *
 *     routable_request_set_body_file(request, "movie.mp4", NULL, &error);
 *     routable_request_set_target_file(request, "movie.json", ROUTABLE_TARGET_RESUME, &error);
 *     routable_client_perform(client, request, &response, &error);
 *
 * Callbacks    run on the thread that performs the request or drives the client, one at a time for each transfer.  The library
 *              holds no lock during the call, so a callback may submit and cancel transfers, and free any object, including the
 *              client.  After routable_transfer_cancel has returned, the library no longer calls the callbacks of that
 *              transfer.  A read or write callback of a submitted transfer may return ROUTABLE_PENDING if it cannot continue
 *              yet: the transfer pauses until the program calls routable_transfer_resume.  Exception: if the client has a
 *              transport, a read callback must not return ROUTABLE_PENDING.
 * Release      The library calls `release` when the request and its transfers no longer use the callback, or when the function
 *              that received the callback fails.
 * Retries      A retry, a redirect that keeps the method, and a repetition with a newer token after a 401 send the body again.
 *              Regular files and parts in memory can be sent again.  A source can be sent again if it has a rewind callback.
 *              Every body can be sent again if nothing of it has been read.  If a body cannot be sent again, the request is not
 *              retried, a response with status 401 is final, and a redirect that requires the body fails with
 *              ROUTABLE_ERR_BODY.
 * Concurrency  Only one transfer at a time may use a request that has a source, a target or a progress callback.
 * The other conventions are those of routable.h. */
#ifndef ROUTABLE_BODIES_H
#define ROUTABLE_BODIES_H

#include "routable_transfers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Request bodies
 */

/* Writes up to `capacity` bytes of the body into `buffer`, and the number of bytes written into `*count`; 0 marks the end of
 * the body.  Returns ROUTABLE_OK or ROUTABLE_PENDING. */
typedef routable_status (*routable_read_fn)(char *buffer, size_t capacity, size_t *count, void *user_data);
/* Rewinds the source to its start. */
typedef routable_status (*routable_rewind_fn)(void *user_data);

/* A request body that callbacks provide. */
typedef struct routable_source {
    size_t size;               /* sizeof(routable_source) */
    routable_read_fn read;     /* not NULL */
    routable_rewind_fn rewind; /* NULL: the source can only be read once */
    void *user_data;           /* for both callbacks */
    routable_release_fn release;
    int64_t length;            /* number of bytes to read; if `read` provides fewer, the transfer fails with
                                  ROUTABLE_ERR_BODY; 0: an empty body; ROUTABLE_NONE: unknown, sent in chunks */
} routable_source;
#define ROUTABLE_SOURCE_INIT { sizeof(routable_source), NULL, NULL, NULL, NULL, ROUTABLE_NONE }

/* Sets a source as the body.  If `content_type` is NULL, the Content-Type header does not change.  Statuses: HEADER, LIMIT,
 * ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body_source(
    routable_request *request, const routable_source *source, const char *content_type, routable_error **error);

/* Sets a file as the body.  The library reads the file when it sends the request.  If `content_type` is NULL and the request
 * has no Content-Type header, the library derives the media type from the extension of the file; for an unknown extension, the
 * type is application/octet-stream.  A file that is not a regular file, such as a pipe, is sent in chunks, and cannot be sent
 * again after a byte has been read.
 * Statuses: FILE, HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body_file(
    routable_request *request, const char *path, const char *content_type, routable_error **error);

/* A part of multipart/form-data.  Set exactly one of content, file and source. */
typedef struct routable_part {
    size_t size;                   /* sizeof(routable_part) */
    routable_str name;
    routable_str content;
    const char *file;              /* path of a file, which is read when the request is sent */
    const routable_source *source;
    const char *filename;          /* NULL: the last component of the path `file`; without `file`, none */
    const char *content_type;      /* NULL: derived from the extension of the filename; without a filename, the part has no
                                      Content-Type */
} routable_part;
#define ROUTABLE_PART_INIT { sizeof(routable_part), { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL }

enum { ROUTABLE_MULTIPART_HTML = 1 }; /* as in an HTML form, convert line breaks to CR LF in names, and in the `content` of
                                         parts without a filename */

/* Sets a multipart/form-data body that consists of these parts, in the order of the array.  All parts must have the same
 * `size`.  The library writes `"`, CR and LF in a name or filename as %22, %0D and %0A (WHATWG), and rejects invalid UTF-8
 * and other control characters except the tab.  The boundary occurs in no part that is in memory, and contains 128 random bits
 * if a part is not in memory.  If all parts are in memory, the body is encoded before the function returns.
 * Statuses: FILE, VALUE, HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_multipart(
    routable_request *request, const routable_part *parts, size_t count, uint32_t flags, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Response bodies: a target receives the body of a successful response (200 to 299 except 204 and 205)
 *
 * The routable_response then has no body.  The bodies of all other responses are stored in memory.  The `max_response_bytes` of
 * the client does not apply to a target, but the `max_response_bytes` of the policy does.  The library requests the response
 * without compression, unless the request has an Accept-Encoding header.
 */

/* Consumes all bytes and returns ROUTABLE_OK, or consumes none and returns ROUTABLE_PENDING.  After ROUTABLE_PENDING and
 * routable_transfer_resume, the library calls the function again with the same bytes, to which it may have appended further
 * bytes.  `bytes` is valid during the call, and is not NUL-terminated. */
typedef routable_status (*routable_write_fn)(routable_str bytes, void *user_data);

/* A callback that receives the body of a response. */
typedef struct routable_target {
    size_t size;             /* sizeof(routable_target) */
    routable_write_fn write; /* not NULL */
    void *user_data;
    routable_release_fn release;
} routable_target;
#define ROUTABLE_TARGET_INIT { sizeof(routable_target), NULL, NULL, NULL }

/* Sets a callback as the target.  If `target` is NULL, the request has no target, and the body is stored in memory.  The
 * request is not retried after the callback has consumed a byte.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target(
    routable_request *request, const routable_target *target, routable_error **error);
/* Sets a file descriptor as the target: a file, or a pipe that another thread or process reads.  The library does not close the
 * descriptor.  The request is not retried after a byte has been written.  Functions that perform the request may also fail with
 * ROUTABLE_ERR_FILE.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target_descriptor(
    routable_request *request, int32_t descriptor, routable_error **error);

enum { ROUTABLE_TARGET_RESUME = 1 }; /* continue an earlier download */
/* Sets a file as the target.  If `path` is PATH, the body is written to the file PATH.part, which is renamed to PATH when the
 * body is complete.  If the service sent a strong validator (a strong ETag, or a Last-Modified date at least 60 s before the
 * Date), a retry of a GET request asks only for the missing bytes.  With ROUTABLE_TARGET_RESUME, the validator is stored in
 * PATH.part.etag, and a later GET request with this flag and the same target PATH also asks only for the missing bytes.
 * Without this flag, or without a strong validator, PATH.part is removed if the download does not complete.  Bytes of two
 * versions are never mixed: a request for the missing bytes has an If-Range header, and the download starts again if the resource
 * has changed.  Functions that perform the request may also fail with ROUTABLE_ERR_FILE.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target_file(
    routable_request *request, const char *path, uint32_t flags, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Progress, pause
 */

/* The numbers of bytes of the current attempt, in both directions.  `received` and `to_receive` include the bytes that a file
 * target already has.  Only the library creates this struct.  Frozen. */
typedef struct routable_progress {
    int64_t sent, to_send;         /* to_send and to_receive are totals; ROUTABLE_NONE if unknown or 0 */
    int64_t received, to_receive;
} routable_progress;

/* Reports progress.  The library calls the function only if one of the numbers has changed since the last call.  `progress` is
 * valid during the call. */
typedef routable_status (*routable_progress_fn)(const routable_progress *progress, void *user_data);

/* Sets the progress callback.  NULL removes it.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_progress(
    routable_request *request, routable_progress_fn progress, void *user_data, routable_release_fn release,
    routable_error **error);

/* Pauses a transfer in both directions.  Any thread may call this function.  A pause does not extend the deadline.  Returns 1,
 * or 0 if the transfer has completed or was cancelled. */
ROUTABLE_API int32_t routable_transfer_pause(const routable_transfer *transfer);
/* Continues a transfer after a pause, or after a callback has returned ROUTABLE_PENDING.  Any thread may call this function.
 * Returns 1, or 0 if the transfer has completed or was cancelled. */
ROUTABLE_API int32_t routable_transfer_resume(const routable_transfer *transfer);

/* ------------------------------------------------------------------------------------------------
 * Streams: the body of a response, read item by item
 *
 * When `max_buffered_bytes` are buffered, the library stops reading from the connection until the program has read so many
 * items that at most half of `max_buffered_bytes` are buffered.  The memory of a stream is therefore bounded, even if the
 * program reads slowly.  Only one thread at a time may use a stream, except for routable_stream_cancel.
 */

typedef struct routable_stream routable_stream;

/* The items of a stream. */
typedef ROUTABLE_ENUM(routable_stream_kind) {
    ROUTABLE_STREAM_BYTES = 0, /* pieces of the body, as they arrive */
    ROUTABLE_STREAM_LINES = 1, /* lines without their line break (LF or CR LF), such as JSON Lines; empty lines are skipped */
    ROUTABLE_STREAM_EVENTS = 2 /* server-sent events (WHATWG HTML section 9.2) */
} routable_stream_kind;

/* Options of a stream or a splitter. */
typedef struct routable_stream_options {
    size_t size;                /* sizeof(routable_stream_options) */
    routable_stream_kind kind;
    uint32_t reconnects;        /* EVENTS: maximum number of consecutive reconnects without an event, each after the end of
                                   the response or a failure of the connection; 0: none */
    size_t max_item_bytes;      /* maximum size of one line or event; 0: 16 MiB */
    size_t max_buffered_bytes;  /* number of buffered bytes at which the library stops reading from the connection;
                                   0: 256 KiB */
    int64_t retry_ms;           /* EVENTS: the delay before a reconnect, unless the service sets another; 0: 3000 */
    routable_str last_event_id; /* EVENTS: id of the event to resume after; empty: none */
} routable_stream_options;
#define ROUTABLE_STREAM_OPTIONS_INIT \
    { sizeof(routable_stream_options), ROUTABLE_STREAM_BYTES, 0, 0, 0, 0, { NULL, 0 } }

/* A piece, a line or an event.  Borrowed until the next call with the same stream or splitter.  Frozen. */
typedef struct routable_stream_item {
    routable_str data;
    routable_str event; /* the type of an event, "message" by default; empty for pieces and lines */
    routable_str id;    /* the last event id; may be empty; always empty for pieces and lines */
} routable_stream_item;
#define ROUTABLE_STREAM_ITEM_INIT { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } }

/* Sends a request whose response is a stream.  `policy` may be NULL.  A stream has no deadline unless `policy` sets one: the
 * deadlines of the client and the description do not apply.  The library ignores the target of the request.  If a middleware
 * replies with a failure, the function returns the status of the reply.
 * Statuses: those of routable_client_submit. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_open(
    const routable_client *client, const routable_request *request, const routable_stream_options *options,
    const routable_policy *policy, routable_stream **out, routable_error **error);
/* Waits for the next item, and writes it to `*out`.  The waiting thread drives the client, unless the timeout is 0.  Pass 0 if
 * your event loop drives the client.
 * Statuses: PENDING (the timeout passed), IDLE (the stream has ended), INTERRUPTED, CANCELLED, those of
 * routable_client_perform. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_next(
    routable_stream *stream, int64_t timeout_ms, routable_stream_item *out, routable_error **error);
/* Waits for the status and the headers, and returns them as a response without a body, which the caller must free.  The
 * response has the URL, the version of HTTP and the trace of the transfer only after the end of the stream (IDLE).
 * Statuses: those of routable_stream_next. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_response(
    routable_stream *stream, int64_t timeout_ms, routable_response **out, routable_error **error);
/* Cancels the stream.  Any thread may call this function.  Returns the same values as routable_transfer_cancel. */
ROUTABLE_API int32_t routable_stream_cancel(const routable_stream *stream);
/* Cancels the stream and frees it. */
ROUTABLE_API void routable_stream_free(routable_stream *stream);

/* ------------------------------------------------------------------------------------------------
 * Splitter: divides bytes from another HTTP client into the items of a stream
 */

typedef struct routable_splitter routable_splitter;

/* Makes a splitter, which uses only the options `kind`, `max_item_bytes` and `last_event_id`.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_new(
    const routable_stream_options *options, routable_splitter **out, routable_error **error);
/* Appends bytes.  Statuses: LIMIT (an item is too large), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_feed(
    routable_splitter *splitter, routable_str bytes, routable_error **error);
/* Marks the end of the bytes.  If the last line has no line break, it is still an item.  An event without its final empty line
 * is discarded. */
ROUTABLE_API void routable_splitter_end(routable_splitter *splitter);
/* Writes the next item to `*out`.  Statuses: IDLE (there is no complete item), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_next(
    routable_splitter *splitter, routable_stream_item *out, routable_error **error);
/* The delay in milliseconds before a reconnect: the value of the last valid `retry` field of the events, limited to 86,400,000
 * (one day); ROUTABLE_NONE if there was no such field. */
ROUTABLE_API int64_t routable_splitter_retry_ms(const routable_splitter *splitter);
/* Frees the splitter and the item that it returned last. */
ROUTABLE_API void routable_splitter_free(routable_splitter *splitter);

/* Normalizes a Content-Type (WHATWG MIME Sniffing): "Text/HTML; Charset=utf-8" becomes "text/html;charset=utf-8".
 * Statuses: VALUE (not a media type), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_media_type_normalize(
    routable_str content_type, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
