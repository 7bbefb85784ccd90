"""Renders labelled evidence so that no text can forge a passage, a label or an attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Literal

from contextpack_core.settings import Settings
from contextpack_core.values import Evidence


class RenderSettings(Settings):
    """The envelope in which the model reads the evidence."""

    format: Literal["xml", "bracket", "markdown", "json"] = "xml"
    """The form of the envelope."""
    header: tuple[str, ...] = ("title", "edition", "effective", "section", "page")
    """Fields of the source that the model sees; ``effective`` is the range of days."""
    label: str = "P"
    """What stands before the number of a passage."""
    separator: str = "\n\n"
    """What stands between two passages."""


def number_evidence(
    evidence: Sequence[Evidence], settings: RenderSettings, earlier: Mapping[str, str] | None = None
) -> tuple[Evidence, ...]:
    """Give each its label: that of an earlier turn for the same passage, else the next free number."""
    earlier = earlier or {}
    taken = [int(label.removeprefix(settings.label)) for label in earlier.values() if label.removeprefix(settings.label).isdigit()]
    following = max(taken, default=0)
    numbered = []
    for item in evidence:
        label = earlier.get(item.passage.uid)
        if label is None:
            following += 1
            label = f"{settings.label}{following}"
        numbered.append(replace(item, label=label))
    return tuple(numbered)


def render(evidence: Sequence[Evidence], settings: RenderSettings) -> str:
    """The evidence as one text, each in its envelope."""
    return settings.separator.join(render_one(item, settings) for item in evidence)


def render_one(item: Evidence, settings: RenderSettings) -> str:
    """One evidence in its envelope."""
    source = item.passage.source
    fields = {name: getattr(source, name, None) for name in settings.header}
    header = "".join(f' {name}="{escape(str(value))}"' for name, value in fields.items() if value is not None)
    return f'<passage id="{item.label}"{header}>\n{escape(item.passage.text, quote=False)}\n</passage>'
