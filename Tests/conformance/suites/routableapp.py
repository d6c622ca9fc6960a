"""The nested graph of RoutableApp: each chain builds its URL, and operations and children that the graph does not list are refused."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple

from harness import Suite, expect
from library import Built, Refusal, Router

CAPABILITIES = {"GET": "read", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}


def document(data: Any) -> Dict[str, Any]:
    grammar = data["grammar"]
    methods = grammar["methods"]
    return {
        "routable": 1,
        "base": data["base_url"],
        "resources": {
            name: {"path": name, "can": [CAPABILITIES[method] for method in methods[name]], "has": grammar.get(name, [])}
            for name in methods
        },
    }


def vectors(data: Any) -> Iterator[Tuple[str, Any]]:
    """The chains, then the methods and the children that each resource does not have."""
    for index, vector in enumerate(data["vectors"]):
        yield f"/vectors/{index}", vector
    for name in sorted(data["grammar"]["methods"]):
        yield f"/grammar/{name}", {"resource": name}


def check(vector: Any, data: Any) -> None:
    router = Router.opened(document(data))
    if "resource" in vector:
        refusals(router, vector["resource"], data["grammar"])
    else:
        chain(router, vector)


def chain(router: Router, vector: Any) -> None:
    route = ".".join(name for name, _ in vector["chain"])
    ids: List[str] = [value for _, value in vector["chain"]]
    operation = CAPABILITIES[vector["method"]]
    for tier, result in (
        ("C", router.build(operation, route, ids=[value.encode("utf-8") for value in ids])),
        ("JSON", router.build_json({"operation": operation, "route": route, "ids": ids})),
    ):
        given = f"{operation} {route} {ids} ({tier} tier)"
        if isinstance(result, Refusal):
            expect(given, vector["expected_url"], result)
        else:
            expect(given, (vector["method"], vector["expected_url"]), (result.method.decode(), result.url.decode()))
            expect(given, True, result.url.decode().endswith("/" + vector["expected_path"]))


def refusals(router: Router, name: str, grammar: Any) -> None:
    """Every method and every child that the grammar does not list."""
    for method, operation in CAPABILITIES.items():
        is_allowed = method in grammar["methods"][name]
        ids = [] if operation == "create" else [b"1"]
        result = router.build(operation, name, ids=ids)
        expect(f"{operation} {name}", is_allowed, isinstance(result, Built))
        if isinstance(result, Refusal):
            expect(f"{operation} {name}", "not_allowed", result.status)
    for child in grammar["methods"]:
        result = router.build("read", f"{name}.{child}", ids=[b"1", b"2"])
        expect(f"read {name}.{child}", child in grammar.get(name, []), isinstance(result, Built))
        if isinstance(result, Refusal):
            expect(f"read {name}.{child}", "unknown", result.status)


SUITES = [Suite("routing/routableapp-nested-paths.json", check, vectors)]
