"""A tour of the main functions: the map, requests as they are sent, responses, and rejected calls.

    demo.py DESCRIPTION BASE        demo.py examples/social.json http://127.0.0.1:8080/v1

examples/service/social_service.py is the service; examples/c/demo.c does the same and prints the same bytes;
`make demo` runs all three.
"""

import os
import sys
from typing import Callable, Optional

import routable

terminal = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
bold, green, red, plain = ("\033[1m", "\033[32m", "\033[31m", "\033[0m") if terminal else ("", "", "", "")


def heading(text: str) -> None:
    print(f"{bold}{text}{plain}\n{'-' * len(text)}\n")


def print_request(request: routable.Request) -> None:
    print(f"    -> {request.method} {request.url}")
    for name, value in request.headers.items():
        print(f"       {name}: {value}")
    if request.body is not None:
        print(f"       {request.body.decode()}")


def print_response(response: routable.Response, colour: str) -> None:
    print(f"    <- {colour}{response.status} {response.outcome}{plain}")
    if response.body:
        print(f"       {response.body.decode()}")


def print_error(error: routable.RoutableError) -> None:
    print(f"    !! {red}{error.status}{plain}")
    print(f"       {error.message}")
    if error.allowed:
        print(f"       allowed: {' '.join(error.allowed)}")
    if error.suggestion:
        print(f"       nearest: {error.suggestion}")
    if error.response is not None:
        print_response(error.response, red)


def run(title: str, build: Callable[[], routable.Request], client: Optional[routable.Client] = None) -> None:
    """Builds a call, and performs it if it is allowed and there is a client."""
    print(f"  {bold}{title}{plain}")
    try:
        request = build()
        print_request(request)
        if client:
            print_response(client.perform(request), green)
    except routable.RoutableError as error:
        print_error(error)
    print()


def main(description: str, base: str) -> None:
    api = routable.open(description, base=base)
    fabian = api.user("initFabian")

    with routable.Client() as client:
        heading("What the description says")
        print("".join(f"  {line}\n" for line in api.map().splitlines()))

        heading("What it allows is built, sent and mapped")
        for title, build in [
            ("A user", lambda: api.user.create({"username": "initFabian", "name": "Fabian"})),
            ("A status below the user", lambda: fabian.status.create({"id": "3", "text": "Rethinking routers"})),
            ("A picture: undeclared parameters become a form",
             lambda: fabian.picture.create(routable.using(parameters={"title": "sea & sand, 100%", "id": "7"}))),
            ("A comment below the status",
             lambda: fabian.status("3").comment.create({"id": "32352", "text": "très nice"})),
            ("A user below the comment",
             lambda: fabian.status("3").comment("32352").user.create({"username": "fakeUser"})),
            ("Read at the end of the walk", lambda: fabian.status("3").comment("32352").user("fakeUser").read()),
            ("Update the comment", lambda: api.comment("32352").update({"text": "very nice"})),
            ("A status, typed by its description", lambda: fabian.status("3").read()),
            ("List the users", lambda: api.user.list()),
            ("A standalone operation with declared parameters", lambda: api.operations.search(q="very nice")),
            ("Whatever an id holds, it is one segment", lambda: api.user("../a b?c#d/%2e").read()),
            ("Delete the status", lambda: api.status("3").delete()),
            ("It is gone: an error that keeps the answer", lambda: api.status("3").read()),
        ]:
            run(title, build, client)

        heading("What it does not allow is refused before anything is sent")
        for title, build in [
            ("A status cannot be updated", lambda: api.status("3").update({})),
            ("A user has no comments", lambda: fabian.comment("1").read()),
            ("An id that would leave its place", lambda: api.user("..").read()),
            ("An id is missing", lambda: api.build("user.status", "read", routable.using(ids={"id": "3"}))),
            ("An id too many", lambda: api.build("user", "read", routable.using(ids=["initFabian", "3"]))),
            ("A route that is not there", lambda: api.build("usr", "read", routable.using(ids=["initFabian"]))),
            ("A parameter is missing", lambda: api.operations.search()),
            ("A body that does not match its type", lambda: fabian.status.create({"text": 5})),
        ]:
            run(title, build)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} DESCRIPTION BASE")
    try:
        main(sys.argv[1], sys.argv[2])
    except routable.RoutableError as error:
        sys.exit(str(error))
