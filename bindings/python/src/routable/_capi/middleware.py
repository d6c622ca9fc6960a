# Written by scripts/interface from include/routable_middleware.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_middleware.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_size_t, c_void_p

from .client import routable_client
from .function import _function
from .request import routable_request
from .transport import routable_reply
from .values import routable_error, routable_release_fn, routable_response, routable_status


class routable_interception(Structure):
    """`typedef struct routable_interception routable_interception;`"""


# typedef void (*routable_middleware_fn)(routable_interception *interception, void *user_data);
routable_middleware_fn = CFUNCTYPE(None, POINTER(routable_interception), c_void_p)


class routable_middleware(Structure):
    """`typedef struct routable_middleware { ... } routable_middleware;`"""

    _fields_ = [
        ("size", c_size_t),
        ("before", routable_middleware_fn),
        ("after", routable_middleware_fn),
        ("user_data", c_void_p),
        ("release", routable_release_fn),
    ]


# routable_status routable_client_add_middleware(const routable_client *client, const routable_middleware *middleware,
#     routable_error **error);
routable_client_add_middleware = _function(
    "routable_client_add_middleware", routable_status,
    [POINTER(routable_client), POINTER(routable_middleware), POINTER(POINTER(routable_error))],
)

# routable_request *routable_interception_request(routable_interception *interception);
routable_interception_request = _function(
    "routable_interception_request", POINTER(routable_request),
    [POINTER(routable_interception)],
)

# routable_status routable_interception_set_request(routable_interception *interception, const routable_request
#     *request, routable_error **error);
routable_interception_set_request = _function(
    "routable_interception_set_request", routable_status,
    [POINTER(routable_interception), POINTER(routable_request), POINTER(POINTER(routable_error))],
)

# const routable_response *routable_interception_response(const routable_interception *interception);
routable_interception_response = _function(
    "routable_interception_response", POINTER(routable_response),
    [POINTER(routable_interception)],
)

# const routable_error *routable_interception_error(const routable_interception *interception);
routable_interception_error = _function(
    "routable_interception_error", POINTER(routable_error),
    [POINTER(routable_interception)],
)

# routable_status routable_interception_reply(routable_interception *interception, const routable_reply *reply,
#     routable_error **error);
routable_interception_reply = _function(
    "routable_interception_reply", routable_status,
    [POINTER(routable_interception), POINTER(routable_reply), POINTER(POINTER(routable_error))],
)

# void routable_interception_set_data(routable_interception *interception, void *data, routable_release_fn release);
routable_interception_set_data = _function(
    "routable_interception_set_data", None,
    [POINTER(routable_interception), c_void_p, routable_release_fn],
)

# void *routable_interception_data(const routable_interception *interception);
routable_interception_data = _function("routable_interception_data", c_void_p, [POINTER(routable_interception)])
