"""The command as a process: pipes, closed streams, help, completions, the manual page."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest
from conftest import ROOT, SOCIAL, command, environment, run

SUBCOMMANDS = ["map", "routes", "build", "send", "match", "check", "bundle", "import", "export", "generate", "values", "tools", "coverage", "login", "serve"]


def test_a_closed_pipe_ends_the_command_without_a_message() -> None:
    ran = subprocess.run(
        ["bash", "-c", f"'{command()}' routes '{SOCIAL}' | head -n 1; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True)
    # Output that fits into the pipe may be written before the reader closes it: both exit statuses are valid.
    assert ran.returncode in (0, 128 + signal.SIGPIPE) and ran.stderr == ""
    process = subprocess.Popen([command(), "routes", str(SOCIAL)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    assert process.wait() == -signal.SIGPIPE and said == b""
    process.stderr.close()


def test_output_that_cannot_be_written_is_an_error() -> None:
    for redirection in (">/dev/full", ">&-"):
        ran = subprocess.run(["sh", "-c", f"'{command()}' routes '{SOCIAL}' {redirection}"], capture_output=True, text=True)
        assert ran.returncode == 3 and ran.stderr.startswith("routable: standard output: ")
    closed = subprocess.run(["sh", "-c", f"'{command()}' map nowhere 2>&-"], capture_output=True, text=True)
    assert (closed.returncode, closed.stdout) == (3, "")
    assert subprocess.run(["sh", "-c", f"'{command()}' map - <&-"], capture_output=True).returncode in (3, 4)


@pytest.mark.parametrize("words, status", [
    (("map", "/nowhere"), 3), (("map", "/"), 3), (("map",), 2), (("mpa", "x"), 2), (("map", "--nope", "x"), 2)])
def test_wrong_arguments_and_files_are_errors(words: tuple[str, ...], status: int) -> None:
    ended = run(*words)
    assert (ended.status, ended.out) == (status, "") and ended.err
    as_json = run(*words, "--json")
    assert as_json.status == status
    assert json.loads(as_json.err)["status"] == ("file" if status == 3 else "argument")


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_examples_of_the_help_are_valid(name: str) -> None:
    ended = run(name, "--help")
    assert ended.status == 0 and ended.err == "" and "EXAMPLES" in ended.out
    assert f"routable {name} " in ended.out


def test_help_lists_all_subcommands_and_exit_statuses() -> None:
    said = run("--help").out
    # The list is complete, so that the other tests cover all subcommands.
    assert re.findall(r"^  (\w+) +\S", said.split("SUBCOMMANDS")[1].split("\n\n")[0], re.M) == SUBCOMMANDS
    page = (ROOT / "docs/command.md").read_text()
    for line in said.split("EXIT STATUS\n")[1].split("\n\n")[0].splitlines():
        number, meaning = line.split(None, 1)
        assert f"| {number} | {meaning}" in page, line


def test_version_is_the_headers() -> None:
    header = (ROOT / "include/routable_values.h").read_text()
    parts = [header.split(f"#define ROUTABLE_VERSION_{part} ")[1].split("\n")[0] for part in ("MAJOR", "MINOR", "PATCH")]
    assert run("--version").out == f"routable {'.'.join(parts)}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    script = run("--generate-completion-script", shell)
    assert script.status == 0
    for name in SUBCOMMANDS:
        assert name in script.out
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script.out, text=True, check=True)
        asked = f"{script.out}\nCOMP_WORDS=(routable ro); COMP_CWORD=1; COMP_LINE='routable ro'; COMP_POINT=11; _routable routable ro routable; echo \"${{COMPREPLY[@]}}\""
        ran = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, env=environment())
        assert ran.stdout.split() == ["routes"], ran


def test_the_manual_page_is_complete() -> None:
    page = subprocess.run(
        [sys.executable, str(ROOT / "scripts/command_man"), command(), "0.1.0"], capture_output=True, text=True, check=True).stdout
    for name in SUBCOMMANDS:
        assert f".SS routable {name}\n" in page
    assert ".SH EXIT STATUS\n" in page and page.startswith(".TH ROUTABLE 1 ")
