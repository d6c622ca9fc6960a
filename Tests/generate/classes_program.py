"""A program that uses generated dataclasses: mypy checks it, and it runs (classes.py)."""

import copy
import dataclasses
import json
import pickle
import sys
from typing import Any, Callable, Dict, List, Optional, Union

import shop
from feed_api import Feed, Post
from pets_api import Cat, Dog, Missing, Node, Pets, Problem, ShapeBox, ShapeCircle

import routable
from routable.records import ABSENT, Absent
from routable.testing import Responses
from routable.typed import Call


def sent_by(call: Call[Any]) -> Any:
    return json.loads(call.request.body or b"")


def refused(kind: type, run: Callable[[], object], *words: str) -> None:
    """Checks that the call raises an error whose message contains these words."""
    try:
        run()
    except kind as error:  # type: ignore[misc]
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError(f"{words} are expected")


# --- A route document: absent, null, renamed and undeclared members ---

store = shop.Shop.open()
order = shop.Order(id=1, state="open", note=None, parts=[shop.Part(name="x", weight=None)], class_="c")
create = store.order.create(order)
assert create.request.body == b'{"id":1,"state":"open","note":null,"parts":[{"name":"x","weight":null}],"class":"c"}'
text = b'{"id":1,"state":"open","note":null,"parts":[{"name":"x","weight":null,"color":"red"}],"class":"c","extra":null,"odd":[1]}'
response = store.router.map_response("order", "read", 200, body=text)
got = store.order(shop.OrderId(1)).read().read(response)
assert got.parts[0].weight is None and order.parts[0].count is None and shop.Part(name="y").weight is ABSENT and not ABSENT
assert got.class_ == "c" and got.extra_ is None and got.extra == {"odd": [1]} and got.parts[0].extra == {"color": "red"}
assert got.to_json() == json.loads(text) and sent_by(store.order.create(got)) == json.loads(text)
# A value that deviates is read as far as the classes can represent it: a member that does not have its type is None.
odd = {"id": "1", "state": "lost", "note": 7, "parts": [None, {"name": "x", "count": "2", "color": "red"}], "tags": None}
deviating = store.router.map_response("order", "read", 200, body=json.dumps(odd).encode())
given = store.order(shop.OrderId(1)).read().read(deviating)
held: object = (given.id, given.state, given.note, given.tags, given.parts[0])
assert held == (None, "lost", None, None, None), given
held = (given.parts[1].name, given.parts[1].count, given.parts[1].extra)
assert held == ("x", None, {"color": "red"}), given
assert [each.pointer for each in deviating.deviations] == ["/id", "/state", "/note", "/parts/0", "/parts/1/count", "/tags"], deviating.deviations
assert store.order.list().read(store.router.map_response("order", "list", 200, body=b"[" + text + b"]")) == [got]
assert response.as_self(shop.Order) == got and response.into(shop.Order) == got
assert repr(order) == "Order(id=1, state='open', note=None, parts=[Part(name='x', weight=None)], class_='c')"
weight: Union[Optional[float], Absent] = got.parts[0].weight
assert weight is None or weight is ABSENT or weight > 0  # a type checker accepts the narrowing
got.note = "new"
got.parts.append(shop.Part(name="z", extra={"color": "blue"}))
assert sent_by(store.order.create(got))["parts"][1] == {"name": "z", "color": "blue"}
del got.extra_
assert got.extra_ is ABSENT and "extra" not in got.to_json()

# --- Functions of the module dataclasses ---

assert dataclasses.is_dataclass(got) and [each.name for each in dataclasses.fields(shop.Part)] == ["name", "count", "weight", "extra"]
other = dataclasses.replace(got, id=2)
assert other.id == 2 and other.extra == got.extra and other != got
assert copy.deepcopy(got) == got == pickle.loads(pickle.dumps(got)) and pickle.loads(pickle.dumps(ABSENT)) is ABSENT
assert dataclasses.asdict(order)["parts"] == [{"name": "x", "count": None, "weight": None, "extra": {}}]


class Marked(shop.Part):
    def title(self) -> str:
        return self.name.upper()


assert Marked.from_json({"name": "x"}).title() == "X"

# --- Bad input ---

part: Any = shop.Part
refused(TypeError, lambda: part(nam="x"), "no member 'nam'", "'name'")
refused(TypeError, lambda: part(count=1), "name must be given")
refused(AttributeError, lambda: setattr(order, "noet", "x"), "no member 'noet'", "'note'")
refused(ValueError, lambda: shop.Part.from_json({"name": 1}), "/name", "a string")
refused(ValueError, lambda: shop.Order.from_json({**order.to_json(), "parts": [{}]}), "/parts/0", "'name' is missing")
refused(ValueError, lambda: shop.Order.from_json({**order.to_json(), "state": "gone"}), "/state", "'open'")
refused(TypeError, lambda: store.order.create(dataclasses.replace(order, note=ABSENT)), "ABSENT")
refused(TypeError, lambda: store.order.create(dataclasses.replace(order, extra={"note": "x"})), "'note' is declared as")
refused(routable.RefusedError, lambda: store.order.create(dataclasses.replace(order, id="1")), "/id")
deep: Dict[str, Any] = {"value": ""}
for _ in range(5000):
    deep = {"value": "", "next": deep}
refused(ValueError, lambda: Node.from_json(deep), "nested too deeply")

# --- An OpenAPI document: unions, recursion, errors by status ---

pets = Pets.open_file("pets.json")
node = Node(value="a", created_at="now", is_open=True, from_json_=1, next=Node(value="b"), parts=["c", Node(value="d")])
sent = sent_by(pets.node(node))
assert sent == {"value": "a", "created-at": "now", "isOpen": True, "from_json": 1, "next": {"value": "b"}, "parts": ["c", {"value": "d"}]}
assert pets.node().read(pets.router.map_response(None, "node", 200, body=json.dumps(sent).encode())) == node
rex = {"kind": "dog", "name": "Rex", "friend": {"kind": "cat", "name": "Tom", "lives": 9}}
pet = pets.add(Dog.from_json(rex)).read(pets.router.map_response(None, "add", 200, body=json.dumps(rex).encode()))
assert isinstance(pet, Dog) and isinstance(pet.friend, Cat) and pet.friend.lives == 9
shapes = {"a": {"radius": 1}, "b": {"width": 1}, "c": {"height": 1, "radius": 2, "color": 3}, "d": {"width": 1, "color": 3}}
found = pets.shapes().read(pets.router.map_response(None, "shapes", 200, body=json.dumps(shapes).encode()))
assert [type(each) for each in found.values()] == [ShapeCircle, ShapeBox, ShapeCircle, ShapeCircle] and found["c"].extra == {"height": 1, "color": 3}

with Responses() as responses, routable.Client(transport=responses) as client:
    for status, body, kind in ((404, {"id": 1}, Missing), (409, {"code": 2}, Problem), (404, {"id": "1"}, Missing), (404, [], None)):
        responses.add("add", status, json=body)
        call = pets.add(Cat(kind="cat", name="Tom"))
        try:
            call.perform(client)
        except routable.HTTPStatusError as error:
            problem: Union[Missing, Problem, None] = call.error(error)
            fits = body in ({"id": 1}, {"code": 2})
            assert type(problem) is (kind or type(None)) and (call.misfit(error) is None) is fits, problem
            assert not isinstance(problem, Missing) or problem.id == (1 if fits else None), problem
        else:
            raise AssertionError(f"{status} is an error")

# --- Pages and streams ---

feed = Feed.open_file("feed.json")
with Responses() as responses, routable.Client(transport=responses) as client:
    responses.add("posts", json={"data": [{"id": 1, "text": "a"}], "next": "2"})
    responses.add("posts", json={"data": [{"id": 2, "text": "b"}]})
    posts: List[Post] = list(feed.posts().items(client))
    assert [each.text for each in posts] == ["a", "b"]
    responses.add("live", body='data: {"id":1,"text":"a"}\n\ndata: {"id":"2"}\n\n', headers={"Content-Type": "text/event-stream"})
    live = feed.live().values(client)
    assert next(live).text == "a"
    refused(routable.ResponseError, lambda: next(live), "'text' is missing")
sys.stdout.write("dataclasses\n")
