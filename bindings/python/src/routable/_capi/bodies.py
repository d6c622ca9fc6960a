# Written by scripts/interface from include/routable_bodies.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_bodies.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p

from .client import routable_client, routable_policy
from .function import _function
from .request import routable_request
from .transfers import routable_transfer
from .values import (
    routable_error,
    routable_release_fn,
    routable_response,
    routable_status,
    routable_str,
    routable_string,
)


# --------------------------------------------------------------------------------------------------
# Request bodies

# typedef routable_status (*routable_read_fn)(char *buffer, size_t capacity, size_t *count, void *user_data);
routable_read_fn = CFUNCTYPE(routable_status, POINTER(c_char), c_size_t, POINTER(c_size_t), c_void_p)

# typedef routable_status (*routable_rewind_fn)(void *user_data);
routable_rewind_fn = CFUNCTYPE(routable_status, c_void_p)


class routable_source(Structure):
    """`typedef struct routable_source { ... } routable_source;`"""

    _fields_ = [
        ("size", c_size_t),
        ("read", routable_read_fn),
        ("rewind", routable_rewind_fn),
        ("user_data", c_void_p),
        ("release", routable_release_fn),
        ("length", c_int64),
    ]


# routable_status routable_request_set_body_source(routable_request *request, const routable_source *source, const
#     char *content_type, routable_error **error);
routable_request_set_body_source = _function(
    "routable_request_set_body_source", routable_status,
    [POINTER(routable_request), POINTER(routable_source), c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_set_body_file(routable_request *request, const char *path, const char
#     *content_type, routable_error **error);
routable_request_set_body_file = _function(
    "routable_request_set_body_file", routable_status,
    [POINTER(routable_request), c_char_p, c_char_p, POINTER(POINTER(routable_error))],
)


class routable_part(Structure):
    """`typedef struct routable_part { ... } routable_part;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", routable_str),
        ("content", routable_str),
        ("file", c_char_p),
        ("source", POINTER(routable_source)),
        ("filename", c_char_p),
        ("content_type", c_char_p),
    ]


ROUTABLE_MULTIPART_HTML = 1

# routable_status routable_request_set_multipart(routable_request *request, const routable_part *parts, size_t count,
#     uint32_t flags, routable_error **error);
routable_request_set_multipart = _function(
    "routable_request_set_multipart", routable_status,
    [POINTER(routable_request), POINTER(routable_part), c_size_t, c_uint32, POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Response bodies: a target receives the body of a successful response (200 to 299 except 204 and
# 205)

# typedef routable_status (*routable_write_fn)(routable_str bytes, void *user_data);
routable_write_fn = CFUNCTYPE(routable_status, routable_str, c_void_p)


class routable_target(Structure):
    """`typedef struct routable_target { ... } routable_target;`"""

    _fields_ = [
        ("size", c_size_t),
        ("write", routable_write_fn),
        ("user_data", c_void_p),
        ("release", routable_release_fn),
    ]


# routable_status routable_request_set_target(routable_request *request, const routable_target *target, routable_error
#     **error);
routable_request_set_target = _function(
    "routable_request_set_target", routable_status,
    [POINTER(routable_request), POINTER(routable_target), POINTER(POINTER(routable_error))],
)

# routable_status routable_request_set_target_descriptor(routable_request *request, int32_t descriptor, routable_error
#     **error);
routable_request_set_target_descriptor = _function(
    "routable_request_set_target_descriptor", routable_status,
    [POINTER(routable_request), c_int32, POINTER(POINTER(routable_error))],
)

ROUTABLE_TARGET_RESUME = 1

# routable_status routable_request_set_target_file(routable_request *request, const char *path, uint32_t flags,
#     routable_error **error);
routable_request_set_target_file = _function(
    "routable_request_set_target_file", routable_status,
    [POINTER(routable_request), c_char_p, c_uint32, POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Progress, pause


class routable_progress(Structure):
    """`typedef struct routable_progress { ... } routable_progress;`"""

    _fields_ = [
        ("sent", c_int64),
        ("to_send", c_int64),
        ("received", c_int64),
        ("to_receive", c_int64),
    ]


# typedef routable_status (*routable_progress_fn)(const routable_progress *progress, void *user_data);
routable_progress_fn = CFUNCTYPE(routable_status, POINTER(routable_progress), c_void_p)

# routable_status routable_request_set_progress(routable_request *request, routable_progress_fn progress, void
#     *user_data, routable_release_fn release, routable_error **error);
routable_request_set_progress = _function(
    "routable_request_set_progress", routable_status,
    [POINTER(routable_request), routable_progress_fn, c_void_p, routable_release_fn,
     POINTER(POINTER(routable_error))],
)

# int32_t routable_transfer_pause(const routable_transfer *transfer);
routable_transfer_pause = _function("routable_transfer_pause", c_int32, [POINTER(routable_transfer)])

# int32_t routable_transfer_resume(const routable_transfer *transfer);
routable_transfer_resume = _function("routable_transfer_resume", c_int32, [POINTER(routable_transfer)])


# --------------------------------------------------------------------------------------------------
# Streams: the body of a response, read item by item


class routable_stream(Structure):
    """`typedef struct routable_stream routable_stream;`"""


routable_stream_kind = c_int32
ROUTABLE_STREAM_BYTES = 0
ROUTABLE_STREAM_LINES = 1
ROUTABLE_STREAM_EVENTS = 2


class routable_stream_options(Structure):
    """`typedef struct routable_stream_options { ... } routable_stream_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("kind", routable_stream_kind),
        ("reconnects", c_uint32),
        ("max_item_bytes", c_size_t),
        ("max_buffered_bytes", c_size_t),
        ("retry_ms", c_int64),
        ("last_event_id", routable_str),
    ]


class routable_stream_item(Structure):
    """`typedef struct routable_stream_item { ... } routable_stream_item;`"""

    _fields_ = [
        ("data", routable_str),
        ("event", routable_str),
        ("id", routable_str),
    ]


# routable_status routable_stream_open(const routable_client *client, const routable_request *request, const
#     routable_stream_options *options, const routable_policy *policy, routable_stream **out, routable_error **error);
routable_stream_open = _function(
    "routable_stream_open", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(routable_stream_options),
     POINTER(routable_policy), POINTER(POINTER(routable_stream)), POINTER(POINTER(routable_error))],
)

# routable_status routable_stream_next(routable_stream *stream, int64_t timeout_ms, routable_stream_item *out,
#     routable_error **error);
routable_stream_next = _function(
    "routable_stream_next", routable_status,
    [POINTER(routable_stream), c_int64, POINTER(routable_stream_item), POINTER(POINTER(routable_error))],
)

# routable_status routable_stream_response(routable_stream *stream, int64_t timeout_ms, routable_response **out,
#     routable_error **error);
routable_stream_response = _function(
    "routable_stream_response", routable_status,
    [POINTER(routable_stream), c_int64, POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)

# int32_t routable_stream_cancel(const routable_stream *stream);
routable_stream_cancel = _function("routable_stream_cancel", c_int32, [POINTER(routable_stream)])

# void routable_stream_free(routable_stream *stream);
routable_stream_free = _function("routable_stream_free", None, [POINTER(routable_stream)])


# --------------------------------------------------------------------------------------------------
# Splitter: divides bytes from another HTTP client into the items of a stream


class routable_splitter(Structure):
    """`typedef struct routable_splitter routable_splitter;`"""


# routable_status routable_splitter_new(const routable_stream_options *options, routable_splitter **out,
#     routable_error **error);
routable_splitter_new = _function(
    "routable_splitter_new", routable_status,
    [POINTER(routable_stream_options), POINTER(POINTER(routable_splitter)), POINTER(POINTER(routable_error))],
)

# routable_status routable_splitter_feed(routable_splitter *splitter, routable_str bytes, routable_error **error);
routable_splitter_feed = _function(
    "routable_splitter_feed", routable_status,
    [POINTER(routable_splitter), routable_str, POINTER(POINTER(routable_error))],
)

# void routable_splitter_end(routable_splitter *splitter);
routable_splitter_end = _function("routable_splitter_end", None, [POINTER(routable_splitter)])

# routable_status routable_splitter_next(routable_splitter *splitter, routable_stream_item *out, routable_error
#     **error);
routable_splitter_next = _function(
    "routable_splitter_next", routable_status,
    [POINTER(routable_splitter), POINTER(routable_stream_item), POINTER(POINTER(routable_error))],
)

# int64_t routable_splitter_retry_ms(const routable_splitter *splitter);
routable_splitter_retry_ms = _function("routable_splitter_retry_ms", c_int64, [POINTER(routable_splitter)])

# void routable_splitter_free(routable_splitter *splitter);
routable_splitter_free = _function("routable_splitter_free", None, [POINTER(routable_splitter)])

# routable_status routable_media_type_normalize(routable_str content_type, routable_string *out, routable_error
#     **error);
routable_media_type_normalize = _function(
    "routable_media_type_normalize", routable_status,
    [routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
