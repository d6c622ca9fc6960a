#!/usr/bin/env python3
"""Tests each place of the library that threads share without a lock, in each order that a processor with weak memory may execute.

docs/platforms.md lists these places.  The orders of the accesses are read from the sources; for each place the program below
must have no fault with them, and must have one if any of them is weakened, so that the test is able to detect it.  A source
file that uses an atomic access and is not in that list is a fault, too."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Tuple

from weak_memory import ACQUIRE, BOTH, RELAXED, RELEASE, SEQUENTIAL, Fault, Program, every_way, threads

ROOT = Path(__file__).resolve().parents[2]
Orders = Tuple[str, ...]


def published(load: str, store: str) -> Program:
    """PlanTable: a plan is added to the table, and the table grows, while a third thread looks a plan up."""

    def entering() -> Iterator[Any]:
        yield "write", "entry 1", "plan 1"
        yield "lock", "lock"
        yield "store", "small place", "entry 1", store
        yield "write", "entries", 1
        yield "unlock", "lock"

    def growing() -> Iterator[Any]:
        yield "write", "entry 2", "plan 2"
        yield "lock", "lock"
        yield "write", "mask", 127
        yield "store", "large place", "entry 2", store
        yield "store", "current", "large", store
        yield "unlock", "lock"

    def looking() -> Iterator[Any]:
        table = yield "load", "current", load
        if table == "large":
            yield "read", "mask"
        entry = yield "load", "large place" if table == "large" else "small place", load
        if entry:
            plan = yield "read", entry
            if plan != entry.replace("entry", "plan"):
                raise Fault(f"{entry} has {plan}")

    return threads(entering, growing, looking)


def hook(load: str, store: str) -> Program:
    """HookPlace: a hook is set while two transfers begin."""

    def setting() -> Iterator[Any]:
        yield "write", "hook", "function and its data"
        yield "lock", "lock"
        yield "store", "place", "hook", store
        yield "unlock", "lock"

    def beginning() -> Iterator[Any]:
        place = yield "load", "place", load
        if place:
            yield "read", place

    return threads(setting, beginning, beginning)


def opened(load: str, store: str) -> Program:
    """OpenedAPIs, Middleware, OperationNotes: a list that is extended at its front under a lock, and read without it."""

    def opening(name: str) -> Callable[[], Iterator[Any]]:
        def body() -> Iterator[Any]:
            yield "lock", "lock"
            first = yield "load", "first", load
            yield "write", f"next of {name}", first
            yield "store", "first", name, store
            yield "unlock", "lock"

        return body

    def reading() -> Iterator[Any]:
        node = yield "load", "first", load
        while node:
            node = yield "read", f"next of {node}"

    return threads(opening("a"), opening("b"), reading)


def advanced(exchange: str) -> Program:
    """ResourceChain: three threads extend copies of a walk; only one of them may use the bytes behind it."""

    def going(name: str) -> Callable[[], Iterator[Any]]:
        def body() -> Iterator[Any]:
            before = yield "change", "taken", lambda value: 16 if value == 0 else None, exchange
            if before == 0:
                yield "write", "bytes 0 to 16", name
                said = yield "read", "bytes 0 to 16"
            else:
                yield "write", f"memory of {name}", name
                said = yield "read", f"memory of {name}"
            if said != name:
                raise Fault(f"{name} reads what {said} wrote")

        return body

    return threads(going("a"), going("b"), going("c"))


def once(load: str, store: str, exchange: str) -> Program:
    """swift_once of Embedded Swift: one thread initializes a constant at its first use."""

    def using() -> Iterator[Any]:
        state = yield "load", "state", load
        if state != "made":
            before = yield "change", "state", lambda value: "begun" if value == 0 else None, exchange
            if before == 0:
                yield "write", "constant", "value"
                yield "store", "state", "made", store
            else:
                yield "await", "state", "made", load
        yield "read", "constant"

    return threads(using, using)


def counted(release: str) -> Program:
    """swift_release of Embedded Swift: the last owner frees the object, after all accesses of the other owners."""

    def owning() -> Iterator[Any]:
        yield "read", "object"
        before = yield "change", "owners", lambda value: value + 1, release
        if before == 2:
            yield "write", "object", "freed"

    def first() -> Iterator[Any]:
        yield "write", "object", "alive"
        yield "store", "given", "object", RELEASE
        yield from owning()

    def other() -> Iterator[Any]:
        given = yield "load", "given", ACQUIRE
        if given:
            yield from owning()

    return threads(first, other, other)


def numbered(add: str) -> Program:
    """csystem_next_number: the numbers of transfers are unique."""
    def body(name: str) -> Callable[[], Iterator[Any]]:
        def counting() -> Iterator[Any]:
            number = yield "change", "number", lambda value: value + 1, add
            yield "write", f"transfer {number}", name

        return counting

    return threads(body("a"), body("b"), body("c"))


def interrupted(add: str, load_wake: str, store: str, load_count: str) -> Program:
    """loop.c: a client is interrupted while its loop begins to wait; the loop must read the new count, or be woken."""

    def raising() -> Iterator[Any]:
        yield "change", "count", lambda value: value + 1, add
        wake = yield "load", "wake", load_wake
        if wake:
            yield "store", "descriptor", "woken", RELEASE # write(2), and epoll_wait(2) in the loop

    def waiting() -> Iterator[Any]:
        yield "store", "wake", "descriptor", store
        count = yield "load", "count", load_count
        if count == 0:
            yield "await", "descriptor", "woken", ACQUIRE

    return threads(raising, waiting)


def asked(load: str, store: str) -> Program:
    """json.c: each thread that finds no reader queries the processor and stores the same constant."""

    def using() -> Iterator[Any]:
        known = yield "load", "known", load
        if not known:
            yield "store", "known", "reader", store
            known = "reader"
        if known != "reader":
            raise Fault(f"the reader is {known}")

    return threads(using, using, using)


def reserved(add: str, load: str) -> Program:
    """memory.c: one thread frees a block of the reserve that another thread allocated and passed to it; the freeing thread must see that
    blocks of the reserve exist, whatever a third thread does with its own blocks."""

    def allocating() -> Iterator[Any]:
        yield "change", "special", lambda value: value + 1, add
        yield "store", "given", "block", RELEASE

    def busy() -> Iterator[Any]:
        yield "change", "special", lambda value: value + 1, add
        yield "change", "special", lambda value: value - 1, add

    def freeing() -> Iterator[Any]:
        if (yield "load", "given", ACQUIRE):
            if (yield "load", "special", load) == 0:
                raise Fault("a block of the reserve goes to free")

    return threads(allocating, busy, freeing)


def limited(add: str) -> Program:
    """memory.c: two threads allocate one byte each below a limit of one byte; at most one of them may keep it."""

    def allocating() -> Iterator[Any]:
        used = yield "change", "used", lambda value: value + 1, add
        if used + 1 > 1:
            yield "change", "used", lambda value: value - 1, add
        elif (yield "change", "kept", lambda value: value + 1, RELAXED):
            raise Fault("both are kept")

    return threads(allocating, allocating)


# --- The orders in the sources ---

def source(path: str) -> str:
    return (ROOT / "Sources" / path).read_text(encoding="utf-8")


def order_in(text: str, pattern: str) -> str:
    match = re.search(pattern, text, flags=re.S)
    if match is None:
        sys.exit(f"no source matches {pattern!r}")
    return {"RELAXED": RELAXED, "ACQUIRE": ACQUIRE, "RELEASE": RELEASE, "ACQ_REL": BOTH,
            "seq_cst": SEQUENTIAL, "acquire": ACQUIRE, "release": RELEASE, "acq_rel": BOTH,
            "relaxed": RELAXED, "acquiring": ACQUIRE, "releasing": RELEASE, "acquiringAndReleasing": BOTH}[match[1]]


def order_of(text: str, function: str, place: str) -> str:
    """The order of a function of <stdatomic.h>; without _explicit it is sequentially consistent."""
    if re.search(rf"{function}\(&{place}\b", text):
        return SEQUENTIAL
    return order_in(text, rf"{function}_explicit\(&{place}\b.*?memory_order_(\w+)\)")


raising, loop, json = source("CCurl/interruption.c"), source("CCurl/loop.c"), source("CSystem/json.c")
system, number_of = source("CSystem/include/CSystem.h"), source("CSystem/system.c")
apis = source("Routable/OpenedAPIs.swift")
memory, usual = source("CSystem/memory.c"), source("CSystem/include/CSystemMemory.h")
LOAD = order_in(system, r"csystem_load\(.*?__ATOMIC_(\w+)\)")
STORE = order_in(system, r"csystem_store\(.*?__ATOMIC_(\w+)\)")
EXCHANGE = order_in(system, r"csystem_advance\(.*?__ATOMIC_(\w+), __ATOMIC_\w+\)")
ADD = order_in(number_of, r"csystem_next_number\(void\).*?__ATOMIC_(\w+)\)")
SWIFT_LOAD, SWIFT_STORE = order_in(apis, r"first\.load\(ordering: \.(\w+)\)"), order_in(apis, r"first\.store\(.*?ordering: \.(\w+)\)")

#: For each place its program, and the orders in the sources, or in the instructions of the compiler's runtime.
PLACES: Dict[str, Tuple[Callable[..., Program], Orders]] = {
    "plan table": (published, (LOAD, STORE)),
    "hook of a client": (hook, (LOAD, STORE)),
    "description of a client's credentials": (hook, (LOAD, STORE)),
    "opened APIs": (opened, (SWIFT_LOAD, SWIFT_STORE)),
    "middleware of a client": (opened, (LOAD, STORE)),
    "notes of an operation": (opened, (LOAD, STORE)),
    "copies of a walk": (advanced, (EXCHANGE,)),
    "numbers of transfers": (numbered, (ADD,)),
    "interruption of a client": (interrupted, (
        order_of(raising, "atomic_fetch_add", "interruption->count"), order_of(raising, "atomic_load", "interruption->wake"),
        order_of(loop, "atomic_store", "interruption->wake"), order_of(raising, "atomic_load", "interruption->count"))),
    "reader of JSON": (asked, (order_of(json, "atomic_load", "known"), order_of(json, "atomic_store", "known"))),
    "reserve of memory": (reserved, (
        order_in(memory, r"add_special\(int64_t count\).*?__ATOMIC_(\w+)"), order_in(usual, r"__atomic_load_n\(&csystem_memory_special, __ATOMIC_(\w+)\)"))),
    "limit of memory": (limited, (order_in(memory, r"__atomic_add_fetch\(&used, size, __ATOMIC_(\w+)\)"),)),
    "swift_once": (once, (ACQUIRE, RELEASE, RELAXED)),
    "reference counts": (counted, (BOTH,)),
}
ATOMIC = re.compile(r"__atomic_|__sync_|_Atomic|\batomic_\w+\(|csystem_load\(|csystem_store\(|csystem_advance\(|csystem_take\(|csystem_next_number\(|Atomic<|atomic_thread_fence")


def faults() -> Iterator[str]:
    for name, (program, orders) in PLACES.items():
        try:
            ways = every_way(program(*orders))
        except Fault as fault:
            yield f"{name} ({', '.join(orders)}): {fault}"
            continue
        weaker = 0
        for at, order in enumerate(orders):
            for less in {ACQUIRE: (RELAXED,), RELEASE: (RELAXED,), BOTH: (ACQUIRE, RELEASE, RELAXED), SEQUENTIAL: (BOTH, RELAXED)}.get(order, ()):
                weaker += 1
                try:
                    every_way(program(*orders[:at], less, *orders[at + 1:]))
                except Fault:
                    continue
                yield f"{name}: {order} weakened to {less} is no fault: the program misses it"
        print(f"{name}: {', '.join(orders)}: {ways} ways, no fault; {weaker} weaker orders, a fault in each")
    page = (ROOT / "docs/platforms.md").read_text(encoding="utf-8")
    for path in sorted(path for kind in ("*.swift", "*.c", "*.h") for path in (ROOT / "Sources").rglob(kind)):
        text = re.sub(r"//.*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S if path.suffix != ".swift" else 0)
        if ATOMIC.search(text) and path.name not in page:
            yield f"{path.relative_to(ROOT)} has an atomic access, and docs/platforms.md does not list it"


found = list(faults())
for each in found:
    print(each)
print(f"{len(PLACES)} places, {len(found)} faults")
sys.exit(1 if found else 0)
