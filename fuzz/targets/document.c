/* The document reader: any bytes to routable_router_open. A document that opens can be inspected, planned and written, and the
 * written document is read back as the same bytes. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void document_check_texts(const routable_router *router)
{
    routable_string map = { NULL, 0 }, table = { NULL, 0 }, json = { NULL, 0 };
    json_t *rows;
    EXPECT(routable_router_map(router, &map, NULL) == ROUTABLE_OK, "document: expected a map");
    EXPECT(routable_router_routes(router, &table, NULL) == ROUTABLE_OK, "document: expected a table");
    EXPECT(routable_router_routes_json(router, &json, NULL) == ROUTABLE_OK, "document: expected rows");
    rows = fuzz_json("document: routes", (routable_str){ json.ptr, json.len });
    EXPECT(!rows || json_is_array(rows), "document: expected an array of routes, got %s", json.ptr);
    json_decref(rows);
    routable_string_free(&map);
    routable_string_free(&table);
    routable_string_free(&json);
}

static void document_check_operation(const routable_router *router, const char *route, const routable_operation *operation)
{
    const routable_str name = routable_operation_name(operation);
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_plan_new(router, route, name.ptr, &plan, &error);
    EXPECT(status == ROUTABLE_OK, "document: expected a plan of %s %s, got %s", route ? route : "", name.ptr,
        routable_error_message(error).ptr);
    EXPECT(fuzz_same(routable_plan_method(plan), routable_operation_method(operation)),
        "document: expected the method %s, got %s", routable_operation_method(operation).ptr, routable_plan_method(plan).ptr);
    routable_error_free(error);
    routable_plan_free(plan);
}

/* All results of introspection are valid, and all operations at the root can be planned. */
static void document_check_entries(const routable_router *router)
{
    size_t i, k;
    for (i = 0; i < routable_router_resource_count(router); i++) {
        const routable_resource *const resource = routable_router_resource_at(router, i);
        const routable_str name = routable_resource_name(resource);
        EXPECT(name.len, "document: expected a name of resource %zu", i);
        EXPECT(routable_router_resource(router, name.ptr) == resource, "document: expected %s by its name", name.ptr);
        EXPECT(routable_resource_path(resource).len, "document: expected a path of %s", name.ptr);
        for (k = 0; k < routable_resource_child_count(resource); k++)
            EXPECT(routable_resource_child_at(resource, k), "document: expected child %zu of %s", k, name.ptr);
        for (k = 0; k < routable_resource_operation_count(resource) && routable_resource_is_root(resource); k++)
            document_check_operation(router, name.ptr, routable_resource_operation_at(resource, k));
    }
    for (i = 0; i < routable_router_operation_count(router); i++)
        document_check_operation(router, NULL, routable_router_operation_at(router, i));
    for (i = 0; i < routable_router_type_count(router); i++)
        json_decref(fuzz_json("document: a type", routable_router_type_schema_at(router, i)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_JSON, ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_CONFLICT,
        ROUTABLE_ERR_UNSUPPORTED, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_URL, ROUTABLE_ERR_HEADER, ROUTABLE_OK };
    const routable_str text = { (const char *)data, size };
    routable_router *router = FUZZ_UNTOUCHED(routable_router);
    routable_error *error = NULL;
    const routable_status status = routable_router_open(text.ptr, text.len, NULL, &router, &error);
    if (status != ROUTABLE_OK)
        EXPECT(router == FUZZ_UNTOUCHED(routable_router), "document: expected an untouched output with %s",
            routable_status_name(status));
    fuzz_check_error("document", status, allowed, error, &text);
    if (status != ROUTABLE_OK)
        return 0;
    document_check_texts(router);
    document_check_entries(router);
    fuzz_check_round_trip("document", router);
    routable_router_free(router);
    return 0;
}
