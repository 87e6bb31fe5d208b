import type { CustomerStore } from '../customers/customerPorts.js';
import type { MultiPolygon } from '../geo/geoJson.js';
import { outlineOf } from '../geo/outline.js';
import type { FieldDate } from '../imagery/records/fieldDate.js';
import { newestOf, type NewestDays } from '../imagery/records/newestDays.js';
import { limiter } from '../raster/limiter.js';
import { polygonAreaHa } from '../raster/polygonArea.js';
import type { FieldLists } from './enrollmentPorts.js';
import type { FieldClaim, FieldOutline } from './field.js';
import { boxOf } from './fieldShape.js';

export interface DescribeFieldPorts {
  readonly geometries: { read(customer: string, geometryHash: string): Promise<MultiPolygon> };
  readonly fieldDates: { list(customer: string, fieldId: string): Promise<readonly FieldDate[]> };
}

/** What lists show of a field, from where it comes: for fields of before lists. */
export const describeField =
  ({ geometries, fieldDates }: DescribeFieldPorts) =>
  async (
    customer: string,
    { fieldId, geometryHash }: Pick<FieldClaim, 'fieldId' | 'geometryHash'>,
  ): Promise<NewestDays & { readonly outline: FieldOutline }> => {
    const geometry = await geometries.read(customer, geometryHash);
    const bbox = boxOf(geometry.coordinates);
    const outline = { geometry: outlineOf(geometry), bbox, areaHa: polygonAreaHa(geometry) };
    return { outline, ...newestOf(await fieldDates.list(customer, fieldId)) };
  };

/** Fields described at once. */
const PARALLEL = 8;

/**
 * Writes what lists show of the fields of before lists to their rows. Cut short, it goes on where it was the next time.
 *
 * @returns how many
 */
export const describeFields =
  (
    ports: DescribeFieldPorts & {
      readonly customers: Pick<CustomerStore, 'list'>;
      readonly fields: Pick<FieldLists, 'listUndescribed' | 'describe'>;
    },
  ) =>
  async (): Promise<number> => {
    const describing = limiter(PARALLEL);
    let described = 0;
    const describe = async (customer: string, claim: FieldClaim): Promise<void> => {
      const facts = await describeField(ports)(customer, claim);
      if (await ports.fields.describe(customer, claim, facts)) described += 1;
    };
    for (const { customer } of await ports.customers.list()) {
      const claims = await ports.fields.listUndescribed(customer);
      await Promise.all(claims.map((claim) => describing(() => describe(customer, claim))));
    }
    return described;
  };
