"""Two providers of OAuth 2 on loopback, for test_logins.py: authlib over Flask, and django-oauth-toolkit.

Both have the clients `app` (public, with the redirect URL REDIRECT) and `robot` (secret `robot-secret`), the user `ann` with the
password `pass word`, and GET /me, which requires a valid token.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any, Callable, Dict, List, Optional
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

REDIRECT = "http://127.0.0.1:8765/callback"
PASSWORD = "pass word"
SECRET = "robot-secret"


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 512


class _Handler(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class Provider:
    """A running provider.  `grants` are the parameters of the token requests that it received."""

    def __init__(self, name: str, lifetime: int) -> None:
        self.name = name
        self.lifetime = lifetime
        self.grants: List[Dict[str, str]] = []
        self.base = ""
        self.issuer = ""
        self.token_url = ""

    def serve(self, application: Callable[..., Any]) -> None:
        def counted(environ: Dict[str, Any], start: Any) -> Any:
            if environ["PATH_INFO"].rstrip("/").endswith("/token"):
                import io

                body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
                environ["wsgi.input"] = io.BytesIO(body)
                self.grants.append(dict(urllib.parse.parse_qsl(body.decode())))
            return application(environ, start)

        self._server = make_server("127.0.0.1", 0, counted, _Server, _Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def agree(self, url: str) -> str:
        """Follows the authorization URL as the user's browser does; returns the redirect URL."""
        raise NotImplementedError

    def enter(self, code: str, agrees: bool = True) -> None:
        """Enters the code of a device as the user does."""
        raise NotImplementedError


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def location(url: str) -> str:
    """The redirect URL of a response."""
    try:
        urllib.request.build_opener(_Stay).open(url)
    except urllib.error.HTTPError as error:
        found: Optional[str] = error.headers["Location"]
        if found:
            return found
        raise AssertionError(f"{error.code} {error.read()[:500]!r}") from None
    raise AssertionError("no redirect")


def authlib(lifetime: int = 3600) -> Provider:
    """authlib with Flask, and models in memory."""
    import flask
    from authlib.integrations.flask_oauth2 import AuthorizationServer
    from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, grants
    from authlib.oauth2.rfc7636 import CodeChallenge
    from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict

    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

    class Client(ClientMixin):  # type: ignore[misc]
        def __init__(self, name: str, secret: str) -> None:
            self.client_id, self.secret = name, secret

        def get_client_id(self) -> str:
            return self.client_id

        def get_default_redirect_uri(self) -> str:
            return REDIRECT

        def get_allowed_scope(self, scope: Optional[str]) -> str:
            return scope or ""

        def check_redirect_uri(self, redirect_uri: str) -> bool:
            return redirect_uri == REDIRECT

        def check_client_secret(self, client_secret: str) -> bool:
            return secrets.compare_digest(self.secret, client_secret)

        def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
            return method in (("client_secret_basic", "client_secret_post") if self.secret else ("none",))

        def check_response_type(self, response_type: str) -> bool:
            return response_type == "code"

        def check_grant_type(self, grant_type: str) -> bool:
            return True

    class Code(AuthorizationCodeMixin):  # type: ignore[misc]
        def __init__(self, code: str, request: Any) -> None:
            self.code, self.user, self.client_id = code, request.user, request.client.client_id
            self.redirect_uri, self.scope = request.payload.redirect_uri, request.payload.scope
            self.code_challenge = request.payload.data.get("code_challenge")
            self.code_challenge_method = request.payload.data.get("code_challenge_method")

        def get_redirect_uri(self) -> str:
            return str(self.redirect_uri or "")

        def get_scope(self) -> str:
            return str(self.scope or "")

        def get_user(self) -> Any:
            return self.user

    class Refresh:
        def __init__(self, owner: Dict[str, Any]) -> None:
            self.owner = owner

        def get_scope(self) -> str:
            return str(self.owner.get("scope") or "")

        def check_client(self, client: Any) -> bool:
            return bool(self.owner["client"] == client.client_id)

    clients = {"app": Client("app", ""), "robot": Client("robot", SECRET)}
    codes: Dict[str, Code] = {}
    tokens: Dict[str, float] = {}
    refreshes: Dict[str, Dict[str, Any]] = {}
    devices: Dict[str, Dict[str, Any]] = {}
    decisions: Dict[str, bool] = {}

    app = flask.Flask("provider")
    app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
    app.config["OAUTH2_TOKEN_EXPIRES_IN"] = dict.fromkeys(
        ("authorization_code", "password", "client_credentials", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"), lifetime)

    def save(token: Dict[str, Any], request: Any) -> None:
        tokens[token["access_token"]] = time.monotonic() + lifetime
        if "refresh_token" in token:
            refreshes[token["refresh_token"]] = {
                "client": request.client.client_id, "user": request.user, "scope": token.get("scope")}

    server = AuthorizationServer(app, query_client=clients.get, save_token=save)

    class CodeGrant(grants.AuthorizationCodeGrant):  # type: ignore[misc]
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

        def save_authorization_code(self, code: str, request: Any) -> None:
            codes[code] = Code(code, request)

        def query_authorization_code(self, code: str, client: Any) -> Optional[Code]:
            found = codes.get(code)
            return found if found is not None and found.client_id == client.client_id else None

        def delete_authorization_code(self, authorization_code: Code) -> None:
            codes.pop(authorization_code.code, None)

        def authenticate_user(self, authorization_code: Code) -> Any:
            return authorization_code.user

    class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):  # type: ignore[misc]
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

        def authenticate_user(self, username: str, password: str) -> Any:
            return "ann" if (username, password) == ("ann", PASSWORD) else None

    class RefreshGrant(grants.RefreshTokenGrant):  # type: ignore[misc]
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
        INCLUDE_NEW_REFRESH_TOKEN = True

        def authenticate_refresh_token(self, refresh_token: str) -> Any:
            self._text = refresh_token
            found = refreshes.get(refresh_token)
            return None if found is None else Refresh(found)

        def authenticate_user(self, refresh_token: Any) -> Any:
            return refresh_token.owner["user"]

        def revoke_old_credential(self, refresh_token: Any) -> None:
            refreshes.pop(self._text, None)

    class DeviceGrant(DeviceCodeGrant):  # type: ignore[misc]
        def query_device_credential(self, device_code: str) -> Any:
            found = devices.get(device_code)
            return None if found is None else DeviceCredentialDict(found)

        def query_user_grant(self, user_code: str) -> Any:
            return ("ann", decisions[user_code]) if user_code in decisions else None

        def should_slow_down(self, credential: Any) -> bool:
            return False

    class DeviceEndpoint(DeviceAuthorizationEndpoint):  # type: ignore[misc]
        INTERVAL = 1

        def get_verification_uri(self) -> str:
            return f"{provider.base}/activate"

        def save_device_credential(self, client_id: str, scope: str, data: Dict[str, Any]) -> None:
            devices[data["device_code"]] = {**data, "client_id": client_id, "scope": scope, "expires_at": time.time() + 600}

    class ClientGrant(grants.ClientCredentialsGrant):  # type: ignore[misc]
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

    server.register_grant(CodeGrant, [CodeChallenge(required=True)])
    for grant in (PasswordGrant, RefreshGrant, DeviceGrant, ClientGrant):
        server.register_grant(grant)
    server.register_endpoint(DeviceEndpoint)

    provider = _Authlib("authlib", lifetime)
    provider.decisions = decisions

    @app.get("/authorize")
    def authorize() -> Any:
        grant = server.get_consent_grant(end_user="ann")
        return server.create_authorization_response(grant=grant, grant_user="ann")

    @app.post("/token")
    def token() -> Any:
        return server.create_token_response()

    @app.post("/device")
    def device() -> Any:
        return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)

    @app.get("/.well-known/openid-configuration")
    def metadata() -> Any:
        return {
            "issuer": provider.base, "authorization_endpoint": f"{provider.base}/authorize",
            "token_endpoint": f"{provider.base}/token", "device_authorization_endpoint": f"{provider.base}/device"}

    @app.get("/me")
    def me() -> Any:
        token = flask.request.headers.get("Authorization", "").removeprefix("Bearer ")
        if tokens.get(token, 0) < time.monotonic():
            return {"error": "invalid_token"}, 401
        return {"name": "ann"}

    provider.serve(app)
    provider.issuer, provider.token_url = provider.base, f"{provider.base}/token"
    return provider


class _Authlib(Provider):
    decisions: Dict[str, bool]

    def agree(self, url: str) -> str:
        return location(url)

    def enter(self, code: str, agrees: bool = True) -> None:
        self.decisions[code] = agrees


def django(folder: Path, lifetime: int = 3600) -> Provider:
    """django-oauth-toolkit below /o, with SQLite.  Can be called once per process."""
    import django as package
    from django.conf import settings

    provider = _Django("django-oauth-toolkit", lifetime)
    settings.configure(
        SECRET_KEY="of a test", DEBUG=False, ALLOWED_HOSTS=["*"], ROOT_URLCONF="oauth_django_urls", USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "provider.sqlite"), "OPTIONS": {
            "timeout": 60, "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
            "transaction_mode": "IMMEDIATE"}}},
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
        MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware"],
        AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend"],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        LOGGING={"version": 1, "disable_existing_loggers": False, "loggers": {
            "django.request": {"level": "CRITICAL"}, "oauth2_provider": {"level": "CRITICAL"}}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        OAUTH2_PROVIDER={
            "ACCESS_TOKEN_EXPIRE_SECONDS": lifetime, "SCOPES": {"read": "", "write": ""}, "DEFAULT_SCOPES": ["read"],
            "DEVICE_FLOW_INTERVAL": 1, "OAUTH_DEVICE_VERIFICATION_URI": "http://127.0.0.1/o/device/",
        },
    )
    package.setup()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from oauth2_provider.models import Application

    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_user("ann", password=PASSWORD)
    # A client of the toolkit has one grant, besides refresh tokens.
    for name, secret, grant in (
        ("app", "", Application.GRANT_AUTHORIZATION_CODE), ("robot", SECRET, Application.GRANT_CLIENT_CREDENTIALS),
        ("app-password", "", Application.GRANT_PASSWORD), ("app-device", "", Application.GRANT_DEVICE_CODE),
    ):
        Application.objects.create(
            client_id=name, client_secret=secret, user=user, redirect_uris=REDIRECT, skip_authorization=True, name=name,
            client_type=Application.CLIENT_CONFIDENTIAL if secret else Application.CLIENT_PUBLIC, authorization_grant_type=grant)
    provider.user = user
    provider.serve(get_wsgi_application())
    provider.issuer, provider.token_url = f"{provider.base}/o", f"{provider.base}/o/token/"
    return provider


class _Django(Provider):
    user: Any

    def _browser(self) -> Any:
        from django.test import Client

        browser = Client(headers={"host": self.base.partition("://")[2]})
        browser.force_login(self.user)
        return browser

    def agree(self, url: str) -> str:
        response = self._browser().get(url[len(self.base):])
        assert response.status_code == 302, response.content[:500]
        return str(response["Location"])

    def enter(self, code: str, agrees: bool = True) -> None:
        from oauth2_provider.models import get_device_grant_model

        browser = self._browser()
        grant = get_device_grant_model().objects.get(user_code=code)
        grant.user = self.user
        grant.status = grant.AUTHORIZED if agrees else grant.DENIED
        grant.save()
        del browser
