"""Allocations and growth of generated C (plans.c)."""

from __future__ import annotations

import json
from pathlib import Path

from harness import Tools

OPERATIONS, RUNS = 200, 20


def plans(tools: Tools) -> str:
    """Each run has other addresses (address space layout randomization): the number of allocations must not depend on them."""
    many = tools.work / "many.json"
    many.write_text(json.dumps({
        "routable": 1, "base": "https://many.test", "resources": {"item": {"path": "items", "can": ["read"]}},
        "operations": {f"op{number}": {"get": f"/p{number}"} for number in range(OPERATIONS)}}))
    tree = tools.work / "tree.json"
    tree.write_text(json.dumps({
        "routable": 1, "base": "https://tree.test",
        "types": {"Node": {"type": "object", "required": ["name", "children"], "properties": {
            "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/types/Node"}}}}},
        "operations": {"read": {"get": "/tree", "results": {"200": {"$ref": "#/types/Node"}}}}}))
    tools.generate("c", many, tools.work / "many.h", "--name", "many")
    tools.generate("c", tree, tools.work / "tree.h", "--name", "tree")
    urls = tools.work / "urls.h"
    urls.write_text("#define URLS " + " ".join(f"URL({number})" for number in range(OPERATIONS)) + "\n")
    program = tools.work / "plans"
    tools.succeed(tools.linked(
        f"-I{tools.work}", "-include", urls, Path(__file__).with_suffix(".c"), "-o", program, standard="gnu11"))
    for _ in range(RUNS):
        tools.succeed([program, many])
    tools.succeed([program, many, tree])
    return f"{RUNS} runs: {OPERATIONS} URLs without an allocation, and a deep tree read as fast as a flat one"
