"""Bodies of responses into dataclasses by msgspec, if it is installed, and into pydantic models by pydantic: in one pass, without
Python values in between.

Both read only the models for which they give the same objects as the module `model`.  What they refuse is read again by `model`,
which decides, and states the reason.
"""

from __future__ import annotations

import dataclasses
import sys
import typing
from importlib import import_module
from typing import Any, Callable, Dict, List, Optional, Tuple, get_args, get_origin

from . import _json
from ._compiled import _MAPPINGS, _is_dataclass, _is_union, is_generated, key_of

Decode = Callable[[bytes], Any]

_KEPT = 256  # so many decoders are kept
_decoders: Dict[Any, Tuple[Any, str, Optional[Decode]]] = {}
_msgspec: Any = None  # the module; False if it is not installed


def decoder_of(model: Any) -> Optional[Decode]:
    """The function of msgspec or pydantic that reads a body as a model; None if there is none."""
    if _json._decoder is not None and "msgspec" not in sys.modules:
        return None
    key = key_of(model)
    known = _decoders.get(key)
    if known is None:
        if len(_decoders) >= _KEPT:
            _decoders.clear()
        known = _decoders[key] = model, *_make(model)
    kind, decode = known[1:]
    # A decoder of the program reads all bodies, unless it is the one that would be used here.
    if decode is None or _json._decoder is not None and (kind != "msgspec" or _json._decoder is not _msgspec.json.decode):
        return None
    return decode if kind != "msgspec" or _msgspec else None


def _make(model: Any) -> Tuple[str, Optional[Decode]]:
    global _msgspec
    decode: Optional[Decode] = None
    try:
        if _has(_is_dataclass, model) and _is_same(model, []):
            if _msgspec is None:
                _msgspec = _installed()
            if _msgspec:
                decode = _msgspec.json.Decoder(model).decode
            return "msgspec", decode
        if _has(_is_pydantic, model) and _holds_pydantic(model):
            from pydantic import TypeAdapter

            adapter: Any = TypeAdapter(model)
            decode = _without_constants(adapter.validate_json) if _is_simple(adapter.core_schema) else None
    except Exception:  # a name that is not defined, or a type that the package refuses
        pass
    return "pydantic", decode


def _installed() -> Any:
    try:
        return import_module("msgspec")
    except ImportError:
        return False


def _has(test: Callable[[Any], bool], model: Any) -> bool:
    return test(model) or any(_has(test, each) for each in get_args(model))


# --- pydantic ---


def _is_pydantic(model: Any) -> bool:
    base = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return base is not None and isinstance(model, type) and issubclass(model, base)


def _holds_pydantic(model: Any) -> bool:
    """Whether it is a pydantic model with the `model_validate` of pydantic, or a list or a mapping of one."""
    if _is_pydantic(model):
        return bool(model.model_validate.__func__ is sys.modules["pydantic"].BaseModel.model_validate.__func__)
    arguments = get_args(model)
    return get_origin(model) in (list, dict) and all(each is str for each in arguments[:-1]) and _holds_pydantic(arguments[-1])


#: The schemas of pydantic that give the same for JSON as for the Python values of the JSON.
_SIMPLE = frozenset({
    "model", "model-fields", "model-field", "str", "int", "float", "bool", "none", "nullable", "default", "list", "dict", "literal", "enum",
    "definitions", "definition-ref",
})


def _is_simple(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_is_simple, schema))
    if not isinstance(schema, dict):
        return True
    kind = schema.get("type")
    if isinstance(kind, str) and kind not in _SIMPLE or schema.get("strict") or schema.get("custom_init"):
        return False
    skipped = ("metadata", "serialization", "default", "members", "expected", "cls")
    return all(_is_simple(value) for key, value in schema.items() if key not in skipped)


def _without_constants(validate: Decode) -> Decode:
    def decode(body: bytes) -> Any:
        if _contains(body, b"NaN") or _contains(body, b"Infinity"):  # pydantic takes them for numbers
            raise ValueError
        return validate(body)

    return decode


def _contains(body: bytes, word: bytes) -> bool:
    """Like `in`, which takes ten times as long if the first letter of the word is rare."""
    letter, place = word[:1], -1
    for _ in range(256):
        place = body.find(letter, place + 1)
        if place < 0 or body.startswith(word, place):
            return place >= 0
    return word in body[place:]


# --- msgspec ---


def _is_same(model: Any, seen: List[Any]) -> bool:
    """Whether msgspec gives the objects that `model` gives."""
    origin, arguments = get_origin(model), get_args(model)
    if model is Any or model in (str, int, float, bool, None, type(None)):
        return True
    if origin is list:
        return _is_same(arguments[0], seen)
    if origin in _MAPPINGS:
        return arguments[0] is str and _is_same(arguments[1], seen)
    if _is_union(origin):
        # With both kinds of numbers, the first one that a number fits decides.
        return not {int, float} <= set(arguments) and all(
            each in (str, int, float, bool, type(None)) or len(arguments) == 2 and type(None) in arguments and _is_same(each, seen)
            for each in arguments
        )
    if origin is typing.Literal:
        return all(type(each) is str for each in arguments)
    return _is_dataclass(model) and (model in seen or _is_plain(model, seen))


def _is_plain(model: Any, seen: List[Any]) -> bool:
    """Whether the class has the constructor of its fields, which msgspec does not call: only defaults and `__post_init__`."""
    seen.append(model)
    names = {field.name for field in dataclasses.fields(model)}
    functions = [model.__init__, *([] if model.__setattr__ is object.__setattr__ else [model.__setattr__])]
    if not all(map(is_generated, functions)):
        return False
    if model.__new__ is not object.__new__ or type(model).__call__ is not type.__call__:
        return False
    if not model.__dataclass_params__.init or not all(field.init for field in dataclasses.fields(model)):
        return False
    hints = typing.get_type_hints(model, include_extras=True)
    return all(
        _is_same(hint, seen) if name in names else get_origin(hint) is typing.ClassVar for name, hint in hints.items()
    )
