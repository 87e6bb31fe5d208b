"""What people write and read at a terminal: days, file names, tables."""

from __future__ import annotations

import argparse
import csv
import difflib
import json
import re
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Iterable, List, Mapping, Optional, Sequence

from .values import plain

MONTHS = "january february march april may june july august september october november december".split()
WIDEST = 48


def day(text: str) -> str:
    """A day as people write it, as `YYYY-MM-DD`: 2026-05-01, 1 May 2026, May 1, 2026, 1.5.2026, today, 3 weeks ago.

    Raises ArgumentTypeError where it is no day, or may be two.
    """
    words = re.sub(r"[,\s]+", " ", text.strip().lower())
    today = datetime.now(timezone.utc).date()
    near = {"today": 0, "yesterday": 1, "tomorrow": -1}
    ago = re.fullmatch(r"(\d{1,4}) (day|week)s? ago", words)
    if words in near:
        return (today - timedelta(days=near[words])).isoformat()
    if ago:
        return (today - timedelta(days=int(ago[1]) * (7 if ago[2] == "week" else 1))).isoformat()
    try:
        return date(*_numbers(words, text)).isoformat()
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{text!r} is no day ({fault}); write it as 2026-05-01") from None


def _numbers(words: str, text: str) -> "tuple[int, int, int]":
    """Year, month and day of a date in words or numbers."""
    named = re.fullmatch(r"(?:(\d{1,2})\.? )?([a-z]{3,9})\.?(?: (\d{1,2})(?:st|nd|rd|th)?)? (\d{4})", words)
    months = [number for number, month in enumerate(MONTHS, 1) if named and month.startswith(named[2])]
    if named and months and (named[1] is None) != (named[3] is None):
        return int(named[4]), months[0], int(named[1] or named[3])
    first = re.fullmatch(r"(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})", words)
    if first and (first[2] or len(words) == 8):
        return int(first[1]), int(first[3]), int(first[4])
    last = re.fullmatch(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", words)
    if not last:
        raise ValueError("not understood")
    one, two, year = int(last[1]), int(last[3]), int(last[4])
    if last[2] != "." and one <= 12 and two <= 12 and one != two:
        both = f"{year}-{one:02}-{two:02} or {year}-{two:02}-{one:02}"
        raise argparse.ArgumentTypeError(f"{text!r} may be {both}; write one of these")
    return (year, two, one) if last[2] == "." or one > 12 else (year, one, two)


def file(text: str) -> Path:
    """A file that is there, as people write and paste names: with ~, or in quotes of another program.

    Raises ArgumentTypeError with the name that may be meant.
    """
    path = Path(text.strip().strip("\"'")).expanduser()
    if path.is_file():
        return path
    there = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, there, n=1)
    meant = f"; did you mean {path.parent / near[0]}?" if near else ""
    raise argparse.ArgumentTypeError(f"there is no file {path}{meant}")


def say(text: str) -> None:
    """Progress and faults, beside what a command answers."""
    print(_visible(text), file=sys.stderr, flush=True)


def is_table(form: str) -> bool:
    """Whether rows are for people: `form` asks for a table, or nothing else and the output is a terminal."""
    return form == "table" or (form == "auto" and sys.stdout.isatty())


def show(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], form: str) -> None:
    """Rows as a table of these columns; as JSON lines or CSV, whole, each as soon as it is there.

    `form` is `table`, `lines` (a table that never ends), `jsonl`, `csv`, or `auto`: see `is_table`, else JSON lines.
    """
    if form == "lines":
        for row in rows:
            print("  ".join(_cell(plain(row.get(name))) for name in columns), flush=True)
    elif is_table(form):
        _table(list(rows), columns)
    elif form == "csv":
        writer = csv.DictWriter(sys.stdout, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _safe(plain(value)) for name, value in row.items()})
    else:
        for row in rows:
            print(json.dumps(plain(dict(row)), ensure_ascii=False), flush=True)


def _table(rows: List[Mapping[str, Any]], columns: Sequence[str]) -> None:
    used = [name for name in columns if any(row.get(name) not in (None, "", []) for row in rows)]
    # The last column, often what is wrong, is shown whole.
    cells = [[_cell(plain(row.get(name)), None if name == used[-1] else WIDEST) for name in used] for row in rows]
    widths = [max(map(len, column)) for column in zip(used, *cells)]
    right = [all(isinstance(row.get(name), (int, float, type(None))) for row in rows) for name in used]
    for line in [used, *cells] if used else []:
        padded = [text.rjust(width) if number else text.ljust(width) for text, width, number in zip(line, widths, right)]
        print("  ".join(padded).rstrip())
    if not rows:
        say("Nothing to show.")


def _cell(value: Any, widest: Optional[int] = WIDEST) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{round(value, 3):g}"
    text = _visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).replace("\n", " ")
    return text if widest is None or len(text) <= widest else text[: widest - 1] + "…"


def _visible(text: str) -> str:
    """A text of others without the characters that could steer a terminal."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text)


def _safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula, with a ' before it."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value
