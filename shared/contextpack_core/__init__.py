"""contextpack: packs what a retriever found into a small, true, attributable evidence set, and checks what the answer cites."""

from contextpack_core.advice import Action, Advice
from contextpack_core.answer_size import schema_tokens
from contextpack_core.citations.check import check, judge_report, with_support
from contextpack_core.citations.claims import split_claims
from contextpack_core.citations.figures import find_figures
from contextpack_core.citations.lexical import LexicalJudge
from contextpack_core.citations.marks import parse_citations
from contextpack_core.citations.nli import NliJudge
from contextpack_core.citations.prompted import JudgePrompt, PromptedJudge, judge_prompt, parse_verdicts
from contextpack_core.citations.quotes import locate_quote
from contextpack_core.citations.report import Problem, Rendered, Report, ReportStatus
from contextpack_core.citations.settings import CitationSettings
from contextpack_core.citations.stream import CitationSeen, CitationStream, TextDelta
from contextpack_core.citations.support import (
    AsyncSupportJudge,
    BatchSupportJudge,
    Support,
    SupportJudge,
    SupportLabel,
    ajudge_claims,
    judge_claims,
    statements_of,
    support_of,
)
from contextpack_core.citations.values import (
    Citation,
    CitationStatus,
    Claim,
    ClaimKind,
    Figure,
    FigureStatus,
    Quote,
    QuoteStatus,
    SourceText,
)
from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.editions.conflicts import Conflict
from contextpack_core.errors import (
    AnswerError,
    ArgumentError,
    BudgetError,
    CandidateError,
    CitationError,
    ContextPackError,
    Fault,
    PackError,
    PolicyError,
    TokenizerError,
    UnknownCandidateError,
)
from contextpack_core.fields import FieldMap
from contextpack_core.grounding.abstention import is_refusal
from contextpack_core.grounding.calibration import Threshold, calibrate_threshold, upper_bound
from contextpack_core.grounding.declining import Declined, DeclineReason, Signals, decline, searched_in, signals_of
from contextpack_core.grounding.lint import Finding, lint_prompt
from contextpack_core.grounding.native import (
    NativeAnswer,
    NativeCitation,
    anthropic_documents,
    anthropic_search_results,
    check_native,
    read_native,
)
from contextpack_core.grounding.prompts import (
    grounded_day,
    grounded_head,
    grounded_messages,
    grounded_refine,
    grounded_tail,
    head_tokens,
    measured_prompt,
)
from contextpack_core.grounding.settings import GroundingSettings
from contextpack_core.grounding.structured import (
    GroundedAnswer,
    GroundedClaim,
    declined_answer,
    read_grounded_answer,
    stripped_answer,
)
from contextpack_core.intents import Classifier
from contextpack_core.pack import Outcome, Pack, day_for, keep_applicable, measured_lines, pack
from contextpack_core.policy import Choice, Policy, PolicyField, TakesPolicy, policy_of
from contextpack_core.questions.cues import class_of
from contextpack_core.questions.parts import SubQuestion
from contextpack_core.questions.retrieval import FOUND_FOR, RetrievalSettings, merge_hits, searches_for
from contextpack_core.received import read_candidates
from contextpack_core.scope import RequestScope, current_scope, note_pack, only_pack_made, packs_made, request_for, request_scope
from contextpack_core.semantic import Embedder, StaticModel
from contextpack_core.shares import Carried, gather_pack, request_carried, share_pack, text_carried
from contextpack_core.stages.budget import BudgetPlan
from contextpack_core.stages.render import RenderSettings, header_of, parse_rendered, render, render_one
from contextpack_core.telemetry import log_decline, log_trace
from contextpack_core.tokens import TokenCounter, as_counter, counter_for
from contextpack_core.trace import Trace
from contextpack_core.values import Candidate, Evidence, Passage, Piece, Source, Span

__version__ = "0.1.0"

__all__ = [
    "FOUND_FOR",
    "Action",
    "Advice",
    "AnswerError",
    "ArgumentError",
    "AsyncSupportJudge",
    "BatchSupportJudge",
    "BudgetError",
    "BudgetPlan",
    "Candidate",
    "CandidateError",
    "Carried",
    "Choice",
    "Citation",
    "CitationError",
    "CitationSeen",
    "CitationSettings",
    "CitationStatus",
    "CitationStream",
    "Claim",
    "ClaimKind",
    "Classifier",
    "Conflict",
    "ContextPackError",
    "DeclineReason",
    "Declined",
    "Drop",
    "Embedder",
    "Evidence",
    "Fault",
    "FieldMap",
    "Figure",
    "FigureStatus",
    "Finding",
    "GroundedAnswer",
    "GroundedClaim",
    "GroundingSettings",
    "JudgePrompt",
    "LexicalJudge",
    "NativeAnswer",
    "NativeCitation",
    "NliJudge",
    "Outcome",
    "Pack",
    "PackError",
    "Passage",
    "Piece",
    "Policy",
    "PolicyError",
    "PolicyField",
    "Problem",
    "PromptedJudge",
    "Quote",
    "QuoteStatus",
    "Reason",
    "RenderSettings",
    "Rendered",
    "Report",
    "ReportStatus",
    "RequestScope",
    "RetrievalSettings",
    "Signals",
    "Source",
    "SourceText",
    "Span",
    "StaticModel",
    "Step",
    "SubQuestion",
    "Support",
    "SupportJudge",
    "SupportLabel",
    "TakesPolicy",
    "TextDelta",
    "Threshold",
    "TokenCounter",
    "TokenizerError",
    "Trace",
    "UnknownCandidateError",
    "ajudge_claims",
    "anthropic_documents",
    "anthropic_search_results",
    "as_counter",
    "calibrate_threshold",
    "check",
    "check_native",
    "class_of",
    "counter_for",
    "current_scope",
    "day_for",
    "decline",
    "declined_answer",
    "find_figures",
    "gather_pack",
    "grounded_day",
    "grounded_head",
    "grounded_messages",
    "grounded_refine",
    "grounded_tail",
    "head_tokens",
    "header_of",
    "is_refusal",
    "judge_claims",
    "judge_prompt",
    "judge_report",
    "keep_applicable",
    "lint_prompt",
    "locate_quote",
    "log_decline",
    "log_trace",
    "measured_lines",
    "measured_prompt",
    "merge_hits",
    "note_pack",
    "only_pack_made",
    "pack",
    "packs_made",
    "parse_citations",
    "parse_rendered",
    "parse_verdicts",
    "policy_of",
    "read_candidates",
    "read_grounded_answer",
    "read_native",
    "render",
    "render_one",
    "request_carried",
    "request_for",
    "request_scope",
    "schema_tokens",
    "searched_in",
    "searches_for",
    "share_pack",
    "signals_of",
    "split_claims",
    "statements_of",
    "stripped_answer",
    "support_of",
    "text_carried",
    "upper_bound",
    "with_support",
]
