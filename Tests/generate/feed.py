"""Pages, streams, many calls and errors with the generated Python module and canned responses."""

import asyncio
from typing import List, Optional

from feed_api import Feed, Post, Problem

import routable
from routable.testing import Responses
from routable.typed import Call, perform_all, perform_all_async

PAGES = [{"data": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}], "next": "2"}, {"data": [{"id": 3, "text": "c"}]}]
EVENTS = 'data: {"id":1,"text":"a"}\n\ndata: {"id":2,"text":"b"}\n\ndata: [DONE]\n\ndata: {"id":3,"text":"c"}\n\n'
LINES = '{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n'

api = Feed.open_file("feed.json")


def texts(posts: List[Post]) -> str:
    return "".join(post["text"] for post in posts)


def answers(responses: Responses) -> None:
    for page in PAGES:
        responses.add("posts", json=page)
    responses.add("live", body=EVENTS, headers={"Content-Type": "text/event-stream"})
    responses.add("export", body=LINES, headers={"Content-Type": "application/x-ndjson"})
    responses.add("tags", json=["x", "y"], times=6)


with Responses() as responses:
    answers(responses)
    with routable.Client(transport=responses) as client:
        assert texts(list(api.posts().items(client))) == "abc"
        assert texts(list(api.live().values(client))) == "ab"
        assert texts(list(api.export().values(client))) == "ab"
        call = api.tags()
        calls: List[Call[List[str]]] = [call, call.with_headers({"X-Trace": "7"}), call.with_base("https://other.test/v2")]
        values: List[List[str]] = [done.value() for done in perform_all(client, [*calls, call, call])]
        assert values == [["x", "y"]] * 5
        assert "X-Trace" not in call.request.headers and calls[2].url == "https://other.test/v2/tags"
        assert calls[1].perform(client, auth=False, deadline=5, retries=0, max_redirects=0) == ["x", "y"]
    assert [each.headers.get("X-Trace") for each in responses.requests].count("7") == 2

with Responses() as responses:
    answers(responses)
    responses.add("posts", json=PAGES[0])

    async def several() -> None:
        async with routable.AsyncClient(transport=responses) as client:
            assert texts([post async for post in api.posts().items_async(client)]) == "abc"
            assert texts([post async for post in api.live().values_async(client)]) == "ab"
            assert texts([post async for post in api.export().values_async(client)]) == "ab"
            async for page in api.posts().pages_async(client, max_pages=1):
                assert texts(page["data"]) == "ab"
            async for done in perform_all_async(client, [api.tags() for _ in range(6)]):
                assert done.value() == ["x", "y"] and done.completion.response is not None

    asyncio.run(several())

with Responses() as responses, routable.Client(transport=responses) as client:
    # The items of a page are returned even if they deviate.
    responses.add("posts", json={"data": [{"id": "1"}]})
    items: object = list(api.posts().items(client))
    assert items == [{"id": "1"}], items
    # A body that has the type of its status, one that does not, no body, and one that is not JSON.
    for body, code, why in (('{"code":7}', 7, None), ('{"code":"7"}', "7", "code"), ("", None, "empty"), ("<p>", None, "value")):
        responses.add("posts", 404, body=body, headers={"Content-Type": "application/json"})
        posts = api.posts()
        try:
            posts.perform(client)
        except routable.HTTPStatusError as error:
            problem: Optional[Problem] = posts.error(error)
            misfit = posts.misfit(error)
            assert (None if problem is None else problem["code"]) == code, problem
            assert misfit is None if why is None else misfit and why in misfit, misfit
        else:
            raise AssertionError("404 is an error")
    responses.add("posts", fault="connect")
    try:
        api.posts().perform(client, retries=0)
    except routable.TransferError as error:
        assert api.posts().error(error) is None and api.posts().misfit(error) is None
print("pages, streams, many calls and errors")
