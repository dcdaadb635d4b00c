"""Further entries of a certificate that follow from its release: columns, labels, summaries, settings of the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.contract import PERTURBED_SUFFIX
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, ColumnSchema, Role
from anonymizer_gui.engine.rooms.microdata.readers.labels_file import LABELS
from anonymizer_gui.engine.rooms.microdata.readers.summary import labels_told, summary_counted
from anonymizer_gui.engine.rooms.microdata.recount.layout import is_all_quoted, line_end_of
from anonymizer_gui.engine.rooms.microdata.told import (
    IN_HOUSEHOLD,
    STANDS_FOR,
    emptied_sentence,
    masked_way,
    suppression_sentence,
    unchanged_columns,
    way_of_leaving,
)
from anonymizer_gui.engine.rooms.microdata.verification.certified import Certified
from anonymizer_gui.engine.rooms.microdata.written import name_in_file

_TEXTS, _TABBED = (".csv", ".txt"), (".tsv", ".tab")


def expected_entries(release: Certified) -> dict[str, Any]:
    """Give what the file and the parameters of the certificate say of the other entries."""
    told = release.told
    expected: dict[str, Any] = {
        "levels": {name: _labels(release, name) for name in _quasi(release)},
        "nothing_left": {name: _nothing_left(release, name) for name in _quasi(release)},
        "untruthful": list(release.options.untruthful),
        "recipe": {"missing_token": release.options.missing, "escape_formulas": release.options.escape_formulas},
        "written": {"options": _options(release)},
    }
    if "apart" in told["written"]:
        named = str(told["written"]["apart"]["file"])
        expected["written"]["apart"] = {"file": named if named in told["release"]["others"] else ""}
    if not release.counts_people:
        expected["class_sizes"] = [list(each) for each in release.found.bins()]
    if release.table is not None:
        expected["summary"] = summary_counted(_of_table(release), release.project.schema, release.options)
    if not any(name in told["hierarchies"] for name in release.project.schema.names(Role.SA)):
        expected["sensitive_order"] = {}
    if not any(promise["parameters"].get("group") == "one" for promise in told["promises"]):
        expected["reference_groups"] = {}
    return expected | (_of_this_version(release) if release.is_current else {})


def other_columns(release: Certified) -> Iterator[Message]:
    """Tell the columns that are published although their role says otherwise, or the other way round."""
    roles = {entry.name: _is_published(release, entry) for entry in release.project.schema.columns}
    for name in (*roles, *(release.published - roles.keys())):
        if roles.get(name) != (name in release.published):
            yield message("The certificate contradicts itself: “{name}” is published, and it is not.", name=name)
    for name, _ in release.project.publishing.pseudonyms:
        if name not in release.project.schema.names(Role.EI):
            yield message("“{name}” has pseudonyms, but is no identifier.", name=name)


def taken_as_told(release: Certified) -> dict[str, str]:
    """Name the entries that no file can confirm, and what they are."""
    source = message("figures about the source and the population")
    trees = message("heights and levels of unpublished hierarchies")
    search = message("settings of the search that leave no trace in the release")
    ledger = message("comparisons with other releases in the ledger")
    return {
        **dict.fromkeys(("source", "population", "prepared", "masks"), source),
        **dict.fromkeys(("hierarchies", "levels", "sensitive_order", "nothing_left"), trees),
        **dict.fromkeys(("recipe", "tried", "made_by", "attacks", "numbers.md", "warnings"), search),
        **dict.fromkeys(("meetings", "ledger"), ledger),
        "columns": message("types and formats of the columns of the source"),
        **({"engine": message("the engine that wrote the release")} if "canonical" in release.told["written"] else {}),
        **({"summary": message("summaries of columns that need every cell")} if release.table is None else {}),
    }


def _of_this_version(release: Certified) -> dict[str, Any]:
    """Give the entries that other versions word otherwise or do not have."""
    told, found = release.told, release.found
    suppressed = suppression_sentence(
        told["numbers"]["suppressed"],
        told["source"]["rows"],
        told["recipe"]["suppression"],
        are_stars=not release.left_out,
    )
    expected: dict[str, Any] = {
        "suppression": join_messages(suppressed, emptied_sentence(found.emptied, found.rows)),
        "columns": [_column(release, entry) for entry in release.project.schema.columns],
        **_warnings(release),
        "recipe": {
            "missing_token": release.options.missing,
            "escape_formulas": release.options.escape_formulas,
            "labels_file": any(name.endswith(LABELS) for name in told["release"]["others"]),
        },
    }
    return expected | ({} if told["prepared"] else {"masks": {}})


def _quasi(release: Certified) -> list[str]:
    there = release.columns
    return [name for name in release.project.schema.names(Role.QI) if name_in_file(name, release.options) in there]


def _labels(release: Certified, name: str) -> dict[str, Any]:
    """Give the labels of a quasi-identifier; its levels are known to its hierarchy alone."""
    height = release.told["hierarchies"].get(name, {}).get("height")
    return {"height": height, **labels_told(release.columns[name_in_file(name, release.options)])}


def _nothing_left(release: Certified, name: str) -> list[str]:
    """Give the texts that leave nothing of a value: `*` without a hierarchy, else those told that are in the file."""
    column = release.columns[name_in_file(name, release.options)].compact()
    there = {release.options.missing if label == MISSING else label for label in column.labels}
    tops = _told_tops(release, name) if name in release.told["hierarchies"] else [SUPPRESSED]
    return [label for label in tops if label in there]


def _told_tops(release: Certified, name: str) -> list[str]:
    return list(release.told.get("nothing_left", {}).get(name, ()))


def _of_table(release: Certified) -> dict[str, Column]:
    return {column.name: column for column in (release.table.columns if release.table else ())}


def _options(release: Certified) -> dict[str, Json]:
    """Give the options of the file: those of text as its bytes show them, all others as the program sets them."""
    told, usual = release.options, params_json(WriteOptions())
    expected = params_json(told)
    suffix = release.path.suffix.lower()
    if suffix not in _TEXTS:
        expected |= {"delimiter": usual["delimiter"], "encoding": usual["encoding"]}
    if suffix not in (*_TEXTS, *_TABBED):
        return expected | {"line_end": usual["line_end"], "quote_all": usual["quote_all"]}
    first = next(iter(release.told["written"]["columns"]), "")
    is_plain = not any(mark in first for mark in (told.delimiter, '"', "\n", "\r", "\t", " "))
    quoted = {"quote_all": is_all_quoted(release.path, told.encoding)} if is_plain and first else {}
    return expected | {"line_end": line_end_of(release.path)} | quoted


def _is_published(release: Certified, entry: ColumnSchema) -> bool:
    """Say whether a column leaves, by its role and what was decided about it."""
    publishing = release.project.publishing
    if entry.role is Role.EI:
        return entry.name in dict(publishing.pseudonyms)
    return entry.role is not Role.OTHER or entry.name not in publishing.left_out


def _column(release: Certified, entry: ColumnSchema) -> dict[str, Any]:
    """Give a column as the certificate must tell it; a name and a role only where the file has the column."""
    told: Mapping[str, Json] = next(each for each in release.told["columns"] if each["name"] == entry.name)
    expected: dict[str, Any] = {"published": _published(release, entry, str(told["published"]))}
    if entry.name in release.published:
        expected |= {"name": entry.name, "role": entry.role.value}
    column = release.columns.get(name_in_file(entry.name, release.options))
    if "top" in told and column is not None:
        expected["top"] = told["top"] if told["top"] in column.labels else None
    return expected


def _published(release: Certified, entry: ColumnSchema, told: str) -> str:
    """Say how a column leaves; whether it is masked or names weights or households is told by the certificate alone."""
    published = way_of_leaving(entry, release.project)
    published += STANDS_FOR if STANDS_FOR in told else ""
    published += IN_HOUSEHOLD if IN_HOUSEHOLD in told else ""
    if release.told["prepared"] and "masked" in told:
        published = masked_way(published)
    return f"{published}; {PERTURBED_SUFFIX}" if entry.name in release.options.untruthful else published


def _warnings(release: Certified) -> dict[str, Any]:
    """Give the last warnings, which name unchanged columns and failed checks; those before are of the search."""
    warnings = release.told["warnings"]
    failed = [check["sentence"] for check in release.told["checks"] if not check["holds"]]
    last = unchanged_columns(release.project) + [sentence for sentence in failed if sentence in warnings]
    first = max(len(warnings) - len(last), 0)
    return {"warnings": {first + place: text for place, text in enumerate(last)}} if last else {}
