"""What announces each class of questions, by language, and the class of a question by it."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from contextpack_core.dates import bare
from contextpack_core.text import folded

CUES: dict[str, dict[str, str]] = {
    "comparison": {
        "en": """compare | compared to | compared with | comparing | comparison | versus | vs | vs. | difference between
            | differences between | differ from | differs from | what is the difference | what's the difference
            | how do they differ | better than | worse than | cheaper than | which is better | which one is better
            | which is cheaper | which one is cheaper | pros and cons | similarities""",
        "de": """vergleiche | vergleichen | vergleich | im vergleich | verglichen mit | gegenüberstellung
            | unterschied zwischen | unterschiede zwischen | unterschied | unterschiede | unterscheidet sich
            | unterscheiden sich | besser als | günstiger als | was ist besser | was ist günstiger | welcher ist besser
            | welche ist besser | welches ist besser | vor- und nachteile""",
        "fr": """compare | comparez | comparer | comparaison | par rapport à | différence entre | différences entre
            | quelle est la différence | quelles sont les différences | diffère de | diffèrent | mieux que | moins cher que
            | avantages et inconvénients""",
        "es": """compara | compare | comparar | comparación | en comparación | diferencia entre | diferencias entre
            | en qué se diferencia | en qué se diferencian | mejor que | más barato que | ventajas y desventajas
            | pros y contras""",
        "it": """confronta | confrontare | confronto | rispetto a | differenza tra | differenza fra | differenze tra
            | differenze fra | in cosa differisce | in cosa differiscono | meglio di | pro e contro | vantaggi e svantaggi""",
        "nl": """vergelijk | vergelijken | vergelijking | vergeleken met | ten opzichte van | verschil tussen
            | verschillen tussen | het verschil | verschilt van | beter dan | goedkoper dan | voor- en nadelen""",
        "pt": """compare | comparar | comparação | em comparação | diferença entre | diferenças entre | em que difere
            | em que diferem | melhor do que | melhor que | mais barato que | prós e contras | vantagens e desvantagens""",
        "zh": """比较 | 对比 | 相比 | 区别 | 差异 | 不同之处 | 有何不同 | 有什么不同 | 哪个更好 | 优缺点 | 比較 | 對比
            | 區別 | 差異""",
        "ja": "比較 | 比べて | 違い | 相違 | どちらが",
    },
    "troubleshooting": {
        "en": """troubleshoot | troubleshooting | not working | doesn't work | does not work | isn't working
            | stopped working | won't start | won't open | won't load | won't connect | fails with | keeps failing
            | error message | error code | an error | crashes | keeps crashing | how do i fix | how can i fix | how to fix
            | how do i resolve | how to resolve | i can't log in | i cannot log in | can't connect | cannot connect
            | what is wrong with | what's wrong with""",
        "de": """funktioniert nicht | funktionieren nicht | geht nicht | geht nicht mehr | startet nicht | lässt sich nicht
            | fehlermeldung | fehlercode | fehlersuche | fehlerbehebung | störung beheben | fehler beheben | problem beheben
            | stürzt ab | was tun bei fehler""",
        "fr": """ne fonctionne pas | ne fonctionne plus | ne marche pas | ne marche plus | ne démarre pas | ne s'ouvre pas
            | message d'erreur | code d'erreur | dépannage | dépanner | résoudre le problème | corriger l'erreur | en panne""",
        "es": """no funciona | no funcionan | no arranca | no enciende | no se abre | dejó de funcionar | mensaje de error
            | código de error | solucionar el problema | solucionar el error | resolver el error | resolver el problema
            | solución de problemas | se bloquea | se cuelga""",
        "it": """non funziona | non funzionano | non si avvia | non parte | non si apre | messaggio di errore
            | codice di errore | risolvere il problema | risolvere l'errore | risoluzione dei problemi | si blocca""",
        "nl": """werkt niet | werkt niet meer | werken niet | start niet | doet het niet | foutmelding | foutcode
            | probleem oplossen | storing verhelpen | fout oplossen | loopt vast | crasht""",
        "pt": """não funciona | não funcionam | não liga | não inicia | não abre | parou de funcionar | mensagem de erro
            | código de erro | resolver o problema | corrigir o erro | resolver o erro | solução de problemas | trava""",
        "zh": """不工作 | 无法启动 | 无法登录 | 无法连接 | 打不开 | 用不了 | 报错 | 错误代码 | 错误信息 | 故障排除
            | 出现故障 | 怎么修复 | 如何修复 | 如何解决 | 無法""",
        "ja": """動かない | 動作しない | 起動しない | できません | エラーが | エラーコード | トラブルシューティング | 不具合
            | 直し方""",
    },
    "procedure": {
        "en": """how do i | how do we | how do you | how does one | how can i | how can we | how should i | how should we
            | how to | what do i have to do | what do i need to do | steps | step by step | step-by-step | procedure for
            | procedure to | process for | instructions for | walk me through | guide me through""",
        "de": """wie kann ich | wie mache ich | wie melde ich | wie beantrage ich | wie kündige ich | wie richte ich
            | wie ändere ich | wie muss ich | wie gehe ich | wie soll ich | wie können wir | wie kann man | wie geht man
            | was muss ich tun | welche schritte | schritte | schritt für schritt | anleitung | vorgehen | vorgehensweise""",
        "fr": """comment faire | comment puis-je | comment dois-je | comment peut-on | comment je | comment déclarer
            | comment obtenir | comment demander | comment résilier | comment changer | comment modifier | comment installer
            | comment utiliser | que dois-je faire | étapes | étape par étape | démarche | démarches | procédure
            | marche à suivre | mode d'emploi""",
        "es": """cómo puedo | cómo podemos | cómo debo | cómo se hace | cómo hago | cómo hacer | cómo solicitar
            | cómo cancelar | cómo cambiar | cómo configurar | cómo instalar | cómo presentar | cómo declarar
            | qué tengo que hacer | qué debo hacer | pasos | paso a paso | procedimiento | instrucciones""",
        "it": """come posso | come possiamo | come devo | come si fa | come faccio | come fare | come richiedere
            | come disdire | come cambiare | come configurare | come installare | come presentare | cosa devo fare
            | passaggi | passo dopo passo | passo per passo | procedura | istruzioni""",
        "nl": """hoe kan ik | hoe kunnen we | hoe moet ik | hoe doe ik | hoe meld ik | hoe vraag ik | hoe wijzig ik
            | hoe stel ik | hoe zeg ik | hoe kun je | wat moet ik doen | stappen | stap voor stap | stappenplan | werkwijze
            | handleiding | procedure""",
        "pt": """como posso | como podemos | como devo | como faço | como fazer | como se faz | como solicitar
            | como cancelar | como alterar | como configurar | como instalar | como apresentar | o que devo fazer
            | o que tenho de fazer | o que preciso fazer | passos | passo a passo | procedimento | instruções""",
        "zh": "如何 | 怎么办理 | 怎么申请 | 怎么做 | 怎样 | 怎么才能 | 步骤 | 流程 | 操作方法 | 步驟",
        "ja": "どうやって | どのように | どうすれば | 方法 | 手順 | 手続き | やり方",
    },
    "synthesis": {
        "en": """summarize | summarise | summary | overview | explain | describe | discuss | analyze | analyse
            | what are the main | what are the key | key points | main points | implications | what do we know about
            | tell me about""",
        "de": """fasse zusammen | fassen sie | zusammenfassung | zusammenfassen | überblick | übersicht über | erkläre
            | erklären sie | beschreibe | beschreiben sie | erläutere | erläutern sie | analysiere | die wichtigsten punkte""",
        "fr": """résume | résumez | résumer | résumé | synthèse | vue d'ensemble | aperçu | explique | expliquez | décris
            | décrivez | analyse | analysez | les points principaux | les points clés | que sait-on de""",
        "es": """resume el | resume la | resume los | resume las | resumir | resumen | visión general | panorama | explica
            | explique | explícame | describe | describa | analiza | analice | los puntos principales | puntos clave
            | qué se sabe de""",
        "it": """riassumi | riassumere | riassunto | sintesi | panoramica | spiega | spieghi | spiegami | descrivi
            | descriva | analizza | i punti principali | i punti chiave | cosa sappiamo di""",
        "nl": """vat samen | samenvatting | samenvatten | overzicht van de | leg uit | uitleggen | beschrijf | bespreek
            | analyseer | de belangrijkste punten | wat weten we over""",
        "pt": """resuma | resumir | resumo | visão geral | panorama | explique | descreva | analise | os pontos principais
            | pontos-chave | o que se sabe sobre""",
        "zh": "总结 | 概括 | 概述 | 综述 | 摘要 | 归纳 | 解释一下 | 介绍一下 | 说明一下 | 分析 | 總結 | 概覽",
        "ja": "要約 | まとめて | 概要 | 説明して | 解説 | 分析",
    },
    "list": {
        "en": """list | list all | list the | enumerate | name all | name the | what are the | what are all | what kinds of
            | what types of | which documents | which items | give me all | show me all""",
        "de": """liste | auflisten | listen sie | zähle auf | aufzählung | nenne | nennen sie | welche arten
            | welche unterlagen | welche dokumente | welche leistungen | sämtliche""",
        "fr": """liste | listez | lister | énumère | énumérez | énumérer | quels sont | quelles sont | citez | tous les
            | toutes les | quels types | quels documents""",
        "es": """lista | listar | enumera | enumere | enumerar | cuáles son | menciona | todos los | todas las | qué tipos
            | qué documentos""",
        "it": """elenca | elencare | elenco | lista | quali sono | tutti i | tutte le | tutti gli | che tipi di
            | quali documenti""",
        "nl": "lijst | opsomming | som op | noem | noem alle | welke soorten | welke documenten | wat zijn de",
        "pt": """liste | listar | lista | enumere | enumerar | quais são | todos os | todas as | que tipos
            | quais documentos | que documentos""",
        "zh": "列出 | 列举 | 有哪些 | 哪些 | 清单 | 所有的 | 全部 | 列舉 | 清單",
        "ja": "一覧 | 列挙 | すべての | 全ての | どんな種類 | リスト",
    },
    "lookup": {
        "en": """what is | what's | what was | what are | what does | what did | who | whom | whose | when | where | which
            | how much | how many | how long | how old | how far | how often | how high | how big | is there | are there""",
        "de": """was ist | was sind | was bedeutet | was kostet | wer | wem | wen | wann | wo | wohin | woher | welche
            | welcher | welches | welchen | wie viel | wieviel | wie viele | wie lange | wie hoch | wie oft | wie alt
            | wie groß | wie heißt | gibt es | ab wann | bis wann""",
        "fr": """qu'est-ce que | qu'est-ce qu'un | qui | quand | où | quel | quelle | quels | quelles | combien
            | que signifie | y a-t-il | depuis quand | à partir de quand""",
        "es": """qué es | qué son | qué significa | quién | quiénes | cuándo | dónde | cuál | cuánto | cuánta | cuántos
            | cuántas | qué | hay""",
        "it": """cos'è | che cos'è | cosa è | cosa significa | chi | quando | dove | qual è | quale | quanto | quanta
            | quanti | quante | c'è | ci sono""",
        "nl": """wat is | wat zijn | wat betekent | wat kost | wie | wanneer | waar | welke | welk | hoeveel | hoe lang
            | hoe hoog | hoe vaak | hoe oud | is er | zijn er""",
        "pt": """o que é | o que são | o que significa | quem | quando | onde | qual | quanto | quanta | quantos | quantas
            | há""",
        "zh": """什么是 | 是什么 | 谁 | 什么时候 | 何时 | 哪里 | 在哪 | 多少 | 多久 | 几个 | 哪个 | 哪一 | 是多少 | 什麼
            | 誰 | 幾""",
        "ja": "とは | 何ですか | いつ | どこ | 誰 | いくら | いくつ | どの",
    },
}
"""The classes, of which the first one is taken that has a cue in the question; by language the cues, parted by bars."""


class Decision(NamedTuple):
    """The intent or class of a query, and the cue that stands in the query."""

    intent: str
    cue: str


def class_of(query: str) -> Decision | None:
    """The class of a question by the built-in cues, and the cue: the first class of ``CUES`` that has one; None without one.

    Accents do not matter in cues of several words: people leave them out. Of a long text only the first 4,000 characters are read.
    """
    text = folded_cue(query[:_LONGEST])
    plain = bare(text)
    for intent, written, cue, phrase in _built_in():
        place = plain if phrase else text
        if cue in place and stands_in(cue, place):
            return Decision(intent, written)
    return None


_LONGEST = 4000


@cache
def _built_in() -> tuple[tuple[str, str, str, bool], ...]:
    """The table made ready when the first query needs it: class, cue, what to look for, and whether it is a phrase."""
    found: dict[tuple[str, str], tuple[str, str, str, bool]] = {}  # what two languages share once
    for intent, languages in CUES.items():
        for cue in [folded_cue(cue) for cues in languages.values() for cue in cues.split("|")]:
            phrase = " " in cue
            found[intent, cue] = (intent, cue, bare(cue) if phrase else cue, phrase)
    return tuple(found.values())


def stands_in(cue: str, text: str) -> bool:
    """Whether a cue stands in a text, on word borders."""
    at = text.find(cue)
    while at >= 0:
        end = at + len(cue)
        if not (_joins(text[at - 1 : at], cue[0]) or _joins(cue[-1], text[end : end + 1])):
            return True
        at = text.find(cue, at + 1)
    return False


def _joins(before: str, after: str) -> bool:
    """Whether two characters that follow each other are inside of one word."""
    return bool(before and after and _IS_LETTER.match(before) and _IS_LETTER.match(after))


# Scripts that put no blanks between words have no word borders to look for.
_LETTER = r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_IS_LETTER = re.compile(_LETTER)
_SAME = str.maketrans("\u2018\u2019\u02bc\uff07\u2010\u2011\u2013\u2014", "''''----")


def folded_cue(text: str) -> str:
    """Without differences of case, width, blanks, apostrophes and dashes."""
    return folded(text if text.isascii() else text.translate(_SAME))
