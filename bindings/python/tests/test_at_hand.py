"""Signatures and documentation of operations, and the sentences that lead to a correct call."""

from __future__ import annotations

import datetime
import decimal
import inspect
import pydoc
from typing import Any

import pytest
import routable
from routable import testing, using

DOCUMENT = {
    "routable": 1, "base": "https://api.example.com",
    "types": {"Status": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}, "price": {"type": "number"}}}},
    "resources": {
        "user": {"path": "users", "can": ["read"], "has": ["status"]},
        "status": {"path": "statuses", "can": ["create", "list"], "type": "Status", "operations": {
            "create": {"description": "Creates a status.", "query": {
                "limit": {"type": "integer", "description": "The maximum."}, "mode": {"type": "string", "required": True}}}}}},
    "operations": {"free": {"post": "/free"}, "values": {"get": "/values"}},
}


@pytest.fixture
def api() -> Any:
    return routable.open(DOCUMENT)


def test_the_signature_of_an_operation(api: Any) -> None:
    signature = inspect.signature(api.user("ann").status.create)
    assert [(each.name, each.kind.name, each.annotation) for each in signature.parameters.values()][0] == ("body", "POSITIONAL_ONLY", Any)
    assert list(signature.parameters) == ["body", "options", "limit", "mode"]
    assert signature.parameters["limit"].annotation is int and signature.parameters["limit"].default is None
    assert signature.parameters["mode"].default is inspect.Parameter.empty
    assert signature.return_annotation is routable.Request
    assert list(inspect.signature(api.user("ann").read).parameters) == ["options"]


def test_the_documentation_of_an_operation(api: Any) -> None:
    create = api.user("ann").status.create
    text = inspect.getdoc(create)
    assert text is not None
    assert text.splitlines()[0] == "Creates a status."
    assert "limit (integer, query): The maximum." in text and "mode (string, query, required)" in text and "body: Status" in text
    assert "Creates a status." in pydoc.render_doc(create, renderer=pydoc.plaintext)
    assert type(create).__doc__.startswith("An operation with its route and ids.")


def test_completion_below_a_member_shows_what_is_allowed(api: Any) -> None:
    names = [each for each in dir(api.user("ann")) if not each.startswith("_")]
    assert names == ["read", "status"]
    assert [each for each in dir(api.user("ann").status) if not each.startswith("_")] == ["create", "list"]


@pytest.mark.parametrize(("named", "says"), [
    ({"text": "hello"}, "text is a member of the body, which is the first argument: create({'text': ...})"),
    ({"json": {}}, "it has no parameter 'json'; the body is the first argument: create(value)"),
    ({"data": {}}, "it has no parameter 'data'; the body is the first argument: create(value)"),
    ({"tex": "hello"}, "the body is the first argument"),
])
def test_a_hint_never_leads_to_a_body_that_is_not_validated(api: Any, named: Any, says: str) -> None:
    with pytest.raises(routable.ParameterError) as caught:
        api.user("ann").status.create(**named)
    assert says in str(caught.value) and "parameters=" not in str(caught.value)


def test_a_hint_of_an_operation_without_a_body(api: Any) -> None:
    with pytest.raises(routable.ParameterError, match=r"undeclared parameters stand in using\(parameters=...\)"):
        api.operations.free(text="hello")


def test_undeclared_parameters_do_not_replace_a_declared_body(api: Any) -> None:
    with pytest.raises(routable.BodyError) as caught:
        api.user("ann").status.create(using(parameters={"text": "hello"}), mode="a")
    assert "the operation declares its body" in str(caught.value) and caught.value.pointer == "/parameters"
    assert api.operations.free(using(parameters={"text": "hello"})).body == b"text=hello"


def test_an_argument_that_is_not_a_request_is_refused(api: Any) -> None:
    with testing.Responses() as responses, routable.Client(transport=responses) as client:
        for given, says in ((api.user("ann").read, "not an operation: call the operation"), (api.user("ann"), "not a resource"), (1, "not int")):
            for perform in (client.perform, client.submit, client.pages):
                with pytest.raises(TypeError, match=says):
                    perform(given)  # type: ignore[operator]


def test_opening_a_url_as_a_file_is_explained() -> None:
    with pytest.raises(routable.ArgumentError, match="open reads a file, not a URL: .* routable.loads"):
        routable.open("https://api.example.com/openapi.json")


def test_a_value_that_is_not_json_raises_an_error_of_the_package(api: Any) -> None:
    with testing.Responses() as responses, routable.Client(transport=responses) as client:
        responses.add("values", body="{\"a\":1}\n{oops\n")
        with client.values(api.operations.values()) as values:
            assert next(values) == {"a": 1}
            with pytest.raises(routable.RoutableError):
                next(values)


@pytest.mark.parametrize(("value", "written"), [
    (decimal.Decimal("1.10"), "1.1"), (decimal.Decimal("9007199254740993"), "9007199254740993"),
    (decimal.Decimal("1E+2"), "100"), (decimal.Decimal("-0.5"), "-0.5"), ({3, 1, 2}, "[1,2,3]"), (frozenset("ba"), '["a","b"]'),
    ({1, "a"}, '["a",1]'), ((each for each in "ab"), '["a","b"]'), (datetime.time(12, 30), '"12:30:00"'),
    (datetime.date(2026, 1, 2), '"2026-01-02"'),
])
def test_values_of_the_standard_library(api: Any, value: Any, written: str) -> None:
    assert api.operations.free({"x": value}).body.decode() == f'{{"x":{written}}}'


def test_a_decimal_is_validated_as_a_number(api: Any) -> None:
    request = api.user("ann").status.create({"text": "a", "price": decimal.Decimal("0.10")}, mode="m")
    assert request.body == b'{"text":"a","price":0.1}'
    for value, says in (("NaN", "is not a JSON number"), ("Infinity", "is not a JSON number"),
                        ("0.12345678901234567890", "has more digits than a number keeps")):
        with pytest.raises(routable.ArgumentError, match=says):
            api.operations.free({"x": decimal.Decimal(value)})
