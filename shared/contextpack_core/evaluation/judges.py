"""Judges judged: how far a judge's verdicts on labelled claims can be trusted, and which differences they cannot show."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import NormalDist, median
from typing import Any

from contextpack_core.citations.support import BatchSupportJudge, Support, SupportJudge, SupportLabel, judge_claims
from contextpack_core.evaluation.cases import CasesError, case_lines
from contextpack_core.evaluation.intervals import CONFIDENCE, Estimate, interval_text, wilson
from contextpack_core.text import folded


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A claim, a passage, and whether people say that the passage supports the claim."""

    claim: str
    passage: str
    supported: bool


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """A judge against people.

    ``confusion`` counts by truth and verdict (``supported``, ``unsupported``). ``agreement`` is the share of equal verdicts,
    ``kappa`` Cohen's. ``auc`` is the chance that a supported claim scores above one that is not; None without scores. ``near``
    and ``far`` are the shares of supported claims found among those whose words the passage has, and among those it says
    otherwise; ``paraphrase_bias`` is near minus far. ``noise`` is the smallest difference of two shares of supported claims, each
    on ``n`` claims, that this judge can tell from chance; None where it is no better than chance.
    """

    n: int
    confusion: Mapping[str, Mapping[str, int]]
    agreement: Estimate
    kappa: float | None
    auc: float | None
    near: Estimate | None
    far: Estimate | None
    paraphrase_bias: float | None
    noise: float | None
    unknown: int

    @property
    def says(self) -> tuple[str, ...]:
        """The report in sentences."""
        agreed, near, far = self.agreement, self.near, self.far
        sure = interval_text(agreed.low, agreed.high, "{:.0%}".format)
        lines = [f"Agrees with people on {agreed.value:.0%} of {self.n} {'claim' if self.n == 1 else 'claims'} ({sure})."]
        if self.kappa is not None:
            ranks = "" if self.auc is None else f", AUC {self.auc:.2f}"
            lines.append(f"Cohen's kappa is {self.kappa:.2f}{ranks}.")
        if self.unknown:
            lines.append(f"It gave no verdict on {self.unknown} of them, which counts as no support.")
        if near and far:
            apart = near.low is not None and far.high is not None and near.low > far.high
            what = "it misses paraphrase" if apart else "no bias against paraphrase seen"
            lines.append(
                f"Of supported claims it finds {near.value:.0%} of the close and {far.value:.0%} of the paraphrased ones: {what}."
            )
        if self.noise is None and self.kappa is None:
            lines.append("All of them have one label: whether it is better than chance cannot be told.")
        elif self.noise is None:
            lines.append("It is no better than chance: its verdicts show nothing.")
        else:
            lines.append(
                f"Differences below {self.noise:.1%} of two systems, on {self.n} claims each, are noise at this agreement."
            )
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, with the sentences."""
        return {**asdict(self), "says": list(self.says)}


def assess_judge(judge: SupportJudge | BatchSupportJudge, pairs: Iterable[LabelledPair]) -> JudgeReport:
    """What the judge's verdicts on labelled pairs are worth. Only ``supported`` counts as support; ``unknown`` does not.

    Raises:
        ValueError: there are no pairs.
    """
    given = tuple(pairs)
    return assess_verdicts(judge_claims(judge, [p.claim for p in given], [{"P1": p.passage} for p in given]), given)


def assess_verdicts(verdicts: Sequence[Support], pairs: Sequence[LabelledPair]) -> JudgeReport:
    """What verdicts are worth that a judge gave before, one for each labelled pair, such as those of ``load_verdicts``.

    Raises:
        ValueError: there are no pairs, or not a verdict for each.
    """
    given = tuple(pairs)
    if not given or len(verdicts) != len(given):
        raise ValueError(f"{len(verdicts)} verdicts on {len(given)} labelled pairs — a verdict for each, and at least one")
    said = [verdict.label is SupportLabel.SUPPORTED for verdict in verdicts]
    truth = [pair.supported for pair in given]
    counts = {
        _NAMES[t]: {_NAMES[s]: sum(a is t and b is s for a, b in zip(truth, said, strict=True)) for s in (True, False)}
        for t in (True, False)
    }
    near, far = _by_closeness(given, said)
    n = len(given)
    return JudgeReport(
        n,
        counts,
        wilson(sum(t is s for t, s in zip(truth, said, strict=True)), n),
        cohen_kappa(truth, said),
        auc([(v.score, t) for v, t in zip(verdicts, truth, strict=True) if v.score is not None]),
        near,
        far,
        near.value - far.value if near and far else None,
        noise_floor(truth, said),
        sum(verdict.label is SupportLabel.UNKNOWN for verdict in verdicts),
    )


def load_pairs(path: str | Path) -> tuple[LabelledPair, ...]:
    """Labelled pairs as JSON lines: ``claim``, ``passage`` and ``supported``, or a ``label`` of a common data set.

    Raises:
        CasesError: every wrong line.
    """
    pairs, faults = [], []
    for number, line in case_lines(path):
        try:
            record = json.loads(line)
            supported = record.get("supported")
            label = record.get("label") if supported is None else supported
            truth = label if isinstance(label, bool) else _LABELS[str(label).strip().lower().replace("_", " ")]
            pairs.append(LabelledPair(_checked(record["claim"]), _checked(record["passage"]), truth))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            faults.append(f"{path}:{number}: an object with the texts claim and passage, and supported: true or false, is wanted")
    if faults:
        raise CasesError(faults)
    return tuple(pairs)


def load_verdicts(path: str | Path) -> tuple[Support, ...]:
    """The verdicts of any judge that stand beside the labels of a file of pairs, one for each line: ``verdict`` (``supported``,
    ``not_supported``, … or true or false) and, if it gives one, ``score`` from 0 to 1. ``assess_verdicts`` takes them.

    Raises:
        CasesError: every wrong line.
    """
    verdicts, faults = [], []
    for number, line in case_lines(path):
        try:
            record = json.loads(line)
            score = record.get("score")
            if score is not None and (isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1):
                raise ValueError
            verdicts.append(Support(_verdict(record["verdict"]), score))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            faults.append(
                f"{path}:{number}: beside claim and passage a verdict is wanted: {', '.join(SupportLabel)}; a score: 0 to 1"
            )
    if faults:
        raise CasesError(faults)
    return tuple(verdicts)


def _verdict(value: Any) -> SupportLabel:
    if isinstance(value, str) and value in set(SupportLabel):
        return SupportLabel(value)
    supported = value if isinstance(value, bool) else _LABELS[value.strip().lower().replace("_", " ")]
    return SupportLabel.SUPPORTED if supported else SupportLabel.NOT_SUPPORTED


def cohen_kappa(first: Sequence[bool], second: Sequence[bool]) -> float | None:
    """Agreement beyond chance, 1 at best (Cohen 1960); None where chance alone explains all: both give one label only."""
    n = len(first)
    agreed = sum(a is b for a, b in zip(first, second, strict=True)) / n
    p, q = sum(first) / n, sum(second) / n
    chance = p * q + (1 - p) * (1 - q)
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def auc(scored: Sequence[tuple[float, bool]]) -> float | None:
    """The area under the ROC curve: the chance that a true one scores above a false one, ties half (Hanley and McNeil 1982)."""
    ranked = sorted(scored, key=lambda item: item[0])
    true = sum(label for _, label in ranked)
    false = len(ranked) - true
    if not true or not false:
        return None
    total, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        total += sum(label for _, label in ranked[at:end]) * (at + 1 + end) / 2  # the mean rank of a tie
        at = end
    return (total - true * (true + 1) / 2) / (true * false)


def noise_floor(truth: Sequence[bool], said: Sequence[bool], confidence: float = CONFIDENCE) -> float | None:
    """The smallest difference of two true shares, each over as many claims, that shows through the judge's errors.

    A judge with sensitivity s and specificity t shrinks each difference by s + t - 1 (Rogan and Gladen 1978): what sampling alone
    makes of two judged shares, divided by that. None where that is not positive.
    """
    n, true = len(truth), sum(truth)
    if not true or true == n:
        return None
    sensitivity = sum(s for t, s in zip(truth, said, strict=True) if t) / true
    specificity = sum(not s for t, s in zip(truth, said, strict=True) if not t) / (n - true)
    gain = sensitivity + specificity - 1
    if gain <= 0:
        return None
    share = sum(said) / n
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return min(1.0, z * math.sqrt(2 * share * (1 - share) / n) / gain)


def _by_closeness(pairs: Sequence[LabelledPair], said: Sequence[bool]) -> tuple[Estimate | None, Estimate | None]:
    """Of the supported claims the shares found: those whose words stand in the passage, and the paraphrased half."""
    true = [(i, _shared_words(pair)) for i, pair in enumerate(pairs) if pair.supported]
    if len(true) < 2:
        return None, None
    middle = median(score for _, score in true)
    near = [said[i] for i, score in true if score > middle]
    far = [said[i] for i, score in true if score <= middle]
    return (wilson(sum(near), len(near)) if near else None), (wilson(sum(far), len(far)) if far else None)


def _shared_words(pair: LabelledPair) -> float:
    """The share of the claim's words that stand in the passage."""
    mine, theirs = (set(_WORD.findall(folded(text))) for text in (pair.claim, pair.passage))
    return len(mine & theirs) / max(1, len(mine))


_WORD = re.compile(r"\w+")


def _checked(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_NAMES = {True: "supported", False: "unsupported"}
_LABELS = {
    **dict.fromkeys(("supports", "supported", "support", "entailment", "entails", "yes", "true", "1"), True),
    **dict.fromkeys(
        (
            "refutes", "refuted", "contradiction", "contradicted", "not enough info", "neutral", "not supported", "unsupported",
            "partially supported", "incomplete", "partial", "no", "false", "0",
        ),
        False,
    ),
}  # fmt: skip
