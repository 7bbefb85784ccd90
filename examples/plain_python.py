# Needs the extra cli (its search makes the hits): pip install 'contextpack-rag[cli]'
"""Plain Python: pack what a search found, look at what was left out, check an answer."""

from __future__ import annotations

from datetime import date

from contextpack_core import Policy, check, pack
from contextpack_core.demo import harbourline, harbourline_search

POLICY = Policy.from_yaml(harbourline().joinpath("policy.yaml").read_text(encoding="utf-8"))
QUESTION = "What excess do I pay for an escape of water claim?"


def main() -> None:
    """Print the evidence, the fate of one candidate, and the report on two answers."""
    hits = harbourline_search()(QUESTION)  # a list of dicts, as any retriever gives them
    evidence = pack(hits, QUESTION, POLICY, as_of=date(2026, 6, 1), access={"public"})
    print(f"{len(hits)} hits became {len(evidence.evidence)} passages of {evidence.tokens} tokens in all\n")
    print(evidence.text, "\n")

    old = next(drop for drop in evidence.trace.drops if drop.reason == "SUPERSEDED")
    print(evidence.explain(old.candidate_id), "\n")

    label = next(item.label for item in evidence.evidence if "6.2 Escape of Water Excess" in item.passage.text)
    for answer in (f"The excess is 500 euros [{label}].", f"The excess is 350 euros [{label}]."):
        report = check(answer, evidence, question=QUESTION)
        print(answer, "->", report.status, *report.problems)


if __name__ == "__main__":
    main()
