"""The factor by which the deadlines of tests are multiplied on slow machines."""

from __future__ import annotations

import os

#: ROUTABLE_TEST_SLOWNESS, 1 by default; about 10 under emulation.
SLOWNESS = max(1, int(os.environ.get("ROUTABLE_TEST_SLOWNESS", "1")))
