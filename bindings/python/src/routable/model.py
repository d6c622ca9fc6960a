"""Converts JSON values to Python types: dataclasses, TypedDicts, pydantic models and their members.

The conversion is strict: a string is not converted to a number, nor a number to a string; an integer may become a float.
Members that a model does not declare are dropped (a TypedDict keeps them).
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import enum
import sys
import typing
import uuid
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union, get_args, get_origin

from . import _json
from ._compiled import Unfit, reader_of
from ._misfit import Misfit as Misfit
from ._quick import decoder_of

if sys.version_info >= (3, 10):
    from types import UnionType

    _UNIONS: Tuple[Any, ...] = (Union, UnionType)
else:
    _UNIONS = (Union,)

_NAMES = {str: "a string", int: "an integer", float: "a number", bool: "true or false", type(None): "null"}


def fill(model: Any, value: Any) -> Any:
    """The JSON value as a `model`.  Raises Misfit if it does not fit, and TypeError for an unsupported model."""
    try:
        read = reader_of(model)
    except Exception:  # `convert` raises what is wrong with the model, if it is used
        return convert(model, value, "")
    try:
        return read(value)
    except Unfit:
        return convert(model, value, "")


def fill_body(model: Any, body: bytes) -> Any:
    """The body of a response as a `model`.  Raises the exceptions of `fill` and of `read_body`."""
    decode = decoder_of(model)
    if decode is not None:
        try:
            if not body.isascii():
                body.decode()  # msgspec does not check the strings that it skips
            return decode(body)
        except (ValueError, RecursionError):  # not JSON, or not the model: `fill` decides
            pass
    return fill(model, _json.read_body(body))


def convert(model: Any, value: Any, pointer: str) -> Any:
    """Like `fill`, for the value at a pointer: it looks at the model and the value together, and says what does not match."""
    if model is Any or model is object:
        return value
    if model is None:
        model = type(None)
    if hasattr(model, "__supertype__"):  # NewType
        return convert(model.__supertype__, value, pointer)
    records = sys.modules.get("routable.records")  # of a generated module
    if records is not None and isinstance(model, type) and issubclass(model, records.DataRecord):
        return _generated(model, value, pointer)
    if dataclasses.is_dataclass(model) and isinstance(model, type) and not hasattr(model, "model_validate"):
        return model(**_members(model, value, pointer, _dataclass_members(model)))
    if hasattr(model, "model_validate"):
        return _pydantic(model, value, pointer)
    if _is_typed_dict(model):
        return {**_object(value, pointer), **_members(model, value, pointer, _typed_dict_members(model))}
    origin = get_origin(model)
    if origin is not None:
        return _generic(model, origin, get_args(model), value, pointer)
    if isinstance(model, type):
        return _plain(model, value, pointer)
    raise TypeError(f"{model!r} is not a model: use a dataclass, a TypedDict or a pydantic model")


def _generated(model: Any, value: Any, pointer: str) -> Any:
    from ._shapes import RecordShape

    try:
        return RecordShape(model).checked(value)
    except Misfit as misfit:
        raise Misfit(pointer + misfit.pointer, misfit.why) from None


def _plain(model: Any, value: Any, pointer: str) -> Any:
    if model in _NAMES:
        fits = type(value) is model or (model is float and type(value) is int)
        if not fits:
            raise Misfit(pointer, f"expected {_NAMES[model]}, got {_kind(value)}")
        return float(value) if model is float else value
    if model is dict:
        return _object(value, pointer)
    if model is list:
        return _array(value, pointer)
    reader = _READERS.get(model)
    if reader is not None or issubclass(model, enum.Enum):
        try:
            return reader(convert(str, value, pointer)) if reader is not None else model(value)
        except ValueError:
            raise Misfit(pointer, f"{value!r} is not a valid {model.__name__}") from None
    raise TypeError(f"{model.__name__} is not a model: use a dataclass, a TypedDict or a pydantic model")


def _generic(model: Any, origin: Any, arguments: Tuple[Any, ...], value: Any, pointer: str) -> Any:
    if origin in _UNIONS:
        return _first(arguments, value, pointer)
    if origin is typing.Literal:
        for choice in arguments:
            if type(choice) is type(value) and choice == value:
                return value
        raise Misfit(pointer, f"expected one of {', '.join(map(repr, arguments))}, got {value!r}")
    if hasattr(model, "__metadata__"):  # Annotated
        return convert(arguments[0], value, pointer)
    if getattr(origin, "_name", None) in ("Required", "NotRequired", "ReadOnly", "Final"):
        return convert(arguments[0], value, pointer)
    if origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        return {
            name: convert(arguments[1], member, f"{pointer}/{_escape(name)}")
            for name, member in _object(value, pointer).items()
        }
    if origin in (list, set, frozenset, collections.abc.Sequence, collections.abc.Iterable):
        elements = [convert(arguments[0], each, f"{pointer}/{index}") for index, each in enumerate(_array(value, pointer))]
        return origin(elements) if origin in (set, frozenset) else elements
    if origin is tuple:
        array = _array(value, pointer)
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            arguments = (arguments[0],) * len(array)
        if len(array) != len(arguments):
            raise Misfit(pointer, f"expected {len(arguments)} elements, got {len(array)}")
        pairs = zip(arguments, array)
        return tuple(convert(each, element, f"{pointer}/{index}") for index, (each, element) in enumerate(pairs))
    raise TypeError(f"{model!r} is not a model: use a dataclass, a TypedDict or a pydantic model")


def _first(choices: Tuple[Any, ...], value: Any, pointer: str) -> Any:
    """The first choice of a union that matches.  If there is none, raises the error at the deepest position."""
    furthest: Optional[Misfit] = None
    for choice in choices:
        try:
            return convert(choice, value, pointer)
        except Misfit as misfit:
            if furthest is None or len(misfit.pointer) > len(furthest.pointer):
                furthest = misfit
    assert furthest is not None  # a union has at least two choices
    raise furthest


def _members(model: Any, value: Any, pointer: str, declared: Mapping[str, bool]) -> Dict[str, Any]:
    members, hints, filled = _object(value, pointer), typing.get_type_hints(model, include_extras=True), {}
    for name, required in declared.items():
        if name in members:
            filled[name] = convert(hints[name], members[name], f"{pointer}/{_escape(name)}")
        elif required:
            raise Misfit(pointer, f"{name!r} is missing")
    return filled


def _dataclass_members(model: Any) -> Dict[str, bool]:
    missing = dataclasses.MISSING
    return {
        field.name: field.default is missing and field.default_factory is missing
        for field in dataclasses.fields(model)
        if field.init
    }


def _typed_dict_members(model: Any) -> Dict[str, bool]:
    required, declared = model.__required_keys__, {}
    for name, hint in typing.get_type_hints(model, include_extras=True).items():
        # Where annotations are text, __required_keys__ does not know what they say.
        mark = getattr(get_origin(hint), "_name", None)
        declared[name] = mark == "Required" or (mark != "NotRequired" and name in required)
    return declared


def _pydantic(model: Any, value: Any, pointer: str) -> Any:
    try:
        return model.model_validate(value)
    except ValueError as error:  # pydantic.ValidationError is one
        details = error.errors() if hasattr(error, "errors") else [{"loc": (), "msg": str(error)}]
        where = "".join(f"/{_escape(str(step))}" for step in details[0]["loc"])
        raise Misfit(pointer + where, str(details[0]["msg"])) from error


def _is_typed_dict(model: Any) -> bool:
    return isinstance(model, type) and issubclass(model, dict) and hasattr(model, "__total__")


def _object(value: Any, pointer: str) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise Misfit(pointer, f"expected an object, got {_kind(value)}")
    return value


def _array(value: Any, pointer: str) -> "list[Any]":
    if not isinstance(value, list):
        raise Misfit(pointer, f"expected an array, got {_kind(value)}")
    return value


def _kind(value: Any) -> str:
    return {dict: "an object", list: "an array", **_NAMES}.get(type(value), type(value).__name__)


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _instant(text: str) -> datetime.datetime:
    # Before Python 3.11 fromisoformat does not know the Z.
    return datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)


_READERS: Dict[Any, Callable[[str], Any]] = {
    uuid.UUID: uuid.UUID,
    datetime.datetime: _instant,
    datetime.date: datetime.date.fromisoformat,
}
