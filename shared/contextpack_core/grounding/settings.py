"""What the model is told: the ``grounding`` section of the policy."""

from __future__ import annotations

from typing import Literal

from contextpack_core.settings import Settings


class GroundingSettings(Settings):
    """How closely the model must keep to the evidence."""

    pattern: Literal["strict", "augmented", "disclaimer"] = "strict"
    """``strict``: evidence only; ``augmented``: own knowledge may frame; ``disclaimer``: own knowledge when marked as such."""
