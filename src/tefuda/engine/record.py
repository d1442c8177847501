"""Records: a game as one JSON document, all chance written out (format `tefuda-record/1`)."""

from __future__ import annotations

import json
import os
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tefuda.engine.cards import PICK, ROLL, SHUFFLE, START, TAKE
from tefuda.engine.chance import Answer, SecretChance, ToldChance, WrongAnswerError
from tefuda.engine.game import MOST_NAME, Game, IllegalMove
from tefuda.engine.rules import OptionError, Rules, UnknownGameError, find, game_ids
from tefuda.engine.sentence import Sentence, ToldError, WrongValueError

FORMAT = "tefuda-record/1"
MOST_MIB = 4
MOST_BYTES = MOST_MIB * 1024 * 1024
MOST_TEXT = 4000
"""Characters in one event: a shuffled pile of 400 cards fits."""

KEYS = {"format", "game", "rules", "options", "players", "events", "result"}

Json = Any


class RecordError(ToldError, ValueError):
    """A record is refused; the message gives the event's number (from 0) where there is one, and the reason.

    `event` is that number, or None. `game`, when there is one, is the game up to there (for looking only)."""

    def __init__(self, english: str, /, at: int | None = None, **values: object) -> None:
        if at is None:
            super().__init__(english, **values)
        else:
            super().__init__("event {event}: {reason}", event=at, reason=Sentence(english, **values))
        self.event = at


def to_record(game: Game) -> dict[str, Json]:
    """A game as a record."""
    out: dict[str, Json] = {
        "format": FORMAT,
        "game": game.rules.id,
        "rules": game.rules.version,
        "options": dict(game.options),
        "players": list(game.players),
        "events": [[event.who, game.event_text(event)] for event in game.events],
    }
    if game.over:
        notes = {"misdeclared": game.misdeclared} if game.notes is None and game.said else game.notes
        out["result"] = dict(game.result or {}) | ({} if notes is None else {"notes": notes})
    return out


def to_text(record: dict[str, Json]) -> str:
    """A record as text that a person can read: one event a line."""
    events = ",\n    ".join(json.dumps(event, ensure_ascii=False) for event in record["events"])
    texts = {key: json.dumps(value, ensure_ascii=False) for key, value in record.items()}
    texts["events"] = f"[\n    {events}\n  ]"
    return "{\n" + ",\n".join(f'  "{key}": {text}' for key, text in texts.items()) + "\n}\n"


def save(game: Game, path: str | Path) -> None:
    """Write a game's record to a file, whole or not at all."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(to_text(to_record(game)))
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load(path: str | Path, rules: Rules | str | Path | None = None) -> Game:
    """The game in a record file; `rules` are needed for a game that is a maker's own file.

    RecordError when the file is no valid record."""
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RecordError("{file} is over {mib} MiB", file=path.name, mib=MOST_MIB)
        if not path.is_file():
            raise RecordError("{file} is not a file", file=path)
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as e:
        raise RecordError("{file} is not UTF-8 text", file=path.name) from e
    except OSError as e:
        raise RecordError("{file} cannot be read: {reason}", file=path, reason=e.strerror) from e
    return from_text(text, rules)


def from_text(text: str, rules: Rules | str | Path | None = None) -> Game:
    """The game in a record's text."""
    if len(text.encode(errors="surrogatepass")) > MOST_BYTES:
        raise RecordError("the record is over {mib} MiB", mib=MOST_MIB)
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twice)
    except (ValueError, RecursionError) as e:
        raise RecordError("this is not JSON: {reason}", reason=e) from e
    return from_record(data, rules)


def _no_constant(name: str) -> Json:
    raise WrongValueError("{name} is not allowed", name=name)


def _no_twice(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise WrongValueError("an object has a key twice")
    return out


def from_record(data: Json, rules: Rules | str | Path | None = None) -> Game:
    """The game that a record tells, replayed and checked; it can be played on. RecordError when it is not valid."""
    data = _as_json(data)
    _check_shape(data)
    found = _rules_of(data, rules)
    missing = [name for name in found.declared_options if name not in data["options"]]
    if missing:
        raise RecordError("the options lack {missing}; a record holds every option", missing=", ".join(missing))
    told = ToldChance([])
    events = data["events"]
    at = _take_chance(found, data["options"], events, 0, told)
    try:
        game = Game(found, data["players"], data["options"], told)
    except OptionError as e:
        raise RecordError("{reason}", reason=e) from e
    except WrongAnswerError as e:
        raise RecordError("{reason}", at=min(told.next, len(events)), reason=e) from e
    _all_told(told, at, at - len(told.told))
    while at < len(events):
        who, what = events[at]
        decision = at
        if who == "*":
            _accept(game, what, at)
            at += 1
            continue
        before = len(told.told)
        at = _take_chance(found, data["options"], events, at + 1, told, game)
        try:
            game.play(what, seat=who)
        except IllegalMove as e:
            raise RecordError("{reason}", at=decision, reason=e) from e
        except WrongAnswerError as e:
            raise RecordError("{reason}", at=min(decision + 1 + told.next - before, len(events)), reason=e) from e
        _all_told(told, at, decision + 1 - before)
    _check_result(data, game)
    told.go_on_with(SecretChance())
    return game


def positions(game: Game) -> Iterator[tuple[int, Game]]:
    """The game over again: each decision's number among the events, and the game as it was before it.

    It is one game, played on between two steps of the iteration: look at it in passing."""
    told = [event.answer for event in game.events if event.answer is not None]
    again = Game(game.rules, game.players, game.options, ToldChance(told))
    for n, event in enumerate(game.events):
        if event.entry is not None:
            again.accept(event.entry)
        if event.who != "*":
            yield n, again
            again.play_move(event.move)


def _accept(game: Game, text: str, at: int) -> None:
    """What the table added stands before a decision, after all chance."""
    if not _is_entry(game.rules, text):
        raise RecordError("nothing of chance is asked here", at=at)
    try:
        game.accept(text.split(" ", 1)[1])
    except IllegalMove as e:
        raise RecordError("{reason}", at=at, reason=e) from e


def _is_entry(rules: Rules, text: str) -> bool:
    return rules.growing is not None and text.startswith(rules.growing[1] + " ")


def _as_json(data: Json) -> Json:
    """The data as JSON holds it, copied; RecordError when it is none, or too large."""
    try:
        text = json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as e:
        raise RecordError("this is not JSON data: {reason}", reason=e) from e
    if len(text) > 6 * MOST_BYTES:  # here a character outside ASCII takes six
        raise RecordError("the record is over {mib} MiB", mib=MOST_MIB)
    return json.loads(text)


def _all_told(told: ToldChance, at: int, offset: int) -> None:
    if told.next < len(told.told):
        raise RecordError("nothing of chance is asked here", at=told.next + offset)


def _check_shape(data: Json) -> None:
    if not isinstance(data, dict):
        raise RecordError("a record is a JSON object")
    form = data.get("format")
    if form != FORMAT:
        if isinstance(form, str) and form.startswith("tefuda-record/"):
            other = "its format is {form!r}; this version of the program reads {known!r}"
        else:
            other = "its format is {form!r}; this program reads {known!r}"
        raise RecordError(other, form=form, known=FORMAT)
    unknown = sorted(set(data) - KEYS)
    if unknown:
        raise RecordError(
            "unknown entry {entry!r}; a record has {keys}", entry=unknown[0], keys=", ".join(sorted(KEYS))
        )
    for key, kind in (("game", str), ("rules", str), ("options", dict), ("players", list), ("events", list)):
        if not isinstance(data.get(key), kind):
            raise RecordError("{key!r} is missing or of the wrong kind", key=key)
    for name in data["players"]:
        if not isinstance(name, str) or len(name) > MOST_NAME:
            raise RecordError("a player's name is a text of at most {most} characters", most=MOST_NAME)
    for i, event in enumerate(data["events"]):
        if not (isinstance(event, list) and len(event) == 2 and isinstance(event[1], str)):
            raise RecordError("an event is a pair: who, and what as text", at=i)
        who, what = event
        if who != "*" and (isinstance(who, bool) or not isinstance(who, int)):
            raise RecordError('who is a seat number or "*", not {who!r}', at=i, who=who)
        if len(what) > MOST_TEXT:
            raise RecordError("the text is over {most} characters", at=i, most=MOST_TEXT)
        if unicodedata.normalize("NFC", what) != what:
            raise RecordError("the text is not in Unicode form NFC", at=i)


def _rules_of(data: dict[str, Json], given: Rules | str | Path | None) -> Rules:
    try:
        if given is not None:
            rules = given if isinstance(given, Rules) else find(given)
            if rules.id != data["game"]:
                raise RecordError(
                    "it is a game of {game!r}, these are the rules of {given!r}", game=data["game"], given=rules.id
                )
            if not rules.builtin and rules.version == data["rules"]:
                return rules
            if not rules.builtin:
                raise RecordError(
                    "it was played by the rules {rules!r}; these are {given!r}",
                    rules=data["rules"],
                    given=rules.version,
                )
        if data["game"] not in game_ids():
            raise RecordError(
                "there is no game {game!r} here; the games: {known}. "
                "The record of a game of one's own is loaded together with its rules file (--rules FILE)",
                game=data["game"],
                known=", ".join(game_ids()),
            )
        return find(data["game"], data["rules"])
    except UnknownGameError as e:
        raise RecordError("{reason}", reason=e) from e


def _take_chance(
    rules: Rules, options: dict[str, Json], events: list[Json], at: int, told: ToldChance, game: Game | None = None
) -> int:
    """Read the chance events from `at` on into `told`; where the next decision, or what the table added, stands."""
    names: dict[str, int] = {}
    if at < len(events) and events[at][0] == "*":
        try:
            kinds = game.notation.cards if game else ["", *(k.name for k in rules.kinds(rules.options(options)))]
        except OptionError as e:
            raise RecordError("{reason}", reason=e) from e
        names = {name: kind for kind, name in enumerate(kinds) if kind}
    while at < len(events) and events[at][0] == "*" and not _is_entry(rules, events[at][1]):
        told.told.append(_answer(rules, names, events[at][1], at))
        at += 1
    return at


def _answer(rules: Rules, names: dict[str, int], text: str, at: int) -> Answer:
    word, *rest = text.split(" ")
    numbers = {"start": START, "roll": ROLL, "pick": PICK}
    if word in numbers and len(rest) == 1 and rest[0].isascii() and rest[0].isdigit() and str(int(rest[0])) == rest[0]:
        return Answer(numbers[word], 0, (int(rest[0]),))
    if word == "take" and len(rest) == 1 and rest[0] in names:
        return Answer(TAKE, 0, (names[rest[0]],))
    for pile in rules.piles:
        if pile.name == word and not pile.per_seat:
            wrong = [card for card in rest if card not in names]
            if wrong:
                raise RecordError("there is no card {card!r}", at=at, card=wrong[0])
            return Answer(SHUFFLE, rules.state_type.pile_number(word), tuple(names[card] for card in rest))
    raise RecordError("{text!r} is nothing that chance says in this game", at=at, text=text[:40])


def _check_result(data: dict[str, Json], game: Game) -> None:
    said = data.get("result")
    if game.over:
        if not isinstance(said, dict):
            raise RecordError("the game is over, but the record has no result")
        unknown = set(said) - {"ranks", "scores", "capped", "notes"}
        if unknown:
            raise RecordError("unknown entry {entry!r} in the result", entry=sorted(unknown)[0])
        for key, value in (game.result or {}).items():
            if json.dumps(said.get(key)) != json.dumps(value):  # as text: 1, 1.0 and true are not the same
                raise RecordError(
                    "its result says {key} {told!r}; played again it comes out {value!r}",
                    key=key,
                    told=said.get(key),
                    value=value,
                )
        if "notes" in said and said["notes"] is None:
            raise RecordError("its notes are null; a result without notes has none")
        game.notes = said.get("notes")
    elif "result" in data:
        raise RecordError("it has a result, but the game is not over")


__all__ = ["FORMAT", "RecordError", "from_record", "from_text", "load", "positions", "save", "to_record", "to_text"]
