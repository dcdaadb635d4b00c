"""The form in a real browser: it draws what is proven, remembers its report, and can be used by everybody."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.rooms.survey.collection import Collection, Question, html_form
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.reports import read_reports, sift_reports
from tests.e2e.browser import DOWN, ENTER, SPACE, TAB, Browser, missing_tools
from tests.engine.dp.local.test_protocols import chances_of

pytestmark = pytest.mark.skipif(
    bool(missing_tools()), reason=f"needs {' and '.join(missing_tools())}: apt-get install chromium chromium-driver"
)
DRAWS = 20_000
ALPHA = 1e-9
"""The browser draws from the operating system, so that a test may fail by chance once in a thousand million runs."""
FOR_TWO = ("rr", "rr-alpha", "rr-coins")
FOR_VALUES = ("grr", "sue", "oue", "olh")
FOR_NUMBERS = ("duchi", "piecewise")
COLOURS = ("red", "green", "blue", "<b>white</b>", "black")


def everything() -> Collection:
    """Give a survey that asks a question by every protocol."""
    two = [Question(name, values=("yes", "no"), protocol=name) for name in FOR_TWO]
    values = [Question(name, values=COLOURS, protocol=name) for name in FOR_VALUES]
    numbers = [Question(name, low=0.0, high=100.0, protocol=name) for name in FOR_NUMBERS]
    questions = (*two, *values, *numbers)
    return Project(title="All", questions=questions, epsilon=Fraction(12, 10) * len(questions)).collection()


def smoking(**changes: Any) -> Collection:
    """Give a survey of two questions as a person would ask them."""
    questions = (
        Question("smokes", "Do you smoke?", ("yes", "no"), protocol="rr"),
        Question("age", "How old are you?", low=0.0, high=120.0),
    )
    given = {"title": "Health", "intro": "It is short.", "questions": questions, "epsilon": Fraction(4), **changes}
    return Project(**given).collection()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("browser"))
    yield made
    made.close()


def shown(browser: Browser, collection: Collection, name: str, language: str = "en") -> Path:
    """Write the form and show it, with nothing remembered."""
    path = browser.folder / f"{name}.html"
    path.write_text(html_form(collection, language), encoding="utf-8")  # type: ignore[arg-type]
    browser.open(path)
    browser.run("localStorage.clear(); sessionStorage.clear()")
    browser.open(path)
    return path


def drawn(browser: Browser, at: int, value: int) -> list[str]:
    """Have the client of the form make many reports of one answer."""
    script = (
        "const found = [], question = window.survey.questions[arguments[0]];"
        "for (let i = 0; i < arguments[2]; i += 1) { found.push(window.survey.perturb(question, arguments[1])); }"
        "return found"
    )
    return list(browser.run(script, at, value, DRAWS))


def test_every_client_draws_what_the_protocol_in_python_proves(browser: Browser) -> None:
    collection = everything()
    shown(browser, collection, "all")
    for at, question in enumerate(collection.questions):
        protocol = collection.protocols[question.name]
        value = 1 if question.values else 300_000
        texts = drawn(browser, at, value)
        reports = protocol.gather([protocol.decode(text) for text in texts])
        assert protocol.encode(reports) == texts
        if isinstance(protocol, FrequencyProtocol):
            chances = np.array([float(protocol.p if v == value else protocol.q) for v in range(protocol.size)])
            z = (protocol.support(reports) - DRAWS * chances) / np.sqrt(DRAWS * chances * (1 - chances))
            assert float((z**2).max()) < chi2.isf(ALPHA / protocol.size, 1), question.name
        else:
            assert isinstance(protocol, MeanProtocol)
            numbers = protocol.numbers(reports)
            spread = protocol.variance(value / protocol.size)
            assert abs(numbers.mean() - value / protocol.size) < 7 * np.sqrt(spread / DRAWS), question.name
            assert numbers.var() == pytest.approx(spread, rel=0.1)
            expected = DRAWS * np.array([float(chance) for chance in chances_of(protocol, value)])
            told = np.bincount(reports, minlength=len(expected))
            fit = float(((told - expected) ** 2 / expected).sum())
            assert fit < chi2.isf(ALPHA, len(expected) - 1), question.name


def test_the_whole_distribution_of_generalised_response_is_exact(browser: Browser) -> None:
    collection = everything()
    shown(browser, collection, "all")
    at = [question.name for question in collection.questions].index("grr")
    protocol = collection.protocols["grr"]
    told = np.bincount([int(text) for text in drawn(browser, at, 2)], minlength=5)
    expected = DRAWS * np.array([float(chance) for chance in protocol.matrix()[2]])
    assert float(((told - expected) ** 2 / expected).sum()) < chi2.isf(ALPHA, 4)


def test_a_person_with_a_keyboard_makes_a_report_that_counts(browser: Browser) -> None:
    collection = smoking()
    shown(browser, collection, "smoking")
    assert browser.text("title") == "Health"
    browser.run("document.getElementById('q0_0').focus()")
    browser.press(SPACE, DOWN, TAB, "4", "2", ENTER)
    report = json.loads(browser.run("return document.getElementById('report').value"))
    assert list(report) == ["survey", "id", "answers"]
    path = browser.folder / "came.jsonl"
    path.write_text(json.dumps(report) + "\n", encoding="utf-8")
    assert sift_reports(collection, read_reports(path)).n == 1
    assert browser.focus() == "ready"
    assert "proves nothing" in browser.text("why")
    # At epsilon 4 a report tells a lot, and the form says how much.
    assert "guesses right at most 98.2 times in 100" in browser.text("proof")
    assert "rather" in browser.text("told") or "mark" in browser.text("told")
    assert browser.run("return document.getElementById('form').hidden") is True


def test_a_number_is_sent_as_the_range_it_lies_in(browser: Browser) -> None:
    question = Question("age", "How old are you?", low=0.0, high=100.0, bins=4, protocol="grr")
    for number, place in (("0", 0), ("24.9", 0), ("25", 1), ("99", 3), ("100", 3)):
        told = set()
        for turn in range(2):
            # Another survey each time: what the browser has forgotten sometimes comes back.
            title = f"Up to {number}, {turn}"
            collection = Project(questions=(question,), epsilon=Fraction(16), title=title).collection()
            shown(browser, collection, "ranges")
            browser.run("document.getElementById('q0').value = arguments[0]", number)
            browser.run("document.getElementById('change').click()")
            report = json.loads(browser.run("return document.getElementById('report').value"))
            assert list(report["answers"]) == ["age"]
            told.add(report["answers"]["age"])
        # At epsilon 16 a lie is told once in three million times, and two of them once in 10^13 times.
        assert str(place) in told
        assert question.places([number]).tolist() == [place]


def test_what_is_not_answered_is_asked_for_and_nothing_is_drawn(browser: Browser) -> None:
    shown(browser, smoking(intro="unanswered"), "unanswered")
    for answer, words in ((None, "Do you smoke?"), ("130", "from 0 to 120"), ("", "How old")):
        if answer is not None:
            browser.run(
                "document.getElementById('q0_1').checked = true; document.getElementById('q1').value = arguments[0]",
                answer,
            )
        browser.run("document.getElementById('change').click()")
        assert words in browser.text("error")
        assert browser.run("return document.getElementById('result').hidden") is True


def test_using_the_form_again_gives_the_report_it_gave_before(browser: Browser) -> None:
    path = shown(browser, smoking(intro="again"), "again")
    fill = "document.getElementById('q0_1').checked = true; document.getElementById('q1').value = 50;"
    browser.run(fill + "document.getElementById('change').click()")
    first = browser.run("return document.getElementById('report').value")
    for _ in range(3):
        browser.open(path)
        assert browser.run("return document.getElementById('report').value") == first
        assert browser.run("return document.getElementById('again').hidden") is False
        browser.run(fill + "document.getElementById('form').requestSubmit()")
        assert browser.run("return document.getElementById('report').value") == first
    # Only what was drawn is remembered, never what was answered.
    entries = (
        "return [localStorage, sessionStorage].flatMap(Object.values).flatMap((kept) => Object.keys(JSON.parse(kept)))"
    )
    assert set(browser.run(entries)) <= {"report", "lot"}


def test_with_one_question_each_the_lot_is_drawn_once(browser: Browser) -> None:
    collection = smoking(sharing="one")
    path = shown(browser, collection, "lot")
    asked = browser.run("return document.querySelector('legend').textContent")
    for _ in range(6):
        browser.open(path)
        assert browser.run("return document.querySelector('legend').textContent") == asked
    assert browser.run("return document.querySelectorAll('fieldset').length") == 1


def test_a_screen_reader_knows_every_control_in_both_languages(browser: Browser) -> None:
    shown(browser, smoking(intro="spoken"), "spoken")
    assert browser.spoken("#q0_0") == ("radio", "yes")
    assert browser.spoken("fieldset") == ("group", "Do you smoke?")
    assert browser.spoken("#q1") == ("spinbutton", "How old are you?")
    assert browser.spoken("#change") == ("button", "Change my answer by chance")
    assert browser.spoken("#error")[0] == "alert"
    browser.run("document.getElementById('de').click()")
    assert browser.run("return document.documentElement.lang") == "de"
    assert browser.spoken("#change") == ("button", "Meine Antwort durch Zufall verändern")
    browser.run("document.getElementById('q0_1').checked = true; document.getElementById('q1').value = 50;")
    browser.run("document.getElementById('change').click()")
    assert browser.spoken("#report") == ("textbox", "Ihre Meldung")
    assert "beweist" in browser.text("why")
    assert browser.spoken("#status")[0] == "status"
    # The file can name its language, too.
    shown(browser, smoking(intro="german"), "german", "de")
    assert browser.text("change") == "Meine Antwort durch Zufall verändern"


def test_the_form_loads_nothing_and_can_reach_nothing(browser: Browser) -> None:
    shown(browser, everything(), "offline")
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    refused = "return fetch('http://127.0.0.1:9/').then(() => 'reached', () => 'refused')"
    assert browser.run(refused) == "refused"
    assert browser.run("return document.querySelectorAll('b').length") == 0


def test_a_report_is_saved_as_a_file_that_counts(browser: Browser) -> None:
    collection = smoking()
    shown(browser, collection, "saved")
    browser.run("document.getElementById('q0_1').checked = true; document.getElementById('q1').value = 50;")
    browser.run("document.getElementById('change').click()")
    report = json.loads(browser.run("return document.getElementById('report').value"))
    name = browser.run(
        "let name = ''; HTMLAnchorElement.prototype.click = function () { name = this.download; };"
        "document.getElementById('save').click(); return name"
    )
    assert name == f"report-{report['id'][:8]}.json"
    assert browser.text("status") == "Saved."
