"""Refusals by their wording: what the case files do not hold."""

from __future__ import annotations

import pytest

from contextpack_core import is_refusal
from tests import hostile

REFUSALS = """\
I was unable to find an answer in the documents.
Unfortunately, the context does not provide enough information to answer.
Based on the documents, it is not possible to determine the fee.
The fee is not mentioned in the documents.
The answer is not in the provided sources.
Insufficient information.
It is unclear from the documents.
The evidence does not support an answer.
Das geht aus den Dokumenten nicht hervor.
Leider liegen dazu keine Informationen vor.
Ich weiß es nicht.
Die Frage lässt sich aus den Quellen nicht beantworten.
Je ne sais pas.
Aucune information n’est disponible à ce sujet.
Le tarif n'est pas mentionné dans les documents.
No puedo responder a esta pregunta con las fuentes proporcionadas.
La tarifa no se menciona en los documentos.
资料中未说明截止日期。
抱歉，我无法从所提供的文件中找到答案。
資料には記載がありません。"""
STATEMENTS = """\
The crew could not find the leak for 3 days.
They could not find the key in the office.
The pump does not contain oil.
The report does not include tax.
The data is stored for 30 days.
No information may be passed to third parties.
The sources of the river are not known to be polluted.
Documents do not expire before 2030.
The document is not valid without a stamp.
Records are not kept in the file.
You cannot answer the phone in the control room.
We do not sell personal data.
We cannot recover this information once it is deleted.
We do not disclose any information unless a court orders it.
There is no period in which data are kept.
There is no single answer to this question.
If material is not included in the article's licence, ask its owner.
Die Dokumente werden nicht länger als 30 Tage gespeichert.
Wir erstatten keine Gebühren.
La pompe ne contient pas d'huile.
No se permite fumar en cubierta.
舱门不可以打开。"""


@pytest.mark.parametrize("sentence", REFUSALS.splitlines())
def test_refusals(sentence: str) -> None:
    """A sentence that says that the sources or the speaker do not have the answer is a refusal."""
    assert is_refusal(sentence)


@pytest.mark.parametrize("sentence", STATEMENTS.splitlines())
def test_statements(sentence: str) -> None:
    """A negative statement about the world is none."""
    assert not is_refusal(sentence)


def test_known_wordings() -> None:
    """A wording handed over counts in any case and with any punctuation."""
    assert is_refusal("**Keine Auskunft!**", ["keine auskunft"])


@pytest.mark.parametrize("unit", hostile.REFUSALS)
def test_a_long_text_is_no_refusal(unit: str) -> None:
    """However alike to a refusal each of its parts is, no text of a hundred thousand characters is one."""
    assert not is_refusal(hostile.many(unit, 100_000))
