// Customers with fields under small scenes, for experiments on imagery.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomerFiles } from './imageryInspection.mjs';
import { submission } from './submissions.mjs';

export const ALL_LAYERS = ['ndvi', 'vegetation', 'scouting', 'true-color'];

const DAY_MS = 86_400_000;
/** The calendar day so many days after another. */
export const dayAfter = (day, count) => new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** Small scenes of one place, five days apart, and fields in them; they lie in a folder of their own until `remove`. */
export function makeScenes(fields, dates) {
  const folder = mkdtempSync(join(tmpdir(), 'scenes-'));
  const command = ['infra/build/run.mjs', 'tests/faults/imageryScenes.ts', folder, String(fields), String(dates)];
  execFileSync(process.execPath, command, { stdio: 'inherit' });
  const geojson = JSON.parse(readFileSync(join(folder, 'fields.geojson'), 'utf8'));
  return {
    /** What STAC_DIR names. */
    folder: join(folder, 'scenes'),
    days: JSON.parse(readFileSync(join(folder, 'days.json'), 'utf8')),
    geojson,
    fieldIds: geojson.features.map(({ properties }) => properties.field_id),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The tile in which the scenes lie. */
export const SCENE_TILE = '31TFN';

export const sceneFolder = ({ folder }, day) => join(folder, `S2B_31TGN_${day}`);

/** Puts a scene of one day beside the others as that of another day; `properties` are added to its item. */
export function copyScene(scenes, { from, to, into = scenes.folder, properties = {} }) {
  const copy = join(into, `S2B_31TGN_${to}`);
  cpSync(sceneFolder(scenes, from), copy, { recursive: true });
  const item = JSON.parse(readFileSync(join(copy, 'item.json'), 'utf8'));
  const moved = { datetime: `${to}T10:30:00Z`, 's2:generation_time': `${to}T14:00:00Z`, ...properties };
  const document = { ...item, id: `S2B_31TGN_${to}`, properties: { ...item.properties, ...moved } };
  writeFileSync(join(copy, 'item.json'), JSON.stringify(document));
  return copy;
}

/** A new customer with a key, by the operator's command. */
export function newCustomer({ directory }, name) {
  const env = { ...process.env, LOCAL_DIR: directory };
  const command = ['build/local/customers.mjs', 'create', name];
  return JSON.parse(execFileSync(process.execPath, command, { env, encoding: 'utf8' }));
}

/** Enrols the fields of the scenes until it is accepted. @param options `startDate`, `endDate`, `layers` */
export async function enrol({ client }, { geojson, days, fieldIds }, { apiKey }, options = {}) {
  const wanted = { startDate: days[0], endDate: days.at(-1), layers: ALL_LAYERS, ...options };
  const reply = await client.insist(() => submission(client, { apiKey }, { fieldIds, geojson, ...wanted }));
  if (reply.status !== 202) throw new Error(`submit: ${reply.status} ${JSON.stringify(reply.json)}`);
  return reply.json.enrollment_id;
}

/** What the customer finds in the storage, by its SAS. */
export async function filesOf({ client, service }, { apiKey }) {
  const headers = { 'api-key': apiKey };
  const access = await client.insist(() => client.call('sas', '/v1/auth/sas-token', { headers }));
  return new CustomerFiles(service, access.json);
}
