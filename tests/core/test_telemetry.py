"""The trace goes where the policy says, with the time it took; the pack itself stays reproducible."""

from __future__ import annotations

import json
import logging
from datetime import date

import pytest

from contextpack_core import Policy, decline, log_decline, log_trace, pack

RECORDS = [{"id": "a\udfff", "text": "Some text.", "metadata": {"doc_id": "d"}}]


def test_the_logging_sink_writes_one_line_of_json(caplog):
    """With the milliseconds; the same data are an attribute of the record."""
    made = pack(RECORDS)
    with caplog.at_level(logging.INFO, "contextpack"):
        log_trace(made, Policy.from_dict({"trace": {"sink": "logging"}}).trace, 0.0123456)

    (record,) = caplog.records
    wanted = {**made.trace.to_dict(), "milliseconds": 12.346}
    assert (record.name, record.levelname, json.loads(record.message), record.contextpack) == (
        "contextpack",
        "INFO",
        wanted,
        wanted,
    )
    assert "\n" not in record.message
    assert "milliseconds" not in json.dumps(made.to_dict())


def test_without_a_sink_nothing_is_written(caplog):
    """That is the default."""
    with caplog.at_level(logging.DEBUG):
        log_trace(pack(RECORDS), Policy().trace, 1.0)

    assert caplog.records == []


def test_a_logger_that_is_silent_costs_nothing(caplog, monkeypatch):
    """The line is made only where somebody listens."""
    monkeypatch.setattr(json, "dumps", None)
    with caplog.at_level(logging.WARNING, "contextpack"):
        log_trace(pack(RECORDS), Policy.from_dict({"trace": {"sink": "logging"}}).trace)

    assert caplog.records == []


@pytest.mark.parametrize(("mode", "acted"), [("on", True), ("shadow", False)])
def test_what_was_declined_goes_to_the_same_sink(caplog, mode, acted):
    """Reason, documents and which pack it was; without a sink nothing is written."""
    policy = Policy.from_dict({"relevance": {"min_score": 1}, "rollout": {"mode": mode}, "trace": {"sink": "logging"}})
    made = pack([{**RECORDS[0], "score": 0.5}], "q", policy, as_of=date(2026, 6, 1))
    declined = decline(made, policy)
    with caplog.at_level(logging.INFO, "contextpack"):
        log_decline(made, declined, policy)
        log_decline(made, declined, Policy())

    (record,) = caplog.records
    assert json.loads(record.message) == record.contextpack
    assert record.contextpack == {
        "declined": "NOT_RELEVANT",
        "acted": acted,
        "searched": ["d"],
        "intent": None,
        "as_of": "2026-06-01",
        "outcome": "DECLINE",
        "policy": policy.fingerprint,
    }
