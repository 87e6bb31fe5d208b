import { describe, expect, test } from '@jest/globals';
import { checkService } from '../../../shared/operate/canary/checkService.js';
import { canarySettings } from '../../../shared/operate/canary/canarySettings.js';
import type { CanaryTarget } from '../../../shared/operate/canary/canaryTarget.js';
import { runCanary } from '../../../shared/operate/canary/runCanary.js';
import type { Facts } from '../../../shared/kit/telemetry/telemetry.js';
import { ManualClock } from '../../support/manualClock.js';

type Answers = Readonly<Record<string, { readonly status: number; readonly json?: object; readonly text?: string }>>;

/** What a service answers that is well, by method and path; `gdd` stands for both forms of its address. */
const well: Answers = {
  'GET /health': { status: 200, json: { commit: 'abc' } },
  'GET /ready': { status: 200, json: { dependencies: { tables: 'ok' } } },
  'POST create': { status: 202, json: {} },
  'POST create again': { status: 409, json: {} },
  'POST fetch': { status: 200, json: { status: 'SUCCEEDED', insightId: 'i' } },
  'POST cancel': { status: 200, json: {} },
  'GET /v1/insights/i': { status: 200, json: {} },
  'GET /v1/enrollments': { status: 200, json: { items: [] } },
  'POST /v1/enrollments': { status: 202, json: { enrollment_id: 'e' } },
  'GET /v1/enrollments/e': { status: 200, json: { status: 'completed', processed_fields: 1 } },
  'GET /v1/auth/sas-token': {
    status: 200,
    json: { account_name: 'a', file_system: 'imagery', path: 'c/field-imagery', sas_token: 'sig=canary' },
  },
  'GET list': { status: 200, text: '<Name>c/field-imagery/sentinel-2/canary-2026-06-15/2026-06-12/ndvi.tiff</Name>' },
  'GET file': { status: 200, text: 'II*\0…' },
};

/** A service that answers so; calls without a token or with a wrong key are refused, as `refused` says. */
function serviceOf(changes: Answers = {}, refused = 401) {
  const asked: string[] = [];
  const answers = { ...well, ...changes };
  const keyOf = (method: string, url: URL): string => {
    const operation = /:(create|fetch|cancel)$|%3A(create|fetch|cancel)$/.exec(url.pathname);
    if (operation !== null) return `${method} ${operation[1] ?? operation[2] ?? ''}`;
    if (url.searchParams.get('comp') === 'list') return 'GET list';
    return url.pathname.endsWith('.tiff') ? 'GET file' : `${method} ${url.pathname}`;
  };
  const isLetIn = (url: URL, headers: Headers): boolean =>
    ['/health', '/ready'].includes(url.pathname) ||
    url.search.includes('sig=') ||
    headers.has('authorization') ||
    headers.get('api-key') === 'pfs_key';
  const answer: typeof fetch = (input, init) => {
    const url = new URL(input);
    const key = keyOf(init?.method ?? 'GET', url);
    const again = key === 'POST create' && asked.at(-1) === key ? `${key} again` : key;
    asked.push(again);
    const known = answers[again] ?? { status: 404, json: {} };
    return Promise.resolve(
      responseOf(isLetIn(url, new Headers(init?.headers)) ? known : { status: refused, json: {} }),
    );
  };
  const clock = new ManualClock();
  // Whoever waits is woken by the time that passes at once.
  const sleep = (milliseconds: number): Promise<void> => {
    clock.jump(milliseconds);
    return Promise.resolve();
  };
  return { asked, ports: { fetch: answer, clock: { ...bound(clock), sleep }, newId: () => 'id' } };
}

function responseOf({ status, json, text = JSON.stringify(json) }: Answers[string]): Response {
  const type = json === undefined ? 'text/plain' : 'application/json';
  return new Response(text, { status, headers: { 'content-type': type } });
}

const bound = (clock: ManualClock) => ({ now: () => clock.now(), every: () => () => undefined });

const whole: CanaryTarget = {
  baseUrl: 'https://service.example',
  getToken: () => Promise.resolve('token'),
  apiKey: 'pfs_key',
  partyId: 'p',
  fieldId: 'f',
  farmId: 'farm',
  point: [13.1, 48.2],
};
const outcomesOf = async (target: CanaryTarget, service = serviceOf()): Promise<Record<string, string>> =>
  Object.fromEntries((await checkService(target, service.ports)).map(({ check, outcome }) => [check, outcome]));

const allPassed = {
  health: 'passed',
  ready: 'passed',
  refusals: 'passed',
  gdd: 'passed',
  'smart-boundary': 'passed',
  imagery: 'passed',
};

describe('the checks of a service', () => {
  test('all pass on one that is well, and reach the file of an image', async () => {
    const service = serviceOf();
    expect(await outcomesOf(whole, service)).toEqual(allPassed);
    expect(service.asked).toContain('GET file');
  });

  test('skip by name what has no data manager, and no more', async () => {
    const { partyId: _party, fieldId: _field, farmId: _farm, ...without } = whole;
    const service = serviceOf();
    expect(await outcomesOf(without, service)).toEqual({ ...allPassed, 'smart-boundary': 'skipped' });
    expect(service.asked).toContain('POST cancel');
  });

  test('skip imagery without a key, and jobs without a token', async () => {
    expect(await outcomesOf({ baseUrl: whole.baseUrl })).toEqual({
      ...{ health: 'passed', ready: 'passed', refusals: 'passed' },
      ...{ gdd: 'skipped', 'smart-boundary': 'skipped', imagery: 'skipped' },
    });
  });

  test.each([
    { what: 'the process is gone', changes: { 'GET /health': { status: 503 } }, fails: ['health'] },
    { what: 'a dependency is away', changes: { 'GET /ready': { status: 503, json: {} } }, fails: ['ready'] },
    {
      what: 'jobs fail',
      changes: { 'POST fetch': { status: 200, json: { status: 'FAILED' } } },
      fails: ['gdd', 'smart-boundary'],
    },
    {
      what: 'jobs never end',
      changes: { 'POST fetch': { status: 200, json: { status: 'RUNNING' } } },
      fails: ['gdd', 'smart-boundary'],
    },
    {
      what: 'an id can be used twice',
      changes: { 'POST create again': { status: 202, json: {} } },
      fails: ['gdd', 'smart-boundary'],
    },
    { what: 'no image comes', changes: { 'GET list': { status: 200, text: '' } }, fails: ['imagery'] },
    { what: 'the token opens nothing', changes: { 'GET list': { status: 403, text: '' } }, fails: ['imagery'] },
    { what: 'the file is none', changes: { 'GET file': { status: 200, text: '<html>' } }, fails: ['imagery'] },
    {
      what: 'the field is not taken',
      changes: { 'GET /v1/enrollments/e': { status: 200, json: { status: 'failed' } } },
      fails: ['imagery'],
    },
  ])('when $what: $fails fail, the others pass', async ({ changes, fails }) => {
    const expected = { ...allPassed, ...Object.fromEntries(fails.map((name) => [name, 'failed'])) };
    expect(await outcomesOf(whole, serviceOf(changes as unknown as Answers))).toEqual(expected);
  });

  test('when strangers are let in, the refusals fail', async () => {
    expect(await outcomesOf(whole, serviceOf({}, 200))).toMatchObject({ refusals: 'failed' });
  });

  test('enrol once a day: what the day has already is not submitted again', async () => {
    const items = { status: 200, json: { items: [{ description: 'canary-2026-06-15' }] } };
    const service = serviceOf({ 'GET /v1/enrollments': items });
    expect(await outcomesOf(whole, service)).toEqual(allPassed);
    expect(service.asked).not.toContain('POST /v1/enrollments');
  });
});

describe('a round of the canary', () => {
  const round = async (changes: Answers, setting: string | undefined, isDrained = false) => {
    const lines: Facts[] = [];
    const log = (event: string, facts: Facts): void => void lines.push({ event, ...facts });
    const ports = {
      ...serviceOf(changes).ports,
      log,
      getToken: () => Promise.resolve('token'),
      isDrained: () => Promise.resolve(isDrained),
    };
    const parsed = setting === undefined ? undefined : canarySettings.CANARY.parse(setting);
    return { facts: await runCanary(ports)(parsed, 'pfs_key'), lines };
  };
  const setting = JSON.stringify({ url: 'https://service.example', point: [13.1, 48.2] });

  test('says what passed and what was skipped', async () => {
    const { facts, lines } = await round({}, setting);
    const passed = ['health', 'ready', 'refusals', 'gdd', 'imagery'];
    expect(facts).toEqual({ failedChecks: 0, passed, skipped: ['smart-boundary'] });
    expect(lines).toEqual([]);
  });
  test('writes a line for each check that failed, with what came and no secret', async () => {
    const { facts, lines } = await round({ 'GET list': { status: 403, text: '' } }, setting);
    expect(facts.failedChecks).toBe(1);
    expect(lines).toMatchObject([{ event: 'Canary:Failed', check: 'imagery', detail: expect.stringContaining('403') }]);
    expect(JSON.stringify(lines)).not.toContain('sig=');
  });
  test('takes what failed during a drain for skipped: what it asked for waits', async () => {
    const { facts, lines } = await round({ 'GET list': { status: 403, text: '' } }, setting, true);
    expect(facts).toMatchObject({ failedChecks: 0, skipped: ['smart-boundary', 'imagery'] });
    expect(lines).toEqual([]);
  });
  test('asks nothing where none is set up', async () => {
    expect((await round({}, undefined)).facts).toEqual({ failedChecks: 0, passed: [], skipped: ['all'] });
  });
  test.each(['{}', '[]', '{"url":"http://service.example"}', '{"url":"https://a.example","point":"1,2"}', 'x'])(
    'is not set up by %s',
    (text) => {
      expect(() => canarySettings.CANARY.parse(text)).toThrow();
    },
  );
});
