"""Headers of requests and responses."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Iterable, Iterator, List, Tuple


class Headers(Mapping[str, str]):
    """An immutable, ordered mapping of header names, which are case-insensitive, to values.

    A name may occur more than once: `headers["Via"]` is all its values, joined by ", " as RFC 9110 states, except for Set-Cookie,
    whose values contain commas: `headers["Set-Cookie"]` is the first one.  `get_all` returns all values, and `pairs` has all
    headers.
    """

    __slots__ = ("pairs",)

    #: Every header as (name, value), in order.
    pairs: Tuple[Tuple[str, str], ...]

    def __init__(self, pairs: Iterable[Tuple[str, str]] = ()) -> None:
        self.pairs = tuple(pairs)

    def __getitem__(self, name: str) -> str:
        wanted = name.lower()
        found = [value for key, value in self.pairs if key.lower() == wanted]
        if not found:
            raise KeyError(name)
        return found[0] if len(found) == 1 or wanted == "set-cookie" else ", ".join(found)

    def __iter__(self) -> Iterator[str]:
        seen = set()
        for key, _ in self.pairs:
            if key.lower() not in seen:
                seen.add(key.lower())
                yield key

    def __len__(self) -> int:
        return len({key.lower() for key, _ in self.pairs})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(key.lower() == name.lower() for key, _ in self.pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Headers):
            return self.pairs == other.pairs
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.pairs)

    def get_all(self, name: str) -> List[str]:
        """All values of a header, in order."""
        return [value for key, value in self.pairs if key.lower() == name.lower()]

    def joined(self) -> "dict[str, str]":
        """One value for each name, with several values joined by ", ", for clients that accept a dict."""
        return {key: ", ".join(self.get_all(key)) for key in self}

    def __repr__(self) -> str:
        return f"Headers({list(self.pairs)!r})"
