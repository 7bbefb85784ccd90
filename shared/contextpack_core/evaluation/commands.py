"""The commands eval, tune, orders and judge."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from contextpack_core.citations.check import Judge
from contextpack_core.citations.lexical import LexicalJudge
from contextpack_core.citations.nli import NliJudge
from contextpack_core.evaluation.cases import Case, CasesError, case_lines, load_cases, read_cases
from contextpack_core.evaluation.compare import compare, compare_orders, order_prompts
from contextpack_core.evaluation.curves import CURVE_CASES
from contextpack_core.evaluation.judges import assess_judge, assess_verdicts, load_pairs, load_verdicts
from contextpack_core.evaluation.observed import JUDGES, Observed, observe
from contextpack_core.evaluation.report import (
    Against,
    Gate,
    Names,
    names_of,
    print_comparison,
    print_judge,
    print_report,
    print_tuning,
    report_data,
)
from contextpack_core.evaluation.report_html import CASES, html_page, tuning_page
from contextpack_core.evaluation.report_text import for_output, for_terminal
from contextpack_core.evaluation.run import Evaluation, EvaluationError, evaluate
from contextpack_core.evaluation.thresholds import ERROR, advise_thresholds
from contextpack_core.evaluation.tune import BUDGETS, tune
from contextpack_core.pack import day_for
from contextpack_core.policy import Policy

CasesFile = Annotated[Path, typer.Argument(metavar="CASES", help="Labelled questions, one JSON object a line.")]
PolicyFile = Annotated[Path | None, typer.Option("--policy", "-p", metavar="FILE", help="The policy; the defaults when left out.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="A folder for the report and the records.")]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="The day for cases that name none, like 2026-03-01; else the policy's, else today.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON in the place of tables.")]
Workers = Annotated[int, typer.Option("--workers", "-w", min=0, help="Processes; 0 takes one for each processor.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of samples and intervals.")]


def eval_command(
    cases: CasesFile,
    out: Out,
    policy: PolicyFile = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="FILE", help="Another policy, which the first is compared with.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under", metavar="MEASURE=VALUE", help="End with 1 unless the measure keeps this bound; may be repeated."
        ),
    ] = None,
    judge: Annotated[str, typer.Option("--judge", help=f"Whether passages support claims: {', '.join(JUDGES)}.")] = "lexical",
    engine: Annotated[str, typer.Option("--engine", help="local, or ray.")] = "local",
    workers: Workers = 0,
    as_of: AsOf = None,
    seed: Seed = 7,
    error: Annotated[
        float,
        typer.Option(
            "--error", min=0.001, max=0.999, help="The share of wrong answers that a suggested threshold for declining keeps to."
        ),
    ] = ERROR,
    curve_cases: Annotated[
        int, typer.Option("--curve-cases", min=0, help="About how many cases are packed under smaller budgets too; 0: no knee.")
    ] = CURVE_CASES,
    skip_faulty: Annotated[bool, typer.Option("--skip-faulty", help="Leave lines out that are no case, and report them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure a policy on labelled cases, find the step that lost each failed one, and compare it with another.

    Writes report.html, report.json and the records to the folder; a run that was interrupted goes on from the records. Ends with
    1 if a bound of --fail-under is not kept, with 2 if the input is wrong or, without --skip-faulty, a case could not be run.
    """
    if judge not in JUDGES:
        raise EvaluationError(f"--judge: {judge!r} — one of {', '.join(JUDGES)}; for another one evaluate(…, judge=…) in Python")
    gates = [Gate.parse(text) for text in fail_under or ()]
    policies = [_policy(policy), *([_policy(against)] if against is not None else [])]
    names = ("records.jsonl", "records-against.jsonl")
    found: list[Evaluation] = []
    for one, name in zip(policies, names, strict=False):
        with _progress("evaluating" if name == names[0] else "against") as bar, _stopping(bar, as_of) as progress:
            found.append(
                evaluate(
                    cases,
                    one,
                    out=out / name,
                    as_of=_day(as_of),
                    judge=judge,
                    engine=engine,
                    workers=_workers(workers),
                    seed=seed,
                    curve_cases=curve_cases,
                    skip_faulty=skip_faulty,
                    progress=progress,
                )
            )
    first, second = found[0], found[1] if len(found) > 1 else None
    if not first.records:
        raise EvaluationError(f"{cases}: not one case could be evaluated, the first fault is {first.faults[0]}")
    other = None
    if second is not None:  # both ran alike; where their days differ, the policies name them
        other = Against(second, compare(second, first, seed=seed, anyway=True), names_of(policy, against))
    thresholds = advise_thresholds(first.records, error, seed=seed)
    data = report_data(first, other, thresholds)
    broken = [said for gate in gates if (said := gate.broken_by(first.overall)) is not None]
    data["gates"] = {"broken": broken, "kept": not broken}
    _write(out / "report.json", json.dumps(data, indent=1, allow_nan=False) + "\n")
    shown = _shown(cases, first, judge)
    _write(out / "report.html", _page(html_page, first, shown, other, f"{cases.name}: evaluation", thresholds))
    _tell(data, as_json, lambda console: print_report(console, first, other, thresholds), out / "report.html")
    for said in broken:
        typer.echo(f"contextpack: {said}", err=True)
    for evaluation in found:
        if (faults := evaluation.faults) and not skip_faulty:
            told = f"{len(faults)} of {len(evaluation.records) + len(faults)} cases could not be run"
            raise EvaluationError(f"{told}, the first: {faults[0]} — mend them, or leave them out with --skip-faulty")
    if broken:
        raise typer.Exit(1)


def tune_command(
    cases: CasesFile,
    out: Out,
    policy: PolicyFile = None,
    measure: Annotated[str, typer.Option("--measure", help="What to be good at.")] = "evidence_recall",
    budgets: Annotated[
        str | None, typer.Option("--budgets", metavar="TOKENS", help="The evidence budgets to try, with commas between them.")
    ] = None,
    share: Annotated[float, typer.Option("--share", min=0.05, max=0.95, help="The share of the cases to choose by.")] = 0.5,
    slack: Annotated[float, typer.Option("--slack", min=0, help="How much of the measure fewer tokens may cost.")] = 0.01,
    workers: Workers = 0,
    as_of: AsOf = None,
    seed: Seed = 7,
    as_json: AsJson = False,
) -> None:
    """Search budget, strategy and relevance floor on a part of the cases, and report on the other.

    Writes policy.yaml, tuning.json and report.html to the folder, and the records of its trials to trials in it: a search that was
    interrupted goes on from there.
    """
    sizes = BUDGETS if budgets is None else _sizes(budgets)
    with _progress("tuning") as progress:
        found = tune(
            cases,
            _policy(policy),
            measure=measure,
            share=share,
            slack=slack,
            as_of=_day(as_of),
            workers=_workers(workers),
            seed=seed,
            progress=progress,
            budgets=sizes,
            out=out / "trials",
        )
    _write(out / "policy.yaml", found.chosen.policy.to_yaml())
    _write(out / "tuning.json", json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n")
    _write(out / "report.html", _page(tuning_page, found, f"{cases.name}: tuning"))
    _tell(found.to_dict(), as_json, lambda console: print_tuning(console, found), out / "report.html")


def orders_command(
    cases: CasesFile,
    out: Out,
    policy: PolicyFile = None,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", metavar="FILE", help="Answers to the prompts, one object a line: qid, order, prompt, answer."),
    ] = None,
    as_of: AsOf = None,
    seed: Seed = 7,
    as_json: AsJson = False,
) -> None:
    """Compare the order edges with best_first by their answers, on cases whose evidence the retriever ranked third or lower.

    Without answers, writes the prompts to answer to prompts.jsonl in the folder; with them, orders.json.
    """
    chosen = _policy(policy)
    day = day_for("", chosen, _day(as_of))
    given = load_cases(cases)
    if answers is None:
        prompts = order_prompts(given, chosen, as_of=day)
        _write(out / "prompts.jsonl", "".join([json.dumps(prompt) + "\n" for prompt in prompts]))
        told = f"{for_terminal(prompts.says)}\nanswer each, keep qid, order and prompt, give them to --answers"
        _tell(
            {"prompts": len(prompts), "same": list(prompts.same)},
            as_json,
            lambda console: console.print(told),
            out / "prompts.jsonl",
        )
        return
    found = compare_orders(given, chosen, answers=_objects(answers), as_of=day, seed=seed)
    _write(out / "orders.json", json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n")
    title = "edges against best_first, on cases whose evidence ranked third or lower"
    names = Names(policy="edges", against="best_first")
    _tell(found.to_dict(), as_json, lambda console: print_comparison(console, found, names, title), out / "orders.json")


def judge_command(
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS", help="Claims and passages that people labelled, one JSON object a line.")
    ],
    judge: Annotated[
        str,
        typer.Option("--judge", help="lexical, a folder with an NLI model, or recorded: the verdicts that stand in the file."),
    ] = "lexical",
    as_json: AsJson = False,
) -> None:
    """Tell how far a judge can be trusted: its verdicts against those of people."""
    given = load_pairs(pairs)
    found = assess_verdicts(load_verdicts(pairs), given) if judge == "recorded" else assess_judge(_judge(judge), given)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), allow_nan=False))
    else:
        _print(lambda console: print_judge(console, found))


# ---------------------------------------------------------------- the parts


def _judge(name: str) -> Judge:
    if name == "lexical":
        return LexicalJudge()
    if not Path(name).is_dir():
        raise EvaluationError(f"--judge: {name!r} — lexical, recorded, or a folder with model.onnx, tokenizer.json and config.json")
    try:
        return NliJudge(name)
    except (ImportError, OSError, ValueError) as error:
        raise EvaluationError(f"--judge {name}: {error}") from None


def _objects(path: Path) -> list[Mapping[str, Any]]:
    """The objects of a file of JSON lines."""
    found: list[Mapping[str, Any]] = []
    faults: list[str] = []
    for number, line in case_lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            found.append(record)
        else:
            faults.append(f"{path}:{number}: an object with qid, order, prompt and answer is wanted")
    if faults:
        raise CasesError(faults)
    return found


def _policy(file: Path | None) -> Policy:
    return Policy() if file is None else Policy.from_yaml(file)


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise EvaluationError(f"--as-of: {text!r} — a date that exists, like 2026-03-01") from None


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple([int(size) for size in text.split(",")])
    except ValueError:
        raise EvaluationError(f"--budgets: {text!r} — whole numbers with commas between them, like 500,1000,2000") from None


def _page(make: Callable[..., str], *parts: Any) -> str:
    try:
        return make(*parts)
    except ImportError as error:
        raise EvaluationError(str(error)) from None


def _workers(workers: int) -> int:
    return workers or os.cpu_count() or 1


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise EvaluationError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar where somebody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _stopping(bar: Callable[[int, int], None] | None, as_of: str | None) -> Iterator[Callable[[int, int], None]]:
    """Progress that says, when somebody stops the command, how far it came and that it goes on from there."""
    reached = (0, 0)

    def step(done: int, total: int) -> None:
        nonlocal reached
        reached = (done, total)
        if bar is not None:
            bar(done, total)

    try:
        yield step
    except KeyboardInterrupt:
        another_day = "" if as_of else f", on another day with --as-of {date.today()}"
        told = f"stopped: {reached[0]} of {reached[1]} cases are done; the same command goes on from there{another_day}"
        typer.echo(f"contextpack: {told}", err=True)
        raise typer.Exit(130) from None


def _shown(path: Path, evaluation: Evaluation, judge: str) -> list[Observed]:
    """The failed cases of the drill-down, observed again: a few of each failure."""
    chosen: dict[str, None] = {}
    by_failure: dict[str, list[str]] = {}
    for record in evaluation.records:
        if record.get("diagnosis"):
            by_failure.setdefault(record["diagnosis"]["failure"], []).append(record["qid"])
    for place in range(CASES):
        chosen.update(dict.fromkeys([qids[place] for qids in by_failure.values() if place < len(qids)]))
    wanted = set(list(chosen)[:CASES])
    if not wanted:
        return []
    day = date.fromisoformat(evaluation.signature["as_of"])
    found = [c for c in read_cases(path) if isinstance(c, Case) and c.qid in wanted]
    return [observe(case, evaluation.policy, day, JUDGES[judge]) for case in found]


def _tell(data: Any, as_json: bool, tell: Callable[[Console], None], where: Path) -> None:
    if as_json:
        typer.echo(json.dumps(data, allow_nan=False))
        return
    _print(tell)
    typer.echo(for_output(str(where), sys.stdout.encoding))


def _print(tell: Callable[[Console], None]) -> None:
    """What ``tell`` prints, with an escape for what the output's encoding does not have."""
    console = _console()
    with console.capture() as printed:
        tell(console)
    typer.echo(for_output(printed.get(), sys.stdout.encoding), nl=False)


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 200)
