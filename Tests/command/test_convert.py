"""`routable import` and `export`: converted documents build the same requests."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest
import routable
import yaml
from conftest import ROOT, SOCIAL, run



def request(router: Any, operation: str, ids: List[str], **more: Any) -> Optional[Tuple[Any, ...]]:
    """The request as it is sent; None if it is refused."""
    route, _, name = operation.rpartition("#")
    words = (operation,) if operation in router.operations else (route, name)
    try:
        made = router.build(*words, routable.using(ids=tuple(ids), **more))
    except routable.RefusedError:
        return None
    return made.method, made.url, list(made.headers.items()), made.body


def routes(document: Path) -> List[Tuple[str, int]]:
    """The name of each operation in calls, and the number of its ids."""
    found = []
    for row in run("routes", document, "--json").json:
        if "operation" in row:
            # The operations of an OpenAPI document are named by their operationId here, not by the route of their path.
            name = row.get("operation_id") or (f"{row['route']}#{row['operation']}" if "route" in row else row["operation"])
            found.append((name, len(re.findall(r"[:*](?=[A-Za-z_])", re.sub(r"\{.*?\}", "", row["pattern"])))))
    return found


def test_policies_of_a_route_document_are_exported() -> None:
    text = """{"routable": 1, "deadline": 9, "operations": {"a": {"get": "/a", "pagination": {"by": "link"}},
        "b": {"post": "/b", "idempotency": true, "retry": {"times": 2, "delay": 0.5}, "outcome": "any"}}}"""
    ended = run("export", "-", stdin=text)
    assert (ended.status, ended.err) == (0, "")
    keys = {name: {key[11:]: value for key, value in item.items() if key.startswith("x-routable-")}
            for name, item in (("", ended.json), ("a", ended.json["paths"]["/a"]["get"]), ("b", ended.json["paths"]["/b"]["post"]))}
    assert keys == {"": {"deadline": 9}, "a": {"pagination": {"by": "link"}},
                    "b": {"idempotency": True, "retry": {"times": 2, "delay": 0.5}, "outcome": "any"}}


def test_the_exported_example_builds_the_same_requests(tmp_path: Path) -> None:
    file = tmp_path / "openapi.json"
    ended = run("export", SOCIAL)
    assert ended.status == 0
    assert ended.err == "routable: left out: search: the rule that the default of page is sent: in OpenAPI the service assumes the default\n"
    file.write_text(ended.out)
    assert run("check", "--strict", file).status == 0
    known = routes(SOCIAL)
    assert sorted(known) == sorted(routes(file)) and len(known) == 43
    original, exported = routable.open(SOCIAL), routable.open(file)
    refused = 0
    for name, count in known:
        ids = [f"i{number} é" for number in range(count)]
        calls: List[Dict[str, Any]] = [{}, {"body": {"text": "hi"}}, {"body": {"text": 3}}, {"query": {"q": "a b", "page": 2}}]
        for call in calls:
            before, after = request(original, name, ids, **call), request(exported, name, ids, **call)
            assert before == after, (name, call)
            refused += before is None
    assert refused > 43  # invalid bodies, and undeclared query parameters


def test_the_example_builds_the_same_requests_after_export_and_import(tmp_path: Path) -> None:
    assert run("export", SOCIAL, "-o", tmp_path / "openapi.json").status == 0
    assert run("import", "--flat", tmp_path / "openapi.json", "-o", tmp_path / "routes.json").status == 0
    original, imported = routable.open(SOCIAL), routable.open(tmp_path / "routes.json")
    for name, count in routes(SOCIAL):
        ids = [str(number) for number in range(count)]
        calls: List[Dict[str, Any]] = [{}, {"body": {"text": "hi"}}, {"query": {"q": "a", "page": 2}}]
        for call in calls:
            assert request(original, name, ids, **call) == request(imported, name.replace(".", "_"), ids, **call), name


PETS: Dict[str, Any] = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://pets.test/v1"}],
    "paths": {
        "/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "style": "matrix", "schema": {"type": "string"}}],
            "get": {
                "operationId": "pets.read",
                "parameters": [
                    {"name": "deep", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
                    {"name": "tags", "in": "query", "explode": False, "schema": {"type": "array", "items": {"type": "string"}}}],
                "responses": {"200": {"description": "", "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/Pet"}}}}}}}},
    "components": {"schemas": {"Pet": {
        "type": "object", "properties": {
            "age": {"type": "integer", "nullable": True, "minimum": 0, "exclusiveMinimum": True},
            "next": {"$ref": "#/components/schemas/Pet"}}}}}}


def test_parts_that_cannot_be_converted_are_listed() -> None:
    ended = run("import", "--flat", "-", stdin=json.dumps(PETS))
    assert ended.status == 0
    left = [line.removeprefix("routable: left out: ") for line in ended.err.splitlines()]
    assert left == [
        "GET /pets/{id}: the style matrix of id: the value is a string in that style",
        "GET /pets/{id}: the query parameter deep, of style deepObject",
        'GET /pets/{id}: the operationId "pets.read" has a dot: the name is "pets_read"']
    assert json.loads(run("import", "--flat", "-", "--json", stdin=json.dumps(PETS)).err) == {"left_out": left}
    made = ended.json
    assert made["types"]["Pet"]["properties"] == {
        "age": {"type": ["integer", "null"], "exclusiveMinimum": 0}, "next": {"$ref": "#/types/Pet"}}
    assert made["operations"]["pets_read"]["results"]["200"] == {"$ref": "#/types/Pet"}
    assert made["operations"]["pets_read"]["query"]["tags"]["encoding"]["arrays"] == "comma"


def test_yaml_is_the_same_as_json(tmp_path: Path) -> None:
    written = tmp_path / "pets.yaml"
    written.write_text(yaml.safe_dump(PETS, sort_keys=False))
    as_json = run("import", "--flat", "-", stdin=json.dumps(PETS))
    assert run("import", "--flat", written).out == as_json.out
    assert run("import", "--flat", "-", stdin=written.read_text()).out == as_json.out


def test_yaml_of_all_kinds() -> None:
    text = """
openapi: "3.1.0"
x-a: &a {yes: no, octal: 010, hex: 0x1F, real: 1.50, big: 123456789012345678901, null: ~, 200: "200", time: 2001-01-01}
x-b: [*a, {<<: *a, octal: 2}, !!str 7, .5, -0, 1e3, +1, '', |
  line
  ]
paths: {}
"""
    # A block scalar cannot be part of a flow sequence: this is reported as a fault of the text.
    assert run("check", "-", stdin=text).status == 1
    text = text.replace(", |\n  line\n  ]", "]")
    made = json.loads(run("import", "--flat", "-", "--compact", stdin=text).out)
    anchor = {"yes": "no", "octal": 10, "hex": 31, "real": 1.5, "big": 123456789012345678901, "null": None, "200": "200",
              "time": "2001-01-01"}
    assert made["x-a"] == anchor
    assert made["x-b"] == [anchor, {**anchor, "octal": 2}, "7", 0.5, 0, 1000.0, 1, ""]


def test_yaml_aliases_expand_up_to_a_limit() -> None:
    lines = ["openapi: 3.1.0", "x-0: &0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"x-{n}: &{n} [" + ", ".join([f"*{n - 1}"] * 10) + "]" for n in range(1, 12)]
    ended = run("map", "-", stdin="\n".join(lines))
    assert ended.status == 4 and "more than 4000000 values" in ended.err


def test_converting_in_the_wrong_direction_is_refused() -> None:
    assert run("import", SOCIAL).status == 4
    assert run("export", "-", stdin=json.dumps(PETS)).status == 4


@pytest.mark.parametrize("schema, kind", [
    ({"type": "object", "properties": {"title": {"type": "string", "maxLength": 5}}}, "typed"),
    ({"type": "object", "properties": {"title": {"type": "string"}, "photo": {"type": "string", "format": "binary"}}}, "files"),
])
def test_multipart_stays_multipart(schema: Dict[str, Any], kind: str, tmp_path: Path) -> None:
    document = {
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://a.test"}],
        "paths": {"/p": {"post": {"operationId": "add", "responses": {"200": {"description": "ok"}},
                                  "requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}}}}
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    ended = run("import", "--flat", tmp_path / "openapi.json", "-o", tmp_path / "routes.json")
    assert ended.status == 0
    assert ("the type of a multipart body with files" in ended.err) == (kind == "files"), ended.err
    imported = routable.open(tmp_path / "routes.json")
    made = imported.build("add", routable.using(body={"title": "x"}, files={"photo": SOCIAL} if kind == "files" else None))
    assert made.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    if kind == "typed":
        assert b'name="title"\r\n\r\nx\r\n' in made.body
        with pytest.raises(routable.RefusedError):
            imported.build("add", routable.using(body={"title": "too long"}))


# --- Declarations of credentials, of performing and of results, in both directions ---

WEATHER: Dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "Weather", "version": "1"}, "servers": [{"url": "https://w.test"}],
    "security": [{"session": []}],
    "x-routable-retry": {"times": 2},
    "paths": {
        "/report": {"get": {
            "operationId": "report", "security": [{"key": []}, {"session": [], "place": []}],
            "parameters": [{"name": "after", "in": "query", "schema": {"type": "string"}}],
            "x-routable-pagination": {"by": "cursor", "at": "/next", "parameter": "after", "items": "/data"},
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}},
                          "404": {"description": ""},
                          "default": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}}},
        "/latest": {"get": {"operationId": "latest", "responses": {"201": {"description": "", "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Report"}}}}}}},
        "/open": {"get": {"operationId": "open", "security": [], "responses": {"204": {"description": ""}}}},
        "/user": {"get": {"operationId": "user", "security": [{"person": []}], "responses": {"200": {"description": ""}}}},
        "/renew": {"post": {"operationId": "renew", "security": [], "responses": {"200": {"description": ""}}}}},
    "components": {
        "schemas": {"Report": {"type": "object", "required": ["data"], "properties": {"data": {"type": "array", "items": {"type": "integer"}}}}, "Problem": {"type": "object", "required": ["detail"]}},
        "securitySchemes": {
            "session": {"type": "http", "scheme": "bearer", "x-routable-refresh": "renew", "x-routable-token": "/token"},
            "key": {"type": "apiKey", "in": "query", "name": "key"}, "place": {"type": "apiKey", "in": "header", "name": "X-Place"},
            "person": {"type": "http", "scheme": "basic"}}}}


def declared(router: Any) -> Dict[str, Any]:
    """The declarations of operations about credentials, results and performing."""
    found = {}
    for name in router.operations:
        operation = router.operations[name]
        described = operation.description
        found[name] = (described.result_schema(200), described.result_schema(404), described.result_schema(500), described.policy,
                       described.pagination, [each.name for each in described.parameters])
    return found


def refused(router: Any, name: str) -> str:
    """The message of a client without a credential for a call."""
    with routable.Client(transport=lambda request: pytest.fail("it is sent without a credential")) as client:
        with pytest.raises(routable.RoutableError) as error:
            client.perform(router.build(name))
    return str(error.value)


def test_credentials_and_rules_of_openapi_are_imported(tmp_path: Path) -> None:
    ended = run("import", "--flat", "-", "-o", tmp_path / "routes.json", stdin=json.dumps(WEATHER))
    assert (ended.status, ended.err) == (0, "routable: left out: #/info: version\n")
    made = json.loads((tmp_path / "routes.json").read_text())
    assert made["auth"] == {
        "session": {"scheme": "bearer", "refresh": "renew", "token": "/token", "default": True},
        "key": {"scheme": "key", "in": "query", "name": "key"}, "place": {"scheme": "key", "in": "header", "name": "X-Place"},
        "person": {"scheme": "basic"}}
    operations = made["operations"]
    assert operations["report"]["auth"] == ["key", ["session", "place"]]
    assert operations["open"]["auth"] is False and operations["user"]["auth"] == "person" and operations["renew"]["auth"] is False
    # An API key is passed as the credential of its scheme, not as a parameter.
    assert list(operations["report"]["query"]) == ["after"] and "header" not in operations["report"]
    assert made["retry"] == {"times": 2} and operations["report"]["pagination"]["by"] == "cursor"
    # The declared results are kept, including those of errors, and an undeclared status of 2XX is a success of any type.
    assert operations["report"]["results"] == {
        "200": {"$ref": "#/types/Report"}, "2XX": True, "4XX": {"$ref": "#/types/Problem"}, "5XX": {"$ref": "#/types/Problem"}}
    original, imported = routable.loads(json.dumps(WEATHER)), routable.open(tmp_path / "routes.json")
    assert refused(original, "report") == refused(imported, "report")
    assert "session" in refused(imported, "report")


def test_credentials_and_rules_of_a_route_document_are_exported(tmp_path: Path) -> None:
    assert run("import", "--flat", "-", "-o", tmp_path / "routes.json", stdin=json.dumps(WEATHER)).status == 0
    ended = run("export", tmp_path / "routes.json", "-o", tmp_path / "openapi.json")
    assert (ended.status, ended.err) == (0, "")
    made = json.loads((tmp_path / "openapi.json").read_text())
    assert made["components"]["securitySchemes"] == WEATHER["components"]["securitySchemes"]
    assert made["security"] == WEATHER["security"] and made["x-routable-retry"] == {"times": 2}
    report, first = made["paths"]["/report"]["get"], WEATHER["paths"]["/report"]["get"]
    assert report["security"] == first["security"]
    assert report["x-routable-pagination"] == first["x-routable-pagination"]
    imported, exported = routable.open(tmp_path / "routes.json"), routable.open(tmp_path / "openapi.json")
    there, back = declared(imported), declared(exported)
    for name in there:  # in OpenAPI, an API key is also a parameter
        assert there[name][:-1] == back[name][:-1], name


@pytest.mark.parametrize("target", ["python", "c", "swift"])
def test_generate_types_the_same_results_after_an_import(target: str, tmp_path: Path) -> None:
    report = {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}
    document = {**WEATHER, "security": [], "paths": {"/latest": WEATHER["paths"]["/latest"]}, "components": {"schemas": {"Report": report}}}
    (tmp_path / "weather.json").write_text(json.dumps(document))
    assert run("import", "--flat", tmp_path / "weather.json", "-o", tmp_path / "routes.json").status == 0
    before, after = (run("generate", target, tmp_path / name, "--name", "weather") for name in ("weather.json", "routes.json"))
    assert before.status == after.status == 0, after.err
    # Ignore the document, which Swift contains as a literal of several lines, and C and Python as one with escaped quotes.
    literal = r'"""\n.*?\n *"""' if target == "swift" else "$^"
    code = [re.sub(literal, "", ended.out, flags=re.S) for ended in (before, after)]
    # Ignore the walk, which the import leaves out.
    walk = {"c": r"^/\* --- Operations by their resources .*", "swift": r"^    public struct \w+Resource: .*?^    }$"}.get(target, "$^")
    code = [re.sub(walk, "", each, flags=re.S | re.M) for each in code]
    typed = [[line.strip() for line in each.splitlines() if "report" in line.lower() and '\\"' not in line] for each in code]
    assert len(typed[1]) > 1 and typed[0] == typed[1], typed


def test_schemes_that_the_other_format_does_not_have_are_listed() -> None:
    document = {
        **WEATHER, "security": [{"card": []}, {"negotiate": []}], "paths": {"/a": {"get": {"operationId": "a", "responses": {}}}},
        "components": {"securitySchemes": {
            "card": {"type": "mutualTLS"}, "negotiate": {"type": "http", "scheme": "negotiate"},
            "cloud": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://w.test/t", "scopes": {"read": ""}}}}}}}
    ended = run("import", "--flat", "-", stdin=json.dumps(document))
    assert ended.status == 0
    left = [line.removeprefix("routable: left out: #/") for line in ended.err.splitlines()]
    assert left == [
        "components/securitySchemes/card: a TLS certificate is an option of the client: no operation requires it",
        'components/securitySchemes/negotiate: the scheme becomes "custom", for which the program needs a function',
        "components/securitySchemes/cloud: scopes: only the URLs and the credential are used",
        "info: version"]
    made = ended.json
    assert made["operations"]["a"]["auth"] == [[], "negotiate"]
    assert made["auth"]["cloud"] == {"scheme": "oauth2", "token_url": "https://w.test/t"}
    back = run("export", "-", stdin=json.dumps(made))
    assert back.status == 0
    assert back.err.splitlines() == [
        "routable: left out: a: the requirement of negotiate",
        "routable: left out: /auth/negotiate: a custom scheme: OpenAPI cannot describe the function that adds the credential"]
    assert back.json["components"]["securitySchemes"]["cloud"]["flows"]["clientCredentials"]["tokenUrl"] == "https://w.test/t"


def test_dropped_documentation_is_listed() -> None:
    response = {"description": "", "headers": {"X-A": {}}, "links": {"next": {}}, "content": {"text/csv": {}, "application/json": {"schema": {}}}}
    operation = {"operationId": "a", "summary": "A", "description": "Long", "tags": ["t"], "deprecated": True, "responses": {"200": response}}
    document = {
        "openapi": "3.1.0", "info": {"title": "t", "version": "1", "license": {"name": "MIT"}}, "tags": [{"name": "t"}],
        "externalDocs": {"url": "https://d.test"}, "webhooks": {"w": {}},
        "servers": [{"url": "https://{at}.test", "variables": {"at": {"default": "a"}}}, {"url": "https://b.test"}],
        "paths": {"/a": {"description": "Of a", "get": operation}, "/b": {"get": {**operation, "operationId": "b"}}}}
    ended = run("import", "--flat", "-", "--json", stdin=json.dumps(document))
    assert ended.status == 0
    assert json.loads(ended.err)["left_out"] == [
        "#/info: version, license", "#/tags: it describes the document", "#/externalDocs: it describes the document",
        "#/webhooks: it describes calls that the service makes", "#/servers: all but the first",
        "#/servers/0/variables: the base contains their defaults",
        "2 times: other media types of results: only JSON has a type", "1 times: description of a path",
        "2 times: tags of an operation", "2 times: deprecated of an operation",
        "2 times: description of an operation: its summary is kept", "2 times: headers of a response", "2 times: links of a response"]


def test_swagger_is_imported_with_its_types() -> None:
    document = {
        "swagger": "2.0", "info": {"title": "t"}, "host": "a.test", "schemes": ["https"], "consumes": ["application/json"],
        "produces": ["application/json"], "securityDefinitions": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "definitions": {"Pet": {"type": "object", "required": ["name"], "properties": {"friend": {"$ref": "#/definitions/Pet"}}}},
        "paths": {"/pets": {"post": {
            "operationId": "add", "security": [{"key": []}], "parameters": [{"in": "body", "name": "pet", "schema": {"$ref": "#/definitions/Pet"}}],
            "responses": {"200": {"description": "", "schema": {"type": "array", "items": {"$ref": "#/definitions/Pet"}}}}}}}}
    ended = run("import", "--flat", "-", stdin=json.dumps(document))
    assert (ended.status, ended.err) == (0, "")
    made = ended.json
    assert made["types"] == {"Pet": {"type": "object", "required": ["name"], "properties": {"friend": {"$ref": "#/types/Pet"}}}}
    add = made["operations"]["add"]
    assert add["body"] == {"$ref": "#/types/Pet"} and add["auth"] == "key" and "header" not in add
    assert add["results"] == {"200": {"type": "array", "items": {"$ref": "#/types/Pet"}}, "2XX": True}


def test_a_discriminator_is_converted_in_both_directions() -> None:
    document = {
        **WEATHER, "paths": {"/a": {"post": {"operationId": "a", "responses": {}, "requestBody": {"content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Animal"}}}}}}}, "security": [],
        "components": {"schemas": {
            "Cat": {"type": "object", "required": ["lives"]}, "Dog": {"type": "object", "required": ["bark"]},
            "Animal": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": {
                "propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}}}}}}
    ended = run("import", "--flat", "-", stdin=json.dumps(document))
    assert ended.json["types"]["Animal"]["discriminator"]["mapping"] == {"cat": "#/types/Cat", "dog": "Dog"}
    back = run("export", "-", stdin=ended.out)
    assert back.json["components"]["schemas"]["Animal"] == document["components"]["schemas"]["Animal"]
    for text in (ended.out, back.out):
        with pytest.raises(routable.BodyError) as error:
            routable.loads(text).build("a", routable.using(body={"kind": "dog", "lives": 9}))
        assert error.value.parameter == "bark", text


def test_results_of_a_route_document_are_exported() -> None:
    document = {"routable": 1, "base": "https://h", "operations": {"a": {"get": "/a", "results": {
        "200": {"type": "integer"}, "201": None, "404": None, "default": {"type": "string"}}}}}
    ended = run("export", "-", stdin=json.dumps(document))
    assert ended.status == 0
    assert ended.err.splitlines() == [
        "routable: left out: a: the rule that the body of 201 is not decoded",
        "routable: left out: a: the rule that the body of 404 is not decoded", "routable: left out: a: the rule that 404 is a success",
        "routable: left out: 1 times: the rule that an undeclared status from 200 to 299 is an error"]
    responses = ended.json["paths"]["/a"]["get"]["responses"]
    assert set(responses) == {"200", "201", "404", "default"}
    original, exported = routable.loads(json.dumps(document)), routable.loads(ended.out)
    for status in (200, 400, 500):
        assert declaration(original, status) == declaration(exported, status), status


def declaration(router: Any, status: int) -> Tuple[Any, bool]:
    """The schema for a status, and whether it is an error."""
    try:
        router.map_response(None, "a", status, {"Content-Type": "application/json"}, b'"x"')
        is_error = False
    except routable.HTTPStatusError:
        is_error = True
    return router.operations["a"].description.result_schema(status), is_error


@pytest.mark.parametrize("target, typed, wrapped", [
    ("python", "Call[Page]", "Call[List[Page]]"), ("swift", "Endpoint<Api.Page>", "Endpoint<[Api.Page]>"), ("c", "api_page", "api_page_list"),
])
def test_generate_types_a_list_by_its_declared_result(target: str, typed: str, wrapped: str) -> None:
    """Item 6: a list whose declared result is a page returns a page, not a list of pages."""
    document = {
        "routable": 1, "name": "api", "base": "https://h",
        "types": {"Page": {"type": "object", "required": ["next"], "properties": {"next": {"type": "string"}}},
                  "Thing": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
        "resources": {"thing": {"path": "things", "type": "Thing", "can": ["list", "read"], "operations": {"list": {"results": {"200": {"$ref": "#/types/Page"}}}}}}}
    made = run("generate", target, "-", "--name", "api", stdin=json.dumps(document))
    assert made.status == 0, made.err
    assert typed in made.out and wrapped not in made.out, [line for line in made.out.splitlines() if "age" in line]


@pytest.mark.parametrize("required, values", [(["photo"], "Optional[AddBody] = None"), (["photo", "title"], "AddBody")])
def test_generate_lists_a_file_of_a_form_once(required: List[str], values: str) -> None:
    """A required file is an argument, and not a member of the values; the values are required if one of them is."""
    schema = {"type": "object", "required": required, "properties": {
        "photo": {"type": "string", "format": "binary"}, "title": {"type": "string"}}}
    document = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/photos": {"post": {
        "operationId": "add", "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}},
        "responses": {"204": {"description": ""}}}}}}
    made = run("generate", "python", "-", "--name", "api", stdin=json.dumps(document))
    assert made.status == 0, made.err
    assert f"body: {values}," in made.out and "photo: FileLike" in made.out, made.out
    assert "    photo: Any" not in made.out, made.out
    assert run("generate", "python", "-", "--report", "--json", stdin=json.dumps(document)).json["gaps"] == []


def test_the_report_of_a_route_document_has_pointers_into_it(tmp_path: Path) -> None:
    document = {
        "routable": 1, "base": "https://h.example",
        "operations": {
            "list": {"get": "/list", "results": {"200": {"type": "object", "properties": {"all": {"type": "array", "items": {}}}}}},
            "make": {"post": "/make", "body": {"type": "array", "items": {}}, "results": {"2XX": {}}}},
        "resources": {"server": {"path": "servers", "can": ["read"], "collection": {"state": {"get": "/state", "results": {"200": {"type": "object"}}}}}},
    }  # fmt: skip
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document))
    report = run("generate", "c", path, "--report", "--json").json
    pointers = [each["pointer"] for each in report["untyped"] + report["gaps"]]
    assert sorted(pointers) == [
        "/operations/list/results/200/properties/all/items", "/operations/make/body", "/operations/make/body/items",
        "/operations/make/results", "/operations/make/results/2XX", "/resources/server", "/resources/server/collection/state/results",
        "/resources/server/collection/state/results/200",
    ]  # fmt: skip
    for pointer in pointers:
        node: Any = document
        for name in pointer.split("/")[1:]:
            assert name in node, f"{pointer} of {json.dumps(report)}"
            node = node[name]


#: a schema of OpenAPI 3.0, and the schema that `import` writes for it
NULLABLE = [
    ({"nullable": True, "allOf": [{"$ref": "#/components/schemas/B"}]}, {"anyOf": [{"allOf": [{"$ref": "#/types/B"}]}, {"type": "null"}]}),
    ({"nullable": True, "$ref": "#/components/schemas/B"}, {"anyOf": [{"$ref": "#/types/B"}, {"type": "null"}]}),
    ({"nullable": True, "enum": ["a"]}, {"enum": ["a", None]}),
    ({"nullable": True, "type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
    ({"nullable": True, "type": "string"}, {"type": ["string", "null"]}),
    ({"nullable": False, "type": "string"}, {"type": "string"}),
    ({"nullable": True}, {}),
]


@pytest.mark.parametrize("schema, made", NULLABLE, ids=[json.dumps(each[0]) for each in NULLABLE])
def test_import_keeps_what_nullable_allows(schema: object, made: object) -> None:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}
    document = {
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.example"}],
        "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "d", "content": content}}}}},
        "components": {"schemas": {"A": {"properties": {"value": schema}}, "B": {"type": "object"}}}}  # fmt: skip
    types = run("import", "--flat", "-", stdin=json.dumps(document)).json["types"]
    assert types["A"] == {"properties": {"value": made}}
