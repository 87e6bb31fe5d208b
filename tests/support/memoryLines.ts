import type { Clock } from '../../shared/clock.js';
import type { JobQueues } from '../../shared/jobs/jobPorts.js';
import { linesOf, type Lines } from '../../shared/jobs/lines.js';
import { TableLineStore } from '../../shared/jobs/tableLineStore.js';
import { MemoryRows } from './memoryRows.js';

/** Lines over a table in memory. */
export class MemoryLineStore extends TableLineStore {
  readonly #rows: MemoryRows;

  constructor(rows = new MemoryRows()) {
    super(rows);
    this.#rows = rows;
  }

  /** How many tickets wait in all lines. */
  async waiting(): Promise<number> {
    let count = 0;
    for await (const page of this.#rows.scan({ prefix: 'T_' })) count += page.length;
    return count;
  }
}

export interface LinesUnderTest {
  readonly lineStore: MemoryLineStore;
  readonly lines: Lines;
}

/** Lines in memory. @param places what each line stands before; by default so many that nobody ever waits */
export function memoryLines(
  { jobQueues, clock }: { readonly jobQueues: JobQueues; readonly clock: Clock },
  places: (line: string) => number = () => 1_000,
): LinesUnderTest {
  const lineStore = new MemoryLineStore();
  const placesOf = (line: string): Promise<number> => Promise.resolve(places(line));
  return { lineStore, lines: linesOf({ lineStore, jobQueues, clock, log: () => undefined, placesOf }) };
}
