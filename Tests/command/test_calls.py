"""`routable build`, `match` and `send`: calls as arguments, and exit statuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest
from conftest import SOCIAL, Ended, command, environment, on_terminal, run


def built(*words: Any) -> Dict[str, Any]:
    ended = run("build", SOCIAL, "--json", *words)
    assert ended.status == 0, ended.err
    result: Dict[str, Any] = ended.json
    return result


# --- build ---


def test_arguments_and_a_json_call_build_the_same() -> None:
    call = {"route": "user.status", "operation": "create", "ids": ["a b"], "body": {"text": "hi"}, "headers": {"X-Trace": "7"}}
    from_words = built("user.status#create", "a b", "-d", '{"text":"hi"}', "-H", "X-Trace: 7")
    assert from_words == built("--call", json.dumps(call))
    assert from_words["url"] == "https://api.example.com/v1/users/a%20b/statuses"
    assert from_words["body"] == '{"text":"hi"}'
    assert built("user.status#read", "--id", "user_id=ann", "--id", "id=3")["url"].endswith("/users/ann/statuses/3")


def test_text_json_and_curl() -> None:
    words = ("user.status#create", "ann", "-d", '{"text":"it\'s"}', "-H", "Authorization: Bearer s3cret")
    assert run("build", SOCIAL, *words).out == (
        "POST https://api.example.com/v1/users/ann/statuses\nAccept: application/json\nAuthorization: ***\nContent-Type: application/json\n\n"
        '{"text":"it\'s"}\n')
    assert "s3cret" in run("build", SOCIAL, *words, "--show-secrets").out
    curl = run("build", SOCIAL, *words, "--curl").out
    assert "s3cret" not in curl and "Bearer s3cret" in run("build", SOCIAL, *words, "--curl", "--show-secrets").out
    # A shell reads the printed command as the intended arguments.
    printed = subprocess.run(["sh", "-c", curl.replace("curl ", "printf '%s\\n' ", 1)], capture_output=True, text=True, check=True)
    assert '{"text":"it\'s"}' in printed.stdout.splitlines()


def test_query_arguments_are_strings_or_json() -> None:
    assert built("search", "-q", "q=a=b&c", "-q", "page:=3")["url"].endswith("/search?q=a%3Db%26c&page=3")
    assert built("search", "-q", "q=-x", "-p", "deep:={\"a\":[1,2]}")["url"].endswith("q=-x&page=1&deep%5Ba%5D%5B%5D=1&deep%5Ba%5D%5B%5D=2")


def test_bodies_and_headers_from_files(tmp_path: Path) -> None:
    (tmp_path / "body").write_text('{"text": "from a file"}')
    (tmp_path / "headers").write_text("X-A: 1\nX-B: 2\n")
    request = built("status#create", "-d", f"@{tmp_path}/body", "-H", f"@{tmp_path}/headers")
    assert request["body"] == '{"text":"from a file"}'
    assert request["headers"] == [["Accept", "application/json"], ["X-A", "1"], ["X-B", "2"], ["Content-Type", "application/json"]]
    raw = run("build", SOCIAL, "--json", "picture#create", "--data-raw", "@-", "--content-type", "image/png", stdin="abc")
    assert raw.json["body"] == "abc"


@pytest.mark.parametrize("words, status, message", [
    (("status#update", "3"), 5, "status: update not allowed; allowed: create, delete, read"),
    (("statu#read", "3"), 5, 'did you mean "status"?'),
    (("status#create", "-d", '{"txt": 1}'), 5, '"text" is missing'),
    (("search",), 5, "q"),
    (("search", "-q", "q=1", "-q", "page=x"), 5, "page"),
    (("user#read", "a", "-H", "X: a\x01b"), 5, "control character"),
    (("user#read", "a", "-d", "{"), 5, "a key in double quotes is expected"),
    (("user#read", "a", "-d", "@/nowhere"), 3, "No such file"),
    (("user#read", "a", "-q", "novalue"), 2, "NAME=VALUE"),
    (("user#read", "a", "--cll", "x"), 2, "--cll"),
    ((), 2, "is required"),
])
def test_refusals(words: Any, status: int, message: str) -> None:
    ended = run("build", SOCIAL, *words)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err
    as_json = run("build", SOCIAL, "--json", *words)
    assert (as_json.status, as_json.out) == (status, "")
    error = json.loads(as_json.err)
    assert message in error["message"] and error["status"] and isinstance(error["code"], int)


# --- match ---


def test_match() -> None:
    assert run("match", SOCIAL, "/users/a%20b/statuses/3").out == "user.status#read\n  user_id = a b\n  id = 3\n"
    assert run("match", SOCIAL, "-m", "POST", "https://api.example.com/v1/users/ann/statuses?x=1#f").out == (
        "user.status#create\n  user_id = ann\n")
    assert run("match", SOCIAL, "/search", "--json").json == {"operation": "search", "method": "GET", "ids": []}
    found = run("match", SOCIAL, "/users/ann", "--json").json
    assert found == {"route": "user", "operation": "read", "method": "GET",
                     "ids": [{"name": "username", "resource": "user", "value": "ann"}]}


def test_match_names_several_ids_as_a_call_does(tmp_path: Path) -> None:
    api = tmp_path / "api.json"
    api.write_text(json.dumps({
        "routable": 1, "base": "https://h", "resources": {
            "repository": {"path": "repos", "id": ["owner", "repo"], "can": ["read"], "has": ["issue"]},
            "issue": {"path": "issues", "id": "number", "can": ["read"]}},
        "operations": {"odd": {"get": "/a b/{x}"}}}))
    assert run("match", api, "/repos/octocat/hello").out == "repository#read\n  owner = octocat\n  repo = hello\n"
    found = run("match", api, "/repos/octocat/hello/issues/3", "--json").json
    assert [(each["name"], each["value"]) for each in found["ids"]] == [
        ("repository_owner", "octocat"), ("repository_repo", "hello"), ("number", "3")]
    assert '"/a b/:x"' in run("routes", api).out  # as the library prints it


@pytest.mark.parametrize("words, status, message", [
    (("/nowhere",), 1, "no route matches"),
    (("/search", "-m", "PUT"), 1, "allowed: GET"),
    (("/search/",), 1, "without the slash"),
])
def test_no_match(words: Any, status: int, message: str) -> None:
    ended = run("match", SOCIAL, *words)
    assert (ended.status, ended.out) == (status, "") and message in ended.err
    assert run("match", SOCIAL, "/SEARCH/", "--fold-case", "--any-slash").out == "search\n"


# --- send ---


def test_send_prints_the_response_or_the_error(social_service: str, tmp_path: Path) -> None:
    base = f"{social_service}/v1"
    created = run("send", SOCIAL, "--base", base, "user#create", "-d", '{"username":"ann"}')
    assert (created.status, created.err, json.loads(created.out)) == (0, "", {"username": "ann"})
    status = run("send", SOCIAL, "--base", base, "user.status#create", "ann", "-d", '{"text":"hi"}', "--json").json
    assert (status["status"], status["outcome"], status["type"], status["value"]["text"]) == (201, "self", "Status", "hi")

    file = tmp_path / "ann.json"
    ended = run("send", SOCIAL, "--base", base, "user#read", "ann", "-o", file)
    assert (ended.status, ended.out, json.loads(file.read_text())) == (0, "", {"username": "ann"})
    assert list(tmp_path.iterdir()) == [file]
    head, _, body = run("send", SOCIAL, "--base", base, "user#read", "ann", "-i").out.partition("\n\n")
    assert head.startswith("HTTP 200\n") and "Content-Type: application/json" in head and json.loads(body)

    missing = run("send", SOCIAL, "--base", base, "user#read", "bob")
    aside = run("send", SOCIAL, "--base", base, "user#read", "bob", "-o", file)
    assert (aside.status, aside.out, json.loads(file.read_text())) == (8, missing.out, {"username": "ann"})
    assert missing.status == 8 and json.loads(missing.out) == {"error": "no users/bob here"} and "responded with 404" in missing.err
    assert missing.err.count("no users/bob here") == 0  # the body is written once
    error = json.loads(run("send", SOCIAL, "--base", base, "user#read", "bob", "--json").err)
    assert (error["status"], error["http_status"], error["response"]["value"]) == ("http_status", 404, {"error": "no users/bob here"})


def test_deviations_are_one_warning(social_service: str, tmp_path: Path) -> None:
    names = [f"m{number:02}" for number in range(9)]
    document = tmp_path / "api.json"
    document.write_text(json.dumps({"routable": 1, "base": f"{social_service}/v1", "operations": {
        "users": {"get": "/users", "results": {"200": {"type": "object", "required": names}}},
        "make": {"post": "/users", "body": {"type": "object"}, "results": {"201": {"type": "object", "required": names}}}}}))
    one = run("send", document, "users")
    assert (one.status, one.err) == (
        0, "warning: the response deviates from the description: the value does not match its type: object is expected, not an array\n")
    many = run("send", document, "make", "-d", '{"username":"deviating"}')
    assert many.status == 0 and many.err.count("is missing") == 3 and many.err.endswith("; and 6 more\n") and many.err.count("warning") == 1
    assert run("send", document, "users", "--deviations", "ignore").err == ""


def test_a_status_is_in_the_archive_without_the_body(social_service: str, tmp_path: Path) -> None:
    har = tmp_path / "a.har"
    assert run("send", SOCIAL, "user#read", "nobody-here", "--base", f"{social_service}/v1", "--har", har).status == 8
    assert "no users/nobody-here" not in har.read_text() and "the service responded with 404" in har.read_text()


def test_cookies_and_an_archive_without_secrets(social_service: str, tmp_path: Path) -> None:
    cookies, har, base = tmp_path / "cookies", tmp_path / "a.har", f"{social_service}/v1"
    words = ("--base", base, "--cookie-jar", cookies, "--har", har, "-H", "Authorization: Bearer s3cret")
    assert run("send", SOCIAL, "user#list", *words).status == 0
    assert cookies.read_text().startswith("# Netscape") and cookies.stat().st_mode & 0o777 == 0o600
    assert har.stat().st_mode & 0o777 == 0o600 and "s3cret" not in har.read_text()
    (entry,) = json.loads(har.read_text())["log"]["entries"]
    assert entry["request"]["url"] == f"{base}/users" and entry["response"]["status"] == 200 and entry["_operation"] == "user.list"
    assert {"name": "Authorization", "value": "***"} in entry["request"]["headers"]
    assert run("send", SOCIAL, "user#read", "nobody-here", *words).status == 8
    (entry,) = json.loads(har.read_text())["log"]["entries"]
    assert entry["response"]["status"] == 404 and "responded with 404" in entry["_error"]
    cookies.write_text("no cookie\n")
    refused = run("send", SOCIAL, "user#list", *words)
    assert refused.status != 0 and "line 1 is not a cookie" in refused.err
    gone = run("send", SOCIAL, "user#list", "--base", base, "--unix-socket", tmp_path / "none")
    assert gone.status == 6


PAGED = {
    "routable": 1,
    "operations": {
        "things": {"get": "/cursor", "query": {"cursor": {}},
                   "pagination": {"by": "cursor", "at": "/meta/next", "parameter": "cursor", "items": "/data"}},
        "flaky": {"get": "/flaky/{key}", "pagination": {"by": "link"}},
        "plain": {"get": "/page"},
        "order": {"post": "/orders/{key}/{fails}", "idempotency": True, "retry": {"times": 2, "delay": 0.01}},
    },
}


def test_pages(pages_service: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(PAGED))

    def send(*words: str) -> Ended:
        return run("send", "api.json", "--base", pages_service, *words, cwd=tmp_path)

    def ids(text: str) -> List[int]:
        found, decoder, position = [], json.JSONDecoder(), 0
        while position < len(text.rstrip()):
            page, position = decoder.raw_decode(text, position)
            while text[position : position + 1] == "\n":
                position += 1
            found += [thing["id"] for thing in (page.get("value", page)["data"] if isinstance(page, dict) else page)]
        return found

    assert ids(send("things", "--pages", "0").out) == [1, 2, 3, 4, 5, 6, 7]
    assert ids(send("things", "--pages", "2").out) == [1, 2, 3, 4]
    assert ids(send("things").out) == [1, 2]
    broken = send("flaky", "command", "--pages", "0")
    assert broken.status == 8 and "responded with 503" in broken.err and '"id": 2' in broken.out
    assert send("plain", "--pages", "0").status == 2
    assert send("things", "--pages", "0", "-o", "x").status == 2
    assert send("things", "--pages", "-1").status == 2


def test_retries_of_the_description_apply(pages_service: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(PAGED))
    ended = run("send", "api.json", "--base", pages_service, "order", "command-a", "2", cwd=tmp_path)
    assert ended.status == 0 and len(ended.json) == 3 and len(set(ended.json)) == 1
    ended = run("send", "api.json", "--base", pages_service, "order", "command-b", "2", "--retries", "1", cwd=tmp_path)
    assert ended.status == 8 and len(ended.json) == 2


FAULTS = {
    "routable": 1,
    "types": {"T": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}},
    "operations": {
        "never": {"get": "/faults/never"}, "close": {"get": "/faults/close-early"}, "garbage": {"get": "/faults/garbage"},
        "ok": {"get": "/faults/ok"}, "bytes": {"get": "/faults/bytes"}, "text": {"get": "/faults/text", "results": {"200": {"$ref": "#/types/T"}}},
        "big": {"get": "/faults/big"}, "slow": {"get": "/faults/slow/800"},
    },
}


@pytest.mark.parametrize("words, status", [
    (("never", "--deadline", "0.3"), 7),
    (("close",), 6),
    (("garbage",), 6),
    (("ok", "--base", "http://127.0.0.1:1"), 6),
    (("big", "--max-bytes", "1000"), 9),
    (("ok", "--deadline", "x"), 2),
])
def test_the_exit_status_states_the_kind_of_failure(words: Any, status: int, fault_service: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(FAULTS))
    base = () if "--base" in words else ("--base", fault_service)
    file = () if "--max-bytes" in words else ("-o", "body")
    ended = run("send", "api.json", *base, *words, *file, cwd=tmp_path)
    assert ended.status == status, ended.err
    assert ended.err and ended.out == ""
    assert [each.name for each in tmp_path.iterdir()] == ["api.json"]


def test_bytes_of_a_body_are_printed_unchanged(fault_service: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(FAULTS))
    ran = subprocess.run(
        [command(), "send", str(tmp_path / "api.json"), "--base", fault_service, "bytes"], capture_output=True, env=environment())
    assert ran.returncode == 0 and b"\0" in ran.stdout
    assert run("send", tmp_path / "api.json", "--base", fault_service, "bytes", "-o", tmp_path / "body").status == 0
    assert (tmp_path / "body").read_bytes() == ran.stdout


def test_a_file_that_cannot_be_written(fault_service: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(FAULTS))
    ended = run("send", tmp_path / "api.json", "--base", fault_service, "ok", "-o", tmp_path / "no" / "where")
    assert ended.status == 3 and "No such file" in ended.err
    assert run("send", tmp_path / "api.json", "--base", fault_service, "ok", "-o", "/dev/full").status == 3


def test_progress_is_printed_on_terminals_only(fault_service: str, tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(FAULTS))
    words = ("send", tmp_path / "api.json", "--base", fault_service, "slow")
    seen = on_terminal(*words, stream="stderr")
    assert seen.status == 0 and json.loads(seen.out) == {"name": "a"}
    assert " s, " in seen.err and seen.err.endswith("\r\x1b[K")
    assert run(*words).err == ""
    assert on_terminal(*words, "--silent", stream="stderr").err == ""


def test_send_with_credentials(auth_service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "auth.json").write_text(json.dumps({
        "routable": 1,
        "auth": {"my-token": {"scheme": "bearer"}, "user": {"scheme": "basic"}},
        "operations": {"secret": {"get": "/secret/{realm}", "auth": "my-token"}, "echo": {"get": "/echo", "auth": "user"}}}))
    (tmp_path / "token").write_text("command-1\n")

    def send(*words: str) -> Ended:
        return run("send", "auth.json", "--base", auth_service, *words, cwd=tmp_path)

    without = send("secret", "command")
    assert without.status == 5 and "no credential is set for my-token" in without.err and "--credential" in without.err
    other = send("secret", "command", "--credential", "user=ann:pw:1")    # for another scheme: the request is not sent either
    assert other.status == 5 and "no credential is set for my-token" in other.err
    shown = send("secret", "command", "--credential", "my-token=command-1", "--curl")
    assert shown.status == 0 and shown.out.startswith("curl ") and "***" in shown.out and "command-1" not in shown.out
    assert "command-1" in send("secret", "command", "--credential", "my-token=command-1", "--curl", "--show-secrets").out
    assert send("secret", "command", "--credential", "my-token=command-1").json == {"name": "a"}
    assert send("secret", "command", "--credential", "my-token=@token").json == {"name": "a"}
    assert send("secret", "command", "--credential", "my-token=other").status == 8
    assert send("secret", "command", "-H", "Authorization: Bearer command-1").status == 0
    monkeypatch.setenv("ROUTABLE_CREDENTIAL_MY_TOKEN", "command-1")
    assert send("secret", "command").status == 5    # the origin of the credential is missing
    monkeypatch.setenv("ROUTABLE_ORIGIN_MY_TOKEN", auth_service)
    assert send("secret", "command").status == 0
    assert send("secret", "command", "--credential", "my-token=other").status == 8  # the option has precedence
    assert send("echo", "--credential", "user=ann:pw:1").json["headers"]["authorization"] == "Basic YW5uOnB3OjE="
    for wrong in ("nobody=x", "SECRET"):
        refused = send("echo", "--credential", wrong)
        assert refused.status == 2 and "SECRET" not in refused.err

