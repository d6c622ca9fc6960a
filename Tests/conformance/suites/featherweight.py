"""Featherweight Router's trees: the URLs that they handle, their stacks, and the effects of setting a path.  From Python and through C."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from harness import Suite, expect
from library import ROOT  # noqa: F401  (the environment selects the library that it opens)

from routable.presentation import Node, Presentation, Presenter, junction, route, stack


class Screens:
    """A tree of a vector; its presenters store their arguments."""

    def __init__(self, tree: Dict[str, Any], form: str) -> None:
        self.children: Optional[List[str]] = None
        self.child: Optional[str] = None
        self.presenters: List[Presenter] = []
        self.root = tree["id"]
        if form == "document":
            document = {"routable_presentation": 1, "root": self._document(tree)}
            self.presentation = Presentation.from_document(document, self.presenters)
        else:
            self.presentation = Presentation(self._node(tree, form))

    def _presenter(self, name: str) -> Presenter:
        def set_child(child: str, visit: object) -> None:
            if name == self.root:
                self.child = child

        def set_children(children: List[str], visit: object) -> None:
            if name == self.root:
                self.children = children

        presenter = Presenter(name, lambda visit: name, set_child, set_children)
        self.presenters.append(presenter)
        return presenter

    def _node(self, tree: Dict[str, Any], form: str) -> Node:
        presenter = self._presenter(tree["id"])
        children = [self._node(child, form) for child in tree.get("children", [])]
        if tree["kind"] == "junction":
            return junction(presenter, children)
        if tree["kind"] == "stack":
            return stack(presenter, children)
        if tree["kind"] == "none":
            return Node(presenter)
        if form == "predicate":
            return route(presenter, predicate=lambda path: path == tree["predicate"], children=children)
        return route(presenter, tree["predicate"], children=children)

    def _document(self, tree: Dict[str, Any]) -> Dict[str, Any]:
        result: Dict[str, Any] = {"presenter": self._presenter(tree["id"]).name}
        children = [self._document(child) for child in tree.get("children", [])]
        if tree["kind"] in ("junction", "stack"):
            result[tree["kind"]] = children
        elif tree["kind"] == "route":
            result.update({"pattern": tree["predicate"], "children": children})
        return result


def check(vector: Any, data: Any) -> None:
    for form in ("pattern", "predicate", "document"):
        screens = Screens(vector["tree"], form)
        for path, handles in vector["handles"].items():
            expect((form, path), handles, screens.presentation.handles(path))
        for path, names in vector.get("stack", {}).items():
            expect((form, path), names, screens.presentation.stack(path))
        for path, wanted in vector["set_route"].items():
            screens.child = screens.children = None
            got: Dict[str, Any] = {"result": screens.presentation.set(path)}
            if "active_child" in wanted:
                got["active_child"] = screens.child
            if "children" in wanted:
                got["children"] = screens.children
            expect((form, path), wanted, got)


SUITES: Tuple[Suite, ...] = (Suite("routing/featherweightrouter-trees.json", check),)
