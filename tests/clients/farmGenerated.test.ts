/** Clients as strangers generate them, from our document and from that of the known product, over TLS: farm data. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { service } from '../contract/service.js';
import { stepsIn, tenantWithInsight } from './farmCallers.js';
import { documentSteps, wireSteps } from './farmSteps.js';
import { builtByHeyApi, builtByNswag, callersFolder, here, isThere, outputOf } from './generators.js';
import { startTlsProxy, type TlsProxy } from './tlsProxy.js';

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
let proxy: TlsProxy;
beforeAll(async () => {
  ({ token } = await tenantWithInsight());
  proxy = await startTlsProxy();
});
afterAll(async () => {
  await proxy.close();
});

const environmentOf = (run: string) => ({ BASE_URL: proxy.baseUrl, TOKEN: token, RUN: run });

/** A folder of a caller with the document that it generates its client from. */
async function folderFor(from: string | undefined): Promise<string> {
  const folder = await callersFolder();
  if (from !== undefined) copyFileSync(from, join(folder, 'openapi.json'));
  return folder;
}

describe.each(documents)('a client of $document', ({ program, from, steps }) => {
  test('by hey-api, in TypeScript, does every operation that it knows', async () => {
    const folder = await folderFor(from);
    const built = await builtByHeyApi(folder, join(here, `heyApi/${program}.ts`));
    expect(stepsIn(await outputOf([process.execPath, built], folder, environmentOf(`hey-${program}`)))).toEqual(steps);
  });

  test('by NSwag, in C#, does every operation that it knows', async () => {
    if (!(await isThere('dotnet', '--version'))) {
      console.warn('Skipped: there is no dotnet.');
      return;
    }
    const folder = await folderFor(from);
    const built = await builtByNswag(folder, [`${program}.cs`, 'steps.cs']);
    const environment = { ...environmentOf(`nswag-${program}`), SSL_CERT_FILE: service.caFile };
    expect(stepsIn(await outputOf(['dotnet', built], folder, environment))).toEqual(steps);
  });
});
