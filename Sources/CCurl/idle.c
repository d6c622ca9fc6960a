/* idle.c - tracks which connections of a loop are idle.  An idle connection with bytes to read contains a response that was not
 * requested: it is closed before a transfer begins, so that libcurl does not use it again (kept.c states the reason). */
#define _GNU_SOURCE
#include "loop.h"
#include "CSystemMemory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

place *ccurl_place_of(ccurl_loop *loop, curl_socket_t descriptor)
{
    if (descriptor < 0)
        return NULL;
    if ((size_t)descriptor >= loop->count) {
        const size_t count = (size_t)descriptor + 64;
        place *const larger = csystem_resize(loop->places, count * sizeof *larger);
        if (!larger)
            return NULL;
        memset(larger + loop->count, 0, (count - loop->count) * sizeof *larger);
        loop->places = larger;
        loop->count = count;
    }
    return &loop->places[descriptor];
}

void ccurl_forget_kept(ccurl_loop *loop, place *it)
{
    loop->kept -= it->is_kept;
    it->is_kept = 0;
}

/* A transfer on a reused connection whose response is available immediately can be paused before libcurl reports its socket: then
 * it is unknown which connections are idle. */
void ccurl_loop_paused(struct ccurl_side *side)
{
    if (side->loop && side->socket == CURL_SOCKET_BAD && !side->is_blind) {
        side->is_blind = 1;
        side->loop->blind++;
    }
}

void ccurl_see(ccurl_loop *loop, struct ccurl_side *side)
{
    loop->blind -= side->is_blind;
    side->is_blind = 0;
}

void ccurl_keep(ccurl_loop *loop, CURL *handle, struct ccurl_side *side)
{
    place *const it = side->socket == CURL_SOCKET_BAD ? NULL : ccurl_place_of(loop, side->socket);
    if (it && it->generation == side->generation && it->is_tracked && !it->is_wanted && !it->is_kept && ccurl_was_http1(handle)) {
        /* The socket is not registered if bytes arrived while the transfer was paused. */
        loop->has_missed |= !it->is_registered;
        it->is_kept = 1;
        loop->kept++;
    }
}

/* A paused transfer needs no socket, and its connection is not idle. */
int ccurl_is_idle(ccurl_loop *loop, const struct epoll_event *event)
{
    const int descriptor = (int)(uint32_t)event->data.u64;
    place *const it = descriptor == loop->wake || descriptor == loop->timer ? NULL : ccurl_place_of(loop, descriptor);
    char byte;
    if (!it || it->generation != (uint32_t)(event->data.u64 >> 32) || it->is_wanted)
        return 0;
    /* An earlier event of the same batch may have read the bytes of this event. */
    if (it->is_kept && recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN)
        return 1;
    if (it->is_kept && loop->blind > 0) {
        loop->has_missed = 1;
    } else if (it->is_kept) {
        ccurl_retire(descriptor); /* libcurl detects the end when it checks the connection before use */
        ccurl_forget_kept(loop, it);
    }
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, descriptor, NULL);
    it->is_registered = 0;
    return 1;
}

/* Registers sockets that ccurl_is_idle or a pause has removed. */
static void register_missed(ccurl_loop *loop)
{
    size_t i;
    loop->has_missed = 0;
    for (i = 0; i < loop->count; i++) {
        place *const it = &loop->places[i];
        struct epoll_event event = { .events = EPOLLIN, .data.u64 = (uint64_t)it->generation << 32 | i };
        if (it->is_kept && !it->is_registered && epoll_ctl(loop->epoll, EPOLL_CTL_ADD, (int)i, &event) == 0) {
            it->is_registered = 1;
            it->events = event.events;
        }
    }
}

void ccurl_retire_readable(ccurl_loop *loop)
{
    struct epoll_event events[BATCH];
    int count, i, rounds = 16;
    loop->has_begun = 0;
    if (loop->has_missed && loop->blind == 0)
        register_missed(loop);
    do {
        count = loop->kept > 0 ? epoll_wait(loop->epoll, events, BATCH, 0) : 0;
        for (i = 0; i < count; i++)
            ccurl_is_idle(loop, &events[i]);
    } while (count == BATCH && --rounds > 0);
}
