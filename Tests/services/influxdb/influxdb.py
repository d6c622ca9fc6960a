"""Databases, points and queries of InfluxDB 1.6: lines as bodies, queries as forms, and responses in chunks.

    influxdb.py BASE USER:PASSWORD
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, List

import routable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recorded import Run  # noqa: E402

START = 1_600_000_000


def rows(value: Any) -> List[Any]:
    return [each.get("values", []) for result in value["results"] for each in result.get("series", [])]


def main(base: str, words: str) -> int:
    api = routable.open(str(Path(__file__).with_name("influxdb.json")), base=base)
    own = api.operations
    user, _, password = words.partition(":")
    with routable.Client(api, credentials={"login": (user, password)}, deadline=30) as client:
        run = Run("InfluxDB", client)
        client.perform(own.execute({"q": f"CREATE USER {user} WITH PASSWORD '{password}' WITH ALL PRIVILEGES"}))
        run.call("ping", lambda: own.ping(), status=204)
        run.call("create a database", lambda: own.execute({"q": 'CREATE DATABASE "tea leaves"'}), lambda value: value["results"])
        run.call("databases", lambda: own.query(q="SHOW DATABASES"), rows)
        lines = "".join(
            f"cup,kind=green\\ tea,place=Café heat={60 + number},full={'t' if number % 2 else 'f'},n={number}i,"
            f'note="a \\"b\\"" {START + number}\n' for number in range(25))
        run.call("write", lambda: own.write(lines, db="tea leaves", precision="s"), status=204)
        run.call("write a point", lambda: own.write(f"cup,kind=black,place=x heat=99.5 {START}", db="tea leaves", precision="s"), status=204)
        run.call("count", lambda: own.query(q="SELECT count(heat) FROM cup", db="tea leaves", epoch="s"), rows)
        run.call("points", lambda: own.query(q="SELECT * FROM cup LIMIT 2", db="tea leaves", epoch="s"), rows)
        run.call("as a form", lambda: own.execute({"q": "SELECT max(heat) FROM cup WHERE kind = 'green tea' AND place = 'Café'", "epoch": "s"},
                                                  db="tea leaves"), rows)
        run.call("groups", lambda: own.query(q="SELECT mean(heat) FROM cup GROUP BY kind", db="tea leaves", epoch="s"),
                 lambda value: [(each["tags"], each["values"]) for each in value["results"][0]["series"]])
        run.call("a bound value", lambda: own.query(q="SELECT count(heat) FROM cup WHERE kind = $kind", db="tea leaves", epoch="s",
                                                    params='{"kind":"black"}'), rows)
        run.call("times", lambda: own.query(q="SELECT heat FROM cup LIMIT 1", db="tea leaves"), rows)
        run.call("two statements", lambda: own.query(q="SHOW MEASUREMENTS; SHOW TAG KEYS", db="tea leaves"), rows)
        run.call("fields", lambda: own.query(q="SHOW FIELD KEYS", db="tea leaves"), rows)
        run.call("nothing", lambda: own.query(q="SELECT * FROM nowhere", db="tea leaves"), rows)
        run.call("chunks", lambda: [len(each["results"][0]["series"][0]["values"]) for each in client.values(
            own.query(q="SELECT n FROM cup WHERE kind = 'green tea'", db="tea leaves", chunked=True, chunk_size=10))])
        run.call("retention policy", lambda: own.execute({"q": 'CREATE RETENTION POLICY week ON "tea leaves" DURATION 7d REPLICATION 1'}))
        run.call("retention policies", lambda: own.query(q='SHOW RETENTION POLICIES ON "tea leaves"'),
                 lambda value: [each[0] for each in rows(value)[0]])
        run.call("delete points", lambda: own.execute({"q": "DELETE FROM cup WHERE kind = 'black'"}, db="tea leaves"))
        run.call("users", lambda: own.query(q="SHOW USERS"), rows)
        run.call("variables", lambda: own.variables(), lambda value: "system" in value)
        run.call("a query that does not parse", lambda: own.query(q="SELEC"), lambda value: value["error"][:19], 400)
        run.call("a statement that fails", lambda: own.query(q="SELECT * FROM cup"), lambda value: value["results"][0]["error"])
        run.call("a line that does not parse", lambda: own.write("cup heat=", db="tea leaves"), lambda value: value["error"][:16], 400)
        run.call("a field of another type", lambda: own.write(f'cup,kind=x heat="hot" {START}', db="tea leaves", precision="s"),
                 lambda value: value["error"][:26], 400)
        run.call("no such database", lambda: own.write("cup heat=1", db="none"), lambda value: value["error"], 404)
        run.call("a precision that is none", lambda: own.write("cup heat=1", db="tea leaves", precision="d"), status=0)
        run.call("drop", lambda: own.execute({"q": 'DROP DATABASE "tea leaves"'}))
        with routable.Client(api, credentials={"login": (user, "wrong")}) as stranger:
            run.client = stranger
            run.call("a wrong password", lambda: own.query(q="SHOW DATABASES"), lambda value: value["error"], 401)
        return run.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
