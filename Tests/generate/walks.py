"""RoutableApp's requests R7 to R12 (docs/statements.md, R) by the generated Python module: method, URL and body of each."""

from typing import Any

from social import CommentId, PictureId, PostId, Social, StatusId, UserId

from routable.typed import Call


def show(call: Call[Any]) -> None:
    body = call.request.body
    print(call.method, call.url, *([body.decode()] if body is not None else []))


api = Social.open()
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
show(fabian.status.create(parameters={"t": 1}))
