/* side.h - declarations shared by the files of this folder: the data that belongs to each libcurl handle, that is the decoders of
 * its response (decode.c) and the sockets of its connections (kept.c, loop.c); and an interruption. */
#ifndef ROUTABLE_CCURL_SIDE_H
#define ROUTABLE_CCURL_SIDE_H

#include "CCurl.h"

#include <stdatomic.h>

enum { CCURL_CODINGS = 4, CCURL_SOCKETS = 16 };

/* One content coding of a response (decode.c). */
struct ccurl_coding;

/* A socket of a handle that is not in a loop; a loop tracks its own sockets. */
struct ccurl_socket {
    curl_socket_t descriptor;
    int is_http1; /* whether it has received a response in HTTP/1 */
};

struct ccurl_side {
    void *owner;
    CURL *handle;
    /* The decoders; the first one decodes the bytes of the connection. */
    struct ccurl_coding *codings[CCURL_CODINGS];
    int coding_count, decodes;
    int32_t code;    /* the reason why the body cannot be decoded */
    size_t consumed; /* number of decoded bytes of those that libcurl passes again after a pause */
    ccurl_take take; /* receives the decoded bytes */
    void *user_data;
    /* The loop that performs a transfer, its socket if libcurl has reported it, and the number of the socket with this descriptor. */
    ccurl_loop *loop;
    curl_socket_t socket;
    uint32_t generation;
    uint8_t is_blind; /* whether the loop counts it in `blind` */
    struct ccurl_socket sockets[CCURL_SOCKETS];
    int socket_count;
    /* Whether the request must be sent at most once, whether it was sent, and whether libcurl was about to send it again; the bytes of
     * headers that had been received when it was sent last (kept.c). */
    uint8_t sends_once, is_sent, is_repeated;
    long received;
};

struct ccurl_interruption {
    _Atomic uint32_t count;
    _Atomic int wake; /* the event counter of the loop; -1: none */
};

/* The private pointer of a handle. */
static inline struct ccurl_side *ccurl_side_of(CURL *handle)
{
    char *side = NULL;
    return ccurl.easy_getinfo(handle, CURLINFO_PRIVATE, &side) == CURLE_OK ? (struct ccurl_side *)(void *)side : NULL;
}

/* Whether the last response of the handle was HTTP/1: the server sends no bytes between the responses of such a connection.  An
 * idle HTTP/2 connection may receive some, such as a PING. */
static inline int ccurl_was_http1(CURL *handle)
{
    long version = 0;
    ccurl.easy_getinfo(handle, CURLINFO_HTTP_VERSION, &version);
    return version == CURL_HTTP_VERSION_1_0 || version == CURL_HTTP_VERSION_1_1;
}

/* Shuts down an idle connection, so that libcurl does not use it again.  libcurl closes the descriptor. */
void ccurl_retire(curl_socket_t descriptor);

/* Called when the transfer is paused. */
void ccurl_loop_paused(struct ccurl_side *side);

/* Looks up the decoders of the libraries that libcurl itself is linked with. */
void ccurl_find_decoders(void *library);

#endif
