"""The third spine: from cases to an evaluation."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from functools import cached_property
from pathlib import Path
from typing import Any

from contextpack_core.citations.check import Judge
from contextpack_core.errors import ContextPackError
from contextpack_core.evaluation.cases import Case, CasesError, Seen, case_lines, parse_case
from contextpack_core.evaluation.curves import CURVE_CASES, Knee, curve_of, has_curve, knee_of
from contextpack_core.evaluation.diagnosis import diagnose
from contextpack_core.evaluation.engines import ENGINES, Engine
from contextpack_core.evaluation.engines import EvaluationError as EvaluationError
from contextpack_core.evaluation.intervals import CONFIDENCE, RESAMPLES, SEED, Estimate, estimate
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.measures.abstention import cell
from contextpack_core.evaluation.notes import notes_of
from contextpack_core.evaluation.observed import JUDGES, Generate, Observed, Retrieve, observe
from contextpack_core.evaluation.records import Record, RecordsFile, identity_of
from contextpack_core.pack import day_for
from contextpack_core.policy import Policy
from contextpack_core.text import content_id

Retrievers = Retrieve | Mapping[str, Retrieve]
"""One function for all cases without candidates, or several by the name that ``retriever`` of a case has."""

VERSION = 4
"""The version of the measures and records; it changes when a value could be another one."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a record depends on besides its case."""

    policy: Policy
    as_of: date
    judge: str | Judge | None = "lexical"
    retrieve: Retrievers | None = None
    generate: Generate | None = None
    curve_share: float = 0.0
    seed: int = SEED

    @property
    def judge_name(self) -> str:
        return self.judge if isinstance(self.judge, str) else _name_of(self.judge)

    @property
    def judging(self) -> Judge | None:
        return JUDGES[self.judge] if isinstance(self.judge, str) else self.judge


@dataclass(frozen=True)
class Evaluation:
    """What was measured: each measure with its interval, over all cases and by intent, and the records it was made of.

    ``signature`` names all that the numbers depend on. ``faults`` are the cases that could not be run, with the reason. ``notes``
    are sentences on what the reader should know before the numbers are believed.
    """

    signature: Mapping[str, Any]
    records: tuple[Record, ...]
    overall: Mapping[str, Estimate]
    by_intent: Mapping[str, Mapping[str, Estimate]]
    faults: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy, repr=False)
    notes: tuple[str, ...] = ()

    @property
    def matrix(self) -> dict[str, dict[str, int]]:
        """The abstention matrix: present or absent, then answered or declined."""
        counts = Counter(tuple(record["cell"]) for record in self.records if record.get("cell"))
        return {row: {column: counts[row, column] for column in ("answered", "declined")} for row in ("present", "absent")}

    @property
    def failures(self) -> dict[str, int]:
        """How often each failure was found, the commonest first; DROPPED by stage and reason."""
        counts = Counter(failure_name(record["diagnosis"]) for record in self.records if record.get("diagnosis"))
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def knees(self) -> dict[str, Knee]:
        """The knee of the recall curve over all cases, under ``all``, and of each intent that has one."""
        found = {"all": knee_of(self.records)}
        for intent in self.by_intent:
            found[intent] = knee_of([record for record in self.records if record.get("intent") == intent])
        return {name: knee for name, knee in found.items() if knee is not None}

    def to_dict(self) -> dict[str, Any]:
        """All but the records, as JSON data."""
        return {
            "signature": dict(self.signature),
            "cases": len(self.records),
            "overall": {name: found.to_dict() for name, found in self.overall.items()},
            "by_intent": {intent: {n: f.to_dict() for n, f in found.items()} for intent, found in self.by_intent.items()},
            "abstention": self.matrix,
            "failures": self.failures,
            "faults": list(self.faults),
            "notes": list(self.notes),
        }


def evaluate(
    cases: str | Path | Iterable[Case],
    policy: Policy | None = None,
    *,
    out: str | Path | None = None,
    as_of: date | None = None,
    judge: str | Judge | None = "lexical",
    retrieve: Retrievers | None = None,
    generate: Generate | None = None,
    engine: str | Engine = "local",
    workers: int = 1,
    seed: int = SEED,
    curve_cases: int = CURVE_CASES,
    skip_faulty: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Every case packed and checked under the policy, measured, and each failure traced to the step that made it.

    Args:
        cases: a file of JSON lines, or cases.
        out: a file for the records, one a line, written as they come: a run that was interrupted goes on from there. It can only
            if judge, retrieve and generate have a name that lasts: functions of a module, or with a ``version``.
        as_of: the day for cases that name none; None: that of the policy, else today.
        judge: ``lexical``, ``none``, or a judge; recorded verdicts of a case come before it.
        retrieve: hands over candidates for cases that have none; or several such functions, by the name in ``retriever`` of a case.
        generate: writes an answer from a pack for cases that have none.
        engine: ``local``, ``ray``, or a function like those of ``engines``.
        workers: processes of the local engine.
        curve_cases: about how many cases, chosen by their ids and the seed, are packed under smaller budgets too, for the recall
            curve; 0: none.
        skip_faulty: leave out the lines that are no case, and report them, in the place of an error.
        progress: called with how many records there are and how many there will be.

    Raises:
        CasesError: the file or its lines are wrong: all of them.
        EvaluationError: ``out`` holds the records of another evaluation, another run writes there, or a name is not known.
    """
    if isinstance(judge, str) and judge not in JUDGES:
        raise EvaluationError(f"judge: {judge!r} — one of {', '.join(JUDGES)}, or a judge")
    if isinstance(engine, str) and engine not in ENGINES:
        raise EvaluationError(f"engine: {engine!r} — one of {', '.join(ENGINES)}, or a function")
    source = _FileCases(cases) if isinstance(cases, str | Path) else _GivenCases(cases)
    if source.faults and not skip_faulty:
        raise CasesError(source.faults)
    under, curve_share = policy or Policy(), min(1.0, curve_cases / max(1, len(source.qids)))
    settings = Setup(under, day_for("", under, as_of), judge, retrieve, generate, curve_share, seed)
    signature = _signature(source.digest, settings)
    run = ENGINES[engine] if isinstance(engine, str) else engine
    with RecordsFile(out, signature) as file:
        done = file.done
        waiting = [qid for qid in source.qids if qid not in done]
        if progress:
            progress(len(done), len(source.qids))
        for line in run(_Task(settings), source.tasks(set(waiting)), workers):
            file.write(line)
            record = json.loads(line)
            done[record["qid"]] = record
            if progress:
                progress(len(done), len(source.qids))
    records = [done[qid] for qid in source.qids]
    return _summed_up(records, signature, settings.policy, source.faults, seed)


def evaluate_dataset(
    dataset: Any,
    policy: Policy | None = None,
    *,
    as_of: date,
    judge: str | Judge | None = "lexical",
    batch: int = 64,
    curve_share: float = 0.0,
) -> Any:
    """A Ray data set of cases (``ray.data.read_text`` over JSON lines, or a table) as one of records, not yet run: columns ``qid``
    and ``record``.

    Nothing passes through the driver: write the result where it shall be, and give the records, read back with ``json.loads``, to
    ``summarise``. A row that is no case gives a record with ``error``. ``batch`` cases are in memory at once in a worker.
    ``curve_share`` is the share of the cases that get a recall curve: of a million 0.001 are enough.
    """
    work = _Rows(Setup(policy or Policy(), as_of, judge, curve_share=curve_share))
    return dataset.map_batches(work, batch_size=batch, batch_format="pyarrow")


def summarise(
    records: Sequence[Record], signature: Mapping[str, Any], policy: Policy, faults: Sequence[str] = (), seed: int = SEED
) -> Evaluation:
    """The evaluation that records make, the same in whatever order they come.

    A qid that several records have is a fault, and counts once.
    """
    ordered = sorted(records, key=lambda record: (record["qid"], record.get("error", "")))
    kept: dict[str, Record] = {}
    given = Counter([record["qid"] for record in ordered if "error" not in record])
    for record in ordered:
        if "error" not in record:
            other = kept.setdefault(record["qid"], record)
            kept[record["qid"]] = record if other is record else min(other, record, key=json.dumps)
    repeated = [f"{qid}: qid — given to {n} records" for qid, n in given.items() if n > 1]
    wrong = [record for record in ordered if "error" in record]
    return _summed_up([*kept.values(), *wrong], signature, policy, [*faults, *repeated], seed)


def _summed_up(
    records: Sequence[Record], signature: Mapping[str, Any], policy: Policy, faults: Sequence[str], seed: int
) -> Evaluation:
    sound = tuple([record for record in records if "error" not in record])
    wrong = tuple([": ".join([*filter(None, [record["qid"]]), record["error"]]) for record in records if "error" in record])
    intents = sorted({record["intent"] for record in sound if record.get("intent")})
    by_intent = {intent: estimates([r for r in sound if r.get("intent") == intent], seed) for intent in intents}
    overall = estimates(sound, seed)
    return Evaluation(signature, sound, overall, by_intent, (*faults, *wrong), policy, notes_of(sound, overall, policy))


def estimates(records: Sequence[Record], seed: int = SEED) -> dict[str, Estimate]:
    """Each measure that some record has, with its interval."""
    found = {}
    for name in MEASURES:
        values = [record["values"][name] for record in records if name in record["values"]]
        if (measured := estimate(values, seed=seed)) is not None:
            found[name] = measured
    return found


def record_of(case: Case, settings: Setup) -> Record:
    """What came of one case; what it makes raise is the record's ``error``. ``again`` says that it was no fault of the input, but
    of a function of the user's, or for want of memory: another run may do better.
    """
    try:
        retrieve = _retriever_of(case, settings.retrieve)
        observed = observe(case, settings.policy, settings.as_of, settings.judging, retrieve=retrieve, generate=settings.generate)
        return _record(observed, settings)
    except ContextPackError as error:
        return {"qid": case.qid, "error": f"{type(error).__name__}: {error}"}
    except Exception as error:
        return {"qid": case.qid, "error": f"{type(error).__name__}: {error}", "again": True}


def _retriever_of(case: Case, given: Retrievers | None) -> Retrieve | None:
    """The function that finds the candidates of a case without any: names in cases choose among those given, and load nothing."""
    if given is not None and not isinstance(given, Mapping):
        return given
    name, known = case.retriever, given or {}
    if case.candidates is not None or name is None:
        return None
    if name not in known:
        wanted = f"one of {', '.join(known)}" if known else f"give the evaluation retrieve={{{name!r}: function}}"
        raise EvaluationError(f"retriever: {name!r} — {wanted}")
    return known[name]


def failure_name(diagnosis: Mapping[str, str]) -> str:
    """A failure with stage and reason, if it has them."""
    details = [diagnosis[key] for key in ("stage", "reason") if diagnosis.get(key)]
    return " ".join([diagnosis["failure"], *details])


def _record(observed: Observed, settings: Setup) -> Record:
    values = {name: measure.of(observed) for name, measure in MEASURES.items()}
    found = diagnose(observed)
    signals = observed.signals
    curved = settings.curve_share > 0 and has_curve(observed.case.qid, settings.curve_share, settings.seed)
    intent = observed.case.intent or (observed.pack.intent if observed.pack else None)
    record = {
        "qid": observed.case.qid,
        "intent": intent,
        "values": {name: round(value, 6) for name, value in values.items() if value is not None},
        "outcome": observed.pack.outcome.value if observed.pack else None,
        "status": observed.report.status.value if observed.report else None,
        "cell": cell(observed),
        "answerable": observed.case.answerable,
        "gold_rank": observed.gold_rank,
        "signals": None if signals is None else [signals.score, signals.gap, signals.coverage],
        "curve": curve_of(observed, settings.as_of) if curved else None,
        "diagnosis": found.to_dict() if found else None,
        "unknown": observed.missing_verdicts or None,
        "access": observed.case.access is not None or None,
        "chosen": observed.case.chosen,
        "rate": observed.case.rate,
    }
    return {name: value for name, value in record.items() if value is not None}


# ---------------------------------------------------------------- where cases come from


@dataclass(frozen=True, slots=True)
class _Task:
    """The work on one case: from a case, or its line in a file, to its record as a line of JSON. It travels to other processes."""

    settings: Setup

    def __call__(self, item: Case | str) -> str:
        case = item if isinstance(item, Case) else parse_case(item, "case")
        return _line_of(record_of(case, self.settings))


def _line_of(record: Record) -> str:
    try:
        return json.dumps(record, ensure_ascii=True, allow_nan=False)
    except (ValueError, TypeError) as error:
        return json.dumps({"qid": record["qid"], "error": f"{type(error).__name__}: {error}"})


@dataclass(frozen=True, slots=True)
class _Rows:
    """The work on a table of cases: to a table of records."""

    settings: Setup

    def __call__(self, table: Any) -> Any:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

        records = [self._record(row) for row in table.to_pylist()]
        return pyarrow.table({"qid": [r["qid"] for r in records], "record": [_line_of(r) for r in records]})

    def _record(self, row: Mapping[str, Any]) -> Record:
        try:
            case = parse_case(row["text"], "case") if set(row) == {"text"} else Case.from_dict(_as_written(row))
            return record_of(case, self.settings)
        except CasesError as error:
            qid, told = _qid_of(row), "; ".join(error.faults)
            return {"qid": qid, "error": told if qid or "text" not in row else f"{told}, in {str(row['text'])[:_SHOWN]!r}"}


def _as_written(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a table as the JSON that it was made of: a table has one type for all its rows, so that each object got the keys of
    all of them, and a reader may have made times of days.
    """
    written: dict[str, Any] = _without_nulls(row)
    answer = row.get("answer")
    if isinstance(answer, Mapping) and answer.get("raw") is not None and "parsed" in answer:
        written["answer"].setdefault("parsed", None)  # says that the model's answer could not be parsed
    return written


def _without_nulls(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    return value.isoformat() if isinstance(value, date) else value


_SHOWN = 40
"""Characters of a line without an id by which it can be found."""


def _qid_of(row: Mapping[str, Any]) -> str:
    """The id in a row that is no case, as far as it has one."""
    found: Any = row
    if set(row) == {"text"}:
        try:
            found = json.loads(row["text"])
        except (TypeError, ValueError, RecursionError):
            return ""
    return str(found.get("qid") or "") if isinstance(found, Mapping) else ""


class _GivenCases:
    """Cases in memory."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._cases: list[Case] = []
        self.faults: list[str] = []
        given: Counter[str] = Counter()
        seen, digest = Seen(), hashlib.blake2b(digest_size=8)
        for place, case in enumerate(cases):
            digest.update(json.dumps(case.to_dict(), default=str).encode())
            try:
                self._cases.append(seen.named(case, place, ""))
            except CasesError:
                given[case.qid] += 1
        self.faults = [f"{qid}: qid — given to {n + 1} cases" for qid, n in given.items()]
        self.qids = list(seen.places)
        self.digest = digest.hexdigest()

    def tasks(self, waiting: set[str]) -> Iterator[Case | str]:
        return (case for case in self._cases if case.qid in waiting)


class _FileCases:
    """Cases in a file: read once to find every fault, then line by line, so that memory does not grow with the texts."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._renamed: dict[int, str] = {}
        self.faults: list[str] = []
        seen, digest = Seen(), hashlib.blake2b(digest_size=8)
        for number, line in case_lines(path):
            digest.update(line.encode("utf-8", "surrogateescape"))
            where = f"{path}:{number}"
            try:
                case = parse_case(line, where)
                named = seen.named(case, number, where)
            except CasesError as error:
                self.faults += error.faults
                continue
            if named is not case:
                self._renamed[number] = named.qid
        self._numbers = seen.places
        self.qids = list(seen.places)
        self.digest = digest.hexdigest()

    def tasks(self, waiting: set[str]) -> Iterator[Case | str]:
        numbers = {self._numbers[qid] for qid in waiting}
        for number, line in case_lines(self._path):
            if number in self._renamed and number in numbers:
                yield replace(parse_case(line, f"{self._path}:{number}"), qid=self._renamed[number])
            elif number in numbers:
                yield line


# ---------------------------------------------------------------- what the numbers depend on


def _signature(digest: str, settings: Setup) -> dict[str, Any]:
    from contextpack_core import __version__

    parts = {
        "cases": digest,
        "policy": settings.policy.fingerprint,
        "judge": settings.judge_name,
        "as_of": settings.as_of.isoformat(),
        "generate": _name_of(settings.generate),
        "retrieve": _name_of(settings.retrieve),
        "interval": f"{CONFIDENCE:.0%} wilson, bootstrap {RESAMPLES} seed {settings.seed}",
        "curves": round(settings.curve_share, 9),
        "measures": VERSION,
        "version": __version__,
    }
    return {**parts, "id": content_id(json.dumps(parts))}


def _name_of(made_by: Any) -> str:
    return "none" if made_by is None else identity_of(made_by)
