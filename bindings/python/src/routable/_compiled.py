"""Readers of models: one function for each model, which is made once, and converts JSON values without looking at the model again.

A reader returns what the module `model` returns for a value that matches.  For any other value it raises Unfit, without a
reason: `model` then converts the value again, slowly, and states the reason.  A model that no reader can be made for is left to
`model` as well.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import sys
import typing
from typing import Any, Callable, Dict, List, Tuple, get_args, get_origin

from ._misfit import Misfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

Reader = Callable[[Any], Any]

_SEQUENCES = (list, collections.abc.Sequence, collections.abc.Iterable)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_SCALARS = (str, int, bool, float)
_KEPT = 256  # so many readers are kept

#: By the key of the model, with the model itself, so that nothing else gets its identity.
_readers: Dict[Any, Tuple[Any, Reader]] = {}


class Unfit(Exception):
    """The value does not match."""


def key_of(model: Any) -> Any:
    """Equal for equal models only, with the order of the types of a union, which decides."""
    arguments = get_args(model)
    if not arguments:
        return id(model)
    if get_origin(model) is typing.Literal:
        return typing.Literal, tuple((type(each), each) for each in arguments)
    return id(get_origin(model)), tuple(map(key_of, arguments))


def reader_of(model: Any) -> Reader:
    """The reader of a model.  Raises any exception for a model that none can be made for."""
    key = key_of(model)
    known = _readers.get(key)
    if known is None:
        if len(_readers) >= _KEPT:
            _readers.clear()
        known = _readers[key] = model, _Source().reader(model)
    return known[1]


def _later(model: Any) -> Reader:
    """The reader of a class, which may refer to the class that is being read."""
    found: "List[Reader]" = []

    def read(value: Any) -> Any:
        if not found:
            try:
                found.append(reader_of(model))
            except Exception:
                raise Unfit from None
        return found[0](value)

    return read


class _Source:
    """The source of one reader, which contains numbers and the names of members as literals, and the scope that it runs in."""

    def __init__(self) -> None:
        self._lines: List[str] = []
        self._scope: Dict[str, Any] = {"Unfit": Unfit, "missing": object(), "new": object.__new__}
        self._count = 0

    def reader(self, model: Any) -> Reader:
        if _is_dataclass(model):
            result = self._dataclass(model)
        elif _is_typed_dict(model):
            result = self._typed_dict(model)
        else:
            result = self._value("value", model, 1)
        exec("\n".join(["def read(value):", *self._lines, f" return {result}"]), self._scope)
        read: Reader = self._scope["read"]
        return read

    def _name(self, thing: Any = None) -> str:
        """A new name: of a local variable, or of something in the scope."""
        self._count += 1
        name = f"n{self._count}"
        if thing is not None:
            self._scope[name] = thing
        return name

    def _add(self, depth: int, *lines: str) -> None:
        self._lines += [" " * depth + line for line in lines]

    # --- Values ---

    def _value(self, name: str, model: Any, depth: int) -> str:
        """Adds what the conversion of a variable needs; returns the expression of its result, which is evaluated once."""
        while hasattr(model, "__supertype__"):  # NewType
            model = model.__supertype__
        origin, arguments = get_origin(model), get_args(model)
        if model is Any or model is object:
            return name
        if model is None or model is type(None):
            self._add(depth, f"if {name} is not None: raise Unfit")
            return name
        if origin is None and model in _SCALARS:
            if model is not float:
                self._add(depth, f"if type({name}) is not {model.__name__}: raise Unfit")
                return name
            self._add(depth, f"if type({name}) is not float:")
            self._add(depth + 1, f"if type({name}) is not int: raise Unfit", f"{name} = float({name})")
            return name
        if origin in _SEQUENCES:
            return self._list(name, arguments[0], depth)
        if origin in _MAPPINGS:
            return self._dict(name, arguments[1], depth)
        if _is_union(origin):
            return self._union(name, model, arguments, depth)
        if hasattr(model, "__metadata__") or getattr(origin, "_name", None) in ("Required", "NotRequired", "ReadOnly", "Final"):
            return self._value(name, arguments[0], depth)
        if origin is typing.Literal and all(type(each) is str for each in arguments):
            self._add(depth, f"if type({name}) is not str or {name} not in {self._name(frozenset(arguments))}: raise Unfit")
            return name
        return f"{self._name(_function(model))}({name})"

    def _list(self, name: str, element: Any, depth: int) -> str:
        self._add(depth, f"if type({name}) is not list: raise Unfit")
        each, made, before = self._name(), self._name(), len(self._lines)
        result = self._value(each, element, depth + 1)
        lines, self._lines = self._lines[before:], self._lines[:before]
        if not lines:
            return f"[{result} for {each} in {name}]"
        self._add(depth, f"{made} = []", f"for {each} in {name}:")
        self._lines += lines
        self._add(depth + 1, f"{made}.append({result})")
        return made

    def _dict(self, name: str, member: Any, depth: int) -> str:
        key, each, made = self._name(), self._name(), self._name()
        self._add(depth, f"if type({name}) is not dict: raise Unfit", f"{made} = {{}}", f"for {key}, {each} in {name}.items():")
        result = self._value(each, member, depth + 1)
        self._add(depth + 1, f"{made}[{key}] = {result}")
        return made

    def _union(self, name: str, model: Any, choices: Tuple[Any, ...], depth: int) -> str:
        others = [each for each in choices if each is not type(None)]
        if len(others) == 1 and _refuses_null(others[0]):
            self._add(depth, f"if {name} is not None:")
            before = len(self._lines)
            result = self._value(name, others[0], depth + 1)
            if result != name or len(self._lines) == before:
                self._add(depth + 1, f"{name} = {result}")
            return name
        if all(each in (str, int, bool, type(None)) for each in choices):
            self._add(depth, f"if type({name}) not in {self._name(frozenset(choices))}: raise Unfit")
            return name
        return f"{self._name(_function(model))}({name})"

    # --- Classes ---

    def _members(self, model: Any, declared: "typing.Mapping[str, bool]", defaults: "typing.Mapping[str, str]") -> "List[Tuple[str, str]]":
        """Reads the members into variables.  A member that is not there, and need not be, is its default, or `missing`."""
        hints = typing.get_type_hints(model, include_extras=True)
        self._add(1, "if type(value) is not dict: raise Unfit")
        places = [(member, self._name()) for member in declared]
        if any(declared.values()):
            self._add(1, "try:", *(f" {place} = value[{member!r}]" for member, place in places if declared[member]))
            self._add(1, "except KeyError: raise Unfit from None")
        for member, place in places:
            depth = 1
            if not declared[member]:
                self._add(1, f"{place} = value.get({member!r}, missing)")
                if member in defaults:
                    self._add(1, f"if {place} is missing: {place} = {defaults[member]}", "else:")
                else:
                    self._add(1, f"if {place} is not missing:")
                depth = 2
            before = len(self._lines)
            result = self._value(place, hints[member], depth)
            if result != place:
                self._add(depth, f"{place} = {result}")
            elif depth == 2 and len(self._lines) == before:
                self._add(2, "pass")
        return places

    def _dataclass(self, model: Any) -> str:
        from .model import _dataclass_members

        declared = _dataclass_members(model)
        fields = {field.name: field for field in dataclasses.fields(model)}
        defaults: Dict[str, str] = {}
        if is_generated(model.__init__):  # it does the same with a default that is given
            for member, required in declared.items():
                if not required:
                    factory = fields[member].default_factory
                    is_value = factory is dataclasses.MISSING
                    name = self._name()
                    self._scope[name] = fields[member].default if is_value else factory
                    defaults[member] = name if is_value else f"{name}()"
        places, made = self._members(model, declared, defaults), self._name(model)
        in_order = _arguments(model) == [member for member, _ in places]
        every = ", ".join(place if in_order else f"{member}={place}" for member, place in places)
        optional = [(member, place) for member, place in places if not declared[member] and member not in defaults]
        if not optional and in_order and _only_assigns(model):
            self._add(1, f"made = new({made})", *(f"made.{member} = {place}" for member, place in places))
            return "made"
        if not optional:
            return f"{made}({every})"
        self._add(1, f"if {' and '.join(f'{place} is not missing' for _, place in optional)}: return {made}({every})")
        more = self._name()
        self._add(1, f"{more} = {{}}", *(f"if {place} is not missing: {more}[{member!r}] = {place}" for member, place in optional))
        needed = [f"{member}={place}" for member, place in places if (member, place) not in optional]
        return f"{made}({', '.join([*needed, f'**{more}'])})"

    def _typed_dict(self, model: Any) -> str:
        from .model import _typed_dict_members

        declared, made = _typed_dict_members(model), self._name()
        places = self._members(model, declared, {})
        self._add(1, f"{made} = {{**value}}")
        for member, place in places:
            self._add(1, f"{'' if declared[member] else f'if {place} is not missing: '}{made}[{member!r}] = {place}")
        return made


def is_generated(function: Any) -> bool:
    """Whether a function of a dataclass was written by the module dataclasses."""
    return getattr(getattr(function, "__code__", None), "co_filename", "") == "<string>"


def _only_assigns(model: Any) -> bool:
    """Whether the constructor of a dataclass only assigns its arguments, which takes longer with a call."""
    return (
        is_generated(model.__init__) and model.__setattr__ is object.__setattr__ and not hasattr(model, "__post_init__")
        and all(field.init for field in dataclasses.fields(model))
    )


def _arguments(model: Any) -> "Optional[List[str]]":
    """The arguments that a class takes by position; None if only a call tells."""
    code = getattr(model.__init__, "__code__", None)
    if code is None or model.__new__ is not object.__new__ or type(model).__call__ is not type.__call__:
        return None
    return list(code.co_varnames[1 : code.co_argcount])


def _is_record(model: Any) -> bool:
    records = sys.modules.get("routable.records")  # of a generated module
    return records is not None and isinstance(model, type) and issubclass(model, records.DataRecord)


def _is_dataclass(model: Any) -> bool:
    return (
        isinstance(model, type) and get_origin(model) is None and dataclasses.is_dataclass(model)
        and not hasattr(model, "model_validate") and not _is_record(model)
    )


def _is_typed_dict(model: Any) -> bool:
    return (
        isinstance(model, type) and issubclass(model, dict) and hasattr(model, "__total__") and not hasattr(model, "model_validate")
        and not dataclasses.is_dataclass(model)
    )


def _is_union(origin: Any) -> bool:
    from .model import _UNIONS

    return origin in _UNIONS


def _refuses_null(model: Any) -> bool:
    """Whether a model has no other conversion of null than to refuse it, so that the order of an optional type does not matter."""
    return model in _SCALARS or get_origin(model) in (*_SEQUENCES, *_MAPPINGS) or _is_dataclass(model) or _is_typed_dict(model)


def _function(model: Any) -> Reader:
    """A function that converts a value to a model of its own."""
    from . import model as models

    if _is_dataclass(model) or _is_typed_dict(model):
        return _later(model)
    if isinstance(model, type) and get_origin(model) is None:
        if hasattr(model, "model_validate"):
            return _guarded(model.model_validate)
        if issubclass(model, enum.Enum) and model not in models._READERS and not _is_record(model):
            return _guarded(model)
        parse = models._READERS.get(model)
        if parse is not None:
            return _parsed(parse)
    convert = models.convert

    def read(value: Any) -> Any:
        try:
            return convert(model, value, "")
        except Misfit:
            raise Unfit from None

    return read


def _guarded(make: Reader) -> Reader:
    def read(value: Any) -> Any:
        try:
            return make(value)
        except ValueError:  # pydantic.ValidationError is one
            raise Unfit from None

    return read


def _parsed(parse: Callable[[str], Any]) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not str:
            raise Unfit
        try:
            return parse(value)
        except ValueError:
            raise Unfit from None

    return read
