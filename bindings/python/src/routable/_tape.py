"""Tapes: files that record and replay the exchanges of clients, for tests (docs/tape.md)."""

from __future__ import annotations

import os
from ctypes import POINTER, byref, c_char_p, cast, sizeof
from typing import TYPE_CHECKING, Any, Sequence, Union

from ._capi import tape as c
from ._capi.client import routable_tape
from ._capi.values import routable_str
from ._check import check, new_error
from ._handle import Owned
from ._text import data, name
from .errors import ArgumentError

if TYPE_CHECKING:
    from .router import PlainRouter
    from .transport import Transport

MODES = {
    "auto": c.ROUTABLE_TAPE_AUTO, "record": c.ROUTABLE_TAPE_RECORD, "replay": c.ROUTABLE_TAPE_REPLAY, "check": c.ROUTABLE_TAPE_CHECK,
}


class Tape(Owned):
    """A file with the exchanges of clients, as a transport for a Client or an AsyncClient.

        with Tape(api, "tapes/users.har") as tape, routable.Client(transport=tape) as client:
            client.perform(api.user("ann").read())

    With libcurl, requests are recorded with the options of the client.  Leaving the `with` block without an exception calls `finish`;
    after an exception, nothing is saved.
    """

    __slots__ = ("_over", "_path", "_router")

    def __init__(
        self,
        api: "PlainRouter",
        path: "Union[str, os.PathLike[str]]",
        *,
        mode: str = "auto",
        over: "Union[Transport, Any, None]" = None,
        redact: Sequence[str] = (),
        secrets: Sequence[Union[str, bytes]] = (),
        allow_unused: bool = False,
    ) -> None:
        """mode      "auto": replay the exchanges on the tape, and record all others; the same as "replay" if the environment
                  variable CI is set.  "record": record all exchanges, and replace the file.  "replay": only replay.  "check": replay,
                  and first validate all requests and responses of the tape against the description
        over      the transport that replies to requests that are recorded, like `transport` of a client; None: libcurl
        redact    names of further secrets: of headers, parameters, cookies, and members of forms and JSON bodies
        secrets   values that are removed wherever they occur
        allow_unused   whether `finish` accepts entries that no request has used

        Raises FileError, JSONError, LimitError, and DocumentError for an entry that the description no longer allows.
        """
        if mode not in MODES:
            raise ArgumentError(f"mode must be one of {', '.join(sorted(MODES))}, not {mode!r}", parameter="mode")
        if isinstance(redact, str) or isinstance(secrets, (str, bytes)):
            raise TypeError("redact and secrets must be sequences of strings, not one string")
        if isinstance(over, Tape):
            raise TypeError("a tape cannot record another tape")
        names = (c_char_p * len(redact))(*(name("redact", each) for each in redact))
        values = (routable_str * len(secrets))(*(data(each.encode() if isinstance(each, str) else each) for each in secrets))
        options = c.routable_tape_options(
            size=sizeof(c.routable_tape_options), mode=MODES[mode], flags=c.ROUTABLE_TAPE_ALLOW_UNUSED if allow_unused else 0,
            redact=cast(names, POINTER(c_char_p)), redact_count=len(names), secrets=cast(values, POINTER(routable_str)),
            secret_count=len(values),
        )
        self._over = over
        self._path = os.fspath(path)
        self._router = api
        out, error = POINTER(routable_tape)(), new_error()
        check(c.routable_tape_new(api._live(), os.fsencode(self._path), byref(options), byref(out), byref(error)), error)
        super().__init__(out, c.routable_tape_free)

    def finish(self) -> None:
        """Writes the recorded exchanges, atomically and with mode 0600.  Raises CallbackError if the tape had no exchange for a request,
        or if an entry was not used; FileError if the file cannot be written."""
        error = new_error()
        check(c.routable_tape_finish(self._live(), byref(error)), error)

    def __exit__(self, *exception: object) -> None:
        # The tape is not closed, because a client may still use it.
        if not exception or exception[0] is None:
            self.finish()

    def __repr__(self) -> str:
        return f"<routable.testing.Tape: {self._path}>"

