/* CServe.h - what `routable serve` uses of C: an HTTP server (libmicrohttpd), a store (SQLite), and lines of output that do not wait
 * for their reader.  Both libraries are opened when they are first needed. */
#ifndef ROUTABLE_CSERVE_H
#define ROUTABLE_CSERVE_H

#include <stddef.h>
#include <stdint.h>

/* --- The server --- */

/* Bytes that are borrowed for the time of a call. */
struct cserve_bytes { const uint8_t *_Nullable bytes; size_t count; };
struct cserve_field { struct cserve_bytes name, value; };

/* A request as it came.  `refusal` is the HTTP status of one that is over a limit of the server, and has no body; otherwise 0. */
struct cserve_request {
    struct cserve_bytes method, target, body;
    const struct cserve_field *_Nullable fields;
    size_t field_count;
    int32_t refusal;
};

/* What happens instead of a whole response. */
enum cserve_cut {
    CSERVE_WHOLE,
    CSERVE_CLOSE,   /* the connection is closed without a response */
    CSERVE_RESET,   /* as CSERVE_CLOSE, with a reset */
    CSERVE_PARTIAL, /* the connection is closed in the middle of the body */
};

struct cserve_exchange; /* a request that is being answered */
struct cserve_server;

/* Called for each request on one of the threads of the server.  Calls cserve_reply once. */
typedef void (*cserve_respond_fn)(
    void *_Nullable context, const struct cserve_request *_Nonnull request, struct cserve_exchange *_Nonnull exchange);

struct cserve_options {
    int listener;         /* a listening socket, which the server closes */
    uint32_t threads;
    uint32_t connections; /* the most at a time; a further one closes the one that has waited longest for its client */
    uint64_t body_bytes;  /* of one request; more is refused with 413 */
    uint64_t total_bytes; /* of all bodies in memory; more is refused with 503 */
    uint32_t timeout_ms;  /* for the head and for the body of a request, and for taking the response */
    cserve_respond_fn _Nonnull respond;
    void *_Nullable context;
};

/* Opens libmicrohttpd.  Returns 0 with the reason. */
int32_t cserve_open(char *_Nonnull reason, size_t capacity);
/* Starts a server; NULL with errno. */
struct cserve_server *_Nullable cserve_start(const struct cserve_options *_Nonnull options);
/* Answers the requests that are being answered, for at most `grace_ms`, closes all connections, and frees the server. */
void cserve_stop(struct cserve_server *_Nonnull server, uint32_t grace_ms);

/* The response, which is copied, and sent after a delay.  `length` is its Content-Length, which for HEAD has no body.  Returns 0 if
 * there is no memory; the connection is closed then. */
int32_t cserve_reply(
    struct cserve_exchange *_Nonnull exchange, int32_t status, struct cserve_bytes body, uint64_t length, enum cserve_cut cut,
    int64_t delay_ms);
/* Adds a header to the response. */
int32_t cserve_reply_field(
    struct cserve_exchange *_Nonnull exchange, struct cserve_bytes name, struct cserve_bytes value);

/* A socket that listens at a numeric address or a name, and its port; negative: -errno, or -1000 for an address that is none.
 * `is_v6`: whether the address is one of IPv6. */
int32_t cserve_listen(const char *_Nonnull address, uint16_t port, uint16_t *_Nonnull out_port, int32_t *_Nonnull is_v6);
enum { CSERVE_NO_ADDRESS = -1000 };

/* Blocks the signals that end the server, for this thread and those that it makes, and ignores SIGPIPE.  Call it before cserve_start. */
void cserve_block_signals(void);
/* Waits for one of them. */
int32_t cserve_wait_for_signal(void);

/* --- Lines of output --- */

struct cserve_lines;
/* Writes to a descriptor on a thread.  NULL: there is no memory. */
struct cserve_lines *_Nullable cserve_lines_new(int descriptor);
/* Returns at once: if the reader is slow, lines are left out, and a line says how many (`is_json`: as JSON).  After an error, all
 * lines are. */
void cserve_lines_write(struct cserve_lines *_Nonnull lines, struct cserve_bytes text);
void cserve_lines_set_json(struct cserve_lines *_Nonnull lines);
/* Writes what is left for at most `grace_ms`.  The object lives as long as the process. */
void cserve_lines_end(struct cserve_lines *_Nonnull lines, uint32_t grace_ms);

/* --- The store --- */

enum {
    CSERVE_STORE_OK,
    CSERVE_STORE_ABSENT,  /* SQLite cannot be opened */
    CSERVE_STORE_LOCKED,  /* another process has opened the file */
    CSERVE_STORE_OTHER,   /* the file is no store: another database, or none */
    CSERVE_STORE_DAMAGED,
    CSERVE_STORE_NEWER,   /* of a later version of the command */
    CSERVE_STORE_FAILED,
};
struct cserve_store;

/* Opens a store, or creates it.  The reason is a sentence of SQLite. */
int32_t cserve_store_open(
    const char *_Nonnull path, struct cserve_store *_Nullable *_Nonnull out, char *_Nonnull reason, size_t capacity);
void cserve_store_close(struct cserve_store *_Nullable store);

/* The text of a note; NULL if there is none.  It is valid until the next call. */
const char *_Nullable cserve_store_note(struct cserve_store *_Nonnull store, const char *_Nonnull name);
int32_t cserve_store_set_note(struct cserve_store *_Nonnull store, const char *_Nonnull name, const char *_Nonnull text);

/* Members, in the order of their creation.  A removed one has no JSON (CSERVE_STORE_OK, and 0 bytes). */
typedef int32_t (*cserve_member_fn)(
    void *_Nullable context, struct cserve_bytes path, struct cserve_bytes json, int64_t version);
int32_t cserve_store_each(struct cserve_store *_Nonnull store, cserve_member_fn _Nonnull each, void *_Nullable context);

int32_t cserve_store_begin(struct cserve_store *_Nonnull store);
/* After CSERVE_STORE_OK the changes are on the disk. */
int32_t cserve_store_commit(struct cserve_store *_Nonnull store);
void cserve_store_roll_back(struct cserve_store *_Nonnull store);
/* Adds or replaces a member; `json` without bytes: one that is removed, and whose number counts. */
int32_t cserve_store_put(
    struct cserve_store *_Nonnull store, struct cserve_bytes path, struct cserve_bytes json, int64_t version);
/* Removes a member with all below it. */
int32_t cserve_store_remove(struct cserve_store *_Nonnull store, struct cserve_bytes path);
/* The last error. */
const char *_Nonnull cserve_store_reason(struct cserve_store *_Nonnull store);

#endif
