"""What the menus offer about protecting a table."""

from typing import Any

from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.protect.obstacles import run_obstacle

_CANNOT_RUN = "Mark quasi-identifiers, add a goal and choose an algorithm first."


def _can_run(document: MicrodataDocument) -> bool:
    return not run_obstacle(document)


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
    _action("try_all", "Try All Algorithms", "Run every algorithm with these goals", shortcut="Ctrl+Shift+R"),
    _action("sweep", "Sweep…", "Run a range of values of a goal and compare"),
    _action(
        "choose_population",
        "Population Table…",
        "Choose the table the people were drawn from",
        enabled=lambda document: document.table is not None,
        reason="Open a table first.",
    ),
)
