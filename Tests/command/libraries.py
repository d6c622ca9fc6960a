"""Descriptions of many resources, for the tests of `routable map`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict


def document(count: int) -> Dict[str, Any]:
    """A description of `count` resources: departments with shelves, and shelves with books."""
    paths: Dict[str, Any] = {}

    def add(path: str, *methods: str) -> None:
        item = paths.setdefault(path, {})
        for method in methods:
            item[method] = {"operationId": f"{method} {path}".replace("/", "-"), "responses": {"200": {"description": ""}},
                            "summary": "What <b>it</b> does", "parameters": [
                {"name": each, "in": "path", "required": True, "schema": {"type": "string"}}
                for each in re.findall(r"{(.*?)}", path)] + [{"name": "page", "in": "query", "schema": {"type": "integer"}}]}

    made = 0
    for department in range(count):
        if made == count:
            break
        path = f"/department-{department}"
        add(path, "get", "post")
        add(path + "/{id}", "get", "put", "patch", "delete")
        made += 1
        for shelf in range(department % 5 + 1):
            if made == count:
                break
            own = f"{path}/{{id}}/shelf-{shelf}"
            add(own, "get", "post")
            add(own + "/{number}", "get", "delete")
            made += 1
            for book in range(shelf % 3):
                if made == count:
                    break
                add(f"{own}/{{number}}/book-{book}", "get", "put")
                made += 1
    return {"openapi": "3.1.0", "info": {"title": f"Library of {count}", "version": "1"}, "paths": paths}


def written(folder: Path, count: int) -> Path:
    """Writes the file of such a description."""
    file = folder / f"library-{count}.json"
    file.write_text(json.dumps(document(count)))
    return file
