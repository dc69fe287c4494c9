"""What stands around a chart, and that nothing of any kind is cut or lies on anything else."""

from __future__ import annotations

import pytest
from drawn import DOLLARS, LONG, boxes, figure_of, outside, overlapping, unit
from matplotlib.figure import Figure

import mathhammer as mh
from mathhammer import plots
from mathhammer.plots.asking import Chart
from mathhammer.plots.chart import draw_chart
from mathhammer.plots.finishing import words_around
from mathhammer.plots.kinds import CHART_KINDS
from mathhammer.plots.lettering import NAME
from mathhammer.plots.style import title_of

RATS = unit("Rats", models=20, health=1)
HERO = unit("Hero", models=1, health=7, ward=5)
PAIR = (unit(LONG, 2), unit(DOLLARS, 3))
ZERO = unit("Zero", 0)
HUGE = unit("Huge", 30, models=60)
TWELVE = tuple(unit(f"{LONG} {number}", 1 + number % 5, points=80 + 3 * number) for number in range(12))
FROM_UNITS = [kind for kind in CHART_KINDS if kind not in ("armies", "threat")]


def asked(kind: str, *units: mh.Unit, targets: tuple[mh.Unit, ...] = (RATS,), **more: object) -> Chart:
    """A chart of a kind that is drawn from these units, as far as the kind takes them."""
    if kind == "duel":
        units, targets = units[:1], units[-1:] if len(units) > 1 else (HERO,)
    if kind == "breakeven":
        units = (units[0], units[-1] if len(units) > 1 else RATS)
    if kind == "before_after":
        more = {"fight_options": {"commands": ("all_out_attack",)}} | more
    if kind == "funnel":
        units = units[:4]
    if kind in ("at_least", "at_most", "curve"):
        units = units[:8]
    return Chart(kind, units, targets, **more)


@pytest.mark.slow
@pytest.mark.parametrize("preset", plots.PRESETS)
@pytest.mark.parametrize("kind", FROM_UNITS)
def test_long_names_are_neither_cut_nor_on_each_other(kind: str, preset: str) -> None:
    ax = draw_chart(asked(kind, *PAIR, preset=preset, title="Who hits harder?", credit="Chart: Anna"))
    assert outside(ax) == []
    assert overlapping(ax) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", FROM_UNITS)
@pytest.mark.parametrize(
    "units", [(PAIR[0],), (ZERO,), (HUGE, ZERO), TWELVE], ids=["one", "zero", "huge", "twelve"]
)
def test_one_none_many(kind: str, units: tuple[mh.Unit, ...]) -> None:
    ax = draw_chart(asked(kind, *units, theme="dark"))
    assert outside(ax) == []
    assert overlapping(ax) == []


@pytest.mark.parametrize("kind", ["pmf", "bands", "before_after"])
def test_long_names_are_told_apart_and_marks_are_free(kind: str) -> None:
    targets = (HERO, unit("Drake", models=1, health=8), unit("Cart", models=1, health=5))
    many = draw_chart(asked(kind, unit(f"{LONG} and their Companions", 3), unit("B", 2), targets=targets))
    assert overlapping(many) == []
    if kind != "pmf":
        rows = [label.get_text() for label in many.get_yticklabels()]
        assert len(set(rows)) == 6
        assert [row.split()[-1] for row in rows] == ["Hero", "Drake", "Cart"] * 2
    long = f"{LONG}, {LONG}, and their Companions"
    assert overlapping(draw_chart(asked(kind, unit(long, 3), unit("B", 2), targets=(HERO,)))) == []


@pytest.mark.parametrize("health", range(5, 14))
def test_the_mean_of_a_band_stands_beside_the_mark_of_the_dead(health: int) -> None:
    far = unit("Tower", models=1, health=400)
    rows = (unit("Ogors", 14), unit("Rats", 3))
    ax = draw_chart(Chart("bands", rows, (unit("Cart", models=1, health=health), far)))
    shown = {round(text.xy[1]): box for text, box in boxes(ax) if text in ax.texts}
    marks = [line.get_segments()[0] for line in ax.collections if line.get_gid() == "dead"]
    assert len(shown) == 4
    assert len(marks) == 2
    for (x, low), (_, high) in marks:
        at = ax.transData.transform((x, 0.0))[0]
        box = shown[round((low + high) / 2)]
        assert not box.x0 <= at <= box.x1


def test_what_differs_between_results_is_not_told_as_one() -> None:
    """A simulation beside an exact answer, and two editions of a game."""
    exact, rolled = mh.fight(RATS, RATS), mh.fight(RATS, RATS, method="simulate", trials=1000, seed=1)
    told = words_around(mh.plot_pmf(exact, rolled, labels=("exact", "rolled")), "conditions")
    assert told == f"{exact.conditions.game} · exact, simulated, 1,000 trials, seed 1 · 20 models, melee"
    body = {"name": "Squad", "models": 5, "toughness": 4, "wounds": 1, "save": 4}
    gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": 1, "skill": 3, "strength": 4, "damage": 1}
    squads = [mh.make_unit(game, body | {"weapon": [gun]}) for game in ("wh40k10", "wh40k11")]
    games = words_around(
        mh.plot_pmf(*(mh.fight(one, one) for one in squads), labels=("10", "11")), "conditions"
    )
    assert games.startswith("Warhammer 40,000 10, Warhammer 40,000 11 · exact · ")


@pytest.mark.slow
@pytest.mark.parametrize("kind", FROM_UNITS)
def test_a_card_can_be_read_or_is_refused(kind: str) -> None:
    """Long names and a headline of their own making leave less room than there is: the plot keeps its height."""
    words = {"preset": "card", "subtitle": "A line of my own", "credit": "Chart: Anna"}
    targets = (HERO,) if kind in ("curve", "breakeven", "funnel") else (RATS, HERO)
    for units in ((PAIR[0],), PAIR, TWELVE[:6]):
        try:
            ax = draw_chart(asked(kind, *units, targets=targets, **words))
        except mh.BadInputError as error:
            assert str(error) == "chart: too much for a card (name fewer units, or leave the preset out)"
            assert len(units) > 1
            continue
        assert (outside(ax), overlapping(ax)) == ([], [])
        assert figure_of(ax).get_figheight() == pytest.approx(3.28125)
        heights = [one.get_window_extent().height for one in figure_of(ax).axes if one.get_visible()]
        assert min(heights) > 0.39 * figure_of(ax).dpi


def test_a_card_goes_without_its_note_before_its_plot() -> None:
    rows = [unit(f"Band {number}", number) for number in range(1, 10)]
    card = draw_chart(asked("bands", *rows, preset="card", subtitle="Mine", credit="Chart: Anna"))
    assert words_around(card, "note") == ""
    assert words_around(card, "conditions")
    assert words_around(draw_chart(asked("bands", *rows)), "note").startswith("Band: 10 to 90 %")


@pytest.mark.parametrize("number", [3, 7, 9, 12])
def test_armies_on_a_card_can_be_read_or_are_too_large(number: int) -> None:
    units = [(f"Unit {place}", 10.0 * place, 90.0) for place in range(1, number + 1)]
    assert overlapping(plots.plot_armies(("Us", "Them"), units, units)) == []
    if number < 9:
        assert overlapping(plots.plot_armies(("Us", "Them"), units, units, preset="card")) == []
    else:
        with pytest.raises(mh.BadInputError, match="too much for a card"):
            plots.plot_armies(("Us", "Them"), units, units, preset="card")


def test_a_check_of_boxes_sees_what_is_wrong() -> None:
    ax = Figure().add_subplot()
    ax.text(0.5, 0.5, "one")
    ax.text(0.5, 0.5, "other")
    ax.text(0.9, 0.9, "a text that goes on beyond the edge of the picture")
    assert overlapping(ax) == [("one", "other")]
    assert outside(ax) == ["a text that goes on beyond the edge of the picture"]


def test_headline_own_words_conditions_source_and_credit() -> None:
    chart = asked("at_least", RATS, title="Mine", subtitle="Why it matters", credit="Chart: Anna")
    ax = draw_chart(chart)
    assert title_of(ax) == "Mine"
    assert words_around(ax, "subtitle") == "Why it matters"
    assert words_around(ax, "credit") == "Chart: Anna"
    conditions = str(mh.fight(RATS, RATS).conditions)
    assert words_around(ax, "conditions") == conditions
    assert words_around(ax, "source").endswith(f"mathhammer {mh.__version__}")
    words = plots.alt_text(ax)
    assert words.startswith("Mine. Why it matters. Rats: ")
    assert words.endswith(f"Conditions: {conditions}.")


@pytest.mark.parametrize("kind", [*FROM_UNITS, "threat"])
def test_every_kind_says_its_conditions(kind: str) -> None:
    ax = draw_chart(asked(kind, *PAIR))
    assert words_around(ax, "conditions").startswith("Age of Sigmar 4 · exact · ")


@pytest.mark.parametrize("kind", FROM_UNITS)
def test_signs_of_mathematics_stand_as_they_are(kind: str) -> None:
    ax = draw_chart(asked(kind, *PAIR, title="It costs $5 or $6"))
    assert not [text.get_text() for text, _ in boxes(ax) if text.get_parse_math()]
    assert title_of(ax) == "It costs $5 or $6"
    assert {text.get_fontfamily()[0] for text, _ in boxes(ax)} == {NAME}


def test_weapons_that_do_not_reach_are_said_on_the_picture() -> None:
    bow = {"name": "Bow", "kind": "ranged", "range": 10, "attacks": 2, "hit": 3, "wound": 3, "damage": 1}
    archers = unit("Archers", weapon=[bow])
    for kind in ("pmf", "bands", "heatmap", "curve", "efficiency"):
        chart = asked(kind, archers, fight_options={"weapons": "ranged", "distance": 20})
        assert "Archers, Bow: does not attack Rats, 20 inches away" in words_around(
            draw_chart(chart), "remark"
        )


def test_many_remarks_are_counted_on_the_picture_and_all_in_its_words() -> None:
    remarks = tuple(f"Remark {number}" for number in range(5))
    ax = plots.plot_duel(("a", "b"), [0.1], [0.2], remarks=remarks)
    assert words_around(ax, "remark") == "Remark 0 Remark 1 and 3 more remarks"
    assert all(f"{remark}." in plots.alt_text(ax) for remark in remarks)
    card = plots.plot_duel(("a", "b"), [0.1], [0.2], remarks=remarks, preset="card")
    assert words_around(card, "remark") == "Remark 0"


@pytest.mark.parametrize(
    ("preset", "size"), [("blog", (1600, 900)), ("phone", (1080, 1350)), ("card", (1200, 630))]
)
def test_presets_have_their_sizes(preset: str, size: tuple[int, int]) -> None:
    data = plots.render_figure(plots.plot_duel(("a", "b"), [0.1], [0.2], preset=preset))
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == size


def test_too_much_for_a_card() -> None:
    with pytest.raises(mh.BadInputError, match=r"^chart: too much for a card \(name fewer units"):
        draw_chart(asked("bands", *TWELVE, preset="card"))


def test_a_title_has_no_widow() -> None:
    title = "Liberators, Rat Ogors and Brutes against Clanrats: how many models one attack removes on average"
    ax = plots.plot_duel(("a", "b"), [0.1], [0.2], title=title)
    first, second = figure_of(ax).get_suptitle().split("\n")
    assert len(second) > 0.7 * len(first)


@pytest.mark.parametrize("name", ["title", "subtitle", "credit"])
def test_words_that_are_no_text(name: str) -> None:
    with pytest.raises(mh.BadInputError, match=rf"^chart: {name} 5 is not a text \(write it in quotes\)$"):
        plots.plot_duel(("a", "b"), [0.1], [0.2], **{name: 5})
    with pytest.raises(mh.BadInputError, match=rf"^chart: {name} .* has signs that cannot be shown"):
        draw_chart(asked("bands", RATS, **{name: "a\x07b"}))


def test_an_unknown_preset() -> None:
    with pytest.raises(mh.MathhammerError, match=r"^chart: unknown preset 'crad' \(did you mean 'card'\?\)$"):
        plots.plot_duel(("a", "b"), [0.1], [0.2], preset="crad")


@pytest.mark.parametrize(
    "kind", ["at_least", "bands", "heatmap", "curve", "efficiency", "breakeven", "before_after"]
)
def test_rules_that_are_left_out_are_said(kind: str) -> None:
    ogors, rats = (mh.load_unit(name, "aos4") for name in ("Rat Ogors", "Clanrats"))
    ax = draw_chart(asked(kind, ogors, ogors.with_models(6), targets=(rats,)))
    assert "Rat Ogors: Unleashed Warp-fury (not used)" in words_around(ax, "remark")
