"""What a duel assumes, in sentences."""

from __future__ import annotations

from mathhammer.duel.commands import REROLL, SIDES
from mathhammer.duel.setup import Setup, label


def assumptions(setup: Setup) -> list[str]:
    """All that a reader of the numbers should know, with rule ids."""
    rules, names = setup.turns.rules, label(setup.fighters)
    lines = [
        (
            f"{names[SIDES.index(setup.first)]} has the first turn of "
            f"{'every round' if setup.priority == 'fixed' else 'round 1'}"
        )
    ]
    lines += [f"Priority: {rules['priority']}"] if setup.priority == "roll" else []
    lines += (
        [f"Shooting: {rules['shoot']}"]
        if any(f.weapons.get("ranged") for side in setup.fighters for f in side)
        else []
    )
    if setup.engaged_at_start:
        lines.append("They begin in combat")
    else:
        walkers = [name for name, side in zip(names, setup.fighters, strict=True) if side[0].approaches]
        moves = (
            f"{' and '.join(walkers)} approach by their Move" if walkers else "nobody moves before a charge"
        )
        lines.append(f"They begin {setup.distance:g} inches apart; {moves}")
        runners = [
            name
            for name, side in zip(names, setup.fighters, strict=True)
            if side[0].charges and any(f.melee for f in side)
        ]
        lines.append(f"Charge by {' and '.join(runners) or 'nobody'}: {rules['charge']}")
    lines.append(f"Fighting: {rules['fight']}")
    lines += [f"Battleshock: {rules['battleshock']}"] if "battleshock" in rules else []
    for name, side in zip(names, setup.fighters, strict=True):
        lines += [f"{name}: {rules['rally']}"] if side[0].rallies else []
        lines += [f"{name}: {rules['heal']}"] if side[0].heals is not None else []
        for use in side[0].commands:
            reaction = setup.turns.reaction(use.command)
            text = (
                rules["reroll_charge"]
                if use.command == REROLL
                else setup.attacks.commands[use.command]
                if reaction is None
                else reaction.rule
            )
            lines.append(f"{name}: {use}: {text}")
    for name, options in zip(names, setup.side_options, strict=True):
        lines += [f"{name}: option {option} is {value}" for option, value in options.items()]
    lines += [f"Weapons: {rules['once']}"] if setup.fires_once else []
    lines.append(
        "Casualties: first models without a special weapon, then of the weapon with the most bearers left"
    )
    lines.append(
        "Points count by models lost; command points are not counted; nobody retreats once in combat"
    )
    if setup.several:
        lines += list_assumptions(setup.policy)
    if (setup.options or {}).get("precision_choice") == "none":
        lines.append("Precision picks nobody: losses keep one order (WH40K-PRECISION)")
    everyone = [fighter for side in setup.fighters for fighter in side]
    if any(c.subject == "rolled" for f in everyone for effect in f.effects() for c in effect.when):
        lines.append("Dice that hurt the attacker are rolled apart from the damage of the same attack")
    if setup.open_end:
        lines.append(f"Until one side is gone, at most {setup.rounds} rounds")
    return lines


def list_assumptions(policy: str) -> list[str]:
    """What a simple battle of whole lists leaves out."""
    choice = {
        "nearest": "the first enemy as listed",
        "points": "the enemy that loses the most points on average",
        "weakest": "the enemy with the fewest wounds left",
    }
    return [
        f"Every unit attacks one enemy at a time that it can reach: {choice[policy]}",
        (
            "Armies stand on a line each; units only ever go forward, one inch outside combat at most, "
            "and run or advance never"
        ),
        (
            "A Move that is rolled counts as its mean, rounded down; models with several melee weapons "
            "strike with the one that does most"
        ),
        "Units whose shooting does more than their blows stay at their longest range and do not charge",
        (
            "A unit in combat stays there until its enemies there are gone; one charge may reach any "
            "enemy within reach"
        ),
        (
            "No terrain, objectives, commands, spells, reserves, transports, attached or guarded "
            "heroes; ahead is who lost fewer points"
        ),
    ]
