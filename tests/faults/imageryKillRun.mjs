// A backfill of 250 fields × 10 dates while the functions host is killed at random.
//
//   npm run test:kills:imagery -- [--fields 250] [--dates 10] [--seed 1] [--kills 12] [--without resend]
//
// Passes when every field has exactly its files: each whole (length and checksum as its document says), each day in
// the index, and the same bytes as a backfill that nobody disturbed. With `--without resend` (lost messages are not
// sent again) it passes when the run finds a breach: a check that cannot fail proves nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp } from '../../infra/build/app.mjs';
import { startService } from './runningService.mjs';

const { values } = parseArgs({
  options: {
    fields: { type: 'string', default: '250' },
    dates: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '12' },
    without: { type: 'string' },
  },
});
const startedAt = Date.now();
const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(0);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const LAYERS = ['ndvi', 'vegetation', 'scouting', 'true-color'];

/** By protection: what stands in a source, and what takes its place. */
const variants = {
  resend: {
    file: /shared\/imagery\/sweepImagery\.ts$/,
    from: 'await ports.queue.enqueue(work, 0);\n    count += 1;',
    to: 'count += 1;',
  },
};

/** Builds the app, without a protection when one is named. */
async function builtApp(protection) {
  const app = mkdtempSync(join(tmpdir(), 'app-'));
  mkdirSync(join(app, 'dist'), { recursive: true });
  const plugins = protection === undefined ? [] : [variantOf(protection)];
  await buildApp(join(app, 'dist'), plugins);
  cpSync('host.json', join(app, 'host.json'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', main: 'dist/main.mjs' }));
  return app;
}

function variantOf(protection) {
  const variant = variants[protection];
  if (variant === undefined) throw new Error(`Known protections: ${Object.keys(variants).join(', ')}.`);
  return {
    name: `without-${protection}`,
    setup: (build) => {
      build.onLoad({ filter: variant.file }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        if (!source.includes(variant.from)) throw new Error(`${path} no longer holds: ${variant.from}`);
        return { contents: source.replace(variant.from, variant.to), loader: 'ts' };
      });
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'backfill-'));
execFileSync(
  process.execPath,
  ['infra/build/run.mjs', 'tests/faults/imageryScenes.ts', folder, values.fields, values.dates],
  { stdio: 'inherit' },
);
const days = JSON.parse(readFileSync(join(folder, 'days.json'), 'utf8'));
const geojson = readFileSync(join(folder, 'fields.geojson'), 'utf8');
const fieldIds = JSON.parse(geojson).features.map(({ properties }) => properties.field_id);

const running = await startService({
  app: await builtApp(values.without),
  environment: { JOB_LEASE_SECONDS: '6', STAC_DIR: join(folder, 'scenes') },
});
const { service } = running;
const ca = readFileSync(service.caFile, 'utf8');

const call = (path, apiKey, init = {}) =>
  fetch(`${service.baseUrl}${path}`, {
    ...init,
    headers: { 'api-key': apiKey },
    signal: AbortSignal.timeout(20_000),
  });

async function submit(apiKey) {
  const form = new FormData();
  const metadata = {
    image_source: 'sentinel-2-l2a',
    start_date: days[0],
    end_date: days.at(-1),
    layers: LAYERS.map((layer) => ({ layer })),
  };
  form.append('request', new Blob([JSON.stringify(metadata)], { type: 'application/json' }), 'request.json');
  form.append('geojson', new Blob([geojson], { type: 'application/geo+json' }), 'fields.geojson');
  const answer = await call('/v1/enrollments', apiKey, { method: 'POST', body: form });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
}

const download = (path) =>
  new Promise((resolve, reject) => {
    request(`${service.blobEndpoint}${path}`, { ca }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${answer.statusCode} ${bytes.toString('utf8').slice(0, 200)}`));
      });
    })
      .once('error', reject)
      .end();
  });

/** Read access of a customer, asked for until the host is there to give it. */
async function accessOf(apiKey) {
  for (;;) {
    const answer = await call('/v1/auth/sas-token', apiKey).catch(() => undefined);
    if (answer?.status === 200) return answer.json();
    await pause(300);
  }
}

async function listAll({ sas_token: sas, path }) {
  const names = [];
  for (let marker = ''; ;) {
    const query = `restype=container&comp=list&prefix=${encodeURIComponent(`${path}/`)}&marker=${encodeURIComponent(marker)}`;
    const xml = (await download(`/imagery?${query}&${sas}`)).toString('utf8');
    names.push(...[...xml.matchAll(/<Name>([^<]+)<\/Name>/g)].map((match) => match[1].slice(path.length + 1)));
    marker = /<NextMarker>([^<]+)<\/NextMarker>/.exec(xml)?.[1] ?? '';
    if (marker === '') return names;
  }
}

const read = ({ sas_token: sas, path }, name) =>
  download(`/imagery/${path}/${name.split('/').map(encodeURIComponent).join('/')}?${sas}`);

/** Waits until every field has an index of every day; tells the rest when it takes too long. */
async function untilLooked(access, limitMs) {
  const deadline = Date.now() + limitMs;
  let open = fieldIds;
  while (open.length > 0 && Date.now() < deadline) {
    await pause(1_000);
    const left = [];
    for (const fieldId of open) {
      const index = await read(access, `sentinel-2/${fieldId}/index.json`).catch(() => undefined);
      const looked = index === undefined ? 0 : JSON.parse(index)['fieldimagery:dates'].length;
      if (looked < days.length) left.push(fieldId);
      // One that is not done says enough until the next round.
      if (left.length > 3) break;
    }
    open = left.length > 3 ? open : left;
  }
  return open;
}

/** Every file by its checksum, and what is wrong. */
async function inspect(access, breaches) {
  const names = new Set(await listAll(access));
  const checksums = new Map();
  const expected = new Set();
  for (const fieldId of fieldIds) {
    const root = `sentinel-2/${fieldId}`;
    expected.add(`${root}/index.json`);
    const index = JSON.parse(await read(access, `${root}/index.json`));
    const linked = index.links.filter(({ rel }) => rel === 'item').map(({ title }) => title);
    const dates = index['fieldimagery:dates'];
    if (dates.map(({ date }) => date).join() !== days.join()) breaches.push(`${root}: the index lists other days`);
    for (const { date, outcome, layers } of dates) {
      if (outcome !== 'done') {
        if (outcome !== 'cloud' || linked.includes(date)) breaches.push(`${root}/${date} is ${outcome}`);
        continue;
      }
      if (!linked.includes(date)) breaches.push(`${root}/${date} is not linked`);
      const item = JSON.parse(await read(access, `${root}/${date}/metadata.json`));
      expected.add(`${root}/${date}/metadata.json`);
      if (Object.keys(item.assets).join() !== layers.join())
        breaches.push(`${root}/${date}: document and index differ`);
      for (const [layer, asset] of Object.entries(item.assets)) {
        const name = `${root}/${date}/${layer}.tiff`;
        expected.add(name);
        const bytes = await read(access, name);
        const checksum = `1220${createHash('sha256').update(bytes).digest('hex')}`;
        if (bytes.length !== asset['file:size'] || checksum !== asset['file:checksum'])
          breaches.push(`${name} is not whole`);
        checksums.set(name, checksum);
      }
    }
  }
  for (const name of names) if (!expected.has(name)) breaches.push(`${name} is named by nothing`);
  for (const name of expected) if (!names.has(name)) breaches.push(`${name} is missing`);
  return checksums;
}

let state = Number(values.seed) >>> 0;
/** A small seeded generator, 0 ≤ value < 1. @see Tommy Ettinger's Mulberry32 (public domain) */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const breaches = [];
await submit(service.apiKey);
const access = await accessOf(service.apiKey);
let kills = 0;
while (kills < Number(values.kills)) {
  await pause(1_500 + random() * 2_500);
  if (running.killHost()) kills += 1;
}
const lastKill = Date.now();
const stuck = await untilLooked(access, values.without === undefined ? 8 * 60_000 : 4 * 60_000);
const recovery = ((Date.now() - lastKill) / 1000).toFixed(0);
for (const fieldId of stuck) breaches.push(`${fieldId} is not looked at whole`);
let files = 0;
if (stuck.length === 0) {
  const disturbed = await inspect(access, breaches);
  files = disturbed.size;
  const other = JSON.parse(
    execFileSync(process.execPath, ['build/local/customers.mjs', 'create', 'calm'], {
      env: { ...process.env, LOCAL_DIR: dirname(dirname(service.caFile)) },
      encoding: 'utf8',
    }),
  );
  const calmStart = Date.now();
  await submit(other.apiKey);
  const calmAccess = await accessOf(other.apiKey);
  for (const fieldId of await untilLooked(calmAccess, 8 * 60_000)) breaches.push(`calm: ${fieldId} is not done`);
  console.log(`undisturbed backfill: ${((Date.now() - calmStart) / 1000).toFixed(0)} s`);
  for (const [name, checksum] of await inspect(calmAccess, breaches)) {
    if (disturbed.get(name) !== checksum) breaches.push(`${name} has other bytes than in an undisturbed backfill`);
  }
}
const crashed = running.log.join('').match(/unhandled/gi);
if (crashed) breaches.push(`${crashed.length} unhandled rejections`);
await running.stop();
rmSync(folder, { recursive: true, force: true });

console.log(
  `${fieldIds.length} fields × ${days.length} days, ${kills} kills, seed ${values.seed}: ${files} layers; all looked at ${recovery} s after the last kill; ${seconds()} s`,
);
for (const breach of breaches.slice(0, 20)) console.log(`  breach: ${breach}`);
const passed = values.without === undefined ? breaches.length === 0 : breaches.length > 0;
console.log(passed ? `PASS (${breaches.length} breaches)` : `FAIL (${breaches.length} breaches)`);
process.exit(passed ? 0 : 1);
