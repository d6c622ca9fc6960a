/* side.h - what the files of this folder share: what is kept beside each libcurl handle, that is the decoders of its response
 * (decode.c) and the sockets of its connections (kept.c, loop.c); and an interruption. */
#ifndef ROUTABLE_CCURL_SIDE_H
#define ROUTABLE_CCURL_SIDE_H

#include "CCurl.h"

#include <stdatomic.h>

enum { CCURL_CODINGS = 4, CCURL_SOCKETS = 16 };

/* One content coding of a response (decode.c). */
struct ccurl_coding;

/* A socket of a handle that performs by itself; in a loop the loop knows them. */
struct ccurl_socket {
    curl_socket_t descriptor;
    int is_http1; /* a response has come over it, in HTTP/1 */
};

struct ccurl_side {
    void *owner;
    /* The decoders, first the one that takes the bytes of the connection. */
    struct ccurl_coding *codings[CCURL_CODINGS];
    int coding_count, decodes;
    int32_t code;    /* why the body cannot be decoded */
    size_t consumed; /* of bytes that libcurl passes again after a pause */
    ccurl_take take; /* of the decoded bytes */
    void *user_data;
    /* The loop that performs a transfer, its socket as far as libcurl has named it, and which socket of that number it is. */
    ccurl_loop *loop;
    curl_socket_t socket;
    uint32_t generation;
    uint8_t is_blind; /* counted by the loop */
    struct ccurl_socket sockets[CCURL_SOCKETS];
    int socket_count;
};

struct ccurl_interruption {
    _Atomic uint32_t count;
    _Atomic int wake; /* the counter of the loop; -1: there is none */
};

/* What was set as the private pointer of a handle. */
static inline struct ccurl_side *ccurl_side_of(CURL *handle)
{
    char *side = NULL;
    return ccurl.easy_getinfo(handle, CURLINFO_PRIVATE, &side) == CURLE_OK ? (struct ccurl_side *)(void *)side : NULL;
}

/* Whether the last response of the handle came in HTTP/1: its connection has no bytes to send between responses.  An idle
 * HTTP/2 connection may have some, such as a PING. */
static inline int ccurl_was_http1(CURL *handle)
{
    long version = 0;
    ccurl.easy_getinfo(handle, CURLINFO_HTTP_VERSION, &version);
    return version == CURL_HTTP_VERSION_1_0 || version == CURL_HTTP_VERSION_1_1;
}

/* Ends an idle connection, so that libcurl does not use it again.  The descriptor stays libcurl's to close. */
void ccurl_retire(curl_socket_t descriptor);

/* The transfer takes no bytes for now. */
void ccurl_loop_paused(struct ccurl_side *side);

/* Looks up the decoders of the libraries that libcurl itself is linked with. */
void ccurl_find_decoders(void *library);

#endif
