"""ARX projects become projects of this program, with everything that has a counterpart; the rest is named."""

from pathlib import Path

import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.data.tables.table import ColumnType, Role
from anonymizer_gui.engine.rooms.microdata.arx_import import goals_from_criterion
from anonymizer_gui.engine.rooms.microdata.masking.steps import steps_of
from tests.engine.rooms.microdata.arx.arx_files import definition, write_project

DIVERSE = "distinct-3-diversity for attribute 'illness'"


def test_roles_types_hierarchies_bounds_limit_and_goals_come_along(tmp_path: Path) -> None:
    project = anonymizer.open(write_project(tmp_path / "clinic.deid", "5-anonymity", DIVERSE, age="0.8")).project
    assert project.name == "Clinic"
    assert [(column.name, column.role) for column in project.schema.columns] == [
        ("name", Role.EI), ("age", Role.QI), ("zip", Role.QI), ("illness", Role.SA), ("note", Role.OTHER)
    ]  # fmt: skip
    assert project.schema.column("age").type is ColumnType.INTEGER
    assert project.hierarchies["zip"].height == 2
    assert project.bounds == {"age": (1, 2)}
    assert project.weights == {"age": 0.8, "zip": 0.5}
    assert project.suppression == 0.05
    assert [goal.sentence() for goal in project.goals] == [
        goal.sentence()
        for goal in (*goals_from_criterion("5-anonymity", ()), *goals_from_criterion(DIVERSE, ("illness",)))
    ]


@pytest.mark.parametrize(
    ("criterion", "name", "parameters"),
    [
        ("5-anonymity", "k", {"k": 5}),
        (DIVERSE, "l", {"l": 3, "column": "illness"}),
        ("shannon-entropy-3.0-diversity for attribute 'illness'", "entropy-l", {"l": 3.0}),
        ("recursive-(4.0,3)-diversity for attribute 'illness'", "recursive-l", {"c": 4.0, "l": 3}),
        ("0.2-closeness with equal ground-distance for attribute 'illness'", "t", {"t": 0.2, "distance": "emd-equal"}),
        ("0.2-closeness with hierarchical ground-distance for attribute 'illness'", "t",
         {"distance": "emd-hierarchical", "reference": "input"}),
        ("0.2-closeness with ordered distance for attribute 'illness'", "t", {"distance": "emd-ordered"}),
        ("basic-1.0-likeness for attribute 'illness'", "beta", {"beta": 1.0, "reference": "input"}),
        ("enhanced-1.0-likeness for attribute 'illness'", "enhanced-beta", {"beta": 1.0}),
        ("1.0-disclosure privacy for attribute 'illness'", "delta-disclosure", {"delta": 1.0}),
        ("(0.05)-avg-reidentification-risk", "average-risk", {"risk": 0.05}),
        ("(0.05, 0.2 (0.21), 0.01)-avg-reidentification-risk", "records-at-risk",
         {"share": 0.01, "threshold": 0.2, "highest": 1.0}),
        ("(0.05, 0.2, 0.01)-avg-reidentification-risk", "records-at-risk", {"threshold": 0.2, "highest": 1.0}),
        ("(0.01)-sample-uniqueness", "records-at-risk", {"share": 0.01, "threshold": 0.5, "highest": 1.0}),
        ("(1.0E-4)-population-uniqueness (pitman)", "population-uniqueness", {"share": 1e-4, "model": "pitman"}),
        ("(11)-map estimated as (3)-anonymity (Zero-truncated Poisson)", "estimated-k-map",
         {"k": 11, "estimator": "zero-truncated", "fraction": 1.0}),
    ],
)  # fmt: skip
def test_a_criterion_is_the_goal_that_says_the_same(criterion: str, name: str, parameters: dict[str, object]) -> None:
    goal = goals_from_criterion(criterion, ("illness",))[-1]
    assert goal.name == name
    assert {key: getattr(goal, key) for key in parameters} == parameters


@pytest.mark.parametrize(
    "criterion",
    [
        "(2.0,1.0E-6)-DP",
        "(0.1,0.5)-presence",
        "(5)-map",
        "(0.05, soon)-avg-reidentification-risk",
        "(7.0)-sample-uniqueness",
        "grassberger-entropy-3.0-diversity for attribute 'illness'",
        "distinct-3-diversity for attribute 'gone'",
        "99999999999999999999999999-anonymity of something",
        "1E999-disclosure privacy for attribute 'illness'",
    ],
)
def test_what_has_no_counterpart_is_named(criterion: str, tmp_path: Path) -> None:
    opened = anonymizer.open(write_project(tmp_path / "clinic.deid", "5-anonymity", criterion))
    assert len(opened.project.goals) == 1
    assert any(criterion in note for note in opened.notes)


def test_another_measure_of_loss_and_the_response_variable_are_named(tmp_path: Path) -> None:
    opened = anonymizer.open(
        write_project(tmp_path / "clinic.deid", "5-anonymity", "Inclusion", metric="Normalized non-uniform entropy")
    )
    told = " ".join(opened.notes)
    assert "Normalized non-uniform entropy" in told
    assert opened.project.algorithm.objective_asked() == ("lm", "")
    assert "“note”" in told
    assert "research sample" in told


@pytest.mark.parametrize(
    ("metric", "objective", "target"),
    [
        ("Loss (0.5/1.0/1.0)", "lm", ""),
        ("Non-monotonic discernability", "discernibility", ""),
        ("Non-monotonic non-uniform entropy", "entropy", ""),
        ("Non-monotonic precision", "precision", ""),
        ("Classification accuracy", "classification", "note"),
    ],
)
def test_a_measure_of_loss_is_the_objective_that_is_the_same(
    metric: str, objective: str, target: str, tmp_path: Path
) -> None:
    opened = anonymizer.open(write_project(tmp_path / "clinic.deid", "5-anonymity", metric=metric))
    assert opened.project.algorithm.objective_asked() == (objective, target)
    assert not any(metric in note for note in opened.notes)
    assert any("“note”" in note for note in opened.notes) == (not target)


@pytest.mark.parametrize("weight", ["-1", "NaN", "1e999", "much"])
def test_a_weight_that_is_none_is_named_and_counts_as_usual(weight: str, tmp_path: Path) -> None:
    opened = anonymizer.open(write_project(tmp_path / "clinic.deid", age=weight))
    assert any(f"the weight “{weight}” of “age”" in note for note in opened.notes)
    assert opened.project.weights == {}


def test_a_hierarchy_that_is_spoken_of_and_not_there_is_named(tmp_path: Path) -> None:
    gone = definition().replace("hierarchies/zip.csv", "hierarchies/gone.csv")
    opened = anonymizer.open(write_project(tmp_path / "clinic.deid", parts={"input/definition.xml": gone}))
    assert any("the hierarchy of “zip”, which is not in the file" in note for note in opened.notes)
    assert "zip" not in opened.project.hierarchies


def aggregated(path: Path, name: str, function: str) -> Path:
    """Write a project in which ARX microaggregates a column; the element is called as ARX calls it."""
    told = f"<microaggregationFunction>{function}</microaggregationFunction>"
    told += "<microaggregationIgnoreMissingData>true</microaggregationIgnoreMissingData>"
    ends = definition().split("</assigment>")
    at = next(at for at, entry in enumerate(ends) if f"<name>{name}</name>" in entry)
    ends[at] += told
    return write_project(path, parts={"input/definition.xml": "</assigment>".join(ends)})


@pytest.mark.parametrize(("function", "centre"), [("Arithmetic mean", "mean"), ("Median", "median"), ("Mode", "mode")])
def test_microaggregation_becomes_the_step_that_gives_every_class_one_value(
    function: str, centre: str, tmp_path: Path
) -> None:
    opened = anonymizer.open(aggregated(tmp_path / "clinic.deid", "age", function))
    (step,) = steps_of(opened.project.source)
    assert (step.columns, step.way, step.centre) == (("age",), "class", centre)
    assert opened.project.schema.column("age").role is Role.OTHER
    assert any("“age” is micro-aggregated" in note for note in opened.notes)
    release = anonymizer.run(opened)
    ages = dict(zip(release.table.column("zip").texts(), release.table.column("age").texts(), strict=True))
    pairs = set(zip(release.table.column("zip").texts(), release.table.column("age").texts(), strict=True))
    assert len(pairs) == len(ages) == 4
    assert any("one value for every class" in note for note in release.notes)


@pytest.mark.parametrize(
    ("name", "function", "reason"),
    [
        ("age", "Geometric mean", "the mean, the median or the most frequent value"),
        ("age", "Interval", "the mean, the median or the most frequent value"),
        ("zip", "Set", "the mean, the median or the most frequent value"),
        ("illness", "Mode", "no column of numbers"),
    ],
)
def test_microaggregation_without_a_counterpart_is_named_with_the_reason(
    name: str, function: str, reason: str, tmp_path: Path
) -> None:
    opened = anonymizer.open(aggregated(tmp_path / "clinic.deid", name, function))
    assert not steps_of(opened.project.source)
    assert any(f"“{name}” ({function})" in note and reason in note for note in opened.notes)


def test_of_a_population_that_cannot_be_read_nothing_is_promised_too_much(tmp_path: Path) -> None:
    """The table is taken for the whole population: each criterion asks for at least what any true size would."""
    unique, mapped = "(0.0)-population-uniqueness (dankar)", "(4)-map estimated as (2)-anonymity (Poisson)"
    opened = anonymizer.open(write_project(tmp_path / "clinic.deid", unique, mapped))
    assert [goal.name for goal in opened.project.goals] == ["population-uniqueness", "estimated-k-map"]
    assert opened.project.goals[0].population == 120
    assert sum("only ARX can read the size" in note for note in opened.notes) == 2
    assert anonymizer.run(opened).measured.k >= 4


def test_an_arx_project_runs_and_verifies_on_the_command_line(tmp_path: Path) -> None:
    source, target = write_project(tmp_path / "clinic.deid"), tmp_path / "out.csv"
    assert main(["run", str(source), "-o", str(target)]) == 2  # nobody has agreed to publish “note”
    assert not target.exists()
    assert main(["run", str(source), "-o", str(target), "--reason", "a note is no secret"]) == 0
    assert main(["verify", str(target)]) == 0
    assert "Person" not in target.read_text(encoding="utf-8")


def test_an_arx_project_is_not_overwritten(tmp_path: Path) -> None:
    source = write_project(tmp_path / "clinic.deid")
    before = source.read_bytes()
    assert main(["run", str(source), "-o", str(source)]) == 2
    assert main(["run", str(source), "-o", str(tmp_path / "o.csv"), "--mapping", str(source)]) == 2
    assert source.read_bytes() == before


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><project><name>&c;</name></project>'


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("project.xml", BOMB),
        ("project.xml", "<project"),
        ("input/definition.xml", b"\xff\xfe\x00broken"),
        ("input/config.xml", "<config>" + "<a/>" * 2_000_000 + "</config>"),
        ("data/input.csv", b"PK\x03\x04\x00\x00\x00\x00"),
    ],
)
def test_a_damaged_project_is_refused_in_a_sentence(part: str, content: str | bytes, tmp_path: Path) -> None:
    with pytest.raises(AnonymizerError) as refused:
        anonymizer.open(write_project(tmp_path / "clinic.deid", parts={part: content}))
    assert refused.value.message.endswith(".")


def test_a_bad_hierarchy_is_named_and_the_rest_comes_along(tmp_path: Path) -> None:
    parts = {"input/hierarchies/age.csv": "20;a;*\n21;;*\n"}
    opened = anonymizer.open(write_project(tmp_path / "clinic.deid", parts=parts))
    assert set(opened.project.hierarchies) == {"zip"}
    assert any("the hierarchy of “age”" in note for note in opened.notes)


def test_another_archive_with_the_ending_is_refused(tmp_path: Path) -> None:
    path = write_project(tmp_path / "clinic.deid")
    text = tmp_path / "text.deid"
    text.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UnreadableFile):
        anonymizer.open(text)
    assert anonymizer.open(path).files
