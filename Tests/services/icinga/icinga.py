"""Hosts, services, check results and events of Icinga 2, over HTTPS with its own authority.

    icinga.py BASE USER:PASSWORD AUTHORITY
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any, List

import routable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recorded import Run  # noqa: E402


def main(base: str, words: str, authority: str) -> int:
    api = routable.open(str(Path(__file__).with_name("icinga.json")), base=f"{base}/v1")
    own = api.operations
    user, _, password = words.partition(":")
    with routable.Client(api, credentials={"login": (user, password)}, ca_file=authority, deadline=60) as client:
        run = Run("Icinga", client)
        host = {"attrs": {"address": "127.0.0.1", "check_command": "dummy", "vars": {"room": "Küche & Bad"}}}
        passive = {"check_command": "dummy", "enable_active_checks": False}
        run.call("status", lambda: own.status(), lambda value: sorted(each["name"] for each in value["results"])[:2])
        run.call("create", lambda: api.host("kettle").add(host), lambda value: value["results"][0]["status"])
        run.call("create with a space", lambda: api.host("tea pot/1").add(host), lambda value: value["results"][0]["code"])
        run.call("create again", lambda: api.host("kettle").add(host), lambda value: value["results"][0]["status"], 500)
        run.call("create with a wrong attribute", lambda: api.host("x").add({"attrs": {"no": 1, "check_command": "dummy"}}),
                 lambda value: value["results"][0]["code"], 500)
        run.call("read", lambda: api.host("kettle").read(), lambda value: value["results"][0]["attrs"]["vars"])
        run.call("read with a space", lambda: api.host("tea pot/1").read(attrs=["address", "name"]),
                 lambda value: value["results"][0]["attrs"])
        run.call("list", lambda: own.hosts(attrs=["name"]), lambda value: sorted(each["name"] for each in value["results"]))
        run.call("list with a filter", lambda: own.hosts(filter='match("ket*", host.name)'),
                 lambda value: [each["name"] for each in value["results"]])
        run.call("find", lambda: own.find({"filter": "host.vars.room == room", "filter_vars": {"room": "Küche & Bad"}, "attrs": ["name"]}),
                 lambda value: len(value["results"]))
        run.call("modify", lambda: api.host("kettle").modify({"attrs": {"vars.room": "hall"}}), lambda value: value["results"][0]["status"])
        run.call("modified", lambda: api.host("kettle").read(attrs=["vars"]), lambda value: value["results"][0]["attrs"]["vars"]["room"])
        run.call("create a service", lambda: own.createService({"attrs": passive}, host="kettle", name="heat"),
                 lambda value: value["results"][0]["code"])
        run.call("a service", lambda: own.service(host="kettle", name="heat"), lambda value: value["results"][0]["attrs"]["display_name"])
        run.call("a check result", lambda: own.result({"exit_status": 2, "plugin_output": "too hot", "performance_data": ["heat=100"]},
                                                      service="kettle!heat"), lambda value: value["results"][0]["status"])
        run.call("services with a problem", lambda: own.findServices({"filter": "service.state > 0", "attrs": ["state", "name"], "joins": ["host.name"]}),
                 lambda value: [(each["attrs"], each["joins"]) for each in value["results"]])
        run.call("acknowledge", lambda: own.acknowledge({
            "type": "Service", "filter": 'service.name == "heat"', "author": "ann", "comment": "it is tea"}),
                 lambda value: value["results"][0]["code"])
        run.call("an event", lambda: watch(client, own))
        run.call("a type", lambda: own.types(name="Host"), lambda value: value["results"][0]["plural_name"])
        run.call("no such host", lambda: api.host("none").read(), lambda value: value["status"], 404)
        run.call("a filter that does not parse", lambda: own.find({"filter": "host.name =="}), lambda value: value["error"], 404)
        run.call("no such type", lambda: own.types(name="Nothing"), lambda value: value["error"], 404)
        run.call("events of a type that is none", lambda: own.events({"types": ["Nothing"], "queue": "q"}), status=0)
        run.call("an exit status of 9", lambda: own.result({"exit_status": 9, "plugin_output": ""}, service="kettle!heat"), status=0)
        run.call("delete with its services", lambda: api.host("kettle").delete(cascade=True), lambda value: value["results"][0]["code"])
        run.call("delete all", lambda: own.removeAll({"filter": 'match("tea*", host.name)'}, cascade=True), lambda value: len(value["results"]))
        run.call("after that", lambda: own.hosts(filter='match("*ea*", host.name)'), lambda value: len(value["results"]))
        with routable.Client(api, credentials={"login": (user, "wrong")}, ca_file=authority) as stranger:
            run.client = stranger
            run.call("a wrong password", lambda: own.status(), lambda value: value["error"], 401)
        with routable.Client(api, credentials={"login": (user, password)}) as stranger:
            run.client = stranger
            try:
                stranger.perform(own.status())
                run.told("an authority that is not trusted", "exception", "trusted", False)
            except routable.TLSError as error:
                run.told("an authority that is not trusted", "explained error", error.status, True)
        return run.end()


def watch(client: routable.Client, own: Any) -> List[Any]:
    """The event of a check result that is sent while the stream is open."""
    threading.Timer(0.5, lambda: client.perform(own.result({"exit_status": 0, "plugin_output": "cool"}, service="kettle!heat"))).start()
    with client.values(own.events({"types": ["CheckResult"], "queue": "tea"}), stall_timeout=20) as values:
        for each in values:
            if each.get("service") == "heat":
                return [each["type"], each["host"], each["check_result"]["output"]]
    return []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
