"""CitationGuard: checks the answer of a retrieval chain and hands it on with the report."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.utils import AddableDict
from pydantic import ConfigDict, Field

from contextpack_core import (
    AnswerError,
    CitationError,
    Fault,
    Policy,
    PolicyError,
    PolicyField,
    Report,
    ReportStatus,
    TakesPolicy,
    check,
    judge_report,
    stripped_answer,
)
from langchain_contextpack.declining import DECLINED
from langchain_contextpack.documents import sources_of

CITATIONS = "citations"
"""The key under which the report is added, as plain data."""
FEEDBACK = "feedback"
"""The key under which ``ask_again`` finds what was wrong with the first answer."""


class CitationGuard(TakesPolicy, RunnableSerializable[dict[str, Any], dict[str, Any]]):
    """Stands behind a chain that returns a dict with question, context documents and answer; adds ``citations``, the report.

    The answer's chunks pass through as they come; the report follows as the last chunk. What happens to an answer with problems
    says ``citations.on_violation`` of the policy: ``report`` hands it on; ``strip`` takes all citation marks out, so that nothing
    in it looks verified; ``raise`` raises ``CitationError`` (while streaming: after the last chunk); ``retry`` asks once more, by
    ``ask_again``, which gets the dict with ``feedback`` added and returns another answer. ``strip`` and ``retry`` hold the answer
    back until it is checked. A structured answer stays one: ``strip`` takes the marks out of its text, and its declared claims.
    While ``rollout.mode`` is not ``on``, the model saw no labels, and the guard only reports.

    Raises:
        PolicyError: the settings are wrong, or ``retry`` stands there without ``ask_again``.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    policy: PolicyField = Policy()
    answer_key: str = "answer"
    context_key: str = "context"
    question_key: str = "input"
    judge: Any = Field(default=None, exclude=True)
    """A SupportJudge or BatchSupportJudge, for the report's ``support``; ``LlmJudge`` asks a chat model."""
    ask_again: Runnable[dict[str, Any], Any] | None = Field(default=None, exclude=True)

    if not TYPE_CHECKING:  # for a checker the arguments are the fields

        def __init__(self, **fields: Any) -> None:
            super().__init__(**fields)
            if self.policy.citations.on_violation == "retry" and self.ask_again is None:
                wanted = "with CitationGuard it needs ask_again=, a Runnable that answers once more"
                raise PolicyError([Fault("citations.on_violation", "retry", wanted)])

    @classmethod
    def from_yaml(cls, path_or_text: str | Path, **overrides: Any) -> CitationGuard:
        """The guard with the policy in a YAML file or text; ``overrides`` are further fields of the guard."""
        return cls(policy=Policy.from_yaml(path_or_text), **overrides)

    # ---- whole

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        """The dict with the report added."""
        return self._call_with_config(self._guarded, input, config, **kwargs)

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        """As ``invoke``."""
        return await self._acall_with_config(self._aguarded, input, config, **kwargs)

    def _guarded(self, given: dict[str, Any], run_manager: CallbackManagerForChainRun, config: RunnableConfig) -> dict[str, Any]:
        report = self._check(given, self.judge)
        if self.ask_again is not None and self._asks_again(report):
            given = {**given, self.answer_key: self.ask_again.invoke(self._with_feedback(given, report), config)}
            report = self._check(given, self.judge)
        return self._judged(given, report)

    async def _aguarded(
        self, given: dict[str, Any], run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> dict[str, Any]:
        report = await self._acheck(given)
        if self.ask_again is not None and self._asks_again(report):
            given = {**given, self.answer_key: await self.ask_again.ainvoke(self._with_feedback(given, report), config)}
            report = await self._acheck(given)
        return self._judged(given, report)

    # ---- streamed

    def transform(
        self, input: Iterator[dict[str, Any]], config: RunnableConfig | None = None, **kwargs: Any
    ) -> Iterator[dict[str, Any]]:
        """The chunks as they come, then one with the report."""
        yield from self._transform_stream_with_config(input, self._chunks, config, **kwargs)

    async def atransform(
        self, input: AsyncIterator[dict[str, Any]], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """As ``transform``."""
        async for chunk in self._atransform_stream_with_config(input, self._achunks, config, **kwargs):
            yield chunk

    def stream(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[dict[str, Any]]:
        """As ``transform``, of one whole dict."""
        yield from self.transform(iter([input]), config, **kwargs)

    async def astream(
        self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """As ``stream``."""

        async def once() -> AsyncIterator[dict[str, Any]]:
            yield input

        async for chunk in self.atransform(once(), config, **kwargs):
            yield chunk

    def _chunks(
        self, chunks: Iterator[dict[str, Any]], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> Iterator[dict[str, Any]]:
        seen = AddableDict()
        for chunk in chunks:
            seen += AddableDict(chunk)
            if passed := self._passed(chunk):
                yield passed
        yield self._last(self._guarded(dict(seen), run_manager, config))

    async def _achunks(
        self, chunks: AsyncIterator[dict[str, Any]], run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> AsyncIterator[dict[str, Any]]:
        seen = AddableDict()
        async for chunk in chunks:
            seen += AddableDict(chunk)
            if passed := self._passed(chunk):
                yield passed
        yield self._last(await self._aguarded(dict(seen), run_manager, config))

    @property
    def _holds_answer(self) -> bool:
        return self.policy.acts_on("strip", "retry")

    def _passed(self, chunk: Mapping[str, Any]) -> AddableDict:
        """What of a chunk is handed on at once."""
        return AddableDict({k: v for k, v in chunk.items() if not (self._holds_answer and k == self.answer_key)})

    def _last(self, guarded: Mapping[str, Any]) -> AddableDict:
        """What is left to say at the end: the report, and the answer where it was held."""
        keys = (self.answer_key, CITATIONS) if self._holds_answer else (CITATIONS,)
        return AddableDict({key: guarded[key] for key in keys})

    # ---- what both do

    async def _acheck(self, given: Mapping[str, Any]) -> Report:
        report = self._check(given, judge=None)
        return report if self.judge is None else await judge_report(report, self.judge)

    def _check(self, given: Mapping[str, Any], judge: Any) -> Report:
        missing = [key for key in (self.answer_key, self.context_key) if key not in given]
        if missing:
            raise ValueError(f"CitationGuard: the input has no {missing[0]!r}, only {', '.join(map(str, given)) or 'nothing'}")
        if isinstance(given.get(DECLINED), Mapping):  # the message is ours and cites nothing
            return Report(ReportStatus.ABSTAINED, str(given[DECLINED].get("message", "")))
        question = given.get(self.question_key, "")
        return check(
            answer_of(given[self.answer_key]),
            sources_of(given[self.context_key]),
            question=question if isinstance(question, str) else "",
            settings=self.policy.citations,
            judge=judge,
        )

    def _asks_again(self, report: Report) -> bool:
        return bool(report.problems) and self.policy.acts_on("retry")

    def _with_feedback(self, given: Mapping[str, Any], report: Report) -> dict[str, Any]:
        return {**given, FEEDBACK: report.feedback()}

    def _judged(self, given: dict[str, Any], report: Report) -> dict[str, Any]:
        if report.problems and self.policy.acts_on("raise"):
            raise CitationError(report.feedback(), report)
        if report.problems and self.policy.acts_on("strip"):
            given = {**given, self.answer_key: stripped(given[self.answer_key], report)}
        return AddableDict({**given, CITATIONS: report.to_dict()})

    # ---- serialization

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """``dumpd`` writes the settings; ``judge`` and ``ask_again`` are not written."""
        return True

    @property
    def lc_attributes(self) -> dict[str, Any]:
        """The policy as plain data."""
        return {"policy": self.policy.to_dict()}


def answer_of(answer: Any) -> str | Mapping[str, Any]:
    """The text of an answer, or the mapping of a structured one.

    Raises:
        AnswerError: it is neither.
    """
    if isinstance(answer, BaseMessage):
        return str(answer.text)
    if isinstance(answer, str | Mapping):
        return answer
    if hasattr(answer, "model_dump"):
        return dict(answer.model_dump())
    if is_dataclass(answer) and not isinstance(answer, type):
        return asdict(answer)
    raise AnswerError(f"answer: {type(answer).__name__} — a text, a message or a structured answer")


def stripped(answer: Any, report: Report) -> Any:
    """The answer without its citation marks, of the same kind; of a message its text."""
    return stripped_answer(str(answer.text) if isinstance(answer, BaseMessage) else answer, str(report.render("strip")))
