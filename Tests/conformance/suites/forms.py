"""Forms by the rules of WHATWG: writing pairs, reading text, and the form that a browser sends for one field."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, string_at
from typing import Any, Dict, List

from harness import Difference, Suite, expect
from library import Built, Refusal, Router
from routable import _capi as c

from .multipart import check_html

URL_SEARCH_PARAMS = {"escape": "whatwg", "order": "given", "arrays": "none"}
HTML_FORM = {**URL_SEARCH_PARAMS, "newlines": "crlf"}
TYPE = b"application/x-www-form-urlencoded"


def written(encoding: Dict[str, str], pairs: List[List[str]]) -> str:
    """Writes a body of pairs, and compares it with the same pairs as parameters of the object tier, if C can represent their names."""
    operation = {"post": "/form", "body_as": "form", "encoding": encoding}
    router = Router.opened({"routable": 1, "base": "http://h.test", "operations": {"form": operation}})
    result = router.build_json({"operation": "form", "body": pairs})
    if isinstance(result, Refusal):
        raise Difference(pairs, "a request", result)
    expect(pairs, TYPE, result.header(b"Content-Type"))
    body = (result.body or b"").decode("ascii")
    if not any("\0" in name for name, _ in pairs):
        arguments = [(name.encode("utf-8"), value.encode("utf-8")) for name, value in pairs]
        again = router.build("form", parameters=arguments)
        expect(f"{pairs}, object tier", body, (again.body or b"").decode("ascii") if isinstance(again, Built) else again)
    return body


def check_serialize(vector: Any, data: Any) -> None:
    expect(vector["pairs"], vector["output"], written(URL_SEARCH_PARAMS, vector["pairs"]))


def check_field(vector: Any, data: Any) -> None:
    """One field, in both forms; without multipart, the value of a file is its name."""
    if vector.get("multipart_body") is not None:
        check_html(vector)
    if vector.get("urlencoded") is None:
        return
    value = vector["filename"] if vector.get("value") is None else vector["value"]
    expect(vector["description"], vector["urlencoded"], written(HTML_FORM, [[vector["name"], value]]))


def check_parse(vector: Any, data: Any) -> None:
    out, error = c.routable_string(), POINTER(c.routable_error)()
    form = vector["input"].encode("utf-8")
    status = c.routable_form_to_json(form, len(form), byref(out), byref(error))
    expect(vector["input"], c.ROUTABLE_OK, status)
    pairs = json.loads(string_at(out.ptr, out.len))
    c.routable_string_free(byref(out))
    expect(vector["input"], vector["output"], pairs)


SUITES = [
    Suite("forms/whatwg-urlencoded-serialize.json", check_serialize),
    Suite("forms/whatwg-urlencoded-parse.json", check_parse),
    Suite("forms/html-form-submission.json", check_field),
]
