/* loop.c - many transfers in one thread: libcurl's multi handle on epoll, with one descriptor for the program.
 *
 * The epoll instance contains libcurl's sockets, a timer and a wake-up counter.  The socket of a reused connection stays registered
 * between transfers, which saves two system calls for each; a socket that was closed in the meantime is recognized by a number that
 * changes with every socket of the same descriptor. */
#define _GNU_SOURCE
#include "loop.h"
#include "CSystemMemory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { FLUSHES = 64, LONGEST = 5 /* milliseconds */ };

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* --- Callbacks of libcurl --- */

static curl_socket_t open_socket(void *user_data, curlsocktype purpose, struct curl_sockaddr *address)
{
    ccurl_loop *const loop = user_data;
    const int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    place *const it = ccurl_place_of(loop, made);
    (void)purpose;
    if (!it) {
        if (made >= 0)
            close(made);
        return CURL_SOCKET_BAD;
    }
    *it = (place) { .generation = it->generation + 1, .is_tracked = 1 };
    return made;
}

static int close_socket(void *user_data, curl_socket_t descriptor)
{
    ccurl_loop *const loop = user_data;
    place *const it = ccurl_place_of(loop, descriptor);
    if (it) {
        ccurl_forget_kept(loop, it);
        *it = (place) { .generation = it->generation + 1 };
    }
    return close(descriptor); /* this also removes it from epoll */
}

static int socket_changed(CURL *handle, curl_socket_t descriptor, int what, void *user_data, void *of_socket)
{
    ccurl_loop *const loop = user_data;
    place *const it = ccurl_place_of(loop, descriptor);
    struct ccurl_side *side;
    struct epoll_event event;
    int operation, result;
    (void)of_socket;
    if (!it)
        return -1;
    if (what == CURL_POLL_REMOVE) {
        it->is_wanted = 0;
        if (!it->is_tracked && it->is_registered) {
            epoll_ctl(loop->epoll, EPOLL_CTL_DEL, descriptor, NULL);
            *it = (place) { .generation = it->generation + 1 };
        }
        return 0;
    }
    it->is_wanted = 1;
    ccurl_forget_kept(loop, it);
    side = ccurl_side_of(handle);
    if (side) {
        ccurl_see(loop, side);
        side->socket = descriptor;
        side->generation = it->generation;
    }
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (it->is_registered && it->events == event.events)
        return 0;
    event.data.u64 = (uint64_t)it->generation << 32 | (uint32_t)descriptor;
    operation = it->is_registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    result = epoll_ctl(loop->epoll, operation, descriptor, &event);
    if (result != 0 && (errno == ENOENT || errno == EEXIST)) /* closed or opened without a callback */
        result = epoll_ctl(loop->epoll, errno == ENOENT ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
    if (result != 0)
        return -1;
    it->is_registered = 1;
    it->events = event.events;
    return 0;
}

static int timer_changed(CURLM *multi, long milliseconds, void *user_data)
{
    ccurl_loop *const loop = user_data;
    (void)multi;
    loop->due = milliseconds < 0 ? INT64_MAX : milliseconds == 0 ? 0 : now() + milliseconds;
    return 0;
}

/* --- Creating and freeing --- */

ccurl_loop *ccurl_loop_new(long connections, ccurl_interruption *interruption)
{
    struct epoll_event event = { .events = EPOLLIN };
    ccurl_loop *const loop = csystem_allocate_zeros(sizeof *loop);
    if (!loop)
        return NULL;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    loop->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    loop->due = loop->armed = INT64_MAX;
    if (loop->epoll < 0 || loop->timer < 0 || loop->wake < 0 || (connections >= 0 && !(loop->multi = ccurl.multi_init()))) {
        ccurl_loop_abandon(loop);
        return NULL;
    }
    loop->interruption = interruption;
    if (interruption)
        atomic_store(&interruption->wake, loop->wake);
    event.data.u64 = (uint32_t)loop->timer;
    epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->timer, &event);
    event.data.u64 = (uint32_t)loop->wake;
    epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event);
    if (!loop->multi)
        return loop;
    ccurl.multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
    ccurl.multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, (void *)loop);
    ccurl.multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    ccurl.multi_setopt(loop->multi, CURLMOPT_TIMERDATA, (void *)loop);
    ccurl.multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, connections);
    ccurl.multi_setopt(loop->multi, CURLMOPT_PIPELINING, 2L); /* several transfers on one HTTP/2 connection */
    return loop;
}

void ccurl_loop_abandon(ccurl_loop *loop)
{
    if (loop->interruption)
        atomic_store(&loop->interruption->wake, -1);
    if (loop->epoll >= 0)
        close(loop->epoll);
    if (loop->timer >= 0)
        close(loop->timer);
    if (loop->wake >= 0)
        close(loop->wake);
    csystem_free(loop->places);
    csystem_free(loop);
}

void ccurl_loop_free(ccurl_loop *loop)
{
    const struct ccurl_quiet quiet = ccurl_quiet_begin();
    if (loop->multi)
        ccurl.multi_cleanup(loop->multi); /* closes connections, and calls close_socket for them */
    ccurl_quiet_end(quiet);
    ccurl_loop_abandon(loop);
}

int32_t ccurl_loop_adopt(ccurl_loop *loop, CURL *handle)
{
    int32_t code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, (void *)loop);
    if (code == 0)
        code = (int32_t)ccurl.easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    return code != 0 ? code : (int32_t)ccurl.easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, (void *)loop);
}

int32_t ccurl_loop_add(ccurl_loop *loop, CURL *handle)
{
    struct ccurl_side *const side = ccurl_side_of(handle);
    loop->has_begun = 1;
    if (side) {
        side->loop = loop;
        side->socket = CURL_SOCKET_BAD;
    }
    return (int32_t)ccurl.multi_add_handle(loop->multi, handle);
}

void ccurl_loop_remove(ccurl_loop *loop, CURL *handle)
{
    const struct ccurl_quiet quiet = ccurl_quiet_begin();
    struct ccurl_side *const side = ccurl_side_of(handle);
    if (side) {
        ccurl_see(loop, side);
        side->loop = NULL;
    }
    ccurl.multi_remove_handle(loop->multi, handle);
    ccurl_quiet_end(quiet);
}

/* --- Work --- */

enum { AGAIN = 10 /* milliseconds */ };

/* Lets libcurl work.  If memory cannot be allocated, it returns early and may set no timer: it is called again soon. */
static void work(ccurl_loop *loop, curl_socket_t descriptor, int mask)
{
    int running;
    if (ccurl.multi_socket_action(loop->multi, descriptor, mask, &running) != CURLM_OK) {
        const int64_t again = now() + AGAIN;
        if (loop->due > again)
            loop->due = again;
    }
}

static void act(ccurl_loop *loop, const struct epoll_event *event)
{
    const int descriptor = (int)(uint32_t)event->data.u64;
    int mask = 0;
    uint64_t number;
    place *it;
    if (descriptor == loop->wake || descriptor == loop->timer) {
        if (read(descriptor, &number, sizeof number) == (ssize_t)sizeof number && descriptor == loop->timer)
            loop->armed = INT64_MAX;
        return;
    }
    it = ccurl_is_idle(loop, event) ? NULL : ccurl_place_of(loop, descriptor);
    if (!it || it->generation != (uint32_t)(event->data.u64 >> 32))
        return; /* the event belongs to a socket that an earlier event of the same batch closed */
    if (event->events & EPOLLIN)
        mask |= CURL_CSELECT_IN;
    if (event->events & EPOLLOUT)
        mask |= CURL_CSELECT_OUT;
    if (event->events & (EPOLLERR | EPOLLHUP))
        mask |= it->events & EPOLLOUT ? CURL_CSELECT_ERR : CURL_CSELECT_IN; /* bytes that arrived before the end are read */
    work(loop, descriptor, mask);
}

/* libcurl reads up to 6 MB in one call from a peer that sends faster than this code reads, and requests another call each time: the
 * limits let other sockets and the program continue. */
static void flush(ccurl_loop *loop)
{
    int i;
    if (loop->has_begun)
        ccurl_retire_readable(loop);
    for (i = 0; i < FLUSHES && loop->due != INT64_MAX; i++) {
        const int64_t time = now();
        if (loop->turn == 0)
            loop->turn = time;
        if (loop->due > time || time - loop->turn >= LONGEST)
            break;
        loop->due = INT64_MAX;
        work(loop, CURL_SOCKET_TIMEOUT, 0);
    }
}

void ccurl_loop_begin_turn(ccurl_loop *loop) { loop->turn = 0; }

void ccurl_loop_flush(ccurl_loop *loop)
{
    const struct ccurl_quiet quiet = ccurl_quiet_begin();
    flush(loop);
    ccurl_quiet_end(quiet);
}

int32_t ccurl_loop_step(ccurl_loop *loop, int64_t milliseconds)
{
    struct epoll_event events[BATCH];
    struct ccurl_quiet quiet;
    int count, i, is_interrupted;
    if (milliseconds != 0 && loop->due != INT64_MAX) {
        const int64_t left = loop->due == 0 ? 0 : loop->due - now();
        if (left <= 0)
            milliseconds = 0;
        else if (milliseconds < 0 || left < milliseconds)
            milliseconds = left;
    }
    if (milliseconds > INT32_MAX)
        milliseconds = INT32_MAX;
    count = epoll_wait(loop->epoll, events, BATCH, milliseconds < 0 ? -1 : (int)milliseconds);
    is_interrupted = count < 0 && errno == EINTR;
    quiet = ccurl_quiet_begin();
    if (loop->turn == 0)
        loop->turn = now();
    for (i = 0; i < count; i++)
        act(loop, &events[i]);
    flush(loop);
    ccurl_quiet_end(quiet);
    return is_interrupted;
}

void *ccurl_loop_ended(ccurl_loop *loop, int32_t *code)
{
    CURLMsg *message;
    int left;
    while (loop->multi && (message = ccurl.multi_info_read(loop->multi, &left))) {
        struct ccurl_side *const side = message->msg == CURLMSG_DONE ? ccurl_side_of(message->easy_handle) : NULL;
        if (!side)
            continue;
        *code = (int32_t)message->data.result;
        ccurl_keep(loop, message->easy_handle, side);
        return side->owner;
    }
    return NULL;
}

int32_t ccurl_loop_descriptor(ccurl_loop *loop)
{
    return loop->epoll;
}

void ccurl_loop_arm(ccurl_loop *loop, int64_t monotonic_ms)
{
    const int64_t due = loop->due < monotonic_ms ? loop->due : monotonic_ms;
    /* A timer that is set too early fires unnecessarily, which costs less than setting it each time. */
    if (due < loop->armed) {
        struct itimerspec at = { .it_value = { .tv_sec = due / 1000, .tv_nsec = due % 1000 * 1000000 } };
        if (due <= 0)
            at.it_value.tv_nsec = 1; /* 0 would disable the timer */
        if (timerfd_settime(loop->timer, TFD_TIMER_ABSTIME, &at, NULL) == 0)
            loop->armed = due;
    }
}

void ccurl_loop_wake(ccurl_loop *loop)
{
    const uint64_t one = 1;
    (void)!write(loop->wake, &one, sizeof one);
}
