"""How many times as long as on an ordinary machine things may take: what deadlines of tests are multiplied with."""

from __future__ import annotations

import os

#: 1, or ROUTABLE_TEST_SLOWNESS: 10 or so under emulation.
SLOWNESS = max(1, int(os.environ.get("ROUTABLE_TEST_SLOWNESS", "1")))
