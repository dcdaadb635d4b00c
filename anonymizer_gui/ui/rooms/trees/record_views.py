"""A record as people read it: JSON with a line for each entry, or XML."""

from collections.abc import Sequence

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.trees.trees import FileForm, Vertex
from anonymizer_gui.engine.data.trees.writing import element_text, json_text
from anonymizer_gui.engine.rooms.trees.algorithms.contract import DIVERSITY, LEFT_OPEN
from anonymizer_gui.engine.rooms.trees.published_records import APART, COARSER, REMOVED, SAME, SUPPRESSED, ComparedLine
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.figure_cards import Figure


def record_text(record: Vertex, form: FileForm) -> str:
    """Give the text of one record."""
    return element_text(record, record.tag) if form.is_xml else json_text(record, indent=2)


def record_text_view(name: str, spoken: str) -> QPlainTextEdit:
    """Make a field that shows records, in letters of one width."""
    text = name_widget(QPlainTextEdit(readOnly=True), name, spoken=spoken)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return text


class RecordBeforeAfter(QWidget):
    """The lines of a record as a tree with a column for each side."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = name_widget(QTreeWidget(), "before_after", spoken=tr("Record before and after"))
        self.tree.setHeaderLabels([tr("Path"), tr("Before"), tr("After"), tr("What happened")])
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)

    def show_lines(self, lines: Sequence[ComparedLine]) -> None:
        """Show another record."""
        self.tree.clear()
        above: list[QTreeWidgetItem] = []
        words = {
            SAME: "", COARSER: tr("made coarser"), APART: tr("taken apart"), SUPPRESSED: tr("left out"),
            REMOVED: tr("removed by its role"),
        }  # fmt: skip
        for line in lines:
            item = self._item(line, words[line.mark])
            del above[line.depth :]
            if above:
                above[-1].addChild(item)
            else:
                self.tree.addTopLevelItem(item)
            above.append(item)
        self.tree.expandAll()
        head = self.tree.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (1, 2):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def _item(self, line: ComparedLine, words: str) -> QTreeWidgetItem:
        name = line.name or (tr("record") if line.is_vertex else tr("value"))
        item = QTreeWidgetItem([name, line.before, line.after, words])
        font = self.tree.font()
        font.setBold(line.is_vertex)
        font.setStrikeOut(line.mark in (SUPPRESSED, REMOVED))
        for column in (0, 1):
            item.setFont(column, font)
        for column in range(4):
            item.setToolTip(column, item.text(column))
            if line.mark in (SUPPRESSED, REMOVED):
                item.setForeground(column, theme.color("bad" if line.mark == SUPPRESSED else "muted"))
        if line.mark in (COARSER, APART):
            item.setBackground(2, theme.color("changed"))
        return item


_MOST_GONE = 0.5
"""A path that loses more of its labels than this is worth a warning: little is left to learn from."""


def release_figures(release: Release) -> tuple[Figure, ...]:
    """Give the smallest set found, the loss, what was suppressed or taken apart, and how many records changed."""
    found = release.measured
    holds = all(promise.holds for promise in release.promises)
    counted = tr("Verified by recount: yes") if holds else tr("Verified by recount: no")
    worst = max(found.by_path, key=lambda path: found.by_path[path])
    most = tr("most at {path}: {loss}", path=worst, loss=format_percent(found.by_path[worst]))
    least = most if found.lm else tr("every label stayed as it was")
    of_all = tr("{n} of {all:vertex|vertices}", n=format_integer(found.suppressed), all=found.vertices)
    apart = tr("{n:relation|relations} taken apart", n=found.disassociated)
    is_few = release.project.algorithm.expects_patterns
    smallest = tr("Smallest support of a pattern") if is_few else tr("Smallest class")
    return (
        Figure("smallest", smallest, format_integer(found.smallest_class), counted, "good" if holds else "bad"),
        *_diverse(release),
        Figure("loss", tr("Loss (LM)"), format_percent(found.lm), least, "info"),
        Figure("suppressed", tr("Vertices suppressed"), format_percent(found.share_suppressed), of_all, "info"),
        Figure(
            "changed",
            tr("Records changed"),
            format_percent(found.changed / max(found.records, 1)),
            apart if is_few else tr("{n} of {all:record|records}", n=format_integer(found.changed), all=found.records),
            "info",
        ),
    )


def _diverse(release: Release) -> tuple[Figure, ...]:
    """Show the fewest sensitive values, where l was asked for, and which path gave up most labels for it."""
    promise = next((each for each in release.promises if each.name in (DIVERSITY, LEFT_OPEN)), None)
    gone = release.measured.gone
    if promise is None or not gone:
        return ()
    most = max(gone, key=lambda path: gone[path])
    words = tr("at most {share} of the labels are gone, at {path}", share=format_percent(gone[most]), path=most)
    words = words if gone[most] else tr("every sensitive label stayed")
    tone = "bad" if not promise.holds else "warn" if gone[most] > _MOST_GONE else "good"
    value = format_integer(int(promise.value)) if promise.value else "–"
    return (Figure("diverse", tr("Fewest sensitive values"), value, words, tone),)
