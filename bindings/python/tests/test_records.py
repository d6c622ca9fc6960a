"""The classes of generated modules with dataclasses (routable.records): reading is linear, bounded, and never silent."""

from __future__ import annotations

import dataclasses
import importlib
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

import pytest

from routable import _json
from routable._misfit import Misfit
from routable._shapes import shape_of
from routable.errors import ArgumentError
from routable.model import fill
from routable.records import ABSENT, Absent, DataRecord, spelled


class Leaf(DataRecord):
    name: str


class Node(DataRecord):
    parts: List[Tree]
    note: Union[Optional[str], Absent] = ABSENT
    size: Optional[int] = spelled("the-size", default=None)


class Kind(DataRecord):
    kind: Literal["a", "b"]  # noqa: F821 # as a generated module writes it
    value: Optional[Union[int, List[Leaf]]] = None


Tree = "Union[Leaf, Node]"
Named = "Told['kind', {'a': 1, 'b': 1}, Leaf, Kind]"


def tree(depth: int, width: int) -> Dict[str, Any]:
    value: Dict[str, Any] = {"name": "end"}
    for _ in range(depth):
        value = {"parts": [value] + [{"name": "x"}] * width}
    return value


def read(text: str, value: Any) -> Any:
    return shape_of(text, __name__).checked(value)


def test_reads_and_writes_what_it_read() -> None:
    value = {"parts": [{"name": "a", "odd": [1]}, {"parts": [], "note": None, "the-size": 3}]}
    got = read("Tree", value)
    assert isinstance(got, Node) and isinstance(got.parts[0], Leaf) and isinstance(got.parts[1], Node)
    assert got.parts[0].extra == {"odd": [1]} and got.parts[1].note is None and got.parts[1].size == 3 and got.note is ABSENT
    assert got.to_json() == value == _json.loads("x", _json.dumps("x", got)) and Node.from_json(value) == got
    assert fill(List[Node], [value]) == [got]


def test_a_value_without_the_type_has_a_pointer() -> None:
    for text, value, why in [
        ("Tree", {"parts": [{"name": 1}]}, "/parts/0/name: expected a string, got a number"),
        ("Leaf", [], "expected an object, got an array"), ("Leaf", {}, "'name' is missing"),
        ("List[Optional[int]]", [None, 1.0, "x"], "/2: expected an integer, got a string"),
        ("Dict[str, bool]", {"a/b": 1}, "/a~1b: expected true or false, got a number"),
        ("Node", {"parts": [], "the-size": None}, "/the-size: expected an integer, got null"),
        ("Named", {"kind": "a", "value": [{"name": 2}]}, "/value/0/name: expected a string, got a number"),
        ("Literal[1, 2]", True, "expected one of 1, 2, got True"), ("Literal['a']", "b" * 1000, "expected one of 'a', got 'bbb"),
    ]:
        with pytest.raises(Misfit) as misfit:
            read(text, value)
        assert str(misfit.value).startswith(why), str(misfit.value)
    with pytest.raises(ArgumentError, match="the value is not a Leaf: /name"):
        Leaf.from_json({"name": 1})


def test_nested_unions_are_read_in_linear_time() -> None:
    def spent(value: Any) -> float:
        start = time.process_time()
        read("Tree", value)
        return time.process_time() - start

    few, many = (min(spent(tree(depth, 50)) for _ in range(5)) for depth in (10, 80))
    assert many < few * 30 + 0.05


def test_deeply_nested_values_are_refused() -> None:
    with pytest.raises(Misfit, match="too deeply"):
        read("Tree", tree(100_000, 0))


def test_a_union_prefers_the_type_that_declares_all_members() -> None:
    text = "Union[Node, Kind]"
    assert isinstance(read(text, {"parts": [], "kind": "a", "value": 1}), Node)  # the value is valid for both, and neither declares all members
    assert isinstance(read(text, {"kind": "a", "value": 1}), Kind)
    assert read("Union[int, List[Leaf]]", [{"name": "x"}]) == [Leaf(name="x")]


def test_many_threads_use_a_class_first_at_the_same_time() -> None:
    class Fresh(DataRecord):
        name: str = spelled("the name")
        note: Optional[str] = spelled("the note", default=None)

    results: List[Any] = []
    start = threading.Barrier(8)

    def use() -> None:
        start.wait()
        results.append(Fresh.from_json({"the name": "x"}).to_json())

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [{"the name": "x"}] * 8


def test_a_module_that_is_loaded_again_has_its_new_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "from __future__ import annotations\nfrom routable.records import DataRecord\n"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "again_api.py"
    path.write_text(head + "class Thing(DataRecord):\n    name: str\n")
    module = importlib.import_module("again_api")
    assert shape_of("Thing", "again_api").checked({"name": "x"}) == module.Thing(name="x")
    path.write_text(head + "class Thing(DataRecord):\n    other: int\n# longer\n")
    importlib.reload(module)
    assert shape_of("Thing", "again_api").checked({"other": 1}) == module.Thing(other=1)


def test_a_deleted_member_raises_an_error() -> None:
    leaf = Leaf(name="x")
    del leaf.name
    for use in (lambda: leaf.name, leaf.to_json, lambda: _json.dumps("x", leaf)):
        with pytest.raises((AttributeError, TypeError), match="name"):
            use()
    node = Node(parts=[], size=1)
    del node.size
    assert node.size is None and node.to_json() == {"parts": []}


def test_absent_is_no_value() -> None:
    with pytest.raises(TypeError, match="ABSENT"):
        _json.dumps("x", [ABSENT])
    with pytest.raises(TypeError, match="ABSENT"):
        Node(parts=[ABSENT]).to_json()
    assert not ABSENT and repr(ABSENT) == "ABSENT" and dataclasses.replace(Node(parts=[]), note=None).to_json() == {"parts": [], "note": None}
