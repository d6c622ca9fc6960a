/* routers.c - scenarios: opening descriptions, introspection, builders, matching, plans. */
#include "torture.h"

static const char rich[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"pets\",\"version\":\"1\",\"x-a\":1},\"x-top\":{\"k\":[1]},\"servers\":[{\"url\":\"https://h.test/v1\"}],"
    "\"paths\":{\"/pets/{id}\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}}],"
    "\"get\":{\"operationId\":\"get\",\"description\":\"one\",\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"type\":\"array\","
    "\"items\":{\"type\":\"integer\"}}}],\"responses\":{\"200\":{\"description\":\"ok\",\"content\":{\"application/json\":{\"schema\":"
    "{\"$ref\":\"#/components/schemas/Pet\"}}}}}},\"put\":{\"operationId\":\"put\",\"x-o\":true,\"requestBody\":{\"content\":{\"application/json\":"
    "{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"}}}},\"responses\":{\"200\":{\"description\":\"ok\"}}}},"
    "\"/pets/{id}/toys/{n}\":{\"get\":{\"operationId\":\"toys\",\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":"
    "{\"type\":\"string\"}},{\"name\":\"n\",\"in\":\"path\",\"required\":true,\"schema\":{\"enum\":[\"a\",\"b\"]}}],\"responses\":{\"200\":{\"description\":\"ok\"}}}}},"
    "\"components\":{\"schemas\":{\"Pet\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\","
    "\"pattern\":\"^b\"},\"friend\":{\"$ref\":\"#/components/schemas/Pet\"}}}}}}";

static const char route_document[] =
    "{\"routable\":1,\"name\":\"r\",\"base\":\"https://h.test/v1\",\"x-top\":{\"a\":1},\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"a\"]}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"description\":\"d\",\"x-k\":[1],\"type\":\"T\",\"can\":[\"list\",\"read\",\"create\"],\"has\":[\"post\"]},"
    "\"post\":{\"path\":\"posts\",\"id\":{\"name\":\"n\",\"type\":\"integer\"},\"can\":[\"read\",\"delete\"]}},"
    "\"operations\":{\"files\":{\"get\":\"/files/{path...}\"},\"search\":{\"get\":\"/search\",\"x-s\":2,\"query\":{\"q\":{\"type\":\"string\","
    "\"required\":true,\"description\":\"what\"},\"page\":{\"type\":\"integer\",\"default\":1}}}}}";

#define FREE(type, object) DO(routable_##type##_free, object)
#define TAKEN(type) ((type *)o.object)

SCENARIO(open_route_document)
{
    routable_router *router;
    CALL(routable_router_open, LIT(route_document), NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    NOTE_STR(VALUE(routable_router_name, router));
    NOTE_STR(VALUE(routable_router_base, router));
    NOTE_NUMBER(VALUE(routable_router_warning_count, router));
    NOTE_STR(VALUE(routable_router_warning_at, router, 0));
    NOTE_NUMBER(VALUE(routable_router_match_bytes, router) > 0);
    FREE(router, router);
}

SCENARIO(open_openapi)
{
    routable_router *router;
    CALL(routable_router_open, LIT(rich), NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    FREE(router, router);
}

SCENARIO(open_with_options)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    const routable_document document = { ROUTABLE_STR_INIT("https://h.test/other.json"), ROUTABLE_STR_INIT("{\"type\":\"string\"}") };
    const routable_str overlay = ROUTABLE_STR_INIT("{\"overlay\":\"1.0.0\",\"info\":{\"title\":\"o\",\"version\":\"1\"},\"actions\":[{\"target\":\"$.info\",\"update\":{\"title\":\"new\"}}]}");
    const routable_str only = ROUTABLE_STR_INIT("get");
    routable_router *router;
    options.base = "http://other.test";
    options.uri = "https://h.test/api.json";
    options.documents = &document;
    options.document_count = 1;
    options.overlays = &overlay;
    options.overlay_count = 1;
    options.only = &only;
    options.only_count = 1;
    CALL(routable_router_open, LIT(rich), &options, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    NOTE_STR(VALUE(routable_router_name, router));
    FREE(router, router);
}

SCENARIO(open_file)
{
    routable_router *router;
    CALL(routable_router_open_file, "examples/social.json", NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    FREE(router, router);
    expected = ROUTABLE_ERR_FILE;
    CALL(routable_router_open_file, "/nowhere/at all", NULL, OBJECT(routable_router), &error);
    NOTE_STR(routable_error_message(error));
    routable_error_free(error);
}

SCENARIO(open_jansson)
{
    json_t *const document = json_loads(route_document, 0, NULL);
    routable_router *router;
    CALL(routable_router_open_jansson, document, NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    FREE(router, router);
    json_decref(document);
}

SCENARIO(open_wrong_document)
{
    static const char wrong[] = "{\"routable\":1,\"base\":\"https://h.test\",\"resources\":{\"user\":{\"pat\":\"users\"},\"post\":{\"path\":7}}}";
    json_t *tree;
    size_t i;
    expected = ROUTABLE_ERR_DOCUMENT;
    CALL(routable_router_open, LIT(wrong), NULL, OBJECT(routable_router), &error);
    const routable_error *const kept = error;
    NOTE_NUMBER(VALUE(routable_error_status, kept));
    NOTE_STR(VALUE(routable_error_message, kept));
    NOTE_STR(VALUE(routable_error_pointer, kept));
    NOTE_STR(VALUE(routable_error_schema_pointer, kept));
    NOTE_NUMBER(VALUE(routable_error_offset, kept));
    NOTE_NUMBER(VALUE(routable_error_line, kept));
    NOTE_NUMBER(VALUE(routable_error_column, kept));
    NOTE_STR(VALUE(routable_error_route, kept));
    NOTE_STR(VALUE(routable_error_operation, kept));
    NOTE_STR(VALUE(routable_error_parameter, kept));
    for (i = 0; i < VALUE(routable_error_allowed_count, kept); i++)
        NOTE_STR(VALUE(routable_error_allowed_at, kept, i));
    NOTE_STR(VALUE(routable_error_suggestion, kept));
    NOTE_NUMBER(VALUE(routable_error_http_status, kept));
    NOTE_NUMBER(VALUE(routable_error_curl_code, kept));
    NOTE_NUMBER(VALUE(routable_error_response, kept) != NULL);
    NOTE_NUMBER(VALUE(routable_error_next, kept) != NULL);
    CALL(routable_error_to_json, kept, &o.text);
    NOTE_TEXT();
    CALL(routable_error_to_jansson, kept, OBJECT(json_t));
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree) > 0);
    json_decref(tree);
    DO(routable_error_free, (routable_error *)kept);
}

SCENARIO(router_texts)
{
    CALL(routable_router_document, typed, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_router_map, typed, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_router_routes, typed, &o.text, &error);
    NOTE_TEXT();
}

SCENARIO(router_messages)
{
    json_t *tree;
    CALL(routable_router_routes_json, typed, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_router_types_json, typed, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_router_routes_jansson, typed, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_array_size(tree));
    json_decref(tree);
    CALL(routable_router_types_jansson, typed, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree));
    json_decref(tree);
}

static void note_parameter(const routable_parameter *parameter)
{
    NOTE_STR(VALUE(routable_parameter_name, parameter));
    NOTE_NUMBER(VALUE(routable_parameter_location, parameter));
    NOTE_STR(VALUE(routable_parameter_type, parameter));
    NOTE_NUMBER(VALUE(routable_parameter_is_required, parameter));
    NOTE_NUMBER(VALUE(routable_parameter_takes_segments, parameter));
    NOTE_NUMBER(VALUE(routable_parameter_allows_empty, parameter));
    NOTE_STR(VALUE(routable_parameter_description, parameter));
    note("%s;", VALUE(routable_parameter_style, parameter));
}

static const char paths_document[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/posts\":{\"get\":{}},"
    "\"/posts/{post}/comments/{id}\":{\"get\":{\"operationId\":\"readComment\"}}}}";

SCENARIO(introspection)
{
    routable_router *router;
    const routable_resource *user;
    const routable_operation *search;
    size_t i;
    CALL(routable_router_open, LIT(route_document), NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    NOTE_NUMBER(VALUE(routable_router_resource_count, router));
    NOTE_STR(VALUE(routable_resource_name, VALUE(routable_router_resource_at, router, 1)));
    user = VALUE(routable_router_resource, router, "user");
    NOTE_STR(VALUE(routable_resource_path, user));
    NOTE_STR(VALUE(routable_resource_type, user));
    NOTE_STR(VALUE(routable_resource_description, user));
    NOTE_NUMBER(VALUE(routable_resource_capabilities, user));
    NOTE_NUMBER(VALUE(routable_resource_id_count, user));
    note_parameter(VALUE(routable_resource_id_at, user, 0));
    NOTE_NUMBER(VALUE(routable_resource_child_count, user));
    NOTE_STR(VALUE(routable_resource_name, VALUE(routable_resource_child_at, user, 0)));
    NOTE_NUMBER(VALUE(routable_resource_is_root, user));
    for (i = 0; i < VALUE(routable_resource_operation_count, user); i++)
        NOTE_STR(VALUE(routable_operation_name, VALUE(routable_resource_operation_at, user, i)));
    NOTE_STR(VALUE(routable_resource_user_data, user, "x-k"));
    NOTE_NUMBER(VALUE(routable_router_operation_count, router));
    NOTE_STR(VALUE(routable_operation_path, VALUE(routable_router_operation_at, router, 0)));
    search = VALUE(routable_router_operation, router, "search");
    NOTE_STR(VALUE(routable_operation_method, search));
    NOTE_STR(VALUE(routable_operation_description, search));
    NOTE_NUMBER(VALUE(routable_operation_place, search));
    NOTE_STR(VALUE(routable_operation_body_type, search));
    NOTE_STR(VALUE(routable_operation_result_type, search));
    NOTE_STR(VALUE(routable_operation_source, search));
    NOTE_NUMBER(VALUE(routable_operation_parameter_count, search));
    note_parameter(VALUE(routable_operation_parameter_at, search, 0));
    NOTE_STR(VALUE(routable_operation_user_data, search, "x-s"));
    NOTE_NUMBER(VALUE(routable_router_type_count, router));
    NOTE_STR(VALUE(routable_router_type_name_at, router, 0));
    NOTE_STR(VALUE(routable_router_type_schema_at, router, 0));
    NOTE_STR(VALUE(routable_router_user_data, router, "x-top"));
    FREE(router, router);
}

/* The resources are derived in the first call that needs them and can report a lack of memory. */
SCENARIO(derived_resources)
{
    routable_router *router;
    routable_plan *plan;
    const routable_resource *comments;
    CALL(routable_router_open, LIT(paths_document), NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    CALL(routable_plan_new, router, "posts.comments", "read", OBJECT(routable_plan), &error);
    plan = TAKEN(routable_plan);
    NOTE_NUMBER(VALUE(routable_plan_id_count, plan));
    FREE(plan, plan);
    NOTE_NUMBER(VALUE(routable_router_derives_resources, router));
    NOTE_NUMBER(VALUE(routable_router_resource_count, router));
    comments = VALUE(routable_router_resource, router, "posts.comments");
    NOTE_STR(VALUE(routable_resource_route, comments));
    NOTE_NUMBER(VALUE(routable_resource_place, comments));
    NOTE_STR(VALUE(routable_operation_standalone_name, VALUE(routable_router_resource_operation, router, "readComment")));
    CALL(routable_router_map, router, &o.text, &error);
    NOTE_TEXT();
    FREE(router, router);
}

SCENARIO(operation_schemas)
{
    const routable_operation *const put = VALUE(routable_router_operation, typed, "put");
    const routable_operation *const get = VALUE(routable_router_operation, typed, "get");
    json_t *const value = json_pack("{s:s}", "name", "bob");
    NOTE_NUMBER(VALUE(routable_operation_media_type_count, put));
    NOTE_STR(VALUE(routable_operation_media_type_at, put, 0));
    NOTE_STR(VALUE(routable_operation_source, put));
    CALL(routable_operation_body_schema, typed, put, NULL, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_operation_result_schema, typed, get, 200, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_operation_check_body, typed, put, "application/json", LIT("{\"name\":\"bob\"}"), 2, &error);
    CALL(routable_operation_check_result, typed, get, 200, LIT("{\"name\":\"bob\",\"friend\":{\"name\":\"bea\"}}"), 2, &error);
    CALL(routable_operation_sample_body, typed, put, NULL, 3, 0, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_operation_sample_result, typed, get, 200, 3, ROUTABLE_SAMPLE_VARIED, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_operation_check_body_jansson, typed, put, NULL, value, 2, &error);
    CALL(routable_operation_check_result_jansson, typed, get, 200, value, 2, &error);
    expected = ROUTABLE_ERR_BODY;
    CALL(routable_operation_check_body, typed, put, NULL, LIT("{\"name\":1,\"friend\":{}}"), 8, &error);
    NOTE_STR(routable_error_message(error));
    NOTE_STR(routable_error_message(routable_error_next(error)));
    routable_error_free(error);
    CALL(routable_parameter_read, typed, get, 1, STR("q=1&q=2"), &o.text, &error);
    NOTE_TEXT();
    json_decref(value);
}

SCENARIO(plans)
{
    const routable_value ids[] = { routable_value_string("a b"), routable_value_integer(3) };
    const routable_value query[] = { routable_value_string("x y"), routable_value_integer(2) };
    routable_plan *plan, *search;
    CALL(routable_plan_new, social, "user.status", "read", OBJECT(routable_plan), &error);
    plan = TAKEN(routable_plan);
    CALL(routable_plan_new, social, NULL, "search", OBJECT(routable_plan), &error);
    search = TAKEN(routable_plan);
    NOTE_STR(VALUE(routable_plan_method, plan));
    NOTE_NUMBER(VALUE(routable_plan_id_count, plan));
    NOTE_NUMBER(VALUE(routable_plan_query_count, search));
    NOTE_STR(VALUE(routable_plan_query_name_at, search, 1));
    CALL(routable_plan_write, plan, ids, 2, NULL, 0, o.buffer, sizeof o.buffer, &o.number, &error);
    note("%s;", o.buffer);
    {
        char small[64]; /* on failure, it contains the empty string */
        CALL(routable_plan_write, search, NULL, 0, query, 2, small, sizeof small, &o.number, &error);
        note("%s;", small);
    }
    FREE(plan, plan);
    FREE(plan, search);
}

SCENARIO(plan_of_real)
{
    const routable_value query[] = { routable_value_json("[\"a b\",1.25e300]"), routable_value_integer(2) };
    routable_plan *search;
    char text[400];
    CALL(routable_plan_new, social, NULL, "search", OBJECT(routable_plan), &error);
    search = TAKEN(routable_plan);
    expected = ROUTABLE_ERR_VALUE;
    CALL(routable_plan_write, search, NULL, 0, query, 2, text, sizeof text, &o.number, &error);
    if (error)
        NOTE_STR(routable_error_message(error));
    routable_error_free(error);
    FREE(plan, search);
}

SCENARIO(matching)
{
    const routable_str path = STR("/users/a%20b/statuses/7");
    routable_workspace *workspace;
    routable_plan *plan;
    routable_match match;
    NOTE_NUMBER(VALUE(routable_router_match, social, "GET", path, 0, &match));
    NOTE_STR(VALUE(routable_operation_name, VALUE(routable_match_operation, social, &match)));
    NOTE_STR(VALUE(routable_parameter_name, VALUE(routable_match_parameter, social, &match, 0)));
    NOTE_NUMBER(VALUE(routable_match_method_count, social, &match));
    NOTE_STR(VALUE(routable_match_method_at, social, &match, 0));
    NOTE_NUMBER(VALUE(routable_match_alternative_count, social, &match));
    NOTE_NUMBER(VALUE(routable_match_alternative_at, social, &match, 0) != NULL);
    CALL(routable_match_route, social, &match, &o.text);
    NOTE_TEXT();
    CALL(routable_match_value, &match, path, 0, &o.text);
    NOTE_TEXT();
    NOTE_NUMBER(VALUE(routable_router_match, social, "GET", STR("/Users//x/"), ROUTABLE_MATCH_IGNORE_CASE | ROUTABLE_MATCH_MERGE_SLASHES | ROUTABLE_MATCH_IGNORE_SLASH, &match));
    CALL(routable_workspace_new, OBJECT(routable_workspace), &error);
    workspace = TAKEN(routable_workspace);
    CALL(routable_plan_new, social, "user.status", "read", OBJECT(routable_plan), &error);
    plan = TAKEN(routable_plan);
    note("%s;", VALUE(routable_workspace_match, workspace, social, "GET", path.ptr, path.len, 0));
    note("%s;", VALUE(routable_workspace_url, workspace, plan, "a\0003", 3));
    FREE(plan, plan);
    FREE(workspace, workspace);
}

SCENARIO(builder)
{
    routable_encoding_options encoding = ROUTABLE_ENCODING_OPTIONS_INIT;
    routable_resource_options user = ROUTABLE_RESOURCE_OPTIONS_INIT, post = ROUTABLE_RESOURCE_OPTIONS_INIT;
    routable_operation_options operation = ROUTABLE_OPERATION_OPTIONS_INIT;
    routable_parameter_options parameters[2] = { ROUTABLE_PARAMETER_OPTIONS_INIT, ROUTABLE_PARAMETER_OPTIONS_INIT };
    static const char *const values[] = { "new", "old" };
    routable_builder *builder;
    routable_router *router;
    CALL(routable_builder_new, "built", "https://h.test", OBJECT(routable_builder), &error);
    builder = TAKEN(routable_builder);
    encoding.arrays = "index";
    encoding.spaces = "plus";
    CALL(routable_builder_set_encoding, builder, &encoding, &error);
    user.name = "user", user.path = "users", user.can = ROUTABLE_CAN_LIST | ROUTABLE_CAN_READ;
    parameters[0].name = "username";
    parameters[0].pattern = "[a-z]+";
    user.ids = parameters, user.id_count = 1;
    CALL(routable_builder_add_resource, builder, &user, &error);
    post.name = "post", post.path = "posts", post.can = ROUTABLE_CAN_CREATE;
    CALL(routable_builder_add_resource, builder, &post, &error);
    CALL(routable_builder_nest, builder, "user", "post", &error);
    operation.name = "find", operation.method = "GET", operation.path = "/find";
    parameters[0].name = "q", parameters[0].location = ROUTABLE_IN_QUERY, parameters[0].pattern = NULL;
    parameters[0].values = values, parameters[0].value_count = 2;
    parameters[0].default_value = routable_value_string("new");
    parameters[1].name = "n", parameters[1].location = ROUTABLE_IN_QUERY, parameters[1].type = "integer";
    operation.parameters = parameters, operation.parameter_count = 2;
    operation.encoding = &encoding;
    CALL(routable_builder_add_operation, builder, &operation, &error);
    CALL(routable_builder_build, builder, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    CALL(routable_router_document, router, &o.text, &error);
    NOTE_TEXT();
    FREE(router, router);
    FREE(builder, builder);
}

SCENARIO(versions)
{
    NOTE_NUMBER(VALUE(routable_version));
    note("%s;%s;%s;", VALUE(routable_version_string), VALUE(routable_status_name, ROUTABLE_ERR_MEMORY), VALUE(routable_outcome_name, ROUTABLE_OUTCOME_SELF));
}

SCENARIO(limited)
{
    routable_router *router;
    size_t before;
    DO(routable_set_memory_limit, 0);
    before = VALUE(routable_memory_used);
    CALL(routable_router_open, LIT(route_document), NULL, OBJECT(routable_router), &error);
    router = TAKEN(routable_router);
    NOTE_NUMBER(VALUE(routable_memory_used) > before);
    FREE(router, router);
    NOTE_NUMBER(VALUE(routable_memory_used) == before);
}

void make_typed(void) { typed = torture_open(rich); }

const scenario router_scenarios[] = {
    { "open route document", open_route_document }, { "open OpenAPI", open_openapi }, { "open with options", open_with_options },
    { "open file", open_file }, { "open json_t", open_jansson }, { "wrong document", open_wrong_document },
    { "texts of a router", router_texts }, { "messages of a router", router_messages }, { "introspection", introspection }, { "derived resources", derived_resources }, { "schemas of operations", operation_schemas },
    { "plans", plans }, { "plan of a real", plan_of_real }, { "matching", matching }, { "builder", builder },
    { "versions", versions }, { "limit", limited }, { NULL, NULL }
};
