"""check_response: checks the answer of any LlamaIndex response against its source nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.base.response.schema import PydanticResponse
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore

from contextpack_core import AnswerError, Evidence, Pack, Passage, Piece, Policy, Report, check, judge_report, policy_of
from llamaindex_contextpack.nodes import KEY, pack_of

_NUMBERED = re.compile(r"Source (\d+):\n")


def check_response(
    response: Any, *, policy: Policy | Mapping[str, Any] | None = None, question: str = "", judge: Any = None
) -> Report:
    """The report on a response: of a query engine or a chat engine, whole, structured or streamed.

    The sources are the pack that the response's nodes carry; nodes that no postprocessor of ours made are ``P1``, ``P2`` … in
    their order, and those of a ``CitationQueryEngine`` have the numbers that it gave them. A streaming response whose text
    nobody has read yet is read here, once, and keeps it.

    Raises:
        AnswerError: an ``AsyncStreamingResponse`` that nobody has read: await ``acheck_response``.
        ArgumentError: ``policy`` is neither a policy nor the settings of one.
    """
    settings = policy_of(policy).citations
    return check(answer_of(response), sources_of(response.source_nodes), question=question, settings=settings, judge=judge)


async def acheck_response(
    response: Any, *, policy: Policy | Mapping[str, Any] | None = None, question: str = "", judge: Any = None
) -> Report:
    """As ``check_response``; reads an ``AsyncStreamingResponse`` too."""
    if _is_unread_async(response):
        await response.get_response()
    report = check_response(response, policy=policy, question=question)
    return report if judge is None else await judge_report(report, judge)


def answer_of(response: Any) -> str | Mapping[str, Any]:
    """The text of a response, or the data of a structured one; empty where there is none."""
    if isinstance(response, PydanticResponse):
        return "" if response.response is None else response.response.model_dump()
    if _is_unread_async(response):
        raise AnswerError("response: an AsyncStreamingResponse that nobody has read — await acheck_response(response)")
    if hasattr(response, "response_txt"):
        return response.response_txt or response.get_response().response or ""
    return response.response or ""


def _is_unread_async(response: Any) -> bool:
    return (
        not isinstance(response, PydanticResponse)
        and hasattr(response, "async_response_gen")
        and (getattr(response, "response_txt", "") is None)
    )


def sources_of(nodes: Sequence[NodeWithScore | BaseNode]) -> Pack | dict[str, str]:
    """What an answer over these nodes may cite."""
    plain = [item.node if isinstance(item, NodeWithScore) else item for item in nodes]
    texts = [node.get_content(metadata_mode=MetadataMode.NONE) for node in plain]
    numbers = [_NUMBERED.match(text) for text in texts]
    packed = any(KEY in node.metadata for node in plain)
    if texts and all(numbers):
        cited = {number[1]: text[number.end() :] for number, text in zip(numbers, texts, strict=True) if number}
        return _numbered_pack(pack_of(plain), plain, cited) if packed else cited
    if packed:
        return pack_of(plain)
    return {f"P{number}": text for number, text in enumerate(texts, 1)}


def _numbered_pack(pack: Pack, nodes: Sequence[BaseNode], cited: Mapping[str, str]) -> Pack:
    """The pack with the pieces that a ``CitationQueryEngine`` cut and numbered in the place of its evidence."""
    passages = {item.label: item.passage for item in pack.evidence}
    evidence = []
    for node, (number, text) in zip(nodes, cited.items(), strict=True):
        share = node.metadata.get(KEY) or {}
        whole = passages.get(str((share.get("evidence") or {}).get("label")))
        if whole is not None:
            source = replace(whole.source, span=None)
            evidence.append(Evidence(number, Passage(f"{whole.uid}.{number}", (Piece(whole.candidate_ids[0], text),), source), 0))
    return replace(pack, evidence=tuple(evidence))
