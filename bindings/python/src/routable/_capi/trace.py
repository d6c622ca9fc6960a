# Written by scripts/interface from include/routable_trace.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_trace.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_int32, c_int64, c_size_t, c_void_p

from .client import routable_client
from .function import _function
from .transfers import routable_transfer
from .values import routable_error, routable_release_fn, routable_response, routable_status, routable_str


# --------------------------------------------------------------------------------------------------
# Trace: the record of one transfer. Borrowed, immutable.


class routable_trace(Structure):
    """`typedef struct routable_trace routable_trace;`"""


# const routable_trace *routable_response_trace(const routable_response *response);
routable_response_trace = _function("routable_response_trace", POINTER(routable_trace), [POINTER(routable_response)])

# const routable_trace *routable_error_trace(const routable_error *error);
routable_error_trace = _function("routable_error_trace", POINTER(routable_trace), [POINTER(routable_error)])

# const routable_trace *routable_transfer_trace(const routable_transfer *transfer);
routable_transfer_trace = _function("routable_transfer_trace", POINTER(routable_trace), [POINTER(routable_transfer)])


class routable_timings(Structure):
    """`typedef struct routable_timings { ... } routable_timings;`"""

    _fields_ = [
        ("size", c_size_t),
        ("queued_us", c_int64),
        ("name_lookup_us", c_int64),
        ("connect_us", c_int64),
        ("tls_us", c_int64),
        ("first_byte_us", c_int64),
        ("attempt_us", c_int64),
        ("elapsed_us", c_int64),
        ("connections", c_int32),
        ("reserved", c_int32),
    ]


# int32_t routable_trace_timings(const routable_trace *trace, routable_timings *out);
routable_trace_timings = _function(
    "routable_trace_timings", c_int32,
    [POINTER(routable_trace), POINTER(routable_timings)],
)

routable_event_kind = c_int32
ROUTABLE_EVENT_QUEUED = 0
ROUTABLE_EVENT_ATTEMPT = 1
ROUTABLE_EVENT_RETRY = 2
ROUTABLE_EVENT_REDIRECT = 3
ROUTABLE_EVENT_REFUSED = 4
ROUTABLE_EVENT_RESUMED = 5
ROUTABLE_EVENT_REFRESH = 6
ROUTABLE_EVENT_END = 7


class routable_attempt(Structure):
    """`typedef struct routable_attempt { ... } routable_attempt;`"""

    _fields_ = [
        ("size", c_size_t),
        ("kind", routable_event_kind),
        ("http_status", c_int32),
        ("curl_code", c_int32),
        ("drops_credentials", c_int32),
        ("wait_ms", c_int64),
        ("url", routable_str),
    ]


# size_t routable_trace_attempt_count(const routable_trace *trace);
routable_trace_attempt_count = _function("routable_trace_attempt_count", c_size_t, [POINTER(routable_trace)])

# int32_t routable_trace_attempt_at(const routable_trace *trace, size_t index, routable_attempt *out);
routable_trace_attempt_at = _function(
    "routable_trace_attempt_at", c_int32,
    [POINTER(routable_trace), c_size_t, POINTER(routable_attempt)],
)


# --------------------------------------------------------------------------------------------------
# Hook


class routable_event(Structure):
    """`typedef struct routable_event { ... } routable_event;`"""

    _fields_ = [
        ("size", c_size_t),
        ("kind", routable_event_kind),
        ("attempt", c_int32),
        ("transfer", c_int64),
        ("route", routable_str),
        ("operation", routable_str),
        ("method", routable_str),
        ("url", routable_str),
        ("scheme", routable_str),
        ("status", routable_status),
        ("http_status", c_int32),
        ("curl_code", c_int32),
        ("drops_credentials", c_int32),
        ("wait_ms", c_int64),
        ("trace", POINTER(routable_trace)),
        ("path_template", routable_str),
    ]


# typedef void (*routable_event_fn)(const routable_event *event, void *user_data);
routable_event_fn = CFUNCTYPE(None, POINTER(routable_event), c_void_p)

# routable_status routable_client_set_hook(const routable_client *client, routable_event_fn hook, void *user_data,
#     routable_release_fn release, routable_error **error);
routable_client_set_hook = _function(
    "routable_client_set_hook", routable_status,
    [POINTER(routable_client), routable_event_fn, c_void_p, routable_release_fn, POINTER(POINTER(routable_error))],
)
