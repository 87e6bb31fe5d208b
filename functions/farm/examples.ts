import type { LandKind } from '../../shared/farm/land/land.js';

/** Examples of farm data for the OpenAPI document. */
const stamps = {
  eTag: '5f7a0c52-7a3b-4f0e-9b3e-2f1f6f4c9a10',
  createdDateTime: '2026-03-02T07:10:00Z',
  createdBy: '9b1b8a1e-2f64-4f0c-8f6e-0c6f0e2a9d11',
  modifiedDateTime: '2026-03-02T07:10:00Z',
  modifiedBy: '9b1b8a1e-2f64-4f0c-8f6e-0c6f0e2a9d11',
};

export const partyWriteExample = { name: 'Nygaard Farming', properties: { member: 4711 } };
export const partyExample = { id: 'nygaard', ...partyWriteExample, ...stamps };

export const farmWriteExample = { name: 'Home farm', source: 'survey 2026' };
export const farmExample = { partyId: 'nygaard', id: 'home', ...farmWriteExample, ...stamps };

const corners: (readonly [number, number])[] = [
  [9.1201, 55.9102],
  [9.1263, 55.9102],
  [9.1263, 55.9131],
  [9.1201, 55.9131],
  [9.1201, 55.9102],
];
const geometry = { type: 'Polygon' as const, coordinates: [corners] };

export const fieldWriteExample = { name: 'North field', farmId: 'home', geometry };
export const fieldExample = {
  partyId: 'nygaard',
  farmId: 'home',
  id: 'north',
  name: 'North field',
  ...stamps,
  geometry,
};

export const searchExample = { partyId: 'nygaard', intersectsWithGeometry: geometry };

const owner = {
  partyId: 'nygaard',
  modelId: 'partnerAgPowered.gdd',
  resourceType: 'Field',
  resourceId: 'north',
};
export const insightExample = {
  ...owner,
  id: '3f7d1f64-70d9-4b8e-8d0a-3c2b6a9f0e55',
  ...stamps,
  modelVersion: '1.0',
  attachmentsLink:
    'https://fields.example.com/parties/nygaard/models/partnerAgPowered.gdd/resource-types/Field/resources/north/insight-attachments?api-version=2023-11-01-preview&insightIds=3f7d1f64-70d9-4b8e-8d0a-3c2b6a9f0e55',
  insightStartDateTime: '2026-04-20T00:00:00Z',
  insightEndDateTime: '2026-09-30T00:00:00Z',
  measurements: { gdd: { unit: '°C·day', value: 1312.4 } },
};
export const attachmentExample = {
  ...owner,
  id: 'daily',
  ...stamps,
  insightId: insightExample.id,
  originalFileName: 'daily.csv',
};

/** A page whose only item this is. */
export const listExampleOf = (item: object): object => {
  const { geometry: _geometry, ...listed } = item as { readonly geometry?: unknown };
  return { value: [listed] };
};

const ofKind: Readonly<Record<LandKind, object>> = {
  party: { resourceId: 'nygaard', resourceType: 'Party' },
  farm: { resourceId: 'home', resourceType: 'Farm' },
  field: { resourceId: 'north', resourceType: 'Field' },
};

export const cascadeExampleOf = (kind: LandKind): object => ({
  id: 'spring-cleaning',
  partyId: 'nygaard',
  ...ofKind[kind],
  status: 'Waiting',
  createdDateTime: '2026-11-02T09:00:00Z',
  lastActionDateTime: '2026-11-02T09:00:00Z',
});

export const importExample = (status: 'Waiting' | 'Succeeded'): object => ({
  id: '0c7a6f5e-3f1d-5b5c-9a57-2f6f4c9a10d1',
  status,
  ...(status === 'Waiting'
    ? { total: 0, written: 0, failed: 0, errors: [] }
    : {
        total: 120,
        written: 119,
        failed: 1,
        errors: [{ index: 17, code: 'InvalidRequest', message: 'The feature has no geometry.' }],
      }),
  createdDateTime: '2026-03-02T07:10:00Z',
  ...(status === 'Waiting' ? {} : { endTime: '2026-03-02T07:10:02Z' }),
});

export const fieldsGeoJsonExample = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry,
      properties: {
        field_id: 'nygaard.north',
        party_id: 'nygaard',
        farm_id: 'home',
        name: 'North field',
        enrollable: true,
      },
    },
  ],
};

export const importedFeatures = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry, properties: { field_id: '12', name: 'North field' } }],
});

export const importedLine = JSON.stringify({ path: '/parties/nygaard/fields/north', resource: fieldWriteExample });
