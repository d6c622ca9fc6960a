"""Runs small concurrent programs in each way that C11 allows with sequentially consistent, release, acquire and relaxed accesses.

A program is a list of threads: generators that yield one access after another and receive the value that was read.  Memory keeps
each value that was ever stored at a location, in order; a thread may read any of them that is not older than its view.  The view of
a thread has, for each location, the oldest readable value: a release store attaches the thread's view to the value, and an acquire
load merges that view into its own.  Accesses that are not atomic must be ordered with every conflicting access by views; otherwise
they are a data race, which is a fault.  Stores to one atomic location have the order in which they run: the writers of these programs
hold a lock, or use a compare and exchange.  Sequentially consistent accesses have that order, too: such a load reads no value older
than the last such store at its location.

Processors reorder no more than this (and x86-64 much less), so that a program without a fault here does not lack a barrier on
arm64."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generator, Iterator, List, Optional, Tuple

RELAXED, ACQUIRE, RELEASE, BOTH, SEQUENTIAL = "relaxed", "acquire", "release", "acquire and release", "sequentially consistent"
View = Dict[Any, int]
Thread = Generator[Tuple[Any, ...], Any, None]
Program = Callable[[], List[Thread]]


class Fault(Exception):
    """A result that must not occur, and did in one of the orders."""


def join(view: View, other: Optional[View]) -> None:
    for key, value in (other or {}).items():
        if view.get(key, -1) < value:
            view[key] = value


class Run:
    """One execution of a program, selected by a list of choices; the number of alternatives of each choice is recorded."""

    def __init__(self, program: Program, choices: List[int]) -> None:
        self.choices, self.taken, self.widths = choices, 0, [] # type: List[int], int, List[int]
        self.values: Dict[Any, List[Tuple[Any, Optional[View]]]] = {}
        self.sequential: Dict[Any, int] = {} # for each location, the last sequentially consistent store
        self.plain: Dict[Any, Any] = {}
        self.writes: Dict[Any, Tuple[int, int]] = {}
        self.reads: Dict[Any, Dict[int, int]] = {}
        self.holders: Dict[Any, Tuple[Optional[int], View]] = {}
        self.threads = program()
        self.views: List[View] = [{("clock", index): 1} for index in range(len(self.threads))]
        self.next: List[Optional[Tuple[Any, ...]]] = [self.step(index, None) for index in range(len(self.threads))]

    def choose(self, width: int) -> int:
        if width == 1:
            return 0
        choice = self.choices[self.taken] if self.taken < len(self.choices) else 0
        self.taken += 1
        self.widths.append(width)
        return choice

    def step(self, index: int, result: Any) -> Optional[Tuple[Any, ...]]:
        """Runs the plain accesses of a thread up to its next access that other threads can observe, and returns that access."""
        thread = self.threads[index]
        try:
            access = thread.send(result)
            while access[0] in ("read", "write"):
                access = thread.send(self.plainly(index, *access))
        except StopIteration:
            return None
        return access

    def plainly(self, index: int, kind: str, place: Any, value: Any = None) -> Any:
        view = self.views[index]
        clock = view["clock", index] = view["clock", index] + 1
        writer = self.writes.get(place)
        if writer and view.get(("clock", writer[0]), 0) < writer[1]:
            raise Fault(f"{kind} of {place} races with a write")
        if kind == "read":
            self.reads.setdefault(place, {})[index] = clock
            if place not in self.plain:
                raise Fault(f"{place} is read before it is written")
            return self.plain[place]
        for reader, then in self.reads.get(place, {}).items():
            if view.get(("clock", reader), 0) < then:
                raise Fault(f"write of {place} races with a read")
        self.writes[place] = (index, clock)
        self.plain[place] = value
        return None

    def can(self, access: Optional[Tuple[Any, ...]]) -> bool:
        if access is None:
            return False
        if access[0] == "lock":
            return self.holders.get(access[1], (None, {}))[0] is None
        if access[0] == "await": # a loop of loads until the value is `access[2]`
            return any(value == access[2] for value, _ in self.values.get(access[1], []))
        return True

    def visibly(self, index: int, kind: str, place: Any, *words: Any) -> Any:
        view = self.views[index]
        stored = self.values.setdefault(place, [(0, None)])
        if kind == "lock":
            join(view, self.holders.get(place, (None, {}))[1])
            self.holders[place] = (index, {})
        elif kind == "unlock":
            self.holders[place] = (None, dict(view))
            view["clock", index] += 1
        elif kind in ("load", "await"):
            oldest = max(view.get(place, 0), self.sequential.get(place, 0) if words[-1] == SEQUENTIAL else 0)
            readable = [at for at in range(oldest, len(stored)) if kind == "load" or stored[at][0] == words[0]]
            at = readable[self.choose(len(readable))]
            view[place] = at
            if words[-1] in (ACQUIRE, BOTH, SEQUENTIAL):
                join(view, stored[at][1])
            return stored[at][0]
        elif kind == "store":
            self.append(view, index, place, words[0], None, words[1])
        else: # change: a function that maps the newest value to the next one, or to None
            old, carried = stored[-1]
            new = words[0](old)
            view[place] = len(stored) - 1
            if words[1] in (ACQUIRE, BOTH, SEQUENTIAL):
                join(view, carried)
            if new is not None:
                self.append(view, index, place, new, carried, words[1])
            return old
        return None

    def append(self, view: View, index: int, place: Any, value: Any, carried: Optional[View], order: str) -> None:
        stored = self.values[place]
        view[place] = len(stored)
        message = dict(carried or {}) # a read-modify-write continues the release sequence
        if order in (RELEASE, BOTH, SEQUENTIAL):
            join(message, view)
            view["clock", index] += 1
        if order == SEQUENTIAL:
            self.sequential[place] = len(stored)
        stored.append((value, message))

    def finish(self) -> None:
        while True:
            able = [index for index, access in enumerate(self.next) if self.can(access)]
            if not able:
                break
            index = able[self.choose(len(able))]
            access = self.next[index]
            assert access
            self.next[index] = self.step(index, self.visibly(index, *access))
        if any(access is not None for access in self.next):
            raise Fault("the threads wait for each other")


def every_way(program: Program) -> int:
    """Runs a program in every way, and returns the number of ways."""
    count, choices = 0, [] # type: int, List[int]
    while True:
        run = Run(program, choices)
        run.finish()
        count += 1
        made = choices[: run.taken] + [0] * (run.taken - len(choices))
        while made and made[-1] + 1 >= run.widths[len(made) - 1]:
            made.pop()
        if not made:
            return count
        made[-1] += 1
        choices = made


def threads(*bodies: Callable[[], Iterator[Any]]) -> Program:
    return lambda: [body() for body in bodies] # type: ignore[misc]
