"""A run that values without a place have stopped leads to where they get one."""

from collections.abc import Callable

from anonymizer_gui.engine.hierarchy.edits import delete
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

Make = Callable[[Document], MainWindow]


def test_the_message_of_a_run_leads_to_the_column(hospital_document: Document, make_window: Make) -> None:
    window = make_window(hospital_document)
    trees = hospital_document.project.hierarchies
    tree = trees["nationality"]
    cut = delete(tree, int(tree.leaves[tree.leaf_number["Greek"]]))
    hospital_document.edit("Lose a value", hierarchies={**trees, "nationality": cut})
    assert HierarchiesPage.mark(hospital_document).state is StepState.STALE
    window.show_page("protect")
    window.commands.qt["protect.run"].trigger()
    (message,) = [each for each in hospital_document.messages.open if "without a place" in each.text]
    ((title, go),) = message.actions
    assert title == "Place Them"
    go()
    assert window.pages.current_name == "hierarchies"
    page = window.pages.page("hierarchies")
    assert isinstance(page, HierarchiesPage)
    assert page.column == "nationality"
    page.tray.other.click()
    assert HierarchiesPage.mark(hospital_document).state is StepState.DONE
