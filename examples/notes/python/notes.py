"""An application: notes of a service, which it reads, writes and searches.  test_notes.py tests it without a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import List

import routable

api = routable.open(Path(__file__).resolve().parents[1] / "notes.json")


@dataclass(frozen=True)
class Note:
    id: str
    text: str


class Complaint(Exception):
    """What a user is told."""


class Notes:
    """The application, over a client: of the network, or with a transport of a test.  The client raises for deviations."""

    def __init__(self, client: routable.Client) -> None:
        self._client = client

    def texts(self) -> List[str]:
        """The texts of all pages."""
        try:
            return [note.text for note in self._client.items(api.note.list(), into=Note)]
        except routable.RoutableError as error:
            raise Complaint(told(error)) from error

    def add(self, text: str) -> Note:
        """Adds a note, and reads what the service made of it."""
        created = self._perform(api.note.create({"text": checked(text)}))
        try:
            return self._perform(api.follow(created)).into(Note)
        except routable.ResponseError as error:
            raise Complaint(told(error)) from error

    def read(self, id: str) -> Note:
        try:
            return self._perform(api.note(id).read()).into(Note)
        except routable.ResponseError as error:
            raise Complaint(told(error)) from error

    def edit(self, id: str, text: str, version: str) -> None:
        """Replaces the text of a note that nobody else has changed since `version`, an ETag."""
        request = api.note(id).update({"text": checked(text)})
        request.if_match(version)
        self._perform(request)

    def remove(self, id: str) -> None:
        """A note that is not there is removed."""
        try:
            self._perform(api.note(id).delete())
        except Complaint as complaint:
            if str(complaint) != GONE:
                raise

    def _perform(self, request: routable.Request) -> routable.Response:
        try:
            return self._client.perform(request)
        except routable.RoutableError as error:
            raise Complaint(told(error)) from error


GONE = "the note is gone"


def checked(text: str) -> str:
    if not text:
        raise Complaint("a note has a text")
    return text


def told(error: routable.RoutableError) -> str:
    """What a user is told of a failure."""
    if isinstance(error, routable.HTTPStatusError):
        statuses = {401: "sign in", 403: "sign in", 404: GONE, 410: GONE, 412: "somebody else changed the note", 429: "the service is busy"}
        return statuses.get(error.http_status or 0, f"the service failed with {error.http_status}")
    if isinstance(error, routable.TimeoutError):
        return "the service is too slow"
    if isinstance(error, (routable.TransferError, routable.TLSError)):
        return "you are offline"
    return error.message
