"""Decides which policy a query gets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field, GetCoreSchemaHandler, field_validator
from pydantic_core import CoreSchema, core_schema

from contextpack_core.citations.settings import CitationSettings
from contextpack_core.grounding.settings import GroundingSettings
from contextpack_core.settings import Settings, Texts
from contextpack_core.stages.access import AccessSettings
from contextpack_core.stages.budget import BudgetSettings
from contextpack_core.stages.dedup import DedupSettings
from contextpack_core.stages.merge import MergeSettings
from contextpack_core.stages.order import OrderSettings
from contextpack_core.stages.relevance import RelevanceSettings
from contextpack_core.stages.render import RenderSettings
from contextpack_core.stages.versions import VersionSettings
from contextpack_core.text import folded


class _Part:
    """Marks a mapping of some settings of a section: checked as the section is, and only what is given is kept."""

    def __init__(self, section: type[Settings]) -> None:
        self.section = section

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(
            _given,
            handler.generate_schema(self.section),
            serialization=core_schema.plain_serializer_function_ser_schema(dict),
        )


def _given(settings: Settings) -> dict[str, Any]:
    return {name: value for name, value in settings if name in settings.model_fields_set}


class IntentSettings(Settings):
    """One intent: the cues that announce it in a query, and the settings that it changes, key by key."""

    cues: Texts = Field((), examples=[["compare", "difference between"]])
    """Words or phrases, found in the query whatever their case, on word borders. The first intent in the policy one of whose
    cues stands in the query is taken. Without cues an intent is only taken by name."""
    access: Annotated[dict[str, Any], _Part(AccessSettings)] = Field(default_factory=dict)
    """Changes to ``access``; an intent cannot switch it off."""
    relevance: Annotated[dict[str, Any], _Part(RelevanceSettings)] = Field(default_factory=dict)
    """Changes to ``relevance``."""
    versions: Annotated[dict[str, Any], _Part(VersionSettings)] = Field(default_factory=dict)
    """Changes to ``versions``."""
    dedup: Annotated[dict[str, Any], _Part(DedupSettings)] = Field(default_factory=dict)
    """Changes to ``dedup``."""
    merge: Annotated[dict[str, Any], _Part(MergeSettings)] = Field(default_factory=dict)
    """Changes to ``merge``."""
    budget: Annotated[dict[str, Any], _Part(BudgetSettings)] = Field(default_factory=dict)
    """Changes to ``budget``."""
    order: Annotated[dict[str, Any], _Part(OrderSettings)] = Field(default_factory=dict)
    """Changes to ``order``."""
    render: Annotated[dict[str, Any], _Part(RenderSettings)] = Field(default_factory=dict)
    """Changes to ``render``."""
    citations: Annotated[dict[str, Any], _Part(CitationSettings)] = Field(default_factory=dict)
    """Changes to ``citations``."""
    grounding: Annotated[dict[str, Any], _Part(GroundingSettings)] = Field(default_factory=dict)
    """Changes to ``grounding``."""

    @field_validator("cues")
    @classmethod
    def _each_says_something(cls, cues: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_folded_cue(cue) for cue in cues):
            raise ValueError("cues that hold at least one visible character each")
        return cues

    @property
    def changes(self) -> dict[str, dict[str, Any]]:
        """The settings that it changes, by section."""
        sections = {name: value for name, value in self if name != "cues"}
        return {name: changed for name, changed in sections.items() if changed}


class Decision(NamedTuple):
    """The intent of a query, and the cue that stands in the query."""

    intent: str
    cue: str


class Cue(NamedTuple):
    """A cue ready to be looked for."""

    intent: str
    written: str
    folded: str
    pattern: re.Pattern[str]


def cues_of(intents: Mapping[str, IntentSettings]) -> tuple[Cue, ...]:
    """The cues of all intents, in the order in which they are looked for."""
    return tuple(_cue(name, cue) for name, settings in intents.items() for cue in settings.cues)


def decide_intent(query: str, cues: Sequence[Cue]) -> Decision | None:
    """The first intent one of whose cues stands in the query; None without one."""
    text = _folded_cue(query)
    found = (cue for cue in cues if cue.folded in text and cue.pattern.search(text))
    return next((Decision(cue.intent, cue.written) for cue in found), None)


def _cue(intent: str, cue: str) -> Cue:
    text = _folded_cue(cue)
    before = f"(?<!{_LETTER})" if _IS_LETTER.match(text[0]) else ""
    after = f"(?!{_LETTER})" if _IS_LETTER.match(text[-1]) else ""
    return Cue(intent, cue, text, re.compile(before + re.escape(text) + after))


# Scripts that put no blanks between words have no word borders to look for.
_LETTER = r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_IS_LETTER = re.compile(_LETTER)
_SAME = str.maketrans("\u2018\u2019\u02bc\uff07\u2010\u2011\u2013\u2014", "''''----")


def _folded_cue(text: str) -> str:
    """Without differences of case, width, blanks, apostrophes and dashes."""
    return folded(text if text.isascii() else text.translate(_SAME))
