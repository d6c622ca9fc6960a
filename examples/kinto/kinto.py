"""A real service with three levels: buckets, collections, records; and its error responses.

    kinto.py DESCRIPTION BASE USER:PASSWORD      kinto.py examples/kinto/kinto.json http://127.0.0.1:8888/v1 ada:secret

kinto.c does the same and prints the same bytes; `make check-services` starts Kinto and runs both.
"""

import sys
from typing import Callable, Optional

import routable


class Host:
    def __init__(self, description: str, base: str, credential: str) -> None:
        self.kinto = routable.open(description, base=base)
        user, _, password = credential.partition(":")
        self.client = routable.Client(self.kinto, credentials={"account": (user, password)})
        self.etag = ""
        self.surprises = 0

    def run(self, title: str, status: int, build: Callable[[], routable.Request], with_credential: bool = True) -> None:
        """Builds a call, prints it, performs it and prints the response.  `status`: the expected one, or 0."""
        answer: Optional[routable.Response] = None
        print(title)
        try:
            request = build()
            print_request(request)
            answer = self.client.perform(request, auth=None if with_credential else False)
        except routable.RoutableError as error:
            print(f"  !! {error.status}: {error.message}")
            answer = error.response
        if answer:
            print_response(answer)
            self.etag = answer.headers.get("ETag") or self.etag
        if (answer.status if answer else 0) != status:
            print(f"  ?? {status} was expected")
            self.surprises += 1
        print()


def print_request(request: routable.Request) -> None:
    print(f"  -> {request.method} {request.url}")
    for name, value in request.headers.items():
        print(f"     {name}: {value}")
    if request.body is not None:
        print(f"     {request.body.decode()}")


def print_response(response: routable.Response) -> None:
    etag = response.headers.get("ETag")
    print(f"  <- {response.status} {response.outcome}{', ETag ' + etag if etag else ''}\n     {response.text}")


def book(id: str, title: str, rating: int) -> object:
    return {"data": {"id": id, "title": title, "rating": rating}}


def main(description: str, base: str, credential: str) -> int:
    host = Host(description, base, credential)
    kinto, run = host.kinto, host.run
    library = kinto.bucket("library")
    books = library.collection("books")
    record = books.record

    run("A bucket", 201, lambda: library.update({"data": {}}))
    run("A collection in it", 201, lambda: books.update({"data": {}}))
    run("Records in that", 201, lambda: record.create(book("a", "Emma", 3)))
    run("Another", 201, lambda: record.create(book("b", 'Café & "bar"', 5)))
    run("And one more", 201, lambda: record.create(book("c", "Ulysses", 4)))

    run("Those rated 4 and more, the best first, two fields of each", 200,
        lambda: record.list(min_rating=4, _sort="-rating", _fields=["title", "rating"]))
    run("Those with a word in the title", 200, lambda: record.list(like_title="café &", _sort="title"))

    run("One record", 200, lambda: record("b").read())
    first = host.etag
    run("Updated, if it is still that one", 200,
        lambda: record("b").update(book("b", "Café", 2), routable.using(headers={"If-Match": first})))
    run("It no longer is: 412, with the service's own words", 412,
        lambda: record("b").update(book("b", "Bar", 1), routable.using(headers={"If-Match": first})))
    run("A record that is not there: 404", 404, lambda: record("z").read())
    run("Without a credential: 401", 401, lambda: record("b").read(), with_credential=False)

    run("Refused here, nothing is sent: a sort order that does not exist", 0, lambda: record.list(_sort="colour"))
    run("Refused here: a record is only reachable in its collection", 0, lambda: kinto.build("record", "read", routable.using(ids=["b"])))

    run("The record as it is now", 200, lambda: record("b").read())
    run("Deleted, if it is that one", 200, lambda: record("b").delete(routable.using(headers={"If-Match": host.etag})))
    run("The bucket with all that it holds", 200, lambda: library.delete())
    return host.surprises


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(f"usage: {sys.argv[0]} DESCRIPTION BASE USER:PASSWORD")
    try:
        sys.exit(1 if main(*sys.argv[1:]) else 0)
    except routable.RoutableError as error:
        sys.exit(str(error))
