"""How a file of trees is written: what must be kept so that a release looks like its source."""

from collections.abc import Mapping
from dataclasses import dataclass, field

JSON, LINES, XML = "json", "lines", "xml"
FORMATS = {JSON: "JSON", LINES: "JSON lines", XML: "XML"}
SUFFIXES = {".json": JSON, ".jsonl": LINES, ".ndjson": LINES, ".xml": XML}


@dataclass(frozen=True, slots=True)
class Form:
    """The format with all that is around the records: list, one entry or root element, encoding, indentation."""

    format: str = JSON
    encoding: str = "utf-8"
    indent: int | None = None
    """Spaces per level; nothing where each record, or the whole, stands on one line."""
    entry: str = ""
    """The one entry of a JSON object that holds the list of records."""
    root: str = ""
    """The tag of the XML element around the records; nothing where every file held one record."""
    attributes: tuple[tuple[str, str], ...] = ()
    """The attributes of that element."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """The prefix of every namespace of XML, by its address."""

    @property
    def is_xml(self) -> bool:
        """Whether the file is XML."""
        return self.format == XML
