"""Sampled checks: which answers of a running application get the judge, and the records that the evaluation reads later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from contextpack_core.citations.check import Judge, check
from contextpack_core.citations.report import Report
from contextpack_core.citations.settings import DEFAULT_SETTINGS, CitationSettings
from contextpack_core.pack import Pack
from contextpack_core.saved import to_plain
from contextpack_core.text import content_id


def has_figures(report: Report) -> bool:
    """Whether the answer states a figure that is a claim."""
    return any(not figure.exempt for figure in report.figures)


def has_problems(report: Report) -> bool:
    """Whether the check without a judge found something wrong already."""
    return bool(report.problems)


@dataclass(frozen=True, slots=True)
class Checked:
    """The report on an answer, and its record where it was chosen: ``why`` says ``always`` or ``rate``."""

    report: Report
    why: str | None = None
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SampledChecks:
    """Checks every answer by program, and puts a share of them, and ``always`` those of a kind, before a judge.

    The choice hangs on question and answer alone: the same ones are chosen on every machine and in every replay. ``record`` of a
    result is a case for ``evaluate``, one JSON line, with the verdicts of the judge; it holds texts, so it belongs where those
    may be. An answer that is given again has the same ``qid``, unless ``check`` is told one (a ticket, a request): the evaluation
    counts it each time it stands in the file, as ``qid``, ``qid#2`` and so on, whichever process wrote it.

    Raises:
        ValueError: ``rate`` is not between 0 and 1.
    """

    rate: float = 0.02
    always: Callable[[Report], bool] | None = None
    seed: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"SampledChecks(rate={self.rate!r}): a share between 0 and 1")

    def chosen(self, question: str, answer: str) -> bool:
        """Whether the answer is in the share that is judged."""
        return int(content_id(self.seed, question, answer), 16) < self.rate * 2**64

    def check(
        self,
        answer: str | Mapping[str, Any],
        pack: Pack,
        *,
        question: str = "",
        qid: str | None = None,
        judge: Judge | None = None,
        settings: CitationSettings = DEFAULT_SETTINGS,
    ) -> Checked:
        """The report, judged where the answer is chosen, and then the record of it."""
        report = check(answer, pack, question=question, settings=settings)
        why = "always" if self.always is not None and self.always(report) else None
        if why is None and self.chosen(question, report.answer):
            why = "rate"
        if why is None:
            return Checked(report)
        if judge is not None:
            report = check(answer, pack, question=question, settings=settings, judge=judge)
        return Checked(report, why, self._record(report, pack, question, answer, why, qid))

    def _record(
        self, report: Report, pack: Pack, question: str, answer: str | Mapping[str, Any], why: str, qid: str | None
    ) -> dict[str, Any]:
        record = {
            "qid": qid or content_id(question, report.answer),
            "question": question or "(not recorded)",
            "answer": answer if isinstance(answer, str) else dict(answer),
            "sources": pack.to_dict(),
            "as_of": pack.as_of.isoformat(),
            "intent": pack.intent,
            "chosen": why,
            "rate": self.rate,
            "support": None if report.support is None else [to_plain(verdict) for verdict in report.support],
        }
        return {name: value for name, value in record.items() if value is not None}
