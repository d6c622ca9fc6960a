"""Every way in which a request can fail, with every way to wait for it: exactly one outcome, the same for all ways.

What fails                                        where
  refused connection, unknown host                  here
  reset mid-header, mid-body; short and long        here (ANSWERS), by Tests/service/fault_service.py; from C by every_fault_is_one_outcome
    Content-Length; closed early; garbage; no          of Tests/c/test_transfers.c
    response; slow drip; never-ending body; too large
  redirect loop, to another scheme, across hosts    here; RoutablePerformTests/ExchangeTests.swift
    with credentials
  503 with Retry-After, as seconds and as date      here; A3_retries of Tests/c/test_transfers.c
  401 to 100 at once, and to threads                a5_storm and a5_storm_of_threads of Tests/c/test_auth.c; test_auth.py
  certificates: expired, wrong host, self-signed    here; test_tls.py
  HTTP/2 GOAWAY, stream refused and reset           here, by http2.py
  cancel at every state                             here; cancel_at_every_state of test_transfers.c; waiting for a refresh,
                                                       also when the client is freed: host_refreshes of test_auth.c
  client freed with transfers in flight             client_freed_with_transfers_in_flight of test_transfers.c; here
  fork in the host                                  a_forked_process_has_no_client of test_transfers.c
  signals                                           signals_do_not_disturb of test_transfers.c; here
  host callback that raises                         test_transfers.py; of bodies: test_bodies.py
  host callback that calls back                     callbacks_that_call_back of test_transfers.c; test_hostile.c; here
  pauses, bodies that cannot be sent twice          Tests/c/test_bodies.c, test_streams.c
  a service that never sends 100, or sends 417      asks_before_a_large_body of test_bodies.c
  the calls of a hook for each failure              here; test_trace.py; Tests/c/test_trace.c
"""

from __future__ import annotations

import asyncio
import datetime
import http.server
import signal
import socket
import ssl
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest
import routable
from slowness import SLOWNESS
from faults import api, base  # noqa: F401  (fixtures)

trustme = pytest.importorskip("trustme")
pytest.importorskip("h2")
import http2  # noqa: E402

OPTIONS: Dict[str, Any] = {"deadline": 5 * SLOWNESS, "max_response_bytes": 1 << 20, "proxy": ""}


# --- Ways to wait.  Each returns the outcomes of a request: a list of one. ---

Outcome = Tuple[str, Optional[int]]


def outcome_of(response: Optional[routable.Response], error: Optional[BaseException]) -> Outcome:
    if response is not None:
        assert error is None
        return "ok", response.status
    assert isinstance(error, routable.RoutableError)
    return error.status, error.http_status


def blocking(request: routable.Request, **options: Any) -> List[Outcome]:
    with routable.Client(**OPTIONS, **options) as client:
        try:
            return [outcome_of(client.perform(request), None)]
        except routable.RoutableError as error:
            return [outcome_of(None, error)]


def queue(request: routable.Request, **options: Any) -> List[Outcome]:
    with routable.Client(**OPTIONS, **options) as client:
        return [outcome_of(ended.response, ended.error) for ended in client.perform_all([request])]


def waited_for(request: routable.Request, **options: Any) -> List[Outcome]:
    with routable.Client(**OPTIONS, **options) as client:
        try:
            return [outcome_of(client.submit(request).result(), None)]
        except routable.RoutableError as error:
            return [outcome_of(None, error)]


def callback(request: routable.Request, **options: Any) -> List[Outcome]:
    ended: List[Outcome] = []
    with routable.Client(**OPTIONS, **options) as client:
        client.submit(request, on_end=lambda each: ended.append(outcome_of(each.response, each.error)))
        while client.drive(None):
            pass
        client.drive(0.02)
    return ended


def awaited(request: routable.Request, **options: Any) -> List[Outcome]:
    async def run() -> List[Outcome]:
        async with routable.AsyncClient(**OPTIONS, **options) as client:
            try:
                return [outcome_of(await client.perform(request), None)]
            except routable.RoutableError as error:
                return [outcome_of(None, error)]

    return asyncio.run(run())


WAYS = [blocking, queue, waited_for, callback, awaited]
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda each: each.__name__)
Way = Callable[..., List[Outcome]]

# --- Responses ---

ANSWERS: List[Tuple[str, Outcome]] = [
    ("ok", ("ok", 200)), ("length-short", ("ok", 200)), ("not-found", ("http_status", 404)),
    ("status/503", ("http_status", 503)), ("reset-head", ("transfer", None)), ("reset-body", ("transfer", None)),
    ("close-early", ("transfer", None)), ("length-long", ("transfer", None)), ("close-chunked", ("transfer", None)),
    ("bad-chunk", ("transfer", None)), ("garbage", ("transfer", None)), ("nothing", ("transfer", None)),
    ("length-negative", ("transfer", None)), ("length-huge", ("limit", None)), ("big", ("limit", None)),
    ("gzip-bomb", ("limit", None)), ("redirect", ("ok", 200)), ("redirect-loop", ("transfer", None)),
    ("redirect-file", ("transfer", None)), ("redirect-ftp", ("transfer", None)),
]


@every_way
@pytest.mark.parametrize("name, expected", ANSWERS, ids=lambda each: each if isinstance(each, str) else "")
def test_a_fault_has_one_outcome_in_every_way_to_wait(api: routable.Router, way: Way, name: str, expected: Outcome) -> None:  # noqa: F811
    assert way(api.operations.fetch(path=f"faults/{name}")) == [expected]


@every_way
@pytest.mark.parametrize("name, expected", ANSWERS, ids=lambda each: each if isinstance(each, str) else "")
def test_exactly_one_end_event_is_reported(api: routable.Router, way: Way, name: str, expected: Outcome) -> None:  # noqa: F811
    told: List[routable.TransferEvent] = []
    assert way(api.operations.fetch(path=f"faults/{name}"), on_event=told.append, timings=True, retries=1, retry_delay=0.001) == [expected]
    kinds = [each.kind for each in told]
    assert kinds[-1] == "end" and kinds.count("end") == 1
    assert kinds[:-1].count("attempt") == told[-1].attempt == len(told[-1].attempts) + 1
    assert (told[-1].status == "ok") == (expected[1] is not None) and told[-1].timings is not None
    assert len({each.transfer for each in told}) == 1


@every_way
@pytest.mark.parametrize("name", ["drip", "never", "half"])
def test_a_deadline_ends_every_way_to_wait(api: routable.Router, way: Way, name: str) -> None:  # noqa: F811
    request, begun = api.operations.fetch(path=f"faults/{name}"), time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(OPTIONS, "deadline", 0.2)
        assert way(request) == [("timeout", None)]
    assert 0.15 < time.monotonic() - begun < 4 * SLOWNESS


# --- Before a response ---


def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@every_way
def test_refused_connections_and_unknown_hosts_are_transfer_errors(way: Way) -> None:
    for place in (closed_port(), "http://no.such.host.invalid"):
        request = routable.open({"routable": 1, "base": place, "operations": {"fetch": {"get": "/"}}}).build("fetch")
        assert way(request) == [("transfer", None)]


@every_way
def test_A3_retry_after(api: routable.Router, way: Way) -> None:  # noqa: F811
    for number, least in enumerate((0.95, 0.5)):
        later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
        after = later.strftime("%a, %d %b %Y %H:%M:%S GMT") if number else "1"
        key, begun = f"{way.__name__}-{number}", time.monotonic()
        assert way(api.operations.fetch(path=f"faults/flaky/{key}/1/503/{after}"), retries=1, retry_delay=0.01) == [("ok", 200)]
        assert time.monotonic() - begun >= least
        with routable.Client() as client:
            assert client.perform(api.operations.fetch(path=f"count/{key}")).text == "2"


@every_way
def test_credentials_do_not_cross_hosts(way: Way) -> None:
    seen: List[Dict[str, str]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            seen.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(302 if self.path == "/from" else 200)
            self.send_header("Location", f"http://127.0.0.1:{servers[1].server_address[1]}/to")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        place = f"http://127.0.0.1:{servers[0].server_address[1]}"
        request = routable.open({"routable": 1, "base": place, "operations": {"fetch": {"get": "/from"}}}).build("fetch")
        for name in ("Authorization", "Cookie", "X-API-Key", "X-Plain"):
            request.set_header(name, "secret")
        assert way(request) == [("ok", 200)]
        secrets = {"authorization", "cookie", "x-api-key"}
        assert secrets <= set(seen[0]) and not secrets & set(seen[1]) and seen[1]["x-plain"] == "secret"
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


# --- Certificates ---


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tuple[Path, Dict[str, str]]]:
    """The file of the authority, and the URL of a service for each kind of certificate."""
    folder = tmp_path_factory.mktemp("certificates")
    authority, past = trustme.CA(), datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    made = {
        "good": authority.issue_cert("127.0.0.1"),
        "expired": authority.issue_cert("127.0.0.1", not_before=past - datetime.timedelta(days=9), not_after=past),
        "wrong-host": authority.issue_cert("other.test"),
        "self-signed": trustme.CA().issue_cert("127.0.0.1"),
    }

    class Quiet(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """Ignores refused handshakes, which the tests provoke."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    servers, places = [], {}
    for name, certificate in made.items():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        server = Quiet(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        places[name] = f"https://127.0.0.1:{server.server_address[1]}"
    yield folder / "ca.pem", places
    for server in servers:
        server.shutdown()
        server.server_close()


@every_way
@pytest.mark.parametrize("name", ["good", "expired", "wrong-host", "self-signed"])
def test_untrusted_certificates_are_tls_errors(certificates: Tuple[Path, Dict[str, str]], way: Way, name: str) -> None:
    ca_file, places = certificates
    request = routable.open({"routable": 1, "base": places[name], "operations": {"fetch": {"get": "/"}}}).build("fetch")
    assert way(request, ca_file=ca_file) == [("ok", 200) if name == "good" else ("tls", None)]


# --- HTTP/2 ---


@pytest.fixture
def service(tmp_path: Path) -> Iterator[http2.Service]:
    made = http2.Service(tmp_path)
    yield made
    made.close()


@every_way
@pytest.mark.parametrize("name, expected", [
    ("ok", ("ok", 200)), ("goaway", ("transfer", None)), ("goaway-after", ("ok", 200)), ("refused", ("transfer", None)),
    ("reset-head", ("transfer", None)), ("reset-body", ("transfer", None)), ("close-body", ("transfer", None)),
])
def test_http2_faults_have_one_outcome(service: http2.Service, way: Way, name: str, expected: Outcome) -> None:
    request = routable.open({"routable": 1, "base": service.base, "operations": {"fetch": {"get": f"/{name}"}}}).build("fetch")
    assert way(request, ca_file=service.ca_file) == [expected]
    assert service.requests[f"/{name}"] >= 1


def test_http2_goaway_ends_no_other_request(service: http2.Service) -> None:
    """The connection ends with GOAWAY while other requests are in progress: each has one outcome, and with retries all succeed."""
    router = routable.open({"routable": 1, "base": service.base, "operations": {"fetch": {"get": "/{path}"}}})
    requests = [router.build("fetch", routable.using(ids=["goaway-after" if number % 5 == 4 else "ok"])) for number in range(40)]
    with routable.Client(ca_file=service.ca_file, retries=20, retry_delay=0.01, **OPTIONS) as client:
        ended = list(client.perform_all(requests, concurrency=8))
    assert len(ended) == 40
    assert {id(each.request) for each in ended} == {id(request) for request in requests}
    assert [outcome_of(each.response, each.error) for each in ended] == [("ok", 200)] * 40
    assert service.connections > 1


# --- Cancel, close, signals, functions that call back ---


@pytest.mark.parametrize("name", ["ok", "never", "half", "drip", "big", "flaky/cancelled/9/503"])
def test_a_cancelled_transfer_reports_nothing_more(api: routable.Router, name: str) -> None:  # noqa: F811
    for turns in range(6):
        ended: List[Any] = []
        with routable.Client(**OPTIONS, retries=5) as client:
            transfer = client.submit(api.operations.fetch(path=f"faults/{name}"), on_end=ended.append)
            for _ in range(turns):
                client.drive(0)
            before = len(ended)
            is_outcome = transfer.cancel()
            while client.drive(None):
                pass
            assert len(ended) == (0 if is_outcome else 1)  # exactly one outcome
            assert before == 0 or not is_outcome
            if is_outcome:
                with pytest.raises(routable.CancelledError):
                    transfer.result()


def test_a_task_can_be_cancelled_at_any_time(api: routable.Router) -> None:  # noqa: F811
    async def run() -> None:
        async with routable.AsyncClient(**OPTIONS) as client:
            cancelled: List[str] = []
            for name in ("ok", "never", "half", "drip", "slow/50"):
                for turns in range(5):
                    task = asyncio.ensure_future(client.perform(api.operations.fetch(path=f"faults/{name}")))
                    for _ in range(turns):
                        await asyncio.sleep(0.001)
                    task.cancel()
                    try:
                        assert (await task).status == 200
                    except asyncio.CancelledError:
                        cancelled.append(name)
            assert cancelled.count("never") == 5 and set(cancelled) == {"ok", "never", "half", "drip", "slow/50"}
            assert (await client.perform(api.operations.fetch(path="faults/ok"))).status == 200

    asyncio.run(run())


def test_closing_a_client_ends_transfers_of_all_kinds(api: routable.Router) -> None:  # noqa: F811
    told: List[Any] = []
    client = routable.Client(**OPTIONS)
    transfers = [client.submit(api.operations.fetch(path=f"faults/{name}"), on_end=told.append) for name in ("never", "half", "big")]
    streams = [client.pieces(api.operations.fetch(path="endless")) for _ in range(3)]
    upload = api.operations.put(path="hash")
    upload.set_body_from(lambda size: None)
    waiting = client.submit(upload)
    for stream in streams:
        next(stream)
    client.close()
    assert [each for each in told if each.error is None] == []
    for stream in streams:
        with pytest.raises((routable.CancelledError, ValueError)):
            for _ in stream:
                pass
    for transfer in [*transfers, waiting]:
        with pytest.raises((routable.CancelledError, routable.RoutableError, ValueError)):
            transfer.result(1)


def test_signals_do_not_disturb_waits(api: routable.Router) -> None:  # noqa: F811
    rung: List[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    try:
        for way in WAYS:
            assert way(api.operations.fetch(path="faults/slow/40")) == [("ok", 200)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung


def test_functions_of_a_body_may_call_the_client(api: routable.Router) -> None:  # noqa: F811
    """The functions of a body call perform, submit, cancel, and close of the client itself."""
    with routable.Client(**OPTIONS) as client:
        seen: List[int] = []

        def take(piece: bytes) -> None:
            if not seen:
                seen.append(client.perform(api.operations.fetch(path="faults/ok")).status)
                other = client.submit(api.operations.fetch(path="faults/never"))
                assert other.cancel()

        request = api.operations.fetch(path="file/back/300000/none/0")
        request.write_to(take)
        assert client.submit(request).result().status == 200
        assert seen == [200]
        own: List[routable.Transfer] = []
        request.write_to(lambda piece: own[0].cancel())
        own.append(client.submit(request))
        with pytest.raises(routable.CancelledError):
            own[0].result()
        request.write_to(lambda piece: client.close())
        last = client.submit(request)
        with pytest.raises(routable.CancelledError):
            last.result()
