"""Tells whether a date in a question is the day asked about, or belongs to what the question tells."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from contextpack_core.patterns import pattern

Role = Literal["asked", "perhaps", "fact", "told"]


def role_of(text: str, start: int, end: int) -> Role:
    """What the date between two offsets of a text, as ``bare`` makes it, is for the question in it.

    ``asked``: the day asked about, or that of a loss or of the reader's contract. ``perhaps``: it may be that of a contract.
    ``fact``: when something else was built, bought, born … ``told``: it stands in what the question tells before it asks.
    """
    sentence, at, until = _sentence(text, start, end)
    clause, at, until = _clause(sentence, at, until)
    cue = "fact" if _THING_OF.search(clause[:at]) else _nearest(clause, at, until)
    if cue == "fact" and _WHEN_IT_WAS.search(text[max(0, start - _FAR) : start]):
        return "asked"
    if cue == "deal":
        return _deal(clause, at, until)
    if cue:
        return "asked" if cue == "event" else "fact"
    return "asked" if _asks(text, sentence, clause, at, until) else "told"


def asks_about_now(text: str) -> str | None:
    """The words with which a question asks about today; None where it does not."""
    for found in _NOW.finditer(text):
        sentence, at, until = _sentence(text, found.start(), found.end())
        clause, at, until = _clause(sentence, at, until)
        if _asks(text, sentence, clause, at, until):
            return found[0]
    return None


_FAR = 120  # characters in which the words that belong to a date are looked for

# Words beside a date, as ``bare`` makes them: what happened then, ...
_EVENTS = r"""damage\w* | loss\w* | lost | claim | claims | claimed | accident\w* | theft\w* | stolen | burglar\w* | burgled
    | robbed | fire | burned | burnt | flood\w* | storm\w* | hail\w* | incident\w* | happened | occurred | occurring
    | crash\w* | injury | injured | broke | broken | leak\w* | burst | collision | fell | died | death | delayed | flight
    | trip | travel\w* | stay | stayed | schaden\w* | \w+schaden | unfall\w* | diebstahl\w* | gestohlen\w* | einbruch\w*
    | brand | sturm | hagel | uberschwemm\w* | vorfall | ereignis\w* | passiert\w* | geschehen | verletzt | verlust | reise
    | flug | sinistre\w* | dommage\w* | degat\w* | vol | vole | incendie | inondation | tempete | survenu\w* | perte | voyage
    | siniestro\w* | dano\w* | accidente | robo | robad\w* | hurto | incendio | inundacion | tormenta | incidente | ocurri\w*
    | perdida | viaje | sinistr\w* | danno | danni | furto | rubat\w* | acidente | roubo | schade | ongeval | diefstal
    | szkod\w* | wypad\w* | kradziez\w* | pozar\w* | ущерб\w* | авари\w* | краж\w* | пожар\w*"""
# ... what somebody or something became then, which is no day to judge by, ...
_FACTS = r"""born | birth\w* | built | constructed | manufactured | produced | model | registered | married | divorced
    | widowed | moved | relocated | retired | hired | joined | graduated | enrolled | diagnosed | founded | established
    | installed | renovated | refurbished | planted | licen[sc]ed | geboren\w* | geburt\w* | gebaut\w* | erbaut\w*
    | errichtet\w* | hergestellt\w* | baujahr | zugelassen\w* | erstzulassung | geheiratet | verheiratet | geschieden
    | umgezogen | eingezogen | angestellt | beigetreten | gegrundet | installiert\w* | saniert\w* | nee?s?\s(?=en | le)\w+
    | naissance | construit\w* | bati\w* | fabrique\w* | immatricule\w* | marie\w* | divorce\w* | demenage\w* | embauche\w*
    | installe\w* | naci\w* | construid\w* | fabricad\w* | matriculad\w* | casad\w* | divorciad\w* | mudad\w* | instalad\w*
    | nato | nata | nati | nate | costruit\w* | fabbricat\w* | immatricolat\w* | sposat\w* | nascid\w* | nasci | gebouwd\w*
    | getrouwd | verhuisd | urodzon\w* | urodzil\w* | zbudowan\w* | родил\w* | построен\w* | 出生 | 建造 | 建成 | 建于 | 生产 | 结婚
    | 生まれ | 建て | 製造 | 태어\w* | 지어\w* | 제조\w*"""
# ... and what somebody agreed to then: the day of the reader's own contract is one to judge by.
_DEALS = r"""bought | purchased | acquired | ordered | signed | took\sout | taken\sout | concluded | leased | rented
    | subscribed | gekauft\w* | erworben\w* | angeschafft\w* | bestellt\w* | unterschrieben | unterzeichnet | abgeschlossen\w*
    | achete\w* | signe\w* | souscri\w* | commande\w* | compre | comprad\w* | compramos | firme | firmad\w* | firmamos
    | contrate | contratad\w* | comprat\w* | acquistat\w* | firmat\w* | comprei | assinei | assinad\w* | gekocht\w* | getekend
    | kupi\w* | podpisa\w* | купи\w* | куплен\w* | подписа\w* | 购买 | 签 | 購入 | 契約した | 구입\w* | 구매\w*"""
_CONTRACTS = (
    r"polic(?:y|ies)|insurance|contract|cover|plan|subscription|membership|agreement|lease|ticket|versicherung|vertrag"
    r"|police|abo\b|mitgliedschaft|tarif"
    r"|contrat|assurance|abonnement|seguro|contrato|poliza|suscripcion|polizza|assicurazione|contratto|apolice"
    r"|verzekering|polis|umow|ubezpieczen"
    r"|полис|договор|保险|合同|契約|保険|보험|계약"
)
_ME = (
    r"(?:i|we|my|our|ich|wir|mein\w*|unser\w*|je|j|nous|mon|ma|notre|yo|he|hemos|mi|nuestr\w+|ho|abbiamo|mio|mia|eu|meu|minha|ik|mijn"
    r"|я|мы|мои)"
)


@cache
def _cues() -> re.Pattern[str]:
    """Compiled when the first question with a date needs them."""
    tables = {"event": _EVENTS, "fact": _FACTS, "deal": _DEALS}
    words = {name: "|".join([word.strip() for word in table.split("|")]) for name, table in tables.items()}
    return re.compile(rf"{_NO_LETTER}(?:{'|'.join([f'(?P<{name}>{these})' for name, these in words.items()])})(?![^\W{_UNSPACED}])")


_UNSPACED = r"\u3040-\u30ff\u4e00-\u9fff"  # scripts that put no blanks between words
_NO_LETTER = rf"(?<![^\W{_UNSPACED}])"


_THING_OF = pattern(
    r"\b(?:cars?|vehicles?|houses?|homes?|flats?|buildings?|boilers?|bikes?|phones?|machines?|autos?|wagen|fahrzeuge?n?"
    r"|haus(?:es)?|hauser|gebaude\w*"
    r"|wohnung|voitures?|vehicules?|maisons?|immeubles?|coches?|vehiculos?|casas?|edificios?|auto|macchina|carro|woning"
    r"|dates|dating|stammt\w*|date)"
    r"\s(?:from|of|aus|von|vom|de|du|del|es de|van|del ano|aus dem jahr|es del)\s$"
)


def _nearest(clause: str, at: int, until: int) -> str | None:
    """What the last such word before the date says; else the first behind it."""
    found = list(_cues().finditer(clause))
    before = [cue for cue in found if cue.end() <= at]
    behind = [cue for cue in found if cue.start() >= until]
    nearest = before[-1:] or behind[:1]
    return nearest[0].lastgroup if nearest else None


_MINE = pattern(rf"\b{_ME}\b")
_A_CONTRACT = pattern(rf"(?:{_CONTRACTS})")
_OBJECT = pattern(
    r"\b(?:an?|the|my|our|this|new|old|used|ein\w*|der|die|das|den|une?|la|le|les|un[ao]?|el|los|las|il|o|een|het)\s+\w+"
)


def _deal(clause: str, at: int, until: int) -> Role:
    """That of one's own contract is asked about, that of a thing is not; where it says neither it may be either."""
    beside = f"{clause[:at]} {clause[until:]}"
    if _A_CONTRACT.search(beside):
        return "asked" if _MINE.search(beside) else "fact"
    return "fact" if _OBJECT.search(beside) else "perhaps"


SENTENCE_END = r"[?!;。？！\n]|(?<!\b\d)(?<!\b\d\d)\.(?=\s|$)"
"""A full stop behind one or two digits may belong to a day."""
_ENDS = pattern(SENTENCE_END)
_COMMA = pattern(r"[,:、，()]|\s[–—-]\s")


def _sentence(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The sentence, with its sign at the end, and where in it the date is."""
    first, last = _around(_ENDS, text, start, end)
    first, last = max(first, start - _FAR), min(last + 1, end + _FAR)
    return text[first:last], start - first, end - first


def _clause(sentence: str, start: int, end: int) -> tuple[str, int, int]:
    """What stands between two commas; where that is hardly more than the date, with what follows, else with what comes before."""
    first, last = _around(_COMMA, sentence, start, end)
    beside = [word for word in _WORD.findall(f"{sentence[first:start]} {sentence[end:last]}") if not _SMALL.fullmatch(word)]
    if len(beside) < 2 and not _marks_a_question(sentence[first:last]):
        if last + 1 < len(sentence.rstrip(" ?!.")):
            last = _around(_COMMA, sentence, start, last + 1)[1]
        elif first:
            first = _around(_COMMA, sentence, first - 1, end)[0]
    return sentence[first:last], start - first, end - first


_WORD = pattern(r"[^\W\d_]+")


def _around(ends: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int]:
    """From behind the last end before the first offset to the next one behind the other; both not far off."""
    first = max(0, start - 2 * _FAR)
    for found in ends.finditer(text, first, start):
        first = found.end()
    behind = ends.search(text, end, end + 2 * _FAR)
    return first, behind.start() if behind else min(len(text), end + 2 * _FAR)


_NOW = pattern(
    r"\b(?:now(?!-)|today|currently|current(?! account)|nowadays|at present|at the moment|these days|right away"
    r"|jetzt|heute|heutige[nrsm]?|aktuell(?:e[nrsm]?)?|derzeit\w*|momentan|zurzeit|gegenwartig\w*|mittlerweile|inzwischen"
    r"|maintenant|aujourd'hui|actuellement|actuel(?:le)?s?|desormais|en ce moment|a ce jour|a present"
    r"|ahora|hoy|actualmente|actual(?:es)?|en la actualidad|adesso|oggi|attualmente|attuale|agora|hoje|atualmente|atual"
    r"|nu|vandaag|momenteel|huidige|teraz|dzisiaj|dzis|obecnie|aktualnie|obecn[aey]|сеичас|теперь|сегодня|нынешн\w+)\b"
    r"|现在|目前|今天|如今|当前|現在|今日|今は|いま|지금|현재|오늘"
)
_WHEN_IT_WAS = pattern(
    r"\b(?:was|were|did|applied|had|galt\w*|war|waren|betrug\w*|etai(?:t|ent)|eran?|fue)\b[^.?!]*\b(?:when|als|quand"
    r"|lorsque|cuando|quando|toen)\b[^.?!]*$"
)
_AND = r"(?:and|but|so|then|also|und|aber|et|mais|alors|y|pero|entonces|e|ma|maar|но|и)"
_ASKING = pattern(
    rf"^\W*(?:{_AND}\s+)?(?:(?:[^\W\d_]+\s+){{0,3}}?(?:what|which|who|whose|where|why|how|wie|wieviel\w*|welche[nrsm]?"
    rf"|wann|warum|quel(?:le)?s?|combien"
    r"|comment|cual(?:es)?|cuant[ao]s?|quanto|quanta|quali|qual|hoe|welke|jak\w*|ile|czy|как\w*|сколько)\b"
    r"|(?:when|was|wer|wo|que|qu'|qu’|quand|ou|est-ce|como|donde|come|cosa|che|quando|wat|co|что"
    r"|is|are|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|am"
    r"|ist|sind|war|waren|gilt|galt|gelten|galten|hat|habe|haben|kann|muss|darf|bekomme|wird|werden|gibt"
    r"|puis|puedo|es|son|esta|hay|tengo|posso|zijn|kan|mag)\b)"
)
_ASKING_ANYWHERE = pattern(
    r"什么|多少|吗|几|哪|怎|如何|いくら|何|どの|ですか|ますか|얼마|무엇|어떤|몇|까$|-t-(?:il|elle|on)\b|\best-ce\b|¿"
)
_PREPOSITION = (
    r"(?:under|in|on|for|with|at|during|by|as|according|of|to|from|through|until|before|unter|nach|bei|im|am|fur|mit"
    r"|laut|gemass|bis|vor|zum|zur|aus"
    r"|sous|selon|dans|en|pour|au|aux|avant|a|segun|bajo|para|con|antes|secondo|nel|nella|per|volgens|voor|op|wedlug|w"
    r"|na|по|в|на|для)"
)
_SMALL = pattern(rf"{_PREPOSITION}|the|der|die|das|dem|den|la|le|les|el|los|il|year|jahr|annee|ano|anno")
_LEADING = pattern(rf"^\W*(?:{_PREPOSITION}\b\W*)?(?:the\s|the\s+year\s)?§+\W*")
_ADVERBIAL = pattern(rf"^\W*{_PREPOSITION}\b")


def _asks(text: str, sentence: str, clause: str, at: int, until: int) -> bool:
    """Whether the clause belongs to what is asked, and not to what is told before it."""
    if not sentence.endswith(_QUESTION_MARKS) and any(mark in text for mark in _QUESTION_MARKS):
        return False
    masked = f"{clause[:at]}{'§' * (until - at)}{clause[until:]}"
    rest = _LEADING.sub("", masked)
    if _marks_a_question(rest) or len(_WORD.findall(rest)) < 3 or _ADVERBIAL.search(rest):
        return True
    others = _COMMA.split(sentence.replace(clause, ","))
    return not any(map(_marks_a_question, others)) and not _BY_ME.match(rest)


_QUESTION_MARKS = ("?", "？")
_BY_ME = pattern(rf"^\W*{_ME}\b")


def _marks_a_question(clause: str) -> bool:
    return bool(_ASKING.search(clause) or _ASKING_ANYWHERE.search(clause))
