"""What the documentation says is true: its Python examples run, its tutorial is a game, its links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import tefuda
from tefuda.check import check

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, page.name, str(page), 0)
    monkeypatch.chdir(tmp_path)  # an example may save a game
    said: list[str] = []
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("page", ["README.md", "README.ja.md", "records.md"])
def test_examples_are_there(page: str) -> None:
    text = next(p for p in PAGES if p.name == page).read_text(encoding="utf-8")
    assert doctest.DocTestParser().get_examples(text)


IN_ENGLISH = [page for page in PAGES if not page.name.endswith(".ja.md")]


@pytest.mark.parametrize("english", IN_ENGLISH, ids=lambda page: page.name)
def test_both_languages_have_the_same_code_and_headings(english: Path) -> None:
    def code(page: Path) -> list[str]:
        blocks = re.findall(r"^```\w*\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        return [re.sub(r" *#.*", "", block) for block in blocks]  # remarks are in the language of the page

    def levels(page: Path) -> list[str]:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        return re.findall(r"^(#+|\|.*?\|)", text, re.MULTILINE)  # headings, and the first cells of tables

    japanese = english.with_suffix(".ja.md")
    assert code(english) == code(japanese) != []
    assert len(levels(english)) == len(levels(japanese))


@pytest.fixture
def high_card(tmp_path: Path) -> Path:
    """The game of the tutorial, put together from its pieces."""
    text = (ROOT / "docs" / "rules-file.md").read_text(encoding="utf-8")
    tutorial = text[text.index("## A first game") : text.index("## The reference")]
    file = tmp_path / "high_card.py"
    pieces = re.findall(r"^```python\n(.*?)^```", tutorial, re.DOTALL | re.MULTILINE)
    file.write_text("\n\n".join(pieces), encoding="utf-8")
    return file


def test_the_tutorial_is_a_game(high_card: Path) -> None:
    game = tefuda.new(high_card, seats=5, seed=1)
    while game.seat is not None:
        assert set(game.moves()) <= {str(rank) for rank in range(1, 11)}
        game.play(game.moves()[-1])
    assert sum(game.result["scores"]) == 4
    first = [seat for seat, rank in enumerate(game.result["ranks"]) if rank == 1]
    assert {game.result["scores"][seat] for seat in first} == {max(game.result["scores"])}


def test_the_tutorial_passes_the_doctor(high_card: Path) -> None:
    report = check(high_card, games=20)
    assert report.ok, [finding.sentence for finding in report.findings if finding.verdict == "failed"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"https?:|docs/images/", target):
            continue
        name, _, anchor = target.partition("#")
        file = page if not name else page.parent / name
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in anchors, target
