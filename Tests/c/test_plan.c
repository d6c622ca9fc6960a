/* Plans: the same URL as a request, exact buffer sizes, and no allocation on the way. */
#include "counting.h"
#include "social.h"

static routable_plan *plan_of(const char *route, const char *operation)
{
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    check_status(operation, routable_plan_new(social, route, operation, &plan, &error), ROUTABLE_OK, error);
    return plan;
}

static void no_allocation(void **state)
{
    static const char url[] = "https://api.example.com/v1/users/init%20Fabian/statuses/3/comments/-5/users/%C3%A9%2F";
    const routable_value ids[] = { routable_text("init Fabian"), routable_text("3"), routable_integer(-5),
        routable_text("\xC3\xA9/") };
    const routable_value query[] = { routable_text("a b&c"), routable_integer(2) };
    routable_plan *const walk = plan_of("user.status.comment.user", "read"), *const search = plan_of(NULL, "search");
    char buffer[256];
    size_t length = 0, turn;
    routable_status status[3] = { 0, 0, 0 };
    (void)state;
    if (!can_count()) {
        print_message("allocations cannot be counted here\n");
        routable_plan_free(walk);
        routable_plan_free(search);
        skip();
    }
    allocations = 0;
    /* A buffer that is too small costs a copy, which is why it is not counted. */
    status[1] = routable_plan_write(walk, ids, 4, NULL, 0, buffer, 3, &length, NULL);
    counting = 1;
    for (turn = 0; turn < 100; turn++) {
        status[0] |= routable_plan_write(search, NULL, 0, query, 2, buffer, sizeof buffer, &length, NULL);
        status[2] |= routable_plan_write(walk, ids, 4, NULL, 0, buffer, sizeof buffer, &length, NULL);
    }
    counting = 0;
    assert_int_equal(status[0], ROUTABLE_OK);
    assert_int_equal(status[1], ROUTABLE_ERR_BUFFER);
    assert_int_equal(status[2], ROUTABLE_OK);
    assert_string_equal(buffer, url);
    check_size("length", length, strlen(url));
    check_size("allocations of 200 URLs", allocations, 0);
    routable_plan_free(walk);
    routable_plan_free(search);
}

/* A real number takes its own way to text. */
static void no_allocation_for_reals(void **state)
{
    const routable_value id = routable_real(0.1);
    routable_plan *const plan = plan_of("user", "read");
    char buffer[128];
    size_t length = 0;
    routable_status status;
    (void)state;
    allocations = 0;
    counting = 1;
    status = routable_plan_write(plan, &id, 1, NULL, 0, buffer, sizeof buffer, &length, NULL);
    counting = 0;
    assert_int_equal(status, ROUTABLE_OK);
    assert_string_equal(buffer, "https://api.example.com/v1/users/0.1");
    check_size("allocations", allocations, 0);
    routable_plan_free(plan);
}

static void buffer_sizes(void **state)
{
    static const char url[] = "https://api.example.com/v1/users/a%20b";
    const routable_value id = routable_text("a b");
    routable_plan *const plan = plan_of("user", "read");
    const size_t needed = strlen(url);
    size_t capacity;
    (void)state;
    for (capacity = 0; capacity <= needed + 2; capacity++) {
        char *const buffer = (char *)malloc(capacity + 1); /* the last byte is not ours to give */
        size_t length = 0;
        routable_error *error = NULL;
        const routable_status status = (buffer[capacity] = '#',
            routable_plan_write(plan, &id, 1, NULL, 0, capacity ? buffer : NULL, capacity, &length, &error));
        check_size("the length is told in both cases", length, needed);
        if (buffer[capacity] != '#')
            fail_msg("capacity %zu: wrote beyond it", capacity);
        if (capacity > needed) {
            check_status(url, status, ROUTABLE_OK, error);
            assert_string_equal(buffer, url);
        } else {
            assert_int_equal(status, ROUTABLE_ERR_BUFFER);
        }
        routable_error_free(error);
        free(buffer);
    }
    routable_plan_free(plan);
}

static void queries(void **state)
{
    routable_plan *const plan = plan_of(NULL, "search");
    routable_value query[3];
    char buffer[256] = "as it was";
    size_t length = 0;
    routable_error *error = NULL;
    (void)state;
    check_size("query", routable_plan_query_count(plan), 2);
    check_text("query", routable_plan_query_name_at(plan, 0), "q");
    check_text("query", routable_plan_query_name_at(plan, 1), "page");
    check_text("query", routable_plan_query_name_at(plan, 2), "");

    memset(query, 0, sizeof query);
    check_status("q is required", routable_plan_write(plan, NULL, 0, query, 2, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_PARAMETER, error);
    check_text("q is required", routable_error_parameter(error), "q");
    check_text("a refused URL leaves the empty text", routable_s(buffer), "");
    routable_error_free(error);
    check_status("none given", routable_plan_write(plan, NULL, 0, NULL, 0, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_PARAMETER, error);
    routable_error_free(error);

    query[0] = routable_text("x");
    check_status("default", routable_plan_write(plan, NULL, 0, query, 1, buffer, sizeof buffer, &length, &error),
        ROUTABLE_OK, error);
    assert_string_equal(buffer, "https://api.example.com/v1/search?q=x&page=1");
    query[1] = routable_integer(9);
    check_status("both", routable_plan_write(plan, NULL, 0, query, 2, buffer, sizeof buffer, &length, &error),
        ROUTABLE_OK, error);
    assert_string_equal(buffer, "https://api.example.com/v1/search?q=x&page=9");
    check_status("surplus", routable_plan_write(plan, NULL, 0, query, 3, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_PARAMETER, error);
    routable_error_free(error);
    routable_plan_free(plan);
}

static void ids(void **state)
{
    const routable_value two[] = { routable_text("a"), routable_text("b") };
    routable_plan *const plan = plan_of("user", "read");
    char buffer[64];
    size_t length = 0;
    routable_error *error = NULL;
    (void)state;
    check_status("none", routable_plan_write(plan, NULL, 0, NULL, 0, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_ID, error);
    check_text("none", routable_error_parameter(error), "username");
    routable_error_free(error);
    check_status("two", routable_plan_write(plan, two, 2, NULL, 0, buffer, sizeof buffer, &length, &error),
        ROUTABLE_ERR_ID, error);
    routable_error_free(error);
    routable_plan_free(plan);
}

static void unknown(void **state)
{
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("route", routable_plan_new(social, "usr", "read", &plan, &error), ROUTABLE_ERR_UNKNOWN, error);
    check_text("route", routable_error_suggestion(error), "user");
    routable_error_free(error);
    check_status("operation", routable_plan_new(social, "user", "raed", &plan, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    check_text("operation", routable_error_suggestion(error), "read");
    routable_error_free(error);
    check_status("free", routable_plan_new(social, NULL, "serch", &plan, &error), ROUTABLE_ERR_UNKNOWN, error);
    check_text("free", routable_error_suggestion(error), "search");
    routable_error_free(error);
    check_status("refused", routable_plan_new(social, "user", "delete", &plan, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    check_allowed("refused", error, "create list read update");
    routable_error_free(error);
    assert_null(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation),
        cmocka_unit_test(no_allocation_for_reals),
        cmocka_unit_test(buffer_sizes),
        cmocka_unit_test(queries),
        cmocka_unit_test(ids),
        cmocka_unit_test(unknown),
    };
    return cmocka_run_group_tests_name("plan", tests, open_router, close_router);
}
