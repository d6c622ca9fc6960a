/* documents.c - readers of descriptions: route documents, OpenAPI, overlays, presentations, schemas, path templates. */
#include "readers.h"

static routable_status open_document(const char *bytes, size_t count, routable_router **out)
{
    const routable_str text = routable_str_from_bytes(bytes, count);
    routable_error *error = NULL;
    const routable_status status = routable_router_open(bytes, count, NULL, out, &error);
    return reader_end("open", status, &error, &text);
}

static routable_status read_document(const char *bytes, size_t count)
{
    routable_router *router = NULL;
    routable_string out = ROUTABLE_STRING_INIT;
    const routable_status status = open_document(bytes, count, &router);
    if (status == ROUTABLE_OK) {
        EXPECT(routable_router_document(router, &out, NULL) == ROUTABLE_OK, "document: expected it to be written");
        routable_string_free(&out);
    }
    routable_router_free(router);
    return status;
}

/* The size of the tables of a description depends on its nesting, up to a limit. */
static routable_status read_tables(const char *bytes, size_t count)
{
    routable_router *router = NULL;
    routable_string out = ROUTABLE_STRING_INIT;
    routable_status status = open_document(bytes, count, &router);
    if (status == ROUTABLE_OK && routable_router_map(router, &out, NULL) == ROUTABLE_OK)
        routable_string_free(&out);
    if (status == ROUTABLE_OK) {
        routable_error *error = NULL;
        status = reader_end("routes", routable_router_routes(router, &out, &error), &error, NULL);
        routable_string_free(&out);
    }
    if (status == ROUTABLE_OK && routable_router_routes_json(router, &out, NULL) == ROUTABLE_OK)
        routable_string_free(&out);
    routable_router_free(router);
    return status;
}

static routable_status read_overlay(const char *bytes, size_t count)
{
    static const char base[] = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\","
                               "\"tags\":[\"b\",\"c\"],\"responses\":{\"200\":{\"description\":\"d\"}}}},\"/b/{c}\":{\"get\":{\"responses\":{}}}}}";
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    const routable_str overlay = routable_str_from_bytes(bytes, count);
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_status status;
    options.overlays = &overlay;
    options.overlay_count = 1;
    status = routable_router_open(base, ROUTABLE_NUL_TERMINATED, &options, &router, &error);
    routable_router_free(router);
    return reader_end("overlay", status, &error, NULL);
}

/* A document to which another one can refer. */
static routable_status read_referenced(const char *bytes, size_t count)
{
    static const char base[] = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\","
                               "\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"$ref\":\"o.json\"}}],\"responses\":{}}}}}";
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    const routable_document document = { ROUTABLE_STR("http://h/o.json"), routable_str_from_bytes(bytes, count) };
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_status status;
    options.documents = &document;
    options.document_count = 1;
    options.uri = "http://h/a.json";
    status = routable_router_open(base, ROUTABLE_NUL_TERMINATED, &options, &router, &error);
    routable_router_free(router);
    return reader_end("referenced document", status, &error, NULL);
}

/* --- Presentations --- */

static routable_status show_child(void *child, const routable_visit *visit, void *user_data)
{
    (void)child, (void)user_data;
    routable_visit_capture_at(visit, 0);
    return ROUTABLE_OK;
}

static routable_status show_children(void *const *children, size_t count, const routable_visit *visit, void *user_data)
{
    (void)children, (void)count, (void)visit, (void)user_data;
    return ROUTABLE_OK;
}

static routable_status read_presentation(const char *bytes, size_t count)
{
    static routable_presenter presenters[16];
    static char names[16][4];
    reader_fields fields = reader_fields_of(bytes, count);
    const routable_str text = reader_field(&fields, 0);
    routable_presentation_builder *builder = NULL;
    routable_presentation *presentation = NULL;
    routable_error *error = NULL;
    routable_status status = ROUTABLE_OK;
    size_t bound = 0, i;
    for (i = 0; i < 16; i++) {
        snprintf(names[i], sizeof names[i], "n%zu", i);
        presenters[i] = (routable_presenter){ sizeof(routable_presenter), names[i], NULL, show_child, show_children, names[i], NULL };
    }
    if (strstr(fields.text[0], "\"presenter\":\"a\""))
        presenters[bound++].name = "a";
    for (i = 0; bound < 16; i++) { /* the names in the document */
        char wanted[32];
        snprintf(wanted, sizeof wanted, "\"presenter\":\"n%zu\"", i);
        if (!strstr(fields.text[0], wanted))
            break;
        snprintf(names[bound], sizeof names[bound], "n%zu", i);
        presenters[bound].name = names[bound];
        bound++;
    }
    EXPECT(routable_presentation_builder_new(&builder, NULL) == ROUTABLE_OK, "presentation: expected a builder");
    status = routable_presentation_builder_add_document(builder, NULL, text.ptr, text.len, presenters, bound, &error);
    status = reader_end("presentation", status, &error, &text);
    if (status == ROUTABLE_OK) {
        const routable_str path = reader_field(&fields, 1);
        EXPECT(routable_presentation_builder_build(builder, &presentation, NULL) == ROUTABLE_OK, "presentation: expected it to build");
        error = NULL;
        status = routable_presentation_set(presentation, path, &error);
        if (status != ROUTABLE_NO_MATCH)
            status = reader_end("set", status, &error, NULL);
        routable_presentation_free(presentation);
    }
    routable_presentation_builder_free(builder);
    reader_fields_free(&fields);
    return status;
}

/* --- Schemas and templates --- */

static routable_status read_schema(const char *bytes, size_t count)
{
    const routable_str text = routable_str_from_bytes(bytes, count);
    routable_schema *schema = NULL;
    routable_error *error = NULL;
    routable_status status = reader_end("schema", routable_schema_open(bytes, count, NULL, &schema, &error), &error, &text);
    if (status == ROUTABLE_OK) {
        error = NULL;
        status = reader_end("validate", routable_schema_validate(schema, "{\"a\":[1,\"x\",null]}", ROUTABLE_NUL_TERMINATED, 4, &error), &error, NULL);
    }
    routable_schema_free(schema);
    return status;
}

static routable_status read_operation(const char *bytes, size_t count)
{
    reader_fields fields = reader_fields_of(bytes, count);
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_status status = ROUTABLE_OK;
    size_t i;
    EXPECT(routable_builder_new("fuzz", "http://h", &builder, NULL) == ROUTABLE_OK, "operation: expected a builder");
    for (i = 0; i < 2; i++) {
        routable_operation_options options;
        memset(&options, 0, sizeof options);
        options.size = sizeof options;
        options.name = i ? "b" : "a";
        options.method = "GET";
        options.path = fields.text[i];
        error = NULL;
        status = reader_end("operation", routable_builder_add_operation(builder, &options, &error), &error, NULL);
    }
    error = NULL;
    status = reader_end("build", routable_builder_build(builder, &router, &error), &error, NULL);
    routable_router_free(router);
    routable_builder_free(builder);
    reader_fields_free(&fields);
    return status;
}

const reader document_readers[] = {
    { "document", "document", "routable_router_open", read_document, 0 },
    { "tables", "document", "routable_router_map, routes, routes_json", read_tables, 1 },
    { "openapi", "openapi", "routable_router_open", read_document, 0 },
    { "overlay", "overlay", "routable_router_open: overlays", read_overlay, 0 },
    { "referenced", "schema", "routable_router_open: documents", read_referenced, 0 },
    { "presentation", "presentation", "routable_presentation_builder_add_document, set", read_presentation, 0 },
    { "schema", "schema", "routable_schema_open", read_schema, 0 },
    { "operation", "operation", "routable_builder_add_operation, build", read_operation, 0 },
    { NULL, NULL, NULL, NULL, 0 },
};
