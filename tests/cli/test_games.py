"""The commands of Diskwars and Uprising, and Age of Sigmar, 1st edition, in the commands of all games."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from places import ROOT

import mathhammer as mh
from mathhammer.cli import commands, main
from mathhammer.cli.dice_answer import spread, tenths
from mathhammer.cli.records import game_records
from mathhammer.dice.plain import plain
from mathhammer.games.records import dice_sets
from mathhammer.plots import COLOURS
from mathhammer.plots.distributions import plot_distributions
from mathhammer.plots.style import title_of
from mathhammer.units.unit import ModelGroup, Unit

YOUNGLINGS = {"kind": "units", "units": [{"name": "Younglings", "count": 3}, {"name": "Koloth", "count": 1}]}
GUARD = {"kind": "card", "name": "Imperial Guard", "threat": 3}
SHOT = ("shoot", "3", "--strength", "5", "--range", "medium", "--at", "Orc Boyz")
PAIR = ("clash", "Orc Boyz > Marienburg Swordsmen: stamina 6")
QUEST = (
    "quest",
    "--hero",
    "magic 1, cunning 3",
    "--goal",
    "3 skulls",
    "--goal",
    "1 shield",
    "--goal",
    "1 bolt",
    "--need",
    "2",
)
BATTLE = ("battle", "3 Younglings, Koloth", "--vs", "Imperial Guard 3")
EVERY = {"shoot": SHOT, "clash": PAIR, "quest": QUEST, "battle": BATTLE}
ROLLED = {name: words for name, words in EVERY.items() if name != "clash"}


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def answer_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, *words, "--format", "json")[0])
    return found


# --- shoot --------------------------------------------------------------------------------------------------------------


def test_shoot_prints_the_numbers_of_odds(capsys: pytest.CaptureFixture[str]) -> None:
    neighbours = (
        "--neighbour",
        "Orc Boyz: engaged, overlap 2",
        "--neighbour",
        "Kurgan: stamina 3, distance 2, empowered",
    )
    words = (
        "shoot",
        "Reikland Crossbowmen",
        "--range",
        "medium",
        "--at",
        "rock orc shaman: damage 1",
        "--cover",
        *neighbours,
    )
    wanted = mh.odds(
        "diskwars",
        "ranged",
        shooter="Reikland Crossbowmen",
        range="medium",
        target={"disk": "Rock Orc Shaman", "damage": 1},
        cover=True,
        neighbours=[
            {"disk": "Orc Boyz", "engaged": True, "overlap": 2},
            {"id": "Kurgan", "stamina": 3, "distance": 2, "empowered": True},
        ],
    )
    out, err = run(capsys, *words)
    lines = out.splitlines()
    assert lines[0].split() == [
        "Disk",
        "Damage",
        "10/50/90",
        "%",
        "Wound",
        "Destroyed",
        "Token",
        "Distribution",
    ]
    for row, line in zip(wanted["disks"], lines[1:4], strict=True):
        assert line.startswith(row["id"])
        assert spread(row["damage"]) in line
        assert tenths(row["damage"]) in line
        for key in ("p_wound", "p_destroyed", "p_activation_token"):
            assert f" {row[key]:.1%}" in line
    assert lines[5] == f"2 combat dice at medium range; nothing is hit: {wanted['p_no_hit_anywhere']:.1%}"
    assert lines[6] == f"Dice set: {dice_sets('diskwars')[0]}"
    assert err == ""
    assert answer_of(capsys, *words)["answer"] == plain(wanted)


def test_shoot_passes_everything_on(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "shoot",
        "4",
        "--strength",
        "d6",
        "--range",
        "siege",
        "--vs",
        "Stone: stamina 5, toughness 1, wounds 1, resist magic, cover",
    )
    more = (
        "--damage-type",
        "magic",
        "--convert",
        "chaos=crit",
        "--resist-mode",
        "per_hit",
        "--dice-set",
        "alt_lean",
    )
    wanted = mh.odds(
        "diskwars",
        "ranged",
        dice=4,
        strength="d6",
        range="siege",
        target={
            "id": "Stone",
            "stamina": 5,
            "toughness": 1,
            "wounds": 1,
            "resist": ["magic"],
            "terrain": ["cover"],
        },
        damage_type="magic",
        convert={"chaos": "crit"},
        resist_mode="per_hit",
        faces="alt_lean",
    )
    found = answer_of(capsys, *words, *more)
    assert found["answer"] == plain(wanted)
    assert (found["dice_set"]["name"], found["dice_set"]["confidence"]) == ("alt_lean", "low")
    assert "Dice set: alt_lean (confidence low: " in run(capsys, *words, *more)[0]


@pytest.mark.rule("DW-DMG-6")
def test_shoot_at_an_immune_disk_is_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys, "shoot", "1", "--strength", "3", "--range", "short", "--at", "Orc Boyz: immune ranged"
    )
    assert "0.00 ± 0.00" in out
    assert "1 combat die at short range" in out
    assert err == "Orc Boyz: is immune to ranged attacks and may not be chosen as target (DW-DMG-6)\n"


# --- clash --------------------------------------------------------------------------------------------------------------


def test_clash_e3_and_the_choice_of_a_victim(capsys: pytest.CaptureFixture[str]) -> None:
    pins = ("Karl Franz > Orc Boyz: counter 2", "Karl Franz > Arrer Boyz: counter 4, stamina 4")
    out, err = run(capsys, "clash", *pins)
    assert [re.split(r"\s{2,}", line) for line in out.splitlines()[1:4]] == [
        ["Karl Franz", "A", "6", "0", "1", "stands"],
        ["Orc Boyz", "B", "5", "5", "1", "destroyed"],
        ["Arrer Boyz", "B", "0", "0", "0", "stands"],
    ]
    assert out.endswith("Dice set: none (no dice are rolled)\n")
    assert err == ""
    other = answer_of(capsys, "clash", *pins, "--strike", "Karl Franz > Arrer Boyz")["answer"]["final"]
    assert (other["Orc Boyz"]["destroyed"], other["Arrer Boyz"]["destroyed"]) == (False, True)


def test_clash_e8_is_a_mass_battle(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "Wolf Riders: attack 4, stamina 3 > Teclis: counter 4, stamina 5",
        "Wolf Riders > Arch Mage: counter 3, stamina 4",
        "River Troll: attack 5, stamina 4 > Teclis",
        "Militia Spearmen: stamina 5 > River Troll",
        "--strike",
        "Wolf Riders > Arch Mage",
        "--strike",
        "Teclis > River Troll",
    )
    found = answer_of(capsys, "clash", *words)
    final = found["answer"]["final"]
    assert {name for name, disk in final.items() if disk["destroyed"]} == {
        "Militia Spearmen",
        "Wolf Riders",
        "Arch Mage",
    }
    assert final["Teclis"]["wounds"] == final["River Troll"]["wounds"] == 1
    assert found["answer"]["owners"] == {
        "Wolf Riders": "A",
        "Teclis": "B",
        "Arch Mage": "B",
        "River Troll": "A",
        "Militia Spearmen": "B",
    }
    assert (found["dice_set"], found["method"]) == (None, "exact")


def test_clash_piles_owners_and_copies(capsys: pytest.CaptureFixture[str]) -> None:
    figures = "attack 1, counter 1, stamina 9"
    pile = answer_of(capsys, "clash", f"Orc Boyz#1: {figures} > Huntsmen: {figures} > Orc Boyz#2: {figures}")[
        "answer"
    ]
    assert pile["owners"] == {"Orc Boyz#1": "A", "Huntsmen": "B", "Orc Boyz#2": "A"}
    assert {name: disk["damage"] for name, disk in pile["final"].items()} == {
        "Orc Boyz#1": 1,
        "Huntsmen": 2,
        "Orc Boyz#2": 1,
    }
    friends = answer_of(capsys, "clash", "A: stamina 3, owner x > B: stamina 3, owner x")["answer"]
    assert friends["log"] == []
    told = answer_of(capsys, "clash", f"A: {figures} > B: {figures}, owner elves")["answer"]
    assert told["owners"] == {"A": "A", "B": "elves"}
    keywords = (
        "swift attack, berserk, empowered",
        "slow, resist physical, defensive, wounds 1, toughness 2, damage 1",
    )
    one, two = (f"{name}: {figures}, {words}" for name, words in zip("AB", keywords, strict=True))
    wanted = mh.odds(
        "diskwars",
        "melee",
        disks=[
            {
                "id": "A",
                "owner": "A",
                "attack": 1,
                "counter": 1,
                "stamina": 9,
                "swift": ["attack"],
                "berserk": True,
                "empowered": True,
            },
            {
                "id": "B",
                "owner": "B",
                "attack": 1,
                "counter": 1,
                "stamina": 9,
                "slow": ["attack", "counter"],
                "resist": ["physical"],
                "terrain": ["defensive"],
                "wounds": 1,
                "toughness": 2,
                "damage": 1,
            },
        ],
        pins=[["A", "B"]],
    )
    assert answer_of(capsys, "clash", f"{one} > {two}")["answer"]["log"] == plain(wanted)["log"]


# --- quest --------------------------------------------------------------------------------------------------------------


def test_quest_e3_prints_the_numbers_of_odds(capsys: pytest.CaptureFixture[str]) -> None:
    goals = ("--goal", "4 skulls", "--goal", "1 shield, 1 VP", "--goal", "1 bolt (1 VP)", "--need", "2")
    wanted = mh.odds(
        "uprising",
        "quest",
        pool={"red": 2, "blue": 1, "white": 1, "purple": 1, "black": 1},
        goals=[{"skull": 4}, {"shield": 1, "vp": 1}, {"bolt": 1, "vp": 1}],
        need=2,
    )
    out, err = run(capsys, "quest", "2 red, blue and white, purple + 1 black", *goals)
    for text, chance in zip(("4 skulls", "1 shield, 1 VP", "1 bolt (1 VP)"), wanted["p_goal"], strict=True):
        assert re.search(rf"^{re.escape(text)} +{chance:.2%}$", out, re.MULTILINE)
    assert f"Success (2 of 3): {wanted['p_success']:.2%}\n" in out
    assert f"Expected points: {wanted['expected_vp']:.4g}\n" in out
    assert f"Goals met: {spread(wanted['goals_met'])}, 10/50/90 %: {tenths(wanted['goals_met'])}" in out
    assert out.endswith(f"Dice set: {dice_sets('uprising')[0]}\n")
    assert err == ""
    assert answer_of(capsys, "quest", "RRBWPK", *goals)["answer"] == plain(wanted)


@pytest.mark.rule("UP-HERO-3", "UP-QST-1")
def test_quest_finds_the_best_split_of_cunning(capsys: pytest.CaptureFixture[str]) -> None:
    goals = [{"skull": 3}, {"shield": 1}, {"bolt": 1}]
    best = mh.odds("uprising", "best_cunning", hero={"magic": 1}, cunning=3, goals=goals, need=2)
    found = answer_of(capsys, *QUEST)["answer"]
    assert found["cunning"] == {
        "yellow": best["yellow"],
        "white": best["white"],
        "p_by_yellow": best["p_by_yellow"],
        "vp_by_yellow": best["vp_by_yellow"],
    }
    assert found["p_success"] == best["p_success"]
    out, _ = run(capsys, *QUEST)
    assert (
        f"Cunning {best['yellow']} yellow, {best['white']} white: {best['p_success']:.2%} (best, used here; UP-HERO-3)"
        in out
    )
    assert out.count("Cunning") == 4
    fixed = answer_of(capsys, *QUEST[:2], "magic 1, cunning 3, yellow 2", *QUEST[3:])["answer"]
    assert "cunning" not in fixed
    assert fixed["p_success"] == pytest.approx(best["p_by_yellow"][2])
    told, _ = run(capsys, *QUEST, "--explain")
    assert "Pool: purple, 3 white (UP-QST-1)." in told
    assert "(best, used here; UP-HERO-3)" in told


def test_quest_rerolls_and_points(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = mh.odds(
        "uprising",
        "quest",
        pool={"red": 2},
        goals=[{"skull": 2, "bolt": 1, "vp": 2}],
        reroll="any",
        success_vp=3,
        faces="alt",
    )
    words = (
        "quest",
        "2 red",
        "--goal",
        "2 skulls and 1 bolt, 2 VP",
        "--reroll",
        "any",
        "--success-vp",
        "3",
        "--dice-set",
        "alt",
    )
    assert answer_of(capsys, *words)["answer"] == plain(wanted)
    once = mh.odds("uprising", "quest", pool={"red": 2}, goals=[{"skull": 2}], reroll=1)
    assert answer_of(capsys, "quest", "2 red", "--goal", "2 skulls", "--reroll", "1")["answer"] == plain(once)


# --- battle -------------------------------------------------------------------------------------------------------------


def test_battle_prints_the_numbers_of_odds(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = mh.odds("uprising", "battle", a=YOUNGLINGS, b=GUARD, terrain="forest")
    out, err = run(capsys, *BATTLE, "--terrain", "forest")
    lines = out.splitlines()
    for line, name, law, lost, points in zip(
        lines[1:3],
        ("3 Younglings, Koloth", "Imperial Guard 3"),
        (wanted["survivors_a"], wanted["remaining_b"]),
        (wanted["expected_losses_a"], wanted["expected_losses_b"]),
        wanted["expected_vp"].values(),
        strict=True,
    ):
        assert re.split(r"\s{2,}", line)[:5] == [
            name,
            spread(law),
            tenths(law),
            f"{lost:.2f}",
            f"{points:.2f}",
        ]
    assert lines[4] == f"Win {wanted['p_win']:.1%}, lose {wanted['p_lose']:.1%}, draw {wanted['p_draw']:.1%}"
    assert lines[5] == f"Clash rounds: {wanted['expected_clash_rounds']:.3g}"
    assert lines[6] == f"At scoring: empire {wanted['expected_graveyard_vp']['empire']:.2f} (graveyard)"
    assert lines[7] == f"Dice set: {dice_sets('uprising')[0]}"
    assert err == ""
    assert answer_of(capsys, *BATTLE, "--terrain", "forest")["answer"] == plain(wanted)


@pytest.mark.rule("UP-CMB-7")
def test_several_enemies_are_a_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    enemies = [GUARD, {"kind": "skeletons", "count": 2}, {"kind": "garrison", "level": 1}]
    details: dict[str, Any] = {"a": YOUNGLINGS, "enemies": enemies, "order": "rules"}
    horde = {"kind": "card", "name": "Bloodwyrm", "threat": 4}
    wanted = mh.odds("uprising", "campaign", **details, horde=horde)
    words = (
        "battle",
        "3 Younglings, Koloth",
        "--vs",
        "Imperial Guard threat 3",
        "2 skeletons",
        "garrison level 1",
        "--order",
        "rules",
    )
    found = answer_of(capsys, *words, "--horde", "Bloodwyrm 4")["answer"]
    assert found == plain(wanted)
    out, _ = run(capsys, *words)
    plainly = mh.odds("uprising", "campaign", **details)
    names = ("2 skeletons", "garrison 1", "Imperial Guard 3")
    for line, name, chance in zip(out.splitlines()[1:4], names, plainly["p_clear_through"], strict=True):
        assert re.split(r"\s{2,}", line) == [name, f"{chance:.1%}"]
    assert f"left in the end: {spread(plainly['survivors_a'])}" in out
    assert f"Expected points: player {plainly['expected_vp_a']:.4g}, chaos 0, empire 0" in out
    assert f"Skeletons become a horde: {plainly['p_horde_formed']:.1%}" in out
    (single,) = answer_of(capsys, "battle", "3 Younglings", "--vs", "2 skeletons", "--horde", "Lich Queen 3")[
        "answer"
    ]["p_clear_through"]
    three = {"kind": "units", "units": [{"name": "Younglings", "count": 3}]}
    queen = {"kind": "card", "name": "Lich Queen", "threat": 3}
    assert [single] == mh.odds("uprising", "campaign", a=three, enemies=[enemies[1]], horde=queen)[
        "p_clear_through"
    ]


@pytest.mark.rule("UP-UNIT-2")
def test_battle_sides_by_class_and_colour(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys, "battle", "2 archers, 2 riders, Spearsinger, tower", "--vs", "2 skeletons", "--format", "json"
    )
    units = [
        {"name": "y", "die": "yellow", "count": 3, "archer": True},
        {"name": "r", "die": "red", "count": 2, "rider": True},
    ]
    wanted = mh.odds(
        "uprising",
        "battle",
        a={"kind": "units", "units": units, "tower": True},
        b={"kind": "skeletons", "count": 2},
    )
    assert json.loads(out)["answer"]["p_win"] == pytest.approx(wanted["p_win"])
    assert err.splitlines() == [
        "archers: a yellow die each is assumed (UP-UNIT-2; write something like 'red archers' for another)",
        "riders: a red die each is assumed (UP-UNIT-2; write something like 'red riders' for another)",
        "Spearsingers: a yellow die is assumed (UP-UNIT-2)",
    ]
    _, err = run(capsys, "battle", "2 blue, 1x purple elite archer, wall, reroll 1", "--vs", "garrison 1")
    assert err == ""


def test_battle_orders_reach_the_combat(capsys: pytest.CaptureFixture[str]) -> None:
    army = YOUNGLINGS | {
        "casualty_order": ["Koloth"],
        "bolt_policy": "god_power_first",
        "god_power": [
            {"effect": "skulls", "n": 2, "limit": "combat"},
            {"effect": "shields", "n": 1, "limit": "none"},
        ],
        "bonus": {"first_clash": ["red", "red"], "after_damage": ["white"]},
    }
    powers = ("--god-power", "2 skulls once per combat", "--god-power", "1 shield per bolt")
    bonus = ("--bonus", "first clash: 2 red", "--bonus", "after damage: W")
    words = (
        "battle",
        "3 Younglings, Koloth",
        "--vs",
        "Executioner 4, target marker",
        "--casualties",
        "koloth",
        *powers,
        *bonus,
    )
    enemy = {"kind": "card", "name": "Executioner", "threat": 4, "conditions": ["target_marker"]}
    assert answer_of(capsys, *words)["answer"] == plain(mh.odds("uprising", "battle", a=army, b=enemy))
    nemesis = answer_of(capsys, "battle", "Imperial Guard 3", "--vs", "Bloodwyrm 3, reroll 1")["answer"]
    wyrm = {"kind": "card", "name": "Bloodwyrm", "threat": 3, "reroll": 1}
    assert nemesis == plain(mh.odds("uprising", "battle", a=GUARD, b=wyrm))


# --- what the four commands share ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", EVERY)
def test_json_names_schema_game_and_dice(capsys: pytest.CaptureFixture[str], command: str) -> None:
    found = answer_of(capsys, *EVERY[command])
    assert found["schema"] == f"mathhammer-{command}/1"
    assert found["mathhammer"] == mh.__version__
    assert found["system"] == ("diskwars" if command in ("shoot", "clash") else "uprising")
    assert (found["method"], found["trials"], found["seed"]) == ("exact", None, None)
    assert (found["dice_set"] is None) == (command == "clash")


@pytest.mark.slow
@pytest.mark.parametrize("command", ROLLED)
def test_simulations_are_repeatable_and_show_their_error(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    words = (*ROLLED[command], "--method", "simulate", "--trials", "4000", "--seed", "3")
    found = answer_of(capsys, *words)
    assert found == answer_of(capsys, *words)
    assert (found["method"], found["trials"], found["seed"]) == ("simulate", 4000, 3)
    out, _ = run(capsys, *words)
    assert " (se " in out
    exact = answer_of(capsys, *ROLLED[command])["answer"]
    pick = {
        "shoot": lambda a: a["disks"][0]["p_destroyed"],
        "quest": lambda a: a["p_success"],
        "battle": lambda a: a["p_win"],
    }[command]
    assert abs(pick(found["answer"]) - pick(exact)) < 6.2 * (0.25 / 4000) ** 0.5


@pytest.mark.parametrize("command", EVERY)
def test_files_and_explain(capsys: pytest.CaptureFixture[str], command: str, tmp_path: Path) -> None:
    printed, _ = run(capsys, *EVERY[command])
    target = tmp_path / "answer.txt"
    out, _ = run(capsys, *EVERY[command], "-o", str(target))
    assert out == ""
    assert target.read_text(encoding="utf-8") == printed
    told, _ = run(capsys, *EVERY[command], "--explain")
    assert re.search(r"\((DW|UP)-[A-Z]+-?\d*", told)
    run(capsys, *EVERY[command], "--explain", "-o", str(target))
    assert target.read_text(encoding="utf-8") == told


@pytest.mark.parametrize("command", ROLLED)
def test_charts(capsys: pytest.CaptureFixture[str], command: str, tmp_path: Path) -> None:
    for name, magic in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
        out, _ = run(capsys, *ROLLED[command], "--chart", str(tmp_path / name))
        assert out == run(capsys, *ROLLED[command])[0]
        assert (tmp_path / name).read_bytes().startswith(magic)
    _, err = run(capsys, *ROLLED[command], "--chart", str(tmp_path / "a.gif"), code=2)
    assert err == f"chart: {str(tmp_path / 'a.gif')!r} is not a picture (name it .png or .svg)\n"


def test_a_campaign_has_a_chart_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, *BATTLE, "garrison 1", "--chart", str(tmp_path / "a.svg"))
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "3 Younglings, Koloth against 2 enemies: clears all" in drawn
    assert "left in the end" in drawn


def test_plot_distributions_draws_bars_and_steps() -> None:
    laws = {"a": mh.Pmf.of([0.5, 0.5]), "b": mh.Pmf.of([0.25, 0.75])}
    apart = plot_distributions(laws, xlabel="damage", title="A title")
    assert [one.get_title(loc="left") for one in apart.get_figure().axes] == ["a", "b"]
    ax = plot_distributions(laws, xlabel="damage", title="A title", ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    assert (ax.get_xlabel(), ax.get_ylabel(), title_of(ax)) == (
        "damage",
        "chance of exactly that many",
        "A title",
    )
    heights = [bar.get_height() for bar in ax.patches]
    assert heights[:2] == [0.5, 0.5]
    assert heights[len(heights) // 2 :][:2] == [0.25, 0.75]
    (line,) = plot_distributions({"b": laws["b"]}, kind="at_least").lines
    assert list(line.get_ydata())[:2] == [1.0, 0.75]
    assert line.get_color() == COLOURS[0]
    assert plot_distributions(laws, ax=ax) is ax
    with pytest.raises(
        mh.BadInputError, match=r"plot_distributions: nothing to draw \(give at least one distribution\)"
    ):
        plot_distributions({})
    with pytest.raises(mh.UnknownNameError, match="plot_distributions: unknown kind 'pdf'"):
        plot_distributions(laws, kind="pdf")  # type: ignore[arg-type]


def test_a_pipe_gets_plain_text_and_stays_light() -> None:
    code = f"import sys; from mathhammer.cli import main; main({list(SHOT)!r}); main({list(BATTLE)!r}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert "\x1b" not in done.stdout
    assert not re.search(r"[│┃─━]", done.stdout)
    assert not set(done.stderr.split()) & {"numba", "pandas", "matplotlib", "scipy", "jinja2"}
    words = [sys.executable, "-m", "mathhammer", *SHOT]
    plain_text = subprocess.run(
        words,
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert plain_text.returncode == 0, plain_text.stderr


def test_the_commands_stand_after_chance() -> None:
    names = list(commands())
    assert names[names.index("chance") + 1 :][:7] == [
        "shoot",
        "round",
        "clash",
        "regiments",
        "quest",
        "battle",
        "recruit",
    ]


# --- messages -----------------------------------------------------------------------------------------------------------

FAR = ("--strength", "3", "--range", "long", "--at")
SWORDS = "Marienburg Swordsmen: stamina 6"
COLOUR_NAMES = "'black', 'blue', 'purple', 'red', 'white', 'yellow'"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["three", *FAR, "Orc Boyz"],
            "shoot: unknown disk 'three' (give a number of dice, or the name of a disk)",
        ),
        (
            ["Bolt Trower", *FAR, "Orc Boyz"],
            "shoot: unknown disk 'Bolt Trower' (did you mean 'Bolt Thrower'?)",
        ),
        (
            ["Steam Tank", *FAR, "Orc Boyz"],
            "ranged: Steam Tank has 0 known ranged profiles (give dice and strength instead)",
        ),
        (
            ["3", "--range", "long", "--at", "Orc Boyz"],
            "ranged: strength is missing (give it, or a shooter whose datasheet has it)",
        ),
        (
            ["3", "--strength", "x", *FAR[2:], "Orc Boyz"],
            "ranged: strength is 'x' (give a whole number or 'd6')",
        ),
        (["0", *FAR, "Orc Boyz"], "ranged: dice is 0 (give a whole number from 1 to 100)"),
        (["3", *FAR, "Orc Boys"], "shoot: unknown disk 'Orc Boys' (did you mean 'Orc Boyz'?)"),
        (
            ["3", *FAR, "Ulf Xq"],
            "shoot: unknown disk 'Ulf Xq' (give its figures: 'Ulf Xq: attack 5, counter 3, stamina 4')",
        ),
        (
            ["3", *FAR, "Arrer Boyz"],
            "shoot: the stamina of Arrer Boyz is not known (write 'Arrer Boyz: stamina 4')",
        ),
        (["3", *FAR, "Guard: attack 4"], "shoot: Guard has no stamina (write 'Guard: stamina 4')"),
        (
            ["3", *FAR, "Orc Boyz: stamna 4"],
            "shoot: Orc Boyz: cannot read 'stamna' (did you mean 'stamina'?)",
        ),
        (["3", *FAR, "Orc Boyz: stamina"], "shoot: Orc Boyz: stamina needs a number (write stamina 4)"),
        (["3", *FAR, "Orc Boyz: stamina 4, stamina 5"], "shoot: Orc Boyz: stamina is given twice (4 and 5)"),
        (
            ["3", *FAR, "Orc Boyz: resist magik"],
            "shoot: Orc Boyz: resist needs a kind of damage (did you mean 'magic'?)",
        ),
        (
            ["3", *FAR, ": stamina 4"],
            "shoot: ': stamina 4' names no disk (write something like 'Orc Boyz: attack 5, counter 3, stamina 4')",
        ),
        (
            ["3", *FAR, "Orc Boyz: damage 4"],
            "ranged: target: 4 damage on stamina 4 (that is a wound already: give less damage)",
        ),
        (
            ["3", *FAR, "Orc Boyz", "--neighbour", "Orc Boyz"],
            "ranged: the disks are ['Orc Boyz', 'Orc Boyz'] (give each an id of its own)",
        ),
        (
            ["3", *FAR, "Orc Boyz", "--dice-set", "lean"],
            "ranged: unknown dice set 'lean' (did you mean 'alt_lean'?)",
        ),
        (
            ["3", *FAR, "Orc Boyz", "--convert", "kaos=hit"],
            "ranged: convert: unknown symbol 'kaos' (did you mean 'chaos'?)",
        ),
        (
            ["3", *FAR, "Orc Boyz", "--convert", "chaos"],
            "shoot: --convert 'chaos' (write OLD=NEW, such as chaos=hit) (see mathhammer shoot --help)",
        ),
        (
            ["3", *FAR, "Orc Boyz", "--trials", "5"],
            "shoot: --trials goes with --method simulate (see mathhammer shoot --help)",
        ),
        (
            ["3", "--strength", "3", "--at", "Orc Boyz"],
            "shoot: Missing option '--range'. Choose from: short, medium, long, siege",
        ),
        (
            ["3", *FAR, "Orc Boyz", "-o", "/nowhere/x"],
            "/nowhere/x: cannot be written (give a file in a folder that exists)",
        ),
    ],
)
def test_shoot_messages(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    refused(capsys, ["shoot", *words], message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Orc Boyz"], "clash: 'Orc Boyz' pins no disk (write 'UPPER > LOWER')"),
        (
            ["Orc Boyz > "],
            "clash: '' names no disk (write something like 'Orc Boyz: attack 5, counter 3, stamina 4')",
        ),
        (
            ["Orc Boyz# > " + SWORDS],
            "clash: 'Orc Boyz#' names no disk (write something like 'Orc Boyz: attack 5, counter 3, stamina 4')",
        ),
        (["Orc Boys > " + SWORDS], "clash: unknown disk 'Orc Boys' (did you mean 'Orc Boyz'?)"),
        (
            ["Karl Franz > Orc Boyz"],
            "clash: the counter of Orc Boyz is not known (write 'Orc Boyz: counter 4')",
        ),
        (["Ulf: stamina 3 > " + SWORDS], "clash: Ulf has no attack (write 'Ulf: attack 4')"),
        (["Orc Boyz: owner > " + SWORDS], "clash: Orc Boyz: owner needs a name (write owner orcs)"),
        (
            [f"Orc Boyz > {SWORDS}", "Marienburg Swordsmen: stamina 5 > Ulf"],
            "clash: Marienburg Swordsmen: stamina is given twice (6 and 5)",
        ),
        (
            ["A > B > C", "A > C"],
            "clash: B and C cannot be enemies in this ring of pins (give every disk its owner)",
        ),
        (
            ["A: owner x > B: owner y > C: owner z > D"],
            "clash: 3 owners, and some disks have none (give every disk its owner)",
        ),
        (
            ["A: attack 1, counter 1, stamina 3 > B: attack 1, counter 1, stamina 3", "B > A"],
            "melee: impossible stack: B on A on B (a disk cannot lie above and below another)",
        ),
        (
            [f"Orc Boyz > {SWORDS}", "--strike", "Orc Boyz"],
            "clash: --strike 'Orc Boyz' (write 'DISK > VICTIM')",
        ),
        (
            [f"Orc Boyz > {SWORDS}", "--strike", "Orc Boyz > Teclis"],
            "clash: Orc Boyz and Teclis do not pin each other (strike a disk above or beneath)",
        ),
        (
            [
                "A: attack 1, stamina 1 > B: counter 1, stamina 1",
                "A > C: counter 1, stamina 1",
                "--strike",
                "A > B",
                "--strike",
                "A > C",
            ],
            "clash: A strikes B and C (choose one)",
        ),
        ([], "clash: Missing argument ''UPPER > LOWER'...'. (see mathhammer clash --help)"),
    ],
)
def test_clash_messages(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    refused(capsys, ["clash", *words], message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--goal", "3 skulls"],
            "quest: no dice (give a pool such as '2 red, blue', or --hero 'magic 1, cunning 3')",
        ),
        (["2 red"], "quest: Missing option '--goal'. (see mathhammer quest --help)"),
        (["2 red, pink", "--goal", "1 skull"], f"quest: unknown colour 'pink' (known: {COLOUR_NAMES})"),
        (
            ["2 red 3", "--goal", "1 skull"],
            "quest: cannot read '2 red 3' (write something like '2 red, blue, white')",
        ),
        (["", "--goal", "1 skull"], "quest: nothing in '' (write something like '2 red, blue, white')"),
        (["2 red", "--goal", "3 skuls"], "quest: --goal: unknown symbol 'skuls' (did you mean 'skull'?)"),
        (
            ["2 red", "--goal", "1 VP"],
            "quest: goal 1 asks for nothing (give skull, shield or bolt with a minimum)",
        ),
        (["2 red", "--goal", "1 skull", "--need", "2"], "quest: need is 2 (give a whole number from 1 to 1)"),
        (
            ["--hero", "magik 1", "--goal", "1 skull"],
            "quest: --hero: unknown attribute 'magik' (did you mean 'magic'?)",
        ),
        (
            ["--hero", "magic", "--goal", "1 skull"],
            "quest: --hero: magic needs a number (write something like 'magic 1, cunning 3')",
        ),
        (
            ["--hero", "cunning 2, yellow 3", "--goal", "1 skull"],
            "hero_dice: yellow is 3 (give a whole number from 0 to 2)",
        ),
        (
            ["2 red", "--goal", "1 skull", "--reroll", "some"],
            "quest: reroll is 'some' (give a whole number from 0 to 60)",
        ),
        (
            ["2 red", "--goal", "1 skull", "--dice-set", "x"],
            "quest: unknown dice set 'x' (known: 'alt', 'default')",
        ),
        (["99 red", "--goal", "1 skull"], "quest: red is 99 (give a whole number from 0 to 60)"),
    ],
)
def test_quest_messages(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    refused(capsys, ["quest", *words], message)


@pytest.mark.rule("UP-SKE-3", "UP-UNIT-1")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["3 Younglings"], "battle: Missing option '--vs'. (see mathhammer battle --help)"),
        (
            ["3 Yunglings", "--vs", "2 skeletons"],
            "battle: unknown unit or enemy 'yunglings' (did you mean 'Younglings'?)",
        ),
        (
            ["3 Younglings", "--vs", "Imperial Gard 3"],
            "battle: --vs: unknown unit or enemy 'imperial gard' (did you mean 'Imperial Guard'?)",
        ),
        (
            ["3 Younglings", "--vs", "Imperial Guard"],
            "battle: --vs: Imperial Guard needs its threat (write 'Imperial Guard 5')",
        ),
        (
            ["3 Younglings", "--vs", "Imperial Guard 9"],
            "battle: --vs: Imperial Guard with threat 9 (its card has 1 to 7)",
        ),
        (
            ["3 Younglings", "--vs", "Banished 6"],
            "battle: --vs: Banished with threat 6 (its card has 1 to 5)",
        ),
        (["3 Younglings", "--vs", "garrison"], "battle: --vs: garrison needs its level (write 'garrison 2')"),
        (
            ["3 Younglings", "--vs", "garrison 4"],
            "battle: garrison 4: level is 4 (give a whole number from 1 to 3)",
        ),
        (
            ["3 Younglings", "--vs", "3 skeletons"],
            "battle: 3 skeletons: 3 skeletons (give 1 or 2: three become a horde, a card, UP-SKE-3)",
        ),
        (
            ["3 Younglings", "--vs", "legion 3"],
            "battle: --vs: which legion? (write its name and threat, such as 'Imperial Guard 5'; mathhammer units legion lists them)",
        ),
        (
            ["3 Younglings", "--vs", "2 skeletons, tower"],
            "battle: --vs: 'tower' does not go with skeletons (known: 'reroll 2')",
        ),
        (
            ["3 Younglings", "--vs", "Executioner 3, target"],
            "battle: --vs: 'target' does not go with executioner (did you mean 'target marker'?)",
        ),
        (
            ["3 Younglings", "--vs", "Koloth"],
            "battle: both sides are player (give enemies: players, Empire and Chaos fight each other)",
        ),
        (
            ["Imperial Guard 3", "--vs", "Bloodwyrm 3", "--casualties", "Koloth"],
            "battle: Imperial Guard 3 takes no orders (--casualties and --god-power are for player units)",
        ),
        (
            ["3 Younglings", "--vs", "Bloodwyrm 3", "--casualties", "Trolls"],
            "battle: 3 Younglings: casualty_order names 'Trolls', which is not there (give names of its units)",
        ),
        (
            ["3 Younglings", "--vs", "Bloodwyrm 3", "--god-power", "2 bolts"],
            "battle: cannot read the god power '2 bolts' (write something like '2 skulls per round'; per round, per combat or per bolt)",
        ),
        (
            ["3 Younglings", "--vs", "Bloodwyrm 3", "--bonus", "red"],
            "battle: cannot read the bonus 'red' (write something like 'first clash: red')",
        ),
        (
            ["3 Younglings", "--vs", "Bloodwyrm 3", "--bonus", "clsh: red"],
            "battle: unknown time of a bonus 'clsh' (did you mean 'clash'?)",
        ),
        (
            ["3 Younglings", "--vs", "2 skeletons", "--horde", "1 skeleton"],
            "battle: --horde: 1 skeleton is not a horde (write something like 'Lich Queen 4')",
        ),
        (
            ["21 Younglings", "--vs", "Bloodwyrm 3"],
            "battle: 21 Younglings: unit 1: count is 21 (give a whole number from 0 to 20)",
        ),
        (
            ["tower", "--vs", "Bloodwyrm 3"],
            "battle: tower: 0 units (give 1 to 5, the most of a faction on a hex, UP-UNIT-1)",
        ),
        (
            ["3 Younglings", "--vs", "Bloodwyrm 3", "--terrain", "swamp"],
            "battle: Invalid value for '--terrain': 'swamp' is not one of",
        ),
        (
            ["3 Younglings", "--vs", "Bloodwyrm 3", "--dice-set", "lat"],
            "battle: unknown dice set 'lat' (did you mean 'alt'?)",
        ),
    ],
)
def test_battle_messages(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    refused(capsys, ["battle", *words], message)


def refused(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    out, err = run(capsys, *words, code=2)
    assert out == ""
    assert err.startswith(message)
    assert len(err.splitlines()) == 1


# --- datasheets of these games ------------------------------------------------------------------------------------------


def test_units_lists_disks_and_uprising(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "units")
    for key in ("aos1", "aos4", "diskwars", "uprising", "wh40k10"):
        assert re.search(rf"\b{key}\b", out)
    disks, _ = run(capsys, "units", "--system", "diskwars")
    assert len(disks.splitlines()) == 40
    assert re.search(r"^Bloodthirster +diskwars +chaos +1 +15$", disks, re.MULTILINE)
    hordes, _ = run(capsys, "units", "horde", "--system", "uprising")
    assert re.search(r"^Bloodwyrm +uprising +chaos horde +1 +-$", hordes, re.MULTILINE)
    assert "Imperial Guard" not in hordes
    assert re.search(
        r"^Younglings +uprising +Duerkhar +5 +-$", run(capsys, "units", "younglings")[0], re.MULTILINE
    )


@pytest.mark.parametrize("found", list(game_records()), ids=lambda found: found.name)
def test_every_record_can_be_shown(capsys: pytest.CaptureFixture[str], found: Any) -> None:
    out, _ = run(capsys, "show", found.name.upper(), "--system", found.system)
    assert out.startswith(f"{found.name} (")
    assert f"confidence {found.fields['confidence']}: " in out


@pytest.mark.rule("UP-UNIT-2")
def test_show_tells_what_is_known_and_what_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    boyz, _ = run(capsys, "show", "orc boyz")
    assert boyz.splitlines()[:3] == [
        "Orc Boyz (orc, Warhammer: Diskwars)",
        "attack 5, stamina 4",
        "not given: counter",
    ]
    assert "ranged: 3 dice, strength 3, physical, siege range" in run(capsys, "show", "Bolt Thrower")[0]
    assert (
        "basic archer, 3 in the box, costs 2 salt or 2 plunder\ndie: yellow (assumed, UP-UNIT-2)"
        in run(capsys, "show", "Spearsingers")[0]
    )
    guard, _ = run(capsys, "show", "Imperial Guard", "--system", "uprising")
    assert (
        "initiative 12, 5 VP when destroyed, god power 2 shields (once per round), with badlands also red in archery"
        in guard
    )
    assert re.search(r"^ +3 +2 white +red, blue, yellow, 2 white$", guard, re.MULTILINE)
    assert "it skips archery" in run(capsys, "show", "Oda the Fallen")[0]
    _, err = run(capsys, "show", "Orc Boys", "--system", "diskwars", code=2)
    assert err == "show: no unit 'Orc Boys' in diskwars (did you mean 'Orc Boyz'?)\n"
    _, err = run(capsys, "show", "Orc Boys", code=2)
    assert (
        err
        == "show: no unit 'Orc Boys' in aos1 or aos4 or diskwars or uprising or wh40k10 or wh40k11 (did you mean 'Orc Boyz'?)\n"
    )


def test_a_name_of_two_games_needs_its_system(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "aos4").mkdir()
    header = 'system = "aos4"\nfaction = "Mine"\nsource = "made up"\nchecked = 2026-11-16\n'
    (tmp_path / "aos4" / "mine.toml").write_text(
        header + '[[unit]]\nname = "Teclis"\nhealth = 5\n', encoding="utf-8"
    )
    _, err = run(capsys, "show", "Teclis", "--datasheets", str(tmp_path), code=2)
    assert err == "show: 'Teclis' is a unit of aos4 and diskwars (say which system)\n"
    assert "health 5" in run(capsys, "show", "Teclis", "--datasheets", str(tmp_path), "--system", "aos4")[0]


def test_disks_do_not_fight_with_weapons(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = run(capsys, "compare", "Orc Boyz", code=2)
    assert (
        err
        == "compare: Orc Boyz is a disk of Warhammer: Diskwars, which has no attack rolls (use mathhammer shoot, clash, round or regiments)\n"
    )
    _, err = run(capsys, "explain", "Bloodwyrm", "Clanrats", code=2)
    assert err.endswith(
        "a card of Uprising: Curse of the Last Emperor, which has no attack rolls (use mathhammer battle, recruit or quest)\n"
    )
    _, err = run(capsys, "quick", "3x", "--vs", "4+", "--system", "uprising", code=2)
    assert err.startswith("quick: Uprising: Curse of the Last Emperor has no one-line profiles")
    for call, where in (
        (lambda: mh.make_unit("diskwars", {"name": "Orc Boyz"}), "make_unit"),
        (lambda: mh.load_unit("Orc Boyz", "diskwars"), "load_unit"),
        (lambda: mh.fight(lone("diskwars"), lone("diskwars")), "fight"),
    ):
        with pytest.raises(mh.BadInputError) as refusal:
            call()
        sentence = f"{where}: Warhammer: Diskwars has no units with weapons (ask mathhammer.odds('diskwars', ...) one of: ranged, "
        assert str(refusal.value).startswith(sentence)


def lone(system: str) -> Unit:
    return Unit(system, "x", (ModelGroup("x", 1, (("toughness", 1),)),), "toughness")


# --- Age of Sigmar, 1st edition, in the commands of all games -----------------------------------------------------------


def test_aos1_compare_shows_who_flees(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("compare", "Liberators", "--system", "aos1", "--vs", "Clanrats")
    result = mh.fight(mh.load_unit("Liberators", "aos1"), mh.load_unit("Clanrats", "aos1"))
    fled = result.aftermath["fled"]
    out, _ = run(capsys, *words)
    assert out.splitlines()[2].split()[-3:] == ["Fled", "Gone", "Distribution"]
    assert f"{fled.mean():.2f} ± {fled.sd():.2f}" in out
    (row,) = json.loads(run(capsys, *words, "--format", "json")[0])["rows"]
    assert row["aftermath"] == {name: law.mean() for name, law in result.aftermath.items()}
    assert set(row["aftermath"]) == {"fled", "models_lost", "models_left", "gone"}
    assert "| Fled |" in run(capsys, *words, "--format", "md")[0]
    assert "Fled" not in run(capsys, "compare", "Liberators", "--system", "aos4", "--vs", "Clanrats")[0]
    (other,) = json.loads(run(capsys, "compare", "Liberators", "--vs", "Clanrats", "--format", "json")[0])[
        "rows"
    ]
    assert "fled" not in other["aftermath"]
    calm, _ = run(capsys, *words, "--option", "inspiring_presence=yes")
    assert "0.00 ± 0.00" in calm


def test_aos1_quick_and_explain(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "quick",
        "--system",
        "aos1",
        "5x2 4+ 3+ -1 D3 leader +1",
        "--vs",
        "4+ wounds 2 bravery 6 x10",
        "5+ ward 6+ x20 daemon",
        "-",
    )
    first, second, third = json.loads(run(capsys, *words, "--format", "json")[0])["rows"]
    assert first["funnel"]["attacks"] == pytest.approx(11)
    assert first["damage"] == pytest.approx(11 / 2 * 2 / 3 * 2 / 3 * 2)
    assert first["aftermath"]["fled"] > 0
    assert second["damage"] == pytest.approx(11 / 2 * 2 / 3 * 5 / 6 * 2 * 5 / 6)
    assert "fled" not in second["aftermath"]
    assert third["damage"] == pytest.approx(11 / 2 * 2 / 3 * 2)
    mixed, _ = run(capsys, *words)
    assert re.search(r" - +[^ ]+$", mixed.splitlines()[-1])  # no Bravery, nothing known about who flees
    told, _ = run(capsys, "explain", "Liberators", "Clanrats", "--system", "aos1")
    result = mh.fight(mh.load_unit("Liberators", "aos1"), mh.load_unit("Clanrats", "aos1"))
    means = {name: law.mean() for name, law in result.aftermath.items()}
    last = f"{means['fled']:.4g} fled, {means['models_lost']:.4g} models lost, {means['models_left']:.4g} models left, {means['gone']:.4g} gone"
    assert told.endswith(f"After the fight, on average: {last}\n")
    assert "fled" not in run(capsys, "explain", "Liberators", "Clanrats")[0]
    assert "bravery 6" in run(capsys, "show", "Liberators", "--system", "aos1")[0]


@pytest.mark.parametrize(
    ("weapon", "target", "message"),
    [
        (
            "5x2 4+",
            "4+",
            "quick: no wound in '5x2 4+' (write something like '5x2 4+ 3+ -1 D3 leader +1'; wound is the '3+')",
        ),
        (
            "5x2 4+ 3+ 1 lethal",
            "4+",
            "quick: '5x2 4+ 3+ 1 lethal': cannot read 'lethal' (",
        ),
        (
            "5x2 4+ 3+ 1",
            "4+ 7",
            "quick: cannot read '7' in '4+ 7' (write something like '4+ wounds 2 bravery 6 x10')",
        ),
        ("5x2 4+ 3+ 1", "4+ 5+", "quick: save is given twice (4 and 5)"),
    ],
)
def test_aos1_quick_messages(
    capsys: pytest.CaptureFixture[str], weapon: str, target: str, message: str
) -> None:
    refused(capsys, ["quick", "--system", "aos1", weapon, "--vs", target], message)


# --- questions of these games through chance ----------------------------------------------------------------------------


@pytest.mark.rule("DW-INI-2")
def test_chance_reads_lists_and_mappings(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "chance", "initiative", "[2, 0]", "--system", "diskwars")
    assert out.splitlines()[:3] == ["win:", "  1: 81.25%", "  2: 18.75%"]
    assert "(DW-INI-2)" in out
    pool, _ = run(capsys, "chance", "pool", '{"red": 2}', "--system", "uprising")
    assert "  (0, 0, 0): 0.1111" in pool
    found = json.loads(
        run(capsys, "chance", "pool", '{"red": 1}', "--system", "uprising", "--format", "json")[0]
    )
    assert found["answer"]["joint"]["1,0,1"] == pytest.approx(1 / 6)
    assert run(capsys, "chance", "unstable", "--system", "diskwars", "--faces", "alt_lean")[0].startswith(
        "backlash: 16.67%\ndice set: alt_lean\n"
    )
    target = '{"disk": "Orc Boyz"}'
    volley = ("chance", "ranged", "long", target, "--dice", "3", "--strength", "3", "--system", "diskwars")
    assert "    destroyed: 50.00%" in run(capsys, *volley)[0]
    assert json.loads(run(capsys, *volley, "--format", "json")[0])["answer"]["disks"][0]["p_destroyed"] == 0.5
    assert "fled: " in run(capsys, "chance", "battleshock", "12", "5", "6", "--system", "aos1")[0]
    for game in ("aos1", "diskwars", "uprising"):
        assert len(run(capsys, "chance", "--system", game)[0].splitlines()) > 10
    _, err = run(capsys, "chance", "pool", '{"red: 2}', "--system", "uprising", code=2)
    assert err == 'chance: \'{"red: 2}\' is not JSON (write something like [1, 0] or {"red": 2})\n'


# --- check ----------------------------------------------------------------------------------------------------------------


def checked(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    body: str,
    header: str = 'source = "s"\nchecked = 2026-11-16\n',
) -> str:
    path = folder / "mine.toml"
    path.write_text(header + body, encoding="utf-8")
    out, _ = run(capsys, "check", str(path), code=1)
    return out.replace(str(path), "mine")


@pytest.mark.parametrize("game", ["diskwars", "uprising"])
def test_shipped_records_have_no_fault(capsys: pytest.CaptureFixture[str], game: str) -> None:
    files = sorted(str(path) for path in (ROOT / "datasheets" / game).glob("*.toml"))
    out, err = run(capsys, "check", *files)
    assert (out, err) == ("", "2 files, 0 faults\n")


DISK = '[[disk]]\nname = "X"\nfaction = "order"\nconfidence = "low"\n'
UNIT = (
    '[[player_unit]]\nname = "X"\npeople = "Y"\nrank = "basic"\nclass = "rider"\nnumber = 2\ndie = "red"\n'
    'confidence = "low"\ndie_confidence = "low"\n'
)
CARD = '[[card]]\nname = "X"\nfaction = "chaos"\nconfidence = "low"\n'
SET = '[[set]]\nname = "X"\nsource = "s"\nconfidence = "low"\n'


@pytest.mark.parametrize(
    ("game", "body", "fault"),
    [
        ("diskwars", DISK + "stamna = 4\n", "mine:8, X: unknown field 'stamna' (did you mean 'stamina'?)"),
        ("diskwars", DISK + "stamina = 0\n", "mine:8, X: stamina 0 (give a whole number from 1 to 100)"),
        (
            "diskwars",
            DISK + 'size = "tiny"\n',
            "mine:8, X: size 'tiny' (known: 'large', 'medium', 'small')",
        ),
        (
            "diskwars",
            DISK + 'ranged = [{ range = "lnog" }]\n',
            "mine:8, X: ranged 1: range 'lnog' (did you mean 'long'?)",
        ),
        ("diskwars", DISK * 2, "mine:9, X: is in this file twice (give each record its own name)"),
        ("diskwars", "[disk]\n", "mine: disk must be a list of tables (write [[disk]])"),
        ("diskwars", '[[unit]]\nname = "X"\n', "mine: unknown field 'unit'"),
        (
            "diskwars",
            '[[command]]\nname = "X"\nstrategy = "bald"\n',
            "mine:6, X: strategy 'bald' (did you mean 'bold'?)",
        ),
        ("diskwars", '[[regiment]]\nname = "X"\nunits = [1]\n', "mine:6, X: units 1 (give a line of text)"),
        (
            "diskwars",
            SET + "faces = { hti = 1 }\n",
            "mine:8, X: faces: unknown field 'hti' (did you mean 'hit'?)",
        ),
        ("uprising", UNIT, "mine:4, X: cost is missing (what it may be paid with)"),
        (
            "uprising",
            UNIT + "cost = [{ slat = 1 }]\n",
            "mine:13, X: cost 1: unknown field 'slat' (did you mean 'salt'?)",
        ),
        (
            "uprising",
            CARD + 'rows = { 1 = "WB" }\n',
            "mine:8, X: rows: 1: 'WB' is not a row (write archery|clash, such as 'WB|PBR')",
        ),
        (
            "uprising",
            CARD + 'rows = { 2 = "W|B" }\n',
            "mine:4, X: table has no row 1 (give every row from 1 to 2)",
        ),
        (
            "uprising",
            '[[garrison]]\nname = "g"\nconfidence = "no"\n',
            "mine:6, g: confidence 'no' (known: 'high', 'low', 'medium')",
        ),
        (
            "uprising",
            SET + "faces = { pink = [] }\n",
            f"mine:8, X: faces: unknown field 'pink' (known: {COLOUR_NAMES})",
        ),
        (
            "uprising",
            "",
            "mine: holds no records (write [[player_unit]] or [[card]] or [[garrison]] or [[set]])",
        ),
    ],
)
def test_every_fault_of_a_record_has_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, body: str, fault: str
) -> None:
    out = checked(capsys, tmp_path, body, f'system = "{game}"\nsource = "s"\nchecked = 2026-11-16\n')
    assert out.splitlines()[0].startswith(fault)


def test_all_faults_of_all_records_are_shown_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shot = 'ranged = [\n  { dice = 0, range = "lnog" },\n  { strength = "2d6", dmage = 1 },\n]\n'
    body = DISK + 'stamina = 0\nswift = ["atack"]\n' + shot + '[[command]]\nname = "Y"\nactivations = 0\n'
    out = checked(capsys, tmp_path, body, 'system = "diskwars"\nsource = "s"\nchecked = 2026-11-16\n')
    assert out.splitlines() == [
        "mine:11, X: ranged 1: dice 0 (give a whole number from 1 to 100)",
        "mine:11, X: ranged 1: range 'lnog' (did you mean 'long'?)",
        "mine:12, X: ranged 2: unknown field 'dmage' (did you mean 'damage_type'?)",
        "mine:12, X: ranged 2: strength is '2d6' (give a whole number or 'd6')",
        "mine:8, X: stamina 0 (give a whole number from 1 to 100)",
        "mine:9, X: swift 'atack' (did you mean 'attack'?)",
        "mine:14, Y: strategy is missing (its strategy)",
        "mine:16, Y: activations 0 (give a whole number from 1 to 20)",
    ]
    rows = 'rows = { 1 = "W|X", 2 = "WB", 3 = "W|B" }\ngod_power = { effect = "skull", n = 99 }\nextra = 3\n'
    out = checked(capsys, tmp_path, CARD + rows, 'system = "uprising"\nsource = "s"\nchecked = 2026-11-16\n')
    assert [line.partition(" (")[0] for line in out.splitlines()] == [
        "mine:8, X: rows: 1: unknown clash letter 'X'",
        "mine:8, X: rows: 2: 'WB' is not a row",
        "mine:9, X: god_power: effect 'skull'",
        "mine:9, X: god_power: n 99",
        "mine:10, X: extra 3",
    ]


@pytest.mark.parametrize("game", ["diskwars", "uprising"])
def test_the_schema_holds_for_the_shipped_records(capsys: pytest.CaptureFixture[str], game: str) -> None:
    """Every field of every record is in the schema, with a value of its type."""
    schema = json.loads(run(capsys, "schema", game)[0])
    types = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}

    def fits(value: Any, wanted: dict[str, Any]) -> None:
        if "type" in wanted:
            assert isinstance(value, types[wanted["type"]])
        assert "enum" not in wanted or value in wanted["enum"]
        if isinstance(value, list) and "items" in wanted:
            for item in value:
                fits(item, wanted["items"])
        if isinstance(value, dict):
            assert set(wanted.get("required", [])) <= set(value)
            for key, item in value.items():
                known = wanted.get("properties", {})
                assert key in known or wanted["additionalProperties"] is not False
                fits(item, known.get(key, wanted["additionalProperties"]))

    for path in sorted((ROOT / "datasheets" / game).glob("*.toml")):
        fits(tomllib.loads(path.read_text(encoding="utf-8")), schema)


def test_a_record_file_should_say_its_source(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('system = "diskwars"\n' + DISK, encoding="utf-8")
    out, err = run(capsys, "check", str(path))
    assert out == ""
    assert err.splitlines() == [
        f"note: {path}: source is missing (where the figures come from)",
        f"note: {path}: checked is missing (the day they were looked up)",
        "1 file, 0 faults",
    ]
