# Written by scripts/interface from include/routable_transport.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_transport.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p

from .client import routable_exchange
from .function import _function
from .values import routable_error, routable_header, routable_status, routable_str


# --------------------------------------------------------------------------------------------------
# Exchange: one attempt of a request. Immutable; any thread may use it. Strings are borrowed from
# the exchange.

# routable_str routable_exchange_route(const routable_exchange *exchange);
routable_exchange_route = _function("routable_exchange_route", routable_str, [POINTER(routable_exchange)])

# routable_str routable_exchange_operation(const routable_exchange *exchange);
routable_exchange_operation = _function("routable_exchange_operation", routable_str, [POINTER(routable_exchange)])

# routable_str routable_exchange_method(const routable_exchange *exchange);
routable_exchange_method = _function("routable_exchange_method", routable_str, [POINTER(routable_exchange)])

# routable_str routable_exchange_url(const routable_exchange *exchange);
routable_exchange_url = _function("routable_exchange_url", routable_str, [POINTER(routable_exchange)])

# size_t routable_exchange_header_count(const routable_exchange *exchange);
routable_exchange_header_count = _function("routable_exchange_header_count", c_size_t, [POINTER(routable_exchange)])

# routable_header routable_exchange_header_at(const routable_exchange *exchange, size_t index);
routable_exchange_header_at = _function(
    "routable_exchange_header_at", routable_header,
    [POINTER(routable_exchange), c_size_t],
)

# routable_str routable_exchange_header(const routable_exchange *exchange, const char *name);
routable_exchange_header = _function("routable_exchange_header", routable_str, [POINTER(routable_exchange), c_char_p])

# int32_t routable_exchange_has_body(const routable_exchange *exchange);
routable_exchange_has_body = _function("routable_exchange_has_body", c_int32, [POINTER(routable_exchange)])

# routable_str routable_exchange_body(const routable_exchange *exchange);
routable_exchange_body = _function("routable_exchange_body", routable_str, [POINTER(routable_exchange)])

# int64_t routable_exchange_timeout_ms(const routable_exchange *exchange);
routable_exchange_timeout_ms = _function("routable_exchange_timeout_ms", c_int64, [POINTER(routable_exchange)])


class routable_reply(Structure):
    """`typedef struct routable_reply { ... } routable_reply;`"""

    _fields_ = [
        ("size", c_size_t),
        ("http_status", c_int32),
        ("curl_code", c_int32),
        ("headers", POINTER(routable_header)),
        ("header_count", c_size_t),
        ("body", routable_str),
        ("delay_ms", c_int64),
        ("failure", routable_status),
        ("reserved", c_uint32),
        ("message", routable_str),
    ]


# routable_status routable_exchange_reply(routable_exchange *exchange, const routable_reply *reply, routable_error
#     **error);
routable_exchange_reply = _function(
    "routable_exchange_reply", routable_status,
    [POINTER(routable_exchange), POINTER(routable_reply), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Canned responses: a transport for tests. Any thread may use it.


class routable_responses(Structure):
    """`typedef struct routable_responses routable_responses;`"""


# routable_status routable_responses_new(routable_responses **out, routable_error **error);
routable_responses_new = _function(
    "routable_responses_new", routable_status,
    [POINTER(POINTER(routable_responses)), POINTER(POINTER(routable_error))],
)

# void routable_responses_free(routable_responses *responses);
routable_responses_free = _function("routable_responses_free", None, [POINTER(routable_responses)])


class routable_canned(Structure):
    """`typedef struct routable_canned { ... } routable_canned;`"""

    _fields_ = [
        ("size", c_size_t),
        ("route", c_char_p),
        ("operation", c_char_p),
        ("url", c_char_p),
        ("times", c_int32),
        ("reserved", c_uint32),
        ("reply", POINTER(routable_reply)),
    ]


# routable_status routable_responses_add(routable_responses *responses, const routable_canned *canned, routable_error
#     **error);
routable_responses_add = _function(
    "routable_responses_add", routable_status,
    [POINTER(routable_responses), POINTER(routable_canned), POINTER(POINTER(routable_error))],
)

# void routable_responses_answer(routable_exchange *exchange, void *user_data);
routable_responses_answer = _function("routable_responses_answer", None, [POINTER(routable_exchange), c_void_p])

# routable_status routable_responses_check(const routable_responses *responses, routable_error **error);
routable_responses_check = _function(
    "routable_responses_check", routable_status,
    [POINTER(routable_responses), POINTER(POINTER(routable_error))],
)

# size_t routable_responses_request_count(const routable_responses *responses);
routable_responses_request_count = _function(
    "routable_responses_request_count", c_size_t,
    [POINTER(routable_responses)],
)

# const routable_exchange *routable_responses_request_at(const routable_responses *responses, size_t index);
routable_responses_request_at = _function(
    "routable_responses_request_at", POINTER(routable_exchange),
    [POINTER(routable_responses), c_size_t],
)
