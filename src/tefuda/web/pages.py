"""The pages: from what one viewer may see to HTML. Nothing here knows HTTP, the store, a `Game` or a state.

What the server calls:

    render_gallery(visit, boxes)                           -> str    the shelf; boxes: Rules of the games shown
    render_setup(visit, rules, levels, refusal, chosen)    -> str    choose seats, options, level and name
    render_table(visit, rules, view, story, table)         -> Rendered(main, page)   a game going on, or just over
    render_result(visit, rules, view, story, table)        -> str    how it ended
    render_chances(analysis, names, lang, tell, mine)      -> Markup    how the chances of winning went, a part of it
    render_rules(visit, rules, markdown)                   -> str    the rules text of a game (None: there is none)
    render_cards(visit, deck, names)                       -> str    the picture book of a deck
    render_error(visit, status, message)                   -> str    something went wrong, in words
    move_from_form(rules, view, form, lang)                -> Choosing(move, refusal, chosen)
    setup_from_form(rules, form, lang)                     -> Setup(seats, level, options, name, refusal, chosen)

`view` is `game.view(viewer, person=True)`, `story` is `game.story(viewer)`: redacted by the engine; whatever a page
shows is in them. Players whose name begins `bot:` are shown under names of our own in the language of the page.

Addresses (class `Table` and the templates; the server serves these):

    GET  /                       the shelf                 GET  /games/{game}           choose seats and options
    POST /games/{game}           start against bots: fields `name`, `seats`, `level`, `option.NAME` (all may be missing)
    GET  /games/{game}/rules     the rules page            GET  /cards/{deck}           the picture book
    GET  /faces/{deck}/{name}.svg?lang=                    GET  /static/{file}
    GET  /drill/{deck}           choose what to drill      POST /drill/{deck}           begin, or answer a question
    GET  /t/{word}               the table                 POST /t/{word}               a move
    GET  /t/{word}/main          the fragment `main`       GET  /t/{word}/events        server-sent events
    GET  /t/{word}/result        the result                POST /t/{word}/again         another game, same settings
    POST /t/{word}/hurry         bots play without pauses until a person's turn
    POST /t/{word}/hold          `at`: silence is no answer for a while     POST /t/{word}/words   `word`, `accepts`
    GET  /t/{word}/record        the record, when the game is over
    GET  /tables                 tables anybody may join
    POST /t/{word}/sit, /leave, /bot, /plan, /start          before the game
    POST /t/{word}/say           `text` or `phrase`          GET, POST /t/{word}/key  the own seat at another device
    POST /t/{word}/undo, /absent  ask the others             POST /t/{word}/vote, /back  answer; play again oneself
    GET  /t/{word}/replay?n=     step by step, when over     POST /t/{word}/report, /delete

`?lang=ja|en` on any GET page sets the language (a cookie keeps it). Moves: the form posts `at` (the number of events
the player saw, `len(view["log"])`), `move` (the name of the kind of move), `pile.NAME` (a card's name, repeated) and
`part.NAME`; a claim posts `move=claim`, `lay.0`, `lay.1`, … (the cards of each word, in order) or `spell` (typed), and
`keep`. The script posts the same form with the header `X-Fragment: main` and expects the fragment `main` as the
answer, after a refusal too (status 422 or 409); without the header: 303 to the table, or the whole page with the
refusal. The server-sent event `change` (any data) makes the page fetch `/t/{word}/main` (same header; 204 or the same
fragment is fine) and swap it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import markupsafe

from tefuda import decks
from tefuda.bots.analysis import Analysis
from tefuda.decks.karuta_drill import Progress, Question
from tefuda.engine.declare import Choice, Data, Flag, Range
from tefuda.engine.game import BOT, Game
from tefuda.engine.record import from_record
from tefuda.engine.rules import Rules
from tefuda.tables import Gathering, Line, Listed, Notice, Proposal, Settings, can_name_starter
from tefuda.web import after_page, chances, drill_page, lobby_page
from tefuda.web.after_page import Played
from tefuda.web.choosing import Choosing, Form, move_from_form, namer, wishes
from tefuda.web.components import CardShown, Scene, deck_of, notice_of, scene, tell_cards
from tefuda.web.guide import sentences, teaches
from tefuda.web.laboratory import GAMES, Run
from tefuda.web.rules_text import cards_in, to_html
from tefuda.web.standings import score_told
from tefuda.words import Texts, texts, words

if TYPE_CHECKING:
    from tefuda.lab.brief import Brief

__all__ = [
    "DRILLED",
    "After",
    "Choosing",
    "Rendered",
    "Replayed",
    "Setup",
    "Table",
    "Visit",
    "move_from_form",
    "render_cards",
    "render_chances",
    "render_drill",
    "render_drill_start",
    "render_error",
    "render_gallery",
    "render_key",
    "render_lab",
    "render_lab_run",
    "render_lobby",
    "render_players",
    "render_replay_of",
    "render_result",
    "render_rules",
    "render_setup",
    "render_table",
    "render_tables",
    "setup_from_form",
]

Json = Any
HERE = Path(__file__).parent

USUAL_SEATS = 4
CALLS = (4, 8, 15, 30)
"""Seconds of silence from which the table may choose, the usual first."""
MOST_NAME = 40
KANJI = "一二三四五六七八九十"
JAPANESE_RUN = re.compile(r"[\u3005\u3040-\u30ff\u3400-\u9fff]+")
LIDS = "abcdefgh"
"""The colours of the lids of boxes; the style sheet has a class for each."""
COLOURS = {"green": "a", "gold": "b", "blue": "c", "red": "d", "orange": "e", "black": "f", "purple": "g", "teal": "h"}
"""The same, as a rules file may name them."""


@dataclass(frozen=True)
class Visit:
    """Who looks, as far as every page needs it: the language ("ja" or "en"), the path of this page, whether the lab is
    open here, and what else the address asks for, as it stands before `lang=` (`n=4&`)."""

    lang: str = "ja"
    path: str = "/"
    lab: bool = False
    query: str = ""


@dataclass(frozen=True)
class Table:
    """What the page of a table says besides the game.

    `word`: the table's name in its address. `thinking`: a bot is choosing. `preparing`: the rules are still being
    compiled, the first move of a bot takes longer. `settings` of the table; `silence`: after so many seconds the
    viewer's silence is the answer (None: it is not the viewer's turn, or never is); `proposal`: what is being voted
    on; `people`: the seats in which people sit; `stand_ins`: of those, the ones for whom a bot plays; `stood_in`: the
    events that such a bot decided. `deadline`: when the clock of the seat on turn runs out, `now`: the time, both in
    milliseconds since 1970. `lines` that were said, `notices` of the table itself, `last`: the number of its last
    event. `promised` of its chance. `again`: where another game is played. `late`: what is seen is so many minutes
    old, with all hands open when it is `late_opened`. `deletable`: the viewer may delete the table. `wrong`: what was
    wrong with the viewer's last claim, in words. `refusal`: why the last choice was not taken, with `chosen`, the
    fields of the form it came from; `around`: it was chosen in the box of what is around the table."""

    word: str
    thinking: bool = False
    preparing: bool = False
    settings: Settings = field(default_factory=Settings)
    silence: float | None = None
    proposal: Proposal | None = None
    people: Sequence[int] = ()
    stand_ins: Sequence[int] = ()
    stood_in: Collection[int] = ()
    deadline: int | None = None
    now: int = 0
    lines: Sequence[Line] = ()
    notices: Sequence[Notice] = ()
    last: int = 0
    promised: str | None = None
    again: str | None = None
    late: int | None = None
    late_opened: bool = False
    deletable: bool = False
    wrong: str | None = None
    refusal: str | None = None
    chosen: Form = field(default_factory=dict)
    around: bool = False

    @property
    def url(self) -> str:
        """The address of the table."""
        return f"/t/{self.word}"


@dataclass(frozen=True)
class After:
    """What a result page tells besides the result.

    `game` as people played it; `clauses` of the rules, each with the beginning of its text; `sent`: what the viewer
    said of the game, None when nothing yet. `open_view`, `open_story`: with every hand open. `analysis`; `pending`:
    the bot is still looking back. `promise`: what the table promised of its chance, with its key. `deletable`: the
    viewer may delete the table. `url`: the address of the page."""

    game: Played
    clauses: Sequence[tuple[str, str]]
    sent: Mapping[str, Json] | None
    open_view: Json
    open_story: Sequence[Json]
    analysis: Analysis | None
    pending: bool
    promise: Mapping[str, Json] | None
    deletable: bool
    url: str


@dataclass(frozen=True)
class Replayed:
    """Where a finished game is replayed: the address of its steps, of the page to go back to, and what it is called."""

    url: str
    back: str
    name: str


@dataclass(frozen=True)
class Rendered:
    """The part of a page that changes while a game goes on (`<main>`), and the whole page, which is drawn when it is
    asked for: that is once a visit, and the part once a move."""

    main: str
    draw: Callable[[], str]

    @property
    def page(self) -> str:
        """The whole page."""
        return self.draw()


@dataclass(frozen=True)
class Setup:
    """What the form before a game asks for; `refusal` says what is wrong with it."""

    seats: int
    level: str
    options: Mapping[str, Json]
    name: str
    refusal: str | None
    chosen: Form
    settings: Settings = field(default_factory=Settings)


# ------------------------------------------------------------------------------------------------------- drawing


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {"tongue": _tongue, "in_ja": _in_ja}
    return environment


@jinja2.pass_context
def _tongue(context: jinja2.runtime.Context, text: str) -> markupsafe.Markup:
    """A text in which Japanese says that it is, where the page is in another language: for voices and glyphs."""
    if context["lang"] == "ja":
        return markupsafe.escape(text)
    return markupsafe.Markup(JAPANESE_RUN.sub(r'<span lang="ja">\g<0></span>', str(markupsafe.escape(text))))


@jinja2.pass_context
def _in_ja(context: jinja2.runtime.Context, text: str) -> markupsafe.Markup:
    """The attribute that says that the words of an element are Japanese, where the page is in another language."""
    japanese = context["lang"] != "ja" and _is_japanese(text)
    return markupsafe.Markup(' lang="ja"' if japanese else "")


@cache
def _version(*folders: Path) -> str:
    """A short digest of the files in some folders: what is served under it never changes."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if path.is_file():
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _static(name: str) -> str:
    return f"/static/{name}?v={_version(HERE / 'static')}"


def _draw(template: str, visit: Visit, **values: Any) -> str:
    say = texts(visit.lang)
    given = {
        "say": say,
        "lang": visit.lang,
        "path": visit.path,
        "query": visit.query,
        "static": _static,
        "faces": _version(Path(decks.__file__).parent),
        "with_lab": visit.lab,
        "first_deck": next(iter(decks.DECKS)),
        "deck": "plain",
        "nav": "",
    }
    return _templates().get_template(template).render(given | values)


# -------------------------------------------------------------------------------------------------------- boxes


def _box(rules: Rules, lang: str) -> dict[str, Any]:
    """A game's box: what its author says of it, and nothing that the author does not."""
    game, say = words(rules, lang), texts(lang)
    low, high = rules.least_seats, rules.most_seats
    deck, lid = deck_of(rules), rules.info.get("lid", {})
    title, japanese = game.title(), game.title("ja")
    author = game.author()
    return {
        "id": rules.id,
        "title": title,
        "title_lang": "ja" if _is_japanese(title) else lang,
        "other": japanese if lang == "en" and japanese != title and _is_japanese(japanese) else None,
        "slip": japanese,
        "slip_pieces": _pieces(japanese),
        "idea": game.get("box", "idea"),
        "time": game.get("box", "time"),
        "needs": game.get("box", "needs"),
        "credit": game.get("box", "credit"),
        "guide": teaches(game),
        "author": author,
        "author_lang": "ja" if author and _is_japanese(author) else lang,
        "seats": say("gallery.seats_one", low=low) if low == high else say("gallery.seats", low=low, high=high),
        "band": lid.get("band"),
        "motif": decks.motif(deck, lid.get("sign", "")),
        "drill": deck in DRILLED,
        "lid": COLOURS.get(lid.get("colour", ""), LIDS[list(decks.DECKS).index(deck) % len(LIDS)]),
    }


def _is_japanese(text: str) -> bool:
    return bool(JAPANESE_RUN.search(text))


def _pieces(title: str) -> list[str]:
    """A title cut at its numbers, which stand upright on a slip."""
    pieces: list[str] = []
    for c in title:
        if pieces and c.isdigit() == pieces[-1].isdigit():
            pieces[-1] += c
        else:
            pieces.append(c)
    return pieces


def render_gallery(visit: Visit, boxes: Sequence[Rules]) -> str:
    """The shelf of boxes: a maker's own in the order given, then ours, those of one deck side by side."""
    order = list(decks.DECKS)
    shown = sorted(boxes, key=lambda rules: order.index(deck_of(rules)) if rules.builtin else -1)
    return _draw("gallery.html", visit, boxes=[_box(rules, visit.lang) for rules in shown], nav="games")


# -------------------------------------------------------------------------------------------------------- setup


def render_setup(
    visit: Visit, rules: Rules, levels: Sequence[str], refusal: str | None = None, chosen: Form | None = None
) -> str:
    """Choose seats, options and the bots' level. `levels`: their names, the usual one first."""
    given = chosen or {}
    say = texts(visit.lang)
    shown = setup_from_form(rules, given, visit.lang)
    return _draw(
        "setup.html",
        visit,
        box=_box(rules, visit.lang),
        deck=deck_of(rules),
        refusal=refusal,
        counts=range(rules.least_seats, rules.most_seats + 1),
        seats=shown.seats,
        levels=_levels(say, levels),
        level=shown.level or next(iter(levels), ""),
        name=shown.name,
        options=_option_fields(rules, visit.lang, shown.options, given),
        settings=shown.settings,
        assists=any(move.found for move in rules.moves),
        assist_help=words(rules, visit.lang).get("setup", "assist_help") or texts(visit.lang)("setup.assist_help"),
        calls=CALLS if any(move.silence for move in rules.moves) else (),
    )


def render_lobby(
    visit: Visit,
    now: Gathering,
    viewer: int | None,
    host: bool,
    levels: Sequence[str],
    invite: str,
    refusal: str | None = None,
) -> Rendered:
    """A table that waits for its players, for whoever sits at `viewer` (None: nobody yet); `invite`: its address."""
    say, rules, plan = texts(visit.lang), now.rules, now.plan
    names = lobby_page.names_at(now.sitters, plan.seats, visit.lang)
    game = words(rules, visit.lang)

    def called(seat: int | None) -> str:
        return (None if seat is None else names[seat]) or "?"

    said = lobby_page.lines(now.lines, (), called, viewer, visit.lang)
    values = {
        "box": _box(rules, visit.lang),
        "deck": deck_of(rules),
        "word": now.id,
        "url": f"/t/{now.id}",
        "at": now.last,
        "refusal": refusal,
        "chairs": lobby_page.chairs(now, viewer, host, visit.lang),
        "seated": viewer,
        "host": host,
        "free": len(now.free),
        "my_name": "" if viewer is None else names[viewer],
        "levels": _levels(say, levels),
        "cards": sum(kind.copies for kind in rules.kinds(rules.options(plan.options))),
        "talk": lobby_page.talk(said, plan.settings.talk, viewer, visit.lang),
        "invite": invite,
        "qr": lobby_page.qr(invite),
        "public": now.public,
        "counts": range(rules.least_seats, rules.most_seats + 1),
        "seats": plan.seats,
        "options": _option_fields(rules, visit.lang, rules.options(plan.options), {}),
        "settings": plan.settings,
        "assists": any(move.found for move in rules.moves),
        "calls": CALLS if any(move.silence for move in rules.moves) else (),
        "names_starter": can_name_starter(rules),
        "starter": plan.starter,
        "starter_help": game.get("setup", "starter_help"),
        "names": names,
        "choices": lobby_page.table_choices(plan.settings, say),
        "facts": lobby_page.facts_of(now, visit.lang),
        "assist_help": game.get("setup", "assist_help") or say("setup.assist_help"),
    }
    main = _draw("lobby_main.html", visit, **values)
    return Rendered(main, lambda: _draw("lobby.html", visit, main=main, **values))


def render_tables(visit: Visit, waiting: Sequence[Listed], playing: Sequence[Listed]) -> str:
    """The tables that anybody may join or watch."""
    found = {"waiting": lobby_page.listed(waiting, visit.lang), "playing": lobby_page.listed(playing, visit.lang)}
    return _draw("tables.html", visit, nav="tables", found=found)


def render_key(visit: Visit, word: str, link: str | None, refusal: str | None = None) -> str:
    """The link of the own seat, or, for whoever holds none, a field for its key."""
    code = None if link is None else lobby_page.qr(link)
    return _draw("key.html", visit, word=word, url=f"/t/{word}", link=link, qr=code, refusal=refusal)


def _levels(say: Texts, levels: Sequence[str]) -> list[dict[str, str]]:
    return [{"value": level, "label": say.get(f"levels.{level}") or level} for level in _by_strength(say, levels)]


def _by_strength(say: Texts, levels: Sequence[str]) -> list[str]:
    """Levels in the order of the texts, from weak to strong; unknown ones after them."""
    known = list(say.table.get("levels", {}))
    return sorted(levels, key=lambda level: known.index(level) if level in known else len(known))


def _option_fields(rules: Rules, lang: str, values: Mapping[str, Json], given: Form) -> list[dict[str, Any]]:
    game = words(rules, lang)
    fields = []
    for name, option in rules.declared_options.items():
        shown: dict[str, Any] = {
            "name": name,
            "label": game.option(name),
            "help": game.option_help(name),
            "value": values.get(name, option.default),
        }
        if isinstance(option, Flag):
            shown["kind"] = "flag"
        elif isinstance(option, Range):
            typed = given.get(f"option.{name}")
            shown |= {"kind": "range", "low": option.low, "high": option.high, "none": option.none}
            shown["value"] = typed[-1] if typed else shown["value"]
        elif isinstance(option, Choice):
            shown |= {"kind": "choice", "choices": [(text, game.option_choice(name, text)) for text in option.texts]}
        else:
            known = list(game.option_choices(name).items())
            typed = given.get(f"own.{name}")
            shown |= {"kind": "data", "choices": known, "typed": typed[-1] if typed else ""}
        fields.append(shown)
    return fields


def setup_from_form(rules: Rules, form: Form, lang: str = "ja") -> Setup:
    """What the form before a game asks for. What is missing is as usual; an empty form is a game as usual.

    The boxes of options that are true or false come unticked when nothing is posted, so they count only in a form
    that posts `seats`, as the page's does."""
    say, game = texts(lang), words(rules, lang)
    refusal: str | None = None
    low, high = rules.least_seats, rules.most_seats
    seats = min(max(USUAL_SEATS, low), high)
    asked = form.get("seats", [""])[-1]
    if asked:
        number = _whole(asked)
        if number is not None and low <= number <= high:
            seats = number
        else:
            refusal = say("refusal.seats", low=low, high=high)
    options: dict[str, Json] = {}
    for name, option in rules.declared_options.items():
        values = form.get(f"option.{name}", [])
        if isinstance(option, Flag):
            options[name] = bool(values) and values[-1] == "true" if asked or values else option.default
        elif values and isinstance(option, Range):
            number = _whole(values[-1])
            if values[-1].strip() == "" and option.none:
                options[name] = None
            elif number is not None and option.low <= number <= option.high:
                options[name] = number
            else:
                refusal = say("refusal.range", option=game.option(name), low=option.low, high=option.high)
        elif values and isinstance(option, Choice):
            if values[-1] in option.texts:
                options[name] = values[-1]
            else:
                refusal = say("refusal.option", option=game.option(name))
        elif isinstance(option, Data):
            typed = form.get(f"own.{name}", [""])[-1].strip()
            if typed:
                options[name] = _own_value(typed, option.default)
            elif values and values[-1] in game.option_choices(name):
                options[name] = values[-1]
    settings, level = Settings(), form.get("level", [""])[-1]
    if form.get("guide") == ["1"]:  # a first game: nothing is hidden from the own eyes, nobody is hurried
        settings, level = Settings(assist=True, call=None, guide=True), level or "easy"
    elif asked:
        calls = {str(seconds): float(seconds) for seconds in CALLS}
        call = form.get("call", [str(CALLS[0])])[-1]
        settings = Settings(form.get("assist") == ["true"], calls.get(call))
    name = form.get("name", [""])[-1]
    if len(name) > MOST_NAME or name.strip().lower().startswith("bot:"):
        refusal = say("refusal.name")
    return Setup(seats, level, options, name, refusal, form, settings)


def _own_value(typed: str, default: Json) -> Json:
    """A value that somebody typed: JSON, words with spaces between, or a name."""
    if typed[0] in "[{":
        try:
            return json.loads(typed)
        except (ValueError, RecursionError):  # no JSON, or brackets in brackets without end
            return typed
    pieces = typed.replace("、", " ").replace(",", " ").split()
    return pieces if isinstance(default, list) or len(pieces) > 1 else typed


def _whole(text: str) -> int | None:
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


# ------------------------------------------------------------------------------------------------------- a table


def render_table(visit: Visit, rules: Rules, view: Json, story: Sequence[Json], table: Table) -> Rendered:
    """A game going on, or just over, for one viewer."""
    shown = scene(rules, view, story, visit.lang, table.chosen, assist=table.settings.assist)
    say = texts(visit.lang)
    over, mine = view["over"], bool(shown.actions)
    if over:
        heading = say("table.title_over", game=shown.title)
    elif mine:
        heading = say("table.title_yours", game=shown.title)
    else:
        heading = say("table.title_theirs", name=_seat_name(shown, view["seat"]), game=shown.title)
    asked = shown.asked
    if not over and not mine and table.thinking:
        asked = say("table.thinking", name=_seat_name(shown, view["seat"]))
    legal = {wish.move for wish in wishes(rules, view)}
    silent = {move.name for move in rules.moves if move.silence}
    said = lobby_page.lines(table.lines, table.notices, _who(shown, visit.lang), view["viewer"], visit.lang)
    values = {
        "scene": shown,
        "table": table,
        "lesson": sentences(words(rules, visit.lang), view, story, legal) if table.settings.guide else [],
        "game": rules.id,
        "deck": deck_of(rules),
        "heading": heading,
        "asked": asked,
        "over": over,
        "who": _who(shown, visit.lang),
        "silent_move": next((action.label for action in shown.actions if action.move in silent), None),
        "proposes": rules.growing and shown.mine and not over and not table.proposal and len(table.people) > 1,
        "left": None
        if table.deadline is None
        else lobby_page.time_left(max(0, table.deadline - table.now) // 1000, visit.lang),
        "talk": lobby_page.talk(said, table.settings.talk, view["viewer"], visit.lang)
        if len(table.people) > 1
        else None,
        "heard": lobby_page.heard(said, table.last),
        "moved": any(event["who"] == view["viewer"] for event in story),
        "absentee": view["seat"]
        if shown.mine and view["seat"] in table.people and view["seat"] not in (view["viewer"], *table.stand_ins)
        else None,
        "title_lang": "ja" if _is_japanese(shown.title) else visit.lang,
    }
    main = _draw("table_main.html", visit, **values)
    return Rendered(main, lambda: _draw("table.html", visit, main=main, **values))


def _seat_name(shown: Scene, seat: int) -> str:
    there = (*shown.seats, *([shown.mine] if shown.mine else []))
    return next(s.name for s in there if s.seat == seat)


def _who(shown: Scene, lang: str) -> Any:
    """What the log calls a seat; None is the table."""
    everyone = texts(lang)("table.everyone")
    return lambda seat: everyone if seat is None else _seat_name(shown, seat)


# ------------------------------------------------------------------------------------------------------ a result


def render_result(
    visit: Visit, rules: Rules, view: Json, story: Sequence[Json], table: Table, after: After | None = None
) -> str:
    """How a game ended: who won, the ranks with scores, why it was over, and what else there is to tell."""
    shown = scene(rules, view, story, visit.lang, {}, events_told=None)
    game, say = words(rules, visit.lang), texts(visit.lang)
    result, wrong = view["result"], _misdeclared(rules, story)
    opened = after.open_story if after else story
    together = bool(shown.mine) and len(table.people) > 1
    there = {s.seat: s for s in (*shown.seats, *([shown.mine] if shown.mine else []))}
    order = sorted(there, key=lambda seat: (result["ranks"][seat], seat != view["viewer"], seat))
    rows = [
        {
            "rank": result["ranks"][seat],
            "kanji": KANJI[result["ranks"][seat] - 1] if visit.lang == "ja" else str(result["ranks"][seat]),
            "seat": there[seat],
            "score": score_told(rules, visit.lang, view, seat, after.open_view if after else None),
            "held": say("result.held", cards=there[seat].held) if there[seat].fronts and there[seat].held else None,
            "misdeclared": say("declare.count", n=wrong[seat]) if wrong[seat] else None,
        }
        for seat in order
    ]
    return _draw(
        "result.html",
        visit,
        scene=shown,
        table=table,
        deck=deck_of(rules),
        headline=_headline(visit, view, shown),
        decisions=sum(event["who"] != "*" for event in story),
        rows=rows,
        note=game.get("score", "note"),
        who=_who(shown, visit.lang),
        next_game=together and table.again is not None,
        watches=(together and table.again is None) or bool(after and after.pending),
        after=after,
        game_id=rules.id,
        log=words(rules, visit.lang).tell(opened, namer(view, visit.lang))[::-1],
        chart=_chart(visit, rules, shown, opened, view, after.analysis) if after and after.analysis else "",
        blog=_blog(visit, rules, after, shown, [row["score"] for row in rows], order) if after and shown.mine else None,
    )


def _blog(
    visit: Visit, rules: Rules, after: After, shown: Scene, scores: Sequence[str], order: Sequence[int]
) -> after_page.Blog:
    names = after_page.names_to_show(after.game, shown, visit.lang)
    told = dict(zip(order, scores, strict=True))
    opened = scene(rules, after.open_view, after.open_story, visit.lang, {}, events_told=1)
    drawn = after_page.picture(deck_of(rules), opened, names, told, after.game.ranks)
    turns: list[str] = []
    if after.analysis is not None:
        # The sentences name seats, too: those who are not named are guests there as well.
        players = [name if name.startswith(BOT) else names[n] for n, name in enumerate(after.open_view["players"])]
        tell = _teller(visit, rules, {**after.open_view, "players": players}, after.open_story)
        found = chances.turns(after.analysis, [names[seat] for seat in sorted(names)], tell)
        turns = [after_page.turn_told(turn, visit.lang) for turn in found]
    return after_page.blog(words(rules, visit.lang).title(), after.game, names, told, turns, drawn, visit.lang)


def _teller(visit: Visit, rules: Rules, view: Json, story: Sequence[Json]) -> Callable[[int], str]:
    """The sentence of an event, without who did it."""
    told = words(rules, visit.lang).tell(story, namer(view, visit.lang))
    sentences = {t.n: t.sentence for t in reversed(told)}
    return lambda n: sentences.get(n, "")


def _chart(
    visit: Visit, rules: Rules, shown: Scene, story: Sequence[Json], view: Json, analysis: Analysis
) -> markupsafe.Markup:
    names = [_seat_name(shown, seat) for seat in range(len(view["players"]))]
    mine = None if shown.mine is None else shown.mine.seat
    return render_chances(analysis, names, visit.lang, _teller(visit, rules, view, story), mine)


def render_replay_of(visit: Visit, game: Game, n: str, here: Replayed) -> str:
    """A finished game after `n` decisions (at its end when that is no number), with every hand open."""
    rules = game.rules
    decided = [number for number, event in enumerate(game.events) if event.who != "*"]
    step = min(int(n), len(decided)) if n.isascii() and n.isdigit() and len(n) < 7 else len(decided)
    events = decided[step] if step < len(decided) else len(game.events)
    record = game.record()
    if events < len(game.events):
        del record["result"]
    view = from_record({**record, "events": record["events"][:events]}, rules).view(None, open_hands=True)
    story = game.story(None, open_hands=True)
    shown = scene(rules, view, story[:events], visit.lang, {}, events_told=None)
    number, steps = 0, []
    counted = {event: i for i, event in enumerate(decided, 1)}
    for told in words(rules, visit.lang).tell(story, namer(view, visit.lang)):
        number = counted.get(told.n, number)
        steps.append((number, told))
    return _draw(
        "replay.html",
        visit,
        scene=shown,
        here=here,
        n=step,
        most=len(decided),
        done=next((told for at, told in steps if at == step and told.seat is not None), None),
        steps=steps[::-1],
        deck=deck_of(rules),
        who=_who(shown, visit.lang),
    )


def render_lab(
    visit: Visit,
    shelf: Sequence[Rules],
    rules: Rules,
    runs: Sequence[Run],
    levels: Sequence[str],
    refusal: str | None = None,
    chosen: Form | None = None,
) -> str:
    """Choose what to study; `runs`: the studies so far."""
    given = chosen or {}
    setup = setup_from_form(rules, {}, visit.lang)
    return _draw(
        "lab.html",
        visit,
        nav="lab",
        refusal=refusal,
        games=[(one.id, words(one, visit.lang).title()) for one in shelf],
        game=rules.id,
        title=words(rules, visit.lang).title(),
        counts=range(rules.least_seats, rules.most_seats + 1),
        seats=given.get("seats", [str(n) for n in range(rules.least_seats, rules.most_seats + 1)]),
        levels=levels,
        chosen_levels=given.get("level", ["random"]),
        amounts=GAMES,
        amount=given.get("games", [str(GAMES[0])])[-1],
        options=_option_fields(rules, visit.lang, setup.options, given),
        runs=[(run, words(run.rules, visit.lang).title(), _asked(run, visit.lang)) for run in runs],
    )


def _asked(run: Run, lang: str) -> str:
    """What a study was asked, in words."""
    say = texts(lang)
    levels = say("game.comma").join(say(f"lab.level_{level}") for level in run.levels)
    seats = say("game.comma").join(str(n) for n in run.seats)
    return say("lab.asked", seats=seats, levels=levels, n=f"{run.games:,}")


def render_lab_run(visit: Visit, run: Run) -> Rendered:
    """How far a study is."""
    game = words(run.rules, visit.lang)
    asked, places = _asked(run, visit.lang), list(enumerate(run.shares, 1))
    values = {"run": run, "title": game.title(), "asked": asked, "places": places}
    main = _draw("lab_run.html", visit, **values)
    return Rendered(main, lambda: _draw("lab_page.html", visit, nav="lab", main=main, **values))


def render_players(visit: Visit, rules: Rules, felt: Mapping[str, Any], bots: Brief | None) -> str:
    """What people felt of a game, for its designer, and what bots' games tell."""
    return _draw("players.html", visit, box=_box(rules, visit.lang), deck=deck_of(rules), felt=felt, bots=bots)


def _misdeclared(rules: Rules, story: Sequence[Json]) -> Counter[int]:
    """How often each seat declared something else than what came to be."""
    if rules.declares is None:
        return Counter()
    field = rules.declares[1]
    return Counter(e["who"] for e in story if e["said"] is not None and e["said"] != e["fields"][field])


def _headline(visit: Visit, view: Json, shown: Scene) -> str:
    say = texts(visit.lang)
    first = [seat for seat, rank in enumerate(view["result"]["ranks"]) if rank == 1]
    if len(first) == len(view["players"]) > 1:
        return say("result.all_equal")
    if len(first) > 1:
        return say("result.tied", names=say("result.and").join(_seat_name(shown, seat) for seat in first))
    if first[0] == view["viewer"]:
        return say("result.you_win")
    return say("result.wins", name=_seat_name(shown, first[0]))


def render_chances(
    analysis: Analysis, names: Sequence[str], lang: str, tell: Callable[[int], str], mine: int | None = None
) -> markupsafe.Markup:
    """A part of a result page: the plot of winning chances, with the turning points under it; empty when nothing was
    decided in the game.

    `names` by seat; `tell(n)` gives the sentence of event n without who did it, "" when there is none; `mine` is the
    viewer's seat."""
    drawn = chances.plot(analysis, names, tell, mine)
    if drawn is None:
        return markupsafe.Markup()
    say = texts(lang)

    def told(seats: Sequence[tuple[str, int]]) -> str:
        return say("game.comma").join(say("chances.one", name=name, n=n) for name, n in seats)

    label = say("chances.label", start=told(drawn.start), last=told(drawn.last))
    template = _templates().get_template("chances.html")
    return markupsafe.Markup(template.render(plot=drawn, label=label, say=say, lang=lang))


# ------------------------------------------------------------------------------------------------- to be read


def render_rules(visit: Visit, rules: Rules, markdown: str | None) -> str:
    """The rules text; `{{7}}` or `{{5 5 8}}` in it are drawn as cards."""
    deck = deck_of(rules)
    draw, game = _draw_inline(visit, deck), words(rules, visit.lang)

    def called(name: str) -> str | None:
        return game.option(name) if name in rules.declared_options else None

    return _draw(
        "rules.html",
        visit,
        notice=notice_of(rules, visit.lang),
        box=_box(rules, visit.lang),
        deck=deck,
        book=_in_book(rules),
        text=None if markdown is None else to_html(markdown, draw, called),
        cards=_told(deck, cards_in(markdown or ""), visit.lang),
    )


def _in_book(rules: Rules) -> bool:
    """Whether the picture book of a game's deck shows cards of the game: the plain deck draws any name, and its book
    has playing cards."""
    book = set(decks.names(deck_of(rules)))
    return any(kind.name in book for kind in rules.kinds(rules.options()))


def _draw_inline(visit: Visit, deck: str) -> Any:
    part = _templates().from_string(
        '{% import "parts.html" as part with context %}<span class="inline-cards{% if helped %} large{% endif %}">'
        "{% for card in cards %}{{ part.face(card, 'face flat') }}{% endfor %}</span>"
    )

    def draw(names: Sequence[str]) -> str:
        if not all(_is_card(deck, name) for name in names):
            return str(markupsafe.escape("{{" + " ".join(names) + "}}"))
        cards = [CardShown(name, decks.label(deck, name, visit.lang), face=name) for name in names]
        faces = _version(Path(decks.__file__).parent)
        helped = bool(decks.DECKS[deck].help)
        return part.render(cards=cards, deck=deck, lang=visit.lang, faces=faces, say=texts(visit.lang), helped=helped)

    return draw


def _told(deck: str, names: Sequence[str], lang: str) -> list[tuple[str, str, str, str]]:
    return tell_cards(deck, [(name, name) for name in names if _is_card(deck, name)], lang)


def _is_card(deck: str, name: str) -> bool:
    """Whether a deck has a card of this name: a text may be mistaken."""
    try:
        decks.label(deck, name)
    except KeyError:
        return False
    return True


def render_cards(visit: Visit, deck: str, names: Sequence[str]) -> str:
    """All cards of a deck, each with what helps to read it: whoever looks here wants to know."""
    say = texts(visit.lang)
    shown = list(dict.fromkeys(decks.helped(deck, name) for name in names if not name.startswith("t-")))
    return _draw(
        "cards.html",
        visit,
        deck=deck,
        deck_name=say.get(f"decks.{deck}") or deck,
        all_decks=[(each, say.get(f"decks.{each}") or each) for each in decks.DECKS],
        cards=_told(deck, shown, visit.lang),
        nav="cards",
    )


DRILLED = ("karuta",)
"""The decks that have a drill."""


def render_drill_start(visit: Visit, deck: str, chosen: Form | None = None, nothing: bool = False) -> str:
    """Choose what to drill. `chosen`: the form that came back; `nothing`: nothing could be asked of it."""
    values = drill_page.start(visit.lang, chosen)
    return _draw("drill.html", visit, deck=deck, asked=None, answered=None, nothing=nothing, **values)


def render_drill(
    visit: Visit,
    deck: str,
    progress: Progress,
    question: Question,
    answered: tuple[Question, Sequence[str]] | None = None,
) -> str:
    """A question of the drill; above it, whether the last answer was right."""
    return _draw(
        "drill.html",
        visit,
        deck=deck,
        progress=progress,
        asked=drill_page.shown(deck, question, visit.lang),
        answered=drill_page.verdict(deck, *answered, visit.lang) if answered else None,
        fields=drill_page.fields(progress, question),
    )


def render_error(visit: Visit, status: int, message: str) -> str:
    """Something went wrong; `message` says what, in words a person reads."""
    return _draw("error.html", visit, status=status, message=message)
