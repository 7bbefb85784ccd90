"""Abstention: whether a sentence, or an answer as a whole, says that the sources do not answer."""

# ruff: noqa: E501 — wordings on one line can be compared with their neighbours

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from contextpack_core.grounding.refusal_advice import is_plain_advice
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
    """Whether a sentence beside a refusal only says that it is sorry, or whom to ask, what to look up, how to ask again.

    A right, a duty or a fact is no advice, however it begins: "you can cancel at any time". Nor is what cites or has a figure.
    """
    return is_plain_advice(_plain(sentence))


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
    about = _ABOUT_A_SOURCE.match(plain)
    if about and (_ASIDE.search(about[2]) or tongue.frames(tongue.shape_of(f"{about[1]} {about[2]}"))):
        plain = f"{about[1]} {plain[about.end() :]}"
    pieces = _clauses(plain)
    clauses = [_Clause.of(n, clause, tongue) for n, (clause, _) in enumerate(pieces)]
    if any(clause.refuses for clause in clauses):
        stating = any(
            clause.adds(tongue) if clause.refuses else _states(clause.text, tongue, led=led)
            for clause, (_, led) in zip(clauses, pieces, strict=True)
        )
        of_sources = not (_CITES in plain or _TELLS_OTHERS.search(plain)) or _names_a_source(clauses, tongue)
        partial = stating or not of_sources or _states_in_brackets(plain, tongue)
        return Refusal.PART if partial else Refusal.WHOLE
    if len(clauses) > 1 and tongue.refuses(tongue.shape_of(_DASH.sub(" ", plain))):  # over a dash, or "this but not that"
        partial = _has_evidence(plain) or _CITES in plain or any(led for _, led in pieces)
        return Refusal.PART if partial else Refusal.WHOLE
    return Refusal.NONE


def _clauses(plain: str) -> list[tuple[str, bool]]:
    """The sentence at its semicolons, dashes, contrasts, reasons and conclusions, and at its first comma if it begins with one of these.

    Beside each whether it is a reason or a conclusion, or what follows from one.
    """
    plain = _BRACKETS.sub("", plain) if plain[0] not in "(（" else plain
    opening = _CONCEDES.match(plain) or _REASON_FIRST.match(plain)
    if opening:
        plain = _COMMA.sub("; ", plain[opening.end() :], count=1)
    pieces = _STOP.split(plain)
    if not _CONTRASTING.isdisjoint(plain.replace(",", " ").split()) or any(word in plain for word in _CONTRASTS_ZH):
        pieces = [piece for part in pieces for piece in _CONTRAST.split(part)]
    found = [(clause, opening is not None or i > 0) for part in pieces for i, clause in enumerate(_SEAM.split(part))]
    trimmed = [(clause.strip(" ,，"), led) for clause, led in found]
    return [(clause, led) for clause, led in trimmed if clause.strip("¤ ")]


_ABOUT_A_SOURCE = pattern(r"([^,]{1,60}), (?:which|that|who|die|welche|qui|que) ([^,¤\d]{1,80}), ")
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
_COMMA = pattern(r"[,，] ?")
_REASON = (
    r"because|given that|seeing that|considering that|as(?! (?:far|for|to|of|such|well|regards|requested|stated|long|soon|an?)\b)|since(?! \d)|weil|da|denn|"
    r"comme|puisque|puisqu(?=')|parce que|parce qu(?=')|étant donné que|vu que|dado que|puesto que|ya que|como|porque"
)
_CONCLUSION = (
    r"so(?! (?:far|much|many|long)\b)|therefore|thus|hence|consequently|accordingly|thereby|(?:meaning|implying|suggesting|indicating)(?: that)?|which (?:means|implies|suggests|indicates|shows)(?: that)?|i\.e\.|that is(?! why\b)|in other words|"
    r"daher|deshalb|deswegen|folglich|somit|demnach|weshalb|weswegen|sodass|so dass|was bedeutet|das heißt|also(?= (?:ist|sind|gilt|wird|kann|können|muss|gibt|besteht|fällt)\b)|"
    r"donc|par conséquent|ainsi|alors|ce qui|de sorte que|si bien que|c'est pourquoi|car(?= (?:le|la|les|l'|il|elle|on|je|ce|c'))|"
    r"por lo que|por (?:lo )?tanto|por ende|así que|de modo que|luego|pues|lo que"
)
_EXCEPTION = r"(?:more than|except|other than|only) that|(?:apart|aside) from the fact that|außer,? dass|mehr als,? dass|si ce n'est que|sauf que|salvo que|excepto que|más que"
_ZH_REASON, _ZH_CONCLUSION = "由于|因为|既然|鉴于", "所以|因此|因而|从而|故此|这?意味着|也就是说"
_REASON_FIRST = pattern(rf"(?:{_REASON})(?!\w)|{_ZH_REASON}")
_SEAM = pattern(
    rf"(?:, ?|^|(?:,? (?:and|und|et|y) ))(?:{_REASON}|{_CONCLUSION})(?!\w),?|,? (?:because|parce que|parce qu(?=')|puisque|puisqu(?=')|porque|ya que|{_EXCEPTION})(?!\w)|"
    rf" (?:since|so|donc|car)(?= (?:it|the|this|that|you|they|we|there|no|il|elle|c'|le|la|les|vous)\b)|(?:，|^)(?:{_ZH_REASON}|{_ZH_CONCLUSION})，?"
)
_STOP = pattern(r"[;；:：] ?|(?<= )[–—-]+ |—+")
_CONTRAST = pattern(
    rf"(?:^|, ?|¤ )(?:{_CONTRASTS})\b,?| (?:although|even though|aunque|bien que)\b|(?:^|,? )(?:but|mais|pero)\b,?|(?:^|，|¤ ?)(?:{'|'.join(_CONTRASTS_ZH)})，?"
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
        alone = not any(self.refused)  # then the part with the negation is what refuses, with the others
        first = len(self.parts) if alone else self.refused.index(True)
        return any(
            _adds(part, tongue, before=i < first)
            for i, part in enumerate(self.parts)
            if not self.refused[i] and not tongue.frames(self.shapes[i]) and not (alone and tongue.denies([self.shapes[i]]))
        )


_PARTS = pattern(r", (?:and|und|et|y|so)?\b|，| (?:and|und|et|y) ")


def _states(clause: str, tongue: Tongue, *, led: bool) -> bool:
    """Whether a clause that refuses nothing states something; ``led``: it is a reason or a conclusion, which states with two words."""
    shape = tongue.shape_of(clause)
    if _has_evidence(clause):
        return True
    if tongue.frames(shape) or (led and _NOR_KNOWN.search(shape)):
        return False
    if _CITES in clause:
        return True
    stated = tongue.has_predicate(clause)
    if is_plain_advice(clause) or (len(tongue.words_of(clause)) < (2 if led or tongue is CHINESE else 3) and not (led and stated)):
        return False
    if _LOCATES.match(clause) or ("," in clause and _DEPENDS.match(clause)):  # "in summer it is …", "when it rains, it is …"
        return stated and not _ASIDE.search(clause)
    return not _DEPENDS.match(clause)


def _adds(part: str, tongue: Tongue, *, before: bool) -> bool:
    """Whether a part of a clause that refuses adds a statement: it cites and has a figure, or has a verb; or cites ``before``."""
    if _has_evidence(part) or (_CITES in part and before):
        return True
    if len(part) < 4 or _ASIDE.search(part):
        return False
    if _DEPENDS.match(part):
        return not before and _RELATES.match(part) is not None
    return tongue.has_predicate(part) and (not tongue.spaced or len(tongue.words_of(part)) > 2)


def _states_in_brackets(plain: str, tongue: Tongue) -> bool:
    """Whether something in brackets has a verb, or a figure that counts no documents."""
    for found in _BRACKETS.findall(plain) if "(" in plain or "（" in plain else ():
        counts = _FIGURE.search(found) and not any(sign in tongue.shape_of(found) for sign in "SPT")
        if (tongue.has_predicate(found) or counts) and not _ASIDE.search(found):
            return True
    return False


def _names_a_source(clauses: Sequence[_Clause], tongue: Tongue) -> bool:
    """Whether a sentence that refuses speaks of sources, or of its speaker.

    One that cites, or is about telling others, may otherwise well be a fact: "customer details are not disclosed [P1]".
    """
    texts = [
        clause.text if any("G" in shape for shape in clause.shapes) else tongue.without_vague(clause.text) for clause in clauses
    ]
    shapes = [tongue.shape_of(text) for text in texts]
    return any(_SPEAKS_OF_SOURCES.search(shape) is not None for shape in shapes)


def _has_evidence(text: str) -> bool:
    """Whether it cites, and has a figure."""
    return _CITES in text and _FIGURE.search(text) is not None


_CITES = "¤"
_FIGURE = pattern(r"\d")
_BRACKETS = pattern(r"[(（]([^()（）]{1,200})[)）]")
_SPEAKS_OF_SOURCES = pattern("S(?![^Q]{0,6}H[^QT]*$)|[IJ]|P[^Q]{0,4}[Vv]|[Vv][^Q]{0,4}P")
_TELLS_OTHERS = pattern(
    r"\b(?:to|with) (?:any |a |the )?(?:third|other) part(?:y|ies)\b|\bto (?:the press|the public|anyone)\b|\bdritten\b|\bà des tiers\b|\ba terceros\b|向第三方"
)
_ASIDE = pattern(
    r"\b(?:i|me|us|(?:we|you) (?:have|had|were|was|gave|give|provided|supplied|sent|shared|uploaded)|ich|mir|uns|je|j'|m'|nos)\b|我|您提供|的是$"
)
_NOR_KNOWN = pattern("^E[^SPQ]{0,3}N[^Q]{0,3}[gFhV]")  # "…, so it cannot be determined"
_RELATES = pattern(
    r"(?:which (?:is|are|was|were|has|have|means|must|may|can|cannot|will|applies|amounts|equals|depends|costs|lasts|the|a|an|its|you|we)|qui (?:est|sont|a|ont|doit)|que (?:está|están|es|son|debe))\b"
)
_LOCATES = pattern(
    r"(?:for|on|about|in|of|to|from|based|regarding|concerning|with|according|zu|zum|zur|für|über|in|im|aus|bei|mit|nach|bis|sur|pour|dans|d'après|"
    r"selon|sobre|para|en|de|según)\b|由|关于|对于|您关于|根据"
)
_DEPENDS = pattern(
    r"(?:and |or |und |et |y )?(?:whether|if|who|whom|which|that|how|when|where|why|what(?! is| they| it)|nor|for|on|about|in|"
    r"of|to|from|based|regarding|concerning|with|according|ob|wer|wie|wann|welche\w*|was|warum|zu|zum|zur|für|über|in|im|aus|bei|"
    r"mit|nach|bis|si|qui|que|quand|comment|où|sur|pour|dans|d'après|selon|combien|quel(?:le)?s?|pourquoi|quién|cuándo|cómo|cuánt[oa]s?|cuál(?:es)?|inwieweit|sobre|para|en|de|según)\b|"
    r"由|关于|对于|您关于|根据"
)
_SIGNS_OF_OTHERS = ("non ", "não", "niet", "geen", "ません", "ない", "不足")
_OTHERS = tuple([pattern(expression) for expression in OTHERS])
