import { systemClock } from '../../shared/kit/clock.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { partyKeyOf, type LandKey, type LandKind } from '../../shared/farm/land/land.js';
import type { ShapeFiles } from '../../shared/farm/land/shapeStore.js';
import { LandStore } from '../../shared/farm/land/landStore.js';
import { putLand } from '../../shared/farm/operations/putLand.js';
import { randomId } from '../../shared/kit/ids.js';
import type { TableName } from '../../shared/storage/names.js';
import type { Rows } from '../../shared/storage/rows.js';
import { OWN_FARMS, type SeedParty } from './demo/farms.js';
import { tenantId } from './standIns/tenants.js';

/** The tenants of the farms, as TENANTS names them. */
export const ownTenants: Readonly<Record<string, object>> = Object.fromEntries(
  OWN_FARMS.map(({ tenant }) => [tenantId(tenant), {}]),
);

const tooLarge = (): Promise<never> => Promise.reject(new Error('The fields of the seed have small geometries.'));
/** What only large geometries need. */
const noFiles: ShapeFiles = { read: tooLarge, write: tooLarge, delete: tooLarge, list: tooLarge };

/** Writes what is missing of the parties, farms and fields that local tenants begin with; what a user has changed stays as it is. */
export async function plantFarms(rows: (table: TableName) => Rows): Promise<void> {
  const land = new LandStore(rows, noFiles);
  const put = putLand({ land, clock: systemClock, newId: randomId, checkQuota: () => Promise.resolve() });
  await Promise.all(OWN_FARMS.map((party) => plantParty(party, land, put)));
}

async function plantParty(
  { tenant: name, id: partyId, name: partyName, farms, fields }: SeedParty,
  land: LandStore,
  put: ReturnType<typeof putLand>,
): Promise<void> {
  const tenant = tenantId(name);
  const add = async (key: LandKey, body: object): Promise<void> => {
    await put(key, { body: { ...body }, by: 'npm start' }).catch(leaveDeleted);
  };
  const party = partyKeyOf(tenant, partyId);
  if ((await land.find(party)) === undefined) await add(party, { name: partyName });
  const addMissing = async (kind: LandKind, wanted: readonly { readonly id: string }[]): Promise<void> => {
    const ids = wanted.map(({ id }) => id);
    const there = await land.findMany({ kind, tenant, partyId }, ids);
    const missing = wanted.filter(({ id }) => !there.some(({ item }) => item.id === id));
    await Promise.all(missing.map((body) => add({ kind, tenant, partyId, id: body.id }, body)));
  };
  await addMissing('farm', farms);
  await addMissing('field', fields);
}

/** What a user is deleting stays so: nothing is written below it. */
function leaveDeleted(error: unknown): void {
  if (!(error instanceof ServiceError && error.fault.status === 409)) throw error;
}
