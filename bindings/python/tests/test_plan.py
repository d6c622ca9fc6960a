"""Plans: the same URLs and rejections as `build`; one plan serves any number of threads."""

from __future__ import annotations

import enum
import random
import uuid
from typing import Any, Dict

import pytest
import routable
from test_hostile import VALUES
from test_threads import together

DOCUMENT: Dict[str, Any] = {
    "routable": 1, "name": "plans", "base": "http://h/b",
    "resources": {"item": {"path": "items", "can": ["read", "list"], "id": {"name": "n", "type": "integer"}}},
    "operations": {
        "nothing": {"get": "/nothing"},
        "many": {"get": "/{a}/{b}/x/{c}/{d}/{e}"},
        "find": {
            "get": "/find/{what}",
            "query": {
                "q": {"type": "string"}, "page": {"type": "integer", "default": 1}, "real": {"type": "number"},
                "flag": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}},
                "a-b": {"type": "string"},
            },
        },
    },
}


class Colour(str, enum.Enum):
    RED = "red one"


@pytest.fixture(scope="module")
def api() -> routable.Router:
    return routable.open(DOCUMENT)


def test_a_plan_writes_urls_and_describes_its_operation(social: routable.Router) -> None:
    plan = social.plan("user.status", "read")
    assert plan("initFabian", "3") == "https://api.example.com/v1/users/initFabian/statuses/3"
    assert (plan.route, plan.operation, plan.method, plan.id_count, plan.query) == ("user.status", "read", "GET", 2, ())
    assert repr(plan) == "<routable.Plan user.status.read>"
    search = social.plan("search")
    assert search(q="a b") == "https://api.example.com/v1/search?q=a%20b&page=1"
    assert (search.route, search.query, search.id_count) == (None, ("q", "page"), 0)


def test_unknown_operations_have_no_plan(social: routable.Router) -> None:
    with pytest.raises(routable.NotAllowedError) as caught:
        social.plan("user.status", "update")
    assert caught.value.allowed == ("create", "delete", "read")
    with pytest.raises(routable.UnknownError):
        social.plan("usr", "read")
    with pytest.raises(routable.UnknownError):
        social.plan("serch")
    with pytest.raises(TypeError):
        social.plan(3)  # type: ignore[call-overload]
    with pytest.raises(routable.URLError):
        routable.open({key: value for key, value in DOCUMENT.items() if key != "base"}).plan("nothing")()


IDS = [
    "a", "é" * 40, "x" * 64, "x" * 65, "y" * 5000, "a/b", "%", "😃", "", ".", "..", "a\0b", "\udc00", b"a",
    0, 7, -1, 2**63 - 1, -(2**63), 2**63, 10**30, 1.5, 1e300, float("nan"), float("inf"), True, False, None,
    Colour.RED, uuid.UUID(int=5), [], ["a"], {}, object(), *VALUES,
]


def outcome(call: Any) -> Any:
    try:
        return call()
    except (routable.RoutableError, TypeError) as error:
        return type(error), getattr(error, "parameter", None) if isinstance(error, routable.RefusedError) else None


@pytest.mark.parametrize("value", IDS, ids=lambda each: repr(each)[:20])
def test_ids_are_given_as_in_build(social: routable.Router, api: routable.Router, value: Any) -> None:
    plan, many, item = social.plan("user.status", "read"), api.plan("many"), api.plan("item", "read")
    for _ in range(2):  # the second call reuses the frame of the first one
        for ids in ([value, "3"], ["u", value], [value, value], ["u", 3]):
            built = outcome(lambda: social.build("user.status", "read", routable.using(ids=ids)).url)
            planned = outcome(lambda: plan(*ids))
            assert planned == built or {planned[0], built[0]} <= {routable.ArgumentError, routable.ValueRefusedError}
        ids = ["a", value, "c", 4, value]
        assert type(outcome(lambda: many(*ids))) is type(outcome(lambda: api.build("many", routable.using(ids=ids)).url))
        assert type(outcome(lambda: item(value))) is type(outcome(lambda: api.build("item", "read", routable.using(ids=[value])).url))


def test_the_query_is_given_as_in_build(api: routable.Router) -> None:
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    values: Dict[str, Any] = {
        "q": [None, "", "x", "é&=", "z" * 200, 5, True, Colour.RED], "page": [None, 3, "4", -1, 10**30],
        "real": [None, 1.5, 2, 1e-7], "flag": [None, True, False], "tags": [None, "one", 1, True],
        "a-b": [None, "x" * 64, "x" * 65],
    }
    plan = api.plan("find")
    for _ in range(1000):
        names = chance.sample(sorted(values), chance.randint(0, len(values)))
        query = {each: chance.choice(values[each]) for each in names}
        what = chance.choice(["w", "w" * 100, 9])
        assert plan(what, **query) == api.build("find", routable.using(ids=[what], query=query)).url, f"seed {seed}"


def test_invalid_values_are_refused_as_in_build(social: routable.Router, api: routable.Router) -> None:
    plan, search = social.plan("user.status", "read"), social.plan("search")
    wrong: Any = [(), ("a",), ("a", "b", "c"), ("a",) * 100]
    for ids in wrong:
        with pytest.raises(routable.IdError):
            plan(*ids)
    with pytest.raises(routable.IdError):
        search("a", q="x")
    with pytest.raises(routable.ParameterError) as caught:
        search(q="x", pge=2)
    assert caught.value.suggestion == "page"
    with pytest.raises(routable.ParameterError):
        search()
    with pytest.raises(routable.ValueRefusedError) as refused:
        search(q="x", page="two")
    assert (refused.value.parameter, refused.value.operation) == ("page", "search")
    with pytest.raises(routable.ParameterError):
        plan("a", "b", self="x")
    for several in (["a"], ("a", "b"), {"a": 1}):
        with pytest.raises(routable.ValueRefusedError):
            api.plan("find")("w", tags=several)
    assert social.plan("user.status", "create")(Colour.RED) == "https://api.example.com/v1/users/red%20one/statuses"
    assert plan("a", "b").endswith("/users/a/statuses/b")


def test_a_url_that_is_longer_than_the_buffer(social: routable.Router) -> None:
    plan, search = social.plan("user.status", "read"), social.plan("search")
    for length in (600, 1900, 1990, 2000, 2010, 2047, 2048, 5000, 100_000, 1_000_000, 10):
        assert plan("é" * length, "3").endswith("/users/" + "%C3%A9" * length + "/statuses/3")
        assert plan("e" * length, "3").endswith("/users/" + "e" * length + "/statuses/3")
        assert search(q="&" * length).endswith("?q=" + "%26" * length + "&page=1")
    with pytest.raises(routable.LimitError):
        plan("e" * 17_000_000, "3")
    assert all(len(frame.buffer) <= 1 << 16 for frame in plan._writer._frames + search._writer._frames)


def test_a_call_does_not_depend_on_earlier_calls(social: routable.Router, api: routable.Router) -> None:
    find = api.plan("find")
    assert find("w", q="x", page=2, flag=True) == "http://h/b/find/w?q=x&page=2&flag=true"
    assert find("w") == "http://h/b/find/w?page=1" == api.build("find", routable.using(ids=["w"])).url
    assert find("w", q="y") == "http://h/b/find/w?q=y&page=1"
    assert find("w", **{"a-b": "z"}) == "http://h/b/find/w?page=1&a-b=z"
    assert len(find._writer._frames) == 1


def test_a_plan_outlives_its_router() -> None:
    api = routable.open(DOCUMENT)
    plan = api.plan("item", "read")
    assert plan(3) == "http://h/b/items/3"
    api.close()
    del api
    assert plan(4) == "http://h/b/items/4"
    plan.close()
    assert plan.closed and "closed" in repr(plan)
    with pytest.raises(ValueError, match="Plan is closed"):
        plan(5)


def test_eight_threads(social: routable.Router) -> None:
    plan, search = social.plan("user.status", "read"), social.plan("search")

    def work(index: int) -> None:
        for turn in range(500):
            assert plan(f"u{index}", str(turn)).endswith(f"/users/u{index}/statuses/{turn}")
            assert plan("l" * 70 + str(index), turn).endswith(f"l{index}/statuses/{turn}")
            assert search(q=f"q{index}", page=turn).endswith(f"?q=q{index}&page={turn}")

    together(work)
    assert len(plan._writer._frames) <= 8
