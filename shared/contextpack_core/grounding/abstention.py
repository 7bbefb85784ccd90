"""Abstention: whether a sentence, or an answer as a whole, says that the sources do not answer."""

# ruff: noqa: E501 — wordings on one line can be compared with their neighbours

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from contextpack_core.grounding.tongues import CHINESE, ENGLISH, FRENCH, GERMAN, OTHERS, SPANISH, Tongue
from contextpack_core.grounding.wording import DECLINING, WORDINGS
from contextpack_core.patterns import pattern


class Refusal(StrEnum):
    """How much of a sentence refuses. ``PART``: it also states something."""

    NONE = "none"
    PART = "part"
    WHOLE = "whole"


def is_refusal(sentence: str, known: Collection[str] = ()) -> bool:
    """Whether a sentence says that the sources, or the speaker, do not have the answer, and states nothing besides.

    ``known`` are sentences that count besides, as a prompt may have given them. A sentence that reports that somebody else could not
    find something, or that a rule does not cover something, is a statement. English, German, French, Spanish and Chinese are known
    well; Italian, Portuguese, Dutch and Japanese in their plainest forms.
    """
    return read_refusal(sentence, known) is Refusal.WHOLE


def read_refusal(sentence: str, known: Collection[str] = ()) -> Refusal:
    """How much of a sentence refuses: a clause that does may stand beside one that states something."""
    if not known and not _may_refuse(sentence):
        return Refusal.NONE
    plain = _plain(sentence)
    if not plain or len(plain) > _LONGEST:
        return Refusal.NONE
    if any(_words_of(plain) == _words_of(_plain(wording)) for wording in known):
        return Refusal.WHOLE
    if any(sign in plain for sign in _SIGNS_OF_OTHERS) and any(found.search(plain) for found in _OTHERS):
        return Refusal.WHOLE
    found = [_read(plain, tongue) for tongue in _tongues_of(plain)]
    return Refusal.PART if Refusal.PART in found else Refusal.WHOLE if Refusal.WHOLE in found else Refusal.NONE


def is_advice(sentence: str) -> bool:
    """Whether a sentence beside a refusal only says that it is sorry, or what to do instead: ask elsewhere, rephrase, give more."""
    return bool(_ADVICE.match(_plain(sentence)))


def declines_in_set_words(text: str, known: Collection[str] = ()) -> bool:
    """Whether a whole text is one of the ``known`` sentences, or a message with which a question is declined before generation.

    Such a message is a sentence that declines, the reason, and what was searched for which day, in the words of a language that is
    shipped; of other words ``known`` has the sentences, with their placeholders.
    """
    line = " ".join(text.split())
    if any(line == " ".join(wording.split()) for wording in known):
        return True
    found = _set_words(tuple(known)).fullmatch(line)
    return found is not None and (found[1] in known or (is_refusal(found[1], known) and not _SENTENCE_END.search(found[1])))


# ---------------------------------------------------------------- set words


@cache
def _set_words(known: tuple[str, ...]) -> re.Pattern[str]:
    """A sentence, the reason, and where told what was searched and the day."""
    tables = WORDINGS.values()
    searched = [table["searched"] for table in tables] + [wording for wording in known if "{documents}" in wording]
    days = [table["on_day"] for table in tables] + [wording for wording in known if "{day}" in wording]
    others = [wording for wording in known if wording not in searched and wording not in days]
    reasons = [table[name] for table in tables for name in DECLINING if name not in ("searched", "on_day")] + others
    return re.compile(f"(.{{1,400}}?) {_any_of(reasons)}(?: {_any_of(searched)})?(?: {_any_of(days)})?")


def _any_of(wordings: Iterable[str]) -> str:
    return "(?:" + "|".join([_PLACE.sub(".+", re.escape(" ".join(wording.split()))) for wording in wordings]) + ")"


_SENTENCE_END = pattern(r"[.!?] |[。！？].")
_PLACE = pattern(r"\\\{\w+\\\}")

# ---------------------------------------------------------------- the sentence

_LONGEST = 500
_SPACED = (ENGLISH, GERMAN, FRENCH, SPANISH)
_WORD = pattern(r"[^\W_]+")


def _may_refuse(sentence: str) -> bool:
    """Whether there is a negation at all: a quick look, since most sentences have none."""
    low = sentence.lower()
    if not low.isascii() and any(part in low for part in _NEGATIVE_PARTS):
        return True
    if "n't" in low or "n’t" in low:
        return True
    for sign in _SIGNS:
        low = low.replace(sign, " ")
    return not _negative_words().isdisjoint(low.split())


_SIGNS = "'’.,;:!?*_\"“”()"
_NEGATIVE_PARTS = ("没", "沒", "未", "不", "无", "無", "缺", "只", "ません", "ない", "não")


@cache
def _negative_words() -> frozenset[str]:
    return frozenset().union(*[tongue.denials for tongue in _SPACED], ("non", "não", "niet", "geen"))


def _tongues_of(plain: str) -> Iterator[Tongue]:
    """The languages of whose negations the sentence has one."""
    words = set(_WORD.findall(plain))
    for tongue in _SPACED:
        if not tongue.denials.isdisjoint(words):
            yield tongue
    if any(part in plain for part in _NEGATIVE_PARTS):
        yield CHINESE


def _plain(sentence: str) -> str:
    """Lower case, plain apostrophes, single blanks, no emphasis, no closing punctuation; ``¤`` for each citation mark."""
    text = _MARK.sub(" ¤ ", sentence.lower())
    for written, read in _SPELLINGS:
        text = text.replace(written, read)
    text = " ".join(_IS.sub(r"\1 is", text).split()).strip(" .!?。！？\"'“”«»")
    return text.replace(". ¤", " ¤").replace("。 ¤", " ¤")


_MARK = pattern(r"[\[【［][^\[\]【】［］\n]{1,40}[\]】］]")
_SPELLINGS = (("’", "'"), ("‘", "'"), ("n't", " not"), ("ca not ", "can not "), ("*", ""), ("_", ""))
_IS = pattern(r"\b(there|it|that|what|nothing)'s\b")


def _words_of(plain: str) -> str:
    return plain.replace("¤", "").strip(" .!?。！？")


def _read(plain: str, tongue: Tongue) -> Refusal:
    """How much of it refuses, read in one language, clause by clause."""
    clauses = [_Clause.of(n, clause, tongue) for n, clause in enumerate(_clauses(plain))]
    if any(clause.refuses for clause in clauses):
        stating = any(clause.adds(tongue) if clause.refuses else _states(clause.text, tongue) for clause in clauses)
        return Refusal.PART if stating else Refusal.WHOLE
    if len(clauses) > 1 and tongue.refuses(tongue.shape_of(_DASH.sub(" ", plain))):  # over a dash, or "this but not that"
        return Refusal.PART if _has_evidence(plain) else Refusal.WHOLE
    return Refusal.NONE


def _clauses(plain: str) -> list[str]:
    """The sentence at its semicolons, dashes and contrasts, and at its first comma if it begins with one of these."""
    if concession := _CONCEDES.match(plain):
        plain = plain[concession.end() :].replace(", ", "; ", 1)
    pieces = _STOP.split(plain)
    if not _CONTRASTING.isdisjoint(plain.replace(",", " ").split()) or any(word in plain for word in _CONTRASTS_ZH):
        pieces = [piece for part in pieces for piece in _CONTRAST.split(part)]
    return [clause for part in pieces if (clause := part.strip(" ,，")).strip("¤ ")]


_DASH = pattern(r" [–—-]+ |—+")
_CONCEDES = pattern(
    r"(?:while|although|though|whereas|even (?:though|if)|obwohl|während|auch wenn|bien qu[e']|alors qu[e']|tandis qu[e']|"
    r"même s[i']|aunque|si bien|mientras que)(?!\w)"
)
_CONTRASTS = (
    "however|though|although|while|whereas|yet|aber|jedoch|allerdings|obwohl|wobei|während|doch|cependant|toutefois|bien que|alors que|"
    "tandis que|aunque|sin embargo|mientras que"
)
_CONTRASTS_ZH = ("但是", "但", "不过", "然而", "虽然", "尽管")
_CONTRASTING = frozenset([words.split()[0] for words in f"{_CONTRASTS}|but|mais|pero".split("|")])
_STOP = pattern(r"[;；:：] ?|(?<= )[–—-]+ |—+")
_CONTRAST = pattern(
    rf"(?:^|, ?|¤ )(?:{_CONTRASTS})\b,?|(?:^|,? )(?:but|mais|pero)\b,?|(?:^|，|¤ ?)(?:{'|'.join(_CONTRASTS_ZH)})，?"
)

# ---------------------------------------------------------------- the clause


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause and its parts between commas; ``whole``: it refuses as a whole, ``refused``: which of its parts do."""

    text: str
    parts: tuple[str, ...]
    shapes: tuple[str, ...]
    whole: bool
    refused: tuple[bool, ...]

    @staticmethod
    def of(n: int, text: str, tongue: Tongue) -> _Clause:
        """The n-th clause of a sentence. One that is not the first goes on with it: "…, is it not said" is no condition."""
        parts = tuple([part for part in _PARTS.split(text) if part.strip(" ¤")])
        shapes = tuple([("x" if n + i else "") + tongue.shape_of(part) for i, part in enumerate(parts)])
        refused = tuple([tongue.refuses(shape) for shape in shapes])
        if len(parts) == 1:
            return _Clause(text, parts, shapes, refused[0], refused)
        whole = tongue.denies(shapes) and tongue.refuses(("x" if n else "") + tongue.shape_of(text))
        return _Clause(text, parts, shapes, whole, refused)

    @property
    def refuses(self) -> bool:
        return self.whole or any(self.refused)

    def adds(self, tongue: Tongue) -> bool:
        """Whether a part of a clause that refuses states something."""
        first = self.refused.index(True) if any(self.refused) else len(self.parts)
        return any(
            _adds(part, alone=i < first and not self.whole, before=i < first)
            for i, part in enumerate(self.parts)
            if not self.refused[i] and not tongue.frames(self.shapes[i])
        )


_PARTS = pattern(r", (?:and|und|et|y|so)?\b|，| (?:and|und|et|y) ")


def _states(clause: str, tongue: Tongue) -> bool:
    """Whether a clause that refuses nothing states something."""
    cites = "¤" in clause
    if _has_evidence(clause):
        return True
    if not cites and len(_WORD.findall(clause)) < 3 and not (tongue is CHINESE and len(clause) > 5):
        return False
    return not (_DEPENDS.match(clause) or (_ADVICE.match(clause) and not cites) or tongue.frames(tongue.shape_of(clause)))


def _adds(part: str, *, alone: bool, before: bool) -> bool:
    """Whether a part of a clause that refuses adds a statement: it cites or has a figure, and a verb, or stands for itself."""
    if _has_evidence(part):
        return True
    if len(part) < 4 or _DEPENDS.match(part):
        return False
    if "¤" in part and before:
        return True
    words = _WORD.findall(part)
    verb = not _STATING_WORDS.isdisjoint(words) or any(sign in part for sign in _STATING_SIGNS)
    return verb and ("¤" in part or _FIGURE.search(part) is not None or (alone and len(words) > 3))


def _has_evidence(text: str) -> bool:
    """Whether it cites, and has a figure."""
    return "¤" in text and _FIGURE.search(text) is not None


_FIGURE = pattern(r"\d")
_STATING_WORDS = frozenset(
    """
    is are was were has have must may can costs applies pays lasts takes amounts ist sind war beträgt gilt dauert kostet muss müssen hat haben
    wurde aber jedoch dagegen allerdings est sont dure coûte doit fut a es son está cuesta dura debe tiene asciende fue
    """.split()
)
_STATING_SIGNS = ("为", "是", "应", "须", "可以")
_DEPENDS = pattern(
    r"(?:and |or |und |et |y )?(?:whether|if|who|whom|which|that|how|when|where|why|what(?! is| they| it)|nor|because|since|as|so|for|on|about|in|"
    r"of|to|from|based|regarding|concerning|with|according|ob|wer|wie|wann|welche\w*|was|warum|denn|weil|da|zu|zum|zur|für|über|in|im|aus|bei|"
    r"mit|nach|bis|si|qui|que|quand|comment|où|car|parce|sur|pour|dans|d'après|selon|quién|cuándo|cómo|porque|pues|sobre|para|en|de|según)\b|"
    r"由|关于|对于|您关于|因为|由于|根据"
)
_ADVICE = pattern(
    r"(?:please|you (?:may|might|could|can|should|would)|i (?:recommend|suggest|would)|if you|consider|try|contact|feel free|let me know|"
    r"bitte|wenn sie|falls sie|sie können|veuillez|si vous|vous pouvez|por favor|si (?:me|usted|puede|tiene|necesita)|puede)\b|"
    r"请|請|如果|建议|您可以|(?:i'm|i am|we're|we are) (?:\w+ )?(?:sorry|afraid)\b|(?:es )?tut mir leid|(?:je suis )?désolée?\b|lo siento|"
    r"(?:很|非常)?(?:抱歉|遗憾)"
)
_SIGNS_OF_OTHERS = ("non ", "não", "niet", "geen", "ません", "ない", "不足")
_OTHERS = tuple([pattern(expression) for expression in OTHERS])
