import { OWN_FARMS, pivot, type SeedParty } from '../../demo/farms.js';
import { OUTSIDE_TENANT, SERVICE_TENANT_NAME, tenantId, UNCONSENTED_TENANT } from '../tenants.js';
import type { ResourceStore } from './resourceStore.js';
import { upsert } from './upsert.js';

const OUTSIDE_FARM = 'a7d3c0e8-5b16-4f92-8e4d-3c9f0a6b7d11';
const UNCONSENTED_FARM = 'd2b8f4a6-91c7-4e05-b3f8-7a1e6c5d0f22';
const CANARY_FARM = '7b2e6d91-4c58-4fa3-8e07-5d9a1c3f6b44';

/** Ids of the fields of `outside`: its own, on the ground of the demo tenant's first four, so that results can be compared. */
const OUTSIDE_FIELDS = [
  '18c0d7a3-6e4f-4b29-9a5d-0f3b8c7e1a01',
  '29d1e8b4-7f50-4c3a-8b6e-1a4c9d8f2b02',
  '3ae2f9c5-8061-4d4b-9c7f-2b5dae903c03',
  '4bf30ad6-9172-4e5c-ad80-3c6ebfa14d04',
] as const;

const [{ fields: demoFields }] = OWN_FARMS;

/** What the data manager has: a party of each tenant that is served by wire. */
export const SEED: readonly [SeedParty, SeedParty, SeedParty] = [
  {
    tenant: OUTSIDE_TENANT,
    id: 'f06b9d2e-4c81-4a73-a5e0-9d8c7b6f1e11',
    name: 'Grower whose data manager lies elsewhere',
    farms: [{ id: OUTSIDE_FARM, name: 'Beyond the hedge' }],
    fields: demoFields
      .slice(0, OUTSIDE_FIELDS.length)
      .map((field, index) => ({ ...field, id: OUTSIDE_FIELDS[index] ?? '', farmId: OUTSIDE_FARM })),
  },
  {
    tenant: UNCONSENTED_TENANT,
    id: '0c7e5a91-d3f4-4b68-8a2d-6e9f1b0c3d22',
    name: 'Grower whose administrator has not consented',
    farms: [{ id: UNCONSENTED_FARM, name: 'Assiniboine' }],
    fields: [
      {
        id: '5d04b1e7-a283-4f6d-9e91-4d7fc0b25e05',
        farmId: UNCONSENTED_FARM,
        name: 'Pivot 2, Manitoba (canola)',
        geometry: pivot([-98.3, 49.6036], 400),
      },
    ],
  },
  {
    tenant: SERVICE_TENANT_NAME,
    id: 'c3a90e5d-7f14-4b28-96d1-2e8b4f7a5c33',
    name: 'The canary, which is no grower',
    farms: [{ id: CANARY_FARM, name: 'Canary' }],
    fields: [
      {
        id: '5fb3926a-e718-44cf-8d2a-8361c4ef7a06',
        farmId: CANARY_FARM,
        name: 'Pivot of the canary, Kansas (corn)',
        geometry: pivot([-100.85, 37.95], 400),
      },
    ],
  },
];

/** Adds what of the seed is missing; what a user has changed stays as it is. */
export function plantSeed(store: ResourceStore, now: Date): void {
  const add = (path: string, fixed: Readonly<Record<string, unknown>>): void => {
    if (store.find(path) === undefined) upsert({ store, path, fixed, patch: {}, check: () => undefined, now });
  };
  for (const { id: partyId, name, farms, fields } of SEED) {
    const party = `parties/${partyId}`;
    add(party, { id: partyId, name });
    for (const farm of farms) add(`${party}/farms/${farm.id}`, { ...farm, partyId });
    for (const field of fields) add(`${party}/fields/${field.id}`, { ...field, partyId });
  }
}

/** One tenant of TENANTS, from which the local register is seeded. */
export interface SeedTenant {
  readonly dataManagerUrl: string;
  readonly partyIds: readonly string[];
}

/** The value of TENANTS for those of the service's own Entra tenant: they share the data manager, so each lists its party. */
export function seedTenants(dataManagerUrl: string): Readonly<Record<string, SeedTenant>> {
  const here = SEED.filter(({ tenant }) => tenant !== UNCONSENTED_TENANT);
  return Object.fromEntries(here.map(({ tenant, id }) => [tenantId(tenant), { dataManagerUrl, partyIds: [id] }]));
}
