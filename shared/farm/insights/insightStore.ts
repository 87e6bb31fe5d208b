import { hash } from 'node:crypto';
import type { Blobs } from '../../storage/blobs.js';
import { byPartition } from '../../storage/byPartition.js';
import { TRANSACTION_LIMIT, type Action, type Etag, type Row, type Rows } from '../../storage/rows.js';
import type { Listed } from '../../kit/boundedScan.js';
import { idKeyOf, partyFolderOf } from '../land/land.js';
import { resourcePrefix, type InsightOwner, type FarmAttachmentRecord, type FarmInsightRecord } from './farmInsight.js';

/** What lies in table `farmInsights`. */
type InsightPart = 'insight' | 'attachment';
interface Parts {
  readonly insight: FarmInsightRecord;
  readonly attachment: FarmAttachmentRecord;
}

const LETTERS: Readonly<Record<InsightPart, string>> = { insight: 'i', attachment: 'a' };
const DAY_LETTER = 'd';
const DAY_MS = 86_400_000;

/** `value` is the insight or the attachment as JSON. */
interface InsightRow {
  readonly value: string;
  /** Fencing token of the job that wrote it last. */
  readonly epoch?: number | undefined;
  /** Milliseconds since 1970 UTC: what it is deleted by when it is old. */
  readonly modifiedAt: number;
  /** Withdrawn: nothing of it is shown, and the row keeps writes of an older epoch out. */
  readonly isWithdrawn: boolean;
}

/** Where there is one, there is an insight of its resource that is no older. */
interface DayRow {
  /** Whole days since 1970 UTC. */
  readonly day: number;
  /** New ones on that day. */
  readonly insights: number;
  readonly modifiedAt: number;
}

/** Rows of a tenant that are deleted at once. */
const ROWS_OF_A_TENANT = 1_000;

type PartyOfInsights = Pick<InsightOwner, 'tenant' | 'partyId'>;
type InsightResource = Pick<InsightOwner, 'resourceType' | 'resourceId'>;

/** How many were deleted. */
export interface RemovedParts {
  readonly insights: number;
  readonly attachments: number;
  /** Counts of days. */
  readonly days: number;
}

/** An insight or attachment as it was read. */
export interface StoredPart<P extends InsightPart> {
  readonly part: Parts[P];
  readonly epoch: number;
  readonly isWithdrawn: boolean;
  readonly etag: Etag;
}

/** How a write is guarded and marked. */
export interface PartWrite {
  readonly epoch?: number;
  readonly isWithdrawn?: boolean;
  /** Onto the row as it was read; undefined where there must be none. */
  readonly onto: Etag | undefined;
  /** Most insights of the resource that are created in a day (UTC); what is created without it isn't counted. */
  readonly mostOfDay?: number | undefined;
}

/** What came of a write; `refused`: the row, or the count of its day, is not as it was read. */
export type WriteEnd = 'written' | 'refused' | 'full';

/**
 * Rows of table `farmInsights`. PartitionKey `<tenant>|<party>`; RowKeys, with the type and key of the resource first so
 * that all insights of a field have one prefix:
 *
 * - `i|<type>|<resource>|<model>|<insight>`: an insight
 * - `a|<type>|<resource>|<model>|<attachment>`: a file of an insight; its content is a blob
 * - `d|<type>|<resource>|`: how many insights were new on the latest day that had one
 */
export class FarmInsightStore {
  readonly #rows: Rows;
  readonly #files: Blobs;

  constructor(rows: Rows, files: Blobs) {
    this.#rows = rows;
    this.#files = files;
  }

  /** One insight or attachment, a withdrawn one too. */
  async find<P extends InsightPart>(kind: P, owner: InsightOwner, id: string): Promise<StoredPart<P> | undefined> {
    const row = await this.#rows.find<InsightRow>(partitionOf(owner), rowKeyOf(kind, owner, id));
    return row && partOf(row);
  }

  async write<P extends InsightPart>(
    kind: P,
    owner: InsightOwner,
    part: Parts[P],
    { onto, epoch, isWithdrawn = false, mostOfDay }: PartWrite,
  ): Promise<WriteEnd> {
    const [partition, rowKey] = [partitionOf(owner), rowKeyOf(kind, owner, part.id)];
    const row: InsightRow = { value: JSON.stringify(part), epoch, modifiedAt: part.modifiedAt, isWithdrawn };
    if (onto !== undefined) return endOf(await this.#rows.update(partition, rowKey, row, onto));
    if (mostOfDay === undefined) return endOf(await this.#rows.insert(partition, rowKey, row));
    const counted = await this.#countOn(owner, part.createdAt, mostOfDay);
    return counted === undefined
      ? 'full'
      : endOf(await this.#rows.transact(partition, [{ insert: rowKey, value: row }, counted]));
  }

  /** The write by which one more insight is counted; undefined when the day has as many. */
  async #countOn(owner: InsightOwner, at: number, most: number): Promise<Action | undefined> {
    const key = `${DAY_LETTER}|${resourcePrefix(owner)}`;
    const before = await this.#rows.find<DayRow>(partitionOf(owner), key);
    const day = Math.floor(at / DAY_MS);
    const insights = before?.day === day ? before.insights : 0;
    if (insights >= most) return undefined;
    const value: DayRow = { day, insights: insights + 1, modifiedAt: at };
    return before === undefined ? { insert: key, value } : { update: key, value, etag: before.etag };
  }

  /** Insights or attachments of an owner behind an id, by their keys, withdrawn ones too; fewer than `most` are the last. */
  async page<P extends InsightPart>(
    kind: P,
    owner: InsightOwner,
    { after, most }: { readonly after: string | undefined; readonly most: number },
  ): Promise<readonly StoredPart<P>[]> {
    const prefix = rowKeyOf(kind, owner, '');
    const above = after === undefined ? {} : { above: rowKeyOf(kind, owner, after) };
    const rows = await this.#rows.range<InsightRow>(partitionOf(owner), { prefix, ...above }, { most });
    return rows.map((row) => partOf<P>(row));
  }

  /** Insights or attachments of a whole party behind a position, withdrawn ones too; fewer than `most` are the last. */
  async pageOfParty<P extends InsightPart>(
    kind: P,
    party: PartyOfInsights,
    { after, most }: { readonly after: string | undefined; readonly most: number },
  ): Promise<readonly Listed<StoredPart<P>, string>[]> {
    const span = { prefix: `${LETTERS[kind]}|`, ...(after === undefined ? {} : { above: after }) };
    const rows = await this.#rows.range<InsightRow>(partitionOf(party), span, { most });
    return rows.map((row) => ({ item: partOf<P>(row), at: row.rowKey }));
  }

  /** Whether anything is told of a resource, by whatever model. */
  async hasAny(owner: Omit<InsightOwner, 'modelId'>): Promise<boolean> {
    const options = { where: { column: 'isWithdrawn', equals: false }, select: [], most: 1 };
    const prefix = `${LETTERS.insight}|${resourcePrefix(owner)}`;
    return (await this.#rows.range(partitionOf(owner), { prefix }, options)).length > 0;
  }

  /**
   * Deletes a hundred insights and attachments at most with their content and no more counts of days than insights,
   * whatever the model: of one resource, or of a whole party.
   *
   * @returns how many of each; none of both when nothing is left
   */
  async removeSome({ tenant, partyId }: PartyOfInsights, of?: InsightResource): Promise<RemovedParts> {
    const partition = partitionOf({ tenant, partyId });
    const some = async (letter: string, most: number): Promise<string[]> => {
      const prefix = `${letter}|${of === undefined ? '' : resourcePrefix(of)}`;
      const rows = most === 0 ? [] : await this.#rows.range(partition, { prefix }, { select: [], most });
      return rows.map(({ rowKey }) => rowKey);
    };
    const insights = await some(LETTERS.insight, TRANSACTION_LIMIT);
    const attachments = await some(LETTERS.attachment, TRANSACTION_LIMIT - insights.length);
    const days = await some(DAY_LETTER, insights.length);
    return this.#removeKeys({ tenant, partyId }, [...days, ...insights, ...attachments]);
  }

  /** Deletes what was changed last before an instant, a hundred at most. @returns as `removeSome` */
  async removeOld(party: PartyOfInsights, before: number): Promise<RemovedParts> {
    const where = { column: 'modifiedAt', atMost: before };
    const rows = await this.#rows.range(partitionOf(party), {}, { where, select: [], most: TRANSACTION_LIMIT });
    return this.#removeKeys(
      party,
      rows.map(({ rowKey }) => rowKey),
    );
  }

  /** Deletes files of a party that no attachment names, written before an instant. @returns how many */
  async removeStrayFiles(party: PartyOfInsights, writtenBefore: number): Promise<number> {
    const files = (await this.#files.list(folderOf(party))).filter(({ writtenAt }) => writtenAt < writtenBefore);
    if (files.length === 0) return 0;
    const options = { where: { column: 'isWithdrawn', equals: false }, select: ['epoch'] };
    const prefix = `${LETTERS.attachment}|`;
    const rows = await this.#rows.range<Pick<InsightRow, 'epoch'>>(partitionOf(party), { prefix }, options);
    const named = new Set(rows.map(({ rowKey, epoch = 0 }) => fileNameOf(party, rowKey, epoch)));
    const strays = files.filter(({ name }) => !named.has(name));
    for (const { name } of strays) await this.#files.delete(name, { writtenBefore: new Date(writtenBefore) });
    return strays.length;
  }

  /** Deletes every file of a party, also those whose writer died before it wrote the row. @returns how many */
  async removeFiles({ tenant, partyId }: PartyOfInsights): Promise<number> {
    const files = await this.#files.list(folderOf({ tenant, partyId }));
    for (const { name } of files) await this.#files.delete(name);
    return files.length;
  }

  /** Deletes a thousand insights and attachments of a tenant at most, without their content. @returns how many */
  async removeSomeOf(tenant: string): Promise<number> {
    let removed = 0;
    for await (const page of this.#rows.scan(
      {},
      { partitionPrefix: `${tenant}|`, select: [], most: ROWS_OF_A_TENANT },
    )) {
      for (const [partition, rows] of byPartition(page)) {
        await this.#rows.deleteMany(
          partition,
          rows.map(({ rowKey }) => rowKey),
        );
      }
      removed += page.length;
    }
    return removed;
  }

  /** The content of an attachment as the attempt with this fencing token has it: no two attempts share a blob. */
  async writeFile(owner: InsightOwner, id: string, epoch: number, bytes: Uint8Array): Promise<void> {
    await this.#files.write(fileNameOf(owner, attachmentKeyOf(owner, id), epoch), bytes, {
      type: 'application/octet-stream',
    });
  }

  async readFile(owner: InsightOwner, id: string, epoch: number): Promise<Uint8Array | undefined> {
    return (await this.#files.read(fileNameOf(owner, attachmentKeyOf(owner, id), epoch)))?.bytes;
  }

  /** Deletes the contents of an attachment of all attempts but one. */
  async deleteFiles(owner: InsightOwner, id: string, keptEpoch?: number): Promise<void> {
    await this.#deleteFilesOf(owner, attachmentKeyOf(owner, id), keptEpoch);
  }

  async #removeKeys(party: PartyOfInsights, keys: readonly string[]): Promise<RemovedParts> {
    const attachments = keys.filter((key) => key.startsWith(`${LETTERS.attachment}|`));
    // The content first: by its row it is found again.
    await Promise.all(attachments.map((key) => this.#deleteFilesOf(party, key)));
    await this.#rows.deleteMany(partitionOf(party), keys);
    const insights = keys.filter((key) => key.startsWith(`${LETTERS.insight}|`)).length;
    return { insights, attachments: attachments.length, days: keys.length - insights - attachments.length };
  }

  async #deleteFilesOf(party: PartyOfInsights, rowKey: string, keptEpoch?: number): Promise<void> {
    const kept = keptEpoch === undefined ? undefined : fileNameOf(party, rowKey, keptEpoch);
    for (const { name } of await this.#files.list(fileNameOf(party, rowKey, ''))) {
      if (name !== kept) await this.#files.delete(name);
    }
  }
}

const partitionOf = ({ tenant, partyId }: PartyOfInsights): string => `${tenant}|${idKeyOf(partyId)}`;

const rowKeyOf = (kind: InsightPart, owner: InsightOwner, id: string): string =>
  `${LETTERS[kind]}|${resourcePrefix(owner)}${owner.modelId}|${idKeyOf(id)}`;

const attachmentKeyOf = (owner: InsightOwner, id: string): string => rowKeyOf('attachment', owner, id);

const folderOf = (party: PartyOfInsights): string => `${partyFolderOf(party)}attachments/`;

/** The file of an attachment. Row keys are too long for a name. */
const fileNameOf = (party: PartyOfInsights, rowKey: string, epoch: number | ''): string =>
  `${folderOf(party)}${hash('sha256', rowKey)}-${epoch}`;

const endOf = (written: unknown): WriteEnd => (written === undefined ? 'refused' : 'written');

function partOf<P extends InsightPart>({ value, epoch = 0, isWithdrawn, etag }: Row<InsightRow>): StoredPart<P> {
  return { part: JSON.parse(value) as Parts[P], epoch, isWithdrawn, etag };
}
