"""Playing in the terminal: the table as one seat sees it, the moves by number or as text."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import tefuda
from tefuda import bots
from tefuda.cli import show
from tefuda.cli.complaints import Complaint, bare, capital
from tefuda.cli.words import say
from tefuda.engine.declare import Card, Choice, Move, Name, Part
from tefuda.engine.game import BOT, Game, IllegalMove, Judged
from tefuda.engine.rules import Rules
from tefuda.engine.sentence import fill

NO_BOTS = "none"

FEW = 12
"""So many moves are listed one a line; more are grouped by what begins them."""


def play_new(
    rules: Rules, seats: int, bot: str, seed: int | None, options: Mapping[str, Any], assist: bool = False
) -> None:
    """Deal a new game and play it; `bot` (a level or a bot) plays all seats but the first, or none."""
    if bot == NO_BOTS:
        names = [say("Player {n}", n=seat + 1) for seat in range(seats)]
    else:
        names = [say("You"), *[f"{BOT}{bot_of(bot, rules)}"] * (seats - 1)]
    Terminal(tefuda.new(rules, seed=seed, options=options, players=names), seed, assist).run()


def bot_of(text: str, rules: Rules) -> bots.Bot:
    """The bot of a level (`normal`) or of a text (`search:1000`); a complaint when it cannot play this game."""
    for level in bots.LEVELS:
        if text == level.id:
            return level.bot_for(rules)
    try:
        bot = bots.parse(text)
        bot.check(rules)
    except bots.BotError as e:
        levels = ", ".join(level.id for level in bots.LEVELS)
        both = say("{reason} The levels: {levels}; or `none`.", reason=capital(bare(e)), levels=levels)
        raise Complaint(both) from e
    return bot


def play_on(file: Path, rules: Path | None, assist: bool = False) -> None:
    """Go on with a saved game. Seats whose names begin `bot:` are played by bots again."""
    game = tefuda.load(file, rules)
    if not any(game.is_person(seat) for seat in range(len(game.players))):
        raise Complaint(say("Nobody but bots plays in this game; `tefuda replay` shows it."))
    Terminal(game, assist=assist).run()


class Terminal:
    """One game at one terminal. With `assist` the list shows what a person else must find."""

    def __init__(self, game: Game, seed: int | None = None, assist: bool = False) -> None:
        self.game, self.seed, self.assist = game, seed, assist
        self.words = secrets.randbits(32) if seed is None else seed
        """From this the bots that know a share of all words have theirs."""
        self.finding = not assist and any(move.found for move in game.rules.moves)
        self.out: Console = show.console()
        self.told = 0
        """How many events have been told already."""
        seats = [seat for seat in range(len(game.players)) if not game.is_person(seat)]
        self.bots = {seat: bot_of(game.players[seat].removeprefix(BOT), game.rules) for seat in seats}

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        if self.bots and not bots.is_warm(self.game.rules):
            with self.out.status(say("The bots are learning the rules (the first time this takes some seconds) …")):
                bots.warm(self.game.rules)
        self.out.print(Text(self.banner(), style="dim"))
        try:
            over = self.play_to_the_end()
        except KeyboardInterrupt:
            self.out.print()
            self.save()
            raise
        if not over:
            self.save()
            return
        self.tell(self.eyes())
        self.out.print(show.table_of(self.game, self.eyes()))
        self.out.print(show.result_table(self.game))

    def banner(self) -> str:
        """How to play a move, in a line or two."""
        if self.finding:
            return say("What your cards spell is not listed: finding it is the game. Type the cards, as 徒花 (several "
                       "words, and the card to keep: 徒花 器用 =徒). {mark}1 plays the first of the list. ? help, "
                       "u undo, q save and quit.", mark=number_mark(self.game))  # fmt: skip
        if number_mark(self.game):
            return say("Moves are written as numbers here, so the list is numbered #1, #2, …: 4 is the move 4, #4 the "
                       "fourth of the list. ? help, u undo, q save and quit.")  # fmt: skip
        return say("A number or the text of a move plays it; ? help, u undo, q save and quit.")

    def play_to_the_end(self) -> bool:
        """Let everybody decide in turn; False when the person leaves before the game is over."""
        while self.game.seat is not None:
            if self.game.seat in self.bots:
                self.let_bot_move(self.game.seat)
            elif not self.ask(self.game.seat):
                return False
        return True

    def eyes(self) -> int | None:
        """Through whose eyes the table is shown when nobody is on turn: the only person's, or a spectator's."""
        people = [seat for seat in range(len(self.game.players)) if seat not in self.bots]
        return people[0] if len(people) == 1 else None

    def let_bot_move(self, seat: int) -> None:
        """A bot decides."""
        game = self.game
        seed = None if self.seed is None else hash((self.seed, len(game.events)))
        with self.out.status(say("{name} is thinking …", name=show.seat_name(game, seat))):
            bot, words = self.bots[seat], self.words + seat
            move = bots.choose(bot, game.blind(seat), game.rules, game.options_now, seed, words=words)
        game.play_move(move)

    # ----------------------------------------------------------------------------------------------- the person

    def ask(self, seat: int) -> bool:
        """Show the table and take one move, or an undo; False when the person leaves."""
        self.tell(seat)
        self.out.print(show.table_of(self.game, seat))
        moves = self.game.moves(person=True, assist=self.assist)
        self.out.print(moves_table(self.game, moves))
        while True:
            try:
                typed = self.out.input(f"{show.seat_name(self.game, seat)} > ").strip()
            except EOFError:
                return False
            if typed == "q":
                return False
            if typed == "?":
                self.help()
            elif typed == "u":
                if self.undo():
                    return True
            elif (number := typed_number(typed, number_mark(self.game))) is not None:
                if 1 <= number <= len(moves):
                    self.game.play(moves[number - 1])
                    return True
                self.out.print(say("There are only the moves 1 to {n}.", n=len(moves)))
            elif typed in moves:
                self.game.play(typed)
                return True
            elif typed and self.finding:
                if self.claim(seat, typed):
                    return True
            elif typed:
                self.out.print(
                    Text(say("{typed!r} may not be played now: type a number or a move of the list.", typed=typed))
                )

    def claim(self, seat: int, typed: str) -> bool:
        """Lay the cards typed, as a claim; whether that was a move."""
        game = self.game
        pieces = typed.split()
        keep = next((piece[1:] for piece in pieces if piece.startswith("=")), None)
        laid = [game.notation.cards_of(piece) for piece in pieces if not piece.startswith("=")]
        try:
            judged = Judged(typed)
            if (laid and game.notation.parse(typed) is None) or hasattr(game.rules.module, "claim"):
                judged = game.judge(self.pile_of_claims(), laid, keep)
            game.play(judged.text)
        except IllegalMove:
            self.out.print(Text(say("{typed!r} does not count, or you do not hold it.", typed=typed)))
            return False
        if judged.why is not None:
            why = show.words_of(game).get("claim", judged.why) or ""
            told = fill(why, laid=" ".join("".join(cards) for cards in laid), about=" ".join(judged.about))
            self.out.print(Text(told))
        return True

    def pile_of_claims(self) -> str:
        """The pile whose cards are laid."""
        parts = [part for move in self.game.rules.moves if move.found for part in move.parts.values()]
        return next(part.of for part in parts if isinstance(part, (Card, Name)) and part.of is not None)

    def undo(self) -> bool:
        """Go back to the last decision of a person; False when there is none."""
        made = [event.who for event in self.game.events if event.who != "*"]
        if not any(who not in self.bots for who in made):
            self.out.print(say("There is no move of yours to take back."))
            return False
        self.game.undo()
        while self.game.seat in self.bots:
            self.game.undo()
        self.told = len(self.game.events)
        self.out.print(say("Taken back."))
        return True

    def help(self) -> None:
        """What can be typed, and how moves are written."""
        self.out.print(Text(say("Type the number of a move, or the move itself as it is written in the list.")))
        if number_mark(self.game):
            self.out.print(Text(self.banner()))
        words = show.words_of(self.game)
        for move in self.game.rules.moves:
            self.out.print(Text(f"  {words.label(move.name)}: {move.text}"))
        self.out.print(say("u takes your last move back, q saves the game and leaves."))
        self.out.print(Text(say("The rules: tefuda rules {game}", game=self.game.rules.id)))

    def save(self) -> None:
        """Save the game where one is, and say how to go on."""
        file = Path(f"{self.game.rules.id}-{time.strftime('%Y%m%d-%H%M%S')}.fuda.json")
        self.game.save(file)
        rules = "" if self.game.rules.builtin else f" --rules {self.game.rules.path}"
        self.out.print(Text(say("Saved. Go on with: tefuda play {file}", file=file) + rules))

    # ---------------------------------------------------------------------------------------------------- the log

    def tell(self, viewer: int | None) -> None:
        """Print what happened since it was last told, as a viewer knows it: in words, with the notation."""
        names = partial(show.seat_name, self.game)
        for told in show.words_of(self.game).tell(self.game.story(viewer), names):
            if told.n >= self.told:
                name = "" if told.seat is None else show.seat_name(self.game, told.seat)
                self.out.print(Text.assemble((f"  {name} ", "bold"), told.sentence, (f"  {told.notation}", "dim")))
        self.told = len(self.game.events)


def number_mark(game: Game) -> str:
    """What stands before a move's number in the list: nothing, or # in a game where a move may be written as a number
    (all through the game, so that a number typed is never another move by surprise)."""
    return "#" if any(may_be_a_number(move, game) for move in game.rules.moves) else ""


def may_be_a_number(move: Move, game: Game) -> bool:
    """Whether a move of this kind may be written in digits alone."""
    between = re.sub(r"\{\w+\}", "", move.text)
    return (not between or between.isdecimal()) and all(part_in_digits(part, game) for part in move.parts.values())


def part_in_digits(part: Part, game: Game) -> bool:
    """Whether this part of a move may be written in digits alone."""
    if isinstance(part, Card):
        return any(name.isdecimal() for name in game.notation.cards)
    if isinstance(part, Choice):
        return any(text.isdecimal() for text in part.texts)
    if isinstance(part, Name):
        return any(text.isdecimal() for text in game.notation.names[part.list])
    return True


def typed_number(typed: str, mark: str) -> int | None:
    """The number in the list that was typed, with its mark; None when it was something else."""
    digits = typed.removeprefix(mark)
    return int(digits) if typed.startswith(mark) and digits.isascii() and digits.isdigit() else None


def moves_table(game: Game, moves: list[str]) -> Table:
    """The moves with their numbers: one a line with its words when they are few, else those that begin alike on one
    line."""
    mark = number_mark(game)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim")
    grid.add_column(overflow="fold")
    if len(moves) <= FEW:
        for n, text in enumerate(moves, 1):
            grid.add_row(f"{mark}{n}", Text(text), Text(in_words(game, text), style="dim"))
        return grid
    groups: dict[str, list[str]] = {}
    for n, move in enumerate(moves, 1):
        groups.setdefault(beginning(game, move), []).append(f"{mark}{n} {move}")
    for name, texts in groups.items():
        grid.add_row(name, Text("   ".join(texts)))
    return grid


def in_words(game: Game, text: str) -> str:
    """A move as a sentence."""
    move = game.notation.parse(text)
    assert move is not None, text
    name = game.notation.move_of(move).name
    return show.words_of(game).exact(name, game.notation.data(move), partial(show.seat_name, game))


def beginning(game: Game, text: str) -> str:
    """What a move is grouped under: what it is called, and its first part when it has several."""
    move = game.notation.parse(text)
    assert move is not None, text
    name, values = game.notation.move_of(move).name, list(game.notation.data(move).values())
    label = show.words_of(game).label(name)
    return f"{label} {values[0]}" if len(values) > 1 else label
