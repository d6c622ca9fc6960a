# Written by scripts/interface from include/routable_transfers.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_transfers.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_int32, c_int64, c_size_t, c_uint32, c_void_p

from .client import routable_client, routable_policy
from .function import _function
from .request import routable_request
from .response import routable_response_parts
from .values import routable_error, routable_release_fn, routable_response, routable_status


class routable_transfer(Structure):
    """`typedef struct routable_transfer routable_transfer;`"""


# typedef void (*routable_transfer_fn)(routable_transfer *transfer, void *user_data);
routable_transfer_fn = CFUNCTYPE(None, POINTER(routable_transfer), c_void_p)

# routable_status routable_client_submit(const routable_client *client, const routable_request *request, const
#     routable_policy *policy, routable_transfer_fn on_complete, void *user_data, routable_release_fn release,
#     routable_transfer **out, routable_error **error);
routable_client_submit = _function(
    "routable_client_submit", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(routable_policy), routable_transfer_fn, c_void_p,
     routable_release_fn, POINTER(POINTER(routable_transfer)), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_submit_many(const routable_client *client, const routable_request *const *requests,
#     size_t count, const routable_policy *policy, routable_transfer_fn on_complete, void *const *user_data,
#     routable_release_fn release, routable_transfer **out, routable_error **error);
routable_client_submit_many = _function(
    "routable_client_submit_many", routable_status,
    [POINTER(routable_client), POINTER(POINTER(routable_request)), c_size_t, POINTER(routable_policy),
     routable_transfer_fn, POINTER(c_void_p), routable_release_fn, POINTER(POINTER(routable_transfer)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_client_next(const routable_client *client, int64_t timeout_ms, routable_transfer **out,
#     routable_error **error);
routable_client_next = _function(
    "routable_client_next", routable_status,
    [POINTER(routable_client), c_int64, POINTER(POINTER(routable_transfer)), POINTER(POINTER(routable_error))],
)


class routable_completion(Structure):
    """`typedef struct routable_completion { ... } routable_completion;`"""

    _fields_ = [
        ("transfer", POINTER(routable_transfer)),
        ("user_data", c_void_p),
        ("status", routable_status),
        ("reserved0", c_uint32),
        ("parts", routable_response_parts),
    ]


# routable_status routable_client_next_many(const routable_client *client, int64_t timeout_ms, routable_completion
#     *completions, size_t capacity, size_t *count, routable_error **error);
routable_client_next_many = _function(
    "routable_client_next_many", routable_status,
    [POINTER(routable_client), c_int64, POINTER(routable_completion), c_size_t, POINTER(c_size_t),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_client_drive(const routable_client *client, int64_t timeout_ms, size_t *pending,
#     routable_error **error);
routable_client_drive = _function(
    "routable_client_drive", routable_status,
    [POINTER(routable_client), c_int64, POINTER(c_size_t), POINTER(POINTER(routable_error))],
)

# routable_status routable_client_descriptor(const routable_client *client, int32_t *out, routable_error **error);
routable_client_descriptor = _function(
    "routable_client_descriptor", routable_status,
    [POINTER(routable_client), POINTER(c_int32), POINTER(POINTER(routable_error))],
)

# void routable_client_interrupt(const routable_client *client);
routable_client_interrupt = _function("routable_client_interrupt", None, [POINTER(routable_client)])

# routable_status routable_client_start(const routable_client *client, routable_error **error);
routable_client_start = _function(
    "routable_client_start", routable_status,
    [POINTER(routable_client), POINTER(POINTER(routable_error))],
)

# void routable_transfer_free(routable_transfer *transfer);
routable_transfer_free = _function("routable_transfer_free", None, [POINTER(routable_transfer)])

# void routable_transfer_free_many(routable_transfer *const *transfers, size_t count);
routable_transfer_free_many = _function(
    "routable_transfer_free_many", None,
    [POINTER(POINTER(routable_transfer)), c_size_t],
)

# int32_t routable_transfer_cancel(const routable_transfer *transfer);
routable_transfer_cancel = _function("routable_transfer_cancel", c_int32, [POINTER(routable_transfer)])

# routable_status routable_transfer_wait(const routable_transfer *transfer, int64_t timeout_ms, routable_error
#     **error);
routable_transfer_wait = _function(
    "routable_transfer_wait", routable_status,
    [POINTER(routable_transfer), c_int64, POINTER(POINTER(routable_error))],
)

# routable_status routable_transfer_result(const routable_transfer *transfer, routable_response **out, routable_error
#     **error);
routable_transfer_result = _function(
    "routable_transfer_result", routable_status,
    [POINTER(routable_transfer), POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)

# void *routable_transfer_user_data(const routable_transfer *transfer);
routable_transfer_user_data = _function("routable_transfer_user_data", c_void_p, [POINTER(routable_transfer)])
