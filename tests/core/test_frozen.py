"""Frozen dataclasses that are made quickly are what they were."""

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from contextpack_core.frozen import quickly_made
from contextpack_core.values import Candidate, Source, Span


@dataclass(frozen=True, slots=True, order=True)
class Plain:
    """What the quick one is compared with."""

    name: str
    size: int = 3
    parts: list[int] = field(default_factory=list, hash=False)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("size")


@quickly_made
@dataclass(frozen=True, slots=True, order=True)
class Quick:
    """The same, made quickly."""

    name: str
    size: int = 3
    parts: list[int] = field(default_factory=list, hash=False)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("size")


class Special(Quick):
    """A class of its own, with room for more."""


def test_it_is_made_from_the_same_arguments() -> None:
    """Defaults, factories, keywords and the signature are those of the dataclass."""
    assert [repr(kind("a")).partition("(")[2] for kind in (Plain, Quick)] == ["name='a', size=3, parts=[])"] * 2
    assert (Quick("a", parts=[1]), Quick(size=4, name="a")) == (Quick("a", 3, [1]), Quick("a", 4, []))
    assert Quick("a").parts is not Quick("b").parts
    assert str(inspect.signature(Quick)) == str(inspect.signature(Plain))


def test_it_is_frozen() -> None:
    """No field can be set or deleted, nor any other."""
    made = Quick("a")

    changes: list[Callable[[], None]] = [
        lambda: setattr(made, "name", "b"),
        lambda: delattr(made, "name"),
        lambda: setattr(made, "more", 1),
    ]
    for change in changes:
        with pytest.raises((FrozenInstanceError, TypeError)):
            change()
    assert (made, type(made)) == (Quick("a"), Quick)


def test_wrong_arguments_are_refused_as_before() -> None:
    """What the class itself checks is checked, and a missing or unknown argument is named."""
    with pytest.raises(ValueError, match="size"):
        Quick("a", -1)
    with pytest.raises(TypeError, match=r"Quick\.__init__\(\) missing 1 required positional argument: 'name'"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Quick\.__init__\(\) got an unexpected keyword argument 'weight'"):
        Quick("a", weight=1)  # type: ignore[call-arg]


def test_copies_and_pickles_are_equal() -> None:
    """Values travel to other processes and are changed by ``replace``; a candidate without metadata too."""
    for value in (Quick("a", 4, [1]), Candidate("c", "text", Source("d", Span(1, 5))), Span(0, 2)):
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value
    assert replace(Quick("a"), size=5) == Quick("a", 5)


def test_a_class_below_it_stays_itself() -> None:
    """An instance of a subclass is none of the class above, and may hold more."""
    made = Special("a", 4)

    assert (type(made), made.name, made.size, made.parts) == (Special, "a", 4, [])
    assert made.__dict__ == {}
