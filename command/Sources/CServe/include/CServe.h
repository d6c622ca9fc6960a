/* CServe.h - the parts of `routable serve` in C: an HTTP server (libmicrohttpd), a store (SQLite), and output in lines that does not
 * block if its reader is slow.  Both libraries are loaded at their first use. */
#ifndef ROUTABLE_CSERVE_H
#define ROUTABLE_CSERVE_H

#include <stddef.h>
#include <stdint.h>

/* --- The server --- */

/* Borrowed bytes, which are valid during the call. */
struct cserve_bytes { const uint8_t *_Nullable bytes; size_t count; };
struct cserve_field { struct cserve_bytes name, value; };

/* A request as it was received.  `refusal` is the HTTP status for a request that exceeds a limit of the server, which then has no
 * body; otherwise 0. */
struct cserve_request {
    struct cserve_bytes method, target, body;
    const struct cserve_field *_Nullable fields;
    size_t field_count;
    int32_t refusal;
};

/* The fault that replaces a whole response. */
enum cserve_cut {
    CSERVE_WHOLE,
    CSERVE_CLOSE,   /* the connection is closed without a response */
    CSERVE_RESET,   /* the connection is closed without a response, with a reset */
    CSERVE_PARTIAL, /* the connection is closed in the middle of the body */
};

struct cserve_exchange; /* a request that is being answered */
struct cserve_server;

/* Called for each request, on one of the threads of the server.  The function must call cserve_reply once. */
typedef void (*cserve_respond_fn)(
    void *_Nullable context, const struct cserve_request *_Nonnull request, struct cserve_exchange *_Nonnull exchange);

struct cserve_options {
    int listener;         /* a listening socket, which the server closes */
    uint32_t threads;
    uint32_t connections; /* the maximum; a further connection closes the one that has waited longest for its client */
    uint64_t body_bytes;  /* the maximum size of one body; a larger one is refused with 413 */
    uint64_t total_bytes; /* the maximum size of all bodies in memory together; then requests are refused with 503 */
    uint32_t timeout_ms;  /* the time limit for the head of a request, for its body, and for sending the response */
    cserve_respond_fn _Nonnull respond;
    void *_Nullable context;
};

/* Loads libmicrohttpd.  On failure, returns 0 and sets the reason. */
int32_t cserve_open(char *_Nonnull reason, size_t capacity);
/* Starts a server.  On failure, returns NULL and sets errno. */
struct cserve_server *_Nullable cserve_start(const struct cserve_options *_Nonnull options);
/* Waits at most `grace_ms` for the responses to current requests, closes all connections, and frees the server. */
void cserve_stop(struct cserve_server *_Nonnull server, uint32_t grace_ms);

/* Sets the response, which is copied, and sent after a delay.  `length` is its Content-Length; the response to a HEAD request has no
 * body.  Returns 0 if memory cannot be allocated; then the connection is closed. */
int32_t cserve_reply(
    struct cserve_exchange *_Nonnull exchange, int32_t status, struct cserve_bytes body, uint64_t length, enum cserve_cut cut,
    int64_t delay_ms);
/* Adds a header to the response.  Returns 0 on failure. */
int32_t cserve_reply_field(
    struct cserve_exchange *_Nonnull exchange, struct cserve_bytes name, struct cserve_bytes value);

/* Opens a socket that listens at a numeric address or a host name.  Returns the descriptor, and sets the port and whether the address
 * is an IPv6 address.  On failure, returns -errno, or CSERVE_NO_ADDRESS for an invalid address. */
int32_t cserve_listen(const char *_Nonnull address, uint16_t port, uint16_t *_Nonnull out_port, int32_t *_Nonnull is_v6);
enum { CSERVE_NO_ADDRESS = -1000 };

/* Blocks the signals that end the server in this thread and in the threads that it creates, and ignores SIGPIPE.  Call this function
 * before cserve_start. */
void cserve_block_signals(void);
/* Waits for one of these signals. */
int32_t cserve_wait_for_signal(void);

/* --- Lines of output --- */

struct cserve_lines;
/* Starts a thread that writes lines to a descriptor.  Returns NULL if memory cannot be allocated. */
struct cserve_lines *_Nullable cserve_lines_new(int descriptor);
/* Appends a line, and does not block: if the reader is slow, lines are dropped, and a further line states their number.  After an
 * error of the descriptor, all lines are dropped. */
void cserve_lines_write(struct cserve_lines *_Nonnull lines, struct cserve_bytes text);
/* The line with the number of dropped lines is JSON. */
void cserve_lines_set_json(struct cserve_lines *_Nonnull lines);
/* Waits at most `grace_ms` until the remaining lines are written.  The object is not freed. */
void cserve_lines_end(struct cserve_lines *_Nonnull lines, uint32_t grace_ms);

/* --- The store --- */

enum {
    CSERVE_STORE_OK,
    CSERVE_STORE_ABSENT,  /* SQLite cannot be loaded */
    CSERVE_STORE_LOCKED,  /* another process has opened the file */
    CSERVE_STORE_OTHER,   /* the file is not a store: another database, or not a database */
    CSERVE_STORE_DAMAGED,
    CSERVE_STORE_NEWER,   /* a later version of the command created the store */
    CSERVE_STORE_FAILED,
};
struct cserve_store;

/* Opens a store, or creates it.  On failure, the reason is the message of SQLite. */
int32_t cserve_store_open(
    const char *_Nonnull path, struct cserve_store *_Nullable *_Nonnull out, char *_Nonnull reason, size_t capacity);
void cserve_store_close(struct cserve_store *_Nullable store);

/* The text of a note; NULL if there is none.  It is valid until the next call. */
const char *_Nullable cserve_store_note(struct cserve_store *_Nonnull store, const char *_Nonnull name);
int32_t cserve_store_set_note(struct cserve_store *_Nonnull store, const char *_Nonnull name, const char *_Nonnull text);

/* Called for each member in the order of creation.  A removed member has no JSON (0 bytes).  CSERVE_STORE_OK continues. */
typedef int32_t (*cserve_member_fn)(
    void *_Nullable context, struct cserve_bytes path, struct cserve_bytes json, int64_t version);
int32_t cserve_store_each(struct cserve_store *_Nonnull store, cserve_member_fn _Nonnull each, void *_Nullable context);

int32_t cserve_store_begin(struct cserve_store *_Nonnull store);
/* After CSERVE_STORE_OK the changes are on the disk. */
int32_t cserve_store_commit(struct cserve_store *_Nonnull store);
void cserve_store_roll_back(struct cserve_store *_Nonnull store);
/* Adds or replaces a member.  Without bytes in `json`, the member is stored as removed, so that its number is not used again. */
int32_t cserve_store_put(
    struct cserve_store *_Nonnull store, struct cserve_bytes path, struct cserve_bytes json, int64_t version);
/* Removes a member and all members below it. */
int32_t cserve_store_remove(struct cserve_store *_Nonnull store, struct cserve_bytes path);
/* The message of the last error. */
const char *_Nonnull cserve_store_reason(struct cserve_store *_Nonnull store);

#endif
