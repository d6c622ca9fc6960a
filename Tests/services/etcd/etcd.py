"""Keys, transactions, leases, a watch and users, in etcd by its JSON gateway.

    etcd.py BASE
"""

from __future__ import annotations

import base64
import sys
import threading
from pathlib import Path
from typing import Any, List

import routable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recorded import Run  # noqa: E402


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def plain(text: str) -> str:
    return base64.b64decode(text).decode()


def pairs(value: Any) -> List[Any]:
    return [(plain(each["key"]), plain(each.get("value", ""))) for each in value.get("kvs", [])]


def main(base: str) -> int:
    api = routable.open(str(Path(__file__).with_name("etcd.json")), base=base)
    etcd = api.operations
    with routable.Client(api, deadline=30) as client:
        run = Run("etcd", client)
        run.call("status", lambda: etcd.status({}), lambda value: value["version"].split(".")[:2])
        run.call("members", lambda: etcd.members({}), lambda value: len(value["members"]))
        run.call("put", lambda: etcd.put({"key": b64("tea/1"), "value": b64("Assam")}))
        run.call("put again", lambda: etcd.put({"key": b64("tea/1"), "value": b64("Çay"), "prev_kv": True}),
                 lambda value: (plain(value["prev_kv"]["value"]), value["prev_kv"]["version"]))
        for number in range(2, 8):
            client.perform(etcd.put({"key": b64(f"tea/{number}"), "value": b64(f"leaf {number}")}))
        run.call("get", lambda: etcd.range({"key": b64("tea/1")}), pairs)
        run.call("get nothing", lambda: etcd.range({"key": b64("coffee")}), pairs)
        run.call("list", lambda: etcd.range({"key": b64("tea/"), "range_end": b64("tea0"), "limit": 2, "sort_order": "DESCEND"}),
                 lambda value: (pairs(value), value["count"], value["more"]))
        # The next page begins with the last key of the previous page, and both pages contain it.
        run.call("pages", lambda: sorted({plain(each["key"]) for each in client.items(
            etcd.range({"key": b64("tea/"), "range_end": b64("tea0")}), page_size=3)}))
        run.call("count", lambda: etcd.range({"key": b64("tea/"), "range_end": b64("tea0"), "count_only": True}), lambda value: value["count"])
        run.call("transaction", lambda: etcd.transact({
            "compare": [{"key": b64("tea/1"), "target": "VERSION", "result": "EQUAL", "version": "2"}],
            "success": [{"requestPut": {"key": b64("tea/1"), "value": b64("new")}}, {"requestRange": {"key": b64("tea/1")}}]}),
            lambda value: (value["succeeded"], pairs(value["responses"][1]["response_range"])))
        run.call("transaction that fails", lambda: etcd.transact({
            "compare": [{"key": b64("tea/1"), "target": "VERSION", "result": "EQUAL", "version": "2"}], "success": []}),
            lambda value: value.get("succeeded"))
        lease = run.call("lease", lambda: etcd.grant({"TTL": 60}), lambda value: value["TTL"])["ID"]
        run.call("put with a lease", lambda: etcd.put({"key": b64("cup"), "value": b64("hot"), "lease": lease}))
        run.call("keep alive", lambda: etcd.keep({"ID": lease}), lambda value: value["result"]["TTL"])
        run.call("time to live", lambda: etcd.lease({"ID": lease, "keys": True}), lambda value: value["grantedTTL"])
        run.call("revoke", lambda: etcd.revoke({"ID": lease}))
        run.call("gone with its lease", lambda: etcd.range({"key": b64("cup")}), pairs)
        run.call("watch", lambda: watch(client, etcd))
        run.call("delete", lambda: etcd.remove({"key": b64("tea/"), "range_end": b64("tea0")}), lambda value: value["deleted"])
        run.call("snapshot", lambda: snapshot(client, etcd))
        run.call("an empty key", lambda: etcd.put({"key": ""}), lambda value: (value["code"], value["error"]), 400)
        run.call("no lease", lambda: etcd.revoke({"ID": "7"}), lambda value: (value["code"], value["error"]), 404)
        run.call("compacted", lambda: etcd.compact({"revision": "999999"}), lambda value: (value["code"], value["error"]), 400)
        run.call("a limit that is negative", lambda: etcd.range({"key": b64("a"), "limit": -1}), status=0)
        users(run, client, api)
        return run.end()


def watch(client: routable.Client, etcd: Any) -> List[Any]:
    """The first event of a key that is changed while the watch runs."""
    got = []
    with client.values(etcd.watch({"create_request": {"key": b64("bell")}}), stall_timeout=20) as values:
        for each in values:
            if each["result"].get("created"):
                threading.Thread(target=lambda: client.perform(etcd.put({"key": b64("bell"), "value": b64("ding")}))).start()
            for event in each["result"].get("events", []):
                got.append((event.get("type", "PUT"), plain(event["kv"]["key"]), plain(event["kv"]["value"])))
            if got:
                return got
    return got


def snapshot(client: routable.Client, etcd: Any) -> List[Any]:
    """Each part of a snapshot is a line of the response."""
    size = 0
    with client.values(etcd.snapshot({})) as values:
        for each in values:
            size += len(base64.b64decode(each["result"].get("blob", "")))
    return [size > 20000]


def users(run: Run, client: routable.Client, api: routable.Router) -> None:
    """With authentication, each call requires a token, which etcd issues for a password."""
    etcd = api.operations
    run.call("add user", lambda: etcd.addUser({"name": "root", "password": "pass word"}))
    run.call("add role", lambda: etcd.addRole({"name": "root"}))
    run.call("grant role", lambda: etcd.grantRole({"user": "root", "role": "root"}))
    run.call("enable authentication", lambda: etcd.enable({}))
    run.call("without a token", lambda: etcd.range({"key": b64("a")}), lambda value: (value["code"], value["error"]), 400)
    run.call("a wrong password", lambda: etcd.authenticate({"name": "root", "password": "x"}), lambda value: value["error"], 400)
    client.set_credential("token", routable.Credential(refresh_body={"name": "root", "password": "pass word"}))
    run.call("with a token", lambda: etcd.range({"key": b64("bell")}), pairs)
    client.set_credential("token", routable.Credential("no.such.token", refresh_body={"name": "root", "password": "pass word"}))
    run.call("with a token that is not valid", lambda: etcd.users({}), lambda value: value["users"])
    run.call("disable authentication", lambda: etcd.disable({}))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
