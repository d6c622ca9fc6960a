"""URI templates: RFC 6570, all four levels."""

from __future__ import annotations

from ctypes import byref
from typing import Mapping, Optional

from . import _capi as c
from . import _json
from ._check import check, new_error
from ._text import take, utf8


def expand(template: str, values: Optional[Mapping[str, object]] = None, /, **named: object) -> str:
    """Expands a URI template: expand("/search{?q,list*}", q="a b", list=["x", "y"]).

    Values are JSON values of one level; None and names without a value are undefined.  Raises DocumentError, with the offset,
    for an invalid template, and ValueRefusedError.
    """
    if not isinstance(template, str):
        raise TypeError(f"template must be a str, not {type(template).__name__}")
    text = utf8("template", template)
    content = _json.dumps("values", {**(values or {}), **named})
    out, error = c.routable_string(), new_error()
    check(c.routable_template_expand_json(text, len(text), content, len(content), byref(out), byref(error)), error)
    return take(out)
