"""The page of an evaluation, and that of a tuning."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from datetime import date

import pytest

from contextpack_core import Policy
from contextpack_core.evaluation.cases import Case
from contextpack_core.evaluation.compare import compare
from contextpack_core.evaluation.report import Against, Names
from contextpack_core.evaluation.report_html import html_page, tuning_page
from contextpack_core.evaluation.run import evaluate
from contextpack_core.evaluation.tune import tune

pytest.importorskip("matplotlib")

HITS = [{"id": str(i), "text": " ".join([f"plan{i} fee{j}" for j in range(20)])} for i in range(4)]
CASES = [Case.from_dict({"qid": f"q{i}", "question": "What is the fee?", "candidates": HITS, "gold": ["0", "3"]}) for i in range(8)]
DAY = date(2026, 1, 1)
NEW, OLD = [evaluate(CASES, Policy.from_dict({"budget": {"evidence": size}}), as_of=DAY) for size in (2000, 100)]
AGAINST = Against(OLD, compare(OLD, NEW), Names("new.yaml", "old.yaml"))


def heads(page):
    return [re.sub("<.*?>", "", head) for head in re.findall("<th>(.*?)</th>", page)]


def test_two_policies_have_their_names_everywhere():
    """Columns, what fails under one alone, and either signature."""
    page = html_page(NEW, (), AGAINST)

    assert "A difference is new.yaml minus old.yaml." in page
    assert heads(page)[heads(page).index("difference") - 2 :][:3] == ["old.yaml", "new.yaml", "difference"]
    assert "<b>fails only under old.yaml:</b> <bdi>q0</bdi>, <bdi>q1</bdi>" in page
    assert "<b>fails only under new.yaml:</b> none" in page
    assert re.findall(r"signature of (\S+): [^<]* id:(\w+)", page) == [
        ("new.yaml", NEW.signature["id"]),
        ("old.yaml", OLD.signature["id"]),
    ]
    assert "<b>1.000</b><span>whole evidence</span><i>0.676–1.000</i><i><bdi>old.yaml</bdi> 0.000</i>" in page


def test_notes_stand_before_the_numbers():
    """Right under the title."""
    page = html_page(replace(NEW, notes=("Read <this> first.",)))

    assert page.index("<p class='note'>Read &lt;this&gt; first.</p>") < page.index("class='tile'")


def test_without_an_answer_there_is_no_rate_of_misses_on_top():
    """What the pack would do is in the tables, which say so."""
    absent = [replace(case, answerable=False) for case in CASES]
    silent, spoken = [
        html_page(evaluate(cases, as_of=DAY)) for cases in (absent, [replace(case, answer="1 euro [P1].") for case in absent])
    ]

    assert "<span>miss rate</span>" not in silent
    assert heads(silent)[heads(silent).index("would be asked") - 1 :][:3] == [
        "8 cases without an answer",
        "would be asked",
        "not asked",
    ]
    assert "<span>miss rate</span>" in spoken
    assert "would be asked" not in heads(spoken)


def test_bars_of_other_cases_are_told():
    """Cases without an answer are not among the cited."""
    mixed = [replace(case, answer="1 euro [P1]." if i else None) for i, case in enumerate(CASES)]

    assert "retrieved of 8 cases, admitted of 8 cases, cited of 7 cases" in html_page(evaluate(mixed, as_of=DAY))
    assert "not of the same cases" not in html_page(NEW)


def test_tuning_leads_with_what_was_chosen():
    """Settings, why, the policy as YAML, the trials with the chosen one marked; then its numbers beside those before."""
    found = tune(CASES, Policy.from_dict({"budget": {"evidence": 100}}), budgets=(100, 2000), as_of=DAY)
    told = replace(found, lost=(({"evidence": 9}, "BudgetError: no <room>"),), after=replace(found.after, notes=("Few cases.",)))
    page = tuning_page(told, "tuning")

    assert page.index("<h2>Chosen</h2>") < page.index("evidence 2000, strategy") < page.index("<pre>") < page.index("class='tile'")
    assert f"<pre>{found.chosen.policy.to_yaml()}</pre>" in page.replace("&#x27;", "'").replace("&quot;", '"')
    assert page.count("<td><b>chosen</b></td>") == 1
    assert page.index("<p class='note'>Few cases.</p>") < page.index("class='tile'")
    assert "<p>Not tried: evidence 9: BudgetError: no &lt;room&gt;</p>" in page
    assert len(re.findall("<tr>", page[: page.index("class='tile'")])) == 1 + len(found.trials)
    assert "<b>1.000</b><span>whole evidence</span><i>0.510–1.000</i><i><bdi>policy before</bdi> 0.000</i>" in page
    assert "A difference is chosen policy minus policy before." in page


def test_differences_by_intent_are_unfolded():
    """A table for each intent that both have."""
    named = [replace(case, intent="fees" if i % 2 else "_other") for i, case in enumerate(CASES)]
    one, two = [evaluate(named, Policy.from_dict({"budget": {"evidence": size}}), as_of=DAY) for size in (2000, 100)]
    page = html_page(one, (), Against(two, compare(two, one), AGAINST.names))

    assert re.findall("<details><summary><bdi>(.*?)</bdi></summary><div class='wide'", page) == ["_other", "fees"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.parametrize("width", [1280, 520])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_is_drawn_by_a_browser(tmp_path, width, dark):
    """Headless Chromium makes a picture of it, on light or dark paper, one that is not blank."""
    image = pytest.importorskip("matplotlib.image")
    (tmp_path / "page.html").write_text(html_page(NEW, (), AGAINST), encoding="utf-8")
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", *scheme]

    picture = [f"--window-size={width},2000", f"--screenshot={tmp_path / 'page.png'}", (tmp_path / "page.html").as_uri()]
    subprocess.run([*browser, *picture], check=True, capture_output=True, timeout=120)

    drawn = image.imread(tmp_path / "page.png")[..., :3]
    assert bool(drawn[0, 0].mean() < 0.5) is dark
    assert 0.02 < (abs(drawn - drawn[0, 0]).max(axis=2) > 0.2).mean() < 0.5
