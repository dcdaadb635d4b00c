#!/usr/bin/env python3
"""Makes the sample tables and their hierarchies anew, byte for byte the same each time.

python resources/samples/make_samples.py [FOLDER]
"""

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from census import census_hierarchies, census_table
from coins import coins_table
from hospital import hospital_hierarchies, hospital_table
from lecture import RELEASED, lecture_hierarchies, lecture_table
from market import FOUR, aspirin_table, market_baskets
from pharmacy import pharmacy_hierarchies, pharmacy_table
from practice import practice_hierarchies, practice_table
from students import students, two_hospitals
from town import town_roads, town_walks
from village import village_hierarchies, village_people, village_ties

Table = dict[str, list[str]]
Rows = Iterable[Sequence[str]]


def main(folder: Path) -> None:
    """Write every sample below the folder."""
    hospital, census = hospital_table(), census_table()
    _write_table(folder / "hospital.csv", hospital)
    _write_table(folder / "census.csv", census)
    _write_table(folder / "lecture.csv", lecture_table())
    _write_table(folder / "lecture_release.csv", RELEASED)
    _write_table(folder / "practice.csv", practice_table())
    _write_table(folder / "pharmacy.csv", pharmacy_table())
    _write_table(folder / "coins.csv", coins_table())
    _write_table(folder / "village.csv", village_ties())
    _write_table(folder / "village_people.csv", village_people())
    _write_table(folder / "town.csv", town_walks())
    (folder / "town_roads.geojson").write_text(town_roads(), encoding="utf-8", newline="")
    _write_table(folder / "aspirin.csv", aspirin_table())
    _write_rows(folder / "market.basket", market_baskets(), ",")
    _write_rows(folder / "four_customers.basket", FOUR, ",")
    (folder / "students.json").write_text(json.dumps(students(), indent=1) + "\n", encoding="utf-8", newline="\n")
    (folder / "two_hospitals.xml").write_text(two_hospitals(), encoding="utf-8", newline="\n")
    _write_hierarchies(folder / "hospital_hierarchies", hospital_hierarchies(hospital))
    _write_hierarchies(folder / "census_hierarchies", census_hierarchies(census))
    _write_hierarchies(folder / "lecture_hierarchies", lecture_hierarchies())
    _write_hierarchies(folder / "practice_hierarchies", practice_hierarchies())
    _write_hierarchies(folder / "pharmacy_hierarchies", pharmacy_hierarchies())
    _write_hierarchies(folder / "village_hierarchies", village_hierarchies())


def _write_table(path: Path, table: Table) -> None:
    rows = [list(table), *zip(*table.values(), strict=True)]
    _write_rows(path, rows, ",")


def _write_hierarchies(folder: Path, hierarchies: dict[str, Rows]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for column, rows in hierarchies.items():
        _write_rows(folder / f"{column}.csv", rows, ";")


def _write_rows(path: Path, rows: Rows, delimiter: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
