"""A run step by step: what each stage kept and dropped."""

from __future__ import annotations

from dataclasses import dataclass, replace

from contextpack_core.decisions import Drop, Reason, Step

_WITHHELD = frozenset({Reason.NO_ACCESS, Reason.ACCESS_UNKNOWN})


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of one pack in the order in which they ran; ``kept`` holds candidate ids.

    ``withheld`` is how many candidates the caller may not see: a saved trace tells no more of them.
    """

    steps: tuple[Step[str], ...]
    tokenizer: str = ""
    approximate: bool = False
    policy: str = ""
    withheld: int = 0

    @property
    def drops(self) -> tuple[Drop, ...]:
        return tuple(drop for step in self.steps for drop in step.drops)

    def without_withheld(self) -> Trace:
        """The trace that may be shown to the caller: of candidates without access only their number."""
        withheld = sum(drop.reason in _WITHHELD for drop in self.drops)
        if not withheld:
            return self
        steps = [replace(step, drops=tuple(drop for drop in step.drops if drop.reason not in _WITHHELD)) for step in self.steps]
        return replace(self, steps=tuple(steps), withheld=max(self.withheld, withheld))
