"""How fast Tefuda is, beside the same rules uncompiled and other systems: `make bench`.

    python bench/run.py [--runs N] [--quick]

Every figure is the median of several runs, all in this one call on this one machine. Each is printed as a line of
JSON as soon as it is there, and all of them as a table at the end. What is not installed (`pip install .[bench]`) is
reported as missing."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import bots, lab
from tefuda.engine import cards as cards_of_rules
from tefuda.engine.chance import SeededChance
from tefuda.engine.game import new
from tefuda.engine.plain import Cells, to_record
from tefuda.engine.rules import Rules, find
from tefuda.lab.playing import Table, cores

GAMES = (("leaves13", 4), ("tebineri_cookie", 4))

SEED = 1

HANDS = (5, 8, 12, 20, 27)
"""Sizes of hands in which words are sought: usual ones, and those of a game of two that nobody wins."""

CALLS = 200
"""So many calls are timed together."""

RULER = 0.3
"""Seconds that a measured piece of work should at least take."""


@dataclass(frozen=True)
class Figure:
    """A measured value: the median of `runs` runs, the lowest and the highest. None when it could not be measured;
    `note` says why, or what is measured."""

    name: str
    value: float | None
    unit: str
    note: str = ""
    runs: int = 0
    low: float | None = None
    high: float | None = None


def median(name: str, unit: str, measure: Callable[[], float], runs: int, note: str = "") -> Figure:
    """The median of several measurements."""
    found = [measure() for _ in range(runs)]
    return Figure(name, statistics.median(found), unit, note, runs, min(found), max(found))


def timed(work: Callable[[], Any]) -> float:
    """Seconds that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# ------------------------------------------------------------------------------------------------------ playing


def playouts(game: str, seats: int, runs: int, deals: int) -> Iterator[Figure]:
    """Random play: compiled, in the lab, and the same deals by the rules uncompiled."""
    rules = find(game)
    run = Table(lab.cell(rules, seats, [bots.parse("random")] * seats))
    desk, _, room, _ = run.place()

    def compiled(n: int) -> int:
        return int(run.module.playouts(run.start, run.t, desk, room, SEED, n))

    few = max(20, deals // 1000)
    moves_of_few = compiled(few)
    moves = compiled(deals)
    note = f"{seats} players, one core, {moves / deals:.1f} moves a game"
    fast = median(f"{game}: random moves", "moves/s", lambda: moves / timed(lambda: compiled(deals)), runs, note)
    yield fast
    assert fast.value is not None
    yield Figure(f"{game}: random games", fast.value * deals / moves, "games/s", "one core, from the line above", runs)

    plain = median(
        f"{game}: the same deals uncompiled",
        "moves/s",
        lambda: moves_of_few / timed(lambda: must_be(moves_of_few, uncompiled(rules, seats, few))),
        runs,
        "plain mode, one core, the first of those deals",
    )
    yield plain
    assert plain.value is not None
    yield Figure(f"{game}: compiled / uncompiled", fast.value / plain.value, "times", "", runs)

    def counted(threads: int) -> float:
        results = lab.play_games(
            rules, seats, deals, [bots.parse("random")] * seats, seed=SEED, threads=threads
        )
        return float(results.rows.games.select("decisions").sum().collect().item()) / results.seconds

    yield median(f"{game}: lab, one core", "moves/s", lambda: counted(1), runs, "with all that the lab counts")
    yield median(f"{game}: lab, all cores", "moves/s", lambda: counted(cores()), runs, f"{cores()} threads")


def uncompiled(rules: Rules, seats: int, deals: int) -> int:
    """Play deals by the rules as they are written; how many moves."""
    m = rules.module
    options = rules.options(None, seats)
    t = rules.tables(options, seats)
    moves = Cells("moves", [0] * (rules.most_moves + 1), 0, (1 << 63) - 1)
    n = 0
    for game in range(deals):
        s = rules.undealt(seats, options)
        chance = SeededChance(SEED + game)
        m.begin(s, t, chance)
        while not m.over(s, t):
            m.find_legal(s, moves, t)
            m.step(s, moves[1 + chance.below(moves[0])], t, chance)
            n += 1
    return n


def must_be(expected: int, found: int) -> None:
    """Both ways must have played the same games."""
    if expected != found:
        raise SystemExit(f"compiled rules played {expected} moves, uncompiled ones {found}: they disagree")


def searching(game: str, seats: int, runs: int, iterations: int) -> Figure:
    """Iterations of a search from the first position, on one core."""
    dealt = new(game, seats=seats, seed=SEED)
    bots.warm(dealt.rules)
    assert dealt.seat is not None
    state = dealt.blind(dealt.seat)
    bot = bots.parse(f"search:{iterations}")

    def rate() -> float:
        return iterations / timed(lambda: bots.consider(bot, state, dealt.rules, dealt.options, seed=SEED))

    note = f"{seats} players, first position, one core, search:{iterations}"
    return median(f"{game}: search", "iterations/s", rate, runs, note)


# ------------------------------------------------------------------------------------------------- finding words


def finding(runs: int, hands: int) -> Iterator[Figure]:
    """How long it takes to find the words of a random hand, and the cards with which it wins in 熟語テン."""
    rules = find("jukugo_ten")
    module = rules.compiled(Path(__file__).with_name("finding.py"))
    options = rules.options()
    t = rules.compiled_tables(module, options, 2)
    moves = np.zeros(rules.most_moves + len(t.words), np.int64)
    random = np.random.default_rng(SEED)
    cards = [kind for kind, declared in enumerate(rules.kinds(options), 1) for _ in range(declared.copies)]
    for size in HANDS:
        found: dict[str, list[float]] = {}
        for _ in range(hands):
            hand = [int(kind) for kind in random.permutation(cards)[:size]]
            s = rules.undealt(2, options)
            for kind in hand:
                cards_of_rules.move(s, kind, s.home[kind], 0)
            state = to_record(s, rules.state_type)
            work = {"words": partial(module.find_words, state, moves, t)}
            for goal in (10, 20):
                work[f"cards to win {goal} with"] = partial(module.find_keepable, state, hand[-1], goal, t)
            for name, calls in work.items():
                calls(1)
                least = min(timed(partial(calls, CALLS)) for _ in range(runs))
                found.setdefault(name, []).append(least / CALLS * 1e6)
        for name, seconds in found.items():
            note = f"{hands} random hands, one core; of each the fastest of {runs} runs"
            value, low, high = statistics.median(seconds), min(seconds), max(seconds)
            yield Figure(f"{name} of {size} cards", value, "µs a call", note, runs, low, high)


# ----------------------------------------------------------------------------------------------------- starting


def command(*arguments: str, cache: Path | None = None) -> float:
    """Seconds that a command of ours takes."""
    environment = dict(os.environ) | ({"TEFUDA_CACHE": str(cache)} if cache else {})
    line = [sys.executable, "-c", "from tefuda.cli import main; main()", *arguments]
    return timed(lambda: subprocess.run(line, env=environment, check=True, stdout=subprocess.DEVNULL))


def warming(game: str, cache: Path) -> float:
    """Seconds until a game's bots are ready, in a Python of its own, starting included."""
    line = f"from tefuda import bots; from tefuda.engine.rules import find; bots.warm(find({game!r}))"
    environment = dict(os.environ) | {"TEFUDA_CACHE": str(cache)}
    return timed(lambda: subprocess.run([sys.executable, "-c", line], env=environment, check=True))


def starting(runs: int, games: int) -> Iterator[Figure]:
    """How long one waits: with nothing compiled yet, and later."""
    yield median("tefuda --help", "s", lambda: command("--help"), runs)
    for game, seats in GAMES:
        colds, warms, bot_colds, bot_warms = [], [], [], []
        for _ in range(min(runs, 3)):
            with tempfile.TemporaryDirectory() as folder:
                arguments = ("lab", game, "--seats", str(seats), "--games", "1", "--json")
                colds.append(command(*arguments, cache=Path(folder)))
                warms.append(command(*arguments, cache=Path(folder)))
            with tempfile.TemporaryDirectory() as folder:
                bot_colds.append(warming(game, Path(folder)))
                bot_warms.append(warming(game, Path(folder)))
        for name, found, note in (
            ("cold start of the lab", colds, "tefuda lab with one game, nothing compiled yet"),
            ("warm start of the lab", warms, "the same, the second time"),
            ("cold start of the bots", bot_colds, "all that a table's bots need, nothing compiled yet"),
            ("warm start of the bots", bot_warms, "the same, the second time"),
        ):
            yield Figure(
                f"{game}: {name}", statistics.median(found), "s", note, len(found), min(found), max(found)
            )
    arguments = ("lab", "leaves13", "--seats", "4", "--games", str(games), "--bots", "random", "--json")
    note = "the whole command, warm, all cores"
    yield median(f"tefuda lab leaves13, {games} games", "s", lambda: command(*arguments), min(runs, 3), note)


def studying(runs: int, games: int) -> Iterator[Figure]:
    """How long the lab takes over random games of leaves13 with its measures, and how much memory: of many without raw
    rows of decisions, and of a tenth of them with these. In a Python of its own, starting included, on all cores."""
    for name, n, kept in ((f"{games} games, measures of games", games, 0),
                          (f"{games // 10} games, every decision kept", games // 10, games // 10)):  # fmt: skip
        line = (
            "from tefuda import lab; from tefuda.engine.rules import find; rules = find('leaves13'); "
            f"plan = lab.Plan(games={n}, kept={kept}, looked_at=0, clause_games=0, deals=0); "
            "lab.run(lab.Study(rules, lab.settings_of(rules, [4]), ('random',), plan, 1))"
        )
        seconds, memory = [], []
        for _ in range(min(runs, 3)):
            start = time.perf_counter()
            pid = os.posix_spawn(sys.executable, [sys.executable, "-c", line], os.environ)
            _, status, used = os.wait4(pid, 0)
            if status != 0:
                raise RuntimeError(f"the lab ended with status {status}")
            seconds.append(time.perf_counter() - start)
            memory.append(used.ru_maxrss / 1024)
        for what, found, unit in (("time", seconds, "s"), ("most memory", memory, "MiB")):
            value, low, high = statistics.median(found), min(found), max(found)
            yield Figure(f"lab, {name}: {what}", value, unit, "leaves13, 4 seats, random", len(found), low, high)


# -------------------------------------------------------------------------------------------------------- pages


def pages(runs: int) -> Iterator[Figure]:
    """How long a table's page takes, from the request to its last byte, in the middle of a game."""
    import socket

    import uvicorn

    from tefuda.tables import Sitter
    from tefuda.web.app import create_app

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(f"sqlite:///{folder}/bench.sqlite3", warm=lambda rules: None)
        listening = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            for game, seats in GAMES:
                yield page(app, game, seats, listening.getsockname()[1], Sitter, runs)
        finally:
            server.should_exit = True
            thread.join(20)


def page(app: Any, game: str, seats: int, port: int, sitter: Callable[[str], Any], runs: int) -> Figure:
    """One table's page."""
    names = [f"Player {n + 1}" for n in range(seats)]
    played = new(game, players=names, seed=SEED)
    for n in range(40):
        moves = played.legal()
        played.play_move(moves[n % len(moves)])
    opened = app.state.house.tables.put(played, [sitter(name) for name in names])
    address = f"http://127.0.0.1:{port}/t/{opened.table.id}"
    request = urllib.request.Request(address, headers={"Cookie": f"seat={opened.tokens[0]}"})
    sizes = []

    def fetch() -> None:
        with urllib.request.urlopen(request) as answer:
            sizes.append(len(answer.read()))

    fetch()
    found = median(f"{game}: page of a table", "ms", lambda: timed(fetch) * 1000, max(20, runs))
    return Figure(**{**asdict(found), "note": f"seat 0's page after 40 moves over HTTP, {sizes[-1] // 1024} KiB"})


# ------------------------------------------------------------------------------------------------- other systems


def open_spiel(runs: int) -> Iterator[Figure]:
    """OpenSpiel's card games, played by its C++ random bots; and its C++ information set search."""
    try:
        import pyspiel
    except ImportError:
        yield Figure("OpenSpiel", None, "moves/s", "missing: pip install .[bench]")
        return
    for name in ("crazy_eights", "hearts", "gin_rummy"):
        game = pyspiel.load_game(name)
        players = game.num_players()
        agents = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(players)]

        def rate(game: Any = game, agents: Any = agents) -> float:
            moves, seconds, deal = 0, 0.0, 0
            while seconds < RULER:
                state = game.new_initial_state()
                start = time.perf_counter()
                pyspiel.evaluate_bots(state, agents, SEED + deal)
                seconds += time.perf_counter() - start
                moves += sum(step.player >= 0 for step in state.full_history())
                deal += 1
            return moves / seconds

        yield median(f"OpenSpiel {name}: random moves", "moves/s", rate, runs, f"{players} players, C++ bots, one core")
    game = pyspiel.load_game("hearts")
    state = game.new_initial_state()
    deal = np.random.default_rng(SEED)
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(deal.choice(actions, p=chances)))
    simulations = 2000
    bot = pyspiel.ISMCTSBot(
        SEED,
        pyspiel.RandomRolloutEvaluator(1, SEED),
        0.7,
        simulations,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )
    note = "first position, C++, one core"
    yield median(
        "OpenSpiel hearts: ISMCTS", "iterations/s", lambda: simulations / timed(lambda: bot.step(state)), runs, note
    )


def rlcard_uno(runs: int) -> Figure:
    """RLCard's UNO, played by its random agents."""
    name = "RLCard uno: random moves"
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError as e:
        return Figure(name, None, "moves/s", f"missing ({e}): pip install .[bench]")
    env = rlcard.make("uno", config={"seed": SEED})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def rate() -> float:
        moves, start = 0, time.perf_counter()
        while time.perf_counter() - start < RULER:
            trajectories, _ = env.run(is_training=False)
            moves += sum(len(trajectory) // 2 for trajectory in trajectories)
        return moves / (time.perf_counter() - start)

    return median(name, "moves/s", rate, runs, "2 players, one core")


# ----------------------------------------------------------------------------------------------------- all of it


def figures(runs: int, quick: bool) -> Iterator[Figure]:
    """Everything, one after another."""
    deals = 2000 if quick else 50_000
    for game, seats in GAMES:
        yield from playouts(game, seats, runs, deals)
        yield searching(game, seats, runs, 2000 if quick else 20_000)
    yield from finding(runs, 50 if quick else 400)
    yield from open_spiel(runs)
    yield rlcard_uno(runs)
    yield from pages(runs)
    yield from starting(runs, 20_000 if quick else 200_000)
    yield from studying(runs, 20_000 if quick else 1_000_000)


def table(found: list[Figure]) -> None:
    """The figures for people."""
    from rich.console import Console
    from rich.table import Table

    machine = f"{platform.machine()}, {cores()} cores, Python {platform.python_version()}"
    shown = Table(title=machine, title_justify="left")
    shown.add_column("what")
    shown.add_column("median", justify="right")
    shown.add_column("unit")
    shown.add_column("from – to", justify="right")
    shown.add_column("how")
    for figure in found:
        low, high = figure.low, figure.high
        spread = "" if low is None or high is None else f"{readable(low)} – {readable(high)}"
        value = "–" if figure.value is None else readable(figure.value)
        shown.add_row(figure.name, value, figure.unit, spread, figure.note)
    Console(width=None if sys.stdout.isatty() else 170).print(shown)


def readable(value: float) -> str:
    """Three digits that matter, thousands set apart."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="how many runs a median is taken of (5)")
    parser.add_argument("--quick", action="store_true", help="less of everything, to see whether it works")
    given = parser.parse_args()
    found = []
    for figure in figures(given.runs, given.quick):
        found.append(figure)
        print(json.dumps(asdict(figure), ensure_ascii=False), flush=True)
    table(found)


if __name__ == "__main__":
    main()
