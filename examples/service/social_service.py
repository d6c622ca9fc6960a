#!/usr/bin/env python3
"""The sample service of the examples: stores the graph of examples/social.json in memory, on loopback.

It needs only the standard library of Python and does not use Routable: it responds like any such service.
Users, statuses, pictures, posts and comments live under /v1, at the root and nested as deep as the graph goes
(/v1/users/a/statuses/1/comments/2/users/b ...); a nested item is found only below the parent that it was created under.

    social_service.py [--port N] [--quiet]      the first line on stdout is the port; 0, the default, takes a free one

Answers are JSON: 201 and Location on create, 200 on read, list and update, 204 on delete, and
{"error": "..."} with 400, 404, 405 (and Allow), 409 or 422. Parameters arrive as a JSON body or as a form.
POST /reset, outside of /v1, forgets everything.
"""
import argparse
import http.server
import json
import sys
import threading
from urllib.parse import parse_qsl, quote, unquote, urlsplit

# collection: (capabilities, collections below a member, the key of its id)
GRAPH = {
    "users": ({"list", "read", "create", "update"}, {"statuses", "pictures", "posts"}, "username"),
    "statuses": ({"read", "create", "delete"}, {"comments"}, "id"),
    "pictures": ({"read", "create", "update", "delete"}, {"comments"}, "id"),
    "comments": ({"read", "create", "update", "delete"}, {"users"}, "id"),
    "posts": ({"read", "create", "update", "delete"}, {"comments"}, "id"),
}
ON_COLLECTION = {"GET": "list", "POST": "create"}
ON_MEMBER = {"GET": "read", "PUT": "update", "DELETE": "delete"}
MOST_BODY_BYTES = 1 << 20


class Refused(Exception):
    """A response with an error status."""

    def __init__(self, status, why, **headers):
        super().__init__(why)
        self.status, self.why, self.headers = status, why, headers


class Store:
    """Items by collection and id, and which item was created below which."""

    def __init__(self):
        self.lock = threading.Lock()
        self.reset()

    def reset(self):
        self.items = {collection: {} for collection in GRAPH}
        self.below = {}  # (collection, id) -> {(collection, id), ...}
        self.next_id = 1

    def find(self, parent, collection, item_id):
        """The item, if all items of its path exist."""
        if item_id not in self.items[collection] or (
                parent and (collection, item_id) not in self.below.get(parent, ())):
            raise Refused(404, f"no {collection}/{item_id} here")
        return self.items[collection][item_id]

    def create(self, parent, collection, fields):
        key = GRAPH[collection][2]
        if collection == "users" and not fields.get(key):
            raise Refused(422, "username: missing")
        item_id = str(fields.get(key) or self.next_id)
        known = item_id in self.items[collection]
        if known and (not parent or (collection, item_id) in self.below.get(parent, ())):
            raise Refused(409, f"{collection}/{item_id} exists")
        if not known:
            while str(self.next_id) in self.items[collection] or str(self.next_id) == item_id:
                self.next_id += 1
            self.items[collection][item_id] = {key: item_id, **{k: v for k, v in fields.items() if k != key}}
        if parent:
            self.below.setdefault(parent, set()).add((collection, item_id))
        return item_id, self.items[collection][item_id]

    def delete(self, collection, item_id):
        del self.items[collection][item_id]
        self.below.pop((collection, item_id), None)
        for children in self.below.values():
            children.discard((collection, item_id))

    def search(self, word, page):
        found = [{"collection": collection, **item} for collection, items in self.items.items()
                 for item in items.values() if word in str(item.get("text", ""))]
        return found[(page - 1) * 10:page * 10]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "social/1"
    sys_version = ""
    disable_nagle_algorithm = True

    def do_GET(self):
        self.run("GET")

    def do_POST(self):
        self.run("POST")

    def do_PUT(self):
        self.run("PUT")

    def do_PATCH(self):
        self.run("PATCH")

    def do_DELETE(self):
        self.run("DELETE")

    def log_message(self, text, *values):
        if not self.server.quiet:
            super().log_message(text, *values)

    def run(self, method):
        try:
            fields = self.read_fields()
            with self.server.store.lock:
                status, value, headers = self.serve(method, fields)
        except Refused as refused:
            status, value, headers = refused.status, {"error": refused.why}, refused.headers
        body = b"" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def read_fields(self):
        """The parameters of the body, in any supported encoding."""
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = -1
        if not 0 <= length <= MOST_BODY_BYTES:
            self.close_connection = True
            raise Refused(413 if length > 0 else 400, "the body is too large or has no length")
        body = self.rfile.read(length)
        if not body:
            return {}
        kind = self.headers.get_content_type()
        try:
            if kind == "application/x-www-form-urlencoded":
                return dict(parse_qsl(body.decode(), keep_blank_values=True))
            fields = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise Refused(400, f"the body cannot be read: {type(error).__name__}") from None
        if not isinstance(fields, dict):
            raise Refused(422, "the body must be an object")
        return fields

    def serve(self, method, fields):
        url = urlsplit(self.path)
        pieces = [unquote(piece) for piece in url.path.split("/")[1:]]
        store = self.server.store
        if pieces == ["reset"] and method == "POST":
            store.reset()
            return 204, None, {}
        if pieces[0] != "v1":
            raise Refused(404, "everything is below /v1")
        if pieces[1:] == ["search"]:
            return 200, self.search(method, dict(parse_qsl(url.query))), {}
        parent, collection, item_id = self.walk(pieces[1:])
        operations = ON_MEMBER if item_id is not None else ON_COLLECTION
        allowed = {verb: name for verb, name in operations.items() if name in GRAPH[collection][0]}
        if method not in allowed:
            raise Refused(405, f"{method} is not for {collection}", Allow=", ".join(sorted(allowed)))
        return getattr(self, allowed[method])(parent, collection, item_id, fields)

    def walk(self, pieces):
        """From the root to the last collection or member; every member on the way must exist."""
        parent, rest = None, pieces
        while rest:
            collection, item_id = rest[0], rest[1] if len(rest) > 1 else None
            if collection not in (GRAPH[parent[0]][1] if parent else GRAPH) or item_id == "":
                break
            if len(rest) <= 2:
                return parent, collection, item_id
            self.server.store.find(parent, collection, item_id)
            parent, rest = (collection, item_id), rest[2:]
        raise Refused(404, "no such path")

    def search(self, method, query):
        if method != "GET":
            raise Refused(405, f"{method} is not for search", Allow="GET")
        if not query.get("q"):
            raise Refused(422, "q: missing")
        if not query.get("page", "1").isdecimal() or int(query.get("page", "1")) < 1:
            raise Refused(422, "page: a number from 1")
        return self.server.store.search(query["q"], int(query.get("page", "1")))

    def list(self, parent, collection, _, fields):
        store = self.server.store
        return 200, [item for item_id, item in store.items[collection].items()
                     if not parent or (collection, item_id) in store.below.get(parent, ())], {}

    def create(self, parent, collection, _, fields):
        text = fields.get("text")
        if collection == "statuses" and (not isinstance(text, str) or len(text) > 280):
            raise Refused(422, "text: a string of at most 280 characters")
        if collection == "users" and parent and self.server.store.items["users"].get(fields.get("username")):
            fields = {"username": fields["username"]}
        item_id, item = self.server.store.create(parent, collection, fields)
        return 201, item, {"Location": f"{urlsplit(self.path).path}/{quote(item_id, safe='')}"}

    def read(self, parent, collection, item_id, fields):
        return 200, self.server.store.find(parent, collection, item_id), {}

    def update(self, parent, collection, item_id, fields):
        item, key = self.server.store.find(parent, collection, item_id), GRAPH[collection][2]
        item.clear()
        item.update({key: item_id, **{k: v for k, v in fields.items() if k != key}})
        return 200, item, {}

    def delete(self, parent, collection, item_id, fields):
        self.server.store.find(parent, collection, item_id)
        self.server.store.delete(collection, item_id)
        return 204, None, {}


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port, quiet):
        super().__init__(("127.0.0.1", port), Handler)
        self.store, self.quiet = Store(), quiet

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    arguments = argparse.ArgumentParser(description="The sample service of the Routable examples.")
    arguments.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    arguments.add_argument("--quiet", action="store_true", help="print no line per request")
    options = arguments.parse_args()
    service = Service(options.port, options.quiet)
    print(service.server_address[1], flush=True)
    try:
        service.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
