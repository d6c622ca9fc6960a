# Written by scripts/interface from include/*.h: change the header, then run scripts/interface.
"""The prototypes of routable.h and what it includes, a module for each header, and nothing else: no logic lives here.

The C declaration stands above each function; each handle is a type of its own, so that a request cannot be passed
where a router is expected."""

from .values import *  # noqa: F403
from .router import *  # noqa: F403
from .request import *  # noqa: F403
from .response import *  # noqa: F403
from .introspection import *  # noqa: F403
from .client import *  # noqa: F403
from .json import *  # noqa: F403
from .transfers import *  # noqa: F403
from .credentials import *  # noqa: F403
from .bodies import *  # noqa: F403
from .pages import *  # noqa: F403
from .links import *  # noqa: F403
from .trace import *  # noqa: F403
from .transport import *  # noqa: F403
from .middleware import *  # noqa: F403
from .match import *  # noqa: F403
from .builder import *  # noqa: F403
from .schema import *  # noqa: F403
from .template import *  # noqa: F403
from .json_value import *  # noqa: F403
from .presentation import *  # noqa: F403
