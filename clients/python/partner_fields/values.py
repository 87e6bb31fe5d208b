"""Values on their way to the service and back: days, numbers, tables."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import Any, Dict, List, Mapping, Sequence

Json = Dict[str, Any]

#: A pandas DataFrame where pandas is installed, else a list of dicts: typed as Any, so that neither has to be cast.
Table = Any


def plain(value: Any) -> Any:
    """A value as JSON has it: days and instants as texts, numbers of numpy as numbers, NaN, NaT and NA as None."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if type(value).__name__ in ("NAType", "NaTType") or isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(name): plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in value]
    if isinstance(value, date):
        return value.isoformat()
    for simpler in ("item", "tolist"):
        if hasattr(value, simpler):
            return plain(getattr(value, simpler)())
    return float(value) if isinstance(value, float) else value


def day_of(value: Any) -> Any:
    """A day as `YYYY-MM-DD`: from a `date`, `datetime` or `Timestamp`; a text as it is, for the service to judge."""
    return value.date().isoformat() if isinstance(value, datetime) else plain(value)


def table(rows: List[Json], columns: Sequence[str]) -> Table:
    """Rows as a DataFrame, their `date` as Timestamps, where pandas is installed; else as they are."""
    try:
        import pandas
    except ImportError:
        return rows
    frame = pandas.DataFrame(rows, columns=list(columns))
    return frame.assign(date=pandas.to_datetime(frame["date"]))
