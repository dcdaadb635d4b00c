"""Entries of the certificate, and the report made of them."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.tables.table import Column, Role
from anonymizer_gui.engine.hierarchy.coverage import domain_of, place_cells
from anonymizer_gui.engine.room import Bars, Pairs, Rows, Section, Sentences
from anonymizer_gui.engine.rooms.graphs.published_graph import GRAPHML, as_written, companion_path
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import TITLES


def certificate_entries(release: Release, path: Path) -> dict[str, Json]:
    """Write down how the files are to be read, and how they were made."""
    project, published = release.project, release.published
    is_one = path.suffix.lower() == GRAPHML
    parts = {} if is_one else {"nodes": companion_path(path, "nodes").name}
    parts |= {"sample": companion_path(path, "sample").name} if published.sample else {}
    return {
        "written": {
            "is_grouped": published.is_grouped,
            "is_directed": published.is_directed,
            "parts": parts,
            "known": list(project.columns(Role.QI)),
            "label": next(iter(project.columns(Role.SA)), ""),
        },
        "source": {"file": Path(project.source.path).name if project.source else ""},
        "columns": [{"name": column.name, "role": column.role.value} for column in project.schema.columns],
        "recipe": {
            "algorithm": project.algorithm.name,
            "title": project.algorithm.title,
            "parameters": params_json(project.algorithm),
            "protects": project.algorithm.protects,
            "k": project.k,
            "l": project.l,
            "rows": None if project.rows is None else project.rows.title,
            "sample": project.sample,
        },
        "notes": list(release.notes),
    }


def inside_of(release: Release, path: Path) -> dict[str, Json]:
    """Write down what is confidential: the numbers of the original graph, and what each published cell has lost."""
    return {
        "measured": release.numbers(),
        "seed": release.project.seed,
        "loss_of_cells": loss_of_cells(release, path),
    }


def loss_of_cells(release: Release, path: Path) -> dict[str, dict[str, float]]:
    """Give the loss of every published label by column, both as written, so that LM can be counted from the file."""
    losses, project = {}, release.project
    for at, name in enumerate(project.columns(Role.QI), start=1):
        entry = project.schema.column(name)
        column = Column.from_texts(name, [row[at] for row in release.published.nodes])
        original = Column.from_texts(name, release.people.cells[name])
        domain = domain_of(column, original, project.hierarchies.get(name), entry)
        if domain is not None:
            texts = [as_written(label, path) for label in column.labels]
            losses[as_written(name, path)] = dict(
                zip(texts, place_cells(column, domain, entry).loss.tolist(), strict=True)
            )
    return losses


_MEANING = {
    "h1": "Whoever knows how many ties a person has finds at least k people who fit; who knows more may find fewer.",
    "all": "Only groups of people were published. Whatever is known of a person's ties, everybody in the group fits.",
}

_NOT_PROTECTED = (
    "A tie between two people who can be told is seen by everybody.",
    "Ties that were added are often told from real ones by how unlikely they are.",
    "People of the graph who know their own ties, alone or together, know more than an outsider.",
)


def report_sections(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    numbers, recipe = told["numbers"], told["recipe"]
    return [
        Section("Result", (Pairs(_result(told)),)),
        Section("What this means", (Sentences((_MEANING[recipe["protects"]],)),)),
        Section("What is not protected", (Sentences(_NOT_PROTECTED),)),
        Section("People who stand out alone", (Bars({TITLES[d]: s for d, s in numbers["unique"].items()}, 1.0),)),
        Section("Columns", (Rows(("Column", "Role"), tuple((c["name"], c["role"]) for c in told["columns"])),)),
        Section("Notes", (Sentences(tuple(told["notes"]) or ("None.",)),)),
    ]


def _result(told: Mapping[str, Json]) -> dict[str, Json]:
    numbers, recipe = told["numbers"], told["recipe"]
    return {
        "People": numbers["nodes"],
        "Ties": numbers["edges"],
        "Smallest set of people who fit": numbers["smallest_class"],
        "Share of ties that are certain": numbers["certain_edges"],
        "Loss of the quasi-identifiers (LM)": numbers["lm"],
        "Algorithm": recipe["title"],
        "k": recipe["k"],
        "l": recipe["l"],
        "Source": told["source"]["file"],
        "SHA-256 of the release": told["release"]["sha256"],
    }
