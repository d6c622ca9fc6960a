/* Calls with ids and a body of JSON text are built with few allocations, and are equal to those built in the general way.  A call with
 * a base, even the router's own, is built in the general way. */
#include "counting.h"
#include "support.h"

#include <pthread.h>

#define BASE "https://api.example.com/v1"

static const char document[] =
    "{\"routable\":1,\"base\":\"" BASE "\",\"headers\":{\"X-Client\":\"c\"},"
    "\"types\":{\"Status\":{\"type\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\"},"
    "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"read\",\"create\"],\"has\":[\"status\"]},"
    "\"status\":{\"path\":\"statuses\",\"type\":\"Status\",\"id\":{\"name\":\"number\",\"type\":\"integer\"},\"has\":[\"comment\"],"
    "\"can\":[\"read\",\"update\"]},"
    "\"comment\":{\"path\":\"comments\",\"has\":[\"user\"],\"can\":[\"read\",\"update\",\"delete\"]}},"
    "\"operations\":{\"search\":{\"get\":\"/search/{what}\",\"query\":{\"page\":{\"type\":\"integer\",\"default\":1}}},"
    "\"upload\":{\"post\":\"/raw\",\"body_as\":\"bytes\"},\"form\":{\"post\":\"/form\",\"body_as\":\"form\"}}}";

static routable_router *router;

static int open_router(void **state)
{
    routable_error *error = NULL;
    (void)state;
    if (routable_router_open(document, sizeof document - 1, NULL, &router, &error) != ROUTABLE_OK) {
        print_error("%s: %s\n", message_of(error), text_of(routable_error_pointer(error)));
        return -1;
    }
    return 0;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

/* --- Equal to the general way --- */

static char *outcome(routable_call call, int in_general)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_string text = ROUTABLE_STRING_INIT;
    char *result;
    if (in_general)
        call.base = BASE;
    if (routable_request_new(router, &call, &request, &error) == ROUTABLE_OK)
        assert_int_equal(routable_request_to_json(request, &text, NULL), ROUTABLE_OK);
    else
        assert_int_equal(routable_error_to_json(error, &text), ROUTABLE_OK);
    result = strdup(text.ptr);
    routable_string_free(&text);
    routable_request_free(request);
    routable_error_free(error);
    return result;
}

static void check_both(const char *input, const routable_call *call)
{
    char *const expected = outcome(*call, 1);
    /* The first iteration creates the plan, the second one finds it. */
    for (int turn = 0; turn < 2; turn++) {
        char *const got = outcome(*call, 0);
        check_text(input, routable_str_from_bytes(got, strlen(got)), expected);
        free(got);
    }
    free(expected);
}

static void usual_calls_equal_general_ones(void **state)
{
    static const struct { const char *route, *operation; } targets[] = {
        { "user", "read" }, { "user", "create" }, { "user.status", "read" }, { "user.status", "update" },
        { "user.status.comment", "update" }, { "user.status.comment", "delete" }, { "user.status.comment.user", "read" },
        { NULL, "search" }, { NULL, "upload" }, { NULL, "form" }, { "", "search" }, { "user", "destroy" }, { "use", "read" },
        { NULL, "serch" }, { "user.status.", "read" },
    };
    static const char *const bodies[] = { NULL, "{\"text\":\"x\"}", "{}", "[1,2]", "{\"text\":", "", " {\"text\":\"\\u00e9\",\"tags\":[\"a\"]} ",
        "{\"text\":1}", "\"a\"", "{\"text\":\"\xff\"}" };
    routable_value values[10] = { routable_value_string("init Fabian"), routable_value_integer(-7), routable_value_string(""),
        routable_value_string(".."), routable_value_string("f\xC3\xA9lix/1"), routable_value_string("\xff"), routable_value_real(1.5),
        routable_value_boolean(1), ROUTABLE_VALUE_INIT, routable_value_integer(9223372036854775807) };
    size_t target, body, count, turn, number = 12345;
    (void)state;
    for (target = 0; target < sizeof targets / sizeof *targets; target++)
        for (body = 0; body < sizeof bodies / sizeof *bodies; body++)
            for (count = 0; count < 6; count++)
                for (turn = 0; turn < 6; turn++) {
                    routable_argument ids[6];
                    routable_call call = ROUTABLE_CALL_INIT;
                    char input[200];
                    size_t index;
                    for (index = 0; index < 6; index++) {
                        number = number * 6364136223846793005u + 1442695040888963407u;
                        ids[index].name = (number >> 40) % 40 ? NULL : "id";
                        /* Mostly values that every id accepts. */
                        ids[index].value = turn < 2 ? values[turn] : values[(number >> 33) % 10];
                    }
                    call.route = targets[target].route;
                    call.operation = targets[target].operation;
                    call.ids = count ? ids : NULL;
                    call.id_count = count;
                    if (bodies[body])
                        call.body = routable_value_json(bodies[body]);
                    snprintf(input, sizeof input, "%s %s, %zu ids, round %zu, body %s", call.route ? call.route : "(none)", call.operation,
                        count, turn, bodies[body] ? bodies[body] : "(none)");
                    check_both(input, &call);
                }
}

static void long_values_reach_the_limit(void **state)
{
    const size_t length = 20 << 20;
    char *const text = (char *)malloc(length + 1);
    routable_argument id = { NULL, ROUTABLE_VALUE_INIT };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    memset(text, 'x', length);
    text[length] = '\0';
    id.value = routable_value_string(text);
    call.route = "user";
    call.operation = "read";
    call.ids = &id;
    call.id_count = 1;
    check_status("an id of 20 MiB", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    /* Below the limit, although its maximum size with three bytes for each byte would exceed it. */
    text[5 << 20] = '\0';
    id.value = routable_value_string(text);
    check_status("an id of 5 MiB", routable_request_new(router, &call, &request, NULL), ROUTABLE_OK, NULL);
    check_size("its URL", routable_request_url(request).len, strlen(BASE "/users/") + (5 << 20));
    routable_request_free(request);
    free(text);
}

/* --- Cost --- */

static void few_allocations(void **state)
{
    static char body[] =
        "{\"text\":\"A text of a usual length, which is about as long as what people write when they have something to say, and "
        "not much longer than this one\",\"tags\":[\"first\",\"second\",\"third\",\"fourth\",\"fifth\"]}";
    const routable_argument ids[] = { { NULL, routable_value_string("init Fabian") }, { NULL, routable_value_integer(3) },
        { NULL, routable_value_string("32352") }, { NULL, routable_value_string("f\xC3\xA9lix/1") } };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    int with_body, kind;
    (void)state;
    if (!can_count()) {
        print_message("allocations cannot be counted here\n");
        skip();
    }
    for (kind = 0; kind < 3; kind++) {
        size_t counted = 0;
        /* The Accept header of an operation with a type costs no allocation. */
        with_body = kind == 2;
        call.route = kind ? "user.status" : "user.status.comment.user";
        call.operation = with_body ? "update" : "read";
        call.ids = ids;
        call.id_count = kind ? 2 : 4;
        if (with_body)
            call.body = routable_value_json(body);
        for (int turn = 0; turn < 2; turn++) { /* the first iteration creates the plan */
            allocations = 0;
            counting = 1;
            assert_int_equal(routable_request_new(router, &call, &request, NULL), ROUTABLE_OK);
            counting = 0;
            counted = allocations;
            check_text("Accept", routable_request_header(request, "Accept"), kind ? "application/json" : "");
            routable_request_free(request);
        }
        print_message("%zu allocations\n", counted);
        assert_true(counted <= (with_body ? 6 : 2));
    }
}

/* --- Threads --- */

static void *build_many(void *given)
{
    const long start = *(const long *)given;
    long wrong = 0;
    for (long turn = 0; turn < 400; turn++) {
        /* Routes of up to 12 resources: the table of plans grows while other threads read it. */
        char route[200] = "user";
        routable_argument ids[12];
        routable_call call = ROUTABLE_CALL_INIT;
        routable_request *request = NULL;
        static const char *const names[] = { ".status", ".comment", ".user" };
        const long depth = (start + turn) % 12;
        for (long step = 0; step < depth; step++)
            strcat(route, names[step % 3]);
        for (size_t index = 0; index < 12; index++)
            ids[index] = (routable_argument) { NULL, routable_value_integer(turn) };
        call.route = route;
        call.operation = "read";
        call.ids = ids;
        call.id_count = (size_t)depth + 1;
        if (routable_request_new(router, &call, &request, NULL) != ROUTABLE_OK || routable_request_route(request).len != strlen(route))
            wrong++;
        routable_request_free(request);
    }
    return (void *)wrong;
}

static void plans_are_shared_by_threads(void **state)
{
    pthread_t threads[4];
    long starts[4] = { 0, 3, 6, 9 };
    (void)state;
    for (int index = 0; index < 4; index++)
        assert_int_equal(pthread_create(&threads[index], NULL, build_many, &starts[index]), 0);
    for (int index = 0; index < 4; index++) {
        void *wrong = NULL;
        pthread_join(threads[index], &wrong);
        check_size("requests of one thread that are wrong", (size_t)wrong, 0);
    }
}

/* A cyclic graph has infinitely many routes, of which a bounded number is cached. */
static void plans_of_endless_walks_are_bounded(void **state)
{
    routable_argument ids[30];
    (void)state;
    for (size_t index = 0; index < 30; index++)
        ids[index] = (routable_argument) { NULL, routable_value_integer(1) };
    for (int turn = 0; turn < 3; turn++) {
        char route[400] = "user";
        for (size_t depth = 1; depth < 30; depth++) {
            static const char *const names[] = { ".status", ".comment", ".user" };
            routable_call call = ROUTABLE_CALL_INIT;
            routable_request *request = NULL;
            strcat(route, names[(depth - 1) % 3]);
            call.route = route;
            call.operation = "read";
            call.ids = ids;
            call.id_count = depth + 1;
            check_status(route, routable_request_new(router, &call, &request, NULL), ROUTABLE_OK, NULL);
            routable_request_free(request);
        }
    }
}

/* One of the two values would be lost. */
static void check_twice(const routable_call *call, const char *message)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    check_status(message, routable_request_new(router, call, &request, &error), ROUTABLE_ERR_PARAMETER, error);
    check_contains(message, routable_error_message(error), message);
    assert_null(request);
    routable_error_free(error);
}

static void what_is_given_twice(void **state)
{
    routable_argument headers[] = { { "X-Trace", routable_value_integer(1) }, { "x-trace", routable_value_integer(2) } };
    const routable_argument pages[] = { { "page", routable_value_integer(1) }, { "page", routable_value_integer(2) } };
    const routable_argument what = { NULL, routable_value_string("x") };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    (void)state;
    call.operation = "search";
    call.ids = &what;
    call.id_count = 1;
    call.query = pages;
    call.query_count = 2;
    check_twice(&call, "the parameter page is given twice");
    call.query_count = 1;
    check_status("one page", routable_request_new(router, &call, &request, NULL), ROUTABLE_OK, NULL);
    routable_request_free(request);

    call.headers = headers;
    call.header_count = 2;
    check_twice(&call, "the header x-trace is given twice");
    headers[0].value = routable_value_null();    /* an absent value */
    check_status("once", routable_request_new(router, &call, &request, NULL), ROUTABLE_OK, NULL);
    check_text("the one that is there", routable_request_header(request, "X-Trace"), "2");
    routable_request_free(request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_twice),
        cmocka_unit_test(usual_calls_equal_general_ones),
        cmocka_unit_test(long_values_reach_the_limit),
        cmocka_unit_test(few_allocations),
        cmocka_unit_test(plans_are_shared_by_threads),
        cmocka_unit_test(plans_of_endless_walks_are_bounded),
    };
    return cmocka_run_group_tests_name("usual calls", tests, open_router, close_router);
}
