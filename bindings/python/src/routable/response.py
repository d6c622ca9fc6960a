"""Response: what came back, and what its body turned out to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, List, Optional, Type, TypeVar, Union, get_origin

from . import _capi as c
from . import _json
from ._text import to_bytes, to_header, to_text
from .errors import JSONError, ResponseError
from .headers import Headers
from .model import Misfit, fill

T = TypeVar("T")

#: The outcomes, in the order of routable.h.
OUTCOMES = ("empty", "self", "dictionary", "array", "raw")


@dataclass(frozen=True)
class Response:
    """An answer.  Immutable and self-contained: it may be kept, pickled and shared by threads.

    status   the HTTP status, 200
    outcome  how the body was mapped: "empty" (no body), "self" (one value of the declared type),
             "dictionary" (an object whose values are all of it), "array" (an array of it), "raw" (else)
    headers  Headers, names without regard to case
    body     the bytes as received, after content decoding
    url      the URL that answered, after redirects; "" for a mapped response
    type     the named type that the operation declares, or None
    """

    status: int
    outcome: str
    headers: Headers
    body: bytes
    url: str = ""
    type: Optional[str] = None

    @cached_property
    def value(self) -> Any:
        """The body as Python values where it is JSON, the bytes where it is not, None where it is empty."""
        if self.outcome == "empty":
            return None
        try:
            return self.json()
        except JSONError:
            return self.body

    @property
    def text(self) -> str:
        """The body as text: UTF-8, a byte that is not is replaced."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON, whatever the outcome.  JSONError when it is not."""
        return _json.loads("body", self.body)

    def into(self, model: Type[T]) -> Union[T, Dict[str, T], List[T], None]:
        """The body filled into a model: a dataclass, a TypedDict, a pydantic model or a type such as `int`.

        Per outcome: "self" gives a T, "dictionary" a dict[str, T], "array" a list[T], "empty" None.  A
        generic such as `list[Todo]` is filled from the whole body.  Where the operation declares no type,
        the body is held against the model itself in the same order: self, dictionary, array.

        ResponseError, with a pointer into the body and the response itself, when it does not fit.
        """
        if self.outcome == "empty":
            return None
        if get_origin(model) is not None:
            return self.as_self(model)
        if self.outcome == "array":
            return self.as_array(model)
        if self.outcome == "dictionary":
            return self.as_dictionary(model)
        if self.outcome == "raw" and self.type is None:
            return self._first(model)
        return self.as_self(model)

    def as_self(self, model: Type[T]) -> T:
        """The whole body as one T.  ResponseError when it does not fit."""
        return self._fill(model, model)  # type: ignore[no-any-return]

    def as_dictionary(self, model: Type[T]) -> Dict[str, T]:
        """The body as an object whose values are all T.  ResponseError when it does not fit."""
        return self._fill(Dict[str, model], model)  # type: ignore[valid-type,no-any-return]

    def as_array(self, model: Type[T]) -> List[T]:
        """The body as an array whose elements are all T.  ResponseError when it does not fit."""
        return self._fill(List[model], model)  # type: ignore[valid-type,no-any-return]

    def _first(self, model: Type[T]) -> Union[T, Dict[str, T], List[T]]:
        """The first form that fits; when none does, the complaint about the form that the body has."""
        try:
            return self.as_self(model)
        except ResponseError as misfit:
            try:
                return self.as_array(model) if self.body.lstrip()[:1] == b"[" else self.as_dictionary(model)
            except ResponseError as other:
                raise (other if len(other.pointer) > len(misfit.pointer) else misfit) from other.__cause__

    def _fill(self, wanted: Any, model: Any) -> Any:
        title = getattr(model, "__name__", str(model))
        if self.outcome == "raw" and self.type is not None:
            raise self._misfit(f"the body does not fit {self.type}, which the operation declares, so it fills no {title}")
        try:
            return fill(wanted, self.json())
        except Misfit as misfit:
            raise self._misfit(f"the body does not fit {title}: {misfit}", misfit.pointer) from misfit.__cause__
        except JSONError as error:
            raise self._misfit(f"the body does not fit {title}: it is not JSON", offset=error.offset) from None

    def _misfit(self, message: str, pointer: str = "", offset: Optional[int] = None) -> ResponseError:
        return ResponseError(message, pointer=pointer, offset=offset, response=self, http_status=self.status)

    def __repr__(self) -> str:
        return f"<routable.Response {self.status} {self.outcome}: {len(self.body)} bytes>"


def read_response(pointer: Any, type: Optional[str] = None) -> Response:
    """Copies a routable_response, which the caller keeps alive meanwhile; `type` is what the operation declares."""
    headers: List[Any] = []
    for index in range(c.routable_response_header_count(pointer)):
        line = c.routable_response_header_at(pointer, index)
        headers.append((to_header(line.name), to_header(line.value)))
    return Response(
        status=c.routable_response_status(pointer),
        outcome=OUTCOMES[c.routable_response_outcome(pointer)],
        headers=Headers(headers),
        body=to_bytes(c.routable_response_body(pointer)),
        url=to_text(c.routable_response_url(pointer)),
        type=to_text(c.routable_response_type(pointer)) or type,
    )
