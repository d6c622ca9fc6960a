# Written by scripts/interface from include/routable_login.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_login.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int64, c_size_t, c_uint32

from .client import routable_client
from .function import _function
from .router import routable_router
from .values import routable_error, routable_status, routable_str, routable_string


class routable_login(Structure):
    """`typedef struct routable_login routable_login;`"""


ROUTABLE_LOGIN_DISCOVER = 2


class routable_login_options(Structure):
    """`typedef struct routable_login_options { ... } routable_login_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("scheme", c_char_p),
        ("router", POINTER(routable_router)),
        ("client_id", routable_str),
        ("client_secret", routable_str),
        ("redirect_url", c_char_p),
        ("scope", c_char_p),
        ("audience", c_char_p),
        ("resource", c_char_p),
        ("issuer", c_char_p),
        ("authorization_url", c_char_p),
        ("device_url", c_char_p),
        ("token_url", c_char_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


# routable_status routable_login_new(const routable_client *client, const routable_login_options *options,
#     routable_login **out, routable_error **error);
routable_login_new = _function(
    "routable_login_new", routable_status,
    [POINTER(routable_client), POINTER(routable_login_options), POINTER(POINTER(routable_login)),
     POINTER(POINTER(routable_error))],
)

# void routable_login_free(routable_login *login);
routable_login_free = _function("routable_login_free", None, [POINTER(routable_login)])

# routable_status routable_login_begin(routable_login *login, routable_string *out, routable_error **error);
routable_login_begin = _function(
    "routable_login_begin", routable_status,
    [POINTER(routable_login), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_login_finish(routable_login *login, routable_str redirected, routable_error **error);
routable_login_finish = _function(
    "routable_login_finish", routable_status,
    [POINTER(routable_login), routable_str, POINTER(POINTER(routable_error))],
)


class routable_device_code(Structure):
    """`typedef struct routable_device_code { ... } routable_device_code;`"""

    _fields_ = [
        ("size", c_size_t),
        ("user_code", routable_str),
        ("url", routable_str),
        ("complete_url", routable_str),
        ("expires_in_ms", c_int64),
        ("interval_ms", c_int64),
    ]


# routable_status routable_login_begin_device(routable_login *login, routable_device_code *out, routable_error
#     **error);
routable_login_begin_device = _function(
    "routable_login_begin_device", routable_status,
    [POINTER(routable_login), POINTER(routable_device_code), POINTER(POINTER(routable_error))],
)

# routable_status routable_login_poll(routable_login *login, int64_t *wait_ms, routable_error **error);
routable_login_poll = _function(
    "routable_login_poll", routable_status,
    [POINTER(routable_login), POINTER(c_int64), POINTER(POINTER(routable_error))],
)
