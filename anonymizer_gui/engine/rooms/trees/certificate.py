"""Entries of the certificate, and the report made of them."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.trees.trees import JSON, FileForm
from anonymizer_gui.engine.room import Bars, Pairs, Section, Sentences
from anonymizer_gui.engine.rooms.trees.encoding import EncodedRecords
from anonymizer_gui.engine.rooms.trees.release import Measurement, Release
from anonymizer_gui.engine.storage.sources import display_name

DIGITS = 3


def format_entries(held: EncodedRecords, form: FileForm, kind: str, detached: str) -> dict[str, Json]:
    """Write down how the file is read again: format, what is around the records, and the paths by role."""
    trees = held.trees
    paths = [trees.branches[at].path for at in sorted(trees.spine)]
    around = [trees.branches[at].path for at in sorted(trees.above_spine)]
    return {
        "format": kind,
        "encoding": form.encoding,
        "entry": form.root if form.is_xml else form.entry if kind == JSON else "",
        "attributes": dict(form.attributes),
        "prefixes": dict(form.prefixes),
        "labels": [leaf.path for leaf in (*held.known, *held.sensitive, *held.public)],
        "known": [leaf.path for leaf in held.known],
        "sensitive": [leaf.path for leaf in held.sensitive],
        "spine": [*around, *paths],
        "around": around,
        "detached": detached,
    }


def certificate_entries(release: Release, kind: str) -> dict[str, Json]:
    """Give the room's entries of the certificate."""
    project, algorithm = release.project, release.project.algorithm
    return {
        "written": format_entries(release.held, release.form, kind, release.detached),
        "recipe": {
            "algorithm": algorithm.name,
            "title": algorithm.title,
            "parameters": params_json(algorithm),
            "seed": project.seed,
        },
        "source": {"file": display_name(project.source).name if project.source else ""},
        "notes": [str(note) for note in release.notes],
        "attacks": algorithm.attacks,
    }


def published_numbers(measured: Measurement) -> dict[str, Json]:
    """Give the numbers that may leave; the last digits of the loss would tell how many labels there were."""
    return {
        "records": measured.released,
        "vertices": measured.released_vertices,
        "suppressed": round(measured.share_suppressed, DIGITS),
        "smallest_class": measured.smallest_class,
        "lm": round(measured.lm, DIGITS),
        "lm_by_path": {path: round(loss, DIGITS) for path, loss in measured.by_path.items()},
        "disassociated": measured.disassociated,
    }


def private_entries(release: Release) -> dict[str, Json]:
    """Write down what only the house may know: the exact loss, and how many records were changed."""
    measured = release.measured
    return {"numbers": {**release.to_json(), "by_path": dict(measured.by_path), "changed": measured.changed}}


def report_sections(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    numbers, recipe, written = told["numbers"], told["recipe"], told["written"]
    result = {
        "Records released": numbers["records"],
        "Vertices released": numbers["vertices"],
        "Share of vertices suppressed": f"{numbers['suppressed']:.1%}",
        "Smallest set of records": numbers["smallest_class"],
        "LM (0 to 1)": numbers["lm"],
        "Relations taken apart": numbers["disassociated"],
        "SHA-256 of the release": told["release"]["sha256"],
    }
    method = {
        "Algorithm": recipe["title"],
        **{f"Parameter {name}": value for name, value in recipe["parameters"].items()},
        "Format": written["format"],
        "Order of the records": "sorted, then shuffled by the seed",
        "Seed": recipe["seed"],
    }
    public = [name for name in written["labels"] if name not in (*written["known"], *written["sensitive"])]
    roles = {
        "Quasi-identifiers": ", ".join(written["known"]),
        "Sensitive": ", ".join(written["sensitive"]),
        "Public": ", ".join(public),
    }
    return [
        Section("Result", (Pairs(result),)),
        Section("Loss of every path (LM, 0 to 1)", (Bars(dict(numbers["lm_by_path"]), 1.0),)),
        Section("Source", (Pairs({"File": told["source"]["file"]}),)),
        Section("How it was made", (Pairs(method),)),
        Section("Paths", (Pairs({name: paths for name, paths in roles.items() if paths}),)),
        Section("Notes", (Sentences(tuple(told["notes"])),) if told["notes"] else ()),
        Section("Attacks on the method", (Sentences((told["attacks"],)),)),
    ]
