#!/usr/bin/env python3
"""Run the case files of a folder against contextpack_core.

    python run_cases.py DIR [--area AREA] [-v]

Needs the standard library and contextpack_core only. `cases/README.md` describes the files. Prints `passed/total` and the failing
ids for each area, the total last. Cases marked `arguable` are counted apart. The exit status is 0 unless contextpack_core cannot
be imported.
"""

import argparse
import contextlib
import copy
import html
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

LIMIT_SECONDS = 60.0  # for a case that hangs: what one takes on a busy machine is no matter
CUTS_SEED = 20260301
MULTI_CUTS = 50
ALL_CUTS_UP_TO = 400  # characters; a longer answer gets evenly spread single cuts
SPREAD_CUTS = 100


class Inexpressible(Exception):
    """The library offers no way to make this call; the case counts as skipped."""


class TooSlow(BaseException):  # not an Exception: a library that catches everything must not catch it
    pass


# ---------------------------------------------------------------- data in


class Scalar:
    """Stands for a number of a numeric library: behaves like one, is none, and json cannot write it."""

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value

    def __float__(self):
        return float(self.value)

    def __int__(self):
        return int(self.value)

    __index__ = __int__

    def __bool__(self):
        return bool(self.value)

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, Scalar) else other)

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"Scalar({self.value!r})"


REVIVE = {
    "$float": float,
    "$date": date.fromisoformat,
    "$datetime": datetime.fromisoformat,
    "$bytes": bytes.fromhex,
    "$set": lambda items: set(items),
    "$scalar": Scalar,
    "$repeat": lambda pair: pair[0] * pair[1],
}


def revive(value):
    """Turn the markers for values that JSON does not have into those values."""
    if isinstance(value, dict):
        if len(value) == 1:
            ((key, inner),) = value.items()
            if key in REVIVE:
                return REVIVE[key](inner)
            if key == "$map":  # keys that are not strings
                return {revive(k): revive(v) for k, v in inner}
        return {k: revive(v) for k, v in value.items()}
    if isinstance(value, list):
        return [revive(item) for item in value]
    return value


def counter(spec):
    """A token counter by name, or {"pattern": regex}: counts the matches, so that the envelope costs nothing."""
    if isinstance(spec, dict):
        pattern = re.compile(spec["pattern"])
        return lambda text: len(pattern.findall(text))
    return {
        "chars": len,
        "chars_x3": lambda text: 3 * len(text),
        "words": lambda text: len(text.split()),
        "bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
        "quarter": lambda text: -(-len(text) // 4),
        # Not additive: the whole may count less (merging) or more (jumpy) than its parts.
        "merging": lambda text: len(re.findall(r"\w{1,4}|\s+|[^\w\s]+", text)),
        "jumpy": lambda text: len(text.split()) + 5 * (len(text) % 2) + text.count("\n\n"),
    }[spec]


# ---------------------------------------------------------------- objects out


def get(obj, *names, default=None):
    """The first of the attributes (or keys) that exists."""
    for name in names:
        if isinstance(obj, dict):
            if name in obj:
                return obj[name]
        elif hasattr(obj, name):
            return getattr(obj, name)
    return default


def plain(value):
    """An enum member, Span, date … as JSON data."""
    if value is None or isinstance(value, (str, bool, int)) and type(value) in (str, bool, int):
        return value
    if hasattr(value, "name") and hasattr(type(value), "__members__"):
        return value.name
    if hasattr(value, "start") and hasattr(value, "end"):
        return [value.start, value.end]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    return value


def status_of(obj):
    value = get(obj, "status")
    return None if value is None else str(plain(value)).split(".")[-1].upper()


def span_of(obj, *names):
    return plain(get(obj, *(names or ("span",))))


def overlaps(a, b):
    return a is not None and b is not None and a[0] < b[1] and b[0] < a[1]


def flat_number(value):
    try:
        if isinstance(value, Fraction):
            return Decimal(value.numerator) / Decimal(value.denominator)
        return Decimal(str(value))
    except (InvalidOperation, ValueError, TypeError):
        return None


def citation_view(citations, labels):
    """Marks as reported, and the same as one entry a label: known ones and unknown ones, in order."""
    known, unknown, marks = [], [], []
    for mark in citations or ():
        named = [str(label) for label in get(mark, "labels", default=())]
        span, status = span_of(mark), status_of(mark)
        marks.append({"labels": named, "span": span, "status": status, "text": get(mark, "text")})
        foreign = [label for label in named if label not in labels]
        for label in named:
            # A mark of several labels may carry one status for all of them: then each label is judged by itself.
            good = label in labels and (status in (None, "VALID") or bool(foreign))
            (known if good else unknown).append([label, *(span or [None, None])])
    return {
        "marks": marks,
        "cited": [item[0] for item in known],
        "unique": list(dict.fromkeys(item[0] for item in known)),
        "spans": known,
        "unknown": [item[0] for item in unknown],
        "unknown_spans": unknown,
    }


def figure_view(figures):
    return [
        {
            "text": get(f, "text"),
            "span": span_of(f),
            "kind": plain(get(f, "kind")),
            "value": get(f, "value"),
            "unit": plain(get(f, "unit")),
            "status": status_of(f),
            "label": get(f, "label"),
            "exempt": get(f, "exempt"),
        }
        for f in figures or ()
    ]


def quote_view(quote):
    if quote is None:
        return {"status": "NOT_FOUND", "label": None, "source_span": None}
    if isinstance(quote, (list, tuple)):
        return quote_view(quote[0] if quote else None)
    return {
        "text": get(quote, "text"),
        "span": span_of(quote),
        "status": status_of(quote),
        "label": get(quote, "label"),
        "source_span": span_of(quote, "source_span"),
    }


def claim_view(claims, text, spans):
    """Text and cited labels of each claim; the labels come from the claim, else from the marks inside its span."""
    out = []
    for claim in claims or ():
        if isinstance(claim, str):
            out.append({"text": claim, "labels": None})
            continue
        span = span_of(claim)
        own = get(claim, "labels")
        if own is None:
            own = get(claim, "citations")
            if own is not None:
                own = [label for c in own for label in ([c] if isinstance(c, str) else get(c, "labels", default=()))]
            elif span:
                own = [label for label, start, _ in spans if span[0] <= start < span[1]]
        said = get(claim, "text")
        if said is None and span:
            said = text[span[0] : span[1]]
        out.append({"text": said, "labels": None if own is None else list(dict.fromkeys(own)), "span": span})
    return out


def report_view(report, answer, labels):
    view = citation_view(get(report, "citations"), labels)
    view["status"] = status_of(report)
    view["claims"] = claim_view(get(report, "claims"), answer, view["spans"] + view["unknown_spans"])
    view["figures"] = figure_view(get(report, "figures"))
    view["quotes"] = [quote_view(q) for q in get(report, "quotes", default=())]
    view["coverage"] = get(report, "coverage")
    view["problems"] = len(get(report, "problems", default=()) or ())
    return view


def pieces_of(passage):
    return list(get(passage, "pieces", default=()) or ())


def candidate_id(piece):
    found = get(piece, "candidate_id", "candidate", "id")
    return str(get(found, "id", default=found)) if not isinstance(found, str) else found


def passage_text(passage):
    text = get(passage, "text")
    return text if text is not None else "".join(get(piece, "text", default="") for piece in pieces_of(passage))


def evidence_view(evidence):
    passage = get(evidence, "passage", default=evidence)
    source = get(passage, "source")
    also = get(passage, "also_in") or get(evidence, "also_in") or ()
    view = {
        name: plain(get(source, name))
        for name in ("doc_id", "section", "title", "page", "uri", "family", "edition", "span", "authority", "language")
    }
    view.update(
        label=get(evidence, "label"),
        tokens=get(evidence, "tokens"),
        text=passage_text(passage),
        ids=list(dict.fromkeys(candidate_id(p) for p in pieces_of(passage))),
        also_in=[s if isinstance(s, str) else get(s, "doc_id", default=str(s)) for s in also],
    )
    return view


def drops_of(pack):
    found = get(pack, "drops")
    if found is None:
        trace = get(pack, "trace")
        found = get(trace, "drops")
        if found is None:
            steps = get(trace, "steps", default=trace if isinstance(trace, (list, tuple)) else ())
            found = [d for step in steps for d in get(step, "drops", default=())]
    return [
        {
            "id": str(get(d, "candidate_id", "id")),
            "reason": str(plain(get(d, "reason"))).split(".")[-1].upper(),
            "detail": get(d, "detail"),
            "in_favour_of": get(d, "in_favour_of"),
        }
        for d in found
    ]


def pack_view(pack):
    evidence = [evidence_view(item) for item in get(pack, "evidence", default=())]
    drops = drops_of(pack)
    outcome = plain(get(pack, "outcome"))
    return {
        "evidence": evidence,
        "order": [name for item in evidence for name in item["ids"]],
        "labels": [item["label"] for item in evidence],
        "drops": {d["id"]: d["reason"] for d in drops},
        "in_favour_of": {d["id"]: d["in_favour_of"] for d in drops if d["in_favour_of"]},
        "details": {d["id"]: str(d["detail"]) for d in drops},
        "outcome": None if outcome is None else str(outcome).split(".")[-1].upper(),
        "tokens": get(pack, "tokens"),
        "text": get(pack, "text"),
        "conflicts": len(get(pack, "conflicts", default=()) or ()),
        "as_of": plain(get(pack, "as_of")),
        "_pack": pack,
        "_drop_list": drops,
    }


# ---------------------------------------------------------------- calls


def call_parse(core, given):
    labels = given["labels"]
    return citation_view(core.parse_citations(given["text"], labels), labels)


def call_claims(core, given):
    text = given["text"]
    return {"claims": claim_view(core.split_claims(text), text, [])}


def call_figures(core, given):
    return {"figures": figure_view(core.find_figures(given["text"]))}


def call_locate(core, given):
    return quote_view(core.locate_quote(given["quote"], given["passages"]))


def make_policy(core, given):
    return core.Policy.from_dict(given.get("policy") or {})


def pack_arguments(core, given):
    options = {}
    if given.get("as_of"):
        options["as_of"] = date.fromisoformat(given["as_of"])
    for name in ("access", "used", "documents"):
        if name in given:
            options[name] = given[name]
    if "counter" in given:
        options["count_tokens"] = counter(given["counter"])
    return options


def make_pack(core, given, previous=None, candidates=None):
    options = pack_arguments(core, given)
    if previous is not None:
        options["previous"] = previous
    items = given["candidates"] if candidates is None else candidates
    return core.pack(items, given.get("query", ""), make_policy(core, given), **options)


def call_pack(core, given):
    before = copy.deepcopy(given["candidates"])
    view = pack_view(make_pack(core, given))
    view["_unchanged"] = before == given["candidates"]
    return view


def call_turns(core, given):
    """Several packs in a row, each given the one before it."""
    views, previous = [], None
    for turn in given["turns"]:
        merged = {**given, **turn}
        previous = make_pack(core, merged, previous)
        views.append(pack_view(previous))
    return {"turns": views, "labels_of": [{name: e["label"] for e in v["evidence"] for name in e["ids"]} for v in views]}


def sources_of(core, given):
    if "pack" in given:
        pack = make_pack(core, given["pack"])
        if given.get("saved"):  # a checker must run from the saved pack alone
            pack = core.Pack.from_dict(json.loads(json.dumps(pack.to_dict(), allow_nan=False)))
        return pack, [get(item, "label") for item in pack.evidence]
    return given["sources"], list(given["sources"])


def check_options(core, given):
    options = {}
    if "question" in given:
        options["question"] = given["question"]
    if given.get("settings"):
        options["settings"] = core.CitationSettings(**given["settings"])
    return options


def call_check(core, given):
    sources, labels = sources_of(core, given)
    answer = given["answer"]
    report = core.check(answer, sources, **check_options(core, given))
    text = answer if isinstance(answer, str) else answer.get("answer", "")
    view = report_view(report, text, labels)
    view["_render"] = report.render if hasattr(report, "render") else None
    return view


def event_text(event):
    """(text, is_citation) of a stream event."""
    name = type(event).__name__
    citation = get(event, "citation")
    if citation is not None or "Citation" in name or get(event, "labels") is not None:
        return str(get(citation, "text", default=get(event, "text", default="")) or ""), True
    return (event if isinstance(event, str) else str(get(event, "text", default=""))), False


def joined(events):
    """Released text, read both ways: marks inside the text deltas, or carried by the citation events."""
    parts = [event_text(event) for event in events]
    return "".join(text for text, cited in parts if not cited), "".join(text for text, _ in parts)


def run_stream(core, sources, chunks, given):
    stream = core.CitationStream(sources, **check_options(core, given))
    events, released = [], []
    for chunk in chunks:
        events.extend(stream.feed(chunk) or ())
        released.append(joined(events))
    report = stream.finish()
    tail = None
    if isinstance(report, tuple):  # (events, report)
        tail, report = report
    for holder in (report, stream):
        if tail is None:
            tail = get(holder, "tail")
    if tail is not None:
        events.extend([tail] if isinstance(tail, str) else tail)
    return report, events, released, tail is not None


def report_key(report, answer, labels):
    """What must not depend on the cuts."""
    if hasattr(report, "to_dict"):
        return json.dumps(plain(report.to_dict()), sort_keys=True, default=str)
    view = report_view(report, answer, labels)
    return json.dumps([view["marks"], view["status"], view["figures"], view["quotes"], view["claims"]], sort_keys=True, default=str)


def cut_lists(answer):
    n = len(answer)
    if n < 2:
        return
    singles = range(1, n) if n <= ALL_CUTS_UP_TO else sorted({1 + i * (n - 2) // SPREAD_CUTS for i in range(SPREAD_CUTS + 1)})
    for cut in singles:
        yield [cut]
    rng = random.Random(CUTS_SEED)
    for _ in range(MULTI_CUTS):
        yield sorted(rng.sample(range(1, n), min(n - 1, rng.randint(2, 12))))


def pieces_at(answer, cuts):
    return [answer[a:b] for a, b in zip([0, *cuts], [*cuts, len(answer)])]


def call_stream(core, given):
    sources, labels = sources_of(core, given)
    chunks = given["chunks"] if "chunks" in given else list(given["answer"])
    answer = "".join(chunks)
    report, events, released, has_tail = run_stream(core, sources, chunks, given)
    view = report_view(report, answer, labels)
    view["seen"] = citation_view([get(e, "citation", default=e) for e in events if event_text(e)[1]], labels)["cited"]
    view["_released"], view["_answer"] = released, answer
    faults = []
    end = joined(events)
    if has_tail and answer not in end:
        faults.append(f"released text {end[0][-60:]!r} is not the answer")
    if not has_tail and not any(answer.startswith(text) for text in end):
        faults.append(f"released text {end[0][-60:]!r} is no beginning of the answer")
    if given.get("cuts", "all") == "all":
        whole = report_key(core.check(answer, sources, **check_options(core, given)), answer, labels)
        for cuts in itertools.chain([None], cut_lists(answer)):
            parts = chunks if cuts is None else pieces_at(answer, cuts)
            other, other_events, _, tail = run_stream(core, sources, parts, given)
            if report_key(other, answer, labels) != whole:
                faults.append(f"report differs from the whole with cuts {cuts or 'as given'}")
            elif tail and answer not in joined(other_events):
                faults.append(f"text lost with cuts {cuts or 'as given'}")
            if len(faults) > 2:
                break
    view["_faults"] = faults
    return view


def call_stream_pair(core, given):
    """One stream is finished or dropped, then a second one starts: nothing may leak."""
    sources, labels = sources_of(core, given)
    first = core.CitationStream(sources)
    for chunk in given["first"]:
        first.feed(chunk)
    if given.get("finish_first", True):
        first.finish()
    report, events, _, _ = run_stream(core, sources, given["second"], given)
    answer = "".join(given["second"])
    view = report_view(report, answer, labels)
    view["_faults"] = [] if any(answer.startswith(t) or t == answer for t in joined(events)) else ["text of another stream"]
    return view


def call_stream_speed(core, given):
    """Twice the text in one-character chunks may cost about twice the time."""
    sources, labels = sources_of(core, given)
    spent, view = [], {}
    for times in (given["times"], 2 * given["times"]):
        answer = given["unit"] * times
        start = time.perf_counter()
        report = run_stream(core, sources, list(answer), given)[0]
        spent.append(time.perf_counter() - start)
        view = report_view(report, answer, labels)
    view["growth"] = spent[1] / max(spent[0], 1e-3)
    view["count"] = len(view["cited"])
    return view


def call_policy(core, given):
    if "yaml" in given:
        policy = core.Policy.from_yaml(given["yaml"])
    else:
        policy = core.Policy.from_dict(given["dict"])
    return {"_policy": policy, "_yaml": policy.to_yaml() if hasattr(policy, "to_yaml") else None}


def call_threads(core, given):
    """The same packs made one after another and at the same time."""
    jobs = given["jobs"]
    alone = [json.dumps(make_pack(core, job).to_dict(), sort_keys=True, default=str) for job in jobs]
    found = [None] * len(jobs)

    def work(i):
        found[i] = json.dumps(make_pack(core, jobs[i]).to_dict(), sort_keys=True, default=str)

    workers = [threading.Thread(target=work, args=(i,)) for i in reversed(range(len(jobs)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return {"same": found == alone, "packs": [pack_view(make_pack(core, job)) for job in jobs]}


def call_seeds(core, given):
    """The same pack in two processes with different hash seeds."""

    def output(seed):
        child = subprocess.run(
            [sys.executable, os.path.abspath(__file__), "--child"],
            input=json.dumps(given["pack"]),
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        if child.returncode:
            raise RuntimeError(child.stderr[-400:])
        return child.stdout

    first = output("0")
    return {"same": first == output("1"), "wrote": len(first) > 2}


CALLS = {
    "parse": call_parse,
    "claims": call_claims,
    "figures": call_figures,
    "locate": call_locate,
    "check": call_check,
    "stream": call_stream,
    "stream_pair": call_stream_pair,
    "stream_speed": call_stream_speed,
    "pack": call_pack,
    "turns": call_turns,
    "policy": call_policy,
    "threads": call_threads,
    "seeds": call_seeds,
}


# ---------------------------------------------------------------- comparing


def short(value, limit=110):
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def same(actual, wanted):
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return flat_number(actual) is not None and not isinstance(actual, bool) and flat_number(actual) == Decimal(str(wanted))
    return plain(actual) == wanted


def differ(actual, wanted, path="expect"):
    """The differences between what was found and what is wanted; only what `wanted` names is compared."""
    if isinstance(wanted, dict) and wanted and all(key.startswith("$") for key in wanted):
        return [f"{path}: {problem}" for key, value in wanted.items() for problem in special(actual, key, value)]
    if isinstance(wanted, dict):
        if not isinstance(actual, dict):
            return [f"{path}: want an object, got {short(actual)}"]
        return [p for key, value in wanted.items() for p in differ(actual.get(key), value, f"{path}.{key}")]
    if isinstance(wanted, list):
        actual = plain(actual)
        if not isinstance(actual, list) or len(actual) != len(wanted):
            return [f"{path}: want {short(wanted)}, got {short(actual)}"]
        return [p for i, value in enumerate(wanted) for p in differ(actual[i], value, f"{path}[{i}]")]
    return [] if same(actual, wanted) else [f"{path}: want {short(wanted)}, got {short(actual)}"]


def special(actual, key, value):
    actual = actual if isinstance(actual, (str, dict, Decimal, Fraction, float)) else plain(actual)
    if key == "$in":
        return [] if any(not differ(actual, option) for option in value) else [f"want one of {short(value)}, got {short(actual)}"]
    if key == "$not":
        return [] if differ(actual, value) else [f"must not be {short(value)}"]
    if key == "$min":
        return (
            []
            if actual is not None and flat_number(actual) >= Decimal(str(value))
            else [f"want at least {value}, got {short(actual)}"]
        )
    if key == "$max":
        return (
            []
            if actual is not None and flat_number(actual) <= Decimal(str(value))
            else [f"want at most {value}, got {short(actual)}"]
        )
    if key == "$len":
        return differ(len(actual or ()), value, "length")
    if key == "$has":
        words = value if isinstance(value, list) else [value]
        return [f"lacks {short(word)}" for word in words if word.casefold() not in str(actual).casefold()]
    if key == "$lacks":
        words = value if isinstance(value, list) else [value]
        return [f"must not hold {short(word)}" for word in words if word.casefold() in str(actual).casefold()]
    if key == "$set":
        rest = list(actual or ())
        for wanted in value:
            hit = next((item for item in rest if not differ(item, wanted)), None)
            if hit is None:
                return [f"want {short(value)} in any order, got {short(actual)}"]
            rest.remove(hit)
        return [f"too many: {short(rest)}"] if rest else []
    if key == "$some":
        return [
            f"want an entry like {short(w)}, got {short(actual)}" for w in value if all(differ(item, w) for item in actual or ())
        ]
    if key == "$none":
        return [f"must have no entry like {short(w)}" for w in value if any(not differ(item, w) for item in actual or ())]
    if key == "$count":
        return [
            f"want {n} × /{pattern}/, got {len(re.findall(pattern, str(actual), re.I | re.M))}"
            for pattern, n in value.items()
            if len(re.findall(pattern, str(actual), re.I | re.M)) != n
        ]
    raise Inexpressible(f"unknown comparison {key}")


GENTLE = {"SUPPORTED", "RESTATED", None}


def excused(figure):
    """A figure that raises no alarm: supported, restated, exempt, or an identifier that is reported as such."""
    return figure["status"] in GENTLE - {None} or bool(figure["exempt"]) or str(figure["kind"]).lower().endswith("identifier")


def value_is(actual, wanted):
    options = wanted if isinstance(wanted, list) else [wanted]
    for option in options:
        number, found = flat_number(option), flat_number(actual)
        if re.fullmatch(r"\d{4}-.*", str(option)) or number is None:
            if str(plain(actual)).startswith(str(option)):
                return True
        elif found is not None and found == number:
            return True
    return False


def compare_figures(view, expect):
    problems, covered = [], []
    for wanted in expect.get("figures", ()):
        place = wanted["at"]
        hits = [f for f in view["figures"] if overlaps(f["span"], place)]
        covered.extend(id(f) for f in hits)
        name = f"figure {wanted.get('text', place)!r}"
        if not hits:
            problems.append(f"{name}: not found")
            continue
        if wanted.get("one") and len(hits) != 1:
            problems.append(f"{name}: cut into {[f['text'] for f in hits]}")
        if "status" in wanted and any(f["status"] not in wanted["status"] for f in hits):
            problems.append(f"{name}: want {'/'.join(wanted['status'])}, got {[f['status'] for f in hits]}")
        if "value" in wanted and not any(value_is(f["value"], wanted["value"]) for f in hits):
            problems.append(f"{name}: want value {wanted['value']}, got {[plain(f['value']) for f in hits]}")
        if "label" in wanted and all(f["label"] != wanted["label"] for f in hits):
            problems.append(f"{name}: want label {wanted['label']}, got {[f['label'] for f in hits]}")
    for place in expect.get("quiet", ()):
        for f in view["figures"]:
            if overlaps(f["span"], place) and not excused(f):
                problems.append(f"no figure expected at {place}: {f['text']!r} {f['status'] or ''}")
    if expect.get("only"):
        problems.extend(
            f"unexpected figure {f['text']!r} at {f['span']}"
            for f in view["figures"]
            if id(f) not in covered and not (str(f["kind"]).lower().endswith("identifier") or f["exempt"])
        )
    for value in expect.get("no_value", ()):
        problems.extend(f"value {value} must not be read: {f['text']!r}" for f in view["figures"] if value_is(f["value"], value))
    return problems


def claim_words(text):
    return re.sub(r"\s+", " ", re.sub(r"\s*(\[[^\[\]]*\]|【[^】]*】|［[^］]*］)", "", text or "")).strip()


def compare_claims(view, expect):
    wanted = expect["claims"]
    found = view["claims"]
    if len(found) != len(wanted):
        return [f"want {len(wanted)} claims, got {[c['text'] for c in found]}"]
    problems = []
    for i, (claim, want) in enumerate(zip(found, wanted)):
        if "text" in want and claim_words(claim["text"]) != claim_words(want["text"]):
            problems.append(f"claim {i}: want {want['text']!r}, got {claim['text']!r}")
        if "labels" in want and sorted(claim["labels"] or []) != sorted(want["labels"]):
            problems.append(f"claim {i}: want labels {want['labels']}, got {claim['labels']}")
    return problems


def bodies(text):
    """The passages of the xml envelope, decoded."""
    found = re.findall(r"<passage\b[^>]*>(.*?)</passage>", text, re.S)
    return [html.unescape(body).strip() for body in found]


def check_laws(core, given, view, laws):
    pack, problems = view["_pack"], []
    count = counter(given["counter"]) if "counter" in given else None
    for law in laws:
        if law == "budget":
            limit = (given.get("policy") or {}).get("budget", {}).get("evidence")
            tokens = count(view["text"]) if count else view["tokens"]
            if count and tokens != view["tokens"]:
                problems.append(f"pack.tokens is {view['tokens']}, the text counts {tokens}")
            for bound in (limit, get(get(pack, "budget"), "evidence")):
                if isinstance(bound, int) and tokens > bound:
                    problems.append(f"{tokens} tokens in a budget of {bound}")
        elif law == "conservation":
            fates = list(view["order"]) + [d["id"] for d in view["_drop_list"]]
            names = [str(c["id"]) for c in given["candidates"] if "id" in c]
            if len(names) == len(given["candidates"]) and len(set(names)) == len(names) and sorted(fates) != sorted(names):
                problems.append(f"fates {sorted(fates)} are not the candidates {sorted(names)}")
            elif len(fates) != len(given["candidates"]):
                problems.append(f"{len(fates)} fates for {len(given['candidates'])} candidates")
        elif law == "pure" and not view["_unchanged"]:
            problems.append("the input was changed")
        elif law == "repeat":
            again = make_pack(core, given).to_dict()
            if json.dumps(again, sort_keys=True, default=str) != json.dumps(pack.to_dict(), sort_keys=True, default=str):
                problems.append("a second run differs")
        elif law == "roundtrip":
            wire = json.dumps(pack.to_dict(), allow_nan=False, sort_keys=True)
            back = core.Pack.from_dict(json.loads(wire))
            if json.dumps(back.to_dict(), allow_nan=False, sort_keys=True) != wire or get(back, "text") != view["text"]:
                problems.append("to_dict and from_dict do not round-trip")
        elif law == "labels":
            if view["labels"] != [f"P{i}" for i in range(1, len(view["labels"]) + 1)]:
                problems.append(f"labels {view['labels']}")
        elif law == "true_text":
            documents = given.get("documents") or {}
            for item, shown in zip(pack.evidence, view["evidence"]):
                for piece in pieces_of(get(item, "passage", default=item)):
                    where, text = span_of(piece, "span", "source_span"), get(piece, "text")
                    source = documents.get(shown["doc_id"])
                    if source is not None and where and text is not None and source[where[0] : where[1]] != text:
                        problems.append(f"{text!r} does not stand at {where}")
        elif law == "permutation":
            seen = set()
            for items in itertools.islice(itertools.permutations(given["candidates"]), 24):
                seen.add(json.dumps(pack_view(make_pack(core, given, candidates=list(items)))["order"]))
            if len(seen) != 1:
                problems.append(f"the order of the input matters: {sorted(seen)[:3]}")
        elif law == "surrogates":
            if not isinstance(view["text"], str):
                problems.append("no text")
            json.dumps(pack.to_dict(), allow_nan=False).encode("utf-8")
    return problems


SPECIAL_KEYS = {
    "figures",
    "quiet",
    "only",
    "no_value",
    "claims",
    "literal",
    "not_cited",
    "noticed",
    "render",
    "bodies",
    "laws",
    "hidden",
    "released",
    "values",
    "yaml_again",
    "raises",
    "slice",
}


def compare(core, given, view, expect):
    if "$any" in expect:
        found = [compare(core, given, view, option) for option in expect["$any"]]
        return [] if any(not problems for problems in found) else [f"none of {len(found)} outcomes: {found[0][0]}"]
    problems = list(view.get("_faults", ()))
    if {"figures", "quiet", "only", "no_value"} & expect.keys():
        problems += compare_figures(view, expect)
    if "claims" in expect:
        problems += compare_claims(view, expect)
    for place in expect.get("literal", ()):
        problems += [f"{m['text']!r} is no mark" for m in view["marks"] if overlaps(m["span"], place)]
    for place in expect.get("not_cited", ()):
        problems += [f"{name} cited at {place}" for name, start, end in view["spans"] if overlaps([start, end], place)]
    for place in expect.get("noticed", ()):
        if not any(overlaps(m["span"], place) for m in view["marks"]):
            problems.append(f"the mark at {place} is not reported")
    for style, wanted in expect.get("render", {}).items():
        problems += differ(view["_render"](style), wanted, f"render({style})")
    for k, wanted in expect.get("released", ()):
        found = view["_released"][k - 1]
        if all(differ(text, wanted) for text in found):
            problems.append(f"after {k} chunks: want {short(wanted)}, released {short(found[0])}")
    if "bodies" in expect:
        problems += differ(bodies(view["text"]), [body.strip() for body in expect["bodies"]], "bodies")
    if "hidden" in expect:
        shown = json.dumps(plain(view["_pack"].to_dict()), default=str, ensure_ascii=False) + str(view["text"])
        problems += [f"{word!r} is shown" for word in expect["hidden"] if word in shown]
    for path, wanted in expect.get("values", {}).items():
        found = view["_policy"]
        for name in path.split("."):
            found = get(found, name)
        problems += differ(found, wanted, path)
    if expect.get("yaml_again") and core.Policy.from_yaml(view["_yaml"]) != view["_policy"]:
        problems.append("to_yaml and from_yaml do not round-trip")
    if "slice" in expect:
        where, source = view["source_span"], given["passages"].get(view["label"]) or next(iter(given["passages"].values()))
        problems += differ(source[where[0] : where[1]] if where else None, expect["slice"], "slice")
    if "laws" in expect:
        problems += check_laws(core, given, view, expect["laws"])
    rest = {key: value for key, value in expect.items() if key not in SPECIAL_KEYS}
    return problems + (differ(view, rest) if rest else [])


def wants_error(expect):
    """The wanted errors, when every accepted outcome or one of them is an error."""
    return [option["raises"] for option in expect.get("$any", [expect]) if "raises" in option]


def error_matches(error, wanted):
    found = {"type": [t.__name__ for t in type(error).__mro__], "message": f"{error} {' '.join(getattr(error, '__notes__', ()))}"}
    problems = differ(found["message"], wanted["message"], "message") if "message" in wanted else []
    if "type" in wanted and not any(name in found["type"] for name in wanted["type"]):
        problems.append(f"raised {found['type'][0]}")
    if isinstance(error, (AttributeError, NotImplementedError, RecursionError, MemoryError)):
        problems.append(f"raised {found['type'][0]}: {error}")
    return problems


def run_case(core, case):
    given, expect = revive(case["given"]), case["expect"]
    call = CALLS.get(given["call"])
    if call is None:
        raise Inexpressible(given["call"])
    errors = wants_error(expect)
    try:
        view = call(core, given)
    except Inexpressible:
        raise
    except Exception as error:
        if not errors:
            raise
        found = [error_matches(error, wanted) for wanted in errors]
        return [] if any(not problems for problems in found) else found[0]
    if errors and "$any" not in expect:
        return ["no error was raised"]
    if "$any" in expect:
        expect = {"$any": [option for option in expect["$any"] if "raises" not in option]}
        if not expect["$any"]:
            return ["no error was raised"]
    return compare(core, given, view, expect)


# ---------------------------------------------------------------- running


@contextlib.contextmanager
def time_limit(seconds):
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        raise TooSlow

    old = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def judge(core, case):
    """('pass' | 'fail' | 'skip', problems)."""
    try:
        with time_limit(LIMIT_SECONDS):
            problems = run_case(core, case)
    except Inexpressible as reason:
        return "skip", [str(reason)]
    except TooSlow:
        return "fail", [f"took more than {LIMIT_SECONDS:g} s"]
    except Exception as error:
        return "fail", [f"{type(error).__name__}: {short(str(error), 200)}"]
    return ("fail", problems) if problems else ("pass", [])


def read_cases(folder, area):
    paths = sorted(Path(folder).glob("*.jsonl"))
    for path in paths:
        if area and path.stem != area:
            continue
        with path.open(encoding="utf-8", errors="surrogateescape") as lines:
            yield path.stem, [json.loads(line) for line in lines if line.strip()]


def say(text):
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def main(argv=None):
    parser = argparse.ArgumentParser(description="Run case files against contextpack_core.")
    parser.add_argument("folder")
    parser.add_argument("--area")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args(argv)
    try:
        import contextpack_core as core
    except ImportError as error:
        say(f"contextpack_core cannot be imported: {error}")
        return 1
    total = {"firm": [0, 0], "arguable": [0, 0], "skip": 0}
    for area, cases in read_cases(options.folder, options.area):
        score, failing, skipped = {"firm": [0, 0], "arguable": [0, 0]}, [], []
        for case in cases:
            verdict, problems = judge(core, case)
            if verdict == "skip":
                skipped.append(case["id"])
                continue
            kind = "arguable" if case.get("arguable") else "firm"
            score[kind][1] += 1
            if verdict == "pass":
                score[kind][0] += 1
            else:
                failing.append((case, problems, kind))
        for kind in score:
            total[kind] = [a + b for a, b in zip(total[kind], score[kind])]
        total["skip"] += len(skipped)
        line = f"{area}: {score['firm'][0]}/{score['firm'][1]}"
        if score["arguable"][1]:
            line += f" (arguable {score['arguable'][0]}/{score['arguable'][1]})"
        if skipped:
            line += f" skipped {len(skipped)}: {' '.join(skipped)}"
        if failing:
            line += "  failing: " + " ".join(case["id"] + ("?" if kind == "arguable" else "") for case, _, kind in failing)
        say(line)
        if options.verbose:
            for case, problems, _ in failing:
                say(f"  {case['id']} {case['title']}")
                for problem in problems[:4]:
                    say(f"      {problem}")
    say(
        f"total: {total['firm'][0]}/{total['firm'][1]} (arguable {total['arguable'][0]}/{total['arguable'][1]}), skipped {total['skip']}"
    )
    return 0


def child():
    """One pack of the `seeds` call, written as JSON."""
    import contextpack_core as core

    given = revive(json.load(sys.stdin))
    sys.stdout.write(json.dumps(make_pack(core, given).to_dict(), default=str))


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        child()
    else:
        sys.exit(main())
