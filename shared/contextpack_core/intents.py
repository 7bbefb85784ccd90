"""Decides which class a query is of, and so which policy it gets."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence, Set
from typing import Annotated, Any, NamedTuple

from pydantic import Field, GetCoreSchemaHandler, field_validator
from pydantic_core import CoreSchema, core_schema

from contextpack_core.citations.settings import CitationSettings
from contextpack_core.grounding.settings import GroundingSettings
from contextpack_core.questions.cues import CUES, Decision, class_of, folded_cue, stands_in
from contextpack_core.questions.retrieval import RetrievalSettings
from contextpack_core.settings import Settings, Texts
from contextpack_core.stages.access import AccessSettings
from contextpack_core.stages.budget import BudgetSettings
from contextpack_core.stages.dedup import DedupSettings
from contextpack_core.stages.merge import MergeSettings
from contextpack_core.stages.order import OrderSettings
from contextpack_core.stages.relevance import RelevanceSettings
from contextpack_core.stages.render import RenderSettings
from contextpack_core.stages.versions import VersionSettings


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

    cues: Texts | None = Field(None, examples=[["compare", "difference between"]])
    """Words or phrases, found in the query whatever their case, on word borders. The first intent in the policy one of whose
    cues stands in the query is taken. Left out, ``comparison``, ``troubleshooting``, ``procedure``, ``synthesis``, ``list`` and
    ``lookup`` are announced by built-in cues in nine languages. ``[]``, and any other name without cues: taken by name only."""
    retrieval: Annotated[dict[str, Any], _Part(RetrievalSettings)] = Field(default_factory=dict)
    """Changes to ``retrieval``."""
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
    def _each_says_something(cls, cues: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if not all(folded_cue(cue) for cue in cues or ()):
            raise ValueError("cues that hold at least one visible character each")
        return cues

    @property
    def changes(self) -> dict[str, dict[str, Any]]:
        """The settings that it changes, by section."""
        sections = {name: value for name, value in self if name != "cues"}
        return {name: changed for name, changed in sections.items() if changed}


class Cue(NamedTuple):
    """A cue ready to be looked for."""

    intent: str
    written: str
    folded: str


Classifier = Callable[[str], str | None]
"""Names the intent of a query; None: it has none."""


def cues_of(intents: Mapping[str, IntentSettings]) -> tuple[Cue, ...]:
    """The cues that a policy writes, in the order in which they are looked for."""
    return tuple(Cue(name, cue, folded_cue(cue)) for name, settings in intents.items() for cue in settings.cues or ())


def classes_of(intents: Mapping[str, IntentSettings]) -> frozenset[str]:
    """The intents that built-in cues announce: those of a built-in name without cues of their own."""
    return frozenset(name for name, settings in intents.items() if settings.cues is None and name in CUES)


def decide_intent(query: str, cues: Sequence[Cue], classes: Set[str] = frozenset()) -> Decision | None:
    """The first intent one of whose cues stands in the query, else its class if that is one of ``classes``; None without either.

    So a question of a class that is not among them is never taken for one of another class.
    """
    text = folded_cue(query)
    for cue in cues:
        if cue.folded in text and stands_in(cue.folded, text):
            return Decision(cue.intent, cue.written)
    decision = class_of(query) if classes else None
    return decision if decision and decision.intent in classes else None


def named_intent(given: Any, query: str, intents: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The intent that a caller names, or a classifier finds; or a remark that says why neither is an intent of the policy.

    No remark repeats what was given: it may hold the query.
    """
    who, name = "the argument", given
    if callable(given):
        who = "the classifier"
        try:
            name = given(query)
        except Exception as error:  # whatever somebody else's code raises costs the intent, not the pack
            return None, f"the classifier raised {type(error).__name__}: {_UNCHANGED}"
    if name is None or (isinstance(name, str) and name in intents):
        return name, None
    if isinstance(name, Coroutine):
        name.close()  # nobody will await it
    if not isinstance(name, str):
        return None, f"{who} gives no name of an intent but something of type {type(name).__name__}: {_UNCHANGED}"
    known = f"none of {', '.join(intents)}" if intents else "an intent, and this policy has none"
    return None, f"{who} names {known}: {_UNCHANGED}"


_UNCHANGED = "the settings stay as they are"
