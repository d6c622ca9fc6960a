"""podman's service on a Unix socket, by its Swagger document: images, volumes, networks, secrets, containers and pods.

    podman_job.py DOCUMENT SOCKET BUSYBOX

`podman` is the module that `routable generate python DOCUMENT --name Podman` writes.  The document may be that of another
version of podman: the responses list their deviations.
"""

import io
import json
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

from job import Job, argument

if TYPE_CHECKING:
    from podman import Podman


def tar(**files: bytes) -> bytes:
    """An archive of programs and files; `_` in a name means a slash."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as out:
        for name, content in files.items():
            entry = tarfile.TarInfo(name.replace("_", "/", 1))
            entry.size, entry.mode = len(content), 0o755
            out.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def work(api: "Podman", job: Job, busybox: bytes) -> None:
    job("The version", lambda: api.system_version_libpod())
    job("The host", lambda: api.system_info_libpod())
    job("The disk usage", lambda: api.system_data_usage_libpod())
    # images
    job("Images", lambda: api.image_list_libpod(all=True))
    job("An image from a tarball",
        lambda: api.image_import_libpod(tar(bin_busybox=busybox, bin_sh=busybox), reference="localhost/box:1", message="from a job"))
    job("Images, again", lambda: api.image_list_libpod(filters=json.dumps({"reference": ["localhost/box"]})))
    job("The image", lambda: api.image_inspect_libpod("localhost/box:1"))
    job("Its history", lambda: api.image_history_libpod("localhost/box:1"))
    job("A tree of layers", lambda: api.image_tree_libpod("localhost/box:1"))
    job("A tag", lambda: api.image_tag_libpod("localhost/box:1", repo="localhost/box", tag="2"))
    job("It exists", lambda: api.image_exists_libpod("localhost/box:2"))
    job("Another one does not", lambda: api.image_exists_libpod("localhost/none:2"), 404)
    job("An unknown image", lambda: api.image_inspect_libpod("localhost/none:2"), 404)
    job("An export of an image", lambda: api.image_get_libpod("localhost/box:1", format="docker-archive"))
    job("An export of images", lambda: api.image_export_libpod(references=["localhost/box:1"], format="docker-archive"))
    job("No export of an image", lambda: api.image_export_libpod(references=["localhost/none:1"], format="docker-archive"), 400)
    # volumes
    job("A volume", lambda: api.volume_create_libpod({"Name": "shelf", "Label": {"of": "job"}}))
    job("The volume again", lambda: api.volume_create_libpod({"Name": "shelf"}), 500)
    job("Volumes", lambda: api.volume_list_libpod())
    job("One volume", lambda: api.volume_inspect_libpod("shelf"))
    job("The volume exists", lambda: api.volume_exists_libpod("shelf"))
    job("An unknown volume", lambda: api.volume_inspect_libpod("none"), 404)
    # networks
    job("A network",
        lambda: api.network_create_libpod({"name": "lan", "driver": "bridge", "subnets": [{"subnet": "10.89.7.0/24"}]}))
    job("Networks", lambda: api.network_list_libpod())
    job("One network", lambda: api.network_inspect_libpod("lan"))
    job("An unknown network", lambda: api.network_inspect_libpod("none"), 404)
    # secrets
    job("A secret", lambda: api.secret_create_libpod("xyz", name="word"))
    job("Secrets", lambda: api.secret_list_libpod())
    job("One secret", lambda: api.secret_inspect_libpod("word"))
    job("No secret without a name", lambda: api.secret_inspect_libpod("none"), 404)
    # containers
    command = ["/bin/busybox", "sleep", "100"]
    job("A container", lambda: api.container_create_libpod({
        "image": "localhost/box:1", "name": "one", "command": command, "env": {"A": "b"}, "netns": {"nsmode": "none"},
        "volumes": [{"Name": "shelf", "Dest": "/shelf"}]}))
    job("A container without an image", lambda: api.container_create_libpod({"image": "localhost/none:1", "name": "two"}), 500)
    job("Containers", lambda: api.container_list_libpod(all=True))
    job("One container", lambda: api.container_inspect_libpod("one"))
    job("The container exists", lambda: api.container_exists_libpod("one"))
    job("A file into it", lambda: api.put_container_archive_libpod("one", tar(note=b"hello"), path="/"))
    job("The file out of it", lambda: api.container_archive_libpod("one", path="/note"))
    job("Start it", lambda: api.container_start_libpod("one"))
    job("Start it again", lambda: api.container_start_libpod("one"))
    job("Its processes", lambda: api.container_top_libpod("one", stream=False))
    job("Its logs", lambda: api.container_logs_libpod("one", stdout=True))
    job("A process in it", lambda: api.container_exec_libpod("one", {"Cmd": ["/bin/busybox", "true"], "AttachStdout": True}))
    job("Its changes", lambda: api.container_changes_libpod("one"))
    job("Mounted", lambda: api.container_mount_libpod("one"))
    job("All mounted", lambda: api.container_show_mounted_libpod())
    job("Rename it", lambda: api.container_rename_libpod("one", name_2="uno"))
    job("Stop it", lambda: api.container_stop_libpod("uno", timeout=1))
    job("Stop it again", lambda: api.container_stop_libpod("uno", timeout=1))
    job("Wait for it", lambda: api.container_wait_libpod("uno"))
    job("Its export", lambda: api.container_export_libpod("uno"))
    job("An image of it", lambda: api.image_commit_libpod(container="uno", repo="localhost/saved", tag="1"))
    job("Delete it", lambda: api.container_delete_libpod("uno", force=True))
    job("Delete it again", lambda: api.container_delete_libpod("uno"), 404)
    # pods
    job("A pod", lambda: api.pod_create_libpod({"name": "pea", "no_infra": True}))
    job("Pods", lambda: api.pod_list_libpod())
    job("One pod", lambda: api.pod_inspect_libpod("pea"))
    job("Stop a pod without containers", lambda: api.pod_stop_libpod("pea"))
    job("Delete the pod", lambda: api.pod_delete_libpod("pea"))
    job("An unknown pod", lambda: api.pod_inspect_libpod("pea"), 404)
    # deletions
    job("Delete the network", lambda: api.network_delete_libpod("lan"))
    job("Delete the secret", lambda: api.secret_delete_libpod("word"))
    job("Delete the volume", lambda: api.volume_delete_libpod("shelf"))
    job("Delete an image", lambda: api.image_delete_libpod("localhost/box:1", force=True))
    job("Delete images", lambda: api.image_delete_all_libpod(all=True, force=True))
    job("Delete an unknown image", lambda: api.image_delete_libpod("localhost/box:1"), 404)
    job("Prune volumes", lambda: api.volume_prune_libpod())
    job("Prune all", lambda: api.system_prune_libpod())


def main() -> int:
    from podman import Podman

    job = Job()
    api = Podman.open_file(argument(1, "DOCUMENT"), base="http://localhost/v4.0.0")
    job.open(api.router, unix_socket=argument(2, "SOCKET"))
    work(api, job, Path(argument(3, "BUSYBOX")).read_bytes())
    return job.end()


if __name__ == "__main__":
    sys.exit(main())
