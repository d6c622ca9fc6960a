"""The documents that JSON is measured with, and their schemas: generated here, the same on every machine."""

import json
import random


def _user(draw):
    login = f"user-{draw.randrange(10**6)}"
    base = f"https://api.example.com/users/{login}"
    return {
        "login": login,
        "id": draw.randrange(10**8),
        "node_id": f"MDQ6VXNlcj{draw.randrange(10**9)}",
        "avatar_url": f"https://avatars.example.com/u/{draw.randrange(10**8)}?v=4",
        "url": base,
        "html_url": f"https://example.com/{login}",
        "type": "User",
        "site_admin": False,
    }


_USER = {
    "type": "object",
    "required": ["login", "id", "url"],
    "properties": {
        "login": {"type": "string", "minLength": 1, "maxLength": 80},
        "id": {"type": "integer", "minimum": 1},
        "node_id": {"type": "string"},
        "avatar_url": {"type": "string"},
        "url": {"type": "string"},
        "html_url": {"type": "string"},
        "type": {"enum": ["User", "Organization", "Bot"]},
        "site_admin": {"type": "boolean"},
    },
}


def _of_size(make, size, overhead=2, **options):
    """As many items of `make` as fit into JSON of `size` bytes."""
    items, length = [], overhead
    while length < size:
        items.append(make())
        length += len(json.dumps(items[-1], separators=(",", ":"), **options).encode()) + 1
    return items


def issues(draw, size):
    """A list of issues: short strings and numbers, few escapes."""

    def issue():
        number = draw.randrange(1, 10**5)
        return {
            "id": draw.randrange(1, 10**9),
            "number": number,
            "title": "The reader refuses a document that it wrote"[: draw.randrange(10, 43)],
            "state": draw.choice(["open", "closed"]),
            "locked": draw.random() < 0.1,
            "comments": draw.randrange(40),
            "user": _user(draw),
            "labels": [{"id": draw.randrange(1, 10**9), "name": draw.choice(["bug", "docs", "good first issue"]), "color": "d73a4a"}],
            "assignee": None,
            "milestone": None,
            "created_at": "2026-11-21T12:27:20Z",
            "updated_at": "2026-11-22T08:01:44Z",
            "url": f"https://api.example.com/repos/a/b/issues/{number}",
        }

    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["id", "number", "title", "state", "user"],
            "properties": {
                "id": {"type": "integer"},
                "number": {"type": "integer", "minimum": 1},
                "title": {"type": "string", "maxLength": 256},
                "state": {"enum": ["open", "closed"]},
                "locked": {"type": "boolean"},
                "comments": {"type": "integer", "minimum": 0},
                "user": _USER,
                "labels": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "color": {"type": "string", "pattern": "^[0-9a-f]{6}$"}},
                    },
                },
                "assignee": {"type": ["object", "null"]},
                "milestone": {"type": ["object", "null"]},
                "created_at": {"type": "string"},
                "updated_at": {"type": "string"},
                "url": {"type": "string"},
            },
        },
    }
    return _of_size(issue, size), schema


def events(draw, size):
    """Events of a code host: nested objects, long strings with escaped line ends."""

    def event():
        return {
            "id": str(draw.randrange(10**10)),
            "type": draw.choice(["PushEvent", "IssuesEvent", "WatchEvent"]),
            "actor": _user(draw),
            "repo": {"id": draw.randrange(10**8), "name": "a/b", "url": "https://api.example.com/repos/a/b"},
            "payload": {
                "action": "opened",
                "push_id": draw.randrange(10**9),
                "commits": [
                    {
                        "sha": f"{draw.randrange(16**40):040x}",
                        "author": {"email": "amelie@example.com", "name": "Am\u00e9lie Durand"},
                        "message": "Read what was written\r\n\r\n" + "A line of a message, \"quoted\" here and there.\r\n" * draw.randrange(6),
                        "distinct": True,
                    }
                    for _ in range(draw.randrange(1, 4))
                ],
            },
            "public": True,
            "created_at": "2026-11-22T08:01:44Z",
        }

    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["id", "type", "actor", "repo", "payload"],
            "properties": {
                "id": {"type": "string"},
                "type": {"type": "string"},
                "actor": _USER,
                "repo": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "url": {"type": "string"}}},
                "payload": {
                    "type": "object",
                    "properties": {
                        "commits": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["sha", "message"],
                                "properties": {
                                    "sha": {"type": "string", "minLength": 40, "maxLength": 40},
                                    "message": {"type": "string"},
                                    "distinct": {"type": "boolean"},
                                    "author": {"type": "object", "additionalProperties": {"type": "string"}},
                                },
                            },
                        }
                    },
                },
                "public": {"type": "boolean"},
                "created_at": {"type": "string"},
            },
        },
    }
    return _of_size(event, size), schema


def messages(draw, size):
    """Short messages in several scripts, as UTF-8."""
    texts = ["\u65e5\u672c\u8a9e\u306e\u77ed\u3044\u6587\u7ae0\u3067\u3059\u3002", "Un message court, tr\u00e8s court", "\u041a\u043e\u0440\u043e\u0442\u043a\u043e\u0435 \u0441\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0435 \U0001f600", "A short message #tag @user"]

    def message():
        return {
            "id": draw.randrange(10**18),
            "id_str": str(draw.randrange(10**18)),
            "text": draw.choice(texts) * draw.randrange(1, 5),
            "truncated": False,
            "entities": {"hashtags": [{"text": draw.choice(texts), "indices": [draw.randrange(50), draw.randrange(50, 140)]}], "urls": []},
            "user": _user(draw) | {"name": draw.choice(texts), "followers_count": draw.randrange(10**5)},
            "geo": None,
            "retweet_count": draw.randrange(1000),
            "lang": draw.choice(["ja", "fr", "ru", "en"]),
        }

    schema = {
        "type": "object",
        "required": ["statuses"],
        "properties": {
            "statuses": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "text", "user"],
                    "properties": {
                        "id": {"type": "integer"},
                        "text": {"type": "string", "maxLength": 280},
                        "truncated": {"type": "boolean"},
                        "user": _USER,
                        "entities": {
                            "type": "object",
                            "properties": {
                                "hashtags": {
                                    "type": "array",
                                    "items": {"type": "object", "properties": {"indices": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}}},
                                }
                            },
                        },
                        "retweet_count": {"type": "integer", "minimum": 0},
                        "lang": {"type": "string"},
                    },
                },
            }
        },
    }
    return {"statuses": _of_size(message, size, 16, ensure_ascii=False)}, schema


def numbers(draw, size):
    """Points: mostly numbers, of up to 17 digits."""

    def point():
        return [round(draw.uniform(-180, 180), 6), draw.uniform(-90, 90), draw.randrange(9000)]

    schema = {"type": "object", "properties": {"points": {"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}}}}
    return {"points": _of_size(point, size, 16)}, schema


def documents(size=100_000):
    """The name, the content and the schema of each document."""
    for make in (issues, events, messages, numbers):
        value, schema = make(random.Random(20261122), size)
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=make is events).encode()
        yield make.__name__, text, json.dumps(schema).encode()
