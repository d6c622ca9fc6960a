"""Random graphs of every form: a URL that is built matches its own route and values, or building rejects the values.

ROUTABLE_CASES is the number of cases (2000), ROUTABLE_SEED repeats a run.  Values are written by a plan and by a call, which
must agree; they are read back by the match, and by routable_parameter_read if they are parameters of an operation.
"""

from __future__ import annotations

import os
import random
from typing import Any, Dict, Iterator, List, Optional, Tuple

import routable

CASES = int(os.environ.get("ROUTABLE_CASES", "2000"))
SEED = int(os.environ.get("ROUTABLE_SEED", str(random.getrandbits(32))))

LITERALS = ("x", "y", "z", "new", "v1", "tags/list", "1", "é", "a b", "longer-than-sixteen-bytes")
TEXTS = (
    "x", "y", "new", "1", "tags", "list", "a/b", "a%2Fb", "x/y/z", "tags/list", "x/new", "..", ".", "", "/", "a//b", "é", "a b", "?q#f",
    "new/x/1", "%", "+", "v1", "0x1", "-7", "true",
)
Parameter = Dict[str, Any]


class Graphs:
    """Descriptions, and values for them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def parameter(self, name: str) -> Parameter:
        if self.chance(18):
            return {"name": name + "...", **({"pattern": "[a-z/]+"} if self.chance(20) else {})}
        if self.chance(25):
            return {"name": name, "type": "integer"}
        if self.chance(12):
            return {"name": name, "enum": ["x", "new", "1"]}
        return {"name": name, **({"allow_empty": True} if self.chance(15) else {})}

    def template(self, prefix: str) -> Tuple[str, Dict[str, Parameter]]:
        segments: List[str] = []
        declared: Dict[str, Parameter] = {}
        for level in range(self.random.randrange(4)):
            kind = self.random.randrange(10)
            name = f"{prefix}{level}"
            if kind < 5:
                segments.append(self.random.choice(LITERALS))
            elif kind == 5:
                segments.append(f"{{{name}}}.json")
            elif kind == 6:
                segments.append(f"{{{name}a}}-{{{name}b}}")
            else:
                made = self.parameter(name)
                segments.append("{" + made.pop("name") + "}")
                if made:
                    declared[name] = made
        return "/".join(segments) + ("/" if segments and self.chance(8) else ""), declared

    def operation(self, prefix: str) -> Dict[str, Any]:
        path, ids = self.template(prefix)
        made: Dict[str, Any] = {self.random.choice(("get", "post", "delete")): path}
        if ids:
            made["ids"] = ids
        if self.chance(30):
            made["priority"] = self.random.randrange(4)
        return made

    def description(self) -> Dict[str, Any]:
        names = "abcde"[: 1 + self.random.randrange(5)]
        resources: Dict[str, Any] = {}
        for name in names:
            ids = [self.parameter(f"{name}{index}") for index in range(self.random.choice((1, 1, 1, 2, 3)))]
            made: Dict[str, Any] = {
                "path": "" if self.chance(20) else self.random.choice(LITERALS), "id": ids,
                "can": [each for each in ("list", "read", "create", "update", "delete") if self.chance(45)],
                "has": [each for each in names if self.chance(40)], "nested": self.chance(25), "shallow": self.chance(15),
            }
            for place in ("member", "collection"):
                if self.chance(35):
                    made[place] = {f"{place}{number}": self.operation("p") for number in range(1 + self.random.randrange(2))}
            resources[name] = made
        operations = {f"free{number}": self.operation("f") for number in range(self.random.randrange(4))}
        base = self.random.choice(("http://h", "https://h/v1", "/v3", "/"))
        return {"routable": 1, "base": base, "resources": resources, "operations": operations}

    def walk(self, router: routable.Router) -> Optional[Tuple[Optional[str], Any, List[Any]]]:
        """A route, its operation, and the parameters of its path."""
        if router.operations and (self.chance(20) or not router.resources):
            operation = router.operations[self.random.choice(list(router.operations))].description
            return None, operation, [each for each in operation.parameters if each.location == "path"]
        names = [self.random.choice(list(router.resources))]
        while self.chance(55) and router.resources[names[-1]].children:
            names.append(self.random.choice(router.resources[names[-1]].children))
        operations = list(router.resources[names[-1]].operations.values())
        if not operations:
            return None
        operation = self.random.choice(operations)
        outer = [each for name in names[:-1] for each in router.resources[name].ids]
        return ".".join(names), operation, outer + [each for each in operation.parameters if each.location == "path"]

    def value(self, parameter: Any) -> object:
        if parameter.type == "integer" and self.chance(85):
            return self.random.choice((0, 7, -1, 2**63 - 1, -(2**63)))
        if self.chance(15):
            return "".join(self.random.choice("xy1/%é .") for _ in range(self.random.randrange(1, 6)))
        return self.random.choice(TEXTS)


def opened(graphs: Graphs) -> Iterator[routable.Router]:
    while True:
        try:
            router = routable.open(graphs.description())
        except (routable.ConflictError, routable.DocumentError, routable.LimitError):
            continue
        with router:
            yield router


def written(build: Any, *arguments: Any, **named: Any) -> Tuple[Optional[str], Optional[str]]:
    """The URL, or the status by which it is refused."""
    try:
        url = build(*arguments, **named)
        return (url if isinstance(url, str) else url.url), None
    except routable.RefusedError as error:
        return None, error.status
    except routable.LimitError as error:
        return None, error.status


def test_build_and_match_are_inverse() -> None:
    graphs = Graphs(SEED)
    built = refused = shadowed = read = 0
    for router in opened(graphs):
        whole = router.base.startswith("/")
        for _ in range(12):
            walk = graphs.walk(router)
            if walk is None:
                continue
            route, operation, parameters = walk
            names = (operation.name,) if route is None else (route, operation.name)
            try:
                plan = router.plan(*names)
            except (routable.NotAllowedError, routable.UnknownError, routable.LimitError):
                continue
            for _ in range(8):
                values = [graphs.value(each) for each in parameters]
                what = (SEED, router.document, names, values)
                url, status = written(plan, *values)
                if graphs.chance(10):
                    assert written(router.build, *names, routable.using(ids=values)) == (url, status), what
                if url is None:
                    refused += status != "shadowed"
                    shadowed += status == "shadowed"
                    continue
                match = router.match(url, operation.method, whole_path=whole)
                texts = tuple(map(str, values))
                assert match is not None, (what, url)
                assert (match.route, match.operation, match.ids) == (route, operation.name, texts), (what, url, match)
                # By position, because a name may occur twice.
                if len(set(match.captures)) == len(values):
                    assert list(match.values.values()) == [
                        int(text) if each.type == "integer" else text for each, text in zip(parameters, texts)
                    ], (what, url)
                    read += 1
                built += 1
        if built + refused + shadowed >= CASES:
            break
    print(f"seed {SEED}: {built} built and matched, {read} read, {refused} refused, {shadowed} shadowed")
    assert built > CASES // 10 and shadowed > 0
