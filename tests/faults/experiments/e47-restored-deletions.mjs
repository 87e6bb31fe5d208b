import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newCustomer } from '../backfill.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { farmTenant, idOf, newFarmTenants, requireStatus, squares } from '../farmTenants.mjs';
import { livedThrough } from '../livedThrough.mjs';
import { containerAt, lose } from '../lostAccount.mjs';
import { commandOf } from '../operatorCommand.mjs';
import { pause, until } from '../quiet.mjs';
import { programWith } from '../runningService.mjs';
import { submission } from '../submissions.mjs';
import { changesWithout } from '../variants.mjs';

/** When exports are taken: before anything is deleted, then so long behind the last answer. */
const moments = [
  { name: 'before', isKnown: false },
  { name: 'answered', afterMs: 0, isKnown: true },
  { name: 'marked', afterMs: 9_000, isKnown: true },
  { name: 'halfway', afterMs: 24_000, isKnown: true },
  { name: 'nearly', afterMs: 42_000, isKnown: true },
];
const ROUNDS = 'rounds';
/** A cascade delete of a party takes a minute, and so does an erasure. */
const LIMIT_MS = 240_000;
const FIELDS = 40;
/** Ids by what becomes of the parties. */
const parties = { cascaded: idOf(1), answered: idOf(2), erased: idOf(3), kept: idOf(4) };
const PARTIES = Object.keys(parties);
const LARGE = FIELDS + 1;
/** The field that is deleted by an answer; the first one has an insight. */
const ANSWERED = 2;

/** A ring of so many positions: its geometry has a file of its own. */
function largeField(index) {
  const [x, y] = [10 + index, 52];
  const ring = Array.from({ length: 6_000 }, (_, at) => {
    const angle = (at / 6_000) * 2 * Math.PI;
    return [x + 0.05 * Math.cos(angle), y + 0.05 * Math.sin(angle)];
  });
  return { farmId: 'farm', geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } };
}

const fieldOf = (party, number) => idOf(1 + PARTIES.indexOf(party), number);
const pathOf = (party, number) =>
  `parties/${parties[party]}${number === undefined ? '' : `/fields/${fieldOf(party, number)}`}`;
const NUMBERS = Array.from({ length: LARGE }, (_, index) => index + 1);
const everyPath = (party) => [
  pathOf(party),
  `${pathOf(party)}/farms/farm`,
  ...NUMBERS.map((number) => pathOf(party, number)),
];

/** Four parties with a farm, many fields and a job each. */
async function plant(farm) {
  for (const [number, party] of PARTIES.entries()) {
    requireStatus(await farm.patch(pathOf(party)), 201, party);
    requireStatus(await farm.patch(`${pathOf(party)}/farms/farm`), 201, `the farm of ${party}`);
    requireStatus(await farm.patch(pathOf(party, LARGE), largeField(number)), 201, 'a large field');
    requireStatus(
      await farm.import(
        parties[party],
        squares(party, FIELDS, (index) => fieldOf(party, index + 1)),
        party,
      ),
      202,
      'an import',
    );
  }
  const isWhole = async (party) => (await farm.get(pathOf(party, FIELDS))).status === 200;
  for (const [number, party] of PARTIES.entries()) {
    if (!(await until(LIMIT_MS, () => isWhole(party)))) throw new Error(`The import of ${party} has not ended.`);
    const parameters = gddParameters({ partyId: parties[party], fieldIds: [fieldOf(party, 1)] }, number);
    requireStatus(await farm.client.insist(() => farm.client.create('gdd', party, parameters)), 202, 'a job');
  }
  for (const party of PARTIES)
    if (!(await until(LIMIT_MS, async () => (await jobOf(farm, party)).json.status === 'SUCCEEDED')))
      throw new Error(`The job of ${party} has not ended.`);
}

const jobOf = (farm, party) => farm.client.insist(() => farm.client.fetch('gdd', party));

/** A customer with an enrollment. */
async function enrolled(world, name, apiKey = newCustomer(world, name).apiKey) {
  const fieldIds = [`${name}-1`, `${name}-2`];
  const reply = await world.client.insist(() => submission(world.client, { apiKey }, { fieldIds }));
  requireStatus(reply, 202, 'a submission');
  const id = reply.json.enrollment_id;
  const get = (path) => world.client.insist(() => world.client.call('get', path, { headers: { 'api-key': apiKey } }));
  const isDone = async () => (await get(`/v1/enrollments/${id}`)).json.status === 'completed';
  if (!(await until(LIMIT_MS, isDone))) throw new Error(`The enrollment of ${name} has not ended.`);
  return { name, paths: [`/v1/enrollments/${id}`, '/v1/fields'], get };
}

/** What callers are answered of what stays. */
async function answersOf({ farm, stays, answered }) {
  const answers = {};
  const paths = [...everyPath('kept'), ...everyPath('answered').filter((path) => path !== answered)];
  for (const path of paths) {
    const { status, json } = await farm.get(path);
    answers[path] = JSON.stringify([status, json]);
  }
  for (const path of stays.paths) {
    const { status, json } = await stays.get(path);
    answers[path] = JSON.stringify([status, json]);
  }
  const { status, json } = await jobOf(farm, 'kept');
  answers['a job'] = JSON.stringify([status, json.status, json.insightId]);
  return answers;
}

/** Has everything deleted that is to be; all of it goes on when this returns. @returns the program of the operator */
async function deleteAll(world, { farm, operator, leaves, answered }) {
  const env = { ...process.env, LOCAL_DIR: world.directory };
  const erasing = execFile(process.execPath, ['build/local/farm.mjs', 'erase', farm.tenant, parties.erased, '--yes'], {
    env,
  });
  const target = { customer: leaves.name, confirm: leaves.name };
  const body = { command: 'customers.purge', target, reason: 'The customer has left.' };
  requireStatus(await operator.call('/operate/v1/commands', { method: 'POST', body }), 202, 'a purge');
  requireStatus(await farm.cascade(parties.cascaded, 'all-of-it'), 202, 'a cascade delete');
  requireStatus(await farm.remove(answered), 204, 'a deletion');
  return erasing;
}

/** Whether the tombstones of the erasure and of the purge lie beside the exports. */
async function areKept(world) {
  const kept = [];
  const container = containerAt(world, 'BACKUP_STORAGE__blobServiceUri', 'tombstones');
  for await (const { name } of container.listBlobsFlat()) kept.push(name.split('/')[0]);
  return kept.includes('erased') && kept.includes('purged');
}

/** Exports at each moment while the host dies again and again. */
async function exportsOf(world, scene, { backup, folder, chosen }) {
  const taken = [];
  const take = async ({ name }) => {
    await backup(world, 'export', join(folder, name));
    taken.push(name);
  };
  for (const moment of chosen.filter(({ isKnown }) => !isKnown)) await take(moment);
  const erasing = await deleteAll(world, scene);
  const since = Date.now();
  let kills = 0;
  for (const moment of chosen.filter(({ isKnown }) => isKnown)) {
    await pause(since + moment.afterMs - Date.now());
    await take(moment);
    if (world.hosts[0].kill()) kills += 1;
  }
  // The tombstones are written by then: what no export knows of must have begun.
  if (!(await until(60_000, () => areKept(world)))) throw new Error('No tombstones were kept.');
  world.hosts[0].freeze();
  erasing.kill();
  return kills;
}

const jobPath = 'parties/cascade-delete/all-of-it';

/** What must be so in the end, by what it is. Each is asked until it is. */
function endsOf(world, { farm }, { isKnown }) {
  const row = `PartitionKey eq '${farm.tenant}|${parties.answered}' and RowKey eq '${fieldOf('answered', ANSWERED)}'`;
  const erased = `PartitionKey eq '~erased' and RowKey eq '${farm.tenant}|${parties.erased}'`;
  const isErased = async () => (await world.storage.rows('farmParties', erased))[0]?.isOpen === false;
  return {
    'the erasure has come to its end': isErased,
    ...(isKnown
      ? {
          'the cascade delete has come to its end': async () => (await farm.get(jobPath)).json.status === 'Succeeded',
          'the field is deleted': async () => (await world.storage.rows('farmFields', row)).length === 0,
        }
      : {}),
  };
}

/** Paths that nobody may read from the restore on, by what was done about them. */
const gonePaths = ({ answered }, { isKnown }) => [
  ...everyPath('erased').map((path) => ({ path, what: 'was erased' })),
  ...(isKnown ? [{ path: answered, what: 'was deleted (204)' }] : []),
];

/** Reads what is gone on and on. @returns what was read of it */
function watchGone(farm, gone) {
  const found = new Map();
  const watch = { ends: false, found, gone: [...gone] };
  watch.done = (async () => {
    while (!watch.ends) {
      for (const { path, what } of watch.gone) {
        const { status } = await farm.get(path);
        if (status !== 404) found.set(path, `${path}, which ${what}, is answered ${status}`);
      }
      const { status } = await jobOf(farm, 'erased');
      if (status !== 404) found.set('job', `the job of what was erased is answered ${status}`);
      await pause(500);
    }
  })();
  return watch;
}

/** What is left of the purged customer, and of what was erased or deleted with all below it. */
async function leftOf(world, { farm, leaves }, { isKnown }) {
  const left = [];
  for (const name of ['enrollments', 'fields', 'fieldDates'])
    for (const { rowKey } of await world.storage.rows(name, `PartitionKey eq '${leaves.name}'`))
      left.push(`${name} ${rowKey} of the purged customer`);
  const [customers] = [await world.storage.rows('customers')];
  for (const { partitionKey, rowKey, customer } of customers)
    if (partitionKey !== 'purged' && [rowKey, customer].includes(leaves.name)) left.push(`${partitionKey} ${rowKey}`);
  const { status } = await leaves.get('/v1/enrollments');
  if (status !== 401) left.push(`the key of the purged customer, answered ${status},`);
  for (const party of isKnown ? ['erased', 'cascaded'] : ['erased']) {
    for (const name of ['farmFarms', 'farmFields', 'farmInsights'])
      for (const { rowKey } of await world.storage.rows(name, `PartitionKey eq '${farm.tenant}|${parties[party]}'`))
        left.push(`${name} ${rowKey} of ${party}`);
    const prefix = `${farm.tenant}/${parties[party]}/`;
    for await (const { name } of world.storage.container('farm-data').listBlobsFlat({ prefix })) left.push(name);
  }
  return left.map((what) => `I23: ${what} is left`);
}

/** Restores one export into the emptied accounts and waits for what it owes. @returns what is wrong */
async function restored(world, scene, { backup, folder, moment, before }) {
  const { farm } = scene;
  world.hosts[0].freeze();
  await lose(world);
  await backup(world, 'import', join(folder, moment.name));
  world.hosts[0].kill();
  const breaches = [];
  const watch = watchGone(farm, gonePaths(scene, moment));
  const answers = await answersOf(scene);
  for (const [what, answer] of Object.entries(before))
    if (answers[what] !== answer)
      breaches.push(`${what} is not whole: was ${answer}, is ${answers[what]}`.slice(0, 300));
  const ends = Object.entries(endsOf(world, scene, moment));
  const deadline = Date.now() + LIMIT_MS;
  for (const [what, isSo] of ends) {
    if (!(await until(Math.max(1, deadline - Date.now()), isSo))) breaches.push(`I22: not so for ever: ${what}`);
  }
  watch.ends = true;
  await watch.done;
  breaches.push(...[...watch.found.values()].slice(0, 5).map((text) => `I23: ${text}`));
  breaches.push(...(await leftOf(world, scene, moment)));
  const free = moment.isKnown ? [pathOf('cascaded'), scene.answered] : [];
  for (const path of [pathOf('erased'), ...free]) {
    const { status, json } = await farm.patch(path, path === scene.answered ? { farmId: 'farm' } : {});
    if (status !== 201) breaches.push(`I22: ${path} can not be created: ${status} ${JSON.stringify(json)}`);
  }
  return breaches.map((text) => `restored (${moment.name}): ${text}`);
}

/** The drill on the running service. */
async function drill(context, chosen) {
  const world = await context.start({ without: [] });
  const folder = mkdtempSync(join(tmpdir(), 'deletions-'));
  const program = await programWith(changesWithout(context.without), 'backup');
  const backup = commandOf(program);
  try {
    const [farm] = await newFarmTenants(world, 1);
    const operator = await farmTenant(world, 'operator', 'Operate');
    const [stays, leaves] = [
      await enrolled(world, world.service.customer, world.service.apiKey),
      await enrolled(world, 'leaves'),
    ];
    await plant(farm);
    const scene = { farm, operator, stays, leaves, answered: pathOf('answered', ANSWERED) };
    const before = await answersOf(scene);
    const kills = await exportsOf(world, scene, { backup, folder, chosen });
    const breaches = [];
    for (const moment of chosen) breaches.push(...(await restored(world, scene, { backup, folder, moment, before })));
    return { counts: { restores: chosen.length, kills }, breaches };
  } finally {
    for (const used of [folder, dirname(program)]) rmSync(used, { recursive: true, force: true });
  }
}

export const experiment = {
  id: 'E47',
  restsOn: ['operate', 'farm', 'work'],
  title: 'exports amid a cascade delete, an answered deletion, an erasure and a purge; each restored into nothing',
  passLine: 'each goes on to its end by itself, nothing of it can be read, and all else is back whole',
  run: async (context) => {
    const chosen = moments.filter(({ name }) => name.includes(context.only));
    const lived = ROUNDS.includes(context.only)
      ? (await livedThrough('farmRestores', context, { rounds: context.size(40, 400) }))[0]
      : { counts: {}, breaches: [] };
    const drilled = chosen.length > 0 ? await drill(context, chosen) : { counts: {}, breaches: [] };
    return { counts: { ...lived.counts, ...drilled.counts }, breaches: [...lived.breaches, ...drilled.breaches] };
  },
};
