"""Services: the names that handlers are registered by, and operations without a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Type

import pytest
import routable
from test_service import asgi, wsgi

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
NUMBER = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
DONE = {"200": {"description": "r", "content": {"application/json": {}}}}
PETS: Dict[str, Any] = {
    "openapi": "3.0.3", "info": {"title": "t", "version": "1"},
    "paths": {
        "/pets": {"get": {"operationId": "listPets", "responses": DONE}, "post": {"responses": DONE}},
        "/pets/{id}": {"get": {"operationId": "getPet", "parameters": [NUMBER], "responses": DONE},
                       "delete": {"operationId": "pets.remove", "parameters": [NUMBER], "responses": DONE}},
        "/pets/{id}/toys": {"get": {"operationId": "listToys", "parameters": [NUMBER], "responses": DONE}},
        "/login": {"post": {"operationId": "login", "responses": DONE}},
    },
}
NOTES: Dict[str, Any] = {
    "routable": 1, "base": "https://h.example",
    "resources": {
        "user": {"path": "users", "id": "name", "can": ["read"], "has": ["note"]},
        "team": {"path": "teams", "id": "name", "has": ["note"]},
        "note": {"path": "notes", "nested": True, "id": "number", "can": ["read", "create"], "has": ["note"]},
    },
    "operations": {"search": {"get": "/search"}},
}


def pets() -> routable.Service:
    return routable.Service(routable.open(PETS))


def handler(received: Any, **values: Any) -> Any:
    return [received.operation, values]


@pytest.mark.parametrize("name", ["getPet", "pets.read"])
@pytest.mark.parametrize("application", [wsgi, asgi])
def test_an_operation_of_an_openapi_document_has_two_names(application: Any, name: str) -> None:
    service = pets()
    service.handle(name)(handler)
    assert application(service, "GET", "/pets/3", {}, b"")[::2] == (200, b'["getPet",{"id":3}]')
    assert "getPet" not in service.missing and "listPets" in service.missing


@pytest.mark.parametrize("first, second", [
    ("getPet", "pets.read"), ("pets.read", "getPet"), ("pets.toys.read", "listToys"), ("POST /pets", "pets.create"), ("login", "login.create"),
])
def test_two_names_of_one_operation_are_refused_at_once(first: str, second: str) -> None:
    service = pets()
    service.handle(first)(handler)
    with pytest.raises(ValueError, match=f"^{second} has a handler already, as {first}$"):
        service.handle(second)
    with pytest.raises(ValueError, match=f"^{first} has a handler already$"):
        service.handle(first)


def test_a_second_handler_of_one_operation_is_refused() -> None:
    service = pets()
    first, second = service.handle("getPet"), service.handle("pets.read")
    first(handler)
    with pytest.raises(ValueError, match="has a handler already"):
        second(handler)


@pytest.mark.parametrize("document, name, kind, suggestion", [
    (PETS, "getPett", routable.UnknownError, "getPet"),
    (PETS, "pets.reed", routable.NotAllowedError, "read"),
    (PETS, "pet.read", routable.UnknownError, "pets"),
    (PETS, "pets.remov", routable.NotAllowedError, "pets.remove"),
    (PETS, "pets.listPets", routable.NotAllowedError, "listPets"),
    (NOTES, "serch", routable.UnknownError, "search"),
    (NOTES, "user.notes.read", routable.UnknownError, "note"),
    (NOTES, "note.note.read", routable.UnknownError, "team.note.read"),
])
def test_a_name_that_is_misspelt(document: Any, name: str, kind: Type[Exception], suggestion: str) -> None:
    with pytest.raises(kind, match=f'did you mean "{suggestion}"') as raised:
        routable.Service(routable.open(document)).handle(name)
    assert raised.value.suggestion == suggestion  # type: ignore[attr-defined]


def test_unknown_names_without_a_suggestion() -> None:
    with pytest.raises(routable.UnknownError) as raised:
        pets().handle("zzz")
    assert raised.value.suggestion is None


@pytest.mark.parametrize("document, handled, missing", [
    (PETS, [], ["listPets", "POST /pets", "getPet", "pets.remove", "listToys", "login"]),
    (PETS, ["pets.list", "getPet", "POST /pets", "login.create"], ["pets.remove", "listToys"]),
    (NOTES, [], ["user.read", "user.note.create", "user.note.read", "team.note.create", "team.note.read", "search"]),
    (NOTES, ["note.read", "search"], ["user.read", "user.note.create", "team.note.create"]),
    (NOTES, ["team.note.read", "user.read"], ["user.note.create", "user.note.read", "team.note.create", "search"]),
])
def test_missing_lists_operations_without_a_handler(document: Any, handled: List[str], missing: List[str]) -> None:
    service = routable.Service(routable.open(document))
    for name in handled:
        service.handle(name)(handler)
    assert list(service.missing) == missing


@pytest.mark.parametrize("document", sorted(EXAMPLES.rglob("*.json")), ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_a_handler_for_each_missing_operation_leaves_none(document: Path) -> None:
    try:
        api = routable.router(routable.open(document))
    except routable.RoutableError:
        pytest.skip("no description")
    service = routable.Service(api, strict=True)
    missing = service.missing
    assert set(api.operations) <= set(missing)
    assert {f"{name.rpartition('.')[2]}.{each}" for name, resource in api.resources.items() for each in resource.operations
            if not resource.operations[each].standalone_name} <= {".".join(name.split(".")[-2:]) for name in missing}
    for name in missing:
        service.handle(name)(handler)
    assert service.missing == ()
    service.start()
