"""Knows what stores write into a field that has no value."""

from __future__ import annotations

from contextpack_core.text import folded

_NOTHING = frozenset([
    "n/a", "n.a.", "none", "null", "nil", "nan", "undefined", "not applicable", "not available", "not specified", "not set",
    "unknown", "unspecified", "tbd", "tba", "nicht zutreffend", "unbekannt", "sans objet", "inconnu", "no aplica", "desconocido",
    "n.v.t.", "nie dotyczy", "нет данных", "不适用", "未知", "該当なし", "해당 없음",
])  # fmt: skip
_NO = frozenset([
    "no", "false", "0", "na", "nein", "kein", "keine", "keiner", "non", "aucun", "aucune", "ninguno", "ninguna", "nessuno",
    "nessuna", "nenhum", "nenhuma", "geen", "nee", "brak", "nie", "нет", "无", "無", "なし", "없음", "empty", "nobody", "nothing",
])  # fmt: skip


def says_nothing(text: str) -> bool:
    """Whether a text stands for a value that is missing: ``N/A``, ``none``, ``unknown``, or signs alone, such as a dash."""
    return not any(map(str.isalnum, text)) or folded(text).strip("()[]<>\"' ") in _NOTHING


def names_nothing(text: str) -> bool:
    """The same where a name is expected: ``no``, ``false`` and ``0`` are none either."""
    return says_nothing(text) or folded(text).rstrip(".") in _NO
