"""Overlays, `--only` and `--except`: every subcommand uses the resulting document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import routable
import yaml
from conftest import SOCIAL, run

PETS: Dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
    "paths": {
        "/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": ""}}},
                  "post": {"operationId": "addPet", "responses": {"200": {"description": ""}}}},
        "/owners": {"get": {"operationId": "listOwners", "responses": {"200": {"description": ""}}}}}}
OVERLAY: Dict[str, Any] = {
    "overlay": "1.0.0", "info": {"title": "o", "version": "1"},
    "actions": [{"target": "$.servers[0]", "update": {"url": "https://staging.test"}},
                {"target": "$.paths['/owners']", "remove": True}]}


@pytest.fixture
def files(tmp_path: Path) -> Tuple[Path, Path]:
    pets, overlay = tmp_path / "pets.json", tmp_path / "overlay.json"
    pets.write_text(json.dumps(PETS, indent=2))
    overlay.write_text(json.dumps(OVERLAY, indent=2))
    return pets, overlay


def names(ended: Any) -> List[str]:
    return sorted(row["operation_id"] for row in ended.json if "operation" in row)


@pytest.mark.parametrize("words, expected", [
    ([], ["addPet", "listOwners", "listPets"]),
    (["--overlay", "OVERLAY"], ["addPet", "listPets"]),
    (["--only", "listPets"], ["listPets"]),
    (["--only", "listPets", "--only", "addPet"], ["addPet", "listPets"]),
    (["--except", "addPet"], ["listOwners", "listPets"]),
    (["--overlay", "OVERLAY", "--except", "addPet"], ["listPets"]),
])
def test_routes_are_those_that_are_left(files: Tuple[Path, Path], words: List[str], expected: List[str]) -> None:
    given = [files[1] if word == "OVERLAY" else word for word in words]
    assert names(run("routes", files[0], "--json", *given)) == expected


def test_every_subcommand_applies_overlays(files: Tuple[Path, Path]) -> None:
    pets, overlay = files
    words = [pets, "--overlay", overlay]
    assert run("build", *words, "listPets").out.startswith("GET https://staging.test/pets")
    assert run("match", *words, "/owners").status == 1 and run("match", pets, "/owners").status == 0
    assert run("map", *words, "--json").status == 0
    assert "2 operations" in run("check", *words).out and "3 operations" in run("check", pets).out
    assert "owners" not in run("generate", "python", *words).out.lower()
    assert run("import", "--flat", *words).json["base"] == "https://staging.test"
    assert "listOwners" not in run("import", "--flat", *words).out
    ended = run("send", *words, "listOwners")
    assert ended.status == 5 and 'no operation "listOwners"' in ended.err, ended


def test_every_subcommand_applies_only_and_except(files: Tuple[Path, Path]) -> None:
    words = [files[0], "--only", "listPets"]
    assert run("build", *words, "addPet").status == 5
    assert run("send", *words, "addPet").status == 5
    assert run("match", *words, "/owners").status == 1
    assert "1 operation" in run("check", *words).out
    assert list(run("import", "--flat", *words).json["operations"]) == ["listPets"]
    assert "5 resources, 1 operation" in run("check", SOCIAL, "--only", "user.list").out
    assert "user" in run("map", SOCIAL, "--only", "user.list").out and "create" not in run("map", SOCIAL, "--only", "user.list").out
    assert "owners" not in run("generate", "python", *words).out.lower()
    narrowed = run("export", SOCIAL, "--only", "user.list", "--only", "search")
    assert narrowed.status == 0
    found = [operation["operationId"] for item in narrowed.json["paths"].values() for operation in item.values()]
    assert found == ["user#list", "search"]


def test_overlays_are_applied_in_the_order_of_the_arguments(files: Tuple[Path, Path], tmp_path: Path) -> None:
    second = tmp_path / "second.yaml"
    second.write_text(yaml.safe_dump({
        "overlay": "1.0.0", "info": {"title": "o", "version": "1"},
        "actions": [{"target": "$.servers[0]", "update": {"url": "https://second.test"}}]}))
    for order, host in ([files[1], second], "second.test"), ([second, files[1]], "staging.test"):
        words = [word for each in order for word in ("--overlay", each)]
        assert f"https://{host}/pets" in run("build", files[0], *words, "listPets").out


def test_faults_of_overlays_are_reported_at_their_position(files: Tuple[Path, Path], tmp_path: Path) -> None:
    pets, overlay = files
    bad = json.loads(overlay.read_text())
    bad["actions"][0]["target"] = "$.servers[?match(@.url, 'x')]"
    overlay.write_text(json.dumps(bad, indent=2))
    line = 1 + overlay.read_text().splitlines().index("      \"target\": \"$.servers[?match(@.url, 'x')]\",")
    for subcommand, status in ("map", 4), ("check", 1):
        ended = run(subcommand, pets, "--overlay", overlay)
        assert ended.status == status, ended
        assert f"{overlay}:{line}:" in ended.out + ended.err and "match" in ended.out + ended.err, ended
    written = tmp_path / "overlay.yaml"
    written.write_text(yaml.safe_dump(bad, sort_keys=False))
    at = 1 + next(n for n, text in enumerate(written.read_text().splitlines()) if "match(" in text)
    assert f"{written}:{at}:" in run("map", pets, "--overlay", written).err


def test_a_target_that_matches_nothing_is_a_warning(files: Tuple[Path, Path]) -> None:
    pets, overlay = files
    bad = json.loads(overlay.read_text())
    bad["actions"][1]["target"] = "$.paths['/owner']"
    overlay.write_text(json.dumps(bad))
    ended = run("check", "--strict", pets, "--overlay", overlay)
    assert ended.status == 1 and "the target \"$.paths['/owner']\" matches nothing" in ended.out, ended


@pytest.mark.parametrize("words, status, told", [
    (["--only", "listPet"], 4, 'only: there is no operation "listPet"; did you mean "listPets"?'),
    (["--except", "listPet"], 4, 'except: there is no operation "listPet"; did you mean "listPets"?'),
    (["--only", "listPets", "--except", "addPet"], 2, "--only and --except cannot be combined"),
    (["--overlay", "nowhere.json"], 3, "nowhere.json"),
])
def test_invalid_arguments_are_refused(files: Tuple[Path, Path], words: List[str], status: int, told: str) -> None:
    ended = run("map", files[0], *words)
    assert ended.status == status and told in ended.err, ended


def test_overlays_are_for_openapi(files: Tuple[Path, Path]) -> None:
    ended = run("map", SOCIAL, "--overlay", files[1])
    assert ended.status == 4 and "overlays are for OpenAPI documents, and this is a route document" in ended.err


def test_the_command_builds_what_the_library_builds(files: Tuple[Path, Path]) -> None:
    api = routable.open(files[0], overlays=[OVERLAY], only=["listPets"])
    assert run("build", files[0], "--overlay", files[1], "--only", "listPets", "listPets").out.split("\n")[0] == (
        f"GET {api.build('listPets').url}")


def test_a_file_that_is_too_large_is_an_error_of_the_file(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as out:
        out.truncate((64 << 20) + 1)
    said = run("map", large)
    assert said.status == 3 and "more than 67108864 bytes" in said.err
