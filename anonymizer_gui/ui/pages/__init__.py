"""The pages of the window, one file each, found by walking this package."""

import importlib
import pkgutil
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonymizer_gui.ui.pages.page import Page


def page_modules() -> list[ModuleType]:
    """Import every module of this package."""
    return [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]


def page_classes() -> list[type["Page"]]:
    """List the pages in the order of the rail."""
    from anonymizer_gui.ui.pages.page import Page

    found = {
        thing
        for module in page_modules()
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Page) and thing.name and thing.__module__ == module.__name__
    }
    return sorted(found, key=lambda page: page.order)
