/* soak.c - performs many requests, 64 of them concurrently; the memory must not grow after the first tenth.
 *
 *     soak BASE PATH REQUESTS SECONDS      ends early after this number of seconds */
#define _GNU_SOURCE
#include <routable.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FLIGHT = 64, GROWTH_KB = 1024 };

static long resident_kb(void)
{
    long size = 0, resident = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2)
        exit(1);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void fail(const char *what, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_client *client = NULL;
    routable_error *error = NULL;
    const long wanted = count == 5 ? atol(arguments[3]) : 0;
    const time_t end = time(NULL) + (count == 5 ? atol(arguments[4]) : 0);
    long submitted = 0, ended = 0, early = 0, most = 0;
    char document[512];
    if (wanted <= 0) {
        fprintf(stderr, "usage: %s BASE PATH REQUESTS SECONDS\n", arguments[0]);
        return 2;
    }
    options.base = arguments[1];
    snprintf(document, sizeof document, "{\"routable\":1,\"operations\":{\"get\":{\"get\":\"/%s\"},\"none\":{\"get\":\"/none\"}}}", arguments[2]);
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error) != ROUTABLE_OK ||
        routable_client_new(NULL, &client, &error) != ROUTABLE_OK)
        fail("start", error);
    while (ended < wanted) {
        routable_transfer *transfer = NULL;
        routable_response *response = NULL;
        routable_status status;
        while (submitted - ended < FLIGHT && submitted < wanted) {
            /* Each request is built anew, as in hosts; one in a hundred gets a 404, one is cancelled. */
            routable_request *request = NULL;
            const int isMissing = submitted % 100 == 7, isCancelled = submitted % 100 == 9;
            if (routable_request_new_json(router, isMissing ? "{\"operation\":\"none\"}" : "{\"operation\":\"get\"}", ROUTABLE_NUL_TERMINATED, &request, &error) != ROUTABLE_OK ||
                routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, &error) != ROUTABLE_OK)
                fail("submit", error);
            if (isCancelled && routable_transfer_cancel(transfer))
                ended++;
            routable_transfer_free(transfer);
            routable_request_free(request);
            submitted++;
        }
        if (ended >= wanted || routable_client_next(client, 10000, &transfer, &error) != ROUTABLE_OK)
            break;
        status = routable_transfer_result(transfer, &response, &error);
        if (status != ROUTABLE_OK && status != ROUTABLE_ERR_HTTP_STATUS)
            fail("result", error);
        routable_error_free(error);
        error = NULL;
        routable_response_free(response);
        routable_transfer_free(transfer);
        ended++;
        if (ended == wanted / 10)
            early = resident_kb();
        if (ended % 65536 == 0) {
            const long now = resident_kb();
            most = now > most ? now : most;
            if (time(NULL) > end)
                break;
        }
    }
    most = resident_kb() > most ? resident_kb() : most;
    printf("%ld of %ld requests; resident after a tenth %ld KB, at most %ld KB\n", ended, wanted, early, most);
    routable_client_free(client);
    routable_router_free(router);
    return ended < wanted || most - early > GROWTH_KB;
}
