"""Per what a figure is meant, in words beside it: "10 euros per person", "500 euros a year", "monatlich 12 Euro"."""

from __future__ import annotations

from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.patterns import pattern

# A denominator a line: what it is called, then its words and adverbs in every language.
_TIMES = """
second: sec s sekunde seconde segundo
minute: min minuto minutes
hour: h hr hourly stunde std stündlich stundensatz stundenlohn heure hora
day: daily tag täglich tages jour día
night: nacht nuit noche
week: weekly woche wöchentlich semaine semana
month: monthly mo monat monats monatlich mois mensuel mensuelle mes mensual
quarter: quarterly quartal vierteljährlich trimestre
year: yearly annual annually annum yr jahr jahres jährlich année an annuel annuelle año anual p.a p.a.
"""
_THINGS = """
person: people head kopf personne persona pers
group: gruppe groupe grupo family familie famille
claim: event incident occurrence loss fall schaden schadenfall schadensfall versicherungsfall schadenereignis sinistre siniestro
item: unit piece stück artikel objekt pièce unidad
household: haushalt
vehicle: car fahrzeug auto
"""


def _words(lines: str) -> dict[str, str]:
    found = {}
    for line in lines.strip().splitlines():
        name, _, others = line.partition(":")
        found.update(dict.fromkeys([name, *others.split()], name))
    return found


_TIME, _THING = _words(_TIMES), _words(_THINGS)
_PERIOD = "|".join(sorted([word for word in _TIME if len(word) > 2], key=lambda word: (-len(word), word)))
_ADVERBS = (
    "hourly|daily|weekly|monthly|quarterly|yearly|annually|p\\.\\s?a|stündlich|täglich|wöchentlich|monatlich|vierteljährlich|jährlich|"
    "mensuel(?:le)?s?|annuel(?:le)?s?|mensual(?:es)?|anual(?:es)?"
)
_FEES = "beitrag|gebühr|prämie|miete|rate|satz|preis|betrag|limit|grenze|gehalt|lohn|pauschale|kosten"
_UNDER = pattern(
    r"(?:[\s\x00]{1,2}[^\W\d_]+){0,2}?[\s\x00]{0,2}(?:"
    r"(?:/\s?|\b(?:per|each|every|for each|for every|pro|je|jede[mnrs]?|par|por)\s)"
    r"(?:calendar |insured |versicherte[rn]? )?([^\W\d_]+)"
    rf"|\b(?:an?|the|im|in der|in the|al|a la)\s({_PERIOD}|person|head)\b(?!\s\d)"
    rf"|\b({_ADVERBS})(?![^\W_]))"
)
_OVER = pattern(
    rf"(?<![^\W_])(?:({_ADVERBS}|annual)(?:e[mnrs]?)?(?![^\W_])|(monat|jahr|tag|woche|stunde)(?:e?s|en|n)(?:{_FEES})(?![^\W_])"
    rf"|(?:pro|je|per|im)\s({_PERIOD}|person)(?![^\W_])(?!\s\d))"
)
_CLAUSE = pattern(r"[.;:,\n|(]|\d")
_RATED = frozenset(["number", "money", "percent", "points", "quantity", "duration"])


def rate_of(quantity: Quantity, text: str) -> frozenset[str]:
    """What a figure is meant per, by names that are one in all languages; empty where nothing is said.

    It stands right behind the figure, or (of amounts of money) before it in the same clause: "the monthly fee is 60 euros".
    """
    if quantity.kind not in _RATED:
        return frozenset()
    behind = text[quantity.end : quantity.end + _WINDOW].lower()
    found: list[str] = []
    at = 0
    while (match := _UNDER.match(behind, at)) is not None and len(found) < _MOST:
        name, at = _name(match[1] or match[2] or match[3]), match.end()
        if (second := _SECOND.match(behind, at)) is not None and not (known := _name(second[2])).endswith("?"):
            if second[1]:  # per person and night
                found.append(name)
                name, at = known, second.end()
            elif name.endswith("?"):  # per insurance year
                name, at = known, second.end()
        found.append(name)
    if not found and quantity.kind == "money":
        ahead = _CLAUSE.split(text[max(0, quantity.start - _WINDOW) : quantity.start].lower())[-1]
        found = [_name(match[1] or match[2] or match[3]) for match in _OVER.finditer(ahead)][-1:]
    return frozenset(found)


_WINDOW, _MOST = 64, 3
_SECOND = pattern(r"\s((?:and|und|et|y)\s)?([^\W\d_]+)")
_LAST_PARTS = ("jahr", "monat", "quartal", "woche", "nacht", "stunde", "person", "fall")
"""How German words for a span of time or a thing end: Kalenderjahr, Leistungsfall."""


def _name(word: str) -> str:
    word = word.replace(" ", "")
    for form in (word, word.rstrip("s"), word.removesuffix("e"), word.removesuffix("es"), word.removesuffix("en")):
        if (name := _TIME.get(form) or _THING.get(form)) is not None:
            return name
    part = next((part for part in _LAST_PARTS if word.endswith(part)), "")
    return _TIME.get(part) or _THING.get(part) or f"{word}?"


def rates_agree(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two figures may be one: one says nothing of its rate, both say the same, or one names a thing that is not known."""
    if not one or not other or one <= other or other <= one:
        return True
    times = [frozenset([name for name in rate if name in _TIME]) for rate in (one, other)]
    if times[0] and times[1]:
        return bool(times[0] & times[1])
    unknown = any(name.endswith("?") for name in (*one, *other))
    return not (times[0] or times[1]) and unknown


def period_of(rate: frozenset[str]) -> str:
    """The one span of time among what a figure is meant per; empty if there is none."""
    return next(iter(sorted(name for name in rate if name in _TIME)), "")
