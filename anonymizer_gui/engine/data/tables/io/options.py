"""How a table is read and written: every choice declared once, kept in the project."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Flag, Int, Json, ListOf, Text, param

ENCODINGS = {
    "utf-8": "Unicode (UTF-8)",
    "utf-16": "Unicode (UTF-16)",
    "utf-16-le": "Unicode (UTF-16, little endian)",
    "utf-16-be": "Unicode (UTF-16, big endian)",
    "utf-32": "Unicode (UTF-32)",
    "cp1252": "Western European (Windows-1252)",
    "iso-8859-1": "Western European (ISO 8859-1)",
    "iso-8859-15": "Western European with euro (ISO 8859-15)",
    "cp1254": "Turkish (Windows-1254)",
    "iso-8859-9": "Turkish (ISO 8859-9)",
    "cp1250": "Central European (Windows-1250)",
    "iso-8859-2": "Central European (ISO 8859-2)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "cp1253": "Greek (Windows-1253)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp1257": "Baltic (Windows-1257)",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "euc-kr": "Korean (EUC-KR)",
    "cp850": "DOS Western European (code page 850)",
    "mac-roman": "Mac OS Roman",
}
CHARACTER_WORDS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "bar": "|", "colon": ":", "none": ""}


@dataclass(frozen=True, slots=True)
class Character:
    """One printable ASCII character or the tab; nothing at all where `optional`."""

    optional: bool = False

    def check(self, value: Json) -> str:
        """Return the character."""
        if not isinstance(value, str) or len(value) > 1 or (not value and not self.optional):
            raise ValueError(self.rule())
        if value and value != "\t" and not " " <= value <= "~":
            raise ValueError(self.rule())
        return value

    def parse(self, text: str) -> str:
        """Read the character itself or its name, such as `tab` or `semicolon`."""
        return self.check(CHARACTER_WORDS.get(text.strip().lower(), text.strip() or text))

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("one ASCII character, or none" if self.optional else "one ASCII character")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a source is understood; `sniff` proposes them, the user may change each."""

    title: ClassVar[str] = "The reading of a file"

    delimiter: str = param(Character(), default=",", label="Delimiter", help="The character between two cells.")
    quote: str = param(
        Character(optional=True),
        default='"',
        label="Quotation mark",
        help="Cells between two of these may hold anything.",
    )
    encoding: str = param(Choice(ENCODINGS), default="utf-8", label="Encoding", help="How bytes stand for letters.")
    header: bool = param(Flag(), default=True, label="First row has the names", help="Otherwise columns are numbered.")
    skip_lines: int = param(
        Int(low=0), default=0, label="Lines to skip", help="Lines above the table, such as a title."
    )
    decimal: str = param(
        Choice({".": "point", ",": "comma"}),
        default=".",
        label="Decimal mark",
        help="Used when numbers are recognised.",
    )
    missing: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Missing values",
        help="Texts that mean “missing”; an empty cell always does.",
    )
    short_rows: str = param(
        Choice({"pad": "fill with missing cells, and report", "refuse": "do not read the file"}),
        default="pad",
        label="Rows with too few cells",
        help="What to do with a row that has fewer cells than there are columns.",
    )
    long_rows: str = param(
        Choice({"refuse": "do not read the file", "drop": "leave out the extra cells, and report"}),
        default="refuse",
        label="Rows with too many cells",
        help="What to do with a row that has text behind the last column.",
    )
    part: str = param(
        Text(),
        default="",
        label="Sheet or table",
        help="The sheet of a workbook, table of a database or file of an archive.",
    )
    query: str = param(
        Text(), default="", label="Query", help="A SELECT that gives the rows, instead of a whole table."
    )
    stray_bytes: str = param(
        Choice({"refuse": "do not read the file", "mark": "put � in their place, and report"}),
        default="refuse",
        label="Bytes that are no letters",
        help="What to do with bytes that stand for nothing in the encoding.",
    )


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How a table is written; the kind of file follows from its name."""

    title: ClassVar[str] = "The writing of a file"

    delimiter: str = param(Character(), default=",", label="Delimiter", help="The character between two cells.")
    encoding: str = param(Choice(ENCODINGS), default="utf-8", label="Encoding", help="How letters become bytes.")
    line_end: str = param(
        Choice({"lf": "Unix (LF)", "crlf": "Windows (CR LF)"}),
        default="lf",
        label="Line ends",
        help="What ends a line.",
    )
    missing: str = param(Text(), default="", label="Missing cells", help="What is written for a missing cell.")
    quote_all: bool = param(Flag(), default=False, label="Quote every cell", help="Otherwise only where it is needed.")
    escape_formulas: bool = param(
        Flag(),
        default=True,
        label="Disarm formulas",
        help="Puts an apostrophe before cells a spreadsheet would run; numbers such as -5 stay.",
    )
    untruthful: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Not truthful",
        help="Columns whose heads say that their cells are not true.",
    )
