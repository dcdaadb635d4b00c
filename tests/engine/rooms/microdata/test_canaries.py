"""No raw value that is not published is in the bytes of anything that leaves the house."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.data.tables.io import read_table, write_table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.canaries import (
    AUTHOR,
    FOLDER,
    PEOPLE,
    RARE_DISEASE,
    RARE_WARD,
    SUPPRESSED,
    UNUSED,
    canary_project,
    canary_table,
    found_in,
    unpacked,
)

KEY = bytes(range(32))
FORMATS = ["out.csv", "out.tsv", "out.xlsx", "out.parquet"]
LEAVES = ("13050", "13051", "13052", "13053")
"""Values of a quasi-identifier that its hierarchy names and the release does not show."""
HIDDEN = (*PEOPLE, *SUPPRESSED, *LEAVES, UNUSED, FOLDER, AUTHOR)


def released(tmp_path: Path, name: str, safeguards: Safeguards | None = None, **changes: object) -> ExportResult:
    folder = tmp_path / FOLDER
    folder.mkdir()
    table = canary_table()
    release = run(table, canary_project(**changes))
    assert release.suppressed == 1
    return export(prepare_candidate(release, table, safeguards or Safeguards()), folder / name)


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let everything temporary go to a folder of the test's own, under the name of a person."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(folder))
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, AUTHOR)
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


@pytest.mark.parametrize("name", FORMATS)
def test_a_release_and_its_documents_hold_no_hidden_value(tmp_path: Path, name: str) -> None:
    out = released(tmp_path, name)
    assert len(list(out.path.parent.iterdir())) == 4
    assert found_in(out.path.parent.iterdir(), HIDDEN) == []


@pytest.mark.parametrize("name", FORMATS)
def test_the_search_finds_a_value_that_is_there(tmp_path: Path, name: str) -> None:
    write_table(canary_table(), tmp_path / name)
    found = found_in([tmp_path / name], HIDDEN)
    assert {hit.partition(" ")[0] for hit in found} == {*PEOPLE, *SUPPRESSED, *LEAVES}


@pytest.mark.parametrize("name", FORMATS)
def test_a_suppressed_row_that_is_no_class_of_its_own_is_left_out_although_stars_were_asked_for(
    tmp_path: Path, name: str
) -> None:
    goals = canary_project().goals[:1]
    folder = tmp_path / FOLDER
    folder.mkdir()
    table = canary_table()
    release = run(table, canary_project(goals=goals, publishing=Publishing(suppressed_as_stars=True)))
    out = export(prepare_candidate(release, table, Safeguards()), folder / name)
    # One row alone is no class of five: it is left out although stars were asked for.
    assert found_in(out.path.parent.iterdir(), HIDDEN) == []


@pytest.mark.parametrize("way", ["keyed", "numbered", "digits"])
@pytest.mark.parametrize("name", FORMATS)
def test_pseudonyms_show_no_identifier(tmp_path: Path, name: str, way: str) -> None:
    out = released(tmp_path, name, Safeguards(key=KEY), publishing=Publishing(pseudonyms=(("name", way),)))
    assert found_in(out.path.parent.iterdir(), [*HIDDEN, KEY.hex()]) == []


def test_the_ledger_holds_published_values_only(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    released(tmp_path, "out.csv", Safeguards(key=KEY, ledger=ledger))
    assert found_in([ledger.path], [*HIDDEN, KEY.hex(), "1305*"]) == []
    assert found_in([ledger.path], ["Cancer"]) == ["Cancer in ledger.sqlite"]


@pytest.mark.parametrize("name", FORMATS)
def test_hierarchies_of_every_column_leave_nothing_but_what_is_published(tmp_path: Path, name: str) -> None:
    diseases = Hierarchy.from_nested({"*": ["=Flu", "Cancer", "@Heart", "+Asthma", RARE_DISEASE, UNUSED]})
    people, wards = (Hierarchy.from_nested({"*": list(leaves)}) for leaves in (PEOPLE, ["-W0", RARE_WARD]))
    trees = {**canary_project().hierarchies, "disease": diseases, "name": people, "ward": wards}
    out = released(tmp_path, name, hierarchies=trees)
    assert found_in(out.path.parent.iterdir(), HIDDEN) == []


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_stays_in_the_temporary_folder(tmp_path: Path, own_temporary_folder: Path, name: str) -> None:
    released(tmp_path, name)
    assert list(own_temporary_folder.iterdir()) == []


def test_a_workbook_holds_cells_and_nothing_else(tmp_path: Path) -> None:
    out = released(tmp_path, "out.xlsx")
    content = b"\n".join(unpacked(out.path.read_bytes()))
    for word in (b"<f>", b"docProps", b"creator", b"hidden", b"comments", b"definedName", b"calcChain"):
        assert word not in content


def test_parquet_holds_no_dictionary_no_statistics_and_no_metadata(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = released(tmp_path, "out.parquet")
    metadata = parquet.read_metadata(out.path)
    assert metadata.metadata is None
    assert parquet.read_schema(out.path).metadata is None
    for column in range(metadata.num_columns):
        chunk = metadata.row_group(0).column(column)
        assert not chunk.has_dictionary_page
        assert not chunk.is_stats_set
    assert b"pandas" not in out.path.read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_there_is_no_index_column_and_formulas_are_disarmed(tmp_path: Path, name: str) -> None:
    out = released(tmp_path, name)
    table, _ = read_table(out.path)
    assert table.names == ("age", "zip", "disease", "ward")
    assert {"'=Flu", "'@Heart", "'+Asthma"} < set(table.column("disease").labels)
    assert all(label.startswith("'-W") for label in table.column("ward").labels)


def test_formulas_stay_when_the_user_wants_them(tmp_path: Path) -> None:
    out = released(tmp_path, "out.csv", publishing=Publishing(escape_formulas=False))
    assert "=Flu" in read_table(out.path)[0].column("disease").labels


def test_a_suppressed_value_that_others_share_is_no_secret(tmp_path: Path) -> None:
    shared = canary_table()
    rows = [list(row) for row in zip(*(column.texts() for column in shared.columns), strict=True)]
    rows[0][3] = RARE_DISEASE
    table = type(shared).from_rows(shared.names, rows)
    out = export(prepare_candidate(run(table, canary_project()), table, Safeguards()), tmp_path / "out.csv")
    assert found_in([out.path], [RARE_DISEASE]) == [f"{RARE_DISEASE} in out.csv"]
