"""Torrents and settings of Transmission: procedures of one URL, a password, and a session id that a 409 response names.

    transmission.py BASE USER:PASSWORD FOLDER
"""

from __future__ import annotations

import base64
import hashlib
import sys
from pathlib import Path
from typing import Any, Dict, Optional

import routable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recorded import Run  # noqa: E402


def bencoded(value: Any) -> bytes:
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, dict):
        return b"d" + b"".join(bencoded(key) + bencoded(value[key]) for key in sorted(value)) + b"e"
    text = value if isinstance(value, bytes) else value.encode()
    return b"%d:%s" % (len(text), text)


def torrent(name: str) -> str:
    content = name.encode() * 1000
    pieces = hashlib.sha1(content).digest()
    info = {"length": len(content), "name": name, "piece length": 65536, "pieces": pieces, "private": 1}
    return base64.b64encode(bencoded({"announce": "http://127.0.0.1:9/announce", "info": info})).decode()


def session_id(api: routable.Router, client: routable.Client) -> routable.Credential:
    """A credential that requests the session id: the response to a request without one is 409, and has it in a header."""
    def renew(old: Optional[str]) -> str:
        return client.perform(api.operations.handshake()).headers["X-Transmission-Session-Id"]
    return routable.Credential(refresh=renew)


def main(base: str, words: str, folder: str) -> int:
    api = routable.open(str(Path(__file__).with_name("transmission.json")), base=base)
    rpc = api.operations
    user, _, password = words.partition(":")
    with routable.Client(api, credentials={"login": (user, password)}, deadline=30) as client:
        run = Run("Transmission", client)
        client.set_credential("session", session_id(api, client))

        def call(title: str, operation: str, arguments: Optional[Dict[str, Any]] = None, show: Any = None, status: int = 200) -> Any:
            made = rpc[operation]
            method = made.description.body_schema()["properties"]["method"]["const"]
            body = {"method": method, "tag": 7, **({"arguments": arguments} if arguments is not None else {})}
            return run.call(title, lambda: made(body), (lambda value: show(value["arguments"])) if show else None, status)

        call("session", "session", None, lambda got: (got["rpc-version"], got["encryption"]))
        call("some fields", "session", {"fields": ["version", "rpc-version", "download-dir"]}, lambda got: sorted(got))
        call("configure", "configure", {"speed-limit-down": 100, "speed-limit-down-enabled": True})
        call("configured", "session", {"fields": ["speed-limit-down", "version", "rpc-version", "download-dir"]},
             lambda got: got["speed-limit-down"])
        call("stats", "stats", None, lambda got: got["torrentCount"])
        call("add", "add", {"metainfo": torrent("Tea.txt"), "paused": True}, lambda got: (got["torrent-added"]["id"], got["torrent-added"]["name"]))
        call("add again", "add", {"metainfo": torrent("Tea.txt"), "paused": True}, lambda got: got["torrent-duplicate"]["id"])
        call("add another", "add", {"metainfo": torrent("Çay & süt.txt"), "paused": True}, lambda got: got["torrent-added"]["name"])
        call("list", "list", {"fields": ["id", "name", "status", "percentDone", "totalSize", "hashString", "files", "trackers", "error", "labels"]},
             lambda got: [(each["id"], each["name"], each["totalSize"]) for each in got["torrents"]])
        call("one", "list", {"fields": ["name", "files"], "ids": [1]}, lambda got: got["torrents"][0]["files"][0]["length"])
        call("none", "list", {"fields": ["name"], "ids": [99]}, lambda got: got["torrents"])
        call("set", "set", {"ids": [1], "labels": ["green", "hot"], "uploadLimit": 5, "uploadLimited": True})
        call("labels", "list", {"fields": ["labels"], "ids": 1}, lambda got: got["torrents"][0]["labels"])
        call("rename", "rename", {"ids": [1], "path": "Tea.txt", "name": "Assam.txt"}, lambda got: got["name"])
        call("verify", "verify", {"ids": [1]})
        call("start", "start", {"ids": [2]})
        call("stop", "stop", {"ids": [2]})
        call("recently active", "list", {"fields": ["id"], "ids": "recently-active"}, lambda got: sorted(got))
        call("free space", "freeSpace", {"path": folder}, lambda got: got["size-bytes"] > 0)
        # Transmission responds to what it cannot do with 200 and the reason in "result".
        call("free space of nothing", "freeSpace", {"path": "relative"}, lambda got: got.get("path"))
        call("a torrent that is none", "add", {"metainfo": "bm9uZQ=="})
        call("no such method", "unknown")
        call("neither file nor data", "add", {"paused": True}, status=0)
        call("a setting that is not declared", "configure", {"speed-limit": 1}, status=0)
        client.set_credential("session", routable.Credential("an-old-session-id", refresh=session_id(api, client).refresh))
        call("an old session id", "stats", None, lambda got: got["torrentCount"])
        call("remove", "remove", {"ids": [1, 2], "delete-local-data": True})
        call("after that", "list", {"fields": ["id"]}, lambda got: got["torrents"])
        with routable.Client(api, credentials={"login": (user, "wrong"), "session": "x"}, deadline=30) as stranger:
            run.client = stranger
            call("a wrong password", "stats", status=401)
        return run.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
