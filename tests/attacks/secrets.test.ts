import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { functionTable } from '../../functions/functionTable.js';
import { aFeature } from '../enrollments/builders.js';
import { getEnrollment, newCustomer, submit, untilIngested } from '../contract/enrollmentCalls.js';
import { createGdd, fetchGdd, newJobId, service, untilEnded } from '../contract/service.js';
import { credentialOf, sampleOf } from './operations.js';
import { closeConnections, sendRaw } from './rawRequest.js';

afterAll(closeConnections);

/** Everything that host, stand-ins and storage have printed. */
const logText = (): string => readFileSync(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'output.log'), 'utf8');

/** Requests of this file whose lines were seen: lines of one kind are sampled when other tests send many. */
const seen = new Set<string>();

/** Waits for the line of that request, which was on its way before the answer was. */
async function untilLogged(requestId: string): Promise<void> {
  const deadline = Date.now() + 1_000;
  while (!logText().includes(requestId) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 50));
  if (logText().includes(requestId)) seen.add(requestId);
}

const canaries: string[] = [];

describe('a canary in every place of a request (API8, I10)', () => {
  test.each(functionTable.routes.map((route) => [`${route.method} /${route.path}`, route] as const))(
    '%s: neither the log nor the answer shows it',
    async (_title, route) => {
      const canary = `canary${randomUUID().replaceAll('-', '')}`;
      canaries.push(canary);
      const { headers, body, ...sample } = sampleOf(route);
      const attempts = [
        { authorization: `Bearer ${canary}.${canary}.${canary}`, 'api-key': `pfs_${canary}` },
        {
          ...credentialOf(route),
          cookie: canary,
          'x-secret': canary,
          referer: `https://x/${canary}`,
          forwarded: canary,
        },
      ];
      for (const more of attempts) {
        const path = `${sample.path}?sig=${canary}&access_token=${canary}`;
        const text = typeof body === 'string' ? body.replace(/}$/, `,"secret":"${canary}"}`) : body;
        const reply = await sendRaw({
          ...sample,
          path,
          headers: { ...headers, ...more },
          ...(text === undefined ? {} : { body: text }),
        });
        expect(reply.text).not.toContain(canary);
        await untilLogged(String(reply.headers['x-ms-request-id']));
      }
      expect(logText()).not.toContain(canary);
    },
  );

  test('none shows later either, in a log that has lines of these requests', () => {
    const log = logText();
    expect(seen.size).toBeGreaterThan(0);
    expect(canaries.filter((canary) => log.includes(canary))).toEqual([]);
  });

  test('the credentials of those who were served stand in no log', async () => {
    const jobId = newJobId();
    await createGdd(jobId);
    await untilEnded(() => fetchGdd(jobId));
    const { apiKey } = await newCustomer();
    const access = await sendRaw({ method: 'GET', path: '/v1/auth/sas-token', headers: { 'api-key': apiKey } });
    const { sas_token: sas } = JSON.parse(access.text) as { readonly sas_token: string };
    await untilLogged(String(access.headers['x-ms-request-id']));
    const signature = new URLSearchParams(sas).get('sig') ?? '';
    expect(signature.length).toBeGreaterThan(20);
    const log = logText();
    for (const secret of [service.jwt, service.apiKey, apiKey, sas, signature, encodeURIComponent(signature)]) {
      expect(log.includes(secret)).toBe(false);
    }
  });

  test('what a customer submits is in no log: neither its words nor its places', async () => {
    const words = `words of ${randomUUID()}`;
    const west = 13.140_123_457;
    const ring = [
      [west, 48.29],
      [13.15, 48.29],
      [13.15, 48.294],
      [west, 48.294],
      [west, 48.29],
    ];
    const fields = [
      aFeature({ fieldId: `seen-${randomUUID()}`, geometry: { type: 'Polygon', coordinates: [ring] } }),
      aFeature({ fieldId: `crossed-${randomUUID()}`, geometry: { type: 'Polygon', coordinates: [[...ring].sort()] } }),
    ];
    const customer = await newCustomer();
    const submitted = (await submit(fields, { description: words }, customer)).json as {
      readonly enrollment_id: string;
    };
    await untilIngested(submitted.enrollment_id, customer.apiKey);
    const { text, headers } = await getEnrollment(submitted.enrollment_id, customer.apiKey);
    expect(text).toContain(words);
    await untilLogged(headers.get('x-ms-request-id') ?? '');
    expect(logText()).not.toContain(words);
    expect(logText()).not.toContain('13.140123457');
  });
});
