"""What figures that stand side by side share: the ends of a range, the parts of "2 hours 30 minutes", "one in five"."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from contextpack_core.citations.figures.amounts import with_unit_of
from contextpack_core.citations.figures.numerals import quotient
from contextpack_core.citations.figures.quantity import Quantity
from contextpack_core.citations.figures.tables import EXACT
from contextpack_core.patterns import pattern

_RANGE = pattern(r"\s?(?:-|–|—|−|‒|~|〜|～|to|up to|through|until|bis|à|a|al|hasta|至|到|から)\s?")
_AND = pattern(r",?\s(?:and|und|et|y|e)\s")
_TIMES = pattern(r"\s?[x×]\s?")
_OUT_OF = pattern(r" (?:in|of|out of|of every|in every) ")
_CLOSE = 12


def join_neighbours(found: Sequence[Quantity], lower: str) -> tuple[Quantity, ...]:
    """The quantities with what their neighbours tell: units, scales, years of a range's ends; parts of one quantity joined."""
    result: list[Quantity] = []
    for right in found:
        left = result[-1] if result else None
        if left is None or not 0 <= right.start - left.end <= _CLOSE or "identifier" in (left.kind, right.kind):
            result.append(right)
            continue
        gap = lower[left.end : right.start]
        whole = _compound(left, right, gap) or _one_in(left, right, gap)
        if whole is not None:
            result[-1] = whole
            continue
        if _RANGE.fullmatch(gap) is not None:
            left, right = _as_range(_with_year(left, right), right)
        elif _AND.fullmatch(gap) is not None:
            left = _with_year(left, right)
            if lower[max(0, left.start - 10) : left.start].rstrip().endswith(("between", "zwischen", "entre")):
                left, right = _as_range(left, right)
        elif _TIMES.fullmatch(gap) is not None and {left.kind, right.kind} <= _COUNTED:
            left, right = _as_count(left), _as_count(right)
        elif _TIMES.fullmatch(gap) is not None and right.kind == "quantity" and left.unit is None and left.kind == "number":
            left = with_unit_of(left, right)
        result[-1:] = [left, right]
    return tuple(result)


_COUNTED = frozenset(["number", "date"])


def _as_count(quantity: Quantity) -> Quantity:
    """What looks like a year beside a times sign is none: 1920 × 1080."""
    if quantity.kind == "number" or not quantity.written:
        return quantity
    return quantity._replace(kind="number", value=quantity.written[0], readings=(("n", quantity.written[0]),))


def _compound(left: Quantity, right: Quantity, gap: str) -> Quantity | None:
    """``2 hours 30 minutes``, ``5 ft 10 in``: one quantity in two units, the smaller one less than one of the larger."""
    if (
        left.kind != right.kind
        or left.kind not in ("duration", "quantity")
        or gap.strip() not in ("", "and", ",", "und", "et", "y")
    ):
        return None
    if left.unit == "h" and right.unit == "m":
        right = with_unit_of(right, right._replace(unit="min", factor=Decimal(60), kind="duration"))
    if not left.readings or not right.readings or left.doubtful or right.doubtful:
        return None
    (dimension, large), (other, small) = left.readings[0], right.readings[0]
    if dimension != other or right.factor >= left.factor or not isinstance(large, Decimal) or not isinstance(small, Decimal):
        return None
    if dimension == "temperature" or large < 0 or small < 0 or small >= left.factor or left.quantum != 1:
        return None
    total = EXACT.add(large, small)
    value = EXACT.divide(total, right.factor)
    return left._replace(
        end=right.end,
        value=value,
        unit=right.unit,
        readings=((dimension, total),),
        written=(value,),
        factor=right.factor,
        quantum=right.quantum,
    )


def _one_in(left: Quantity, right: Quantity, gap: str) -> Quantity | None:
    """``one in five``, ``4 out of 5``: a share, of which the parts may be named again."""
    if left.kind != "number" or right.kind != "number" or left.doubtful or right.doubtful or _OUT_OF.fullmatch(gap) is None:
        return None
    part, whole = left.written[0], right.written[0]
    if not 0 < part < whole <= 10**6 or part != part.to_integral_value() or whole != whole.to_integral_value():
        return None
    share = quotient(part, int(whole))
    readings = (("n", share), ("percent", EXACT.multiply(share, Decimal(100))))
    return right._replace(start=left.start, value=share, readings=readings, written=(share, part, whole), quantum=Decimal(0))


def _with_year(left: Quantity, right: Quantity) -> Quantity:
    """``3 June`` before ``5 July 2024`` is of 2024."""
    value, other = str(left.value), str(right.value)
    if (
        left.kind != "date"
        or right.kind != "date"
        or not value.startswith("--")
        or other.startswith("--")
        or len(right.readings) != 1
    ):
        return left
    full = other[:4] + value[1:]
    return left._replace(value=full, readings=(("date", full),))


_MEASURED = frozenset(["money", "percent", "points", "quantity", "duration"])


def _as_range(left: Quantity, right: Quantity) -> tuple[Quantity, Quantity]:
    """Both ends with the unit of either; the scale of the second may be meant for the first as well ("5 to 10 million")."""
    left, right = left._replace(side=1), right._replace(side=2)
    if left.unit is None and left.kind == "number" and right.kind in _MEASURED:
        left = with_unit_of(left, right)
    elif right.unit is None and right.kind == "number" and left.kind == "money":
        right = with_unit_of(right, left)
    if right.scale != 1 and left.scale == 1 and left.kind in ("number", "money") and left.written:
        value = EXACT.multiply(left.written[0], right.scale)
        keys = tuple([(dimension, EXACT.multiply(v, right.scale)) for dimension, v in left.readings if isinstance(v, Decimal)])
        left = left._replace(
            value=value,
            readings=(*keys, *left.readings),
            written=(value, *left.written),
            quantum=EXACT.multiply(left.quantum, right.scale),
        )
    return left, right
