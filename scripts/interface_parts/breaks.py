"""Compares two descriptions of the interface, and finds the changes that break a program compiled with the first one.

Compatible changes are new functions, types and constants, structs that begin with `size_t size` and grow at their end, and a field in
the place of one that was named `reserved`, which is 0 in every program.  Names of parameters, comments, inline functions, and structs
that only these use, are not part of the binary interface."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Set

Item = Dict[str, Any]


def found(old: Item, new: Item) -> List[str]:
    """A sentence for each break, in the order of the old headers."""
    before, now = Names(old), Names(new)
    passed = _passed(before)
    sentences: List[str] = []
    for name, item in before.items.items():
        if item["kind"] == "struct" and name not in passed:
            continue
        kind = "function of yours" if item["kind"] == "callback" else item["kind"]
        other = now.items.get(name)
        if other is None:
            sentences.append(f"{name}: the {kind} is gone")
        elif item["kind"] in ("function", "callback"):
            sentences += _signature(item, other, before, now)
        elif item["kind"] == "struct":
            sentences += _struct(item, other, before, now)
        elif item["kind"] == "enum" and item["type"] != other["type"]:
            sentences.append(f"{name}: was {item['type']}, is {other['type']}")
    for name, value in before.numbers.items():
        if now.numbers.get(name) != value:
            sentences.append(f"{name}: was {value}, is {now.numbers.get(name, 'gone')}")
    for name, item in now.items.items():
        if item["kind"] == "function" and name not in before.items and _number(item["since"]) <= _number(old["version"]):
            sentences.append(f"{name}: is new after {old['version']}; its comment has to say `Since`")
    return sentences


class Names:
    """The names of a description that a compiled program depends on."""

    def __init__(self, described: Item) -> None:
        every = [item for header in described["headers"] for section in header["sections"] for item in section["items"]]
        self.items = {item["name"]: item for item in every if item["kind"] in ("function", "callback", "struct", "enum") and item["name"]}
        self.numbers = {each["name"]: each["value"] for item in every if item["kind"] == "enum" for each in item["constants"]}
        self.numbers.update({item["name"]: item["value"] for item in every if item["kind"] == "macro" and "value" in item
                             and not item["name"].startswith("ROUTABLE_VERSION_")})

    def compiled(self, kind: str) -> str:
        """A type in the form that determines its layout: without const, and an integer for a named set of constants."""
        words = re.sub(r"\b(const|struct|enum)\b", "", kind).replace(" ", "")
        plain = re.match(r"\w+", words)
        item = self.items.get(plain[0]) if plain else None
        return words.replace(item["name"], item["type"], 1) if item and item["kind"] == "enum" else words


def _passed(names: Names) -> Set[str]:
    """The structs that functions and callbacks pass, and the structs in them."""
    waiting = [each["type"] for item in names.items.values() if item["kind"] in ("function", "callback")
               for each in (item["result"], *item["parameters"])]
    passed: Set[str] = set()
    while waiting:
        for word in re.findall(r"\w+", waiting.pop()):
            if word not in passed and names.items.get(word, {}).get("kind") == "struct":
                passed.add(word)
                waiting += _types(names.items[word]["fields"])
    return passed


def _types(fields: List[Item]) -> List[str]:
    return [kind for field in fields for kind in (field["type"], *_types(field.get("members", [])))]


def _signature(old: Item, new: Item, before: Names, now: Names) -> List[str]:
    was = [before.compiled(each["type"]) for each in (old["result"], *old["parameters"])]
    now_is = [now.compiled(each["type"]) for each in (new["result"], *new["parameters"])]
    return [] if was == now_is else [f"{old['name']}: was `{old['declaration']}`, is `{new['declaration']}`"]


def _struct(old: Item, new: Item, before: Names, now: Names) -> List[str]:
    grows = (old["fields"][0]["name"], old["fields"][0]["type"]) == ("size", "size_t")
    was, now_is = _laid_out(old["fields"], before), _laid_out(new["fields"], now)
    if "reserved" in was and "reserved" not in now_is:
        taken = [name for name in now_is if name not in was and now_is[name].split()[-1] == was["reserved"].split()[-1]]
        if taken:
            now_is["reserved"] = was["reserved"]
    sentences = [f"{old['name']}.{name}: was {place}, is {now_is.get(name, 'gone')}" for name, place in was.items() if now_is.get(name) != place]
    if not sentences and (new["size"] < old["size"] or (not grows and (new["size"], list(now_is)) != (old["size"], list(was)))):
        sentences.append(f"{old['name']}: was {old['size']} bytes, is {new['size']}, and has no `size` by which the library could tell")
    return sentences


def _laid_out(fields: List[Item], names: Names, path: str = "") -> Dict[str, str]:
    places: Dict[str, str] = {}
    for field in fields:
        name = path + field["name"]
        places[name] = f"{names.compiled(field['type'])} at {field['offset']}"
        places.update(_laid_out(field.get("members", []), names, f"{name}."))
    return places


def _number(version: str) -> List[int]:
    return [int(part) for part in version.split(".")]
