import { measureEvent } from '../telemetry/metrics.js';
import type { FieldDate } from './fieldDate.js';
import type { FieldDateStore } from './imageryPorts.js';
import { settled } from './judgement.js';

/**
 * Stores what became of fields on days, then counts it by outcome. What others have recorded meanwhile on a better basis
 * stays. A record that is written again, because a late
 * scene changed it or an attempt was repeated, counts again.
 */
export const recordFieldDates =
  ({ fieldDates }: { readonly fieldDates: Pick<FieldDateStore, 'merge'> }) =>
  async (customer: string, records: readonly FieldDate[]): Promise<void> => {
    await fieldDates.merge(customer, records, settled);
    for (const { outcome } of records) measureEvent('FieldDate:Recorded', { outcome });
  };
