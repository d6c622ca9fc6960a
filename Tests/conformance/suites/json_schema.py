"""The JSON Schema Test Suite (draft 2020-12): mandatory, optional, and formats as assertions.

A vector is one test with the schema of its group.  Documents
that references name are the suite's remotes and the meta-schemas; nothing is fetched.
"""

from __future__ import annotations

import json
import os
import re
from ctypes import POINTER, byref, c_char_p, sizeof
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from harness import Difference, Suite
from library import Refusal, _refusal, c, str_of

ROOT = "json-schema/tests/draft2020-12"
REMOTE = "http://localhost:1234/"


class Schema:
    """A compiled schema."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def __del__(self) -> None:
        c.routable_schema_free(self._handle)

    def check(self, text: bytes) -> Optional[Refusal]:
        error = POINTER(c.routable_error)()
        status = c.routable_schema_validate(self._handle, text, len(text), 8, byref(error))
        return None if status == c.ROUTABLE_OK else _refusal(status, error)


def opened(text: bytes, documents: List[Tuple[bytes, bytes]], formats: bool) -> Union[Schema, Refusal]:
    options = c.routable_schema_options(size=sizeof(c.routable_schema_options))
    array = (c.routable_document * len(documents))(
        *(c.routable_document(str_of(uri), str_of(content)) for uri, content in documents)
    )
    options.documents, options.document_count = array, len(documents)
    options.flags = c.ROUTABLE_SCHEMA_ASSERT_FORMATS if formats else 0
    handle, error = POINTER(c.routable_schema)(), POINTER(c.routable_error)()
    status = c.routable_schema_open(text, len(text), byref(options), byref(handle), byref(error))
    return Schema(handle) if status == c.ROUTABLE_OK else _refusal(status, error)


_documents: Dict[str, Tuple[bytes, bytes]] = {}


def documents(data: Path) -> Dict[str, Tuple[bytes, bytes]]:
    """The remotes under the addresses that the suite gives them, and the meta-schemas under their own."""
    if not _documents:
        for path in sorted((data / "json-schema" / "remotes").rglob("*.json")):
            uri = REMOTE + path.relative_to(data / "json-schema" / "remotes").as_posix()
            _documents[uri] = (uri.encode(), path.read_bytes())
        for path in sorted((data / "json-schema" / "metaschemas").rglob("*.json")):
            content = path.read_bytes()
            read = json.loads(content)
            uri = read.get("$id") or read.get("id")
            _documents[uri] = (uri.encode(), content)
    return _documents


def needed(text: str) -> List[Tuple[bytes, bytes]]:
    """The documents that a schema refers to, directly or indirectly; compiling others would only cost time."""
    found: Dict[str, Tuple[bytes, bytes]] = {}
    waiting = [text]
    while waiting:
        current = waiting.pop()
        for uri, entry in _documents.items():
            last = uri.rstrip("#").rsplit("/", 1)[-1]
            if uri not in found and re.search(re.escape(last), current):
                found[uri] = entry
                waiting.append(entry[1].decode())
    return list(found.values())


def suite(pattern: str, formats: bool) -> Suite:
    def check(vector: Any, data: Any) -> None:
        documents(Path(os.environ["ROUTABLE_CONFORMANCE"]))
        text = json.dumps(vector["schema"], ensure_ascii=False)
        schema = opened(text.encode("utf-8", "surrogatepass"), needed(text), formats)
        if isinstance(schema, Refusal):
            raise Difference({"schema": vector["schema"]}, "a schema", schema)
        test = vector["test"]
        answer = schema.check(raw(test["data"]))
        if answer and answer.status not in ("body", "limit"):
            raise Difference(vector, "an answer", answer)
        if (answer is None) != test["valid"]:
            raise Difference(vector, "valid" if test["valid"] else "not valid", answer or "valid")

    return Suite(pattern, check, groups)


def raw(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode("ascii")


def groups(data: Any) -> Iterator[Tuple[str, Any]]:
    """Each test with the schema of its group."""
    for index, group in enumerate(data):
        for place, test in enumerate(group["tests"]):
            yield f"/{index}/tests/{place}", {
                "group": group["description"], "schema": group["schema"], "test": test,
            }


SUITES = [
    suite(f"{ROOT}/*.json", False),
    suite(f"{ROOT}/optional/*.json", False),
    suite(f"{ROOT}/optional/format/*.json", True),
]
