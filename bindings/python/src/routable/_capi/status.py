"""Status, and the version, as include/routable.h has them."""

from __future__ import annotations

from ctypes import c_char_p, c_int32, c_uint32

from .function import _function

# uint32_t routable_version(void);
routable_version = _function("routable_version", c_uint32, [])

# const char *routable_version_text(void);
routable_version_text = _function("routable_version_text", c_char_p, [])

# --------------------------------------------------------------------------------------------------
# Status: what happened.  Values are never reused.

routable_status = c_int32
ROUTABLE_OK = 0
ROUTABLE_NO_MATCH = 1
ROUTABLE_METHOD_NOT_ALLOWED = 2
ROUTABLE_PENDING = 3
ROUTABLE_CANCELLED = 4
ROUTABLE_IDLE = 5
ROUTABLE_ERR_ARGUMENT = 16
ROUTABLE_ERR_BUFFER = 17
ROUTABLE_ERR_JSON = 18
ROUTABLE_ERR_DOCUMENT = 19
ROUTABLE_ERR_CONFLICT = 20
ROUTABLE_ERR_UNSUPPORTED = 21
ROUTABLE_ERR_UNKNOWN = 22
ROUTABLE_ERR_NOT_ALLOWED = 23
ROUTABLE_ERR_ID = 24
ROUTABLE_ERR_VALUE = 25
ROUTABLE_ERR_SHADOWED = 26
ROUTABLE_ERR_PARAMETER = 27
ROUTABLE_ERR_BODY = 28
ROUTABLE_ERR_URL = 29
ROUTABLE_ERR_HEADER = 30
ROUTABLE_ERR_LIMIT = 31
ROUTABLE_ERR_FILE = 32
ROUTABLE_ERR_NO_CURL = 33
ROUTABLE_ERR_TRANSFER = 34
ROUTABLE_ERR_TIMEOUT = 35
ROUTABLE_ERR_TLS = 36
ROUTABLE_ERR_HTTP_STATUS = 37
ROUTABLE_ERR_RESPONSE = 38
ROUTABLE_ERR_CREDENTIAL = 39
ROUTABLE_ERR_INTERNAL = 40
ROUTABLE_ERR_CALLBACK = 41
ROUTABLE_ERR_EXCESSIVE_REFRESH = 42

# const char *routable_status_name(routable_status status);
routable_status_name = _function("routable_status_name", c_char_p, [routable_status])
