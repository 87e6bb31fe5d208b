import { describe, expect, test } from '@jest/globals';
import { multipartBody, multipartType } from '../support/multipart.js';
import { createGdd, newJobId, service } from './service.js';

const MB = 1_000_000;
const bearer = { authorization: `Bearer ${service.jwt}` };
const json = { 'content-type': 'application/json' };
const form = { 'api-key': service.apiKey, 'content-type': multipartType() };

const gdd = { path: '/solutions/partnerAgPowered.gdd:create', headers: { ...bearer, ...json } };
const enrollment = { path: '/v1/enrollments', headers: form };

/** Sends a body of unknown length. */
async function sendChunked(path: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<number> {
  const init = { method: 'POST', headers, body: new Blob([new Uint8Array(body)]).stream(), duplex: 'half' };
  return (await fetch(`${service.baseUrl}${path}`, init as RequestInit)).status;
}

const largePart = multipartBody([
  { name: 'request', type: 'application/json', data: new Uint8Array(2 * MB).fill(32) },
  { name: 'geojson', type: 'application/geo+json', data: new Uint8Array(2 * MB).fill(32) },
]);
const brokenParts = Buffer.concat([
  multipartBody([{ name: 'request', type: 'application/json', headers: [`X: ${'x'.repeat(80_000)}`], data: '{}' }]),
  Buffer.alloc(2 * MB),
]);

// The host sends requests over connections to the worker that all callers share: what is left in one harms the next.
describe('a body without a length that is refused', () => {
  test.each([
    { what: 'is a little too large', ...gdd, body: Buffer.alloc(0.3 * MB, ' '), status: 413 },
    { what: 'is far too large', ...gdd, body: Buffer.alloc(20 * MB, ' '), status: 413 },
    { what: 'has a part that is too large', ...enrollment, body: largePart, status: 413 },
    { what: 'is no multipart in its middle', ...enrollment, body: brokenParts, status: 422 },
    { what: 'is no JSON', ...gdd, body: Buffer.alloc(60_000, 'x'), status: 400 },
    { what: 'has another type', path: gdd.path, headers: bearer, body: Buffer.alloc(2 * MB), status: 415 },
    { what: 'comes from nobody', path: gdd.path, headers: json, body: Buffer.alloc(2 * MB), status: 401 },
    { what: 'has no operation', path: '/nowhere', headers: {}, body: Buffer.alloc(2 * MB), status: 404 },
  ])('since it $what gets its $status, and the next caller is served', async ({ path, headers, body, status }) => {
    expect(await sendChunked(path, headers, body)).toBe(status);
    expect((await createGdd(newJobId())).status).toBe(202);
  });

  test('since it has no end gets an empty 500 at the limit of the host, and the next caller is served', async () => {
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(MB));
      },
    });
    const init = { method: 'POST', headers: gdd.headers, body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${service.baseUrl}${gdd.path}`, init)).status).toBe(500);
    expect((await createGdd(newJobId())).status).toBe(202);
  });
});
