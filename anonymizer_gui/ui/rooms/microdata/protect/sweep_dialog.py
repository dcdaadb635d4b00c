"""Which goal is varied over which values."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.core.params import Float, Int, params_of
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog


class SweepDialog(ParameterSweepDialog):
    """Lets the user choose a number of a goal and the values it takes."""

    goal_chosen = Signal(int, str, object)
    """Carries the place of the goal, the name of its parameter, and the values."""

    def __init__(self, goals: Sequence[PrivacyModel], parent: QWidget | None = None) -> None:
        numbers = [
            (str(place), replace(param, default=getattr(goal, param.name)))
            for place, goal in enumerate(goals)
            for param in params_of(type(goal))
            if isinstance(param.kind, Int | Float)
        ]
        super().__init__(numbers, parent, titles={str(place): tr(goal.title) for place, goal in enumerate(goals)})
        self.setObjectName("sweep_dialog")
        self.chosen.connect(lambda what, values: self.goal_chosen.emit(int(what[0]), what[1].name, values))
