"""HIPAA Safe Harbor: identifiers, places, dates, ages, codes; the policies the program brings.

The kinds are those of the Safe Harbor method, 45 CFR 164.514(b)(2)(i), that are not about places and dates.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, join_messages, message, quote
from anonymizer_gui.engine.core.params import Choice, Int, ListOf, Shares, Text, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.column_profile import FEW_ROWS, NEARLY_ALL
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table
from anonymizer_gui.engine.data.tables.suggestions import short_person_name, words_in_name
from anonymizer_gui.engine.data.tables.table import ColumnType, Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import (
    AGREED,
    RULES,
    PolicyColumn,
    PolicyView,
    Rule,
    RuleResult,
    check_cells,
    header_mentions,
    skipped_note,
    split_phrases,
)
from anonymizer_gui.engine.rooms.microdata.policies.release_rules import DifferentValues, SmallestClass
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet

_NUMBER = re.compile(r"\d+(?:\.\d+)?")

_MASKED = re.compile(r"\s*(\d+)([*xX]+)\s*")

_UPWARD = re.compile(r"[+>≥∞]|\b(?:inf|older|over|above|more|mehr|älter|uber|über|ab|ve üstü|üstü)\b", re.IGNORECASE)

_DOWNWARD = re.compile(r"[<≤]|\b(?:under|below|younger|unter|jünger|bis|altı)\b", re.IGNORECASE)

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|2[01])(?:\d{2}|\d\*|\*\*)(?!\d)")

_WHOLE_YEARS = re.compile(r"(?<=\d{4})-(?:01-01|12-31)(?!\d)")

_MONTH = re.compile(
    r"\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara)",
    re.IGNORECASE,
)

_ZIP_RANGE = re.compile(r"\D*(\d{3})00\s*-\s*(\d{3})99\D*")

_DIGITS = re.compile(r"\d+")

LIKE_A_DATE = re.compile(
    r"\d{4}-\d{2}(-\d{2})?([ T].*)?|\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})|\d{8}(?=\Z)|\d{4}-?[QW]\d{1,2}"
)
"""The common ways of writing a day, month or quarter."""


def number_range(text: str) -> tuple[float, float] | None:
    """Give the lowest and highest number a cell allows; None where it names no number.

    >>> number_range("35-39"), number_range("90+"), number_range("< 18"), number_range("9*"), number_range("*")
    ((35.0, 39.0), (90.0, inf), (-inf, 18.0), (90.0, 99.0), None)
    """
    masked = _MASKED.fullmatch(text)
    if masked:
        digits, hidden = masked[1], len(masked[2])
        return float(digits + "0" * hidden), float(digits + "9" * hidden)
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if not numbers:
        return None
    low = -math.inf if _DOWNWARD.search(text) else min(numbers)
    return low, math.inf if _UPWARD.search(text) else max(numbers)


def is_year_at_most(text: str) -> bool:
    """Tell whether a cell of dates gives away nothing finer than a year.

    >>> [is_year_at_most(text) for text in ("1984", "1980-1989", "19**", "*", "[1980-01-01, 1985-01-01[")]
    [True, True, True, True, True]
    >>> [is_year_at_most(text) for text in ("1984-03", "Mar 1984", "1984-Q1", "03/84", "1984-01-01")]
    [False, False, False, False, False]
    """
    is_range = len(_YEAR.findall(text)) > 1
    left = _YEAR.sub("", _WHOLE_YEARS.sub("", text) if is_range else text)
    return not _DIGITS.search(left) and not _MONTH.search(left)


def postal_area(text: str) -> str | None:
    """Give the three digits of a postal area that a cell names: empty for none or fewer, None for more than three.

    >>> postal_area("021**"), postal_area("02100-02199"), postal_area("0****"), postal_area("02139"), postal_area("*")
    ('021', '021', '', None, '')
    """
    spanned = _ZIP_RANGE.fullmatch(text)
    if spanned and spanned[1] == spanned[2]:
        return spanned[1]
    groups = _DIGITS.findall(text)
    if not groups or (len(groups) == 1 and len(groups[0]) < 3):
        return ""
    return groups[0] if len(groups) == 1 and len(groups[0]) == 3 else None


KINDS = {
    "names": "Names",
    "telephone": "Telephone numbers",
    "fax": "Fax numbers",
    "e-mail": "E-mail addresses",
    "social-security": "Social security numbers",
    "medical-record": "Medical record numbers",
    "health-plan": "Health plan beneficiary numbers",
    "account": "Account numbers",
    "licence": "Certificate and license numbers",
    "vehicle": "Vehicle identifiers and license plates",
    "device": "Device identifiers and serial numbers",
    "web": "Web addresses (URL)",
    "internet": "Internet addresses (IP)",
    "biometric": "Biometric identifiers",
    "photo": "Full-face photographs",
    "other": "Any other unique number, characteristic or code",
}

_HEADS = {
    "names": "first name; last name; full name; given name; family name; surname; maiden name; birth name; middle "
    "name; patient name; customer name; client name; employee name; student name; user name; username; forename; "
    "fname; lname; initials; vorname; nachname; familienname; geburtsname; patientenname; isim; soyad; "
    "soyadi; ad soyad; adi soyadi",
    "telephone": "phone; telephone; tel; mobile; cell phone; telefon; telefonnummer; handy; mobil; gsm; cep telefonu",
    "fax": "fax; faxnummer; faks",
    "e-mail": "email; e mail; mail; eposta; e posta",
    "social-security": "ssn; social security; national id; tckn; tc kimlik; sozialversicherungsnummer; svnr",
    "medical-record": "mrn; medical record; record number; patient id; patient number; chart number; encounter id; "
    "case number; case id; patientennummer; patienten id; fallnummer; hasta no",
    "health-plan": "health plan; beneficiary; member id; subscriber id; insurance number; policy number; medicaid id; "
    "medicare id; versichertennummer; versicherungsnummer",
    "account": "account; account number; account id; iban; bic; credit card; card number; kontonummer; konto; hesap no",
    "licence": "license; licence; license number; licence number; certificate number; drivers license; passport; "
    "fuhrerschein; ausweisnummer; personalausweis; reisepass; ehliyet; pasaport",
    "vehicle": "vin; vehicle id; vehicle identification; license plate; plate; kennzeichen; plaka",
    "device": "device id; device; serial number; serial; imei; mac address; seriennummer; seri no",
    "web": "url; website; web page; homepage; web site",
    "internet": "ip; ip address",
    "biometric": "fingerprint; finger print; voiceprint; voice print; retina; iris scan; biometric; biometrics; dna; "
    "fingerabdruck; parmak izi",
    "photo": "photo; photograph; picture; face image; portrait; foto; bild",
    "other": "person id; employee id; student id; customer id; client id; user id; login; tax id; personalnummer; "
    "matrikelnummer; kundennummer; steuernummer; steuer id; uuid; guid",
}

_CELLS = {
    "telephone": re.compile(
        r"(?<![\w.+-])(?:\+\d{1,3}[ ./-]?)?\(?\d{3}\)?[ ./-]\d{3}[ ./-]\d{4}(?![\w-])"
        r"|(?<![\w+])\+\d{1,3}[ /.-]?\(?\d{1,4}\)?([ /.-]?\d{2,4}){2,4}(?!\w)"
    ),
    "e-mail": re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,}"),
    "social-security": re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"),
    "account": re.compile(r"(?<!\w)[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){3,7}( ?[A-Z0-9]{1,3})?(?!\w)"),
    "web": re.compile(r"(https?://|www\.)\S+"),
    "internet": re.compile(r"(?<![\d.])(\d{1,3}\.){3}\d{1,3}(?![\d.])|([0-9a-fA-F]{1,4}:){4,7}[0-9a-fA-F]{1,4}"),
    "other": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
}


@RULES.register
@dataclass(frozen=True, slots=True)
class NoIdentifier(Rule):
    """No published column is headed by such a word, and no cell looks like one."""

    name: ClassVar[str] = "identifier"
    title: ClassVar[str] = "Identifiers of a kind"
    summary: ClassVar[str] = "No column whose head or cells speak of this kind of identifier leaves."

    kind: str = param(Choice(KINDS), default="names", label="Kind", help="What must not be there.")
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Name the kind."""
        return message("None: {kind}", kind=message(KINDS[self.kind]))

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at heads and cells of everything that leaves."""
        found = [
            told for column, cells in shown.published(self.agreed) if (told := self._found(column, cells)) is not None
        ]
        if found:
            return RuleResult(False, join_messages(message("Found: {found}.", found=found), skipped_note(self.agreed)))
        return RuleResult(
            True, join_messages(message("Neither heads nor cells speak of it."), skipped_note(self.agreed))
        )

    def _found(self, column: PolicyColumn, cells: Mapping[str, int]) -> Message | None:
        if column.pseudonym:
            return None  # another rule is about codes that stand for somebody
        if _is_headed(column.name, self.kind):
            return message("the head of “{column}”", column=column.name)
        pattern = _CELLS.get(self.kind)
        rows = sum(count for text, count in cells.items() if pattern.search(text)) if pattern else 0
        if rows:
            return message("“{column}” in {rows:row|rows}", column=column.name, rows=rows)
        present = sum(cells.values())
        is_unique = column.role is not Role.QI and present >= FEW_ROWS and len(cells) >= NEARLY_ALL * present
        if self.kind == "other" and is_unique:
            return message("“{column}”: nearly every row has its own value", column=column.name)
        return None


def _is_headed(name: str, kind: str) -> bool:
    if kind == "names" and (words_in_name(name) == ["name"] or short_person_name(name)):
        return True
    return header_mentions(name, _PHRASES[kind])


_PHRASES = {kind: split_phrases(text) for kind, text in _HEADS.items()}

_WHICH = {"none": "No pseudonyms", "not-derived": "None made of an identifier", "not-linkable": "None that link"}

_COUNTED = "numbered"
"""Pseudonyms that are numbers in an order only the key tells; all others are made of the identifier."""


@RULES.register
@dataclass(frozen=True, slots=True)
class NoCodes(Rule):
    """Pseudonyms are still about one person each; 45 CFR 164.514(c) allows codes that are not derived from one."""

    name: ClassVar[str] = "codes"
    title: ClassVar[str] = "Pseudonyms"
    summary: ClassVar[str] = "No pseudonyms, or none that are made of an identifier, or none that link releases."

    allowed: str = param(Choice(_WHICH), default="none", label="Allowed", help="Which pseudonyms may leave.")

    def demand(self) -> Message:
        """Say what is allowed."""
        return message("Pseudonyms: {which}", which=message(_WHICH[self.allowed]))

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at the ways pseudonyms were made."""
        there = [column for column, _ in shown.published() if column.pseudonym]
        if self.allowed == "not-derived":
            there = [column for column in there if column.pseudonym != _COUNTED]
        if self.allowed == "not-linkable" and not shown.linkable:
            there = []
        if there:
            return RuleResult(False, message("Published: {columns}.", columns=quote([column.name for column in there])))
        return RuleResult(True, message("There is none."))


_SMALL = split_phrases(
    "address; street; house number; city; town; county; district; municipality; precinct; parish; village; borough; "
    "neighborhood; neighbourhood; census tract; tract; census block; latitude; longitude; lat; lon; lng; geocode; gps; "
    "coordinates; birthplace; birth place; place of birth; adresse; anschrift; strasse; hausnummer; stadt; ort; "
    "wohnort; geburtsort; kreis; gemeinde; landkreis; adres; sokak; sehir; ilce; semt; mahalle"
)

_POSTAL = split_phrases("zip; zip code; zipcode; postcode; postal code; plz; postleitzahl; posta kodu; zcta; zip three")

_STATES = frozenset(
    text.strip()
    for text in """
    alabama;al;alaska;ak;arizona;az;arkansas;ar;california;ca;colorado;co;connecticut;ct;delaware;de;florida;fl;
    georgia;ga;hawaii;hi;idaho;id;illinois;il;indiana;in;iowa;ia;kansas;ks;kentucky;ky;louisiana;la;maine;me;
    maryland;md;massachusetts;ma;michigan;mi;minnesota;mn;mississippi;ms;missouri;mo;montana;mt;nebraska;ne;nevada;nv;
    new hampshire;nh;new jersey;nj;new mexico;nm;new york;ny;north carolina;nc;north dakota;nd;ohio;oh;oklahoma;ok;
    oregon;or;pennsylvania;pa;rhode island;ri;south carolina;sc;south dakota;sd;tennessee;tn;texas;tx;utah;ut;
    vermont;vt;virginia;va;washington;wa;west virginia;wv;wisconsin;wi;wyoming;wy;district of columbia;dc;puerto rico;
    pr;guam;gu;american samoa;as;us virgin islands;virgin islands;vi;northern mariana islands;mp;united states;usa;us;
    u.s.;northeast;midwest;south;west
    """.replace("\n", " ").split(";")
)  # fmt: skip


@RULES.register
@dataclass(frozen=True, slots=True)
class NoSmallPlaces(Rule):
    """Columns whose head speaks of a place show states of the United States, or nothing."""

    name: ClassVar[str] = "places"
    title: ClassVar[str] = "Places"
    summary: ClassVar[str] = "No street, city, county or other place smaller than a state leaves."

    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say what is not allowed."""
        return message("No place smaller than a state, postal areas aside")

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at the columns that are headed by a place."""
        return check_cells(shown, lambda column, _: header_mentions(column.name, _SMALL), _is_small, self.agreed)


@RULES.register
@dataclass(frozen=True, slots=True)
class PostalAreas(Rule):
    """Three digits of a postal code where at least so many people live by a table of one's own; 000 elsewhere."""

    name: ClassVar[str] = "postal-areas"
    title: ClassVar[str] = "Postal areas"
    summary: ClassVar[str] = "At most three digits of a postal code, and those only where enough people live."

    columns: tuple[str, ...] = param(
        ListOf(Text(), most=200),
        default=(),
        label="Columns",
        help="Columns of postal codes beside those whose heads say so, separated by commas.",
    )
    people: int = param(Int(low=0), default=20_000, label="People", help="So many must be exceeded in every area.")
    populations: tuple[tuple[str, float], ...] = param(
        Shares(), default=(), label="People of each area", help="Three digits and their people, such as 021=700000."
    )
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say digits and people."""
        return message(
            "At most three digits of a postal code, of areas with more than {people:,} people", people=self.people
        )

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at every cell; an area the table does not know counts as small."""
        large = {area for area, people in self.populations if people > self.people}

        def is_bad(_: PolicyColumn, text: str) -> bool:
            area = postal_area(text)
            return area is None or (area not in ("", "000") and area not in large)

        found = check_cells(shown, self._is_postal, is_bad, self.agreed)
        if found.holds or self.populations:
            return found
        missing = message("No table says how many people live in an area: add one.")
        return RuleResult(False, join_messages(found.sentence, missing))

    def _is_postal(self, column: PolicyColumn, cells: Mapping[str, int]) -> bool:
        return column.name in self.columns or header_mentions(column.name, _POSTAL)


def _is_small(_: PolicyColumn, text: str) -> bool:
    plain = text.strip().casefold()
    return bool(plain.strip("*")) and plain not in _STATES


_DATES = split_phrases(
    "date; dob; birth date; birthdate; birthday; date of birth; born; admission; admitted; discharge; discharged; "
    "death date; date of death; died; timestamp; datum; geburtsdatum; geburtstag; aufnahmedatum; entlassungsdatum; "
    "sterbedatum; tarih; dogum tarihi; yatis tarihi; taburcu tarihi"
)

_BIRTH = split_phrases(
    "dob; birth date; birthdate; birthday; date of birth; born; birth year; year of birth; yob; geburtsdatum; "
    "geburtstag; geburtsjahr; dogum; dogum tarihi; dogum yili"
)

_AGES = split_phrases("age; ages; alter; yas")

_OLDEST = 110
"""A range up to here holds everybody."""

_MOST = 0.5


@RULES.register
@dataclass(frozen=True, slots=True)
class DatesToTheYear(Rule):
    """Columns of dates show years or ranges of years, nothing finer."""

    name: ClassVar[str] = "dates"
    title: ClassVar[str] = "Dates"
    summary: ClassVar[str] = "No published date is finer than the year."

    columns: tuple[str, ...] = param(
        ListOf(Text(), most=200),
        default=(),
        label="Columns",
        help="Columns of dates beside those whose heads or cells say so, separated by commas.",
    )
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say what is left of dates."""
        return message("No date finer than the year")

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at every cell of every column that seems to hold dates."""
        return check_cells(shown, self._holds_dates, lambda _, text: not is_year_at_most(text), self.agreed)

    def _holds_dates(self, column: PolicyColumn, cells: Mapping[str, int]) -> bool:
        if column.name in self.columns or column.type is ColumnType.DATE or header_mentions(column.name, _DATES):
            return True
        dated = sum(1 for text in cells if LIKE_A_DATE.fullmatch(text.strip()))
        return column.type not in (ColumnType.INTEGER, ColumnType.DECIMAL) and dated > _MOST * max(len(cells), 1)


@RULES.register
@dataclass(frozen=True, slots=True)
class AgesInOneGroup(Rule):
    """Whoever is older than the limit is in one group, such as 90+; years of birth tell ages, too."""

    name: ClassVar[str] = "ages"
    title: ClassVar[str] = "High ages"
    summary: ClassVar[str] = "Ages above a limit, and years of birth that tell them, stand in one group."

    highest: int = param(Int(low=1, high=120), default=89, label="Highest age", help="Above it there is one group.")
    columns: tuple[str, ...] = param(
        ListOf(Text(), most=200),
        default=(),
        label="Columns",
        help="Columns of ages beside those whose heads say so, separated by commas.",
    )
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say the limit."""
        return message("Ages over {highest} in one group", highest=self.highest)

    def judge(self, shown: PolicyView) -> RuleResult:
        """Look at ages, then at years of birth."""
        ages = check_cells(shown, self._holds_ages, self._tells_age, self.agreed)
        first = shown.year - self.highest  # whoever was born before the end of the year before it may be older
        births = check_cells(shown, _holds_births, lambda _, text: _tells_birth(text, first), self.agreed)
        if ages.holds and births.holds:
            return ages if not any(_holds_births(column, {}) for column, _ in shown.published()) else births
        told = [answer.sentence for answer in (ages, births) if not answer.holds]
        return RuleResult(False, join_messages(*told, skipped_note(self.agreed)) if len(told) > 1 else told[0])

    def _holds_ages(self, column: PolicyColumn, cells: Mapping[str, int]) -> bool:
        return column.name in self.columns or header_mentions(column.name, _AGES)

    def _tells_age(self, column: PolicyColumn, text: str) -> bool:
        """Tell whether a cell gives away that somebody is older than the limit, other than by the one group.

        A plain number is the group where a step of preparation wrote all larger ones as it.
        """
        span = number_range(text)
        if span is None or span[0] <= self.highest:
            return False
        is_all_of_them = span[0] <= self.highest + 1 and (span[1] >= _OLDEST or text == column.top)
        return not is_all_of_them


def _holds_births(column: PolicyColumn, cells: Mapping[str, int]) -> bool:
    return header_mentions(column.name, _BIRTH)


def _tells_birth(text: str, first: int) -> bool:
    """Tell whether a cell says that somebody was born before a year; ranges that go on beyond it do not."""
    span = number_range(text)
    return span is not None and span[1] < first - math.isinf(span[0])


_MOST_ROWS = 100_000

_AREA_DIGITS = 3


def read_areas(path: Path, progress: Progress = SILENT) -> dict[str, int]:
    """Read areas and their people from the first two columns; codes of more digits are added up by the first three.

    Raises UnreadableFile with one sentence for the first row that does not fit.
    """
    table = read_table(path, ReadOptions(), progress)[0]
    if len(table.columns) < 2 or table.n_rows > _MOST_ROWS:
        raise _unfit(path)
    found: dict[str, int] = {}
    codes, people = (column.texts().tolist() for column in table.columns[:2])
    for code, count in zip(codes, people, strict=True):
        plain = str(count).replace(",", "").replace(" ", "")
        if not (code.isascii() and code.isdigit() and plain.isascii() and plain.isdigit()) or len(plain) > 10:
            raise _unfit(path)
        area = (code.zfill(_AREA_DIGITS) if len(code) <= _AREA_DIGITS else code.zfill(5))[:_AREA_DIGITS]
        found[area] = found.get(area, 0) + int(plain)
    return found


def with_areas(policy: RuleSet, areas: dict[str, int]) -> RuleSet:
    """Give a policy whose rules about postal areas know how many people live there."""
    populations = tuple(sorted((area, float(people)) for area, people in areas.items()))
    rules = [replace(rule, populations=populations) if isinstance(rule, PostalAreas) else rule for rule in policy.rules]
    return replace(policy, rules=tuple(rules))


def has_area_rule(policy: RuleSet) -> bool:
    """Tell whether a policy has a rule about postal areas."""
    return any(isinstance(rule, PostalAreas) for rule in policy.rules)


def needs_area_table(policy: RuleSet) -> bool:
    """Tell whether a policy has a rule about postal areas that knows no people yet."""
    return any(isinstance(rule, PostalAreas) and not rule.populations for rule in policy.rules)


def _unfit(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” is no table of areas and their people.", name=path.name),
        "Its first column must hold postal codes in digits, its second how many people live there.",
    )


def safe_harbor() -> RuleSet:
    """Give the eighteen identifiers of the HIPAA Privacy Rule: names, places, dates, and fifteen more."""
    names, *others = KINDS
    return RuleSet(
        message("HIPAA Safe Harbor"),
        (
            NoIdentifier(names),
            NoSmallPlaces(),
            PostalAreas(),
            DatesToTheYear(),
            AgesInOneGroup(),
            *(NoIdentifier(kind) for kind in others),
            NoCodes("not-derived"),
        ),
        "45 CFR 164.514(b)(2)",
        (
            message("whether the house actually knows that somebody could be identified (b)(2)(ii)"),
            message("names, places and dates inside free text, pictures and sound"),
            message("columns whose heads do not say what they hold"),
        ),
    )


def k_and_l() -> RuleSet:
    """Give the rule of thumb of many data centres: cells of at least eleven, and no class that agrees."""
    return RuleSet(
        message("k = 11, no class without l = 2"),
        (SmallestClass(11), DifferentValues(2)),
        message("Usual for health data: the cell size policy of the Centers for Medicare & Medicaid Services (11)"),
    )


BUILT_IN: dict[str, Callable[[], RuleSet]] = {"safe-harbor": safe_harbor, "k11-l2": k_and_l}


def built_in(name: str) -> RuleSet:
    """Give a policy by its name; raises BadParameter with the names there are."""
    if name not in BUILT_IN:
        raise BadParameter(
            message("There is no policy “{name}”.", name=name),
            message("There are: {known}; or name a file that ends in .json or .toml.", known=list(BUILT_IN)),
        )
    return BUILT_IN[name]()
