"""What leaves: the records as they will be written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.rooms.trees.release_candidate import ReleaseCandidate
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel
from anonymizer_gui.ui.rooms.trees.record_views import record_text, record_text_view, release_figures
from anonymizer_gui.workspace.document import Document

_SHOWN = 100


class RecordsOutputPanel(OutputPanel):
    """The first records as text."""

    formats: ClassVar[Mapping[str, str]] = {"JSON": "json", "JSON lines": "jsonl", "XML": "xml"}

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.text = record_text_view("leaving_records", tr("Records that leave"))
        self.what = self.text

    def show_project(self, release: Any) -> None:
        """Show the published records."""
        some = release.published[:_SHOWN]
        texts = [record_text(record, release.form) for record in some]
        if len(some) < len(release.published):
            texts.append(tr("{more:record|records} more", more=len(release.published) - len(some)))
        self.text.setPlainText("\n".join(texts))
        self.figures.show_figures(release_figures(release))

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say what will leave."""
        return tr("“{name}”: {words}", name=tr(leaving.release.name), words=tr(leaving.release.sentence()))

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say what has left."""
        return tr(
            "{records:record|records} went to {name}; read back and counted again, smallest set {smallest}.",
            records=len(leaving.records),
            name=path.name,
            smallest=format_integer(leaving.release.measured.smallest_class),
        )
