"""The signature and the documentation of an operation, for `help`, `?`, completion and inspect.signature."""

from __future__ import annotations

from inspect import Parameter, Signature
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, List, Optional, Sequence

from .request import Request

if TYPE_CHECKING:
    from . import describe
    from ._using import Using

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


def _keywords(description: "describe.Operation", open_ids: Sequence[str]) -> "List[describe.Parameter]":
    """The parameters that are keywords of the call: not the ids of the walk, and not a name in two places."""
    found = []
    for each in description.parameters:
        if each.location == "path" and open_ids is not None and each.name not in open_ids and description.place != "root":
            continue
        if each.name.isidentifier() and not iskeyword(each.name) and len(description._places[each.name]) == 1:
            found.append(each)
    return found


def signature_of(description: "describe.Operation", open_ids: Sequence[str]) -> Signature:
    """`(body, options, /, *, required, optional=None)`."""
    from ._using import Using

    has_body = description.body_type is not None or bool(description.media_types) or description.body_schema() is not None
    made = []
    if has_body:
        made.append(Parameter("body", Parameter.POSITIONAL_ONLY, default=None, annotation=Any))
    made.append(Parameter("options", Parameter.POSITIONAL_ONLY, default=None, annotation=Optional[Using]))
    for each in _keywords(description, open_ids):
        default = Parameter.empty if each.required else None
        made.append(
            Parameter(each.name, Parameter.KEYWORD_ONLY, default=default, annotation=_TYPES.get(each.type, Any)))
    return Signature(made, return_annotation=Request)


def documentation_of(route: Optional[str], description: "describe.Operation", open_ids: Sequence[str]) -> str:
    """The summary, the request line, the parameters and the body of an operation."""
    lines = [description.description or f"The operation {description.name}.", "", f"{description.method} {description.path}"]
    keywords = _keywords(description, open_ids)
    if keywords:
        lines.append("")
    for each in keywords:
        facts = f"{each.type}, {each.location}{', required' if each.required else ''}"
        lines.append(f"{each.name} ({facts}){': ' + each.description if each.description else ''}")
    if description.body_type:
        lines += ["", f"body: {description.body_type}"]
    elif description.media_types:
        lines += ["", f"body: {', '.join(description.media_types)}"]
    if description.result_type:
        lines += ["", f"result: {description.result_type}"]
    return "\n".join(lines)
