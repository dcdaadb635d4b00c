"""What the program remembers between runs: typed preferences in one JSON file."""

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSaveFile, QStandardPaths, Signal

VERSION = 1
RECENT_LIMIT = 10
_CHOICES = {"theme": ("system", "light", "dark"), "language": ("system", "en", "de"), "log_level": ("warning", "info")}


@dataclass(frozen=True, slots=True)
class Preferences:
    """Everything that can be set; a wrong entry in the file falls back to its default."""

    theme: str = "system"
    language: str = "system"
    log_level: str = "info"
    remember_recent: bool = True
    recent: tuple[str, ...] = ()
    shortcuts: Mapping[str, str] = field(default_factory=dict)
    last_folder: str = ""
    last_page: str = ""
    seen_version: str = ""


class Settings(QObject):
    """The preferences and the file they live in; a change is written at once."""

    changed = Signal(object)
    """Carries the names of the fields that changed."""

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path or default_path()
        self._preferences = read_preferences(self._path)

    @property
    def preferences(self) -> Preferences:
        """The present preferences."""
        return self._preferences

    def change(self, **fields: Any) -> None:
        """Set some preferences; nothing happens when they are so already."""
        new = replace(self._preferences, **fields)
        names = frozenset(name for name in fields if getattr(new, name) != getattr(self._preferences, name))
        if names:
            self._preferences = new
            self._write()
            self.changed.emit(names)

    def add_recent(self, path: Path) -> None:
        """Put a file at the top of the recent ones, unless the user wants none kept."""
        if self._preferences.remember_recent:
            name = str(path.resolve())
            others = [other for other in self._preferences.recent if other != name]
            self.change(recent=(name, *others)[:RECENT_LIMIT])

    def forget_recent(self) -> None:
        """Forget every recent file and folder."""
        self.change(recent=(), last_folder="")

    def _write(self) -> None:
        content = json.dumps({"version": VERSION, **dataclasses.asdict(self._preferences)}, indent=1).encode()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            return  # A home that cannot be written to must not keep anybody from working.
        file = QSaveFile(str(self._path))
        if file.open(QSaveFile.OpenModeFlag.WriteOnly) and file.write(content) == len(content):
            file.commit()
            os.chmod(self._path, 0o600)


def default_path() -> Path:
    """Return where the preferences live on this system."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder) / "preferences.json"


def read_preferences(path: Path) -> Preferences:
    """Read the preferences; what is missing, damaged or of a newer version falls back to the default."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Preferences()
    if not isinstance(entries, dict) or entries.get("version") != VERSION:
        return Preferences()
    fields = {f.name for f in dataclasses.fields(Preferences)}
    return Preferences(**{name: _taken(name, entry) for name, entry in entries.items() if name in fields})


def _taken(name: str, entry: Any) -> Any:
    default = getattr(Preferences(), name)
    if isinstance(default, tuple):
        return tuple(item for item in entry if isinstance(item, str)) if isinstance(entry, list) else default
    if isinstance(default, dict):
        return {str(k): str(v) for k, v in entry.items()} if isinstance(entry, dict) else default
    allowed = isinstance(entry, type(default)) and entry in _CHOICES.get(name, (entry,))
    return entry if allowed else default
