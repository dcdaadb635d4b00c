"""Messages are kept until somebody takes them back."""

import logging

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.workspace.jobs import crash_report
from anonymizer_gui.workspace.messages import LogBuffer, Messages


def test_a_message_waits_for_a_window(qtbot: QtBot) -> None:
    messages = Messages()
    messages.warning("Nobody sees this yet.")
    assert [message.text for message in messages.open] == ["Nobody sees this yet."]


def test_a_message_replaces_the_one_with_its_key(qtbot: QtBot) -> None:
    messages = Messages()
    messages.info("Old", key="x")
    messages.info("New", key="x")
    assert [message.text for message in messages.open] == ["New"]


@pytest.mark.parametrize("text", ["“13053” and “Zoë” are values.", "„13053“ und „Zoë“ sind Werte.", "“Zo”ë” is odd."])
def test_the_log_does_not_keep_what_a_message_quotes(qtbot: QtBot, text: str) -> None:
    book = LogBuffer()
    Messages().error(text)
    book.close()
    assert book.lines[-1].split("  ")[2].startswith("“…” ")
    assert not [value for value in ("13053", "Zo", "ë") if value in book.lines[-1]]


def test_clearing_tells_the_key(qtbot: QtBot) -> None:
    messages = Messages()
    messages.error("Gone soon", key="x")
    with qtbot.waitSignal(messages.cleared, check_params_cb=lambda key: key == "x"):
        messages.clear("x")
    assert messages.open == ()


def test_the_log_has_what_was_said_but_no_text_of_exceptions(qtbot: QtBot) -> None:
    book = LogBuffer()
    book.set_level("info")
    Messages().error("The file is gone.")
    try:
        raise ValueError("Colin Keane")
    except ValueError:
        logging.getLogger("anonymizer_gui").exception("Reading failed")
    book.close()
    text = "\n".join(book.lines)
    assert "The file is gone." in text
    assert "Reading failed" in text
    assert "Colin" not in text


def test_a_crash_report_names_the_cause_but_no_data() -> None:
    def fail() -> None:
        try:
            int("Colin Keane")
        except ValueError as error:
            raise KeyError("988-33-3160") from error

    with pytest.raises(KeyError) as caught:
        fail()
    report = crash_report(caught.value)
    assert "KeyError at:" in report
    assert "caused by ValueError" in report
    assert "Colin" not in report
    assert "988" not in report
