"""What people read: the sentences and labels of a game, and those of the interface, in Japanese and English.

A game's words are in `words.ja.toml` and `words.en.toml` beside its rules.py (beside `mygame.py` of a maker:
`mygame.words.ja.toml`). All of it may be missing: then names from the rules file are shown, set in sentences of the
interface. In a sentence, `{rank}` stands for a part of the move, and `{n:leaf|leaves}` for the first word when n is
1, else for the second.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tefuda.engine.declare import Card, Choice, Part, Seat
from tefuda.engine.plainer import of_toml
from tefuda.engine.rules import Rules, RulesError
from tefuda.engine.sentence import fill

LANGUAGES = ("ja", "en")
HERE = Path(__file__).parent

Json = Any


@cache
def read(path: Path) -> dict[str, Any]:
    """What a file of words holds; nothing when it is not there. RulesError when it cannot be read."""
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise RulesError("{file} cannot be read: {reason}", file=path, reason=of_toml(str(e)) or e) from e


class Texts:
    """The interface's own texts in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.table = read(HERE / f"texts.{lang}.toml")

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key (`table.waiting`), filled in."""
        return fill(self.get(key) or key, **values)

    def get(self, key: str) -> str | None:
        """The text of a key as it stands, None when there is none."""
        node: Any = self.table
        for step in key.split("."):
            node = node.get(step) if isinstance(node, Mapping) else None
        return node if isinstance(node, str) else None

    def list(self, key: str) -> Sequence[str]:
        """A list of texts."""
        node: Any = self.table
        for step in key.split("."):
            node = node[step]
        return list(node)


@cache
def texts(lang: str) -> Texts:
    """The interface's texts; Japanese for a language there is none of."""
    return Texts(lang if lang in LANGUAGES else "ja")


def words_file(rules: Rules, lang: str) -> Path:
    """Where a game's words in a language are."""
    return rules.path.with_name(f"words.{lang}.toml" if rules.builtin else f"{rules.path.stem}.words.{lang}.toml")


@dataclass(frozen=True)
class Told:
    """An event in a sentence: who did it (None: the table), what it says, and the notation."""

    n: int
    seat: int | None
    sentence: str
    notation: str
    cards: tuple[str, ...] = field(default=())


class Words:
    """A game's words in one language, with the interface's where it has none of its own."""

    def __init__(self, rules: Rules, lang: str) -> None:
        self.rules, self.lang, self.texts = rules, lang, texts(lang)
        self.table = read(words_file(rules, lang))

    def get(self, *steps: str) -> str | None:
        """The game's own text under these keys, None when it has none."""
        node: Any = self.table
        for step in steps:
            node = node.get(step) if isinstance(node, Mapping) else None
        return node if isinstance(node, str) else None

    # ------------------------------------------------------------------------------------------------- names

    def title(self, lang: str | None = None) -> str:
        """The game's title."""
        given = self.rules.info["title"]
        return str(given if isinstance(given, str) else given.get(lang or self.lang) or next(iter(given.values())))

    def author(self) -> str | None:
        """Who made the game."""
        given = self.rules.info.get("author")
        if given is None or isinstance(given, str):
            return given
        return str(given.get(self.lang) or next(iter(given.values())))

    def pile(self, name: str) -> str:
        """What a pile is called."""
        return self.get("piles", name) or self.texts.get(f"piles.{name}") or plain(name)

    def field(self, name: str) -> str:
        """What a field of the state is called."""
        return self.get("fields", name) or plain(name)

    def hides(self, name: str) -> bool:
        """Whether a field of the state is not told where fields are listed (`phase = ""`)."""
        return self.get("fields", name) == ""

    def card(self, name: str | None) -> str:
        """A card in a word or two, as it stands in a sentence."""
        if name is None:
            return self.get("hidden") or self.texts("game.hidden")
        return self.get("cards", name) or name

    def part(self, name: str) -> str:
        """What a part of a move is called."""
        return self.get("parts", name) or self.texts.get(f"parts.{name}") or plain(name)

    def choice(self, part: str, text: str) -> str:
        """One of the texts a part may have."""
        return self.get("choices", part, text) or text

    def option(self, name: str) -> str:
        """What an option is called."""
        return self.get("options", name, "label") or plain(name)

    def option_help(self, name: str) -> str | None:
        """What an option does."""
        return self.get("options", name, "help")

    def option_choices(self, name: str) -> dict[str, str]:
        """The values that an option is known to take, each with what it is called, where the words list them."""
        options = self.table.get("options")
        listed = options.get(name) if isinstance(options, Mapping) else None
        found = listed if isinstance(listed, Mapping) else {}
        return {key: text for key, text in found.items() if key not in ("label", "help") and isinstance(text, str)}

    def option_choice(self, name: str, text: str) -> str:
        """One of the values an option may have."""
        return self.get("options", name, text) or text

    # ------------------------------------------------------------------------------------------------- moves

    def values(self, move: str, parts: Mapping[str, Json], name_of: Callable[[int], str]) -> dict[str, Any]:
        """The parts of a move as they stand in a sentence."""
        declared: dict[str, Part] = next((m.parts for m in self.rules.moves if m.name == move), {})
        said: dict[str, Any] = {}
        for name, value in parts.items():
            kind = declared.get(name)
            if isinstance(kind, Card):
                said[name] = self.card(value)
            elif isinstance(kind, Seat) and value is not None:
                said[name] = name_of(value)
            elif isinstance(kind, Choice) and value is not None:
                said[name] = self.choice(name, value)
            else:
                said[name] = self.card(None) if value is None else value
        return said

    def move(self, move: str, key: str, after: str | None = None, **values: Any) -> str | None:
        """A sentence of a move: `log`, `label`, `choose`, `exact`, `turn`, `said`; `after`: the move before it."""
        found = self.get("moves", move, f"{key} after {after}") if after else None
        if found is None:
            found = self.get("moves", move, key)
        return None if found is None else fill(found, **values)

    def label(self, move: str) -> str:
        """A button for a kind of move, before anything is chosen."""
        return self.move(move, "label") or self.texts.get(f"moves.{move}") or plain(move).capitalize()

    def choose(self, move: str) -> str:
        """What must be chosen first for a kind of move."""
        return self.move(move, "choose") or self.texts("game.choose", move=self.label(move))

    def exact(
        self, move: str, parts: Mapping[str, Json], name_of: Callable[[int], str], after: str | None = None
    ) -> str:
        """A button that says exactly what will happen."""
        values = self.values(move, parts, name_of)
        said = self.move(move, "exact", after, **values)
        if said is not None:
            return said
        return self.texts("game.exact", move=self.label(move), parts=self._list(values)) if values else self.label(move)

    def _list(self, values: Mapping[str, Any]) -> str:
        return self.texts("game.comma").join(str(value) for value in values.values())

    # --------------------------------------------------------------------------------------------------- log

    def tell(self, story: Sequence[Json], name_of: Callable[[int], str], latest: int | None = None) -> list[Told]:
        """The events, or so many of them as `latest` says, in sentences, oldest first. An event whose sentence is
        empty is left out."""
        first = 0 if latest is None else max(0, len(story) - latest)
        before = next((event for event in reversed(story[:first]) if event["who"] != "*"), None)
        fields = story[first - 1]["fields"] if first else {}
        told: list[Told] = []
        for event in story[first:]:
            told.extend(self._tell(event, before, name_of))
            told.extend(self._changed(event, fields))
            fields = event["fields"]
            if event["who"] != "*":
                before = event
        return told

    def _tell(self, event: Json, before: Json, name_of: Callable[[int], str]) -> list[Told]:
        cards = tuple(dict.fromkeys(moved["card"] for moved in event["cards"] if moved["card"]))
        shown = self.card(event["cards"][0]["card"]) if event["cards"] else ""
        sentence: str | None
        seat: int | None
        if event["who"] == "*":
            sentence, seat = self._chance(event, shown, name_of), None
        else:
            values: dict[str, Any] = {**event["fields"], "moved": shown}
            same = before is not None and before["who"] == event["who"]
            if same:
                values |= self.values(before["move"], before["parts"], name_of)
            values |= self.values(event["move"], event["parts"], name_of)
            sentence = self.move(event["move"], "log", before["move"] if same else None, **values)
            if sentence is None:
                sentence = self.exact(event["move"], event["parts"], name_of)
            seat = event["who"]
        sentence = sentence[:1].upper() + sentence[1:]
        out = [Told(event["n"], seat, sentence, event["text"], cards)] if sentence else []
        return out + self._declared(event, seat) + self._followed(event, name_of)

    def _declared(self, event: Json, seat: int | None) -> list[Told]:
        """That somebody declared something else than what came to be."""
        if event["said"] is None or self.rules.declares is None:
            return []
        right = event["fields"][self.rules.declares[1]]
        if event["said"] == right:
            return []
        return [Told(event["n"], seat, self.texts("declare.wrong", said=event["said"], right=right), "")]

    def _changed(self, event: Json, fields: Mapping[str, int]) -> list[Told]:
        """What a public number became, where the words tell of it ([changed])."""
        out = []
        for name, n in event["fields"].items():
            sentence = self.get("changed", f"{name} {n}") or self.get("changed", name)
            if sentence and fields.get(name, n) != n:
                out.append(Told(event["n"], None, fill(sentence, n=n), ""))
        return out

    def _chance(self, event: Json, shown: str, name_of: Callable[[int], str]) -> str:
        """A shuffle, a start, a die, a card drawn at random; or what the table added."""
        number, entry = event["parts"].get("number"), event["parts"].get("entry")
        seat = name_of(number) if event["move"] == "start" else ""
        pile = self.pile(event["text"].split()[0]) if event["move"] == "shuffle" else ""
        sentence = self.get("events", event["move"])
        if sentence is None:
            sentence = self.texts.get(f"events.{event['move']}") or ""
        return fill(sentence, number=number, seat=seat, pile=pile, card=shown, entry=entry)

    def _followed(self, event: Json, name_of: Callable[[int], str]) -> list[Told]:
        """What happened by itself after a move: cards that went a way of which the words tell ([moved])."""
        ways: dict[tuple[str, int | None], list[Json]] = {}
        for moved in event["cards"]:
            way = f"{moved['from'][0]}>{moved['to'][0]}"
            ways.setdefault((way, moved["to"][1]), []).append(moved)
        out = []
        for (way, seat), moves in ways.items():
            sentence = self.get("moved", f"{event['move']} {way}") or self.get("moved", way)
            if sentence:
                cards = [self.card(moved["card"]) for moved in moves]
                values = {"n": len(cards), "card": cards[0], "cards": self.texts("game.comma").join(cards)}
                for name, whose in (("seat", seat), ("giver", moves[0]["from"][1])):
                    values[name] = "" if whose is None else name_of(whose)
                text = fill(sentence, **values)
                out.append(Told(event["n"], None, text, ""))
        return out


def plain(name: str) -> str:
    """A name of a rules file as it may be read."""
    return name.replace("_", " ")


@cache
def words(rules: Rules, lang: str) -> Words:
    """The words of a game in a language."""
    return Words(rules, lang if lang in LANGUAGES else "ja")
