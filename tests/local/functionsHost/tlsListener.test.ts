import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificate } from '../../../infra/local/certificates.js';
import { freePort } from '../../../infra/local/freePort.mjs';
import type { RegisteredFunction } from '../../../infra/local/functionsHost/coreApi.js';
import { listenHttp } from '../../../infra/local/functionsHost/httpListener.js';
import { httpTrigger, type HttpTriggerParts } from '../../../infra/local/functionsHost/httpTrigger.js';

/** Runs a function that answers 204 whatever it is asked, and remembers under which address it was called. */
function partsOf(addresses: string[]): HttpTriggerParts {
  const target = { name: 'any', bindings: {} } as unknown as RegisteredFunction;
  const match = { function: { name: 'any', target, triggerName: 'request' }, params: {} };
  return {
    route: () => match as unknown as ReturnType<HttpTriggerParts['route']>,
    invoke: (_target, { inputs }) => {
      addresses.push((inputs['request'] as { readonly http: { readonly url: string } }).http.url);
      return Promise.resolve({ returnValue: { http: { statusCode: '204' } } } as never);
    },
    forward: undefined,
    writeOutputs: () => Promise.resolve(),
    log: { system: () => undefined } as unknown as HttpTriggerParts['log'],
    bodyLimitBytes: 1_000,
  };
}

const statusOver = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

describe('the functions host over TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-'));

  test('answers beside plain http, with the certificate of the folder, and functions see which of the two it was', async () => {
    const { keyFile, certificateFile, caFile } = await ensureCertificate(directory, new Date());
    const [key, cert, ca] = [keyFile, certificateFile, caFile].map((file) => readFileSync(file, 'utf8')) as [
      ...[string, string, string],
    ];
    const addresses: string[] = [];
    const port = await freePort();
    const listener = await listenHttp(0, httpTrigger(partsOf(addresses)), { port, key, cert });
    expect((await fetch(`${listener.url}/plain`)).status).toBe(204);
    expect(await statusOver(`https://127.0.0.1:${port}/secret`, ca)).toBe(204);
    expect(addresses).toEqual([`${listener.url}/plain`, `https://127.0.0.1:${port}/secret`]);
    await listener.stop(1_000);
    await expect(statusOver(`https://127.0.0.1:${port}/secret`, ca)).rejects.toThrow('ECONNREFUSED');
    rmSync(directory, { recursive: true, force: true });
  });
});
