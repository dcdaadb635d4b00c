"""What can be done, each thing once: menus, toolbar, shortcuts, palette and overview derive from these."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtGui import QKeySequence

from anonymizer_gui.workspace.document import Document

FIRST_MENUS, LAST_MENUS = ("File", "Edit", "View"), ("Tools", "Help")
"""The menus of every window; those of a room stand between them, in the order of its actions."""
LAST_GROUP = "quit"


def _always(_document: Document) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One thing that can be done.

    `callback` gets the window, or the page named by `page`, which is shown first. `shortcut` is a text such as
    "Ctrl+F" or the name of a standard key such as "Save". With `anywhere=False` the shortcut of a page's action works
    only while the focus is on that page. Titles carry no mnemonic: the menu gives one. `reason` says why it is
    disabled when `enabled(document)` is false.
    """

    id: str
    title: str
    callback: Callable[[Any], object]
    menu: str = ""
    group: str = ""
    icon: str = ""
    shortcut: str = ""
    status_tip: str = ""
    enabled: Callable[[Document], bool] = _always
    reason: str = ""
    page: str = ""
    anywhere: bool = True
    checked: Callable[[Any], bool] | None = None
    """For a switch: whether it is on, asked of the window."""
    live_title: Callable[[Document], str] | None = None
    """For a title that says more than the table can, such as what would be undone; already translated."""


def key_sequence(shortcut: str) -> QKeySequence:
    """Resolve the name of a standard key for this system; anything else is read as keys."""
    standard = getattr(QKeySequence.StandardKey, shortcut, None)
    if standard is None:
        return QKeySequence(shortcut)
    found = QKeySequence.keyBindings(standard)
    return found[0] if found else QKeySequence()


def with_mnemonics(titles: Iterable[str]) -> list[str]:
    """Mark a letter in each title of one menu, no letter twice while there are enough."""
    taken: set[str] = set()
    marked = []
    for title in titles:
        place = next((i for i, letter in enumerate(title) if letter.isalpha() and letter.lower() not in taken), -1)
        if place < 0:
            marked.append(title)
            continue
        taken.add(title[place].lower())
        marked.append(f"{title[:place]}&{title[place:]}")
    return marked
