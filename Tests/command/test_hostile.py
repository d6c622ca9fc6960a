"""Documents with random damage: the command reports an error, and never ends by a signal."""

from __future__ import annotations

import json
import random

import pytest
from conftest import SOCIAL, run
from test_check import BROKEN
from test_convert import PETS

SEEDS = [SOCIAL.read_text(), json.dumps(PETS), *(broken.text for broken in BROKEN.values())]
PIECES = ['"', "{", "}", "[", "]", ",", ":", "\\", "\n", "\t", "\0", "é", "\U0001f600", "&a", "*a", "<<", "- ", "|", "9" * 40, '"$ref"', "/"]


def damaged(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 6)):
        place, length = chance.randrange(len(text) + 1), chance.choice((0, 1, 3, 20))
        text = text[:place] + (chance.choice(PIECES) if chance.random() < 0.6 else "") + text[place + length:]
    return text


@pytest.mark.parametrize("number", range(8))
def test_damaged_documents_are_reported(number: int) -> None:
    chance = random.Random(number)
    ends = []
    for _ in range(12):
        text = damaged(chance.choice(SEEDS), chance)
        words = chance.choice((("check", "-"), ("check", "-", "--json"), ("import", "-"), ("export", "-"), ("routes", "-")))
        ended = run(*words, stdin=text)
        assert ended.status in (0, 1, 4), (ended, words, text)
        ends.append(ended.status)
        if words == ("check", "-", "--json"):
            found = json.loads(ended.out)
            assert (ended.status == 1) == bool(found["problems"])
    assert sum(map(bool, ends)) >= 3, ends  # at least as many are reported
