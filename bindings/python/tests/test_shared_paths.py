"""Operations with the same method and path, which a declared constant distinguishes, as in JSON-RPC services."""

import json
from typing import Any, Dict, List

import pytest

import routable
from routable import using


def api(*operations: Dict[str, Any], types: Dict[str, Any] = {}) -> routable.Router:
    return routable.open(
        {
            "routable": 1,
            "base": "https://rpc.example",
            "types": types,
            "operations": {f"o{number}": {"post": "/rpc", **operation} for number, operation in enumerate(operations)},
        }
    )


def constant(name: str, value: Any, **more: Any) -> Dict[str, Any]:
    return {"type": "object", "required": [name], "properties": {name: {"const": value}, **more}}


TELLING: List[Any] = [
    ("constants of the body", [{"body": constant("method", "a")}, {"body": constant("method", "b")}]),
    ("lists of one value", [{"body": {"required": ["m"], "properties": {"m": {"enum": [each]}}}} for each in ("a", "b", "c")]),
    ("constants that are no text", [{"body": constant("m", each)} for each in (True, False, None, "true")]),
    ("allOf", [{"body": {"allOf": [constant("jsonrpc", "2.0"), constant("method", each)]}} for each in "abcd"]),
    ("a named type", [{"body": {"$ref": "#/types/A"}}, {"body": {"$ref": "#/types/B"}}]),
    ("a named type and a constant of its own", [{"body": {"$ref": "#/types/Base", **constant("method", each)}} for each in "ab"]),
    ("a query parameter", [{"query": {"action": {"type": "string", "enum": [each], "required": True}}} for each in ("start", "stop")]),
    ("a header", [{"header": {"X-Action": {"type": "string", "enum": [each], "required": True}}} for each in ("start", "stop")]),
    ("a cookie", [{"cookie": {"mode": {"type": "string", "enum": [each], "required": True}}} for each in ("start", "stop")]),
]
TYPES = {"A": constant("method", "a"), "B": constant("method", "b"), "Base": constant("jsonrpc", "2.0")}


@pytest.mark.parametrize("operations", [each[1] for each in TELLING], ids=[each[0] for each in TELLING])
def test_a_constant_distinguishes_operations(operations: List[Dict[str, Any]]) -> None:
    router = api(*operations, types=TYPES)
    match = router.match("/rpc", "POST")
    assert match is not None and match.operation == "o0"
    assert match.alternatives == tuple(f"o{number}" for number in range(1, len(operations)))


CONFLICTING: List[Any] = [
    ("nothing", [{}, {}]),
    ("equal constants", [{"body": constant("method", "a")}, {"body": constant("method", "a", more=True)}]),
    ("other members", [{"body": constant("method", "a")}, {"body": constant("action", "b")}]),
    ("a constant on one side", [{"body": constant("method", "a")}, {"body": {"type": "object"}}]),
    ("members that may be absent", [{"body": {"properties": {"m": {"const": each}}}} for each in "ab"]),
    ("lists of two values", [{"body": {"required": ["m"], "properties": {"m": {"enum": each}}}} for each in (["a", "b"], ["c", "d"])]),
    ("alternatives", [{"body": {"anyOf": [constant("m", each), {}]}} for each in "ab"]),
    ("spellings of a number", [{"body": constant("m", 1)}, {"body": constant("m", 1.0)}]),
    ("an optional parameter", [{"query": {"action": {"type": "string", "enum": [each]}}} for each in ("start", "stop")]),
    ("forms", [{"body": constant("method", each), "body_as": "bytes"} for each in "ab"]),
]


@pytest.mark.parametrize("operations", [each[1] for each in CONFLICTING], ids=[each[0] for each in CONFLICTING])
def test_operations_without_a_constant_conflict(operations: List[Dict[str, Any]]) -> None:
    with pytest.raises(routable.ConflictError, match="have the same method and path"):
        api(*operations, types=TYPES)


def test_calls_select_by_name() -> None:
    router = api(*(dict(body=constant("method", each, params={"type": "array"})) for each in ("eth_call", "eth_chainId")))
    for name, method in (("o0", "eth_call"), ("o1", "eth_chainId")):
        request = router.operations[name](using(body={"method": method, "params": []}))
        assert json.loads(request.body) == {"method": method, "params": []}
        assert request.url == "https://rpc.example/rpc"
        with pytest.raises(routable.BodyError):
            router.operations[name](using(body={"method": "other"}))


def test_a_match_without_others_has_no_alternatives() -> None:
    router = routable.open({"routable": 1, "operations": {"a": {"get": "/a"}, "b": {"post": "/a"}}})
    match = router.match("/a", "GET")
    assert match is not None and match.alternatives == ()


def test_resources_share_a_path() -> None:
    router = routable.open(
        {
            "routable": 1,
            "resources": {
                "job": {
                    "path": "jobs",
                    "id": "n",
                    "member": {
                        each: {"post": "", "query": {"do": {"type": "string", "enum": [each], "required": True}}} for each in ("run", "end")
                    },
                }
            },
        }
    )
    match = router.match("/jobs/7", "POST")
    assert match is not None and (match.operation, match.alternatives) == ("run", ("end",))


def test_only_the_pair_without_a_difference_conflicts() -> None:
    bodies = [constant("method", "a"), constant("method", "b"), {"type": "object"}]
    with pytest.raises(routable.ConflictError) as caught:
        api(*({"body": body} for body in bodies))
    found = caught.value
    pairs = []
    while found is not None:
        pairs.append(found.allowed)
        found = found.next
    assert pairs == [("o0", "o2"), ("o1", "o2")], "o0 and o1 differ in a constant, o2 in none"


def test_constants_of_different_names_distinguish_pairs() -> None:
    both = {"type": "object", "required": ["m", "v"], "properties": {"m": {"const": "a"}, "v": {"const": "1"}}}
    router = api({"body": both}, {"body": constant("m", "b")}, {"body": {"allOf": [constant("m", "a"), constant("v", "2")]}})
    match = router.match("/rpc", "POST")
    assert match is not None and match.alternatives == ("o1", "o2")


def test_many_operations_share_a_path() -> None:
    count = 3000
    router = api(*({"body": constant("method", f"m{number}")} for number in range(count)))
    match = router.match("/rpc", "POST")
    assert match is not None and len(match.alternatives) == count - 1
    with pytest.raises(routable.ConflictError):
        api(*({"body": constant("method", f"m{number % (count - 1)}")} for number in range(count)))
