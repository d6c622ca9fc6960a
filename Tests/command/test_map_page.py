"""`routable map` of large graphs, its pictures and its page.  The tests that need a browser are in test_map_drawn.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import ROOT, SOCIAL, run
from libraries import written

SVG = "{http://www.w3.org/2000/svg}"


def boxes(picture: str) -> Any:
    """The names in a picture, and the positions of its boxes."""
    drawing = ElementTree.fromstring(picture)
    groups = [each for each in drawing.iter(f"{SVG}g") if each.find(f"{SVG}text") is not None]
    names = [group.findtext(f"{SVG}text") for group in groups]
    places = [[int(group.find(f"{SVG}rect").get(key)) for key in ("x", "y", "width", "height")] for group in groups]
    return names, places


@pytest.mark.parametrize("count", (5, 50, 500))
def test_no_box_of_a_picture_covers_another(tmp_path: Path, count: int) -> None:
    names, places = boxes(run("map", written(tmp_path, count), "--svg", "--depth", "9").out)
    assert len(names) == count
    for index, (x, y, width, height) in enumerate(places):
        for other in places[index + 1 :]:
            assert x + width <= other[0] or other[0] + other[2] <= x or y + height <= other[1] or other[1] + other[3] <= y, (
                names[index], places[index], other)


@pytest.mark.parametrize("count", (5, 50, 500))
def test_pictures_are_the_golden_ones(tmp_path: Path, count: int) -> None:
    assert run("map", written(tmp_path, count), "--svg").out == (ROOT / f"Tests/golden/library-{count}.svg").read_text()


def test_a_large_map_is_folded(tmp_path: Path) -> None:
    file = written(tmp_path, 500)
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


def test_a_script_in_a_name_does_not_end_the_data(tmp_path: Path) -> None:
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "</title><script>alert(1)</script>", "version": "1"},
                                "paths": {"/a": {"get": {"operationId": "</script><script>alert(2)</script>"}}}}))
    page = run("map", file, "--html").out
    assert page.count("<script") == 2 and page.count("</script>") == 2 and "<script>alert" not in page
