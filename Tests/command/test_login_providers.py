"""Each grant of OAuth 2 with the command and two providers, authlib and django-oauth-toolkit; no output contains a secret."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
from conftest import ROOT, SECONDS, command, environment, run

sys.path.insert(0, str(ROOT / "bindings/python/tests"))
pytest.importorskip("authlib")
pytest.importorskip("flask")
pytest.importorskip("oauth2_provider")

import oauth_providers  # noqa: E402
from oauth_providers import PASSWORD, SECRET, Provider  # noqa: E402


@pytest.fixture(scope="module", params=["authlib", "django"])
def provider(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    made = oauth_providers.authlib() if request.param == "authlib" else oauth_providers.django(tmp_path_factory.mktemp("provider"))
    yield made
    made.close()


def identity(provider: Provider, grant: str) -> str:
    """The client id for a grant: a client of the toolkit has one grant."""
    return "app" if provider.name == "authlib" else f"app-{grant}"


class Place:
    """A description, a file of tokens, and all output of the commands."""

    def __init__(self, provider: Provider, folder: Path) -> None:
        self.provider, self.tokens, self.said = provider, folder / "tokens.json", ""
        device = f"{provider.base}/device" if provider.name == "authlib" else f"{provider.base}/o/device-authorization/"
        self.api = folder / "api.json"
        self.api.write_text(json.dumps({
            "routable": 1, "base": provider.base, "auth": {"service": {
                "scheme": "oauth2", "scope": "read", "default": True, "issuer": provider.issuer, "token_url": provider.token_url,
                "device_url": device}},
            "operations": {"me": {"get": "/me"}}}))

    def login(self, *words: Any, status: int = 0) -> str:
        ended = run("login", "service", self.api, "--tokens", self.tokens, *words)
        self.said += ended.out + ended.err
        assert ended.status == status, ended
        return ended.err

    def send(self, status: int = 0) -> None:
        ended = run("send", self.api, "me", "--tokens", self.tokens, "--har", self.tokens.with_name("all.har"))
        self.said += ended.out + ended.err + self.tokens.with_name("all.har").read_text()
        assert ended.status == status, ended
        assert status or json.loads(ended.out) == {"name": "ann"}

    @property
    def stored(self) -> Dict[str, Any]:
        found: Dict[str, Any] = json.loads(self.tokens.read_text())[self.provider.base]["service"]
        return found

    def expire(self, **changed: Any) -> None:
        self.tokens.write_text(json.dumps({self.provider.base: {"service": {**self.stored, "expires_at": 1, **changed}}}))

    def check_secrets(self, *secrets: str) -> None:
        for secret in (*secrets, *(self.stored[key] for key in ("token", "refresh_token") if key in self.stored)):
            assert secret not in self.said, secret


@pytest.fixture
def place(provider: Provider, tmp_path: Path) -> Place:
    return Place(provider, tmp_path)


def test_browser_and_rotation(provider: Provider, place: Place, free_port: int = 8765) -> None:
    words = ("--client-id", "app", "--discover", "--port", free_port, "--path", "/callback")
    process = subprocess.Popen(
        [command(), "login", "service", str(place.api), "--tokens", str(place.tokens), *map(str, words)], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    assert process.stderr is not None
    shown = ""
    while "/authorize" not in shown and process.poll() is None:
        shown = process.stderr.readline()
    redirected = provider.agree(shown.strip())
    with urllib.request.urlopen(redirected, timeout=SECONDS) as response:
        assert response.status == 200
    _, err = process.communicate(timeout=SECONDS)
    place.said += shown + err
    assert process.returncode == 0, err
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(redirected).query))["code"]
    verifier = provider.grants[-1]["code_verifier"]
    place.send()
    first = place.stored["refresh_token"]
    place.expire()
    place.send()
    assert provider.grants[-1]["refresh_token"] == first and place.stored["refresh_token"] != first
    place.expire(refresh_token="no-such-refresh-token")
    place.send(status=8)
    assert "invalid_grant" in place.said
    place.check_secrets(code, verifier, first, "no-such-refresh-token")


def test_device(provider: Provider, place: Place) -> None:
    process = subprocess.Popen(
        [command(), "login", "service", str(place.api), "--tokens", str(place.tokens), "--client-id", identity(provider, "device"), "--device"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    assert process.stderr is not None
    shown = process.stderr.readline()
    found: List[str] = re.findall(r"enter the code (\S+)", shown)
    threading.Timer(1, provider.enter, found).start()
    _, err = process.communicate(timeout=SECONDS)
    place.said += err
    assert process.returncode == 0, err
    place.send()
    place.check_secrets(provider.grants[-1]["device_code"])


def test_client_credentials(provider: Provider, place: Place, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET + "\n")
    for more in ((), ("--secret-in-body",)):
        place.login("--client-id", "robot", "--client-secret", tmp_path / "secret", "--client-credentials", *more)
        assert provider.grants[-1]["grant_type"] == "client_credentials" and ("client_secret" in provider.grants[-1]) is bool(more)
        place.send()
        place.expire(token="expired-token")
        place.send()
    (tmp_path / "secret").write_text("of-another-robot")
    place.login("--client-id", "robot", "--client-secret", tmp_path / "secret", "--client-credentials", status=8)
    assert "invalid_client" in place.said
    place.check_secrets(SECRET, "expired-token", "of-another-robot")


def test_password(provider: Provider, place: Place, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    words = ("--client-id", identity(provider, "password"), "--user", "ann", "--password", tmp_path / "password")
    place.login(*words)
    assert provider.grants[-1]["grant_type"] == "password" and provider.grants[-1]["scope"] == "read"
    place.send()
    assert PASSWORD not in place.tokens.read_text()
    place.expire()
    place.send()
    assert provider.grants[-1]["grant_type"] == "refresh_token"
    (tmp_path / "password").write_text("of-another-user")
    place.login(*words, status=8)
    assert "invalid_" in place.said
    place.check_secrets(PASSWORD, "of-another-user")


def test_words_that_exclude_each_other(place: Place, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    for words in (
        ("--client-credentials",), ("--user", "ann"), ("--password", tmp_path / "password"),
        ("--device", "--user", "ann", "--password", tmp_path / "password"),
    ):
        place.login("--client-id", "app", *words, status=2)
