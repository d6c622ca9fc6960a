"""Requests of a service with their responses, which are the same in each language, in Tests/golden/service.json.

`python service_cases.py` writes the file again, with the responses of Python.  test_service_cases.py and ServiceCasesTests.swift
respond to the same requests with equivalent handlers.
"""

from __future__ import annotations

import base64
import json
import logging
import random
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import routable

FILE = Path(__file__).resolve().parents[3] / "Tests/golden/service.json"
COUNT = 500
#: The limit of bodies.  The test in Swift sets the same.
MAXIMUM = 2000

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "name": "board",
    "base": "https://board.example/v1",
    "auth": {"session": {"scheme": "bearer"}},
    "types": {
        "User": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}}},
        "Note": {
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": {"type": "string", "minLength": 1, "maxLength": 20},
                "stars": {"type": "integer", "minimum": 0, "maximum": 5},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            },
        },
    },
    "resources": {
        "user": {"path": "users", "id": "name", "type": "User", "can": ["list", "read", "update"], "has": ["note"]},
        "note": {"path": "notes", "id": {"name": "number", "type": "integer", "minimum": 1}, "nested": True, "type": "Note",
                 "can": ["list", "read", "create", "update", "delete"]},
    },
    "operations": {
        "search": {"get": "/search", "query": {
            "q": {"type": "string", "required": True}, "limit": {"type": "integer", "default": 10, "maximum": 50}}},
        "secret": {"get": "/secret", "auth": "session"},
        "broken": {"get": "/broken", "query": {"mode": {"type": "string"}}, "results": {"200": {"type": "object", "required": ["a"]}}},
        "missing": {"get": "/missing"},
    },
}


def note(user: str, number: int) -> Dict[str, Any]:
    return {"text": f"note {number}", "stars": number % 6, "tags": [user]}


def kept(body: Dict[str, Any], names: List[str]) -> Dict[str, Any]:
    """The members that the models of Swift have; the others are dropped."""
    return {name: int(value) if isinstance(value, float) else value for name, value in body.items() if name in names}


def make() -> routable.Service:
    service = routable.Service(routable.open(DOCUMENT), max_body=MAXIMUM)
    ages = {"ann": 30, "bob": 40}

    def user(name: str) -> Dict[str, Any]:
        if name not in ages:
            raise routable.Refusal(404, "there is no such user")
        return {"name": name, "age": ages[name]}

    @service.handle("user.list")
    def users(received: Any) -> Any:
        return [user(name) for name in ages]

    @service.handle("user.read")
    def read_user(received: Any, name: str) -> Any:
        return routable.Reply(value=user(name), etag=f'"{ages.get(name)}"')

    @service.handle("user.update")
    def update_user(received: Any, name: str) -> Any:
        if received.body["name"] != name:
            raise routable.Refusal(409, f"the name of the user is {name}")
        return kept(received.body, ["name", "age"])

    @service.handle("user.note.list")
    def notes(received: Any, user_id: str) -> Any:
        return [note(user_id, number) for number in (1, 2, 3)]

    @service.handle("user.note.read")
    def read(received: Any, user_id: str, number: int) -> Any:
        if number >= 100:
            raise routable.Refusal(404, "there is no such note")
        return routable.Reply(value=note(user_id, number), etag=f'W/"{number}"' if number % 2 else f'"{number}"')

    @service.handle("user.note.create")
    def create(received: Any, user_id: str) -> Any:
        if user_id == "eve":
            raise routable.Refusal(403, "eve writes no notes", {"X-Reason": "eve"})
        return routable.Reply(201, kept(received.body, ["text", "stars", "tags"]), location=("user.note.read", [user_id, 100]))

    @service.handle("user.note.update")
    def update(received: Any, user_id: str, number: int) -> Any:
        return kept(received.body, ["text", "stars", "tags"])

    @service.handle("user.note.delete")
    def delete(received: Any, number: int) -> None:
        if number >= 100:
            raise routable.Refusal(404)

    @service.handle("search")
    def search(received: Any, q: str, limit: int) -> Any:
        return {"q": q, "limit": limit}

    @service.handle("secret")
    def secret(received: Any, identity: str) -> Any:
        return {"identity": identity}

    @service.handle("broken")
    def broken(received: Any, mode: Optional[str]) -> Any:
        if mode == "raise":
            raise RuntimeError("a secret text")
        if mode == "text":
            return routable.Reply(value="text", content_type="text/plain")
        return {"status": (201, {"a": 1}), "error": (418, {"a": 1}), "value": {"b": 1}, "header": routable.Reply(value={"a": 1}, headers={"a b": "c"})}.get(
            mode or "", {"a": 1})

    @service.credential("session")
    def session(token: str) -> Optional[str]:
        return {"good": "ann"}.get(token)

    return service


# --- Requests ---

USERS = ["ann", "bob", "eve", "a%2Fb", "%C3%A9", "a%20b", "%zz", "", "..", "x" * 300, "%FF", "a+b"]
NUMBERS = ["1", "2", "3", "42", "99", "100", "0", "-1", "x", "1.0", "007", "9223372036854775807", "+1", "%31", ""]
BODIES: List[Any] = [
    {"text": "hi"}, {"text": "hi", "stars": 4}, {"text": "\u00e9\U0001f600", "tags": ["a", "b"]}, {"text": ""}, {"text": "x" * 21}, {"stars": 1}, {},
    {"text": 1}, {"text": "a", "stars": 9}, {"text": "a", "stars": "1"}, {"text": "a", "stars": 4.0}, {"text": "a", "stars": 1.5}, {"text": None},
    {"text": "a", "tags": ["a", 1]}, {"text": "a", "tags": ["a", "b", "c", "d"]}, {"text": "", "stars": -1, "tags": 3}, {"text": "a", "more": {"b": [1]}},
    [], "text", 3, None, {"name": "ann"}, {"name": "bob", "age": 3}, {"name": "ann", "age": -1}, {"name": 7},
]
RAW = [b"", b"{", b"{}}", b'{"text": "a", "text": "b"}', b"text=hi&stars=3", b'\xff', b'"\xff"', b'{"text": "' + b"x" * 2100 + b'"}', b" [1, ] ", b"NaN",
       b"\xef\xbb\xbf{\"text\": \"a\"}", b'{"text": "\\ud800"}']
TYPES = [*["application/json"] * 8, "application/json; charset=utf-8", "APPLICATION/JSON", "text/plain", "application/x-www-form-urlencoded",
         "multipart/form-data; boundary=x", "nonsense", "application/problem+json", None]
ACCEPTS = ["*/*", "application/json", "text/html", "text/html, application/*;q=0.5", "application/json;q=0, */*", "application/json;q=0", "*/*;q=0", "",
           "application/*", "text/*", "application/json;charset=utf-8", "nonsense", ",,,", "application/json;q=2"]
TAGS = ['"1"', '"2"', 'W/"2"', '"30"', 'W/"30"', "*", '"x", "42"', "nonsense", '"40"']
TOKENS = ["Bearer good", "Bearer bad", "bearer good", "Basic Z29vZA==", "Bearer", "Bearer  good", "good"]
QUERIES = ["q=a", "q=a%20b&limit=5", "q=a+b", "q=%C3%A9", "limit=5", "q=a&limit=51", "q=a&limit=x", "limit=x", "", "q=", "q=a&q=b", "q=a&other=1",
           "q=a&limit=", "q=%FF", "Q=a", "q=a&limit=50&limit=2", "q"]
MODES = ["", "mode=raise", "mode=status", "mode=error", "mode=value", "mode=text", "mode=header", "mode=other"]
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "get", "SEARCH", "G T"]


def requests() -> List[Dict[str, Any]]:
    """The generated requests, from a fixed seed."""
    chance = random.Random(42)

    def one() -> Tuple[str, str, Dict[str, str], bytes]:
        kind = chance.randrange(9)
        headers: Dict[str, str] = {}
        body = b""
        user, number = chance.choice(USERS[: chance.choice([3, 5, 12])]), chance.choice(NUMBERS[: chance.choice([2, 5, 15])])
        if kind == 0:
            method, path = "GET", chance.choice(["/v1/users", f"/v1/users/{user}"])
        elif kind == 1:
            method, path = "GET", f"/v1/users/{user}/notes" + chance.choice(["", f"/{number}", f"/{number}"])
        elif kind in (2, 3):
            method, path = "POST", f"/v1/users/{user}/notes"
        elif kind == 4:
            method, path = "PUT", chance.choice([f"/v1/users/{user}", f"/v1/users/{user}/notes/{number}"])
        elif kind == 5:
            method, path = "DELETE", f"/v1/users/{user}/notes/{number}"
        elif kind == 6:
            query = chance.choice(QUERIES)
            method, path = "GET", "/v1/search" + ("?" + query if query else "")
        elif kind == 7:
            query = chance.choice(MODES)
            method, path = "GET", chance.choice(["/v1/secret", "/v1/missing", "/v1/broken" + ("?" + query if query else "")])
            if chance.random() < 0.6:
                headers["Authorization"] = chance.choice(TOKENS)
        else:
            method = chance.choice(METHODS)
            path = chance.choice(["/v1/users", "/v1/users/ann/notes/1", "/v1/users/ann/", "/v2/users", "/", "/v1", "/v1/nothing", "/v1//users", "/v1/search?q=a",
                                  "/users", "/v1/users/ann/notes/1/", "/v1/users/./notes", "/v1/secret", "*", "users", "/v1/users#a", "/v1/a b",
                                  "https://elsewhere.example/v1/users/ann", "/v1/%75sers/ann"])
        if method in ("POST", "PUT"):
            value = chance.choice(BODIES[: chance.choice([3, len(BODIES)])])
            body = chance.choice(RAW) if chance.random() < 0.2 else json.dumps(value, ensure_ascii=chance.random() < 0.5).encode()
            kind_of_body = chance.choice(TYPES[: chance.choice([8, len(TYPES)])])
            if kind_of_body is not None:
                headers["Content-Type"] = kind_of_body
            if chance.random() < 0.05:
                headers["Content-Encoding"] = chance.choice(["gzip", "identity"])
        if method == "GET" and chance.random() < 0.15:
            method = chance.choice(["HEAD", "OPTIONS"])
        if chance.random() < 0.25:
            headers["Accept"] = chance.choice(ACCEPTS)
        if chance.random() < (0.4 if kind == 1 else 0.1):
            headers[chance.choice(["If-None-Match", "If-Match"])] = chance.choice(TAGS[: chance.choice([3, len(TAGS)])])
        if chance.random() < 0.03:
            headers["X-Bad"] = "a\x00b"
        return method, path, headers, body

    found: List[Dict[str, Any]] = []
    seen = set()
    while len(found) < COUNT:
        method, target, headers, body = one()
        key = (method, target, tuple(headers.items()), body)
        if key in seen:
            continue
        seen.add(key)
        # In lower case, as in ASGI.
        request: Dict[str, Any] = {"method": method, "target": target, "headers": {name.lower(): value for name, value in headers.items()}}
        if body:
            request.update(packed(body))
        found.append(request)
    return found


# --- Responses ---

def packed(body: bytes) -> Dict[str, str]:
    try:
        return {"body": body.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def unpacked(request: Dict[str, Any]) -> bytes:
    return base64.b64decode(request["base64"]) if "base64" in request else str(request.get("body", "")).encode()


def asked(service: routable.Service, request: Dict[str, Any], run: Callable[[Any], Any]) -> Dict[str, Any]:
    """The response of the ASGI application in the form of the file: the names of headers in lower case."""
    body, sent = unpacked(request), []  # type: bytes, List[Any]
    path, _, query = request["target"].partition("?")
    scope = {"type": "http", "method": request["method"], "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
             "headers": [(name.encode(), value.encode("latin-1")) for name, value in request["headers"].items()]}

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    run(service.asgi(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    content = b"".join(message.get("body", b"") for message in sent[1:])
    length = headers.pop("content-length", None)
    if request["method"] != "HEAD":
        assert length is None or int(length) == len(content), (request, headers, content)
    # White space and the order of members of JSON depend on the language.
    if headers.get("content-type") == "application/json" and content:
        content = json.dumps(json.loads(content), sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    return {"status": sent[0]["status"], "headers": dict(sorted(headers.items())), "body": content.decode()}


def recorded() -> Dict[str, Any]:
    found: Dict[str, Any] = json.loads(FILE.read_text())
    return found


def main() -> None:
    import asyncio

    logging.getLogger("routable.service").disabled = True
    service = make()
    lines = [json.dumps({**request, "response": asked(service, request, asyncio.run)}, ensure_ascii=False) for request in requests()]
    FILE.write_text('{"document": ' + json.dumps(DOCUMENT) + ',\n"maximum": ' + str(MAXIMUM) + ',\n"cases": [\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    main()
