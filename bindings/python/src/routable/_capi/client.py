"""Clients, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int64, c_size_t, c_uint32

from .errors import routable_error, routable_response
from .function import _function
from .request import routable_request
from .status import routable_status

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

# routable_status routable_client_new(const routable_client_options *options, routable_client
#     **out, routable_error **error);
routable_client_new = _function(
    "routable_client_new", routable_status,
    [POINTER(routable_client_options), POINTER(POINTER(routable_client)),
     POINTER(POINTER(routable_error))],
)

# void routable_client_free(routable_client *client);
routable_client_free = _function("routable_client_free", None, [POINTER(routable_client)])

# routable_status routable_client_perform(const routable_client *client, const routable_request
#     *request, routable_response **out, routable_error **error);
routable_client_perform = _function(
    "routable_client_perform", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(POINTER(routable_response)),
     POINTER(POINTER(routable_error))],
)
