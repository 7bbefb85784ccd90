"""The evaluation as one page that needs nothing else: tables, plots, and failed cases with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextpack_core.evaluation.compare import Difference
from contextpack_core.evaluation.diagnosis import Failure
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.observed import Observed
from contextpack_core.evaluation.report import (
    ADVISED,
    LONGEST,
    TUNED,
    UNANSWERED,
    Against,
    Names,
    abstention_tables,
    advised_rows,
    answered,
    compared_head,
    compared_row,
    estimate_cells,
    only_failed,
    settings_text,
    signatures,
    trial_rows,
)
from contextpack_core.evaluation.report_cases import case_html
from contextpack_core.evaluation.report_plots import (
    FUNNEL,
    bars_height,
    draw_failures,
    draw_funnel,
    draw_recall,
    draw_threshold,
    plot,
)
from contextpack_core.evaluation.report_text import counted, for_page, isolated, sentence, shortened
from contextpack_core.evaluation.run import Evaluation
from contextpack_core.evaluation.thresholds import SETTINGS, ThresholdAdvice
from contextpack_core.evaluation.tune import Tuning

CASES = 40
"""Failed cases that are shown with their evidence."""


def html_page(
    evaluation: Evaluation,
    shown: Sequence[Observed] = (),
    against: Against | None = None,
    title: str = "contextpack evaluation",
    thresholds: Sequence[ThresholdAdvice] = (),
) -> str:
    """The page. ``shown`` are the cases of the drill-down, observed again; ``thresholds`` those that are suggested for declining.

    Raises:
        ImportError: matplotlib is not installed.
    """
    return _page(title, [_notes(evaluation), _summary(evaluation, against), *_sections(evaluation, shown, against, thresholds)])


def tuning_page(tuning: Tuning, title: str = "contextpack tuning") -> str:
    """The page on tuning: what was chosen and why, then the chosen policy against the one before, on cases it was not chosen by.

    Raises:
        ImportError: matplotlib is not installed.
    """
    against = Against(tuning.before, tuning.comparison, TUNED)
    return _page(
        title,
        [
            _section("Chosen", _chosen(tuning)),
            "<h2>On the part that it was not chosen by</h2>",
            _notes(tuning.after),
            _summary(tuning.after, against),
            *_sections(tuning.after, (), against, [tuning.threshold] if tuning.threshold is not None else []),
        ],
    )


def _sections(
    evaluation: Evaluation, shown: Sequence[Observed], against: Against | None, thresholds: Sequence[ThresholdAdvice]
) -> list[str]:
    diagnoses = {record["qid"]: record.get("diagnosis") for record in evaluation.records}
    under = f" under {against.names.policy}" if against else ""
    return [
        _section(f"Measures{under}", _measures(evaluation)),
        _section(f"{against.names.policy} against {against.names.against}", _compared(against)) if against else "",
        _section("From the retriever to the answer", _funnel(evaluation, against)),
        _section("Recall and budget", plot(draw_recall, evaluation, against) + _knees(evaluation)),
        _section(f"Abstention{under}", _abstention(evaluation, thresholds)),
        _section("Failures", _failures(evaluation, against)),
        _section(f"Cases{under}", "".join([case_html(observed, diagnoses.get(observed.case.qid)) for observed in shown])),
        _section("Signature", "".join([f"<p class='signature'>{_signed(*each)}</p>" for each in signatures(evaluation, against)])),
    ]


def _signed(name: str, line: str) -> str:
    return f"{sentence(name)} {sentence(line)}"


# ---------------------------------------------------------------- the parts


def _notes(evaluation: Evaluation) -> str:
    return "".join([f"<p class='note'>{sentence(note)}</p>" for note in evaluation.notes])


def _summary(evaluation: Evaluation, against: Against | None) -> str:
    """How many cases and failures, and tiles of the measures that matter most, the other policy's value beside each."""
    failed = sum(1 for record in evaluation.records if record.get("diagnosis"))
    left_out = f", {len(evaluation.faults)} left out" if evaluation.faults else ""
    under = f" under {against.names.policy}" if against else ""
    tiles = []
    for name in _TILES:
        if name in evaluation.overall and (name != "miss_rate" or answered(evaluation)):
            value, interval = estimate_cells(name, evaluation.overall[name])
            other = against.evaluation.overall.get(name) if against else None
            beside = f"<i>{isolated(against.names.against)} {estimate_cells(name, other)[0]}</i>" if against and other else ""
            tiles.append(f"<div class='tile'><b>{value}</b><span>{name.replace('_', ' ')}</span><i>{interval}</i>{beside}</div>")
    said = f"{counted(len(evaluation.records), 'case')}{left_out}; {failed} with a failure{under}."
    faults = "".join([f"<li>{sentence(fault)}</li>" for fault in evaluation.faults[:_FAULTS]])
    listed = f"<ul>{faults}</ul>" if faults else ""
    return f"<p>{sentence(said)}</p>{listed}<div class='tiles'>{''.join(tiles)}</div>"


_TILES = ("whole_evidence", "evidence_recall", "tokens", "citation_precision", "figure_support", "answer_correctness", "miss_rate")
_FAULTS = 10


def _chosen(tuning: Tuning) -> str:
    """What was chosen, why, the policy to take over, and every trial."""
    k = tuning.knee
    knee = f"<p>Knee: {k.tokens:.0f} tokens ({k.low:.0f}–{k.high:.0f}); {sentence(k.says)}.</p>" if k is not None else ""
    threshold = f"<p>{sentence(tuning.threshold.says)}</p>" if tuning.threshold is not None else ""
    lost = [f"<p>Not tried: {sentence(settings_text(settings))}: {sentence(why)}</p>" for settings, why in tuning.lost]
    head, rows = trial_rows(tuning)
    lines = [tuple([f"<b>{for_page(cell)}</b>" if row[-1] else for_page(cell) for cell in row]) for row in rows]
    return (
        f"<p class='note'>{sentence(settings_text(tuning.chosen.settings))}</p><p>{sentence(tuning.why)}.</p>{knee}{threshold}"
        f"<pre>{for_page(tuning.chosen.policy.to_yaml())}</pre>{_table(tuple(map(for_page, head)), lines)}{''.join(lost)}"
    )


def _measures(evaluation: Evaluation) -> str:
    rows = []
    for name, found in evaluation.overall.items():
        cells = [mine.get(name) for mine in evaluation.by_intent.values()]
        value, interval = estimate_cells(name, found)
        rows.append(
            (
                f"<span title='{for_page(MEASURES[name].definition)}'>{name}</span>",
                f"{value} <i>{interval}</i>",
                f"{found.n} <i>{found.method}</i>",
                *["{} <i>{} · n={}</i>".format(*estimate_cells(name, mine), mine.n) if mine else "" for mine in cells],
            )
        )
    note = "" if answered(evaluation) or "miss_rate" not in evaluation.overall else f"<p>{UNANSWERED}</p>"
    return _table(("measure", "all", "n", *map(_name, evaluation.by_intent)), rows) + note


def _compared(against: Against) -> str:
    """The differences over all cases, then by intent to unfold, and the cases that only one of the two fails."""
    names, comparison = against.names, against.comparison
    notes = (f"A difference is {names.policy} minus {names.against}.", *comparison.notes)
    said = "".join([f"<p>{sentence(note)}</p>" for note in notes])
    intents = "".join(
        [
            f"<details><summary>{_name(intent)}</summary>{_differences(found, names)}</details>"
            for intent, found in comparison.by_intent.items()
        ]
    )
    failed = [
        f"<p><b>{sentence(what)}:</b> {', '.join(map(isolated, qids[:20])) or 'none'}{' …' if len(qids) > 20 else ''}</p>"
        for what, qids in only_failed(comparison, names)
    ]
    return said + _differences(comparison.overall, names) + (f"<h3>By intent</h3>{intents}" if intents else "") + "".join(failed)


def _differences(found: Sequence[Difference], names: Names) -> str:
    return _table(tuple(map(isolated, compared_head(names))), [tuple(map(for_page, compared_row(each))) for each in found])


def _funnel(evaluation: Evaluation, against: Against | None) -> str:
    """The bars, and a sentence where they are not of the same cases."""
    drawn = plot(draw_funnel, evaluation, against, height=bars_height(4))
    counts = {label: evaluation.overall[name].n for name, label in FUNNEL.items() if name in evaluation.overall}
    if not drawn or len(set(counts.values())) < 2:
        return drawn
    told = ", ".join([f"{label} of {counted(n, 'case')}" for label, n in counts.items()])
    return f"{drawn}<p>The bars are not of the same cases: {told}. Answers that decline are not among the cited and supported.</p>"


def _knees(evaluation: Evaluation) -> str:
    rows = [
        (_name(name), f"{k.tokens:.0f} <i>{k.low:.0f}–{k.high:.0f}</i>", f"{k.recall:.3f}", str(k.budget or "–"), str(k.n))
        for name, k in evaluation.knees.items()
    ]
    said = "".join([f"<p>{_name(name)}: {sentence(k.says)}</p>" for name, k in evaluation.knees.items() if k.budget is None])
    return _table(("intent", "knee, tokens", "recall there", "budget", "n"), rows) + said if rows else ""


def _abstention(evaluation: Evaluation, thresholds: Sequence[ThresholdAdvice]) -> str:
    """The matrix, the suggested thresholds, each in a sentence and as YAML to paste, and what other ones would do."""
    tables = "".join([_table(head, rows) for head, rows in abstention_tables(evaluation)])
    rows = [tuple(map(for_page, row)) for row in advised_rows(thresholds)]
    said = "".join([f"<p>{for_page(a.says)}</p>{f'<pre>{for_page(a.yaml)}</pre>' if a.yaml else ''}" for a in thresholds])
    advised = {advice.signal: advice for advice in thresholds}
    plots = "".join([plot(draw_threshold, evaluation, signal, advised.get(signal)) for signal in SETTINGS])
    return tables + (_table(ADVISED, rows) if rows else "") + said + plots


def _failures(evaluation: Evaluation, against: Against | None) -> str:
    """How often each failure was found, under either policy."""
    counts = [evaluation.failures, *([against.evaluation.failures] if against else [])]
    found = list(dict.fromkeys([name for each in counts for name in each]))
    if not found:
        return "<p>None.</p>"
    columns = tuple(map(isolated, against.names)) if against else ("cases",)
    rows = [(for_page(n), *[str(each.get(n, 0)) for each in counts], for_page(Failure(n.split()[0]).meaning)) for n in found]
    drawn = plot(draw_failures, evaluation, against, height=bars_height(len(evaluation.failures)))
    return _table(("failure", *columns, "meaning"), rows) + drawn


# ---------------------------------------------------------------- the page


def _name(intent: str) -> str:
    """The intent as HTML; a long one is cut, and shown whole when pointed at."""
    short = shortened(intent, LONGEST)
    return isolated(intent) if short == intent else f"<span title='{for_page(intent)}'>{isolated(short)}</span>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    lines = "".join(["<tr>" + "".join([f"<td>{cell}</td>" for cell in row]) + "</tr>" for row in rows])
    names = "".join([f"<th>{name}</th>" for name in head])
    return f"<div class='wide' tabindex='0'><table><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table></div>"


def _section(title: str, body: str) -> str:
    return f"<section><h2>{sentence(title)}</h2>{body}</section>" if body else ""


def _page(title: str, parts: Iterable[str]) -> str:
    body = "\n".join([part for part in parts if part])
    head = "<meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'>"
    hint = "<p class='hint'>Wide tables and plots scroll sideways.</p>"
    return (
        f"<!doctype html>\n<html lang='en'><head>{head}<title>{sentence(title)}</title>\n<style>{_STYLE}</style></head><body>\n"
        f"<h1>{sentence(title)}</h1>{hint}\n{body}\n</body></html>\n"
    )


_STYLE = """
:root { color-scheme: light dark; --ink: #1c1f23; --paper: #fff; --pale: #f6f6f4; --line: #ddd; --faint: #6b6b6b; --mark: #ffe08a;
  --note: #fdf1ea; --bad: #a8432a; --shade: rgba(0, 0, 0, .22); }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e0; --paper: #16181b; --pale: #202327; --line: #3b3f45; --faint: #9a9a96; --mark: #6b5510; --note: #33261d;
    --bad: #f0906f; --shade: rgba(255, 255, 255, .3); }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1040px; margin: 2rem auto;
  padding: 0 1.2rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
h4 { margin: .9rem 0 .2rem; font-size: .85rem; color: var(--faint); }
.wide { overflow-x: auto; background: linear-gradient(90deg, transparent, var(--paper) 70%) right / 40px 100% no-repeat local,
  linear-gradient(90deg, transparent, var(--shade)) right / 12px 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap;
  vertical-align: top; }
th { color: var(--faint); font-weight: 600; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); }
i { color: var(--faint); font-style: normal; font-size: .82em; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; }
.tile { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .9rem; display: flex; flex-direction: column;
  min-width: 7.5rem; }
.tile b { font-size: 1.35rem; }
figure { margin: .6rem 0; overflow-x: auto; }
figure svg { display: block; max-width: 100%; min-width: 520px; height: auto; }
details { border-bottom: 1px solid var(--line); padding: .35rem 0; }
summary { cursor: pointer; }
summary em { color: var(--bad); font-style: normal; font-size: .85em; }
pre { white-space: pre-wrap; background: var(--pale); padding: .6rem .8rem; border-radius: 4px; margin: 0 0 .6rem;
  font: 13px/1.45 ui-monospace, monospace; }
mark { background: var(--mark); color: inherit; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
li { font-size: .9rem; }
blockquote { margin: .2rem 0; padding-left: .7rem; border-left: 3px solid var(--mark); }
.proof, .note { background: var(--note); padding: .4rem .7rem; border-radius: 4px; }
.problem { color: var(--bad); font-size: .9rem; margin: .2rem 0; }
.signature { font: 12px ui-monospace, monospace; color: var(--faint); }
.hint { display: none; color: var(--faint); font-size: .87rem; }
@media (max-width: 760px) {
  .hint { display: block; }
  th:first-child, td:first-child { white-space: normal; min-width: 8.5rem; max-width: 9rem; overflow-wrap: anywhere; }
}
"""
