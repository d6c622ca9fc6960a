"""Decoding into models: dataclasses, TypedDicts, pydantic, and their member types."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import uuid
from typing import Any, Dict, List, Literal, NewType, Optional, Tuple, TypedDict, Union

import pytest
import routable
from conftest import named_document
from loopback import Loopback, json, whole
from routable.model import Misfit, fill


@dataclasses.dataclass(frozen=True)
class Todo:
    name: str
    done: bool = False
    tags: List[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Nested:
    one: Todo
    many: List[Todo]
    named: Dict[str, Todo]
    maybe: Optional[Todo] = None


class Named(TypedDict):
    name: str


class Partial(Named, total=False):
    size: int


class Colour(enum.Enum):
    RED = "red"


UserName = NewType("UserName", str)


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(named_document("http://h"))


def mapped(api: routable.Router, body: str) -> routable.Response:
    return api.map_response("article", "read", 200, (), body.encode())


def test_a_dataclass_per_outcome(api: routable.Router) -> None:
    assert mapped(api, '{"name":"a","done":true,"more":1}').into(Todo) == Todo("a", True)
    assert mapped(api, '{"x":{"name":"a"},"y":{"name":"b"}}').into(Todo) == {"x": Todo("a"), "y": Todo("b")}
    assert mapped(api, '[{"name":"a","tags":["t"]}]').into(Todo) == [Todo("a", tags=["t"])]
    assert mapped(api, "[]").into(Todo) == [] and mapped(api, "{}").into(Todo) == {}


def test_perform_into(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    loopback.answers["/models/1"] = json('{"name":"a"}')
    loopback.answers["/models"] = json('[{"name":"a"},{"name":"b"}]')
    assert client.perform(named.model(1).read(), into=Todo) == Todo("a")
    assert client.perform(named.model.list(), into=List[Todo]) == [Todo("a"), Todo("b")]
    with pytest.raises(routable.ResponseError, match=r"the body is an array: use into=List\[Todo\]"):
        client.perform(named.model.list(), into=Todo)
    loopback.answers["/models/2"] = whole("204 No Content")
    with pytest.raises(routable.ResponseError, match="the response is empty, which is not a Todo"):
        client.perform(named.model(2).delete(), into=Todo)
    assert client.perform(named.model(2).delete(), into=type(None)) is None
    loopback.answers["/models/1"] = json('{"wrong":"a"}')
    with pytest.raises(routable.ResponseError) as caught:
        client.perform(named.model(1).read(), into=Todo)
    assert caught.value.response is not None and caught.value.response.outcome == "self"


def test_typed_dict(api: routable.Router) -> None:
    assert mapped(api, '{"name":"a","size":3}').into(Partial) == {"name": "a", "size": 3}
    assert mapped(api, '{"name":"a"}').as_self(Partial) == {"name": "a"}
    with pytest.raises(routable.ResponseError) as caught:
        mapped(api, '{"name":"a","size":"3"}').into(Partial)
    assert caught.value.pointer == "/size"


def test_pydantic(api: routable.Router) -> None:
    pydantic = pytest.importorskip("pydantic", minversion="2")
    model = pydantic.create_model("Model", name=(str, ...), size=(int, 1))
    one = mapped(api, '{"name":"a"}').into(model)
    assert isinstance(one, model) and (one.name, one.size) == ("a", 1)
    assert [each.name for each in mapped(api, '[{"name":"a"}]').as_array(model)] == ["a"]
    with pytest.raises(routable.ResponseError) as caught:
        mapped(api, '[{"name":"a","size":"many"}]').into(model)
    assert caught.value.pointer == "/0/size"
    assert isinstance(caught.value.__cause__, pydantic.ValidationError)


def test_into_distinguishes_the_forms_of_a_body(api: routable.Router) -> None:
    assert mapped(api, '{"name":"a"}').as_self(Todo) == Todo("a")
    assert mapped(api, '[{"name":"a"}]').as_array(Todo) == [Todo("a")]
    assert mapped(api, '{"x":{"name":"a"}}').as_dictionary(Todo) == {"x": Todo("a")}
    assert mapped(api, '[{"name":"a"}]').into(List[Todo]) == [Todo("a")]
    with pytest.raises(routable.ResponseError, match="expected an array"):
        mapped(api, '{"name":"a"}').as_array(Todo)


def test_empty_is_none(api: routable.Router) -> None:
    assert api.map_response("model", "delete", 204).into(Todo) is None


def test_a_body_without_a_declared_type_is_decoded(api: routable.Router) -> None:
    response = api.map_response(None, "ping", 200, (), b'{"name":"a"}')
    assert response.into(Todo) == Todo("a")
    response = api.map_response(None, "ping", 200, (), b'[{"name":"a"}]')
    assert response.into(Todo) == [Todo("a")]
    response = api.map_response(None, "ping", 200, (), b'{"x":{"name":"a"}}')
    assert response.into(Todo) == {"x": Todo("a")}
    with pytest.raises(routable.ResponseError) as caught:
        api.map_response(None, "ping", 200, (), b'[{"name":"a"},{}]').into(Todo)
    assert caught.value.pointer == "/1"
    with pytest.raises(routable.ResponseError, match="not JSON"):
        api.map_response(None, "ping", 200, (), b"plain").into(Todo)


def test_a_misfit_has_its_pointer(api: routable.Router) -> None:
    with pytest.raises(routable.ResponseError) as caught:
        mapped(api, '[{"name":"a"},{"name":"b","done":"yes"}]').into(Todo)
    error = caught.value
    assert error.pointer == "/1/done"
    assert "true or false" in str(error) and "Todo" in str(error)
    assert error.response is not None and error.http_status == 200


def test_nested_models_are_filled() -> None:
    value: Any = {"one": {"name": "a"}, "many": [{"name": "b"}], "named": {"c/d": {"name": "c"}}, "maybe": None}
    assert fill(Nested, value) == Nested(Todo("a"), [Todo("b")], {"c/d": Todo("c")})
    value["named"] = {"c/d": {"name": 7}}
    with pytest.raises(Misfit) as caught:
        fill(Nested, value)
    assert caught.value.pointer == "/named/c~1d/name"


@pytest.mark.parametrize(("model", "value", "result"), [
    (int, 1, 1), (float, 1, 1.0), (float, 1.5, 1.5), (str, "a", "a"), (bool, True, True), (type(None), None, None),
    (Any, [1], [1]), (Optional[int], None, None), (Union[int, str], "a", "a"), (Literal["a", 1], 1, 1),
    (List[int], [1, 2], [1, 2]), (Tuple[int, str], [1, "a"], (1, "a")), (Tuple[int, ...], [1, 2], (1, 2)),
    (Dict[str, int], {"a": 1}, {"a": 1}), (dict, {}, {}), (list, [1], [1]), (Colour, "red", Colour.RED),
    (UserName, "u", "u"), (uuid.UUID, str(uuid.UUID(int=1)), uuid.UUID(int=1)),
    (datetime.date, "2020-01-02", datetime.date(2020, 1, 2)),
    (datetime.datetime, "2020-01-02T03:04:05Z", datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)),
])
def test_each_member_type_is_filled(model: Any, value: Any, result: Any) -> None:
    filled = fill(model, value)
    assert filled == result and type(filled) is type(result)


@pytest.mark.parametrize(("model", "value"), [
    (int, True), (int, 1.0), (int, "1"), (float, "1"), (float, True), (str, 1), (bool, 1), (Optional[int], "a"),
    (Literal["a", 1], True), (List[int], {}), (Tuple[int, str], [1]), (Dict[str, int], []), (Colour, "blue"),
    (uuid.UUID, "no"), (datetime.date, "yesterday"), (Todo, []), (Todo, {}), (Named, {}),
])
def test_values_of_another_type_are_misfits(model: Any, value: Any) -> None:
    with pytest.raises(Misfit):
        fill(model, value)


def test_types_that_are_not_models_are_refused() -> None:
    for model in (object(), bytes, complex):
        with pytest.raises(TypeError, match="not a model"):
            fill(model, {})
