"""The window is never blocked over a tenth of a second, whatever is worked on, a million rows included."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.equivalence_classes import number_rows
from anonymizer_gui.engine.data.tables.io.read_write import write_table
from anonymizer_gui.engine.data.tables.sort_and_filter import RowQuery, select_rows
from anonymizer_gui.engine.data.tables.table import (
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    Schema,
    Table,
    smallest_codes,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.app import Session
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job
from anonymizer_gui.workspace.settings import Settings
from tests.ui.heartbeat import LONGEST_MS, TRIES, longest_block_ms

ROWS = 1_000_000
PAGES = ("data", "hierarchies", "protect", "compare", "risk", "utility", "release")
MakeWindow = Callable[[Document], MainWindow]
PageKind = TypeVar("PageKind", bound=Page)


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give a document with a worker of its own."""
    made = Document()
    yield made
    made.close()


@pytest.fixture
def window(document: Document, make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    """Give the window on a million rows: an identifier of its own for each, three quasi-identifiers, a value."""
    made = make_window(document)
    random = np.random.default_rng(7)
    sizes = {"name": ROWS, "sex": 2, "age": 70, "zip": 1000, "illness": 30}
    columns = []
    for name, size in sizes.items():
        codes = np.arange(ROWS) if size == ROWS else random.integers(0, size, ROWS)
        labels = tuple(f"{number:07}" for number in random.permutation(size).tolist())
        columns.append(Column(name, smallest_codes(codes, size), labels))
    roles = [Role.EI, Role.QI, Role.QI, Role.QI, Role.SA]
    types = [ColumnType.TEXT, *[ColumnType.CATEGORY] * 4]
    entries = zip(sizes, types, roles, strict=True)
    schema = Schema(tuple(ColumnSchema(name, kind, role=role) for name, kind, role in entries))
    goals = (PRIVACY_MODELS.get("k")(k=10),)
    project = Project(schema=schema, goals=goals, algorithm=ALGORITHMS.get("mondrian")())
    document.set_table(Table(tuple(columns), ROWS), project)
    qtbot.waitUntil(lambda: at_rest(document))
    return made


def at_rest(document: Document) -> bool:
    return not document.jobs.active and not document.drawing.active


def sort_and_search(table: Table, schema: Schema, progress: Progress) -> int:
    """Sort and search all rows again and again."""
    for turn, name in enumerate(table.names):
        progress(turn / len(table.names), name)
        select_rows(table, schema, RowQuery("12", "", False, name, bool(turn % 2)))
    return len(table.names)


def test_a_block_of_the_window_is_seen(qtbot: QtBot) -> None:
    assert longest_block_ms(qtbot, lambda: sum(range(40_000_000)), lambda: True) > LONGEST_MS


def test_a_worker_that_does_not_let_the_window_go_on_is_seen(qtbot: QtBot, document: Document) -> None:
    def hold(progress: Progress) -> int:
        return sum(range(40_000_000))  # one call, which hands over to nobody

    took = longest_block_ms(qtbot, lambda: document.jobs.start("Hold", hold), lambda: at_rest(document))
    assert took > LONGEST_MS


def test_a_machine_that_is_busy_with_others_is_no_block(qtbot: QtBot) -> None:
    assert longest_block_ms(qtbot, lambda: time.sleep(0.3), lambda: True) < LONGEST_MS


def test_the_window_is_never_blocked_while_a_million_rows_are_sorted_and_searched(
    qtbot: QtBot, window: MainWindow
) -> None:
    document, page = window.document, window.show_page("data")
    assert isinstance(page, DataPage)

    def act() -> None:
        document.jobs.start("Work", sort_and_search, document.table, document.project.schema)
        page.view.scrollToBottom()

    assert longest_block_ms(qtbot, act, lambda: at_rest(document)) < LONGEST_MS


def test_the_window_is_never_blocked_while_a_million_rows_are_protected_and_pages_are_looked_at(
    qtbot: QtBot, window: MainWindow
) -> None:
    document, looks = window.document, iter(PAGES * 1000)
    for name in PAGES:
        window.show_page(name)  # made before: here they are looked at again and again
    qtbot.waitUntil(lambda: at_rest(document))
    runs: list[Job | None] = []

    def look_until_done() -> bool:
        window.show_page(next(looks))
        return runs[-1] not in document.jobs.active

    assert longest_block_ms(qtbot, lambda: runs.append(document.run()), look_until_done) < LONGEST_MS
    assert document.releases


def order_long_texts(progress: Progress) -> None:
    """Sort texts too long for the words of a machine."""
    number = np.random.default_rng(7).permutation(400_000).tolist()
    text_order([f"{'a street and a town in the country, ' * 2}{one:07}" for one in number])


def number_cells(progress: Progress) -> None:
    """Find the distinct cells of many classes."""
    random = np.random.default_rng(7)
    number_rows([random.integers(0, 1000, 600_000) for _ in range(3)])


@pytest.mark.parametrize("work", [order_long_texts, number_cells])
def test_sorting_in_a_job_lets_the_window_go_on(
    qtbot: QtBot, document: Document, work: Callable[[Progress], None]
) -> None:
    took = longest_block_ms(qtbot, lambda: document.jobs.start("Sort", work), lambda: at_rest(document))
    assert took < LONGEST_MS


def test_two_hundred_columns_are_shown_without_a_block(
    qtbot: QtBot, document: Document, make_window: MakeWindow
) -> None:
    window = make_window(document)
    window.show_page("data")
    codes, labels = smallest_codes(np.arange(10_000) % 50, 50), tuple(f"value {number:02}" for number in range(50))
    turns = iter(range(TRIES))

    def act() -> None:
        turn = next(turns)  # another table each time: one that is shown is not shown again
        columns = tuple(Column(f"column {turn}.{number}", codes, labels) for number in range(200))
        schema = Schema(tuple(ColumnSchema(column.name) for column in columns))
        document.set_table(Table(columns), Project(schema=schema))

    assert longest_block_ms(qtbot, act, lambda: at_rest(document)) < LONGEST_MS


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication, tmp_path: Path, hospital_release: Any) -> Iterator[Session]:
    """Give the program with a sample open and every page looked at."""
    made = Session(qapp, Settings(tmp_path / "settings.json"), Document())
    made.window.load_pages()
    made.window.resize(1280, 800)
    made.window.show()
    made.document.open_project(resource_path("samples", "hospital.anon"), as_copy=True)
    qtbot.waitUntil(lambda: made.document.table is not None and at_rest(made.document))
    made.document.finished.add(hospital_release)
    for name in PAGES:
        made.window.show_page(name)
        qtbot.waitUntil(lambda: at_rest(made.document))
    yield made
    qtbot.waitUntil(lambda: at_rest(made.document))
    made.document.undo_stack.setClean()
    made.window.close()
    made.document.close()
    made.window.deleteLater()
    made.logbook.close()
    i18n.install_language(qapp, "en")
    theme.apply(qapp, "light")
    made.deleteLater()


@pytest.mark.parametrize(("preference", "values"), [("theme", ("dark", "light")), ("language", ("de", "en"))])
def test_another_theme_or_language_does_not_block_a_window_with_all_pages_open(
    qtbot: QtBot, session: Session, preference: str, values: tuple[str, str]
) -> None:
    turns = iter(values * TRIES)

    def act() -> None:
        session.settings.change(**{preference: next(turns)})

    assert longest_block_ms(qtbot, act, lambda: at_rest(session.document)) < LONGEST_MS


@pytest.fixture(scope="session")
def csv_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a file of a million rows and fifteen columns with numbers, dates, words and an identifier."""
    random = np.random.default_rng(7)
    columns = {
        "id": random.permutation(ROWS) + ROWS,
        "age": random.integers(0, 95, ROWS),
        "zip": random.integers(10_000, 50_000, ROWS),
        "job": random.choice([f"job {number}" for number in range(60)], ROWS),
        "born": (np.datetime64("1930-01-01") + random.integers(0, 30_000, ROWS)).astype(str),
        "income": np.round(random.normal(3000, 900, ROWS), 2),
        "illness": random.choice([f"illness {number}" for number in range(30)], ROWS),
        **{f"answer {number}": random.integers(0, 10 ** (1 + number % 4), ROWS) for number in range(8)},
    }
    path = tmp_path_factory.mktemp("tour") / "people.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


class Walk:
    """The walk of a person from the file to the release, step by step."""

    def __init__(self, window: MainWindow, file: Path) -> None:
        self.window, self.document, self.file = window, window.document, file
        self._looks = iter(PAGES * 1000)

    def steps(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Give what is done, one after the other."""
        yield "open", lambda: self.document.open_table(self.file)
        for name in ("id", "age", "born", "income"):
            yield f"look at {name}", lambda name=name: self.choose(name)
            yield f"sort by {name}", lambda name=name: self.page(DataPage).sort(name)
        yield "set roles", self.set_roles
        yield "propose hierarchies", self.propose
        for name in PAGES:
            yield f"first look at {name}", lambda name=name: self.window.show_page(name)
        for algorithm in ("mondrian", "bottom-up"):
            yield f"run {algorithm}", lambda algorithm=algorithm: self.run(algorithm)
            for name in PAGES:
                yield f"{name} after {algorithm}", lambda name=name: self.window.show_page(name)
        yield "export", self.export

    def is_done(self) -> bool:
        """Tell whether nothing is worked on; while a run lasts, look at one page after the other."""
        if any(job.title == "Protect" for job in self.document.jobs.active):
            self.window.show_page(next(self._looks))
        return at_rest(self.document) and self.document.table is not None

    def page(self, kind: type[PageKind]) -> PageKind:
        page = self.window.show_page(kind.name)
        assert isinstance(page, kind)
        return page

    def choose(self, name: str) -> None:
        view = self.page(DataPage).view
        view.go_to(0, view.table_model().table.names.index(name))

    def set_roles(self) -> None:
        roles = {"id": Role.EI, "age": Role.QI, "zip": Role.QI, "job": Role.QI, "illness": Role.SA}
        self.document.edit("Set roles", schema=self.document.project.schema.with_roles(roles))

    def propose(self) -> None:
        self.document.edit("Start over", hierarchies={})
        self.page(HierarchiesPage).sources.propose_all()

    def export(self) -> None:
        page = self.page(ReleasePage)
        page.reason.setText("Nobody is in it.")
        page.export(self.file.with_name("release.csv"))

    def run(self, algorithm: str) -> None:
        goals = (PRIVACY_MODELS.get("k")(k=20),)
        self.document.edit("Choose", algorithm=ALGORITHMS.get(algorithm)(), goals=goals)
        self.document.run()


@pytest.mark.soak
def test_reading_a_workbook_of_many_rows_does_not_block_the_window(
    qtbot: QtBot, document: Document, make_window: MakeWindow, tmp_path: Path
) -> None:
    make_window(document)
    labels = tuple(f"text {number:08}" for number in range(80_000))
    columns = tuple(Column(name, np.arange(len(labels)), labels) for name in ("id", "note"))
    write_table(Table(columns), tmp_path / "many.xlsx")
    took = longest_block_ms(
        qtbot,
        lambda: document.open_table(tmp_path / "many.xlsx"),
        lambda: at_rest(document) and document.table is not None,
    )
    assert took < LONGEST_MS


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_no_step_from_a_file_of_a_million_rows_to_its_release_blocks_the_window(
    qtbot: QtBot, document: Document, make_window: MakeWindow, csv_file: Path
) -> None:
    walk = Walk(make_window(document), csv_file)
    took = {name: longest_block_ms(qtbot, act, walk.is_done) for name, act in walk.steps()}
    document.undo_stack.setClean()
    assert {name: round(ms) for name, ms in took.items() if ms >= LONGEST_MS} == {}
    assert csv_file.with_name("release.csv").exists()
