/* lines.c - writes lines on a separate thread, so that a slow or closed reader does not block the server. */
#define _GNU_SOURCE
#include "CServe.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CAPACITY = 1 << 20, MOMENT_MS = 1000 };

struct cserve_lines {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int descriptor, is_json, has_failed, is_ending;
    char *filling, *writing; /* of CAPACITY bytes each */
    size_t filled, unwritten, left_out;
};

/* Writes the bytes; returns 0 if the descriptor has failed. */
static int write_all(struct cserve_lines *lines, size_t count)
{
    size_t written = 0;
    while (written < count) {
        const ssize_t got = write(lines->descriptor, lines->writing + written, count - written);
        if (got > 0)
            written += (size_t)got;
        else if (got < 0 && errno == EAGAIN) { /* another process has made the descriptor nonblocking */
            struct pollfd waited = { .fd = lines->descriptor, .events = POLLOUT };
            poll(&waited, 1, MOMENT_MS);
        } else if (got == 0 || errno != EINTR)
            return 0;
    }
    return 1;
}

static void *write_lines(void *context)
{
    struct cserve_lines *const lines = context;
    pthread_mutex_lock(&lines->lock);
    for (;;) {
        char *const full = lines->filling;
        int is_written;
        while (!lines->filled && !lines->is_ending)
            pthread_cond_wait(&lines->changed, &lines->lock);
        if (!lines->filled)
            break;
        lines->filling = lines->writing;
        lines->writing = full;
        lines->unwritten = lines->filled;
        lines->filled = 0;
        if (lines->left_out) {
            lines->filled = (size_t)snprintf(lines->filling, CAPACITY,
                lines->is_json ? "{\"left_out\":%zu}\n" : "%zu lines are left out: they were not read in time\n", lines->left_out);
            lines->left_out = 0;
        }
        pthread_mutex_unlock(&lines->lock);
        is_written = write_all(lines, lines->unwritten);
        pthread_mutex_lock(&lines->lock);
        lines->unwritten = 0;
        if (!is_written) { /* the reader has closed the descriptor */
            lines->has_failed = 1;
            lines->filled = 0;
            break;
        }
    }
    lines->is_ending = 2;
    pthread_cond_broadcast(&lines->changed);
    pthread_mutex_unlock(&lines->lock);
    return NULL;
}

struct cserve_lines *cserve_lines_new(int descriptor)
{
    struct cserve_lines *const lines = calloc(1, sizeof *lines);
    pthread_condattr_t attributes;
    pthread_t thread;
    if (!lines)
        return NULL;
    lines->descriptor = descriptor;
    lines->filling = malloc(CAPACITY);
    lines->writing = malloc(CAPACITY);
    pthread_mutex_init(&lines->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&lines->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (!lines->filling || !lines->writing || pthread_create(&thread, NULL, write_lines, lines) != 0) {
        free(lines->filling);
        free(lines->writing);
        free(lines);
        return NULL;
    }
    pthread_detach(thread);
    return lines;
}

void cserve_lines_set_json(struct cserve_lines *lines) { lines->is_json = 1; }

void cserve_lines_write(struct cserve_lines *lines, struct cserve_bytes text)
{
    pthread_mutex_lock(&lines->lock);
    if (!lines->has_failed) {
        if (text.count > CAPACITY - lines->filled)
            lines->left_out++;
        else if (text.count) {
            memcpy(lines->filling + lines->filled, text.bytes, text.count);
            lines->filled += text.count;
            pthread_cond_signal(&lines->changed);
        }
    }
    pthread_mutex_unlock(&lines->lock);
}

void cserve_lines_end(struct cserve_lines *lines, uint32_t grace_ms)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += grace_ms / 1000;
    end.tv_nsec += (long)(grace_ms % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        end.tv_sec++;
    }
    pthread_mutex_lock(&lines->lock);
    if (!lines->is_ending)
        lines->is_ending = 1;
    pthread_cond_broadcast(&lines->changed);
    while (lines->is_ending != 2 && pthread_cond_timedwait(&lines->changed, &lines->lock, &end) == 0) {}
    pthread_mutex_unlock(&lines->lock);
}
