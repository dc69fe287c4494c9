"""The weapon abilities of WH40K section 10: one statement each, with all that it says."""

from __future__ import annotations

from mathhammer.games.abilities import Abilities, Draft, WeaponAbility
from mathhammer.games.wh40k import abilities as shared
from mathhammer.games.wh40k.abilities import BIG, NUMBER
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active
from mathhammer.units.unit import Weapon

ABILITIES = Abilities()

ASSAULT = ABILITIES.tag(
    "Assault", rule="WH40K-ASSAULT", allows=frozenset({"advanced"}), doc="May be fired after an Advance."
)


@ABILITIES.add(
    "Rapid Fire X", rule="WH40K-RAPID", pattern=r"Rapid Fire (?P<number>\d{1,2}|D3|D6)", reads=("flags",)
)
def rapid_fire(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """X more Attacks within half range; a random X is rolled for each bearer."""
    if "half_range" not in facts.flags or held.number is None:
        return draft
    return draft.add("attacks", held.number, f"{held} (WH40K-RAPID)")


IGNORES_COVER = ABILITIES.tag(
    "Ignores Cover",
    rule="WH40K-IGNCOVER",
    cover=lambda _facts: False,
    doc="The target has no Benefit of Cover.",
)


ABILITIES.add("Twin-linked", rule="WH40K-TWIN")(shared.twin_linked)


def _pistol_may_attack(facts: Facts) -> str:
    """WH40K-PISTOL: in Engagement Range it is fired at units in it."""
    afar = facts.distance is not None and facts.distance > 1
    if "engaged" in facts.flags and afar and not facts.keywords & BIG:
        return "in Engagement Range Pistols are fired at units in it (WH40K-PISTOL)"
    return ""


PISTOL = ABILITIES.tag(
    "Pistol",
    rule="WH40K-PISTOL",
    reads=("flags", "keywords", "distance"),
    allows=frozenset({"engaged"}),
    may_attack=_pistol_may_attack,
    distances=lambda _held: (1.0,),
    instead=True,
    doc="May be fired in Engagement Range, at units in it; a model fires its Pistols or its other weapons.",
)


def _torrent_may_attack(facts: Facts) -> str:
    """WH40K-TORRENT: not at what nobody sees."""
    if "target_unseen" in facts.flags:
        return "Torrent cannot be used through Indirect Fire (WH40K-TORRENT)"
    return ""


ABILITIES.add("Torrent", rule="WH40K-TORRENT", reads=("flags",), may_attack=_torrent_may_attack)(
    shared.torrent
)


ABILITIES.add("Lethal Hits", rule="WH40K-LETHAL")(shared.lethal_hits)


ABILITIES.add("Lance", rule="WH40K-LANCE", reads=("flags",))(shared.lance)


def _indirect_cover(facts: Facts) -> bool | None:
    """WH40K-INDIRECT: what nobody sees has cover."""
    return True if "target_unseen" in facts.flags else None


@ABILITIES.add(
    "Indirect Fire",
    rule="WH40K-INDIRECT",
    reads=("flags",),
    allows=frozenset({"target_unseen"}),
    cover=_indirect_cover,
)
def indirect_fire(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
    """At a target that nobody sees: -1 to hit, unmodified 1-3 fail, and the target has cover."""
    if "target_unseen" not in facts.flags:
        return draft
    return draft.modify("hit", -1, "Indirect Fire (WH40K-INDIRECT)").edit("hit", fails_up_to=3)


PRECISION = ABILITIES.tag(
    "Precision",
    rule="WH40K-PRECISION",
    picks_characters=True,
    doc="Attacks may be allocated to a Character of an Attached unit.",
)


def _blast_may_attack(facts: Facts) -> str:
    """WH40K-BLAST: never at an engaged target."""
    afar = facts.distance is not None and facts.distance > 1
    if "target_engaged" in facts.flags or ("engaged" in facts.flags and not afar):  # not engaged_elsewhere
        return "Blast cannot be used at an engaged target (WH40K-BLAST)"
    return ""


@ABILITIES.add(
    "Blast",
    rule="WH40K-BLAST",
    reads=("target_models", "flags", "distance"),
    may_attack=_blast_may_attack,
    distances=lambda _held: (1.0,),
)
def blast(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
    """One more attack for every five models of the target, with a fixed number of attacks too."""
    return draft.add("attacks", facts.target_models // 5, "Blast (WH40K-BLAST)")


ABILITIES.add("Melta X", rule="WH40K-MELTA", pattern=rf"Melta {NUMBER}", reads=("flags",))(shared.melta)


@ABILITIES.add("Heavy", rule="WH40K-HEAVY", reads=("flags",))
def heavy(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
    """+1 to hit if the unit Remained Stationary."""
    return draft.modify("hit", 1, "Heavy (WH40K-HEAVY)") if "stationary" in facts.flags else draft


HAZARDOUS = ABILITIES.tag(
    "Hazardous",
    rule="WH40K-HAZ",
    doc="A test after the attacks that hurts the attacker: the question `hazardous` of `odds` answers it.",
)


@ABILITIES.add("Devastating Wounds", rule="WH40K-DEVW")
def devastating_wounds(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """A Critical Wound allows no save and waits until all ordinary attacks are done."""
    return draft.edit("wound", on_crit=("devastating",))


ABILITIES.add("Sustained Hits X", rule="WH40K-SUST", pattern=rf"Sustained Hits {NUMBER}")(
    shared.sustained_hits
)


def _names_the_weapon(_weapon: Weapon, change: Active) -> bool:
    """WH40K-EXTRA: only rules that name the weapon change its Attacks."""
    return change.key != "attacks" or change.named


EXTRA_ATTACKS = ABILITIES.tag(
    "Extra Attacks",
    rule="WH40K-EXTRA",
    extra=True,
    reached_by=_names_the_weapon,
    doc="Used besides another melee weapon; its Attacks change only by rules that name it.",
)


ABILITIES.add(
    "Anti-X n+", rule="WH40K-ANTI", pattern=shared.ANTI, reads=("target_keywords",), lower_is_better=True
)(shared.anti)


PSYCHIC = ABILITIES.tag("Psychic", rule="WH40K-PSYCHIC", doc="A tag that Feel No Pain may look at.")
ONE_SHOT = ABILITIES.tag("One Shot", rule="WH40K-ONESHOT", once=True, doc="Used once in a battle.")


@ABILITIES.add(
    "Conversion X",
    rule="WH40K-CRIT",
    pattern=r"Conversion (?P<number>\d{1,2})",
    reads=("distance",),
    lower_is_better=True,
    distances=lambda held: (float(held.number.plus),),
)
def conversion(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """At a target more than X inches away, unmodified Hit rolls of 4+ are critical."""
    assert held.number is not None
    far = facts.distance is not None and facts.distance > held.number.plus
    return draft.edit("hit", crit_on=4) if far else draft
