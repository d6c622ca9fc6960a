"""Calls as a method and a path, files of forms, requests without credentials, JSON on terminals, and completion from a description."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, List

import pytest
from conftest import SOCIAL, Ended, command, environment, on_terminal, run

UPLOADS = {
    "openapi": "3.1.0", "info": {"title": "Uploads", "version": "1"}, "servers": [{"url": "https://up.test/v1"}],
    "paths": {
        "/pictures": {
            "get": {
                "operationId": "pictures/list",
                "parameters": [
                    {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "size", "in": "query", "schema": {"type": "integer"}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                    {"name": "theme", "in": "cookie", "schema": {"type": "string"}}],
                "responses": {"200": {"description": "x"}}},
            "post": {
                "operationId": "upload",
                "requestBody": {"content": {"multipart/form-data": {"schema": {
                    "type": "object", "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"}, "title": {"type": "string"}, "size": {"type": "integer"}}}}}},
                "responses": {"201": {"description": "x"}}}}}}


@pytest.fixture
def uploads(tmp_path: Path) -> Path:
    file = tmp_path / "uploads.json"
    file.write_text(json.dumps(UPLOADS))
    return file


def line(*words: Any) -> str:
    ended = run("build", *words)
    assert ended.status == 0, ended
    return ended.out.splitlines()[0]


# --- A method and a path ---


@pytest.mark.parametrize(("words", "expected"), [
    (["GET", "/users/ann"], "GET https://api.example.com/v1/users/ann"),
    (["get", "users/ann"], "GET https://api.example.com/v1/users/ann"),
    (["/users/ann"], "GET https://api.example.com/v1/users/ann"),
    (["users/ann/statuses/3"], "GET https://api.example.com/v1/users/ann/statuses/3"),
    (["GET", "/v1/users/ann"], "GET https://api.example.com/v1/users/ann"),
    (["GET", "https://api.example.com/v1/users/a%2Fb"], "GET https://api.example.com/v1/users/a%2Fb"),
    (["GET", "/search?q=a+b&page=2"], "GET https://api.example.com/v1/search?q=a%20b&page=2"),
    (["GET", "/search?q=x", "-q", "page=7"], "GET https://api.example.com/v1/search?q=x&page=7"),
    (["GET", "/users/{username}", "a n/n"], "GET https://api.example.com/v1/users/a%20n%2Fn"),
    (["GET", "/users/{user}/statuses/{id}", "--id", "id=3", "ann"], "GET https://api.example.com/v1/users/ann/statuses/3"),
    (["GET", "/users/ann?x=1"], "GET https://api.example.com/v1/users/ann?x=1"),
    (["POST", "/users", "-d", '{"username":"ann"}'], "POST https://api.example.com/v1/users"),
    (["DELETE", "/statuses/3"], "DELETE https://api.example.com/v1/statuses/3"),
])
def test_a_method_and_a_path(words: List[str], expected: str) -> None:
    assert line(SOCIAL, *words) == expected


def test_a_path_builds_what_the_operation_builds() -> None:
    by_path = run("build", SOCIAL, "GET", "/users/ann/statuses/3", "--json").json
    assert by_path == run("build", SOCIAL, "user.status#read", "ann", "3", "--json").json


def test_arrays_and_names_with_a_slash(uploads: Path) -> None:
    assert line(uploads, "GET", "/pictures?tags=a&tags=b&size=3") == "GET https://up.test/v1/pictures?tags=a&tags=b&size=3"
    assert line(uploads, "pictures/list", "-q", "size=1") == "GET https://up.test/v1/pictures?size=1"   # an operationId is not a path
    wrong = run("build", uploads, "pictures/lsit")
    assert wrong.status == 5 and 'did you mean "pictures/list"?' in wrong.err
    wrong = run("build", uploads, "GET", "/pictures?size=x")
    assert wrong.status == 5 and "invalid value of size: an integer is expected" in wrong.err


@pytest.mark.parametrize(("words", "status", "message"), [
    (["user/ann"], 5, 'user/ann is not a path of the description; did you mean "user#read ann"?'),
    (["user/ann/status"], 5, 'did you mean "user.status#create ann"?'),
    (["/users/ann/status/3"], 5, 'did you mean "GET /users/:user_id/statuses/:id" (user.status#read)?'),
    (["GET", "/nope/x/y/z"], 5, 'no path of the description matches; "routable routes" prints the paths and the operations'),
    (["/users/ann", "bob"], 5, "the path /users/ann contains the ids: no others can be given"),
    (["/users/{id}"], 5, "the path has {id}, and no word after the path is its value"),
    (["DELETE", "/users/ann"], 5, "/users/ann: DELETE is not allowed; allowed: GET, PUT"),
    (["GET", "https://other.example/users/ann"], 5, "no path of the description matches"),
    (["GET"], 2, "'GET' is a method: a path such as /users/ann follows it"),
    (["POST", "/users?x=1", "-d", '{"username":"ann"}'], 5, "user create declares no query parameters"),
    (["user"], 5, "user is a resource: add an operation, such as user#list"),
    (["user.read", "ann"], 5, 'no operation "user.read"; did you mean "user#read"?'),
    (["user#raed", "ann"], 5, 'did you mean "read"?'),
    (["serch"], 5, 'did you mean "search"?'),
    (["create"], 5, 'create requires a route, such as "user"'),
])
def test_invalid_arguments_of_a_call_are_refused(words: List[str], status: int, message: str) -> None:
    ended = run("build", SOCIAL, *words)
    assert (ended.status, ended.out) == (status, "") and message in ended.err, ended


def test_several_operations_of_one_path(tmp_path: Path) -> None:
    file = tmp_path / "constants.json"
    file.write_text(json.dumps({"routable": 1, "base": "https://h.test", "operations": {
        name: {"get": "/do", "query": {"action": {"enum": [name], "required": True}}} for name in ("start", "stop")}}))
    ended = run("build", file, "GET", "/do")
    assert ended.status == 5 and "several operations have this path and method: start, stop; name one of them" in ended.err, ended
    assert line(file, "GET", "/do?action=stop") == line(file, "stop", "-q", "action=stop") == "GET https://h.test/do?action=stop"


@pytest.mark.parametrize("subcommand", ["build", "routes", "map", "check", "send"])
def test_a_base_that_is_not_valid_is_an_error_of_the_argument(subcommand: str) -> None:
    words = ["GET", "/users/ann"] if subcommand in ("build", "send") else []
    for base in ("nope", "ftp://x", "https://a b"):
        ended = run(subcommand, SOCIAL, *words, "--base", base)
        assert ended.status == 2 and "--base: the base" in ended.err and "social.json:" not in ended.err, ended


# --- Forms and files ---


def test_form_members_and_files(uploads: Path, tmp_path: Path) -> None:
    (tmp_path / "a b.png").write_bytes(b"\x89PNG")
    shown = run("build", uploads, "upload", "-F", f"file=@{tmp_path}/a b.png;type=image/x-own", "-F", "title=cat", "-F", "size:=3", "--curl")
    assert shown.status == 0, shown
    assert f"{tmp_path}/a b.png" in shown.out and "type=image/x-own" in shown.out and "filename=" in shown.out, shown.out
    assert "title" in shown.out and "cat" in shown.out
    for words, status, message in [
        (["-F", "file=@"], 2, "does not name a file"), (["-F", "title"], 2, "does not have the form NAME=VALUE"),
        (["-F", "title=x", "-d", "{}"], 2, "only one body"), (["-F", "size:=x"], 2, "is not JSON"),
        (["-F", "file=@/nope/x.png"], 3, "/nope/x.png"),
    ]:
        ended = run("send", uploads, "upload", "--base", "http://127.0.0.1:9", *words)
        assert (ended.status, ended.out) == (status, "") and message in ended.err, (words, ended)


def test_a_form_is_the_body_of_other_media_types() -> None:
    ended = run("build", SOCIAL, "user.status#create", "ann", "-F", "text=a=b", "--json")
    assert ended.json["body"] == '{"text":"a=b"}'
    refused = run("build", SOCIAL, "user.status#create", "ann", "-F", f"text=@{SOCIAL}")
    assert refused.status == 5 and "files require a multipart body" in refused.err


class Recorder(BaseHTTPRequestHandler):
    bodies: List[bytes] = []

    def do_POST(self) -> None:
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def test_the_parts_that_a_service_receives(uploads: Path, tmp_path: Path) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(b"\x89PNG\r\n\0")
    server = HTTPServer(("127.0.0.1", 0), Recorder)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    base = f"http://127.0.0.1:{server.server_port}"
    ended = run("send", uploads, "POST", "/pictures", "--base", base, "-F", f"file=@{picture}", "-F", "title=cat")
    thread.join(60)
    server.server_close()
    assert ended.status == 0, ended
    (body,) = Recorder.bodies
    assert b'name="file"; filename="cat.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\0\r\n' in body, body
    assert b'name="title"\r\n' in body and b"\r\n\r\ncat\r\n" in body, body


# --- Credentials ---


def test_no_auth_sends_no_credentials(auth_service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "auth.json").write_text(json.dumps({
        "routable": 1, "auth": {"key": {"scheme": "bearer"}}, "operations": {"echo": {"get": "/echo", "auth": "key"}}}))
    monkeypatch.setenv("ROUTABLE_CREDENTIAL_KEY", "hidden-1")
    monkeypatch.setenv("ROUTABLE_ORIGIN_KEY", auth_service)

    def send(*words: str) -> Ended:
        return run("send", "auth.json", "echo", "--base", auth_service, *words, cwd=tmp_path)

    assert send().json["headers"]["authorization"] == "Bearer hidden-1"
    assert "authorization" not in send("--no-auth").json["headers"]
    assert "uthorization" not in send("--no-auth", "--curl").out
    assert send("--no-auth", "-H", "Authorization: Bearer own").json["headers"]["authorization"] == "Bearer own"
    assert send("--no-auth", "--credential", "key=x").status == 2


def test_credentials_of_a_netrc_file_are_sent(auth_service: str, tmp_path: Path) -> None:
    (tmp_path / "open.json").write_text(json.dumps({"routable": 1, "operations": {"echo": {"get": "/echo"}}}))
    host = auth_service.split("//")[1].split(":")[0]
    (tmp_path / "netrc").write_text(f"machine {host} login ann password pw\nmachine other.test login x password y\n")
    words = ("send", tmp_path / "open.json", "echo", "--base", auth_service)
    assert run(*words, "--netrc", tmp_path / "netrc").json["headers"]["authorization"] == "Basic YW5uOnB3"
    assert "authorization" not in run(*words).json["headers"]
    assert run(*words, "--netrc", tmp_path / "netrc", "--no-auth").status == 2


# --- JSON on a terminal ---


def test_json_is_indented_on_a_terminal(social_service: str) -> None:
    base = f"{social_service}/v1"
    run("send", SOCIAL, "--base", base, "user#create", "-d", '{"username":"ann"}')
    words = ("send", SOCIAL, "--base", base, "user#read", "ann", "--silent")
    assert on_terminal(*words, NO_COLOR="1").out == '{\n  "username": "ann"\n}\n'
    assert on_terminal(*words).out == '{\n  \x1b[34m"username"\x1b[0m: \x1b[32m"ann"\x1b[0m\n}\n'
    assert on_terminal(*words, "--color", "never").out == '{\n  "username": "ann"\n}\n'
    assert run(*words, "--color=always").out == on_terminal(*words).out
    piped = run(*words).out
    assert "\n" not in piped.strip() and json.loads(piped) == {"username": "ann"}
    assert run(*words, "--color", "sometimes").status == 2


def test_json_of_other_subcommands_on_a_terminal() -> None:
    for words in (("routes", SOCIAL, "--json"), ("map", SOCIAL, "--json"), ("check", SOCIAL, "--json"),
                  ("match", SOCIAL, "/users/ann", "--json"), ("build", SOCIAL, "user#read", "ann", "--json")):
        piped, shown = run(*words).out, on_terminal(*words, "--color", "never").out
        assert piped.count("\n") == 1 and shown.count("\n") > 3, words
        assert json.loads(piped) == json.loads(shown), words


def test_numbers_keep_their_digits_and_control_characters_are_escaped() -> None:
    body = '{"a":1.50,"b":[],"c":{},"d":[1,{"e":null}],"a":true,"f":"\\u001b[31m\x7f\xc2\x9b é"}'.encode("latin-1").decode("utf-8", "surrogateescape")
    shown = on_terminal("build", SOCIAL, "picture#create", "--data-raw", body, "--content-type", "application/json", "--color", "never").out
    text = shown.split("\n\n", 1)[1]
    assert '"a": 1.50,\n  "b": [],\n  "c": {},\n  "d": [\n    1,\n    {\n      "e": null\n    }\n  ],\n  "a": true,' in text, text
    assert "\x7f" not in text and "\x9b" not in text and "\\u007f" in text and "\\u009b" in text, text


def test_bodies_that_are_not_json_are_printed_unchanged() -> None:
    for body in ("[1,", "{1:2}", "x", '{"a":1}}', '["a\tb"]', "[" * 300):
        shown = on_terminal(
            "build", SOCIAL, "picture#create", "--data-raw", body, "--content-type", "text/plain", "--color", "never").out
        assert shown.split("\n\n", 1)[1] == body + "\n", body


def test_deep_json_with_many_values_is_printed_unchanged(tmp_path: Path) -> None:
    """Indented, the JSON would have 80 MB."""
    body = "[" * 199 + ",".join(["1"] * 200_000) + "]" * 199
    (tmp_path / "body").write_text(body)
    shown = run(
        "build", SOCIAL, "picture#create", "-d", f"@{tmp_path / 'body'}", "--content-type", "text/plain", "--color", "always").out
    assert shown.split("\n\n", 1)[1] == body + "\n", len(shown)


def test_messages_have_no_control_characters_of_a_document(tmp_path: Path) -> None:
    (tmp_path / "evil.json").write_text(json.dumps({
        "routable": 1, "base": "http://h", "resources": {"a": {"path": "a", "can": ["list"]}}, "operations": {"x": {"get": "/x\u001b]0;t\u0007"}}}))
    for words in (["routes"], ["map"], ["check"], ["build", "\x1b[31m"]):
        ended = on_terminal(words[0], tmp_path / "evil.json", *words[1:], NO_COLOR="1")
        assert "\x1b" not in ended.out and "\x07" not in ended.out, ended
        shown = on_terminal(words[0], tmp_path / "evil.json", *words[1:], stream="stderr", NO_COLOR="1")
        assert "\x1b" not in shown.err and "\x07" not in shown.err, shown


# --- Completion ---


def bash(*words: str, cwd: Path) -> List[str]:
    """The completions of bash for the last word."""
    script = run("--generate-completion-script", "bash").out
    quoted = " ".join(json.dumps(word) for word in words)
    text = " ".join(words)
    asked = (
        f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMP_LINE={json.dumps(text)}; COMP_POINT={len(text)}; "
        f"_routable routable {json.dumps(words[-1])} {json.dumps(words[-2])}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    path = f"{Path(command()).resolve().parent}:{environment()['PATH']}"
    ran = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, env=environment(PATH=path), cwd=cwd, timeout=60)
    assert ran.stderr == "", ran.stderr
    return ran.stdout.split()


def test_completion_offers_names_of_the_file(uploads: Path, tmp_path: Path) -> None:
    shutil.copy(SOCIAL, tmp_path / "social.json")
    (tmp_path / "auth.json").write_text(json.dumps({
        "routable": 1, "base": "http://h", "auth": {"my-key": {"scheme": "bearer"}}, "operations": {"a": {"get": "/a", "auth": "my-key"}}}))
    for words, expected in [
        (["send", "social.json", "user.status#"], ["user.status#create", "user.status#delete", "user.status#read"]),
        (["build", "social.json", "se"], ["search"]),
        (["build", "social.json", "user.status#read", "--id", ""], ["id=", "user_id="]),
        (["build", "social.json", "search", "-q", ""], ["page=", "q="]),
        (["build", "social.json", "--query", ""], []),
        (["build", "uploads.json", "pictures/list", "-q", "t"], ["tags="]),
        (["build", "uploads.json", "pictures/list", "-H", ""], ["X-Trace:"]),
        (["build", "uploads.json", "pictures/list", "--cookie", ""], ["theme="]),
        (["routes", "social.json", "-c", "p"], ["picture", "post"]),
        (["routes", "social.json", "--only", "search"], ["search"]),
        (["check", "--max-errors", "3", "social.json", "--only", "search"], ["search"]),
        (["send", "auth.json", "--credential", ""], ["my-key="]),
        (["send", "nothing.json", ""], []),
    ]:
        got = bash("routable", *words, cwd=tmp_path)
        assert sorted(got) == expected, (words, got)


def test_completion_finds_the_file_behind_each_option() -> None:
    """The source lists the options with a value, so that the value is not mistaken for the FILE."""
    source = (Path(__file__).parents[2] / "command/Sources/RoutableCommand/Support/Completion.swift").read_text(encoding="utf-8")
    listed = re.search(r'private static let options = Set\(\s*"""(.*?)"""', source, re.S)
    assert listed
    expected = set()
    for subcommand in json.loads(run("--experimental-dump-help").out)["command"]["subcommands"]:
        arguments = subcommand.get("arguments", [])
        if any(each["kind"] == "positional" and each["valueName"] == "file" for each in arguments):
            for each in arguments:
                if each["kind"] == "option":
                    expected |= {("--" if name["kind"] == "long" else "-") + name["name"] for name in each["names"]}
    assert len(expected) > 40 and set(listed[1].replace("\\\n", " ").split()) == expected


def test_completion_runs_no_names_of_a_document(tmp_path: Path) -> None:
    """bash expands the words of a list of completions, so that the names must not contain expansions."""
    names = ["$(touch run)", "`touch run`", "a;touch run", "x y", "a'b", 'a"b', "*", "~root", "\u001b[31m", "plain"]
    (tmp_path / "evil.json").write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}],
        "paths": {f"/{index}": {"get": {"operationId": name, "responses": {}}} for index, name in enumerate(names)}}))
    assert run("routes", tmp_path / "evil.json").status == 0
    got = bash("routable", "build", "evil.json", "", cwd=tmp_path)
    assert "plain" in got and not any(re.search(r"[$`;'\"*~\x1b]", each) for each in got), got
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_scripts_of_other_shells_call_the_command(shell: str) -> None:
    script = run("--generate-completion-script", shell).out
    assert "---completion build -- positional@1" in script and "---completion send -- --credential" in script
