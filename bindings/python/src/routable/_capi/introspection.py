# Written by scripts/interface from include/routable_introspection.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_introspection.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32, c_uint64

from .function import _function
from .router import routable_router
from .values import routable_error, routable_status, routable_str, routable_string


class routable_resource(Structure):
    """`typedef struct routable_resource routable_resource;`"""


class routable_operation(Structure):
    """`typedef struct routable_operation routable_operation;`"""


class routable_parameter(Structure):
    """`typedef struct routable_parameter routable_parameter;`"""


# --------------------------------------------------------------------------------------------------
# Resources

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

# int32_t routable_router_derives_resources(const routable_router *router);
routable_router_derives_resources = _function("routable_router_derives_resources", c_int32, [POINTER(routable_router)])

# const routable_operation *routable_router_resource_operation(const routable_router *router, const char *name);
routable_router_resource_operation = _function(
    "routable_router_resource_operation", POINTER(routable_operation),
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

# size_t routable_resource_id_count(const routable_resource *resource);
routable_resource_id_count = _function("routable_resource_id_count", c_size_t, [POINTER(routable_resource)])

# const routable_parameter *routable_resource_id_at(const routable_resource *resource, size_t index);
routable_resource_id_at = _function(
    "routable_resource_id_at", POINTER(routable_parameter),
    [POINTER(routable_resource), c_size_t],
)

# size_t routable_resource_child_count(const routable_resource *resource);
routable_resource_child_count = _function("routable_resource_child_count", c_size_t, [POINTER(routable_resource)])

# const routable_resource *routable_resource_child_at(const routable_resource *resource, size_t index);
routable_resource_child_at = _function(
    "routable_resource_child_at", POINTER(routable_resource),
    [POINTER(routable_resource), c_size_t],
)

# int32_t routable_resource_is_root(const routable_resource *resource);
routable_resource_is_root = _function("routable_resource_is_root", c_int32, [POINTER(routable_resource)])

# routable_str routable_resource_route(const routable_resource *resource);
routable_resource_route = _function("routable_resource_route", routable_str, [POINTER(routable_resource)])

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


# --------------------------------------------------------------------------------------------------
# Operations

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

# routable_place routable_resource_place(const routable_resource *resource);
routable_resource_place = _function("routable_resource_place", routable_place, [POINTER(routable_resource)])

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

# routable_str routable_operation_standalone_name(const routable_operation *operation);
routable_operation_standalone_name = _function(
    "routable_operation_standalone_name", routable_str,
    [POINTER(routable_operation)],
)


# --------------------------------------------------------------------------------------------------
# Operations: The schemas of an operation, named or inline

# routable_status routable_operation_body_schema(const routable_router *router, const routable_operation *operation,
#     const char *media_type, routable_string *out, routable_error **error);
routable_operation_body_schema = _function(
    "routable_operation_body_schema", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_char_p, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_operation_result_schema(const routable_router *router, const routable_operation *operation,
#     int32_t status, routable_string *out, routable_error **error);
routable_operation_result_schema = _function(
    "routable_operation_result_schema", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_int32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_operation_check_body(const routable_router *router, const routable_operation *operation,
#     const char *media_type, const char *json, size_t length, size_t max_errors, routable_error **error);
routable_operation_check_body = _function(
    "routable_operation_check_body", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_char_p, c_char_p, c_size_t, c_size_t,
     POINTER(POINTER(routable_error))],
)

# routable_status routable_operation_sample_body(const routable_router *router, const routable_operation *operation,
#     const char *media_type, uint64_t seed, uint32_t flags, routable_string *out, routable_error **error);
routable_operation_sample_body = _function(
    "routable_operation_sample_body", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_char_p, c_uint64, c_uint32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_operation_sample_result(const routable_router *router, const routable_operation *operation,
#     int32_t http_status, uint64_t seed, uint32_t flags, routable_string *out, routable_error **error);
routable_operation_sample_result = _function(
    "routable_operation_sample_result", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_int32, c_uint64, c_uint32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_operation_check_result(const routable_router *router, const routable_operation *operation,
#     int32_t status, const char *json, size_t length, size_t max_errors, routable_error **error);
routable_operation_check_result = _function(
    "routable_operation_check_result", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_int32, c_char_p, c_size_t, c_size_t,
     POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Parameters

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

# int32_t routable_parameter_takes_segments(const routable_parameter *parameter);
routable_parameter_takes_segments = _function(
    "routable_parameter_takes_segments", c_int32,
    [POINTER(routable_parameter)],
)

# int32_t routable_parameter_allows_empty(const routable_parameter *parameter);
routable_parameter_allows_empty = _function("routable_parameter_allows_empty", c_int32, [POINTER(routable_parameter)])

# routable_str routable_parameter_description(const routable_parameter *parameter);
routable_parameter_description = _function(
    "routable_parameter_description", routable_str,
    [POINTER(routable_parameter)],
)

# const char *routable_parameter_style(const routable_parameter *parameter);
routable_parameter_style = _function("routable_parameter_style", c_char_p, [POINTER(routable_parameter)])

# routable_status routable_parameter_read(const routable_router *router, const routable_operation *operation, size_t
#     index, routable_str string, routable_string *out, routable_error **error);
routable_parameter_read = _function(
    "routable_parameter_read", routable_status,
    [POINTER(routable_router), POINTER(routable_operation), c_size_t, routable_str, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Types and user data of the document

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
