"""How well the evidence tells whether it can answer: a threshold fitted on half of clapnq, measured on the other half.

    python tests/benchmarks/abstention.py --data FOLDER [--error 0.1] [--top 10]

FOLDER holds clapnq_corpus.jsonl and clapnq_questions.jsonl. An error is an unanswerable question that is answered. Its passage is
on the subject and does not say what is asked: the hard case. With covidqa_questions.jsonl there too, the same is measured with 300
questions on another subject in the place of the unanswerable ones: the easy case. Questions are halved by a hash of their id.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bm25s

from contextpack_core import Pack, Policy, Threshold, calibrate_threshold, pack, signals_of, upper_bound
from contextpack_core.admission.worth import coverage_of, terms_of

Row = tuple[Mapping[str, Any], Mapping[str, float]]
"""A question and its signals."""
Signal = Callable[[Mapping[str, float]], float]


def main() -> None:
    """Print, for each case, the table, the bounds that can be had, and the curve."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--error", type=float, default=0.1)
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--top", type=int, default=10)
    asked = parser.parse_args()
    questions = _lines(asked.data / "clapnq_questions.jsonl")
    rows = rows_of(asked.data, questions, asked.top)
    _report("Unanswerable questions on the subject of a passage", rows, asked.error, asked.confidence)
    elsewhere = asked.data / "covidqa_questions.jsonl"
    if elsewhere.exists():
        others = [{"qid": q["qid"], "question": q["question"], "answerable": False} for q in _lines(elsewhere)[:300]]
        answerable = [row for row in rows if row[0]["answerable"]]
        _report("Questions on another subject", answerable + rows_of(asked.data, others, asked.top), asked.error, asked.confidence)


def _report(title: str, rows: Sequence[Row], error: float, confidence: float) -> None:
    fit = [row for row in rows if _half(row[0]["qid"]) == 0]
    held = [row for row in rows if _half(row[0]["qid"]) == 1]
    combined = _fitted(fit)
    signals: dict[str, Signal] = {name: (lambda found, name=name: found[name]) for name in rows[0][1]}
    signals["all, by logistic regression"] = combined
    print(
        f"\n== {title}\n{len(fit)} questions to fit, {len(held)} held out; answerable: {_answerable(fit)} and {_answerable(held)}"
    )
    print(
        f"\n{'signal':<30} {'AUC':>5} {'threshold':>10} {'bound':>6} {'answered':>9} {'held-out error':>15} {'good answered':>15}"
    )
    for name, signal in signals.items():
        found = calibrate_threshold(_cases(fit, signal), error, confidence=confidence)
        print(_line(name, _auc(held, signal), found, held, signal))
    print("\nOther bounds, all signals together")
    for wanted in (0.05, 0.1, 0.2, 0.3, 0.4):
        found = calibrate_threshold(_cases(fit, combined), wanted, confidence=confidence)
        print(_line(f"at most {wanted:.0%}", _auc(held, combined), found, held, combined))
    curve = _curve(held, combined)
    print("\nThe curve, held out, all signals together")
    print(f"{'answerable answered':>20} {'error among answered':>21} {'its bound (95 %)':>17}")
    for share, wrong, bound in curve:
        print(f"{share:>20.0%} {wrong:>21.1%} {bound:>17.1%}")
    best = max((share for share, _, bound in curve if bound <= error), default=0.0)
    print(f"\nWith a bound of {error:.0%} among the answered, {best:.0%} of the answerable questions could be answered at most.")
    if best < 0.5:
        print("The passages of the others hold the words of the question as well and score as high: words alone do not tell.")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def rows_of(folder: Path, questions: Sequence[Mapping[str, Any]], top: int) -> list[Row]:
    """Each question, retrieved with BM25 over the whole corpus and packed, with the signals of its pack."""
    corpus = _lines(folder / "clapnq_corpus.jsonl")
    index = bm25s.BM25()
    index.index(bm25s.tokenize([f"{d['title']}\n{d['text']}" for d in corpus], show_progress=False), show_progress=False)
    rarity = _rarity([d["text"].lower() for d in corpus], {term for q in questions for term in terms_of(q["question"])})
    policy = Policy.from_dict({"tokenizer": "approximate", "budget": {"evidence": 4000}})
    rows = []
    for question in questions:
        found, scores = index.retrieve(bm25s.tokenize([question["question"]], show_progress=False), k=top, show_progress=False)
        hits = [
            {"id": corpus[i]["doc_id"], "text": corpus[i]["text"], "score": float(score), "metadata": corpus[i]}
            for i, score in zip(found[0], scores[0], strict=True)
            if score > 0
        ]
        rows.append((question, _signals(pack(hits, question["question"], policy), question["question"], rarity)))
    return rows


def _signals(made: Pack, question: str, rarity: Mapping[str, float]) -> dict[str, float]:
    """The signals of the package, and some that one might try besides."""
    found = signals_of(made, question)
    best = max(made.trace.accepted, key=lambda item: item.score or 0.0, default=None)
    text = next((item.passage.text for item in made.evidence if best and item.label == best.label), "")
    sentences = text.split(" . ")
    terms = terms_of(question)
    weight = sum(rarity[term] for term in terms) or 1.0
    sentence = max((sum(rarity[t] for t in terms if t in s.lower()) / weight for s in sentences), default=0.0)
    score = found.score or 0.0
    return {
        "best score": score,
        "score per question word": score / max(1, len(terms)),
        "score gap": found.gap or 0.0,
        "coverage of all evidence": found.coverage or 0.0,
        "coverage of best passage": coverage_of(question, [text]) or 0.0,
        "rarity-weighted, best passage": sum(rarity[t] for t in terms if t in text.lower()) / weight,
        "rarity-weighted, best sentence": sentence,
    }


def _rarity(texts: Sequence[str], terms: set[str]) -> dict[str, float]:
    return {term: math.log((len(texts) + 1) / (sum(term in text for text in texts) + 1)) for term in sorted(terms)}


def _half(qid: str) -> int:
    return hashlib.blake2b(qid.encode(), digest_size=1).digest()[0] % 2


def _answerable(rows: Sequence[Row]) -> int:
    return sum(question["answerable"] for question, _ in rows)


def _cases(rows: Sequence[Row], signal: Signal) -> list[tuple[float, bool]]:
    return [(signal(found), bool(question["answerable"])) for question, found in rows]


def _line(name: str, auc: float, found: Threshold, held: Sequence[Row], signal: Signal) -> str:
    cases = _cases(held, signal)
    answered = [right for score, right in cases if score >= found.value]
    error = f"{answered.count(False) / len(answered):.1%} of {len(answered)}" if answered else "-"
    share = sum(answered) / _answerable(held)
    value = f"{found.value:.3g}" if math.isfinite(found.value) else "none"
    return f"{name:<30} {auc:>5.2f} {value:>10} {found.bound:>6.1%} {f'{found.answered}/{found.n}':>9} {error:>15} {share:>15.1%}"


def _auc(rows: Sequence[Row], signal: Signal) -> float:
    """How often an answerable question has the higher signal than an unanswerable one."""
    cases = _cases(rows, signal)
    good, bad = [s for s, right in cases if right], [s for s, right in cases if not right]
    return sum((g > b) + 0.5 * (g == b) for g in good for b in bad) / (len(good) * len(bad))


def _curve(rows: Sequence[Row], signal: Signal) -> list[tuple[float, float, float]]:
    """(share of answerable questions answered, error among answered, its bound), in ten steps."""
    ranked = sorted(_cases(rows, signal), reverse=True)
    total = sum(right for _, right in ranked)
    points = []
    for step in range(1, 11):
        taken = ranked[: max(1, round(len(ranked) * step / 10))]
        wrong = sum(not right for _, right in taken)
        points.append(((len(taken) - wrong) / total, wrong / len(taken), upper_bound(wrong, len(taken))))
    return points


def _fitted(rows: Sequence[Row], rounds: int = 200, rate: float = 0.3) -> Signal:
    """Log odds from all signals, by gradient descent on standardised values."""
    names = list(rows[0][1])
    middle = {name: sum(found[name] for _, found in rows) / len(rows) for name in names}
    spread = {name: math.sqrt(sum((found[name] - middle[name]) ** 2 for _, found in rows) / len(rows)) or 1.0 for name in names}
    data = [([(found[n] - middle[n]) / spread[n] for n in names], float(q["answerable"])) for q, found in rows]
    weights, base = [0.0] * len(names), 0.0
    for _ in range(rounds):
        gradient, shift = [0.0] * len(names), 0.0
        for values, right in data:
            odds = base + sum(w * v for w, v in zip(weights, values, strict=True))
            miss = right - 1 / (1 + math.exp(-odds))
            shift += miss
            gradient = [g + miss * v for g, v in zip(gradient, values, strict=True)]
        weights = [w + rate * g / len(data) for w, g in zip(weights, gradient, strict=True)]
        base += rate * shift / len(data)
    return lambda found: base + sum(w * (found[n] - middle[n]) / spread[n] for w, n in zip(weights, names, strict=True))


if __name__ == "__main__":
    main()
