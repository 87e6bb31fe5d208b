/** Clients as strangers generate them, from our document and from that of the known product, over TLS: farm data. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { service } from '../contract/service.js';
import { stepsIn, tenantWithInsight } from './farmCallers.js';
import { documentSteps, wireSteps } from './farmSteps.js';
import { builtByHeyApi, builtByNswag, callersFolder, here, isThere, outputOf } from './generators.js';
import { startTlsProxy, type Fault, type TlsProxy } from './tlsProxy.js';

const documents = [
  { document: 'our own document', program: 'farm', from: undefined, steps: documentSteps },
  {
    document: 'the transcribed document',
    program: 'wire',
    from: resolve(here, 'agfood.subset.json'),
    steps: wireSteps,
  },
];

let token: string;
let proxy: TlsProxy | undefined;
beforeAll(async () => {
  ({ token } = await tenantWithInsight());
});
afterEach(async () => {
  await proxy?.close();
});

/** What a caller's program finds in its environment, once the service answers over TLS. */
async function environmentOf(run: string, fault?: Fault) {
  proxy = await startTlsProxy(fault);
  return { BASE_URL: proxy.baseUrl, TOKEN: token, RUN: run };
}

/** A folder of a caller with the document that it generates its client from. */
async function folderFor(from: string | undefined): Promise<string> {
  const folder = await callersFolder();
  if (from !== undefined) copyFileSync(from, join(folder, 'openapi.json'));
  return folder;
}

describe.each(documents)('a client of $document', ({ program, from, steps }) => {
  describe('by hey-api, in TypeScript,', () => {
    let [folder, built] = ['', ''];
    beforeAll(async () => {
      folder = await folderFor(from);
      built = await builtByHeyApi(folder, join(here, `heyApi/${program}.ts`));
    });
    const run = async (environment: Readonly<Record<string, string>>) =>
      stepsIn(await outputOf([process.execPath, built], folder, environment));

    test('does every operation that it knows', async () => {
      expect(await run(await environmentOf(`hey-${program}`))).toEqual(steps);
    });

    // Both generators repeat a list and follow no link: of the three faults this one alone reaches them.
    test('would fail at times if the service took none with fractions', async () => {
      const environment = { ...(await environmentOf(`hey-${program}-fractions`, 'noFractions')), CASCADES: 'off' };
      const seen = await run(environment);
      expect(seen['party put']).toBe('true');
      expect(seen['insights']).toMatch(/^FAILED .*Times have no fraction/);
    });
  });

  test('by NSwag, in C#, does every operation that it knows', async () => {
    if (!(await isThere('dotnet', '--version'))) {
      console.warn('Skipped: there is no dotnet.');
      return;
    }
    const folder = await folderFor(from);
    const built = await builtByNswag(folder, [`${program}.cs`, 'steps.cs']);
    const environment = { ...(await environmentOf(`nswag-${program}`)), SSL_CERT_FILE: service.caFile };
    expect(stepsIn(await outputOf(['dotnet', built], folder, environment))).toEqual(steps);
  });
});
