import { countFarmData } from '../../../shared/farm/upkeep/countFarmData.js';
import { FarmCountStore } from '../../../shared/farm/land/farmCounts.js';
import { MemoryRows } from '../../support/memoryRows.js';
import type { FarmMeasure } from './measure.js';

/** The nightly count of a tenant: a read for each thousand rows. */
export const nightlyCount: FarmMeasure = {
  what: 'count a tenant, at night',
  prepare: (bench) => {
    const counting = {
      ...bench,
      counts: new FarmCountStore(new MemoryRows()),
      quotas: { party: 10_000, farm: 50_000, field: 1_000_000 },
      listTenants: () => Promise.resolve([bench.tenant]),
      log: () => undefined,
    };
    return Promise.resolve(countFarmData(counting));
  },
};
