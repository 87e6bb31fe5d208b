import { workOfCustomer } from '../../../shared/wiring/areas/customerBelongings.js';
import type { ImageryUnderTest } from '../../imagery/imageryUnderTest.js';
import { UnitsUnderTest } from '../../imagery/units/unitsUnderTest.js';
import { rowBelongings, type Belongings } from '../../../shared/storage/belongings.js';
import { interestBelongings } from '../../../shared/imagery/interest/tableInterestStore.js';
import { removeOf } from '../../support/memoryEnrollmentStores.js';

type Kept = readonly Map<string, unknown>[];

/** What is made of a customer's fields: files, documents, records, notes. */
function made(world: ImageryUnderTest): { readonly rows: Kept; readonly files: Kept } {
  const { fieldDates, makings, imagery } = world;
  const notes = world instanceof UnitsUnderTest ? [world.notes.notes] : [];
  return {
    rows: [fieldDates.rows, makings.rows],
    files: [imagery.files, imagery.documents, ...notes],
  };
}

/** What a purge deletes. */
export function belongingsIn(world: ImageryUnderTest): readonly Belongings[] {
  const { rows, files } = made(world);
  const all: readonly (readonly [string, (customer: string) => number])[] = [
    ['rows of field dates', (customer) => removeOf(customer, ...rows)],
    ['images', (customer) => removeOf(customer, ...files)],
  ];
  const others = all.map(([name, remove]) => ({
    name,
    count: () => Promise.resolve(0),
    removeAll: (customer: string) => Promise.resolve(remove(customer)),
  }));
  return [
    ...workOfCustomer(world.kernel.rows),
    rowBelongings('rows of enrollments', world.enrollmentRows),
    rowBelongings('rows of fields', world.fieldRows),
    interestBelongings('rows of interest', world.interest.rows),
    ...others,
  ];
}

/** The names of what there is of a customer. */
export function remainsOf(world: ImageryUnderTest, customer: string): readonly string[] {
  const { rows, files } = made(world);
  const own = [...rows, ...files].flatMap((map) => [...map.keys()]).filter((key) => key.split(/[|/]/)[0] === customer);
  const wanted = world.interest.entries.filter((entry) => entry.customer === customer);
  const work = world.kernel.rows
    .all()
    .filter(({ partitionKey, rowKey }) => `${partitionKey}|${rowKey}|`.includes(`|${customer}|`));
  return [
    ...own,
    ...wanted.map(({ tile, enrollmentId }) => `interest of ${enrollmentId} in ${tile}`),
    ...work.map(({ rowKey }) => rowKey),
  ];
}
