"""YAML as plain data with the line of every value: safe, bounded, and without the surprises of YAML 1.1."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml

from contextpack_core.errors import Fault, PolicyError

Place = tuple[str | int, ...]
"""Where a value stands: keys and positions from the root on."""

ROOT = "contextpack"
"""Under this key the policy lives inside an application's own file; everything beside it is then the application's."""


@dataclass
class Document:
    """What a file says: data, the line and the written form of each value, and what was wrong already."""

    data: Any = None
    root: Place = ()
    origin: str = "policy"
    lines: dict[Place, int] = field(default_factory=dict)
    written: dict[Place, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, place: Place, value: Any, wanted: str, line: int | None = None) -> None:
        self.faults.append(Fault(path_text(place), value, wanted, line or self.line_of(place)))

    def line_of(self, place: Place) -> int | None:
        """The line of the value, or of the nearest one around it."""
        return next((self.lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in self.lines), None)


def path_text(place: Place) -> str:
    """``budget.evidence``, ``render.header[1]``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".") or "(file)"


def load_yaml(path_or_text: str | Path) -> Document:
    """The policy's data in a YAML file or text.

    Values are those of YAML 1.2: only ``true`` and ``false`` are booleans, dates are text, and so is what only YAML 1.1 takes for a
    number (``010``, ``1_000``, ``12:30``). Tags are not followed. Anchors, aliases and merge keys work, within bounds.

    Raises:
        PolicyError: there is no such file, it is no text, or no YAML.
    """
    text, origin = _text_of(path_or_text)
    document = Document(origin=origin)
    if len(text) > _MOST_CHARS:
        raise PolicyError([Fault("(file)", f"{len(text)} characters", f"a policy has at most {_MOST_CHARS}")], origin)
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise PolicyError([_syntax_fault(error, text)], origin) from None
    if node is not None:
        _Reader(document).read_root(node)
    return document


def dump_yaml(data: Any, *, inline: bool = False) -> str:
    """The data as YAML that ``load_yaml`` reads back the same; what YAML 1.1 would misread stands in quotes."""
    style, width = (True, float("inf")) if inline else (False, 120)
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=style, width=width)


_MOST_CHARS = 1_000_000
_MOST_VALUES = 20_000
_DEEPEST = 32


# ---- the text


def _text_of(path_or_text: str | Path) -> tuple[str, str]:
    """The YAML text and the name under which errors speak of it."""
    if isinstance(path_or_text, str):
        text = path_or_text
        if "\n" in text or not text.strip():
            return text, "policy"
        if _is_file(text):
            return _read(Path(text)), text
        if not _PATH_LIKE.search(text):
            return text, "policy"
        path_or_text = Path(text)
    if not isinstance(path_or_text, Path):
        raise PolicyError([Fault("(file)", type(path_or_text).__name__, "a path, or YAML text")])
    return _read(path_or_text), str(path_or_text)


# One line of YAML that is a mapping has ": " or ends with a colon, or begins with a brace; a name of a file has none of it.
_PATH_LIKE = re.compile(r"^(?!\s*[{\[#'\"&*!|>%@`-])(?!.*:(\s|$)).", re.DOTALL)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return False


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        wanted = f"there is no such file in {Path.cwd()}" if not path.is_absolute() else "there is no such file"
        raise PolicyError([Fault("(file)", str(path), wanted)], str(path)) from None
    except UnicodeDecodeError as error:
        raise PolicyError([Fault("(file)", f"byte {error.start}", "text in UTF-8")], str(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PolicyError([Fault("(file)", str(path), f"a file that can be read: {reason}")], str(path)) from None


def _syntax_fault(error: yaml.YAMLError, text: str) -> Fault:
    """The first thing that is no YAML, with the line on which it stands."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        position = getattr(error, "position", None)
        shown = f"character {position}" if position is not None else str(error)
        return Fault("(file)", shown, "readable text without control characters", text.count("\n", 0, position or 0) + 1)
    lines = text.splitlines()
    shown = lines[mark.line].strip() if mark.line < len(lines) else "the end of the file"
    problem = str(getattr(error, "problem", "") or "")
    wanted = "blanks for the indent, not tabs" if "'\\t'" in problem else f"valid YAML: {problem}"
    return Fault("(file)", shown, wanted, mark.line + 1)


# ---- nodes

_TAG = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """Composes nodes to a bounded depth, with the scalars of YAML 1.2. Never constructs anything."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # typed so in the base class
    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.depth > _DEEPEST:
            raise yaml.composer.ComposerError(None, None, f"nested more than {_DEEPEST} deep", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        self.depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


class _Dumper(yaml.SafeDumper):
    """Quotes what either version of YAML would take for something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """In other styles some line separators come back as blanks."""
    return dumper.represent_scalar(_TAG + "str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _write_text)

_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
for _tag, _pattern, _first in (
    ("bool", re.compile("(?:true|True|TRUE|false|False|FALSE)$"), "tTfF"),
    ("null", re.compile("(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    ("int", re.compile("[-+]?(?:0|[1-9][0-9]{0,17})$"), "-+0123456789"),
    ("float", re.compile(f"(?:{_FLOAT.pattern})$"), "-+.0123456789"),
    ("merge", re.compile("<<$"), "<"),
):
    _Loader.add_implicit_resolver(_TAG + _tag, _pattern, list(_first))
    _Dumper.add_implicit_resolver(_TAG + _tag, _pattern, list(_first))


class _Wrong(Exception):
    """The value was reported; there is nothing to put in its place."""


class _Reader:
    """Turns nodes into plain data, noting lines and faults, and going on after each fault."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.values = 0
        self.around: list[yaml.Node] = []

    def read_root(self, node: yaml.Node) -> None:
        """The whole file, or only what stands under the root key: the rest may be anything."""
        document = self.document
        document.lines[()] = node.start_mark.line + 1
        try:
            if isinstance(node, yaml.MappingNode):
                own = [pair for pair in node.value if isinstance(pair[0], yaml.ScalarNode) and pair[0].value == ROOT]
                if own:
                    document.root = (ROOT,)
                    node = yaml.MappingNode(node.tag, own, node.start_mark, node.end_mark)
            document.data = self._value(node, ())
            if document.root:
                document.data = document.data.get(ROOT)
        except _Wrong:
            document.data = None

    def _value(self, node: yaml.Node, place: Place) -> Any:
        self.values += 1
        if self.values > _MOST_VALUES:
            fault = Fault(path_text(place), "…", f"at most {_MOST_VALUES} values, aliases counted", node.start_mark.line + 1)
            raise PolicyError([fault], self.document.origin)
        if any(node is outer for outer in self.around):
            self._report(place, "…", "an alias must not stand inside what it stands for", node)
        self.around.append(node)
        try:
            return self._read(node, node.tag.removeprefix(_TAG), place)
        finally:
            self.around.pop()

    def _read(self, node: yaml.Node, kind: str, place: Place) -> Any:
        if isinstance(node, yaml.ScalarNode) and kind in _SCALARS:
            return self._scalar(node, kind, place)
        if isinstance(node, yaml.SequenceNode) and kind == "seq":
            return self._sequence(node, place)
        if isinstance(node, yaml.MappingNode) and kind == "map":
            return self._mapping(node, place)
        return self._report(place, node.tag, "plain values only: tags are not read", node)

    def _report(self, place: Place, value: Any, wanted: str, node: yaml.Node) -> NoReturn:
        self.document.fault(place, value, wanted, node.start_mark.line + 1)
        raise _Wrong

    def _scalar(self, node: yaml.ScalarNode, kind: str, place: Place) -> Any:
        if kind in ("int", "float"):
            self.document.written[place] = node.value
        try:
            return _SCALARS[kind](node.value)
        except ValueError:
            self._report(place, node.value, f"what its tag says: {kind}", node)

    def _sequence(self, node: yaml.SequenceNode, place: Place) -> list[Any]:
        items = []
        for i, item in enumerate(node.value):
            inner = (*place, i)
            self.document.lines[inner] = item.start_mark.line + 1
            try:
                items.append(self._value(item, inner))
            except _Wrong:
                items.append(None)
        return items

    def _mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        """What ``<<`` puts in, and over it the mapping's own keys."""
        found: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == _TAG + "merge":
                found = {**self._merged(value, place), **found}
        first_lines: dict[str, int] = {}
        for key, value in node.value:
            if key.tag != _TAG + "merge" and self._is_new_key(key, value, place, first_lines):
                found.pop(key.value, None)
                with suppress(_Wrong):
                    found[key.value] = self._value(value, (*place, key.value))
        return found

    def _is_new_key(self, key: yaml.Node, value: yaml.Node, place: Place, first_lines: dict[str, int]) -> bool:
        line = key.start_mark.line + 1
        if key.tag != _TAG + "str" or not isinstance(key, yaml.ScalarNode):
            self.document.fault(place, _shown(key), "a key is text: quote it", line)
        elif key.value in first_lines:
            wanted = f"it stands twice, on line {first_lines[key.value]} too: keep one"
            self.document.fault((*place, key.value), _shown(value), wanted, line)
        else:
            first_lines[key.value] = self.document.lines[(*place, key.value)] = line
            return True
        return False

    def _merged(self, node: yaml.Node, place: Place) -> dict[str, Any]:
        """What ``<<`` puts in: of several mappings the earlier go first."""
        mappings = node.value if isinstance(node, yaml.SequenceNode) else [node]
        merged: dict[str, Any] = {}
        for mapping in mappings:
            if not isinstance(mapping, yaml.MappingNode):
                self._report(place, _shown(mapping), "<< takes a mapping, or a list of mappings", mapping)
            merged = {**self._value(mapping, place), **merged}
        return merged


def _shown(node: yaml.Node) -> Any:
    return node.value if isinstance(node, yaml.ScalarNode) else "…"


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


_SCALARS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": lambda text: float(text.lower().replace(".i", "i").replace(".n", "n")),
    "bool": _boolean,
    "null": lambda text: None,
    "timestamp": str,
}
