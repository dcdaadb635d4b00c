"""The process that DuckDB works in: one line of JSON per question, Arrow files for what is taken and given.

It is started as the same program with a word of its own; when it takes too much memory only it ends.
"""

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

_BATCH = 1 << 16
_LINE = re.compile(r"CSV Error on Line: (\d+)")
_FULL_DISK = ("No space left", "failed to offload", "max_temp_directory_size", "temp_directory_size")


def serve() -> int:
    """Answer questions from standard input until there are no more; the answers go where standard output was."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Libraries that print would speak into the answers; what they print may hold cells.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import duckdb

    connection = duckdb.connect()
    for line in sys.stdin:
        answers.write(json.dumps(_answered(connection, json.loads(line))) + "\n")
        answers.flush()
    return 0


def _answered(connection: "duckdb.DuckDBPyConnection", question: dict[str, Any]) -> dict[str, Any]:
    import duckdb

    try:
        return {"rows": _DOING[question["do"]](connection, question)}
    except (duckdb.Error, OSError, MemoryError, RuntimeError) as error:
        return {"error": error_kind(error), "name": type(error).__name__, "line": _line(error)}


def _run(connection: "duckdb.DuckDBPyConnection", question: dict[str, Any]) -> list[list[Any]]:
    for sql in question["sql"]:
        connection.execute(sql)
    found = connection.fetchall() if connection.description else []
    return [list(row) for row in found] if question.get("answer") else []


def _fetch(connection: "duckdb.DuckDBPyConnection", question: dict[str, Any]) -> list[list[Any]]:
    import pyarrow as pa

    relation = connection.sql(question["sql"][0])
    reader = relation.to_arrow_reader(_BATCH)
    with pa.OSFile(question["to"], "wb") as file, pa.ipc.new_file(file, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
    return []


def _load(connection: "duckdb.DuckDBPyConnection", question: dict[str, Any]) -> list[list[Any]]:
    import pyarrow as pa

    with pa.memory_map(question["from"]) as file:
        connection.register("taken", pa.ipc.open_file(file).read_all())
        connection.execute(question["sql"][0])
        connection.unregister("taken")
    return []


_DOING = {"run": _run, "fetch": _fetch, "load": _load}


def error_kind(error: BaseException) -> str:
    """Sort an error; its text stays here, for it may hold cells."""
    name, text = type(error).__name__, str(error)
    if any(words in text for words in _FULL_DISK):
        return "disk"
    if "OutOfMemory" in name or isinstance(error, MemoryError):
        return "memory"
    if _LINE.search(text) or "CSV Error" in text:
        return "csv"
    return "read" if name in ("IOException", "OSError", "HTTPException") else "other"


def _line(error: BaseException) -> int:
    found = _LINE.search(str(error))
    return int(found[1]) if found else 0
