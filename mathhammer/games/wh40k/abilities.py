"""What the weapon abilities do that editions of 40k share; each edition registers them under its own ids."""

from __future__ import annotations

from mathhammer.engine.chain import Fan
from mathhammer.games.abilities import Draft, WeaponAbility
from mathhammer.units.conditions import Facts

BIG = frozenset({"MONSTER", "VEHICLE"})
NUMBER = r"(?P<number>\d{1,2}|D3|D6|D3\+\d|D6\+\d|2D3|2D6)"
ANTI = r"Anti-(?P<keyword>.{1,40}) (?P<number>[2-6])\+"


def twin_linked(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """Failed Wound rolls are rolled again."""
    return draft.edit("wound", reroll=frozenset({"fails"}))


def torrent(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """Hits without a roll, so never critically (WH40K-AUTO, WH40K11-01.05.01)."""
    return draft.edit("hit", auto=True)


def lethal_hits(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """A Critical Hit wounds without a roll; that wound is never critical."""
    return draft.edit("hit", on_crit=("ordinary",))


def lance(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """+1 to wound after a charge."""
    return draft.modify("wound", 1, f"Lance ({held.ability.rule})") if "charged" in facts.flags else draft


def melta(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """X more Damage within half range; a random X is rolled for each attack."""
    if "half_range" not in facts.flags or held.number is None:
        return draft
    return draft.add("damage", held.number, f"{held} ({held.ability.rule})")


def sustained_hits(draft: Draft, _facts: Facts, held: WeaponAbility) -> Draft:
    """A Critical Hit scores X more hits: automatic, so neither critical nor lethal (WH40K-EXTRAHITS)."""
    number = held.number
    assert number is not None
    if number.fixed:
        return draft.edit("hit", added_on_crit=("wound",) * number.plus)
    return draft.with_fan("sustained hits", Fan(number, "wound")).edit(
        "hit", added_on_crit=("sustained hits",)
    )


def anti(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """Against a unit with the keyword, unmodified Wound rolls of n+ are critical."""
    assert held.number is not None
    return draft.edit("wound", crit_on=held.number.plus) if held.keyword in facts.target_keywords else draft
