"""The question before a file is overwritten that somebody else has written meanwhile."""

from collections.abc import Callable
from pathlib import Path

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.workspace.messages import Messages


def tell_changed_elsewhere(messages: Messages, path: Path, overwrite: Callable[[], object]) -> None:
    """Tell that a project was changed by another window, and offer to overwrite what that has saved."""

    def save() -> None:
        overwrite()

    messages.warning(
        message("“{name}” was changed by another window or program since it was opened here.", name=path.name),
        "Save under another name, or overwrite what the other has saved.",
        actions=[("Overwrite It", save)],
        key="changed elsewhere",
    )
