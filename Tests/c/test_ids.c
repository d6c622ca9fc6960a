/* Binding of ids: by position and by name, and the errors if they do not match the route. */
#include "social.h"

#define BASE "https://api.example.com/v1/"

/* Checks the error of a call that fails with ROUTABLE_ERR_ID: its parameter and the allowed names. */
static void check_id_error(const char *call, const char *parameter, const char *allowed)
{
    routable_error *const error = refuse(social, call, ROUTABLE_ERR_ID);
    if (parameter)
        check_text(call, routable_error_parameter(error), parameter);
    if (allowed)
        check_allowed(call, error, allowed);
    routable_error_free(error);
}

static void positional(void **state)
{
    (void)state;
    check_walk(social, "user.status", "read", IDS("a", "b"), "GET", BASE "users/a/statuses/b");
    check_walk(social, "user.post", "create", IDS("a"), "POST", BASE "users/a/posts");
    check_walk(social, "status", "read", IDS("b"), "GET", BASE "statuses/b");
}

static void named(void **state)
{
    (void)state;
    check_url(social, "{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":{\"id\":\"b\",\"user_id\":\"a\"}}",
        BASE "users/a/statuses/b");
    check_url(social, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":{\"username\":\"a\"}}", BASE "users/a");
    check_url(social, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":{\"id\":\"a\"}}", BASE "users/a");
    check_url(social, "{\"route\":\"user.status.comment\",\"operation\":\"read\",\"ids\":"
                      "{\"status_id\":2,\"user_id\":\"a\",\"id\":3}}",
        BASE "users/a/statuses/2/comments/3");
    check_url(social, "{\"route\":\"comment.user\",\"operation\":\"read\",\"ids\":{\"comment_id\":1,\"username\":\"x\"}}",
        BASE "comments/1/users/x");
}

static void named_in_the_object_tier(void **state)
{
    routable_argument ids[2];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    call.route = "user.status";
    call.operation = "read";
    call.ids = ids;
    call.id_count = 2;
    ids[0].name = "id";
    ids[0].value = routable_value_string("b");
    ids[1].name = "user_id";
    ids[1].value = routable_value_string("a");
    check_status("both named", routable_request_new(social, &call, &request, &error), ROUTABLE_OK, error);
    check_text("both named", routable_request_url(request), BASE "users/a/statuses/b");
    routable_request_free(request);
    request = NULL;

    ids[0].name = "user_id";
    ids[1].name = "user_id";
    check_status("the same twice", routable_request_new(social, &call, &request, &error), ROUTABLE_ERR_ID, error);
    assert_null(request);
    routable_error_free(error);
}

static void missing(void **state)
{
    (void)state;
    check_id_error("{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":[\"a\"]}", "id", NULL);
    check_id_error("{\"route\":\"user.status\",\"operation\":\"read\"}", "user_id", NULL);
    check_id_error("{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":{\"user_id\":\"a\"}}", "id", NULL);
    check_id_error("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[]}", "username", NULL);
}

static void surplus(void **state)
{
    static const char call[] = "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\",\"b\"]}";
    routable_error *const error = refuse(social, call, ROUTABLE_ERR_ID);
    (void)state;
    check_contains(call, routable_error_message(error), "1");
    routable_error_free(error);
    check_id_error("{\"route\":\"user\",\"operation\":\"list\",\"ids\":[\"a\"]}", NULL, NULL);
    check_id_error("{\"route\":\"user.status\",\"operation\":\"create\",\"ids\":[\"a\",\"b\"],\"body\":{\"text\":\"x\"}}", NULL, NULL);
}

static void unknown_names(void **state)
{
    static const char call[] = "{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":{\"user_id\":\"a\",\"idd\":\"b\"}}";
    routable_error *const error = refuse(social, call, ROUTABLE_ERR_ID);
    (void)state;
    check_text(call, routable_error_suggestion(error), "id");
    check_text(call, routable_error_parameter(error), "idd");
    check_text(call, routable_error_pointer(error), "/ids/idd");
    /* The id of an ancestor is <resource>_<id name>; if the ancestor has only one id, it is also <resource>_id. */
    check_allowed(call, error, "id user_id user_username");
    routable_error_free(error);
    /* The plain name of an ancestor's id is not valid for a descendant. */
    check_id_error("{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":{\"username\":\"a\",\"id\":\"b\"}}", "username",
        "id user_id user_username");
    check_url(social, "{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":{\"user_username\":\"a\",\"id\":\"b\"}}",
        BASE "users/a/statuses/b");
}

/* No literal, several ids in one step, ids of several segments. */
static void wide(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"https://h\",\"resources\":{"
        "\"repository\":{\"path\":\"repos\",\"id\":[\"owner\",\"repo\"],\"can\":[\"list\",\"read\"],\"has\":[\"issue\"]},"
        "\"issue\":{\"path\":\"issues\",\"id\":{\"name\":\"number\",\"type\":\"integer\"},\"can\":[\"read\"],\"nested\":true},"
        "\"image\":{\"path\":\"v2\",\"id\":\"name...\",\"member\":{\"tags\":{\"get\":\"tags/list\"}}},"
        "\"account\":{\"path\":\"\",\"can\":[\"read\"]}}}");
    const routable_str path = routable_str_from("/repos/o/r%2Fx/issues/7");
    routable_match match;
    routable_string route = ROUTABLE_STRING_INIT;
    (void)state;
    check_walk(router, "repository.issue", "read", IDS("o", "r/x", "7"), "GET", "https://h/repos/o/r%2Fx/issues/7");
    check_walk(router, "repository", "list", IDS("o"), "GET", "https://h/repos/o");
    check_walk(router, "image", "tags", IDS("a/b"), "GET", "https://h/v2/a/b/tags/list");
    check_walk(router, "image", "tags", IDS("a/tags/list"), "GET", "https://h/v2/a/tags/list/tags/list");
    check_walk(router, "account", "read", IDS("me"), "GET", "https://h/me");
    check_url(router, "{\"route\":\"repository.issue\",\"operation\":\"read\",\"ids\":"
                      "{\"number\":7,\"repository_repo\":\"r\",\"repository_owner\":\"o\"}}",
        "https://h/repos/o/r/issues/7");
    check_refused(router, "{\"route\":\"image\",\"operation\":\"tags\",\"ids\":[\"a//b\"]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"route\":\"account\",\"operation\":\"read\",\"ids\":[\"\"]}", ROUTABLE_ERR_VALUE);
    check_url(router, "{\"route\":\"repository\",\"operation\":\"read\",\"ids\":[\"\",\"r\"],\"allow_empty_ids\":true}", "https://h/repos//r");

    assert_int_equal(routable_router_match(router, "GET", path, 0, &match), ROUTABLE_OK);
    assert_int_equal(match.capture_count, 3);
    assert_int_equal(match.captures[1].resource, 0);
    assert_int_equal(match.captures[1].parameter, 1); /* the second id of the first resource */
    check_text("repo", routable_parameter_name(routable_match_parameter(router, &match, 1)), "repo");
    assert_int_equal(routable_match_route(router, &match, &route), ROUTABLE_OK);
    assert_string_equal(route.ptr, "repository.issue");
    routable_string_free(&route);
    assert_int_equal(routable_resource_id_count(routable_router_resource(router, "repository")), 2);
    assert_int_equal(
        routable_parameter_takes_segments(routable_resource_id_at(routable_router_resource(router, "image"), 0)), 1);
    routable_router_free(router);
}

/* The ids of a resource that occurs twice in the route can only be given by position. */
static void ambiguous(void **state)
{
    static const char call[] = "{\"route\":\"user.status.comment.user.status\",\"operation\":\"read\",\"ids\":"
                               "{\"user_id\":\"a\",\"status_id\":\"b\",\"comment_id\":\"c\",\"id\":\"d\"}}";
    routable_error *const error = refuse(social, call, ROUTABLE_ERR_ID);
    (void)state;
    check_contains(call, routable_error_message(error), "position");
    routable_error_free(error);
    check_walk(social, "user.status.comment.user.status", "read", IDS("a", "b", "c", "d", "e"), "GET",
        BASE "users/a/statuses/b/comments/c/users/d/statuses/e");
}

static void free_operations(void **state)
{
    routable_router *const router = open_text("{\"routable\":1,\"base\":\"https://h\",\"operations\":{"
                                              "\"compare\":{\"get\":\"/repos/{owner}/compare/{base}...{head}\"},"
                                              "\"file\":{\"get\":\"/files/{path*}\"},"
                                              "\"page\":{\"get\":\"/pages/{name}.json\"}}}");
    (void)state;
    check_walk(router, NULL, "compare", IDS("me", "v1", "v2"), "GET", "https://h/repos/me/compare/v1...v2");
    check_url(router, "{\"operation\":\"compare\",\"ids\":{\"head\":\"v2\",\"base\":\"v1\",\"owner\":\"me\"}}",
        "https://h/repos/me/compare/v1...v2");
    check_walk(router, NULL, "page", IDS("a b"), "GET", "https://h/pages/a%20b.json");
    check_walk(router, NULL, "file", IDS("a/b c/d"), "GET", "https://h/files/a/b%20c/d");
    check_refused(router, "{\"operation\":\"file\",\"ids\":[\"a/../d\"]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"operation\":\"file\",\"ids\":[\"\"]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"operation\":\"page\",\"ids\":[\"\"]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"operation\":\"page\"}", ROUTABLE_ERR_ID);
    check_refused(router, "{\"operation\":\"page\",\"ids\":[\"a\",\"b\"]}", ROUTABLE_ERR_ID);
    routable_router_free(router);
}

static void constrained(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"https://h\",\"resources\":{"
        "\"a\":{\"path\":\"a\",\"id\":{\"name\":\"id\",\"pattern\":\"[a-f0-9]{4}\"},\"can\":[\"read\"]},"
        "\"b\":{\"path\":\"b\",\"id\":{\"name\":\"id\",\"enum\":[\"on\",\"off\"]},\"can\":[\"read\"]},"
        "\"c\":{\"path\":\"c\",\"id\":{\"name\":\"id\",\"type\":\"integer\",\"minimum\":1,\"maximum\":9},\"can\":[\"read\"]},"
        "\"d\":{\"path\":\"d\",\"id\":{\"name\":\"id\",\"minLength\":2,\"maxLength\":3},\"can\":[\"read\"]},"
        "\"e\":{\"path\":\"e\",\"id\":{\"name\":\"id\",\"format\":\"uuid\"},\"can\":[\"read\"]}}}");
    static const struct { const char *resource, *good, *bad; } table[] = {
        { "a", "0af9", "0af9f" }, { "a", "beef", "xbeef" }, { "a", "beef", "beef\\n" }, { "b", "on", "On" }, { "c", "9", "10" },
        { "c", "1", "0" }, { "d", "\xC3\xA9\xC3\xA9\xC3\xA9", "\xC3\xA9" }, { "d", "ab", "abcd" },
        { "e", "123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-42661417400" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        char call[256];
        sprintf(call, "{\"route\":\"%s\",\"operation\":\"read\",\"ids\":[\"%s\"]}", table[i].resource, table[i].good);
        routable_request_free(build(router, call));
        sprintf(call, "{\"route\":\"%s\",\"operation\":\"read\",\"ids\":[\"%s\"]}", table[i].resource, table[i].bad);
        check_refused(router, call, ROUTABLE_ERR_VALUE);
    }
    routable_router_free(router);
}

static void nested_and_shallow(void **state)
{
    static const char member[] = "{\"route\":\"a.s\",\"operation\":\"read\",\"ids\":[\"1\",\"2\"]}";
    routable_router *const router =
        open_text("{\"routable\":1,\"base\":\"https://h\",\"resources\":{"
                  "\"a\":{\"path\":\"a\",\"can\":[\"read\"],\"has\":[\"n\",\"s\"]},"
                  "\"n\":{\"path\":\"n\",\"can\":[\"read\",\"create\"],\"nested\":true},"
                  "\"s\":{\"path\":\"s\",\"can\":[\"list\",\"read\"],\"shallow\":true}}}");
    routable_error *error;
    (void)state;
    check_walk(router, "a.n", "read", IDS("1", "2"), "GET", "https://h/a/1/n/2");
    check_refused(router, "{\"route\":\"n\",\"operation\":\"read\",\"ids\":[\"2\"]}", ROUTABLE_ERR_UNKNOWN);
    check_walk(router, "a.s", "list", IDS("1"), "GET", "https://h/a/1/s");
    check_walk(router, "s", "read", IDS("2"), "GET", "https://h/s/2");
    {
        routable_request *request = NULL;
        const routable_status status = routable_request_new_json(router, member, ROUTABLE_NUL_TERMINATED, &request, &error);
        if (status != ROUTABLE_ERR_NOT_ALLOWED && status != ROUTABLE_ERR_UNKNOWN)
            fail_msg("input: %s\nexpected: not_allowed or unknown\ngot: %s", member, routable_status_name(status));
        check_contains(member, routable_error_message(error), "s");
        routable_error_free(error);
    }
    routable_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positional),
        cmocka_unit_test(named),
        cmocka_unit_test(named_in_the_object_tier),
        cmocka_unit_test(missing),
        cmocka_unit_test(surplus),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(wide),
        cmocka_unit_test(ambiguous),
        cmocka_unit_test(free_operations),
        cmocka_unit_test(constrained),
        cmocka_unit_test(nested_and_shallow),
    };
    return cmocka_run_group_tests_name("ids", tests, open_router, close_router);
}
