"""Folders, devices, options and events of Syncthing: an API key, and events that are waited for.

    syncthing.py BASE KEY FOLDER
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any, List

import routable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from recorded import Run  # noqa: E402


def main(base: str, key: str, place: str) -> int:
    api = routable.open(str(Path(__file__).with_name("syncthing.json")), base=f"{base}/rest")
    own = api.operations
    folder = Path(place)
    (folder / "sub").mkdir(parents=True, exist_ok=True)
    (folder / "Çay & süt.txt").write_text("tea")
    (folder / "sub" / "b.txt").write_text("b" * 1000)
    other = "P56IOI7-MZJNU2Y-IQGDREY-DM2MGTI-MGL3BXN-PQ6W5BM-TBBZ4TJ-XZWICQ2"
    with routable.Client(api, credentials={"key": key}, deadline=60) as client:
        run = Run("Syncthing", client)
        run.call("ping", lambda: own.ping(), lambda value: value["ping"])
        run.call("version", lambda: own.version(), lambda value: value["version"].split(".")[0])
        mine = run.call("status", lambda: own.status(), lambda value: len(value["myID"]))["myID"]
        run.call("options", lambda: own.options(), lambda value: value["globalAnnounceEnabled"])
        run.call("set options", lambda: own.setOptions({"maxSendKbps": 100}))
        run.call("options again", lambda: own.options(), lambda value: value["maxSendKbps"])
        run.call("create a folder", lambda: api.folder.create({"id": "tea leaves", "path": str(folder), "fsWatcherEnabled": False}))
        run.call("folders", lambda: api.folder.list(), lambda value: [each["id"] for each in value])
        run.call("folder", lambda: api.folder("tea leaves").read(), lambda value: (value["type"], value["minDiskFree"]["unit"]))
        run.call("patch it", lambda: api.folder("tea leaves").patch({"label": "Tea", "rescanIntervalS": 0}))
        changed = run.call("patched", lambda: api.folder("tea leaves").read(), lambda value: (value["label"], value["rescanIntervalS"]))
        run.call("update it", lambda: api.folder("tea leaves").update({**changed, "label": "Çay"}))
        run.call("scan", lambda: own.scan(folder="tea leaves"))
        run.call("status of the folder", lambda: own.folderStatus(folder="tea leaves"), lambda value: (value["state"], value["localFiles"]))
        run.call("browse", lambda: own.browse(folder="tea leaves"),
                 lambda value: [(each["name"], each["type"][15:], len(each.get("children", []))) for each in value])
        run.call("set ignores", lambda: own.setIgnores({"ignore": ["*.tmp", "!b.txt"]}, folder="tea leaves"), lambda value: value["ignore"])
        run.call("ignores", lambda: own.ignores(folder="tea leaves"), lambda value: len(value["expanded"]))
        run.call("need, as pages", lambda: client.items(own.need(folder="tea leaves"), page_size=10))
        run.call("create a device", lambda: api.device.create({"deviceID": other, "name": "cup", "compression": "never"}))
        run.call("device", lambda: api.device(other).read(), lambda value: (value["name"], value["addresses"]))
        run.call("devices", lambda: api.device.list(), lambda value: len(value))
        run.call("delete the device", lambda: api.device(other).delete())
        run.call("an error", lambda: own.addError("a leaf is missing"))
        run.call("errors", lambda: own.errors(), lambda value: value["errors"][-1]["message"])
        run.call("clear errors", lambda: own.clearErrors())
        run.call("no errors", lambda: own.errors(), lambda value: value["errors"])
        run.call("events", lambda: own.events(since=0, limit=3, timeout=1), lambda value: len(value))
        run.call("an event that is waited for", lambda: wait(client, own))
        run.call("no event", lambda: own.events(since=10**6, timeout=1), lambda value: value)
        run.call("id of a device", lambda: own.deviceId(id=mine), lambda value: list(value))
        run.call("no id of a device", lambda: own.deviceId(id="ABC"), lambda value: list(value))
        run.call("no such folder", lambda: api.folder("none").read(), lambda text: text.strip(), 404)
        run.call("status of no folder", lambda: own.folderStatus(folder="none"), lambda text: text.strip(), 404)
        run.call("a folder without a path", lambda: api.folder.create({"id": "x"}), status=0)
        run.call("an invalid device", lambda: api.device("x").read(), lambda text: text.strip(), 400)
        run.call("delete the folder", lambda: api.folder("tea leaves").delete())
        with routable.Client(api, credentials={"key": "wrong"}) as stranger:
            run.client = stranger
            run.call("a wrong key", lambda: own.ping(), lambda text: text.strip(), 403)
        return run.end()


def wait(client: routable.Client, own: Any) -> List[str]:
    """Waits for an event that a change causes a moment later."""
    last = client.perform(own.events(since=0, limit=1, timeout=1)).value[0]["id"]
    threading.Timer(0.5, lambda: client.perform(own.setOptions({"maxSendKbps": 200}))).start()
    for _ in range(20):  # a response has the events up to then, at least one
        found = client.perform(own.events(since=last, timeout=30)).value
        if any(each["type"] == "ConfigSaved" for each in found):
            return ["ConfigSaved"]
        last = found[-1]["id"] if found else last
    return []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
