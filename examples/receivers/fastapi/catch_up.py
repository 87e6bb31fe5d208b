"""Whatever webhooks did not bring: the log has each event once, in order."""

import json
import pathlib
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

CURSOR_FILE = pathlib.Path("cursor.txt")
DAY_SECONDS = 24 * 3600
MINUTE_SECONDS = 60


def catch_up(service, inbox):
    """Reads the log from where the last reading has ended; events that are there already are left as they are."""
    cursor = CURSOR_FILE.read_text() if CURSOR_FILE.exists() else ""
    # The certificate of the local service; a real one needs none.
    trust = ssl.create_default_context(cafile=service.get("caFile"))
    has_more = True
    while has_more:
        query = f"?{urllib.parse.urlencode({'cursor': cursor})}" if cursor else ""
        url, headers = f"{service['baseUrl']}/v1/events{query}", {"Authorization": f"Bearer {service['jwt']}"}
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, headers=headers), context=trust if url.startswith("https:") else None
            ) as answer:
                page = json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 422 or not cursor:
                raise
            # Older than 31 days: the log is read from its beginning.
            cursor = ""
            continue
        for event in page["items"]:
            inbox.store(event["id"], json.dumps(event))
        # After its events: a cursor that is kept before them loses them with the process.
        cursor, has_more = page["cursor"], page["has_more"]
        CURSOR_FILE.write_text(cursor)


def catch_up_daily(service, inbox):
    """Now, and once a day; a minute later when it fails."""
    while True:
        try:
            catch_up(service, inbox)
            time.sleep(DAY_SECONDS)
        except (OSError, ValueError) as error:
            print(error, flush=True)
            time.sleep(MINUTE_SECONDS)
