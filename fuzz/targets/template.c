/* Templates: two paths and a method to routable_builder_add_operation. An operation that is added can be inspected, written,
 * planned and matched: a URL that is built from its template matches it. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static routable_status template_add(
    routable_builder *builder, const char *name, const char *method, const char *path, routable_error **error)
{
    routable_operation_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.name = name;
    options.method = method;
    options.path = path;
    return routable_builder_add_operation(builder, &options, error);
}

/* The path of the operation is a template for the same path. */
static void template_check_shown(const routable_operation *operation)
{
    const routable_str path = routable_operation_path(operation);
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    EXPECT(routable_builder_new("fuzz", "http://h", &builder, NULL) == ROUTABLE_OK, "template: expected a builder");
    EXPECT(template_add(builder, "again", "GET", path.ptr, &error) == ROUTABLE_OK,
        "template: expected that \"%s\" is a template, got %s", path.ptr, routable_error_message(error).ptr);
    EXPECT(routable_builder_build(builder, &router, &error) == ROUTABLE_OK, "template: expected that \"%s\" builds, got %s",
        path.ptr, routable_error_message(error).ptr);
    EXPECT(fuzz_same(routable_operation_path(routable_router_operation_at(router, 0)), path),
        "template: expected \"%s\", got \"%s\"", path.ptr,
        routable_operation_path(routable_router_operation_at(router, 0)).ptr);
    routable_error_free(error);
    routable_router_free(router);
    routable_builder_free(builder);
}

/* The URL matches the operation, and the captures are the values. */
static void template_check_match(const routable_router *router, const routable_operation *operation, const char *url,
    const routable_value *ids, size_t count)
{
    const char *const template = routable_operation_path(operation).ptr;
    const routable_operation *matched;
    routable_match match;
    size_t i;
    const routable_status status =
        routable_router_match(router, routable_operation_method(operation).ptr, routable_str_from(url), 0, &match);
    EXPECT(status == ROUTABLE_OK, "match: \"%s\": expected that %s matches, got %s", template, url,
        routable_status_name(status));
    matched = routable_match_operation(router, &match);
    EXPECT(matched == operation, "match: \"%s\": expected %s of %s, got %s", template,
        routable_operation_name(operation).ptr, url, routable_operation_name(matched).ptr);
    EXPECT(match.capture_count == count, "match: \"%s\": expected %zu values of %s, got %u", template, count, url,
        (unsigned)match.capture_count);
    for (i = 0; i < count; i++) {
        routable_string value = { NULL, 0 };
        EXPECT(routable_match_value(&match, routable_str_from(url), i, &value) == ROUTABLE_OK, "match: expected value %zu of %s", i,
            url);
        EXPECT(value.len == ids[i].as.string.len && memcmp(value.ptr, ids[i].as.string.ptr, value.len) == 0,
            "match: \"%s\": expected \"%s\" as value %zu of %s, got \"%s\"", template, ids[i].as.string.ptr, i, url, value.ptr);
        routable_string_free(&value);
    }
}

/* Plans with plain values, and with values that must be escaped. */
static void template_check_plan(const routable_router *router, const routable_operation *operation)
{
    static const char *const values[2][4] = { { "a", "b1", "c-2", "d" }, { "a b", "%2F", "\xC3\xA9/", ";=&?#" } };
    static const routable_status allowed[] = { ROUTABLE_ERR_SHADOWED, ROUTABLE_ERR_VALUE, ROUTABLE_OK };
    const routable_str name = routable_operation_name(operation);
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    routable_value ids[64];
    char url[4096];
    size_t i, turn, length = 0;
    routable_status status = routable_plan_new(router, NULL, name.ptr, &plan, &error);
    EXPECT(status == ROUTABLE_OK, "template: expected a plan of \"%s\", got %s", routable_operation_path(operation).ptr,
        routable_error_message(error).ptr);
    for (turn = 0; turn < 2 && routable_plan_id_count(plan) <= 64; turn++) {
        for (i = 0; i < routable_plan_id_count(plan); i++)
            ids[i] = routable_value_string(values[turn][i % 4]);
        status = routable_plan_write(plan, ids, routable_plan_id_count(plan), NULL, 0, url, sizeof url, &length, &error);
        if (status == ROUTABLE_ERR_BUFFER) {
            EXPECT(length >= sizeof url, "template: expected a length over %zu, got %zu", sizeof url, length);
            routable_error_free(error);
            continue;
        }
        fuzz_check_error("template", status, allowed, error, NULL);
        error = NULL;
        if (status != ROUTABLE_OK)
            continue;
        fuzz_check_url("template", (routable_str){ url, length });
        EXPECT(strncmp(url, "http://h", 8) == 0 && (url[8] == '/' || url[8] == '\0'), "template: expected the base, got %s", url);
        template_check_match(router, operation, url, ids, routable_plan_id_count(plan));
    }
    routable_error_free(error);
    routable_plan_free(plan);
}

/* A method, a path, and another path until the end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status add_allowed[] = { ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_CONFLICT, ROUTABLE_ERR_LIMIT,
        ROUTABLE_OK };
    fuzz_input input = { (const char *)data, size };
    char *const method = fuzz_name(&input), *const path = fuzz_name(&input), *const other = fuzz_name(&input);
    routable_builder *builder = NULL;
    routable_router *router = FUZZ_UNTOUCHED(routable_router);
    routable_error *error = NULL;
    routable_status status;
    size_t i, added = 0;
    EXPECT(routable_builder_new("fuzz", "http://h", &builder, NULL) == ROUTABLE_OK, "template: expected a builder");
    status = template_add(builder, "first", method, path, &error);
    added += status == ROUTABLE_OK;
    fuzz_check_error("first", status, add_allowed, error, NULL);
    status = template_add(builder, "second", "GET", other, &error);
    added += status == ROUTABLE_OK;
    fuzz_check_error("second", status, add_allowed, error, NULL);
    status = routable_builder_build(builder, &router, &error);
    if (status != ROUTABLE_OK)
        EXPECT(router == FUZZ_UNTOUCHED(routable_router), "template: expected an untouched output");
    fuzz_check_error("build", status, add_allowed, error, NULL);
    if (status == ROUTABLE_OK) {
        EXPECT(routable_router_operation_count(router) == added, "template: expected %zu operations, got %zu", added,
            routable_router_operation_count(router));
        for (i = 0; i < added; i++) {
            template_check_shown(routable_router_operation_at(router, i));
            template_check_plan(router, routable_router_operation_at(router, i));
        }
        fuzz_check_round_trip("template", router);
        routable_router_free(router);
    }
    routable_builder_free(builder);
    free(method);
    free(path);
    free(other);
    return 0;
}
