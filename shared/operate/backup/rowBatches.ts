import type { RawRow } from '../../storage/azure/rawRows.js';

const MOST_ROWS = 100;
/** A transaction may have 4 MiB, of which the client needs some for each row. */
const MOST_BYTES = 3_000_000;
/** Headers and address of one row in a transaction. */
const BYTES_AROUND = 1_000;

/** The row in a line of an export, which is its JSON. */
export const rowOf = (line: string): RawRow => JSON.parse(line) as RawRow;

/** The rows of an export in batches that each fit into one transaction. */
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
