"""Words in column names that tell what a column is to privacy, in English, German and Turkish."""

import re
import unicodedata

from anonymizer_gui.engine.shapes.tables.table import Role

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


def words_of(name: str) -> list[str]:
    """Split a column name into lower-case words without diacritics.

    >>> words_of("Geburts_Datum"), words_of("zipCode2"), words_of("Doğum Yılı")
    (['geburts', 'datum'], ['zip', 'code'], ['dogum', 'yili'])
    """
    name = name.replace("ß", "ss").replace("ı", "i").replace("İ", "I")
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return re.findall(r"[a-z]+", spaced.lower())


def role_by_name(name: str) -> tuple[Role, str] | None:
    """Find the role a column's name speaks for, and the words that do; the longest phrase decides."""
    words = words_of(name)
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
        {"id", "uuid", "guid", "key", "nr", "nummer", "no", "kimlik", "rowid", "identifier"} & set(words_of(name))
    )


def name_in_short(name: str) -> str:
    """Give the word when a column is called just `first`, `last` or the like; nothing otherwise.

    >>> name_in_short("First"), name_in_short("last_visit")
    ('first', '')
    """
    words = words_of(name)
    return words[0] if len(words) == 1 and words[0] in _NAMES_IN_SHORT else ""
