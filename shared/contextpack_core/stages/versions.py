"""Prefers the edition that is in force on the as-of date."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from pydantic import Field

from contextpack_core.dates import read_date
from contextpack_core.decisions import Drop, Reason, Step
from contextpack_core.editions.families import (
    Edition,
    Elsewhere,
    Family,
    Links,
    editions_of,
    families_of,
    links_of,
    oldest_first,
    shortened,
)
from contextpack_core.editions.inference import infer_families
from contextpack_core.editions.ordering import compare_editions, edition_day, highest_editions
from contextpack_core.editions.status import standing_of
from contextpack_core.questions.as_of import Question
from contextpack_core.questions.roles import asks_about_now
from contextpack_core.settings import Settings
from contextpack_core.values import Candidate


class VersionSettings(Settings):
    """Which edition of a family is kept."""

    prefer: Literal["in_force", "all"] = "in_force"
    """``in_force``: only the edition in force on the as-of date; ``all``: every edition."""
    undated: Literal["keep", "drop", "newest"] = "keep"
    """What to do with an edition that has no date: keep it beside the dated one, drop it, or take it for the newest."""
    as_of: date | Literal["from_query"] | None = None
    """The day the answer must be true for; ``from_query``: read it from the question; None: today."""
    family: Literal["explicit", "infer"] = "explicit"
    """Where the family comes from: the metadata alone, or also titles, paths and near-identical text (``infer``)."""
    compare: Literal["auto", "off"] = "auto"
    """``auto``: a question about a change keeps the editions it names, else that in force and the one before it, oldest first."""
    change_cues: tuple[str, ...] = ()
    """Phrases that announce a question about a change, beside those known."""
    granularity: dict[str, Literal["edition", "section"]] = Field(default_factory=dict)
    """``section``: a newer edition of this family (``"*"``: of all others) replaces only the sections it holds, like amendments."""


@dataclass(frozen=True, slots=True)
class VersionStep(Step[Candidate]):
    """What the stage decided; ``dropped`` are the candidates of the other editions, with the families that were recognised."""

    dropped: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Why an edition does not apply: the reason, a sentence, and the edition that replaced it, where that is a candidate."""

    reason: Reason
    detail: str
    successor: Edition | None = None


_Verdicts = dict[Edition, _Verdict]


def prefer_versions(
    candidates: Sequence[Candidate], as_of: date, settings: VersionSettings, question: Question | None = None
) -> VersionStep:
    """Keep of each family the edition in force on the as-of date; candidates come best first, and those without a family stay.

    A link to a successor decides first, once the successor is in force; then status and the half-open range of days; of several
    editions in force the newest start, then the highest edition. What nothing decides is kept, and the notices say so; they also
    name what has no family and does not apply. A question about a change keeps the editions that it compares.
    """
    if settings.prefer == "all":
        return VersionStep("versions", tuple(candidates))
    drops: dict[int, Drop] = {}
    notices = list(question.notices) if question else []
    if settings.family == "infer":
        candidates, recognised = infer_families(candidates)
        notices += recognised
    families = [(family, family.editions) for family in families_of(candidates, settings.granularity)]
    linked = bool(families) and any(c.source.superseded_by or c.source.supersedes for c in candidates)
    elsewhere = _elsewhere(families) if linked else None
    favoured: list[tuple[Candidate, Candidate]] = []
    for family, editions in families:
        links = _links(editions, None if family.section else elsewhere) if linked else _NO_LINKS
        compared, day = (
            _compared(family, editions, links, as_of, settings, question) if question and question.change else ([], as_of)
        )
        verdicts, remarks = _verdicts(editions, links, day, settings, family.section)
        for edition in compared:
            verdicts.pop(edition, None)
        if compared:
            remarks = [f"the question compares {_listed(compared)}: these are kept, oldest first"]
        notices += [f"{family.name}: {remark}" for remark in (*_of_unknown_status(editions), *remarks)]
        winners = _winners(compared[::-1] or editions, verdicts)
        for edition, verdict in verdicts.items():
            winner = winners[edition]
            detail = verdict.detail if verdict.successor or not winner else f"{verdict.detail}; {winner} applies"
            for candidate in edition.members:
                drops[id(candidate)] = Drop(candidate.id, verdict.reason, detail, winner.members[0].id if winner else None)
            if elsewhere and winner:
                favoured += [(candidate, winner.members[0]) for candidate in edition.members]
    for candidate, favourite in favoured:
        if id(favourite) in drops:  # what replaces it in another family does not apply either
            drops[id(candidate)] = replace(drops[id(candidate)], in_favour_of=None)
    notices += _without_family(candidates, [family for family, _ in families], as_of)
    kept = tuple([c for c in candidates if id(c) not in drops])
    dropped = tuple([c for c in candidates if id(c) in drops])
    return VersionStep("versions", kept, tuple([drops[id(c)] for c in dropped]), tuple(notices), dropped)


_NO_LINKS = Links({}, {})


def _elsewhere(families: Sequence[tuple[Family, Sequence[Edition]]]) -> Elsewhere | None:
    """What links from one family may lead to in another; None where there are no such links."""
    whole = [edition for family, editions in families if not family.section for edition in editions]
    return Elsewhere.of(whole) if len(families) > 1 and any(map(_is_linked, whole)) else None


def _links(editions: Sequence[Edition], elsewhere: Elsewhere | None) -> Links:
    return links_of(editions, elsewhere) if elsewhere or any(map(_is_linked, editions)) else _NO_LINKS


def _is_linked(edition: Edition) -> bool:
    return any(c.source.superseded_by or c.source.supersedes for c in edition.members)


def _compared(
    family: Family, editions: Sequence[Edition], links: Links, as_of: date, settings: VersionSettings, question: Question
) -> tuple[list[Edition], date]:
    """The editions that a question about a change compares, oldest first, with the day on which to judge the others.

    Those that it names; else those in force on the days it names; else, if it asks what changed, the latest and the one before.
    None, where the family has no two such editions.
    """
    named = [e for e in editions if e.name and question.names(e.name)]
    now = asks_about_now(question.text) is not None
    if len(named) > 1 and not now:
        return oldest_first(named), max((e.start for e in named if e.start), default=as_of)
    if question.change == "named" and len(question.periods) + now < 2:
        return [], as_of
    days = _days_compared(question, as_of)
    if now or (not named and len(question.periods) == 1):
        days.append(as_of)  # what is in force is never left out for a day in a question alone
    applied = [e for day in days for e in editions if e not in _verdicts(editions, links, day, settings, family.section)[0]]
    found = oldest_first(dict.fromkeys([*named, *applied]))
    if len(found) > 1 or question.change == "named":
        return (found, max(days)) if len(found) > 1 else ([], as_of)
    latest = named or found
    before = _one_before(editions, latest, links)
    if not (before or named or question.periods):
        return [], as_of
    return oldest_first([*before, *latest]), (named[0].start if named else None) or max(days)


_DAY = timedelta(days=1)


def _days_compared(question: Question, as_of: date) -> list[date]:
    """The days on which the editions were in force that a question compares: what changed in a year changed since the last one,
    and what changed since a year is compared with that year."""
    days = [as_of if period.relation == "since" else period.day(question.today) for period in question.periods]
    if len(days) == 1 and question.change == "any":
        (period,) = question.periods
        days.append(period.start if period.relation == "since" else period.start - _DAY)
    return days or [as_of]


def _one_before(editions: Sequence[Edition], latest: Sequence[Edition], links: Links) -> list[Edition]:
    """What the latest editions replaced: what names them as successor, else what began before them, else the next lower edition."""
    others = [e for e in editions if e not in latest and not _never_applies(e)]
    if not latest or not others:
        return []
    if linked := [e for e in others if any(successor in latest for successor in links.successors.get(e, ()))]:
        return linked
    first = latest[0]
    earlier = [e for e in others if first.start and e.start and e.start < first.start]
    newest = max((e.start for e in earlier if e.start), default=None)
    lower = [e for e in others if e.start == first.start and e.name and first.name and compare_editions(e.name, first.name) == -1]
    return _highest(lower or [e for e in earlier if e.start == newest])[0]


def _verdicts(
    editions: Sequence[Edition], links: Links, as_of: date, settings: VersionSettings, by_section: bool
) -> tuple[_Verdicts, list[str]]:
    """Which editions of a family do not apply, and what is worth saying beside it."""
    remarks = [f"{_listed(links.circle)} replace one another in a circle; these links are not followed"] if links.circle else []
    verdicts: _Verdicts = {}
    for edition in editions:
        verdict = _replaced(edition, links, as_of, by_section) or _out_by_status(edition, links) or _out_of_range(edition, as_of)
        if verdict:
            verdicts[edition] = verdict
    outdated, remark = _outdated([e for e in editions if e not in verdicts], as_of, settings)
    verdicts |= outdated
    if len(verdicts) == len(editions):
        remark = f"no retrieved edition is in force on {as_of}; {_nearest(verdicts, links)}"
    return verdicts, [*remarks, *([remark] if remark else [])]


def _replaced(edition: Edition, links: Links, as_of: date, by_section: bool) -> _Verdict | None:
    """A link counts once the successor is in force: from its start, else from this edition's end; without either always.

    Where editions replace sections, a successor that was not retrieved may not hold this one, and does not count.
    """
    for successor in links.successors.get(edition, ()):
        begins = successor.start or edition.until
        if not _never_applies(successor) and (begins is None or begins <= as_of):
            return _Verdict(Reason.SUPERSEDED, f"{edition} was replaced by {successor}", successor)
    for name in () if by_section else links.missing.get(edition, ()):
        begins = edition.until or _day_in(name)
        if begins is None or begins <= as_of:
            return _Verdict(Reason.SUPERSEDED, f"{edition} was replaced by {shortened(name)}, which was not retrieved")
    return None


_ISO_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def _day_in(name: str) -> date | None:
    """The day that the name of an edition or document holds."""
    found = _ISO_DAY.search(name)
    return read_date(found[0]) if found else edition_day(name)


_FORMERLY_IN_FORCE = {"superseded": Reason.SUPERSEDED, "expired": Reason.EXPIRED}


def _never_applies(edition: Edition) -> bool:
    return bool(edition.status) and standing_of(edition.status) == "never"


def _out_by_status(edition: Edition, links: Links) -> _Verdict | None:
    """A former state is that of today: it decides only where no date says when the edition ended."""
    if not edition.status:
        return None
    if _never_applies(edition):
        return _Verdict(Reason.WITHDRAWN, f"{edition} has the status {shortened(edition.status)}")
    formerly = _FORMERLY_IN_FORCE.get(standing_of(edition.status))
    if formerly is None or edition.until or any(e.start for e in links.successors.get(edition, ())):
        return None
    return _Verdict(formerly, f"{edition} has the status {shortened(edition.status)}")


def _of_unknown_status(editions: Sequence[Edition]) -> list[str]:
    """A remark on each status, of at most four, that says nothing of whether the edition applies."""
    unknown = {e.status: e for e in editions if e.status and standing_of(e.status) == "unknown"}
    return [
        f"the status {shortened(status)!r} of {edition.label} is not known: it counts as in force"
        for status, edition in list(unknown.items())[:4]
    ]


_MOST_NAMED = 8


def _without_family(candidates: Sequence[Candidate], families: Sequence[Family], as_of: date) -> list[str]:
    """A notice on each document without a family whose own metadata say that it does not apply: nothing of it is dropped."""
    told = [c for c in candidates if not c.source.family and _may_not_apply(c, as_of)]
    if not told:
        return []
    judged = {id(c) for family in families for c in family.members}
    documents: dict[str, list[Candidate]] = {}
    for candidate in told:
        if id(candidate) not in judged:
            documents.setdefault(candidate.source.doc_id, []).append(candidate)
    notices = []
    for doc_id, members in documents.items():
        editions = editions_of(members)
        links = links_of(editions)
        found = [_replaced(e, links, as_of, False) or _out_by_status(e, links) or _out_of_range(e, as_of) for e in editions]
        if verdict := next(filter(None, found), None):
            notices.append(f"document {shortened(doc_id)} is kept, since it has no family: {verdict.detail}")
    more = len(notices) - _MOST_NAMED
    return [*notices[:_MOST_NAMED], *([f"so are {more} other documents that do not apply"] if more > 0 else [])]


def _may_not_apply(candidate: Candidate, as_of: date) -> bool:
    """Whether it is worth a closer look; of most hits it is not."""
    source = candidate.source
    start, until = source.effective_from, source.effective_until
    if source.superseded_by or (source.status and standing_of(source.status) not in ("applies", "unknown")):
        return True
    if start is not None and (type(start) is not date or as_of < start):
        return True
    return until is not None and (type(until) is not date or until <= as_of)


def _out_of_range(edition: Edition, as_of: date) -> _Verdict | None:
    if edition.start and as_of < edition.start:
        return _Verdict(Reason.NOT_YET_IN_FORCE, f"{edition} takes effect after {as_of}")
    if edition.until and edition.until <= as_of:
        return _Verdict(Reason.EXPIRED, f"{edition} had ended by {as_of}")
    return None


def _outdated(editions: Sequence[Edition], as_of: date, settings: VersionSettings) -> tuple[_Verdicts, str | None]:
    """Of editions that all may apply, those that another one outdates; and what nothing decides."""
    dated = [e for e in editions if e.dated]
    undated = [e for e in editions if not e.dated]
    verdicts: _Verdicts = {}
    if settings.undated == "drop":
        verdicts = {e: _Verdict(Reason.UNDATED, f"{e.label} has no date") for e in undated}
        undated = []
    if undated and (settings.undated == "newest" or not dated):
        verdicts, newest = _named_after_later_days(undated, as_of)
    else:
        start = max((e.start or date.min for e in dated), default=date.min)
        newest = [e for e in dated if (e.start or date.min) == start]
    highest, why = _highest(newest)
    rivals = editions if settings.undated == "newest" and undated else dated or undated
    for edition in rivals:
        if edition not in highest and edition not in verdicts:
            verdicts[edition] = _Verdict(Reason.SUPERSEDED, f"{edition} was replaced by {highest[0]}", highest[0])
    if why:
        return verdicts, f"nothing decides between {_listed(highest)} ({why}); all are kept"
    if undated and not dated and len(editions) > len(highest):
        return verdicts, f"no edition has a date: {_listed(highest)} is the highest, whatever the day"
    if undated and dated and settings.undated == "keep":
        return verdicts, f"{_listed(undated)}: kept beside {highest[0]}"
    return verdicts, None


def _named_after_later_days(undated: Sequence[Edition], as_of: date) -> tuple[_Verdicts, list[Edition]]:
    """Editions without dates: those named after a day, month or year to come do not apply yet, unless there are no others."""
    later = [e for e in undated if e.name and (day := edition_day(e.name)) and day > as_of]
    if len(later) in (0, len(undated)):
        return {}, list(undated)
    verdicts = {e: _Verdict(Reason.NOT_YET_IN_FORCE, f"{e} is named after a time later than {as_of}") for e in later}
    return verdicts, [e for e in undated if e not in verdicts]


def _highest(editions: Sequence[Edition]) -> tuple[list[Edition], str | None]:
    """The highest of editions that began on one day, and why there are several."""
    if len(editions) < 2 or not any(e.name for e in editions):
        return list(editions), None  # documents of one day
    names, why = highest_editions([e.name or "" for e in editions])
    return [e for e in editions if (e.name or "") in names], why


def _listed(editions: Sequence[Edition]) -> str:
    """At most four of the editions, for a sentence."""
    names = [str(e) for e in editions[:4]]
    if len(editions) > 4:
        names[3:] = [f"{len(editions) - 3} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _nearest(verdicts: _Verdicts, links: Links) -> str:
    """What is known of the edition that applies, where none of the retrieved ones does."""
    missing = dict.fromkeys([shortened(name) for names in links.missing.values() for name in names])
    if missing:
        return f"not retrieved: {', '.join(list(missing)[:4])}"
    return "; ".join(dict.fromkeys([verdict.detail for verdict in verdicts.values()][:4]))


def _winners(editions: Sequence[Edition], verdicts: _Verdicts) -> Mapping[Edition | None, Edition | None]:
    """For each that does not apply what does instead: its own successor, or what replaced that; else the family's best-ranked."""
    winners: dict[Edition | None, Edition | None] = {None: next((e for e in editions if e not in verdicts), None)}
    for edition in verdicts:
        successor: Edition | None = edition
        way: list[Edition] = []  # to the one that applies; a long one is gone once
        while successor in verdicts and successor not in winners:
            way.append(successor)
            successor = verdicts[successor].successor
        winners.update(dict.fromkeys(way, winners.get(successor, successor)))
    return winners
