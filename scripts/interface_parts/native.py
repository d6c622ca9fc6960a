"""The linker's version script and the symbols file of the Debian package."""

from __future__ import annotations

from typing import Any, Dict, List

Item = Dict[str, Any]


def exported(described: Item) -> List[Item]:
    """Every function of the library, in the order of the headers."""
    return [item for header in described["headers"] for section in header["sections"] for item in section["items"]
            if item["kind"] == "function"]


def node(release: str) -> str:
    """The version node of a release: a patch release adds no functions."""
    return "ROUTABLE_" + ".".join(release.split(".")[:2])


def files(described: Item) -> Dict[str, str]:
    functions = sorted((item["name"], item["since"]) for item in exported(described))
    releases = sorted({since for _, since in functions}, key=lambda text: [int(part) for part in text.split(".")])
    nodes: Dict[str, List[str]] = {}
    for release in releases:
        nodes.setdefault(node(release), []).extend(name for name, since in functions if since == release)

    lines = ["/* Written by scripts/interface from include/*.h: what the linker exports, each function by name in the node of the",
             "   release that brought it. */"]
    before = ""
    for name, members in nodes.items():
        lines += [f"{name} {{", "    global:", *(f"        {each};" for each in sorted(members))]
        lines += [] if before else ["    local:", "        *;"]
        lines.append(f"}}{before};")
        before = f" {name}"

    symbols = ["# Written by scripts/interface from include/*.h: every function with the release that brought it.",
               "libroutable.so.0 libroutable0 #MINVER#", "* Build-Depends-Package: libroutable-dev"]
    symbols += [f" {name}@{node(since)} {since}" for name, since in functions]
    return {"Sources/RoutableABI/routable.map": "\n".join(lines) + "\n",
            "debian/libroutable0.symbols": "\n".join(symbols) + "\n"}
