/* kept.c - the reused connections of a handle that is not in a loop.
 *
 * A connection that has bytes to read before a request is sent contains a response that was not requested.  libcurl before 8.1
 * would use it as the response to the next request.  If such a connection is closed instead of a response, libcurl sends the request
 * again; a request that may have an effect must not be sent twice. */
#include "side.h"
#include "CSystemMemory.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

void ccurl_retire(curl_socket_t descriptor)
{
    char bytes[4096];
    int left = 64;
    shutdown(descriptor, SHUT_RDWR);
    /* Unread bytes would make libcurl's check of a TLS connection succeed. */
    while (left-- > 0 && recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
}

static curl_socket_t open_socket(void *user_data, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct ccurl_side *const side = user_data;
    const int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    (void)purpose;
    if (made < 0)
        return CURL_SOCKET_BAD;
    if (side->socket_count < CCURL_SOCKETS)
        side->sockets[side->socket_count++] = (struct ccurl_socket) { .descriptor = made };
    return made;
}

static int close_socket(void *user_data, curl_socket_t descriptor)
{
    struct ccurl_side *const side = user_data;
    int i;
    for (i = 0; i < side->socket_count; i++)
        if (side->sockets[i].descriptor == descriptor) {
            side->sockets[i] = side->sockets[--side->socket_count];
            break;
        }
    return close(descriptor);
}

/* Called by libcurl before it sends a request on a connection.  After a response, such as a challenge, another request is intended:
 * then the size of all received headers (CURLINFO_HEADER_SIZE) is no longer that of the last call. */
static int before_request(void *user_data, char *server, char *own, int server_port, int own_port)
{
    struct ccurl_side *const side = user_data;
    long received = 0;
    (void)server, (void)own, (void)server_port, (void)own_port;
    if (ccurl.easy_getinfo(side->handle, CURLINFO_HEADER_SIZE, &received) != CURLE_OK)
        received = 0;
    if (side->sends_once && side->is_sent && side->received == received) {
        side->is_repeated = 1;
        return 1; /* CURL_PREREQFUNC_ABORT */
    }
    side->is_sent = 1;
    side->received = received;
    return 0;
}

void ccurl_side_begin(ccurl_side *side, int32_t sends_once)
{
    side->sends_once = sends_once != 0;
    side->is_sent = side->is_repeated = 0;
}

ccurl_side *ccurl_side_new(CURL *handle, void *owner)
{
    ccurl_side *const side = csystem_allocate_zeros(sizeof *side);
    if (!side)
        return NULL;
    side->owner = owner;
    side->handle = handle;
    side->socket = CURL_SOCKET_BAD;
    /* CURLOPT_PREREQFUNCTION and CURLOPT_PREREQDATA, since 7.80. */
    if (ccurl.easy_setopt(handle, (CURLoption)20312, before_request) == CURLE_OK)
        ccurl.easy_setopt(handle, (CURLoption)10313, (void *)side);
    if (ccurl.easy_setopt(handle, CURLOPT_PRIVATE, (void *)side) != CURLE_OK ||
        ccurl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket) != CURLE_OK ||
        ccurl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, (void *)side) != CURLE_OK ||
        ccurl.easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close_socket) != CURLE_OK ||
        ccurl.easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, (void *)side) != CURLE_OK) {
        csystem_free(side);
        return NULL;
    }
    return side;
}

void ccurl_side_free(ccurl_side *side)
{
    ccurl_side_forget(side);
    csystem_free(side);
}

/* Between two transfers, all connections of the handle are idle. */
static void retire_readable(struct ccurl_side *side)
{
    struct pollfd all[CCURL_SOCKETS];
    nfds_t count = 0, i;
    int j;
    for (j = 0; j < side->socket_count; j++)
        if (side->sockets[j].is_http1)
            all[count++] = (struct pollfd) { .fd = side->sockets[j].descriptor, .events = POLLIN };
    if (count == 0 || poll(all, count, 0) <= 0)
        return;
    for (i = 0; i < count; i++)
        if (all[i].revents)
            ccurl_retire(all[i].fd);
}

int32_t ccurl_easy_perform(CURL *handle, ccurl_side *side)
{
    const struct ccurl_quiet quiet = ccurl_quiet_begin();
    curl_socket_t used = CURL_SOCKET_BAD;
    int32_t code;
    int i;
    retire_readable(side);
    code = (int32_t)ccurl.easy_perform(handle);
    ccurl_quiet_end(quiet);
    if (ccurl.easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &used) == CURLE_OK && used != CURL_SOCKET_BAD)
        for (i = 0; i < side->socket_count; i++)
            if (side->sockets[i].descriptor == used)
                side->sockets[i].is_http1 = ccurl_was_http1(handle);
    return code;
}
