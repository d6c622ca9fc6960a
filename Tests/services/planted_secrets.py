"""Counts the secrets of OAuth 2 that a reader of output could see: 60 and more, planted in each grant, at two providers.

    planted_secrets.py authlib|django

Tokens, refresh tokens, client secrets, passwords, codes, PKCE verifiers and device codes: those that a provider refuses, and those that
it issues.  Searched: messages, repr and attributes of errors with their tracebacks, responses on errors, repr of the objects, log records
of every level, events, HAR files with bodies, curl commands, and the request lines that the provider received.
"""

from __future__ import annotations

import collections
import logging
import pickle
import secrets
import sys
import tempfile
import traceback
import urllib.parse
from pathlib import Path
from typing import Any, Callable, Dict, List

import routable
from routable import Credential
from routable.har import Har

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/tests"))
import oauth_providers  # noqa: E402
from oauth_providers import PASSWORD, REDIRECT, SECRET  # noqa: E402


PROVIDERS = ("authlib", "oauthlib", "oauth2_provider", "django", "flask", "werkzeug")


class Seen(logging.Handler):
    """All readable strings, by their kind."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.texts: Dict[str, List[str]] = collections.defaultdict(list)

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] not in PROVIDERS:  # the providers log the tokens that they issue
            self.add("log", record.getMessage(), repr(record.__dict__))

    def add(self, kind: str, *texts: object) -> None:
        self.texts[kind] += [each if isinstance(each, str) else repr(each) for each in texts]

    def error(self, error: BaseException) -> None:
        self.add("message", str(error), "".join(traceback.format_exception(type(error), error, error.__traceback__)))
        self.add("repr", error, vars(error))
        response = getattr(error, "response", None)
        if response is not None:
            self.add("response", response.text, response.headers, response, str(response.url))
        try:
            self.add("pickle", pickle.dumps(error).decode("latin-1"))
        except Exception:  # an error without a pickle discloses nothing
            pass


def main(name: str) -> int:
    seen = Seen()
    planted: Dict[str, List[str]] = collections.defaultdict(list)

    def plant(kind: str) -> str:
        planted[kind].append(f"{kind}-{secrets.token_hex(8)}")
        return planted[kind][-1]

    oauth_providers._Handler.log_message = lambda self, *_: seen.add("request line", self.requestline)  # type: ignore[method-assign]
    logger = logging.getLogger()
    logger.addHandler(seen)
    logger.setLevel(logging.DEBUG)
    with tempfile.TemporaryDirectory() as folder:
        provider = oauth_providers.authlib() if name == "authlib" else oauth_providers.django(Path(folder))
        api = routable.open({
            "routable": 1, "base": provider.base,
            "auth": {"service": {"scheme": "oauth2", "scope": "read", "issuer": provider.issuer, "token_url": provider.token_url, "default": True,
                                 "device_url": f"{provider.base}/{'device' if name == 'authlib' else 'o/device-authorization/'}"}},
            "operations": {"me": {"get": "/me"}}})
        har = Har(Path(folder) / "all.har", bodies=True)

        def identity(grant: str) -> str:
            return "app" if name == "authlib" else f"app-{grant}"

        with har, routable.Client(api, deadline=60, on_event=lambda event: seen.add("event", event), middleware=[har]) as client:
            def attempt(work: Callable[[], Any]) -> None:
                try:
                    made = work()
                    seen.add("repr", made)
                    if isinstance(made, routable.Response):
                        seen.add("response", made.text, made.headers, str(made.url), repr(made.request))
                except routable.RoutableError as error:
                    seen.error(error)

            def use(credential: Credential) -> None:
                client.set_credential("service", credential)
                seen.add("repr", credential)
                request = api.operations.me()
                attempt(lambda: client.perform(request))
                seen.add("curl", client.to_curl(request))
                seen.add("repr", request, client)
                for kind, token in zip(("token", "refresh token"), client.tokens("service")):
                    if token and not any(token in each for each in planted.values()):
                        planted[f"issued {kind}"].append(token)

            for in_body in (False, True):
                use(Credential(
                    plant("token"), refresh_token=plant("refresh"), client_id="robot", client_secret=plant("secret"), secret_in_body=in_body))
                use(Credential(client_id="robot", client_secret=plant("secret"), secret_in_body=in_body))
                use(Credential(client_id="robot", client_secret=SECRET, secret_in_body=in_body))
            for _ in range(4):
                use(Credential(user="ann", password=plant("password"), client_id=identity("password")))
                use(Credential(plant("token"), refresh_token=plant("refresh"), client_id=identity("password")))
                use(Credential(user="ann", password=PASSWORD, client_id=identity("password")))
                use(Credential(plant("token"), refresh_token=client.tokens("service")[1], client_id=identity("password")))
            for is_forged in (True, True, True, False, False):
                login = client.login("service", client_id="app", redirect_url=REDIRECT, discover=True)
                redirected = provider.agree(login.begin())
                parts = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(redirected).query))
                if is_forged:
                    parts["code"] = plant("code")
                else:
                    planted["issued code"].append(parts["code"])
                attempt(lambda: login.finish(f"{REDIRECT}?{urllib.parse.urlencode(parts)}"))
                seen.add("repr", login)
                planted["verifier"].append(provider.grants[-1]["code_verifier"])
                attempt(lambda: login.finish(f"{REDIRECT}?code={plant('code')}&state={plant('state')}"))
                attempt(lambda: client.perform(api.operations.me()))
                seen.add("curl", client.to_curl(api.operations.me()))
            for agrees in (True, False):
                login = client.login("service", client_id=identity("device"))
                shown = login.device()
                provider.enter(shown.code, agrees)
                attempt(login.wait)
                seen.add("repr", login, shown)
                planted["device code"].append(provider.grants[-1]["device_code"])
        seen.add("HAR", (Path(folder) / "all.har").read_text())
        planted["given"] += [PASSWORD, SECRET]
        provider.close()
    found = 0
    for kind, values in planted.items():
        for value in values:
            for place, texts in seen.texts.items():
                for spelling in {value, urllib.parse.quote(value), urllib.parse.quote_plus(value)}:
                    hits = [each for each in texts if spelling in each]
                    if hits:
                        found += 1
                        print(f"  {kind} in {place}: {hits[0][:300]}")
    count = sum(len(values) for values in planted.values())
    print(f"{provider.name}: {count} secrets ({', '.join(f'{len(each)} {kind}' for kind, each in planted.items())}); "
          f"{sum(map(len, seen.texts.values()))} texts ({', '.join(f'{len(each)} {kind}' for kind, each in seen.texts.items())}): {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
