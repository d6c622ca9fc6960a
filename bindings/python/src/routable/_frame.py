"""Frame: the memory for the values and the URL of one call of a plan, which the next call uses again."""

from __future__ import annotations

import sys
from ctypes import addressof, byref, c_char, c_char_p, c_size_t, c_void_p, cast, create_string_buffer
from struct import Struct

from . import _capi as c
from . import _json
from ._handle import Handle
from ._text import utf8

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

_VALUE = 24  # bytes of a routable_value
_SLOT = 64  # bytes of a string that is copied after the values; a longer one is referenced
_URL = 2048  # bytes of the first buffer
_PLAIN = frozenset((str, int, float, bool))  # which are no enums

# A routable_value: kind, reserved and the union, in the order of routable.h.
_pack_text = Struct("=iiQQ").pack_into
_pack_integer = Struct("=iiqQ").pack_into
_pack_real = Struct("=iidQ").pack_into


class Frame:
    """The memory of one call at a time: the values, short strings, and the buffer of the URL.

    In `memory`: the values of the query, those of the ids, then slots for the texts of the ids and of the query.
    """

    arguments: Tuple[Any, ...]
    arguments_with_query: Tuple[Any, ...]

    __slots__ = (
        "memory", "id_slots", "buffer", "arguments", "arguments_with_query", "_start", "_plan", "_counts", "_length",
    )

    def __init__(self, plan: Handle, id_count: int, query_count: int) -> None:
        count = id_count + query_count
        self.memory = bytearray((_VALUE + _SLOT) * count + 1)
        self._start = addressof(c_char.from_buffer(self.memory))
        self.id_slots = self._start + _VALUE * count
        self._plan, self._counts = plan._as_parameter_, (id_count, query_count)
        self._length = c_size_t(_URL - 1)
        self.grow()

    def grow(self) -> None:
        """Allocates a buffer for the URL of `_length` bytes."""
        self.buffer = create_string_buffer(self._length.value + 1)
        id_count, query_count = self._counts
        end = c_size_t(len(self.buffer)), byref(self._length), None
        ids = c_void_p(self._start + _VALUE * query_count), c_size_t(id_count)
        self.arguments = (self._plan, *ids, None, c_size_t(0), self.buffer, *end)
        query = c_void_p(self._start), c_size_t(query_count)
        self.arguments_with_query = (self._plan, *ids, *query, self.buffer, *end)

    def put_ids(self, ids: Sequence[object], held: List[bytes]) -> None:
        """Writes ids of any types; the objects that the values point to are appended to `held`."""
        first = self._counts[1]
        for index, value in enumerate(ids):
            self._put(first + index, index, value, held)

    def put_query(self, places: Dict[str, int], query: Dict[str, object], held: List[bytes]) -> Optional[str]:
        """Writes the values of the query.  Returns a name that is not declared, if there is one."""
        id_count, query_count = self._counts
        self.memory[: _VALUE * query_count] = bytes(_VALUE * query_count)
        for key, value in query.items():
            place = places.get(key)
            if place is None:
                return key
            self._put(place, id_count + place, value, held)
        return None

    def _put(self, place: int, slot: int, value: Any, held: List[bytes]) -> None:
        at = _VALUE * place
        if type(value) not in _PLAIN and (enum := sys.modules.get("enum")) is not None and isinstance(value, enum.Enum):
            value = value.value
        if isinstance(value, str):
            self._put_text(at, slot, c.ROUTABLE_KIND_STRING, utf8("value", value), held)
        elif isinstance(value, bool):
            _pack_integer(self.memory, at, c.ROUTABLE_KIND_BOOLEAN, 0, value, 0)
        elif isinstance(value, int):
            if -(2**63) <= value < 2**63:
                _pack_integer(self.memory, at, c.ROUTABLE_KIND_INTEGER, 0, value, 0)
            else:
                self._put_text(at, slot, c.ROUTABLE_KIND_STRING, _json.dumps("value", value), held)
        elif isinstance(value, float):
            _pack_real(self.memory, at, c.ROUTABLE_KIND_REAL, 0, value, 0)
        elif value is None:
            _pack_integer(self.memory, at, c.ROUTABLE_KIND_NULL, 0, 0, 0)
        else:
            simple = _json.plain(value)
            if isinstance(simple, str):  # a UUID, a date
                self._put(place, slot, simple, held)
            else:
                self._put_text(at, slot, c.ROUTABLE_KIND_JSON, _json.dumps("value", value), held)

    def _put_text(self, at: int, slot: int, kind: int, text: bytes, held: List[bytes]) -> None:
        if len(text) <= _SLOT:
            start = _VALUE * sum(self._counts) + _SLOT * slot
            self.memory[start : start + len(text)] = text
            _pack_text(self.memory, at, kind, 0, self._start + start, len(text))
        else:
            held.append(text)
            _pack_text(self.memory, at, kind, 0, cast(c_char_p(text), c_void_p).value, len(text))


def remembered(make: Callable[..., Any]) -> Callable[..., Any]:
    """Keeps the result for each tuple of numbers, like `functools.lru_cache`, whose module takes longer to import."""
    made: Dict[Tuple[int, ...], Any] = {}

    def found(*numbers: int) -> Any:
        known = made.get(numbers)
        if known is None:
            known = make(*numbers)
            if len(made) < 256:
                made[numbers] = known
        return known

    return found


@remembered
def filler(id_count: int, query_count: int) -> Callable[[bytearray, int, Tuple[object, ...]], None]:
    """Makes a function that writes this number of short strings as ids into a frame's memory, with one `pack_into`.

    The made function raises a TypeError or a ValueError for other values.  A loop over the ids would take longer than the
    rest of the call; therefore the loop is unrolled.  For two ids:

        def fill(memory, slots, ids):
            t0, t1, = ids
            t0 = encode(t0); n0 = len(t0)
            t1 = encode(t1); n1 = len(t1)
            if n0 > 64 or n1 > 64: raise ValueError
            pack_into(memory, start, 4, slots, n0, 4, slots + 64, n1, t0, t1)
    """
    numbers = range(id_count)
    lines = ["def fill(memory, slots, ids):"]
    lines += [f" {''.join(f't{i}, ' for i in numbers)} = ids" if id_count else " () = ids"]
    lines += [f" t{i} = encode(t{i}); n{i} = len(t{i})" for i in numbers]
    if id_count:
        lines += [f" if {' or '.join(f'n{i} > {_SLOT}' for i in numbers)}: raise ValueError"]
        values = "".join(f"{c.ROUTABLE_KIND_STRING}, slots + {_SLOT * i}, n{i}, " for i in numbers)
        lines += [f" pack_into(memory, {_VALUE * query_count}, {values}{', '.join(f't{i}' for i in numbers)})"]
    pack_into = Struct("=" + "i4xQQ" * id_count + f"{_SLOT}s" * id_count).pack_into
    scope: Dict[str, Any] = {"encode": str.encode, "len": len, "pack_into": pack_into}
    exec("\n".join(lines), scope)  # numbers and names of this function alone
    fill: Callable[[bytearray, int, Tuple[object, ...]], None] = scope["fill"]
    return fill
