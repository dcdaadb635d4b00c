"""A run that will not fit into memory is told before it starts."""

from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine import memory
from anonymizer_gui.engine.anonymize import anonymize
from anonymizer_gui.engine.memory import NotEnoughMemory, free_memory, needed_memory
from anonymizer_gui.engine.table_io import write_table
from tests.engine.making import hospital_project, hospital_table

CALL = ["--qi", "age,zip", "--sa", "disease", "--ei", "name", "--k", "5", "--algorithm", "mondrian"]


def test_more_rows_need_more_memory() -> None:
    few, many = (needed_memory(hospital_table(n), hospital_project()) for n in (100, 1000))
    assert many > 5 * few


def test_a_population_needs_memory_too() -> None:
    table, project = hospital_table(100), hospital_project()
    assert needed_memory(table, project, hospital_table(1000)) > needed_memory(table, project)


def test_the_free_memory_of_this_machine_is_known() -> None:
    free = free_memory()
    assert free is not None
    assert 1 << 20 < free < 1 << 50


def test_a_run_that_does_not_fit_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1000)
    with pytest.raises(NotEnoughMemory, match=r"about 0\.\d GB of memory, and 0\.0 GB are free"):
        anonymize(hospital_table(), hospital_project())
    assert anonymize(hospital_table(), hospital_project(), try_anyway=True).measured.k >= 5


def test_where_nothing_is_known_the_run_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    assert anonymize(hospital_table(), hospital_project()).measured.k >= 5


def test_the_limit_of_a_container_counts(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("700\n")
    (tmp_path / "memory.stat").write_text("anon 600\ninactive_file 100\n")
    assert memory._left_in_container(tmp_path) == 400
    (tmp_path / "memory.max").write_text("max\n")
    assert memory._left_in_container(tmp_path) is None
    assert memory._left_in_container(tmp_path / "none") is None


def test_the_command_line_says_so_and_can_try_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1000)
    write_table(hospital_table(), tmp_path / "t.csv")
    call = ["anonymize", str(tmp_path / "t.csv"), *CALL, "-o", str(tmp_path / "o.csv")]
    assert main(call) == 2
    assert "will need about" in capsys.readouterr().err
    assert not (tmp_path / "o.csv").exists()
    assert main([*call, "--try-anyway"]) == 0
