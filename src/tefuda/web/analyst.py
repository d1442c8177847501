"""Games that are over are looked back at by a search bot, one at a time, beside everything else; once for each game."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tefuda.bots.analysis import Analysis, analyse
from tefuda.bots.spec import parse
from tefuda.engine.game import Game
from tefuda.tables import StoreError, Table, Tables
from tefuda.tables.store import TakenError

log = logging.getLogger("tefuda.web")

BOT = "search:1000"
MOST_WAITING = 50
"""Games that wait to be looked back at; more are asked for again by whoever looks."""

Look = Callable[[Game, Callable[[], bool]], Analysis | None]
"""How a game is looked back at: the game, and whether to stop; None when it was stopped, or cannot be judged."""


def look_back(game: Game, stop: Callable[[], bool]) -> Analysis | None:
    """As the server does unless told otherwise."""
    return analyse(game, parse(BOT), stop=stop)


class Analyst:
    """Looks back at the games that people ask for."""

    def __init__(self, tables: Tables, look: Look = look_back) -> None:
        self.tables, self.look = tables, look
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="analyst")
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        self._given_up: set[str] = set()

    def close(self) -> None:
        """Stop; what is not finished is begun again when somebody asks."""
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def analysis(self, table: Table) -> Analysis | None:
        """What was thought of a game that is over; when nothing is kept yet it is begun, and None."""
        kept = self.tables.store.analysis(table.id)
        if kept is not None:
            try:
                return Analysis.from_json(kept)
            except ValueError:
                log.info("table %s: its analysis is of another format and is made anew", table.id)
        self._ask(table)
        return None

    def pending(self, table_id: str) -> bool:
        """Whether a game is being looked back at."""
        with self._lock:
            return table_id in self._waiting

    def _ask(self, table: Table) -> None:
        with self._lock:
            if table.id in self._waiting | self._given_up or len(self._waiting) >= MOST_WAITING:
                return
            self._waiting.add(table.id)
        game = table.past(len(table.game.events))
        self._pool.submit(self._work, table.id, game)

    def _work(self, table_id: str, game: Game) -> None:
        try:
            found = None if self._stopped.is_set() else self.look(game, self._stopped.is_set)
            if found is not None:
                self.tables.store.keep_analysis(table_id, found.to_json())
            elif not self._stopped.is_set():
                self._given_up.add(table_id)
        except TakenError:
            log.info("table %s was deleted while it was looked back at", table_id)
        except StoreError as e:
            log.warning("table %s: its analysis could not be kept: %s", table_id, e)
        except Exception:
            log.exception("table %s could not be looked back at", table_id)
            self._given_up.add(table_id)
        finally:
            with self._lock:
                self._waiting.discard(table_id)
