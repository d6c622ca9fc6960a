"""What a planned build and a match cost through ctypes, beside an empty call of the same shape in the same run.

calls.py LIBRARY      the library of empty.c

An empty call has the same parameters and the same result as the function that is behind the method, and is called with
the same texts, encoded and decoded: what is left is what the library does, and what the methods of the binding add.  Beside
them a call as it is usually declared: argtypes, three texts in, a text out.  In turns; least and median over the rounds.
"""

from __future__ import annotations

import sys
import time
from ctypes import CDLL, PyDLL, c_char_p, c_size_t, c_uint32
from pathlib import Path
from statistics import median
from typing import Callable, Dict, List

import routable
from routable._fast import SCRATCH

ROUNDS, CALLS = 301, 400
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
    holding, library = PyDLL(sys.argv[1]), CDLL(sys.argv[1])
    empty_url, empty_match, texts = holding["empty_url"], holding["empty_match"], library["empty_texts"]
    empty_url.restype = empty_match.restype = texts.restype = c_char_p
    texts.argtypes = [c_char_p] * 3
    api = routable.open(str(ROOT / "examples/social.json"))
    plan = api.plan("user.status.comment", "read")
    a, b, c = "initFabian", "3", "32352"
    path, get = "/users/initFabian/statuses/3/comments/32352", "GET"
    pointer = plan._handle._as_parameter_
    length, path_length, none = c_size_t(len(a + b + c) + 2), c_size_t(len(path)), c_uint32(0)
    if plan(a, b, c) != f"https://api.example.com/v1{path}" or api.match(path, get).ids != (a, b, c):
        sys.exit("the answers are wrong")
    taken = rounds(
        {
            "empty, texts by argtypes": lambda: texts(a.encode(), b.encode(), c.encode()).decode(),
            "empty, as a plan": lambda: empty_url(SCRATCH, pointer, "\0".join((a, b, c)).encode(), length).decode(),
            "plan of three ids": lambda: plan(a, b, c),
            "empty, as a match": lambda: empty_match(SCRATCH, pointer, get.encode(), path.encode(), path_length, none).decode(),
            "match": lambda: api.match(path, get),
            "match, and its ids": lambda: api.match(path, get).ids,
        }
    )
    for name, times in taken.items():
        row = f"  {name:26} least {min(times):6.0f}  median {median(times):6.0f} ns"
        base = "empty, as a plan" if name.startswith("plan") else "empty, as a match" if name.startswith("match") else ""
        if base:
            ratio = min(times) / min(taken[base])
            row += f"   ratio {ratio:.2f} (median {median(times) / median(taken[base]):.2f}; held to 1.4)"
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
