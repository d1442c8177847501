"""Random games of compiled rules, looked over after every decision. Laid over a game's rules by the loader."""

import numpy as np

ENDED, DEAD_END, CARD_LOST, PILE_BROKEN, TOO_LONG = 0, 1, 2, 3, 4


def fuzz(s, t, chance, moves, seed, most, turns):
    """Play a random game on an undealt state: what came of it (a number as above), how many decisions it took, and
    how many moves were legal at most."""
    whole = cards_of_each_kind(s)
    seed_chance(chance, seed)
    begin(s, t, chance)
    decisions = 0
    widest = 0
    while True:
        fault = look_over(s, whole)
        if fault != ENDED or over(s, t):
            return fault, decisions, widest
        if decisions >= most:
            return TOO_LONG, decisions, widest
        find_legal(s, moves, t)
        programs = moves[0]
        if programs == 0:
            return DEAD_END, decisions, widest
        also_people(s, moves, t)
        widest = max(widest, moves[0])
        turns[s.turn] += 1
        step(s, moves[1 + below(chance, programs)], t, chance)
        decisions += 1


def cards_of_each_kind(s):
    """How many cards of each kind there are on the table."""
    tally = np.zeros(len(s.home), np.int64)
    for pile in range(len(s.size)):
        for i in range(s.size[pile]):
            tally[s.card[pile, i]] += 1
    return tally


def look_over(s, whole):
    """Whether all cards are there, and every pile's counts are those of its cards."""
    tally = cards_of_each_kind(s)
    for kind in range(len(whole)):
        if tally[kind] != whole[kind]:
            return CARD_LOST
    for pile in range(len(s.size)):
        tally[:] = 0
        for i in range(s.size[pile]):
            tally[s.card[pile, i]] += 1
        for kind in range(len(tally)):
            if tally[kind] != s.count[pile, kind]:
                return PILE_BROKEN
    return ENDED
