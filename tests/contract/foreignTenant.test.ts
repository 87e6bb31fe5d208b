import { describe, expect, test } from '@jest/globals';
import { SEED } from '../../infra/local/standIns/dataManager/seed.js';
import { tenantId } from '../../infra/local/standIns/tenants.js';
import {
  call,
  createGdd,
  fetchGdd,
  gddParameters,
  newJobId,
  service,
  tokenOf,
  untilEnded,
  type Reply,
} from './service.js';
import { testInFull } from '../support/fullRun.js';

const SMART_BOUNDARY = '/solutions/partnerAgPowered.smartBoundary';
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Their data manager is the same stand-in as that of the tenant `outside`. */
const theirs = service.outside;

const pathOf = (jobId: string): string => `/v1/smart-boundary/${jobId}`;
const createBoundary = (jobId: string, token: string): Promise<Reply> => {
  const partnerRequestBody = {
    partyId: theirs.partyId,
    resourceType: 'Farm',
    resourceId: theirs.farmId,
    imageStartDate: daysAgo(21),
    imageEndDate: daysAgo(10),
    pointOnSurface: service.pointOnSurface,
  };
  const body = { requestPath: pathOf(jobId), partnerRequestBody };
  return call(`${SMART_BOUNDARY}:create`, { method: 'POST', token, body });
};
const fetchBoundary = (jobId: string, token: string): Promise<Reply> =>
  call(`${SMART_BOUNDARY}:fetch`, { method: 'POST', token, body: { requestPath: pathOf(jobId) } });

describe('a tenant whose data manager and vault lie in its own Entra tenant', () => {
  const token = tokenOf('foreign');

  test('gets its GDD job done: field read and insight published with a token of that tenant', async () => {
    const jobId = newJobId();
    const parameters = gddParameters({ partyId: theirs.partyId, resourceId: theirs.fieldIds[0] });
    expect((await createGdd(jobId, parameters, { token })).status).toBe(202);
    const { json } = await untilEnded(() => fetchGdd(jobId, { token }));
    expect(json).toMatchObject({ status: 'SUCCEEDED', insightId: expect.any(String) });
  });

  testInFull('gets its Smart Boundary job done: licence read in its vault, scenes from its data manager', async () => {
    const jobId = newJobId();
    expect((await createBoundary(jobId, token)).status).toBe(202);
    const { json } = await untilEnded(() => fetchBoundary(jobId, token));
    expect(json).toMatchObject({ status: 'SUCCEEDED', insightId: expect.any(String) });
  });
});

describe('such a tenant whose administrator has not consented', () => {
  const token = tokenOf('unconsented');
  const consent = `/${tenantId('unconsented')}/adminconsent?client_id=`;

  test('has its GDD job FAILED at once, with what the administrator has to do', async () => {
    const jobId = newJobId();
    const [, { id: partyId, fields }] = SEED;
    const parameters = gddParameters({ partyId, resourceId: fields[0]?.id });
    expect((await createGdd(jobId, parameters, { token })).status).toBe(202);
    const { json } = await untilEnded(() => fetchGdd(jobId, { token }));
    expect(json).toMatchObject({ status: 'FAILED', message: expect.stringMatching(/^GDD-05010: /) });
    expect(json.message).toContain(consent);
  });

  test('gets no Smart Boundary job: 403 IMG-04104, with the same to do', async () => {
    const { status, json } = await createBoundary(newJobId(), token);
    expect({ status, code: json.error.code }).toEqual({ status: 403, code: 'IMG-04104' });
    expect(json.error.message).toContain(consent);
  });
});
