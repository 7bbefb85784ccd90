"""Whether a quantity of an answer stands in a text: equal in any unit, rounded where it says so, and never across kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from contextpack_core.citations.figures.dates import covers
from contextpack_core.citations.figures.quantity import Key, Quantity
from contextpack_core.citations.figures.rates import rate_of
from contextpack_core.citations.figures.scan import scan
from contextpack_core.citations.figures.tables import DECLINES, EXACT, SHARED_SIGNS
from contextpack_core.patterns import pattern

# Beside its readings, a quantity is filed under these dimensions:
#   written  the bare value, of everything whose unit an answer may leave out
#   open     the bare value of numbers whose unit stands elsewhere (a table's head), so that an answer may supply it
_WRITTEN, _OPEN = "written", "open"
_UNITLESS = frozenset(["number", "money", "quantity", "duration", "ratio"])


class Held(NamedTuple):
    """A text's quantities, filed by what they are equal to; ``rates`` remembers what is read beside them, by where they begin."""

    text: str
    quantities: tuple[Quantity, ...]
    sure: Mapping[Key, Sequence[int]]
    doubtful: Mapping[Key, Sequence[int]]
    moments: tuple[int, ...]
    names: Mapping[str, Sequence[int]]
    scales: tuple[Decimal, ...]
    kinds: dict[tuple[str, str | None], int]
    rates: dict[int, frozenset[str]]

    def rate(self, found: Quantity) -> frozenset[str]:
        """What one of the quantities is meant per."""
        if found.start not in self.rates:
            self.rates[found.start] = rate_of(found, self.text)
        return self.rates[found.start]


class Match(NamedTuple):
    """``found`` is the quantity that was met. Not ``sure``: either has a second reading. ``how`` says more than "equal"."""

    found: Quantity
    sure: bool = True
    how: str = ""
    rounded: bool = False


@lru_cache(maxsize=512)
def hold(text: str, locale: str | None = None) -> Held:
    """The text's quantities, filed; remembered for the last 512 texts."""
    quantities = scan(text, locale)
    scales = _scales_of(text) if quantities else ()
    sure: dict[Key, list[int]] = {}
    doubtful: dict[Key, list[int]] = {}
    names: dict[str, list[int]] = {}
    moments = []
    kinds: dict[tuple[str, str | None], int] = {}
    for index, quantity in enumerate(quantities):
        kind = quantity.kind, quantity.unit
        kinds[kind] = kinds.get(kind, 0) + 1
        if quantity.kind == "identifier":
            names.setdefault(quantity.unit or "", []).append(index)
        elif quantity.kind in ("date", "time"):
            moments.append(index)
        for key in _keys(quantity, scales):
            places = sure.setdefault(key, [])  # hashing a Decimal is what filing costs: once a key
            if not places or places[-1] != index:
                places.append(index)
        for key in quantity.doubtful:
            doubtful.setdefault(key, []).append(index)
        if quantity.doubtful and quantity.kind in _UNITLESS:
            for value in quantity.written[1:]:
                doubtful.setdefault((_WRITTEN, value), []).append(index)
                if quantity.open:
                    doubtful.setdefault((_OPEN, value), []).append(index)
    return Held(
        text,
        quantities,
        sure,
        doubtful,
        tuple(moments),
        names,
        scales,
        kinds,
        {},
    )


def _keys(quantity: Quantity, scales: tuple[Decimal, ...]) -> list[Key]:
    """Everything under which a source's quantity is filed."""
    keys = list(quantity.readings)
    written = quantity.written if not quantity.doubtful else quantity.written[:1]
    if quantity.kind in _UNITLESS:
        keys += [(_WRITTEN, value) for value in written]
        keys += [("n", value) for value in written[1:] if quantity.unit is None]  # the parts of "4 out of 5"
        if quantity.open:
            keys += [(_OPEN, value) for value in written]
        if scales and quantity.scale == 1 and (quantity.open or quantity.kind == "money"):
            for value in written[:1]:
                for scale in scales:
                    scaled = EXACT.multiply(value, scale)
                    keys += [(d, scaled) for d, _ in quantity.readings if d not in ("date", "percent")] + [
                        (_WRITTEN, scaled),
                        (_OPEN, scaled),
                    ]
    elif quantity.kind == "ratio":
        keys += [("n", Decimal(part)) for part in str(quantity.value).split(":")]
    elif quantity.kind == "date":
        keys += [(_WRITTEN, value) for value in quantity.written]
    if quantity.readings and quantity.readings[0][0] == "temperature":
        keys.append(("degree", quantity.written[0]))
    elif quantity.unit == "°":
        keys.append(("degrees", quantity.written[0]))
    return keys


_SCALE_WORD = pattern(
    r"thousands?|millions?|billions?|crores?|lakhs?|tausend|tsd|mio|millionen|mrd|milliarden|milliers|['’]000s?\b|\b000s\b|\(000\)|\bteur\b|\bkeur\b|\bt€"
    r"|[$€£¥]\s?(?:m|mn|mm|k|bn)\b|[(（:：]\s?(?:百?[万萬]|千|[亿億])[元円圆]"
)
_IN_SCALE_WORDS = "illi thousand crore lakh tausend tsd mio mrd 000 eur $".split()
"""One of these stands in each scale word of plain ASCII: a quick look, as most texts have none."""
_BEFORE_SCALE = pattern(
    r"(?:\b(?:in|en|of)\s(?:[^\s\d|]{1,12}\s){0,2}|[$€£¥(]\s?|\b(?:usd|eur|gbp|chf|sek|nok|dkk|rmb|cny|hkd|sgd|aud|cad|inr|rs\.?|r)\s?)$"
)
_SCALE_SIZES = {
    "thousand": 3, "tausend": 3, "tsd": 3, "milliers": 3, "000": 3, "k": 3, "t€": 3, "teur": 3, "keur": 3, "million": 6, "mio": 6,
    "millionen": 6, "m": 6, "mn": 6, "mm": 6, "billion": 9, "bn": 9, "mrd": 9, "milliarden": 9, "crore": 7, "lakh": 5,
    "千": 3, "万": 4, "萬": 4, "百万": 6, "百萬": 6, "亿": 8, "億": 8,
}  # fmt: skip


def _scales_of(text: str) -> tuple[Decimal, ...]:
    """The scales that a text states for its tables ("in millions", "$'000"), smallest first."""
    sizes = set()
    lower = text.lower()
    if lower.isascii() and not any([part in lower for part in _IN_SCALE_WORDS]):
        return ()
    for match in _SCALE_WORD.finditer(lower):
        word = match[0].strip("'’()（:： $€£¥元円圆")
        size = _SCALE_SIZES.get(word) or _SCALE_SIZES.get(word.rstrip("s"))
        start = match.start()
        if size is not None and (not match[0][0].isalpha() or _BEFORE_SCALE.search(lower, max(0, start - 32), start) is not None):
            sizes.add(size)
    return tuple([Decimal(1).scaleb(size) for size in sorted(sizes)])


# ---------------------------------------------------------------- looking one quantity up


def _says_no_minus() -> bool:
    return False


def _agrees_with_all(found: Quantity) -> bool:
    return True


def look_up(
    claim: Quantity,
    held: Held,
    lowered: Callable[[], bool] = _says_no_minus,
    agrees: Callable[[Quantity], bool] = _agrees_with_all,
) -> Match | None:
    """Where the quantity stands in the held text, the surest place first; None where it does not.

    ``lowered`` tells whether the words around the claim's figure say minus ("fell by 5 %", "a loss of 3"); it is asked only where a
    sign would decide. ``agrees`` tells of an equal quantity whether it may be meant: "100 euros a month" is not "100 euros a year".
    """
    if claim.kind == "identifier":
        return _look_up_name(claim, held)
    if claim.kind in ("date", "time"):
        match = _look_up_moment(claim, held)
        if match is not None or not claim.written:
            return match
    if (match := _look_up_equal(claim, held, lowered, agrees)) is not None:
        return match
    if len(claim.written) == _PARTED and not claim.doubtful and all((_WRITTEN, part) in held.sure for part in claim.written[1:]):
        return Match(held.quantities[held.sure[_WRITTEN, claim.written[1]][0]])
    match = _look_up_rounded(claim, held, lowered)
    return match if match is None or agrees(match.found) else None


_PARTED = 3
"""The value and the two parts of "4 out of 5"."""


def _look_up_name(claim: Quantity, held: Held) -> Match | None:
    value = str(claim.value)
    for index in held.names.get(claim.unit or "", ()):
        other = str(held.quantities[index].value)
        if other == value or other.startswith(value + (".", "-")[claim.unit != "version"]) or value.startswith(other + "-"):
            return Match(held.quantities[index])
        if claim.unit == "phone" and min(len(other), len(value)) >= _SUBSCRIBER and _ends_alike(value, other):
            return Match(held.quantities[index])
    return None


_SUBSCRIBER = 7
"""Digits of the shortest telephone number with its area's."""


def _ends_alike(one: str, other: str) -> bool:
    """Whether one telephone number is the other with the code of its country: +49 30 901820 and 030 901820."""
    return one.endswith(other.lstrip("0")) or other.endswith(one.lstrip("0"))


def _look_up_moment(claim: Quantity, held: Held) -> Match | None:
    """The date that the claim's covers. Two spellings with the same two readings are the same text, and no doubt remains."""
    keys = [value for kind, value in claim.readings or claim.doubtful if kind == claim.kind]
    if not claim.doubtful and not claim.unit:
        for index in held.sure.get((claim.kind, keys[0]), ()):
            return Match(held.quantities[index])
    unsure: Match | None = None
    for index in held.moments:
        found = held.quantities[index]
        if found.kind != claim.kind or (claim.kind == "time" and claim.unit and found.unit and claim.unit != found.unit):
            continue
        if claim.surface and claim.surface == found.surface:
            return Match(found)
        others = [value for kind, value in found.readings or found.doubtful if kind == claim.kind]
        if any(_is_covered(claim.kind, str(a), str(b)) for a in keys for b in others):
            if not claim.doubtful and not found.doubtful:
                return Match(found)
            unsure = unsure or Match(found, False)
    return unsure or _with_common_year(claim, held)


def _is_covered(kind: str, claim: str, source: str) -> bool:
    return source.startswith(claim) if kind == "time" else covers(claim, source)


def _with_common_year(claim: Quantity, held: Held) -> Match | None:
    """A full date over a day without a year, in a text that speaks of one year only."""
    value = str(claim.value)
    if claim.kind != "date" or len(value) != 10:
        return None
    moments = [held.quantities[index] for index in held.moments if held.quantities[index].kind == "date"]
    years = {str(moment.value)[:4] for moment in moments if not str(moment.value).startswith("--")}
    if years != {value[:4]}:
        return None
    for moment in moments:
        if str(moment.value) == f"-{value[4:]}":
            return Match(moment, how=f"the year {value[:4]} stands elsewhere in the passage")
    return None


def _look_up_equal(claim: Quantity, held: Held, lowered: Callable[[], bool], agrees: Callable[[Quantity], bool]) -> Match | None:
    unsure: Match | None = None
    for keys, sure in ((claim_keys(claim), True), (_doubtful_keys(claim), False)):
        for key in keys:
            for table, certain in ((held.sure, sure), (held.doubtful, False)):
                for index in table.get(key, ())[:_MOST_PLACES]:
                    found = held.quantities[index]
                    if not _kinds_agree(claim, found, key) or _excludes(found, claim) or not agrees(found):
                        continue
                    if certain or (claim.surface and claim.surface == found.surface):
                        return Match(found)
                    unsure = unsure or Match(found, False)
            if (match := _look_up_negated(claim, key, held, lowered)) is not None:
                return match
    return unsure


_MOST_PLACES = 50
"""Equal figures of a text that are looked at: where none of so many agrees, no other will."""


def _look_up_negated(claim: Quantity, key: Key, held: Held, lowered: Callable[[], bool]) -> Match | None:
    """The same figure with the other sign, where words say on either side what the sign says."""
    value = key[1]
    if not isinstance(value, Decimal) or not value:
        return None
    for index in held.sure.get((key[0], EXACT.minus(value)), ()):
        found = held.quantities[index]
        if _kinds_agree(claim, found, key) and (lowered() if claim.value > 0 else _declines_near(held.text, found.start)):  # type: ignore[operator]
            return Match(found, how="the sign is in the words")
    return None


def claim_keys(claim: Quantity) -> list[Key]:
    """Under what a claim's quantity may be filed in a source."""
    keys: list[Key] = []
    for dimension, value in claim.readings:
        keys.append((dimension, value))
        if claim.kind == "money":
            keys += [(code, value) for code in _COMPATIBLE.get(dimension, ())]
        elif dimension == "n" and isinstance(value, Decimal):
            keys.append((_WRITTEN, value))
        elif dimension == "temperature":
            keys.append(("degrees", claim.written[0]))
    if claim.kind not in ("ordinal", "date", "time", "ratio", "number") and claim.written:
        keys += [(_OPEN, value) for value in (claim.written if not claim.doubtful else claim.written[:1])]
    return keys


_COMPATIBLE: dict[str, tuple[str, ...]] = {sign: tuple(sorted(codes)) for sign, codes in SHARED_SIGNS.items()}
for _sign, _codes in SHARED_SIGNS.items():
    for _code in sorted(_codes):
        _COMPATIBLE[_code] = (*_COMPATIBLE.get(_code, ()), _sign)


def _doubtful_keys(claim: Quantity) -> list[Key]:
    if not claim.doubtful or claim.kind in ("date", "time"):
        return []
    rest = [(_WRITTEN if claim.kind == "number" else _OPEN, value) for value in claim.written[1:]]
    return [*claim.doubtful, *rest]


def _kinds_agree(claim: Quantity, found: Quantity, key: Key) -> bool:
    """Whether the two may speak of one thing: a count of things named is no weight, and the other way round."""
    if key[0] != _WRITTEN or claim.kind != "number" or found.kind == "number":
        return True
    return claim.open or found.kind not in ("quantity", "money")


def _excludes(found: Quantity, claim: Quantity) -> bool:
    """Whether the source says that it is not this number: "more than sixty" things are not sixty."""
    if found.bound not in ("over", "under"):
        return False
    return claim.bound == "exact" or (
        not claim.bound and claim.unit is None and claim.kind == "number" and found.unit is None and not found.open
    )


_SENTENCE = pattern(r"[^\W\d_]+")


def _declines_near(text: str, at: int) -> bool:
    """Whether the words before (or just behind) a place say minus."""
    return declines(text[max(0, at - 60) : at + 40])


def declines(text: str) -> bool:
    """Whether any word of the text says minus."""
    lower = text.lower()
    return any(word in DECLINES for word in _SENTENCE.findall(lower)) or any(
        word in lower for word in ("下降", "减少", "減少", "亏损", "下跌")
    )


# ---------------------------------------------------------------- rounding


def _look_up_rounded(claim: Quantity, held: Held, lowered: Callable[[], bool]) -> Match | None:
    """The figure that the claim rounds: freely where it says "about" or names a bound, else only to places it writes out.

    Without a hedge a number must show that it is rounded: by a scale word or decimals, and at least two digits. "300" is not 287.
    """
    if claim.kind not in _ROUNDABLE or not claim.written or not claim.readings:
        return None
    loose = claim.bound in ("about", "over", "under")
    value = claim.written[0]
    quantum = claim.quantum
    if not quantum:
        return _look_up_share(claim, held)
    if loose and value == value.to_integral_value() and claim.scale == 1:
        quantum = max(quantum, _trailing(value))
    digits = value.adjusted() - quantum.adjusted() + 1
    shares = not loose and claim.kind == "percent" and quantum == 1
    may_round = loose or shares or (digits >= 2 and (quantum < 1 or claim.scale != 1))
    if not may_round and claim.kind != "quantity":
        return None
    strict = claim.bound in _SIDES
    dimension, target = claim.readings[0]
    assert isinstance(target, Decimal)
    step = EXACT.multiply(quantum, claim.factor)
    best: Match | None = None
    nearest = None
    for found in held.quantities:
        for other in _comparable(claim, found, dimension, held.scales):
            if (other < 0) != (target < 0):
                if not lowered():
                    continue
                other = EXACT.minus(other)
            distance = EXACT.subtract(other, target).copy_abs()
            if strict and found.bound:
                continue
            if _is_converted(claim, found, target, other) and best is None:
                best = Match(found, True, f"{_shown(found, held.text)} converted", True)
            if not may_round or (shares and found.quantum) or EXACT.multiply(found.quantum, found.factor) > step:
                continue
            if _is_rounded(target, other, step, claim.bound) and (nearest is None or distance < nearest):
                how = f"{_shown(found, held.text)} is {_SIDES[claim.bound]}" if strict else f"{_shown(found, held.text)} rounded"
                nearest, best = distance, Match(found, True, how, strict or not loose)
    return best


def _is_converted(claim: Quantity, found: Quantity, target: Decimal, other: Decimal) -> bool:
    """Whether the claim in the source's unit, rounded as the source is, is the source's figure: 12 oz are 340.19 g."""
    if claim.kind != "quantity" or found.unit == claim.unit or found.unit is None or len(found.surface) < 2:
        return False
    distance = EXACT.subtract(other, target).copy_abs()
    step = EXACT.multiply(found.quantum, found.factor)
    return EXACT.add(distance, distance) <= step and EXACT.multiply(distance, _FIFTY) <= other.copy_abs()


def _look_up_share(claim: Quantity, held: Held) -> Match | None:
    """The percentage that a fraction is when rounded to the whole percent: "a third" is 33 %."""
    share = dict(claim.readings).get("percent")
    if not isinstance(share, Decimal):
        return None
    for found in held.quantities:
        if found.kind == "percent" and found.unit == "%" and EXACT.subtract(found.written[0], share).copy_abs() <= _HALF:
            return Match(found, True, f"{_shown(found, held.text)} rounded", not claim.bound)
    return None


_HALF = Decimal("0.5")
_SIDES = {"over": "more than that", "under": "less than that"}
_ROUNDABLE = frozenset(["number", "money", "percent", "points", "quantity", "duration"])


def _trailing(value: Decimal) -> Decimal:
    """The size of the last digit that is not zero: 24,000 is written to the thousand."""
    exponent = value.normalize(EXACT).as_tuple().exponent
    return Decimal(1).scaleb(min(int(exponent), 60), EXACT) if isinstance(exponent, int) and exponent > 0 else Decimal(1)


def _is_rounded(target: Decimal, other: Decimal, step: Decimal, bound: str) -> bool:
    distance, size = EXACT.subtract(other, target).copy_abs(), other.copy_abs()
    if bound in ("over", "under"):
        right_side = size >= target.copy_abs() if bound == "over" else size <= target.copy_abs()
        near = distance < step and size >= _MANY and EXACT.multiply(distance, _FOUR) <= size
        return right_side and (near or EXACT.multiply(distance, _TEN) <= size)
    return EXACT.add(distance, distance) <= step and EXACT.multiply(distance, _TEN) <= size


_FOUR, _TEN, _FIFTY, _MANY = Decimal(4), Decimal(10), Decimal(50), Decimal(1000)


def _comparable(claim: Quantity, found: Quantity, dimension: str, scales: tuple[Decimal, ...]) -> list[Decimal]:
    """The source's values in the claim's dimension."""
    if found.kind not in _ROUNDABLE:
        return []
    values = []
    for other, value in found.readings[:2]:
        if isinstance(value, Decimal) and (
            other == dimension or other in SHARED_SIGNS.get(dimension, ()) or dimension in SHARED_SIGNS.get(other, ())
        ):
            values.append(value)
    if not values and found.written and (found.open if claim.kind != "number" else found.kind in _UNITLESS):
        values = [EXACT.multiply(found.written[0], claim.factor)]
    if values and scales and found.scale == 1 and (found.open or found.kind == "money"):
        values += [EXACT.multiply(values[0], scale) for scale in scales]
    return values


def _shown(quantity: Quantity, text: str) -> str:
    return " ".join(text[quantity.start : quantity.end].split())
