import { check } from '../checker.mjs';
import { fetchAll, gddParameters } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

/** Longer than a cancel takes to come to its write, shorter than a lease. */
const BARRIER_MS = 4_000;

/** Which job a transaction of table work ends, and how. */
function endOf({ service, method, body }) {
  if (service !== 'table' || method !== 'POST') return undefined;
  const text = body.toString('utf8');
  const [, id] = /JOB\|[^|]*\|[^|]*\|(race-\d+)/.exec(text) ?? [];
  const status = /\\"status\\":\\"(SUCCEEDED|CANCELLED)\\"/.exec(text)?.[1];
  return id === undefined || status === undefined ? undefined : { id, status };
}

/** Holds the two writes that want to end a job until both are there, then lets them go in the order of a coin. */
class Barrier {
  #waiting = new Map();
  /** Those who have met: what is written after the end of a job, while its insight is taken back, meets nobody. */
  #met = new Set();
  #random;
  #onHeld;
  meetings = 0;

  constructor(random, onHeld) {
    this.#random = random;
    this.#onHeld = onHeld;
  }

  async pass(request) {
    const end = endOf(request);
    if (end === undefined || this.#met.has(end.id)) return;
    const other = this.#waiting.get(end.id);
    if (other === undefined) {
      await this.#hold(end);
    } else if (other.status !== end.status) {
      this.#waiting.delete(end.id);
      this.#met.add(end.id);
      this.meetings += 1;
      const isFirst = this.#random() < 0.5;
      if (isFirst) setTimeout(other.go, 15);
      else {
        other.go();
        await pause(15);
      }
    }
  }

  #hold(end) {
    return new Promise((resolve) => {
      this.#waiting.set(end.id, { status: end.status, go: resolve });
      if (end.status === 'SUCCEEDED') this.#onHeld(end.id);
      setTimeout(() => {
        if (this.#waiting.get(end.id)?.go === resolve) this.#waiting.delete(end.id);
        resolve();
      }, BARRIER_MS);
    });
  }
}

export const experiment = {
  id: 'E6',
  restsOn: ['jobs', 'work', 'storage'],
  title: 'a cancel and the completion of the same job meet at its row',
  passLine: 'no breach of I4; each of the two wins at least 10 % of the meetings',
  run: async (context) => {
    const count = context.size(200, 500);
    const world = await context.start({ proxied: true });
    const cancels = [];
    const barrier = new Barrier(world.random, (id) => {
      cancels.push(world.client.insist(() => world.client.cancel('gdd', id)));
    });
    world.proxy.onRequest((request) => barrier.pass(request));
    const ids = Array.from({ length: count }, (_, number) => `race-${number}`);
    for (const [number, id] of ids.entries())
      await world.client.insist(() => world.client.create('gdd', id, gddParameters(world.service, number)));
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(180_000) });
    await Promise.all(cancels);
    await fetchAll(
      world,
      ids.map((id) => ({ kind: 'gdd', id })),
    );
    const { meetings } = barrier;
    if (meetings < count * 0.9) breaches.push(`only ${meetings} of ${count} pairs met`);
    for (const winner of ['succeeded', 'cancelled'])
      if (counts[winner] < count * 0.1) breaches.push(`${winner} won only ${counts[winner]} of ${count} meetings`);
    return { counts: { meetings, ...counts }, breaches };
  },
};
