"""Every example runs offline and says what it should."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

LAST_LINES = {
    "plain_python": [
        "The excess is 500 euros [P1]. -> GROUNDED",
        "The excess is 350 euros [P1]. -> FLAGGED “350 euros” is from an edition that does not apply: stands only in edition 2025 "
        "of home-policy; edition 2026 of home-policy applied (P1)",
    ],
    "editions": [
        "2012-03-01: Redis 2.4.0: hash-max-zipmap-entries 512",
        "2018-06-01: Redis 4.0.0: hash-max-ziplist-entries 512",
        "2023-01-01: Redis 7.0.0: hash-max-listpack-entries 512",
        "asked for 2015: 2015-12-31, ['2.6.0'], understood '2015' as 2015-12-31",
        "what changed: ['3.2.0', '4.0.0']: ['tcp-keepalive 0', 'tcp-keepalive 300']",
        "7.2.0 tcp was left out in versions: NOT_YET_IN_FORCE — edition 7.2.0 (in force from 2023-08-15) takes effect after "
        "2017-07-14; edition 4.0.0 (in force from 2017-07-14) applies, in favour of 4.0.0 tcp.",
    ],
    "grounding": [
        "strict: The excess for escape of water is 500 euros [P1]. -> GROUNDED",
        "augmented: An excess is the part of a claim that you bear yourself; for escape of water it is 500 euros [P1]. -> GROUNDED",
        "native: The excess for escape of water is 500 euros. -> GROUNDED",
        "native: The excess for escape of water is 350 euros. -> FLAGGED “350 euros” is from an edition that does not apply: "
        "stands only in edition 2025 of home-policy; edition 2026 of home-policy applied (P1)",
        "what would break the prompt cache: nothing",
    ],
    "langchain_lcel": [
        "The excess for escape of water is 350 euros [P1].",
        "FLAGGED: “350 euros” is from an edition that does not apply: stands only in edition 2025 of home-policy; edition 2026 of "
        "home-policy applied (P1)",
    ],
    "langchain_retrieval_chain": [
        "Stop the damage from growing [P1]. Report the claim within 30 days [P1].",
        "GROUNDED []",
    ],
    "llamaindex_query_engine": [
        "The excess for escape of water is 350 euros [P1].",
        "FLAGGED ['“350 euros” is from an edition that does not apply: stands only in edition 2025 of home-policy; edition 2026 of "
        "home-policy applied (P1)']",
    ],
}


@pytest.mark.parametrize("name", LAST_LINES)
def test_an_example_says_what_it_should(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The last lines of the output are the verdicts."""
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")

    expected = LAST_LINES[name]
    assert capsys.readouterr().out.strip().splitlines()[-len(expected) :] == expected


def test_no_example_is_forgotten() -> None:
    """Each example is run by a test."""
    tested = {*LAST_LINES, "editions"}

    assert {path.stem for path in EXAMPLES.glob("*.py")} <= tested


NEEDED = {"langchain_contextpack": "langchain", "llamaindex_contextpack": "llamaindex", "contextpack_core.demo": "cli"}
"""The extra of each module that an example may import; the demo's search is that of the extra ``cli``."""


@pytest.mark.parametrize("name", LAST_LINES)
def test_the_first_line_of_an_example_names_the_extras_that_it_needs(name):
    """As the command that installs them, and no other."""
    first, *lines = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()
    extras = {extra for module, extra in NEEDED.items() if any(line.startswith(f"from {module} ") for line in lines)}
    named = re.search(r"contextpack-rag(?:\[([a-z,]+)\])?", first)

    assert first.startswith("# Needs ")
    assert set(filter(None, (named[1] or "").split(","))) == extras
    assert ("langchain-classic" in first) == any("langchain_classic" in line for line in lines)
