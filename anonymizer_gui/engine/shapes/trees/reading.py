"""Reads trees: JSON lists, lines and objects, XML, and folders in which every file holds one record."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.trees.form import LINES, SUFFIXES, Form
from anonymizer_gui.engine.shapes.trees.json_reading import JsonRecords
from anonymizer_gui.engine.shapes.trees.limits import LARGEST_BYTES, MOST_VERTICES, too_large
from anonymizer_gui.engine.shapes.trees.trees import Trees
from anonymizer_gui.engine.shapes.trees.vertex import Vertex
from anonymizer_gui.engine.shapes.trees.xml_reading import XmlRecords, folded
from anonymizer_gui.engine.storage.safe_open import open_regular
from anonymizer_gui.engine.storage.sources import FOLDER, Source, checksum

_OFTEN = 500
_MOST_FILES = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class ReadTrees:
    """Trees as they were read, the source with its checksum, and what the user should look at."""

    trees: Trees
    source: Source
    notes: tuple[Message, ...] = ()


def likelihood(path: Path, head: bytes) -> float:
    """Say how likely a file holds trees: JSON with objects inside, or XML that is no graph; or a folder of such."""
    if path.is_dir():
        return 0.95 if files_in(path) else 0.0
    kind = SUFFIXES.get(path.suffix.lower())
    begin = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2048]
    if kind is None or not begin:
        return 0.0
    if kind == "xml" or begin.startswith(b"<?xml"):
        return 0.0 if b"<graphml" in begin else 0.9
    return 0.8 if begin.startswith((b"{", b"[")) and b"{" in begin else 0.0


def files_in(folder: Path, suffix: str = "") -> list[Path]:
    """List the files of a folder that may each hold a record: those with an ending, or the first."""
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix.lower() in SUFFIXES and each.is_file())
    except OSError:
        return []
    return [each for each in files if each.suffix.lower() == (suffix or files[0].suffix.lower())]


def files_beside(path: Path) -> list[Path]:
    """List a file that holds one object and the others of its folder that may, too; nothing where it holds more."""
    with open_regular(path) as file:
        begin = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    is_one = path.suffix.lower() == ".xml" or (path.suffix.lower() == ".json" and begin.startswith(b"{"))
    return files_in(path.parent, path.suffix.lower()) if is_one else []


def read_trees(source: Source, progress: Progress = SILENT, *, alone: bool = False) -> ReadTrees:
    """Read a file, or with the option `folder` all files beside it; raises UnreadableFile.

    With `alone` the paths of a record depend on that record alone: XML names lose their namespaces, and elements that
    hold only text are vertices, even where none repeats. Whoever hides records needs that.
    """
    path = Path(source.path)
    progress(0.0, "Reading the records")
    if source.options.get(FOLDER) or path.is_dir():
        return _folder(path, progress, alone=alone)
    records, form, comments = _one(path, progress.sub(0.0, 0.6), alone=alone)
    digest = checksum(path, progress.sub(0.6, 0.7))
    options: dict[str, Json] = dict(source.options)
    trees = _made(records, form, path.name, progress.sub(0.7, 1.0), alone=alone)
    return ReadTrees(trees, Source(str(path), digest, options), _notes(comments))


def _one(
    path: Path, progress: Progress, *, is_record: bool = False, alone: bool = False
) -> tuple[list[Vertex], Form, int]:
    if path.exists() and path.is_file() and path.stat().st_size > LARGEST_BYTES:
        raise too_large(path.name)
    with open_regular(path) as file:
        if _is_xml(path):
            found = XmlRecords(file, path.name, is_record=is_record, local=alone)
            records = _walked(found, progress)
            return records, found.form, found.comments
        walked = JsonRecords(file, path.name)
        return _walked(walked, progress), walked.form, 0


def _is_xml(path: Path) -> bool:
    if path.suffix.lower() in SUFFIXES:
        return SUFFIXES[path.suffix.lower()] == "xml"
    with open_regular(path) as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _walked(records: Iterable[Vertex], progress: Progress) -> list[Vertex]:
    found = []
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(1 - 1 / (1 + at / 10_000), "Reading the records")
        found.append(record)
    return found


def _folder(path: Path, progress: Progress, *, alone: bool) -> ReadTrees:
    """Read every file of the folder with the same ending; the names of the files are not kept."""
    folder = path if path.is_dir() else path.parent
    files = files_in(folder, "" if path.is_dir() else path.suffix.lower())
    if not files or len(files) > _MOST_FILES:
        raise UnreadableFile(
            message("“{name}” holds no files of records.", name=folder.name), "Choose a folder of JSON or XML files."
        )
    records, forms, comments, digest = list[Vertex](), list[Form](), 0, hashlib.sha256()
    for at, file in enumerate(files):
        progress(0.7 * at / len(files), "Reading the records")
        found, form, more = _one(file, Progress(is_cancelled=progress.is_cancelled), is_record=True, alone=alone)
        records += found
        forms.append(form)
        comments += more
        digest.update(file.name.encode("utf-8", "surrogatepass") + checksum(file).encode())
    form = _together(forms)
    trees = _made(records, form, folder.name, progress.sub(0.7, 1.0), alone=alone)
    told = Source(str(files[0]), digest.hexdigest(), {FOLDER: True})
    note = message("{files:file was|files were} read; they leave as one file, for a name of a file may name a person.",
               files=len(files))  # fmt: skip
    return ReadTrees(trees, told, (note, *_notes(comments)))


def _together(forms: list[Form]) -> Form:
    """Give the form of one file for the records of many: a list, or a root around them."""
    first = forms[0]
    if not first.is_xml:
        return replace(first, entry="", format="json" if first.format != LINES else LINES)
    prefixes = {address: prefix for form in reversed(forms) for address, prefix in form.prefixes.items()}
    return replace(first, root="records", prefixes=prefixes)


def _made(records: list[Vertex], form: Form, name: str, progress: Progress, *, alone: bool) -> Trees:
    if not records:
        raise UnreadableFile(message("“{name}” holds no records.", name=name), "Choose a file with some.")
    trees = Trees.of(folded(records) if form.is_xml and not alone else records, form, progress)
    if len(trees.vertices) > MOST_VERTICES:
        raise too_large(name)
    return trees


def _notes(comments: int) -> tuple[Message, ...]:
    if not comments:
        return ()
    return (message("{comments:comment was|comments were} left out: nobody checks what stands in them.",
                comments=comments),)  # fmt: skip
