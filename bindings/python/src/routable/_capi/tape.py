# Written by scripts/interface from include/routable_tape.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_tape.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32

from .client import routable_tape
from .function import _function
from .router import routable_router
from .values import routable_error, routable_status, routable_str

routable_tape_mode = c_int32
ROUTABLE_TAPE_AUTO = 0
ROUTABLE_TAPE_RECORD = 1
ROUTABLE_TAPE_REPLAY = 2
ROUTABLE_TAPE_CHECK = 3

ROUTABLE_TAPE_ALLOW_UNUSED = 1


class routable_tape_options(Structure):
    """`typedef struct routable_tape_options { ... } routable_tape_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("mode", routable_tape_mode),
        ("flags", c_uint32),
        ("redact", POINTER(c_char_p)),
        ("redact_count", c_size_t),
        ("secrets", POINTER(routable_str)),
        ("secret_count", c_size_t),
    ]


# routable_status routable_tape_new(const routable_router *router, const char *path, const routable_tape_options
#     *options, routable_tape **out, routable_error **error);
routable_tape_new = _function(
    "routable_tape_new", routable_status,
    [POINTER(routable_router), c_char_p, POINTER(routable_tape_options), POINTER(POINTER(routable_tape)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_tape_finish(routable_tape *tape, routable_error **error);
routable_tape_finish = _function(
    "routable_tape_finish", routable_status,
    [POINTER(routable_tape), POINTER(POINTER(routable_error))],
)

# void routable_tape_free(routable_tape *tape);
routable_tape_free = _function("routable_tape_free", None, [POINTER(routable_tape)])
