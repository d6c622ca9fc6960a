"""Queries, series, rules, and deleting series, in a Prometheus that scrapes itself.

    prometheus.py BASE USER:PASSWORD

Prometheus starts with the admin interface and --web.enable-lifecycle, and with the rules of rules.yml.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import routable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recorded import Run  # noqa: E402


def main(base: str, login: str) -> int:
    api = routable.open(str(Path(__file__).with_name("prometheus.json")), base=base)
    user, _, password = login.partition(":")
    operations = api.operations
    with routable.Client(api, credentials={"login": (user, password)}, deadline=30) as client:
        run = Run("Prometheus", client)
        while not client.perform(operations.query(query="up == 1")).value["data"]["result"]:
            time.sleep(0.2)
        run.call("ready", lambda: operations.ready(), lambda text: text.strip().rstrip("."))
        run.call("build", lambda: operations.build(), lambda value: sorted(value["data"]))
        run.call("vector", lambda: operations.query(query="up"),
                 lambda value: [(each["metric"]["job"], each["value"][1]) for each in value["data"]["result"]])
        run.call("scalar", lambda: operations.query(query="1+1"), lambda value: value["data"]["result"][1])
        run.call("string", lambda: operations.query(query='"a b/c&d=é"'), lambda value: value["data"]["result"][1])
        run.call("matrix", lambda: operations.query(query="up[1m]"),
                 lambda value: (value["data"]["resultType"], len(value["data"]["result"]) > 0))
        run.call("not a number", lambda: operations.query(query="vector(0)/0"), lambda value: value["data"]["result"][0]["value"][1])
        run.call("form", lambda: operations.queryForm({"query": "count(up) + 1 - 1", "time": time.time()}),
                 lambda value: value["data"]["result"][0]["value"][1])
        now = time.time()
        run.call("range", lambda: operations.range(query="vector(7)", start=now - 60, end=now, step="15s"),
                 lambda value: (value["data"]["resultType"], len(value["data"]["result"][0]["values"])))
        run.call("series", lambda: operations.series(**{"match[]": ["up", 'prometheus_build_info{job="self"}']}),
                 lambda value: sorted(each["__name__"] for each in value["data"]))
        run.call("labels", lambda: operations.labels(**{"match[]": ["up"]}), lambda value: value["data"])
        run.call("values of a label", lambda: api.label("job").values(), lambda value: value["data"])
        run.call("targets", lambda: operations.targets(state="active"),
                 lambda value: [(each["scrapePool"], each["health"]) for each in value["data"]["activeTargets"]])
        run.call("rules", lambda: operations.rules(type="alert"),
                 lambda value: [rule["name"] for group in value["data"]["groups"] for rule in group["rules"]])
        run.call("alerts", lambda: operations.alerts(), lambda value: type(value["data"]["alerts"]).__name__)
        run.call("metadata", lambda: operations.metadata(metric="prometheus_build_info"),
                 lambda value: value["data"]["prometheus_build_info"][0]["type"])
        run.call("flags", lambda: operations.flags(), lambda value: value["data"]["web.enable-admin-api"])
        run.call("head", lambda: operations.head(), lambda value: value["data"]["headStats"]["numSeries"] > 0)
        run.call("text format", lambda: operations.federate(**{"match[]": ["up"]}),
                 lambda text: [line.partition("{")[0] for line in text.splitlines() if not line.startswith("#")])
        run.call("delete series", lambda: operations.deleteSeries(**{"match[]": ["scrape_duration_seconds"]}), status=204)
        run.call("clean tombstones", lambda: operations.cleanTombstones(), status=204)
        run.call("snapshot", lambda: operations.snapshot(skip_head=False), lambda value: bool(value["data"]["name"]))
        run.call("reload", lambda: operations.reload())
        run.call("a query that does not parse", lambda: operations.query(query="up{"), lambda value: value["errorType"], 400)
        run.call("a query of two series in one", lambda: operations.query(query="up * on() {__name__=~'prometheus_h.*'}"),
                 lambda value: value["errorType"], 422)
        run.call("a step of zero", lambda: operations.range(query="up", start=1, end=2, step="0"), lambda value: value["errorType"], 400)
        run.call("no such label", lambda: api.label("no-label").values(), lambda value: value["errorType"], 400)
        run.call("a label with a slash", lambda: api.label("no/label").values(), lambda text: text.strip(), 404)
        run.call("series of nothing", lambda: operations.series(**{"match[]": []}), status=0)
        run.call("a wrong state", lambda: operations.targets(state="dead"), status=0)
        with routable.Client(api, credentials={"login": (user, "wrong")}) as stranger:
            run.client = stranger
            run.call("a wrong password", lambda: operations.query(query="up"), lambda text: text.strip(), 401)
        return run.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
