/* loop.h - the state of a loop, shared by loop.c and idle.c. */
#ifndef ROUTABLE_CCURL_LOOP_H
#define ROUTABLE_CCURL_LOOP_H

#include "side.h"

#include <sys/epoll.h>

enum { BATCH = 64 };

/* The state of a descriptor of libcurl. */
typedef struct place {
    uint32_t generation; /* number of the current socket with this descriptor */
    uint32_t events;     /* the registered events */
    uint8_t is_registered;
    uint8_t is_wanted; /* whether a transfer uses it */
    uint8_t is_tracked; /* created and closed by this code, so that it may stay registered */
    uint8_t is_kept;    /* it belongs to an idle HTTP/1 connection: its transfer has ended, and no other has begun */
} place;

struct ccurl_loop {
    CURLM *multi;
    ccurl_interruption *interruption;
    int epoll, timer, wake;
    int64_t due;   /* time at which libcurl must be called; INT64_MAX: never */
    int64_t turn;  /* time at which libcurl was first called in this turn; 0: not yet */
    int64_t armed; /* time for which the timer is set */
    place *places;
    size_t count;
    size_t kept;   /* number of places with is_kept */
    int has_begun; /* whether a transfer has begun, which may look for an idle connection */
    size_t blind;  /* number of transfers that were paused before libcurl reported their socket */
    int has_missed; /* whether an idle connection received bytes in the meantime */
};

/* NULL if there is no descriptor, or if memory cannot be allocated. */
place *ccurl_place_of(ccurl_loop *loop, curl_socket_t descriptor);
/* Called when the connection is used again, or closed. */
void ccurl_forget_kept(ccurl_loop *loop, place *it);
/* Called when libcurl has reported the socket of the transfer, or the transfer has ended. */
void ccurl_see(ccurl_loop *loop, struct ccurl_side *side);
/* Called when the transfer of a handle has ended: its connection may be idle. */
void ccurl_keep(ccurl_loop *loop, CURL *handle, struct ccurl_side *side);
/* Whether the event belongs to a socket that no transfer uses; then this function has processed it. */
int ccurl_is_idle(ccurl_loop *loop, const struct epoll_event *event);
/* Closes the idle connections that have bytes to read, before libcurl chooses connections for new transfers. */
void ccurl_retire_readable(ccurl_loop *loop);

#endif
