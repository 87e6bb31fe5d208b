import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { NewId } from '../../kit/ids.js';
import { requireLand } from '../land/getLand.js';
import { landOfOwner, type InsightOwner, type FarmAttachmentRecord, type FarmInsightRecord } from './farmInsight.js';
import type { FarmInsightStore, StoredPart, WriteEnd } from './insightStore.js';
import type { CommonMembers } from '../land/land.js';
import type { LandStore } from '../land/landStore.js';

export interface PutInsightPorts {
  readonly land: Pick<LandStore, 'find'>;
  readonly insights: FarmInsightStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  /** Most new insights of one party, farm or field in a day (UTC). */
  readonly insightsPerDay: number;
}

/** Who writes: the solution, and the fencing token of the attempt of its job. */
export interface InsightAuthor {
  readonly by: string;
  readonly epoch: number;
}

/** Others write the same insight only after a takeover. */
const MOST_TRIES = 10;
/**
 * So long what was read of a party, farm or field counts for a write about it: with the time that the write itself may take
 * that is less than a cascade delete waits for writers.
 */
const LOOK_COUNTS_MS = 3_000;

type Kind = 'insight' | 'attachment';
type Part<K extends Kind> = StoredPart<K>['part'];

/**
 * Writes by jobs. Each is refused behind one of a later attempt, and behind a withdrawal by one, and where what it speaks of
 * is gone.
 */
export class InsightWriter {
  readonly #ports: PutInsightPorts;
  /** What was there when it was last looked for, and when. */
  #seen = { name: '', at: 0 };

  constructor(ports: PutInsightPorts) {
    this.#ports = ports;
  }

  /**
   * Creates an insight or merges into it.
   *
   * @param write what is written, from what is there
   * @throws ServiceError 403 for one too many of a day, 404 when what the insight speaks of is gone, 503 behind a later
   *   attempt
   */
  async put(
    owner: InsightOwner,
    id: string,
    author: InsightAuthor,
    write: (before: FarmInsightRecord | undefined) => InsightContent,
  ): Promise<void> {
    await this.#write('insight', { owner, id, author }, (before) => ({
      ...write(before),
      ...this.#stamped({ owner, id, author }, before),
    }));
  }

  /** Writes a file of an insight, whatever was there: first its content, then what makes it visible. @throws as `put` */
  async putFile(owner: InsightOwner, id: string, author: InsightAuthor, file: FileContent): Promise<void> {
    const { bytes, ...described } = file;
    const { insights } = this.#ports;
    await this.#requireOwner(owner);
    await insights.writeFile(owner, id, author.epoch, bytes);
    const isNew = await this.#write('attachment', { owner, id, author }, (before) => ({
      ...described,
      bytes: bytes.byteLength,
      ...this.#stamped({ owner, id, author }, before),
    }));
    // What an attempt has left that died before it wrote the row goes with the row, whose name it has.
    if (!isNew) await insights.deleteFiles(owner, id, author.epoch);
  }

  /** Takes an insight or a file back. What is kept of it keeps writes of earlier attempts out. */
  async withdraw(kind: Kind, owner: InsightOwner, id: string, author: InsightAuthor): Promise<void> {
    const withdrawn: WriteOptions = { isWithdrawn: true };
    if (kind === 'insight') {
      await this.#write(
        'insight',
        { owner, id, author },
        (before) => this.#emptied({ owner, id, author }, before),
        withdrawn,
      );
      return;
    }
    const none = { insightId: '', originalFileName: '', contentType: '', bytes: 0 };
    const empty = (before: FarmAttachmentRecord | undefined): FarmAttachmentRecord => ({
      ...none,
      ...this.#stamped({ owner, id, author }, before),
    });
    await this.#write('attachment', { owner, id, author }, empty, withdrawn);
    await this.#ports.insights.deleteFiles(owner, id);
  }

  /** @returns whether there was nothing before */
  async #write<K extends Kind>(
    kind: K,
    { owner, id, author: { epoch } }: Named,
    next: (before: Part<K> | undefined) => Part<K>,
    { isWithdrawn = false }: WriteOptions = {},
  ): Promise<boolean> {
    const { insights } = this.#ports;
    const mostOfDay = this.#mostOfDay(kind, isWithdrawn);
    const write = async (found: StoredPart<K> | undefined): Promise<WriteEnd> => {
      if (!isWithdrawn) await this.#requireOwner(owner);
      const before = found === undefined || found.isWithdrawn ? undefined : found.part;
      return insights.write(kind, owner, next(before), { onto: found?.etag, epoch, isWithdrawn, mostOfDay });
    };
    // Nearly all are new, and an insert finds out by itself.
    let end = await write(undefined);
    if (end === 'written') return true;
    for (let tries = 1; tries < MOST_TRIES; tries += 1) {
      const found = await insights.find(kind, owner, id);
      if (found === undefined && end === 'full') throw this.#tooMany(owner);
      if (found !== undefined && found.epoch > epoch) throw overtaken();
      end = await write(found);
      if (end === 'written') return false;
    }
    throw overtaken();
  }

  /** A withdrawal is taken whatever there is, and a file belongs to an insight. */
  #mostOfDay(kind: Kind, isWithdrawn: boolean): number | undefined {
    return kind === 'insight' && !isWithdrawn ? this.#ports.insightsPerDay : undefined;
  }

  #tooMany({ resourceType, resourceId }: InsightOwner): ServiceError {
    const most = `${this.#ports.insightsPerDay} new insights of today (UTC), as many as a day may bring`;
    return new ServiceError(farmFaults.quotaExceeded, `The ${resourceType.toLowerCase()} ${resourceId} has ${most}.`);
  }

  async #requireOwner(owner: InsightOwner): Promise<void> {
    const at = this.#ports.clock.now().getTime();
    const key = landOfOwner(owner);
    const name = JSON.stringify(key);
    if (this.#seen.name === name && at - this.#seen.at < LOOK_COUNTS_MS) return;
    await requireLand(this.#ports.land, key);
    this.#seen = { name, at };
  }

  #stamped({ owner, id, author: { by } }: Named, before: Part<Kind> | undefined) {
    const { tenant: _tenant, ...members } = owner;
    const at = this.#ports.clock.now().getTime();
    const { createdAt = at, createdBy = by } = before ?? {};
    return { ...members, id, eTag: this.#ports.newId(), createdAt, createdBy, modifiedAt: at, modifiedBy: by };
  }

  #emptied(named: Named, before: FarmInsightRecord | undefined): FarmInsightRecord {
    return { modelVersion: '', from: 0, to: 0, measurements: {}, ...this.#stamped(named, before) };
  }
}

/** What a caller says of an insight. */
export type InsightContent = CommonMembers & Pick<FarmInsightRecord, 'modelVersion' | 'from' | 'to' | 'measurements'>;

export type FileContent = CommonMembers &
  Pick<FarmAttachmentRecord, 'insightId' | 'originalFileName' | 'contentType'> & { readonly bytes: Uint8Array };

interface Named {
  readonly owner: InsightOwner;
  readonly id: string;
  readonly author: InsightAuthor;
}

interface WriteOptions {
  readonly isWithdrawn?: boolean;
}

const overtaken = (): ServiceError =>
  new ServiceError(commonFaults.unavailable, 'A later attempt at the same job has written the insight.');
