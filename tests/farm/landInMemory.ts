import type { TableName } from '../../shared/storage/names.js';
import { FarmInsightStore } from '../../shared/farm/insights/insightStore.js';
import { LandStore } from '../../shared/farm/land/landStore.js';
import type { PutInsightPorts } from '../../shared/farm/insights/putInsight.js';
import type { PutLandPorts } from '../../shared/farm/operations/putLand.js';
import { partyKeyOf, type Geometry, type Land, type LandKey, type LandKind } from '../../shared/farm/land/land.js';
import { landJson } from '../../shared/farm/wire/landView.js';
import type { WireObject } from '../../shared/farm/wire/resourceRules.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { MemoryRows } from '../support/memoryRows.js';

export const TENANT = '7c1b6f0e-52a4-4f3f-9d0a-3f1f2f6f0a11';
export const OTHER_TENANT = '7c1b6f0e-52a4-4f3f-9d0a-3f1f2f6f0a12';

/** The stores of farm data in memory, and ports whose clock stands still until it is set. */
export function landInMemory() {
  const tables = new Map<TableName, MemoryRows>();
  const rows = (name: TableName): MemoryRows => {
    const table = tables.get(name) ?? new MemoryRows();
    tables.set(name, table);
    return table;
  };
  const blobs = new MemoryBlobs();
  const time = { now: Date.parse('2026-05-01T10:00:00.250Z') };
  let ids = 0;
  const land = new LandStore(rows, blobs);
  const ports: PutLandPorts & Pick<PutInsightPorts, 'insightsPerDay'> = {
    land,
    clock: { now: () => new Date(time.now) },
    newId: () => `eTag-${(ids += 1)}`,
    checkQuota: () => Promise.resolve(),
    insightsPerDay: 100,
  };
  return { rows, blobs, land, insights: new FarmInsightStore(rows('farmInsights'), blobs), ports, time };
}

export const partyKey = (partyId = 'party', tenant = TENANT): LandKey => partyKeyOf(tenant, partyId);

export const landKey = (kind: LandKind, id: string, partyId = 'party', tenant = TENANT): LandKey => ({
  kind,
  tenant,
  partyId,
  id,
});

export const by = 'someone';

/** A party, farm or field as an answer has it. */
export const answered = async (land: Land): Promise<WireObject & { readonly geometry?: Geometry }> =>
  JSON.parse(Buffer.from(await landJson(land)).toString('utf8')) as WireObject & { readonly geometry?: Geometry };
