"""What a planned build and a match cost through ctypes, beside an empty call of the same shape in the same run.

calls.py LIBRARY      the library of empty.c

An empty call takes the same texts as str, encodes them, passes them as `const char *`, and gets a `const char *` back,
which is decoded: what any binding by ctypes has to do.  In turns; least and median over the rounds.
"""

from __future__ import annotations

import sys
import time
from ctypes import CDLL, c_char_p
from pathlib import Path
from statistics import median
from typing import Callable, Dict, List

import routable

ROUNDS, CALLS, BOUND = 301, 400, 1.4
ROOT = Path(__file__).resolve().parent.parent.parent


def rounds(jobs: Dict[str, Callable[[], object]]) -> Dict[str, List[float]]:
    taken: Dict[str, List[float]] = {name: [] for name in jobs}
    for turn in range(-1, ROUNDS):
        for name, job in jobs.items():
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                job()
            if turn >= 0:
                taken[name].append((time.perf_counter_ns() - start) / CALLS)
    return taken


def main() -> int:
    library = CDLL(sys.argv[1])

    def empty(name: str, count: int) -> Callable[..., bytes]:
        function = library[name]
        function.argtypes, function.restype = [c_char_p] * count, c_char_p
        return function

    one, two, three = empty("empty_one", 1), empty("empty_two", 2), empty("empty_three", 3)
    api = routable.open(str(ROOT / "examples/social.json"))
    plan = api.plan("user.status.comment", "read")
    ids = ("initFabian", "3", "32352")
    path = "/users/initFabian/statuses/3/comments/32352"
    a, b, c = ids
    get = "GET"
    if plan(*ids) != f"https://api.example.com/v1{path}":
        sys.exit(plan(*ids))
    taken = rounds(
        {
            "empty, three texts in": lambda: three(a.encode(), b.encode(), c.encode()).decode(),
            "plan of three ids": lambda: plan(a, b, c),
            "empty, two texts in": lambda: two(path.encode(), get.encode()).decode(),
            "match": lambda: api.match(path, get),
            "match, and its ids": lambda: api.match(path, get).ids,
        }
    )
    worst = 0.0
    for name, base in (
        ("empty, three texts in", ""), ("plan of three ids", "empty, three texts in"), ("empty, two texts in", ""),
        ("match", "empty, two texts in"), ("match, and its ids", "empty, two texts in"),
    ):
        times = taken[name]
        row = f"  {name:26} least {min(times):6.0f}  median {median(times):6.0f} ns"
        if base:
            ratio = min(times) / min(taken[base])
            row += f"   ratio {ratio:.2f} (median {median(times) / median(taken[base]):.2f})"
            if name != "match, and its ids":
                worst = max(worst, ratio)
        print(row)
    return 1 if worst > BOUND else 0


if __name__ == "__main__":
    sys.exit(main())
