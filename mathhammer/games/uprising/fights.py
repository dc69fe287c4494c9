"""Questions about combat: one given roll, a whole combat, several combats in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice, listed, whole
from mathhammer.games.uprising.combat import Combat, Now, Over, cleared, colours_of, damage, rerolls_of, spend
from mathhammer.games.uprising.pools import SYMBOLS, DiceBox, Faces, dice_box, in_words
from mathhammer.games.uprising.sides import TERRAIN, Side, read_side
from mathhammer.pools.battle import Asked, BattleSeries, Series, State

Odds = dict[str, Any]
MOST_ENEMIES = 30
NO_TERRAIN = "no effect (UP-TER-1, UP-TER-6)"
TERRAIN_TEXT = {
    "badlands": "riders also roll in archery (UP-TER-2)",
    "highlands": "one archery die for each side, the strongest (UP-TER-3)",
    "marsh": "red dice become white (UP-TER-4)",
    "forest": "each side rerolls up to 2 blanks in archery (UP-TER-5)",
    "cursed": "bolts of players and Empire do nothing (UP-TER-7)",
}


def round_(
    *,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    rolled_a: Sequence[int],
    rolled_b: Sequence[int],
    terrain: str = "ice",
) -> Odds:
    """What one given roll of both sides does; results are (skulls, shields, bolts).

    >>> emperor = {"kind": "card", "faction": "empire", "god_power": {"effect": "none", "limit": "round"}}
    >>> answer = round_(a={"kind": "units", "units": []}, b=emperor, rolled_a=[3, 2, 0], rolled_b=[2, 1, 2])
    >>> answer["damage_a"], answer["damage_b"], answer["god_uses_b"]
    (1, 2, 1)
    """
    choice("round", "terrain", terrain, TERRAIN)
    left, right = read_side("round: a", a, fights=False), read_side("round: b", b, fights=False)
    of_a = spend(left, _rolled("rolled_a", rolled_a), 0, terrain, right)
    of_b = spend(right, _rolled("rolled_b", rolled_b), 0, terrain, left)
    lines = []
    for name, spent in (("a", of_a), ("b", of_b)):
        placed = f", {spent.placed} skeletons placed after damage (UP-SKE-2)" if spent.placed else ""
        lines.append(
            f"Side {name}: {spent.skulls} skulls, {spent.shields} shields, {spent.uses} bolts into god "
            "powers (UP-BOLT-2 to UP-BOLT-5), "
            f"{spent.cancels} bolts against shields (UP-BOLT-1){placed}."
        )
    return {
        "damage_a": damage(of_b.skulls, of_a.shields, of_b.cancels),
        "damage_b": damage(of_a.skulls, of_b.shields, of_a.cancels),
        "god_uses_a": of_a.uses,
        "god_uses_b": of_b.uses,
        "placed_a": of_a.placed,
        "placed_b": of_b.placed,
        "dice_set": "none (the roll is given)",
        "explain": "\n".join(lines),
    }


def _rolled(name: str, value: Any) -> tuple[int, int, int]:
    numbers = listed("round", name, value)
    if len(numbers) != len(SYMBOLS):
        raise BadInputError(f"round: {name} is {value!r} (give three numbers: skulls, shields, bolts)")
    skulls, shields, bolts = (whole("round", name, number) for number in numbers)
    return skulls, shields, bolts


def _series(combats: Sequence[tuple[Combat, bool]]) -> BattleSeries:
    """Combats in a row; the flag marks those fought only against a new horde."""
    return BattleSeries(tuple(combat.battle(if_horde) for combat, if_horde in combats), combats[0][0].start())


def battle(
    *,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    terrain: str = "ice",
    faces: Faces = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """A whole combat (UP-CMB-3): archery, then clash rounds until one side is gone.

    A side is a mapping with `kind` units, garrison, skeletons or card; units and cards may be named as in the
    datasheets.

    >>> younglings = {"kind": "units", "units": [{"name": "Younglings", "count": 3}]}
    >>> from mathhammer import odds
    >>> answer = odds("uprising", "battle", a=younglings, b={"kind": "skeletons", "count": 2})
    >>> round(answer["p_win"], 6), answer["dice_set"]
    (0.687765, 'default')
    """
    choice("battle", "terrain", terrain, TERRAIN)
    box = dice_box("battle", faces)
    combat = Combat("battle", read_side("battle: a", a), read_side("battle: b", b), terrain, box)
    question = _series([(combat, False)])
    return Asked(
        "battle", question, lambda series, _: _battle_answer(combat, method, series), method, trials, seed
    )


def _battle_answer(combat: Combat, method: str, series: Series) -> Odds:
    fought = series.fights[0]
    ends = [(state, chance) for state, chance in fought.ends.items() if isinstance(state, Over)]
    by_outcome = {
        name: sum(chance for state, chance in ends if state.outcome == name)
        for name in ("win", "lose", "draw", "horde")
    }
    survivors = _standing(ends, 0, combat.a.strength, series.trials)
    remaining = _standing(ends, 1, combat.b.strength, series.trials)
    lost_a, lost_b = fought.lost
    vp = _points_by_faction(combat, ends, (lost_a.value, lost_b.value))
    answer: Odds = {
        "p_win": by_outcome["win"],
        "p_lose": by_outcome["lose"],
        "p_draw": by_outcome["draw"],
        "p_horde_formed": by_outcome["horde"],
        "survivors_a": survivors,
        "remaining_b": remaining,
        "expected_survivors_a": survivors.mean(),
        "expected_remaining_b": remaining.mean(),
        "expected_losses_a": lost_a.value,
        "expected_losses_b": lost_b.value,
        "expected_vp_a": series.points.value,
        "expected_vp": vp,
        "expected_clash_rounds": fought.rounds.value,
        "method": method,
        "dice_set": combat.box.used.name,
    }
    if series.trials is not None:
        answer["trials"] = series.trials
        answer["standard_errors"] = {
            **{
                name: _share_error(answer[name], series.trials)
                for name in ("p_win", "p_lose", "p_draw", "p_horde_formed")
            },
            "expected_survivors_a": survivors.standard_error(),
            "expected_remaining_b": remaining.standard_error(),
            "expected_losses_a": lost_a.error,
            "expected_losses_b": lost_b.error,
            "expected_vp_a": series.points.error,
            "expected_clash_rounds": fought.rounds.error,
        }
    answer["explain"] = _explain_battle(combat, answer)
    return answer


def _standing(ends: Sequence[tuple[Over, float]], place: int, most: int, trials: int | None) -> Pmf:
    chances = dict.fromkeys(range(most + 1), 0.0)
    for state, chance in ends:
        chances[state.standing[place]] = chances.get(state.standing[place], 0.0) + chance
    return Pmf(Pmf.of(chances).probs.copy(), trials)


def _share_error(chance: float, trials: int) -> float:
    return float((max(0.0, chance * (1.0 - chance)) / trials) ** 0.5)


def _points_by_faction(
    combat: Combat, ends: Sequence[tuple[Over, float]], lost: tuple[float, float]
) -> dict[str, float]:
    """What each side scores for what it destroys; a draw scores as well (UP-VP-1, UP-VP-2)."""
    answers = {}
    for place, side in enumerate(combat.sides):
        each, end = combat.points(place)
        gone = sum(chance for state, chance in ends if state.standing[1 - place] == 0)
        answers[side.faction] = each * lost[1 - place] + end * gone
    return answers


def _explain_side(combat: Combat, place: int) -> list[str]:
    side, enemy = combat.sides[place], combat.sides[1 - place]
    start = combat.start()
    pools = []
    for phase in ("archery", "first", "clash"):
        if phase == "archery" and start.phase != "archery":
            pools.append("no archery round")
            continue
        now = Now(phase, start.standing)
        colours = colours_of(side, enemy, now, place, combat.terrain)
        again = "".join(f", rerolls up to {n} blanks" for n in rerolls_of(side, now, combat.terrain))
        pools.append(f"{'first clash' if phase == 'first' else phase}: {in_words(colours)}{again}")
    lines = [
        (
            f"Side {'ab'[place]}, {side.name} ({side.faction}), {side.strength} {side.piece}: "
            f"{'; '.join(pools)} (UP-CMB-4, UP-CMB-5)."
        )
    ]
    if side.kind == "units":
        order = ", ".join(dict.fromkeys(figure.name for figure in side.figures))
        lines.append(f"  Casualties in this order (UP-CAS-2): {order}.")
    for power in side.powers:
        what = {
            "none": "nothing that concerns the dice",
            "skeleton": "a skeleton placed after damage (UP-SKE-2)",
        }.get(power.effect)
        limit = "no limit" if power.limit == "none" else f"once per {power.limit}"
        lines.append(
            f"  Bolts feed its god power first ({limit}): {what or f'{power.n} {power.effect}'}; the "
            "rest cancels shields."
        )
    if not side.powers:
        lines.append("  Bolts cancel enemy shields (UP-BOLT-1).")
    if side.stops_shields or side.stops_bolts:
        lines.append(f"  Its enemy cannot use {'shields' if side.stops_shields else 'bolts'} (UP-THR-5).")
    return lines


def _explain_battle(combat: Combat, answer: Mapping[str, Any]) -> str:
    lines = [
        f"Dice set: {combat.box.used}.",
        f"Terrain {combat.terrain}: {TERRAIN_TEXT.get(combat.terrain, NO_TERRAIN)}.",
        *_explain_side(combat, 0),
        *_explain_side(combat, 1),
        (
            "Each round both sides roll at once; skulls less shields that are not cancelled are losses "
            "(UP-SYM-1, UP-SYM-2)."
        ),
        f"a wins {answer['p_win']:.4f}, loses {answer['p_lose']:.4f}, both gone "
        f"{answer['p_draw']:.4f}, horde formed "
        f"{answer['p_horde_formed']:.4f} (UP-SKE-3); {answer['expected_clash_rounds']:.4f} clash "
        "rounds (UP-CMB-3).",
        "Expected points (UP-VP-1, UP-VP-2): "
        + ", ".join(f"{name} {vp:.4f}" for name, vp in answer["expected_vp"].items())
        + ".",
    ]
    if answer["method"] == "simulate":
        lines.append(f"Played {answer['trials']} times.")
    return "\n".join(lines)


def campaign(
    *,
    a: Mapping[str, Any],
    enemies: Sequence[Mapping[str, Any]],
    terrain: str = "ice",
    faces: Faces = None,
    horde: Mapping[str, Any] | None = None,
    order: str = "given",
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """Several combats in a row on one hex, each complete in itself (UP-CMB-7).

    `order` is "given", or "rules": garrisons before legions, skeletons before hordes, cards in ascending
    initiative. `horde` is the card that is fought where skeletons become one; without it such a combat
    ends the campaign uncleared.

    >>> army = {"kind": "units", "units": [{"name": "Younglings", "count": 3}, "Koloth"]}
    >>> guard = {"kind": "card", "name": "Imperial Guard", "threat": 1}
    >>> from mathhammer import odds
    >>> answer = odds("uprising", "campaign", a=army, enemies=[{"kind": "garrison", "level": 1}, guard])
    >>> [round(chance, 4) for chance in answer["p_clear_through"]]
    [1.0, 0.7939]
    """
    choice("campaign", "terrain", terrain, TERRAIN)
    choice("campaign", "order", order, ("given", "rules"))
    box = dice_box("campaign", faces)
    side = read_side("campaign: a", a)
    foes = [
        read_side(f"campaign: enemy {n}", enemy)
        for n, enemy in enumerate(listed("campaign", "enemies", enemies), 1)
    ]
    if not 1 <= len(foes) <= MOST_ENEMIES:
        raise BadInputError(f"campaign: {len(foes)} enemies (give 1 to {MOST_ENEMIES})")
    if order == "rules":
        foes.sort(key=lambda foe: (foe.kind == "card", foe.initiative))
    combats: list[tuple[Combat, bool]] = []
    last: list[int] = []  # the last combat of each enemy
    for number, foe in enumerate(foes, 1):
        combats.append((Combat(f"campaign: enemy {number}", side, foe, terrain, box), False))
        if horde is not None and foe.kind == "skeletons":
            combats.append(
                (Combat("campaign: horde", side, read_side("campaign: horde", horde), terrain, box), True)
            )
        last.append(len(combats) - 1)
    read = _Campaign(side, tuple(foes), tuple(last), box, terrain, bool(horde), method)
    return Asked("campaign", _series(combats), read.answer, method, trials, seed)


@dataclass(frozen=True, slots=True)
class _Campaign:
    """What the answer to a campaign needs besides its battles."""

    side: Side
    foes: tuple[Side, ...]
    last: tuple[int, ...]  # the last combat of each enemy
    box: DiceBox
    terrain: str
    horde_fought: bool
    method: str

    def answer(self, series: Series, _: int | None) -> Odds:
        """The answer from what either engine says."""
        return _campaign_answer(self, series)


def _campaign_answer(asked: _Campaign, series: Series) -> Odds:
    box, terrain = asked.box, asked.terrain
    clear = [
        sum(chance for state, chance in series.fights[place].ends.items() if cleared(state))
        for place in asked.last
    ]
    survivors = _campaign_survivors(series, asked.side, asked.horde_fought)
    answer: Odds = {
        "p_clear_through": clear,
        "p_horde_formed": sum(
            chance for fought in series.fights for state, chance in fought.ends.items() if _formed(state)
        ),
        "expected_vp_a": series.points.value,
        "survivors_a": survivors,
        "expected_survivors_a": survivors.mean(),
        "method": asked.method,
        "dice_set": box.used.name,
    }
    if series.trials is not None:
        answer["trials"] = series.trials
        answer["standard_errors"] = {
            "p_clear_through": [_share_error(chance, series.trials) for chance in clear],
            "expected_vp_a": series.points.error,
            "expected_survivors_a": survivors.standard_error(),
        }
    lines = [f"Dice set: {box.used}.", f"Terrain {terrain}: {TERRAIN_TEXT.get(terrain, NO_TERRAIN)}."]
    for number, (foe, chance) in enumerate(zip(asked.foes, clear, strict=True), 1):
        lines.append(
            f"Enemy {number}, {foe.name} ({foe.strength} {foe.piece}), a complete combat (UP-CMB-7): "
            f"cleared {chance:.4f}."
        )
    lines.append(
        f"Expected points {answer['expected_vp_a']:.4f} (UP-VP-1, UP-VP-2), expected survivors "
        f"{survivors.mean():.4f}."
    )
    answer["explain"] = "\n".join(lines)
    return answer


def _formed(state: State) -> bool:
    return isinstance(state, Over) and state.outcome == "horde"


def _campaign_survivors(series: Series, side: Side, horde_fought: bool) -> Pmf:
    """What is left of side a in the end: of the last combat, and of those that a horde
    nobody fights broke off.
    """
    chances = dict.fromkeys(range(side.strength + 1), 0.0)
    for place, fought in enumerate(series.fights):
        final = place == len(series.fights) - 1
        for state, chance in fought.ends.items():
            if final and cleared(state):
                chances[cleared(state)] += chance
            elif not horde_fought and isinstance(state, Over) and state.outcome == "horde":
                chances[state.standing[0]] += chance
    chances[0] = max(0.0, 1.0 - sum(chances.values()))
    return Pmf(Pmf.of(chances).probs.copy(), series.trials)
