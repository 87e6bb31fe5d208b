import { checkImagery } from './checkImagery.js';
import { checkGdd, checkSmartBoundary } from './checkJobs.js';
import { CanaryCaller, expectThat, type CanaryPorts } from './canaryCaller.js';
import type { CanaryResult, CanaryTarget } from './canaryTarget.js';

interface Check {
  readonly name: string;
  /** Members of the target that the check uses. */
  readonly needs: readonly (keyof CanaryTarget)[];
  /** @returns what the check saw */
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

/** A well-formed key with right check digits that nobody has: the service must read storage to refuse it. */
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

/** In the order in which they run. */
const checks: readonly Check[] = [
  { name: 'health', needs: [], run: checkHealth },
  { name: 'ready', needs: [], run: checkReady },
  { name: 'refusals', needs: [], run: checkRefusals },
  { name: 'gdd', needs: ['getToken'], run: checkGdd },
  { name: 'smart-boundary', needs: ['getToken', 'partyId', 'farmId', 'point'], run: checkSmartBoundary },
  { name: 'imagery', needs: ['apiKey', 'point'], run: checkImagery },
];

/**
 * Tests a service with every check, whatever the result of those before. A check that lacks a member of the target is
 * skipped.
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
