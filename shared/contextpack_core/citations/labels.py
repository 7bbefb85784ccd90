"""Labels: which names an answer may cite, what a bracket names, and what only looks like a label."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from contextpack_core.citations.values import CitationStatus
from contextpack_core.patterns import pattern


@dataclass(frozen=True, slots=True)
class Reading:
    """What the inside of a bracket names: labels in order, those unknown as they are written."""

    labels: tuple[str, ...]
    status: CitationStatus
    detail: str = ""
    footnote: bool = False


_WORDS = frozenset(
    """
    source sources src quelle quellen fuente fuentes doc docs document documents dokument dokumente file passage passages chunk
    chunks context ref refs reference references cite cites cited citation citations evidence excerpt snippet extract see siehe vgl
    voir from id 来源 文档 出典 资料
    """.split()
)
_ANY_WORD = "|".join(sorted(_WORDS, key=lambda word: (-len(word), word)))
_NUMBER_WORD = r"(?:ids?|no|nr|number|label)"
_PREFIX = pattern(rf"(?:{_ANY_WORD})(?:[ _-]?{_NUMBER_WORD})?(?:\s*[:=#№]\s*|\s+|\.\s*)", re.I)
_NUMBERED_WORD = pattern(rf"(?:{_ANY_WORD})[\s_:#№.-]*\d{{1,4}}")
_LOCATOR = pattern(
    r"(?:pp?|pages?|pg|s|ss|seiten?|sec|sect|sections?|abs|absatz|abschnitt|art|articles?|artikel|ch|chap|chapters?|kap|kapitel|ll?|"
    r"lines?|zeilen?|paras?|paragraphs?|nos?|nr|figs?|figures?|abb|tables?|tab|tabelle|rows?|clauses?|cl|parts?|teil|vol|items?|steps?|"
    r"notes?|fn|cols?|slides?|§+|第)"
    r"\.?\s*[\dⅰ-ⅹivxlc]",
    re.I,
)
_LATER = pattern(r"\d[\d\s,.–-]*\Z")
_TAIL = pattern(r"\s*(?:[\s:†#§(]|(?=§))\s*")
_RANGE = pattern(r"(.*?\d)\s*(?:\.{2,3}|[-‐‑‒–—―−~〜～…]|\s(?:to|bis|through|à|al?)\s)\s*(.*\d)\Z", re.I)
_THOUSANDS = pattern(r"\d{1,3}(?:,\d{3})+\Z")
_NUMBER = pattern(r"(.*?)(\d{1,9})\Z")
_AND = r"\s*(?:[/|&+]|\b(?:and|und|et|y|e|och|en)\b|[和及与])\s*|\s+"
_BETWEEN = (pattern(r"[;；]"), pattern(r"[,，、]"), pattern(_AND))
_LOOSE = len(_BETWEEN) - 1
_FIRST_SEPARATOR = pattern(r"[;；,，、]")
_GENERIC_START = pattern(rf"\^?([^\W\d_]*)(?:[\s:.=#№_-]*{_NUMBER_WORD})?[\s:.=#№_-]*(?:\S*\d.*|\S*)\Z", re.S)
_STEM_AND_DIGIT = pattern(r"([^\W\d_]+)([-_.\s]*)\d")
_DIGITS = pattern(r"\d+")
_MIXED = pattern(r"[^\W_]+")
_PLAIN = pattern(r"[A-Za-z]?\d{1,4}\Z")
_WIDE = 20
"""A range wider than this names only its ends and the labels that exist between them."""

_FILE = pattern(r"\w\.[a-z]{1,4}\d?\Z")

_TO_PLAIN = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x3000: 0x20,
    **dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))),
}


def _key(text: str) -> str:
    """The text for looking up: full-width as plain, invisible characters out, case folded. Works character by character."""
    return (text if text.isascii() else text.translate(_TO_PLAIN)).casefold()


def vocabulary(
    labels: Collection[str] | None, marks: str = "label", also: Collection[str] = (), dropped: Mapping[str, str] | None = None
) -> Vocabulary:
    """The vocabulary of these labels; equal arguments give the same one."""
    known = None if labels is None else tuple(labels)
    return _vocabulary(known, marks, tuple(also), tuple((dropped or {}).items()))


@lru_cache(maxsize=64)
def _vocabulary(
    labels: tuple[str, ...] | None, marks: str, also: tuple[str, ...], dropped: tuple[tuple[str, str], ...]
) -> Vocabulary:
    return Vocabulary(labels, marks, also, dict(dropped))


def _squeezed(key: str) -> str:
    """Without the blanks that part a label: ``p 1``, ``doc - 3``."""
    return _GAP.sub("", key.strip()) if any(c.isspace() for c in key) else key


_GAP = pattern(r"(?<=[^\W\d_])\s+(?=\d)|\s+(?=[-_./#:])|(?<=[-_./#:])\s+")


class Vocabulary:
    """The labels that an answer may cite, and the art of telling what else looks like one."""

    def __init__(self, labels: tuple[str, ...] | None, marks: str, also: tuple[str, ...], dropped: Mapping[str, str]) -> None:
        self.labels = labels
        self.round = "round" in also
        self._footnote = marks == "footnote" or "footnote" in also
        self._dropped = dropped
        self._known = set(labels or ()) | set(dropped)
        names = [*(labels or ()), *dropped]
        self._by_key = _unambiguous((_key(name), name) for name in names)
        self._squeezed = _unambiguous((_squeezed(_key(name)), name) for name in names)
        numbers = [(_NUMBER.match(_key(name)), name) for name in labels or ()]
        self._by_number = _unambiguous((number[2].lstrip("0"), name) for number, name in numbers if number)
        self._numbers_name = marks in ("number", "footnote") or "number" in also
        self._series = _series(labels or ())
        self._stems = {stem.rstrip("-_ ."): written.rstrip("-_ .") for stem, (written, _) in self._series.items() if stem}
        keys = sorted({_key(name) for name in names})
        self._skeletons = sorted({_DIGITS.sub("0", key) for key in keys})
        self._shapes = {_DIGITS.sub("0", _key(name)) for name in labels or ()}
        self._numeric = self._numbers_name or any(key.isdigit() for key in keys)
        self._filed = any(_FILE.search(key) for key in keys)
        self._longest = max((len(key) for key in keys if key.isdigit()), default=0)
        self._wordy = any(not any(c.isdigit() for c in key) for key in keys)
        self._coarse = sorted({_MIXED.sub("x", key) for key in keys}) if _mixed_ids(keys) else []
        self._lengths = {n for key in keys for n in (len(key) - 1, len(key), len(key) + 1)}
        self._first_words = sorted({*_WORDS, *(re.match(r"[^\W\d_]*", key)[0] for key in keys)} - {""})  # type: ignore[index]
        self._read_cache: dict[tuple[str, bool], Reading | None] = {}

    # The two questions a scanner asks.

    def read(self, content: str, *, round_brackets: bool = False) -> Reading | None:
        """What the inside of a bracket names; None if it is prose."""
        asked = (content, round_brackets)
        if asked not in self._read_cache:
            if len(self._read_cache) > 500:
                self._read_cache.clear()
            self._read_cache[asked] = self._reading(content, round_brackets) if self.viable(content) else None
        return self._read_cache[asked]

    def viable(self, content: str) -> bool:
        """Whether text that begins so can come to name a label. Each beginning of a text that does is viable too."""
        key = _key(content).lstrip()
        if key.startswith("^"):
            key = key[1:].lstrip()
        first = _FIRST_SEPARATOR.search(key)
        if first is None:
            return self._begins_label(key)
        return _prefixes(self._skeletons, _DIGITS.sub("0", key)) or self._begins_label(key[: first.start()])

    def _begins_label(self, item: str) -> bool:
        if not item or _prefixes(self._skeletons, _DIGITS.sub("0", item)):
            return True
        if self._coarse and _prefixes(self._coarse, _MIXED.sub("x", item)):
            return True
        if self._filed and not any(c.isspace() for c in item):
            return True
        found = _GENERIC_START.match(item)
        if found is not None and _prefixes(self._first_words, found[1]):
            return True
        return any(item[: gap.start()] in self._by_key for gap in re.finditer(r"[\s:†#§(/|&+]", item))

    # How a bracket is read.

    def _reading(self, content: str, round_brackets: bool) -> Reading | None:
        body = content.strip()
        footnote = body.startswith("^")
        if footnote:
            body = body[1:].strip()
            if not self._footnote:
                name = self._name(body)
                off = "footnote marks do not count as citations here"
                return None if name is None else Reading((name,), CitationStatus.UNKNOWN, off, footnote=True)
        named = self._split(body, 0)
        if named is None or (round_brackets and not all(n.known and not n.name.isdigit() for n in named)):
            return None
        details = list(dict.fromkeys(n.detail for n in named if n.detail))
        return Reading(tuple(dict.fromkeys(n.name for n in named)), self._status(named), "; ".join(details), footnote)

    def _status(self, named: list[_Named]) -> CitationStatus:
        if self.labels is None:
            return CitationStatus.NOT_CHECKED
        if not all(n.known for n in named):
            return CitationStatus.UNKNOWN
        return CitationStatus.DROPPED if any(n.name in self._dropped for n in named) else CitationStatus.VALID

    def _split(self, body: str, depth: int) -> list[_Named] | None:
        """The labels of a group; None if it does not begin with one."""
        name = self._name(body.strip())
        if name is not None:
            return [self._named(name)]
        if depth == _LOOSE and (found := self._item(body)):
            return found
        parts = [part for part in _BETWEEN[depth].split(body) if part and not part.isspace()]
        if depth == _LOOSE:
            return self._loose_group(body, parts) or self._malformed(body)
        if len(parts) < 2:
            return self._split(parts[0], depth + 1) if parts else None
        if _THOUSANDS.match(body.strip()):
            return None
        named = self._split(parts[0], depth + 1)
        if named is not None:
            named = named + [n for part in parts[1:] for n in self._later_item(part.strip(), depth)]
        return named

    def _loose_group(self, body: str, parts: list[str]) -> list[_Named] | None:
        """The labels between blanks, ``and`` or a slash, if all parts are labels."""
        numbers = all(part.strip().isdigit() for part in parts)
        if len(parts) < 2 or (numbers and self._numeric and body.strip()[len(parts[0].strip())] in "/+|"):
            return None  # nothing to split, or a fraction, a sum
        items = [self._item(part) for part in parts]
        return None if None in items else [n for item in items for n in item or ()]

    def _malformed(self, body: str) -> list[_Named] | None:
        """What begins like a label and goes on otherwise: ``P1x``, ``P1 is new``."""
        body = body.strip()
        if not any(c.isspace() for c in body):
            dotted = _STEM_AND_DIGIT.match(_key(body))
            misspelt = dotted is not None and body.startswith(self._stems.get(dotted[1], body + "."))
            return [self._unknown(body)] if misspelt or self._begins_like_label(body) else None
        name = self._name(body.split(None, 1)[0])
        if name is None or not any(c.isdigit() for c in name):
            return None
        return [_Named(body, False, f"words stand in the bracket with {name}")]

    def _later_item(self, item: str, depth: int) -> list[_Named]:
        """What an item behind a label names: nothing if it says where in the passage, or is a remark."""
        if not self._begins_like_label(item):
            if _LOCATOR.match(item):
                return []
            if _LATER.match(item) and not self._numeric and self.labels:
                meant = self._by_number.get(item.lstrip("0"))
                return [] if meant is None else [_Named(item, False, f"{item} is no label; {meant} is")]
        found = self._split(item, depth + 1)
        if found is None and self._wordy and not any(c.isspace() for c in item):
            return [self._unknown(item)]
        return found or []

    def _begins_like_label(self, item: str) -> bool:
        """Whether it begins like a numbered label and like no page: ``P 2`` and ``p2`` do, ``p 2`` and ``p. 2`` do not."""
        found = _STEM_AND_DIGIT.match(_key(item))
        if found is None:
            return False
        stem = self._stems.get(found[1], "") if self.labels else found[1].upper() if len(found[1]) == 1 else found[1]
        return bool(stem) and (not found[2] or ("." not in found[2] and item.startswith(stem)))

    def _item(self, item: str) -> list[_Named] | None:
        """The label, or the labels of the range, that one item of a group names; None if it is none."""
        item = item.strip().lstrip("#@").rstrip(".:").rstrip()
        if not item:
            return None
        name = self._name(item)
        if name is not None:
            return [self._named(name)]
        prefix = _PREFIX.match(item)
        if prefix is not None:
            found = self._item(item[prefix.end() :])
            if found is not None and (found[0].known or not found[0].name.isdigit()):
                return found
        if self._looks_like_label(item):
            return [self._unknown(item)]
        return self._range(item) or self._located(item)

    def _name(self, item: str) -> str | None:
        """The label or dropped name that is written so."""
        if item in self._known:
            return item
        key = _key(item).strip()
        found = self._by_key.get(key) or self._squeezed.get(_squeezed(key))
        if found is None and self._numbers_name and key.isdigit():
            found = self._by_number.get(key.lstrip("0"))
        return found

    def _range(self, item: str) -> list[_Named] | None:
        """Every label between two ends; the ends themselves if they are unknown. None if it is no range of labels."""
        found = _RANGE.match(_key(item))
        if found is None:
            return None
        first = _NUMBER.match(_PREFIX.sub("", found[1].strip()))
        last = _NUMBER.match(_PREFIX.sub("", found[2].strip()))
        if first is None or last is None or last[1].strip() not in ("", first[1].strip()):
            return None
        stem, low, high = first[1].strip(), int(first[2]), int(last[2])
        if not self._looks_like_label(f"{stem}{low}") and not self._looks_like_label(f"{stem}{high}"):
            return None
        if low > high:
            return [_Named(item, False, f"{item} runs backwards")]
        stem_as_written, numbers = self._series.get(stem, (stem.upper() if len(stem) == 1 else stem, ()))
        members = set(numbers[bisect_left(numbers, low) : bisect_right(numbers, high)])
        named = members | ({low, high} if high - low >= _WIDE else set(range(low, high + 1)))
        return [self._named(self._name(f"{stem}{n}") or f"{stem_as_written}{n}") for n in sorted(named)]

    def _located(self, item: str) -> list[_Named] | None:
        """The label with a place in the passage behind it: ``P1 p. 14``, ``P1:12``, ``P1†L3``."""
        for gap in _TAIL.finditer(item):
            head, tail = item[: gap.start()], item[gap.end() :]
            name = self._name(head)
            if name is None and not (self._looks_like_label(head) and _MIXED.match(head)):
                continue
            if head.isdigit() and tail[:1].isdigit():  # a time, a ratio
                return None
            if gap[0].isspace() and (self._begins_like_label(tail) or not _LOCATOR.match(tail)):
                return None
            return [self._named(name) if name else self._unknown(head)]
        return None

    def _looks_like_label(self, item: str) -> bool:
        """Whether it has the shape of a label; only a file name and what has a digit can be told from prose."""
        key = _key(item)
        squeezed = _squeezed(key)
        if self._filed and squeezed == key and _FILE.search(key):
            return True
        if not any(c.isdigit() for c in squeezed):
            return False
        if squeezed.isdigit():
            if self._numeric or not self.labels:
                return len(squeezed) <= max(3, self._longest)
            return len(squeezed) <= 2 and int(squeezed) > 0
        if _DIGITS.sub("0", squeezed) in self._shapes:
            return True
        if self._coarse and len(key) in self._lengths and _MIXED.sub("x", key) in self._coarse:
            return True
        return bool(_NUMBERED_WORD.fullmatch(key) or (not self.labels and _PLAIN.match(squeezed)))

    def _named(self, name: str) -> _Named:
        if name in self._dropped:
            return _Named(name, True, self._dropped[name])
        return _Named(name, True) if self.labels is None or name in self._known else self._unknown(name)

    def _unknown(self, item: str) -> _Named:
        item = " ".join(item.split()) if _NUMBERED_WORD.match(_key(item)) else "".join(item.split())
        if self.labels is None:
            return _Named(item, True)
        number = _NUMBER.match(_key(item))
        meant = self._by_number.get(number[2].lstrip("0")) if number and self._is_stem(number[1]) else None
        return _Named(item, False, f"{item} is no label" + (f"; {meant} is" if meant else ""))

    def _is_stem(self, text: str) -> bool:
        text = text.strip("-_ .:#")
        return not text or text in self._stems or text in _WORDS


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    known: bool
    detail: str = ""


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Keys that only one name has."""
    found: dict[str, str | None] = {}
    for key, name in pairs:
        found[key] = name if found.get(key, name) == name else None
    return {key: name for key, name in found.items() if name is not None}


def _series(labels: Iterable[str]) -> dict[str, tuple[str, tuple[int, ...]]]:
    """For each stem of a numbered label (``p``) how it is written (``P``) and its numbers in order."""
    found: dict[str, tuple[str, list[int]]] = {}
    for label in labels:
        parts = _NUMBER.match(_key(label))
        if parts is not None:
            found.setdefault(parts[1].strip(), (label[: -len(parts[2])], []))[1].append(int(parts[2]))
    return {stem: (written, tuple(sorted(set(numbers)))) for stem, (written, numbers) in found.items()}


def _mixed_ids(keys: list[str]) -> bool:
    """Whether the labels are ids such as ``e-4552861f``, of which only the outline can be told."""
    if any(re.search(r"\d[^\W\d_]", key) for key in keys):
        return True
    stems = {_DIGITS.sub("0", key) for key in keys}
    return (
        len(stems) > 1 and len({_MIXED.sub("x", key) for key in keys}) == 1 and all(any(c.isdigit() for c in key) for key in keys)
    )


def _prefixes(texts: list[str], beginning: str) -> bool:
    """Whether one of the sorted texts begins so."""
    at = bisect_left(texts, beginning)
    return at < len(texts) and texts[at].startswith(beginning)
