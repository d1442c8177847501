"""Rules texts: Markdown in which `{{7}}` or `{{5 5 8}}` stands for cards. Raw HTML in it is shown as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

CARDS = re.compile(r"\{\{([^{}]+)\}\}")


def cards_in(markdown: str) -> list[str]:
    """The names of the cards that a text shows, each once."""
    return list(dict.fromkeys(name for found in CARDS.findall(markdown) for name in found.split()))


def to_html(markdown: str, draw: Callable[[Sequence[str]], str], option: Callable[[str], str | None]) -> str:
    """The text as HTML; `draw` gives the HTML of a row of cards, `option` what the option of a name is called, which
    stands before the name in a table of options. A wide table scrolls inside itself."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(markdown)
    for before, token in pairwise(tokens):
        if before.type == "td_open" and token.children and token.children[0].type == "code_inline":
            called = option(token.content.strip("`"))
            if called is not None:
                token.children.insert(0, Token("text", "", 0, content=f"{called} "))
    for token in tokens:
        if token.children:
            token.children = [piece for child in token.children for piece in _with_cards(child, draw)]
    html = str(reader.renderer.render(tokens, reader.options, {}))
    return html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")


def _with_cards(token: Token, draw: Callable[[Sequence[str]], str]) -> list[Token]:
    if token.type != "text" or not CARDS.search(token.content):
        return [token]
    pieces: list[Token] = []
    for i, piece in enumerate(CARDS.split(token.content)):
        if i % 2:
            pieces.append(Token("html_inline", "", 0, content=draw(piece.split())))
        elif piece:
            pieces.append(Token("text", "", 0, content=piece))
    return pieces
