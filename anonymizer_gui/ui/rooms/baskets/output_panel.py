"""What leaves: the baskets as they will be written, the layout, and the rules of the release."""

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.baskets.project import RELEASE_LAYOUTS
from anonymizer_gui.engine.rooms.baskets.release import Release, rules_of, write_rules
from anonymizer_gui.engine.rooms.baskets.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.ui.dialogs.file_dialogs import ask_target
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel
from anonymizer_gui.ui.rooms.baskets.before_after import release_figures
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import own_files
from anonymizer_gui.workspace.jobs import post_error


class BasketsOutputPanel(OutputPanel):
    """The published baskets; beside them how they are written."""

    fields = frozenset({"layout"})

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._release: Release | None = None
        self.model = TextTableModel((tr("Size"), tr("Items and groups")), (0,))
        self.what = text_table_view(self.model, "leaving_baskets", tr("Baskets that leave"), 1)
        self.layout_box = name_widget(WidePopupComboBox(), "release_layout", spoken=tr("Layout"))
        for name, words in RELEASE_LAYOUTS.items():
            self.layout_box.addItem(tr(words), name)
        self.layout_box.make_room()
        self.how = QWidget()
        form = QFormLayout(self.how)
        label = QLabel(tr("Layout"))
        label.setBuddy(self.layout_box)
        form.addRow(label, self.layout_box)
        form.addRow(QLabel(tr("A file that ends in .json is written as JSON."), wordWrap=True))
        self.rules_button = name_widget(
            QPushButton(tr("Save the Rules…")), "save_rules",
            tip=tr("Which group each item became, to publish the next month alike; keep the file inside"),
        )  # fmt: skip
        self.buttons = (self.rules_button,)
        self.layout_box.activated.connect(
            lambda _at: document.edit(tr("Choose the layout"), layout=self.layout_box.currentData())
        )
        self.rules_button.clicked.connect(self.save_rules)

    def save_rules(self) -> None:
        """Ask where to, then write which group each item became."""
        stem = Path(self.document.project.name or "baskets").stem
        ask_target(self.how, tr("Save the Rules"), f"{stem}_rules.csv", self.write_rules)  # type: ignore[arg-type]

    def write_rules(self, path: Path) -> None:
        """Write the rules; an obstacle is told."""
        if self._release is None:
            return
        try:
            refuse_overwrite([path], own_files(self.document))
            write_rules(rules_of(self._release), path)
        except AnonymizerError as error:
            post_error(self.document.messages, error)
        else:
            self.document.messages.success(tr("The rules were written to {name}.", name=path.name))

    def show_project(self, release: Any) -> None:
        """Show the published baskets."""
        self._release = release
        self.layout_box.setCurrentIndex(self.layout_box.findData(self.document.project.layout))
        self.rules_button.setEnabled(release.recoding.cut is not None)
        published, sizes = release.published, release.published.sizes
        self.model.show_many(len(published), lambda at: (format_integer(int(sizes[at])), ", ".join(published.held(at))))
        self.figures.show_figures(release_figures(release))

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say what will leave."""
        return tr("“{name}”: {words}", name=leaving.release.name, words=tr(leaving.release.sentence()))

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say what has left."""
        return tr(
            "{baskets:basket|baskets} went to {name}; read back and counted again, smallest support {support}.",
            baskets=len(leaving.baskets),
            name=path.name,
            support=format_integer(leaving.release.measured.smallest_support),
        )
