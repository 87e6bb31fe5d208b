// Whatever webhooks did not bring: the log has each event once, in order.
import { readFile, writeFile } from 'node:fs/promises';

const CURSOR_FILE = 'cursor.txt';
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** Reads the log from where the last reading has ended; events that are there already are left as they are. */
async function catchUp({ baseUrl, jwt }, inbox) {
  let cursor = await readFile(CURSOR_FILE, 'utf8').catch(() => '');
  for (let hasMore = true; hasMore;) {
    const url = new URL('/v1/events', baseUrl);
    if (cursor !== '') url.searchParams.set('cursor', cursor);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${jwt}` } });
    if (answer.status === 422 && cursor !== '') {
      // Older than 31 days: the log is read from its beginning.
      cursor = '';
      continue;
    }
    if (!answer.ok) throw new Error(`GET /v1/events was answered ${answer.status}: ${await answer.text()}`);
    const page = await answer.json();
    for (const event of page.items) await inbox.store(event.id, JSON.stringify(event));
    // After its events: a cursor that is kept before them loses them with the process.
    cursor = page.cursor;
    await writeFile(CURSOR_FILE, cursor);
    hasMore = page.has_more;
  }
}

/** Now, and once a day; a minute later when it fails. */
export function catchUpDaily(service, inbox) {
  const again = (pauseMs) => setTimeout(() => catchUpDaily(service, inbox), pauseMs);
  catchUp(service, inbox).then(
    () => again(DAY_MS),
    (error) => {
      console.error(error.message);
      again(MINUTE_MS);
    },
  );
}
