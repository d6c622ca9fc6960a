"""Responses that deviate from their descriptions: the list of deviations, the hook and the log, and each policy."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from typing import Any, List, Tuple

import pytest
import routable
from routable import _deviations, testing

DOCUMENT = {
    "routable": 1, "base": "https://api.example.com",
    "types": {"Pet": {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}},
    "operations": {
        "pet": {"get": "/pet", "results": {"200": {"$ref": "#/types/Pet"}, "404": {"$ref": "#/types/Pet"}}},
        "pets": {"get": "/pets", "results": {"200": {"type": "array", "items": {"$ref": "#/types/Pet"}}}}},
}


@pytest.fixture
def api() -> Any:
    return routable.open(DOCUMENT)


@pytest.fixture
def responses() -> Any:
    with testing.Responses() as made:
        yield made


Seen = List[Tuple[routable.Request, routable.Response]]


def test_a_success_lists_its_deviations(api: Any, responses: Any) -> None:
    seen: Seen = []
    responses.add("pet", json={"name": None, "tags": ["a", 1]}, times=3)
    request = api.operations.pet()
    with routable.Client(transport=responses, on_deviation=lambda *given: seen.append(given)) as client:
        response = client.perform(request)
        (completion,) = client.perform_all([request])
        submitted = client.submit(request).result()
    assert (response.outcome, response.value) == ("self", {"name": None, "tags": ["a", 1]})
    assert [(each.pointer, each.found) for each in response.deviations] == [("/name", "null"), ("/tags/1", "1")]
    assert response.deviations == completion.result().deviations == submitted.deviations
    assert [(sent.operation, got.status) for sent, got in seen] == [("pet", 200)] * 3


def test_an_async_client_reports_deviations(api: Any, responses: Any) -> None:
    seen: Seen = []
    responses.add("pet", json={})

    async def main() -> None:
        async with routable.AsyncClient(transport=responses, on_deviation=lambda *given: seen.append(given)) as client:
            await client.perform(api.operations.pet())

    asyncio.run(main())
    assert [each.message for _, got in seen for each in got.deviations] == ['the value does not match its type: "name" is missing']


def test_each_operation_is_logged_once(api: Any, responses: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_deviations, "_logged", set())
    responses.add("pets", json=[{"name": 1}, {"name": 2}, {"name": "secret", "tags": "secret"}])
    responses.add("pets", json=[{"tags": None}])
    responses.add("pet", json={})
    with routable.Client(transport=responses) as client, caplog.at_level(logging.WARNING, "routable"):
        client.perform(api.operations.pets())
        assert client.perform(api.operations.pets()).deviations
        client.perform(api.operations.pet())
    assert [each.getMessage() for each in caplog.records] == [
        "pets: the response 200 deviates: /0/name does not match its type: string is expected, not an integer; "
        "/2/tags does not match its type: array is expected, not a string",
        'pet: the response 200 deviates: the value does not match its type: "name" is missing',
    ]


def test_a_record_names_the_first_deviations(
    responses: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_deviations, "_logged", set())
    names = [f"m{number:02}" for number in range(17)]
    responses.add("box", json=dict.fromkeys(names, 1))
    with routable.Client(transport=responses) as client, caplog.at_level(logging.WARNING, "routable"):
        response = client.perform(routable.open({"routable": 1, "base": "https://a.test", "operations": {"box": {
            "get": "/box", "results": {"200": {"type": "object", "properties": {name: {"type": "string"} for name in names}}}}}}).operations.box())
    assert len(response.deviations) == 17
    (record,) = caplog.records
    assert record.getMessage().count("does not match its type") == 3 and record.getMessage().endswith("; and 14 more")


def test_operations_of_two_services_with_one_name_are_logged(
    responses: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_deviations, "_logged", set())
    monkeypatch.setattr(_deviations, "_MOST", 2)
    responses.add("pet", json=7, times=3)
    with routable.Client(transport=responses) as client, caplog.at_level(logging.WARNING, "routable"):
        for host in ("a.test", "b.test", "c.test"):
            pets = {"routable": 1, "base": f"https://{host}", "operations": {"pet": {"get": "/pet", "results": {"200": {"type": "object"}}}}}
            client.perform(routable.open(pets).operations.pet())
    said = [each.getMessage() for each in caplog.records]
    assert [each.startswith("pet: the response 200 deviates") for each in said] == [True, True, False], said
    assert said[2] == "the responses of more than 2 operations deviate: further ones are not logged"


@pytest.mark.parametrize("body", ['{"name":null}', "{}", "[]", "<p>", ""])
def test_the_policy_raises_ignores_or_reports_deviations(api: Any, responses: Any, body: str) -> None:
    responses.add("pet", body=body, times=3)
    request = api.operations.pet()
    with routable.Client(transport=responses, deviations="raise") as client, pytest.raises(routable.ResponseError) as caught:
        client.perform(request)
    assert caught.value.response is not None and caught.value.response.text == body and caught.value.response.deviations
    with routable.Client(transport=responses, deviations="ignore") as client:
        assert client.perform(request).deviations == ()
    with routable.Client(transport=responses) as client:
        assert client.perform(request).deviations == caught.value.response.deviations


def test_an_unknown_policy_is_refused(responses: Any) -> None:
    with pytest.raises(routable.ArgumentError, match="'report', 'raise' or 'ignore' is expected") as caught:
        routable.Client(transport=responses, deviations="strict")  # type: ignore[arg-type]
    assert caught.value.parameter == "deviations"
    with pytest.raises(TypeError, match="on_deviation must be a function"):
        routable.Client(transport=responses, on_deviation=1)  # type: ignore[arg-type]


def test_an_exception_of_on_deviation_does_not_end_the_request(
    api: Any, responses: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: List[Any] = []
    monkeypatch.setattr("sys.unraisablehook", told.append)

    def fails(*_: Any) -> None:
        raise RuntimeError("of the program")

    responses.add("pet", json={})
    with routable.Client(transport=responses, on_deviation=fails) as client:
        assert client.perform(api.operations.pet()).status == 200
    assert [str(each.exc_value) for each in told] == ["of the program"]


def test_the_body_of_an_error_lists_its_deviations(api: Any, responses: Any) -> None:
    responses.add("pet", 404, json={"name": 1})
    with routable.Client(transport=responses) as client, pytest.raises(routable.HTTPStatusError) as caught:
        client.perform(api.operations.pet())
    assert caught.value.response is not None
    assert (caught.value.response.outcome, caught.value.response.deviations[0].pointer) == ("self", "/name")


@dataclasses.dataclass
class Pet:
    name: str
    tags: "List[str] | None" = None


def test_a_model_accepts_values_that_it_can_represent(api: Any, responses: Any) -> None:
    responses.add("pet", json={"name": "Rex", "tags": None})
    responses.add("pet", json={"tags": []})
    with routable.Client(transport=responses) as client:
        assert client.perform(api.operations.pet(), into=dict) == {"name": "Rex", "tags": None}
        with pytest.raises(routable.ResponseError, match="name"):
            client.perform(api.operations.pet(), into=Pet)


def test_a_byte_order_mark_is_read_over(api: Any) -> None:
    response = api.map_response(None, "pet", 200, {"Content-Type": "application/json"}, b'\xef\xbb\xbf{"name":"Rex"}')
    assert (response.outcome, response.value, response.json(), response.into(dict)) == ("self", *[{"name": "Rex"}] * 3)
    assert [each.message for each in response.deviations] == ["the body begins with a byte order mark, which JSON does not allow"]
