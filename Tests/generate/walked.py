"""The walk through the resources of an OpenAPI document in generated Python builds the same requests as the operationId."""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
from pathlib import Path
from typing import Any, Iterator, Tuple

from harness import OWN, Tools, fail, require
from measure import documents


def walked(tools: Tools) -> str:
    """Compares each operation of a walk, in each document."""
    compared = refused = total = 0
    found = documents(tools.data) if tools.data != OWN else documents(OWN)
    for number, document in enumerate(found):
        for words in ((), ("--dataclasses",)):
            path = tools.work / f"walked{number}{len(words)}.py"
            tools.generate("python", document, path, "--name", "Walked", *words)
            module = imported(path)
            api = module.Walked.open_file(document)
            try:
                steps = list(operations(api, api))
                expected = sum(len(each.operations) for each in api.router.resources.values())
                require(len(steps) == expected, f"{document.name}: {len(steps)} operations are walked to, {expected} expected")
                for place, name in steps:
                    step = vars(type(place))[name]
                    function = step._function
                    one, other = request(getattr(place, name)), request(function, api, *place._ids)
                    require(one == other, f"{document.name}: {place!r} {name}: {one}, and by the operationId {other}")
                    compared += one[0] != "refused"
                    refused += one[0] == "refused"
                total += len(steps)
            finally:
                api.close()
    require(compared > refused, f"{compared} requests are built, and {refused} refused")
    checked(tools)
    return f"{len(found)} documents, {total} walks, {compared} requests"


DESK = {
    "openapi": "3.1.0", "info": {"title": "Desk", "version": "1"}, "servers": [{"url": "https://desk.test"}], "paths": {
        "/repos/{owner}/{repo}/issues/{number}": {"get": {"operationId": "issue", "parameters": [
            {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}]}},
        "/repos/{owner}/{repo}/issues/{number}/comments": {"get": {"operationId": "comments", "parameters": [
            {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}},
            {"name": "page", "in": "query", "schema": {"type": "integer"}}],
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {
                "type": "array", "items": {"type": "string"}}}}}}}}}}
GOOD = """from typing import List
from desk import Desk
from routable import Client

def read(api: Desk, client: Client) -> List[str]:
    return api.repos("octocat", "hello").issues(5).comments.list(page=2).perform(client)
"""


def checked(tools: Tools) -> None:
    """A type checker infers the ids, the parameters and the result of an operation of a walk."""
    (tools.work / "desk.json").write_text(json.dumps(DESK))
    tools.generate("python", tools.work / "desk.json", tools.work / "desk.py", "--name", "Desk")
    program = tools.work / "program.py"
    program.write_text(GOOD)
    tools.succeed(tools.mypy(program))
    wrong = (
        ("page=2", "pag=2", 'Unexpected keyword argument "pag"'), ("page=2", 'page="2"', 'Argument "page" has incompatible type'),
        ("issues(5)", 'issues("5")', "Argument 1 to"), ('"octocat", ', "", "Too few arguments"),
        ("List[str]:", "int:", "Incompatible return value type"), (".comments", ".coments", 'has no attribute "coments"'),
    )
    head, _, function = GOOD.partition("def ")
    program.write_text(head + "".join(f"\n\ndef f{number}_{function.replace(old, new)}" for number, (old, new, _) in enumerate(wrong)))
    tools.refuse(tools.mypy(program), *(said for _, _, said in wrong))


def imported(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        fail(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def operations(api: Any, place: Any) -> Iterator[Tuple[Any, str]]:
    """The members of the walk with the names of their operations, below the API or a member."""
    from routable import typed

    for name, member in vars(type(place)).items():
        if isinstance(member, typed.walked):
            yield place, name
        elif isinstance(member, typed.below) or isinstance(member, property) and place is api:
            yield from operations(api, getattr(place, name))
    if place is not api and "__call__" in vars(type(place)):
        kinds = list(inspect.signature(place.__call__).parameters.values())
        yield from operations(api, place(*(7 if each.annotation == "int" else "7" for each in kinds)))


def argument(kind: str) -> object:
    return b"7" if kind == "FileLike" else [b"7"] if "FileLike" in kind else 7 if kind == "int" else "7"


def request(function: Any, *arguments: Any) -> Tuple[Any, ...]:
    """The request as it is sent; for a refusal, its status and its parameter."""
    import routable

    kinds = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
    positional = [each for each in kinds if each.kind == each.POSITIONAL_ONLY][len(arguments):]
    named = {each.name: argument(str(each.annotation)) for each in kinds if each.kind == each.KEYWORD_ONLY}
    try:
        made = function(*arguments, *({"a": 1} for _ in positional), **named).request
    except routable.RoutableError as error:
        return "refused", error.status, error.parameter
    return made.method, made.url, list(made.headers.items()), made.body
