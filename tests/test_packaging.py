"""What people install: a wheel and a source archive, built from the tree, each in an environment of its own, far from the tree."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from places import ROOT

OURS = ("mathhammer", "datasheets")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "mathhammer").is_dir(), reason="there is no tree to build from"),
]


def data_files() -> set[str]:
    """Every file of the package and its datasheets, as a wheel names it."""
    found = set()
    for folder in OURS:
        for path in (ROOT / folder).rglob("*"):
            if (
                path.is_file()
                and "__pycache__" not in path.parts
                and path.suffix not in (".nbi", ".nbc", ".pyc")
            ):
                found.add(
                    str(path.relative_to(ROOT)).replace(
                        "datasheets/", "mathhammer/_datasheets/", folder == "datasheets"
                    )
                )
    return found


def build_wheel(source: Path, folder: Path) -> Path:
    words = [
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "-w",
        str(folder),
        str(source),
    ]
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
    (wheel,) = folder.glob("mathhammer-*.whl")
    return wheel


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel of the tree, the source archive, and the wheel that pip builds from that."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (source,) = folder.glob("mathhammer-*.tar.gz")
    return {
        "source": source,
        "wheel": build_wheel(ROOT, folder / "tree"),
        "wheel of the source": build_wheel(source, folder / "source"),
    }


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(archives: dict[str, Path]) -> None:
    assert names_in(archives["wheel"]) == data_files()
    assert names_in(archives["wheel of the source"]) == data_files()
    assert "mathhammer/_datasheets/aos4/skaven.toml" in data_files()
    for name in ("page.html.jinja", "pieces.html.jinja", "report.css", "report.js"):
        assert f"mathhammer/report/templates/{name}" in data_files()


def test_the_source_archive_holds_what_the_tests_need(archives: dict[str, Path]) -> None:
    with tarfile.open(archives["source"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO"} <= names
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py")} <= names
    assert {name.split("/")[0] for name in names if "/" in name} == {
        *OURS,
        "tests",
        "benchmarks",
        "notebooks",
        "docs",
        ".ci",
    }
    assert not {name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc"))}


def test_the_same_tree_makes_the_same_bytes(archives: dict[str, Path], tmp_path: Path) -> None:
    """Whoever builds it gets what was published; the wheel is the same from the tree and from the source archive."""
    words = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    again = {path.suffix: path.read_bytes() for path in tmp_path.iterdir()}
    assert again[".gz"] == archives["source"].read_bytes()
    assert again[".whl"] == archives["wheel"].read_bytes() == archives["wheel of the source"].read_bytes()


def test_licences_come_along(archives: dict[str, Path]) -> None:
    """Ours, and that of the font beside the font."""
    with zipfile.ZipFile(archives["wheel"]) as archive:
        names = archive.namelist()
        ours = next(name for name in names if name.endswith("LICENSE"))
        assert archive.read(ours) == (ROOT / "LICENSE").read_bytes()
        assert b"SIL Open Font License" in archive.read("mathhammer/plots/fonts/OFL.txt")
    fonts = [name for name in names if name.endswith((".otf", ".ttf"))]
    assert {name.rpartition("/")[0] for name in fonts} == {"mathhammer/plots/fonts"}


def test_a_folder_beside_the_tree_stays_out_of_the_source_archive(tmp_path: Path) -> None:
    """Patterns are anchored: the `tests` of a second environment are not ours."""
    tree, folder = tmp_path / "tree", tmp_path / "dist"
    for name in (
        "mathhammer/__init__.py",
        "tests/test_a.py",
        ".venv2/tests/b.py",
        ".venv2/lib/docs/c.md",
        "old/README.md",
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("", encoding="utf-8")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (tree / name).write_bytes((ROOT / name).read_bytes())
    words = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(words, cwd=tree, check=True, capture_output=True)
    (source,) = folder.glob("mathhammer-*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    ours = {"mathhammer/__init__.py", "tests/test_a.py", "pyproject.toml", "README.md", "LICENSE", "PKG-INFO"}
    assert names == ours


@pytest.mark.parametrize("kind", ["wheel", "wheel of the source"])
def test_it_runs_where_it_is_installed(kind: str, archives: dict[str, Path], tmp_path: Path) -> None:
    home = tmp_path / "environment"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    install = [
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        str(archives[kind]),
    ]
    subprocess.run([sys.executable, "-m", *install], check=True, capture_output=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    (site / "borrowed.pth").write_text(
        sysconfig.get_path("purelib") + "\n", encoding="utf-8"
    )  # numpy and the others, without a network
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")
    }

    def run(*words: str | Path) -> str:
        done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    where, version = run(
        python, "-c", "import mathhammer; print(mathhammer.__file__, mathhammer.__version__)"
    ).split()
    assert Path(where).is_relative_to(home)
    assert run(scripts / "mathhammer", "--version") == f"mathhammer, version {version}\n"
    assert archives["wheel"].name.startswith(f"mathhammer-{version}-")
    table = run(scripts / "mathhammer", "compare", "Liberators", "Rat Ogors").splitlines()
    rows = [line for line in table if " melee " in line]
    assert len(rows) == 16
    assert rows[0].startswith("Horde           Liberators  melee")
    assert run(
        scripts / "mathhammer", "chance", "--system", "uprising"
    )  # games whose dice stand in data files
    assert run(
        python, "-m", "mathhammer", "report", str(ROOT / "tests" / "fixtures" / "rosters" / "kilns.ros")
    ).startswith("<!doctype html>")
