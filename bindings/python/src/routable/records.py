"""The base of the classes that `routable generate python --dataclasses` writes (docs/generate.md).

They are dataclasses for type checkers and for the functions of the module dataclasses.  The run-time parts of a class are
made when it is first used, because a large description has thousands of classes, and a program uses few of them.

    status = Status(text="hello")            # keywords only; a required member that is missing is a TypeError
    status.note is ABSENT                    # a member that may be null is None or ABSENT, another optional one is None
    status.extra                             # the members that the description does not declare, by their names in JSON
    status.to_json(), Status.from_json({"text": "hello"})
"""

from __future__ import annotations

from sys import version_info
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Optional, Tuple, Type, TypeVar

if TYPE_CHECKING:
    from dataclasses import field
    from enum import Enum
    from typing import ClassVar, Final, Literal

    from typing_extensions import dataclass_transform

    class Absent(Enum):
        """The type of ABSENT."""

        ABSENT = "absent"

        def __bool__(self) -> Literal[False]: ...

    ABSENT: Final = Absent.ABSENT
else:

    class Absent:
        """The type of ABSENT."""

        __slots__ = ()

        def __bool__(self):
            return False

        def __repr__(self):
            return "ABSENT"

        def __reduce__(self):
            return "ABSENT"

    ABSENT = Absent()

    def dataclass_transform(**_options):
        return lambda made: made


__all__ = ["ABSENT", "Absent", "DataRecord", "spelled"]

Made = TypeVar("Made", bound="DataRecord")
_REQUIRED: Any = object()


class _Spelled:
    """A member whose name in JSON is not an identifier, or differs from its attribute."""

    __slots__ = ("name", "default")

    def __init__(self, name: str, default: Any) -> None:
        self.name = name
        self.default = default

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self
        if self.default is _REQUIRED:
            raise AttributeError(f"{owner.__name__}: {self.name!r} was deleted")
        return self.default


def spelled(name: str, *, default: Any = _REQUIRED) -> Any:
    """For generated code: a member with this name in JSON."""
    return _Spelled(name, default)


class Plan:
    """The members of a class."""

    __slots__ = ("members", "names", "defaults", "required", "record", "is_plain")

    def __init__(self, record: "Type[DataRecord]") -> None:
        from ._shapes import member

        self.record = record
        #: By the name in JSON: the attribute, what reads the value (None for what stays as it is), and the type.
        self.members: Dict[str, Tuple[str, Any, Any]] = {}
        #: The name in JSON of each attribute.
        self.names: Dict[str, str] = {}
        self.defaults: Dict[str, Any] = {}
        for base in reversed(record.__mro__):
            if base is DataRecord or not issubclass(base, DataRecord):
                continue
            # Before Python 3.10 a class without annotations has those of its base.
            hints = base.__annotations__ if version_info >= (3, 10) else base.__dict__.get("__annotations__", {})
            for attribute, hint in hints.items():
                default = base.__dict__.get(attribute, _REQUIRED)
                name = attribute
                if isinstance(default, _Spelled):
                    name, default = default.name, default.default
                self.names[attribute] = name
                if default is not _REQUIRED:
                    self.defaults[attribute] = default
                self.members[name] = (attribute, *member(hint, base.__module__, default is None))
        #: Whether the members of a JSON object are the attributes.
        self.is_plain = all(name == attribute and read is None for name, (attribute, read, _) in self.members.items())
        self.required = frozenset(self.names.keys() - self.defaults.keys())


def plan_of(record: "Type[DataRecord]") -> Plan:
    plan = record.__dict__.get("_plan")
    if plan is None:
        plan = Plan(record)
        type.__setattr__(record, "_plan", plan)
    return plan


class _Extra:
    """The members that the description does not declare; the dict is made on first access."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self
        made: Dict[str, Any] = {}
        instance.__dict__["extra"] = made
        return made


class _Standard:
    """An attribute that the module dataclasses requires of a dataclass."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any) -> Any:
        import dataclasses

        plan, fields = plan_of(owner), []
        for attribute in plan.names:
            default = plan.defaults.get(attribute, dataclasses.MISSING)
            fields.append((attribute, Any, dataclasses.field(default=default)))
        fields.append(("extra", Any, dataclasses.field(default_factory=dict)))
        made = dataclasses.make_dataclass(owner.__name__, fields, init=False, repr=False, eq=False)
        return getattr(made, self.name)


@dataclass_transform(kw_only_default=True, field_specifiers=(spelled,))
class _Dataclass:
    """Whose subclasses are dataclasses for a type checker."""


class DataRecord(_Dataclass):
    """An object of a description; a subclass of it is generated for each."""

    if TYPE_CHECKING:
        #: The members that the description does not declare, by their names in JSON.  They are written, too.
        extra: Dict[str, Any] = field(default_factory=dict)
        __dataclass_fields__: ClassVar[Dict[str, Any]]
    else:
        extra = _Extra()
        __dataclass_fields__ = _Standard("__dataclass_fields__")
        __dataclass_params__ = _Standard("__dataclass_params__")
        __hash__ = None

        def __init__(self, **members):
            plan = plan_of(type(self))
            wrong = members.keys() - plan.names.keys() - {"extra"}
            missing = plan.required - members.keys()
            if wrong:
                raise TypeError(f"{type(self).__name__}(): {_unknown(sorted(wrong)[0], plan)}")
            if missing:
                raise TypeError(f"{type(self).__name__}(): {', '.join(sorted(missing))} must be given")
            self.__dict__.update(members)

        def __setattr__(self, name, value):
            plan = plan_of(type(self))
            if name not in plan.names and not hasattr(type(self), name):
                raise AttributeError(f"{type(self).__name__}: {_unknown(name, plan)}")
            object.__setattr__(self, name, value)

    @classmethod
    def from_json(cls: Type[Made], value: Mapping[str, Any]) -> Made:
        """The object of a JSON value.  Raises ArgumentError, a ValueError, for a value that does not have this type."""
        from ._misfit import Misfit
        from ._shapes import RecordShape

        try:
            return RecordShape(cls).checked(value)  # type: ignore[no-any-return]
        except Misfit as misfit:
            from .errors import ArgumentError

            raise ArgumentError(f"the value is not a {cls.__name__}: {misfit}", pointer=misfit.pointer) from None

    def to_json(self) -> Dict[str, Any]:
        """The JSON value: a dict with the names of the description, without absent members."""
        return {name: _json(value) for name, value in _members(self)}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return dict(_members(self)) == dict(_members(other))

    def __repr__(self) -> str:
        plan, words = plan_of(type(self)), []
        for attribute in plan.names:
            value = self.__dict__.get(attribute, _REQUIRED)
            if value is not _REQUIRED and not (attribute in plan.defaults and value is plan.defaults[attribute]):
                words.append(f"{attribute}={value!r}")
        if self.__dict__.get("extra"):
            words.append(f"extra={self.extra!r}")
        return f"{type(self).__name__}({', '.join(words)})"


def _members(record: DataRecord) -> Iterator[Tuple[str, Any]]:
    """The members that are present, by their names in JSON; their values are not converted."""
    plan, own = plan_of(type(record)), record.__dict__
    for attribute, name in plan.names.items():
        if attribute in own:
            value = own[attribute]
            if attribute not in plan.defaults or value is not plan.defaults[attribute]:
                yield name, value
        elif attribute in plan.required:
            raise TypeError(f"{type(record).__name__}: {attribute} was deleted, but is required")
    extra = own.get("extra")
    if extra:
        for name, value in extra.items():
            if name in plan.members:
                attribute = plan.members[name][0]
                raise TypeError(f"{type(record).__name__}: {name!r} is declared as {attribute}, and cannot be an extra member")
            yield name, value


def shallow(record: DataRecord) -> Dict[str, Any]:
    """The JSON value, in which other records are not converted."""
    return dict(_members(record))


def _json(value: Any) -> Any:
    if isinstance(value, DataRecord):
        return value.to_json()
    if isinstance(value, dict):
        return {name: _json(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json(each) for each in value]
    if isinstance(value, Absent):
        raise TypeError("ABSENT is only allowed as a member of an object")
    return value


def _unknown(name: str, plan: Plan) -> str:
    from difflib import get_close_matches

    near: Optional[str] = next(iter(get_close_matches(name, plan.names, 1)), None)
    return f"there is no member {name!r}" + (f"; did you mean {near!r}?" if near else "")
