// Another tenant's small GETs, ten a second, on a thread of their own: what the client of a case does must not count.
import { parentPort, workerData } from 'node:worker_threads';

const PROBE_EVERY_MS = 100;
const { url, headers } = workerData;
const waits = [];
const asked = new Set();

/** A connection that was kept while nobody asked may have been closed. */
function unlessReset(error) {
  if (error.cause?.code !== 'ECONNRESET') throw error;
}

/** Where storage is too busy, all tries count. */
async function answered() {
  for (;;) {
    const answer = await fetch(url, { headers }).catch(unlessReset);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    if (answer !== undefined && answer.status !== 503) throw new Error(`${answer.status} to the small GET`);
  }
}

const asking = setInterval(() => {
  const startedAt = performance.now();
  const answer = answered().then(() => {
    waits.push(performance.now() - startedAt);
    asked.delete(answer);
  });
  asked.add(answer);
}, PROBE_EVERY_MS);

parentPort.once('message', async () => {
  clearInterval(asking);
  await Promise.all(asked);
  parentPort.postMessage(waits);
});
