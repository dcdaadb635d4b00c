"""In which order tests run: the usual one, or a random one that a number names (ANONYMIZER_TEST_ORDER)."""

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

ROOT = Path(__file__).resolve().parent
GUI_FOLDERS = ("workspace", "e2e", "ui")


class HasPath(Protocol):
    """What is asked of a test."""

    path: Path


T = TypeVar("T", bound=HasPath)


def seed_of_order() -> str:
    """Give the number of a random order; nothing for the usual one."""
    return os.environ.get("ANONYMIZER_TEST_ORDER", "")


def ordered(items: Sequence[T], seed: str = "") -> list[T]:
    """Put tests in order: by a seed, files at random and tests within each at random; without one, the window last.

    The tests of a file stay together, so that what it makes once for all of them is made once.
    """
    if not seed:
        return sorted(items, key=_rank)
    files: dict[Path, list[T]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    chance = random.Random(seed)
    mixed = sorted(files)
    chance.shuffle(mixed)
    for path in mixed:
        chance.shuffle(files[path])
    return [item for path in mixed for item in files[path]]


def _rank(item: HasPath) -> int:
    """Run what is pure first and the window last: the plainest failure shows first.

    The walks through the whole program take longest and so do not come at the very end: nobody would share the work.
    """
    folder = item.path.relative_to(ROOT).parts[0] if item.path.is_relative_to(ROOT) else ""
    return GUI_FOLDERS.index(folder) + 1 if folder in GUI_FOLDERS else 0
