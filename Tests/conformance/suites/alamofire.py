"""Alamofire's parameter encodings: each API becomes an operation with an encoding, each vector a call.

The random vectors are compared as a multiset of pairs, since Alamofire writes nested keys in hash order; the order of this
library, by the bytes of the keys at every level and by position in arrays, is compared with a second implementation.
"""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

from harness import Difference, Skip, Suite, expect
from library import Built, Refusal, Result, Router

FORM = b"application/x-www-form-urlencoded"
JSON_APIS = ("JSONEncoding", "JSONParameterEncoder")
REQUEST_APIS = ("URLEncoding", "URLEncodedFormParameterEncoder")

#: Alamofire's option and value, then those of this library.
OPTIONS: Dict[str, Tuple[str, Dict[object, str]]] = {
    "destination": ("to", {"methodDependent": "method", "queryString": "query", "httpBody": "body"}),
    "arrayEncoding": ("arrays", {"brackets": "brackets", "noBrackets": "none", "indexInBrackets": "index"}),
    "boolEncoding": ("booleans", {"numeric": "numeric", "literal": "literal"}),
    "nilEncoding": ("nulls", {"dropKey": "drop", "dropValue": "empty", "null": "null"}),
    "keyPathEncoding": ("key_paths", {"brackets": "brackets", "dots": "dots"}),
    "keyEncoding": (
        "key_case",
        {
            "useDefaultKeys": "given", "convertToSnakeCase": "snake", "convertToKebabCase": "kebab",
            "capitalized": "capitalized", "uppercased": "upper", "lowercased": "lower",
        },
    ),
    "spaceEncoding": ("spaces", {"percentEscaped": "percent", "plusReplaced": "plus"}),
    "alphabetizeKeyValuePairs": ("order", {True: "sorted", False: "given"}),
}


def encoding(options: Dict[str, Any]) -> Dict[str, Any]:
    """The encoding of this library for Alamofire's options."""
    result: Dict[str, Any] = {}
    for name, value in options.items():
        if name == "dataEncoding" and value == "base64":
            continue  # the vector has the base64 text
        if isinstance(value, dict) and name == "arrayEncoding" and "custom" in value:
            result["arrays"] = value["custom"].replace("{index+1}", "{index}")
            result["first_index"] = int("{index+1}" in value["custom"])
            continue
        if name not in OPTIONS or not isinstance(value, (str, bool)) or value not in OPTIONS[name][1]:
            raise Skip(f"{name}: a closure or a Swift type")
        ours, words = OPTIONS[name]
        result[ours] = words[value]
    return result


def request(vector: Any) -> Result:
    """Builds the call of a vector through the JSON tier."""
    api = vector["api"]
    method = vector.get("method") or "GET"
    options = {name: value for name, value in vector.get("options", {}).items() if name != "outputFormatting"}
    operation: Dict[str, Any] = {"method": method, "path": "/"}
    parameters = vector["parameters"]
    call: Dict[str, Any] = {"operation": "op", "headers": vector.get("request_headers", {})}
    base = "http://h.test/"
    if api in JSON_APIS:
        operation.update({"body_required": False})
        if parameters is not None:
            call["body"] = parameters
    elif api in REQUEST_APIS:
        operation.update({"encoding": encoding(options), "body_required": False})
        if parameters is not None:
            call["parameters"] = parameters
    elif api == "URLEncodedFormEncoder":
        operation.update({"method": "POST", "encoding": {**encoding(options), "to": "body"}})
        call["parameters"] = parameters
    else:
        raise Skip(f"{api} is another engine")
    if "url" in vector:
        url = urlsplit(vector["url"])
        base = f"{url.scheme}://{url.netloc}" + (f"?{url.query}" if url.query else "")
        operation["path"] = url.path
    router = Router.opened({"routable": 1, "base": base, "operations": {"op": operation}})
    return router.build_json(call)


def pieces(encoded: Optional[str]) -> List[str]:
    """The pairs, without Alamofire's separators around empty pairs (statement U17) and its text for null (U16)."""
    return [piece for piece in (encoded or "").split("&") if piece and not piece.endswith("=%3Cnull%3E")]


def text(content: Optional[bytes]) -> Optional[str]:
    return None if content is None else content.decode("utf-8")


def compare(vector: Any, result: Result, exact: bool) -> None:
    given, wanted = json.dumps(vector, ensure_ascii=False), vector["expect"]
    if wanted.get("error"):
        expect(given, "a refusal", "a refusal" if isinstance(result, Refusal) else result)
        return
    if isinstance(result, Refusal):
        raise Difference(given, wanted, result)

    def same(name: str, expected: Optional[str], got: Optional[str]) -> None:
        order = list if exact else sorted
        expect(f"{name} of {given}", order(pieces(expected)), order(pieces(got)))

    if "encoded" in wanted:
        same("encoded", wanted["encoded"], text(result.body))
    if "query" in wanted:
        same("query", wanted["query"], text(result.query))
    if "content_type" in wanted:
        # The type of a form has no parameters (WHATWG URL, 5.2); Alamofire adds a charset.
        type = wanted["content_type"] and wanted["content_type"].replace("form-urlencoded; charset=utf-8", "form-urlencoded")
        expect(f"Content-Type of {given}", type, text(result.header(b"Content-Type")))
    if "body_json" in wanted or "body" in wanted and vector["api"] in JSON_APIS and wanted["body"] is not None:
        expected = wanted["body_json"] if "body_json" in wanted else json.loads(wanted["body"])
        expect(f"body of {given}", expected, json.loads(result.body or b"null"))
    elif "body" in wanted:
        expect(f"whether there is a body: {given}", wanted["body"] is None, result.body is None)
        same("body", wanted["body"], text(result.body))


def check_vector(vector: Any, data: Any) -> None:
    if not vector.get("portable", True) and not is_custom_array(vector):
        raise Skip(vector.get("note", "not portable"))
    # Unlike this library, the Encodable API sorts pairs after escaping, including array elements (docs/statements.md, U).
    is_ours = vector["api"] == "URLEncodedFormEncoder" and not vector["expect"].get("error")
    compare(vector, request(vector), exact=not is_ours)
    if is_ours:
        check_order(vector)


def is_custom_array(vector: Any) -> bool:
    arrays = vector.get("options", {}).get("arrayEncoding")
    return isinstance(arrays, dict) and "custom" in arrays


def check_random(vector: Any, data: Any) -> None:
    peer = vector
    if vector["api"] == "URLEncodedFormEncoder":
        peer = {**vector, "parameters": counted(vector["parameters"])}
    compare(peer, request(peer), exact=False)
    check_order(vector)


def check_order(vector: Any) -> None:
    """Compares the bytes of this library, order included, with the second implementation."""
    result = request(vector)
    if not isinstance(result, Built):
        raise Difference(vector, "a request", result)
    url = urlsplit(vector.get("url", ""))
    ours = "&".join(Reference(encoding(vector.get("options", {}))).pairs(vector["parameters"]))
    if result.body is not None:
        expect(f"order of {vector}", ours, text(result.body))
    else:
        expect(f"order of {vector}", "&".join(part for part in (url.query, ours) if part) or None, text(result.query))


def counted(value: Any) -> Any:
    """The value without elements that encode to nothing: URLEncodedFormEncoder does not count them, and URLEncoding does.

    This library counts them: the index is the position in the given array.
    """
    if isinstance(value, dict):
        return {name: counted(member) for name, member in value.items()}
    if isinstance(value, list):
        return [counted(element) for element in value if not is_nothing(element)]
    return value


def is_nothing(value: Any) -> bool:
    if isinstance(value, (dict, list)):
        return all(is_nothing(part) for part in (value.values() if isinstance(value, dict) else value))
    return False


class Reference:
    """The rules of docs/encodings.md, implemented a second time."""

    def __init__(self, options: Dict[str, Any]) -> None:
        self.options = options

    def option(self, name: str, default: str) -> str:
        return str(self.options.get(name, default))

    def pairs(self, members: Dict[str, Any], path: Optional[str] = None) -> Iterator[str]:
        dots = self.option("key_paths", "brackets") == "dots"
        names = members if self.option("order", "sorted") == "given" else sorted(members, key=lambda name: name.encode("utf-8"))
        for name in names:
            key = name if path is None else f"{path}.{name}" if dots else f"{path}[{name}]"
            yield from self.value(key, members[name])

    def value(self, key: str, value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            yield from self.pairs(value, key)
        elif isinstance(value, list):
            for index, element in enumerate(value):
                yield from self.value(self.element(key, index), element)
        elif value is not None or self.option("nulls", "drop") != "drop":
            yield f"{self.escape(self.cased(key))}={self.escape(self.scalar(value))}"

    def element(self, key: str, index: int) -> str:
        arrays = self.option("arrays", "brackets")
        form = {"brackets": "{key}[]", "none": "{key}", "index": "{key}[{index}]"}.get(arrays, arrays)
        before, after = form.split("{key}")
        number = str(index + self.options.get("first_index", 0))
        return before.replace("{index}", number) + key + after.replace("{index}", number)

    def scalar(self, value: Any) -> str:
        if value is None:
            return "null" if self.option("nulls", "drop") == "null" else ""
        if isinstance(value, bool):
            return str(value).lower() if self.option("booleans", "numeric") == "literal" else str(int(value))
        return value if isinstance(value, str) else json.dumps(value)

    def cased(self, key: str) -> str:
        case = self.option("key_case", "given")
        if case in ("upper", "lower"):
            return key.upper() if case == "upper" else key.lower()
        if case == "capitalized":
            return key[:1].upper() + key[1:]
        return "-_"[case == "snake"].join(words(key)).lower() if case != "given" else key

    def escape(self, content: str) -> str:
        space = "+" if self.option("spaces", "percent") == "plus" else "%20"
        return "".join(
            space if byte == 0x20 else chr(byte) if chr(byte).isalnum() and byte < 128 or chr(byte) in "-._~/?" else f"%{byte:02X}"
            for byte in content.encode("utf-8")
        )


def words(key: str) -> List[str]:
    """Splits a key after lower-case letters, and before the last of several capitals that lower case follows."""
    result: List[str] = []
    start, search = 0, 1
    while True:
        upper = next((at for at in range(search, len(key)) if key[at].isupper()), None)
        if upper is None:
            return [*result, key[start:]]
        result.append(key[start:upper])
        start = upper
        lower = next((at for at in range(upper, len(key)) if key[at].islower()), None)
        if lower is None:
            return [*result, key[start:]]
        if lower > upper + 1:
            result.append(key[upper : lower - 1])
            start = lower - 1
        search = lower + 1


SUITES = [
    Suite("alamofire/parameter-encoding.json", check_vector),
    Suite("alamofire/oracle-generated.json", check_random),
]
