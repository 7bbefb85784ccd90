"""Advice beside a refusal: whom to ask, what to look up, how to ask again, what to hand over."""

# ruff: noqa: E501 — wordings on one line can be compared with their neighbours

from __future__ import annotations

from contextpack_core.patterns import pattern


def is_plain_advice(plain: str) -> bool:
    """Whether a sentence, in lower case and with ``¤`` for its marks, only advises, or says that it is sorry."""
    if len(plain) > _LONGEST or _HAS_EVIDENCE.search(plain):
        return False
    return bool(_SORRY.fullmatch(plain)) or (bool(_ADVICE.match(plain)) and not _GOES_ON.search(plain))


_LONGEST = 300
_HAS_EVIDENCE = pattern(r"[¤\d(（]")
_SORRY = pattern(
    r"(?:(?:i'm|i am|we're|we are) (?:\w+ )?)?(?:sorry|afraid)(?: (?:about|for) (?:that|this|it|(?:the|any) inconvenience))?|"
    r"(?:i|we) apologi[sz]e(?: for (?:that|this|(?:the|any) inconvenience))?|"
    r"(?:das |es )?tut (?:mir|uns) (?:sehr )?leid|entschuldigung|"
    r"(?:je suis |nous sommes )?(?:vraiment |sincèrement )?désolée?s?|toutes mes excuses|"
    r"lo (?:siento|lamento)(?: mucho)?|disculpe(?: las molestias)?|"
    r"(?:我)?(?:很|非常|十分)?(?:抱歉|遗憾|对不起)"
)

# What is advised, a line for a use: whom to ask; where to look; what to say otherwise; what to hand over. "Ask for a refund" and
# "check in" are none of these.

_MORE = r"(?:(?:me|us) |them\b|it\b|(?:some |any |a few )?(?:more|further|additional|other|another|the (?:relevant|full|missing|right|whole))\b)"
_ENGLISH = (
    r"(?:contact|ask|consult)\b(?! (?:with|between|lens|and|for)\b)|(?:call|visit) (?:the|your|us|them|our|customer)\b|(?:refer|turn|speak|talk) (?:to|with)\b|reach out\b|get in touch\b|"
    r"(?:check|verify|review|search)\b(?! (?:in|out|off|for|on|at|and)\b)|check (?:with|for)\b|try (?:again|another|a different)\b|"
    r"see (?:the|their|your) (?:\w+ )?(?:website|documentation|manual|policy|contract|documents?|page)\b|look (?:in|at|for|up)\b|"
    r"(?:rephrase|reword|clarify|specify)\b|"
    rf"(?:provide|give|share|send|upload|supply|add|attach|paste) {_MORE}"
)
_ENGLISH_ING = (
    r"(?:contacting|asking|consulting|calling|visiting|speaking to|reaching out|getting in touch|checking|looking|searching|reviewing|"
    r"verifying|rephrasing|providing|sharing|uploading)\b"
)
_GERMAN = (
    r"(?:wenden|fragen|kontaktieren|erkundigen|konsultieren|prüfen|schauen|sehen|formulieren|stellen|laden|geben|senden|schicken|nennen|"
    r"präzisieren|reichen)\b"
)
_GERMAN_LAST = (
    r"(?:nachfragen|fragen|wenden|erkundigen|kontaktieren|anrufen|konsultieren|nachsehen|nachschlagen|nachlesen|prüfen|umformulieren|"
    r"präzisieren|bereitstellen|hochladen|nachreichen)$"
)
_FRENCH = (
    r"(?:vous (?:adresser|renseigner)|contacter|demander (?:à|conseil)|interroger|consulter|vérifier|préciser|reformuler|"
    r"(?:me |nous )?(?:fournir|donner|transmettre|communiquer|indiquer) (?:plus|davantage|d'autres|un autre))\b"
)
_SPANISH = (
    r"(?:contact(?:e|ar)|pregunt(?:e|ar)|póngase en contacto|ponerse en contacto|diríjase|dirigirse|consult(?:e|ar)|verifi(?:que|car)|"
    r"comprueb(?:e)|comprobar|reformul(?:e|ar)|precis(?:e|ar)|aclar(?:e|ar)|"
    r"(?:proporcion(?:e|ar)|facilit(?:e|ar))(?:me|nos)? (?:más|otro|otra))\b"
)
_CHINESE = (
    r"(?:您)?(?:再|先|直接|尽快)?(?:向[^，]{1,12}(?:咨询|查询|询问)|与[^，]{1,12}联系|联系|咨询|询问|致电|查阅|查看|查询|核对|核实|确认|参考|参阅|"
    r"换个|换一|重新(?:提问|表述|描述)|补充|提供(?:给我|更多|其他|相关)|上传|告诉我|告知我)"
)

# The ways to advise it, a line each.

_ADVICE = pattern(
    r"(?:(?:if you (?:have|need|want|wish|would like|can|are (?:unsure|in doubt))|for (?:this|that|more|further|exact)|to (?:find out|learn|get|be sure))\b[^,]{0,80}, )?(?:"
    rf"(?:please |kindly )?(?:try to )?(?:{_ENGLISH})|"
    rf"(?:you (?:may|might|could|can|should|would)|it (?:may|might|would) (?:help|be best|be worth))(?: (?:to|also|always|instead|need to|have to|want to|wish to|like to))* (?:{_ENGLISH})|"
    rf"(?:i|we)(?:'d| would)? (?:recommend|suggest|advise)(?: (?:that )?you(?: to)?)? (?:{_ENGLISH}|{_ENGLISH_ING})|"
    rf"(?:you (?:may|might|could|can) )?(?:try|consider) {_ENGLISH_ING}|feel free to (?:{_ENGLISH})|(?:please )?(?:let me know|tell me)\b|"
    r"(?:i|we) (?:can|could|will|would|'ll) (?:\w+ )?(?:help|look|check|try|answer)\b)|"
    r"(?:(?:wenn|falls) sie [^,]{1,80} (?:haben|benötigen|brauchen|wünschen|möchten), )?(?:"
    rf"bitte {_GERMAN}|(?:(?:für (?:weitere|nähere|genauere) [^,]{{1,40}}|am besten) )?{_GERMAN} sie (?:sich|bitte|sie|mir|uns|die|das|den|ihre?n?)\b|"
    rf"(?:(?:sie|man) (?:können|könnten|sollten|kann|sollte)|am besten|ich (?:empfehle|rate)(?: ihnen)?,?)(?: [^,]{{0,100}})? (?:zu )?{_GERMAN_LAST})|"
    r"(?:(?:si vous (?:avez|souhaitez|voulez|pouvez)|pour (?:plus|en savoir|davantage))\b[^,]{0,80}, )?(?:"
    rf"(?:veuillez|n'hésitez pas à|merci de|essayez de) {_FRENCH}|vous (?:pouvez|pourriez|devriez)(?: aussi| également)? {_FRENCH}|"
    rf"(?:je|nous) (?:vous )?(?:recommande|recommandons|suggère|conseille|conseillons) de {_FRENCH}|"
    r"(?:contactez|demandez à|adressez-vous|consultez|vérifiez|reformulez|précisez)\b)|"
    r"(?:(?:si (?:tiene|dispone|desea|quiere|necesita|puede)|para (?:más|obtener|saber))\b[^,]{0,80}, )?(?:"
    rf"(?:por favor,? ?)?{_SPANISH}|(?:puede|podría|debería|conviene)(?: también)? {_SPANISH}|"
    rf"(?:le|les) (?:recomiendo|sugiero|aconsejo)(?: que)? {_SPANISH})|"
    rf"(?:如果?您?(?:有|需要|想|希望|能|可以)[^，]{{0,30}}，)?请{_CHINESE}|我?建议{_CHINESE}|[您你][也还]?可以{_CHINESE}"
)
_GOES_ON = pattern(
    r"\b(?:because|since|as (?:it|the|they)|so (?:that )?(?:it|you|the)|and (?!(?:ask|check|see|consult|contact|let|provide|share|send|try|conditions|the|your|its|any)\b)|but|otherwise|before|within|until|"
    r"weil|da|denn|sonst|innerhalb|aber|und (?:er|es|sie)|car|parce|puisque|sinon|mais|porque|ya que|pues|pero|si no)\b|"
    r"\bask (?:\w+ ){1,3}to (?!clarify|confirm|check|explain|look)|\band (?:the|your|its|any) (?:\w+ ){1,3}(?:is|are|was|has|have|must|will)\b|"
    r",? (?:who|which|where) (?:is|are|was|has|have|pay|must|will|can|may|\w+s)\b|, (?:the|it|this|that|you|they)\b|因为|否则|但|，(?!请|您|我|以便|或)"
)
