"""What the target does about an attack that wounded: saves, damage, Feel No Pain, who is hit."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Modifier, Roll, chances, first_fails
from mathhammer.engine.plan import Group, Packet, Target
from mathhammer.games.abilities import Draft
from mathhammer.games.applying_effects import edited
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.characteristics import changed, changed_dice
from mathhammer.games.wh40k.models import REROLLS, Models, uses_of
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active, Change, parse_change
from mathhammer.units.unit import ModelGroup, Stats, Unit


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack that wounded, as the target sees it: its AP and Damage, and what acts on them."""

    psychic: bool
    ap: int
    damage: Dice
    damage_changes: tuple[Change, ...]
    melta: Dice | None
    cover: str  # where the Benefit of Cover comes from; empty: none
    index: int  # place of the weapon in the order of attacks


def target_of(unit: Unit, apart: bool, uses: int, protected: bool = True) -> Target:
    """WH40K-ALLOC: groups in order; Characters that are `protected` come last (WH40K-ATTACHED), and get a
    track of their own (`apart`) when a weapon may pick them.

    When nobody is left, further attacks vanish (WH40K-DEADTARGET).
    """
    groups = []
    for group, (models, hurt) in zip(unit.groups, unit.left(), strict=True):
        groups.append(
            Group(group.name, models, int(group.stat("wounds")), hurt or int(group.stat("wounded", 0)))
        )
    alive = [index for index, group in enumerate(groups) if group.models > 0]
    left = tuple(groups[index] for index in alive)
    characters = [place for place, index in enumerate(alive) if unit.groups[index].stat("character")]
    guarded = characters if protected else []
    # WH40K-ALLOC: a wounded model takes the next attack, but for a protected Character
    others = sorted(
        set(range(len(alive))).difference(guarded), key=lambda place: (left[place].hurt == 0, place)
    )
    tracks = (tuple(others), tuple(guarded)) if apart and guarded and others else ((*others, *guarded),)
    return Target(left, tracks, uses=uses, characters=tuple(characters))


def packets(
    fight: Fight,
    facts: Facts,
    blow: Blow,
    changes: tuple[Active, ...],
    tracks: tuple[int, ...],
    kinds: tuple[str, ...],
) -> tuple[tuple[Packet, ...], tuple[str, ...]]:
    """What each kind of packet does to each model group of the target that is left, with
    notes for `explain`.
    """
    unit, commands = fight.target, fight.situation.commands
    alive = [group for group, (models, _) in zip(unit.groups, unit.left(), strict=True) if models > 0]
    groups = tuple(group.stats for group in alive)
    named = tuple(group.name for group in alive) if any(change.group for change in changes) else ()
    ground = "go_to_ground" in commands and "INFANTRY" in facts.target_keywords  # WH40K-GOTOGROUND
    again = next((roll for roll in ("save", "damage") if f"command_reroll_{roll}" in commands), "")
    return _packets(
        groups,
        named,
        blow,
        changes,
        tracks,
        kinds,
        ground,
        again,
        uses_of(fight),
        bool(fight.option("save_cap") == "net"),
    )


@lru_cache(maxsize=65536)
def _packets(
    groups: tuple[Stats, ...],
    names: tuple[str, ...],
    blow: Blow,
    changes: tuple[Active, ...],
    tracks: tuple[int, ...],
    kinds: tuple[str, ...],
    ground: bool,
    again: str,
    uses: int,
    net: bool,
) -> tuple[tuple[Packet, ...], tuple[str, ...]]:
    """Memoised: many targets have the same saves, whatever else they are."""
    notes: list[str] = []
    models = [
        Defender(ModelGroup(names[place] if names else "", 1, stats), changes)
        for place, stats in enumerate(groups)
    ]
    throws = [
        model.save(blow, ground, net, notes if place == 0 else []) for place, model in enumerate(models)
    ]
    saves = [chances(throw).passed for throw in throws]
    full = tuple(model.damage(blow, ()) for model in models)
    spared: tuple[Pmf, ...] | None = None
    spends: tuple[float, ...] = ()
    if again == "save":  # WH40K-CMDREROLL: the first failed save that may be is rolled again (WH40K-REROLL)
        once = [chances(replace(throw, reroll=frozenset())).passed for throw in throws]
        spared = tuple(
            distribution.mix(Pmf.constant(0), 1.0 - save)
            for distribution, save in zip(full, once, strict=True)
        )
        spends = tuple(
            first_fails(throw) / (1.0 - save) if save < 1.0 else 0.0
            for throw, save in zip(throws, saves, strict=True)
        )
    elif uses and not again:  # WH40K-DZERO: the first attacks that reach the damage step
        zero = (Change("damage", "set", 0, "damage becomes 0 (WH40K-DZERO)"),)
        spared = tuple(model.damage(blow, zero) for model in models)
    plain = tuple(model.fnp(mortal=False, psychic=blow.psychic) for model in models)
    mortal = tuple(model.fnp(mortal=True, psychic=blow.psychic) for model in models)
    if plain[0]:
        notes.append(f"Feel No Pain ignores each wound with chance {plain[0]:.4g} (WH40K-FNP)")
    low = again == "damage"  # WH40K-CMDREROLL: the first damage roll that is worse than a new one
    always = (1.0,) * len(models)
    one = (Pmf.constant(1),) * len(models)
    by_kind = {
        # WH40K-DMG, WH40K-NOSPILL: one model takes it all, and what exceeds its wounds is lost
        "ordinary": Packet(
            "ordinary",
            full,
            tuple(1.0 - save for save in saves),
            plain,
            tracks=tracks,
            spared=spared,
            reroll_low=low,
            spends=spends,
        ),
        # WH40K-DEVW: no save, after everything else (WH40K-DEVWORDER), and what exceeds the model is lost
        "devastating": Packet(
            "devastating", full, always, mortal, 2 * blow.index, tracks, None if again else spared, low
        ),
        # WH40K-MORTALADD: after the damage of the weapon, one point each, so they spill
        "extra mortal": Packet("extra mortal", one, always, mortal, 2 * blow.index + 1, tracks),
    }
    return tuple(by_kind[kind] for kind in kinds), tuple(notes)


def first_save(fight: Fight, blow: Blow, changes: tuple[Active, ...]) -> Roll:
    """The saving throw of the models that are hit first."""
    group = next(g for g, (models, _) in zip(fight.target.groups, fight.target.left(), strict=True) if models)
    ground = "go_to_ground" in fight.situation.commands
    return Defender(group, changes).save(blow, ground, fight.option("save_cap") == "net", [])


@dataclass(frozen=True, slots=True)
class Defender(Models):
    """Models of one group, and what they do about an attack that wounded."""

    def save(self, blow: Blow, ground: bool, net: bool, notes: list[str]) -> Roll:
        """The better saving throw of these models (WH40K-SAVE, WH40K-INV)."""
        moves = [
            parse_change("save", change.value, change.source)
            for change in self.changes
            if change.key == "save"
        ]
        printed = self.group.stat("save")
        sv = None if printed is None else changed(printed, moves, "save")
        everything = [
            Modifier(change.value, change.source) for change in self.changes if change.key == "save_roll"
        ]
        armour = [
            Modifier(change.value, change.source)
            for change in self.changes
            if change.key == "armour_save_roll"
        ]
        if blow.ap:
            armour.append(Modifier(blow.ap, "AP (WH40K-SAVE)", capped=net))
        # WH40K-COVER: armour saves against ranged attacks, not for 3+ or better against AP 0 (both modified:
        # WH40K-AGAINST)
        if blow.cover and sv is not None and not (sv <= 3 and blow.ap == 0):
            armour.append(Modifier(1, blow.cover))
        rolls = {
            "Armour save": self.throw(sv, [*everything, *armour]),
            "Invulnerable save": self.throw(self.best("invuln", 6 if ground else None), everything),
        }
        name, best = max(rolls.items(), key=lambda item: chances(item[1]).passed)
        if best.needs is not None:
            listed = "".join(f", {m.value:+d} {m.source}" for m in best.modifiers)
            notes.append(f"{name}: {best.needs}+{listed}; saved with chance {chances(best).passed:.4g}")
        return best

    def throw(self, needs: int | None, modifiers: list[Modifier]) -> Roll:
        """WH40K-SAVECAP: never improved by more than +1; an unmodified 1 fails, a 6 is nothing special."""
        roll = Roll(
            needs=needs,
            modifiers=tuple(sorted(modifiers)),
            limit=(None, 1),
            limit_source="WH40K-SAVECAP",
            fails_up_to=1,
        )
        chain = Chain("save", (("save", roll),))
        again = self.group.stat("reroll_saves", "none")
        if again != "none":  # WH40K-SAVEREROLL
            chain = chain.edit("save", reroll=frozenset({REROLLS[again]}))
        wanted = [change for change in self.changes if change.key in ("reroll_save", "ignore", "no_reroll")]
        lane = edited(Draft(chain), wanted, REROLLS, frozenset()).chain.lane("save")
        assert isinstance(lane, Roll)
        return lane

    def damage(self, blow: Blow, last: tuple[Change, ...]) -> Pmf:
        """Damage after all modifiers: WH40K-DMGRED, WH40K-HALVE, WH40K-DZERO and WH40K-MELTA in the order of
        WH40K-MODORDER.
        """
        moves = [*blow.damage_changes, *self.damage_moves(), *last]
        return changed_dice(blow.damage, moves, "damage", blow.melta)
