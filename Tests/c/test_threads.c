/* const objects can be used concurrently: eight threads use one router, one plan, one client. */
#include "support.h"

#include <pthread.h>

enum { THREADS = 8, TURNS = 200, PERFORMS = 25 };

static service echo;
static routable_router *router;
static routable_client *client;
static routable_plan *plan;
static pthread_barrier_t together;

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    (void)state;
    service_start(&echo, "Tests/service/fault_service.py");
    options.base = echo.base;
    return routable_router_open_file(path_below_root("examples/social.json"), &options, &router, NULL) != ROUTABLE_OK ||
           routable_client_new(NULL, &client, NULL) != ROUTABLE_OK ||
           routable_plan_new(router, "user.status", "read", &plan, NULL) != ROUTABLE_OK ||
           pthread_barrier_init(&together, NULL, THREADS) != 0;
}

static int stop(void **state)
{
    (void)state;
    pthread_barrier_destroy(&together);
    routable_plan_free(plan);
    routable_client_free(client);
    routable_router_free(router);
    service_stop(&echo);
    return 0;
}

/* The result of one thread, because cmocka cannot assert in threads. */
typedef struct worker {
    pthread_t thread;
    int number;
    size_t faults;
    char first[256];
} worker;

static void fault(worker *it, const char *what, const char *got)
{
    if (it->faults++ == 0)
        snprintf(it->first, sizeof it->first, "%s: %.200s", what, got ? got : "(none)");
}

static void *build_and_refuse(void *argument)
{
    worker *const it = (worker *)argument;
    int turn;
    pthread_barrier_wait(&together);
    for (turn = 0; turn < TURNS; turn++) {
        char call[256], expected[128], buffer[128];
        routable_request *request = NULL;
        routable_error *error = NULL;
        routable_string text = { NULL, 0 };
        routable_value ids[2];
        size_t length = 0;
        sprintf(call, "{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":[\"t%d\",%d]}", it->number, turn);
        sprintf(expected, "%s/users/t%d/statuses/%d", echo.base, it->number, turn);
        if (routable_request_new_json(router, call, ROUTABLE_NUL_TERMINATED, &request, NULL) != ROUTABLE_OK ||
            strcmp(routable_request_url(request).ptr, expected) != 0)
            fault(it, expected, routable_request_url(request).ptr);
        routable_request_free(request);
        sprintf(buffer, "t%d", it->number);
        ids[0] = routable_value_string(buffer);
        ids[1] = routable_value_integer(turn);
        {
            char url[128] = "";
            if (routable_plan_write(plan, ids, 2, NULL, 0, url, sizeof url, &length, NULL) != ROUTABLE_OK ||
                strcmp(url, expected) != 0)
                fault(it, expected, url);
        }
        if (routable_request_new_json(router, "{\"route\":\"status\",\"operation\":\"update\",\"ids\":[1]}", ROUTABLE_NUL_TERMINATED, &request,
                &error) != ROUTABLE_ERR_NOT_ALLOWED || routable_error_allowed_count(error) != 3)
            fault(it, "not allowed", routable_error_message(error).ptr);
        routable_error_free(error);
        if (turn % 20 == 0) {
            if (routable_router_map(router, &text, NULL) != ROUTABLE_OK)
                fault(it, "map", NULL);
            routable_string_free(&text);
        }
    }
    return NULL;
}

static void *perform(void *argument)
{
    worker *const it = (worker *)argument;
    int turn;
    pthread_barrier_wait(&together);
    for (turn = 0; turn < PERFORMS; turn++) {
        char call[256], expected[128];
        routable_string text = { NULL, 0 };
        routable_error *error = NULL;
        sprintf(call, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"t%d-%d\"]}", it->number, turn);
        sprintf(expected, "\"/users/t%d-%d\"", it->number, turn);
        if (routable_perform_json(client, router, call, ROUTABLE_NUL_TERMINATED, &text, &error) != ROUTABLE_OK)
            fault(it, call, routable_error_message(error).ptr);
        else if (!strstr(text.ptr, expected))
            fault(it, expected, text.ptr);
        routable_string_free(&text);
        routable_error_free(error);
    }
    return NULL;
}

static void run(void *(*work)(void *))
{
    worker workers[THREADS];
    int i;
    memset(workers, 0, sizeof workers);
    for (i = 0; i < THREADS; i++) {
        workers[i].number = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (i = 0; i < THREADS; i++)
        if (workers[i].faults)
            fail_msg("thread %d: %zu faults, the first: %s", i, workers[i].faults, workers[i].first);
}

static void eight_threads_build(void **state)
{
    (void)state;
    run(build_and_refuse);
}

static void eight_threads_perform(void **state)
{
    (void)state;
    run(perform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_threads_build),
        cmocka_unit_test(eight_threads_perform),
    };
    return cmocka_run_group_tests_name("threads", tests, start, stop);
}
