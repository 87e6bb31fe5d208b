import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TableClient } from '@azure/data-tables';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { randomId } from '../../shared/kit/ids.js';
import type { FieldDate } from '../../shared/enrollments/fields/fieldDate.js';
import { TableFieldDateStore } from '../../shared/imagery/records/tableFieldDateStore.js';
import { startService, type RunningService } from '../faults/runningService.mjs';
import { aCollection, aFeature, aSubmittedRequest } from '../enrollments/builders.js';
import { anItem, boxPolygon } from '../imagery/builders.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { addressesOf, Canary } from './canary.js';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2026-05-01T10:00:00Z');
const canary = new Canary();
const scenes = mkdtempSync(join(tmpdir(), 'hostile-'));
let addresses: readonly string[];
let running: RunningService;

/** A scene a day over the field of the builders, each with files at one of the addresses. */
function writeItem(href: string, index: number): void {
  const sound = anItem({}, { datetime: new Date(FIRST_DAY + index * DAY_MS).toISOString() });
  const assets = Object.fromEntries(
    Object.entries(sound.assets).map(([name, asset]) => [name, { ...(asset as object), href }]),
  );
  const item = { ...sound, id: `S2B_33UUP_hostile_${index}`, geometry: boxPolygon([12.5, 48, 13.7, 48.7]), assets };
  mkdirSync(join(scenes, String(index)), { recursive: true });
  writeFileSync(join(scenes, String(index), 'item.json'), JSON.stringify(item));
}

beforeAll(async () => {
  await canary.start();
  addresses = addressesOf(canary.port, '127.0.0.1:1').filter((address) => URL.canParse(address));
  addresses.forEach(writeItem);
  running = await startService({ app: resolve('.'), environment: { STAC_DIR: scenes } });
});
afterAll(async () => {
  await running.stop();
  await canary.stop();
  rmSync(scenes, { recursive: true });
});

describe('a catalogue whose scenes name files elsewhere', () => {
  test('leads the service nowhere: each day is recorded as failed, with the reason', async () => {
    const lastDay = new Date(FIRST_DAY + (addresses.length - 1) * DAY_MS).toISOString().slice(0, 10);
    const metadata = aSubmittedRequest({ start_date: '2026-05-01', end_date: lastDay });
    const parts = submissionParts(JSON.stringify(metadata), JSON.stringify(aCollection([aFeature()])));
    const submitted = await fetch(`${running.service.baseUrl}/v1/enrollments`, {
      method: 'POST',
      headers: { 'api-key': running.service.apiKey, 'content-type': multipartType() },
      body: new Uint8Array(multipartBody(parts)),
    });
    expect(submitted.status).toBe(202);
    const days = await untilRecorded(addresses.length);
    expect(days).toHaveLength(addresses.length);
    expect(days.filter(({ outcome, layers }) => outcome !== 'failed' || layers.length > 0)).toEqual([]);
    expect(days.filter(({ reason }) => reason === null)).toEqual([]);
    expect(canary.connections).toBe(0);
  });
});

/** The records of the field's days, once there are so many. */
async function untilRecorded(count: number): Promise<readonly FieldDate[]> {
  const ca = readFileSync(running.service.caFile, 'utf8');
  const connection = running.settings['DATA_STORAGE'] ?? '';
  const table = TableClient.fromConnectionString(connection, 'fieldDates', { tlsOptions: { ca } });
  const deadline = Date.now() + 600_000;
  for (;;) {
    const days = await new TableFieldDateStore(new AzureRows(table, randomId)).list(running.service.customer, 'north');
    if (days.length >= count || Date.now() > deadline) return days;
    await new Promise((done) => setTimeout(done, 300));
  }
}

describe('a key vault', () => {
  const scriptVault = (fault: object): Promise<number> =>
    new Promise((done, reject) => {
      const tenants = JSON.parse(running.settings['TENANTS'] ?? '{}') as Record<
        string,
        { readonly keyVaultUrl: string }
      >;
      const { keyVaultUrl } = Object.values(tenants)[0]!;
      const ca = readFileSync(running.service.caFile);
      request(`${keyVaultUrl}/.control/faults`, { method: 'POST', ca }, (reply) => {
        reply.resume();
        done(reply.statusCode ?? 0);
      })
        .once('error', reject)
        .end(JSON.stringify(fault));
    });

  const createBoundary = async (id: string): Promise<number> => {
    const { baseUrl, jwt, partyId, fieldIds } = running.service;
    const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    const answer = await fetch(`${baseUrl}/solutions/partnerAgPowered.smartBoundary:create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        requestPath: `/v1/smart-boundary/${id}`,
        partnerRequestBody: {
          partyId,
          resourceType: 'Farm',
          resourceId: fieldIds[0],
          imageStartDate: day(20),
          imageEndDate: day(12),
          pointOnSurface: { longitude: 0, latitude: 0 },
        },
      }),
    });
    return answer.status;
  };

  test.each([
    ['redirects the reading of a secret', { status: 302 }],
    ['redirects it for good', { status: 307 }],
    ['names its next page elsewhere', { status: 200, path: '/versions' }],
  ])('that %s is not followed: 503', async (what, fault) => {
    const location = `https://127.0.0.1:${canary.port}/secrets/imagery-client-secret/versions`;
    const headers = { location, 'content-type': 'application/json' };
    const body = JSON.stringify({ value: [], nextLink: location });
    expect(await scriptVault({ kind: 'status', path: '/secrets/', ...fault, headers, body, times: 1 })).toBe(204);
    expect(await createBoundary(what.replaceAll(/\W/g, '-'))).toBe(503);
    expect(canary.connections).toBe(0);
  });
});
