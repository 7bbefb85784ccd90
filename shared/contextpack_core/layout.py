"""Lays passages out as the model will read them: in prompt order, numbered, each in its envelope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from contextpack_core.editions.conflicts import mark_conflicts
from contextpack_core.stages.order import OrderSettings, order_evidence
from contextpack_core.stages.render import Renderer, RenderSettings, number_evidence
from contextpack_core.values import Evidence, Passage

Envelope = Callable[[Sequence[Evidence]], str]


class Layout:
    """Orders, numbers and renders passages: while the budget tries what fits, and in the end; what was laid out last is kept.

    ``labels`` are those of earlier turns, by passage uid; ``envelope`` renders in the place of the settings; ``compares``: the
    question asks how editions differ.
    """

    def __init__(
        self,
        order: OrderSettings,
        settings: RenderSettings,
        labels: Mapping[str, str],
        envelope: Envelope | None = None,
        *,
        compares: bool = False,
    ) -> None:
        self._order, self._settings, self._labels, self._compares = order, settings, labels, compares
        self._render = envelope or Renderer(settings)
        self._last: tuple[Sequence[Passage], tuple[Evidence, ...], tuple[Evidence, ...], str] = ([], (), (), "")

    def text_of(self, passages: Sequence[Passage]) -> str:
        """The passages, which come best first, as the model will read them."""
        evidence = order_evidence([Evidence("", passage, 0) for passage in passages], self._order)
        numbered = number_evidence(evidence, self._settings, self._labels)
        marks = "conflicts_with" in self._settings.header
        shown = mark_conflicts(numbered, compares_editions=self._compares) if marks else numbered
        self._last = (list(passages), numbered, shown, self._render(shown))
        return self._last[3]

    def lay_out(self, admitted: Sequence[Evidence]) -> tuple[tuple[Evidence, ...], str]:
        """The evidence with labels and in the order of the prompt, and its text."""
        passages = [item.passage for item in admitted]
        if list(map(id, passages)) != list(map(id, self._last[0])):
            self.text_of(passages)
        tokens = {id(item.passage): item.tokens for item in admitted}
        _, numbered, shown, text = self._last
        pairs = zip(numbered, shown, strict=True)
        return tuple([Evidence(marked.label, marked.passage, tokens[id(item.passage)]) for item, marked in pairs]), text
