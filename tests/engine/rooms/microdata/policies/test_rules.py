"""Every rule says met and missing where it should, from cells, roles and numbers alone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import ColumnType, Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import RULES, PolicyColumn, PolicyView
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import judge_policy, read_rule_set, rule_set_from_entries
from anonymizer_gui.engine.rooms.microdata.policies.safe_harbor import (
    KINDS,
    AgesInOneGroup,
    DatesToTheYear,
    NoCodes,
    NoIdentifier,
    NoSmallPlaces,
    PostalAreas,
    built_in,
    is_year_at_most,
    number_range,
    postal_area,
    read_areas,
    with_areas,
)

YEAR = 2026
NUMBERS = {
    "rows": 100,
    "k": 12,
    "emptied": 3,
    "per_sensitive": {"disease": {"l": {"distinct": 2}, "t": {}}},
    "largest_share": {"disease": 0.7},
    "risk": {"highest": 1 / 12, "average": 0.05, "unique_rows": 0},
    "goals": [{"model": "k", "parameters": {"k": 5}, "holds": True, "value": 12}],
}


def column(
    name: str, *cells: str, role: Role = Role.QI, kind: ColumnType = ColumnType.TEXT, way: str = ""
) -> PolicyColumn:
    return PolicyColumn(name, role, kind, dict.fromkeys(cells, 3), way)


def shown(*columns: PolicyColumn, **changes: Json) -> PolicyView:
    return PolicyView(columns, {**NUMBERS, **changes}, {"age": 2}, 110, False, YEAR)


@pytest.mark.parametrize(
    "cell", ["35", "89", "85-89", "90+", ">89", "≥ 90", "[90, 120]", "90-120", "*", "old", "60-99"]
)
def test_ages_up_to_89_and_one_group_above_are_met(cell: str) -> None:
    assert AgesInOneGroup().judge(shown(column("age", cell))).holds


@pytest.mark.parametrize("cell", ["90", "93", "90-94", "[95, 99]", "9*", ">= 95", "104"])
def test_an_age_over_89_that_is_told_is_missing(cell: str) -> None:
    assert not AgesInOneGroup().judge(shown(column("patientAge", cell))).holds


@pytest.mark.parametrize(
    ("top", "cells", "holds"),
    [
        ("90", ("35", "90"), True),
        ("90", ("90", "93"), False),
        ("95", ("95",), False),
        ("", ("90",), False),
        ("80", ("80", "90"), False),
    ],
)
def test_a_plain_90_is_met_only_where_a_step_wrote_all_older_as_it(
    top: str, cells: tuple[str, ...], holds: bool
) -> None:
    ages = replace(column("age", *cells), top=top)
    assert AgesInOneGroup().judge(shown(ages)).holds is holds


@pytest.mark.parametrize(
    ("cell", "holds"), [("1937", True), ("1936", False), ("1930-1936", False), ("<1937", True), ("<1930", False)]
)
def test_years_of_birth_tell_ages_too(cell: str, holds: bool) -> None:
    assert AgesInOneGroup().judge(shown(column("birth_year", cell))).holds is holds


@pytest.mark.parametrize("cell", ["2024-03-05", "2024-03", "03/2024", "5.3.2024", "Mar 2024", "2024-Q1", "20240305"])
def test_a_date_finer_than_the_year_is_missing(cell: str) -> None:
    assert not DatesToTheYear().judge(shown(column("admission", cell))).holds
    assert not DatesToTheYear().judge(shown(column("x", cell, kind=ColumnType.DATE))).holds


def test_dates_are_found_by_their_cells_under_any_head() -> None:
    assert not DatesToTheYear().judge(shown(column("x7", "2024-03-05", "2023-01-02"))).holds
    assert DatesToTheYear(agreed=("x7",)).judge(shown(column("x7", "2024-03-05"))).holds
    assert DatesToTheYear().judge(shown(column("visits", "3", "4"))).holds


@pytest.mark.parametrize("cell", ["2024", "2020-2024", "202*", "1990s", "before 1980", "*"])
def test_years_are_met(cell: str) -> None:
    assert DatesToTheYear().judge(shown(column("date of birth", cell))).holds


@pytest.mark.parametrize(
    ("cell", "holds"),
    [
        ("021**", True),
        ("02100-02199", True),
        ("036**", False),
        ("999**", False),
        ("02139", False),
        ("0****", True),
        ("000", True),
        ("*", True),
        ("{02139, 02140}", False),
    ],
)
def test_three_digits_are_met_only_where_enough_people_live(cell: str, holds: bool) -> None:
    rule = PostalAreas(populations=(("021", 20_001.0), ("036", 20_000.0)))
    assert rule.judge(shown(column("zip", cell))).holds is holds


def test_without_a_table_of_areas_no_three_digits_pass() -> None:
    answer = PostalAreas().judge(shown(column("plz", "021**")))
    assert not answer.holds
    assert "No table says" in answer.sentence


def test_a_place_below_the_state_is_missing() -> None:
    assert NoSmallPlaces().judge(shown(column("city", "Texas", "NY", "*"))).holds
    assert not NoSmallPlaces().judge(shown(column("county", "Suffolk"))).holds
    assert NoSmallPlaces(agreed=("county",)).judge(shown(column("county", "Suffolk"))).holds


HEADS = {
    "names": "Last Name", "telephone": "mobile", "fax": "fax", "e-mail": "E-Mail", "social-security": "ssn",
    "medical-record": "MRN", "health-plan": "member_id", "account": "iban", "licence": "passport", "vehicle": "VIN",
    "device": "serialNumber", "web": "URL", "internet": "ip address", "biometric": "fingerprint", "photo": "Portrait",
    "other": "employee id",
}  # fmt: skip
CELLS = {
    "telephone": "call (617) 555-0100", "e-mail": "x@y.org", "social-security": "123-45-6789", "web": "www.me.org",
    "account": "DE89 3704 0044 0532 0130 00", "internet": "10.0.0.7", "other": "123e4567-e89b-12d3-a456-426614174000",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_identifier_is_found_by_its_head(kind: str) -> None:
    assert not NoIdentifier(kind).judge(shown(column(HEADS[kind], "x"))).holds
    assert NoIdentifier(kind).judge(shown(column("disease", "flu"))).holds
    assert NoIdentifier(kind).judge(shown(PolicyColumn(HEADS[kind], Role.EI, ColumnType.TEXT, None))).holds


@pytest.mark.parametrize("kind", CELLS)
def test_some_kinds_are_found_by_their_cells(kind: str) -> None:
    assert not NoIdentifier(kind).judge(shown(column("note", "flu", CELLS[kind]))).holds


def test_a_column_of_values_of_their_own_is_a_unique_characteristic() -> None:
    amounts = dict.fromkeys([f"{i}.17" for i in range(40)], 1)
    free = PolicyColumn("charge", Role.SA, ColumnType.DECIMAL, amounts)
    assert not NoIdentifier("other").judge(shown(free)).holds
    assert NoIdentifier("other", agreed=("charge",)).judge(shown(free)).holds


def test_codes_made_of_an_identifier_are_missing() -> None:
    keyed, counted = column("name", "a1", way="keyed"), column("name", "17", way="numbered")
    assert not NoCodes("not-derived").judge(shown(keyed)).holds
    assert NoCodes("not-derived").judge(shown(counted)).holds
    assert not NoCodes("none").judge(shown(counted)).holds
    assert NoCodes("not-linkable").judge(shown(keyed)).holds


def rules_met(*rules: tuple[str, Json], **changes: Json) -> list[bool]:
    policy = rule_set_from_entries(
        {"policy": "ours", "rules": [{"name": name, "parameters": given} for name, given in rules]}
    )
    seen = shown(
        column("age", "3"), column("disease", "flu", role=Role.SA), column("ward", "A", role=Role.OTHER), **changes
    )
    return [answer.holds for answer in judge_policy(policy, seen).answers]


def test_rules_about_numbers_roles_hierarchies_and_goals() -> None:
    assert rules_met(("smallest-class", {"k": 12}), ("smallest-class", {"k": 13})) == [True, False]
    assert rules_met(("different-values", {"l": 2}), ("different-values", {"l": 3})) == [True, False]
    assert rules_met(("different-values", {"l": 2, "column": "age"})) == [False]
    assert rules_met(("one-value-share", {"share": 0.7}), ("one-value-share", {"share": 0.69})) == [True, False]
    assert rules_met(("picked-out", {}), ("picked-out", {"highest": 0.08})) == [True, False]
    assert rules_met(("goal", {"goal": "k"}), ("goal", {"goal": "t"})) == [True, False]
    assert rules_met(("hierarchies", {"levels": 2}), ("hierarchies", {"levels": 3})) == [True, False]
    assert rules_met(("left-out", {"share": 0.12}), ("left-out", {"share": 0.11})) == [True, False]
    assert rules_met(("role", {"columns": ["age"], "role": "QI"}), ("role", {"columns": ["age"], "role": "EI"})) == [
        True,
        False,
    ]
    assert rules_met(("no-undecided", {}), ("no-undecided", {"agreed": ["ward"]})) == [False, True]
    assert rules_met(("no-undecided", {"agreed": ["ward"], "protected": True})) == [False]
    assert rules_met(("smallest-class", {"k": 1}), rows=0, k=0) == [False]


def test_a_policy_without_rules_cannot_be_passed() -> None:
    assert not judge_policy(rule_set_from_entries({"policy": "nothing"}), shown()).passes


def test_safe_harbor_lists_all_eighteen_kinds() -> None:
    rules = built_in("safe-harbor").rules
    kinds = [rule.kind for rule in rules if isinstance(rule, NoIdentifier)]
    assert len(kinds) == len(set(kinds)) == 16  # places and dates make the other two
    assert {type(rule).name for rule in rules} >= {"places", "postal-areas", "dates", "ages", "codes"}


def test_a_policy_is_the_same_after_a_walk_through_its_file(tmp_path: Path) -> None:
    policy = with_areas(built_in("safe-harbor"), {"021": 700_000})
    path = tmp_path / "ours.json"
    path.write_text(json.dumps({"format": "anonymizer policy", **policy.to_json()}), encoding="utf-8")
    assert read_rule_set(path).to_json() == policy.to_json()


def test_a_policy_may_be_written_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        'format = "anonymizer policy"\npolicy = "Ours"\n[[rules]]\nname = "smallest-class"\nparameters = { k = 7 }\n'
    )
    assert [rule.demand() for rule in read_rule_set(path).rules] == ["No class smaller than 7"]


HEAD: dict[str, Json] = {"format": "anonymizer policy", "policy": "a"}
GOAL = [{"name": "goal"}]
WRONG: dict[str, Json] = {
    "a list": [],
    "another format": {"format": "x", "policy": "a", "rules": []},
    "no rules": HEAD,
    "an unknown rule": {**HEAD, "rules": [{"name": "x"}]},
    "an unknown entry": {**HEAD, "rules": [], "code": "x"},
    "a wrong limit": {**HEAD, "rules": [{"name": "smallest-class", "parameters": {"k": 0}}]},
    "an unknown parameter": {**HEAD, "rules": [{"name": "smallest-class", "parameters": {"z": 1}}]},
    "too many rules": {**HEAD, "rules": GOAL * 201},
    "a long title": {**HEAD, "policy": "a" * 601, "rules": GOAL},
    "a title of lines": {**HEAD, "policy": "a\nb", "rules": GOAL},
    "a title that is a number": {**HEAD, "policy": 3, "rules": GOAL},
    "rules that are none": {**HEAD, "rules": [3]},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_is_no_policy_is_refused_in_one_sentence(what: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(WRONG[what]), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="cannot be used as a policy") as caught:
        read_rule_set(path)
    assert caught.value.message.endswith(".")
    assert not caught.value.message.endswith("..")
    assert caught.value.hint


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b'{"format": 1, "format": 2}', b"[" * 100_000, b"{} " * 400_000]
)
@pytest.mark.parametrize("suffix", [".json", ".toml", ".txt"])
def test_damaged_files_are_refused(content: bytes, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"bad{suffix}"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile):
        read_rule_set(path)


def test_a_goal_that_does_not_exist_is_refused_with_those_that_do(tmp_path: Path) -> None:
    rules = [{"name": "goal", "parameters": {"goal": "t-closness"}}]
    path = tmp_path / "house.json"
    path.write_text(json.dumps({"format": "anonymizer policy", "policy": "House", "rules": rules}), encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"no goal “t-closness”; there are: .*k, .*\bt\b"):
        read_rule_set(path)


def test_areas_are_added_up_by_three_digits(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('zip,people\n02139,"10,000"\n02140,10001\n36,5\n', encoding="utf-8")
    assert read_areas(tmp_path / "a.csv") == {"021": 20_001, "036": 5}
    for wrong in ("zip\n02139\n", "zip,people\nBoston,3\n", "zip,people\n02139,many\n"):
        (tmp_path / "b.csv").write_text(wrong, encoding="utf-8")
        with pytest.raises(AnonymizerError, match="no table of areas"):
            read_areas(tmp_path / "b.csv")


@pytest.mark.parametrize("rule", list(RULES), ids=lambda rule: rule.name)
def test_every_rule_says_something_about_an_empty_release(rule: type) -> None:
    answer = rule().judge(PolicyView((), {**NUMBERS, "rows": 0, "k": 0, "per_sensitive": {}, "largest_share": {}}))
    assert answer.sentence
    assert rule().demand()


def test_cells_are_read_from_their_texts() -> None:
    assert number_range("20-24") == (20, 24)
    assert number_range("unknown") is None
    assert postal_area("02139-1234") is None
    assert not is_year_at_most("1984-01-01")
