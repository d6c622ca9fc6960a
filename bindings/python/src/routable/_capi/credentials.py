# Written by scripts/interface from include/routable_credentials.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_credentials.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p

from .client import routable_client, routable_credential
from .function import _function
from .router import routable_router
from .values import routable_error, routable_release_fn, routable_status, routable_str, routable_string


class routable_refresh(Structure):
    """`typedef struct routable_refresh routable_refresh;`"""


# typedef void (*routable_refresh_fn)(routable_refresh *refresh, void *user_data);
routable_refresh_fn = CFUNCTYPE(None, POINTER(routable_refresh), c_void_p)


class routable_signing(Structure):
    """`typedef struct routable_signing routable_signing;`"""


# typedef routable_status (*routable_sign_fn)(routable_signing *signing, void *user_data);
routable_sign_fn = CFUNCTYPE(routable_status, POINTER(routable_signing), c_void_p)


class routable_tokens(Structure):
    """`typedef struct routable_tokens { ... } routable_tokens;`"""

    _fields_ = [
        ("size", c_size_t),
        ("scheme", routable_str),
        ("token", routable_str),
        ("refresh_token", routable_str),
        ("expires_in_ms", c_int64),
        ("has_rotated", c_int32),
        ("reserved", c_uint32),
    ]


# typedef void (*routable_tokens_fn)(const routable_tokens *tokens, void *user_data);
routable_tokens_fn = CFUNCTYPE(None, POINTER(routable_tokens), c_void_p)

ROUTABLE_CREDENTIAL_SECRET_IN_BODY = 1


routable_credential._fields_ = [
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
    ("router", POINTER(routable_router)),
    ("audience", c_char_p),
    ("resource", c_char_p),
    ("refreshed", routable_tokens_fn),
]

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


# --------------------------------------------------------------------------------------------------
# Refresh

# routable_str routable_refresh_scheme(const routable_refresh *refresh);
routable_refresh_scheme = _function("routable_refresh_scheme", routable_str, [POINTER(routable_refresh)])

# routable_str routable_refresh_token(const routable_refresh *refresh);
routable_refresh_token = _function("routable_refresh_token", routable_str, [POINTER(routable_refresh)])

# routable_str routable_refresh_url(const routable_refresh *refresh);
routable_refresh_url = _function("routable_refresh_url", routable_str, [POINTER(routable_refresh)])

# routable_str routable_refresh_route(const routable_refresh *refresh);
routable_refresh_route = _function("routable_refresh_route", routable_str, [POINTER(routable_refresh)])

# routable_str routable_refresh_operation(const routable_refresh *refresh);
routable_refresh_operation = _function("routable_refresh_operation", routable_str, [POINTER(routable_refresh)])

# routable_str routable_refresh_challenge(const routable_refresh *refresh);
routable_refresh_challenge = _function("routable_refresh_challenge", routable_str, [POINTER(routable_refresh)])

# int32_t routable_challenge_find(routable_str header, const char *scheme, const char *parameter, routable_string
#     *out);
routable_challenge_find = _function(
    "routable_challenge_find", c_int32,
    [routable_str, c_char_p, c_char_p, POINTER(routable_string)],
)

# routable_status routable_refresh_finish(routable_refresh *refresh, routable_str token, int64_t expires_in_ms,
#     routable_error **error);
routable_refresh_finish = _function(
    "routable_refresh_finish", routable_status,
    [POINTER(routable_refresh), routable_str, c_int64, POINTER(POINTER(routable_error))],
)

# void routable_refresh_fail(routable_refresh *refresh, routable_str message);
routable_refresh_fail = _function("routable_refresh_fail", None, [POINTER(routable_refresh), routable_str])


# --------------------------------------------------------------------------------------------------
# Signing

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
