"""The weapon abilities of WH40K11 section 24: one statement each, with all that it says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mathhammer.games.abilities import Abilities, Draft, WeaponAbility
from mathhammer.games.wh40k import abilities as shared
from mathhammer.games.wh40k.abilities import NUMBER
from mathhammer.units.conditions import Facts

ABILITIES = Abilities(scoped=True)
REACH = 2.0  # WH40K11-03.04: inches of Engagement Range
DICE = "dice"  # attack dice besides the Attacks characteristic

ASSAULT = ABILITIES.tag(
    "Assault", rule="WH40K11-24.04", allows=frozenset({"advanced"}), doc="May be fired after an Advance."
)


@ABILITIES.add("Rapid Fire X", rule="WH40K11-24.30", pattern=rf"Rapid Fire {NUMBER}", reads=("flags",))
def rapid_fire(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """X more attack dice within half range, besides Attacks; a random X is rolled for each weapon."""
    if "half_range" not in facts.flags or held.number is None:
        return draft
    return draft.add(DICE, held.number, f"{held} (WH40K11-24.30)")


IGNORES_COVER = ABILITIES.tag(
    "Ignores Cover",
    rule="WH40K11-24.18",
    cover=lambda _facts: False,
    doc="The target has no cover, from whatever source.",
)
ABILITIES.add("Twin-linked", rule="WH40K11-24.38")(shared.twin_linked)
CLOSE_QUARTERS = ABILITIES.tag(
    "Close-quarters",
    rule="WH40K11-24.07",
    pattern=r"Close[- ]quarters",
    allows=frozenset({"engaged"}),
    instead=True,
    doc="May be fired in Engagement Range, at units in it; a model fires these or its other weapons.",
)
PISTOL = ABILITIES.tag(
    "Pistol",
    rule="WH40K11-24.27",
    allows=frozenset({"engaged"}),
    instead=True,
    doc="The same as Close-quarters.",
)
ABILITIES.add("Torrent", rule="WH40K11-24.37")(shared.torrent)
ABILITIES.add("Lethal Hits", rule="WH40K11-24.23")(shared.lethal_hits)
ABILITIES.add("Lance", rule="WH40K11-24.21", reads=("flags",))(shared.lance)


def shoots_indirectly(facts: Facts) -> bool:
    """WH40K11-10.07: what nobody of the unit sees can only be shot at in this way."""
    return bool({"indirect", "target_unseen"} & facts.flags)


def _indirect_cover(facts: Facts) -> bool | None:
    """WH40K11-10.07: the target has cover, seen or not."""
    return True if shoots_indirectly(facts) else None


@ABILITIES.add(
    "Indirect Fire",
    rule="WH40K11-24.19",
    reads=("flags",),
    allows=frozenset({"target_unseen"}),
    cover=_indirect_cover,
)
def indirect_fire(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
    """In indirect shooting unmodified 1-5 fail, or 1-3 of a stationary unit with a spotter; no Hit roll is
    rolled again (WH40K11-10.07).
    """
    if not shoots_indirectly(facts):
        return draft
    spotted = {"stationary", "target_seen_by_friend"} <= facts.flags
    return draft.edit("hit", fails_up_to=3 if spotted else 5, no_reroll=True)


PRECISION = ABILITIES.tag(
    "Precision",
    rule="WH40K11-24.28",
    picks_characters=True,
    doc="A visible Character of the target comes first while these attacks are saved.",
)


def _blast_may_attack(facts: Facts) -> str:
    """WH40K11-10.06, WH40K11-17.03: never at an engaged target."""
    afar = facts.distance is not None and facts.distance > REACH
    if "target_engaged" in facts.flags or ("engaged" in facts.flags and not afar):
        return "Blast cannot be used at an engaged target (WH40K11-24.05)"
    return ""


@ABILITIES.add(
    "Blast",
    rule="WH40K11-24.05",
    pattern=r"Blast(?: (?P<number>\d{1,2}))?",
    reads=("target_models", "flags", "distance"),
    may_attack=_blast_may_attack,
    distances=lambda _held: (REACH,),
)
def blast(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """One attack die more, or X, for every five models of the target."""
    each = 1 if held.number is None else held.number.plus
    return draft.add(DICE, each * (facts.target_models // 5), "Blast (WH40K11-24.05)")


@ABILITIES.add(
    "Cleave X", rule="WH40K11-24.06", pattern=r"Cleave (?P<number>\d{1,2})", reads=("target_models", "flags")
)
def cleave(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """X attack dice more for every five models of the target, unless the attacks are split
    (WH40K11-04.03.02).
    """
    if held.number is None or "split_attacks" in facts.flags:
        return draft
    return draft.add(DICE, held.number.plus * (facts.target_models // 5), "Cleave (WH40K11-24.06)")


ABILITIES.add("Melta X", rule="WH40K11-24.25", pattern=rf"Melta {NUMBER}", reads=("flags",))(shared.melta)


@ABILITIES.add("Heavy", rule="WH40K11-24.16", reads=("flags",))
def heavy(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
    """+1 to hit in the own Shooting phase, if the unit is unengaged, was not set up this turn, and no model
    moved more than 3 inches.
    """
    still = {"stationary", "short_move"} & facts.flags
    barred = {"set_up_this_turn", "engaged", "engaged_elsewhere", "overwatch"} & facts.flags
    return draft.modify("hit", 1, "Heavy (WH40K11-24.16)") if still and not barred else draft


HAZARDOUS = ABILITIES.tag(
    "Hazardous", rule="WH40K11-24.15", doc="A hazard roll for each such weapon after all attacks."
)


@ABILITIES.add("Devastating Wounds", rule="WH40K11-24.10")
def devastating_wounds(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """A Critical Wound becomes mortal wounds, after the ordinary damage of the same attack dice."""
    return draft.edit("wound", on_crit=("devastating",))


ABILITIES.add("Sustained Hits X", rule="WH40K11-24.36", pattern=rf"Sustained Hits {NUMBER}")(
    shared.sustained_hits
)
EXTRA_ATTACKS = ABILITIES.tag(
    "Extra Attacks", rule="WH40K11-24.11", extra=True, doc="Used besides another melee weapon."
)
ABILITIES.add(
    "Anti-X n+", rule="WH40K11-24.03", pattern=shared.ANTI, reads=("target_keywords",), lower_is_better=True
)(shared.anti)


@ABILITIES.add("Psychic", rule="WH40K11-24.29")
def psychic(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """What worsens the skill or the Hit roll is ignored, cover too; Feel No Pain may look at it."""
    kept = tuple(c for c in draft.changes if not (c.stat == "skill" and c.op == "add" and c.value > 0))
    return replace(draft, changes=kept).edit("hit", drop_negative=True)


ONE_SHOT = ABILITIES.tag("One Shot", rule="WH40K11-24.26", once=True, doc="Used once in a battle.")
# WH40K11-04.03.01: they only add dice, or permit to shoot, so attacks are identical with them and without
OUTSIDE = frozenset(
    {
        "Rapid Fire X",
        "Blast",
        "Cleave X",
        "Assault",
        "Pistol",
        "Close-quarters",
        "One Shot",
        "Extra Attacks",
        "Hazardous",
    }
)


def that_work(abilities: Iterable[WeaponAbility], keywords: frozenset[str]) -> tuple[WeaponAbility, ...]:
    """WH40K11-24.01: those that work against a target with these keywords; WH40K11-24.02: the same ability
    several times counts once, as the best of them that fits.
    """
    best: dict[str, WeaponAbility] = {}
    for held in sorted(abilities, key=str):
        name = held.ability.name
        fits = held.fits(keywords) and (not held.keyword or held.keyword in keywords)
        if fits and (name not in best or held.worth() > best[name].worth()):
            best[name] = held
    return tuple(best.values())
