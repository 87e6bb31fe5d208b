import { BUCKETS, type JobStore, type UnlistedJobs } from './jobPorts.js';

export interface EnlistJobsPorts {
  readonly jobs: Pick<JobStore, 'find'>;
  readonly unlisted: UnlistedJobs;
}

/**
 * Writes the entries in the lists of their tenants for the jobs that have none: those of before lists, and those that
 * a restore has brought back. Cut short, it goes on where it was the next time; twice at once does no harm.
 *
 * @returns how many jobs entered the lists
 */
export const enlistJobs =
  ({ jobs, unlisted }: EnlistJobsPorts) =>
  async (): Promise<number> => {
    let enlisted = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      for await (const key of unlisted.listUnlisted(bucket)) {
        const stored = await jobs.find(key);
        if (stored === undefined || stored.isListed) continue;
        if (await unlisted.enlist(stored)) enlisted += 1;
      }
    }
    return enlisted;
  };
