"""Cases: labelled questions as JSON lines, read with an error for every line that is wrong."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from contextpack_core.citations.support import SupportLabel
from contextpack_core.errors import ContextPackError

_TOLD = 20
"""Faults that a message shows: a file of another format has one in each line."""


class CasesError(ContextPackError, ValueError):
    """Cases cannot be read; ``faults`` has one sentence for each fault, with its file and line.

    The message has the first ones, and of lines of which the same is to be said the first alone.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        told = _told(self.faults)
        more = len(told) - _TOLD
        super().__init__("\n".join([*told[:_TOLD], *([f"… and {more} more of the kind"] if more > 0 else [])]))

    def __reduce__(self) -> tuple[type[CasesError], tuple[tuple[str, ...]]]:
        return type(self), (self.faults,)


def _told(faults: Sequence[str]) -> list[str]:
    """The faults, each sentence once: where it is said first, and of how many more lines of the file."""
    places: dict[tuple[str, str], list[str]] = {}
    for fault in faults:
        found = _LINE_OF.fullmatch(fault)
        file, line, sentence = found.groups() if found else ("", "", fault)
        places.setdefault((file, sentence), []).append(line)
    return [_at(file, lines, sentence) for (file, sentence), lines in places.items()]


def _at(file: str, lines: Sequence[str], sentence: str) -> str:
    if not file:
        return sentence
    others = len(lines) - 1
    also = f" (and {others} more {'line' if others == 1 else 'lines'})" if others else ""
    return f"{file}:{lines[0]}{also}: {sentence}"


_LINE_OF = re.compile(r"([^\n]+?):([0-9]+): ([^\n]*)")


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A stretch of a document that holds evidence: code points, end exclusive; its text where known."""

    doc_id: str
    start: int
    end: int
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """The evidence that answers a question: of one kind, ``spans``, ``ids`` of candidates, ``documents``, or ``quotes``."""

    spans: tuple[GoldSpan, ...] = ()
    ids: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.spans) + len(self.ids) + len(self.documents) + len(self.quotes)


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled question. Only ``qid`` and ``question`` are required; a measure that lacks what it needs is not taken.

    ``stale`` are the documents whose text would be wrong on the day: other editions with another answer. ``sources`` is what a
    recorded ``answer`` was written from (texts by label, or a saved pack); without it an answer is checked against the pack that
    the policy makes. ``support`` are recorded verdicts of a judge, one for each claim of the answer. ``reference`` are right
    answers. ``retriever`` names one of the retrievers that the evaluation is given, for a case without candidates. ``chosen`` and
    ``rate`` say why ``SampledChecks`` kept an answer.
    """

    qid: str
    question: str
    candidates: tuple[Mapping[str, Any], ...] | None = None
    gold: Gold = Gold()
    intent: str | None = None
    as_of: date | None = None
    access: tuple[str, ...] | None = None
    answer: str | Mapping[str, Any] | None = None
    reference: tuple[str, ...] = ()
    answerable: bool | None = None
    stale: tuple[str, ...] = ()
    sources: Mapping[str, Any] | None = None
    support: tuple[Mapping[str, Any], ...] | None = None
    retriever: str | None = None
    chosen: str | None = None
    rate: float | None = None

    @classmethod
    def from_dict(cls, record: Any, where: str = "case") -> Case:
        """The case that plain data describe; unknown keys are let be, unless they look like a known one that is not there.

        ``gold`` is a list of one kind: ``{"doc_id", "start", "end"}``, ``{"doc_id"}``, ``{"quote"}``, ``{"id"}``, or ids as texts;
        or an object with one of the keys ``spans``, ``ids``, ``documents``, ``quotes``.

        Raises:
            CasesError: every fault of the record, each beginning with ``where``.
        """
        reader = _Reader(record, where)
        case = reader.case(cls)
        if reader.faults:
            raise CasesError(reader.faults)
        return case

    def to_dict(self) -> dict[str, Any]:
        """The case as JSON data that ``from_dict`` reads; empty fields are left out."""
        gold = [
            *[
                {k: v for k, v in (("doc_id", s.doc_id), ("start", s.start), ("end", s.end), ("text", s.text)) if v is not None}
                for s in self.gold.spans
            ],
            *[{"id": name} for name in self.gold.ids],
            *[{"doc_id": name} for name in self.gold.documents],
            *[{"quote": text} for text in self.gold.quotes],
        ]
        fields = {name: getattr(self, name) for name in self.__slots__}
        written = {**fields, "gold": gold, "as_of": self.as_of.isoformat() if self.as_of else None}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in written.items()}
        kept = {name for name in ("candidates", "access") if getattr(self, name) is not None}
        return {name: value for name, value in plain.items() if name in kept or value not in (None, [])}


def load_cases(path: str | Path) -> tuple[Case, ...]:
    """All cases of a JSON-lines file.

    Raises:
        CasesError: the file cannot be read, or lines of it are wrong: every fault with its line.
    """
    cases: list[Case] = []
    faults: list[str] = []
    for found in read_cases(path):
        if isinstance(found, Case):
            cases.append(found)
        else:
            faults += found
    if faults:
        raise CasesError(faults)
    return tuple(cases)


def read_cases(path: str | Path) -> Iterator[Case | tuple[str, ...]]:
    """The cases of a JSON-lines file one after the other, and in the place of a wrong line its faults.

    An answer kept by ``SampledChecks`` (``chosen``) may stand several times: the second is ``qid#2``, and so on.

    Raises:
        CasesError: the file cannot be read, or holds no line.
    """
    seen = Seen()
    for number, line in case_lines(path):
        where = f"{path}:{number}"
        try:
            yield seen.named(parse_case(line, where), number, where)
        except CasesError as error:
            yield error.faults


class Seen:
    """The qids that stood in a file or in a list: each is that of one case."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self._copies: dict[str, int] = {}

    def named(self, case: Case, place: int, where: str) -> Case:
        """The case; where its qid is another's already, a sampled answer gets a number behind it: it was given again.

        Raises:
            CasesError: the qid is another's, and the case is no sampled answer.
        """
        qid = case.qid
        if case.chosen is not None:
            while qid in self.places:
                self._copies[case.qid] = self._copies.get(case.qid, 1) + 1
                qid = f"{case.qid}#{self._copies[case.qid]}"
        if (first := self.places.setdefault(qid, place)) != place:
            raise CasesError([f"{where}: qid: {qid!r} stands in line {first} already — an id of its own for each case"])
        return case if qid == case.qid else replace(case, qid=qid)


def case_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of the file that hold something, numbered from 1, each without a byte-order mark."""
    empty = True
    try:
        with Path(path).open("rb") as file:
            for number, raw in enumerate(file, 1):
                line = raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
                if line and not line.isspace():
                    empty = False
                    yield number, line
    except OSError as error:
        raise CasesError([f"{path}: cannot be read: {error.strerror or error}"]) from None
    if empty:
        raise CasesError([f"{path}: it is empty — one JSON object a line is wanted"])


def parse_case(line: str, where: str) -> Case:
    """The case in one line of JSON.

    Raises:
        CasesError: every fault of the line.
    """
    try:
        line.encode()  # what was no UTF-8 in the file stands as a lone surrogate in the line
    except UnicodeEncodeError:
        raise CasesError([f"{where}: a byte that is no UTF-8 — save the file as UTF-8"]) from None
    try:
        record = json.loads(line.rstrip("\r\n"))
    except (ValueError, RecursionError) as error:
        raise CasesError([f"{where}: no JSON: {json_fault(error)}"]) from None
    return Case.from_dict(record, where)


def json_fault(error: Exception) -> str:
    """What is wrong with a text that is no JSON, and where in its line."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} in column {error.colno}"
    return "nested too deep" if isinstance(error, RecursionError) else "a number with too many digits"


def dump_cases(cases: Iterable[Case], path: str | Path) -> int:
    """Write cases as JSON lines; how many there were comes back."""
    lines = [json.dumps(case.to_dict(), ensure_ascii=True, allow_nan=False) + "\n" for case in cases]
    Path(path).write_text("".join(lines), encoding="utf-8", newline="\n")
    return len(lines)


def sample(cases: Sequence[Case], n: int, seed: int = 7) -> tuple[Case, ...]:
    """``n`` of the cases in their own order, the same ones for the same seed; all of them if there are no more."""
    if n >= len(cases):
        return tuple(cases)
    chosen = sorted(random.Random(seed).sample(range(len(cases)), n))
    return tuple([cases[i] for i in chosen])


def split(cases: Sequence[Case], share: float = 0.5, seed: int = 7) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
    """Two parts of the cases, the first with ``share`` of them and, but for one case, of each intent; each part in its own order.

    Raises:
        ValueError: ``share`` is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"share={share!r}: a number between 0 and 1")
    places: dict[str, list[int]] = {}
    for i, case in enumerate(cases):
        places.setdefault(case.intent or "", []).append(i)
    first: set[int] = set()
    for intent, n in _parts({intent: len(mine) for intent, mine in places.items()}, share, seed).items():
        first.update(random.Random(f"{seed} {intent}").sample(places[intent], n))
    return tuple([c for i, c in enumerate(cases) if i in first]), tuple([c for i, c in enumerate(cases) if i not in first])


def _parts(sizes: Mapping[str, int], share: float, seed: int) -> dict[str, int]:
    """How many of each intent make the share of all, by the largest remainder; chance decides among equal ones."""
    wanted = {intent: size * share for intent, size in sizes.items()}
    parts = {intent: math.floor(n) for intent, n in wanted.items()}
    left = round(sum(sizes.values()) * share) - sum(parts.values())
    luck = {intent: random.Random(f"{seed} {intent}").random() for intent in sizes}
    by_remainder = sorted(sizes, key=lambda intent: (round(parts[intent] - wanted[intent], 9), luck[intent], intent))
    for intent in by_remainder[: max(0, left)]:
        parts[intent] += 1
    return parts


# ---------------------------------------------------------------- one record


class _Reader:
    """Reads one record and gathers its faults."""

    def __init__(self, record: Any, where: str) -> None:
        self.where = where
        self.faults: list[str] = []
        self.record: Mapping[str, Any] = record if isinstance(record, Mapping) else {}
        if not isinstance(record, Mapping):
            self.faults.append(f"{where}: {_kind(record)} — an object with qid and question is wanted")

    def case(self, kind: type[Case]) -> Case:
        if self.faults:
            return kind("", "")
        self._look_for_typos()
        return kind(
            qid=self._name(),
            question=self._text("question", required=True) or "",
            candidates=self._records("candidates"),
            gold=self._gold(),
            intent=self._text("intent"),
            as_of=self._day(),
            access=self._texts("access"),
            answer=self._answer(),
            reference=self._texts("reference") or (),
            answerable=self._flag(),
            stale=self._texts("stale") or (),
            sources=self._mapping("sources"),
            support=self._support(),
            retriever=self._text("retriever"),
            chosen=self._text("chosen"),
            rate=self._share("rate"),
        )

    def _look_for_typos(self) -> None:
        for key, value in self.record.items():
            meant = None if value is None or key in _KEYS else _meant(key)
            if meant is not None and self.record.get(meant) is None:
                self.faults.append(f"{self.where}: {key}: no key of a case — did you mean {meant}?")

    def _fault(self, place: str, value: Any, wanted: str) -> None:
        shown = repr(value)
        self.faults.append(f"{self.where}: {place}: {shown if len(shown) <= 60 else shown[:59] + '…'} — {wanted}")

    def _name(self) -> str:
        value = self.record.get("qid")
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value.strip():
            self._fault("qid", value, "a text that no other case has")
            return ""
        return value

    def _text(self, key: str, *, required: bool = False) -> str | None:
        value = self.record.get(key)
        if isinstance(value, str) and (value.strip() or not required):
            return value
        if value is not None or required:
            self._fault(key, value, "a text")
        return None

    def _texts(self, key: str) -> tuple[str, ...] | None:
        value = self.record.get(key)
        if value is None:
            return None
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self._fault(key, value, "a text or a list of texts")
        return None

    def _records(self, key: str) -> tuple[Mapping[str, Any], ...] | None:
        value = self.record.get(key)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            self._fault(key, value, "a list of objects")
            return None
        wrong = [i for i, item in enumerate(value) if type(item) is not dict and not isinstance(item, Mapping)]
        for i in wrong:
            self._fault(f"{key}[{i}]", value[i], "an object")
        return tuple(value) if not wrong else ()

    def _support(self) -> tuple[Mapping[str, Any], ...] | None:
        verdicts = self._records("support")
        for i, verdict in enumerate(verdicts or ()):
            if (label := verdict.get("label")) not in _LABELS:
                self._fault(f"support[{i}].label", label, f"one of {', '.join(_LABELS)}")
        return verdicts

    def _share(self, key: str) -> float | None:
        value = self.record.get(key)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1):
            return value
        self._fault(key, value, "a number from 0 to 1")
        return None

    def _mapping(self, key: str) -> Mapping[str, Any] | None:
        value = self.record.get(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self._fault(key, value, "texts by label, or a saved pack")
            return None
        if not ("format" in value and "evidence" in value):  # no saved pack
            for label, text in value.items():
                if not isinstance(text, str):
                    self._fault(f"{key}.{label}", text, "a text")
        return value

    def _answer(self) -> str | Mapping[str, Any] | None:
        value = self.record.get("answer")
        if value is None or isinstance(value, str | Mapping):
            return value
        self._fault("answer", value, "a text, or the object of a structured answer")
        return None

    def _flag(self) -> bool | None:
        value = self.record.get("answerable")
        if value is not None and not isinstance(value, bool):
            self._fault("answerable", value, "true or false")
            return None
        return value

    def _day(self) -> date | None:
        value = self.record.get("as_of")
        if value is None or isinstance(value, date):
            return value.date() if isinstance(value, datetime) else value  # readers of tables make times of days
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError):
            self._fault("as_of", value, "a day such as 2026-03-01")
            return None

    def _gold(self) -> Gold:
        value = self.record.get("gold")
        if value is None:
            return Gold()
        if isinstance(value, Mapping):
            unknown = [str(key) for key in value if key not in _GOLD_KINDS]
            if unknown:
                self._fault("gold", unknown[0], f"one of {', '.join(_GOLD_KINDS)}")
            value = [_as_item(key, item) for key in _GOLD_KINDS for item in self._listed(f"gold.{key}", value.get(key))]
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list | tuple):
            self._fault("gold", value, "a list of spans, ids or quotes")
            return Gold()
        found: dict[str, list[Any]] = {kind: [] for kind in _GOLD_KINDS}
        for i, item in enumerate(value):
            self._gold_item(item, f"gold[{i}]", found)
        kinds = [kind for kind in _GOLD_KINDS if found[kind]]
        if len(kinds) > 1:
            self._fault("gold", kinds, "one kind in a case: their shares cannot be added up")
        return Gold(**{kind: tuple(found[kind]) for kind in _GOLD_KINDS})

    def _listed(self, place: str, value: Any) -> Sequence[Any]:
        """The items of a list; one that stands alone is a list of one."""
        if isinstance(value, str | Mapping):
            return [value]
        if value is None or isinstance(value, list | tuple):
            return value or ()
        self._fault(place, value, "a list")
        return ()

    def _gold_item(self, item: Any, place: str, found: dict[str, list[Any]]) -> None:
        if isinstance(item, str) and item:
            found["ids"].append(item)
        elif not isinstance(item, Mapping):
            self._fault(place, item, "an id, or an object with doc_id, start and end, with quote, or with id")
        elif isinstance(item.get("quote"), str) and item["quote"].strip():
            found["quotes"].append(item["quote"])
        elif isinstance(item.get("id"), str) and item["id"]:
            found["ids"].append(item["id"])
        elif not isinstance(item.get("doc_id"), str):
            self._fault(place, item, "an object with doc_id, start and end, with quote, or with id")
        elif item.get("start") is None and item.get("end") is None:
            found["documents"].append(item["doc_id"])
        elif type(item.get("start")) is int and type(item.get("end")) is int and 0 <= item["start"] < item["end"]:
            found["spans"].append(GoldSpan(item["doc_id"], item["start"], item["end"], self._gold_text(item, place)))
        else:
            self._fault(place, [item.get("start"), item.get("end")], "start and end in code points, 0 <= start < end")

    def _gold_text(self, item: Mapping[str, Any], place: str) -> str | None:
        text, length = item.get("text"), item["end"] - item["start"]
        if text is None or (isinstance(text, str) and len(text) == length):
            return text
        if isinstance(text, str):
            self.faults.append(f"{self.where}: {place}.text: {len(text)} code points, the span has {length} — those of the span")
        else:
            self._fault(f"{place}.text", text, "the text of the span")
        return None


_KEYS = tuple(Case.__dataclass_fields__)
_LABELS = tuple([label.value for label in SupportLabel])
_GOLD_KINDS = ("spans", "ids", "documents", "quotes")


@lru_cache(maxsize=1024)
def _meant(key: Any) -> str | None:
    """The key that an unknown one looks like: lines of a file have the same keys."""
    if not isinstance(key, str) or len(key) > _LONGEST_KEY:
        return None
    return next(iter(get_close_matches(key.lower().replace("-", "_"), _KEYS, n=1, cutoff=0.88)), None)


_LONGEST_KEY = 20


def _as_item(kind: str, item: Any) -> Any:
    if kind == "quotes" and isinstance(item, str):
        return {"quote": item}
    if kind == "documents" and isinstance(item, str):
        return {"doc_id": item}
    return item


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a text", type(None): "null", bool: "true or false"}
    return names.get(type(value), "a number")
