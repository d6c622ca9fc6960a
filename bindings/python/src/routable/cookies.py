"""Cookies of a client, in the fields of a Netscape cookie file."""

from __future__ import annotations

from typing import NamedTuple

from .errors import ArgumentError


class Cookie(NamedTuple):
    """A cookie that a client keeps.  Its repr does not contain the value.

    name, value, domain    as in the Set-Cookie header; the domain without a leading dot
    path                   the beginning of the paths that receive the cookie
    subdomains             whether subdomains receive it as well
    secure                 whether it is sent only over TLS
    http_only              whether scripts of a browser must not read it
    expires                seconds since 1970, or None until the end of the session
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    subdomains: bool = False
    secure: bool = False
    http_only: bool = False
    expires: "int | None" = None

    def __repr__(self) -> str:
        return f"<routable.Cookie {self.name} of {self.domain}{self.path}>"

    @classmethod
    def _read(cls, line: str) -> "Cookie":
        http_only = line.startswith("#HttpOnly_")
        domain, subdomains, path, secure, expires, name, value = line[10 if http_only else 0 :].split("\t")
        return cls(
            name, value, domain.lstrip("."), path, subdomains == "TRUE", secure == "TRUE", http_only, int(expires) or None)

    def _line(self) -> str:
        fields = (
            ("#HttpOnly_" if self.http_only else "") + ("." if self.subdomains else "") + self.domain,
            "TRUE" if self.subdomains else "FALSE", self.path, "TRUE" if self.secure else "FALSE", str(self.expires or 0), self.name,
            self.value,
        )
        if not self.name or not self.domain or any(character in field for field in fields for character in "\t\r\n\0"):
            raise ArgumentError("a cookie requires a name and a domain, and has no tab, line break or NUL", parameter="cookie")
        return "\t".join(fields)
