"""ContextPackMiddleware: packs what an agent's retrieval tools found, all calls together, and checks its final answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, zip_longest
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NotRequired

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import OmitFromInput, PrivateStateAttr
except ImportError as error:  # pragma: no cover - tried in a venv of its own
    raise ImportError("ContextPackMiddleware needs langchain: pip install 'contextpack-rag[agents]'") from error
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import ensure_config

from contextpack_core import (
    AnswerError,
    CitationError,
    GroundedAnswer,
    Pack,
    Policy,
    Problem,
    Report,
    ReportStatus,
    RequestScope,
    TokenCounter,
    check,
    day_for,
    grounded_day,
    grounded_head,
    log_trace,
    note_pack,
    pack,
    policy_of,
    render_one,
    request_for,
)
from langchain_contextpack.documents import candidates_of, request_in
from langchain_contextpack.guard import CITATIONS, answer_of, stripped

NOTHING_LEFT = "No passage of this search is among the evidence."
"""What stands in the place of a tool result of which nothing was admitted."""

_NOTHING_PACKED = (
    "no tool handed over a document, so nothing was packed: a retrieval tool hands them over with "
    'response_format="content_and_artifact"'
)


class ContextPackState(AgentState[Any]):
    """What the middleware adds to an agent's state: the pack of the thread, and the report on the last answer, as plain data."""

    contextpack: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]
    citations: NotRequired[Annotated[dict[str, Any], OmitFromInput]]


class ContextPackMiddleware(AgentMiddleware[ContextPackState, Any, Any]):
    """Packs the results of an agent's retrieval tools together before each call of the model, and checks the final answer.

    A retrieval tool is one whose ``ToolMessage.artifact`` is a list of documents (``response_format="content_and_artifact"`` of
    ``create_retriever_tool``). All such results of the thread share one budget, duplicates and old editions among them are dropped,
    and a passage keeps its label for the whole thread. The model sees the packed passages in the place of each result; the messages
    in the state stay as they are. Who asks, as of when and with what intent: ``config["configurable"]["contextpack"]``, else a
    surrounding ``request_scope``, else the arguments; ``classify`` names the intent of a question.

    With ``instruct`` the system message of each call ends with the rules of ``grounded_head`` and the day; for a response format of
    ``GroundedAnswer`` they also say how to fill it. Without it the agent's own prompt has to ask for citations.

    The report on the final answer, the last text or the ``structured_response``, stands in the final state under ``citations``.
    Where nothing was packed, an answer that cites gets one with the status NOT_CHECKED and a problem that says why, as does a
    structured one that ``check`` cannot read, and nothing else is done about it. What happens to an answer with problems says
    ``citations.on_violation`` of the policy: ``report`` leaves it as it is; ``strip`` takes all citation marks out of it, while the
    report is that on the answer as it was; ``raise`` raises ``CitationError``; ``retry`` sends it back to the model with what is
    wrong, at most ``retries`` times, and the last answer stands (neither those before it nor the feedback enter the state). List it
    first, so that it sees results which other middleware clears.

    It never declines: an agent may search once more, so the model is always asked.

    Raises:
        ArgumentError: ``policy`` is neither a policy nor the settings of one.
        PolicyError: the settings are wrong.
        ValueError: ``retries`` is below 1.
    """

    state_schema = ContextPackState

    def __init__(
        self,
        policy: Policy | Mapping[str, Any] | None = None,
        *,
        access: Collection[str] | None = None,
        as_of: date | None = None,
        count_tokens: TokenCounter | None = None,
        documents: Any = None,
        classify: Callable[[str], str | None] | None = None,
        name: str = "ContextPackMiddleware",
        retries: int = 1,
        instruct: bool = False,
    ) -> None:
        super().__init__()
        if retries < 1:
            raise ValueError(f"retries: {retries} — 1 or more; citations.on_violation: report asks only once")
        self.policy = policy_of(policy, "ContextPackMiddleware")
        self.tools = []
        self._access, self._as_of, self._count, self._documents = access, as_of, count_tokens, documents
        self._classify = classify
        self._name, self._retries, self._instruct = name, retries, instruct

    @classmethod
    def from_yaml(cls, path_or_text: str | Path, **overrides: Any) -> ContextPackMiddleware:
        """The middleware with the policy in a YAML file or text; ``overrides`` are further arguments."""
        return cls(Policy.from_yaml(path_or_text), **overrides)

    @property
    def name(self) -> str:
        """Two of them in one agent need two names."""
        return self._name

    # ---- before the model

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """The call with packed results; with ``on_violation: retry`` the answer of the last call."""
        made = self.pack_for(request.messages, request.state)
        packed = self._told(self._packed(request, made))
        response = handler(packed)
        for _ in range(self._retries):
            if (again := self._asked_again(packed, response, made)) is None:
                break
            response = handler(again)
        return response

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """As ``wrap_model_call``; packing takes milliseconds and waits for nothing."""
        made = self.pack_for(request.messages, request.state)
        packed = self._told(self._packed(request, made))
        response = await handler(packed)
        for _ in range(self._retries):
            if (again := self._asked_again(packed, response, made)) is None:
                break
            response = await handler(again)
        return response

    def _packed(self, request: ModelRequest[Any], made: Pack | None) -> ModelRequest[Any]:
        if made is None or self.policy.rollout.mode != "on":
            return request
        settings = self.policy.under(made.intent).render
        homes = _homes(request.messages)
        shown: dict[int, list[str]] = {number: [] for number in homes.values()}
        for item in made.evidence:
            shown[homes[item.passage.candidate_ids[0]]].append(render_one(item, settings))
        messages = [
            message.model_copy(update={"content": settings.separator.join(shown.get(number, [])) or NOTHING_LEFT})
            if _documents_of(message)
            else message
            for number, message in enumerate(request.messages)
        ]
        return request.override(messages=messages)

    def _asked_again(self, request: ModelRequest[Any], response: ModelResponse[Any], made: Pack | None) -> ModelRequest[Any] | None:
        """The request with the answer and what is wrong with it; None where the answer may stand."""
        answer = _final_answer(response.result, response.structured_response)
        if made is None or not self.policy.acts_on("retry") or answer is None:
            return None
        report = self._check(answer, made, request.messages)
        if not report.problems or report.status is ReportStatus.NOT_CHECKED:
            return None
        asked: list[Any] = [*request.messages, *response.result, HumanMessage(report.feedback())]
        return request.override(messages=asked)

    def _told(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """The request whose system message ends with the rules and the day, where that is wanted."""
        if not self._instruct or self.policy.rollout.mode != "on":
            return request
        question, asked = _question(request.messages), self._request()
        policy = self.policy.choose(question, asked.intent if asked.intent is not None else self._classify).policy
        rules = grounded_head(policy, structured=_is_grounded(request.response_format))
        day = grounded_day(policy, day_for(question, policy, asked.as_of))
        return request.override(system_message=_with_text(request.system_message, f"{rules}\n\n{day}"))

    def pack_for(self, messages: Sequence[AnyMessage], state: Mapping[str, Any]) -> Pack | None:
        """The pack of all retrieval results among the messages; None if there are none, or the rollout is off."""
        found = _in_turn(messages)
        if not found or self.policy.rollout.mode == "off":
            return None
        question = _question(messages)
        request = self._request()
        saved = state.get("contextpack")
        start = perf_counter()
        made = pack(
            candidates_of(found, self.policy.fields),
            question,
            self.policy,
            as_of=request.as_of,
            access=request.access,
            documents=self._documents,
            count_tokens=self._count,
            previous=Pack.from_dict(saved) if saved else None,
            intent=request.intent if request.intent is not None else self._classify,
        )
        log_trace(made, self.policy.trace, perf_counter() - start)
        note_pack(made)
        return made

    def _request(self) -> RequestScope:
        """Who asks, as of when and with what intent."""
        return request_for(request_in(ensure_config()), access=self._access, as_of=self._as_of)

    # ---- after the model

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """The pack for the labels of later turns; for a final answer the report too, and the answer where it was stripped."""
        messages = state["messages"]
        made = self.pack_for(messages, state)
        answer = _final_answer(messages, state.get("structured_response"))
        if made is None:
            return None if answer is None else self._unchecked(answer, state)
        update: dict[str, Any] = {"contextpack": made.to_dict()}
        if answer is not None:
            report = self._check(answer, made, messages)
            update[CITATIONS] = report.to_dict()
            if report.problems and report.status is not ReportStatus.NOT_CHECKED:
                update |= self._acted(answer, report, messages)
        return update

    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """As ``after_model``."""
        return self.after_model(state, runtime)

    def _acted(self, answer: Any, report: Report, messages: Sequence[AnyMessage]) -> dict[str, Any]:
        """What the policy does to an answer with problems; what was asked for again stands."""
        if self.policy.acts_on("raise"):
            raise CitationError(report.feedback(), report)
        if not self.policy.acts_on("strip"):
            return {}
        if isinstance(answer, AIMessage):
            return {"messages": [answer.model_copy(update={"content": stripped(answer, report)})]}
        response = stripped(answer, report)
        return {"structured_response": response, "messages": _with_response(messages, answer, response, report)}

    def _unchecked(self, answer: Any, state: Mapping[str, Any]) -> dict[str, Any] | None:
        """For a final answer that cites where nothing was packed a report that says so; it also takes the place of an older one."""
        if self.policy.rollout.mode == "off":
            return None
        report = self._check(answer, None, ())
        if report.problems:
            return {CITATIONS: report.to_dict()}
        if not report.citations:
            return {CITATIONS: report.to_dict()} if CITATIONS in state else None
        labels = ", ".join(dict.fromkeys([citation.text for citation in report.citations]))
        problem = Problem("citation", f"{labels} could not be checked", _NOTHING_PACKED, report.citations[0].span)
        return {CITATIONS: replace(report, problems=(problem,)).to_dict()}

    def _check(self, answer: Any, made: Pack | None, messages: Sequence[AnyMessage]) -> Report:
        """The report; on a structured answer of a form that cannot be read, one that says so."""
        try:
            return check(answer_of(answer), made, question=_question(messages), settings=self.policy.citations)
        except AnswerError as error:
            problem = Problem("answer", f"{type(answer).__name__} could not be checked", str(error))
            return Report(ReportStatus.NOT_CHECKED, "", problems=(problem,))


def _final_answer(messages: Sequence[BaseMessage], structured: Any) -> Any:
    """What ends the turn: the structured response, else the last message; None where a tool or the model is still to be called."""
    last = next((n for n in reversed(range(len(messages))) if isinstance(messages[n], AIMessage)), None)
    if last is None:
        return None
    answer = messages[last]
    answered = {message.tool_call_id for message in messages[last:] if isinstance(message, ToolMessage)}
    calls = answer.tool_calls if isinstance(answer, AIMessage) else []
    if any(call["id"] not in answered for call in calls):
        return None
    return structured if structured is not None else None if calls else answer


def _with_response(messages: Sequence[BaseMessage], answer: Any, response: Any, report: Report) -> list[BaseMessage]:
    """The messages that hold a structured response, with the stripped one: as JSON, in a tool call, in what answers the call."""
    last = next(n for n in reversed(range(len(messages))) if isinstance(messages[n], AIMessage))
    changed: list[BaseMessage] = []
    for message in messages[last:]:
        if isinstance(message, AIMessage):
            calls = [{**call, "args": stripped(call["args"], report)} for call in message.tool_calls]
            content = stripped(message.content, report) if isinstance(message.content, str) and message.content else message.content
            changed.append(message.model_copy(update={"content": content, "tool_calls": calls}))
        elif isinstance(message.content, str) and str(answer) in message.content:
            changed.append(message.model_copy(update={"content": message.content.replace(str(answer), str(response))}))
    return changed


def _is_grounded(response_format: Any) -> bool:
    """Whether the agent is to answer with a GroundedAnswer."""
    schema = getattr(response_format, "schema", None)
    return isinstance(schema, type) and issubclass(schema, GroundedAnswer)


def _with_text(message: SystemMessage | None, text: str) -> SystemMessage:
    """The system message with that behind its own text."""
    if message is None:
        return SystemMessage(text)
    content = message.content
    more = f"{content}\n\n{text}" if isinstance(content, str) else [*content, {"type": "text", "text": text}]
    return message.model_copy(update={"content": more})


def _question(messages: Sequence[AnyMessage]) -> str:
    return next((str(message.text) for message in reversed(messages) if isinstance(message, HumanMessage)), "")


def _documents_of(message: AnyMessage) -> list[Document | Mapping[str, Any]]:
    """The documents of a retrieval result; after a checkpoint they are mappings."""
    artifact = message.artifact if isinstance(message, ToolMessage) else None
    if not isinstance(artifact, list):
        return []
    return [item for item in artifact if isinstance(item, Document) or (isinstance(item, Mapping) and "page_content" in item)]


def _in_turn(messages: Sequence[AnyMessage]) -> list[Document | Mapping[str, Any]]:
    """All documents with an id of their own: those of the last question first, the best of each search before the second ones."""
    return [document for _, document in _numbered(messages)]


def _homes(messages: Sequence[AnyMessage]) -> dict[str, int]:
    """In which message each candidate stands."""
    return {str(_field(document, "id")): number for number, document in _numbered(messages)}


def _numbered(messages: Sequence[AnyMessage]) -> list[tuple[int, Document | Mapping[str, Any]]]:
    asked = max((n for n, message in enumerate(messages) if isinstance(message, HumanMessage)), default=-1)
    searches: dict[bool, list[list[tuple[int, Document | Mapping[str, Any]]]]] = {True: [], False: []}
    for number, message in enumerate(messages):
        documents = _documents_of(message)
        searches[number > asked].append([(number, _named(document, f"{number}.{i}")) for i, document in enumerate(documents)])
    turns = [chain.from_iterable(zip_longest(*searches[now])) for now in (True, False)]
    return [item for item in chain(*turns) if item is not None]


def _named(document: Document | Mapping[str, Any], place: str) -> Mapping[str, Any]:
    """The document with an id that tells where in the thread it stands: two searches may find the same one."""
    name = f"{_field(document, 'id') or 'document'}@{place}"
    return {"id": name, "page_content": _field(document, "page_content"), "metadata": _field(document, "metadata")}


def _field(document: Document | Mapping[str, Any], name: str) -> Any:
    return document.get(name) if isinstance(document, Mapping) else getattr(document, name)
