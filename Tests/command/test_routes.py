"""The route table and the map (statements R22, R23; docs/route-table.md)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from conftest import ROOT, SOCIAL, on_terminal, run

GOLDEN = ROOT / "Tests/golden"
COLOUR = re.compile("\x1b\\[[0-9;]*m")


def test_R22_table_is_the_golden_one() -> None:
    ended = run("routes", SOCIAL)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == (GOLDEN / "social.routes.txt").read_text()


def test_R23_map_is_the_golden_one() -> None:
    assert run("map", SOCIAL).out == (GOLDEN / "social.map.txt").read_text()


def test_picture_is_the_one_in_the_readme() -> None:
    assert run("map", SOCIAL, "--svg").out == (ROOT / "docs/social.svg").read_text()


def test_pictures_contain_every_name_as_text(tmp_path: Path) -> None:
    """Names are escaped for each format, a resource may contain itself, and a description without resources has a picture, too."""
    file = tmp_path / "api.json"
    file.write_text(json.dumps({"routable": 1, "name": 'a"<&', "resources": {
        "thing": {"path": "things", "can": ["read"], "has": ["thing", "part"]}, "part": {"path": "parts", "can": ["list"], "has": ["thing"]}}}))
    drawing = ElementTree.fromstring(run("map", file, "--svg").out)
    texts = [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")]
    drawn = ["thing", "read", "\u2192 thing", "part", "list", "\u2192 thing"]
    assert texts == [*drawn, "begins a route", "below a member of the one before it", "drawn elsewhere"], texts
    assert drawing.findtext("{http://www.w3.org/2000/svg}title") == 'a"<&'
    assert len(list(drawing.iter("{http://www.w3.org/2000/svg}path"))) == 3, "a line for each child"
    dot = run("map", file, "--dot").out
    assert dot.startswith('digraph "a\\"<&" {\n') and '"thing" -> "thing"\n' in dot and dot.endswith("}\n"), dot
    file.write_text('{"routable": 1, "name": "none", "resources": {}}')
    ElementTree.fromstring(run("map", file, "--svg").out)
    assert run("map", file, "--svg", "--json").status == 2


def test_json_is_the_golden_one() -> None:
    assert run("routes", SOCIAL, "--json").json == json.loads((GOLDEN / "social.routes.json").read_text())
    assert run("map", SOCIAL, "--json").json[1] == {
        "name": "status", "can": ["read", "create", "delete"], "operations": [], "has": ["comment"], "type": "Status"}


def test_standard_input_is_a_file() -> None:
    assert run("routes", "-", stdin=SOCIAL.read_text()).out == (GOLDEN / "social.routes.txt").read_text()


def test_a_pipe_has_no_colour_and_a_terminal_has() -> None:
    assert "\x1b" not in run("routes", SOCIAL).out
    seen = on_terminal("routes", SOCIAL).out
    assert "\x1b[32mGET\x1b[0m" in seen
    assert COLOUR.sub("", seen) == (GOLDEN / "social.routes.txt").read_text()


def test_no_color_disables_colours() -> None:
    assert "\x1b" not in on_terminal("routes", SOCIAL, NO_COLOR="1").out
    assert "\x1b" in on_terminal("routes", SOCIAL, NO_COLOR="").out
    assert "\x1b" not in on_terminal("routes", SOCIAL, TERM="dumb").out


def test_a_table_fits_the_terminal_without_losing_text() -> None:
    whole = run("routes", SOCIAL).out.split()
    for columns in (80, 100, 120):
        seen = COLOUR.sub("", on_terminal("routes", SOCIAL, columns=columns).out)
        assert max(len(line) for line in seen.splitlines()) <= columns
        # A wrapped pattern continues on the next line; the test joins its parts.
        assert "".join(sorted(seen.replace(" ", "").replace("\n", ""))) == "".join(sorted("".join(whole)))


def test_a_narrow_terminal_gets_a_line_for_each_cell() -> None:
    seen = COLOUR.sub("", on_terminal("routes", SOCIAL, "-c", "status", columns=50).out)
    assert "URI Pattern        | /users/:user_id/statuses/:id" in seen


def test_filters() -> None:
    def shown(*words: str) -> list[str]:
        return [f"{row['verb']} {row['pattern']}" for row in run("routes", SOCIAL, "--json", *words).json]

    assert shown("-c", "status") == [
        "POST /statuses", "GET /statuses/:id", "DELETE /statuses/:id", "POST /users/:user_id/statuses",
        "GET /users/:user_id/statuses/:id", "DELETE /users/:user_id/statuses/:id"]
    assert shown("-g", "SEARCH") == ["GET /search"]
    assert shown("-m", "put", "-g", "picture#") == ["PUT /pictures/:id", "PUT /users/:user_id/pictures/:id"]
    assert shown("-g", "search", "--url") == ["GET https://api.example.com/v1/search"]
    assert shown("-g", "search", "--url", "--base", "http://[::1]:8/x") == ["GET http://[::1]:8/x/search"]


def test_an_empty_result_has_status_1() -> None:
    ended = run("routes", SOCIAL, "-g", "nowhere")
    assert (ended.status, ended.out) == (1, "")
    assert run("routes", SOCIAL, "-g", "nowhere", "--json").out == "[]\n"
    ended = run("routes", SOCIAL, "-c", "statu")
    assert ended.status == 1 and 'did you mean "status"?' in ended.err


def test_expanded() -> None:
    assert run("routes", SOCIAL, "-E", "-g", "search").out.splitlines()[1:] == [
        "Prefix             | search", "Verb               | GET", "URI Pattern        | /search", "Resource#Operation | search"]


def test_control_bytes_of_a_document_do_not_reach_the_terminal() -> None:
    document = '{"routable":1,"operations":{"a":{"get":"/%s"}}}' % "x\\u009b31mred"
    assert "\x9b" in run("routes", "-", stdin=document).out
    path = ROOT / "build" / "control.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(document)
    assert "\x9b" not in on_terminal("routes", path).out
