"""Who holds the table that is opened: memory, DuckDB where memory would hardly suffice, or the cluster that sees it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.messages import Message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.io.read_write import IN_MEMORY
from anonymizer_gui.engine.scale.contract import is_for_cluster, is_for_engines
from anonymizer_gui.engine.scale.engine_choice import DUCKDB, can_duckdb_hold
from anonymizer_gui.engine.storage.sources import ENGINE_OPTION
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named


class Holding(QWidget):
    """A box to tick, and why it is ticked already, or the address of a cluster; hidden for what no engine reads."""

    asked = Signal()
    """Return was pressed at the address of the cluster."""

    def __init__(self) -> None:
        super().__init__()
        self.box = named(QCheckBox(tr("Leave the table where it is, and let DuckDB read it")), "import_held")
        self.why = named(QLabel(wordWrap=True), "import_why")
        self.box.setToolTip(tr("Some rows are shown, figures of columns are exact, and runs go through Run Elsewhere."))
        self.cluster = named(QLineEdit(), "import_cluster", spoken=tr("Spark cluster"))
        self.cluster.setPlaceholderText("sc://host:15002")
        self.cluster.setToolTip(
            tr("The token is taken from the keyring or from ANONYMIZER_SPARK_TOKEN, and never saved.")
        )
        self._form = QFormLayout()
        self._form.addRow(tr("Spark cluster"), self.cluster)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._form)
        layout.addWidget(self.box)
        layout.addWidget(self.why)
        self._is_decided = False
        self.box.clicked.connect(self._on_clicked)
        self.cluster.returnPressed.connect(self.asked)
        self.show_place("")

    def show_place(self, source: str) -> None:
        """Ask for the cluster as soon as a place is typed that only a cluster sees."""
        is_far = is_for_cluster(source)
        self._form.setRowVisible(self.cluster, is_far)
        self.box.setVisible(not is_far)
        self.why.setVisible(False)
        self.setVisible(is_far)

    def address(self) -> str:
        """Give the address of the cluster; nothing where none is asked for."""
        return self.cluster.text().strip() if self._form.isRowVisible(self.cluster) else ""

    def show_source(self, source: str, why: Message | None) -> None:
        """Tick the box where memory would hardly suffice, and say why in one line."""
        self._is_decided = False
        self.box.setChecked(why is not None)
        self.box.setEnabled(not is_for_engines(source))
        self.why.setText(tr(why) if why is not None else "")
        self.why.setVisible(why is not None)
        self.setVisible(can_duckdb_hold(source) or is_for_cluster(source))

    def options(self) -> dict[str, Json]:
        """Give the entry of the source that says so; nothing where memory was never in doubt."""
        if address := self.address():
            return {ENGINE_OPTION: address}
        if self.box.isChecked():
            return {ENGINE_OPTION: DUCKDB}
        return {ENGINE_OPTION: IN_MEMORY} if self._is_decided else {}

    def _on_clicked(self) -> None:
        self._is_decided = True
