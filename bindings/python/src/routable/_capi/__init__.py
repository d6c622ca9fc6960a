"""Every prototype of include/routable.h, in its order, a module for each of its parts, and nothing else: no logic lives here.

The C declaration stands above each function.  `argtypes` and `restype` are set for all of them; each
handle is a type of its own, so that a request can not be passed where a router is expected.  A test
holds these files against the header.
"""

from .function import _function as _function
from .status import *  # noqa: F403
from .text import *  # noqa: F403
from .values import *  # noqa: F403
from .errors import *  # noqa: F403
from .router import *  # noqa: F403
from .introspection import *  # noqa: F403
from .builder import *  # noqa: F403
from .plan import *  # noqa: F403
from .match import *  # noqa: F403
from .request import *  # noqa: F403
from .response import *  # noqa: F403
from .client import *  # noqa: F403
from .credentials import *  # noqa: F403
from .transfers import *  # noqa: F403
from .schema import *  # noqa: F403
from .json_tier import *  # noqa: F403
