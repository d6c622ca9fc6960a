"""One hundred secrets in twenty-three places of the exchanges of a client: none is in the file of the tape, and the tape replays all of them.

The list of places is PLACES; each secret is a string that no other exchange has (docs/tape.md, "Secrets")."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple
from urllib.parse import quote, quote_plus

import pytest
import routable
from routable.testing import Tape

PLACES = (
    "a bearer token", "a Basic password", "a key in a header", "a key in the query", "a key in a cookie", "a header of the client",
    "a writeOnly member of a JSON body", "members with the format password, in an array", "a field of a form",
    "a field of a multipart body", "the secret of an OAuth 2 client", "the tokens of a token response", "the body of a refresh operation",
    "the token of a refresh operation", "Set-Cookie", "the query and the fragment of a redirect", "a member of a JSON response",
    "a body of an error that quotes a secret", "a parameter of the path and of the query with the format password",
    "a header, a cookie, a parameter and a member that the user names", "a value that the user names",
    "a path in Location with a parameter that has the format password", "a compressed body of a request",
)


def secret(place: int, number: int, alphabet: str = "") -> str:
    """A secret with letters, digits and characters that URLs, forms and JSON escape."""
    digest = hashlib.sha256(f"{place}:{number}".encode()).hexdigest()
    return f"S{place}x{number}-{digest[:12]}{alphabet}"


class Plant:
    """The secrets, by place, in the order in which they are planted."""

    def __init__(self) -> None:
        self.of_place: Dict[str, List[str]] = {}

    def __call__(self, place: str, alphabet: str = "") -> str:
        assert place in PLACES
        made = self.of_place.setdefault(place, [])
        made.append(secret(PLACES.index(place), len(made), alphabet))
        return made[-1]

    @property
    def all(self) -> List[str]:
        return [each for made in self.of_place.values() for each in made]


PASSWORD = {"type": "string", "format": "password"}
TEXT = {"type": "string"}


def content(schema: object, media: str = "application/json") -> Dict[str, Any]:
    return {"content": {media: {"schema": schema}}}


def operation(name: str, *, security: object = None, parameters: Any = (), body: Any = None, result: Any = None, **more: Any) -> Dict[str, Any]:
    made: Dict[str, Any] = {
        "operationId": name, "security": [{security: []}] if isinstance(security, str) else [], "parameters": list(parameters),
        "responses": {"200": {"description": "", **(content(result) if result else {})}}, **more}
    if body:
        made["requestBody"] = body
    return made


DOCUMENT: Dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "vault", "version": "1"}, "servers": [{"url": "https://api.example.com/v1"}],
    "components": {"securitySchemes": {
        "bearer": {"type": "http", "scheme": "bearer"}, "basic": {"type": "http", "scheme": "basic"},
        "header": {"type": "apiKey", "in": "header", "name": "X-Vault"}, "query": {"type": "apiKey", "in": "query", "name": "vault"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "oauth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://api.example.com/v1/oauth/token", "scopes": {}}}}}},
    "paths": {
        "/bearer": {"get": operation("bearer", security="bearer")}, "/basic": {"get": operation("basic", security="basic")},
        "/header": {"get": operation("header", security="header")}, "/query": {"get": operation("query", security="query")},
        "/cookie": {"get": operation("cookie", security="cookie")}, "/oauth": {"get": operation("oauth", security="oauth")},
        "/users": {"post": operation("create", body={"required": True, **content({"type": "object", "required": ["name", "credential"], "properties": {
            "name": TEXT, "credential": {"type": "string", "writeOnly": True, "minLength": 10},
            "keys": {"type": "array", "items": {"allOf": [PASSWORD]}}}})}, result={"type": "object", "required": ["name", "key"], "properties": {
                "name": TEXT, "key": {"type": "string", "format": "password", "minLength": 10}, "zebra": TEXT}})},
        "/form": {"post": operation("form", body={**content({"type": "object", "properties": {
            "user": TEXT, "pin": PASSWORD}}, "application/x-www-form-urlencoded")})},
        "/upload": {"post": operation("upload", body={**content({"type": "object", "properties": {
            "note": TEXT, "pin": {"type": "string", "writeOnly": True}, "file": {"type": "string", "format": "binary"}}}, "multipart/form-data")})},
        "/invites/{code}": {"get": operation("invite", parameters=[
            {"name": "code", "in": "path", "required": True, "schema": PASSWORD}, {"name": "otp", "in": "query", "schema": PASSWORD},
            {"name": "page", "in": "query", "schema": {"type": "integer"}}])},
        "/download/{number}": {"get": operation("download", parameters=[{"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}])},
        "/fail": {"post": operation("fail", body={**content({"type": "object", "properties": {"credential": {"type": "string", "writeOnly": True}}})})},
        "/named": {"post": operation("named", parameters=[
            {"name": "X-Zebra", "in": "header", "schema": TEXT}, {"name": "zebra", "in": "query", "schema": TEXT}, {"name": "zebra", "in": "cookie", "schema": TEXT}],
            body={**content({"type": "object", "properties": {"zebra": TEXT, "note": TEXT}})})},
    },
}
REFRESHED = {
    "routable": 1, "base": "https://login.example.com",
    "auth": {"session": {"scheme": "bearer", "refresh": "renew", "token": "/renewed", "default": True}},
    "operations": {"work": {"get": "/work"}, "renew": {"post": "/renew", "auth": []}}}


def vault(plant: Plant) -> Callable[[routable.TransportRequest], routable.TransportResponse]:
    """The service, whose responses contain further secrets."""
    Response = routable.TransportResponse

    def answer(request: routable.TransportRequest) -> routable.TransportResponse:
        path = request.url.partition("://")[2].partition("?")[0].partition("/")[2]
        body = request.body or b""
        if path == "v1/oauth/token":
            return Response(200, json={
                "access_token": plant("the tokens of a token response"), "token_type": "bearer", "expires_in": 3600,
                "refresh_token": plant("the tokens of a token response"), "other": plant("the tokens of a token response")})
        if path.startswith("v1/download"):
            signature = plant("the query and the fragment of a redirect", "+/=")
            fragment = plant("the query and the fragment of a redirect")
            return Response(302, headers=[("Location", f"https://files.example.com/f/1?Signature={quote(signature, safe='')}#t={fragment}")])
        if path == "v1/fail":
            # The values of the request in other forms: as text, in JSON with escapes, and percent-encoded.
            quoted = json.loads(body)["credential"]
            return Response(422, headers=[("Content-Type", "application/problem+json"), ("X-Debug", quoted)], body=json.dumps(
                {"title": "no", "detail": f"{quoted} is not good", "instance": f"/fail?{quote(quoted, safe='')}"}).replace("/", "\\/").encode())
        if path == "v1/users":
            place = plant("a path in Location with a parameter that has the format password", " /")
            return Response(200, headers=[("Location", f"/v1/invites/{quote(place, safe='')}?page=1")], json={
                "name": "ann", "key": plant("a member of a JSON response"),
                "zebra": plant("a header, a cookie, a parameter and a member that the user names", " \"é")})
        if path == "renew":
            return Response(200, json={"renewed": plant("the token of a refresh operation"), "more": plant("the token of a refresh operation")})
        if path == "work" and request.headers["Authorization"] == "Bearer old":
            return Response(401)
        return Response(200, headers=[
            ("Set-Cookie", f"a={plant('Set-Cookie')}; Path=/; HttpOnly"), ("Set-Cookie", f"b={plant('Set-Cookie')}; Secure"),
            ("X-Session-Id", plant("Set-Cookie"))], json={"name": path} if path == "work" else None)

    return answer


def run(tape: Tape, second: Tape, plant: Plant, api: routable.Router, login: routable.Router) -> List[Tuple[object, ...]]:
    """Performs all calls; returns their outcomes without secrets."""
    seen: List[Tuple[object, ...]] = []
    number = 0

    def see(client: routable.Client, request: routable.Request) -> None:
        try:
            response = client.perform(request)
        except routable.HTTPStatusError as error:
            assert error.response is not None
            response = error.response
        value = response.value if isinstance(response.value, dict) else {}
        seen.append((response.status, sorted(response.headers), sorted(value), value.get("name"), len(response.deviations)))

    call = api.operations
    for number in range(3):
        key = plant("a key in a cookie")
        with routable.Client(
            api, transport=tape, headers={"X-Client": plant("a header of the client")}, credentials={
                "bearer": plant("a bearer token"), "basic": ("ada", plant("a Basic password", ":é")),
                "header": plant("a key in a header"), "query": plant("a key in the query", "&=+ /"), "cookie": key,
                "oauth": routable.Credential(client_id="me", client_secret=plant("the secret of an OAuth 2 client", "/+"), secret_in_body=number == 1)},
        ) as client:
            for name in ("bearer", "basic", "header", "query", "cookie", "oauth"):
                see(client, getattr(call, name)())
            see(client, call.create({"name": "ann", "credential": plant("a writeOnly member of a JSON body", "\"\\\n"), "keys": [
                plant("members with the format password, in an array") for _ in range(2)]}))
            see(client, call.form({"user": "ann", "pin": plant("a field of a form", " &=é")}))
            see(client, call.upload({"note": "hi", "pin": plant("a field of a multipart body")}, routable.using(files={"file": b"\x00\xff"})))
            see(client, call.invite(code=plant("a parameter of the path and of the query with the format password", " /"),
                                    otp=plant("a parameter of the path and of the query with the format password"), page=number))
            see(client, call.download(number=number))
            see(client, call.fail({"credential": plant("a body of an error that quotes a secret", "/\"é")}))
            packed = gzip.compress(json.dumps({"name": "x", "credential": plant("a compressed body of a request")}).encode(), mtime=0)
            see(client, call.create(packed, routable.using(headers={"Content-Encoding": "gzip", "Content-Type": "application/json"})))
            named = "a header, a cookie, a parameter and a member that the user names"
            using = routable.using(query={"zebra": plant(named)}, headers={"X-Zebra": plant(named)}, cookies={"zebra": plant(named)})
            see(client, call.named({"zebra": plant(named), "note": f"it is {VALUES[number]}"}, using))
        refresh_body = {"pin": plant("the body of a refresh operation"), "grant": "code"}
        with routable.Client(login, transport=second, credentials={"session": routable.Credential("old", refresh_body=refresh_body)}) as client:
            see(client, login.operations.work())
    return seen


VALUES = [secret(PLACES.index("a value that the user names"), number) for number in range(3)]


def test_one_hundred_secrets_in_all_places(tmp_path: Path) -> None:
    path, other = tmp_path / "vault.har", tmp_path / "login.har"
    api, login = routable.open(DOCUMENT), routable.open(REFRESHED)
    plant = Plant()
    service = vault(plant)
    options: Dict[str, Any] = {"redact": ["zebra", "x-zebra"], "secrets": VALUES}

    def performed(mode: str, over: object) -> List[Tuple[object, ...]]:
        made = Plant() if over is None else plant
        # Each description has its own tape.
        with Tape(api, path, mode=mode, over=over, **options) as tape, Tape(login, other, mode=mode, over=over, **options) as second:
            return run(tape, second, made, api, login)

    recorded = performed("record", service)
    planted = plant.all + VALUES
    assert set(plant.of_place) | {"a value that the user names"} == set(PLACES)
    assert len(planted) >= 100 and len(set(planted)) == len(planted)
    text = path.read_bytes() + other.read_bytes()
    leaks = [(each, form) for each in planted for form in forms(each) if form in text]
    assert leaks == []
    # The tape replays all calls, also with other secrets, and the description still allows all of them.
    assert performed("replay", None) == recorded
    assert performed("check", None) == recorded
    assert path.stat().st_mode & 0o777 == 0o600


def forms(planted: str) -> List[bytes]:
    """The forms in which a string can be written."""
    raw = planted.encode()
    found = {raw, quote(planted, safe="").encode(), quote_plus(planted).encode(), json.dumps(planted)[1:-1].encode(),
             json.dumps(planted, ensure_ascii=False)[1:-1].encode(), base64.b64encode(raw), base64.b64encode(b"ada:" + raw),
             planted[: len(planted) // 2 + 4].encode(), planted.rstrip("\"\\\n é&=+/:")[-12:].encode()}
    return [each for each in found if each]


def test_a_value_with_very_many_alternatives_is_secret(tmp_path: Path) -> None:
    """The search of the schemas of one value has a limit, beyond which the value is removed."""
    secret = "zebra-crossing-1999"
    for count in (3, 2000):
        shapes = [{"type": "object", "properties": {f"p{number}": {"type": "string"}}} for number in range(count)]
        shapes[0]["properties"]["pin"] = {"type": "string", "writeOnly": True}
        api = routable.open({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}], "paths": {
            "/a": {"post": {"operationId": "send", "requestBody": {"content": {"application/json": {"schema": {"anyOf": shapes}}}},
                            "responses": {"200": {"description": "d"}}}}}})
        path = tmp_path / f"{count}.har"
        with Tape(api, path, mode="record", over=lambda request: routable.TransportResponse(200)) as tape, \
                routable.Client(transport=tape) as client:
            client.perform(api.operations.send({"pin": secret}))
        assert secret not in path.read_text(), count
