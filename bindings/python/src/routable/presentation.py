"""Screens by path: a tree of presenters from which a path selects.

    from routable.presentation import Presentation, Presenter, junction, route, stack

    app = Presentation(junction(tabs, [
        stack(navigation, [
            route(welcome, "welcome", children=[
                route(register, "welcome/register"),
                route(login, "welcome/login"),
            ]),
        ]),
        route(about, "about"),
        route(person, template="people/{id}", ids={"id": "integer"}),
    ]))
    app.set("welcome/login")           # tabs, then navigation with [welcome, login], then the first tab

A junction shows one of its children; a stack shows all screens on the way to a route.  Each presenter is a Presenter with
callables, which receive the Visit: the path, the route and its captures.  An exception in a callable is raised by the call
that caused it; what was shown before remains.  Callables may use the same presentation, including `set`, and may close it.
"""

from __future__ import annotations

import json
import weakref
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, Iterable, List, Mapping, Optional, Tuple, Union

from ._capi import presentation as c
from ._check import no_positions
from ._handle import Owned
from ._presentation import Builder, Call
from ._presenter import IdTypes, Node, Presenter, Tree, Visit, node, nodes
from .errors import ArgumentError

__all__ = ["Node", "Presentation", "Presenter", "Visit", "cached", "junction", "route", "stack"]


def junction(presenter: Presenter, children: Iterable[Tree]) -> Node:
    """A presenter that shows one of several children, like tabs."""
    return Node(presenter, "junction", children=nodes(children))


def stack(presenter: Presenter, children: Iterable[Tree]) -> Node:
    """A presenter that shows a stack of screens: those on the way to a route."""
    return Node(presenter, "stack", children=nodes(children))


def route(
    presenter: Presenter,
    pattern: Optional[str] = None,
    *,
    template: Optional[str] = None,
    ids: Optional[IdTypes] = None,
    predicate: Optional[Callable[[str], object]] = None,
    relative: bool = False,
    children: Iterable[Tree] = (),
) -> Node:
    """A presenter for the paths that match a PCRE2 pattern as a whole, a template, or a predicate.

    ids        types of the template's parameters: {"id": "integer"} or {"id": {"type": "integer", "minimum": 1}}
    relative   the pattern or template is appended, after a slash, to that of the enclosing route
    """
    given = [(kind, rule) for kind, rule in (("pattern", pattern), ("template", template), ("predicate", predicate))
             if rule is not None]
    if len(given) != 1:
        raise ArgumentError(f"the presenter {presenter.name!r}: a route must have one of pattern, template and predicate")
    kind, rule = given[0]
    if (ids and kind != "template") or (relative and kind == "predicate"):
        raise ArgumentError(f"the presenter {presenter.name!r}: ids require a template, and relative requires a pattern or a template")
    return Node(presenter, kind, rule, dict(ids or {}), relative, nodes(children))


def cached(make: Callable[[Visit], Any]) -> Callable[[Visit], Any]:
    """A `presentable` that calls `make` once, and again after its result is no longer referenced."""
    made: Optional["weakref.ref[Any]"] = None

    def presentable(visit: Visit) -> Any:
        nonlocal made
        found = made() if made else None
        if found is None:
            found = make(visit)
            made = weakref.ref(found)
        return found

    return presentable


class Presentation(Owned):
    """A tree of presenters in which paths are set.  Immutable: any number of threads may use it at the same time."""

    __slots__ = ("_presenters", "_predicates", "_unmatched")

    def __init__(self, root: Tree, *, unmatched: Optional[Callable[[Visit], object]] = None) -> None:
        """`set` calls `unmatched`, at its end, for a path that no route matches.

        Raises DocumentError, ConflictError or LimitError, whose `route` is the name of the presenter, for an invalid pattern, a
        junction in a stack, a duplicate name, or more than 64 levels.
        """
        self._start(unmatched)
        with Builder(self) as builder:
            todo: List[Tuple[Node, Optional[str]]] = [(node(root), None)]
            while todo:
                place, parent = todo.pop()
                builder.add(place, parent)
                todo.extend((child, place.presenter.name) for child in reversed(place.children))
            super().__init__(builder.build(), c.routable_presentation_free)

    @classmethod
    def from_document(
        cls,
        document: Union[str, Mapping[str, Any]],
        presenters: Iterable[Presenter],
        *,
        unmatched: Optional[Callable[[Visit], object]] = None,
    ) -> "Presentation":
        """The tree of a JSON document (a mapping or a string), with its presenters by name.

        Raises JSONError and DocumentError with the position in the document, and UnknownError for a presenter that is missing
        in `presenters` or in the document.
        """
        self = cls.__new__(cls)
        self._start(unmatched)
        with Builder(self) as builder:
            if isinstance(document, str):
                builder.add_document(document, list(presenters))
            else:
                with no_positions():
                    builder.add_document(json.dumps(document), list(presenters))
            Owned.__init__(self, builder.build(), c.routable_presentation_free)
        return self

    def _start(self, unmatched: Optional[Callable[[Visit], object]]) -> None:
        self._presenters: List[Presenter] = []
        self._predicates: List[Callable[[str], object]] = []
        self._unmatched = unmatched

    @property
    def presentable(self) -> Any:
        """The presentable of the root."""
        call, out = Call(self, ""), c_void_p()
        call.run(lambda handle, error: c.routable_presentation_presentable(handle, byref(out), error))
        return call.object(out.value)

    def handles(self, path: str) -> bool:
        """Whether a route matches the path.  Nothing is set."""
        call = Call(self, path)
        return call.run(lambda handle, error: c.routable_presentation_handles(handle, call.text, error))

    def set(self, path: str) -> bool:
        """Shows a path.

        Returns whether a route matches it; always True for a stack as the root, and always False for a route as the root,
        which has no parent.  Raises CallbackError, before it calls any presenter, if a required function is missing, and
        LimitError if a pattern exceeds its limit or 64 calls of `set` are in progress.
        """
        call = Call(self, path)
        return call.run(lambda handle, error: c.routable_presentation_set(handle, call.text, error))

    def stack(self, path: str) -> Optional[List[Any]]:
        """The presentables on the way to the route of a path, the root's first; None if no route matches, or if the root is
        not a route.
        """
        call, count = Call(self, path), c_size_t()
        found = (c_void_p * c.ROUTABLE_PRESENTATION_DEPTH)()
        if not call.run(lambda handle, error: c.routable_presentation_stack(
                handle, call.text, found, len(found), byref(count), error)):
            return None
        return [call.object(found[index]) for index in range(count.value)]
