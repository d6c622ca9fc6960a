"""routable.presentation: statements F1 to F21, and the behavior specific to Python: exceptions, garbage collection,
documents."""

from __future__ import annotations

import gc
import json
import threading
import traceback
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import pytest
import routable
from routable.presentation import Node, Presentation, Presenter, Visit, cached, junction, route, stack

ROOT = Path(__file__).resolve().parents[3]


class Host:
    """Presenters that show their own name and record their calls."""

    def __init__(self) -> None:
        self.told: List[str] = []
        self.visits: List[Visit] = []
        self.made: Dict[str, int] = {}

    def __call__(self, name: str) -> Presenter:
        def presentable(visit: Visit) -> str:
            self.made[name] = self.made.get(name, 0) + 1
            return name

        def set_child(child: str, visit: Visit) -> None:
            self.visits.append(visit)
            self.told.append(f"{name}<{child}>")

        def set_children(children: List[str], visit: Visit) -> None:
            self.told.append(f"{name}=[{','.join(children)}]")

        return Presenter(name, presentable, set_child, set_children)

    def take(self) -> List[str]:
        told, self.told = self.told, []
        return told


@pytest.fixture
def host() -> Host:
    return Host()


def article(host: Host, **options: Any) -> Presentation:
    return Presentation(junction(host("tabs"), [
        stack(host("nav"), [
            route(host("welcome"), "welcome", children=[
                route(host("register"), "welcome/register"),
                route(host("login"), "welcome/login"),
            ]),
        ]),
        route(host("about"), "about"),
    ]), **options)


def test_F1_bare(host: Host) -> None:
    bare = Presentation(host("bare"))
    assert bare.presentable == "bare"
    assert not bare.handles("") and not bare.handles("bare") and not bare.set("")
    assert bare.stack("") is None
    assert host.take() == []


def test_F2_nodes_do_not_change(host: Host) -> None:
    leaf = route(host("leaf"), "leaf")
    one, two = junction(host("root"), [leaf]), junction(host("root"), [leaf, route(host("more"), "more")])
    assert not Presentation(one).handles("more") and Presentation(two).handles("more")
    with pytest.raises(AttributeError):
        leaf.kind = "stack"  # type: ignore[misc]


@pytest.mark.parametrize("path, result, told", [
    ("j2", True, ["router=[j1,j2,late]", "router<j2>"]),
    ("n", True, ["router=[j1,j2,late]", "router<j1>"]),
    ("x", False, ["router=[j1,j2,late]"]),
])
def test_F3_F4_F5_F6_F7_junctions(host: Host, path: str, result: bool, told: List[str]) -> None:
    tree = Presentation(junction(host("router"), [
        route(host("j1"), "j1", children=[route(host("n"), "n.*")]), route(host("j2"), "j2"), route(host("late"), "n"),
    ]))
    assert tree.handles(path) is result and not tree.handles("router") and host.take() == [] and not host.made
    assert tree.set(path) is result
    assert host.take() == told


def test_F8_stacks(host: Host) -> None:
    tree = Presentation(stack(host("pile"), [route(host("a"), "a"), route(host("b"), "b")]))
    assert tree.set("b") and tree.set("nothing")
    assert host.take() == ["pile=[b]", "pile=[]"]


def test_F9_F10_routes(host: Host) -> None:
    tree = Presentation(route(host("r"), "r", children=[route(host("c"), "c", children=[route(host("n"), "n")])]))
    assert tree.stack("r") == ["r"] and tree.stack("n") == ["r", "c", "n"] and tree.stack("x") is None
    assert tree.handles("n") and not tree.set("n") and host.take() == []


@pytest.mark.parametrize("wrong, kind", [
    (lambda host: stack(host("pile"), [junction(host("bad"), [])]), routable.DocumentError),
    (lambda host: route(host("leaf"), "x", children=[stack(host("bad"), [])]), routable.DocumentError),
    (lambda host: route(host("bad"), "("), routable.DocumentError),  # F13
    (lambda host: route(host("bad"), template="{"), routable.DocumentError),
    (lambda host: junction(host("top"), [route(host("bad"), "a"), route(host("bad"), "b")]), routable.ConflictError),
    (lambda host: Node(host("top"), children=(Node(host("bad")),)), routable.DocumentError),
])
def test_F11_F13_refused_when_declared(host: Host, wrong: Callable[[Host], Node], kind: type) -> None:
    with pytest.raises(kind) as caught:
        Presentation(wrong(host))
    assert caught.value.route == "bad" and "'bad'" in caught.value.message.replace('"', "'")


@pytest.mark.parametrize("pattern, path, expected", [
    (r"animal/\w+", "animal/cow", True), (r"animal/\w+", "animal/cow/x", False), ("animal", "foo\nanimal", False),
    ("animal|zoo", "animalx", False), ("animal|zoo", "zoo", True), ("MATCH", "yesMATCHyes", False),
    (".*MATCH.*", "yesMATCHyes", True), ("^MATCH$", "MATCHnope", False), ("a", "a\0", False), ("é+", "éé", True),
])
def test_F12_F13_F14_patterns(host: Host, pattern: str, path: str, expected: bool) -> None:
    assert Presentation(route(host("x"), pattern)).handles(path) is expected


def test_F15_predicates(host: Host) -> None:
    asked: List[str] = []

    def wanted(path: str) -> bool:
        asked.append(path)
        return path.endswith("!")

    tree = Presentation(junction(host("root"), [route(host("loud"), predicate=wanted), route(host("rest"), ".*")]))
    assert tree.set("hey!\0!") and host.take()[-1] == "root<loud>"
    assert tree.set("hey") and host.take()[-1] == "root<rest>"
    assert asked == ["hey!\0!", "hey"]


def test_F16_captures(host: Host) -> None:
    tree = Presentation(junction(host("root"), [
        route(host("user"), template="users/{id}/{ratio}/{on}/{name}",
              ids={"id": {"type": "integer", "minimum": 2}, "ratio": "number", "on": "boolean"}),
        route(host("tag"), r"tags/(?<tag>\w+)"),
        route(host("big"), template="big/{id}", ids={"id": {"type": "integer"}}),
        route(host("plain"), "plain"),
    ]))
    for path in ("users/7/0.5/true/a%20b", "tags/red", "big/123456789012345678901", "plain"):
        assert tree.set(path)
    assert host.visits == [
        Visit("users/7/0.5/true/a%20b", "user", {"id": 7, "ratio": 0.5, "on": True, "name": "a b"}),
        Visit("tags/red", "tag", {"tag": "red"}),
        Visit("big/123456789012345678901", "big", {"id": "123456789012345678901"}),
        Visit("plain", "plain", {}),
    ]
    assert not tree.set("users/1/0.5/true/x") and not tree.set("users/x/0.5/true/x")


def test_F17_a_missing_function_names_its_presenter(host: Host) -> None:
    mute = Presenter("mute", lambda visit: "mute")
    with pytest.raises(routable.CallbackError) as caught:
        Presentation(stack(mute, [])).set("x")
    assert caught.value.route == "mute"


def test_F18_cached() -> None:
    class Screen:
        pass

    made: List[str] = []

    def make(visit: Visit) -> Screen:
        made.append(visit.path)
        return Screen()

    tree = Presentation(route(Presenter("screen", cached(make)), "a"))
    assert made == []
    held = tree.presentable
    assert tree.stack("a") == [held] and len(made) == 1
    del held
    gc.collect()
    assert tree.stack("a") is not None and made == ["", "a"]


def test_F19_paths_are_taken_as_they_are(host: Host) -> None:
    tree = article(host)
    assert not any(tree.handles(path) for path in ("About", "/about", "about/", "app://about"))


def test_F20_F21_the_article(host: Host) -> None:
    lost: List[str] = []
    tree = article(host, unmatched=lambda visit: lost.append(visit.path))
    for _ in range(2):
        assert tree.set("welcome/login")
        assert host.take() == ["tabs=[nav,about]", "nav=[welcome,login]", "tabs<nav>"]
        assert tree.set("about")
        assert host.take() == ["tabs=[nav,about]", "tabs<about>"]
    assert not tree.set("nowhere") and lost == ["nowhere"]


# --- Python only ---


def failing(where: str, host: Host) -> Presentation:
    """A tree with one callable that raises."""

    def fail(*arguments: Any) -> Any:
        raise LookupError(where)

    whole = host("root")
    parts: Dict[str, Any] = {"presentable": whole.presentable, "set_child": whole.set_child, "set_children": whole.set_children}
    if where in parts:
        parts[where] = fail
    leaf = Presenter("leaf", fail if where == "child" else lambda visit: "leaf")
    rule: Dict[str, Any] = {"predicate": fail} if where == "predicate" else {"pattern": "leaf"}
    return Presentation(junction(Presenter("root", **parts), [route(leaf, **rule)]), unmatched=fail)


@pytest.mark.parametrize("where, told", [
    ("set_children", []), ("set_child", ["root=[leaf]"]), ("child", []), ("predicate", []),
])
def test_an_exception_of_a_callable_is_raised_with_its_traceback(host: Host, where: str, told: List[str]) -> None:
    tree = failing(where, host)
    with pytest.raises(LookupError, match=where) as caught:
        tree.set("leaf")
    assert any(frame.name == "fail" for frame in traceback.extract_tb(caught.value.__traceback__))
    assert host.take() == told
    with pytest.raises(LookupError):
        failing("none", host).set("unmatched")


def test_presentable_and_stack_raise_exceptions_of_callables(host: Host) -> None:
    with pytest.raises(LookupError, match="presentable"):
        failing("presentable", host).presentable  # noqa: B018
    with pytest.raises(KeyboardInterrupt):
        Presentation(route(Presenter("x", _interrupt), "x")).stack("x")


def _interrupt(visit: Visit) -> Any:
    raise KeyboardInterrupt


def test_set_within_set_and_close_within_set(host: Host) -> None:
    tree: Optional[Presentation] = None
    inner: List[bool] = []

    def again(children: List[str], visit: Visit) -> None:
        assert tree is not None
        if visit.path == "a":
            inner.append(tree.set("b"))
            tree.close()

    root = Presenter("root", lambda visit: "root", host("root").set_child, again)
    tree = Presentation(junction(root, [route(host("a"), "a"), route(host("b"), "b")]))
    assert tree.set("a") and inner == [True]
    assert host.take() == ["root<b>", "root<a>"]
    with pytest.raises(ValueError, match="closed"):
        tree.set("a")


def test_set_without_an_end_is_refused() -> None:
    tree: Optional[Presentation] = None

    def again(children: List[str], visit: Visit) -> None:
        assert tree is not None
        tree.set(visit.path)

    tree = Presentation(stack(Presenter("root", lambda visit: "", None, again), []))
    with pytest.raises(routable.LimitError) as caught:
        tree.set("x")
    assert caught.value.route == "root"


def test_nothing_keeps_a_presentation_alive() -> None:
    class Owner:
        def __init__(self) -> None:
            self.tree = Presentation(stack(Presenter("root", lambda visit: self, None, self.show), []))

        def show(self, children: List[Any], visit: Visit) -> None:
            pass

    owner = Owner()
    owner.tree.set("x")
    seen = weakref.ref(owner)
    del owner
    gc.collect()
    assert seen() is None


def test_a_presentation_is_shared_by_threads(host: Host) -> None:
    tree, failures = article(host), []

    def work(path: str, child: str) -> None:
        for _ in range(200):
            if not tree.set(path) or tree.handles("x"):
                failures.append(path)

    threads = [threading.Thread(target=work, args=pair) for pair in (("about", "about"), ("welcome/login", "nav")) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_values_of_wrong_types_are_refused(host: Host) -> None:
    with pytest.raises(TypeError):
        Presentation("root")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        article(host).set(b"about")  # type: ignore[arg-type]
    with pytest.raises(routable.ArgumentError):
        route(host("x"))
    with pytest.raises(routable.ArgumentError):
        article(host).set("\ud800")
    with pytest.raises(routable.ArgumentError):
        Presentation(route(host("x"), template="{a}", ids={"a": {"tpye": "integer"}}))


NAMES = ("tabs", "navigation", "welcome", "register", "login", "about", "person")


def test_a_document_describes_a_presentation(host: Host) -> None:
    text = (ROOT / "examples" / "presentation" / "app.json").read_text(encoding="utf-8")
    for document in (text, json.loads(text)):
        tree = Presentation.from_document(document, [host(name) for name in NAMES], unmatched=lambda visit: None)
        assert tree.set("welcome/login")
        assert host.take() == ["tabs=[navigation,about,person]", "navigation=[welcome,login]", "tabs<navigation>"]
        assert tree.set("people/7") and host.visits[-1].captures == {"id": 7} and not tree.handles("people/0")
        host.take()


@pytest.mark.parametrize("change, kind, pointer", [
    (lambda root: root.update(presenter="tab"), routable.UnknownError, "/root"),
    (lambda root: root["junction"].pop(), routable.UnknownError, ""),
    (lambda root: root["junction"][1].update(pattern="("), routable.DocumentError, "/root/junction/1"),
    (lambda root: root["junction"][0].update(junction=[]), routable.DocumentError, "/root/junction/0/stack"),
    (lambda root: root["junction"][1].update(ids={}), routable.DocumentError, "/root/junction/1/ids"),
    (lambda root: root.update(stak=[]), routable.DocumentError, "/root/stak"),
    (lambda root: root.pop("presenter"), routable.DocumentError, "/root"),
])
def test_document_errors(host: Host, change: Callable[[Any], Any], kind: type, pointer: str) -> None:
    document = json.loads((ROOT / "examples" / "presentation" / "app.json").read_text(encoding="utf-8"))
    change(document["root"])
    with pytest.raises(kind) as caught:
        Presentation.from_document(document, [host(name) for name in NAMES])
    assert caught.value.pointer == pointer
