"""What all pages about a release have in common."""

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.rooms.microdata.utility_page import UtilityPage
from tests.ui.rooms.microdata.protect_documents import hospital_document

PAGES = [ReleasePage, RiskPage, UtilityPage]


@pytest.mark.parametrize("kind", PAGES)
def test_the_mark_follows_the_release(kind: type[Page], qtbot: QtBot) -> None:
    """Seven tenths of the detail are lost here, which no mark may call good."""
    document = hospital_document()
    assert kind.mark(document).state is StepState.EMPTY
    document.run()
    fresh = (StepState.WARNING,) if kind is UtilityPage else (StepState.READY, StepState.DONE)
    assert kind.mark(document).state in fresh
    document.edit("x", suppression=0.5)
    assert kind.mark(document).state is StepState.STALE
    document.close()
