import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import type { InsightOwner, FarmAttachmentRecord, FarmInsightRecord } from './insight.js';
import type { FarmInsightStore, StoredPart } from './insightStore.js';
import type { CommonMembers } from './land.js';

export interface PutInsightPorts {
  readonly insights: FarmInsightStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
}

/** Who writes: the solution, and the fencing token of the attempt of its job. */
export interface InsightAuthor {
  readonly by: string;
  readonly epoch: number;
}

/** Others write the same insight only after a takeover. */
const MOST_TRIES = 10;

type Kind = 'insight' | 'attachment';
type Part<K extends Kind> = StoredPart<K>['part'];

/** Writes by jobs. Each is refused behind one of a later attempt, and behind a withdrawal by one. */
export class InsightWriter {
  readonly #ports: PutInsightPorts;

  constructor(ports: PutInsightPorts) {
    this.#ports = ports;
  }

  /** Creates an insight or merges into it. @param write what is written, from what is there */
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

  /** Writes a file of an insight, whatever was there: first its content, then what makes it visible. */
  async putFile(owner: InsightOwner, id: string, author: InsightAuthor, file: FileContent): Promise<void> {
    const { bytes, ...described } = file;
    await this.#ports.insights.writeFile(owner, id, author.epoch, bytes);
    await this.#write('attachment', { owner, id, author }, (before) => ({
      ...described,
      bytes: bytes.byteLength,
      ...this.#stamped({ owner, id, author }, before),
    }));
    await this.#ports.insights.deleteFiles(owner, id, author.epoch);
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

  async #write<K extends Kind>(
    kind: K,
    { owner, id, author }: Named,
    next: (before: Part<K> | undefined) => Part<K>,
    { isWithdrawn = false }: WriteOptions = {},
  ): Promise<void> {
    const { epoch } = author;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await this.#ports.insights.find(kind, owner, id);
      if (found !== undefined && found.epoch > epoch) throw overtaken();
      const before = found === undefined || found.isWithdrawn ? undefined : found.part;
      if (await this.#ports.insights.write(kind, owner, next(before), { onto: found?.etag, epoch, isWithdrawn }))
        return;
    }
    throw overtaken();
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
