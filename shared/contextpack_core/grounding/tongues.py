"""How each language says that sources do not have something: its words by their part in that, and the orders of them that refuse."""

# ruff: noqa: E501 — words and shapes on one line can be compared with their neighbours

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

# A clause is read as a string with a letter for each of its words, and a shape is a regular expression over such strings. The letters,
# the same in every language as far as it has such words:
#
#   S source (documents, passages)      P paper (policy, contract): what it says counts, what it covers is a statement
#   Pp paper that only informs (manual): what it covers counts too
#   T a thing told (answer, detail)     V says   v names, indicates   Z treats, is about   H holds, gives   w covers   u shows
#   D said (stated, mentioned)          G given, contained            g answered, determined    h (German) gathered from
#   I I   J we, one   E it, they        Y you    F finds, knows       f searched, read          i j k s (French, Spanish) see there
#   N not, no   n nothing, none         O silent, insufficient        o open, unclear   m missing   L only   l in part
#   B is   b was, be   A does           a can, did, has               z leaves, remains         M must, may   k clear, enough
#   C if   d though   W whether, who    R that, which   U in, from    y by    c but    X there   q question   h (English) a single
#   p (Chinese) somebody   K mark   0 number   Q comma   x any other word
#
# A word may have several letters (cannot: aN) or none (even). In a shape ``·`` is any word up to the next comma, ``…`` the same but
# neither "that" nor "must", and ``~`` a gap without verb, negation or comma, but for "that I was given".
_GAP = "[^VvZHRCMNnBbWQcd]{0,8}(?:I[ab]{0,2}[^VvZHRCMNnBbWQcd]{0,3})?"
_SIGNS = {" ": "", "·": "[^Q]", "…": "[^QRM]", "~": _GAP}


@dataclass(frozen=True)
class Tongue:
    """One language: its words by their letter, a line each, and its shapes.

    ``refusing`` shapes say that the sources, or whoever searched them, do not have something; a clause of a ``blocked`` shape says it
    of a case or as a rule. A clause of a ``framing`` shape states nothing: it names what was searched, or what the sources are about.
    ``hints`` are words without a letter of denial that may stand in a refusal. Where words are not ``spaced``, the longest that is
    known counts. ``predicates`` are verbs, of which what is stated beside a refusal mostly has one; ``vague`` words may name a source,
    and as well what a statement is about: "the material contains no asbestos".
    """

    vocabulary: str
    refusing: Sequence[str]
    blocked: str
    framing: str
    predicates: str
    vague: str
    hints: str = ""
    spaced: bool = True

    def words_of(self, clause: str) -> list[str]:
        """Its words and signs in order."""
        return self._word.findall(clause)

    def shape_of(self, clause: str) -> str:
        """The clause with a letter for each of its words."""
        letter = self._letters.get
        words = self._word.findall(clause)
        return "".join(
            [found if (found := letter(word)) is not None else "x" if word.isalpha() else _letter_of(word) for word in words]
        )

    def denies(self, shapes: Iterable[str]) -> bool:
        """Whether there is a word in them of which a refusal has one."""
        return any(not _LETTERS_OF_DENIAL.isdisjoint(shape) for shape in shapes)

    def refuses(self, shape: str) -> bool:
        """Whether a clause of that shape refuses."""
        return self.denies([shape]) and self._refusing.search(shape) is not None and self._blocked.search(shape) is None

    def frames(self, shape: str) -> bool:
        """Whether a clause of that shape states nothing."""
        return self._framing.search(shape) is not None

    def has_predicate(self, clause: str) -> bool:
        """Whether there is one of the verbs in it."""
        if self.spaced:
            return not self._predicates.isdisjoint(self._word.findall(clause))
        stated = _ASKED.sub("", clause)
        return any(verb in stated for verb in self._predicates)

    def without_vague(self, clause: str) -> str:
        """The clause without the words that need not name a source."""
        return " ".join([word for word in self._word.findall(clause) if word not in self._vague])

    # Made at first use: most answers are in one language.

    @cached_property
    def _predicates(self) -> frozenset[str]:
        return frozenset(self.predicates.split())

    @cached_property
    def _vague(self) -> frozenset[str]:
        return frozenset(self.vague.split())

    @cached_property
    def _letters(self) -> dict[str, str]:
        lines = [line.split() for line in self.vocabulary.strip().splitlines()]
        return {word: letter.strip("-") for letter, *words in filter(None, lines) for word in words}

    @cached_property
    def denials(self) -> frozenset[str]:
        """The words of which a sentence that refuses has one."""
        return frozenset(
            [*[word for word, letter in self._letters.items() if not _LETTERS_OF_DENIAL.isdisjoint(letter)], *self.hints.split()]
        )

    @cached_property
    def _word(self) -> re.Pattern[str]:
        if self.spaced:
            return re.compile(r"[^\W_]+|[,¤]")
        known = sorted(self._letters, key=lambda word: (-len(word), word))
        return re.compile("|".join([*map(re.escape, known), r"[a-z]+", r"[\d.]+", r"[，,¤]", r"[^\W_]"]))

    @cached_property
    def _refusing(self) -> re.Pattern[str]:
        return _shape("|".join(self.refusing))

    @cached_property
    def _blocked(self) -> re.Pattern[str]:
        return _shape(self.blocked)

    @cached_property
    def _framing(self) -> re.Pattern[str]:
        return _shape(self.framing)


_LETTERS_OF_DENIAL = frozenset("NnOolm")
_ASKED = re.compile("是否|为什么|为何|因为|认为")
_LABEL = re.compile(r"p\d{1,4}\Z")


def _letter_of(word: str) -> str:
    """The letter of a word that is a sign, a number or a label."""
    if word[0].isdecimal():
        return "0"
    if word in ",，":
        return "Q"
    return "K" if word == "¤" else "S" if _LABEL.match(word) else "x"


def _shape(expression: str) -> re.Pattern[str]:
    for sign, read in _SIGNS.items():
        expression = expression.replace(sign, read)
    return re.compile(expression)


ENGLISH = Tongue(
    vocabulary="""
S document documents documentation source sources context passage passages text texts excerpt excerpts extract extracts snippet snippets material materials evidence wording base corpus attachment attachments paragraphs
P section sections clause clauses policy policies schedule terms conditions contract agreement lease regulation regulations rules tariff edition version paragraph file files record records data results content contents references  plan
Pp handbook manual guide leaflet brochure article articles chapter page pages report website faq guideline guidelines booklet instructions email memo specification datasheet readme wiki overview summary
T answer answers entry entries information detail details reference provision provisions indication guidance explanation clue statement statements description descriptions explanations clues figures hint hints info specifics particulars clarification clarity facts
V say says state states mention mentions specify specifies clarify clarifies discuss discusses address addresses
v explain explains tell tells indicate indicates identify identifies name names define defines report reveal reveals disclose discloses note notes quantify elaborate elaborates comment comments outline outlines stipulate stipulates illustrate convey conveys spell spells
Z describe describes deal deals talk talks treat treats concern concerns relate relates refer refers touch touches focus speak speaks
w cover covers
H contain contains include includes provide provides give gives list lists offer offers hold holds appear appears allow allows suffice suffices make makes set sets figure feature help
HN lack lacks lacked omit omits
u show shows support supports suggest suggests confirms permit
D stated mentioned specified said indicated addressed discussed described explained named clarified detailed disclosed quantified outlined stipulated elaborated spelled noted touched
G given provided included covered available listed contained present shown defined treated offered made supplied retrieved accessible attached search
g answered determined established inferred derived confirmed verified concluded gathered resolved told deduced ascertained gleaned identified
I i
J we one
E it they this these
Y you
F find found see know locate identify determine establish infer confirm verify assist help deduce obtain ascertain glean
f searched looked read checked reviewed gone went examined scanned consulted
N not no never neither nor unable impossible fail fails failed
aN cannot
n nothing none nowhere
O silent insufficient mute quiet inconclusive
o open unclear unanswered unspecified unexplained unmentioned unknown
k sufficient enough clear possible
L only merely just solely
l part partly partially
m missing absent
B is are
b was were be been
A do does
a can could did had has have able ve
M must may might shall need needs required
C if unless wherever except once
d while although though whereas
W whether who whom whose what how when where why
R that which because
U in from within among of by with on about regarding
y by
c but however
X there
q question query request
z leave leaves remain remains stay stays left breaks
h plain single definitive simple right universal easy key
- even really actually directly explicitly specifically clearly fully entirely currently seem anywhere relevant pertinent matching corresponding applicable
""",
    refusing=(
        # The documents do not say. The policy does not mention. It does not specify.
        "S~[Aa]N[xU]?[VvZHTuw]", "S~Nx?[VvZHwF]", "P~AN[VvZT]", "P~Nx?[VvZ]", "Pp~ANw", "[SP]~Z[^QNRM]{0,8}xAN[VvZ]", "P~ANH[xU]{0,2}T", "^x{0,2}Q?[cdR]?x?EANV", "^x{0,2}Q?[cdR]?x?EANvx{0,2}W", "(?:G[TP]|[TP]G)x{0,2}AN[VvZHTu]",
        # The text says nothing, gives no details. The policy is silent. None of the passages states.
        "[SP]~[VvZ]x?n(?!·{0,2}[MBa])", "S~an", "nA[^QVN]{0,5}[SP]~[VZ]", "S~[HZ]x?[Nn]", "S~aNx{0,2}T", "S~[vV][Nn](?!·{0,6}B)", "P~HNx{0,3}[TV]", "P~aNx{0,2}T", "P~Hn", "[SP]~B?x{0,2}(?:O|Nk)", "E[VZ]n", "S~[VvHu]TU?x?N", "(?:G[TP]|[TP]G)B(?:O|Nk)",
        "[Nn][NJhU]{0,2}[xGTP]{0,3}(?:N[xGTP]{0,3}|U[xG]{0,2})?S(?!Y)~[VvZHw]", "[Nn][xUTNGJh]{0,4}P[xUPN]{0,6}[VZ]", "[SP]~z·{0,2}o", "[SP]~Bo[UWx]", "Sz·{0,3}x",
        # I cannot find it. I found nothing. We have no information.
        "Ib?x?[Aa]*N[Aa]*x{0,2}[FVv]", "Ix?[Aa]*N[Aa]*x?U?T", "Ia?x?F[^QW]{0,1}[Nn]", "I[Aa]Na[xkRE]{0,2}[TSP]", "nI·{0,4}[VvZHw]", "^xnU?[Ex]{0,2}[VvZHw]", "Ia[ON]x{0,2}[TSP]", "I[Aa]?HNx?[TSP]", "IF[Nn]",
        "J[Aa]*Nx{0,2}[FV].*[TS]", "JaNHx{0,2}T", "Ja?F[Nn].*[TSP]", "J[Aa]Nax{0,3}[TS]", "Ja[Nn]x{0,2}[TS]", "I·{0,3}f.{0,18}(?:F[Nn]|[aA]NF)", "J[Aa]NF$",
        # It is not stated. No cap is mentioned. It was not given in the documents.
        "(?<![RWC])BNx?D(?!y)", "[Bb]x?[Nn]x?[DGgF][^QR]{0,2}U[^QVBbPh]{0,4}S", "N[^QVZBMRWC0]{0,8}BGU~[SP]", "B?mU~[SP]", "BNkU~[SP]", "(?:S|Pp)~aNx{0,2}[TP]", "^x{0,4}[SP][^QNR]{0,14}xAN[VvZ]", "[TV]·{0,8}BNx?[GDF]$", "T[^QM]{0,8}BNx?GU~[SP]", "[Nn][^QVZBMRWC0]{0,8}B[xb]?D(?!y)",
        "^·{0,4}NT[^QMR]{0,8}[aBb]x?b?[GF](?!y)", "^[^BbaAMVH]{0,2}Nx{0,2}TU[^BbMaAVHQ]*$", "^[^BbaAMVH]{0,2}[NO]x?T$", "T·{0,8}B?NU~S", "Vx?BN", "D?NVU?[^QMR]{0,6}[aBb]x?b?[GF]",
        # There is no mention. It cannot be answered. It does not appear in the documents.
        "XB[Nn]x{0,2}[TV](?!h)", "XBnU~S", "XBN[xG]{0,2}S(?:U|$)", "Bn·{0,4}U~S", "W·*[zB]o$", "IbNGx{0,2}S", "XBN?x?[Nn]?[^QR]*U~S$", "Xx?N[TV]", "XB?Ox?[TP]", "aNbx?[gDF].*S", "S.*aNbx?[gF]", "q·{0,10}aNb", "qBN", "[TN]·{0,8}[aA]NH.*S",
        "S.*EB?N[kx]*[FVvT]", "EBN[kx]*[FVvT].*[SG]", "G.*EBN[kx]*[FVvT]", "BN(?:x|T|q)R?x?[SP]~[VvZ]", "[Bz]o.*U~S", "^E[Bz]o.*S", "S.*E[Bz]o", "Bbox.*S|z?o[yU]~S",
        # Only in part. The first but not the second.
        "LlT|LT.*(?:l|G)|LGU.*g|L·?l·*g", "[SP]~[VvZ]…*cN[^BVHAa]*$|S~H…*cN[^BVHAa]*$",
        "^N[GDF](?:U~S)?$", "^O[^VHAB]{0,3}$",
        # No relevant documents were found.
        "^NSbF(?:U~S)?$", "^NPbF$",
    ),
    blocked="^x?[C]|.[RW]BN|M·{0,3}D|^WNx?·{0,4}BD|^W·{0,5}BNDQ",
    hints="cannot",
    framing="^I·{0,3}f|^[xE]{0,3}S~L?(?:Z|BU)|^·{0,4}[SPE]0?L·|^x{0,4}S~?[VZ](?!R)[^0R]*$|^x{0,3}S~z",
    predicates="""
is are was were am be has have had must may can should will would shall costs applies pays lasts takes amounts equals means covers excludes
includes requires allows permits prohibits forbids depends begins starts ends expires remains doubles rises falls increases charges reimburses limits
entitles needs gets becomes counts follows comes goes works runs happens belongs receives opens closes grants provides pay
lose take apply cover exclude include require allow depend follow get need cost
""",
    vague="material evidence data record records report base corpus results result contents content file files source plan",
)  # fmt: skip

GERMAN = Tongue(
    vocabulary="""
S dokument dokumente dokumenten dokumentation dokuments unterlagen quelle quellen text texte texten textstelle textstellen kontext passage passagen auszug auszüge auszügen ausschnitt ausschnitte ausschnitten materialien wortlaut suchergebnisse suchergebnissen
P bedingungen versicherungsbedingungen vertragsbedingungen geschäftsbedingungen nutzungsbedingungen vertrag police handbuch handbuchs leitfaden anleitung hausordnung fassung ausgabe abschnitt artikel merkblatt broschüre satzung richtlinie richtlinien regelwerk tarif prospekt beipackzettel bericht mietvertrag faq readme wiki datenblatt kapitel übersicht
D rede
T wort eintrag aufschluss angabe angaben information informationen hinweis hinweise hinweisen auskunft auskünfte aussage aussagen regelung regelungen bestimmung bestimmungen antwort antworten erwähnung näheres anhaltspunkt anhaltspunkte dosis
V legt legen erwähnt erwähnen sagt sagen nennt nennen erklärt erklären erläutert erläutern regelt regeln besagt besagen benennt benennen definieren konkretisieren schildert beantwortet beantworten äußert äußern verrät verraten spezifiziert präzisiert thematisieren
Z beschreibt beschreiben behandelt behandeln geht gehen bespricht besprechen betrifft betreffen handelt handeln bezieht beziehen
H enthält enthalten liefert liefern gibt geben bietet bieten macht machen beinhaltet beinhalten steht stehen findet finden ergibt ergeben deutet deuten reicht reichen äußern
D genannt gesagt angegeben beschrieben erläutert thematisiert angesprochen ausgewiesen eingegangen ausgeführt benannt beziffert definiert mitgeteilt vermerkt offengelegt konkretisiert bekanntgegeben dargelegt klar ersichtlich_ deutlich
I ich
J wir
E sie er es
G vorhanden verfügbar
F herausfinden finde fand sehe entdecke gefunden finden_ feststellen erkennen beurteilen ermitteln weiß entnehme helfen
h bestimmt bestimmen ermittelt festgestellt geklärt klären entnehmen entnommen ersehen ersichtlich herauslesen hervor hervorgeht
f durchgesehen durchsucht gelesen geprüft gesucht angesehen
N nicht kein keine keinen keiner keinem keines keinerlei weder
n nichts nirgends nirgendwo
O offen unklar unbeantwortet schweigt schweigen
m fehlt fehlen
k bleibt bleiben offenlässt
L nur lediglich bloß
l teil teilweise
B ist sind wird werden
b war waren wurde wurden
A habe hatte haben
a kann konnte können konnten könnte lässt lassen
M muss müssen darf dürfen soll sollen braucht brauchen
C wenn falls sofern soweit solange sobald ohne
d obwohl während wobei
W ob wer wie wann welche welcher welches welchem wo was warum wem
R dass
U in aus im laut anhand mit von vom zu zur zum über
y durch
c aber jedoch doch
X liegen liegt
q frage
- relevante relevanten passende passenden entsprechende entsprechenden zutreffende zutreffenden einschlägige einschlägigen
""",
    refusing=(
        # Die Unterlagen sagen nicht. Das nennt das Handbuch nicht. Keine der Passagen behandelt.
        "[SP]…*[VZ]…*[Nn]", "[VZ][^QRMBbVH]{0,8}[SP]…*[Nn]", "[Nn][^QRMVZH]{0,3}[SP][^QRMb]*[VZHDT]", "N…{0,4}P…{0,4}N…{0,4}P…*V",
        "S…*H…*[Nn]", "HE?[^QRMBVHI]{0,8}S…*[Nn]", "P[^QRMBb]*H…*Nx{0,2}T", "H~P…*Nx{0,2}T", "H[^QRMBVHI]{0,6}P…{0,3}n", "[SP]…*[Nn]x{0,2}[VZ](?:$|Q)", "S…*[Nn]x?H(?:$|Q)", "^x[Nn]x?[VZ]", "^x{0,2}[Nn]x?DB", "T[^QRMV]*V…{0,3}P", "[^B]S…*B?…*[Nn]…*(?:D|F|O)", "[TVH]x{0,3}[SP]…*[Nn]x?$", "[Nn]…*V…{0,3}[SP]$",
        "U…{0,4}[SP]…*[Nn]…*[DFVTZ]", "[HBX]…*[Nn][^QRMF]*U[^QBH]{0,5}[SP](?:$|Q)", "^·{0,3}O·{0,5}[SP]|[SP]·{0,3}O|O·{0,2}[ka]|[ka]·*O|HE[^QR]*[Nn]x?[TP]|EH[^QR]*[Nn]x?T", "EV·{0,4}[nN]|VE·{0,4}[nN]|ZE·{0,3}N|[VZ]x?E·{0,2}N", "[SP]·*m·*T|T·*m·*U~[SP]|m·*U~[SP]·*T|mT",
        "[SP]…*[Nn]…*[Fh]",
        # Ich finde nichts. Das kann ich nicht sagen. Mir liegen keine Angaben vor.
        "(?:I·{0,4}F|FI)·*[Nn]", "(?:I·{0,3}a|aI)[^R]*[Nn][^QR]*(?:[FhVH]|x$)", "(?:I·{0,3}A|AI)[^R]*[Nn][^QR]*[FT]", "J·*[FaAH]·*[Nn]·*[TS]", "(?:a)[^RQ]*S[^RQ]*[Nn]·*[hFV]|^·{0,4}S·*a·*[Nn]·*[hFV]|qa·*N·*V", "^(?:x{0,2}x)?a[^QI]*U~S·*N[FVh]|lN",
        "X[^QR]*[Nn]x?T", "[Nn]x?T[^QR]*X", "(?:HE|EH)[^QR]{0,2}NxS|(?:HE|EH)NSU", "n[VZ]x{0,2}[SP]", "SU?…*NU[HhF](?:$|Q)", "^xbNS", "T[^QR]*N[^QR]*X", "T[^QR]{0,2}X[^QR]*[Nn]", "x?OT", "[Nn]…{0,3}[SP]Q·{0,6}Q…{0,2}[VZH]", "T·{0,4}B·*N·*G", "B·{0,3}[Nn]x?T·*G", "T…{0,2}HN[xU]?(?:$|Q)",
        # Es wird nicht erwähnt. Für Sturm ist keiner angegeben. Das geht nicht hervor.
        ".B…*[Nn]…*(?:D|V$|ZW?$|Z$)", "[BT]…*[Nn]…*(?:D)(?!B)", "[Nn]x{0,2}hx?$|NhW|N…{0,2}h$", "Z…*[Nn]…*h",
        # Es wurden keine passenden Unterlagen gefunden.
        "^E?b·{0,3}N[TS]x{0,4}F(?:U~S)?$", "^N[TS]x{0,4}b?F(?:U~S)?$",
        # Nur zum Teil.
        "L·{0,5}l|^DBL.*N",
    ),
    blocked="^[CBMm]|^x?C|M·*D|M·*V|NU(?:xx?|x?[SP])D·*$(?<!D)|^HR",
    framing="^IA·*f|^·{0,3}S[^QVR]{0,2}Z|^·{0,3}[SP][^R]L",
    predicates="""
ist sind war waren wird werden wurde wurden beträgt betragen gilt gelten dauert dauern kostet kosten muss müssen kann können darf dürfen soll
sollen hat haben umfasst zahlt zahlen schließt schließen verlangt erlaubt besteht bestehen beginnt endet entfällt bedeutet verliert verlieren
zählt gehört braucht bleibt
""",
    vague="quelle material bericht",
)  # fmt: skip
FRENCH = Tongue(
    vocabulary="""
S document documents documentation source sources texte textes contexte passage passages extrait extraits éléments
Pp faq instructions libellé readme wiki manuel guide notice article chapitre brochure rapport fiche
P conditions contrat police version édition règlement bail tarif tarifs clause clauses
T information informations réponse réponses mention mentions donnée données indication indications section sections_ élément précision précisions référence références détail détails disposition dispositions renseignement trace dose heure date durée
V mentionne mentionnent précise précisent indique indiquent dit disent répond répondent spécifie spécifient stipule stipulent énonce énoncent renseigne renseignent révèle révèlent définit définissent explique expliquent décrit décrivent nomme nomment détaille détaillent cite citent évoque évoquent répondre dire savoir
Z parle parlent aborde abordent traite traitent concerne concernent porte portent
H contient contiennent permet permettent donne donnent fournit fournissent comporte comportent suffit suffisent offre offrent apporte apportent figure figurent trouve trouvent apparaît apparaissent fait font
D mentionné mentionnée mentionnés mentionnées indiqué indiquée indiqués indiquées précisé précisée précisés précisées évoqué évoquée évoqués évoquées spécifié spécifiée abordé abordée abordés abordées décrite décrits décrites expliqué expliquée dite nommé détaillé détaillée communiqué communiquée divulgué révélé révélée défini définie définis définies stipulé stipulée énoncé renseigné cité citée relevé
G traité traitée traités traitées donné donnée fourni fournie fournis fournies disponible disponibles faite
g résolue répondue répondu déterminé déterminée déduite
I je j
J on nous
E il ils elle elles
F trouvé trouvée trouvés trouvées trouver vois vu sais connais déterminer dispose
f lu parcouru cherché consulté examiné vérifié relu
N ne n
nD introuvable introuvables
n pas rien aucun aucune nul nulle ni sans jamais
O muet muette muets muettes silencieux silencieuses silence ouverte ouvert insuffisant insuffisante insuffisants insuffisantes
N impossible
p possible
jn ignore
m manque manquent
w sait
k clair claire
L seulement uniquement
l partie partiellement
B est sont été
A ai avons a ont
a peux peut peuvent pouvons puis pu
M doit doivent tenu tenue faut
C si sauf lorsque lorsqu quand tant
d bien alors tandis
W qui comment où quel quelle quels quelles combien pourquoi
R que qu
U dans sur de d des du à au aux selon en
c mais cependant toutefois
X y
q question
- pertinent pertinente pertinents pertinentes correspondant correspondante correspondants correspondantes
""",
    refusing=(
        "S[^VvZHRCMBbQ]{0,8}(?:[RW][^VZHQS]{0,5}?)?N[^QBR]{0,3}[VZHa](?!R)", "P[^VvZHRCMBbQ]{0,8}N[^QBR]{0,3}[VZ](?!R)", "P[^VvZHRCMBbQ]{0,8}NHn·{0,3}T", "Pp[^VvZHRCMBbQ]{0,8}NHn", "n[^QVZBMRWC]{0,8}[SP][^VZHQBMR]{0,8}N[^QB]?[VZH]", "[EJ]Nx?V[n]", "[EJ]Nx?x?V[n]", "NS[^VvZHQ]{0,3}V", "[SP]·{0,8}BO", "[SP][xp]{0,3}O", "[SP]x{0,2}HO",
        "IN[^QBR]{0,3}[FVT]", "IN[^QB]{0,3}a[^QR]{0,3}[FVZ]", "INAn[^QM]{0,4}[FT]", "INA?x?[^QM]{0,3}T", "I.*f.{0,12}[Nn]·{0,3}F", "JN·{0,3}F.*[TSP]", "JNHn", "JNAnS", "JN[^QV]{0,2}A?GnS", "NXA?n[xU]{0,2}SU", "nDU·{0,3}[SP]", "Jj.*S", "JNwn.*S", "NBnk.*[SP]", "T·*mU[^QB]{0,3}[SP]", "^xnN[VZ]", "IN?H[n]", "INH",
        "NBx?n?x?[DV](?!y)", "[n][^QVZRMC]{0,8}N?[^QVZRMC]{0,3}NB[DG](?!U?xx?y)(?<!nSNBG)", "NB·{0,5}[DG]?·{0,3}[US][^QB]{0,5}S", "NHn?[^QB]{0,3}U[^QB]{0,3}S", "NBx?[DG](?:U|W|C)", "Na·{0,2}B?[gF].*[SP]", "S.*Na·{0,2}B?[gF]", "n[^QB]{0,6}S·{0,4}N[ZVH]", "NBn?GU[^QB]{0,4}[SP]", "nBU~S",
        "NXA?n[^QMR]{0,4}[TS]", "NBH?T", "[SG].*BNU[VF]|BNU[VF].*[SP]|NBnpU[VF]|BNUV$", "n[^QVB]{0,3}R[^QVB]{0,3}[SP]V", "n[^QVB]{0,3}NBx?q|nxE?NBq|nx·{0,3}Bq", "[TS]GNH", "^x?nx?T[^BbMaAVHQN]*$", "^n[^QVZRMCB]{0,6}NB[DG]", "nDT", "n[^QVZRMC]{0,6}NB[DV]", "L?Rx?l|al|INa.*l", "n·{0,2}E?Bq", "O·{0,3}[SP]",
        "TN·{0,2}Hn?U~S", "N·{0,2}n[^QR]{0,2}V·{0,8}[TS]$",
        # Aucune information pertinente n'a été trouvée.
        "^n[TS][^QR]{0,4}NABF(?:$|U~S)",
    ),
    blocked="^x?C|^x?x?C(?!x*N)|WN(?!x*V?n?Ux)|M·*D|MVx|^MD",
    framing="^IA·*f|^·{0,3}S[^QVR]{0,2}Z|^x{0,3}S[^R]*L",
    predicates="""
est sont était dure durent coûte coûtent doit doivent fut sera seront peut peuvent pouvez devez couvre couvrent exclut excluent comprend
exige permet vaut signifie commence finit paie payez perdez reste restent dépend
""",
    vague="source rapport",
)  # fmt: skip

SPANISH = Tongue(
    vocabulary="""
S documento documentos documentación fuente fuentes texto textos contexto pasaje pasajes fragmento fragmentos materiales extracto extractos
Pp faq frecuentes instrucciones manual guía prospecto artículo capítulo folleto informe ficha
P condiciones contrato póliza versión edición reglamento tarifa tarifas cláusula cláusulas
T información dato datos mención respuesta referencia referencias indicación indicaciones detalle detalles disposición disposiciones sección apartado capítulo_ hora fecha dosis
V desprende deduce revela revelan estipula estipulan señala señalan comenta comentan define definen concreta menciona mencionan indica indican especifica especifican dice dicen precisa precisan explica explican describe describen aclara aclaran responde responden contesta contestan nombra nombran detalla detallan cita citan
Z habla hablan trata tratan aborda abordan refiere refieren
H contiene contienen proporciona proporcionan ofrece ofrecen permite permiten aporta aportan recoge recogen da dan figura figuran consta constan aparece aparecen basta bastan hace hacen encuentra encuentran
D mencionado mencionada mencionados mencionadas claro indicado indicada indicados indicadas especificado especificada precisado precisada dicho descrito descrita descritos explicado tratado abordado
g responderse contestarse determinarse respondida contestada
I he puedo pude tengo dispongo
J hemos podemos tenemos
F encontrado encontrada encontró encontraron encontrar podido responder contestar decir determinar saber indicar
k encuentro encontré sé veo
f leído revisado buscado consultado examinado comprobado
N no nunca tampoco
n nada ningún ninguna ninguno ni
m falta faltan
O silencio abierta abierto insuficiente insuficientes
L solo sólo únicamente
l parte parcialmente
k suficiente suficientes
p posible
B es son está están ha queda
a puede pueden
G dado dada disponible disponibles proporcionada
s se
M debe deben obligado obligada necesario tiene tienen hace_falta
C si cuando salvo menos siempre
d aunque mientras
W quién cuándo cómo cuál cuáles qué dónde cuánto
R que
U en de del sobre al a
y por
c pero
X hay existe
q pregunta
- relevante relevantes pertinente pertinentes correspondiente correspondientes
""",
    refusing=(
        "S[^VZHRCMBNQ]{0,8}(?:R[^VZHQNS]{0,4})?N[sx]?[VZH]", "[TS][^QNVZH]{0,3}NBkx?", "NBp[FV].*S|S.*NBp[FV]|NBpF$", "nls?[VZH]", "NBx?k|NagU?.*S|N[ag]g", "Na[Fg].*[SP]", "S.*Ns?a[Fg]", "Ns?a[Fg].*S", "P[^VZHRCMBNQ]{0,8}N[sx]?[VZ]", "P[^VZHRCMBNQ]{0,8}N[sx]?Hnx?T|P[^VZHRCMBNQ]{0,8}N[sx]?H(?:x{0,2})T", "n[^QVZBMRWC]{0,8}[SP][^VZHQBMR]{0,8}s?[VZH]", "^c?x?NVn|^c?N[VZ][nW]", "[SP]·{0,4}O", "P[^VZHRCMBNQ]{0,8}NH[^QR]{0,3}T",
        "Nx?I[^QM]{0,2}[FT]", "Nx?IU?[^QM]{0,2}T", "Nx?k", "NJF.*[TSP]", "NJU?x?T", "L·{0,2}[Ixa]?.*[Fg].*l|L.*l",
        "Ns[Vv](?!y[^W])", "NsZ.*[SP]|NsZ$", "Z?NsH·{0,3}T", "ns[VD]", "NBx?D", "NX·{0,3}T(?!R)", "N[sB]?[^QR]{0,4}[VZHD]U[^QB]{0,4}S", "S[^QVZ]{0,3}(?:Q)?Ns?[VH]", "US?[^QV]{0,3}S[^QVZ]{0,2}NsV",
        "NHU·{0,4}[SP]", "S·{0,6}NHn", "Pp[^VZHRCMBNQ]{0,8}N(?:H|Mn?x?T)", "mU·{0,3}S", "^xns?[VZ]", "NB[xDG]?U[^QVB]{0,3}S", "NXSU", "NJx?S", "Nsx?BGnS", "NXnU·{0,3}[SP]", "U·{0,4}[SP][^QVZ]{0,3}NsH", "U[^QVZ]{0,3}SN[sx]?[HV]", "NI[F].*S|S.*NI[F]", "NIF", "NsHT", "[TP]N·{0,2}HU~S", "nsV", "NsFn?.*S", "qNIF", "nV·{0,3}[SP]",
        # No se ha encontrado información relevante.
        "^NsB?Fn?x{0,2}[TS]",
    ),
    blocked="^x?C|M(?!n?x?T)|RN[VZ]|^yx",
    framing="^I·{0,2}f|^·{0,3}S[^QVRN]{0,2}Z|^x{0,3}S[^R]*L",
    predicates="""
es son está están cuesta cuestan dura duran debe deben tiene tienen asciende fue será puede pueden cubre cubren excluye excluyen incluye
requiere permite vale significa empieza termina paga pagan pierde queda quedan depende hay
""",
    vague="fuente informe",
)  # fmt: skip

CHINESE = Tongue(
    vocabulary="""
S 文档 文件 资料 参考资料 来源 上下文 文中 文本 材料 段落 原文 摘录 片段 说明书 資料 文檔 來源 本文 正文 现有信息 提供的信息
P 条款 合同 保单 手册 指南 规定 规则 章程 协议 细则 版本 年版 手冊 條款
T 章节 条目 信息 資訊 内容 內容 答案 细节 相关内容 线索 关于 有关 关于…的规定
V 说明 說明 提到 提及 提过 指出 指明 写明 寫明 注明 明确 解释 回答 交代 载明 记载 列明 阐明 指定 阐述 表述 述及 言明 明示 说清楚 披露 透露 界定 定义 说
Z 讨论 討論 涉及 谈到 谈及 论及 介绍 描述 处理
H 包含 提供 给出 給出 含有 列出 足以
F 找到 查到 看到 看出 发现 判断 判斷 得知 确定 確定 得出 解答 知道 清楚
f 查阅 查看 阅读 检查了 搜索 翻阅
I 我
J 我们 我們
E 它 它们
NV 没有规定 未规定
N 从未 缺少 缺乏 没有 沒有 没 未 未能 并未 並未 均未 尚未 不 不能 无法 無法 均无法 尚不能 并没有 无 無 看不 找不 查不 不足以
n 只字未提 没有任何 没有一个
p 没有人
x 无线 需要多 或者
- 所给 提供的 这些 该
e 的
m 找不到 查不到 看不出 看不到 不知道 不清楚 不确定
NV 没有给出 未给出

L 只 只能 仅能 仅 只说
l 一部分 部分
M 必须 须 不得 无需 不必 不需要 应当 义务 需要 不要求 不予 可以
C 如果 若 除非 凡 当 未经
d 虽然 尽管
W 是否 谁 如何 何时 多久 能否 哪个 为何 什么 由谁 以何种 向谁
R 认为
c 但 但是 不过 然而
U 从 根据 在 中 里 对于 对
q 问题
p 申请人 客户 部长 证人 员工 投保人 被保险人 他 她 公司 法院 人 科学家 飞行员 委员会 检查员 罗马人 研究 表格 地图 房东 医生 律师 老师 警方 卖方 买方 雇主 雇员 供应商 者 员
""",
    refusing=(
        "[SP][^QNVZHM]{0,10}[Nn][^QVZM]{0,8}[VZ]", "S[^QNVZHM]{0,8}[Nn][^QM]{0,6}[HT]", "S[^QNVZHM]{0,4}[Nn][^QpMH]{0,10}T", "SU[Nn][^QMH]", "P[^QNVZHM]{0,6}[Nn][^QM]{0,8}T", "[Nn]x{0,3}[SP][^QNM]{0,6}[VZHTS]", "nT?x?[VZH]", "[SP]·{0,12}n$|S·*n",
        "(?:^|Q|c|I·{0,20}|[SU]·{0,8}|T·{0,6})m", "JN[^QM]{0,8}S$", "^Nx{0,2}I.*S$", "I·*N[^QM]{0,4}F", "I·{0,10}N[^QM]{0,12}T", "J·{0,14}[Nn]F.*T|J.*[SP].*NF.*T", "(?:^|Q|c)[^Qp]{0,3}NF", "[SU]·*N[^QM]{0,6}[FV]", "NVx{0,4}q", "I.*N·{0,14}[VF]",
        "^[^QpSC]{0,16}N[^QM]{0,2}[VZ](?:[^QM]*)$", "^c?[^QpS]{0,14}NVx?$", "Nx?T[^QM]{0,16}$(?<!R)", "n[^QM]{0,4}[VZ]|^nV", "[qT]N?·{0,3}N·{0,3}S", "q.*N[FV]", "L[Vx]?·{0,2}V?l|LVl|L·{0,3}l",
        "H?n[HT]", "NH·{0,2}T",
    ),
    blocked="^·{0,3}C|^[^SQN]*p|M·{0,8}[VT]|N[^QVZ]{0,8}[VZ]·{0,10}e(?:Q|$)|[VZR]S?x{0,6}N(?:x|$)(?!V)|NV·{1,12}ep",
    framing="^I·{0,3}f|^·{0,6}[SP]L?Z",
    predicates="""
为 是 应当 须 可以 必须 不得 允许 排除 赔偿 不赔 免费 需要
""",
    vague="材料",
    spaced=False,
)  # fmt: skip

OTHERS = (
    r"(?:資料|文書|文脈|ドキュメント|情報源|出典|文章|提供された情報).*(?:ありません|記載されていません|見つかりません|含まれていません|書かれていません|述べられていません|記載がない)",
    r"(?:お答え|回答)(?:することは|は)?でき(?:ません|ない)|(?:分|わ)かりません$|情報(?:が|は)(?:ありません|見つかりません|不足)",
    r"\b(?:documenti|fonti|contesto|testi|testo)\b.*\bnon (?:conten\w+|menzion\w+|indic\w+|specific\w+|dic\w+|fornisc\w+)\b|\bnon (?:posso|so|ho trovato|ci sono informazioni)\b.*(?:$|\brispond\w+|\bdocumenti|\binformazioni)",
    r"\b(?:documentos|fontes|contexto|textos?)\b.*\bnão (?:cont\w+|mencion\w+|indic\w+|especific\w+|diz\w*|fornec\w+)\b|^(?:desculpe,? )?(?:eu )?não (?:sei|posso responder|encontrei|há informaç\w+|consigo responder)",
    r"\b(?:documenten|bronnen|context|teksten?)\b.*\b(?:niet|geen)\b|\bik (?:kan|weet|heb|vind)\b.*\b(?:niet|geen)\b.*\b(?:beantwoorden|vinden|gevonden|informatie|antwoord)\b",
)  # fmt: skip
"""Italian, Portuguese, Dutch and Japanese in their plainest forms, as regular expressions over the words themselves."""
