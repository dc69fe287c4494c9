"""Questions about one combat, and what all questions about combats share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mathhammer.dice.pmf import Pmf
from mathhammer.dice.symbols import pool_distribution
from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice
from mathhammer.games.uprising.combat import Combat
from mathhammer.games.uprising.explaining import combat_text
from mathhammer.games.uprising.forces import FALLEN, GRAVEYARD_VP, Over, Passed, defences
from mathhammer.games.uprising.pools import SYMBOLS, DiceBox, Faces, dice_box
from mathhammer.games.uprising.quests import hero_pool
from mathhammer.games.uprising.side import Side
from mathhammer.games.uprising.sides import TERRAIN
from mathhammer.games.uprising.text import side_of
from mathhammer.pools.battle import Asked, BattleSeries, Fought, Series, State

Odds = dict[str, Any]
Ends = Sequence[tuple[Over | Passed, float]]
AIMS = ("chance", "points")
HAVEN_VP = 2  # UP-VP-4


def read_aim(where: str, best: str | None) -> str:
    """What players play for; empty: the usual choices."""
    return "" if best is None else choice(where, "aim of best play", best, AIMS)


def playing(side: Side, best: str) -> Side:
    """The side with free use of its bolts where players play for an aim."""
    return replace(side, policy="best") if best and side.faction == "player" else side


def hero_skulls(where: str, box: DiceBox, hero: Any) -> float | None:
    """The mean skulls of a hero's dice; None without a hero."""
    if hero is None:
        return None
    dice = box.pool(where, hero_pool(where, hero))
    return float(pool_distribution(dice, SYMBOLS).means()[0])


def series_of(combats: Sequence[tuple[Combat, bool]], best: str) -> BattleSeries:
    """Combats in a row; the flag marks those fought only against a new horde."""
    chooser = combats[0][0].player
    wins = ("win", "left") if chooser == 0 else ("lose",)

    def won(state: State) -> float:
        return float(isinstance(state, Passed) or (isinstance(state, Over) and state.outcome in wins))

    return BattleSeries(
        tuple(combat.battle(if_horde) for combat, if_horde in combats),
        combats[0][0].start(),
        chooser,
        won if best == "chance" else lambda _: 0.0,
        1.0 if best == "points" else 0.0,
    )


def battle(
    *,
    a: Mapping[str, Any] | str,
    b: Mapping[str, Any] | str,
    terrain: str = "ice",
    best: str | None = None,
    hero: Mapping[str, int] | None = None,
    faces: Faces = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """A whole combat (UP-CMB-3): archery, then clash rounds until one side is gone.

    A side is text such as "3 Younglings, tower", or a mapping with `kind` units, garrison, skeletons or card;
    units and cards may be named as in the datasheets. `best` is "chance" or "points": players then use bolts,
    give up units and choose their die on highlands as well as one can. `hero` are attributes, for cards whose
    points a hero rolls for.

    >>> younglings = {"kind": "units", "units": [{"name": "Younglings", "count": 3}]}
    >>> from mathhammer import odds
    >>> answer = odds("uprising", "battle", a=younglings, b={"kind": "skeletons", "count": 2})
    >>> round(answer["p_win"], 6), answer["dice_set"]
    (0.687765, 'default')
    """
    choice("battle", "terrain", terrain, TERRAIN)
    aim = read_aim("battle", best)
    box = dice_box("battle", faces)
    sides = [playing(side_of(f"battle: {name}", side), aim) for name, side in (("a", a), ("b", b))]
    skulls = hero_skulls("battle", box, hero)
    combat = Combat("battle", sides[0], sides[1], terrain, box, bool(aim), skulls)
    if aim and "player" not in (combat.a.faction, combat.b.faction):
        raise BadInputError("battle: best play is for players (Empire and Chaos choose nothing)")

    def read(series: Series, _: int | None) -> Odds:
        return battle_answer(combat, method, series, aim)

    return Asked("battle", series_of([(combat, False)], aim), read, method, trials, seed)


def battle_answer(combat: Combat, method: str, series: Series, aim: str) -> Odds:
    """The answer from what either engine says."""
    fought = series.fights[0]
    ends = [(state, chance) for state, chance in fought.ends.items() if isinstance(state, Over)]
    by_outcome = {
        name: sum(chance for state, chance in ends if state.outcome == name)
        for name in ("win", "lose", "draw", "horde", "left")
    }
    survivors = standing(ends, 0, combat.a.strength, series.trials)
    remaining = standing(ends, 1, combat.b.most, series.trials)
    answer: Odds = {
        "p_win": by_outcome["win"],
        "p_lose": by_outcome["lose"],
        "p_draw": by_outcome["draw"],
        "p_horde_formed": by_outcome["horde"],
        "p_left": by_outcome["left"],
        "survivors_a": survivors,
        "remaining_b": remaining,
        "expected_survivors_a": survivors.mean(),
        "expected_remaining_b": remaining.mean(),
        "expected_losses_a": fought.lost[0].value,
        "expected_losses_b": fought.lost[1].value,
        "expected_vp": points_by_faction([combat], [fought]),
        "expected_clash_rounds": fought.rounds.value,
        **scoring_of(combat.sides, ends),
        "best": aim or None,
        "method": method,
        "dice_set": combat.box.used.name,
    }
    answer["expected_vp_a"] = answer["expected_vp"][combat.a.faction]
    if series.trials is not None:
        answer["trials"] = series.trials
        answer["standard_errors"] = {
            **{
                name: share_error(answer[name], series.trials)
                for name in ("p_win", "p_lose", "p_draw", "p_horde_formed", "p_left")
            },
            "expected_survivors_a": survivors.standard_error(),
            "expected_remaining_b": remaining.standard_error(),
            "expected_losses_a": fought.lost[0].error,
            "expected_losses_b": fought.lost[1].error,
            "expected_vp_a": series.points[0].error,
            "expected_clash_rounds": fought.rounds.error,
        }
    answer["explain"] = combat_text(combat, answer)
    return answer


def standing(ends: Sequence[tuple[Over, float]], place: int, most: int, trials: int | None) -> Pmf:
    """How much of a side is left in the end."""
    chances = dict.fromkeys(range(most + 1), 0.0)
    for state, chance in ends:
        chances[state.standing[place]] = chances.get(state.standing[place], 0.0) + chance
    return Pmf(Pmf.of(chances).probs.copy(), trials)


def share_error(chance: float, trials: int) -> float:
    """The standard error of a chance that was played."""
    return float((max(0.0, chance * (1.0 - chance)) / trials) ** 0.5)


def points_by_faction(combats: Iterable[Combat], fights: Iterable[Fought]) -> dict[str, float | None]:
    """What each faction scores; a draw scores as well (UP-VP-1, UP-VP-2). None: the points of a card that
    may be destroyed are not known.
    """
    totals: dict[str, float | None] = {}
    for combat, fought in zip(combats, fights, strict=True):
        for place, side in enumerate(combat.sides):
            gone = any(
                chance and isinstance(state, Over) and not state.standing[1 - place]
                for state, chance in fought.ends.items()
            )
            before = totals.get(side.faction, 0.0)
            unknown = before is None or (gone and combat.points(place)[1] is None)
            totals[side.faction] = None if unknown else (before or 0.0) + fought.points[place].value
    return totals


def scoring_of(sides: Sequence[Side], ends: Ends) -> Odds:
    """What the ends of a combat mean at scoring: graveyards (UP-VP-3, UP-VP-4) and the players' haven
    (UP-AFT-1).
    """
    graveyards = {side.faction: 0.0 for side in sides if side.faction != "player"}
    buried: dict[str, dict[str, float]] = {faction: {} for faction in graveyards}
    for bit, (faction, kind) in enumerate(FALLEN):
        chance = sum(share for state, share in ends if state.ground.fallen >> bit & 1)
        if faction in graveyards and chance:
            buried[faction][kind] = chance
            graveyards[faction] += GRAVEYARD_VP * chance
    owner = next((place for place, side in enumerate(sides) if side.haven), None)
    lost = None
    if owner is not None:
        lost = sum(chance for state, chance in ends if _haven_lost(sides[owner], owner, state))
    return {
        "p_graveyard": buried,
        "expected_graveyard_vp": graveyards,
        "p_haven_lost": lost,
        "expected_haven_vp": None if lost is None else HAVEN_VP * (1.0 - lost),
    }


def _haven_lost(side: Side, place: int, state: Over | Passed) -> bool:
    """UP-AFT-1: only enemies remain, or a power removed it."""
    beaten = isinstance(state, Over) and state.standing[place] == 0 and state.standing[1 - place] > 0
    return beaten or "haven" not in defences(side, state.ground)
