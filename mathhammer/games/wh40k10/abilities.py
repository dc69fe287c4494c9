"""The weapon abilities of WH40K section 10: one decorated edit each."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.dice.notation import parse_dice
from mathhammer.engine.chain import Fan, Modifier
from mathhammer.games.abilities import Abilities, Draft
from mathhammer.units.effects import Change, Facts

ABILITIES = Abilities()
NUMBER = r"(\d{1,2}|D3|D6|D3\+\d|D6\+\d|2D3|2D6)"


def _more(draft: Draft, stat: str, number: int, source: str) -> Draft:
    return replace(draft, changes=(*draft.changes, Change(stat, "add", number, source)))


def _modified(draft: Draft, roll: str, value: int, source: str) -> Draft:
    return replace(draft, chain=draft.chain.edit(roll, modifiers=(Modifier(value, source),)))


@ABILITIES.add("Assault", rule="WH40K-ASSAULT")
def assault(draft: Draft, facts: Facts, detail: str) -> Draft:
    """May be fired after an Advance: looked at when weapons are chosen."""
    return draft


@ABILITIES.add("Rapid Fire X", rule="WH40K-RAPID", pattern=r"Rapid Fire (\d{1,2}|D3|D6)")
def rapid_fire(draft: Draft, facts: Facts, detail: str) -> Draft:
    """X more Attacks within half range; a random X is added where the attacks are counted."""
    if "half_range" in facts.flags and detail.isdigit():
        return _more(draft, "attacks", int(detail), f"Rapid Fire {detail} (WH40K-RAPID)")
    return draft


@ABILITIES.add("Ignores Cover", rule="WH40K-IGNCOVER")
def ignores_cover(draft: Draft, facts: Facts, detail: str) -> Draft:
    """No Benefit of Cover: looked at where saves are worked out."""
    return draft


@ABILITIES.add("Twin-linked", rule="WH40K-TWIN")
def twin_linked(draft: Draft, facts: Facts, detail: str) -> Draft:
    """Failed Wound rolls are rolled again."""
    return replace(draft, chain=draft.chain.edit("wound", reroll=frozenset({"fails"})))


@ABILITIES.add("Pistol", rule="WH40K-PISTOL")
def pistol(draft: Draft, facts: Facts, detail: str) -> Draft:
    """May be fired in Engagement Range: looked at when weapons are chosen."""
    return draft


@ABILITIES.add("Torrent", rule="WH40K-TORRENT")
def torrent(draft: Draft, facts: Facts, detail: str) -> Draft:
    """Hits without a roll, so never critically (WH40K-AUTO)."""
    return replace(draft, chain=draft.chain.edit("hit", auto=True))


@ABILITIES.add("Lethal Hits", rule="WH40K-LETHAL")
def lethal_hits(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A Critical Hit wounds without a roll; that wound is never critical."""
    return replace(draft, chain=draft.chain.edit("hit", on_crit=("ordinary",)))


@ABILITIES.add("Lance", rule="WH40K-LANCE")
def lance(draft: Draft, facts: Facts, detail: str) -> Draft:
    """+1 to wound after a charge."""
    return _modified(draft, "wound", 1, "Lance (WH40K-LANCE)") if "charged" in facts.flags else draft


@ABILITIES.add("Indirect Fire", rule="WH40K-INDIRECT")
def indirect_fire(draft: Draft, facts: Facts, detail: str) -> Draft:
    """At a target that nobody sees: -1 to hit, unmodified 1-3 fail; its cover is looked at with the saves."""
    if "target_unseen" not in facts.flags:
        return draft
    draft = _modified(draft, "hit", -1, "Indirect Fire (WH40K-INDIRECT)")
    return replace(draft, chain=draft.chain.edit("hit", fails_up_to=3))


@ABILITIES.add("Precision", rule="WH40K-PRECISION")
def precision(draft: Draft, facts: Facts, detail: str) -> Draft:
    """May pick a Character of an Attached unit: looked at where packets land."""
    return draft


@ABILITIES.add("Blast", rule="WH40K-BLAST")
def blast(draft: Draft, facts: Facts, detail: str) -> Draft:
    """One more attack for every five models of the target, with a fixed number of attacks too."""
    more = facts.target_models // 5
    return _more(draft, "attacks", more, "Blast (WH40K-BLAST)") if more else draft


@ABILITIES.add("Melta X", rule="WH40K-MELTA", pattern=rf"Melta {NUMBER}")
def melta(draft: Draft, facts: Facts, detail: str) -> Draft:
    """X more Damage within half range, after halving; a random X is added where damage is worked out."""
    if "half_range" in facts.flags and detail.isdigit():
        return _more(draft, "damage", int(detail), f"Melta {detail} (WH40K-MELTA)")
    return draft


@ABILITIES.add("Heavy", rule="WH40K-HEAVY")
def heavy(draft: Draft, facts: Facts, detail: str) -> Draft:
    """+1 to hit if the unit Remained Stationary."""
    return _modified(draft, "hit", 1, "Heavy (WH40K-HEAVY)") if "stationary" in facts.flags else draft


@ABILITIES.add("Hazardous", rule="WH40K-HAZ")
def hazardous(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A test after the attacks: asked for with odds("wh40k10", "hazardous", ...), as it
    hurts the attacker.
    """
    return draft


@ABILITIES.add("Devastating Wounds", rule="WH40K-DEVW")
def devastating_wounds(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A Critical Wound allows no save and waits until all ordinary attacks are done."""
    return replace(draft, chain=draft.chain.edit("wound", on_crit=("devastating",)))


@ABILITIES.add("Sustained Hits X", rule="WH40K-SUST", pattern=rf"Sustained Hits {NUMBER}")
def sustained_hits(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A Critical Hit scores X more hits: automatic, so neither critical nor lethal (WH40K-EXTRAHITS)."""
    number = parse_dice(detail)
    if number.fixed:
        return replace(draft, chain=draft.chain.edit("hit", added_on_crit=("wound",) * number.plus))
    chain = draft.chain.with_fan("sustained hits", Fan(number, "wound"))
    return replace(draft, chain=chain.edit("hit", added_on_crit=("sustained hits",)))


@ABILITIES.add("Extra Attacks", rule="WH40K-EXTRA")
def extra_attacks(draft: Draft, facts: Facts, detail: str) -> Draft:
    """Used besides another melee weapon; its Attacks change only by rules that name it."""
    return draft


@ABILITIES.add("Anti-X n+", rule="WH40K-ANTI", pattern=r"Anti-(.{1,40} [2-6]\+)")
def anti(draft: Draft, facts: Facts, detail: str) -> Draft:
    """Against a unit with the keyword, unmodified Wound rolls of n+ are critical."""
    keyword, _, threshold = detail.rpartition(" ")
    if keyword.upper() not in facts.target_keywords:
        return draft
    return replace(draft, chain=draft.chain.edit("wound", crit_on=int(threshold.rstrip("+"))))


@ABILITIES.add("Psychic", rule="WH40K-PSYCHIC")
def psychic(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A tag that Feel No Pain may look at."""
    return draft


@ABILITIES.add("One Shot", rule="WH40K-ONESHOT")
def one_shot(draft: Draft, facts: Facts, detail: str) -> Draft:
    """Once per battle: the caller knows whether it was."""
    return draft
