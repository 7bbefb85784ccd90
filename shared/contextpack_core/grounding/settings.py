"""What the model is told, and when it is not asked: the ``grounding`` section of the policy."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from contextpack_core.grounding.wording import NAMES, VERSION, WORDINGS, wording_faults
from contextpack_core.settings import Settings
from contextpack_core.text import content_id


class Example(Settings):
    """A question with passages and the answer that is wanted, to show the model."""

    question: str
    """The question."""
    context: str
    """Its passages, labelled as real ones are."""
    answer: str
    """The answer, with its citations."""


def _one_sentence(value: str | None) -> str | None:
    if value is not None and (not value.strip() or "\n" in value.strip()):
        raise PydanticCustomError("abstain", "Input should be one sentence on one line")
    return None if value is None else value.strip()


def _whole_sentences(wording: dict[str, str]) -> dict[str, str]:
    if told := "; ".join(wording_faults(wording)):
        raise PydanticCustomError("wording", "{told}", {"told": told})
    return wording


class GroundingSettings(Settings):
    """How closely the model must keep to the evidence, in which words it is told so, and when it is not asked at all."""

    pattern: Literal["strict", "augmented", "disclaimer"] = "strict"
    """``strict``: evidence only; ``augmented``: own knowledge may frame; ``disclaimer``: own knowledge when marked as such."""
    language: str = "en"
    """The language of the instructions, ``en`` or ``de``; another one with all its sentences in ``wording``."""
    abstain: Annotated[str | None, AfterValidator(_one_sentence)] = None
    """The exact sentence with which the model declines, and which the checker then knows; that of the language when left out."""
    quotes: bool = False
    """Ask for the decisive words of the passage as a quotation; ``citations.quotes: required`` asks for them too."""
    few_shot: tuple[Example, ...] = Field((), max_length=20)
    """Examples for the model."""
    glossary: dict[str, str] = Field(default_factory=dict)
    """Words of the field and what they mean."""
    wording: Annotated[dict[str, str], AfterValidator(_whole_sentences)] = Field(default_factory=dict)
    """Other sentences than those of the language, by their names; each with the placeholders that it needs."""
    decline: Literal["auto", "always", "never"] = "auto"
    """Whether a question without evidence that will do is answered without the model; ``auto``: unless the pattern is
    ``disclaimer``, which can answer from general knowledge."""
    min_score: float | None = None
    """Decline unless the best score of the evidence is at least this."""
    unscored: Literal["answer", "decline"] = "answer"
    """What ``min_score`` means where no evidence has a score."""
    min_coverage: float | None = Field(None, ge=0, le=1)
    """Decline unless the evidence holds at least this share of the question's words."""
    cache_minimum: int | None = Field(None, ge=0)
    """Mark a head of at least so many tokens for the provider's prompt cache, where an adapter can; never when left out."""

    @model_validator(mode="after")
    def _has_all_sentences(self) -> GroundingSettings:
        if self.language in WORDINGS:
            return self
        missing = [name for name in NAMES if name not in self.wording]
        if missing or self.abstain is None:
            wanted = [f"in wording {', '.join(missing)}"] if missing else []
            wanted += ["the setting grounding.abstain"] if self.abstain is None else []
            told = f"language {self.language!r} is not shipped, {', '.join(sorted(WORDINGS))} are; it lacks {', and '.join(wanted)}"
            raise PydanticCustomError("language", "{told}", {"told": told})
        return self

    @property
    def sentence(self) -> str:
        """The exact sentence with which the model declines."""
        return self.abstain or WORDINGS[self.language]["abstain"]

    @property
    def version(self) -> str:
        """Which wording the model reads: language, version of its table, a short id of the sentences that differ from it."""
        told = {**self.wording, **({"abstain": self.abstain} if self.abstain else {})}
        return f"{self.language}-{VERSION}" + (f"+{content_id(*sorted(told.items()))}" if told else "")

    def say(self, name: str) -> str:
        """The sentence of that name, in the language of the settings."""
        return self.wording.get(name) or WORDINGS[self.language if self.language in WORDINGS else "en"][name]
