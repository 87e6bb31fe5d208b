import { freePort } from '../../../infra/local/freePort.mjs';
import { farmTenant } from '../farmTenants.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { environmentOf, startReceiver } from '../noticeReceiver.mjs';
import { pause, until } from '../quiet.mjs';

const REACH_MS = 120_000;
const LOGGED_MS = 3_000;
const DELIVERED_MS = 5_000;
const LOOK_MS = 200;
const NEVER = Infinity;

const ten = (ms) => Array.from({ length: 10 }, () => ms);
/** What each receiver of the one tenant takes for an answer, milliseconds. */
const cases = [
  // What the machine takes by itself.
  { name: 'none', waits: [] },
  { name: 'all in 100 ms', waits: ten(100) },
  { name: 'all in 4.8 s', waits: ten(4_800) },
  { name: 'all in 14 s', waits: ten(14_000) },
  { name: 'one never', waits: [NEVER, ...ten(100).slice(1)] },
];

const p95Of = (values) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];

/** A receiver of all webhooks; it knows by the path how long it takes, and of the other tenant when events came. */
async function receiverOf(port, waits, cameAt) {
  const beforeAnswer = async (body, path) => {
    const wait = waits[path.split('-')[1]];
    if (wait === undefined) cameAt.set(JSON.parse(body).subject, Date.now());
    else await (wait === NEVER ? new Promise(() => undefined) : pause(wait));
  };
  return startReceiver({ port, beforeAnswer });
}

/** Webhooks of a tenant, asked for their consent. */
async function listen(client, urls) {
  const types = ['partner.job.*'];
  for (const url of urls) {
    const asked = { method: 'POST', body: { url, types } };
    const { status } = await client.insist(() => client.call('webhook', '/v1/webhooks', asked));
    if (status !== 201) throw new Error(`POST /v1/webhooks was answered ${status}.`);
  }
  return async () => {
    const { json } = await client.insist(() => client.call('webhook', '/v1/webhooks'));
    return json.items.every(({ status }) => status === 'enabled');
  };
}

/** Reads the log of the other tenant on and on. @returns when each subject was seen in it, and its `time` */
function watchLog(client) {
  const seen = new Map();
  const watch = { seen, ends: false };
  watch.done = (async () => {
    for (let cursor; !watch.ends; await pause(LOOK_MS)) {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await client.insist(() => client.call('events', `/v1/events?limit=200${query}`));
      for (const { subject, time } of json.items) seen.set(subject, { at: Date.now(), time: Date.parse(time) });
      ({ cursor } = json);
    }
  })();
  return watch;
}

/** Another tenant than the one whose events are timed, with fields for its jobs. */
async function neighbourIn(world) {
  const tenant = await farmTenant(world, 'foreign');
  const [{ id: partyId }] = (await tenant.get('parties')).json.value;
  const { value } = (await tenant.get(`parties/${partyId}/fields`)).json;
  return { many: tenant.client, land: { partyId, fieldIds: value.map(({ id }) => id) } };
}

/** One case in a world of its own: how late the events of the other tenant were. */
async function lagsIn(context, { waits }) {
  const port = await freePort();
  const world = await context.start({ environment: environmentOf(port), realWaits: true });
  const [other, cameAt] = [world.client, new Map()];
  const receiver = await receiverOf(port, waits, cameAt);
  try {
    const { many, land } = await neighbourIn(world);
    const areEnabled = [
      await listen(
        many,
        waits.map((_wait, number) => `${receiver.url}many-${number}`),
      ),
      await listen(other, [`${receiver.url}other`]),
    ];
    // A process that runs on believes for up to a minute that nobody listens.
    world.hosts[0].kill();
    for (const isEnabled of areEnabled)
      if (!(await until(REACH_MS, isEnabled))) throw new Error('Receivers were not asked for their consent.');
    const ids = Array.from({ length: context.size(20, 60) }, (_, number) => `other-${number}`);
    const watch = watchLog(other);
    for (let number = 0; number < 4 * waits.length; number += 1)
      await many.insist(() => many.create('gdd', `many-${number}`, gddParameters(land, number)));
    for (const [number, id] of ids.entries()) {
      await other.insist(() => other.create('gdd', id, gddParameters(world.service, number)));
      await pause(2_000);
    }
    await until(context.quietMs(REACH_MS), () => cameAt.size >= ids.length);
    watch.ends = true;
    await watch.done;
    const told = ids
      .map((id) => `/v1/gdd/${id}`)
      .map((subject) => ({ ...watch.seen.get(subject), cameAt: cameAt.get(subject) }));
    const lags = (of) => told.map(({ time, ...one }) => (time === undefined ? NEVER : (one[of] ?? NEVER) - time));
    return { logged: p95Of(lags('at')), delivered: p95Of(lags('cameAt')) };
  } finally {
    await receiver.stop();
    await context.stop(world);
  }
}

export const experiment = {
  id: 'E49',
  restsOn: ['notices', 'work'],
  title: 'ten receivers of one tenant that take long, and forty of its jobs',
  passLine: "95 % of another tenant's events are in its log within 3 s and delivered within 5 s",
  run: async (context) => {
    const [counts, breaches] = [{}, []];
    for (const one of cases.filter(({ name }) => name.includes(context.only))) {
      const { logged, delivered } = await lagsIn(context, one);
      counts[`${one.name}: loggedMs`] = logged;
      counts[`${one.name}: deliveredMs`] = delivered;
      if (logged > LOGGED_MS) breaches.push(`${one.name}: 95 % of the events were in the log after ${logged} ms`);
      if (delivered > DELIVERED_MS)
        breaches.push(`${one.name}: 95 % of the events were delivered after ${delivered} ms`);
    }
    return { counts, breaches };
  },
};
