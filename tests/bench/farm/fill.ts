import { gzipSync } from 'node:zlib';
import type { Rows } from '../../../shared/storage/rows.js';
import { squareOf } from './measure.js';

const IN_ONE_WRITE = 100;
const FIELDS_OF_PARTY = 100;
const FIELDS_OF_LARGE = 1_000;

interface Filled {
  readonly parties: readonly string[];
  readonly large: string;
}

/** Writes rows as the store does, a hundred at a time: one party with 1,000 fields, and others with 100 each. */
export async function fill(
  rows: (name: 'farmParties' | 'farmFields') => Rows,
  { tenant, fields }: { readonly tenant: string; readonly fields: number },
): Promise<Filled> {
  const large = 'large';
  const count = Math.max(1, Math.floor((fields - FIELDS_OF_LARGE) / FIELDS_OF_PARTY));
  const parties = Array.from({ length: count }, (_, index) => `party-${String(index).padStart(6, '0')}`);
  for (let start = 0; start < parties.length; start += IN_ONE_WRITE) {
    const some = parties.slice(start, start + IN_ONE_WRITE);
    await rows('farmParties').transact(tenant, some.map((id) => ({ insert: id, value: rowOf(id, id) }))); // prettier-ignore
  }
  await rows('farmParties').insert(tenant, large, rowOf(large, large));
  for (const party of parties) await fillParty(rows('farmFields'), { tenant, party, fields: FIELDS_OF_PARTY });
  await fillParty(rows('farmFields'), { tenant, party: large, fields: FIELDS_OF_LARGE });
  return { parties, large };
}

async function fillParty(
  rows: Rows,
  { tenant, party, fields }: { readonly tenant: string; readonly party: string; readonly fields: number },
): Promise<void> {
  for (let start = 0; start < fields; start += IN_ONE_WRITE) {
    const inserts = Array.from({ length: Math.min(IN_ONE_WRITE, fields - start) }, (_, index) => {
      const id = `field-${start + index}`;
      return { insert: id, value: { ...rowOf(party, id), ...(shapes[start + index] ?? {}) } };
    });
    await rows.transact(`${tenant}|${party}`, inserts);
  }
}

const rowOf = (partyId: string, id: string) => ({
  ...{ id, partyId, eTag: 'e', name: 'Field', isDeleting: false, farmKey: '' },
  ...{ createdAt: 1_780_000_000_000, createdBy: 'bench', modifiedAt: 1_780_000_000_000, modifiedBy: 'bench' },
});

/** The columns of a geometry, by the number of the field. */
const shapes = Array.from({ length: FIELDS_OF_LARGE }, (_, index) => {
  const geometry = squareOf(index);
  const [[west, south] = [], , [east, north] = []] = geometry.coordinates[0] ?? [];
  const shape = gzipSync(JSON.stringify(geometry)).toString('base64');
  return { west, south, east, north, areaHa: 1, shape };
});
