"""What the benchmarks of this folder share: interleaved rounds of jobs in processor time, and the growth with the input.

Each row is one function of the library beside the program that a user would write instead, in one run.  The time is that of the
process (user and system), and the figure of a job is the median of its rounds; the ratio to the peer is what counts.
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Callable, Dict, List, Sequence

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 31

Job = Callable[[], object]


def timed(jobs: Dict[str, Job], least: float = 0.01) -> Dict[str, float]:
    """Microseconds of a call of each job; a round has as many calls as take `least` seconds."""
    calls: Dict[str, int] = {}
    for name, job in jobs.items():
        count, spent = 1, 0.0
        while True:
            start = time.process_time()
            for _ in range(count):
                job()
            spent = time.process_time() - start
            if spent >= least or count >= 1 << 16:
                break
            count *= 2
        calls[name] = count
    taken: Dict[str, List[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            count = calls[name]
            start = time.process_time_ns()
            for _ in range(count):
                job()
            taken[name].append((time.process_time_ns() - start) / count / 1e3)
    return {name: median(each) for name, each in taken.items()}


def row(title: str, jobs: Dict[str, Job], peer: str) -> None:
    """Prints the time of each job, and its ratio to the peer."""
    found = timed(jobs)
    print(f"{title}")
    for name, time_of_it in found.items():
        mark = "" if name == peer else f"   {time_of_it / found[peer]:6.2f} of {peer}"
        print(f"    {name:44}{time_of_it:12.3f} us{mark}")
    sys.stdout.flush()


def growth(title: str, make: Callable[[int], Job], sizes: Sequence[int]) -> None:
    """Prints the time of a job for n, 2n and 4n."""
    found = timed({str(size): make(size) for size in sizes})
    texts = ", ".join(f"{size}: {found[str(size)]:.1f} us" for size in sizes)
    print(f"    growth of {title}: {texts}")
    sys.stdout.flush()
