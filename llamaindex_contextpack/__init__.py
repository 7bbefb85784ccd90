"""contextpack for LlamaIndex: a node postprocessor, and checks for the answers of query engines."""

try:
    import llama_index.core  # noqa: F401
except ImportError as error:  # pragma: no cover - tried in a venv of its own
    raise ImportError("llamaindex_contextpack needs llama-index-core: pip install 'contextpack-rag[llamaindex]'") from error

from llamaindex_contextpack.checking import acheck_response, check_response
from llamaindex_contextpack.engine import CheckedQueryEngine
from llamaindex_contextpack.evaluator import CitationEvaluator
from llamaindex_contextpack.judge import LlmJudge
from llamaindex_contextpack.native import check_message, citable_blocks
from llamaindex_contextpack.nodes import pack_of
from llamaindex_contextpack.postprocessor import ContextPackPostprocessor
from llamaindex_contextpack.prompts import grounded_qa_template, grounded_refine_template
from llamaindex_contextpack.retriever import SubQueryRetriever

__all__ = [
    "CheckedQueryEngine",
    "CitationEvaluator",
    "ContextPackPostprocessor",
    "LlmJudge",
    "SubQueryRetriever",
    "acheck_response",
    "check_message",
    "check_response",
    "citable_blocks",
    "grounded_qa_template",
    "grounded_refine_template",
    "pack_of",
]
