"""Converts YAML to JSON by the rules of YAML 1.2, for OpenAPI documents in YAML, which the library does not read."""

from __future__ import annotations

import json
import re
from typing import Any, List

from .errors import ArgumentError, JSONError, LimitError, UnsupportedError

_LIMIT = 64 << 20


def to_json(what: str, text: str, limit: int) -> bytes:
    """The document as JSON text of at most `limit` bytes (0: 64 MiB).  UnsupportedError without PyYAML; JSONError
    for text that is not YAML; ArgumentError for values that JSON does not have; LimitError."""
    try:
        import yaml
    except ImportError:
        raise UnsupportedError(f"{what} is YAML, which requires the package PyYAML (Debian: python3-yaml)") from None
    try:
        value = yaml.load(text, Loader=_loader(yaml))  # a safe loader: no object is made of a tag
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
        raise JSONError(f"{what}: {getattr(error, 'problem', None) or error}", **place) from None
    except RecursionError:
        raise LimitError(f"{what}: nested too deeply") from None
    return _dumped(what, value, limit or _LIMIT)


def _dumped(what: str, value: Any, limit: int) -> bytes:
    """Writes JSON piece by piece, so that nested aliases reach the limit before they fill the memory."""
    pieces: List[str] = []
    size = 0
    encoder = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
    try:
        for piece in encoder.iterencode(_named(value, 0)):
            size += len(piece)
            if size > limit:
                raise LimitError(f"{what}: more than {limit} bytes as JSON")
            pieces.append(piece)
    except RecursionError:
        raise LimitError(f"{what}: nested too deeply, or it contains itself") from None
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{what}: {error}") from None
    return "".join(pieces).encode("ascii")


class _Named(dict):  # type: ignore[type-arg]
    """A mapping whose names become strings on access, so that aliases are not expanded before they are written."""

    def __init__(self, given: Any, depth: int) -> None:
        super().__init__(given)
        self._depth = depth

    def items(self) -> Any:
        return ((_name(key), _named(value, self._depth + 1)) for key, value in super().items())


class _Listed(list):  # type: ignore[type-arg]
    def __init__(self, given: Any, depth: int) -> None:
        super().__init__(given)
        self._depth = depth

    def __iter__(self) -> Any:
        return (_named(value, self._depth + 1) for value in super().__iter__())


def _named(value: Any, depth: int) -> Any:
    if depth > 512:
        raise RecursionError
    if isinstance(value, dict):
        return _Named(value, depth)
    return _Listed(value, depth) if isinstance(value, list) else value


def _name(key: Any) -> str:
    """Converts a key: a status such as 200 is a number in YAML and a name in OpenAPI."""
    if isinstance(key, str):
        return key
    return json.dumps(key)


def _loader(yaml: Any) -> Any:
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc, valid-type]
        """The core schema of YAML 1.2: no dates, no yes and no, no octal by a leading zero."""

        yaml_implicit_resolvers: Any = {}

    for tag, pattern, first in (
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
        ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+0123456789.")),
        ("merge", r"<<", ["<"]),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), first)

    def integer(loader: Any, node: Any) -> int:
        text: str = loader.construct_scalar(node)
        return int(text, 8) if text.startswith("0o") else int(text, 16) if text.startswith("0x") else int(text)

    def real(loader: Any, node: Any) -> float:
        return float(loader.construct_scalar(node))

    Loader.add_constructor("tag:yaml.org,2002:int", integer)
    Loader.add_constructor("tag:yaml.org,2002:float", real)
    return Loader
