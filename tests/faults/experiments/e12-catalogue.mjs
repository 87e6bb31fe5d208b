import { enrol, filesOf, makeScenes, newCustomer } from '../backfill.mjs';
import { check } from '../checker.mjs';
import { inspect, untilLooked } from '../imageryInspection.mjs';
import { pause } from '../quiet.mjs';

const LIMIT_MS = 3 * 60_000;
const MANY = 1_000_000;
/** One case may break a promise for every file; the first few tell enough. */
const SHOWN = 5;
const HOUR_MS = 3_600_000;
const search = { method: 'POST', path: '/v1/search' };

/** The catalogue's stand-in: `script` gives it faults to play, `items` are what it answers undisturbed. */
class Catalogue {
  #origin;

  constructor({ settings }) {
    this.#origin = new URL(settings.EARTH_SEARCH_URL).origin;
  }

  async script(faults) {
    const method = faults === undefined ? 'DELETE' : 'POST';
    const body = faults === undefined ? {} : { body: JSON.stringify(faults) };
    const answer = await fetch(`${this.#origin}/.control/faults`, { method, ...body });
    if (answer.status !== 204) throw new Error(`The catalogue takes no such faults: ${await answer.text()}`);
  }

  async searches() {
    const asked = await (await fetch(`${this.#origin}/.control/requests`)).json();
    return asked.filter(({ path }) => path === search.path).length;
  }

  async items() {
    const body = JSON.stringify({ limit: 100 });
    const answer = await fetch(`${this.#origin}${search.path}`, { method: 'POST', body });
    return (await answer.json()).features;
  }

  /** A page as a fault that answers it; `next` is what the link to the next page says. */
  page(features, { next, ...more } = {}) {
    const href = `${this.#origin}${search.path}`;
    const links = next === undefined ? [] : [{ rel: 'next', method: 'POST', href, merge: true, ...next }];
    const body = JSON.stringify({ type: 'FeatureCollection', features, links, ...more });
    return { kind: 'status', status: 200, ...search, headers: { 'content-type': 'application/geo+json' }, body };
  }
}

/** Pages of one scene each, the scenes over and over. */
const pagesOf = (catalogue, items, count) =>
  Array.from({ length: count }, (_, number) =>
    catalogue.page([items[number % items.length]], number + 1 < count ? { next: { body: { next: `${number}` } } } : {}),
  );

/** What the catalogue does: faults that last until they are taken away, or answers that must be understood. */
const cases = [
  { name: 'away', faults: () => [{ kind: 'status', status: 503, ...search, times: MANY }], isAway: true, hours: 2 },
  { name: 'throttled', faults: () => [{ kind: 'status', status: 429, retryAfter: '2', ...search, times: 3 }] },
  { name: 'half a page', faults: () => [{ kind: 'truncate', ...search, times: 3 }] },
  { name: 'no JSON', faults: () => [{ kind: 'garbage', ...search, times: 3 }] },
  {
    name: 'fewer scenes than it counts',
    faults: (catalogue, items) => [{ ...catalogue.page(items.slice(1), { numberMatched: items.length }), times: MANY }],
    isAway: true,
  },
  {
    name: 'pages in a circle',
    faults: (catalogue, items) => [
      { ...catalogue.page(items.slice(0, 1), { next: { body: { next: 'again' } } }), times: MANY },
    ],
    isAway: true,
  },
  {
    name: 'pages without end',
    faults: (catalogue, items) => pagesOf(catalogue, items, 500),
    isAway: true,
  },
  {
    name: 'a next page on another host',
    faults: (catalogue, items) => [
      { ...catalogue.page(items.slice(0, 1), { next: { href: 'https://127.0.0.1:1/v1/search' } }), times: MANY },
    ],
    isAway: true,
  },
  { name: 'each scene thrice', faults: (catalogue, items) => [catalogue.page([...items, ...items, ...items])] },
  { name: '50 pages', faults: (catalogue, items) => pagesOf(catalogue, items, 50) },
];

/** While a search fails nothing may be recorded: an outage is not "no imagery". */
async function checkAway(world, { name, hours = 0 }, { catalogue, customer, before, files }, breaches) {
  const deadline = Date.now() + 30_000;
  while ((await catalogue.searches()) <= before && Date.now() < deadline) await pause(200);
  for (let hour = 1; hour <= hours; hour += 1) {
    world.hosts[0].setClock(hour * HOUR_MS);
    await pause(3_000);
  }
  await pause(3_000);
  const searches = (await catalogue.searches()) - before;
  if (searches === 0) breaches.push(`${name}: the catalogue was never asked, so nothing was proven`);
  const names = await files.list();
  const rows = await world.storage.rows(
    'fieldDates',
    `PartitionKey eq '${customer.customer}' and RowKey ge 'O_' and RowKey lt 'O\`'`,
  );
  if (names.length + rows.length > 0)
    breaches.push(`${name}: ${names.length} files and ${rows.length} records of an outage`);
  await catalogue.script(undefined);
  return searches;
}

async function runCase(world, scenes, { one, customer, files, expected, limitMs }, breaches) {
  const catalogue = new Catalogue(world);
  await catalogue.script(one.faults(catalogue, await catalogue.items()));
  const before = await catalogue.searches();
  await enrol(world, scenes, customer);
  const seen = { catalogue, customer, before, files };
  const searches = one.isAway === true ? await checkAway(world, one, seen, breaches) : 0;
  const found = [];
  for (const fieldId of await untilLooked(files, scenes, limitMs)) found.push(`${fieldId} is lost`);
  await catalogue.script(undefined);
  const made = found.length === 0 ? await inspect(files, scenes, found) : new Map();
  for (const [name, checksum] of expected)
    if (made.get(name) !== checksum) found.push(`${name} is not as without a fault`);
  breaches.push(...found.slice(0, SHOWN).map((text) => `${one.name}: ${text}`));
  return searches;
}

/** What comes out when nothing goes wrong. */
async function undisturbed(world, scenes, breaches) {
  await enrol(world, scenes, world.service);
  const files = await filesOf(world, world.service);
  for (const fieldId of await untilLooked(files, scenes, LIMIT_MS)) breaches.push(`undisturbed: ${fieldId} is lost`);
  return inspect(files, scenes, breaches);
}

export const experiment = {
  id: 'E12',
  restsOn: ['scenes', 'imagery'],
  title: 'a catalogue that is away, sends half pages, circles, repetitions, 50 pages',
  passLine:
    '0 days of fields lost, 0 files twice or other than undisturbed, nothing recorded of an outage, loops refused',
  run: async (context) => {
    const scenes = makeScenes(context.size(3, 20), 5);
    const world = await context.start({ clock: true, environment: { STAC_DIR: scenes.folder } });
    const breaches = [];
    const expected = await undisturbed(world, scenes, breaches);
    const counts = { cases: 0, files: expected.size };
    const chosen = [];
    // Read access is minted before clocks move: one from hours ahead would not be valid yet.
    for (const [index, one] of cases.filter(({ name }) => name.includes(context.only)).entries()) {
      const customer = newCustomer(world, `case-${index}`);
      const files = await filesOf(world, customer);
      chosen.push({ one, customer, files, expected, limitMs: context.quietMs(LIMIT_MS) });
    }
    for (const each of chosen) {
      counts.cases += 1;
      const searches = await runCase(world, scenes, each, breaches);
      if (each.one.isAway === true) counts[`searches: ${each.one.name}`] = searches;
    }
    // The checker reads with access of its own, which a clock that is ahead would mint for later.
    world.hosts[0].setClock(0);
    const { breaches: found } = await check(world, { quietMs: context.quietMs(60_000) });
    scenes.remove();
    return { counts, breaches: [...breaches, ...found] };
  },
};
