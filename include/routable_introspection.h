/* routable_introspection.h - resources, operations, parameters and types of a router.
 *
 * Returned strings and objects are borrowed from the router.  If an index is out of range, the functions return NULL or the empty
 * string.
 * The other conventions are those of routable.h.
 */
#ifndef ROUTABLE_INTROSPECTION_H
#define ROUTABLE_INTROSPECTION_H

#include "routable_router.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_resource routable_resource;
typedef struct routable_operation routable_operation;
typedef struct routable_parameter routable_parameter;

/* ------------------------------------------------------------------------------------------------
 * Resources
 */

enum { /* capabilities, as bits */
    ROUTABLE_CAN_LIST = 1,
    ROUTABLE_CAN_READ = 2,
    ROUTABLE_CAN_CREATE = 4,
    ROUTABLE_CAN_UPDATE = 8,
    ROUTABLE_CAN_PATCH = 16,
    ROUTABLE_CAN_DELETE = 32
};

/* All resources, in the order of declaration.  The resources of an OpenAPI or Swagger document are derived from its paths, on the
 * first call of a function that needs them (docs/openapi.md, "The graph of a document"); the count is 0 if they exceed a limit. */
ROUTABLE_API size_t routable_router_resource_count(const routable_router *router);
ROUTABLE_API const routable_resource *routable_router_resource_at(const routable_router *router, size_t index);
/* The resource with this name, or NULL.  For resources that are derived from paths, `name` is the route that leads to the
 * resource, such as "repos.issues". */
ROUTABLE_API const routable_resource *routable_router_resource(const routable_router *router, const char *name);

/* Returns 1 if the resources are derived from the paths of operations, otherwise 0.  Since 0.2.0. */
ROUTABLE_API int32_t routable_router_derives_resources(const routable_router *router);
/* The operation of a derived resource that is the standalone operation with this name, or NULL if no route leads to it.  Both
 * build the same requests.  Since 0.2.0. */
ROUTABLE_API const routable_operation *routable_router_resource_operation(const routable_router *router, const char *name);

/* The name ("user"), and the path without ids ("users"), which may be empty. */
ROUTABLE_API routable_str routable_resource_name(const routable_resource *resource);
ROUTABLE_API routable_str routable_resource_path(const routable_resource *resource);
/* The name of the type, and the description; both may be empty. */
ROUTABLE_API routable_str routable_resource_type(const routable_resource *resource);
ROUTABLE_API routable_str routable_resource_description(const routable_resource *resource);
ROUTABLE_API uint32_t routable_resource_capabilities(const routable_resource *resource); /* ROUTABLE_CAN_* */
/* The ids in the path of a member of the resource, from left to right; at least one.  The path of the collection contains all
 * of these ids except the last.  A resource that is derived from paths may have no ids ("/user"), and the path of its collection
 * contains none of its ids. */
ROUTABLE_API size_t routable_resource_id_count(const routable_resource *resource);
ROUTABLE_API const routable_parameter *routable_resource_id_at(const routable_resource *resource, size_t index);
/* The child resources: those that are declared directly below this resource. */
ROUTABLE_API size_t routable_resource_child_count(const routable_resource *resource);
ROUTABLE_API const routable_resource *routable_resource_child_at(const routable_resource *resource, size_t index);
/* Returns 0 if the resource is declared as nested, otherwise 1.  A route may start with a nested resource only if the resource is
 * shallow; the operations of its collection then require a parent. */
ROUTABLE_API int32_t routable_resource_is_root(const routable_resource *resource);
/* The route that leads to the resource ("user", or "repos.issues" for a resource that is derived from paths); empty if the resource
 * is declared as nested, because several routes may lead to it.  Since 0.2.0. */
ROUTABLE_API routable_str routable_resource_route(const routable_resource *resource);
/* The operations: one for each capability (list, read, create, update, patch, delete), then the additional operations. */
ROUTABLE_API size_t routable_resource_operation_count(const routable_resource *resource);
ROUTABLE_API const routable_operation *routable_resource_operation_at(const routable_resource *resource, size_t index);
/* The value of an `x-` key of the resource as JSON; empty if there is none.  `key` includes the prefix: "x-owner". */
ROUTABLE_API routable_str routable_resource_user_data(const routable_resource *resource, const char *key);

/* ------------------------------------------------------------------------------------------------
 * Operations
 */

/* Standalone operations, which do not belong to a resource. */
ROUTABLE_API size_t routable_router_operation_count(const routable_router *router);
ROUTABLE_API const routable_operation *routable_router_operation_at(const routable_router *router, size_t index);
/* The standalone operation with this name, or NULL. */
ROUTABLE_API const routable_operation *routable_router_operation(const routable_router *router, const char *name);

/* The part of the API that the declared path of an operation is relative to: the collection, a member, or the root. */
typedef ROUTABLE_ENUM(routable_place) {
    ROUTABLE_ON_COLLECTION = 0,
    ROUTABLE_ON_MEMBER = 1,
    ROUTABLE_ON_ROOT = 2
} routable_place;

/* Whether a route reaches the resource from the collection or a member of its parent, or from the root: ROUTABLE_ON_MEMBER for
 * resources that are declared as nested.  ROUTABLE_ON_COLLECTION for NULL.  Since 0.2.0. */
ROUTABLE_API routable_place routable_resource_place(const routable_resource *resource);

/* The name, such as "read" or "search". */
ROUTABLE_API routable_str routable_operation_name(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_method(const routable_operation *operation); /* "GET" */
/* The path template.  For an operation of a resource, the template contains the path and the ids of the resource, and is
 * relative to the parent of the resource ("users/{username}").  For a standalone operation, the template is relative to the
 * root ("/search"), and so is that of an operation of a derived resource. */
ROUTABLE_API routable_str routable_operation_path(const routable_operation *operation);
/* The description; may be empty. */
ROUTABLE_API routable_str routable_operation_description(const routable_operation *operation);
/* The part of the API that the declared path is relative to; ROUTABLE_ON_COLLECTION for NULL. */
ROUTABLE_API routable_place routable_operation_place(const routable_operation *operation);
/* The name of the type of the request body, and of the first declared response for a success that has a schema.  Empty if no
 * schema is declared, or if the schema has no name.  For several media types, the body type is that of the preferred one.
 * routable_operation_body_schema and routable_operation_result_schema also return schemas without a name. */
ROUTABLE_API routable_str routable_operation_body_type(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_result_type(const routable_operation *operation);
/* Media types accepted for the request body, preferred first; 0 if the document lists none. */
ROUTABLE_API size_t routable_operation_media_type_count(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_media_type_at(const routable_operation *operation, size_t index);
/* The operation object of an OpenAPI document, as JSON; empty for other documents.  Not NUL-terminated. */
ROUTABLE_API routable_str routable_operation_source(const routable_operation *operation);
/* The parameters of the operation: in the path (including the ids of its resource), the query, the headers and the cookies, in
 * this order. */
ROUTABLE_API size_t routable_operation_parameter_count(const routable_operation *operation);
ROUTABLE_API const routable_parameter *routable_operation_parameter_at(const routable_operation *operation, size_t index);
/* The value of an `x-` key of the operation as JSON; empty if there is none.  `key` includes the prefix: "x-owner". */
ROUTABLE_API routable_str routable_operation_user_data(const routable_operation *operation, const char *key);

/* For an operation of a derived resource, its name as a standalone operation, which is the `operationId`; otherwise empty.
 * Since 0.2.0. */
ROUTABLE_API routable_str routable_operation_standalone_name(const routable_operation *operation);

/* --- The schemas of an operation, named or inline --- */

/* The JSON Schema of the request body, as the document declares it.  If the schema consists only of a reference, the function
 * returns the schema that the reference points to.  `media_type` selects one of several declared bodies; NULL selects the
 * preferred one.  Route documents have one schema for all media types.
 * Statuses: UNKNOWN (no schema is declared), BODY (the media type is not declared), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_body_schema(
    const routable_router *router, const routable_operation *operation, const char *media_type, routable_string *out,
    routable_error **error);
/* The JSON Schema of the response body for a status, which may be an error status.  For a list of the resource's type, the
 * function returns the schema of the array.  If no schema is declared for the status, the error lists the statuses that have a
 * schema.
 * Statuses: UNKNOWN (no schema is declared for the status, or the declared array is only a part of the body), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_result_schema(
    const routable_router *router, const routable_operation *operation, int32_t status, routable_string *out,
    routable_error **error);
/* Validates JSON against the schema of the request body.  Members that are readOnly are not required.  `media_type` may be
 * NULL, as in routable_operation_body_schema.  `max_errors` and the errors have the same meaning as in
 * routable_schema_validate.
 * Statuses: JSON, BODY, UNKNOWN, DOCUMENT (the schema is not valid), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_check_body(
    const routable_router *router, const routable_operation *operation, const char *media_type, const char *json, size_t length,
    size_t max_errors, routable_error **error);
/* Generates a valid request body, without members that are readOnly.  `media_type` may be NULL, as in
 * routable_operation_body_schema.  `seed` and `flags` (ROUTABLE_SAMPLE_VARIED) have the same meaning as in routable_schema_sample.
 * Statuses: BODY, UNKNOWN, DOCUMENT, UNSUPPORTED (no valid value was found), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_sample_body(
    const routable_router *router, const routable_operation *operation, const char *media_type, uint64_t seed, uint32_t flags,
    routable_string *out, routable_error **error);
/* Generates a valid response body for a status, without members that are writeOnly.
 * Statuses: UNKNOWN, DOCUMENT, UNSUPPORTED (no valid value was found), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_sample_result(
    const routable_router *router, const routable_operation *operation, int32_t http_status, uint64_t seed, uint32_t flags,
    routable_string *out, routable_error **error);
/* Validates JSON against the schema of the response body for a status.  Members that are writeOnly are not required.
 * `max_errors` and the errors have the same meaning as in routable_schema_validate.
 * Statuses: JSON, BODY, UNKNOWN, DOCUMENT (the schema is not valid), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_check_result(
    const routable_router *router, const routable_operation *operation, int32_t status, const char *json, size_t length,
    size_t max_errors, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Parameters
 */

/* The part of a request that contains the value of a parameter. */
typedef ROUTABLE_ENUM(routable_location) {
    ROUTABLE_IN_PATH = 0,
    ROUTABLE_IN_QUERY = 1,
    ROUTABLE_IN_HEADER = 2,
    ROUTABLE_IN_COOKIE = 3
} routable_location;

/* The name, without the dots of {name...}. */
ROUTABLE_API routable_str routable_parameter_name(const routable_parameter *parameter);
/* The part of the request that contains the value; ROUTABLE_IN_PATH for NULL. */
ROUTABLE_API routable_location routable_parameter_location(const routable_parameter *parameter);
ROUTABLE_API routable_str routable_parameter_type(const routable_parameter *parameter); /* "string", "integer", ... */
/* Returns 1 if the parameter is declared as required, otherwise 0.  Calls must pass a required parameter, unless it has a
 * default. */
ROUTABLE_API int32_t routable_parameter_is_required(const routable_parameter *parameter);
/* Returns 1 if the value of a path parameter may have several segments ({name...}), otherwise 0. */
ROUTABLE_API int32_t routable_parameter_takes_segments(const routable_parameter *parameter);
/* Returns 1 if the value of a path parameter may be the empty string, otherwise 0. */
ROUTABLE_API int32_t routable_parameter_allows_empty(const routable_parameter *parameter);
/* The description; may be empty. */
ROUTABLE_API routable_str routable_parameter_description(const routable_parameter *parameter);
/* The serialization style (docs/openapi.md, "Styles"): "simple", "label", "matrix", "form", "spaceDelimited",
 * "pipeDelimited", "deepObject", "cookie", "content".  Static. */
ROUTABLE_API const char *routable_parameter_style(const routable_parameter *parameter);
/* Parses a parameter's value into JSON.  `index` is the parameter's index in the operation.  `string` is the matched segment
 * for a path parameter, the whole query without `?` for a query parameter, the field's value for a header parameter, and the
 * value of the Cookie field for a cookie parameter.
 * Statuses: NO_MATCH (the parameter is absent), VALUE, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_parameter_read(
    const routable_router *router, const routable_operation *operation, size_t index, routable_str string,
    routable_string *out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Types and user data of the document
 */

/* The named types: their names and JSON Schemas.  A schema of an OpenAPI document is not NUL-terminated. */
ROUTABLE_API size_t routable_router_type_count(const routable_router *router);
ROUTABLE_API routable_str routable_router_type_name_at(const routable_router *router, size_t index);
ROUTABLE_API routable_str routable_router_type_schema_at(const routable_router *router, size_t index);
/* The value of a top-level `x-` key of the document as JSON; empty if there is none.  `key` includes the prefix: "x-owner". */
ROUTABLE_API routable_str routable_router_user_data(const routable_router *router, const char *key);

#ifdef __cplusplus
}
#endif
#endif
