"""What the certificate tells of released records, and what stays inside: nothing that only the source knows."""

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.trees.trees import JSON, FileForm
from anonymizer_gui.engine.rooms.trees.placing import Placed
from anonymizer_gui.engine.rooms.trees.release import Measured, Release
from anonymizer_gui.engine.storage.sources import display_name

DIGITS = 3


def written_of(held: Placed, form: FileForm, kind: str, detached: str) -> dict[str, Json]:
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


def told_of(release: Release, kind: str) -> dict[str, Json]:
    """Give the room's entries of the certificate."""
    project, algorithm = release.project, release.project.algorithm
    return {
        "written": written_of(release.held, release.form, kind, release.detached),
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


def shown(measured: Measured) -> dict[str, Json]:
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


def inside_of(release: Release) -> dict[str, Json]:
    """Write down what only the house may know: the exact loss, and how many records were changed."""
    measured = release.measured
    return {"numbers": {**release.to_json(), "by_path": dict(measured.by_path), "changed": measured.changed}}
