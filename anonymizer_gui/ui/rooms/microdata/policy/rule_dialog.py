"""The parameters of one rule of a policy."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import Shares, params_of
from anonymizer_gui.engine.rooms.microdata.policies.contract import Rule
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm

_WIDTH = 460


class RuleDialog(QDialog):
    """A form made from what the rule declares; long tables of areas are read from a file instead."""

    chosen = Signal(object)
    """Carries the changed rule."""

    def __init__(self, rule: Rule, columns: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rule_dialog")
        self.setWindowTitle(tr(rule.title))
        names = [param.name for param in params_of(type(rule)) if not isinstance(param.kind, Shares)]
        self.form, self.note = ParamForm(type(rule), rule, columns=columns, names=names), InlineMessage()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        theme.strip_button_icons(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr(rule.summary), wordWrap=True))
        layout.addWidget(self.form)
        layout.addWidget(self.note)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        self.resize(_WIDTH, self.sizeHint().height())

    def accept(self) -> None:
        """Tell the rule, unless a field is wrong."""
        rule = self.form.value()
        if rule is None:
            self.note.show_note("bad", self.form.error)
            return
        super().accept()
        self.chosen.emit(rule)
