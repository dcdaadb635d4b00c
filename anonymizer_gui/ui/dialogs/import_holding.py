"""Who holds the table that is opened: memory, or DuckDB where memory would hardly suffice."""

from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.scale.inputs import is_for_engines
from anonymizer_gui.engine.scale.opening import DUCKDB, may_hold
from anonymizer_gui.engine.shapes.tables.io.source_tables import HOLDER, MEMORY
from anonymizer_gui.engine.words import Sentence
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named


class Holding(QWidget):
    """A box to tick, and why it is ticked already; hidden for what no engine reads."""

    def __init__(self) -> None:
        super().__init__()
        self.box = named(QCheckBox(tr("Leave the table where it is, and let DuckDB read it")), "import_held")
        self.why = named(QLabel(wordWrap=True), "import_why")
        self.box.setToolTip(tr("Some rows are shown, figures of columns are exact, and runs go through Run Elsewhere."))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.box)
        layout.addWidget(self.why)
        self._is_decided = False
        self.box.clicked.connect(self._on_clicked)
        self.hide()

    def show_source(self, source: str, why: Sentence | None) -> None:
        """Tick the box where memory would hardly suffice, and say why in one line."""
        self._is_decided = False
        self.box.setChecked(why is not None)
        self.box.setEnabled(not is_for_engines(source))
        self.why.setText(tr(why) if why is not None else "")
        self.why.setVisible(why is not None)
        self.setVisible(may_hold(source))

    def options(self) -> dict[str, Json]:
        """Give the entry of the source that says so; nothing where memory was never in doubt."""
        if self.box.isChecked():
            return {HOLDER: DUCKDB}
        return {HOLDER: MEMORY} if self._is_decided else {}

    def _on_clicked(self) -> None:
        self._is_decided = True
