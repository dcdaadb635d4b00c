"""A graph leaves only when its files, counted again, keep what they promise."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import PromiseBroken, UnwritableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, RecodingResult, room_recoding_tables
from anonymizer_gui.engine.releases.export import NotReady, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards, read_safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.graphs import published_graph, release, structural_knowledge
from anonymizer_gui.engine.rooms.graphs import run as running
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.independent import recount
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES, Project
from anonymizer_gui.engine.rooms.graphs.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.graphs.run import run
from anonymizer_gui.engine.storage.keys import make_key

NAMES = [f"person {number}" for number in range(14)]
TIES = [[0, other] for other in range(1, 8)] + [[8, 9], [9, 10], [10, 11], [11, 12], [12, 13], [1, 2], [3, 4]]
ROWS = [[name, str(20 + at % 3), "ill" if at % 2 else "well"] for at, name in enumerate(NAMES)]


def project(**changes: Any) -> Project:
    schema = Schema((ColumnSchema("age", role=Role.QI), ColumnSchema("health", role=Role.SA)))
    return replace(Project(name="ties", key="name", schema=schema, k=3, l=2, seed=5), **changes)


def files() -> dict[str, Any]:
    return {GRAPH: Graph.of(NAMES, TIES), NODES: Table.from_rows(["name", "age", "health"], ROWS)}


def leaving(wanted: Project | None = None) -> ReleaseCandidate:
    return ReleaseCandidate(run(wanted or project(), files()), Safeguards())


@pytest.mark.parametrize("name", ALGORITHMS.names())
@pytest.mark.parametrize("suffix", [".csv", ".graphml"])
def test_every_algorithm_leaves_and_verifies(name: str, suffix: str, tmp_path: Path) -> None:
    ready = leaving(project(algorithm=ALGORITHMS.get(name)()))
    if (name, suffix) == ("group", ".graphml"):
        with pytest.raises(UnwritableFile):
            export(ready, tmp_path / f"out{suffix}")
        return
    assert all(promise.holds for promise in ready.promises)
    assert {promise.name for promise in ready.promises} >= {"row-k", "label-l"}
    exported = export(ready, tmp_path / f"out{suffix}")
    found = verify_release(exported.path)
    assert found.holds, found.differences
    assert not any(name.encode() in path.read_bytes() for path in tmp_path.iterdir() for name in NAMES)


def fake_exposure(*args: Any) -> structural_knowledge.Exposure:
    return replace(
        structural_knowledge.measure_exposure(*args),
        smallest=99,
        unique=dict.fromkeys(structural_knowledge.DEPTHS, 0.0),
    )


def test_a_measure_that_is_too_kind_releases_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "measure_exposure", fake_exposure)
    with pytest.raises(PromiseBroken, match="Counted again"):
        export(leaving(), tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


class AsTheyAre:
    """Gives rows back as they came."""

    def rows_made_alike(self, asked: RecodingRequest, progress: Progress) -> RecodingResult:
        return RecodingResult(asked.table, 0.0)


def test_rows_that_were_not_grouped_release_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published_graph, "room_recoding_tables", AsTheyAre)
    monkeypatch.setattr(release, "Counter", lambda values: {0: 99})
    monkeypatch.setattr(release, "_fewest", lambda candidates, labels: 99)
    with pytest.raises(PromiseBroken, match="Counted again"):
        export(leaving(), tmp_path / "out.csv")


def test_labels_that_are_not_counted_release_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "_fewest", lambda candidates, labels: 99)
    with pytest.raises(PromiseBroken, match="Counted again"):
        export(leaving(), tmp_path / "out.csv")


def test_a_recount_that_counts_wrongly_releases_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recount, "_alone", lambda sets: 0.5)
    with pytest.raises(PromiseBroken, match="Counted again"):
        export(leaving(), tmp_path / "out.csv")


def kind_exposure(*args: Any) -> structural_knowledge.Exposure:
    return replace(structural_knowledge.measure_exposure(*args), certain_edges=0.125)


def test_ties_that_are_said_to_be_less_certain_than_they_are_release_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "measure_exposure", kind_exposure)
    with pytest.raises(PromiseBroken, match="Counted again"):
        export(leaving(), tmp_path / "out.csv")


def test_an_algorithm_that_changes_nothing_promises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        ALGORITHMS.get("add"), "run", lambda self, graph, wanted, progress: running.AnonymisedGraph(graph)
    )
    ready = leaving()
    assert not ready.promises[0].holds
    with pytest.raises(NotReady):
        export(ready, Path("never.csv"))


def test_a_drawn_graph_fits_the_groups(tmp_path: Path) -> None:
    ready = leaving(project(algorithm=ALGORITHMS.get("group")(), sample=True))
    path = export(ready, tmp_path / "out.csv").path
    drawn = path.with_name("out.sample.csv")
    assert len(drawn.read_text(encoding="utf-8").splitlines()) == len(TIES) + 1
    lines = drawn.read_text(encoding="utf-8").splitlines()
    drawn.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert not verify_release(path).holds


def test_a_second_release_of_one_graph_is_refused_without_a_reason(tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    guarded = read_safeguards(str(tmp_path / "key"), str(tmp_path / "ledger"))
    export(ReleaseCandidate(run(project(), files()), guarded), tmp_path / "one.csv")
    again = ReleaseCandidate(run(project(), files()), guarded)
    for name in ("same.csv", "same.graphml", "once_more.graphml"):
        export(again, tmp_path / name)
        assert again.others() == 0
    other = ReleaseCandidate(run(project(k=4), files()), guarded)
    with pytest.raises(NotReady):
        export(other, tmp_path / "two.csv")
    export(other.with_reason("The first was withdrawn."), tmp_path / "two.csv")


@pytest.mark.parametrize("name", ["add", "group"])
def test_directed_ties_leave_and_are_counted_again_both_ways(name: str, tmp_path: Path) -> None:
    directed = {GRAPH: Graph.of(NAMES, TIES, is_directed=True)}
    release = run(Project(k=3, algorithm=ALGORITHMS.get(name)()), directed)
    assert release.after.smallest >= 3
    exported = export(ReleaseCandidate(release, Safeguards()), tmp_path / "out.csv")
    found = verify_release(exported.path)
    assert found.holds, found.differences
    if name == "add":
        assert "leave and reach" in release.promises[0].sentence
        pairs = list(zip(release.graph.out_degrees.tolist(), release.graph.in_degrees.tolist(), strict=True))
        assert min(map(pairs.count, pairs)) >= 3


def around(ties: list[tuple[int, int]], person: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Give how many ties leave and reach each of those a person's ties lead to and come from."""

    def both(one: int) -> tuple[int, int]:
        return sum(tie[0] == one for tie in ties), sum(tie[1] == one for tie in ties)

    to = sorted(both(other) for one, other in ties if one == person)
    return to, sorted(both(one) for one, other in ties if other == person)


@pytest.mark.parametrize("turned", [False, True], ids=["as they are", "turned round"])
def test_neighbours_are_looked_at_on_both_sides_of_ties_with_a_direction(turned: bool, tmp_path: Path) -> None:
    """Nobody is alone with their numbers of ties; 3 and 4 are by whom they reach, 5 and 6 by who reaches them."""
    ties = [(0, 5), (1, 6), (2, 6), (3, 5), (3, 7), (4, 8), (4, 9)]
    ties = [(other, one) for one, other in ties] if turned else ties
    release = run(Project(k=2, algorithm=ALGORITHMS.get("add")()), {GRAPH: Graph.of(NAMES, ties, is_directed=True)})
    assert (release.before.unique["h1"], release.before.unique["h2"]) == (0.0, 4 / len(NAMES))
    for graph, exposed in ((Graph.of(NAMES, ties, is_directed=True), release.before), (release.graph, release.after)):
        pairs = [(int(one), int(other)) for one, other in graph.edges]
        seen = [around(pairs, person) for person in range(len(NAMES))]
        assert exposed.unique["h2"] == sum(seen.count(each) == 1 for each in seen) / len(NAMES)
        assert exposed.below["h2"] == sum(seen.count(each) < 2 for each in seen) / len(NAMES)
    found = verify_release(export(ReleaseCandidate(release, Safeguards()), tmp_path / "out.csv").path)
    assert found.holds, found.differences


@pytest.mark.parametrize("name", room_recoding_tables().row_methods())
def test_rows_are_made_alike_by_every_algorithm_for_tables(name: str) -> None:
    tree = Hierarchy.from_nested({"*": {"20-21": ["20", "21"], "22-23": ["22"]}})
    method = room_recoding_tables().row_methods()[name]()
    for way in ("add", "add-delete"):
        wanted = project(rows=method, hierarchies={"age": tree}, algorithm=ALGORITHMS.get(way)())
        release = run(wanted, files())
        assert all(promise.holds for promise in release.promises)
        assert 0 <= release.published.lm <= 1
        assert {row[1] for row in release.published.nodes} <= {"20", "21", "22", "20-21", "22-23", "*"}


def test_a_person_the_table_does_not_know_is_like_others_whose_age_is_missing() -> None:
    known = Table.from_rows(["name", "age", "health"], ROWS[:-1])
    release = run(project(l=1), {**files(), NODES: known})
    assert all(promise.holds for promise in release.promises)
    assert any("says nothing about 1 person" in note for note in release.notes)


def test_the_loss_of_rows_is_what_the_published_cells_tell() -> None:
    tree = Hierarchy.from_nested({"*": {"20-21": ["20", "21"], "22": []}})
    release = run(project(hierarchies={"age": tree}, l=1), files())
    worth = {"20-21": 0.5, "*": 1.0}
    cells = [row[1] for row in release.published.nodes]
    assert release.published.lm == pytest.approx(sum(worth.get(cell, 0.0) for cell in cells) / len(cells))


def test_the_numbers_of_people_tell_nothing_of_their_order() -> None:
    whole = Graph.of([str(number) for number in range(400)], [[number, number + 1] for number in range(399)])
    place = run(Project(k=2), {GRAPH: whole}).published.place
    assert abs(np.corrcoef(np.arange(400), place)[0, 1]) < 0.2


def test_the_command_line_keeps_its_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(f"{NAMES[one]},{NAMES[other]}" for one, other in TIES)
    (tmp_path / "ties.csv").write_text(lines + "\n", encoding="utf-8")
    call = ["graph", str(tmp_path / "ties.csv"), "--k", "3", "-o", str(tmp_path / "out.csv"), "--json"]
    assert main(call) == 0
    told = json.loads(capsys.readouterr().out)
    names = {"nodes", "edges", "added", "removed", "lower_bound", "smallest_class", "unique", "seconds"}
    assert names <= set(told)
    assert set(told["unique"]) == {"before", "after"}
    assert set(told["unique"]["after"]) == {"h1", "h2", "h3"}
    assert (told["nodes"], told["removed"]) == (14, 0)
    assert main([*call[:3], "40", *call[4:]]) == 1
    assert main(["graph", str(tmp_path / "none.csv"), "--k", "3", "-o", str(tmp_path / "x.csv")]) == 2
    assert main([*call, "--qi", "age"]) == 2
    assert main(["verify", str(tmp_path / "out.csv")]) == 0
