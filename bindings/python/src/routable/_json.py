"""Converts Python values to JSON for the library: exact numbers, UTF-8, and errors for values that JSON does not have."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import fsdecode

from ._text import utf8
from .errors import ArgumentError, JSONError, LimitError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Union

    #: Ids by position, or by name.
    Ids = Union[Sequence[object], Mapping[str, object]]

#: The encoder and the decoder of the json module, made when they are first needed: the module takes as long to import as this package.
_write: Any = None
_write_checked: Any = None
_write_ascii: Any = None
_read: Any = None
_scan: Any = None


def _start() -> None:
    global _write, _write_checked, _write_ascii, _read, _scan
    from json import JSONDecoder, JSONEncoder

    _write_checked = JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=plain).encode
    decoder = JSONDecoder(parse_constant=_refuse_constant)
    _read, _scan = decoder.decode, decoder.scan_once  # type: ignore[attr-defined]
    try:
        from json.encoder import c_make_encoder, encode_basestring, encode_basestring_ascii  # type: ignore[attr-defined]

        # The encoder that JSONEncoder makes anew for each value, without its record of the containers that are open.
        pieces = c_make_encoder(None, plain, encode_basestring, None, ":", ",", False, False, False)
        _write = lambda value: "".join(pieces(value, 0))  # noqa: E731
        _write_ascii = c_make_encoder(None, plain, encode_basestring_ascii, None, ":", ",", False, False, False)
    except (ImportError, TypeError):  # not CPython
        _write = _write_checked


def dumps(what: str, value: object) -> bytes:
    """The value as compact JSON.

    Beyond the types of the json module it takes dataclasses, pydantic models, mappings, enums, UUIDs and
    dates.  TypeError for another type; ArgumentError for NaN, an infinity, a lone surrogate or a value
    that contains itself; LimitError for one that is nested too deeply.
    """
    if _write is None:
        _start()
    try:
        try:
            text = _write(value)
        except RecursionError:
            text = _write_checked(value)  # detects a value that contains itself
    except RecursionError:
        raise LimitError(f"{what}: nested too deeply") from None
    except ValueError as error:
        raise ArgumentError(f"{what}: {error}", parameter=what) from None
    return utf8(what, text)


class _Lines:
    """Values as lines of JSON, which can be read more than once."""

    def __init__(self, values: Iterable[object]) -> None:
        self._values = values

    def __iter__(self) -> Iterator[bytes]:
        return (dumps("value", value) + b"\n" for value in self._values)


def lines(values: Iterable[object]) -> Iterable[bytes]:
    """JSON Lines; an iterator for an iterator, whose values can be read once."""
    made = _Lines(values)
    return iter(made) if isinstance(values, Iterator) else made


def only_checked(value: object) -> Optional[bytes]:
    """The value as JSON that is validated and not sent, in ASCII, which is written fastest; None for bytes, and for values that
    `text` must convert or reject."""
    if _write_ascii is None or isinstance(value, (bytes, bytearray)):
        return None
    try:
        return "".join(_write_ascii(value, 0)).encode()
    except Exception:  # any that a method of the value raises
        return None


def text(what: str, value: object) -> bytes:
    """Returns bytes, which are JSON, unchanged, and any other value as compact JSON."""
    return bytes(value) if isinstance(value, (bytes, bytearray)) else dumps(what, value)


#: What reads the bodies of responses; None for the json module.
_decoder: Optional[Callable[[bytes], Any]] = None


def set_json_decoder(decoder: Optional[Callable[[bytes], Any]]) -> None:
    """Sets the function that `Response.value` and `Response.json` parse bodies with, in all threads: a function from bytes to
    values, such as `msgspec.json.decode` or `orjson.loads`; None: the json module, the default.

    If the function raises ValueError, the json module parses the body again and decides.  The function determines how large
    numbers are converted: orjson converts integers beyond 64 bits to floats.
    """
    global _decoder
    if decoder is not None and not callable(decoder):
        raise TypeError(f"a decoder must be a function of bytes, or None, not {type(decoder).__name__}")
    _decoder = decoder


def read_body(body: bytes) -> Any:
    """Parses the body of a response, which may begin with a byte order mark.  Raises the errors of `loads`."""
    if body[:3] == b"\xef\xbb\xbf":
        body = body[3:]
    decoder = _decoder
    if decoder is not None:
        try:
            return decoder(body)
        except ValueError:  # msgspec's and orjson's errors are ones
            pass
    return loads("body", body)


def loads(what: str, text: Union[str, bytes]) -> Any:
    """Parses JSON.  Raises JSONError with the position, and LimitError for values that are nested too deeply."""
    if _read is None:
        _start()
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")  # json.loads would try UTF-16 and UTF-32 as well
        try:
            value, end = _scan(text, 0)
            if end == len(text):
                return value
        except StopIteration:  # there is no value at the start
            pass
        return _read(text)  # with white space around it, or an error
    except RecursionError:
        raise LimitError(f"{what}: nested too deeply") from None
    except ValueError as error:
        from json import JSONDecodeError

        if not isinstance(error, JSONDecodeError):
            raise JSONError(f"{what}: {error}") from None
        message = "Unexpected UTF-8 BOM (decode using utf-8-sig)" if error.doc.startswith("\ufeff") else error.msg
        before = error.doc[: error.pos].encode("utf-8", "replace")  # positions count bytes
        column = len(before) - before.rfind(b"\n")
        raise JSONError(f"{what}: {message}", offset=len(before), line=error.lineno, column=column) from None


def call(
    route: Optional[str],
    operation: str,
    *,
    ids: Ids = (),
    query: Optional[Mapping[str, object]] = None,
    parameters: Optional[Mapping[str, object]] = None,
    headers: Optional[Mapping[str, object]] = None,
    cookies: Optional[Mapping[str, object]] = None,
    body: object = None,
    files: Optional[Mapping[str, object]] = None,
    content_type: Optional[str] = None,
    base: Optional[str] = None,
    allow_empty_ids: bool = False,
) -> bytes:
    """A call JSON (docs/json-tier.md)."""
    message: Dict[str, object] = {"operation": operation}
    if route is not None:
        message["route"] = route
    if isinstance(ids, (str, bytes)):
        raise TypeError("ids must be a sequence or a mapping of ids, not a str")
    if ids:
        message["ids"] = _named("ids", ids) if isinstance(ids, Mapping) else list(ids)
    for key, values in (("query", query), ("parameters", parameters), ("headers", headers), ("cookies", cookies)):
        if values is not None:
            message[key] = _named(key, values)
    if isinstance(body, (bytes, bytearray, memoryview)):
        message["body_base64"] = _base64(body)
    elif body is not None:
        message["body"] = body
    if files is not None:
        message["files"] = {name: _file(name, file) for name, file in _named("files", files).items()}
    if content_type is not None:
        message["content_type"] = content_type
    if base is not None:
        message["base"] = base
    if allow_empty_ids:
        message["allow_empty_ids"] = True
    return dumps("call", message)


def _file(name: str, given: object) -> object:
    if isinstance(given, list):
        return [_file(name, each) for each in given]
    from .files import as_file

    file = as_file(name, given)
    made: Dict[str, Any] = {}
    if file.path is not None:
        made["path"] = fsdecode(file.path)
    else:
        made["content_base64"] = _base64(file.read())
    if file.filename is not None:
        made["filename"] = file.filename
    if file.content_type is not None:
        made["content_type"] = file.content_type
    return made


def _base64(content: Union[bytes, bytearray, memoryview]) -> str:
    from binascii import b2a_base64

    return b2a_base64(content, newline=False).decode("ascii")


def _named(what: str, values: Mapping[str, object]) -> Dict[str, object]:
    """Rejects names that are not strings: json.dumps would convert 1 and True to names."""
    for key in values:
        if not isinstance(key, str):
            raise TypeError(f"{what}: a name must be a str, not {type(key).__name__}")
    return dict(values)


def plain(value: Any) -> object:
    """Converts the outermost value to a type of the json module.  Raises TypeError if there is none."""
    records = sys.modules.get("routable.records")  # of a generated module
    if records is not None:
        if isinstance(value, records.DataRecord):
            return records.shallow(value)
        if isinstance(value, records.Absent):
            raise TypeError("ABSENT is only allowed as a member of an object")
    if hasattr(type(value), "__dataclass_fields__"):
        from dataclasses import fields

        return {field.name: getattr(value, field.name) for field in fields(value)}
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        # An order that is the same on every run: that of the values or, if they have none, of their JSON.
        try:
            return sorted(value)
        except TypeError:
            return sorted(value, key=_write_checked)
    if isinstance(value, Iterator):
        return list(value)
    # Without the module there are no values of it.
    enum, uuid, datetime, decimal = map(sys.modules.get, ("enum", "uuid", "datetime", "decimal"))
    if decimal is not None and isinstance(value, decimal.Decimal):
        return _number(value, decimal)
    if enum is not None and isinstance(value, enum.Enum):
        return value.value
    if uuid is not None and isinstance(value, uuid.UUID):
        return str(value)
    if datetime is not None and isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _number(value: Any, decimal: Any) -> object:
    """A Decimal as a number that has the same value.  Raises ValueError if there is none."""
    if not value.is_finite():
        raise ValueError(f"{value} is not a JSON number")
    number: object = int(value) if value == value.to_integral_value() and abs(value) < 1 << 63 else float(value)
    if decimal.Decimal(repr(number)) != value:
        raise ValueError(f"the Decimal {value} has more digits than a number keeps; pass it as a str, or the body as bytes")
    return number


def _refuse_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")
