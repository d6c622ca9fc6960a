"""JSON documents that every reader must accept or refuse, through each function that reads JSON from outside.

The readers of route documents and calls have different statuses for valid JSON (`document`, or a call that is built) and for invalid
JSON (`json`; `limit` also for JSON that is too deep).  An accepted value is written as a body with the same value.
"""

from __future__ import annotations

import base64
import json
from typing import Any, Dict, List, Tuple

from harness import Skip, Suite, expect
from library import Built, Json, Refusal, Result, Router

DOCUMENT = {"routable": 1, "base": "http://h.test", "operations": {"send": {"post": "/"}}}
NOT_JSON = ("json", "limit")


def doors(text: bytes) -> List[Tuple[str, Any]]:
    router = Router.opened(DOCUMENT)
    found: List[Tuple[str, Any]] = [
        ("the route document", Router.open(text)),
        ("the call", router.build_json(text)),
        ("a member of a call", router.build_json(b'{"operation":"send","body":' + text + b"}")),
    ]
    try:
        found.append(("a value", router.build("send", body=Json(text.decode("utf-8")))))
    except UnicodeDecodeError:
        pass
    return found


def is_json(result: object) -> bool:
    return not (isinstance(result, Refusal) and result.status in NOT_JSON)


def check(vector: Any, data: Any) -> None:
    text = base64.b64decode(vector["base64"])
    wanted = vector.get("expect", "either")
    for door, result in doors(text):
        given = f"{text[:200]!r} ({vector['name']}) as {door}"
        if door == "a member of a call" and wanted == "reject" and not is_whole(text):
            continue  # inside the object, the document ends at another place
        if wanted != "either":
            expect(given, wanted, "accept" if is_json(result) else f"reject: {result}" if wanted == "accept" else "reject")
        if wanted == "accept" and isinstance(result, Built):
            expect(given, meaning(text), meaning(result.body or b"null"))


def is_whole(text: bytes) -> bool:
    """Whether the document is invalid inside another object, too: `1}` would close that object."""
    return not text.strip().endswith(b"}") and b"}" not in text


def meaning(text: bytes) -> Any:
    """The value of a JSON document; numbers are read as Python reads them."""
    return json.loads(text.decode("utf-8"), object_pairs_hook=members)


def members(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    return dict(pairs)


SUITES = [Suite("json-parsing/*.json", check)]
