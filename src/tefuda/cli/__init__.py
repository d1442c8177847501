"""The `tefuda` command. Each subcommand is a few lines here; what it needs is imported when it runs: help is quick."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli import lab_commands
from tefuda.cli.arguments import (
    AsJson,
    GameName,
    GameOptions,
    Lang,
    Seats,
    Seed,
    options_of,
    print_json,
    print_version,
    rules_of,
    seats_of,
)
from tefuda.cli.complaints import FAILED, Complaint, bare
from tefuda.cli.frame import Command, Commands, examples
from tefuda.cli.words import LANGUAGES, language, say

app = typer.Typer(
    cls=Commands,
    name="tefuda",
    help="A workshop for home-made card games: play them, playtest them, check their rules.",
    epilog=examples(
        "tefuda serve --open", "tefuda play leaves13", "tefuda lab leaves13 --games 10000", "tefuda check mygame.py"
    ),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """The entry point of the command `tefuda`."""
    app()


@app.callback()
def tefuda(
    lang: Lang = None,
    debug: Annotated[bool, typer.Option("--debug", help="When something goes wrong, show where in the code.")] = False,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=print_version, help="Say which version this is.")
    ] = False,
) -> None:
    """Options of every subcommand stand before its name."""


# ------------------------------------------------------------------------------------------------------ the games


@app.command(cls=Command, epilog=examples("tefuda games", "tefuda games --json"))
def games(as_json: AsJson = False) -> None:
    """List the games, with their seats and options."""
    from tefuda.cli import show
    from tefuda.engine.rules import find, game_ids

    found = [find(game) for game in game_ids()]
    if as_json:
        print_json([show.game_data(rules) for rules in found])
    else:
        show.console().print(show.games_table(found))


@app.command(cls=Command, epilog=examples("tefuda rules leaves13", "tefuda rules leaves13 --lang ja | less"))
def rules(game: GameName, lang: Lang = None) -> None:
    """Print the rules of a game, for people."""
    from tefuda.cli import show

    found = rules_of(game)
    pages = [found.path.with_suffix(f".{each}.md") for each in (language(), *LANGUAGES)]
    for page in pages:
        if page.is_file():
            show.rules_page(page.read_text(encoding="utf-8"))
            return
    raise Complaint(say("{game} has no rules page ({page} beside its rules file).", game=found.id, page=pages[0].name))


# --------------------------------------------------------------------------------------------------------- the pages


@app.command(
    cls=Command,
    epilog=examples(
        "tefuda serve --open",
        "tefuda serve mygame.py --open",
        "tefuda serve --host 0.0.0.0 --port 80 --database-url postgresql+psycopg://tefuda@localhost/tefuda",
        "tefuda serve --host 0.0.0.0 --keep-days 90",
    ),
)
def serve(
    rules_files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RULES_FILE", help="Rules files of your own, to be played too.", show_default=False),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for everywhere.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    database_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where tables are kept; a SQLite file in your data folder unless told."),
    ] = None,
    keep_days: Annotated[
        float | None,
        typer.Option(
            metavar="DAYS", min=0.01, help="Delete tables that nobody has touched for so long; never unless told."
        ),
    ] = None,
    lab: Annotated[
        bool | None,
        typer.Option(
            "--lab/--no-lab",
            help="Let visitors run studies, which take all cores; unless told only you, at this machine.",
            show_default=False,
        ),
    ] = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Take as much as comes from each visitor: for a closed room.")
    ] = False,
) -> None:
    """Serve the pages, to play in the browser."""
    files = [rules_of(str(file)).path for file in rules_files or []]
    from tefuda.tables import StoreError
    from tefuda.web.app import serve as serve_pages
    from tefuda.web.limits import Limits

    try:
        serve_pages(
            host, port, open_browser, database_url, files, keep_days=keep_days, limits=Limits(off=no_limits), lab=lab
        )
    except OSError as e:
        message = "Port {port} of {host} cannot be used ({why}); choose another with --port."
        raise Complaint(say(message, port=port, host=host, why=e.strerror or e), FAILED) from e
    except (StoreError, ValueError) as e:
        raise Complaint(say("The database cannot be used: {why}.", why=bare(e)), FAILED) from e


# ---------------------------------------------------------------------------------------------------------- playing


@app.command(
    cls=Command,
    epilog=examples(
        "tefuda play leaves13",
        "tefuda play tebineri_cookie --seats 4 --bots search:1000",
        "tefuda play mygame.py --bots none --seed 7",
        "tefuda play leaves13-3.fuda.json",
    ),
)
def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's name, a rules file, or a saved game.", show_default=False)
    ],
    seats: Seats = None,
    bots: Annotated[
        str,
        typer.Option(metavar="BOT", help="Who else plays: easy, normal, strong, random, greedy, search:1000; or none."),
    ] = "normal",
    lang: Lang = None,
    seed: Seed = None,
    option: GameOptions = None,
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rules file of a saved game that is your own.")
    ] = None,
    assist: Annotated[bool, typer.Option("--assist", help="List what your cards spell, too.")] = False,
) -> None:
    """Play in the terminal, against bots or (--bots none) all seats yourself."""
    from tefuda.cli import terminal

    if game.endswith(".json"):
        if seats is not None or seed is not None or option:
            raise Complaint(say("A saved game has its seats, cards and options already."))
        terminal.play_on(Path(game), rules, assist)
    else:
        found = rules_of(game)
        n = seats_of(found, seats)
        terminal.play_new(found, n, bots, seed, options_of(found, option, n), assist)


# --------------------------------------------------------------------------------------------------------- records


@app.command(
    cls=Command,
    epilog=examples(
        "tefuda replay game.fuda.json",
        "tefuda replay game.fuda.json --view 0",
        "tefuda replay game.fuda.json --legal",
        "tefuda replay mine.fuda.json --rules mygame.py",
    ),
)
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (*.fuda.json).", show_default=False)],
    legal: Annotated[
        bool, typer.Option("--legal", help="One JSON line a decision: what that seat might have done.")
    ] = False,
    view: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Only what a seat (0, 1, …) or a `spectator` saw.")
    ] = None,
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rules file of a game that is your own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a record by playing it again, and show it."""
    import tefuda as library
    from tefuda.cli import show

    if legal and view is not None:
        raise Complaint(say("--legal and --view do not go together: --legal tells what every seat might have done."))
    game = library.load(file, rules)
    if legal:
        for line in show.decisions(game):
            print_json(line)
        return
    viewer: int | None = None
    if view is not None and view != "spectator":
        if not view.isdecimal() or int(view) >= len(game.players):
            last = len(game.players) - 1
            message = "There is no seat {view!r}; the seats are 0 to {last}, or `spectator`."
            raise Complaint(say(message, view=view, last=last))
        viewer = int(view)
    if as_json:
        print_json(game.view(viewer) if view is not None else game.record())
    else:
        show.replayed(game, viewer, everything=view is None)


@app.command(
    cls=Command, epilog=examples("tefuda verify game.fuda.json", "tefuda verify mine.fuda.json --rules mygame.py")
)
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (*.fuda.json).", show_default=False)],
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rules file of a game that is your own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Deal a table's game again from its key: was all its chance settled before the first decision?"""
    import tefuda as library
    from tefuda.engine.commitment import BrokenPromiseError, NoPromiseError, note_of
    from tefuda.engine.commitment import verify as verified
    from tefuda.engine.rules import find

    game = library.load(file, rules)
    record = json.loads(file.read_text(encoding="utf-8"))
    try:
        promised = verified(record, None if rules is None else find(rules))
    except NoPromiseError as e:
        message = "{file} holds no key: records of tables do, when the game was played to its end."
        raise Complaint(say(message, file=file.name), FAILED) from e
    except BrokenPromiseError as e:
        event = "" if e.event is None else say(" (event {n})", n=e.event)
        message = "{file} does not follow from the key it holds{event}: {reason}."
        raise Complaint(say(message, file=file.name, event=event, reason=bare(e)), FAILED) from e
    starter = note_of(record).get("starter")
    if as_json:
        told = {"file": file.name, "game": game.rules.id, "commitment": promised, "starter": starter}
        print_json({**told, "verified": True})
        return
    from tefuda.cli import show

    show.console().print(say("All chance in {file} follows from the key promised before play.", file=file.name))
    show.console().print(say("Promised: {promised}", promised=promised), soft_wrap=True)
    if starter is not None:
        message = "Who starts was named by the table before play, and is not among what was promised: {name}."
        show.console().print(say(message, name=game.players[starter]), soft_wrap=True)


@app.command(
    cls=Command,
    epilog=examples(
        "tefuda analyse game.fuda.json",
        "tefuda analyse game.fuda.json --bot search:10000 --best 5",
        "tefuda analyse mine.fuda.json --rules mygame.py --json",
    ),
)
def analyse(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record (*.fuda.json) of a game that is over.", show_default=False)
    ],
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="The bot that judges; the longer it searches, the surer it is.")
    ] = "search:1000",
    best: Annotated[int, typer.Option(metavar="N", min=1, help="How many moves are shown a decision.")] = 3,
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rules file of a game that is your own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a finished game, and tell where it turned."""
    from tefuda.cli import analysis

    game, judged = analysis.judge(file, rules, bot)
    if as_json:
        print_json(judged.to_json())
    else:
        analysis.report(game, judged, best)


# ---------------------------------------------------------------------------------------------------------- the lab

lab_commands.add_to(app)


# ------------------------------------------------------------------------------------------------------- the doctor


@app.command(
    cls=Command,
    epilog=examples("tefuda check mygame.py", "tefuda check leaves13 --games 50", "tefuda check mygame.py --json"),
)
def check(
    target: GameName,
    games: Annotated[
        int, typer.Option(metavar="M", min=1, help="How many games for each seat count and option.")
    ] = 200,
    seed: Annotated[int, typer.Option(metavar="S", help="A number; the same one finds the same faults.")] = 1,
    records: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the records that show a fault are written.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look over a rules file: play it in every way there is and say what is wrong."""
    from tefuda.check import check as look_over
    from tefuda.cli import show

    if not target.endswith(".py"):
        rules_of(target)
    elif not Path(target).is_file():
        raise Complaint(say("There is no file {file!r}.", file=target))
    report = look_over(target, seed, games, records, None if as_json else show.finding)
    if as_json:
        print_json(report.data())
    else:
        show.verdict(report)
    if not report.ok:
        raise typer.Exit(FAILED)


# -------------------------------------------------------------------------------------------------------- the decks

decks = typer.Typer(
    cls=Commands,
    name="deck",
    help="The decks of kanji and of grabbing cards: list one, look it over, make your own.",
    epilog=examples("tefuda deck show dense", "tefuda deck make --grades 1-3", "tefuda deck check deck.json"),
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(decks)

DeckName = Annotated[
    str,
    typer.Argument(
        metavar="DECK", help="A deck's name (reconstruction, dense, full), or a deck file.", show_default=False
    ),
]
LexiconName = Annotated[
    str, typer.Option("--lexicon", metavar="NAME", help="The list of words: standard/1, common/1 or none.")
]


@decks.command(
    "show",
    cls=Command,
    epilog=examples("tefuda deck show dense", "tefuda deck show deck.json --lexicon common/1 --json"),
)
def list_deck(deck: DeckName, lexicon: LexiconName = "standard/1", as_json: AsJson = False) -> None:
    """List a deck: its cards and its words."""
    from tefuda.cli import show_deck

    found = show_deck.deck_of(deck)
    if as_json:
        print_json(show_deck.deck_data(found, lexicon))
    else:
        show_deck.listing(found, lexicon)


@decks.command("check", cls=Command, epilog=examples("tefuda deck check deck.json", "tefuda deck check dense --json"))
def check_deck(deck: DeckName, lexicon: LexiconName = "standard/1", as_json: AsJson = False) -> None:
    """Look a deck over: words, dead kanji, hands, neighbours."""
    from tefuda.cli import show_deck

    report = show_deck.look_over(show_deck.deck_of(deck), lexicon)
    if as_json:
        print_json(report.data())
    else:
        show_deck.report(report)


@decks.command(
    "make",
    cls=Command,
    epilog=examples(
        "tefuda deck make --grades 1-3 --with 花月",
        "tefuda deck make --mix 14,13,11,8,6 --out family.json",
        "tefuda play jukugo_ten --option deck=@family.json",
    ),
)
def make_deck(
    grades: Annotated[str, typer.Option(metavar="A-B", help="The school grades to take kanji from.")] = "1-5",
    size: Annotated[int, typer.Option(metavar="N", help="How many kanji.")] = 52,
    wanted: Annotated[str, typer.Option("--with", metavar="KANJI", help="Kanji that must be in it.")] = "",
    mix: Annotated[
        str | None, typer.Option(metavar="N,N,…", help="How many kanji of each grade, from the lowest to the highest.")
    ] = None,
    jokers: Annotated[int, typer.Option(metavar="N", help="How many jokers.")] = 2,
    lexicon: LexiconName = "standard/1",
    seed: Annotated[int, typer.Option(metavar="S", help="A number; the same one finds the same deck again.")] = 0,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the deck is written.")] = Path("deck.json"),
    as_json: AsJson = False,
) -> None:
    """Search kanji that make many words, and arrange them."""
    from tefuda.cli import show_deck

    asked = show_deck.Asked(grades, size, wanted, mix, jokers, lexicon, seed)
    report = show_deck.make(asked, out)
    if as_json:
        print_json(report.data() | {"file": str(out)})
    else:
        show_deck.report(report)
        show_deck.written(out)
