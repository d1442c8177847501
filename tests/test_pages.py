"""What people see: every page from a view alone, for every seat and a spectator, in both languages."""

from __future__ import annotations

import itertools
import random
import re
import string
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import tefuda
from tefuda import decks
from tefuda.bots.analysis import Analysis, Judgement, TurningPoint
from tefuda.engine.declare import Card, Choice, Flag, Name
from tefuda.engine.game import Game, new
from tefuda.engine.rules import Rules, RulesError, find, game_ids, of_file
from tefuda.web import pages
from tefuda.web.after_page import Played
from tefuda.web.choosing import claimed_by, names_of, tray_of, wishes
from tefuda.web.components import Meaning
from tefuda.web.gliding import MOST, Handles, handles
from tefuda.web.layouts import layout_of
from tefuda.web.pages import Table, Visit
from tefuda.web.standings import score_told
from tefuda.words import LANGUAGES, fill, texts, words, words_file

WEB = Path(pages.__file__).parent
SOURCE = Path(tefuda.__file__).parent

GAMES = game_ids()
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
CLOSED_BY_THEMSELVES = frozenset({"path", "circle", "rect"})


# ---------------------------------------------------------------------------------------------- reading a page


class Reader(HTMLParser):
    """Reads a page and complains about what is not well formed, or what the content policy would not run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[tuple[str, dict[str, str]]] = []
        self.said: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        given = {name: value or "" for name, value in attrs}
        assert "style" not in given, f"inline style in <{tag}>"
        assert not any(name.startswith("on") for name in given), f"inline script in <{tag}>"
        assert tag != "style", "an inline style sheet"
        assert tag != "script" or given.get("src"), "an inline script"
        for name in ("src", "href", "action"):
            licence = tag == "a" and "license" in given.get("rel", "").split()  # a page one may go to, nothing loaded
            assert licence or given.get(name, "/").startswith(("/", "#")), f"{tag} {name}={given[name]}: remote"
        self.tags.append((tag, given))
        for name in ("alt", "aria-label", "title", "placeholder"):
            if given.get(name):
                self.said.append((given[name], self.language(given)))
        if tag not in EMPTY:
            self.open.append((tag, given))

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1][0] == tag, f"</{tag}> closes <{self.open[-1][0]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.said.append((data, self.language({})))

    def language(self, given: Mapping[str, str]) -> str:
        return given.get("lang") or next((a["lang"] for _, a in reversed(self.open) if "lang" in a), "")

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        return [a for t, a in self.tags if t == tag and all(a.get(k) == v for k, v in wanted.items())]

    def cards(self) -> set[str]:
        """The cards the page shows or names by their names, anywhere."""
        faces = {m[1] for a in self.all("img") if (m := re.match(r"/faces/\w+/(?:t-)?([^/]+)\.svg", a["src"]))}
        marked = {a["data-card"] for _, a in self.tags if "data-card" in a}
        listed = {m[1] for _, a in self.tags if (m := re.match(r"/faces/\w+/(.+)\.svg", a.get("data-face", "")))}
        picked = {a["value"] for a in self.all("input") if a.get("name", "").startswith("pile.")}
        return {unquote(name) for name in faces | marked | listed | picked} - {"back"}

    def text(self) -> str:
        return " ".join(data for data, _ in self.said)


def read(page: str) -> Reader:
    assert page.startswith("<!doctype html>")
    reader = Reader(page.removeprefix("<!doctype html>"))
    ids = [a["id"] for _, a in reader.tags if "id" in a]
    assert len(set(ids)) == len(ids), f"an id twice: {Counter(ids).most_common(3)}"
    for _, given in reader.tags:
        for name in ("aria-describedby", "aria-labelledby", "for", "form"):
            assert given.get(name) is None or given[name] in ids, f"{name}={given[name]} points nowhere"
    for image in reader.all("img"):
        assert "alt" in image
        assert image["width"] and image["height"], "the page would jump when the picture comes"
    return reader


# ------------------------------------------------------------------------------------------------- positions


PEOPLE = ["Aki", "Ben", "Chie", "Dan", "Emi", "Fay"]


def options_of(rules: Rules, rng: random.Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for name, option in rules.declared_options.items():
        if isinstance(option, Flag):
            chosen[name] = rng.random() < 0.5
        elif isinstance(option, Choice):
            chosen[name] = rng.choice(option.texts)
    return chosen


@cache
def played(game: str, seed: int, decisions: int) -> Game:
    rng = random.Random(f"{game} {seed}")
    rules = find(game)
    seats = rng.randint(rules.least_seats, rules.most_seats)
    names = [PEOPLE[i] if i == 0 or rng.random() < 0.5 else "bot:search:400" for i in range(seats)]
    g = new(rules, players=names, seed=seed, options=options_of(rules, rng))
    for _ in range(decisions):
        if g.over:
            break
        assert g.seat is not None
        g.play(rng.choice(g.moves(person=g.is_person(g.seat))))
    return g


POSITIONS = [(game, seed, n) for game in GAMES for seed, n in enumerate((0, 1, 2, 3, 7, 14, 27, 45, 80, 3000))]


def tables(lang: str) -> Iterator[tuple[Game, Any, pages.Rendered]]:
    for game, seed, n in POSITIONS:
        g = played(game, seed, n)
        for viewer in (*range(len(g.players)), None):
            view = g.view(viewer, person=True)
            table = Table("momiji-204", thinking=g.seat is not None and not g.is_person(g.seat))
            yield g, view, pages.render_table(Visit(lang, "/t/momiji-204"), g.rules, view, g.story(viewer), table)


def known_to(view: Any) -> set[str]:
    found = set()
    for pile in view["piles"].values():
        for one in pile if isinstance(pile, list) else [pile]:
            found |= {name for name in one["cards"] if name is not None}
    return found


# ------------------------------------------------------------------------------------------------- every table


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_table_is_well_formed_and_shows_no_card_its_viewer_does_not_know(lang: str) -> None:
    for g, view, rendered in tables(lang):
        page = read(rendered.page)
        assert rendered.main in rendered.page
        assert page.cards() <= known_to(view), f"{g.rules.id}, viewer {view['viewer']}, {len(g.events)} events"
        assert "{" not in page.text(), "a sentence that was not filled in"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_offers_what_is_legal_and_nothing_else(lang: str) -> None:
    for g, view, rendered in tables(lang):
        page = read(rendered.page)
        enabled = {(a["name"], a["value"]) for a in page.all("input", form="move") if "disabled" not in a}
        enabled |= {(a["name"], a["value"]) for a in page.all("input") if a.get("name", "").startswith("part.")} - {
            (a["name"], a["value"]) for a in page.all("input") if "disabled" in a
        }
        buttons = {a["value"] for a in page.all("button", name="move")}
        tray = tray_of(g.rules, view)
        claims = claimed_by(g.rules, tray) if tray else []
        found = [wish for wish in wishes(g.rules, view) if wish.move not in claims]
        wanted = {(f"pile.{pile}", card) for w in found for pile, cards in w.picks.items() for card in cards}
        wanted |= {(f"part.{name}", value) for w in found for name, value in w.parts.items()}
        if tray:  # every card of its pile can be laid, and one laid alone is picked
            laid = {(f"pile.{tray.pile}", a["value"]) for a in page.all("button", name="put")}
            assert {card for _, card in laid} == set(view["piles"][tray.pile][view["viewer"]]["cards"])
            enabled |= laid & wanted
        assert enabled == wanted
        assert buttons == {w.move for w in found} | ({"claim"} if claims else set())
        # as many copies of a card as the hand holds, so that each can be chosen
        for w in found:
            for pile, cards in w.picks.items():
                boxes = [a for a in page.all("input", name=f"pile.{pile}") if a["value"] == cards[0]]
                if tray and tray.pile == pile:
                    boxes += [a for a in page.all("button", name="put") if a["value"] == cards[0]]
                assert len(boxes) >= len(cards)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_main_button_at_most_and_the_turn_is_told(lang: str) -> None:
    for g, view, rendered in tables(lang):
        page = read(rendered.page)
        mains = [a for t, a in page.tags if t in ("button", "a") and "main" in a.get("class", "").split()]
        assert len(mains) == (1 if view["moves"] or view["over"] else 0)
        title = next(data for data, _ in page.said)
        assert words(g.rules, lang).title() in title
        turns = sum("ban" in a.get("class", "").split() for _, a in page.tags)
        assert turns == (0 if view["over"] else 1), "the turn seal lies at one seat"


def test_an_english_page_has_japanese_only_where_it_says_so() -> None:
    for g, view, rendered in tables("en"):
        texts_said = read(rendered.page).said
        if view["over"]:
            result = pages.render_result(Visit("en", "/"), g.rules, view, g.story(view["viewer"]), Table("w-22"))
            texts_said = texts_said + read(result).said
        for said, lang in texts_said:
            assert lang == "ja" or not JAPANESE.search(said), said


def test_names_are_text_and_never_markup() -> None:
    g = new("leaves13", players=["<b>Aki</b>", '"><img src=x>', "bot:x"], seed=1)
    for viewer in (0, 1, None):
        rendered = pages.render_table(Visit("en", "/t/a-11"), g.rules, g.view(viewer), g.story(viewer), Table("a-11"))
        page = read(rendered.page)
        assert not page.all("img", src="x")
        assert "<b>Aki</b>" not in rendered.page


@pytest.mark.parametrize(("lang", "name"), [("ja", "お客さん 2"), ("en", "Guest 2")])
@pytest.mark.parametrize("given", ["お客さん 2", "Guest 2"])
def test_who_gave_no_name_is_a_guest_in_the_language_of_the_reader(given: str, lang: str, name: str) -> None:
    g = new("leaves13", players=["Guestina", given, "bot:x"], seed=1)
    table = pages.render_table(Visit(lang, "/t/a-11"), g.rules, g.view(0), g.story(0), Table("a-11"))
    assert name in read(table.page).text()
    assert names_of(g.view(0), lang)[0] == "Guestina"


def test_a_page_waits_for_the_others_without_a_script_too() -> None:
    for _, view, rendered in tables("en"):
        page = read(rendered.page)
        thinks = page.all("meta", **{"http-equiv": "refresh"})
        waits = not view["over"] and not view["moves"] and view["viewer"] is not None
        assert (texts("en")("table.look_again") in page.text()) >= waits
        assert not (thinks and (view["over"] or view["moves"])), "no page goes while somebody chooses"


def test_a_word_is_glossed_for_those_who_read_english() -> None:
    for lang in LANGUAGES:
        shown = Meaning("中和", "ちゅうわ", "neutralization")
        told = pages._templates().get_template("parts.html").make_module({"lang": lang, "say": texts(lang)})
        said = str(told.meaning(shown))  # type: ignore[attr-defined]
        assert "中和（ちゅうわ）" in said.replace("</span>", "")
        assert ("neutralization" in said) == (lang == "en")


def test_the_log_tells_every_decision_and_hides_what_is_hidden() -> None:
    g = new("tebineri_cookie", players=["Aki", "Ben", "Chie"], seed=4)
    giver = g.seat
    assert giver is not None
    card = g.view(giver)["piles"]["hand"][giver]["cards"][0]
    to = (giver + 1) % 3
    g.play(f"{card}>{to}")
    g.play(":H0")
    told = words(g.rules, "en").card(card)
    for viewer in range(3):
        log = drawn(g, viewer).text().lower()
        assert "really delicious heart-shaped cookie" in log
        assert (f"{told} to" in log) == (viewer == giver)
        assert ("a card to" in log) == (viewer != giver)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_a_long_log_is_told_as_in_the_whole(game: str, lang: str) -> None:
    g = played(game, 9, 3000)
    story = g.story(None)
    own = words(g.rules, lang)
    whole = own.tell(story, str)
    for latest in range(1, len(story), max(3, len(story) // 40)):
        end = own.tell(story, str, latest)
        assert end == [told for told in whole if told.n >= story[-latest]["n"]]


# ---------------------------------------------------------------------------------------------- from a form back


def form_of(wish: Any) -> dict[str, list[str]]:
    form = {"move": [wish.move], "at": ["0"]}
    form |= {f"pile.{pile}": list(cards) for pile, cards in wish.picks.items()}
    form |= {f"part.{name}": [value] for name, value in wish.parts.items()}
    return form


def test_the_form_of_every_legal_move_reads_back_as_that_move() -> None:
    tried = 0
    for game, seed, n in POSITIONS:
        g = played(game, seed, n)
        if g.seat is None:
            continue
        view = g.view(g.seat, person=True)
        for wish in wishes(g.rules, view):
            choosing = pages.move_from_form(g.rules, view, form_of(wish))
            assert (choosing.move, choosing.refusal) == (wish.text, None)
            tried += 1
    assert tried > 100


def test_what_was_chosen_for_another_button_does_not_matter() -> None:
    g = new("leaves13", players=["Aki", "Ben", "Chie"], seed=3)
    g.play(g.moves()[0])
    assert g.seat is not None
    view = g.view(g.seat)
    play, take = view["moves"][0], next(m for m in view["moves"] if m.startswith("-"))
    rank, n = play.split("x")
    form = {"pile.hand": [rank] * int(n), "pile.row": [take[1:]]}
    assert pages.move_from_form(g.rules, view, {**form, "move": ["play"]}).move == play
    assert pages.move_from_form(g.rules, view, {**form, "move": ["pass"]}).move == take


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_says_what_is_wrong_and_what_would_be_right(lang: str) -> None:
    g = new("leaves13", players=["Aki", "Ben", "Chie"], seed=3)
    seat = g.seat
    assert seat is not None
    view = g.view(seat)
    exact = words(g.rules, lang).exact
    hand = view["piles"]["hand"][seat]["cards"]
    first, last = hand[0], hand[-1]

    def ask(**fields: list[str]) -> pages.Choosing:
        return pages.move_from_form(g.rules, view, {k.replace("_", "."): v for k, v in fields.items()}, lang)

    mixed = ask(move=["play"], pile_hand=[first, last])
    assert mixed.move is None
    assert exact("play", {"rank": first, "n": 1}, str) in str(mixed.refusal)
    assert mixed.chosen == {"pile.hand": [first, last]}
    assert words(g.rules, lang).choose("play") in str(ask(move=["play"]).refusal)
    assert words(g.rules, lang).label("play") in str(ask(move=["pass"]).refusal)
    assert words(g.rules, lang).label("play") in str(ask().refusal)
    other = (seat + 1) % 3
    waiting = pages.move_from_form(g.rules, g.view(other), {"move": ["play"]}, lang)
    assert waiting.move is None
    assert g.players[seat] in str(waiting.refusal)
    over = played("leaves13", 9, 3000)
    assert texts(lang)("refusal.over") == pages.move_from_form(over.rules, over.view(0), {}, lang).refusal


def test_a_refused_choice_is_shown_again_with_the_reason() -> None:
    g = new("leaves13", players=["Aki", "Ben", "Chie"], seed=3)
    assert g.seat is not None
    view = g.view(g.seat)
    hand = view["piles"]["hand"][g.seat]["cards"]
    chosen = {"pile.hand": [hand[0], hand[-1]]}
    table = Table("a-11", refusal="No & no.", chosen=chosen)
    page = read(pages.render_table(Visit("en", "/t/a-11"), g.rules, view, g.story(g.seat), table).page)
    checked = [a["value"] for a in page.all("input", name="pile.hand") if "checked" in a]
    assert checked == [hand[0], hand[-1]]
    assert "No & no." in page.text()
    assert page.all("p", role="alert", id="refusal")


# ------------------------------------------------------------------------------------------------ words and texts


def keys_of(table: Any, before: str = "") -> set[str]:
    if not isinstance(table, dict):
        return {before}
    return {key for name, value in table.items() for key in keys_of(value, f"{before}/{name}")}


def gaps_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def sentences(table: Any, before: str = "") -> dict[str, str]:
    if isinstance(table, str):
        return {before: table}
    if not isinstance(table, dict):
        return {}
    return {k: v for name, value in table.items() for k, v in sentences(value, f"{before}/{name}").items()}


def pairs_of_files() -> list[tuple[Path, Path]]:
    own = [(words_file(find(game), "ja"), words_file(find(game), "en")) for game in GAMES]
    return [(SOURCE / "texts.ja.toml", SOURCE / "texts.en.toml"), *own]


@pytest.mark.parametrize(("ja", "en"), pairs_of_files(), ids=lambda path: path.parent.name + "-" + path.name)
def test_both_languages_say_the_same_things(ja: Path, en: Path) -> None:
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in (ja, en)]
    assert keys_of(tables[0]) == keys_of(tables[1])
    first, second = sentences(tables[0]), sentences(tables[1])
    for key, sentence in first.items():
        assert gaps_of(sentence) == gaps_of(second[key]), key
        assert not JAPANESE.search(second[key]), f"{key}: {second[key]}"
        assert bool(sentence) == bool(second[key]), key


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_words_for_everything_a_page_names(game: str, lang: str) -> None:
    rules = find(game)
    own = words(rules, lang)
    for key in ("idea", "credit"):
        assert own.get("box", key)
    for pile in rules.piles:
        assert own.get("piles", pile.name), pile.name
    for move in rules.moves:
        for key in ("turn", "label", "log"):
            assert own.get("moves", move.name, key) is not None, (move.name, key)
        if move.parts:
            assert own.get("moves", move.name, "choose"), move.name
            assert own.get("moves", move.name, "exact"), move.name
        for name, part in move.parts.items():
            assert own.get("parts", name), name
            if isinstance(part, Choice):
                assert all(own.get("choices", name, text) for text in part.texts)
    for name, option in rules.declared_options.items():
        assert own.get("options", name, "label"), name
        assert own.get("options", name, "help"), name
        if isinstance(option, Choice):
            assert all(own.get("options", name, text) for text in option.texts)
    seats = layout_of(rules).seats
    for field in (seats.out, seats.marker, *seats.facts):
        assert field is None or own.get("fields", field), field
    if own.table.get("cards"):
        assert set(own.table["cards"]) == {kind.name for kind in rules.kinds(rules.options())}


def test_every_text_that_a_page_asks_for_is_there_and_every_text_is_asked_for() -> None:
    files = [*WEB.glob("*.py"), *WEB.glob("templates/*.html"), SOURCE / "words.py", SOURCE / "tables" / "sitters.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    asked = set(re.findall(r"""(?:say|texts)\(\s*["']([a-z_]+\.[a-z_]+)["'](?!\s*~)""", source))
    for key in asked:
        assert all(texts(lang).get(key) is not None for lang in LANGUAGES), key
    by_name = {"piles", "parts", "moves", "events", "decks", "levels", "asks"}
    for section, table in texts("ja").table.items():
        for key in table:
            stems = [f"{section}.", *(f"{section}.{key[: i + 1]}" for i, c in enumerate(key) if c == "_")]
            made = any(f'{stem}" ~' in source or f"{stem}{{" in source for stem in stems)
            asked_for = section in by_name or made or f"{section}.{key}" in source
            assert asked_for, f"{section}.{key} is asked for nowhere"


def test_a_sentence_chooses_between_one_and_many() -> None:
    assert fill("{n} {n:leaf|leaves}", n=1) == "1 leaf"
    assert fill("{n} {n:leaf|leaves}", n=0) == "0 leaves"
    assert fill("{name}: {n:3}", name="a", n=1) == "a:   1"
    assert fill("{missing} {n}", n=2) == "{missing} 2"


# ------------------------------------------------------------------------------------- the pages besides the table


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_gallery_shows_what_the_authors_say(lang: str) -> None:
    page = read(pages.render_gallery(Visit(lang), [find(game) for game in GAMES]))
    text = page.text()
    for game in GAMES:
        rules, own = find(game), words(find(game), lang)
        for said in (own.title(), own.author(), own.get("box", "idea"), own.get("box", "time") or ""):
            assert said in text
        assert page.all("form", method="post", action=f"/games/{game}")
        assert page.all("button", name="friends", **{"aria-label": f"{texts(lang)('gallery.friends')}: {own.title()}"})
        low, high = rules.info["seats"]
        assert f"{low}{'〜' if lang == 'ja' else '–'}{high}" in text
    if lang == "en":
        assert all(said_lang == "ja" or not JAPANESE.search(said) for said, said_lang in page.said)


def test_a_box_without_words_claims_nothing() -> None:
    page = read(pages.render_gallery(Visit("en"), [bare("leaves13")])).text()
    assert "min" not in page.split("13 Leaves")[1].split("by")[0]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_setting_up_offers_every_seat_count_option_and_level(game: str, lang: str) -> None:
    rules = find(game)
    page = read(pages.render_setup(Visit(lang, f"/games/{game}"), rules, ["normal", "easy", "strong"]))
    seats = [a["value"] for a in page.all("input", name="seats")]
    assert seats == [str(n) for n in range(rules.least_seats, rules.most_seats + 1)]
    assert [a["value"] for a in page.all("input", name="level")] == ["easy", "normal", "strong"]
    assert [a["value"] for a in page.all("input", name="level") if "checked" in a] == ["normal"]
    for name in rules.declared_options:
        assert page.all("input", name=f"option.{name}") or page.all("textarea", name=f"own.{name}"), name
    form = {a["name"]: [a["value"]] for a in page.all("input") if "checked" in a}
    form |= {a["name"]: [a["value"]] for a in page.all("input", type="number")}
    setup = pages.setup_from_form(rules, form, lang)
    assert setup.refusal is None
    assert rules.options(setup.options) == rules.options()


def test_an_empty_form_is_a_game_as_usual() -> None:
    rules = find("leaves13")
    setup = pages.setup_from_form(rules, {})
    assert (setup.seats, setup.refusal, rules.options(setup.options)) == (4, None, rules.options())
    ticked = pages.setup_from_form(rules, {"seats": ["6"], "option.expert": ["true"], "option.target": ["50"]})
    assert (ticked.seats, ticked.options["expert"], ticked.options["target"]) == (6, True, 50)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("form", "names"),
    [
        ({"seats": ["9"]}, ("3", "6")),
        ({"seats": ["three"]}, ("3", "6")),
        ({"seats": ["³"]}, ("3", "6")),
        ({"option.target": ["101"]}, ("5", "100")),
        ({"option.target": ["twenty"]}, ("5", "100")),
        ({"option.leader": ["loser"]}, ()),
        ({"name": ["bot:search"]}, ("40",)),
        ({"name": ["x" * 41]}, ("40",)),
    ],
)
def test_a_wrong_setup_is_refused_in_words(form: dict[str, list[str]], names: Sequence[str], lang: str) -> None:
    rules = find("leaves13")
    setup = pages.setup_from_form(rules, form, lang)
    assert setup.refusal is not None
    assert all(name in setup.refusal for name in names)
    assert bool(JAPANESE.search(setup.refusal)) == (lang == "ja")
    page = read(pages.render_setup(Visit(lang, "/games/leaves13"), rules, ["normal"], setup.refusal, form))
    assert setup.refusal in page.text()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_result_tells_who_won_the_scores_and_why_it_was_over(game: str, lang: str) -> None:
    g = played(game, 9, 3000)
    assert g.result is not None
    for viewer in (*range(len(g.players)), None):
        view = g.view(viewer)
        page = read(pages.render_result(Visit(lang, "/t/a-11/result"), g.rules, view, g.story(viewer), Table("a-11")))
        text = page.text()
        assert page.cards() <= known_to(view)
        if g.result["ranks"].count(1) == 1 and g.result["ranks"][viewer if viewer is not None else 0] == 1:
            assert (texts(lang)("result.you_win") in text) == (viewer is not None)
        ending = layout_of(g.rules).ending
        assert ending is not None
        key, _ = ending.why(view)
        sentence = words(g.rules, lang).get("end", key)
        assert sentence is not None
        assert re.search(re.sub(r"\\\{.*?\\\}", ".+", re.escape(sentence)), text)
        for score in g.result["scores"]:
            assert str(abs(score)) in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_decides_between_equal_scores_is_told_beside_them(lang: str) -> None:
    equal = 0
    for seed in range(12):
        g = new("jukugo_babanuki", seats=5, seed=seed, options={"rounds": 1})
        while not g.over:
            g.play(g.moves()[-1])
        assert g.result is not None
        view, opened = g.view(0), g.view(None, open_hands=True)
        for seat, score in enumerate(g.result["scores"]):
            told = score_told(g.rules, lang, view, seat, opened)
            points = texts(lang)("result.score", score=g.rules.module.hand_worth(opened, seat))
            assert told.startswith(str(score_told(g.rules, lang, view, seat)))
            assert (points in told) == (g.result["scores"].count(score) > 1)
        for one, other in itertools.combinations(range(5), 2):
            if g.result["scores"][one] == g.result["scores"][other]:
                worth = [g.rules.module.hand_worth(opened, seat) for seat in (one, other)]
                ranks = [g.result["ranks"][seat] for seat in (one, other)]
                assert (worth[0] < worth[1]) == (ranks[0] < ranks[1])
                equal += 1
    assert equal > 3


def test_every_way_a_game_ends_has_its_sentence() -> None:
    leaves = find("leaves13").module
    view: Any = {"state": {"minus": [3, 8, 0], "winner": 2}, "options": {"expert": False}}
    assert leaves.why(view) == ("emptied", 2)
    assert leaves.why({**view, "options": {"expert": True}}) == ("target", 1)
    assert leaves.why({**view, "state": {"minus": [3, 8, 0], "winner": -1}}) == ("capped", 0)
    cookies = find("tebineri_cookie").module
    front = [{"cards": ["S1", "S2", "S3", "H1"]}, {"cards": ["S4", "H2", "H3", "H4", "H5"]}]
    view = {"piles": {"front": front}, "state": {"joker": 0}}
    assert cookies.why(view) == ("four", 1)
    front[1]["cards"].pop()
    assert cookies.why(view) == ("empty", 0)
    for game, keys in (("leaves13", {"emptied", "target", "capped"}), ("tebineri_cookie", {"four", "empty"})):
        assert set(words(find(game), "ja").table["end"]) == keys


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_draws_the_cards_it_speaks_of(game: str, lang: str) -> None:
    rules = find(game)
    text = rules.path.with_name(f"rules.{lang}.md").read_text(encoding="utf-8")
    page = read(pages.render_rules(Visit(lang, f"/games/{game}/rules"), rules, text))
    assert "{{" not in page.text()
    named = {name for found in re.findall(r"\{\{([^}]+)\}\}", text) for name in found.split()}
    assert page.cards() == named


def test_a_rules_text_cannot_bring_markup_or_cards_that_do_not_exist() -> None:
    text = "<script>alert(1)</script> {{7 7}} {{99}} [x](javascript:alert(1))"
    page = read(pages.render_rules(Visit("en", "/"), find("leaves13"), text))
    assert page.cards() == {"7"}
    assert "{{99}}" in page.text()
    assert "alert(1)</script>" in page.text()
    assert "there is no rules text" in read(pages.render_rules(Visit("en", "/"), find("leaves13"), None)).text().lower()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("deck", list(decks.DECKS))
def test_the_picture_book_has_every_card_with_its_words(deck: str, lang: str) -> None:
    page = read(pages.render_cards(Visit(lang, f"/cards/{deck}"), deck, decks.names(deck)))
    shown = {decks.helped(deck, name) for name in decks.names(deck) if not name.startswith("t-")}
    assert page.cards() == shown - {"back"}
    text = "".join(page.text().split())  # (Japanese in an English sentence stands in an element of its own)
    assert all("".join(decks.describe(deck, name, lang).split()) in text for name in shown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_error_is_a_page_for_people(lang: str) -> None:
    page = read(pages.render_error(Visit(lang, "/nowhere"), 404, "a < b"))
    assert "a < b" in page.text()
    assert page.all("a", href="/")


# ------------------------------------------------------------------------------------- games without layout or words


@cache
def bare(game: str) -> Rules:
    """A game as a new maker would have it: no layout, no words, the plain deck."""
    rules = find(game)
    source = rules.source[: rules.source.index(f"# {'-' * 66} how the page")]
    return of_file(Path("/elsewhere") / f"{game}.py", re.sub(r'(?m)^    "deck": .*\n', "", source))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_layout_and_words_can_be_played_from_its_page(game: str, lang: str) -> None:
    rng = random.Random(5)
    g = new(bare(game), players=["Aki", "Ben", "bot:x"], seed=5)
    spelled = {m.name for m in g.rules.moves if any(isinstance(p, Name) and p.of for p in m.parts.values())}
    for _ in range(60):
        if g.over:
            break
        for viewer in (g.seat, None):
            view = g.view(viewer, person=True)
            rendered = pages.render_table(Visit(lang, "/t/a-11"), g.rules, view, g.story(viewer), Table("a-11"))
            page = read(rendered.page)
            assert page.cards() <= known_to(view)
            if viewer is not None:
                hand = Counter(view["piles"]["hand"][viewer]["cards"])
                drawn = [a["src"].split("/")[3].split(".")[0] for a in page.all("img") if "plain" in a["src"]]
                faces = Counter(unquote(name) for name in drawn)
                assert all(faces[name] >= n for name, n in hand.items())
                offered = {(a["name"], a["value"]) for a in page.all("input") if "name" in a and "disabled" not in a}
                layable = {a["value"] for a in page.all("button", name="put")}
                for wish in wishes(g.rules, view):
                    if wish.move in spelled:  # its cards are laid in order
                        assert all(set(g.notation.cards_of(text)) <= layable for text in wish.parts.values())
                        continue
                    needed = {(f"pile.{pile}", c) for pile, cards in wish.picks.items() for c in cards}
                    if layable:  # a card that may be laid may be played from there
                        assert {card for name, card in needed if name == "pile.hand"} <= layable
                        needed = {(name, card) for name, card in needed if name != "pile.hand"}
                    needed |= {(f"part.{name}", value) for name, value in wish.parts.items()}
                    assert needed <= offered
                    assert pages.move_from_form(g.rules, view, form_of(wish), lang).move == wish.text
        g.play(rng.choice(g.moves()))
    for other in g.rules.piles:
        if other.name in ("deck", "row"):
            assert any(p.pile == other.name for p in layout_of(g.rules).middle)


@pytest.mark.parametrize(
    ("layout", "says"),
    [
        ('(Hand("hands"),)', "'hands'"),
        ('(Seats(out="outside"),)', "'outside'"),
        ('(Hand("row"),)', "every seat"),
        ('(Stacks("hand"),)', "every seat"),
        ('(Stacks("deck"),)', "not everybody"),
        ('(Strip(("nothing",)),)', "'nothing'"),
        ('("hand",)', "no component"),
    ],
)
def test_a_layout_that_names_what_is_not_there_is_refused_in_words(layout: str, says: str) -> None:
    rules = of_file(Path("/elsewhere/wrong.py"), bare("leaves13").source + f"\nLAYOUT = {layout}\n")
    with pytest.raises(RulesError, match=re.escape(says)) as caught:
        layout_of(rules)
    assert "wrong.py" in str(caught.value)


# -------------------------------------------------------------------------------------- a maker's game without layout


STALL = """
from tefuda.engine.cards import *

INFO = {"id": "stall", "title": {"ja": "夜店", "en": "Stall"}, "seats": (2, 3)}
PILES = (
    Pile("hand", seen_by=OWNER),
    Pile("goods", seen_by=EVERYBODY, row=True),
    Pile("paid"),
    Pile("won", seen_by=EVERYBODY, each=True),
    Pile("deck", ordered=True),
)
HAND, GOODS, PAID, WON, DECK = number_piles(PILES, most_seats=3)
CARDS = kinds(DECK, range(1, 10), copies=3)
State = state_type(PILES, cards=27, kinds=9, seats=3, phase=1, place=1, bought=3)
PAY, BUY = 1, 2
MOVES = (
    Move(PAY, "pay", "{card}", card=Card("hand", hidden=True)),
    Move(BUY, "buy", "buy{place}", place=Number()),
)


def deal(s, t, chance):
    shuffle(s, DECK, chance)
    for seat in range(s.seats):
        draw(s, DECK, HAND + seat, 3)
    draw(s, DECK, GOODS, 3)


def legal(s, moves, t):
    if s.phase == 0:
        for card in range(1, 10):
            if count(s, HAND + s.turn, card) > 0:
                add(moves, PAY, card)
    else:
        for place in range(size(s, GOODS)):
            add(moves, BUY, place + 1)


def apply(s, choice, t):
    kind, part, _, _ = parts(choice)
    if kind == PAY:
        move(s, part, HAND + s.turn, PAID)
        s.phase = 1
    else:
        s.place = part
        s.bought[s.turn] += 1
        move_at(s, GOODS, part - 1, WON + s.turn)
        draw(s, DECK, GOODS)
        s.phase = 0
        s.turn = (s.turn + 1) % s.seats


def is_over(s, t):
    return s.phase == 0 and size(s, HAND + s.turn) == 0


def scores(s, points, t):
    for seat in range(s.seats):
        points[seat] = s.bought[seat]
"""
STALL_WORDS = """
[piles]
won = "買った品"

[fields]
phase = ""
place = "品の番号"
bought = "買った数"

[moves.pay]
log = "{card}を払う"

[moves.buy]
log = "「{place}番の品を」"
"""


def stall(folder: Path, words: str = STALL_WORDS) -> Game:
    """A game of it, in which seat 0 has bought what lay at place 3 and seat 1 has paid."""
    (folder / "stall.py").write_text(STALL, encoding="utf-8")
    (folder / "stall.words.ja.toml").write_text(words, encoding="utf-8")
    g = new(Rules(folder / "stall.py"), players=["Aki", "bot:x"], seed=3)
    for move in (g.moves()[0], "buy3"):
        g.play(move)
    g.play(g.moves()[0])
    return g


def table_of(g: Game, viewer: int | None) -> str:
    view = g.view(viewer, person=True)
    return pages.render_table(Visit("ja", "/t/a-11"), g.rules, view, g.story(viewer), Table("a-11")).page


def test_a_row_lies_side_by_side_in_its_order_and_is_numbered(tmp_path: Path) -> None:
    g = stall(tmp_path)
    page = table_of(g, 1)
    row = re.search(r'<ol class="spread" data-n="3" aria-label="goods">(.*?)</ol>', page, re.DOTALL)
    assert row is not None
    assert re.findall(r'data-card="(\w+)"', row[1]) == g.view(None)["piles"]["goods"]["cards"]
    assert re.findall(r'<b class="place" aria-hidden="true">(\d)</b>', row[1]) == ["1", "2", "3"]
    assert len(read(page).all("input", name="part.place")) == 3


def test_fields_are_told_unless_the_words_hide_them(tmp_path: Path) -> None:
    told = [read(table_of(stall(tmp_path), viewer)).text() for viewer in (0, 1, None)]
    assert all("品の番号 3" in text and "買った数 1" in text and "買った数 0" not in text for text in told)
    assert not any("phase" in text for text in told)
    hidden = STALL_WORDS.replace('"買った数"', '""').replace('phase = ""', "")
    (tmp_path / "other").mkdir()
    told = [read(table_of(stall(tmp_path / "other", hidden), viewer)).text() for viewer in (0, 1, None)]
    assert all("phase 1" in text and "bought" not in text for text in told)


def test_what_lies_before_the_viewer_is_called_by_its_name_away_from_the_hand(tmp_path: Path) -> None:
    g = stall(tmp_path)
    own = table_of(g, 0)
    status = own[own.index('<div class="status"') : own.index('<form id="move"')]
    card = g.view(0)["piles"]["won"][0]["cards"][0]
    assert "<figcaption>買った品</figcaption>" in status and f'data-card="{card}"' in status
    assert "own-things" not in own
    assert "own-fronts" not in table_of(g, 1)  # nothing lies there


def over(g: Game) -> Game:
    while not g.over:
        g.play(g.moves()[0])
    return g


def test_a_step_of_a_replay_is_told_in_the_words_of_the_log(tmp_path: Path) -> None:
    g = over(stall(tmp_path))
    here = pages.Replayed("/t/a-11/replay", "/t/a-11/result", "a-11")
    steps = [pages.render_replay_of(Visit("ja"), g, n, here) for n in ("0", "2")]
    told = [re.findall(r'<p class="at small" role="status">(.*?)</p>', step) for step in steps]
    assert [re.sub("<.*?>", "", one) for (one,) in told] == ["始まり", "2手め／12手 Aki：「3番の品を」"]


def test_a_result_tells_in_all_its_parts_what_was_played_face_down(tmp_path: Path) -> None:
    g = over(stall(tmp_path))
    n = next(n for n, event in enumerate(g.events) if event.who == 1)  # the other has paid a card, unseen
    even = (0.5, 0.5)
    judged = Judgement(n, 3, 1, g.event_text(g.events[n]), 2, (), None, None, even, (0.1, 0.1))
    found = Analysis("stall", g.rules.version, "search:2", 12, 0, (judged,), even, (
        TurningPoint(n, 3, 1, (), even, (0.75, 0.25), 0.25),
    ))  # fmt: skip
    game = Played("a-11", False, 0, 1.0, [], g.players, [1, 1], [3, 3], [0], g.options, g.record(), {})
    opened = {"open_view": g.view(None, open_hands=True), "open_story": g.story(None, open_hands=True)}
    after = pages.After(game, [], None, **opened, analysis=found, pending=False, promise=None, deletable=False, url="")
    page = pages.render_result(Visit("ja"), g.rules, g.view(0), g.story(0), Table("a-11"), after)
    paid = g.story(None, open_hands=True)[n]["parts"]["card"]
    assert paid is not None and g.story(0)[n]["parts"]["card"] is None
    assert page.count(f"{paid}を払う") >= 3  # in the log, the plot, and for a blog
    assert texts("ja")("game.hidden") + "を払う" not in page


def test_a_rules_page_leads_to_the_picture_book_that_shows_its_cards(tmp_path: Path) -> None:
    playing_cards = STALL.replace("kinds(DECK, range(1, 10), copies=3)", 'kinds(DECK, ["SA", "HA", "joy"], copies=3)')
    shown = {}
    for name, source in (("own", STALL), ("playing", playing_cards)):
        rules = of_file(tmp_path / f"{name}.py", source)
        shown[name] = [
            a["href"] for a in read(pages.render_rules(Visit("ja"), rules, "# 夜店")).all("a", **{"class": "btn"})
        ]
    assert shown == {"own": ["/games/stall"], "playing": ["/cards/plain", "/games/stall"]}
    for game in GAMES:
        page = read(pages.render_rules(Visit("ja"), find(game), None))
        assert page.all("a", href=f"/cards/{find(game).info['deck']}")


# ------------------------------------------------------------------------------------------- the ruler of 13 Leaves


def test_the_ruler_asks_for_what_the_rules_ask_for() -> None:
    rows = 0
    for seed in range(12):
        g = played("leaves13", seed, 5 + 3 * seed)
        view = g.view(None)
        module = g.rules.module
        low, high = module.row_ends(g.state)
        asks = module.asks(view)
        assert len(asks) == 13
        for rank in module.RANKS:
            n = module.fewest(g.state, rank, low, high)
            assert asks[rank - 1] == (None if n == module.NEVER else n)
        rows += low != high
    assert rows > 3
    empty = new("leaves13", seats=3, seed=1)
    assert empty.rules.module.asks(empty.view(None)) == [1] * 13


# ------------------------------------------------------------------------------------------------------ gliding


def handle_of(page: Reader, card: str, tag: str = "span") -> set[str]:
    return {
        name
        for _, given in page.tags
        if given.get("data-card") == card
        for name in given.get("class", "").split()
        if name.startswith("vt-")
    }


def drawn(g: Game, viewer: int | None) -> Reader:
    rendered = pages.render_table(Visit("en", "/t/a-11"), g.rules, g.view(viewer), g.story(viewer), Table("a-11"))
    return read(rendered.page)


def test_a_handle_stands_once_on_a_page_and_the_style_sheet_knows_it() -> None:
    sheet = (WEB / "static" / "tefuda.css").read_text(encoding="utf-8")
    known = set(re.findall(r"\.(vt-\d+)\{", sheet))
    assert known == {f"vt-{n}" for n in range(1, MOST + 1)}
    given = 0
    for _, _, rendered in tables("en"):
        found = re.findall(r"\bvt-\d+\b", rendered.main)
        assert len(set(found)) == len(found)
        assert set(found) <= known
        given += len(found)
    assert given > 1000


def test_a_played_card_keeps_its_handle_from_the_hand_to_the_row() -> None:
    g = new("leaves13", players=["Aki", "Ben", "Chie"], seed=3)
    seat = g.seat
    assert seat is not None
    rank = next(m for m in g.moves() if m.endswith("x1")).split("x")[0]
    alone = [card for card, n in Counter(g.view(seat)["piles"]["hand"][seat]["cards"]).items() if n == 1]
    rank = next(card for card in alone)
    before = handle_of(drawn(g, seat), rank)
    assert len(before) == 1
    g.play(f"{rank}x1")
    assert handle_of(drawn(g, seat), rank) == before


def test_an_opponents_card_comes_out_of_the_backs_of_its_hand() -> None:
    g = new("leaves13", players=["Aki", "Ben", "Chie"], seed=3)
    seat = g.seat
    assert seat is not None
    viewer = (seat + 1) % 3
    page = drawn(g, viewer)
    backs = {n for _, a in page.tags for n in a.get("class", "").split() if n.startswith("vt-")} - {
        n for card in known_to(g.view(viewer)) for n in handle_of(page, card)
    }
    move = next(m for m in g.moves() if m.split("x")[0] not in g.view(viewer)["piles"]["hand"][viewer]["cards"])
    g.play(move)
    there = handle_of(drawn(g, viewer), move.split("x")[0])
    assert there
    assert there <= backs


def moved(card: str | None, a: Sequence[Any], b: Sequence[Any], move: str = "m") -> dict[str, Any]:
    return {"move": move, "cards": [{"card": card, "from": list(a), "to": list(b)}]}


def test_a_card_out_of_sight_loses_its_handle() -> None:
    hands, hidden = frozenset({"hand"}), frozenset({"gone"})
    row, hand, offer = ("row", None), ("hand", 1), ("offer", None)
    taken = [moved("7", hand, row), moved("7", row, hand)]
    assert handles(taken, hands, hidden).take(hand, "7") == 1
    # an unknown card left the hand: it may have been the 7
    blurred = handles([*taken, moved(None, hand, offer)], hands, hidden)
    assert blurred.take(hand, "7") is None
    assert blurred.take(offer, None) == 2
    # the only card of a pile is the same card when it is turned up
    turned = handles([*taken, moved(None, hand, offer), moved("5", offer, row)], hands, hidden)
    assert turned.take(row, "5") == 2
    # what is not shown is forgotten
    gone = handles([moved("7", hand, row), moved("7", row, ("gone", None))], hands, hidden)
    assert gone.take(("gone", None), "7") is None


def test_after_a_shuffle_a_card_seen_to_move_comes_before_an_old_one() -> None:
    hand = ("hand", 0)
    story = [
        moved("7", ("deck", None), hand),
        {"move": "shuffle", "cards": []},
        moved("7", ("deck", None), hand),
    ]
    found = handles(story, frozenset({"hand"}), frozenset())
    assert found.take(hand, "7") == 2


def test_handles_go_round_and_are_never_given_twice_at_a_time() -> None:
    found = Handles()
    for _ in range(3 * MOST):
        found.move("7", ("deck", None), ("hand", 0), frozenset())
        found.move("7", ("hand", 0), ("gone", None), frozenset())
        found.places.pop(("gone", None))
    assert 1 <= found.last <= MOST
    for _ in range(2 * MOST):
        found.move("7", ("deck", None), ("hand", 0), frozenset())
    given = [seen.handle for seen in found.places[("hand", 0)]]
    assert len(set(given)) == len(given) == MOST


# --------------------------------------------------------------------------------------------- one mechanism for all


def written() -> list[Path]:
    """The static files that are text."""
    return [path for path in WEB.glob("static/*") if path.suffix != ".png"]


def test_no_shared_template_style_or_script_names_a_game() -> None:
    drawing = ("pages", "components", "choosing", "gliding", "layouts", "rules_text")
    shared = [*WEB.glob("templates/*"), *written(), *SOURCE.glob("texts.*.toml"), SOURCE / "words.py"]
    for path in [*shared, *(WEB / f"{name}.py" for name in drawing)]:
        text = path.read_text(encoding="utf-8")
        for game in GAMES:
            rules = find(game)
            for name in (game, rules.info["title"]["ja"], rules.info["title"]["en"]):
                assert name not in text, f"{path.name} names {name}"


def test_the_style_sheet_and_the_script_fetch_nothing_from_elsewhere() -> None:
    for path in written():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in text
        assert "@import" not in text


def test_parts_of_moves_are_cards_that_exist() -> None:
    for game, seed, n in POSITIONS:
        g = played(game, seed, n)
        if g.seat is None:
            continue
        view = g.view(g.seat, person=True)
        cards = known_to(view)
        for wish in wishes(g.rules, view):
            declared = next(m for m in g.rules.moves if m.name == wish.move)
            assert all(wish.data[name] in cards for name, part in declared.parts.items() if isinstance(part, Card))
