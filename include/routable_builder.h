/* routable_builder.h - descriptions that are built by function calls instead of JSON.
 *
 * A `const char *` in options may be NULL unless its comment states otherwise.  The conventions are those of routable.h.
 */
#ifndef ROUTABLE_BUILDER_H
#define ROUTABLE_BUILDER_H

#include "routable_introspection.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_builder routable_builder;

/* The encoding of a form in a query or a body; docs/encodings.md shows the output for each value.  NULL selects the value that
 * is listed first.  The encoding of a single query parameter may set only arrays, first_index, booleans, empty_arrays, spaces,
 * escape and newlines. */
typedef struct routable_encoding_options {
    size_t size;              /* sizeof(routable_encoding_options) */
    const char *to;           /* "method" (query for GET, HEAD and DELETE, else body), "query", "body" */
    const char *as;           /* in a body: "form", "json" */
    const char *arrays;       /* "brackets" (a[]=1), "none" (a=1), "index" (a[0]=1), "comma" (a=1,2), or a format with {key}
                                 and optionally {index}: "{key}.{index}" (a.0=1) */
    const char *booleans;     /* "numeric" (1, 0), "literal" (true, false) */
    const char *nulls;        /* "drop", "empty" (a=), "null" (a=null) */
    const char *empty_arrays; /* "drop", "empty" */
    const char *order;        /* order of keys: "sorted" (by their bytes), "given" (the order of the call) */
    const char *key_paths;    /* "brackets" (a[b]=1), "dots" (a.b=1) */
    const char *key_case;     /* "given", "snake", "kebab", "capitalized", "upper", "lower" */
    const char *spaces;       /* "percent" (%20), "plus" (+) */
    const char *escape;       /* unescaped symbols: "query" (-._~/?), "unreserved" (-._~), "whatwg" (*-._, and + for a space) */
    const char *newlines;     /* "given", "crlf" */
    size_t first_index;       /* index of the first element of an array; at most 1000000 */
} routable_encoding_options;
#define ROUTABLE_ENCODING_OPTIONS_INIT \
    { sizeof(routable_encoding_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 }

enum {
    ROUTABLE_PARAMETER_REQUIRED = 1,   /* calls must pass the parameter, unless it has a default; path parameters are always
                                          required */
    ROUTABLE_PARAMETER_MINIMUM = 2,    /* `minimum` is used */
    ROUTABLE_PARAMETER_MAXIMUM = 4,    /* `maximum` is used */
    ROUTABLE_PARAMETER_ALLOW_EMPTY = 8 /* path parameters: the value may be the empty string */
};

/* A path, query, header or cookie parameter, or an id of a resource. */
typedef struct routable_parameter_options {
    size_t size; /* sizeof(routable_parameter_options) */
    const char *name;             /* not NULL; "name..." for an id of one or more segments */
    routable_location location;   /* ignored for an id of a resource */
    uint32_t flags;               /* ROUTABLE_PARAMETER_* */
    const char *type;             /* "string" (or NULL), "integer", "number", "boolean" */
    const char *format;           /* "uuid", "date", "date-time" */
    const char *pattern;          /* a regular expression, which must match the whole value */
    const char *const *values;    /* the allowed values; with a `value_count` of 0, all values are allowed */
    size_t value_count;
    size_t min_length;            /* in characters */
    size_t max_length;            /* in characters; 0: no limit */
    double minimum, maximum;      /* used if their flag is set */
    routable_value default_value; /* ROUTABLE_KIND_NULL: none */
    const routable_encoding_options *encoding; /* query parameters only; NULL: strings and numbers are written unchanged, and
                                                  booleans as true and false, whatever the encoding of the operation is */
} routable_parameter_options;
#define ROUTABLE_PARAMETER_OPTIONS_INIT \
    { sizeof(routable_parameter_options), NULL, ROUTABLE_IN_PATH, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, \
        ROUTABLE_VALUE_INIT, NULL }

enum {
    ROUTABLE_RESOURCE_NESTED = 1, /* reachable only below its parents */
    ROUTABLE_RESOURCE_SHALLOW = 2 /* only the collection is nested below a parent; the members are reachable from the root */
};

/* A resource. */
typedef struct routable_resource_options {
    size_t size; /* sizeof(routable_resource_options) */
    const char *name;                     /* not NULL */
    const char *path;                     /* not NULL; the segments before the ids ("users"), relative to the parent, without
                                             parameters and without a trailing slash; "" if there are none */
    uint32_t can;                         /* ROUTABLE_CAN_* */
    uint32_t flags;                       /* ROUTABLE_RESOURCE_* */
    const routable_parameter_options *ids; /* the ids of a member, from left to right; all with the same `size` */
    size_t id_count;                      /* 0: the resource has one id, a string with the name "id" */
} routable_resource_options;
#define ROUTABLE_RESOURCE_OPTIONS_INIT { sizeof(routable_resource_options), NULL, NULL, 0, 0, NULL, 0 }

/* An operation of a resource, or a standalone operation. */
typedef struct routable_operation_options {
    size_t size; /* sizeof(routable_operation_options) */
    const char *name;     /* not NULL */
    const char *method;   /* not NULL */
    const char *path;     /* not NULL; a template ("files/{path...}/raw"), relative to the collection, member or root */
    const char *resource; /* NULL: a standalone operation */
    routable_place place; /* for an operation of a resource: ROUTABLE_ON_COLLECTION or ROUTABLE_ON_MEMBER; ignored for a
                             standalone operation */
    uint32_t flags;       /* 0 */
    const routable_parameter_options *parameters; /* all with the same `size` */
    size_t parameter_count;
    const routable_encoding_options *encoding; /* NULL: the encoding of the builder */
} routable_operation_options;
#define ROUTABLE_OPERATION_OPTIONS_INIT \
    { sizeof(routable_operation_options), NULL, NULL, NULL, NULL, ROUTABLE_ON_COLLECTION, 0, NULL, 0, NULL }

/* Makes a builder.  If `base` is NULL, each call must set a base, and plans cannot write URLs.  Statuses: URL, UNSUPPORTED (a
 * Unix socket), LIMIT (a base of more than 8 MiB), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_new(
    const char *name, const char *base, routable_builder **out, routable_error **error);
/* Frees the builder.  Routers that were made from it remain valid. */
ROUTABLE_API void routable_builder_free(routable_builder *builder);
/* Sets the default encoding of all operations.  NULL restores the defaults of the library.  Statuses: DOCUMENT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_set_encoding(
    routable_builder *builder, const routable_encoding_options *encoding, routable_error **error);
/* Adds a resource.  Statuses: DOCUMENT, CONFLICT, JSON (a default value), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_add_resource(
    routable_builder *builder, const routable_resource_options *resource, routable_error **error);
/* Nests the resource `child` below the resource `parent`.  Both may be added before or after this call; if one is not added,
 * routable_builder_build returns DOCUMENT.  Statuses: CONFLICT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_nest(
    routable_builder *builder, const char *parent, const char *child, routable_error **error);
/* Adds an operation.  Statuses: DOCUMENT, CONFLICT, JSON (a default value), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_add_operation(
    routable_builder *builder, const routable_operation_options *operation, routable_error **error);
/* Makes a router.  The builder remains usable.  Statuses: DOCUMENT, CONFLICT, UNSUPPORTED, LIMIT, URL, HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_build(
    const routable_builder *builder, routable_router **out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
