"""The bound is never below the count of a real encoding, and in English not far above it."""

from __future__ import annotations

import base64
import random
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import counter_for, tokens
from contextpack_core.token_bounds import _known, token_bound

ENCODINGS = ("o200k_base", "cl100k_base", "llama3", "qwen3")

ENGLISH = """
The policyholder pays the first 500 euros of each claim; this amount is called the deductible. If a burst pipe floods the cellar,
turn off the main valve, take photographs of the damage and call the claims line within three working days. "We didn't know" isn't
an excuse the insurer's office will accept, but a neighbour's written statement helps. Payments above 10,000 euros need the approval
of a second examiner (see section 4.2), who may ask for an estimate.

The pump was inspected on 14 March 2026; its bearings showed no wear. Engineers replaced the pressure gauge, recalibrated the sensor
and recorded the readings in the maintenance log. Nobody could explain the sudden drop in temperature that the night shift had
reported. An appendix lists the part numbers, the suppliers' addresses and the warranty periods of the most common replacements.
"""

SAMPLES = {
    "english": ENGLISH,
    "typographic": "It’s “quoted” — with dashes – and an ellipsis… • and bullets, don’t you see?",
    "german": "Die Selbstbeteiligung beträgt 500 Euro; größere Schäden müssen sofort gemeldet werden. Straßenverkehrsordnung.",
    "chinese": "水泵每周检查一次，压力表读数记录在维护日志中以备审查。费用为四十欧元。",
    "japanese": "ポンプは毎週点検し、圧力計の数値を保守日誌に記録します。",
    "arabic": "يتم فحص المضخة كل أسبوع وتسجل قراءات مقياس الضغط في سجل الصيانة.",
    "hindi": "पंप की हर सप्ताह जाँच की जाती है और दबाव की रीडिंग लिखी जाती है।",
    "thai": "ตรวจสอบปั๊มทุกสัปดาห์และบันทึกค่าความดัน",
    "korean": "펌프는 매주 점검하고 압력계 수치를 기록합니다.",
    "emoji": "👩‍🔧🔥🏳️‍🌈 👍🏽👍🏽 ok 🇩🇪🇫🇷",
    "code": "def f(x):\n        return {'a': x[0] << 2, \"b\": g(x)}  # HTTPServerError iPhone\n\n\n\t\tfoo_bar2baz",
    "base64": base64.b64encode(random.Random(7).randbytes(300)).decode(),
    "hex": random.Random(8).randbytes(200).hex(),
    "whitespace": " " * 300 + "x" + "\n" * 40 + "y" + " \t" * 20 + "\r\n" * 9 + " " * 81 + "z" + "\n\n/a",
    "contractions": "'s 'LL it'S they'ReX we'vee 'tis rock'n'roll dogs' James' O'Brien's d'accord x's' 'm I'd've",
    "markup": '<passage id="P1" title="A &amp; B" page="3">\ntext\n</passage>\n\n<|endoftext|>',
    "random": random.Random(9).randbytes(500).decode("utf-8", "replace") + random.Random(3).randbytes(400).decode("latin-1"),
    "word after a bracket": "(Cancelled",
    "nothing": "",
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_bound_holds_for_every_kind_of_text(kind):
    """Whatever the language, and whatever is no language."""
    counts = {name: counter_for(name)(SAMPLES[kind]) for name in ENCODINGS}

    assert {name: count for name, count in counts.items() if count > token_bound(SAMPLES[kind])} == {}


def test_in_english_the_bound_is_near():
    """A budget in English is not wasted on caution."""
    assert token_bound(ENGLISH) <= 1.6 * counter_for("o200k_base")(ENGLISH)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("", 0),
        ("The", 1),
        (" the", 1),
        ("The deductible", 6),
        ("it's", 3),
        (" redirect's", 6),
        ("12345", 5),
        ("水", 3),
        ("x" * 30, 30),
        (" " * 80 + "x", 2),
        (" " * 81 + "x", 4),
        ("a\n\nb", 3),
        ("a \n\n", 4),
        ("\udfff", 3),
    ],
)
def test_the_bound_of_a_text(text, bound):
    """Known words are one, all else is shortened only where the rules allow it."""
    assert token_bound(text) == bound


def test_every_known_word_is_a_token_of_both_encodings():
    """The rules rest on it; the list is what its making says: the 12,000 most common lower-case words of both tables."""
    tables = [_table("o200k_base"), _table("cl100k_base")]
    common = tables[0].keys() & tables[1].keys()

    def rank(word):
        return max(table[f" {word}".encode()] for table in tables), word

    words = [
        token[1:].decode() for token in common if token[:1] == b" " and token[1:].isalpha() and token.islower() and token.isascii()
    ]
    listed = [line.split()[0] for line in files("contextpack_core").joinpath("words.txt").read_text("ascii").splitlines()]
    assert {word for word in _known() if word.encode() not in common} == set()
    assert listed == sorted(sorted(words, key=rank)[:12000])


def test_the_runs_that_count_as_one_are_tokens():
    """Up to 79 blanks, up to 10 newlines; and the first bytes of typographic signs."""
    runs = [b" " * n for n in range(1, 80)] + [b"\n" * n for n in range(1, 11)] + [b"\xe2\x80"]

    assert [run for run in runs if not all(run in _table(name) for name in ("o200k_base", "cl100k_base"))] == []


@cache
def _table(name):
    lines = next(tokens._contents(tokens._TABLES[name])).splitlines()
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines)}


PIECES = st.one_of(
    st.sampled_from(sorted(_known())[::7]),
    st.sampled_from(
        ["'s", "'S", "'t", "'ll", "'LL", "'re", "'ve", "'d", "'m", "'", "''", "’", "“", "—", "ſ", "\u0301", "\u200d", "\xa0"]
    ),
    st.text("abcdefghijklmnopqrstuvwxyz", max_size=12),
    st.text("aAbBsStTzZ'\" \n\t.,/_-(0123", max_size=8),
    st.builds(lambda char, n: char * n, st.sampled_from(" \n\t"), st.integers(1, 200)),
    st.text(max_size=4),
    st.binary(max_size=8).map(lambda raw: raw.decode("latin-1")),
)


@settings(max_examples=1500, deadline=None)
@given(pieces=st.lists(PIECES, max_size=10))
def test_the_bound_holds_for_every_text(pieces):
    """No mixture of words, contractions, runs and odd characters comes to more tokens."""
    text = "".join(pieces)

    assert {name for name in ENCODINGS if counter_for(name)(text) > token_bound(text)} == set()
