"""A plugin of pytest: each request that a test of the Python binding builds is read by Tests/law/of_tests.c (LAW_CHECKER is its library)."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any


def pytest_configure(config: Any) -> None:
    from routable import request

    checker = ctypes.CDLL(os.environ["LAW_CHECKER"])
    build = request.new_request

    def new_request(router: Any, call: bytes, result_type: Any) -> Any:
        made = build(router, call, result_type)
        checker.law_check(ctypes.cast(router, ctypes.c_void_p), ctypes.cast(made._live(), ctypes.c_void_p))
        return made

    for module in list(sys.modules.values()):
        if getattr(module, "new_request", None) is build:
            setattr(module, "new_request", new_request)
