"""How near candidates are to the question, by vectors that come with them or from a small model on the machine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import mul
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from pydantic import BeforeValidator

from contextpack_core.errors import ArgumentError
from contextpack_core.values import Candidate

Vector = Sequence[float]


_FUNCTIONS = {"get_text_embedding_batch": "model", "embed_documents": "embeddings"}
"""What a model calls its function from texts to vectors, and such a model in an example."""


def _embedder(given: Any) -> Any:
    """What was given, if it is a function of texts; a model that can be called takes nodes, and so is none."""
    offered = next((name for name in _FUNCTIONS if hasattr(given, name)), None)
    if given is None or (callable(given) and offered != "get_text_embedding_batch"):
        return given
    wanted = "a function from texts to vectors, such as a model's embed_documents"
    if offered:
        wanted = f"its function from texts to vectors: embed={_FUNCTIONS[offered]}.{offered}"
    raise ArgumentError(f"embed: {type(given).__name__} — {wanted}")


Embedder = Annotated[Callable[[list[str]], Sequence[Vector]], BeforeValidator(_embedder)]
"""From texts to vectors of one length, as LangChain's ``embed_documents`` and LlamaIndex's ``get_text_embedding_batch`` do."""


def nearness(
    query: str, query_embedding: Vector | None, candidates: Sequence[Candidate], embed: Embedder | None = None
) -> list[float] | None:
    """The cosine of each candidate's vector with that of the question, -1 to 1; None where the question has none, or none of them.

    ``embed`` makes the vectors that are missing, all in one call. A candidate without a usable one, as long as the question's, has
    the mean of the others.

    Raises:
        ArgumentError: ``embed`` is no function, or a model in the place of its function.
        ValueError: ``embed`` returns another number of vectors than it was given texts.
    """
    _embedder(embed)
    vectors = [candidate.embedding for candidate in candidates]
    bare = [i for i, vector in enumerate(vectors) if vector is None] if embed else []
    texts = [candidates[i].text for i in bare] + ([query] if embed and query_embedding is None else [])
    made = list(embed(texts)) if embed and texts else []
    if len(made) != len(texts):
        raise ValueError(f"embed: {len(made)} vectors for {len(texts)} texts")
    for i, vector in zip(bare, made, strict=False):
        vectors[i] = tuple(vector)
    asked = query_embedding if query_embedding is not None else made[-1] if made else None
    return None if asked is None else _cosines(asked, vectors)


def _cosines(asked: Vector, vectors: Sequence[Vector | None]) -> list[float] | None:
    long = _length(asked)
    found = [_cosine(asked, long, vector) for vector in vectors]
    known = [value for value in found if value is not None]
    if not known:
        return None
    mean = sum(known) / len(known)
    return [mean if value is None else value for value in found]


def _cosine(asked: Vector, long: float, vector: Vector | None) -> float | None:
    if vector is None or len(vector) != len(asked) or not (length := _length(vector) * long):
        return None
    return float(sum(map(mul, asked, vector)) / length)


def _length(vector: Vector) -> float:
    """The length of a vector, 0 if it points nowhere."""
    square = sum(map(mul, vector, vector))
    return math.sqrt(square) if math.isfinite(square) else 0.0


class StaticModel:
    """A table of word vectors of 256 numbers, 16 MB, that comes with the package ``wordllama`` (MIT): no network, no accelerator.

    Needs the extra ``semantic`` (``pip install 'contextpack-rag[semantic]'``). The table is loaded once, with the first text.

    Raises:
        ImportError: the extra is not installed.
    """

    def __call__(self, texts: list[str], /) -> list[tuple[float, ...]]:
        """A vector for each text, of length 1."""
        if not texts:
            return []
        sound = [text.encode("utf-8", "replace").decode() or " " for text in texts]  # its tokenizer takes no lone surrogates
        return [tuple(map(float, vector)) for vector in _table().embed(sound, norm=True)]


_loaded: list[Any] = []
_loading = Lock()


def _table() -> Any:
    with _loading:
        if not _loaded:
            try:
                import wordllama
            except ImportError as error:
                raise ImportError("StaticModel needs wordllama: pip install 'contextpack-rag[semantic]'") from error
            # Its folder as its cache: elsewhere version 0.4 does not find the tokenizer that it brings along.
            folder = Path(wordllama.__file__).parent
            _loaded.append(wordllama.WordLlama.load(cache_dir=folder, disable_download=True))
    return _loaded[0]
