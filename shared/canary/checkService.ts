import { checkImagery } from './checkImagery.js';
import { checkGdd, checkSmartBoundary } from './checkJobs.js';
import { CanaryCaller, expectThat, type CanaryPorts } from './canaryCaller.js';
import type { CanaryResult, CanaryTarget } from './canaryTarget.js';

interface Check {
  readonly name: string;
  /** What must be there for it. */
  readonly needs: readonly (keyof CanaryTarget)[];
  /** @returns what was seen */
  readonly run: (client: CanaryCaller) => Promise<string>;
}

async function checkHealth(client: CanaryCaller): Promise<string> {
  const health = await client.ask('/health');
  expectThat(health.status === 200, '200 for /health', health);
  return `commit ${health.json.commit ?? 'unknown'}`;
}

async function checkReady(client: CanaryCaller): Promise<string> {
  const ready = await client.ask('/ready');
  expectThat(ready.status === 200, '200 for /ready', ready);
  return Object.keys(ready.json.dependencies ?? {}).join(', ');
}

/** A key in the right form, its check digits too, that nobody has: the service must look it up to refuse it. */
const UNKNOWN_KEY = 'pfs_000000000000_00000000000000000000000000000000000000003TeW3O';

async function checkRefusals(client: CanaryCaller): Promise<string> {
  const fetchPath = '/solutions/partnerAgPowered.gdd:fetch';
  const stranger = await client.ask(fetchPath, { method: 'POST', body: '{}' });
  expectThat(stranger.status === 401, '401 without a token', stranger);
  const keyless = await client.ask('/v1/enrollments');
  expectThat(keyless.status === 401, '401 without a key', keyless);
  const wrongKey = await client.ask('/v1/auth/sas-token', { headers: { 'api-key': UNKNOWN_KEY } });
  expectThat(wrongKey.status === 401, '401 with a wrong key', wrongKey);
  return 'no token, no key, a wrong key';
}

/** In the order in which they are done; each says by its name what it stands for. */
export const checks: readonly Check[] = [
  { name: 'health', needs: [], run: checkHealth },
  { name: 'ready', needs: [], run: checkReady },
  { name: 'refusals', needs: [], run: checkRefusals },
  { name: 'gdd', needs: ['getToken'], run: checkGdd },
  { name: 'smart-boundary', needs: ['getToken', 'partyId', 'farmId', 'point'], run: checkSmartBoundary },
  { name: 'imagery', needs: ['apiKey', 'point'], run: checkImagery },
];

/**
 * Proves that a service serves: each check is done, whatever became of those before. One without what it needs is
 * skipped, and says so by name.
 */
export async function checkService(target: CanaryTarget, ports: CanaryPorts): Promise<readonly CanaryResult[]> {
  const client = new CanaryCaller(target, ports);
  const results: CanaryResult[] = [];
  for (const check of checks) results.push(await resultOf(check, client));
  return results;
}

async function resultOf({ name, needs, run }: Check, client: CanaryCaller): Promise<CanaryResult> {
  const { clock } = client.ports;
  const startedAt = clock.now().getTime();
  const missing = needs.filter((need) => client.target[need] === undefined);
  if (missing.length > 0) {
    return { check: name, outcome: 'skipped', detail: `needs ${missing.join(', ')}`, durationMs: 0 };
  }
  const done = (outcome: CanaryResult['outcome'], detail: string): CanaryResult => ({
    check: name,
    outcome,
    detail,
    durationMs: clock.now().getTime() - startedAt,
  });
  try {
    return done('passed', await run(client));
  } catch (cause) {
    return done('failed', cause instanceof Error ? cause.message : String(cause));
  }
}
