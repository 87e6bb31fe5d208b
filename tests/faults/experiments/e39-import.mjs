import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from '../crashPoints.mjs';
import { printed, squares } from '../farmTenants.mjs';
import { pause, untilNothingOpen } from '../quiet.mjs';

const START = 'shared/farm/imports/startImport.ts';
const KIND = 'shared/farm/imports/importKind.ts';
const LAND = 'shared/farm/land/landStore.ts';

const transaction = 'if ((await this.#table(scope.kind).transact(partitionOf(scope), actions)) === undefined) break;';

/** Points between the writes of an import, one behind each kind. */
const points = [
  after('file', START, 'await ports.importFiles.put({ tenant, importId }, digest, { type: options.type, bytes });'),
  before('ticket', START, 'await ports.lanes.wait(lane, { ...key, askedAt: now }).catch(() => undefined);'),
  before('unwritten', LAND, transaction),
  before('rows', LAND, 'written += actions.length;'),
  before('place', KIND, 'const place = placeOfImport(progress);'),
  after('saved', KIND, 'await attempt.save(place);'),
  after('ended', KIND, 'await ports.imports.update(item, stored, job);'),
  before('cleared', KIND, 'await ports.importFiles.remove(key);'),
];

const FIELDS = 3_000;
const REACH_MS = 120_000;
const LIMIT_MS = 300_000;
const VERSION = 'api-version=2023-11-01-preview';

async function untilEnded(world, path, headers) {
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await pause(500)) {
    const { json } = await world.client.insist(() => world.client.call('get', path, { headers }));
    if (['Succeeded', 'Failed'].includes(json?.status)) return json;
  }
  return undefined;
}

/** Lets the host die at the point while a file is imported into a party of its own. @returns what is wrong then */
async function dieAt(world, { tenant, headers }, name) {
  const breaches = [];
  const call = (path, options) => world.client.insist(() => world.client.call('farm', path, options));
  await call(`/parties/${name}?${VERSION}`, {
    method: 'PATCH',
    body: {},
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
  });
  world.points.arm(name);
  const accepted = await call(`/v1/imports?partyId=${name}`, {
    method: 'POST',
    body: squares(name, FIELDS),
    headers: { ...headers, 'content-type': 'application/geo+json', 'idempotency-key': name },
  });
  const ended = await untilEnded(world, `/v1/imports/${accepted.json?.id}`, headers);
  if (world.points.reached(name) === 0) breaches.push(`${name} was not reached`);
  const { status, total, written, failed } = ended ?? {};
  if (status !== 'Succeeded' || total !== FIELDS || written !== FIELDS || failed !== 0)
    breaches.push(`${name}: ended with ${JSON.stringify({ status, total, written, failed })}`);
  const rows = await world.storage.rows('farmFields', `PartitionKey eq '${tenant}|${name}'`);
  const changes = new Set(rows.map(({ eTag }) => eTag));
  if (rows.length !== FIELDS || changes.size !== FIELDS)
    breaches.push(`${name}: ${rows.length} fields by ${changes.size} changes instead of ${FIELDS}`);
  return breaches;
}

export const experiment = {
  id: 'E39',
  restsOn: ['farm', 'work', 'storage'],
  title: `an import of ${FIELDS} fields whose host dies behind each kind of write`,
  passLine: 'every field is written once, and nothing is left of the file',
  run: async (context) => {
    const chosen = points.filter(({ name }) => name.includes(context.only));
    const world = await context.start({ points: chosen });
    const tenant = randomUUID();
    const register = join(world.directory, 'farmTenants.json');
    writeFileSync(register, JSON.stringify({ [tenant]: {} }));
    await printed(world, 'tenants', 'import', register);
    const token = await printed(world, 'token', '--tenant', tenant, '--roles', 'Farm.ReadWrite');
    const headers = { authorization: `Bearer ${token}` };
    for (const deadline = Date.now() + REACH_MS; Date.now() < deadline; await pause(500))
      if ((await world.client.call('farm', '/v1/imports/none', { headers })).status === 404) break;
    const breaches = [];
    for (const { name } of chosen) breaches.push(...(await dieAt(world, { tenant, headers }, name)));
    await untilNothingOpen(world, context.quietMs(LIMIT_MS));
    for await (const { name } of world.storage.container('farm-data').listBlobsFlat({ prefix: `${tenant}/` }))
      breaches.push(`a file is left: ${name}`);
    return { counts: { points: chosen.length, fields: chosen.length * FIELDS }, breaches };
  },
};
