"""What a rules file need not say. The loader gives these to a game that has none of its own."""

CAP = 2000
MOST_MOVES = 256


def at_cap(s, t):
    """The game ends as it stands."""
    s.capped = 1
    s.ended = 1


def advance(s, t, chance):
    """Nothing follows a decision by itself."""


def also_people(s, moves, t):
    """People may do just what programs may."""


def ranks(s, places, t):
    """By scores: 1 for the highest; equals share a place and the next is skipped."""
    points = np.zeros(len(places), np.int64)
    scores(s, points, t)
    for seat in range(s.seats):
        places[seat] = 1
        for other in range(s.seats):
            if points[other] > points[seat]:
                places[seat] += 1
