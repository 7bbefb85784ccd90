"""The third spine: from cases to an evaluation."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from contextpack_core.citations.check import Judge
from contextpack_core.errors import ContextPackError
from contextpack_core.evaluation.cases import Case, CasesError, case_lines, parse_case
from contextpack_core.evaluation.curves import CURVE_CASES, Knee, curve_of, has_curve, knee_of
from contextpack_core.evaluation.diagnosis import diagnose
from contextpack_core.evaluation.engines import ENGINES, Engine
from contextpack_core.evaluation.engines import EvaluationError as EvaluationError
from contextpack_core.evaluation.intervals import CONFIDENCE, RESAMPLES, SEED, Estimate, estimate
from contextpack_core.evaluation.measures import MEASURES
from contextpack_core.evaluation.measures.abstention import cell
from contextpack_core.evaluation.observed import JUDGES, Generate, Observed, Retrieve, observe
from contextpack_core.policy import Policy
from contextpack_core.text import content_id

Record = dict[str, Any]
"""What came of one case, as JSON data: its values by measure, its cell of the abstention matrix, its diagnosis, its curve."""

VERSION = 4
"""The version of the measures and records; it changes when a value could be another one."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a record depends on besides its case."""

    policy: Policy
    as_of: date
    judge: str | Judge | None = "lexical"
    retrieve: Retrieve | None = None
    generate: Generate | None = None
    curve_share: float = 0.0
    seed: int = SEED

    @property
    def judge_name(self) -> str:
        if isinstance(self.judge, str):
            return self.judge
        return "none" if self.judge is None else getattr(self.judge, "name", None) or type(self.judge).__name__

    @property
    def judging(self) -> Judge | None:
        return JUDGES[self.judge] if isinstance(self.judge, str) else self.judge


@dataclass(frozen=True)
class Evaluation:
    """What was measured: each measure with its interval, over all cases and by intent, and the records it was made of.

    ``signature`` names all that the numbers depend on. ``faults`` are the cases that could not be run, with the reason.
    """

    signature: Mapping[str, Any]
    records: tuple[Record, ...]
    overall: Mapping[str, Estimate]
    by_intent: Mapping[str, Mapping[str, Estimate]]
    faults: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy, repr=False)

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
        }


def evaluate(
    cases: str | Path | Iterable[Case],
    policy: Policy | None = None,
    *,
    out: str | Path | None = None,
    as_of: date | None = None,
    judge: str | Judge | None = "lexical",
    retrieve: Retrieve | None = None,
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
        out: a file for the records, one a line, written as they come: a run that was interrupted goes on from there.
        as_of: the day for cases that name none; None: today.
        judge: ``lexical``, ``none``, or a judge; recorded verdicts of a case come before it.
        retrieve: hands over candidates for cases that have none.
        generate: writes an answer from a pack for cases that have none.
        engine: ``local``, ``ray``, or a function like those of ``engines``.
        workers: processes of the local engine.
        curve_cases: about how many cases, chosen by their ids and the seed, are packed under smaller budgets too, for the recall
            curve; 0: none.
        skip_faulty: leave out the lines that are no case, and report them, in the place of an error.
        progress: called with how many records there are and how many there will be.

    Raises:
        CasesError: the file or its lines are wrong: all of them.
        EvaluationError: ``out`` holds the records of another evaluation, or a name is not known.
    """
    settings = Setup(policy or Policy(), as_of or date.today(), judge, retrieve, generate)
    if isinstance(judge, str) and judge not in JUDGES:
        raise EvaluationError(f"judge: {judge!r} — one of {', '.join(JUDGES)}, or a judge")
    if isinstance(engine, str) and engine not in ENGINES:
        raise EvaluationError(f"engine: {engine!r} — one of {', '.join(ENGINES)}, or a function")
    source = _FileCases(cases) if isinstance(cases, str | Path) else _GivenCases(cases)
    if source.faults and not skip_faulty:
        raise CasesError(source.faults)
    settings = replace(settings, curve_share=min(1.0, curve_cases / max(1, len(source.qids))), seed=seed)
    signature = _signature(source.digest, settings, seed)
    done = _written(Path(out), signature) if out is not None else {}
    run = ENGINES[engine] if isinstance(engine, str) else engine
    records: list[Record] = []
    with _Sink(Path(out) if out is not None else None, signature, fresh=not done) as sink:
        waiting = [qid for qid in source.qids if qid not in done]
        if progress:
            progress(len(done), len(source.qids))
        for line in run(_Task(settings), source.tasks(set(waiting)), workers):
            sink.write(line)
            record = json.loads(line)
            done[record["qid"]] = record
            if progress:
                progress(len(done), len(source.qids))
    records = [done[qid] for qid in source.qids]
    return summarise(records, signature, settings.policy, source.faults, seed)


def evaluate_dataset(
    dataset: Any,
    policy: Policy | None = None,
    *,
    as_of: date,
    judge: str | Judge | None = "lexical",
    batch: int = 64,
    curve_share: float = 0.0,
) -> Any:
    """A Ray data set of cases (``ray.data.read_json``, ``read_parquet``) as one of records, not yet run: columns ``qid`` and
    ``record``.

    Nothing passes through the driver: write the result where it shall be, and give the records, read back with ``json.loads``, to
    ``summarise``. A row that is no case gives a record with ``error``. ``batch`` cases are in memory at once in a worker.
    ``curve_share`` is the share of the cases that get a recall curve: of a million 0.001 are enough.
    """
    work = _Rows(Setup(policy or Policy(), as_of, judge, curve_share=curve_share))
    return dataset.map_batches(work, batch_size=batch, batch_format="pyarrow")


def summarise(
    records: Sequence[Record], signature: Mapping[str, Any], policy: Policy, faults: Sequence[str] = (), seed: int = SEED
) -> Evaluation:
    """The evaluation that records make."""
    sound = tuple([record for record in records if "error" not in record])
    wrong = tuple([f"{record['qid']}: {record['error']}" for record in records if "error" in record])
    intents = sorted({record["intent"] for record in sound if record.get("intent")})
    by_intent = {intent: estimates([r for r in sound if r.get("intent") == intent], seed) for intent in intents}
    return Evaluation(signature, sound, estimates(sound, seed), by_intent, (*faults, *wrong), policy)


def estimates(records: Sequence[Record], seed: int = SEED) -> dict[str, Estimate]:
    """Each measure that some record has, with its interval."""
    found = {}
    for name in MEASURES:
        values = [record["values"][name] for record in records if name in record["values"]]
        if (measured := estimate(values, seed=seed)) is not None:
            found[name] = measured
    return found


def record_of(case: Case, settings: Setup) -> Record:
    """What came of one case; what the package refuses is the record's ``error``."""
    try:
        observed = observe(
            case, settings.policy, settings.as_of, settings.judging, retrieve=settings.retrieve, generate=settings.generate
        )
        return _record(observed, settings)
    except ContextPackError as error:
        return {"qid": case.qid, "error": f"{type(error).__name__}: {error}"}


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
    }
    return {name: value for name, value in record.items() if value is not None}


# ---------------------------------------------------------------- where cases come from


@dataclass(frozen=True, slots=True)
class _Task:
    """The work on one case: from a case, or its line in a file, to its record as a line of JSON. It travels to other processes."""

    settings: Setup

    def __call__(self, item: Case | str) -> str:
        case = item if isinstance(item, Case) else parse_case(item, "case")
        return json.dumps(record_of(case, self.settings), ensure_ascii=True, allow_nan=False)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The work on a table of cases: to a table of records."""

    settings: Setup

    def __call__(self, table: Any) -> Any:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

        records = [self._record(row) for row in table.to_pylist()]
        lines = [json.dumps(record, ensure_ascii=True, allow_nan=False) for record in records]
        return pyarrow.table({"qid": [record["qid"] for record in records], "record": lines})

    def _record(self, row: Mapping[str, Any]) -> Record:
        try:
            return record_of(Case.from_dict(row), self.settings)
        except CasesError as error:
            return {"qid": str(row.get("qid") or ""), "error": "; ".join(error.faults)}


class _GivenCases:
    """Cases in memory."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._cases = tuple(cases)
        self.qids = [case.qid for case in self._cases]
        self.faults = [f"{qid}: qid — given to {n} cases" for qid, n in Counter(self.qids).items() if n > 1]
        self.qids = list(dict.fromkeys(self.qids))
        digest = hashlib.blake2b(digest_size=8)
        for case in self._cases:
            digest.update(json.dumps(case.to_dict(), default=str).encode())
        self.digest = digest.hexdigest()

    def tasks(self, waiting: set[str]) -> Iterator[Case | str]:
        left = set(waiting)
        for case in self._cases:
            if case.qid in left:
                left.discard(case.qid)
                yield case


class _FileCases:
    """Cases in a file: read once to find every fault, then line by line, so that memory does not grow with the texts."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._numbers: dict[str, int] = {}
        self.faults: list[str] = []
        digest = hashlib.blake2b(digest_size=8)
        for number, line in case_lines(path):
            digest.update(line.encode("utf-8", "surrogateescape"))
            try:
                qid = parse_case(line, f"{path}:{number}").qid
            except CasesError as error:
                self.faults += error.faults
                continue
            if (first := self._numbers.setdefault(qid, number)) != number:
                self.faults.append(f"{path}:{number}: qid: {qid!r} stands in line {first} already — an id of its own for each case")
        self.qids = list(self._numbers)
        self.digest = digest.hexdigest()

    def tasks(self, waiting: set[str]) -> Iterator[Case | str]:
        numbers = {self._numbers[qid] for qid in waiting}
        return (line for number, line in case_lines(self._path) if number in numbers)


# ---------------------------------------------------------------- records on disk


def _signature(digest: str, settings: Setup, seed: int) -> dict[str, Any]:
    from contextpack_core import __version__

    parts = {
        "cases": digest,
        "policy": settings.policy.fingerprint,
        "judge": settings.judge_name,
        "as_of": settings.as_of.isoformat(),
        "generate": settings.generate is not None,
        "retrieve": settings.retrieve is not None,
        "interval": f"{CONFIDENCE:.0%} wilson, bootstrap {RESAMPLES} seed {seed}",
        "curves": round(settings.curve_share, 9),
        "measures": VERSION,
        "version": __version__,
    }
    return {**parts, "id": content_id(json.dumps(parts))}


def _written(path: Path, signature: Mapping[str, Any]) -> dict[str, Record]:
    """The records that an interrupted run left; a last line that was not finished is cut off.

    Raises:
        EvaluationError: the file holds records of another evaluation, or cannot be read.
    """
    try:
        if not path.exists():
            return {}
        content = path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        if len(b"".join(lines)) + len(lines) != len(content):
            with path.open("r+b") as file:
                file.truncate(content.rfind(b"\n") + 1)
    except OSError as error:
        raise EvaluationError(f"{path}: cannot be read and gone on with: {error.strerror or error}") from None
    if not lines:
        return {}
    try:
        head, *records = [json.loads(line) for line in lines]
        same = head["signature"]["id"] == signature["id"]
    except (ValueError, KeyError, TypeError):
        raise EvaluationError(f"{path}: no records of an evaluation — name another place") from None
    if not same:
        differ = [name for name, value in signature.items() if head["signature"].get(name) != value and name != "id"]
        raise EvaluationError(
            f"{path}: records of another evaluation ({', '.join(differ)} differ) — name another place, or delete it"
        )
    return {record["qid"]: record for record in records}


class _Sink:
    """The file of records: a line with the signature, then a line for each case as soon as it is done."""

    def __init__(self, path: Path | None, signature: Mapping[str, Any], *, fresh: bool) -> None:
        self._path, self._signature, self._fresh = path, signature, fresh
        self._file: Any = None

    def __enter__(self) -> _Sink:
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("w" if self._fresh else "a", encoding="utf-8", newline="\n", buffering=1)
            except OSError as error:
                raise EvaluationError(f"{self._path}: cannot be written: {error.strerror or error}") from None
            if self._fresh:
                self.write(json.dumps({"signature": dict(self._signature)}))
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, line: str) -> None:
        if self._file is not None:
            self._file.write(line + "\n")
