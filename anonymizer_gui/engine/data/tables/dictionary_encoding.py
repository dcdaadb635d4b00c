"""Cells as places in a byte buffer, and the exact coding of equal ones without making a text of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import Codes, smallest_codes

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

_WORD = 8
_WORDS_AT_MOST = 64
_KEYS_AT_MOST = 8
_NEARLY_ALL = 0.9
_AT_ONCE = 1 << 14  # small enough for the arrays to stay in the cache
_LABELS_AT_ONCE = 1 << 15  # a million in one call would keep every other thread waiting
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(_WORD + 1)], dtype=np.uint64)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)
_DIGITS = np.arange(0, 8 * _WORD, 16, dtype=np.uint64)


def padded(data: bytes) -> Bytes:
    """Give the bytes as an array with eight zero bytes behind them, so that a word can be read anywhere."""
    return np.frombuffer(data + bytes(_WORD), dtype=np.uint8)


def join_zero_ended(labels: Sequence[str], folded: bool = False) -> bytes:
    """Give labels one behind the other, each ended by a zero byte; folded: in one case."""
    return b"".join(
        _zero_ended(labels[at : at + _LABELS_AT_ONCE], folded) for at in range(0, len(labels), _LABELS_AT_ONCE)
    )


def _zero_ended(labels: Sequence[str], folded: bool) -> bytes:
    text = "\0".join(labels) + "\0"
    if text.count("\0") > len(labels):  # databases and the like may hold such a character
        text = "\0".join(label.replace("\0", " ") for label in labels) + "\0"
    return (text.casefold() if folded else text).encode("utf-8", "surrogatepass")


def text_order(labels: Sequence[str]) -> Places:
    """Give the places of texts in their order; those that are equal stay as they are.

    Unlike Python's own sorting this lets other threads go on, such as that of a window.

    >>> text_order(["b", "a", "b"]).tolist()
    [1, 0, 2]
    """
    return byte_order(join_zero_ended(labels))


def sorted_distinct(texts: Sequence[str]) -> list[str]:
    """List the texts there are, each once, in their order.

    >>> sorted_distinct(["b", "a", "b"])
    ['a', 'b']
    """
    seen: dict[str, None] = {}
    for at in range(0, len(texts), _LABELS_AT_ONCE):
        seen.update(dict.fromkeys(texts[at : at + _LABELS_AT_ONCE]))
    found = list(seen)
    return [found[at] for at in text_order(found).tolist()]


def byte_order(text: bytes) -> Places:
    """Give the places of zero-ended cells in the order of their bytes, which for UTF-8 is that of their texts."""
    ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == 0)
    starts = np.concatenate([np.zeros(1, dtype=np.int64), ends + 1])[: len(ends)]
    return np.argsort(ByteCells(padded(text), starts, ends - starts).distinct_in_order()[0], kind="stable")


@dataclass(frozen=True, slots=True)
class ByteCells:
    """Cells of one column: where each starts in the buffer and how many bytes it has; none holds a zero byte."""

    buffer: Bytes
    starts: Places
    lengths: Places

    def word(self, number: int, rows: Places | slice) -> Words:
        """Read the bytes from `8 * number` on of cells that are longer than that, zero behind their end."""
        anywhere: Words = np.ndarray(len(self.buffer) - _WORD + 1, np.dtype("<u8"), self.buffer, strides=(1,))
        skipped = _WORD * number
        words: Words = anywhere[self.starts[rows] + skipped if number else self.starts[rows]]
        words &= _MASKS[np.minimum(self.lengths[rows], skipped + _WORD) - skipped]
        return words

    def take(self, rows: Places) -> "ByteCells":
        """Keep some cells."""
        return ByteCells(self.buffer, self.starts[rows], self.lengths[rows])

    def joined(self) -> Bytes:
        """Copy the cells one behind the other, each followed by a zero byte."""
        parts = [self._joined(slice(at, at + _AT_ONCE)) for at in range(0, len(self.starts), _AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint8)

    def _joined(self, rows: slice) -> Bytes:
        sizes = self.lengths[rows] + 1
        stops = np.cumsum(sizes)
        places = np.repeat(self.starts[rows] - (stops - sizes), sizes)
        places += np.arange(len(places))
        copy: Bytes = self.buffer[places]
        copy[stops - 1] = 0
        return copy

    def distinct(self) -> tuple[npt.NDArray[np.int64], Places]:
        """Number the distinct cells: the number of each cell, and one cell of each number."""
        import pandas as pd  # takes longer to load than most files to read

        first = self.word(0, slice(None))
        further = self._further()
        mixed = first.copy() if further else first
        for rows, words in further:
            mixed[rows] = ((mixed[rows] ^ (mixed[rows] >> _SHIFT)) * _FACTOR) ^ words
        codes, uniques = pd.factorize(mixed)
        example = np.empty(len(uniques), dtype=np.int64)
        example[codes] = np.arange(len(codes))
        if further and not self._same(first, further, example[codes]):
            return self._distinct_bytes()
        return codes, example

    def distinct_in_order(self) -> tuple[Codes, Places]:
        """Number the distinct cells by their bytes, which for UTF-8 is the order of their texts."""
        if int(self.lengths.max(initial=0)) > _WORD * _KEYS_AT_MOST:
            return self._ordered(*self.distinct())
        keys = [self.word(0, slice(None)).byteswap()]
        for rows, words in self._further():
            keys.append(np.zeros(len(self.starts), dtype=np.uint64))
            keys[-1][rows] = words.byteswap()
        order = _order(keys)
        differs = np.zeros(len(order), dtype=bool)
        differs[:1] = True
        for key in keys:
            in_order = key[order]
            differs[1:] |= in_order[1:] != in_order[:-1]
        codes = np.empty(len(order), dtype=np.uint32)
        codes[order] = np.cumsum(differs, dtype=np.uint32) - 1
        return codes, order[differs]

    def _further(self) -> list[tuple[Places, Words]]:
        """Read the words behind the first one, each for the cells that are so long, and a number for what is behind."""
        longest = int(self.lengths.max(initial=0))
        found = []
        for number in range(1, min(-(-longest // _WORD), _WORDS_AT_MOST)):
            rows = np.flatnonzero(self.lengths > _WORD * number)
            found.append((rows, self.word(number, rows)))
        return [*found, self._tails()] if longest > _WORD * _WORDS_AT_MOST else found

    def _same(self, first: Words, further: list[tuple[Places, Words]], others: Places) -> bool:
        """Check word for word that every cell equals the other one named for it."""
        if not np.array_equal(first, first[others]) or not np.array_equal(self.lengths, self.lengths[others]):
            return False
        for rows, words in further:
            full = np.zeros(len(first), dtype=np.uint64)
            full[rows] = words
            if not np.array_equal(words, full[others[rows]]):
                return False
        return True

    def _ordered(self, codes: Places, example: Places) -> tuple[npt.NDArray[np.int64], Places]:
        """Renumber distinct cells, however long, by sorting their bytes."""
        rank = self.take(example)._ranks()
        order = np.argsort(rank)
        return rank[codes], example[order]

    def _ranks(self) -> Places:
        """Rank distinct cells word by word, the later words only of those whose place is still open.

        Unlike Python's own sorting this lets other threads go on, and reads no more than what tells cells apart.
        """
        rank = np.zeros(len(self.starts), dtype=np.int64)
        open_cells, number = np.arange(len(rank)), 0
        while len(open_cells):
            words = np.zeros(len(open_cells), dtype=np.uint64)
            reach = np.flatnonzero(self.lengths[open_cells] > _WORD * number)
            words[reach] = self.word(number, open_cells[reach]).byteswap()
            order = np.lexsort([words, rank[open_cells]])
            open_cells, words = open_cells[order], words[order]
            group = rank[open_cells]
            same = (group[1:] == group[:-1]) & (words[1:] == words[:-1])
            begins, places = np.concatenate([[True], ~same]), np.arange(len(group))
            of_group = np.concatenate([[True], group[1:] != group[:-1]])
            moved = np.maximum.accumulate(places * begins) - np.maximum.accumulate(places * of_group)
            rank[open_cells] = group + moved
            open_cells = open_cells[~begins | np.append(~begins[1:], False)]
            number += 1
        return rank

    def _tails(self) -> tuple[Places, Words]:
        """Number what lies behind the last word; the few cells that are so long are worth a dictionary."""
        rows = np.flatnonzero(self.lengths > _WORD * _WORDS_AT_MOST)
        return rows, self._numbered(rows, _WORD * _WORDS_AT_MOST)[0].astype(np.uint64)

    def _distinct_bytes(self) -> tuple[npt.NDArray[np.int64], Places]:
        """Number the cells through a dictionary, when two different cells fell on one key."""
        return self._numbered(np.arange(len(self.starts)), 0)

    def _numbered(self, rows: Places, skipped: int) -> tuple[npt.NDArray[np.int64], Places]:
        data = self.buffer.tobytes()
        known: dict[bytes, int] = {}
        starts = (self.starts[rows] + skipped).tolist()
        stops = (self.starts[rows] + self.lengths[rows]).tolist()
        codes = [known.setdefault(data[a:b], len(known)) for a, b in zip(starts, stops, strict=True)]
        example = np.empty(len(known), dtype=np.int64)
        example[codes] = rows
        return np.asarray(codes, dtype=np.int64), example


def _order(keys: Sequence[Words]) -> Places:
    """Sort by several words, the first one most important, sixteen bits at a time: numpy sorts those by counting."""
    parts = ((key >> shift).astype(np.uint16) for key in reversed(keys) for shift in _DIGITS)
    telling = [part for part in parts if len(part) and part.min() < part.max()]
    return np.lexsort(telling) if telling else np.arange(len(keys[0]))


class DictionaryEncoder:
    """Codes the cells of one column block by block; few more than the distinct cells are kept."""

    def __init__(self) -> None:
        self._codes: list[Codes] = []
        self._seen: list[Bytes] = []
        self._sizes: list[Places] = []
        self._all_differ = False  # then looking for equal cells within a block is not worth the time

    def add(self, cells: ByteCells) -> None:
        """Code the cells of the next rows."""
        if self._all_differ:
            codes, seen = np.arange(len(cells.starts)), cells
        else:
            codes, example = cells.distinct()
            seen = cells.take(example)
            self._all_differ = len(example) > _NEARLY_ALL * len(codes)
        self._codes.append(smallest_codes(codes, len(seen.starts)))
        self._seen.append(seen.joined())
        self._sizes.append(seen.lengths)

    def finish(self) -> tuple[npt.NDArray[np.integer[Any]], list[str]]:
        """Give the code of every row and the text of every code."""
        if not self._codes:
            return np.empty(0, dtype=np.int64), []
        lengths = np.concatenate(self._sizes)
        buffer = np.concatenate([*self._seen, np.zeros(_WORD, dtype=np.uint8)])
        self._seen.clear()
        everything = ByteCells(buffer, np.cumsum(lengths + 1) - lengths - 1, lengths)
        new_codes, example = everything.distinct_in_order()
        labels: list[str] = []
        for at in range(0, len(example), _LABELS_AT_ONCE):
            joined = everything.take(example[at : at + _LABELS_AT_ONCE]).joined()
            labels += joined.tobytes().decode().split("\0")[:-1]
        return self._recoded(smallest_codes(new_codes, len(example))), labels

    def _recoded(self, new_codes: Codes) -> Codes:
        offset = 0
        for block, sizes in enumerate(self._sizes):
            self._codes[block] = new_codes[offset : offset + len(sizes)][self._codes[block]]
            offset += len(sizes)
        return np.concatenate(self._codes)
