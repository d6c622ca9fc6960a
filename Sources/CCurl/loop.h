/* loop.h - the state of a loop, for the two files that use it: loop.c and idle.c. */
#ifndef ROUTABLE_CCURL_LOOP_H
#define ROUTABLE_CCURL_LOOP_H

#include "side.h"

#include <sys/epoll.h>

enum { BATCH = 64 };

/* What is known of a descriptor of libcurl's. */
typedef struct place {
    uint32_t generation; /* of the socket behind the descriptor */
    uint32_t events;     /* that are registered */
    uint8_t is_registered;
    uint8_t is_wanted; /* by a transfer */
    uint8_t is_tracked; /* made and closed here, so that it may stay registered */
    uint8_t is_kept;    /* of an idle connection of HTTP/1: its transfer has ended, and none has begun */
} place;

struct ccurl_loop {
    CURLM *multi;
    ccurl_interruption *interruption;
    int epoll, timer, wake;
    int64_t due;   /* when libcurl wants to be called; INT64_MAX: never */
    int64_t turn;  /* when libcurl was first called in this turn; 0: not yet */
    int64_t armed; /* what the timer is set to */
    place *places;
    size_t count;
    size_t kept;   /* places that are */
    int has_begun; /* a transfer, which may look for a kept connection */
    size_t blind;  /* transfers that were paused before libcurl named their socket */
    int has_missed; /* a kept connection that had bytes meanwhile */
};

/* NULL for no descriptor, or when memory is out. */
place *ccurl_place_of(ccurl_loop *loop, curl_socket_t descriptor);
/* The connection is used again, or closed. */
void ccurl_forget_kept(ccurl_loop *loop, place *it);
/* libcurl has named the socket of the transfer, or the transfer has ended. */
void ccurl_see(ccurl_loop *loop, struct ccurl_side *side);
/* The transfer of a handle has ended: its connection may be idle. */
void ccurl_keep(ccurl_loop *loop, CURL *handle, struct ccurl_side *side);
/* Whether the event is of a socket that no transfer wants; then it is done with. */
int ccurl_is_idle(ccurl_loop *loop, const struct epoll_event *event);
/* Ends the idle connections that have bytes, before libcurl chooses connections for transfers that begin. */
void ccurl_retire_readable(ccurl_loop *loop);

#endif
