import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../infra/local/freePort.mjs';
import { standingInLanes } from '../checks/lanes.mjs';
import { farmTenant, fieldsIn, idOf, newFarmTenants, requireStatus, squares } from '../farmTenants.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { environmentOf, startReceiver } from '../noticeReceiver.mjs';
import { pause, until, untilNothingOpen } from '../quiet.mjs';
import { programWith } from '../runningService.mjs';
import { changesWithout } from '../variants.mjs';

const LIMIT_MS = 240_000;
/** All that was held, on a busy machine. */
const END_MS = 600_000;
/** A process believes for ten seconds that nobody is held; then leases of the dead end, and sweeps come. */
const STILL_MS = 60_000;
const RELEASED_MS = 60_000;
/** An erasure, from the command to its end, behind eight imports that take as long as that by themselves. */
const ERASED_MS = 180_000;
/** A tenant is silent for two minutes before its purge begins. */
const PURGED_MS = 300_000;
/** More than the days that a job waits for all that is away together. */
const DAYS_MS = 80 * 3_600_000;
/** How long a host lives behind its first answer. */
const SERVED_MS = 12_000;

const LAND = idOf(1);
const IMPORTED = idOf(2);
const ERASED = idOf(3);
const SWEPT = idOf(4);
const FIELDS_OF_LAND = 10;
const FIELDS_OF_IMPORT = 1_200;

/** A party with a few fields that jobs can be about. */
async function plantLand(farm, partyId = LAND) {
  requireStatus(await farm.patch(`parties/${partyId}`), 201, 'a party');
  const { features } = squares('land', FIELDS_OF_LAND);
  for (const [index, { geometry }] of features.entries()) {
    const path = `parties/${partyId}/fields/${idOf(1, index + 1)}`;
    requireStatus(await farm.patch(path, { geometry }), 201, 'a field');
  }
}

const landOf = () => ({
  partyId: LAND,
  fieldIds: Array.from({ length: FIELDS_OF_LAND - 1 }, (_, index) => idOf(1, index + 1)),
});

async function createJobs(farm, land, ids) {
  const create = async (id, number) =>
    requireStatus(await farm.client.insist(() => farm.client.create('gdd', id, gddParameters(land, number))), 202, id);
  await Promise.all(ids.map(create));
}

const numbered = (word, count) => Array.from({ length: count }, (_, number) => `${word}-${number}`);

/** Starts imports of so many fields each. @returns their ids */
async function startImports(farm, partyId, { word, count, fields }) {
  const ids = [];
  for (const name of numbered(word, count)) {
    const { status, json } = await farm.import(partyId, squares(name, fields), name);
    requireStatus({ status, json }, 202, 'an import');
    ids.push(json.id);
  }
  return ids;
}

/** Kills the host again and again when it has served for a while. @returns what ends that, and says how often */
function killing(world, servedMs = SERVED_MS) {
  const killer = { kills: 0, ends: false };
  const isServing = async () => (await world.client.call('health', '/health', { timeoutMs: 2_000 })).status === 200;
  killer.done = (async () => {
    while (!killer.ends) {
      if (!(await until(LIMIT_MS, async () => killer.ends || (await isServing())))) break;
      await until(servedMs, async () => killer.ends);
      if (!killer.ends && world.hosts[0].kill()) killer.kills += 1;
    }
  })();
  return async () => {
    killer.ends = true;
    await killer.done;
    return killer.kills;
  };
}

async function commanded(operator, command, target) {
  const body = { command, target, reason: 'An experiment about what is held.' };
  const answer = await operator.call('/operate/v1/commands', { method: 'POST', body });
  if (answer.outcome !== 'ok') throw new Error(`${command} was answered ${answer.status}.`);
  return answer.json;
}

/** Open work of tenants by row key: of jobs and imports. */
async function openWorkOf(world, tenants) {
  const rows = [...(await world.storage.work('gdd')), ...(await world.storage.work('import'))];
  return rows.filter(({ rowKey }) => tenants.some(({ tenant }) => rowKey.split('|')[2] === tenant));
}

const laneOf = ({ parked }) => (parked === undefined ? '' : JSON.parse(parked).lane);
const isHeldBack = (row) => laneOf(row).startsWith('held|');
/** Those behind the first ones have no slot among their own, and wait there. */
const stands = (row) => laneOf(row) !== '';

/** Whether the latest attempt met somebody who is away. */
const isRefused = ({ failures }) => JSON.parse(failures).outage !== undefined;

/** What must not change while nothing is done: attempts, tokens of attempts and places by work, and rows that were written. */
async function stillOf(world, { many, away }) {
  const work = (await openWorkOf(world, [many, away])).map((row) => [
    row.rowKey,
    [row.attempts, row.epoch, row.claim, row.place, row.failures].join(' '),
  ]);
  return { work: new Map(work), fields: (await fieldsIn(world, many, IMPORTED)).length };
}

/** What another tenant waits for when it has some jobs and a small import. @returns milliseconds */
async function roundOf(other, name) {
  const startedAt = Date.now();
  const ids = numbered(name, 6);
  await createJobs(other, landOf(), ids);
  const [importId] = await startImports(other, LAND, { word: name, count: 1, fields: 400 });
  const hasEnded = async (id) =>
    (await other.client.insist(() => other.client.fetch('gdd', id))).json.status === 'SUCCEEDED';
  const isDone = async () => {
    for (const id of ids) if (!(await hasEnded(id))) return false;
    return (await other.call(`/v1/imports/${importId}`)).json.status === 'Succeeded';
  };
  if (!(await until(LIMIT_MS, isDone))) throw new Error(`The round ${name} of the other tenant has not ended.`);
  return Date.now() - startedAt;
}

/** A webhook of a tenant whose receiver has consented. */
async function listen({ world, farm, url }) {
  const body = { url, types: ['partner.job.*'] };
  const { status, json } = await farm.call('/v1/webhooks', { method: 'POST', body });
  requireStatus({ status, json }, 201, 'a webhook');
  // A process that runs on believes for up to a minute that nobody listens.
  world.hosts[0].kill();
  const isEnabled = async () => (await farm.call(`/v1/webhooks/${json.id}`)).json.status === 'enabled';
  if (!(await until(LIMIT_MS, isEnabled))) throw new Error('The receiver was not asked for its consent.');
}

/** Tenants with their land, and a receiver of the one that is to be held. */
async function plantAll(context) {
  const port = await freePort();
  const world = await context.start({ proxied: true, environment: environmentOf(port), clock: true });
  const receiver = await startReceiver({ port, beforeAnswer: () => Promise.resolve() });
  const [many, other, away] = await newFarmTenants(world, 3);
  const operator = await farmTenant(world, 'operator', 'Operate');
  for (const farm of [many, other, away]) await plantLand(farm);
  for (const partyId of [IMPORTED, ERASED, SWEPT])
    requireStatus(await many.patch(`parties/${partyId}`), 201, 'a party');
  const [first] = await startImports(many, ERASED, { word: 'erased', count: 1, fields: 50 });
  const [second] = await startImports(many, SWEPT, { word: 'swept', count: 1, fields: 50 });
  for (const id of [first, second])
    await until(LIMIT_MS, async () => (await many.call(`/v1/imports/${id}`)).json.status === 'Succeeded');
  await listen({ world, farm: many, url: receiver.url });
  return { world, receiver, many, other, away, operator };
}

/** Everything that the tenants have asked for when they are held. */
async function askAll({ world, many, away }, size) {
  world.proxy.add({
    ...{ kind: 'status', status: 503, service: 'table' },
    matches: ({ method, path }) => method === 'GET' && path.includes('farmFields') && path.includes(away.tenant),
  });
  const waiting = numbered('away', 10);
  await createJobs(away, landOf(), waiting);
  const haveFailed = async () => (await openWorkOf(world, [away])).filter(isRefused).length === waiting.length;
  if (!(await until(LIMIT_MS, haveFailed))) throw new Error('The jobs of the outage have not failed.');
  const jobs = numbered('many', size);
  const early = jobs.slice(0, 5);
  await createJobs(many, landOf(), early);
  const imports = await startImports(many, IMPORTED, { word: 'held', count: 8, fields: FIELDS_OF_IMPORT });
  await startImports(many, ERASED, { word: 'ended', count: 2, fields: FIELDS_OF_IMPORT });
  await createJobs(many, landOf(), jobs.slice(5));
  requireStatus(await many.cascade(SWEPT, 'swept'), 202, 'a cascade delete');
  requireStatus(await many.remove(`parties/${LAND}/fields/${idOf(1, FIELDS_OF_LAND)}`), 204, 'a deletion');
  return { jobs, waiting, imports };
}

/** What goes on while the tenant is held, by its name: whether it has ended. */
function goesOn({ world, many, receiver }, erasing) {
  const rowsOf = (name, filter) => world.storage.rows(name, filter, ['RowKey']);
  const isGone = async (partyId) =>
    (await fieldsIn(world, many, partyId)).length === 0 &&
    (await rowsOf('farmParties', `PartitionKey eq '${many.tenant}' and RowKey eq '${partyId}'`)).length === 0;
  const field = `PartitionKey eq '${many.tenant}|${LAND}' and RowKey eq '${idOf(1, FIELDS_OF_LAND)}'`;
  const areTold = async () => {
    const ended = (await world.storage.jobs()).filter(({ tenant, endedAt }) => tenant === many.tenant && endedAt);
    const told = subjectsOf(receiver);
    return ended.every(({ jobId }) => told.includes(`/v1/gdd/${jobId}`));
  };
  return {
    'the erasure of a party': async () => erasing.state.ended === 'erased' && (await isGone(ERASED)),
    'the cascade delete': () => isGone(SWEPT),
    'the answered deletion': async () => (await rowsOf('farmFields', field)).length === 0,
    'the events of what had ended': areTold,
  };
}

const subjectsOf = ({ bodies }) => [...bodies.values()].map(([body]) => JSON.parse(body).subject);

/** The operator's program for farm data. */
const farmProgram = (context) => {
  const own = context.without.filter((name) => name === 'eraseApart');
  return programWith(changesWithout(own), 'farm');
};

/** An operator's erasure of a party; `state.ended` says what came of it. */
function erasureBy(program, { directory }, { tenant }, partyId) {
  const env = { ...process.env, LOCAL_DIR: directory };
  const state = { ended: 'open' };
  const ending = promisify(execFile)(process.execPath, [program, 'erase', tenant, partyId, '--yes'], { env });
  ending.then(
    () => (state.ended = 'erased'),
    ({ stderr }) => (state.ended = stderr),
  );
  const stop = () => {
    ending.child.kill();
    rmSync(dirname(program), { recursive: true, force: true });
  };
  return { state, stop };
}

/** What the operator is shown of what is held. */
async function shownWrong({ world, many, away, operator }) {
  const wrong = [];
  const rows = await openWorkOf(world, [many, away]);
  const heldBack = rows.filter(isHeldBack);
  if (rows.length === 0) wrong.push('nothing was left to hold');
  if (!rows.every(stands)) wrong.push(`not all that is open waits, as ${rows.find((row) => !stands(row)).rowKey}`);
  const { held } = (await operator.call('/operate/v1/state')).json;
  if (held !== heldBack.length) wrong.push(`the state shows ${held} held of ${heldBack.length}`);
  for (const kind of ['import', 'gdd']) {
    const { items } = (await commanded(operator, 'work.list', { kind })).result;
    const shown = items.filter(({ isHeld }) => isHeld === true).length;
    const wanted = heldBack.filter(({ rowKey }) => rowKey.startsWith(`W|${kind}|`)).length;
    if (shown !== Math.min(wanted, 100)) wrong.push(`work.list shows ${shown} of kind ${kind} held, of ${wanted}`);
  }
  const { status } = await many.client.call('farm', '/v1/imports/none');
  if (status === 404) wrong.push('the token of the held tenant is taken');
  return wrong;
}

const differing = (before, after) => [...after].filter(([key, value]) => before.get(key) !== value);

/** The time of the hold. @returns what is wrong, and how long another tenant waited */
async function held(scene, erasing) {
  const { world, other } = scene;
  const breaches = [];
  let stop = killing(world);
  const allStand = async () => (await openWorkOf(world, [scene.many, scene.away])).every(stands);
  if (!(await until(STILL_MS, allStand))) breaches.push(`not all waits ${STILL_MS / 1000} s behind the hold`);
  const before = await stillOf(world, scene);
  const ends = Object.entries(goesOn(scene, erasing));
  const deadline = Date.now() + LIMIT_MS;
  for (const [what, isSo] of ends) {
    if (!(await until(Math.max(1, deadline - Date.now()), isSo))) breaches.push(`${what} does not go on while held`);
  }
  let kills = await stop();
  await roundOf(other, 'settled');
  const besideMs = await roundOf(other, 'beside');
  // The waiting days of a job are counted by the clock, and only by attempts that failed.
  world.hosts[0].setClock(DAYS_MS);
  stop = killing(world);
  await pause(20_000);
  kills += await stop();
  await until(LIMIT_MS, async () => (await other.get(`parties/${LAND}`)).status === 200);
  breaches.push(...(await shownWrong(scene)));
  const after = await stillOf(world, scene);
  if (after.fields !== before.fields) breaches.push(`the rows grew while held: ${before.fields}, then ${after.fields}`);
  const changed = differing(before.work, after.work);
  if (changed.length > 0)
    breaches.push(`${changed.length} were tried while held, as ${changed[0]}: ${before.work.get(changed[0][0])}`);
  return { breaches, kills, besideMs, counts: { heldItems: after.work.size, fieldsHeld: after.fields } };
}

/** From the release to the end of everything. */
async function released({ world, many, away, operator, receiver }, { jobs, waiting, imports }, context) {
  const breaches = [];
  const fieldsBefore = (await fieldsIn(world, many, IMPORTED)).length;
  const epochs = new Map((await openWorkOf(world, [away])).map(({ rowKey, epoch }) => [rowKey, epoch]));
  for (const { tenant } of [many, away]) await commanded(operator, 'tenants.release', { tenant });
  const areSent = async () => {
    const isOpen = (await openWorkOf(world, [many, away])).some(isHeldBack);
    return !isOpen && (await fieldsIn(world, many, IMPORTED)).length > fieldsBefore;
  };
  const releasedAt = Date.now();
  if (!(await until(RELEASED_MS, areSent))) breaches.push('the work is not sent within a minute of the release');
  const sentMs = Date.now() - releasedAt;
  // Its fields are still away: what was away before the hold fails once more, and has its day.
  const isTried = ({ rowKey, epoch, claim }) => claim === undefined && epoch !== epochs.get(rowKey);
  const areTried = async () => (await openWorkOf(world, [away])).every(isTried);
  if (!(await until(RELEASED_MS, areTried))) breaches.push('the jobs of the outage are not tried after the release');
  world.hosts[0].kill();
  world.proxy.clear();
  const openIn = async () => (await openWorkOf(world, [many, away])).length;
  const isOver = async () => (await openIn()) === 0;
  if (!(await until(context.quietMs(END_MS), isOver))) breaches.push(`${await openIn()} have no end`);
  for (const [farm, ids] of [
    [many, jobs],
    [away, waiting],
  ])
    // prettier-ignore
    for (const id of ids) {
      const { json } = await farm.client.insist(() => farm.client.fetch('gdd', id));
      if (json.status !== 'SUCCEEDED') breaches.push(`I1: ${id} is ${json.status}: ${json.message ?? json.errorMessage}`);
    }
  for (const id of imports) {
    const { json } = await many.call(`/v1/imports/${id}`);
    if (json.status !== 'Succeeded' || json.written !== FIELDS_OF_IMPORT)
      breaches.push(`I24: an import ended ${JSON.stringify(json)}`);
  }
  const rows = await fieldsIn(world, many, IMPORTED);
  const changes = new Set(rows.map(({ eTag }) => eTag)).size;
  if (rows.length !== FIELDS_OF_IMPORT * imports.length || changes !== rows.length)
    breaches.push(`I24: ${rows.length} fields by ${changes} changes instead of ${FIELDS_OF_IMPORT * imports.length}`);
  const areTold = () => jobs.every((id) => subjectsOf(receiver).includes(`/v1/gdd/${id}`));
  if (!(await until(context.quietMs(LIMIT_MS), async () => areTold()))) breaches.push('I25: not all ends were told');
  const told = subjectsOf(receiver);
  if (new Set(told).size !== told.length) breaches.push('I25: the end of a job was told as two events');
  const left = await untilNothingOpen(world, context.quietMs(LIMIT_MS));
  for (const what of [...left, ...(await standingInLanes(world))]) breaches.push(`I14: ${what} is left`);
  return { breaches, sentMs };
}

async function holdCase(context) {
  const program = await farmProgram(context);
  const scene = await plantAll(context);
  const { world, receiver, many, away, operator, other } = scene;
  await roundOf(other, 'first');
  const aloneMs = await roundOf(other, 'alone');
  const asked = await askAll(scene, context.size(40, 200));
  const erasing = erasureBy(program, world, many, ERASED);
  try {
    for (const { tenant } of [many, away]) await commanded(operator, 'tenants.hold', { tenant });
    world.hosts[0].kill();
    const { besideMs, ...during } = await held(scene, erasing);
    const after = await released(scene, asked, context);
    const slower = besideMs > 3 * aloneMs + 5_000 ? [`another tenant waits ${besideMs} ms, alone ${aloneMs}`] : [];
    return {
      counts: { kills: during.kills + 2, ...during.counts, aloneMs, besideMs, sentMs: after.sentMs },
      breaches: [...during.breaches, ...slower, ...after.breaches],
    };
  } finally {
    erasing.stop();
    await receiver.stop();
    await context.stop(world);
  }
}

/** A tenant of whose eight imports nothing has been written when it, or their party, is erased. */
async function behindImports(context, what, erase) {
  const world = await context.start();
  const [farm] = await newFarmTenants(world, 1);
  const operator = await farmTenant(world, 'operator', 'Operate');
  await plantLand(farm);
  requireStatus(await farm.patch(`parties/${ERASED}`), 201, 'a party');
  await startImports(farm, ERASED, { word: 'ended', count: 8, fields: 15_000 });
  const killed = killing(world, 20_000);
  const startedAt = Date.now();
  const { isErased, limitMs, partiesLeft, stop } = await erase({ world, farm, operator });
  const breaches = [];
  if (!(await until(limitMs, async () => isErased())))
    breaches.push(`I23: ${what}: not erased within ${limitMs / 1000} s`);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const kills = await killed();
  stop?.();
  const rows = await fieldsIn(world, farm, ERASED);
  if (rows.length > 0) breaches.push(`I23: ${what}: ${rows.length} fields are left`);
  const imports = await openWorkOf(world, [farm]);
  if (imports.length > 0) breaches.push(`I23: ${what}: ${imports.length} imports go on`);
  for await (const { name } of world.storage.container('farm-data').listBlobsFlat({ prefix: `${farm.tenant}/` }))
    breaches.push(`I23: ${what}: a file is left: ${name}`);
  const parties = await world.storage.rows('farmParties', `PartitionKey eq '${farm.tenant}'`, ['RowKey']);
  if (parties.map(({ rowKey }) => rowKey).join() !== partiesLeft.join())
    breaches.push(`I23: ${what}: ${JSON.stringify(parties)} are left`);
  await context.stop(world);
  return { counts: { [`${what}: seconds`]: seconds, [`${what}: kills`]: kills }, breaches: breaches.slice(0, 5) };
}

const partyErased = (context) =>
  behindImports(context, 'party erased', async ({ world, farm }) => {
    const { state, stop } = erasureBy(await farmProgram(context), world, farm, ERASED);
    return { isErased: () => state.ended === 'erased', limitMs: ERASED_MS, partiesLeft: [LAND], stop };
  });

const tenantPurged = (context) =>
  behindImports(context, 'tenant purged', async ({ farm: { tenant }, operator }) => {
    const { operationId } = await commanded(operator, 'tenants.purge', { tenant, confirm: tenant });
    const isErased = async () => (await operator.call(`/operate/v1/operations/${operationId}`)).json.status === 'Done';
    return { isErased, limitMs: PURGED_MS, partiesLeft: [] };
  });

const cases = { hold: holdCase, 'party erased': partyErased, 'tenant purged': tenantPurged };

export const experiment = {
  id: 'E48',
  restsOn: ['access', 'work', 'farm', 'jobs'],
  title: 'tenants held amid imports, jobs and deaths of the host; an erasure and a purge behind eight imports',
  passLine: 'nothing of it is written or counted until the release, then all ends once; erasures end the imports',
  run: async (context) => {
    const [counts, breaches] = [{}, []];
    for (const [name, run] of Object.entries(cases).filter(([name]) => name.includes(context.only))) {
      const found = await run(context);
      Object.assign(counts, found.counts);
      breaches.push(...found.breaches);
    }
    return { counts, breaches };
  },
};
