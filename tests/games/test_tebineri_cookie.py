"""手びねりクッキー, clause by clause (the numbers are those of its rules page)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from games.positions import cards_in, dealt, field, laid

import tefuda

CLAUSES = [f"TC-{n}" for n in range(1, 13)]

SUITS = "SHCD"
COOKIES = {f"{suit}{rank}": 1 for suit in SUITS for rank in range(1, 11)}
PICTURES = {f"{suit}{court}": 1 for suit in SUITS for court in "JQK"}
CLAIMS = [f":{suit}{flavour}" for suit in SUITS for flavour in range(4)]

GIVING, CLAIMING, RECEIVING, PASSING_ON = range(4)


def giving(seats, piles, turn=0, **options):
    """The joker's owner is about to give; hands, fronts and weak suits as told (weak suits S H C D unless told)."""
    weak = {("weak", seat): f"{suit}J" for seat, suit in zip(range(seats), SUITS, strict=False)}
    fields = {"turn": turn, "joker": turn, "giver": turn, "saw": [int(seat == turn) for seat in range(seats)]}
    return laid("tebineri_cookie", seats, {**weak, **piles}, fields, **options)


def scored(fronts, hands=(), weak="SHCD", **options):
    """The game is over with these fronts, so many cards in each hand, and these weak suits."""
    seats = len(fronts)
    spare = iter(card for card in COOKIES if card not in " ".join(fronts).split())
    piles = {("front", seat): front for seat, front in enumerate(fronts)}
    piles |= {("hand", seat): " ".join(next(spare) for _ in range(n)) for seat, n in enumerate(hands)}
    courts = {suit: iter("JQK") for suit in SUITS}
    piles |= {("weak", seat): suit + next(courts[suit]) for seat, suit in zip(range(seats), weak, strict=False)}
    return laid("tebineri_cookie", seats, piles, {"over": 1}, **options).result


def plays(game, *texts):
    for text in texts:
        game.play(text)
    return game


@pytest.mark.parametrize("seats", [3, 4])
def test_TC_1_cards(seats):
    game = tefuda.new("tebineri_cookie", seats=seats, seed=1)
    hands = sum((cards_in(game, "hand", seat) for seat in range(seats)), cards_in(game, "removed"))
    assert hands == COOKIES
    weak = sum((cards_in(game, "weak", seat) for seat in range(seats)), cards_in(game, "pictures"))
    assert weak == PICTURES


@pytest.mark.parametrize("seats", [3, 4])
def test_TC_2_deal(seats):
    game = tefuda.new("tebineri_cookie", seats=seats, seed=1)
    for seat in range(seats):
        assert sum(cards_in(game, "hand", seat).values()) == {3: 12, 4: 9}[seats]
        assert sum(cards_in(game, "weak", seat).values()) == 1
    assert sum(cards_in(game, "removed").values()) == 4
    assert sum(cards_in(game, "pictures").values()) == 12 - seats


def test_TC_2_removed_first_then_hands_then_one_picture_each():
    deck, pictures = list(COOKIES), list(PICTURES)
    game = dealt("tebineri_cookie", 3, ["deck " + " ".join(deck), "pictures " + " ".join(pictures), "start 2"])
    assert set(cards_in(game, "removed")) == set(deck[:4])
    for seat in range(3):
        assert set(cards_in(game, "hand", seat)) == set(deck[4 + 12 * seat : 16 + 12 * seat])
        assert set(cards_in(game, "weak", seat)) == {pictures[seat]}


@pytest.mark.parametrize("seats", [2, 5])
def test_TC_2_is_for_three_or_four(seats):
    with pytest.raises(tefuda.OptionError, match="3 to 4"):
        tefuda.new("tebineri_cookie", seats=seats)


def test_TC_3_start():
    starts = Counter()
    for seed in range(300):
        game = tefuda.new("tebineri_cookie", seats=3, seed=seed)
        assert game.log(None)[-1] == ["*", f"start {game.seat}"]
        assert game.view(None)["state"]["joker"] == game.seat
        starts[game.seat] += 1
    assert min(starts[seat] for seat in range(3)) > 60


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("turn", [0, 2])
def test_TC_4_giving(seats, turn):
    game = giving(seats, {("hand", turn): "S5 D10", ("hand", 1): "C1"}, turn=turn)
    others = [seat for seat in range(seats) if seat != turn]
    assert game.moves() == [f"{card}>{seat}" for card in ("S5", "D10") for seat in others]
    game.play(f"S5>{others[1]}")
    assert game.seat == turn
    assert game.moves() == CLAIMS
    game.play(":D3")  # a lie
    assert game.seat == others[1]
    assert game.moves() == ["eat", "hold"]
    state = game.view(None)["state"]
    assert (state["giver"], state["receiver"], state["claim_suit"], state["claim_flavour"]) == (turn, others[1], 3, 3)


def test_TC_4_every_claim_is_possible_and_has_no_effect():
    fronts = set()
    for claim in CLAIMS:
        game = giving(3, {("hand", 0): "S5 D10", ("hand", 1): "C1"})
        plays(game, "S5>1", claim)
        state = game.view(None)["state"]
        assert claim == f":{SUITS[state['claim_suit']]}{state['claim_flavour']}"
        game.play("eat")
        fronts.add(tuple(cards_in(game, "front", 1)))
    assert fronts == {("S5",)}


def test_TC_4_not_to_oneself():
    game = giving(3, {("hand", 1): "S5"}, turn=1)
    with pytest.raises(tefuda.IllegalMove):
        game.play("S5>1")


def test_TC_5_receiving():
    game = giving(4, {("hand", 0): "S5 D10", ("hand", 1): "C1"})
    plays(game, "S5>2", ":H0", "hold")
    assert game.seat == 2
    assert game.moves() == [">1", ">3"]  # seat 0 gave it first and has seen it
    plays(game, ">3")
    assert game.seat == 2
    assert game.moves() == CLAIMS  # a claim of the own choice
    plays(game, ":S1")
    assert game.seat == 3
    plays(game, "hold")
    assert game.moves() == [">1"]
    state = game.view(None)["state"]
    assert (state["giver"], state["joker"], state["saw"]) == (3, 0, [1, 0, 1, 1])


def test_TC_5_who_holds_looks_at_it_unseen_by_the_others():
    game = giving(4, {("hand", 0): "S5 D10", ("hand", 1): "C1"})
    plays(game, "S5>2", ":H0")
    assert [game.view(v)["piles"]["offer"]["cards"] for v in (0, 1, 2, 3, None)] == [["S5"], [], [], [], []]
    game.play("hold")
    assert [game.view(v)["piles"]["offer"]["cards"] for v in (0, 1, 2, 3, None)] == [["S5"], [], ["S5"], [], []]


def test_TC_6_nobody_left_of_three():
    game = giving(3, {("hand", 0): "S5 D10", ("hand", 1): "C1"})
    plays(game, "S5>1", ":H0", "hold", ">2", ":H0")
    assert game.moves() == ["eat", "hold"]  # the last may hold too
    game.play("hold")
    assert cards_in(game, "front", 0) == {"S5": 1}
    assert cards_in(game, "offer") == {}
    state = game.view(None)["state"]
    assert (game.seat, state["joker"], state["giver"], state["saw"]) == (0, 0, 0, [1, 0, 0])
    assert game.moves() == ["D10>1", "D10>2"]


def test_TC_6_nobody_left_of_four():
    game = giving(4, {("hand", 3): "S5 D10", ("hand", 1): "C1"}, turn=3)
    plays(game, "S5>1", ":H0", "hold", ">0", ":H0", "hold", ">2", ":H0", "hold")
    assert cards_in(game, "front", 3) == {"S5": 1}
    assert game.seat == 3


def test_TC_6_the_last_may_eat_instead():
    game = giving(3, {("hand", 0): "S5 D10", ("hand", 2): "C1"})
    plays(game, "S5>1", ":H0", "hold", ">2", ":H0", "eat")
    assert cards_in(game, "front", 2) == {"S5": 1}
    assert game.seat == 2


def test_TC_7_eating():
    game = giving(3, {("hand", 0): "S5 D10", ("hand", 1): "C1"})
    plays(game, "S5>1", ":H0", "eat")
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        assert [front["cards"] for front in view["piles"]["front"]] == [[], ["S5"], []]
        assert (view["state"]["joker"], view["state"]["giver"]) == (1, 1)
    assert game.seat == 1
    assert game.moves() == ["C1>0", "C1>2"]


def test_TC_7_who_has_seen_the_next_card_is_counted_anew():
    game = giving(3, {("hand", 0): "S5 D10", ("hand", 2): "C1 C2"})
    plays(game, "S5>1", ":H0", "hold", ">2", ":H0", "eat", "C1>0", ":C0", "hold")
    assert game.moves() == [">1"]
    assert field(game, "saw") == [1, 0, 1]


def eats(front, card):
    """Seat 1 eats a card; seat 0 gave it and has more, as has seat 1."""
    game = giving(3, {("hand", 0): f"{card} H4", ("hand", 1): "H5", ("front", 1): front})
    return plays(game, f"{card}>1", ":S0", "eat")


@pytest.mark.parametrize("suit", SUITS)
def test_TC_8_a_four_of_one_suit(suit):
    others = [other for other in SUITS if other != suit]
    assert eats(f"{suit}1 {suit}2 {suit}7", f"{suit}10").over  # odd and even together
    assert not eats(f"{suit}1 {suit}2", f"{suit}10").over
    assert not eats(f"{others[0]}1 {others[0]}2 {others[0]}9 {others[1]}1", f"{suit}10").over


def test_TC_8_a_in_one_front_only():
    game = giving(3, {("hand", 0): "S10 H4", ("hand", 1): "H5", ("front", 1): "S1 S2", ("front", 2): "S3 S4 S5"})
    assert not plays(game, "S10>1", ":S0", "eat").over


def test_TC_8_a_at_once_on_coming_back():
    game = giving(3, {("hand", 0): "S10 H4", ("hand", 1): "H5", ("front", 0): "S1 S2 S3"})
    plays(game, "S10>1", ":S0", "hold", ">2", ":S0")
    assert not game.over
    assert plays(game, "hold").over


def test_TC_8_b_no_card_to_start_a_gift_with():
    game = giving(3, {("hand", 0): "S5", ("hand", 2): "C1"})
    plays(game, "S5>1", ":S0")  # seat 1 without a hand can still be offered cards
    assert not game.over
    game.play("eat")
    assert game.over  # and must start a gift now
    assert game.view(None)["seat"] is None
    assert game.view(None)["state"]["over"] == 1


def test_TC_8_giving_on_a_held_card_needs_no_hand():
    game = giving(3, {("hand", 0): "S5", ("hand", 2): "C1"})
    plays(game, "S5>1", ":S0", "hold")
    assert game.moves() == [">2"]
    plays(game, ">2", ":S0", "eat")
    assert not game.over  # seat 2 has a card


def test_TC_8_b_the_giver_whose_last_card_comes_back():
    game = giving(3, {("hand", 0): "S5", ("hand", 1): "C1", ("hand", 2): "C2"})
    plays(game, "S5>1", ":S0", "hold", ">2", ":S0", "hold")
    assert game.over


@pytest.mark.parametrize(("weak", "score"), [("C", 5), ("H", 3), ("D", 23), ("S", -1)])
def test_TC_9_score(weak, score):
    result = scored(["S5 S7 H1 H6 H9 C9", "", ""], hands=[2, 0, 0], weak=weak + "CC")
    assert result["scores"] == [score, 0, 0]


def test_TC_9_every_cookie():
    for suit, rank in product(SUITS, range(1, 11)):
        weak = scored([f"{suit}{rank}", "", ""], weak=suit + "SS")["scores"]
        assert weak == [-rank, 0, 0]
        for other in SUITS.replace(suit, ""):
            strong = scored([f"{suit}{rank}", "", ""], weak=other + "SS")["scores"]
            assert strong == [rank if rank % 2 else -rank, 0, 0]


def test_TC_9_all_weak_suits_are_shown():
    game = giving(3, {("hand", 0): "S5", ("hand", 2): "C1"})
    for viewer in (0, 1, 2, None):
        shown = [weak["cards"] for weak in game.view(viewer)["piles"]["weak"]]
        assert shown == [[f"{SUITS[seat]}J"] if seat == viewer else [] for seat in range(3)]
    plays(game, "S5>1", ":S0", "eat")
    for viewer in (0, 1, 2, None):
        assert [weak["cards"] for weak in game.view(viewer)["piles"]["weak"]] == [["SJ"], ["HJ"], ["CJ"]]


def test_TC_10_ties_higher_score_first():
    assert scored(["S9", "S7", "S5"], weak="HHH")["ranks"] == [1, 2, 3]


def test_TC_10_then_more_cookies_in_front():
    # each 8: one, three and two cookies
    result = scored(["S9", "H5 H1 H3", "C7 C1"], hands=[1, 1, 0], weak="DDD")
    assert result["scores"] == [8, 8, 8]
    assert result["ranks"] == [3, 1, 2]


def test_TC_10_then_fewer_points_lost_to_the_weak_suit():
    # each -3 with two cookies; lost to the weak suit: 4, 0 and 2
    result = scored(["S1 C4", "C5 H8", "D2 H1"], hands=[0, 0, 2], weak="CSD")
    assert result["scores"] == [-3, -3, -3]
    assert result["ranks"] == [3, 1, 2]


def test_TC_10_weak_tie_odd_counts_only_the_odd_cards():
    # both 0 with three cookies. In the weak suit: 4 (nothing odd), or 1 + 2 (1 odd)
    fronts, hands, weak = ["C4 H1 H3", "D1 D2 H5", ""], [0, 2, 5], "CDS"
    both = scored(fronts, hands, weak)
    assert both["scores"] == [0, 0, -5]
    assert both["ranks"] == [2, 1, 3]
    assert scored(fronts, hands, weak, weak_tie="odd")["ranks"] == [1, 2, 3]
    assert tefuda.new("tebineri_cookie").options == {"weak_tie": "all"}
    with pytest.raises(tefuda.OptionError, match="weak_tie"):
        tefuda.new("tebineri_cookie", options={"weak_tie": "even"})


@pytest.mark.parametrize("weak_tie", ["all", "odd"])
def test_TC_10_what_is_lost_to_the_weak_suit(weak_tie):
    for rank in range(1, 11):
        game = giving(3, {("front", 0): f"S{rank} H9 H8", ("front", 1): "C3 D2"}, weak_tie=weak_tie)
        lost = [game.rules.module.lost_to_weak(game.state, seat, game.t) for seat in range(3)]
        assert lost == [rank if weak_tie == "all" or rank % 2 else 0, 0, 0]


def test_TC_10_then_fewer_cards_left_in_hand():
    # each -2 with two cookies and nothing lost to the weak suit: shared with equal hands, else by the hand
    result = scored(["S1 H2", "S3 H4", "C5 C6"], hands=[1, 1, 1], weak="DDD")
    assert result["ranks"] == [1, 1, 1]
    result = scored(["S1 H2", "S5 H4", "C3 C4"], hands=[1, 3, 1], weak="DDD")
    assert result["scores"] == [-2, -2, -2]
    assert result["ranks"] == [1, 3, 1]


def test_TC_10_else_shared_and_the_next_place_is_skipped():
    result = scored(["S9", "H9", "C5", "D5"], weak="CCSS")
    assert result["ranks"] == [1, 1, 3, 3]


def test_TC_11_visible():
    deck, pictures = list(COOKIES), list(PICTURES)
    game = dealt("tebineri_cookie", 3, ["deck " + " ".join(deck), "pictures " + " ".join(pictures), "start 0"])
    plays(game, "S6>1", ":D2", "hold", ">2", ":C1")
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        piles, state = view["piles"], view["state"]
        assert [hand["size"] for hand in piles["hand"]] == [11, 12, 12]
        assert [bool(hand["cards"]) for hand in piles["hand"]] == [seat == viewer for seat in range(3)]
        assert [bool(weak["cards"]) for weak in piles["weak"]] == [seat == viewer for seat in range(3)]
        assert piles["removed"] == {"size": 4, "cards": []}
        assert piles["pictures"]["cards"] == piles["deck"]["cards"] == []
        assert piles["offer"] == {"size": 1, "cards": ["S6"] if viewer in (0, 1) else []}
        assert (state["joker"], state["saw"], state["claim_suit"]) == (0, [1, 1, 0], 2)
        first = "S6>1" if viewer == 0 else "?>1"
        assert view["log"][3:] == [[0, first], [0, ":D2"], [1, "hold"], [1, ">2"], [1, ":C1"]]
        assert view["log"][:2] == [["*", "deck ?"], ["*", "pictures ?"]]


@pytest.mark.parametrize("seats", [3, 4])
def test_TC_12_length(seats):
    # every gift empties a hand by one card: at most 36 gifts, each with at most one offer a player and three decisions
    for seed in range(20):
        game = tefuda.new("tebineri_cookie", seats=seats, seed=seed)
        while not game.over:
            game.play_move(game.legal()[-1])  # hold whenever that is possible
        assert game.state.decisions <= 36 * 3 * seats
        assert game.result["capped"] is False


def test_notation():
    game = giving(3, {("hand", 0): "S10 S1", ("hand", 1): "C1"})
    assert game.moves() == ["S1>1", "S1>2", "S10>1", "S10>2"]
    for text in ("S10>0", "S10>3", "S2>1", "?>1", ">1", "S10", "S10>01", "s10>1", "eat", ":S0", "SJ>1"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)
    game.play("S10>1")
    for text in (":S4", ":X0", "S0", ":S", ":S00"):
        with pytest.raises(tefuda.IllegalMove):
            game.play(text)


def test_moves_have_the_names_that_the_words_know():
    moves = tefuda.new("tebineri_cookie").rules.moves
    assert [move.name for move in moves] == ["give", "pass_on", "claim", "eat", "hold"]
    assert [move.name for move in moves if move.talk] == ["claim"]


def test_estimate_is_the_own_lead_with_the_offer_half_eaten():
    piles = {("front", 0): "S9", ("front", 1): "S7", ("hand", 0): "C5 C7", ("hand", 2): "D1"}
    game = giving(3, piles, weak_tie="all")
    estimate = game.rules.module.estimate
    # scores: 0 has weak S: -9 - 2 = -11; 1 has weak H: 7; 2: -1
    before = [-11 - (7 - 1) / 2, 7 - (-11 - 1) / 2, -1 - (-11 + 7) / 2]
    assert [estimate(game.state, seat, game.t) for seat in range(3)] == before
    game.play("C5>1")  # the hand is one smaller; seat 1 may come to eat +5
    offered = [-10 - (7 + 2.5 - 1) / 2, 7 + 2.5 - (-10 - 1) / 2, -1 - (-10 + 7 + 2.5) / 2]
    assert [estimate(game.state, seat, game.t) for seat in range(3)] == offered
    game.play(":S0")
    assert [estimate(game.state, seat, game.t) for seat in range(3)] == offered
    game.play("hold")  # on the table of nobody
    held = [-10 - (7 - 1) / 2, 7 - (-10 - 1) / 2, -1 - (-10 + 7) / 2]
    assert [estimate(game.state, seat, game.t) for seat in range(3)] == held


# ------------------------------------------------------------------------------------------ what the page tells


def test_why_it_ended():
    game = eats("H1 C2 C3 C4", "C10")
    why = game.rules.module.why
    assert why(game.view(None)) == ("four", 1)
    game = giving(4, {("hand", 0): "S5", ("front", 2): "H1 H2 H3"})
    plays(game, "S5>3", ":S0", "eat")
    assert why(game.view(None)) == ("empty", 3)


def test_the_plates_have_the_well_baked_ones_above():
    rules = tefuda.new("tebineri_cookie").rules.module
    assert set(rules.WELL_BAKED) == {cookie for cookie in COOKIES if int(cookie[1:]) % 2}


def test_the_state_has_no_needless_room():
    rules = tefuda.new("tebineri_cookie").rules
    state = rules.state_type
    assert (state.most_cards, state.most_kinds, state.most_seats) == (52, 52, rules.most_seats)
    own = {name: state.shapes[name] for name in state.own}
    assert {name: length for name, length in own.items() if length != 1} == {"saw": 4}


def test_a_claim_is_true_when_its_suit_is_that_of_the_cookie_on_offer():
    """(For the lab.) What a phrase says of the number is left open."""
    game = tefuda.new("tebineri_cookie", seats=3, seed=4)
    rules = game.rules.module
    gift = game.legal()[0]
    assert rules.truth(game.state, gift, game.t) == -1
    game.play_move(gift)
    offered = rules.suit_of(rules.top(game.state, rules.OFFER))
    told = {game.notation.text(move): rules.truth(game.state, move, game.t) for move in game.legal()}
    assert told == {claim: int(SUITS.index(claim[1]) == offered) for claim in CLAIMS}
