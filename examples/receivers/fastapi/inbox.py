"""Events that were received, in a table whose key is their id."""

import contextlib
import json
import sqlite3
import threading


class Inbox:
    def __init__(self, file, work):
        self.file = file
        self.work = work
        self.news = threading.Event()
        with self.opened() as table:
            table.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0)")

    @contextlib.contextmanager
    def opened(self):
        with contextlib.closing(sqlite3.connect(self.file)) as table, table:
            yield table

    def store(self, event_id, body):
        """Stores an event; what is there already is left as it is."""
        with self.opened() as table:
            table.execute("INSERT OR IGNORE INTO events (id, body) VALUES (?, ?)", (event_id, body))
        self.news.set()

    def work_on(self):
        """One event after the other; what fails is tried again when another one comes, and at the next start."""
        while True:
            with self.opened() as table:
                rows = table.execute("SELECT id, body FROM events WHERE done = 0 ORDER BY rowid").fetchall()
            for event_id, body in rows:
                try:
                    self.work(json.loads(body))
                except Exception as error:
                    print(f"{event_id}: {error}", flush=True)
                    continue
                with self.opened() as table:
                    table.execute("UPDATE events SET done = 1 WHERE id = ?", (event_id,))
            self.news.wait()
            self.news.clear()
