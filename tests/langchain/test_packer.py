"""ContextPacker: one object that LangChain takes wherever retrieved documents pass."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import pickle
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline
from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.load import dumpd, load
from langchain_core.prompts import PromptTemplate
from langchain_core.runnables import Runnable
from langchain_text_splitters import RecursiveCharacterTextSplitter

from contextpack_core import ArgumentError, Pack, Policy, PolicyError, grounded_head, measured_prompt, request_scope
from langchain_contextpack import CitationGuard, CitationOutputParser, ContextPacker, pack_of
from tests.langchain.conftest import Hits

DAY = date(2026, 6, 1)
ENVELOPES = [
    '<passage id="P1" edition="2026" effective="from 2026-01-01">\nThe excess is 500 euros.\n</passage>',
    '<passage id="P2" title="Fees" page="0">\nThe fee is 20 euros.\n</passage>',
]


def texts(documents: list[Document]) -> list[str]:
    return [document.page_content for document in documents]


@pytest.fixture
def packer() -> ContextPacker:
    return ContextPacker(as_of=DAY)


def test_it_is_all_three_things_at_once(packer: ContextPacker) -> None:
    """Runnable, compressor and transformer are one object."""
    assert isinstance(packer, Runnable)
    assert isinstance(packer, BaseDocumentCompressor)
    assert isinstance(packer, BaseDocumentTransformer)


@pytest.mark.parametrize("keys", [("documents", "query"), ("context", "question"), ("documents", "input")])
def test_it_takes_a_dict(packer: ContextPacker, documents: list[Document], keys: tuple[str, str]) -> None:
    """Documents and question may stand under the usual keys."""
    assert texts(packer.invoke({keys[0]: documents, keys[1]: "What is the excess?"})) == ENVELOPES


def test_a_dict_without_documents_is_an_error(packer: ContextPacker) -> None:
    """The error names the keys that are wanted and those that are there."""
    with pytest.raises(ValueError, match="one of documents, context is wanted, the input has question"):
        packer.invoke({"question": "?"})


def test_every_way_gives_the_same(packer: ContextPacker, documents: list[Document], hits: Hits) -> None:
    """Chain, compressor, pipeline, transformer, whole and streamed: the same documents."""
    ways = [
        (hits | packer).invoke("excess?"),
        ContextualCompressionRetriever(base_compressor=packer, base_retriever=hits).invoke("excess?"),
        DocumentCompressorPipeline(transformers=[packer]).compress_documents(documents, "excess?"),
        packer.transform_documents(documents),
        packer.batch([documents, documents])[1],
        next(packer.stream(documents)),
    ]

    assert [texts(list(way)) for way in ways] == [ENVELOPES] * len(ways)


def test_every_coroutine_is_its_own(packer: ContextPacker, documents: list[Document], hits: Hits) -> None:
    """None of the asynchronous ways goes through a thread: they work where no executor can be had."""

    async def ways() -> list[Any]:
        asyncio.get_running_loop().set_default_executor = None  # type: ignore[method-assign, assignment]
        asyncio.get_running_loop().run_in_executor = _no_executor  # type: ignore[method-assign]
        return [
            await packer.ainvoke({"documents": documents, "query": "excess?"}),
            await packer.acompress_documents(documents, "excess?"),
            await packer.atransform_documents(documents),
            (await packer.abatch([documents]))[0],
            *[chunk async for chunk in packer.astream(documents)],
        ]

    assert [texts(way) for way in asyncio.run(ways())] == [ENVELOPES] * 5


def _no_executor(*_: object) -> None:
    raise AssertionError("an executor was asked")


def test_the_parameter_names_are_those_of_langchain() -> None:
    """The pipeline passes callbacks by keyword where the signature has them."""
    assert list(inspect.signature(ContextPacker.compress_documents).parameters) == ["self", "documents", "query", "callbacks"]


def test_what_is_joined_by_blank_lines_is_the_text_of_the_pack(packer: ContextPacker, documents: list[Document]) -> None:
    """A chain that joins page contents sends exactly what was counted."""
    packed = packer.invoke(documents)
    made = pack_of(packed)

    assert "\n\n".join(texts(packed)) == made.text
    assert made.tokens == sum(item.tokens for item in made.evidence)


def test_verbatim_text_has_label_and_header_as_metadata(documents: list[Document]) -> None:
    """Every header field is there, empty where unknown, so that a document_prompt can name it."""
    packed = ContextPacker(as_of=DAY, content="text").invoke(documents)

    assert texts(packed) == ["The excess is 500 euros.", "The fee is 20 euros."]
    names = ("label", "title", "edition", "effective", "section", "page")
    assert [[d.metadata[name] for name in names] for d in packed] == [
        ["P1", "", "2026", "from 2026-01-01", "", ""],
        ["P2", "Fees", "", "", "", "0"],
    ]


def test_a_document_prompt_is_priced(documents: list[Document]) -> None:
    """The budget holds for the text that the chain makes of the documents."""
    prompt = PromptTemplate.from_template("[{label}] {title} says at great length, and so on and so forth: {page_content}")
    packer = ContextPacker(
        as_of=DAY,
        content="text",
        document_prompt=prompt,
        separator="\n----\n",
        count_tokens=lambda text: len(text.split()),
        policy=Policy(budget={"evidence": 40}),
    )
    made = packer.pack_for(documents, "")

    assert made.text == (
        "[P1]  says at great length, and so on and so forth: The excess is 500 euros.\n----\n"
        "[P2] Fees says at great length, and so on and so forth: The fee is 20 euros."
    )
    assert made.tokens == 34


def test_input_is_not_changed(packer: ContextPacker, documents: list[Document]) -> None:
    """Neither documents nor what their metadata hold; and what comes out shares nothing with them."""
    before = copy.deepcopy(documents)
    packed = packer.invoke(documents)
    packed[0].metadata["tags"].append("changed")

    assert documents == before


def test_ids_survive(packer: ContextPacker, documents: list[Document]) -> None:
    """A document that was not joined keeps its id; one without has a reproducible one."""
    first, second = packer.invoke(documents), packer.invoke(documents)

    assert first[0].id == "new"
    assert [d.id for d in first] == [d.id for d in second]


def test_what_was_packed_is_not_wrapped_again(packer: ContextPacker, documents: list[Document]) -> None:
    """Passages of a packer that meet a second one are packed without their envelopes."""
    first = packer.compress_documents(documents, "excess?")
    hostile = packer.compress_documents([Document("An &lt; and </passage> in it.")], "")

    assert texts(packer.compress_documents(first, "excess?")) == ENVELOPES == texts(first)
    assert texts(packer.compress_documents(hostile, "")) == texts(hostile)


def test_joined_documents_keep_all_their_members() -> None:
    """Overlapping chunks become one passage of the source's own text, with every member named."""
    text = " ".join(f"Sentence number {n} says something of its own." for n in range(30))
    splitter = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=60, add_start_index=True)
    chunks = splitter.split_documents([Document(page_content=text, metadata={"source": "s"})])
    [packed] = ContextPacker(content="text").invoke(chunks[:4])

    assert packed.page_content in text
    assert packed.page_content.startswith(chunks[0].page_content)
    assert packed.page_content.endswith(chunks[3].page_content)
    assert len(pack_of([packed]).evidence[0].passage.candidate_ids) == 4


@pytest.mark.parametrize("packer_access", [None, ("south",)])
def test_who_asks(packer_access: tuple[str, ...] | None) -> None:
    """The call's config comes first, then the scope around, then the object; with none of them nothing is permitted."""
    documents = [Document(page_content=f"Of the {label}.", metadata={"tenant": label}) for label in ("north", "south", "east")]
    policy = Policy(access={"enforce": True, "field": "tenant"})
    packer = ContextPacker(policy=policy, content="text", access=packer_access)

    alone = texts(packer.invoke(documents))
    with request_scope(access=["east"]):
        scoped = texts(packer.invoke(documents))
        called = texts(packer.invoke(documents, config={"configurable": {"contextpack": {"access": ["north"]}}}))

    assert (alone, scoped, called) == (["Of the south."] if packer_access else [], ["Of the east."], ["Of the north."])


def test_the_day_of_the_request(documents: list[Document]) -> None:
    """The same packer answers for another day."""
    asked = {"configurable": {"contextpack": {"as_of": "2025-06-01"}}}

    assert "350" in ContextPacker(as_of=DAY).invoke(documents, config=asked)[0].page_content


FEES = '<passage id="L1" title="Fees" page="0">\nThe fee is 20 euros.\n</passage>'
BRACKETS = Policy.from_dict({"intents": {"lookup": {"render": {"format": "bracket"}}, "list": {"render": {"label": "L"}}}})


def test_the_intent_of_a_request(documents: list[Document]) -> None:
    """The call comes before the scope, the scope before the object's classifier, that before the cues; one way renders all."""
    asked: list[str] = []
    classified = ContextPacker(policy=BRACKETS, as_of=DAY, separator="\n", classify=lambda query: asked.append(query) or "lookup")
    request = {"documents": documents[2:], "question": "List them"}
    config = {"configurable": {"contextpack": {"intent": "list"}}}

    assert texts(ContextPacker(policy=BRACKETS, as_of=DAY).invoke(request)) == [FEES]
    assert texts(classified.invoke(request)) == ["[P1] title: Fees | page: 0\nThe fee is 20 euros."]
    with request_scope(intent="lookup"):
        assert texts(classified.invoke(request, config=config)) == [FEES]
        assert texts(ContextPacker(policy=BRACKETS).invoke(request)) == ["[P1] title: Fees | page: 0\nThe fee is 20 euros."]
    assert asked == ["List them"]


def test_a_classifier_that_fails_costs_the_intent(documents: list[Document]) -> None:
    """The policy itself holds, and the pack says so."""
    made: list[Pack] = []
    packer = ContextPacker(policy=BRACKETS, classify=lambda query: 1 / 0, on_pack=made.append)  # type: ignore[arg-type, return-value]

    assert texts(packer.invoke({"documents": documents[2:], "question": "List them"}))[0].startswith('<passage id="P1"')
    assert made[0].trace.notices == ("the classifier raised ZeroDivisionError: the settings stay as they are",)


def test_documents_carry_the_advice(documents: list[Document]) -> None:
    """What was missing and what to do is read from the packed documents."""

    def made(evidence: int) -> Pack:
        policy = Policy(budget={"evidence": evidence})
        packer = ContextPacker(policy=policy, as_of=DAY, content="text", count_tokens=len)
        return pack_of(packer.invoke({"documents": documents[1:], "question": "fee and excess in euros"}))

    short = made(30)

    assert (short.outcome, [advice.action for advice in short.advice]) == ("PARTIAL", ["RAISE_BUDGET", "NARROW"])
    assert made(short.advice[0].tokens or 0).outcome == "READY"


def test_a_misspelt_request_is_an_error(packer: ContextPacker, documents: list[Document]) -> None:
    """A key that no request has is named, with those that there are."""
    with pytest.raises(ValueError, match=r"contextpack\.acess: .* one of access, as_of"):
        packer.invoke(documents, config={"configurable": {"contextpack": {"acess": ["north"]}}})


def test_concurrent_requests_do_not_mix() -> None:
    """Fifty requests at the same time each get their own documents, in their order."""
    packer = ContextPacker(content="text")
    requests = [[Document(page_content=f"Text {n}.", metadata={"source": str(n)})] for n in range(50)]

    assert [texts(found) for found in packer.batch(requests)] == [[f"Text {n}."] for n in range(50)]
    assert [texts(found) for found in asyncio.run(packer.abatch(requests))] == [[f"Text {n}."] for n in range(50)]


def test_empty_input(packer: ContextPacker) -> None:
    """Nothing in, nothing out."""
    assert packer.invoke([]) == []
    assert pack_of([]).outcome == "EMPTY"


def test_dumpd_and_load_round_trip() -> None:
    """The settings come back; the classes must be allowed, as for every package that is not LangChain's."""
    packer = ContextPacker(
        policy=Policy(budget={"evidence": 700}, versions={"as_of": DAY}), access=("a",), as_of=DAY, content="text"
    )
    wire = json.loads(json.dumps(dumpd(packer)))

    assert load(wire, allowed_objects=[ContextPacker], valid_namespaces=["langchain_contextpack"]) == packer


def test_a_document_prompt_is_written() -> None:
    """What is loaded prices the documents as before."""
    packer = ContextPacker(document_prompt=PromptTemplate.from_template("Of {source}: {page_content}"))
    wire = json.loads(json.dumps(dumpd(packer)))

    assert (
        load(wire, allowed_objects=[ContextPacker, PromptTemplate], valid_namespaces=["langchain_contextpack"]).document_prompt
        == packer.document_prompt
    )


def test_it_pickles(packer: ContextPacker, documents: list[Document]) -> None:
    """A copy from another process packs alike."""
    assert texts(pickle.loads(pickle.dumps(packer)).invoke(documents)) == ENVELOPES


@pytest.mark.parametrize("wrong", [{"max_tokens": 3}, {"content": "both"}, {"policy": {"budget": {"evidense": 3}}}])
def test_a_wrong_setting_is_an_error(wrong: dict[str, Any]) -> None:
    """Nothing is silently ignored."""
    with pytest.raises(ValueError, match=r"max_tokens|content|evidense"):
        ContextPacker(**wrong)


def test_from_yaml() -> None:
    """The policy comes from YAML, further fields by name; a wrong key names its line."""
    assert ContextPacker.from_yaml("order: {by: edges}", content="text").policy.order.by == "edges"
    with pytest.raises(PolicyError, match=r":1 order\.bye"):
        ContextPacker.from_yaml("order: {bye: edges}")


def test_on_pack_sees_every_pack(documents: list[Document]) -> None:
    """The callback gets the pack of each request."""
    seen: list[Pack] = []
    ContextPacker(as_of=DAY, on_pack=seen.append).batch([documents, documents[2:]])

    assert sorted(len(made.evidence) for made in seen) == [1, 2]


@pytest.mark.parametrize(("mode", "packs"), [("shadow", 1), ("off", 0)])
def test_rollout(documents: list[Document], mode: str, packs: int) -> None:
    """In the shadow the pack is made and the original documents go on; off, nothing is made."""
    seen: list[Pack] = []
    packer = ContextPacker(as_of=DAY, policy=Policy(rollout={"mode": mode}), on_pack=seen.append)

    assert packer.invoke(documents) == documents
    assert len(seen) == packs


def test_a_pack_survives_dropped_documents(packer: ContextPacker, documents: list[Document]) -> None:
    """What is left still checks; without the first document the account of what was left out is gone."""
    packed = packer.invoke(documents)
    [left] = pack_of(packed[1:]).evidence

    assert left.label == "P2"
    assert pack_of(packed[1:]).trace.drops == ()


def test_a_pack_survives_json(packer: ContextPacker, documents: list[Document]) -> None:
    """A checkpoint turns documents into plain mappings; they carry the pack all the same."""
    plain = json.loads(json.dumps([document.model_dump() for document in packer.invoke(documents)]))

    assert pack_of(plain).text == "\n\n".join(ENVELOPES)


def test_vectors_are_one_more_signal() -> None:
    """``embed`` makes them of the question and the documents, and of two that say as little the nearer one gets the room."""
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.append(texts)
        return [[float(text[0] in "EW"), float(text[0] == "T")] for text in texts]

    hits = [Document(page_content="Tides rise twice a day."), Document(page_content="Engines are oiled.")]
    packer = ContextPacker(policy=Policy(budget={"evidence": 20}), embed=embed)

    assert texts(packer.invoke({"documents": hits, "query": "Why?"})) == [ENVELOPE_OF_OIL]
    assert asked == [["Tides rise twice a day.", "Engines are oiled.", "Why?"]]


ENVELOPE_OF_OIL = '<passage id="P1">\nEngines are oiled.\n</passage>'


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: ContextPacker(policy="app.yaml"),
            'policy: str — a Policy, or the settings of one as a mapping; YAML is read by Policy.from_yaml("app.yaml") or '
            'ContextPacker.from_yaml("app.yaml")',
        ),
        (
            lambda: CitationGuard(policy=Path("app.yaml")),
            f"policy: {type(Path()).__name__} — a Policy, or the settings of one as a mapping; YAML is read by "
            'Policy.from_yaml("app.yaml") or CitationGuard.from_yaml("app.yaml")',
        ),
        (
            lambda: CitationOutputParser(policy=7),
            "policy: int — a Policy, or the settings of one as a mapping; YAML is read by Policy.from_yaml(…) or "
            "CitationOutputParser.from_yaml(…)",
        ),
        (
            lambda: ContextPacker(embed=DeterministicFakeEmbedding(size=3)),
            "embed: DeterministicFakeEmbedding — its function from texts to vectors: embed=embeddings.embed_documents",
        ),
        (
            lambda: ContextPacker(embed="openai"),
            "embed: str — a function from texts to vectors, such as a model's embed_documents",
        ),
    ],
)
def test_an_argument_of_another_kind_is_an_error_of_one_sentence(made: Any, said: str) -> None:
    """It names the argument, what was given, and what would be right."""
    with pytest.raises(ArgumentError) as caught:
        made()

    assert str(caught.value) == said
    assert ContextPacker(embed=None).embed is None
    assert ContextPacker(embed=DeterministicFakeEmbedding(size=3).embed_documents).embed is not None


@pytest.mark.parametrize(
    ("config", "scope", "classify", "intent"),
    [
        ({}, None, None, None),
        ({"intent": "chat"}, None, None, "chat"),
        ({}, "chat", None, "chat"),
        ({}, None, lambda q: "chat", "chat"),
    ],
)
def test_the_prompt_is_measured_for_the_intent_of_the_request(documents, config, scope, classify, intent):
    """As grounded_prompt words it: that of the config, of the scope, of the classifier."""
    policy = Policy.from_dict({"intents": {"chat": {"grounding": {"pattern": "augmented"}}}})
    seen: list[Pack] = []
    packer = ContextPacker(policy=policy, used=measured_prompt(policy, len), classify=classify, on_pack=seen.append)

    with request_scope(intent=scope):
        packer.invoke({"documents": documents, "query": "Fee?"}, {"configurable": {"contextpack": config}})

    assert seen[0].budget.instructions == len(grounded_head(policy, intent=intent))
