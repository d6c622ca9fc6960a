"""The fields of exceptions, and their builtin base classes."""

from __future__ import annotations

import builtins
import copy
import json
import pickle
from pathlib import Path
from typing import Any, Callable, List, Type

import pytest
import routable
from routable.errors import CLASS_OF_CODE

BUILTINS = [
    ("ArgumentError", ValueError), ("JSONError", ValueError), ("DocumentError", ValueError),
    ("ConflictError", ValueError), ("UnsupportedError", NotImplementedError), ("LimitError", ValueError),
    ("FileError", OSError), ("URLError", ValueError), ("UnknownError", LookupError), ("IdError", ValueError),
    ("ValueRefusedError", ValueError), ("ShadowedError", ValueError), ("ParameterError", ValueError),
    ("BodyError", ValueError), ("HeaderError", ValueError), ("CurlMissingError", OSError),
    ("TransferError", ConnectionError), ("TLSError", ConnectionError), ("TimeoutError", builtins.TimeoutError),
    ("ResponseError", ValueError), ("InternalError", RuntimeError),
]


@pytest.mark.parametrize(("name", "builtin"), BUILTINS)
def test_error_classes_have_builtin_bases(name: str, builtin: type) -> None:
    kind = getattr(routable, name)
    assert issubclass(kind, builtin) and issubclass(kind, routable.RoutableError)


@pytest.mark.parametrize("kind", [CLASS_OF_CODE[code] for code in sorted(CLASS_OF_CODE)])
def test_details_survive_pickle_and_copy(kind: Type[routable.RoutableError]) -> None:
    error = kind("why", pointer="/a", offset=3, allowed=("x", "y"), suggestion="x", next=kind("more"))
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is kind and str(again) == "why"
        assert (again.pointer, again.offset, again.allowed, again.suggestion) == ("/a", 3, ("x", "y"), "x")
        assert (again.status, again.code, str(again.next)) == (kind.status, kind.code, "more")


def test_a_json_error_has_its_position() -> None:
    with pytest.raises(routable.JSONError) as caught:
        routable.loads('{"routable": 1,\n  "resources": nonsense}')
    error = caught.value
    assert (error.status, error.code) == ("json", 18)
    assert (error.line, error.column) == (2, 16)
    assert error.offset == 31
    assert error.message in str(error) and "line 2, column 16" in str(error)


def test_an_invalid_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    for text, kind in (("{", routable.JSONError), ('{"routable": 1, "resorces": {}}', routable.DocumentError)):
        path.write_text(text)
        with pytest.raises(kind) as caught:
            routable.open(path)
        assert caught.value.message.startswith(f"{path}: ")
        assert caught.value.line == 1


@pytest.mark.parametrize("key", ["type", "response", "responses", "result"])
def test_the_key_of_results_is_suggested(key: str) -> None:
    with pytest.raises(routable.DocumentError, match='did you mean "results"') as caught:
        routable.loads(json.dumps({"routable": 1, "operations": {"a": {"get": "/x", key: {}}}}))
    assert caught.value.suggestion == "results"


def test_a_document_error_has_a_pointer_and_a_suggestion() -> None:
    with pytest.raises(routable.DocumentError) as caught:
        routable.loads('{"routable": 1, "resorces": {}}')
    error = caught.value
    assert error.pointer == "/resorces"
    assert error.suggestion == "resources"
    assert "resources" in error.allowed
    assert error.offset is not None and error.line == 1


def test_positions_refer_to_the_text_of_the_caller(social: routable.Router) -> None:
    with pytest.raises(routable.DocumentError) as caught:
        routable.open({"routable": 1, "resorces": {}})
    assert (caught.value.pointer, caught.value.offset, caught.value.line) == ("/resorces", None, None)
    with pytest.raises(routable.ValueRefusedError) as refused:
        social.user("..").read()
    assert (refused.value.pointer, refused.value.offset, refused.value.column) == ("/ids/0", None, None)


def test_a_missing_file_is_a_file_error() -> None:
    with pytest.raises(routable.FileError, match="nowhere.json") as caught:
        routable.open("/nowhere/nowhere.json")
    assert isinstance(caught.value, OSError)


def test_an_invalid_base_is_refused() -> None:
    with pytest.raises(routable.URLError):
        routable.open({"routable": 1, "base": "ftp://h", "resources": {}})


def test_later_keys_are_unsupported() -> None:
    with pytest.raises(routable.UnsupportedError) as caught:
        routable.open({"routable": 1, "operations": {"get": {"get": "/x", "query": {"a": {"style": "form"}}}}})
    assert caught.value.pointer == "/operations/get/query/a/style"


def test_routes_of_one_path_conflict() -> None:
    with pytest.raises(routable.ConflictError):
        routable.open({"routable": 1, "operations": {"a": {"get": "/x/{a}"}, "b": {"get": "/x/{b}"}}})


def test_a_not_allowed_error_lists_the_allowed_operations(social: routable.Router) -> None:
    with pytest.raises(routable.NotAllowedError) as caught:
        social.build("user.status", "update", routable.using(ids=["a", "1"]))
    error = caught.value
    assert (error.status, error.code) == ("not_allowed", 23)
    assert error.route == "user.status"
    assert error.operation == "update"
    assert error.allowed == ("create", "delete", "read")
    assert "status" in error.message and "update" in error.message


def test_an_unknown_route_has_a_suggestion(social: routable.Router) -> None:
    with pytest.raises(routable.UnknownError) as caught:
        social.build("user.staus", "read", routable.using(ids=["a", "1"]))
    assert caught.value.suggestion == "status"
    assert caught.value.allowed == ("picture", "post", "status")
    with pytest.raises(routable.UnknownError) as caught:
        social.build("serch", routable.using(query={"q": "x"}))
    assert caught.value.suggestion == "search"


def test_missing_and_surplus_ids_are_refused(social: routable.Router) -> None:
    for ids in ([], ["a"], ["a", "b", "c"], {"user_id": "a"}, {"user_id": "a", "id": "1", "x": "2"}):
        with pytest.raises(routable.IdError) as caught:
            social.build("user.status", "read", routable.using(ids=ids))
        assert caught.value.route == "user.status", ids


def test_unknown_and_missing_parameters_are_refused(social: routable.Router) -> None:
    with pytest.raises(routable.ParameterError) as caught:
        social.build("search")
    assert caught.value.parameter == "q"
    with pytest.raises(routable.ParameterError) as caught:
        social.operations.search(q="x", pge=2)
    assert caught.value.suggestion == "page"
    with pytest.raises(routable.ValueRefusedError) as refused:
        social.operations.search(q="x", page="two")
    assert refused.value.parameter == "page"


def test_body_error_points_into_the_body_and_the_schema(social: routable.Router) -> None:
    with pytest.raises(routable.BodyError) as caught:
        social.user("a").status.create({"text": 7})
    assert caught.value.pointer.endswith("/text")
    assert caught.value.schema_pointer == "/properties/text/type"


def test_names_with_nul_are_refused_before_c_could_cut_them(social: routable.Router) -> None:
    for call in (
        lambda: social.user("a").read().set_header("a\0b", "c"),
        lambda: social.user("a").read().set_body(b"", "text/plain\0x"),
        lambda: social.map_response("user\0x", "read", 200),
        lambda: routable.open("soc\0ial.json"),
        lambda: routable.open({"routable": 1}, base="http://h\0x"),
        lambda: routable.Client(base="http://h\0x"),
        lambda: social.user_data["x-\0"],
    ):
        with pytest.raises(routable.ArgumentError, match="NUL"):
            call()


def test_wrong_python_types_are_type_errors(social: Any) -> None:
    open_, loads = (getattr(routable, each) for each in ("open", "loads"))
    calls: List[Callable[[], object]] = [
        lambda: open_(b"{}"),
        lambda: loads({}),
        lambda: social.build("user", "read", routable.using(ids="a")),
        lambda: social.operations.search(routable.using(query={1: 2})),
        lambda: social.user(object()).read(),
        lambda: social.user("a").read().set_header("a", 7),
        lambda: social.user("a").read().set_body("text"),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    # A collection has as many ids as its resource declares (several ids in one step).
    with pytest.raises(routable.IdError, match="2 ids are given; expected: username"):
        social.user("a", "b")
