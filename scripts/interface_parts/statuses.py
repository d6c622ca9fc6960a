"""Generates the files about statuses: the page of docs, the schema of error JSON, and the exceptions of the Python package.

The comment of a constant in the header states its meaning and its remedy: `/* meaning.  Remedy. */`.  The groups of constants are
the sections of the page, and two of them are base classes of the exceptions."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from typing import Any, Dict, List, Tuple

from . import python

Item = Dict[str, Any]
PACKAGE = "bindings/python/src/routable"
# By the titles of the groups in routable_values.h.
FAMILIES = {"Errors in the arguments of a request": "RefusedError", "Performing": "PerformError"}
ACRONYMS = {"json": "JSON", "url": "URL", "tls": "TLS", "http": "HTTP"}
# The exception of a status is the camel case of its name with `Error`.  These are the names that would mean something else in Python,
# the equivalent builtins, and the more general class.
NAMES = {"no_curl": "CurlMissingError", "value": "ValueRefusedError", "memory": "OutOfMemoryError"}
BUILTINS = {
    "argument": "ValueError", "json": "ValueError", "document": "ValueError", "unsupported": "NotImplementedError",
    "limit": "ValueError", "file": "OSError", "url": "ValueError", "unknown": "LookupError", "id": "ValueError",
    "value": "ValueError", "parameter": "ValueError", "body": "ValueError", "header": "ValueError", "no_curl": "OSError",
    "transfer": "ConnectionError", "timeout": "TimeoutError", "response": "ValueError", "callback": "RuntimeError",
    "memory": "MemoryError", "internal": "RuntimeError",
}
#: Members that are declared for type checkers only.
TYPED = {"http_status": ["    response: Response  # every HTTP status error has one"]}
GENERAL = {"conflict": "document", "shadowed": "value", "tls": "transfer", "excessive_refresh": "credential"}
# Expected outcomes are not exceptions in Python, except for this one; no Python call passes its buffer to the library.
RAISED, NOT_RAISED = ("method_not_allowed",), ("buffer",)
# Rows of the page: what a program does, and the functions whose comments list the possible statuses.
CALLS = [
    ("opening a description", ["routable_router_open", "routable_router_open_file"]),
    ("building a request", ["routable_request_new", "routable_request_new_json"]),
    ("performing", ["routable_client_new", "routable_client_perform"]),
    ("waiting for transfers", ["routable_client_next", "routable_transfer_wait"]),
    ("matching a path", ["routable_router_match"]),
]


def listed(items: List[Item]) -> List[Item]:
    """The statuses, in the order of their groups."""
    constants = next((item["constants"] for item in items if item["kind"] == "enum" and item["name"] == "routable_status"), [])
    found = []
    for constant in constants:
        meaning, _, cure = _sentences(constant["comment"])
        title, _, note = _sentences(constant.get("group", ""))
        name = re.sub("^ROUTABLE_(ERR_)?", "", constant["name"]).lower()
        found.append({"name": name, "value": constant["value"], "failure": constant["name"].startswith("ROUTABLE_ERR_"),
                      "meaning": meaning, "cure": cure, "group": title, "note": note})
    return found


def _sentences(text: str) -> Tuple[str, str, str]:
    """The first sentence without its period, and the rest."""
    first, stop, rest = re.match(r"(.*?)(\.(?=\s|$)|$)\s*(.*)", text, flags=re.S).groups()  # type: ignore[union-attr]
    return first, stop, rest


def files(described: Item) -> Dict[str, str]:
    statuses = described["statuses"]
    return {
        "docs/statuses.md": _page(described, statuses),
        "docs/schema/status.schema.json": _schema(statuses),
        f"{PACKAGE}/_status_errors.py": _exceptions(statuses),
    }


# --- The page ---


def _page(described: Item, statuses: List[Item]) -> str:
    lines = [
        "<!-- Written by scripts/interface from include/*.h: change the comments there, then run scripts/interface. -->",
        "# Statuses", "",
        "A function that can fail returns a status (`routable_status`). A program branches on the status; the error object",
        "contains the message, the position and the allowed names. For each status, this page lists the number, the name in error",
        "JSON and in `routable_status_name`, the Python exception in `routable.errors`, the meaning, and the usual remedy. Numbers",
        "are never reused.", "",
        "| call | statuses |", "|---|---|",
    ]
    of = {item["name"]: item["statuses"] for header in described["headers"] for section in header["sections"]
          for item in section["items"] if item["kind"] == "function" and "statuses" in item}
    for what, functions in CALLS:
        returned = {name.lower() for function in functions for name in of.get(function, [])}
        names = [f"`{each['name']}`" for each in sorted(statuses, key=lambda each: each["value"]) if each["name"] in returned]
        lines.append(f"| {what} | {' '.join(names)} |")
    lines += ["| any | `argument` `memory` `internal` |"]
    title = ""
    for each in statuses:
        if each["group"] != title:
            title = each["group"]
            lines += ["", f"## {title}", ""] + ([_cell(each["note"]), ""] if each["note"] else [])
            lines += ["| no. | name | Python | meaning | remedy |", "|---|---|---|---|---|"]
        lines.append(f"| {each['value']} | `{each['name']}` | {_class_cell(each)} | {_cell(each['meaning'])} | {_cell(each['cure'])} |")
    text = (
        "Every exception of this page except `CancelledError` is a subclass of `RoutableError`. The exceptions of the section "
        "\"Errors in the arguments of a request\" are also subclasses of `RefusedError`, and the exceptions of the section "
        "\"Performing\" are also subclasses of `PerformError`. `perform` also raises exceptions of other sections, such as "
        "`LimitError`. An exception that is listed with a "
        "builtin exception in parentheses is also a subclass of that builtin exception. " + _general_sentence())
    lines += ["", "## Python exceptions", "", *textwrap.wrap(text, 122, break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def _general_sentence() -> str:
    """The exceptions that are subclasses of a more general one."""
    pairs = [f"`{_class(name)}` of `{_class(general)}`" for name, general in GENERAL.items()]
    return f"{', '.join(pairs[:-1])}, and {pairs[-1]}.".replace("` of `", "` is a subclass of `", 1)


def _cell(text: str) -> str:
    """Prose of a comment as Markdown: names of C as code, pages as links."""
    text = re.sub(r"(?<![`\w])(routable_\w+|ROUTABLE_\w+|_INIT\b)", r"`\1`", text)
    return re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", text).replace("|", "\\|")


def _class_cell(status: Item) -> str:
    if status["name"] == "cancelled":
        return "`CancelledError`"  # of _error.py
    if not _is_raised(status):
        return ""
    return f"`{_class(status['name'])}`" + (f" ({BUILTINS[status['name']]})" if status["name"] in BUILTINS else "")


# --- The schema ---


def _schema(statuses: List[Item]) -> str:
    failures = sorted((each for each in statuses if each["failure"]), key=lambda each: each["value"])
    schema = {
        "$comment": "Written by scripts/interface from include/*.h: change the headers, then run scripts/interface.",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "status.schema.json",
        "title": "Status",
        "description": "The failures of error.schema.json: the name of a status, and its number.",
        "type": "object",
        "required": ["status", "code"],
        "properties": {"status": {"enum": [each["name"] for each in failures]}, "code": {"enum": [each["value"] for each in failures]}},
        "oneOf": [{"properties": {"status": {"const": each["name"]}, "code": {"const": each["value"]}}} for each in failures],
    }
    return json.dumps(schema, indent=2) + "\n"


# --- The exceptions ---


def _is_raised(status: Item) -> bool:
    return (status["failure"] or status["name"] in RAISED) and status["name"] not in NOT_RAISED


def _class(name: str) -> str:
    return NAMES.get(name) or "".join(ACRONYMS.get(part, part.capitalize()) for part in name.split("_")) + "Error"


def _exceptions(statuses: List[Item]) -> str:
    missing = FAMILIES.keys() - {each["group"] for each in statuses}
    if missing:
        sys.exit(f"routable_values.h has no group of statuses with the title {', '.join(sorted(missing))}")
    # More general classes come first.
    raised = sorted((each for each in statuses if _is_raised(each)), key=lambda each: each["name"] in GENERAL)
    names = sorted(_class(each["name"]) for each in raised)
    lines = [python.WRITTEN.format("*.h") + '"""A class for each status that is a failure: what errors.py exports."""', "",
             "from __future__ import annotations", "", "import builtins", "",
             "from ._error import PerformError, RefusedError, RoutableError", "", python.TYPES.format("Dict, Type"), "    from .response import Response", "", "__all__ = ["]
    lines += [f'    "{name}",' for name in names] + ["]", ""]
    for each in raised:
        name = _class(each["name"])
        general = GENERAL.get(each["name"])
        bases = [_class(general) if general else FAMILIES.get(each["group"], "RoutableError")]
        if each["name"] in BUILTINS:
            bases.append(f"builtins.{name}" if BUILTINS[each["name"]] == name else BUILTINS[each["name"]])
        words = " ".join(f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in (each["meaning"], each["cure"]) if part)
        text = textwrap.wrap(words.replace("\\", "\\\\"), 113, initial_indent='    """', subsequent_indent="    ")
        lines += ["", f"class {name}({', '.join(bases)}):", *text[:-1], text[-1] + '"""', "",
                  f'    code, status = {each["value"]}, "{each["name"]}"', *TYPED.get(each["name"], ()), ""]
    lines += ["", "#: Status number -> class.  A status without a class is a RoutableError.",
              "CLASS_OF_CODE: Dict[int, Type[RoutableError]] = {"]
    lines += [f"    {each['value']}: {_class(each['name'])}," for each in sorted(raised, key=lambda each: each["value"])] + ["}"]
    return "\n".join(lines) + "\n"
