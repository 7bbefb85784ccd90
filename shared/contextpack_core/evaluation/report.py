"""The evaluation for people and for CI: tables for a terminal, JSON, and gates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from contextpack_core.evaluation.compare import Comparison, Difference
from contextpack_core.evaluation.diagnosis import Failure
from contextpack_core.evaluation.intervals import TOO_FEW, Estimate, interval_text
from contextpack_core.evaluation.judges import JudgeReport
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.report_text import counted, for_terminal, shortened
from contextpack_core.evaluation.run import Evaluation, EvaluationError
from contextpack_core.evaluation.thresholds import ThresholdAdvice
from contextpack_core.evaluation.tune import Tuning


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
            bound = float(value)
        except ValueError:
            bound = math.nan
        if not math.isfinite(bound):
            raise EvaluationError(f"--fail-under {text}: {value!r} — a number, as in {name}=0.8")
        return cls(name, bound)

    def broken_by(self, overall: Mapping[str, Estimate]) -> str | None:
        """The sentence that says that the bound is not kept; None where it is. A measure that no case has does not keep it."""
        found = overall.get(self.measure)
        if found is None:
            return f"{self.measure}: no case has it, {self.bound:g} was wanted"
        lower = MEASURES[self.measure].better == "lower"
        value = round(found.value, 6)  # as it is reported: a mean of 0.7 may be a hair below it
        if value <= self.bound if lower else value >= self.bound:
            return None
        return f"{self.measure}: {found.value:.4g}, {'at most' if lower else 'at least'} {self.bound:g} was wanted"


class Names(NamedTuple):
    """What a report calls two policies: the one that it is about, and the one that this is held against."""

    policy: str = "policy"
    against: str = "against"


DEFAULT_NAMES = Names()


def names_of(policy: Path | None, against: Path | None) -> Names:
    """The names of the policies' files, with their folders where the files are called the same; ``policy`` and ``against`` for
    what has no file, or cannot be told apart.
    """
    found = Names(policy.name if policy else "policy", against.name if against else "against")
    if policy and against and policy.name == against.name:
        found = Names("/".join(policy.parts[-2:]), "/".join(against.parts[-2:]))
    return found if found.policy != found.against else DEFAULT_NAMES


@dataclass(frozen=True, slots=True)
class Against:
    """What a report holds its evaluation against: another one, and the comparison that has this other one first."""

    evaluation: Evaluation
    comparison: Comparison
    names: Names = DEFAULT_NAMES


TUNED = Names("chosen policy", "policy before")
"""What a report of tuning calls the two."""


def report_data(
    evaluation: Evaluation, against: Against | None = None, thresholds: Sequence[ThresholdAdvice] = ()
) -> dict[str, Any]:
    """All of it as JSON data, for CI. A difference is that of ``second`` minus ``first``, which are named."""
    data = {
        "notes": list(evaluation.notes),
        **evaluation.to_dict(),
        "knees": {name: knee.to_dict() for name, knee in evaluation.knees.items()},
        "thresholds": [advice.to_dict() for advice in thresholds],
    }
    if against is not None:
        data["against"] = against.evaluation.to_dict()
        names = {"first": against.names.against, "second": against.names.policy}
        data["comparison"] = {**names, **against.comparison.to_dict()}
    return data


def print_report(
    console: Console, evaluation: Evaluation, against: Against | None = None, thresholds: Sequence[ThresholdAdvice] = ()
) -> None:
    """The tables: measures, intents, abstention, thresholds, failures, knees, and the comparison."""
    for note in evaluation.notes:
        console.print(_line(f"note: {note}"))
    called = f" under {against.names.policy}" if against else ""
    rows = [(name, *estimate_cells(name, found), str(found.n)) for name, found in evaluation.overall.items()]
    console.print(_table(f"{counted(len(evaluation.records), 'case')}{called}", ("measure", "all", "95 %", "n"), rows))
    _print_intents(console, evaluation)
    for head, cells in abstention_tables(evaluation):
        console.print(_table("abstention", head, cells))
    if not answered(evaluation):
        console.print(_line(UNANSWERED))
    _print_thresholds(console, thresholds)
    if evaluation.failures:
        meant = [(name, str(n), Failure(name.split()[0]).meaning) for name, n in evaluation.failures.items()]
        console.print(_table(f"failures{called}", ("failure", "cases", "meaning"), meant, left=(0, 2)))
    _print_knees(console, evaluation)
    if against is not None:
        print_comparison(console, against.comparison, against.names)
    for fault in evaluation.faults[:_SHOWN]:
        console.print(_line(f"left out: {fault}"))
    if len(evaluation.faults) > _SHOWN:
        console.print(_line(f"… and {len(evaluation.faults) - _SHOWN} more left out"))
    for name, signature in signatures(evaluation, against):
        console.print(_line(f"{name} {signature}", style="dim"))


def print_comparison(console: Console, comparison: Comparison, names: Names, title: str | None = None) -> None:
    """The differences over all cases, those that are seen by intent, and the cases that only one of the two fails."""
    title = title or f"{names.policy} against {names.against}: differences are {names.policy} minus {names.against}"
    head = compared_head(names)
    console.print(_table(title, head, [compared_row(d) for d in comparison.overall], left=(0, 6)))
    seen = [(intent, d) for intent, found in comparison.by_intent.items() for d in found if d.verdict in ("better", "worse")]
    if seen:
        rows = [(shortened(intent, LONGEST), *compared_row(d)) for intent, d in seen]
        console.print(_table("differences by intent", ("intent", *head), rows, left=(0, 1, 7)))
    elif comparison.by_intent:
        few = all(d.verdict == TOO_FEW for found in comparison.by_intent.values() for d in found)
        console.print(_line(f"by intent: {TOO_FEW if few else 'no difference seen'}"))
    for said, qids in only_failed(comparison, names):
        console.print(_line(f"{said}: {_named(qids)}"))
    for note in comparison.notes:
        console.print(_line(note))


def print_tuning(console: Console, tuning: Tuning) -> None:
    """What was chosen, why, every trial, and what came of it on the other part of the cases."""
    console.print(_line(f"chosen: {settings_text(tuning.chosen.settings)}"))
    console.print(_line(tuning.why))
    if (knee := tuning.knee) is not None:
        console.print(_line(f"knee: {knee.tokens:.0f} tokens ({knee.low:.0f}–{knee.high:.0f}); {knee.says}"))
    if tuning.threshold is not None:
        console.print(_line(tuning.threshold.says))
    head, rows = trial_rows(tuning)
    console.print(
        _table(f"{counted(len(rows), 'trial')} on the part that it was chosen by", head, rows, left=(0, 1, 2, len(head) - 1))
    )
    for settings, why in tuning.lost:
        console.print(_line(f"not tried: {settings_text(settings)}: {why}"))
    console.print(_line("On the part that it was not chosen by:"))
    print_report(console, tuning.after, Against(tuning.before, tuning.comparison, TUNED))


def print_judge(console: Console, found: JudgeReport) -> None:
    """The confusion of a judge with people, and what it says of the judge."""
    rows = [(f"people: {truth}", *[str(said[name]) for name in found.confusion]) for truth, said in found.confusion.items()]
    console.print(_table(counted(found.n, "claim"), ("", *[f"judge: {name}" for name in found.confusion]), rows))
    for line in found.says:
        console.print(_line(line))


# ---------------------------------------------------------------- what terminal and page say alike


LONGEST = 40
"""Characters of an intent that a table shows."""


def answered(evaluation: Evaluation) -> bool:
    """Whether some case has an answer."""
    return any("status" in record for record in evaluation.records)


UNANSWERED = "No case has an answer: miss_rate and overdecline_rate tell what the pack would do, have the model asked or not."


def abstention_tables(evaluation: Evaluation) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Heads and rows of the abstention matrix: what the answers did, and for cases without an answer what the pack would do."""
    tables: list[tuple[tuple[str, ...], list[tuple[str, ...]]]] = []
    for given, head in (
        (True, ("with an answer", "answered", "declined")),
        (False, ("without an answer", "would be asked", "not asked")),
    ):
        cells = [tuple(r["cell"]) for r in evaluation.records if r.get("cell") and ("status" in r) is given]
        if cells:
            n = Counter(cells)
            rows = [
                (f"answer {row}", *[str(n[row, column]) for column in ("answered", "declined")]) for row in ("present", "absent")
            ]
            tables.append(((f"{counted(len(cells), 'case')} {head[0]}", *head[1:]), list(rows)))
    return tables


def only_failed(comparison: Comparison, names: Names) -> tuple[tuple[str, Sequence[str]], ...]:
    """The cases that only one of the two policies fails."""
    return (
        (f"fails only under {names.against}", comparison.fixed),
        (f"fails only under {names.policy}", comparison.broken),
    )


def signatures(evaluation: Evaluation, against: Against | None) -> list[tuple[str, str]]:
    """The signature of each evaluation on a line, with its name."""
    if against is None:
        return [("signature", signature_line(evaluation))]
    pairs = zip(against.names, (evaluation, against.evaluation), strict=True)
    return [(f"signature of {name}:", signature_line(one)) for name, one in pairs]


def settings_text(settings: Mapping[str, object]) -> str:
    """The settings of a trial in words."""
    return ", ".join([f"{name} {setting_text(value)}" for name, value in settings.items()])


def setting_text(value: object) -> str:
    """The value of a setting; ``none`` for one that is not set."""
    return "none" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def trial_rows(tuning: Tuning) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The trials as a head and rows, the chosen one marked."""
    settings = list(dict.fromkeys([name for trial in tuning.trials for name in trial.settings]))
    head = (*settings, tuning.measure, "tokens", "")
    rows = [
        (
            *[setting_text(trial.settings.get(name)) for name in settings],
            _number(tuning.measure, trial.value),
            _number("tokens", trial.tokens),
            "chosen" if trial.settings == tuning.chosen.settings else "",
        )
        for trial in tuning.trials
    ]
    return head, rows


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
    return ("", "") if found is None else (f"{found.value:.1%}", interval_text(found.low, found.high, "{:.1%}".format))


def compared_head(names: Names) -> tuple[str, ...]:
    """The heads over ``compared_row``."""
    return ("measure", names.against, names.policy, "difference", "95 %", "n", f"{names.policy} is")


def compared_row(difference: Difference) -> tuple[str, ...]:
    """A difference as cells of a table."""
    d = difference
    plain = [_number(d.measure, value) for value in (d.first, d.second)]
    sure = interval_text(d.low, d.high, partial(_signed, d.measure), " … ")
    return (d.measure, *plain, _signed(d.measure, d.difference), sure, str(d.n), d.verdict)


def signature_line(evaluation: Evaluation) -> str:
    """The signature on one line."""
    return " ".join([f"{name}:{value}".replace(" ", "_") for name, value in evaluation.signature.items()])


def estimate_cells(name: str, found: Estimate) -> tuple[str, str]:
    """A value and its interval as texts."""
    return _number(name, found.value), interval_text(found.low, found.high, partial(_number, name))


_INTENTS = 6
_SHOWN = 10


def _print_intents(console: Console, evaluation: Evaluation) -> None:
    """The measures of the first intents, as many beside each other as fit."""
    intents = list(evaluation.by_intent)
    beside = max(1, (console.width - _MEASURE_WIDTH) // _INTENT_WIDTH)
    for start in range(0, min(len(intents), _INTENTS), beside):
        shown = intents[start : min(start + beside, _INTENTS)]
        head = ("measure", *[cell for intent in shown for cell in (shortened(intent, LONGEST), "95 %", "n")])
        rows = []
        for name in evaluation.overall:
            mine = [evaluation.by_intent[intent].get(name) for intent in shown]
            rows.append((name, *[cell for e in mine for cell in ((*estimate_cells(name, e), str(e.n)) if e else ("", "", ""))]))
        console.print(_table("by intent", head, rows))
    if len(intents) > _INTENTS:
        console.print(_line(f"… and {counted(len(intents) - _INTENTS, 'intent')} more, in report.json"))


_MEASURE_WIDTH = 20
_INTENT_WIDTH = 32


def _print_thresholds(console: Console, thresholds: Sequence[ThresholdAdvice]) -> None:
    if not thresholds:
        return
    console.print(Text("thresholds for declining", style="bold"))
    if rows := advised_rows(thresholds):
        console.print(_table("", ADVISED, rows))
    for advice in thresholds:
        console.print(_line(advice.says))
        if advice.yaml:
            console.print(_line(f"  {advice.yaml}"))


def _print_knees(console: Console, evaluation: Evaluation) -> None:
    if not evaluation.knees:
        return
    spread = [
        (
            shortened(name, LONGEST),
            f"{k.tokens:.0f}",
            f"{k.low:.0f}–{k.high:.0f}",
            f"{k.recall:.3f}",
            str(k.budget or "–"),
            str(k.n),
        )
        for name, k in evaluation.knees.items()
    ]
    console.print(_table("knee of recall over the evidence budget", ("intent", "tokens", "95 %", "recall", "budget", "n"), spread))
    for name, knee in evaluation.knees.items():
        if knee.budget is None:
            console.print(_line(f"{shortened(name, LONGEST)}: {knee.says}"))


def _number(name: str, value: float) -> str:
    return f"{value:.0f}" if name == "tokens" else f"{value:.3f}"


def _signed(name: str, value: float) -> str:
    """A difference with its sign, in plain decimals; what rounds to nothing has no sign."""
    text = f"{value:+.1f}" if name == "tokens" else f"{value:+.4f}"
    return text if float(text) else text[1:]


def _named(qids: Sequence[str]) -> str:
    if not qids:
        return "none"
    return ", ".join(qids[:5]) + (f" and {len(qids) - 5} more" if len(qids) > 5 else "")


def _line(text: str, style: str = "") -> Text:
    return Text(for_terminal(text), style=style)


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = (0,)) -> Table:
    table = Table(
        title=_line(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        header_style="dim",
    )
    for i, name in enumerate(head):
        table.add_column(_line(name), justify="left" if i in left else "right", overflow="fold")
    for row in rows:
        table.add_row(*[_line(cell) for cell in row])
    return table
