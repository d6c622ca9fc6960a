"""Long lists of constants, which are found by a hash: the same verdicts as for short lists, and no limit for a long valid value."""

from __future__ import annotations

import json
from typing import Any, List

import pytest
import routable
from conftest import needs_optimization


def mixed(count: int) -> List[Any]:
    """Constants of all kinds, some of which are equal to others."""
    found: List[Any] = []
    for index in range(count):
        found += [
            index, -index - 0.5, f"name {index}", f"a longer name, which differs in the middle {index} from all others",
            [index, "x"], {"a": index, "b": [None]}, 10**30 + index,
        ]
    return [*found, True, None, "", "\u00e9\u65e5", "a\"\\b", 1.0, 1e2, 2**53, 1e300, {"b": [None], "a": 1}, [], {}, 0.1, [[[]]]]


def opened(schema: Any) -> routable.Router:
    return routable.open({
        "routable": 1, "base": "https://h.example", "types": {"T": schema},
        "resources": {"o": {"path": "o", "id": "number", "can": ["read"], "type": "T"}},
    })


@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_constants_of_all_kinds(count: int) -> None:
    constants = mixed(count)
    schema = routable.Schema({"enum": constants})
    for constant in constants:
        schema.check(constant)
        assert schema.accepts(json.dumps(constant, ensure_ascii=True).encode()), constant
    for other in (777_777, -count - 0.5, f"name {count}", "name 0 ", False, [0, "y"], {"a": 0}, {"a": 0, "b": []}, 10**30 - 1, 0.25,
                  "a longer name, which differs in the middle x from all others", [[]], {"": {}}, "\u00e9", "\0"):
        assert not schema.accepts(other), other


@pytest.mark.parametrize("text, equal", [
    ("1.0", True), ("10e-1", True), ("100", True), ("1e2", True), ("9007199254740992", True), ("9007199254740993", False),
    ("1.0000000000000000000000000000e30", True), ("0.10", True), ("-0", True), ("-0.0", True),
    ('{"b":[null],"a":0}', True), ('{"a":0,"b":[null],"c":1}', False), ('"\\u00e9\\u65e5"', True), ('"n\\u0061me 0"', True), ('"\\u0000"', False),
])
def test_constants_are_compared_by_value(text: str, equal: bool) -> None:
    short = [1, 100, 2**53, 10**30, 0.1, 0, {"a": 0, "b": [None]}, "\u00e9\u65e5", "name 0"]
    for constants in (short, [*short, *(f"other {each}" for each in range(100))]):
        assert routable.Schema({"enum": constants}).accepts(text.encode()) is equal


def test_the_reason_lists_the_first_constants() -> None:
    with pytest.raises(routable.BodyError) as caught:
        routable.Schema({"items": {"enum": [f"c{each}" for each in range(1000)]}}).check(["c5", "d"])
    assert caught.value.pointer == "/1" and caught.value.schema_pointer == "/items/enum"
    assert caught.value.allowed[:2] == ('"c0"', '"c1"')


@pytest.mark.parametrize("constants", [
    [each * 7 for each in range(2000)], [f"Region/City_{each}" for each in range(600)], [each + 0.5 for each in range(2000)],
])
def test_a_long_valid_value_takes_no_more_steps_than_it_has_bytes(constants: List[Any]) -> None:
    """Compared one after the other, the constants would take more than all steps of a check."""
    value = json.dumps((constants * (30_000 // len(constants)))[::-1]).encode()
    schema = {"type": "array", "items": {"enum": constants}}
    routable.Schema(schema).check(value)
    response = opened(schema).map_response("o", "read", 200, (), value)
    assert response.outcome == "self" and not response.deviations
    assert opened(schema["items"]).map_response("o", "read", 200, (), value).deviations  # an array is not one of the constants


@needs_optimization
def test_more_elements_than_the_steps_of_a_check() -> None:
    value = b"[" + b"1," * 17_000_000 + b"1]"
    schema = {"type": "array", "items": {"type": "integer"}}
    assert opened(schema).map_response("o", "read", 200, (), value).outcome == "self"
