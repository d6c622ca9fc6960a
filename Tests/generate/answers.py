"""Reading and writing with the generated Python module, and calls of the sample service, whose base URL is the first argument."""

import asyncio
import sys
from typing import List, Optional

import shop
from service import Service, Status, StatusId, UserId

import routable

api = Service.open(base=sys.argv[1])
with routable.Client() as client:
    made: routable.Response = api.user.create(routable.using(parameters={"username": "bob"})).perform(client)
    assert made.status == 201, made
    bob = api.user(UserId("bob"))
    status: Status = bob.status.create({"text": "hello"}).perform(client)
    assert status["text"] == "hello", status
    try:
        bob.status(StatusId("none")).read().perform(client)
    except routable.HTTPStatusError as error:
        assert error.http_status == 404
    else:
        raise AssertionError("404 is an error")


async def concurrently() -> List[Status]:
    async with routable.AsyncClient() as other:
        calls = [bob.status.create({"text": str(number)}).perform_async(other) for number in range(3)]
        return list(await asyncio.gather(*calls))


assert [each["text"] for each in asyncio.run(concurrently())] == ["0", "1", "2"]

store = shop.Shop.open()
order: shop.Order = {"id": 1, "state": "open", "note": None, "parts": [{"name": "x", "weight": None}], "class": "c"}
create = store.order.create(order)
assert create.request.body == b'{"id":1,"state":"open","note":null,"parts":[{"name":"x","weight":null}],"class":"c"}'
read = store.order(shop.OrderId(7)).read()
assert read.url == "https://shop.test/orders/7"
answer = store.router.map_response("order", "read", 200, body=create.request.body)
note: Optional[str] = read.read(answer)["note"]
assert note is None and read.read(answer) == order
made_order = store.router.map_response("order", "create", 201, body=create.request.body, headers={"Location": "/orders/8"})
followed = read.follow(made_order)
assert followed.url == "https://shop.test/orders/8" and followed.read(answer)["state"] == "open"
for elsewhere, reason in (("https://shop.test/count", "not of order.read"), ("https://other.test/orders/8", "not of order.read")):
    try:
        read.follow(elsewhere)
    except routable.ResponseError as error:
        assert reason in str(error), error
    else:
        raise AssertionError("not a URL of an order")
deviating = store.router.map_response("order", "read", 200, body=b'{"id": "1", "state": "lost"}')
given: object = read.read(deviating)
assert given == {"id": "1", "state": "lost"}, "what deviates is given, and listed"
assert [each.found for each in deviating.deviations][:2] == ['"1"', '"lost"'], deviating.deviations
assert read.read(store.router.map_response("order", "read", 200, body=b"null")) is None
another: object = read.read(store.router.map_response("order", "read", 200, body=b"[]"))
assert another == [], "another kind is given as it is, too"
try:
    read.read(store.router.map_response("order", "read", 200, body=b"<p>"))
except routable.ResponseError as error:
    assert error.response is not None and error.response.body == b"<p>" and error.response.deviations
else:
    raise AssertionError("not an order")
count: int = store.count().read(store.router.map_response(None, "count", 200, body=b"12"))
assert count == 12
find = store.find("a/b", tags=["a b", 'c"'], exact=True, price=0.5, x_trace="7")
print(find.url)
assert find.request.headers["X-Trace"] == "7"
