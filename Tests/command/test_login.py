"""routable login: the redirect on the loopback address, the file of tokens, and routable send with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Iterator

import pytest
from conftest import ROOT, SECONDS, command, environment, run


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    started = [sys.executable, str(ROOT / "Tests/service/auth_service.py")]
    with subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()


def described(folder: Path, service: str, realm: str, query: str = "") -> Path:
    path = folder / "api.json"
    path.write_text(json.dumps({
        "routable": 1, "base": service,
        "auth": {"app": {
            "scheme": "oauth2", "default": True, "authorization_url": "https://login.test/authorize",
            "token_url": f"{service}/token/{realm}{query}", "device_url": f"{service}/device/{realm}"}},
        "operations": {"secret": {"get": f"/secret/{realm}"}}}))
    return path


def get(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def started(*words: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [command(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment())


def test_browser(service: str, tmp_path: Path) -> None:
    api, tokens = described(tmp_path, service, "browser", "?rotate&life=1"), tmp_path / "state" / "tokens.json"
    process = started("login", "app", api, "--client-id", "me", "--tokens", tokens, "--path", "/back")
    assert process.stderr is not None
    shown = ""
    while "https://login.test" not in shown:
        shown = process.stderr.readline()
    place = urllib.parse.unquote(re.findall(r"redirect_uri=([^&\s]+)", shown)[0])
    state = re.findall(r"state=([^&\s]+)", shown)[0]
    assert place.startswith("http://127.0.0.1:") and place.endswith("/back")
    # The listener responds to other requests with an error status, and continues to wait for the redirect of this login.
    assert get(place.replace("/back", "/other")) == 404
    assert get(f"{place}?code=c&state=forged") == 400
    assert get(f"{place}?code=c") == 400
    assert get(f"{place}?code=c&state={state}") == 200
    _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0 and "browser-2" not in err, err
    assert tokens.stat().st_mode & 0o777 == 0o600
    assert json.loads(tokens.read_text())[service]["app"]["token"] == "browser-2"
    # The token has expired: it is refreshed, and the next refresh token is stored.
    stored = json.loads(tokens.read_text())
    before = stored[service]["app"]["refresh_token"]
    stored[service]["app"]["expires_at"] = 1
    tokens.write_text(json.dumps(stored))
    sent = run("send", api, "secret", "--tokens", tokens)
    assert sent.status == 0 and json.loads(sent.out) == {"name": "a"}, sent
    after = json.loads(tokens.read_text())[service]["app"]
    assert after["refresh_token"] != before and after["token"] != "browser-2" and tokens.stat().st_mode & 0o777 == 0o600
    # The credential is not sent to another service.
    other = run("send", api, "secret", "--tokens", tokens, "--base", service.replace("127.0.0.1", "localhost"))
    assert other.status == 5 and after["token"] not in other.err, other
    os.chmod(tokens, 0o644)
    assert run("send", api, "secret", "--tokens", tokens).status == 3


def test_device(service: str, tmp_path: Path) -> None:
    api, tokens = described(tmp_path, service, "device"), tmp_path / "tokens.json"
    ended = run("login", "app", api, "--client-id", "me", "--tokens", tokens, "--device")
    assert ended.status == 0 and "ABCD-EFGH" in ended.err and "device-2" not in ended.err, ended
    assert run("send", api, "secret", "--tokens", tokens).status == 0


def test_time_limit_and_refusals(service: str, tmp_path: Path) -> None:
    api, tokens = described(tmp_path, service, "late"), tmp_path / "tokens.json"
    ended = run("login", "app", api, "--client-id", "me", "--tokens", tokens, "--timeout", "0.3")
    assert ended.status == 7 and not tokens.exists(), ended
    assert run("login", "ap", api, "--client-id", "me", "--tokens", tokens).status == 2
    assert run("login", "app", api, "--client-id", "me", "--tokens", tokens, "--path", "back").status == 2
    tokens.write_text("[]")
    tokens.chmod(0o600)
    assert run("login", "app", api, "--client-id", "me", "--tokens", tokens).status == 3


@pytest.mark.parametrize("scheme, status", [
    ({"token": "t", "expires_at": -(2**63)}, 8), ({"token": "t", "expires_at": 2**63 - 1}, 8), ({"token": "t", "expires_at": "soon"}, 8),
    ({"token": 7}, 2), ([], 5), (None, 5),
])
def test_a_file_of_tokens_that_was_edited(service: str, tmp_path: Path, scheme: Any, status: int) -> None:
    """The service refuses the token (8); there is no token in the file (2); there is no token for the scheme (5)."""
    api, tokens = described(tmp_path, service, "edited"), tmp_path / "tokens.json"
    tokens.write_text(json.dumps({service: {"app": scheme}}))
    tokens.chmod(0o600)
    ended = run("send", api, "secret", "--tokens", tokens)
    assert ended.status == status and ended.err.startswith("routable: "), ended
