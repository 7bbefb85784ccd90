"""Passages laid out as the model will read them."""

from __future__ import annotations

from collections.abc import Sequence

from contextpack_core import Candidate, Evidence, Source
from contextpack_core.layout import Layout
from contextpack_core.passages import assemble
from contextpack_core.stages.order import OrderSettings
from contextpack_core.stages.render import RenderSettings
from contextpack_core.values import Joins

BEST_FIRST = [assemble([Candidate(name, name, Source(name))], Joins()) for name in "abc"]


def test_passages_are_ordered_then_numbered_then_rendered() -> None:
    """The best stands last here, and has the last number; each keeps its tokens."""
    layout = Layout(OrderSettings(by="best_last"), RenderSettings(format="bracket"), {})
    evidence, text = layout.lay_out([Evidence("", passage, tokens) for passage, tokens in zip(BEST_FIRST, (3, 4, 5), strict=True)])

    assert text == "[P1]\nc\n\n[P2]\nb\n\n[P3]\na" == layout.text_of(BEST_FIRST)
    assert [(item.label, item.passage.text, item.tokens) for item in evidence] == [("P1", "c", 5), ("P2", "b", 4), ("P3", "a", 3)]


def test_labels_of_earlier_turns_stay() -> None:
    """The passage that had a label keeps it, and no other gets it."""
    layout = Layout(OrderSettings(), RenderSettings(format="bracket"), {BEST_FIRST[1].uid: "P1", "gone": "P4"})

    assert layout.text_of(BEST_FIRST) == "[P5]\na\n\n[P1]\nb\n\n[P6]\nc"


def test_what_was_laid_out_last_is_not_rendered_again() -> None:
    """Once for the budget's last try is enough; other passages are rendered anew."""
    rendered: list[int] = []

    def envelope(evidence: Sequence[Evidence]) -> str:
        rendered.append(len(evidence))
        return "text"

    layout = Layout(OrderSettings(), RenderSettings(), {}, envelope)
    layout.text_of(BEST_FIRST)
    layout.lay_out([Evidence("", passage, 1) for passage in BEST_FIRST])
    layout.lay_out([Evidence("", passage, 1) for passage in BEST_FIRST[:2]])

    assert rendered == [3, 2]
