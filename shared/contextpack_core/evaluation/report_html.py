"""The evaluation as one page that needs nothing else: tables, plots, and failed cases with their evidence."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.compare import Comparison
from contextpack_core.evaluation.curves import recall_curve, threshold_curve
from contextpack_core.evaluation.diagnosis import Failure
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.observed import Observed
from contextpack_core.evaluation.report import ADVISED, COMPARED, advised_rows, compared_row, estimate_cells, signature_line
from contextpack_core.evaluation.run import Evaluation, failure_name
from contextpack_core.evaluation.thresholds import ThresholdAdvice
from contextpack_core.text import normal
from contextpack_core.tokens import without_surrogates
from contextpack_core.values import Evidence

CASES = 40
"""Failed cases that are shown with their evidence."""


def html_page(
    evaluation: Evaluation,
    shown: Sequence[Observed] = (),
    against: Evaluation | None = None,
    comparison: Comparison | None = None,
    title: str = "contextpack evaluation",
    thresholds: Sequence[ThresholdAdvice] = (),
) -> str:
    """The page. ``shown`` are the cases of the drill-down, observed again; ``thresholds`` those that are suggested for declining.

    Raises:
        ImportError: matplotlib is not installed.
    """
    diagnoses = {record["qid"]: record.get("diagnosis") for record in evaluation.records}
    parts = [
        f"<h1>{_text(title)}</h1>",
        _summary(evaluation),
        _section("Measures", _measures(evaluation)),
        _section("Comparison", _compared(comparison)) if comparison is not None else "",
        _section("From the retriever to the answer", _plot(_draw_funnel, evaluation, height=_bars(4))),
        _section("Recall and tokens", _plot(_draw_recall, evaluation, against) + _knees(evaluation)),
        _section("Abstention", _matrix(evaluation) + _advised(thresholds) + _plot(_draw_thresholds, evaluation, thresholds)),
        _section("Failures", _failures(evaluation) + _plot(_draw_failures, evaluation, height=_bars(len(evaluation.failures)))),
        _section("Cases", "".join([_case(observed, diagnoses.get(observed.case.qid)) for observed in shown])),
        _section("Signature", f"<p class='signature'>{_text(signature_line(evaluation))}</p>"),
    ]
    return _PAGE.format(title=_text(title), body="\n".join(part for part in parts if part))


# ---------------------------------------------------------------- tables


def _summary(evaluation: Evaluation) -> str:
    failed = sum(1 for record in evaluation.records if record.get("diagnosis"))
    left_out = f", {len(evaluation.faults)} left out" if evaluation.faults else ""
    tiles = []
    for name in (
        "whole_evidence",
        "evidence_recall",
        "tokens",
        "citation_precision",
        "figure_support",
        "answer_correctness",
        "miss_rate",
    ):
        if name in evaluation.overall:
            value, interval = estimate_cells(name, evaluation.overall[name])
            tiles.append(f"<div class='tile'><b>{value}</b><span>{_text(name.replace('_', ' '))}</span><i>{interval}</i></div>")
    cases = f"<p>{len(evaluation.records)} cases{left_out}; {failed} with a failure.</p>"
    return f"{cases}<div class='tiles'>{''.join(tiles)}</div>"


def _measures(evaluation: Evaluation) -> str:
    intents = list(evaluation.by_intent)
    rows = []
    for name, found in evaluation.overall.items():
        cells = [estimate_cells(name, mine) if (mine := evaluation.by_intent[intent].get(name)) else None for intent in intents]
        rows.append(
            (
                f"<span title='{_text(MEASURES[name].definition)}'>{_text(name)}</span>",
                *[f"{value} <i>{interval}</i>" for value, interval in [estimate_cells(name, found)]],
                f"{found.n} <i>{found.method}</i>",
                *[f"{pair[0]} <i>{pair[1]}</i>" if pair else "" for pair in cells],
            )
        )
    return _table(("measure", "all", "n", *map(_text, intents)), rows)


def _compared(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    rows = [tuple(map(_text, compared_row(difference))) for difference in comparison.overall]
    listed = "".join(
        f"<p>{what}: {_text(', '.join(qids[:20]) or 'none')}{' …' if len(qids) > 20 else ''}</p>"
        for what, qids in (("Failed before, not now", comparison.fixed), ("Fails now, not before", comparison.broken))
    )
    return _table(COMPARED, rows) + listed


def _matrix(evaluation: Evaluation) -> str:
    cells = evaluation.matrix
    if not any(sum(row.values()) for row in cells.values()):
        return ""
    rows = [(f"answer {row}", str(found["answered"]), str(found["declined"])) for row, found in cells.items()]
    return _table(("", "answered", "declined"), rows)


def _advised(thresholds: Sequence[ThresholdAdvice]) -> str:
    """The suggested thresholds, each in a sentence, and as YAML to paste."""
    rows = [tuple(map(_text, row)) for row in advised_rows(thresholds)]
    said = "".join([f"<p>{_text(a.says)}</p>{f'<pre>{_text(a.yaml)}</pre>' if a.yaml else ''}" for a in thresholds])
    return (_table(ADVISED, rows) if rows else "") + said


def _knees(evaluation: Evaluation) -> str:
    rows = [
        (_text(name), f"{k.tokens:.0f} <i>{k.low:.0f}–{k.high:.0f}</i>", f"{k.recall:.3f}", str(k.budget or "–"), str(k.n))
        for name, k in evaluation.knees.items()
    ]
    said = "".join([f"<p>{_text(f'{name}: {k.says}')}</p>" for name, k in evaluation.knees.items() if k.budget is None])
    return _table(("intent", "knee, tokens", "recall there", "budget", "n"), rows) + said if rows else ""


def _failures(evaluation: Evaluation) -> str:
    rows = [(_text(name), str(n), _text(Failure(name.split()[0]).meaning)) for name, n in evaluation.failures.items()]
    return _table(("failure", "cases", "meaning"), rows) if rows else "<p>None.</p>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    lines = "".join(["<tr>" + "".join([f"<td>{cell}</td>" for cell in row]) + "</tr>" for row in rows])
    names = "".join([f"<th>{name}</th>" for name in head])
    return f"<div class='wide'><table><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table></div>"


# ---------------------------------------------------------------- plots


def _plot(draw: Any, *arguments: Any, height: float = 3.1) -> str:
    """What ``draw`` draws on a pair of axes, as SVG without an id that changes; nothing where it has nothing to draw."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("the page needs matplotlib: pip install 'contextpack-rag[eval]'") from error
    style: dict[Any, Any] = {
        "svg.hashsalt": "contextpack",
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(7.6, height), layout="constrained")
        axes = figure.add_subplot()
        if not draw(axes, *arguments):
            return ""
        target = io.StringIO()
        FigureCanvasSVG(figure)  # gives the figure its way to be drawn
        figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    return f"<figure>{target.getvalue()[target.getvalue().index('<svg') :]}</figure>"


_INK = ("#1f5f8b", "#c2571a", "#4b8b3b", "#7a4e9e", "#8a6d1c", "#3b8b85", "#a33a5b", "#555555")
_LINES = 6


def _bars(count: int) -> float:
    """The height of a plot with so many bars, in inches."""
    return 0.7 + 0.32 * min(count, _BARS)


_BARS = 12


def _draw_funnel(axes: Any, evaluation: Evaluation) -> bool:
    """The share of the gold that comes through: retrieved, admitted, cited, supported, with intervals."""
    stages = [("retrieved", "retrieved"), ("evidence_recall", "admitted"), ("cited", "cited"), ("supported", "supported")]
    found = [(label, evaluation.overall[name]) for name, label in stages if name in evaluation.overall]
    if not found:
        return False
    places = range(len(found))
    values = [e.value for _, e in found]
    errors = [[e.value - e.low for _, e in found], [e.high - e.value for _, e in found]]
    errors = [[max(0.0, value) for value in side] for side in errors]
    axes.barh(places, values, xerr=errors, color=_INK[0], height=0.55, error_kw={"ecolor": "#333", "capsize": 3, "lw": 1})
    axes.set_yticks(places, [f"{label} (n={e.n})" for label, e in found])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.02)
    axes.set_xlabel("share of the gold")
    return True


def _draw_recall(axes: Any, evaluation: Evaluation, against: Evaluation | None) -> bool:
    """Mean recall against tokens, for all cases, the commonest intents and the other policy, and the knee with its interval."""
    curve = recall_curve(evaluation.records)
    if not curve:
        return False
    axes.plot(*zip(*curve, strict=True), color=_INK[0], lw=2, label="all")
    if against is not None and (other := recall_curve(against.records)):
        axes.plot(*zip(*other, strict=True), color=_INK[1], lw=2, ls="--", label="all, other policy")
    sizes = {i: sum(r.get("intent") == i for r in evaluation.records) for i in evaluation.by_intent}
    for place, intent in enumerate(sorted(sizes, key=lambda i: (-sizes[i], i))[:_LINES], 2):
        mine = recall_curve([r for r in evaluation.records if r.get("intent") == intent])
        if mine:
            axes.plot(*zip(*mine, strict=True), color=_INK[place % len(_INK)], lw=1, alpha=0.8, label=_plain(intent))
    knee = evaluation.knees.get("all")
    if knee is not None:
        axes.axvspan(knee.low, knee.high, color=_INK[0], alpha=0.12, lw=0)
        axes.plot([knee.tokens], [knee.recall], "o", color=_INK[0], ms=6, label=f"knee, {knee.tokens:.0f} tokens")
    axes.set_xlabel("tokens, best passages first")
    axes.set_ylabel("recall")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return True


def _draw_thresholds(axes: Any, evaluation: Evaluation, thresholds: Sequence[ThresholdAdvice]) -> bool:
    """What declining below a score does, and the threshold that is suggested for it."""
    points = threshold_curve(evaluation.records)
    if len(points) < 2 or points[0].wrong == 0:
        return False
    xs = [point.value for point in points]
    axes.plot(xs, [point.kept for point in points], color=_INK[0], label="answerable ones answered")
    axes.plot(xs, [point.wrong for point in points], color=_INK[1], label="of answered ones not answerable")
    axes.plot(xs, [point.answered for point in points], color="#999999", ls=":", label="answered")
    for advice in thresholds:
        axes.axhline(advice.fitted.error, color=_INK[1], lw=0.8, ls="--", alpha=0.6)
        if advice.signal == "score" and advice.found:
            axes.axvline(advice.fitted.value, color="#333333", lw=1, label=f"suggested, {advice.fitted.value:.4g}")
    axes.set_xlabel("decline below this best score (grounding.min_score)")
    axes.set_ylabel("share")
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return True


def _draw_failures(axes: Any, evaluation: Evaluation) -> bool:
    found = list(evaluation.failures.items())[:_BARS]
    if not found:
        return False
    axes.barh(range(len(found)), [n for _, n in found], color=_INK[1], height=0.6)
    axes.set_yticks(range(len(found)), [name for name, _ in found])
    axes.invert_yaxis()
    axes.set_xlabel("cases")
    axes.xaxis.get_major_locator().set_params(integer=True)
    return True


# ---------------------------------------------------------------- cases


def _case(observed: Observed, diagnosis: Mapping[str, str] | None) -> str:
    """A case to unfold: the proof, the answer, and the evidence with the gold marked in it."""
    case = observed.case
    name = failure_name(diagnosis) if diagnosis else "no failure"
    parts = [f"<p class='proof'>{_text(diagnosis['proof'])}</p>"] if diagnosis else []
    if case.reference:
        parts.append(f"<p><b>Reference</b> {_text(case.reference[0])}</p>")
    if observed.report is not None:
        parts.append(f"<p><b>Answer</b> {_text(observed.report.answer)}</p>")
        parts += [f"<p class='problem'>{_text(str(problem))}</p>" for problem in observed.report.problems[:10]]
    gold = _gold_texts(observed)
    if gold:
        parts.append("<p><b>Gold</b></p>" + "".join([f"<blockquote>{_text(text)}</blockquote>" for text in gold[:6]]))
    evidence = observed.pack.evidence if observed.pack else ()
    parts += [_passage(item, observed, gold) for item in evidence]
    if observed.pack is None and observed.report is not None:
        parts += [f"<h4>{_text(label)}</h4><pre>{_text(s.text[:4000])}</pre>" for label, s in observed.report.sources.items()]
    head = f"<summary><code>{_text(case.qid)}</code> {_text(case.question)} <em>{_text(name)}</em></summary>"
    return f"<details>{head}{''.join(parts)}</details>"


def _passage(item: Evidence, observed: Observed, gold: Sequence[str]) -> str:
    source = item.passage.source
    cited = item.label in observed.cited_labels
    head = (
        f"{item.label} · {source.title or source.doc_id}{f' · {source.edition}' if source.edition else ''} · {item.tokens} tokens"
    )
    body = marked(item.passage.text, [*_spans_in(item, observed.case), *_found_in(item.passage.text, gold)])
    return f"<h4>{_text(head)}{' · cited' if cited else ''}</h4><pre>{body}</pre>"


def marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text as HTML with the stretches in ``<mark>``; those that overlap are one."""
    parts, at = [], 0
    for start, end in sorted(spans):
        start = max(start, at)
        if start < end:
            parts += [_text(text[at:start]), f"<mark>{_text(text[start:end])}</mark>"]
            at = end
    return "".join([*parts, _text(text[at:])])


def _spans_in(item: Evidence, case: Case) -> list[tuple[int, int]]:
    """Where gold spans stand in the passage's text."""
    found, offset = [], 0
    for piece in item.passage.pieces:
        if piece.span is not None:
            for gold in case.gold.spans:
                start, end = max(piece.span.start, gold.start), min(piece.span.end, gold.end)
                if gold.doc_id == item.passage.source.doc_id and start < end:
                    found.append((offset + start - piece.span.start, offset + end - piece.span.start))
        offset += len(piece.text)
    return found


def _found_in(text: str, gold: Sequence[str]) -> list[tuple[int, int]]:
    """Where gold texts stand whole in the text, however the blanks are."""
    found = []
    for wanted in gold:
        words = wanted.split()
        if words and (match := re.search(r"\s+".join(map(re.escape, words)), text)):
            found.append(match.span())
    return found


def _gold_texts(observed: Observed) -> list[str]:
    gold = observed.case.gold
    wanted = set(gold.ids)
    texts = [observed.gold_texts[span] for span in gold.spans if "\ufffd" not in observed.gold_texts[span]]
    return [*texts, *gold.quotes, *[normal(c.text) for c in observed.candidates or () if c.id in wanted], *gold.documents]


def _section(title: str, body: str) -> str:
    return f"<section><h2>{_text(title)}</h2>{body}</section>" if body else ""


def _text(value: object) -> str:
    return escape(without_surrogates(str(value)), quote=True)


def _plain(text: str) -> str:
    """A text that matplotlib draws as it is: no formulas, nothing that XML cannot hold."""
    return "".join([c for c in without_surrogates(text) if c.isprintable()]).replace("$", r"\$")[:30]


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-
scale=1"><title>{title}</title> <style> :root {{ color-scheme: light; }} body {{ font: 15px/1.5 system-ui, sans-serif; color:
#1c1f23; background: #fff; max-width: 1040px; margin: 2rem auto; padding: 0 1.2rem; }} h1 {{ font-size: 1.5rem; }} h2 {{ font-
size: 1.15rem; margin: 2rem 0 .6rem; border-bottom: 1px solid #ddd; padding-bottom: .2rem; }} h4 {{ margin: .9rem 0 .2rem; font-
size: .85rem; color: #444; }} .wide {{ overflow-x: auto; }} table {{ border-collapse: collapse; font-size: .87rem; font-variant-
numeric: tabular-nums; }} th, td {{ text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #eee; white-space:
nowrap; vertical-align: top; }} th {{ color: #666; font-weight: 600; }} i {{ color: #767676; font-style: normal; font-size: .82em;
}} .tiles {{ display: flex; flex-wrap: wrap; gap: .7rem; }} .tile {{ border: 1px solid #ddd; border-radius: 6px; padding: .5rem
.9rem; display: flex; flex-direction: column; min-width: 7.5rem; }} .tile b {{ font-size: 1.35rem; }} figure {{ margin: .6rem 0;
}} figure svg {{ max-width: 100%; height: auto; }} details {{ border-bottom: 1px solid #eee; padding: .35rem 0; }} summary {{
cursor: pointer; }} summary em {{ color: #c2571a; font-style: normal; font-size: .85em; }} pre {{ white-space: pre-wrap; overflow-
wrap: anywhere; background: #f7f7f5; padding: .6rem .8rem; border-radius: 4px; font: 13px/1.45 ui-monospace, monospace; margin: 0;
}} mark {{ background: #ffe08a; }} blockquote {{ margin: .2rem 0 .2rem .2rem; padding-left: .7rem; border-left: 3px solid #ffe08a;
font-size: .9rem; }} .proof {{ background: #fdf1ea; padding: .4rem .7rem; border-radius: 4px; }} .problem {{ color: #a33; font-
size: .9rem; margin: .2rem 0; }} .signature {{ font: 12px ui-monospace, monospace; color: #666; overflow-wrap: anywhere; }}
</style></head><body> {body} </body></html>
"""
