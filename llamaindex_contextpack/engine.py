"""CheckedQueryEngine: any query engine, whose answers come with their report."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from contextpack_core import CitationError, Pack, Policy, Report, ReportStatus, decline, packs_made, policy_of
from llamaindex_contextpack.checking import acheck_response, check_response
from llamaindex_contextpack.nodes import KEY

_R = TypeVar("_R", bound=Any)


class CheckedQueryEngine(BaseQueryEngine):
    """Asks the engine it wraps and puts the report, as plain data, into ``response.metadata["contextpack"]``.

    A streaming response is wrapped and not read: the report stands there once the stream has been read to its end. What happens
    to an answer with problems says ``citations.on_violation`` of the policy: ``report`` hands it on; ``strip`` takes all
    citation marks out; ``raise`` raises ``CitationError`` (while streaming: after the last chunk); ``retry`` asks once more
    over the same nodes, with the feedback behind the question. ``strip`` and ``retry`` read a stream before they hand on their
    answer.

    Where the postprocessor let no node through, the engine answers without its model; its "Empty Response" is then replaced by a
    message that says what was searched and why it does not do, and ``response.metadata["declined"]`` says so.
    """

    def __init__(
        self, query_engine: BaseQueryEngine, policy: Policy | Mapping[str, Any] | None = None, *, judge: Any = None
    ) -> None:
        super().__init__(query_engine.callback_manager)
        self.query_engine = query_engine
        self.policy = policy_of(policy)
        self.judge = judge

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"query_engine": self.query_engine}

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """What the wrapped engine retrieves."""
        return self.query_engine.retrieve(query_bundle)

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        with packs_made() as packs:
            response = self.query_engine.query(query_bundle)
        if (declined := self._declined(response, packs, query_bundle)) is not None:
            return declined
        if isinstance(response, StreamingResponse) and not self._reads_first:
            return self._watched(response, query_bundle)
        if isinstance(response, StreamingResponse):
            response = response.get_response()
        report = self._check(response, query_bundle)
        if self._asks_again(report):
            response = self._again(response, query_bundle, report)
            report = self._check(response, query_bundle)
        return self._judged(response, report)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        with packs_made() as packs:
            response = await self.query_engine.aquery(query_bundle)
        if (declined := self._declined(response, packs, query_bundle)) is not None:
            return declined
        if isinstance(response, AsyncStreamingResponse) and not self._reads_first:
            return self._awatched(response, query_bundle)
        if isinstance(response, StreamingResponse) and not self._reads_first:
            return self._watched(response, query_bundle)
        if isinstance(response, AsyncStreamingResponse):
            response = await response.get_response()
        report = await self._acheck(response, query_bundle)
        if self._asks_again(report):
            response = await self._aagain(response, query_bundle, report)
            report = await self._acheck(response, query_bundle)
        return self._judged(response, report)

    def _declined(self, response: Any, packs: Sequence[Pack], query_bundle: QueryBundle) -> Response | None:
        """The response that declines, where no passage came through: the engine has then not asked its model."""
        if response.source_nodes or not packs:
            return None
        declined = decline(packs[-1], self.policy, query_bundle.query_str)
        if declined is None:
            return None
        report = Report(ReportStatus.ABSTAINED, declined.message)
        return Response(declined.message, metadata={KEY: report.to_dict(), "declined": declined.to_dict()})

    # ---- streams

    def _watched(self, response: StreamingResponse, query_bundle: QueryBundle) -> StreamingResponse:
        """The response, whose report is there after its last delta."""
        inner = response.response_gen

        def deltas() -> Generator[str, None, None]:
            pieces: list[str] = []
            for delta in inner:
                pieces.append(delta)
                yield delta
            watched.response_txt = "".join(pieces)
            self._judged(watched, self._check(watched, query_bundle))

        watched = replace(response, response_gen=deltas(), metadata=dict(response.metadata or {}))
        return watched

    def _awatched(self, response: AsyncStreamingResponse, query_bundle: QueryBundle) -> AsyncStreamingResponse:
        inner = response.response_gen

        async def deltas() -> AsyncGenerator[str, None]:
            pieces: list[str] = []
            async for delta in inner:
                pieces.append(delta)
                yield delta
            text = Response("".join(pieces), watched.source_nodes, watched.metadata)
            report = await self._acheck(text, query_bundle)
            watched.metadata = self._judged(text, report).metadata

        watched = AsyncStreamingResponse(deltas(), response.source_nodes, dict(response.metadata or {}))
        return watched

    # ---- what both do

    @property
    def _reads_first(self) -> bool:
        return self.policy.citations.on_violation in ("strip", "retry")

    def _check(self, response: Any, query_bundle: QueryBundle) -> Report:
        return check_response(response, policy=self.policy, question=query_bundle.query_str, judge=self.judge)

    async def _acheck(self, response: Any, query_bundle: QueryBundle) -> Report:
        return await acheck_response(response, policy=self.policy, question=query_bundle.query_str, judge=self.judge)

    def _asks_again(self, report: Report) -> bool:
        return bool(report.problems) and self.policy.citations.on_violation == "retry"

    def _again(self, response: RESPONSE_TYPE, query_bundle: QueryBundle, report: Report) -> Any:
        again = self.query_engine.synthesize(_with_feedback(query_bundle, report), response.source_nodes)
        return again.get_response() if isinstance(again, StreamingResponse) else again

    async def _aagain(self, response: RESPONSE_TYPE, query_bundle: QueryBundle, report: Report) -> Any:
        again = await self.query_engine.asynthesize(_with_feedback(query_bundle, report), response.source_nodes)
        return await again.get_response() if isinstance(again, AsyncStreamingResponse) else again

    def _judged(self, response: _R, report: Report) -> _R:
        """The response with its report, after what the policy does to an answer with problems."""
        if report.problems and self.policy.citations.on_violation == "raise":
            raise CitationError(report.feedback(), report)
        response.metadata = {**(response.metadata or {}), KEY: report.to_dict()}
        if report.problems and self.policy.citations.on_violation == "strip" and not isinstance(response, PydanticResponse):
            response.response = str(report.render("strip"))
        return response


def _with_feedback(query_bundle: QueryBundle, report: Report) -> QueryBundle:
    return replace(query_bundle, query_str=f"{query_bundle.query_str}\n\n{report.feedback()}")
