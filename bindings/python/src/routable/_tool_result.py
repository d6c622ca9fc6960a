"""Responses as results of tools: cut to a number of bytes as valid JSON, continued by a pointer, and without secrets."""

from __future__ import annotations

import base64
from collections import OrderedDict
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple
from urllib.parse import quote

from . import _json
from .response import Response

#: The tool that continues a result that was cut.
CONTINUE = "continue_result"
#: The maximum number of results that can be continued, and of their bytes.
KEPT_RESULTS, KEPT_BYTES = 32, 64 << 20


def size(value: Any) -> int:
    """The bytes of the value as compact JSON."""
    return len(_json.dumps("value", value))


@dataclass
class Cut:
    """The places where a value was cut: the pointer at which it continues, and what is there."""

    places: List[Dict[str, Any]] = field(default_factory=list)

    def add(self, pointer: str, shown: int, total: int, unit: str) -> None:
        if len(self.places) < 20:
            self.places.append({"pointer": pointer, "shown": shown, "total": total, "unit": unit})


def cut(value: Any, budget: int, cuts: Cut, pointer: str = "", start: int = 0) -> Any:
    """The beginning of the value in about `budget` bytes of JSON; of an array or a string from the position `start` on."""
    if isinstance(value, str):
        text = value[start:]
        if size(text) <= budget:
            return text
        low, high = 0, len(text)
        while low < high:  # the longest beginning that fits; characters have one to twelve bytes in JSON
            middle = (low + high + 1) // 2
            low, high = (middle, high) if size(text[:middle]) <= max(budget, 16) else (low, middle - 1)
        cuts.add(pointer, start + low, len(value), "characters")
        return text[:low]
    if isinstance(value, list):
        made: List[Any] = []
        left = budget - 2
        for index in range(start, len(value)):
            need = size(value[index])
            if need + 1 > left:
                if not made and left > 200:  # one element that is too long itself
                    made.append(cut(value[index], left, cuts, f"{pointer}/{index}"))
                    index += 1
                if index < len(value):
                    cuts.add(pointer, index, len(value), "elements")
                break
            made.append(value[index])
            left -= need + 1
        return made
    if isinstance(value, dict):
        result: Dict[str, Any] = {}
        left = budget - 2
        sizes = {key: size(key) + size(each) + 2 for key, each in value.items()}
        if sum(sizes.values()) <= left:
            return value
        large = [key for key in sizes if sizes[key] > left // 8]
        left -= sum(need for key, need in sizes.items() if key not in large)
        if left < 0:  # very many small members
            left = budget - 2
            for position, (key, need) in enumerate(sizes.items()):
                if need > left:
                    cuts.add(pointer, position, len(value), "members")
                    break
                result[key] = value[key]
                left -= need
            return result
        for key, each in value.items():
            if key in large:
                share = max(left // len(large) - size(key) - 2, 0)
                result[key] = cut(each, share, cuts, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
            else:
                result[key] = each
        return result
    return value


def at(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer.  Raises LookupError."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        elif isinstance(value, dict) and token in value:
            value = value[token]
        else:
            raise LookupError(f"the result has nothing at {pointer!r}")
    return value


class Kept:
    """The results that can be continued, the oldest removed first."""

    def __init__(self) -> None:
        self._results: "OrderedDict[str, Tuple[Any, int]]" = OrderedDict()

    def add(self, value: Any, bytes: int) -> str:
        name = f"r{token_hex(6)}"  # other sessions cannot guess it
        self._results[name] = (value, bytes)
        while len(self._results) > KEPT_RESULTS or len(self._results) > 1 and sum(each[1] for each in self._results.values()) > KEPT_BYTES:
            self._results.popitem(last=False)
        return name

    def get(self, name: str) -> Any:
        if name not in self._results:
            raise LookupError(f"there is no result {name!r} any more; results: {', '.join(self._results) or 'none'}")
        return self._results[name][0]


class Secrets:
    """The credentials of the server, which are removed from every result before it is sent."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._forms: Set[str] = set()
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str) -> None:
        for text in {secret, secret.strip()}:
            if len(text) < 4:  # a string this short occurs by chance
                continue
            encoded = base64.b64encode(text.encode()).decode()
            self._forms.update({text, quote(text, safe=""), quote(text), encoded, encoded.rstrip("="), _json.dumps("secret", text)[1:-1].decode()})

    def clean(self, text: str) -> str:
        for each in sorted(self._forms, key=len, reverse=True):
            if each in text:
                text = text.replace(each, "***")
        return text

    def cleaned(self, value: Any) -> Any:
        """A JSON value without secrets, in strings and in names."""
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, list):
            return [self.cleaned(each) for each in value]
        if isinstance(value, dict):
            return {self.clean(key): self.cleaned(each) for key, each in value.items()}
        return value


@dataclass(frozen=True)
class Answer:
    """The result of a tool: its text, which is JSON, and the object for clients that read structured content; None if the response
    was cut, is not JSON or deviates from its description."""

    text: str
    structured: Optional[Dict[str, Any]] = None


def answer(response: Response, budget: int, kept: Kept, secrets: Secrets) -> Answer:
    """The result for a response."""
    if response.outcome == "empty":
        return Answer(f'{{"status":{response.status}}}')
    value = response.value
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            kind = response.headers.get("Content-Type", "application/octet-stream")
            return Answer(text({"status": response.status, "content_type": secrets.clean(kind), "bytes": len(response.body)}))
    value = secrets.cleaned(value)
    whole = size(value)
    if whole <= budget:
        fits = response.outcome in ("self", "array", "dictionary") and not response.deviations
        return Answer(text(value), (value if isinstance(value, dict) else {"result": value}) if fits else None)
    return Answer(text(part(value, "", 0, budget, kept.add(value, whole))))


def part(value: Any, pointer: str, start: int, budget: int, name: str) -> Dict[str, Any]:
    """A part of a result, and where it continues."""
    cuts = Cut()
    found = at(value, pointer)
    shown = cut(found, max(budget - 600, 200), cuts, pointer, start)
    more = [
        {**each, "continue": {"result": name, "pointer": each["pointer"], "start": each["shown"]}} for each in cuts.places[:3]]
    return {"value": shown, "cut": more, "how": f"call {CONTINUE} with the object in \"continue\""} if more else {"value": shown}


def text(value: Any) -> str:
    return _json.dumps("result", value).decode()
