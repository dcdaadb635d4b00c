"""No place smaller than a state, and postal areas of three digits only where many people live."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Int, ListOf, Shares, Text, param
from anonymizer_gui.engine.rooms.microdata.policies.cell_texts import area_of
from anonymizer_gui.engine.rooms.microdata.policies.contract import (
    AGREED,
    RULES,
    Answer,
    Rule,
    Shown,
    ShownColumn,
    phrases,
    speaks_of,
    without_bad_cells,
)

_SMALL = phrases(
    "address; street; house number; city; town; county; district; municipality; precinct; parish; village; borough; "
    "neighborhood; neighbourhood; census tract; tract; census block; latitude; longitude; lat; lon; lng; geocode; gps; "
    "coordinates; birthplace; birth place; place of birth; adresse; anschrift; strasse; hausnummer; stadt; ort; "
    "wohnort; geburtsort; kreis; gemeinde; landkreis; adres; sokak; sehir; ilce; semt; mahalle"
)
_POSTAL = phrases("zip; zip code; zipcode; postcode; postal code; plz; postleitzahl; posta kodu; zcta; zip three")
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

    def judge(self, shown: Shown) -> Answer:
        """Look at the columns that are headed by a place."""
        return without_bad_cells(shown, lambda column, _: speaks_of(column.name, _SMALL), _is_small, self.agreed)


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

    def judge(self, shown: Shown) -> Answer:
        """Look at every cell; an area the table does not know counts as small."""
        large = {area for area, people in self.populations if people > self.people}

        def is_bad(_: ShownColumn, text: str) -> bool:
            area = area_of(text)
            return area is None or (area not in ("", "000") and area not in large)

        found = without_bad_cells(shown, self._is_postal, is_bad, self.agreed)
        if found.holds or self.populations:
            return found
        missing = message("No table says how many people live in an area: add one.")
        return Answer(False, join_messages(found.sentence, missing))

    def _is_postal(self, column: ShownColumn, cells: Mapping[str, int]) -> bool:
        return column.name in self.columns or speaks_of(column.name, _POSTAL)


def _is_small(_: ShownColumn, text: str) -> bool:
    plain = text.strip().casefold()
    return bool(plain.strip("*")) and plain not in _STATES
