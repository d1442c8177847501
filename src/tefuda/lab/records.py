"""Records of games that the lab counted: played again from their seeds as a table would, and compared; and which games
are worth looking at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from tefuda.engine.chance import SeededChance
from tefuda.engine.game import BOT, MOST_NAME, Game
from tefuda.engine.sentence import Sentence, ToldError
from tefuda.lab.measures.course import courses
from tefuda.lab.store import Data

NOTABLE = ("longest", "shortest", "most_dramatic", "most_one_sided", "most_typical")


class ReplayError(ToldError):
    """A counted game came out differently when it was played again: compiled and plain rules disagree."""


def replay(data: Data, game: int) -> Game:
    """A game of which decisions are kept (by its number), played again in plain mode from its seed.

    ReplayError when a decision is not legal there or the game comes out differently."""
    cell = data.cell
    row = data.games.filter(pl.col("game") == game).collect().row(0, named=True)
    names = [(BOT + str(bot))[:MOST_NAME] for bot in cell.bots_of(game)]
    again = Game(cell.rules, names, cell.options, SeededChance(int(row["seed"])))
    which = Sentence("game {game} of seed {seed}", game=game, seed=cell.seed)
    legal = 0
    for n, choice in enumerate(data.moves_of(game)):
        moves = again.legal()
        if choice not in moves:
            raise ReplayError(
                "{which}: decision {n}, {move}, is not legal when played again",
                which=which,
                n=n,
                move=again.notation.text(choice),
            )
        legal += len(moves)
        again.play_move(choice)
    counted = {
        "ranks": [row[f"rank_{seat}"] for seat in range(cell.seats)],
        "scores": [row[f"score_{seat}"] for seat in range(cell.seats)],
        "capped": bool(row["capped"]),
    }
    if again.result != counted or legal != row["legal"]:
        raise ReplayError(
            "{which} was counted as {counted}; played again it comes out {result}",
            which=which,
            counted=counted,
            result=again.result,
        )
    return again


def save_records(data: Data, games: Mapping[str, int], folder: str | Path) -> dict[str, Path]:
    """Write records of some games into a folder (made when missing), by a word for each; the files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for word, number in games.items():
        files[word] = folder / f"{data.cell.rules.id}-{data.cell.seats}-{word}.fuda.json"
        replay(data, number).save(files[word])
    return files


def notable(data: Data) -> dict[str, int]:
    """The games worth a look, by why: the longest and the shortest, and of those whose course was looked at the most
    dramatic (whose winner was furthest behind), the most one-sided (settled first) and the most typical (nearest to
    the middle in length and margin). Where all games are alike in a respect, none is the most."""
    if data.decisions is None:
        return {}
    kept = data.games.filter((pl.col("game") < data.kept) & ~pl.col("stuck"))
    rows = kept.select("game", "decisions", pl.col("^score_[0-9]+$")).sort("game").collect()
    if len(rows) == 0:
        return {}
    numbers, lengths = rows["game"].to_numpy(), rows["decisions"].to_numpy()
    out = {}
    if lengths.min() < lengths.max():
        out = {"longest": int(numbers[np.argmax(lengths)]), "shortest": int(numbers[np.argmin(lengths)])}
    scores = np.sort(rows.select(pl.col("^score_[0-9]+$")).to_numpy(), axis=1)
    margins = scores[:, -1] - (scores[:, -2] if scores.shape[1] > 1 else 0)
    far = sum(np.abs(each - np.median(each)) / (each.std() or 1.0) for each in (lengths, margins))
    if data.stands is not None:
        games = courses(data)
        far = np.where(np.isin(numbers, [each.game for each in games]), far, np.inf)
        if len({each.drama() for each in games}) > 1:
            out["most_dramatic"] = max(games, key=lambda each: (each.drama(), -each.game)).game
        if len({(each.settled(), each.played_out()) for each in games}) > 1:
            out["most_one_sided"] = min(games, key=lambda each: (each.settled(), -each.played_out(), each.game)).game
    out["most_typical"] = int(numbers[np.argmin(far)])
    return out
