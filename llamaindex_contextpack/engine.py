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
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from contextpack_core import (
    CitationError,
    Pack,
    Policy,
    Report,
    ReportStatus,
    decline,
    declined_answer,
    packs_made,
    policy_of,
    stripped_answer,
)
from llamaindex_contextpack.checking import acheck_response, check_response
from llamaindex_contextpack.nodes import KEY

_R = TypeVar("_R", bound=Any)


class CheckedQueryEngine(BaseQueryEngine):
    """Asks the engine it wraps and puts the report, as plain data, into ``response.metadata["contextpack"]``.

    A streaming response is wrapped and not read: the report stands there once the stream has been read to its end. What happens
    to an answer with problems says ``citations.on_violation`` of the policy: ``report`` hands it on; ``strip`` takes all
    citation marks out, and of a structured answer its declared claims; ``raise`` raises ``CitationError`` (while streaming: after
    the last chunk); ``retry`` asks once more over the same nodes, with the feedback behind the question. ``strip`` and ``retry``
    read a stream before they hand on their answer, as a stream again.

    Where the postprocessor let no node through, the engine answers without its model; its "Empty Response" is then replaced by a
    message that says what was searched and why it does not do, and ``response.metadata["declined"]`` says so. From a streaming
    engine it comes as a stream; with ``structured`` it is a ``PydanticResponse`` of a ``GroundedAnswer`` that abstains. Where the
    policy does not decline (``grounding.pattern: disclaimer``, ``grounding.decline: never``), the model is asked, with the
    sentence that there are no passages in their place, if the engine can ``synthesize``.

    While ``rollout.mode`` is not ``on`` it only reports. Give it the policy of the postprocessor.

    Raises:
        ArgumentError: ``policy`` is neither a policy nor the settings of one.
        PolicyError: the settings are wrong.
    """

    def __init__(
        self,
        query_engine: BaseQueryEngine,
        policy: Policy | Mapping[str, Any] | None = None,
        *,
        judge: Any = None,
        structured: bool = False,
    ) -> None:
        super().__init__(query_engine.callback_manager)
        self.query_engine = query_engine
        self.policy = policy_of(policy)
        self.judge = judge
        self.structured = structured

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"query_engine": self.query_engine}

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """What the wrapped engine retrieves."""
        return self.query_engine.retrieve(query_bundle)

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        with packs_made() as packs:
            response = self.query_engine.query(query_bundle)
            if self._is_empty(response, packs):
                if (declined := self._declined(response, packs[-1], query_bundle)) is not None:
                    return declined
                response = self._asked_without_nodes(response, query_bundle)
            if isinstance(response, StreamingResponse) and not self._reads_first:
                return self._watched(response, query_bundle)
            answer = response.get_response() if isinstance(response, StreamingResponse) else response
            report = self._check(answer, query_bundle)
            if self._asks_again(report):
                answer = self._again(answer, query_bundle, report)
                report = self._check(answer, query_bundle)
        return _as_sent(self._judged(answer, report), response)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        with packs_made() as packs:
            response = await self.query_engine.aquery(query_bundle)
            if self._is_empty(response, packs):
                if (declined := self._declined(response, packs[-1], query_bundle)) is not None:
                    return declined
                response = await self._aasked_without_nodes(response, query_bundle)
            if isinstance(response, AsyncStreamingResponse) and not self._reads_first:
                return self._awatched(response, query_bundle)
            if isinstance(response, StreamingResponse) and not self._reads_first:
                return self._watched(response, query_bundle)
            answer = await _whole(response)
            report = await self._acheck(answer, query_bundle)
            if self._asks_again(report):
                answer = await self._aagain(answer, query_bundle, report)
                report = await self._acheck(answer, query_bundle)
        return _as_sent(self._judged(answer, report), response)

    # ---- without nodes

    def _is_empty(self, response: Any, packs: Sequence[Pack]) -> bool:
        """Whether no passage came through, so that the engine has not asked its model."""
        return bool(packs) and not response.source_nodes and self.policy.rollout.mode == "on"

    def _declined(self, response: Any, pack: Pack, query_bundle: QueryBundle) -> RESPONSE_TYPE | None:
        """The response that declines, of the kind that the engine gives; None where the policy does not decline."""
        declined = decline(pack, self.policy, query_bundle.query_str)
        if declined is None:
            return None
        report = Report(ReportStatus.ABSTAINED, declined.message)
        metadata = {KEY: report.to_dict(), "declined": declined.to_dict()}
        if self.structured:
            return PydanticResponse(declined_answer(declined.message, query_bundle.query_str), metadata=metadata)
        return _as_sent(Response(declined.message, metadata=metadata), response)

    def _asked_without_nodes(self, response: RESPONSE_TYPE, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        """What the model says without passages; what came where the engine cannot be asked for it."""
        try:
            asked = self.query_engine.synthesize(query_bundle, [self._no_passages()])
        except NotImplementedError:
            return response
        return _without_nodes(asked)

    async def _aasked_without_nodes(self, response: RESPONSE_TYPE, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        try:
            asked = await self.query_engine.asynthesize(query_bundle, [self._no_passages()])
        except NotImplementedError:
            return response
        return _without_nodes(asked)

    def _no_passages(self) -> NodeWithScore:
        """A node that says that there are none: without a node a synthesizer does not ask its model."""
        return NodeWithScore(node=TextNode(text=self.policy.grounding.say("no_passages")))

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
        return self.policy.acts_on("strip", "retry")

    def _check(self, response: Any, query_bundle: QueryBundle) -> Report:
        return check_response(response, policy=self.policy, question=query_bundle.query_str, judge=self.judge)

    async def _acheck(self, response: Any, query_bundle: QueryBundle) -> Report:
        return await acheck_response(response, policy=self.policy, question=query_bundle.query_str, judge=self.judge)

    def _asks_again(self, report: Report) -> bool:
        return bool(report.problems) and self.policy.acts_on("retry")

    def _again(self, response: RESPONSE_TYPE, query_bundle: QueryBundle, report: Report) -> Any:
        nodes = response.source_nodes or [self._no_passages()]
        again = self.query_engine.synthesize(_with_feedback(query_bundle, report), nodes)
        again = again.get_response() if isinstance(again, StreamingResponse) else again
        return again if response.source_nodes else _without_nodes(again)

    async def _aagain(self, response: RESPONSE_TYPE, query_bundle: QueryBundle, report: Report) -> Any:
        nodes = response.source_nodes or [self._no_passages()]
        again = await _whole(await self.query_engine.asynthesize(_with_feedback(query_bundle, report), nodes))
        return again if response.source_nodes else _without_nodes(again)

    def _judged(self, response: _R, report: Report) -> _R:
        """The response with its report, after what the policy does to an answer with problems."""
        if report.problems and self.policy.acts_on("raise"):
            raise CitationError(report.feedback(), report)
        response.metadata = {**(response.metadata or {}), KEY: report.to_dict()}
        if report.problems and self.policy.acts_on("strip"):
            response.response = stripped_answer(response.response or "", str(report.render("strip")))
        return response


def _with_feedback(query_bundle: QueryBundle, report: Report) -> QueryBundle:
    return replace(query_bundle, query_str=f"{query_bundle.query_str}\n\n{report.feedback()}")


async def _whole(response: Any) -> Any:
    """The response, read to its end if it is a stream."""
    if isinstance(response, AsyncStreamingResponse):
        return await response.get_response()
    return response.get_response() if isinstance(response, StreamingResponse) else response


def _as_sent(answer: Any, response: Any) -> RESPONSE_TYPE:
    """The answer as a stream of one piece, where the engine gave a stream: its caller reads one."""
    if isinstance(response, StreamingResponse):
        return StreamingResponse(_one(answer.response or ""), answer.source_nodes, answer.metadata)
    if isinstance(response, AsyncStreamingResponse):
        return AsyncStreamingResponse(_aone(answer.response or ""), answer.source_nodes, answer.metadata)
    sent: RESPONSE_TYPE = answer
    return sent


def _one(text: str) -> Generator[str, None, None]:
    yield text


async def _aone(text: str) -> AsyncGenerator[str, None]:
    yield text


def _without_nodes(response: RESPONSE_TYPE) -> RESPONSE_TYPE:
    """The response without the node that stood for none."""
    response.source_nodes, response.metadata = [], {}
    return response
