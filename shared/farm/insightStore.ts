import { hash } from 'node:crypto';
import type { Blobs } from '../storage/blobs.js';
import type { Etag, Row, Rows } from '../storage/rows.js';
import { idKeyOf } from './land.js';
import { resourcePrefix, type InsightOwner, type FarmAttachmentRecord, type FarmInsightRecord } from './insight.js';

/** What lies in table `farmInsights`. */
type InsightPart = 'insight' | 'attachment';
interface Parts {
  readonly insight: FarmInsightRecord;
  readonly attachment: FarmAttachmentRecord;
}

const LETTERS: Readonly<Record<InsightPart, string>> = { insight: 'i', attachment: 'a' };

/** `value` is the insight or the attachment as JSON. */
interface InsightRow {
  readonly value: string;
  /** Fencing token of the job that wrote it last. */
  readonly epoch?: number | undefined;
  /** Withdrawn: nothing of it is shown, and the row keeps writes of an older epoch out. */
  readonly isWithdrawn: boolean;
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
}

/**
 * Rows of table `farmInsights`. PartitionKey `<tenant>|<party>`; RowKeys, with the type and key of the resource first so
 * that all insights of a field have one prefix:
 *
 * - `i|<type>|<resource>|<model>|<insight>`: an insight
 * - `a|<type>|<resource>|<model>|<attachment>`: a file of an insight; its content is a blob
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

  /** @returns false when the row is not as `onto` says */
  async write<P extends InsightPart>(
    kind: P,
    owner: InsightOwner,
    part: Parts[P],
    { onto, epoch, isWithdrawn = false }: PartWrite,
  ): Promise<boolean> {
    const [partition, rowKey] = [partitionOf(owner), rowKeyOf(kind, owner, part.id)];
    const row: InsightRow = { value: JSON.stringify(part), epoch, isWithdrawn };
    const written =
      onto === undefined
        ? await this.#rows.insert(partition, rowKey, row)
        : await this.#rows.update(partition, rowKey, row, onto);
    return written !== undefined;
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

  /** Whether anything is told of a resource, by whatever model. */
  async hasAny(owner: Omit<InsightOwner, 'modelId'>): Promise<boolean> {
    const options = { where: { column: 'isWithdrawn', equals: false }, select: [], most: 1 };
    const prefix = `${LETTERS.insight}|${resourcePrefix(owner)}`;
    return (await this.#rows.range(partitionOf(owner), { prefix }, options)).length > 0;
  }

  /** The content of an attachment as the attempt with this fencing token has it: no two attempts share a blob. */
  async writeFile(owner: InsightOwner, id: string, epoch: number, bytes: Uint8Array): Promise<void> {
    await this.#files.write(fileNameOf(owner, id, epoch), bytes, { type: 'application/octet-stream' });
  }

  async readFile(owner: InsightOwner, id: string, epoch: number): Promise<Uint8Array | undefined> {
    return (await this.#files.read(fileNameOf(owner, id, epoch)))?.bytes;
  }

  /** Deletes the contents of an attachment of all attempts but one. */
  async deleteFiles(owner: InsightOwner, id: string, keptEpoch?: number): Promise<void> {
    const kept = keptEpoch === undefined ? undefined : fileNameOf(owner, id, keptEpoch);
    const files = await this.#files.list(fileNameOf(owner, id, ''));
    for (const { name } of files) if (name !== kept) await this.#files.delete(name);
  }
}

const partitionOf = ({ tenant, partyId }: Pick<InsightOwner, 'tenant' | 'partyId'>): string =>
  `${tenant}|${idKeyOf(partyId)}`;

const rowKeyOf = (kind: InsightPart, owner: InsightOwner, id: string): string =>
  `${LETTERS[kind]}|${resourcePrefix(owner)}${owner.modelId}|${idKeyOf(id)}`;

/** Row keys are too long for a name. */
const fileNameOf = (owner: InsightOwner, id: string, epoch: number | ''): string =>
  `${owner.tenant}/${idKeyOf(owner.partyId)}/attachments/${hash('sha256', rowKeyOf('attachment', owner, id))}-${epoch}`;

function partOf<P extends InsightPart>({ value, epoch = 0, isWithdrawn, etag }: Row<InsightRow>): StoredPart<P> {
  return { part: JSON.parse(value) as Parts[P], epoch, isWithdrawn, etag };
}
