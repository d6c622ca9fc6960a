# Written by scripts/interface from include/routable.h: change the header, then run scripts/interface.
"""The version of the headers that the prototypes in _capi/ were written from."""

VERSION = (0, 1, 0)
VERSION_TEXT = "0.1.0"
