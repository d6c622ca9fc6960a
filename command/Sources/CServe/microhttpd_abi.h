/* microhttpd_abi.h - the functions and constants of libmicrohttpd.so.12, which is loaded when the first server starts. */
#ifndef ROUTABLE_CSERVE_MICROHTTPD_ABI_H
#define ROUTABLE_CSERVE_MICROHTTPD_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct daemon;
struct connection;
struct response;

typedef int (*handler_fn)(
    void *, struct connection *, const char *, const char *, const char *, const char *, size_t *, void **);
typedef int (*field_fn)(void *, int, const char *, size_t, const char *, size_t);
typedef ssize_t (*reader_fn)(void *, uint64_t, char *, size_t);

enum {
    NO = 0, YES = 1,
    USE_INTERNAL_POLLING_THREAD = 8, USE_POLL = 64, USE_ITC = 1024, ALLOW_SUSPEND_RESUME = 8192 | USE_ITC,
    OPTION_END = 0, OPTION_CONNECTION_MEMORY_LIMIT = 1, OPTION_CONNECTION_LIMIT = 2, OPTION_CONNECTION_TIMEOUT = 3,
    OPTION_NOTIFY_COMPLETED = 4, OPTION_URI_LOG_CALLBACK = 7, OPTION_LISTEN_SOCKET = 12, OPTION_THREAD_POOL_SIZE = 14,
    OPTION_UNESCAPE_CALLBACK = 16, OPTION_NOTIFY_CONNECTION = 27,
    KIND_HEADER = 1, INFO_FD = 6, INFO_SOCKET_CONTEXT = 7, NOTIFY_STARTED = 0, NOTIFY_CLOSED = 1, MEMORY_MUST_COPY = 2,
    READER_ERROR = -2,
};

struct microhttpd {
    int is_open;
    struct daemon *(*start_daemon)(
        unsigned, uint16_t, int (*)(void *, const void *, unsigned), void *, handler_fn, void *, ...);
    void (*stop_daemon)(struct daemon *);
    int (*quiesce_daemon)(struct daemon *);
    int (*values)(struct connection *, int, field_fn, void *);
    const void *(*connection_info)(struct connection *, int, ...);
    void (*suspend)(struct connection *);
    void (*resume)(struct connection *);
    struct response *(*response_from_buffer)(size_t, void *, int);
    struct response *(*response_from_callback)(uint64_t, size_t, reader_fn, void *, void (*)(void *));
    int (*add_header)(struct response *, const char *, const char *);
    int (*queue)(struct connection *, unsigned, struct response *);
    void (*destroy_response)(struct response *);
};

#if defined __has_include
#if __has_include(<microhttpd.h>)
#include <microhttpd.h>
/* If the header of the library is installed, these declarations are compared with it. */
#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), "libmicrohttpd has another number")
SAME(NO, MHD_NO);
SAME(YES, MHD_YES);
SAME(USE_INTERNAL_POLLING_THREAD, MHD_USE_INTERNAL_POLLING_THREAD);
SAME(USE_POLL, MHD_USE_POLL);
SAME(ALLOW_SUSPEND_RESUME, MHD_ALLOW_SUSPEND_RESUME);
SAME(OPTION_CONNECTION_MEMORY_LIMIT, MHD_OPTION_CONNECTION_MEMORY_LIMIT);
SAME(OPTION_CONNECTION_LIMIT, MHD_OPTION_CONNECTION_LIMIT);
SAME(OPTION_CONNECTION_TIMEOUT, MHD_OPTION_CONNECTION_TIMEOUT);
SAME(OPTION_NOTIFY_COMPLETED, MHD_OPTION_NOTIFY_COMPLETED);
SAME(OPTION_URI_LOG_CALLBACK, MHD_OPTION_URI_LOG_CALLBACK);
SAME(OPTION_LISTEN_SOCKET, MHD_OPTION_LISTEN_SOCKET);
SAME(OPTION_THREAD_POOL_SIZE, MHD_OPTION_THREAD_POOL_SIZE);
SAME(OPTION_UNESCAPE_CALLBACK, MHD_OPTION_UNESCAPE_CALLBACK);
SAME(OPTION_NOTIFY_CONNECTION, MHD_OPTION_NOTIFY_CONNECTION);
SAME(KIND_HEADER, MHD_HEADER_KIND);
SAME(INFO_FD, MHD_CONNECTION_INFO_CONNECTION_FD);
SAME(INFO_SOCKET_CONTEXT, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
SAME(NOTIFY_STARTED, MHD_CONNECTION_NOTIFY_STARTED);
SAME(NOTIFY_CLOSED, MHD_CONNECTION_NOTIFY_CLOSED);
SAME(MEMORY_MUST_COPY, MHD_RESPMEM_MUST_COPY);
SAME(READER_ERROR, MHD_CONTENT_READER_END_WITH_ERROR);
#define AS(theirs, ours) _Static_assert(__builtin_types_compatible_p(__typeof__(theirs), ours), "libmicrohttpd has another function")
AS(MHD_quiesce_daemon, int(struct MHD_Daemon *));
AS(MHD_stop_daemon, void(struct MHD_Daemon *));
AS(MHD_suspend_connection, void(struct MHD_Connection *));
AS(MHD_create_response_from_buffer, struct MHD_Response *(size_t, void *, enum MHD_ResponseMemoryMode));
AS(MHD_add_response_header, enum MHD_Result(struct MHD_Response *, const char *, const char *));
AS(MHD_queue_response, enum MHD_Result(struct MHD_Connection *, unsigned, struct MHD_Response *));
AS(MHD_KeyValueIteratorN, enum MHD_Result (*)(void *, enum MHD_ValueKind, const char *, size_t, const char *, size_t));
AS(MHD_ContentReaderCallback, ssize_t (*)(void *, uint64_t, char *, size_t));
AS(MHD_AccessHandlerCallback,
    enum MHD_Result (*)(void *, struct MHD_Connection *, const char *, const char *, const char *, const char *, size_t *, void **));
_Static_assert(sizeof(enum MHD_Result) == sizeof(int), "libmicrohttpd has another type of results");
#endif
#endif

#endif
