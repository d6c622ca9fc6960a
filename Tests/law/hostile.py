#!/usr/bin/env python3
"""Reads requests with hostile values in each place of a request, and compares the results with oracles (hostile_places.py).

    hostile.py --data FOLDER [--jobs N] [--place WORD] [--every N] [--all]

The values are those of FOLDER/hostile, each as it is and once percent-decoded, and those of the suites forms, mime, whatwg-url and
json-parsing of FOLDER in the places that they apply to.  FOLDER has the layout of Tests/conformance/own.  For each request:

 1. The library returns, within CPU_BOUND seconds of processor time, or raises a RoutableError with an HTTP status of 400 to 499.
 2. A request is accepted only with the value that the oracle reads.  A valid request is accepted; EXCEPTIONS has the reasons of all
    others.  The request that is built from the call is read as the same call.
 3. The problem document is JSON in UTF-8 without control characters, and contains no credential.
 4. After each 1,000 requests, the library uses as much memory as before.

The requests of one place and one description are read by one process; if it dies, the request that it was reading is reported.
The exit status is 1 if there is any fault."""

from __future__ import annotations

import argparse
import base64
import gc
import json
import mmap
import os
import re
import signal
import struct
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import unquote_to_bytes

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "bindings/python/src")]

import routable  # noqa: E402
from hostile_places import DOCUMENTS, EXCEPTIONS, NOTHING, PLACES, SECRET, Case, Sender, of_json_text, pairs  # noqa: E402

#: Seconds of processor time for one request, which is read, built and read again.
CPU_BOUND = 0.5
#: Seconds of processor time for 1,000 requests, after which the process is ended.
BATCH_BOUND = 60
BATCH = 1000
#: Values of all types, and an undeclared parameter.
USUAL = [b"a", b"ab", b"0", b"12", b"1.5", b"true", b"a?b=c"]
#: Maximum number of printed faults of one kind.
SHOWN = 4

# --- The values ---


def vectors(path: Path) -> List[Any]:
    if not path.is_file():
        return []
    found = json.loads(path.read_bytes())
    return found["vectors"] if isinstance(found, dict) and "vectors" in found else found


def bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def hostile_values(data: Path) -> List[bytes]:
    """Every value of every list: as it is, and once percent-decoded."""
    found: Dict[bytes, None] = {}
    for path in sorted((data / "hostile").glob("*.json")):
        for each in vectors(path):
            value = bytes_of(each["value"] if isinstance(each, dict) else each)
            found[value] = None
            found[unquote_to_bytes(value)] = None
    return list(found)


def suite_values(data: Path) -> Dict[str, List[bytes]]:
    """Values of other suites, by the place that they are for."""
    found: Dict[str, Dict[bytes, None]] = {name: {} for name in PLACES}
    for each in vectors(data / "forms/whatwg-urlencoded-parse.json"):
        found["form"][bytes_of(each["input"])] = None
    for each in vectors(data / "forms/html-form-submission.json"):
        for key in ("name", "value", "filename"):
            if each.get(key) is not None:
                for place in ("form", "multipart"):
                    found[place][bytes_of(each[key])] = None
    for name in ("mime-types", "generated-mime-types"):
        for each in vectors(data / f"mime/{name}.json"):
            if isinstance(each, dict):
                # Code points up to U+00FF are bytes.
                text = each["input"]
                found["content-type"][text.encode("latin-1") if max(text, default="") <= "\xff" else bytes_of(text)] = None
    for name in ("urltestdata", "ada_extra_urltestdata"):
        for each in vectors(data / f"whatwg-url/{name}.json"):
            if isinstance(each, dict):
                found["target"][bytes_of(each["input"])] = None
    setters = vectors(data / "whatwg-url/setters_tests.json")
    for tests in (setters.values() if isinstance(setters, dict) else []):
        for each in tests:
            if isinstance(each, dict):
                found["target"][bytes_of(each["new_value"])] = None
    for each in vectors(data / "whatwg-url/percent-encoding.json"):
        if isinstance(each, dict):
            for place in ("path", "query", "form", "cookie"):
                found[place][bytes_of(each["input"])] = None
                for text in each["output"].values():
                    found[place][bytes_of(text)] = None
    for name in ("toascii", "IdnaTestV2"):
        for each in vectors(data / f"whatwg-url/{name}.json"):
            if isinstance(each, dict):
                found["target"][bytes_of(each["input"])] = None
    return {place: list(values) for place, values in found.items()}


def cases(data: Path, document: str, place: str, every: int) -> Iterator[Case]:
    """The requests of one place, always in the same order."""
    sender = Sender(document)
    values = list(dict.fromkeys(hostile_values(data) + suite_values(data)[place]))
    for value in values[::every]:
        yield from PLACES[place](sender, value)
    if place == "json":
        for name in ("test_parsing", "test_transform"):
            for each in vectors(data / f"json-parsing/{name}.json"):
                yield from of_json_text(sender, base64.b64decode(each["base64"]), each.get("expect", ""))


# --- One request ---


class Reader:
    """Reads the requests of one process, and counts."""

    def __init__(self, document: str) -> None:
        self.router = routable.open(DOCUMENTS[document]())
        self.document = document
        self.counts: Dict[str, Counter[str]] = {}
        self.faults: List[Tuple[str, str]] = []
        self.slowest = 0.0

    def fault(self, kind: str, case: Case, expected: Any, got: Any) -> None:
        headers = [f"{name!r}: {value!r}" for name, value in case.headers]
        self.faults.append((f"{case.place}: {kind}", "\n".join([
            f"{self.document}, {case.place}: {kind}", f"    request:  {case.method} {short(case.target)}", f"    headers:  {', '.join(headers)[:600]}",
            f"    body:     {short(case.body)}", f"    expected: {short(expected)}", f"    got:      {short(got)}"])))
        self.counts[case.place]["faults"] += 1

    def read(self, case: Case) -> None:
        counts = self.counts.setdefault(case.place, Counter())
        counts["requests"] += 1
        if case.reason:
            assert case.reason in EXCEPTIONS, case.reason
            counts["reason " + case.reason] += 1
        start = time.perf_counter()
        try:
            received = self.router.read(case.method, case.target, case.headers, case.body, require_credentials=True)
        except routable.RoutableError as error:
            counts[f"refused {error.http_status}"] += 1
            self.check_refusal(case, error)
        except Exception as error:
            self.fault("an exception that is no RoutableError", case, "a RoutableError", repr(error))
        else:
            counts["accepted"] += 1
            self.check_accepted(case, received)
        # Elapsed time is an upper bound of the processor time, which takes longer to query than most requests to read.
        elapsed = time.perf_counter() - start
        if elapsed > max(self.slowest, CPU_BOUND / 10):
            self.measure(case)

    def warm(self, case: Case) -> None:
        try:
            self.router.read(self.router.read(case.method, case.target, case.headers, case.body).request())
        except (routable.RoutableError, ValueError):
            pass

    def measure(self, case: Case) -> None:
        """Reads a request again, and counts its processor time."""
        start = time.thread_time()
        try:
            received = self.router.read(case.method, case.target, case.headers, case.body, require_credentials=True)
            self.router.read(received.request())
        except (routable.RoutableError, ValueError):
            pass
        seconds = time.thread_time() - start
        self.slowest = max(self.slowest, seconds)
        if seconds > CPU_BOUND:
            self.fault("too slow", case, f"{CPU_BOUND} s", f"{seconds:.2f} s")

    def check_refusal(self, case: Case, error: Any) -> None:
        if case.must:
            self.fault("a valid request is refused", case, case.value if case.value is not NOTHING else "accepted",
                       f"{error.http_status} {error.message}")
        problem, one = error.problem, error
        while one is not None:
            if one.http_status is None or not 400 <= one.http_status <= 499:
                self.fault("the status is not 400 to 499", case, "400 to 499", f"{one.http_status}: {one.message}")
            if SECRET in " ".join(map(str, (one.message, one.pointer, one.parameter, one.allowed, one.suggestion))):
                self.fault("an error has the credential", case, "no credential", one.message)
            one = one.next
        if problem is None or problem.status != error.http_status:
            self.fault("there is no problem document of the status", case, error.http_status, problem)
            return
        if re.search(rb"[\x00-\x1f\x7f]", problem.json):
            self.fault("the problem document has a control character", case, "none", problem.json)
        try:
            document = json.loads(problem.json.decode("utf-8"))
            if document["status"] != error.http_status or not document["errors"]:
                self.fault("the problem document has another status, or no errors", case, error.http_status, problem.json)
        except (ValueError, KeyError) as wrong:
            self.fault("the problem document is not JSON in UTF-8", case, "JSON", f"{wrong}: {problem.json!r}")
        if SECRET.encode() in problem.json or any(SECRET in value for value in problem.headers.values()):
            self.fault("the problem document has the credential", case, "no credential", problem)
        for value in problem.headers.values():
            if re.search(r"[\x00-\x1f\x7f]", value):
                self.fault("a header of the problem has a control character", case, "none", value)

    def check_accepted(self, case: Case, received: Any) -> None:
        if case.must is False:
            self.fault("an invalid request is accepted", case, EXCEPTIONS.get(case.reason, "refused: not of its type"), received.call)
            return
        if case.found is not None and case.value is not NOTHING:
            found = case.found(received)
            if not same(found, case.value):
                self.fault("another value is read", case, case.value, "nothing" if found is NOTHING else found)
        try:
            request = received.request()
        except routable.RoutableError as error:
            self.fault("no request can be built from the call", case, "a request", f"{error.message}: {received.call}")
            return
        self.check_loss(case, received, request)
        try:
            again = self.router.read(request)
        except routable.RoutableError as error:
            self.fault("the request that was built is refused", case, received.call, f"{error.message}: {request.url} {request.body!r}")
            return
        # `repr`, because NaN is not equal to itself.
        if again.call != received.call and repr(again.call) != repr(received.call):
            self.fault("the request that was built is read to another call", case, received.call, f"{again.call}: {request.url}")


    def check_loss(self, case: Case, received: Any, request: Any) -> None:
        """Each name of the query is in the request that was built, is ignored, or belongs to a credential."""
        query = case.target.partition(b"?")[2]
        if not query:
            return
        built = {name for name, _ in pairs(request.url.partition("?")[2].encode())}
        known = {each.encode() for each in (*received.ignored, "key", "qkey")}
        for name, _ in pairs(query):
            if name not in built and name not in known and name.replace(b"]", b"").replace(b"[", b"") not in {
                    each.replace(b"]", b"").replace(b"[", b"") for each in built}:
                self.fault("a parameter is lost", case, f"{name!r} in the call or in `ignored`", f"{received.call}, {received.ignored}")


def same(left: Any, right: Any) -> bool:
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 700 else f"{text[:700]}... ({len(text)} characters)"


# --- A process for each place ---


def work(data: Path, document: str, place: str, every: int, progress: Any) -> Dict[str, Any]:
    routable.set_memory_limit(1 << 40)  # counts the memory
    sys.setrecursionlimit(10000)  # JSON values have up to 512 levels
    reader = Reader(document)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    # The router keeps the plan of each operation once a request was read with it: memory is counted from then on.
    for value in USUAL:
        for case in PLACES[place](Sender(document), value):
            reader.warm(case)
    used: Optional[int] = None
    growth: List[int] = []
    previous: Optional[Case] = None
    for number, case in enumerate(cases(data, document, place, every)):
        if number % BATCH == 0:
            signal.setitimer(signal.ITIMER_PROF, BATCH_BOUND)
            gc.collect()
            now = routable.memory_used()
            if number == BATCH:
                used = now
            elif used is not None and now != used and previous is not None:
                growth.append(now - used)
        struct.pack_into("<Q", progress, 0, number + 1)
        reader.read(case)
        previous = case
    signal.setitimer(signal.ITIMER_PROF, 0)
    previous = None
    gc.collect()
    if used is not None:
        growth.append(routable.memory_used() - used)
    return {"name": f"{document}, {place}", "counts": reader.counts, "faults": reader.faults, "slowest": reader.slowest, "growth": growth}


class Job:
    def __init__(self, data: Path, document: str, place: str, every: int) -> None:
        self.words = (data, document, place, every)
        self.progress = mmap.mmap(-1, 16)
        readable, writable = os.pipe()
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            status = 1
            try:
                os.close(readable)
                found = work(*self.words, self.progress)
                with os.fdopen(writable, "w", encoding="utf-8", errors="surrogatepass") as file:
                    json.dump(found, file)
                status = 0
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writable)
        self.output = readable

    def result(self) -> Dict[str, Any]:
        with os.fdopen(self.output, encoding="utf-8", errors="surrogatepass") as file:
            text = file.read()
        status = os.waitpid(self.process, 0)[1]
        if status == 0:
            return dict(json.loads(text))
        number = struct.unpack_from("<Q", self.progress, 0)[0] - 1
        data, document, place, every = self.words
        case = next((each for index, each in enumerate(cases(data, document, place, every)) if index == number), None)
        end = f"signal {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else f"status {os.WEXITSTATUS(status)}"
        return {"name": f"{document}, {place}", "counts": {}, "slowest": 0, "growth": [], "faults": [
            (f"{place}: the process died", f"{document}, {place}: the process died with {end} at request {number}:\n    {case}")]}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="a folder that is laid out as Tests/conformance/own")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--place", default="", help="only places whose names contain this word")
    parser.add_argument("--every", type=int, default=1, help="only each Nth value")
    parser.add_argument("--all", action="store_true", help="prints every fault")
    arguments = parser.parse_args()
    data = arguments.data
    values = hostile_values(data)
    if not values:
        parser.error(f"{data} has no hostile values: hostile/*.json")
    print(f"{len(values)} hostile values, {sum(map(len, suite_values(data).values()))} of other suites")
    waiting = [(document, place) for place in PLACES for document in DOCUMENTS if arguments.place in place]
    running: List[Job] = []
    results: List[Dict[str, Any]] = []
    start = time.time()
    # Wait for the oldest process first.
    while waiting or running:
        while waiting and len(running) < arguments.jobs:
            running.append(Job(data, *waiting.pop(0), arguments.every))
        results.append(running.pop(0).result())
    return report(results, arguments.all, time.time() - start)


def report(results: List[Dict[str, Any]], is_complete: bool, seconds: float) -> int:
    faults: Dict[str, List[str]] = {}
    places: Dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    for each in results:
        for kind, text in each["faults"]:
            faults.setdefault(kind, []).append(text)
        for place, found in each["counts"].items():
            places.setdefault(place, Counter()).update(found)
        if any(each["growth"]):
            faults.setdefault("memory", []).append(
                f"{each['name']}: the memory of the library after each 1,000 requests differs by {each['growth']} bytes")
    for texts in faults.values():
        for text in texts if is_complete else texts[:SHOWN]:
            print(text)
        if not is_complete and len(texts) > SHOWN:
            print(f"    and {len(texts) - SHOWN} more")
    print(f"\n{'place':<28}{'requests':>10}{'accepted':>10}{'refused':>10}{'faults':>8}  refused with")
    total: Counter[str] = Counter()
    for place, found in places.items():
        refused = {key[8:]: count for key, count in found.items() if key.startswith("refused ")}
        row = (found["requests"], found["accepted"], sum(refused.values()), found["faults"])
        total.update(requests=row[0], accepted=row[1], refused=row[2])
        print(f"{place:<28}{row[0]:>10}{row[1]:>10}{row[2]:>10}{row[3]:>8}  " + ", ".join(f"{key}: {refused[key]}" for key in sorted(refused)))
        reasons.update({key[7:]: count for key, count in found.items() if key.startswith("reason ")})
    print("\nrequests that are not simply valid or invalid, and why:")
    for reason, count in sorted(reasons.items()):
        print(f"{count:>8}  {reason}: {EXCEPTIONS[reason]}")
    count = sum(map(len, faults.values()))
    for kind, texts in faults.items():
        print(f"FAULT: {kind}: {len(texts)}")
    slowest = max((each["slowest"] for each in results), default=0)
    print(f"\n{total['requests']} requests, {total['accepted']} accepted, {total['refused']} refused, in {seconds:.0f} s; "
          f"the slowest one took {slowest * 1000:.0f} ms of processor time")
    print(f"{total['requests'] - count} passed, {count} failed")
    return 1 if count or not total["requests"] else 0


if __name__ == "__main__":
    sys.exit(main())
