"""Hierarchies kept for other projects: one file each in the program's data folder."""

from pathlib import Path
from urllib.parse import quote, unquote

from PySide6.QtCore import QStandardPaths

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.hierarchy.files import read_hierarchy, write_hierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_SUFFIX = ".json"


class HierarchyLibrary:
    """The saved hierarchies by name; any name will do, it is spelt so that every file system can hold it."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or default_folder()

    def names(self) -> list[str]:
        """List the names of the saved hierarchies."""
        return sorted((unquote(path.stem) for path in self._folder.glob(f"*{_SUFFIX}")), key=str.casefold)

    def save(self, name: str, hierarchy: Hierarchy) -> None:
        """Keep a hierarchy under a name, in place of one that had it; raises UnwritableFile."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UnwritableFile(
                message("The library cannot be written to: {reason}.", reason=error.strerror or str(error))
            ) from error
        write_hierarchy(hierarchy, self._path(name), "json")

    def load(self, name: str) -> Hierarchy:
        """Read a saved hierarchy; raises UnreadableFile or BadHierarchy."""
        return read_hierarchy(self._path(name))

    def remove(self, name: str) -> None:
        """Forget a saved hierarchy; raises UnwritableFile."""
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise UnwritableFile(
                message("“{name}” cannot be removed: {reason}.", name=name, reason=error.strerror or str(error))
            ) from error

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe=' ')}{_SUFFIX}"


def default_folder() -> Path:
    """Return where the library lives on this system."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(folder) / "hierarchies"
