"""How much one client, one table and the whole server take in a while: enough for any people, too little for a flood.

Every limit is a bucket that fills steadily: so many at once, and then so many a second."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from tefuda.tables import TalkError

MOST_BUCKETS = 20_000


@dataclass(frozen=True)
class Pace:
    """So many at once, and then so many a second."""

    burst: float
    rate: float


class Buckets:
    """Buckets of one pace, by whom they are for. May be used from any thread."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, whose: Hashable) -> bool:
        """Take one out of somebody's bucket; whether there was one left."""
        now = time.monotonic()
        with self._lock:
            left, at = self._buckets.pop(whose, (self.pace.burst, now))
            left = min(self.pace.burst, left + (now - at) * self.pace.rate)
            taken = left >= 1
            self._buckets[whose] = (left - taken, now)
            while len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
            return taken

    def has(self, whose: Hashable) -> bool:
        """Whether somebody could take one now; nothing is taken."""
        with self._lock:
            left, at = self._buckets.get(whose, (self.pace.burst, 0.0))
            return left + (time.monotonic() - at) * self.pace.rate >= 1


class Limits:
    """The limits of a server. `off`: none at all, for measuring and for a closed room.

    `requests` and `changes` (whatever is posted) of a client, `tables` that it opens, names of tables that it tries and
    that are none (`guesses`), lines that a seat says. `streams`: open event streams of a client, and of all."""

    def __init__(self, off: bool = False) -> None:
        self.off = off
        self.requests = Buckets(Pace(300, 50))
        self.changes = Buckets(Pace(100, 10))
        self.tables = Buckets(Pace(30, 0.5))
        self.guesses = Buckets(Pace(40, 0.5))
        self.lines = Buckets(Pace(6, 0.7))
        self.streams_of_client, self.streams_of_all = 60, 6000

    def may(self, buckets: Buckets, whose: Hashable) -> bool:
        """Whether somebody may do once more what is limited."""
        return self.off or buckets.take(whose)

    def talk(self, table_id: str, seat: int | None) -> None:
        """TalkError when a seat says too much in too short a time."""
        if seat is not None and not self.may(self.lines, (table_id, seat)):
            raise TalkError("pace")
