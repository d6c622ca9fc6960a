#!/usr/bin/env python3
"""Three loopback services, each with its own origin and description, that search every request for the credentials of
the other two. The first line on stdout is the port of the first one. The services end when standard input is closed.

The descriptions 0, 1 and 2 declare schemes with the same names. A secret of description N contains `SECRET-N`. A request belongs
to description N if its path contains the segment `dN`. A secret leaks if a request of another description contains it, or a
request to another service. Below `/trusted` the service is not compared, because the program itself sets a base there; at
/dN/landed and /dN/last the description is not compared, because these URLs come from a response of a service.

    GET  /hosts                 ["http://127.0.0.1:PORT", ...]
    GET  /description/N         a route document
    GET  /verdict               {"requests":N,"leaks":N,"own":N,"found":[sentence, ...]}; `own` counts secrets at their own service
    GET  /dN/to/HOST/M          302 to /dM/landed of the service HOST
    GET  /dN/links/HOST/M       200 with Location, Link (rel=next) and {"next": URL}, all to /dM/landed of the service HOST
    GET  /dN/pages/HOST/M       200 with [1] and a Link to /dM/last of the service HOST, which is []
    GET  /dN/refused/HOST/M     401 with a Bearer challenge, whose realm is /dM/token of the service HOST; 200 with a new token
    *    /dN/token, /dN/renew   {"access_token":"SECRET-N-fresh", "token":...}
    *    /dN/...                200 {"id":1}
"""
import base64
import http.server
import json
import re
import sys
import threading
import urllib.parse

SECRET = re.compile(r"SECRET-(\d)")
lock = threading.Lock()
counts = {"requests": 0, "leaks": 0, "own": 0, "found": []}
hosts = []


def description(number):
    place = f"/d{number}"
    of_link = {"get": f"{place}/links/{{host}}/{{other}}", "auth": "session"}
    return {
        "routable": 1, "name": f"service{number}", "base": hosts[number],
        "auth": {
            "session": {"scheme": "bearer", "refresh": "renew"}, "key": {"scheme": "key", "name": "X-Key"},
            "query": {"scheme": "key", "in": "query", "name": "key"}, "cookie": {"scheme": "key", "in": "cookie", "name": "sid"},
            "login": {"scheme": "basic"}, "signed": {"scheme": "custom"},
            "service": {"scheme": "oauth2", "token_url": f"{hosts[number]}{place}/token"},
        },
        "operations": {
            **{name: {"get": f"{place}/{name}", "auth": name}
               for name in ("session", "key", "query", "cookie", "login", "signed", "service")},
            "optional": {"get": f"{place}/optional", "auth": ["session", []]},
            "public": {"get": f"{place}/public", "auth": False},
            "landed": {"get": f"{place}/landed", "auth": "session"},
            "to": {"get": f"{place}/to/{{host}}/{{other}}", "auth": "session"},
            "keyed": {"get": f"{place}/to/{{host}}/{{other}}/keyed", "auth": ["key"]},
            "links": of_link,
            "pages": {"get": f"{place}/pages/{{host}}/{{other}}", "auth": "session", "pagination": {"by": "link"}},
            "refused": {"get": f"{place}/refused/{{host}}/{{other}}", "auth": "session"},
            "challenged": {"get": f"{place}/refused/{{host}}/{{other}}/challenged", "auth": False},
            "renew": {"post": f"{place}/renew", "auth": False, "body": {"type": "object"}},
        },
    }


def secrets_of(text):
    """The numbers of the secrets in a request, including encoded ones."""
    found = SECRET.findall(text) + SECRET.findall(urllib.parse.unquote(text))
    for word in re.findall(r"Basic ([A-Za-z0-9+/=]+)", text):
        found += SECRET.findall(base64.b64decode(word).decode("utf-8", "replace"))
    return {int(each) for each in found}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one write per response: a second write would wait for an acknowledgement

    def log_message(self, *words):
        pass

    def reply(self, value, status=200, **headers):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        path = urllib.parse.urlsplit(self.path).path
        steps = path.strip("/").split("/")
        if path == "/hosts":
            return self.reply(hosts)
        if steps[0] == "description":
            return self.reply(description(int(steps[1])))
        if path == "/verdict":
            with lock:
                return self.reply(counts)
        here = self.server.number
        trusted = steps[0] == "trusted"
        if trusted:
            steps = steps[1:]
        said = re.fullmatch(r"d(\d)", steps[0])
        owner = int(said[1]) if said else -1
        kind = steps[1] if len(steps) > 1 else ""
        found = secrets_of(f"{self.path}\n{self.headers}\n{body}")
        with lock:
            counts["requests"] += 1
            for each in found:
                if (each == owner or kind in ("landed", "last")) and (each == here or trusted):
                    counts["own"] += 1
                else:
                    counts["leaks"] += 1
                    counts["found"].append(f"a secret of {each} in {self.command} {path} at the service {here}")
        there = f"{hosts[int(steps[2])]}/d{steps[3]}" if len(steps) > 3 else ""
        if kind == "to":
            return self.reply({}, 302, Location=f"{there}/landed")
        if kind == "links":
            url = f"{there}/landed"
            return self.reply({"next": url}, Location=url, Link=f'<{url}>; rel="next"')
        if kind == "pages":
            return self.reply([1], Link=f'<{there}/last>; rel="next"')
        if kind == "last":
            return self.reply([])
        if kind == "refused" and "fresh" not in (self.headers.get("Authorization") or ""):
            challenge = f'Bearer realm="{there}/token",service="registry",scope="read"'
            return self.reply({"error": "who?"}, 401, WWW_Authenticate=challenge)
        if kind in ("token", "renew"):
            token = f"SECRET-{owner}-fresh"
            return self.reply({"access_token": token, "token": token, "token_type": "bearer", "expires_in": 3600})
        return self.reply({"id": 1})

    do_GET = do_POST = do_HEAD = answer


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def main():
    services = [Service(("127.0.0.1", 0), Handler) for _ in range(3)]
    for number, each in enumerate(services):
        each.number = number
        hosts.append(f"http://127.0.0.1:{each.server_address[1]}")
    for each in services:
        threading.Thread(target=each.serve_forever, daemon=True).start()
    print(services[0].server_address[1], flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
