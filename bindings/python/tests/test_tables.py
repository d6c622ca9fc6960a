"""Documents with many plain operations, which have a separate reader: the results and the refusals are the same."""

from __future__ import annotations

import json
import random
from typing import Any, Dict, List, Tuple

import pytest

import routable

METHODS = ["get", "put", "post", "patch", "delete", "head", "options", "trace", "query"]


def plain_operation(number: int, chance: random.Random) -> Dict[str, Any]:
    parts = [chance.choice([f"n{number}", "{id}", ":x", "a-b", "v1.2", "\u00e9", "{n}.json"]) for _ in range(chance.randint(0, 3))]
    parts = [part for place, part in enumerate(parts) if part not in parts[:place]]
    return {chance.choice(METHODS): f"/t{number}/" + "/".join(parts)}


def other_operation(number: int, chance: random.Random) -> Dict[str, Any]:
    return chance.choice(
        [
            {"get": f"/o{number}/{{id}}", "ids": {"id": {"type": "integer"}}, "description": "\"quoted\" \\ and \u00e9"},
            {"method": "LOCK", "path": f"/o{number}"},
            {"post": f"/o{number}", "query": {"q": {"type": "integer", "maximum": 10**25}}, "body": {"type": "object"}},
            {"get": f"/o{number}", "x-note": [1, {"a": None}]},
        ]
    )


def random_document(seed: int) -> Dict[str, Any]:
    chance = random.Random(seed)
    share = chance.choice([0.0, 0.1, 0.9])
    operations: Dict[str, Any] = {}
    for number in range(chance.randint(500, 900)):
        name = chance.choice([f"operation_{number}_of_the_table", f"\u00e9{number}", f"a b/~{number}"])
        make = other_operation if chance.random() < share else plain_operation
        operations[name] = make(number, chance)
    document: Dict[str, Any] = {"routable": 1, "name": "table", "base": "https://x.example/v1"}
    if chance.random() < 0.5:
        document["resources"] = {"user": {"path": "users", "can": ["list", "read"]}}
    document["operations"] = operations
    if chance.random() < 0.5:
        document["x-more"] = {"operations": {"a": [1.5, True]}}
    return document


def both_ways(document: str) -> Tuple[Any, Any]:
    """The result of the document, and that of the same document with an escape in a key, which the separate reader does not read."""
    assert '"routable"' in document
    table, tree = '"routable"     ', '"routabl\\u0065"'  # the same length, so that faults have the same offset
    return outcome(document.replace('"routable"', table, 1)), outcome(document.replace('"routable"', tree, 1))


def outcome(text: str) -> Any:
    try:
        router = routable.loads(text)
    except routable.RoutableError as error:
        return type(error), str(error), error.pointer
    return router.document, router.routes(as_json=True), router.warnings, list(router.operations)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("indent", [None, 1])
def test_a_table_reads_as_any_document(seed: int, indent: Any) -> None:
    document = random_document(seed)
    table, tree = both_ways(json.dumps(document, indent=indent, ensure_ascii=seed % 2 == 0))
    assert table == tree
    assert isinstance(table[0], dict), table
    assert list(table[0]["operations"]) == list(document["operations"])


def broken(text: str) -> List[str]:
    row = '"last_of_the_table": {"get": "/last"}'
    assert row in text
    return [
        text.replace(row, other)
        for other in (
            '"last_of_the_table": {"get": "/la?st"}',
            '"last_of_the_table": {"get": "//"}',
            '"last_of_the_table": {"get": "/{a}/{a}"}',
            '"last_of_the_table": {"fetch": "/last"}',
            '"last_of_the_table": {"get": 5}',
            '"last_of_the_table": {"get": "/last", "get": "/last"}',
            '"last_of_the_table": {}',
            '"last_of_the_table": "/last"',
            '"last_of_the_table": {"get": "/n0/n1"}, "last_of_the_table": {"get": "/last"}',
            '"n5_of_the_table": {"get": "/last"}',
            '"n\\u0035_of_the_table": {"get": "/last"}',
            '"": {"get": "/last"}',
            '"a.b": {"get": "/last"}',
            '"a\\u0000": {"get": "/last"}',
            '"a\\ud800": {"get": "/last"}',
            '"a\x7f": {"get": "/last"}',
            '"last_of_the_table": {"get": "/n5/rest"}',
            '"last_of_the_table": {"get": "/a\\u0007"}',
            '"last_of_the_table": {"get": "/last"},',
            '"last_of_the_table": {"get": "/last"} "x"',
            '"last_of_the_table": {"get": "/last"}}, "operations": {"x": {"get": "/x"}',
            '"last_of_the_table": {"get": "/last", "priority": 1e400}',
            '"last_of_the_table": {"get": "/last", "nothing": 1}',
        )
    ]


def test_refusals_are_the_same_in_both_readers() -> None:
    operations = {f"n{number}_of_the_table": {"get": f"/n{number}/rest"} for number in range(600)}
    operations["last_of_the_table"] = {"get": "/last"}
    text = json.dumps({"routable": 1, "operations": operations})
    refused = 0
    for each in broken(text):
        table, tree = both_ways(each)
        assert table == tree, each[-80:]
        refused += isinstance(table[0], type)
    assert refused >= 19
    for version in ("2", '"1"', "null"):
        table, tree = both_ways(text.replace('"routable": 1', f'"routable": {version}'))
        assert table == tree and isinstance(table[0], type)


def test_the_offset_of_a_fault_refers_to_the_text() -> None:
    operations = {f"n{number}_of_the_table": {"get": f"/n{number}/rest"} for number in range(600)}
    text = json.dumps({"routable": 1, "operations": {**operations, "x": {"get": "/a?b"}}}, indent=1)
    with pytest.raises(routable.DocumentError) as caught:
        routable.loads(text)
    assert caught.value.pointer == "/operations/x/get"
    assert caught.value.offset == text.index('"/a?b"')
    same = json.dumps({"routable": 1, "operations": {**operations, "x": {"get": "/n7/rest"}}}, indent=1)
    with pytest.raises(routable.ConflictError) as conflict:
        routable.loads(same)
    assert conflict.value.pointer == "/operations/x"
