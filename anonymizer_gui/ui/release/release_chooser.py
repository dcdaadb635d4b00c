"""The line at the top of a page that names the release it shows, and lets one choose another."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.release.earlier_dialog import EarlierDialog
from anonymizer_gui.ui.widgets.combos import WideListCombo
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.document import Document


class ReleaseChooser(QWidget):
    """A list of all finished runs, the one that is shown chosen; what it says follows the document."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.box = WideListCombo()
        self.box.setObjectName("shown_release")
        self.words = QLabel(wordWrap=True)
        self.earlier = named(QPushButton(), "show_earlier")
        label = QLabel(tr("Release"))
        label.setBuddy(self.box)
        self.box.setAccessibleName(tr("Release that is shown"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label)
        row.addWidget(self.box)
        row.addWidget(self.words, 1)
        row.addWidget(self.earlier)
        self.earlier.clicked.connect(lambda: EarlierDialog(document, self.window()).open())
        self.box.activated.connect(self._on_chosen)

    def show_document(self) -> None:
        """List the releases there are now."""
        releases, selected = self._document.releases, self._document.selected
        kept = len(self._document.finished.earlier)
        self.earlier.setText(tr("Earlier Releases ({count})…", count=kept))
        self.earlier.setVisible(bool(kept))
        self.box.clear()
        for release in releases:
            self.box.addItem(release.name, release.id)
        self.box.make_room()
        if selected is None:
            return
        self.box.setCurrentIndex(self.box.findData(selected.id))
        self.words.setText(_words(self._document, selected))

    def _on_chosen(self, place: int) -> None:
        self._document.finished.select(self._document.finished.find(self.box.itemData(place)))


def _words(document: Document, release: object) -> str:
    state = tr("settings changed since") if document.finished.is_stale(release) else tr("up to date")
    return f"{tr(release.sentence())} · {state}"  # type: ignore[attr-defined]
