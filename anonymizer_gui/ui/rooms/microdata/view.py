"""The window half of the room: its pages in the order of the rail, and the modules that bring their actions."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonymizer_gui.ui.page import Page

_MODULES = (
    "anonymizer_gui.ui.rooms.microdata.compare.page",
    "anonymizer_gui.ui.rooms.microdata.data.page",
    "anonymizer_gui.ui.hierarchies.page",
    "anonymizer_gui.ui.hierarchies.actions",
    "anonymizer_gui.ui.rooms.microdata.protect.page",
    "anonymizer_gui.ui.release.page",
    "anonymizer_gui.ui.rooms.microdata.risk.page",
    "anonymizer_gui.ui.rooms.microdata.utility.page",
    "anonymizer_gui.ui.shell.welcome",
)


def page_modules() -> list[ModuleType]:
    """Import every module with a page or its actions."""
    return [importlib.import_module(name) for name in _MODULES]


def page_classes() -> list[type["Page"]]:
    """List the pages in the order of the rail."""
    from anonymizer_gui.ui.page import Page

    found = {
        thing
        for module in page_modules()
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Page) and thing.name and thing.__module__ == module.__name__
    }
    return sorted(found, key=lambda page: page.order)
