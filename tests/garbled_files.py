"""Files cut and garbled at random, from the lists of the tests."""

from __future__ import annotations

import random

from roster_files import ROSTERS, as_new_recruit_json, zipped

KILNS = (ROSTERS / "kilns.ros").read_bytes()
SEEDS = {path.name: path.read_bytes() for path in sorted(ROSTERS.iterdir())}


SEEDS["kilns.rosz"] = zipped(KILNS)


SEEDS["kilns.json"] = as_new_recruit_json(KILNS).encode()


def mutated(data: bytes, dice: random.Random) -> bytes:
    """A file with a few bytes changed, cut, doubled, or taken from another list."""
    made = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(made) + 1)
        kind = dice.randrange(5)
        if kind == 0 and made:
            made[at % len(made)] = dice.randrange(256)
        elif kind == 1:
            del made[at : at + dice.randint(1, 40)]
        elif kind == 2:
            made[at:at] = made[at : at + dice.randint(1, 60)]
        elif kind == 3:
            made[at:at] = dice.choice(
                [
                    b"\n",
                    b"(",
                    b")",
                    b"[",
                    b"-1",
                    b"999999999999",
                    b"\xff",
                    b"\0",
                    b"<",
                    b"&x;",
                    b'"',
                    b"1e9",
                    b"\xe2\x80\xae",
                ]
            )
        else:
            other = dice.choice(list(SEEDS.values()))
            start = dice.randrange(max(1, len(other)))
            made[at : at + 20] = other[start : start + 40]
    return bytes(made)
