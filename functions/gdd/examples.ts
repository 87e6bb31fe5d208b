/** One job through its life, as the OpenAPI document shows it; every example is checked against its schema by test. */

const parameters = {
  partyId: '2b1c0a52-5f3e-4d0c-9c1b-6a7f2f1d9e10',
  resourceId: '7d9f5c3a-1e64-4c38-8d47-3f5b0a6c2e91',
  crop: 'CORN',
  gddStartDate: '2026-05-01',
  gddEndDate: '2026-09-30',
} as const;
const echo = { ...parameters, resourceType: 'FIELD', temperatureUnit: 'C' } as const;

export const createExample = {
  requestPath: '/v1/gdd/north-field-corn-2026',
  partnerRequestBody: { ...parameters, resourceType: 'Field', temperatureUnit: 'c' },
} as const;

export const pathExample = { requestPath: createExample.requestPath };

export const createdExample = {
  partnerRequestBody: echo,
  id: 'north-field-corn-2026',
  jobCreatedDateTime: '2026-10-02T08:15:00.120Z',
  jobLastActionDateTime: '2026-10-02T08:15:00.120Z',
  message: 'GDD-01001: The GDD job is queued.',
  status: 'WAITING',
  e2eId: 'b6f2a3a0-5d0f-4a3e-9b8b-2f1f6d7c8e90',
};

export const fetchedExample = {
  ...createdExample,
  status: 'SUCCEEDED',
  message: 'GDD-02001: The GDD job has completed; read its insight by insightId.',
  jobLastActionDateTime: '2026-10-02T08:15:02.480Z',
  jobProcessingStartDateTime: '2026-10-02T08:15:01.350Z',
  jobProcessingEndDateTime: '2026-10-02T08:15:02.480Z',
  jobProcessingDurationInSeconds: 1,
  insightId: '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77',
};

export const cancelledExample = {
  ...createdExample,
  status: 'CANCELLED',
  message: 'GDD-02002: The GDD job has been cancelled.',
  jobLastActionDateTime: '2026-10-02T08:15:00.900Z',
  jobProcessingDurationInSeconds: 0,
};
