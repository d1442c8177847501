"""One decision, and what follows it: the order of things that is the same in every game. Laid over a game's rules."""


def begin(s, t, chance):
    """Deal a game: the first decision is due afterwards."""
    deal(s, t, chance)


def over(s, t):
    """Whether the game has ended, by its rules or at the cap."""
    return s.ended != 0 or is_over(s, t)


def step(s, choice, t, chance):
    """One decision takes effect; then the cap is looked at; then what follows by itself happens, chance and all."""
    apply(s, choice, t)
    s.decisions += 1
    if s.decisions >= CAP and not over(s, t):
        at_cap(s, t)
    if not over(s, t):
        advance(s, t, chance)


def find_legal(s, moves, t):
    """What a program in the seat on turn may do: `moves[1]` to `moves[moves[0]]`."""
    if s.turn < 0 or s.turn >= s.seats:
        raise IndexError("s.turn is no seat of this table (use % s.seats)")
    moves[0] = 0
    legal(s, moves, t)
