"""Kinto by the Swagger 2.0 document that it sends: buckets, collections, records, groups and a batch.

    kinto_job.py DOCUMENT BASE

`kinto` is the module that `routable generate python DOCUMENT --name Kinto` writes.
"""

import sys
from typing import TYPE_CHECKING

from job import Job, argument

if TYPE_CHECKING:
    from kinto import Kinto


def work(api: "Kinto", job: Job) -> None:
    job("The service", lambda: api.server_info())
    job("Its state", lambda: api.heartbeat())
    job("The document", lambda: api.get_openapi_spec())
    job("A version that is not installed", lambda: api.version(), 500)
    job("A bucket", lambda: api.update_bucket("library", {}))
    job("One bucket", lambda: api.get_bucket("library"))
    job("A bucket of nobody", lambda: api.get_bucket("none"), 403)
    job("Change it", lambda: api.patch_bucket("library", {"data": {"shelf": 1}}))
    job("Buckets", lambda: api.get_buckets())
    job("A collection", lambda: api.create_collection("library", {"data": {"id": "books"}}))
    job("Collections", lambda: api.get_collections("library"))
    for title in ("tea", "salt"):
        job("A record", lambda title=title: api.create_record("library", "books", {"data": {"id": title, "title": title}}))  # type: ignore[misc]
    job("Records", lambda: api.get_records("library", "books", limit=1))
    job("Change a record", lambda: api.patch_record("library", "books", "tea", {"data": {"title": "oolong"}}))
    job("One record", lambda: api.get_record("library", "books", "tea"))
    job("A record that is not there", lambda: api.get_record("library", "books", "none"), 404)
    job("Delete a record", lambda: api.delete_record("library", "books", "tea"))
    job("Delete the others", lambda: api.delete_records("library", "books"))
    job("A group", lambda: api.create_group("library", {"data": {"id": "readers", "members": ["ada"]}}))
    job("Groups", lambda: api.get_groups("library"))
    job("Delete the group", lambda: api.delete_group("library", "readers"))
    # The document requires no credential for it, so that each of its requests is anonymous.
    job("A batch", lambda: api.batch({"requests": [{"path": "/buckets/library", "method": "GET"}]}))
    job("Data of another user", lambda: api.delete_user_data("basicauth:other"), 403)
    job("Delete the bucket", lambda: api.delete_bucket("library"))


def main() -> int:
    from kinto import Kinto

    job = Job()
    api = Kinto.open_file(argument(1, "DOCUMENT"), base=argument(2, "BASE"))
    job.open(api.router, credentials={"basicauth": ("ada", "secret")}, deadline=30)
    work(api, job)
    return job.end()


if __name__ == "__main__":
    sys.exit(main())
