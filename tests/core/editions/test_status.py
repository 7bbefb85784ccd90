from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core.editions.status import standing_of

_STATUSES = {
    "never": """DRAFT v3 | draft - for review | Draft (approved) | approved draft | Final Draft | pending approval | Proposed
        | Not final | not yet in force | unpublished | in-review | under_review | withdrawn 2026 | voided | Null and void
        | deleted | Rejected | Work in Progress | Entwurf, Stand Mai | zurückgezogen | noch nicht in Kraft
        | nicht veröffentlicht | zur Prüfung | gelöscht | brouillon | projet | pas encore en vigueur | non publié | retiré
        | borrador | rechazada | bozza | rascunho | szkic | concept | черновик | 草案 | 未生效 | 초안""",
    "superseded": """superseded | Superseded by 2026 | obsolete | Deprecated | Historic | replaced (see 2026) | ersetzt
        | veraltet | remplacé | sustituida | obsoleto | заменен | 已替换""",
    "expired": """expired 2025-01-01 | Archived | repealed | retired | inactive | no longer valid | not in force | not active
        | außer Kraft | aufgehoben | nicht mehr gültig | abrogée | n'est plus en vigueur | derogada | ya no vigente | scaduto
        | revogada | uchylona | утратил силу | 已废止 | 폐지""",
    "applies": """active | Final | Approved (draft 3 archived) | published, supersedes the 2024 draft | valid until superseded
        | not withdrawn | not a draft | deleted: false | active - under review | PROPOSED STANDARD | Draft Standard | gültig
        | in Kraft | en vigueur | vigente | in vigore | em vigor | geldig | действует | 现行有效 | processed""",
    "unknown": "banana | 17 | April Fool! | Standards Track | projector | draftsman",
}


@pytest.mark.parametrize(
    ("status", "standing"),
    [(status.strip(), standing) for standing, statuses in _STATUSES.items() for status in statuses.split("|")],
)
def test_what_a_status_says(status: str, standing: str) -> None:
    """The words in a status decide, whatever stands around them, unless a word denies them; what says neither is unknown."""
    assert standing_of(status) == standing


@given(st.text(max_size=300))
def test_reads_anything(status: str) -> None:
    """Any text is a status, and its case does not matter."""
    assert standing_of(status) in ("applies", "never", "superseded", "expired", "unknown")


@given(st.sampled_from(["draft", "withdrawn", "Entwurf", "deleted"]), st.text("abcxyz 0123456789-/:", max_size=20))
def test_a_draft_stays_one(word: str, beside: str) -> None:
    """A word that rules an edition out does so whatever unknown words follow it."""
    assert standing_of(f"{word} {beside}") == "never"
