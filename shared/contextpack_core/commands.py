"""The commands of the command line: pack, explain, check, eval, tune, orders, judge, policy, demo."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn, TextIO

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

import contextpack_core
from contextpack_core.errors import ContextPackError, PackError, PolicyError
from contextpack_core.evaluation.commands import eval_command, judge_command, orders_command, tune_command
from contextpack_core.pack import Outcome, Pack, pack
from contextpack_core.policy import Policy
from contextpack_core.questions.cues import CUES
from contextpack_core.template import policy_template, settings_table
from contextpack_core.tokens import encoding_of
from contextpack_core.values import Candidate


class CommandError(Exception):
    """Why a command cannot do what it was asked to: one line, with the fix."""


class _OneLineErrors(TyperGroup):
    """Ends with 2 and one line for whatever is wrong with the input, never with a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except (ContextPackError, CommandError) as error:
            code = _complain(str(error))
        except ImportError as error:
            if "pip install" not in str(error):
                raise
            code = _complain(str(error))  # an extra that the command needs
        except typer.Abort:
            code = 130
        except BrokenPipeError:
            sys.stdout = None  # whoever read has gone: nothing to flush at the end
            code = 1
        except Exception as error:
            tell = getattr(error, "format_message", None)  # what typer raises for wrong arguments
            if tell is None:
                raise
            context = getattr(error, "ctx", None)
            command = context.command_path if context else "contextpack"
            code = _complain(f"{command}: {' '.join(tell().split())} See {command} --help.", prefix="")
        if not standalone_mode:
            return code
        sys.exit(code if isinstance(code, int) else 0)


def _complain(message: str, prefix: str = "contextpack: ") -> int:
    for line in message.splitlines():
        typer.echo(f"{prefix}{_shown(line)}", err=True)
    return 2


app = typer.Typer(
    name="contextpack",
    cls=_OneLineErrors,
    help="Packs retrieved text into evidence inside a token budget, and checks what an answer cites.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
policy_app = typer.Typer(help="Write, check and show policies.", rich_markup_mode=None)
app.add_typer(policy_app, name="policy")

PolicyFile = Annotated[Path | None, typer.Option("--policy", "-p", metavar="FILE", help="The policy; the defaults when left out.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="The day the answer must be true for, like 2026-03-01.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(f"contextpack {contextpack_core.__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("pack")
def pack_command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Candidates as JSON lines or a JSON array, or records with query and candidates; - reads the standard input.",
        ),
    ],
    query: Annotated[str | None, typer.Option("--query", "-q", help="The question; for records without one.")] = None,
    policy: PolicyFile = None,
    as_of: AsOf = None,
    access: Annotated[
        list[str] | None, typer.Option("--access", "-a", metavar="LABEL", help="A label that the caller holds; may be repeated.")
    ] = None,
    intent: Annotated[
        str | None, typer.Option("--intent", help="The intent, in place of the one that the query announces.")
    ] = None,
    as_json: AsJson = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the packs there as JSON lines.")] = None,
) -> None:
    """Pack candidates into evidence: prints the text for the prompt, and a line on the pack to the standard error.

    Ends with 0; with 1 if a single query found nothing to answer from; with 2 if the input is wrong.
    """
    settings = _policy(policy)
    if intent is not None:
        settings.for_query("", intent)  # one that does not exist is an error here
    requests = _requests(file, query, access, _day(as_of))
    if len(requests) > 1 and not (as_json or out):
        raise CommandError(f"{file}: {len(requests)} queries — add --json, or --out FILE")
    packs: Iterable[Pack] = (_packed(request, settings, intent) for request in requests)
    if len(requests) > 1:
        console = _console(sys.stderr)
        packs = track(packs, "packing", len(requests), console=console, transient=True, disable=not sys.stderr.isatty())
    outcomes = _write_packs(packs, as_json, out)
    if len(requests) > 1:
        counts = ", ".join(f"{outcomes.count(outcome)} {outcome.value}" for outcome in Outcome if outcome in outcomes)
        typer.echo(f"{len(requests)} queries: {counts}{f'; written to {out}' if out else ''}", err=True)
    elif outcomes[0] in (Outcome.EMPTY, Outcome.DECLINE):
        raise typer.Exit(1)


@app.command()
def explain(
    file: Annotated[
        str, typer.Argument(metavar="PACK", help="A pack that pack --json or --out wrote; - reads the standard input.")
    ],
    candidate: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A candidate or a label; all candidates when left out.")
    ] = None,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="Which pack of the file.")] = 1,
) -> None:
    """Say what became of one candidate, of the first in the passage under a label, or of all, and where the tokens went.

    Ends with 1 if the pack tells of no such candidate.
    """
    packed = _read_pack(file, number)
    if candidate is None:
        _print_account(packed)
        return
    known = {name for item in packed.trace.accepted for name in item.candidate_ids} | {d.candidate_id for d in packed.trace.drops}
    if candidate not in known:
        under = [name for item in packed.trace.accepted if item.label == candidate for name in item.candidate_ids]
        candidate = under[0] if under else candidate
    try:
        typer.echo(_shown(packed.explain(candidate)))
    except KeyError as error:
        _complain(str(error))
        raise typer.Exit(1) from None


@app.command()
def check(
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="A file with the answer; - reads the standard input.")],
    file: Annotated[str, typer.Option("--pack", metavar="PACK", help="The pack that the answer was written from.")],
    question: Annotated[str, typer.Option("--question", "-q", help="The question: its figures may be repeated.")] = "",
    policy: PolicyFile = None,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="Which pack of the file.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Check what an answer cites against the pack: citations, quotations, figures, editions.

    Ends with 1 if there are problems.
    """
    check_answer = getattr(contextpack_core, "check", None)
    if check_answer is None:
        raise CommandError("check: this release has no checker; update contextpack-rag")
    if answer == file == "-":
        raise CommandError("check: answer and pack cannot both come from the standard input; name a file for one")
    report = check_answer(_read(answer), _read_pack(file, number), question=question, settings=_policy(policy).citations)
    if as_json:
        _echo_json(report.to_dict())
    else:
        typer.echo(_name_of(report.status))
        for problem in report.problems:
            typer.echo(f"- {_shown(str(problem))}")
    if report.problems:
        raise typer.Exit(1)


@app.command()
def demo() -> None:
    """Pack the documents of an invented insurer for five questions, offline."""
    try:
        run_demo = importlib.import_module("contextpack_core.demo").run_demo
    except ModuleNotFoundError as missing:
        raise CommandError(f"demo: {missing.name} is not installed: pip install 'contextpack-rag[cli]'") from None
    raise typer.Exit(int(run_demo() or 0))


app.command("eval")(eval_command)
app.command("tune")(tune_command)
app.command("orders")(orders_command)
app.command("judge")(judge_command)


@policy_app.command("init")
def policy_init(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="Where to write it; - prints it.")] = "contextpack.yaml",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a policy to start from: every setting with its default and what it means."""
    if file == "-":
        typer.echo(policy_template(), nl=False)
        return
    if Path(file).exists() and not force:
        raise CommandError(f"{file}: there is a file already; name another, or add --force to write over it")
    _write(Path(file), policy_template())
    typer.echo(f"{Path(file).resolve()}: written; edit it, then: contextpack policy validate {file}")


@policy_app.command("validate")
def policy_validate(file: Annotated[Path, typer.Argument(metavar="FILE", help="The policy.")]) -> None:
    """Check a policy: names every wrong setting with its line and what would be right.

    Ends with 1 if there are any, with 2 if there is no such file.
    """
    try:
        policy = Policy.from_yaml(file)
    except PolicyError as error:
        _complain(str(error), prefix="")
        raise typer.Exit(1 if file.is_file() else 2) from None
    typer.echo(f"{file}: valid")
    if policy.tokenizer and encoding_of(policy.tokenizer) is None and policy.tokenizer.strip().lower() != "approximate":
        note = "no public encoding is known for it: tokens are bounded from above, not counted"
        typer.echo(f"note: tokenizer {_shown(policy.tokenizer)!r}: {note}", err=True)
    for name, intent in policy.intents.items():
        if intent.cues is None and name not in CUES:
            near = get_close_matches(name, CUES, 1)
            note = "it has no cues, so it is taken by name only" + (f"; did you mean {near[0]}?" if near else "")
            typer.echo(f"note: intents.{_shown(name)}: {note}", err=True)


@policy_app.command("show")
def policy_show(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The policy; the defaults when left out.")] = None,
    query: Annotated[str | None, typer.Option("--query", "-q", help="Show what holds for this query.")] = None,
    intent: Annotated[str | None, typer.Option("--intent", help="Show what holds under this intent.")] = None,
    changed: Annotated[bool, typer.Option("--changed", help="Only what differs from the defaults.")] = False,
) -> None:
    """Print a policy with every setting, for all queries or for one."""
    policy = _policy(file)
    if query is not None or intent is not None:
        decision = policy.intent_of(query or "") if intent is None else None
        name, policy = policy.for_query(query or "", intent)
        why = f", by the cue {decision.cue!r}" if decision else ""
        typer.echo(f"# intent: {_shown(name or 'none')}{_shown(why)}")
        policy = policy.model_copy(update={"intents": {}})
    typer.echo(policy.to_yaml(defaults=not changed), nl=False)


@policy_app.command("schema")
def policy_schema() -> None:
    """Print a JSON Schema of policy files, for editors and validators."""
    typer.echo(json.dumps(Policy.json_schema(), indent=2))


@policy_app.command("settings")
def policy_settings() -> None:
    """Print every setting with what it takes, its default and its meaning, as Markdown."""
    typer.echo(settings_table())


# ---- in


class Request(NamedTuple):
    """One query with its candidates."""

    candidates: list[Any]
    query: str
    as_of: date | None
    access: list[str] | None
    where: str


def _policy(file: Path | None) -> Policy:
    return Policy() if file is None else Policy.from_yaml(file)


def _day(text: str | None, where: str = "--as-of") -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError):
        raise CommandError(f"{where}: {text!r} — a date that exists, like 2026-03-01") from None


def _requests(file: str, query: str | None, access: list[str] | None, as_of: date | None) -> list[Request]:
    """The queries of a file: each record with candidates is one; else all candidates belong to the query of the command line."""
    records = _records(file)
    wanted = "a record with query and candidates" if any(_is_request(record) for record, _ in records) else "a candidate"
    for record, where in records:
        if not isinstance(record, dict) or _is_request(record) is not wanted.startswith("a record"):
            raise CommandError(f"{where}: {_kind(record)} — {wanted} is wanted, as in the other records")
        if wrong := _no_candidate(record):
            raise CommandError(f"{where}: {wrong}")
    if wanted == "a candidate":
        if query is None:
            raise CommandError(f"{file}: candidates without a query — add --query")
        return [Request([record for record, _ in records], query, as_of, access, file)]
    return [_request(record, where, query, access, as_of) for record, where in records]


def _no_candidate(record: Mapping[str, Any]) -> str | None:
    """Why a record is neither a candidate nor a query with candidates, where it clearly is something else."""
    if {"format", "evidence", "text"} <= record.keys():
        return "a saved pack — what a retriever found is wanted: this is packed already"
    lists = [key for key, value in record.items() if isinstance(value, list) and value and all(isinstance(v, dict) for v in value)]
    if lists and not _is_request(record) and not Candidate.from_mapping(record).text:
        return (
            f"an object without a text — are these the candidates, under {lists[0]!r}? Give that list alone, or call it candidates"
        )
    return None


def _is_request(record: Any) -> bool:
    return isinstance(record, dict) and "candidates" in record


def _request(record: Mapping[str, Any], where: str, query: str | None, access: list[str] | None, as_of: date | None) -> Request:
    candidates, question = record["candidates"], record.get("query", query)
    if not isinstance(candidates, list):
        raise CommandError(f"{where}: candidates is {_kind(candidates)} — a list is wanted")
    if not isinstance(question, str):
        raise CommandError(f"{where}: no query — give the record one, or add --query")
    held = record.get("access", access)
    if isinstance(held, str):
        held = [held]
    if held is not None and not isinstance(held, list):
        raise CommandError(f"{where}: access is {_kind(held)} — a list of labels is wanted")
    day = _day(record["as_of"], f"{where}: as_of") if record.get("as_of") is not None else as_of
    return Request(candidates, question, day, held, where)


def _records(file: str) -> list[tuple[Any, str]]:
    """The records of a JSON array, of JSON lines, or the one of a JSON object, each with its place."""
    text, name = _read(file), "standard input" if file == "-" else file
    try:
        whole = json.loads(text)
    except RecursionError:
        raise CommandError(f"{name}: nested too deep") from None
    except ValueError as error:
        return list(_json_lines(text, name, error))
    if isinstance(whole, list):
        return [(record, f"{name}[{i}]") for i, record in enumerate(whole)]
    return [(whole, name)]


def _json_lines(text: str, name: str, error: ValueError) -> Iterator[tuple[Any, str]]:
    if not text.strip():
        raise CommandError(f"{name}: it is empty — JSON lines or a JSON array are wanted")
    if text.lstrip()[0] == "[" or "\n" not in text.strip():
        raise CommandError(f"{name}:{getattr(error, 'lineno', 1)}: no JSON: {getattr(error, 'msg', error)}") from None
    for i, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line), f"{name}:{i}"
            except (ValueError, RecursionError) as wrong:
                raise CommandError(f"{name}:{i}: no JSON: {getattr(wrong, 'msg', 'nested too deep')}") from None


def _read(file: str) -> str:
    try:
        if file == "-":
            return typer.get_binary_stream("stdin").read().decode("utf-8-sig")
        return Path(file).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise CommandError(f"{file}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise CommandError(f"{file}: byte {error.start} is no UTF-8 — save the file as UTF-8") from None
    except (OSError, ValueError) as error:
        raise CommandError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _read_pack(file: str, number: int) -> Pack:
    records = _records(file)
    if len(records) < number:
        raise CommandError(f"{file}: --number {number} — the file holds {len(records)} pack{'s' if len(records) != 1 else ''}")
    record, where = records[number - 1]
    if not isinstance(record, dict) or record.keys().isdisjoint(("evidence", "format")):
        kind = "a query with candidates" if _is_request(record) else "a candidate" if isinstance(record, dict) else _kind(record)
        made = "contextpack pack FILE --query … --out pack.jsonl makes one"
        raise CommandError(f"{where}: {kind} — a saved pack is wanted: {made}")
    try:
        return Pack.from_dict(record)
    except PackError as error:
        raise CommandError(f"{where}: {error}") from None


def _kind(value: Any) -> str:
    return {dict: "an object", list: "an array", str: "a text", type(None): "null", bool: "true or false"}.get(
        type(value), "a number"
    )


# ---- out


def _packed(request: Request, policy: Policy, intent: str | None) -> Pack:
    try:
        return pack(request.candidates, request.query, policy, as_of=request.as_of, access=request.access, intent=intent)
    except ContextPackError as error:
        raise CommandError(f"{request.where}: {error}") from None


def _write_packs(packs: Iterable[Pack], as_json: bool, out: Path | None) -> list[Outcome]:
    """Print or write each pack as soon as it is made."""
    outcomes = []
    with _open(out) if out else nullcontext() as target:
        for packed in packs:
            outcomes.append(packed.outcome)
            if target:
                target.write(json.dumps(packed.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
            if as_json:
                _echo_json(packed.to_dict())
            elif not target:
                typer.echo(_shown(packed.text, lines=True))
                typer.echo(_summary(packed), err=True)
                for advice in packed.advice:
                    typer.echo(f"advice: {_shown(advice.text)}", err=True)
    if out and len(outcomes) == 1:
        typer.echo(f"{_summary(packed)}; written to {out}", err=True)
    return outcomes


def _summary(packed: Pack) -> str:
    trace = packed.trace.without_withheld()
    parts = [
        f"{len(packed.evidence)} passage{'s' if len(packed.evidence) != 1 else ''}",
        f"{packed.tokens} of {packed.budget.evidence} tokens{' (at most)' if trace.approximate else ''}",
        f"{len(trace.drops)} left out",
        *([f"{trace.withheld} withheld"] if trace.withheld else []),
        f"as of {packed.as_of}",
    ]
    return f"{packed.outcome.value}: {', '.join(parts)}"


def _print_account(packed: Pack) -> None:
    """The evidence, what was left out and why, and the lines of the budget."""
    console = _console(sys.stdout)
    console.print(Text(_summary(packed)))
    trace = packed.trace.without_withheld()
    accepted = [(a.label, ", ".join(a.candidate_ids), a.doc_id, a.edition or "", str(a.tokens)) for a in trace.accepted]
    _print_table(console, ("label", "candidates", "document", "edition", "tokens"), accepted)
    drops = [
        (d.candidate_id, step.stage, d.reason.value, d.detail or d.reason.meaning, d.in_favour_of or "")
        for step in trace.steps
        for d in step.drops
    ]
    _print_table(console, ("left out", "stage", "reason", "detail", "in favour of"), drops)
    for notice in trace.notices:
        console.print(Text(f"note: {_shown(notice)}"))
    for advice in packed.advice:
        console.print(Text(f"advice: {_shown(advice.text)}"))
    plan = packed.budget
    lines = [
        (name, getattr(plan, name))
        for name in ("input_limit", "instructions", "history", "question", "answer", "margin", "evidence")
    ]
    console.print(Text("budget: " + ", ".join(f"{name} {tokens}" for name, tokens in lines if tokens)))


def _print_table(console: Console, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if rows:
        table = Table(*head, box=None, pad_edge=False, header_style="bold")
        for row in rows:
            table.add_row(*[Text(_shown(cell), overflow="fold") for cell in row])
        console.print(table)


def _console(stream: TextIO) -> Console:
    """Plain and wide where nobody looks: a pipe keeps whole lines."""
    return Console(file=stream, highlight=False, markup=False, emoji=False, width=None if stream.isatty() else 200)


def _echo_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=not _writes_everything(sys.stdout), allow_nan=False))


def _writes_everything(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _shown(text: str, *, lines: bool = False) -> str:
    """The text with what a terminal would obey, or the output cannot take, written as an escape."""
    if not text.isprintable():
        kept = "\t\n" if lines else "\t"
        text = "".join([c if c.isprintable() or c in kept or c in _BLANKS else c.encode("unicode_escape").decode() for c in text])
    if _writes_everything(sys.stdout):
        return text
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)


_BLANKS = "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"


def _name_of(status: Any) -> str:
    return str(getattr(status, "value", status))


def _open(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        _refuse(path, error)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        _refuse(path, error)


def _refuse(path: Path, error: OSError) -> NoReturn:
    raise CommandError(f"{path}: cannot be written: {error.strerror}") from None
