"""Words and sentences of a transcript, in any script; short lists of words that say little.

Invariants: nothing depends on the locale or the run (no hash order); time linear in the text.
"""

import collections
import functools
import re
import unicodedata

# The commonest words of speech, and what fills pauses.
STOP_WORDS = {
    "en": """a about actually after again all also am an and any are as at back be because been
        before being but by can could did do does doing don't done down each even for from get go
        going good got had has have he her here hers him his how i i'm if in into is it it's its
        just know let let's like me mean more morning most much my no not now of off oh ok okay on
        once one only or other our out over please really right said same say see she should so
        some still such than thank thanks that that's the their them then there these they thing
        things think this those through to today too um uh under until up us very was way we we're
        well were what what's when where which while who why will with would yeah yes yet you
        you're your""",
    "de": """ab aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist
        da dabei damit dann daran das dass dazu dein dem den denn der des dich die dies diese
        diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines einfach er
        es etwas euch euer für gar ganz genau gibt gut gute guten habe haben halt hast hat hatte
        hier hin ich ihm ihn ihnen ihr ihre im immer in ins ist ja jetzt kann kannst kein keine
        können machen mal man mehr mein mich mir mit morgen muss müssen nach nein nicht nichts noch
        nun nur ob oder ohne schon sehr sein seine sich sie sind so soll sondern um und uns unser
        unter vielleicht viel vom von vor war waren warum was wäre weg weil welche wenn wer werde
        werden wie wieder will wir wird wo wollen würde zu zum zur über äh ähm""",
    "fr": """à a ai aller alors au aussi autre aux avait avec avez avoir avons bah ben bien bonjour
        bon c'est ça car ce ceci cela celle celui ces cet cette chez comme d'accord dans de des
        deux dire dit donc du elle elles en encore est et étaient était été êtes être eu euh fait
        faire faut il ils j'ai je l'a la le les leur leurs lui là ma mais me même merci mes moi mon
        ne ni non nos notre nous n'est on ont ou où oui par parce pas peu peut plus pour pourquoi
        qu'il qu'on quand que quel quelle qui quoi sa sans se sera ses si son sont sous suis sur ta
        te tes toi ton tous tout toute très tu un une va vais voilà vos votre vous y""",
    "es": """a ah al algo antes aquí así aún aunque bien bueno buenos buenas cada como con cual
        cuando cómo de del desde después días donde dos e el él ella ellas ellos en entonces entre
        era eran es esa ese eso esos esta está están estar estas este esto estos estoy estamos fue
        gracias ha había hace hacer han hasta hay he hemos hola hoy la las le les lo los más me mi
        mis mucho muy nada ni no nos nosotros o os otra otro para pero poco por porque pues puede
        que qué quien se sé sea ser si sí siempre sin sobre solo son soy su sus también tan te
        tengo tenemos tiene todo todos tu tus un una unas uno unos va vale vamos voy y ya yo""",
}

Sentence = collections.namedtuple("Sentence", "seconds speaker text words")

# Scripts that are written without blanks: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
NO_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+")
# Where a sentence ends: a mark with what closes a quotation, then a blank; or a mark of a script
# without blanks.
ENDS = re.compile(r"(?<=[.!?…][\"'”’»)])\s+|(?<=[.!?…؟।॥])\s+|(?<=[。！？])")
# Words: from so many on, a text without a mark is cut; the least that stands for itself where
# nobody writes marks.
LONGEST, SHORTEST = 40, 5


@functools.lru_cache(maxsize=65_536)
def bare(piece):
    """A piece between blanks as words in lower case: letters, digits, marks, inner apostrophes."""
    piece = unicodedata.normalize("NFC", piece).replace("’", "'").lower()
    words, word = [], ""
    for letter in piece + " ":
        if letter.isalnum() or unicodedata.category(letter)[0] in "LNM" or (letter == "'" and word):
            word += letter
        elif word:
            words.append(word.strip("'"))
            word = ""
    return tuple(part for word in words for part in unblanked(word))


def unblanked(word):
    """The word; or pairs of letters, which stand for words where no blank tells these."""
    run = NO_BLANKS.search(word)
    if run is None:
        return [word]
    letters = run.group()
    pairs = [letters[at : at + 2] for at in range(max(len(letters) - 1, 1))]
    return [part for part in (word[: run.start()], *pairs) if part] + (
        unblanked(word[run.end() :]) if run.end() < len(word) else []
    )


def words_of(text):
    # A piece of a thousand letters is no word.
    return [word for piece in text.split() for word in bare(piece[:1_000])]


def sentences(segments):
    """The transcript's sentences: from mark to mark where marks are written, else by pauses.

    Segments are (start, end, speaker, text), in order of time.
    """
    marks = sum(len(ENDS.findall(text + " ")) for *_, text in segments)
    is_written = marks * 400 >= sum(len(text) for *_, text in segments)
    text, start, end, speaker = "", 0.0, 0.0, ""
    for first, last, who, said in segments:
        is_whole = not is_written and len(text.split()) >= SHORTEST
        if text and (who != speaker or first - end > 2 or is_whole or len(text) > 2_000):
            yield from cut(start, end, speaker, text)
            text = ""
        at = 0
        for piece in ENDS.split(said):
            begin = first + (last - first) * at / max(len(said), 1)
            at += len(piece) + 1
            end = first + (last - first) * min(at / max(len(said), 1), 1)
            if not text:
                start = begin
            text = f"{text} {piece.strip()}".strip()
            if is_written and ENDS.search(text[-2:] + " "):
                yield from cut(start, end, who, text)
                text = ""
        speaker = who
    if text:
        yield from cut(start, end, speaker, text)


def cut(start, end, speaker, text):
    """The text as one sentence; in pieces when it is very long."""
    if NO_BLANKS.search(text):
        pieces = [text[at : at + 120] for at in range(0, len(text), 120)]
    else:
        whole = text.split()
        pieces = [" ".join(whole[at : at + LONGEST]) for at in range(0, len(whole), LONGEST)]
    for index, piece in enumerate(pieces):
        seconds = start + (end - start) * index / len(pieces)
        yield Sentence(seconds, speaker, piece, words_of(piece))


def language(sentences):
    """Of those with a list here, the one whose little words are a quarter of all words; or none."""
    lists = {name: frozenset(words.split()) for name, words in STOP_WORDS.items()}
    said = collections.Counter(word for sentence in sentences for word in sentence.words)
    counts = {name: sum(said[word] for word in sorted(words)) for name, words in lists.items()}
    best = max(sorted(counts), key=counts.get)
    if counts[best] * 4 < sum(said.values()):
        return None, frozenset()
    return best, lists[best]
