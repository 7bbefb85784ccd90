"""Decides which policy a query gets."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from contextpack_core.settings import Settings


class IntentSettings(Settings):
    """One intent: the cues that announce it in a query, and the settings it changes, section by section."""

    cues: tuple[str, ...] = ()
    """Words or phrases; the first intent one of whose cues stands in the query wins."""
    access: dict[str, Any] = Field(default_factory=dict)
    relevance: dict[str, Any] = Field(default_factory=dict)
    versions: dict[str, Any] = Field(default_factory=dict)
    dedup: dict[str, Any] = Field(default_factory=dict)
    merge: dict[str, Any] = Field(default_factory=dict)
    budget: dict[str, Any] = Field(default_factory=dict)
    order: dict[str, Any] = Field(default_factory=dict)
    render: dict[str, Any] = Field(default_factory=dict)
    citations: dict[str, Any] = Field(default_factory=dict)
    grounding: dict[str, Any] = Field(default_factory=dict)
