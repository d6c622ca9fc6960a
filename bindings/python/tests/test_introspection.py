"""Introspection of a router: resources, operations, parameters, types, user data, the route table."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

import pytest
import routable

DOCUMENT: Dict[str, Any] = {
    "routable": 1,
    "name": "shop",
    "base": "https://shop.example",
    "x-owner": {"team": "a", "since": 2020},
    "types": {"Item": {"type": "object", "properties": {"name": {"type": "string"}}}},
    "resources": {
        "item": {
            "path": "items", "can": ["list", "read", "create"], "type": "Item", "description": "What is sold",
            "id": {"name": "number", "type": "integer"}, "has": ["part"], "x-table": "items",
            "member": {"buy": {"post": "/buy", "query": {"count": {"type": "integer", "required": True}}, "x-slow": True}},
            "collection": {"popular": {"get": "/popular"}},
        },
        "part": {"path": "parts", "can": ["read"], "nested": True, "has": ["item"]},
    },
    "operations": {"ping": {"get": "/ping", "description": "Alive?", "header": {"X-Trace": {"type": "string"}}}},
}


@pytest.fixture(scope="module")
def shop() -> routable.Router:
    return routable.open(DOCUMENT)


def test_a_router_describes_itself(shop: routable.Router) -> None:
    assert (shop.name, shop.base) == ("shop", "https://shop.example")
    assert shop.document["name"] == "shop"
    assert dict(shop.types) == DOCUMENT["types"]
    assert "'shop'" in repr(shop) and "2 resources" in repr(shop)


def test_a_router_describes_its_resources(shop: routable.Router) -> None:
    assert list(shop.resources) == ["item", "part"]
    item, part = shop.resources["item"], shop.resources["part"]
    assert (item.name, item.path.strip("/"), item.type, item.description) == ("item", "items", "Item", "What is sold")
    assert item.capabilities == ("list", "read", "create")
    assert item.children == ("part",) and part.children == ("item",)
    assert (item.ids[0].name, item.ids[0].type, item.ids[0].location, item.ids[0].required) == ("number", "integer", "path", True)
    assert [each.name for each in part.ids] == ["id"] and part.type is None
    assert item.is_root and not part.is_root
    with pytest.raises(dataclasses.FrozenInstanceError):
        item.name = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        shop.resources["x"] = item  # type: ignore[index]


def test_a_router_describes_its_operations(shop: routable.Router) -> None:
    operations = shop.resources["item"].operations
    assert set(operations) == {"list", "read", "create", "buy", "popular"}
    assert list(operations)[:3] == ["list", "read", "create"]
    read, buy, popular = operations["read"], operations["buy"], operations["popular"]
    assert (read.method, read.place, read.result_type, read.body_type) == ("GET", "member", "Item", None)
    assert operations["create"].body_type == "Item"
    assert (buy.method, buy.place) == ("POST", "member")
    count = next(each for each in buy.parameters if each.name == "count")
    assert (count.location, count.type, count.required) == ("query", "integer", True)
    assert popular.place == "collection"
    ping = shop.operations["ping"].description
    assert (ping.name, ping.method, ping.path, ping.place, ping.description) == ("ping", "GET", "/ping", "root", "Alive?")


def test_extra_operations_build_requests(shop: routable.Router) -> None:
    assert str(shop.item(7).operations.buy(count=2)) == "POST https://shop.example/items/7/buy?count=2"
    assert str(shop.item(7).buy(count=2)) == "POST https://shop.example/items/7/buy?count=2"
    assert str(shop.item.operations["popular"]()) == "GET https://shop.example/items/popular"
    assert shop.operations.ping(routable.using(headers={"X-Trace": "7"})).headers["x-trace"] == "7"
    assert set(shop.item(7).operations) == {"read", "buy"}
    assert set(shop.item.operations) == {"list", "create", "popular"}
    with pytest.raises(routable.UnknownError) as caught:
        shop.item(7).operations.bye
    assert caught.value.suggestion == "buy"


def test_user_data_has_the_x_keys_of_the_document(shop: routable.Router) -> None:
    assert shop.user_data["x-owner"] == {"team": "a", "since": 2020}
    assert shop.resources["item"].user_data["x-table"] == "items"
    assert shop.resources["item"].operations["buy"].user_data["x-slow"] is True
    assert shop.user_data.get("x-none") is None and shop.user_data.get("x-none", 3) == 3
    assert "x-owner" in shop.user_data and "x-none" not in shop.user_data
    with pytest.raises(KeyError):
        shop.user_data["x-none"]


def test_a_nested_resource_is_no_root(shop: routable.Router) -> None:
    assert shop.item(1).part("2").read().url == "https://shop.example/items/1/parts/2"
    with pytest.raises(routable.RefusedError):
        shop.part("2").read()


def test_the_document_opens_again_and_gives_the_same(shop: routable.Router) -> None:
    again = routable.open(shop.document)
    assert again.map() == shop.map()
    assert again.routes(as_json=True) == shop.routes(as_json=True)
    assert {name: dataclasses.replace(each) for name, each in again.resources.items()} == dict(shop.resources)


def test_reprs_show_names_and_counts(social: routable.Router) -> None:
    assert repr(social) == "<routable.Router 'social': 5 resources, 20 operations>"
    assert repr(social.user) == "<routable user: list, create>"
    assert repr(social.user("x").status("3")) == "<routable user('x').status('3'): read, delete; has comment>"
    assert repr(social.user("x").read()) == "<routable.Request GET https://api.example.com/v1/users/x>"
    assert "search" in repr(social.operations)
    assert repr(social.user("x").read) == "<routable operation user.read: GET>"
