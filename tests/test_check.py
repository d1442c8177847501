"""The maker's doctor finds what is wrong: each fault here is planted in a small game that is otherwise sound."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import tefuda
from tefuda.check import Finding, check, examination
from tefuda.check.compile_errors import PLAINER, compile_error
from tefuda.check.examination import CHECKS, Examination, Fault, Skipped
from tefuda.check.hidden import Several
from tefuda.cli import complaints, show, words
from tefuda.engine.rules import CompiledRulesError, OptionError, Rules
from tefuda.engine.sentence import Sentence

SMALL_FILE = Path(__file__).parent / "engine" / "handing_on.py"
SMALL = SMALL_FILE.read_text(encoding="utf-8")
FUNCTIONS = {name: function for name, _, function in CHECKS}


def examined(tmp_path, *changes, games=20):
    source = SMALL
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return Examination(Rules(tmp_path / "maker.py", source), seed=1, games=games)


def fault(check_name, x):
    with pytest.raises((Fault, tefuda.RulesError)) as found:
        FUNCTIONS[check_name](x)
    return str(found.value)


SOUND = [name for name in FUNCTIONS if name not in ("golden records", "bots", "words")]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return examined(tmp_path_factory.mktemp("sound"))


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_game_passes(sound, name):
    assert FUNCTIONS[name](sound)


def test_golden_records_are_for_our_own_games(sound):
    with pytest.raises(Skipped):
        FUNCTIONS["golden records"](sound)


PASS_ALWAYS = ("    add(moves, PASS)\n", "    if s.left > 4:\n        add(moves, PASS)\n")


def test_a_dead_end(tmp_path):
    only_pass = ("    for card in range(1, 4):\n", "    for card in range(0):\n")
    no_show = ("    for seat in range(3):\n        if seat != s.turn:\n            add(moves, SHOW, seat)\n", "")
    x = examined(tmp_path, only_pass, no_show, PASS_ALWAYS, ("    if size(s, DECK) > 0:\n", "    if s.left > 4:\n"))
    assert "nothing is legal" in fault("play", x)
    assert "nothing is legal" in fault("fuzz", x)


def test_a_loop_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(examination, "STUCK_SECONDS", 0.3)
    x = examined(tmp_path, ("    s.left -= 1\n", "    s.left -= 1\n    while s.left < 3:\n        s.left += 0\n"))
    said = fault("play", x)
    assert "line 6" in said
    assert "does not come to an end" in said


def test_a_lost_card(tmp_path):
    x = examined(tmp_path, ("        draw(s, DECK, HAND + s.turn)\n", "        s.size[DECK] -= 1\n"))
    assert "gone" in fault("fuzz", x)


def test_an_index_beyond_the_end_is_told_with_the_line(tmp_path):
    x = examined(tmp_path, ("    s.left -= 1\n", "    s.left -= 1\n    s.count[DECK, 3 + s.left // 7] += 0\n"))
    assert "maker.py, line 62: count" in fault("fuzz", x)


def test_more_moves_than_there_is_room_for(tmp_path):
    assert "MOST_MOVES" in fault("play", examined(tmp_path, ("MOST_MOVES = 20", "MOST_MOVES = 3")))


def test_plain_and_compiled_differ(tmp_path):
    """A number too large wraps around in compiled rules, and is refused as they are written."""
    x = examined(tmp_path, ("    s.left -= 1\n", "    s.left -= 1\n    s.capped = 8192 * (8 - s.left)\n"))
    assert "32767" in fault("plain and compiled", x)


def test_two_moves_with_one_text(tmp_path):
    x = examined(tmp_path, ('"lay {card}"', '"{card}"'), ('Move(PASS, "pass", "pass")', 'Move(PASS, "pass", "a")'))
    assert "'a'" in fault("move text", x)


def test_two_kinds_of_moves_with_one_text_are_both_named(tmp_path):
    x = examined(tmp_path, ('"lay {card}"', '"{card}"'), ('Move(PASS, "pass", "pass")', 'Move(PASS, "pass", "a")'))
    said = fault("move text", x)
    assert "'pass'" in said
    assert "'lay' (card a)" in said


def test_games_that_never_end(tmp_path):
    x = examined(tmp_path, ("    s.left -= 1\n", ""), ("MOST_MOVES = 20", "MOST_MOVES = 20\nCAP = 100"), games=2)
    said = fault("fuzz", x)
    assert "no game ends by itself: each of" in said
    assert "CAP: 100 decisions" in said


def test_a_seat_that_never_has_a_turn(tmp_path):
    first = ("    s.turn = random_seat(s, chance)\n", "    s.turn = 2 * random_seat(s, chance) % 4\n")
    x = examined(tmp_path, first, ("    s.turn = (s.turn + 1) % 3\n", "    s.turn = 2 - s.turn\n"))
    assert "with 3 seats and {}: seat 1 never had a turn in 20 random games" in fault("fuzz", x)


def test_a_turn_that_never_passes_on(tmp_path):
    x = examined(tmp_path, ("    s.turn = (s.turn + 1) % 3\n", ""))
    assert "there were always seats that never had a turn in 20 random games" in fault("fuzz", x)


def test_a_field_that_tells_of_a_hidden_card(tmp_path):
    x = examined(tmp_path, ("    s.left = 8\n", "    s.left = 8 + count(s, HAND, 3)\n"))
    said = fault("hidden: histories", x)
    assert "can be told apart" in said
    assert re.search(r"the field 'left' is \d+ in one and \d+ in the other$", said)


def test_moves_that_tell_of_a_hidden_card(tmp_path):
    telling = "    if count(s, HAND + (s.turn + 1) % 3, 1) < 2:\n        add(moves, PASS)\n"
    x = examined(tmp_path, ("    add(moves, PASS)\n", telling))
    said = fault("hidden: swaps", x)
    assert "it can tell" in said
    assert re.search(r"the list of legal moves has 'pass' only in (one|the other)$", said)


def test_a_result_that_tells_of_hidden_cards(tmp_path):
    x = examined(tmp_path, ("points[seat] = size(s, HAND + seat)", "points[seat] = count(s, HAND + seat, 1)"))
    assert "it can tell" in fault("hidden: swaps", x)


def test_a_private_field_is_no_leak(tmp_path):
    own = ("left=1)", "left=1, own=private())")
    x = examined(tmp_path, own, ("    s.left = 8\n", "    s.left = 8\n    s.own[1] = count(s, HAND + 1, 1)\n"))
    assert FUNCTIONS["hidden: histories"](x)


def test_ranks_that_are_no_places(tmp_path):
    x = examined(tmp_path, ("def scores", "def ranks(s, places, t):\n    places[0] = 2\n\n\ndef scores"))
    assert "ranks" in fault("play", x)


@pytest.mark.parametrize(
    ("new", "said"),
    [("s.left = missing", "the name missing is not defined"), ("s.left = None", "None")],
)
def test_what_cannot_be_compiled_is_told_with_the_line(tmp_path, new, said):
    x = examined(tmp_path, ("    s.left -= 1\n", f"    s.left -= 1\n    if s.left < -5:\n        {new}\n"))
    message = fault("compile", x)
    assert "maker.py, line 63" in message
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("lfet"), "the state has no field 'lfet'"),
        (TypeError("Unknown attribute 'length' of type T(int64 x 4)"), "there is no option and no table length"),
        (TypeError("Cannot cast Literal[str](no) to int16: i8* null"), "not a text"),
        (TypeError("Cannot cast none to int16: i8* null"), "not None; use NO_CARD"),
        (TypeError("expected int64, got None"), "a variable is None in one case"),
        (TypeError("Cannot infer the type of variable 'n', have imprecise type: list(undefined)."), "empty list"),
        (TypeError("Untyped global name 'words': Cannot determine"), "give it to them by `tables`"),
        (TypeError("Cannot unify int64 and float64 for 'n.2', defined at"), "n is of one type here (int64)"),
        (TypeError("Something new"), "Something new (in compiled rules)"),
    ],
)
def test_what_the_compiler_says_is_put_in_words(tmp_path, error, said):
    where = 'During: typing\n\nFile "../cache/tefuda_jit_rules_0a1b.py", line 61:\ndef apply(s, choice, t):\n'
    told = KeyError(*error.args) if isinstance(error, KeyError) else type(error)(f"{error}\n{where}")
    assert said in str(compile_error(told, examined(tmp_path).rules))


def test_an_error_without_a_place_is_still_told(tmp_path):
    assert str(compile_error(ValueError(""), examined(tmp_path).rules)).endswith("maker.py: ValueError")


@pytest.fixture(scope="module")
def leaking(tmp_path_factory):
    """A file whose result tells of hidden cards, the report of it, and what was told as it came."""
    file = tmp_path_factory.mktemp("leaking") / "maker.py"
    file.write_text(SMALL.replace("points[seat] = size(s, HAND + seat)", "points[seat] = count(s, HAND + seat, 1)"))
    told: list[Finding] = []
    return file, check(file, games=2, folder=file.parent / "faults", tell=told.append), told


@pytest.fixture(scope="module")
def unread(tmp_path_factory):
    file = tmp_path_factory.mktemp("unread") / "maker.py"
    file.write_text("x = (\n", encoding="utf-8")
    return check(file)


@pytest.fixture(scope="module")
def sound_report():
    return check(Rules(SMALL_FILE), seed=99999999999999999999, games=1)


def test_a_report_with_a_fault_leaves_a_record(leaking):
    file, report, told = leaking
    assert not report.ok
    assert told == report.findings
    found = {finding.name: finding for finding in report.findings}
    assert [found[name].verdict for name in ("rules", "hidden: swaps", "bots")] == ["passed", "failed", "skipped"]
    shown = found["hidden: swaps"].record
    assert shown == file.parent / "faults" / "handing_on-hidden-swaps.fuda.json"
    assert tefuda.load(shown, file).over
    assert report.data()["ok"] is False
    assert [finding["name"] for finding in report.data()["findings"]] == list(found)


def test_a_file_that_cannot_be_read_is_a_finding(unread):
    assert [(finding.name, finding.verdict) for finding in unread.findings] == [("rules", "failed")]
    assert "line 1" in str(unread.findings[0].sentence)
    with pytest.raises(tefuda.UnknownGameError):
        check("no such game")


def test_the_same_seed_finds_the_same(tmp_path):
    x, again = examined(tmp_path), examined(tmp_path)
    for name in ("play", "move text", "hidden: swaps", "hidden: histories"):
        assert str(FUNCTIONS[name](x)) == str(FUNCTIONS[name](again))


GERMAN_WHIST = (Path(__file__).parents[1] / "examples" / "german_whist.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"seats": (2, 2)', '"seats": "two"', "the fewest and the most players"),
        ('"id": "german_whist"', '"id": "german whist"', "a word of small letters"),
        ('"title": {"ja": "ジャーマン・ホイスト", "en": "German Whist"}', '"title": 5', "a text for each language"),
        ("def is_over(", "raise SystemExit(3)\n\n\ndef is_over(", r"line \d+: SystemExit"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_when_it_is_read(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in GERMAN_WHIST
    file = tmp_path / "whist.py"
    file.write_text(GERMAN_WHIST.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(tefuda.RulesError, match=says):
        Rules(file)


def test_a_turn_of_a_seat_that_is_not_there_is_told(tmp_path: Path) -> None:
    file = tmp_path / "whist.py"
    head = "def apply(s, choice, t):\n"
    assert head in GERMAN_WHIST
    file.write_text(GERMAN_WHIST.replace(head, head + "    s.turn = 7\n    return\n"), encoding="utf-8")
    game = tefuda.new(file, seed=1)
    before = game.record()
    with pytest.raises(tefuda.RulesError, match=r"s\.turn is 7, which is no seat"):
        game.play(game.moves()[0])
    assert game.record() == before


def test_any_seed_will_do(sound_report):
    assert [str(finding.sentence) for finding in sound_report.findings if finding.verdict == "failed"] == []


JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def test_every_finding_is_told_in_japanese_too(sound_report, leaking, unread):
    findings = [finding for report in (sound_report, leaking[1], unread) for finding in report.findings]
    assert {"rules", *FUNCTIONS} == {finding.name for finding in findings}
    assert {"passed", "failed", "skipped"} == {finding.verdict for finding in findings}
    for finding in findings:
        told = finding.sentence.say("ja")
        assert JAPANESE.search(told) and JAPANESE.search(Sentence(finding.name).say("ja")), told
        assert not re.search(r"\{\w", told + str(finding.sentence)), told
    leak = next(finding for finding in leaking[1].findings if finding.name == "hidden: swaps").sentence.say("ja")
    assert re.search(r"^(席\d|観客)に見えない札.*、片方では \d、もう片方では \d です$", leak)


def test_numbers_of_one_read_well(sound_report):
    told = {finding.name: str(finding.sentence) for finding in sound_report.findings}
    assert told["rules"] == "handing_on.py is read: 5 kinds of moves, 0 options"
    assert told["options"] == "1 setting of 0 options and 3 seats are taken, others refused by name"
    assert told["fuzz"].startswith("1 random game with all seats and options (8 decisions) ends with all its cards;")


def test_several_are_told_in_the_same_language():
    several = Sentence("waits until {names} are in order", names=Several(["{a}", Sentence("seat {seat}", seat=1)]))
    assert str(several) == "waits until {a} and seat 1 are in order"
    assert "{a}と席1" in several.say("ja")


@pytest.mark.parametrize(("pattern", "plainer"), PLAINER)
def test_what_the_compiler_says_is_known_in_japanese(pattern, plainer):
    places = {name for _, name, _, _ in string.Formatter().parse(plainer) if name is not None}
    assert places == set(re.compile(pattern).groupindex)
    assert JAPANESE.search(Sentence(plainer).say("ja"))


def test_what_is_wrong_in_compiled_rules_is_told_in_the_language_spoken(monkeypatch):
    rules = Rules(SMALL_FILE.with_name("ma{k}er.py"), SMALL)
    try:
        raise CompiledRulesError(rules, ValueError("draw: the pile is empty")) from ValueError(
            "draw: the pile is empty"
        )
    except CompiledRulesError as e:
        error = e
    monkeypatch.setattr(words, "_spoken", "en")
    assert "ma{k}er.py: draw: the pile is empty (in compiled rules). `tefuda check" in complaints.wrong_rules(error)
    monkeypatch.setattr(words, "_spoken", "ja")
    assert "ma{k}er.py：draw：山が空です（コンパイルしたルールで）。`tefuda check" in complaints.wrong_rules(error)


def test_whatever_the_engine_says_of_a_file_is_a_finding(monkeypatch):
    def compiled(x):
        raise CompiledRulesError(x.rules, KeyError("lfet")) from KeyError("lfet")

    def refused(x):
        raise OptionError("takes true or false")

    monkeypatch.setattr("tefuda.check.CHECKS", [("bots", (), compiled), ("page", (), refused)])
    _, *findings = check(Rules(SMALL_FILE)).findings
    assert [finding.verdict for finding in findings] == ["failed", "failed"]
    assert str(findings[0].sentence) == f"{SMALL_FILE}: the state has no field 'lfet'"
    assert str(findings[1].sentence) == "takes true or false"


def test_the_command_shows_findings_in_the_language_spoken(leaking, monkeypatch, capsys):
    monkeypatch.setattr(words, "_spoken", "ja")
    for finding in leaking[1].findings:
        show.finding(finding)
    show.verdict(leaking[1])
    out = capsys.readouterr().out
    assert "✗ 誤り  隠れた札の入れ替え  " in out
    assert "ほかの 1 の検査は、それが直ってからします" in out
    assert "誤りがあります：見えない札の配り直し、隠れた札の入れ替え" in out
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", out)


def test_a_move_with_more_than_its_text_says(tmp_path):
    x = talking(tmp_path, ("        add(moves, SAY, 1)\n", "        add(moves, SAY, 1, 3)\n"))
    assert "with something in it that its text does not say" in fault("move text", x)


TALKING = [
    ('"hm", talk=True', '":{what}", what=Choice("a", "b"), talk=True'),
    ("        add(moves, SAY)\n", "        add(moves, SAY, 0)\n        add(moves, SAY, 1)\n"),
]


def talking(tmp_path, *changes):
    source = (Path(__file__).parent / "secret_bids.py").read_text(encoding="utf-8")
    for old, new in (*TALKING, *changes):
        assert old in source, old
        source = source.replace(old, new)
    return Examination(Rules(tmp_path / "maker.py", source), seed=1, games=5)


def test_talk_that_is_only_said(tmp_path):
    assert re.match(r"\d+ times", str(FUNCTIONS["talk"](talking(tmp_path))))


def test_talk_that_changes_the_game(tmp_path):
    x = talking(tmp_path, ("        s.words += 1\n", "        s.words += 1\n        s.ended = parts(choice)[1]\n"))
    assert "'say' is marked as talk" in fault("talk", x)


@pytest.mark.parametrize(("says", "told"), [("return 5", "truth says 5 of"), ("return s.lie", "no field 'lie'")])
def test_truth_that_is_none(tmp_path, says, told):
    truth = f"def truth(s, choice, t):\n    {says}\n\n\ndef is_over("
    assert told in fault("talk", talking(tmp_path, ("def is_over(", truth)))


def test_rules_that_break_off_leave_a_record_and_the_move(tmp_path):
    source = (Path(__file__).parent / "secret_bids.py").read_text(encoding="utf-8")
    source = source.replace("        s.turn += 1\n", "        s.turn += 1\n        draw(s, DECK, BIDS, 3)\n")
    file = tmp_path / "maker.py"
    file.write_text(source, encoding="utf-8")
    found = next(finding for finding in check(file, games=2, folder=tmp_path).findings if finding.verdict == "failed")
    assert re.search(r"line \d+: draw: the pile is empty \(while .* was made\)", str(found.sentence))
    assert found.record is not None and not tefuda.load(found.record, file).over
    assert "をしているとき" in found.sentence.say("ja")


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize(
    "told", ["card_at(s, HAND, 0)", "card_at(s, HAND + 1, 12)", "count(s, HAND, 9)", "s.card[STOCK, 0]"]
)
def test_a_field_that_tells_a_card_of_the_deal_is_found_whatever_the_seed(tmp_path: Path, seed: int, told: str) -> None:
    source = GERMAN_WHIST.replace("    tricks=2,", "    told=1,\n    tricks=2,", 1)
    source = source.replace("def deal(s, t, chance):", "def cards_out(s, t, chance):", 1)
    source += "\n\ndef deal(s, t, chance):\n    cards_out(s, t, chance)\n    s.told = " + told + "\n"
    x = Examination(Rules(tmp_path / "maker.py", source), seed=seed, games=3)
    with pytest.raises(Fault, match="two deals with other hidden cards can be told apart"):
        FUNCTIONS["hidden: histories"](x)
