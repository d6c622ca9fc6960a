"""OpenAPI documents and URI templates from Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, List

import pytest
import routable
from conftest import needs_libyaml

PETS: Dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://{host}/v1", "variables": {"host": {"default": "pets.test"}}}],
    "paths": {
        "/pets": {
            "get": {
                "operationId": "pets.list",
                "parameters": [
                    {"name": "tags", "in": "query", "explode": False, "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "filter", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
                ],
                "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}}},
            },
            "post": {
                "operationId": "createPet",
                "requestBody": {
                    "required": True,
                    "content": {
                        "multipart/form-data": {
                            "schema": {"properties": {"photo": {"type": "string", "format": "binary"}}},
                        },
                        "application/json": {"schema": {"$ref": "other.json#/Pet"}},
                    },
                },
                "responses": {"201": {"description": "made"}},
            },
        },
        "/pets/{id}/{position}": {
            "get": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "position", "in": "path", "required": True, "style": "matrix", "explode": True,
                     "schema": {"type": "object"}},
                ],
                "responses": {},
                "x-team": "animals",
            }
        },
    },
}


@pytest.fixture
def pets() -> routable.Router:
    return routable.open(PETS, documents={"other.json": {"Pet": {"type": "object"}}})


def test_operations_by_operation_id(pets: routable.Router) -> None:
    assert pets.name == "Pets" and pets.base == "https://pets.test/v1"
    assert list(pets.operations) == ["pets.list", "createPet", "GET /pets/{id}/{position}"]
    request = pets.operations["pets.list"](tags=["a,b", "c"], filter={"color": "red", "size": {"min": 2}}, limit=3)
    assert request.url == (
        "https://pets.test/v1/pets?tags=a%2Cb,c&filter%5Bcolor%5D=red&filter%5Bsize%5D%5Bmin%5D=2&limit=3"
    )
    with pytest.raises(routable.ValueRefusedError) as raised:
        pets.build("pets.list", routable.using(query={"limit": 1000}))
    assert raised.value.parameter == "limit"


def test_a_path_is_matched_and_its_values_are_read(pets: routable.Router) -> None:
    name = "GET /pets/{id}/{position}"
    request = pets.build(name, routable.using(ids={"id": 7, "position": {"x": 1, "y": 2}}))
    assert request.url == "https://pets.test/v1/pets/7/;x=1;y=2"
    match = pets.match("/pets/7/;x=1;y=2", "GET")
    assert match is not None and match.operation == name
    assert match.values == {"id": 7, "position": {"x": "1", "y": "2"}}
    assert match.description.user_data["x-team"] == "animals"
    assert pets.read_parameter("pets.list", "tags", "limit=2&tags=a%2Cb,c") == ["a,b", "c"]
    assert pets.read_parameter("pets.list", "limit", "limit=2") == 2
    assert pets.read_parameter("pets.list", "limit", "") is None
    with pytest.raises(routable.ValueRefusedError):
        match = pets.match("/pets/x/;x=1", "GET")
        assert match is not None
        match.values


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("schema, good, bad, reason", [
    ({"type": "integer", "exclusiveMinimum": 4}, ["5"], ["4", "-9"], "at least 5 is expected"),
    ({"type": "number", "exclusiveMaximum": 1.5}, ["1.4999", "-3"], ["1.5", "2"], "less than 1.5 is expected"),
    ({"type": "integer", "multipleOf": 3}, ["0", "-9", "9007199254740993"], ["1", "9007199254740992"], "a multiple of 3 is expected"),
    ({"type": "number", "multipleOf": 0.01}, ["19.99", "0.07", "3"], ["0.005"], "a multiple of 0.01 is expected"),
    ({"const": "only"}, ["only"], ["other"], "one of these is expected: only"),
    ({"type": "string", "pattern": "^[a-f]+$"}, ["abc"], ["abcx"], "a string that matches ^[a-f]+$ is expected"),
    ({"type": "string", "pattern": "b"}, ["abc"], ["ac"], "a string that matches b is expected"),
])
def test_values_of_parameters_are_validated(version: str, schema: Any, good: List[str], bad: List[str], reason: str) -> None:
    if version.startswith("3.0"):
        schema = dict(schema)
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if exclusive in schema:
                schema.update({bound: schema[exclusive], exclusive: True})
        if "const" in schema:
            schema["enum"] = [schema.pop("const")]
    api = routable.loads(json.dumps({
        "openapi": version, "info": {"title": "", "version": ""}, "servers": [{"url": "https://x.org"}],
        "paths": {"/things/{id}": {"get": {
            "operationId": "get", "responses": {},
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": schema},
                {"name": "like", "in": "query", "schema": schema}],
        }}},
    }))
    for value in good:
        assert api.build("get", routable.using(ids=[value], query={"like": value})).url == f"https://x.org/things/{value}?like={value}"
        matched = api.match(f"/things/{value}")
        assert matched is not None and matched.ids == (value,)
    for value in bad:
        for name, ids, query in (("id", [value], {}), ("like", [good[0]], {"like": value})):
            with pytest.raises(routable.ValueRefusedError) as refused:
                api.build("get", routable.using(ids=ids, query=query))
            assert str(refused.value) == f"get: invalid value of {name}: {reason}"
            assert refused.value.parameter == name
        matched = api.match(f"/things/{value}")  # types do not distinguish paths of OpenAPI; they are checked when values are read
        assert matched is not None
        with pytest.raises(routable.ValueRefusedError, match=re.escape(f"invalid value of id: {reason}")):
            matched.values


def test_bodies_are_written_in_their_media_types(pets: routable.Router) -> None:
    operation = pets.operations["createPet"]
    assert operation.description.media_types == ("application/json", "multipart/form-data")
    assert operation({"name": "Rex"}).body == b'{"name":"Rex"}'
    with pytest.raises(routable.BodyError):
        operation()
    with pytest.raises(routable.BodyError) as raised:
        operation({"name": "Rex"}, routable.using(content_type="application/xml"))
    assert raised.value.allowed == ("application/json", "multipart/form-data")
    request = operation({"name": "Rex", "photo": {"base64": "AP8=", "filename": 'a"b.png', "content_type": "image/png"}}, routable.using(content_type="multipart/form-data"))
    boundary = request.headers["Content-Type"].partition("boundary=")[2]
    assert request.body == (
        f'--{boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a%22b.png"\r\n'
        "Content-Type: image/png\r\n\r\n"
    ).encode() + b"\x00\xff\r\n" + f"--{boundary}--\r\n".encode()


def test_operations_describe_their_parameters(pets: routable.Router) -> None:
    description = pets.operations["pets.list"].description
    assert [(each.name, each.type, each.style) for each in description.parameters] == [
        ("tags", "array", "form"), ("filter", "object", "deepObject"), ("limit", "integer", "form"),
    ]
    assert description.source == PETS["paths"]["/pets"]["get"]
    assert pets.document == PETS


@pytest.mark.parametrize("version, url, warnings", [
    ("3.0.3", "http://h.test/a%2Bb", 1), ("3.1.0", "http://h.test/a%2Bb", 1), ("3.2.0", "http://h.test/a+b", 0)])
def test_allow_reserved_in_a_path_is_of_3_2(version: str, url: str, warnings: int) -> None:
    parameter = {"name": "p", "in": "path", "required": True, "allowReserved": True, "schema": {"type": "string"}}
    router = routable.open({"openapi": version, "servers": [{"url": "http://h.test"}],
                            "paths": {"/{p}": {"get": {"operationId": "a", "parameters": [parameter], "responses": {}}}}})
    assert router.build("a", routable.using(ids=["a+b"])).url == url
    assert len(router.warnings) == warnings and all("allowReserved" in each for each in router.warnings)


def test_an_unknown_operation_without_resources_is_explained_without_routes(pets: routable.Router) -> None:
    with pytest.raises(routable.UnknownError) as raised:
        pets.build("create")
    assert raised.value.message.startswith('no standalone operation "create"') and "createPet" in raised.value.allowed


def test_errors_have_a_pointer_into_the_document() -> None:
    with pytest.raises(routable.UnsupportedError, match="Swagger 2.0"):
        routable.loads('{"swagger": "1.2"}')
    with pytest.raises(routable.DocumentError) as raised:
        routable.loads('{"openapi": "3.1.0",\n "paths": {"/a": {"get": []}}}')
    assert (raised.value.pointer, raised.value.line, raised.value.column) == ("/paths/~1a/get", 2, 26)
    router = routable.open({**PETS, "servers": [{"url": "/v2"}]})
    # A path is enough to match and to write links.
    assert router.base == "/v2" and "has no host" in router.warnings[0]
    assert router.match("/v2/pets", "GET", whole_path=True) is not None
    assert routable.open({**PETS, "servers": [{"url": "v2"}]}).base == ""
    assert routable.open({**PETS, "servers": [{"url": "/v2"}]}, uri="http://h.test/api/doc.json").base == "http://h.test/v2"


def test_unusual_numbers_and_strings_open() -> None:
    text = (
        '{"openapi": "3.0.0", "paths": {}, "info": {"title": "a\\ud800b"}, "x-a": [1e400, 123456789012345678901234567890,'
        ' 100.10, "\\u0000"], "components": {"schemas": {"A\\u0000": {"maximum": 18446744073709551615}}}}'
    )
    router = routable.loads(text)
    assert router.name == "a\ufffdb"
    assert json.dumps(router.types["A\0"]) == '{"maximum": 18446744073709551615}'


@needs_libyaml
def test_yaml_documents_open(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(
        "openapi: 3.0.3\ninfo: {title: No, version: 2020-01-01}\nservers: [{url: 'http://h.test'}]\n"
        "paths:\n  /a:\n    get:\n      operationId: on\n      responses:\n        200: {description: ok}\n"
    )
    router = routable.open(path)
    assert router.name == "No" and router.build("on").url == "http://h.test/a"
    assert router.document["info"]["version"] == "2020-01-01"
    path.write_text("openapi: 3.0.3\npaths: {}\nx-a: &a [1]\n" + "".join(
        f"x-{chr(98 + index)}: &{chr(98 + index)} [{', '.join(['*' + chr(97 + index)] * 9)}]\n" for index in range(20)
    ))
    with pytest.raises(routable.RoutableError):
        routable.open(path, max_document_bytes=100000)
    path.write_text("openapi: [")
    with pytest.raises(routable.RoutableError) as raised:
        routable.open(path)
    assert raised.value.line


def rows() -> "list[tuple[str, str, str, str]]":
    text = (Path(__file__).resolve().parents[3] / "docs" / "openapi.md").read_text(encoding="utf-8")
    section = text.split("\n## Styles\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    cells = [[each.strip() for each in line.strip("|").split(" | ")] for line in lines]
    return [(style, place, array, thing) for style, place, array, thing in cells]


def test_the_page_has_every_style_in_every_place() -> None:
    found = {(style.split("`")[1], place) for style, place, _, _ in rows()}
    assert found >= {
        ("simple", "path"), ("label", "path"), ("matrix", "path"), ("form", "query"), ("spaceDelimited", "query"),
        ("pipeDelimited", "query"), ("deepObject", "query"), ("content", "query"),
    }


@pytest.mark.parametrize(("style", "place", "array", "thing"), rows())
def test_a_row_of_the_page(style: str, place: str, array: str, thing: str) -> None:
    word = style.split("`")[1]
    parameter: Dict[str, Any] = {"name": "x", "in": place, "required": True}
    if word == "content":
        parameter["content"] = {"application/json": {}}
    else:
        parameter["style"] = word
        if word != "deepObject":
            parameter["explode"] = style.endswith("explode")
    path = "/{x}" if place == "path" else "/"
    operation = {"operationId": "op", "parameters": [parameter]}
    api = routable.open({"openapi": "3.1.0", "servers": [{"url": "http://h"}], "paths": {path: {"get": operation}}})
    values: Any = (["a", "b,c"], {"k": "v", "l": 1})
    for wanted, value in zip((array, thing), values):
        if wanted == "rejected":
            with pytest.raises(routable.ValueRefusedError):
                api.operations["op"](x=value)
        else:
            assert api.operations["op"](x=value).url.split("http://h/")[1].lstrip("?") == wanted.strip("`")


def test_uri_templates_are_expanded() -> None:
    assert routable.expand("/search{?q,list*}", q="a b", list=["x", "y"]) == "/search?q=a%20b&list=x&list=y"
    assert routable.expand("{+path}/here{#x:2}", {"path": "/foo/bar", "x": "abc"}) == "/foo/bar/here#ab"
    with pytest.raises(routable.DocumentError) as raised:
        routable.expand("/a{!x}")
    assert raised.value.offset == 3


@pytest.mark.parametrize("type_, value", [("array", []), ("object", {})])
@pytest.mark.parametrize("location", ["query", "header", "cookie"])
@pytest.mark.parametrize("required", [True, False])
def test_an_empty_array_or_object_is_not_a_required_query_parameter_or_cookie(
    location: str, required: bool, type_: str, value: Any
) -> None:
    parameter = {"name": "X-Tags", "in": location, "required": required, "schema": {"type": type_}}
    document = {
        "openapi": "3.1.0", "info": {"title": "Tags", "version": "1"}, "servers": [{"url": "https://tags.test"}],
        "paths": {"/tags": {"get": {"operationId": "tags", "parameters": [parameter], "responses": {}}}},
    }  # fmt: skip
    tags = routable.open(document).operations["tags"]
    if location == "header":
        # An empty header is read as an empty array or object, so that an array of one empty string is refused.
        assert tags(**{"X-Tags": value}).headers["X-Tags"] == ""
        if type_ == "array":
            with pytest.raises(routable.ValueRefusedError, match="only an empty string"):
                tags(**{"X-Tags": [""]})
            assert tags(**{"X-Tags": ["", ""]}).headers["X-Tags"] == ","
    elif required:
        with pytest.raises(routable.ParameterError, match='X-Tags"? is required') as caught:
            tags(**{"X-Tags": value})
        assert caught.value.parameter == "X-Tags"
    else:
        request = tags(**{"X-Tags": value})
        assert request.url == "https://tags.test/tags" and "Cookie" not in request.headers


def test_a_header_is_given_once() -> None:
    cookie = {"name": "sid", "in": "cookie", "schema": {"type": "string"}}
    tags = routable.open({
        "openapi": "3.1.0", "info": {"title": "Tags", "version": "1"}, "servers": [{"url": "https://tags.test"}],
        "paths": {"/tags": {"get": {"operationId": "tags", "parameters": [cookie], "responses": {}}}},
    }).operations["tags"]  # fmt: skip
    assert tags(routable.using(headers={"Cookie": "a=1"})).headers["Cookie"] == "a=1"
    assert tags(routable.using(cookies={"sid": "7"})).headers["Cookie"] == "sid=7"
    assert tags(routable.using(headers={"cookie": "a=1"}, cookies={"sid": "7"})).headers["Cookie"] == "a=1; sid=7"
    # Otherwise one of the two values would be dropped.
    with pytest.raises(routable.ParameterError, match="header x-a is given twice"):
        tags(routable.using(headers={"X-A": "1", "x-a": "2"}))


def test_surplus_alternatives_of_security_are_reported() -> None:
    def opened(count: int) -> routable.Router:
        names = [f"k{number}" for number in range(count)]
        return routable.open({
            "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
            "components": {"securitySchemes": {each: {"type": "http", "scheme": "bearer"} for each in names}},
            "paths": {"/a": {"get": {"operationId": "a", "security": [{each: []} for each in names], "responses": {"200": {"description": "d"}}}}}})

    assert not opened(64).warnings
    assert [each for each in opened(65).warnings if 'only the first 64 alternatives of "security"' in each]
