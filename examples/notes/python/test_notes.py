"""Tests of the application without a network: canned responses by operation, faults, and what was sent."""

from __future__ import annotations

from typing import Any, Iterator

import pytest
import routable
from notes import Complaint, Note, Notes, api
from routable.testing import Mock, Responses

TEA = {"id": "7", "text": "tea"}


@pytest.fixture
def responses() -> Iterator[Responses]:
    with Responses() as made:  # at its end: nothing unexpected, and nothing unused
        yield made


@pytest.fixture
def notes(responses: Responses) -> Iterator[Notes]:
    with routable.Client(transport=responses, retries=2, retry_delay=0.001, deviations="raise") as client:
        yield Notes(client)


# --- Reading ---


def test_read(responses: Responses, notes: Notes) -> None:
    responses.add("read", route="note", json=TEA)
    assert notes.read("7") == Note("7", "tea")
    assert responses.requests[0].url == "https://notes.example/v1/notes/7"


@pytest.mark.parametrize("id, segment", [("a b", "a%20b"), ("a/b", "a%2Fb"), ("ä", "%C3%A4")])
def test_an_id_is_one_segment(responses: Responses, notes: Notes, id: str, segment: str) -> None:
    responses.add("read", json=TEA)
    notes.read(id)
    assert responses.requests[0].url.endswith(f"/notes/{segment}")


@pytest.mark.parametrize("status, told", [
    (401, "sign in"), (403, "sign in"), (404, "the note is gone"), (410, "the note is gone"), (429, "the service is busy"), (418, "failed with 418"),
])
def test_what_a_user_is_told_of_a_status(responses: Responses, notes: Notes, status: int, told: str) -> None:
    responses.add("read", status)
    with pytest.raises(Complaint, match=told):
        notes.read("7")


@pytest.mark.parametrize("fault, told", [
    ("name", "offline"), ("connect", "offline"), ("tls", "offline"), ("reset", "offline"), ("timeout", "too slow"),
])
def test_what_a_user_is_told_of_a_fault(responses: Responses, notes: Notes, fault: str, told: str) -> None:
    responses.add(fault=fault, times=None)
    with pytest.raises(Complaint, match=told):
        notes.read("7")


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"id":7}'])
def test_a_body_that_is_no_note(responses: Responses, notes: Notes, body: bytes) -> None:
    responses.add(body=body)
    with pytest.raises(Complaint):
        notes.read("7")


@pytest.mark.parametrize("count", [1, 2])
def test_a_lost_connection_is_tried_again(responses: Responses, notes: Notes, count: int) -> None:
    responses.add(fault="reset", times=count)
    responses.add(json=TEA)
    assert notes.read("7").text == "tea"


# --- Writing ---


def test_an_added_note_is_read_where_the_service_says(responses: Responses, notes: Notes) -> None:
    responses.add("create", 201, route="note", json=TEA, headers={"Location": "/v1/notes/7"})
    responses.add("read", route="note", json=TEA)
    assert notes.add("tea").id == "7"
    assert responses.requests[0].json() == {"text": "tea"}


def test_a_creation_is_not_repeated(responses: Responses, notes: Notes) -> None:
    responses.add("create", fault="reset")
    with pytest.raises(Complaint, match="offline"):
        notes.add("tea")


def test_a_creation_without_a_location(responses: Responses, notes: Notes) -> None:
    responses.add("create", 201, json=TEA)
    with pytest.raises(Complaint, match="no Location header"):
        notes.add("tea")


def test_nothing_is_sent_for_an_empty_text(responses: Responses, notes: Notes) -> None:
    for change in (lambda: notes.add(""), lambda: notes.edit("7", "", '"v"')):
        with pytest.raises(Complaint, match="has a text"):
            change()
    assert not responses.requests


@pytest.mark.parametrize("status", [200, 412])
def test_an_edit_names_the_version(responses: Responses, notes: Notes, status: int) -> None:
    responses.add("update", status, json=TEA)
    if status == 200:
        notes.edit("7", "x", '"v7"')
    else:
        with pytest.raises(Complaint, match="somebody else"):
            notes.edit("7", "x", '"v7"')
    assert responses.requests[0].headers["if-match"] == '"v7"'


@pytest.mark.parametrize("status", [204, 404, 410])
def test_a_note_that_is_gone_is_removed(responses: Responses, notes: Notes, status: int) -> None:
    responses.add("delete", status)
    notes.remove("7")


def test_a_removal_that_is_refused(responses: Responses, notes: Notes) -> None:
    responses.add("delete", 403)
    with pytest.raises(Complaint, match="sign in"):
        notes.remove("7")


# --- Pages ---


@pytest.mark.parametrize("count", [1, 3])
def test_the_texts_of_all_pages(responses: Responses, notes: Notes, count: int) -> None:
    for number in range(1, count + 1):
        link: Any = {} if number == count else {"Link": f"</v1/notes?page={number + 1}>; rel=next"}
        responses.add("list", json=[{"id": str(number), "text": f"t{number}"}], headers=link)
    assert notes.texts() == [f"t{number}" for number in range(1, count + 1)]


def test_a_page_that_fails(responses: Responses, notes: Notes) -> None:
    responses.add("list", 403)
    with pytest.raises(Complaint, match="sign in"):
        notes.texts()


# --- With a mock in place of the service ---


def test_with_a_mock() -> None:
    with Mock(api) as mock, routable.Client(transport=mock, retries=2, retry_delay=0.001, deviations="raise") as client:
        notes = Notes(client)
        mock.fault("read", status=503, times=None, rate=0.1)
        mock.fault("read", fault="reset")
        made = [notes.add(f"note {number}") for number in range(60)]
        assert [note.id for note in made] == [str(number) for number in range(1, 61)]
        assert notes.read("7") == Note("7", "note 6")
        assert len(notes.texts()) == 60  # two pages
        notes.edit("7", "other", '"1"')
        assert notes.read("7").text == "other"
        with pytest.raises(Complaint, match="somebody else changed"):
            notes.edit("7", "late", '"1"')
        notes.remove("7")
        notes.remove("7")
        with pytest.raises(Complaint, match="the note is gone"):
            notes.read("7")
