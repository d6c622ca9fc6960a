"""JSON bodies into models: `Response.into` beside msgspec and pydantic.

With msgspec installed the library reads dataclasses by it; the figures without it are those of a program that has not
installed it.
"""

from __future__ import annotations

import dataclasses
import json
import random
import sys
from pathlib import Path
from typing import Any, List, Optional

import msgspec
import pydantic
import routable
from measure import growth, row
from routable import _quick

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "json"))
from documents import issues  # noqa: E402


class User:
    login: str
    id: int
    node_id: str
    avatar_url: str
    url: str
    html_url: str
    type: str
    site_admin: bool


class Label:
    id: int
    name: str
    color: str


class Issue:
    id: int
    number: int
    title: str
    state: str
    locked: bool
    comments: int
    user: User
    labels: List[Label]
    assignee: Optional[User]
    milestone: Optional[str]
    created_at: str
    updated_at: str
    url: str


class UserModel(User, pydantic.BaseModel):
    pass


class LabelModel(Label, pydantic.BaseModel):
    pass


class IssueModel(Issue, pydantic.BaseModel):
    user: UserModel
    labels: List[LabelModel]
    assignee: Optional[UserModel]


User, Label, Issue = map(dataclasses.dataclass, (User, Label, Issue))


def body(size: int) -> bytes:
    """About `size` bytes of issues."""
    return json.dumps(issues(random.Random(20261122), size)[0], separators=(",", ":")).encode()


def response(content: bytes) -> routable.Response:
    api = routable.open({
        "routable": 1, "base": "https://h.example", "types": {"Issue": {"type": "object"}},
        "resources": {"issue": {"path": "issues", "id": "number", "can": ["list", "read"], "type": "Issue"}},
    })
    return api.map_response("issue", "list", 200, {"Content-Type": "application/json"}, content)


def without_msgspec(job: Any) -> Any:
    def run() -> object:
        found, _quick._msgspec = _quick._msgspec, False
        try:
            return job()
        finally:
            _quick._msgspec = found

    return run


def main() -> None:
    content = body(100_000)
    answer = response(content)
    decoder = msgspec.json.Decoder(List[Issue])
    adapter = pydantic.TypeAdapter(List[IssueModel])
    plain = pydantic.TypeAdapter(List[Issue])
    assert answer.into(List[Issue]) == decoder.decode(content) == without_msgspec(lambda: answer.into(List[Issue]))()
    assert answer.into(List[IssueModel]) == adapter.validate_json(content)
    row(f"{len(content)} bytes of JSON into List[dataclass]", {
        "pydantic, the same dataclasses": lambda: plain.validate_json(content),
        "pydantic, its own models": lambda: adapter.validate_json(content),
        "routable, no package installed": without_msgspec(lambda: answer.into(List[Issue])),
        "json.loads alone": lambda: json.loads(content),
    }, "pydantic, its own models")
    row(f"{len(content)} bytes of JSON into List[dataclass], msgspec installed", {
        "msgspec": lambda: decoder.decode(content),
        "routable": lambda: answer.into(List[Issue]),
    }, "msgspec")
    row(f"{len(content)} bytes of JSON into a list of pydantic models", {
        "pydantic": lambda: adapter.validate_json(content),
        "routable": lambda: answer.into(List[IssueModel]),
    }, "pydantic")

    def into(size: int) -> Any:
        one = response(body(size))
        return without_msgspec(lambda: one.into(List[Issue]))

    growth("into List[dataclass]", into, (25_000, 50_000, 100_000))


if __name__ == "__main__":
    main()
