/* sources.h - shared by the tests of bodies: a request body whose callbacks a test controls. */
#ifndef TESTS_C_SOURCES_H
#define TESTS_C_SOURCES_H

#include "bodies.h"

typedef struct given {
    const char *text;
    size_t length, place, piece; /* `piece` is the number of bytes of each read */
    int rewinds, reads, released;
    size_t fail_at; /* offset from which reads fail; 0: none */
    int wait_at;    /* number of the read that returns "not now"; 0: none */
} given;

static inline routable_status give(char *buffer, size_t capacity, size_t *count, void *user_data)
{
    given *const it = (given *)user_data;
    size_t n = it->length - it->place;
    it->reads++;
    if (it->wait_at == it->reads)
        return ROUTABLE_PENDING;
    if (it->fail_at && it->place >= it->fail_at)
        return ROUTABLE_ERR_FILE;
    if (n > it->piece)
        n = it->piece;
    if (n > capacity)
        n = capacity;
    memcpy(buffer, it->text + it->place, n);
    it->place += n;
    *count = n;
    return ROUTABLE_OK;
}

static inline routable_status give_again(void *user_data)
{
    given *const it = (given *)user_data;
    it->place = 0;
    it->rewinds++;
    return ROUTABLE_OK;
}

static inline void released(void *user_data) { ((given *)user_data)->released++; }

static inline void set_source(routable_request *request, given *it, int64_t length, int can_rewind)
{
    routable_source source = ROUTABLE_SOURCE_INIT;
    routable_error *error = NULL;
    source.read = give;
    source.rewind = can_rewind ? give_again : NULL;
    source.release = released;
    source.user_data = it;
    source.length = length;
    check_status("source", routable_request_set_body_source(request, &source, "text/plain", &error), ROUTABLE_OK, error);
}

static const char lorem[] = "Lorem ipsum dolor sit amet, consectetur adipisici elit.";

#endif
