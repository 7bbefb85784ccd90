"""Token counters: whatever the caller has, or one found offline by name."""

from __future__ import annotations

import base64
import hashlib
import operator
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol

from contextpack_core.errors import TokenizerError
from contextpack_core.token_bounds import token_bound


class HasCount(Protocol):
    def count(self, text: str) -> int: ...


class HasEncode(Protocol):
    def encode(self, text: str) -> Any: ...


TokenCounter = Callable[[str], Any] | HasCount | HasEncode
"""A function from a text to its number of tokens (or to the tokens), or an object with ``count``, or with ``encode``."""


class Counter:
    """A counter as the core uses it: ``counter(text)`` is the number of tokens, and never fails on a lone surrogate.

    ``name`` says which one; ``approximate`` that it only bounds the number from above.
    """

    __slots__ = ("_count", "approximate", "name")

    def __init__(self, count: Callable[[str], int], name: str, approximate: bool = False) -> None:
        self._count, self.name, self.approximate = count, name, approximate

    def __call__(self, text: str) -> int:
        try:
            return self._count(text)
        except (TypeError, ValueError):  # UnicodeEncodeError is a ValueError
            if (sound := without_surrogates(text)) == text:
                raise
            return self._count(sound)

    def __repr__(self) -> str:
        return f"<Counter {self.name}{' (approximate)' if self.approximate else ''}>"


def as_counter(count_tokens: TokenCounter | str | None, tokenizer: str | None = None) -> Counter:
    """The caller's counter (a callable, or an object with ``count``, or with ``encode``, in that order), or the one of that name.

    A result that is a list of tokens counts by its length. An encoding of tiktoken or quicktok takes special tokens as text.

    Raises:
        TokenizerError: it is none of these, it is asynchronous, or (when called) it returns something that is no number of tokens.
    """
    if count_tokens is None or isinstance(count_tokens, str):
        return counter_for(count_tokens or tokenizer)
    if isinstance(count_tokens, Counter):
        return count_tokens
    count, name = _function_of(count_tokens), _name_of(count_tokens)
    if iscoroutinefunction(count) or iscoroutinefunction(getattr(count, "__call__", None)):  # noqa: B004
        raise TokenizerError(f"count_tokens: {name} is asynchronous — a plain function, since a pack counts many times")
    return Counter(_checked(count, name), name)


def counter_for(name: str | None = None) -> Counter:
    """The counter for an encoding (``o200k_base``) or model (``gpt-4o``, ``openai/gpt-4o``); None and ``auto`` mean o200k_base.

    Never uses the network: quicktok when installed, else tiktoken with a table found in its cache or in llama-index-core. Without a
    table, and for a model whose encoding is not public, the counter is approximate: it bounds the count from above. ``approximate``
    asks for that one by name.

    Raises:
        TokenizerError: the name is a misspelt encoding or model; the message names the nearest.
    """
    encoding = encoding_of(name)
    if encoding is None:
        return Counter(token_bound, "approximate", approximate=True)
    with _loading:  # a table takes most of a second: two threads must not both load it
        count = _exact(encoding)
    if count is not None:
        return Counter(count, encoding)
    bound = token_bound if encoding in _BOUNDED else _bytes_of
    return Counter(bound, f"approximate {encoding}", approximate=True)


_loading = Lock()


def encoding_of(name: str | None) -> str | None:
    """The encoding that a name stands for, or None where it is not known; loads nothing.

    Raises:
        TokenizerError: the name is a misspelt encoding or model.
    """
    if name is None:
        return _DEFAULT
    if not isinstance(name, str) or not name.strip():
        raise TokenizerError(f"tokenizer: {name!r} — {_WANTED}")
    return _encoding_of(name.strip().lower())


_DEFAULT = "o200k_base"
_ENCODINGS = ("o200k_base", "cl100k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "gpt2", "llama3", "qwen3")
_WANTED = f"the name of a model, or one of {', '.join(_ENCODINGS)}"


@cache
def _encoding_of(name: str) -> str | None:
    if name == "auto":
        return _DEFAULT
    if name in _ENCODINGS:
        return name
    model = re.sub(r"^(?:.*/|(?:openai|azure|azure_openai):)", "", name)
    for start, encoding in _MODELS:
        if re.match(start, model):
            return encoding
    if near := _nearest_encoding(name) or _nearest_models(model):
        raise TokenizerError(f"tokenizer: {name!r} — did you mean {' or '.join(map(repr, near))}? Wanted: {_WANTED}")
    return None


def _nearest_encoding(name: str) -> list[str]:
    long_names = [encoding for encoding in _ENCODINGS if "_" in encoding]  # "llama2" is no misspelt "llama3"
    begun = [encoding for encoding in long_names if len(name) > 2 and encoding.startswith(name)]
    return begun[:1] or get_close_matches(name, long_names, 1, 0.75)


def _nearest_models(model: str) -> list[str]:
    """The models that the name misspells; none where it differs from one in figures alone: that is another version."""
    near = get_close_matches(model, _WELL_KNOWN, 3, 0.82)
    return [] if re.sub(r"\d", "", model) in [re.sub(r"\d", "", name) for name in near] else near


# The names that people write by hand, and misspell.
_WELL_KNOWN = (
    "gpt-5", "gpt-5-mini", "gpt-4.1", "gpt-4.1-mini", "gpt-4o", "gpt-4o-mini", "gpt-4", "gpt-4-turbo", "gpt-3.5-turbo", "o3-mini",
    "o4-mini", "gpt-oss",
)  # fmt: skip


# What quicktok brings along; and the tables that hold every token of words.txt.
_BOUNDED = {"o200k_base", "cl100k_base", "o200k_harmony", "llama3", "qwen3"}

# The families of models whose encoding is public, most particular first; a model not listed is approximated.
_MODELS = (
    (r"gpt-oss", "o200k_harmony"),
    (r"(?:ft:)?(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-5|o[134](?![a-z0-9]))", "o200k_base"),
    (r"(?:ft:)?(?:gpt-4|gpt-3\.5|gpt-35|davinci-002|babbage-002)(?![a-z0-9.])|text-embedding-(?:3-|ada-002)", "cl100k_base"),
    (r"text-davinci-00[23]|code-(?:davinci|cushman)-|davinci-codex|cushman-codex", "p50k_base"),
    (r"text-(?:davinci|curie|babbage|ada)-001|(?:davinci|curie|babbage|ada)$|gpt-?2$", "r50k_base"),
    (r"(?:meta-)?llama-?3", "llama3"),
    (r"qwen-?(?:2|2\.5|3)(?![0-9.])", "qwen3"),
)


# ---- the caller's own counter


def _function_of(given: Any) -> Callable[[str], Any]:
    """The function to call; a text, list or other sequence has a ``count`` too, but not of tokens."""
    if isinstance(given, type):
        raise TokenizerError(f"count_tokens: the class {given.__name__} — an instance of it")
    if callable(given):
        return given  # type: ignore[no-any-return]
    if not isinstance(given, Sequence):
        if callable(getattr(given, "count", None)):
            return given.count  # type: ignore[no-any-return]
        for method in ("encode_ordinary", "encode"):  # encode_ordinary: <|endoftext|> in a document is text
            if callable(getattr(given, method, None)):
                return getattr(given, method)  # type: ignore[no-any-return]
    raise TokenizerError(
        f"count_tokens: {type(given).__name__} — a function from a text to a number, an object with count or encode, or a name"
    )


def _name_of(given: Any) -> str:
    name = getattr(given, "name", None) or getattr(given, "__qualname__", None)
    return name if isinstance(name, str) and "<" not in name else "custom"


def _checked(count: Callable[[str], Any], name: str) -> Callable[[str], int]:
    def checked(text: str) -> int:
        found = count(text)
        return found if type(found) is int and found >= 0 else _number(found, name)

    return checked


def _number(found: Any, name: str) -> int:
    """What a counter returned as a number; tokens instead of their number count by length."""
    if iscoroutine(found):
        found.close()
    if isawaitable(found):
        raise TokenizerError(f"count_tokens: {name} is asynchronous — a plain function, since a pack counts many times")
    tokens = getattr(found, "input_ids", found)  # a tokenizer of transformers that was called
    number = None
    if not isinstance(found, bool | str | bytes):
        if hasattr(tokens, "__index__"):
            number = operator.index(tokens)
        elif hasattr(tokens, "__len__") and not isinstance(tokens, Mapping):
            number = len(tokens)
        elif isinstance(found, float) and found.is_integer():
            number = int(found)
    if number is None or number < 0:
        raise TokenizerError(f"count_tokens: {name} returned {found!r:.80} — a whole number, 0 or more")
    return number


_SURROGATES = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """The text as it reaches a model: two halves are one character, a lone one is U+FFFD."""
    return text if _SURROGATES.search(text) is None else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# ---- exact counters, offline


def _bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


@cache
def _exact(encoding: str) -> Callable[[str], int] | None:
    return _quicktok(encoding) or _tiktoken(encoding)


def _quicktok(encoding: str) -> Callable[[str], int] | None:
    if encoding not in _BOUNDED:
        return None
    try:
        count: Callable[[str], int] = import_module("quicktok").get_encoding(encoding).count
    except (ImportError, RuntimeError, OSError):
        return None
    return count


class _Table(NamedTuple):
    """What tiktoken says of an encoding: the file, its SHA-256, and the pattern that cuts a text into pieces."""

    file: str
    digest: str
    pattern: str


_GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
_CL100K = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
_O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_R50K_TABLE = _Table("r50k_base", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", _GPT2)
_P50K_TABLE = _Table("p50k_base", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069", _GPT2)
_O200K_TABLE = _Table("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", _O200K)
# Encodings that differ in special tokens alone share a table: those are text here.
_TABLES = {
    "o200k_base": _O200K_TABLE,
    "o200k_harmony": _O200K_TABLE,
    "cl100k_base": _Table("cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", _CL100K),
    "p50k_base": _P50K_TABLE,
    "p50k_edit": _P50K_TABLE,
    "r50k_base": _R50K_TABLE,
    "gpt2": _R50K_TABLE,
}


def _tiktoken(encoding: str) -> Callable[[str], int] | None:
    """From a table on this machine. ``tiktoken.get_encoding`` would fetch one that is missing, so the encoding is built here."""
    table = _TABLES.get(encoding)
    content = None if table is None else next(_contents(table), None)
    if table is None or content is None:
        return None
    from tiktoken import Encoding

    ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in content.splitlines() if line)}
    encode = Encoding(encoding, pat_str=table.pattern, mergeable_ranks=ranks, special_tokens={}).encode_ordinary
    return lambda text: len(encode(text))


def _contents(table: _Table) -> Iterator[bytes]:
    """The table's file from each folder that holds it whole, the best folder first."""
    url = f"https://openaipublic.blob.core.windows.net/encodings/{table.file}.tiktoken"
    name = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
    for folder in _folders():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            continue
        if hashlib.sha256(content).hexdigest() == table.digest:
            yield content


def _folders() -> Iterator[Path]:
    """Where tiktoken keeps its tables, and where llama-index-core brings two along."""
    cached = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    yield Path(cached) if cached else Path(tempfile.gettempdir()) / "data-gym-cache"
    try:
        llama_index = find_spec("llama_index")  # a namespace: finding it imports nothing
    except ValueError:  # something else stands in its place
        return
    for place in (llama_index.submodule_search_locations or ()) if llama_index else ():
        yield Path(place) / "core" / "_static" / "tiktoken_cache"
