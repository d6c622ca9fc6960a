#!/usr/bin/env python3
"""Writes the tables that matching and building are measured with: tables.py FOLDER.

They are generated, so that anyone can repeat a figure: the same bytes on every machine.  Routes are nested resources, as in real APIs:
`routes.txt` has about 130 of a code host, `s200`, `s2000` and `s20000` have this number of generated names.  URLs are those of the routes,
with values in them, and each matches.  `build_*.tsv` has the five values of a URL in each line, and `.expect` the URL: `clean` values need
no encoding, `dirty` ones do, `mix` has both kinds."""

import random
import sys
import urllib.parse
from pathlib import Path

VALUES = ["42", "1347", "initFabian", "a1b2c3d4-e5f6", "2026-11-23", "eu-west-1", "7f3c2a", "user_88120", "v1.52.0", "main"]
OWNERS = ["debian", "swiftlang", "python", "curl", "akheron", "nodejs", "postgres", "gnome"]
PROJECTS = ["swift", "cpython", "curl", "jansson", "node", "docs", "infrastructure", "release-notes"]

# A code host: below each name its nested resources; a name in parentheses has no members.
HOST = {
    "users": {"repos": {}, "orgs": {}, "gists": {}, "followers": {}, "keys": {}, "(received_events)": {}, "(starred)": {}},
    "orgs": {"repos": {}, "members": {}, "teams": {"members": {}, "repos": {}}, "hooks": {"(pings)": {}, "(tests)": {}}, "(events)": {}},
    "gists": {"comments": {}, "(star)": {}, "(forks)": {}, "(commits)": {}},
    "teams": {"members": {}, "repos": {}},
    "projects": {
        "issues": {"comments": {}, "labels": {}, "events": {}, "assignees": {}, "(lock)": {}},
        "pulls": {"comments": {}, "commits": {}, "files": {}, "(merge)": {}, "reviews": {"comments": {}}},
        "branches": {"(protection)": {}}, "commits": {"comments": {}, "statuses": {}}, "trees": {}, "blobs": {}, "refs": {}, "tags": {},
        "releases": {"assets": {}}, "labels": {}, "milestones": {"labels": {}}, "keys": {}, "hooks": {"(tests)": {}},
        "(contributors)": {}, "(languages)": {}, "(stargazers)": {}, "(readme)": {}, "(forks)": {}, "(merges)": {},
    },
    "notifications": {"threads": {"(subscription)": {}}}, "search": {}, "(events)": {}, "(feeds)": {}, "(meta)": {}, "(rate_limit)": {},
    "authorizations": {}, "licenses": {}, "(emojis)": {},
}
NOUNS = ("account album answer article asset badge book bucket cart channel chapter claim comment commit contract course customer device "
         "document event feature file folder group image invoice issue item job label lesson letter line link list member message "
         "metric note offer order page payment person picture place plan playlist policy post price product project question quote "
         "record region release report request review role room rule seat section session shop site song step store student task team "
         "ticket token topic track unit user vehicle version video volume wallet").split()
KINDS = "active archived billing custom daily default external hidden linked local managed open private public shared weekly".split()


def host_routes():
    def below(prefix, depth, tree):
        for word, children in tree.items():
            name = word.strip("()")
            yield f"{prefix}/{name}"
            if word.startswith("("):
                continue
            member = f"{prefix}/{name}/:p{depth}"
            yield member
            yield from below(member, depth + 1, children)

    return list(below("", 1, HOST))


def nested_routes(draw, count):
    """This number of routes of resources with up to four levels of nesting."""
    words = [f"{kind}-{noun}s" if kind else f"{noun}s" for kind in ["", *KINDS] for noun in NOUNS]
    # Enough names for the largest table: each numbered name is a separate resource.
    roots = [*words, *(f"{word}-{number}" for number in range(2, 40) for word in words)]
    routes = []
    for number, root in enumerate(roots):
        paths = [f"/{root}"]
        for depth in range(draw.choice([1, 2, 2, 3, 4])):
            member = f"{paths[-1]}/:id_{number}_{depth}"
            paths += [member, f"{member}/{draw.choice(words)}"]
        for path in paths:
            if len(routes) == count:
                return routes
            routes.append(path)
    raise SystemExit("too few names")


def with_values(draw, route):
    return "/".join(draw.choice(VALUES) if part.startswith(":") else part for part in route.split("/"))


def host_urls(draw, routes, count):
    urls = []
    for _ in range(count):
        parts = draw.choice(routes).split("/")
        urls.append("/".join(draw.choice(OWNERS + PROJECTS + VALUES) if part.startswith(":") else part for part in parts))
    return urls


CLEAN = ["acme", "swift-router", "42", "router", "en"]
DIRTY = ["acme & co/eu", "Z\u00fcrich plan", "report #7 (final)?.pdf", "100% swift & fast", "en-US,de"]
PIECES = ["data", "main", "v1.2", "user_id", "README.md", "50%", "a&b", "c d", "tag:one", "\u00e9t\u00e9", "x/y", "q?", "=", "+", "\u65e5\u672c"]


def url_of(values):
    path = [urllib.parse.quote(value, safe="-._~") for value in values]
    return f"https://api.example.com/orgs/{path[0]}/projects/{path[1]}/files/{path[2]}?q={path[3]}&lang={path[4]}"


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def write(name, lines):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    draw = random.Random(20261123)
    routes = host_routes()
    write("routes.txt", routes)
    write("url_b.txt", [with_values(draw, route) for route in routes])
    write("url_c2k.txt", host_urls(draw, routes, 2000))
    for count, urls in ((200, 200), (2000, 2000), (20000, 4000)):
        routes = nested_routes(draw, count)
        write(f"s{count}_routes.txt", routes)
        write(f"s{count}_urls.txt", [with_values(draw, route) for route in draw.sample(routes, urls)])
    rows = {
        "build_clean": [CLEAN] * 100,
        "build_dirty": [DIRTY] * 100,
        "build_mix": [["-".join(draw.choices(PIECES, k=draw.randrange(1, 4))) for _ in range(5)] for _ in range(1000)],
    }
    for name, values in rows.items():
        write(f"{name}.tsv", ["\t".join(row) for row in values])
        write(f"{name}.expect", [url_of(row) for row in values])


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
