/* Introspection without JSON: resources, operations, parameters, types, user data. */
#include "support.h"

static const char document[] =
    "{\"routable\":1,\"name\":\"gists\",\"base\":\"https://h/v1\",\"x-owner\":{\"team\":\"a\"},"
    "\"types\":{\"Gist\":{\"type\":\"object\",\"required\":[\"id\"]},\"Note\":{\"type\":\"string\"}},"
    "\"resources\":{"
    "\"gist\":{\"path\":\"gists\",\"id\":{\"name\":\"number\",\"type\":\"integer\",\"description\":\"its number\"},"
    "\"can\":[\"delete\",\"list\",\"read\",\"create\",\"patch\",\"update\"],\"has\":[\"note\"],\"type\":\"Gist\","
    "\"description\":\"a piece of text\",\"x-colour\":\"red\","
    "\"member\":{\"star\":{\"put\":\"star\",\"description\":\"marks it\",\"x-icon\":7}},"
    "\"collection\":{\"starred\":{\"get\":\"starred\"}}},"
    "\"note\":{\"path\":\"notes\",\"except\":[\"update\",\"patch\",\"delete\"],\"nested\":true}},"
    "\"operations\":{\"search\":{\"get\":\"/search/{kind}\",\"query\":{\"q\":{\"type\":\"string\",\"required\":true,"
    "\"description\":\"words\"},\"page\":{\"type\":\"integer\"}},\"header\":{\"X-Tag\":{\"type\":\"boolean\"}},"
    "\"cookie\":{\"session\":{\"type\":\"string\"}},\"x-rate\":[1,2]},"
    "\"login\":{\"post\":\"/session\",\"body\":{\"$ref\":\"#/types/Note\"},\"results\":{\"201\":{\"$ref\":\"#/types/Gist\"}}}}}";

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

static void the_router(void **state)
{
    (void)state;
    check_text("name", routable_router_name(router), "gists");
    check_text("base", routable_router_base(router), "https://h/v1");
    check_text("x-owner", routable_router_user_data(router, "x-owner"), "{\"team\":\"a\"}");
    check_text("x-none", routable_router_user_data(router, "x-none"), "");
    check_text("name is no user data", routable_router_user_data(router, "name"), "");
    check_size("resources", routable_router_resource_count(router), 2);
    check_size("standalone operations", routable_router_operation_count(router), 2);
    check_size("types", routable_router_type_count(router), 2);
    check_text("type", routable_router_type_name_at(router, 0), "Gist");
    check_text("type", routable_router_type_name_at(router, 1), "Note");
    check_text("schema", routable_router_type_schema_at(router, 1), "{\"type\":\"string\"}");
}

static void resources(void **state)
{
    const routable_resource *const gist = routable_router_resource(router, "gist");
    const routable_resource *const note = routable_router_resource(router, "note");
    (void)state;
    assert_ptr_equal(gist, routable_router_resource_at(router, 0));
    assert_ptr_equal(note, routable_router_resource_at(router, 1));
    check_text("gist", routable_resource_name(gist), "gist");
    check_text("gist", routable_resource_path(gist), "gists");
    check_text("gist", routable_resource_type(gist), "Gist");
    check_text("gist", routable_resource_description(gist), "a piece of text");
    check_text("gist", routable_resource_user_data(gist, "x-colour"), "\"red\"");
    check_size("gist", routable_resource_capabilities(gist), 63);
    assert_int_equal(routable_resource_is_root(gist), 1);
    check_size("gist", routable_resource_child_count(gist), 1);
    assert_ptr_equal(routable_resource_child_at(gist, 0), note);
    check_text("id", routable_parameter_name(routable_resource_id_at(gist, 0)), "number");
    check_text("id", routable_parameter_type(routable_resource_id_at(gist, 0)), "integer");
    check_text("id", routable_parameter_description(routable_resource_id_at(gist, 0)), "its number");
    assert_int_equal(routable_parameter_location(routable_resource_id_at(gist, 0)), ROUTABLE_IN_PATH);
    assert_int_equal(routable_parameter_is_required(routable_resource_id_at(gist, 0)), 1);

    check_text("note", routable_resource_type(note), "");
    check_text("note", routable_resource_description(note), "");
    check_size("note", routable_resource_capabilities(note), ROUTABLE_CAN_LIST | ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE);
    assert_int_equal(routable_resource_is_root(note), 0);
    check_size("note", routable_resource_child_count(note), 0);
    check_text("id", routable_parameter_name(routable_resource_id_at(note, 0)), "id");
    check_text("id", routable_parameter_type(routable_resource_id_at(note, 0)), "string");
}

static void operations_of_a_resource(void **state)
{
    static const struct { const char *name, *method, *path; routable_place place; const char *body, *result; } table[] = {
        { "list", "GET", "gists", ROUTABLE_ON_COLLECTION, "", NULL }, /* an array of Gist has no name */
        { "read", "GET", "gists/{number}", ROUTABLE_ON_MEMBER, "", "Gist" },
        { "create", "POST", "gists", ROUTABLE_ON_COLLECTION, "Gist", "Gist" },
        { "update", "PUT", "gists/{number}", ROUTABLE_ON_MEMBER, "Gist", "Gist" },
        { "patch", "PATCH", "gists/{number}", ROUTABLE_ON_MEMBER, "", NULL },
        { "delete", "DELETE", "gists/{number}", ROUTABLE_ON_MEMBER, "", "" },
        { "starred", "GET", NULL, ROUTABLE_ON_COLLECTION, "", "" },
        { "star", "PUT", NULL, ROUTABLE_ON_MEMBER, "", "" },
    };
    const routable_resource *const gist = routable_router_resource(router, "gist");
    const size_t count = sizeof table / sizeof *table;
    size_t i;
    (void)state;
    check_size("operations", routable_resource_operation_count(gist), count);
    for (i = 0; i < count; i++) {
        const routable_operation *const operation = routable_resource_operation_at(gist, i);
        check_text("name", routable_operation_name(operation), table[i].name);
        check_text(table[i].name, routable_operation_method(operation), table[i].method);
        if (table[i].path)
            check_text(table[i].name, routable_operation_path(operation), table[i].path);
        assert_int_equal(routable_operation_place(operation), table[i].place);
        check_text(table[i].name, routable_operation_body_type(operation), table[i].body);
        if (table[i].result)
            check_text(table[i].name, routable_operation_result_type(operation), table[i].result);
    }
    check_text("star", routable_operation_description(routable_resource_operation_at(gist, 7)), "marks it");
    check_text("star", routable_operation_user_data(routable_resource_operation_at(gist, 7), "x-icon"), "7");
}

static void free_operations(void **state)
{
    const routable_operation *const search = routable_router_operation(router, "search");
    const routable_operation *const login = routable_router_operation(router, "login");
    size_t i, seen = 0;
    (void)state;
    assert_ptr_equal(search, routable_router_operation_at(router, 0));
    assert_ptr_equal(login, routable_router_operation_at(router, 1));
    check_text("search", routable_operation_name(search), "search");
    check_text("search", routable_operation_method(search), "GET");
    check_text("search", routable_operation_path(search), "/search/{kind}");
    check_text("search", routable_operation_user_data(search, "x-rate"), "[1,2]");
    assert_int_equal(routable_operation_place(search), ROUTABLE_ON_ROOT);
    check_text("login", routable_operation_body_type(login), "Note");
    check_text("login", routable_operation_result_type(login), "Gist");
    check_size("search", routable_operation_parameter_count(search), 5);
    for (i = 0; i < 5; i++) {
        const routable_parameter *const parameter = routable_operation_parameter_at(search, i);
        const char *const name = routable_parameter_name(parameter).ptr;
        const routable_location location = routable_parameter_location(parameter);
        if (!strcmp(name, "kind"))
            seen += location == ROUTABLE_IN_PATH && routable_parameter_is_required(parameter) == 1;
        else if (!strcmp(name, "q"))
            seen += location == ROUTABLE_IN_QUERY && routable_parameter_is_required(parameter) == 1 &&
                    same_text(routable_parameter_description(parameter), "words");
        else if (!strcmp(name, "page"))
            seen += location == ROUTABLE_IN_QUERY && routable_parameter_is_required(parameter) == 0 &&
                    same_text(routable_parameter_type(parameter), "integer");
        else if (!strcmp(name, "X-Tag"))
            seen += location == ROUTABLE_IN_HEADER && same_text(routable_parameter_type(parameter), "boolean");
        else if (!strcmp(name, "session"))
            seen += location == ROUTABLE_IN_COOKIE;
    }
    check_size("parameters as declared", seen, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_router),
        cmocka_unit_test(resources),
        cmocka_unit_test(operations_of_a_resource),
        cmocka_unit_test(free_operations),
    };
    return cmocka_run_group_tests_name("introspection", tests, open_router, close_router);
}
