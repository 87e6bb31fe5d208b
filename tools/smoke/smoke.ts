// Proves that a deployed service serves: node smoke.mjs <base url> [--commit <sha>]. Every check of shared/operate/canary, once.
// TOKEN is a bearer token of a registered tenant with the role Jobs.ReadWrite, API_KEY a key of a customer. With PARTY_ID
// and FIELD_ID of the tenant's data manager whole GDD jobs are done, with FARM_ID and POINT (longitude,latitude) a Smart
// Boundary job too; with API_KEY and POINT a field is enrolled and its first image read. What cannot be checked is
// skipped by name.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { CanaryCaller, type CanaryPorts, type CanaryReply } from '../../shared/operate/canary/canaryCaller.js';
import type { CanaryTarget } from '../../shared/operate/canary/canaryTarget.js';
import { checkService } from '../../shared/operate/canary/checkService.js';
import { systemClock } from '../../shared/kit/clock.js';

const MINUTE_MS = 60_000;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { commit: { type: 'string' } } });
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const ports: CanaryPorts = { fetch, clock: { ...systemClock, sleep }, newId: randomUUID };

function pointOf(text: string): readonly [number, number] {
  const [longitude = NaN, latitude = NaN] = text.split(',').map(Number);
  if (Number.isNaN(longitude) || Number.isNaN(latitude)) throw new Error('POINT must be longitude,latitude.');
  return [longitude, latitude];
}

function targetOf({ env }: NodeJS.Process): CanaryTarget {
  const [baseUrl] = positionals;
  if (baseUrl === undefined) throw new Error('Use: smoke.mjs <base url> [--commit <sha>]');
  const given = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const [token, point] = [given('TOKEN'), given('POINT')];
  const members = {
    getToken: token === undefined ? undefined : () => Promise.resolve(token),
    apiKey: given('API_KEY'),
    partyId: given('PARTY_ID'),
    fieldId: given('FIELD_ID'),
    farmId: given('FARM_ID'),
    point: point === undefined ? undefined : pointOf(point),
    blobEndpoint: given('BLOB_ENDPOINT'),
  };
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), ...Object.fromEntries(present) };
}

/** A service that is being replaced may fail meanwhile, so it is asked until it is the new one. */
async function awaitService(target: CanaryTarget, commit: string | undefined): Promise<void> {
  const client = new CanaryCaller(target, ports);
  const askQuietly = (path: string): Promise<CanaryReply> => client.ask(path).catch(() => ({ status: 0, json: {} }));
  await client.until(`The commit ${commit ?? ''} at /health`, 10 * MINUTE_MS, async () => {
    const { status, json } = await askQuietly('/health');
    const isNew = commit === undefined || commit.startsWith(json.commit ?? 'none');
    return status === 200 && isNew ? true : undefined;
  });
  await client.until('200 at /ready', 3 * MINUTE_MS, async () =>
    (await askQuietly('/ready')).status === 200 ? true : undefined,
  );
}

try {
  const target = targetOf(process);
  await awaitService(target, values.commit);
  const results = await checkService(target, ports);
  for (const { check, outcome, detail, durationMs } of results) {
    console.log(`${outcome.padEnd(7)} ${check.padEnd(14)} ${(durationMs / 1000).toFixed(1).padStart(6)} s  ${detail}`);
  }
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
