# Needs no extra: pip install contextpack-rag
"""Editions: one question, three days, three right answers; and what changed between two releases of redis.conf."""

from __future__ import annotations

import csv
import re
from datetime import date
from pathlib import Path

from contextpack_core import Candidate, Pack, Policy, Source, pack

FOLDER = Path(__file__).parent / "data" / "redisconf"
QUESTION = "Which directive bounds how many entries a hash in the compact encoding may have?"


def main() -> None:
    """Print the directive in force on each day, then the two editions that a question about a change compares."""
    for day in (date(2012, 3, 1), date(2018, 6, 1), date(2023, 1, 1)):
        found = pack(search("hash"), QUESTION, as_of=day)
        (evidence,) = found.evidence
        print(f"{day}: Redis {evidence.passage.source.edition}: {directive(evidence.passage.text)}")

    policy = Policy.from_dict({"versions": {"as_of": "from_query"}})
    asked = pack(search("hash"), f"In 2015: {QUESTION}", policy, as_of=date(2026, 1, 1))
    understood = next(step.notices for step in asked.trace.steps if step.stage == "versions")
    print(f"asked for 2015: {asked.as_of}, {editions(asked)}, {understood[0]}")

    changed = pack(search("keepalive"), "What changed for tcp-keepalive between 3.2.0 and 4.0.0?", as_of=date(2026, 1, 1))
    print(f"what changed: {editions(changed)}: {[directive(item.passage.text) for item in changed.evidence]}")
    print(changed.explain("7.2.0 tcp"))


def search(word: str) -> list[Candidate]:
    """The paragraphs of every release that hold the word: what a retriever gives that knows nothing of editions."""
    with (FOLDER / "releases.csv").open(encoding="utf-8") as file:
        releases = [(row["release"], date.fromisoformat(row["date"])) for row in csv.DictReader(file)]
    hits = []
    for release, start in releases:
        text = (FOLDER / f"redis-{release}.conf").read_text(encoding="utf-8")
        source = Source(f"redis-{release}.conf", family="redis.conf", edition=release, effective_from=start)
        for paragraph in text.split("\n\n"):
            if word in paragraph:
                name = directive(paragraph).split("-")[0]
                hits.append(Candidate(f"{release} {name}", paragraph.strip(), source))
    return hits


def directive(text: str) -> str:
    """The first line of the configuration that is no comment."""
    return re.findall(r"^[a-z].*", text, re.MULTILINE)[0]


def editions(found: Pack) -> list[str | None]:
    """The editions of the evidence, in the order of the prompt."""
    return [item.passage.source.edition for item in found.evidence]


if __name__ == "__main__":
    main()
