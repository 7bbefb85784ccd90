"""The plots: names of lines, colours for light and dark, steps."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation.compare import compare
from contextpack_core.evaluation.report import Against, Names
from contextpack_core.evaluation.report_plots import draw_failures, draw_funnel, draw_recall, draw_threshold, plot
from contextpack_core.evaluation.run import summarise
from contextpack_core.evaluation.thresholds import advise_thresholds

pytest.importorskip("matplotlib")


def evaluation(records):
    return summarise(records, {"cases": "c"}, Policy())


def texts(figure):
    """The texts of a plot; it is sound XML."""
    svg = ElementTree.fromstring(re.findall("<svg.*</svg>", figure, re.DOTALL)[0])
    return [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]


def case(i, intent, values=None, **more):
    return {"qid": str(i), "intent": intent, "values": values or {}, "curve": [[0, 0], [50, 0.5], [100, 1]], **more}


def test_every_intent_has_its_name_below_the_plot():
    """Also one that begins with an underscore, reads like a formula, or is long: that one ends in an ellipsis."""
    intents = ("_hidden", "$a^2$", "a" * 120, "中文")
    drawn = texts(plot(draw_recall, evaluation([case(i, intent) for i, intent in enumerate(intents)]), None))

    assert {"all", "_hidden", "$a^2$", "a" * 27 + "…", "中文"} <= set(drawn)


def test_two_policies_are_drawn_by_their_names():
    """In the funnel and in the curves."""
    new = evaluation([case(i, None, {"retrieved": 1.0, "cited": 0.5}, diagnosis={"failure": "NOT_CITED"}) for i in range(8)])
    old = evaluation([case(i, None, {"retrieved": 1.0}) for i in range(8)])
    against = Against(old, compare(old, new), Names("new.yaml", "_old.yaml"))

    funnel, recall = [texts(plot(draw, new, against)) for draw in (draw_funnel, draw_recall)]

    assert {"retrieved (n=8)", "cited (n=8)", "new.yaml", "_old.yaml"} <= set(funnel)
    assert {"new.yaml", "_old.yaml"} <= set(recall)
    assert "cases under new.yaml" in texts(plot(draw_failures, new, against))


def test_letters_have_the_colour_of_the_page():
    """So that they can be read on light and on dark paper; nothing has a colour of its own that is black or white."""
    drawn = plot(draw_recall, evaluation([case(i, None) for i in range(8)]), None)

    assert "fill: currentColor" in drawn
    assert "stroke: currentColor" in drawn
    assert re.findall(r"#(?:010203|000000|ffffff)", drawn) == []


@pytest.mark.parametrize(("signal", "setting"), [("score", "min_score"), ("coverage", "min_coverage")])
def test_thresholds_of_either_signal_are_drawn_with_what_was_wanted(signal, setting):
    """The suggested one too, and the share of wrong ones that it shall keep to."""
    records = [case(i, None, signals=[i / 200, None, i / 200], answerable=i >= 100) for i in range(200)]
    (advice,) = [each for each in advise_thresholds(records, 0.2) if each.signal == signal]

    drawn = texts(plot(draw_threshold, evaluation(records), signal, advice))

    assert f"decline below this {signal} (grounding.{setting})" in drawn
    assert {"wrong ones wanted: at most 0.2", f"suggested, {advice.fitted.value:.4g}"} <= set(drawn)


def test_between_two_values_a_threshold_changes_nothing():
    """Each line runs along the axes: no slope."""
    records = [case(i, None, signals=[float(i >= 100), None, None], answerable=i >= 100) for i in range(200)]
    drawn = plot(draw_threshold, evaluation(records), "score", None)

    (line,) = re.findall(r'<path d="([^"]*)" clip-path="[^"]*" style="fill: none; stroke: #d0672a', drawn)
    points = [tuple(map(float, pair)) for pair in re.findall(r"[ML] ([\d.]+) ([\d.]+)", line)]
    assert len(points) > 2
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points))
