"""The parts of a presentation: visits, presenters and the nodes of a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, List, Mapping, Optional, Tuple, Union

Captured = Union[str, int, float, bool]
IdTypes = Mapping[str, Union[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Visit:
    """The arguments of a callable: the path, the name of the presenter whose route matches it, and the captures of the route.

    The values of a template have the types of its `ids`; an integer beyond 64 bits is a str.
    """

    path: str
    route: Optional[str] = None
    captures: Mapping[str, Captured] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Presenter:
    """The callables for one node of a presentation.

    presentable    returns what the node shows; called whenever it is needed (see `cached`)
    set_child      shows the presentable of one child; required for a junction
    set_children   receives the presentables of all children, or the screens of a stack with the topmost last; required for a
                   junction and a stack
    """

    name: str
    presentable: Callable[[Visit], Any]
    set_child: Optional[Callable[[Any, Visit], object]] = None
    set_children: Optional[Callable[[List[Any], Visit], object]] = None


@dataclass(frozen=True, eq=False)
class Node:
    """A presenter with its routes; `junction`, `stack` and `route` return it.  Immutable."""

    presenter: Presenter
    kind: str = "bare"
    rule: Union[str, Callable[[str], object], None] = None
    ids: IdTypes = field(default_factory=dict)
    relative: bool = False
    children: Tuple["Node", ...] = ()


Tree = Union[Node, Presenter]


def node(tree: Tree) -> Node:
    if isinstance(tree, Node):
        return tree
    if isinstance(tree, Presenter):
        return Node(tree)
    raise TypeError(f"a Presenter, or the result of junction, stack or route, is expected, not {type(tree).__name__}")


def nodes(children: Iterable[Tree]) -> Tuple[Node, ...]:
    return tuple(node(child) for child in children)
