"""The callbacks of a presentation: one call, its callbacks, and the builder.

A callback finds its call on a stack of its thread, and its callable by its user data, which is the number of the callable in
the presentation.  Therefore nothing here keeps a presentation alive, and an exception of a callable is kept with its call.
"""

from __future__ import annotations

import threading
from ctypes import POINTER, byref, c_char_p, sizeof
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence

from . import _capi as base
from ._capi import presentation as c
from ._check import check, new_error
from ._handle import Handle
from ._presenter import Captured, IdTypes, Node, Presenter, Visit
from ._text import data, name, optional_name, to_bytes, to_text, utf8
from .errors import ArgumentError

if TYPE_CHECKING:
    from .presentation import Presentation


class _Active(threading.local):
    """The calls in progress on this thread, the innermost last."""

    def __init__(self) -> None:
        self.calls: List[Call] = []


_active = _Active()


class Call:
    """One call of the library: the data for its callbacks, the objects that they returned, and the exceptions that they raised."""

    def __init__(self, presentation: Presentation, path: str) -> None:
        if not isinstance(path, str):
            raise TypeError(f"a path must be a str, not {type(path).__name__}")
        self.presentation = presentation
        self.path = path
        self.text = data(utf8("path", path))
        self.objects: List[Any] = []
        self.error: Optional[BaseException] = None
        self.seen: Optional[Visit] = None

    def run(self, function: Callable[[Handle, Any], int]) -> bool:
        """Returns whether the status is OK; False for NO_MATCH.  Raises the exception of a callback, or else of the library."""
        handle, error = self.presentation._live(), new_error()
        _active.calls.append(self)
        try:
            status = function(handle, byref(error))
        finally:
            _active.calls.pop()
        if self.error is not None:
            base.routable_error_free(error)
            try:
                raise self.error
            finally:
                self.error = None
        if status == base.ROUTABLE_NO_MATCH:
            return False
        check(status, error)
        return True

    def visit(self, handle: Any) -> Visit:
        """The visit of this call, read once."""
        if self.seen is None:
            captures: Dict[str, Captured] = {}
            for index in range(c.routable_visit_capture_count(handle)):
                value = _captured(c.routable_visit_capture_at(handle, index))
                captures[to_text(c.routable_visit_capture_name_at(handle, index))] = value
            self.seen = Visit(self.path, to_text(c.routable_visit_route(handle)) or None, captures)
        return self.seen

    def key(self, thing: Any) -> int:
        """The number that represents an object in the library during this call."""
        self.objects.append(thing)
        return len(self.objects)

    def object(self, key: Optional[int]) -> Any:
        return self.objects[key - 1] if key else None


def _captured(value: base.routable_value) -> Captured:
    if value.kind == base.ROUTABLE_KIND_INTEGER:
        return int(value.as_.integer)
    if value.kind == base.ROUTABLE_KIND_REAL:
        return float(value.as_.real)
    if value.kind == base.ROUTABLE_KIND_BOOLEAN:
        return bool(value.as_.integer)
    return to_bytes(value.as_.string).decode("utf-8", "backslashreplace")


def _guarded(body: Callable[[Call], int]) -> int:
    """Runs a callback.  Its exception, if any, is kept for the call, which the library then ends."""
    call = _active.calls[-1]
    try:
        return body(call)
    except BaseException as error:  # raised again, with its traceback, where the call returns
        call.error = error
        return base.ROUTABLE_ERR_CALLBACK


def _on_presentable(visit: Any, out: Any, key: int) -> int:
    def body(call: Call) -> int:
        out[0] = call.key(call.presentation._presenters[key - 1].presentable(call.visit(visit)))
        return base.ROUTABLE_OK

    return _guarded(body)


def _on_set_child(child: int, visit: Any, key: int) -> int:
    def body(call: Call) -> int:
        function = call.presentation._presenters[key - 1].set_child
        assert function is not None
        function(call.object(child), call.visit(visit))
        return base.ROUTABLE_OK

    return _guarded(body)


def _on_set_children(children: Any, count: int, visit: Any, key: int) -> int:
    def body(call: Call) -> int:
        function = call.presentation._presenters[key - 1].set_children
        assert function is not None
        function([call.object(children[index]) for index in range(count)], call.visit(visit))
        return base.ROUTABLE_OK

    return _guarded(body)


def _on_predicate(path: Any, key: int) -> int:
    def body(call: Call) -> int:
        return base.ROUTABLE_OK if call.presentation._predicates[key - 1](call.path) else base.ROUTABLE_NO_MATCH

    return _guarded(body)


def _on_unmatched(visit: Any, key: int) -> int:
    def body(call: Call) -> int:
        function = call.presentation._unmatched
        assert function is not None
        function(call.visit(visit))
        return base.ROUTABLE_OK

    return _guarded(body)


# The functions that the library calls.  Created once: a function pointer must outlive every tree that refers to it.
_presentable = c.routable_presentable_fn(_on_presentable)
_set_child = c.routable_set_child_fn(_on_set_child)
_set_children = c.routable_set_children_fn(_on_set_children)
_predicate = c.routable_predicate_fn(_on_predicate)
_unmatched = c.routable_unmatched_fn(_on_unmatched)


class Builder:
    """A builder of the library, freed at the end of its `with`."""

    def __init__(self, owner: Presentation) -> None:
        self._owner = owner
        self._handle = POINTER(c.routable_presentation_builder)()

    def __enter__(self) -> "Builder":
        error = new_error()
        check(c.routable_presentation_builder_new(byref(self._handle), byref(error)), error)
        if self._owner._unmatched is not None:
            none = base.routable_release_fn()
            check(c.routable_presentation_builder_set_unmatched(
                self._handle, _unmatched, None, none, byref(error)), error)
        return self

    def __exit__(self, *exception: object) -> None:
        c.routable_presentation_builder_free(self._handle)

    def _presenter(self, presenter: Presenter) -> c.routable_presenter:
        """The struct of a presenter, whose user data is its number among those of the presentation."""
        if not isinstance(presenter, Presenter):
            raise TypeError(f"a Presenter is expected, not {type(presenter).__name__}")
        self._owner._presenters.append(presenter)
        result = c.routable_presenter(size=sizeof(c.routable_presenter), name=name("presenter", presenter.name))
        result.user_data = len(self._owner._presenters)
        result.presentable = _presentable
        if presenter.set_child is not None:
            result.set_child = _set_child
        if presenter.set_children is not None:
            result.set_children = _set_children
        return result

    def add(self, node: Node, parent_name: Optional[str]) -> None:
        presenter, error = byref(self._presenter(node.presenter)), new_error()
        parent = optional_name("parent", parent_name)
        flags = c.ROUTABLE_ROUTE_RELATIVE if node.relative else 0
        start = (self._handle, parent, presenter)
        if callable(node.rule):
            self._owner._predicates.append(node.rule)
            none = base.routable_release_fn()
            status = c.routable_presentation_builder_add_predicate(
                *start, _predicate, len(self._owner._predicates), none, byref(error))
        elif node.rule is None:
            add = {
                "bare": c.routable_presentation_builder_add_presenter,
                "junction": c.routable_presentation_builder_add_junction,
                "stack": c.routable_presentation_builder_add_stack,
            }[node.kind]
            status = add(*start, byref(error))
        elif node.kind == "pattern":
            rule = name("pattern", node.rule)
            status = c.routable_presentation_builder_add_pattern(*start, rule, flags, byref(error))
        else:
            ids, rule = _typed_ids(node.ids), name("template", node.rule)
            status = c.routable_presentation_builder_add_template(*start, rule, ids, len(ids), flags, byref(error))
        check(status, error)

    def add_document(self, text: str, presenters: Sequence[Presenter]) -> None:
        structs = (c.routable_presenter * max(len(presenters), 1))(*map(self._presenter, presenters))
        document, error = utf8("document", text), new_error()
        check(c.routable_presentation_builder_add_document(
            self._handle, None, document, len(document), structs, len(presenters), byref(error)), error)

    def build(self) -> Any:
        out, error = POINTER(c.routable_presentation)(), new_error()
        check(c.routable_presentation_builder_build(self._handle, byref(out), byref(error)), error)
        return out


_BOUNDS = {"minimum": base.ROUTABLE_PARAMETER_MINIMUM, "maximum": base.ROUTABLE_PARAMETER_MAXIMUM}
_FIELDS = {"minLength": "min_length", "maxLength": "max_length"}


def _typed_ids(ids: IdTypes) -> Any:
    """The types of a template's parameters, with the keys of a route document."""
    structs = (base.routable_parameter_options * len(ids))()
    for struct, (key, given) in zip(structs, ids.items()):
        struct.size, struct.name = sizeof(struct), name("id", key)
        for word, value in ({"type": given} if isinstance(given, str) else given).items():
            if word in ("type", "format", "pattern"):
                setattr(struct, word, name(word, value))
            elif word in _BOUNDS:
                setattr(struct, word, float(value))
                struct.flags |= _BOUNDS[word]
            elif word in _FIELDS:
                setattr(struct, _FIELDS[word], value)
            elif word == "enum":
                texts = [name("enum", each) for each in value]
                struct.values, struct.value_count = (c_char_p * len(texts))(*texts), len(texts)
            else:
                raise ArgumentError(f"the id {key!r} has no {word!r}", parameter=key)
    return structs
