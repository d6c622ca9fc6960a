#!/usr/bin/env python3
"""Verifies that reading is the inverse of building: read(build(call)) is the normal form of the call, and build(read(request)) is
the request up to its spelling (docs/service.md).

    run.py [--data FOLDER] [--calls N] [--seed N] [--only WORD]

Calls of every operation of the documents in Tests/conformance/own and in this folder are generated, built, read, and built again.
With --data, the documents of FOLDER are read instead.  The exit status is 1 if there is any difference."""

from __future__ import annotations

import argparse
import json
import re
import sys
from email.parser import BytesParser
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple
from urllib.parse import parse_qsl, unquote_to_bytes, urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "bindings/python/src")]

import calls as generator  # noqa: E402
import routable  # noqa: E402
SHOWN = 25


def documents(data: "Path | None") -> Iterator[Path]:
    folders = [data] if data else [Path(__file__).parent, ROOT / "Tests/conformance/own/openapi-docs", ROOT / "Tests/golden"]
    for folder in folders:
        yield from sorted(folder.rglob("*.json"))


# --- The normal form ---


def text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal; 1 and 1.0 are equal numbers."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(number(left)) is type(number(right)) and number(left) == number(right)


def is_value(parameter: Any, given: Any, found: Any) -> bool:
    """Whether a value that was read is the normal form of one that was given."""
    if given is None:
        return True
    if parameter.style == "content":
        return same(given, found) or text_of(given) == found
    if parameter.type in ("integer", "number", "boolean"):
        return same(given, found) or text_of(given) == text_of(found)
    if isinstance(given, list):
        items = [each for each in given if each is not None]
        return (found in (None, []) and not items) or isinstance(found, list) and len(found) == len(items) and all(
            text_of(left) == text_of(right) for left, right in zip(items, found)) or len(items) == 1 and text_of(items[0]) == found
    if isinstance(given, dict):
        return found is None and not given or isinstance(found, dict) and leaves(given) == leaves(found)
    return text_of(given) == text_of(found) or found == [text_of(given)] or found == [given]


def leaves(value: Any) -> Any:
    """The leaves of a value as the strings that a form contains."""
    if isinstance(value, dict):
        return {key: leaves(each) for key, each in value.items() if each is not None and each not in ([], {})}
    if isinstance(value, list):
        found = [leaves(each) for each in value if each is not None]
        return found[0] if len(found) == 1 else found
    return text_of(value)


def differences(router: Any, call: Dict[str, Any], received: Any, operation: Any) -> Iterator[str]:
    found = received.call
    if found["operation"] != call["operation"] or found.get("route") != call.get("route"):
        yield f"the operation is {found.get('route')} {found['operation']}"
        return
    ids = list(received.ids.values()) if isinstance(found.get("ids"), dict) else found.get("ids", [])
    names = re.findall(r"\{([^{}]*)\}", operation.path)
    if isinstance(found.get("ids"), dict) and len(names) == len(call.get("ids", [])):
        # A name that occurs twice in the path has one value.
        ids = [received.ids.get(name) for name in names]
    if len(ids) == len(call.get("ids", [])):
        for given, got in zip(call.get("ids", []), ids):
            if not (same(given, got) or leaves(given) == leaves(got)):
                yield f"the id {given!r} is {got!r}"
    else:
        yield f"the ids {call.get('ids')} are {ids}"
    declared = {(generator.KEYS[each.location], each.name): each for each in operation.parameters}
    for key in ("query", "headers", "cookies"):
        for name, given in call.get(key, {}).items():
            parameter = declared.get((key, name))
            if parameter is not None and not is_value(parameter, given, found.get(key, {}).get(name)):
                yield f"{key} {name}: {given!r} is {found.get(key, {}).get(name)!r}"
        for name in found.get(key, {}):
            if name not in call.get(key, {}) and key != "headers" and (key, name) not in declared:
                yield f"{key} {name} was not given"
    for name in found.get("headers", {}):
        # Other headers that were not given are defaults; Accept is set by building.
        is_given = ("headers", name) in declared or any(each.lower() == "accept" for each in call.get("headers", {}))
        if name.lower() == "accept" and not is_given:
            yield f"the header {name} was not given"
    if "body" in call and not isinstance(found.get("body"), type(None)):
        kind = (received.content_type or "").partition(";")[0]
        if kind.endswith("json") and not same(call["body"], found["body"]):
            yield f"the body {call['body']!r} is {found['body']!r}"
        elif "form" in kind and leaves(call["body"]) != leaves({**found["body"], **files(found)}):
            yield f"the form {call['body']!r} is {found['body']!r} and {files(found)!r}"
    if "body" in call and call["body"] is not None and not any(key in found for key in ("body", "body_text", "body_base64", "files")):
        yield f"the body {call['body']!r} is absent"


def files(found: Dict[str, Any]) -> Dict[str, Any]:
    result = {}
    for name, value in found.get("files", {}).items():
        value = value if isinstance(value, list) else [value]
        result[name] = [each.get("content", each.get("content_base64")) for each in value]
    return result


# --- Spelling ---


def spelled(request: Any) -> Tuple[Any, ...]:
    """A request without differences of spelling: escapes, the order of undeclared parameters, white space of JSON, boundaries."""
    parts = urlsplit(request.url)
    path = [unquote_to_bytes(each) for each in parts.path.split("/")]
    query = sorted(tuple(unquote_to_bytes(side.replace("+", " ")) for side in pair.partition("=")[::2]) for pair in parts.query.split("&") if pair)
    headers = {name.lower(): value for name, value in request.headers.items()}
    kind, body = headers.get("content-type", ""), request.body
    if "boundary=" in kind:
        message = BytesParser().parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + (body or b""))
        headers["content-type"] = kind.partition(";")[0]
        body = sorted((str(part.get("Content-Disposition")), str(part.get("Content-Type")), part.get_payload(decode=True) or b"")
                      for part in message.get_payload()) if message.is_multipart() else body
    elif "json" in kind and body:
        try:
            body = json.dumps(plain(json.loads(body)), sort_keys=True)
        except ValueError:
            pass
    elif "form" in kind and body:
        body = sorted(parse_qsl(body.decode(), keep_blank_values=True))
    return request.method, parts.scheme, parts.netloc, path, query, sorted(headers.items()), body


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return number(value)


# --- The run ---


class Totals(Dict[str, int]):
    def add(self, name: str, count: int = 1) -> None:
        self[name] = self.get(name, 0) + count


def place(path: str) -> str:
    """The path as it is matched, without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", re.split("[?#]", path)[0])


def check(path: Path, count: int, seed: int, totals: Totals, report: List[str]) -> None:
    try:
        document = json.loads(path.read_bytes())
        router = routable.open(path)
    except (routable.RoutableError, ValueError):
        totals.add("documents refused")
        return
    if not isinstance(document, dict):
        return
    with router:
        totals.add("documents")
        for route, name, operation, found, reason in generator.calls(router, document, count, seed):
            totals.add("operations")
            totals.add("calls not built", count - len(found))
            if not found:
                totals.add("operations without a call")
            for call in found:
                totals.add("calls")
                say = lambda text: report.append(f"{path.name}: {route or ''} {name}: {text}\n    {json.dumps(call)[:400]}")  # noqa: E731
                request = generator.router_build(router, call)
                try:
                    received = router.read(request)
                except routable.RoutableError as error:
                    if error.http_status == 404 and any(each in ([], {}) for each in call.get("ids", ())):
                        totals.add("nothing is written in the path")
                        continue
                    totals.add("refused")
                    say(f"refused ({error.http_status}): {error.message}\n    {request.url} {(request.body or b'')[:200]!r}")
                    continue
                if received.operation != name and not route and (
                        shares(router, received, operation) or is_more_literal(router, received, operation)):
                    totals.add("answered by another operation of the path")
                    continue
                faults = list(differences(router, call, received, operation))
                try:
                    again = generator.router_build(router, received.call)
                    if spelled(again) != spelled(request):
                        faults.append(f"built again: {spelled(again)}\n    first: {spelled(request)}")
                    if router.read(again).call != received.call:
                        faults.append(f"read again: {router.read(again).call}\n    first: {received.call}")
                except routable.RoutableError as error:
                    faults.append(f"not built or read again: {error.message}: {received.call}")
                if faults:
                    totals.add("differences")
                    for fault in faults:
                        say(fault)
                else:
                    totals.add("equal")


def shares(router: Any, received: Any, operation: Any) -> bool:
    other = router.operations[received.operation].description if not received.route else None
    return other is not None and place(other.path) == place(operation.path)


def is_more_literal(router: Any, received: Any, operation: Any) -> bool:
    """Whether the operation that was found has literal text at the first place at which the other has a parameter."""
    other = router.operations[received.operation].description if not received.route else None
    if other is None:
        return False
    for left, right in zip(other.path.split("/"), operation.path.split("/")):
        if left != right:
            return "{" in right and ("{" not in left or not (left.startswith("{") and left.endswith("}")))
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="a folder with OpenAPI documents")
    parser.add_argument("--calls", type=int, default=20, help="calls of each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only documents whose names contain this word")
    parser.add_argument("--all", action="store_true", help="prints every difference")
    arguments = parser.parse_args()
    if arguments.data is not None and not arguments.data.is_dir():
        parser.error(f"{arguments.data} is not a folder")
    totals, report = Totals(), []  # type: Totals, List[str]
    for path in documents(arguments.data):
        if arguments.only in path.name:
            check(path, arguments.calls, arguments.seed, totals, report)
    for line in report if arguments.all else report[:SHOWN]:
        print(line)
    if not arguments.all and len(report) > SHOWN:
        print(f"and {len(report) - SHOWN} more")
    print(", ".join(f"{name}: {count}" for name, count in totals.items()))
    return 1 if totals.get("differences") or totals.get("refused") or not totals.get("calls") else 0


if __name__ == "__main__":
    sys.exit(main())
