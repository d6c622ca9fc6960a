/* The builder: the graph of examples/social.json, built without JSON, has the same bytes as the document. */
#define _GNU_SOURCE
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const routable_value none = { 0, 0, { 0 } };

static void add(routable_builder *builder, const char *name, const char *path, uint32_t can)
{
    routable_resource_options options;
    routable_error *error = NULL;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.name = name;
    options.path = path;
    options.can = can;
    check_status(name, routable_builder_add_resource(builder, &options, &error), ROUTABLE_OK, error);
}

static void nest(routable_builder *builder, const char *parent, const char *child)
{
    routable_error *error = NULL;
    check_status(child, routable_builder_nest(builder, parent, child, &error), ROUTABLE_OK, error);
}

/* The graph of the sample description; the builder cannot declare its type. */
static routable_router *build_social(void)
{
    static const uint32_t all = ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_UPDATE | ROUTABLE_CAN_DELETE;
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_parameter_options username, query[2];
    routable_resource_options user;
    routable_operation_options search;

    check_status("new", routable_builder_new("social", "https://api.example.com/v1", &builder, &error), ROUTABLE_OK, error);
    memset(&username, 0, sizeof username);
    username.size = sizeof username;
    username.name = "username";
    username.type = "string";
    username.default_value = none;
    memset(&user, 0, sizeof user);
    user.size = sizeof user;
    user.name = "user";
    user.path = "users";
    user.can = ROUTABLE_CAN_LIST | ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_UPDATE;
    user.ids = &username;
    user.id_count = 1;
    nest(builder, "user", "status"); /* before either of them is added */
    check_status("user", routable_builder_add_resource(builder, &user, &error), ROUTABLE_OK, error);
    add(builder, "status", "statuses", ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_DELETE);
    add(builder, "picture", "pictures", all);
    add(builder, "comment", "comments", all);
    add(builder, "post", "posts", all);
    nest(builder, "user", "picture");
    nest(builder, "user", "post");
    nest(builder, "status", "comment");
    nest(builder, "picture", "comment");
    nest(builder, "comment", "user");
    nest(builder, "post", "comment");

    memset(query, 0, sizeof query);
    query[0].size = query[1].size = sizeof *query;
    query[0].name = "q";
    query[0].location = query[1].location = ROUTABLE_IN_QUERY;
    query[0].type = "string";
    query[0].flags = ROUTABLE_PARAMETER_REQUIRED;
    query[1].name = "page";
    query[1].type = "integer";
    query[1].default_value = routable_value_integer(1);
    memset(&search, 0, sizeof search);
    search.size = sizeof search;
    search.name = "search";
    search.method = "GET";
    search.path = "/search";
    search.parameters = query;
    search.parameter_count = 2;
    check_status("search", routable_builder_add_operation(builder, &search, &error), ROUTABLE_OK, error);

    check_status("build", routable_builder_build(builder, &router, &error), ROUTABLE_OK, error);
    routable_builder_free(builder);
    return router;
}

static void same_routes_as_the_document(void **state)
{
    routable_router *const built = build_social(), *const opened = open_social();
    routable_status (*const printed[])(const routable_router *, routable_string *, routable_error **) = {
        routable_router_routes, routable_router_routes_json };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof printed / sizeof *printed; i++) {
        routable_string ours = { NULL, 0 }, theirs = { NULL, 0 };
        assert_int_equal(printed[i](built, &ours, NULL), ROUTABLE_OK);
        assert_int_equal(printed[i](opened, &theirs, NULL), ROUTABLE_OK);
        assert_string_equal(ours.ptr, theirs.ptr);
        routable_string_free(&ours);
        routable_string_free(&theirs);
    }
    routable_router_free(opened);
    routable_router_free(built);
}

static void same_requests_as_the_document(void **state)
{
    static const char *const calls[] = {
        "{\"route\":\"user.status.comment.user\",\"operation\":\"read\",\"ids\":[\"initFabian\",\"3\",\"32352\",\"fakeUser\"]}",
        "{\"route\":\"user\",\"operation\":\"list\"}",
        "{\"route\":\"user\",\"operation\":\"read\",\"ids\":{\"username\":\"a b\"}}",
        "{\"route\":\"user.post\",\"operation\":\"update\",\"ids\":[\"a\",\"1\"],\"parameters\":{\"text\":\"x y\"}}",
        "{\"operation\":\"search\",\"query\":{\"q\":\"caf\xC3\xA9\"}}",
        "{\"operation\":\"search\",\"query\":{\"q\":\"x\",\"page\":4}}",
    };
    routable_router *const built = build_social(), *const opened = open_social();
    size_t i;
    (void)state;
    for (i = 0; i < sizeof calls / sizeof *calls; i++) {
        routable_string ours = { NULL, 0 }, theirs = { NULL, 0 };
        routable_error *error = NULL;
        check_status(calls[i], routable_build_json(built, calls[i], ROUTABLE_NUL_TERMINATED, &ours, &error), ROUTABLE_OK, error);
        check_status(calls[i], routable_build_json(opened, calls[i], ROUTABLE_NUL_TERMINATED, &theirs, &error), ROUTABLE_OK, error);
        assert_string_equal(ours.ptr, theirs.ptr);
        routable_string_free(&ours);
        routable_string_free(&theirs);
    }
    check_refused(built, "{\"route\":\"status\",\"operation\":\"update\",\"ids\":[\"3\"]}", ROUTABLE_ERR_NOT_ALLOWED);
    check_refused(built, "{\"operation\":\"search\"}", ROUTABLE_ERR_PARAMETER);
    routable_router_free(opened);
    routable_router_free(built);
}

static void its_document_opens(void **state)
{
    routable_router *const built = build_social();
    routable_string document = { NULL, 0 }, ours = { NULL, 0 }, theirs = { NULL, 0 };
    routable_router *opened;
    (void)state;
    assert_int_equal(routable_router_document(built, &document, NULL), ROUTABLE_OK);
    opened = open_text(document.ptr);
    assert_int_equal(routable_router_routes_json(built, &ours, NULL), ROUTABLE_OK);
    assert_int_equal(routable_router_routes_json(opened, &theirs, NULL), ROUTABLE_OK);
    assert_string_equal(ours.ptr, theirs.ptr);
    routable_string_free(&ours);
    routable_string_free(&theirs);
    routable_string_free(&document);
    routable_router_free(opened);
    routable_router_free(built);
}

static void stays_usable_after_build(void **state)
{
    routable_builder *builder = NULL;
    routable_router *first = NULL, *second = NULL;
    (void)state;
    assert_int_equal(routable_builder_new("b", NULL, &builder, NULL), ROUTABLE_OK);
    add(builder, "a", "a", ROUTABLE_CAN_READ);
    assert_int_equal(routable_builder_build(builder, &first, NULL), ROUTABLE_OK);
    add(builder, "b", "b", ROUTABLE_CAN_READ);
    nest(builder, "a", "b");
    assert_int_equal(routable_builder_build(builder, &second, NULL), ROUTABLE_OK);
    routable_builder_free(builder);
    check_size("first", routable_router_resource_count(first), 1);
    check_size("second", routable_router_resource_count(second), 2);
    check_url(second, "{\"route\":\"a.b\",\"operation\":\"read\",\"ids\":[\"1\",\"2\"],\"base\":\"https://h\"}", "https://h/a/1/b/2");
    check_refused(second, "{\"route\":\"a.b\",\"operation\":\"read\",\"ids\":[\"1\",\"2\"]}", ROUTABLE_ERR_URL);
    routable_router_free(first);
    routable_router_free(second);
}

/* A fault is reported when it is added or when the router is built. */
static void check_bad_graph(const char *what, const routable_resource_options *resource,
    const routable_operation_options *operation, const char *child)
{
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_status status = ROUTABLE_OK;
    assert_int_equal(routable_builder_new("b", "https://h", &builder, NULL), ROUTABLE_OK);
    add(builder, "a", "a", ROUTABLE_CAN_READ);
    if (resource)
        status = routable_builder_add_resource(builder, resource, &error);
    if (operation)
        status = routable_builder_add_operation(builder, operation, &error);
    if (child)
        status = routable_builder_nest(builder, "a", child, &error);
    if (status == ROUTABLE_OK)
        status = routable_builder_build(builder, &router, &error);
    if (status != ROUTABLE_ERR_DOCUMENT && status != ROUTABLE_ERR_CONFLICT)
        fail_msg("input:    %s\nexpected: document or conflict\ngot:      %s: %s", what, routable_status_name(status),
            message_of(error));
    assert_null(router);
    assert_true(routable_error_message(error).len > 0);
    if (child)
        check_contains(what, routable_error_message(error), child);
    routable_error_free(error);
    routable_builder_free(builder);
}

static void bad_graphs(void **state)
{
    static const struct { const char *name, *path; } resources[] = { { "a", "other" }, { "c", "{x}" }, { "c", "c/" }, /* "" adds no literal */
        { "c", "c/../d" }, { "c", "c//d" }, { "c.d", "c" }, { "", "c" } };
    static const struct { const char *name, *method, *path; } operations[] = { { "o", "GE T", "/o" }, { "o", "", "/o" },
        { "o", "GET\r\nX: y", "/o" }, { "o", "GET", "/o/{" }, { "o", "GET", "/o/{}" }, { "o", "GET", "/{p}/{p}" },
        { "o", "GET", "/{p*}/q" } };
    routable_builder *builder = NULL;
    routable_error *error = NULL;
    size_t i;
    (void)state;
    check_status("base", routable_builder_new("b", "ftp://h", &builder, &error), ROUTABLE_ERR_URL, error);
    assert_null(builder);
    routable_error_free(error);
    for (i = 0; i < sizeof resources / sizeof *resources; i++) {
        routable_resource_options options;
        char what[64];
        memset(&options, 0, sizeof options);
        options.size = sizeof options;
        options.name = resources[i].name;
        options.path = resources[i].path;
        options.can = ROUTABLE_CAN_LIST;
        sprintf(what, "resource \"%s\", path \"%s\"", resources[i].name, resources[i].path);
        check_bad_graph(what, &options, NULL, NULL);
    }
    for (i = 0; i < sizeof operations / sizeof *operations; i++) {
        routable_operation_options options;
        char what[64];
        memset(&options, 0, sizeof options);
        options.size = sizeof options;
        options.name = operations[i].name;
        options.method = operations[i].method;
        options.path = operations[i].path;
        sprintf(what, "%s %s", operations[i].method, operations[i].path);
        check_bad_graph(what, NULL, &options, NULL);
    }
    check_bad_graph("an unknown child", NULL, NULL, "nobody");
}

static void extra_operations(void **state)
{
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_operation_options star;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_builder_new("b", "https://h", &builder, NULL), ROUTABLE_OK);
    add(builder, "gist", "gists", ROUTABLE_CAN_READ);
    memset(&star, 0, sizeof star);
    star.size = sizeof star;
    star.name = "star";
    star.method = "PUT";
    star.path = "star";
    star.resource = "gist";
    star.place = ROUTABLE_ON_MEMBER;
    check_status("star", routable_builder_add_operation(builder, &star, &error), ROUTABLE_OK, error);
    star.name = "starred";
    star.method = "GET";
    star.path = "all/starred";
    star.place = ROUTABLE_ON_COLLECTION;
    check_status("starred", routable_builder_add_operation(builder, &star, &error), ROUTABLE_OK, error);
    star.name = "rooted";
    star.place = ROUTABLE_ON_ROOT; /* only for operations without a resource */
    assert_int_equal(routable_builder_add_operation(builder, &star, &error), ROUTABLE_ERR_ARGUMENT);
    assert_non_null(strstr(routable_error_message(error).ptr, "rooted"));
    routable_error_free(error);
    error = NULL;
    check_status("build", routable_builder_build(builder, &router, &error), ROUTABLE_OK, error);
    check_walk(router, "gist", "star", IDS("7"), "PUT", "https://h/gists/7/star");
    check_walk(router, "gist", "starred", NO_IDS, "GET", "https://h/gists/all/starred");
    routable_builder_free(builder);
    routable_router_free(router);
}

/* --- Names that collide in a hash --- */

/* The hash of names before it had a random key: collisions could be computed. */
static uint32_t known_hash(const char *text, size_t count)
{
    uint64_t hash = count * UINT64_C(0x9E3779B97F4A7C15), word;
    for (; count >= 8; count -= 8, text += 8) {
        memcpy(&word, text, 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, text, count);
    hash = (hash ^ word) * UINT64_C(0xBF58476D1CE4E5B9);
    hash ^= hash >> 29;
    return (uint32_t)(hash * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* The CPU time for `count` operations whose names have adjacent slots in a table (`meet`), or any slots. */
static double time_of_names(size_t count, int meet)
{
    routable_builder *builder = NULL;
    routable_error *error = NULL;
    struct timespec start, end;
    char(*const names)[24] = calloc(count, sizeof *names);
    unsigned number = 0;
    assert_non_null(names);
    for (size_t found = 0; found < count; number++) {
        sprintf(names[found], "operation_%u", number);
        found += !meet || (known_hash(names[found], strlen(names[found])) & 0xFFFFF) < 0x4000;
    }
    check_status("builder", routable_builder_new("names", NULL, &builder, &error), ROUTABLE_OK, error);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (size_t index = 0; index < count; index++) {
        routable_operation_options options = { .size = sizeof options };
        options.name = names[index];
        options.method = "GET";
        options.path = "/x";
        check_status("operation", routable_builder_add_operation(builder, &options, &error), ROUTABLE_OK, error);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    routable_builder_free(builder);
    free(names);
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
}

static void names_that_meet(void **state)
{
    double any = 1e9, chosen = 1e9;
    (void)state;
    for (int turn = 0; turn < 3; turn++) {
        const double one = time_of_names(30000, 0), other = time_of_names(30000, 1);
        if (one < any) any = one;
        if (other < chosen) chosen = other;
    }
    print_message("30,000 names: %.1f ms, chosen ones %.1f ms\n", any * 1e3, chosen * 1e3);
    assert_true(chosen < 5 * any); /* with the known hash: fifteen times */
}

/* No literal, several ids in one step, an id of several segments, an empty value. */
static void wide_graph(void **state)
{
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_parameter_options ids[2] = { ROUTABLE_PARAMETER_OPTIONS_INIT, ROUTABLE_PARAMETER_OPTIONS_INIT };
    routable_parameter_options path = ROUTABLE_PARAMETER_OPTIONS_INIT;
    routable_resource_options repository = ROUTABLE_RESOURCE_OPTIONS_INIT, file = ROUTABLE_RESOURCE_OPTIONS_INIT;
    (void)state;
    check_status("new", routable_builder_new("code", "/v3", &builder, &error), ROUTABLE_OK, error);
    ids[0].name = "owner";
    ids[1].name = "repo";
    ids[1].flags = ROUTABLE_PARAMETER_ALLOW_EMPTY;
    repository.name = "repository";
    repository.path = "repos";
    repository.can = ROUTABLE_CAN_LIST | ROUTABLE_CAN_READ;
    repository.ids = ids;
    repository.id_count = 2;
    path.name = "path...";
    file.name = "file";
    file.path = "";
    file.can = ROUTABLE_CAN_READ;
    file.flags = ROUTABLE_RESOURCE_NESTED;
    file.ids = &path;
    file.id_count = 1;
    check_status("repository", routable_builder_add_resource(builder, &repository, &error), ROUTABLE_OK, error);
    check_status("file", routable_builder_add_resource(builder, &file, &error), ROUTABLE_OK, error);
    nest(builder, "repository", "file");
    check_status("build", routable_builder_build(builder, &router, &error), ROUTABLE_OK, error);
    check_walk(router, "repository", "list", IDS("o"), "GET", "/v3/repos/o");
    check_walk(router, "repository", "read", IDS("o", ""), "GET", "/v3/repos/o/");
    check_walk(router, "repository.file", "read", IDS("o", "r", "a/b c"), "GET", "/v3/repos/o/r/a/b%20c");
    routable_router_free(router);

    path.flags = ROUTABLE_PARAMETER_ALLOW_EMPTY;
    file.name = "other";
    check_status("an empty one of several", routable_builder_add_resource(builder, &file, &error), ROUTABLE_OK, error);
    check_status("build", routable_builder_build(builder, &router, &error), ROUTABLE_ERR_DOCUMENT, error);
    routable_error_free(error);
    file.ids = NULL;
    check_status("no ids and a count", routable_builder_add_resource(builder, &file, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    routable_builder_free(builder);
}

/* Counts that no array can have, and bounds that are not numbers. */
static void impossible_options(void **state)
{
    routable_builder *builder = NULL;
    routable_error *error = NULL;
    routable_parameter_options parameter = ROUTABLE_PARAMETER_OPTIONS_INIT;
    routable_resource_options resource = ROUTABLE_RESOURCE_OPTIONS_INIT;
    routable_operation_options operation = ROUTABLE_OPERATION_OPTIONS_INIT;
    const char *const value = "a";
    (void)state;
    check_status("new", routable_builder_new("code", NULL, &builder, &error), ROUTABLE_OK, error);
    parameter.name = "x";
    operation.name = "o";
    operation.method = "GET";
    operation.path = "/a/{x}";
    operation.parameters = &parameter;
    operation.parameter_count = SIZE_MAX;
    check_status("parameters", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    operation.parameter_count = 1;
    parameter.values = &value;
    parameter.value_count = SIZE_MAX;
    check_status("values", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    parameter.value_count = 0;
    resource.name = "r";
    resource.path = "r";
    resource.ids = &parameter;
    resource.id_count = SIZE_MAX;
    check_status("ids", routable_builder_add_resource(builder, &resource, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    parameter.type = "number";
    parameter.flags = ROUTABLE_PARAMETER_MINIMUM;
    parameter.minimum = NAN;
    check_status("minimum", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_ERR_ARGUMENT, error);
    check_text("minimum", routable_error_parameter(error), "x");
    routable_error_free(error);
    parameter.flags = ROUTABLE_PARAMETER_MAXIMUM;
    parameter.maximum = INFINITY;
    check_status("maximum", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    routable_builder_free(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_routes_as_the_document),
        cmocka_unit_test(same_requests_as_the_document),
        cmocka_unit_test(its_document_opens),
        cmocka_unit_test(stays_usable_after_build),
        cmocka_unit_test(bad_graphs),
        cmocka_unit_test(extra_operations),
        cmocka_unit_test(names_that_meet),
        cmocka_unit_test(wide_graph),
        cmocka_unit_test(impossible_options),
    };
    return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
