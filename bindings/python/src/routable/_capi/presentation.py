# Written by scripts/interface from include/routable_presentation.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_presentation.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_size_t, c_uint32, c_void_p

from .builder import routable_parameter_options
from .function import _function
from .values import routable_error, routable_release_fn, routable_status, routable_str, routable_value


# --------------------------------------------------------------------------------------------------
# Visit: the path, the route and the captures of the call in progress. Valid only during the
# callback that receives the visit.


class routable_visit(Structure):
    """`typedef struct routable_visit routable_visit;`"""


# routable_str routable_visit_path(const routable_visit *visit);
routable_visit_path = _function("routable_visit_path", routable_str, [POINTER(routable_visit)])

# routable_str routable_visit_route(const routable_visit *visit);
routable_visit_route = _function("routable_visit_route", routable_str, [POINTER(routable_visit)])

# size_t routable_visit_capture_count(const routable_visit *visit);
routable_visit_capture_count = _function("routable_visit_capture_count", c_size_t, [POINTER(routable_visit)])

# routable_str routable_visit_capture_name_at(const routable_visit *visit, size_t index);
routable_visit_capture_name_at = _function(
    "routable_visit_capture_name_at", routable_str,
    [POINTER(routable_visit), c_size_t],
)

# routable_str routable_visit_capture_string_at(const routable_visit *visit, size_t index);
routable_visit_capture_string_at = _function(
    "routable_visit_capture_string_at", routable_str,
    [POINTER(routable_visit), c_size_t],
)

# routable_value routable_visit_capture_at(const routable_visit *visit, size_t index);
routable_visit_capture_at = _function("routable_visit_capture_at", routable_value, [POINTER(routable_visit), c_size_t])

# routable_value routable_visit_capture(const routable_visit *visit, const char *name);
routable_visit_capture = _function("routable_visit_capture", routable_value, [POINTER(routable_visit), c_char_p])


# --------------------------------------------------------------------------------------------------
# Presenter: the callbacks that show something

# typedef routable_status (*routable_presentable_fn)(const routable_visit *visit, void **out, void *user_data);
routable_presentable_fn = CFUNCTYPE(routable_status, POINTER(routable_visit), POINTER(c_void_p), c_void_p)

# typedef routable_status (*routable_set_child_fn)(void *child, const routable_visit *visit, void *user_data);
routable_set_child_fn = CFUNCTYPE(routable_status, c_void_p, POINTER(routable_visit), c_void_p)

# typedef routable_status (*routable_set_children_fn)(void *const *children, size_t count, const routable_visit
#     *visit, void *user_data);
routable_set_children_fn = CFUNCTYPE(routable_status, POINTER(c_void_p), c_size_t, POINTER(routable_visit), c_void_p)

# typedef routable_status (*routable_predicate_fn)(routable_str path, void *user_data);
routable_predicate_fn = CFUNCTYPE(routable_status, routable_str, c_void_p)

# typedef routable_status (*routable_unmatched_fn)(const routable_visit *visit, void *user_data);
routable_unmatched_fn = CFUNCTYPE(routable_status, POINTER(routable_visit), c_void_p)


class routable_presenter(Structure):
    """`typedef struct routable_presenter { ... } routable_presenter;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("presentable", routable_presentable_fn),
        ("set_child", routable_set_child_fn),
        ("set_children", routable_set_children_fn),
        ("user_data", c_void_p),
        ("release", routable_release_fn),
    ]


# --------------------------------------------------------------------------------------------------
# Builder: add parents before children, and children in the order in which they are tried


class routable_presentation_builder(Structure):
    """`typedef struct routable_presentation_builder routable_presentation_builder;`"""


class routable_presentation(Structure):
    """`typedef struct routable_presentation routable_presentation;`"""


ROUTABLE_ROUTE_RELATIVE = 1

# routable_status routable_presentation_builder_new(routable_presentation_builder **out, routable_error **error);
routable_presentation_builder_new = _function(
    "routable_presentation_builder_new", routable_status,
    [POINTER(POINTER(routable_presentation_builder)), POINTER(POINTER(routable_error))],
)

# void routable_presentation_builder_free(routable_presentation_builder *builder);
routable_presentation_builder_free = _function(
    "routable_presentation_builder_free", None,
    [POINTER(routable_presentation_builder)],
)

# routable_status routable_presentation_builder_add_presenter(routable_presentation_builder *builder, const char
#     *parent, const routable_presenter *presenter, routable_error **error);
routable_presentation_builder_add_presenter = _function(
    "routable_presentation_builder_add_presenter", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, POINTER(routable_presenter),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_add_junction(routable_presentation_builder *builder, const char
#     *parent, const routable_presenter *presenter, routable_error **error);
routable_presentation_builder_add_junction = _function(
    "routable_presentation_builder_add_junction", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, POINTER(routable_presenter),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_add_stack(routable_presentation_builder *builder, const char *parent,
#     const routable_presenter *presenter, routable_error **error);
routable_presentation_builder_add_stack = _function(
    "routable_presentation_builder_add_stack", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, POINTER(routable_presenter),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_add_pattern(routable_presentation_builder *builder, const char
#     *parent, const routable_presenter *presenter, const char *pattern, uint32_t flags, routable_error **error);
routable_presentation_builder_add_pattern = _function(
    "routable_presentation_builder_add_pattern", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, POINTER(routable_presenter), c_char_p, c_uint32,
     POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_add_template(routable_presentation_builder *builder, const char
#     *parent, const routable_presenter *presenter, const char *path_template, const routable_parameter_options *ids,
#     size_t id_count, uint32_t flags, routable_error **error);
routable_presentation_builder_add_template = _function(
    "routable_presentation_builder_add_template", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, POINTER(routable_presenter), c_char_p,
     POINTER(routable_parameter_options), c_size_t, c_uint32, POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_add_predicate(routable_presentation_builder *builder, const char
#     *parent, const routable_presenter *presenter, routable_predicate_fn predicate, void *user_data,
#     routable_release_fn release, routable_error **error);
routable_presentation_builder_add_predicate = _function(
    "routable_presentation_builder_add_predicate", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, POINTER(routable_presenter), routable_predicate_fn, c_void_p,
     routable_release_fn, POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_add_document(routable_presentation_builder *builder, const char
#     *parent, const char *document, size_t length, const routable_presenter *presenters, size_t presenter_count,
#     routable_error **error);
routable_presentation_builder_add_document = _function(
    "routable_presentation_builder_add_document", routable_status,
    [POINTER(routable_presentation_builder), c_char_p, c_char_p, c_size_t, POINTER(routable_presenter), c_size_t,
     POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_set_unmatched(routable_presentation_builder *builder,
#     routable_unmatched_fn unmatched, void *user_data, routable_release_fn release, routable_error **error);
routable_presentation_builder_set_unmatched = _function(
    "routable_presentation_builder_set_unmatched", routable_status,
    [POINTER(routable_presentation_builder), routable_unmatched_fn, c_void_p, routable_release_fn,
     POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_builder_build(const routable_presentation_builder *builder,
#     routable_presentation **out, routable_error **error);
routable_presentation_builder_build = _function(
    "routable_presentation_builder_build", routable_status,
    [POINTER(routable_presentation_builder), POINTER(POINTER(routable_presentation)),
     POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Presentation: the tree, immutable, shared by any number of threads

ROUTABLE_PRESENTATION_DEPTH = 64

# void routable_presentation_free(routable_presentation *presentation);
routable_presentation_free = _function("routable_presentation_free", None, [POINTER(routable_presentation)])

# routable_status routable_presentation_presentable(const routable_presentation *presentation, void **out,
#     routable_error **error);
routable_presentation_presentable = _function(
    "routable_presentation_presentable", routable_status,
    [POINTER(routable_presentation), POINTER(c_void_p), POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_handles(const routable_presentation *presentation, routable_str path,
#     routable_error **error);
routable_presentation_handles = _function(
    "routable_presentation_handles", routable_status,
    [POINTER(routable_presentation), routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_set(const routable_presentation *presentation, routable_str path,
#     routable_error **error);
routable_presentation_set = _function(
    "routable_presentation_set", routable_status,
    [POINTER(routable_presentation), routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_presentation_stack(const routable_presentation *presentation, routable_str path, void
#     **presentables, size_t capacity, size_t *count, routable_error **error);
routable_presentation_stack = _function(
    "routable_presentation_stack", routable_status,
    [POINTER(routable_presentation), routable_str, POINTER(c_void_p), c_size_t, POINTER(c_size_t),
     POINTER(POINTER(routable_error))],
)
