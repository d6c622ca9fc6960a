/* encodings.h - shared by the tests of encodings: options from words, builders with one operation. */
#ifndef TESTS_C_ENCODINGS_H
#define TESTS_C_ENCODINGS_H

#include "support.h"

static inline const char *text_at(const json_t *object, const char *key) { return json_string_value(json_object_get(object, key)); }

static inline routable_encoding_options encoding_of(const json_t *words)
{
    routable_encoding_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.to = text_at(words, "to");
    options.as = text_at(words, "as");
    options.arrays = text_at(words, "arrays");
    options.booleans = text_at(words, "booleans");
    options.nulls = text_at(words, "nulls");
    options.empty_arrays = text_at(words, "empty_arrays");
    options.order = text_at(words, "order");
    options.key_paths = text_at(words, "key_paths");
    options.key_case = text_at(words, "key_case");
    options.spaces = text_at(words, "spaces");
    options.escape = text_at(words, "escape");
    options.newlines = text_at(words, "newlines");
    options.first_index = (size_t)json_integer_value(json_object_get(words, "first_index"));
    return options;
}

static inline routable_builder *new_builder(const char *base)
{
    routable_builder *builder = NULL;
    routable_error *error = NULL;
    check_status("new", routable_builder_new("b", base, &builder, &error), ROUTABLE_OK, error);
    return builder;
}

static inline routable_router *built_router(routable_builder *builder)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    check_status("build", routable_builder_build(builder, &router, &error), ROUTABLE_OK, error);
    routable_builder_free(builder);
    return router;
}

static inline routable_operation_options operation_of(const char *method)
{
    routable_operation_options operation;
    memset(&operation, 0, sizeof operation);
    operation.size = sizeof operation;
    operation.name = "op";
    operation.method = method;
    operation.path = "/p";
    return operation;
}

#endif
