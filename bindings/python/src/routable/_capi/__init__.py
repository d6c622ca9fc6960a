# Written by scripts/interface from include/*.h: change the header, then run scripts/interface.
"""The prototypes of routable.h and what it includes, a module for each header, and nothing else: no logic lives here.

The C declaration stands above each function; each handle is a type of its own, so that a request cannot be passed
where a router is expected."""

from .routable import *  # noqa: F403
