#!/usr/bin/env python3
"""A loopback service that requires a bearer token, issues tokens, and counts both kinds of requests, so that tests can compare
the numbers. The first line on stdout is the port. The service ends when its standard input is closed.

A realm is a name that a test chooses. Each realm has one valid token: "REALM-1" first, and a new one after each refresh.

    GET  /secret/REALM      200 {"name":"a"} with `Authorization: Bearer` and the valid token, else 401, or in the query
                            reject=STATUS, and code=WORD for {"error":{"code":WORD}}
    GET  /moved/REALM       302 to /secret/REALM
    POST /token/REALM       OAuth 2: a new token, which replaces the valid one. In the query: life=SECONDS,
                            rotate (a new refresh token each time), status=N and error=WORD (refused), after=MS (slow),
                            stale (the issued token is not valid)
                            The first request with a device code gets authorization_pending.
    POST /device/REALM      a device code with an interval of 1 s
    GET  /issuer/REALM/.well-known/openid-configuration     the endpoints of the realm
    POST /session/REALM     {"user":"u","password":"p"} -> {"auth":{"token":...,"seconds":60}}
    POST /revoke/REALM      no token is valid until the next refresh
    GET  /count/REALM       {"refreshes":N,"served":N,"refused":N,"grants":[...],"clients":[...]}
    *    /echo...           200 with method, target, headers and body as JSON
    GET  /redirect?to=URL   302 to that URL
"""
import base64
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

lock = threading.Lock()
realms = {}


def realm(name):
    return realms.setdefault(
        name, {"number": 1, "good": f"{name}-1", "refreshes": 0, "served": 0, "refused": 0, "grants": [], "clients": []}
    )


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def send(self, status, value, headers=()):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in headers:
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = urllib.parse.urlsplit(self.path)
        query = {key: values[0] for key, values in urllib.parse.parse_qs(parts.query, keep_blank_values=True).items()}
        words = parts.path.strip("/").split("/")
        name = words[1] if len(words) > 1 else ""
        if words[0] == "secret":
            with lock:
                state = realm(name)
                let_in = self.headers.get("Authorization") == "Bearer " + state["good"]
                state["served" if let_in else "refused"] += 1
            if let_in:
                return self.send(200, {"name": "a"})
            body = {"name": "who", "error": {"code": query["code"]}} if "code" in query else {"name": "who"}
            return self.send(int(query.get("reject", 401)), body, [("WWW-Authenticate", "Bearer")])
        if words[0] == "moved":
            return self.send(302, {}, [("Location", f"/secret/{name}")])
        if words[0] == "token":
            return self.token(name, query, dict(urllib.parse.parse_qsl(body.decode())))
        if words[0] == "device":
            return self.send(200, {
                "device_code": f"{name}-device", "user_code": "ABCD-EFGH", "verification_uri": self.base() + "/activate",
                "interval": 1, "expires_in": 60})
        if words[0] == "issuer":
            return self.send(200, {
                "issuer": f"{self.base()}/issuer/{name}", "authorization_endpoint": f"{self.base()}/authorize",
                "token_endpoint": f"{self.base()}/token/{name}", "device_authorization_endpoint": f"{self.base()}/device/{name}"})
        if words[0] == "session":
            return self.session(name, json.loads(body))
        if words[0] == "revoke":
            with lock:
                realm(name)["good"] = "none"
            return self.send(200, {})
        if words[0] == "count":
            with lock:
                return self.send(200, {key: realm(name)[key] for key in ("refreshes", "served", "refused", "grants", "clients")})
        if words[0] == "redirect":
            return self.send(302, {}, [("Location", query["to"])])
        if words[0] == "echo":
            return self.send(
                200, {"method": self.command, "target": self.path, "headers": {k.lower(): v for k, v in self.headers.items()},
                      "body": body.decode("latin-1")})
        return self.send(404, {})

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer

    def base(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def token(self, name, query, form):
        given = self.headers.get("Authorization", "")
        client = base64.b64decode(given[6:]).decode() if given.startswith("Basic ") else \
            f'{form.get("client_id", "")}:{form.get("client_secret", "")} in body'
        time.sleep(float(query.get("after", 0)) / 1000)
        with lock:
            state = realm(name)
            state["refreshes"] += 1
            state["grants"].append(" ".join(f"{key}={value}" for key, value in sorted(form.items()) if not key.startswith("client")))
            state["clients"].append(client)
            if "status" in query:
                return self.send(int(query["status"]), {"error": query.get("error", "")})
            if form.get("grant_type", "").endswith(":device_code") and not state.get("entered"):
                state["entered"] = True
                return self.send(400, {"error": "authorization_pending"})
            state["number"] += 1
            token = f'{name}-{state["number"]}'
            state["good"] = "none" if "stale" in query else token
            answer = {"access_token": token, "token_type": "bearer"}
            if "life" in query:
                answer["expires_in"] = float(query["life"])
            if "rotate" in query:
                answer["refresh_token"] = f'{name}-r{state["number"]}'
        return self.send(200, answer)

    def session(self, name, value):
        with lock:
            state = realm(name)
            state["refreshes"] += 1
            state["grants"].append(json.dumps(value, sort_keys=True))
            if value != {"user": "u", "password": "p"}:
                return self.send(403, {"error": "wrong"})
            state["number"] += 1
            state["good"] = f'{name}-{state["number"]}'
        return self.send(200, {"auth": {"token": state["good"], "seconds": 60}})


port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
service = Service(("127.0.0.1", port), Handler)
print(service.server_address[1], flush=True)
threading.Thread(target=service.serve_forever, daemon=True).start()
while sys.stdin.buffer.read(4096):
    pass
os._exit(0)
