"""A notebook shows a pack as two small tables in which nothing is markup."""

from __future__ import annotations

from datetime import date

from contextpack_core import Policy, pack


def made(records, **policy):
    return pack(records, policy=Policy.from_dict(policy), as_of=date(2026, 6, 1), access=["staff"], count_tokens=len)


def test_a_pack_in_a_notebook():
    """What went in, and what was left out and why."""
    shown = made(
        [
            {"id": "a", "text": "The fee is 50 EUR.", "metadata": {"doc_id": "f", "title": "Fees", "page": 0}},
            {"id": "b", "text": "", "metadata": {"doc_id": "g"}},
        ],
        render={"header": []},
    )._repr_html_()

    assert shown == (
        "<div><p><b>Pack</b> <bdi>READY: 47 of 4000 tokens, as of 2026-06-01</bdi></p>"
        "<table><thead><tr><th>label</th><th>document</th><th>edition</th><th>page</th><th>tokens</th><th>text</th></tr></thead>"
        "<tbody><tr><td><bdi>P1</bdi></td><td><bdi>Fees</bdi></td><td></td><td><bdi>0</bdi></td><td><bdi>47</bdi></td>"
        "<td><bdi>The fee is 50 EUR.</bdi></td></tr></tbody></table>"
        "<table><thead><tr><th>left out</th><th>stage</th><th>reason</th><th>detail</th><th>in favour of</th></tr></thead>"
        "<tbody><tr><td><bdi>b</bdi></td><td><bdi>relevance</bdi></td><td><bdi>EMPTY_TEXT</bdi></td>"
        "<td><bdi>it has no text</bdi></td><td></td></tr></tbody></table></div>"
    )


def test_hostile_text_is_shown_as_text():
    """No tag, no attribute, nothing that a notebook's UTF-8 cannot carry; long texts are cut."""
    hostile = "<script>alert('x')</script>&\u202e\udfff"
    shown = made([{"id": hostile, "text": hostile + "z" * 500, "metadata": {"doc_id": "d", "title": hostile}}])._repr_html_()

    assert "<script" not in shown
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&amp;\u202e\ufffd</bdi>" in shown
    assert len(shown.encode("utf-8")) < 1000


def test_withheld_candidates_are_a_number():
    """Their ids are not shown."""
    records = [
        {"id": name, "text": f"Text {name}.", "metadata": {"doc_id": name, "acl": acl}}
        for name, acl in (("a", "staff"), ("secret", "board"))
    ]
    shown = made(records, access={"enforce": True, "field": "acl"})._repr_html_()

    assert "secret" not in shown
    assert "1 of 2 candidates withheld" in shown
