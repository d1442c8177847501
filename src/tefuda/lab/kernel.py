"""Whole games between bots. The loader lays these functions over a game's rules and the bots' kernel and compiles
them together; they run nowhere else."""

from collections import namedtuple

import numpy as np

Lineup = namedtuple("Lineup", "kinds iterations shares rotate")
"""The bots: their kinds, the iterations of their searches and the shares of words they know; bot k sits in seat k, with
`rotate` 1 in seat k + i in game number i."""

Rows = namedtuple("Rows", "first decisions legal capped ranks scores")
"""What is written down of each game: the seat that decided first, how many decisions there were, how many legal moves
in all of them together, whether a cap was reached; ranks and scores by seat."""

Desk = namedtuple("Desk", "state shown numbers chance known")
"""The game being played; what its seat on turn sees, twice the same bytes: as a state and as a row of numbers; the
generators: first the game's, then each bot's own; and by bot the words it knows."""

EVERY = 1000


def playouts(start, t, desk, room, first_seed, games):
    """Deal and play so many random games with the seeds from `first_seed` on, and count nothing but the decisions."""
    n = 0
    s = desk.state[0]
    for game in range(games):
        desk.state[0] = start[0]
        seed_chance(desk.chance[0], first_seed + game)
        begin(s, t, desk.chance[0])
        n += play_out(s, t, desk.chance[0], room.moves)
    return n


def play_games(start, t, own, seeds, first, end, lineup, facts, desk, room, rows, history):
    """Play the games number `first` to `end` - 1; `own` are tables to be written to, for the bot on turn. The
    decisions of the last of them go into `history`, as many as it has room for."""
    for game in range(first, end):
        play_game(start, t, own, seeds[game], game, lineup, facts, desk, room, rows, history)


def play_game(start, t, own, seed, game, lineup, facts, desk, room, rows, history):
    """Deal and play one game."""
    desk.state[0] = start[0]
    s = desk.state[0]
    for i in range(len(desk.chance)):  # seeds far apart: nobody's numbers are anybody else's
        seed_chance(desk.chance[i], seed + np.uint64(i) * np.uint64(0xD1342543DE82EF95))
    words = vocabulary(own)
    for bot in range(s.seats):
        if lineup.shares[bot] != EVERY:
            learn(own, lineup.shares[bot], desk.chance[1 + bot])
            desk.known[bot, : len(words)] = words
    begin(s, t, desk.chance[0])
    rows.first[game] = s.turn
    decisions = 0
    legal_moves = 0
    while not over(s, t):
        bot = (s.turn - lineup.rotate * game) % s.seats
        own_chance = desk.chance[1 + bot]
        find_legal(s, room.moves, t)
        legal_moves += room.moves[0]
        if lineup.kinds[bot] == RANDOM and lineup.shares[bot] == EVERY:
            choice = random_move(room.moves, own_chance)
        else:
            words[:] = desk.known[bot, : len(words)]
            desk.shown[0] = s
            hide(desk.shown[0], desk.numbers, s.turn, facts)
            choice = decide(lineup.kinds[bot], lineup.iterations[bot], desk.shown, own, t, own_chance, facts, room)
        if decisions < len(history):
            history[decisions] = choice
        decisions += 1
        step(s, choice, t, desk.chance[0])
    rows.decisions[game] = decisions
    rows.legal[game] = legal_moves
    rows.capped[game] = s.capped
    ranks(s, rows.ranks[game], t)
    scores(s, rows.scores[game], t)
