"""Whose turn it is to drive the transfers of a client, without a lock.

A handler of a signal runs between any two steps of Python, and its exception would leave a lock that was just acquired locked for
ever.  Here each step is one call of a dictionary or a queue, which nothing interrupts, and each cleanup runs twice."""

from __future__ import annotations

import threading
import weakref
from ctypes import c_size_t, create_string_buffer, sizeof
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import _capi as c

if TYPE_CHECKING:
    Held = weakref.ref["Turn"]

RECORD = sizeof(c.routable_completion)
CAPACITY = 64
#: The longest wait for another thread, in seconds: an exception may have come between the end of its turn and its message.
_LONGEST = 1.0


class Room:
    """The memory for completions that the library writes."""

    __slots__ = ("memory", "records", "count")

    def __init__(self) -> None:
        self.memory = create_string_buffer(RECORD * CAPACITY)
        self.records = (c.routable_completion * CAPACITY).from_buffer(self.memory)
        self.count = c_size_t()


class Turn:
    """One call that drives, or waits for another one that drives."""

    __slots__ = ("thread", "own", "was_taken", "room", "__weakref__")

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        # The turn ends with the call, also if the exceptions of several signals end it: nothing else refers to this object.
        self.own: "Held" = weakref.ref(self)
        self.was_taken = False
        self.room: Optional[Room] = None


class Turns:
    """The turns of one client: one call drives at a time, and others wait until it has something new."""

    __slots__ = ("_held", "_mail", "_spare")

    def __init__(self) -> None:
        self._held: Dict[int, "Held"] = {}
        self._mail: "Dict[SimpleQueue[None], None]" = {}
        self._spare: List[Room] = [Room()]

    def take(self, turn: Turn) -> "Optional[Held]":
        """Takes the turn; if another thread has it, returns its reference."""
        while True:
            held = self._held.setdefault(0, turn.own)
            owner = held()
            if owner is turn:
                try:
                    turn.room = self._spare.pop()
                except IndexError:
                    turn.room = Room()
                return None
            if owner is not None:
                return held
            if self._held.get(0) is held:  # its call has ended without `leave`
                self._held.pop(0, None)

    def leave(self, turn: Turn) -> None:
        """Ends the turn, if it was taken, and wakes all waiting threads.  A second call completes an interrupted first one."""
        if self._held.get(0) is turn.own:
            turn.was_taken = True
            self._held.pop(0, None)
        if turn.was_taken:
            for mail in list(self._mail):
                mail.put(None)
            room = turn.room
            if room is not None:
                turn.room = None
                if not self._spare:
                    self._spare.append(room)

    def wait(self, held: "Held", milliseconds: int) -> None:
        """Waits until the turn of another thread ends; -1: no limit."""
        mail: "SimpleQueue[None]" = SimpleQueue()
        try:
            self._mail[mail] = None
            if self._held.get(0) is held:  # otherwise it may have ended before it could see the queue
                mail.get(timeout=_LONGEST if milliseconds < 0 else min(_LONGEST, milliseconds / 1000))
        except Empty:
            pass
        finally:
            self._mail.pop(mail, None)
