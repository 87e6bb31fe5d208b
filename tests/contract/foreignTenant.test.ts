import { describe, expect, test } from '@jest/globals';
import { partyOf } from '../../infra/local/demo/farms.js';
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

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Asks for a boundary on the tenant's own farm. */
const createBoundary = (tenant: string): Promise<Reply> => {
  const { id: partyId, farms } = partyOf(tenant);
  const partnerRequestBody = {
    partyId,
    resourceType: 'Farm',
    resourceId: farms[0]?.id,
    imageStartDate: daysAgo(21),
    imageEndDate: daysAgo(10),
    pointOnSurface: service.pointOnSurface,
  };
  const body = { requestPath: `/v1/smart-boundary/${newJobId()}`, partnerRequestBody };
  return call('/solutions/partnerAgPowered.smartBoundary:create', { method: 'POST', token: tokenOf(tenant), body });
};

describe('a tenant whose vault lies in its own Entra tenant', () => {
  test('has its licence read there, with a token of that tenant', async () => {
    expect((await createBoundary('foreign')).status).toBe(202);
  });
});

describe('such a tenant whose administrator has not consented', () => {
  test('gets no Smart Boundary job: 403 IMG-04104, with what the administrator has to do', async () => {
    const { status, json } = await createBoundary('unconsented');
    expect({ status, code: json.error.code }).toEqual({ status: 403, code: 'IMG-04104' });
    expect(json.error.message).toContain(`/${tenantId('unconsented')}/adminconsent?client_id=`);
  });

  test('gets its GDD job done: that needs no licence', async () => {
    const { id: partyId, fields } = partyOf('unconsented');
    const [jobId, token] = [newJobId(), tokenOf('unconsented')];
    const parameters = gddParameters({ partyId, resourceId: fields[0]?.id });
    expect((await createGdd(jobId, parameters, { token })).status).toBe(202);
    const { json } = await untilEnded(() => fetchGdd(jobId, { token }));
    expect(json).toMatchObject({ status: 'SUCCEEDED', insightId: expect.any(String) });
  });
});
