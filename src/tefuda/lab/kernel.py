"""Whole games between bots, and what is written down of them. The loader lays these functions over a game's rules and
the bots' kernel and compiles them together; they run nowhere else."""

from collections import namedtuple

import numpy as np

Lineup = namedtuple("Lineup", "kinds iterations shares rotate")
"""The bots: their kinds, the iterations of their searches and the shares of words they know; bot k sits in seat k, with
`rotate` 1 in seat k + i in game number i."""

Rows = namedtuple("Rows", "start decisions turns rounds legal bits forced capped stuck repeats kinds ranks scores")
"""What is written down of each game: the seat that decided first; how many decisions there were, how many turns (a
turn is one seat's decisions in a row) and rounds (turns of the seat that decided first); how many legal moves in all
decisions together, and their base-two logarithms in thousandths; how many decisions had one legal move; whether a cap
was reached; whether it stopped because nothing was legal; how often a position came back; how often each kind of move
was made; ranks and scores by seat."""

Steps = namedtuple("Steps", "game n seat kind a b c legal hidden truth")
"""What is written down of each decision: its game and its number in it, who decided, the kind and the parts of the
move, how many moves were legal, how many cards that seat did not know, and of a move that is talk whether it was true
(1), a lie (0) or neither (-1)."""

Book = namedtuple("Book", "steps dealt")
"""Where decisions are written down, in games of which they are kept; and by game, seat and kind of card how many of
them the seat held before the first decision."""

Watch = namedtuple("Watch", "holder matters log2 seen")
"""What is looked at for the book: of each pile, whose it is (-1 for nobody's); of each number in a state, whether a
position that came back has the same; the logarithms of whole numbers in thousandths; and a table of positions seen."""

Desk = namedtuple("Desk", "state figures shown numbers chance known")
"""The game being played, and its numbers; what its seat on turn sees, twice the same bytes: as a state and as a row of
numbers; the generators: first the game's, then each bot's own; and by bot the words it knows."""

SEER = 3
"""The kind of a bot that knows where every card is, the order of the deck too; what chance will do else it does not
know. It searches one tree, of moves as they are. No player can be one: the lab asks what it would be worth."""

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


def play_games(start, t, own, seeds, first, lineup, facts, open_facts, watch, desk, room, rows, book, done, written):
    """Play the games number `first` + `done` and on, one for each row; how many are done then, and how many decisions
    are written down. Fewer than there are rows when the book has no room for the decisions of the next game."""
    for row in range(done, len(rows.start)):
        before = written
        written = play_game(
            start, t, own, seeds[row], first + row, row, lineup, facts, open_facts, watch, desk, room, rows, book,
            before,
        )
        if written < 0:
            return row, before
    return len(rows.start), written


def play_game(start, t, own, seeds, game, row, lineup, facts, open_facts, watch, desk, room, rows, book, written):
    """Deal and play one game; how many decisions are in the book then, -1 when it has no room for this game.

    `seeds`: the game's, and one for the bots."""
    desk.state[0] = start[0]
    s = desk.state[0]
    kept = len(book.steps.game) > 0
    seed_chance(desk.chance[0], seeds[0])
    for i in range(1, len(desk.chance)):  # seeds far apart: nobody's numbers are anybody else's
        seed_chance(desk.chance[i], seeds[1] + np.uint64(i) * np.uint64(0xD1342543DE82EF95))
    words = vocabulary(own)
    for bot in range(s.seats):
        if lineup.shares[bot] != EVERY:
            learn(own, lineup.shares[bot], desk.chance[1 + bot])
            desk.known[bot, : len(words)] = words
    begin(s, t, desk.chance[0])
    if kept:
        write_hands(s, watch.holder, book.dealt[row])
        watch.seen[:] = 0
    rows.kinds[row, :] = 0
    opener = s.turn
    last = s.turn
    decisions = 0
    turns = 1
    rounds = 1
    legal_moves = 0
    bits = 0
    forced = 0
    repeats = 0
    stuck = False
    while not over(s, t):
        if s.turn != last:
            turns += 1
            if s.turn == opener:
                rounds += 1
            last = s.turn
        find_legal(s, room.moves, t)
        n = room.moves[0]
        if n == 0:
            stuck = True
            break
        legal_moves += n
        bits += watch.log2[n]
        if n == 1:
            forced += 1
        bot = (s.turn - lineup.rotate * game) % s.seats
        choice = choose_move(s, t, own, words, lineup, bot, facts, open_facts, desk, room)
        rows.kinds[row, parts(choice)[0]] += 1
        if kept:
            if repeats >= 0 and came_back(desk.figures, watch, decisions):
                repeats += 1
            if written == len(book.steps.game):
                return -1
            write_step(s, t, game, decisions, choice, n, book.steps, written)
            written += 1
        decisions += 1
        step(s, choice, t, desk.chance[0])
    rows.start[row] = opener
    rows.decisions[row] = decisions
    rows.turns[row] = turns
    rows.rounds[row] = rounds
    rows.legal[row] = legal_moves
    rows.bits[row] = bits
    rows.forced[row] = forced
    rows.capped[row] = s.capped != 0
    rows.stuck[row] = stuck
    rows.repeats[row] = repeats
    ranks(s, rows.ranks[row], t)
    scores(s, rows.scores[row], t)
    return written


def choose_move(s, t, own, words, lineup, bot, facts, open_facts, desk, room):
    """The move of a bot; the legal moves are in the room."""
    own_chance = desk.chance[1 + bot]
    if lineup.kinds[bot] == RANDOM and lineup.shares[bot] == EVERY:
        return random_move(room.moves, own_chance)
    desk.shown[0] = s
    if lineup.kinds[bot] == SEER:
        if leave_out_talk(room.moves, facts) or room.moves[0] == 1:
            return random_move(room.moves, own_chance)
        clear_trees(open_facts, room)
        for _ in range(lineup.iterations[bot]):
            room.work[0] = desk.shown[0]
            go_on(room.work[0], t, own_chance, open_facts, room)
        root_moves(desk.shown, t, open_facts, room)
        return most_visited(room)
    words[:] = desk.known[bot, : len(words)]
    hide(desk.shown[0], desk.numbers, s.turn, facts)
    return decide(lineup.kinds[bot], lineup.iterations[bot], desk.shown, own, t, own_chance, facts, room)


def go_on(s, t, chance, facts, room):
    """One iteration of a search from a full state."""
    go_down(s, t, chance, facts, room)
    play_on(s, t, chance, facts, room)
    give_back(s, t, facts, room)


# ---------------------------------------------------------------------------------------------- what is written


def write_step(s, t, game, n, choice, legal_moves, steps, i):
    """Write down a decision before it takes effect."""
    kind, a, b, c = parts(choice)
    steps.game[i] = game
    steps.n[i] = n
    steps.seat[i] = s.turn
    steps.kind[i] = kind
    steps.a[i] = a
    steps.b[i] = b
    steps.c[i] = c
    steps.legal[i] = legal_moves
    steps.hidden[i] = unknown_cards(s, s.turn)
    steps.truth[i] = truth(s, choice, t)


def unknown_cards(s, seat):
    """How many cards a seat does not know."""
    bit = 1 << seat
    n = 0
    for pile in range(len(s.size)):
        if s.always[pile] & bit == 0:
            for i in range(s.size[pile]):
                if s.seen[pile, i] & bit == 0:
                    n += 1
    return n


def write_hands(s, holder, dealt):
    """How many cards of each kind each seat holds."""
    dealt[:] = 0
    for pile in range(len(s.size)):
        if 0 <= holder[pile] < s.seats:
            for i in range(s.size[pile]):
                dealt[holder[pile], s.card[pile, i]] += 1


def came_back(figures, watch, decisions):
    """Whether a position was there before in this game; it is remembered. (64 bits of it, by FNV-1a; no more than half
    of the table is filled, then no more are remembered.)"""
    h = np.uint64(0xCBF29CE484222325)
    for i in range(len(figures)):
        if watch.matters[i]:
            h = (h ^ np.uint64(figures[i] & 0xFFFF)) * np.uint64(0x100000001B3)
    h |= np.uint64(1)
    mask = len(watch.seen) - 1
    place = np.int64(h >> np.uint64(33)) & mask
    while watch.seen[place] != 0:
        if watch.seen[place] == h:
            return True
        place = (place + 1) & mask
    if 2 * decisions < len(watch.seen):
        watch.seen[place] = h
    return False


# ---------------------------------------------------------------------------------------------- how seats stand

UNSEEN = 13
"""A viewer that is no seat and no spectator: what it does not know is what no seat knows."""


def redeal_unseen(s, chance):
    """Deal the cards that no seat knows anew among their places."""
    seats = (1 << s.seats) - 1
    for pile in range(len(s.size)):
        for i in range(s.size[pile]):
            if (s.always[pile] | s.seen[pile, i]) & seats:
                s.seen[pile, i] |= 1 << UNSEEN
            else:
                s.seen[pile, i] &= ~(1 << UNSEEN)
    redeal(s, UNSEEN, chance)


def follow_game(start, t, seeds, moves, every, iterations, facts, desk, room, stands):
    """Play a game again from its seed and its moves. Before two decisions in a row of every `every` write down how the
    seats stand: into stands[k, half] the mean place of each seat (0 last, 1 first) over so many iterations of a search
    that sees all that any seat knows; the two halves have nothing in common but the position. How many rows were
    written."""
    desk.state[0] = start[0]
    s = desk.state[0]
    seed_chance(desk.chance[0], seeds[0])
    seed_chance(desk.chance[1], seeds[1])
    begin(s, t, desk.chance[0])
    k = 0
    for n in range(len(moves)):
        if n % every < 2:
            for half in range(2):
                clear_trees(facts, room)
                stands[k, half, :] = 0.0
                for _ in range(iterations):
                    room.work[0] = desk.state[0]
                    redeal_unseen(room.work[0], desk.chance[1])
                    go_on(room.work[0], t, desk.chance[1], facts, room)
                    for seat in range(s.seats):
                        stands[k, half, seat] += room.value[seat] / iterations
            k += 1
        step(s, moves[n], t, desk.chance[0])
    return k
