"""mathhammer: what units of tabletop wargames do to each other, exact and simulated."""

from typing import TYPE_CHECKING

from mathhammer import compare as _compare  # bound here, so that the name is free for the function below
from mathhammer import units as _units
from mathhammer._version import __version__
from mathhammer.datasheets.asked import unit
from mathhammer.datasheets.library import load_unit, reference_targets
from mathhammer.datasheets.reading import make_unit
from mathhammer.dice.pmf import Pmf
from mathhammer.duel import duel
from mathhammer.engine.result import GroupResult, Result
from mathhammer.errors import BadInputError, MathhammerError, TooLargeError, UnknownNameError
from mathhammer.fight import fight
from mathhammer.odds import odds
from mathhammer.units.circumstances import Conditions
from mathhammer.units.effects import Effect
from mathhammer.units.unit import ModelGroup, Stance, Unit, Weapon
from mathhammer.views import lazily

if TYPE_CHECKING:
    from mathhammer import lists, plots
    from mathhammer.compare.atlas_run import Atlas, atlas
    from mathhammer.decide.choices import Choices, choices
    from mathhammer.decide.kill import Kill, KillSet, kill, survive
    from mathhammer.decide.pile import Pile, PileStep, pile
    from mathhammer.decide.plan import PlannedAttack, TurnPlan, plan
    from mathhammer.decide.reroll import Reroll, reroll
    from mathhammer.decide.threat import Threat, Threatened, threat
    from mathhammer.duel.result import Duel, Fate, Point
    from mathhammer.frames import (
        compare,
        factions,
        list_damage,
        list_exchange,
        list_health,
        matrix,
        units,
        value,
    )
    from mathhammer.lists.attached import attach
    from mathhammer.lists.legality import check_list
    from mathhammer.lists.readers import read_roster, read_rosters
    from mathhammer.notebook import Explorer, explore
    from mathhammer.plots import plot_pmf
    from mathhammer.plots.charting import chart
    from mathhammer.units.findings import Finding
    from mathhammer.units.roster import Block, Entry, Roster

__all__ = [
    "Atlas",
    "BadInputError",
    "Block",
    "Choices",
    "Conditions",
    "Duel",
    "Effect",
    "Entry",
    "Explorer",
    "Fate",
    "Finding",
    "GroupResult",
    "Kill",
    "KillSet",
    "MathhammerError",
    "ModelGroup",
    "Pile",
    "PileStep",
    "PlannedAttack",
    "Pmf",
    "Point",
    "Reroll",
    "Result",
    "Roster",
    "Stance",
    "Threat",
    "Threatened",
    "TooLargeError",
    "TurnPlan",
    "Unit",
    "UnknownNameError",
    "Weapon",
    "__version__",
    "atlas",
    "attach",
    "chart",
    "check_list",
    "choices",
    "compare",
    "duel",
    "explore",
    "factions",
    "fight",
    "kill",
    "list_damage",
    "list_exchange",
    "list_health",
    "lists",
    "load_unit",
    "make_unit",
    "matrix",
    "odds",
    "pile",
    "plan",
    "plot_pmf",
    "plots",
    "read_roster",
    "read_rosters",
    "reference_targets",
    "reroll",
    "split",
    "survive",
    "threat",
    "unit",
    "units",
    "value",
]
_HOMES = {  # pandas, matplotlib and the machinery of duels only when used
    **dict.fromkeys(("Duel", "Fate", "Point"), "mathhammer.duel.result"),
    **dict.fromkeys(
        ("compare", "factions", "list_damage", "list_exchange", "list_health", "matrix", "units", "value"),
        "mathhammer.frames",
    ),
    **dict.fromkeys(("Atlas", "atlas"), "mathhammer.compare.atlas_run"),
    "split": "mathhammer.compare.splitting",
    **dict.fromkeys(("Choices", "choices"), "mathhammer.decide.choices"),
    **dict.fromkeys(("Kill", "KillSet", "kill", "survive"), "mathhammer.decide.kill"),
    **dict.fromkeys(("Pile", "PileStep", "pile"), "mathhammer.decide.pile"),
    **dict.fromkeys(("Reroll", "reroll"), "mathhammer.decide.reroll"),
    **dict.fromkeys(("Threat", "Threatened", "threat"), "mathhammer.decide.threat"),
    **dict.fromkeys(("PlannedAttack", "TurnPlan", "plan"), "mathhammer.decide.plan"),
    **dict.fromkeys(("Explorer", "explore"), "mathhammer.notebook"),
    **dict.fromkeys(("read_roster", "read_rosters"), "mathhammer.lists.readers"),
    "attach": "mathhammer.lists.attached",
    "check_list": "mathhammer.lists.legality",
    "chart": "mathhammer.plots.charting",
    "plot_pmf": "mathhammer.plots",
    "Finding": "mathhammer.units.findings",
    **dict.fromkeys(("Block", "Entry", "Roster"), "mathhammer.units.roster"),
    "lists": "mathhammer.lists",
    "plots": "mathhammer.plots",
}
# Packages of these names exist, too: they are loaded once and unbound, so that the public names are found.
del _compare, _units, compare, units
__getattr__, __dir__ = lazily(__name__, _HOMES, __all__)
