"""Where a fault of the program happened, without what was in the table."""

import traceback


def fault(error: BaseException) -> str:
    """Give the type of an error and the places in the code.

    The text of the error and the values of variables are left out: they may hold cells of the table.
    """
    lines = [f"{type(error).__name__} at:"]
    lines += [f"  {_place(frame)}" for frame in traceback.extract_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    return "\n".join(lines) + (f"\ncaused by {type(cause).__name__}" if cause else "")


def _place(frame: traceback.FrameSummary) -> str:
    path = frame.filename.replace("\\", "/")
    _, inside, tail = path.rpartition("/anonymizer_gui/")
    shown = f"anonymizer_gui/{tail}" if inside else path.rpartition("/")[2]
    return f"{shown}:{frame.lineno} {frame.name}"
