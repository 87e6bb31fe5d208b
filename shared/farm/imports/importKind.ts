import type { Clock } from '../../kit/clock.js';
import type { Limiter } from '../../kit/limiter.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Attempt } from '../../work/item/attempt.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type WorkKind } from '../../work/item/workKind.js';
import type { FarmWorkStore } from '../upkeep/farmWorkStore.js';
import { ImportFault } from '../files/importFault.js';
import type { ImportFileStore } from '../upkeep/importFileStore.js';
import {
  IMPORT,
  importOfWork,
  notBegun,
  placeOfImport,
  progressBehind,
  progressOfImport,
  requestOfWork,
  type ImportJob,
  type ImportProgress,
} from './importJob.js';
import { openSource, type ImportSourcePorts } from './importSource.js';
import type { FeaturesToPrepare } from './importTasks.js';
import type { Prepared } from './preparedFeature.js';
import { FeatureWriter, type WriteFeaturesPorts } from './writeFeatures.js';

export interface ImportPorts extends ImportSourcePorts, WriteFeaturesPorts {
  readonly imports: FarmWorkStore<ImportJob>;
  readonly importFiles: ImportFileStore;
  /** Whether operators hold a tenant: nothing more is written then. */
  readonly isHeld: (tenant: string) => Promise<boolean>;
  /** Runs beside the event loop. */
  readonly prepareFeatures: (input: FeaturesToPrepare) => Promise<readonly Prepared[]>;
  /** Holds back what would have more files in memory than a process should. */
  readonly inTurn: Limiter;
  readonly clock: Clock;
  readonly log: Log;
}

/** So long an attempt goes on, well below the longest: then the next one takes over. */
const SLICE_MS = 8 * 60_000;
/** A partition takes some 2,000 rows a second, and others write, too. */
const ROWS_A_SECOND = 500;
/** How often the place is kept while nothing is written. */
const SAVE_EVERY_MS = 1_000;

/**
 * The work of imports: a hundred features at a time are read, checked and written in one transaction, then the place is
 * kept, behind which the next attempt goes on. Features that were written since are known by their eTag.
 *
 * @param leaseMs length of the lease: after a crash the next attempt waits at most this long
 */
export function importKind(ports: ImportPorts, leaseMs: number): WorkKind {
  return {
    kind: IMPORT,
    leaseMs,
    begin: (begun) => {
      let held: Pick<Attempt, 'item'> = { item: begun };
      const run = (attempt: Attempt): Promise<Outcome> => {
        held = attempt;
        return runImport(ports, attempt);
      };
      return Promise.resolve({
        retry: retryOfStorage,
        waitsWhileHeld: true,
        run,
        giveUp: ({ item }) => finish(ports, item, 'Every attempt failed; import the file again.'),
        // The next attempt goes on where this one has come to.
        failureOf: (error) => ({ ...failureOf(error), place: held.item.place }),
      });
    },
  };
}

async function runImport(ports: ImportPorts, attempt: Attempt): Promise<Outcome> {
  const { item } = attempt;
  const stored = await ports.imports.find(item);
  if (stored === undefined || stored.value.endedAt !== undefined) return cleared(ports, item);
  const end = now(ports) + SLICE_MS;
  try {
    return await ports.inTurn(() => writeUntil(ports, attempt, { askedAt: stored.value.createdAt, end }));
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    return finish(ports, attempt.item, error.message);
  }
}

/** Milliseconds since 1970 UTC. */
interface Slice {
  readonly askedAt: number;
  /** When the next attempt takes over. */
  readonly end: number;
}

async function writeUntil(ports: ImportPorts, attempt: Attempt, { askedAt, end }: Slice): Promise<Outcome> {
  attempt.signal.throwIfAborted();
  const request = requestOfWork(attempt.item);
  const bytes = await ports.importFiles.read(importOfWork(attempt.item), request.digest);
  if (bytes === undefined) throw new ImportFault('The file is gone; import it again.');
  const { mode, by } = request;
  const writer = new FeatureWriter(ports, { ...importOfWork(attempt.item), mode, by, askedAt });
  const source = await openSource(ports, request.type, bytes);
  let progress: ImportProgress = { ...(progressOfImport(attempt.item.place) ?? notBegun), total: source.total };
  let savedAt = -Infinity;
  for await (const raw of source.from(progress.next)) {
    const startedAt = now(ports);
    const prepared = await ports.prepareFeatures({ raw, options: request });
    // What is faulty by itself needs no row: neither a place behind it, nor a pause.
    const rows = prepared.filter(({ fault }) => fault === undefined).length;
    await attempt.hold();
    progress = progressBehind(progress, await writer.write(prepared, now(ports)));
    const place = placeOfImport(progress);
    if (rows > 0 || now(ports) - savedAt >= SAVE_EVERY_MS) {
      await attempt.save(place);
      savedAt = now(ports);
    }
    if (now(ports) > end || (await ports.isHeld(importOfWork(attempt.item).tenant)))
      return { kind: 'wait', until: now(ports), place, hasProgress: true };
    await ports.clock.sleep(pauseBehind(rows, now(ports) - startedAt), attempt.signal);
  }
  await attempt.save(placeOfImport(progress));
  return finish(ports, attempt.item);
}

/** What keeps the pace. */
const pauseBehind = (rows: number, tookMs: number): number => Math.max(0, (rows / ROWS_A_SECOND) * 1000 - tookMs);

const now = ({ clock }: Pick<ImportPorts, 'clock'>): number => clock.now().getTime();

/** Ends the import, for good or with what is wrong with the file; then its file goes. */
async function finish(ports: ImportPorts, item: WorkItem, message?: string): Promise<Outcome> {
  const stored = await ports.imports.find(item);
  const { total, ...counts } = progressOfImport(item.place) ?? notBegun;
  const tried = counts.written + counts.failed;
  if (stored !== undefined && stored.value.endedAt === undefined) {
    const job: ImportJob = {
      ...stored.value,
      status: message === undefined ? 'Succeeded' : 'Failed',
      ...(message === undefined ? {} : { message }),
      endedAt: now(ports),
      progress: { ...counts, total: message === undefined ? tried : total },
    };
    await ports.imports.update(item, stored, job);
  }
  const { written, failed } = counts;
  return cleared(ports, item, { written, failed, ...(message === undefined ? {} : { reason: message }) });
}

/** Done, and nothing is left of the file. */
async function cleared(ports: ImportPorts, item: WorkItem, facts?: object): Promise<Outcome> {
  const key = importOfWork(item);
  await ports.importFiles.remove(key);
  const after = (): void => {
    if (facts !== undefined) ports.log('Farm:Imported', { tenant: key.tenant, importId: key.importId, ...facts });
  };
  return { ...done, after };
}
