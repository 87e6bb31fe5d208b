import { fieldsIn, idOf, newFarmTenants, requireStatus, squares } from '../farmTenants.mjs';
import { pause, until, untilNothingOpen } from '../quiet.mjs';

const AWAY_MS = 60_000;
const LONGEST_MS = 10_000;
const BACK_MS = 30_000;
const LIMIT_MS = 300_000;
const IMPORTED = idOf(1);
const SWEPT = idOf(2);
const IMPORTS = 4;
const FIELDS = 2_000;
const FIELDS_SWEPT = 300;

/** @returns the path of the import */
async function importInto(farm, partyId, { word, fields }) {
  const reply = await farm.import(partyId, squares(word, fields), word);
  requireStatus(reply, 202, 'an import');
  return `/v1/imports/${reply.json.id}`;
}

const isSucceeded = async (farm, path) => (await farm.call(path)).json.status === 'Succeeded';

/** What an application asks while storage is away: each operation of farm data once a second. */
async function askAll({ client }, number) {
  const version = 'api-version=2023-11-01-preview';
  const geo = { 'content-type': 'application/geo+json', 'idempotency-key': `away-${number}` };
  const patch = { 'content-type': 'application/merge-patch+json' };
  await Promise.all([
    client.call('away', `/parties/${IMPORTED}?${version}`),
    client.call('away', `/parties/${IMPORTED}/fields?${version}`),
    client.call('away', `/parties/away-${number}?${version}`, { method: 'PATCH', body: {}, headers: patch }),
    client.call('away', `/parties/cascade-delete/away-${number}?partyId=${IMPORTED}&${version}`, { method: 'PUT' }),
    client.call('away', `/v1/imports?partyId=${IMPORTED}`, { method: 'POST', body: squares('away', 1), headers: geo }),
  ]);
}

/** Takes storage away and asks on and on. @returns what was answered */
async function takeAway({ proxy }, { client }) {
  const asked = [];
  await proxy.closePorts();
  const closedAt = Date.now();
  for (let number = 0; Date.now() - closedAt < AWAY_MS; number += 1) {
    asked.push(askAll({ client }, number));
    await pause(1_000);
  }
  const openedAt = Date.now();
  await proxy.openPorts();
  await Promise.all(asked);
  return client.history.filter(({ op, t0, t1 }) => op === 'away' && t0 > closedAt && t1 < openedAt);
}

function wrongAnswers(answers) {
  const others = answers.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null);
  const slowestMs = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  return [
    ...(answers.length < AWAY_MS / 1_000 ? [`only ${answers.length} answers came while storage was away`] : []),
    ...(others.length === 0 ? [] : [`I11: ${others.length} answers were not 503, one was ${others[0].status}`]),
    ...(slowestMs > LONGEST_MS ? [`I11: an answer took ${slowestMs} ms`] : []),
  ];
}

/** Everything that was accepted before, in the end. */
async function wrongEnds(world, farm, imports) {
  const breaches = [];
  for (const path of imports) {
    const { json } = await farm.call(path);
    if (json.status !== 'Succeeded' || json.written !== FIELDS || json.failed !== 0)
      breaches.push(`I24: an import ended ${JSON.stringify(json)}`);
  }
  const rows = await fieldsIn(world, farm, IMPORTED);
  const changes = new Set(rows.map(({ eTag }) => eTag)).size;
  if (rows.length !== IMPORTS * FIELDS || changes !== rows.length)
    breaches.push(`I24: ${rows.length} fields by ${changes} changes instead of ${IMPORTS * FIELDS}`);
  const left = (await fieldsIn(world, farm, SWEPT)).length;
  if (left > 0) breaches.push(`I22: ${left} fields of the party that was deleted are left`);
  const { status } = await farm.get(`parties/${SWEPT}`);
  if (status !== 404) breaches.push(`I22: the party that was deleted is answered ${status}`);
  for await (const { name } of world.storage.container('farm-data').listBlobsFlat({ prefix: `${farm.tenant}/` }))
    breaches.push(`I24: a file is left: ${name}`);
  return breaches;
}

export const experiment = {
  id: 'E51',
  restsOn: ['farm', 'work', 'storage', 'http'],
  title: 'storage is away for a minute amid imports and a cascade delete',
  passLine: 'only 503 with Retry-After meanwhile, each within 10 s; then all goes on and ends, everything once',
  run: async (context) => {
    const world = await context.start({ proxied: true });
    const [farm] = await newFarmTenants(world, 1);
    for (const partyId of [IMPORTED, SWEPT]) requireStatus(await farm.patch(`parties/${partyId}`), 201, 'a party');
    const first = await importInto(farm, SWEPT, { word: 'swept', fields: FIELDS_SWEPT });
    if (!(await until(LIMIT_MS, () => isSucceeded(farm, first)))) throw new Error('The first import has not ended.');
    const imports = [];
    for (let number = 0; number < IMPORTS; number += 1)
      imports.push(await importInto(farm, IMPORTED, { word: `import-${number}`, fields: FIELDS }));
    requireStatus(await farm.cascade(SWEPT, 'swept'), 202, 'a cascade delete');
    await until(LIMIT_MS, async () => (await fieldsIn(world, farm, IMPORTED)).length > 0, 50);
    const writtenBefore = (await fieldsIn(world, farm, IMPORTED)).length;
    const answers = await takeAway(world, farm);
    const backAt = Date.now();
    requireStatus(await farm.get(`parties/${IMPORTED}`), 200, 'a party');
    const backMs = Date.now() - backAt;
    const ends = [...imports, `/parties/cascade-delete/swept?api-version=2023-11-01-preview`];
    const haveEnded = async () => (await Promise.all(ends.map((path) => isSucceeded(farm, path)))).every(Boolean);
    const isOver = await until(context.quietMs(LIMIT_MS), haveEnded);
    const left = await untilNothingOpen(world, context.quietMs(LIMIT_MS));
    return {
      counts: { secondsAway: AWAY_MS / 1_000, answers: answers.length, writtenBefore, backMs },
      breaches: [
        ...wrongAnswers(answers),
        ...(backMs > BACK_MS ? [`I11: answers came again after ${backMs} ms`] : []),
        ...(isOver ? [] : ['I22: not all that was accepted has ended']),
        ...(await wrongEnds(world, farm, imports)),
        ...left.map((what) => `I14: ${what} is left`),
      ],
    };
  },
};
