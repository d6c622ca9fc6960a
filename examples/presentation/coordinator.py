#!/usr/bin/env python3
"""The coordinator of "Featherweight Router tl;dr" on a terminal: tabs of [a stack of welcome {register, login}, about].

Type a path and Enter: welcome, welcome/register, welcome/login, about.  `back` returns to the screen below, and `quit` exits.
"""

import sys

from routable.presentation import Presentation, Presenter, Visit, junction, route, stack

WIDTH = 44


class Screen:
    """One page: a title and a text."""

    def __init__(self, title: str, path: str, text: str) -> None:
        self.title, self.path, self.text = title, path, text

    def lines(self) -> "list[str]":
        return [self.title, "=" * len(self.title), self.text]


class Navigation:
    """A stack of screens, of which the topmost is visible."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.screens: "list[Screen]" = []

    def set_screens(self, screens: "list[Screen]", visit: Visit) -> None:
        self.screens = screens

    def lines(self) -> "list[str]":
        if not self.screens:
            return ["(nothing here)"]
        return [" > ".join(screen.title for screen in self.screens), "", *self.screens[-1].lines()]


class TabBar:
    """Several children, of which one is visible."""

    def __init__(self) -> None:
        self.children: list = []
        self.selected = None
        self.notice = ""

    def set_children(self, children: list, visit: Visit) -> None:
        self.children = children
        self.notice = ""

    def set_child(self, child: object, visit: Visit) -> None:
        self.selected = child

    def lost(self, visit: Visit) -> None:
        self.notice = f"no screen at {visit.path!r}"

    def below(self) -> str:
        """The path of the screen below the visible one."""
        screens = self.selected.screens if isinstance(self.selected, Navigation) else []
        return screens[-2].path if len(screens) > 1 else "welcome"

    def draw(self) -> None:
        tabs = " ".join(f"[{child.title}]" if child is self.selected else f" {child.title} " for child in self.children)
        content = self.selected.lines() if self.selected else []
        lines = ["+" + "-" * WIDTH + "+", *(f"| {line:<{WIDTH - 1}}|" for line in [tabs, "", *content])]
        lines += [f"|{'':{WIDTH}}|"] * (9 - len(lines)) + ["+" + "-" * WIDTH + "+", self.notice, "go to: "]
        print("\x1b[2J\x1b[H" + "\r\n".join(lines), end="", flush=True)


def coordinator(bar: TabBar) -> Presentation:
    """The tree of screens."""

    def page(name: str, title: str, path: str, text: str) -> Presenter:
        screen = Screen(title, path, text)
        return Presenter(name, lambda visit: screen)

    navigation = Navigation("Welcome")
    tabs = Presenter("tabs", lambda visit: bar, bar.set_child, bar.set_children)
    welcome = page("welcome", "Welcome", "welcome", "Try welcome/register, welcome/login.")
    register = page("register", "Register", "welcome/register", "A name, a password, and off you go.")
    login = page("login", "Login", "welcome/login", "Good to see you again.")
    about = page("about", "About", "about", "A router that weighs next to nothing.")
    return Presentation(
        junction(tabs, [
            stack(Presenter("navigation", lambda visit: navigation, set_children=navigation.set_screens), [
                route(welcome, "welcome", children=[route(register, "welcome/register"), route(login, "welcome/login")]),
            ]),
            route(about, "about"),
        ]),
        unmatched=bar.lost,
    )


def main() -> None:
    bar = TabBar()
    app = coordinator(bar)
    path = sys.argv[1] if len(sys.argv) > 1 else "welcome"
    while path != "quit":
        app.set(bar.below() if path == "back" else path)
        bar.draw()
        line = sys.stdin.readline()
        if not line:
            break
        path = line.strip()
    print("\r\nbye")


if __name__ == "__main__":
    main()
