"""What units, currencies, scale words, number words and months are called, in the languages that are read."""

# ruff: noqa: E501 - a unit, currency or scale is a line

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from typing import NamedTuple

EXACT = Context(prec=120, Emax=2 * 10**9, Emin=-2 * 10**9, traps=[])
"""Wide enough that no product of a figure (at most 60 digits) and a unit's factor is ever rounded, whatever context the caller has set."""


ROUNDED = Context(prec=40, Emax=2 * 10**9, Emin=-2 * 10**9, traps=[])
"""For what no number of digits would hold: a third, a unit by another."""


class Measure(NamedTuple):
    """What a spelling after (or before) a number says: its symbol, kind, and for each dimension it may be read in the factor and
    the shift that turn the number into the dimension's base. ``languages`` limits it to texts in one of them."""

    symbol: str
    kind: str
    readings: tuple[tuple[str, Decimal, Decimal], ...]
    languages: str = ""


# One unit a line: dimension, size in the dimension's base, symbol, then every other spelling; "_" stands for a blank inside a spelling.
# "@fr" keeps a spelling to texts in that language. Spellings of up to three letters are taken as written, longer ones in any case.
# Sizes are exact by definition of the unit; where they are not (months in days, dollars in euro) the dimensions differ, so that
# the two never support each other.
_UNITS = """
mass 0.000001 µg: μg mcg ug microgram micrograms microgramme microgrammes Mikrogramm microgramos 微克
mass 0.001 mg: milligram milligrams milligramme milligrammes Milligramm miligramos miligramo 毫克 ミリグラム
mass 1 g: gr gm gram grams gramme grammes Gramm gramos gramo 克 グラム
mass 1000 kg: kgs KG Kg kilo kilos kilogram kilograms kilogramme kilogrammes Kilogramm kilogramo kilogramos 公斤 千克 キログラム 킬로그램 キロ килограмм кг كجم كيلوغرام
mass 1000000 t: tonne tonnes Tonne Tonnen ton tons tonelada toneladas metric_ton metric_tons 吨 噸 トン
mass 453.59237 lb: lbs
mass 28.349523125 oz: ounce ounces
mass 6350.29318 st:
length 0.000000001 nm: nanometre nanometres nanometer nanometers
length 0.000001 µm: μm um micron microns micrometre micrometres micrometer micrometers
length 0.001 mm: millimetre millimetres millimeter millimeters Millimeter milímetro milímetros millimètre millimètres 毫米 ミリ
length 0.01 cm: centimetre centimetres centimeter centimeters Zentimeter centímetro centímetros centimètre centimètres 厘米 公分 センチ
length 0.1 dm: decimetre decimetres
length 1 m: metre metres meter meters Metern mètre mètres metro metros 米 公尺 メートル 미터 метр метров متر
length 1000 km: kms kilometre kilometres kilometer kilometers Kilometer Kilometern kilómetro kilómetros kilomètre kilomètres 公里 千米 キロメートル км كم
length 0.0254 in: inch inches Zoll pulgada pulgadas pouce pouces ″
length 0.3048 ft: foot feet pie@es pies@es pied@fr pieds@fr ′
length 0.9144 yd: yds yard yards
length 1609.344 mi: mile miles Meile Meilen milla millas
length 1852 nmi: nautical_mile nautical_miles
area 1 m²: m2 sqm qm square_metre square_metres square_meter square_meters Quadratmeter mètres_carrés metros_cuadrados 平方米 平米
area 1000000 km²: km2 square_kilometre square_kilometres square_kilometer square_kilometers Quadratkilometer 平方公里
area 0.0001 cm²: cm2 square_centimetres square_centimeters
area 0.000001 mm²: mm2
area 10000 ha: hectare hectares Hektar hectárea hectáreas 公顷
area 4046.8564224 acre: acres
area 0.09290304 ft²: ft2 sqft sq_ft square_foot square_feet
area 2589988.110336 mi²: mi2 square_mile square_miles
volume 0.001 ml: mL millilitre millilitres milliliter milliliters Milliliter mililitro mililitros 毫升
volume 0.01 cl: centilitre centilitres
volume 0.1 dl: dL decilitre decilitres
volume 1 l: L ℓ litre litres liter liters Litern litro litros 升 リットル литр литров لتر
volume 100 hl: hectolitre hectolitres Hektoliter
volume 1000 m³: m3 cubic_metre cubic_metres cubic_meter cubic_meters Kubikmeter mètres_cubes metros_cúbicos 立方米
volume 0.001 cm³: cm3 cc ccm cubic_centimetres cubic_centimeters
volume 28.316846592 ft³: ft3 cubic_foot cubic_feet
volume 3.785411784 gal: gallon gallons Gallone Gallonen galón galones
volume 0.473176473 pt: pint pints
volume 0.946352946 qt: quart quarts
volume 0.0295735295625 fl_oz: fluid_ounce fluid_ounces
volume 158.987294928 bbl: barrel barrels
time 0.000000001 ns: nanosecond nanoseconds
time 0.000001 µs: μs us microsecond microseconds
time 0.001 ms: msec millisecond milliseconds Millisekunde Millisekunden millisecondes milisegundos 毫秒 ミリ秒
time 1 s: sec secs second seconds Sekunde Sekunden seconde secondes segundo segundos secondi 초 秒 秒钟 秒間 сек секунд ثانية
time 60 min: mins minute minutes Minute Minuten minuto minutos minuti 분 分钟 分鐘 分間 минут минуты دقيقة دقائق
time 3600 h: hr hrs hour hours Stunde Stunden Std heure heures hora horas ore ora 시간 小时 小時 时间 時間 часов часа ساعة ساعات घंटे घंटा
time 86400 day: d days Tag@de Tage Tagen jour jours día días dia dias giorni giorno dagen 일 天 日間 日间 дней дня يوم أيام दिन
time 604800 week: wk wks weeks Woche Wochen semaine semaines semana semanas settimane weken 주 周 週間 星期 недель недели أسبوع أسابيع
workday 1 business_day: business_days working_day working_days Werktag Werktage Werktagen Arbeitstag Arbeitstage Arbeitstagen jours_ouvrés jours_ouvrables días_hábiles días_laborables 工作日 営業日
month 1 month: mo mos mth mths months Monat Monate Monaten mois mes@es meses mês mesi mese maanden 개월 个月 個月 か月 ヶ月 カ月 ヵ月 месяцев месяца شهر أشهر शहर महीने
month 3 quarter: quarters Quartale Quartalen trimestre trimestres
month 12 year: yr yrs years Jahr Jahre Jahren an@fr ans@fr année années año años anos ano anni anno jaar 년 年 年間 年间 лет года سنة سنوات साल वर्ष
month 120 decade: decades Jahrzehnt Jahrzehnte Jahrzehnten décennie décennies década décadas
month 1200 century: centuries Jahrhunderte Jahrhunderten siècles siglos
temperature 1 °F: ℉ degF degrees_Fahrenheit degree_Fahrenheit Grad_Fahrenheit 华氏度
temperature 1.8 °C +32: ℃ degC degrees_Celsius degree_Celsius degrees_centigrade degrees_C degree_C Grad_Celsius grados_Celsius degrés_Celsius 摄氏度 度
temperature 1.8 K -459.67: kelvin
degree 1 °: deg degree degrees Grad grados degrés
energy 1 J: joule joules
energy 1000 kJ: kilojoule kilojoules
energy 1000000 MJ: megajoule megajoules
energy 1000000000 GJ: gigajoule gigajoules
energy 3600 Wh: watt_hour watt_hours
energy 3600000 kWh: kilowatt_hour kilowatt_hours Kilowattstunde Kilowattstunden kWhs
energy 3600000000 MWh: megawatt_hour megawatt_hours
energy 3600000000000 GWh: gigawatt_hour gigawatt_hours
energy 3600000000000000 TWh: terawatt_hour terawatt_hours
energy 4.184 cal: calorie calories
energy 4184 kcal: kilocalorie kilocalories Kilokalorien
power 0.001 mW: milliwatt milliwatts
power 1 W: watt watts
power 1000 kW: KW kilowatt kilowatts
power 1000000 MW: megawatt megawatts
power 1000000000 GW: gigawatt gigawatts
horsepower 1 hp: bhp horsepower
horsepower_metric 1 PS:
frequency 1 Hz: hertz
frequency 1000 kHz: KHz kilohertz
frequency 1000000 MHz: megahertz
frequency 1000000000 GHz: gigahertz
rotation 1 rpm: RPM U/min revolutions_per_minute
voltage 0.001 mV: millivolt millivolts
voltage 1 V: volt volts
voltage 1000 kV: kilovolt kilovolts
current 0.001 mA: milliampere milliamperes milliamp milliamps
current 1 A: amp amps ampere amperes
charge 1 Ah: ampere_hour ampere_hours
charge 0.001 mAh:
resistance 1 Ω: ohm ohms
resistance 1000 kΩ: kiloohm kiloohms
resistance 1000000 MΩ: megaohm megaohms
apparent_power 1000 kVA:
data 1 B: byte bytes Bytes
data 1000 kB: KB kilobyte kilobytes
data 1000000 MB: megabyte megabytes
data 1000000000 GB: gigabyte gigabytes
data 1000000000000 TB: terabyte terabytes
data 1000000000000000 PB: petabyte petabytes
data 1024 KiB: kibibyte kibibytes
data 1048576 MiB: mebibyte mebibytes
data 1073741824 GiB: gibibyte gibibytes
data 1099511627776 TiB: tebibyte tebibytes
data 0.125 bit: bits
data 125 kbit: kb Kb kilobit kilobits
data 125000 Mbit: Mb megabit megabits
data 125000000 Gbit: Gb gigabit gigabits
data/time 125 kbit/s: kbps kbit/s kb/s
data/time 125000 Mbit/s: Mbps mbps megabits_per_second
data/time 125000000 Gbit/s: Gbps gigabits_per_second
pressure 1 Pa: pascal pascals
pressure 100 hPa: hectopascal mbar millibar
pressure 1000 kPa: kilopascal kilopascals
pressure 1000000 MPa: megapascal megapascals
pressure 100000 bar: bars بار 巴
pressure 6894.757293168 psi: PSI
pressure 101325 atm: atmospheres
pressure 133.322387415 mmHg:
force 1 N: newton newtons
force 1000 kN: kilonewton kilonewtons
torque 1 Nm: N·m N⋅m N-m newton_metre newton_metres newton_meter newton_meters Newtonmeter
torque 1.3558179483314004 lb-ft: ft-lb lbf·ft lb·ft ft·lb pound-feet foot-pounds foot_pounds pound_feet
length/time 1 m/s: meters_per_second metres_per_second
length/time 0.27777777777777777778 km/h: kph kmh kilometres_per_hour kilometers_per_hour Stundenkilometer
length/time 0.44704 mph: miles_per_hour
length/time 0.51444444444444444444 kn: knot knots Knoten
level 1 dB: decibel decibels Dezibel
level_a 1 dBA:
amount 1 mol: moles
amount 0.001 mmol: millimole millimoles
parts 1000 ppm: parts_per_million
parts 1 ppb: parts_per_billion
pixel 1 px: pixel pixels Pixel
pixel 1000000 MP: megapixel megapixels
light 1 lm: lumen lumens
"""

# Percent and its kin: the symbol, one of them in each dimension it may be read in, then every other spelling.
_SHARES = """
% percent=1: ％ ﹪ ٪ percent per_cent pct Prozent v.H. pour_cent por_ciento percento 百分比 パーセント процент процента процентов بالمئة بالمائة في_المئة
‰ percent=0.1: per_mille per_mil permille Promille pour_mille por_mil
pp points=1: pps ppt p.p. %-Punkte %_Punkte percentage_point percentage_points percent_point percent_points per_cent_points %_points %-points Prozentpunkt Prozentpunkte Prozentpunkten point_de_pourcentage points_de_pourcentage punto_porcentual puntos_porcentuales 个百分点 個百分點 百分点 パーセントポイント ポイント
bp percent=0.01,points=0.01: ‱ bps basis_point basis_points Basispunkt Basispunkte Basispunkten point_de_base points_de_base punto_básico puntos_básicos 个基点 個基點 基点 ベーシスポイント
割 percent=10: 成
"""

# Currencies: code, then signs and words. A sign that several countries use ("$", "kr", "¥") is a code of its own and is
# compatible with each of its members (see SHARED_SIGNS), while two of the members never are.
_CURRENCIES = """
USD: US$ U.S.$ U.S._$ US_$ US-Dollar US_dollar US_dollars U.S._dollar U.S._dollars 美元 米ドル
AUD: A$ AU$ Australian_dollar Australian_dollars 澳元
CAD: C$ CA$ CDN$ Can$ Canadian_dollar Canadian_dollars 加元
NZD: NZ$ New_Zealand_dollar New_Zealand_dollars
HKD: HK$ Hong_Kong_dollar Hong_Kong_dollars 港元 港币
SGD: S$ SG$ Singapore_dollar Singapore_dollars 新元
TWD: NT$ 新台币 新台幣
MXN: MX$ Mex$
BRL: R$ real@pt reais@pt
$: dollar dollars Dollar Dollars buck bucks dólar dólares ドル доллар доллара долларов دولار
EUR: € euro euros Euro Euros Euros 欧元 ユーロ евро يورو
GBP: £ pound_sterling pounds_sterling quid 英镑 ポンド
pound: pound pounds Pfund
¥: ￥
JPY: yen Yen 円 日元 日圆
CNY: RMB yuan Yuan renminbi 元 块 人民币 元人民币
INR: ₹ Rs Rs. rupee rupees Rupie Rupien रुपये रुपए
KRW: ₩ 원
CHF: SFr SFr. Fr. Franken Swiss_franc Swiss_francs franken
kr: kr. krona kronor krone kroner
SEK: Swedish_kronor
NOK: Norwegian_kroner
DKK: Danish_kroner
PLN: zł złoty zloty
CZK: Kč koruna
HUF: Ft forint
RON: lei@ro
RUB: ₽ rouble roubles ruble rubles руб рублей рубля рубль
UAH: ₴ hryvnia
TRY: ₺ lira liras
ILS: ₪ NIS shekel shekels
THB: ฿ baht บาท
VND: ₫ đồng đ
PHP: ₱
peso: peso pesos
ARS: AR$
CLP: CLP$
COP: COL$
ZAR: rand
NGN: ₦ naira
KES: KSh
EGP: E£
SAR: riyal riyals ريال
AED: dirham dirhams درهم
IDR: Rp rupiah
MYR: RM ringgit
BTC: ₿ bitcoin bitcoins
"""
SHARED_SIGNS: dict[str, frozenset[str]] = {
    "$": frozenset({"USD", "AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "MXN", "ARS", "CLP", "COP"}),
    "¥": frozenset({"JPY", "CNY"}),
    "kr": frozenset({"SEK", "NOK", "DKK"}),
    "peso": frozenset({"MXN", "PHP", "ARS", "CLP", "COP"}),
    "pound": frozenset({"GBP", "EGP"}),
}
_CENTS = "cent cents ct ¢ Cent Cents pence p centime centimes céntimos centavo centavos"

# Words and letters that multiply. Letters count only when they touch the digits.
_SCALES = """
10^2: hundred hundreds Hundert cent@fr cien@es 百
10^3: thousand thousands Tausend Tsd Tsd. mille@fr mil@es mil@pt тысяч тысячи тыс тыс. ألف हज़ार 千 천
10^5: lakh lakhs lac लाख
10^6: million millions mn mln mio Mio Mio. Mill Mill. Million Millionen millón millones millions milhões миллион миллиона миллионов млн مليون 百万 百萬 백만
10^7: crore crores cr करोड़ 千万 千萬
10^9: billion billions bn bln milliard milliards Milliarde Milliarden Mrd Mrd. miljard mil_millones@es миллиард миллиарда миллиардов млрд مليار 十亿
10^12: trillion trillions tn trn Billionen billón billones триллион триллиона триллионов трлн تريليون
10^4: 万 萬 만
10^8: 亿 億 억
10^12: 兆 조 万亿
12: dozen dozens Dutzend docena docenas douzaine douzaines
"""
_SCALE_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9, "b": 9, "T": 12, "mm": 6, "MM": 6, "m": 6}
LONG_BILLION = frozenset({"billion", "billions"})
"""Words that mean 10^9 in English and 10^12 in German and French."""

# Number words: zero to nineteen, then the tens, by language. Compounds are put together by the reader ("twenty-one", "treinta y uno")
# or below, where they are one word ("einundzwanzig", "veintiuno", "doscientos").
_NUMBERS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn "
    "neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf "
    "vingt trente quarante cinquante soixante septante huitante nonante",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho "
    "diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
}
_MORE_NUMBERS = {
    "es": {100: "cien ciento", 200: "doscientos doscientas", 300: "trescientos trescientas", 400: "cuatrocientos cuatrocientas",
           500: "quinientos quinientas", 600: "seiscientos seiscientas", 700: "setecientos setecientas", 800: "ochocientos ochocientas",
           900: "novecientos novecientas", 21: "veintiuno veintiún veintiuna", 22: "veintidós", 23: "veintitrés", 24: "veinticuatro",
           25: "veinticinco", 26: "veintiséis", 27: "veintisiete", 28: "veintiocho", 29: "veintinueve"},
    "fr": {20: "vingts"},
    "de": {2: "zwo", 30: "dreissig"},
}  # fmt: skip
_HUNDREDS = {"hundred": "en", "hundert": "de", "cent": "fr", "cents": "fr"}
_ARTICLES = "one eins ein eine einen einem einer un une uno una"
_OTHER_LANGUAGE_WORDS = "once elf dos sept neuf cent cents dix tres seis acht null cien"
"""Number words that are also other words somewhere: they count only where the text is in their language."""

# What a denominator is called; the plural needs a number word before it, the singular an article or "of".
_DENOMINATORS = """
2: half halves hälfte halb halbe halben moitié demi demie mitad medio media
3: third thirds drittel tiers tercio tercios
4: quarter quarters fourth fourths viertel quart quarts cuarto cuartos
5: fifth fifths fünftel cinquième cinquièmes quinto quintos
6: sixth sixths sechstel sixième sixièmes sexto sextos
7: seventh sevenths siebtel septième septièmes séptimo séptimos
8: eighth eighths achtel huitième huitièmes octavo octavos
9: ninth ninths neuntel neuvième neuvièmes noveno novenos
10: tenth tenths zehntel dixième dixièmes décimo décimos
"""
_ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
    "eighteenth nineteenth"
)
_ORDINAL_TENS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(
        "the of and to is in for that with on at by from was are be it this an as or not which has have its than".split()
    ),
    "de": frozenset(
        "der die das und ist nicht mit für von zu im den dem ein eine auf bei nach sich des wird sind aus beträgt oder".split()
    ),
    "fr": frozenset("le la les des et est une pour dans du au aux sur par que qui avec de il pas ce sont à en".split()),
    "es": frozenset("el la los las y de del que por para con una es en se su al no un lo son está".split()),
    "it": frozenset("il lo gli di che è per con una del della dei nel sono al dal".split()),
    "pt": frozenset("o os as do da dos em um uma é para com não no na por são".split()),
    "nl": frozenset("het een van en de is dat op te met voor niet zijn aan bij".split()),
}
"""Frequent words that tell which language a text is in."""

COMMA_DECIMAL = frozenset(
    "de fr es it pt nl da sv nb nn no fi pl cs sk sl hr sr bg ro hu ru uk el tr id vi lt lv et is ca gl eu kk az".split()
)
"""Languages that write a decimal comma."""
DOT_REGIONS = frozenset("CH LI MX US GT HN NI PA PE PR SV DO".split())
"""Regions that write a decimal point all the same (Zürich, Mexico)."""

ERAS = {
    "令和": 2018,
    "平成": 1988,
    "昭和": 1925,
    "大正": 1911,
    "明治": 1867,
    "民国": 1911,
    "民國": 1911,
    "reiwa": 2018,
    "heisei": 1988,
}
"""The year before the first year of an era."""


def _spellings(names: str) -> Iterator[tuple[str, str]]:
    """Each spelling of a table line with the languages it is kept to."""
    for name in names.split():
        spelling, _, language = name.replace("_", " ").partition("@")
        yield (spelling if len(spelling) <= 3 else spelling.lower()), language


def _measures() -> dict[str, Measure]:
    """Every spelling that may stand after a number, and what it measures."""
    found: dict[str, Measure] = {}

    def add(symbol: str, kind: str, readings: tuple[tuple[str, Decimal, Decimal], ...], names: str) -> None:
        for spelling, language in _spellings(f"{symbol.replace(' ', '_')} {names}"):
            known = found.get(spelling)
            languages = f"{known.languages} {language}" if known and known.symbol == symbol and language else language
            found[spelling] = Measure(symbol, kind, readings, languages)

    for line in _UNITS.strip().splitlines():
        head, _, names = line.partition(": ")
        dimension, factor, symbol, *shift = head.rstrip(":").split()
        kind = "duration" if dimension in ("time", "month", "workday") else "quantity"
        add(symbol.replace("_", " "), kind, ((dimension, Decimal(factor), Decimal(shift[0]) if shift else Decimal(0)),), names)
    for line in _SHARES.strip().splitlines():
        head, _, names = line.partition(": ")
        symbol, sizes = head.split()
        readings = tuple([(d, Decimal(f), Decimal(0)) for d, f in (size.split("=") for size in sizes.split(","))])
        add(symbol, "points" if symbol == "pp" else "percent", readings, names)
    for line in _CURRENCIES.strip().splitlines():
        code, _, names = line.partition(":")
        readings = ((code, Decimal(1), Decimal(0)),)
        if code == "pound":
            readings += (("mass", Decimal("453.59237"), Decimal(0)),)
        add(code, "money", readings, names)
    cents = tuple([(code, Decimal("0.01"), Decimal(0)) for code in ("$", "EUR", "GBP")])
    add("cent", "money", cents, _CENTS)
    return found


def _scales() -> dict[str, tuple[Decimal, str]]:
    """Every scale word: what it multiplies by, and the languages it is kept to."""
    found: dict[str, tuple[Decimal, str]] = {}
    for line in _SCALES.strip().splitlines():
        size, _, names = line.partition(": ")
        base, _, exponent = size.partition("^")
        for spelling, language in _spellings(names):
            known = found.get(spelling.lower(), (None, ""))[1]
            found[spelling.lower()] = (
                Decimal(base) if not exponent else Decimal(1).scaleb(int(exponent)),
                f"{known} {language}".strip(),
            )
    return found


MEASURES: dict[str, Measure] = _measures()
SCALES: dict[str, tuple[Decimal, str]] = _scales()
SCALE_LETTERS: dict[str, Decimal] = {letter: Decimal(1).scaleb(exponent) for letter, exponent in _SCALE_LETTERS.items()}
PHRASE_HEADS: frozenset[str] = frozenset(name.split(" ", 1)[0].rstrip(".") for name in MEASURES if " " in name)
"""The first words of measures of several words."""
CURRENCY_SPELLINGS: tuple[str, ...] = tuple([name for name, measure in MEASURES.items() if measure.kind == "money" and name != "p"])


_PLAIN = str.maketrans({"á": "a", "é": "e", "í": "i", "ó": "o", "ú": "u", "ñ": "n", "ü": "ue", "ö": "oe", "ß": "ss"})


class Word(NamedTuple):
    """A number word: its part in a compound (``small``, ``tens``, ``hundred``), its value and language."""

    part: str
    value: int
    language: str


def _number_words() -> dict[str, Word]:
    found: dict[str, Word] = {}
    for language, names in _NUMBERS.items():
        words = names.split()
        values = [*range(20), *range(20, 100, 10)]
        pairs = list(zip(words, values, strict=True))
        pairs += [(name, value) for value, more in _MORE_NUMBERS.get(language, {}).items() for name in more.split()]
        for name, value in pairs:
            part = "small" if value < 20 else "hundreds" if value >= 100 else "tens" if value % 10 == 0 else "full"
            found.setdefault(name, Word(part, value, language))
    german = _NUMBERS["de"].split()
    for name in [name for name in found if not name.isascii()]:
        found.setdefault(name.translate(_PLAIN), found[name])
    for tens in range(20, 100, 10):
        for unit in range(1, 10):
            name = ("ein" if unit == 1 else german[unit]) + "und" + german[18 + tens // 10]
            found[name] = Word("full", tens + unit, "de")
    for name, language in _HUNDREDS.items():
        found[name] = Word("hundred", 100, language)
    return found


NUMBER_WORDS: dict[str, Word] = _number_words()
ARTICLES: frozenset[str] = frozenset(_ARTICLES.split())
OTHER_LANGUAGE_WORDS: frozenset[str] = frozenset(_OTHER_LANGUAGE_WORDS.split())
DENOMINATORS: dict[str, int] = {
    name: int(number)
    for number, _, names in (line.partition(": ") for line in _DENOMINATORS.strip().splitlines())
    for name in names.split()
}
ORDINALS: dict[str, int] = dict(zip(_ORDINALS.split(), range(3, 20), strict=True)) | dict(
    zip(_ORDINAL_TENS.split(), range(20, 100, 10), strict=True)
)

# What stands before a number and loosens it. "over" and "under" exclude the number itself.
BOUNDS: dict[str, str] = {
    words.strip(): bound
    for bound, line in {
        "about": "about, approximately, approx, approx., around, roughly, circa, ca., ca, c., some, somewhere around, close to, "
        "in the region of, an estimated, estimated, etwa, rund, ungefähr, zirka, environ, alrededor de, aproximadamente, cerca de, unos, unas, "
        "约, 大约, 約, およそ, 大概",
        "over": "more than, over, above, exceeding, exceeds, exceed, exceeded, upwards of, in excess of, greater than, larger than, >, "
        "mehr als, über, plus de, más de, superior a, 超过, 超過, 逾, 超",
        "under": "less than, under, below, fewer than, nearly, almost, just under, smaller than, <, weniger als, unter, knapp, fast, beinahe, "
        "moins de, près de, presque, menos de, casi, inferior a, 不到, 不足, 近",
        "beyond": "after, past, beyond, before, longer than, higher than, older than, shorter than, lower than, younger than, nach, vor, après, "
        "avant, después de, antes de",
        "least": "at least, minimum, minimum of, no less than, not less than, no fewer than, from, mindestens, wenigstens, au moins, "
        "al menos, por lo menos, 至少",
        "most": "at most, up to, maximum, maximum of, no more than, not more than, as many as, within, until, not exceed, not exceeding, "
        "limited to, höchstens, maximal, bis zu, au plus, jusqu'à, hasta, como máximo, 最多",
        "exact": "exactly, precisely, exact, genau, exakt, exactement, exactamente",
    }.items()
    for words in line.split(",")
}
"""Words before a number, up to three, and how they bound it."""

IDENTIFIER_CUES: dict[str, str] = {
    word: kind
    for kind, line in {
        "section": "section sections sec sec. § §§ chapter ch. article articles art. clause clauses paragraph para. appendix annex abschnitt "
        " kapitel artikel absatz abs. ziffer anhang chapitre annexe alinéa artículo sección capítulo apartado",
        "page": "page pages p. pp. seite seiten página páginas",
        "figure": "figure figures fig. table tables tab. equation eq. abb. abbildung tabelle tableau figura tabla",
        "issue": "ticket",
        "passage": "passage passages source sources excerpt document textstelle",
        "rule": "rule rules regel",
        "number": "no. nr. nº n° № ref ref. reference id id: invoice serial sku",
        "version": "version versions ver. v v. release releases python java windows ubuntu debian android ios",
        "port": "port ports",
        "phone": "phone tel tel. tel: fax fax: hotline telefon telephone mobile call dial ext. ext extension",
        "postcode": "zip plz postcode",
        "rfc": "rfc", "iso": "iso", "iec": "iec", "din": "din", "ieee": "ieee", "ansi": "ansi", "pep": "pep", "bip": "bip", "cve": "cve",
        "astm": "astm", "iban": "iban", "isbn": "isbn", "doi": "doi",
    }.items()
    for word in line.split()
}  # fmt: skip
"""Words before a number that make it a name and no quantity."""

NUMBER_PREFIXES = frozenset(
    "mid pre post under over age non sub top plus minus early late about than to of by in at up max min ca circa around near above below".split()
)
"""Words that a hyphen may join to a number without making it a name (``mid-2020``, ``under-18``)."""

YEAR_CUES = frozenset(
    "in since during until till by from before after early late mid year years fiscal calendar summer winter spring autumn fall end "
    "beginning start through of and to between seit bis jahr jahre ab vor nach anfang ende en depuis desde hasta año l'an année dal nel "
    "copyright © dated".split()
)
"""Words before a four-digit number that make it a year."""

BETWEEN = frozenset(
    "calendar consecutive full whole additional more further straight successive complete other extra solid entire".split()
)
"""Words that may stand between a number and its unit."""

_DECLINES = (
    "fell fall falls fallen falling drop drops dropped dropping decline declines declined declining decrease decreases decreased decreasing "
    "reduce reduced reduction loss losses lost lose deficit down lower lowered shrank shrunk shrink negative minus below beneath shortfall outflow "
    "outflows expense expenses cost costs paid pay payment payments repaid repayment used charge charges charged deducted deduction "
    "depreciation amortization amortisation impairment provision provisions tax taxes dividends purchase purchases spent slid slipped dipped "
    "plunged contracted worse cut cuts sank gesunken fiel gefallen rückgang verlust verluste minderung abnahme weniger baisse baissé perte pertes "
    "diminué diminution recul cayó caída pérdida pérdidas disminuyó disminución bajó descenso 下降 减少 減少 亏损 损失 下跌 下落 低下"
)
DECLINES: frozenset[str] = frozenset(_DECLINES.split())
"""Words that say by themselves what a minus sign says."""
