"""Logins of OAuth 2 that a user takes part in (docs/auth.md, "Logins")."""

from __future__ import annotations

import sys
import time
from ctypes import POINTER, byref, c_int64, cast, sizeof
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, TypeVar

from . import _capi as base
from ._capi import login as c
from ._check import check, new_error, take_string
from ._handle import Owned
from ._text import data, name, optional_name, to_text, utf8
from .credential import live_router

if TYPE_CHECKING:
    from .aio import AsyncClient
    from .client import Client
    from .router import PlainRouter

R = TypeVar("R")


class DeviceCode(NamedTuple):
    """What a program shows to the user of a device.

    code          the code that the user enters
    url           where the user enters the code
    complete_url  the same with the code in it, for a QR code; None if there is none
    expires_in    lifetime of the code in seconds
    interval      seconds between two calls of Login.poll
    """

    code: str
    url: str
    complete_url: Optional[str]
    expires_in: float
    interval: float

    def __repr__(self) -> str:
        return f"<routable.DeviceCode for {self.url}>"


class Login(Owned):
    """A login by a browser or by a code; Client.login returns it.  One thread at a time.

        login = client.login("service", client_id="app", redirect_url="http://127.0.0.1:8765/")
        print("open", login.begin())
        login.finish(redirected)             # the URL that the browser was sent to

    The library opens no browser, and does not listen for the redirect.
    """

    __slots__ = ("_client",)

    def __init__(
        self, client: "Client", scheme: str, *, client_id: str, client_secret: Optional[str] = None,
        redirect_url: Optional[str] = None, scope: Optional[str] = None, audience: Optional[str] = None,
        resource: Optional[str] = None, issuer: Optional[str] = None, discover: bool = False,
        authorization_url: Optional[str] = None, device_url: Optional[str] = None, token_url: Optional[str] = None,
        secret_in_body: bool = False, router: "Optional[PlainRouter]" = None,
    ) -> None:
        options = c.routable_login_options(
            size=sizeof(c.routable_login_options), scheme=name("scheme", scheme),
            redirect_url=optional_name("redirect_url", redirect_url), scope=optional_name("scope", scope),
            audience=optional_name("audience", audience), resource=optional_name("resource", resource),
            issuer=optional_name("issuer", issuer), authorization_url=optional_name("authorization_url", authorization_url),
            device_url=optional_name("device_url", device_url), token_url=optional_name("token_url", token_url),
            flags=(c.ROUTABLE_LOGIN_DISCOVER if discover else 0) | (base.ROUTABLE_CREDENTIAL_SECRET_IN_BODY if secret_in_body else 0),
        )
        texts = utf8("client_id", client_id), utf8("client_secret", client_secret or "")
        options.client_id, options.client_secret = data(texts[0]), data(texts[1])
        if router is not None:
            named = live_router(router)
            options.router = cast(named._as_parameter_, POINTER(base.routable_router))
        out, error = POINTER(c.routable_login)(), new_error()
        check(c.routable_login_new(client._live(), byref(options), byref(out), byref(error)), error)
        super().__init__(out, c.routable_login_free)
        self._client = client

    def begin(self) -> str:
        """The URL for the browser, with a new state and a new PKCE challenge.  Each call begins again.  Raises ArgumentError."""
        return take_string(c.routable_login_begin, self._live())

    def finish(self, redirected: str) -> None:
        """Checks the state in the URL that the browser was sent to, or in its query, exchanges the code, and sets the credential.
        Raises CredentialError, whose `response` is the response of the service if it refused the code; TransferError,
        TimeoutError, TLSError.
        """
        text, error = utf8("redirected", redirected), new_error()
        check(c.routable_login_finish(self._live(), data(text), byref(error)), error)

    def device(self) -> DeviceCode:
        """Requests a code that the user enters on another device (RFC 8628).  Each call begins again.  Raises CredentialError;
        TransferError, TimeoutError, TLSError."""
        out, error = c.routable_device_code(size=sizeof(c.routable_device_code)), new_error()
        handle = self._live()
        check(c.routable_login_begin_device(handle, byref(out), byref(error)), error)
        return DeviceCode(
            to_text(out.user_code), to_text(out.url), to_text(out.complete_url) or None, out.expires_in_ms / 1000,
            out.interval_ms / 1000,
        )

    def poll(self) -> float:
        """Asks once whether the user has entered the code.  Returns 0.0 when the credential is set, otherwise the seconds until
        the next call.  Raises CredentialError for a refusal or an expired code; TransferError, TimeoutError, TLSError."""
        wait, error = c_int64(), new_error()
        status = c.routable_login_poll(self._live(), byref(wait), byref(error))
        if status == base.ROUTABLE_IDLE:
            return max(wait.value, 1) / 1000
        check(status, error)
        return 0.0

    def wait(self) -> None:
        """Polls until the user has entered the code.  Raises what `poll` raises."""
        while True:
            seconds = self.poll()
            if not seconds:
                return
            time.sleep(seconds)

    def __repr__(self) -> str:
        return f"<routable.{type(self).__name__}{' closed' if self.closed else ''}>"


class AsyncLogin:
    """Login in an event loop; AsyncClient.login returns it.  Its requests run in a thread of the loop."""

    __slots__ = ("_login",)

    def __init__(self, login: Login) -> None:
        self._login = login

    def begin(self) -> str:
        """Like Login.begin."""
        return self._login.begin()

    async def finish(self, redirected: str) -> None:
        """Like Login.finish."""
        await in_thread(lambda: self._login.finish(redirected))

    async def device(self) -> DeviceCode:
        """Like Login.device."""
        return await in_thread(self._login.device)

    async def poll(self) -> float:
        """Like Login.poll."""
        return await in_thread(self._login.poll)

    async def wait(self) -> None:
        """Like Login.wait."""
        while True:
            seconds = await self.poll()
            if not seconds:
                return
            await _sleep(seconds)

    def __repr__(self) -> str:
        return f"<routable.{type(self).__name__}>"


async def open_login(client: "AsyncClient", scheme: str, **options: Any) -> AsyncLogin:
    return AsyncLogin(await in_thread(lambda: Login(client._client, scheme, **options)))


async def in_thread(work: Callable[[], R]) -> R:
    if _is_trio():
        import trio

        return await trio.to_thread.run_sync(work)
    import asyncio

    return await asyncio.get_running_loop().run_in_executor(None, work)


async def _sleep(seconds: float) -> None:
    if _is_trio():
        import trio

        await trio.sleep(seconds)
    else:
        import asyncio

        await asyncio.sleep(seconds)


def _is_trio() -> bool:
    if "trio" not in sys.modules:
        return False
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    return False
