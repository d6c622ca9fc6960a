"""Python routers and URL builders with the same data, alternating with `routable` in one process: nanoseconds per operation.

python_peers.py match ROUTES URLS
python_peers.py build TSV
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Callable, Dict, List
from urllib.parse import quote

import falcon.routing
import httpx
import routable
import uritemplate
import werkzeug.routing
import yarl
from starlette.routing import Match, Route

ROUNDS = 7
ROUND_SECONDS = 0.05


def lines(name: str) -> List[str]:
    return Path(name).read_text(encoding="utf-8").splitlines()


def compete(operations: int, jobs: Dict[str, Callable[[], None]]) -> None:
    """Runs each job, which performs this number of operations, in turn; prints the minimum of each and its ratio to the first."""
    least = dict.fromkeys(jobs, float("inf"))
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            start, count = time.perf_counter_ns(), 0
            while time.perf_counter_ns() - start < ROUND_SECONDS * 1e9:
                job()
                count += operations
            least[name] = min(least[name], (time.perf_counter_ns() - start) / count)
    first = next(iter(least.values()))
    for name, ns in least.items():
        print(f"  {name:24} {ns:10.0f} ns   routable takes {first / ns:.3f} of it")


def over(inputs: List[str], call: Callable[[str], object]) -> Callable[[], None]:
    def job() -> None:
        for each in inputs:
            call(each)

    return job


def match(routes_name: str, urls_name: str) -> None:
    routes, urls = lines(routes_name), lines(urls_name)[:200]
    braces = [re.sub(r":(\w+)", r"{\1}", route) for route in routes]
    # Patterns that differ only in their names are one pattern to the other routers, which have one name per position.
    operations = {f"r{index}": {"get": route} for index, route in enumerate(braces)}
    api = routable.open({"routable": 1, "operations": operations})
    rules = [werkzeug.routing.Rule(re.sub(r":(\w+)", r"<\1>", route), endpoint=route) for route in routes]
    adapter = werkzeug.routing.Map(rules).bind("h")
    compiled = falcon.routing.CompiledRouter()
    for route in braces:
        try:
            compiled.add_route(route, object())
        except ValueError:
            pass  # one name per position
    starlette = [Route(route, lambda request: None) for route in braces]

    def by_starlette(url: str) -> None:
        scope = {"type": "http", "method": "GET", "path": url}
        for route in starlette:
            if route.matches(scope)[0] == Match.FULL:
                return

    jobs = {
        "routable": over(urls, lambda url: api.match(url, "GET").ids),
        "falcon": over(urls, compiled.find),
        "werkzeug": over(urls, lambda url: adapter.match(url, "GET")),
    }
    if len(routes) <= 2000:
        jobs["starlette"] = over(urls, by_starlette)
    compete(len(urls), jobs)


def build(rows_name: str) -> None:
    rows = [line.split("\t") for line in lines(rows_name)][:200]
    parameters = {"q": {"type": "string"}, "lang": {"type": "string"}}
    path = "/orgs/{org}/projects/{project}/files/{file}"
    api = routable.open(
        {"routable": 1, "base": "https://api.example.com", "operations": {"file": {"get": path, "query": parameters}}}
    )
    plan = api.plan("file")
    template = uritemplate.URITemplate("https://api.example.com" + path + "{?q,lang}")
    rule = werkzeug.routing.Rule(re.sub(r"\{(\w+)\}", r"<\1>", path), endpoint="file")
    adapter = werkzeug.routing.Map([rule]).bind("api.example.com", url_scheme="https")
    base = yarl.URL("https://api.example.com")

    def by_hand(o: str, p: str, f: str, q: str, lang: str) -> str:
        path = f"/orgs/{quote(o, safe='')}/projects/{quote(p, safe='')}/files/{quote(f, safe='')}"
        return f"https://api.example.com{path}?q={quote(q, safe='')}&lang={quote(lang, safe='')}"

    def all_rows(call: Callable[..., object]) -> Callable[[], None]:
        def job() -> None:
            for row in rows:
                call(*row)

        return job

    for row in rows:
        if plan(*row[:3], q=row[3], lang=row[4]) != by_hand(*row):
            sys.exit(f"{row}: {plan(*row[:3], q=row[3], lang=row[4])} is not {by_hand(*row)}")
    compete(
        len(rows),
        {
            "routable plan": all_rows(lambda o, p, f, q, lang: plan(o, p, f, q=q, lang=lang)),
            "urllib.parse.quote": all_rows(by_hand),
            "yarl": all_rows(lambda o, p, f, q, lang: str((base / "orgs" / o.replace("/", "") / "projects" / p.replace("/", "") / "files" / f.replace("/", "")) % {"q": q, "lang": lang})),
            "werkzeug": all_rows(lambda o, p, f, q, lang: adapter.build("file", {"org": o, "project": p, "file": f, "q": q, "lang": lang})),
            "uritemplate": all_rows(lambda o, p, f, q, lang: template.expand(org=o, project=p, file=f, q=q, lang=lang)),
            "httpx.URL": all_rows(lambda o, p, f, q, lang: str(httpx.URL(f"https://api.example.com/orgs/{quote(o, safe='')}/projects/{quote(p, safe='')}/files/{quote(f, safe='')}", params={"q": q, "lang": lang}))),
        },
    )


if __name__ == "__main__":
    if sys.argv[1] == "match":
        match(sys.argv[2], sys.argv[3])
    else:
        build(sys.argv[2])
