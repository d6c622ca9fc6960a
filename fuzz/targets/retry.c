/* Retry-After: a service within this process responds with 503 and the header of the input, once or twice.  The client retries
 * if there is no delay, or if it cannot parse the header; never if it would have to wait. */
#include "../fuzz.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char retry_value[1024]; /* written between two requests */
static int retry_listener;
static int retry_count;

static void *retry_serve(void *unused)
{
    (void)unused;
    for (;;) {
        const int one = 1, peer = accept(retry_listener, NULL, NULL);
        char request[4096], answer[1200];
        size_t length = 0;
        ssize_t count;
        if (peer < 0)
            return NULL;
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        while ((count = read(peer, request + length, sizeof request - 1 - length)) > 0) {
            request[length += (size_t)count] = '\0';
            if (!strstr(request, "\r\n\r\n"))
                continue;
            length = 0;
            __atomic_add_fetch(&retry_count, 1, __ATOMIC_SEQ_CST);
            snprintf(answer, sizeof answer, "HTTP/1.1 503 later\r\nContent-Length: 0\r\nRetry-After: %s\r\n\r\n", retry_value);
            if (write(peer, answer, strlen(answer)) < 0)
                break;
        }
        close(peer);
    }
}

static routable_router *retry_start(routable_client **client)
{
    static routable_router *router;
    struct sockaddr_in place;
    socklen_t length = sizeof place;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    char document[256];
    pthread_t thread = 0;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    retry_listener = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(bind(retry_listener, (struct sockaddr *)&place, sizeof place) == 0 && listen(retry_listener, 8) == 0 &&
            getsockname(retry_listener, (struct sockaddr *)&place, &length) == 0 && pthread_create(&thread, NULL, retry_serve, NULL) == 0,
        "retry: no service");
    pthread_detach(thread);
    snprintf(document, sizeof document,
        "{\"routable\":1,\"base\":\"http://127.0.0.1:%d\",\"operations\":{\"a\":{\"get\":\"/a\",\"retry\":{\"times\":1,\"delay\":0.001}}}}",
        ntohs(place.sin_port));
    EXPECT(routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK, "retry: no router");
    options.max_retry_delay_ms = 999; /* below one second: any requested delay is too long */
    options.proxy = "";
    EXPECT(routable_client_new(&options, client, NULL) == ROUTABLE_OK, "retry: no client");
    return router;
}

/* The value of the header; without a valid value, there is no header. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static routable_router *router;
    static routable_client *client;
    routable_request *request = NULL;
    routable_response *response = FUZZ_UNTOUCHED(routable_response);
    routable_error *error = NULL;
    routable_status status;
    size_t i, digits = 0, zeroes = 0;
    int count;
    if (size >= sizeof retry_value)
        return 0;
    for (i = 0; i < size; i++) {
        if ((data[i] < 0x20 && data[i] != '\t') || data[i] == 0x7F)
            return 0;
        digits += data[i] >= '0' && data[i] <= '9';
        zeroes += data[i] == '0';
    }
    if (!router) {
        FUZZ_LEAKS(disable);
        router = retry_start(&client);
        FUZZ_LEAKS(enable);
    }
    memcpy(retry_value, data, size);
    retry_value[size] = '\0';
    __atomic_store_n(&retry_count, 0, __ATOMIC_SEQ_CST);
    EXPECT(routable_request_new_json(router, "{\"operation\":\"a\"}", ROUTABLE_NUL_TERMINATED, &request, NULL) == ROUTABLE_OK, "retry: no request");
    status = routable_client_perform(client, request, &response, &error);
    routable_request_free(request);
    EXPECT(status == ROUTABLE_ERR_HTTP_STATUS && response == FUZZ_UNTOUCHED(routable_response) && routable_error_http_status(error) == 503,
        "retry: expected 503, got %s: %s", routable_status_name(status), routable_error_message(error).ptr);
    routable_error_free(error);
    count = __atomic_load_n(&retry_count, __ATOMIC_SEQ_CST);
    EXPECT(count == 1 || count == 2, "retry: expected one attempt or two, got %d", count);
    if (size > 0 && zeroes == size)
        EXPECT(count == 2, "retry: expected another attempt after %s", retry_value);
    if (size > 0 && digits == size && zeroes < size)
        EXPECT(count == 1, "retry: expected no other attempt for %s", retry_value);
    if (digits == 0)
        EXPECT(count == 2, "retry: expected another attempt, since nothing is asked for by \"%s\"", retry_value);
    return 0;
}
