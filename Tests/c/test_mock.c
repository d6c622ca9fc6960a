/* routable_mock.h: reported changes, a store that is filled from them, a failure without effect, and faults. */
#include "support.h"

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.example.com/v1\",\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"name\"],"
    "\"properties\":{\"name\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"type\":\"T\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"user\"]}},"
    "\"operations\":{\"settings\":{\"get\":\"/settings\",\"results\":{\"200\":{\"$ref\":\"#/types/T\"}}},"
    "\"set\":{\"put\":\"/settings\",\"body\":{\"$ref\":\"#/types/T\"}},\"unset\":{\"delete\":\"/settings\"}}}";

static routable_router *api;
/* The changes, one in each line; the change with this number fails. */
static char changes[4096];
static int changes_left;

static routable_status changed(routable_str path, routable_str json, void *user_data)
{
    assert_ptr_equal(user_data, changes);
    if (changes_left-- == 0)
        return ROUTABLE_ERR_CALLBACK;
    snprintf(changes + strlen(changes), sizeof changes - strlen(changes), "%.*s %.*s\n", (int)path.len, path.ptr, (int)json.len, json.ptr);
    return ROUTABLE_OK;
}

static routable_mock *new_mock(void)
{
    routable_mock_options options = ROUTABLE_MOCK_OPTIONS_INIT;
    routable_mock *mock = NULL;
    routable_error *error = NULL;
    options.changed = changed, options.user_data = changes;
    *changes = 0, changes_left = -1;
    check_status("a mock", routable_mock_new(api, &options, &mock, &error), ROUTABLE_OK, error);
    return mock;
}

static routable_status respond(routable_mock *mock, const char *method, const char *target, const char *body, routable_answer **out, routable_error **error)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    incoming.method = method, incoming.target = routable_str_from(target);
    incoming.headers = headers, incoming.header_count = *body != 0, incoming.body = routable_str_from(body);
    return routable_mock_respond(mock, &incoming, out, NULL, NULL, error);
}

/* Checks the status and the body. */
static void check_ask(routable_mock *mock, const char *method, const char *target, const char *body, int expected, const char *expected_body)
{
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    check_status(target, respond(mock, method, target, body, &answer, &error), ROUTABLE_OK, error);
    if (routable_answer_status(answer) != expected)
        fail_msg("%s %s: expected %d, got %d %s", method, target, expected, routable_answer_status(answer), routable_answer_body(answer).ptr);
    if (expected_body)
        check_text(target, routable_answer_body(answer), expected_body);
    routable_answer_free(answer);
}

static void changes_are_reported_and_fill_another_store(void **state)
{
    routable_mock *mock = new_mock(), *again;
    char *line, copy[sizeof changes];
    (void)state;
    check_ask(mock, "POST", "/v1/users", "{\"name\":\"a/b\"}", 201, "{\"name\":\"a/b\"}");
    check_ask(mock, "POST", "/v1/users", "{\"name\":\"bea\"}", 201, NULL);
    check_ask(mock, "POST", "/v1/users/a%2Fb/users", "{\"name\":\"cat\",\"n\":1}", 201, NULL);
    check_ask(mock, "PUT", "/v1/users/bea", "{\"name\":\"bea\",\"n\":2}", 200, "{\"name\":\"bea\",\"n\":2}");
    check_ask(mock, "POST", "/v1/users", "{\"name\":\"bea\"}", 409, NULL);
    check_ask(mock, "POST", "/v1/users", "{}", 422, NULL);
    check_ask(mock, "PUT", "/v1/settings", "{\"name\":\"dark\"}", 200, NULL);
    check_ask(mock, "DELETE", "/v1/users/bea", "", 204, "");
    assert_string_equal(changes,
        "v1/users/a%2Fb {\"name\":\"a/b\"}\n" "v1/users/bea {\"name\":\"bea\"}\n" "v1/users/a%2Fb/users/cat {\"name\":\"cat\",\"n\":1}\n"
        "v1/users/bea {\"name\":\"bea\",\"n\":2}\n" "v1/settings/ {\"name\":\"dark\"}\n" "v1/users/bea \n");
    strcpy(copy, changes);
    again = new_mock();
    for (line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        char *const json = strchr(line, ' ');
        *json = 0;
        if (json[1])
            check_status(line, routable_mock_put(again, line, json + 1, ROUTABLE_NUL_TERMINATED, NULL), ROUTABLE_OK, NULL);
        else
            check_ask(again, "DELETE", "/v1/users/bea", "", 204, NULL);
    }
    check_size("members", routable_mock_count(again), routable_mock_count(mock));
    check_ask(again, "GET", "/v1/users", "", 200, "[{\"name\":\"a/b\"}]");
    check_ask(again, "GET", "/v1/users/a%2Fb/users/cat", "", 200, "{\"name\":\"cat\",\"n\":1}");
    check_ask(again, "GET", "/v1/settings", "", 200, "{\"name\":\"dark\"}");
    check_ask(again, "DELETE", "/v1/settings", "", 204, NULL);
    check_ask(again, "GET", "/v1/settings", "", 404, NULL);
    routable_mock_free(again);
    routable_mock_free(mock);
}

static void a_change_that_fails_changes_nothing(void **state)
{
    routable_mock *mock = new_mock();
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    (void)state;
    check_ask(mock, "POST", "/v1/users", "{\"name\":\"ann\"}", 201, NULL);
    changes_left = 0;
    check_status("create", respond(mock, "POST", "/v1/users", "{\"name\":\"bea\"}", &answer, &error), ROUTABLE_ERR_CALLBACK, error);
    assert_null(answer);
    routable_error_free(error), error = NULL;
    changes_left = 0;
    check_status("delete", respond(mock, "DELETE", "/v1/users/ann", "", &answer, &error), ROUTABLE_ERR_CALLBACK, error);
    routable_error_free(error), error = NULL;
    changes_left = 0;
    check_status("update", respond(mock, "PUT", "/v1/users/ann", "{\"name\":\"ann\",\"n\":7}", &answer, &error), ROUTABLE_ERR_CALLBACK, error);
    routable_error_free(error), error = NULL;
    changes_left = -1;
    check_size("members", routable_mock_count(mock), 1);
    check_ask(mock, "GET", "/v1/users", "", 200, "[{\"name\":\"ann\"}]");
    routable_mock_free(mock);
}

static void what_is_not_valid_is_refused(void **state)
{
    routable_mock_options options = ROUTABLE_MOCK_OPTIONS_INIT;
    routable_mock_fault fault = ROUTABLE_MOCK_FAULT_INIT;
    routable_mock *mock = NULL;
    routable_error *error = NULL;
    (void)state;
    options.id_pointer = "id";
    check_status("a pointer", routable_mock_new(api, &options, &mock, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error), error = NULL;
    assert_null(mock);
    mock = new_mock();
    check_status("no effect", routable_mock_add_fault(mock, &fault, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error), error = NULL;
    fault.http_status = 503, fault.wrong_body = 1;
    check_status("two effects", routable_mock_add_fault(mock, &fault, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error), error = NULL;
    check_status("no path", routable_mock_put(mock, "", "{}", ROUTABLE_NUL_TERMINATED, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error), error = NULL;
    check_status("no JSON", routable_mock_put(mock, "v1/users/a", "{", ROUTABLE_NUL_TERMINATED, &error), ROUTABLE_ERR_JSON, error);
    routable_error_free(error), error = NULL;
    check_size("members", routable_mock_count(mock), 0);
    routable_mock_free(mock);
}

static int open_api(void **state)
{
    (void)state;
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &api, NULL) != ROUTABLE_OK;
}

static int close_api(void **state)
{
    (void)state;
    routable_router_free(api);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_reported_and_fill_another_store),
        cmocka_unit_test(a_change_that_fails_changes_nothing),
        cmocka_unit_test(what_is_not_valid_is_refused),
    };
    return cmocka_run_group_tests_name("mock", tests, open_api, close_api);
}
