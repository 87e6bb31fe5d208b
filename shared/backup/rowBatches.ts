/** Lines of an export and the transactions that bring them back. */

import type { RawRow } from '../storage/rawRows.js';

const MOST_ROWS = 100;
/** The platform takes 4 MiB of a transaction; what the client writes around each row needs some of it. */
const MOST_BYTES = 3_000_000;
/** Headers and address of one operation in it. */
const BYTES_AROUND = 1_000;
export const lineOf = (row: RawRow): string => JSON.stringify(row);

export const rowOf = (line: string): RawRow => JSON.parse(line) as RawRow;

/** Rows of one partition each, as many as one transaction takes: by number and by bytes. */
export async function* rowBatches(lines: AsyncIterable<string>): AsyncGenerator<readonly RawRow[]> {
  let batch: RawRow[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const row = rowOf(line);
    const size = Buffer.byteLength(line) + BYTES_AROUND;
    const isOther = batch[0] !== undefined && batch[0].partitionKey !== row.partitionKey;
    if (batch.length > 0 && (isOther || batch.length === MOST_ROWS || bytes + size > MOST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
