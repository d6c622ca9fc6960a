"""The types of a generated module with dataclasses at run time: they read JSON into objects (docs/generate.md).

A generated module states types as text: annotations, and the arguments of its calls.  They are read when they are first used.
A value that the library found valid is read without being checked again, except to choose the type of a union.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ._misfit import Misfit
from .records import ABSENT, DataRecord, Plan, plan_of

__all__ = ["Reader", "RecordShape", "member"]

#: Why a value does not have a type, and the steps to the part that is wrong.
Wrong = Tuple[str, Tuple[str, ...]]
#: The results for values while one document is read, so that each value is checked once for each type.
Memo = Dict[Tuple[int, int], Optional[Wrong]]


class Shape:
    """A type.  This one is any JSON."""

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        """The reason why the value does not have this type; None if it has this type."""
        return None

    def read(self, value: Any, memo: Memo) -> Any:
        return value

    def knows(self, value: Any, memo: Memo) -> bool:
        """Whether it declares all members of a value that has this type."""
        return True

    def parts(self) -> Sequence[Shape]:
        return ()

    def given(self, value: Any) -> Any:
        """Reads a value of a response that deviates from its description, as far as the type can hold it: a member, an element
        or a value of a map that does not have its type is None.  Raises Misfit if the whole value does not have this type."""
        found = self.wrong(value, {})
        if found is not None:
            raise _misfit(found)
        return value

    def valid_or_given(self, value: Any) -> Any:
        try:
            return self.given(value)
        except RecursionError:
            raise Misfit("", "it is nested too deeply") from None

    def checked(self, value: Any) -> Any:
        """Reads a value that was not validated.  Raises Misfit."""
        memo: Memo = {}
        try:
            found = self.wrong(value, memo)
            if found is None:
                return self.read(value, memo)
        except RecursionError:
            raise Misfit("", "it is nested too deeply") from None
        raise _misfit(found)

    def valid(self, value: Any) -> Any:
        """Reads a value that was validated.  Raises Misfit if it has no type of a union, or is nested too deeply."""
        try:
            return self.read(value, {})
        except (Misfit, RecursionError):
            return self.checked(value)  # which finds the place of the fault


def _misfit(found: Wrong) -> Misfit:
    why, steps = found
    return Misfit("".join(f"/{each.replace('~', '~0').replace('/', '~1')}" for each in steps), why)


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "an array", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


class Scalar(Shape):
    def __init__(self, title: str, holds: Callable[[Any], bool]) -> None:
        self.title = title
        self.holds = holds

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        return None if self.holds(value) else (f"expected {self.title}, got {_kind(value)}", ())


def _given(shape: Shape, value: Any) -> Any:
    """A part of a value: None if it does not have its type."""
    try:
        return shape.given(value)
    except Misfit:
        return None


class OneOf(Shape):
    """A string or an integer with a fixed set of allowed values."""

    def __init__(self, values: Tuple[Any, ...]) -> None:
        self.values = frozenset(values)

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and value in self.values:
            return None
        return f"expected one of {', '.join(map(repr, sorted(self.values, key=str)[:20]))}, got {value!r:.100}", ()

    def given(self, value: Any) -> Any:
        if any(type(value) is type(each) for each in self.values):
            return value  # one that the description does not list
        return super().given(value)


class Nullable(Shape):
    def __init__(self, inner: Shape) -> None:
        self.inner = inner

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        return None if value is None else self.inner.wrong(value, memo)

    def read(self, value: Any, memo: Memo) -> Any:
        return None if value is None else self.inner.read(value, memo)

    def knows(self, value: Any, memo: Memo) -> bool:
        return value is None or self.inner.knows(value, memo)

    def parts(self) -> Sequence[Shape]:
        return (self.inner,)

    def given(self, value: Any) -> Any:
        return None if value is None else self.inner.given(value)


class ListShape(Shape):
    def __init__(self, inner: Shape) -> None:
        self.inner = inner

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        if type(value) is not list:
            return f"expected an array, got {_kind(value)}", ()
        for index, each in enumerate(value):
            found = self.inner.wrong(each, memo)
            if found is not None:
                return found[0], (str(index), *found[1])
        return None

    def read(self, value: Any, memo: Memo) -> Any:
        if type(value) is not list:
            raise Misfit("", f"expected an array, got {_kind(value)}")
        read = self.inner.read
        return [read(each, memo) for each in value]

    def given(self, value: Any) -> Any:
        if type(value) is not list:
            raise Misfit("", f"expected an array, got {_kind(value)}")
        return [_given(self.inner, each) for each in value]

    def knows(self, value: Any, memo: Memo) -> bool:
        return all(self.inner.knows(each, memo) for each in value)

    def parts(self) -> Sequence[Shape]:
        return (self.inner,)


class MapShape(Shape):
    def __init__(self, inner: Shape) -> None:
        self.inner = inner

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        if type(value) is not dict:
            return f"expected an object, got {_kind(value)}", ()
        for name, each in value.items():
            found = self.inner.wrong(each, memo)
            if found is not None:
                return found[0], (name, *found[1])
        return None

    def read(self, value: Any, memo: Memo) -> Any:
        if type(value) is not dict:
            raise Misfit("", f"expected an object, got {_kind(value)}")
        read = self.inner.read
        return {name: read(each, memo) for name, each in value.items()}

    def given(self, value: Any) -> Any:
        if type(value) is not dict:
            raise Misfit("", f"expected an object, got {_kind(value)}")
        return {name: _given(self.inner, each) for name, each in value.items()}

    def parts(self) -> Sequence[Shape]:
        return (self.inner,)


class RecordShape(Shape):
    """A generated class."""

    def __init__(self, record: Type[DataRecord]) -> None:
        self.record = record
        self.plan: Optional[Plan] = None

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        if type(value) is not dict:
            return f"expected an object, got {_kind(value)}", ()
        key = (id(value), id(self.record))
        if key not in memo:
            memo[key] = self._wrong(value, memo)
        return memo[key]

    def _wrong(self, value: Dict[str, Any], memo: Memo) -> Optional[Wrong]:
        plan = plan_of(self.record)
        for attribute in plan.names:
            if attribute in plan.required and plan.names[attribute] not in value:
                return f"{plan.names[attribute]!r} is missing", ()
        for name, each in value.items():
            if name in plan.members:
                found = plan.members[name][2].wrong(each, memo)
                if found is not None:
                    return found[0], (name, *found[1])
        return None

    def read(self, value: Any, memo: Memo) -> Any:
        if type(value) is not dict:
            raise Misfit("", f"expected an object, got {_kind(value)}")
        plan = self.plan
        if plan is None:
            plan = self.plan = plan_of(self.record)
        members = plan.members
        made = object.__new__(self.record)
        own = made.__dict__
        if plan.is_plain and value.keys() <= members.keys():
            own.update(value)
        else:
            for name, each in value.items():
                if name in members:
                    attribute, read, _ = members[name]
                    own[attribute] = each if read is None else read(each, memo)
                else:
                    made.extra[name] = each
        if not plan.required <= own.keys():
            raise Misfit("", f"{sorted(plan.required - own.keys())[0]!r} is missing")
        return made

    def given(self, value: Any) -> Any:
        if type(value) is not dict:
            raise Misfit("", f"expected an object, got {_kind(value)}")
        plan = plan_of(self.record)
        made = object.__new__(self.record)
        own = made.__dict__
        for name, each in value.items():
            if name in plan.members:
                attribute, _, shape = plan.members[name]
                own[attribute] = _given(shape, each)
            else:
                made.extra[name] = each
        for attribute in plan.required - own.keys():
            own[attribute] = None
        return made

    def knows(self, value: Any, memo: Memo) -> bool:
        return value.keys() <= plan_of(self.record).members.keys()  # type: ignore[no-any-return]


class UnionShape(Shape):
    """A union.  The discriminator selects the type.  Without one it is the first type that the value has and that declares all
    of its members; if there is none, the first type that the value has.
    """

    def __init__(self, options: Tuple[Shape, ...], told: str = "", values: Optional[Mapping[str, int]] = None) -> None:
        self.options = options
        self.told = told
        self.values = values or {}

    def parts(self) -> Sequence[Shape]:
        return self.options

    def _named(self, value: Any) -> Optional[Shape]:
        if self.told and type(value) is dict:
            name = value.get(self.told)
            if type(name) is str and name in self.values:
                return self.options[self.values[name]]
        return None

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        named = self._named(value)
        if named is not None:
            return named.wrong(value, memo)
        furthest: Optional[Wrong] = None
        for option in self.options:
            found = option.wrong(value, memo)
            if found is None:
                return None
            if furthest is None or len(found[1]) > len(furthest[1]):
                furthest = found
        return furthest

    def read(self, value: Any, memo: Memo) -> Any:
        named = self._named(value)
        if named is not None:
            return named.read(value, memo)
        first: Optional[Shape] = None
        for option in self.options:
            if option.wrong(value, memo) is None:
                if option.knows(value, memo):
                    return option.read(value, memo)
                first = first or option
        if first is None:
            raise Misfit("", "it has no type of the union")
        return first.read(value, memo)

    def given(self, value: Any) -> Any:
        named = self._named(value)
        if named is not None:
            return named.given(value)
        try:
            return self.read(value, {})
        except Misfit:
            pass
        best: Any = None
        for option in self.options:
            try:
                made = option.given(value)
            except Misfit:
                continue
            known = len(value.keys() - made.extra.keys()) if isinstance(made, DataRecord) else 0
            if best is None or known > best[0]:  # the first of those that declare most of its members
                best = (known, made)
        if best is None:
            raise Misfit("", "it has no type of the union")
        return best[1]

    def knows(self, value: Any, memo: Memo) -> bool:
        return any(option.wrong(value, memo) is None and option.knows(value, memo) for option in self.options)


class Alias(Shape):
    """A name of a generated module for a union or for allowed strings; the union may contain itself."""

    def __init__(self, text: str, module: str) -> None:
        self.text = text
        self.module = module
        self._shape: Optional[Shape] = None

    @property
    def shape(self) -> Shape:
        if self._shape is None:
            self._shape = shape_of(self.text, self.module)
        return self._shape

    def wrong(self, value: Any, memo: Memo) -> Optional[Wrong]:
        return self.shape.wrong(value, memo)

    def read(self, value: Any, memo: Memo) -> Any:
        return self.shape.read(value, memo)

    def knows(self, value: Any, memo: Memo) -> bool:
        return self.shape.knows(value, memo)

    def parts(self) -> Sequence[Shape]:
        return (self.shape,)

    def given(self, value: Any) -> Any:
        return self.shape.given(value)


# --- Text ---


class _Of:
    """The part of a type before its brackets."""

    def __init__(self, make: Callable[[Tuple[Any, ...]], Shape]) -> None:
        self.make = make

    def __getitem__(self, given: Any) -> Shape:
        return self.make(given if isinstance(given, tuple) else (given,))


def _union(given: Tuple[Any, ...]) -> Shape:
    options = tuple(each for each in given if each is not ABSENT)
    return options[0] if len(options) == 1 else UnionShape(options)


def _is_integer(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


_ANY = Shape()
_WORDS: Dict[str, Any] = {
    "Any": _ANY,
    "Absent": ABSENT,
    "str": Scalar("a string", lambda value: type(value) is str),
    "int": Scalar("an integer", _is_integer),
    "float": Scalar("a number", lambda value: type(value) in (int, float)),
    "bool": Scalar("true or false", lambda value: type(value) is bool),
    "Optional": _Of(lambda given: given[0] if given[0] is _ANY else Nullable(given[0])),
    "List": _Of(lambda given: ListShape(given[0])),
    "Dict": _Of(lambda given: MapShape(given[1])),
    "Literal": _Of(OneOf),
    "Union": _Of(_union),
    "Told": _Of(lambda given: UnionShape(given[2:], given[0], given[1])),
}


class _Names(Dict[str, Any]):
    """The names that the types of a module may contain."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(_WORDS)
        self.module = module
        self.spec = module.__spec__

    def __missing__(self, name: str) -> Shape:
        found = getattr(self.module, name)
        made: Shape = Alias(found, self.module.__name__) if isinstance(found, str) else RecordShape(found)
        self[name] = made
        return made


_names: Dict[str, _Names] = {}


def shape_of(text: str, name: str) -> Shape:
    """The shape of a type that the module with this name states."""
    module, names = sys.modules[name], _names.get(name)
    if names is None or names.module is not module or names.spec is not module.__spec__:  # also one that was loaded again
        names = _names[name] = _Names(module)
    made = names.get(text)
    if made is None:
        made = names[text] = eval(text, {"__builtins__": {}}, names)  # text of the generated module
    return made  # type: ignore[no-any-return]


def member(hint: Any, module: str, is_none_absent: bool) -> Tuple[Optional[Callable[[Any, Memo], Any]], Shape]:
    """The reader of an annotation, or None for JSON values, which remain unchanged; and its shape."""
    shape = shape_of(hint, module) if isinstance(hint, str) else _ANY
    if is_none_absent and isinstance(shape, Nullable):
        shape = shape.inner
    return shape.read if _has_records(shape) else None, shape


def _has_records(shape: Shape) -> bool:
    seen, waiting = set(), [shape]
    while waiting:
        each = waiting.pop()
        if isinstance(each, RecordShape):
            return True
        if id(each) not in seen:
            seen.add(id(each))
            waiting.extend(each.parts())
    return False


# --- Calls ---


def _take(shape: Shape, json: Any, deviates: bool) -> Any:
    return shape.valid_or_given(json) if deviates else shape.valid(json)


class Reader:
    """Reads the responses of a call."""

    __slots__ = ("module", "returns", "each", "errors")

    def __init__(self, module: str, returns: str, each: str, errors: Mapping[Tuple[int, int], str]) -> None:
        self.module = module
        self.returns = returns
        self.each = each
        self.errors = errors

    def value(self, json: Any, deviates: bool = False) -> Any:
        return _take(shape_of(self.returns, self.module), json, deviates) if self.returns else json

    def item(self, json: Any, deviates: bool = False) -> Any:
        return _take(shape_of(self.each, self.module), json, deviates) if self.each else json

    def checked_item(self, json: Any) -> Any:
        """Reads an item of a stream, whose values are not validated."""
        return shape_of(self.each, self.module).checked(json) if self.each else json

    def error(self, status: int, json: Any, deviates: bool = False) -> Any:
        for (lowest, highest), text in self.errors.items():
            if lowest <= status <= highest:
                return _take(shape_of(text, self.module), json, deviates)
        return json

    def misfit(self, status: int, json: Any) -> Optional[str]:
        """The reason why `error` has no value."""
        try:
            self.error(status, json)
        except Misfit as misfit:
            return str(misfit)
        return None
