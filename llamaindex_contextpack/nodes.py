"""From LlamaIndex nodes to candidates, and from a pack back to nodes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from llama_index.core.schema import BaseNode, ImageNode, MetadataMode, NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

from contextpack_core import (
    ArgumentError,
    Candidate,
    Evidence,
    FieldMap,
    Pack,
    RenderSettings,
    gather_pack,
    read_candidates,
    render_one,
    share_pack,
    text_carried,
)

KEY = "contextpack"
"""The metadata key under which a node carries its evidence."""

Content = Literal["template", "rendered", "text"]


def is_packable(node: BaseNode) -> bool:
    """Whether the node is text, and no image without one."""
    return not isinstance(node, ImageNode) or bool(node.text.strip())


def image_of(item: NodeWithScore) -> NodeWithScore:
    """A copy of an image without text that shows the model the image alone: metadata would be text that nobody counted."""
    node = item.node.model_copy(update={"excluded_llm_metadata_keys": list(item.node.metadata)})
    return NodeWithScore(node=node, score=item.score)


def candidates_of(nodes: Iterable[NodeWithScore], fields: FieldMap) -> tuple[Candidate, ...]:
    """The candidates that the nodes are, in their order; what was packed already is packed again without its envelope."""
    return read_candidates([_record_of(item) for item in nodes], fields)


def _record_of(item: NodeWithScore) -> dict[str, Any]:
    node = item.node
    return {
        "id": node.node_id,
        "text": _text_of(node),
        "score": item.score,
        "ref_doc_id": _related(node, NodeRelationship.SOURCE),
        "previous_id": _related(node, NodeRelationship.PREVIOUS),
        "next_id": _related(node, NodeRelationship.NEXT),
        "parent_id": _related(node, NodeRelationship.PARENT),
        "start_char_idx": getattr(node, "start_char_idx", None),
        "end_char_idx": getattr(node, "end_char_idx", None),
        "metadata": {key: value for key, value in node.metadata.items() if key != KEY},
    }


def _text_of(node: BaseNode) -> str:
    if (text := text_carried(node.metadata.get(KEY))) is not None:
        return text
    return node.text if isinstance(node, TextNode) else node.get_content(metadata_mode=MetadataMode.NONE)


def _related(node: BaseNode, relationship: NodeRelationship) -> str | None:
    found = node.relationships.get(relationship)
    return found.node_id if isinstance(found, RelatedNodeInfo) else None


def nodes_of(pack: Pack, settings: RenderSettings, content: Content, originals: Mapping[str, NodeWithScore]) -> list[NodeWithScore]:
    """One node an evidence, in prompt order; ``originals`` are the retrieved nodes by candidate id.

    A node made of one candidate keeps its id, relationships and metadata; a joined one has the metadata of its first member and is
    related to the source document only. The score is that of the best member.
    """
    shares = share_pack(pack)
    return [
        NodeWithScore(node=node_of(item, share, settings, content, originals), score=_best_score(item, originals))
        for item, share in zip(pack.evidence, shares, strict=True)
    ]


def node_of(
    item: Evidence, share: dict[str, Any], settings: RenderSettings, content: Content, originals: Mapping[str, NodeWithScore]
) -> TextNode:
    """The node of one evidence, with its share of the pack."""
    members = item.passage.candidate_ids
    first = originals[members[0]].node
    single = len(members) == 1
    node = TextNode(
        id_=first.node_id if single else item.passage.uid,
        text=item.passage.text,
        metadata=copy.deepcopy(first.metadata),
        relationships={
            name: copy.deepcopy(other) for name, other in first.relationships.items() if single or name is NodeRelationship.SOURCE
        },
        excluded_embed_metadata_keys=[*first.excluded_embed_metadata_keys, KEY],
        excluded_llm_metadata_keys=[*first.excluded_llm_metadata_keys, KEY],
    )
    span = item.passage.source.span
    if span is not None and all(piece.span is not None for piece in item.passage.pieces):
        node.start_char_idx, node.end_char_idx = span.start, span.end
    node.metadata[KEY] = share
    _CONTENTS[content](node, item, settings)
    return node


def _as_template(node: TextNode, item: Evidence, settings: RenderSettings) -> None:
    """The text stays verbatim; what the model reads is the finished envelope, put in as a template without placeholders.

    A placeholder for the text would let it in unescaped. LlamaIndex uses a template only where metadata are visible: the label is.
    """
    node.metadata["label"] = item.label
    node.excluded_llm_metadata_keys = [key for key in node.metadata if key != "label"]
    node.excluded_embed_metadata_keys.append("label")
    node.text_template = render_one(item, settings).replace("{", "{{").replace("}", "}}")


def _as_text_rendered(node: TextNode, item: Evidence, settings: RenderSettings) -> None:
    """The text is the envelope, and no metadata stand before it."""
    node.metadata["label"] = item.label
    node.excluded_llm_metadata_keys = list(node.metadata)
    node.excluded_embed_metadata_keys.append("label")
    node.text = render_one(item, settings)
    node.start_char_idx = node.end_char_idx = None


def _as_text(node: TextNode, item: Evidence, settings: RenderSettings) -> None:
    """The text is verbatim and has no label; metadata are as visible as they were."""


_CONTENTS: dict[Content, Callable[[TextNode, Evidence, RenderSettings], None]] = {
    "template": _as_template,
    "rendered": _as_text_rendered,
    "text": _as_text,
}


def _best_score(item: Evidence, originals: Mapping[str, NodeWithScore]) -> float | None:
    scores = [originals[name].score for name in item.passage.candidate_ids]
    return max((score for score in scores if score is not None), default=None)


def pack_of(nodes: Sequence[NodeWithScore | BaseNode]) -> Pack:
    """The pack that nodes from a postprocessor carry, put together again.

    Nodes that were dropped since are missing in it; without the first of them it has no account of what was left out, and a check
    still works. Nodes that never went through a postprocessor of ours are left aside.

    Raises:
        ArgumentError: what was given is no list of nodes.
        PackError: two of them give one label to different passages.
    """
    if isinstance(nodes, str | Mapping) or not isinstance(nodes, Sequence):
        raise ArgumentError(f"nodes: {type(nodes).__name__} — the list of nodes that the postprocessor returned is wanted")
    metadata = [_metadata_of(item) for item in nodes]
    return gather_pack([held[KEY] for held in metadata if isinstance(held.get(KEY), Mapping)])


def _metadata_of(item: Any) -> Mapping[str, Any]:
    node = item.node if isinstance(item, NodeWithScore) else item
    if not isinstance(node, BaseNode):
        raise ArgumentError(f"nodes: {type(node).__name__} among them — a list of nodes is wanted")
    return node.metadata
