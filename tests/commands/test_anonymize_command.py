"""`anonymizer-gui anonymize` and `list`: the walk without a window."""

import json
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.io import read_table
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.storage.sources import Source

CITIES = "*\n\tNorth\n\t\tKiel\n\t\tBremen\n\tSouth\n\t\tUlm\n\t\tPassau\n"
ROWS = [
    "name,city,sex,illness",
    "Ann,Kiel,f,flu",
    "Bob,Bremen,m,acne",
    "Cid,Ulm,m,flu",
    "Dan,Passau,m,acne",
    "Eve,Kiel,f,acne",
    "Fay,Bremen,m,flu",
]
KEYS = {
    "rows", "people", "suppressed", "emptied", "classes", "k", "l", "t", "largest_share", "lm", "lm_total", "md",
    "algorithm", "parameters", "seconds", "read",
}  # fmt: skip


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    """Write a table and a hierarchy; give the call that anonymizes them."""
    (tmp_path / "people.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    (tmp_path / "city.txt").write_text(CITIES, encoding="utf-8")
    roles = ["--qi", "city,sex", "--sa", "illness", "--ei", "name", "--hierarchies", str(tmp_path)]
    return ["anonymize", str(tmp_path / "people.csv"), *roles, "-o", str(tmp_path / "out.csv")]


def test_the_release_is_written_and_told_as_one_json_object(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, "--k", "2", "--l", "2", "--algorithm", "bottom-up", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == KEYS
    assert (told["rows"], told["suppressed"], told["k"], told["algorithm"]) == (6, 0, 2, "bottom-up")
    assert set(told["l"]) >= {"distinct", "entropy", "recursive"}
    assert set(told["t"]) >= {"variational", "kl", "emd"}
    assert set(told["seconds"]) == {"read", "anonymize", "verify", "write"}
    published, _ = read_table(tmp_path / "out.csv")
    assert published.names == ("city", "sex", "illness")
    assert set(published.column("city").labels) <= {"North", "South", "*"}


def test_the_bound_of_the_loss_is_told_when_asked_for(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--k", "2", "--algorithm", "bottom-up", "--bound", "--json"]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert 0 < told["lm_bound"] <= told["lm"]
    assert f"less than LM {told['lm_bound']:.5f}" in printed.err


def test_a_readable_table_is_printed_without_json(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--k", "2", "--algorithm", "top-down"]) == 0
    assert "LM per record" in capsys.readouterr().out


def test_parameters_of_the_algorithm_are_options(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--algorithm", "top-down", "--reading", "full-domain", "--set", "empty-child=violates", "--json"]
    assert main([*call, "--k", "2", *options]) == 0
    told = json.loads(capsys.readouterr().out)["parameters"]
    assert (told["reading"], told["empty_child"]) == ("full-domain", "violates")


def test_levels_can_be_bounded_and_columns_weighted(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--highest", "city=1", "--lowest", "city=1", "--weights", "city=3", "--suppress", "0,5", "--json"]
    assert main([*call, "--k", "2", "--algorithm", "bottom-up", *options]) == 0
    # Level 1 of city costs 1/3 of its weight 3/4; sex stays as it is.
    assert json.loads(capsys.readouterr().out)["lm"] == pytest.approx(0.25)


def test_goals_that_cannot_be_reached_are_exit_1_with_the_way_out(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, "--k", "7", "--algorithm", "bottom-up"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "k = 6" in told.err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--algorithm", "bottom-up"],
        ["--k", "2", "--algorithm", "sideways"],
        ["--k", "2", "--algorithm", "bottom-up", "--reading", "local"],
        ["--k", "2", "--algorithm", "bottom-up", "--set", "stop"],
        ["--k", "2", "--algorithm", "bottom-up", "--suppress", "5"],
        ["--k", "2", "--algorithm", "bottom-up", "--weights", "city"],
        ["--k", "2", "--algorithm", "bottom-up", "--sa", "city"],
        ["--k", "2", "--algorithm", "bottom-up", "--qi", "town"],
    ],
    ids=" ".join,
)
def test_a_bad_call_is_exit_2_with_a_sentence(
    call: list[str], options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, *options]) == 2
    assert capsys.readouterr().err.strip().endswith(".")


def test_columns_without_a_role_and_hierarchy_are_mentioned(
    call: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    without_roles = [part for part in call if part not in {"--ei", "name"}]
    options = ["--agree", "name", "--k", "2", "--algorithm", "bottom-up"]
    assert main([*without_roles, *options]) == 0
    told = capsys.readouterr().err
    assert "Published unchanged, without a role: name." in told
    assert "There is no hierarchy for “sex”" in told


def test_columns_that_were_prepared_are_not_called_unchanged(
    call: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    without_roles = [part for part in call if part not in {"--ei", "name"}]
    options = ["--agree", "name", "--k", "2", "--algorithm", "bottom-up"]
    assert main([*without_roles, *options, "--prepare", "merge", "column=name"]) == 0
    told = capsys.readouterr().err
    assert "Published as prepared, without a role: name." in told
    assert "Published unchanged" not in told


def test_without_a_folder_it_is_said_that_values_go_to_the_star(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = [part for part in call if part not in {"--hierarchies", str(tmp_path)}]
    assert main([*bare, "--k", "2"]) == 0
    assert "There is no hierarchy for “city”, “sex”: values go to * directly" in capsys.readouterr().err


def test_what_the_checklist_warns_of_is_told_here_too(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "people.csv"
    rows = table.read_text(encoding="utf-8").replace("Eve", "Ann").replace("Fay", "Bob")
    table.write_text(rows, encoding="utf-8")
    assert main([*call, "--k", "2"]) == 0
    told = capsys.readouterr().err
    assert "Look again: Every sensitive column protected by a goal. No goal looks at “illness”" in told
    assert "Look again: People counted, not rows. “name” repeats: 6 rows are about 4 people" in told
    assert "Then the smallest class has 1 person." in told
    assert main([*call, "--k", "2", "--l", "2", "--person", "name"]) == 0
    assert "Look again" not in capsys.readouterr().err


def test_a_column_that_is_left_out_is_not_called_published(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "people.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join([lines[0] + ",ward", *(line + ",A" for line in lines[1:])]), encoding="utf-8")
    assert main([*call, "--k", "2", "--leave-out", "ward"]) == 0
    assert "ward" not in capsys.readouterr().err


def test_a_column_that_looks_like_an_identifier_stops_the_command_until_it_is_named(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_roles = [part for part in call if part not in {"--ei", "name"}]
    assert main([*without_roles, "--k", "2"]) == 2
    assert "“name” would be published unchanged" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()
    assert main([*without_roles, "--leave-out", "name", "--k", "2"]) == 0
    assert "name" not in (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("option", ["--weights", "--lowest", "--highest"])
def test_a_misspelt_column_is_refused(call: list[str], option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--k", "2", option, "citty=1"]) == 2
    assert "“citty”" in capsys.readouterr().err


def test_a_certificate_does_not_claim_an_agreement_nobody_gave(call: list[str], tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join([lines[0] + ",ward", *(line + ",A" for line in lines[1:])]), encoding="utf-8")
    assert main([*call, "--k", "2"]) == 0
    assert agreement(tmp_path) == [False]
    assert main([*call, "--k", "2", "--agree", "ward"]) == 0
    assert agreement(tmp_path) == [True]


def agreement(folder: Path) -> list[bool]:
    told = json.loads((folder / "out.csv.release.json").read_text(encoding="utf-8"))
    return [check["holds"] for check in told["checks"] if check["title"] == "Columns without a role agreed to"]


def test_everything_registered_is_listed_with_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) >= {
        "algorithms",
        "models",
        "metrics",
        "risks",
        "builders",
        "hierarchy-formats",
        "readers",
        "writers",
    }
    assert [entry["name"] for entry in told["algorithms"]] == ALGORITHMS.names()
    stop = next(entry for entry in told["algorithms"] if entry["name"] == "bottom-up")["parameters"][0]
    assert (stop["name"], stop["default"], stop["rule"]) == ("stop", "optimum", "one of optimum, first-level")


def test_one_sort_is_listed_for_reading(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "models"]) == 0
    told = capsys.readouterr().out
    assert "Smallest number of rows in a class." in told
    assert "bottom-up" not in told


def test_without_an_algorithm_the_best_of_several_is_taken(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--k", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["algorithm"] == "auto"


def test_a_project_begins_as_in_the_window(tmp_path: Path) -> None:
    table = tmp_path / "weights.csv"
    table.write_text("town;weight\n" + "".join(f"Kiel;{60 + i},5\n" for i in range(12)), encoding="utf-8")
    out = tmp_path / "out.csv"
    assert main(["anonymize", str(table), "--qi", "weight", "--k", "2", "-o", str(out)]) == 0
    told = json.loads(out.with_name("out.csv.release.json").read_text(encoding="utf-8"))
    begun = new_project(room_of("microdata"), Source(str(table))).project
    assert begun.schema.column("weight").format == ","
    kinds = [(column.name, column.type.value, column.format) for column in begun.schema.columns]
    assert [(column["name"], column["type"], column["format"]) for column in told["columns"]] == kinds


def test_the_certificate_names_the_population(call: list[str], tmp_path: Path) -> None:
    town = tmp_path / "town.csv"
    town.write_text("city,sex\n" + "Kiel,f\nKiel,m\nUlm,f\nUlm,m\n" * 9, encoding="utf-8")
    assert main([*call, "--k-map", "2", "--population", str(town), "--algorithm", "mondrian"]) == 0
    told = json.loads((tmp_path / "out.csv.release.json").read_text(encoding="utf-8"))
    assert told["population"] == {"file": "town.csv"}


def test_sets_and_places_are_protected_together_or_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{30 + at % 2},{54 + at % 3 / 100:.2f},9.25,{'tea;milk' if at % 2 else 'tea'}" for at in range(24)]
    (tmp_path / "people.csv").write_text("\n".join(["age,lat,lon,takes", *rows]) + "\n", encoding="utf-8")
    place = ["--prepare", "place", "latitude=lat", "longitude=lon", "into=home", "--type", "takes=set:;"]
    call = ["anonymize", str(tmp_path / "people.csv"), *place, "--qi", "age,home,takes", "--algorithm", "mondrian"]
    goal = ["--k-km", "3", "--k-km-rows", "6"]
    assert main([*call, *goal, "-o", str(tmp_path / "one.csv"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["exposed"] == {"rows": 0, "share": 0.0, "k": 3, "m": 2, "fewest": 12}
    assert main([*call, *goal, "--k-km-where", "apart", "-o", str(tmp_path / "two.csv")]) == 0
    assert (tmp_path / "two_sets.csv").read_text(encoding="utf-8").splitlines()[0] == "takes"
    assert main(["verify", str(tmp_path / "two.csv")]) == 0
    assert main([*call, "--k", "3", "-o", str(tmp_path / "three.csv")]) == 2
    assert "No goal protects the sets" in capsys.readouterr().err


HYBRID = [f"{30 + at % 2},{'tea;milk' if at % 5 else 'tea;rye'}" for at in range(40)]


@pytest.fixture
def hybrid(tmp_path: Path) -> list[str]:
    """Begin a call about a small table with sets."""
    (tmp_path / "people.csv").write_text("\n".join(["age,takes", *HYBRID]) + "\n", encoding="utf-8")
    call = ["anonymize", str(tmp_path / "people.csv"), "--type", "takes=set:;", "--qi", "age,takes"]
    return [*call, "--algorithm", "mondrian", "--k-km", "5", "--k-km-rows", "10", "-o", str(tmp_path / "out.csv")]


def test_ways_out_are_told_with_what_they_expose_and_lose(
    hybrid: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*hybrid, "--offers", "--json"]) == 0
    offers = json.loads(capsys.readouterr().out)["offers"]
    assert [(each["where"], each["m"], each["rows"]) for each in offers] == [
        ("classes", 2, 10), ("classes", 2, 20), ("classes", 2, 40), ("classes", 1, 10),
        ("apart", 2, 10), ("table", 2, 10),
    ]  # fmt: skip
    assert offers[0]["exposed"]["rows"] == 0
    assert offers[-1]["exposed"]["rows"] == 8, "four of each class take tea and rye"
    assert offers[0]["lm_sets"] > offers[2]["lm_sets"] == 0
    assert offers[2]["lm_classes"] > offers[0]["lm_classes"]
    assert main([*hybrid, "--offers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["way", "exposed", "LM", "of", "classes", "LM", "of", "sets"]
    assert lines[6].startswith("Each part alone: items in the whole table  8 (20.0%)")


def test_a_release_that_exposes_rows_points_to_the_ways_out(
    hybrid: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*hybrid, "--k-km-where", "table"]) == 1
    told = capsys.readouterr().err
    assert "--offers tells what larger classes" in told
    assert "8 rows are exposed" in told


def test_a_table_without_sets_has_nothing_to_offer(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--k", "2", "--offers"]) == 2
    assert "nothing to offer" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["takes", "takes=bag", "takes=set:x"])
def test_a_type_that_is_none_is_told(call: list[str], wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--k", "2", "--type", wrong]) == 2
    assert "--type" in capsys.readouterr().err or wrong.endswith(":x")
