"""What comes after a game, worked out for pages: what people felt of it, a report for a blog, a picture of the final
table, and what the designer of a game reads. The templates only draw it."""

from __future__ import annotations

import base64
import html
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tefuda import decks
from tefuda.tables import ReportRow, Table
from tefuda.tables.sitters import visible
from tefuda.web.chances import Turn
from tefuda.web.components import Scene
from tefuda.words import texts

Json = Any

FUN = (1, 2, 3, 4, 5)
LENGTH = (-2, -1, 0, 1, 2)
MOST_WORDS = 1000
"""Characters of the free line of a play report."""

CLAUSE = re.compile(r"\b[A-Z]{2}-\d+\b")
MOST_OF_CLAUSE = 72
"""Characters of a sentence by which a clause is told."""

LIST_MARK = re.compile(r"^\s*(?:[-*+×○]|\d+\.)\s+")
MARKS = re.compile(r"[*`{}|>#]|\(?[A-Z]{2}-\d+[^)）]*[)）]?|（[A-Z]{2}-\d+[^）]*）")


def clauses(markdown: str) -> list[tuple[str, str]]:
    """The clauses of a rules text, each with the first sentence of what first tells of it. A line that only names
    clauses is about what stands before it; one that names them in its midst only speaks of them."""
    found: dict[str, str] = {}
    spoken_of: dict[str, str] = {}
    before = ""
    for line in markdown.splitlines():
        told = " ".join(LIST_MARK.sub("", MARKS.sub("", line)).split()) or before
        for match in CLAUSE.finditer(line):
            at_end = not re.search(r"\w", CLAUSE.sub("", line[match.end() :]))
            (found if at_end else spoken_of).setdefault(match[0], _first_sentence(told))
        before = told
    found = spoken_of | found
    order = list(found)
    return [(clause, found[clause]) for clause in sorted(order, key=lambda c: (c[:2] != order[-1][:2], c[:2], _n(c)))]


def _first_sentence(text: str) -> str:
    """The first sentence of a text; where even that is long, its beginning, cut between words."""
    first = re.split(r"(?<=[.!?])\s|(?<=。)", text, maxsplit=1)[0].rstrip(" :：、,")
    if len(first) <= MOST_OF_CLAUSE:
        return first
    start = first[: MOST_OF_CLAUSE - 1]
    cut = max(start.rfind(" "), start.rfind("、"))
    return (start[:cut] if cut > MOST_OF_CLAUSE // 2 else start).rstrip(" ,、") + "…"


def _n(clause: str) -> int:
    return int(clause.partition("-")[2])


def report_from_form(form: Mapping[str, Sequence[str]], known: Sequence[str]) -> dict[str, Json]:
    """What somebody felt, as the form posts it. What is missing, or is no answer, is left open. `known`: the clauses
    that may have been unclear."""
    fun, length = (_whole(form, name) for name in ("fun", "length"))
    clause = form.get("unclear", [""])[-1]
    return {
        "fun": fun if fun in FUN else None,
        "length": length if length in LENGTH else None,
        "unclear": clause if clause in known else None,
        "free": visible(form.get("free", [""])[-1])[:MOST_WORDS],
        "named": form.get("named") == ["true"],
    }


def _whole(form: Mapping[str, Sequence[str]], name: str) -> int | None:
    text = form.get(name, [""])[-1]
    return int(text) if re.fullmatch(r"-?\d", text) else None


# ------------------------------------------------------------------------------------------------- how long it took


@dataclass(frozen=True)
class Played:
    """A finished game as people played it, with its options and its record: when it began (milliseconds since 1970),
    its minutes, the seconds of each
    decision of people, the scores by seat, and what they felt, by seat."""

    table_id: str
    public: bool
    began: int
    minutes: float
    seconds: Sequence[float]
    names: Sequence[str]
    ranks: Sequence[int]
    scores: Sequence[int]
    people: Sequence[int]
    options: Mapping[str, Json]
    record: Mapping[str, Json]
    reports: Mapping[int, dict[str, Json]]


def played(table: Table, reports: Sequence[ReportRow] = ()) -> Played:
    """A table whose game is over."""
    result, times = table.game.result or {}, table.times
    own = [thought for thought in times.thoughts if thought.seat in table.people]
    return Played(
        table.id,
        table.public,
        times.began,
        (times.since - times.began) / 60_000,
        [thought.milliseconds / 1000 for thought in own],
        [sitter.name for sitter in table.sitters],
        result.get("ranks", []),
        result.get("scores", []),
        table.people,
        table.game.options,
        table.game.record(),
        {report.seat: report.body for report in reports},
    )


# ------------------------------------------------------------------------------------------------- for a blog


@dataclass(frozen=True)
class Blog:
    """A play report: the same as text and as HTML."""

    text: str
    html: str


def names_to_show(game: Played, shown: Scene, lang: str) -> dict[int, str]:
    """Who may be named: bots, the viewer, and people who said so; others are guests, told apart by their seats."""
    say = texts(lang)
    names = {}
    for seat in (*shown.seats, *([shown.mine] if shown.mine else [])):
        mine = shown.mine is not None and seat.seat == shown.mine.seat
        may = seat.bot or mine or game.reports.get(seat.seat, {}).get("named")
        names[seat.seat] = game.names[seat.seat] if mine else seat.name if may else say("report.guest", n=seat.seat + 1)
    return names


def turn_told(turn: Turn, lang: str) -> str:
    """A turning point in a line: what happened, at which move, and what became of the chances."""
    say = texts(lang)
    changes = [say("chances.change", name=name, before=before, after=after) for name, before, after in turn.changes]
    what, when = say("chances.then").join(turn.sentences), say("chances.move", n=turn.move)
    return say("report.turn", who=turn.who, what=what, changes=say("game.comma").join([when, *changes]))


def blog(
    title: str, game: Played, names: Mapping[int, str], scores: Mapping[int, str], turns: Sequence[str], picture: str,
    lang: str,
) -> Blog:  # fmt: skip
    """What is copied for a blog with one click: who played, how it ended, where it turned, what was felt, and a
    picture of the final table (inside the HTML)."""
    say = texts(lang)
    order = sorted(names, key=lambda seat: (game.ranks[seat], seat))
    date = datetime.fromtimestamp(game.began / 1000, UTC).strftime("%Y-%m-%d")
    minutes = max(1, round(game.minutes))
    first = say("report.played", date=date, n=len(names), minutes=minutes)
    ranks = [f"{game.ranks[seat]}. {names[seat]} {scores[seat]}" for seat in order]
    said = [body["free"] for _, body in sorted(game.reports.items()) if body.get("free")]
    sections = [(say("report.results"), ranks), (say("report.turning"), turns), (say("report.thoughts"), said)]
    sections = [(heading, lines) for heading, lines in sections if lines]
    text = "\n".join([title, first, *(line for heading, lines in sections for line in ("", heading, *lines))])
    parts = [f"<h2>{html.escape(title)}</h2>", f"<p>{html.escape(first)}</p>"]
    code = base64.b64encode(picture.encode()).decode()
    parts.append(f'<p><img alt="{html.escape(say("report.results"))}" src="data:image/svg+xml;base64,{code}"></p>')
    for heading, lines in sections:
        items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        parts.append(f"<h3>{html.escape(heading)}</h3><ul>{items}</ul>")
    return Blog(text + "\n", "\n".join(parts) + "\n")


WIDTH, CARD, GAP, ROW = 720, 44, 5, 84


def picture(deck: str, shown: Scene, names: Mapping[int, str], scores: Mapping[int, str], ranks: Sequence[int]) -> str:
    """The final table as an SVG that stands alone: every seat with its rank and score, and the cards before it and in
    its hand."""
    faces: dict[str, str] = {}
    rows = []
    seats = {seat.seat: seat for seat in (*shown.seats, *([shown.mine] if shown.mine else []))}
    y = 12
    for number in sorted(seats, key=lambda seat: (ranks[seat], seat)):
        seat = seats[number]
        cards = [pick.card.face for pile in (*seat.fronts, *seat.beside) for pick in pile.picks]
        cards += [card.face for card in seat.known for _ in range(card.times)]
        label = html.escape(f"{ranks[number]}. {names[number]}")
        rows.append(f'<text x="16" y="{y + 24}" font-size="17" font-weight="600">{label}</text>')
        rows.append(f'<text x="16" y="{y + 46}" font-size="15">{html.escape(scores[number])}</text>')
        x, low = 190, y
        for face in cards:
            if x + CARD > WIDTH - 8:
                x, low = 190, low + ROW - 14
            faces.setdefault(face, decks.face(deck, face, "ja"))
            rows.append(f'<use href="#{_id(face)}" x="{x}" y="{low}" width="{CARD}" height="{CARD * 7 // 5}"/>')
            x += CARD + GAP
        y = low + ROW
        rows.append(f'<path d="M16 {y - 10}H{WIDTH - 16}" stroke="#c9bda2"/>')
    symbols = "".join(_symbol(_id(face), drawn) for face, drawn in faces.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
        f'font-family="sans-serif" fill="#24211d"><defs>{symbols}</defs>'
        f'<rect width="{WIDTH}" height="{y}" fill="#f0ebe0"/>{"".join(rows)}</svg>'
    )


def _id(face: str) -> str:
    return "f" + face.encode().hex()


def _symbol(name: str, drawn: str) -> str:
    """A card's face as a symbol; the names inside it are made its own, so that many can stand in one picture."""
    inner = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
    for one in set(re.findall(r'\bid="([^"]+)"', inner)):
        inner = inner.replace(f'id="{one}"', f'id="{name}-{one}"').replace(f"#{one})", f"#{name}-{one})")
        inner = inner.replace(f'href="#{one}"', f'href="#{name}-{one}"')
    return f'<symbol id="{name}" viewBox="0 0 250 350">{inner}</symbol>'


# ------------------------------------------------------------------------------------------- for the designer


def felt(games: Sequence[Played], known: Sequence[tuple[str, str]], lang: str) -> dict[str, Any]:
    """What the designer's page of a game tells of games that people played to the end."""
    say = texts(lang)
    reports = [(game, seat, body) for game in games for seat, body in game.reports.items()]
    minutes, seconds = [game.minutes for game in games], [s for game in games for s in game.seconds]
    measures: list[tuple[str, str]] = []
    for label, values, digits in ((say("report.people_minutes"), minutes, 0), (say("report.thinking"), seconds, 1)):
        if values:
            middle, low, high = (f"{v:.{digits}f}" for v in (statistics.median(values), min(values), max(values)))
            measures.append((label, say("report.median", median=middle, low=low, high=high)))
    fun = [body["fun"] for _, _, body in reports if body.get("fun")]
    length = Counter(body["length"] for _, _, body in reports if body.get("length") is not None)
    unclear = Counter(body["unclear"] for _, _, body in reports if body.get("unclear"))
    told = dict(known)
    names = {-2: "short", -1: "shorter", 0: "right", 1: "longer", 2: "long"}
    thoughts: list[tuple[str, str]] = []
    if fun:
        thoughts.append((say("report.fun_mean"), f"{statistics.mean(fun):.1f} / 5 (n = {len(fun)})"))
    if length:
        counts = [f"{say(f'report.length_{names[n]}')}: {length[n]}" for n in LENGTH if length[n]]
        thoughts.append((say("report.length_mean"), say("game.comma").join(counts)))
    if unclear:
        shown = [f"{clause} ({n}) {told.get(clause, '')}" for clause, n in unclear.most_common(5)]
        thoughts.append((say("report.unclear_most"), say("game.comma").join(shown)))
    remarks = [
        {
            "text": body["free"],
            "name": game.names[seat] if body.get("named") else say("report.anonymous"),
            "link": f"/t/{game.table_id}/replay" if game.public else None,
        }
        for game, seat, body in reports
        if body.get("free")
    ]
    return {
        "count": say("report.of", n=len(games), people=len(reports)),
        "measures": measures,
        "thoughts": thoughts,
        "remarks": remarks,
    }
