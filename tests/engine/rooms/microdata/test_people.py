"""People, not rows: what is promised, checked, written, remembered and attacked where people have several rows."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, BadProject, Infeasible, PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.composition.ledger_records import new_release_view
from anonymizer_gui.engine.rooms.microdata.independent import counting
from anonymizer_gui.engine.rooms.microdata.models import persons
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import AlphaKAnonymity, KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence
from anonymizer_gui.engine.rooms.microdata.people import count_repeats, suggest_person_column
from anonymizer_gui.engine.rooms.microdata.project import Project, project_entries
from anonymizer_gui.engine.rooms.microdata.recipe import apply_recipe, make_recipe
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.microdata.risk.attacks import AttackerKnowledge, run_attacks
from anonymizer_gui.engine.rooms.microdata.risk.attribute_disclosure import Homogeneity
from anonymizer_gui.engine.rooms.microdata.risk.reidentification import ProsecutorRisk
from anonymizer_gui.engine.rooms.microdata.room import project_from_entries
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import NAMES, hospital_project, hospital_rows

ABOUT_PEOPLE: tuple[PrivacyModel, ...] = (
    KAnonymity(2),
    DistinctLDiversity(2),
    EntropyLDiversity(1.5),
    RecursiveLDiversity(2, c=3.0),
    AlphaKAnonymity(alpha=0.8, k=2),
)


def visits(each: int = 5, n: int = 40) -> Table:
    """Everybody comes so many times in a row, and is the same age at the same place."""
    rows = [
        [f"Patient {i // each}", *hospital_rows(n)[i // each][1:3], *row[3:]] for i, row in enumerate(hospital_rows(n))
    ]
    return Table.from_rows(NAMES, rows)


def project_of(*goals: PrivacyModel, **changes: object) -> Project:
    return hospital_project(goals=goals or (KAnonymity(2),), person="name", **changes)


def leaving(table: Table, project: Project) -> ReleaseCandidate:
    return prepare_candidate(run(table, project), table, Safeguards())


def check_of(ready: ReleaseCandidate) -> Check:
    return next(check for check in ready.checks if check.name == "people")


def test_five_visits_of_one_person_are_no_five_anonymous_class() -> None:
    table = visits()
    rows = run(table, hospital_project(goals=(KAnonymity(5),)))
    people = run(table, project_of(KAnonymity(5)))
    assert rows.measured.lm == 0  # every patient is a class of five rows
    assert (people.measured.people, people.measured.k) == (8, 8)
    assert people.measured.class_sizes.tolist() == [40]
    assert people.measured.risk.highest == pytest.approx(1 / 8)
    assert "8 people" in people.sentence()


def test_goals_that_even_all_people_miss_cannot_be_reached() -> None:
    with pytest.raises(Infeasible, match="k-anonymity cannot be reached"):
        run(visits(), project_of(KAnonymity(9)))


def test_a_repeated_identifier_is_a_warning_with_the_figure() -> None:
    ready = leaving(visits(), hospital_project(goals=(KAnonymity(5),)))
    check = check_of(ready)
    assert not check.holds
    assert not check.blocks
    assert "40 rows are about 8 people" in check.sentence
    assert "the smallest class has 1 person" in check.sentence


def test_with_the_mark_the_check_says_how_many_people() -> None:
    check = check_of(leaving(visits(), project_of()))
    assert check.holds
    assert "8 people" in check.sentence


def test_a_table_with_a_row_for_each_person_has_no_such_line() -> None:
    ready = leaving(visits(1), hospital_project(goals=(KAnonymity(5),)))
    assert [check for check in ready.checks if check.name == "people"] == []
    assert "another person" in check_of(leaving(visits(1), project_of())).sentence


def test_the_most_telling_identifier_that_repeats_is_suggested() -> None:
    columns = {
        "visit": [f"V{i}" for i in range(12)],
        "patient": [f"P{i // 2}" for i in range(12)],
        "ward": [f"W{i // 6}" for i in range(12)],
        "house": ["H"] * 12,
    }
    table = Table(tuple(Column.from_texts(name, texts) for name, texts in columns.items()))
    found = suggest_person_column(table, tuple(columns))
    assert found is not None
    assert found[0] == "patient"
    assert suggest_person_column(table, ("visit", "house")) is None


def test_capital_letters_and_white_space_make_no_other_person() -> None:
    found = count_repeats(Column.from_texts("id", ["Ada  Lovelace", "ada lovelace", "Bob", MISSING]))
    assert (found.people, found.without, found.several_rows) == (2, 1, True)


def test_rows_without_an_id_add_nobody() -> None:
    rows = [[MISSING if i >= 20 else row[0], *row[1:]] for i, row in enumerate(hospital_rows())]
    table = Table.from_rows(NAMES, rows)
    release = run(table, project_of(KAnonymity(5)))
    assert release.measured.people == 20
    names = np.array([row[0] for row in rows], dtype=object)[release.rows]
    for number in range(release.measured.classes):
        assert len(set(names[release.class_of_row == number]) - {MISSING}) >= 5
    assert "20 rows have no id" in check_of(prepare_candidate(release, table, Safeguards())).sentence


@pytest.mark.parametrize("goal", ABOUT_PEOPLE, ids=lambda goal: goal.name)
def test_a_release_about_people_leaves_and_verify_says_what_it_cannot_know(goal: PrivacyModel, tmp_path: Path) -> None:
    out = export(leaving(visits(2), project_of(goal)), tmp_path / "out.csv")
    assert out.numbers["people"] == 20
    found = verify_release(out.path)
    assert found.holds
    assert goal.title in found.unchecked
    assert any("whom a row is about" in line for line in found.unchecked)
    assert "Patient" not in out.path.read_text("utf-8")


def test_a_goal_about_rows_is_verified_although_people_are_counted(tmp_path: Path) -> None:
    out = export(leaving(visits(2), project_of()), tmp_path / "out.csv")
    path = out.path.with_name(out.path.name + ".release.json")
    told = path.read_text("utf-8")
    assert '"every class has at least 2 people"' in told
    assert "says whom a record is about" in told


@pytest.mark.parametrize("goal", ABOUT_PEOPLE, ids=lambda goal: goal.name)
def test_an_engine_that_counts_rows_for_people_releases_nothing(
    goal: PrivacyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_rows(self: persons.PersonGroups, group: np.ndarray, n_groups: int) -> np.ndarray:
        return np.bincount(group, minlength=n_groups)

    monkeypatch.setattr(persons.PersonGroups, "_people", by_rows)
    monkeypatch.setattr(persons, "_weakest", lambda group, *_rest: np.ones(len(group), dtype=np.bool_))
    ready = leaving(visits(5), project_of(goal))
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("broken", ["_somebody", "_with_several", "people_in_classes"])
def test_a_recount_that_counts_people_wrongly_releases_nothing(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        [MISSING if i % 7 == 0 else row[0], *row[1:]]
        for i, row in enumerate(zip(*(c.texts().tolist() for c in visits(4).columns), strict=True))
    ]
    ready = leaving(Table.from_rows(NAMES, rows), project_of(KAnonymity(2), EntropyLDiversity(1.2)))
    if broken == "people_in_classes":
        monkeypatch.setattr(counting.FileCounts, broken, lambda self: self.sizes)
    else:
        monkeypatch.setattr(counting, broken, {"_somebody": set, "_with_several": lambda held: ()}[broken])
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(ready, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_release_whose_people_were_mixed_up_is_refused(tmp_path: Path) -> None:
    ready = leaving(visits(2), project_of())
    assert ready.rows is not None
    mixed = replace(ready, rows=np.roll(ready.rows, 7))
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        export(mixed, tmp_path / "out.csv")


@pytest.mark.parametrize("goals", [(KAnonymity(3),), (KAnonymity(2), DistinctLDiversity(2)), (EntropyLDiversity(1.7),)])
def test_bottom_up_finds_the_least_loss_of_all_levels(goals: tuple[PrivacyModel, ...]) -> None:
    random = np.random.default_rng(3)
    rows = [[f"P{random.integers(0, 14)}", *row[1:3], f"D{random.integers(0, 3)}", row[4]] for row in hospital_rows()]
    table, project = Table.from_rows(NAMES, rows), project_of(*goals)
    losses = []
    for age, zip_ in itertools.product(range(3), range(3)):
        try:
            by_hand = replace(project, algorithm=ChosenLevels((("age", age), ("zip", zip_))))
            losses.append(run(table, by_hand).measured.lm)
        except Infeasible:
            continue
    assert run(table, replace(project, algorithm=BottomUp())).measured.lm == pytest.approx(min(losses))


def test_people_are_remembered_by_their_own_column() -> None:
    table = visits(2)
    table = Table((*table.columns, Column.from_texts("visit", [f"V{i}" for i in range(40)])))
    columns = (*project_of().schema.columns, replace(project_of().schema.column("name"), name="visit"))
    project = project_of()
    project = replace(project, schema=replace(project.schema, columns=columns))
    release = run(table, project)
    by_person = new_release_view(release.table, release.rows, table, project, b"key").shown
    by_all = new_release_view(release.table, release.rows, table, replace(project, person=""), b"key").shown
    assert (len(set(by_person.keys.tolist())), len(set(by_all.keys.tolist()))) == (20, 40)
    assert by_person.matched_by == ("name",)


def test_attacks_hit_people() -> None:
    table = visits(5)
    release = run(table, project_of())
    found = run_attacks([ProsecutorRisk(), Homogeneity()], release, table, AttackerKnowledge(), SILENT)
    prosecutor = found["prosecutor"].both
    assert prosecutor is not None
    assert (prosecutor.before.people, prosecutor.before.value, prosecutor.before.hit) == (8, 1.0, 8)
    assert prosecutor.after.value == pytest.approx(1 / release.measured.k)
    homogeneity = found["homogeneity"].both
    assert homogeneity is not None
    assert homogeneity.before.hit == 8  # alone in their class, people agree with themselves


def test_a_population_with_several_rows_of_a_person_is_refused() -> None:
    table = visits(2)
    with pytest.raises(BadParameter, match="In the population “name” repeats"):
        run(table, project_of(), population=table)


def test_shares_of_a_population_need_everybody_to_be_known() -> None:
    rows = [[MISSING if i == 3 else row[0], *row[1:]] for i, row in enumerate(hospital_rows())]
    town = Table.from_rows(NAMES, hospital_rows(80)).select(("age", "zip"))
    with pytest.raises(BadParameter, match="1 row of “name” is empty"):
        run(Table.from_rows(NAMES, rows), project_of(DeltaPresence(0.9)), population=town)


def test_the_mark_is_saved_and_goes_with_the_role() -> None:
    project = project_of()
    assert project_from_entries(project_entries(project)).person == "name"
    earlier = {name: entry for name, entry in project_entries(project).items() if name != "person"}
    assert project_from_entries(earlier).person == ""
    assert project.with_roles({"name": Role.OTHER}).person == ""
    assert project.about("ward").schema.column("ward").role is Role.EI
    assert apply_recipe(replace(project, person=""), make_recipe(project), {"name": "name"}).person == "name"
    with pytest.raises(BadProject, match="is not an identifier"):
        project_from_entries({**project_entries(project), "person": "age"})


def test_a_person_column_that_is_no_identifier_is_refused() -> None:
    with pytest.raises(BadParameter, match="it is not an identifier"):
        run(visits(), replace(project_of(), person="ward"))
