/** The client that callers of the known product have, untouched, over TLS: every operation on farm data. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { FILE, stepsIn, tenantWithInsight } from './farmCallers.js';
import { here, outputOf } from './generators.js';
import { startTlsProxy, type Fault, type TlsProxy } from './tlsProxy.js';

/** What the program must write, whatever the version. */
const allSteps = {
  'party put': 'true',
  'party get': 'Grower',
  parties: 'true',
  'farm put': 'Farm',
  'farm get': 'true',
  farms: '',
  'farms of party': 'farm',
  'fields put': 'twelve',
  'field get': 'true',
  'field sent back': 'Changed',
  'fields of ids': 'f10 f11',
  'fields of farms': '12',
  'fields since': '12',
  'fields by pages': '12',
  'fields found': 'f12',
  'field removed': '204',
  error: 'ResourceNotFound',
  'If-Match': '412',
  insights: 'insight',
  insight: '212.5',
  attachments: 'file',
  attachment: 'gdd.csv',
  file: FILE,
  'another party': '201',
  'fields cascade': 'Succeeded Field',
  'farms cascade': 'Succeeded Farm',
  'parties cascade': 'Succeeded Party',
  'cascade get': 'Succeeded',
  'farm removed': '204',
  'party removed': '204',
};

let token: string;
let proxy: TlsProxy | undefined;
beforeAll(async () => {
  ({ token } = await tenantWithInsight());
});
afterEach(async () => {
  await proxy?.close();
});

interface Run {
  readonly version?: string;
  readonly fault?: Fault;
  /** They take a minute and a half, since those who may still be writing are waited for. */
  readonly cascades?: 'on' | 'off';
}

async function run(name: string, { version, fault, cascades = 'on' }: Run = {}) {
  proxy = await startTlsProxy(fault);
  const environment = { BASE_URL: proxy.baseUrl, TOKEN: token, RUN: name, CASCADES: cascades };
  const named = version === undefined ? {} : { API_VERSION: version };
  return stepsIn(await outputOf([process.execPath, 'agrifood/program.mjs'], here, { ...environment, ...named }));
}

describe('npm @azure-rest/agrifood-farming', () => {
  test('does every operation in its own version, 2022-11-01-preview', async () => {
    expect(await run('usual')).toEqual(allSteps);
  });

  test('does every operation in version 2023-11-01-preview', async () => {
    expect(await run('named', { version: '2023-11-01-preview' })).toEqual(allSteps);
  });

  test('would find nothing by two ids if the service did not split them', async () => {
    const steps = await run('unsplit', { fault: 'noSplit', cascades: 'off' });
    expect(steps['party put']).toBe('true');
    expect(steps).toMatchObject({ 'fields of ids': '', parties: 'false', 'fields of farms': '0' });
  });

  test('would fail at times if the service took none with fractions', async () => {
    const steps = await run('fractions', { fault: 'noFractions', cascades: 'off' });
    expect(steps['fields of ids']).toBe('f10 f11');
    expect(steps['fields since']).toMatch(/^FAILED 400 .*Times have no fraction/);
  });

  test('would go nowhere if links were built with http', async () => {
    const steps = await run('plain', { fault: 'plainLinks' });
    expect(steps['fields of ids']).toBe('f10 f11');
    for (const step of ['fields by pages', 'fields cascade', 'farms cascade', 'parties cascade']) {
      expect([step, steps[step]]).toEqual([step, expect.stringMatching(/^FAILED/)]);
    }
  });
});
