// What a tenant's log of events and its receiver have of the jobs that have ended.
import { until } from './quiet.mjs';

const REACH_MS = 120_000;

export const subjectOf = (id) => `/v1/gdd/${id}`;

/** The whole log of the tenant, in order. */
export async function logOf({ client }) {
  const events = [];
  for (let cursor, hasMore = true; hasMore;) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, json } = await client.insist(() => client.call('events', `/v1/events?limit=200${query}`));
    if (status !== 200) throw new Error(`GET /v1/events was answered ${status}: ${JSON.stringify(json)}`);
    events.push(...json.items);
    ({ cursor, has_more: hasMore } = json);
  }
  return events;
}

/** A webhook whose receiver has consented; its owner is known to the host, which has just begun. */
export async function listen({ client, hosts }, { url }) {
  const body = { url, types: ['partner.job.*'] };
  const { json } = await client.insist(() => client.call('webhook', '/v1/webhooks', { method: 'POST', body }));
  // A process that runs on believes for up to a minute that nobody listens.
  hosts[0].kill();
  const path = `/v1/webhooks/${json.id}`;
  const isEnabled = async () => (await client.insist(() => client.call('webhook', path))).json.status === 'enabled';
  if (!(await until(REACH_MS, isEnabled))) throw new Error('The receiver was not asked for its consent.');
}

/** What the log and the receiver have of the jobs that have ended. */
export function compare(ids, log, bodies) {
  const breaches = [];
  for (const id of ids) {
    const told = log.filter(({ subject }) => subject === subjectOf(id));
    if (told.length === 0) breaches.push(`${id} has ended and is not in the log`);
    if (told.length > 1) breaches.push(`${id} is ${told.length} times in the log`);
    for (const event of told) {
      const came = bodies.get(event.id) ?? [];
      if (came.length === 0) breaches.push(`${id} is in the log and was not delivered`);
      if (new Set(came).size > 1) breaches.push(`${id} came with different bytes`);
      if (came.some((body) => JSON.stringify(JSON.parse(body)) !== JSON.stringify(event)))
        breaches.push(`${id} came otherwise than it is in the log`);
    }
  }
  const logged = new Set(log.map(({ id }) => id));
  for (const id of bodies.keys()) if (!logged.has(id)) breaches.push(`${id} was delivered and is not in the log`);
  const sequences = log.map(({ sequence }) => Number(sequence));
  if (sequences.some((sequence, index) => sequence !== sequences[0] + index)) breaches.push('the log has a gap');
  return breaches;
}
