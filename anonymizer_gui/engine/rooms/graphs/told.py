"""What the certificate tells of a released graph; nothing that is not published."""

from pathlib import Path

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.params import to_json as params_json
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.rooms.graphs.written import GRAPHML, beside
from anonymizer_gui.engine.shapes.tables.table import Role


def told_of(release: Release, path: Path) -> dict[str, Json]:
    """Write down how the files are to be read, and how they were made."""
    project, published = release.project, release.published
    is_one = path.suffix.lower() == GRAPHML
    parts = {} if is_one else {"nodes": beside(path, "nodes").name}
    parts |= {"sample": beside(path, "sample").name} if published.sample else {}
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
