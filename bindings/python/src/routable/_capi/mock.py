# Written by scripts/interface from include/routable_mock.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_mock.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from .client import routable_exchange
from .function import _function
from .router import routable_router
from .service import routable_answer, routable_incoming
from .values import routable_error, routable_status, routable_str, routable_string


class routable_mock(Structure):
    """`typedef struct routable_mock routable_mock;`"""


ROUTABLE_MOCK_ANONYMOUS = 1

# typedef routable_status (*routable_mock_change_fn)(routable_str path, routable_str json, void *user_data);
routable_mock_change_fn = CFUNCTYPE(routable_status, routable_str, routable_str, c_void_p)


class routable_mock_options(Structure):
    """`typedef struct routable_mock_options { ... } routable_mock_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("base_path", c_char_p),
        ("id_pointer", c_char_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("changed", routable_mock_change_fn),
        ("user_data", c_void_p),
    ]


# routable_status routable_mock_new(const routable_router *router, const routable_mock_options *options, routable_mock
#     **out, routable_error **error);
routable_mock_new = _function(
    "routable_mock_new", routable_status,
    [POINTER(routable_router), POINTER(routable_mock_options), POINTER(POINTER(routable_mock)),
     POINTER(POINTER(routable_error))],
)

# void routable_mock_free(routable_mock *mock);
routable_mock_free = _function("routable_mock_free", None, [POINTER(routable_mock)])

# void routable_mock_answer(routable_exchange *exchange, void *user_data);
routable_mock_answer = _function("routable_mock_answer", None, [POINTER(routable_exchange), c_void_p])

# routable_status routable_mock_respond(routable_mock *mock, const routable_incoming *incoming, routable_answer **out,
#     int32_t *curl_code, int64_t *delay_ms, routable_error **error);
routable_mock_respond = _function(
    "routable_mock_respond", routable_status,
    [POINTER(routable_mock), POINTER(routable_incoming), POINTER(POINTER(routable_answer)), POINTER(c_int32),
     POINTER(c_int64), POINTER(POINTER(routable_error))],
)

# routable_status routable_mock_put(routable_mock *mock, const char *path, const char *json, size_t length,
#     routable_error **error);
routable_mock_put = _function(
    "routable_mock_put", routable_status,
    [POINTER(routable_mock), c_char_p, c_char_p, c_size_t, POINTER(POINTER(routable_error))],
)

# routable_status routable_mock_problems(const routable_mock *mock, routable_string *out, routable_error **error);
routable_mock_problems = _function(
    "routable_mock_problems", routable_status,
    [POINTER(routable_mock), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# size_t routable_mock_count(const routable_mock *mock);
routable_mock_count = _function("routable_mock_count", c_size_t, [POINTER(routable_mock)])

# void routable_mock_reset(routable_mock *mock);
routable_mock_reset = _function("routable_mock_reset", None, [POINTER(routable_mock)])


class routable_mock_fault(Structure):
    """`typedef struct routable_mock_fault { ... } routable_mock_fault;`"""

    _fields_ = [
        ("size", c_size_t),
        ("route", c_char_p),
        ("operation", c_char_p),
        ("times", c_int32),
        ("rate", c_int32),
        ("http_status", c_int32),
        ("retry_after", c_int32),
        ("curl_code", c_int32),
        ("wrong_body", c_uint32),
        ("delay_ms", c_int64),
    ]


# routable_status routable_mock_add_fault(routable_mock *mock, const routable_mock_fault *fault, routable_error
#     **error);
routable_mock_add_fault = _function(
    "routable_mock_add_fault", routable_status,
    [POINTER(routable_mock), POINTER(routable_mock_fault), POINTER(POINTER(routable_error))],
)
