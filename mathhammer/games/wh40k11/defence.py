"""What the target does about attacks that wounded: allocation groups, saves, damage, Feel No Pain."""

from __future__ import annotations

from functools import lru_cache

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import FACES, Chain, Modifier, Roll, chances, face_chance, first_fails
from mathhammer.engine.plan import Packet, Save
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Draft
from mathhammer.games.applying_effects import edited
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.characteristics import changed_dice
from mathhammer.games.wh40k.models import REROLLS, Models, uses_of
from mathhammer.games.wh40k11.allocation import Allocation
from mathhammer.games.wh40k11.characteristics import changed
from mathhammer.units.effects import Active, Change, parse_change
from mathhammer.units.unit import ModelGroup, Stats

# WH40K11-05.03.02: wounds with another profile are a pool of their own; WH40K11-06.02: then mortal wounds
POOLS = ("critical", "ordinary")
KINDS = (*POOLS, "devastating", "extra mortal")


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack that wounded, as the target sees it: its AP and Damage, and what acts on them."""

    kind: str  # ranged or melee
    psychic: bool
    ap: int
    critical_ap: int  # of a Critical Wound
    damage: Dice
    damage_changes: tuple[Change, ...]
    melta: Dice | None


def packets(
    fight: Fight,
    blow: Blow,
    changes: tuple[Active, ...],
    allocation: Allocation,
    precise: bool,
    kinds: tuple[str, ...],
) -> tuple[tuple[Packet, ...], tuple[str, ...]]:
    """What each kind of packet does to each model group of the target that is left, with notes for
    `explain`.
    """
    unit, commands = fight.target, fight.situation.commands
    alive = [group for group, (models, _) in zip(unit.groups, unit.left(), strict=True) if models > 0]
    named = tuple(group.name for group in alive) if any(change.group for change in changes) else ()
    again = next((roll for roll in ("save", "damage") if f"command_reroll_{roll}" in commands), "")
    pools = POOLS if fight.option("critical_pool") == "first" else POOLS[::-1]
    order = tuple(kind for kind in (*pools, *KINDS[2:]) if kind in kinds)
    made, notes = _packets(
        tuple(group.stats for group in alive),
        named,
        blow,
        changes,
        (allocation.tracks, allocation.picks if precise else ()),
        order,
        again,
        uses_of(fight),
        bool(fight.option("devastating_reduced") == "yes"),
    )
    if again == "save" and any(packet.saves for packet in made):
        raise BadInputError(
            "fight: command_reroll_save against models with different saves is not covered (WH40K11-15.02)"
        )
    return made, notes


@lru_cache(maxsize=65536)
def _packets(
    groups: tuple[Stats, ...],
    names: tuple[str, ...],
    blow: Blow,
    changes: tuple[Active, ...],
    steered: tuple[tuple[int, ...], tuple[int, ...]],
    kinds: tuple[str, ...],
    again: str,
    uses: int,
    reduced: bool,
) -> tuple[tuple[Packet, ...], tuple[str, ...]]:
    """Memoised: many targets have the same saves, whatever else they are."""
    tracks, picks = steered
    models = [
        Defender(ModelGroup(names[place] if names else "", 1, stats), changes)
        for place, stats in enumerate(groups)
    ]
    mortal = tuple(model.fnp(mortal=True, psychic=blow.psychic) for model in models)
    always = (1.0,) * len(models)
    # WH40K11-24.10: no attack is allocated, so what reduces allocated attacks does nothing
    struck = tuple(model.damage(blow, allocated=reduced) for model in models)
    one = (Pmf.constant(1),) * len(models)
    low = again == "damage"
    made = []
    for rank, kind in enumerate(kinds):
        if kind in POOLS:
            at_once = len(tracks) == 1 and len([k for k in kinds if k in POOLS]) == 1
            ap = blow.critical_ap if kind == "critical" else blow.ap
            pool = _Pool(kind, blow, ap, again, uses)
            made.append(_saved(models, pool, None if at_once else rank, tracks, picks))
        elif kind == "devastating":  # WH40K11-24.28.01: with Precision the chosen Character first
            made.append(Packet(kind, struck, always, mortal, rank, tracks, reroll_low=low, picks=picks))
        else:  # WH40K11-06.02-ADD: one point each, so they spill, and Precision does not steer them
            made.append(Packet(kind, one, always, mortal, rank, tracks))
    return tuple(made), _notes(models, blow, kinds)


@dataclass(frozen=True, slots=True)
class _Pool:
    """Save dice that are rolled together, and the limited uses that act on them."""

    kind: str
    blow: Blow
    ap: int
    again: str
    uses: int


def _saved(
    models: list[Defender], pool: _Pool, rank: int | None, tracks: tuple[int, ...], picks: tuple[int, ...]
) -> Packet:
    """WH40K11-05.04: a pool of saves; where all models save alike, one after the other is the same."""
    blow = pool.blow
    dice = [model.die(model.fails_up_to(blow.kind, pool.ap)) for model in models]
    saves = tuple(Save(tuple(face_chance(die, f) for f in FACES), (die.needs or 7) - 1) for die in dice)
    alike = rank is None and len(set(saves)) == 1
    full = tuple(model.damage(blow, allocated=True) for model in models)
    spared: tuple[Pmf, ...] | None = None
    spends: tuple[float, ...] = ()
    if pool.again == "save":  # WH40K11-15.02: one failed save is rolled again
        once = [chances(_plain(die)).passed for die in dice]
        spared = tuple(
            damage.mix(Pmf.constant(0), 1.0 - save) for damage, save in zip(full, once, strict=True)
        )
        spends = tuple(first_fails(die) / chances(die).fail for die in dice)
    elif pool.uses and not pool.again:  # WH40K11-05.04-ZERO: the first attacks that inflict damage
        spared = (Pmf.constant(0),) * len(models)
    return Packet(
        pool.kind,
        full,
        tuple(chances(die).fail for die in dice),
        tuple(model.fnp(mortal=False, psychic=blow.psychic) for model in models),
        None if alike else rank or 0,
        tracks,
        spared=spared,
        reroll_low=pool.again == "damage",
        spends=spends,
        saves=() if alike else saves,
        picks=picks,
    )


def _plain(die: Roll) -> Roll:
    return Roll(needs=die.needs, fails_up_to=1)


def _notes(models: list[Defender], blow: Blow, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """What `explain` says of the saves."""
    notes = []
    if "ordinary" in kinds or "critical" in kinds:
        fails = [model.fails_up_to(blow.kind, blow.ap) for model in models]
        told = ", ".join("1" if up_to == 1 else f"1 to {up_to}" for up_to in dict.fromkeys(fails))
        notes.append(f"Save: an unmodified {told} fails at AP {blow.ap} (WH40K11-05.04)")
    plain = models[0].fnp(mortal=False, psychic=blow.psychic)
    if plain:
        notes.append(f"Feel No Pain ignores each wound with chance {plain:.4g} (WH40K11-24.12)")
    return tuple(notes)


def first_save(fight: Fight, blow: Blow, changes: tuple[Active, ...]) -> Roll:
    """The save die of the models that are listed first."""
    group = next(g for g, (models, _) in zip(fight.target.groups, fight.target.left(), strict=True) if models)
    model = Defender(group, changes)
    return model.die(model.fails_up_to(blow.kind, blow.ap))


@dataclass(frozen=True, slots=True)
class Defender(Models):
    """Models of one group, and what they do about an attack that wounded."""

    def fails_up_to(self, kind: str, ap: int) -> int:
        """WH40K11-05.04: up to which unmodified result the save fails. A 1 fails; else the invulnerable save
        or the armour save with AP is reached; a 6 is nothing special.

        WH40K11-05.04-ROLLMODS: what is added to every save counts for both, without a limit.
        """
        moves = [
            parse_change("save", change.value, change.source)
            for change in self.changes
            if change.key == "save"
        ]
        printed = self.group.stat("save")
        sv = None if printed is None else changed(printed, moves, "save")
        # WH40K11-02.02: an invulnerable save may be for attacks of one kind
        invuln = self.best("invuln", self.best(f"invuln_{kind}"))
        every, armour = self._added("save_roll"), self._added("armour_save_roll")
        saved = [
            face
            for face in FACES[1:]
            if (invuln is not None and face + every >= invuln)
            or (sv is not None and face + every + armour + ap >= sv)
        ]
        return min(saved, default=7) - 1

    def _added(self, key: str) -> int:
        roll = Roll(
            needs=None,
            modifiers=tuple(Modifier(c.value, c.source) for c in self.changes if c.key == key),
        )
        return self._edited(roll).modifier()

    def die(self, fails_up_to: int) -> Roll:
        """The save die, with its re-rolls: they happen when the dice are rolled."""
        again = self.group.stat("reroll_saves", "none")
        words = frozenset() if again == "none" else frozenset({REROLLS[again]})
        return self._edited(Roll(needs=fails_up_to + 1, fails_up_to=1, reroll=words))

    def _edited(self, roll: Roll) -> Roll:
        """The roll with what effects say of it."""
        wanted = [change for change in self.changes if change.key in ("reroll_save", "ignore", "no_reroll")]
        draft = edited(Draft(Chain("save", (("save", roll),))), wanted, REROLLS, frozenset())
        lane = draft.chain.lane("save")
        assert isinstance(lane, Roll)
        return lane

    def damage(self, blow: Blow, allocated: bool) -> Pmf:
        """Damage after all modifiers in the order of WH40K11-02.02.01-ORDER; what these models do about it is
        for attacks that are `allocated` to them (WH40K11-05.04-MODIFY).
        """
        moves = [*blow.damage_changes, *(self.damage_moves() if allocated else ())]
        return changed_dice(blow.damage, moves, "damage", blow.melta, by=changed)
