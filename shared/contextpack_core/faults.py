"""Says of every wrong setting where it stands and what would be right."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from contextpack_core.errors import Fault
from contextpack_core.settings import Settings
from contextpack_core.yaml_policy import ROOT, Document, Place, path_text


def plain_document(settings: Any) -> Document:
    """Data that a caller made, as ``load_yaml`` would give them: lists, numbers of plain types, text as keys.

    Settings objects, dates and texts stay as they are.
    """
    document = Document()
    data = settings
    if isinstance(data, Mapping) and ROOT in data:
        document.root, data = (ROOT,), data[ROOT]
    document.data = _plain(data, (), document)
    return document


def faults_of(error: ValidationError, document: Document, policy: type[Settings], around: Place = ()) -> list[Fault]:
    """One fault for each place that the validation found wrong, beside those that reading found.

    ``around`` is where what was validated stands in the policy.
    """
    known = {fault.path for fault in document.faults}
    places: dict[Place, list[ErrorDetails]] = {}
    for details in error.errors(include_url=False):
        place = (*around, *_place(details, value_at(document.data, around)))
        places.setdefault(place, []).append(details)
    faults = []
    for place, found in places.items():
        whole = (*document.root, *place)
        if path_text(whole) not in known:
            wanted = " or ".join(dict.fromkeys(_wanted(details, place, document, policy) for details in found))
            faults.append(Fault(path_text(whole), value_at(document.data, place), wanted, document.line_of(whole)))
    return faults


def value_at(data: Any, place: Place) -> Any:
    """The value that stands there; None where nothing does."""
    for part in place:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


# ---- data


_DEEPEST = 32


def _plain(value: Any, place: Place, document: Document) -> Any:
    if len(place) > _DEEPEST:
        document.fault((*document.root, *place), "…", f"nested at most {_DEEPEST} deep")
        return None
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                document.fault((*document.root, *place), key, "a key is text")
        return {key: _plain(item, (*place, key), document) for key, item in value.items() if isinstance(key, str)}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item, (*place, i), document) for i, item in enumerate(value)]
    if isinstance(value, set | frozenset):
        document.fault((*document.root, *place), value, "a list: a set has no order")
        return None
    if callable(item := getattr(value, "item", None)) and not isinstance(value, Settings):
        return item()
    return value


def _place(details: ErrorDetails, data: Any) -> Place:
    """Where in the data an error stands; what pydantic adds to a place for its own use is left out."""
    place: list[str | int] = []
    for part in details["loc"]:
        if part in data if isinstance(data, dict) else isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        elif details["type"] == "missing" and part == details["loc"][-1]:
            data = None
        else:
            break
        place.append(part)
    return tuple(place)


# ---- what would be right


def _wanted(details: ErrorDetails, place: Place, document: Document, policy: type[Settings]) -> str:
    value = value_at(document.data, place)
    if details["type"] == "extra_forbidden":
        return _instead_of_key(place, value, policy)
    if details["type"] == "model_type" and (example := _as_section(place, value, policy)):
        return f"a mapping of settings, such as {example}"
    tell = _TELLERS.get(details["type"])
    if tell is None:
        return re.sub(r"^(Value error, |Assertion failed, )?(Input should be )?", "", details["msg"])
    told = tell(value, details.get("ctx", {}), document.written.get((*document.root, *place)))
    if str(value).lower() in _NOTHING and _may_be_null(place, policy):
        return f"{told}; null for none"
    return f"{told}; leave the key out for the default" if value is None and details["type"] != "missing" else told


_NOTHING = ("off", "no", "none", "false", "never", "nil", "n/a", "-")


def _may_be_null(place: Place, policy: type[Settings]) -> bool:
    """Whether the setting there may be left open."""
    section = _settings_at(place[:-1], policy)
    field = section.model_fields.get(str(place[-1])) if section and place else None
    return field is not None and type(None) in get_args(field.annotation)


def _as_section(place: Place, value: Any, policy: type[Settings]) -> str | None:
    """A lone value under the first setting of the section, for which it is mostly meant: ``{by: edges}`` for ``order: edges``."""
    section = _settings_at(place, policy)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if section is None or not re.fullmatch(r"[\w.-]{1,40}", text) or value is None:
        return None
    return f"{{{next(iter(section.model_fields))}: {text}}}"


def _instead_of_key(place: Place, value: Any, policy: type[Settings]) -> str:
    """The nearest key of that section, else the section in which the key belongs, else all keys of that section."""
    *around, last = place
    key = str(last)
    if not around and _near(key, [ROOT], 0.7):
        return f"no such setting; did you mean {ROOT}?"
    if key.isdigit() and value is None:
        return "numbers take no comma: write the digits together"
    section = _settings_at(around, policy)
    here = list(section.model_fields) if section else []
    sections = _sections(policy)
    if near := _near(key, here, 0.85):
        return f"no such setting; did you mean {near}?"
    homes = [name for name, settings in sections.items() if key in settings.model_fields]
    if homes:
        return f"belongs in {' or '.join(homes)}"
    if key in _OTHER_WORDS:
        return f"no such setting; did you mean {_OTHER_WORDS[key]}?"
    if around and key in policy.model_fields:
        return f"{key} is a section of its own: it belongs one or more levels up"
    if near := _near(key, here, 0.6 if around else 0.7):
        return f"no such setting; did you mean {near}?"
    homes = [f"{name}.{near}" for name, settings in sections.items() if (near := _near(key, list(settings.model_fields), 0.85))]
    meant = f"did you mean {' or '.join(homes)}?" if homes else f"here stand {', '.join(here)}" if here else ""
    beside = (
        "" if around else f"an application's own settings can stand beside a key {ROOT}: then those of contextpack stand under it"
    )
    return "; ".join(filter(None, ("no such setting", meant, beside)))


# What other libraries call it.
_OTHER_WORDS = {
    "max_tokens": "budget.evidence",
    "max_context_tokens": "budget.evidence",
    "token_budget": "budget.evidence",
    "context_window": "budget.input_limit",
    "effective_to": "fields.effective_until",
    "valid_from": "fields.effective_from",
    "valid_to": "fields.effective_until",
    "valid_until": "fields.effective_until",
    "score_threshold": "relevance.min_score",
    "similarity_cutoff": "relevance.min_score",
    "threshold": "relevance.min_score",
    "top_k": "budget.evidence, which counts tokens, not hits",
    "top_n": "budget.evidence, which counts tokens, not hits",
}


_OTHER_VALUES = {
    "reask": "retry",
    "re_ask": "retry",
    "ask_again": "retry",
    "error": "raise",
    "exception": "raise",
    "remove": "strip",
    "warn": "report",
}


def _near(key: str, names: Sequence[str], likeness: float) -> str | None:
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower().replace("-", "_")
    return next(iter(get_close_matches(plain, names, 1, likeness)), None)


def _sections(policy: type[Settings]) -> dict[str, type[Settings]]:
    found = {name: settings_in(field.annotation, field.metadata) for name, field in policy.model_fields.items()}
    return {name: settings for name, settings in found.items() if settings and name != "intents"}


def _settings_at(place: Sequence[str | int], policy: type[Settings]) -> type[Settings] | None:
    """The settings class whose keys stand at that place."""
    current: type[Settings] | None = policy
    parts = list(place)
    while parts and current:
        name = str(parts.pop(0))
        field = current.model_fields.get(name)
        current = settings_in(field.annotation, field.metadata) if field else None
        if name == "intents" and parts:
            parts.pop(0)
    return current


def settings_in(annotation: Any, metadata: Sequence[Any] = ()) -> type[Settings] | None:
    """The settings class that a field holds, directly, as one of several types, or as a part of them."""
    for mark in metadata:
        if isinstance(section := getattr(mark, "section", None), type) and issubclass(section, Settings):
            return section
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return annotation
    return next((found for argument in get_args(annotation) if (found := settings_in(argument))), None)


Teller = Callable[[Any, Mapping[str, Any], str | None], str]


def _whole_number(value: Any, _: Mapping[str, Any], written: str | None) -> str:
    if isinstance(value, bool):
        return "a whole number"
    if isinstance(value, float) and value.is_integer():
        return f"a whole number: write {int(value)}"
    if isinstance(value, str):
        digits = value.strip().replace("_", "").replace(",", "").replace(" ", "")
        if re.fullmatch(r"0+[0-9]+", digits):
            return f"a whole number: write {int(digits)}; a leading zero makes it octal in YAML 1.1"
        if re.fullmatch(r"[-+]?[0-9]{1,18}", digits):
            return f"a whole number: write {int(digits)}" + (", without quotes" if digits == value else "")
        if re.fullmatch(r"0[xob][0-9a-fA-F]{1,15}", digits):
            return f"a whole number, in decimal figures{_decimal(digits)}"
        if re.fullmatch(r"[-+]?[0-9]{19,}", digits):
            return "a whole number of at most 18 figures"
        if re.fullmatch(r"[0-9]+(:[0-9]+)+", digits):
            return "a whole number; YAML 1.1 takes colons for base 60"
    return "a whole number"


def _decimal(digits: str) -> str:
    """How a number of another base is written, if it is one."""
    try:
        return f": write {int(digits, 0)}"
    except ValueError:
        return ""


def _number(value: Any, _: Mapping[str, Any], written: str | None) -> str:
    if isinstance(value, str):
        text = value.strip().replace(",", ".")
        if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)", text):
            return f"a number: write {float(text):g}" + (", without quotes" if text == value else "")
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?\s*%", text):
            return f"a number: write {float(text.rstrip(' %')) / 100:g}"
    return "a number"


def _text(value: Any, _: Mapping[str, Any], written: str | None) -> str:
    if written is not None:
        return f'text: write "{written}", in quotes'
    if isinstance(value, bool):
        return f'text: write "{str(value).lower()}", in quotes'
    if isinstance(value, int | float):
        return f'text: write "{value}", in quotes'
    return "text"


_BOOLEANS = {"yes": "true", "on": "true", "y": "true", "1": "true", "no": "false", "off": "false", "n": "false", "0": "false"}


def _boolean(value: Any, _: Mapping[str, Any], written: str | None) -> str:
    meant = _BOOLEANS.get(str(value).lower())
    if str(value).lower() in ("true", "false"):
        meant = f"{str(value).lower()}, without quotes"
    return f"true or false: write {meant}" if meant else "true or false"


def _choice(value: Any, context: Mapping[str, Any], written: str | None) -> str:
    choices = re.findall(r"'([^']*)'", str(context.get("expected", "")))
    if isinstance(value, bool):  # YAML writers that know only version 1.1 turn on and off into these
        value = "on" if value else "off"
        if value in choices:
            return f'one of {", ".join(choices)}: write "{value}", in quotes'
    near = None
    if isinstance(value, str):
        other = _OTHER_VALUES.get(value.lower().replace("-", "_"))
        if other is None and "off" in choices and value.lower() in _NOTHING:
            other = "off"
        near = other if other in choices else _near(value, choices, 0.6)
    told = f"one of {', '.join(choices)}" if len(choices) > 1 else "".join(choices)
    return f"{told}; did you mean {near}?" if near else told


def _bound(words: str) -> Teller:
    return lambda value, context, written: f"{words} {next(iter(context.values())):g}"


def _length(words: str, unit: str) -> Teller:
    def tell(value: Any, context: Mapping[str, Any], written: str | None) -> str:
        length = context.get("min_length", context.get("max_length", 1))
        return f"{words} {length} {unit}{'s' if length != 1 else ''}"

    return tell


def _day(value: Any, _: Mapping[str, Any], written: str | None) -> str:
    return "a date that exists, like 2026-03-01"


def _list(value: Any, _: Mapping[str, Any], written: str | None) -> str:
    return f"a list: [{value}]" if isinstance(value, str) else "a list"


def _say(words: str) -> Teller:
    return lambda value, context, written: words


_TELLERS: dict[str, Teller] = {
    "int_type": _whole_number,
    "int_parsing": _whole_number,
    "float_type": _number,
    "finite_number": _say("a finite number"),
    "bool_type": _boolean,
    "string_type": _text,
    "literal_error": _choice,
    "enum": _choice,
    "greater_than_equal": _bound("at least"),
    "greater_than": _bound("more than"),
    "less_than_equal": _bound("at most"),
    "less_than": _bound("less than"),
    "string_too_short": _length("text of at least", "character"),
    "string_too_long": _length("text of at most", "character"),
    "too_short": _length("a list of at least", "entry"),
    "too_long": _length("a list of at most", "entry"),
    "tuple_type": _list,
    "list_type": _list,
    "dict_type": _say("a mapping of keys to values"),
    "mapping_type": _say("a mapping of keys to values"),
    "model_type": _say("a mapping of settings"),
    "missing": _say("is required"),
    **dict.fromkeys(("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"), _day),
}
