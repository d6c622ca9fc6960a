"""TLS: trusted and rejected certificates, and client certificates.  trustme creates the certificates."""

from __future__ import annotations

import datetime
import http.server
import ssl
import threading
from pathlib import Path
from typing import Any, Iterator, Optional, Tuple

import pytest
import routable
from slowness import SLOWNESS

trustme = pytest.importorskip("trustme")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        subject = dict(pair[0] for pair in self.connection.getpeercert().get("subject", ())) if self.server.asks else {}
        body = (subject.get("organizationalUnitName") or "nobody").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    asks = False

    def handle_error(self, *_: Any) -> None:
        """Ignores refused handshakes, which the tests provoke."""


@pytest.fixture
def authority() -> Any:
    return trustme.CA()


@pytest.fixture
def folder(tmp_path: Path, authority: Any) -> Path:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    return tmp_path


class Service:
    def __init__(self, authority: Any, host: str = "127.0.0.1", asks: bool = False, **certificate: Any) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(host, **certificate).configure_cert(context)
        if asks:
            authority.configure_trust(context)
            context.verify_mode = ssl.CERT_REQUIRED
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.asks = asks
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.base = f"https://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def outcomes(base: str, **options: Any) -> Iterator[Tuple[Optional[str], Optional[Exception]]]:
    """The same by `perform` and by `submit`."""
    request = routable.open({"routable": 1, "base": base, "operations": {"get_it": {"get": "/"}}}).build("get_it")
    with routable.Client(deadline=10 * SLOWNESS, **options) as client:
        for perform in (client.perform, lambda request: client.submit(request).result()):
            try:
                yield perform(request).text, None
            except routable.RoutableError as error:
                yield None, error


def test_the_named_authority_is_trusted(authority: Any, folder: Path) -> None:
    with Service(authority) as service:
        assert list(outcomes(service.base, ca_file=folder / "ca.pem")) == [("nobody", None)] * 2


def test_an_unknown_authority_is_not_trusted(authority: Any) -> None:
    with Service(authority) as service:
        for _, error in outcomes(service.base):
            assert isinstance(error, routable.TLSError) and "not trusted" in str(error)


def test_a_certificate_of_another_host_is_refused(authority: Any, folder: Path) -> None:
    with Service(authority, host="other.test") as service:
        for _, error in outcomes(service.base, ca_file=folder / "ca.pem"):
            assert isinstance(error, routable.TLSError), error
            assert f"the certificate of {service.base.split('//')[1]} is for another host; use the host name that it states" in str(error)
            assert "CA file" not in str(error).partition(" (libcurl")[0], error


def test_an_expired_certificate_is_refused(authority: Any, folder: Path) -> None:
    past = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
    with Service(authority, not_before=past - datetime.timedelta(days=9), not_after=past) as service:
        for _, error in outcomes(service.base, ca_file=folder / "ca.pem"):
            assert isinstance(error, routable.TLSError) and "is not valid at this time" in str(error), error


def test_a_certificate_of_another_authority_is_refused(authority: Any, folder: Path) -> None:
    with Service(trustme.CA()) as service:
        for _, error in outcomes(service.base, ca_file=folder / "ca.pem"):
            assert isinstance(error, routable.TLSError)
            assert f"no certificate in the CA file {folder / 'ca.pem'}"[:80] in str(error), error


def test_a_client_certificate_is_sent(authority: Any, folder: Path) -> None:
    mine = authority.issue_cert("client.test", organization_unit_name="me")
    mine.cert_chain_pems[0].write_to_path(str(folder / "mine.pem"))
    mine.private_key_pem.write_to_path(str(folder / "mine.key"))
    own = {"certificate_file": folder / "mine.pem", "key_file": folder / "mine.key"}
    with Service(authority, asks=True) as service:
        assert list(outcomes(service.base, ca_file=folder / "ca.pem", **own)) == [("me", None)] * 2
        for _, error in outcomes(service.base, ca_file=folder / "ca.pem"):
            assert isinstance(error, (routable.TLSError, routable.TransferError))


def test_a_missing_ca_file_is_an_error(authority: Any, folder: Path) -> None:
    with Service(authority) as service:
        for _, error in outcomes(service.base, ca_file=folder / "none.pem"):
            assert isinstance(error, routable.TLSError) and "CA file" in str(error)
