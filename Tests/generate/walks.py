"""RoutableApp's requests R7 to R12 (docs/statements.md, R) by the generated Python module, built, matched and performed: method,
URL and body of each; the route, the operation and the ids that its URL matches; and what a transport receives."""

from typing import Any, Optional

from social import CommentId, PictureId, PostId, Social, StatusId, UserId

from routable import Client, TransportRequest, TransportResponse, using
from routable.typed import Call


def line(method: str, url: str, body: Optional[bytes]) -> str:
    return " ".join([method, url, *([body.decode()] if body is not None else [])])


def echo(request: TransportRequest) -> TransportResponse:
    return TransportResponse(body=line(request.method, request.url, request.body))


def show(call: Call[Any]) -> None:
    print(line(call.method, call.url, call.request.body))
    match = api.router.match(call.url, call.method)
    assert match is not None
    print("  match", match.route, match.operation, *match.ids)
    print("  perform", client.perform(call.request).body.decode())


api = Social.open()
client = Client(transport=echo)
fabian = api.user(UserId("initFabian"))
show(api.user(UserId("2")).status(StatusId("2")).read())
show(api.post(PostId("54")).comment(CommentId("43")).read())
show(fabian.status(StatusId("2")).read())
show(fabian.picture(PictureId("2")).comment(CommentId("3")).read())
show(fabian.status(StatusId("3")).comment(CommentId("32352")).user(UserId("fakeUser")).read())
show(
    fabian.picture(PictureId("3")).comment(CommentId("507f191e810c19729de860ea")).user(UserId("43"))
    .status(StatusId("firstStatus")).comment(CommentId("27")).user(UserId("63"))
    .post(PostId("4d6e5acebcd1b3fac9000002")).comment(CommentId("82")).user(UserId("21")).status(StatusId("1")).read()
)
show(fabian.status.create(using(parameters={"t": 1})))
