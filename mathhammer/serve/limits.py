"""How much work a question may be: sizes of units, and time between one fight and the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from mathhammer.errors import TooLargeError
from mathhammer.games.discovery import attacks_of
from mathhammer.units.unit import Unit

MOST_MODELS = 200  # of one unit
MOST_WOUNDS = 300  # of one unit, where damage is lost with the model that it hits
MOST_LIST_WOUNDS = 2000  # of all units of a list
MOST_SECONDS = 20.0  # of work
WHERE = "answer"


def bounded(units: Sequence[Unit]) -> None:
    """Refuses a unit that is too much work for a page. Where damage does not pool, every attack looks at each
    wound of its target, so its wounds are bounded too.

    >>> from mathhammer import load_unit
    >>> bounded([load_unit("Clanrats", "aos4").with_models(999)])
    Traceback (most recent call last):
    mathhammer.errors.TooLargeError: answer: Clanrats: 999 models (at most 200 on the page)
    """
    for unit in units:
        if unit.models > MOST_MODELS:
            raise TooLargeError(
                f"{WHERE}: {unit.name}: {unit.models} models (at most {MOST_MODELS} on the page)"
            )
        if unit.health > MOST_WOUNDS and not attacks_of(unit.system).pools:
            raise TooLargeError(
                f"{WHERE}: {unit.name}: {unit.health} wounds (at most {MOST_WOUNDS} on the page)"
            )


def time_limit(seconds: float = MOST_SECONDS) -> Callable[..., None]:
    """A check that is called between fights: once the time is over, it breaks the work off.

    >>> time_limit(-1)()
    Traceback (most recent call last):
    mathhammer.errors.TooLargeError: answer: more than -1 seconds of work (ask for fewer or smaller units)
    """
    end = monotonic() + seconds

    def check(*_progress: int) -> None:
        if monotonic() > end:
            raise TooLargeError(
                f"{WHERE}: more than {seconds:g} seconds of work (ask for fewer or smaller units)"
            )

    return check
