"""Reads from the status of an edition whether it applies, applied once, or never does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal

from contextpack_core.dates import bare
from contextpack_core.patterns import pattern

Standing = Literal["applies", "never", "superseded", "expired", "unknown"]
_Said = Literal["applies", "never", "superseded", "expired", "waits"]

_LONGEST = 200


@lru_cache(512)  # a store has few of them, and each chunk has one
def standing_of(status: str) -> Standing:
    """What a status says of an edition today: it applies, never does, was superseded or has expired, or ``unknown``.

    The words in it decide, whatever stands around them: ``DRAFT v3``, ``not final``, ``no longer valid``. What only waits for
    something (``pending``) counts where nothing before it says that the edition applies, and brackets only where the rest says
    nothing. ``unknown`` counts as applying; the stage reports it.
    """
    text = bare(status[:_LONGEST]).replace("_", " ")
    found = _standings(text.partition("(")[0]) or _standings(text)
    if "never" in found or found[:1] == ["waits"]:
        return "never"
    formerly: Sequence[Standing] = [standing for standing in found if standing == "superseded" or standing == "expired"]
    return formerly[0] if formerly else "applies" if "applies" in found else "unknown"


# By what they say, words and phrases as ``bare`` makes them.
_WORDS: dict[_Said, str] = {
    "never": """draft | drafts | drafting | draught | wip | work in progress | unpublished | unapproved | unreleased
        | not in force yet | withdrawn | retracted | rejected | declined | refused | cancelled | canceled | void | voided
        | invalid | invalidated | annulled | abandoned | deleted | removed | erased | dropped | discarded | trash | trashed
        | proposal | entwurf | vorentwurf | arbeitsfassung | zuruckgezogen | zuruckgenommen | abgelehnt | verworfen | ungultig
        | nichtig | storniert | geloscht | annulliert | brouillon | projet | retire par | retiree | retire | rejete | rejetee
        | annule | annulee | supprime | supprimee | nul | invalide | borrador | proyecto | retirado | retirada | rechazado
        | rechazada | anulado | anulada | cancelado | cancelada | eliminado | eliminada | nulo | bozza | ritirato | ritirata
        | respinto | annullato | annullata | rascunho | rejeitado | excluido | szkic | projekt | wycofany | wycofana | odrzucony
        | uniewazniony | usuniety | concept | ontwerp | ingetrokken | afgewezen | verworpen | geannuleerd | verwijderd
        | черновик | проект | отозван | отклонен | отменен | удален | 草案 | 草稿 | 征求意见稿 | 作废 | 撤回 | 已删除 | 取消
        | 无效 | 未生效 | 未发布 | 下書き | 未公開 | 초안 | 철회""",
    "waits": """proposed | pending | planned | scheduled | deferred | on hold | in review | under review | for review
        | in revision | for comment | for comments | for consultation | in consultation | consultation | awaiting
        | to be approved | for approval | in preparation | in progress | in bearbeitung | in prufung | zur prufung
        | in vorbereitung | in abstimmung | vorgeschlagen | geplant | ausstehend | zuruckgestellt | en attente | en cours
        | propose | proposee | prevu | a valider | en relecture | pendiente | propuesto | propuesta | en revision | previsto
        | in attesa | proposto | in revisione | pendente | em revisao | in behandeling | voorgesteld | gepland | w przygotowaniu
        | proponowany | oczekuje | на рассмотрении | предложен | 审核中 | 待审批 | 待发布 | 審査中 | 검토 중""",
    "superseded": """superseded | superceded | replaced | obsolete | obsoleted | outdated | historic | historical | deprecated
        | legacy | former | previous | old | old version | ersetzt | abgelost | uberholt | veraltet | fruhere fassung | remplace
        | remplacee | perime | perimee | ancien | ancienne | sustituido | sustituida | reemplazado | reemplazada | obsoleto
        | obsoleta | sostituito | sostituita | superato | substituido | substituida | vervangen | verouderd | zastapiony
        | zastapiona | nieaktualny | nieaktualna | заменен | устарел | 被替代 | 已替换 | 旧版 | 구버전""",
    "expired": """expired | archived | archive | repealed | revoked | rescinded | retired | inactive | disabled | lapsed | ended
        | terminated | discontinued | sunset | sunsetted | out of force | decommissioned | ausser kraft | aufgehoben
        | abgelaufen | archiviert | inaktiv | erloschen | widerrufen | abroge | abrogee | expire | expiree | inactif | caduc
        | derogado | derogada | caducado | caducada | vencido | vencida | archivado | inactivo | abrogato | abrogata | scaduto
        | scaduta | archiviato | revogado | revogada | expirado | expirada | arquivado | inativo | vervallen | verlopen
        | gearchiveerd | uchylony | uchylona | wygasly | zarchiwizowany | утратил силу | истек | отменено | архив | 废止 | 失效
        | 已过期 | 归档 | 廃止 | 失効 | 폐지 | 만료""",
    "applies": """active | activated | final | finalised | finalized | published | approved | current | currently | valid
        | in force | in effect | effective | released | accepted | adopted | enacted | official | live | operative | applicable
        | ratified | signed | issued | stable | standard | proposed standard | draft standard | internet standard
        | best current practice | recommendation | provisional | latest | new | updated | amended | revised | reviewed
        | verified | confirmed | enabled | public | ok | ready | complete | completed | done | success | succeeded | processed
        | indexed | synced | uploaded | parsed | gultig | aktiv | in kraft | rechtskraftig | freigegeben | veroffentlicht
        | genehmigt | verabschiedet | aktuell | geltend | endgultig | en vigueur | publie | publiee | approuve | approuvee
        | actif | valide | definitif | vigente | en vigor | publicado | publicada | aprobado | aprobada | activo | activa
        | valido | definitivo | in vigore | approvato | pubblicato | attivo | em vigor | aprovado | ativo | geldig | actief
        | van kracht | gepubliceerd | goedgekeurd | obowiazujacy | obowiazujaca | aktualny | opublikowany | zatwierdzony
        | действует | действующий | действующая | утвержден | опубликован | 有效 | 现行 | 已生效 | 生效 | 已发布 | 有効 | 施行中
        | 公開 | 유효 | 시행""",
}
_NOT = frozenset("not no non never nicht kein keine nie ne pas sans niet geen без не 未 无 非".split())
_NO_LONGER = (
    "no longer",
    "nicht mehr",
    "n est plus",
    "plus",
    "ya no",
    "non piu",
    "nao mais",
    "ja nao",
    "niet meer",
    "nie jest juz",
)
_NOT_YET = (
    "not yet",
    "noch nicht",
    "pas encore",
    "aun no",
    "todavia no",
    "non ancora",
    "ainda nao",
    "nog niet",
    "jeszcze nie",
    "еще не",
)
_ABOUT_ANOTHER = frozenset(
    "supersedes replaces replacing superseding formerly previously until unless ersetzt_durch bis remplace_par".split()
)
_APPROVAL = frozenset(
    "final finalised finalized published approved released accepted adopted enacted official ratified signed issued confirmed"
    " veroffentlicht freigegeben genehmigt verabschiedet endgultig publie approuve definitif publicado aprobado aprovado pubblicato"
    " approvato gepubliceerd goedgekeurd".split()
)
_WORD = pattern(r"[^\W\d_]+")


def _standings(text: str) -> list[_Said]:
    """What each of the words says, in their order."""
    words = _WORD.findall(text)
    phrases, longest, unspaced = _tables()
    found = [standing for word, standing in unspaced if word in text]
    at = 0
    while at < len(words):
        if words[at] in _ABOUT_ANOTHER and at:
            break
        for count in range(min(longest, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + count])
            if phrase in phrases:
                found.append(_as_denied(phrases[phrase], phrase, " ".join(words[:at]), words[at + count : at + count + 1]))
                at += count - 1
                break
        at += 1
    return found


def _as_denied(standing: _Said, phrase: str, before: str, after: list[str]) -> _Said:
    """What the phrase says after a word that denies it; a list of flags denies behind it (``deleted: false``)."""
    if before.endswith(_NOT_YET):
        return "never" if standing == "applies" else "applies"
    if before.endswith(_NO_LONGER):
        return "expired" if standing == "applies" else "applies"
    if any(word in _NOT for word in before.split()[-2:]) or after in (["false"], ["no"]):
        return "applies" if standing != "applies" else "never" if phrase in _APPROVAL else "expired"
    return standing


@cache
def _tables() -> tuple[dict[str, _Said], int, list[tuple[str, _Said]]]:
    """The phrases, the number of words in the longest, and those of scripts without blanks."""
    entries = [(bare(" ".join(word.split())), standing) for standing, words in _WORDS.items() for word in words.split("|")]
    phrases = {word: standing for word, standing in reversed(entries) if not _UNSPACED.search(word)}
    return phrases, max(len(phrase.split()) for phrase in phrases), [(w, s) for w, s in entries if _UNSPACED.search(w)]


_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
