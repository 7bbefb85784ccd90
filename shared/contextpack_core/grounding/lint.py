"""Names what in the head of a prompt differs from request to request and so breaks a provider's prefix cache."""

# ruff: noqa: E501 — a sentence or pattern on one line can be compared with its neighbours

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from contextpack_core.dates import MONTH_NAMES
from contextpack_core.errors import ArgumentError
from contextpack_core.patterns import pattern
from contextpack_core.values import Span


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the head that looks as if it changed with the request, and where to put it; ``str()`` says both.

    ``message`` is the place of the message, counted from 0, ``span`` the place in its text.
    """

    kind: str
    text: str
    message: int
    span: Span
    advice: str

    def __str__(self) -> str:
        return f"message {self.message}, character {self.span.start}: {self.kind} {self.text!r} — {self.advice}"


_LAST = "put it into the last message, behind everything that stays the same"
_NO_IDS = "leave it out: the model needs no ids of requests; send it as metadata of the call"
_ADVICE = {
    "date": f"{_LAST}; the as-of date has its place there (as_of=)",
    "time": f"{_LAST}, or leave it out",
    "uuid": _NO_IDS,
    "id": _NO_IDS,
    "address": _NO_IDS,
    "e-mail": f"{_LAST}, or leave it out",
    "user": f"{_LAST}, or leave it out",
    "counter": f"{_LAST}, or leave it out",
    "variable": f"a variable is filled anew for each request: {_LAST}",
    "order": "write it in one fixed order, say by name: the same lines in another order are another prefix",
    "change": f"it differs between the two requests: {_LAST}",
}

_MONTH = "|".join(re.escape(name) for name in sorted(MONTH_NAMES, key=len, reverse=True))
_OF = r"(?:of |de |del |di )?"
_NOW = (
    r"(?:\b(?:today|it)(?: is|['’]s)|\b(?:today|now|heute|oggi|hoje|hoy|vandaag|aujourd['’]hui|dziś|сегодня) ?[:,=]"
    r"|\bheute ist(?: der)?|\bes ist|\bnous sommes(?: le)?|\bon est(?: le)?|\baujourd['’]hui,? c['’]est|\bhoy es|\bestamos a|\boggi è|\bhoje é"
    r"|\bvandaag is(?: het)?|\bhet is|\bdziś jest|\bсегодня)"
)
_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta"
    r"|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela"
    r"|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье)"
)
_YEAR_IS = (
    r"(?:(?:the|this|current)(?: current)? (?:year|month)(?: is|:)|(?:das|dieses|aktuelle[s]?) (?:aktuelle )?jahr(?: ist|:)|wir schreiben(?: das jahr)?|wir haben"
    r"|l['’]année(?: en cours| actuelle)?(?: est|:)|nous sommes en|on est en|el año(?: actual| en curso)?(?: es|:)|estamos en|it is now|we are in)"
)
_NAME = r"[^\W\d_a-zß-öø-ÿ][^\s,.;:!?()]{0,40}"
"""A word that begins with a letter that is no small one of the Latin alphabet."""
_FULL_NAME = rf"{_NAME}(?: {_NAME}){{0,2}}"
_PERSON = (
    r"(?:user|customer|client|caller|member|nutzer|benutzer|anwender|kunde)(?:in)?|utilisateur|utilisatrice|client[e]?|usuario|usuaria|cliente"
    r"|utente|usuário|usuária|gebruiker|klant"
)
_CALLED = r"(?:is called|is named|name is|is|heißt|heisst|s['’]appelle|se llama|si chiama|se chama|heet)"
_THING = (
    r"(?:request|session|trace|conversation|thread|correlation|user|tenant|run|message|customer|client|account|ticket|case|claim|order|policy"
    r"|contract|member|employee|transaction|device)"
)
_ID = r"(?=[\w./-]{0,40}\d)[\w./-]{3,80}"
"""A token with a digit in it."""
_HANDLE = r"(?=[a-z_-]{0,40}[\d_-])[a-z0-9][\w-]{1,60}\b"
"""A token with a digit, hyphen or underscore in it."""
_PATTERNS = (
    ("uuid", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    ("e-mail", r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b"),
    ("address", r"\b(?:ip|host|address|adresse|dirección|indirizzo|地址)(?: address)?(?: is|ist|:|=)? *(?:\d{1,3}\.){3}\d{1,3}\b"),
    ("address", r"(?<![\w.-])(?=[\d.]{0,12}\b(?:3[2-9]|[4-9]\d|1\d\d|2[0-4]\d|25[0-5])\b)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.-]*\d)"),
    ("address", r"(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])"),
    ("date", r"(?<![\w-])\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])"),
    ("date", rf"(?<![\w.])\d{{1,2}}(?:st|nd|rd|th|er|º|ª)?\.? ?{_OF}(?:{_MONTH})\.?,? {_OF}\d{{4}}(?!\d)"),
    ("date", rf"(?<!\w)(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}(?!\d)"),
    ("date", rf"(?<![\w.])\d{{4}}\. (?:{_MONTH}) \d{{1,2}}(?!\d)"),
    ("date", r"(?<![\w./])\d{1,2}[./]\d{1,2}[./]\d{4}(?![\w/])"),
    ("date", r"(?<!\d)\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일號号]?"),
    ("date", rf"{_NOW} *{_WEEKDAY}(?!\w| ?(?:to|bis|à|a|-|–) )"),
    ("date", rf"\b(?:as of|stand:?|état(?: en)?|a fecha de) (?:{_MONTH})\.? {_OF}\d{{4}}(?!\d)"),
    ("date", rf"\b{_YEAR_IS} ?(?:(?:{_MONTH})\.? {_OF})?(?:19|20)\d\d(?![\w.,]*\d| ?(?:€|\$|%|eur|usd|gbp|token|word|case|dollar|pound))"),
    ("date", r"(?:现在是|今年是|今は|今年は) ?\d{4} ?年"),
    ("date", r"(?:今天|今日|本日|오늘)(?:是|は|은)? ?(?:(?:星期|周|礼拜)[一二三四五六日天]|[月火水木金土日]曜|[월화수목금토일]요일)"),
    ("time", r"(?<![\w:.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[ap]\.?m\b)?(?![\w:])"),
    ("time", rf"(?:{_NOW}|\bcurrent time(?: is|:)) *\d{{1,2}} ?(?:[ap]\.?m\b|uhr\b|heures\b|o['’]clock\b)"),
    ("time", r"(?<![\w.,$€£-])1[5-9]\d{8}(?:\d{3})?(?![\w.,]*\d| ?(?:[€$£%]|eur|usd|gbp|euro|dollar|pound|token|yen|million))\b"),
    ("id", r"(?-i:\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b)"),
    ("id", r"\b[0-9a-f]{24,64}\b"),
    ("counter", r"\b(?:request|turn|attempt|visit|iteration)(?: number| no\.?)? ?#?\d{1,9}(?: of \d{1,9})?(?![\w-])"),
    ("id", rf"\b{_THING}[ _-]?(?:ids?|no\.?|nr\.?|number|nummer|#)(?: is|:|=|#)? *{_ID}"),
    ("id", rf"\b{_THING}[ _-]?id *[:=#] *\S{{1,80}}"),
    ("id", rf"\b(?:kunden|nutzer|benutzer|vertrags|policen|schaden|sitzungs|anfrage)-?(?:nummer|nr\.?|id)(?: ist|:|=)? *{_ID}"),
    ("id", rf"\b(?:tenant|mandant|workspace|organi[sz]ation|org) ?[:=] *{_HANDLE}"),
    ("id", rf"\b(?:nonce|salt|cache[ _-]?buster) ?[:=] *{_ID}"),
    ("id", rf"\b(?:session|request|trace|conversation|thread|tenant|sitzung|anfrage) ?[:=#] *{_ID}"),
    ("id", rf"\b(?:n°|nº|núm\.?|numéro|número|numero) (?:de |di )?(?:client|contrat|police|dossier|session|cliente|póliza|contrato|sesión|polizza|contratto)[ae]? ?[:=]? *{_ID}"),
    ("id", r"(?:会话|用户|请求|客户|保单|合同)(?:编号|号码|号|ID) ?[:：是为]? *[\w-]{3,60}"),
    ("user", rf"\b(?:logged in as|signed in as|talking to|speaking with|speaking to|assisting) (?-i:{_FULL_NAME})"),
    ("user", rf"\b(?:{_PERSON})['’]s (?:full |first |last )?name(?: is|:) (?-i:{_FULL_NAME})"),
    ("user", rf"\b(?:name (?:des|der) (?:{_PERSON})s?(?: ist|:)|(?:le nom|el nombre) (?:de l['’]|du |de la |del )(?:{_PERSON})(?: est| es|:)) (?-i:{_FULL_NAME})"),
    ("user", rf"\b(?:{_PERSON}) {_CALLED} (?-i:{_FULL_NAME})"),
    ("user", r"\b(?:user|customer|client)[ _]?name *(?:is|:|=) *[^\s,;]{1,60}|\b(?:nutzer|benutzer|kunden?)name *(?:ist|:|=) *[^\s,;]{1,60}"),
    ("user", r"\b(?:logged|signed) in as (?!(?:an?|the|admin|administrator|guest|root|user|anonymous)\b)[\w-]{1,40}(?:\.[\w-]{1,40}){0,3}"),
    ("user", rf"\b(?:current user|{_PERSON}) ?[:=] *{_HANDLE}"),
    ("user", rf"\b(?:current user|{_PERSON}) ?[:=] *(?-i:{_FULL_NAME})(?=[.,;)]?\s*(?:$|\n)|[.,;)]| asks\b)"),
    ("user", r"(?:用户名|用户|客户|姓名)(?:是|叫|为|：|:) ?[^\s，。,.；;]{1,20}"),
    ("user", rf"(?:^|(?<=[.!?\n])[ \n]?)(?:hello|hi|hey|dear|hallo|liebe[r]?|bonjour|salut|hola|ciao|olá|beste|witaj) (?!world\b|there\b|all\b|everyone\b|team\b|welt\b|zusammen\b)(?-i:{_FULL_NAME})(?=[,.!]|\s*(?:$|\n))"),
    ("counter", r"\b(?:message|question|call)(?: number| no\.?| ?#) ?\d{1,9}(?: of \d{1,9})?\b|\b(?:message|question|call) \d{1,9} of \d{1,9}\b"),
    ("counter", r"#\d{2,9}\b"),
)  # fmt: skip
_SEARCHED = [(kind, pattern(expression, re.I)) for kind, expression in _PATTERNS]
_VARIABLES: dict[str, tuple[re.Pattern[str], ...]] = {
    "f-string": (pattern(r"(?<!\{)\{[a-zA-Z_]\w{0,40}\}(?!\})"),),
    "jinja2": (pattern(r"\{\{ ?[a-zA-Z_]\w{0,40} ?\}\}"),),
}
_VARIABLES["mustache"] = _VARIABLES["jinja2"]
_VARIABLES[""] = (*_VARIABLES["f-string"], *_VARIABLES["jinja2"])
_NUMBERED = pattern(
    r"(?:version|release|edition|clause|section|chapter|article|paragraph|v\.?|§|ziffer|abschnitt|fassung|kapitel|artikel) ?$", re.I
)
"""What stands before a number that is no date, time or address."""
_ROLES = frozenset("system developer user human assistant ai tool function".split())


def lint_prompt(messages: Any, other: Any = None) -> list[Finding]:
    """What in the head looks as if it changed from request to request, in the order in which it stands there.

    ``messages`` are a text, or a list of messages: pairs of role and text, mappings with ``content``, texts, or message objects of
    a framework; also what a framework makes of a prompt (with ``to_messages``), or its template, of which the fixed parts are read and
    the variables named. The head is all of them but the last, or the one there is; a place for the messages of a conversation before
    the last does not belong to it. With ``other``, the messages of another request of the same kind, the first place where the two
    heads differ is named too: whatever the pattern, that is where the cache ends.

    Dates, weekdays and names are known in several languages, by their usual wordings; what changes without one of these, only ``other``
    shows.

    Raises:
        ArgumentError: it is none of these.
    """
    head = _head(messages, "messages")
    found = [finding for number, part in enumerate(head) for finding in _in_text(part, number)]
    if other is not None:
        found += _difference([part.text for part in head], [part.text for part in _head(other, "other")])
    return sorted(found, key=lambda finding: (finding.message, finding.span, finding.kind))


# ---------------------------------------------------------------- what can be read


class _Part(NamedTuple):
    """The text of a message, and how variables are written in it: any way that is in use where it is no template's."""

    text: str
    format: str = ""
    conversation: bool = False


_WANTED = "a text, or messages: pairs of role and text, mappings or objects with content; or a prompt template of a framework"


def _head(given: Any, name: str) -> list[_Part]:
    parts = [_part(message, f"{name}[{place}]") for place, message in enumerate(_messages(given, name))]
    head = parts[:-1] if len(parts) > 1 else parts
    while len(head) > 1 and head[-1].conversation:
        head.pop()
    return head


def _messages(given: Any, name: str) -> Sequence[Any]:
    """The messages of what was given: of a prompt, of a template, or of a list."""
    if isinstance(given, str) or _is_pair(given) or (isinstance(given, Mapping) and "messages" not in given):
        return [given]
    if isinstance(given, Mapping):
        return _messages(given["messages"], f"{name}['messages']")
    if callable(convert := getattr(given, "to_messages", None)):
        return list(convert())
    for key in ("messages", "message_templates"):
        if isinstance(held := getattr(given, key, None), Sequence) and not isinstance(held, str):
            return [_filled(message, given) for message in held]
    if any(isinstance(getattr(given, key, None), str) for key in ("template", "template_str", "content")):
        return [given]
    if isinstance(given, Sequence) and not isinstance(given, bytes):
        return given
    raise ArgumentError(f"{name}: {type(given).__name__} — {_WANTED}")


def _is_pair(given: Any) -> bool:
    return (
        isinstance(given, tuple | list) and len(given) == 2 and all(isinstance(each, str) for each in given) and given[0] in _ROLES
    )


def _filled(message: Any, template: Any) -> Any:
    """A message of a template; where that has functions for its variables, with what they give without a question."""
    functions, text = getattr(template, "function_mappings", None), getattr(message, "content", None)
    if not isinstance(functions, Mapping) or not isinstance(text, str):
        return message
    for name, function in functions.items():
        if f"{{{name}}}" in text:
            try:
                text = text.replace(f"{{{name}}}", str(function()).replace("{", "{{").replace("}", "}}"))
            except Exception:  # it needs the variables of the request: then it stays one itself
                continue
    return ("", text)


def _part(message: Any, where: str) -> _Part:
    """The text of a message, whatever it is: blocks of text one behind the other."""
    if isinstance(message, str):
        return _Part(message)
    if isinstance(message, tuple | list) and len(message) == 2:
        message = {"content": getattr(message[1], "template", message[1])}
    if isinstance(message, Mapping):
        return _Part(_content(message.get("content"), where))
    if isinstance(name := getattr(message, "variable_name", None), str):
        return _Part(f"{{{name}}}", "f-string", conversation=True)
    if hasattr(message, "content"):
        return _Part(_content(message.content, where))
    prompts = getattr(message, "prompt", message)
    prompts = prompts if isinstance(prompts, list) else [prompts]
    texts = [
        text for prompt in prompts if isinstance(text := getattr(prompt, "template", getattr(prompt, "template_str", None)), str)
    ]
    if texts:
        return _Part("".join(texts), str(getattr(prompts[0], "template_format", "")))
    if callable(shown := getattr(message, "pretty_repr", None)):
        return _Part(str(shown()), "f-string")
    raise ArgumentError(f"{where}: {type(message).__name__} — {_WANTED}")


def _content(content: Any, where: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        raise ArgumentError(f"{where}: its content is {type(content).__name__} — a text, or blocks of text")
    return "".join([str(block.get("text", "")) if isinstance(block, Mapping) else str(block) for block in content])


# ---------------------------------------------------------------- what looks as if it changed


def _in_text(part: _Part, number: int) -> list[Finding]:
    text, taken = part.text, bytearray(len(part.text))
    found: list[Finding] = []
    for kind, searched in (*_SEARCHED, *[("variable", each) for each in _VARIABLES.get(part.format, _VARIABLES[""])]):
        for match in searched.finditer(text):
            start, end = match.start() + len(match[0]) - len(match[0].lstrip()), match.end()
            if kind in _NUMBERS and _NUMBERED.search(text[max(0, start - _LONGEST_WORD) : start]):
                continue
            if not any(taken[start:end]):
                found.append(Finding(kind, text[start:end], number, Span(start, end), _ADVICE[kind]))
                taken[start:end] = b"\1" * (end - start)
    return found


_LONGEST_WORD = 12
_NUMBERS = frozenset({"date", "time", "address"})

_SHOWN = 60


def _difference(head: Sequence[str], other: Sequence[str]) -> list[Finding]:
    for number, (text, that) in enumerate(zip(head, other, strict=False)):
        if text != that:
            at = next((i for i, (a, b) in enumerate(zip(text, that, strict=False)) if a != b), min(len(text), len(that)))
            kind = "order" if sorted(text.splitlines()) == sorted(that.splitlines()) else "change"
            end = text.find("\n", at)
            end = min(len(text) if end < 0 else end, at + _SHOWN)
            return [Finding(kind, text[at:end], number, Span(at, max(at, end)), _ADVICE[kind])]
    if len(head) != len(other):
        number = min(len(head), len(other))
        return [
            Finding("change", f"{len(head)} messages, {len(other)} in the other request", number, Span(0, 0), _ADVICE["change"])
        ]
    return []
