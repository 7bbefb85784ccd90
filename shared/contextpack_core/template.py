"""A policy file to start from: every setting with its default and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from contextpack_core.policy import Policy
from contextpack_core.yaml_policy import dump_yaml


def policy_template() -> str:
    """YAML that reads as the defaults; settings without a default of their own are commented out with an example."""
    definitions = Policy.json_schema()["$defs"]
    lines = [
        "# A contextpack policy. Every line may be left out: these are the defaults; behind # without a blank stand examples.",
        "contextpack:",
    ]
    for name, setting in definitions["Policy"]["properties"].items():
        section = definitions.get(setting.get("$ref", "").rpartition("/")[2])
        lines += ["", *_comment(setting.get("description") or section["description"], "  ")]
        if section is None:
            lines += _setting(name, setting, definitions, "  ")
        else:
            lines.append(f"  {name}:")
            for key, inner in section["properties"].items():
                lines += [*_comment(_described(inner, definitions), "    "), *_setting(key, inner, definitions, "    ")]
    return "\n".join(lines) + "\n"


def _setting(name: str, setting: Mapping[str, Any], definitions: Mapping[str, Any], indent: str) -> Iterator[str]:
    """The default; or, behind a comment sign without a blank, an example where the default says nothing."""
    value = setting.get("default")
    mark = ""
    if not value and value is not False and value != 0:
        value = next(iter(setting.get("examples", ())), value)
        mark = "#"
    for line in dump_yaml({name: value}).splitlines():
        yield f"{indent}{mark}{line}"


def _described(setting: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    return str(setting.get("description") or definitions[setting["$ref"].rpartition("/")[2]]["description"])


def _comment(text: str, indent: str) -> list[str]:
    return [f"{indent}# {line}" for line in wrap(text.replace("``", ""), 110)]
