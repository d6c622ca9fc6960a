/* routable_bodies.h - bodies that are not in memory (docs/bodies.md).
 *
 * The body of a request may come from a file, from the parts of a form, or from a callback.  The body of its response may go to
 * a file, a descriptor or a callback, or be read one line or event at a time.
 *
 *     routable_request_set_body_file(request, "movie.mp4", NULL, &error);
 *     routable_request_set_target_file(request, "movie.json", ROUTABLE_TARGET_RESUME, &error);
 *     routable_client_perform(client, request, &response, &error);
 *
 * Callbacks    run on the thread that performs or drives, one at a time for each transfer, without a lock.  They may submit,
 *              cancel and free, the client included.  None runs after routable_transfer_cancel of their transfer has
 *              returned.  ROUTABLE_PENDING means "not now": the transfer pauses until routable_transfer_resume; only submitted
 *              transfers can.
 * Release      The user_data of a struct is released when neither the request nor a transfer of it uses it any more, or when
 *              the function it was given to fails.  Exception: a struct that is NULL or has a wrong size cannot be read.
 * Retries      A retry or a redirect sends the body again.  Files and parts in memory can be sent again; a source can if it has
 *              a rewind callback, or none of it has been read yet.  Otherwise there is no retry, and a redirect that requires
 *              the body is ROUTABLE_ERR_BODY.
 * Concurrency  A request with a source or a target is used by one transfer at a time.
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

/* Writes up to `capacity` bytes into `buffer` and their number into `*count`; 0 is the end.  ROUTABLE_OK or ROUTABLE_PENDING. */
typedef routable_status (*routable_read_fn)(char *buffer, size_t capacity, size_t *count, void *user_data);
/* Rewinds the source to its start. */
typedef routable_status (*routable_rewind_fn)(void *user_data);

/* A request body that callbacks provide. */
typedef struct routable_source {
    size_t size;               /* sizeof(routable_source) */
    routable_read_fn read;     /* not NULL */
    routable_rewind_fn rewind; /* NULL: it can be read once */
    void *user_data;           /* of both callbacks */
    routable_release_fn release;
    int64_t length;            /* ROUTABLE_NONE: unknown, sent in chunks; an end before the length is an error */
} routable_source;
#define ROUTABLE_SOURCE_INIT { sizeof(routable_source), NULL, NULL, NULL, NULL, ROUTABLE_NONE }

/* Sets a source as the body.  A `content_type` of NULL keeps that header.  Statuses: HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body_source(
    routable_request *request, const routable_source *source, const char *content_type, routable_error **error);

/* Sets a file as the body; it is read when the request is sent.  A `content_type` of NULL is derived from the extension, unless
 * the request has one.  A file that is not regular is sent in chunks, and only once.  Statuses: FILE, HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body_file(
    routable_request *request, const char *path, const char *content_type, routable_error **error);

/* A part of multipart/form-data.  Set exactly one of content, file and source. */
typedef struct routable_part {
    size_t size;                   /* sizeof(routable_part) */
    routable_str name;
    routable_str content;
    const char *file;              /* a path; read when the request is sent */
    const routable_source *source;
    const char *filename;          /* NULL: the last component of `file`, otherwise none */
    const char *content_type;      /* NULL: derived from the filename's extension, otherwise none */
} routable_part;
#define ROUTABLE_PART_INIT { sizeof(routable_part), { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL }

enum { ROUTABLE_MULTIPART_HTML = 1 }; /* line breaks in names, and in content without a filename, become CR LF */

/* Sets parts as the body, in their order; all have the size of the first.  `"`, CR and LF in a name become %22, %0D and %0A
 * (WHATWG); other control characters are rejected.  The boundary occurs in no content: content in memory is searched for it,
 * and 128 random bits keep it out of the rest.  If all parts are in memory, the body is complete when this returns.
 * Statuses: FILE, VALUE, HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_multipart(
    routable_request *request, const routable_part *parts, size_t count, uint32_t flags, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Response bodies: a target receives the body of a success (200 to 299 except 204 and 205)
 *
 * The response then has a status and headers but no body; the body of an error is in memory as always.  The client's size limit
 * does not apply, a limit in the policy does.  The response is requested without compression, unless the request has an
 * Accept-Encoding header.
 */

/* Consumes all bytes.  After ROUTABLE_PENDING, which consumes none, it is called again with the same bytes. */
typedef routable_status (*routable_write_fn)(routable_str bytes, void *user_data);

/* A callback that receives the body of a response. */
typedef struct routable_target {
    size_t size;             /* sizeof(routable_target) */
    routable_write_fn write; /* not NULL */
    void *user_data;
    routable_release_fn release;
} routable_target;
#define ROUTABLE_TARGET_INIT { sizeof(routable_target), NULL, NULL, NULL }

/* Sets a callback as the target; NULL: memory.  There is no retry after the first byte.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target(
    routable_request *request, const routable_target *target, routable_error **error);
/* Sets a descriptor as the target: a file, or a pipe whose other end is read.  It stays open.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target_descriptor(
    routable_request *request, int32_t descriptor, routable_error **error);

enum { ROUTABLE_TARGET_RESUME = 1 }; /* continue an earlier download */
/* Sets a file as the target.  It is written as PATH.part and renamed when it is complete.  A retry requests only the rest, if
 * the service sent a strong validator.  With ROUTABLE_TARGET_RESUME a later request for the same path does too; the validator
 * is kept in PATH.part.etag.  Bytes of two versions are never mixed: If-Range is sent, and a mismatch starts over.
 * Performing may then also fail with FILE.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target_file(
    routable_request *request, const char *path, uint32_t flags, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Progress, pause
 */

/* Bytes of the current attempt, in both directions.  Made by the library.  Frozen. */
typedef struct routable_progress {
    int64_t sent, to_send;         /* ROUTABLE_NONE: unknown */
    int64_t received, to_receive;
} routable_progress;

/* Reports progress; called for every change. */
typedef routable_status (*routable_progress_fn)(const routable_progress *progress, void *user_data);

/* Sets the progress callback; NULL removes it.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_progress(
    routable_request *request, routable_progress_fn progress, void *user_data, routable_release_fn release,
    routable_error **error);

/* Pauses a transfer in both directions; any thread.  The deadline continues.  1: it is paused; 0: it has completed. */
ROUTABLE_API int32_t routable_transfer_pause(const routable_transfer *transfer);
/* Continues after a pause, or after ROUTABLE_PENDING of a callback; any thread.  0: it has completed. */
ROUTABLE_API int32_t routable_transfer_resume(const routable_transfer *transfer);

/* ------------------------------------------------------------------------------------------------
 * Streams: the body of a response, read item by item
 *
 * When more is buffered than the limit, the connection waits, so that a slow reader needs no more memory.  One thread at a time
 * uses a stream, except for routable_stream_cancel.
 */

typedef struct routable_stream routable_stream;

/* The items of a stream. */
typedef ROUTABLE_ENUM(routable_stream_kind) {
    ROUTABLE_STREAM_BYTES = 0, /* pieces as they arrive */
    ROUTABLE_STREAM_LINES = 1, /* lines (JSON Lines), which end in LF or CR LF; empty lines are skipped */
    ROUTABLE_STREAM_EVENTS = 2 /* server-sent events (WHATWG HTML section 9.2) */
} routable_stream_kind;

/* Options of a stream or a splitter. */
typedef struct routable_stream_options {
    size_t size;                /* sizeof(routable_stream_options) */
    routable_stream_kind kind;
    uint32_t reconnects;        /* EVENTS: maximum reconnects in a row after the connection breaks; 0: none */
    size_t max_item_bytes;      /* of one line or event; 0: 16 MiB */
    size_t max_buffered_bytes;  /* the connection waits above this; 0: 256 KiB */
    int64_t retry_ms;           /* EVENTS: the delay before a reconnect, unless the service sets another; 0: 3000 */
    routable_str last_event_id; /* EVENTS: resume after this event */
} routable_stream_options;
#define ROUTABLE_STREAM_OPTIONS_INIT \
    { sizeof(routable_stream_options), ROUTABLE_STREAM_BYTES, 0, 0, 0, 0, { NULL, 0 } }

/* A piece, a line or an event.  Borrowed until the next call with the same stream or splitter.  Frozen. */
typedef struct routable_stream_item {
    routable_str data;
    routable_str event; /* the type of an event, "message" by default; empty for pieces and lines */
    routable_str id;    /* the last event id; may be empty */
} routable_stream_item;
#define ROUTABLE_STREAM_ITEM_INIT { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } }

/* Sends a request whose response is a stream.  `policy` may be NULL; a stream has no deadline unless the policy sets one.  The
 * request's target is not used.  Statuses: CREDENTIAL, URL, HEADER, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_open(
    const routable_client *client, const routable_request *request, const routable_stream_options *options,
    const routable_policy *policy, routable_stream **out, routable_error **error);
/* Waits for the next item; the call drives the transfers until then.  With a timeout of 0 it does not drive, for hosts whose
 * own loop does.
 * Statuses: PENDING (the timeout passed), IDLE (the stream has ended), CANCELLED, those of routable_client_perform. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_next(
    routable_stream *stream, int64_t timeout_ms, routable_stream_item *out, routable_error **error);
/* Waits for the head of the response: a response without a body, which you own.  After the stream has ended (IDLE) it has the
 * transfer's trace (routable_response_trace).  Statuses: those of routable_stream_next. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_response(
    routable_stream *stream, int64_t timeout_ms, routable_response **out, routable_error **error);
/* Cancels the stream; any thread.  Returns the same values as routable_transfer_cancel. */
ROUTABLE_API int32_t routable_stream_cancel(const routable_stream *stream);
/* Cancels the stream and frees it. */
ROUTABLE_API void routable_stream_free(routable_stream *stream);

/* ------------------------------------------------------------------------------------------------
 * Splitter: the same items from bytes that you fetched yourself
 */

typedef struct routable_splitter routable_splitter;

/* Of the options kind, max_item_bytes and last_event_id are used.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_new(
    const routable_stream_options *options, routable_splitter **out, routable_error **error);
/* Appends bytes.  Statuses: LIMIT (an item is too large), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_feed(
    routable_splitter *splitter, routable_str bytes, routable_error **error);
/* Marks the end of the bytes: a last line without a line break is an item, an event without its empty line is discarded. */
ROUTABLE_API void routable_splitter_end(routable_splitter *splitter);
/* The next item.  Statuses: IDLE (more bytes are needed), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_next(
    routable_splitter *splitter, routable_stream_item *out, routable_error **error);
/* The delay before a reconnect that the service requested, or ROUTABLE_NONE. */
ROUTABLE_API int64_t routable_splitter_retry_ms(const routable_splitter *splitter);
/* Frees the splitter and its item. */
ROUTABLE_API void routable_splitter_free(routable_splitter *splitter);

/* Normalizes a Content-Type (WHATWG MIME Sniffing): "Text/HTML; Charset=utf-8" gives text/html;charset=utf-8.
 * Statuses: VALUE (not a media type), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_media_type_normalize(
    routable_str content_type, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
