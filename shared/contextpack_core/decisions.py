"""Reason, Drop, Step: what a stage decided, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")


class Reason(StrEnum):
    """Why a candidate was left out: a closed list."""

    NO_ACCESS = "NO_ACCESS"
    ACCESS_UNKNOWN = "ACCESS_UNKNOWN"
    BELOW_THRESHOLD = "BELOW_THRESHOLD"
    SUPERSEDED = "SUPERSEDED"
    NOT_YET_IN_FORCE = "NOT_YET_IN_FORCE"
    EXPIRED = "EXPIRED"
    WITHDRAWN = "WITHDRAWN"
    UNDATED = "UNDATED"
    DUPLICATE = "DUPLICATE"
    CONTAINED = "CONTAINED"
    NEAR_DUPLICATE = "NEAR_DUPLICATE"
    SOURCE_CAP = "SOURCE_CAP"
    BUDGET = "BUDGET"
    TOO_LARGE = "TOO_LARGE"
    EMPTY_TEXT = "EMPTY_TEXT"

    @property
    def meaning(self) -> str:
        """The reason as half a sentence, for people."""
        return MEANINGS[self]


MEANINGS: dict[Reason, str] = {
    Reason.NO_ACCESS: "the caller does not hold a label it requires",
    Reason.ACCESS_UNKNOWN: "it names no access label and access is enforced",
    Reason.BELOW_THRESHOLD: "it scored below the relevance floor",
    Reason.SUPERSEDED: "a newer edition was in force on the as-of date",
    Reason.NOT_YET_IN_FORCE: "its edition takes effect after the as-of date",
    Reason.EXPIRED: "its edition had ended by the as-of date",
    Reason.WITHDRAWN: "its edition is withdrawn or a draft",
    Reason.UNDATED: "its edition has no date",
    Reason.DUPLICATE: "a better-ranked candidate has the same text",
    Reason.CONTAINED: "another candidate holds its whole text",
    Reason.NEAR_DUPLICATE: "a better-ranked candidate has almost the same text",
    Reason.SOURCE_CAP: "its source had its share already",
    Reason.BUDGET: "there was no room left in the token budget",
    Reason.TOO_LARGE: "it alone is larger than the token budget",
    Reason.EMPTY_TEXT: "it has no text",
}


@dataclass(frozen=True, slots=True)
class Drop:
    """A candidate left out: the reason, a sentence with the numbers in it, and the winner if there is one."""

    candidate_id: str
    reason: Reason
    detail: str = ""
    in_favour_of: str | None = None


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """What one stage kept and dropped. In a trace ``kept`` holds ids; ``notices`` are remarks that no drop carries."""

    stage: str
    kept: tuple[T, ...]
    drops: tuple[Drop, ...] = ()
    notices: tuple[str, ...] = ()
