"""What the menus offer about protecting a table."""

from typing import Any

from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.protect.obstacles import is_held, run_obstacle

_CANNOT_RUN = "Mark quasi-identifiers, add a goal and choose an algorithm first."

_ONLY_HERE = "Mark quasi-identifiers, add a goal and choose an algorithm first; memory must hold the table."


def _can_run(document: MicrodataDocument) -> bool:
    return not run_obstacle(document)


def _can_try(document: MicrodataDocument) -> bool:
    return _can_run(document) and not is_held(document)


def _action(name: str, title: str, tip: str, **more: Any) -> Action:
    return Action(
        f"protect.{name}",
        title,
        lambda page: getattr(page, name)(),
        "Protect",
        "run",
        status_tip=tip,
        page="protect",
        **{"enabled": _can_run, "reason": _CANNOT_RUN, **more},
    )


ACTIONS = (
    _action("run", "Run", "Run the algorithm and measure what comes out", icon="run", shortcut="Ctrl+R"),
    _action(
        "try_all",
        "Try All Algorithms",
        "Run every algorithm with these goals",
        shortcut="Ctrl+Shift+R",
        enabled=_can_try,
        reason=_ONLY_HERE,
    ),
    _action("sweep", "Sweep…", "Run a range of values of a goal and compare", enabled=_can_try, reason=_ONLY_HERE),
    _action(
        "choose_population",
        "Population Table…",
        "Choose the table the people were drawn from",
        enabled=lambda document: document.table is not None,
        reason="Open a table first.",
    ),
)
