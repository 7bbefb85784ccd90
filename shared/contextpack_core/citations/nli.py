"""A judge that is a local model of natural language inference: whether a passage entails a claim."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from contextpack_core.citations.sentences import sentence_ends
from contextpack_core.citations.support import Support, SupportLabel

Entailment = tuple[float, float, float]
"""How likely a premise entails a hypothesis, says nothing of it, contradicts it; together 1."""

Score = Callable[[Sequence[tuple[str, str]]], Sequence[Entailment]]
"""From pairs of premise and hypothesis to their entailment."""


class NliJudge:
    """Judges by entailment: a claim is supported if a stretch of its passages entails it, else contradicted if one contradicts it.

    Passages are read in stretches of whole sentences that fit the model. Needs the extra ``nli``
    (``pip install 'contextpack-rag[nli]'``).

    Args:
        model: a folder with an ONNX model (``model.onnx``, or ``onnx/model.onnx``), ``tokenizer.json`` and ``config.json``, whose
            ``id2label`` names entailment and contradiction; or a function that scores pairs, of any other runtime.
        threshold: the likelihood from which a label counts.
        batch: pairs that are scored at once.
        stretch: the longest stretch of a passage, in characters.

    Raises:
        ImportError: the extra is not installed. FileNotFoundError: a file is missing. ValueError: the labels are none of inference.
    """

    def __init__(self, model: str | Path | Score, *, threshold: float = 0.5, batch: int = 16, stretch: int = 1200) -> None:
        self._score: Score = model if callable(model) else load_entailment(model)
        self.threshold = threshold
        self.batch = batch
        self.stretch = stretch

    def __call__(self, claim: str, passages: Mapping[str, str] | Sequence[str], /) -> Support:
        held = passages if isinstance(passages, Mapping) else dict(enumerate([passages] if isinstance(passages, str) else passages))
        return self.judge_all([claim], [held])[0]

    def judge_all(self, claims: Sequence[str], passages: Sequence[Mapping[Any, str]], /) -> tuple[Support, ...]:
        """A verdict for each claim; pairs of all claims are scored in common batches."""
        pairs: list[tuple[str, str]] = []
        owners: list[tuple[int, Any]] = []
        for at, (claim, held) in enumerate(zip(claims, passages, strict=True)):
            for label, text in held.items():
                for stretch in stretches(text, self.stretch):
                    pairs.append((stretch, claim))
                    owners.append((at, label))
        scores: list[Entailment] = []
        for start in range(0, len(pairs), self.batch):
            scores += self._score(pairs[start : start + self.batch])
        found: list[list[tuple[Entailment, Any]]] = [[] for _ in claims]
        for (at, label), score in zip(owners, scores, strict=True):
            found[at].append((score, label))
        return tuple([self._verdict(each) for each in found])

    def _verdict(self, found: Sequence[tuple[Entailment, Any]]) -> Support:
        if not found:
            return Support(SupportLabel.UNKNOWN, None, "there is no text to judge by")
        (entailed, _, _), by = max(found, key=lambda item: item[0][0])
        (_, _, opposed), against = max(found, key=lambda item: item[0][2])
        score = round(entailed, 4)
        if entailed >= self.threshold:
            return Support(SupportLabel.SUPPORTED, score, f"{by} entails it ({entailed:.2f})")
        if opposed >= self.threshold:
            return Support(SupportLabel.CONTRADICTED, score, f"{against} contradicts it ({opposed:.2f})")
        return Support(SupportLabel.NOT_SUPPORTED, score, f"nothing entails it (at best {by}, {entailed:.2f})")


def stretches(text: str, longest: int) -> list[str]:
    """The text in half overlapping stretches of whole sentences, each at most ``longest`` characters: a longer sentence is cut."""
    ends = [*sentence_ends(text, 0, len(text)), len(text)]
    found: list[str] = []
    start = 0
    while start < len(text):
        end = max((end for end in ends if start < end <= start + longest), default=min(len(text), start + longest))
        if part := text[start:end].strip():
            found.append(part)
        if end >= len(text):
            break
        half = start + max(1, (end - start) // 2)
        start = next((middle for middle in ends if half <= middle < end), end)
    return found


def load_entailment(folder: str | Path) -> Score:
    """The scoring function of an ONNX model of natural language inference in a local folder; nothing is downloaded."""
    try:
        import numpy
        import onnxruntime  # type: ignore[import-not-found, import-untyped, unused-ignore]
        import tokenizers  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError("NliJudge needs onnxruntime and tokenizers: pip install 'contextpack-rag[nli]'") from error
    root = Path(folder)
    model = next((path for path in (root / "model.onnx", root / "onnx" / "model.onnx") if path.is_file()), None)
    for path in (model or root / "model.onnx", root / "tokenizer.json", root / "config.json"):
        if not path.is_file():
            raise FileNotFoundError(f"{path}: an NLI folder holds model.onnx, tokenizer.json and config.json")
    config = json.loads((root / "config.json").read_text(encoding="utf-8"))
    order = _label_order(config.get("id2label") or {}, root / "config.json")
    tokenizer = tokenizers.Tokenizer.from_file(str(root / "tokenizer.json"))
    tokenizer.enable_truncation(min(int(config.get("max_position_embeddings") or 512), 512))
    tokenizer.enable_padding(pad_id=int(config.get("pad_token_id") or 0))
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    inputs = {item.name for item in session.get_inputs()}

    def score(pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        encoded = tokenizer.encode_batch([list(pair) for pair in pairs])
        fed = {
            "input_ids": [item.ids for item in encoded],
            "attention_mask": [item.attention_mask for item in encoded],
            "token_type_ids": [item.type_ids for item in encoded],
        }
        logits = session.run(None, {name: numpy.array(rows, dtype=numpy.int64) for name, rows in fed.items() if name in inputs})[0]
        return [_likelihoods([float(value) for value in row], order) for row in logits]

    return score


def _label_order(labels: Mapping[Any, Any], path: Path) -> tuple[int, int | None]:
    """The places of entailment and contradiction among the model's labels; a model of two labels knows no contradiction."""
    entailed = contradicted = None
    for number, name in labels.items():
        lower = str(name).lower()
        if lower.startswith("contra"):
            contradicted = int(number)
        elif lower.startswith("entail"):
            entailed = int(number)
    if entailed is None:
        raise ValueError(f"{path} id2label: {list(labels.values())} — labels named entailment, neutral and contradiction")
    return entailed, contradicted


def _likelihoods(logits: Sequence[float], order: tuple[int, int | None]) -> Entailment:
    """The softmax of the logits, as entailment."""
    top = max(logits)
    weights = [math.exp(value - top) for value in logits]
    entailed, contradicted = order
    likely = weights[entailed] / sum(weights)
    opposed = weights[contradicted] / sum(weights) if contradicted is not None else 0.0
    return likely, max(0.0, 1.0 - likely - opposed), opposed
