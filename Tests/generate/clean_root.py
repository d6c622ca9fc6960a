"""The packages of a declaration in Swift, in a minimal Debian without Swift (docs/swift-to-c.md).  Requires root (chroot)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from checks import HERE
from declared import DECLARATION
from harness import ROOT, Tools, fail, require

#: A package of the binding alone, without a dependency on libroutable.so.0, because the API's library contains it.
CONTROL = """Package: python3-routable
Version: 0.1.0
Architecture: all
Maintainer: Routable maintainers <maintainers@routable.example>
Depends: python3
Description: client library for HTTP APIs (Python package, for a test)
"""
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "TMPDIR": "/tmp",
    "PYTHONDONTWRITEBYTECODE": "1"}


class Root:
    """A minimal Debian in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.call([str(ROOT / "scripts/minimal_root"), str(folder)], os.environ)

    def call(self, words: "list[str]", environment: "os._Environ[str] | dict[str, str]") -> str:
        ran = subprocess.run(words, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200)
        if ran.returncode != 0:
            fail(f"{' '.join(words)}: exit status {ran.returncode}\n{(ran.stdout + ran.stderr)[-4000:]}")
        return ran.stdout

    def inside(self, command: str, **more: str) -> str:
        return self.call(["chroot", str(self.folder), "sh", "-c", command], {**ENVIRONMENT, **more})

    def install(self, *packages: str) -> None:
        self.inside("apt-get install -y --no-install-recommends " + " ".join(packages))


def declared_root(tools: Tools) -> str:
    """Builds C and Python programs from examples/Social.swift that print the output of the Swift program."""
    program = tools.work / "declared"
    tools.succeed(tools.swiftc(DECLARATION, HERE / "walks_declared.swift", HERE / "walks_shown.swift", *tools.swift_objects(), "-o", program))
    wanted = tools.succeed([program])
    tools.succeed(["make", "deb", f"ROUTES={DECLARATION}", f"COMMAND={tools.command.parent}"], ROOT, seconds=1200)
    debs = sorted((ROOT / "build/routes/social/deb").glob("*.deb"))
    require([deb.name.split("_")[0] for deb in debs] == ["libsocial-dev", "libsocial0", "python3-social"], f"packages: {debs}")

    root = Root(tools.work / "root")
    try:
        root.inside("apt-get update")
        root.install("gcc", "libc6-dev", "pkgconf", "python3")
        there = root.folder / "tmp"
        binding = tools.work / "binding"
        (binding / "DEBIAN").mkdir(parents=True)
        (binding / "DEBIAN/control").write_text(CONTROL)
        shutil.copytree(ROOT / "bindings/python/src/routable", binding / "usr/lib/python3/dist-packages/routable",
                        ignore=shutil.ignore_patterns("__pycache__"))
        tools.succeed(["dpkg-deb", "--root-owner-group", "--build", binding, there / "python3-routable.deb"])
        for deb in debs:
            shutil.copy(deb, there)
        root.install("/tmp/*.deb")
        for name in ("walks.c", "walks.py"):
            shutil.copy(HERE / name, there)
        root.inside("cd /tmp && cc -std=c99 -Wall -Wextra -Werror walks.c $(pkg-config --cflags --libs social) -o walks")
        in_c = root.inside("/tmp/walks")
        in_python = root.inside("python3 -W error /tmp/walks.py", ROUTABLE_LIBRARY="libsocial.so.0")
        require(in_c == wanted, f"C gives\n{in_c}and Swift\n{wanted}")
        require(in_python == wanted, f"Python gives\n{in_python}and Swift\n{wanted}")
        needs = root.inside("ldd /usr/lib/*/libsocial.so.0")
        found = root.inside("find / -xdev \\( -iname 'libswift*' -o -iname '*.swift*' -o -name 'libroutable*' \\) -print")
        require("swift" not in needs and "not found" not in needs and not found, f"in the root: {needs}{found}")
        root.inside("apt-get purge -y libsocial0 libsocial-dev python3-social")
        left = root.inside("find / -xdev -path /tmp -prune -o -path /var/log -prune -o -path /var/cache -prune -o -iname '*social*' -print")
        require(not left, f"left behind: {left}")
    finally:
        shutil.rmtree(root.folder, ignore_errors=True)
    sizes = ", ".join(f"{deb.name.split('_')[0]} {deb.stat().st_size / 1000:.0f} kB" for deb in debs)
    return f"C and Python print the same {len(wanted)} bytes as Swift in a Debian without Swift: {sizes}"
