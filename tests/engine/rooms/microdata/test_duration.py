"""A run that nobody would wait for is told before it starts, in the window and on the command line."""

from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.commands import options
from anonymizer_gui.engine.core.errors import NotEnoughMemory, ResourcesExceeded, TakesTooLong
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.rooms.microdata import resource_estimate
from anonymizer_gui.engine.rooms.microdata import run as walk
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.resource_estimate import check_duration, estimated_seconds
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

CALL = ["--qi", "age,zip", "--sa", "disease", "--ei", "name", "--k", "5", "--algorithm", "cluster"]


def people(n_rows: int, algorithm: str, **changes: object) -> tuple[Table, Project]:
    """Give four quasi-identifiers whose cells nobody needs to make: how many there are is all that counts."""
    labels = tuple(f"{number:05d}" for number in range(10_000))
    codes = np.broadcast_to(np.uint16(0), n_rows)
    columns = tuple(Column(f"q{place}", codes, labels) for place in range(4))
    schema = Schema(tuple(ColumnSchema(column.name, role=Role.QI) for column in columns))
    goals = (KAnonymity(5),)
    return Table(columns, n_rows), Project(schema=schema, goals=goals, algorithm=ALGORITHMS.get(algorithm)(**changes))


def test_ten_million_rows_by_clustering_are_refused_with_an_estimate() -> None:
    table, project = people(10_000_000, "cluster")
    with pytest.raises(TakesTooLong, match=r"Clustering will take about 5 days for 10,000,000 rows") as refused:
        check_duration(table, project, 9_000_000)
    assert "Mondrian" in refused.value.hint


def test_ten_million_rows_by_best_loss_are_estimated_in_minutes() -> None:
    table, project = people(10_000_000, "best-loss")
    check_duration(table, project, 10_000_000)
    assert 60 < estimated_seconds(table, project) < 600


@pytest.mark.parametrize("algorithm", ["mondrian", "top-down", "bottom-up", "levels", "auto"])
def test_what_is_made_for_many_rows_is_never_refused(algorithm: str) -> None:
    table, project = people(10_000_000, algorithm)
    check_duration(table, project, 10_000_000)


def test_few_different_rows_are_clustered_unasked() -> None:
    table, project = people(1_000_000, "cluster")
    check_duration(table, project, 2_000)
    assert estimated_seconds(*people(20_000, "cluster", method="random")) == 0


def test_a_run_is_refused_before_the_search_and_tried_when_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_estimate, "MAX_SECONDS", 1e-9)
    project = hospital_project(algorithm=ALGORITHMS.get("cluster")())
    with pytest.raises(TakesTooLong, match="for 40 rows, 8 of them different"):
        run(hospital_table(), project)
    assert run(hospital_table(), project, try_anyway=True).measured.k >= 5


def test_the_command_line_refuses_and_tries_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(resource_estimate, "MAX_SECONDS", 1e-9)
    write_table(hospital_table(), tmp_path / "t.csv")
    call = ["anonymize", str(tmp_path / "t.csv"), *CALL, "-o", str(tmp_path / "o.csv")]
    assert main(call) == 2
    assert "Clustering will take about 1 minute" in capsys.readouterr().err
    assert not (tmp_path / "o.csv").exists()
    assert main([*call, "--try-anyway"]) == 0


def test_time_and_memory_are_refused_in_the_same_way() -> None:
    assert issubclass(TakesTooLong, ResourcesExceeded)
    assert issubclass(NotEnoughMemory, ResourcesExceeded)


class Terminal:
    """A standard error that somebody looks at, or not."""

    def __init__(self, is_seen: bool) -> None:
        self.written = ""
        self._is_seen = is_seen

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""

    def isatty(self) -> bool:
        return self._is_seen


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_long_command_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch, is_seen: bool) -> None:
    terminal, now = Terminal(is_seen), [0.0]
    monkeypatch.setattr(options.sys, "stderr", terminal)
    monkeypatch.setattr(options.time, "monotonic", lambda: now[0])
    with options.terminal_progress() as progress:
        for second in range(200):
            now[0] = float(second)
            progress(second / 200, "Growing clusters" if second < 100 else "")
    lines = [line.strip() for line in terminal.written.replace("\r", "\n").splitlines() if line.strip()]
    if is_seen:
        assert "50%  Growing clusters" in lines
        assert len(lines) > 100
    else:
        assert lines == [f"{share}%  Growing clusters" for share in (30, 60, 90)]
    assert terminal.written.endswith("\r" if is_seen else "\n")


def test_a_short_command_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(True)
    monkeypatch.setattr(options.sys, "stderr", terminal)
    with options.terminal_progress() as progress:
        progress(0.5, "Cutting")
    assert terminal.written == ""


def test_a_run_stops_when_it_is_told_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    write_table(hospital_table(), tmp_path / "t.csv")
    monkeypatch.setattr(walk, "encode_table", interrupted)
    assert main(["anonymize", str(tmp_path / "t.csv"), *CALL, "-o", str(tmp_path / "o.csv")]) == 130
    assert "Stopped." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [tmp_path / "t.csv"]
