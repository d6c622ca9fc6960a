/* listen.c - the listening socket, and the signals that end the server. */
#define _GNU_SOURCE
#include "CServe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

static int32_t listen_at(const struct addrinfo *info, uint16_t port, uint16_t *out_port)
{
    union { struct sockaddr any; struct sockaddr_in v4; struct sockaddr_in6 v6; } address;
    socklen_t length = sizeof address;
    const int yes = 1, no = 0;
    int code;
    const int descriptor = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return -errno;
    memset(&address, 0, sizeof address);
    memcpy(&address, info->ai_addr, info->ai_addrlen < sizeof address ? info->ai_addrlen : sizeof address);
    if (info->ai_family == AF_INET6) {
        address.v6.sin6_port = htons(port);
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no); /* "::" also accepts IPv4 */
    } else
        address.v4.sin_port = htons(port);
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, &address.any, info->ai_addrlen) != 0 || listen(descriptor, BACKLOG) != 0 ||
        getsockname(descriptor, &address.any, &length) != 0) {
        code = errno;
        close(descriptor);
        return -code;
    }
    *out_port = ntohs(info->ai_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
    return descriptor;
}

int32_t cserve_listen(const char *address, uint16_t port, uint16_t *out_port, int32_t *is_v6)
{
    struct addrinfo hints, *found = NULL, *each;
    int32_t result = CSERVE_NO_ADDRESS;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    if (getaddrinfo(address, NULL, &hints, &found) != 0)
        return CSERVE_NO_ADDRESS;
    for (each = found; each && result < 0; each = each->ai_next) {
        if (each->ai_family != AF_INET && each->ai_family != AF_INET6)
            continue;
        *is_v6 = each->ai_family == AF_INET6;
        result = listen_at(each, port, out_port);
        if (result == -EADDRINUSE)
            break;
    }
    freeaddrinfo(found);
    return result;
}

/* The signals that end the server.  Ignored signals are not included; nohup ignores SIGHUP. */
static void ending_signals(sigset_t *set)
{
    const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    size_t i;
    sigemptyset(set);
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, numbers[i]);
    }
}

void cserve_block_signals(void)
{
    sigset_t set;
    ending_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int32_t cserve_wait_for_signal(void)
{
    sigset_t set;
    int number = 0;
    ending_signals(&set);
    while (sigwait(&set, &number) != 0) {}
    return number;
}
