"""Joins of what the splitters of LangChain and LlamaIndex really hand out."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from contextpack_core.offsets import check_spans
from contextpack_core.passages import GAP_MARK, assemble
from contextpack_core.stages.dedup import DedupSettings, drop_duplicates
from contextpack_core.stages.merge import MergeSettings, find_joins
from contextpack_core.values import Candidate, Passage, Source, Span

REPEATED = [
    "See the terms above.",
    "Okay.",
    "Contact your dealer for the current terms and prices.",
    "Größe: 5 m.",
    "Note: 红灯停。",
]


def document(chance: random.Random) -> str:
    """A markdown document of several sections in which nearly half of the sentences come again and again."""
    parts = []
    for section in range(chance.randint(2, 6)):
        parts.append(f"{'#' * chance.randint(1, 3)} Part {section % 3}\n\n")
        for _ in range(chance.randint(2, 30)):
            own = (
                f"Item {chance.randint(0, 999)} of the {chance.choice(['left', 'right'])} store weighs {chance.randint(1, 99)} kg."
            )
            parts.append(
                (chance.choice(REPEATED) if chance.random() < 0.45 else own) + chance.choice([" ", " ", " ", "\n", "\n\n"])
            )
    return "".join(parts)


def recursive(text: str, size: int, overlap: int) -> list[Candidate]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)
    return [_of_langchain(k, d.page_content, d.metadata) for k, d in enumerate(splitter.create_documents([text]))]


def headers_then_recursive(text: str, size: int, overlap: int) -> list[Candidate]:
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    sections = MarkdownHeaderTextSplitter([("#", "Header 1"), ("##", "Header 2"), ("###", "Header 3")]).split_text(text)
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)
    return [_of_langchain(k, d.page_content, d.metadata) for k, d in enumerate(splitter.split_documents(sections))]


def _of_langchain(k: int, text: str, metadata: dict[str, object]) -> Candidate:
    return Candidate.from_mapping({"id": str(k), "text": text, "metadata": {"source": "d", **metadata}})


def sentences(text: str, size: int, overlap: int) -> list[Candidate]:
    return _of_llama_index(text, lambda p: [p.SentenceSplitter(chunk_size=size // 4, chunk_overlap=overlap // 4)])


def headers_then_sentences(text: str, size: int, overlap: int) -> list[Candidate]:
    return _of_llama_index(
        text, lambda p: [p.MarkdownNodeParser(), p.SentenceSplitter(chunk_size=size // 4, chunk_overlap=overlap // 4)]
    )


def hierarchical(text: str, size: int, overlap: int) -> list[Candidate]:
    return _of_llama_index(
        text,
        lambda p: [p.HierarchicalNodeParser.from_defaults(chunk_sizes=[size, size // 2, size // 4], chunk_overlap=overlap // 4)],
    )


def _of_llama_index(text: str, parsers: Callable[..., Sequence[object]]) -> list[Candidate]:
    core = pytest.importorskip("llama_index.core")
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(core.__file__).parent / "_static" / "tiktoken_cache"))
    from llama_index.core import node_parser
    from llama_index.core.ingestion import run_transformations

    nodes = run_transformations([core.Document(text=text, id_="d")], parsers(node_parser))
    return [_of_node(node) for node in nodes]


def _of_node(node: object) -> Candidate:
    related = {name.name: getattr(other, "node_id", None) for name, other in node.relationships.items()}  # type: ignore[attr-defined]
    start, end = node.start_char_idx, node.end_char_idx  # type: ignore[attr-defined]
    return Candidate(
        node.node_id,  # type: ignore[attr-defined]
        node.text,  # type: ignore[attr-defined]
        Source("d", span=None if start is None else Span(start, end)),
        previous_id=related.get("PREVIOUS"),
        next_id=related.get("NEXT"),
        parent_id=related.get("PARENT"),
        metadata=node.metadata,  # type: ignore[attr-defined]
    )


SPLITTERS = [recursive, headers_then_recursive, sentences, headers_then_sentences, hierarchical]


def passages_of(candidates: Sequence[Candidate], documents: dict[str, str] | None) -> list[Passage]:
    """The passages of more than one candidate, if all are admitted, and those of any two that have a join."""
    placed = check_spans([replace(c, rank=rank) for rank, c in enumerate(candidates, 1)], documents)
    distinct = drop_duplicates(placed.kept, DedupSettings()).kept
    joins = find_joins(distinct, documents, MergeSettings())
    by_id = {c.id: c for c in distinct}
    return [assemble([by_id[name] for name in run], joins) for run in (*joins.chains, *joins.between)]


def is_true(passage: Passage, text: str) -> bool:
    return all(squeezed(part) in squeezed(text) for part in passage.text.split(GAP_MARK))


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("with_document", [True, False])
@pytest.mark.parametrize("split", SPLITTERS)
def test_no_join_makes_up_text(split: Callable[[str, int, int], list[Candidate]], with_document: bool) -> None:
    """Whichever splitter made the chunks and whichever of them were retrieved, the passages are text of the document."""
    chance = random.Random(11)
    joined, false = 0, []
    for _ in range(8):
        text = document(chance)
        candidates = split(text, chance.choice([120, 200, 400]), chance.choice([0, 40, 80]))
        retrieved = [c for c in candidates if chance.random() < 0.75 and squeezed(c.text) in squeezed(text)]  # some are rewritten
        chance.shuffle(retrieved)
        for passage in passages_of(retrieved, {"d": text} if with_document else None):
            joined += 1
            if not is_true(passage, text):
                false.append(passage.text)

    assert false == []
    assert joined > 0 or (split is headers_then_recursive and not with_document)


@pytest.mark.parametrize("split", [recursive, sentences])
def test_a_document_comes_together_again(split: Callable[[str, int, int], list[Candidate]]) -> None:
    """All chunks of a plain splitter make one passage that is the document, with or without its text at hand."""
    text = " ".join(f"Sentence number {k} tells of thing {k * k} at length." for k in range(60))

    for documents in ({"d": text}, None):
        longest = max(passages_of(split(text, 400, 80), documents), key=lambda passage: len(passage.text))
        assert squeezed(longest.text) == squeezed(text)
        assert longest.source.span == Span(0, len(text))
