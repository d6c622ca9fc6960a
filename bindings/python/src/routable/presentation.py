"""Screens by path: a tree of presenters that a path selects from.

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

A junction shows one of its children, a stack the way to a route.  Each presenter is a Presenter with
callables of the host; each of these is handed the Visit: the path, the route, what it captured.  What a
callable raises comes out of the call that caused it; what was shown until then stays.  Callables may use
the same presentation, set included, and may close it.
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
    """Shows one of several children beside each other, like tabs."""
    return Node(presenter, "junction", children=nodes(children))


def stack(presenter: Presenter, children: Iterable[Tree]) -> Node:
    """Shows the way to a route as a pile of screens."""
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
    """Takes paths: by a PCRE2 pattern that matches as a whole, by a template, or by a predicate.

    ids        types of the template's parameters: {"id": "integer"} or {"id": {"type": "integer", "minimum": 1}}
    relative   the pattern or template goes on, behind a slash, from that of the route around it
    """
    given = [(kind, rule) for kind, rule in (("pattern", pattern), ("template", template), ("predicate", predicate))
             if rule is not None]
    if len(given) != 1:
        raise ArgumentError(f"the presenter {presenter.name!r}: a route has one of pattern, template and predicate")
    kind, rule = given[0]
    if (ids and kind != "template") or (relative and kind == "predicate"):
        raise ArgumentError(f"the presenter {presenter.name!r}: ids belong to a template, relative to a text")
    return Node(presenter, kind, rule, dict(ids or {}), relative, nodes(children))


def cached(make: Callable[[Visit], Any]) -> Callable[[Visit], Any]:
    """A `presentable` that calls `make` once while somebody holds what it made, and again after that is released."""
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
    """A tree that paths are set in.  Immutable: any number of threads may use it, one after another or at once."""

    __slots__ = ("_presenters", "_predicates", "_unmatched")

    def __init__(self, root: Tree, *, unmatched: Optional[Callable[[Visit], object]] = None) -> None:
        """`unmatched` is called by each `set` of a path that no route takes, after what is set then.

        DocumentError, ConflictError or LimitError, whose `route` names the presenter, for a pattern that is not
        valid, a junction in a stack, a name that is there twice, more than 64 levels.
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
        """The tree of a JSON document, a mapping or its text, with its presenters bound by name.

        JSONError and DocumentError with the place in the document; UnknownError for a presenter that is not
        given, and for one that the document does not have.
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
        """What the root shows."""
        call, out = Call(self, ""), c_void_p()
        call.run(lambda handle, error: c.routable_presentation_presentable(handle, byref(out), error))
        return call.object(out.value)

    def handles(self, path: str) -> bool:
        """Whether some route takes the path.  Nothing is set."""
        call = Call(self, path)
        return call.run(lambda handle, error: c.routable_presentation_handles(handle, call.text, error))

    def set(self, path: str) -> bool:
        """Shows a path.

        True when some route takes it, and always for a stack at the root; False otherwise, and for a root that is
        a route, which has nobody to tell.  CallbackError, before any presenter is called, when one that is needed
        has no function; LimitError when a pattern gives up, or when 64 calls are under way.
        """
        call = Call(self, path)
        return call.run(lambda handle, error: c.routable_presentation_set(handle, call.text, error))

    def stack(self, path: str) -> Optional[List[Any]]:
        """The presentables on the way to the route of a path, the root's first; None when no route takes it, and
        for a root that is no route."""
        call, count = Call(self, path), c_size_t()
        found = (c_void_p * c.ROUTABLE_PRESENTATION_DEPTH)()
        if not call.run(lambda handle, error: c.routable_presentation_stack(
                handle, call.text, found, len(found), byref(count), error)):
            return None
        return [call.object(found[index]) for index in range(count.value)]
