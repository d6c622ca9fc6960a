"""Two providers of OAuth 2, authlib and django-oauth-toolkit, with the actions of their user, for tests in C and Swift.

Prints a port.  GET /authlib and GET /django return the URLs of a provider, or 404 if it is not installed.
GET /NAME/agree?url=URL follows the authorization URL as the user's browser does, and returns the redirect URL;
GET /NAME/enter?code=CODE enters a device code; GET /NAME/last returns the parameters of the last token request.  The service ends
when its standard input is closed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python/tests"))
NEEDED = ("authlib", "flask", "oauth2_provider")


def main() -> None:
    are_installed = all(importlib.util.find_spec(name) for name in NEEDED)
    own = ROOT / "build/venv/bin/python"
    if not are_installed and own.exists() and os.environ.get("ROUTABLE_OAUTH_SERVICE") is None:
        os.execve(own, [str(own), __file__], {**os.environ, "ROUTABLE_OAUTH_SERVICE": "again"})
    with tempfile.TemporaryDirectory() as folder:
        providers: Dict[str, Any] = {}
        if are_installed:
            import oauth_providers

            providers = {"authlib": oauth_providers.authlib(), "django": oauth_providers.django(Path(folder))}

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path, _, query = self.path.partition("?")
                name, _, deed = path.strip("/").partition("/")
                if name not in providers:
                    self.send_response(404)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                provider, values = providers[name], dict(urllib.parse.parse_qsl(query))
                told: Dict[str, Any] = {}
                if deed == "agree":
                    told["location"] = provider.agree(values["url"])
                elif deed == "enter":
                    provider.enter(values["code"])
                elif deed == "last":
                    told = dict(provider.grants[-1])
                else:
                    device = f"{provider.base}/device" if name == "authlib" else f"{provider.base}/o/device-authorization/"
                    told = {"base": provider.base, "issuer": provider.issuer, "token_url": provider.token_url, "device_url": device}
                body = json.dumps(told).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_port, flush=True)
        sys.stdin.read()
        server.shutdown()
        for provider in providers.values():
            provider.close()


main()
