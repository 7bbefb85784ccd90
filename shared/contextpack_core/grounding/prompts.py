"""The prompt's contract: the part that is the same for every request first, then day, passages and question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from contextpack_core.citations.settings import mark_of
from contextpack_core.grounding.wording import filled
from contextpack_core.pack import Pack
from contextpack_core.policy import Policy
from contextpack_core.stages.budget import answer_tokens
from contextpack_core.tokens import TokenCounter, as_counter

Message = tuple[str, str]
"""Role (``system`` or ``user``) and text."""

_WORDS_PER_TOKEN = 0.7


def grounded_messages(
    policy: Policy,
    question: str,
    context: str | Pack,
    *,
    as_of: date | str | None = None,
    intent: str | None = None,
    structured: bool = False,
) -> list[Message]:
    """The messages of one request: the head as ``system``, the tail as ``user``.

    ``context`` is the pack, whose intent and as-of date then count where none are given, or the rendered passages. The head is the
    same, byte for byte, for every request of this policy and intent.

    Raises:
        PolicyError: there is no intent of that name.
    """
    if isinstance(context, Pack):
        intent, as_of = intent or context.intent, as_of or context.as_of
    policy = policy.for_query(question, intent)[1]
    return [
        ("system", grounded_head(policy, structured=structured)),
        ("user", grounded_tail(policy, question, context, as_of=as_of)),
    ]


def grounded_head(policy: Policy, *, intent: str | None = None, structured: bool = False) -> str:
    """All that does not depend on the request: task, citation format, rules, words of the field, examples.

    It fits ``render`` and ``citations`` of the policy. With ``structured`` it also tells how to fill a ``GroundedAnswer``.

    Raises:
        PolicyError: there is no intent of that name.
    """
    policy = policy.for_intent(intent)
    grounding = policy.grounding
    label = policy.render.label
    mark, mark2 = [mark_of(f"{label}{n}", policy.citations.marks) for n in (1, 3)]
    values = {
        "mark": mark,
        "mark2": mark2,
        "label": f"{label}1",
        "sentence": grounding.sentence,
        "general": grounding.say("general"),
        "words": str(_words(policy)),
    }
    names = ["role", grounding.pattern, "cite"]
    names += ["number"] if policy.citations.marks == "number" else []
    names += ["copy"]
    names += ["quotes"] if grounding.quotes or policy.citations.quotes == "required" else []
    names += ["decline", "conflict", "untrusted"]
    names += ["length"] if policy.budget.answer else []
    names += ["structured"] if structured else []
    parts = [filled(grounding.say(name), values) for name in names]
    if grounding.glossary:
        words = [f"- {word}: {meaning}" for word, meaning in grounding.glossary.items()]
        parts.append("\n".join([grounding.say("glossary"), *words]))
    if grounding.few_shot:
        shown = [filled(grounding.say("example"), dict(example)) for example in grounding.few_shot]
        parts.append("\n\n".join([grounding.say("examples"), *shown]))
    return "\n\n".join(parts)


def grounded_tail(policy: Policy, question: str, context: str | Pack, *, as_of: date | str | None = None) -> str:
    """What belongs to one request, in the order day, passages, question; the day is left out where none is given."""
    say, text = policy.grounding.say, _text(context)
    lines = [day] if (day := grounded_day(policy, as_of)) else []
    lines.append(f"{say('passages')}\n{text}" if text.strip() else say("no_passages"))
    lines.append(filled(say("question"), {"question": question}))
    return "\n\n".join(lines)


def grounded_day(policy: Policy, as_of: date | str | None) -> str:
    """The sentence that says for which day the answer must be true; empty where none is given."""
    return "" if as_of is None or as_of == "" else filled(policy.grounding.say("as_of"), {"day": str(as_of)})


def grounded_refine(policy: Policy, question: str, context: str | Pack, answer: str, *, as_of: date | str | None = None) -> str:
    """The tail of a request that improves an answer with further passages."""
    refine = filled(policy.grounding.say("refine"), {"existing_answer": answer})
    return f"{grounded_tail(policy, question, context, as_of=as_of)}\n\n{refine}"


def head_tokens(
    policy: Policy, count_tokens: TokenCounter | None = None, *, intent: str | None = None, structured: bool = False
) -> int:
    """How many tokens the head takes, with the counter given or that of the policy: the budget's line ``instructions``.

    Raises:
        PolicyError: there is no intent of that name.
    """
    return as_counter(count_tokens, policy.tokenizer)(grounded_head(policy, intent=intent, structured=structured))


def measured_prompt(
    policy: Policy, count_tokens: TokenCounter | None = None, *, intent: str | None = None, structured: bool = False
) -> Callable[..., Mapping[str, int]]:
    """A function of the question that gives the measured budget lines ``instructions`` and ``question``, for ``used=``.

    The intent is the one named here, else the one under which is packed: ``pack`` and the adapters tell the function. Called
    without it, the cues in the question decide. The frame around passages and question counts as part of the question; each head is
    counted once.

    Raises:
        PolicyError: there is no intent of that name.
    """
    policy = policy.for_intent(intent)
    count = as_counter(count_tokens, policy.tokenizer)
    heads: dict[str, int] = {}

    def used(question: str, intent: str | None = None) -> Mapping[str, int]:
        settings = policy.choose(question, intent).policy
        head = grounded_head(settings, structured=structured)
        if head not in heads:
            heads[head] = count(head)
        return {"instructions": heads[head], "question": count(grounded_tail(settings, question, "-", as_of="2000-12-31"))}

    return used


def _text(context: str | Pack) -> str:
    return context.text if isinstance(context, Pack) else context


def _words(policy: Policy) -> int:
    """The tokens of the answer as a round number of words."""
    words = int(answer_tokens(policy.budget.answer) * _WORDS_PER_TOKEN)
    return words if words < 20 else words // 10 * 10
