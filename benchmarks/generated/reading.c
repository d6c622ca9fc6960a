/* Measures the reading of a large response by a generated C header, compared with the validation of its body (benchmarks/generated/reading). */
#include "tree.h"

#include <routable_transport.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 15, DEPTH = 10, ROOM = 64 << 20 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare(const void *one, const void *other)
{
    const double *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

static int add(routable_responses *responses, routable_str body)
{
    static const routable_header type = { { "Content-Type", 12 }, { "application/json", 16 } };
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    reply.http_status = 200;
    reply.headers = &type;
    reply.header_count = 1;
    reply.body = body;
    canned.operation = "tree";
    canned.reply = &reply;
    return routable_responses_add(responses, &canned, NULL) == ROUTABLE_OK;
}

/* Writes a tree of records of about 180 bytes.  Returns the end. */
static char *write_tree(char *at, int depth, int *count)
{
    *count += 1;
    at += sprintf(
        at, "{\"id\": %d, \"name\": \"node number %d of the tree\", \"kind\": \"%s\", \"weight\": %d.%03d, \"created_at\": "
        "\"2026-11-%02dT12:%02d:00Z\", \"open\": %s, \"note\": %s, \"children\": [", *count, *count, depth ? "branch" : "leaf",
        *count % 977, *count % 1000, *count % 28 + 1, *count % 60, *count % 2 ? "true" : "false", *count % 3 ? "\"a note\"" : "null");
    for (int child = 0; depth && child < (depth == DEPTH ? 4 : 3); child++) {
        if (child)
            *at++ = ',';
        at = write_tree(at, depth - 1, count);
    }
    return at + sprintf(at, "]}");
}

int main(int count, char **words)
{
    double validating[ROUNDS], mapping[ROUNDS], typed[ROUNDS], taking[ROUNDS], ratios[ROUNDS];
    char *const memory = malloc(ROOM);
    int nodes = 0;
    tree api;
    routable_str body;
    routable_responses *responses = NULL;
    routable_client *client = NULL;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    if (count != 2 || !memory || tree_open_file(&api, words[1], NULL, NULL) != ROUTABLE_OK ||
        routable_responses_new(&responses, NULL) != ROUTABLE_OK)
        return 1;
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    if (routable_client_new(&options, &client, NULL) != ROUTABLE_OK)
        return 1;
    body.ptr = memory;
    body.len = (size_t)(write_tree(memory, DEPTH, &nodes) - memory);
    for (int round = 0; round < ROUNDS; round++) {
        const routable_operation *operation = routable_router_operation(api.typed.router, "tree");
        routable_policy policy = ROUTABLE_POLICY_INIT;
        routable_request *request = NULL;
        routable_response *response = NULL;
        tree_node_data_result result = TREE_NODE_DATA_RESULT_INIT;
        double start;
        if (!add(responses, body) || !add(responses, body) || tree_tree_request(&api, &request, NULL) != ROUTABLE_OK)
            return 1;
        start = now();
        if (routable_operation_check_result(api.typed.router, operation, 200, body.ptr, body.len, 1, NULL) != ROUTABLE_OK)
            return 1;
        validating[round] = now() - start;
        policy.deviations = ROUTABLE_DEVIATIONS_RAISE;
        start = now();
        if (routable_client_perform_with(client, request, &policy, &response, NULL) != ROUTABLE_OK)
            return 1;
        mapping[round] = now() - start;
        start = now();
        tree_tree_from_response(response, &result);
        taking[round] = now() - start;
        if (!result.value)
            return 1;
        tree_node_data_result_free(&result);
        start = now();
        if (tree_tree(&api, client, &result, NULL) != ROUTABLE_OK || !result.value)
            return 1;
        typed[round] = now() - start;
        tree_node_data_result_free(&result);
        ratios[round] = (typed[round] - mapping[round]) / validating[round];
        routable_request_free(request);
    }
    printf("%d objects, %zu bytes; ms of CPU, medians of %d\n", nodes, body.len, ROUNDS);
    printf("validating the body                    %7.1f\n", median(validating, ROUNDS));
    printf("performing, without reading            %7.1f\n", median(mapping, ROUNDS));
    printf("a typed call                           %7.1f\n", median(typed, ROUNDS));
    printf("reading, of validating                 %7.2f\n", median(ratios, ROUNDS));
    printf("reading a response that was not kept   %7.1f\n", median(taking, ROUNDS));
    routable_client_free(client);
    routable_responses_free(responses);
    tree_close(&api);
    free(memory);
    return 0;
}
