"""The policy: one field a stage, YAML in and out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from contextpack_core.citations.settings import CitationSettings
from contextpack_core.errors import ArgumentError, Fault, PolicyError, TokenizerError
from contextpack_core.faults import faults_of, plain_document, settings_in
from contextpack_core.fields import FieldMap
from contextpack_core.grounding.settings import GroundingSettings
from contextpack_core.grounding.wording import DECLINING
from contextpack_core.intents import Classifier, Cue, IntentSettings, classes_of, cues_of, decide_intent, named_intent
from contextpack_core.questions.cues import Decision
from contextpack_core.questions.retrieval import RetrievalSettings
from contextpack_core.settings import Settings
from contextpack_core.stages.access import AccessSettings
from contextpack_core.stages.budget import BudgetSettings
from contextpack_core.stages.dedup import DedupSettings
from contextpack_core.stages.merge import MergeSettings
from contextpack_core.stages.order import OrderSettings
from contextpack_core.stages.relevance import RelevanceSettings
from contextpack_core.stages.render import RenderSettings
from contextpack_core.stages.versions import VersionSettings
from contextpack_core.text import content_id
from contextpack_core.tokens import encoding_of
from contextpack_core.yaml_policy import Document, dump_yaml, load_yaml


class TraceSettings(Settings):
    """Where the trace goes."""

    sink: Literal["none", "logging"] = "none"
    """``logging``: each pack's trace is logged as JSON by the adapters."""
    text: bool = False
    """Put query and passage texts into the trace."""


class RolloutSettings(Settings):
    """Whether the adapters act, only watch, or do nothing."""

    mode: Literal["on", "shadow", "off"] = "on"
    """``shadow``: make the pack and its trace, hand on the original documents."""


class Choice(NamedTuple):
    """The intent of a query, the settings that hold for it, by what the intent was found, and what stood in the way of one."""

    intent: str | None
    policy: Policy
    by: str | None = None
    remarks: tuple[str, ...] = ()


class Policy(Settings):
    """All settings of a pack and a check. ``Policy()`` is useful as it is."""

    tokenizer: str | None = Field(None, min_length=1, examples=["o200k_base"])
    """An encoding or a model name; found by what is installed when left out."""
    fields: FieldMap = FieldMap()
    """Which metadata keys feed which field."""
    retrieval: RetrievalSettings = RetrievalSettings()
    """Which further searches a question gets."""
    access: AccessSettings = AccessSettings()
    """Who may see what."""
    relevance: RelevanceSettings = RelevanceSettings()
    """What scores well enough."""
    versions: VersionSettings = VersionSettings()
    """Which edition of a document counts."""
    dedup: DedupSettings = DedupSettings()
    """What counts as the same text."""
    merge: MergeSettings = MergeSettings()
    """What makes one passage."""
    budget: BudgetSettings = BudgetSettings()
    """How many tokens there are, and how they are given out."""
    order: OrderSettings = OrderSettings()
    """Where in the prompt the best evidence stands."""
    render: RenderSettings = RenderSettings()
    """How the model reads the evidence."""
    citations: CitationSettings = CitationSettings()
    """How an answer is checked."""
    grounding: GroundingSettings = GroundingSettings()
    """What the model is told."""
    intents: dict[str, IntentSettings] = Field(
        default_factory=dict, examples=[{"procedure": {"cues": ["how do i"], "order": {"by": "document"}}}]
    )
    """Other settings for some queries: a name for each intent, its cues, and what it changes."""
    trace: TraceSettings = TraceSettings()
    """Where the trace goes."""
    rollout: RolloutSettings = RolloutSettings()
    """Whether the adapters act."""

    @field_validator("tokenizer")
    @classmethod
    def _names_a_tokenizer(cls, name: str | None) -> str | None:
        try:
            encoding_of(name)
        except TokenizerError as error:
            raise PydanticCustomError("tokenizer", "{wanted}", {"wanted": str(error).partition(" — ")[2]}) from error
        return name

    @model_validator(mode="after")
    def _checker_knows_the_prompt(self) -> Policy:
        """The checker knows every sentence with which the model is told to decline, or to mark general knowledge."""
        told = [self.grounding]
        told += [
            GroundingSettings.model_validate({**dict(self.grounding), **i.grounding}) for i in self.intents.values() if i.grounding
        ]
        refusals = [settings.abstain for settings in told if settings.abstain]
        refusals += [settings.wording[name] for settings in told for name in DECLINING if name in settings.wording]
        general = [settings.say("general") for settings in told if settings.pattern == "disclaimer"]
        known = {"refusals": (*self.citations.refusals, *refusals), "general": (*self.citations.general, *general)}
        knowing = {name: tuple(dict.fromkeys(sentences)) for name, sentences in known.items()}
        if any(sentences != getattr(self.citations, name) for name, sentences in knowing.items()):
            object.__setattr__(self, "citations", self.citations.model_copy(update=knowing))  # frozen from here on
        return self

    @classmethod
    def from_yaml(cls, path_or_text: str | Path) -> Policy:
        """The policy in a YAML file or text; an empty one gives the defaults.

        A policy may stand under the root key ``contextpack`` of an application's own file: the other keys are then not read.

        Raises:
            PolicyError: no such file, no YAML, or wrong settings: all of them, each with its line and what would be right.
        """
        return cls._read(load_yaml(path_or_text))

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Policy:
        """The policy that plain data describe, under the root key ``contextpack`` or not.

        Raises:
            PolicyError: every wrong setting, with its path and what would be right.
        """
        return cls._read(plain_document(settings))

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """A JSON Schema of the YAML file, with descriptions, defaults and examples, for editors and validators."""
        schema = cls.model_json_schema()
        definitions = schema.pop("$defs")
        for (section, name), example in _EXAMPLES.items():
            if name in definitions.get(section, {}).get("properties", ()):
                definitions[section]["properties"][name].setdefault("examples", [example])
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "contextpack policy",
            "if": {"required": ["contextpack"]},
            "then": {"properties": {"contextpack": {"$ref": "#/$defs/Policy"}}},
            "else": {"$ref": "#/$defs/Policy"},
            "$defs": {**definitions, "Policy": schema},
        }

    def to_dict(self, *, defaults: bool = False) -> dict[str, Any]:
        """The settings that differ from the defaults, or all of them, as plain JSON data."""
        return self.model_dump(mode="json", exclude_defaults=not defaults)

    def to_yaml(self, *, defaults: bool = False) -> str:
        """The settings that differ from the defaults, or all of them, as YAML that reads back as an equal policy."""
        return dump_yaml(self.to_dict(defaults=defaults))

    def for_query(self, query: str, intent: str | None = None) -> tuple[str | None, Policy]:
        """The intent of the query, or the one that the caller names, and the policy with that intent's settings put in.

        Raises:
            PolicyError: there is no intent of that name.
        """
        if intent is None:
            decision = self.intent_of(query)
            if decision is None:
                return None, self
            intent = decision.intent
        if intent not in self.intents:
            wanted = f"one of {', '.join(self.intents)}" if self.intents else "this policy has no intents"
            raise PolicyError([Fault("intents", intent, wanted)])
        return intent, self._by_intent[intent]

    def intent_of(self, query: str) -> Decision | None:
        """The intent that a cue in the query announces, and that cue; None without one.

        First come the cues that the policy writes, in its order, then the built-in ones of the intents that it names without cues.
        """
        return decide_intent(query, self._cues, self._classes) if self.intents else None

    def choose(self, query: str, intent: str | Classifier | Choice | None = None) -> Choice:
        """The intent of the query and the settings that hold for it; ``intent`` comes before the cues: a name, or a classifier.

        Where that is no intent of this policy, or the classifier fails, the settings are those without an intent, and a remark says
        so: an intent that is not understood changes nothing. What was chosen before comes back as it is.
        """
        if isinstance(intent, Choice):
            return intent
        if intent is None:
            decision = self.intent_of(query)
            return Choice(decision.intent, self.under(decision.intent), f"cue {decision.cue!r}") if decision else Choice(None, self)
        name, remark = named_intent(intent, query, self.intents)
        if name is None:
            return Choice(None, self, None, (remark,) if remark else ())
        return Choice(name, self.under(name), "classifier" if callable(intent) else "argument")

    def under(self, intent: str | None) -> Policy:
        """The settings that hold under an intent; without one, or under one that this policy does not name, its own."""
        return self if intent is None else self._by_intent.get(intent, self)

    def for_intent(self, intent: str | None) -> Policy:
        """The settings of an intent as a policy without intents: they hold whatever is asked. Without one, the policy itself.

        Raises:
            PolicyError: there is no intent of that name.
        """
        return self if intent is None else self.for_query("", intent)[1].model_copy(update={"intents": {}})

    def acts_on(self, *violations: str) -> bool:
        """Whether one of these is what ``citations.on_violation`` wants; while the rollout is not on, answers are only reported."""
        return self.rollout.mode == "on" and self.citations.on_violation in violations

    @cached_property
    def fingerprint(self) -> str:
        """A short id that is equal for equal settings, defaults included: a trace tells by it which policy it was."""
        return content_id(json.dumps(self.to_dict(defaults=True)))

    @classmethod
    def _read(cls, document: Document) -> Policy:
        data = document.data = _without_empty_sections(document.data, cls)
        policy = None
        if not isinstance(data, dict):
            document.fault(document.root, data, "a mapping of settings: sections such as budget, each with its keys")
        else:
            try:
                policy = cls.model_validate(data)
                policy._check_intents(document)
            except ValidationError as error:
                document.faults += faults_of(error, document, cls)
        if policy is None or document.faults:
            raise PolicyError(sorted(document.faults, key=lambda fault: fault.line or 0), document.origin)
        return policy

    def _check_intents(self, document: Document) -> None:
        """What an intent changes must also be right together with what it leaves as it is."""
        for name, intent in self.intents.items():
            for section, changes in intent.changes.items():
                try:
                    _changed(getattr(self, section), changes)
                except ValidationError as error:
                    document.faults += faults_of(error, document, type(self), ("intents", name, section))
            for key, value in intent.access.items() if self.access.enforce else ():
                if value != (kept := getattr(self.access, key, value)):
                    wanted = f"{json.dumps(kept)}: who may see what cannot hang on the words of a query"
                    document.fault((*document.root, "intents", name, "access", key), value, wanted)

    @cached_property
    def _cues(self) -> tuple[Cue, ...]:
        return cues_of(self.intents)

    @cached_property
    def _classes(self) -> frozenset[str]:
        return classes_of(self.intents)

    @cached_property
    def _by_intent(self) -> dict[str, Policy]:
        return {name: self._with(intent) for name, intent in self.intents.items()}

    def _with(self, intent: IntentSettings) -> Policy:
        """The policy with an intent's settings; enforced access stays as it is, also in a policy that was not read but built."""
        sections = {name: _changed(getattr(self, name), changes) for name, changes in intent.changes.items()}
        if self.access.enforce:
            sections["access"] = self.access
        return self.model_copy(update=sections)


def policy_of(given: Any, owner: str | None = None) -> Policy:
    """The policy that was given, or read from plain data; None: the default. ``owner`` has a ``from_yaml`` that reads one too.

    Raises:
        ArgumentError: it is something else, such as the path of a file.
        PolicyError: the data are no policy.
    """
    if given is None or isinstance(given, Policy):
        return given or Policy()
    if isinstance(given, Mapping):
        return Policy.from_dict(given)
    shown = json.dumps(str(given), ensure_ascii=False) if isinstance(given, str | Path) and len(str(given)) <= 80 else "…"
    reads = " or ".join([f"{name}.from_yaml({shown})" for name in ("Policy", owner) if name])
    raise ArgumentError(f"policy: {type(given).__name__} — a Policy, or the settings of one as a mapping; YAML is read by {reads}")


def _of_field(value: Any, info: ValidationInfo) -> Policy:
    return policy_of(value, (info.config or {}).get("title"))


PolicyField = Annotated[Policy, BeforeValidator(_of_field)]
"""For a field of a pydantic model: a policy, or the plain data of one."""


class TakesPolicy:
    """The first base of a pydantic model with a field ``policy``: what is wrong with a policy is a PolicyError, unwrapped."""

    if not TYPE_CHECKING:  # for a checker the arguments are the fields

        def __init__(self, **fields: Any) -> None:
            if "policy" in fields:
                fields["policy"] = policy_of(fields["policy"], type(self).__name__)
            super().__init__(**fields)


# For settings whose default says nothing of what they look like.
_EXAMPLES: dict[tuple[str, str], Any] = {
    ("BudgetSettings", "input_limit"): 6000,
    ("BudgetSettings", "per_source"): 3,
    ("BudgetSettings", "per_group"): {"by": "product", "tokens": 1500},
    ("PerGroup", "tokens"): 1500,
    ("VersionSettings", "as_of"): "2026-03-01",
    ("VersionSettings", "granularity"): {"home-policy": "section"},
    ("CitationSettings", "locale"): "de",
    ("Example", "question"): "What is the excess?",
    ("Example", "context"): '<passage id="P1">The excess is 500 euros.</passage>',
    ("Example", "answer"): "The excess is 500 euros [P1].",
    ("GroundingSettings", "abstain"): "The documents do not say.",
    ("GroundingSettings", "glossary"): {"excess": "the part of a loss that the policyholder pays"},
    ("GroundingSettings", "wording"): {},
    ("GroundingSettings", "min_score"): 0.3,
    ("GroundingSettings", "min_coverage"): 0.5,
    ("GroundingSettings", "cache_minimum"): 1024,
}


def _changed(section: Settings, changes: Mapping[str, Any]) -> Settings:
    return type(section).model_validate({**dict(section), **changes})


def _without_empty_sections(data: Any, policy: type[Settings]) -> Any:
    """A section of which only the name stands there, every setting commented out, has the defaults."""
    if data is None:
        return {}
    if not isinstance(data, dict):
        return data
    sections = {name for name, field in policy.model_fields.items() if settings_in(field.annotation, field.metadata)}
    data = {name: value for name, value in data.items() if value is not None or name not in sections}
    if isinstance(data.get("intents"), dict):
        data["intents"] = {name: _without_empty_sections(intent, IntentSettings) for name, intent in data["intents"].items()}
    return data
