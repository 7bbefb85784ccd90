"""The evaluation for people and for CI: tables for a terminal, JSON, and gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from contextpack_core.evaluation.compare import Comparison, Difference
from contextpack_core.evaluation.diagnosis import Failure
from contextpack_core.evaluation.intervals import Estimate
from contextpack_core.evaluation.judges import JudgeReport
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.run import Evaluation, EvaluationError
from contextpack_core.evaluation.thresholds import ThresholdAdvice


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound that a measure must keep: at least ``bound``, or at most where lower is better."""

    measure: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Gate:
        """The gate that ``measure=value`` describes.

        Raises:
            EvaluationError: there is no such measure, or the value is no number.
        """
        name, _, value = text.partition("=")
        if name not in MEASURES:
            raise EvaluationError(f"--fail-under {text}: no measure {name!r} — one of {', '.join(MEASURES)}")
        try:
            return cls(name, float(value))
        except ValueError:
            raise EvaluationError(f"--fail-under {text}: {value!r} — a number, as in {name}=0.8") from None

    def broken_by(self, overall: Mapping[str, Estimate]) -> str | None:
        """The sentence that says that the bound is not kept; None where it is. A measure that no case has does not keep it."""
        found = overall.get(self.measure)
        if found is None:
            return f"{self.measure}: no case has it, {self.bound:g} was wanted"
        lower = MEASURES[self.measure].better == "lower"
        if found.value <= self.bound if lower else found.value >= self.bound:
            return None
        return f"{self.measure}: {found.value:.4g}, {'at most' if lower else 'at least'} {self.bound:g} was wanted"


def report_data(
    evaluation: Evaluation,
    against: Evaluation | None = None,
    comparison: Comparison | None = None,
    thresholds: Sequence[ThresholdAdvice] = (),
) -> dict[str, Any]:
    """All of it as JSON data, for CI."""
    data = {
        **evaluation.to_dict(),
        "knees": {name: knee.to_dict() for name, knee in evaluation.knees.items()},
        "thresholds": [advice.to_dict() for advice in thresholds],
    }
    if against is not None and comparison is not None:
        data["against"] = against.to_dict()
        data["comparison"] = comparison.to_dict()
    return data


def print_report(
    console: Console,
    evaluation: Evaluation,
    against: Evaluation | None = None,
    comparison: Comparison | None = None,
    thresholds: Sequence[ThresholdAdvice] = (),
) -> None:
    """The tables: measures, intents, abstention, thresholds, failures, knees, and the comparison."""
    intents = list(evaluation.by_intent)[:_INTENTS]
    head = ("measure", "all", "95 %", "n", *intents)
    rows = [_measure_row(name, found, evaluation, intents) for name, found in evaluation.overall.items()]
    console.print(_table(f"{len(evaluation.records)} cases", head, rows))
    if any(sum(row.values()) for row in evaluation.matrix.values()):
        cells = [(f"answer {row}", str(c["answered"]), str(c["declined"])) for row, c in evaluation.matrix.items()]
        console.print(_table("abstention", ("", "answered", "declined"), cells))
    if thresholds:
        console.print(Text("thresholds for declining", style="bold"))
        if rows := advised_rows(thresholds):
            console.print(_table("", ADVISED, rows))
        for advice in thresholds:
            console.print(Text(advice.says))
            if advice.yaml:
                console.print(Text(f"  {advice.yaml}"))
    if evaluation.failures:
        meant = [(name, str(n), Failure(name.split()[0]).meaning) for name, n in evaluation.failures.items()]
        console.print(_table("failures", ("failure", "cases", "meaning"), meant, left=(0, 2)))
    if evaluation.knees:
        spread = [
            (name, f"{k.tokens:.0f}", f"{k.low:.0f}–{k.high:.0f}", f"{k.recall:.3f}", str(k.budget or "–"), str(k.n))
            for name, k in evaluation.knees.items()
        ]
        console.print(_table("knee of recall over tokens", ("intent", "tokens", "95 %", "recall", "budget", "n"), spread))
        for name, knee in evaluation.knees.items():
            if knee.budget is None:
                console.print(Text(f"{name}: {knee.says}"))
    if comparison is not None and against is not None:
        print_comparison(console, comparison, "against the first policy")
    for fault in evaluation.faults[:_SHOWN]:
        console.print(Text(f"left out: {fault}"))
    if len(evaluation.faults) > _SHOWN:
        console.print(Text(f"… and {len(evaluation.faults) - _SHOWN} more left out"))
    console.print(Text(f"signature {signature_line(evaluation)}", style="dim"))


def print_comparison(console: Console, comparison: Comparison, title: str) -> None:
    """The differences over all cases, and the cases that only one of the two fails."""
    console.print(_table(title, COMPARED, [compared_row(d) for d in comparison.overall], left=(0, 6)))
    console.print(Text(f"fixed: {_named(comparison.fixed)}   broken: {_named(comparison.broken)}"))


def print_judge(console: Console, found: JudgeReport) -> None:
    """The confusion of a judge with people, and what it says of the judge."""
    rows = [(f"people: {truth}", *[str(said[name]) for name in found.confusion]) for truth, said in found.confusion.items()]
    console.print(_table(f"{found.n} claims", ("", *[f"judge: {name}" for name in found.confusion]), rows))
    for line in found.says:
        console.print(Text(line))


ADVISED = ("signal", "answer from", "bound", "fitted on", "held out", "wrong of answered", "95 %", "answerable answered", "95 %")


def advised_rows(thresholds: Sequence[ThresholdAdvice]) -> list[tuple[str, ...]]:
    """The thresholds that were found, as cells of a table."""
    return [
        (
            advice.signal,
            f"{advice.fitted.value:.4g}",
            f"{advice.fitted.bound:.1%}",
            str(advice.fitted.n),
            str(advice.held_out),
            *_share_cells(advice.wrong),
            *_share_cells(advice.kept),
        )
        for advice in thresholds
        if advice.found
    ]


def _share_cells(found: Estimate | None) -> tuple[str, str]:
    return ("", "") if found is None else (f"{found.value:.1%}", f"{found.low:.1%}–{found.high:.1%}")


COMPARED = ("measure", "first", "second", "difference", "95 %", "n", "second is")


def compared_row(difference: Difference) -> tuple[str, ...]:
    """A difference as cells of a table."""
    d = difference
    plain = [_number(d.measure, value) for value in (d.first, d.second)]
    return (d.measure, *plain, f"{d.difference:+.4g}", f"{d.low:+.3g} … {d.high:+.3g}", str(d.n), d.verdict)


def signature_line(evaluation: Evaluation) -> str:
    """The signature on one line."""
    return " ".join(f"{name}:{value}".replace(" ", "_") for name, value in evaluation.signature.items())


def estimate_cells(name: str, found: Estimate) -> tuple[str, str]:
    """A value and its interval as texts."""
    return _number(name, found.value), f"{_number(name, found.low)}–{_number(name, found.high)}"


_INTENTS = 6
_SHOWN = 10


def _measure_row(name: str, found: Estimate, evaluation: Evaluation, intents: Sequence[str]) -> tuple[str, ...]:
    mine = [evaluation.by_intent[intent].get(name) for intent in intents]
    return (name, *estimate_cells(name, found), str(found.n), *[_number(name, each.value) if each else "" for each in mine])


def _number(name: str, value: float) -> str:
    return f"{value:.0f}" if name == "tokens" else f"{value:.3f}"


def _named(qids: Sequence[str]) -> str:
    if not qids:
        return "none"
    return ", ".join(qids[:5]) + (f" and {len(qids) - 5} more" if len(qids) > 5 else "")


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = (0,)) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, name in enumerate(head):
        table.add_column(name, justify="left" if i in left else "right", overflow="fold")
    for row in rows:
        table.add_row(*[Text(cell) for cell in row])
    return table
