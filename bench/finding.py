"""What `run.py` measures of finding words, laid over the rules of a 熟語 game: so many calls one after another."""


def find_words(s, moves, t, times):
    """The words of the hand in pile 0, added as moves; how many."""
    for _ in range(times):
        moves[0] = 0
        add_words(s[0], moves, 1, 0, t)
    return moves[0]


def find_keepable(s, new, goal, t, times):
    """The cards with which the hand in pile 0 wins; how many."""
    n = 0
    for _ in range(times):
        n = keepable(s[0], 0, new, goal, t).sum()
    return n
