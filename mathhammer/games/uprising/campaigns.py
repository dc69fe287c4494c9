"""Questions about several combats in a row on one hex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice, listed, whole
from mathhammer.games.uprising.combat import Combat, cleared
from mathhammer.games.uprising.explaining import BEST_TEXT, points_line, scoring_lines, terrain_line
from mathhammer.games.uprising.fights import (
    hero_skulls,
    playing,
    points_by_faction,
    read_aim,
    scoring_of,
    series_of,
    share_error,
)
from mathhammer.games.uprising.forces import Over, Passed
from mathhammer.games.uprising.pools import Faces, dice_box
from mathhammer.games.uprising.side import Side
from mathhammer.games.uprising.sides import TERRAIN
from mathhammer.games.uprising.text import side_of
from mathhammer.pools.battle import Asked, BestOf, Ranked, Series, State

Odds = dict[str, Any]
MOST_ENEMIES = 30


def campaign(
    *,
    a: Mapping[str, Any] | str,
    enemies: Sequence[Mapping[str, Any] | str],
    terrain: str = "ice",
    faces: Faces = None,
    horde: Mapping[str, Any] | str | None = None,
    order: str = "rules",
    item_in: int | str = "best",
    best: str | None = None,
    hero: Mapping[str, int] | None = None,
    method: str = "exact",
    trials: int = 100_000,
    seed: int = 0,
) -> Asked:
    """Several combats in a row on one hex, each complete in itself (UP-CMB-7).

    `order` is "rules": garrisons before legions, skeletons before hordes, cards in ascending initiative; or
    "given". `horde` is the card that is fought where skeletons become one; without it such a combat ends the
    campaign uncleared. Dice and symbols for `first_clash` are those of an item that is discarded: it is used
    in one combat, `item_in` (1 is the first one fought), or where it helps most. `best` and `hero` are as for
    a battle.

    >>> army = {"kind": "units", "units": [{"name": "Younglings", "count": 3}, "Koloth"]}
    >>> guard = {"kind": "card", "name": "Imperial Guard", "threat": 1}
    >>> from mathhammer import odds
    >>> answer = odds("uprising", "campaign", a=army, enemies=[guard, {"kind": "garrison", "level": 1}])
    >>> [round(chance, 4) for chance in answer["p_clear_through"]]
    [1.0, 0.7939]
    """
    choice("campaign", "terrain", terrain, TERRAIN)
    choice("campaign", "order", order, ("given", "rules"))
    aim = read_aim("campaign", best)
    box = dice_box("campaign", faces)
    side = playing(side_of("campaign: a", a), aim)
    if aim and side.faction != "player":
        raise BadInputError("campaign: best play is for players (Empire and Chaos choose nothing)")
    foes = [
        side_of(f"campaign: enemy {n}", enemy)
        for n, enemy in enumerate(listed("campaign", "enemies", enemies), 1)
    ]
    if not 1 <= len(foes) <= MOST_ENEMIES:
        raise BadInputError(f"campaign: {len(foes)} enemies (give 1 to {MOST_ENEMIES})")
    if order == "rules":
        foes = in_order(foes)
    skulls = hero_skulls("campaign", box, hero)
    plans = []
    for used in _items(side, item_in, len(foes)):
        made = _Campaign(side, tuple(foes), terrain, method, aim, used)
        plans.append(
            made.with_combats(
                lambda where, own, foe: Combat(where, own, foe, terrain, box, bool(aim), skulls),
                None if horde is None else side_of("campaign: horde", horde),
            )
        )

    def read(ranked: Ranked, _: int | None) -> Odds:
        return _campaign_answer(plans[ranked.best], ranked.series, dict(enumerate(ranked.scores, 1)))

    question = BestOf(tuple(series_of(plan.combats, aim) for plan in plans), plans[0].chance)
    return Asked("campaign", question, read, method, trials, seed)


def in_order(foes: Sequence[Side]) -> list[Side]:
    """Enemies as the rules have them fought: garrisons and skeletons before cards, cards in ascending
    initiative (UP-CMB-7).
    """
    return sorted(foes, key=lambda foe: (foe.kind == "card", foe.initiative))


def _items(side: Side, item_in: int | str, foes: int) -> list[int]:
    """The combats in which an item may be used (UP-GEN-3: it is gone then); 0 where there is none."""
    if not ("first_clash" in side.bonus or "first_clash" in side.symbols):
        return [0]
    if item_in == "best":
        return list(range(1, foes + 1))
    return [whole("campaign", "item_in", item_in, 1, foes)]


@dataclass(frozen=True, slots=True)
class _Campaign:
    """What the answer to a campaign needs besides its battles."""

    side: Side
    foes: tuple[Side, ...]
    terrain: str
    method: str
    aim: str
    item_in: int  # the combat in which an item is used; 0: there is none
    combats: tuple[tuple[Combat, bool], ...] = ()
    last: tuple[int, ...] = ()  # the last combat of each enemy
    horde_fought: bool = False

    def with_combats(self, made: Any, horde: Side | None) -> _Campaign:
        """The same with its combats."""
        without = replace(
            self.side,
            bonus={window: dice for window, dice in self.side.bonus.items() if window != "first_clash"},
            symbols={window: n for window, n in self.side.symbols.items() if window != "first_clash"},
        )
        combats: list[tuple[Combat, bool]] = []
        last: list[int] = []
        for number, foe in enumerate(self.foes, 1):
            own = self.side if number == self.item_in else without
            combats.append((made(f"campaign: enemy {number}", own, foe), False))
            if horde is not None and foe.kind == "skeletons":
                combats.append((made("campaign: horde", without, horde), True))
            last.append(len(combats) - 1)
        return replace(self, combats=tuple(combats), last=tuple(last), horde_fought=horde is not None)

    def chance(self, series: Series) -> float:
        """The chance that all enemies are cleared."""
        ends = series.fights[self.last[-1]].ends
        return sum(chance for state, chance in ends.items() if cleared(state))


def _campaign_answer(asked: _Campaign, series: Series, by_item: Mapping[int, float]) -> Odds:
    clear = [
        sum(chance for state, chance in series.fights[place].ends.items() if cleared(state))
        for place in asked.last
    ]
    survivors = _survivors(series, asked)
    box = asked.combats[0][0].box
    combats = [combat for combat, _ in asked.combats]
    points = points_by_faction(combats, series.fights)
    answer: Odds = {
        "p_clear_through": clear,
        "p_horde_formed": sum(
            chance for fought in series.fights for state, chance in fought.ends.items() if _formed(state)
        ),
        "expected_vp": points,
        "expected_vp_a": points[asked.side.faction],
        "survivors_a": survivors,
        "expected_survivors_a": survivors.mean(),
        **scoring_of([asked.side, *asked.foes], _final(series, asked)),
        "item_in": asked.item_in or None,
        "p_by_item": dict(by_item) if asked.item_in and len(by_item) > 1 else None,
        "best": asked.aim or None,
        "method": asked.method,
        "dice_set": box.used.name,
    }
    if series.trials is not None:
        answer["trials"] = series.trials
        answer["standard_errors"] = {
            "p_clear_through": [share_error(chance, series.trials) for chance in clear],
            "expected_vp_a": series.points[0].error,
            "expected_survivors_a": survivors.standard_error(),
        }
    lines = [f"Dice set: {box.used}.", terrain_line(asked.terrain)]
    lines += [BEST_TEXT[asked.aim]] if asked.aim else []
    for number, (foe, chance) in enumerate(zip(asked.foes, clear, strict=True), 1):
        lines.append(
            f"Enemy {number}, {foe.name} ({foe.strength} {foe.piece}), a complete combat (UP-CMB-7): "
            f"cleared {chance:.4f}."
        )
    if asked.item_in:
        lines.append(f"The item is discarded in combat {asked.item_in} (UP-GEN-3).")
    lines += [points_line(points), *scoring_lines(answer), f"Expected survivors {survivors.mean():.4f}."]
    answer["explain"] = "\n".join(lines)
    return answer


def _formed(state: State) -> bool:
    return isinstance(state, Over) and state.outcome == "horde"


def _final(series: Series, asked: _Campaign) -> list[tuple[Over | Passed, float]]:
    """The ends of combats after which nothing follows."""
    battles = [combat.battle(if_horde) for combat, if_horde in asked.combats]
    final: list[tuple[Over | Passed, float]] = []
    for place, fought in enumerate(series.fights):
        for state, chance in fought.ends.items():
            on = place + 1 < len(battles) and battles[place + 1].enter(state) is not None
            if not on and isinstance(state, (Over, Passed)):
                final.append((state, chance))
    return final


def _survivors(series: Series, asked: _Campaign) -> Pmf:
    """What is left of side a in the end: of the last combat, and of those that a horde
    nobody fights broke off.
    """
    chances = dict.fromkeys(range(asked.side.most + 1), 0.0)
    for place, fought in enumerate(series.fights):
        final = place == len(series.fights) - 1
        for state, chance in fought.ends.items():
            if final and cleared(state):
                chances[cleared(state)] += chance
            elif not asked.horde_fought and isinstance(state, Over) and state.outcome == "horde":
                chances[state.standing[0]] += chance
    chances[0] = max(0.0, 1.0 - sum(chances.values()))
    return Pmf(Pmf.of(chances).probs.copy(), series.trials)
