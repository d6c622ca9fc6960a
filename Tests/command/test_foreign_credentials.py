"""A credential belongs to one description and its origins: `send` with three descriptions, three services, equal names of schemes,
and redirects and pages between the services. Tests/service/origins_service.py searches every request for foreign credentials."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from itertools import product
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from conftest import ROOT, run

SCHEMES = ("session", "key", "query", "cookie", "login")


class Services:
    def __init__(self, first: str, folder: Path) -> None:
        self.first = first
        self.hosts: List[str] = self.get("hosts")
        self.files = [folder / f"service{number}.json" for number in range(3)]
        for number, file in enumerate(self.files):
            file.write_text(json.dumps(self.get(f"description/{number}")))

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.first}/{path}") as response:
            return json.load(response)

    def check(self) -> None:
        assert self.get("verdict")["found"] == []


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    command = [sys.executable, str(ROOT / "Tests" / "service" / "origins_service.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        yield Services(f"http://127.0.0.1:{int(process.stdout.readline())}", tmp_path_factory.mktemp("services"))
        process.stdin.close()


def secret(number: int, scheme: str) -> str:
    return f"SECRET-{number}-user:SECRET-{number}-password" if scheme == "login" else f"SECRET-{number}-{scheme}"


def test_the_environment_names_the_service_of_a_credential(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of one description are set while operations of all descriptions are sent."""
    combinations, refused = 0, 0
    for own in range(3):
        for scheme in SCHEMES:
            monkeypatch.setenv(f"ROUTABLE_CREDENTIAL_{scheme.upper()}", secret(own, scheme))
            monkeypatch.setenv(f"ROUTABLE_ORIGIN_{scheme.upper()}", services.hosts[own])
        for asked in range(3):
            for operation in (*SCHEMES, "optional", "public"):
                sent = run("send", services.files[asked], operation)
                combinations += 1
                refused += sent.status == 5
                wanted = 5 if asked != own and operation in SCHEMES else 0
                assert sent.status == wanted and "SECRET" not in sent.err, (own, asked, operation, sent)
            for operation, host, other in product(("to", "pages"), range(3), range(3)):
                pages = ("--pages", "0") if operation == "pages" else ()
                sent = run("send", services.files[asked], operation, str(host), str(other), *pages)
                combinations += 1
                refused += sent.status == 5
                assert "SECRET" not in sent.err
    assert combinations == 3 * 3 * (7 + 18) and refused >= 6 * 5, (combinations, refused)
    assert services.get("verdict")["own"] > 0
    services.check()


def test_a_credential_of_the_environment_without_an_origin_is_not_sent(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUTABLE_CREDENTIAL_SESSION", "SECRET-0-token")
    sent = run("send", services.files[1], "session")
    assert sent.status == 5 and "ROUTABLE_ORIGIN_SESSION" in sent.err and "SECRET" not in sent.err, sent
    assert run("send", services.files[1], "optional").status == 0
    monkeypatch.setenv("ROUTABLE_ORIGIN_SESSION", "example.com")
    wrong = run("send", services.files[0], "session")
    assert wrong.status != 0 and "origin" in wrong.err and "SECRET" not in wrong.err, wrong
    services.check()


def test_a_credential_option_applies_to_the_file_of_its_command(services: Services) -> None:
    for own, host, other in product(range(3), range(3), range(3)):
        given = [word for scheme in SCHEMES for word in ("--credential", f"{scheme}={secret(own, scheme)}")]
        for operation in ("to", "keyed"):
            assert run("send", services.files[own], operation, str(host), str(other), *given).status == 0
        base = ("--base", f"{services.hosts[host]}/trusted")
        assert run("send", services.files[own], "session", *given, *base).status == 0
    services.check()


def test_a_password_for_a_token_endpoint_is_not_sent_to_the_api(tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "http://127.0.0.1:1"}],
        "security": [{"login": []}],
        "components": {"securitySchemes": {"login": {
            "type": "oauth2", "flows": {"password": {"tokenUrl": "/auth/token", "scopes": {}}}}}},
        "paths": {"/me": {"get": {"operationId": "me", "responses": {"200": {"description": "x"}}}}}}))
    sent = run("send", "api.json", "me", "--credential", "login=ada:SECRET", cwd=tmp_path)
    # The token endpoint is on the server of the document, where nothing listens: no request was sent to the API.
    assert sent.status == 6 and "SECRET" not in sent.err, sent
    assert "could not be refreshed" in sent.err, sent.err
    shown = run("send", "api.json", "me", "--credential", "login=a-token", "--curl", "--show-secrets", cwd=tmp_path)
    assert "Authorization: Bearer a-token" in shown.out
