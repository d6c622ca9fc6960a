"""Schema: validates JSON values against a JSON Schema."""

from __future__ import annotations

from ctypes import POINTER, byref, c_size_t, sizeof
from typing import Any, Mapping, Optional, Union

from . import _capi as c
from . import _json
from ._check import check, check_value, new_error, take_string
from ._direct import undeclared
from ._handle import Owned
from ._text import data, natural, optional_name, utf8
from .errors import BodyError

#: A schema or a document: JSON text, or what json.loads makes of it.
Source = Union[str, bytes, bytearray, bool, Mapping[str, Any]]

DIALECTS = {
    "2020-12": c.ROUTABLE_DIALECT_2020_12,
    "openapi-3.0": c.ROUTABLE_DIALECT_OPENAPI_30,
    "openapi-3.1": c.ROUTABLE_DIALECT_OPENAPI_31,
}

_validate = undeclared("routable_schema_validate")


class Schema(Owned):
    """A compiled JSON Schema.

        schema = routable.Schema({"type": "object", "required": ["name"]})
        schema.check({"name": "x"})                  # BodyError with .pointer and .schema_pointer if it is not valid
        schema.accepts(b'{"name":1}')                # bytes are JSON

    `documents` are further documents for references, by their URI; references are never fetched.  With `formats`, "format" is
    validated.  `router.schema("Type")` returns the schema of a named type.  Immutable: any number of threads may use one
    schema at the same time.  Raises JSONError, DocumentError, LimitError.
    """

    __slots__ = ()

    def __init__(
        self,
        schema: Source,
        *,
        documents: Optional[Mapping[str, Source]] = None,
        uri: Optional[str] = None,
        dialect: str = "2020-12",
        formats: bool = False,
    ) -> None:
        if dialect not in DIALECTS:
            raise ValueError(f"dialect must be one of {', '.join(sorted(DIALECTS))}, not {dialect!r}")
        named = [(utf8("uri", key), _text("documents", value)) for key, value in (documents or {}).items()]
        array = (c.routable_document * len(named))(
            *(c.routable_document(data(key), data(value)) for key, value in named)
        )
        options = c.routable_schema_options(
            size=sizeof(c.routable_schema_options),
            uri=optional_name("uri", uri),
            documents=array,
            document_count=len(named),
            dialect=DIALECTS[dialect],
            flags=c.ROUTABLE_SCHEMA_ASSERT_FORMATS if formats else 0,
        )
        text = _text("schema", schema)
        out, error = POINTER(c.routable_schema)(), new_error()
        check(c.routable_schema_open(text, len(text), byref(options), byref(out), byref(error)), error)
        super().__init__(out, c.routable_schema_free)

    @classmethod
    def _of(cls, pointer: Any) -> "Schema":
        schema = cls.__new__(cls)
        Owned.__init__(schema, pointer, c.routable_schema_free)
        return schema

    def check(self, value: object, *, max_errors: int = 1) -> None:
        """Validates a value.  Raises BodyError with up to `max_errors` errors, linked by `.next`; LimitError, JSONError.

        bytes are JSON; any other value, including a str, is converted to JSON first.
        """
        most = c_size_t(natural("max_errors", max_errors, 1))
        quick = _json.only_checked(value)
        if quick is not None and _validate(self._live(), quick, c_size_t(len(quick)), most, None) == 0:
            return  # a value that is not valid is converted and validated again, for its errors
        content, error = _json.text("value", value), new_error()
        status = _validate(self._live(), content, c_size_t(len(content)), most, byref(error))
        if status:
            check_value(status, error, value)

    def accepts(self, value: object) -> bool:
        """Whether the value is valid.  Raises LimitError, JSONError."""
        try:
            self.check(value)
        except BodyError:
            return False
        return True

    def sample(self, *, seed: int = 0, varied: bool = False) -> Any:
        """A generated value that is valid: the same for the same seed.

        `varied` prefers edges: empty and long strings, Unicode, large numbers, null.  Raises UnsupportedError if no valid value was
        found.
        """
        flags = c.ROUTABLE_SAMPLE_VARIED if varied else 0
        text = take_string(c.routable_schema_sample, self._live(), natural("seed", seed, 0, (1 << 64) - 1), flags)
        return _json.loads("sample", text)


def _text(what: str, source: object) -> bytes:
    if isinstance(source, str):
        return utf8(what, source)
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    return _json.dumps(what, source)
