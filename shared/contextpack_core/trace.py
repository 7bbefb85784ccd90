"""A run step by step: what each stage kept and dropped."""

from __future__ import annotations

from dataclasses import dataclass

from contextpack_core.decisions import Drop, Step


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
