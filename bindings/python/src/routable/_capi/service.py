# Written by scripts/interface from include/routable_service.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_service.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p

from .bodies import routable_stream_item, routable_stream_kind
from .function import _function
from .introspection import routable_location, routable_operation
from .json_value import routable_json_values
from .router import routable_router
from .values import (
    routable_argument,
    routable_error,
    routable_header,
    routable_release_fn,
    routable_status,
    routable_str,
    routable_string,
    routable_value,
)


class routable_incoming(Structure):
    """`typedef struct routable_incoming { ... } routable_incoming;`"""

    _fields_ = [
        ("size", c_size_t),
        ("method", c_char_p),
        ("target", routable_str),
        ("headers", POINTER(routable_header)),
        ("header_count", c_size_t),
        ("body", routable_str),
    ]


ROUTABLE_RECEIVE_REFUSE_UNDECLARED = 1
ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS = 2

# typedef routable_status (*routable_verify_fn)(routable_str scheme, routable_str credential, void *user_data);
routable_verify_fn = CFUNCTYPE(routable_status, routable_str, routable_str, c_void_p)


class routable_receive_options(Structure):
    """`typedef struct routable_receive_options { ... } routable_receive_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("base_path", c_char_p),
        ("max_errors", c_size_t),
        ("max_body_bytes", c_size_t),
        ("flags", c_uint32),
        ("verify", routable_verify_fn),
        ("user_data", c_void_p),
    ]


class routable_received(Structure):
    """`typedef struct routable_received routable_received;`"""


# routable_status routable_received_new(const routable_router *router, const routable_incoming *incoming, const
#     routable_receive_options *options, routable_received **out, routable_error **error);
routable_received_new = _function(
    "routable_received_new", routable_status,
    [POINTER(routable_router), POINTER(routable_incoming), POINTER(routable_receive_options),
     POINTER(POINTER(routable_received)), POINTER(POINTER(routable_error))],
)

# routable_status routable_received_reset(routable_received *received, const routable_incoming *incoming, const
#     routable_receive_options *options, routable_error **error);
routable_received_reset = _function(
    "routable_received_reset", routable_status,
    [POINTER(routable_received), POINTER(routable_incoming), POINTER(routable_receive_options),
     POINTER(POINTER(routable_error))],
)

# void routable_received_free(routable_received *received);
routable_received_free = _function("routable_received_free", None, [POINTER(routable_received)])

# routable_str routable_received_route(const routable_received *received);
routable_received_route = _function("routable_received_route", routable_str, [POINTER(routable_received)])

# const routable_operation *routable_received_operation(const routable_received *received);
routable_received_operation = _function(
    "routable_received_operation", POINTER(routable_operation),
    [POINTER(routable_received)],
)


class routable_received_item(Structure):
    """`typedef struct routable_received_item { ... } routable_received_item;`"""

    _fields_ = [
        ("location", routable_location),
        ("reserved", c_int32),
        ("name", routable_str),
        ("value", routable_value),
    ]


# size_t routable_received_value_count(const routable_received *received);
routable_received_value_count = _function("routable_received_value_count", c_size_t, [POINTER(routable_received)])

# routable_received_item routable_received_value_at(const routable_received *received, size_t index);
routable_received_value_at = _function(
    "routable_received_value_at", routable_received_item,
    [POINTER(routable_received), c_size_t],
)

# routable_value routable_received_value(const routable_received *received, routable_location location, const char
#     *name);
routable_received_value = _function(
    "routable_received_value", routable_value,
    [POINTER(routable_received), routable_location, c_char_p],
)

# routable_str routable_received_body(const routable_received *received);
routable_received_body = _function("routable_received_body", routable_str, [POINTER(routable_received)])

# routable_str routable_received_content_type(const routable_received *received);
routable_received_content_type = _function("routable_received_content_type", routable_str, [POINTER(routable_received)])

# routable_status routable_received_json_value(const routable_received *received, routable_json_values **out,
#     routable_error **error);
routable_received_json_value = _function(
    "routable_received_json_value", routable_status,
    [POINTER(routable_received), POINTER(POINTER(routable_json_values)), POINTER(POINTER(routable_error))],
)

# size_t routable_received_credential_count(const routable_received *received);
routable_received_credential_count = _function(
    "routable_received_credential_count", c_size_t,
    [POINTER(routable_received)],
)

# routable_str routable_received_credential_scheme_at(const routable_received *received, size_t index);
routable_received_credential_scheme_at = _function(
    "routable_received_credential_scheme_at", routable_str,
    [POINTER(routable_received), c_size_t],
)

# routable_str routable_received_credential_at(const routable_received *received, size_t index);
routable_received_credential_at = _function(
    "routable_received_credential_at", routable_str,
    [POINTER(routable_received), c_size_t],
)

# size_t routable_received_ignored_count(const routable_received *received);
routable_received_ignored_count = _function("routable_received_ignored_count", c_size_t, [POINTER(routable_received)])

# routable_str routable_received_ignored_at(const routable_received *received, size_t index);
routable_received_ignored_at = _function(
    "routable_received_ignored_at", routable_str,
    [POINTER(routable_received), c_size_t],
)

# routable_status routable_received_to_json(const routable_received *received, routable_string *out, routable_error
#     **error);
routable_received_to_json = _function(
    "routable_received_to_json", routable_status,
    [POINTER(routable_received), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

ROUTABLE_PROBLEM_400 = 1

# routable_status routable_error_problem(const routable_error *error, uint32_t flags, int32_t *http_status,
#     routable_string *header_name, routable_string *header_value, routable_string *json);
routable_error_problem = _function(
    "routable_error_problem", routable_status,
    [POINTER(routable_error), c_uint32, POINTER(c_int32), POINTER(routable_string), POINTER(routable_string),
     POINTER(routable_string)],
)


# --------------------------------------------------------------------------------------------------
# Answers: the responses of a service

# routable_status routable_received_precondition(const routable_received *received, const char *etag, int32_t
#     *http_status, routable_error **error);
routable_received_precondition = _function(
    "routable_received_precondition", routable_status,
    [POINTER(routable_received), c_char_p, POINTER(c_int32), POINTER(POINTER(routable_error))],
)

# typedef routable_status (*routable_item_fn)(routable_stream_item *item, void *user_data);
routable_item_fn = CFUNCTYPE(routable_status, POINTER(routable_stream_item), c_void_p)


class routable_answer_options(Structure):
    """`typedef struct routable_answer_options { ... } routable_answer_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("headers", POINTER(routable_header)),
        ("header_count", c_size_t),
        ("content_type", c_char_p),
        ("etag", c_char_p),
        ("location", c_char_p),
        ("location_route", c_char_p),
        ("location_operation", c_char_p),
        ("location_ids", POINTER(routable_argument)),
        ("location_id_count", c_size_t),
        ("file", c_char_p),
        ("descriptor", c_int32),
        ("next_kind", routable_stream_kind),
        ("next", routable_item_fn),
        ("user_data", c_void_p),
        ("release", routable_release_fn),
        ("max_errors", c_size_t),
    ]


class routable_answer(Structure):
    """`typedef struct routable_answer routable_answer;`"""


# routable_status routable_answer_new(const routable_received *received, int32_t http_status, routable_value value,
#     const routable_answer_options *options, routable_answer **out, routable_error **error);
routable_answer_new = _function(
    "routable_answer_new", routable_status,
    [POINTER(routable_received), c_int32, routable_value, POINTER(routable_answer_options),
     POINTER(POINTER(routable_answer)), POINTER(POINTER(routable_error))],
)

# routable_status routable_answer_new_refused(const routable_error *refused, const char *method, uint32_t flags,
#     routable_answer **out, routable_error **error);
routable_answer_new_refused = _function(
    "routable_answer_new_refused", routable_status,
    [POINTER(routable_error), c_char_p, c_uint32, POINTER(POINTER(routable_answer)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_answer_new_problem(const routable_received *received, int32_t http_status, routable_str
#     detail, const routable_answer_options *options, routable_answer **out, routable_error **error);
routable_answer_new_problem = _function(
    "routable_answer_new_problem", routable_status,
    [POINTER(routable_received), c_int32, routable_str, POINTER(routable_answer_options),
     POINTER(POINTER(routable_answer)), POINTER(POINTER(routable_error))],
)

# void routable_answer_free(routable_answer *answer);
routable_answer_free = _function("routable_answer_free", None, [POINTER(routable_answer)])

# int32_t routable_answer_status(const routable_answer *answer);
routable_answer_status = _function("routable_answer_status", c_int32, [POINTER(routable_answer)])

# size_t routable_answer_header_count(const routable_answer *answer);
routable_answer_header_count = _function("routable_answer_header_count", c_size_t, [POINTER(routable_answer)])

# routable_header routable_answer_header_at(const routable_answer *answer, size_t index);
routable_answer_header_at = _function(
    "routable_answer_header_at", routable_header,
    [POINTER(routable_answer), c_size_t],
)

# routable_str routable_answer_header(const routable_answer *answer, const char *name);
routable_answer_header = _function("routable_answer_header", routable_str, [POINTER(routable_answer), c_char_p])

# routable_str routable_answer_body(const routable_answer *answer);
routable_answer_body = _function("routable_answer_body", routable_str, [POINTER(routable_answer)])

# int64_t routable_answer_body_length(const routable_answer *answer);
routable_answer_body_length = _function("routable_answer_body_length", c_int64, [POINTER(routable_answer)])

# int32_t routable_answer_descriptor(const routable_answer *answer);
routable_answer_descriptor = _function("routable_answer_descriptor", c_int32, [POINTER(routable_answer)])

# routable_status routable_answer_next(routable_answer *answer, routable_str *out, routable_error **error);
routable_answer_next = _function(
    "routable_answer_next", routable_status,
    [POINTER(routable_answer), POINTER(routable_str), POINTER(POINTER(routable_error))],
)
