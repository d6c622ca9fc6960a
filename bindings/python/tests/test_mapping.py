"""How a body is mapped: the table of the fourth article (3.5) and M1, M2; the model needs a `name`."""

from __future__ import annotations

from typing import Any, List

import pytest
import routable
from conftest import named_document, needs_optimization
from loopback import Loopback, json, whole

#: The outcomes of article 004, for descriptions with "outcome": "any".
TABLE = [
    ('{"name":"a"}', "self"),
    ('{"x":{"name":"a"},"y":{"name":"b"}}', "dictionary"),
    ('[{"name":"a"}]', "array"),
    ("[]", "array"),
    ("{}", "dictionary"),
    ('{"x":{"name":"a"},"n":1}', "raw"),
    ('{"x":{"name":"a"},"y":{}}', "raw"),
    ('{"error":"no"}', "raw"),
    ('[{"name":"a"},{}]', "raw"),
    ("[1,2]", "raw"),
    ('"hi"', "raw"),
    ("1", "raw"),
    ("null", "raw"),
    ("not JSON", "raw"),
    ('{"name":7}', "raw"),
]
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def mapper() -> routable.Router:
    return routable.open(named_document("http://h"))


@pytest.mark.parametrize(("body", "outcome"), TABLE)
def test_M_table_of_mapped_responses(mapper: routable.Router, body: str, outcome: str) -> None:
    response = mapper.map_response("article", "read", 200, JSON, body.encode())
    assert response.outcome == outcome
    assert response.body == body.encode()
    assert response.value == (body.encode() if body == "not JSON" else response.json())


@pytest.mark.parametrize(("body", "outcome"), TABLE)
def test_M_table_of_performed_requests(
    named: routable.Router, loopback: Loopback, client: routable.Client, body: str, outcome: str
) -> None:
    loopback.answers["/articles/1"] = json(body)
    response = client.perform(named.article(1).read())
    assert (response.outcome, response.body) == (outcome, body.encode())


DEVIATIONS = [
    ("read", "{}", "self", '"name" is missing', "", "/required", ""),
    ("read", "[]", "raw", "object is expected, not an array", "", "/type", "[]"),
    ("read", '[{"name":"a"}]', "raw", "object is expected, not an array", "", "/type", '[{"name":"a"}]'),
    ("read", '{"error":{"name":"disk full"}}', "self", '"name" is missing', "", "/required", ""),
    ("read", '{"name":7}', "self", "/name does not match", "/name", "/properties/name/type", "7"),
    ("read", '{"name":null}', "self", "string is expected, not null", "/name", "/properties/name/type", "null"),
    ("list", "{}", "raw", "an array of values is expected, not an object", "", "", "{}"),
    ("list", '[{"name":"a"},{"name":7}]', "array", "/1/name does not match", "/1/name", "/properties/name/type", "7"),
]


@pytest.mark.parametrize(("operation", "body", "outcome", "says", "pointer", "schema_pointer", "found"), DEVIATIONS)
def test_outcomes_follow_the_description(
    mapper: routable.Router, operation: str, body: str, outcome: str, says: str, pointer: str, schema_pointer: str, found: str
) -> None:
    response = mapper.map_response("model", operation, 200, JSON, body.encode())
    assert (response.outcome, response.body) == (outcome, body.encode())
    (deviation,) = response.deviations
    assert says in deviation.message
    assert (deviation.pointer, deviation.schema_pointer, deviation.found) == (pointer, schema_pointer, found)
    if outcome != "raw":
        assert response.into(dict) == response.value or isinstance(response.into(dict), list)
        return
    with pytest.raises(routable.ResponseError) as caught:
        response.into(dict)
    assert says in str(caught.value)
    assert (caught.value.pointer, caught.value.schema_pointer) == (pointer, schema_pointer)


@needs_optimization
def test_a_schema_that_multiplies_the_values_of_a_body_is_a_limit() -> None:
    """The steps grow with the bytes of a body, and not with what the schema does with each of its values."""
    many = ",".join(['{"not":{"not":{"type":"integer"}}}'] * 60)
    router = routable.loads(
        '{"routable":1,"base":"https://h","operations":{"numbers":{"get":"/numbers",'
        '"results":{"200":{"type":"array","items":{"allOf":[' + many + "]}}}}}}"
    )
    assert router.map_response(None, "numbers", 200, JSON, b"[" + b"0," * 1000 + b"0]").outcome == "self"
    with pytest.raises(routable.LimitError) as caught:
        router.map_response(None, "numbers", 200, JSON, b"[" + b"0," * 1_000_000 + b"0]")
    assert caught.value.response is not None and caught.value.http_status == 200


def test_valid_responses_have_no_deviations(mapper: routable.Router) -> None:
    assert mapper.map_response("model", "read", 200, JSON, b'{"name":"a"}').deviations == ()
    assert mapper.map_response("model", "list", 200, JSON, b'[{"name":"a"}]').outcome == "array"
    assert mapper.map_response(None, "ping", 200, JSON, b"[1]").deviations == ()


def test_html_deviates_if_json_is_declared(
    named: routable.Router, loopback: Loopback, client: routable.Client
) -> None:
    loopback.answers["/models/1"] = whole("200 OK", b"<html>maintenance</html>", "Content-Type: text/html")
    response = client.perform(named.model(1).read())
    assert response.deviations == (routable.Deviation("the body is text/html, where JSON is declared"),)
    (completion,) = client.perform_all([named.model(1).read()])
    assert completion.result().deviations == response.deviations
    with pytest.raises(routable.ResponseError, match="text/html, where JSON is declared"):
        client.perform(named.model(1).read(), into=dict)
    with routable.Client(deviations="raise") as strict:
        with pytest.raises(routable.ResponseError, match="text/html, where JSON is declared") as caught:
            strict.perform(named.model(1).read())
        assert caught.value.response is not None and caught.value.response.body == b"<html>maintenance</html>"
        loopback.answers["/models/1"] = json('{"name":"a"}')
        assert strict.perform(named.model(1).read()).outcome == "self"


@pytest.mark.parametrize("status", [204, 205])
def test_M_table_empty(mapper: routable.Router, status: int) -> None:
    response = mapper.map_response("model", "delete", status)
    assert (response.status, response.outcome, response.body, response.value) == (status, "empty", b"", None)


def test_M_table_404_is_an_error_with_its_body(mapper: routable.Router) -> None:
    with pytest.raises(routable.HTTPStatusError) as caught:
        mapper.map_response("model", "read", 404, JSON, b'{"error":"no"}')
    assert caught.value.response is not None
    assert caught.value.response.json() == {"error": "no"}
    assert caught.value.http_status == 404


def test_M_table_empty_with_200_deviates(mapper: routable.Router) -> None:
    response = mapper.map_response("model", "read", 200)
    assert (response.outcome, response.value) == ("empty", None)
    assert response.deviations == (routable.Deviation("the body is empty, and the description declares a value"),)


def test_M1_exactly_one_outcome(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    """A value or an exception, never both, never neither; and exactly one request is sent for it."""
    for status, fails in (("200 OK", False), ("404 Not Found", True)):
        loopback.answers["/models/1"] = json('{"name":"a"}', status)
        loopback.seen.clear()
        outcomes: List[Any] = []
        try:
            outcomes.append(client.perform(named.model(1).read()))
        except routable.HTTPStatusError as error:
            outcomes.append(error)
        assert len(outcomes) == 1 == len(loopback.seen)
        assert isinstance(outcomes[0], Exception) is fails


@pytest.mark.parametrize("body", [b"a\0b\0", bytes(range(256)), b"\xff\xfe", b"\0", b"x" * 200_000])
def test_M2_raw_is_the_bytes_as_received(
    named: routable.Router, loopback: Loopback, client: routable.Client, body: bytes
) -> None:
    loopback.answers["/models/1"] = whole("200 OK", body)
    response = client.perform(named.model(1).read())
    assert (response.outcome, response.body, response.value) == ("raw", body, body)
    assert named.map_response("model", "read", 200, (), body).body == body


def test_M2_after_content_decoding(named: routable.Router, loopback: Loopback, client: routable.Client) -> None:
    import gzip

    loopback.answers["/models/1"] = whole("200 OK", gzip.compress(b'{"name":"a"}'), "Content-Encoding: gzip")
    response = client.perform(named.model(1).read())
    assert (response.outcome, response.body) == ("self", b'{"name":"a"}')


def test_other_character_encodings_are_not_json(mapper: routable.Router) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-32"):
        body = '{"name":"a"}'.encode(encoding)
        assert mapper.map_response("model", "read", 200, JSON, body).value == body


def test_headers_of_a_mapped_response(mapper: routable.Router) -> None:
    pairs = [("A", "1"), ("a", "2"), ("Content-Type", "application/json")]
    response = mapper.map_response("model", "read", 200, pairs, b'{"name":"a"}')
    assert response.headers.pairs == tuple(pairs)
    assert response.url == ""


@pytest.mark.parametrize("status", [0, -1, 99, 1000, 2**40])
def test_an_invalid_status_is_refused(mapper: routable.Router, status: int) -> None:
    with pytest.raises(routable.ArgumentError):
        mapper.map_response("model", "read", status)


def test_a_body_that_is_not_json_has_a_position(mapper: routable.Router) -> None:
    with pytest.raises(routable.JSONError) as caught:
        mapper.map_response("model", "read", 200, (), '["é",\n"é" x]'.encode()).json()
    assert (caught.value.offset, caught.value.line, caught.value.column) == (12, 2, 6)


def test_mapping_an_unknown_operation_is_refused(mapper: routable.Router) -> None:
    with pytest.raises(routable.UnknownError):
        mapper.map_response("modl", "read", 200)
    with pytest.raises(routable.NotAllowedError):
        mapper.map_response("model", "patch", 200)
    assert mapper.map_response(None, "ping", 200, JSON, b"{}").status == 200


def test_a_typed_error_stays_an_error() -> None:
    """If "4XX" is declared, a 404 is an error, and its body has the declared type."""
    api = routable.open({
        "routable": 1, "base": "https://h", "types": {"Wrong": {"type": "object", "required": ["code"]}},
        "operations": {"find": {"get": "/find", "results": {"4XX": {"$ref": "#/types/Wrong"}}},
                       "any": {"get": "/any", "results": {"default": {"$ref": "#/types/Wrong"}}},
                       "try": {"get": "/try", "results": {"200": True, "404": None}}},
    })
    for operation in ("find", "any"):
        with pytest.raises(routable.HTTPStatusError) as raised:
            api.map_response(None, operation, 404, body=b'{"code":1}')
        assert raised.value.response is not None
        assert (raised.value.response.type, raised.value.response.outcome) == ("Wrong", "self")
        assert api.map_response(None, operation, 200, body=b'{"code":1}').status == 200
    assert api.map_response(None, "try", 404, body=b"{}").status == 404


def test_default_is_for_errors_if_a_success_is_declared() -> None:
    """The same holds in an OpenAPI document.  Without a declared success, or if it is null, `default` declares one."""
    wrong = {"type": "object", "required": ["code"]}
    api = routable.open({
        "routable": 1, "base": "https://h", "types": {"Wrong": wrong, "Box": {"type": "object", "required": ["id"]}},
        "operations": {"read": {"get": "/read", "results": {"200": {"$ref": "#/types/Box"}, "default": {"$ref": "#/types/Wrong"}}},
                       "range": {"get": "/range", "results": {"2XX": {"$ref": "#/types/Box"}, "default": {"$ref": "#/types/Wrong"}}},
                       "null": {"get": "/null", "results": {"200": {"$ref": "#/types/Box"}, "default": None}},
                       "errors": {"get": "/errors", "results": {"404": {"type": "string"}, "default": {"$ref": "#/types/Wrong"}}}}})
    assert api.map_response(None, "read", 200, body=b'{"id":1}').type == "Box"
    for operation, status in (("read", 201), ("read", 302), ("read", 404), ("range", 302), ("range", 500)):
        with pytest.raises(routable.HTTPStatusError) as raised:
            api.map_response(None, operation, status, body=b'{"code":1}')
        assert raised.value.response is not None
        assert (raised.value.response.type, raised.value.response.outcome) == ("Wrong", "self"), (operation, status)
    assert api.map_response(None, "range", 201, body=b'{"id":1}').type == "Box"
    assert api.map_response(None, "null", 500, body=b"{}").outcome == "empty"
    assert api.map_response(None, "errors", 201, body=b'{"code":1}').type == "Wrong"


def test_a_decoder_reads_bodies_once_and_a_refusal_is_the_json_modules(mapper: routable.Router) -> None:
    seen: List[bytes] = []

    def decode(body: bytes) -> Any:
        seen.append(body)
        if body.startswith(b"["):
            raise ValueError("not this one")
        return {"name": "decoded"}

    routable.set_json_decoder(decode)
    try:
        response = mapper.map_response("model", "read", 200, JSON, b'{"name":"a"}')
        assert seen == []  # nothing is decoded before its first use
        assert response.value is response.value
        assert response.value == {"name": "decoded"} and seen == [b'{"name":"a"}']
        assert mapper.map_response("model", "read", 200, JSON, b'[{"name":"a"}]').value == [{"name": "a"}]
        assert mapper.map_response("model", "read", 200, JSON, b"[nothing").value == b"[nothing"
    finally:
        routable.set_json_decoder(None)
    assert mapper.map_response("model", "read", 200, JSON, b'{"name":"a"}').value == {"name": "a"}
    with pytest.raises(TypeError):
        routable.set_json_decoder("msgspec")  # type: ignore[arg-type]
