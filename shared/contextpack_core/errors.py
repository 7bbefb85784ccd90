"""What contextpack raises.

ContextPackError
├── PolicyError        a setting is wrong; also a ValueError
├── BudgetError        nothing is left for evidence; also a ValueError
├── ArgumentError      an argument is of a kind that cannot be used; also a TypeError
├── CandidateError     what was handed over is no candidate; also a TypeError
├── UnknownCandidateError  a pack tells of no candidate by that id; also a KeyError
├── PackError          a saved pack cannot be read; also a ValueError
├── AnswerError        what was handed over to be checked is no answer, or its sources are none; also a TypeError
├── CitationError      an answer breaks the citation rules and the policy says raise
└── TokenizerError     no counter by that name; also a ValueError
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class ContextPackError(Exception):
    """The root: whoever catches it catches all that this package raises on purpose."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong setting: its path in the policy, the line where known, the value, and what would be right."""

    path: str
    value: Any
    wanted: str
    line: int | None = None

    def __str__(self) -> str:
        shown = repr(self.value)
        return f"{self.path}: {shown if len(shown) <= 120 else shown[:119] + '…'} — {self.wanted}"


class PolicyError(ContextPackError, ValueError):
    """One or more settings are wrong; ``faults`` lists every one of them."""

    def __init__(self, faults: Sequence[Fault], origin: str = "policy") -> None:
        self.faults = tuple(faults)
        self.origin = origin
        super().__init__("\n".join(self._line(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[PolicyError], tuple[tuple[Fault, ...], str]]:
        return type(self), (self.faults, self.origin)

    def _line(self, fault: Fault) -> str:
        where = self.origin if fault.line is None else f"{self.origin}:{fault.line}"
        return f"{where} {fault}"


class BudgetError(ContextPackError, ValueError):
    """The fixed lines of the budget leave nothing for evidence; the message shows the sum."""


class ArgumentError(ContextPackError, TypeError):
    """An argument of ``pack`` or ``check`` is of a kind that cannot be used; the message says which, and what is wanted."""


class CandidateError(ContextPackError, TypeError):
    """Something in the list of candidates is neither a Candidate nor a mapping."""


class UnknownCandidateError(ContextPackError, KeyError):
    """A pack tells of no candidate by that id; the message names ids that look like it."""

    def __init__(self, candidate_id: str, similar: Sequence[str] = ()) -> None:
        self.candidate_id = candidate_id
        near = f"; did you mean {' or '.join(map(repr, similar))}?" if similar else ""
        super().__init__(f"the pack tells of no candidate {candidate_id!r}{near}")

    __str__ = Exception.__str__  # a KeyError shows the repr of its message


class PackError(ContextPackError, ValueError):
    """A mapping is not a saved pack, or one of a format that this release cannot read."""


class AnswerError(ContextPackError, TypeError):
    """What was handed over to be checked is no answer, or what it shall be checked against are no sources.

    ``salvaged`` is the part of a structured answer that can be used, if there is one.
    """

    def __init__(self, message: str, salvaged: Any = None) -> None:
        super().__init__(message)
        self.salvaged = salvaged


class CitationError(ContextPackError):
    """An answer breaks the citation rules under ``citations.on_violation: raise``; ``report`` has the details."""

    def __init__(self, message: str, report: Any = None) -> None:
        super().__init__(message)
        self.report = report


class TokenizerError(ContextPackError, ValueError):
    """No token counter can be had by the name in the policy."""
