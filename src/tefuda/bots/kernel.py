"""How bots think: random playouts, one step ahead, and search. The loader lays these functions over a game's rules
and compiles them with it; they run nowhere else.

**Search** is information set Monte Carlo tree search with a tree for every seat (MO-ISMCTS: Cowling, Powley and
Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012). Every iteration deals the cards that
the searching seat does not know anew (a determinization) and plays the game to its end. As long as the seat on turn
has a tree to go by, it chooses in *its own* tree by UCB1, among the moves that are legal in this deal; then every
seat's tree goes one step down, along the move *as that seat sees it*: a card given face down is one and the same
move to all but the giver. So no seat, in its rivals' place either, plays by what it could not know.

A rivals' tree is a guess at their play, averaged over the hands they may have. Chance is drawn anew in every
iteration and is no step in a tree, so a node's value is a mean over it. Moves that are only talk (a claim) are drawn
at random and are no step either.
"""

from collections import namedtuple

import numpy as np

NODE = np.dtype(
    [
        ("key", np.int64),  # the move that leads here, as this tree's seat sees it
        ("total", np.float64),  # values of the games that came through, for the seat that moved here, added up
        ("parent", np.int32),
        ("visits", np.int32),
        ("available", np.int32),  # how often it could have been chosen
        ("mover", np.int16),
    ],
    align=True,
)

Facts = namedtuple("Facts", "open_bits talk trees explore redeals horizon ordered owner")
"""What does not change in a game: `open_bits` and `talk` of each kind of move; how many `trees` (1 when every move is
open: all seats' trees are the same then); the constant of UCB; how many redeals a look one step ahead takes; after
how many random decisions (`horizon`) a search breaks a game off and asks `estimate` how the seats stand; which
piles are `ordered`; of each number in a state, which seat's private one it is (`owner`, -1 for public)."""

Room = namedtuple("Room", "dealt work moves worth found places hope value won nodes table used at left")
"""Arrays to think in. A tree's `nodes` are found by `table`, a hash table of parent and key; nodes 0, 1, ... are the
roots, one a tree; `used[0]` nodes are in use. `at[tree]` is where an iteration stands in a tree, and `left[tree]` is 1
when it has gone where that tree knows nothing. `won[seat]`: how many of the iterations' games the seat won, a shared
first place in parts."""

RANDOM, GREEDY, SEARCH = 0, 1, 2


# ------------------------------------------------------------------------------------------------------ random


def random_move(moves, chance):
    """One of the legal moves, each as likely."""
    if moves[0] == 0:
        raise ValueError("nothing is legal, and the game is not over")
    return moves[1 + below(chance, moves[0])]


def play_out(s, t, chance, moves):
    """Random moves to the end of the game; how many."""
    n = 0
    while not over(s, t):
        find_legal(s, moves, t)
        step(s, random_move(moves, chance), t, chance)
        n += 1
    return n


# ---------------------------------------------------------------------------------------------- what a bot sees


def hide(s, numbers, viewer, facts):
    """Leave in a state only what a seat knows: the same as `blind` of view.py, number for number.

    `numbers` is the same state as a row of numbers."""
    unknown, first, _ = take_up_unknown(s, viewer)
    bit = 1 << viewer
    for pile in range(len(s.size)):
        for i in range(s.size[pile]):
            s.seen[pile, i] = bit if (s.always[pile] | s.seen[pile, i]) & bit else 0
        if not facts.ordered[pile]:
            sort_cards(s, pile)
        for i in range(s.size[pile]):
            if s.seen[pile, i] == 0:
                back = s.home[s.card[pile, i]]
                kind = unknown[first[back]]
                first[back] += 1
                s.card[pile, i] = kind
                s.count[pile, kind] += 1
        for i in range(s.size[pile], s.card.shape[1]):
            s.card[pile, i] = 0
            s.seen[pile, i] = 0
    for i in range(len(numbers)):
        if facts.owner[i] >= 0 and facts.owner[i] != viewer:
            numbers[i] = 0


def sort_cards(s, pile):
    """Known cards first, by kind; then the others, by their backs."""
    for i in range(1, s.size[pile]):
        kind = s.card[pile, i]
        seen = s.seen[pile, i]
        j = i
        while j > 0 and place_in_order(s, kind, seen) < place_in_order(s, s.card[pile, j - 1], s.seen[pile, j - 1]):
            s.card[pile, j] = s.card[pile, j - 1]
            s.seen[pile, j] = s.seen[pile, j - 1]
            j -= 1
        s.card[pile, j] = kind
        s.seen[pile, j] = seen


def place_in_order(s, kind, seen):
    """By this number the cards of a pile are sorted."""
    return kind if seen else len(s.home) + s.home[kind]


# ----------------------------------------------------------------------------------------------- one step ahead


def look_ahead(root, t, chance, facts, room):
    """Write into `room.worth` how good each legal move is for the seat on turn by the rules' `estimate`: the sum over
    some redeals, the same for every move."""
    seat = root[0].turn
    find_legal(root[0], room.moves, t)
    room.worth[:] = 0.0
    for _ in range(facts.redeals):
        room.dealt[0] = root[0]
        redeal(room.dealt[0], seat, chance)
        luck = chance.x  # what chance does after a move is the same for every move, too
        for i in range(1, room.moves[0] + 1):
            room.work[0] = room.dealt[0]
            chance.x = luck
            step(room.work[0], room.moves[i], t, chance)
            room.worth[i] += estimate(room.work[0], seat, t)


def best_ahead(chance, room):
    """The move that `look_ahead` found best; one of them at random when several are."""
    ties = 0
    best = 1
    for i in range(1, room.moves[0] + 1):
        lead = room.worth[i] - room.worth[best]
        if lead > 1e-6:
            best = i
            ties = 1
        elif lead >= -1e-6:
            ties += 1
            if below(chance, ties) == 0:
                best = i
    return room.moves[best]


# ------------------------------------------------------------------------------------------------------- search


def clear_trees(facts, room):
    """Begin with empty trees."""
    room.table[:] = 0
    room.won[:] = 0.0
    room.used[0] = facts.trees
    for tree in range(facts.trees):
        room.nodes[tree].visits = 0


def search(root, t, chance, facts, room, iterations):
    """So many iterations more from an information state. The trees stay in `room`, so it can be called again."""
    search_as(root[0].turn, root, t, chance, facts, room, iterations)


def search_as(viewer, root, t, chance, facts, room, iterations):
    """The same from the information state of any seat, whoever is on turn: what that seat makes of the game."""
    for _ in range(iterations):
        room.work[0] = root[0]
        s = room.work[0]
        redeal(s, viewer, chance)
        go_down(s, t, chance, facts, room)
        play_on(s, t, chance, facts, room)
        give_back(s, t, facts, room)


def go_down(s, t, chance, facts, room):
    """Play by the trees, until the seat on turn has none to go by."""
    for tree in range(facts.trees):
        room.at[tree] = tree
        room.left[tree] = 0
    while not over(s, t):
        find_legal(s, room.moves, t)
        if leave_out_talk(room.moves, facts):
            step(s, random_move(room.moves, chance), t, chance)
            continue
        mover = s.turn
        own = mover if facts.trees > 1 else 0
        if room.left[own]:
            return
        move = choose_by_tree(chance, facts, room, own)
        step(s, move, t, chance)
        for tree in range(facts.trees):
            if not room.left[tree]:
                follow(room, tree, move if tree == own else move & facts.open_bits[move >> 57], mover)
        if room.left[own]:
            return


def play_on(s, t, chance, facts, room):
    """Random moves, to the end of the game or the horizon."""
    for _ in range(facts.horizon):
        if over(s, t):
            return
        find_legal(s, room.moves, t)
        step(s, random_move(room.moves, chance), t, chance)


def leave_out_talk(moves, facts):
    """Take talk off the legal moves when there is anything else to do; whether there is nothing else."""
    n = 0
    for i in range(1, moves[0] + 1):
        if not facts.talk[moves[i] >> 57]:
            n += 1
            moves[n] = moves[i]
    if n == 0:
        return True
    moves[0] = n
    return False


def choose_by_tree(chance, facts, room, tree):
    """A move of the seat that this tree belongs to: a random one of those not tried here yet, else by UCB1. (When
    there is no room for another node, by UCB1 among those tried.)"""
    untried = 0
    choice = room.moves[1]
    for i in range(1, room.moves[0] + 1):
        child = find_child(room, room.at[tree], room.moves[i])
        room.found[i] = child
        if child > 0:
            room.nodes[child].available += 1
        else:
            untried += 1
            if below(chance, untried) == 0:
                choice = room.moves[i]
    if untried > 0 and room.used[0] < len(room.nodes):
        return choice
    best = -1.0
    for i in range(1, room.moves[0] + 1):
        if room.found[i] > 0:
            node = room.nodes[room.found[i]]
            bound = node.total / node.visits + facts.explore * np.sqrt(np.log(node.available) / node.visits)
            if bound > best:
                best = bound
                choice = room.moves[i]
    return choice


def follow(room, tree, key, mover):
    """Go one step down a tree; where it knows no further, it gains a node (if there is room) and is left."""
    place = table_place(room, room.at[tree], key)
    if room.table[place] == 0:
        room.left[tree] = 1
        new = room.used[0]
        if new == len(room.nodes):
            return
        room.used[0] = new + 1
        room.table[place] = new
        node = room.nodes[new]
        node.key = key
        node.total = 0.0
        node.parent = room.at[tree]
        node.visits = 0
        node.available = 1
        node.mover = mover
    room.at[tree] = room.table[place]


def find_child(room, parent, key):
    """The node under `parent` along `key`; 0 when there is none."""
    return room.table[table_place(room, parent, key)]


def table_place(room, parent, key):
    """Where the hash table has the node under `parent` along `key`, or would have it (open addressing; the
    multipliers are those of SplitMix64)."""
    h = np.uint64(key) + np.uint64(parent) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    place = np.int64(h >> np.uint64(33)) & (len(room.table) - 1)
    while True:
        node = room.table[place]
        if node == 0 or (room.nodes[node].parent == parent and room.nodes[node].key == key):
            return place
        place = (place + 1) & (len(room.table) - 1)


def give_back(s, t, facts, room):
    """What the game came to is added to every node it came through."""
    values(s, t, room)
    for tree in range(facts.trees):
        k = room.at[tree]
        while k >= facts.trees:
            node = room.nodes[k]
            node.visits += 1
            node.total += room.value[node.mover]
            k = node.parent
        room.nodes[k].visits += 1


def values(s, t, room):
    """What a game is worth to each seat, 0 (last) to 1 (first): its rank, seats of the same rank having the mean of
    the places they cover. When all are equal it is 0.5. The seats of a game broken off rank by `estimate`: what many
    more random moves would make of it is noise. Who came first is counted in `room.won`."""
    n = s.seats
    if over(s, t):
        ranks(s, room.places, t)
    else:
        rank_by_estimate(s, t, room)
    for seat in range(n):
        equal = 0
        for other in range(n):
            if room.places[other] == room.places[seat]:
                equal += 1
        room.value[seat] = 0.5 if n == 1 else (n - room.places[seat] - 0.5 * (equal - 1)) / (n - 1)
        if room.places[seat] == 1:
            room.won[seat] += 1.0 / equal


def rank_by_estimate(s, t, room):
    """Into `room.places`: how the seats stand by the rules' `estimate`."""
    for seat in range(s.seats):
        room.hope[seat] = estimate(s, seat, t)
    for seat in range(s.seats):
        room.places[seat] = 1
        for other in range(s.seats):
            if room.hope[other] > room.hope[seat]:
                room.places[seat] += 1


def root_moves(root, t, facts, room):
    """For each move of the root, `room.moves`: into `room.found` how often it was chosen, into `room.worth` its mean
    value (0 when it never was)."""
    find_legal(root[0], room.moves, t)
    leave_out_talk(room.moves, facts)
    tree = root[0].turn if facts.trees > 1 else 0
    for i in range(1, room.moves[0] + 1):
        child = find_child(room, tree, room.moves[i])
        room.found[i] = 0
        room.worth[i] = 0.0
        if child > 0:
            room.found[i] = room.nodes[child].visits
            room.worth[i] = room.nodes[child].total / room.nodes[child].visits


def most_visited(room):
    """Of the moves that `root_moves` wrote down, the one chosen most often; of equals the one with the better mean."""
    best = 1
    for i in range(2, room.moves[0] + 1):
        if room.found[i] > room.found[best] or (room.found[i] == room.found[best] and room.worth[i] > room.worth[best]):
            best = i
    return room.moves[best]


# -------------------------------------------------------------------------------------------------- vocabulary


def learn(t, share, chance):
    """Draw the names (words) that a bot knows into its own tables: so many in a thousand, or the common ones."""
    known = vocabulary(t)
    for i in range(len(known)):
        if share < 0:
            known[i] = common(t)[i]
        else:
            known[i] = 1 if below(chance, 1000) < share else 0


def overlooks(s, t, full, room):
    """Whether the bot, with the words it knows, would do what it may not: overlook a word that it must show."""
    if len(vocabulary(t)) == 0:
        return False
    find_legal(s, room.moves, t)
    n = room.moves[0]
    room.found[: n + 1] = room.moves[: n + 1]
    find_legal(s, room.moves, full)
    for i in range(1, n + 1):
        there = False
        for j in range(1, room.moves[0] + 1):
            if room.moves[j] == room.found[i]:
                there = True
        if not there:
            return True
    return n == 0


# ------------------------------------------------------------------------------------------------- any of them


def decide(kind, iterations, root, t, full, chance, facts, room):
    """The move of a bot of some kind that is given an information state and its own generator.

    `t` are the tables as this bot knows them, `full` as the game has them. Where there is one move only, or only
    talk, nobody thinks."""
    if overlooks(root[0], t, full, room):
        t = full
    find_legal(root[0], room.moves, t)
    if kind == RANDOM or leave_out_talk(room.moves, facts) or room.moves[0] == 1:
        return random_move(room.moves, chance)
    if kind == GREEDY:
        look_ahead(root, t, chance, facts, room)
        return best_ahead(chance, room)
    clear_trees(facts, room)
    search(root, t, chance, facts, room, iterations)
    root_moves(root, t, facts, room)
    return most_visited(room)
