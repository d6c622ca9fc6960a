/* poll_loop.c - requests in a poll loop, together with another event source, a clock.
 *
 *     poll_loop DESCRIPTION BASE USER [COUNT]
 *     cc -o poll_loop examples/c/poll_loop.c $(pkg-config --cflags --libs routable)
 *
 * One thread and one descriptor for all requests; pass it to g_unix_fd_add in GLib, or to uv_poll_init in libuv. */
#include <poll.h>
#include <routable.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct progress { int good, bad; } progress;

static void ended(routable_transfer *transfer, void *user_data)
{
    progress *const it = (progress *)user_data;
    routable_response *response = NULL;
    routable_error *error = NULL;
    if (routable_transfer_result(transfer, &response, &error) == ROUTABLE_OK) {
        it->good++;
    } else {
        it->bad++;
        fprintf(stderr, "%s\n", error ? routable_error_message(error).ptr : "cancelled");
    }
    routable_response_free(response);
    routable_error_free(error);
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *api = NULL;
    routable_client *client = NULL;
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_argument id = { NULL, { 0, 0, { 0 } } };
    routable_call call = ROUTABLE_CALL_INIT;
    progress done = { 0, 0 };
    struct pollfd place = { -1, POLLIN, 0 };
    size_t pending = 1;
    int i, ticks = 0, wanted = count > 4 ? atoi(arguments[4]) : 100;
    if (count < 4) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE USER [COUNT]\n", arguments[0]);
        return 2;
    }
    options.base = arguments[2];
    id.value = routable_value_string(arguments[3]);
    call.route = "user";
    call.operation = "read";
    call.ids = &id;
    call.id_count = 1;
    if (routable_router_open_file(arguments[1], &options, &api, &error) != ROUTABLE_OK ||
        routable_client_new(NULL, &client, &error) != ROUTABLE_OK ||
        routable_client_descriptor(client, &place.fd, &error) != ROUTABLE_OK ||
        routable_request_new(api, &call, &request, &error) != ROUTABLE_OK)
        goto failed;
    for (i = 0; i < wanted; i++)
        if (routable_client_submit(client, request, NULL, ended, &done, NULL, NULL, &error) != ROUTABLE_OK)
            goto failed;
    while (pending > 0) {
        const int ready = poll(&place, 1, 100); /* a real program has more descriptors here */
        if (ready == 0)
            ticks++; /* and other work to do */
        if (routable_client_drive(client, 0, &pending, &error) != ROUTABLE_OK)
            goto failed;
    }
    printf("%d answers, %d failures\n", done.good, done.bad);
failed:
    if (error)
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    i = error != NULL || done.bad > 0 || ticks < 0;
    routable_error_free(error);
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(api);
    return i;
}
