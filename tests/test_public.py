"""The public names: complete, typed, documented, and with sentences for wrong types."""

from __future__ import annotations

import inspect
import json
import re
import typing
from typing import Any

import numpy as np
import pytest
from places import PACKAGE, ROOT

import mathhammer as mh

HERO = {"name": "<b>Hero</b>", "health": 5, "save": 3, "points": 100}
AXE = {"name": "Axe", "attacks": 3, "hit": 3, "wound": 3, "damage": 2}


def hero() -> mh.Unit:
    return mh.make_unit("aos4", HERO | {"weapon": [AXE]})


def test_dir_shows_the_promise_and_nothing_else() -> None:
    assert sorted(mh.__all__) == dir(mh)
    for module in (mh, mh.plots, mh.lists):
        assert sorted(module.__all__) == sorted(dir(module))
        assert [name for name in module.__all__ if getattr(module, name, None) is None] == []
    with pytest.raises(AttributeError, match="module 'mathhammer' has no attribute 'fihgt'"):
        mh.fihgt  # noqa: B018


def test_packages_of_a_public_name_do_not_hide_it() -> None:
    """`compare`, `duel`, `units` are functions, whichever module of those packages was loaded."""
    from mathhammer.compare import matrix
    from mathhammer.duel import exact
    from mathhammer.units import unit

    assert {inspect.ismodule(module) for module in (matrix, exact, unit)} == {True}
    assert all(callable(function) for function in (mh.compare, mh.duel, mh.units, mh.fight, mh.odds))


def test_types_are_shipped() -> None:
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.parametrize("name", [name for name in mh.__all__ if callable(getattr(mh, name))])
def test_every_public_name_has_a_docstring_and_what_it_returns_is_public(name: str) -> None:
    thing = getattr(mh, name)
    assert (thing.__doc__ or "").strip()
    if not inspect.isfunction(thing):
        return
    assert ">>>" in thing.__doc__
    words = set(re.findall(r"\b[A-Z]\w+", str(inspect.signature(thing).return_annotation)))
    known = {*mh.__all__, "DataFrame", "Axes", "Mapping", "Any", "None", "Sequence"}
    assert words <= known, f"{name} returns {words - known}"


def test_notebooks_import_public_names_only() -> None:
    public = {"mathhammer", "mathhammer.plots", "mathhammer.lists"}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for module in re.findall(r"^(?:from|import) (mathhammer[\w.]*)", "".join(cell["source"]), re.M):
                assert module in public, f"{path.name}: {module}"


# --- distributions ----------------------------------------------------------------------------------------


def test_a_distribution_is_iterable_an_array_and_a_summand() -> None:
    pmf = mh.Pmf([0.25, 0.5, 0.25])
    assert list(pmf) == [0.25, 0.5, 0.25]
    assert np.asarray(pmf).tolist() == list(pmf)
    assert np.array(pmf, dtype=np.float32).dtype == np.float32
    np.asarray(pmf)[0] = 9.0  # a copy: the distribution stays as it is
    assert pmf[0] == 0.25
    assert sum([pmf, pmf, pmf]) == pmf.power(3)
    assert (pmf + 2).to_dict() == {2: 0.25, 3: 0.5, 4: 0.25}
    assert (2 + pmf) == pmf + 2 == pmf + np.int64(2)
    for wrong in (-1, 1.5, "x", True):
        with pytest.raises(TypeError):
            pmf + wrong  # type: ignore[operator]


def test_quantiles_samples_and_shares_of_a_distribution() -> None:
    pmf = mh.Pmf({0: 0.1, 2: 0.6, 5: 0.3})
    assert (pmf.median(), pmf.std(), pmf.between(1, 4)) == (2, pmf.sd(), pytest.approx(0.6))
    assert pmf.between(4, 1) == 0.0
    assert pmf.quantile([0.05, 0.5, 0.95]).tolist() == [0, 2, 5]
    assert pmf.quantile(np.array([[0.1], [1.0]])).shape == (2, 1)
    rolls = pmf.sample(60_000, seed=3)
    assert set(rolls.tolist()) == {0, 2, 5}
    assert abs(float(rolls.mean()) - pmf.mean()) < 6.2 * pmf.sd() / 60_000**0.5
    assert pmf.sample(5, seed=1).tolist() == pmf.sample(5, seed=1).tolist()
    assert pmf.to_frame()["at_least"].tolist()[:3] == pytest.approx([1.0, 0.9, 0.9])
    assert pmf.plot(kind="at_least").get_ylim()[1] > 0


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: mh.Pmf(3),  # type: ignore[arg-type]
            "pmf: 3 is not a distribution (give chances of 0, 1, 2, ... or a mapping)",
        ),
        (
            lambda: mh.Pmf({"a": 1.0}),  # type: ignore[dict-item]
            "pmf: {'a': 1.0} is not a distribution (give chances of 0, 1, 2, ... or a mapping)",
        ),
        (lambda: mh.Pmf([0.5]), "pmf: chances must be at least 0 and add up to 1 (they add up to 0.5)"),
        (lambda: mh.Pmf([1.0]).sample(-1), "sample: -1 rolls (give a whole number from 0 on)"),
        (
            lambda: mh.Pmf([1.0]).quantile([0.5, 2]),
            "quantile: [0.5, 2] is not a share (give 0 to 1, such as 0.5 for the median)",
        ),
        (lambda: mh.fight(3, hero()), "fight: 3 is not a unit (give one, or its name)"),  # type: ignore[arg-type]
        (
            lambda: mh.fight("Librators", hero()),
            "fight: no unit 'Librators' in aos4 (did you mean 'Liberators'?)",
        ),
        (
            lambda: mh.fight(hero(), hero(), effects="hit_roll"),  # type: ignore[arg-type]
            "effects: 'hit_roll' is not an effect (write {...} or a list of them)",
        ),
        (
            lambda: mh.fight(hero(), hero(), friends="Liberators"),  # type: ignore[arg-type]
            "fight: friends is 'Liberators' (give units, such as [load_unit(...)])",
        ),
        (
            lambda: mh.fight(hero(), hero(), friends=[3]),  # type: ignore[list-item]
            "fight: friends: 3 is not a unit (use load_unit or make_unit)",
        ),
        (
            lambda: mh.fight(hero(), hero(), situation=3),  # type: ignore[arg-type]
            "fight: situation is 3 (give a word or a list of words)",
        ),
        (
            lambda: mh.fight(hero(), hero(), choices=["Axe"]),  # type: ignore[arg-type]
            "fight: choices is ['Axe'] (give a mapping from weapon to ability)",
        ),
        (
            lambda: mh.fight(hero(), hero(), options=["x"]),  # type: ignore[arg-type]
            "fight: options is ['x'] (give a mapping from option to value)",
        ),
        (lambda: mh.duel("Librators", "Clanrats"), "duel: no unit 'Librators' in "),
        (
            lambda: mh.units("aos4", faction="Skavne"),
            "units: unknown faction 'Skavne' (did you mean 'Skaven'?)",
        ),
        (
            lambda: mh.units("diskwars"),
            "units: Warhammer: Diskwars has no units with weapons (ask mathhammer.odds",
        ),
        (lambda: mh.attach(3, hero()), "attach: 3 is not a unit (use load_unit or make_unit)"),  # type: ignore[arg-type]
    ],
)
def test_wrong_types_give_a_sentence(ask: Any, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        ask()
    assert str(caught.value).startswith(message)


# --- names, frames, charts, short texts -------------------------------------------------------------------


def test_fight_and_duel_take_names() -> None:
    by_name = mh.fight("Liberators", "Clanrats")
    assert by_name.slain == mh.fight(mh.load_unit("Liberators"), mh.load_unit("Clanrats")).slain
    assert mh.fight("Liberators", hero()).target == "<b>Hero</b>"
    assert mh.fight(hero(), "clanrats").target == "Clanrats"
    assert mh.duel("Liberators", hero(), rounds=1).names == ("Liberators", "<b>Hero</b>")
    assert mh.duel([hero(), hero()], "Clanrats", rounds=1, trials=100).names == (
        "the army of 2 units",
        "Clanrats",
    )


def test_short_texts_with_numbers() -> None:
    unit, result = hero(), mh.fight(hero(), hero())
    assert repr(unit) == "Unit(<b>Hero</b>, aos4: 1 model, health 5, 100 points)"
    assert repr(unit.with_lost(2)) == "Unit(<b>Hero</b>, aos4: 1 model, health 5, 2 lost, 100 points)"
    assert repr(result) == (
        f"Result(<b>Hero</b> against <b>Hero</b>: {result.slain.mean():.4g} slain, "
        f"{result.lost.mean():.4g} wounds lost, destroyed {result.p_destroyed:.1%}, exact)"
    )
    duel = mh.duel(unit, unit, rounds=1)
    assert repr(duel).startswith("Duel(<b>Hero</b> (a) against <b>Hero</b> (b), 1 round: win ")
    roster = mh.Roster("aos4", name="R<x>", blocks=(mh.Block("One", "regiment", (mh.Entry("A<y>", 50),)),))
    assert repr(roster) == "Roster(R<x>, aos4: 1 unit, 1 without a profile, 50 points)"
    for thing in (unit, result, duel, roster, result.slain):
        html = thing._repr_html_()
        assert html.startswith("<div")
        assert not {"<b>Hero", "<x>", "<y>"} & set(re.findall(r"<\w>(?:Hero)?", html))


def test_frames_of_results_duels_and_rosters() -> None:
    result = mh.fight("Liberators", "Clanrats")
    table = result.to_frame()
    assert list(table.columns) == [
        *("attacker", "target", "of", "value", "chance", "at_least", "at_most", "conditions")
    ]
    assert set(table["of"]) == {"slain", "lost", "damage"}
    assert table[table.of == "slain"]["chance"].sum() == pytest.approx(1.0)
    duel = mh.duel("Liberators", "Clanrats", rounds=2)
    assert duel.to_frame()["p_win"].tolist() == [point.p_win for point in duel.course]
    assert "Liberators" in duel.plot().get_figure().get_suptitle() or duel.plot().get_legend_handles_labels()
    factions = mh.factions("wh40k10")
    assert factions["units"].sum() == len(mh.units("wh40k10"))
    assert typing.cast(Any, mh.units())["system"].nunique() == 4


def test_lists_stand_wherever_units_do() -> None:
    hammers, claws = (mh.read_roster(ROOT / f"notebooks/lists/{name}.toml") for name in ("hammers", "claws"))
    table = mh.matrix(hammers, claws)
    assert len(table) == len(hammers.units) * len(claws.units)
    assert table["damage"].tolist() == mh.matrix(hammers.units, claws.units)["damage"].tolist()
    assert set(mh.compare(hammers, "Clanrats")["attacker"]) == {unit.name for unit in hammers.units}
    assert list(mh.list_damage(claws)["unit"].unique()) == list(dict.fromkeys(u.name for u in claws.units))
    assert "Hammers" in repr(mh.chart("armies", hammers, claws))
    unknown = mh.read_roster('system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Nobody We Know"\n')
    with pytest.raises(mh.BadInputError) as caught:
        mh.matrix(unknown, claws)
    assert str(caught.value) == (
        "matrix: no datasheet for Nobody We Know of the list (import catalogues, or give roster.units for those "
        "that are known)"
    )
