"""Pushes an image to a container registry: names with slashes, and upload locations that the service returns.

    push.py DESCRIPTION BASE NAME TAG LAYOUT
    push.py examples/registry/registry.json http://127.0.0.1:5000 debian/tools/busybox 1 layout

LAYOUT is a directory of the OCI image layout: index.json, and blobs/sha256/ with a file for each digest.  push.c does the
same and prints the same; `make check-services` starts Debian's docker-registry, runs both, and has skopeo pull the image.
"""

import json
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import routable


class Host:
    def __init__(self, description: str, base: str, name: str, layout: Path) -> None:
        self.registry = routable.open(description, base=base)
        self.client = routable.Client()
        self.repository = self.registry.repository(name)
        self.layout = layout

    def blob(self, digest: str) -> Path:
        return self.layout / "blobs" / digest.replace(":", "/")

    def send(self, request: routable.Request) -> routable.Response:
        answer = self.client.perform(request)
        print(f"{request.method} {answer.status} {request.route}.{request.operation}")
        return answer

    def upload(self, digest: str) -> None:
        """Uploads a blob, unless the registry has it.  The location of the upload session is matched with the same description."""
        try:
            self.send(self.repository.blob(digest).exists())
            return
        except routable.HTTPStatusError as error:
            if error.http_status != 404:
                raise
            print("HEAD 404 repository.blob.exists")
        place = self.send(self.repository.start()).headers["Location"]
        session = self.registry.match(place, "PUT")
        assert session is not None and session.route == "repository.upload"
        state = parse_qs(urlsplit(place).query)["_state"][0]
        request = self.registry.build(session.route, "update", routable.using(ids=session.ids, query={"digest": digest, "_state": state}))
        request.set_body_file(self.blob(digest), "application/octet-stream")
        self.send(request)

    def push(self, tag: str) -> None:
        manifest = json.loads((self.layout / "index.json").read_text())["manifests"][0]
        content = self.blob(manifest["digest"]).read_bytes()
        image = json.loads(content)
        for each in [image["config"], *image["layers"]]:
            self.upload(each["digest"])
        self.send(self.repository.manifest(tag).update(content, routable.using(content_type=manifest["mediaType"])))
        print(self.send(self.repository.tags()).text.strip())


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(f"usage: {sys.argv[0]} DESCRIPTION BASE NAME TAG LAYOUT")
    Host(*sys.argv[1:4], Path(sys.argv[5])).push(sys.argv[4])
