"""The plots of a report: SVG that is the same for the same numbers, and readable on light and on dark paper."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any

from contextpack_core.evaluation.curves import recall_curve, threshold_curve
from contextpack_core.evaluation.report import Against
from contextpack_core.evaluation.report_text import for_plot
from contextpack_core.evaluation.run import Evaluation
from contextpack_core.evaluation.thresholds import SETTINGS, ThresholdAdvice


def plot(draw: Any, *arguments: Any, height: float = 3.0) -> str:
    """What ``draw`` draws on a pair of axes, as a figure of HTML; nothing where it has nothing to draw.

    Raises:
        ImportError: matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("the page needs matplotlib: pip install 'contextpack-rag[eval]'") from error
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        if not draw(axes, *arguments):
            return ""
        _set_legend(figure, axes, height)
        target = io.StringIO()
        FigureCanvasSVG(figure)  # gives the figure its way to be drawn
        with warnings.catch_warnings():
            # the reader's browser draws the letters: those that matplotlib's font lacks are only measured as others
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    svg = target.getvalue()[target.getvalue().index("<svg") :].replace(_INK, "currentColor")
    return f"<figure tabindex='0'>{svg}</figure>"


_WIDTH = 6.6  # inches; the page never draws it so small that its letters cannot be read
_INK = "#010203"  # stands for the colour of the text around, which the page knows
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "contextpack",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.xmargin": 0.02,
    **dict.fromkeys(["text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"], _INK),
}
_COLOURS = ("#3579b8", "#d0672a", "#4c9141", "#8f66c2", "#a5801a", "#2e928c", "#c74f76", "#808080")
_GREY = "#808080"


def _set_legend(figure: Any, axes: Any, height: float) -> None:
    """The names of lines below the plot, where they cost it no width. matplotlib leaves out names that begin with ``_``: they are
    set afterwards.
    """
    handles = [artist for artist in (*axes.lines, *axes.patches) if artist.get_gid() is not None]
    if not handles:
        return
    rows = -(-len(handles) // 2)
    figure.set_size_inches(_WIDTH, height + 0.22 * rows)
    legend = figure.legend(handles, [str(i) for i in range(len(handles))], loc="outside lower left", ncols=2, frameon=False)
    for said, artist in zip(legend.get_texts(), handles, strict=True):
        said.set_text(artist.get_gid())
        artist.set_gid(None)


def bars_height(count: int) -> float:
    """The height of a plot with so many bars, in inches."""
    return 0.8 + 0.32 * min(count, BARS)


BARS = 12
"""Failures that are drawn."""
_LINES = 6


def draw_funnel(axes: Any, evaluation: Evaluation, against: Against | None) -> bool:
    """The share of the gold that comes through: retrieved, admitted, cited, supported, with intervals; under either policy."""
    both = (
        [(evaluation, "")] if against is None else [(evaluation, against.names.policy), (against.evaluation, against.names.against)]
    )
    stages = [(name, label) for name, label in FUNNEL.items() if name in evaluation.overall]
    if not stages:
        return False
    thick = 0.6 / len(both)
    for place, (one, called) in enumerate(both):
        found = [(i, one.overall[name]) for i, (name, _) in enumerate(stages) if name in one.overall]
        ends = [(e.value if e.low is None else e.low, e.value, e.value if e.high is None else e.high) for _, e in found]
        spread = [[max(0.0, value - low) for low, value, _ in ends], [max(0.0, high - value) for _, value, high in ends]]
        rows = [i + (place - (len(both) - 1) / 2) * thick for i, _ in found]
        whisker = {"ecolor": _INK, "capsize": 3, "lw": 1}
        bars = axes.barh(rows, [e.value for _, e in found], xerr=spread, color=_COLOURS[place], height=thick, error_kw=whisker)
        if called:
            bars[0].set_gid(for_plot(called))
    axes.set_yticks(range(len(stages)), [f"{label} (n={evaluation.overall[name].n})" for name, label in stages])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.02)
    axes.set_xlabel("share of the gold")
    return True


FUNNEL = {"retrieved": "retrieved", "evidence_recall": "admitted", "cited": "cited", "supported": "supported"}
"""The steps from the retriever to the answer: measures, and what their bars are called."""


def draw_recall(axes: Any, evaluation: Evaluation, against: Against | None) -> bool:
    """Mean recall under evidence budgets up to the policy's own, for all cases, the commonest intents and the other policy, and the
    knee with its interval.
    """
    curve = recall_curve(evaluation.records)
    if not curve:
        return False
    axes.plot(*zip(*curve, strict=True), color=_COLOURS[0], lw=2, gid=for_plot(against.names.policy if against else "all"))
    if against is not None and (other := recall_curve(against.evaluation.records)):
        axes.plot(*zip(*other, strict=True), color=_COLOURS[1], lw=2, ls="--", gid=for_plot(against.names.against))
    sizes = {i: sum(r.get("intent") == i for r in evaluation.records) for i in evaluation.by_intent}
    for place, intent in enumerate(sorted(sizes, key=lambda i: (-sizes[i], i))[:_LINES], 2):
        mine = recall_curve([r for r in evaluation.records if r.get("intent") == intent])
        if mine:
            axes.plot(*zip(*mine, strict=True), color=_COLOURS[place % len(_COLOURS)], lw=1, gid=for_plot(intent))
    knee = evaluation.knees.get("all")
    if knee is not None:
        axes.axvspan(knee.low, knee.high, color=_COLOURS[0], alpha=0.15, lw=0)
        said = f"knee, {knee.tokens:.0f} tokens"
        axes.plot([knee.tokens], [knee.recall], "o", color=_COLOURS[0], ms=6, gid=said)
    axes.set_xlabel("evidence budget, tokens")
    axes.set_ylabel("recall")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    return True


def draw_threshold(axes: Any, evaluation: Evaluation, signal: str, advice: ThresholdAdvice | None) -> bool:
    """What declining below a value of the signal does, and the threshold that is suggested for it. Between two values that cases
    have nothing changes: the lines are steps.
    """
    points = threshold_curve(evaluation.records, signal)
    if len(points) < 2 or points[0].wrong == 0:
        return False
    xs = [point.value for point in points]
    lines = (
        ([point.kept for point in points], _COLOURS[0], "-", "answerable ones answered"),
        ([point.wrong for point in points], _COLOURS[1], "-", "of answered ones not answerable"),
        ([point.answered for point in points], _GREY, ":", "answered"),
    )
    for ys, colour, style, said in lines:
        axes.plot(xs, ys, color=colour, ls=style, drawstyle="steps-pre", gid=said)
    if advice is not None:
        axes.axhline(
            advice.fitted.error, color=_COLOURS[1], lw=1, ls="--", gid=f"wrong ones wanted: at most {advice.fitted.error:.3g}"
        )
        if advice.found:
            axes.axvline(advice.fitted.value, color=_INK, lw=1, gid=f"suggested, {advice.fitted.value:.4g}")
    axes.set_xlabel(f"decline below this {signal} (grounding.{SETTINGS[signal]})")
    axes.set_ylabel("share")
    axes.set_ylim(0, 1.02)
    return True


def draw_failures(axes: Any, evaluation: Evaluation, against: Against | None) -> bool:
    """How often each failure was found, under the policy that the report is about."""
    found: Sequence[tuple[str, int]] = list(evaluation.failures.items())[:BARS]
    if not found:
        return False
    axes.barh(range(len(found)), [n for _, n in found], color=_COLOURS[1], height=0.6)
    axes.set_yticks(range(len(found)), [for_plot(name, 40) for name, _ in found])
    axes.invert_yaxis()
    axes.set_xlabel(f"cases under {for_plot(against.names.policy)}" if against else "cases")
    axes.xaxis.get_major_locator().set_params(integer=True)
    return True
