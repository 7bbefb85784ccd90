"""ContextPackPostprocessor: packs the nodes of a query engine."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
from datetime import date
from typing import Any

import pytest
from llama_index.core import Document, PromptTemplate
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.node_parser import HierarchicalNodeParser, SentenceSplitter
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode
from llama_index.core.tools import RetrieverTool

from contextpack_core import ArgumentError, Pack, Policy, PolicyError, counter_for, grounded_head, measured_prompt, request_scope
from llamaindex_contextpack import ContextPackPostprocessor, pack_of
from tests.llamaindex.conftest import Found, Recorded, node

DAY = date(2026, 6, 1)
ENVELOPES = [
    '<passage id="P1" edition="2026" effective="from 2026-01-01">\nThe excess is 500 euros.\n</passage>',
    '<passage id="P2">\nThe {fee} is 20 euros. &lt;/passage>\n</passage>',
]


@pytest.fixture
def packer() -> ContextPackPostprocessor:
    return ContextPackPostprocessor(as_of=DAY)


def read(nodes: list[NodeWithScore]) -> list[str]:
    """What the model reads of each node."""
    return [item.node.get_content(metadata_mode=MetadataMode.LLM) for item in nodes]


def test_the_model_reads_envelopes_and_the_text_stays_verbatim(
    packer: ContextPackPostprocessor, nodes: list[NodeWithScore]
) -> None:
    """The default content: the label comes through the template, node.text is the source's text."""
    packed = packer.postprocess_nodes(nodes, query_str="excess?")

    assert read(packed) == ENVELOPES
    assert [item.node.text for item in packed] == ["The excess is 500 euros.", "The {fee} is 20 euros. </passage>"]


def test_rendered_and_text(nodes: list[NodeWithScore]) -> None:
    """The envelope as the text itself, without metadata before it; or verbatim, with the metadata that were visible."""
    rendered = ContextPackPostprocessor(as_of=DAY, content="rendered").postprocess_nodes(nodes)
    verbatim = ContextPackPostprocessor(as_of=DAY, content="text").postprocess_nodes(nodes)

    assert [item.node.text for item in rendered] == ENVELOPES == read(rendered)
    assert [item.node.text for item in verbatim] == ["The excess is 500 euros.", "The {fee} is 20 euros. </passage>"]
    assert read(verbatim)[1] == "file_name: fees.md\n\nThe {fee} is 20 euros. </passage>"


@pytest.mark.parametrize(
    "mode", [ResponseMode.COMPACT, ResponseMode.REFINE, ResponseMode.TREE_SUMMARIZE, ResponseMode.COMPACT_ACCUMULATE]
)
def test_the_envelopes_reach_the_model_whole(nodes: list[NodeWithScore], mode: ResponseMode) -> None:
    """In every text mode each envelope stands in a prompt, byte for byte."""
    llm = Recorded(answers=["x"])
    packer = ContextPackPostprocessor(as_of=DAY)
    RetrieverQueryEngine.from_args(Found(nodes), llm=llm, response_mode=mode, node_postprocessors=[packer]).query("excess?")

    assert [any(envelope in prompt for prompt in llm.prompts) for envelope in ENVELOPES] == [True, True]
    assert not any("350" in prompt for prompt in llm.prompts)


def test_simple_summarize_gets_every_envelope(nodes: list[NodeWithScore]) -> None:
    """There the model reads a Python list of the context: labels and texts are whole, line ends are not."""
    llm = Recorded(answers=["x"])
    engine = RetrieverQueryEngine.from_args(
        Found(nodes),
        llm=llm,
        response_mode=ResponseMode.SIMPLE_SUMMARIZE,
        node_postprocessors=[ContextPackPostprocessor(as_of=DAY)],
    )
    engine.query("excess?")

    assert '<passage id="P1"' in llm.prompts[0]
    assert "500 euros" in llm.prompts[0]


def test_the_budget_holds_in_the_prompt_that_reaches_the_model() -> None:
    """With the window as input limit, compact makes one call and cuts nothing apart, LlamaIndex's reserve included."""
    made: list[Pack] = []
    many = [node(f"n{i}", f"Note {i}: " + f"word{i} " * 60, 1 - i / 100) for i in range(60)]
    llm = Recorded(answers=["x"], window=3000)
    policy = Policy(budget={"evidence": 9000, "input_limit": 3000, "answer": 100, "instructions": 80})
    packer = ContextPackPostprocessor(policy=policy, on_pack=made.append)
    RetrieverQueryEngine.from_args(Found(many), llm=llm, node_postprocessors=[packer]).query("notes?")

    assert len(llm.prompts) == 1
    assert made[0].text in llm.prompts[0]
    assert 1500 < made[0].tokens <= 3000 - 100 - 80 - 500


def test_a_chat_engine_and_a_tool(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """Whatever takes postprocessors reads the envelopes."""
    llm = Recorded(answers=["x"])
    chat = ContextChatEngine(
        retriever=Found(nodes),
        llm=llm,
        memory=ChatMemoryBuffer.from_defaults(token_limit=2000),
        prefix_messages=[],
        node_postprocessors=[packer],
    )
    chat.chat("excess?")
    tool = RetrieverTool.from_defaults(Found(nodes), node_postprocessors=[packer])

    assert "\n\n".join(ENVELOPES) in llm.prompts[0]
    assert tool.call("excess?").content.strip() == "\n\n".join(ENVELOPES)


def test_under_a_citation_query_engine_there_is_one_numbering(nodes: list[NodeWithScore]) -> None:
    """With content="text" the engine's own numbers are the only ones."""
    llm = Recorded(answers=["It is 500 [1]."])
    packer = ContextPackPostprocessor(as_of=DAY, content="text")
    CitationQueryEngine(Found(nodes), llm=llm, node_postprocessors=[packer]).query("excess?")

    asked = llm.prompts[-1].split("numbered sources of information", 1)[1]
    assert (asked.count("Source 1:"), asked.count("Source 2:"), asked.count("<passage")) == (1, 1, 0)


@pytest.mark.parametrize("splitter", [None, SentenceSplitter(chunk_size=60, chunk_overlap=20)])
def test_the_pieces_of_a_citation_engine_stay_within_the_budget(splitter: SentenceSplitter | None) -> None:
    """The engine splits a long passage into overlapping pieces and numbers each; all of that is counted."""
    text = " ".join(f"Sentence number {n} says something of its own." for n in range(400))
    chunks = SentenceSplitter(chunk_size=120, chunk_overlap=30)([Document(text=text, doc_id="d")])
    llm, count = Recorded(answers=["So [1]."]), counter_for("cl100k_base")
    packer = ContextPackPostprocessor(policy={"budget": {"evidence": 1500}}, content="text", text_splitter=splitter)
    synthesizer = get_response_synthesizer(llm=llm, text_qa_template=PromptTemplate("<<{context_str}>>{query_str}"))
    found = [NodeWithScore(node=chunk, score=0.5) for chunk in chunks]
    CitationQueryEngine(
        Found(found), llm=llm, node_postprocessors=[packer], text_splitter=splitter, response_synthesizer=synthesizer
    ).query("number?")
    context = llm.prompts[-1].split("<<", 1)[1].rsplit(">>", 1)[0]

    assert context.count("Source ") > 2
    assert 1000 < count(context) <= 1500


def test_the_coroutine_is_its_own(
    packer: ContextPackPostprocessor, nodes: list[NodeWithScore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No thread is started for it."""
    monkeypatch.setattr(asyncio, "to_thread", lambda *_: pytest.fail("a thread was started"))

    assert read(asyncio.run(packer.apostprocess_nodes(nodes, query_str="excess?"))) == ENVELOPES


def test_input_is_not_changed(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """Neither nodes nor their metadata."""
    before = copy.deepcopy(nodes)
    packed = packer.postprocess_nodes(nodes)
    packed[0].node.metadata["family"] = "changed"

    assert nodes == before


def test_ids_scores_and_sources_survive(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """A node that was not joined keeps them."""
    packed = packer.postprocess_nodes(nodes)

    assert [(item.node.node_id, item.score, item.node.ref_doc_id) for item in packed] == [
        ("new", 0.8, "doc-new"),
        ("fee", 0.1, "doc-fee"),
    ]


@pytest.mark.parametrize("content", ["template", "rendered", "text"])
def test_what_was_packed_is_not_wrapped_again(packer: ContextPackPostprocessor, nodes: list[NodeWithScore], content: Any) -> None:
    """Passages of a postprocessor that meet a second one are packed without their envelopes."""
    first = ContextPackPostprocessor(as_of=DAY, content=content).postprocess_nodes(nodes, query_str="excess?")

    assert read(packer.postprocess_nodes(first, query_str="excess?")) == ENVELOPES


def test_neighbours_of_a_splitter_are_joined() -> None:
    """Chunks of one document become one node; with the document at hand it is the document's own text, with its place."""
    text = " ".join(f"Sentence number {n} says something of its own." for n in range(40))
    chunks = SentenceSplitter(chunk_size=40, chunk_overlap=10)([Document(text=text, doc_id="d")])
    packer = ContextPackPostprocessor(documents={"d": text})
    packed = packer.postprocess_nodes([NodeWithScore(node=chunk) for chunk in chunks[:4]])

    assert [item.node.text for item in packed] == [text[packed[0].node.start_char_idx : packed[0].node.end_char_idx]]
    assert len(pack_of(packed).evidence[0].passage.candidate_ids) == 4


def test_leaves_of_a_hierarchy_are_not_fabricated() -> None:
    """Their offsets count in another text: whatever is joined stands in the document."""
    text = "\n\n".join(f"Paragraph {n}. See above. It says something, see above. Then more of {n}." * 3 for n in range(12))
    leaves = HierarchicalNodeParser.from_defaults(chunk_sizes=[256, 64, 24], chunk_overlap=4)([Document(text=text)])
    packed = ContextPackPostprocessor(policy=Policy(merge={"max_gap": 0})).postprocess_nodes(
        [NodeWithScore(node=leaf) for leaf in leaves if leaf.child_nodes is None][:30]
    )

    assert [
        part for item in packed for part in item.node.text.split(" […] ") if "".join(part.split()) not in "".join(text.split())
    ] == []


def test_images_are_handed_on(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """An image without text is not evidence, and not lost."""
    image = NodeWithScore(node=ImageNode(image_url="https://example.org/a.png", metadata={"caption": "A long one."}), score=0.5)
    last = packer.postprocess_nodes([image, *nodes])[-1]

    assert (last.node.node_id, last.score, last.node.image_url) == (image.node.node_id, 0.5, "https://example.org/a.png")
    assert (last.node.get_content(MetadataMode.LLM), last.node.metadata) == ("", {"caption": "A long one."})
    assert image.node.get_content(MetadataMode.LLM) != ""


def test_an_image_is_under_access_and_edition() -> None:
    """As a text is: what the caller may not see, and what does not apply, is not handed on."""

    def image(name: str, **metadata: str) -> NodeWithScore:
        return NodeWithScore(
            node=ImageNode(id_=name, image_path=f"/{name}.png", metadata={"family": "plan", **metadata}), score=0.8
        )

    images = [
        image("theirs", tenant="south", effective_from="2026-01-01"),
        image("old", tenant="north", effective_from="2025-01-01", effective_until="2026-01-01"),
        image("ours", tenant="north", effective_from="2026-01-01"),
    ]
    policy = Policy(access={"enforce": True, "field": "tenant"})
    packer = ContextPackPostprocessor(policy=policy, access=["north"], as_of="2026-06-01")

    assert [item.node.node_id for item in packer.postprocess_nodes(images)] == ["ours"]
    with request_scope(access=["south"]):
        assert [item.node.node_id for item in packer.postprocess_nodes(images)] == ["theirs"]


def test_a_decline_hands_on_no_image(nodes: list[NodeWithScore]) -> None:
    """Else an engine would ask its model with images alone."""
    image = NodeWithScore(node=ImageNode(image_path="/a.png"), score=0.5)

    assert ContextPackPostprocessor(policy=Policy(grounding={"min_score": 0.99})).postprocess_nodes([image, *nodes]) == []


def test_who_asks() -> None:
    """The scope around comes before the object; with neither nothing is permitted."""
    found = [node(label, f"Of the {label}.", tenant=label) for label in ("north", "south")]
    policy = Policy(access={"enforce": True, "field": "tenant"})

    assert ContextPackPostprocessor(policy=policy).postprocess_nodes(found) == []
    with request_scope(access=["north"]):
        packed = ContextPackPostprocessor(policy=policy, access=("south",)).postprocess_nodes(found)
    assert [item.node.text for item in packed] == ["Of the north."]


def test_the_intent_of_the_request() -> None:
    """The scope around comes before the classifier, that before the cues; what the model reads is of the same intent."""
    policy = Policy.from_dict({"intents": {"lookup": {"render": {"format": "bracket"}}, "list": {"render": {"label": "L"}}}})
    found = [node("a", "Of the north.")]

    def seen(**options: Any) -> str:
        packer = ContextPackPostprocessor(policy=policy, **options)
        return packer.postprocess_nodes(found, query_str="List them")[0].node.get_content(MetadataMode.LLM)

    assert seen() == '<passage id="L1">\nOf the north.\n</passage>'
    assert seen(classify=lambda query: "lookup") == "[P1]\nOf the north."
    with request_scope(intent="list"):
        assert seen(classify=lambda query: "lookup") == '<passage id="L1">\nOf the north.\n</passage>'


def test_the_day_of_the_request(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """The same postprocessor answers for another day."""
    with request_scope(as_of="2025-06-01"):
        assert "350" in packer.postprocess_nodes(nodes)[0].node.text


def test_no_query_no_nodes(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """Both may be missing."""
    assert read(packer.postprocess_nodes(nodes)) == ENVELOPES
    assert packer.postprocess_nodes([], query_str="x") == []


def test_to_dict_and_from_dict_round_trip() -> None:
    """Through JSON; another class's settings and an unknown one are errors."""
    packer = ContextPackPostprocessor(
        policy=Policy(versions={"as_of": DAY}), as_of=DAY, access=("a",), content="rendered", padding=7
    )
    saved = json.loads(json.dumps(packer.to_dict()))

    assert ContextPackPostprocessor.from_dict(saved).to_dict() == packer.to_dict()
    assert ContextPackPostprocessor.from_json(packer.to_json()).policy == packer.policy
    assert saved["class_name"] == "ContextPackPostprocessor"
    with pytest.raises(ValueError, match="LongContextReorder"):
        ContextPackPostprocessor.from_dict({"class_name": "LongContextReorder"})
    with pytest.raises(ValueError, match="max_tokns"):
        ContextPackPostprocessor.from_dict({**saved, "max_tokns": 3})


def test_it_can_be_copied_pickled_and_given_a_callback_manager(
    packer: ContextPackPostprocessor, nodes: list[NodeWithScore]
) -> None:
    """Query engines assign the callback manager after construction."""
    packer.callback_manager = packer.callback_manager
    again: BaseNodePostprocessor = pickle.loads(pickle.dumps(copy.deepcopy(packer)))

    assert read(again.postprocess_nodes(nodes)) == ENVELOPES


@pytest.mark.parametrize("wrong", [{"max_tokens": 3}, {"content": "both"}, {"policy": {"budget": {"evidense": 3}}}])
def test_a_wrong_setting_is_an_error(wrong: dict[str, Any]) -> None:
    """Nothing is silently ignored."""
    with pytest.raises(ValueError, match=r"max_tokens|content|evidense"):
        ContextPackPostprocessor(**wrong)


def test_from_yaml() -> None:
    """The policy comes from YAML, further fields by name; a wrong key names its line."""
    assert ContextPackPostprocessor.from_yaml("order: {by: edges}", padding=0).policy.order.by == "edges"
    with pytest.raises(PolicyError, match=r":1 order\.bye"):
        ContextPackPostprocessor.from_yaml("order: {bye: edges}")


@pytest.mark.parametrize(("mode", "packs"), [("shadow", 1), ("off", 0)])
def test_rollout(nodes: list[NodeWithScore], mode: str, packs: int) -> None:
    """In the shadow the pack is made and the original nodes go on; off, nothing is made."""
    seen: list[Pack] = []
    packer = ContextPackPostprocessor(as_of=DAY, policy=Policy(rollout={"mode": mode}), on_pack=seen.append)

    assert packer.postprocess_nodes(nodes) == nodes
    assert len(seen) == packs


def test_tokens_are_counted_as_llamaindex_counts(nodes: list[NodeWithScore]) -> None:
    """Without a tokenizer in the policy it is LlamaIndex's own; with one it is that."""
    made: list[Pack] = []
    ContextPackPostprocessor(on_pack=made.append).postprocess_nodes(nodes)
    ContextPackPostprocessor(on_pack=made.append, policy=Policy(tokenizer="o200k_base")).postprocess_nodes(nodes)

    assert [pack.trace.tokenizer for pack in made] == ["llamaindex", "o200k_base"]


def test_metadata_that_we_add_are_not_embedded(packer: ContextPackPostprocessor, nodes: list[NodeWithScore]) -> None:
    """Whoever indexes the packed nodes again embeds what was embedded before."""
    before = {item.node.node_id: item.node.get_content(metadata_mode=MetadataMode.EMBED) for item in nodes}

    packed = ContextPackPostprocessor(as_of=DAY, content="text").postprocess_nodes(nodes)
    assert [item.node.get_content(metadata_mode=MetadataMode.EMBED) for item in packed] == [before["new"], before["fee"]]


def test_nodes_without_metadata_get_their_envelope() -> None:
    """LlamaIndex skips the template where no metadata are visible: the label is visible."""
    packed = ContextPackPostprocessor().postprocess_nodes([NodeWithScore(node=TextNode(text="Bare."))])

    assert read(packed) == ['<passage id="P1">\nBare.\n</passage>']


def test_vectors_are_one_more_signal() -> None:
    """``embed`` makes them of the question and the nodes, and of two that say as little the nearer one gets the room."""

    def embed(texts: list[str]) -> list[list[float]]:
        return [[float(text[0] in "EW"), float(text[0] == "T")] for text in texts]

    nodes = [NodeWithScore(node=TextNode(text=text)) for text in ("Tides rise twice a day.", "Engines are oiled.")]
    packer = ContextPackPostprocessor(policy=Policy(budget={"evidence": 20}), content="rendered", embed=embed)

    assert [n.node.get_content() for n in packer.postprocess_nodes(nodes, query_str="Why?")] == [
        '<passage id="P1">\nEngines are oiled.\n</passage>'
    ]


def test_an_argument_of_another_kind_is_an_error_of_one_sentence() -> None:
    """It names the argument, what was given, and what would be right; an embedding model can be called, but with nodes."""
    with pytest.raises(ArgumentError) as no_policy:
        ContextPackPostprocessor(policy="app.yaml")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError) as no_function:
        ContextPackPostprocessor(embed=MockEmbedding(embed_dim=3))

    assert str(no_policy.value) == (
        'policy: str — a Policy, or the settings of one as a mapping; YAML is read by Policy.from_yaml("app.yaml") or '
        'ContextPackPostprocessor.from_yaml("app.yaml")'
    )
    assert str(no_function.value) == (
        "embed: MockEmbedding — its function from texts to vectors: embed=model.get_text_embedding_batch"
    )
    assert ContextPackPostprocessor(embed=MockEmbedding(embed_dim=3).get_text_embedding_batch).embed is not None


@pytest.mark.parametrize(("scope", "classify"), [("chat", None), (None, lambda question: "chat")])
def test_the_prompt_is_measured_for_the_intent_of_the_request(nodes: list[NodeWithScore], scope: str | None, classify: Any) -> None:
    """As the template words it: that of the scope, or of the classifier."""
    policy = Policy.from_dict({"intents": {"chat": {"grounding": {"pattern": "augmented"}}}})
    seen: list[Pack] = []
    packer = ContextPackPostprocessor(policy=policy, used=measured_prompt(policy, len), classify=classify, on_pack=seen.append)

    with request_scope(intent=scope):
        packer.postprocess_nodes(nodes, query_str="Fee?")

    assert seen[0].budget.instructions == len(grounded_head(policy, intent="chat"))
