"""When a call is tried again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Optional

from .errors import ApiError, NoAnswer, QuotaExhausted, TesseraError

_RUNNING = "Request still running"
#: After this one, and any 429, the gateway has done nothing, whatever was asked.
_OVERLOADED = "Service overloaded"
#: After these it may have done what was asked: its database may have, and not have said so.
_UNCLEAR = (408, 500, 502, 503, 504)


@dataclass(frozen=True)
class Retries:
    """
    How often and how long a call is tried again. Waits grow twofold, and chance shortens each by up to a half, so that
    calls that failed together do not come back together.
    """

    #: Tries after the first one.
    max: int = 8
    wait_min_s: float = 0.25
    wait_max_s: float = 8.0
    #: No try begins later than this after the first one. A longer ``Retry-After`` ends the call at once.
    give_up_s: float = 120.0


def is_running(error: TesseraError) -> bool:
    """Whether the first call with the same key has not ended."""
    return isinstance(error, ApiError) and error.status == 409 and error.code == _RUNNING


def is_unheard(error: TesseraError) -> bool:
    """Whether the gateway may have done what was asked, and its answer was lost on the way."""
    if isinstance(error, NoAnswer):
        return error.was_sent
    return isinstance(error, ApiError) and error.status in (502, 504)


def may_pass(error: TesseraError, is_repeatable: bool) -> bool:
    """Whether the same request may succeed soon, and does nothing twice."""
    if isinstance(error, NoAnswer):
        return error.may_pass and (is_repeatable or not error.was_sent)
    if not isinstance(error, ApiError):
        return False
    if error.status == 429:
        return not isinstance(error, QuotaExhausted)
    return is_running(error) or error.code == _OVERLOADED or (error.status in _UNCLEAR and is_repeatable)


def wait_before(
    error: TesseraError, is_repeatable: bool, tries: int, spent_s: float, retries: Retries
) -> Optional[float]:
    """
    Returns the seconds to wait before the next try; ``None`` when there is none.

    :param tries: how many there were. One that found the first call with the same key still running is none.
    """
    if not may_pass(error, is_repeatable) or tries > retries.max:
        return None
    grown_s = min(retries.wait_max_s, retries.wait_min_s * 2 ** min(max(tries - 1, 0), 30))
    asked_s = (error.retry_after_s or 0) if isinstance(error, ApiError) else 0
    wait_s = max(grown_s * random.uniform(0.5, 1), asked_s * random.uniform(1, 1.1))
    return wait_s if spent_s + wait_s <= retries.give_up_s else None
