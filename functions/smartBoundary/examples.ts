/** One job through its life, as the OpenAPI document shows it; every example is checked against its schema by test. */

const imagery = {
  imageStartDate: '2026-06-01',
  imageEndDate: '2026-06-14',
  pointOnSurface: { longitude: -92.972469, latitude: 41.518232 },
} as const;
const resource = {
  partyId: '2b1c0a52-5f3e-4d0c-9c1b-6a7f2f1d9e10',
  resourceId: '5c9e2d74-8a16-4f03-b7d2-0e6a3b9c1f45',
} as const;

export const createExample = {
  requestPath: '/v1/smart-boundary/north-field-outline',
  partnerRequestBody: { ...imagery, ...resource, resourceType: 'Farm' },
} as const;

export const pathExample = { requestPath: createExample.requestPath };

export const createdExample = {
  partnerRequestBody: { modelSpec: imagery, ...resource, resourceType: 'FARM' },
  id: 'north-field-outline',
  jobCreatedDateTime: '2026-10-02T08:15:00.120Z',
  jobLastActionDateTime: '2026-10-02T08:15:00.120Z',
  message: 'MESA-01001: The Smart Boundary job is queued.',
  status: 'WAITING',
  e2eId: 'b6f2a3a0-5d0f-4a3e-9b8b-2f1f6d7c8e90',
};

export const fetchedExample = {
  ...createdExample,
  partnerRequestBody: { ...imagery, ...resource, resourceType: 'FARM' },
  status: 'SUCCEEDED',
  message: 'IMG-02001: The Smart Boundary job has completed; read its insight by insightId.',
  jobLastActionDateTime: '2026-10-02T08:15:26.480Z',
  jobProcessingStartDateTime: '2026-10-02T08:15:01.350Z',
  jobProcessingEndDateTime: '2026-10-02T08:15:26.480Z',
  jobProcessingDurationInSeconds: 25,
  insightId: '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77',
};

export const cancelledExample = {
  ...createdExample,
  status: 'CANCELLED',
  message: 'MSIMAGE-02002: The Smart Boundary job has been cancelled.',
  jobLastActionDateTime: '2026-10-02T08:15:00.900Z',
  jobProcessingDurationInSeconds: 0,
};
