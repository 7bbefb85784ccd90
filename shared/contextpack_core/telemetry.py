"""Sends the trace of a pack to where the policy says, with the time it took, and what was declined."""

from __future__ import annotations

import json
import logging
from typing import Any

from contextpack_core.grounding.declining import Declined
from contextpack_core.pack import Pack
from contextpack_core.policy import Policy, TraceSettings

logger = logging.getLogger("contextpack")
"""What the sink ``logging`` writes to, at level INFO."""


def log_trace(pack: Pack, settings: TraceSettings, seconds: float | None = None) -> None:
    """Hand the trace to the sink of the settings, with the seconds that the pack took: a pack itself holds no timing.

    ``logging``: one line of JSON at level INFO, as the message; the same data are the record's attribute ``contextpack``.
    """
    if _is_logged(settings):
        timed = {} if seconds is None else {"milliseconds": round(seconds * 1000, 3)}
        _log({**pack.trace.to_dict(), **timed})


def log_decline(pack: Pack, declined: Declined, policy: Policy) -> None:
    """Hand to the sink of the policy that a question was declined, or would have been: ``acted`` is false in a shadow.

    ``logging``: one line of JSON with the reason, the ids of the documents that were searched, and as much of the trace as tells
    which pack it was.
    """
    if _is_logged(policy.trace):
        trace = pack.trace.to_dict()
        _log(
            {
                "declined": declined.reason.value,
                "acted": policy.rollout.mode == "on",
                "searched": [source.doc_id for source in declined.searched],
                **{name: trace.get(name) for name in ("intent", "as_of", "outcome", "policy")},
            }
        )


def _is_logged(settings: TraceSettings) -> bool:
    return settings.sink == "logging" and logger.isEnabledFor(logging.INFO)


def _log(record: dict[str, Any]) -> None:
    logger.info("%s", json.dumps(record, allow_nan=False), extra={"contextpack": record})
