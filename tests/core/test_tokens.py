"""Counters are found by name without the network, and taken from the caller in every usual shape."""

from __future__ import annotations

import hashlib
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextpack_core import TokenizerError, counter_for, tokens
from contextpack_core.token_bounds import token_bound
from contextpack_core.tokens import as_counter, encoding_of

HOSTILE = st.text(st.one_of(st.characters(), st.characters(categories=["Cs"]), st.sampled_from("<|endoftext|> \n'sſ")), max_size=60)


@pytest.fixture
def fresh(monkeypatch):
    """Counters are looked for anew, in the test and after it."""
    tokens._exact.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    tokens._exact.cache_clear()


@pytest.fixture
def without_tables(fresh):
    """Neither quicktok nor any table is there, and the network is cut."""
    fresh.setattr(tokens, "_quicktok", lambda encoding: None)
    fresh.setattr(tokens, "_folders", lambda: iter(()))
    fresh.setattr(socket, "socket", None)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        (None, "o200k_base"),
        ("auto", "o200k_base"),
        ("O200K_base ", "o200k_base"),
        ("cl100k_base", "cl100k_base"),
        ("gpt-4o", "o200k_base"),
        ("openai/gpt-4o-mini", "o200k_base"),
        ("openai:gpt-4.1", "o200k_base"),
        ("gpt-5-mini", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("ft:gpt-4o:acme:x:y", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-32k-0613", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("text-davinci-003", "p50k_base"),
        ("gpt-2", "r50k_base"),
        ("gpt-oss-120b", "o200k_harmony"),
        ("meta-llama/Llama-3.1-8B", "llama3"),
        ("Qwen/Qwen2.5-7B", "qwen3"),
        ("claude-sonnet-4", None),
        ("gemini-2.5-pro", None),
        ("gpt-6", None),
        ("llama2", None),
        ("bert-base-uncased", None),
        ("yi-34b-200k", None),
        ("approximate", None),
    ],
)
def test_a_name_stands_for_an_encoding(name, encoding):
    """Encodings, model names with and without a provider; what is not public is None."""
    assert encoding_of(name) == encoding


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("o200k", "o200k_base"),
        ("o200k-base", "o200k_base"),
        ("o20k_base", "o200k_base"),
        ("cl100k_bas", "cl100k_base"),
        ("cl100k", "cl100k_base"),
        ("p50k-edit", "p50k_edit"),
    ],
)
def test_a_misspelt_encoding_names_the_nearest(name, meant):
    """A counter of another encoding would be silently wrong."""
    with pytest.raises(TokenizerError, match=f"{name!r} — did you mean {meant!r}"):
        counter_for(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gpt-4p", "'gpt-4' or 'gpt-4o'"),
        ("gpt4o", "'gpt-4o'"),
        ("openai/got-4o", "'gpt-4o'"),
        ("gpt-4turbo", "'gpt-4-turbo'"),
        ("gpt-35turbo", "'gpt-3.5-turbo'"),
    ],
)
def test_a_misspelt_model_names_the_nearest(name, meant):
    """A model that does not exist is no model of another vendor."""
    with pytest.raises(TokenizerError, match=f"{name!r} — did you mean {meant}"):
        counter_for(name)


@pytest.mark.parametrize(
    "name",
    "gpt-6 gpt-6-mini gpt-4.2 o5-mini gpt-j gpt-neo claude-sonnet-4 llama-2 llama-4-scout mistral-large gemini-2.5-pro qwen1.5 "
    "text-embedding-004 deepseek-chat command-r grok-4 my-deployment".split(),
)
def test_a_model_whose_encoding_is_not_public_is_approximate(name):
    """Models of other vendors, and versions that are yet to come, are bounded from above, and say so."""
    counter = counter_for(name)

    assert (counter.name, counter.approximate) == ("approximate", True)


@pytest.mark.parametrize("name", ["", "  ", 5, ["gpt-4o"]])
def test_what_is_no_name_is_an_error(name):
    """The message lists the encodings."""
    with pytest.raises(TokenizerError, match="o200k_base"):
        counter_for(name)


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "gpt-4"])
def test_a_known_encoding_is_exact(name):
    """Exact counters are not marked, and carry the name of the encoding."""
    counter = counter_for(name)

    assert (counter.name, counter.approximate) == (encoding_of(name), False)
    assert counter("hello world") == 2


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_quicktok_and_tiktoken_agree(name):
    """One is only faster than the other."""
    quick, exact = tokens._quicktok(name), tokens._tiktoken(name)
    samples = ["", "The fee is 40 EUR.", "<|endoftext|>", "水泵每周检查一次", "it's\n\n\n  x\t", "👩‍🔧 \u202e", "ab\x00c" * 50]

    assert [quick(text) for text in samples] == [exact(text) for text in samples]


def test_a_special_token_in_a_text_is_text():
    """It is several tokens, not one, and no error."""
    assert counter_for("cl100k_base")("<|endoftext|>") == 7


@settings(max_examples=300, deadline=None)
@given(text=HOSTILE)
def test_every_text_can_be_counted(text):
    """Lone surrogates count as what a model is sent in their place."""
    sound = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    assert counter_for("o200k_base")(text) == counter_for("o200k_base")(sound)
    assert as_counter(lambda given: len(given.encode()))(text) >= len(sound)
    assert counter_for("approximate")(text) >= counter_for("o200k_base")(text)


def test_without_tables_the_count_is_a_bound_and_says_so(without_tables):
    """The network is not tried."""
    found = [counter_for(name) for name in ("o200k_base", "claude-sonnet-4", "p50k_base")]

    assert [(counter.name, counter.approximate) for counter in found] == [
        ("approximate o200k_base", True),
        ("approximate", True),
        ("approximate p50k_base", True),
    ]
    assert [counter("The fee, 水") for counter in found] == [token_bound("The fee, 水")] * 2 + [12]


def test_a_damaged_table_is_passed_over(fresh, tmp_path):
    """The next folder that holds the table whole is taken; without one there is none."""
    url = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    (tmp_path / hashlib.sha1(url.encode()).hexdigest()).write_bytes(b"IQ== 0\n")
    fresh.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    whole = tokens._tiktoken("o200k_base")
    fresh.setattr(tokens, "_folders", lambda: iter([tmp_path]))

    assert whole is not None
    assert whole("hello world") == 2
    assert tokens._tiktoken("o200k_base") is None


def test_a_table_in_the_cache_of_tiktoken_is_used(fresh, tmp_path):
    """``DATA_GYM_CACHE_DIR`` is looked at as tiktoken does."""
    content = next(tokens._contents(tokens._TABLES["cl100k_base"]))
    url = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
    (tmp_path / hashlib.sha1(url.encode()).hexdigest()).write_bytes(content)
    fresh.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    fresh.setenv("DATA_GYM_CACHE_DIR", str(tmp_path))

    assert next(tokens._folders()) == tmp_path
    assert tokens._tiktoken("cl100k_base")("hello world") == 2


def test_the_table_of_llama_index_is_read_without_importing_it():
    """Only the file is needed, and neither the environment nor the cache folder changes."""
    code = (
        "import os, sys; before = dict(os.environ); from contextpack_core import tokens; tokens._quicktok = lambda encoding: None; "
        "print(tokens.counter_for()('hello world'), 'llama_index' in sys.modules, dict(os.environ) == before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["2", "False", "True"]


def test_two_threads_load_a_table_once(fresh):
    """Loading takes long; the second thread waits for the first."""
    loaded = []

    def slow(encoding):
        loaded.append(encoding)
        time.sleep(0.05)
        return len

    fresh.setattr(tokens, "_quicktok", slow)
    threads = [threading.Thread(target=counter_for, args=("o200k_base",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert loaded == ["o200k_base"]


class _Count:
    def count(self, text):
        return 10

    def encode(self, text):
        return [0] * 20


class _Call(_Count):
    def __call__(self, text):
        return 5


class _Encode:
    def encode(self, text):
        return list(text)


class _Special:
    name = "mine"

    def encode(self, text):
        raise ValueError("special token")

    def encode_ordinary(self, text):
        return [1, 2, 3]


class _Index:
    def __index__(self):
        return 7


@pytest.mark.parametrize(
    ("given_counter", "name", "count"),
    [
        (len, "len", 2),
        (_Call(), "custom", 5),
        (_Count(), "custom", 10),
        (_Encode(), "custom", 2),
        (_Special(), "mine", 3),
        (lambda text: [1, 2, 3, 4], "custom", 4),
        (lambda text: SimpleNamespace(input_ids=[1, 2, 3]), "custom", 3),
        (lambda text: _Index(), "custom", 7),
        (lambda text: 6.0, "custom", 6),
        ("gpt-4", "cl100k_base", 1),
    ],
)
def test_a_callable_goes_before_count_before_encode(given_counter, name, count):
    """Tokens in the place of their number count by length; a text is a name."""
    counter = as_counter(given_counter)

    assert (counter.name, counter.approximate, counter("hi")) == (name, False, count)
    assert as_counter(counter) is counter


async def _later(text):
    return 1


class _AsyncCall:
    async def __call__(self, text):
        return 1


class _AsyncCount:
    async def count(self, text):
        return 1


@pytest.mark.parametrize(
    ("given_counter", "message"),
    [
        (_later, "_later is asynchronous"),
        (_AsyncCall(), "asynchronous"),
        (_AsyncCount(), "asynchronous"),
        (lambda text: _later(text), "asynchronous"),
        (lambda text: -1, "returned -1 — a whole number"),
        (lambda text: True, "returned True"),
        (lambda text: None, "returned None"),
        (lambda text: "12", "returned '12'"),
        (lambda text: 2.5, "returned 2.5"),
        (lambda text: float("nan"), "returned nan"),
        (lambda text: {"tokens": 3}, "returned {'tokens': 3}"),
        (5, "int — a function"),
        ([1, 2], "list — a function"),
        (object(), "object — a function"),
        (_Count, "the class _Count — an instance"),
        ("o200k", "did you mean 'o200k_base'"),
    ],
)
def test_what_counts_no_tokens_is_an_error(given_counter, message):
    """At once where it can be seen, else with the first text."""
    with pytest.raises(TokenizerError, match=message):
        as_counter(given_counter)("hi")


def test_an_error_of_the_callers_counter_is_the_callers():
    """Only a lone surrogate is tried again, in a form that every tokenizer takes."""

    def strict(text):
        text.encode()
        if "x" in text:
            raise ValueError("no x")
        return len(text)

    assert as_counter(strict)("a\ud800b") == 3
    with pytest.raises(ValueError, match="no x"):
        as_counter(strict)("x")
