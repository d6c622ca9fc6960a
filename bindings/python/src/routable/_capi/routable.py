# Written by scripts/interface from include/routable.h: change the header, then run scripts/interface.
"""The prototypes of include/routable.h, in its order."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_void_p,
)

from .function import _function

# --------------------------------------------------------------------------------------------------
# Version

# uint32_t routable_version(void);
routable_version = _function("routable_version", c_uint32, [])

# const char *routable_version_text(void);
routable_version_text = _function("routable_version_text", c_char_p, [])


# --------------------------------------------------------------------------------------------------
# Status: what happened. Values are never reused.

routable_status = c_int32
ROUTABLE_OK = 0
ROUTABLE_NO_MATCH = 1
ROUTABLE_METHOD_NOT_ALLOWED = 2
ROUTABLE_PENDING = 3
ROUTABLE_CANCELLED = 4
ROUTABLE_IDLE = 5
ROUTABLE_ERR_ARGUMENT = 16
ROUTABLE_ERR_BUFFER = 17
ROUTABLE_ERR_JSON = 18
ROUTABLE_ERR_DOCUMENT = 19
ROUTABLE_ERR_CONFLICT = 20
ROUTABLE_ERR_UNSUPPORTED = 21
ROUTABLE_ERR_UNKNOWN = 22
ROUTABLE_ERR_NOT_ALLOWED = 23
ROUTABLE_ERR_ID = 24
ROUTABLE_ERR_VALUE = 25
ROUTABLE_ERR_SHADOWED = 26
ROUTABLE_ERR_PARAMETER = 27
ROUTABLE_ERR_BODY = 28
ROUTABLE_ERR_URL = 29
ROUTABLE_ERR_HEADER = 30
ROUTABLE_ERR_LIMIT = 31
ROUTABLE_ERR_FILE = 32
ROUTABLE_ERR_NO_CURL = 33
ROUTABLE_ERR_TRANSFER = 34
ROUTABLE_ERR_TIMEOUT = 35
ROUTABLE_ERR_TLS = 36
ROUTABLE_ERR_HTTP_STATUS = 37
ROUTABLE_ERR_RESPONSE = 38
ROUTABLE_ERR_CREDENTIAL = 39
ROUTABLE_ERR_INTERNAL = 40
ROUTABLE_ERR_CALLBACK = 41
ROUTABLE_ERR_EXCESSIVE_REFRESH = 42

# const char *routable_status_name(routable_status status);
routable_status_name = _function("routable_status_name", c_char_p, [routable_status])


# --------------------------------------------------------------------------------------------------
# Text


class routable_str(Structure):
    """`typedef struct routable_str { ... } routable_str;`"""

    _fields_ = [
        ("ptr", POINTER(c_char)),
        ("len", c_size_t),
    ]


class routable_string(Structure):
    """`typedef struct routable_string { ... } routable_string;`"""

    _fields_ = [
        ("ptr", POINTER(c_char)),
        ("len", c_size_t),
    ]


# void routable_string_free(routable_string *string);
routable_string_free = _function("routable_string_free", None, [POINTER(routable_string)])


# --------------------------------------------------------------------------------------------------
# Values: what is put into a path, a query, a header or a form

routable_kind = c_int32
ROUTABLE_NULL = 0
ROUTABLE_BOOLEAN = 1
ROUTABLE_INTEGER = 2
ROUTABLE_REAL = 3
ROUTABLE_TEXT = 4
ROUTABLE_JSON = 5


class routable_value_as(Union):
    """The union `as` of routable_value."""

    _fields_ = [("integer", c_int64), ("real", c_double), ("text", routable_str)]


class routable_value(Structure):
    """`typedef struct routable_value { ... } routable_value;`"""

    _fields_ = [
        ("kind", routable_kind),
        ("reserved", c_int32),
        ("as_", routable_value_as),
    ]


class routable_argument(Structure):
    """`typedef struct routable_argument { ... } routable_argument;`"""

    _fields_ = [
        ("name", c_char_p),
        ("value", routable_value),
    ]


# --------------------------------------------------------------------------------------------------
# Errors: why, where, and what would be allowed. Immutable; yours to free.


class routable_error(Structure):
    """`typedef struct routable_error routable_error;`"""


class routable_response(Structure):
    """`typedef struct routable_response routable_response;`"""


ROUTABLE_NO_OFFSET = 18446744073709551615

# routable_status routable_error_status(const routable_error *error);
routable_error_status = _function("routable_error_status", routable_status, [POINTER(routable_error)])

# routable_str routable_error_message(const routable_error *error);
routable_error_message = _function("routable_error_message", routable_str, [POINTER(routable_error)])

# routable_str routable_error_pointer(const routable_error *error);
routable_error_pointer = _function("routable_error_pointer", routable_str, [POINTER(routable_error)])

# routable_str routable_error_schema_pointer(const routable_error *error);
routable_error_schema_pointer = _function("routable_error_schema_pointer", routable_str, [POINTER(routable_error)])

# size_t routable_error_offset(const routable_error *error);
routable_error_offset = _function("routable_error_offset", c_size_t, [POINTER(routable_error)])

# size_t routable_error_line(const routable_error *error);
routable_error_line = _function("routable_error_line", c_size_t, [POINTER(routable_error)])

# size_t routable_error_column(const routable_error *error);
routable_error_column = _function("routable_error_column", c_size_t, [POINTER(routable_error)])

# routable_str routable_error_route(const routable_error *error);
routable_error_route = _function("routable_error_route", routable_str, [POINTER(routable_error)])

# routable_str routable_error_operation(const routable_error *error);
routable_error_operation = _function("routable_error_operation", routable_str, [POINTER(routable_error)])

# routable_str routable_error_parameter(const routable_error *error);
routable_error_parameter = _function("routable_error_parameter", routable_str, [POINTER(routable_error)])

# size_t routable_error_allowed_count(const routable_error *error);
routable_error_allowed_count = _function("routable_error_allowed_count", c_size_t, [POINTER(routable_error)])

# routable_str routable_error_allowed_at(const routable_error *error, size_t index);
routable_error_allowed_at = _function("routable_error_allowed_at", routable_str, [POINTER(routable_error), c_size_t])

# routable_str routable_error_suggestion(const routable_error *error);
routable_error_suggestion = _function("routable_error_suggestion", routable_str, [POINTER(routable_error)])

# int32_t routable_error_http_status(const routable_error *error);
routable_error_http_status = _function("routable_error_http_status", c_int32, [POINTER(routable_error)])

# int32_t routable_error_curl_code(const routable_error *error);
routable_error_curl_code = _function("routable_error_curl_code", c_int32, [POINTER(routable_error)])

# const routable_response *routable_error_response(const routable_error *error);
routable_error_response = _function("routable_error_response", POINTER(routable_response), [POINTER(routable_error)])

# const routable_error *routable_error_next(const routable_error *error);
routable_error_next = _function("routable_error_next", POINTER(routable_error), [POINTER(routable_error)])

# routable_status routable_error_to_json(const routable_error *error, routable_string *out);
routable_error_to_json = _function(
    "routable_error_to_json", routable_status,
    [POINTER(routable_error), POINTER(routable_string)],
)

# void routable_error_free(routable_error *error);
routable_error_free = _function("routable_error_free", None, [POINTER(routable_error)])


# --------------------------------------------------------------------------------------------------
# Router: a description, immutable once opened, shared by any number of threads


class routable_router(Structure):
    """`typedef struct routable_router routable_router;`"""


class routable_schema_document(Structure):
    """`typedef struct routable_schema_document { ... } routable_schema_document;`"""

    _fields_ = [
        ("uri", routable_str),
        ("text", routable_str),
    ]


class routable_open_options(Structure):
    """`typedef struct routable_open_options { ... } routable_open_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("max_document_bytes", c_size_t),
        ("base", c_char_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("documents", POINTER(routable_schema_document)),
        ("document_count", c_size_t),
        ("uri", c_char_p),
    ]


# routable_status routable_router_open(routable_str document, const routable_open_options *options, routable_router
#     **out, routable_error **error);
routable_router_open = _function(
    "routable_router_open", routable_status,
    [routable_str, POINTER(routable_open_options), POINTER(POINTER(routable_router)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_router_open_file(const char *path, const routable_open_options *options, routable_router
#     **out, routable_error **error);
routable_router_open_file = _function(
    "routable_router_open_file", routable_status,
    [c_char_p, POINTER(routable_open_options), POINTER(POINTER(routable_router)), POINTER(POINTER(routable_error))],
)

# void routable_router_free(routable_router *router);
routable_router_free = _function("routable_router_free", None, [POINTER(routable_router)])

# routable_str routable_router_name(const routable_router *router);
routable_router_name = _function("routable_router_name", routable_str, [POINTER(routable_router)])

# routable_str routable_router_base(const routable_router *router);
routable_router_base = _function("routable_router_base", routable_str, [POINTER(routable_router)])

# routable_status routable_router_document(const routable_router *router, routable_string *out, routable_error
#     **error);
routable_router_document = _function(
    "routable_router_document", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Router: a description, immutable once opened, shared by any number of threads: The road map

# routable_status routable_router_map(const routable_router *router, routable_string *out, routable_error **error);
routable_router_map = _function(
    "routable_router_map", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

routable_routes_format = c_int32
ROUTABLE_ROUTES_TABLE = 0
ROUTABLE_ROUTES_JSON = 1

# routable_status routable_router_routes(const routable_router *router, routable_routes_format format, routable_string
#     *out, routable_error **error);
routable_router_routes = _function(
    "routable_router_routes", routable_status,
    [POINTER(routable_router), routable_routes_format, POINTER(routable_string), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Router: a description, immutable once opened, shared by any number of threads: Introspection:
# everything borrowed from the router; an index beyond the end gives NULL


class routable_resource(Structure):
    """`typedef struct routable_resource routable_resource;`"""


class routable_operation(Structure):
    """`typedef struct routable_operation routable_operation;`"""


class routable_parameter(Structure):
    """`typedef struct routable_parameter routable_parameter;`"""


ROUTABLE_CAN_LIST = 1
ROUTABLE_CAN_READ = 2
ROUTABLE_CAN_CREATE = 4
ROUTABLE_CAN_UPDATE = 8
ROUTABLE_CAN_PATCH = 16
ROUTABLE_CAN_DELETE = 32

# size_t routable_router_resource_count(const routable_router *router);
routable_router_resource_count = _function("routable_router_resource_count", c_size_t, [POINTER(routable_router)])

# const routable_resource *routable_router_resource_at(const routable_router *router, size_t index);
routable_router_resource_at = _function(
    "routable_router_resource_at", POINTER(routable_resource),
    [POINTER(routable_router), c_size_t],
)

# const routable_resource *routable_router_resource(const routable_router *router, const char *name);
routable_router_resource = _function(
    "routable_router_resource", POINTER(routable_resource),
    [POINTER(routable_router), c_char_p],
)

# routable_str routable_resource_name(const routable_resource *resource);
routable_resource_name = _function("routable_resource_name", routable_str, [POINTER(routable_resource)])

# routable_str routable_resource_path(const routable_resource *resource);
routable_resource_path = _function("routable_resource_path", routable_str, [POINTER(routable_resource)])

# routable_str routable_resource_type(const routable_resource *resource);
routable_resource_type = _function("routable_resource_type", routable_str, [POINTER(routable_resource)])

# routable_str routable_resource_description(const routable_resource *resource);
routable_resource_description = _function("routable_resource_description", routable_str, [POINTER(routable_resource)])

# uint32_t routable_resource_capabilities(const routable_resource *resource);
routable_resource_capabilities = _function("routable_resource_capabilities", c_uint32, [POINTER(routable_resource)])

# const routable_parameter *routable_resource_id(const routable_resource *resource);
routable_resource_id = _function("routable_resource_id", POINTER(routable_parameter), [POINTER(routable_resource)])

# size_t routable_resource_child_count(const routable_resource *resource);
routable_resource_child_count = _function("routable_resource_child_count", c_size_t, [POINTER(routable_resource)])

# const routable_resource *routable_resource_child_at(const routable_resource *resource, size_t index);
routable_resource_child_at = _function(
    "routable_resource_child_at", POINTER(routable_resource),
    [POINTER(routable_resource), c_size_t],
)

# int32_t routable_resource_is_root(const routable_resource *resource);
routable_resource_is_root = _function("routable_resource_is_root", c_int32, [POINTER(routable_resource)])

# size_t routable_resource_operation_count(const routable_resource *resource);
routable_resource_operation_count = _function(
    "routable_resource_operation_count", c_size_t,
    [POINTER(routable_resource)],
)

# const routable_operation *routable_resource_operation_at(const routable_resource *resource, size_t index);
routable_resource_operation_at = _function(
    "routable_resource_operation_at", POINTER(routable_operation),
    [POINTER(routable_resource), c_size_t],
)

# routable_str routable_resource_user_data(const routable_resource *resource, const char *key);
routable_resource_user_data = _function(
    "routable_resource_user_data", routable_str,
    [POINTER(routable_resource), c_char_p],
)

# size_t routable_router_operation_count(const routable_router *router);
routable_router_operation_count = _function("routable_router_operation_count", c_size_t, [POINTER(routable_router)])

# const routable_operation *routable_router_operation_at(const routable_router *router, size_t index);
routable_router_operation_at = _function(
    "routable_router_operation_at", POINTER(routable_operation),
    [POINTER(routable_router), c_size_t],
)

# const routable_operation *routable_router_operation(const routable_router *router, const char *name);
routable_router_operation = _function(
    "routable_router_operation", POINTER(routable_operation),
    [POINTER(routable_router), c_char_p],
)

routable_place = c_int32
ROUTABLE_ON_COLLECTION = 0
ROUTABLE_ON_MEMBER = 1
ROUTABLE_ON_ROOT = 2

# routable_str routable_operation_name(const routable_operation *operation);
routable_operation_name = _function("routable_operation_name", routable_str, [POINTER(routable_operation)])

# routable_str routable_operation_method(const routable_operation *operation);
routable_operation_method = _function("routable_operation_method", routable_str, [POINTER(routable_operation)])

# routable_str routable_operation_path(const routable_operation *operation);
routable_operation_path = _function("routable_operation_path", routable_str, [POINTER(routable_operation)])

# routable_str routable_operation_description(const routable_operation *operation);
routable_operation_description = _function(
    "routable_operation_description", routable_str,
    [POINTER(routable_operation)],
)

# routable_place routable_operation_place(const routable_operation *operation);
routable_operation_place = _function("routable_operation_place", routable_place, [POINTER(routable_operation)])

# routable_str routable_operation_body_type(const routable_operation *operation);
routable_operation_body_type = _function("routable_operation_body_type", routable_str, [POINTER(routable_operation)])

# routable_str routable_operation_result_type(const routable_operation *operation);
routable_operation_result_type = _function(
    "routable_operation_result_type", routable_str,
    [POINTER(routable_operation)],
)

# size_t routable_operation_media_type_count(const routable_operation *operation);
routable_operation_media_type_count = _function(
    "routable_operation_media_type_count", c_size_t,
    [POINTER(routable_operation)],
)

# routable_str routable_operation_media_type_at(const routable_operation *operation, size_t index);
routable_operation_media_type_at = _function(
    "routable_operation_media_type_at", routable_str,
    [POINTER(routable_operation), c_size_t],
)

# routable_str routable_operation_source(const routable_operation *operation);
routable_operation_source = _function("routable_operation_source", routable_str, [POINTER(routable_operation)])

# size_t routable_operation_parameter_count(const routable_operation *operation);
routable_operation_parameter_count = _function(
    "routable_operation_parameter_count", c_size_t,
    [POINTER(routable_operation)],
)

# const routable_parameter *routable_operation_parameter_at(const routable_operation *operation, size_t index);
routable_operation_parameter_at = _function(
    "routable_operation_parameter_at", POINTER(routable_parameter),
    [POINTER(routable_operation), c_size_t],
)

# routable_str routable_operation_user_data(const routable_operation *operation, const char *key);
routable_operation_user_data = _function(
    "routable_operation_user_data", routable_str,
    [POINTER(routable_operation), c_char_p],
)

routable_location = c_int32
ROUTABLE_IN_PATH = 0
ROUTABLE_IN_QUERY = 1
ROUTABLE_IN_HEADER = 2
ROUTABLE_IN_COOKIE = 3

# routable_str routable_parameter_name(const routable_parameter *parameter);
routable_parameter_name = _function("routable_parameter_name", routable_str, [POINTER(routable_parameter)])

# routable_location routable_parameter_location(const routable_parameter *parameter);
routable_parameter_location = _function("routable_parameter_location", routable_location, [POINTER(routable_parameter)])

# routable_str routable_parameter_type(const routable_parameter *parameter);
routable_parameter_type = _function("routable_parameter_type", routable_str, [POINTER(routable_parameter)])

# int32_t routable_parameter_is_required(const routable_parameter *parameter);
routable_parameter_is_required = _function("routable_parameter_is_required", c_int32, [POINTER(routable_parameter)])

# routable_str routable_parameter_description(const routable_parameter *parameter);
routable_parameter_description = _function(
    "routable_parameter_description", routable_str,
    [POINTER(routable_parameter)],
)

# const char *routable_parameter_style(const routable_parameter *parameter);
routable_parameter_style = _function("routable_parameter_style", c_char_p, [POINTER(routable_parameter)])

# routable_status routable_parameter_read(const routable_router *router, const routable_operation *operation, size_t
#     index, routable_str text, routable_string *out, routable_error **error);
routable_parameter_read = _function(
    "routable_parameter_read", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_size_t, routable_str, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# size_t routable_router_type_count(const routable_router *router);
routable_router_type_count = _function("routable_router_type_count", c_size_t, [POINTER(routable_router)])

# routable_str routable_router_type_name_at(const routable_router *router, size_t index);
routable_router_type_name_at = _function(
    "routable_router_type_name_at", routable_str,
    [POINTER(routable_router), c_size_t],
)

# routable_str routable_router_type_schema_at(const routable_router *router, size_t index);
routable_router_type_schema_at = _function(
    "routable_router_type_schema_at", routable_str,
    [POINTER(routable_router), c_size_t],
)

# routable_str routable_router_user_data(const routable_router *router, const char *key);
routable_router_user_data = _function("routable_router_user_data", routable_str, [POINTER(routable_router), c_char_p])


# --------------------------------------------------------------------------------------------------
# Builder: the same graph without JSON


class routable_builder(Structure):
    """`typedef struct routable_builder routable_builder;`"""


ROUTABLE_RESOURCE_NESTED = 1
ROUTABLE_RESOURCE_SHALLOW = 2

ROUTABLE_PARAMETER_REQUIRED = 1
ROUTABLE_PARAMETER_MINIMUM = 2
ROUTABLE_PARAMETER_MAXIMUM = 4


class routable_encoding_options(Structure):
    """`typedef struct routable_encoding_options { ... } routable_encoding_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("to", c_char_p),
        ("as_", c_char_p),
        ("arrays", c_char_p),
        ("booleans", c_char_p),
        ("nulls", c_char_p),
        ("empty_arrays", c_char_p),
        ("order", c_char_p),
        ("key_paths", c_char_p),
        ("key_case", c_char_p),
        ("spaces", c_char_p),
        ("escape", c_char_p),
        ("newlines", c_char_p),
        ("first_index", c_size_t),
    ]


class routable_parameter_options(Structure):
    """`typedef struct routable_parameter_options { ... } routable_parameter_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("location", routable_location),
        ("flags", c_uint32),
        ("type", c_char_p),
        ("format", c_char_p),
        ("pattern", c_char_p),
        ("values", POINTER(c_char_p)),
        ("value_count", c_size_t),
        ("min_length", c_size_t),
        ("max_length", c_size_t),
        ("minimum", c_double),
        ("maximum", c_double),
        ("default_value", routable_value),
        ("encoding", POINTER(routable_encoding_options)),
    ]


class routable_resource_options(Structure):
    """`typedef struct routable_resource_options { ... } routable_resource_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("path", c_char_p),
        ("can", c_uint32),
        ("flags", c_uint32),
        ("id", POINTER(routable_parameter_options)),
    ]


class routable_operation_options(Structure):
    """`typedef struct routable_operation_options { ... } routable_operation_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("method", c_char_p),
        ("path", c_char_p),
        ("resource", c_char_p),
        ("place", routable_place),
        ("flags", c_uint32),
        ("parameters", POINTER(routable_parameter_options)),
        ("parameter_count", c_size_t),
        ("encoding", POINTER(routable_encoding_options)),
    ]


# routable_status routable_builder_new(const char *name, const char *base, routable_builder **out, routable_error
#     **error);
routable_builder_new = _function(
    "routable_builder_new", routable_status,
    [c_char_p, c_char_p, POINTER(POINTER(routable_builder)), POINTER(POINTER(routable_error))],
)

# void routable_builder_free(routable_builder *builder);
routable_builder_free = _function("routable_builder_free", None, [POINTER(routable_builder)])

# routable_status routable_builder_set_encoding(routable_builder *builder, const routable_encoding_options *encoding,
#     routable_error **error);
routable_builder_set_encoding = _function(
    "routable_builder_set_encoding", routable_status,
    [POINTER(routable_builder), POINTER(routable_encoding_options), POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_add_resource(routable_builder *builder, const routable_resource_options *resource,
#     routable_error **error);
routable_builder_add_resource = _function(
    "routable_builder_add_resource", routable_status,
    [POINTER(routable_builder), POINTER(routable_resource_options), POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_nest(routable_builder *builder, const char *parent, const char *child,
#     routable_error **error);
routable_builder_nest = _function(
    "routable_builder_nest", routable_status,
    [POINTER(routable_builder), c_char_p, c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_add_operation(routable_builder *builder, const routable_operation_options
#     *operation, routable_error **error);
routable_builder_add_operation = _function(
    "routable_builder_add_operation", routable_status,
    [POINTER(routable_builder), POINTER(routable_operation_options), POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_build(const routable_builder *builder, routable_router **out, routable_error
#     **error);
routable_builder_build = _function(
    "routable_builder_build", routable_status,
    [POINTER(routable_builder), POINTER(POINTER(routable_router)), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Call: what to build. The same fields as the call JSON (docs/json-tier.md), where `operation` is
# called "do".


class routable_call(Structure):
    """`typedef struct routable_call { ... } routable_call;`"""

    _fields_ = [
        ("size", c_size_t),
        ("route", c_char_p),
        ("operation", c_char_p),
        ("ids", POINTER(routable_argument)),
        ("id_count", c_size_t),
        ("query", POINTER(routable_argument)),
        ("query_count", c_size_t),
        ("parameters", POINTER(routable_argument)),
        ("parameter_count", c_size_t),
        ("headers", POINTER(routable_argument)),
        ("header_count", c_size_t),
        ("cookies", POINTER(routable_argument)),
        ("cookie_count", c_size_t),
        ("body", routable_value),
        ("content_type", c_char_p),
        ("base", c_char_p),
    ]


# --------------------------------------------------------------------------------------------------
# Plan: a route and an operation resolved once, then used many times. Immutable.


class routable_plan(Structure):
    """`typedef struct routable_plan routable_plan;`"""


# routable_status routable_plan_new(const routable_router *router, const char *route, const char *operation,
#     routable_plan **out, routable_error **error);
routable_plan_new = _function(
    "routable_plan_new", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, POINTER(POINTER(routable_plan)),
     POINTER(POINTER(routable_error))],
)

# void routable_plan_free(routable_plan *plan);
routable_plan_free = _function("routable_plan_free", None, [POINTER(routable_plan)])

# routable_str routable_plan_method(const routable_plan *plan);
routable_plan_method = _function("routable_plan_method", routable_str, [POINTER(routable_plan)])

# size_t routable_plan_id_count(const routable_plan *plan);
routable_plan_id_count = _function("routable_plan_id_count", c_size_t, [POINTER(routable_plan)])

# size_t routable_plan_query_count(const routable_plan *plan);
routable_plan_query_count = _function("routable_plan_query_count", c_size_t, [POINTER(routable_plan)])

# routable_str routable_plan_query_name_at(const routable_plan *plan, size_t index);
routable_plan_query_name_at = _function("routable_plan_query_name_at", routable_str, [POINTER(routable_plan), c_size_t])

# routable_status routable_plan_write(const routable_plan *plan, const routable_value *ids, size_t id_count, const
#     routable_value *query, size_t query_count, char *buffer, size_t capacity, size_t *length, routable_error
#     **error);
routable_plan_write = _function(
    "routable_plan_write", routable_status,
    [POINTER(routable_plan), POINTER(routable_value), c_size_t, POINTER(routable_value), c_size_t, POINTER(c_char),
     c_size_t, POINTER(c_size_t), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Match: from a path or a URL back to the operation and its values

ROUTABLE_MATCH_ANY_SLASH = 1
ROUTABLE_MATCH_FOLD_CASE = 2
ROUTABLE_MATCH_MERGE_SLASHES = 4
ROUTABLE_MATCH_SUGGEST_SLASH = 8
ROUTABLE_MATCH_WHOLE_PATH = 16

ROUTABLE_MAX_CAPTURES = 32

ROUTABLE_NO_OPERATION = 4294967295


class routable_capture(Structure):
    """`typedef struct routable_capture { ... } routable_capture;`"""

    _fields_ = [
        ("offset", c_uint32),
        ("length", c_uint32),
        ("resource", c_int32),
        ("parameter", c_int32),
    ]


class routable_match(Structure):
    """`typedef struct routable_match { ... } routable_match;`"""

    _fields_ = [
        ("operation", c_uint32),
        ("capture_count", c_uint32),
        ("node", c_uint32),
        ("slash", c_int32),
        ("captures", routable_capture * 32),
    ]


# routable_status routable_router_match(const routable_router *router, const char *method, const char *path, size_t
#     length, uint32_t flags, routable_match *out);
routable_router_match = _function(
    "routable_router_match", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, c_size_t, c_uint32, POINTER(routable_match)],
)

# const routable_operation *routable_match_operation(const routable_router *router, const routable_match *match);
routable_match_operation = _function(
    "routable_match_operation", POINTER(routable_operation),
    [POINTER(routable_router), POINTER(routable_match)],
)

# const routable_parameter *routable_match_parameter(const routable_router *router, const routable_match *match,
#     size_t index);
routable_match_parameter = _function(
    "routable_match_parameter", POINTER(routable_parameter),
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# size_t routable_match_method_count(const routable_router *router, const routable_match *match);
routable_match_method_count = _function(
    "routable_match_method_count", c_size_t,
    [POINTER(routable_router), POINTER(routable_match)],
)

# routable_str routable_match_method_at(const routable_router *router, const routable_match *match, size_t index);
routable_match_method_at = _function(
    "routable_match_method_at", routable_str,
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# routable_status routable_match_route(const routable_router *router, const routable_match *match, routable_string
#     *out);
routable_match_route = _function(
    "routable_match_route", routable_status,
    [POINTER(routable_router), POINTER(routable_match), POINTER(routable_string)],
)

# routable_status routable_match_value(const routable_match *match, const char *path, size_t length, size_t index,
#     routable_string *out);
routable_match_value = _function(
    "routable_match_value", routable_status,
    [POINTER(routable_match), c_char_p, c_size_t, c_size_t, POINTER(routable_string)],
)

# size_t routable_router_match_bytes(const routable_router *router);
routable_router_match_bytes = _function("routable_router_match_bytes", c_size_t, [POINTER(routable_router)])


# --------------------------------------------------------------------------------------------------
# Scratch: plans and matches whose answer is a C string, in memory that the next answer uses again


class routable_scratch(Structure):
    """`typedef struct routable_scratch routable_scratch;`"""


# routable_status routable_scratch_new(routable_scratch **out, routable_error **error);
routable_scratch_new = _function(
    "routable_scratch_new", routable_status,
    [POINTER(POINTER(routable_scratch)), POINTER(POINTER(routable_error))],
)

# void routable_scratch_free(routable_scratch *scratch);
routable_scratch_free = _function("routable_scratch_free", None, [POINTER(routable_scratch)])

# const char *routable_scratch_url(routable_scratch *scratch, const routable_plan *plan, const char *ids, size_t
#     length);
routable_scratch_url = _function(
    "routable_scratch_url", c_char_p,
    [POINTER(routable_scratch), POINTER(routable_plan), c_char_p, c_size_t],
)

# const char *routable_scratch_match(routable_scratch *scratch, const routable_router *router, const char *method,
#     const char *path, size_t length, uint32_t flags);
routable_scratch_match = _function(
    "routable_scratch_match", c_char_p,
    [POINTER(routable_scratch), POINTER(routable_router), c_char_p, c_char_p, c_size_t, c_uint32],
)

# size_t routable_router_warning_count(const routable_router *router);
routable_router_warning_count = _function("routable_router_warning_count", c_size_t, [POINTER(routable_router)])

# routable_str routable_router_warning_at(const routable_router *router, size_t index);
routable_router_warning_at = _function("routable_router_warning_at", routable_str, [POINTER(routable_router), c_size_t])


# --------------------------------------------------------------------------------------------------
# URI templates: RFC 6570, all four levels; no router is needed

# routable_status routable_template_expand(routable_str template_text, const routable_argument *values, size_t count,
#     routable_string *out, routable_error **error);
routable_template_expand = _function(
    "routable_template_expand", routable_status,
    [routable_str, POINTER(routable_argument), c_size_t, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_template_expand_json(routable_str template_text, routable_str values, routable_string *out,
#     routable_error **error);
routable_template_expand_json = _function(
    "routable_template_expand_json", routable_status,
    [routable_str, routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Request: complete and visible without being sent; headers and body may still be edited


class routable_request(Structure):
    """`typedef struct routable_request routable_request;`"""


class routable_header(Structure):
    """`typedef struct routable_header { ... } routable_header;`"""

    _fields_ = [
        ("name", routable_str),
        ("value", routable_str),
    ]


# routable_status routable_request_new(const routable_router *router, const routable_call *call, routable_request
#     **out, routable_error **error);
routable_request_new = _function(
    "routable_request_new", routable_status,
    [POINTER(routable_router), POINTER(routable_call), POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_request_new_json(const routable_router *router, routable_str call, routable_request **out,
#     routable_error **error);
routable_request_new_json = _function(
    "routable_request_new_json", routable_status,
    [POINTER(routable_router), routable_str, POINTER(POINTER(routable_request)), POINTER(POINTER(routable_error))],
)

# void routable_request_free(routable_request *request);
routable_request_free = _function("routable_request_free", None, [POINTER(routable_request)])

# routable_str routable_request_method(const routable_request *request);
routable_request_method = _function("routable_request_method", routable_str, [POINTER(routable_request)])

# routable_str routable_request_url(const routable_request *request);
routable_request_url = _function("routable_request_url", routable_str, [POINTER(routable_request)])

# routable_str routable_request_route(const routable_request *request);
routable_request_route = _function("routable_request_route", routable_str, [POINTER(routable_request)])

# routable_str routable_request_operation(const routable_request *request);
routable_request_operation = _function("routable_request_operation", routable_str, [POINTER(routable_request)])

# size_t routable_request_header_count(const routable_request *request);
routable_request_header_count = _function("routable_request_header_count", c_size_t, [POINTER(routable_request)])

# routable_header routable_request_header_at(const routable_request *request, size_t index);
routable_request_header_at = _function(
    "routable_request_header_at", routable_header,
    [POINTER(routable_request), c_size_t],
)

# int32_t routable_request_has_body(const routable_request *request);
routable_request_has_body = _function("routable_request_has_body", c_int32, [POINTER(routable_request)])

# routable_str routable_request_body(const routable_request *request);
routable_request_body = _function("routable_request_body", routable_str, [POINTER(routable_request)])

# routable_status routable_request_set_header(routable_request *request, const char *name, routable_str value,
#     routable_error **error);
routable_request_set_header = _function(
    "routable_request_set_header", routable_status,
    [POINTER(routable_request), c_char_p, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_remove_header(routable_request *request, const char *name, routable_error **error);
routable_request_remove_header = _function(
    "routable_request_remove_header", routable_status,
    [POINTER(routable_request), c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_if_match(routable_request *request, routable_str etag, routable_str last_modified,
#     routable_error **error);
routable_request_if_match = _function(
    "routable_request_if_match", routable_status,
    [POINTER(routable_request), routable_str, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_if_none_match(routable_request *request, routable_str etag, routable_str
#     last_modified, routable_error **error);
routable_request_if_none_match = _function(
    "routable_request_if_none_match", routable_status,
    [POINTER(routable_request), routable_str, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_set_body(routable_request *request, routable_str body, const char *content_type,
#     routable_error **error);
routable_request_set_body = _function(
    "routable_request_set_body", routable_status,
    [POINTER(routable_request), routable_str, c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_remove_body(routable_request *request, routable_error **error);
routable_request_remove_body = _function(
    "routable_request_remove_body", routable_status,
    [POINTER(routable_request), POINTER(POINTER(routable_error))],
)

# routable_status routable_request_to_json(const routable_request *request, routable_string *out, routable_error
#     **error);
routable_request_to_json = _function(
    "routable_request_to_json", routable_status,
    [POINTER(routable_request), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

ROUTABLE_SHOW_SECRETS = 1

# routable_status routable_request_to_curl(const routable_request *request, uint32_t flags, routable_string *out,
#     routable_error **error);
routable_request_to_curl = _function(
    "routable_request_to_curl", routable_status,
    [POINTER(routable_request), c_uint32, POINTER(routable_string), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Response: status, headers, body, and how the body was mapped

routable_outcome = c_int32
ROUTABLE_OUTCOME_EMPTY = 0
ROUTABLE_OUTCOME_SELF = 1
ROUTABLE_OUTCOME_DICTIONARY = 2
ROUTABLE_OUTCOME_ARRAY = 3
ROUTABLE_OUTCOME_RAW = 4

# const char *routable_outcome_name(routable_outcome outcome);
routable_outcome_name = _function("routable_outcome_name", c_char_p, [routable_outcome])

# routable_status routable_response_map(const routable_router *router, const char *route, const char *operation,
#     int32_t http_status, const routable_header *headers, size_t header_count, routable_str body, routable_response
#     **out, routable_error **error);
routable_response_map = _function(
    "routable_response_map", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, c_int32, POINTER(routable_header), c_size_t, routable_str,
     POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)

# void routable_response_free(routable_response *response);
routable_response_free = _function("routable_response_free", None, [POINTER(routable_response)])

# int32_t routable_response_status(const routable_response *response);
routable_response_status = _function("routable_response_status", c_int32, [POINTER(routable_response)])

# size_t routable_response_header_count(const routable_response *response);
routable_response_header_count = _function("routable_response_header_count", c_size_t, [POINTER(routable_response)])

# routable_header routable_response_header_at(const routable_response *response, size_t index);
routable_response_header_at = _function(
    "routable_response_header_at", routable_header,
    [POINTER(routable_response), c_size_t],
)

# routable_str routable_response_header(const routable_response *response, const char *name);
routable_response_header = _function("routable_response_header", routable_str, [POINTER(routable_response), c_char_p])

# routable_str routable_response_body(const routable_response *response);
routable_response_body = _function("routable_response_body", routable_str, [POINTER(routable_response)])

# routable_outcome routable_response_outcome(const routable_response *response);
routable_response_outcome = _function("routable_response_outcome", routable_outcome, [POINTER(routable_response)])

# routable_str routable_response_type(const routable_response *response);
routable_response_type = _function("routable_response_type", routable_str, [POINTER(routable_response)])

# routable_str routable_response_url(const routable_response *response);
routable_response_url = _function("routable_response_url", routable_str, [POINTER(routable_response)])


class routable_response_parts(Structure):
    """`typedef struct routable_response_parts { ... } routable_response_parts;`"""

    _fields_ = [
        ("http_status", c_int32),
        ("outcome", routable_outcome),
        ("headers", routable_str),
        ("body", routable_str),
        ("url", routable_str),
    ]


# void routable_response_read(const routable_response *response, routable_response_parts *out);
routable_response_read = _function(
    "routable_response_read", None,
    [POINTER(routable_response), POINTER(routable_response_parts)],
)

# routable_status routable_response_to_json(const routable_response *response, routable_string *out, routable_error
#     **error);
routable_response_to_json = _function(
    "routable_response_to_json", routable_status,
    [POINTER(routable_response), POINTER(routable_string), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Client: performs requests over libcurl, which is opened when the first client is made


class routable_client(Structure):
    """`typedef struct routable_client routable_client;`"""


class routable_client_options(Structure):
    """`typedef struct routable_client_options { ... } routable_client_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("base", c_char_p),
        ("user_agent", c_char_p),
        ("ca_file", c_char_p),
        ("deadline_ms", c_int64),
        ("connect_timeout_ms", c_int64),
        ("max_response_bytes", c_size_t),
        ("max_redirects", c_uint32),
        ("flags", c_uint32),
        ("certificate_file", c_char_p),
        ("key_file", c_char_p),
        ("proxy", c_char_p),
        ("no_proxy", c_char_p),
        ("retry_delay_ms", c_int64),
        ("retry_longest_ms", c_int64),
        ("retries", c_uint32),
        ("max_active", c_uint32),
        ("max_active_per_host", c_uint32),
        ("max_pending", c_uint32),
    ]


ROUTABLE_CLIENT_NO_REDIRECTS = 1
ROUTABLE_CLIENT_NO_COMPRESSION = 2
ROUTABLE_CLIENT_TIMINGS = 4

# routable_status routable_client_new(const routable_client_options *options, routable_client **out, routable_error
#     **error);
routable_client_new = _function(
    "routable_client_new", routable_status,
    [POINTER(routable_client_options), POINTER(POINTER(routable_client)), POINTER(POINTER(routable_error))],
)

# void routable_client_free(routable_client *client);
routable_client_free = _function("routable_client_free", None, [POINTER(routable_client)])

# routable_status routable_client_perform(const routable_client *client, const routable_request *request,
#     routable_response **out, routable_error **error);
routable_client_perform = _function(
    "routable_client_perform", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(POINTER(routable_response)),
     POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Client: performs requests over libcurl, which is opened when the first client is made:
# Credentials (docs/auth.md): of a scheme that the description names; never a part of it


class routable_refresh(Structure):
    """`typedef struct routable_refresh routable_refresh;`"""


# typedef void (*routable_refresh_fn)(routable_refresh *refresh, void *user_data);
routable_refresh_fn = CFUNCTYPE(None, POINTER(routable_refresh), c_void_p)


class routable_signing(Structure):
    """`typedef struct routable_signing routable_signing;`"""


# typedef int32_t (*routable_sign_fn)(routable_signing *signing, void *user_data);
routable_sign_fn = CFUNCTYPE(c_int32, POINTER(routable_signing), c_void_p)

# typedef void (*routable_release_fn)(void *user_data);
routable_release_fn = CFUNCTYPE(None, c_void_p)


class routable_credential(Structure):
    """`typedef struct routable_credential { ... } routable_credential;`"""

    _fields_ = [
        ("size", c_size_t),
        ("scheme", c_char_p),
        ("user", routable_str),
        ("password", routable_str),
        ("token", routable_str),
        ("expires_in_ms", c_int64),
        ("token_url", c_char_p),
        ("scope", c_char_p),
        ("client_id", routable_str),
        ("client_secret", routable_str),
        ("refresh_token", routable_str),
        ("refresh_body", routable_str),
        ("origin", c_char_p),
        ("refresh", routable_refresh_fn),
        ("sign", routable_sign_fn),
        ("user_data", c_void_p),
        ("release", routable_release_fn),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


ROUTABLE_CREDENTIAL_SECRET_IN_BODY = 1

# routable_status routable_client_set_credential(const routable_client *client, const routable_credential *credential,
#     routable_error **error);
routable_client_set_credential = _function(
    "routable_client_set_credential", routable_status,
    [POINTER(routable_client), POINTER(routable_credential), POINTER(POINTER(routable_error))],
)

# void routable_client_remove_credential(const routable_client *client, const char *scheme);
routable_client_remove_credential = _function(
    "routable_client_remove_credential", None,
    [POINTER(routable_client), c_char_p],
)

# routable_status routable_client_tokens(const routable_client *client, const char *scheme, routable_string *token,
#     routable_string *refresh_token, routable_error **error);
routable_client_tokens = _function(
    "routable_client_tokens", routable_status,
    [POINTER(routable_client), c_char_p, POINTER(routable_string), POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_client_to_curl(const routable_client *client, const routable_request *request, uint32_t
#     flags, routable_string *out, routable_error **error);
routable_client_to_curl = _function(
    "routable_client_to_curl", routable_status,
    [POINTER(routable_client), POINTER(routable_request), c_uint32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_str routable_refresh_scheme(const routable_refresh *refresh);
routable_refresh_scheme = _function("routable_refresh_scheme", routable_str, [POINTER(routable_refresh)])

# routable_str routable_refresh_token(const routable_refresh *refresh);
routable_refresh_token = _function("routable_refresh_token", routable_str, [POINTER(routable_refresh)])

# routable_status routable_refresh_finish(routable_refresh *refresh, routable_str token, int64_t expires_in_ms,
#     routable_error **error);
routable_refresh_finish = _function(
    "routable_refresh_finish", routable_status,
    [POINTER(routable_refresh), routable_str, c_int64, POINTER(POINTER(routable_error))],
)

# void routable_refresh_fail(routable_refresh *refresh, routable_str message);
routable_refresh_fail = _function("routable_refresh_fail", None, [POINTER(routable_refresh), routable_str])

# routable_str routable_signing_method(const routable_signing *signing);
routable_signing_method = _function("routable_signing_method", routable_str, [POINTER(routable_signing)])

# routable_str routable_signing_url(const routable_signing *signing);
routable_signing_url = _function("routable_signing_url", routable_str, [POINTER(routable_signing)])

# routable_str routable_signing_body(const routable_signing *signing);
routable_signing_body = _function("routable_signing_body", routable_str, [POINTER(routable_signing)])

# routable_str routable_signing_header(const routable_signing *signing, const char *name);
routable_signing_header = _function("routable_signing_header", routable_str, [POINTER(routable_signing), c_char_p])

# routable_status routable_signing_set_header(routable_signing *signing, const char *name, routable_str value,
#     routable_error **error);
routable_signing_set_header = _function(
    "routable_signing_set_header", routable_status,
    [POINTER(routable_signing), c_char_p, routable_str, POINTER(POINTER(routable_error))],
)


class routable_policy(Structure):
    """`typedef struct routable_policy { ... } routable_policy;`"""

    _fields_ = [
        ("size", c_size_t),
        ("deadline_ms", c_int64),
        ("max_response_bytes", c_size_t),
        ("retry_delay_ms", c_int64),
        ("retries", c_int32),
        ("max_redirects", c_int32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("credential", POINTER(routable_credential)),
    ]


ROUTABLE_POLICY_UNQUEUED = 1
ROUTABLE_POLICY_NO_AUTH = 2
ROUTABLE_POLICY_TIMINGS = 4

# routable_status routable_client_perform_with(const routable_client *client, const routable_request *request, const
#     routable_policy *policy, routable_response **out, routable_error **error);
routable_client_perform_with = _function(
    "routable_client_perform_with", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(routable_policy),
     POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Transfers: many requests at once over one client (docs/client.md)


class routable_transfer(Structure):
    """`typedef struct routable_transfer routable_transfer;`"""


# typedef void (*routable_transfer_fn)(routable_transfer *transfer, void *user_data);
routable_transfer_fn = CFUNCTYPE(None, POINTER(routable_transfer), c_void_p)

# routable_status routable_client_submit(const routable_client *client, const routable_request *request, const
#     routable_policy *policy, routable_transfer_fn on_end, void *user_data, routable_transfer **out, routable_error
#     **error);
routable_client_submit = _function(
    "routable_client_submit", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(routable_policy), routable_transfer_fn, c_void_p,
     POINTER(POINTER(routable_transfer)), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_submit_many(const routable_client *client, const routable_request *const *requests,
#     size_t count, const routable_policy *policy, routable_transfer_fn on_end, void *const *user_data,
#     routable_transfer **out, routable_error **error);
routable_client_submit_many = _function(
    "routable_client_submit_many", routable_status,
    [POINTER(routable_client), POINTER(POINTER(routable_request)), c_size_t, POINTER(routable_policy),
     routable_transfer_fn, POINTER(c_void_p), POINTER(POINTER(routable_transfer)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_client_next(const routable_client *client, int64_t timeout_ms, routable_transfer **out,
#     routable_error **error);
routable_client_next = _function(
    "routable_client_next", routable_status,
    [POINTER(routable_client), c_int64, POINTER(POINTER(routable_transfer)), POINTER(POINTER(routable_error))],
)


class routable_ended(Structure):
    """`typedef struct routable_ended { ... } routable_ended;`"""

    _fields_ = [
        ("transfer", POINTER(routable_transfer)),
        ("user_data", c_void_p),
        ("status", routable_status),
        ("has_trace", c_int32),
        ("parts", routable_response_parts),
    ]


# routable_status routable_client_take(const routable_client *client, int64_t timeout_ms, routable_ended *ended,
#     size_t capacity, size_t *count, routable_error **error);
routable_client_take = _function(
    "routable_client_take", routable_status,
    [POINTER(routable_client), c_int64, POINTER(routable_ended), c_size_t, POINTER(c_size_t),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_client_drive(const routable_client *client, int64_t timeout_ms, size_t *pending,
#     routable_error **error);
routable_client_drive = _function(
    "routable_client_drive", routable_status,
    [POINTER(routable_client), c_int64, POINTER(c_size_t), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_descriptor(const routable_client *client, int *out, routable_error **error);
routable_client_descriptor = _function(
    "routable_client_descriptor", routable_status,
    [POINTER(routable_client), POINTER(c_int), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_start(const routable_client *client, routable_error **error);
routable_client_start = _function(
    "routable_client_start", routable_status,
    [POINTER(routable_client), POINTER(POINTER(routable_error))],
)

# void routable_transfer_free(routable_transfer *transfer);
routable_transfer_free = _function("routable_transfer_free", None, [POINTER(routable_transfer)])

# void routable_transfer_free_many(routable_transfer *const *transfers, size_t count);
routable_transfer_free_many = _function(
    "routable_transfer_free_many", None,
    [POINTER(POINTER(routable_transfer)), c_size_t],
)

# int32_t routable_transfer_cancel(const routable_transfer *transfer);
routable_transfer_cancel = _function("routable_transfer_cancel", c_int32, [POINTER(routable_transfer)])

# routable_status routable_transfer_wait(const routable_transfer *transfer, int64_t timeout_ms, routable_error
#     **error);
routable_transfer_wait = _function(
    "routable_transfer_wait", routable_status,
    [POINTER(routable_transfer), c_int64, POINTER(POINTER(routable_error))],
)

# routable_status routable_transfer_result(const routable_transfer *transfer, routable_response **out, routable_error
#     **error);
routable_transfer_result = _function(
    "routable_transfer_result", routable_status,
    [POINTER(routable_transfer), POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)

# void *routable_transfer_user_data(const routable_transfer *transfer);
routable_transfer_user_data = _function("routable_transfer_user_data", c_void_p, [POINTER(routable_transfer)])


# --------------------------------------------------------------------------------------------------
# Schema: JSON values held against JSON Schema (docs/types.md); immutable, shared by any number of
# threads


class routable_schema(Structure):
    """`typedef struct routable_schema routable_schema;`"""


routable_dialect = c_int32
ROUTABLE_DIALECT_2020_12 = 0
ROUTABLE_DIALECT_OPENAPI_30 = 1
ROUTABLE_DIALECT_OPENAPI_31 = 2


class routable_schema_options(Structure):
    """`typedef struct routable_schema_options { ... } routable_schema_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("uri", c_char_p),
        ("documents", POINTER(routable_schema_document)),
        ("document_count", c_size_t),
        ("dialect", routable_dialect),
        ("flags", c_uint32),
    ]


ROUTABLE_SCHEMA_ASSERT_FORMATS = 1

# routable_status routable_schema_open(routable_str schema, const routable_schema_options *options, routable_schema
#     **out, routable_error **error);
routable_schema_open = _function(
    "routable_schema_open", routable_status,
    [routable_str, POINTER(routable_schema_options), POINTER(POINTER(routable_schema)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_schema_of_type(const routable_router *router, const char *type, routable_schema **out,
#     routable_error **error);
routable_schema_of_type = _function(
    "routable_schema_of_type", routable_status,
    [POINTER(routable_router), c_char_p, POINTER(POINTER(routable_schema)), POINTER(POINTER(routable_error))],
)

# void routable_schema_free(routable_schema *schema);
routable_schema_free = _function("routable_schema_free", None, [POINTER(routable_schema)])

# routable_status routable_schema_check(const routable_schema *schema, routable_str json, size_t most, routable_error
#     **error);
routable_schema_check = _function(
    "routable_schema_check", routable_status,
    [POINTER(routable_schema), routable_str, c_size_t, POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# JSON tier: the whole job in one call (docs/json-tier.md)

# routable_status routable_build_json(const routable_router *router, routable_str call, routable_string *out,
#     routable_error **error);
routable_build_json = _function(
    "routable_build_json", routable_status,
    [POINTER(routable_router), routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_perform_json(const routable_client *client, const routable_router *router, routable_str
#     call, routable_string *out, routable_error **error);
routable_perform_json = _function(
    "routable_perform_json", routable_status,
    [POINTER(routable_client), POINTER(routable_router), routable_str, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_form_to_json(routable_str form, routable_string *out, routable_error **error);
routable_form_to_json = _function(
    "routable_form_to_json", routable_status,
    [routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
