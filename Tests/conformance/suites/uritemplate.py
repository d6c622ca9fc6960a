"""URI templates (RFC 6570): expanded through both tiers, with values as arguments and as one JSON object."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, string_at
from typing import Any, Dict, Iterator, Tuple, Union

from harness import Difference, Suite, expect
from library import Json, Refusal, _arguments, _refusal, str_of
from routable import _capi as c


def expanded(template: str, variables: Dict[str, Any]) -> Union[str, Refusal]:
    encoded = template.encode("utf-8", "surrogatepass")
    text = str_of(encoded)
    out, error = c.routable_string(), POINTER(c.routable_error)()
    values = json.dumps(variables).encode("ascii")
    status = c.routable_template_expand_json(encoded, len(encoded), values, len(values), byref(out), byref(error))
    if status != c.ROUTABLE_OK:
        return _refusal(status, error)
    result = string_at(out.ptr, out.len).decode("ascii")
    c.routable_string_free(byref(out))
    if not any("\0" in name for name in variables):
        arguments = _arguments([(name.encode("utf-8"), Json(json.dumps(value))) for name, value in variables.items()])
        status = c.routable_template_expand(text, arguments, len(arguments), byref(out), byref(error))
        if status != c.ROUTABLE_OK:
            return _refusal(status, error)
        expect(f"{template}, object tier", result, string_at(out.ptr, out.len).decode("ascii"))
        c.routable_string_free(byref(out))
    return result


def sections(data: Any) -> Iterator[Tuple[str, Any]]:
    for title, section in data.items():
        for index, (template, expected) in enumerate(section["testcases"]):
            place = title.replace("~", "~0").replace("/", "~1")
            yield f"/{place}/testcases/{index}", (template, section["variables"], expected)


def check(vector: Any, data: Any) -> None:
    if isinstance(vector, dict):
        template, variables, expected = vector["template"], vector["variables"], vector["expected"]
    else:
        template, variables, expected = vector
    got = expanded(template, variables)
    if expected is False:
        expect(template, True, isinstance(got, Refusal))
    elif isinstance(expected, list):
        if got not in expected:
            raise Difference((template, variables), expected, got)
    elif got != expected:
        raise Difference((template, variables), expected, got)


SUITES = [
    Suite("uritemplate/spec-examples*.json", check, sections),
    Suite("uritemplate/extended-tests.json", check, sections),
    Suite("uritemplate/negative-tests.json", check, sections),
    Suite("uritemplate/generated-two-libraries.json", check),
]
