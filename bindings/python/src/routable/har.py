"""HAR: records requests and responses of a client in a file that browsers and proxies read (HTTP Archive 1.2)."""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union
from urllib.parse import parse_qsl, urlsplit

from ._error import NO_SUCCESS
from ._version import VERSION_TEXT
from .errors import ArgumentError, RoutableError

if TYPE_CHECKING:
    from ._client import ClientBase
    from ._flows import Steps
    from .request import Request
    from .response import Response

_SECRET = frozenset(("set-cookie", "set-cookie2", "authorization", "proxy-authorization", "authentication-info", "cookie"))
_HIDDEN = "***"
_PASSWORD = re.compile(r"(://)[^/@\s\"'<>]*@")
_QUERY = re.compile(r"\?[^\s\"<>]*")


class Har:
    """Middleware that records requests and responses; `save` writes them to a file that only its owner can read.

        with routable.har.Har("client.har") as har, routable.Client(middleware=[har]) as client:
            ...

    Headers and query parameters that contain secrets are masked as in `Client.to_curl`, and so are cookies of responses.
    Bodies may contain secrets that the description does not declare: they are recorded only with `bodies`.  After
    `max_entries` nothing more is recorded, and the file states how many are missing.
    """

    def __init__(self, path: "Union[str, os.PathLike[str]]", *, bodies: bool = False, max_entries: int = 10_000) -> None:
        if max_entries < 1:
            raise ArgumentError("max_entries: at least 1 is expected", parameter="max_entries")
        self.path = path
        self.entries: List[Dict[str, Any]] = []
        self.missing = 0
        self._bodies = bodies
        self._maximum = max_entries

    def flow(self, request: "Request", client: "ClientBase") -> "Steps":
        begun = self._begin(request, client)
        try:
            response = yield request
        except RoutableError as error:
            # The response of a failed refresh is that of another request.
            self._end(begun, None if error.status == "credential" else error.response, error)
            raise
        self._end(begun, response, None)
        return response

    def _begin(self, request: "Request", client: "ClientBase") -> "Tuple[Any, ...]":
        url, headers = _masked(client.to_curl(request))
        content = request.body if self._bodies and not request._records else None
        told: Dict[str, Any] = {
            "method": request.method, "url": url, "httpVersion": "unknown", "cookies": [], "headers": headers,
            "queryString": [{"name": name, "value": value} for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True)],
            "headersSize": -1, "bodySize": -1 if request._records else len(request.body or b""),
        }
        if content is not None:
            told["postData"] = {"mimeType": request.headers.get("Content-Type", ""), "text": content.decode("utf-8", "replace")}
        return told, ".".join(each for each in (request.route, request.operation) if each), datetime.now(timezone.utc), time.monotonic()

    def _end(self, begun: "Tuple[Any, ...]", response: "Optional[Response]", error: Optional[RoutableError]) -> None:
        request, operation, start, began = begun
        if len(self.entries) >= self._maximum:
            self.missing += 1
            return
        took = (time.monotonic() - began) * 1000
        answered: Dict[str, Any] = {
            "status": 0, "statusText": "", "httpVersion": "unknown", "cookies": [], "headers": [], "redirectURL": "",
            "content": {"size": 0, "mimeType": "x-unknown"}, "headersSize": -1, "bodySize": -1,
        }
        if response is not None:
            hidden = _SECRET | {each["name"].lower() for each in request["headers"] if _HIDDEN in each["value"]}
            answered["status"] = response.status
            answered["httpVersion"] = response.http_version or "unknown"
            answered["headers"] = [
                {"name": name, "value": _HIDDEN if name.lower() in hidden else _without_secrets(name.lower(), value)}
                for name, value in response.headers.pairs
            ]
            answered["content"] = {"size": len(response.body), "mimeType": response.headers.get("Content-Type", "")}
            if "_is_head" in response.__dict__:
                answered["content"]["comment"] = "a stream: the body is not recorded"
            elif self._bodies:
                answered["content"]["text"] = response.text
        entry: Dict[str, Any] = {
            "startedDateTime": start.isoformat(), "time": took, "request": request, "response": answered, "cache": {},
            "timings": {"send": 0, "wait": took, "receive": 0}, "_operation": operation,
        }
        if error is not None:
            # The message of an error status contains the beginning of the body.
            message = error.message if self._bodies or not error.excerpt else error.message.partition(NO_SUCCESS)[0] + NO_SUCCESS
            entry["_error"] = f"{error.status}: {message}"
        self.entries.append(entry)

    def to_dict(self) -> Dict[str, Any]:
        """The archive as JSON values."""
        log: Dict[str, Any] = {"version": "1.2", "creator": {"name": "routable", "version": VERSION_TEXT}, "entries": list(self.entries)}
        if self.missing:
            log["comment"] = f"{self.missing} further requests were not recorded"
        return {"log": log}

    def save(self) -> None:
        """Writes the file atomically, with mode 0600.  Raises OSError."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
        path = os.fspath(self.path)
        part = f"{path}.part-{os.getpid()}"
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            with os.fdopen(file, "wb") as out:
                out.write(text)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise

    def __enter__(self) -> "Har":
        return self

    def __exit__(self, *exception: object) -> None:
        self.save()


def _masked(curl: str) -> "Tuple[str, List[Dict[str, str]]]":
    """URL and headers as a curl command shows them, whose secrets are masked."""
    words = iter(shlex.split(curl))
    headers, url = [], ""
    for option in words:
        if option not in ("printf", "-X", "-H", "--url", "--data-binary", "--data-raw", "--form"):
            continue
        value = next(words, "")
        if option == "-H":
            name, _, content = value.partition(":")
            headers.append({"name": name.rstrip(";"), "value": content.strip()})
        elif option == "--url":
            url = value
    return url, headers


def _without_secrets(name: str, value: str) -> str:
    """A header of a response without the passwords of URLs, and without the queries of those that a client follows."""
    value = _PASSWORD.sub(rf"\1{_HIDDEN}@", value)
    return _QUERY.sub(f"?{_HIDDEN}", value) if name in ("location", "content-location", "link", "refresh") else value
