"""A pack carried in parts: one for each evidence, to travel with the documents or nodes that a framework hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from contextpack_core.dates import read_date
from contextpack_core.errors import PackError
from contextpack_core.pack import Pack


def share_pack(pack: Pack) -> list[dict[str, Any]]:
    """The pack as plain JSON data in as many parts as it has evidence; the first part also holds all that is not evidence."""
    saved = pack.to_dict()
    parts: list[dict[str, Any]] = [
        {"format": saved["format"], "as_of": saved["as_of"], "evidence": item} for item in saved.pop("evidence")
    ]
    if parts:
        parts[0]["pack"] = saved
    return parts


def gather_pack(parts: Sequence[Mapping[str, Any]]) -> Pack:
    """The pack that the parts make, its evidence in their order.

    Without the part that holds the rest, the pack knows its evidence and nothing of what was left out. Parts of several packs
    (two searches of one conversation) make one pack; a label that two of them give to different passages is an error.

    Raises:
        PackError: a part is none that ``share_pack`` made, or two parts contradict each other.
    """
    for number, part in enumerate(parts):
        if not isinstance(part, Mapping) or not isinstance(part.get("evidence"), Mapping):
            raise PackError(f"parts[{number}]: a mapping with the key 'evidence' is wanted, as share_pack makes it")
    evidence = {part["evidence"].get("label"): part["evidence"] for part in parts}
    for part in parts:
        label = part["evidence"].get("label")
        if evidence[label] != part["evidence"]:
            raise PackError(f"label {label!r} stands for two passages: pack later searches with previous=")
    rest = next((part["pack"] for part in parts if isinstance(part.get("pack"), Mapping)), None)
    if rest is None:
        rest = _bare(parts)
    return Pack.from_dict({**rest, "evidence": list(evidence.values())})


class Carried(NamedTuple):
    """The day and the intent of a pack, as far as its parts tell."""

    as_of: date | None = None
    intent: str | None = None


def request_carried(parts: Sequence[Any]) -> Carried:
    """The as-of date and the intent of the first pack that the parts come from; what is no part of a pack tells nothing."""
    held = [part for part in parts if isinstance(part, Mapping)]
    days = [day for part in held if (day := read_date(part.get("as_of"))) is not None]
    intents = [part["pack"].get("intent") for part in held if isinstance(part.get("pack"), Mapping)]
    return Carried(next(iter(days), None), next((name for name in intents if isinstance(name, str)), None))


def text_carried(part: Any) -> str | None:
    """The text of the passage that a part holds, without its envelope; None if it is no part that ``share_pack`` made."""
    try:
        return "".join([piece["text"] for piece in part["evidence"]["passage"]["pieces"]])
    except (KeyError, TypeError):
        return None


def _bare(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a pack says beside its evidence when nothing is known but that."""
    tokens = sum(part["evidence"].get("tokens", 0) for part in parts)
    return {
        "format": parts[0].get("format", 1) if parts else 1,
        "text": "",
        "tokens": tokens,
        "budget": {"evidence": tokens},
        "intent": None,
        "as_of": parts[0].get("as_of", "1970-01-01") if parts else "1970-01-01",
        "outcome": "PARTIAL" if parts else "EMPTY",
        "conflicts": [],
        "trace": {"steps": []},
    }
