"""Takes a question apart: into the questions that it is made of, and into the things that it compares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from contextpack_core.admission.worth import terms_of
from contextpack_core.questions.cues import CUES, class_of
from contextpack_core.text import folded

MOST = 8
"""The most parts or things that are told apart."""
_LONGEST = 4000  # characters of a question that are read


class SubQuestion(NamedTuple):
    """A narrower question, and what it is about: the thing compared, or the question itself."""

    about: str
    text: str


def sub_questions(question: str, known: Iterable[str] = ()) -> tuple[SubQuestion, ...]:
    """A question for each thing that it compares, without the others, else one for each of its parts; () if there is only one."""
    names = entities_in(question, known)
    if names:
        return tuple([SubQuestion(name, narrowed(question, name, names)) for name in names])
    return tuple([SubQuestion(part, part) for part in parts_of(question)])


def narrowed(question: str, keep: str, names: Iterable[str]) -> str:
    """The question with one of its names and without the others; longer names go first, since a shorter one may stand in them."""
    return narrowing(question, names)(keep)


def narrowing(question: str, names: Iterable[str]) -> Callable[[str], str]:
    """What ``narrowed`` returns for each name that is kept; the names are looked for once."""
    marks: dict[str, str] = {}  # of the names that stand in it
    low = question.casefold()
    for name in sorted(names, key=lambda name: (-len(name), name)):
        words = name_key(name).split()
        if not words or any(word not in low for word in words):
            continue
        mark = chr(0xE000 + len(marks))  # private use
        border = ("", "") if _UNSPACED.search(name) else (r"(?<!\w)", r"(?!\w)")
        named = border[0] + r"[\s_-]+".join(map(re.escape, words)) + border[1]
        marked = re.sub(f"[{_QUOTES}]?{named}[{_QUOTES}]?", f" {mark} ", question, flags=re.IGNORECASE)
        if marked != question:
            marks[name], question = mark, marked

    def keeping(keep: str) -> str:
        text = question
        for name, mark in marks.items():
            text = text.replace(mark, keep if name == keep else "")
        return _BEFORE_MARK.sub(r"\1", " ".join(text.split()))

    return keeping


_BEFORE_MARK = re.compile(" ([?!.,])")
_QUOTES = '"“”„«»「」『』《》'


# ---------------------------------------------------------------- parts

QUESTION_WORDS: dict[str, tuple[str, str]] = {
    "en": ("and &", "how what when where who why which|is there|are there|do i|do we|does it|do they|can i|can we|is it|are they"),
    "de": (
        "und sowie",
        "wie was wann wo wer wem wen warum weshalb wieso welche welcher welches welchen welchem wohin wieviel|muss ich|kann ich",
    ),
    "fr": ("et", "comment quand où pourquoi quel quelle quels quelles combien qu'est-ce est-ce|que faut-il|dois-je|puis-je"),
    "es": ("y e", "cómo cuándo dónde quién quiénes qué cuál cuáles cuánto cuánta cuántos cuántas|por qué"),
    "it": ("e ed", "come quando dove chi cosa quale quali qual quanto quanta quanti quante perché|che cosa"),
    "nl": ("en", "hoe wat wanneer waar wie waarom welke welk hoeveel|kan ik|moet ik"),
    "pt": ("e", "como quando onde quem qual quais quanto quanta quantos quantas|o que|por que"),
}
"""What a second question begins with, by language: the words for *and*, and the question words behind them, phrases behind bars."""
UNSPACED_QUESTION_WORDS = (
    "什么 甚么 什麼 如何 怎么 怎麼 怎样 怎樣 多少 多久 哪 谁 誰 何时 何時 为什么 為什麼 几 幾 吗 嗎 何 どう いつ どこ いくら なぜ"
)
"""What makes a clause of Chinese or Japanese a question, wherever it stands in it."""


def parts_of(question: str) -> tuple[str, ...]:
    """The questions that a question is made of, in its own words and order; () if it is one.

    It is taken apart at question marks and semicolons, at an *and* before a question word, and between two clauses of Chinese or
    Japanese that both ask. A part says something of its own: "when and how" is one.
    """
    text = " ".join(question[:_LONGEST].split())
    starts, _, unspaced = _patterns()
    sentences = [sentence for sentence in _MARKS.split(text) if sentence.strip()]
    if len(sentences) < 2 and not starts.search(text) and not unspaced.search(text):
        return ()  # as most questions
    found: list[str] = []
    for asked in sentences:
        found += _clauses(asked)
    parts = [part for part in dict.fromkeys(found) if terms_of(part)]
    return tuple(parts[:MOST]) if len(parts) > 1 else ()


_MARKS = re.compile(r"[?？;；؟]+")


def _clauses(asked: str) -> list[str]:
    """The questions among the clauses of a sentence; a sentence that asks nothing has none."""
    starts, word, unspaced = _patterns()
    if unspaced.search(asked):
        clauses = [clause for clause in re.split("[，、,]", asked) if clause.strip()]
        asking = [bool(unspaced.search(clause)) for clause in clauses]
        return [clause.strip() for clause in clauses] if all(asking) and len(clauses) > 1 else [asked.strip()]
    if not word.search(asked):
        return []
    first, *others = starts.split(asked)  # clauses and what stands between them
    clauses = [first]
    for joint, clause in zip(others[::2], others[1::2], strict=True):
        before = clauses[-1]
        if terms_of(clause) and terms_of(before) and not word.fullmatch(before.rpartition(" ")[2]):
            clauses.append(clause)
        else:
            clauses[-1] += joint + clause  # "when and how": one question
    return [clause.strip(" ,") for clause in clauses]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """An *and* before a question word of its language; a question word; one of an unspaced script."""
    every, second = [], []
    for conjunctions, words in QUESTION_WORDS.values():
        single, *phrases = words.split("|")
        known = "|".join([re.escape(word) for word in [*phrases, *single.split()]])
        every.append(known)
        second.append(f"(?:{'|'.join(conjunctions.split())}) (?=(?:{known})(?!\\w))")
    return (
        re.compile(f"(,? (?:{'|'.join(second)}))", re.IGNORECASE),
        re.compile(f"(?<!\\w)(?:{'|'.join(every)})(?!\\w)", re.IGNORECASE),
        re.compile("|".join(UNSPACED_QUESTION_WORDS.split())),
    )


# ---------------------------------------------------------------- things that are compared


def entities_in(question: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The things, two or more, that a question names, in its order; () if it names fewer.

    Looked for are, in turn: the ``known`` names; what stands in quotation marks; capitalised names that an *and*, a comma or a
    *versus* joins; and where the question says that it compares: all capitalised names, and what stands around *versus* or
    behind *between*.
    """
    text = " ".join(question[:_LONGEST].split())
    joined, named = _names_in(text)
    names = _several(_known_in(text, known)) or _several(_quoted_in(text)) or _several(joined)
    if names:
        return names
    names = _several(named) or _several(_around(text))
    decision = class_of(text) if names else None
    return names if decision is not None and decision.intent == "comparison" else ()


def _several(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once, if they are two or more."""
    found = tuple({folded(name): name for name in reversed(names)}.values())[::-1] if len(names) > 1 else ()
    return found[:MOST] if len(found) > 1 else ()


def name_key(name: str) -> str:
    """A name for comparison: without case, and with blanks for hyphens and underscores."""
    return " ".join(folded(name).replace("-", " ").replace("_", " ").split())


def _known_in(text: str, known: Iterable[str]) -> list[str]:
    """The known names that stand in the text on word borders, in its order; in one place only the longest."""
    known = list(known)
    if not known:
        return []
    low = f" {_BORDERS.sub(' ', name_key(text))} "
    found: list[tuple[int, str]] = []
    for name in sorted(dict.fromkeys(known), key=lambda name: (-len(name), name)):
        key = " ".join(_BORDERS.sub(" ", name_key(name)).split())
        wanted = key if _UNSPACED.search(key) else f" {key} "
        at = low.find(wanted) if key else -1
        if at >= 0:
            found.append((at, name))
            low = low.replace(wanted, wanted[:1] + "\0" * (len(wanted) - 2) + wanted[-1:])
    return [name for _, name in sorted(found)]


_BORDERS = re.compile(r"[^\w\s.+#&]|\.(?=\s|$)")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_QUOTED = re.compile(
    '"([^"]{1,80})"|“([^“”]{1,80})”|„([^„“”]{1,80})[“”]|«([^«»]{1,80})»|「([^「」]{1,80})」|『([^『』]{1,80})』|《([^《》]{1,80})》'
)


def _quoted_in(text: str) -> list[str]:
    return [name.strip() for match in _QUOTED.finditer(text) if (name := match[match.lastindex or 1]).strip()]


_TOKEN = re.compile(r"[\w&][\w'’.&+#/-]{0,60}|[,:?!()]")
_JOINING = frozenset(
    "and und sowie et y e ed en & , or oder ou o of vs vs. versus with mit avec con com to than als as from von".split()
)
_INSIDE = frozenset("of de du des la le von van der den di da do dos del &".split())


def _names_in(text: str) -> tuple[list[str], list[str]]:
    """The capitalised names that a joining word joins to another one, and all of them."""
    runs: list[tuple[str, int, int]] = []  # name, place of its first word, place after its last one
    words = _TOKEN.findall(text)
    at = 0
    while at < len(words):
        if not _is_name(words[at], first=at == 0 or words[at - 1] in ":?!."):
            at += 1
            continue
        start = at
        at += 1
        while at < len(words) and (
            _goes_on(words[at]) or (words[at] in _INSIDE and at + 1 < len(words) and _goes_on(words[at + 1]))
        ):
            at += 1
        runs.append((" ".join(words[start:at]).rstrip("."), start, at))
    joined: dict[int, str] = {}
    for left, right in pairwise(range(len(runs))):
        between = [word.lower() for word in words[runs[left][2] : runs[right][1]]]
        if len(between) <= 3 and any(word in _JOINING for word in between) and not terms_of(" ".join(between)):
            joined |= {left: runs[left][0], right: runs[right][0]}
    return list(joined.values()), [name for name, _, _ in runs]


def _is_name(word: str, first: bool) -> bool:
    """Whether a word begins a name: it is capitalised or holds a figure and a letter, and is no word of questions."""
    if len(word) == 1:
        return word.isupper() and word != "I" and not first  # plan B
    named = any(map(str.isupper, word)) or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    return named and folded(word) not in _cue_words(first) and bool(terms_of(word))


def _goes_on(word: str) -> bool:
    return word[0].isdigit() or any(map(str.isupper, word))


@cache
def _cue_words(first: bool) -> frozenset[str]:
    """The words of the cues for comparisons, nouns in German; of all cues for a sentence's first word, which is capitalised."""
    classes = CUES.values() if first else [CUES["comparison"]]
    return frozenset(word for languages in classes for cues in languages.values() for word in folded(cues).split())


_BETWEEN = re.compile(
    r"\b(?:between|zwischen|entre|tra|fra|tussen|compare|vergleiche|vergleich|comparer?|confronta|vergelijk)\b", re.IGNORECASE
)
_VERSUS = frozenset("vs vs. versus".split())
_UNSPACED_PAIR = re.compile(
    r"([^\s，。？！、]{1,20}?)(?:和|与|與|跟|と)"  # one and
    r"([^\s，。？！、]{1,20}?)(?:的|之间|之間|有|の|相比|比|哪|，|？|$)"  # the other, up to what is said of both
)


def _around(text: str) -> list[str]:
    """What stands on both sides of *versus*, or of *and* behind *between* or *compare*, up to a word that says nothing."""
    if _UNSPACED.search(text):
        match = _UNSPACED_PAIR.search(text)
        return [match[1], match[2]] if match else []
    words = _TOKEN.findall(text)
    for at, word in enumerate(words):
        if word.lower() in _VERSUS:
            return _sides(words, at)
    if match := _BETWEEN.search(text):
        words = _TOKEN.findall(text[match.end() :])
        for at, word in enumerate(words):
            if at and word.lower() in _JOINING - {",", "of", "from", "von"}:
                return _sides(words, at)
    return []


def _sides(words: Sequence[str], at: int) -> list[str]:
    left = [*_run(reversed(words[:at]))][::-1]
    right = [*_run(words[at + 1 :])]
    return [" ".join(left), " ".join(right)] if left and right else []


def _run(words: Iterable[str]) -> Iterable[str]:
    """The words up to one that says nothing, five at most; an article that comes first is passed over."""
    taken = 0
    for word in words:
        if not terms_of(word) or not word[0].isalnum() or folded(word) in _VERSUS or taken == 5:
            if taken:
                return
            continue
        taken += 1
        yield word
