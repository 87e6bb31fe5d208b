import type { TableName } from '../storage/names.js';

/** The contents of an export; written last, so that an export without it was cut off. */
export interface BackupManifest {
  readonly exportedAt: string;
  /** Rows by table. */
  readonly rows: Readonly<Partial<Record<TableName, number>>>;
}

/** The storage of one export. */
export interface BackupArchive {
  /** Its address, for people. */
  readonly place: string;
  write(table: TableName, lines: AsyncIterable<string>): Promise<void>;
  read(table: TableName): AsyncIterable<string>;
  finish(manifest: BackupManifest): Promise<void>;
  /** Undefined when there is no finished export. */
  manifest(): Promise<BackupManifest | undefined>;
}
