"""How many tokens a text comes to at most, without any token table.

Byte-level BPE (Sennrich et al. 2016; o200k_base and cl100k_base are such) cuts a text into pieces by a pattern, and each piece into
tokens by merging neighbours. A token is at least one byte, so the bytes are a bound. It is lowered where more is known: some tokens
(``words.txt`` holds English words; runs of blanks and newlines), and three rules.

1. A piece that is a token is one token.
2. Within a piece no two neighbouring tokens make up a token: they would have been merged. So a piece has at most as many tokens as
   the longest chain of cuts of which no two neighbours make up a *known* token. ``_longest`` finds it.
3. A run of ASCII letters that touches no other letter or mark stands inside one piece, with at most one character before it; a
   blank before it always belongs to that piece. Two things cut or extend the piece all the same: a contraction after an
   apostrophe, of which all readings are tried, and a capital after a small letter, where the run counts by its bytes.

A unit (run of letters, run of blanks, byte) answers for the tokens that start in it; added up they bound the tokens of the text.
Digits count one each, since some models take them so.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

_LONGEST_WORD = 24  # longer runs of letters are rarely words; the search for the longest chain is cubic
_UNKNOWN_RUN = {" ": 80, "\n": 11}  # shorter runs of blanks or newlines are tokens
# Dashes, curly quotes, bullets, ellipsis: no letters, no marks. The first two bytes of each are a token: at most two start in it.
_QUIET = "\u2010-\u2027\u2030-\u203a"

_QUIETS = re.compile(f"[{_QUIET}]")
_CHUNKS = re.compile(f" ?(?:[A-Za-z']|[^\x00-\x7f{_QUIET}])+")
_WORD = re.compile(r"( ?)([A-Za-z]+)(?:'([A-Za-z]+))?('*)")
_CONTRACTION = re.compile(r"(?i:ll|ve|re|[sdmt])")
_RUNS = re.compile(r"( {3,}|\n{2,})([!-.0-~]?)")


def token_bound(text: str) -> int:
    """A number of tokens that o200k_base and cl100k_base never exceed on the text; in English about 1.4 times their count."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")) - len(_QUIETS.findall(text))
    return size - sum(map(_saved, _CHUNKS.findall(text))) - sum(_saved_in_run(run) for run, after in _RUNS.findall(text) if after)


def _saved_in_run(run: str) -> int:
    """Bytes less tokens of a run of blanks or newlines; the last blank belongs to what comes after it."""
    size = len(run) - (run[0] == " ")
    return size - (2 * (size // _UNKNOWN_RUN[run[0]]) + 1)


@lru_cache(65536)
def _saved(chunk: str) -> int:
    """Bytes less tokens of a run of letters and apostrophes, with the blank before it."""
    found = _WORD.fullmatch(chunk) if chunk.isascii() and len(chunk) <= _LONGEST_WORD else None
    if found is None:
        return 0
    blank, word, tail, quotes = found.groups()
    if not _plain(word) or (tail and not _plain(tail)):
        return 0
    tokens = _most(blank, word) + len(quotes) if tail is None else _most_quoted(blank, word, tail) + len(quotes)
    return len(chunk) - tokens


def _plain(word: str) -> bool:
    """The pattern of no encoding cuts the word."""
    return word[1:].islower() or len(word) == 1 or word.isupper()


def _most(before: str, word: str) -> int:
    """Of the word with the blank before it; else any character may stand before it, with a token that starts there."""
    return _longest(before + word) if before else max(_longest(word), _longest(_ANY + word) - 1)


def _most_quoted(before: str, word: str, tail: str) -> int:
    """Of ``word'tail``: two pieces, or one and the rest of the tail, or three, as the tail begins with a contraction or not."""
    ways = [_most(before, word) + 1 + _most("", tail)]
    if found := _CONTRACTION.match(tail):
        short, rest = found[0], tail[found.end() :]
        after = _longest(rest) if rest else 0
        joined = max(_longest(before + word + _ANY + short), 0 if before else _longest(_ANY + word + _ANY + short) - 1)
        ways += [joined + after, _most(before, word) + 1 + len(short) + after]
    return max(ways)


_ANY = "\0"  # a character that stands in no known token


def _longest(piece: str) -> int:
    """The most tokens that a piece can come to by rules 1 and 2."""
    known = _known()
    if piece in known:
        return 1
    chains: list[list[tuple[int, int]]] = [[]]  # for each end: the most tokens up to there and the start of the last, most first
    for end in range(1, len(piece) + 1):
        found = [(1, 0)]
        for start in range(1, end):
            for most, first in chains[start]:
                if piece[first:end] not in known:
                    found.append((most + 1, start))
                    break
        found.sort(reverse=True)
        chains.append(found)
    return chains[-1][0][0]


@cache
def _known() -> frozenset[str]:
    """Tokens of both encodings: each line of the file is a word, and which of its four forms are tokens, as a hexadecimal digit."""
    known: set[str] = set()
    for line in files(__package__).joinpath("words.txt").read_text("ascii").splitlines():
        word, forms = line.split()
        named = (f" {word}", word, f" {word.capitalize()}", word.capitalize())
        known.update(form for i, form in enumerate(named) if int(forms, 16) >> i & 1)
    return frozenset(known)
