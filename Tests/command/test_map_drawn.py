"""The pictures of `routable map`, drawn by librsvg, and its page in a real browser, in which it folds, searches and shows
parameters.  `scripts/bootstrap browser` installs both."""

from __future__ import annotations

import html
import json
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from conftest import ROOT, run
from libraries import document, written


@pytest.mark.parametrize("count", (5, 50, 500))
def test_pictures_are_drawn_by_librsvg(count: int, tmp_path: Path) -> None:
    picture = ROOT / f"Tests/golden/library-{count}.svg"
    drawn = subprocess.run(["rsvg-convert", "--width", "1200", str(picture), "-o", str(tmp_path / "a.png")], capture_output=True, text=True)
    assert (drawn.returncode, drawn.stderr) == (0, "")
    data = (tmp_path / "a.png").read_bytes()
    pixels, place = b"", 8
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        pixels += data[place + 8 : place + 8 + size] if kind == b"IDAT" else b""
        place += 12 + size
    width, height = struct.unpack(">II", data[16:24])
    lines = zlib.decompress(pixels)
    # A drawn picture has many shades; an empty one has a single shade.
    assert width == 1200 and len(lines) == height * (4 * width + 1) and len(set(lines)) > 32, (width, height, len(set(lines)))


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"

SCRIPT = """
<script>
  const seen = {}, visible = each => each.checkVisibility();
  const buttons = () => [...document.querySelectorAll("button.operation")].filter(visible);
  const type = text => { const field = document.getElementById("search"); field.value = text; field.dispatchEvent(new Event("input")); };
  seen.folded = buttons().length;
  document.querySelector("summary").click();
  document.querySelector("details").open = true;
  seen.opened = buttons().length;
  type("shelf-2 post");
  seen.found = buttons().map(each => each.textContent);
  seen.count = document.getElementById("count").textContent;
  buttons()[0].click();
  seen.title = document.querySelector("#detail h2").textContent;
  seen.path = document.querySelector("#detail .path").textContent;
  seen.parameters = [...document.querySelectorAll("#detail td code")].map(each => each.textContent);
  seen.markup = document.querySelectorAll("#detail b").length;
  type("nothing-has-this-name");
  seen.none = buttons().length;
  type("");
  document.getElementById("open").click();
  seen.all = buttons().length;
  document.getElementById("close").click();
  seen.closed = buttons().length;
  seen.errors = errors;
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
</script>
"""


def test_the_page_in_a_browser(tmp_path: Path) -> None:
    page = run("map", written(tmp_path, 50), "--html").out
    assert "http" not in page.replace("http-equiv", ""), "the page needs no network"
    first = "<script>const errors = []; window.onerror = message => { errors.push(String(message)); };</script>"
    file = tmp_path / "page.html"
    file.write_text(page.replace("<head>", f"<head>{first}").replace("</body>", f"{SCRIPT}</body>"))
    words = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"file://{file}"]
    shown = subprocess.run([CHROMIUM, *words], capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="seen">(.*?)</pre>', shown.stdout, re.S)
    assert found, shown.stdout[-2000:] + shown.stderr[-2000:]
    seen = json.loads(html.unescape(found[1]))
    total = sum(len(item) for item in document(50)["paths"].values())
    assert (seen["folded"], seen["opened"], seen["none"], seen["all"], seen["closed"]) == (0, 6, 0, total, 0)
    assert seen["found"] and all(text == "POSTcreate" for text in seen["found"]), seen
    assert seen["count"] == f"{len(seen['found'])} operations"
    assert seen["title"].endswith(".shelf-2 create")
    assert seen["path"].endswith("/{id}/shelf-2")
    assert seen["parameters"] == ["id", "page"]
    assert seen["markup"] == 0, "a description is text"
    assert seen["errors"] == []
