"""Where the rows of games are kept: Parquet files, written part after part while games are played, so that a run may be
broken off and taken up again, and memory does not grow with the number of games.

A folder of results holds, of all cells together, `games.parquet` (a row a game), `decisions.parquet` (a row a
decision), `dealt.parquet` (what each seat held before the first decision) and `stands.parquet` (how the seats stood
during a game, by search); while it is being filled, they lie in parts."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from tefuda.lab.cell import Cell
from tefuda.lab.playing import Batch

KINDS = ("games", "decisions", "dealt", "stands")

PART_GAMES = 200_000
PART_DECISIONS = 1_000_000
"""A part is written when it has so many rows."""

SLICE_DECISIONS = 500_000
"""About so many decisions are looked at together."""


class Data:
    """The rows of one cell, on disk. Each is a lazy frame: what is asked of it is computed part by part.

    `games`: a row a game. `decisions`, `dealt`: of the first games, as many as were to be kept. `stands`: of a sample
    of these. `between`: only of the games from the first number up to the second."""

    def __init__(
        self, cell: Cell, folder: Path, store: object = None, between: tuple[int, int] | None = None
    ) -> None:
        self.cell, self.folder, self._between = cell, folder, between
        self._store = store  # a temporary folder is there as long as somebody knows it

    def _scan(self, kind: str) -> pl.LazyFrame | None:
        files = sorted(self.folder.glob(f"{kind}-*.parquet"))
        if not files:
            return None
        rows = pl.scan_parquet(files, glob=False)
        return rows if self._between is None else rows.filter(pl.col("game").is_between(*self._between, closed="left"))

    @property
    def games(self) -> pl.LazyFrame:
        """A row a game; `deal` numbers the deals (games of a deal have the same cards)."""
        found = self._scan("games")
        assert found is not None, "no games were played"
        return found.with_columns(deal=pl.col("game") // self.cell.turns_a_deal)

    @property
    def decisions(self) -> pl.LazyFrame | None:
        """A row a decision; None when none were kept."""
        return self._scan("decisions")

    @property
    def dealt(self) -> pl.LazyFrame | None:
        """By game, seat and kind of card, how many the seat held before the first decision."""
        return self._scan("dealt")

    @property
    def stands(self) -> pl.LazyFrame | None:
        """How the seats stood (see course.py); None when nobody looked."""
        return self._scan("stands")

    @property
    def count(self) -> int:
        """How many games there are."""
        return int(self.games.select(pl.len()).collect().item())

    @property
    def kept(self) -> int:
        """Of how many games (the first ones) there are the decisions."""
        if self.decisions is None:
            return 0
        return int(self.decisions.select(pl.col("game").max()).collect(engine="streaming").item() or 0) + 1

    def slices(self) -> Iterator[Data]:
        """The games of which decisions are kept, so many at a time that these are easily held in memory."""
        if self.decisions is None:
            return
        decisions = int(self.decisions.select(pl.len()).collect(engine="streaming").item())
        games = self.kept
        step = max(1, games * SLICE_DECISIONS // max(1, decisions))
        for first in range(0, games, step):
            yield Data(self.cell, self.folder, self._store, (first, min(first + step, games)))

    def moves_of(self, game: int) -> list[int]:
        """The decisions of a game, as moves of the rules."""
        assert self.decisions is not None
        rows = self.decisions.filter(pl.col("game") == game).sort("n").collect()
        return [encoded(*row) for row in rows.select("kind", "a", "b", "c").iter_rows()]


def encoded(kind: int, a: int, b: int, c: int) -> int:
    """A move from its kind and parts, as `add` of cards.py writes it."""
    return (kind << 57) | (a << 38) | (b << 19) | c


class Store:
    """A folder of results. Without a folder it is a temporary one, gone with this object."""

    def __init__(self, folder: Path | None = None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="tefuda-lab-") if folder is None else None
        self.folder = Path(self._temporary.name) if self._temporary else Path(folder or ".")
        self.parts = self.folder / "parts"

    def data(self, cell: Cell) -> Data:
        """The rows of a cell."""
        return Data(cell, self.parts / cell.id, self)

    def done(self, cell: Cell) -> int:
        """How many of its games are there."""
        ends = [int(file.stem.split("-")[2]) for file in (self.parts / cell.id).glob("games-*.parquet")]
        return max(ends, default=0)

    def write(self, cell: Cell, batches: Iterator[Batch]) -> Iterator[int]:
        """Write what is played; after every batch, how many games of the cell are done. What was played is on disk even
        when the iterator is closed early."""
        folder = self.parts / cell.id
        folder.mkdir(parents=True, exist_ok=True)
        waiting: list[Batch] = []
        games = decisions = 0
        try:
            for batch in batches:
                waiting.append(batch)
                games += len(batch.games)
                decisions += 0 if batch.decisions is None else len(batch.decisions)
                if games >= PART_GAMES or decisions >= PART_DECISIONS:
                    _write_part(folder, waiting)
                    waiting, games, decisions = [], 0, 0
                yield batch.end
        finally:
            _write_part(folder, waiting)

    def write_stands(self, cell: Cell, frame: pl.DataFrame) -> None:
        """Write how the seats stood."""
        _write(frame, self.parts / cell.id / "stands-0-0.parquet")

    def merge(self, cells: Sequence[Cell]) -> None:
        """Put the parts of all cells together into one file of each kind, and take the parts away. `cell`, `seats`,
        `options` and `bots` say what was played."""
        for kind in KINDS:
            frames = []
            for cell in cells:
                found = sorted((self.parts / cell.id).glob(f"{kind}-*.parquet"))
                if found:
                    frames.append(
                        pl.scan_parquet(found, glob=False).select(
                            pl.lit(cell.id).alias("cell"),
                            pl.lit(cell.seats, pl.Int8).alias("seats"),
                            pl.lit(json.dumps(dict(cell.options))).alias("options"),
                            pl.lit(cell.level).alias("bots"),
                            pl.all(),
                        )
                    )
            if frames:
                whole = pl.concat(frames, how="diagonal_relaxed")
                new = self.folder / f"{kind}.parquet.new"
                whole.sink_parquet(new)
                new.replace(self.folder / f"{kind}.parquet")
        shutil.rmtree(self.parts, ignore_errors=True)

    def split(self, cells: Sequence[Cell]) -> None:
        """The other way round, to play on: of each cell the rows that are in the merged files."""
        for kind in KINDS:
            merged = self.folder / f"{kind}.parquet"
            if not merged.is_file():
                continue
            for cell in cells:
                rows = pl.scan_parquet(merged).filter(pl.col("cell") == cell.id)
                rows = rows.drop("cell", "seats", "options", "bots")
                here = self.parts / cell.id
                if list(here.glob(f"{kind}-*.parquet")):
                    continue
                games = rows.select(pl.len()).collect().item() if kind == "games" else None
                if games == 0 or rows.select(pl.len()).collect().item() == 0:
                    continue
                here.mkdir(parents=True, exist_ok=True)
                columns = [name for name in rows.collect_schema() if not _belongs_to_more_seats(name, cell)]
                rows.select(columns).sink_parquet(here / f"{kind}-{0:010}-{games or 0:010}.parquet")


def _belongs_to_more_seats(column: str, cell: Cell) -> bool:
    name, _, seat = column.rpartition("_")
    return name in ("rank", "score", "stand") and seat.isdecimal() and int(seat) >= cell.seats


def _write_part(folder: Path, batches: Sequence[Batch]) -> None:
    if not batches:
        return
    name = f"{batches[0].first:010}-{batches[-1].end:010}.parquet"
    for kind in ("decisions", "dealt", "games"):  # the games last: they say that the part is there
        frames = [frame for batch in batches if (frame := getattr(batch, kind)) is not None]
        if frames:
            _write(pl.concat(frames), folder / f"{kind}-{name}")


def _write(frame: pl.DataFrame, path: Path) -> None:
    """Whole or not at all."""
    new = path.with_suffix(".new")
    frame.write_parquet(new)
    new.replace(path)
