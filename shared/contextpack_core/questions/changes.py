"""Tells a question about a change of the documents from one about a change in somebody's life."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from contextpack_core.dates import MONTHS, bare
from contextpack_core.patterns import pattern
from contextpack_core.questions.roles import SENTENCE_END

Change = Literal["", "any", "named"]
_Cues = Mapping[str, tuple[str, ...]]


def change_asked(text: str, cues: Sequence[str] = ()) -> Change:
    """Whether a text, as ``bare`` makes it, asks what changed in the documents (``any``), or compares what it names (``named``).

    Each sentence is read by itself. One that tells of a person (``if I``, ``my address``, ``report changes``) asks for no change of
    a document, whatever else it says: the edition in force answers it, and a doubt is no reason to show another one. ``cues`` are
    phrases of one's own, which count anywhere.
    """
    if any(cue in text for cue in map(bare, cues) if cue):
        return "any"
    if not _patterns()["hint"].search(text):
        return ""
    asked = {_asked(sentence) for sentence in _SENTENCE.split(text)}
    return "any" if "any" in asked else "named" if "named" in asked else ""


_SENTENCE = pattern(SENTENCE_END)


def _asked(sentence: str) -> Change:
    sentence = sentence.strip(" ¿¡\"'«»“”„(")
    found = _patterns()
    if found["personal"].search(sentence):
        return ""
    if found["change"].search(sentence):
        return "any"
    of_documents = found["document"].search(sentence)
    if found["loose"].search(sentence) and (of_documents or found["time"].search(sentence)):
        return "any"
    if not found["comparison"].search(sentence):
        return ""
    return "any" if of_documents and found["old and new"].search(sentence) and not found["things"].search(sentence) else "named"


_NEAR = r"[^?!]{0,40}?"  # a few words on, in the same sentence
_FAR = r"[^?!]{1,80}?"
_YEAR = r"(?:19|20)\d\d\b"
_MONTHS = "|".join(sorted(word for word in MONTHS if word.isalpha() and len(word) > 3))

# A day, a month, a year or a numbered version, and words for those beside the present one.
TIMES = (
    rf"\b{_YEAR}", rf"\b(?:{_MONTHS})\b", r"\b(?:in|im|en|from|ab) (?:may|mai|mayo|june|juni|juin|july|juli)\b",
    r"\b(?:version|edition|release|edicion|fassung|ausgabe|v)\s?\d", r"\b\d+\.\d+\b",
    r"\b(?:this|last|next|previous) (?:year|month|quarter|edition|version|release)\b", r"\bsince\b", r"\brecently\b", r"\blately\b",
    r"\b(?:diese|letzte|vorige|nachste|kommende)[nmsr]? (?:jahr|monat|fassung|version|ausgabe)", r"\bvorjahr", r"\bgegenuber\b",
    r"\b(?:cette|l'|derniere|prochaine) ?annee\b", r"\bl'an (?:dernier|prochain)\b", r"\bdepuis\b", r"\bpar rapport\b",
    r"\b(?:este|proximo) ano\b", r"\bano (?:pasado|que viene)\b", r"\bdesde\b", r"\brespecto\b",
)  # fmt: skip
# What documents are, and what stands in them.
DOCUMENTS: _Cues = {
    "en": (
        r"\b(?:editions?|versions?|wordings?|polic(?:y|ies)|plans?|terms|conditions|contracts?|agreements?|rules?|regulations?)\b",
        r"\b(?:guidelines?|handbook|manual|documents?|documentation|texts?|releases?|standards?|laws?|acts?|tariffs?|clauses?)\b",
        r"\b(?:sections?|articles?|paragraphs?|limits?|caps?|fees?|charges|prices?|rates?|premiums?|deductibles?|excess(?:es)?)\b",
        r"\b(?:thresholds?|benefits?|coverage|allowances?|deadlines?|requirements?|exclusions?|definitions?|defaults?"
        r"|provisions?)\b",
        r"\b(?:waiting|notice|cancellation|grace|retention|claims?) (?:periods?|rules?|rights?)\b",
    ),
    "de": (
        r"(?:fassung|ausgabe|version|bedingung|vertrag|police|tarif|regel|richtlinie|satzung|verordnung|gesetz|handbuch"
        r"|dokument)\w*",
        r"(?:gebuhr|beitrag|pramie|grenze|limit|selbstbeteiligung|selbstbehalt|frist|klausel|preis|entgelt|deckung|leistung)\w*",
    ),
    "fr": (
        r"\b(?:edition|version|conditions?|contrat|police|tarifs?|regles?|reglement|directives?|loi|clauses?|articles?|texte)\b",
        r"\b(?:frais|cotisations?|primes?|franchises?|plafonds?|limites?|seuils?|delais?|prix|garanties?|exclusions?)\b",
    ),
    "es": (
        r"\b(?:edicion(?:es)?|version(?:es)?|condiciones|contrato|poliza|tarifas?|reglas?|reglamento|normas?|ley"
        r"|clausulas?|texto)\b",
        r"\b(?:articulos?|cuotas?|primas?|franquicias?|limites?|plazos?|precios?|coberturas?|exclusiones|comision(?:es)?)\b",
    ),
    "it": (r"\b(?:edizion[ei]|version[ei]|condizioni|contratto|polizza|tariff[ae]|regol[ae]|clausol[ae]|franchigi[ae]"
    r"|limit[ei])\b",),
    "pt": (r"\b(?:edic(?:ao|oes)|vers(?:ao|oes)|condicoes|contrato|apolice|tarifas?|regras?|clausulas?|franquias?|limites?)\b",),
    "nl": (r"\b(?:editie|versie|voorwaarden|polis|contract|tarie(?:f|ven)|regels?|eigen risico|limiet|premie)\b",),
    "pl": (r"\b(?:wersj\w+|wydani\w+|warunk\w+|umow\w+|oplat\w+|limit\w*|regulamin\w*|zasad\w*)\b",),
    "ru": (r"\b(?:верси\w+|редакци\w+|издани\w+|услови\w+|договор\w*|тариф\w*|лимит\w*|правил\w*)\b",),
}  # fmt: skip

# What announces a question about a change, by language, in lower case without accents: these alone, ...
CHANGE_CUES: _Cues = {
    "en": (
        r"\bwhat(?:'s| is| has| have| had| was| were| will| did you)? (?:been |be )?(?:changed?|amended"
        r"|revised)\b(?! (?:circumstances|if\b))",
        r"\bwhat(?:'s| is| was) new(?: in| since| with| from| compared| for v?\d|$)",
        r"\bwhat(?:'s| is| was) different (?:now|this year|since|between|compared|from the (?:old|previous|last)"
        r"|in (?:the )?(?:new|latest|current|v?\d))",
        rf"\bwhat changes (?:in|on|from|as of|with|under) (?:the )?(?:new|latest|next|upcoming|version|edition|v?\d|{_MONTHS})",
        r"\bwhat changes between\b",
        r"\bwhat did (?:the |this )?(?:\w+ ){0,3}?(?:revision|amendment|update|edition|version|reform|release) change\b",
        r"\b(?:is|was) there anything new (?:in|since|from|with)\b",
        r"\bchange ?logs?\b",
        rf"\bhow (?:has|have|had|did) (?!i\b|we\b|you\b|he\b|she\b|they\b|my\b|our\b){_FAR} (?:changed?|evolved?|developed)\b",
        rf"^(?:and |so |but )?(?:has|have|did) (?!i\b|we\b|you\b|he\b|she\b|they\b|my\b|our\b){_FAR} changed?\b",
        r"\bwhich (?:\w+ ){1,3}(?:(?:has|have|was|were) )?(?:been )?(?:changed|amended|revised)\b",
        r"^(?:were|are|have) there (?:been )?(?:any |some )?(?:changes|amendments|differences)$",
        r"\b(?:changes|amendments|revisions|differences|updates)(?: were| have been)?(?: made)? (?:between|since|from"
        r"|compared (?:to|with)) "
        rf"(?:the )?(?:(?:version|edition|release|last|previous|prior|old|earlier|former|v?\d|{_MONTHS})\b|v?\d)",
        rf"\bchanges? (?:in|to) {_FAR} (?:between|from) (?:the )?v?\d",
        rf"\bbefore and after (?:the (?:change|amendment|update|revision)\b|{_NEAR}\b{_YEAR})",
    ),
    "de": (
        r"\bwas (?:hat|haben|hatte) sich\b[^?!]{0,80}?(?:geandert|verandert|getan)\b",
        r"\bwas (?:wurde|worden|ist)\b[^?!]{0,60}? ?(?:geandert|verandert)\b",
        r"\bwas ist (?:alles )?neu(?: in| an| im| seit| ab| bei| gegenuber|$)",
        rf"\b(?:was|welche \w+) andern?t? sich\b{_NEAR}(?:{_YEAR}|\b(?:ab|zum) (?:dem )?(?:\d|{_MONTHS})|\b(?:neuen?"
        rf"|nachsten?) (?:fassung|ausgabe|version))",
        rf"\bwie (?:hat|haben) sich (?!mein|unser|dein){_FAR} (?:geandert|verandert|entwickelt)\b",
        rf"^(?:und )?(?:hat|haben) sich (?!mein|unser|dein){_FAR} (?:geandert|verandert)\b",
        r"\banderungen (?:\w+ ){0,4}?(?:zwischen|seit|gegenuber|zu|zur|von) (?:der |dem |den )?"
        r"(?:letzte|vorige|alte|fruhere|vorherige|bisherige|fassung|version|ausgabe|vorjahr|vorversion|\d)",
        rf"\bvor und nach\b(?={_FAR}\b{_YEAR})",
    ),
    "fr": (
        r"\b(?:ce qui|qui|que) (?:a|ont|avait) (?:ete )?(?:change|modifie|evolue|ajoute|supprime|revu|mis a jour)\w{0,2}\b",
        r"\bquoi de neuf\b",
        r"\bce qui est (?:nouveau|neuf)\b",
        rf"\bce qui (?:change|changera|va changer)\b{_NEAR}(?:{_YEAR}|a partir d|au 1er|nouvelles? (?:edition|version"
        rf"|conditions)|prochaine?)",
        r"\bcomment (?!j|mon\b|ma\b|mes\b)[^?!]{0,60}?\b(?:a|ont)(?:-t)?(?:-(?:il|elle|ils|elles))? (?:change|evolue)\w{0,2}\b",
        r"^(?!mon\b|ma\b|mes\b|notre\b|nos\b)[^?!]{1,60}? (?:a|ont)(?:-t)?-(?:il|elle|ils|elles) (?:ete )?(?:change"
        r"|evolue|modifie)\w{0,2}\b",
        r"\best-ce que (?!mon\b|ma\b|mes\b|j)[^?!]{1,60}? (?:a|ont) (?:ete )?(?:change|evolue|modifie)\w{0,2}\b",
        r"\b(?:changements?|modifications?|differences?|nouveautes|evolutions?) (?:\w+ ){0,3}?(?:entre|depuis"
        r"|par rapport a)(?: la| le| les| l'| aux?)?"
        r" ?(?:\d|edition|version|derniere?|ancien|precedente?)",
        rf"\bavant et apres\b(?={_FAR}\b{_YEAR})",
    ),
    "es": (
        r"\bque (?:ha |han |se ha |se han |fue |se )?(?:cambi(?:o|ado|aron)|modific(?:o|ado|aron)|anadido"
        r"|eliminado)\b(?! de\b| debo| tengo| puedo)",
        r"\bque hay de nuevo\b",
        rf"\bque (?:cambia|cambiara|va a cambiar)\b{_NEAR}(?:{_YEAR}|a partir d|nuev[ao]s? (?:edicion|version"
        rf"|condiciones)|proxim[ao])",
        r"\bcomo (?:ha|han) (?:cambiado|evolucionado|variado)\b(?! mi\b| mis\b)",
        r"^(?:y )?(?:ha|han) (?:cambiado|variado)\b(?! mi\b| mis\b| de\b)",
        r"\b(?:cambios|modificaciones|diferencias|novedades) (?:\w+ ){0,3}?(?:entre|desde|respecto (?:a|de)l?"
        r"|frente a)(?: la| el| las| los)?"
        r" (?:\d|edicion|version|ultim|anterior|antigu)",
        rf"\bantes y despues\b(?={_FAR}\b{_YEAR})",
    ),
    "it": (r"\bcosa (?:e|sono) cambiat[oaie]\b", r"\bcambiamenti (?:tra|fra|da)\b", rf"\bprima e dopo\b(?={_FAR}\b{_YEAR})"),
    "pt": (r"\bo que mudou\b", r"\bmudancas (?:entre|desde)\b", rf"\bantes e depois\b(?={_FAR}\b{_YEAR})"),
    "nl": (r"\bwat is er (?:veranderd|gewijzigd)\b", r"\bwijzigingen (?:tussen|sinds)\b"),
    "pl": (r"\bco sie zmienilo\b", r"\bzmiany (?:miedzy|od)\b"),
    "ru": (r"\bчто изменилось\b", r"\bизменения (?:между|с)\b"),
    "ja": (r"変更点", r"変わりました", r"変わった"),
    "zh": (r"有什么变化", r"有何变化", r"改了什么"),
    "ko": (r"달라졌", r"변경 ?사항"),
}
# ... these where the sentence also names a time, an edition, or what stands in documents, ...
LOOSE_CUES: _Cues = {
    "en": (
        r"\bwhat (?:has been|have been|was|were) (?:added|removed|deleted|dropped|introduced|updated|modified|increased"
        r"|reduced|raised)\b",
        r"\bwhat(?:'s| has| have)(?: been)? (?:added|removed|updated|modified)\b",
        rf"^(?:were|are|have) there (?:been )?(?:any |some |new )?(?:changes|amendments|updates) (?:to|in) (?:the |your "
        rf"|these )?(?:\w+ ){{1,3}}"
        rf"(?:(?:in|this|since|from|for|next|last)\b{_NEAR})?$",
        r"\b(?:list|show|summari[sz]e|describe|explain|give|tell|what (?:are|were)|which are)\b[^?!]{0,24}?"
        r" (?:changes|differences|amendments|updates) (?:in|to|introduced|made|with|between)\b",
        r"\bwhich (?:\w+ ){1,3}(?:(?:has|have|was|were|are) )(?:been )?(?:new|added|removed|deleted|raised|lowered"
        r"|increased|reduced)\b",
        r"^(?:did|has|have|were|was) (?:the|your|any|these|those) (?:\w+ ){1,4}?(?:go up|gone up|go down|rise|risen"
        r"|increased?|decreased?|raised|lowered"
        r"|reduced|extended|shortened|amended|revised|modified|been (?:raised|lowered|reduced|extended|amended|changed|revised))\b",
        rf"^will (?:the|your|these) (?:\w+ ){{1,4}}?change (?:in|on|from|with) (?:the )?(?:{_YEAR}|new|next|{_MONTHS})",
    ),
    "de": (
        r"\bwas wurde\b[^?!]{0,60}? ?(?:angepasst|erganzt|gestrichen|hinzugefugt|entfernt|aufgenommen|angehoben|gesenkt)\b",
        r"\bwelche (?:\w+ )?(?:anderungen|neuerungen|unterschiede) (?:gibt|gab|bringt|bringen|enthalt|enthalten|sind|wurden)\b",
        r"\bgibt es (?:neue )?(?:anderungen|neuerungen)\b",
        r"\b(?:nenne|liste|zeige?|fasse|erklare)\b[^?!]{0,30} (?:anderungen|unterschiede|neuerungen)\b",
        r"\bneuerungen\b",
        r"\bwelche \w+ (?:wurden?|sind|haben sich)\b[^?!]{0,60}? (?:geandert|angehoben|gesenkt|erhoht|gestrichen|angepasst|neu)\b",
        r"^(?:wurden?|ist|sind) (?:die|der|das|den)?\b[^?!]{1,60}? (?:geandert|angehoben|gesenkt|erhoht|verlangert"
        r"|verkurzt|gestrichen|angepasst)\b",
    ),
    "fr": (
        r"\bnouveautes\b",
        r"\bquel(?:le)?s (?:sont les )?(?:\w+ )?(?:changements|modifications|differences|evolutions)\b",
        r"\b(?:liste|resume|explique|montre)[rz]? les (?:\w+ )?(?:changements|modifications|differences)\b",
        r" (?:a|ont)(?:-t)?-(?:il|elle|ils|elles) (?:ete )?(?:augmente|baisse|diminue|releve|abaisse|supprime)\w{0,2}\b",
    ),
    "es": (
        r"\bnovedades\b",
        r"\bque (?:cambios|diferencias|modificaciones)\b",
        r"\bcuales son (?:los|las) (?:\w+ )?(?:cambios|diferencias|modificaciones)\b",
        r"^(?:y )?(?:ha|han) (?:subido|bajado|aumentado|disminuido|sido modificad[ao]s?)\b(?! mi\b| mis\b)",
    ),
}
# ... these where the question names two editions, by name or by date, or an old and a new one, and what stands in documents.
COMPARISON_CUES: _Cues = {
    "en": (
        r"\bcompar(?:e|ed|es|ing|ison)\b", r"\bdiffer(?:s|ent|ences?)?\b", r"\bversus\b", r"\bvs\b",
        r"\b(?:higher|lower|longer|shorter|stricter|more|less|better|worse)\b[^?!]{0,60}? than\b",
    ),
    "de": (r"\bvergleich(?:e|en|t)?\b", r"\bunterschied(?:e|en|lich)?\b", r"\bunterscheide[nt]\b", r"\bgegenuber\b",
        r"\b(?:hoher|niedriger|langer|kurzer|strenger|teurer|mehr|weniger|besser|schlechter|anders)\b[^?!]{0,60}? als\b"),
    "fr": (r"\bcompare[rz]?\b", r"\bcomparaison\b", r"\bdifferences?\b", r"\bdiffere(?:nt)?\b",
        r"\b(?:plus|moins)\b[^?!]{0,60}? qu[e']"),
    "es": (r"\bcompar(?:a|ar|e|acion)\b", r"\bdiferencias?\b", r"\bdifieren?\b", r"\bdiferencian?\b",
        r"\b(?:mas|menos|mayor|menor)\b[^?!]{0,60}? que\b"),
    "it": (r"\bconfront(?:a|are|o)\b", r"\bdifferenz[ae]\b"),
    "pt": (r"\bcompar(?:e|ar|acao)\b", r"\bdiferencas?\b"),
    "nl": (r"\bverschil(?:len)?\b", r"\bvergelijk\b"),
    "pl": (r"\broznic[aey]\b", r"\bporownaj\b"),
    "ru": (r"\bразниц[аы]\b", r"\bотличия\b", r"\bсравни"),
    "ja": (r"違い",),
    "zh": (r"区别", r"差异"),
    "ko": (r"차이",),
}  # fmt: skip
OLD_AND_NEW: _Cues = {
    "en": (
        rf"\b(?:old|previous|former|earlier|last)\b{_NEAR}\b(?:new|current|latest|present)\b",
        rf"\b(?:new|current|latest|present)\b{_NEAR}\b(?:old|previous|former|earlier|last)\b",
    ),
    "de": (
        rf"\b(?:alt|bisherig|vorig|vorherig|fruher)e[rsnm]?\b{_NEAR}\b(?:neu|aktuell)e[rsnm]?\b",
        rf"\b(?:neu|aktuell)e[rsnm]?\b{_NEAR}\b(?:alt|bisherig|vorig|vorherig|fruher)e[rsnm]?\b",
    ),
    "fr": (
        rf"\b(?:ancien(?:ne)?s?|precedente?s?)\b{_NEAR}\b(?:nouve(?:au|lle)|actuelle?)s?\b",
        rf"\b(?:nouve(?:au|lle)|actuelle?)s?\b{_NEAR}\b(?:ancien(?:ne)?s?|precedente?s?)\b",
    ),
    "es": (
        rf"\b(?:antigu[oa]|anterior|viej[oa])\b{_NEAR}\b(?:nuev[oa]|actual)\b",
        rf"\b(?:nuev[oa]|actual)\b{_NEAR}\b(?:antigu[oa]|anterior|viej[oa])\b",
    ),
    "it": (rf"\b(?:vecchi[oa]|precedente)\b{_NEAR}\b(?:nuov[oa]|attuale)\b",),
    "pt": (rf"\b(?:antig[oa]|anterior)\b{_NEAR}\b(?:nov[oa]|atual)\b",),
    "nl": (rf"\b(?:oude|vorige)\b{_NEAR}\b(?:nieuwe|huidige)\b",),
    "pl": (rf"\bstar[aey]\b{_NEAR}\bnow[aey]\b",),
    "ru": (rf"\bстар(?:ая|ый|ои)\b{_NEAR}\bнов(?:ая|ый|ои)\b",),
}
# An old and a new one of them are things, not editions.
_THINGS = (
    r"\b(?:an?|any) (?:\w+ )?(?:old|new|used|second-hand|older|newer)\b",
    r"\bein(?:e[nmrs]?)? (?:\w+ )?(?:alt|neu|gebraucht)e[nmrs]?\b",
    r"\bune? (?:\w+ )?(?:ancien|nouve|neuf|vieu|vieil)", r"\bun[ao]? (?:\w+ )?(?:antigu|nuev|viej|usad)",
)  # fmt: skip

_WHOSE = r"(?:my|our|his|her|their|your child's|the (?:insured|customer|policyholder|tenant|owner|patient|employee)'s)"
_LIFE = (
    "address|addresses|name|surname|job|occupation|employment|employer|income|salary|household|family|marital|phone"
    "|number|email|e-mail|bank|account"
    "|vehicle|car|health|weight|dose|circumstances|situation|ownership|owner|beneficiary|booking|bills?|invoices?"
    "|receipts?|reservation|order|appointment|flight|building|house"
    "|home|property|flat|password|mind|status|lifestyle|claim|application|child|children|spouse|partner|medication"
    "|details|payment|risk"
)
# What of mine is a document, or stands in one.
_OWN_PAPERS = (
    "polic(?:y|ies)|plans?|contract|cover|coverage|premiums?|terms|conditions|tariff|subscription|agreement|fees?|deductible|excess"
    "|benefits|limits?|insurance|edition|version|rates?|price|allowance|membership|lease|handbook|guidelines"
)
_REPORT = "report|notify|inform|declare|disclose|tell|update|register|let (?:you|us|them) know"
# What makes a sentence one about a person: a condition, something to be reported, a change that somebody made or wants.
PERSONAL_CUES: _Cues = {
    "en": (
        r"\b(?:if|when|whenever|once|unless|because|while|as soon as|in case) (?:i|we|you|my|our|your|someone|somebody"
        r"|an?|he|she|they|it|the (?!new\b|v?\d))\b",
        r"\bafter (?:i|we|you|my|an?)\b",
        rf"\b(?:to|must|should|i|we|you|how|soon|please|need|and) (?:\w+ ){{0,2}}?(?:{_REPORT})\b",
        r"\breport(?:ing)? (?:an?|any|the|my|all)? ?chang",
        r"\b(?:i|we)(?:'ve|'d|'m|'re|'ll)? (?:(?!what|how|which|see|find|know)\w+ ){0,3}?(?:chang|switch|mov(?:e|ing)"
        r"|amend|modif|swap)",
        rf"\bchang\w* (?:\w+ )?(?:of|to|in) (?:{_WHOSE} |the |your )?(?:\w+ )?(?:{_LIFE})\b",
        rf"\b{_WHOSE} (?:\w+ )?(?:{_LIFE})\b",
        rf"\b(?:my|our) (?!(?:\w+ )?(?:{_OWN_PAPERS})\b)",
        r"\b(?:make|making|request|requesting|send|sent|submit|submitted) (?:any |some |these |a )?changes?\b",
        r"\bchanges? (?:that |which )?(?:i|we|you)\b",
        r"\bchanges? (?:need|require|must be|have to be|should be)\b",
        r"\byour approval\b",
    ),
    "de": (
        r"\b(?:wenn|falls|sobald|sofern|nachdem|bevor|solange)\b",
        r"\b(?:ich|wir|man)\b[^?!,]{0,40}(?:ander|wechs|umzieh|umgezogen|verander)",
        r"\b(?:(?:mit|bei)?teilen|mitzuteilen|meld(?:en|e|et)|anzumelden|zu melden|anzeigen?|anzuzeigen|angeben"
        r"|informieren|bekannt ?geben|benachrichtigen)\b",
        r"\b(?:mein|unser|dein|euer)(?:e|en|em|er|es|s)?\b(?! (?:tarif|vertrag|police|plan))",
        r"\b(?:adress|namens|adressen|wohnsitz|berufs|fahrzeug|halter)\w*(?:anderung|wechsel)\w*",
        r"\bfur mich\b",
    ),
    "fr": (
        r"\bsi (?:je|j'|on|nous|vous|mon|ma|mes|une?|le|la|les|l')",
        r"\bs'ils?\b",
        r"\b(?:quand|lorsque|lorsqu'|des que|en cas d)",
        r"\bapres (?:une?|mon|ma)\b",
        r"\b(?:declarer|signaler|communiquer|informer|prevenir|notifier|avertir|aviser|declare|signale|previens)\b",
        r"\bchang(?:er|ement|ements|e|es) (?:d'|de |du )(?!(?:l'|la |les )?(?:edition|version|condition|contrat|tarif"
        r"|regle|texte))",
        r"\b(?:j'ai|j'avais|je|nous avons) (?:\w+ ){0,2}?(?:chang|modifi|demenag)",
        r"\b(?:mon|ma|mes|notre|nos)\b(?! (?:contrat|formule|police|tarif))",
    ),
    "es": (
        r"\bsi (?:yo|me|mi|mis|cambi|una?|el|la|se|tengo|hay|pago|nos)",
        r"\b(?:cuando|en caso)\b",
        r"\b(?:despues de|tras) una?\b",
        r"\b(?:notific(?:ar|o|amos)|comunic(?:ar|o|amos)|inform(?:ar|o|amos)|avis(?:ar|o|amos)|declar(?:ar|o|amos))(?:les?|os)?\b",
        r"\bcambi(?:o|os|ar|ado|e) de (?!(?:la |las |los )?(?:edicion|version|condiciones|tarifa|regla|norma))",
        r"\b(?:he|hemos|puedo|podemos|quiero|debo|tengo que) (?:\w+ ){0,2}?(?:cambi|modific)",
        r"\b(?:mi|mis|nuestr[ao]s?)\b(?! (?:poliza|contrato|plan|tarifa))",
    ),
    "it": (
        r"\b(?:se (?:io|mi|il|lo|un|una|cambio|ho)|quando|in caso)\b",
        r"\b(?:comunicare|segnalare|notificare|informare)\b",
        r"\b(?:mio|mia|miei|mie)\b",
    ),
    "pt": (
        r"\b(?:se (?:eu|o|um|uma|mudar|mudo)|quando)\b",
        r"\b(?:comunicar|informar|notificar|avisar)\b",
        r"\b(?:meu|minha|meus|minhas)\b",
    ),
    "nl": (r"\b(?:als (?:ik|je|u|de|het|mijn|we|er)|wanneer|indien)\b", r"\b(?:melden|doorgeven|meedelen)\b", r"\bmijn\b"),
    "pl": (r"\b(?:jesli|jezeli|gdy|kiedy)\b", r"\b(?:zglosic|poinformowac|zglaszac)\b", r"\b(?:moj|moja|moje|mojego|mojej)\b"),
    "ru": (r"\b(?:если|когда)\b", r"\b(?:сообщ|уведом)", r"\b(?:мои|моя|мое|моего|моеи)\b"),
    "ja": (r"(?:場合|たら|とき|時に)", r"(?:届け|届出|報告|通知|連絡)", r"私の"),
    "zh": (r"(?:如果|若|的话|的時候|的时候)", r"(?:通知|报告|告知|申报)", r"我的"),
    "ko": (r"(?:하면|경우)", r"(?:신고|알려야|통지)", r"(?:내|제) "),
}


def _of(cues: _Cues) -> Iterable[str]:
    return [cue for of_language in cues.values() for cue in of_language]


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Compiled when the first question needs them; ``hint`` finds the few questions that the others have to look at."""
    tables = {
        "change": _of(CHANGE_CUES),
        "loose": _of(LOOSE_CUES),
        "comparison": _of(COMPARISON_CUES),
        "old and new": _of(OLD_AND_NEW),
        "things": _THINGS,
        "personal": _of(PERSONAL_CUES),
        "document": _of(DOCUMENTS),
        "time": TIMES,
    }
    tables["hint"] = [
        r"chang|\bnew\b|differ|amend|revis|evolv|develop|updat|added|remov|delet|drop|introduc|modif|rais|lower|increas"
        r"|reduc|before and after|compar",
        r"versus|\bvs\b|\bthan\b|go up|gone up|go down|ris[ei]|decreas|exten|shorten",
        r"ander|neu|vergleich|unterschie|unterscheid|\bals\b|vor und nach|gegenuber|wurde|getan|entwickelt",
        r"nouve|quoi de neuf|evolu|ajoute|supprim|revu|mis a jour|avant et apres|augment|baiss|diminu|relev|abaiss|plus"
        r"|moins|compar|differ",
        r"cambi|diferenci|difier|\bque\b|noved|varia|anadid|eliminad|antes y|subido|bajado",
        r"confront|prima e dopo|mudou|mudanca|antes e|verander|gewijzigd|wijzig|verschil|vergelijk|zmien|zmian|roznic|porownaj",
        "измен|разниц|отлич|сравни|変|違|变化|改了|区别|差异|달라|변경|차이",
    ]
    return {name: re.compile("|".join(patterns)) for name, patterns in tables.items()}
