"""Measures the cost of a planned build and a match through ctypes, compared with an empty call of the same shape in the same run.

calls.py LIBRARY      the library of empty.c

An empty call has the same parameters and the same result as the function behind the method, and is called with
the same strings, encoded and decoded: the difference is the work of the library and of the methods of the binding.  There
are two of each: one is declared with argtypes; the other gets prepared values of these types, so that ctypes checks
nothing, which saves a third.  They alternate; minimum and median over the rounds.
"""

from __future__ import annotations

import sys
import time
from ctypes import PyDLL, c_char_p, c_size_t, c_uint32, c_void_p, cast
from pathlib import Path
from statistics import median
from typing import Callable, Dict, List

import routable

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
    library = PyDLL(sys.argv[1])
    url, match, declared_url, declared_match = (library[f"empty_{name}"] for name in ("url", "match", "url", "match"))
    url.restype = match.restype = declared_url.restype = declared_match.restype = c_char_p
    declared_url.argtypes = [c_void_p, c_void_p, c_char_p, c_size_t]
    declared_match.argtypes = [c_void_p, c_void_p, c_char_p, c_char_p, c_size_t, c_uint32]
    api = routable.open(str(ROOT / "examples/social.json"))
    plan = api.plan("user.status.comment", "read")
    a, b, c = "initFabian", "3", "32352"
    path, get = "/users/initFabian/statuses/3/comments/32352", "GET"
    pointer = cast(plan._handle._as_parameter_, c_void_p)
    workspace = c_void_p(pointer.value)
    length, path_length, none = c_size_t(len(a + b + c) + 2), c_size_t(len(path)), c_uint32(0)
    if plan(a, b, c) != f"https://api.example.com/v1{path}" or api.match(path, get).ids != (a, b, c):
        sys.exit("the answers are wrong")
    taken = rounds(
        {
            "empty plan, declared": lambda: declared_url(workspace, pointer, "\0".join((a, b, c)).encode(), length).decode(),
            "empty plan, by values": lambda: url(workspace, pointer, "\0".join((a, b, c)).encode(), length).decode(),
            "plan of three ids": lambda: plan(a, b, c),
            "empty match, declared": lambda: declared_match(
                workspace, pointer, get.encode(), path.encode(), path_length, none).decode(),
            "empty match, by values": lambda: match(workspace, pointer, get.encode(), path.encode(), path_length, none).decode(),
            "match": lambda: api.match(path, get),
            "match, and its ids": lambda: api.match(path, get).ids,
        }
    )
    for name, times in taken.items():
        row = f"  {name:26} least {min(times):6.0f}  median {median(times):6.0f} ns"
        kind = "plan" if name.startswith("plan") else "match" if name.startswith("match") else ""
        if kind:
            declared, by_values = (min(times) / min(taken[f"empty {kind}, {how}"]) for how in ("declared", "by values"))
            row += f"   ratio {declared:.2f}, to the call by values {by_values:.2f}"
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
