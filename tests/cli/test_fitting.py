"""Tables on narrow terminals, for any content: lines fit, words stay whole, columns go by rank."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mathhammer.cli.fitting import fit, wrapped
from mathhammer.tables import Column, Table, width_of

WORD = st.text("abcdefgh鼠", min_size=1, max_size=9)
TEXT = st.lists(WORD, min_size=0, max_size=6).map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    number = draw(st.integers(1, 7))
    columns = [
        Column(draw(TEXT), place, draw(st.booleans()), draw(st.integers(0, 4)), draw(st.booleans()))
        for place in range(number)
    ]
    rows = draw(st.lists(st.lists(TEXT, min_size=number, max_size=number), max_size=4))
    return Table(columns, rows, stacked=draw(st.integers(0, 1)))


@given(tables(), st.integers(40, 130))
def test_lines_fit_the_screen(table: Table, width: int) -> None:
    for piece in fit(table, width):
        assert all(width_of(line) <= width for line in (*piece.head, *piece.body))


@given(tables(), st.integers(40, 130))
def test_nothing_is_lost_but_what_is_named(table: Table, width: int) -> None:
    """Every word of a shown column is there, whole, unless a name had to be cut (which ends in dots)."""
    pieces = fit(table, width)
    text = " ".join(line for piece in pieces for line in (*piece.head, *piece.body))
    left_out = [heading for piece in pieces for heading in piece.left_out]
    words = {word for line in (table.headings, *table.cells) for cell in line for word in cell.split()}
    if "…" not in text:
        assert set(text.split()) <= words
        if not left_out:
            assert set(text.split()) == words


@given(tables())
def test_a_wide_screen_shows_the_plain_table(table: Table) -> None:
    (piece,) = fit(table, 1000)
    assert "\n".join(piece.head + piece.body) == table.plain()
    assert piece.left_out == []


def test_the_highest_rank_goes_first_and_rank_0_never() -> None:
    columns = [
        Column(name, place, rank=rank)
        for place, (name, rank) in enumerate({"aaaa": 0, "bbbb": 2, "cccc": 3, "dddd": 1}.items())
    ]
    table = Table(columns, [["x"] * 4])
    assert [fit(table, width)[0].left_out for width in (22, 21, 15, 9, 4)] == [
        [],
        ["cccc"],
        ["bbbb", "cccc"],
        ["dddd", "bbbb", "cccc"],
        ["dddd", "bbbb", "cccc"],
    ]


def test_a_name_is_cut_only_when_nothing_else_helps() -> None:
    columns = [Column("Command", 0), Column("What it does", 1, prose=True)]
    table = Table(columns, [("all_out_defence", "the target has a better save and more words")])
    (piece,) = fit(table, 26)
    assert piece.body[0].startswith("all_out_defence  the")
    (piece,) = fit(table, 14)
    assert piece.body[0].startswith("all_o…  the")


def test_a_stacked_table_repeats_its_first_columns() -> None:
    columns = [Column("Unit", 0), *(Column(f"target{number}", number, right=True) for number in (1, 2, 3))]
    one, two = fit(Table(columns, [("Rats", "1", "2", "3")], stacked=1), 22)
    assert one.head == ["Unit  target1  target2"]
    assert two.body == ["Rats        3"]


def test_lines_go_on_at_a_space() -> None:
    assert wrapped("a\n\n  bb cc dd", 8) == "a\n\n  bb cc\n    dd"
    assert wrapped("abcdefghijkl", 5) == "abcdefghijkl"  # a path is not broken either
