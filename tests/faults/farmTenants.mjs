// Tenants whose farm data the service keeps: registered by the operator's program, with a token that lasts.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from './client.mjs';
import { seededRandom } from './random.mjs';

const VERSION = 'api-version=2023-11-01-preview';

/** What an operator's program of the service prints. */
export async function printed({ directory }, program, ...args) {
  const env = { ...process.env, LOCAL_DIR: directory };
  return (await promisify(execFile)(process.execPath, [`build/local/${program}.mjs`, ...args], { env })).stdout.trim();
}

export function requireStatus({ status, json }, wanted, what) {
  if (status !== wanted) throw new Error(`${what} was answered ${status}: ${JSON.stringify(json)}`);
}

/** What storage has of the fields of a party. */
export const fieldsIn = ({ storage }, { tenant }, partyId) =>
  storage.rows('farmFields', `PartitionKey eq '${tenant}|${partyId}'`, ['RowKey', 'eTag']);

/** The id of a party or a field, as jobs take it. @param party its number @param number of the field, 0 for the party */
export const idOf = (party, number = 0) =>
  `0000${party.toString(16).padStart(4, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Small squares in rows of a hundred, as a file of fields. @param word what they are called */
export function squares(word, count, fieldIdOf = (index) => `${word}-${index}`) {
  const features = Array.from({ length: count }, (_, index) => {
    const [x, y] = [9 + (index % 100) / 50, 55 + Math.floor(index / 100) / 50];
    const ring = [[x, y], [x + 0.01, y], [x + 0.01, y + 0.01], [x, y + 0.01], [x, y]]; // prettier-ignore
    const geometry = { type: 'Polygon', coordinates: [ring] };
    return { type: 'Feature', geometry, properties: { field_id: fieldIdOf(index), name: `${word} ${index}` } };
  });
  return { type: 'FeatureCollection', features };
}

/** A tenant as its own applications call the service; every call is repeated until it is answered for good. */
export class FarmTenant {
  constructor({ tenant, jwt, client }) {
    this.tenant = tenant;
    this.jwt = jwt;
    this.client = client;
  }

  call(path, options) {
    return this.client.insist(() => this.client.call('farm', path, options));
  }

  get(path) {
    return this.call(`/${path}?${VERSION}`);
  }

  patch(path, body = {}) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    return this.call(`/${path}?${VERSION}`, { method: 'PATCH', body, headers });
  }

  remove(path) {
    return this.call(`/${path}?${VERSION}`, { method: 'DELETE' });
  }

  /** The cascade delete of a party under an id of the caller. */
  cascade(partyId, jobId) {
    const path = `/parties/cascade-delete/${jobId}?partyId=${partyId}&${VERSION}`;
    return this.call(path, { method: 'PUT' });
  }

  import(partyId, file, key) {
    const headers = { 'content-type': 'application/geo+json', 'idempotency-key': key };
    return this.call(`/v1/imports?partyId=${partyId}`, { method: 'POST', body: file, headers });
  }
}

/** A tenant of the service, by its id or its name. @param roles what its token may do, all of a caller when left out */
export async function farmTenant(world, tenant, roles = 'Jobs.ReadWrite,Farm.ReadWrite') {
  const jwt = await printed(world, 'token', '--tenant', tenant, '--expires', '300d', '--roles', roles);
  const { baseUrls } = world.client;
  const client = new Client({ service: { jwt }, random: seededRandom(tenant.length), baseUrls });
  const { tid } = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString('utf8'));
  return new FarmTenant({ tenant: tid, jwt, client });
}

/** So many tenants that are new to the service. */
export async function newFarmTenants(world, count) {
  const ids = Array.from({ length: count }, () => randomUUID());
  const register = join(world.directory, 'farmTenants.json');
  writeFileSync(register, JSON.stringify(Object.fromEntries(ids.map((id) => [id, {}]))));
  await printed(world, 'tenants', 'import', register);
  // A process that runs on believes for up to a minute that there is none of them.
  world.hosts[0].kill();
  return Promise.all(ids.map((id) => farmTenant(world, id)));
}
