"""`routable map` of large graphs, its pictures, and the page in a real browser: it folds, finds and shows parameters."""

from __future__ import annotations

import html
import json
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any, Dict
from xml.etree import ElementTree

import pytest
from conftest import ROOT, SOCIAL, run

SVG = "{http://www.w3.org/2000/svg}"


def document(count: int) -> Dict[str, Any]:
    """A description of `count` resources: departments with shelves, and shelves with books, which are read in many ways."""
    paths: Dict[str, Any] = {}

    def add(path: str, *methods: str) -> None:
        item = paths.setdefault(path, {})
        for method in methods:
            item[method] = {"operationId": f"{method} {path}".replace("/", "-"), "responses": {"200": {"description": ""}},
                            "summary": "What <b>it</b> does", "parameters": [
                {"name": each, "in": "path", "required": True, "schema": {"type": "string"}}
                for each in re.findall(r"{(.*?)}", path)] + [{"name": "page", "in": "query", "schema": {"type": "integer"}}]}

    made = 0
    for department in range(count):
        if made == count:
            break
        path = f"/department-{department}"
        add(path, "get", "post")
        add(path + "/{id}", "get", "put", "patch", "delete")
        made += 1
        for shelf in range(department % 5 + 1):
            if made == count:
                break
            own = f"{path}/{{id}}/shelf-{shelf}"
            add(own, "get", "post")
            add(own + "/{number}", "get", "delete")
            made += 1
            for book in range(shelf % 3):
                if made == count:
                    break
                add(f"{own}/{{number}}/book-{book}", "get", "put")
                made += 1
    return {"openapi": "3.1.0", "info": {"title": f"Library of {count}", "version": "1"}, "paths": paths}


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(count: int) -> Path:
        file = tmp_path / f"library-{count}.json"
        file.write_text(json.dumps(document(count)))
        return file

    return write


def boxes(picture: str) -> Any:
    """The names in a picture, and the places of its boxes."""
    drawing = ElementTree.fromstring(picture)
    groups = [each for each in drawing.iter(f"{SVG}g") if each.find(f"{SVG}text") is not None]
    names = [group.findtext(f"{SVG}text") for group in groups]
    places = [[int(group.find(f"{SVG}rect").get(key)) for key in ("x", "y", "width", "height")] for group in groups]
    return names, places


@pytest.mark.parametrize("count", (5, 50, 500))
def test_no_box_of_a_picture_covers_another(written: Any, count: int) -> None:
    names, places = boxes(run("map", written(count), "--svg", "--depth", "9").out)
    assert len(names) == count
    for index, (x, y, width, height) in enumerate(places):
        for other in places[index + 1 :]:
            assert x + width <= other[0] or other[0] + other[2] <= x or y + height <= other[1] or other[1] + other[3] <= y, (
                names[index], places[index], other)


@pytest.mark.parametrize("count", (5, 50, 500))
def test_pictures_are_the_golden_ones(written: Any, count: int) -> None:
    assert run("map", written(count), "--svg").out == (ROOT / f"Tests/golden/library-{count}.svg").read_text()


def test_a_large_map_is_folded(written: Any) -> None:
    file = written(500)
    ended = run("map", file)
    lines = ended.out.splitlines()
    assert (ended.status, len(lines) > 60) == (0, True)
    assert f"{len(lines)} of 500 resources are shown, of the first step; --depth shows more" in ended.err
    assert len(run("map", file, "--depth", "1").out.splitlines()) > len(lines)
    assert len(run("map", file, "--json").json) == 500
    below = run("map", file, "--from", "department-4.shelf-2").out
    assert below.splitlines()[0].startswith("department-4.shelf-2 ") and len(below.splitlines()) == 3
    refused = run("map", file, "--from", "department-4.shelf-9")
    assert refused.status == 1 and "allowed: shelf-0, shelf-1, shelf-2, shelf-3, shelf-4" in refused.err
    assert run("map", SOCIAL, "--from", "status").out.startswith("user ")
    assert 'did you mean "status"?' in run("map", SOCIAL, "--from", "statsu").err


def test_a_description_without_resources_says_so(tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    file.write_text('{"routable": 1, "name": "none", "operations": {"search": {"get": "/search"}}}')
    ended = run("map", file)
    assert (ended.status, ended.out) == (0, "")
    assert ended.err == 'routable: the description has no resources; "routable routes" lists its 1 operation\n'


def test_what_belongs_to_no_resource_is_listed_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    paths = {"/": {"get": {"operationId": "root"}}, "/a/{x}@{y}": {"get": {"operationId": "odd"}}, "/a": {"get": {"operationId": "all"}}}
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "odd", "version": "1"}, "paths": paths}))
    assert "2 operations belong to no resource" in run("map", file).err
    assert run("check", file, "--verbose").out.splitlines()[-2:] == [
        "no route: root (GET /): the path is that of the API itself: the operation stands at the root",
        "no route: odd (GET /a/{x}@{y}): a segment of the path consists of a parameter and other text"]
    assert "no route" not in run("check", file).out
    assert run("routes", file, "-c", "a").out.splitlines()[-1].endswith("a#read")


CONVERT = shutil.which("rsvg-convert")


@pytest.mark.skipif(CONVERT is None, reason="rsvg-convert (librsvg2-bin) is not installed")
@pytest.mark.parametrize("count", (5, 50, 500))
def test_pictures_are_drawn_by_librsvg(count: int, tmp_path: Path) -> None:
    picture = ROOT / f"Tests/golden/library-{count}.svg"
    drawn = subprocess.run([str(CONVERT), "--width", "1200", str(picture), "-o", str(tmp_path / "a.png")], capture_output=True, text=True)
    assert (drawn.returncode, drawn.stderr) == (0, "")
    data = (tmp_path / "a.png").read_bytes()
    pixels, place = b"", 8
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        pixels += data[place + 8 : place + 8 + size] if kind == b"IDAT" else b""
        place += 12 + size
    width, height = struct.unpack(">II", data[16:24])
    lines = zlib.decompress(pixels)
    # Boxes and text have many shades, and a picture that was not drawn has one.
    assert width == 1200 and len(lines) == height * (4 * width + 1) and len(set(lines)) > 32, (width, height, len(set(lines)))


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

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


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_page_in_a_browser(written: Any, tmp_path: Path) -> None:
    page = run("map", written(50), "--html").out
    assert "http" not in page.replace("http-equiv", ""), "the page needs no network"
    first = "<script>const errors = []; window.onerror = message => { errors.push(String(message)); };</script>"
    file = tmp_path / "page.html"
    file.write_text(page.replace("<head>", f"<head>{first}").replace("</body>", f"{SCRIPT}</body>"))
    words = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"file://{file}"]
    shown = subprocess.run([str(CHROMIUM), *words], capture_output=True, text=True, timeout=120)
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


def test_a_script_in_a_name_does_not_end_the_data(tmp_path: Path) -> None:
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "</title><script>alert(1)</script>", "version": "1"},
                                "paths": {"/a": {"get": {"operationId": "</script><script>alert(2)</script>"}}}}))
    page = run("map", file, "--html").out
    assert page.count("<script") == 2 and page.count("</script>") == 2 and "<script>alert" not in page
