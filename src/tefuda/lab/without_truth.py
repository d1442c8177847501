"""Laid under the kernel for a game whose rules do not tell true talk from lies."""


def truth(s, choice, t):
    return -1
