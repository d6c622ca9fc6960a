/* server.c - the server of the benchmark if nginx is not available: responds to every request on the loopback interface with the same 337
 * bytes of JSON and keeps connections open.  Prints its port; exits when its standard input is closed. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s";
static char answer[1024];
static size_t answer_length;

/* One response for each empty line; requests here have no body.  Returns 0 if the connection has ended. */
static int serve(int connection, unsigned *seen)
{
    char bytes[4096];
    const ssize_t count = read(connection, bytes, sizeof bytes);
    ssize_t i;
    for (i = 0; i < count; i++) {
        static const char end[] = "\r\n\r\n";
        *seen = bytes[i] == end[*seen] ? *seen + 1 : bytes[i] == '\r';
        if (*seen == 4) {
            *seen = 0;
            if (write(connection, answer, answer_length) != (ssize_t)answer_length)
                return 0;
        }
    }
    return count > 0;
}

int main(int count, char **arguments)
{
    struct pollfd places[MOST];
    unsigned seen[MOST] = { 0 };
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    nfds_t used = 2, i;
    char body[1024] = "";
    FILE *const file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (!file || fread(body, 1, sizeof body - 200, file) == 0)
        return 2;
    fclose(file);
    answer_length = (size_t)snprintf(answer, sizeof answer, head, strlen(body), body);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, MOST) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    places[0].fd = STDIN_FILENO;
    places[1].fd = listener;
    places[0].events = places[1].events = POLLIN;
    while (poll(places, used, -1) > 0) {
        if (places[0].revents)
            return 0;
        for (i = used; i-- > 2;)
            if (places[i].revents && !serve(places[i].fd, &seen[i])) {
                close(places[i].fd);
                used--;
                places[i] = places[used];
                seen[i] = seen[used];
            }
        if (places[1].revents && used < MOST) {
            places[used].fd = accept(listener, NULL, NULL);
            places[used].events = POLLIN;
            places[used].revents = 0;
            seen[used] = 0;
            if (places[used].fd >= 0) {
                setsockopt(places[used].fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                used++;
            }
        }
    }
    return 1;
}
