"""Records of games that the lab counted: played again from their seeds as a table would, and compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tefuda.engine.chance import SeededChance
from tefuda.engine.game import BOT, MOST_NAME, Game
from tefuda.lab.results import Results


class ReplayError(Exception):
    """A counted game came out differently when it was played again: compiled and plain rules disagree."""


def replay(results: Results, game: int) -> Game:
    """A kept game (by its number), played again in plain mode from its seed and the bots' decisions.

    ReplayError when a decision is not legal there or the game comes out differently."""
    names = [(BOT + str(bot))[:MOST_NAME] for bot in results.bots_of(game)]
    again = Game(results.rules, names, results.options, SeededChance(int(results.seeds[game])))
    which = f"game {game} of seed {results.seed}"
    legal = 0
    for n, choice in enumerate(results.histories[game].tolist()):
        moves = again.legal()
        if choice not in moves:
            raise ReplayError(f"{which}: decision {n}, {again.notation.text(choice)}, is not legal when played again")
        legal += len(moves)
        again.play_move(choice)
    counted = {
        "ranks": results.ranks[game].tolist(),
        "scores": results.scores[game].tolist(),
        "capped": bool(results.capped[game]),
    }
    if again.result != counted or legal != results.legal[game]:
        raise ReplayError(f"{which} was counted as {counted}; played again it comes out {again.result}")
    return again


def records(results: Results) -> Iterator[Game]:
    """The games that were kept, in order, played again."""
    for game in range(len(results.histories)):
        yield replay(results, game)


def save_records(results: Results, folder: str | Path) -> list[Path]:
    """Write a record of every kept game into a folder (made when missing); the files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, game in enumerate(records(results)):
        path = folder / f"{results.rules.id}-{results.seed}-{number}.fuda.json"
        game.save(path)
        files.append(path)
    return files
