"""How compiled rules ask for chance: a 64-bit generator in a record beside the state. The loader lays these
functions over those of the same name in cards.py."""

import numpy as np

CHANCE = np.dtype((np.record, np.dtype([("x", np.uint64)])))


def seed_chance(chance, seed):
    """Start the generator of a game from a whole number."""
    x = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    if x == np.uint64(0):
        x = np.uint64(0x9E3779B97F4A7C15)
    chance.x = x


def below(chance, n):
    """A whole number from 0 to n - 1 (xorshift64, Marsaglia 2003; upper 31 bits, so a number is off by n / 2^31)."""
    x = chance.x
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    chance.x = x
    return (np.int64(x >> np.uint64(33)) * np.int64(n)) >> 31


def ask(chance, s, question, pile):
    """Nothing to do: a seed needs no telling."""


def tell(chance, s, question, pile, answer):
    """Nothing to do: a counted game can be played again from its seed and written down then."""


def moved(s, kind, a, b, mark):
    """Nothing to do: nobody reads a log of these games."""
