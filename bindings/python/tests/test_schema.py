"""Schemas: values are valid or rejected with pointers into the value and into the schema, in bounded time."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
import routable
from conftest import needs_optimization
from slowness import SLOWNESS
from test_threads import together

PERSON = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "age": {"type": "integer", "minimum": 0},
        "mail": {"format": "email"},
        "friends": {"type": "array", "items": {"$ref": "#"}},
    },
}


def test_valid_values_pass_and_invalid_ones_have_pointers() -> None:
    schema = routable.Schema(PERSON)
    schema.check({"name": "a", "age": 3.0, "friends": [{"name": "b"}]})
    schema.check(b'{"name":"a"}')
    assert schema.accepts(b'{"name":"a"}') and not schema.accepts({"name": ""})
    with pytest.raises(routable.BodyError) as caught:
        schema.check({"name": "a", "friends": [{"name": "b"}, {"nmae": "c"}]})
    assert caught.value.pointer == "/friends/1/nmae"
    assert caught.value.schema_pointer == "/properties/friends/items/$ref/additionalProperties"
    assert caught.value.suggestion == "name" and caught.value.offset is None


def test_max_errors_returns_all_reasons() -> None:
    with pytest.raises(routable.BodyError) as caught:
        routable.Schema(PERSON).check({"age": -1, "friends": 1}, max_errors=10)
    found = []
    error: Any = caught.value
    while error:
        found.append((error.pointer, error.schema_pointer))
        error = error.next
    assert sorted(found) == [
        ("", "/required"), ("/age", "/properties/age/minimum"), ("/friends", "/properties/friends/type"),
    ]


def test_validation_does_not_depend_on_the_spelling_of_strings() -> None:
    """A value that is only validated is written in ASCII; its meaning, and the values that are refused, are those of UTF-8."""
    schema = routable.Schema({"type": "array", "items": {"enum": ["\u00e9\u65e5", "\U0001f600", "a\u2028\u0000\"", 1, None]}})
    schema.check([])  # the first value of a process is written in the other way
    schema.check(["\u00e9\u65e5", "\U0001f600", "a\u2028\u0000\"", 1, None])
    short = routable.Schema({"items": {"maxLength": 2}})
    short.check(["\u65e5\u672c", "\U0001f600\U0001f600"])
    endless: "list[Any]" = []
    endless.append(endless)
    for value, kind, words in (
        (["\u65e5\u672c\u8a9e"], routable.BodyError, "at most 2 characters"),
        (["\ud800"], routable.ArgumentError, "lone surrogate"),
        ([float("nan")], routable.ArgumentError, "not JSON compliant"),
        (endless, routable.ArgumentError, "Circular reference"),
        ([object()], TypeError, "object is not a JSON value"),
    ):
        with pytest.raises(kind, match=words):
            short.check(value)


def test_an_error_of_the_value_itself_is_raised() -> None:
    class Fails:
        def model_dump(self, **_: object) -> object:
            raise RuntimeError("not now")

    schema = routable.Schema({})
    schema.check([])
    with pytest.raises(RuntimeError, match="not now"):
        schema.check(Fails())


def test_formats_are_asserted_on_request() -> None:
    value = {"name": "a", "mail": "none"}
    assert routable.Schema(PERSON).accepts(value)
    assert not routable.Schema(PERSON, formats=True).accepts(value)


def test_documents_and_dialects() -> None:
    schema = routable.Schema({"$ref": "int.json"}, uri="http://h/a.json", documents={"http://h/int.json": {"type": "integer"}})
    assert schema.accepts(1) and not schema.accepts("1")
    with pytest.raises(routable.DocumentError) as caught:
        routable.Schema({"properties": {"x": {"$ref": "http://h/none.json"}}})
    assert caught.value.pointer == "/properties/x/$ref" and "pass the other documents" in str(caught.value)
    old = {"type": "integer", "nullable": True, "minimum": 1, "exclusiveMinimum": True}
    schema = routable.Schema(old, dialect="openapi-3.0")
    assert schema.accepts(None) and schema.accepts(2) and not schema.accepts(1)
    with pytest.raises(routable.DocumentError):
        routable.Schema(old)
    with pytest.raises(ValueError):
        routable.Schema({}, dialect="draft-3")


def test_the_types_of_a_router() -> None:
    api = routable.open({"routable": 1, "types": {"T": {"maxLength": 2}, "U": {"items": {"$ref": "#/types/T"}}}})
    schema = api.schema("U")
    api.close()
    assert schema.accepts(["ab"]) and not schema.accepts(["abc"])
    with pytest.raises(routable.UnknownError) as caught:
        routable.open({"routable": 1, "types": {"Thing": {}}}).schema("Thnig")
    assert caught.value.suggestion == "Thing"


@needs_optimization
@pytest.mark.parametrize(
    "schema, value",
    [
        ({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}, b"1"),
        ({"allOf": [{"$ref": "#/$defs/a"}] * 4, "$defs": {f"{i:c}": {"allOf": [{"$ref": f"#/$defs/{i + 1:c}"}] * 4}
          for i in range(97, 121)} | {"y": {"type": "string"}}}, b'""'),
        ({"not": {"$ref": "#"}}, b"[]"),
        ({"items": {"pattern": "^(a+)+$"}}, json.dumps(["a" * 40 + "b"] * 2000).encode()),
        ({"$dynamicAnchor": "a", "properties": {"x": {"$dynamicRef": "#a"}}, "allOf": [{"$dynamicRef": "#a"}]}, b"{}"),
        ({"items": {"$ref": "#"}}, b"[" * 5000 + b"]" * 5000),
    ],
)
def test_what_has_no_end_is_a_limit(schema: Any, value: bytes) -> None:
    compiled = routable.Schema(schema)
    start = time.monotonic()
    with pytest.raises(routable.LimitError):
        compiled.check(value)
    assert time.monotonic() - start < 20 * SLOWNESS


@pytest.mark.parametrize(
    "schema, pointer",
    [
        ({"$ref": "#"}, "/$ref"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, "/$ref"),
        ({"$defs": {"a": 1}, "$ref": "#/$defs/a"}, "/$ref"),
        ({"items": [{}]}, "/items"),
        ({"properties": {"a/b": {"type": "strng"}}}, "/properties/a~1b/type"),
        ({"allOf": [{}, {"pattern": "("}]}, "/allOf/1/pattern"),
        ({"multipleOf": 0}, "/multipleOf"),
    ],
)
def test_invalid_schemas_are_refused(schema: Any, pointer: str) -> None:
    with pytest.raises(routable.DocumentError) as caught:
        routable.Schema(schema)
    assert caught.value.pointer == pointer


def test_many_properties_and_wide_numbers() -> None:
    many = {f"p{i}": i for i in range(100_000)}
    start = time.monotonic()
    schema = routable.Schema({"properties": {key: {"type": "integer"} for key in many}, "additionalProperties": False})
    assert schema.accepts(many) and not schema.accepts({**many, "q": 1})
    assert routable.Schema({"uniqueItems": True}).accepts(list(range(100_000)))
    assert time.monotonic() - start < 20 * SLOWNESS
    assert routable.Schema({"type": "integer", "maximum": 1}).accepts(b"-12345678901234567890")
    assert not routable.Schema({"maximum": 1e308}).accepts(b"1e400")
    assert routable.Schema({"const": 12345678901234567890}).accepts(b"12345678901234567890")
    assert not routable.Schema({"const": 12345678901234567890}).accepts(b"12345678901234567891")
    assert routable.Schema({"multipleOf": 0.01}).accepts(19.99) and not routable.Schema({"multipleOf": 0.01}).accepts(19.999)


UNIQUE = routable.Schema({"uniqueItems": True})


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        ("1e400", "10.0e399", True),
        ("-1e400", "1e400", False),
        ("18446744073709551616", "18446744073709551616.0", False),  # a double holds the second, and prints ...552000
        ("18446744073709552000", "1.8446744073709552e19", True),
        ("12345678901234567890", "12345678901234567891", False),
        ("9007199254740993", "9007199254740992", False),
        ("9007199254740992", "9007199254740992.0", True),
        ("0.0", "-0", True),
        ("0.5", "5e-1", True),
        ("1" + "0" * 400, "1e400", True),
    ],
)
def test_numbers_are_unique_by_value(one: str, two: str, equal: bool) -> None:
    few = f"[{one},{two}]"
    many = "[" + ",".join([one, *(str(index * 7 + 3) for index in range(20)), two]) + "]"
    assert UNIQUE.accepts(few.encode()) is not equal, f"{few}: expected {'equal' if equal else 'different'}"
    assert UNIQUE.accepts(many.encode()) is not equal, f"{many}: expected {'equal' if equal else 'different'}"


def test_long_numbers_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        # The first digits and the double are the same: only all digits distinguish them.
        text = "[" + ",".join(f"1{index:06}{'0' * 400}1" for index in range(count)) + "]"
        start = time.process_time()
        assert UNIQUE.accepts(text.encode())
        return time.process_time() - start

    def multiple(digits: int) -> float:
        start = time.process_time()
        assert not routable.Schema({"multipleOf": 7}).accepts(b"1" + b"0" * digits)
        return time.process_time() - start

    assert seconds(4000) < 20 * max(seconds(1000), 0.005), "uniqueItems"
    assert multiple(400_000) < 20 * max(multiple(100_000), 0.005), "multipleOf"


def test_one_schema_serves_many_threads() -> None:
    schema = routable.Schema({"patternProperties": {"^(a|b)+$": {"type": "integer"}}, "unevaluatedProperties": False})
    values = [value for index in range(100) for value in ({"ab": index}, {"ab": str(index)}, {"abc": index})]
    given = together(lambda _: [schema.accepts(value) for value in values])
    assert given == [[True, False, False] * 100] * len(given) and len(given) > 1


def test_a_closed_schema_refuses_values() -> None:
    schema = routable.Schema(True)
    schema.close()
    with pytest.raises(ValueError):
        schema.check(1)


def test_punycode_encodes_back_to_itself() -> None:
    schema = routable.Schema({"format": "idn-hostname"}, formats=True)
    for written, letters in ("bcher-kva", "b\u00fccher"), ("tda", "\u00fc"), ("wgv71a", "\u65e5\u672c"):
        assert letters.encode("punycode").decode() == written
        assert schema.accepts(f"xn--{written}") and schema.accepts(f"xn--{written.upper()}")
    # The same labels in forms that no encoder writes.
    for label in "xn---tda", "xn---wgv71a", "xn--abc-", "xn--", "xn---", "xn--0":
        assert not schema.accepts(label), label
    random.seed(19)
    accepted = 0
    for _ in range(20_000):
        text = list(random.choice(["b\u00fccher", "\u65e5\u672c", "\u043f\u0440\u0438\u043c\u0435\u0440", "a\u65e5b"]).encode("punycode").decode())
        for _ in range(random.randint(0, 3)):
            place = random.randint(0, len(text))
            text[place : place + random.randint(0, 1)] = random.choice(["", "-", "0", "a", "z", "9"])
        label = "".join(text)
        if schema.accepts(f"xn--{label}"):
            accepted += 1
            assert label.encode().decode("punycode").encode("punycode").decode() == label, label
    assert accepted > 5000, accepted


@pytest.mark.parametrize("more", [[], [[str(number)] for number in range(12)], [[str(number), str(number * 2)] for number in range(12)]])
@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_schemas_that_constants_tell_apart(keyword: str, more: Any) -> None:
    """Every value has the result that the schemas have one by one, whatever the constants are and how they are written."""
    kinds = [["circle"], ["line", "arrow"], ["a constant of more than sixteen bytes"], [f"k{number}" for number in range(16)], [7, None, "é"], *more]
    branches = [{"type": "object", "required": ["kind"], "properties": {"kind": {"enum": kind}, f"n{index}": {"type": "integer"}}}
                for index, kind in enumerate(kinds)]
    branches[0]["properties"]["kind"] = {"$ref": "#/$defs/circle"}
    schema = routable.Schema({keyword: branches, "$defs": {"circle": {"const": "circle"}}})
    single = [routable.Schema({**branch, "$defs": {"circle": {"const": "circle"}}}) for branch in branches]
    for kind in ("circle", "line", "arrow", "a constant of more than sixteen bytes", "k15", "k16", "é", "", 7, 7.0, None, [], "circle ", "4", "11", "x"):
        for wrong in range(-1, len(kinds)):
            for ascii_only in (True, False):
                text = json.dumps({"kind": kind, f"n{wrong}": "x"}, ensure_ascii=ascii_only).encode()
                count = sum(each.accepts(text) for each in single)
                assert schema.accepts(text) == (count == 1 if keyword == "oneOf" else count > 0), text
    assert not schema.accepts(b"{}") and not schema.accepts(b'"circle"')
    assert schema.accepts(rb'{"kind": "\u0063ircle"}')


@pytest.mark.parametrize("count", [2, 12, 13, 16, 17, 300])
def test_equal_elements_are_found_wherever_they_are(count: int) -> None:
    schema = routable.Schema({"uniqueItems": True})
    texts = [f'"{number}"' if number % 2 else str(number) for number in range(count)]
    assert schema.accepts(f"[{','.join(texts)}]".encode())
    for place in range(0, count, max(1, count // 7)):
        twin = texts[place] + ".0" if place % 2 == 0 else texts[place]
        with pytest.raises(routable.errors.BodyError, match=f"the elements {place} and {count} are equal"):
            schema.check(f"[{','.join([*texts, twin])}]".encode())
