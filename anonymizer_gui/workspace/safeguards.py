"""Which keys, ledger and reason an export is given; held by the document, so that no page loses them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonymizer_gui.workspace.document import Document


@dataclass(frozen=True, slots=True)
class SafeguardFiles:
    """What an export is given beside the project: where the keys and the ledger are, why a check is overridden.

    None of it is saved: the key must not be found by whoever finds the project.
    """

    key_file: str = ""
    ledger_file: str = ""
    reason: str = ""
    signing_file: str = ""

    def files(self) -> list[Path]:
        """List what must never be overwritten."""
        from anonymizer_gui.engine.storage.sources import sqlite_files

        kept = [Path(path) for path in (self.key_file, self.signing_file) if path]
        return kept + (sqlite_files(Path(self.ledger_file)) if self.ledger_file else [])


def own_files(document: "Document") -> list[Path]:
    """List the files of a document that nothing may be written over: its data, its project, keys and ledger."""
    from anonymizer_gui.engine.storage.sources import files_of_sources

    project = [document.path] if document.path is not None else []
    return [*files_of_sources(document.project.sources().values()), *project, *document.safeguards.files()]
