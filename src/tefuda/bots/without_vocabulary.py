"""For a game whose bots overlook nothing: there are no names that a bot may not know."""

import numpy as np


def vocabulary(t):
    return np.zeros(0, np.int64)


def common(t):
    return np.zeros(0, np.int64)
