"""Links: the URLs in a response, followed as requests."""

from __future__ import annotations

from ctypes import POINTER, byref, sizeof
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _capi as c
from ._check import check, new_error
from ._text import data, name, optional_name, to_text, utf8
from .errors import ArgumentError, ResponseError
from .request import Request
from .response import Response
from .template import expand

if TYPE_CHECKING:
    from .router import PlainRouter


def follow(
    router: "PlainRouter", source: Union[Response, str], *, rel: Optional[str] = None, pointer: Optional[str] = None,
    values: Optional[Mapping[str, object]] = None, method: str = "GET", base: Any = None,
) -> Request:
    """Implements `Router.follow`."""
    if isinstance(source, Response):
        target, origin = find(source, rel, pointer), source.url
    elif isinstance(source, str):
        if rel is not None or pointer is not None:
            raise ArgumentError("rel and pointer require a response, not a URL", parameter="rel")
        target, origin = source, ""
    else:
        raise TypeError(f"follow requires a Response or a URL, not {type(source).__name__}")
    if values is not None:
        target = expand(target, values)
    url, start = utf8("source", target), utf8("url", origin)
    link = c.routable_link(
        size=sizeof(c.routable_link), url=data(url), method=name("method", method), base=optional_name("base", _base(base)),
        relative_to=data(start),
    )
    out, error = POINTER(c.routable_request)(), new_error()
    check(c.routable_router_follow(router._live(), byref(link), byref(out), byref(error)), error)
    made = Request(out, None)
    made._result_type = router._result_type(made.route, made.operation)
    return made


def _base(given: Any) -> Optional[str]:
    """A base, or that of a client."""
    if given is None or isinstance(given, str):
        return given
    client = getattr(given, "_client", given)
    if not hasattr(client, "_base"):
        raise TypeError(f"base must be a str, a Client or an AsyncClient, not {type(given).__name__}")
    found: Optional[str] = client._base
    return found


def find(response: Response, rel: Optional[str] = None, pointer: Optional[str] = None) -> str:
    """The URL in a response, as it stands there.  ResponseError if there is none."""
    if rel is not None and pointer is not None:
        raise ArgumentError("rel or pointer is expected, not both", parameter="rel")
    found: Any = None
    if pointer is not None:
        found, what = _at(response.json(), pointer), f"no URL at {pointer}"
    elif rel is not None:
        header, out = utf8("Link", ", ".join(response.headers.get_all("Link"))), c.routable_str()
        if c.routable_link_find(data(header), name("rel", rel), byref(out)):
            found = to_text(out)
        what = f'no Link header with the relation "{rel}"'
    else:
        found, what = response.headers.get("Location"), "no Location header"
    if not isinstance(found, str) or not found:
        raise ResponseError(f"the response has {what}", http_status=response.status, response=response)
    return found


def _at(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer (RFC 6901), or None."""
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict):
            value = value.get(step)
        else:
            return None
    return value
