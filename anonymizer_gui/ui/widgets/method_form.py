"""The parameters of whichever method is chosen, in a form that follows it."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.ui.widgets.layout import clear_layout
from anonymizer_gui.ui.widgets.param_form import ParamForm


class MethodForm(QWidget):
    """Shows a form for the parameters of a method; what is typed stays while it is wrong."""

    changed = Signal(object)
    """Carries the method with other parameters."""
    checked = Signal()
    """The fields were looked at again: `error` says what is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.form: ParamForm | None = None
        self._shown: Any = None
        self._place = QVBoxLayout(self)
        self._place.setContentsMargins(0, 0, 0, 0)

    @property
    def error(self) -> str:
        """The sentence of the first field that is wrong; empty when all are right."""
        return "" if self.form is None else self.form.error

    def show_method(self, method: Any) -> None:
        """Show the parameters of a method; none where it is None or has nothing to set."""
        if self._shown is None or type(method) is not type(self._shown):
            self._rebuild(method)
        elif self.form is not None and method != self._shown and self.form.value() != method:
            self.form.set_value(method)
        self._shown = method

    def _rebuild(self, method: Any) -> None:
        clear_layout(self._place)
        self.form = None
        if method is None or not params_of(type(method)):
            return
        self.form = ParamForm(type(method), method)
        self.form.changed.connect(self.changed)
        self.form.changed.connect(lambda _value: self.checked.emit())
        self.form.invalid.connect(lambda _sentence: self.checked.emit())
        self._place.addWidget(self.form)
