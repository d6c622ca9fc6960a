"""Options of libcurl that a program sets on the handles of a client."""

from __future__ import annotations

import itertools
from ctypes import CFUNCTYPE, c_char_p, c_int, c_int64, c_long, c_void_p, cast
from typing import Any, Dict, Mapping, Optional, Union

from . import _capi as c
from ._text import name, natural

# The library stores a number; the options themselves are stored here until the library releases it.
_options: Dict[int, Dict[int, Union[int, bytes]]] = {}
_numbers = itertools.count(1)
# Ways to call curl_easy_setopt, whose last parameter has the type of the option.
_number_of_bits = CFUNCTYPE(c_int, c_void_p, c_int, c_long)
_text = CFUNCTYPE(c_int, c_void_p, c_int, c_char_p)
_offset = CFUNCTYPE(c_int, c_void_p, c_int, c_int64)


def _on_setup(handle: Any, setopt: Any, number: Optional[int]) -> int:
    address = cast(setopt, c_void_p).value
    for option, value in _options.get(number or 0, {}).items():
        kind: Any = _text if isinstance(value, bytes) else _offset if 30000 <= option < 40000 else _number_of_bits
        code = kind(address)(handle, option, value)
        if code:
            return int(code)
    return 0


def _on_release(number: Optional[int]) -> None:
    _options.pop(number or 0, None)


_setup = c.routable_setup_fn(_on_setup)
_release = c.routable_release_fn(_on_release)


def set_up(options: Any, given: Mapping[int, Union[int, str]]) -> None:
    """Fills the options of a client."""
    checked: Dict[int, Union[int, bytes]] = {}
    for option, value in given.items():
        natural("curl_options", option, 1, 40_000)
        if isinstance(value, str):
            checked[option] = name(f"curl_options[{option}]", value)
        elif isinstance(value, int):
            checked[option] = int(value)
        else:
            raise TypeError(f"curl_options[{option}] must be an int or a str, not {type(value).__name__}")
    number = next(_numbers)
    _options[number] = checked
    options.setup, options.setup_user_data, options.setup_release = _setup, number, _release
