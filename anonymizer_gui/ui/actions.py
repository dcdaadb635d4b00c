"""Action values, QActions, menus and shortcuts from them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.widgets.accessibility import plain_text
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


_ROLES = {
    "file.quit": QAction.MenuRole.QuitRole,
    "help.about": QAction.MenuRole.AboutRole,
    "tools.preferences": QAction.MenuRole.PreferencesRole,
}


class ActionRegistry(QObject):
    """All actions of a window; `perform` is called with the action a person chose."""

    def __init__(
        self, window: QWidget, document: Document, perform: Callable[[Action], None], shortcuts: Mapping[str, str]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._perform = perform
        self._shortcuts = shortcuts
        self.table: dict[str, Action] = {}
        self.qt: dict[str, QAction] = {}

    def add(self, actions: Iterable[Action]) -> None:
        """Make Qt's actions for some more entries of the table."""
        for action in actions:
            made = QAction(self)
            made.setObjectName(action.id)
            made.setMenuRole(_ROLES.get(action.id, QAction.MenuRole.NoRole))
            made.setCheckable(action.checked is not None)
            made.triggered.connect(lambda _checked=False, chosen=action: self._perform(chosen))
            self.table[action.id], self.qt[action.id] = action, made
            if action.anywhere:
                self._window.addAction(made)
        self.set_shortcuts(self._shortcuts)
        self.refresh()

    def keep(self, names: Iterable[str]) -> None:
        """Take away all actions but these: those of a room that was left."""
        kept = set(names)
        for name in [name for name in self.table if name not in kept]:
            made = self.qt.pop(name)
            del self.table[name]
            self._window.removeAction(made)
            made.deleteLater()

    def attach(self, page: Page) -> None:
        """Let the shortcuts of a page's own actions work while the focus is on it; single letters in its home only."""
        for name, action in self.table.items():
            if action.page == page.name and not action.anywhere:
                home = page.home_of_shortcuts() if len(action.shortcut) == 1 else page
                self.qt[name].setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                home.addAction(self.qt[name])

    def keys(self) -> dict[str, str]:
        """Give the keys of every action in words."""
        return {name: self.shortcut(name).toString(QKeySequence.SequenceFormat.NativeText) for name in self.table}

    def shortcut(self, name: str) -> QKeySequence:
        """Give the keys of an action: the user's own, or those of the table."""
        own = self._shortcuts.get(name)
        return QKeySequence(own) if own is not None else key_sequence(self.table[name].shortcut)

    def set_shortcuts(self, shortcuts: Mapping[str, str]) -> None:
        """Take over the user's own keys."""
        self._shortcuts = shortcuts
        for name, made in self.qt.items():
            made.setShortcut(self.shortcut(name))

    def refresh(self) -> None:
        """Bring texts, switches and what is enabled up to date."""
        for name, action in self.table.items():
            made, works = self.qt[name], action.enabled(self._document)
            title = action.live_title(self._document) if action.live_title else tr(action.title)
            made.setIconText(title)
            if made.text().replace("&", "") != title:
                made.setText(title)
            made.setEnabled(works)
            made.setStatusTip((tr(action.status_tip) if action.status_tip else title) if works else self.reason(name))
            made.setToolTip(plain_text(title if works else f"{title}\n{self.reason(name)}"))
            if action.checked is not None:
                made.setChecked(action.checked(self._window))

    def reason(self, name: str) -> str:
        """Say why an action is disabled."""
        return tr(self.table[name].reason) if self.table[name].reason else ""

    def retheme(self) -> None:
        """Draw the icons that are there in the colours of the present theme."""
        self.draw([name for name, made in self.qt.items() if not made.icon().isNull()])

    def draw(self, names: Iterable[str]) -> None:
        """Draw the icons of actions that are about to be seen; drawing all takes a tenth of the start."""
        for name in names:
            if name in self.table and self.table[name].icon:
                self.qt[name].setIcon(theme.icon(self.table[name].icon))

    def fill(self, bar: QMenuBar, submenus: Mapping[str, list[QMenu]]) -> None:
        """Build the menus; `submenus` adds menus of files and the like at the end of a menu's first group."""
        bar.clear()
        menus = self._menus()
        for title, marked in zip(menus, with_mnemonics([tr(menu) for menu in menus]), strict=True):
            names = self._grouped([name for name, action in self.table.items() if action.menu == title])
            if names:
                self._fill_menu(bar.addMenu(marked), names, submenus.get(title, []))

    def _menus(self) -> list[str]:
        """List the menus: those of every window, with those of the room's actions between them."""
        own = [action.menu for action in self.table.values() if action.menu]
        return list(dict.fromkeys([*FIRST_MENUS, *(menu for menu in own if menu not in LAST_MENUS), *LAST_MENUS]))

    def _grouped(self, names: list[str]) -> list[str]:
        """Put the actions of a menu together by their groups; the end of the program comes at the end."""
        group_of = {name: self.table[name].group for name in names}
        groups = list(dict.fromkeys(group_of.values()))
        return sorted(names, key=lambda name: (group_of[name] == LAST_GROUP, groups.index(group_of[name])))

    def _fill_menu(self, menu: QMenu, names: list[str], submenus: list[QMenu]) -> None:
        menu.aboutToShow.connect(lambda: self.draw(names))
        titles = with_mnemonics([self.qt[name].iconText() for name in names])
        group = self.table[names[0]].group
        for name, title in zip(names, titles, strict=True):
            if self.table[name].group != group:
                for submenu in submenus:
                    menu.addMenu(submenu)
                submenus = []
                group = self.table[name].group
                menu.addSeparator()
            self.qt[name].setText(title)
            menu.addAction(self.qt[name])
        for submenu in submenus:
            menu.addMenu(submenu)
