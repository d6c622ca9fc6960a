"""All suites, in the order in which they run.  A suite is one module that maps vectors to calls of the library."""

from __future__ import annotations

from typing import List

from harness import Suite

from . import hostile, routableapp

SUITES: List[Suite] = [*routableapp.SUITES, *hostile.SUITES]
