"""Verdicts of schemas with many constants and many branches: `Schema.accepts` of JSON text beside json.loads and jsonschema-rs."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict

import jsonschema_rs
import routable
from measure import growth, row


def jobs(schema: Any, value: Any) -> Dict[str, Callable[[], object]]:
    text = json.dumps(value, separators=(",", ":")).encode()
    ours, peer = routable.Schema(schema), jsonschema_rs.validator_for(schema)
    assert ours.accepts(text) and peer.is_valid(json.loads(text))
    return {"loads + jsonschema-rs": lambda: peer.is_valid(json.loads(text)), "routable": lambda: ours.accepts(text)}


def listed(constants: Any, count: int) -> Any:
    return jobs({"type": "array", "items": {"enum": constants}}, (constants * (count // len(constants) + 1))[-count:])


def tagged(count: int) -> Any:
    branches = [
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": f"kind-{each}"}, "value": {"type": "integer"}}}
        for each in range(count)
    ]
    return jobs({"type": "array", "items": {"oneOf": branches}}, [{"kind": f"kind-{each % count}", "value": each} for each in range(1024)])


def main() -> None:
    for count in (100, 1_000, 10_000):
        row(f"1,000 items of an enum of {count} strings", listed([f"Region/City-{each}" for each in range(count)], 1_000), "loads + jsonschema-rs")
        row(f"1,000 items of an enum of {count} integers", listed([each * 7 for each in range(count)], 1_000), "loads + jsonschema-rs")
    row("1,024 items of oneOf of 256 tagged objects", tagged(256), "loads + jsonschema-rs")
    row("1,024 items of anyOf of 64 patterns", jobs(
        {"items": {"anyOf": [{"pattern": f"^p{each}-[a-z]+$"} for each in range(64)]}}, [f"p{each % 64}-abc" for each in range(1024)],
    ), "loads + jsonschema-rs")
    row("an object of 1,000 members, patternProperties of 1,000", jobs(
        {"patternProperties": {f"^p{each}-[a-z]+$": {"type": "integer"} for each in range(1000)}}, {f"p{each}-abc": each for each in range(1000)},
    ), "loads + jsonschema-rs")
    growth("an enum of n strings, 1,000 items", lambda count: listed([f"c{each}" for each in range(count)], 1_000)["routable"], (2_500, 5_000, 10_000))
    growth("oneOf of n tagged objects, 1,024 items", lambda count: tagged(count)["routable"], (64, 128, 256))
    growth("n items of an enum of 1,000 strings", lambda count: listed([f"c{each}" for each in range(1_000)], count)["routable"], (2_500, 5_000, 10_000))


if __name__ == "__main__":
    main()
