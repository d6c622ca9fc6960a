"""The factor by which the deadlines of tests are multiplied on slow machines."""

from __future__ import annotations

import os

#: 1, or ROUTABLE_TEST_SLOWNESS: 10 or so under emulation.
SLOWNESS = max(1, int(os.environ.get("ROUTABLE_TEST_SLOWNESS", "1")))
