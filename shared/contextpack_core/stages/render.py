"""Renders labelled evidence so that no text can forge a passage, a label or a field, and reads it back exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from json import JSONDecoder, JSONEncoder
from typing import Annotated, Any, Literal, NamedTuple, NoReturn

from pydantic import AfterValidator, model_validator
from pydantic_core import PydanticCustomError

from contextpack_core.errors import PackError
from contextpack_core.settings import Settings
from contextpack_core.values import Evidence, Passage, Span

HeaderField = Literal[
    "title", "edition", "effective", "section", "page", "uri", "doc_id", "family", "effective_from", "effective_until",
    "superseded_by", "supersedes", "status", "authority", "access", "language", "span", "also_in", "conflicts_with",
]  # fmt: skip
"""What a header can show: a field of the source, ``effective`` (its range of days), ``also_in`` (documents of its duplicates),
``conflicts_with`` (labels of passages that say the same with other figures or a negation, where nothing decides)."""


def _label_prefix(value: str) -> str:
    if not re.fullmatch("[A-Za-z]{1,12}", value):
        raise PydanticCustomError("label", "Input should be one to twelve letters, such as P")
    return value


def _separator(value: str) -> str:
    if re.search(r"[<\[{#`]", value):
        raise PydanticCustomError("separator", "Input should hold none of < [ { # `: a passage begins with them")
    return value


class RenderSettings(Settings):
    """The envelope in which the model reads the evidence."""

    format: Literal["xml", "bracket", "markdown", "json"] = "xml"
    """The form of the envelope."""
    header: tuple[HeaderField, ...] = ("title", "edition", "effective", "section", "page")
    """What the model sees of the source; what is not known is left out. ``effective`` is the range of days, both included."""
    label: Annotated[str, AfterValidator(_label_prefix)] = "P"
    """What stands before the number of a passage: letters."""
    separator: Annotated[str, AfterValidator(_separator)] = "\n\n"
    """What stands between two passages, without ``< [ { # ` ``; for bracket and markdown it begins and ends with a line break."""

    @model_validator(mode="after")
    def _separator_fits(self) -> RenderSettings:
        if self.format in ("bracket", "markdown") and not re.fullmatch(r"\n|\n.*\n", self.separator, re.S):
            raise PydanticCustomError("separator", "separator should begin and end with a line break in this format")
        return self


class RenderedPassage(NamedTuple):
    """What one passage of a rendered text says."""

    label: str
    header: dict[str, str]
    text: str


def number_evidence(
    evidence: Sequence[Evidence], settings: RenderSettings, earlier: Mapping[str, str] | None = None
) -> tuple[Evidence, ...]:
    """Give each its label, in the order of the prompt: that of an earlier turn for the same passage, else a number never given.

    ``earlier`` maps the uids of passages to the labels that they had; labels with another prefix are not used again.
    """
    numbers: dict[str, int] = {}
    if earlier:
        of_prefix = re.compile(rf"{settings.label}([1-9][0-9]{{0,8}})").fullmatch
        numbers = {uid: int(found[1]) for uid, label in earlier.items() if (found := of_prefix(label))}
    following = max(numbers.values(), default=0)
    numbered = []
    for item in evidence:
        number = numbers.pop(item.passage.uid, None)  # a second passage of that uid gets a label of its own
        if number is None:
            number = following = following + 1
        numbered.append(Evidence(f"{settings.label}{number}", item.passage, item.tokens))
    return tuple(numbered)


def render(evidence: Sequence[Evidence], settings: RenderSettings) -> str:
    """The evidence as one text, each in its envelope."""
    return Renderer(settings)(evidence)


def render_one(item: Evidence, settings: RenderSettings) -> str:
    """One evidence in its envelope."""
    return Renderer(settings)([item])


class Renderer:
    """Renders evidence as the settings say; what is rendered once is kept, since a budget tries the same passages again."""

    def __init__(self, settings: RenderSettings) -> None:
        self._settings, self._format = settings, _FORMATS[settings.format]
        self._rendered: dict[int, tuple[Passage, str]] = {}  # by the identity of the passage that is held

    def __call__(self, evidence: Sequence[Evidence]) -> str:
        """The evidence as one text, each in its envelope."""
        opening, rendered = self._format.opening, self._rendered
        parts = []
        for item in evidence:
            passage = item.passage
            if id(passage) not in rendered:
                rendered[id(passage)] = passage, self._format.rest(passage, self._settings)
            parts.append(opening(item.label) + rendered[id(passage)][1])
        return self._settings.separator.join(parts)


def header_of(passage: Passage, settings: RenderSettings) -> dict[str, str]:
    """The header fields of a passage as texts, in the order of the settings; what is not known is left out."""
    source = passage.source
    header: dict[str, str] = {}
    for name in settings.header:
        special = _SPECIAL_FIELDS.get(name)
        value = getattr(source, name) if special is None else special(passage)
        if value is not None and value != "" and value != ():
            shown = value if type(value) is str else _shown(value)
            if shown.strip():
                header[name] = shown
    return header


def parse_rendered(text: str, settings: RenderSettings) -> list[RenderedPassage]:
    """The passages that ``render`` with these settings wrote: label, header and text of each, exactly.

    Raises:
        PackError: the text is none that ``render`` writes; the message names the character.
    """
    return list(_FORMATS[settings.format].parse(text, settings)) if text else []


# ---- header fields


def _effective(passage: Passage) -> str | None:
    """The days on which the edition applies, the last one included."""
    first, end = passage.source.effective_from, passage.source.effective_until
    last = end - timedelta(days=1) if end is not None and end > date.min else end
    if first is None:
        return None if last is None else f"to {last.isoformat()}"
    return f"from {first.isoformat()}" if last is None else f"{first.isoformat()} to {last.isoformat()}"


def _also_in(passage: Passage) -> tuple[str, ...]:
    return tuple(dict.fromkeys([source.doc_id for source in passage.also_in]))


_SPECIAL_FIELDS: Mapping[str, Callable[[Passage], Any]] = {
    "effective": _effective,
    "also_in": _also_in,
    "conflicts_with": lambda passage: passage.conflicts_with,
}


def _shown(value: Any) -> str:
    if isinstance(value, Span):
        return f"{value.start}-{value.end}"
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(sorted(map(str, value)) if isinstance(value, set | frozenset) else map(str, value))
    return f"{value:g}" if type(value) is float else str(value)


# ---- xml: <passage id="P1" title="…">


def _xml_opening(label: str) -> str:
    return f'<passage id="{label}"'


def _xml(passage: Passage, settings: RenderSettings) -> str:
    fields = "".join([f' {name}="{_attribute(value)}"' for name, value in header_of(passage, settings).items()])
    return f"{fields}>\n{_xml_text(passage.text)}\n</passage>"


# As in HTML, & and < are text where nothing of a tag or a character reference follows: "R & D", "p < 0.05". Each escape costs
# tokens, and a model that quotes the passage had better read what stands there.
_AMPERSAND = re.compile(r"&(?=[#A-Za-z])")
_LESS_THAN = re.compile(r"<(?! ?[0-9=.])")


def _xml_text(text: str) -> str:
    if "&" in text:
        text = _AMPERSAND.sub("&amp;", text)
    if "<" in text:
        text = _LESS_THAN.sub("&lt;", text)
    return text


_IN_ATTRIBUTES = re.compile('[<>"\x00-\x1f\x7f-\x9f\u2028\u2029]|&(?=[#A-Za-z])')
_NAMED = {"<": "&lt;", ">": "&gt;", '"': "&quot;", "&": "&amp;"}


@lru_cache(4096)  # titles and editions come again and again
def _attribute(value: str) -> str:
    return _IN_ATTRIBUTES.sub(lambda found: _NAMED.get(found[0]) or f"&#{ord(found[0])};", value)


_XML_OPENING = re.compile(r'<passage id="([^"<>]*)"((?: [a-z_]+="[^"<>]*")*)>\n')
_XML_CLOSING = "\n</passage>"
_XML_FIELD = re.compile(r' ([a-z_]+)="([^"]*)"')
_REFERENCE = re.compile(r"&(?:#([0-9]{1,4})|(amp|lt|gt|quot));")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"'}


def _parse_xml(text: str, settings: RenderSettings) -> Iterator[RenderedPassage]:
    at = 0
    while True:
        opening = _XML_OPENING.match(text, at) or _no_passage(at)
        end = text.find(_XML_CLOSING, opening.end())
        if end < 0:
            _no_passage(len(text))
        fields = {name: _unreferenced(value) for name, value in _XML_FIELD.findall(opening[2])}
        yield RenderedPassage(opening[1], fields, _unreferenced(text[opening.end() : end]))
        at = end + len(_XML_CLOSING)
        if at == len(text):
            return
        at = _after_separator(text, at, settings)


def _unreferenced(text: str) -> str:
    if "&" not in text:
        return text
    return _REFERENCE.sub(lambda found: chr(int(found[1])) if found[1] else _CHARACTERS[found[2]], text)


# ---- bracket: [P1] title: … | page: …


def _bracket_opening(label: str) -> str:
    return f"[{label}]"


def _bracket(passage: Passage, settings: RenderSettings) -> str:
    return f"{_heading(passage, settings)}\n{_without_headings(passage.text, settings.label)}"


def _heading(passage: Passage, settings: RenderSettings) -> str:
    fields = " | ".join([f"{name}: {_field(value)}" for name, value in header_of(passage, settings).items()])
    return f" {fields}" if fields else ""


_IN_FIELDS = re.compile("[\\\\|\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPED_IN_FIELDS = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")
_FIELD = re.compile(r"([a-z_]+): ((?:[^\\|]|\\.)*?)(?: \| |\Z)", re.S)


@lru_cache(4096)
def _field(value: str) -> str:
    return _IN_FIELDS.sub(lambda found: f"\\{found[0]}" if found[0] in "\\|" else f"\\u{ord(found[0]):04x}", value)


def _unescaped_field(value: str) -> str:
    return _ESCAPED_IN_FIELDS.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], value)


# A line of the text that begins with a label, or with marks of a list or heading and then a label, gets a backslash before the
# bracket, and so does one that already has some.
_BREAKS = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_UNSEEN = (
    " \t\xa0\xad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
)


@cache
def _labels(prefix: str, only_ascii: bool) -> re.Pattern[str]:
    """A bracket with a label in it, first of several or alone; full-width letters and figures are read as well."""
    gap = f"[{_UNSEEN}]*"
    opening = r"\[" if only_ascii else r"[\[［【〔]"  # one character is found much faster
    letters = [f"[{sign}{chr(ord(sign) + _TO_FULL_WIDTH)}]" for sign in prefix]
    return re.compile(rf"{opening}{gap}{gap.join(letters)}{gap}\d", re.I)


_TO_FULL_WIDTH = ord("Ａ") - ord("A")
_BEFORE_LABEL = re.compile(rf"[{_UNSEEN}#>*+_~|•‣◦▪●·–—.)\d-]")
_ONE_BREAK = re.compile(f"[{_BREAKS}]")


def _without_headings(text: str, prefix: str) -> str:
    labels = _labels(prefix, text.isascii())
    return labels.sub(lambda found: f"\\{found[0]}" if _begins_line(text, found.start()) else found[0], text)


def _with_headings(text: str, prefix: str) -> str:
    """The text as it was before ``_without_headings``."""
    if "\\" not in text:
        return text
    parts, done = [], 0
    for found in _labels(prefix, text.isascii()).finditer(text):
        if text[found.start() - 1] == "\\" and _begins_line(text, found.start()):
            parts.append(text[done : found.start() - 1])
            done = found.start()
    return "".join([*parts, text[done:]])


def _begins_line(text: str, at: int) -> bool:
    """Whether a line begins there, but for marks, what cannot be seen, and then backslashes."""
    while at and text[at - 1] == "\\":
        at -= 1
    while at and _BEFORE_LABEL.match(text, at - 1):
        at -= 1
    return at == 0 or _ONE_BREAK.match(text, at - 1) is not None


def _parse_bracket(text: str, settings: RenderSettings) -> Iterator[RenderedPassage]:
    headings = list(re.finditer(rf"^\[({settings.label}[0-9]+)\](?: ([^\n]*))?\n", text, re.M))
    ends = [heading.start() - len(settings.separator) for heading in headings[1:]]
    if not headings or headings[0].start():
        _no_passage(0)
    for heading, end in zip(headings, [*ends, len(text)], strict=True):
        if end < heading.end() or (end < len(text) and not text.startswith(settings.separator, end)):
            _no_passage(end)
        yield RenderedPassage(heading[1], _fields(heading[2]), _with_headings(text[heading.end() : end], settings.label))


def _fields(heading: str | None) -> dict[str, str]:
    return {name: _unescaped_field(value) for name, value in _FIELD.findall(heading or "")}


# ---- markdown: ### [P1] title: …, and the text in a fence that is longer than every row of backticks in it


def _markdown_opening(label: str) -> str:
    return f"### [{label}]"


def _markdown(passage: Passage, settings: RenderSettings) -> str:
    text = _without_headings(passage.text, settings.label)
    fence = _fence(text)
    return f"{_heading(passage, settings)}\n{fence}\n{text}\n{fence}"


def _fence(text: str) -> str:
    return "`" * (max(map(len, re.findall("`{3,}", text)), default=2) + 1) if "```" in text else "```"


_MARKDOWN_OPENING = re.compile(r"### \[([A-Za-z]+[0-9]+)\](?: ([^\n]*))?\n(`{3,})\n")


def _parse_markdown(text: str, settings: RenderSettings) -> Iterator[RenderedPassage]:
    at = 0
    while True:
        opening = _MARKDOWN_OPENING.match(text, at) or _no_passage(at)
        closing = f"\n{opening[3]}"
        end = text.find(closing, opening.end())
        if end < 0:
            _no_passage(len(text))
        yield RenderedPassage(opening[1], _fields(opening[2]), _with_headings(text[opening.end() : end], settings.label))
        at = end + len(closing)
        if at == len(text):
            return
        at = _after_separator(text, at, settings)


# ---- json: {"id":"P1","title":"…","text":"…"}

_ENCODER = JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECODER = JSONDecoder()


def _json_opening(label: str) -> str:
    return f'{{"id":"{label}",'


def _json(passage: Passage, settings: RenderSettings) -> str:
    return _ENCODER.encode({**header_of(passage, settings), "text": passage.text})[1:]


def _parse_json(text: str, settings: RenderSettings) -> Iterator[RenderedPassage]:
    at = 0
    while True:
        try:
            found, end = _DECODER.raw_decode(text, at)
            yield RenderedPassage(found.pop("id"), {name: found[name] for name in found if name != "text"}, found["text"])
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
            _no_passage(at)
        if end == len(text):
            return
        at = _after_separator(text, end, settings)


# ---- the four formats


class _Format(NamedTuple):
    """How a passage begins with its label and goes on, and how to read it."""

    opening: Callable[[str], str]
    rest: Callable[[Passage, RenderSettings], str]
    parse: Callable[[str, RenderSettings], Iterator[RenderedPassage]]


_FORMATS: Mapping[str, _Format] = {
    "xml": _Format(_xml_opening, _xml, _parse_xml),
    "bracket": _Format(_bracket_opening, _bracket, _parse_bracket),
    "markdown": _Format(_markdown_opening, _markdown, _parse_markdown),
    "json": _Format(_json_opening, _json, _parse_json),
}


def _after_separator(text: str, at: int, settings: RenderSettings) -> int:
    if not text.startswith(settings.separator, at):
        _no_passage(at)
    return at + len(settings.separator)


def _no_passage(at: int) -> NoReturn:
    raise PackError(f"rendered text, character {at}: a passage in the format of the settings is wanted there")
