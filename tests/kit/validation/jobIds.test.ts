import { describe, expect, test } from '@jest/globals';
import { GddCreateBody } from '../../../shared/gdd/form/gddSchemas.js';
import { SmartBoundaryCreateBody } from '../../../shared/boundary/form/smartBoundarySchemas.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';

const partyId = '3f0d5a3e-8a35-4f0e-9b6c-0f4b8a2f6d11';
const resourceId = 'b9c7b6de-0f0e-4a51-8a46-6d1e9d3c7a52';

const bodies = {
  GDD: (ids: object) => ({
    requestPath: '/v1/gdd/a',
    partnerRequestBody: {
      partyId,
      resourceId,
      resourceType: 'Field',
      crop: 'CORN',
      gddStartDate: '2026-05-01',
      gddEndDate: '2026-09-30',
      ...ids,
    },
  }),
  'Smart Boundary': (ids: object) => ({
    requestPath: '/v1/smart-boundary/a',
    partnerRequestBody: {
      partyId,
      resourceId,
      resourceType: 'Farm',
      imageStartDate: '2026-06-01',
      imageEndDate: '2026-06-12',
      pointOnSurface: { longitude: -92.98, latitude: 41.5 },
      ...ids,
    },
  }),
};
const schemas = { GDD: GddCreateBody, 'Smart Boundary': SmartBoundaryCreateBody };

const messagesOf = (kind: keyof typeof bodies, ids: object): string[] =>
  faultsOf(schemas[kind], bodies[kind](ids)).map(({ msg }) => msg);

describe.each(['GDD', 'Smart Boundary'] as const)('the create of a %s job', (kind) => {
  test.each(['partyId', 'resourceId'])('takes %s in upper and lower case', (name) => {
    expect(messagesOf(kind, { [name]: partyId })).toEqual([]);
    expect(messagesOf(kind, { [name]: partyId.toUpperCase() })).toEqual([]);
  });

  test.each(['partyId', 'resourceId'])('refuses the URN of a UUID as %s, and says what to leave out', (name) => {
    expect(messagesOf(kind, { [name]: `urn:uuid:${partyId}` })).toEqual([
      `partnerRequestBody.${name} must be a UUID, such as 1f0c4f3e-8f0b-4c7d-9a43-5d2f0c9b7e11, without \`urn:uuid:\` or braces`,
    ]);
  });
});
