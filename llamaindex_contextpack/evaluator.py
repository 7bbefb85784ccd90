"""CitationEvaluator: the check as a LlamaIndex evaluator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.prompts.mixin import PromptDictType

from contextpack_core import ContextPackError, Policy, Report, ReportStatus, check, policy_of
from llamaindex_contextpack.checking import acheck_response, check_response


class CitationEvaluator(BaseEvaluator):
    """Passes an answer that is grounded: every statement cites, and no citation, quotation or figure is wrong.

    The score is the share of statements that cite and with which nothing is wrong; None where there are no statements. Plain
    contexts are ``P1``, ``P2`` … in their order; ``evaluate_response`` takes the labels of the response's nodes. What cannot be
    evaluated comes back as ``invalid_result`` with the reason.
    """

    def __init__(self, policy: Policy | Mapping[str, Any] | None = None, *, judge: Any = None) -> None:
        self.policy = policy_of(policy)
        self.judge = judge

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """There are none."""

    async def aevaluate(
        self, query: str | None = None, response: str | None = None, contexts: Sequence[str] | None = None, **kwargs: Any
    ) -> EvaluationResult:
        """The result for a plain answer over plain contexts."""
        if response is None or contexts is None:
            return _invalid(query, response, contexts, "response and contexts are wanted")
        sources = {f"P{number}": context for number, context in enumerate(contexts, 1)}
        try:
            report = check(response, sources, question=query or "", settings=self.policy.citations, judge=self.judge)
        except ContextPackError as error:
            return _invalid(query, response, contexts, str(error))
        return _result(report, query, contexts)

    def evaluate_response(self, query: str | None = None, response: Any = None, **kwargs: Any) -> EvaluationResult:
        """The result for a response, by the labels that its nodes carry."""
        if response is None:
            return _invalid(query, None, None, "a response is wanted")
        try:
            report = check_response(response, policy=self.policy, question=query or "", judge=self.judge)
        except ContextPackError as error:
            return _invalid(query, None, None, str(error))
        return _result(report, query, [item.node.get_content() for item in response.source_nodes])

    async def aevaluate_response(self, query: str | None = None, response: Any = None, **kwargs: Any) -> EvaluationResult:
        """As ``evaluate_response``; reads an asynchronous stream too."""
        if response is None:
            return _invalid(query, None, None, "a response is wanted")
        try:
            report = await acheck_response(response, policy=self.policy, question=query or "", judge=self.judge)
        except ContextPackError as error:
            return _invalid(query, None, None, str(error))
        return _result(report, query, [item.node.get_content() for item in response.source_nodes])


def _result(report: Report, query: str | None, contexts: Sequence[str]) -> EvaluationResult:
    return EvaluationResult(
        query=query,
        contexts=list(contexts),
        response=report.answer,
        passing=report.status is ReportStatus.GROUNDED,
        score=report.soundness,
        feedback=report.feedback() or str(report.status),
    )


def _invalid(query: str | None, response: str | None, contexts: Sequence[str] | None, reason: str) -> EvaluationResult:
    return EvaluationResult(query=query, response=response, contexts=contexts, invalid_result=True, invalid_reason=reason)
