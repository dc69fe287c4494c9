"""`mathhammer chart` and `mathhammer post`: pictures from units, files written whole, messages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT
from roster_files import ROSTERS, SHEETS

import mathhammer as mh
from mathhammer import plots
from mathhammer.cli import main
from mathhammer.compare.varying import varied
from mathhammer.plots import post as posts
from mathhammer.plots.asking import Chart
from mathhammer.plots.chart import draw_chart
from mathhammer.plots.kinds import CHART_KINDS

LIBERATORS, OGORS, RATS = (mh.load_unit(name, "aos4") for name in ("Liberators", "Rat Ogors", "Clanrats"))
SQUAD = mh.load_unit("Intercessor Squad", "wh40k10")


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


# --- charts from units --------------------------------------------------------------------------------------------------


def test_the_help_names_every_kind_and_loads_no_matplotlib() -> None:
    code = "import sys; from mathhammer.cli import main; main(['chart', '--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for kind in CHART_KINDS:
        assert re.search(rf"^ +{kind} ", done.stdout, re.MULTILINE)
    assert not set(done.stderr.split()) & {"matplotlib", "numba", "pandas", "scipy"}


def test_every_name_of_plots_is_there() -> None:
    assert sorted(plots.HOMES) == sorted(plots.__all__) == dir(plots)
    assert all(getattr(plots, name) is not None for name in plots.__all__)
    with pytest.raises(AttributeError, match=r"module 'mathhammer.plots' has no attribute 'plot_violin'"):
        plots.plot_violin  # noqa: B018


@pytest.mark.parametrize(
    "kind", [kind for kind in CHART_KINDS if kind not in ("duel", "armies", "curve", "before_after")]
)
def test_every_kind_from_units(kind: str) -> None:
    ax = draw_chart(Chart(kind, (LIBERATORS, OGORS), (RATS,), theme="dark"))
    assert ax.get_facecolor()[:3] == pytest.approx((0x14 / 255, 0x18 / 255, 0x1F / 255))
    assert ax.get_label()


def test_numbers_are_those_of_fight() -> None:
    line = draw_chart(
        Chart("at_least", (LIBERATORS,), (RATS,), fight_options={"situation": "charged"})
    ).get_lines()[0]
    assert line.get_ydata()[7] == mh.fight(LIBERATORS, RATS, situation="charged").slain.at_least(7)
    dots = draw_chart(Chart("efficiency", (LIBERATORS, OGORS), (RATS,))).collections[0].get_offsets()
    assert dots.tolist() == [
        [90.0, mh.fight(LIBERATORS, RATS).damage.mean()],
        [140.0, mh.fight(OGORS, RATS).damage.mean()],
    ]


def test_a_curve_changes_one_characteristic() -> None:
    heights = draw_chart(Chart("curve", (LIBERATORS,), (RATS,))).get_lines()[0].get_ydata()
    assert heights[3] == mh.fight(LIBERATORS, RATS).damage.mean()  # Clanrats save on 5+
    assert list(heights) == sorted(heights)
    guard = mh.load_unit("Custodian Guard", "wh40k10")
    tough = draw_chart(
        Chart("curve", (SQUAD,), (guard,), against="toughness", fight_options={"weapons": "ranged"})
    ).get_lines()[0]
    assert (
        tough.get_ydata()[list(tough.get_xdata()).index(6)]
        == mh.fight(SQUAD, guard, weapons="ranged").lost.mean()
    )
    assert varied(guard, "save", None).groups[0].stat("save", 7) == 7


def test_a_duel_is_that_of_duel() -> None:
    from mathhammer.duel import duel

    bars = draw_chart(Chart("duel", (LIBERATORS,), (OGORS,), rounds=2)).patches
    fought = duel(LIBERATORS, OGORS, rounds=2)
    assert [bar.get_height() for bar in bars[:2]] == [point.p_win for point in fought.by_round]


@pytest.mark.parametrize("kind", ["curve", "efficiency", "before_after"])
def test_a_unit_without_such_a_weapon_is_named_and_not_drawn_as_nothing(kind: str) -> None:
    archers = mh.load_unit("Castigators", "aos4")
    how = {"weapons": "ranged"} | ({"commands": ("all_out_attack",)} if kind == "before_after" else {})
    words = plots.alt_text(draw_chart(Chart(kind, (LIBERATORS, archers), (RATS,), fight_options=how)))
    assert "Liberators: no such weapon, so there is nothing to compare" in words
    assert "Castigators: " in words
    assert words.count("Liberators: ") == 1


def test_what_may_not_attack_is_said_on_a_break_even_chart() -> None:
    archers = mh.load_unit("Castigators", "aos4")
    far = {"weapons": "ranged", "distance": 20}
    ax = draw_chart(Chart("breakeven", (archers, archers.with_models(6)), (RATS,), fight_options=far))
    assert "does not attack Clanrats, 20 inches away" in plots.alt_text(ax)


@pytest.mark.parametrize(
    ("chart", "message"),
    [
        (Chart("pie", (LIBERATORS,)), "chart: unknown kind 'pie' (known: "),
        (Chart("bands", ()), "chart: nobody attacks (give at least one unit)"),
        (
            Chart("at_least", (LIBERATORS,) * 9),
            "chart: 72 distributions in one at_least chart (at most 8 units against 12 targets; bands or ridge take more, heatmap takes any number)",
        ),
        (
            Chart("pmf", (LIBERATORS,) * 2),
            "chart: 16 distributions in one pmf chart (at most 12; bands or ridge take more, heatmap takes any number)",
        ),
        (
            Chart("bands", (LIBERATORS,), (RATS,), of="slian"),
            "chart: unknown quantity 'slian' (did you mean 'slain'?)",
        ),
        (Chart("curve", (LIBERATORS,)), "chart: 0 targets for a curve (give the one whose save changes)"),
        (
            Chart("curve", (LIBERATORS,), (RATS,), against="toughness"),
            "Clanrats: unknown characteristic 'toughness' (known: 'save', 'ward')",
        ),
        (
            Chart("curve", (LIBERATORS,), (RATS,), against="svae"),
            "chart: unknown characteristic 'svae' (did you mean 'save'?)",
        ),
        (Chart("curve", (LIBERATORS,) * 9, (RATS,)), "chart: 9 curves in one chart (at most 8)"),
        (
            Chart("heatmap", (LIBERATORS,), fight_options={"method": "simulate"}),
            "chart: heatmap is always exact (drop the simulation)",
        ),
        *(
            (
                Chart(kind, units, (RATS,), fight_options={"weapons": "ranged", **more}),
                "chart: no attacker has such a weapon (choose another kind)",
            )
            for kind, units, more in (
                ("at_least", (LIBERATORS,), {}),
                ("curve", (LIBERATORS,), {}),
                ("efficiency", (LIBERATORS,), {}),
                ("before_after", (LIBERATORS,), {"commands": ("all_out_attack",)}),
                ("breakeven", (LIBERATORS, RATS), {}),
            )
        ),
        (Chart("duel", (LIBERATORS,)), "chart: 1 units against 0 (a duel needs one against one)"),
        (Chart("armies", (LIBERATORS,)), "chart: armies needs two lists (give two list files)"),
        (
            Chart("efficiency", (mh.load_unit("Protectors", "aos1"),)),
            "chart: Protectors has no points (an efficiency chart needs them)",
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, Chart) else "",
)
def test_messages(chart: Chart, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        draw_chart(chart)
    assert str(caught.value).startswith(message)


# --- the command --------------------------------------------------------------------------------------------------------


def test_a_picture_with_its_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "slain.png"
    out, err = run(
        capsys,
        "chart",
        "at_least",
        "Liberators",
        "Rat Ogors",
        "--vs",
        "Clanrats",
        "-o",
        str(path),
        "--alt",
        "--dark",
    )
    assert (out, err) == ("", "")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "Rat Ogors: 8.33 models slain on average" in (tmp_path / "slain.png.txt").read_text(
        encoding="utf-8"
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["slain.png", "slain.png.txt"]
    svg, _ = run(capsys, "chart", "pmf", "Liberators", "--vs", "Clanrats", "--title", "Mine <3")
    assert svg.startswith("<?xml")
    assert "Mine &lt;3" in svg


def test_two_lists(capsys: pytest.CaptureFixture[str]) -> None:
    lists = (str(ROSTERS / "kilns.ros"), str(ROSTERS / "army.toml"))
    svg, _ = run(capsys, "chart", "armies", *lists, "--datasheets", str(SHEETS))
    assert "Night kilns against By hand" in svg
    _, err = run(capsys, "chart", "armies", lists[0], code=2)
    assert err == "chart: 1 lists for armies (give two list files)\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("heatmpa", "Liberators"), "chart: unknown kind 'heatmpa' (did you mean 'heatmap'?)"),
        (("pmf", "Librators"), "chart: no unit 'Librators'"),
        (("pmf", "Liberators", "--alt"), "chart: --alt writes beside a file (name one with -o)"),
        (
            ("pmf", "Liberators", "--vs", "Clanrats", "-o", "x.gif"),
            "chart: 'x.gif' is not a picture (name it .png or .svg)",
        ),
        (
            ("pmf", "Liberators", "--vs", "Clanrats", "-o", "no/such/x.png"),
            "no/such/x.png: cannot be written (give a file in a folder that exists)",
        ),
    ],
)
def test_messages_of_the_command(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    out, err = run(capsys, "chart", *words, code=2)
    assert out == ""
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_the_light_commands_stay_light() -> None:
    program = "import sys; from mathhammer.cli import main; main(['chart', '--help']); print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("False")


# --- posts --------------------------------------------------------------------------------------------------------------

POST = """
system = "aos4"
themes = ["light", "dark"]
alt = true
[[chart]]
file = "img/slain.svg"
kind = "at_least"
attackers = ["Liberators"]
targets = ["Clanrats"]
situation = "charged"
[[table]]
file = "slain.md"
kind = "compare"
attackers = ["Liberators", "Rat Ogors"]
targets = "Clanrats"
[[table]]
file = "matrix.md"
kind = "matrix"
value = "p_destroyed"
attackers = ["Liberators"]
targets = ["Clanrats", "Hero"]
[[table]]
file = "value.md"
kind = "value"
rows = 2
attackers = ["Liberators"]
targets = ["Clanrats"]
"""


def written(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_post_is_made_in_one_go(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "post.toml"
    path.write_text(POST, encoding="utf-8")
    names = [
        "img/slain-dark.svg",
        "img/slain-dark.svg.txt",
        "img/slain.svg",
        "img/slain.svg.txt",
        "matrix.md",
        "slain.md",
        "value.md",
    ]
    out, _ = run(capsys, "post", str(path), "--dry-run")
    assert sorted(out.split()) == names
    assert sorted(written(tmp_path)) == ["post.toml"]
    out, err = run(capsys, "post", str(path))
    assert (out, err) == ("", f"7 files written to {tmp_path}\n")
    first = written(tmp_path)
    assert sorted(first) == sorted([*names, "post.toml"])
    for name, words in {
        "slain.md": ["compare", "Liberators", "Rat Ogors", "--vs", "Clanrats"],
        "matrix.md": ["matrix", "Liberators", "--vs", "Clanrats", "Hero", "--value", "p_destroyed"],
        "value.md": ["value", "Liberators", "--vs", "Clanrats", "--top", "2"],
    }.items():
        printed, _ = run(capsys, *words, "--format", "md")
        table = [line for line in printed.splitlines() if line.startswith("|")]
        told = [line for line in printed.splitlines() if line.startswith(("Age of Sigmar", "not counted"))]
        lines = first[name].decode().splitlines()
        assert lines[: len(table)] == table
        assert [line for line in lines[len(table) :] if line] == told
        assert len(told) == 2
    run(capsys, "post", str(path))
    assert written(tmp_path) == first


def test_a_post_has_words_and_sizes_of_its_own(tmp_path: Path) -> None:
    asked = 'credit = "Chart: Anna"\npreset = "card"\n[[chart]]\nfile = "a.png"\nkind = "bands"\nsubtitle = "Mine"\n'
    who = 'attackers = ["Liberators"]\ntargets = ["Clanrats"]\n'
    more = '[[chart]]\nfile = "b.svg"\nkind = "bands"\npreset = "phone"\ncredit = "Bert"\n'
    (tmp_path / "post.toml").write_text(asked + who + more + who, encoding="utf-8")
    card, phone = posts.make_post(posts.read_post(tmp_path / "post.toml"))
    data = card.read_bytes()
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1200, 630)
    svg = phone.read_text(encoding="utf-8")
    assert "<!-- Bert -->" in svg
    assert "Chart: Anna" not in svg


def test_an_interrupted_post_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "post.toml"
    path.write_text(POST, encoding="utf-8")
    (tmp_path / "slain.md").write_text("old", encoding="utf-8")
    before = written(tmp_path)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mathhammer.plots.post_tables.value_rows", stop)
    assert main(["post", str(path)]) == 130
    assert written(tmp_path) == before


MORE = """
system = "aos4"
datasheets = "own"
[[chart]]
file = "armies.svg"
kind = "armies"
lists = ["one.toml", "two.toml"]
[[table]]
file = "many.md"
kind = "compare"
models = 10
attackers = ["Liberators"]
targets = ["Clanrats"]
columns = ["attacker", "slain", "damage_per_100"]
[[table]]
file = "free.md"
kind = "compare"
attackers = ["Free"]
targets = ["Clanrats"]
columns = ["attacker", "damage_per_100"]
"""


def test_two_lists_larger_units_and_units_without_points(tmp_path: Path) -> None:
    (tmp_path / "own" / "aos4").mkdir(parents=True)
    axe = '[[unit.weapon]]\nname = "Axe"\nattacks = 1\nhit = 4\nwound = 4\ndamage = 1\n'
    free = f'system = "aos4"\nfaction = "Own"\n[[unit]]\nname = "Free"\nhealth = 1\n{axe}'
    (tmp_path / "own" / "aos4" / "free.toml").write_text(free, encoding="utf-8")
    for name, unit in (("one", "Liberators"), ("two", "Clanrats")):
        text = f'system = "aos4"\nname = "{name}"\n[[regiment]]\n[[regiment.unit]]\nname = "{unit}"\npoints = 100\n'
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "post.toml").write_text(MORE, encoding="utf-8")
    made = posts.make_post(posts.read_post(tmp_path / "post.toml"))
    assert [path.name for path in made] == [
        "armies.svg",
        "many.md",
        "free.md",
    ]  # alt is not asked for, so no words beside the picture
    assert b"<svg" in made[0].read_bytes()
    ten = mh.fight(mh.load_unit("Liberators", "aos4").with_models(10), mh.load_unit("Clanrats", "aos4"))
    assert (
        made[1]
        .read_text(encoding="utf-8")
        .splitlines()[2]
        .startswith(f"| 10 Liberators | {ten.slain.mean():.2f} |")
    )
    assert made[2].read_text(encoding="utf-8").splitlines()[2] == "| Free | - |"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[[table]]\nfile = 'x.md'\nkind = 'matrix'\nvalue = 'slian'\nattackers = ['Liberators']",
            "table 1: matrix: unknown value 'slian' (did you mean 'slain'?)",
        ),
        (
            "[[table]]\nfile = 'x.md'\nkind = 'compare'\ncolumns = ['slian']\nattackers = ['Liberators']",
            "table 1: compare: unknown column 'slian' (did you mean 'slain'?)",
        ),
        ("", "neither a [[chart]] nor a [[table]]"),
        ("themes = ['drak']", "unknown theme 'drak' (did you mean 'dark'?)"),
        ("charts = 1", "unknown field 'charts' (did you mean 'chart'?)"),
        ("chart = 1", "chart (write [[chart]] above each of them)"),
        ("[[chart]]\nkind = 'pmf'", 'chart 1: no file (write file = "...")'),
        ("[[chart]]\nfile = 'x.png'", 'chart 1: no kind (write kind = "...")'),
        (
            "[[chart]]\nfile = '/x.png'\nkind = 'pmf'",
            "chart 1: '/x.png' is outside the post's folder (name a file inside it)",
        ),
        (
            "[[chart]]\nfile = '../x.png'\nkind = 'pmf'",
            "chart 1: '../x.png' is outside the post's folder (name a file inside it)",
        ),
        (
            "[[table]]\nfile = 'x.md'\nkind = 'compere'",
            "table 1: unknown kind 'compere' (did you mean 'compare'?)",
        ),
        (
            "[[table]]\nfile = 'x.md'\nkind = 'compare'\nrows = 0",
            "table 1: rows 0 (give a whole number from 1 on)",
        ),
        (
            "[[table]]\nfile = 'x.md'\nkind = 'compare'\nattackres = 1",
            "table 1: unknown field 'attackres' (did you mean 'attackers'?)",
        ),
        ("[[table]]\nfile = 'x.md'\nkind = 'value'\n" * 2, "'x.md' is made twice (give each its own file)"),
        ("[[table]]\nfile = 'x.md'\nkind = 'compare'\n", "table 1: nobody attacks (give attackers)"),
        (
            "[[table]]\nfile = 'x.md'\nkind = 'compare'\nattackers = [1]",
            "table 1: attackers [1] is not a word or a list of words (write them in quotes)",
        ),
        ("[[chart]]\nfile = 'x.png'\nkind = 'armies'", "chart 1: 0 lists for armies (give two list files)"),
        (
            "[[chart]]\nfile = 'x.png'\nkind = 'bands'\ntitle = 5\nattackers = ['Liberators']\ntargets = ['Clanrats']",
            "chart 1: title 5 is not a text (write it in quotes)",
        ),
        (
            "preset = 'crad'\n[[chart]]\nfile = 'x.png'\nkind = 'bands'\nattackers = ['Liberators']",
            "chart 1: chart: unknown preset 'crad' (did you mean 'card'?)",
        ),
        (
            "[[",
            "not TOML: Invalid initial character for a key part (at end of document)",
        ),
        ("x = " + "[" * 3000 + "]" * 3000, "nested too deeply"),
        ("x = " + "9" * 6000, "a number in it is too long"),
        ("system = []", "system [] is not a text (write it in quotes)"),
        ("datasheets = 5", "datasheets 5 is not a text (write it in quotes)"),
        ("alt = 1", "alt 1 is neither true nor false"),
        (
            "[[table]]\nfile = 'post.toml'\nkind = 'compare'\nattackers = ['Liberators']",
            "'post.toml' is read by the post (give what it makes another name)",
        ),
        (
            "[[chart]]\nfile = 'a.svg'\nkind = 'armies'\nlists = ['one.toml', 'a.svg']",
            "'a.svg' is read by the post (give what it makes another name)",
        ),
        (
            "[[table]]\nfile = 't.md'\nkind = 'value'\n[[table]]\nfile = './t.md'\nkind = 'value'",
            "'./t.md' is made twice (give each its own file)",
        ),
        *(
            (f"[[chart]]\nfile = 'x.png'\nkind = 'bands'\n{line}", f"chart 1: {message}")
            for line, message in (
                ("situation = 5", "situation 5 is not a word or a list of words (write them in quotes)"),
                ("commands = [['x']]", "commands [['x']] is not a word or a list of words"),
                ("weapons = 5", "weapons 5 is not a word or a list of words"),
                ("options = 5", "options 5 is not a table (write options = { name = value })"),
                ("of = 5", "of 5 is not a text (write it in quotes)"),
                ("method = 5", "method 5 is not a text (write it in quotes)"),
                ("trials = 'x'", "trials 'x' is not a whole number"),
                ("trials = 10", 'trials without a simulation (write method = "simulate", or leave it out)'),
                ("seed = 1", 'seed without a simulation (write method = "simulate", or leave it out)'),
                ("models = true", "models True is not a whole number"),
                ("rounds = 1.5", "rounds 1.5 is not a whole number"),
                ("distance = 'x'", "distance 'x' is not a number of inches"),
                ("per_100 = 1", "per_100 1 is neither true nor false"),
            )
        ),
    ],
)
def test_messages_of_a_post(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "post.toml"
    path.write_text(text, encoding="utf-8")
    _, err = run(capsys, "post", str(path), code=2)
    assert message in err
    assert err.startswith(str(path))
    assert err.count("\n") == 1


def test_a_post_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, err = run(capsys, "post", str(tmp_path / "none.toml"), code=2)
    assert err == f"{tmp_path / 'none.toml'}: No such file or directory (give the TOML file of a post)\n"


@pytest.mark.slow
def test_the_pictures_of_the_readme_are_those_of_their_file(tmp_path: Path) -> None:
    """Words and tables, not dots: another version of matplotlib may draw a line a hair's breadth elsewhere."""
    folder = ROOT / "notebooks"
    copy = tmp_path / "post.toml"
    copy.write_bytes((folder / "post.toml").read_bytes())
    made = posts.make_post(posts.read_post(copy))
    pages = [folder.parent / name for name in ("README.md", "docs/index.md", "docs/howto/post.md")]
    shown = {
        name for page in pages for name in re.findall(r"notebooks/(pictures/[\w-]+\.\w+)", page.read_text())
    }
    for path in made:
        kept = folder / path.relative_to(tmp_path)
        if path.suffix in (".txt", ".md"):
            assert kept.read_bytes() == path.read_bytes(), kept
        else:
            assert kept.exists()
    assert len(shown) >= 3
    names = {str(path.relative_to(tmp_path)) for path in made}
    assert {name for name in shown if name not in names and f"{name}.txt" not in names} == set()


def test_a_duel_ignores_nothing_silently(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chart", "duel", "Liberators", "--vs", "Rat Ogors", "--situation", "charged"]) == 2
    assert (
        capsys.readouterr().err == "chart: a duel takes no situation (drop it; mathhammer duel knows more)\n"
    )
