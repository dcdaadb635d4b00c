"""Identifiers by their kind, found by the heads of columns and by what their cells look like.

The kinds are those of the Safe Harbor method, 45 CFR 164.514(b)(2)(i), that are not about places and dates.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Choice, ListOf, Text, param
from anonymizer_gui.engine.data.tables.column_profile import FEW_ROWS, NEARLY_ALL
from anonymizer_gui.engine.data.tables.suggestions import short_person_name, words_in_name
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import (
    AGREED,
    RULES,
    Answer,
    Rule,
    Shown,
    ShownColumn,
    passed_over,
    phrases,
    speaks_of,
)

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

    def judge(self, shown: Shown) -> Answer:
        """Look at heads and cells of everything that leaves."""
        found = [
            told for column, cells in shown.published(self.agreed) if (told := self._found(column, cells)) is not None
        ]
        if found:
            return Answer(False, join_messages(message("Found: {found}.", found=found), passed_over(self.agreed)))
        return Answer(True, join_messages(message("Neither heads nor cells speak of it."), passed_over(self.agreed)))

    def _found(self, column: ShownColumn, cells: Mapping[str, int]) -> Message | None:
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
    return speaks_of(name, _PHRASES[kind])


_PHRASES = {kind: phrases(text) for kind, text in _HEADS.items()}
