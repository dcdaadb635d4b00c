"""What is printed after the last test: how many ran, for how long, in which order, and what those skipped need."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

NEEDS_DATA = "the public data sets are not on this machine"
OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed")


def summary_lines(counts: Mapping[str, int], seconds: float, order: str, data: tuple[int, Path]) -> list[str]:
    """Say in a few lines how the run went; `data` is how many tests need the public data, and where they look."""
    told = ", ".join(f"{counts[name]:,} {name}" for name in OUTCOMES if counts.get(name))
    lines = [f"{sum(counts.values()):,} tests in {clock(seconds)}: {told or 'nothing ran'}."]
    if order:
        lines.append(f"Random order: run ANONYMIZER_TEST_ORDER={order} again for the same.")
    skipped, folder = data
    if skipped:
        lines.append(
            f"Skipped for want of the public data sets: {skipped:,}. They look in {folder}; "
            "ANONYMIZER_TEST_DATA may name another folder."
        )
    return lines


def clock(seconds: float) -> str:
    """Write a time as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02} min"


def needing_data(reasons: Iterable[object]) -> int:
    """Count the skips that name the public data; a reason is a text, or place, line and text."""
    return sum(NEEDS_DATA in str(reason[-1] if isinstance(reason, Sequence) and not isinstance(reason, str) else reason)
               for reason in reasons)  # fmt: skip
