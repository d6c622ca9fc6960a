/* routable_schema.h - JSON Schema (docs/types.md): compiled once, immutable, shared by any number of threads.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_SCHEMA_H
#define ROUTABLE_SCHEMA_H

#include "routable_router.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled schema. */
typedef struct routable_schema routable_schema;

/* The dialect of a schema.  In every dialect, "$schema" may name draft 2019-09, 7, 6 or 4; the rules of that draft then apply
 * where they differ from the dialect.  "$schema" may also be the URI of a meta-schema in `documents` of the options, whose
 * "$vocabulary" then determines whether constraints and formats are validated.  Any other "$schema" is ignored. */
typedef ROUTABLE_ENUM(routable_dialect) {
    ROUTABLE_DIALECT_2020_12 = 0,    /* JSON Schema draft 2020-12 */
    ROUTABLE_DIALECT_OPENAPI_30 = 1, /* OpenAPI 3.0: has nullable, boolean exclusive bounds and discriminator, and
                                        ignores keywords beside $ref */
    ROUTABLE_DIALECT_OPENAPI_31 = 2  /* OpenAPI 3.1: JSON Schema draft 2020-12 with discriminator */
} routable_dialect;

enum { ROUTABLE_SCHEMA_ASSERT_FORMATS = 1 }; /* validate values against "format", which is only an annotation by default */

/* Options for compiling a schema. */
typedef struct routable_schema_options {
    size_t size;               /* sizeof(routable_schema_options) */
    const char *uri;           /* the base URI of the schema, for relative references; NULL: its "$id" */
    const routable_document *documents; /* documents that references can point to */
    size_t document_count;
    routable_dialect dialect;
    uint32_t flags;            /* ROUTABLE_SCHEMA_* */
} routable_schema_options;
#define ROUTABLE_SCHEMA_OPTIONS_INIT { sizeof(routable_schema_options), NULL, NULL, 0, ROUTABLE_DIALECT_2020_12, 0 }

/* Compiles a schema.  Statuses: JSON, DOCUMENT, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_open(
    const char *schema, size_t length, const routable_schema_options *options, routable_schema **out, routable_error **error);
/* Returns the schema of a named type of a router.  Statuses: UNKNOWN, DOCUMENT (the schema is not valid), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_of_type(
    const routable_router *router, const char *type, routable_schema **out, routable_error **error);
/* Frees the schema. */
ROUTABLE_API void routable_schema_free(routable_schema *schema);

/* Validates JSON against a schema.  If the value is not valid against the schema, the function returns BODY, and the error has
 * JSON pointers into the value and into the schema.  routable_error_next returns further errors, up to `max_errors` in total; 0
 * means 1, and the maximum is 256.  A validation that exceeds the limits on its time and memory fails with LIMIT
 * (docs/types.md).
 * Statuses: JSON, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_validate(
    const routable_schema *schema, const char *json, size_t length, size_t max_errors, routable_error **error);

enum { ROUTABLE_SAMPLE_VARIED = 1 }; /* edges: empty and long strings, Unicode, large numbers, null; by default, values are short
                                        and usual, and objects have nearly all declared members */

/* Generates a JSON value that is valid against the schema.  The same schema, seed and flags give the same value on every machine.
 * If no valid value was found, the function returns UNSUPPORTED: the schema accepts nothing, or it has keywords that the generator
 * rarely satisfies, such as "not", or a "pattern" with classes of Unicode.
 * Statuses: UNSUPPORTED, LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_sample(
    const routable_schema *schema, uint64_t seed, uint32_t flags, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
