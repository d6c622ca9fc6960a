"""A service that publishes an OpenAPI document: fetches and opens the document, then performs a workflow with nested
resources.

    chroma.py SERVICE      chroma.py http://127.0.0.1:8000

The program contains only the names of Chroma's operations.  chroma.c does the same and prints the same
bytes; `make check-services` starts Chroma and runs both.
"""

import sys
from typing import Any, Optional

import routable

TENANT = "t/1 é"  # one segment of the path, whatever is in it
BOOKS = {
    "ids": ["dune", "solaris"],
    "embeddings": [[1.0, 0.0, 0.5], [0.25, 1.0, 0.0]],
    "documents": ["sand", "an ocean"],
    "metadatas": [{"by": "Herbert"}, {"by": "Lem"}],
}


class Host:
    def __init__(self, service: str) -> None:
        self.client = routable.Client()
        self.surprises = 0
        address = f"{service}/openapi.json"
        here = routable.open({"routable": 1, "base": service, "operations": {"document": {"get": "/openapi.json"}}})
        document = self.client.perform(here.build("document")).body
        self.chroma = routable.loads(document, uri=address)
        print(f"{self.chroma.name}: {len(self.chroma.operations)} operations, {len(self.chroma.types)} types\n")

    def run(self, title: str, status: int, operation: str, **call: Any) -> Any:
        """Builds a call, prints it, performs it and prints the response.  `status`: the expected one, or 0."""
        answer: Optional[routable.Response] = None
        print(title)
        try:
            request = self.chroma.build(operation, routable.using(**call))
            print(f"  -> {request.method} {request.url}")
            if request.body is not None:
                print(f"     {request.body.decode()}")
            # The document requires a token, which a service without accounts does not have.
            answer = self.client.perform(request, auth=False)
        except routable.RoutableError as error:
            print(f"  !! {error.status}{' ' + error.pointer if error.pointer else ''}: {error.message}")
            answer = error.response
        if answer:
            print(f"  <- {answer.status} {answer.outcome}{', ' + answer.type if answer.type else ''}\n     {answer.text}")
        if (answer.status if answer else 0) != status:
            print(f"  ?? {status} was expected")
            self.surprises += 1
        print()
        return answer.json() if answer and answer.status < 300 else None


def main(service: str) -> int:
    it = Host(service)
    place = {"tenant": TENANT, "database": "books"}
    it.run("A tenant", 200, "create_tenant", body={"name": TENANT})
    it.run("A database in it", 200, "create_database", ids=[TENANT], body={"name": "books"})
    it.run("A database without its name is refused here", 0, "create_database", ids=[TENANT], body={"title": "books"})
    shelf = it.run("A collection in that", 200, "create_collection", ids=place, body={"name": "shelf"})
    inside = {**place, "collection_id": shelf["id"]}
    it.run("Books that are no list are refused here", 0, "collection_add", ids=inside, body={**BOOKS, "ids": "dune"})
    it.run("Books", 201, "collection_add", ids=inside, body=BOOKS)
    it.run("How many", 200, "collection_count", ids=inside)
    it.run("The nearest", 200, "collection_query", ids=inside, query={"limit": 5},
           body={"query_embeddings": [[0.9, 0.1, 0.5]], "n_results": 1, "include": ["documents", "distances"]})
    it.run("A limit that is no number is refused here", 0, "list_collections", ids=place, query={"limit": "all"})
    it.run("A mistyped operation", 0, "colection_count", ids=inside)
    it.run("A tenant that is not there", 404, "get_tenant", ids=["nobody"])
    it.run("Back again", 200, "delete_database", ids=place)
    return 1 if it.surprises else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
