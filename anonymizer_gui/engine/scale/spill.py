"""A private folder for what an engine must put on the disk; what a program that was killed has left is swept."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from anonymizer_gui.engine.storage.saving import create_locked, lock_if_abandoned, write_error

_PREFIX = "anonymizer-spill-"
_LOCK = "in-use"


class Spill:
    """A folder that only its owner may read; it is gone once it is closed, or by the next one after a kill."""

    def __init__(self, place: Path | None = None) -> None:
        parent = place or Path(tempfile.gettempdir())
        sweep_spills(parent)
        try:
            self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
            self._lock = create_locked(self.folder / _LOCK, private=True)
        except OSError as error:
            raise write_error(parent, error) from error
        self._given = 0

    def new(self, suffix: str) -> Path:
        """Give a name nothing has yet."""
        self._given += 1
        return self.folder / f"{self._given}{suffix}"

    def close(self) -> None:
        """Remove the folder with all it holds."""
        self._lock.release()
        shutil.rmtree(self.folder, ignore_errors=True)


def sweep_spills(parent: Path) -> None:
    """Remove the folders of programs that do not run any more; it is nobody's error if that fails."""
    with contextlib.suppress(OSError):
        for folder in parent.glob(f"{_PREFIX}*"):
            if not folder.is_symlink() and folder.stat().st_uid == _own_id(folder):
                _sweep_one(folder)


def _own_id(folder: Path) -> int:
    return os.getuid() if hasattr(os, "getuid") else folder.stat().st_uid


def _sweep_one(folder: Path) -> None:
    with contextlib.suppress(OSError), lock_if_abandoned(folder / _LOCK) as is_abandoned:
        if is_abandoned:
            shutil.rmtree(folder, ignore_errors=True)
