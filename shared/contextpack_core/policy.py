"""The policy: one field a stage, YAML in and out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field

from contextpack_core.citations.settings import CitationSettings
from contextpack_core.fields import FieldMap
from contextpack_core.grounding.settings import GroundingSettings
from contextpack_core.intents import IntentSettings
from contextpack_core.settings import Settings
from contextpack_core.stages.access import AccessSettings
from contextpack_core.stages.budget import BudgetSettings
from contextpack_core.stages.dedup import DedupSettings
from contextpack_core.stages.merge import MergeSettings
from contextpack_core.stages.order import OrderSettings
from contextpack_core.stages.relevance import RelevanceSettings
from contextpack_core.stages.render import RenderSettings
from contextpack_core.stages.versions import VersionSettings


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


class Policy(Settings):
    """All settings of a pack and a check. ``Policy()`` is useful as it is."""

    tokenizer: str | None = None
    fields: FieldMap = FieldMap()
    access: AccessSettings = AccessSettings()
    relevance: RelevanceSettings = RelevanceSettings()
    versions: VersionSettings = VersionSettings()
    dedup: DedupSettings = DedupSettings()
    merge: MergeSettings = MergeSettings()
    budget: BudgetSettings = BudgetSettings()
    order: OrderSettings = OrderSettings()
    render: RenderSettings = RenderSettings()
    citations: CitationSettings = CitationSettings()
    grounding: GroundingSettings = GroundingSettings()
    intents: dict[str, IntentSettings] = Field(default_factory=dict)
    trace: TraceSettings = TraceSettings()
    rollout: RolloutSettings = RolloutSettings()

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Policy:
        """The policy that plain data describe."""
        return cls.model_validate(dict(settings))

    @classmethod
    def from_yaml(cls, path_or_text: str | Path) -> Policy:
        """The policy in a YAML file or text."""
        loaded = yaml.safe_load(str(path_or_text)) or {}
        return cls.from_dict(loaded.get("contextpack", loaded))

    def to_yaml(self) -> str:
        """The settings that differ from the defaults, as YAML."""
        return yaml.safe_dump(self.model_dump(mode="json", exclude_defaults=True), sort_keys=False, allow_unicode=True)

    def for_query(self, query: str) -> tuple[str | None, Policy]:
        """The intent of the query and the policy with that intent's settings put in."""
        return None, self
