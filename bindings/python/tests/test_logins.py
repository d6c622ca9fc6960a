"""Each grant of OAuth 2 with two providers, authlib and django-oauth-toolkit: tokens, rotation, refusals, and disclosure of secrets (A5)."""

from __future__ import annotations

import asyncio
import logging
import threading
import traceback
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
import routable
from routable import Credential
from slowness import SLOWNESS

pytest.importorskip("authlib")
pytest.importorskip("flask")
pytest.importorskip("oauth2_provider")

import oauth_providers  # noqa: E402
from oauth_providers import PASSWORD, REDIRECT, SECRET, Provider  # noqa: E402


@pytest.fixture(scope="module", params=["authlib", "django"])
def provider(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    made = oauth_providers.authlib() if request.param == "authlib" else oauth_providers.django(tmp_path_factory.mktemp("provider"))
    yield made
    made.close()


def described(provider: Provider, **scheme: Any) -> routable.Router:
    own = {"scheme": "oauth2", "scope": "read", "issuer": provider.issuer, "default": True, **scheme}
    return routable.open({
        "routable": 1, "base": provider.base, "auth": {"service": {key: value for key, value in own.items() if value}},
        "operations": {"me": {"get": "/me"}}})


@pytest.fixture
def api(provider: Provider) -> routable.Router:
    return described(provider, token_url=provider.token_url)


@pytest.fixture
def client(api: routable.Router) -> Iterator[routable.Client]:
    with routable.Client(api, deadline=30 * SLOWNESS) as made:
        yield made


def name_of(client: routable.Client, api: routable.Router) -> Any:
    return client.perform(api.operations.me()).json()["name"]


def identity(provider: Provider, grant: str) -> str:
    """The client id for a grant: a client of the toolkit has one grant."""
    return "app" if provider.name == "authlib" else f"app-{grant}"


def test_a5_client_credentials(provider: Provider, client: routable.Client, api: routable.Router) -> None:
    for in_body in (False, True):
        client.set_credential("service", Credential(client_id="robot", client_secret=SECRET, secret_in_body=in_body))
        assert name_of(client, api) == "ann"
        assert provider.grants[-1]["grant_type"] == "client_credentials"
        assert ("client_secret" in provider.grants[-1]) is in_body


def test_a5_the_password_is_sent_to_the_token_endpoint_only(provider: Provider, client: routable.Client, api: routable.Router) -> None:
    told: List[routable.Tokens] = []
    given = Credential(
        user="ann", password=PASSWORD, client_id=identity(provider, "password"), audience="the api",
        # The toolkit issues tokens for this resource only.
        resource="https://api.example/" if provider.name == "authlib" else f"{provider.base}/me", refreshed=told.append)
    client.set_credential("service", given)
    assert name_of(client, api) == "ann"
    sent = provider.grants[-1]
    assert [sent[key] for key in ("grant_type", "username", "password", "audience", "scope")] == [
        "password", "ann", PASSWORD, "the api", "read"]
    assert sent["resource"].startswith("http")
    assert [(each.scheme, each.has_rotated, each.expires_in) for each in told] == [("service", True, provider.lifetime)]
    assert (told[0].token, told[0].refresh_token) == client.tokens("service")
    client.set_credential("service", Credential(user="ann", password="wrong", client_id=identity(provider, "password")))
    with pytest.raises(routable.CredentialError) as caught:
        name_of(client, api)
    assert caught.value.http_status in (400, 401) and caught.value.response is not None
    assert caught.value.response.json()["error"] in ("invalid_grant", "invalid_request"), caught.value.response.json()
    assert "invalid_" in caught.value.message


def test_a5_refresh_with_rotation(provider: Provider, client: routable.Client, api: routable.Router) -> None:
    told: List[routable.Tokens] = []
    password = identity(provider, "password")
    client.set_credential("service", Credential(user="ann", password=PASSWORD, client_id=password))
    name_of(client, api)
    first = client.tokens("service")[1]
    given = Credential("expired", refresh_token=first, client_id=password, refreshed=told.append)
    client.set_credential("service", given)
    assert name_of(client, api) == "ann"
    assert provider.grants[-1]["refresh_token"] == first
    second = client.tokens("service")[1]
    assert second != first and told[-1].has_rotated and told[-1].refresh_token == second
    # The service no longer accepts the first token: the error has its response.
    client.set_credential("service", Credential("expired", refresh_token="no such token", client_id=password))
    with pytest.raises(routable.CredentialError) as caught:
        name_of(client, api)
    assert caught.value.response is not None and caught.value.response.json()["error"] == "invalid_grant"
    assert "invalid_grant" in caught.value.message
    # If the credential has a password, it is used instead.
    client.set_credential(
        "service", Credential("expired", refresh_token="no such token", user="ann", password=PASSWORD, client_id=password))
    assert name_of(client, api) == "ann"
    assert [each["grant_type"] for each in provider.grants[-2:]] == ["refresh_token", "password"]


def test_a5_authorization_code_with_pkce(provider: Provider, client: routable.Client, api: routable.Router) -> None:
    login = client.login("service", client_id="app", redirect_url=REDIRECT, discover=True)
    url = login.begin()
    assert "code_challenge_method=S256" in url and "code_verifier" not in url
    redirected = provider.agree(url)
    with pytest.raises(routable.CredentialError, match="state"):
        login.finish(redirected.replace("state=", "state=x"))
    login.finish(redirected)
    assert name_of(client, api) == "ann"
    assert provider.grants[-1]["grant_type"] == "authorization_code" and len(provider.grants[-1]["code_verifier"]) == 43
    with pytest.raises(routable.ArgumentError, match="begin it again"):
        login.finish(redirected)
    assert client.tokens("service")[1]
    # The next refresh uses the stored client and endpoint.
    refresh = client.tokens("service")[1]
    client.set_credential("service", Credential("expired", refresh_token=refresh, client_id="app"))
    assert name_of(client, api) == "ann"


def test_a5_refused_and_forged_redirects_are_errors(provider: Provider, client: routable.Client, api: routable.Router) -> None:
    login = client.login("service", client_id="app", redirect_url=REDIRECT, discover=True)
    state = dict(pair.split("=") for pair in login.begin().partition("?")[2].split("&"))["state"]
    with pytest.raises(routable.CredentialError, match="the service refused it: access_denied"):
        login.finish(f"{REDIRECT}?error=access_denied&state={state}")
    state = dict(pair.split("=") for pair in login.begin().partition("?")[2].split("&"))["state"]
    with pytest.raises(routable.CredentialError) as caught:
        login.finish(f"code=forged-code-of-another&state={state}")  # the query alone
    assert caught.value.response is not None and caught.value.response.status >= 400
    assert "forged-code" not in str(caught.value)


@pytest.mark.parametrize("agrees", [True, False])
def test_a5_device_codes_are_polled(provider: Provider, agrees: bool) -> None:
    place: Dict[str, Any] = {"discover": True}
    if provider.name != "authlib":  # the metadata of the toolkit does not contain the endpoint
        place = {"device_url": f"{provider.base}/o/device-authorization/"}
    api = described(provider, token_url=provider.token_url)
    with routable.Client(api, deadline=30 * SLOWNESS) as client:
        enter_code(provider, client, api, client.login("service", client_id=identity(provider, "device"), **place), agrees)


def enter_code(provider: Provider, client: routable.Client, api: routable.Router, login: routable.Login, agrees: bool) -> None:
    shown = login.device()
    assert shown.url.startswith("http") and shown.interval >= 1 and shown.code not in repr(shown)
    assert 0 < login.poll() <= shown.interval  # too early: no request is sent
    before = len(provider.grants)
    threading.Timer(1.5, provider.enter, [shown.code, agrees]).start()
    if agrees:
        login.wait()
        assert name_of(client, api) == "ann"
    else:
        with pytest.raises(routable.CredentialError, match="access_denied"):
            login.wait()
    assert [each["grant_type"] for each in provider.grants[before:]] == ["urn:ietf:params:oauth:grant-type:device_code"] * (
        len(provider.grants) - before)
    with pytest.raises(routable.ArgumentError):
        login.poll()


def test_a5_discovery(provider: Provider, client: routable.Client, api: routable.Router) -> None:
    """The issuer of the metadata must be the given one; the URL of a metadata document is accepted, too."""
    known = "/.well-known/openid-configuration" if provider.name == "authlib" else "/.well-known/oauth-authorization-server/o"
    login = client.login("service", client_id="app", redirect_url=REDIRECT, issuer=provider.base + known)
    assert login.begin().startswith(provider.issuer + "/authorize")
    if provider.name == "authlib":  # the toolkit returns whatever issuer is requested
        with pytest.raises(routable.CredentialError, match="metadata") as caught:
            client.login("service", client_id="app", issuer=provider.base + "/other")
        assert caught.value.response is not None and caught.value.response.status == 404
        with pytest.raises(routable.CredentialError, match="the metadata is that of"):
            client.login("service", client_id="app", issuer=provider.base.replace("127.0.0.1", "localhost"))
    other = described(provider, issuer=None)
    with pytest.raises(routable.ArgumentError, match="issuer"):
        client.login("service", client_id="app", discover=True, router=other)
    with pytest.raises(routable.ArgumentError, match="no authorization URL"):
        client.login("service", client_id="app", redirect_url=REDIRECT, router=other).begin()
    with pytest.raises(routable.ArgumentError, match="servic"):
        client.login("servic", client_id="app")


def test_a5_an_async_client_logs_in(provider: Provider, api: routable.Router) -> None:
    async def run() -> Any:
        async with routable.AsyncClient(api, deadline=30 * SLOWNESS) as client:
            login = await client.login("service", client_id="app", redirect_url=REDIRECT, discover=True)
            redirected = await asyncio.get_running_loop().run_in_executor(None, provider.agree, login.begin())
            await login.finish(redirected)
            return (await client.perform(api.operations.me())).json()["name"]

    assert asyncio.run(run()) == "ann"


def test_a5_one_refresh_for_all_that_wait(provider: Provider, api: routable.Router) -> None:
    """Many calls of threads and of tasks with a token that the service no longer accepts: one refresh, and no call is lost."""
    password = identity(provider, "password")
    with routable.Client(api, deadline=60 * SLOWNESS) as client:
        client.set_credential("service", Credential(user="ann", password=PASSWORD, client_id=password))
        name_of(client, api)
        refresh = client.tokens("service")[1]
        before = len(provider.grants)
        client.set_credential("service", Credential("expired", refresh_token=refresh, client_id=password))
        got: List[Any] = []
        threads = [threading.Thread(target=lambda: got.extend(name_of(client, api) for _ in range(5))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == ["ann"] * 40
        got = [each.result().status for each in client.perform_all((api.operations.me() for _ in range(100)), concurrency=50)]
        assert got == [200] * 100
        assert len(provider.grants) == before + 1


SECRETS = ("no-such-refresh-token", "of-the-client-secret", "of-the-user-password", "a-forged-code", "expired-token")


def test_secrets_of_logins_are_in_no_output(
    provider: Provider, api: routable.Router, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Secrets of each grant, sent to a service that refuses them, are in no message, repr, log line, event or HAR file."""
    from routable.har import Har

    caplog.set_level(logging.DEBUG)
    told: List[str] = []
    har = Har(tmp_path / "all.har", bodies=True)
    verifiers: List[str] = []
    with har, routable.Client(api, deadline=30 * SLOWNESS, on_event=lambda event: told.append(repr(event)), middleware=[har]) as client:
        def attempt(work: Any) -> None:
            try:
                told.append(repr(work()))
            except routable.RoutableError as error:
                told.extend([str(error), repr(error), error.message, "".join(traceback.format_exception(type(error), error, None))])
                told.append(repr(vars(error)))
                if error.response is not None:
                    told.extend([error.response.text, repr(error.response), repr(error.response.headers)])

        for given in (
            Credential(SECRETS[4], refresh_token=SECRETS[0], client_id="robot", client_secret=SECRETS[1]),
            Credential(SECRETS[4], refresh_token=SECRETS[0], client_id="robot", client_secret=SECRETS[1], secret_in_body=True),
            Credential(user="ann", password=SECRETS[2], client_id="app"),
            Credential(client_id="robot", client_secret=SECRETS[1]),
        ):
            client.set_credential("service", given)
            told.append(repr(given))
            attempt(lambda: client.perform(api.operations.me()))
            told.append(client.to_curl(api.operations.me()))
        login = client.login("service", client_id="app", redirect_url=REDIRECT, discover=True)
        state = dict(pair.split("=") for pair in login.begin().partition("?")[2].split("&"))["state"]
        attempt(lambda: login.finish(f"{REDIRECT}?code={SECRETS[3]}&state={state}"))
        verifiers += [each["code_verifier"] for each in provider.grants if "code_verifier" in each]
        login.begin()
        redirected = provider.agree(login.begin())
        login.finish(redirected)
        code = dict(pair.split("=") for pair in redirected.partition("?")[2].split("&"))["code"]
        attempt(lambda: client.perform(api.operations.me()))
        told.append(client.to_curl(api.operations.me()))
        told.append(repr(client))
        tokens = [each for each in client.tokens("service") if each]
    told += [record.getMessage() for record in caplog.records if record.name.startswith("routable")]
    told.append((tmp_path / "all.har").read_text())
    everything = "\n".join(told)
    for secret in (*SECRETS, *verifiers, *tokens, code):
        assert secret not in everything, (secret, [each for each in told if secret in each][:2])
