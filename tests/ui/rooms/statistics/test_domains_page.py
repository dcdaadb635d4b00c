"""Public categories are typed or read from files; what the data has is never shown or proposed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractItemView, QLabel

from anonymizer_gui.engine.rooms.statistics.cost_preview import preview_questions
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.rooms.statistics.domains_page import DomainsPage
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Page]


@pytest.fixture
def page(planned: Document, shown: Shown) -> DomainsPage:
    made = shown(DomainsPage, planned)
    assert isinstance(made, DomainsPage)
    return made


def test_typed_categories_become_the_domain_of_questions(page: DomainsPage) -> None:
    document = page.document
    document.edit("Ask", questions=(parse_question("histogram ward"),))
    assert preview_questions(document.project)[0].problem is not None
    page.choose("ward")
    page.typed.setPlainText("inner\n  north\n  middle\nouter\n  south\n")
    page.take_button.click()
    seen = preview_questions(document.project)[0]
    assert seen.problem is None
    assert document.project.hierarchies["ward"].leaf_labels == ("north", "middle", "south")
    assert page.middle.currentWidget() is page.editor
    assert DomainsPage.mark(document).text == "1 column has public categories"
    document.undo_stack.undo()
    assert document.project.hierarchies == {}
    assert page.middle.currentIndex() == 0


def test_wrong_categories_are_told_and_not_taken(page: DomainsPage) -> None:
    page.choose("sex")
    for text, words in (("", "no category yet"), ("F\nM\nF", "“F”")):
        page.typed.setPlainText(text)
        page.take_button.click()
        assert words in page.mistake.label.text()
        assert page.document.project.hierarchies == {}
    page.choose("ward")
    assert not page.mistake.label.text()
    assert not page.typed.toPlainText()


def test_a_folder_and_a_file_are_read_without_the_data(page: DomainsPage, tmp_path: Path) -> None:
    folder = tmp_path / "trees"
    folder.mkdir()
    (folder / "ward.csv").write_text("north;*\nsouth;*\neast;*\n", encoding="utf-8")
    page.take_hierarchies(folder)
    assert page.document.project.hierarchies["ward"].n_leaves == 3
    page.choose("sex")
    page.take_hierarchy(folder / "ward.csv")
    assert set(page.document.project.hierarchies) == {"ward", "sex"}
    page.remove_button.click()
    assert set(page.document.project.hierarchies) == {"ward"}
    page.take_hierarchies(tmp_path)
    assert "no hierarchy" in page.document.messages.open[-1].text
    (tmp_path / "bad.csv").write_text("a;b\na;c\n", encoding="utf-8")
    page.take_hierarchy(tmp_path / "bad.csv")
    assert len(page.document.project.hierarchies) == 1


def test_nothing_of_the_data_is_shown(page: DomainsPage) -> None:
    for column in ("ward", "sex", "age", "person"):
        page.choose(column)
        shown = " ".join(label.text() for label in page.findChildren(QLabel))
        for view in page.findChildren(QAbstractItemView):
            model = view.model()
            rows = range(model.rowCount()) if model is not None else ()
            shown += " ".join(str(model.index(row, 0).data()) for row in rows)
        assert "north" not in shown
        assert "p7" not in shown
