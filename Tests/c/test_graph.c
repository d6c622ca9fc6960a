/* The resources that are derived from the paths of an OpenAPI document: names, locations, routes and refusals (docs/openapi.md). */
#include "support.h"

#define OPERATION(id) "{\"operationId\":\"" id "\",\"responses\":{\"200\":{\"description\":\"\"}}}"

static const char document[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Desk\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h/v1\"}],\"paths\":{"
    "\"/v2\":{\"get\":" OPERATION("root") "},"
    "\"/v2/user\":{\"get\":" OPERATION("me") ",\"patch\":" OPERATION("changeMe") "},"
    "\"/v2/repos/{owner}/{repo}\":{\"get\":" OPERATION("repos/get") ",\"delete\":" OPERATION("repos/delete") "},"
    "\"/v2/repos/{owner}/{repo}/issues\":{\"get\":" OPERATION("issues/list") ",\"post\":" OPERATION("issues/create") "},"
    "\"/v2/repos/{owner}/{repo}/issues/search\":{\"get\":" OPERATION("issues/search") "},"
    "\"/v2/repos/{owner}/{repo}/issues/comments\":{\"get\":" OPERATION("comments/all") "},"
    "\"/v2/repos/{owner}/{repo}/issues/comments/{comment_id}\":{\"get\":" OPERATION("comments/get") "},"
    "\"/v2/repos/{owner}/{repo}/issues/{number}\":{\"get\":{\"operationId\":\"issues/get\",\"parameters\":["
    "{\"name\":\"number\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\"}}]}},"
    "\"/v2/repos/{owner}/{repo}/issues/{number}/comments\":{\"get\":" OPERATION("comments/list") "},"
    "\"/v2/repos/{owner}/{repo}/issues/{number}/lock\":{\"put\":" OPERATION("lock") ",\"delete\":" OPERATION("unlock") "},"
    "\"/v2/repos/{owner}/{repo}/issues/{number}/close\":{\"post\":" OPERATION("issues/close") "},"
    "\"/v2/jobs/{id}:cancel\":{\"post\":" OPERATION("cancelJob") "},"
    "\"/v2/jobs.json\":{\"get\":" OPERATION("jobs") ",\"put\":" OPERATION("replaceJobs") "},"
    "\"/v2/jobs/{id}.json\":{\"get\":" OPERATION("job") "},"
    "\"/v2/files/{name}/{version}\":{\"get\":" OPERATION("version") "},"
    "\"/v2/files/{name}\":{\"get\":" OPERATION("file") "},"
    "\"/v2/odd/{a}-{b}\":{\"get\":" OPERATION("odd") "}"
    "}}";

static routable_router *router;

static int open_router(void **state)
{
    (void)state;
    router = open_text(document);
    return 0;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

static void map(void **state)
{
    routable_string text = { NULL, 0 };
    routable_str got;
    (void)state;
    assert_int_equal(routable_router_derives_resources(router), 1);
    assert_int_equal(routable_router_map(router, &text, NULL), ROUTABLE_OK);
    got = (routable_str){ text.ptr, text.len };
    check_text("map", got,
        "user                   read patch\n"
        "repos                  read delete                    has issues\n"
        "repos.issues           list read create search close  has /comments comments lock\n"
        "repos.issues/comments  list read\n"
        "repos.issues.comments  read\n"
        "repos.issues.lock      update delete\n"
        "jobs                   list read replaceJobs cancel\n"
        "files                  read                           has version\n"
        "files.version          read\n");
    routable_string_free(&text);
}

/* Each route and operation, the standalone operation that it is equal to, and the path that both build. */
static void walks(void **state)
{
    const struct {
        const char *route, *operation, *name, *url;
        const char *const *ids;
    } cases[] = {
        { "user", "patch", "changeMe", "https://h/v1/v2/user", NO_IDS },
        { "repos", "read", "repos/get", "https://h/v1/v2/repos/o/r", IDS("o", "r") },
        { "repos.issues", "list", "issues/list", "https://h/v1/v2/repos/o/r/issues", IDS("o", "r") },
        { "repos.issues", "search", "issues/search", "https://h/v1/v2/repos/o/r/issues/search", IDS("o", "r") },
        { "repos.issues/comments", "list", "comments/all", "https://h/v1/v2/repos/o/r/issues/comments", IDS("o", "r") },
        { "repos.issues.comments", "read", "comments/list", "https://h/v1/v2/repos/o/r/issues/5/comments", IDS("o", "r", "5") },
        { "repos.issues.lock", "delete", "unlock", "https://h/v1/v2/repos/o/r/issues/5/lock", IDS("o", "r", "5") },
        { "repos.issues", "close", "issues/close", "https://h/v1/v2/repos/o/r/issues/5/close", IDS("o", "r", "5") },
        { "jobs", "list", "jobs", "https://h/v1/v2/jobs.json", NO_IDS },
        { "jobs", "read", "job", "https://h/v1/v2/jobs/7.json", IDS("7") },
        { "jobs", "cancel", "cancelJob", NULL /* the spelling of a colon is tested elsewhere */, IDS("7") },
        { "jobs", "replaceJobs", "replaceJobs", "https://h/v1/v2/jobs.json", NO_IDS },
        { "files.version", "read", "version", "https://h/v1/v2/files/a/2", IDS("a", "2") },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        const routable_operation *const walked = routable_router_resource_operation(router, cases[i].name);
        char *const call = call_text(cases[i].route, cases[i].operation, cases[i].ids);
        char *const named = call_text(NULL, cases[i].name, cases[i].ids);
        routable_request *walked_url, *named_url;
        walked_url = build(router, call);
        named_url = build(router, named);
        check_text(call, routable_request_url(walked_url), cases[i].url ? cases[i].url : routable_request_url(named_url).ptr);
        check_text(named, routable_request_url(named_url), routable_request_url(walked_url).ptr);
        routable_request_free(walked_url);
        routable_request_free(named_url);
        check_text(cases[i].name, routable_operation_name(walked), cases[i].operation);
        check_text(cases[i].name, routable_operation_standalone_name(walked), cases[i].name);
        free(call);
        free(named);
    }
    assert_null(routable_router_resource_operation(router, "root"));
    assert_null(routable_router_resource_operation(router, "odd"));
    assert_null(routable_router_resource_operation(router, "nothing"));
}

static void introspection(void **state)
{
    const routable_resource *const issues = routable_router_resource(router, "repos.issues");
    const routable_resource *const all = routable_router_resource(router, "repos.issues/comments");
    const routable_resource *const user = routable_router_resource(router, "user");
    (void)state;
    check_text("issues", routable_resource_name(issues), "issues");
    check_text("issues", routable_resource_route(issues), "repos.issues");
    check_text("issues", routable_resource_path(issues), "issues");
    assert_int_equal(routable_resource_is_root(issues), 0);
    assert_int_equal(routable_resource_place(issues), ROUTABLE_ON_MEMBER);
    assert_int_equal(routable_resource_place(all), ROUTABLE_ON_COLLECTION);
    assert_int_equal(routable_resource_place(user), ROUTABLE_ON_ROOT);
    check_size("ids of issues", routable_resource_id_count(issues), 1);
    check_text("id", routable_parameter_name(routable_resource_id_at(issues, 0)), "number");
    check_text("id", routable_parameter_type(routable_resource_id_at(issues, 0)), "integer");
    check_size("ids of a resource that is one thing", routable_resource_id_count(user), 0);
    check_size("capabilities of user", routable_resource_capabilities(user), ROUTABLE_CAN_READ | ROUTABLE_CAN_PATCH);
    check_size("children of issues", routable_resource_child_count(issues), 3);
    assert_ptr_equal(routable_resource_child_at(issues, 0), all);
    assert_null(routable_router_resource(router, "issues"));
    assert_null(routable_router_resource(router, "repos.labels"));
    assert_null(routable_router_resource(router, ""));
    assert_null(routable_router_resource(router, "repos."));
}

static void check_message(const char *call, routable_status expected, const char *part)
{
    routable_error *const error = refuse(router, call, expected);
    check_contains(call, routable_error_message(error), part);
    routable_error_free(error);
}

static void refusals(void **state)
{
    (void)state;
    check_message("{\"route\":\"repo\",\"operation\":\"read\"}", ROUTABLE_ERR_UNKNOWN, "did you mean \"repos\"?");
    check_message("{\"route\":\"issues\",\"operation\":\"list\"}", ROUTABLE_ERR_UNKNOWN,
        "issues is only available below another resource: repos.issues");
    check_message("{\"route\":\"repos.isues\",\"operation\":\"list\"}", ROUTABLE_ERR_UNKNOWN,
        "repos: no nested resource \"isues\"; allowed: issues; did you mean \"issues\"?");
    check_message("{\"route\":\"repos.issues/lock\",\"operation\":\"update\"}", ROUTABLE_ERR_UNKNOWN, "no nested resource \"lock\"");
    check_message("{\"route\":\"repos.issues\",\"operation\":\"delete\"}", ROUTABLE_ERR_NOT_ALLOWED,
        "issues: delete not allowed; allowed: close, create, list, read, search");
    check_message("{\"route\":\"repos.issues\",\"operation\":\"serch\"}", ROUTABLE_ERR_NOT_ALLOWED, "did you mean \"search\"?");
    check_message("{\"route\":\"me\",\"operation\":\"read\"}", ROUTABLE_ERR_UNKNOWN, "me is a standalone operation");
    check_message("{\"route\":\"repos.issues\",\"operation\":\"read\",\"ids\":[\"o\",\"r\"]}", ROUTABLE_ERR_ID, "number");
    check_message("{\"route\":\"repos.issues\",\"operation\":\"read\",\"ids\":[\"o\",\"r\",\"five\"]}", ROUTABLE_ERR_VALUE,
        "repos.issues read: invalid value of number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map),
        cmocka_unit_test(walks),
        cmocka_unit_test(introspection),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("graph", tests, open_router, close_router);
}
