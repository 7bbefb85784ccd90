"""CitationOutputParser: checks what a model writes against the sources of one request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.documents import Document
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import BaseTransformOutputParser
from langchain_core.outputs import ChatGeneration, Generation
from langchain_core.runnables.utils import AddableDict
from pydantic import ConfigDict, Field

from contextpack_core import Pack, Policy, PolicyField, Report, TakesPolicy, check, judge_report
from langchain_contextpack.documents import sources_of
from langchain_contextpack.guard import CITATIONS, stripped

ANSWER = "answer"


class CitationOutputParser(TakesPolicy, BaseTransformOutputParser[dict[str, Any]]):
    """Stands behind a model: ``{"answer": text, "citations": report}``, the answer streamed as it comes.

    The sources of a request are given with ``with_sources``, which returns a copy: a parser never sees the documents by itself.
    Without sources every citation is ``NOT_CHECKED``. With ``citations.on_violation: raise`` or ``retry`` an answer with problems
    is an ``OutputParserException`` that carries the feedback for the model, as retry and fixing parsers and agents understand
    it; with ``strip`` the answer comes without its citation marks, at the end. While ``rollout.mode`` is not ``on``, it only
    reports.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    policy: PolicyField = Policy()
    question: str = ""
    judge: Any = Field(default=None, exclude=True)
    """A SupportJudge or BatchSupportJudge, for the report's ``support``."""
    sources: Any = Field(default=None, exclude=True)

    @classmethod
    def from_yaml(cls, path_or_text: str | Path, **overrides: Any) -> CitationOutputParser:
        """The parser with the policy in a YAML file or text; ``overrides`` are further fields of the parser."""
        return cls(policy=Policy.from_yaml(path_or_text), **overrides)

    def with_sources(
        self, sources: Sequence[Document] | Pack | Mapping[str, Any], *, question: str | None = None
    ) -> CitationOutputParser:
        """A copy that checks against these: packed documents, a pack, or texts by label."""
        held = sources if isinstance(sources, Pack | Mapping) else sources_of(sources)
        return self.model_copy(update={"sources": held, "question": self.question if question is None else question})

    def get_format_instructions(self) -> str:
        """What to tell a model that must write the answer again."""
        return "Cite the label of the passage that supports a statement in square brackets right behind it, like [P1]."

    # ---- whole

    def parse(self, text: str) -> dict[str, Any]:
        """The answer and the report on it."""
        return self._result(text)

    async def aparse(self, text: str) -> dict[str, Any]:
        """As ``parse``."""
        return await self._aresult(text)

    def parse_result(self, result: list[Generation], *, partial: bool = False) -> dict[str, Any]:
        """As ``parse``, of a model's result."""
        return self._result(_text_of(result))

    async def aparse_result(self, result: list[Generation], *, partial: bool = False) -> dict[str, Any]:
        """As ``parse_result``."""
        return await self._aresult(_text_of(result))

    # ---- streamed

    def _transform(self, input: Iterator[str | BaseMessage]) -> Iterator[dict[str, Any]]:
        pieces: list[str] = []
        for chunk in input:
            pieces.append(_text(chunk))
            if pieces[-1] and not self._strips:
                yield AddableDict({ANSWER: pieces[-1]})
        yield self._last(self._result("".join(pieces)), bool("".join(pieces)))

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[dict[str, Any]]:
        pieces: list[str] = []
        async for chunk in input:
            pieces.append(_text(chunk))
            if pieces[-1] and not self._strips:
                yield AddableDict({ANSWER: pieces[-1]})
        yield self._last(await self._aresult("".join(pieces)), bool("".join(pieces)))

    @property
    def _strips(self) -> bool:
        return self.policy.acts_on("strip")

    def _last(self, result: Mapping[str, Any], answered: bool) -> AddableDict:
        """What is left to say at the end: the report, and the answer where none was given out."""
        return AddableDict({CITATIONS: result[CITATIONS]} if answered and not self._strips else result)

    # ---- what both do

    def _result(self, text: str) -> AddableDict:
        return self._judged(text, self._check(text, self.judge))

    async def _aresult(self, text: str) -> AddableDict:
        report = self._check(text, None)
        return self._judged(text, report if self.judge is None else await judge_report(report, self.judge))

    def _check(self, text: str, judge: Any) -> Report:
        return check(text, self.sources, question=self.question, settings=self.policy.citations, judge=judge)

    def _judged(self, text: str, report: Report) -> AddableDict:
        if report.problems and self.policy.acts_on("raise", "retry"):
            raise _violation(text, report)
        answer = stripped(text, report) if report.problems and self._strips else text
        return AddableDict({ANSWER: answer, CITATIONS: report.to_dict()})

    @property
    def _type(self) -> str:
        return "contextpack_citations"

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """``dumpd`` writes the settings; sources and judge are not written."""
        return True

    @property
    def lc_attributes(self) -> dict[str, Any]:
        """The policy as plain data."""
        return {"policy": self.policy.to_dict()}


def _violation(text: str, report: Report) -> OutputParserException:
    feedback = report.feedback()
    return OutputParserException(feedback, observation=feedback, llm_output=text, send_to_llm=True)


def _text_of(result: Sequence[Generation]) -> str:
    first = result[0]
    return _text(first.message) if isinstance(first, ChatGeneration) else first.text


def _text(chunk: str | BaseMessage) -> str:
    return chunk if isinstance(chunk, str) else str(chunk.text)
