"""The processor time of the command grows in proportion to the document, for inputs of n, 2n and 4n."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
from conftest import run

Document = Dict[str, Any]
REFERENCE = "#/components/schemas/"


def operation(name: str, *ids: str) -> Document:
    return {"operationId": name, "responses": {"200": {"description": ""}}, "parameters": [
        {"name": each, "in": "path", "required": True, "schema": {"type": "string"}} for each in ids]}


def document(paths: Document, **more: Any) -> Document:
    return {"openapi": "3.1.0", "info": {"title": "growth", "version": "1"}, "servers": [{"url": "https://h.test"}], "paths": paths, **more}


def flat(count: int) -> Document:
    return document({f"/thing{n}/{{id}}": {"get": operation(f"get{n}", "id")} for n in range(count)})


def nested(count: int) -> Document:
    return document({f"/a{n}/{{id}}/b/{{id2}}/c": {"get": operation(f"get{n}", "id", "id2")} for n in range(count)})


def below_one(count: int) -> Document:
    return document({f"/root/{{id}}/x{n}/{{id2}}": {
        "get": operation(f"get{n}", "id", "id2"), "delete": operation(f"delete{n}", "id", "id2")} for n in range(count)})


def spent(file: Path, *words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = run(*words, file, "-o", file.with_suffix(".out"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.status == 0, ended.err
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def grows(folder: Path, make: Callable[[int], Document], count: int, *words: str) -> None:
    """A quadratic part that needs half of the time at n makes 4n take ten times as long.  Up to three measurements exclude other load."""
    files = [folder / f"{count * factor}.json" for factor in (1, 2, 4)]
    for factor, file in zip((1, 2, 4), files):
        file.write_text(json.dumps(make(count * factor)))
    times: List[float] = []
    for _ in range(3):
        measured = [spent(file, *words) for file in files]
        times = [min(pair) for pair in zip(times, measured)] if times else measured
        if times[1] < 3.2 * max(times[0], 0.02) and times[2] < 6.5 * max(times[0], 0.02):
            return
    raise AssertionError(f"the processor time for {count} and two and four times as many: {times}")


@pytest.mark.parametrize("make, count", [(flat, 400), (nested, 250), (below_one, 300)], ids=["flat", "nested", "below one resource"])
def test_import_takes_time_in_proportion_to_the_paths(make: Callable[[int], Document], count: int, tmp_path: Path) -> None:
    grows(tmp_path, make, count, "import")


def chain(count: int, bodies: int) -> Document:
    """A chain of schemas, and operations whose bodies are its last members."""
    schemas = {f"T{n}": {"type": "object", "properties": {"id": {"type": "integer"}, **(
        {"next": {"$ref": f"{REFERENCE}T{n - 1}"}} if n else {})}} for n in range(count)}
    paths = {f"/things{n}": {"post": {**operation(f"make{n}"), "requestBody": {"content": {"application/json": {
        "schema": {"$ref": f"{REFERENCE}T{count - 1 - n}"}}}}}, "get": operation(f"list{n}")} for n in range(bodies)}
    return document(paths, components={"schemas": schemas})


def shared(count: int) -> Document:
    """Documents in which the body of each operation refers to all types."""
    made = chain(count, count)
    schemas = made["components"]["schemas"]
    schemas["All"] = {"type": "object", "properties": {name: {"$ref": f"{REFERENCE}{name}"} for name in schemas}}
    for n in range(count):
        schemas[f"Body{n}"] = {"type": "object", "properties": {"all": {"$ref": f"{REFERENCE}All"}}}
        made["paths"][f"/things{n}"]["post"]["requestBody"]["content"]["application/json"]["schema"] = {"$ref": f"{REFERENCE}Body{n}"}
    return made


@pytest.mark.parametrize("make", [lambda count: chain(count, count), shared], ids=["a chain", "shared types"])
def test_generated_python_takes_time_in_proportion_to_the_types(make: Callable[[int], Document], tmp_path: Path) -> None:
    grows(tmp_path, make, 500, "generate", "python")


def signatures(folder: Path, made: Document) -> List[bool]:
    """Whether the walk to each operation with a body has its signature, in the order of the operations."""
    file = folder / "document.json"
    file.write_text(json.dumps(made))
    ended = run("generate", "python", file, "-o", folder / "made_api.py")
    assert ended.status == 0, ended.err
    lines = [line for line in (folder / "made_api.py").read_text().splitlines() if line.startswith("    create = walked(")]
    return ["getattr" not in line for line in reversed(lines)]


@pytest.mark.parametrize("count", [90, 1000, 5000])
def test_a_walk_to_a_deep_type_has_no_signature(count: int, tmp_path: Path) -> None:
    assert signatures(tmp_path, chain(count, 2)) == [False, False]
    assert signatures(tmp_path, chain(34, 3)) == [False, False, True]  # types nested 34, 33 and 32 levels deep


def test_the_longest_path_through_types_determines_the_depth(tmp_path: Path) -> None:
    dense = chain(60, 1)
    for n, schema in enumerate(dense["components"]["schemas"].values()):
        schema["properties"].update({f"t{other}": {"$ref": f"{REFERENCE}T{other}"} for other in range(n)})
    assert signatures(tmp_path, dense) == [False]
    circle = chain(60, 1)
    for n, schema in enumerate(circle["components"]["schemas"].values()):  # T0 refers to all types, and all refer to T0
        schema["properties"]["next"] = {"$ref": f"{REFERENCE}T0"}
        if n == 0:
            schema["properties"].update({f"t{other}": {"$ref": f"{REFERENCE}T{other}"} for other in range(60)})
    assert signatures(tmp_path, circle) == [True]
