"""Credentials: where they are sent, how they are refreshed, and the errors of a failed refresh (A5, L8)."""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
import threading
from typing import Any, Dict, Iterator, List, Optional

import pytest
import routable
from conftest import ROOT

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "auth": {
        "session": {"scheme": "bearer"},
        "renewed": {"scheme": "bearer", "refresh": "renew", "token": "/auth/token", "expires_in": "/auth/seconds"},
        "user": {"scheme": "basic"},
        "key": {"scheme": "key", "in": "query", "name": "key"},
        "oauth": {"scheme": "oauth2"},
        "signed": {"scheme": "custom"},
    },
    "operations": {
        "secret": {"get": "/secret/{realm}", "auth": "session"},
        "renewable": {"get": "/secret/{realm}/renewable", "auth": "renewed"},
        "oauth": {"get": "/secret/{realm}/oauth", "auth": "oauth"},
        "renew": {"post": "/session/session", "body": {}},
        "user": {"get": "/echo/user", "auth": "user"},
        "key": {"get": "/echo/key", "auth": "key"},
        "open": {"get": "/echo/open"},
        "signed": {"post": "/echo/signed", "auth": "signed", "body": {}},
        "count": {"get": "/count/{realm}"},
        "revoke": {"post": "/revoke/{realm}"},
    },
}


@pytest.fixture(scope="module")
def gate() -> Iterator[str]:
    """The base URL of Tests/service/auth_service.py."""
    command = [sys.executable, str(ROOT / "Tests" / "service" / "auth_service.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()


@pytest.fixture(scope="module")
def api(gate: str) -> routable.Router:
    return routable.open(DOCUMENT, base=gate)


def counted(api: routable.Router, realm: str) -> Dict[str, Any]:
    with routable.Client() as client:
        found: Dict[str, Any] = client.perform(api.count(realm=realm)).json()
        return found


def test_values_that_are_accepted_as_credentials(api: routable.Router) -> None:
    credentials: Dict[str, Any] = {"user": ("Ada", "pw"), "key": "k/1", "session": routable.Credential("t")}
    with routable.Client(credentials=credentials) as client:
        sent = client.perform(api.user()).json()["headers"]["authorization"]
        assert base64.b64decode(sent.split()[1]) == b"Ada:pw"
        response = client.perform(api.key())
        assert response.json()["target"] == "/echo/key?key=k%2F1"
        assert response.url.endswith("/echo/key")
        client.remove_credential("key")
        with pytest.raises(routable.CredentialError) as missing:
            client.perform(api.key())
        assert (missing.value.parameter, missing.value.allowed) == ("key", ("key",))
        with pytest.raises(TypeError):
            client.set_credential("key", 3)  # type: ignore[arg-type]
        with pytest.raises(routable.ArgumentError):
            client.set_credential("key", "a\nb")
    assert repr(routable.Credential("SECRET", user="u")) == "<routable.Credential of user, token>"


def test_auth_of_one_request_replaces_that_of_the_client(api: routable.Router) -> None:
    with routable.Client(credentials={"user": ("a", "b")}) as client:
        assert "authorization" not in client.perform(api.user(), auth=False).json()["headers"]
        sent = client.perform(api.user(), auth={"user": ("c", "d")}).json()["headers"]["authorization"]
        assert base64.b64decode(sent.split()[1]) == b"c:d"
        ended = client.submit(api.user(), auth={"user": ("e", "f")}).result().json()["headers"]["authorization"]
        assert base64.b64decode(ended.split()[1]) == b"e:f"
        with pytest.raises(routable.ArgumentError):
            client.perform(api.user(), auth={"user": "a", "key": "b"})


def test_a5_a_function_refreshes_once_for_all_waiting_requests(api: routable.Router) -> None:
    asked: List[Optional[str]] = []

    def refresh(old: Optional[str]) -> str:
        asked.append(old)
        return "many-1"

    with routable.Client(credentials={"session": routable.Credential("old", refresh=refresh)}) as client:
        requests = [api.secret(realm="many") for _ in range(50)]
        assert [ended.error for ended in client.perform_all(requests, concurrency=50)] == [None] * 50
    assert asked == ["old"]
    assert counted(api, "many")["served"] == 50


def test_a5_threads_wait_for_one_refresh(api: routable.Router) -> None:
    asked: List[Optional[str]] = []

    def refresh(old: Optional[str]) -> str:
        asked.append(old)
        return "threads-1"

    with routable.Client(credentials={"session": refresh}) as client:
        results: List[int] = []
        threads = [
            threading.Thread(target=lambda: results.append(client.perform(api.secret(realm="threads")).status)) for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [200] * 20
    assert asked == [None]


def test_a5_a_refresh_function_cannot_wait_for_its_own_token(api: routable.Router) -> None:
    """The function would wait for the refresh that it is part of."""
    with routable.Client() as client:
        client.set_credential("session", lambda old: client.perform(api.secret(realm="own")).text, router=api)
        with pytest.raises(routable.CredentialError) as failed:
            client.perform(api.secret(realm="own"))
        assert failed.value.message.startswith(
            'the credential "session" could not be refreshed: ArgumentError: a callback of the client cannot wait')
        assert isinstance(failed.value.__cause__, routable.ArgumentError)


def test_a5_an_exception_of_the_refresh_function_is_the_cause(api: routable.Router) -> None:
    asked: List[Optional[str]] = []

    def refresh(old: Optional[str]) -> str:
        asked.append(old)
        raise KeyError("SECRET")

    with routable.Client(credentials={"session": refresh}) as client:
        for attempt in (client.perform, lambda request: client.submit(request).result()):
            with pytest.raises(routable.CredentialError) as failed:
                attempt(api.secret(realm="raises"))  # type: ignore[operator]
            assert isinstance(failed.value.__cause__, KeyError)
            assert failed.value.message == 'the credential "session" could not be refreshed: KeyError'
        ended = next(iter(client.perform_all([api.secret(realm="raises")])))
        assert ended.error is not None and isinstance(ended.error.__cause__, KeyError)
        assert asked == [None]  # the failure is stored
        client.set_credential("session", lambda old: 3)  # type: ignore[arg-type,return-value]
        with pytest.raises(routable.CredentialError) as wrong:
            client.perform(api.secret(realm="raises"))
        assert isinstance(wrong.value.__cause__, TypeError)

        async def later(old: Optional[str]) -> str:
            return "x"

        client.set_credential("session", later)
        with pytest.raises(routable.CredentialError) as needs_loop:
            client.perform(api.secret(realm="raises"))
        assert "AsyncClient" in str(needs_loop.value.__cause__)
    assert counted(api, "raises")["refused"] == 0


def test_a5_a_coroutine_function_refreshes_the_token(api: routable.Router) -> None:
    asked: List[Optional[str]] = []

    async def refresh(old: Optional[str]) -> Any:
        asked.append(old)
        await asyncio.sleep(0.02)
        return "async-1", 3600

    async def main() -> None:
        async with routable.AsyncClient(credentials={"session": routable.Credential("x", refresh=refresh)}) as client:
            responses = await asyncio.gather(*(client.perform(api.secret(realm="async")) for _ in range(100)))
            assert {response.status for response in responses} == {200}
            assert client.tokens("session") == ("async-1", None)

            async def fails(old: Optional[str]) -> str:
                await asyncio.sleep(0)
                raise LookupError

            client.set_credential("session", fails)
            with pytest.raises(routable.CredentialError) as failed:
                await client.perform(api.secret(realm="async"))
            assert isinstance(failed.value.__cause__, LookupError)
            task = asyncio.ensure_future(client.perform(api.secret(realm="async"), auth={"session": never}))
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    async def never(old: Optional[str]) -> str:
        await asyncio.Event().wait()
        return ""

    asyncio.run(main())
    assert asked == ["x"]
    assert counted(api, "async")["served"] == 100


def test_a5_oauth_and_operations_of_the_description(api: routable.Router, gate: str) -> None:
    oauth = routable.Credential(
        client_id="c", client_secret="s", refresh_token="r0", token_url=f"{gate}/token/oauth?rotate&life=3600"
    )
    renewed = routable.Credential(refresh_body={"user": "u", "password": "p"})
    with routable.Client(credentials={"oauth": oauth, "renewed": renewed}) as client:
        assert client.perform(api.oauth(realm="oauth")).status == 200
        assert client.tokens("oauth") == ("oauth-2", "oauth-r2")
        assert client.perform(api.renewable(realm="session")).status == 200
        client.perform(api.revoke(realm="oauth"))
        assert client.perform(api.oauth(realm="oauth")).status == 200
        client.set_credential("oauth", routable.Credential("x", client_id="c", token_url=f"{gate}/token/liar?stale"))
        with pytest.raises(routable.ExcessiveRefreshError) as often:
            client.perform(api.oauth(realm="liar"))
        assert isinstance(often.value, routable.CredentialError) and often.value.code == 42
    assert counted(api, "oauth")["grants"] == [
        "grant_type=refresh_token refresh_token=r0", "grant_type=refresh_token refresh_token=oauth-r2"
    ]
    assert counted(api, "session")["grants"] == ['{"password": "p", "user": "u"}']


def test_a_function_signs_requests(api: routable.Router) -> None:
    kept: List[routable.Signing] = []

    def sign(request: routable.Signing) -> None:
        kept.append(request)
        request.set_header("X-Signature", f"{request.method} {request.body.decode()} {request.header('content-type')}")

    with routable.Client(credentials={"signed": routable.Credential(sign=sign)}) as client:
        sent = client.perform(api.signed(routable.using(body=[1]))).json()["headers"]
        assert sent["x-signature"] == "POST [1] application/json"
        with pytest.raises(ValueError):
            kept[0].url

        def fails(request: routable.Signing) -> None:
            raise OSError("no key")

        client.set_credential("signed", routable.Credential(sign=fails))
        with pytest.raises(routable.CallbackError) as failed:
            client.perform(api.signed(routable.using(body=[1])))
        assert isinstance(failed.value.__cause__, OSError)


def test_a7_what_the_client_sends_as_a_curl_line(api: routable.Router, gate: str) -> None:
    with routable.Client(base="http://h", user_agent="me", credentials={"key": "SECRET", "session": "SECRET"}) as client:
        line = client.to_curl(api.key()).replace("\n", " ").replace("\\ \t", "")
        assert line == "curl -X 'GET' -H 'User-Agent: me' --compressed --path-as-is --url 'http://h/echo/key?key=***'"
        assert "SECRET" in client.to_curl(api.key(), show_secrets=True)
        assert "-H 'Authorization: ***'" in client.to_curl(api.secret(realm="x"))
        assert "Authorization" not in client.to_curl(api.oauth(realm="x"))  # no credential is set


def test_functions_of_credentials_are_released() -> None:
    from routable.credential import _bound

    before = len(_bound)
    with routable.Client(credentials={"a": lambda old: "x"}) as client:
        client.set_credential("a", lambda old: "y")
        client.set_credential("b", routable.Credential("t", sign=lambda request: None))
        assert len(_bound) == before + 2
    assert len(_bound) == before


def test_a5_ten_thousand_calls_over_expiring_tokens(api: routable.Router, gate: str) -> None:
    """Calls of 8 threads and of 200 tasks while the token expires four times: one refresh for each expiry, and no call is lost."""
    credential = routable.Credential(client_id="c", refresh_token="r", token_url=f"{gate}/token/many?rotate")
    told: List[routable.Tokens] = []
    done: List[int] = []
    expired = threading.Barrier(9)

    async def tasks() -> None:
        async with routable.AsyncClient(credentials={"oauth": credential}) as client:
            async def work() -> None:
                for _ in range(20):
                    done.append((await client.perform(api.oauth(realm="many"))).status)

            await asyncio.gather(*(work() for _ in range(200)))

    def work(client: routable.Client) -> None:
        for turn in range(4):
            expired.wait()  # all threads begin with an expired token
            done.extend(client.perform(api.oauth(realm="threads")).status for _ in range(188))

    shared = routable.Credential(
        "expired", client_id="c", refresh_token="r", token_url=f"{gate}/token/threads?rotate", refreshed=told.append)
    with routable.Client(credentials={"oauth": shared}) as client:
        threads = [threading.Thread(target=work, args=(client,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for turn in range(4):
            if turn:
                while len(done) < 8 * 188 * turn:
                    pass
                client.perform(api.revoke(realm="threads"))
            expired.wait()
        for thread in threads:
            thread.join()
    assert len(told) == 4 and counted(api, "threads")["refreshes"] == 4
    asyncio.run(tasks())
    assert counted(api, "many")["refreshes"] == 1
    assert done == [200] * (8 * 4 * 188 + 200 * 20)
