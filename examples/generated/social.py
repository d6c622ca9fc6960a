"""social: made by `routable generate python` from social.json.  Do not edit it: generate it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NewType, Optional

import routable
from routable.typed import Api, Call, Place, Using

if TYPE_CHECKING:
    from typing import TypedDict
else:
    from routable.typed import TypedDict


class Status(TypedDict):
    text: str


UserId = NewType("UserId", str)
StatusId = NewType("StatusId", str)
PictureId = NewType("PictureId", str)
CommentId = NewType("CommentId", str)
PostId = NewType("PostId", str)


class UserMember(Place):
    """One member of user."""

    __slots__ = ()

    @property
    def status(self) -> StatusCollection:
        """The collection below a member of user."""
        return self._below(StatusCollection, "status")

    @property
    def picture(self) -> PictureCollection:
        """The collection below a member of user."""
        return self._below(PictureCollection, "picture")

    @property
    def post(self) -> PostCollection:
        """The collection below a member of user."""
        return self._below(PostCollection, "post")

    def read(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """GET users/{username}"""
        return self._call("read", options=options)

    def update(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """PUT users/{username}"""
        return self._call("update", body=body, options=options)


class UserCollection(Place):
    """All members of user."""

    __slots__ = ()

    def __call__(self, id: UserId, /) -> UserMember:
        """Return the member with this id."""
        return self._at(UserMember, id)

    def list(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """GET users"""
        return self._call("list", options=options)

    def create(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """POST users"""
        return self._call("create", body=body, options=options)


class StatusMember(Place):
    """One member of status."""

    __slots__ = ()

    @property
    def comment(self) -> CommentCollection:
        """The collection below a member of status."""
        return self._below(CommentCollection, "comment")

    def read(self, options: Optional[Using] = None, /) -> Call[Status]:
        """GET statuses/{id}"""
        return self._call("read", "json", options=options)

    def delete(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """DELETE statuses/{id}"""
        return self._call("delete", options=options)


class StatusCollection(Place):
    """All members of status."""

    __slots__ = ()

    def __call__(self, id: StatusId, /) -> StatusMember:
        """Return the member with this id."""
        return self._at(StatusMember, id)

    def create(self, body: Status, options: Optional[Using] = None, /) -> Call[Status]:
        """POST statuses"""
        return self._call("create", "json", body=body, options=options)


class PictureMember(Place):
    """One member of picture."""

    __slots__ = ()

    @property
    def comment(self) -> CommentCollection:
        """The collection below a member of picture."""
        return self._below(CommentCollection, "comment")

    def read(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """GET pictures/{id}"""
        return self._call("read", options=options)

    def update(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """PUT pictures/{id}"""
        return self._call("update", body=body, options=options)

    def delete(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """DELETE pictures/{id}"""
        return self._call("delete", options=options)


class PictureCollection(Place):
    """All members of picture."""

    __slots__ = ()

    def __call__(self, id: PictureId, /) -> PictureMember:
        """Return the member with this id."""
        return self._at(PictureMember, id)

    def create(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """POST pictures"""
        return self._call("create", body=body, options=options)


class CommentMember(Place):
    """One member of comment."""

    __slots__ = ()

    @property
    def user(self) -> UserCollection:
        """The collection below a member of comment."""
        return self._below(UserCollection, "user")

    def read(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """GET comments/{id}"""
        return self._call("read", options=options)

    def update(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """PUT comments/{id}"""
        return self._call("update", body=body, options=options)

    def delete(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """DELETE comments/{id}"""
        return self._call("delete", options=options)


class CommentCollection(Place):
    """All members of comment."""

    __slots__ = ()

    def __call__(self, id: CommentId, /) -> CommentMember:
        """Return the member with this id."""
        return self._at(CommentMember, id)

    def create(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """POST comments"""
        return self._call("create", body=body, options=options)


class PostMember(Place):
    """One member of post."""

    __slots__ = ()

    @property
    def comment(self) -> CommentCollection:
        """The collection below a member of post."""
        return self._below(CommentCollection, "comment")

    def read(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """GET posts/{id}"""
        return self._call("read", options=options)

    def update(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """PUT posts/{id}"""
        return self._call("update", body=body, options=options)

    def delete(self, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """DELETE posts/{id}"""
        return self._call("delete", options=options)


class PostCollection(Place):
    """All members of post."""

    __slots__ = ()

    def __call__(self, id: PostId, /) -> PostMember:
        """Return the member with this id."""
        return self._at(PostMember, id)

    def create(self, body: object = None, options: Optional[Using] = None, /) -> Call[routable.Response]:
        """POST posts"""
        return self._call("create", body=body, options=options)


class Social(Api):
    """The API social."""

    __slots__ = ()

    @classmethod
    def open(cls, *, base: Optional[str] = None) -> Social:
        """Open the description from which this module was generated; `base` replaces its base."""
        return cls._loads(_DOCUMENT, base)

    @property
    def user(self) -> UserCollection:
        """The collection at the root."""
        return self._below(UserCollection, "user")

    @property
    def status(self) -> StatusCollection:
        """The collection at the root."""
        return self._below(StatusCollection, "status")

    @property
    def picture(self) -> PictureCollection:
        """The collection at the root."""
        return self._below(PictureCollection, "picture")

    @property
    def comment(self) -> CommentCollection:
        """The collection at the root."""
        return self._below(CommentCollection, "comment")

    @property
    def post(self) -> PostCollection:
        """The collection at the root."""
        return self._below(PostCollection, "post")

    def search(
        self,
        options: Optional[Using] = None,
        /,
        *,
        q: str,
        page: Optional[int] = None,
    ) -> Call[routable.Response]:
        """GET /search"""
        return self._call("search", options=options, query={"q": q, "page": page})


_DOCUMENT = (
    "{\"routable\":1,\"name\":\"social\",\"base\":\"https://api.example.com/v1\",\"types\":{\"Status\":{\"typ"
    "e\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\",\"maxLength\":280}}"
    "}},\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"username\",\"can\":[\"list\",\"read\",\"create\""
    ",\"update\"],\"has\":[\"status\",\"picture\",\"post\"]},\"status\":{\"path\":\"statuses\",\"can\":[\"rea"
    "d\",\"create\",\"delete\"],\"has\":[\"comment\"],\"type\":\"Status\"},\"picture\":{\"path\":\"pictures\""
    ",\"can\":[\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"comment\"]},\"comment\":{\"path\":\"comm"
    "ents\",\"can\":[\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"user\"]},\"post\":{\"path\":\"post"
    "s\",\"can\":[\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"comment\"]}},\"operations\":{\"search"
    "\":{\"get\":\"/search\",\"query\":{\"q\":{\"type\":\"string\",\"required\":true},\"page\":{\"type\":\"in"
    "teger\",\"default\":1}}}}}"
)
