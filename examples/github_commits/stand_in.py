#!/usr/bin/env python3
"""A substitute for the part of api.github.com that github_commits calls, on loopback, with responses of the same shape.

    stand_in.py [--port N]      the first line on stdout is the port; it ends when its standard input does

    octocat/hello     three commits                  octocat/empty     none
    octocat/limited   403, the rate limit is used up octocat/broken    200, HTML instead of JSON
    octocat/cut       200, JSON that ends too early  octocat/strange   200, commits of another shape
    octocat/slow      no answer for five seconds     anything else     404
"""
import argparse
import http.server
import json
import sys
import threading
import time
import urllib.parse

ADA = {"name": "Ada", "email": "ada@example.com", "date": "2024-05-01T12:00:00Z"}


def commit(sha, message):
    return {
        "sha": sha, "node_id": "C_" + sha[:6],
        "commit": {"author": ADA, "committer": ADA, "message": message, "tree": {"sha": sha[::-1]}, "comment_count": 0,
                   "verification": {"verified": False, "reason": "unsigned", "signature": None, "payload": None}},
        "author": {"login": "ada", "id": 1, "type": "User", "site_admin": False}, "parents": [],
    }


COMMITS = [
    commit("7fd1a60b01f91b314f59955a4e4d4e80d8edf11d", "Merge pull request #6 from Spaceghost/patch-1\n\nNew line at end of file."),
    commit("762941318ee16e59dabbacb1b4049eec22f0d303", "New line at end of file. --Signed off by Spaceghost"),
    commit("553c2077f0edc3d5dc5d17262f6aa498e69d6f8e", "first commit: caf\u00e9"),
]
DOCS = "https://docs.github.com/rest/commits/commits#list-commits"
ANSWERS = {
    "hello": (200, json.dumps(COMMITS)),
    "empty": (200, "[]"),
    "limited": (403, json.dumps({"message": "API rate limit exceeded for 203.0.113.7.", "documentation_url": DOCS})),
    "broken": (200, "<html>under maintenance</html>"),
    "cut": (200, json.dumps(COMMITS)[:100]),
    "strange": (200, '[{"sha":"7fd1a60b01f91b314f59955a4e4d4e80d8edf11d","commit":null}]'),
    "slow": (200, json.dumps(COMMITS)),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        words = [urllib.parse.unquote(word) for word in parts.path.split("/")]
        page = int(dict(urllib.parse.parse_qsl(parts.query)).get("per_page", "30"))
        status, body = 404, json.dumps({"message": "Not Found", "documentation_url": DOCS, "status": "404"})
        if len(words) == 5 and words[1:3] == ["repos", "octocat"] and words[4] == "commits":
            status, body = ANSWERS.get(words[3], (status, body))
            if words[3] == "hello":
                body = json.dumps(COMMITS[:page])
            if words[3] == "slow":
                time.sleep(5)
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(body.encode())))
            if status == 403:
                self.send_header("X-RateLimit-Remaining", "0")
            self.end_headers()
            self.wfile.write(body.encode())
        except OSError:
            self.close_connection = True  # the client has left, which is what `slow` is about

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=0)
    service = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.parse_args().port), Handler)
    service.daemon_threads = True
    threading.Thread(target=service.serve_forever, daemon=True).start()
    print(service.server_port, flush=True)
    sys.stdin.read()
