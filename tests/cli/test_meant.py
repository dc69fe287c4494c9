"""The question that was meant: weapons, conditions, expressions and discovery, as players type them."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from places import ROOT

import mathhammer as mh
from mathhammer.cli import cli, main
from mathhammer.datasheets.checking import check_file, file_notes
from mathhammer.dice.sparkline import sparkline_scale
from mathhammer.plots.finishing import words_around


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def rows_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(run(capsys, *words, "--format", "csv")[0])))


def document(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(run(capsys, *words, "--format", "json")[0])


# --- weapons (B1, B2, W4) -----------------------------------------------------------------------------------------------


def test_the_better_kind_of_weapons_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    tank, squad = mh.load_unit("Leman Russ Battle Tank", "wh40k10"), "Intercessor Squad"
    result = mh.fight(tank, squad)
    assert (result.weapons, result.lost.mean()) == ("ranged", pytest.approx(3.8047265))
    assert mh.fight(tank, squad, weapons="melee").lost.mean() == pytest.approx(2 / 3)
    (row,) = rows_of(capsys, "compare", tank.name, "--vs", squad)
    assert (row["kind"], float(row["damage"])) == ("ranged", pytest.approx(3.8047265))
    table = mh.matrix("Astra Militarum", ["Marines", "Knight"])
    for found in table.itertuples():
        kinds = {
            weapon.kind for weapon in mh.load_unit(found.attacker, "wh40k10").weapons if not weapon.optional
        }
        lost = {
            kind: mh.fight(found.attacker, found.target, system="wh40k10", weapons=kind).lost.mean()
            for kind in kinds
        }
        assert found.lost == pytest.approx(max(lost.values()))
        assert lost[found.kind] == pytest.approx(found.lost)
    assert set(table["kind"]) == {"melee", "ranged"}


def test_each_target_gets_the_better_kind() -> None:
    """Against one target it shoots, against another it strikes; a chart and an optimiser agree with fight."""
    blade = {"name": "Blade", "attacks": 4, "hit": 3, "wound": 3, "damage": 1}
    gun = {
        "name": "Gun",
        "kind": "ranged",
        "range": 12,
        "attacks": 2,
        "hit": 3,
        "wound": 3,
        "rend": 3,
        "damage": 1,
    }
    unit = mh.make_unit("aos4", {"name": "Both", "health": 1, "weapon": [blade, gun]})
    soft = mh.make_unit("aos4", {"name": "Soft", "models": 9, "health": 1, "points": 90})
    hard = mh.make_unit("aos4", {"name": "Hard", "models": 9, "health": 1, "save": 2, "points": 90})
    assert [mh.fight(unit, target).weapons for target in (soft, hard)] == ["melee", "ranged"]
    assert mh.compare(unit, [soft, hard])["kind"].tolist() == ["melee", "ranged"]
    assert mh.matrix(unit, [soft, hard])["kind"].tolist() == ["melee", "ranged"]
    both = mh.compare(unit, soft, weapons="all")
    assert both["kind"].tolist() == ["melee", "ranged"]
    drawn = mh.plot_pmf(*(mh.fight(unit, soft, weapons=kind) for kind in ("melee", "ranged")))
    assert [line.get_label() for line in drawn.get_lines()] == ["Both (melee)", "Both (ranged)"]
    assert words_around(drawn, "conditions").endswith("1 model, melee and ranged apart")
    assert both["damage"].tolist() == [
        pytest.approx(mh.fight(unit, soft, weapons=kind).damage.mean()) for kind in ("melee", "ranged")
    ]
    with pytest.raises(mh.BadInputError, match="'all' is a row for each kind"):
        mh.fight(unit, soft, weapons="all")


def test_both_kinds_are_refused_where_a_unit_has_one_mark(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("efficiency", "curve"):
        _, err = run(capsys, "chart", kind, "Castigators", "--vs", "Clanrats", "--weapons", "all", code=2)
        assert err == f"chart: {kind} shows one kind of weapons (choose best, melee or ranged)\n"


def test_buffs_are_for_the_units_of_a_faction_too(capsys: pytest.CaptureFixture[str]) -> None:
    plain, better = (
        {row["attacker"].partition(":")[0]: float(row["damage"]) for row in rows_of(capsys, "matrix", *words)}
        for words in (["Skaven", "--vs", "Monster"], ["Skaven", "--vs", "Monster", "--buff", "+1 attack"])
    )
    assert plain.keys() == better.keys()
    same = [name for name in plain if better[name] == pytest.approx(plain[name])]
    assert same == ["Hell Pit Abomination"]  # its weapon is a Companion, which no buff of the unit reaches
    assert all(better[name] > plain[name] for name in plain if name not in same)


def test_a_command_for_shooting_leaves_only_shooting() -> None:
    """Covering Fire refuses melee: the other kind is taken, and where there is none the refusal stands."""
    assert mh.fight("Castigators", "Clanrats", commands="covering fire").weapons == "ranged"
    with pytest.raises(mh.BadInputError, match="covering_fire is a command to shoot"):
        mh.fight("Liberators", "Clanrats", commands="covering fire")


@pytest.mark.parametrize("command", ["compare", "matrix"])
def test_a_unit_without_such_a_weapon_is_a_row_of_dashes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = run(capsys, command, "Castigators", "Liberators", "--vs", "Clanrats", "--weapons", "ranged")
    rows = [line for line in out.splitlines() if "Liberators" in line]
    assert len(rows) == 1
    assert set(rows[0].replace("Clanrats", "").replace("Liberators", "").split()) == {"-"}
    assert re.search(r"Castigators +ranged +4\.6", out)
    assert "Liberators" in err
    assert len(err.splitlines()) == 1
    table = mh.compare(["Castigators", "Liberators"], "Clanrats", weapons="ranged")
    assert table["damage"].isna().tolist() == [False, True]
    assert mh.matrix("Skaven", "Clanrats", weapons="ranged")["damage"].notna().sum() == 8


# --- conditions (B13, W9) -----------------------------------------------------------------------------------------------

HOW = [
    "--models",
    "10",
    "--situation",
    "charged",
    "--command",
    "All-out Attack",
    "--target-with",
    "Stormvermin",
]
LINE = (
    "Age of Sigmar 4 · exact · 10 models, melee, charged, All-out Attack · target in cover, with Stormvermin"
)


def test_every_answer_says_its_conditions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["Liberators", "--vs", "Clanrats", *HOW, "--situation", "target in cover"]
    out, _ = run(capsys, "compare", *words)
    assert out.splitlines()[0] == LINE
    found = document(capsys, "compare", *words)
    assert found["conditions"]["text"] == LINE
    assert found["conditions"]["commands"] == ["all_out_attack"]
    assert found["asked"]["attackers"] == ["10 Liberators"]
    assert found["asked"]["situation"] == ["charged", "target in cover"]
    assert rows_of(capsys, "compare", *words)[0]["conditions"] == LINE
    assert run(capsys, "compare", *words, "--format", "md")[0].splitlines()[0] == LINE
    assert run(capsys, "matrix", *[word for word in words if word not in ("--models", "10")])[0].splitlines()[
        0
    ] == (LINE.replace("10 models", "5 models"))
    for command in ("value", "explain"):
        targets = ["Clanrats"] if command == "explain" else ["--vs", "Clanrats"]
        assert LINE in run(capsys, command, "Liberators", *targets, *words[3:])[0]
    picture = tmp_path / "slain.svg"
    run(capsys, "chart", "at_least", *words, "-o", str(picture), "--alt")
    assert f"Conditions: {LINE}." in Path(f"{picture}.txt").read_text(encoding="utf-8")
    drawn = mh.plot_pmf(mh.fight("10 Liberators: charged", "Clanrats"))
    assert words_around(drawn, "conditions") == "Age of Sigmar 4 · exact · 10 models, melee, charged"


def test_a_json_answer_can_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["Liberators: +1 to wound", "--vs", "40 Clanrats: in cover", "--command", "all_out_attack"]
    found = document(capsys, "compare", *words)
    asked = found["asked"]
    again = mh.compare(
        asked["attackers"], asked["targets"], system=found["system"], commands=asked["commands"]
    )
    assert again["damage"].tolist() == pytest.approx([row["damage"] for row in found["rows"]])
    assert found["mathhammer"] == mh.__version__


def test_options_and_simulations_are_conditions() -> None:
    played = mh.fight(
        "Liberators", "Clanrats", method="simulate", trials=2000, seed=3, options={"spearhead": True}, round=2
    )
    assert str(played.conditions) == (
        "Age of Sigmar 4 · simulated, 2,000 trials, seed 3 · 5 models, melee, round 2 · spearhead True"
    )


def test_rules_that_are_not_modelled_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    rule = "Clanrats: slain models return at the end of the enemy's turns too"
    rules = [rule, "Clanrats: Seething Swarm (counts in duels only)"]
    result = mh.fight("Liberators", "Clanrats")
    assert list(result.not_counted) == rules
    out, _ = run(capsys, "compare", "Liberators", "--vs", "Clanrats")
    assert out.splitlines()[1] == f"not counted: {'; '.join(rules)}"
    assert f"not counted: {rule}" in run(capsys, "explain", "Liberators", "Clanrats")[0]
    assert rule.partition(": ")[2] in run(capsys, "show", "Clanrats")[0]
    assert document(capsys, "compare", "Liberators", "--vs", "Clanrats")["not_counted"] == rules
    assert mh.compare("Liberators", "Clanrats").attrs["not_counted"] == rules
    noted = {
        system: sum(bool(unit.get("not_covered") or unit.get("effect")) for unit in sheet_fields(system))
        for system in ("aos4", "wh40k10", "aos1")
    }
    assert all(number >= least for number, least in zip(noted.values(), (67, 48, 18), strict=True)), noted
    for path in (ROOT / "datasheets").rglob("*.toml"):
        assert "# not covered" not in path.read_text(encoding="utf-8"), path


def sheet_fields(system: str) -> list[Any]:
    from mathhammer.datasheets.library import sheets

    return [sheet.fields for sheet in sheets(system)]


# --- expressions --------------------------------------------------------------------------------------------------------


def test_sizes_and_buffs_on_both_sides_in_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Annoying A: sizes of attackers and targets, with and without a buff, modifiers typed ad hoc."""
    rows = rows_of(
        capsys, "compare", "Liberators", "10 Liberators: all-out attack", "Liberators (reinforced)", "--vs",
        "Clanrats x40", "Clanrats: ward 5+",
    )  # fmt: skip
    assert [row["attacker"] for row in rows[:3]] == [
        "Liberators",
        "10 Liberators: All-out Attack",
        "10 Liberators",
    ]
    assert [row["target"] for row in rows[::3]] == ["40 Clanrats", "Clanrats: ward 5+"]
    assert [row["target_models"] for row in rows[::3]] == ["40", "20"]
    libs, rats = mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4")
    plain = mh.fight(libs.with_models(10), rats.with_models(40), commands=["all_out_attack"])
    assert float(rows[1]["damage"]) == pytest.approx(plain.damage.mean())
    warded = mh.fight(libs, rats, effects={"ward": 5, "on": "target"})
    assert float(rows[3]["damage"]) == pytest.approx(warded.damage.mean())


def test_buffs_for_all_rows_and_sets_of_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_buffs.toml").write_text(
        '[buffs]\n"Blessed blades" = ["+1 to hit", "reroll wound rolls of 1"]\n', encoding="utf-8"
    )
    both = rows_of(
        capsys, "compare", "Liberators", "--vs", "Clanrats", "--buff", "+1 to hit, reroll wound rolls of 1"
    )
    named = rows_of(capsys, "compare", "Liberators", "--vs", "Clanrats", "--buff", "blessed blades")
    wanted = mh.fight(
        "Liberators", "Clanrats", effects=[{"hit_roll": 1}, {"reroll_wound": "ones"}]
    ).damage.mean()
    assert [float(rows[0]["damage"]) for rows in (both, named)] == [pytest.approx(wanted)] * 2
    assert named[0]["attacker"] == "Liberators: blessed blades"
    (tmp_path / "my_buffs.toml").write_text('[buffs]\nbad = "x"\n', encoding="utf-8")
    _, err = run(capsys, "compare", "Liberators: fnord", "--vs", "Clanrats", code=2)
    assert err == "my_buffs.toml, bad: 'x' (give a list of buffs, such as [\"+1 to hit\"])\n"


def test_situations_may_be_repeated_and_spelled_as_people_do(capsys: pytest.CaptureFixture[str]) -> None:
    """B7, and annoying A: only the last --situation counted, 'All-out Attack' was refused."""
    words = ["compare", "Clawlord on Gnaw-beast", "--vs", "Clanrats"]
    ways = (["--situation", "damaged", "--situation", "charged"], ["--situation", "Charged, damaged"])
    for way in ways:
        assert float(rows_of(capsys, *words, *way)[0]["damage"]) == pytest.approx(20 / 3)
    for spelled in ("All-out Attack", "all out attack", "all_out_attack", "ALL-OUT ATTACK"):
        assert "All-out Attack" in run(capsys, *words, "--command", spelled)[0].splitlines()[0]
    _, err = run(capsys, *words, "--situation", "all-out attack", code=2)
    assert err == (
        "fight: 'all-out attack' is a command, not a situation (give it as a command: all_out_attack)\n"
    )


def test_words_that_change_nothing_are_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = run(
        capsys, "compare", "Liberators", "--vs", "Clanrats: -1 to hit", "--with", "Clanrats", "--with",
        "Lord-Terminos", "--command", "all_out_defence", "--weapons", "melee", "--situation", "half_range",
    )  # fmt: skip
    assert err.splitlines() == [
        "half range: changes nothing here",
        "Clanrats: gives Liberators nothing here",
        "Lord-Terminos: gives Liberators nothing here",
        "Clanrats, -1 to hit: changes nothing here (-1 to be hit is for attacks against a unit)",
    ]
    out, err = run(capsys, "compare", "Liberators", "--vs", "Clanrats", "--command", "all_out_defence")
    assert out.splitlines()[0].endswith("· target All-out Defence")  # whose command it is
    assert err == ""
    assert "7 models, where its smallest size is 5" in run(capsys, "compare", "7 Liberators")[1]


# --- tables -------------------------------------------------------------------------------------------------------------


def test_rows_of_a_target_stand_together_with_the_best_marked(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "compare", "Liberators", "Rat Ogors", "--vs", "Clanrats", "Elite infantry")
    body = [line for line in out.splitlines() if re.match(r"Clanrats|Elite infantry +[LR]", line)]
    assert [re.split(r"  +", line)[0] for line in body] == ["Clanrats"] * 2 + ["Elite infantry"] * 2
    assert ["*" in line for line in body] == [False, True, True, False]
    assert "Damage 10/50/90 %" in out  # the heading says what it is of
    assert "Elite infantry: 3 models, health 3, save 2+, INFANTRY" in out.splitlines()


def test_distributions_of_a_target_share_one_scale(capsys: pytest.CaptureFixture[str]) -> None:
    """Annoying A: the narrower distribution must not look wider."""
    one, other = mh.fight("Liberators", "Clanrats").damage, mh.fight("Rat Ogors", "Clanrats").damage
    scale = sparkline_scale([one, other])
    assert scale.each * scale.cells > other.quantile(0.999)
    out, _ = run(capsys, "compare", "Liberators", "Rat Ogors", "--vs", "Clanrats")
    drawings = [
        re.search(r"[▁-█ ]+$|[_.:=+*# -]+$", line)
        for line in out.splitlines()
        if line.startswith("Clanrats ")
    ]
    narrow, wide = (len(drawing[0].rstrip()) for drawing in drawings if drawing)
    assert narrow < wide


def test_per_100_points_scales_the_whole_row(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "compare", "Rat Ogors", "--vs", "Clanrats", "--per-100-points")
    head, row = (line for line in out.splitlines() if line.startswith(("Target", "Clanrats ")))
    assert "Destroyed" not in head
    assert "Distribution" not in head
    assert head.count("per 100 pts") == 3
    result = mh.fight("Rat Ogors", "Clanrats").damage
    assert "/".join(f"{result.quantile(share) / 1.4:.1f}" for share in (0.1, 0.5, 0.9)) in row
    assert f"{result.mean() / 1.4:.2f} ± {result.sd() / 1.4:.2f}" in row


def test_small_chances_and_errors_read_well(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "compare", "Castigators", "--vs", "Clanrats")
    assert 0 < mh.fight("Castigators", "Clanrats").p_destroyed < 0.0005
    assert " <0.1% " in out
    out, _ = run(
        capsys, "compare", "Liberators", "--vs", "Clanrats", "--method", "simulate", "--trials", "2000"
    )
    assert re.search(r"\d ± \d\.\d\d \(se 0\.0\d+\)", out)


# --- discovery ----------------------------------------------------------------------------------------------------------


def test_the_program_alone_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    """B4, and 'help' of polish."""
    for words, name in (([], "mathhammer"), (["list"], "mathhammer list"), (["new"], "mathhammer new")):
        out, err = run(capsys, *words)
        assert out.startswith(f"Usage: {name} ")
        assert len(out.splitlines()) > 5
        assert err == ""
    assert run(capsys, "help", "compare")[0] == run(capsys, "compare", "--help")[0]
    assert run(capsys, "help", "list", "report")[0] == run(capsys, "list", "report", "--help")[0]
    _, err = run(capsys, "help", "comapre", code=2)
    assert err == "help: unknown command 'comapre' (did you mean 'compare'?)\n"
    out, _ = run(capsys, "chance", "charge", "--help")
    assert "--reroll-dice  (default: all)" in out


def test_situations_and_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "situations", "aos4")
    assert re.search(r"target in cover +target +the target is behind", out)
    listed = {row["key"]: row["of"] for row in rows_of(capsys, "commands", "wh40k10")}
    assert (listed["go_to_ground"], listed["epic_challenge"]) == ("target", "attacker")
    assert {row["system"] for row in rows_of(capsys, "situations")} == {
        "aos1",
        "aos4",
        "wh40k10",
        "wh40k11",
    }


@pytest.mark.parametrize("system", ["aos4", "aos1", "wh40k10"])
def test_a_new_unit_is_right_as_it_stands(
    system: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / system).mkdir()
    path = tmp_path / system / "mine.toml"
    run(capsys, "new", "unit", system, "-o", str(path))
    assert check_file(path) == []
    assert file_notes(path) == []
    out, _ = run(capsys, "compare", "My unit", "--datasheets", str(tmp_path))
    assert "My unit" in out
    used = re.sub(
        r"^(\s*)# (?=(?!range)[a-z_]+ = |\[\[)", r"\1", path.read_text(encoding="utf-8"), flags=re.M
    )
    path.write_text(used, encoding="utf-8")
    assert list(map(str, check_file(path))) == []  # every field that it explains is one


@pytest.mark.parametrize(
    ("words", "typed", "wanted"),
    [
        (["compare"], "libe", "Liberators"),
        (["compare", "Liberators", "--vs"], "Clan", "Clanrats"),
        (["matrix"], "Skav", "Skaven"),
        (["optimise"], "Fyre", "Fyreslayers"),
        (["compare", "Liberators", "--situation"], "target_in", "target_in_cover"),
        (["compare", "Liberators", "--command"], "all_out_d", "all_out_defence"),
        (["compare", "Liberators", "--weapons"], "Grand", "Grandhammer"),
        (["compare", "Liberators", "--weapons"], "b", "best"),
        (["compare", "Liberators", "--with"], "Lord-T", "Lord-Terminos"),
        (["chart"], "at_l", "at_least"),
        (["conformance"], "wh40k-dev", "WH40K-DEVW"),
        (["duel"], "Rat O", "Rat Ogors"),
        (["show"], "Rat O", "Rat Ogors"),
        (["list", "report", "x", "--situation"], "cha", "charged"),
    ],
)
def test_shells_complete_names(words: list[str], typed: str, wanted: str) -> None:
    complete = ShellComplete(cli, {}, "mathhammer", "_MATHHAMMER_COMPLETE")
    assert wanted in [item.value for item in complete.get_completions(words, typed)]


def test_shells_complete_files() -> None:
    complete = ShellComplete(cli, {}, "mathhammer", "_MATHHAMMER_COMPLETE")
    for words in (["list", "show"], ["report"], ["check"], ["post"]):
        assert [item.type for item in complete.get_completions(words, "x")] == ["file"]


def test_a_faction_is_of_the_current_edition(capsys: pytest.CaptureFixture[str]) -> None:
    """B10."""
    out, _ = run(capsys, "matrix", "Skaven", "--vs", "Hero")
    assert out.startswith("Age of Sigmar 4 · exact")
    out, err = run(capsys, "optimise", "Skaven", "--limit", "1000")
    assert out.startswith(
        "Age of Sigmar 4 · exact · the better of melee and ranged · 1000 points, at most 3 of a unit"
    )
    assert all(int(number) <= 3 for number in re.findall(r"(\d+)x ", out))
    assert "%" not in err  # equal weights are not spelled out
    _, err = run(capsys, "optimise", "Skaven", "Ironjawz", "--limit", "1000", code=2)
    assert err.startswith(
        "optimise: Skaven and Ironjawz are several factions (a list has one; --mixed allows more)"
    )
    for command in ("matrix", "units"):
        _, err = run(capsys, command, "Skavne", code=2)
        assert "(did you mean 'Skaven'?)" in err


def test_datasheets_of_ones_own_may_be_one_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "aos4").mkdir()
    path = tmp_path / "aos4" / "mine.toml"
    run(capsys, "new", "unit", "aos4", "-o", str(path))
    assert "My unit" in run(capsys, "compare", "My unit", "--vs", "Clanrats", "--datasheets", str(path))[0]
    _, err = run(capsys, "compare", "My unit", "--datasheets", str(path.parent), code=2)
    assert err == f"datasheets: {path.parent} is the folder of one game (give the one above it: {tmp_path})\n"
    for line in ("source", "checked"):
        path.write_text(
            re.sub(f"^{line} = .*\n", "", path.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8"
        )
    _, err = run(capsys, "check", str(path))
    assert [line.partition(":")[0] for line in err.splitlines()] == ["note", "note", "1 file, 0 faults"]
    for shipped in (ROOT / "datasheets").glob("*/*.toml"):
        assert file_notes(shipped) == []


def test_value_names_a_thing_once_and_gives_the_mean(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "value", "Liberators", "--vs", "Clanrats")
    assert "+1 to hit, All-out Attack, Hit one better" in out
    assert sum("All-out Attack" in line for line in out.splitlines()) == 1
    mean, _ = run(capsys, "value", "Liberators")
    assert len(mean.splitlines()) < 30
    assert "8 on average" in mean
    assert "Liberators (itself)" in mean
    rows = mh.value("Liberators")
    hits = rows[(rows.help == "+1 to hit") & (rows.side == "attack")]["change"]
    shown = re.search(r"^\+1 to hit.*8 on average +melee +[\d.]+ +\+([\d.]+)", mean, re.M)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(hits.sum() / 8, abs=0.005)
    found = rows_of(capsys, "value", "Liberators", "--vs", "Clanrats")
    assert "+1 Damage" in [row["help"] for row in found]  # without an apostrophe


def test_advice_says_what_its_numbers_and_words_are(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "duel", "Liberators", "Rat Ogors", "--rounds", "1", "--advise")
    assert out.splitlines()[0].startswith(
        "Age of Sigmar 4 · exact · 5 against 3 models, begun in combat, 1 round, a first"
    )
    assert "Win minus lose" in out
    assert "All-out Attack, round 1, a's turn, fighting" in out
    assert "Use the best of these with --command a:" in out


def test_expressions_in_a_duel(capsys: pytest.CaptureFixture[str]) -> None:
    words = document(capsys, "duel", "10 Liberators: all-out attack, charged", "Rat Ogors: all-out defence")
    plain = mh.duel(
        mh.load_unit("Liberators", "aos4").with_models(10), "Rat Ogors", situation="charged",
        commands={"a": "all_out_attack", "b": "all_out_defence"},
    )  # fmt: skip
    assert words["answer"]["p_win"] == pytest.approx(plain.p_win)
    again = document(capsys, "duel", "10 Liberators", "Rat Ogors", "--command", "a:All-out Attack", "--command",
                     "b:all out defence", "--situation", "Charged")  # fmt: skip
    assert again["answer"]["p_win"] == pytest.approx(plain.p_win)
    assert "a charged, All-out Attack · b All-out Defence" in words["conditions"]["text"]
    covered = mh.duel("Liberators", "Clanrats: in cover, +1 to hit", rounds=1)
    wanted = mh.duel(
        "Liberators", mh.unit("Clanrats: +1 to hit"), situation={"a": "target_in_cover"}, rounds=1
    )
    assert covered.p_lose == pytest.approx(wanted.p_lose)
    assert covered.models[1].mean() == pytest.approx(wanted.models[1].mean())
