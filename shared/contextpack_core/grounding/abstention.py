"""Abstention: recognises by its wording that a sentence declines to answer, in the languages that answers are often written in."""

# ruff: noqa: E501 — a wording on one line can be compared with its neighbours

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache


def is_refusal(sentence: str, known: Collection[str] = ()) -> bool:
    """Whether a sentence says that the sources, or the speaker, do not have the answer.

    ``known`` are sentences that count besides, as a prompt may have given them. A sentence that reports that somebody else could not
    find something, or that a rule does not cover something, is a statement. English, German, French, Spanish and Chinese are known
    well; Italian, Portuguese, Dutch and Japanese in their plainest forms.
    """
    if not known and not _may_refuse(sentence):
        return False
    plain = _plain(sentence)
    if not plain or len(plain) > _LONGEST:
        return False
    if any(plain == _plain(wording) for wording in known):
        return True
    padded = f" {plain} "
    return any(tongue.hints_at_refusal(padded) and tongue.refuses(plain) for tongue in _TONGUES)


def is_advice(sentence: str) -> bool:
    """Whether a sentence behind a refusal only says what to do instead: ask elsewhere, rephrase, give more documents."""
    return bool(_ADVICE.match(_plain(sentence)))


_LONGEST = 400
_NEGATIVE_WORDS = frozenset(
    """
    not no none nothing nowhere neither cannot unable insufficient silent lack lacks lacking lacked fail fails failed unclear unknown
    impossible n/a unanswerable little nicht nichts kein keine keinen keinem keiner keinerlei fehlen fehlt ne pas aucun aucune non não
    niet geen
    """.split()
)


def _may_refuse(sentence: str) -> bool:
    """Whether there is a negation at all: a quick look, since most sentences have none."""
    low = sentence.lower()
    words = low.split()
    if not _NEGATIVE_WORDS.isdisjoint(words) or (words and words[-1].strip(".!*_") in _NEGATIVE_WORDS):
        return True
    if low.isascii():
        return "n't" in low or "n'" in low
    return any(part in low for part in _NEGATIVE_PARTS)


_NEGATIVE_PARTS = ("n't", "n'", "n’", "没", "沒", "未", "不", "无", "無", "缺", "ません", "ない")


def _plain(sentence: str) -> str:
    """Lower case, plain apostrophes, single blanks, no emphasis, no closing punctuation."""
    text = sentence.lower().replace("’", "'").replace("‘", "'").replace("*", "").replace("_", "")
    return " ".join(text.split()).strip(" .!?。！？\"'“”«»")


# ---------------------------------------------------------------- English

_LEAD = (
    r"^(?:(?:i'm|i am|we are|we're)? ?(?:very |so )?(?:sorry|afraid),? ?(?:but |that )?|unfortunately,? |regrettably,? |however,? |but |"
    r"(?:based|relying|going) (?:only |solely )?on [^,]{1,80}, |from [^,]{1,60}, |according to [^,]{1,60}, |as an ai[^,]{0,40}, |"
    r"(?:with|given) [^,]{1,60}, |in [^,]{1,60}, |for [^,]{1,60}, |at this time,? )*"
)
_GIVEN = r"(?:(?:the|these|those|this|my|your|our|any|all|of|provided|given|available|supplied|retrieved|above|cited|attached|uploaded|current|relevant|other|reference|search) )*"
_SOURCE = (
    rf"{_GIVEN}(?:documents?|documentation|sources?|context|passages?|texts?|excerpts?|evidence|materials?|information|records?|knowledge base|"
    r"results?|content|snippets?|files?|references?|data|articles?|pages?)\b(?!['’]s)(?: (?:you )?(?:provided|given|above|available|supplied|retrieved|at hand))*"
)
_CANNOT = (
    r"(?:can(?:no|')t|can not|could(?:n't| not)|(?:am|are|was|were|is)(?: currently)? (?:un|not )able to|'m (?:un|not )able to|'re (?:un|not )able to|"
    r"do(?:es)?(?:n't| not)|did(?:n't| not)|have(?:n't| not)|has(?:n't| not)|lacks?|ha(?:ve|s) no)"
)
_TOLD = r"(?:answers?|this|that|it|information|details?|mention|anything|so|documents?|sources?|context|passages?|texts?|excerpts?|materials?)"
_AMONG_SOURCES = r"(?=.*\b(?:documents?|sources?|context|passages?|texts?|excerpts?|materials?|information)\b(?!['’]s))"
_SPARE = r"(?:\w+ ){0,3}"
_SAY = (
    r"(?:say|state|mention|specify|answer|address|discuss|describe|indicate|list|define|explain|reveal|tell|disclose|clarify|detail|note|report|"
    r"contain|include|provide|give|cover|offer|have|hold|make|refer|support|show|confirm|appear|seem|allow|suffice)"
)
_ENGLISH = (
    # I cannot answer this; I could not find that in the documents; I don't know; we have no information.
    rf"{_LEAD}(?:i|we)(?: do)? ?{_CANNOT} (?:\w+ly )?(?:answer|address) {_SPARE}(?:questions?|query|this|that|it|your)\b",
    rf"{_LEAD}i(?: do)? ?{_CANNOT} (?:\w+ly )?(?:know|tell|say)\b",
    rf"{_LEAD}we(?: do)? ?{_CANNOT} (?:\w+ly )?know(?:$| (?:this|that)\b)",
    rf"{_LEAD}(?:i|we)(?: do)? ?{_CANNOT} (?:\w+ly )?(?:find|locate|see|identify|determine|tell|confirm|verify|establish|infer|say)\b.*\b{_TOLD}\b",
    rf"{_LEAD}(?:i|we)(?: do)? ?{_CANNOT} (?:\w+ly )?(?:provide|give|offer) {_SPARE}(?:answers?|information|details?|response)\b",
    rf"{_LEAD}i(?: do)? ?{_CANNOT} (?:help|assist)\b",
    rf"{_LEAD}(?:i|we) (?:lack|(?:do(?:n't| not)|did(?:n't| not)) have) {_SPARE}(?:information|details?|data|knowledge|context|evidence|documents?|sources?)\b",
    rf"{_LEAD}(?:i|we) (?:found|find|see|have) (?:no|nothing|none) ?{_SPARE}(?:information|mention|answers?|references? to|details?|passages?|documents?|sources?|about|on)\b",
    # The documents do not say; the context contains no information; the sources are silent.
    rf"{_LEAD}(?:there, )?(?:none|nothing|no one|neither)? ?(?:of |in )?{_SOURCE} (?:{_CANNOT}|fails? to|fail)(?: \w+ly| \w+)? ?{_SAY}\b",
    rf"{_LEAD}(?:none|nothing|neither) (?:of|in) {_SOURCE} \w+",
    rf"{_LEAD}{_SOURCE} (?:contains?|has|have|includes?|provides?|gives?|offers?|makes?|says?|lacks?|mentions?) (?:no|nothing|not|none|any)\b",
    rf"{_LEAD}{_SOURCE} (?:lacks?|lacked)\b",
    rf"{_LEAD}{_SOURCE} (?:is|are|was|were) (?:silent|not (?:sufficient|enough|clear)|insufficient|unclear)\b",
    # It is not stated in the documents; this cannot be determined from the context; no information is available.
    rf"\b(?:is|are|was|were|be|been)(?: \w+ly)? (?:not|nowhere|n't)(?: \w+ly)? (?:stated|mentioned|specified|given|provided|included|covered|addressed|"
    rf"available|found|listed|discussed|described|contained|disclosed|answered|present|part|in|clear|known)\b(?: \w+)? ?(?:in|by|from|of|within|among)? ?{_SOURCE}",
    rf"(?:isn't|aren't|wasn't|weren't)(?: \w+ly)? (?:stated|mentioned|specified|given|provided|included|covered|available|found|listed|described|in)\b.*\b{_SOURCE}",
    rf"\b(?:can(?:no|')t|can not|could not|couldn't) be (?:\w+ly )?(?:answered|determined|found|established|inferred|derived|confirmed|verified|concluded)\b.*\b{_SOURCE}",
    rf"{_LEAD}(?:this|that|the|your) (?:question|query|request) (?:{_CANNOT} be|is (?:not|outside|beyond|out of)|falls outside)\b",
    rf"^{_AMONG_SOURCES}.*\bit (?:is|'s) (?:not possible|impossible) to (?:answer|determine|tell|say|know|find|establish|verify|confirm)\b",
    rf"{_LEAD}{_AMONG_SOURCES}it (?:is|'s) (?:unclear|unknown|not (?:clear|stated|known|specified|mentioned))\b",
    rf"{_LEAD}(?:there (?:is|was|are|were|'s)|there's) (?:no|not (?:any|enough|sufficient)|insufficient|nothing) "
    r"(?!definitive|single|simple|one |right|universal|easy)(?:\w+ ){0,2}(?:information|mention|details?|answer)\b",
    rf"{_LEAD}(?:there (?:is|was|are|were|'s)|there's) (?:no|not (?:any|enough|sufficient)|insufficient|nothing)\b.*\b(?:in|from|within|among) {_SOURCE}$",
    rf"{_LEAD}(?:no|not enough|insufficient|too little|no (?:relevant|specific|further|such|sufficient)) (?:relevant |specific |further |sufficient )?"
    r"(?:information|mention|details?|data|answer|evidence|documents?|sources?|passages?|results?|context)\b"
    r"(?!.*\b(?:must|shall|may|should|will|need(?:ed)?|required|necessary)\b)"
    r"(?:$| (?:is|are|was|were|could|can|on|about|regarding|to|in|for|that|provided|available|given|found)\b)",
    rf"^(?:answer )?(?:not (?:found|stated|mentioned|specified|available|answerable|provided)|unanswerable|n/a|unknown|no answer)(?: in {_SOURCE})?$",
    rf"^the answer (?:is not|isn't|cannot|can't|could not)\b.*\b(?:{_SOURCE}|found|determined|given)\b",
)  # fmt: skip

# ---------------------------------------------------------------- German, French, Spanish

_QUELLE = r"(?:dokument(?:e|en|ation)?|unterlagen?|quellen?|texte?n?|kontext|passagen?|auszüge?n?|materialien?|informationen|angaben|belege?n?|dateien?)"
_GERMAN = (
    rf"\b{_QUELLE}\b.*\b(?:enthält|enthalten|liefern?|geben|gibt|nennen|nennt|bieten|bietet|machen|macht|sagen|sagt|erwähnen|erwähnt|beinhalten)\b.*"
    r"\b(?:kein|keine|keinen|keinerlei|nichts|nicht)\b",
    rf"\b(?:in|aus|anhand|laut|auf grundlage|auf basis)\b.*\b{_QUELLE}\b.*\b(?:nicht|nichts|kein|keine|keinen|keinerlei)\b"
    r"(?:.*\b(?:hervor|beantworten|erwähnt|genannt|angegeben|enthalten|zu finden|gefunden|finden|ermitteln|entnehmen|angaben|informationen|hinweise?)\b|$)",
    r"\b(?:ich|wir) (?:kann|konnte|können|konnten|weiß|wissen|finde|finden|habe|haben)\b.*\b(?:nicht|nichts|kein|keine|keinen)\b"
    r"(?:.*\b(?:beantworten|antwort|finden|gefunden|sagen|informationen?|angaben|dazu|darüber|unterlagen|dokumenten|quellen)\b|$)",
    r"\b(?:kann|konnte|können|lässt sich|lassen sich)\b.*\b(?:nicht|keine)\b.*\b(?:beantworte[nt]|beantwortet werden|ermitteln|entnehmen|entnommen)\b",
    r"^(?:leider |dazu |darüber |hierzu |hierüber |zu dieser frage |es )+(?:gibt|liegen|liegt|finde|finden|fehlen|habe|stehen?)\b.*\b(?:kein|keine|keinen|nichts|nicht|fehlen)\b",
    rf"\b(?:nicht|keine) (?:genügend|genug|ausreichend(?:en?)?|relevanten?) (?:informationen|angaben|{_QUELLE})\b",
    rf"\b(?:ist|sind|wird|werden|steht|stehen)\b.*\b(?:in|aus)\b.*\b{_QUELLE}\b.*\b(?:nicht|nichts)\b",
    rf"\b(?:ist|sind|wird|werden|steht|stehen)\b.*\bnicht (?:in|aus)\b.*\b{_QUELLE}\b",
)  # fmt: skip
_DOCUMENTS_FR = r"(?:documents?|sources?|textes?|contexte|passages?|extraits?|informations?|éléments)"
_FRENCH = (
    rf"\b{_DOCUMENTS_FR}\b.*\b(?:ne|n')\s*(?:contien(?:t|nent)|mentionnen?t?|précisen?t?|indiquen?t?|permet(?:tent)?|di(?:t|sent)|donnen?t?|fournissent|fournit|"
    r"comporten?t?|évoquen?t?|répond(?:ent)?|parlen?t?|suffi(?:t|sent)|spécifien?t?|abordent?)\b",
    r"\bje (?:ne|n')\s*(?:sais|peux|trouve|dispose|suis|connais|vois|ai)\b.*\b(?:répondre|information|réponse|documents?|sources?|contexte|texte|pas|rien|trouvé)\b",
    r"\b(?:aucune|pas d'|pas assez d'|pas suffisamment d')\s*(?:information|réponse|mention|donnée|indication|élément)s?\b",
    rf"\b(?:n'est|n'est|ne sont|n'ont|n'a)\b.*\bpas\b.*\b(?:mentionnée?s?|indiquée?s?|précisée?s?|fournie?s?|donnée?s?|disponibles?|trouvée?s?|dans)\b.*\b{_DOCUMENTS_FR}\b",
    r"\bil (?:n'est pas|est im)possible de (?:répondre|déterminer|le savoir)\b",
)  # fmt: skip
_DOCUMENTS_ES = r"(?:documentos?|fuentes?|textos?|contexto|pasajes?|fragmentos?|materiales?|información|extractos?)"
_SPANISH = (
    rf"\b{_DOCUMENTS_ES}\b.*\bno (?:contienen?|mencionan?|indican?|especifican?|dicen?|incluyen?|proporcionan?|ofrecen?|permiten?|responden?|aportan?|"
    r"tratan?|recogen?|aclaran?|dan?)\b",
    r"^(?:lo siento,? (?:pero )?|lamentablemente,? |desafortunadamente,? )*(?:yo )?no (?:puedo|he podido|pude|encuentro|encontré|he encontrado|sé|lo sé|dispongo|tengo|es posible)"
    r"(?:$|\b.*\b(?:responder|contestar|información|respuesta|documentos?|fuentes?|contexto|texto|pregunta|determinar|eso|esto)\b)",
    r"\bno (?:hay|existe|se dispone de|se encontró|se ha encontrado)\b.*\b(?:información|datos|mención|respuesta)\b",
    rf"\bno (?:se|está|están|aparece|figura|consta)\b.*\b(?:menciona|indica|especifica|encuentra|dice|en)\b.*\b{_DOCUMENTS_ES}\b",
)  # fmt: skip

# ---------------------------------------------------------------- Chinese, and the plainest forms of others

_CHINESE = (
    r"(?:文档|文件|资料|来源|上下文|文中|文本|材料|信息|段落|内容|原文|資料|文檔|來源)(?:中|里|裡|內|内)?(?:均|都|并|並|也)?(?:没有|沒有|未|不|无|無|缺乏|找不到)",
    r"(?:无法|無法|不能|没办法)(?:从|從|根据|根據|在|基于|基於|就)?.{0,30}?(?:回答|确定|確定|得知|找到|判断|判斷|得出|获得|獲得|提供)",
    r"(?:没有|沒有|未|并未|未能|找不到)(?:找到|提到|提及|提供|包含|说明|給出|给出|涉及|相关|相關|足够|足夠|任何).{0,20}(?:信息|資訊|内容|內容|资料|資料|答案|说明|提及)",
    r"^(?:抱歉|对不起|對不起|很遗憾)?[，,]?(?:我|我们)?(?:也)?(?:不知道|不清楚|不确定)$",
)
_OTHERS = (
    r"(?:資料|文書|文脈|ドキュメント|情報源|出典|文章|提供された情報).*(?:ありません|記載されていません|見つかりません|含まれていません|書かれていません|述べられていません|記載がない)",
    r"(?:お答え|回答)(?:することは|は)?でき(?:ません|ない)|(?:分|わ)かりません$|情報(?:が|は)(?:ありません|見つかりません|不足)",
    r"\b(?:documenti|fonti|contesto|testi|testo)\b.*\bnon (?:conten\w+|menzion\w+|indic\w+|specific\w+|dic\w+|fornisc\w+)\b|\bnon (?:posso|so|ho trovato|ci sono informazioni)\b.*(?:$|\brispond\w+|\bdocumenti|\binformazioni)",
    r"\b(?:documentos|fontes|contexto|textos?)\b.*\bnão (?:cont\w+|mencion\w+|indic\w+|especific\w+|diz\w*|fornec\w+)\b|^(?:desculpe,? )?(?:eu )?não (?:sei|posso responder|encontrei|há informaç\w+|consigo responder)",
    r"\b(?:documenten|bronnen|context|teksten?)\b.*\b(?:niet|geen)\b|\bik (?:kan|weet|heb|vind)\b.*\b(?:niet|geen)\b.*\b(?:beantwoorden|vinden|gevonden|informatie|antwoord)\b",
)  # fmt: skip


@dataclass(frozen=True)
class _Tongue:
    """The wordings of one language. Most sentences lack a part of one of the two kinds, and need no closer look."""

    negative: tuple[str, ...]
    telling: tuple[str, ...]
    patterns: tuple[str, ...]

    def hints_at_refusal(self, padded: str) -> bool:
        return any(part in padded for part in self.negative) and any(part in padded for part in self.telling)

    def refuses(self, plain: str) -> bool:
        return any(_compiled(pattern).search(plain) for pattern in self.patterns)


_compiled = cache(re.compile)  # at first use: compiling all of them takes longer than most checks


def _tongue(negative: str, telling: str, patterns: tuple[str, ...]) -> _Tongue:
    """A language by the parts of words that hint (``~`` stands for the edge of a word) and its patterns."""
    hints = [tuple(part.replace("~", " ") for part in parts.split()) for parts in (negative, telling)]
    return _Tongue(hints[0], hints[1], patterns)


_TONGUES = (
    _tongue(
        "not n't ~no~ none nothing nowhere neither unable insufficient silent lack fail unclear unknown impossible n/a unanswer ~too~little~",
        "~i~ ~i' ~we~ ~we' inform docum sourc context passag text excerpt evidence material record knowledge result content snippet file "
        "reference data article page answer question query request stated mention specified unclear unknown possible n/a",
        _ENGLISH,
    ),
    _tongue("nicht kein fehl nichts", "~ich~ ~wir~ dokum unterlag quell text kontext passag auszü material inform angab beleg datei dazu "
            "darüber hierzu hierüber frage antwort ermitteln es~gibt", _GERMAN),
    _tongue("~ne~ ~n' aucun ~pas~ ~n’ impossible", "~je~ docum sourc text context passag extrait inform élément réponse répon possible", _FRENCH),
    _tongue("~no~", "docum fuent text context pasaj fragment material inform extract datos respuesta responder contestar pregunta puedo sé~ "
            "encuentr encontr", _SPANISH),
    _tongue("没 沒 未 不 无 無 缺", "文 资 資 来 來 上下文 材料 信息 段落 内容 內容 回答 确定 確定 得知 找 判断 相关 知道 清楚", _CHINESE),
    _tongue("ません ない 不足 ~non~ ~não~ niet geen", "資料 文 情報 出典 ドキュ 答え 回答 かり docum fonti contest test font context bron "
            "~ik~ posso ~so~ trovat inform sei encontr consigo", _OTHERS),
)  # fmt: skip
_ADVICE = re.compile(
    r"(?:please|you (?:may|might|could|can|should|would)|i (?:recommend|suggest|would)|if you|consider|try|contact|feel free|let me know|"
    r"bitte|wenn sie|falls sie|sie können|veuillez|si vous|vous pouvez|por favor|si (?:me|usted|puede|tiene|necesita)|puede|请|請|如果|建议|您可以)\b"
    r"|请|請|如果|建议|您可以"
)
