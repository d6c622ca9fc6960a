"""Readers of models: the same objects and the same errors as the conversion that looks at each value, with and without packages."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import random
import uuid
from typing import Any, Dict, List, Literal, Optional, Tuple, TypedDict, Union

import pytest
from routable import _quick
from routable.errors import JSONError
from routable.model import Misfit, convert, fill, fill_body


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


@dataclasses.dataclass
class Leaf:
    name: str
    size: float = 1.5
    tags: List[str] = dataclasses.field(default_factory=lambda: ["a"])


@dataclasses.dataclass(frozen=True)
class Frozen:
    number: int
    leaf: Optional[Leaf] = None


@dataclasses.dataclass
class Tree:
    value: Union[int, str, None]
    children: List["Tree"] = dataclasses.field(default_factory=list)
    frozen: Optional[Frozen] = None
    colour: Optional[Colour] = None


@dataclasses.dataclass
class Checked:
    low: int
    high: int = 10

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"{self.low} is over {self.high}")


@dataclasses.dataclass(init=False)
class Own:
    a: int
    b: int = 7

    def __init__(self, b: int = 3, *, a: int) -> None:
        self.a, self.b = a * 2, b


class Options(TypedDict, total=False):
    size: int
    leaf: Leaf


@dataclasses.dataclass
class Everything:
    when: datetime.datetime
    day: Optional[datetime.date]
    key: uuid.UUID
    kind: Literal["x", "y"]
    either: Union[float, int]
    pair: Tuple[int, str]
    options: Options
    named: Dict[str, Optional[Leaf]]
    anything: Any = None


MODELS = [
    Leaf, Frozen, Tree, Checked, Own, Options, Everything, List[Leaf], Dict[str, Frozen], Optional[Tree], List[Optional[float]], Union[Leaf, Frozen],
    List[Literal[1, True, "x"]], int, Any, List[Dict[str, List[int]]], Optional[Colour],
]
#: Values, and parts of them, that the models have or almost have.
PARTS: List[Any] = [
    None, True, 1, 0, 2.0, 1.5, "x", "red", 2, [], {}, [1], ["a"], {"name": "n"}, {"name": "n", "size": 2, "tags": []}, {"number": 1}, {"low": 1},
    {"low": 11}, {"a": 1}, {"a": 1, "b": 2}, {"value": None}, {"size": 3}, "2026-11-29", "2026-11-29T06:00:00Z", str(uuid.UUID(int=5)), [1, "a"],
    {"name": 1}, {"name": "n", "tags": [1]}, {"name": "n", "size": None}, {"name~/": 1}, 10**30,
]


def outcome(function: Any, *words: Any) -> Any:
    try:
        return repr(function(*words))
    except (Misfit, ValueError, TypeError) as error:
        return type(error), str(error), getattr(error, "pointer", None)


def values(draw: random.Random, count: int) -> List[Any]:
    found = list(PARTS)
    for turn in range(count):
        parts = found[: len(PARTS) + 30] if turn > 40 else PARTS  # so that the values do not get deeper and deeper
        names = ["name", "size", "tags", "number", "leaf", "value", "children", "frozen", "colour", "low", "high", "when", "day", "key", "kind",
                 "either", "pair", "options", "named", "anything"]
        made: Any = {name: draw.choice(parts) for name in draw.sample(names, draw.randrange(1, 12))}
        found.append(made if draw.random() < 0.7 else [made, draw.choice(PARTS)])
    whole = {"when": "2026-11-29T06:00:00Z", "day": None, "key": str(uuid.UUID(int=5)), "kind": "x", "either": 1, "pair": [1, "a"],
             "options": {"size": 1, "leaf": {"name": "n"}, "more": 1}, "named": {"a": None, "b": {"name": "n"}}}
    return [*found, whole, *({**whole, name: draw.choice(PARTS)} for name in whole for _ in range(8))]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_reader_is_the_conversion(model: Any) -> None:
    for value in values(random.Random(1), 120):
        assert outcome(fill, model, value) == outcome(convert, model, value, ""), value
        assert outcome(fill, List[model], [value]) == outcome(convert, List[model], [value], ""), value


@pytest.mark.parametrize("has_package", [True, False])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_bodies(model: Any, has_package: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With msgspec, if it is installed, and without it."""
    monkeypatch.setattr(_quick, "_msgspec", None if has_package else False)
    monkeypatch.setattr(_quick, "_decoders", {})
    for value in values(random.Random(2), 80):
        assert outcome(fill_body, model, json.dumps(value).encode()) == outcome(convert, model, value, ""), value


@pytest.mark.parametrize("body", [
    b"", b"{", b'{"name":"\xff"}', b'{"name":"a","x":"\xff"}', b'{"name":"a","x":NaN}', b'{"name":"a","size":Infinity}', b'{"name":"a"} x', b'{"name":"a",}',
])
def test_bodies_that_are_not_json(body: bytes) -> None:
    with pytest.raises(JSONError):
        fill_body(Leaf, body)
    pydantic = pytest.importorskip("pydantic", minversion="2")
    with pytest.raises(JSONError):
        fill_body(pydantic.create_model("Model", name=(str, ...), size=(float, 1.0)), body)


def test_a_byte_order_mark_and_names_twice() -> None:
    assert fill_body(Leaf, b'\xef\xbb\xbf{"name":"a","name":"b","size":2}') == Leaf("b", 2.0)


def test_models_that_pydantic_reads_in_another_way() -> None:
    """A model reads the values that json gives, also where pydantic takes JSON for something else."""
    pydantic = pytest.importorskip("pydantic", minversion="2")

    class Strict(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        model_config = {"strict": True}
        day: datetime.date

    class Plain(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        number: float
        names: Optional[List[str]] = None

    body = b'[{"number":1e400,"names":null},{"number":"2.5","names":["a"]}]'
    assert fill_body(List[Plain], body) == fill(List[Plain], json.loads(body))
    with pytest.raises(Misfit) as caught:
        fill_body(List[Strict], b'[{"day":"2026-11-29"}]')
    assert caught.value.pointer == "/0/day"
    with pytest.raises(Misfit) as caught:
        fill_body(List[Plain], b'[{"number":1},{"number":[]}]')
    assert caught.value.pointer == "/1/number"


def test_a_class_that_refers_to_nothing() -> None:
    @dataclasses.dataclass
    class Broken:
        a: "Nothing"  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(Misfit):
        fill(Broken, [])
    with pytest.raises(NameError):
        fill(Broken, {"a": 1})
