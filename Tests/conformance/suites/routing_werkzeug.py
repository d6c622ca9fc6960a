"""werkzeug's matches and builds, for rules that the template grammar can express."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple, Union

from harness import Skip, Suite, expect
from library import Built, Refusal, Router
from matching import SUGGEST_SLASH, decoded, match

#: Features of vectors that this library does not have.
FOREIGN = {"subdomain", "host", "host_matching", "defaults", "redirect_to", "alias", "non-strict-slashes", "conv:foo"}
PART = re.compile(r"<(?:(?P<type>\w+)(?:\((?P<arguments>[^)]*)\))?:)?(?P<name>\w+)>")


def scalar(kind: Optional[str], arguments: Optional[str]) -> Dict[str, Any]:
    """The type of a parameter for a converter."""
    given = dict(re.findall(r"(\w+)=(\w+)", arguments or ""))
    if kind in (None, "string", "default"):
        names = {"length": ("minLength", "maxLength"), "minlength": ("minLength",), "maxlength": ("maxLength",)}
        if set(given) - set(names):
            raise Skip("a converter's argument has no type")
        return {"type": "string", **{name: int(value) for key, value in given.items() for name in names[key]}}
    if kind in ("int", "float"):
        signed = given.pop("signed", "False") == "True"
        if given:
            raise Skip("a converter's argument has no type")
        number = r"\d+" if kind == "int" else r"\d+\.\d+"
        return {"type": "string", "pattern": ("-?" if signed else "") + number}
    if kind == "any":
        return {"type": "string", "enum": [value.strip() for value in (arguments or "").split(",")]}
    if kind == "uuid":
        return {"type": "string", "format": "uuid"}
    if kind == "path":
        return {}
    raise Skip(f"the converter {kind} has no type")


def operation(rule: Dict[str, Any], method: str) -> Dict[str, Any]:
    ids: Dict[str, Any] = {}
    text, end = "", 0
    for part in PART.finditer(rule["rule"]):
        text += re.sub(r"[{}]", lambda brace: brace[0] * 2, rule["rule"][end : part.start()])
        end = part.end()
        is_rest = part["type"] == "path"
        if is_rest and (end < len(rule["rule"]) or not text.endswith("/")):
            raise Skip("a catch-all that is not the last segment")
        text += f"{{{part['name']}{'*' if is_rest else ''}}}"
        if not is_rest:
            ids[part["name"]] = scalar(part["type"], part["arguments"])
    text += rule["rule"][end:]
    if "//" in text:
        raise Skip("an empty segment in a route")
    return {"method": method, "path": text, **({"ids": ids} if ids else {})}


def opened(vector: Any) -> Tuple[Router, List[Dict[str, Any]]]:
    """The rules as standalone operations `ENDPOINT#NUMBER#METHOD`; a rule without methods has GET."""
    if FOREIGN & set(vector["features"]):
        raise Skip("subdomains, hosts, defaults, aliases and lenient rules are not modelled")
    operations = {}
    for index, rule in enumerate(vector["rules"]):
        for method in rule.get("methods") or ["GET"]:
            operations[f"{index}#{method}"] = operation(rule, method)
    router = Router.open({"routable": 1, "base": "http://h", "operations": operations})
    if isinstance(router, Refusal):
        raise Skip(f"the rules are refused: {router.status}: {router.message}")
    return router, vector["rules"]


def plain(value: Any) -> str:
    return str(value["$uuid"]) if isinstance(value, dict) else str(value)


def check_match(vector: Any, router: Router, rules: List[Dict[str, Any]]) -> None:
    path, method = vector["input"]["path"], vector["input"]["method"]
    has_methods = any(rule.get("methods") for rule in rules)
    raw = path.replace("%", "%25").replace("?", "%3F").replace("#", "%23").encode("utf-8")
    got = match(router, raw, method.encode() if has_methods else None, SUGGEST_SLASH)
    given = f"{[rule['rule'] for rule in rules]} {method} {path}"
    wanted = vector["result"]
    if "endpoint" in wanted:
        index = int((got.operation or "-1#").split("#")[0])
        values = [decoded(raw[start:end].decode("utf-8")) for start, end in got.captures]
        expect(given, wanted["endpoint"], rules[index]["endpoint"] if got.operation else got.status)
        expect(given, sorted(plain(value) for value in wanted["args"].values()), sorted(values))
    elif "not_found" in wanted:
        expect(given, "no_match", got.status)
    elif "method_not_allowed" in wanted:
        expect(given, ("method_not_allowed", set(wanted["method_not_allowed"])), (got.status, set(got.methods)))
    elif "//" in path or path == "":
        raise Skip("a redirect to the path with its slashes merged")
    else:
        # The library reports the redirect to the path with a slash as such.
        expect(given, ("no_match", 1), (got.status, got.slash))


def check_build(vector: Any, router: Router, rules: List[Dict[str, Any]]) -> None:
    given, wanted = vector["input"], vector["result"]
    if len([rule for rule in rules if rule["endpoint"] == given["endpoint"]]) > 1:
        raise Skip("an endpoint with several rules")
    rule = next((rule for rule in rules if rule["endpoint"] == given["endpoint"]), None)
    names = [part["name"] for part in PART.finditer(rule["rule"])] if rule else []
    if set(given["values"]) - set(names):
        raise Skip("unknown values become a query")
    method = given.get("method") or ((rule or {}).get("methods") or ["GET"])[0]
    index = rules.index(rule) if rule else 99
    ids = [value for value in (given["values"].get(name) for name in names)]
    texts = [None if value is None else plain(value).encode("utf-8") for value in ids]
    built: Union[Built, Refusal] = router.build(f"{index}#{method}", ids=texts)
    shown = f"{[rule['rule'] for rule in rules]} {given}"
    if "error" in wanted:
        expect(shown, True, isinstance(built, Refusal))
        return
    if isinstance(built, Refusal):
        expect(shown, wanted["url"], built)
        return
    url = re.sub(r"^https?://[^/]*", "", wanted["url"])
    expect(shown, url, built.url.decode()[len("http://h") :] or "/")


def check(vector: Any, _: Any) -> None:
    router, rules = opened(vector)
    if vector["map"].get("url_scheme", "http") != "http" or vector["bind"].get("script_name", "/") != "/":
        raise Skip("a script name")
    if vector["kind"] == "match":
        check_match(vector, router, rules)
    else:
        check_build(vector, router, rules)


SUITES = [Suite("routing/werkzeug.json", check)]
