"""Whatever is asked of the symbol-dice games, the answer is a mapping or one sentence: never a traceback."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from places import OWN_VECTORS

import mathhammer as mh

MORE = [
    ("uprising", "scoring", {"players": [{"havens": 1}], "empire": {"graveyard": {"krowh": 1}}}),
    ("uprising", "build", {"units": {"Younglings": 1}, "pay": {"Younglings": "salt"}}),
    ("uprising", "production", {"circle": {"salt": 1}, "hexes": [{"salt": 1}]}),
    ("uprising", "place_skeletons", {"hexes": {"A": 1}, "placed": ["A"]}),
    ("uprising", "hero_dice", {"might": 1}),
    ("uprising", "quest", {"hero": {"might": 1}, "goals": [{"skull": 1}]}),
    (
        "uprising",
        "battle",
        {
            "a": {"kind": "units", "units": ["Koloth"]},
            "b": {"kind": "card", "name": "Oda the Fallen", "threat": 3},
        },
    ),
    (
        "uprising",
        "campaign",
        {"a": "3 Younglings", "enemies": ["garrison 1", "Siren 1"], "best": "points", "item_in": 1},
    ),
    ("uprising", "recruit", {"resources": {"salt": 2}, "b": "garrison 1", "people": "Duerkhar", "show": 2}),
    (
        "uprising",
        "quest",
        {"pool": {"red": 2}, "goals": [{"bolt": 1}], "reroll": 1, "best": "chance"},
    ),
    (
        "diskwars",
        "round",
        {
            "disks": ["Orc Boyz: counter 3, owner A", {"id": "x", "owner": "B", "attack": 2, "stamina": 2}],
            "events": [
                {"shot": {"dice": 1, "strength": 2, "range": "long"}},
                {"clash": {"pins": [["x", "Orc Boyz"]]}},
            ],
        },
    ),
    ("diskwars", "regiments", {"a": ["Orc Boyz"], "b": ["Orc Boyz"], "assume": {"counter": 2}}),
    ("diskwars", "victory", {"points": [1, 2], "places": [1, 2], "disks": [1, 1]}),
    ("diskwars", "command_order", {"strategies": ["bold", None]}),
    ("diskwars", "impact", {"x": 1, "disks": [{"stamina": 2}]}),
    ("diskwars", "magic", {"x": 1, "target": {"stamina": 2}}),
    (
        "diskwars",
        "ranged_roll",
        {"rolled": ["hit"], "dice": 1, "strength": 2, "range": "long", "target": {"disk": "Orc Boyz"}},
    ),
]
CASES = {
    game: json.loads((OWN_VECTORS / f"{game}.json").read_text(encoding="utf-8"))["cases"]
    for game in ("diskwars", "uprising")
}
SOUND = [*((game, case["kind"], case["input"]) for game, cases in CASES.items() for case in cases), *MORE]
JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    1.5,
    "",
    "x",
    "red",
    "hit",
    [],
    {},
    [1],
    [[]],
    [["a", "b"]],
    {"a": 1},
    {1: 2},
    b"y",
    10**9,
    [None],
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*path, key))


@pytest.mark.parametrize(("game", "question", "details"), MORE, ids=[question for _, question, _ in MORE])
def test_sound_questions_are_answered(game: str, question: str, details: dict[str, Any]) -> None:
    assert mh.odds(game, question, **details)["dice_set"]


@pytest.mark.parametrize("seed", range(20))
def test_one_wrong_value_is_answered_with_one_sentence(seed: int) -> None:
    rng = random.Random(seed)
    refused = 0
    for _ in range(150):
        game, question, sound = rng.choice(SOUND)
        details = deepcopy(sound)
        *way, last = rng.choice(list(places(details)))
        spot = details
        for key in way:
            spot = spot[key]
        spot[last] = deepcopy(rng.choice(JUNK))
        try:
            answer = mh.odds(game, question, **details)
        except mh.MathhammerError as error:
            refused += 1
            sentence = str(error)
            assert ": " in sentence  # where: what is wrong
            assert "\n" not in sentence
        else:
            assert answer["dice_set"]
    assert refused > 50
