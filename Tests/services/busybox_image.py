"""Makes an image of one program, Debian's static busybox, in the OCI image layout.

    busybox_image.py BUSYBOX LAYOUT

The same program gives the same bytes: names, times and owners are fixed.
"""

import gzip
import hashlib
import io
import json
import platform
import sys
import tarfile
from pathlib import Path

PREFIX = "application/vnd.oci.image."


def put(layout: Path, content: bytes, media_type: str) -> "dict[str, object]":
    """Writes a blob; returns its descriptor."""
    digest = hashlib.sha256(content).hexdigest()
    path = layout / "blobs/sha256" / digest
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return {"mediaType": PREFIX + media_type, "digest": f"sha256:{digest}", "size": len(content)}


def main(program: Path, layout: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in (("bin", None), ("bin/busybox", program.read_bytes())):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = (tarfile.DIRTYPE, 0o755) if content is None else (tarfile.REGTYPE, 0o755)
            entry.size = len(content or b"")
            tar.addfile(entry, io.BytesIO(content or b""))
    layer = put(layout, gzip.compress(archive.getvalue(), mtime=0), "layer.v1.tar+gzip")
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    config = {
        "architecture": machine, "os": "linux", "config": {"Cmd": ["/bin/busybox", "sh"]},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(archive.getvalue()).hexdigest()]},
    }
    manifest = {
        "schemaVersion": 2, "mediaType": PREFIX + "manifest.v1+json",
        "config": put(layout, json.dumps(config).encode(), "config.v1+json"), "layers": [layer],
    }
    index = {"schemaVersion": 2, "manifests": [put(layout, json.dumps(manifest).encode(), "manifest.v1+json")]}
    (layout / "index.json").write_text(json.dumps(index))
    (layout / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
