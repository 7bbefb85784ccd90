"""contextpack for LangChain: a packer for chains and retrievers, prompts, a guard and a parser for answers, a middleware."""

from typing import TYPE_CHECKING, Any

try:
    import langchain_core  # noqa: F401
except ImportError as error:  # pragma: no cover - tried in a venv of its own
    raise ImportError("langchain_contextpack needs langchain-core: pip install 'contextpack-rag[langchain]'") from error

from langchain_contextpack.declining import answer_or_decline
from langchain_contextpack.documents import pack_of
from langchain_contextpack.guard import CitationGuard
from langchain_contextpack.judge import LlmJudge
from langchain_contextpack.native import check_message
from langchain_contextpack.packer import ContextPacker
from langchain_contextpack.parser import CitationOutputParser
from langchain_contextpack.prompts import grounded_prompt
from langchain_contextpack.retriever import FamilySearch, PackingRetriever

if TYPE_CHECKING:
    from langchain_contextpack.middleware import ContextPackMiddleware as ContextPackMiddleware

# Without ContextPackMiddleware: a star would import it, and it needs one more extra.
__all__ = [
    "CitationGuard",
    "CitationOutputParser",
    "ContextPacker",
    "FamilySearch",
    "LlmJudge",
    "PackingRetriever",
    "answer_or_decline",
    "check_message",
    "grounded_prompt",
    "pack_of",
]


def __getattr__(name: str) -> Any:
    """ContextPackMiddleware is imported when it is asked for: it needs the extra ``agents``."""
    if name == "ContextPackMiddleware":
        from langchain_contextpack.middleware import ContextPackMiddleware

        return ContextPackMiddleware
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
