import { measureEvent } from '../telemetry/metrics.js';
import type { FieldDate } from './fieldDate.js';
import type { FieldDateStore } from './imageryPorts.js';

/**
 * Stores what became of fields on days, then counts it by outcome. A record that is written again, because a late
 * scene changed it or an attempt was repeated, counts again.
 */
export const recordFieldDates =
  ({ fieldDates }: { readonly fieldDates: Pick<FieldDateStore, 'put'> }) =>
  async (customer: string, records: readonly FieldDate[]): Promise<void> => {
    await fieldDates.put(customer, records);
    for (const { outcome } of records) measureEvent('FieldDate:Recorded', { outcome });
  };
