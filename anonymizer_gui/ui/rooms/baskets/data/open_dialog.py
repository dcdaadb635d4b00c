"""Opening baskets: the first ones are shown as they will be read, while one changes how they are read."""

from pathlib import Path

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.shapes.baskets.baskets import Baskets
from anonymizer_gui.engine.shapes.baskets.found import Found
from anonymizer_gui.engine.shapes.baskets.options import BasketOptions
from anonymizer_gui.engine.shapes.baskets.reading import read_baskets
from anonymizer_gui.engine.shapes.baskets.sniffing import columns_of, sniffed
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import told, tr, whole
from anonymizer_gui.ui.widgets.layout_pieces import UpAndDown, resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.ui.widgets.rows_model import RowsModel, rows_view
from anonymizer_gui.workspace.document import Document

SHOWN = 200
_ROOM = "baskets"


class OpenBaskets(QDialog):
    """How the file is read at the left, its first baskets at the right."""

    def __init__(self, document: Document, source: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("open_baskets")
        self.setWindowTitle(tr("Open Baskets"))
        self._document, self._source = document, source
        self.form = ParamForm(BasketOptions)
        self._place = QVBoxLayout()
        self.model = RowsModel((tr("Basket"), tr("Items")), (0,))
        self.view = rows_view(self.model, "basket_preview", tr("The first baskets"), 1)
        self.counts = named(QLabel(wordWrap=True), "basket_counts")
        self.note = Note()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self._build()
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._document.jobs.start(
            "", _sniff, Path(source), on_done=self._on_sniffed, on_error=self._on_error, replace_key="look at baskets"
        )

    def accept(self) -> None:
        """Open the whole file as the form says."""
        options = self.form.value()
        if options is not None:
            self._document.open_table(self._source, options, room=_ROOM)
            super().accept()

    def _build(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setText(tr("Open"))
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        theme.plain_buttons(self.buttons)
        split = named(QSplitter(childrenCollapsible=False), "open_baskets_splitter")
        side = QWidget()
        side.setLayout(self._place)
        split.addWidget(UpAndDown(side))
        split.addWidget(self.view)
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(named(QLabel(tr("“{name}”", name=Path(self._source).name)), "basket_file"))
        layout.addWidget(split, 1)
        for widget in (self.counts, self.note, self.buttons):
            layout.addWidget(widget)
        resize_in_lines(self, 52, 30)

    def _on_sniffed(self, proposed: tuple[BasketOptions, tuple[str, ...]]) -> None:
        """Show the proposal in a form that offers the columns of the file."""
        options, columns = proposed
        self.form.deleteLater()
        self.form = ParamForm(BasketOptions, options, columns=columns)
        self.form.changed.connect(lambda _value: self._look())
        self.form.invalid.connect(lambda text: self.note.show_note("bad", text))
        self._place.addWidget(self.form)
        self._place.addStretch()
        self._look()

    def _look(self) -> None:
        options = self.form.value()
        if options is not None:
            self._document.jobs.start(
                "", _look, Path(self._source), options, on_done=self._on_seen, on_error=self._on_error,
                replace_key="look at baskets",
            )  # fmt: skip

    def _on_seen(self, seen: tuple[Baskets, Found]) -> None:
        baskets, found = seen
        rows = [(whole(at + 1), ", ".join(held)) for at, held in enumerate(baskets.sets())]
        self.model.show_rows(rows)
        self.counts.setText(
            tr(
                "The first {baskets:basket|baskets}: {items:item|items}, {empty} empty, {twice} twice in a basket.",
                baskets=found.baskets,
                items=found.items,
                empty=whole(found.empty),
                twice=whole(found.duplicates),
            )
        )
        self.note.show_note("warn", " ".join(tr(problem) for problem in found.problems))
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(True)

    def _on_error(self, error: BaseException) -> None:
        self.model.show_rows([])
        self.counts.setText("")
        self.note.show_note("bad", told(error))
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(False)


def _sniff(path: Path, progress: Progress) -> tuple[BasketOptions, tuple[str, ...]]:
    progress(0.0)
    return sniffed(path), columns_of(path)


def _look(path: Path, options: BasketOptions, progress: Progress) -> tuple[Baskets, Found]:
    return read_baskets(path, options, progress, limit=SHOWN)
