"""What a hit or wound roll of so much or more does: the rule that most warscrolls of this edition have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice
from mathhammer.engine.chain import Chain, Fan, Lane, Modifier, Roll
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities, WeaponAbility
from mathhammer.games.sigmar.attack import changed
from mathhammer.units.effects import Change
from mathhammer.units.unit import Weapon

WHEN = r"(?P<keyword>[2-9]\+ to (?:hit|wound)): "
DICE = r"(?P<number>\d{0,2}[dD]\d(?:\+\d)?|\d{1,2})"
# an example, which is its name -> the pattern of what happens, and what it is, in words
KINDS = {
    "6+ to hit: 2 extra hits": (
        rf"{DICE} extra hits?",
        "a hit roll of so much or more scores more hits",
    ),
    "6+ to hit: 1 extra attack": (
        rf"{DICE} extra attacks?",
        "a hit roll of so much or more brings more attacks, which bring none themselves",
    ),
    "6+ to wound: 2 mortal wounds": (
        rf"{DICE} mortal wounds?",
        "a hit or wound roll of so much or more deals mortal wounds, and the attack ends",
    ),
    "6+ to hit: D3 mortal wounds besides": (
        rf"{DICE} mortal wounds? besides",
        "a hit or wound roll of so much or more deals mortal wounds, and the attack goes on",
    ),
    "6+ to wound: rend 2": (
        r"rend (?P<number>\d)",
        "a hit or wound roll of so much or more has that Rend",
    ),
    "6+ to hit: damage 3": (
        rf"damage {DICE}",
        "a hit or wound roll of so much or more has that Damage",
    ),
}
KIND_OF = dict(
    zip(
        KINDS,
        ("extra hits", "extra attacks", "mortal wounds", "mortal wounds besides", "rend", "damage"),
        strict=True,
    )
)
ABILITIES = Abilities()
for _name, (_pattern, _doc) in KINDS.items():
    ABILITIES.tag(_name, rule="AOS1-ATTACK", doc=f"{_doc[0].upper()}{_doc[1:]}.", pattern=WHEN + _pattern)
BETTER_WOUND, BETTER_SAVE, BETTER_DAMAGE = "wound (better)", "save (better)", "better damage"
MORTAL, EXTRA = "mortal", "extra attack"


@dataclass(frozen=True, slots=True)
class Trigger:
    """On which roll, from which value on, what happens.

    >>> trigger_of(ABILITIES.find("6+ to hit: D3 mortal wounds")).kind
    'mortal wounds'
    """

    roll: str
    at: int
    kind: str
    number: Dice

    def __str__(self) -> str:
        what = (
            f"{self.kind} {self.number}" if self.kind in ("rend", "damage") else f"{self.number} {self.kind}"
        )
        return f"A {self.roll} roll of {self.at} or more: {what}"


def trigger_of(held: WeaponAbility) -> Trigger:
    """A weapon's ability as a trigger."""
    at, _, roll = held.keyword.partition("+ TO ")
    kind = KIND_OF[held.ability.name]
    assert held.number is not None
    return Trigger(roll.lower(), int(at), kind, held.number)


@dataclass(frozen=True, slots=True)
class Triggered:
    """The chain with its triggers, and the Damage of attacks that a trigger made better; None: there are
    none.
    """

    chain: Chain
    damage: Dice | None = None
    mortals: bool = False


def with_triggers(
    chain: Chain, weapon: Weapon, held: Iterable[WeaponAbility], changes: Sequence[Change]
) -> Triggered:
    """The chain of an attack with what its rolls of so much or more do; `changes` are those of its Rend.

    The roll counts with its modifiers (AOS1-ATTACK knows no natural 6), and it has to succeed.
    """
    triggers = [trigger_of(one) for one in held]
    lanes: dict[str, Lane] = dict(chain.lanes)
    better = [t for t in triggers if t.kind in ("rend", "damage")]
    if len({t.roll for t in better}) > 1:
        raise BadInputError(
            f"fight: {weapon.name} has Rend or Damage for hit and for wound rolls (one of them is modelled)"
        )
    for roll in ("wound", "hit"):
        _trigger(weapon, lanes, roll, [t for t in triggers if t.roll == roll])
    if better:
        _better_lanes(lanes, better, changed(int(weapon.stat("rend", 0)), changes, 0), changes)
    reached = {token for lane in lanes.values() for token in _tokens(lane)}
    damages = [t.number for t in better if t.kind == "damage"]
    made = replace(chain, lanes=tuple(sorted(lanes.items())))
    return Triggered(
        made,
        (damages[0] if damages else weapon.damage) if BETTER_DAMAGE in reached else None,
        MORTAL in reached,
    )


def _tokens(lane: Lane) -> tuple[str, ...]:
    if isinstance(lane, Roll):
        return (*lane.on_success, *lane.on_fail, *(lane.on_crit or ()), *lane.added_on_crit)
    return (lane.to,)


def _trigger(weapon: Weapon, lanes: dict[str, Lane], name: str, triggers: Sequence[Trigger]) -> None:
    """One roll with its triggers."""
    roll = lanes[name]
    if not triggers or not isinstance(roll, Roll):
        return
    if len({t.at for t in triggers}) > 1:
        raise BadInputError(
            f"fight: {weapon.name} has two values of {name} rolls that do something (one is modelled)"
        )
    instead = [t.kind for t in triggers if t.kind in ("rend", "damage", "mortal wounds")]
    if "mortal wounds" in instead and len(set(instead)) > 1:
        raise BadInputError(
            f"fight: {weapon.name} ends an attack with mortal wounds and makes it better (choose one)"
        )
    added = []
    on_crit: tuple[str, ...] | None = None
    for number, trigger in enumerate(triggers):
        lane = f"{name} {trigger.at}+: {trigger.number} {trigger.kind} {number}"
        if trigger.kind in ("rend", "damage"):
            on_crit = (BETTER_WOUND if name == "hit" else BETTER_SAVE,)
        elif trigger.kind == "mortal wounds":
            on_crit = (lane,)
            lanes[lane] = Fan(trigger.number, MORTAL)
        else:
            to = {"extra hits": "wound", "extra attacks": EXTRA}.get(trigger.kind, MORTAL)
            if trigger.kind == "extra hits" and name == "wound":
                raise BadInputError(f"fight: {weapon.name}: extra hits come from hit rolls (write 6+ to hit)")
            lanes[lane] = Fan(trigger.number, to)
            added.append(lane)
    if any(t.kind == "extra attacks" for t in triggers):
        lanes.setdefault(EXTRA, lanes["hit"] if name == "wound" else roll)
    # from the value that the die itself must show
    seen = max(1, triggers[0].at - roll.modifier())
    if seen <= 6:
        lanes[name] = replace(
            roll, crit_on=seen, crit_succeeds=False, on_crit=on_crit, added_on_crit=tuple(sorted(added))
        )


def _better_lanes(
    lanes: dict[str, Lane], better: Sequence[Trigger], rend: int, changes: Sequence[Change]
) -> None:
    """The lanes of attacks that a roll made better: their own save, and their own damage."""
    wound, save = lanes["wound"], lanes["save"]
    assert isinstance(wound, Roll)
    assert isinstance(save, Roll)
    rends = [changed(t.number.plus, changes, 0) for t in better if t.kind == "rend"]
    change = rend - (rends[0] if rends else rend)
    modifiers = (*save.modifiers, Modifier(change, "better Rend (AOS1-ATTACK)")) if change else save.modifiers
    lanes[BETTER_SAVE] = replace(save, modifiers=modifiers, on_fail=(BETTER_DAMAGE,))
    if better[0].roll == "hit":
        lanes[BETTER_WOUND] = replace(wound, on_success=(BETTER_SAVE,))
