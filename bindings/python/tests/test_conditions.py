"""Conditional requests, the media types that an Accept header allows (A1), and credentials with streamed bodies."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Dict

import pytest
import routable
from slowness import SLOWNESS
from faults import api, base  # noqa: F401  (fixtures)

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize("tag", ['"v1"', 'W/"v1"', "date"])
def test_if_none_match_of_an_unchanged_resource_is_not_modified(api: routable.Router, tag: str) -> None:  # noqa: F811
    with routable.Client() as client:
        first = client.perform(api.operations.fetch(path=f"version/{tag}"))
        again = api.operations.fetch(path=f"version/{tag}")
        again.if_none_match(first)
        second = client.perform(again)
        assert (second.status, second.outcome, second.body, second.value) == (304, "empty", b"", None)
        assert [each.response and each.response.status for each in client.perform_all([again])] == [304]
        other = api.operations.fetch(path='version/"v2"')
        other.if_none_match(first)
        assert client.perform(other).status == 200


def test_if_match_of_a_changed_resource_fails(api: routable.Router) -> None:  # noqa: F811
    with routable.Client() as client:
        first = client.perform(api.operations.fetch(path='version/"v1"'))
        same, other = (api.operations.put(path=f'version/"{tag}"') for tag in ("v1", "v2"))
        for request in (same, other):
            request.if_match(first)
        assert client.perform(same).status == 200
        with pytest.raises(routable.HTTPStatusError) as caught:
            client.perform(other)
        assert caught.value.http_status == 412


def test_conditions_without_a_strong_version_are_refused(api: routable.Router) -> None:  # noqa: F811
    request = api.operations.fetch(path="x")
    with pytest.raises(routable.ValueRefusedError, match="is weak"):
        request.if_match('W/"a"')
    with pytest.raises(routable.ValueRefusedError, match="neither an ETag nor a Last-Modified"):
        request.if_match(routable.Response(200, "empty", routable.Headers([]), b""))
    with pytest.raises(routable.ValueRefusedError):
        request.if_none_match("unquoted")
    assert not [name for name in request.headers if name.lower().startswith("if-")]
    request.if_none_match(routable.Response(200, "empty", routable.Headers([("Last-Modified", DATE)]), b""))
    request.if_match('"a"')
    assert request.headers["If-Modified-Since"] == DATE and request.headers["If-Match"] == '"a"'


@pytest.mark.parametrize(("accept", "type", "good"), [
    ("application/json", "application/vnd.github+json", True), ("application/vnd.github+json", "application/json", True),
    ("application/json", "application/vnd.github+xml", False), ("application/json", "application/xjson", False),
])
def test_A1_structured_suffixes(accept: str, type: str, good: bool) -> None:
    router = routable.open({"routable": 1, "base": "http://h", "headers": {"Accept": accept}, "operations": {"get": {"get": "/"}}})
    response = router.map_response(None, "get", 200, {"Content-Type": type}, b"{}")
    told = [] if good else [f"the service responded with {type} where {accept} was requested"]
    assert (response.status, response.outcome, [each.message for each in response.deviations]) == (200, "raw", told)


# --- Credentials of bodies that are streamed ---

LOCKED: Dict[str, Any] = {
    "routable": 1,
    "auth": {"session": {"scheme": "bearer"}},
    "operations": {"fetch": {"get": "/{path*}", "auth": "session"}},
}


@pytest.fixture
def locked(base: str) -> routable.Router:  # noqa: F811
    return routable.open(LOCKED, base=base)


def test_auth_of_downloads_and_streams(locked: routable.Router, tmp_path: Path) -> None:
    get = locked.operations.fetch
    one = {"session": "mine"}
    with routable.Client(credentials={"session": "the client's"}) as client:
        path = tmp_path / "echo"
        client.download(get(path="echo"), path, auth=one)
        assert b'"Bearer mine"' in path.read_bytes()
        for stream in (client.pieces(get(path="echo"), auth=one), client.lines(get(path="echo"), auth=one)):
            assert "Bearer mine" in "".join(each if isinstance(each, str) else each.decode() for each in stream)
        (value,) = client.values(get(path="echo"), auth=False)
        assert "Authorization" not in [name for name, _ in value["headers"]]
        (value,) = client.values(get(path="echo"))
        assert ["Authorization", "Bearer the client's"] in value["headers"]

    async def run() -> None:
        async with routable.AsyncClient() as client:
            await client.download(get(path="echo"), path, auth=one)
            assert b'"Bearer mine"' in path.read_bytes()
            assert ["Authorization", "Bearer mine"] in [each async for each in client.values(get(path="echo"), auth=one)][0]["headers"]
            with pytest.raises(routable.CredentialError):
                client.pieces(get(path="echo"))

    asyncio.run(run())


def test_last_event_id_after_a_401(locked: routable.Router) -> None:
    """The token is refused when the stream is connected again: the attempt with the new token resumes at the same event."""
    tokens = iter(["one", "two"])
    with routable.Client(credentials={"session": lambda old: next(tokens)}, deadline=20 * SLOWNESS) as client:
        events = client.events(locked.operations.fetch(path="events/locked"), reconnects=2, retry=0.01)
        assert [(each.event, each.data) for each in events] == [
            ("from", " Bearer one"), ("message", "1"), ("from", "a Bearer two"), ("message", "2")]
