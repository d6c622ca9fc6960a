"""The names of Tests/golden/names.json: words that could collide with names of a description, because a language or this package uses
them.

`python names.py` writes the file again.
"""

from __future__ import annotations

import inspect
import json
import keyword
from pathlib import Path
from typing import Any, Dict, List

import routable
from routable import typed

FILE = Path(__file__).resolve().parents[3] / "Tests/golden/names.json"

C = """auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return
short signed sizeof static struct switch typedef union unsigned void volatile while bool true false nullptr constexpr alignas alignof
static_assert thread_local typeof typeof_unqual asm and and_eq bitand bitor catch class compl concept const_cast consteval constinit
co_await co_return co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq operator or
or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid typename using virtual wchar_t xor
xor_eq errno stdin stdout stderr NULL main api place client out error arguments input buffer capacity length base path router result
response value size kind name route operation ids id_count query query_count parameters parameter_count headers header_count cookies
cookie_count body content_type allow_empty_ids""".split()
SWIFT = """Any Self Type Protocol actor any as associatedtype async await borrowing break case catch class consuming continue default defer
deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get guard if import in indirect infix init inout
internal is isolated lazy left let macro mutating nil none nonisolated nonmutating open operator optional override package postfix
precedencegroup prefix private protocol public repeat required rethrows return right self set some static struct subscript super switch
throw throws true try typealias unowned var weak where while willSet each sending call endpoint returning child list read create update
patch delete makeRequest walk details parameters header cookie resources document base name collection opened description hashValue
encode with""".split()
#: Names of calls as JSON, of `using`, and of the functions that perform.
CALL = """route operation ids allow_empty_ids query parameters headers cookies body body_text body_base64 content_type files base auth
deadline retries stall_timeout into self options surplus named given""".split()


def collected() -> Dict[str, List[str]]:
    """The words of each language, the options of a call, and the public attributes of the classes of the package."""
    attributes = set()
    for name in routable.__all__:  # imports the modules that the package imports on first use
        getattr(routable, name)
    for holder in (routable, typed):
        for each in vars(holder).values():
            if inspect.isclass(each) and each.__module__.startswith("routable"):
                attributes.update(name for name in dir(each) if not name.startswith("_"))
    attributes.update(name for name in (*dir(dict), *dir(list), *dir(object())) if not name.startswith("_"))
    attributes.update(name for name in dir(routable) if not name.startswith("_") and not inspect.ismodule(getattr(routable, name)))
    return {
        "python": sorted({*keyword.kwlist, *getattr(keyword, "softkwlist", ()), "match", "case", "type", "print", "str", "int", "list", "object"}),
        "c": sorted(set(C)), "swift": sorted(set(SWIFT)), "options": sorted({*CALL, *routable.using.__kwdefaults__}),
        "attributes": sorted(attributes),
    }


def recorded() -> Dict[str, List[str]]:
    found: Dict[str, List[str]] = json.loads(FILE.read_text())
    return found


def every() -> List[str]:
    return sorted({each for group in recorded().values() for each in group} - {"_"})


def document(names: List[str], media_type: str = "application/json") -> Dict[str, Any]:
    """An OpenAPI document with an operation for each name, whose id, parameters and member of the body have this name."""
    paths: Dict[str, Any] = {}
    for index, name in enumerate(names):
        places = [{"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}} for place in ("path", "query", "header", "cookie")]
        body = {"schema": {"type": "object", "required": [name], "properties": {name: {"type": "string"}}, "additionalProperties": False}}
        paths[f"/n{index}/{{{name}}}"] = {"post": {
            "operationId": name, "parameters": places, "requestBody": {"required": True, "content": {media_type: body}},
            "responses": {"204": {"description": ""}}}}
    return {"openapi": "3.1.0", "info": {"title": "names", "version": "1"}, "servers": [{"url": "https://h.test"}], "paths": paths}


if __name__ == "__main__":
    FILE.write_text("{\n" + ",\n".join(f"  {json.dumps(group)}: {json.dumps(names)}" for group, names in collected().items()) + "\n}\n")
