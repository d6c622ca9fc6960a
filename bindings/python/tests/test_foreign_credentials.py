"""A credential belongs to one description and its origins: three descriptions, three services and equal names of schemes, with
redirects, links, pages, challenges, refreshes, middleware and bases between them (A9)."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from itertools import product
from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest
import routable
from conftest import ROOT
from routable.challenges import BearerChallenge

NUMBERS = range(3)
SCHEMES = ("session", "key", "query", "cookie", "login", "signed", "service")


class Services:
    """The services of Tests/service/origins_service.py."""

    def __init__(self, first: str) -> None:
        self.first = first
        self.hosts: List[str] = self.get("hosts")
        self.apis = [routable.loads(json.dumps(self.get(f"description/{number}"))) for number in NUMBERS]

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.first}/{path}") as response:
            return json.load(response)


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    command = [sys.executable, str(ROOT / "Tests" / "service" / "origins_service.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        yield Services(f"http://127.0.0.1:{int(process.stdout.readline())}")
        process.stdin.close()


class Count:
    """The results of the requests: the number of responses, and that of refusals by status."""

    def __init__(self, services: Services) -> None:
        self.services, self.before = services, services.get("verdict")
        self.combinations = self.answered = 0
        self.refused: Dict[str, int] = {}

    def attempt(self, call: Callable[[], Any]) -> None:
        self.combinations += 1
        try:
            call()
            self.answered += 1
        except routable.RoutableError as error:
            assert "SECRET" not in str(error), error
            self.refused[error.status] = self.refused.get(error.status, 0) + 1

    def check(self, combinations: int) -> Dict[str, int]:
        """Checks that no secret leaked, that all combinations ran, and that secrets were sent to their own services."""
        now = self.services.get("verdict")
        leaks = now["found"][len(self.before["found"]):]
        assert leaks == [] and now["leaks"] == self.before["leaks"]
        assert self.combinations == combinations, self.__dict__
        assert self.answered and now["own"] > self.before["own"], (self.answered, self.refused, now)
        return self.refused


def sign(number: int) -> Callable[[routable.credential.Signing], None]:
    return lambda signing: signing.set_header("X-Signature", f"SECRET-{number}-signature")


def credentials(number: int) -> Dict[str, Any]:
    secret = f"SECRET-{number}"
    return {
        "session": f"{secret}-token", "key": f"{secret}-key", "query": f"{secret}-query", "cookie": f"{secret}-cookie",
        "login": (f"{secret}-user", f"{secret}-password"), "signed": routable.Credential(sign=sign(number)),
        "service": routable.Credential(client_id=f"{secret}-id", client_secret=f"{secret}-secret", refresh_token=f"{secret}-again"),
    }


def named_client(services: Services, number: int, **options: Any) -> routable.Client:
    return routable.Client(services.apis[number], credentials=credentials(number), **options)


def unnamed_client(services: Services, number: int) -> routable.Client:
    client = routable.Client(credentials=credentials(number))
    client.perform(services.apis[number].public())
    return client


def client_of_another(services: Services, number: int) -> routable.Client:
    """A client for another description, which has no credential; the credentials name their own description."""
    client = routable.Client(services.apis[(number + 1) % 3])
    for scheme, each in credentials(number).items():
        client.set_credential(scheme, each, router=services.apis[number])
    return client


def client_with_headers(services: Services, number: int) -> routable.Client:
    secret = f"SECRET-{number}"
    return routable.Client(
        services.apis[number], headers={"Authorization": f"Bearer {secret}-header", "X-Key": secret, "X-Team": secret},
        query={"key": f"{secret}-query"})


def client_that_refreshes(services: Services, number: int) -> routable.Client:
    secret = f"SECRET-{number}"
    client = routable.Client(services.apis[number])
    client.set_credential("session", routable.Credential(f"{secret}-old", refresh_body={"password": f"{secret}-password"}))
    client.set_credential("service", credentials(number)["service"])
    return client


CLIENTS = [named_client, unnamed_client, client_of_another, client_with_headers, client_that_refreshes]


@pytest.mark.parametrize("made", CLIENTS, ids=lambda each: each.__name__)
def test_no_request_of_another_description_or_host_gets_a_credential(
    services: Services, made: Callable[[Services, int], routable.Client]
) -> None:
    """A9: every client x description x host of a redirect, a link or a page x description of that path."""
    count, apis = Count(services), services.apis
    for own in NUMBERS:
        with made(services, own) as client:
            for asked in NUMBERS:
                for operation in (*SCHEMES, "optional", "public"):
                    count.attempt(lambda: client.perform(apis[asked].operations[operation]()))
            for asked, host, other in product(NUMBERS, NUMBERS, NUMBERS):
                place = {"host": host, "other": other}
                for operation in ("to", "keyed", "links", "refused"):
                    count.attempt(lambda: client.perform(apis[asked].operations[operation](**place)))
                count.attempt(lambda: list(client.pages(apis[asked].pages(**place), other_origins=True)))
            for asked, host, other in product(NUMBERS, NUMBERS, NUMBERS):
                for source in ({"rel": "next"}, {"pointer": "/next"}, {}):
                    found = client.perform(apis[own].links(host=host, other=other), auth={"session": f"SECRET-{own}-links"})
                    count.attempt(lambda: client.perform(apis[asked].follow(found, **source)))
    refused = count.check(3 * (3 * 9 + 27 * 5 + 27 * 3))
    assert refused.get("credential", 0) >= 3 * 2 * 3, refused


def test_a_request_of_another_description_is_refused_by_name_or_sent_without(services: Services) -> None:
    mine, theirs, _ = services.apis
    with routable.Client(mine, credentials={"session": "SECRET-0-token"}) as client:
        with pytest.raises(routable.CredentialError) as raised:
            client.perform(theirs.operations.session())
        assert raised.value.allowed == ("session",)
        for part in ('"session" belongs to the description "service0"', '"service1"', "names the router"):
            assert part in str(raised.value), (part, str(raised.value))
        assert client.perform(theirs.optional()).status == client.perform(theirs.public()).status == 200
        client.set_credential("session", "SECRET-1-token", router=theirs)
        assert client.perform(theirs.operations.session()).status == client.perform(mine.operations.session()).status == 200
        assert client.tokens("session") == ("SECRET-0-token", None)
    assert services.get("verdict")["found"] == []


def test_a_credential_names_a_scheme_of_its_description(services: Services) -> None:
    mine = services.apis[0]
    with pytest.raises(routable.ArgumentError) as raised:
        routable.Client(mine, credentials={"sesion": "x"})
    assert raised.value.suggestion == "session" and raised.value.allowed == tuple(sorted(SCHEMES))
    with routable.Client(mine) as client:
        with pytest.raises(routable.ArgumentError):
            client.set_credential("other", "x")
        with pytest.raises(TypeError, match="router must be a Router"):
            client.set_credential("session", "x", router="mine")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="router must be a Router"):
        routable.Client("mine")  # type: ignore[arg-type]


def test_tokens_are_stored_for_each_description(services: Services) -> None:
    with routable.Client() as client:
        client.set_credential("session", "a", router=services.apis[0])
        assert client.tokens("session") == ("a", None)    # the only description with this scheme
        client.set_credential("session", "b", router=services.apis[1])
        with pytest.raises(routable.ArgumentError, match="several descriptions"):
            client.tokens("session")
        client.remove_credential("session")
        with pytest.raises(routable.UnknownError):
            client.tokens("session")


def test_a_base_of_the_program_is_trusted_and_keeps_the_owner(services: Services) -> None:
    count = Count(services)
    for own, asked, host in product(NUMBERS, NUMBERS, NUMBERS):
        for named in (True, False):
            options: Dict[str, Any] = {"base": f"{services.hosts[host]}/trusted", "headers": {"X-Team": f"SECRET-{own}-team"}}
            with routable.Client(services.apis[own] if named else None, credentials=credentials(own), **options) as client:
                if not named:
                    client.perform(services.apis[own].public())
                for operation in (*SCHEMES, "optional", "public"):
                    count.attempt(lambda: client.perform(services.apis[asked].operations[operation]()))
    count.check(27 * 2 * 9)


@pytest.mark.parametrize("way", ["perform", "submit", "perform_all", "pages", "lines", "function"])
def test_a_credential_of_one_request_stays_with_its_description(services: Services, way: str) -> None:
    """A middleware performs a request of another description in place of the one that `auth` was given for."""
    count, apis = Count(services), services.apis
    for own, asked in product(NUMBERS, NUMBERS):
        def swap(request: routable.Request) -> Any:
            response = yield apis[asked].operations.session() if request.operation != "public" else request
            return response

        def function(request: routable.Request, call: Any) -> Any:
            return call(apis[asked].operations.session())

        auth = {"session": f"SECRET-{own}-given"}
        with routable.Client(middleware=[function if way == "function" else swap]) as client:
            request = apis[own].operations.session()
            if way in ("perform", "function"):
                count.attempt(lambda: client.perform(request, auth=auth))
            elif way == "submit":
                count.attempt(lambda: client.submit(request, auth=auth).result(20))
            elif way == "perform_all":
                count.attempt(lambda: [each.result() for each in client.perform_all([request], auth=auth)])
            elif way == "pages":
                count.attempt(lambda: list(client.pages(apis[own].pages(host=own, other=own), auth=auth)))
            else:
                count.attempt(lambda: list(client.lines(request, auth=auth)))
    refused = count.check(9)
    assert refused == {"credential": 6}, refused


def test_one_given_credential_is_for_one_description_of_many_requests(services: Services) -> None:
    count = Count(services)
    requests = [services.apis[number].operations.session() for number in (0, 1, 2, 0)]
    auth = {"session": "SECRET-0-given"}
    with routable.Client() as client:
        count.attempt(lambda: [each.result() for each in client.perform_all([requests[0], requests[3]], auth=auth)])
        # No request of a batch is sent if one of them is refused.
        count.attempt(lambda: [each.result() for each in client.perform_all(requests, auth=auth)])
        count.attempt(lambda: [each.result() for each in client.perform_all(requests, auth=auth, concurrency=1)])
    assert count.check(3) == {"credential": 2}


def test_the_password_for_challenges_belongs_to_one_service(services: Services) -> None:
    count = Count(services)
    for own, asked, host in product(NUMBERS, NUMBERS, NUMBERS):
        for origin in (services.hosts[own], None):
            challenge = BearerChallenge(
                f"SECRET-{own}-user", f"SECRET-{own}-password", origin=origin, realms=[services.hosts[own]])
            with routable.Client(middleware=[challenge]) as client:
                if origin is None:
                    client.perform(services.apis[own].public())
                # If the realm is the service itself, its path belongs to the service's description.
                other = own if host == own else asked
                count.attempt(lambda: client.perform(services.apis[asked].challenged(host=host, other=other)))
    assert count.check(54)["credential"] == 48


def test_an_async_client_has_the_same_rule(services: Services) -> None:
    count = Count(services)

    async def run() -> None:
        for own, asked in product(NUMBERS, NUMBERS):
            async with routable.AsyncClient(services.apis[own], credentials=credentials(own)) as client:
                for operation in (*SCHEMES, "optional", "public"):
                    failure: Optional[routable.RoutableError] = None
                    try:
                        await client.perform(services.apis[asked].operations[operation]())
                    except routable.RoutableError as error:
                        failure = error

                    def told() -> None:
                        if failure is not None:
                            raise failure

                    count.attempt(told)

    asyncio.run(run())
    assert count.check(81)["credential"] == 6 * len(SCHEMES)


PASSWORD_FLOW = {
    "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://api.example.com"}],
    "security": [{"login": []}],
    "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {"password": {"tokenUrl": "/token", "scopes": {}}}}}},
    "paths": {"/me": {"get": {"operationId": "me", "responses": {"200": {"description": "x"}}}}},
}


@pytest.mark.parametrize("given", [
    ("ada", "SECRET"), routable.Credential(user="ada", password="SECRET"),
    routable.Credential(user="ada", password="SECRET", client_id="me"),
    routable.Credential(user="ada", password="SECRET", refresh=lambda old: "x"),
], ids=["pair", "credential", "client", "refresh"])
@pytest.mark.parametrize("is_given_with_the_call", [False, True])
def test_a_password_for_a_token_endpoint_never_goes_to_the_api(given: Any, is_given_with_the_call: bool) -> None:
    api = routable.loads(json.dumps(PASSWORD_FLOW))
    sent: List[Any] = []

    def transport(request: Any) -> Any:
        sent.append(request)
        return routable.transport.TransportResponse(200, json={"access_token": "new"})

    with routable.Client(api, credentials={} if is_given_with_the_call else {"login": given}, transport=transport) as client:
        client.perform(api.me(), auth={"login": given} if is_given_with_the_call else None)
        *tokens, call = sent
        assert "SECRET" not in call.url + repr(dict(call.headers)) and call.headers["Authorization"] in ("Bearer new", "Bearer x")
        for each in tokens:
            assert each.url == "https://api.example.com/token" and b"grant_type=password&username=ada&password=SECRET" in each.body
        assert len(tokens) == (0 if isinstance(given, routable.Credential) and given.refresh else 1)
        assert "SECRET" not in client.to_curl(api.me(), show_secrets=True)
        sent.clear()
        client.perform(api.me(), auth={"login": "a-token"})
        assert sent[0].headers["Authorization"] == "Bearer a-token"


def test_the_endpoint_of_fastapi_is_relative_to_the_base() -> None:
    """FastAPI writes a relative token URL and no servers."""
    document = json.loads(json.dumps(PASSWORD_FLOW))
    del document["servers"]
    document["components"]["securitySchemes"]["login"]["flows"]["password"]["tokenUrl"] = "auth/token"
    api = routable.loads(json.dumps(document))
    with routable.Client(api, base="http://127.0.0.1:1", credentials={"login": ("ada", "SECRET")}) as client:
        with pytest.raises(routable.CredentialError, match="could not be refreshed.*127.0.0.1:1"):
            client.perform(api.me())
    with routable.Client(api, credentials={"login": ("ada", "SECRET")}) as client:
        with pytest.raises(routable.RoutableError) as raised:
            client.perform(api.me())
        assert "SECRET" not in str(raised.value)
