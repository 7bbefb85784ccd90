"""The demonstration: five questions to an invented insurer's documents, packed, and four answers, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import bm25s
import yaml
from rich.console import Console
from rich.table import Table
from rich.text import Text

from contextpack_core.citations.check import check
from contextpack_core.citations.report import Report
from contextpack_core.pack import Pack, pack
from contextpack_core.policy import Policy

HITS = 40
CHUNK_CHARS = 600
OVERLAP_CHARS = 120
STOPWORDS = (
    "a an and any are as at be but by can do does for from how i if in into is it may me my no not of on or our say than that the "
    "their them there these they this to under up us was we what when where which who will with without you your"
)


def run_demo(console: Console | None = None) -> int:
    """Retrieve, pack and check, and print every step; 0 when each answer came out as it should."""
    console = console or Console()
    folder = harbourline()
    policy = Policy.from_yaml(folder.joinpath("policy.yaml").read_text(encoding="utf-8"))
    documents = harbourline_documents()
    search = harbourline_search()
    packs = []
    for asked in _yaml(folder, "questions.yaml"):
        question, as_of = asked["question"], asked["as_of"]
        made = pack(search(question), question, policy, as_of=as_of, access=asked["access"], documents=documents)
        _show_pack(console, asked["name"], question, made)
        packs.append(made)
    reports = []
    for given in _yaml(folder, "answers.yaml"):
        answer = _with_labels(given["answer"], packs[0])
        report = check(answer, packs[0], question=_yaml(folder, "questions.yaml")[0]["question"], settings=policy.citations)
        _show_report(console, given["name"], answer, report)
        reports.append(report)
    return 0 if [report.status for report in reports] == ["GROUNDED", "FLAGGED", "FLAGGED", "FLAGGED"] else 1


def harbourline() -> Traversable:
    """The folder of the invented insurer: inside an installed package, or among the examples of a checkout."""
    packed = files("contextpack_core").joinpath("harbourline")
    return packed if packed.is_dir() else Path(__file__).parents[2] / "examples" / "harbourline"


def harbourline_documents() -> dict[str, str]:
    """The texts of the insurer's documents by file name."""
    return {item.name: item.read_text(encoding="utf-8") for item in harbourline().joinpath("documents").iterdir()}


def harbourline_search() -> Search:
    """A search over the insurer's documents, with what is known of each as metadata of its chunks."""
    return Search(harbourline_documents(), _yaml(harbourline(), "catalogue.yaml"))


def _yaml(folder: Traversable, name: str) -> Any:
    return yaml.safe_load(folder.joinpath(name).read_text(encoding="utf-8"))


class Search:
    """A BM25 index over overlapping chunks of the documents: what stands where a user's retriever stands."""

    def __init__(self, documents: Mapping[str, str], catalogue: Mapping[str, Mapping[str, Any]]) -> None:
        self.chunks = [
            {"id": f"{name}:{start}", "text": text, "doc_id": name, "start_index": start, **catalogue[name]}
            for name, document in sorted(documents.items())
            for start, text in split(document)
        ]
        self.index = bm25s.BM25()
        self.index.index(_words([chunk["text"] for chunk in self.chunks]), show_progress=False)

    def __call__(self, question: str) -> list[dict[str, Any]]:
        """The best hits, as a retriever hands them over."""
        found, scores = self.index.retrieve(_words([question]), k=min(HITS, len(self.chunks)), show_progress=False)
        return [{**self.chunks[i], "score": float(score)} for i, score in zip(found[0], scores[0], strict=True) if score > 0]


def _words(texts: Sequence[str]) -> Any:
    return bm25s.tokenize(list(texts), stopwords=STOPWORDS.split(), show_progress=False)


def split(document: str) -> list[tuple[int, str]]:
    """(offset, text) of overlapping chunks that begin and end at line breaks where they can."""
    chunks, start = [], 0
    while start < len(document):
        end = min(start + CHUNK_CHARS, len(document))
        if end < len(document):
            end = (
                max(document.rfind("\n", start + CHUNK_CHARS // 2, end), document.rfind(". ", start + CHUNK_CHARS // 2, end) + 1, 0)
                or end
            )
        chunks.append((start, document[start:end]))
        if end == len(document):
            break
        back = document.find(" ", end - OVERLAP_CHARS, end)
        start = back + 1 if back > start else end
    return chunks


def _with_labels(answer: str, made: Pack) -> str:
    """The answer with the label of the passage on the excess, and the name of a candidate that was left out."""
    excess = next(item.label for item in made.evidence if "Escape of Water Excess" in item.passage.text)
    dropped = next(drop.candidate_id for drop in made.trace.drops if drop.reason == "SUPERSEDED")
    return answer.format(excess=f"[{excess}]", dropped=f"[{dropped}]")


_AT_MOST = " (at most: no token table was found, so tokens are bounded from above; the extra fast brings one)"


def _show_pack(console: Console, name: str, question: str, made: Pack) -> None:
    console.rule(f"[bold]{name}")
    console.print(Text(question, style="bold cyan"))
    console.print(
        Text(
            f"as of {made.as_of} · intent {made.intent or 'none'} · {made.outcome} · {made.tokens} of {made.budget.evidence} tokens"
            f"{_AT_MOST if made.trace.approximate else ''}"
        )
    )
    for step in made.trace.steps:
        for notice in step.notices:
            console.print(Text(f"{step.stage}: {notice}", style="yellow"))
    console.print(Text(made.text or "(no evidence: do not ask the model)", style="green"), soft_wrap=True)  # as the model reads it
    console.print(_left_out(made))


def _left_out(made: Pack, most: int = 6) -> Table:
    """What was left out and why; of each reason the first few."""
    table = Table(title="left out", title_justify="left", show_edge=False)
    for heading in ("stage", "candidate", "reason", "detail"):
        table.add_column(heading, no_wrap=heading != "detail")
    for step in made.trace.steps:
        shown: dict[str, int] = {}
        for drop in step.drops:
            shown[drop.reason] = shown.get(drop.reason, 0) + 1
            if shown[drop.reason] <= most:
                table.add_row(step.stage, Text(drop.candidate_id), drop.reason, Text(drop.detail))
        for reason, number in shown.items():
            if number > most:
                table.add_row(step.stage, f"… {number - most} more", reason, "")
    return table


def _show_report(console: Console, name: str, answer: str, report: Report) -> None:
    console.rule(f"[bold]{name}")
    console.print(Text(answer, style="bold"))
    console.print(Text(str(report.status), style="green" if report.status == "GROUNDED" else "red"))
    for figure in report.figures:
        console.print(Text(f"  figure {figure.text}: {figure.status}{f' — {figure.detail}' if figure.detail else ''}"))
    for problem in report.problems:
        console.print(Text(f"  {problem}", style="red"))
