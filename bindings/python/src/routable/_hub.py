"""Hub: passes the completed transfers of one client to the callers that wait for them."""

from __future__ import annotations

import itertools
import time
from ctypes import POINTER, byref, c_char, c_int64, c_size_t, c_void_p, cast, create_string_buffer, sizeof
from operator import attrgetter
from struct import Struct, pack, unpack_from
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import _capi as c
from ._check import check
from ._deviations import report
from ._direct import cancel as _cancel, free as _free, submit as _submit, undeclared
from ._handle import Handle
from ._threads import is_main
from ._turns import CAPACITY, RECORD, Room, Turn, Turns
from .completion import Completion, transfer_result
from .errors import CancelledError, RoutableError
from .response import HAS_DEVIATIONS, PARTS, response_at, with_trace

if TYPE_CHECKING:
    from ._deviations import Report
    from .request import Request

_submit_many = undeclared("routable_client_submit_many")
_next_many = undeclared("routable_client_next_many")
_free_many = undeclared("routable_transfer_free_many")
_trace = undeclared("routable_transfer_trace", c_void_p)
_resume = undeclared("routable_transfer_resume")
_each = Struct("@PPii" + PARTS).iter_unpack  # transfer, user_data, status, reserved0, parts
# When bodies of 100 KB were allocated and freed at the end of the heap, glibc returned the memory to the system for each of
# them, which cost up to a third of the request.  After a block of this size was freed, glibc keeps twice as much, unless
# M_TRIM_THRESHOLD or M_MMAP_THRESHOLD is set.  No page of the block is touched.
_KEPT = 4 << 20
_POINTER = sizeof(c_void_p)
# Kept: ctypes creates the type of an array again when no array of it is alive, which takes 30 us.
_Pointers = c_char * (CAPACITY * _POINTER)
_pointer_of = attrgetter("_as_parameter_")
_ended = tuple.__new__  # what Completion(...) does, in half the time


#: How long one wait in the main thread is, in milliseconds: Python runs the handlers of signals in between.  One that arrives
#: during a wait interrupts it, unless another thread drives.
MOMENT = 50


def moments(timeout: int) -> Iterator[int]:
    """A timeout in milliseconds (-1: none), split into parts so that signals are handled between them."""
    if timeout == 0 or not is_main():
        end = time.monotonic() + timeout / 1000
        yield timeout
        while timeout < 0 or time.monotonic() < end:  # it was interrupted
            yield timeout if timeout < 0 else max(0, round((end - time.monotonic()) * 1000))
        return
    if timeout < 0:
        while True:
            yield MOMENT
    end = time.monotonic() + timeout / 1000
    left = timeout
    while left > 0:
        yield min(left, MOMENT)
        left = round((end - time.monotonic()) * 1000)


class Hub:
    """The callers that wait for transfers of one client: one thread takes completed transfers and passes each to its caller.

    A key is the number that the library stores for a transfer.  Each key has a sink, which is called with request, response and
    exception.
    """

    __slots__ = ("_waiting", "_owned", "_keys", "_turns", "_explain", "_deliveries", "post", "on_deviation")

    def __init__(self, explain: Callable[[RoutableError], RoutableError]) -> None:
        self._explain = explain
        #: The function of the client that receives responses which deviate from their descriptions.
        self.on_deviation: Optional[Report] = None
        #: How a sink is called with its completion; None: at once.  A thread that drives for an event loop sets it.
        self.post: Optional[Callable[[Callable[[Completion], None], Completion], None]] = None
        bytes(_KEPT)
        self._waiting: Dict[int, Tuple["Request", Callable[[Completion], None]]] = {}
        self._owned: Dict[int, int] = {}  # the transfers that may have to be cancelled
        self._keys = itertools.count(1)
        self._deliveries = 0
        self._turns = Turns()

    def submit(
        self, client: Handle, request: "Request", policy: Any, sink: Callable[[Completion], None], keeps: bool = True
    ) -> Tuple[int, int]:
        """Submits a request for a sink.  Returns the key, and the address of the transfer, which the caller owns unless the hub
        keeps it for cancelling."""
        key = next(self._keys)
        out, error = c_void_p(), c_void_p()
        try:
            self._waiting[key] = (request, sink)  # before: another thread may take it at once
            status = _submit(
                client._as_parameter_, request._live()._as_parameter_, policy, None, c_void_p(key), None,
                byref(out), byref(error),
            )
        except BaseException:  # of a signal
            if not out.value:
                self._waiting.pop(key, None)
            raise
        if status:
            self._waiting.pop(key, None)
            check(status, cast(error, POINTER(c.routable_error)))
        address = out.value or 0
        if keeps:
            self._owned[key] = address
            if key not in self._waiting and self._owned.pop(key, 0):  # the thread that removes it frees it
                _free(out)
        return key, address

    def submit_many(
        self, client: Handle, requests: List["Request"], policy: Any, sink: Callable[[Completion], None]
    ) -> List[int]:
        """Submits all requests, or none of them, and returns their keys.  The hub keeps the transfers."""
        count = len(requests)
        handles = [request._live() for request in requests]  # they live as long as the call
        keys = list(itertools.islice(self._keys, count))
        waiting, owned, deliveries = self._waiting, self._owned, self._deliveries
        waiting.update(zip(keys, zip(requests, itertools.repeat(sink))))
        layout, out, error = f"{count}P", _Pointers() if count <= CAPACITY else create_string_buffer(count * _POINTER), c_void_p()
        status = _submit_many(
            client._as_parameter_, b"".join(map(_pointer_of, handles)), c_size_t(count), policy, None,
            pack(layout, *keys), None, out, byref(error),
        )
        if status:
            for key in keys:
                del waiting[key]
            check(status, cast(error, POINTER(c.routable_error)))
        owned.update(zip(keys, unpack_from(layout, out)))
        if deliveries != self._deliveries:  # another thread may have reported some as completed before they were owned
            for key in keys:
                if key not in waiting:
                    address = owned.pop(key, 0)
                    if address:
                        _free(c_void_p(address))
        return keys

    def address(self, key: int) -> int:
        """The address of a transfer that the hub keeps; 0 if its completion was reported."""
        return self._owned.get(key, 0)

    def resume(self, key: int) -> None:
        """Continues a transfer that the hub keeps, if it is in progress."""
        address = self._owned.get(key, 0)
        if address:
            _resume(c_void_p(address))

    @property
    def calls_back(self) -> bool:
        """Whether a request in progress has functions, which belong to the thread of its program."""
        return any(request._records for request, _ in list(self._waiting.values()))

    def withdraw(self, key: int) -> Optional[Tuple["Request", Callable[[Completion], None]]]:
        """Removes a key, so that its sink is not called; returns its request and its sink, or None if the sink was called."""
        return self._waiting.pop(key, None)

    def withdraw_kept(self, key: int) -> bool:
        """Cancels a transfer that the hub keeps.  Returns False if its completion was reported."""
        if self._waiting.pop(key, None) is None:
            return False
        address = self._owned.pop(key, 0)
        _cancel(c_void_p(address))
        _free(c_void_p(address))
        return True

    def cancel(self, sink: Callable[[Completion], None]) -> None:
        """Removes a sink, which receives nothing afterwards."""
        for key, (_, other) in list(self._waiting.items()):
            if other is sink:
                self.withdraw_kept(key)

    def close(self) -> None:
        """Cancels the transfers in progress, and reports this to all waiting callers.  Then raises the exception of a sink, if any."""
        failure: Optional[BaseException] = None
        for key in list(self._waiting):
            waiting = self._waiting.pop(key, None)
            if waiting is not None:
                request, sink = waiting
                address = self._owned.pop(key, 0)
                # The sink is called first, so that all outcomes are reported once no transfer is in progress.
                try:
                    sink(Completion(request, None, CancelledError("the client was closed")))
                except BaseException as raised:
                    failure = failure or raised
                _cancel(c_void_p(address))
                _free(c_void_p(address))
        if failure is not None:
            raise failure

    def take(self, client: Handle, timeout: int) -> int:
        """Waits up to a number of milliseconds (-1: no limit) for a completion, and calls sinks.  Returns OK, PENDING or IDLE.

        If another thread does so already, this function waits for that thread instead.
        """
        turn = Turn()
        try:
            try:
                return self._take(client, timeout, turn)
            finally:
                self._leave(turn)
        finally:  # once more, because the exception of a signal may have ended the first call
            self._leave(turn)

    def _take(self, client: Handle, timeout: int, turn: Turn) -> int:
        held = self._turns.take(turn)
        if held is not None:
            owner = held()
            if owner is not None and owner.thread == turn.thread and timeout:
                raise RuntimeError("a function that the client calls cannot wait for other requests of the same client")
            del owner
            self._turns.wait(held, timeout)
            return c.ROUTABLE_OK
        status: int = c.ROUTABLE_IDLE
        error = POINTER(c.routable_error)()
        room = turn.room
        assert room is not None
        room.count.value = 0
        for moment in moments(timeout):
            status = _next_many(
                client._as_parameter_, c_int64(moment), room.records, c_size_t(CAPACITY), byref(room.count), byref(error)
            )
            if status not in (c.ROUTABLE_PENDING, c.ROUTABLE_INTERRUPTED):
                break
        if status == c.ROUTABLE_OK:
            self._deliver(room)
        elif status == c.ROUTABLE_INTERRUPTED:
            status = c.ROUTABLE_PENDING
        elif status not in (c.ROUTABLE_PENDING, c.ROUTABLE_IDLE):
            check(status, error)
        return status

    def _leave(self, turn: Turn) -> None:
        room = turn.room
        try:
            if room is not None and room.count.value:  # the exception of a signal came before they were reported
                self._deliver(room)
        finally:
            self._turns.leave(turn)

    def _deliver(self, room: Room) -> None:
        self._deliveries += 1  # before the first report
        over: List[int] = []
        failure: Optional[BaseException] = None
        waiting, owned, post = self._waiting, self._owned, self.post
        records = _each(memoryview(room.memory)[: room.count.value * RECORD])
        told: Any = None  # the request that is being reported, and its sink
        try:
            while True:
                try:
                    for (
                        transfer, key, status, _, http_status, outcome, headers, header_length, body, body_length, url,
                        url_length, type, type_length, version, details,
                    ) in records:
                        over.append(transfer)
                        told = waiting.get(key)
                        if told is None or waiting.pop(key, None) is None:
                            continue
                        request, sink = told
                        own = owned.pop(key, 0)
                        if own:
                            over.append(own)
                        if status or details & HAS_DEVIATIONS:
                            ended = self._detailed(transfer, request)
                        else:
                            response = response_at(
                                request._result_type, http_status, outcome, headers, header_length, body, body_length, url,
                                url_length, type, type_length, version, details,
                            )
                            response.__dict__["_request"] = request
                            if details:
                                with_trace(response, _trace(c_void_p(transfer)))
                            ended = _ended(Completion, (request, response, None))
                        if post is None:
                            sink(ended)
                        else:
                            post(sink, ended)
                        told = None
                    break
                except BaseException as raised:  # of a middleware, or of a signal: the other transfers are reported, too
                    failure = failure or raised
                    if isinstance(raised, Exception) or told is None:
                        continue
                    request, sink = told
                    told = None
                    sink(Completion(request, None, CancelledError(f"{raised.__class__.__name__} ended the request")))
        finally:
            freed, count = pack(f"{len(over)}P", *over), c_size_t(len(over))
            room.count.value = 0  # all transfers were reported, and none is freed twice
            _free_many(freed, count)
        if failure is not None:
            raise failure

    def _detailed(self, transfer: int, request: "Request") -> Completion:
        """Adds the details of a failure, and the deviations of a response, from the transfer."""
        try:
            response = transfer_result(_pointer(transfer), request._result_type)
            response.__dict__["_request"] = request
            if response.deviations:
                report(request, response, self.on_deviation)
            return Completion(request, response, None)
        except RoutableError as error:
            awaited = request._awaited(error)
            return Completion(request, awaited, None) if awaited is not None else Completion(request, None, self._explain(error))


def _pointer(transfer: int) -> Any:
    return cast(c_void_p(transfer), POINTER(c.routable_transfer))
