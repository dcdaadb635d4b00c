"""From questions to estimates: collections that prove themselves, reports that count or are listed, estimates."""

import csv
import itertools
import json
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.design import compare_sharing, frequency_protocol, mean_protocol
from anonymizer_gui.engine.dp.local.estimation import (
    forge_reports,
    max_gain,
    max_loss,
    poison_counts,
    project_to_counts,
)
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.survey.collection import (
    Collection,
    Question,
    collection_from_json,
    html_form,
    protocol_document,
)
from anonymizer_gui.engine.rooms.survey.cost_preview import ALONG, levels_of, preview_protocols
from anonymizer_gui.engine.rooms.survey.estimates import estimate_questions
from anonymizer_gui.engine.rooms.survey.independent.recount import (
    product_ratio,
    ratio_of,
    report_probabilities,
    reports_in,
    support_of,
)
from anonymizer_gui.engine.rooms.survey.project import TABLE, Project
from anonymizer_gui.engine.rooms.survey.reports import (
    Report,
    ReportFile,
    count_rejections,
    read_reports,
    report_lines,
    sift_reports,
)
from anonymizer_gui.engine.rooms.survey.run import perturb_answers
from anonymizer_gui.engine.rooms.survey.simulation import SimulationPlan, central_sd, simulate_column, simulate_counts
from anonymizer_gui.engine.storage.sources import Source

COLOURS = ("red", "green", "blue")
ALL = ("grr", "oue", "sue", "olh")


def survey(protocol: str = "grr", sharing: str = "split", epsilon: Fraction = Fraction(3)) -> Collection:
    """Give a survey with values and a number."""
    questions = (
        Question("colour", "Which colour?", COLOURS, protocol=protocol),
        Question("age", "How old?", low=0.0, high=100.0, protocol="piecewise"),
    )
    return Project(title="Colours", questions=questions, epsilon=epsilon, sharing=sharing).collection()


def reports_of(collection: Collection, n: int = 600) -> list[Report]:
    """Draw reports of people of whom half say red, and who are 40 on average."""
    places = {"colour": np.arange(n) % 4 % 3, "age": np.full(n, round(0.4 * (1 << 20)))}
    return list(perturb_answers(collection, places))


def write(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("protocol", ALL)
@pytest.mark.parametrize("sharing", ["split", "one"])
def test_what_was_asked_comes_back(protocol: str, sharing: str, tmp_path: Path) -> None:
    collection = survey(protocol, sharing)
    path = write(tmp_path / "reports.jsonl", report_lines(collection, reports_of(collection, 4000)))
    found = read_reports(path)
    assert found.collection == collection
    sifted = sift_reports(collection, found)
    assert (sifted.n, sifted.problems) == (4000, ())
    colour, age = estimate_questions(collection, sifted)
    share = 4000 / colour.n
    for cell, true in zip(colour.cells, (2000, 1000, 1000), strict=True):
        # Seven deviations are passed once in 10^11 times; who is asked which question is a lot with a deviation of 32.
        assert abs(cell.estimate * share - true) < 7 * cell.sd * share + 400 * (sharing == "one")
    assert abs(age.cells[0].estimate - 40) < 7 * age.sd
    assert colour.n + age.n == (8000 if sharing == "split" else 4000)


def test_the_whole_report_is_proven_and_two_questions_split_epsilon() -> None:
    split, one = survey(), survey(sharing="one")
    assert split.is_proven
    assert one.is_proven
    assert split.share == Fraction(3, 2)
    assert split.cost == pytest.approx(3.0, abs=1e-9)
    assert one.cost == pytest.approx(3.0, abs=1e-9)


def test_a_collection_comes_back_from_its_description_and_weaker_chances_are_refused() -> None:
    collection = survey("oue")
    entries = json.loads(json.dumps(collection.to_json()))
    assert collection_from_json(entries) == collection
    entries["questions"][0]["chances"]["other"] -= 1
    with pytest.raises(UnreadableFile, match="contradicts itself"):
        collection_from_json(entries)


@pytest.mark.parametrize("entry", ["format", "version", "epsilon", "sharing", "questions", "title", "intro"])
def test_every_wrong_entry_of_a_description_is_refused(entry: str) -> None:
    good = survey().to_json()
    for wrong in (None, 7, "wrong", [], {}, [1], "0"):
        if wrong != good[entry] and not (entry in ("title", "intro") and isinstance(wrong, str)):
            with pytest.raises(UnreadableFile):
                collection_from_json({**good, entry: wrong})


def test_every_change_of_a_survey_is_another_survey() -> None:
    base = survey()
    others = [survey("oue"), survey(sharing="one"), survey(epsilon=Fraction(2)), replace(base, title="x")]
    assert len({each.fingerprint for each in [base, *others]}) == 5


@pytest.mark.parametrize(
    ("values", "low", "high", "words"),
    [
        ((), 1.0, 1.0, "neither values nor bounds"),
        (("a", "a"), 0.0, 0.0, "same value twice"),
        (("a",), 0.0, 0.0, "No protocol"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(
    values: tuple[str, ...], low: float, high: float, words: str
) -> None:
    with pytest.raises(BadParameter, match=words):
        Project(questions=(Question("q", "", values, low, high),)).collection()


def test_reports_that_do_not_count_are_listed_with_place_and_reason(tmp_path: Path) -> None:
    collection = survey()
    good = reports_of(collection, 5)
    lines = list(report_lines(collection, good))
    twice, other = json.loads(lines[1]), json.loads(lines[2])
    clash = {**json.loads(lines[3]), "answers": {"colour": "0", "age": "1"}}
    lines += [
        "no json",
        json.dumps(twice),
        json.dumps(clash),
        json.dumps({**other, "survey": "0" * 16, "id": "1" * 32}),
        json.dumps({**other, "id": "2" * 32, "answers": {"colour": "3", "age": "1"}}),
        json.dumps({**other, "id": "3" * 32, "answers": {"colour": "0"}}),
        json.dumps({**other, "id": "4" * 31}),
        json.dumps({**other, "id": "5" * 32, "answers": {"colour": 0, "age": "1"}}),
        json.dumps({**other, "more": 1}),
        '{"survey": "a", "survey": "b", "id": "c", "answers": {}}',
    ]
    sifted = sift_reports(collection, read_reports(write(tmp_path / "r.jsonl", lines)))
    assert sifted.n == 5
    found = {problem.place: str(problem.sentence) for problem in sifted.problems}
    assert sorted(int(place.rpartition(":")[2]) for place in found) == list(range(7, 17))
    assert "counted already" in found["r.jsonl:8"]
    assert "id of another report" in found["r.jsonl:9"]
    assert "another survey" in found["r.jsonl:10"]
    assert "never sends" in found["r.jsonl:11"]
    assert "what was asked" in found["r.jsonl:12"]
    assert sum(count_rejections(sifted.problems).values()) == 10


def test_a_broken_description_among_the_reports_is_listed_and_the_others_count(tmp_path: Path) -> None:
    collection = survey()
    good = reports_of(collection, 5)
    broken = {**collection.to_json(), "epsilon": "9"}
    lines = [*report_lines(collection, good), json.dumps(broken), json.dumps({"format": broken["format"]})]
    sifted = sift_reports(collection, read_reports(write(tmp_path / "r.jsonl", lines)))
    assert sifted.n == 5
    assert [problem.place for problem in sifted.problems] == ["r.jsonl:7", "r.jsonl:8"]
    assert "contradicts itself" in str(sifted.problems[0].sentence)


def test_a_folder_of_single_reports_and_a_table_count_the_same(tmp_path: Path) -> None:
    collection = survey(sharing="one")
    records = reports_of(collection, 40)
    folder = tmp_path / "folder"
    folder.mkdir()
    for record, line in zip(records, itertools.islice(report_lines(collection, records), 1, None), strict=True):
        (folder / f"report-{record.id[:8]}.json").write_text(line + "\n", encoding="utf-8")
    with (tmp_path / "r.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["survey", "id", "colour", "age"])
        rows.writerows([r.survey, r.id, r.answers.get("colour", ""), r.answers.get("age", "")] for r in records)
    one, other = (sift_reports(collection, read_reports(tmp_path / name)) for name in ("folder", "r.csv"))
    assert one.n == other.n == 40
    assert np.array_equal(np.sort(one.answers["colour"]), np.sort(other.answers["colour"]))
    (tmp_path / "r.csv").write_text("id,survey\n1,2\n", encoding="utf-8")
    assert "columns" in str(read_reports(tmp_path / "r.csv").problems[0].sentence)


def test_a_cell_without_end_is_listed_and_the_rows_behind_it_count(tmp_path: Path) -> None:
    collection = survey(sharing="one")
    rows = [f"{collection.fingerprint},{at * 32}," for at in "123"]
    lines = ["survey,id,colour,age", rows[0] + "1,", rows[1] + "1" * 200_000 + ",", rows[2] + "2,"]
    sifted = sift_reports(collection, read_reports(write(tmp_path / "r.csv", lines)))
    assert [record.id[0] for record in sifted.records] == ["1", "3"]
    assert [problem.place for problem in sifted.problems] == ["r.csv:3"]


@pytest.mark.parametrize("title", ["@SURVEY@", "@FINGERPRINT@ @LANGUAGE@"])
def test_a_title_that_looks_like_a_mark_of_the_form_stays_a_title(title: str) -> None:
    collection = replace(survey(), title=title)
    page = html_form(collection, "de")
    assert f"<title>{title}</title>" in page
    assert f'const fingerprint = "{collection.fingerprint}", first = "de"' in page
    assert json.loads(page.partition('id="survey">')[2].partition("</script>")[0]) == collection.to_json()


def test_a_folder_without_reports_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="holds no reports"):
        read_reports(tmp_path)


def test_without_a_report_that_counts_nothing_is_estimated(tmp_path: Path) -> None:
    collection = survey()
    with pytest.raises(Infeasible, match="No report that counts"):
        estimate_questions(
            collection,
            sift_reports(collection, read_reports(write(tmp_path / "r.jsonl", report_lines(collection, [])))),
        )


def test_a_table_with_an_answer_outside_of_the_domain_is_refused_without_naming_it() -> None:
    table = Table.from_rows(("colour",), [["red"], ["SECRET"]])
    project = Project(questions=(Question("colour", values=COLOURS),))
    with pytest.raises(BadParameter, match="1 answer") as caught:
        room_of("survey").run(project, {TABLE: table}, SILENT)
    assert "SECRET" not in str(caught.value)


def test_a_survey_begins_with_a_table_and_goes_on_with_reports(tmp_path: Path) -> None:
    room = room_of("survey")
    write(tmp_path / "t.csv", ["name,colour", *(f"p{i},{COLOURS[i % 3]}" for i in range(60))])
    read = room.read(TABLE, Source(str(tmp_path / "t.csv")), SILENT)
    begun = room.begin(read.source, read.data, SILENT)
    assert begun.project.questions[0].name == "colour"
    assert begun.notes
    collection = survey()
    path = write(tmp_path / "r.jsonl", report_lines(collection, reports_of(collection, 50)))
    assert room.accepts(path, path.read_bytes()) > 0.9
    came = room.read(TABLE, Source(str(path)), SILENT)
    project = room.begin(came.source, came.data, SILENT).project
    assert project.collection() == collection
    release = room.run(project, {TABLE: came.data}, SILENT)
    assert release.n == 50
    assert not release.is_perturbed_here


@pytest.mark.parametrize("protocol", [*ALL, "rr", "rr-alpha", "rr-coins"])
def test_the_recount_finds_the_same_supports_and_the_same_proof(protocol: str, tmp_path: Path) -> None:
    values = ("yes", "no") if protocol.startswith("rr") else tuple(f"v{i}" for i in range(11))
    question = Question("q", values=values, protocol=protocol)
    collection = Project(questions=(question,), epsilon=Fraction(2)).collection()
    records = list(perturb_answers(collection, {"q": np.arange(300) % len(values)}))
    text = "\n".join(report_lines(collection, records))
    sifted = sift_reports(collection, read_reports(write(tmp_path / "r.jsonl", text.splitlines())))
    result = estimate_questions(collection, sifted)[0]
    entry = collection.to_json()["questions"][0]
    assert support_of(entry, reports_in(text)) == {cell.value: cell.support for cell in result.cells}
    assert product_ratio([ratio_of(protocol, entry["chances"])], "split") == collection.ratio
    made = frequency_protocol(protocol, len(values), Fraction(2))
    assert report_probabilities(protocol, entry["chances"]) == (
        pytest.approx(float(made.p)),
        pytest.approx(float(made.q), abs=1e-8),
    )


def test_negative_estimates_stay_and_the_consistent_ones_add_up() -> None:
    estimates = np.array([-30.0, 50.0, 90.0])
    near = project_to_counts(estimates, 100)
    assert near.min() >= 0
    assert near.sum() == pytest.approx(100)
    assert near.tolist() == [0.0, 30.0, 70.0]
    collection = survey("oue", epsilon=Fraction(1, 10))
    collected = ReportFile(None, tuple(reports_of(collection, 200)))
    counted = estimate_questions(collection, sift_reports(collection, collected))[0]
    assert sum(cell.consistent for cell in counted.cells) == pytest.approx(counted.n)


@pytest.mark.parametrize("protocol", ALL)
def test_made_up_reports_reach_the_bound_and_never_more(protocol: str) -> None:
    made, n = frequency_protocol(protocol, 8, Fraction(1)), 1000
    support = made.support(made.perturb(np.zeros(n, dtype=np.int64)))
    found = poison_counts(made, support, n, 3, 50)
    assert found.after - found.before == pytest.approx(found.bound)
    assert found.bound == pytest.approx(50 * max_gain(made))
    assert found.bound > 50
    pushed = made.support(forge_reports(made, 3, 50))
    assert pushed[3] == 50
    assert max_loss(made) == pytest.approx(float(made.q / (made.p - made.q)))


def test_splitting_a_budget_and_asking_one_question_each_have_the_errors_told() -> None:
    ways = compare_sharing([("a", "grr", 4), ("b", "oue", 64)], Fraction(1), 10_000, 2)
    for each, (name, size) in zip(ways, (("grr", 4), ("oue", 64)), strict=True):
        half, full = frequency_protocol(name, size, Fraction(1, 2)), frequency_protocol(name, size, Fraction(1))
        assert each.split == pytest.approx((half.variance() / 10_000) ** 0.5)
        assert each.one == pytest.approx((full.variance() / 5_000) ** 0.5)
        assert each.one < each.split
    numbers = (Question("q", values=COLOURS), Question("age", low=0.0, high=9.0, protocol="duchi"), Question("none"))
    seen = preview_protocols(Project(questions=numbers, epsilon=Fraction(3), answers=900), 1, "epsilon").sharing
    assert [(each.name, each.is_mean) for each in seen] == [("q", False), ("age", True)]
    assert seen[1].split == pytest.approx((mean_protocol("duchi", Fraction(1)).variance(0.5) / 900) ** 0.5)
    assert seen[1].one == pytest.approx((mean_protocol("duchi", Fraction(3)).variance(0.5) / 300) ** 0.5)


@pytest.mark.parametrize("along", ALONG)
def test_an_outlook_compares_proves_and_draws_curves(along: str) -> None:
    project = Project(questions=(Question("q", values=COLOURS), Question("r", values=tuple("abcdefgh"))), answers=500)
    seen = preview_protocols(project, 1, along)
    assert seen.design is not None
    assert seen.curves is not None
    assert (seen.size, len(seen.sharing)) == (8, 2)
    assert all(len(points) > 5 for points in seen.curves.values())
    errors = [y for _, y in seen.curves["oue"]]
    assert errors == sorted(errors, reverse=True) or along == "values"
    assert seen.needed > 1000
    broken = preview_protocols(Project(questions=(Question("q"),)), 0, along)
    assert broken.problem is not None


def test_values_of_every_level_of_a_hierarchy_can_be_asked() -> None:
    tree = Hierarchy.from_nested({"*": {"warm": ["red", "orange"], "cold": ["blue", "green"]}})
    assert levels_of(tree) == (("red", "orange", "blue", "green"), ("warm", "cold"))


def test_eighty_and_twenty_are_played_through_two_coins() -> None:
    table = Table.from_rows(("answer",), [["yes" if i % 5 else "no"] for i in range(100)])
    played = simulate_column(SimulationPlan("answer", "rr-coins", Fraction(11, 10), 400, seed=3), table)
    assert played.values == ("no", "yes")
    assert played.simulation.told.tolist() == pytest.approx([35, 65], abs=1.5)
    assert played.simulation.estimates.mean(axis=0).tolist() == pytest.approx([20, 80], abs=3)
    assert played.simulation.ratio == pytest.approx(1.0, abs=0.25)
    assert all(local > central for n, local, central in played.against if n > 100)
    with pytest.raises(BadParameter, match="has 1 value"):
        simulate_column(SimulationPlan("answer"), Table.from_rows(("answer",), [["yes"]]))


def test_simulations_repeat_by_their_seed_and_reports_never_do() -> None:
    protocol, true = frequency_protocol("oue", 4, Fraction(1)), np.array([50, 30, 20, 0])
    one, same, other = (simulate_counts(protocol, true, 5, seed).estimates for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    collection = survey("oue")
    first, second = reports_of(collection, 50), reports_of(collection, 50)
    assert [record.answers for record in first] != [record.answers for record in second]
    assert not {record.id for record in first} & {record.id for record in second}


def test_noise_added_once_has_the_spread_of_discrete_laplace() -> None:
    a = np.exp(-0.5)
    steps = np.arange(-400, 401)
    chances = (1 - a) / (1 + a) * a ** np.abs(steps)
    assert central_sd(Fraction(1)) == pytest.approx(float(np.sqrt((chances * steps**2).sum())))


def test_the_protocol_in_writing_tells_every_number_a_client_needs() -> None:
    collection = survey("olh")
    text = protocol_document(collection)
    for question in collection.to_json()["questions"]:
        assert all(str(number) in text for number in question["chances"].values())
        assert all(value in text for value in question.get("values", []))
    assert collection.fingerprint in text
    assert f"{collection.ratio.numerator} / {collection.ratio.denominator}" in text


def test_a_number_is_asked_for_a_histogram_of_ranges(tmp_path: Path) -> None:
    question = Question("age", "How old?", low=0.0, high=100.0, bins=4)
    assert question.domain == ("0–25", "25–50", "50–75", "75–100")
    assert question.places(["0", "24.9", "25", "99", "100"]).tolist() == [0, 0, 1, 3, 3]
    collection = Project(questions=(question,), epsilon=Fraction(5)).collection()
    assert collection_from_json(json.loads(json.dumps(collection.to_json()))) == collection
    entries = collection.to_json()
    with pytest.raises(UnreadableFile):
        collection_from_json({**entries, "questions": [{**entries["questions"][0], "bins": 5}]})
    records = list(perturb_answers(collection, {"age": question.places([str(i % 50) for i in range(1000)])}))
    sifted = sift_reports(collection, read_reports(write(tmp_path / "r.jsonl", report_lines(collection, records))))
    cells = estimate_questions(collection, sifted)[0].cells
    for cell, true in zip(cells, (500, 500, 0, 0), strict=True):
        # Seven lies are told about a value nobody has; more than thirty once in 10^11 times.
        assert abs(cell.estimate - true) < 9 * cell.sd + 1
    with pytest.raises(BadParameter, match="1 answer"):
        question.places(["101"])


def test_a_project_with_reports_and_no_table_runs_and_verifies(tmp_path: Path) -> None:
    collection = survey()
    path = write(tmp_path / "r.jsonl", report_lines(collection, reports_of(collection, 300)))
    read = room_of("survey").read("reports", Source(str(path)), SILENT)
    project = Project(
        name="s", reports=read.source, title="Colours", questions=collection.questions, epsilon=Fraction(3)
    )
    save_project(project, tmp_path / "s.anon")
    assert main(["run", str(tmp_path / "s.anon"), "-o", str(tmp_path / "out.json")]) == 0
    assert main(["verify", str(tmp_path / "out.json")]) == 0
    told = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [question["n"] for question in told["questions"]] == [300, 300]
    save_project(replace(project, reports=None), tmp_path / "s.anon")
    assert main(["run", str(tmp_path / "s.anon"), "-o", str(tmp_path / "out.json")]) == 2
