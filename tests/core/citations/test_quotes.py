"""Quotations: located by their characters, graded, and never by likeness."""

import random
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextpack_core import CitationSettings, Quote, QuoteStatus, SourceText, Span, check, locate_quote, pack, split_claims
from contextpack_core.citations.marks import parse_citations
from contextpack_core.citations.quotes import check_quotes, quote_holds, source_texts
from tests import hostile

SAME = (QuoteStatus.EXACT, QuoteStatus.NORMALISED)

# ---------------------------------------------------------------- laws

WORDS = (
    *("valve", "office", "final", "waffle", "inspector", "weekly", "drawing", "café", "naïve", "hood", "barrel", "offline", "seal"),
    *("gasket", "crew", "lift", "hoist", "trench", "pump", "manual", "order", "branch", "copper", "wiring", "ceiling", "marker"),
)
FIGURES = ("12", "4.5", "1,200", "€30", "18%", "2026-01-15", "7/24", "-5")

sentences = st.lists(st.sampled_from(WORDS), min_size=6, max_size=24, unique=True)
seeds = st.integers(0, 2**32)


def noisy(word: str, pick: random.Random) -> str:
    """The word as a source may have it: other case, marks, hyphens, characters, but the same word."""
    middle = len(word) // 2
    return pick.choice(
        (
            word,
            word.upper(),
            word.capitalize(),
            word[:middle] + "\u00ad" + word[middle:],
            word[:middle] + "\u200b" + word[middle:],
            word[:middle] + "-\n" + word[middle:],
            word.replace("ffi", "ﬃ").replace("ff", "ﬀ").replace("fl", "ﬂ").replace("fi", "ﬁ"),
            word.replace("é", "e\u0301").replace("ï", "i\u0308"),
            f"**{word}**",
            f"_{word}_",
        )
    )


def written(words: list[str], pick: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """The words as a noisy text, and where each of them stands in it."""
    text, places = "", []
    for word in words:
        text += pick.choice((" ", "\n", "  ", "\u00a0", "\n   ", " \t"))
        shown = noisy(word, pick) if word.isalpha() else word
        places.append((len(text), len(text) + len(shown)))
        text += shown
    return text + " end", places


@given(sentences, seeds, st.data())
def test_a_quotation_is_found_through_any_faithful_noise(words: list[str], seed: int, data: st.DataObject) -> None:
    """Words of a passage are located where they stand, however the passage is typeset."""
    pick = random.Random(seed)
    words.insert(pick.randrange(len(words)), pick.choice(FIGURES))
    text, places = written(words, pick)
    first = data.draw(st.integers(0, len(words) - 3))
    last = data.draw(st.integers(first + 2, len(words) - 1))

    found = locate_quote(" ".join(words[first : last + 1]), {"P1": text})

    assert (found.status in SAME, found.label) == (True, "P1")
    assert found.source_span == Span(places[first][0], places[last][1])


@given(sentences, seeds, st.data())
def test_a_changed_digit_is_never_accepted(words: list[str], seed: int, data: st.DataObject) -> None:
    """A quotation with one other digit, or one digit more or less, does not stand in the passage."""
    pick = random.Random(seed)
    figure = pick.choice(FIGURES)
    words.insert(pick.randrange(1, len(words)), figure)
    digits = [at for at, char in enumerate(figure) if char.isdigit()]
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != figure[at]]))
    changed = data.draw(
        st.sampled_from([figure[:at] + other + figure[at + 1 :], figure[:at] + other + figure[at:], figure[:at] + figure[at + 1 :]])
    )
    text, _ = written(words, pick)

    found = locate_quote(" ".join(words).replace(figure, changed), {"P1": text})

    assert found.status is QuoteStatus.NOT_FOUND


@given(sentences, seeds, st.sampled_from(["not", "never", "no", "without", "nicht", "ne"]))
def test_a_dropped_or_added_negation_is_never_accepted(words: list[str], seed: int, negation: str) -> None:
    """A quotation without the passage's negation, or with one that the passage lacks, does not stand there."""
    pick = random.Random(seed)
    at = pick.randrange(1, len(words))
    negated = [*words[:at], negation, *words[at:]]

    dropped = locate_quote(" ".join(words), {"P1": written(negated, pick)[0]})
    added = locate_quote(" ".join(negated), {"P1": written(words, pick)[0]})

    assert (dropped.status, added.status) == (QuoteStatus.NOT_FOUND, QuoteStatus.NOT_FOUND)


@given(sentences, seeds)
def test_two_exchanged_words_are_never_accepted(words: list[str], seed: int) -> None:
    """The same words in another order are no quotation."""
    pick = random.Random(seed)
    one, other = sorted(pick.sample(range(len(words)), 2))
    exchanged = list(words)
    exchanged[one], exchanged[other] = words[other], words[one]

    assert locate_quote(" ".join(exchanged), {"P1": written(words, pick)[0]}).status is QuoteStatus.NOT_FOUND


anything = st.text(st.characters(), max_size=80) | st.text("ab1 .,-…[]()*_\"'“”>|\n\u00ad\u200bé½²新", max_size=80)


@given(anything, anything, anything)
def test_any_text_has_an_outcome(quote: str, one: str, other: str) -> None:
    """Nothing crashes, a span lies in the passage named, and an exact one reads as the quotation."""
    passages = {"P1": one, "P2": other}
    found = locate_quote(quote, passages, "P1")

    assert found.text == quote
    assert (found.source_span is None) == (found.status is QuoteStatus.NOT_FOUND)
    if found.source_span is not None:
        text = passages[found.label or ""]
        assert 0 <= found.source_span.start < found.source_span.end <= len(text)
        if found.status is QuoteStatus.EXACT:
            assert text[found.source_span.start : found.source_span.end] == quote.strip()


@given(st.text("ab 1.", min_size=1, max_size=30), st.data())
def test_no_quotation_is_a_part_of_a_word(text: str, data: st.DataObject) -> None:
    """What is located begins and ends where a word does."""
    start = data.draw(st.integers(0, len(text) - 1))
    found = locate_quote(text[start : data.draw(st.integers(start + 1, len(text)))], {"P1": text})

    if found.source_span is not None:
        inside = re.compile(r"[ab1]{2}")
        at, to = found.source_span.start, found.source_span.end
        assert not inside.fullmatch(text[max(0, at - 1) : at + 1])
        assert not inside.fullmatch(text[to - 1 : to + 1])


# ---------------------------------------------------------------- grades and details


def test_an_exact_quotation_is_told_whole() -> None:
    """Every field of an exact one."""
    found = locate_quote("fee is waived", {"P1": "The fee is waived."}, "P1")

    assert found == Quote("fee is waived", None, "P1", QuoteStatus.EXACT, Span(4, 17))


def test_a_misattributed_quotation_names_both_passages() -> None:
    """The label is that of the passage that holds it, the detail says which was cited."""
    found = locate_quote("fee is waived", {"P1": "Paint is blue.", "P2": "The FEE is waived."}, "P1")

    assert found == Quote("fee is waived", None, "P2", QuoteStatus.MISATTRIBUTED, Span(4, 17), detail="stands in P2, not in P1")


def test_one_of_several_cited_passages_is_enough() -> None:
    """A quotation that cites two passages may stand in either or in both."""
    passages = {"P1": "Paint is blue.", "P2": "The fee is waived.", "P3": "The fee is waived."}

    assert locate_quote("fee is waived", passages, ("P1", "P2")).status is QuoteStatus.EXACT
    assert locate_quote("fee is waived", passages, ("P2", "P3")).label == "P2"


def test_an_ambiguous_quotation_says_where() -> None:
    """Twice in one passage, or in two of which none is cited."""
    twice = locate_quote("ring it", {"P1": "ring it, ring it"}, "P1")
    both = locate_quote("ring it", {"P1": "ring it", "P2": "ring it"})

    assert twice == Quote("ring it", None, "P1", QuoteStatus.AMBIGUOUS, Span(0, 7), detail="stands more than once in P1")
    assert both == Quote("ring it", None, "P1", QuoteStatus.AMBIGUOUS, Span(0, 7), detail="stands in P1 and in P2")


@pytest.mark.parametrize(
    ("text", "omitted", "detail", "holds"),
    [
        ("rinse the tank twice and then fill it", "twice and then", "", True),
        ("rinse the tank but never fill it", "but never", "the omission hides never", False),
        ("rinse the tank 12 times, don't wait, fill it", "12 times, don't wait,", "the omission hides not, 12", False),
    ],
)
def test_an_elided_quotation_shows_what_was_left_out(text: str, omitted: str, detail: str, holds: bool) -> None:
    """The omitted words are given, and a negation or a figure among them is held against it."""
    found = locate_quote("rinse the tank … fill it", {"P1": text}, "P1")

    assert found == Quote("rinse the tank … fill it", None, "P1", QuoteStatus.ELIDED, Span(0, len(text)), None, (omitted,), detail)
    assert quote_holds(found) is holds


def test_the_parts_of_an_elided_quotation_are_as_close_as_can_be() -> None:
    """Of several places for the parts the closest ones count."""
    text = "the tank is new. Later rinse the tank twice and fill it. Then fill it."

    assert locate_quote("the tank … fill it", {"P1": text}).source_span == Span(29, 55)


@pytest.mark.parametrize(
    ("quote", "detail"),
    [
        ("the new seal would improve the flow", "nearest in P1: “not” is left out"),
        ("the new seal would not improve a flow", "nearest in P1: “a” is “the” there"),
        ("the new seal would not ever improve the flow", "nearest in P1: “ever” is not there"),
        ("bananas are yellow as a rule", "nothing like it stands in P1"),
    ],
)
def test_a_quotation_that_stands_nowhere_is_explained(quote: str, detail: str) -> None:
    """The detail names the nearest passage and what differs there."""
    found = locate_quote(quote, {"P1": "Tests show: the new seal would not improve the flow at all."}, "P1")

    assert found == Quote(quote, None, "P1", QuoteStatus.NOT_FOUND, detail=detail)


def test_no_quotation_runs_over_a_gap() -> None:
    """Words on both sides of a marked gap are no quotation, with its mark, without it, or with an ellipsis for it."""
    text = "Close the hood. […] Leave the room."
    source = SourceText("P1", text, gaps=(Span(16, 19),))
    quotes = ("hood. […] Leave the", "hood. Leave the", "the hood … Leave the room")

    assert [locate_quote(quote, {"P1": source}).status for quote in quotes] == [QuoteStatus.NOT_FOUND] * 3
    assert locate_quote("Close the hood.", {"P1": source}).status is QuoteStatus.EXACT
    assert locate_quote("hood. […] Leave the", {"P1": text}).status is QuoteStatus.EXACT


def test_a_place_in_a_joined_passage_is_a_place_in_the_document() -> None:
    """The span in the document goes through the pieces; glue between them is no part of it."""
    source = SourceText("P1", "The fee\nis waived.", pieces=((0, 7, 100), (8, 18, 140)))

    assert locate_quote("fee is waived", {"P1": source}).document_span == Span(104, 149)
    assert locate_quote("waived", {"P1": source}).document_span == Span(143, 149)


def test_a_pack_is_a_source() -> None:
    """A quotation is located in the passages of a pack, under their labels, with its place in the document."""
    candidate = {"id": "a", "text": "The fee is waived.", "metadata": {"doc_id": "terms", "start_index": 500, "end_index": 518}}
    packed = pack([candidate], "fee", as_of=date(2026, 1, 1))

    found = locate_quote("fee is waived", packed)

    assert found == Quote("fee is waived", None, "P1", QuoteStatus.EXACT, Span(4, 17), Span(504, 517))
    assert source_texts(packed)["P1"].source == packed.evidence[0].passage.source


# ---------------------------------------------------------------- the quotations of an answer

TEXTS = source_texts({"P1": "The fee is waived. Ring the bell.", "P2": "So the hood is shut. Keep dry."})


def checked(answer: str, question: str = "", **settings: str) -> list[tuple[str, str, str | None]]:
    citations = parse_citations(answer, TEXTS.keys())
    quotes = check_quotes(answer, split_claims(answer), TEXTS, CitationSettings(**settings), citations=citations, question=question)
    assert all(answer[quote.span.start : quote.span.end] == quote.text for quote in quotes if quote.span)
    return [(quote.text, quote.status.value, quote.label) for quote in quotes]


def test_a_quotation_cites_the_mark_behind_it() -> None:
    """Of two marks in a sentence each quotation has its own."""
    answer = "It says “the fee is waived” [P2] and “the hood is shut” [P2]."

    assert checked(answer) == [("the fee is waived", "MISATTRIBUTED", "P1"), ("the hood is shut", "EXACT", "P2")]


def test_a_quotation_without_a_mark_behind_it_cites_what_its_claim_cites() -> None:
    """The claim's labels count, also where the quotation is longer than the claim."""
    assert checked("“The fee is waived” is what [P2] says.") == [("The fee is waived", "MISATTRIBUTED", "P1")]
    assert checked("Note: “The fee is waived. Ring the bell.” [P1]") == [("The fee is waived. Ring the bell.", "EXACT", "P1")]


def test_a_block_quotation_cites_what_introduces_it() -> None:
    """A claim that ends with a colon introduces the block behind it."""
    assert checked("As [P2] says:\n\n> The fee is\n> waived.") == [("The fee is\n> waived.", "MISATTRIBUTED", "P1")]


def test_an_uncited_quotation_is_looked_for_everywhere() -> None:
    """Without a mark nothing can be misattributed."""
    assert checked("It says “the hood is shut” somewhere.") == [("the hood is shut", "EXACT", "P2")]


def test_terms_and_titles_are_reported_only_where_they_stand() -> None:
    """Two words, or a title, that no passage has may be a name: they are nobody's quotation."""
    assert checked("The “Keep dry” sign and the “wet floor” sign and “The Art of Shutting Hoods” [P2].") == [
        ("Keep dry", "EXACT", "P2")
    ]


def test_words_of_the_question_are_nobodys_quotation() -> None:
    """The user's words in quotation marks are left out, unless a passage has them."""
    answer = "You ask “what is the lowest fee” [P1], and “the fee is free” [P1]."

    assert checked(answer, question="Tell me: What is the lowest fee?") == [("the fee is free", "NOT_FOUND", "P1")]


def test_quotations_can_be_ignored() -> None:
    """``quotes: ignore`` reports none."""
    assert checked("It says “the hood is shut” [P1].", quotes="ignore") == []


@pytest.mark.parametrize("unit", hostile.QUOTATIONS)
def test_a_quotation_as_long_as_its_passage(unit: str) -> None:
    """Thirty-two thousand characters are the passage's to their end, or they are not."""
    text = hostile.many(unit, 32_000)

    assert locate_quote(text + "x", {"P1": text + "x"}).source_span == Span(0, len(text) + 1)
    assert locate_quote(text + " x", {"P1": text + " y"}).status is QuoteStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("answer", "passage", "status"),
    [
        ('It says: "[…] pay for damage that existed" [P1].', "We will not pay for damage that existed.", "ELIDED"),
        ('It says: "pay for damage that existed" [P1].', "We will not pay for damage that existed.", "ELIDED"),
        ('It does not "pay for damage that existed" [P1].', "We will not pay for damage that existed.", "EXACT"),
        ('It says: "be liable for loss of data" [P1].', "We shall under no circumstances be liable for loss of data.", "ELIDED"),
        ('It says: "You must tell us at once" [P1].', "It is not so. You must tell us at once.", "EXACT"),
        ('It says: "You must tell us at once" [P1].', "Whether asked or not, you must tell us at once.", "NORMALISED"),
        ("Es heißt: „Der Motor startet im Winter“ [P1].", "Der Motor startet im Winter nicht.", "ELIDED"),
        ('It needs "prior written consent" [P1].', "Do not assign it without prior written consent.", "EXACT"),
    ],
)
def test_a_negation_cut_off_beside_a_quotation(answer: str, passage: str, status: str) -> None:
    """A negation that bears on the quoted words is an omission, unless the answer denies it in its own words."""
    report = check(answer, {"P1": passage})

    assert [quote.status for quote in report.quotes] == [status]
    assert [problem.kind for problem in report.problems if problem.kind == "quote"] == (["quote"] if status == "ELIDED" else [])
