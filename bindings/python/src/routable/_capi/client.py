# Written by scripts/interface from include/routable_client.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_client.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p

from .function import _function
from .introspection import routable_operation
from .request import routable_request
from .router import routable_router
from .values import (
    routable_error,
    routable_header,
    routable_release_fn,
    routable_response,
    routable_status,
    routable_str,
    routable_string,
)


class routable_client(Structure):
    """`typedef struct routable_client routable_client;`"""


class routable_tape(Structure):
    """`typedef struct routable_tape routable_tape;`"""


class routable_exchange(Structure):
    """`typedef struct routable_exchange routable_exchange;`"""


# typedef void (*routable_transport_fn)(routable_exchange *exchange, void *user_data);
routable_transport_fn = CFUNCTYPE(None, POINTER(routable_exchange), c_void_p)

routable_deviation_policy = c_int32
ROUTABLE_DEVIATIONS_DEFAULT = 0
ROUTABLE_DEVIATIONS_REPORT = 1
ROUTABLE_DEVIATIONS_RAISE = 2
ROUTABLE_DEVIATIONS_IGNORE = 3


class routable_origin_header(Structure):
    """`typedef struct routable_origin_header { ... } routable_origin_header;`"""

    _fields_ = [
        ("origin", c_char_p),
        ("name", routable_str),
        ("value", routable_str),
    ]


# typedef void (*routable_setopt_fn)(void);
routable_setopt_fn = CFUNCTYPE(None)

# typedef routable_status (*routable_setup_fn)(void *handle, routable_setopt_fn setopt, void *user_data);
routable_setup_fn = CFUNCTYPE(routable_status, c_void_p, routable_setopt_fn, c_void_p)


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
        ("max_retry_delay_ms", c_int64),
        ("retries", c_uint32),
        ("max_active", c_uint32),
        ("max_active_per_host", c_uint32),
        ("max_pending", c_uint32),
        ("stall_timeout_ms", c_int64),
        ("headers", POINTER(routable_header)),
        ("header_count", c_size_t),
        ("transport", routable_transport_fn),
        ("transport_user_data", c_void_p),
        ("transport_release", routable_release_fn),
        ("origin_headers", POINTER(routable_origin_header)),
        ("origin_header_count", c_size_t),
        ("query", c_char_p),
        ("unix_socket", c_char_p),
        ("cookie_file", c_char_p),
        ("setup", routable_setup_fn),
        ("setup_user_data", c_void_p),
        ("setup_release", routable_release_fn),
        ("router", POINTER(routable_router)),
        ("deviations", routable_deviation_policy),
        ("netrc_file", c_char_p),
        ("tape", POINTER(routable_tape)),
    ]


ROUTABLE_CLIENT_NO_REDIRECTS = 1
ROUTABLE_CLIENT_NO_COMPRESSION = 2
ROUTABLE_CLIENT_TIMINGS = 4
ROUTABLE_CLIENT_CHECK_BODIES = 8
ROUTABLE_CLIENT_INSECURE_REDIRECTS = 16
ROUTABLE_CLIENT_NO_VERIFY = 32
ROUTABLE_CLIENT_NO_AUTH = 64

# routable_status routable_client_new(const routable_client_options *options, routable_client **out, routable_error
#     **error);
routable_client_new = _function(
    "routable_client_new", routable_status,
    [POINTER(routable_client_options), POINTER(POINTER(routable_client)), POINTER(POINTER(routable_error))],
)

# void routable_client_free(routable_client *client);
routable_client_free = _function("routable_client_free", None, [POINTER(routable_client)])

# routable_status routable_client_save_cookies(const routable_client *client, routable_error **error);
routable_client_save_cookies = _function(
    "routable_client_save_cookies", routable_status,
    [POINTER(routable_client), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_cookies(const routable_client *client, routable_string *out, routable_error
#     **error);
routable_client_cookies = _function(
    "routable_client_cookies", routable_status,
    [POINTER(routable_client), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_set_cookie(const routable_client *client, routable_str line, routable_error
#     **error);
routable_client_set_cookie = _function(
    "routable_client_set_cookie", routable_status,
    [POINTER(routable_client), routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_client_clear_cookies(const routable_client *client, routable_error **error);
routable_client_clear_cookies = _function(
    "routable_client_clear_cookies", routable_status,
    [POINTER(routable_client), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_perform(const routable_client *client, const routable_request *request,
#     routable_response **out, routable_error **error);
routable_client_perform = _function(
    "routable_client_perform", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(POINTER(routable_response)),
     POINTER(POINTER(routable_error))],
)


class routable_credential(Structure):
    """`typedef struct routable_credential routable_credential;`"""


ROUTABLE_POLICY_UNQUEUED = 1
ROUTABLE_POLICY_NO_AUTH = 2
ROUTABLE_POLICY_TIMINGS = 4
ROUTABLE_POLICY_CHECK_BODIES = 8
ROUTABLE_POLICY_KEEP_JSON = 16
ROUTABLE_POLICY_ANY_STATUS = 32


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
        ("deviations", routable_deviation_policy),
        ("credential", POINTER(routable_credential)),
        ("idempotency_header", routable_str),
        ("stall_timeout_ms", c_int64),
        ("credential_request", POINTER(routable_request)),
    ]


# int32_t routable_operation_policy(const routable_operation *operation, routable_policy *out);
routable_operation_policy = _function(
    "routable_operation_policy", c_int32,
    [POINTER(routable_operation), POINTER(routable_policy)],
)

# routable_status routable_client_perform_with(const routable_client *client, const routable_request *request, const
#     routable_policy *policy, routable_response **out, routable_error **error);
routable_client_perform_with = _function(
    "routable_client_perform_with", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(routable_policy),
     POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)

# typedef void (*routable_deviation_fn)(const routable_response *response, routable_str route, routable_str operation,
#     void *user_data);
routable_deviation_fn = CFUNCTYPE(None, POINTER(routable_response), routable_str, routable_str, c_void_p)

# routable_status routable_client_set_deviation_hook(const routable_client *client, routable_deviation_fn hook, void
#     *user_data, routable_release_fn release, routable_error **error);
routable_client_set_deviation_hook = _function(
    "routable_client_set_deviation_hook", routable_status,
    [POINTER(routable_client), routable_deviation_fn, c_void_p, routable_release_fn,
     POINTER(POINTER(routable_error))],
)

# routable_status routable_client_to_curl(const routable_client *client, const routable_request *request, uint32_t
#     flags, routable_string *out, routable_error **error);
routable_client_to_curl = _function(
    "routable_client_to_curl", routable_status,
    [POINTER(routable_client), POINTER(routable_request), c_uint32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)
