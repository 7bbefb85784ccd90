"""The judge that is a local model of natural language inference."""

import builtins
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import NliJudge, Support, SupportLabel, judge_claims
from contextpack_core.citations.nli import Entailment, load_entailment, stretches


class Stub:
    """Scores pairs by what the premise begins with, and remembers the sizes of its batches."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.batches.append(len(pairs))
        scores = {"Y": (0.9, 0.1, 0.0), "N": (0.0, 0.1, 0.9), "?": (0.2, 0.7, 0.1)}
        return [scores[premise[0]] for premise, _ in pairs]


def test_entailment_decides() -> None:
    """One stretch that entails supports; else one that contradicts contradicts; else nothing supports."""
    judge = NliJudge(Stub())

    assert judge("a", {"P1": "? a", "P2": "Yes"}) == Support(SupportLabel.SUPPORTED, 0.9, "P2 entails it (0.90)")
    assert judge("a", {"P1": "Yes", "P2": "No"}).label is SupportLabel.SUPPORTED
    assert judge("a", {"P1": "? a", "P2": "No"}) == Support(SupportLabel.CONTRADICTED, 0.2, "P2 contradicts it (0.90)")
    assert judge("a", {"P1": "? a"}) == Support(SupportLabel.NOT_SUPPORTED, 0.2, "nothing entails it (at best P1, 0.20)")
    assert judge("a", {"P1": " "}) == Support(SupportLabel.UNKNOWN, None, "there is no text to judge by")


def test_pairs_of_all_claims_share_batches() -> None:
    """Five claims by one short passage each are two batches of three at most."""
    model = Stub()

    verdicts = judge_claims(NliJudge(model, batch=3), list("abcde"), {"P1": "Yes"})

    assert [verdict.label for verdict in verdicts] == [SupportLabel.SUPPORTED] * 5
    assert model.batches == [3, 2]


def test_long_passages_are_read_in_stretches() -> None:
    """Whole sentences, half of which stand in the next stretch too; a sentence that is too long is cut."""
    assert stretches("One is here. Two is here. Six is here.", 26) == ["One is here. Two is here.", "Two is here. Six is here."]
    assert stretches("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert stretches("  ", 4) == []


@given(st.text("ab. !", max_size=80), st.integers(1, 30))
def test_no_sentence_is_lost(text: str, longest: int) -> None:
    """Every stretch is short enough and stands in the text, and every word is in one."""
    found = stretches(text, longest)

    assert all(part in text and len(part) <= longest for part in found)
    assert set("".join(found)) >= set(text) - {" "}


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the runtime the error says what to install."""
    real = builtins.__import__

    def without(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "onnxruntime":
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)

    with pytest.raises(ImportError, match=r"contextpack-rag\[nli\]"):
        NliJudge("anywhere")


LABELS = {"0": "contradiction", "1": "neutral", "2": "entailment"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model that adds up a vote for each word: of yes for entailment, of no for contradiction, of any other for neither."""
    onnx = pytest.importorskip("onnx")
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("onnxruntime")
    words = {"[PAD]": 0, "[UNK]": 1, "yes": 2, "no": 3}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "config.json").write_text(json.dumps({"id2label": LABELS, "pad_token_id": 0}), encoding="utf-8")
    votes = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]]
    make = onnx.helper
    graph = make.make_graph(
        [
            make.make_node("Gather", ["votes", "input_ids"], ["each"]),
            make.make_node("ReduceSum", ["each", "axis"], ["logits"], keepdims=0),
        ],
        "votes",
        [make.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["batch", "length"])],
        [make.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["batch", 3])],
        [
            make.make_tensor("votes", onnx.TensorProto.FLOAT, [4, 3], [vote for word in votes for vote in word]),
            make.make_tensor("axis", onnx.TensorProto.INT64, [1], [1]),
        ],
    )
    (tmp_path / "onnx").mkdir()
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(tmp_path / "onnx" / "model.onnx"))
    return tmp_path


def test_a_local_model_judges(folder: Path) -> None:
    """The model, its tokenizer and the order of its labels come from the folder; pairs of unlike length are padded."""
    judge = NliJudge(folder)

    verdicts = judge.judge_all(["a", "a", "a"], [{"P1": "yes"}, {"P1": "no and more words"}, {"P1": "more"}])

    assert [verdict.label for verdict in verdicts] == [
        SupportLabel.SUPPORTED,
        SupportLabel.CONTRADICTED,
        SupportLabel.NOT_SUPPORTED,
    ]
    assert judge("a", {"P1": "word " * 900}).label is SupportLabel.NOT_SUPPORTED


def test_a_model_of_two_labels_knows_no_contradiction(folder: Path) -> None:
    """What is not entailed is neither."""
    (folder / "config.json").write_text(
        json.dumps({"id2label": {"0": "not_entailment", "1": "x", "2": "ENTAILMENT"}}), encoding="utf-8"
    )

    assert NliJudge(folder)("a", {"P1": "no"}).label is SupportLabel.NOT_SUPPORTED


def test_a_folder_that_is_no_model_is_refused(folder: Path, tmp_path: Path) -> None:
    """The error names the file that is missing, or the labels that are none of inference."""
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "positive", "1": "negative"}}), encoding="utf-8")
    with pytest.raises(ValueError, match="'positive', 'negative'"):
        load_entailment(folder)

    (folder / "tokenizer.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"tokenizer\.json: an NLI folder holds"):
        load_entailment(folder)
    with pytest.raises(FileNotFoundError, match=r"model\.onnx: an NLI folder holds"):
        load_entailment(folder / "nowhere")
