// A backfill of 250 fields × 10 dates while the functions host is killed at random.
//
//   npm run test:kills:imagery -- [--fields 250] [--dates 10] [--seed 1] [--kills 12] [--real-waits]
//                                 [--without sweeper]
//
// Passes when every field has exactly its files: each whole (length and checksum as its document says), each day in
// the index, and the same bytes as a backfill that nobody disturbed. With `--without` (variants.mjs) it passes when the
// run finds a breach: a check that cannot fail proves nothing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CustomerFiles, inspect, untilLooked } from './imageryInspection.mjs';
import { pause } from './quiet.mjs';
import { seededRandom } from './random.mjs';
import { appWith, startService } from './runningService.mjs';
import { changesWithout, shortWaits } from './variants.mjs';

const { values } = parseArgs({
  options: {
    fields: { type: 'string', default: '250' },
    dates: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '12' },
    'real-waits': { type: 'boolean', default: false },
    without: { type: 'string' },
  },
});
const isWhole = values.without === undefined;
const LAYERS = ['ndvi', 'vegetation', 'scouting', 'true-color'];
/** Without a protection it is over sooner: the point is that it is not done then. */
const LIMIT_MS = isWhole ? 8 * 60_000 : 2 * 60_000;
const startedAt = Date.now();
const secondsSince = (at) => ((Date.now() - at) / 1000).toFixed(0);

const folder = mkdtempSync(join(tmpdir(), 'backfill-'));
const scenes = ['infra/build/run.mjs', 'tests/faults/imageryScenes.ts', folder, values.fields, values.dates];
execFileSync(process.execPath, scenes, { stdio: 'inherit' });
const days = JSON.parse(readFileSync(join(folder, 'days.json'), 'utf8'));
const geojson = readFileSync(join(folder, 'fields.geojson'), 'utf8');
const fieldIds = JSON.parse(geojson).features.map(({ properties }) => properties.field_id);
const wanted = { fieldIds, days };

const changes = [...(values['real-waits'] ? [] : shortWaits), ...(isWhole ? [] : changesWithout([values.without]))];
const app = await appWith(changes);
const environment = { JOB_LEASE_SECONDS: '6', STAC_DIR: join(folder, 'scenes') };
const running = await startService({ app, environment });
const { service } = running;

const call = (path, apiKey, init = {}) =>
  fetch(`${service.baseUrl}${path}`, {
    ...init,
    headers: { 'api-key': apiKey },
    signal: AbortSignal.timeout(20_000),
  });

async function submit(apiKey) {
  const form = new FormData();
  const layers = LAYERS.map((layer) => ({ layer }));
  const metadata = { image_source: 'sentinel-2-l2a', start_date: days[0], end_date: days.at(-1), layers };
  form.append('request', new Blob([JSON.stringify(metadata)], { type: 'application/json' }));
  form.append('geojson', new Blob([geojson], { type: 'application/geo+json' }));
  const answer = await call('/v1/enrollments', apiKey, { method: 'POST', body: form });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** Read access of a customer, asked for until a host is there to give it. */
async function filesOf(apiKey) {
  for (;;) {
    const answer = await call('/v1/auth/sas-token', apiKey).catch(() => undefined);
    if (answer?.status === 200) return new CustomerFiles(service, await answer.json());
    await pause(300);
  }
}

async function killAtRandom(random, count) {
  for (let kills = 0; kills < count;) {
    await pause(1_500 + random() * 2_500);
    if (running.killHost()) kills += 1;
  }
}

/** The same backfill for another customer, whom nobody disturbs. */
async function calmChecksums(breaches) {
  const command = ['build/local/customers.mjs', 'create', 'calm'];
  const env = { ...process.env, LOCAL_DIR: running.directory };
  const { apiKey } = JSON.parse(execFileSync(process.execPath, command, { env, encoding: 'utf8' }));
  const start = Date.now();
  await submit(apiKey);
  const files = await filesOf(apiKey);
  for (const fieldId of await untilLooked(files, wanted, LIMIT_MS)) breaches.push(`calm: ${fieldId} is not done`);
  console.log(`undisturbed backfill: ${secondsSince(start)} s`);
  return inspect(files, wanted, breaches);
}

const breaches = [];
await submit(service.apiKey);
await killAtRandom(seededRandom(Number(values.seed)), Number(values.kills));
const lastKill = Date.now();
const files = await filesOf(service.apiKey);
const stuck = await untilLooked(files, wanted, LIMIT_MS);
const recovery = secondsSince(lastKill);
breaches.push(...stuck.map((fieldId) => `${fieldId} is not looked at whole`));
const disturbed = stuck.length === 0 ? await inspect(files, wanted, breaches) : new Map();
if (stuck.length === 0) {
  for (const [name, checksum] of await calmChecksums(breaches)) {
    if (disturbed.get(name) !== checksum) breaches.push(`${name} has other bytes than in an undisturbed backfill`);
  }
}
const crashed = running.log.join('').match(/unhandled/gi);
if (crashed) breaches.push(`${crashed.length} unhandled rejections`);
await running.stop();
for (const used of [folder, app]) rmSync(used, { recursive: true, force: true });

console.log(
  `${fieldIds.length} fields × ${days.length} days, ${values.kills} kills, seed ${values.seed}: ${disturbed.size} layers; ${stuck.length === 0 ? 'all looked at' : 'not done'} ${recovery} s after the last kill; ${secondsSince(startedAt)} s`,
);
for (const breach of breaches.slice(0, 20)) console.log(`  breach: ${breach}`);
const passed = isWhole === (breaches.length === 0);
console.log(`${passed ? 'PASS' : 'FAIL'} (${breaches.length} breaches)`);
process.exit(passed ? 0 : 1);
