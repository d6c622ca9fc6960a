/* routable_bodies.h - bodies that are not in memory (docs/bodies.md).
 *
 * A request may send a file, parts of a form, or what a function gives; the body of its answer may go into a file, a
 * descriptor or a function, or come as lines or events that are taken one by one.
 *
 *     routable_request_set_body_file(request, "movie.mp4", NULL, &error);
 *     routable_request_set_target_file(request, "movie.json", ROUTABLE_TARGET_RESUME, &error);
 *     routable_client_perform(client, request, &response, &error);
 *
 * Functions    of the host run on the thread that performs or drives, one at a time for each transfer, with nothing
 *              held.  They may submit, cancel and free, the client too.  None runs after routable_transfer_cancel of
 *              their transfer has returned.  They must not unwind or longjmp.
 * Results      ROUTABLE_OK goes on.  ROUTABLE_PENDING means "not now": the transfer waits, and its memory stays as
 *              it is, until routable_transfer_resume; only submitted transfers can.  Anything else ends the transfer
 *              with ROUTABLE_ERR_CALLBACK.
 * user_data    The release function of a struct is called exactly once, when neither the request nor a transfer of it
 *              uses the struct any more, or when the call that it was given to fails.  The one exception: a struct
 *              that is NULL or whose size is wrong cannot be read.
 * Repeating    A retry or a redirect sends the body once more.  Files and parts in memory can be; a source can when it
 *              has a rewind function, or nothing of it was read yet.  What cannot be is not retried; a redirect that
 *              asks for it is ROUTABLE_ERR_BODY.
 * One at a time   One request with a source, or with a target, is of one transfer at a time.
 * The other conventions are those of routable.h.  Since 0.1.0. */
#ifndef ROUTABLE_BODIES_H
#define ROUTABLE_BODIES_H

#include "routable_transfers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * What is sent
 */

/* Writes up to `capacity` bytes and their number; 0 is the end. */
typedef routable_status (*routable_read_fn)(void *user_data, char *buffer, size_t capacity, size_t *count);
/* Goes back to the start. */
typedef routable_status (*routable_rewind_fn)(void *user_data);

typedef struct routable_source {
    size_t size; /* sizeof(routable_source) */
    routable_read_fn read;
    routable_rewind_fn rewind;   /* NULL: it is read once */
    routable_release_fn release; /* NULL: nothing is to be released */
    void *user_data;
    int64_t length; /* negative: not known, and sent in chunks; to end before is an error */
} routable_source;
#define ROUTABLE_SOURCE_INIT { sizeof(routable_source), NULL, NULL, NULL, NULL, -1 }

/* The body is what the source gives.  `content_type` NULL leaves that header alone.  Statuses: HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body_source(
    routable_request *request, const routable_source *source, const char *content_type, routable_error **error);

/* The body is the file, as it is when it is sent.  `content_type` NULL: what the ending of its name says, unless the
 * request has one.  What is no regular file is sent in chunks, and once.  Statuses: FILE, HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body_file(
    routable_request *request, const char *path, const char *content_type, routable_error **error);

/* A part of multipart/form-data.  Of `content`, `file` and `source` one counts: the first that is not NULL from the right. */
typedef struct routable_part {
    size_t size; /* sizeof(routable_part) */
    routable_str name;
    routable_str content;          /* bytes */
    const char *file;              /* a path: its bytes when it is sent */
    const routable_source *source;
    const char *filename;          /* NULL: of a file the last component of its path, otherwise none */
    const char *content_type;      /* NULL: of what has a filename by its ending, otherwise none */
} routable_part;
#define ROUTABLE_PART_INIT { sizeof(routable_part), { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL }

enum { ROUTABLE_MULTIPART_HTML = 1 }; /* line breaks of names, and of content without a filename, become CR LF */

/* The body is the parts in their order, each of the size of the first.  `"`, CR and LF of a name are written %22, %0D and
 * %0A (WHATWG); other control bytes are refused.  The boundary occurs in no content: of what is in memory that is looked
 * at, for the rest 128 bits of chance see to it.  With all in memory the body is there at once.
 * Statuses: FILE, VALUE, HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_multipart(
    routable_request *request, const routable_part *parts, size_t count, uint32_t flags, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Where the body of a success goes (200 to 299 but 204 and 205) instead of memory
 *
 * The response has status and headers then, and no body; what an error says is in memory as ever.  The client's limit on
 * the size does not hold, one of the policy does.  Answers are asked for without compression unless the request has an
 * Accept-Encoding.
 */

/* Takes all bytes, or with ROUTABLE_PENDING none of them: then the same come again. */
typedef routable_status (*routable_write_fn)(void *user_data, const char *bytes, size_t count);

typedef struct routable_target {
    size_t size; /* sizeof(routable_target) */
    routable_write_fn write;
    routable_release_fn release; /* NULL: nothing is to be released */
    void *user_data;
} routable_target;
#define ROUTABLE_TARGET_INIT { sizeof(routable_target), NULL, NULL, NULL }

/* After the first byte nothing is retried.  NULL: memory again.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target(
    routable_request *request, const routable_target *target, routable_error **error);
/* A descriptor of yours that takes writes at once: a file, or a pipe that is read.  It stays open.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target_descriptor(
    routable_request *request, int32_t descriptor, routable_error **error);

enum { ROUTABLE_TARGET_RESUME = 1 };
/* A file that is whole or not there: written as PATH.part, and renamed at the end.  A retry asks for the rest only, if the
 * service gave a strong validator; with RESUME so does a later request for the same path, which finds the validator in
 * PATH.part.etag.  Bytes of two versions never meet: If-Range is sent, and what does not fit begins anew.
 * Statuses of performing: also FILE.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_target_file(
    routable_request *request, const char *path, uint32_t flags, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Progress, pause
 */

typedef struct routable_progress {
    int64_t sent, to_send;         /* -1: not known */
    int64_t received, to_receive;
} routable_progress;

/* Told of every change, in both directions; each attempt counts anew. */
typedef routable_status (*routable_progress_fn)(void *user_data, const routable_progress *progress);

/* `progress` NULL: nobody is told.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_progress(
    routable_request *request, routable_progress_fn progress, routable_release_fn release, void *user_data,
    routable_error **error);

/* Nothing of a body is taken until resume; what a source gives is not asked for either.  The deadline goes on.  Any thread.
 * 1: it is under way; 0: it has ended. */
ROUTABLE_API int32_t routable_transfer_pause(const routable_transfer *transfer);
/* Goes on after a pause, or after ROUTABLE_PENDING of a function. */
ROUTABLE_API int32_t routable_transfer_resume(const routable_transfer *transfer);

/* ------------------------------------------------------------------------------------------------
 * Streams: the body of an answer, taken piece by piece
 *
 * When more waits than is allowed the connection waits too, so that a slow host needs no more memory.  One thread at a
 * time uses a stream, but for cancel.
 */

typedef struct routable_stream routable_stream;

typedef ROUTABLE_ENUM(routable_stream_kind) {
    ROUTABLE_STREAM_BYTES = 0, /* the pieces as they come */
    ROUTABLE_STREAM_LINES = 1, /* lines as of JSON Lines: they end in LF or CR LF; empty ones are left out */
    ROUTABLE_STREAM_EVENTS = 2 /* server-sent events, as WHATWG HTML section 9.2 reads them */
} routable_stream_kind;

typedef struct routable_stream_options {
    size_t size; /* sizeof(routable_stream_options) */
    routable_stream_kind kind;
    uint32_t reconnects;       /* EVENTS: how often in a row a connection that breaks off is made again; 0: never */
    size_t max_item_bytes;     /* of one line or event; 0: 16 MiB */
    size_t max_buffered_bytes; /* that wait to be taken, at least; 0: 256 KiB */
    int64_t retry_ms;          /* EVENTS: the wait before a reconnect, until the service says another; 0: 3000 */
    routable_str last_event_id; /* EVENTS: where to go on from */
} routable_stream_options;
#define ROUTABLE_STREAM_OPTIONS_INIT { sizeof(routable_stream_options), ROUTABLE_STREAM_BYTES, 0, 0, 0, 0, { NULL, 0 } }

/* A piece, a line or an event.  Borrowed until the next call with the same stream or splitter. */
typedef struct routable_item {
    routable_str data;
    routable_str event; /* the type of an event, "message" if it says none; empty for others */
    routable_str id;    /* the last event id; or empty */
} routable_item;

/* Begins a request whose answer is a stream.  `policy` may be NULL; without a deadline in it there is none.  The
 * request's target is not used.  Statuses: URL, HEADER, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_open(
    const routable_client *client, const routable_request *request, const routable_stream_options *options,
    const routable_policy *policy, routable_stream **out, routable_error **error);
/* The next item; waits up to that time, negative for any, and drives meanwhile; 0 only looks, for hosts whose own loop
 * drives.
 * Statuses: PENDING when the time is over, IDLE when there are no more, CANCELLED, those of routable_client_perform. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_next(
    routable_stream *stream, int64_t timeout_ms, routable_item *out, routable_error **error);
/* Waits for the head of the answer: a response without a body that is yours.  Once the stream has ended well (IDLE) it has the
 * transfer's trace, too (routable_response_trace).  Statuses: as routable_stream_next. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_stream_response(
    routable_stream *stream, int64_t timeout_ms, routable_response **out, routable_error **error);
/* Ends it; any thread.  As routable_transfer_cancel. */
ROUTABLE_API int32_t routable_stream_cancel(const routable_stream *stream);
/* Ends it, and frees it. */
ROUTABLE_API void routable_stream_free(routable_stream *stream);

/* --- The same cut for bytes that the host fetched --- */

typedef struct routable_splitter routable_splitter;

/* Of the options kind, max_item_bytes and last_event_id count.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_new(
    const routable_stream_options *options, routable_splitter **out, routable_error **error);
/* Statuses: LIMIT for an item that is too large, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_take(
    routable_splitter *splitter, routable_str bytes, routable_error **error);
/* There are no more bytes: a line without an end is one, an event without its empty line is none. */
ROUTABLE_API void routable_splitter_end(routable_splitter *splitter);
/* Statuses: IDLE when more bytes are needed, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_splitter_next(
    routable_splitter *splitter, routable_item *out, routable_error **error);
/* What the service asks to wait before a new connection; -1 when it has said nothing. */
ROUTABLE_API int64_t routable_splitter_retry_ms(const routable_splitter *splitter);
ROUTABLE_API void routable_splitter_free(routable_splitter *splitter);

/* A Content-Type, as WHATWG MIME Sniffing reads and writes it: "Text/HTML; Charset=utf-8" is text/html;charset=utf-8.
 * Statuses: VALUE for what is none, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_media_type(
    routable_str text, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
