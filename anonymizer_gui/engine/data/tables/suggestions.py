"""Proposed type and role of every column, with the reason."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.column_profile import FEW_ROWS, NEARLY_ALL, ColumnFacts, column_facts
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.data.tables.values import TypeGuess, guess_type

# Without diacritics; a phrase is found as whole words in a row, or written as one word.
_IDENTIFYING = """
    ssn; social security; social security number; national id; identity number; passport; drivers license;
    license plate; email; e mail; mail; phone; telephone; tel; mobile; cell phone; fax; iban; bic; account
    number; account no; account id; credit card; card number; first name; last name; full name; given name;
    family name; surname; maiden name; birth name; middle name; patient name; customer name; client name;
    employee name; student name; user name; username; login; patient id; patient number; mrn; medical record
    number; customer id; client id; employee id; student id; person id; insurance number; policy number; tax
    id; tin; address; street; house number; ip; ip address; mac address; url; website; device id; imei;
    signature; photo; sozialversicherungsnummer; sv nummer; svnr; ausweisnummer; personalausweis; reisepass;
    fuhrerschein; kennzeichen; telefon; telefonnummer; handy; mobil; kontonummer; konto; kreditkarte; vorname;
    nachname; familienname; geburtsname; patientennummer; patienten id; patientenname; kundennummer;
    personalnummer; matrikelnummer; versichertennummer; versicherungsnummer; steuernummer; steuer id; adresse;
    anschrift; strasse; hausnummer; benutzername; tckn; tc kimlik; tc kimlik no; tc no; kimlik no; pasaport;
    ehliyet; plaka; eposta; e posta; cep; cep telefonu; gsm; hesap no; kredi karti; ad; adi; isim; soyad;
    soyadi; soyisim; ad soyad; adi soyadi; hasta no; hasta adi; musteri no; sicil no; ogrenci no; vergi no;
    adres; sokak; kullanici adi; imza; case number; case no; case id; docket; docket number; booking number;
    arrest number; warrant number; file number; fname; lname; forename; aktenzeichen; fallnummer; fall nr;
    geschaftszeichen; dosya no; esas no; vaka no
"""

_QUASI = """
    age; sex; gender; zip; zip code; zipcode; postcode; postal code; birth; birth date; birthdate; birthday;
    dob; date of birth; birth year; year of birth; nationality; citizenship; country; native country; race;
    ethnicity; ethnic; city; town; state; county; region; province; district; municipality; marital; marital
    status; education; degree; occupation; job; profession; workclass; employer; language; height; weight;
    admission; admission date; discharge date; death date; date of death; hospital; household; household size;
    children; relationship; hours per week; hours; work; nation; edu; blood type; alter; geschlecht; plz;
    postleitzahl; geburtsdatum; geburtsjahr; geburtstag; geburtsort; nationalitat; staatsangehorigkeit; land;
    herkunft; stadt; ort; wohnort; bundesland; kreis; familienstand; bildung; abschluss; beruf; arbeitgeber;
    sprache; grosse; gewicht; aufnahmedatum; entlassungsdatum; sterbedatum; kinder; yas; cinsiyet; posta kodu;
    dogum; dogum tarihi; dogum yili; dogum yeri; uyruk; ulke; sehir; il; ilce; semt; medeni; medeni hal;
    medeni durum; egitim; ogrenim; meslek; dil; boy; kilo; yatis tarihi; taburcu tarihi; cocuk
"""

_SENSITIVE = """
    diagnosis; diagnoses; disease; illness; condition; disorder; symptom; icd; medication; drug; treatment;
    therapy; procedure; hiv; disability; allergy; pregnancy; test result; income; salary; wage; pay; earnings;
    debt; credit score; balance; charge; charges; cost; religion; belief; political; party; vote; sexual
    orientation; orientation; union; crime; conviction; offence; offense; grade; score; purchase; health;
    diagnose; krankheit; erkrankung; medikament; behandlung; therapie; behinderung; allergie; schwangerschaft;
    befund; einkommen; gehalt; lohn; schulden; kontostand; kosten; religionszugehorigkeit; konfession; partei;
    gewerkschaft; straftat; note; tani; teshis; hastalik; ilac; tedavi; engel; engellilik; alerji; gebelik;
    gelir; maas; ucret; borc; bakiye; masraf; din; mezhep; siyasi; parti; sendika; suc; not
"""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(";"))


_NAMES_IN_SHORT = frozenset({"first", "last", "middle", "given", "family", "maiden"})
"""What a part of a name is called when the rest of the words is left away; most other columns may be called so, too."""

_ROLES = ((Role.EI, _phrases(_IDENTIFYING)), (Role.SA, _phrases(_SENSITIVE)), (Role.QI, _phrases(_QUASI)))

_JOINED = {phrase.replace(" ", ""): role for role, phrases in reversed(_ROLES) for phrase in phrases}


def words_in_name(name: str) -> list[str]:
    """Split a column name into lower-case words without diacritics.

    >>> words_in_name("Geburts_Datum"), words_in_name("zipCode2"), words_in_name("Doğum Yılı")
    (['geburts', 'datum'], ['zip', 'code'], ['dogum', 'yili'])
    """
    name = name.replace("ß", "ss").replace("ı", "i").replace("İ", "I")
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return re.findall(r"[a-z]+", spaced.lower())


def role_from_name(name: str) -> tuple[Role, str] | None:
    """Find the role a column's name speaks for, and the words that do; the longest phrase decides."""
    words = words_in_name(name)
    if (whole := "".join(words)) in _JOINED:
        return _JOINED[whole], " ".join(words)
    if words == ["name"]:
        return Role.EI, "name"
    for length in range(min(len(words), 4), 0, -1):
        for start in range(len(words) - length + 1):
            phrase = " ".join(words[start : start + length])
            for role, phrases in _ROLES:
                if phrase in phrases:
                    return role, phrase
    return None


def is_number_of_something(name: str) -> bool:
    """Tell whether a name speaks of an identifier: `id`, `no`, `nr`, `key`, `uuid`."""
    return bool(
        {"id", "uuid", "guid", "key", "nr", "nummer", "no", "kimlik", "rowid", "identifier"} & set(words_in_name(name))
    )


def short_person_name(name: str) -> str:
    """Give the word when a column is called just `first`, `last` or the like; nothing otherwise.

    >>> short_person_name("First"), short_person_name("last_visit")
    ('first', '')
    """
    words = words_in_name(name)
    return words[0] if len(words) == 1 and words[0] in _NAMES_IN_SHORT else ""


_PATTERNS = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "social security numbers": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "bank accounts (IBAN)": re.compile(r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,4})?"),
    "IP addresses": re.compile(r"(\d{1,3}\.){3}\d{1,3}|([0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4}"),
    "web addresses": re.compile(r"(https?://|www\.)\S+"),
    "unique keys (UUID)": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "phone numbers": re.compile(
        r"(\+\d{1,3}|00\d{1,3}|\(?0\d{1,4}\)?|\(\d{3}\))[\s/.-]?\(?\d{2,4}\)?([\s/.-]?\d{2,5}){1,4}"
    ),
}

_PHONE = "phone numbers"

_MATCHING_SHARE = 0.8

_SAMPLE = 1000

_WORDS = (ColumnType.CATEGORY, ColumnType.TEXT)

_MANY = 1 / 2


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a column seems to be, and why; `doubt` says what to check about its type."""

    column: str
    type: ColumnType
    format: str
    role: Role
    reason: str
    distinction: float = 0.0
    """Different values per row that has one."""
    misfits: int = 0
    doubt: str = ""


def suggest_columns(table: Table, progress: Progress = SILENT, decimal: str = ".") -> tuple[Suggestion, ...]:
    """Propose type and role of every column, in order."""
    found = []
    for number, column in enumerate(table.wholes()):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        guess = guess_type(column, decimal)
        facts = column_facts(column)
        role, reason = _role(column, guess, facts)
        share = facts.distinct_share
        found.append(
            Suggestion(column.name, guess.type, guess.format, role, reason, share, guess.misfits, _doubt(guess))
        )
    return tuple(found)


def guess_types(table: Table, progress: Progress = SILENT, decimal: str = ".") -> dict[str, TypeGuess]:
    """Guess the type of every column; roles are the user's to decide."""
    guesses = {}
    for number, column in enumerate(table.wholes()):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        guesses[column.name] = guess_type(column, decimal)
    return guesses


def guessed_schema(guesses: Mapping[str, TypeGuess]) -> Schema:
    """Make a schema of guessed types, in which no column has a role."""
    return Schema(tuple(ColumnSchema(name, guess.type, guess.format) for name, guess in guesses.items()))


def schema_after(table: Table, schema: Schema) -> Schema:
    """Give the schema of a table that was read otherwise: columns that are gone lose their entry, new ones get one."""
    known = {column.name: column for column in schema.columns}
    new = table.select([name for name in table.names if name not in known])
    guessed = {column.name: column for column in guessed_schema(guess_types(new)).columns}
    return Schema(tuple(known.get(name) or guessed[name] for name in table.names))


def _doubt(guess: TypeGuess) -> Message:
    unfit = message("{count:cell does|cells do} not fit the type.", count=guess.misfits) if guess.misfits else ""
    return join_messages(guess.doubt, unfit)


def identifying_columns(
    table: Table, types: Sequence[ColumnType], progress: Progress = SILENT
) -> tuple[tuple[str, str], ...]:
    """Name the columns that seem to point to one person by themselves, each with the reason."""
    found = []
    for number, (column, column_type) in enumerate(zip(table.wholes(), types, strict=True)):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        if why := why_identifying(column, column_type):
            found.append((column.name, why))
    return tuple(found)


def why_identifying(column: Column, column_type: ColumnType) -> str:
    """Say why a column seems to point to one person by itself; nothing when it does not.

    Here numbers with many digits count as well: whoever knows an exact amount finds the row.
    """
    by_itself = _identifying(column, column_type)
    if by_itself:
        return by_itself
    facts = column_facts(column)
    if facts.is_nearly_unique or facts.singles_out_most:
        sentence = "{share:.0%} of the {rows:,} rows with a value have one of their own."
        return message(sentence, share=facts.unique_share, rows=facts.present)
    return ""


def _identifying(column: Column, column_type: ColumnType) -> str:
    """Say why name or pattern speak for an identifier; nothing when they do not."""
    if what := _pattern(column, column_type):
        return message("The values look like {what}.", what=message(what))
    named = role_from_name(column.name) or _name_of_words(column, column_type)
    return _named(*named) if named and named[0] is Role.EI else ""


def _role(column: Column, guess: TypeGuess, facts: ColumnFacts) -> tuple[Role, str]:
    if why := _identifying(column, guess.type):
        return Role.EI, why
    named = role_from_name(column.name)
    if named:
        return named[0], _named(*named)
    if guess.type is ColumnType.PLACE:
        return Role.QI, message("These are places: where somebody lives or works is easily known.")
    if guess.type is ColumnType.SET:
        return Role.QI, message("These are sets: others may know a few items of somebody.")
    if found := _telling_values(guess, facts):
        return found
    if is_number_of_something(column.name) and facts.distinct_share > _MANY:
        return Role.EI, message("The name speaks of a number given to one person, and most rows have their own.")
    return Role.OTHER, message("Neither the name nor the values speak for another role.")


def _name_of_words(column: Column, column_type: ColumnType) -> tuple[Role, str] | None:
    """Take `first` and `last` for parts of a person's name when there are words below them."""
    word = short_person_name(column.name) if column_type in _WORDS else ""
    return (Role.EI, word) if word else None


def _telling_values(guess: TypeGuess, facts: ColumnFacts) -> tuple[Role, str] | None:
    """Judge by how many rows have a value of their own; rows without a value say nothing about those with one."""
    if facts.present < FEW_ROWS or guess.type is ColumnType.DECIMAL:
        return None
    share = facts.distinct_share
    if share == 1:
        rows = facts.present
        if facts.missing:
            return Role.EI, message("Every one of the {rows:,} rows that have a value has its own.", rows=rows)
        return Role.EI, message("Every one of the {rows:,} rows has its own value.", rows=rows)
    if share >= NEARLY_ALL:
        return Role.EI, message("There are nearly as many different values as rows ({share:.1%}).", share=share)
    if guess.type is ColumnType.DATE and "%S" in guess.format and share > _MANY:
        return Role.QI, message(
            "These are moments to the second, and most rows have their own ({share:.1%}).", share=share
        )
    return None


def _named(role: Role, words: str) -> Message:
    if role is Role.EI:
        return message("The name says “{words}”: it points to one person.", words=words)
    if role is Role.SA:
        return message("The name says “{words}”: people may not want it known.", words=words)
    return message(
        "The name says “{words}”: others may know it, and together with more it can point to one person.", words=words
    )


def _pattern(column: Column, column_type: ColumnType) -> str:
    """Name the pattern that most values follow; nothing if none."""
    labels = [label for label in column.labels if label != MISSING]
    sample = labels[:: max(len(labels) // _SAMPLE, 1)]
    if not sample or column_type is ColumnType.DATE:
        return ""
    for what, pattern in _PATTERNS.items():
        if what == _PHONE and column_type is ColumnType.DECIMAL:
            continue
        if sum(pattern.fullmatch(label) is not None for label in sample) >= _MATCHING_SHARE * len(sample):
            return what
    return ""
