#!/usr/bin/env python3
"""Reads many pages of twelve kinds in Python and in C: the items of a handwritten loop, in constant memory (docs/pagination.md).

    Tests/pages/run.py build/embedded [--pages 10000] [KIND ...]
"""

from __future__ import annotations

import argparse
import json
import os
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Tuple
from urllib.parse import parse_qsl

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / "build/venv/bin/python"
if VENV.exists() and Path(sys.prefix) != VENV.parent.parent:
    os.execv(VENV, [str(VENV), *sys.argv])
sys.path.insert(0, str(ROOT / "Tests/pages"))
sys.path.insert(0, str(ROOT / "bindings/python/src"))

from kinds import KINDS, SIZE, by_hand, call, document, start  # noqa: E402

#: The items after which the memory is measured for the first time.
BEFORE = 100 * SIZE
#: The maximum growth from then on: KEPT bytes for each page, which reference cycles would exceed, and NOISE for the allocators.
KEPT, NOISE = 24, {"C": 300_000, "Python": 1_500_000}
MASK = (1 << 64) - 1


class Handler(socketserver.StreamRequestHandler):
    """A minimal HTTP/1.1 server: http.server takes three times as long."""

    pages = 0

    def handle(self) -> None:
        while line := self.rfile.readline():
            target = line.split(b" ")[1].decode()
            length = 0
            while (header := self.rfile.readline()) not in (b"\r\n", b""):
                if header.lower().startswith(b"content-length:"):
                    length = int(header[15:])
            body = json.loads(self.rfile.read(length)) if length else None
            path, _, query = target.partition("?")
            kind = KINDS[path[1:]]
            count = self.pages * SIZE - 1
            status, headers, value = kind.reply(start(dict(parse_qsl(query)), body), count, self.pages)
            text = json.dumps(value).encode()
            lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(text)}"]
            lines += [f"{name}: {each}" for name, each in headers.items()]
            self.wfile.write("\r\n".join(lines).encode() + b"\r\n\r\n" + text)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


def checksum(ids: Any) -> Tuple[int, int]:
    count = total = 0
    for count, each in enumerate(ids, 1):
        total = (total * 31 + each) & MASK
    return count, total


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def child(name: str, base: str, pages: int) -> None:
    """Reads the pages with the library, in a separate process."""
    import routable

    routable.set_memory_limit(1 << 40)  # the memory is counted from here
    api = routable.open(document(name, base))
    kind, measured = KINDS[name], []
    given: Dict[str, Any] = {key: str(value) for key, value in kind.query(pages).items()}

    def ids() -> Any:
        with routable.Client() as client:
            request = api.operations.things(kind.body) if kind.body else api.operations.things(**given)
            for count, item in enumerate(client.items(request, max_pages=1 << 20, backwards=kind.backwards), 1):
                if count == BEFORE:
                    measured.append((resident(), routable.memory_used()))
                yield item["id"]
            measured.append((resident(), routable.memory_used()))

    count, total = checksum(ids())
    print(json.dumps({"count": count, "checksum": total, "resident": [each[0] for each in measured], "used": [each[1] for each in measured]}))


def compared(name: str, language: str, got: Dict[str, Any], hand: Tuple[int, int], pages: int, seconds: float) -> List[str]:
    (first, last), (used, end) = got["resident"], got["used"]
    print(f"{name:10} {language:7} {got['count']:6} items, {pages} pages in {seconds:5.1f} s; resident {first // 1024:6} KB after 100 pages, "
          f"{last // 1024:6} KB at the end ({(last - first) / 1024:+.0f} KB); of the library {used // 1024} KB, {end // 1024} KB", flush=True)
    faults = []
    if (got["count"], got["checksum"]) != hand:
        faults.append(f"{name}, {language}: {got['count']} items, and {hand[0]} by hand, or other ones")
    bound = KEPT * pages + NOISE[language]
    if last - first > bound:
        faults.append(f"{name}, {language}: the memory grows by {last - first} bytes; at most {bound} are expected")
    if end - used > KEPT * pages + 65_536:
        faults.append(f"{name}, {language}: the memory of the library grows by {end - used} bytes")
    return faults


def main() -> int:
    words = argparse.ArgumentParser(description="Reads many pages.")
    words.add_argument("library", type=Path)
    words.add_argument("kinds", nargs="*", choices=[*KINDS, []])
    words.add_argument("--pages", type=int, default=300)
    given = words.parse_args()
    library = given.library.resolve()
    Handler.pages = given.pages
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    faults: List[str] = []
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library), ROUTABLE_LIBRARY=str(library / "libroutable.so.0"), PYTHONDONTWRITEBYTECODE="1")
    with tempfile.TemporaryDirectory() as work:
        program = Path(work) / "many_pages"
        subprocess.run([
            os.environ.get("CC", "cc"), "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-o", program,
            ROOT / "Tests/pages/many_pages.c", f"-L{library}", "-lroutable"], check=True)
        for name in given.kinds or KINDS:
            begun = time.monotonic()
            hand = checksum(item["id"] for item in by_hand(name, base, given.pages))
            print(f"{name:10} by hand {hand[0]:6} items in {time.monotonic() - begun:5.1f} s", flush=True)
            if hand[0] != given.pages * SIZE - 1:
                faults.append(f"{name}: {hand[0]} items by hand")
            for language, command in (
                ("C", [program, json.dumps(document(name, base)), json.dumps(call(name, given.pages)), BEFORE, int(KINDS[name].backwards)]),
                ("Python", [sys.executable, __file__, "--child", name, base, given.pages]),
            ):
                begun = time.monotonic()
                ran = subprocess.run([str(each) for each in command], env=environment, capture_output=True, text=True, timeout=900)
                if ran.returncode != 0:
                    faults.append(f"{name}, {language}: {ran.stderr[-500:]}")
                    continue
                faults += compared(name, language, json.loads(ran.stdout), hand, given.pages, time.monotonic() - begun)
    server.shutdown()
    print("\n".join(faults) or f"{len(given.kinds or KINDS)} kinds of pagination: the items of a loop by hand, in constant memory")
    return 1 if faults else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        sys.exit(0)
    sys.exit(main())
