import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { idOf, newFarmTenants } from '../farmTenants.mjs';
import { pause } from '../quiet.mjs';

/** As many as a field may have; half of them round its hole. */
const CORNERS = 99_980;
const SEARCH_CORNERS = 999;
const LARGE_FIELDS = 5;
const ALONE_MS = 15_000;
const FLOOD_MS = 60_000;
const CALLERS = 6;
/** What another tenant may wait for a small GET: so many times what it waits alone, or so long. */
const WAIT_FACTOR = 5;
const USUAL_WAIT_MS = 100;
const VERSION = 'api-version=2023-11-01-preview';

/** A wavy ring of about 900 m, counter-clockwise. */
function ring(corners, size) {
  const outline = Array.from({ length: corners }, (_, index) => {
    const angle = (index / corners) * 2 * Math.PI;
    const radius = size * (1 + 0.1 * Math.sin(7 * angle));
    return [13 + 0.006 * radius * Math.cos(angle), 48 + 0.004 * radius * Math.sin(angle)];
  });
  return [...outline, outline[0]];
}

const largeField = { type: 'Polygon', coordinates: [ring(CORNERS / 2, 1), ring(CORNERS / 2, 0.8).toReversed()] };
const PARTY = idOf(1);
const fieldPath = (number) => `parties/${PARTY}/fields/${idOf(1, number + 1)}`;

/** What the one tenant asks for in turns. */
const asks = [
  (farm, number) => farm.get(fieldPath(number % LARGE_FIELDS)),
  (farm) => {
    const ids = Array.from({ length: LARGE_FIELDS }, (_, number) => idOf(1, number + 1)).join(',');
    return farm.client.call('flood', `/v1/parties/${PARTY}/fields.geojson?ids=${ids}`);
  },
  (farm) => {
    const intersectsWithGeometry = { type: 'Polygon', coordinates: [ring(SEARCH_CORNERS, 0.79)] };
    const body = { partyId: PARTY, intersectsWithGeometry };
    return farm.client.call('flood', `/fields:search?${VERSION}`, { method: 'POST', body });
  },
  (farm, number) => farm.patch(fieldPath(number % LARGE_FIELDS), { geometry: largeField }),
];

/** One caller after the other's answer, on and on. @returns how many were answered */
async function flood(farm, endsAt) {
  let answered = 0;
  const caller = async (first) => {
    for (let number = first; Date.now() < endsAt; number += 1, answered += 1)
      await asks[number % asks.length](farm, number);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, first) => caller(first)));
  return answered;
}

/** How long small GETs took while something else was done. @returns its p95, ms, and what the other gave */
async function waitsDuring(smallGet, during) {
  const asking = new Worker(new URL('../../bench/stalls/smallGets.mjs', import.meta.url), { workerData: smallGet });
  try {
    const given = await during();
    asking.postMessage('end');
    const [waits] = await once(asking, 'message');
    const sorted = waits.toSorted((a, b) => a - b);
    return { p95: Math.round(sorted[Math.floor((sorted.length - 1) * 0.95)]), given };
  } finally {
    await asking.terminate();
  }
}

export const experiment = {
  id: 'E52',
  restsOn: ['farm', 'http', 'access'],
  title: `a flood of geometries of ${CORNERS} corners from one tenant while another works`,
  passLine: "p95 of the other tenant's small GET is at most five times that alone, or 100 ms",
  run: async (context) => {
    const world = await context.start({ realWaits: true });
    const [many, other] = await newFarmTenants(world, 2);
    await many.patch(`parties/${PARTY}`);
    for (let number = 0; number < LARGE_FIELDS; number += 1) {
      const { status } = await many.patch(fieldPath(number), { geometry: largeField });
      if (status !== 201) throw new Error(`A large field was answered ${status}.`);
    }
    const [origin] = world.client.baseUrls;
    const smallGet = { url: `${origin}/v1/jobs?limit=1`, headers: { authorization: `Bearer ${other.jwt}` } };
    // The first calls after a start are slow.
    await waitsDuring(smallGet, () => pause(ALONE_MS));
    const { p95: aloneMs } = await waitsDuring(smallGet, () => pause(ALONE_MS));
    const endsAt = Date.now() + FLOOD_MS;
    const { p95: besideMs, given: answered } = await waitsDuring(smallGet, () => flood(many, endsAt));
    const mostMs = Math.max(WAIT_FACTOR * aloneMs, USUAL_WAIT_MS);
    return {
      counts: { aloneMs, besideMs, answered },
      breaches: besideMs > mostMs ? [`I28: another tenant's p95 is ${besideMs} ms, alone ${aloneMs} ms`] : [],
    };
  },
};
