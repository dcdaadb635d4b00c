"""Certificates of graphs measured again: forged entries, heads and roles, directions, and what stays inside."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken, UnreadableFile
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.rooms.graphs import run as running
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.independent.recount import count_release, read_csv
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES, Project
from anonymizer_gui.engine.rooms.graphs.published_graph import publish_graph
from anonymizer_gui.engine.rooms.graphs.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.graphs.run import run
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import candidate_sets, share_below

NAMES = [f"person {number}" for number in range(14)]
TIES = [[0, other] for other in range(1, 8)] + [[8, 9], [9, 10], [10, 11], [11, 12], [12, 13], [1, 2], [3, 4]]
TABLE = Table.from_rows(
    ["name", "+age", "health", "club", "mail"],
    [[name, str(20 + at % 3), "ill" if at % 2 else "well", "c", f"m{at}"] for at, name in enumerate(NAMES)],
)
ROLES = {"+age": Role.QI, "health": Role.SA, "club": Role.OTHER, "mail": Role.EI}


def exported(folder: Path, name: str = "out.csv", *, is_directed: bool = False, **changes: Any) -> ExportResult:
    """Release a graph whose people have a column of every role."""
    schema = Schema(tuple(ColumnSchema(column, role=role) for column, role in ROLES.items()))
    project = Project(**({"name": "ties", "key": "name", "schema": schema, "k": 3, "l": 2, "seed": 5} | changes))
    files = {GRAPH: Graph.of(NAMES, TIES, is_directed=is_directed), NODES: TABLE}
    return export(ReleaseCandidate(run(project, files), Safeguards()), folder / name)


def forged(made: ExportResult, change: Callable[[dict[str, Any]], object]) -> Verification:
    """Change the certificate, seal it again, and verify; afterwards it is as it was."""
    whole = made.certificate.read_bytes()
    told = json.loads(whole)
    change(told)
    made.certificate.write_text(json.dumps(told | {"sha256": certificate_digest(told)}), encoding="utf-8")
    try:
        return verify_release(made.path)
    finally:
        made.certificate.write_bytes(whole)


@pytest.mark.parametrize("name", ["out.csv", "out.graphml"])
@pytest.mark.parametrize("is_directed", [False, True])
def test_columns_of_every_role_are_compared_with_the_head(name: str, is_directed: bool, tmp_path: Path) -> None:
    made = exported(tmp_path, name, is_directed=is_directed)
    found = verify_release(made.path)
    assert found.differences == ()
    assert [each for each in found.not_measured if each.startswith("columns")] == ["columns.mail"]
    assert ("written.is_directed" in found.not_measured) is (name == "out.csv" and not is_directed)
    for at, role in enumerate(("SA", "other", "QI")):
        assert not forged(made, lambda told, at=at, role=role: told["columns"][at].update(role=role)).holds  # type: ignore[misc]
        assert not forged(made, lambda told, at=at: told["columns"][at].update(name="zip")).holds  # type: ignore[misc]
        assert not forged(made, lambda told, at=at: told["columns"].pop(at)).holds  # type: ignore[misc]
    more = {"name": "zip", "role": "other"}
    assert not forged(made, lambda told: told["columns"].append(more)).holds


def test_a_column_that_is_told_to_be_harmless_is_found(tmp_path: Path) -> None:
    """Where the quasi-identifier is called something else everywhere, the checklist must say so."""

    def harmless(told: dict[str, Any]) -> None:
        told["columns"][0]["role"], told["written"]["known"] = "other", []
        told["promises"] = [promise for promise in told["promises"] if promise["name"] != "row-k"]
        told["checks"] = [check for check in told["checks"] if check["name"] != "row-k"]

    found = forged(exported(tmp_path), harmless)
    assert not found.holds


def test_heads_that_are_not_of_a_graph_are_found(tmp_path: Path) -> None:
    made = exported(tmp_path)
    for file, head in ((made.path, "source,target"), (made.path.with_name("out.nodes.csv"), "node,")):
        whole = file.read_bytes()
        file.write_bytes(
            whole.replace(head.encode(), head.replace("source", "from").replace("node", "who").encode(), 1)
        )
        assert "The files are not the graph the certificate speaks of." in verify_release(made.path).differences
        file.write_bytes(whole)
    assert verify_release(made.path).holds


@pytest.mark.parametrize("name", ["out.csv", "out.graphml"])
def test_a_direction_that_the_files_show_is_measured(name: str, tmp_path: Path) -> None:
    made = exported(tmp_path, name, is_directed=True)
    assert verify_release(made.path).holds
    found = forged(made, lambda told: told["written"].update(is_directed=False))
    assert "written.is_directed is true, the certificate says false." in found.differences


def test_promises_forged_in_every_entry_are_found(tmp_path: Path) -> None:
    def thousand(told: dict[str, Any]) -> None:
        told["recipe"]["k"] = told["numbers"]["smallest_class"] = 1000
        for promise in told["promises"][:2]:
            promise["parameters"]["k"] = promise["value"] = 1000
            promise["sentence"] = promise["sentence"].replace("3", "1000")

    for name in ALGORITHMS.names():
        found = forged(exported(tmp_path, f"{name}.csv", algorithm=ALGORITHMS.get(name)()), thousand)
        assert "promises.row-k.holds is false, the certificate says true." in found.differences
        assert any(each.startswith("numbers.smallest_class is ") for each in found.differences)


def test_the_loss_of_rows_is_compared_with_the_inside_copy_or_named(tmp_path: Path) -> None:
    made = exported(tmp_path)
    assert "numbers.lm" not in verify_release(made.path).not_measured
    found = forged(made, lambda told: told["numbers"].update(lm=0.001))
    assert any(each.startswith("numbers.lm is ") for each in found.differences)
    made.inside.unlink()
    assert "numbers.lm" in forged(made, lambda told: told["numbers"].update(lm=0.001)).not_measured


def test_a_graph_without_quasi_identifiers_loses_nothing_of_them(tmp_path: Path) -> None:
    made = exported(tmp_path, schema=Schema(), l=1)
    made.inside.unlink()
    found = verify_release(made.path)
    assert found.holds
    assert "numbers" in found.measured
    assert not forged(made, lambda told: told["numbers"].update(lm=0.5)).holds


def test_checks_are_run_again_with_the_words_they_had(tmp_path: Path) -> None:
    made = exported(tmp_path, l=1)
    told = json.loads(made.certificate.read_text(encoding="utf-8"))
    failed = [check["name"] for check in told["checks"] if not check["holds"]]
    assert {"sensitive", "others"} <= set(failed)
    assert verify_release(made.path).holds
    for at, check in enumerate(told["checks"]):
        if check["name"] not in ("names", "ledger"):
            for entry, value in (("holds", not check["holds"]), ("sentence", "All is well.")):
                changed = {**told, "checks": [*told["checks"][:at], {**check, entry: value}, *told["checks"][at + 1 :]]}
                failed = [f"{c['title']}: {c['sentence']}" for c in changed["checks"] if c["blocks"] and not c["holds"]]
                changed["override"] = {"reason": "asked for", "failed": failed} if failed else None
                assert not forged(made, lambda told, changed=changed: told.update(changed)).holds  # type: ignore[misc]


def test_notes_that_follow_from_the_numbers_are_composed_anew(tmp_path: Path) -> None:
    made = exported(tmp_path, l=1)
    notes = json.loads(made.certificate.read_text(encoding="utf-8"))["notes"]
    follow = [at for at, note in enumerate(notes) if "still finds" in note or "more than a tenth" in note]
    assert len(follow) == 2
    found = verify_release(made.path)
    assert found.holds
    assert {f"notes.{at}" for at in follow} <= set(found.measured)
    for at in follow:
        assert not forged(made, lambda told, at=at: told["notes"].pop(at)).holds  # type: ignore[misc]
    kind = [note.partition("still finds")[0] + "still finds 0.0% of the people." for note in notes[follow[1] :]]
    assert not forged(made, lambda told: told.update(notes=[*notes[: follow[1]], *kind])).holds


def test_a_certificate_of_an_earlier_version_verifies_in_its_own_words(tmp_path: Path) -> None:
    def earlier(told: dict[str, Any]) -> None:
        told["program"]["anonymizer"] = "0.0.9"
        told["recipe"]["title"] = told["promises"][0]["sentence"] = told["checks"][0]["sentence"] = "in other words"

    made = exported(tmp_path)
    assert forged(made, earlier).differences == ()
    with pytest.raises(UnreadableFile, match="damaged"):
        forged(made, lambda told: told["recipe"].update(algorithm="magic"))


STAR = [[0, 2], [1, 3], [1, 4]]
"""The first has one tie that leaves, the second two: whom these reach differ only in where their ties come from."""


@pytest.mark.parametrize("name", ["out.csv", "out.graphml"])
@pytest.mark.parametrize("has_tree", [False, True])
def test_the_loss_of_rows_is_counted_from_the_cells(name: str, has_tree: bool, tmp_path: Path) -> None:
    tree = Hierarchy.from_nested({"*": {"20-21": ["20", "21"], "22": []}})
    made = exported(tmp_path, name, hierarchies={"+age": tree} if has_tree else {}, l=1)
    assert made.numbers["lm"] > 0
    losses = json.loads(made.inside.read_text(encoding="utf-8"))["loss_of_cells"]
    assert set(losses) == {"+age" if name == "out.graphml" else "'+age"}
    assert "numbers" in verify_release(made.path).measured


def test_a_loss_that_is_too_kind_releases_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "publish_graph", lambda *args: replace(publish_graph(*args), lm=0.001))
    with pytest.raises(PromiseBroken, match="Counted again"):
        exported(tmp_path)


@pytest.mark.parametrize("is_turned", [False, True])
def test_both_ends_of_a_tie_count_for_what_is_known_of_neighbours(is_turned: bool) -> None:
    """In one direction, or the other, a count of one side would take all of the last three for the same."""
    ties = [[other, one] for one, other in STAR] if is_turned else STAR
    sets = candidate_sets(Graph.of("abcde", ties, is_directed=True))
    assert [share_below(sets[depth], 2) for depth in ("h1", "h2", "h3")] == [0.4, 0.6, 0.6]
    edges = "source,target\n" + "".join(f"{one + 1},{other + 1}\n" for one, other in ties)
    told = read_csv(edges.encode(), b"node\n1\n2\n3\n4\n5\n", is_directed=True)
    assert count_release(told, [], "").unique == {"h1": 0.4, "h2": 0.6, "h3": 0.6}
