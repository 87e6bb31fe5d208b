import type { Rows } from '../storage/rows.js';
import type { JobStatus, SolutionId } from './job.js';
import { workPartitions } from '../work/item/workStore.js';
import type { JobPageQuery, JobPages, ListedEntry } from './jobPorts.js';
import { listedOf, listPrefix, type ListRow } from './jobRows.js';

/** One run of entries, newest first: the jobs of one kind in one partition. */
interface Range {
  readonly partitionKey: string;
  readonly prefix: string;
  /** Entries read so far, in their order. */
  readonly entries: ListedEntry[];
  /** Whether it may hold more. */
  isOpen: boolean;
}

/** The rows `LIST|…` of table `work`: a list of a tenant is spread over the partitions, and put together here. */
export class JobPageReader implements JobPages {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async listOf(
    tenant: string,
    { solutions, status, after = '', limit }: JobPageQuery,
  ): Promise<readonly ListedEntry[]> {
    const ranges = solutions.flatMap((solution) => rangesOf(tenant, solution, status));
    const count = pageOfRange(limit);
    await Promise.all(ranges.map((range) => this.#readOn(range, after, count)));
    for (;;) {
      const entries = ranges.flatMap((range) => range.entries).sort(byPosition);
      // Behind the end of what was read of a range, entries of it may be missing.
      const open = ranges.filter(({ isOpen }) => isOpen).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
      const [shortest] = open;
      if (shortest === undefined) return entries.slice(0, limit);
      const certain = entries.filter(({ position }) => position <= endOf(shortest));
      if (certain.length >= limit) return certain.slice(0, limit);
      await this.#readOn(shortest, endOf(shortest), count);
    }
  }

  async #readOn(range: Range, after: string, count: number): Promise<void> {
    const { partitionKey, prefix, entries } = range;
    const rows = await this.#rows.range<ListRow>(partitionKey, { prefix, above: prefix + after }, { most: count });
    for (const row of rows) entries.push({ job: listedOf(row), position: row.rowKey.slice(prefix.length) });
    range.isOpen = rows.length === count;
  }
}

const rangesOf = (tenant: string, solution: SolutionId, status: JobStatus | undefined): Range[] =>
  workPartitions.map((partitionKey) => ({
    partitionKey,
    prefix: listPrefix(tenant, solution, status),
    entries: [],
    isOpen: true,
  }));

/** Entries read of a range at once: four times its share, which is exceeded hardly ever. */
const pageOfRange = (limit: number): number => Math.ceil((4 * limit) / workPartitions.length) + 1;

const endOf = ({ entries }: Range): string => entries.at(-1)?.position ?? '';

const byPosition = (a: ListedEntry, b: ListedEntry): number => (a.position < b.position ? -1 : 1);
