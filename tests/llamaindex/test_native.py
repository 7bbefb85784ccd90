"""Citations of models, in blocks of LlamaIndex."""

from __future__ import annotations

import pytest
from llama_index.core.base.llms.types import ChatMessage, CitationBlock, TextBlock

from contextpack_core import AnswerError, ArgumentError, pack
from llamaindex_contextpack import check_message, citable_blocks, pack_of
from tests.llamaindex.conftest import AS_OF, DECLINABLE


def test_citation_blocks_are_checked():
    """A block belongs to the text before it; last year's figure is found behind a valid pointer."""
    found = [{"id": n.node.node_id, "text": n.node.text, "metadata": n.node.metadata} for n in DECLINABLE]
    old = {"doc_id": "w25", "family": "w", "edition": "2025", "effective_from": "2025-01-01"}
    found.append({"id": "w25", "text": "The excess is 350 euros.", "metadata": old})
    made = pack(found, "Excess?", as_of=AS_OF)
    block = citable_blocks(made)[0]

    def said(text: str) -> ChatMessage:
        citation = CitationBlock(
            cited_content=TextBlock(text="The excess is 500 euros."),
            source=block.source,
            title=block.title,
            additional_location_info={"search_result_index": 0, "start_block_index": 0, "end_block_index": 1},
        )
        return ChatMessage(role="assistant", blocks=[TextBlock(text=text), citation])

    reports = [check_message(said(text), made) for text in ("It is 500 euros.", "It is 350 euros.")]

    assert block.title == "P1 Wording, edition 2026"
    assert [str(report.status) for report in reports] == ["GROUNDED", "FLAGGED"]
    assert [str(figure.status) for figure in reports[1].figures] == ["STALE"]


def test_what_is_no_message_and_what_are_no_nodes():
    """Neither ends in an attribute of None."""
    with pytest.raises(AnswerError, match=r"^message: NoneType — the ChatMessage that the model returned is wanted$"):
        check_message(None, pack([]))
    for given in (None, "text", [3], [None]):
        with pytest.raises(ArgumentError, match=r"^nodes: \w+.* is wanted$"):
            pack_of(given)
