"""Baskets: what is protected is a basket, a customer with several of them, or a single item in somebody's basket."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, BasketOptions, Baskets
from anonymizer_gui.engine.data.baskets.reading import likelihood, read_source, sniff_options
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.gateway import draw_lots
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, KIND_OPTION, DataKind, Surplus
from anonymizer_gui.engine.storage.sources import Source

_AS_LIKELY_AS_A_TABLE = 0.4


@DATA_KINDS.register
class BasketKind(DataKind):
    """A basket is a row; a customer may have several."""

    name: ClassVar[str] = "baskets"
    title: ClassVar[str] = "Baskets"
    summary: ClassVar[str] = "Sets of items, such as purchases; a row is a basket, and a customer may have several."

    def accepts(self, path: Path, head: bytes) -> float:
        """Take lines of different lengths before tables do."""
        chance = likelihood(path, head)
        return chance if chance > _AS_LIKELY_AS_A_TABLE else 0.0

    def read(self, source: Source, progress: Progress) -> ReadFile:
        """Read baskets with the options they were read with before."""
        kept = {name: value for name, value in source.options.items() if name != KIND_OPTION}
        options = from_json(BasketOptions, kept) if kept else sniff_options(Path(source.path))
        baskets, found, read = read_source(source, options, progress)
        return ReadFile(baskets, replace(read, options={KIND_OPTION: self.name, **read.options}), found.problems)

    def columns(self, data: Baskets) -> tuple[str, ...]:
        """Name the items, and the columns beside the baskets."""
        return (ITEMS, *data.beside.names)

    def rows(self, data: Baskets) -> int:
        """Give the number of baskets."""
        return len(data)

    def units(self) -> Mapping[Neighbours, Message]:
        """Speak of baskets and customers."""
        return {
            Neighbours.ROW: message("A basket more or less"),
            Neighbours.CHANGE: message("A basket that is changed; how many there are is public"),
            Neighbours.PERSON: message("A customer with several baskets"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Speak of baskets and customers."""
        if unit.kind is Neighbours.PERSON:
            return message(
                "Nobody can tell whether a customer with up to {rows:basket|baskets} is there.", rows=unit.rows
            )
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell what is in a basket; how many baskets there are is public.")
        return message("Nobody can tell whether a basket is there.")

    def cut(self, data: Baskets, unit: PrivacyUnit, surplus: Surplus) -> Baskets:
        """Keep at most so many baskets of every customer."""
        if unit.kind is not Neighbours.PERSON:
            return data
        people = data.beside.column(unit.column).codes.astype(np.int64)
        lot = draw_lots(len(data)) if surplus == "sampled" else np.arange(len(data), dtype=np.uint64)
        order = np.lexsort((lot, people))
        begins = np.diff(people[order], prepend=-1) != 0
        place = np.arange(len(data)) - np.maximum.accumulate(np.where(begins, np.arange(len(data)), 0))
        return data.take(np.sort(order[place < unit.rows]))

    def part(self, data: Baskets, part: Part) -> Baskets:
        """Keep the baskets with a value of a column beside them."""
        column = data.beside.column(part[0])
        wanted = np.array([label == part[1] for label in column.labels] or [False])
        return data.take(np.flatnonzero(wanted[column.codes]) if len(column) else np.empty(0, dtype=np.int64))

    def fingerprint(self, data: Baskets, key: bytes, progress: Progress = SILENT) -> str:
        """Add up keyed numbers of all baskets, whatever is protected in them: their order makes no difference."""
        total = 0
        beside = [[str(text) for text in column.texts()] for column in data.beside.columns]
        for at, held in enumerate(data.sets()):
            if at % 4096 == 0:
                progress(at / max(len(data), 1), "Recognising the data")
            row = repr((held, [texts[at] for texts in beside])).encode("utf-8", "surrogatepass")
            total += int.from_bytes(hashlib.blake2b(row, key=key, digest_size=16).digest(), "big")
        told = repr((BasketKind.name, len(data), sorted(data.beside.names), total % (1 << 128))).encode()
        return hmac.digest(key, told, "sha256").hex()

    def some(self, data: Baskets, rows: int) -> Baskets:
        """Take the first baskets."""
        return data.take(np.arange(min(rows, len(data))))

    def neighbours(self, data: Baskets, unit: PrivacyUnit) -> Iterator[Baskets]:
        """Leave out, double or exchange one basket; for customers all they have or may have."""
        rows = np.arange(len(data))
        people = data.beside.column(unit.column).codes.astype(np.int64) if unit.column else rows
        for row in rows:
            without = rows[people != people[row]]
            if unit.kind is Neighbours.CHANGE:
                yield from (data.take(np.append(without, other)) for other in rows)
            else:
                yield data.take(without)
                yield data.take(np.append(rows, [row] * unit.rows))


@DATA_KINDS.register
class ItemKind(BasketKind):
    """A single item in somebody's basket is a row."""

    name: ClassVar[str] = "basket-items"
    title: ClassVar[str] = "Single items of baskets"
    summary: ClassVar[str] = "Baskets of which only a single item is protected; whoever holds several is known better."

    def accepts(self, path: Path, head: bytes) -> float:
        """Take nothing unasked: whole baskets are protected better."""
        return 0.0

    def columns(self, data: Baskets) -> tuple[str, ...]:
        """Name the items alone: a person has no unit of single items."""
        return (ITEMS,)

    def rows(self, data: Baskets) -> int:
        """Give the number of items in all baskets."""
        return len(data.codes)

    def units(self) -> Mapping[Neighbours, Message]:
        """Protect an item: there is no column by which people could be told apart."""
        return {
            Neighbours.ROW: message("An item of a basket more or less"),
            Neighbours.CHANGE: message("An item that is exchanged; how many there are is public"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Say that it is about a single item."""
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell which item it is; how many items there are is public.")
        return message("Nobody can tell whether an item is in a basket.")

    def cut(self, data: Baskets, unit: PrivacyUnit, surplus: Surplus) -> Baskets:
        """Keep everything: there is no column by which people could be told apart."""
        return data

    def part(self, data: Baskets, part: Part) -> Baskets:
        """Refuse parts: nothing beside the baskets is asked about."""
        raise BadParameter("Single items have no parts.", "Ask about all of them.")

    def neighbours(self, data: Baskets, unit: PrivacyUnit) -> Iterator[Baskets]:
        """Leave one item out of one basket."""
        for gone in range(len(data.codes)):
            kept = np.arange(len(data.codes)) != gone
            yield Baskets.from_pairs(data.basket_of[kept], _column(data, kept), len(data), data.beside)


def _column(data: Baskets, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Column:
    column = data.column(ITEMS)
    return replace(column, codes=column.codes[kept])
