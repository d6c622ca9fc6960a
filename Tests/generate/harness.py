"""The shared parts of the checks of generated code: folders, compilers, and failures."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import List, NoReturn, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
#: The documents of this repository; other folders of documents have the same layout.
OWN = ROOT / "Tests/conformance/own/openapi-docs"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


#: A loop, and its time on the machine for which the limits of the checks, in seconds, were set.
YARDSTICK, YARDSTICK_SECONDS = "n = 0\nfor i in range(5_000_000): n += i & 7", 0.5


class Tools:
    """The command, the library, the Swift modules, a working folder, and a folder of OpenAPI documents."""

    def __init__(self, command: Path, library: Path, swift: Path, work: Path, data: Path) -> None:
        self.data = data
        self.command, self.library, self.swift, self.work = command.resolve(), library.resolve(), swift.resolve(), work
        for path in (self.command, self.library / "libroutable.so.0"):
            if not path.exists():
                fail(f"{path} is not there: make lib command")
        self.environment = dict(
            os.environ, LD_LIBRARY_PATH=str(self.library), ROUTABLE_LIBRARY=str(self.library / "libroutable.so.0"),
            PYTHONPATH=str(ROOT / "bindings/python/src"), MYPYPATH=str(ROOT / "bindings/python/src"),
            PYTHONDONTWRITEBYTECODE="1")

    def run(self, words: Sequence[object], folder: Optional[Path] = None, seconds: int = 300) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(each) for each in words], cwd=folder or self.work, env=self.environment, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)

    def succeed(self, words: Sequence[object], folder: Optional[Path] = None, seconds: int = 300) -> str:
        ran = self.run(words, folder, seconds)
        if ran.returncode != 0:
            fail(f"{' '.join(map(str, words))}: exit status {ran.returncode}\n{(ran.stdout + ran.stderr)[-6000:]}")
        return ran.stdout

    def refuse(self, words: Sequence[object], *wanted: str, folder: Optional[Path] = None) -> str:
        """Checks that a compiler refuses a program with a message that contains these words; returns the first line with the first word."""
        ran = self.run(words, folder)
        said = ran.stdout + ran.stderr
        if ran.returncode == 0:
            fail(f"{' '.join(map(str, words))}: it compiles, and must not")
        for word in wanted:
            if word not in said:
                fail(f"{' '.join(map(str, words))}: the error does not name {word}\n{said[-3000:]}")
        return next(line for line in said.splitlines() if wanted[0] in line).strip()

    def generate(self, language: str, document: Path, output: Path, *words: str) -> None:
        self.succeed([self.command, "generate", language, document, "-o", output, *words])

    # --- Compilers ---

    def c(self, *words: object, standard: str = "c99") -> List[object]:
        return ["gcc", f"-std={standard}", "-O1", *WARNINGS, f"-I{ROOT / 'include'}", *words]

    def cxx(self, *words: object, standard: str = "c++11") -> List[object]:
        return ["g++", f"-std={standard}", *WARNINGS, f"-I{ROOT / 'include'}", "-x", "c++", "-fsyntax-only", *words]

    def linked(self, *words: object, standard: str = "c99") -> List[object]:
        return [*self.c(*words, standard=standard), f"-L{self.library}", "-lroutable"]

    def mypy(self, *words: object) -> List[object]:
        return [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / "build/check/mypy-generated", *words]

    def swiftc(self, *words: object) -> List[object]:
        shims = [f"-I{each}" for each in sorted((ROOT / "Sources").glob("C*/include"))]
        return ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-I", self.swift / "Modules",
                "-I", ROOT / "include", *shims, *words]

    def swift_objects(self) -> List[object]:
        """The objects and libraries that a Swift program is linked with."""
        objects: List[object] = []
        for module in ("Routable", "RoutableCore", "RoutableJSON", "RoutableSchema", "RoutableDocuments", "RoutableService", "RoutablePerform", "RoutableClient", "RoutableMock", "CSystem", "CJansson",
                       "CCurl", "CPCRE2", "CYAML", "CZlib"):
            objects += sorted((self.swift / f"{module}.build").rglob("*.o"))
        libraries = self.succeed(["pkg-config", "--libs", "jansson", "libpcre2-8"]).split()
        return [*objects, *libraries, "-lm"]


def fail(what: str) -> NoReturn:
    print(f"FAILED: {what}")
    sys.exit(1)


def require(holds: bool, what: str) -> None:
    if not holds:
        fail(what)


def spent() -> float:
    """Seconds of processor time of all child processes that have ended, independent of other load."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def slowness(tools: Tools) -> float:
    """The factor by which this machine is slower at present than the one that the limits were set for; at least 1."""
    start = spent()
    tools.succeed([sys.executable, "-c", YARDSTICK])
    return max(1.0, (spent() - start) / YARDSTICK_SECONDS)
