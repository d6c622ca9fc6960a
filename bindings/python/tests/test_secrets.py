"""Secrets in every place that can contain one: none of them is in a message, an event, a log line, a HAR file, a curl line or a repr.

Data is not checked: the URL of a request, which `str` shows, the response of an error, and the targets of redirects in a trace are
strings of the program or of the service.  The beginning of the body in the message of an HTTPStatusError is data, too, except for the
secrets of its request, which many services repeat."""

from __future__ import annotations

import json
import logging
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import pytest
import routable
from routable import Credential, TransportRequest, TransportResponse
from routable.challenges import BearerChallenge
from routable.har import Har

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "base": "https://api.test/v1",
    "auth": {
        "bearer": {"scheme": "bearer"},
        "basic": {"scheme": "basic"},
        "header": {"scheme": "key", "in": "header", "name": "X-Key"},
        "query": {"scheme": "key", "in": "query", "name": "key"},
        "cookie": {"scheme": "key", "in": "cookie", "name": "sid"},
        "oauth": {"scheme": "oauth2", "token_url": "https://login.test/token"},
    },
    "types": {"Login": {"type": "object", "required": ["user"], "properties": {
        "user": {"type": "string"}, "password": {"type": "string", "maxLength": 8}, "pin": {"type": "integer"}}}},
    "operations": {
        **{name: {"get": f"/{name}", "auth": name} for name in ("bearer", "basic", "header", "query", "cookie", "oauth")},
        "open": {"get": "/open", "query": {"key": {}, "count": {"type": "integer"}}, "header": {"X-Key": {}}, "cookie": {"sid": {}}},
        "login": {"post": "/login", "body": {"$ref": "#/types/Login"}, "results": {"200": {"$ref": "#/types/Login"}}},
        "form": {"post": "/form"},
        "list": {"get": "/list", "pagination": {"by": "link"}},
        "next": {"get": "/next", "pagination": {"by": "link", "at": "/next", "items": "/items"}},
    },
}

Answer = Callable[[TransportRequest], TransportResponse]


class Told:
    """All output of the library while a case runs."""

    def __init__(self, path: Path) -> None:
        self.texts: List[str] = []
        self.path = path
        self.har = Har(path, bodies=False)
        self.api = routable.open(DOCUMENT)

    def tell(self, *told: object) -> None:
        self.texts += [each if isinstance(each, str) else repr(each) for each in told]

    def error(self, error: Optional[routable.RoutableError]) -> None:
        while error is not None:
            self.tell(error.message, error, "".join(traceback.format_exception(type(error), error, None)))
            self.tell(*[value for name, value in vars(error).items() if name not in ("response", "next", "_trace")])
            self.tell(str(error))
            error = error.next

    def attempt(self, function: Callable[[], object]) -> None:
        """Calls the function, and records the failure or the result."""
        try:
            made = function()
            self.tell(repr(made))
        except routable.RoutableError as error:
            self.error(error)

    def client(self, answer: Optional[Answer] = None, before: Sequence[Any] = (), **options: Any) -> routable.Client:
        def transport(request: TransportRequest) -> TransportResponse:
            return answer(request) if answer else TransportResponse(200, json={})

        if "unix_socket" not in options and "cookies" not in options:
            options["transport"] = transport
        made = routable.Client(on_event=lambda event: self.tell(repr(event)), middleware=[*before, self.har], deadline=5, **options)
        self.tell(made)
        return made

    def perform(self, request: routable.Request, answer: Optional[Answer] = None, credential: Optional[Dict[str, Any]] = None, **options: Any) -> None:
        """Performs the request, and records all its representations."""
        def run() -> None:
            with self.client(answer, **options) as client:
                for scheme, each in (credential or {}).items():
                    client.set_credential(scheme, each)
                    self.tell(each if isinstance(each, Credential) else "")
                self.tell(request, request.to_curl(), client.to_curl(request))
                response = client.perform(request)
                self.tell(response)

        self.attempt(run)


def answers(status: int = 200, **words: Any) -> Answer:
    return lambda request: TransportResponse(status, **words)


def answers_text(status: int, text: str) -> Answer:
    return answers(status, body=text, headers={"Content-Type": "text/plain"})


def refuses(secret: str) -> Answer:
    """A service that refuses all credentials, and a token endpoint whose refusal contains `secret`."""
    return lambda request: TransportResponse(400 if "token" in request.url else 401, json={"error": "invalid", "error_description": secret},
                                             headers={"WWW-Authenticate": f'Bearer realm="{secret}"'})


def repeats(request: TransportRequest) -> TransportResponse:
    """A service whose error repeats the request."""
    return TransportResponse(500, json={"url": request.url, "headers": dict(request.headers)})


Case = Callable[[str, Told], None]
CASES: Dict[str, Case] = {
    # --- URLs with a user and a password ---
    "base of a document": lambda s, t: t.attempt(lambda: routable.open({**DOCUMENT, "base": f"https://u:{s}@h.test"})),
    "base of open": lambda s, t: t.attempt(lambda: routable.open(DOCUMENT, base=f"https://{s}@h.test/v1")),
    "base of a client": lambda s, t: t.attempt(lambda: t.client(base=f"https://u:{s}@h.test")),
    "base of a call": lambda s, t: t.attempt(lambda: t.api.build(None, "open", routable.using(base=f"http://u:{s}@h.test"))),
    "base with a password and a damaged port": lambda s, t: t.attempt(lambda: routable.open(DOCUMENT, base=f"http://u:{s}@h:port/")),
    "base with a password and a space": lambda s, t: t.attempt(lambda: routable.open(DOCUMENT, base=f"http://u:{s}@h h/")),
    "server of OpenAPI": lambda s, t: t.attempt(lambda: routable.open(
        {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": f"https://u:{s}@h.test"}], "paths": {}})),
    "proxy": lambda s, t: t.attempt(lambda: t.client(proxy=f"http://u:{s}@h:port/")),
    "proxy that nobody serves": lambda s, t: t.attempt(lambda: routable.Client(proxy=f"http://u:{s}@127.0.0.1:1", deadline=5).perform(
        t.api.build(None, "open", routable.using(base="http://127.0.0.1:2")))),
    "token URL": lambda s, t: t.perform(t.api.operations.oauth(), credential={"oauth": Credential(
        client_id="c", client_secret="x", token_url=f"https://u:{s}@login.test/token")}),
    "token URL of a document": lambda s, t: t.attempt(lambda: routable.open(
        {**DOCUMENT, "auth": {"oauth": {"scheme": "oauth2", "token_url": f"https://u:{s}@login.test"}}, "operations": {}})),
    "origin of a credential": lambda s, t: t.perform(t.api.operations.bearer(), credential={"bearer": Credential("x", origin=f"https://u:{s}@h.test")}),
    "Location with a password": lambda s, t: t.perform(t.api.operations.open(), answers(302, headers={"Location": f"https://u:{s}@other.test/"})),
    "Location with a key": lambda s, t: t.perform(t.api.operations.query(), answers(302, headers={"Location": f"https://other.test/?key={s}"}), {"query": "k"}),
    "Location to another scheme": lambda s, t: t.perform(t.api.operations.open(), answers(302, headers={"Location": f"ftp://u:{s}@other.test/"})),
    "Link with a password": lambda s, t: follow(t, t.api.operations.list(), answers(
        json=[1], headers={"Link": f'<https://u:{s}@other.test/>; rel="next"'})),
    "Link to another origin with a key": lambda s, t: follow(t, t.api.operations.list(), answers(
        json=[1], headers={"Link": f'<https://other.test/?key={s}>; rel="next"'})),
    "link in a body": lambda s, t: follow(t, t.api.operations.next(), answers(json={"items": [], "next": f"https://u:{s}@other.test/"})),
    "link in a body that is no URL": lambda s, t: follow(t, t.api.operations.next(), answers(json={"items": [], "next": f"http://u:{s}@[/"})),
    # --- Credentials ---
    "bearer token": lambda s, t: t.perform(t.api.operations.bearer(), answers(500), {"bearer": s}),
    "bearer token that is refused": lambda s, t: t.perform(t.api.operations.bearer(), answers(401), {"bearer": s}),
    "bearer token with a line break": lambda s, t: t.perform(t.api.operations.bearer(), credential={"bearer": f"{s}\n"}),
    "password": lambda s, t: t.perform(t.api.operations.basic(), answers(403), {"basic": ("user", s)}),
    "user with a colon": lambda s, t: t.perform(t.api.operations.basic(), credential={"basic": (f"{s}:x", s)}),
    "password with a line break": lambda s, t: t.perform(t.api.operations.basic(), credential={"basic": ("user", f"{s}\r\n")}),
    "key in a header": lambda s, t: t.perform(t.api.operations.header(), answers(404), {"header": s}),
    "key in a header with a NUL": lambda s, t: t.perform(t.api.operations.header(), credential={"header": f"{s}\0"}),
    "key in a query": lambda s, t: t.perform(t.api.operations.query(), answers(302, headers={"Location": "/v1/query"}), {"query": s}),
    "key in a query, no service": lambda s, t: t.attempt(lambda: routable.Client(deadline=5, credentials={"query": s}).perform(
        t.api.build(None, "query", routable.using(base="http://127.0.0.1:1")))),
    "key in a cookie": lambda s, t: t.perform(t.api.operations.cookie(), answers(500), {"cookie": s}),
    "key in a cookie that adds one": lambda s, t: t.perform(t.api.operations.cookie(), credential={"cookie": f"{s}; admin=1"}),
    "client secret": lambda s, t: t.perform(t.api.operations.oauth(), refuses("x"), {"oauth": Credential(client_id="c", client_secret=s)}),
    "client secret in a body": lambda s, t: t.perform(t.api.operations.oauth(), refuses("x"), {
        "oauth": Credential(client_id="c", client_secret=s, secret_in_body=True)}),
    "refresh token": lambda s, t: t.perform(t.api.operations.oauth(), refuses("x"), {"oauth": Credential(refresh_token=s)}),
    "challenge and refusal of a token": lambda s, t: t.perform(t.api.operations.oauth(), refuses(s), {"oauth": Credential(refresh_token="r")}),
    "new token that is none": lambda s, t: t.perform(t.api.operations.oauth(), lambda request: TransportResponse(
        200, json={"access_token": f"{s}\n"}), {"oauth": Credential(refresh_token="r")}),
    "new token, truncated": lambda s, t: t.perform(t.api.operations.oauth(), lambda request: TransportResponse(
        200, body=f'{{"access_token":"{s}'), {"oauth": Credential(refresh_token="r")}),
    "new token of a function": lambda s, t: t.perform(t.api.operations.bearer(), answers(401), {"bearer": Credential(refresh=lambda old: s)}),
    "header of a signature": lambda s, t: t.perform(t.api.operations.bearer(), answers(500), {
        "bearer": Credential("x", sign=lambda signing: signing.set_header("X-Signature", s))}),
    "refused header of a signature": lambda s, t: t.perform(t.api.operations.bearer(), credential={
        "bearer": Credential("x", sign=lambda signing: signing.set_header("X-Signature", f"{s}\r\nx"))}),
    # --- Secrets that services repeat in their errors ---
    "bearer token, repeated": lambda s, t: t.perform(t.api.operations.bearer(), repeats, {"bearer": s}),
    "token in the beginning of a long body": lambda s, t: t.perform(
        t.api.operations.bearer(), lambda request: TransportResponse(500, body="x" * 190 + s * 300), {"bearer": s}),
    "token at the end of what is searched": lambda s, t: t.perform(
        t.api.operations.bearer(), lambda request: TransportResponse(500, body=" " * (2048 - len(s) + 1) + s), {"bearer": s}),
    "token with a slash, repeated with backslashes": lambda s, t: t.perform(
        t.api.operations.bearer(), lambda request: TransportResponse(500, body=f"[\"a\\/{s}\"]"), {"bearer": f"a/{s}"}),
    "password, repeated": lambda s, t: t.perform(t.api.operations.basic(), answers_text(500, s), {"basic": ("user", s)}),
    "user and password in Base64, repeated": lambda s, t: t.perform(t.api.operations.basic(), repeats, {"basic": ("user", s)}),
    "key in a header, repeated": lambda s, t: t.perform(t.api.operations.header(), repeats, {"header": s}),
    "key in a query, repeated": lambda s, t: t.perform(t.api.operations.query(), repeats, {"query": s}),
    "key in a query, decoded and repeated": lambda s, t: t.perform(t.api.operations.query(), answers_text(500, f"{s} +"), {"query": f"{s} +"}),
    "key in a cookie, repeated": lambda s, t: t.perform(t.api.operations.cookie(), repeats, {"cookie": s}),
    "header of a client, repeated": lambda s, t: t.perform(t.api.operations.open(), repeats, headers={"X-Team-Key": s}),
    "header of an origin, repeated": lambda s, t: t.perform(t.api.operations.open(), repeats, origin_headers={"https://api.test": {"X-Team": s}}),
    "Authorization of a request, repeated": lambda s, t: t.perform(
        header(t.api.operations.open(), "Authorization", f"Bearer {s}"), repeats),
    "Cookie of a request, repeated": lambda s, t: t.perform(header(t.api.operations.open(), "Cookie", f"a=1; sid={s}"), answers_text(404, s)),
    "header of a signature, repeated": lambda s, t: t.perform(t.api.operations.bearer(), repeats, {
        "bearer": Credential("x", sign=lambda signing: signing.set_header("X-Signature", s))}),
    "key in the query of a client, repeated": lambda s, t: t.perform(t.api.operations.open(), repeats, query={"key": s}),
    # --- Headers, queries, cookies ---
    "header of a client": lambda s, t: t.perform(t.api.operations.open(), answers(500), headers={"X-Team-Key": s}),
    "header of a client with a line break": lambda s, t: t.attempt(lambda: t.client(headers={"X-Team-Key": f"{s}\n"})),
    "Authorization of a request": lambda s, t: t.perform(header(t.api.operations.open(), "Authorization", f"Bearer {s}"), answers(500)),
    "header with a line break": lambda s, t: t.attempt(lambda: header(t.api.operations.open(), "Authorization", f"{s}\r\nx: y")),
    "Cookie of a request": lambda s, t: t.perform(header(t.api.operations.open(), "Cookie", f"sid={s}"), answers(500)),
    "key of another scheme in a query": lambda s, t: t.perform(t.api.operations.open(key=s), answers(500)),
    "key of another scheme in a header": lambda s, t: t.perform(t.api.build(None, "open", routable.using(headers={"X-Key": s})), answers(500)),
    "key of another scheme in a cookie": lambda s, t: t.perform(t.api.build(None, "open", routable.using(cookies={"sid": s})), answers(500)),
    "Set-Cookie of an answer": lambda s, t: t.perform(t.api.operations.open(), answers(500, headers={"Set-Cookie": f"sid={s}"})),
    # --- Sessions ---
    "header of an origin": lambda s, t: t.perform(t.api.operations.open(), answers(500), origin_headers={"https://api.test": {"X-Team": s}}),
    "Authorization of an origin": lambda s, t: t.perform(t.api.operations.open(), answers(401), origin_headers={
        "https://api.test": {"Authorization": f"Bearer {s}"}}),
    "header of an origin with a line break": lambda s, t: t.attempt(lambda: t.client(origin_headers={"https://api.test": {"X-Team": f"{s}\n"}})),
    "origin with a password": lambda s, t: t.attempt(lambda: t.client(origin_headers={f"https://u:{s}@api.test": {"X-Team": "x"}})),
    "header of an origin after a redirect": lambda s, t: t.perform(
        t.api.operations.open(), lambda request: TransportResponse(
            302 if "api" in request.url else 500, headers={"Location": "https://cdn.test/"}), origin_headers={"https://cdn.test": {"X-Team": s}}),
    "key in the query of a client": lambda s, t: t.perform(t.api.operations.open(), answers(500), query={"key": s}),
    "query of a client that is not encoded": lambda s, t: t.attempt(lambda: t.client(query=f"key={s} x")),
    "key in the query of a base": lambda s, t: t.perform(t.api.operations.open(), answers(500), base=f"https://api.test/v1?key={s}"),
    "query of a base that is not encoded": lambda s, t: t.attempt(lambda: t.client(base=f"https://api.test/v1?key={s} x")),
    "cookie of a jar": lambda s, t: t.perform(nowhere(t), cookies=jar(t, f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{s}\n")),
    "line of a jar that is no cookie": lambda s, t: t.attempt(lambda: t.client(cookies=jar(t, f"sid={s}\n"))),
    "cookie of a jar with a control byte": lambda s, t: t.attempt(lambda: t.client(cookies=jar(t, f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{s}\x01\n"))),
    "header over a socket that nobody serves": lambda s, t: t.perform(t.api.operations.open(), headers={"X-Team": s}, unix_socket=t.path.parent / "none"),
    "credential over a socket that nobody serves": lambda s, t: t.perform(
        t.api.operations.bearer(), credential={"bearer": s}, unix_socket=t.path.parent / "none"),
    "proxy of the environment": lambda s, t: with_environment("http_proxy", f"http://u:{s}@127.0.0.1:1", lambda: t.attempt(
        lambda: routable.Client(deadline=5).perform(t.api.build(None, "open", routable.using(base="http://192.0.2.1"))))),
    "option of libcurl": lambda s, t: t.attempt(lambda: routable.Client(deadline=5, curl_options={10005: f"u:{s}"}).perform(nowhere(t))),
    "option of libcurl that is none": lambda s, t: t.attempt(lambda: routable.Client(curl_options={19999: s}).perform(nowhere(t))),
    # --- Links, challenges, middleware ---
    "Location that is not followed": lambda s, t: t.perform(t.api.operations.open(), answers(
        302, headers={"Location": f"https://u:{s}@other.test/?key={s}"}), follow_redirects=False),
    "Link of an answer": lambda s, t: t.perform(t.api.operations.open(), answers(headers={"Link": f'<https://other.test/?sig={s}>; rel="next"'})),
    "followed URL with a password": lambda s, t: t.attempt(lambda: t.api.follow(f"https://u:{s}@api.test/v1/open")),
    "followed URL with a key": lambda s, t: t.perform(t.api.follow(f"https://api.test/v1/open?key={s}"), answers(500)),
    "key of a client after a followed URL": lambda s, t: t.perform(
        t.api.follow("https://other.test/x"), answers(500), {"query": s, "header": s}, headers={"X-Team": s}),
    "password of a challenge": lambda s, t: t.perform(t.api.operations.open(), challenges(400, {}), before=[BearerChallenge("user", s)]),
    "password of a challenge of another realm": lambda s, t: t.perform(
        t.api.operations.open(), challenges(200, {}, "https://login.test/token"), before=[BearerChallenge("user", s)]),
    "realm with a password": lambda s, t: t.perform(t.api.operations.open(), challenges(200, {}, f"https://u:{s}@api.test/token"), before=[BearerChallenge()]),
    "token of a challenge": lambda s, t: t.perform(t.api.operations.open(), challenges(200, {"token": s}), before=[BearerChallenge("user", "x")]),
    "token of a challenge with a line break": lambda s, t: t.perform(
        t.api.operations.open(), challenges(200, {"token": f"{s}\n"}), before=[BearerChallenge("user", "x")]),
    "refusal of a challenge": lambda s, t: t.perform(t.api.operations.open(), challenges(401, {"error_description": s}), before=[BearerChallenge("user", "x")]),
    "header of a middleware": lambda s, t: t.perform(t.api.operations.open(), answers(500), before=[adding("Authorization", f"Bearer {s}")]),
    "key of a middleware": lambda s, t: t.perform(t.api.operations.open(), answers(500), before=[adding("X-Key", s)]),
    "header of a middleware with a line break": lambda s, t: t.perform(t.api.operations.open(), before=[adding("Authorization", f"{s}\n")]),
    # --- Bodies and documents: an invalid value is described, not repeated ---
    "body that does not fit": lambda s, t: t.attempt(lambda: t.api.operations.login({"user": "a", "password": s})),
    "number that does not fit": lambda s, t: t.attempt(lambda: t.api.operations.login({"user": "a", "pin": s})),
    "result that does not fit": lambda s, t: t.perform(t.api.operations.login({"user": "a"}), answers(json={"user": "a", "password": s}), deviations="raise"),
    "result that is no JSON": lambda s, t: t.perform(t.api.operations.login({"user": "a"}), answers(
        headers={"Content-Type": "application/json"}, body=f'{{"password": "{s}'), deviations="raise"),
    "document that is no JSON": lambda s, t: t.attempt(lambda: routable.loads(f'{{"routable": 1, "x-password": "{s}')),
    "value of an unknown key": lambda s, t: t.attempt(lambda: routable.open({**DOCUMENT, "password": s})),
    "value of a wrong type": lambda s, t: t.attempt(lambda: routable.open({**DOCUMENT, "deadline": s})),
}


def nowhere(told: Told) -> routable.Request:
    """A request to a port without a server."""
    return told.api.build(None, "open", routable.using(base="http://127.0.0.1:1"))


def jar(told: Told, line: str) -> Path:
    path = told.path.parent / "cookies.txt"
    path.write_text("# Netscape HTTP Cookie File\n" + line)
    return path


def with_environment(name: str, value: str, run: Callable[[], None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(name, value)
        run()


def challenges(status: int, token: Dict[str, Any], realm: str = "https://api.test/v1/token") -> Answer:
    """A service that requires a token of the realm, and refuses that token, too."""
    return lambda request: TransportResponse(status, json=token) if "/token" in request.url else TransportResponse(
        401, headers={"WWW-Authenticate": f'Bearer realm="{realm}",scope="pull"'})


def adding(name: str, value: str) -> Callable[[routable.Request], Iterator[Any]]:
    def middleware(request: routable.Request) -> Any:
        request.set_header(name, value)
        response = yield request
        return response

    return middleware


def header(request: routable.Request, name: str, value: str) -> routable.Request:
    request.set_header(name, value)
    return request


def follow(told: Told, request: routable.Request, answer: Answer) -> None:
    def run() -> None:
        with told.client(answer) as client:
            for page in client.pages(request):
                told.tell(repr(page))

    told.attempt(run)


@pytest.mark.parametrize("place", CASES)
def test_no_output_contains_a_secret(place: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = "Zq7w" + "".join(each for each in place if each.isalnum()) + "4Kx"
    told = Told(tmp_path / "client.har")
    with caplog.at_level(logging.DEBUG):
        CASES[place](secret, told)
    assert told.texts or caplog.records, "expected something to look at"
    told.tell(json.dumps(told.har.to_dict()), *[record.getMessage() for record in caplog.records])
    found = [text for text in told.texts if secret in text or secret in text.replace("%2F", "/")]
    assert not found, f"{place}: expected no secret, got {found[0]}"
