"""The command line: what it prints, what it refuses and how, in both languages."""

from __future__ import annotations

import ast
import importlib
import json
import re
import signal
import socket
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner, Result

import tefuda
from tefuda import cli
from tefuda.cli import words
from tefuda.engine.chance import SecretChance
from tefuda.engine.commitment import commitment, promise
from tefuda.engine.game import Game
from tefuda.engine.rules import find

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "german_whist.py"
GOLDEN = sorted((ROOT / "tests" / "records").glob("*.fuda.json"))
COMMANDS = (
    "games", "rules", "serve", "play", "replay", "verify", "analyse", "lab", "compare", "label", "check", "deck",
    "deck show", "deck check", "deck make",
)  # fmt: skip


def run(*arguments: object, lang: str = "en", typed: str = "") -> Result:
    """The command, in this process."""
    environment = {"LC_ALL": f"{lang}_XX.UTF-8", "COLUMNS": "200"}
    return CliRunner().invoke(cli.app, [str(a) for a in arguments], input=typed, env=environment, prog_name="tefuda")


def fine(*arguments: object, lang: str = "en", typed: str = "") -> str:
    """What the command prints on standard output, when it goes well and says nothing else."""
    result = run(*arguments, lang=lang, typed=typed)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def as_json(*arguments: object) -> Any:
    """What the command prints as JSON, in Japanese surroundings: data has no language."""
    return json.loads(fine(*arguments, "--json", lang="ja"))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A record of a game that is over, of a person and two bots."""
    game = tefuda.new("leaves13", seed=5, players=["Aki", "bot:random", "bot:greedy"])
    while not game.over:
        game.play(game.moves()[-1 if game.seat == 0 else 0])
    file = tmp_path / "game.fuda.json"
    game.save(file)
    return file


# ---------------------------------------------------------------------------------------------------- being light


HEAVY = ["numpy", "numba", "scipy", "fastapi", "starlette", "uvicorn", "sqlalchemy", "alembic", "jinja2", "rich"]


@pytest.mark.parametrize("module", ["tefuda", "tefuda.cli"])
def test_importing_is_light(module: str) -> None:
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_is_light() -> None:
    code = f"""
import sys
from tefuda.cli import main
sys.argv = ["tefuda", "--help"]
try:
    main()
finally:
    print([m for m in {HEAVY!r} if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


# ------------------------------------------------------------------------------------------------------------ help


@pytest.mark.parametrize(("lang", "heading"), [("en", "Examples:"), ("ja", "例:")])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str, lang: str, heading: str) -> None:
    text = fine(*command.split(), "--help", lang=lang)
    assert heading in text
    assert re.search(rf"^ +tefuda {command}", text, re.MULTILINE)


def test_the_list_of_commands_is_complete() -> None:
    text = fine("--help")
    assert [line.split()[0] for line in text.partition("Commands:")[2].splitlines() if line.startswith("  ")][:12] == [
        *("games", "rules", "serve", "play", "replay", "verify", "analyse", "lab", "compare", "label", "check", "deck")
    ]


def test_japanese_help_has_no_english_sentence() -> None:
    for command in ("", *COMMANDS):
        text = fine(*command.split(), "--help", lang="ja").partition("例:")[0]
        text = re.sub(r"\[[^\]]*\]|<\w+>|使い方: .*", "", text)  # types, defaults, how it is called
        assert not re.search(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}", text), text


def test_lang_is_spoken_wherever_it_stands() -> None:
    assert "コマンド:" in fine("--lang", "ja", "--help")
    assert "題" in fine("--lang", "ja", "games")
    assert "手札" in fine("rules", "leaves13", "--lang", "ja")
    assert "Commands:" in fine("--lang", "en", "--help", lang="ja")


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": ""}, "ja"),
        ({}, "en"),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert words.of_environment() == lang


def said_in_the_code() -> set[str]:
    """Every text that is said in the language spoken: arguments of `say`, `message = …`, helps and docstrings."""

    def is_text(node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and isinstance(node.value, str)

    found = set()
    for file in Path(cli.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and re.match(r"say\(.", ast.unparse(node)) and is_text(node.args[0]):
                found.add(ast.literal_eval(node.args[0]))
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "message":
                found.add(ast.literal_eval(node.value))
    things: list[Any] = [typer.main.get_command(cli.app)]
    for thing in things:
        things.extend(getattr(thing, "commands", {}).values())
        found.add(thing.help)
        found.update(parameter.help for parameter in thing.params if parameter.help)
    return found - {"Show this message and exit."}


def test_every_text_is_in_both_languages() -> None:
    assert said_in_the_code() == set(words.JAPANESE)


def test_translations_have_the_same_places() -> None:
    def places(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for english, japanese in words.JAPANESE.items():
        assert places(english) == places(japanese), english


# ---------------------------------------------------------------------------------------------------- being refused

WRONG = [
    (["gmes"], 2, "'gmes'"),
    (["games", "--jsn"], 2, "--jsn"),
    (["games", "too", "much"], 2, "too much"),
    (["rules"], 2, "GAME"),
    (["rules", "chess"], 2, "leaves13, misohitomoji"),
    (["rules", EXAMPLE], 2, "german_whist.en.md"),
    (["--lang", "fr", "games"], 2, "'fr'"),
    (["play", "nothere.py"], 2, "nothere.py"),
    (["play", "leaves13", "--seats", 7], 2, "3 to 6"),
    (["play", "leaves13", "--seats", "three"], 2, "whole number"),
    (["play", "leaves13", "--bots", "clever"], 2, "easy, normal, strong"),
    (["play", EXAMPLE, "--bots", "greedy"], 2, "estimate"),
    (["play", "leaves13", "--option", "expert"], 2, "NAME=VALUE"),
    (["play", "leaves13", "--option", "wild=true"], 2, "expert, target, leader, empty_row_clears"),
    (["play", "leaves13", "--option", "expert=yes"], 2, "true or false"),
    (["play", "leaves13", "--option", "target=4"], 2, "from 5 to 100"),
    (["play", "leaves13", "--option", "leader=me"], 2, "random or winner"),
    (["play", "leaves13", "--option", "target=@nothere.json"], 2, "nothere.json"),
    (["play", "x.fuda.json", "--seats", 3], 2, "saved game"),
    (["lab", "leaves13", "--games", 0], 2, "1 up"),
    (["lab", "leaves13", "--seats", 3, "--bots", "random,greedy"], 2, "2 bots for 3 seats"),
    (["lab", "leaves13", "--bots", "search:1s"], 2, "search:1000"),
    (["replay", "nothere.fuda.json"], 1, "nothere.fuda.json"),
    (["replay", "x.fuda.json", "--legal", "--view", 0], 2, "--legal"),
    (["check", "nothere.py"], 2, "nothere.py"),
    (["check", "chess"], 2, "leaves13, misohitomoji"),
    (["serve", "nothere.py"], 2, "nothere.py"),
    (["serve", "--port", "x"], 2, "whole number"),
]


@pytest.mark.parametrize(("arguments", "code", "says"), WRONG, ids=[" ".join(map(str, w[0]))[-40:] for w in WRONG])
def test_what_is_wrong_is_said_in_a_sentence(arguments: list[object], code: int, says: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stdout == ""
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.rstrip().endswith((".", "`."))


@pytest.mark.parametrize(("arguments", "code"), [wrong[:2] for wrong in WRONG if "--bots" not in wrong[0]])
def test_what_is_wrong_is_said_in_japanese(arguments: list[object], code: int) -> None:
    result = run(*arguments, lang="ja")
    assert result.exit_code == code
    assert re.search(r"[ぁ-ん]", result.stderr)


def test_a_broken_rules_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    source = EXAMPLE.read_text(encoding="utf-8").replace("s.winner = NOBODY", "s.winer = NOBODY")
    file.write_text(source, encoding="utf-8")
    line = source[: source.index("s.winer")].count("\n") + 1
    result = run("play", file, "--bots", "none")
    assert result.exit_code == 1
    assert f"broken.py, line {line}" in result.stderr and "'winer'" in result.stderr
    assert "Traceback" not in result.stderr
    file.write_text("def", encoding="utf-8")
    assert "broken.py, line 1" in run("play", file).stderr


def test_debug_shows_the_traceback() -> None:
    code = "from tefuda.cli import main; main()"
    command = [sys.executable, "-c", code, "--debug", "replay", "nothere.fuda.json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "RecordError" in done.stderr


def test_ctrl_c_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("tefuda.cli.show"), "games_table", interrupted)
    result = run("games")
    assert (result.exit_code, result.output) == (130, "")


def test_a_fault_of_our_own_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(importlib.import_module("tefuda.cli.show"), "games_table", fault)
    result = run("games")
    assert result.exit_code == 1
    assert "inside Tefuda (ZeroDivisionError: division by zero)" in result.stderr


# ------------------------------------------------------------------------------------------------- games and rules


def test_games() -> None:
    assert [game["id"] for game in as_json("games")] == tefuda.games()
    data = {game["id"]: game for game in as_json("games")}
    assert data["leaves13"]["options"]["target"] == {"default": 20, "low": 5, "high": 100, "null": False}
    assert data["leaves13"]["options"]["leader"] == {"default": "random", "values": ["random", "winner"]}
    assert data["tebineri_cookie"]["title"] == {"ja": "手びねりクッキー", "en": "Hand-made Cookies"}
    text = fine("games", lang="ja")
    assert "上杉真人" in text and "3–6" in text and "target=20 (5–100)" in text


@pytest.mark.parametrize("game", tefuda.games())
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_rules_pages(game: str, lang: str) -> None:
    text = fine("rules", game, "--lang", lang)
    assert text.startswith("# ")
    assert "{{" not in text


@pytest.mark.parametrize(("game", "prefix", "last"), [("leaves13", "LV", 15), ("tebineri_cookie", "TC", 12)])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_rules_pages_tell_every_clause(game: str, prefix: str, last: int, lang: str) -> None:
    text = fine("rules", game, "--lang", lang)
    assert {int(n) for n in re.findall(rf"{prefix}-(\d+)", text)} == set(range(1, last + 1))


def test_the_rules_page_of_a_makers_own_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    file.with_name("mine.ja.md").write_text("# 自分のゲーム\n\n{{S5 HQ}}\n", encoding="utf-8")
    assert fine("rules", file) == fine("rules", file, lang="ja") == "# 自分のゲーム\n\n`S5 HQ`\n\n"


@pytest.mark.parametrize("game", tefuda.games())
def test_rules_pages_name_every_option_and_card(game: str) -> None:
    from tefuda.engine.rules import find

    rules = find(game)
    names = {kind.name for kind in rules.kinds(rules.options())}
    for lang in ("ja", "en"):
        page = (rules.path.parent / f"rules.{lang}.md").read_text(encoding="utf-8")
        assert all(f"| `{option}` |" in page for option in rules.declared_options)
        drawn = {name for cards in re.findall(r"\{\{(.+?)\}\}", page) for name in cards.split()}
        drawn = {name.split("-")[-1] for name in drawn}  # a face with help on it
        assert drawn and drawn <= names


# --------------------------------------------------------------------------------------------------------- records


def test_replay_shows_everything(saved: Path) -> None:
    text = fine("replay", saved)
    record = json.loads(saved.read_text(encoding="utf-8"))
    assert record["events"][0][1] in " ".join(text.split())
    assert "Aki" in text and "place" in text
    assert as_json("replay", saved) == record


def test_verify_deals_again_from_the_key(saved: Path, tmp_path: Path) -> None:
    refused = run("verify", saved)
    assert refused.exit_code == 1 and "holds no key" in refused.output
    key, nonce = bytes(range(32)), bytes(range(16))
    game = Game(find("leaves13"), ["Aki", "Ben", "Chie"], {}, SecretChance(key))
    while not game.over:
        game.play(game.moves()[0])
    game.notes = {"chance": promise(key, nonce)}
    kept = tmp_path / "table.fuda.json"
    game.save(kept)
    assert "follows from the key" in fine("verify", kept)
    assert as_json("verify", kept)["commitment"] == commitment(key, nonce)
    forged = json.loads(kept.read_text(encoding="utf-8"))
    forged["result"]["notes"]["chance"]["key"] = bytes(32).hex()
    kept.write_text(json.dumps(forged), encoding="utf-8")
    broken = run("verify", kept)
    assert broken.exit_code == 1 and "promised before play" in broken.output


def test_replay_shows_what_a_seat_saw(saved: Path) -> None:
    game = tefuda.load(saved)
    for viewer, name in ((0, "0"), (2, "2"), (None, "spectator")):
        text = fine("replay", saved, "--view", name)
        assert "deck ?" in text
        assert game.record()["events"][0][1] not in " ".join(text.split())
        assert as_json("replay", saved, "--view", name) == game.view(viewer)
    for wrong in ("3", "-1", "Aki"):
        result = run("replay", saved, f"--view={wrong}")
        assert result.exit_code == 2 and "0 to 2" in result.stderr


def test_replay_legal(saved: Path) -> None:
    events = tefuda.load(saved).record()["events"]
    lines = [json.loads(line) for line in fine("replay", saved, "--legal").splitlines()]
    assert [line["n"] for line in lines] == [n for n, (who, _) in enumerate(events) if who != "*"]
    game = tefuda.new("leaves13", seed=5, players=["Aki", "bot:random", "bot:greedy"])
    for line in lines:
        assert set(line) == {"n", "seat", "legal", "played"}
        assert [line["seat"], line["played"]] == events[line["n"]]
        assert line["seat"] == game.seat and line["legal"] == game.moves()
        game.play(line["played"])
    assert game.over


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name.removesuffix(".fuda.json"))
def test_replay_legal_of_golden_records(file: Path) -> None:
    events = json.loads(file.read_text(encoding="utf-8"))["events"]
    lines = [json.loads(line) for line in fine("replay", file, "--legal").splitlines()]
    assert [[line["n"], line["seat"], line["played"]] for line in lines] == [
        [n, who, what] for n, (who, what) in enumerate(events) if who != "*"
    ]
    assert all(line["played"] in line["legal"] and len(set(line["legal"])) == len(line["legal"]) for line in lines)


def test_replay_legal_tells_programs_from_people(tmp_path: Path) -> None:
    """In 熟語テン a person may call falsely, a program may not."""
    game = tefuda.new("jukugo_ten", seed=1, players=["Aki", "bot:random"])
    while len(game.events) < 40:
        game.play(game.moves()[0])
    file = tmp_path / "ten.fuda.json"
    game.save(file)
    lines = [json.loads(line) for line in fine("replay", file, "--legal").splitlines()]
    answers = [line for line in lines if "pass" in line["legal"]]
    assert {("false" in line["legal"]) == (line["seat"] == 0) for line in answers} == {True}
    assert {line["seat"] for line in answers} == {0, 1}


def test_replay_refuses_a_wrong_record(saved: Path) -> None:
    record = json.loads(saved.read_text(encoding="utf-8"))
    record["events"][2][1] = "99x1"
    saved.write_text(json.dumps(record), encoding="utf-8")
    for lang, event in (("en", "event 2"), ("ja", "2 番目の出来事")):
        result = run("replay", saved, "--legal", lang=lang)
        assert (result.exit_code, result.stdout) == (1, "")
        assert event in result.stderr and "99x1" in result.stderr


# --------------------------------------------------------------------------------------------------------- playing


def test_playing_all_seats_to_the_end() -> None:
    text = fine("play", "leaves13", "--bots", "none", "--seed", 3, typed="1\n" * 400)
    assert "Player 1 >" in text and "Player 3 >" in text
    assert re.search(r"place +player +points", text)


@pytest.mark.parametrize("game", [*tefuda.games(), EXAMPLE])
def test_playing_against_bots_to_the_end(game: object) -> None:
    first = "1\n#1\n"  # the first of the list, however it is numbered
    text = fine("play", game, "--bots", "random", "--seed", 3, lang="ja", typed=first * 400)
    assert "あなた >" in text and re.search("順位 +名前 +得点", text)


def test_the_same_seed_plays_the_same_game() -> None:
    def game() -> str:
        return fine("play", "leaves13", "--seed", 4, "--bots", "search:20", typed="1\n" * 300)

    assert game() == game()


def test_moves_are_played_by_number_or_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    moves = tefuda.new("leaves13", seed=7).moves()
    text = fine("play", "leaves13", "--bots", "none", "--seed", 7, typed=f"?\n0\n99\n99x9\n\nu\n{moves[2]}\nq\n")
    assert "{rank}x{n}" in text  # the help
    assert text.count(f"1 to {len(moves)}") == 2
    assert "'99x9'" in text
    assert "no move of yours" in text
    record = json.loads(next(tmp_path.glob("*.fuda.json")).read_text(encoding="utf-8"))
    assert record["events"][2:] == [[record["events"][2][0], moves[2]]]


def test_undo_goes_back_to_ones_own_decision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    text = fine("play", EXAMPLE, "--bots", "random", "--seed", 1, typed="1\n1\nu\nq\n")
    assert "Taken back." in text
    game = tefuda.load(next(tmp_path.glob("*.fuda.json")), EXAMPLE)
    mine = [event.who for event in game.events if event.who == 0]
    assert game.seat == 0 and len(mine) == 1


def test_leaving_saves_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    text = fine("play", EXAMPLE, "--bots", "random", typed="1\n1\n")  # the end of input is a way to leave
    command = re.search(r"tefuda (play \S+ --rules \S+)", text)
    assert command
    rest = fine(*command[1].split(), typed="u\n" + "1\n" * 60)
    assert "Taken back." in rest and re.search(r"place +player +points", rest)


def test_ctrl_c_saves_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a test run may ignore it
    code = f"{heed}; from tefuda.cli import main; main()"
    command = [sys.executable, "-c", code, "--lang", "en", "play", "leaves13", "--bots", "none", "--seed", "7"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write("1\n")
        process.stdin.flush()
        seen = ""
        while "Player 3 >" not in seen:  # after seat 1 has moved
            seen += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (130, "")
    assert "Saved." in rest
    assert len(tefuda.load(next(tmp_path.glob("*.fuda.json"))).events) == 3


def test_nothing_hidden_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In German whist every card is there once, so a card on the screen says where it is."""
    monkeypatch.chdir(tmp_path)
    for seed in range(5):
        text = fine("play", EXAMPLE, "--bots", "random", "--seed", seed, typed="q\n")
        game = tefuda.load(next(tmp_path.glob("*.fuda.json")), EXAMPLE)
        next(tmp_path.glob("*.fuda.json")).unlink()
        view = game.view(0)
        known = {card for pile in ("trick", "turned") for card in view["piles"][pile]["cards"]}
        known |= set(view["piles"]["hand"][0]["cards"])
        assert set(re.findall(r"\b[SHDC](?:[2-9]|10|[JQKA])\b", text)) == known


def test_an_option_may_be_json_a_word_or_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "target.json").write_text("30", encoding="utf-8")
    options = ["--option", "expert=true", "--option", "leader=winner", "--option", "target=@target.json"]
    fine("play", "leaves13", "--bots", "none", *options, typed="q\n")
    record = json.loads(next(tmp_path.glob("*.fuda.json")).read_text(encoding="utf-8"))
    assert record["options"] == {"expert": True, "target": 30, "leader": "winner", "empty_row_clears": False}


# --------------------------------------------------------------------------------------------------------- the lab


def test_lab_json() -> None:
    data = as_json("lab", "leaves13", "--seats", 4, "--games", 300, "--seed", 5)
    assert (data["game"], data["seats"], data["games"], data["seed"]) == ("leaves13", 4, 300, 5)
    for key in ("win_share_by_seat", "win_share_by_turn_order", "win_share_by_bot"):
        assert len(data[key]) == 4
        assert sum(value for value, _, _ in data[key]) == pytest.approx(1, abs=1e-4)
        assert all(low < value < high for value, low, high in data[key])
    for key in ("decisions_a_game", "legal_moves_a_decision"):
        value, low, high = data[key]
        assert low < value < high
    again = as_json("lab", "leaves13", "--seats", 4, "--games", 300, "--seed", 5, "--threads", 1)
    assert {k: v for k, v in again.items() if k not in ("seconds", "threads")} == {
        k: v for k, v in data.items() if k not in ("seconds", "threads")
    }


@pytest.mark.parametrize(
    "right, wrong, says",
    [
        ("    s.played += 1\n", "    s.plaid += 1\n", "no field 'plaid'"),
        ("    return True\n", "", "None"),
        ("HAND + seat, 4)", "HAND + seat, 14)", "the pile is empty"),
    ],
)
def test_wrong_rules_in_the_lab_are_told_in_a_sentence(right: str, wrong: str, says: str, tmp_path: Path) -> None:
    assert high_card().count(right) == 1
    maker = tmp_path / "high_card.py"
    maker.write_text(high_card().replace(right, wrong), encoding="utf-8")
    result = run("lab", maker, "--games", 2)
    assert (result.exit_code, result.stdout) == (1, "")
    assert says in result.stderr and str(maker) in result.stderr and result.stderr.count("\n") == 1
    assert f"`tefuda check {maker}` tells more." in result.stderr


def test_lab_of_one_game_has_no_interval() -> None:
    assert as_json("lab", "leaves13", "--games", 1)["decisions_a_game"][1:] == [None, None]


def test_lab_for_people() -> None:
    text = fine("lab", "leaves13", "--games", 100, "--bots", "random,random,greedy", "--rotate")
    assert len(re.findall(r"\d+\.\d%  \(\d+\.\d% – \d+\.\d%\)", text)) == 3 + 3 + 3 + 1
    assert re.search(r"decisions a game +\d+\.\d\d  \(\d+\.\d\d – \d+\.\d\d\)", text)
    assert "席2" in fine("lab", "leaves13", "--games", 100, lang="ja")


def test_lab_records_are_games_it_counted(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    data = as_json("lab", "leaves13", "--games", 20, "--records", folder, "--keep", 3, "--option", "expert=true")
    assert len(data["records"]) == 3
    for file in data["records"]:
        game = tefuda.load(file)
        assert game.over and game.options["expert"] is True
    assert "3 records" in fine("lab", "leaves13", "--games", 20, "--records", folder, "--keep", 3)


# ------------------------------------------------------------------------------------------------------ the doctor


def test_check_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "leaky.py"
    source = EXAMPLE.read_text(encoding="utf-8")
    start = "s.turn = random_seat(s, chance)"
    source = source.replace(start, f"{start}\n    s.next = top(s, STOCK)").replace("    led=1,", "    next=1, led=1,")
    file.write_text(source, encoding="utf-8")  # the next card of the stock, in a field that everybody sees
    result = run("check", file, "--games", 1, "--records", tmp_path / "faults", "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    report = json.loads(result.stdout)
    assert report["ok"] is False and report["game"] == "german_whist"
    assert {"name", "verdict", "sentence", "seconds", "record"} == set(report["findings"][0])
    failed = [finding for finding in report["findings"] if finding["verdict"] == "failed"]
    assert any(finding["name"].startswith("hidden") for finding in failed)
    shown = next(Path(finding["record"]) for finding in failed if finding["record"])
    assert shown.parent == tmp_path / "faults"
    fine("replay", shown, "--rules", file)


def test_check_of_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def deal(", encoding="utf-8")
    result = run("check", file)
    assert (result.exit_code, result.stderr) == (1, "")
    assert "✗ failed  rules" in result.stdout and "line 1" in result.stdout
    assert "Not in order: rules." in result.stdout


# -------------------------------------------------------------------------------------------------------- the pages


def test_serve_hands_over_what_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr("tefuda.web.app.serve", lambda *arguments, **more: given.extend([*arguments, more]))
    told = ["--host", "0.0.0.0", "--port", 8765, "--open", "--database-url", "sqlite:///x.db", "--keep-days", 9]
    fine("serve", EXAMPLE, *told, "--lab", "--no-limits")
    assert given[:-1] == ["0.0.0.0", 8765, True, "sqlite:///x.db", [EXAMPLE]]
    assert given[-1]["keep_days"] == 9 and given[-1]["lab"] is True and given[-1]["limits"].off
    fine("serve")
    assert given[-1]["keep_days"] is None and given[-1]["lab"] is None and not given[-1]["limits"].off


def test_serve_says_when_the_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", port, "--database-url", f"sqlite:///{tmp_path / 'tables.db'}")
    assert result.exit_code == 1
    assert str(port) in result.stderr and "--port" in result.stderr


def test_serve_says_when_the_database_cannot_be_used() -> None:
    result = run("serve", "--port", 0, "--database-url", "nonsense")
    assert result.exit_code == 1 and "database" in result.stderr


def test_where_moves_are_numbers_the_list_is_numbered_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In the game of the docs, typing 4 plays the card 4, never entry 4 of the list."""
    monkeypatch.chdir(tmp_path)
    maker = tmp_path / "high_card.py"
    maker.write_text(high_card(), encoding="utf-8")
    dealt = tefuda.new(maker, seats=2, seed=3)
    own = next(move for n, move in enumerate(dealt.moves()) if move != str(n + 1))
    text = fine("play", maker, "--bots", "none", "--seed", 3, typed=f"99\n#99\n{own}\n#1\nq\n")
    assert "#4 the fourth of the list" in text and "'99' may not be played" in text and "There are only" in text
    dealt.play(own)
    dealt.play(dealt.moves()[0])
    record = json.loads(next(tmp_path.glob("*.fuda.json")).read_text(encoding="utf-8"))
    assert record["events"] == dealt.record()["events"]


@pytest.mark.parametrize(
    "right, wrong, says",
    [
        ("add(moves, PLAY, card)", "add(moves, PLAY, NO_CARD)", "'play', written '', which reads as no move"),
        ("add(moves, PLAY, card)", "add(moves, PLAY, 99)", "'play' with a part there is not"),
        ("add(moves, PLAY, card)", "add(moves, PLAY + 1, card)", "of the kind 2, which MOVES does not declare"),
        (
            "MOVES = (\n",
            'MOVES = (\n    Move(2, "throw", "{card}", card=Card("hand")),\n',
            "'play', written '{own}', which reads as the move 'throw'",
        ),
    ],
)
def test_moves_that_cannot_be_read_are_told_of(right: str, wrong: str, says: str, tmp_path: Path) -> None:
    assert high_card().count(right) == 1
    maker = tmp_path / "high_card.py"
    maker.write_text(high_card(), encoding="utf-8")
    own = tefuda.new(maker, seats=2, seed=3).moves()[0]
    maker.write_text(high_card().replace(right, wrong), encoding="utf-8")
    result = run("play", maker, "--bots", "none", "--seed", 3, typed="#1\n")
    assert result.exit_code == 1 and says.format(own=own) in result.stderr and str(maker) in result.stderr


def test_fields_without_words_are_shown_by_their_names_unless_hidden(tmp_path: Path) -> None:
    maker = tmp_path / "high_card.py"
    maker.write_text(high_card(), encoding="utf-8")
    (tmp_path / "high_card.words.en.toml").write_text('[fields]\ntricks = "won so far"\nbest_card = ""\n')
    text = fine("play", maker, "--bots", "none", "--seed", 3, typed="#1\n" * 8)
    assert "won so far" in text and "best seat" in text and "played 0" in text
    assert "best card" not in text


def test_a_record_of_ones_own_game_asks_for_its_rules(tmp_path: Path) -> None:
    maker, record = tmp_path / "high_card.py", tmp_path / "mine.fuda.json"
    maker.write_text(high_card(), encoding="utf-8")
    tefuda.new(maker, seats=2).save(record)
    result = run("replay", record)
    assert result.exit_code == 1 and "--rules FILE" in result.stderr
    assert "High Card" in fine("replay", record, "--rules", maker)


def test_a_place_is_told_as_people_count() -> None:
    from tefuda.cli.show_lab import amount, place_from_one
    from tefuda.lab import Interval

    assert amount(place_from_one(Interval(1.0, 0.75, 1.25), 3)) == "1.00  (1.00 – 1.50)"
    assert amount(place_from_one(Interval(0.0, float("-inf"), float("inf")), 3)) == "3.00"


def test_counts_are_never_below_nothing() -> None:
    from tefuda.lab import Interval

    assert Interval(1.0, -2.0, 4.0).within(0.0) == Interval(1.0, 0.0, 4.0)


def high_card() -> str:
    """The first game of the docs: its pieces, one after the other."""
    chapter = (ROOT / "docs" / "rules-file.md").read_text(encoding="utf-8").split("## The reference")[0]
    return "\n".join(re.findall(r"```python\n(.*?)```", chapter, re.DOTALL))
