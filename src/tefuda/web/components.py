"""What the components of a layout show, worked out from one viewer's view and story. The templates only draw it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tefuda import decks
from tefuda.decks.suits import SUITS
from tefuda.engine.declare import Choice, Name, Seat
from tefuda.engine.layout import (
    Beside,
    Bubble,
    Columns,
    Dealt,
    Deck,
    Die,
    Hand,
    Heap,
    LastWord,
    OnTable,
    Plates,
    Spread,
    Stacks,
    Tally,
    Tray,
)
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import MINUS, fill
from tefuda.web.choosing import (
    Form,
    Wish,
    claimed_by,
    kinds_of_moves,
    laid_in,
    namer,
    names_of,
    notation_of,
    options_now,
    takes_many,
    tray_of,
    wishes,
)
from tefuda.web.gliding import Handles, handles
from tefuda.web.layouts import layout_of, piles_of
from tefuda.words import Texts, Told, Words, texts, words

Json = Any

MOST_BACKS = 12
MOST_UNDER = 2
NEAR = 7
"""With so much left to its limit, or less, a number is near it."""
MOST_TOLD = 120
NO_SEAT = -1

FEW = 2
"""So many cards that came into a hand are pointed at; more are a deal."""

NARROW = 2
"""On a narrow page a zone of the ruler over this many kinds or fewer is told in short."""


@dataclass(frozen=True)
class CardShown:
    """A card on the page: its name (None: a back), what it is in words, its handle, how many it stands for, and the
    face that the deck draws for it."""

    name: str | None
    label: str
    handle: int | None = None
    times: int = 1
    face: str = "back"


@dataclass(frozen=True)
class Input:
    """A choice on the page: a field of the form, its value, and how it stands."""

    name: str
    value: str
    many: bool
    enabled: bool
    checked: bool
    label: str = ""


@dataclass(frozen=True)
class Lay:
    """How a card of the hand may be laid in the tray: its place among those laid (0: not laid), what it counts (None
    where that is nothing to the tray), its emblem, and whether the table's assist marks it."""

    place: int
    worth: int | None
    emblem: str
    marked: bool


@dataclass(frozen=True)
class PickShown:
    """A card with the choice of it; `input` and `lay` are None where there is nothing to choose or to lay. `fresh`: it
    has just come into the viewer's hand."""

    card: CardShown
    input: Input | None
    lay: Lay | None = None
    fresh: bool = False


@dataclass(frozen=True)
class Meaning:
    """A word, how it is read, and what it means in English; both empty for a word of the table's own."""

    word: str
    reading: str
    gloss: str


@dataclass(frozen=True)
class TrayShown:
    """The tray: the cards laid, word by word; which is kept; their sum and what it must come to (each None where the
    game has none); how many words may be laid; the words that the table's assist tells."""

    pile: str
    squares: bool
    laid: Sequence[Sequence[PickShown]]
    keeps: bool
    kept: str | None
    sum: str | None
    goal: str | None
    words: int
    found: Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True)
class PileShown:
    """A component that shows cards of one pile."""

    kind: str
    name: str
    title: str
    size: int
    picks: Sequence[PickShown] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatShown:
    """A seat: who sits there, and what lies there."""

    seat: int
    name: str
    initial: str
    colour: str
    bot: bool
    you: bool
    turn: bool
    out: str | None
    marker: str | None
    sign: str | None
    score: str | None
    tally: tuple[str, int, int] | None
    held: str
    facts: Sequence[str]
    backs: int
    fanned: bool
    known: Sequence[CardShown]
    coming: Sequence[int]
    fronts: Sequence[PileShown]
    beside: Sequence[PileShown]
    input: Input | None


@dataclass(frozen=True)
class Action:
    """A submit button: the kind of move, its label before and (with script) after choosing."""

    move: str
    label: str
    choose: str
    needs: bool
    main: bool
    call: bool = False


@dataclass(frozen=True)
class Question:
    """A part of a move that is chosen in the form itself."""

    name: str
    title: str
    inputs: Sequence[Input]


@dataclass(frozen=True)
class DutyShown:
    """Plays that must be made: how many in all, how many are made, and in words."""

    most: int
    made: int
    label: str


@dataclass(frozen=True)
class Declaring:
    """A number that is typed with a move: what is asked, and what was typed."""

    label: str
    typed: str


@dataclass(frozen=True)
class Scene:
    """All that a table's page shows."""

    title: str
    seats: Sequence[SeatShown]
    mine: SeatShown | None
    hand: PileShown | None
    tray: TrayShown | None
    around: bool
    middle: Sequence[PileShown]
    news: PileShown | None
    breadth: int
    strip: Sequence[str]
    turning: tuple[int, str] | None
    duty: DutyShown | None
    declaring: Declaring | None
    asked: str
    actions: Sequence[Action]
    questions: Sequence[Question]
    legal: str
    at: int
    log: Sequence[Told]
    meanings: Mapping[int, Sequence[Meaning]]
    notice: tuple[str, str] | None
    latest: Told | None
    cards: Sequence[tuple[str, str, str, str]]
    ending: str | None


class _Stage:
    """The view of one viewer being set out."""

    def __init__(self, rules: Rules, view: Json, story: Sequence[Json], lang: str, chosen: Form, assist: bool) -> None:
        self.rules, self.view, self.story, self.lang, self.chosen = rules, view, story, lang, chosen
        self.assist = assist
        self.words: Words = words(rules, lang)
        self.texts: Texts = texts(lang)
        self.layout = layout_of(rules)
        self.viewer: int | None = view["viewer"]
        self.names = names_of(view, lang)
        self.name_of = namer(view, lang)
        self.deck = deck_of(rules)
        self.tray: Tray | None = tray_of(rules, view)
        self.claims = claimed_by(rules, self.tray) if self.tray else []
        told = wishes(rules, view)
        self.wishes: list[Wish] = [wish for wish in told if wish.move not in self.claims]
        self.claimable: list[Wish] = [wish for wish in told if wish.move in self.claims]
        self.kinds = kinds_of_moves(rules, self.wishes)
        self.per_seat = {pile.name for pile in rules.piles if pile.per_seat}
        self.rows = {pile.name for pile in rules.piles if pile.row}
        self.asked_of: set[str] = set()
        self.seen: dict[str, None] = {}
        self.decided = [event for event in story if event["who"] != "*"]
        hands = {self.layout.hand.pile} if self.layout.hand else set()
        laid_out = (*self.layout.middle, *self.layout.fronts, *self.layout.beside)
        shown = {pile for component in laid_out for pile in piles_of(component)} | hands
        self.handles: Handles = handles(story, frozenset(hands), frozenset(view["piles"]) - shown)
        self.coming = self.handles.coming(4)

    # -------------------------------------------------------------------------------------------------- cards

    def pile(self, name: str, seat: int | None = None) -> Json:
        found = self.view["piles"][name]
        return found[seat] if name in self.per_seat else found

    def card(self, name: str | None, pile: str, seat: int | None = None, small: str = "", times: int = 1) -> CardShown:
        place = (pile, seat if pile in self.per_seat else None)
        handle = self.handles.take(place, name)
        if name is None:
            return CardShown(None, decks.label(self.deck, "back", self.lang), handle, times)
        self.seen[name] = None
        face = self.face(name)
        return CardShown(name, decks.label(self.deck, face, self.lang), handle, times, small + face)

    def face(self, name: str) -> str:
        """What the deck draws for a card of this game; with what helps to read it, where the table has assist."""
        face = decks.in_play(self.deck, name, self.view["options"])
        return decks.helped(self.deck, face) if self.assist else face

    def told(self) -> list[tuple[str, str, str, str]]:
        """Every card shown: its name, its face, its label, and what it is in a sentence or two."""
        return tell_cards(self.deck, [(name, self.face(name)) for name in self.seen], self.lang)

    # ------------------------------------------------------------------------------------------------- choices

    def may_pick(self, pile: str) -> Counter[str]:
        """The cards of a pile that some legal move takes, with the most copies one takes."""
        most: Counter[str] = Counter()
        for wish in self.wishes:
            for name, n in Counter(wish.picks.get(pile, ())).items():
                most[name] = max(most[name], n)
        return most

    def pick_inputs(self, pile: str, names: Sequence[str]) -> list[Input | None]:
        """For each card of a pile the choice of it; None for all when no legal move takes any."""
        most = self.may_pick(pile)
        if not most:
            return [None] * len(names)
        self.asked_of.add(pile)
        many = any(takes_many(move, pile) for move in self.kinds)
        picked = Counter(self.chosen.get(f"pile.{pile}", ()))
        inputs: list[Input | None] = []
        for name in names:
            checked = picked[name] > 0
            picked[name] -= checked
            inputs.append(Input(f"pile.{pile}", name, many, most[name] > 0, checked and most[name] > 0))
        return inputs

    def seat_input(self, seat: int) -> Input | None:
        """The choice of a seat, where a legal move names one."""
        found = next(((n, p) for m in self.kinds for n, p in m.parts.items() if isinstance(p, Seat)), None)
        if found is None:
            return None
        name, value = found[0], str(seat)
        enabled = any(wish.parts.get(name) == value for wish in self.wishes)
        self.asked_of.add(name)
        checked = value in self.chosen.get(f"part.{name}", ()) and enabled
        return Input(f"part.{name}", value, False, enabled, checked)

    # ---------------------------------------------------------------------------------------------- components

    def middle(self) -> list[PileShown]:
        return [self.middle_pile(c) for c in self.layout.middle if not (isinstance(c, LastWord) and c.news)]

    def news(self) -> PileShown | None:
        """The words made since the viewer decided last."""
        told = [c for c in self.layout.middle if isinstance(c, LastWord) and c.news and self.is_news(c)]
        return self.last_word(told[0]) if told else None

    def is_news(self, c: LastWord) -> bool:
        """Whether the word made last is new to the viewer, who has not decided since, or has just made it. For those
        who watch the latest decisions are."""
        latest = list(reversed(self.decided))
        mine = next((i for i, event in enumerate(latest) if event["who"] == self.viewer), len(latest))
        since = latest[: mine + 1] if self.viewer is not None else latest[: len(self.names)]
        return any(event["move"] == c.move for event in since)

    def middle_pile(self, c: OnTable) -> PileShown:
        if isinstance(c, LastWord):
            return self.last_word(c)
        if isinstance(c, Die):
            shown = self.view["state"][c.field]
            return PileShown("die", c.field, self.words.field(c.field), 0, (), {"shown": shown})
        if isinstance(c, Columns):
            return self.columns(c)
        if isinstance(c, Tally):
            return self.counted(c)
        if isinstance(c, Heap):
            return self.heap(c)
        title, found = self.words.pile(c.pile), self.pile(c.pile)
        if isinstance(c, Dealt):
            return self.dealt(c, title)
        cards, size = found["cards"], found["size"]
        if isinstance(c, Stacks):
            return self.stacks(c, title, cards)
        if isinstance(c, Bubble):
            return self.bubble(c, title, found)
        if isinstance(c, Deck):
            top = cards[0] if cards else None
            shown = self.card(top, c.pile)
            if top is None and shown.handle is None and self.view["seat"] == self.viewer and self.coming:
                shown = CardShown(None, shown.label, self.coming[0])
            inputs = self.pick_inputs(c.pile, [top]) if top else [None]
            return PileShown("deck", c.pile, title, size, [PickShown(shown, inputs[0])] if size else [])
        if c.places is not None:
            return self.numbered(c, c.places, title, cards)
        shown = self.spread(c.pile, title, cards, size)
        return replace(shown, more={"numbered": True}) if c.pile in self.rows else shown

    def last_word(self, c: LastWord) -> PileShown:
        """The word made last, or nothing before the first."""
        at = next((i for i in reversed(range(len(self.decided))) if self.decided[i]["move"] == c.move), None)
        event = None if at is None else self.decided[at]
        before = self.decided[at - 1] if at else None
        after = before["move"] if event and before and before["who"] == event["who"] else None
        meanings = self.meanings(event) if event else []
        words = [[self.shown_in_tray(card) for card in self.cards_of(meaning.word)] for meaning in meanings]
        who = self.name_of(event["who"]) if event else ""
        said = self.words.move(c.move, "said", after) if event else None
        more = {"who": who, "said": said, "words": list(zip(words, meanings, strict=True))}
        return PileShown("last_word", c.move, self.texts("word.last"), len(words), (), more)

    def meanings(self, event: Json) -> list[Meaning]:
        """The words that an event shows, with how they are read and what they mean where the rules tell it."""
        options, module = options_now(self.rules, self.view), self.rules.module
        explain = getattr(module, "explain", None)
        move = next((move for move in self.rules.moves if move.name == event["move"]), None)
        if explain is None or move is None or event["who"] == "*":
            return []
        told = getattr(module, "told_words", None)
        words = [event["parts"][name] for name, part in move.parts.items() if isinstance(part, Name)]
        if not words and told is not None:
            words = told(options, self.story, event["n"])
        return [Meaning(word, **explain(options, word)) for word in words if word is not None]

    def counted(self, c: Tally) -> PileShown:
        """The number, how much is left, and the poem that it writes."""
        now, limit = self.view["state"][c.field], self.view["options"][c.limit]
        left = max(0, limit - now)
        goal = self.words.get("tally", "goal") or self.words.option(c.limit)
        more: dict[str, Any] = {
            "now": str(now).replace("-", MINUS),
            "goal": fill(goal, limit=limit),
            "left": fill(self.words.get("tally", "left") or "{n}", n=left),
            "near": left <= NEAR,
            "lines": [],
        }
        if limit <= sum(map(len, c.verse)):
            n = 0
            for line in c.verse:
                letters = []
                for letter in line:
                    n += 1
                    if n <= limit:
                        how = "last" if n == limit else "written" if n <= now else "yet"
                        letters.append((letter, "over" if how == "last" and now >= limit else how))
                more["lines"].append(letters)
        return PileShown("tally", c.field, self.words.field(c.field), now, (), more)

    def heap(self, c: Heap) -> PileShown:
        """The cards just played on the last of those before, and what their player says."""
        cards, before = self.pile(c.pile)["cards"], self.pile(c.under)["cards"][:MOST_UNDER]
        picks = [PickShown(self.card(name, c.under), None) for name in reversed(before)]
        picks += [PickShown(self.card(name, c.pile), None) for name in cards]
        player = self.view["state"][c.player]
        name = self.texts("table.you_name") if player == self.viewer else self.name_of(player)
        more = {"says": self.said(), "who": None if player == NO_SEAT else name}
        return PileShown("heap", c.pile, self.words.pile(c.pile), len(cards), picks, more)

    def columns(self, c: Columns) -> PileShown:
        """Columns, each with its top card; where cards may be laid now, choosing one answers the part of the move."""
        move = next(move for move in self.rules.moves if move.name == c.move)
        part = move.parts[c.part]
        assert isinstance(part, Choice)
        may = {wish.parts[c.part] for wish in self.wishes if wish.move == c.move}
        if may:
            self.asked_of.add(c.part)
        columns = []
        for pile, text in zip(c.piles, part.texts, strict=True):
            cards = self.pile(pile)["cards"]
            checked = text in may and text in self.chosen.get(f"part.{c.part}", ())
            choice = Input(f"part.{c.part}", text, False, text in may, checked) if may else None
            pick = PickShown(self.card(cards[0], pile), choice) if cards else None
            columns.append({"title": self.words.pile(pile), "pick": pick, "input": choice})
        return PileShown("columns", c.piles[0], self.words.part(c.part), len(columns), (), {"columns": columns})

    def dealt(self, c: Dealt, title: str) -> PileShown:
        """A place for every seat, from the left neighbour of whoever deals on: the card it got this turn, or none."""
        state = self.view["state"]
        served, n = state[c.served], len(self.view["players"])
        waiting = self.pile(c.pile)["cards"]
        ahead = self.pile(c.ahead)["size"]
        got: dict[int | None, str] = {}
        thrown = False
        for event in self.story:
            for moved in event["cards"]:
                if moved["from"][0] == c.pile and moved["card"] is not None:
                    got[moved["to"][1]] = moved["card"]
                    thrown = thrown or (c.spare is not None and moved["to"][0] == c.spare[0])
        first = 0 if self.viewer is None else self.viewer
        order: list[int | None] = [(first + i) % n for i in range(n)]
        if c.spare is not None and (thrown or not served[c.spare[1]]):
            order.append(None)
        latest = self.decided[-1] if self.decided else None
        places = []
        for seat in order:
            has = bool(served[c.spare[1]] if seat is None and c.spare else served[seat or 0])
            card = got.get(seat) if has else None
            new = card is not None and latest is not None and any(m["card"] == card for m in latest["cards"])
            name = self.words.pile(c.spare[0]) if seat is None and c.spare else self.name_of(seat or 0)
            shown = None
            if card is not None:
                self.seen[card] = None
                face = self.face(card)
                shown = CardShown(card, decks.label(self.deck, face, self.lang), face=face)
            choice = None if seat is None else self.seat_input(seat)
            places.append({"name": name, "card": shown, "new": new, "input": choice})
        turned = [PickShown(self.card(name, c.pile), None) for name in waiting]
        more = {"places": places, "ahead": [self.card(None, c.ahead) for _ in range(ahead)]}
        return PileShown("dealt", c.pile, title, len(waiting), turned, more)

    def numbered(self, c: Spread, part: str, title: str, cards: Sequence[str]) -> PileShown:
        """A row whose cards are chosen by their place, counted from 1."""
        may = {wish.parts[part] for wish in self.wishes if part in wish.parts}
        picks: list[PickShown] = []
        for i, name in enumerate(cards, 1):
            checked = str(i) in may and str(i) in self.chosen.get(f"part.{part}", ())
            choice = Input(f"part.{part}", str(i), False, str(i) in may, checked) if may else None
            picks.append(PickShown(self.card(name, c.pile), choice))
        if may:
            self.asked_of.add(part)
        return PileShown("spread", c.pile, title, len(cards), picks, {"numbered": True})

    def spread(
        self, pile: str, title: str, cards: Sequence[str | None], size: int, seat: int | None = None
    ) -> PileShown:
        known = [name for name in cards if name is not None]
        own = seat is None or seat == self.viewer
        inputs = self.pick_inputs(pile, known) if own else [None] * len(known)
        picks = [PickShown(self.card(name, pile, seat), i) for name, i in zip(known, inputs, strict=True)]
        backs = min(size - len(known), MOST_BACKS)
        picks += [PickShown(self.card(None, pile, seat), None) for _ in range(backs)]
        return PileShown("spread", pile, title, size, picks)

    def stacks(self, c: Stacks, title: str, cards: Sequence[str]) -> PileShown:
        counts = Counter(cards)
        inputs = self.pick_inputs(c.pile, list(counts))
        stacks = []
        for (name, n), choice in zip(counts.items(), inputs, strict=True):
            faces = [self.card(name, c.pile) for _ in range(n)]
            stacks.append({"name": name, "n": n, "faces": faces, "input": choice})
        empty = self.words.get("piles", f"{c.pile} empty") or self.texts("table.empty_pile")
        more: dict[str, Any] = {"stacks": stacks, "ruler": None, "empty": empty}
        if c.asks is not None:
            more["ruler"] = self.ruler(c.asks(self.view), counts)
        return PileShown("stacks", c.pile, title, len(cards), (), more)

    def ruler(self, asks: Sequence[int | None], there: Counter[str]) -> dict[str, Any]:
        """The kinds in a line, and above it zones: how many one must play there, or that none may go."""
        names = [kind.name for kind in self.rules.kinds(self.view["options"])]
        zones: list[dict[str, Any]] = []
        for i, n in enumerate(asks, 1):
            if zones and zones[-1]["n"] == n:
                zones[-1]["to"] = i
            else:
                zones.append({"n": n, "from": i, "to": i})
        for zone in zones:
            key = "none" if zone["n"] is None else "least"
            zone["said"] = self._asks(key, zone["n"])
            narrow = zone["to"] - zone["from"] + 1 <= NARROW
            zone["short"] = self._asks(f"{key}_short", zone["n"]) if narrow else ""
        said = [
            f"{names[z['from'] - 1]}{'–' + names[z['to'] - 1] if z['to'] > z['from'] else ''}: {z['said']}"
            for z in zones
        ]
        return {
            "zones": zones,
            "ranks": [{"name": name, "on": there[name] > 0} for name in names],
            "label": self.texts("game.comma").join(said),
        }

    def _asks(self, key: str, n: int | None) -> str:
        return fill(self.words.get("asks", key) or self.texts.get(f"asks.{key}") or "", n=n)

    def bubble(self, c: Bubble, title: str, found: Json) -> PileShown:
        state = self.view["state"]
        giver, receiver = state[c.giver], state[c.receiver]
        more: dict[str, Any] = {"says": None, "route": None, "who": None, "eyes": []}
        picks: list[PickShown] = []
        if found["size"]:
            picks.append(PickShown(self.card(found["cards"][0] if found["cards"] else None, c.pile), None))
            more["route"] = self.texts("bubble.route", giver=self.name_of(giver), receiver=self.name_of(receiver))
            more["says"] = self.said() if not self.wishes or self.decided[-1]["who"] != self.viewer else None
            eyes = state[c.eyes]
            order = sorted(range(len(eyes)), key=lambda seat: not eyes[seat])
            more["eyes"] = [{"seat": self.person(seat), "saw": bool(eyes[seat])} for seat in order]
            if giver == receiver or (self.decided and self.decided[-1]["who"] == receiver):
                more["route"] = None
            more["who"] = self.person(self.decided[-1]["who"])["name"] if self.decided else ""
        elif not self.view["over"]:
            yours = giver == self.viewer
            more["says"] = self.texts("bubble.empty_yours" if yours else "bubble.empty", name=self.name_of(giver))
        return PileShown("bubble", c.pile, title, found["size"], picks, more)

    def said(self) -> str | None:
        """What the last decision says, or what its player does now."""
        if not self.decided:
            return None
        last = self.decided[-1]
        before = self.decided[-2] if len(self.decided) > 1 and self.decided[-2]["who"] == last["who"] else None
        values = self.words.values(before["move"], before["parts"], self.name_of) if before else {}
        values |= {**last["fields"], **self.words.values(last["move"], last["parts"], self.name_of)}
        return self.words.move(last["move"], "said", before["move"] if before else None, **values)

    def plate(self, c: Plates, title: str, seat: int) -> PileShown:
        cards = self.pile(c.pile, seat)["cards"]
        columns = []
        for column in c.columns:
            here = [name for name in cards if name.startswith(column)]
            suit = SUITS.get(column)
            columns.append(
                {
                    "name": suit.words.say(self.lang) if suit else column,
                    "path": suit.path if suit else None,
                    "ink": suit.ink if suit else None,
                    "n": len(here),
                    "full": c.full,
                    "near": len(here) == c.full - 1,
                    "upper": [self.card(name, c.pile, seat, c.small) for name in here if name in c.upper],
                    "lower": [self.card(name, c.pile, seat, c.small) for name in here if name not in c.upper],
                }
            )
        return PileShown("plate", c.pile, title, len(cards), (), {"columns": columns})

    def beside(self, c: Beside, seat: int) -> PileShown:
        found, title = self.pile(c.pile, seat), self.words.pile(c.pile)
        return self.spread(c.pile, title, found["cards"], found["size"], seat)

    # --------------------------------------------------------------------------------------------------- seats

    def person(self, seat: int) -> dict[str, Any]:
        """Who sits at a seat, for a small cushion."""
        name = self.name_of(seat)
        return {
            "name": name,
            "initial": self.names[seat][:1],
            "colour": "abcdef"[seat % 6],
            "bot": self.view["players"][seat].startswith("bot:"),
        }

    def seat(self, seat: int) -> SeatShown:
        state, seats = self.view["state"], self.layout.seats
        you = seat == self.viewer
        hand = self.layout.hand
        held, known, backs = "", [], 0
        if hand is not None:
            found = self.pile(hand.pile, seat)
            held = self.texts("game.cards", n=found["size"])
            if not you:
                counts = Counter(name for name in found["cards"] if name is not None)
                for name, n in counts.items():
                    shown = [self.card(name, hand.pile, seat) for _ in range(n)]
                    known.append(replace(shown[-1], times=n))
                hidden = found["size"] - sum(counts.values())
                backs = min(hidden, MOST_BACKS if not known else 7 if len(known) < 3 else 4)
        turn = self.view["seat"] == seat
        person = self.person(seat)
        return SeatShown(
            seat=seat,
            name=self.texts("table.you_name") if you else self.names[seat],
            initial=person["initial"],
            colour=person["colour"],
            bot=person["bot"],
            you=you,
            turn=turn,
            out=self.words.field(seats.out) if seats.out and state[seats.out][seat] else None,
            marker=self.words.field(seats.marker) if seats.marker and state[seats.marker] == seat else None,
            sign=self.words.get("signs", seats.marker) if seats.marker else None,
            score=self.texts("result.score", score=state[seats.score][seat]) if seats.score else None,
            tally=self.tally(seats.tally, seat) if seats.tally else None,
            held=held,
            facts=[self.fact(n, seat) for n in seats.facts if state[n][seat] and not self.words.hides(n)],
            backs=backs,
            fanned=hand is None or hand.fanned,
            known=known,
            coming=self.coming[:backs] if turn and not you else [],
            fronts=[self.front(c, seat) for c in self.layout.fronts],
            beside=[self.beside(c, seat) for c in self.layout.beside],
            # Where a turn is dealt out, its places are chosen and not the seats.
            input=None if any(isinstance(c, Dealt) for c in self.layout.middle) else self.seat_input(seat),
        )

    def fact(self, name: str, seat: int) -> str:
        return f"{self.words.field(name)} {self.view['state'][name][seat]}"

    def tally(self, field_name: str, seat: int) -> tuple[str, int, int]:
        """What is counted, how many there are, and how many there may be."""
        n, most = self.view["state"][field_name][seat], self.view["options"][field_name]
        return self.words.field(field_name), n, max(n, most)

    def front(self, c: Plates | Spread, seat: int) -> PileShown:
        title = self.words.pile(c.pile)
        if isinstance(c, Plates):
            return self.plate(c, title, seat)
        found = self.pile(c.pile, seat)
        shown = self.spread(c.pile, title, found["cards"], found["size"], seat)
        if c.worth is None:
            return shown
        total = sum(c.worth(self.view, name) for name in found["cards"] if name is not None)
        return replace(shown, kind="won", more={"sum": self.texts("result.score", score=total) if total else None})

    def hand(self, hand: Hand) -> PileShown:
        assert self.viewer is not None
        found = self.pile(hand.pile, self.viewer)
        names = [name for name in found["cards"] if name is not None]
        inputs = self.pick_inputs(hand.pile, names)
        lays = self.lays(names) if self.tray and self.tray.pile == hand.pile else [None] * len(names)
        fresh = self.fresh(hand.pile)
        picks = []
        for name, choice, lay in zip(names, inputs, lays, strict=True):
            new = fresh[name] > 0
            fresh[name] -= new
            picks.append(PickShown(self.card(name, hand.pile, self.viewer), None if lay else choice, lay, new))
        still = not any(lay or (choice and choice.enabled) for choice, lay in zip(inputs, lays, strict=True))
        more = {"fanned": hand.fanned, "still": still}
        return PileShown("hand", hand.pile, self.words.pile(hand.pile), found["size"], picks, more)

    def fresh(self, pile: str) -> Counter[str]:
        """The cards that came into the viewer's hand since the viewer last decided, when they are a few and not a hand
        dealt."""
        came: Counter[str] = Counter()
        here = [pile, self.viewer]
        for event in reversed(self.story):
            came.update(moved["card"] for moved in event["cards"] if moved["to"] == here and moved["card"])
            if event["who"] == self.viewer and not came:
                break
            if event["who"] != "*" and came:
                break
        return came if sum(came.values()) <= FEW else Counter()

    # ---------------------------------------------------------------------------------------------------- tray

    def laid(self) -> list[list[str]]:
        """The cards that lie in the tray: those chosen before that are in the hand."""
        assert self.tray is not None
        left = Counter(self.pile(self.tray.pile, self.viewer)["cards"])
        words = []
        for word in laid_in(self.chosen)[: self.tray.words]:
            kept = []
            for card in word:
                if left[card] > 0:
                    left[card] -= 1
                    kept.append(card)
            if kept:
                words.append(kept)
        return words

    def lays(self, names: Sequence[str]) -> list[Lay | None]:
        """For each card of the hand how it lies in the tray."""
        places: dict[str, list[int]] = {}
        for place, card in enumerate((card for word in self.laid() for card in word), 1):
            places.setdefault(card, []).append(place)
        marked = {card for word in self.found_words() for card in self.cards_of(word)}
        # (without assist nothing that must be found is among what may be claimed)
        marked |= {card for wish in self.claimable for cards in wish.picks.values() for card in cards}
        out: list[Lay | None] = []
        for name in names:
            mine = places.get(name, [])
            out.append(self.lay(name, mine.pop(0) if mine else 0, name in marked))
        return out

    def lay(self, name: str, place: int, marked: bool) -> Lay:
        assert self.tray is not None
        worth = self.tray.worth(self.view, name) if self.tray.worth else None
        return Lay(place, worth, decks.emblem(self.deck, self.face(name)), marked)

    def cards_of(self, word: str) -> list[str]:
        return notation_of(self.rules, options_now(self.rules, self.view)).cards_of(word)

    def found_words(self) -> list[str]:
        """The words that the table's assist tells; none without assist."""
        if self.tray is None or set(self.claims) & set(self.view["finds"]):
            return []
        if self.tray.find is not None:
            return list(self.tray.find(self.view))
        return [value for wish in self.claimable for value in wish.parts.values()]

    def tray_shown(self) -> TrayShown | None:
        if self.tray is None:
            return None
        laid = [
            [PickShown(self.shown_in_tray(card), None, self.lay(card, 0, False)) for card in word]
            for word in self.laid()
        ]
        total = None if self.tray.worth is None else sum(s.lay.worth or 0 for word in laid for s in word if s.lay)
        goal = None if self.tray.goal is None else self.view["options"][self.tray.goal]
        return TrayShown(
            pile=self.tray.pile,
            squares=self.in_squares(),
            laid=laid,
            keeps=self.tray.keep,
            kept=next(iter(self.chosen.get("keep", ())), None),
            sum=None if total is None else self.texts("tray.sum", n=total),
            goal=None if goal is None else self.texts("tray.goal", n=goal),
            words=self.tray.words,
            found=[(word, self.cards_of(word)) for word in self.found_words()],
        )

    def shown_in_tray(self, name: str) -> CardShown:
        face = self.face(name)
        return CardShown(name, decks.label(self.deck, face, self.lang), face=face)

    def claim_action(self) -> list[Action]:
        """The button that claims what is laid. Where a wrong claim is a move, too, it is the game's one big call."""
        if self.tray is None or not self.claims:
            return []
        name, after = self.claims[0], self.decided[-1]["move"] if self.own_move_before() else None
        label = self.words.move(name, "label", after) or self.words.label(name)
        call = hasattr(self.rules.module, "claim")
        return [Action("claim", label, self.words.choose(name), True, self.in_squares(), call)]

    def in_squares(self) -> bool:
        """Whether cards are laid as words that are read: in order, in the squares of the tray."""
        spelled = [p for m in self.rules.moves if m.name in self.claims for p in m.parts.values()]
        return not any(isinstance(part, Name) and part.any_order for part in spelled)

    def own_move_before(self) -> bool:
        """Whether the viewer made the last decision, too."""
        return bool(self.decided) and self.decided[-1]["who"] == self.viewer

    # ---------------------------------------------------------------------------------------------------- moves

    def questions(self) -> list[Question]:
        """What is chosen in the form itself: all parts and piles that nothing else on the page asks for."""
        out: dict[str, Question] = {}
        for wish in self.wishes:
            for name in wish.parts:
                if name not in self.asked_of and f"part.{name}" not in out:
                    values = list(dict.fromkeys(w.parts[name] for w in self.wishes if name in w.parts))
                    inputs = [self._answer(f"part.{name}", v, self._part_label(wish.move, name, v)) for v in values]
                    out[f"part.{name}"] = Question(name, self.words.part(name), inputs)
            for pile in wish.picks:
                if pile not in self.asked_of and f"pile.{pile}" not in out:
                    cards = list(self.may_pick(pile))
                    many = any(takes_many(move, pile) for move in self.kinds)
                    inputs = [self._answer(f"pile.{pile}", c, self.words.card(c), many) for c in cards]
                    out[f"pile.{pile}"] = Question(pile, self.words.pile(pile), inputs)
        return list(out.values())

    def _answer(self, field_name: str, value: str, label: str, many: bool = False) -> Input:
        return Input(field_name, value, many, True, value in self.chosen.get(field_name, ()), label)

    def _part_label(self, move: str, name: str, value: str) -> str:
        data = next(w.data[name] for w in self.wishes if w.parts.get(name) == value and w.move == move)
        return str(self.words.values(move, {name: data}, self.name_of)[name])

    def actions(self) -> list[Action]:
        """The buttons, the main one first: what is claimed, where claiming is the game."""
        actions = self.claim_action() if self.in_squares() else []
        for move in self.kinds:
            of_kind = [wish for wish in self.wishes if wish.move == move.name]
            needs = bool(of_kind[0].picks or of_kind[0].parts)
            label = self.words.label(move.name) if needs else self.exact(of_kind[0])
            choose = self.words.choose(move.name) if needs else label
            actions.append(Action(move.name, label, choose, needs, not actions))
        return actions if self.in_squares() else [*actions, *self.claim_action()]

    def exact(self, wish: Wish) -> str:
        last = self.decided[-1] if self.decided and self.decided[-1]["who"] == self.viewer else None
        return self.words.exact(wish.move, wish.data, self.name_of, last["move"] if last else None)

    def legal(self) -> str:
        """The wishes as the page's script reads them."""
        return json.dumps(
            [
                {
                    "move": wish.move,
                    "picks": {f"pile.{pile}": list(cards) for pile, cards in wish.picks.items()},
                    "parts": {f"part.{name}": value for name, value in wish.parts.items()},
                    "label": self.exact(wish),
                }
                for wish in self.wishes
            ],
            ensure_ascii=False,
            separators=(",", ":"),
        )

    def asked(self) -> str:
        """What the status line says: whose turn, and what is asked."""
        if self.view["over"]:
            return self.texts("table.over")
        if not self.wishes and self.tray is None:
            return self.texts("table.turn_of", name=self.name_of(self.view["seat"]))
        asks = [*self.claims, *(wish.move for wish in self.wishes)]
        return self.words.move(asks[0], "turn") or self.texts("table.your_turn")

    def turning(self) -> tuple[int, str] | None:
        """Which way play goes: 1 clockwise, -1 against it, and in words."""
        name = self.layout.seats.direction
        if name is None:
            return None
        way = self.view["state"][name]
        return way, self.words.get("turning", str(way)) or self.words.field(name)

    def duty(self) -> DutyShown | None:
        """The plays that the seat on turn has to make, where they are more than an ordinary turn."""
        if self.layout.seats.duty is None or self.view["over"]:
            return None
        name, most = self.layout.seats.duty
        left = self.view["state"][name]
        if not left:
            return None
        return DutyShown(most, most - left, self.words.get("duty", str(left)) or self.words.field(name))

    def declaring(self) -> Declaring | None:
        """What the viewer must declare with a move, and what was typed before."""
        declares = self.rules.declares
        on_turn = self.viewer is not None and self.viewer == self.view["seat"]
        if declares is None or not on_turn or not self.view["options"][declares[0]]:
            return None
        label = self.words.get("declare", "label") or self.words.field(declares[1])
        return Declaring(label, next(iter(self.chosen.get("said", ())), ""))

    def strip(self) -> list[str]:
        facts = []
        for name in self.layout.strip:
            if name in self.view["piles"]:
                facts.append(f"{self.words.pile(name)} {self.texts('game.cards', n=self.pile(name)['size'])}")
            elif self.view["state"][name] not in (0, NO_SEAT) and not self.words.hides(name):
                facts.append(f"{self.words.field(name)} {self.view['state'][name]}")
        return facts

    def ending(self) -> str | None:
        """How the game came to its end, in a sentence."""
        if not self.view["over"]:
            return None
        if self.layout.ending is not None:
            key, seat = self.layout.ending.why(self.view)
            sentence = self.words.get("end", key)
            if sentence is not None:
                return fill(sentence, **{"name": self.name_of(seat), **self.view["options"]})
        return self.texts("result.capped") if self.view["result"]["capped"] else None


def deck_of(rules: Rules) -> str:
    """The deck that draws a game's cards; the plain one for a game that names none of ours."""
    deck = str(rules.info.get("deck", "plain"))
    return deck if deck in decks.DECKS else "plain"


def breadth_of(pile: PileShown) -> int:
    """About how many cards lie side by side in a component in the middle."""
    if pile.kind == "dealt":
        return len(pile.more["places"]) + len(pile.picks) + 1
    if pile.kind == "columns":
        return pile.size
    if pile.kind in ("tally", "heap"):
        return 2
    if pile.kind == "last_word":
        return max(2, sum(len(cards) for cards, _ in pile.more["words"]))
    return max(1, len(pile.picks))


def notice_of(rules: Rules, lang: str) -> tuple[str, str] | None:
    """What must stand on every page that shows words of a game (whose they are), and the address that says more."""
    notice = getattr(rules.module, "NOTICE", None)
    return None if notice is None else (notice[lang], notice["url"])


def tell_cards(deck: str, faces: Sequence[tuple[str, str]], lang: str) -> list[tuple[str, str, str, str]]:
    """Cards, given as name and face, as the enlarged card tells them: name, face, label, and a sentence or two."""
    return [(name, face, decks.label(deck, face, lang), decks.describe(deck, face, lang)) for name, face in faces]


def scene(
    rules: Rules,
    view: Json,
    story: Sequence[Json],
    lang: str,
    chosen: Form,
    events_told: int | None = MOST_TOLD,
    assist: bool = False,
) -> Scene:
    """The page of a table for one viewer. `events_told`: of how many events, the latest, the log tells. `assist`: the
    table shows people what they else must know or find."""
    stage = _Stage(rules, view, story, lang, chosen, assist)
    n, viewer = len(view["players"]), view["viewer"]
    first = 0 if viewer is None else viewer + 1
    others = [(first + i) % n for i in range(n if viewer is None else n - 1)]
    hand = stage.hand(stage.layout.hand) if viewer is not None and stage.layout.hand is not None else None
    tray = stage.tray_shown()
    middle = stage.middle()
    seats = [stage.seat(seat) for seat in others]
    mine = stage.seat(viewer) if viewer is not None else None
    told = stage.words.tell(story, stage.name_of, events_told)
    return Scene(
        title=stage.words.title(),
        seats=seats,
        mine=mine,
        hand=hand,
        tray=tray,
        around=stage.layout.seats.around and viewer is not None and 2 <= len(others) <= 3,
        middle=middle,
        news=None if view["over"] else stage.news(),
        breadth=sum(breadth_of(pile) for pile in middle),
        strip=stage.strip(),
        turning=stage.turning(),
        duty=stage.duty(),
        declaring=stage.declaring(),
        asked=stage.asked(),
        actions=stage.actions(),
        questions=stage.questions(),
        legal=stage.legal(),
        at=view.get("number", len(view["log"])),
        log=told[::-1],
        meanings={t.n: found for t in told if (found := stage.meanings(story[t.n]))},
        notice=notice_of(rules, lang),
        latest=told[-1] if told else None,
        cards=stage.told(),
        ending=stage.ending(),
    )
