"""What a policy can hold, written out: a file to start from, and a table of every setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from contextpack_core.fields import COMMON_SPELLINGS
from contextpack_core.policy import Policy
from contextpack_core.yaml_policy import dump_yaml

Schema = Mapping[str, Any]


def policy_template() -> str:
    """YAML that reads as the defaults; a setting without a default that shows its form is commented out, with an example."""
    definitions = Policy.json_schema()["$defs"]
    lines = ["# Every line may be left out: these are the defaults; behind # without a blank stand examples.", "contextpack:"]
    for name, setting in definitions["Policy"]["properties"].items():
        section = _section(setting, definitions)
        lines += ["", *_comment(_meaning(setting, definitions), "  ")]
        if section is None:
            lines += _setting(name, setting, "  ")
        else:
            lines.append(f"  {name}:")
            for key, inner in section["properties"].items():
                lines += [*_comment(_meaning(inner, definitions), "    "), *_setting(key, inner, "    ")]
    return "\n".join(lines) + "\n"


def settings_table() -> str:
    """Every setting as Markdown: a table a section, with what it takes, its default and its meaning."""
    definitions = Policy.json_schema()["$defs"]
    lines = []
    for name, setting in definitions["Policy"]["properties"].items():
        section = _section(setting, definitions)
        rows = section["properties"] if section else {name: setting}
        lines += [
            f"### {name}",
            "",
            _meaning(setting, definitions),
            "",
            "| setting | takes | default | meaning |",
            "|---|---|---|---|",
        ]
        lines += [_row(f"{name}.{key}" if section else key, inner, definitions) for key, inner in rows.items()]
        lines.append("")
    return "\n".join(lines)


def spellings_table() -> str:
    """The common metadata keys of each field as Markdown."""
    rows = [f"| `{name}` | {' '.join(f'`{key}`' for key in keys)} |" for name, keys in COMMON_SPELLINGS.items()]
    return "\n".join(["| field | keys, in this order |", "|---|---|", *rows, ""])


def _section(setting: Schema, definitions: Schema) -> Schema | None:
    """The settings class that a reference names."""
    found: Schema | None = definitions.get(setting.get("$ref", "").rpartition("/")[2])
    return found


def _meaning(setting: Schema, definitions: Schema) -> str:
    """The description; pydantic leaves out one that its section has too."""
    section = _section(setting, definitions) or {}
    return str(setting.get("description") or section["description"])


def _comment(text: str, indent: str) -> list[str]:
    return [f"{indent}# {line}" for line in wrap(text.replace("``", ""), 110)]


def _setting(name: str, setting: Schema, indent: str) -> Iterator[str]:
    value = _default(setting)
    mark = ""
    if value in (None, [], {}):
        value = next(iter(setting.get("examples", ())), value)
        mark = "#"
    for line in dump_yaml({name: value}).splitlines():
        yield f"{indent}{mark}{line}"


def _default(setting: Schema) -> Any:
    """The default; the schema does not tell one that is made anew each time, which is an empty mapping."""
    return setting.get("default", {} if setting.get("type") == "object" else None)


def _row(name: str, setting: Schema, definitions: Schema) -> str:
    cells = (f"`{name}`", _takes(setting, definitions), f"`{_inline(setting)}`", " ".join(_meaning(setting, definitions).split()))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |".replace("``", "`")


def _inline(setting: Schema) -> str:
    """The default on one line of YAML."""
    text = dump_yaml([_default(setting)], inline=True).strip()
    return text.removeprefix("[").removesuffix("]")


def _takes(setting: Schema, definitions: Schema) -> str:
    """The values that a setting takes, in words."""
    if choices := [part for part in setting.get("anyOf", ()) if part.get("type") != "null"]:
        told = " or ".join(dict.fromkeys(_takes(part, definitions) for part in choices))
        return f"{told}, null" if len(choices) < len(setting["anyOf"]) else told
    if "enum" in setting or "const" in setting:
        return ", ".join(f"`{value}`" for value in setting.get("enum", [setting.get("const")]))
    kind = setting.get("type")
    if kind == "array":
        return f"a list of {_takes(setting['items'], definitions)}"
    if kind == "object" or "$ref" in setting:
        section = _section(setting, definitions)
        return f"a mapping: {', '.join(f'`{key}`' for key in section['properties'])}" if section else "a mapping"
    if setting.get("format") == "date":
        return "a date"
    return _KINDS[str(kind)] + _bounds(setting)


_KINDS = {"boolean": "`true`, `false`", "integer": "whole number", "number": "number", "string": "text"}


def _bounds(setting: Schema) -> str:
    low, high = setting.get("minimum"), setting.get("maximum")
    if low is not None and high is not None:
        return f", {low:g} to {high:g}"
    return f", {low:g} or more" if low is not None else ""
