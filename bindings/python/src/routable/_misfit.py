"""The reason why a JSON value does not have a Python type.  It has its own module because model.py takes long to import."""

from __future__ import annotations


class Misfit(Exception):
    """The value does not fit; `pointer` (RFC 6901) says which part of it, str() says why."""

    def __init__(self, pointer: str, why: str) -> None:
        super().__init__(f"{pointer}: {why}" if pointer else why)
        self.pointer = pointer
        self.why = why
